"""Output of every command: JSON for programs, a console for people."""

from __future__ import annotations

import click
import msgspec
from rich.console import Console

as_json = click.option("--json", "json_wanted", is_flag=True, help="Print JSON for programs.")


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """Return a console: colours on a terminal, plain text in a pipe, no markup."""
    return _Console(highlight=False, markup=False, emoji=False)


def counted(number: int, what: str) -> str:
    """Return a number with its noun: `1 entry`, `2,000 entries`."""
    many = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{number:,} {what if number == 1 else many}"


def print_json(value: object) -> None:
    """Print a value as indented JSON."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2))
