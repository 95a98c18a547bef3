"""`serve`: the running house."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from pathlib import Path

import click
import msgspec

from croupier.cli.errors import Failed, Wrong
from croupier.cli.numbers import WholeNumber
from croupier.floor.house.writer import HouseStopped
from croupier.floor.records.keys import BadKeys
from croupier.floor.server.self_check import ChangedFiles, refuse_changed_files
from croupier.floor.server.serve import CannotListen
from croupier.floor.server.serve import serve as run_server
from croupier.floor.server.settings import BadSettings, read_settings
from croupier.floor.server.startup import Started, in_words
from croupier.journal.records import ChainBroken
from croupier.journal.store import StoreError
from croupier.journal.store_address import open_store
from croupier.rulebooks.editions import BadRulebook, editions
from croupier.rulebooks.folders import ENVIRONMENT


@click.command()
@click.option("--config", type=click.Path(dir_okay=False, path_type=Path), help="A TOML file of settings.")
@click.option("--database", metavar="URL", help="sqlite:///FILE (croupier.db here) or postgresql://user@host/name.")
@click.option("--host", metavar="ADDRESS", help="The address to listen at (127.0.0.1).")
@click.option("--port", metavar="NUMBER", type=WholeNumber(1, 65535), help="The port to listen at (8000).")
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
    demo: bool | None,
    log_json: bool | None,
    accept_journal: str,
    json_wanted: bool,
) -> None:
    """Run the floor: tables, people, API and live play, every command durable before it is answered."""
    try:
        settings = read_settings(
            config, os.environ, database=database, host=host, port=port, demo=demo, log_json=log_json
        )
        os.environ[ENVIRONMENT] = os.pathsep.join(settings.rulebooks)
        editions()  # says now what is wrong with a folder
        refuse_changed_files(settings)
        store = open_store(settings.database)
        tell = _print_line if json_wanted else _print_words
        say = partial(click.echo, err=json_wanted)
        context.exit(asyncio.run(run_server(settings, store, tell, say, accept_journal)))
    except HouseStopped as wrong:
        raise Failed(f"The server stopped: {wrong}") from None
    except (BadKeys, BadRulebook, BadSettings, CannotListen, ChangedFiles, StoreError, ChainBroken) as wrong:
        raise Wrong(str(wrong)) from None


def _print_words(start: Started) -> None:
    for line in in_words(start):
        click.echo(line)


def _print_line(start: Started) -> None:
    """Print one line at once, for a program that waits for it."""
    click.echo(msgspec.json.encode(start))
