"""`bench`: how fast this installation is on this machine and this disk."""

from __future__ import annotations

import platform
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from statistics import median

import click
import msgspec
from rich.table import Table

from croupier.cards import Shoe, shuffled
from croupier.cli.terminal.cores import available_cores
from croupier.cli.terminal.errors import Wrong
from croupier.cli.terminal.numbers import Number
from croupier.cli.terminal.output import as_json, console, print_json
from croupier.cli.terminal.progress import watched
from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import StoreError
from croupier.rounds.commands import CloseBets, DecideHand, ExamineHand, OpenRound, PlaceBet, RoundCommand, TurnCards
from croupier.rounds.dealing import CardsToTurn, dealers_work
from croupier.rounds.decide import decide
from croupier.rounds.evolve import evolve
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Round, Stage, new_table
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.terms import Terms, table_terms
from croupier.rulebooks.vocabulary import BetKind, Decision
from croupier.testing.load import TABLES, bare_commits, through_the_writer

PARTS = ("rounds", "disk", "lab", "simulator")
COMPILED = ("lab", "simulator")
"""Parts that need numba."""
TURNS = 5
"""Measurements of each figure; the median counts."""

Step = tuple[str, Callable[[float], list["Measured"]]]
"""What is measured next, in words, and how."""


class Measured(msgspec.Struct, frozen=True):
    """One figure."""

    part: str
    what: str
    value: float
    unit: str


@click.command()
@click.option("--only", type=click.Choice(PARTS), multiple=True, help="Measure this part; may be given again.")
@click.option("--seconds", type=Number(0.01, 60), default=0.4, show_default=True, help="For each turn.")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder on the disk that is to be measured; a temporary one without it.",
)
@as_json
def bench(only: Sequence[str], seconds: float, folder: Path | None, json_wanted: bool) -> None:
    """Measure this machine: whole rounds of the engine, durable commands on the disk, exact solving, simulation.

    Timings of a busy machine are noisy. Figures that are compared are measured in turns, and the ratio is taken turn by
    turn. Without numba, of the extra [lab], solving and simulation are left out.
    """
    parts, left_out = _installed(tuple(dict.fromkeys(only)))
    with tempfile.TemporaryDirectory(prefix="croupier-bench-", dir=folder) as scratch:
        steps = [step for part in parts for step in _STEPS[part](Path(scratch))]
        found = _measured(steps, seconds, quiet=json_wanted)
    if json_wanted:
        print_json({"machine": _machine(), "measured": found, "left_out": left_out})
    else:
        _print(found)
        if left_out:
            told = f"Left out: {' and '.join(left_out)}, because numba is not installed. {_INSTALL}"
            console().print(told, soft_wrap=True)


_INSTALL = "Install croupier with its extra [lab]."


def _installed(asked: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the parts to measure, and those left out because numba is not installed."""
    if find_spec("numba") is not None:
        return asked or PARTS, ()
    for part in asked:
        if part in COMPILED:
            raise Wrong(f"--only {part} needs numba. {_INSTALL}")
    return asked or tuple(part for part in PARTS if part not in COMPILED), () if asked else COMPILED


def _measured(steps: Sequence[Step], seconds: float, *, quiet: bool) -> list[Measured]:
    found: list[Measured] = []
    with watched("figures", quiet=quiet, first="measuring") as watching:
        for done, (name, measure) in enumerate(steps):
            watching(done, len(steps), f"measuring {name}")
            found += measure(seconds)
    return found


def _machine() -> dict[str, str | int]:
    return {
        "cores": available_cores(),
        "system": platform.system(),
        "processor": platform.machine(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }


def _print(found: Sequence[Measured]) -> None:
    machine = _machine()
    print_to = console()
    print_to.print(
        f"{machine['cores']} cores, {machine['system']} on {machine['processor']}, Python {machine['python']}, "
        f"SQLite {machine['sqlite']}"
    )
    table = Table("measured", "", "", box=None, pad_edge=False)
    table.columns[1].justify = "right"
    for each in found:
        table.add_row(each.what, f"{each.value:,.3g}" if each.value < 100 else f"{each.value:,.0f}", each.unit)
    print_to.print(table)


# ---------------------------------------------------------------- the engine


def whole_rounds(game: str) -> Callable[[], None]:
    """Return a function that plays one round at one box: every bet, a look, every decision, the settlement."""
    terms = table_terms(game)
    chance = random.Random(7)  # noqa: S311  a measurement, no deal
    shoes = cycle([shuffled(chance.randrange) for _ in range(500)])
    commands = tuple(_commands(terms))
    table = new_table(terms.boxes)

    def play_a_round() -> None:
        nonlocal table
        table = _play(terms, table, commands, next(shoes))

    return play_a_round


def _commands(terms: Terms) -> Iterator[RoundCommand]:
    yield OpenRound()
    for bet in terms.book.bets:
        if bet.kind in (BetKind.ENTRY, BetKind.SIDE, BetKind.JACKPOT):
            amount = terms.jackpot_bet if bet.kind is BetKind.JACKPOT else terms.limits[bet.name].minimum
            if amount is not None:
                yield PlaceBet(player="ana", box=1, bet=bet.name, amount=amount)
    yield CloseBets()
    yield ExamineHand(player="ana", box=1)
    for step in terms.dealing.steps:
        if isinstance(step, Decision):
            yield DecideHand(box=1, choice=step.bet)


def _play(terms: Terms, state: Round, commands: tuple[RoundCommand, ...], shoe: Shoe) -> Round:
    for command in commands:
        state = _obey(terms, state, command)
        while (work := dealers_work(terms, state)) is not None:
            if type(work) is CardsToTurn:
                turned = {place: tuple([shoe[i] for i in ordinals]) for place, ordinals in work.places.items()}
                state = _obey(terms, state, TurnCards(cards=turned))
            else:
                state = _obey(terms, state, work)
    assert state.stage is Stage.SETTLED
    return state


def _obey(terms: Terms, state: Round, command: RoundCommand) -> Round:
    verdict = decide(terms, state, command)
    assert type(verdict) is not Refusal, verdict
    for event in verdict:
        state = evolve(state, event)
    return state


def rate(play: Callable[[], None], seconds: float, at_once: int = 20) -> float:
    """Return how often a second this can be done, measured for about `seconds`; read the clock after `at_once`."""
    count = 0
    started = time.perf_counter()
    while (took := time.perf_counter() - started) < seconds:
        for _ in range(at_once):
            play()
        count += at_once
    return count / took


def _rounds(_scratch: Path) -> Iterator[Step]:
    for name in GAMES:

        def measure(seconds: float, name: str = name) -> list[Measured]:
            play = whole_rounds(name)
            rate(play, seconds / 4)  # the first rounds fill caches
            a_second = median(rate(play, seconds) for _ in range(TURNS))
            return [Measured("rounds", f"engine, {name}", a_second, "rounds a second")]

        yield f"rounds of {name}", measure


# ---------------------------------------------------------------- the disk


def _disk(scratch: Path) -> Iterator[Step]:
    def measure(seconds: float) -> list[Measured]:
        try:
            with (
                through_the_writer(SqliteStore(f"sqlite:///{scratch / 'house.db'}")) as house,
                bare_commits(SqliteStore(f"sqlite:///{scratch / 'bare.db'}")) as bare,
            ):
                for run in (house, bare):
                    run(seconds / 4)
                turns = [(house(seconds), bare(seconds)) for _ in range(TURNS)]
        except StoreError as wrong:
            raise Wrong(str(wrong)) from None
        ours, theirs = (median(column) for column in zip(*turns, strict=True))
        ratio = median(a / b for a, b in turns)
        return [
            Measured("disk", f"durable commands, {TABLES} busy tables", ours, "a second"),
            Measured("disk", "bare commits of the same rows, with the same log", theirs, "a second"),
            Measured("disk", "durable commands beside bare commits", ratio, "times"),
        ]

    yield "durable commands", measure


# ---------------------------------------------------------------- the lab and the simulator


def _lab(_scratch: Path) -> Iterator[Step]:
    for name in GAMES:

        def measure(seconds: float, name: str = name) -> list[Measured]:
            turns = 3 if seconds >= 0.1 else 1  # each is a process of its own
            _analyzed(name)  # the first one compiles, and keeps what it counted
            solving = median(_analyzed(name, "--fresh")[1] for _ in range(turns))
            answered = median(_analyzed(name)[0] for _ in range(turns))
            return [
                Measured("lab", f"every deal counted, {name}", solving, "seconds"),
                Measured("lab", f"croupier analyze {name}", answered, "seconds"),
            ]

        yield f"the solving of {name}", measure


def _analyzed(game: str, *options: str) -> tuple[float, float]:
    """Return the seconds of the whole command, and those that it reports for solving."""
    command = [sys.executable, "-m", "croupier", "analyze", game, "--json", *options]
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603  our own
    took = time.perf_counter() - started
    return took, msgspec.json.decode(done.stdout, type=_Analyzed).seconds


class _Analyzed(msgspec.Struct):
    seconds: float


def _simulator(_scratch: Path) -> Iterator[Step]:
    for name in GAMES:

        def measure(seconds: float, name: str = name) -> list[Measured]:
            from croupier.lab.model.game import game  # noqa: PLC0415  numba is loaded only here
            from croupier.lab.simulator import jobs  # noqa: PLC0415
            from croupier.lab.simulator.runner import run, threads  # noqa: PLC0415
            from croupier.lab.simulator.strategies import OPTIMAL, named  # noqa: PLC0415

            job = jobs.Job(name, named(game(table_terms(name)), OPTIMAL), 1)
            jobs.prepare(jobs.encode(job))
            with threads(1) as hand:

                def play() -> None:
                    run(job, hand, rounds=jobs.SHARD)

                play()
                a_second = median(rate(play, seconds, at_once=1) for _ in range(TURNS)) * jobs.SHARD
            return [Measured("simulator", f"simulated, {name}", a_second, "rounds a second")]

        yield f"the simulation of {name}", measure


_STEPS: dict[str, Callable[[Path], Iterator[Step]]] = {
    "rounds": _rounds,
    "disk": _disk,
    "lab": _lab,
    "simulator": _simulator,
}
