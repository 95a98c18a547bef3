"""`export`: rounds, bets, awards, entries, events and meters as files for other systems."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from croupier.cli.operations.audit import database, opened
from croupier.cli.terminal.errors import reported
from croupier.cli.terminal.output import as_json, counted, print_json
from croupier.floor.feed.export_files import BadExport, FileKind, write_export

NEW_FOLDER = click.Path(file_okay=False, path_type=Path)
NEW_FOLDER.name = "folder"


@click.command()
@click.argument("folder", type=NEW_FOLDER)
@database
@click.option(
    "--format",
    "kind",
    type=click.Choice([kind.value for kind in FileKind]),
    default=FileKind.PARQUET.value,
    show_default=True,
    help="The kind of files; Parquet needs the extra [export].",
)
@as_json
def export(folder: Path, database: str, kind: str, json_wanted: bool) -> None:
    """Write the journal as tables into FOLDER: rounds, bets, awards, entries, events, meters.

    It reads at one moment while the house runs on. Amounts are whole cents; people are named by their ids.
    """
    made_at = datetime.now(UTC).isoformat(timespec="seconds")
    with opened(database) as store, reported(BadExport):
        told = write_export(store, folder, FileKind(kind), made_at)
    if json_wanted:
        print_json({"folder": str(folder), "format": kind, "rows": told.rows})
    else:
        click.echo(f"{folder}: {', '.join(f'{rows:,} {table}' for table, rows in told.rows.items())}.")
        click.echo(f"{counted(sum(told.rows.values()), 'row')} as {kind}.")
