"""`version`: which program this is, to the last file, rulebook and dependency."""

from __future__ import annotations

import platform
from pathlib import Path

import click
import msgspec
from rich.table import Table

from croupier import __version__
from croupier.cli.terminal.errors import reported
from croupier.cli.terminal.output import as_json, console, print_json
from croupier.cli.terminal.paths import FILE
from croupier.installation import BadWheel, Installation, check_installation, dependencies, installation_against
from croupier.journal.store import SCHEMA_VERSION
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.catalogue.fingerprint import readings_hash, rulebook_hash
from croupier.rulebooks.documents.editions import GAMES


class _Rulebook(msgspec.Struct, frozen=True, kw_only=True):
    game: str
    version: int | None
    """The version of the document, where it has one."""
    sha256: str
    """SHA-256 over everything that the rulebook declares under our default readings."""
    readings_sha256: str


@click.command()
@click.option(
    "--against",
    "wheel",
    type=FILE,
    metavar="WHEEL",
    help="Check the files against this wheel, kept elsewhere, instead of the record beside them.",
)
@as_json
@click.pass_context
def version(context: click.Context, wheel: Path | None, json_wanted: bool) -> None:
    """Print versions, rulebook hashes and whether the installed files are as they were installed.

    The exit code is 1 where a file of the package is changed, missing or added. A source tree has no record of its
    files, which is not an error.
    """
    with reported(BadWheel):
        found = check_installation() if wheel is None else installation_against(wheel)
    books = [_rulebook(game) for game in GAMES]
    if json_wanted:
        print_json(
            {
                "version": __version__,
                "python": platform.python_version(),
                "schema": SCHEMA_VERSION,
                "installation": {**msgspec.to_builtins(found), "says": str(found)},
                "rulebooks": books,
                "dependencies": dependencies(),
            }
        )
    else:
        _print(found, books)
    context.exit(1 if found.changed else 0)


def _rulebook(game: str) -> _Rulebook:
    book = declare(game)
    return _Rulebook(
        game=game,
        version=book.document.version,
        sha256=rulebook_hash(book),
        readings_sha256=readings_hash(game),
    )


def _print(found: Installation, books: list[_Rulebook]) -> None:
    out = console()
    out.print(f"croupier {__version__}, Python {platform.python_version()}, journal schema {SCHEMA_VERSION}")
    out.print(str(found), soft_wrap=True)
    if found.has_record:
        out.print(f"Record of the package's files: SHA-256 {found.sha256}", soft_wrap=True)
    table = Table("rulebook", "version", "SHA-256", "of its readings", box=None, padding=(0, 1))
    for book in books:
        table.add_row(book.game, str(book.version or ""), book.sha256[:16], book.readings_sha256[:16])
    out.print(table)
    listed = (f"{name} {number or 'missing'}" for name, number in dependencies().items())
    out.print(f"With {', '.join(listed)}.", soft_wrap=True)
