"""Records: each carries the hash of its content and of the one before it; old versions are raised, states sealed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from croupier.journal.records import (
    GENESIS,
    ChainBroken,
    Record,
    Versions,
    answer_hash,
    chain_hash,
    checked,
    sealed_state,
    state_in,
)


def chain(count: int, stream: str = "table/T1") -> list[Record]:
    records: list[Record] = []
    before = GENESIS
    for seq in range(1, count + 1):
        data = f'{{"n":{seq}}}'.encode()
        before = chain_hash(before, stream, seq, "Something", 1, 1_000 + seq, f"c{seq}", data)
        records.append(Record(stream, seq, "Something", 1, 1_000 + seq, f"c{seq}", data, before))
    return records


def test_the_hash_is_sha_256_over_the_one_before_and_every_field_with_its_length() -> None:
    """What a stand-alone checker computes from the documentation alone."""
    text = b"8:table/T1" + b"7:" + b"9:BetPlaced" + b"1:" + b"123:" + b"2:c9" + b"2:" + b"{}"
    assert (
        chain_hash(GENESIS, "table/T1", 7, "BetPlaced", 1, 123, "c9", b"{}") == hashlib.sha256(GENESIS + text).digest()
    )


def test_no_two_records_share_their_hashed_text() -> None:
    """Lengths lead the fields, so that a character cannot move from one field to the next unnoticed."""
    one = chain_hash(GENESIS, "a", 1, "bc", 1, 1, "d", b"{}")
    assert one != chain_hash(GENESIS, "a", 1, "b", 1, 1, "cd", b"{}")
    assert one != chain_hash(GENESIS, "ab", 1, "c", 1, 1, "d", b"{}")
    assert answer_hash(GENESIS, "answers", 1, "ab", b"c", b"d") != answer_hash(GENESIS, "answers", 1, "a", b"bc", b"d")


def test_a_whole_stream_passes_also_from_the_middle() -> None:
    """A recovery reads only what came after its snapshot."""
    records = chain(20)
    assert list(checked(records)) == records
    assert list(checked(records[7:], before=records[6].hash, seq=7)) == records[7:]


@pytest.mark.parametrize("field", ["stream", "type", "version", "at", "command", "data", "hash"])
def test_a_changed_field_is_found_at_its_record(field: str) -> None:
    """Whatever of a record is changed, its number is in the message."""
    records = chain(9)
    changes = {"version": 2, "at": 5, "data": b'{"n":6}', "hash": bytes(32)}
    records[4] = replace(records[4], **{field: changes.get(field, "other")})
    with pytest.raises(ChainBroken, match="record 5"):
        list(checked(records))


def test_a_missing_record_is_found() -> None:
    """In the middle, and by the one that follows."""
    records = chain(9)
    del records[3]
    with pytest.raises(ChainBroken, match="record 4 is missing, the next one found is 5"):
        list(checked(records))


def test_two_records_that_changed_places_are_found() -> None:
    """Even where each is whole by itself."""
    records = chain(9)
    records[3], records[4] = records[4], records[3]
    with pytest.raises(ChainBroken, match="record 4"):
        list(checked(records))


# ---------------------------------------------------------------- versions


@dataclass(frozen=True)
class Made:
    record: Record
    versions: Versions


@pytest.fixture
def old() -> Made:
    """A bet of the first version, in a program that knows the third: a name was changed, a field was added."""
    record = replace(chain(1)[0], type="BetPlaced", version=1, data=b'{"type":"BetPlaced","spot":3}')

    def renamed(fields: dict[str, object]) -> dict[str, object]:
        fields["box"] = fields.pop("spot")
        return fields

    def widened(fields: dict[str, object]) -> dict[str, object]:
        return {**fields, "noticed": True}

    return Made(record, Versions({"BetPlaced": 3}, {("BetPlaced", 1): renamed, ("BetPlaced", 2): widened}))


def test_an_old_event_is_raised_step_by_step(old: Made) -> None:
    """Each upcaster knows one step; the record on disk stays as it was."""
    assert old.versions.raised(old.record) == b'{"type":"BetPlaced","box":3,"noticed":true}'
    assert old.record.data == b'{"type":"BetPlaced","spot":3}'


def test_an_event_of_today_passes_untouched(old: Made) -> None:
    """Byte for byte, so that its hash can be checked again."""
    record = replace(old.record, version=3)
    assert old.versions.raised(record) is record.data


def test_an_event_of_a_newer_program_is_refused_by_name(old: Made) -> None:
    """An older program must not guess what a newer one meant."""
    with pytest.raises(ChainBroken, match="BetPlaced version 4; this program knows up to 3, so a newer one wrote it"):
        old.versions.raised(replace(old.record, version=4))


def test_a_version_that_nobody_wrote_is_refused(old: Made) -> None:
    """No upcaster begins at 0."""
    with pytest.raises(ChainBroken, match="version 0, which no release of this program wrote"):
        old.versions.raised(replace(old.record, version=0))


# ---------------------------------------------------------------- snapshots


def test_a_snapshot_is_bound_to_its_content_and_to_its_record() -> None:
    """A flipped bit, or a snapshot put after another record, is found before it is used."""
    data = sealed_state(b"h" * 32, b'{"number":4}')
    assert state_in(b"h" * 32, data) == b'{"number":4}'
    with pytest.raises(ChainBroken):
        state_in(b"i" * 32, data)
    with pytest.raises(ChainBroken):
        state_in(b"h" * 32, data[:-1] + b"]")
    with pytest.raises(ChainBroken):
        state_in(b"h" * 32, b"")
