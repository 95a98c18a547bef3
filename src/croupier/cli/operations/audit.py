"""`audit`, `figures` and `trial-balance`: what a journal says, checked."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import click
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from rich.table import Table

from croupier.cli.operations.backup_keys import archive_keys, opening_options, restored_aside
from croupier.cli.terminal.cores import available_cores
from croupier.cli.terminal.errors import Wrong, reported
from croupier.cli.terminal.output import as_json, console, counted, print_json
from croupier.cli.terminal.paths import EXISTING_FILE, FILE, FOLDER, write_new
from croupier.cli.terminal.progress import watched
from croupier.floor.audit.audit import Audited
from croupier.floor.audit.audit import audit as audited
from croupier.floor.audit.checkpoint_check import Testimony
from croupier.floor.audit.findings import Findings
from croupier.floor.audit.milestone import Milestone, read_milestone, signed_milestone
from croupier.floor.backups.archive import audit_with_archives, put_together
from croupier.floor.backups.backup import BadBackup
from croupier.floor.backups.encryption import Identity, Passphrase
from croupier.floor.duties.permissions import Post
from croupier.floor.history.export import AUDITOR, BadChoice, chosen, exported
from croupier.floor.history.link_figures import Figures, day_of
from croupier.floor.history.link_figures import figures as figures_of
from croupier.floor.history.link_figures import trial_balance as balanced
from croupier.floor.history.qr_code import qr_text
from croupier.floor.house.witness import moment_of, signing_key
from croupier.floor.people.directory import Directory
from croupier.floor.people.people import Person
from croupier.floor.records.keys import keys_at_hand
from croupier.floor.server.settings import Settings
from croupier.journal.checkpoint import Anchor, BadCheckpoint, Checkpoint, checkpoints_in, public_key
from croupier.journal.records import ChainBroken
from croupier.journal.sqlite import sqlite_path
from croupier.journal.store import Store, StoreError
from croupier.journal.store_address import open_store
from croupier.money import show

database = click.option(
    "--database",
    default=Settings().database,
    envvar="CROUPIER_DATABASE",
    show_default=True,
    metavar="URL",
    help="The journal: sqlite:///FILE or postgresql://user@host/name.",
)
_WORTH_PROCESSES = 50_000
"""Events from which on several processes are faster than one."""
_SHOWN = 20
"""Most differences that are printed; --json has more."""


@contextmanager
def opened(url: str, *, read_only: bool = True, create: bool = False) -> Iterator[Store]:
    """Open the store at an address; report an unusable one in one line."""
    with (
        reported(StoreError, BadBackup, BadChoice, ChainBroken),
        closing(open_store(url, create=create, read_only=read_only)) as store,
    ):
        yield store


# ---------------------------------------------------------------- audit


@click.command()
@database
@click.option("--export", "target", type=FILE, help="Write a record of chosen rounds, for croupier verify, instead.")
@click.option("--rounds", multiple=True, metavar="T1:5-9", help="With --export: a table and its rounds.")
@click.option("--for", "player", metavar="PLAYER", help="With --export: leave out cards that this player has not seen.")
@click.option("--heads", type=EXISTING_FILE, help="Compare the journal with an earlier audit's --json, kept elsewhere.")
@click.option(
    "--witness",
    "witnesses",
    multiple=True,
    type=EXISTING_FILE,
    help="Compare the journal with the checkpoints of a witness; of several servers, name the file of each. With "
    "--export, prove the rounds against them.",
)
@click.option(
    "--witness-key",
    "keys",
    multiple=True,
    metavar="HEX",
    help="The public key that must have signed them; without it, the key of the first checkpoint is taken.",
)
@click.option("--backup", "from_backup", type=EXISTING_FILE, help="Audit a backup, restored aside, not a database.")
@click.option("--archive", type=FOLDER, help="Follow archived rounds too: the folder of croupier archive.")
@click.option(
    "--resume",
    type=FILE,
    help="Judge only what is new since the clean audit that is signed in this file, then sign this one there. The "
    "first audit makes the file, and its key beside it (FILE-key).",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    metavar="N",
    help="How many processes share the tables; without it, one for each core, and one alone for a small journal.",
)
@opening_options
@as_json
@click.pass_context
def audit(
    context: click.Context,
    database: str,
    target: Path | None,
    rounds: tuple[str, ...],
    player: str | None,
    heads: Path | None,
    witnesses: tuple[Path, ...],
    keys: tuple[str, ...],
    from_backup: Path | None,
    archive: Path | None,
    resume: Path | None,
    processes: int | None,
    passphrase_file: Path | None,
    identity: tuple[Path, ...],
    json_wanted: bool,
) -> None:
    """Compute a journal again from its events alone, and say what differs.

    Every hash, settlement, award, entry, balance, meter, deck and answer is recomputed, on a consistent view while the
    house runs on. A journal alone proves that it agrees with itself; with --witness it is also held against what was
    signed outside it. The exit code is 1 where anything differs.
    """
    if (target is None) != (not rounds):
        raise Wrong("--export and --rounds go together.")
    if target is not None and from_backup is not None:
        raise Wrong("--export reads a database: restore the backup first.")
    if target is not None:
        with ExitStack() as open_things:
            if archive is not None:
                openers = archive_keys(archive, passphrase_file, identity)
                database = open_things.enter_context(_put_together(database, archive, openers))
            _export(database, target, rounds, player, witnesses, json_wanted)
        return
    if player is not None:
        raise Wrong("--for goes with --export.")
    if resume is not None and (archive is not None or from_backup is not None):
        raise Wrong("--resume reads the database of a house: leave out --archive and --backup.")
    anchors = {} if heads is None else _anchors(heads)
    nameless = False
    with ExitStack() as open_things:
        if from_backup is not None:
            database, manifest = open_things.enter_context(restored_aside(from_backup, passphrase_file, identity))
            nameless = manifest.nameless
        watching = open_things.enter_context(watched("events", quiet=json_wanted, first="auditing"))
        store = open_things.enter_context(opened(database))
        testimony = Testimony(_checkpoints(witnesses), _keys(keys))
        opening = keys_at_hand(database, os.environ)
        milestones = None if resume is None else _Milestones(resume)
        if archive is None:
            report = audited(
                store,
                progress=watching,
                anchors=anchors,
                testimony=testimony,
                keys=opening,
                nameless=nameless,
                processes=processes or _processes(store),
                milestone=None if milestones is None else milestones.last,
                keep=None if milestones is None else milestones.keep,
            )
        else:
            openers = archive_keys(archive, passphrase_file, identity)
            report = audit_with_archives(
                store,
                archive,
                openers,
                progress=watching,
                anchors=anchors,
                testimony=testimony,
                keys=opening,
                processes=processes or _processes(store),
            )
    if json_wanted:
        meters = {link: show(meter) for link, meter in report.meters.items()}
        print_json({**msgspec.to_builtins(report), "meters": meters, "clean": report.is_clean})
    else:
        if milestones is not None and milestones.last is not None:
            click.echo(f"Audited before: {counted(milestones.last.events, 'event')}, at {milestones.moment}.")
        print_audit(report)
    context.exit(0 if report.is_clean else 1)


@contextmanager
def _put_together(url: str, folder: Path, openers: Sequence[Passphrase | Identity]) -> Iterator[str]:
    """Give the address of a temporary database with the archives of this folder put back."""
    findings = Findings()
    with opened(url) as store, put_together(store, folder, openers, findings) as whole:
        if whole is None or findings.kept:
            raise Wrong(str(findings.kept[0]))
        yield whole.url


class _Milestones:
    """The file with the last milestone, and the key that signs it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._key = signing_key(Path(f"{file}-key"))
        self.last: Milestone | None = None
        if file.exists():
            try:
                self.last = read_milestone(file.read_bytes(), self._key)
            except (OSError, BadCheckpoint) as wrong:
                raise Wrong(f"{file}: {wrong} Move it away to audit everything again.") from None

    @property
    def moment(self) -> str:
        """When the last audit ended."""
        at = 0 if self.last is None else self.last.at
        return f"{datetime.fromtimestamp(at // 10**6, UTC):%Y-%m-%d %H:%M:%S} UTC"

    def keep(self, milestone: Milestone) -> None:
        """Sign where the next audit goes on, in the place of the last one."""
        now = int(datetime.now(UTC).timestamp() * 1_000_000)
        beside = self._file.with_name(f"{self._file.name}.new")
        beside.write_bytes(signed_milestone(msgspec.structs.replace(milestone, at=now), self._key))
        beside.replace(self._file)


def _processes(store: Store) -> int:
    """Return how many processes an audit of this journal is worth."""
    newest = store.newest()
    is_small = newest is None or newest.position < _WORTH_PROCESSES
    return 1 if is_small else available_cores()


def _anchors(file: Path) -> Mapping[str, Anchor]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return msgspec.convert(found.get("heads", found), dict[str, Anchor])
    except (OSError, ValueError, AttributeError):
        raise Wrong(f"{file} is not the JSON of an audit with its heads.") from None


def _checkpoints(files: tuple[Path, ...]) -> list[Checkpoint]:
    found = []
    for file in files:
        here = checkpoints_in(file.read_bytes())
        if not here:
            raise Wrong(f"{file} has no checkpoint in it.")
        found += here
    return found


def _keys(texts: tuple[str, ...]) -> list[Ed25519PublicKey]:
    try:
        return [public_key(text) for text in texts]
    except BadCheckpoint as wrong:
        raise Wrong(f"--witness-key: {wrong}") from None


def print_audit(report: Audited) -> None:
    """Print what was read, and the first differences."""
    out = console()
    out.print(
        f"{counted(report.events, 'event')}, {counted(report.rounds, 'round')} at {counted(report.tables, 'table')}, "
        f"{counted(report.commands, 'command')} answered, {counted(report.entries, 'entry')} in "
        f"{counted(report.accounts, 'account')}.",
        soft_wrap=True,
    )
    if report.archived:
        left = counted(sum(report.archived.values()), "event")
        where = counted(len(report.archived), "table")
        says = f"Not seen: {left} of {where} that are in archives; name their folder with --archive."
        out.print(says, soft_wrap=True)
    if report.sealed:
        out.print(f"Not opened: {counted(report.sealed, 'deck')} in play, sealed with a key that is not here.")
    if report.unseen:
        looked = f"{counted(report.unseen, 'hand')} of rounds in play, at which players have looked"
        out.print(f"Not judged: the cards of {looked}. Audit with the key, or after the rounds.", soft_wrap=True)
    if report.is_clean:
        says = "No difference: every hash, settlement, entry, balance, meter and deck is as the events say."
        out.print(says, soft_wrap=True)
        return
    for difference in report.differences[:_SHOWN]:
        out.print(f"DIFFERS  {difference}", soft_wrap=True)
    more = report.difference_count - min(len(report.differences), _SHOWN)
    out.print(f"{counted(report.difference_count, 'difference')}{f', {more:,} not shown' if more else ''}.")


def _export(
    url: str,
    target: Path,
    rounds: tuple[str, ...],
    player: str | None,
    witnesses: tuple[Path, ...],
    json_wanted: bool,
) -> None:
    with opened(url) as store:
        wanted = chosen(rounds)
        directory = Directory({row.person: row for row in store.names()})
        reader = AUDITOR if player is None else Person(directory.id_of(player) or player, Post.PLAYER, "")
        data = exported(store, wanted, reader, witnesses[0] if witnesses else None)
    write_new(target, msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n")
    if json_wanted:
        print_json({"file": str(target), "rounds": [{"table": table, "round": number} for table, number in wanted]})
    else:
        click.echo(f"{counted(len(wanted), 'round')} {'is' if len(wanted) == 1 else 'are'} in {target}.")


# ---------------------------------------------------------------- figures


@click.command()
@database
@click.argument("link", default="main")
@click.option("--day", metavar="DATE", help="Also reconcile this day (UTC), as in 2026-11-15, or today.")
@click.option(
    "--witness",
    type=EXISTING_FILE,
    help="Put the day's last checkpoint of this witness on its report, as a QR code; FILE.witness beside SQLite.",
)
@as_json
@click.pass_context
def figures(
    context: click.Context, database: str, link: str, day: str | None, witness: Path | None, json_wanted: bool
) -> None:
    """Print what a jackpot LINK has taken in, holds and has paid, and its last 25 hits.

    With --day, a reconciliation: opening + contributions + top-ups − paid − set aside = closing. The exit code is 1
    where something does not add up.
    """
    span = None if day is None else day_of(read_date(day))
    with opened(database) as store:
        found = figures_of(store, link, span)
    checkpoint = None if span is None else _checkpoint_of(witness or witness_beside(database), span[1])
    if json_wanted:
        shown = None if checkpoint is None else msgspec.to_builtins(checkpoint.published)
        print_json({**msgspec.to_builtins(found), "checkpoint": shown})
    else:
        _print_figures(found)
        if checkpoint is not None:
            _print_checkpoint(checkpoint)
    sound = found.conserved and found.ledger_agrees and (found.day is None or found.day.adds_up)
    context.exit(0 if sound else 1)


def witness_beside(url: str) -> Path | None:
    """Return the default checkpoint file of a SQLite house; None where it does not exist."""
    beside = Path(f"{sqlite_path(url)}.witness") if url.startswith("sqlite:") else None
    return beside if beside is not None and beside.is_file() else None


def _checkpoint_of(witness: Path | None, until: int) -> Checkpoint | None:
    """Return the last checkpoint that was signed before a moment."""
    signed = () if witness is None else (one for one in _checkpoints((witness,)) if one.says().at < until)
    return max(signed, key=lambda one: (one.says().at, one.says().number), default=None)


def _print_checkpoint(checkpoint: Checkpoint) -> None:
    """Print the last signed checkpoint, to be kept on paper as evidence of the journal."""
    out, said = console(), checkpoint.says()
    out.print(f"Checkpoint {said.number} of server {said.server}, {moment_of(checkpoint)}: {said.records:,} events")
    out.print(f"  key {checkpoint.key}", soft_wrap=True)
    out.print(f"  SHA-256 of its statement {checkpoint.hash}", soft_wrap=True)
    click.echo(qr_text(msgspec.json.encode(checkpoint.published).decode()))


def read_date(text: str) -> date:
    """Parse a day such as 2026-11-15, or today."""
    if text == "today":
        return datetime.now(UTC).date()
    try:
        found = date.fromisoformat(text)
        if found == date.max:
            raise ValueError  # a day ends with the next one's beginning
        return found
    except ValueError:
        raise Wrong(f"{text[:40]!r} is not a day: write it as in 2026-11-15.") from None


def _print_figures(found: Figures) -> None:
    out = console()
    lines = {
        "Display": found.display,
        "In-meter (jackpot bets)": found.in_meter,
        "Contributed": found.contributed,
        "Seed": found.seeded,
        "House top-ups": found.top_ups,
        "Corrections": found.corrections,
        "Hidden reserve": found.reserve,
        "Overflow past the cap": found.overflow,
        "Locked for awards": found.locked,
        "Paid from the meter": found.paid,
        "Hits": f"{found.hits:,}",
        "Wins": found.wins,
        "Awards waiting": str(found.pending),
        "Base value": found.base,
        "Increment, reserve rate": f"{found.increment}, {found.reserve_rate}",
        "Cap": found.cap or "none",
    }
    out.print(f"Link {found.link}{', closed' if found.closed else ''}")
    out.print(_two_columns(lines.items()))
    out.print(
        f"seed + contributions + top-ups + corrections = meter + reserve + overflow + locked + paid: "
        f"{'yes' if found.conserved else 'NO'}; "
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


def _two_columns(lines: Iterable[tuple[str, str]], style: str = "dim") -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style=style)
    table.add_column(justify="right")
    for line in lines:
        table.add_row(*line)
    return table


def _print_day(found: Figures) -> None:
    day, out = found.day, console()
    assert day is not None
    lines = (
        ("Opening meter", day.opening.meter),
        ("  reserve, overflow, locked", f"{day.opening.reserve}, {day.opening.overflow}, {day.opening.locked}"),
        ("+ seed", day.seeded),
        ("+ contributions", day.contributions),
        ("− contributions returned", day.contributions_returned),
        ("+ House top-ups", day.top_ups),
        ("+ corrections of the meter", day.corrections),
        ("− paid", day.paid),
        ("− into reserve, overflow, locked", day.aside),
        ("= closing meter", day.closing.meter),
        ("  reserve, overflow, locked", f"{day.closing.reserve}, {day.closing.overflow}, {day.closing.locked}"),
    )
    out.print(f"From {day.since[:19]} to {day.until[:19]} UTC")
    out.print(_two_columns(lines))
    out.print("The day adds up." if day.adds_up else "THE DAY DOES NOT ADD UP.")


@click.command("trial-balance")
@database
@as_json
@click.pass_context
def trial_balance(context: click.Context, database: str, json_wanted: bool) -> None:
    """Print every account of the ledger; they sum to zero."""
    with opened(database) as store:
        found = balanced(store)
    if json_wanted:
        print_json(found)
    else:
        out = console()
        out.print(_two_columns(found.accounts.items(), style=""))
        out.print(
            f"Players {found.players}, layouts {found.layouts}, banks {found.banks}, links {found.links}, House "
            f"{found.house}, cash {found.cash}: together {found.sum}.",
            soft_wrap=True,
        )
    context.exit(0 if found.balances else 1)
