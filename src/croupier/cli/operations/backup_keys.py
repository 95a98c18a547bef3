"""Keys of backups: options of every command that reads or writes one, and `backup-key`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import click

from croupier.cli.terminal.errors import Wrong, reported
from croupier.cli.terminal.output import as_json, print_json
from croupier.cli.terminal.paths import FILE, write_new
from croupier.floor.backups.archive import SUFFIX
from croupier.floor.backups.backup import PRIVATE, BadBackup, Manifest
from croupier.floor.backups.backup import restore as restored
from croupier.floor.backups.encryption import (
    BadKey,
    Identity,
    Passphrase,
    Recipient,
    identity_pem,
    is_encrypted,
    new_identity,
    read_identity,
    read_recipient,
    recipient_pem,
)
from croupier.journal.store import StoreError
from croupier.journal.store_address import open_store

F = TypeVar("F", bound=Callable[..., object])
passphrase_file_option = click.option(
    "--passphrase-file", type=FILE, help="The passphrase is the first line of this file."
)


def opening_options(command: F) -> F:
    """Add `--passphrase-file` and `--identity` to a command that reads a backup."""
    identity = click.option("--identity", type=FILE, multiple=True, help="A private key made by croupier backup-key.")
    return passphrase_file_option(identity(command))


def encrypting_options(command: F) -> F:
    """Add `--encrypt`, `--passphrase-file` and `--recipient` to a command that writes a backup."""
    encrypt = click.option("--encrypt", is_flag=True, help="Encrypt it with a passphrase, asked for or from a file.")
    recipient = click.option(
        "--recipient",
        type=FILE,
        multiple=True,
        help="Encrypt it for this public key, so that this machine cannot read it; may be given several times.",
    )
    return encrypt(passphrase_file_option(recipient(command)))


def writing_keys(
    encrypt: bool, passphrase_file: Path | None, recipients: Sequence[Path]
) -> list[Passphrase | Recipient]:
    """Return the keys that will open the file; empty for a plain one."""
    with reported(BadKey):
        found: list[Passphrase | Recipient] = [read_recipient(file) for file in recipients]
        if passphrase_file is not None:
            found.append(_from_file(passphrase_file))
        elif encrypt and not recipients:
            if not sys.stdin.isatty():
                raise Wrong("--encrypt needs --passphrase-file or --recipient where there is no terminal to ask at.")
            found.append(Passphrase(click.prompt("Passphrase", hide_input=True, confirmation_prompt=True, err=True)))
    return found


def reading_keys(file: Path, passphrase_file: Path | None, identities: Sequence[Path]) -> list[Passphrase | Identity]:
    """Return the keys that open this file; ask for a passphrase where it is encrypted and no key is named."""
    with reported(BadKey):
        found: list[Passphrase | Identity] = [read_identity(identity) for identity in identities]
        if passphrase_file is not None:
            found.append(_from_file(passphrase_file))
        if not found and is_encrypted(file) and sys.stdin.isatty():
            found.append(Passphrase(click.prompt(f"Passphrase of {file}", hide_input=True, err=True)))
    return found


def archive_keys(folder: Path, passphrase_file: Path | None, identities: Sequence[Path]) -> list[Passphrase | Identity]:
    """Return the keys that open the archives in this folder."""
    encrypted = next((file for file in sorted(folder.glob(f"*{SUFFIX}")) if is_encrypted(file)), folder)
    return reading_keys(encrypted, passphrase_file, identities)


def _from_file(file: Path) -> Passphrase:
    try:
        with file.open(encoding="utf-8") as opened:
            return Passphrase(opened.readline(4096).rstrip("\r\n"))
    except UnicodeDecodeError:
        raise Wrong(f"{file} is not UTF-8 text.") from None
    except BadKey as wrong:
        raise Wrong(f"{file}: {wrong}") from None


@contextmanager
def restored_aside(
    file: Path, passphrase_file: Path | None, identities: Sequence[Path]
) -> Iterator[tuple[str, Manifest]]:
    """Restore a backup into a temporary database; give its address and the backup's manifest."""
    openers = reading_keys(file, passphrase_file, identities)
    with tempfile.TemporaryDirectory(prefix="croupier-") as folder:
        url = f"sqlite:///{Path(folder) / 'restored.db'}"
        with reported(StoreError, BadBackup), closing(open_store(url)) as store:
            manifest = restored(file, store, openers)
        yield url, manifest


@click.command("backup-key")
@click.argument("file", type=FILE)
@as_json
def backup_key(file: Path, json_wanted: bool) -> None:
    """Make a key pair: the private key in FILE, the public one in FILE.pub.

    Give the public key to the machine that makes backups (croupier backup --recipient FILE.pub), and keep the private
    key away from it: croupier restore --identity FILE needs it, and without it the backups cannot be read.
    """
    public = file.with_name(f"{file.name}.pub")
    for target in (file, public):
        if target.exists():
            raise Wrong(f"{target} already exists: name another file.")
    identity = new_identity()
    write_new(file, identity_pem(identity), PRIVATE)
    write_new(public, recipient_pem(identity.recipient), 0o644)
    if json_wanted:
        print_json({"identity": str(file), "recipient": str(public)})
    else:
        click.echo(f"The private key is in {file}: keep it away from the house. Backups are made with {public}.")
