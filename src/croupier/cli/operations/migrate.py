"""`migrate`: bring a journal to the schema of this release."""

from __future__ import annotations

import time

import click
import msgspec

from croupier.cli.operations.audit import database
from croupier.cli.terminal.errors import reported
from croupier.cli.terminal.output import as_json, counted, print_json
from croupier.floor.records.upcasters import VERSIONS
from croupier.journal.migration import Plan, plan
from croupier.journal.migration import migrate as carry_out
from croupier.journal.store import StoreError


@click.command()
@database
@click.option("--dry-run", is_flag=True, help="Say what would be done and how long it would take; change nothing.")
@as_json
def migrate(database: str, dry_run: bool, json_wanted: bool) -> None:
    """Upgrade a journal to the schema of this release, in one transaction. There is no way back but a backup.

    A server does the same when it starts; this command says beforehand how long that takes. Records are never
    rewritten: those of earlier releases are read as today's.
    """
    with reported(StoreError):
        found = plan(database, VERSIONS)
        took = 0.0
        if not dry_run and not found.is_current:
            began = time.perf_counter()
            carry_out(database)
            took = time.perf_counter() - began
    if json_wanted:
        done = not dry_run and not found.is_current
        print_json({**msgspec.to_builtins(found), "done": done, "took": round(took, 3)})
    else:
        _print(found, dry_run=dry_run, took=took)


def _print(found: Plan, *, dry_run: bool, took: float) -> None:
    click.echo(f"Schema {found.schema} of {found.wanted}, {counted(found.records, 'record')}.")
    for step in found.steps:
        click.echo(f"  adds {step}")
    for each in found.earlier:
        click.echo(f"  {each.type} {each.version} is read as {each.now}: {counted(each.count, 'record')}")
    if found.is_current:
        click.echo("There is nothing to upgrade.")
    elif dry_run:
        click.echo(f"The upgrade takes about {found.seconds:.1f} seconds, in which servers wait. Back up first.")
    else:
        click.echo(f"Upgraded in {took:.1f} seconds.")
