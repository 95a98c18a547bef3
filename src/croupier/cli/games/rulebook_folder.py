"""`rulebook`: start a rulebook folder, and check one."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from croupier.authoring.checks import Remark, check
from croupier.authoring.template import new_rulebook
from croupier.cli.terminal.errors import reported
from croupier.cli.terminal.game_argument import GameName
from croupier.cli.terminal.numbers import WholeNumber
from croupier.cli.terminal.output import as_json, console, print_json
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.catalogue.fingerprint import rulebook_hash
from croupier.rulebooks.documents.editions import BadRulebook, Edition
from croupier.rulebooks.documents.folders import install
from croupier.scripts.printer import indented

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group()
def rulebook() -> None:
    """Write rulebooks outside the package: a new version of a document, or another game."""


@rulebook.command()
@click.argument("folder", metavar="DIR", type=_FOLDER)
@click.option("--from", "base", required=True, type=GameName(), metavar="EDITION", help="As in mbs-megalink-holdem@9.")
@click.option("--version", required=True, type=WholeNumber(1, 10_000), metavar="NUMBER", help="Of the new document.")
def new(folder: Path, base: str, version: int) -> None:
    """Write a rulebook folder DIR that says only what its version changes."""
    with reported(BadRulebook):
        written = new_rulebook(base, version, folder)
    for file in written:
        click.echo(f"Wrote {file}")
    click.echo(f"Now write what changes, and check it: croupier rulebook check {folder}")


@rulebook.command("check")
@click.argument("folder", metavar="DIR", type=_FOLDER)
@click.option("--no-solve", is_flag=True, help="Leave out the exact figures.")
@as_json
@click.pass_context
def check_folder(context: click.Context, folder: Path, no_solve: bool, json_wanted: bool) -> None:
    """Check the rulebook folder DIR: text, citations, readings, pay tables, irregularities, scripts, figures.

    The exit code is 1 where it has a mistake.
    """
    with reported(BadRulebook):
        editions = install(folder)
        found = [(each, list(check(each))) for each in editions]
    mistakes = sum(remark.is_mistake for _, remarks in found for remark in remarks)
    figures = {each.name: [] if no_solve or mistakes else _figures(each) for each, _ in found}
    if json_wanted:
        print_json([_as_json(each, remarks, figures[each.name]) for each, remarks in found])
    else:
        for each, remarks in found:
            _print(each, remarks, figures[each.name])
    context.exit(1 if mistakes else 0)


def _figures(found: Edition) -> list[tuple[str, str, str]]:
    from croupier.authoring.changed_figures import changed_figures, why_unsolved  # noqa: PLC0415  it loads numba

    if why := why_unsolved(found.name):
        return [("not solved", why, "")]
    return list(changed_figures(found.based_on or found.name, found.name))


def _as_json(found: Edition, remarks: list[Remark], figures: list[tuple[str, str, str]]) -> dict[str, object]:
    return {
        "edition": found.name,
        "sha256": rulebook_hash(declare(found.name)),
        "mistakes": [{"about": each.about, "says": each.says} for each in remarks if each.is_mistake],
        "notes": [{"about": each.about, "says": each.says} for each in remarks if not each.is_mistake],
        "figures": [{"figure": name, "before": before, "after": after} for name, before, after in figures],
    }


def _print(found: Edition, remarks: list[Remark], figures: list[tuple[str, str, str]]) -> None:
    out = console()
    out.print(Text.assemble((found.name, "bold"), f", SHA-256 {rulebook_hash(declare(found.name))[:16]}…"))
    for heading, wanted in (("Mistakes", True), ("To know", False)):
        listed = [each for each in remarks if each.is_mistake is wanted]
        if listed:
            out.print(Text(f"{heading} ({len(listed)})", "bold"))
        for each in listed:
            indented(Text(f"{each.about}: {each.says}"), 2, out)
    match figures:
        case [("not solved", why, _)]:
            indented(Text(f"The lab does not solve this game: {why}"), 2, out)
        case []:
            pass
        case _:
            table = Table("exact figure", found.based_on, found.name, box=None, padding=(0, 1))
            for row in figures:
                table.add_row(*row)
            out.print(table)
    if not any(each.is_mistake for each in remarks):
        out.print(f"{found.name} is in order.")
