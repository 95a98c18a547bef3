"""`serve`: the running house."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import click

from croupier.cli.errors import Wrong
from croupier.floor.server.serve import CannotListen
from croupier.floor.server.serve import serve as run_server
from croupier.floor.server.settings import BadSettings, read_settings
from croupier.journal.opening import open_store
from croupier.journal.records import ChainBroken
from croupier.journal.store import StoreError


@click.command()
@click.option("--config", type=click.Path(dir_okay=False, path_type=Path), help="A TOML file of settings.")
@click.option("--database", help="sqlite:///FILE or postgresql://…")
@click.option("--host", help="The address to listen at (127.0.0.1).")
@click.option("--port", type=click.IntRange(1, 65535), help="The port to listen at (8000).")
@click.option("--log-json", is_flag=True, default=None, help="Every request as a line of JSON on standard error.")
@click.option("--demo", is_flag=True, default=None, help="Five tables, ready-made people, bots and demo chips.")
@click.pass_context
def serve(
    context: click.Context,
    config: Path | None,
    database: str | None,
    host: str | None,
    port: int | None,
    demo: bool | None,
    log_json: bool | None,
) -> None:
    """Run the floor: tables, people, API and live play, every command durable before it is answered."""
    try:
        settings = read_settings(
            config, os.environ, database=database, host=host, port=port, demo=demo, log_json=log_json
        )
        store = open_store(settings.database)
        context.exit(asyncio.run(run_server(settings, store, click.echo)))
    except (BadSettings, CannotListen, StoreError, ChainBroken) as wrong:
        raise Wrong(str(wrong)) from None
