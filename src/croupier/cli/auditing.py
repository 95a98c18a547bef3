"""`audit`, `backup`, `restore`, `figures` and `trial-balance`: what a journal says, checked and carried elsewhere."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import click
import msgspec
from rich.table import Table

from croupier.cli.errors import Wrong
from croupier.cli.output import as_json, console, counted, print_json
from croupier.cli.progress import watched
from croupier.floor.audit import Anchor, Audited
from croupier.floor.audit import audit as audited
from croupier.floor.backup import BadBackup, back_up
from croupier.floor.backup import restore as restored
from croupier.floor.export import BadChoice, chosen, exported
from croupier.floor.figures import Figures, day_of
from croupier.floor.figures import figures as figures_of
from croupier.floor.figures import trial_balance as balanced
from croupier.floor.server.settings import Settings
from croupier.journal.opening import open_store
from croupier.journal.records import ChainBroken
from croupier.journal.store import Store, StoreError
from croupier.money import show

database = click.option(
    "--database",
    default=Settings().database,
    envvar="CROUPIER_DATABASE",
    show_default=True,
    metavar="URL",
    help="The journal: sqlite:///FILE or postgresql://user@host/name.",
)
_SHOWN = 20
"""So many differences are printed for people; --json has more."""


@contextmanager
def _opened(url: str, *, read_only: bool = True, create: bool = False) -> Iterator[Store]:
    store: Store | None = None
    try:
        store = open_store(url, create=create, read_only=read_only)
        yield store
    except (StoreError, BadBackup, BadChoice, ChainBroken) as wrong:
        raise Wrong(str(wrong)) from None
    finally:
        if store is not None:
            store.close()


# ---------------------------------------------------------------- audit


@click.command()
@database
@click.option(
    "--export",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a self-contained record of chosen rounds instead; croupier verify checks it.",
)
@click.option("--rounds", multiple=True, metavar="T1:5-9", help="With --export: a table and its rounds.")
@click.option(
    "--heads",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Hold the journal against an earlier audit's --json, kept elsewhere.",
)
@as_json
@click.pass_context
def audit(
    context: click.Context,
    database: str,
    target: Path | None,
    rounds: tuple[str, ...],
    heads: Path | None,
    json_wanted: bool,
) -> None:
    """Compute a journal again from its events alone, and say what differs.

    Every hash, settlement, award, entry, balance, meter, deck and answer is recomputed, on a consistent view while the
    house runs on. The exit code is 1 where anything differs.
    """
    if (target is None) != (not rounds):
        raise Wrong("--export and --rounds go together.")
    if target is not None:
        _export(database, target, rounds, json_wanted)
        return
    anchors = {} if heads is None else _anchors(heads)
    with watched("events", quiet=json_wanted, first="auditing") as watching, _opened(database) as store:
        report = audited(store, progress=watching, anchors=anchors)
    if json_wanted:
        meters = {link: show(meter) for link, meter in report.meters.items()}
        print_json({**msgspec.to_builtins(report), "meters": meters, "clean": report.is_clean})
    else:
        _print_audit(report)
    context.exit(0 if report.is_clean else 1)


def _anchors(file: Path) -> Mapping[str, Anchor]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return msgspec.convert(found.get("heads", found), dict[str, Anchor])
    except (OSError, ValueError, AttributeError):
        raise Wrong(f"{file}: that is no audit's JSON with its heads.") from None


def _print_audit(report: Audited) -> None:
    out = console()
    out.print(
        f"{counted(report.events, 'event')}, {counted(report.rounds, 'round')} at {counted(report.tables, 'table')}, "
        f"{counted(report.commands, 'command')} answered, {counted(report.entries, 'entry')} in "
        f"{counted(report.accounts, 'account')}.",
        soft_wrap=True,
    )
    if report.is_clean:
        says = "No difference: every hash, settlement, entry, balance, meter and deck is as the events say."
        out.print(says, soft_wrap=True)
        return
    for difference in report.differences[:_SHOWN]:
        out.print(f"DIFFERS  {difference}", soft_wrap=True)
    more = report.difference_count - min(len(report.differences), _SHOWN)
    out.print(f"{counted(report.difference_count, 'difference')}{f', {more:,} not shown' if more else ''}.")


def _export(url: str, target: Path, rounds: tuple[str, ...], json_wanted: bool) -> None:
    with _opened(url) as store:
        wanted = chosen(rounds)
        data = exported(store, wanted)
    try:
        with target.open("xb") as out:
            try:
                out.write(msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n")
                out.flush()
            except OSError:
                # Half a record is none, and it would stand in the way of the next one.
                target.unlink()
                raise
    except FileExistsError:
        raise Wrong(f"{target} exists already; nothing is overwritten.") from None
    except OSError as wrong:
        raise Wrong(f"{target}: {wrong.strerror}.") from None
    if json_wanted:
        print_json({"file": str(target), "rounds": [{"table": table, "round": number} for table, number in wanted]})
    else:
        click.echo(f"{counted(len(wanted), 'round')} {'is' if len(wanted) == 1 else 'are'} in {target}.")


# ---------------------------------------------------------------- backup and restore


@click.command()
@database
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@as_json
def backup(database: str, file: Path, json_wanted: bool) -> None:
    """Write the whole journal of one moment to FILE, while the house runs on.

    The file restores into either kind of database.
    """
    with watched("events", quiet=json_wanted, first="backing up") as watching, _opened(database) as store:
        done, total = 0, sum(int(str(row[1])) for row in store.rows("heads"))

        def step(count: int) -> None:
            nonlocal done
            done += count
            watching(done, max(total, done))

        counts = back_up(store, file, time.time_ns() // 1000, step)
    if json_wanted:
        print_json({"file": str(file), "rows": counts, "bytes": file.stat().st_size})
    else:
        click.echo(f"{counted(counts['records'], 'event')} and {counted(counts['answers'], 'answer')} are in {file}.")


@click.command()
@click.option("--database", required=True, metavar="URL", help="The empty one: sqlite:///FILE or postgresql://…")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@as_json
@click.pass_context
def restore(context: click.Context, database: str, file: Path, json_wanted: bool) -> None:
    """Put a backup FILE into an empty database, all of it or nothing, and audit it there."""
    with (
        watched("events", quiet=json_wanted, first="restoring") as watching,
        _opened(database, read_only=False, create=True) as store,
    ):
        counts = restored(file, store)
        report = audited(store, progress=watching)
    if json_wanted:
        print_json({"rows": counts, "clean": report.is_clean, "differences": msgspec.to_builtins(report.differences)})
    else:
        click.echo(f"Restored: {counted(counts['records'], 'event')}.")
        _print_audit(report)
    context.exit(0 if report.is_clean else 1)


# ---------------------------------------------------------------- figures


@click.command()
@database
@click.argument("link", default="main")
@click.option("--day", metavar="DATE", help="Also reconcile this day (UTC), as in 2026-11-15, or today.")
@as_json
@click.pass_context
def figures(context: click.Context, database: str, link: str, day: str | None, json_wanted: bool) -> None:
    """What a jackpot LINK has taken in, holds and has paid, and its last 25 hits.

    With --day, a reconciliation: opening + contributions + top-ups − paid = closing. The exit code is 1 where something
    does not add up.
    """
    span = None if day is None else day_of(_date(day))
    with _opened(database) as store:
        found = figures_of(store, link, span)
    if json_wanted:
        print_json(found)
    else:
        _print_figures(found)
    sound = found.conserved and found.ledger_agrees and (found.day is None or found.day.adds_up)
    context.exit(0 if sound else 1)


def _date(text: str) -> date:
    if text == "today":
        return datetime.now(UTC).date()
    try:
        found = date.fromisoformat(text)
        if found == date.max:
            raise ValueError  # a day ends with the next one's beginning
        return found
    except ValueError:
        raise Wrong(f"{text[:40]!r} is no day: write it as in 2026-11-15.") from None


def _print_figures(found: Figures) -> None:
    out = console()
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(justify="right")
    lines = {
        "Display": found.display,
        "In-meter (jackpot bets)": found.in_meter,
        "Contributed": found.contributed,
        "Seed": found.seeded,
        "House top-ups": found.top_ups,
        "Hidden reserve": found.reserve,
        "Overflow past the cap": found.overflow,
        "Paid from the meter": found.paid,
        "Hits": f"{found.hits:,}",
        "Wins": found.wins,
        "Awards waiting": str(found.pending),
        "Base value": found.base,
        "Increment, reserve rate": f"{found.increment}, {found.reserve_rate}",
        "Cap": found.cap or "none",
    }
    for name, value in lines.items():
        table.add_row(name, value)
    out.print(f"Link {found.link}{', closed' if found.closed else ''}")
    out.print(table)
    out.print(
        f"seed + contributions + top-ups = meter + reserve + overflow + paid: {'yes' if found.conserved else 'NO'}; "
        f"the ledger's pool holds {found.pool_account}: {'agrees' if found.ledger_agrees else 'DIFFERS'}.",
        soft_wrap=True,
    )
    if found.last_hits:
        hits = Table("time (UTC)", "table", "round", "box", "player", "hand", "amount", box=None, padding=(0, 1))
        for hit in found.last_hits:
            hits.add_row(
                hit.at[:19], hit.table, str(hit.round), str(hit.box), hit.player, hit.hand.replace("_", " "), hit.amount
            )
        out.print("Last hits, the newest first:")
        out.print(hits)
    for cause in found.adjustments:
        out.print(f"Corrected by {cause.amount} on {cause.at[:19]}, {cause.by} and {cause.second}: {cause.cause}")
    if found.day is not None:
        _print_day(found)


def _print_day(found: Figures) -> None:
    day, out = found.day, console()
    assert day is not None
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(justify="right")
    for name, value in (
        ("Opening meter", day.opening.meter),
        ("  reserve, overflow", f"{day.opening.reserve}, {day.opening.overflow}"),
        ("+ seed", day.seeded),
        ("+ contributions", day.contributions),
        ("− contributions returned", day.contributions_returned),
        ("+ House top-ups", day.top_ups),
        ("− paid", day.paid),
        ("= closing meter", day.closing.meter),
        ("  reserve, overflow", f"{day.closing.reserve}, {day.closing.overflow}"),
    ):
        table.add_row(name, value)
    out.print(f"From {day.since[:19]} to {day.until[:19]} UTC")
    out.print(table)
    out.print("The day adds up." if day.adds_up else "THE DAY DOES NOT ADD UP.")


@click.command("trial-balance")
@database
@as_json
@click.pass_context
def trial_balance(context: click.Context, database: str, json_wanted: bool) -> None:
    """Every account of the ledger; they sum to nothing."""
    with _opened(database) as store:
        found = balanced(store)
    if json_wanted:
        print_json(found)
    else:
        out = console()
        table = Table.grid(padding=(0, 2))
        table.add_column()
        table.add_column(justify="right")
        for account, amount in found.accounts.items():
            table.add_row(account, amount)
        out.print(table)
        out.print(
            f"Players {found.players}, layouts {found.layouts}, banks {found.banks}, links {found.links}, House "
            f"{found.house}, cash {found.cash}: together {found.sum}.",
            soft_wrap=True,
        )
    context.exit(0 if found.balances else 1)
