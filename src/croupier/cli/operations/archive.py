"""`archive`: move rounds of closed days from the database into files."""

from __future__ import annotations

import secrets
from pathlib import Path

import click
from rich.table import Table

from croupier.cli.operations.audit import database, opened, read_date
from croupier.cli.operations.backup_keys import encrypting_options, writing_keys
from croupier.cli.operations.people import operator
from croupier.cli.terminal.errors import reported
from croupier.cli.terminal.output import as_json, console, counted, print_json
from croupier.cli.terminal.paths import FOLDER
from croupier.cli.terminal.progress import watched
from croupier.floor.backups.archive import BadArchive
from croupier.floor.backups.archive import archive as archived
from croupier.floor.house.house import House
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.records.committed_decks import Chance


@click.command()
@database
@click.option("--before", "day", required=True, metavar="DATE", help="Rounds that began before this day (UTC).")
@click.option("--to", "folder", required=True, type=FOLDER, help="Where the files go; one folder for all archives.")
@encrypting_options
@as_json
def archive(
    database: str,
    day: str,
    folder: Path,
    encrypt: bool,
    passphrase_file: Path | None,
    recipient: tuple[Path, ...],
    json_wanted: bool,
) -> None:
    """Move rounds of closed days from the database into files, one for each table.

    Records leave the database only when their file is on disk, was read again and holds the same. A round in play, the
    last round of every table, the links, the cashier, people and answers stay. The servers of the house must be
    stopped. croupier audit --archive FOLDER follows everything from the first record on.
    """
    until = read_date(day)
    openers = writing_keys(encrypt, passphrase_file, recipient)
    with (
        reported(BadArchive),
        opened(database, read_only=False) as store,
        watched("events", quiet=json_wanted, first="archiving") as watching,
    ):
        written = archived(
            House(store, Chance(secrets.randbelow, secrets.token_bytes)),
            until,
            folder,
            by=operator(),
            at=microseconds,
            command_id=lambda: f"operator/{secrets.token_hex(12)}",
            openers=openers,
            progress=watching,
        )
    if json_wanted:
        print_json({"before": until.isoformat(), "folder": str(folder), "encrypted": bool(openers), "files": written})
        return
    if not written:
        click.echo(f"No table has a round to archive that began before {until.isoformat()}.")
        return
    out = console()
    table = Table("table", "rounds", "events", "file", box=None, padding=(0, 1))
    for each in written:
        table.add_row(each.table, f"{each.first_round:,}–{each.last_round:,}", f"{each.records:,}", each.file)
    out.print(table)
    total = counted(sum(each.records for each in written), "event")
    out.print(f"{total} left the database and are in {folder}{', encrypted' if openers else ''}.", soft_wrap=True)
