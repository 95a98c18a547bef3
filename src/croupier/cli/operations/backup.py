"""`backup`, `restore` and `drill`: a journal written to a file, restored, and tested."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from croupier.cli.operations.audit import database, opened, print_audit
from croupier.cli.operations.backup_keys import encrypting_options, opening_options, reading_keys, writing_keys
from croupier.cli.terminal.errors import reported
from croupier.cli.terminal.output import as_json, console, counted, print_json
from croupier.cli.terminal.paths import EXISTING_FILE, FILE
from croupier.cli.terminal.progress import watched
from croupier.floor.audit.audit import audit as audited
from croupier.floor.backups.backup import BadBackup, back_up, check_opens
from croupier.floor.backups.backup import restore as restored
from croupier.floor.backups.restore_drill import Drilled
from croupier.floor.backups.restore_drill import drill as drilled
from croupier.floor.house.steady_clock import microseconds
from croupier.journal.store import StoreError
from croupier.money import show


@click.command()
@database
@encrypting_options
@click.option("--without-names", is_flag=True, help="Leave out the names of people; records know them by their ids.")
@click.argument("file", type=FILE)
@as_json
def backup(
    database: str,
    without_names: bool,
    encrypt: bool,
    passphrase_file: Path | None,
    recipient: tuple[Path, ...],
    file: Path,
    json_wanted: bool,
) -> None:
    """Write the whole journal of one moment to FILE, while the house runs on.

    The file restores into either kind of database. It is encrypted where --encrypt, --passphrase-file or --recipient is
    given.
    """
    openers = writing_keys(encrypt, passphrase_file, recipient)
    with watched("events", quiet=json_wanted, first="backing up") as watching, opened(database) as store:
        done, total = 0, sum(int(str(row[1])) for row in store.rows("heads"))

        def step(count: int) -> None:
            nonlocal done
            done += count
            watching(done, max(total, done))

        counts = back_up(store, file, microseconds(), step, openers, nameless=without_names)
    if json_wanted:
        size = file.stat().st_size
        print_json({"file": str(file), "rows": counts, "bytes": size, "encrypted": bool(openers)})
    else:
        held = f"{counted(counts['records'], 'event')} and {counted(counts['answers'], 'answer')}"
        click.echo(f"{held} are in {file}{', encrypted' if openers else ''}.")


@click.command()
@click.option("--database", required=True, metavar="URL", help="The empty one: sqlite:///FILE or postgresql://…")
@opening_options
@click.argument("file", type=EXISTING_FILE)
@as_json
@click.pass_context
def restore(
    context: click.Context,
    database: str,
    passphrase_file: Path | None,
    identity: tuple[Path, ...],
    file: Path,
    json_wanted: bool,
) -> None:
    """Put a backup FILE into an empty database, all of it or nothing, and audit it there."""
    openers = reading_keys(file, passphrase_file, identity)
    with reported(BadBackup):
        check_opens(file, openers)
    with (
        watched("bytes", quiet=json_wanted, first="restoring") as reading,
        opened(database, read_only=False, create=True) as store,
    ):
        manifest = restored(file, store, openers, reading)
        counts = manifest.rows
    with watched("events", quiet=json_wanted, first="auditing") as watching, opened(database) as store:
        report = audited(store, progress=watching, nameless=manifest.nameless)
    if json_wanted:
        print_json({"rows": counts, "clean": report.is_clean, "differences": msgspec.to_builtins(report.differences)})
    else:
        click.echo(f"Restored: {counted(counts['records'], 'event')}.")
        if manifest.nameless:
            click.echo("The backup leaves out the names of people, so no person can log in by name.")
        print_audit(report)
    context.exit(0 if report.is_clean else 1)


@click.command()
@opening_options
@click.argument("file", type=EXISTING_FILE)
@as_json
@click.pass_context
def drill(
    context: click.Context,
    passphrase_file: Path | None,
    identity: tuple[Path, ...],
    file: Path,
    json_wanted: bool,
) -> None:
    """Test a backup FILE: restore it into a temporary database, audit it, and report whether it is usable.

    Rows, heads and balances of the restored database are compared with the backup's own manifest. The database is
    removed afterwards. The exit code is 1 where the backup is not usable.
    """
    openers = reading_keys(file, passphrase_file, identity)
    with reported(StoreError), watched("parts", quiet=json_wanted, first="restoring") as watching:
        report = drilled(file, openers, watching)
    if json_wanted:
        meters = {link: show(meter) for link, meter in report.meters.items()}
        print_json({**msgspec.to_builtins(report), "meters": meters})
    else:
        _print_drill(report)
    context.exit(0 if report.sound else 1)


def _print_drill(report: Drilled) -> None:
    out = console()
    how = "encrypted" if report.encrypted else "not encrypted"
    out.print(f"{report.file}, made {report.made_at[:19] or 'at an unknown time'} UTC, {how}.", soft_wrap=True)
    if report.rows:
        out.print(
            f"{counted(report.rows['records'], 'event')}, {counted(report.rows['answers'], 'answer')}, "
            f"{counted(report.streams, 'stream')}, {counted(report.rounds, 'round')}, "
            f"{counted(report.accounts, 'account')}.",
            soft_wrap=True,
        )
    if report.archived:
        out.print(f"Not in it: {counted(report.archived, 'event')} in archives, which are kept apart.", soft_wrap=True)
    out.print(f"Restored in {report.restore_seconds:.1f} s, audited in {report.audit_seconds:.1f} s.")
    for problem in report.problems:
        out.print(f"DIFFERS  {problem}", soft_wrap=True)
    says = "The backup brings the house back: every count, head, balance and hash is as it was written."
    out.print(says if report.sound else "THE BACKUP IS NOT USABLE.", soft_wrap=True)
