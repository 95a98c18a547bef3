"""`verify`: check a round's record with croupier/verify.py."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from croupier import verify as alone
from croupier.cli.operations.backup_keys import opening_options, reading_keys
from croupier.cli.terminal.errors import Wrong, reported
from croupier.cli.terminal.output import as_json, counted, print_json
from croupier.cli.terminal.paths import FILE
from croupier.cli.terminal.progress import watched
from croupier.floor.backups.archive import BadArchive, check_archive, is_archive
from croupier.floor.backups.backup import BadBackup, check_backup, is_backup
from croupier.floor.backups.encryption import is_encrypted
from croupier.money import show


@click.command()
@click.argument("record", type=FILE)
@click.option(
    "--checkpoint",
    type=FILE,
    help="Compare the record's proofs with checkpoints that the house has published (/api/checkpoint).",
)
@opening_options
@as_json
@click.pass_context
def verify(
    context: click.Context,
    record: Path,
    checkpoint: Path | None,
    passphrase_file: Path | None,
    identity: tuple[Path, ...],
    json_wanted: bool,
) -> None:
    """Check a round's RECORD: hash chain, deck and commitment, deal order; and settle every bet again.

    The record comes from /api/tables/TABLE/rounds/NUMBER/record, or from croupier audit --export. The check itself is
    one file without dependencies, croupier/verify.py: copy it and run it with any Python from 3.11 on.

    A backup or an archive is read from end to end instead, to check that it is complete and opens with the key.
    """
    if is_archive(record):
        _verify_archive(record, passphrase_file, identity, json_wanted)
        return
    if is_backup(record):
        _verify_backup(record, passphrase_file, identity, json_wanted)
        return
    file = checkpoint or record
    try:
        published = [] if checkpoint is None else alone.checkpoints(checkpoint.read_text(encoding="utf-8"))
        file = record
        told = alone.rounds(alone.read(record.read_text(encoding="utf-8")))
        checked = [(one, alone.check(one, published)) for one in told]
    except (OSError, UnicodeDecodeError, alone.NoRecord) as wrong:
        raise Wrong(f"{file}: {alone.in_words(wrong)}.") from None
    if json_wanted:
        found = [_found(one, checks) for one, checks in checked]
        print_json(found[0] if len(found) == 1 else found)
    else:
        for one, checks in checked:
            click.echo(alone.report(one, checks))
    context.exit(1 if any(checks.problems for _, checks in checked) else 0)


def _found(record: alone.Json, checks: alone.Checks) -> dict[str, object]:
    return {
        "table": record["table"],
        "round": record["round"],
        "looked_at": dict(checks.looked_at),
        "net": {player: show(cents) for player, cents in checks.net.items()},
        "awards": checks.awards,
        "open_awards": checks.open_awards,
        "settled": checks.settled,
        "rests_on_record": checks.rests,
        "notes": checks.notes,
        "problems": checks.problems,
    }


def _verify_archive(file: Path, passphrase_file: Path | None, identity: tuple[Path, ...], json_wanted: bool) -> None:
    openers = reading_keys(file, passphrase_file, identity)
    with reported(BadArchive):
        found = check_archive(file, openers)
    if json_wanted:
        print_json({"file": str(file), "encrypted": is_encrypted(file), **msgspec.to_builtins(found)})
    else:
        first, last = found.rounds
        held = f"rounds {first:,} to {last:,} of {found.table}, {counted(found.rows['records'], 'event')}"
        click.echo(f"{file} is complete: {held}.")


def _verify_backup(file: Path, passphrase_file: Path | None, identity: tuple[Path, ...], json_wanted: bool) -> None:
    openers = reading_keys(file, passphrase_file, identity)
    with reported(BadBackup), watched("bytes", quiet=json_wanted, first="reading") as watching:
        found = check_backup(file, openers, watching)
    made = datetime.fromtimestamp(found.made / 1_000_000, UTC).isoformat()
    encrypted = is_encrypted(file)
    if json_wanted:
        print_json(
            {"file": str(file), "made_at": made, "encrypted": encrypted, "rows": found.rows, "heads": found.heads}
        )
    else:
        how = "encrypted" if encrypted else "not encrypted"
        click.echo(f"{file} is complete: made {made[:19]} UTC, {how}, {counted(found.rows['records'], 'event')}.")
