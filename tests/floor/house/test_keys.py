"""Keys that the server holds: what they seal, and what they do not open."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.floor.records.keys import NO_KEYS, BadKeys, key_id, keys_of, load_keys, open_sealed, seal, sealed_with

OLD, NEW = bytes(range(32)), bytes(range(32, 64))


def test_what_is_sealed_opens_for_its_purpose_alone() -> None:
    """The same data sealed twice looks different, opens, and does not open in another place."""
    keys = keys_of(OLD)
    one, two = seal(keys, "totp/ana", b"secret"), seal(keys, "totp/ana", b"secret")
    assert one != two
    assert b"secret" not in one
    assert open_sealed(keys, "totp/ana", one) == b"secret"
    with pytest.raises(BadKeys, match="totp/bob: the sealed data was changed, or was sealed for another purpose"):
        open_sealed(keys, "totp/bob", one)


def test_a_changed_byte_does_not_open() -> None:
    """Whichever byte of nonce, ciphertext or tag was changed."""
    keys = keys_of(OLD)
    sealed = seal(keys, "deck/T1/1/0", b"AhKh")
    for place in range(4, len(sealed)):
        changed = bytearray(sealed)
        changed[place] ^= 1
        with pytest.raises(BadKeys, match="was changed"):
            open_sealed(keys, "deck/T1/1/0", bytes(changed))
    with pytest.raises(BadKeys, match="too short"):
        open_sealed(keys, "deck/T1/1/0", sealed[:20])


def test_after_a_rotation_old_things_still_open() -> None:
    """The new key seals; the old one stays for what it has sealed, and is named where it is missing."""
    before = seal(keys_of(OLD), "totp/ana", b"secret")
    rotated = keys_of(NEW, OLD)
    assert open_sealed(rotated, "totp/ana", before) == b"secret"
    assert sealed_with(seal(rotated, "totp/ana", b"secret")) == key_id(NEW)
    with pytest.raises(BadKeys, match=f"sealed with the key {key_id(OLD)}, which this server does not have"):
        open_sealed(keys_of(NEW), "totp/ana", before)


def test_keys_are_not_printed() -> None:
    """A log that shows them shows their ids."""
    assert repr(keys_of(OLD)) == f"Keys({key_id(OLD)})"
    assert OLD.hex() not in str(keys_of(OLD))


def test_a_sqlite_house_has_its_key_beside_its_database(tmp_path: Path) -> None:
    """Made once, for the owner alone; the second start reads the same."""
    database = f"sqlite:///{tmp_path / 'house.db'}"
    assert load_keys(database) == NO_KEYS
    made = load_keys(database, create=True)
    path = tmp_path / "house.db.key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["house.db.key"]
    assert load_keys(database, create=True) == load_keys(database) == made
    path.chmod(0o640)
    with pytest.raises(BadKeys, match="other users of this machine can read this key file"):
        load_keys(database)


def test_keys_come_from_the_environment_first(tmp_path: Path) -> None:
    """`CROUPIER_KEY` is used before any file; several keys are there for a rotation."""
    database = f"sqlite:///{tmp_path / 'house.db'}"
    load_keys(database, create=True)
    assert load_keys(database, key=f"{NEW.hex()},{OLD.hex()}") == keys_of(NEW, OLD)
    path = tmp_path / "keys"
    path.touch(0o600)
    path.write_text(f"{NEW.hex()}  # since March\n{OLD.hex()}\n")
    assert load_keys("postgresql://house", key_file=str(path)) == keys_of(NEW, OLD)
    assert load_keys("postgresql://house") == NO_KEYS


@pytest.mark.parametrize(
    ("key", "why"), [("abc", "a key has 64 hexadecimal digits"), (" ", "holds no key"), ("g" * 64, "64 hexadecimal")]
)
def test_bad_keys_are_named(key: str, why: str) -> None:
    """One sentence that says where."""
    with pytest.raises(BadKeys, match=f"CROUPIER_KEY: .*{why}"):
        load_keys("postgresql://house", key=key)


def test_without_a_key_nothing_is_sealed(tmp_path: Path) -> None:
    """A missing key file that was named is an error; without any key the refusal says what to set."""
    with pytest.raises(BadKeys, match="there is no such key file"):
        load_keys("postgresql://house", key_file=str(tmp_path / "none"))
    with pytest.raises(BadKeys, match="set CROUPIER_KEY, or key_file"):
        seal(NO_KEYS, "totp/ana", b"secret")
