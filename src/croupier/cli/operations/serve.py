"""`serve`: the running house."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeAlias

import click
import msgspec

from croupier.cli.terminal.errors import Failed, Wrong, one_line
from croupier.cli.terminal.numbers import WholeNumber
from croupier.floor.house.writer import HouseStopped
from croupier.floor.records.keys import BadKeys
from croupier.floor.server.process.http_server import CannotListen
from croupier.floor.server.process.self_check import ChangedFiles, refuse_changed_files
from croupier.floor.server.process.serve import serve as run_server
from croupier.floor.server.process.startup import Started, in_words
from croupier.floor.server.process.supervisor import HouseDoor, Supervisor
from croupier.floor.server.settings import BadSettings, Settings, read_settings
from croupier.journal.records import ChainBroken
from croupier.journal.store import StoreError
from croupier.journal.store_address import open_store
from croupier.rulebooks.documents.editions import BadRulebook, editions
from croupier.rulebooks.documents.folders import ENVIRONMENT

Tell: TypeAlias = Callable[[Started], None]
Say: TypeAlias = Callable[[str], None]


@click.command()
@click.option("--config", type=click.Path(dir_okay=False, path_type=Path), help="A TOML file of settings.")
@click.option("--database", metavar="URL", help="sqlite:///FILE (croupier.db here) or postgresql://user@host/name.")
@click.option("--host", metavar="ADDRESS", help="The address to listen at (127.0.0.1).")
@click.option("--port", metavar="NUMBER", type=WholeNumber(1, 65535), help="The port to listen at (8000).")
@click.option(
    "--fronts",
    metavar="NUMBER",
    type=WholeNumber(0, 64),
    help="Processes that serve people beside the one that runs the house (0: one process does both).",
)
@click.option("--log-json", is_flag=True, default=None, help="Log every request as a line of JSON on standard error.")
@click.option(
    "--demo", is_flag=True, default=None, help="Start with five tables, ready-made people, bots and demo chips."
)
@click.option(
    "--accept-journal",
    default="",
    metavar="REASON",
    help="Go on although the journal does not agree with the witness's last checkpoint; the reason is signed.",
)
@click.option("--json", "json_wanted", is_flag=True, help="Print the addresses as one line of JSON.")
@click.pass_context
def serve(
    context: click.Context,
    config: Path | None,
    database: str | None,
    host: str | None,
    port: int | None,
    fronts: int | None,
    demo: bool | None,
    log_json: bool | None,
    accept_journal: str,
    json_wanted: bool,
) -> None:
    """Run the floor: tables, people, API and live play, every command durable before it is answered."""
    with _in_one_line():
        settings = read_settings(
            config, os.environ, database=database, host=host, port=port, fronts=fronts, demo=demo, log_json=log_json
        )
        os.environ[ENVIRONMENT] = os.pathsep.join(settings.rulebooks)
        editions()  # says now what is wrong with a folder
        refuse_changed_files(settings)
        tell = partial(_print, json_wanted=json_wanted)
        say = partial(click.echo, err=json_wanted)
        if settings.fronts:
            code = Supervisor(settings, partial(_house, settings, tell, say, accept_journal)).run()
        else:
            store = open_store(settings.database)
            code = asyncio.run(run_server(settings, store, tell, say, accept_journal))
        context.exit(code)


def _house(settings: Settings, tell: Tell, say: Say, accepted: str, door: HouseDoor, is_first: bool) -> int:
    """Run the house in a process of its own, and return its exit code; the addresses are printed once."""
    try:
        with _in_one_line():
            store = open_store(settings.database)
            told = tell if is_first else lambda _: None
            return asyncio.run(run_server(settings, store, told, say, accepted if is_first else "", door))
    except Wrong as wrong:
        click.echo(f"croupier: {one_line(str(wrong))}", err=True)
        return wrong.code


@contextmanager
def _in_one_line() -> Iterator[None]:
    """Report why a house cannot be opened."""
    try:
        yield
    except HouseStopped as wrong:
        raise Failed(f"The server stopped: {wrong}") from None
    except (BadKeys, BadRulebook, BadSettings, CannotListen, ChangedFiles, StoreError, ChainBroken) as wrong:
        raise Wrong(str(wrong)) from None


def _print(start: Started, *, json_wanted: bool) -> None:
    """Print the addresses: in words, or as one line for a program that waits for it."""
    for line in [msgspec.json.encode(start)] if json_wanted else in_words(start):
        click.echo(line)
