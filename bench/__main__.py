"""Measures this machine: `python -m bench [--json]`.

Full rounds of the engine alone, for each of the five games, against heads-up hands that PokerKit checks down; and round
scripts a second through `croupier replay --jsonl`. What is compared runs in turns within one process, so that a busy
machine slows both alike, and the ratio is taken turn by turn.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from statistics import median
from typing import NamedTuple

import pokerkit

from croupier.cards import Shoe, shuffled
from croupier.money import money
from croupier.rounds.commands import CloseBets, DecideHand, ExamineHand, OpenRound, PlaceBet, RoundCommand, TurnCards
from croupier.rounds.dealing import CardsToTurn, dealers_work
from croupier.rounds.decide import decide
from croupier.rounds.evolve import evolve
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Round, Stage, new_table
from croupier.rulebooks.books import GAMES
from croupier.rulebooks.terms import Terms, table_terms

TURNS, SECONDS_A_TURN = 7, 0.4
ENGINE_TARGET, REPLAY_TARGET = 10, 300
SCRIPTS = 3000

BETS = {
    "rws-multilink-holdem": ("ante", "bonus", "jackpot"),
    "rws-multilink-three-card": ("ante", "pair_plus", "jackpot"),
    "mbs-megalink-holdem": ("ante", "bonus", "jackpot"),
    "rws-progressive-holdem": ("ante", "bonus", "jackpot"),
    "sun-casino-holdem": ("ante", "jackpot"),
}
CHOICES = {
    "rws-multilink-three-card": ("play",),
    "sun-casino-holdem": ("call",),
}
AMOUNTS = {"ante": "10.00", "bonus": "5.00", "pair_plus": "5.00", "jackpot": "5.00"}


class Measured(NamedTuple):
    """One line of the report."""

    what: str
    a_second: float
    ratio: float | None
    """How many times PokerKit's hands, turn by turn."""


# ---------------------------------------------------------------- the engine alone


def engine(game: str) -> Callable[[], None]:
    """A function that plays one full round at one box: bets, deal, a look, decisions, settlement."""
    terms = table_terms(game)
    chance = random.Random(7)
    shoes = cycle([shuffled(chance.randrange) for _ in range(500)])
    commands = tuple(_commands(game))
    table = new_table(terms.boxes)

    def play_a_round() -> None:
        nonlocal table
        table = _play(terms, table, commands, next(shoes))

    return play_a_round


def _commands(game: str) -> Iterator[RoundCommand]:
    yield OpenRound()
    for bet in BETS[game]:
        yield PlaceBet(player="ana", box=1, bet=bet, amount=money(AMOUNTS[bet]))
    yield CloseBets()
    yield ExamineHand(player="ana", box=1)
    for choice in CHOICES.get(game, ("flop", "turn", "river")):
        yield DecideHand(box=1, choice=choice)


def _play(terms: Terms, state: Round, commands: tuple[RoundCommand, ...], shoe: Shoe) -> Round:
    for command in commands:
        state = _obey(terms, state, command)
        while (work := dealers_work(terms, state)) is not None:
            if isinstance(work, CardsToTurn):
                turned = {place: tuple(shoe[i] for i in ordinals) for place, ordinals in work.places.items()}
                state = _obey(terms, state, TurnCards(cards=turned))
            else:
                state = _obey(terms, state, work)
    assert state.stage is Stage.SETTLED
    return state


def _obey(terms: Terms, state: Round, command: RoundCommand) -> Round:
    verdict = decide(terms, state, command)
    assert not isinstance(verdict, Refusal), verdict
    for event in verdict:
        state = evolve(state, event)
    return state


# ---------------------------------------------------------------- PokerKit


def pokerkit_hand() -> None:
    """Two players at no-limit hold'em who check and call to the end; everything else is automated."""
    state = pokerkit.NoLimitTexasHoldem.create_state(tuple(pokerkit.Automation), True, 0, (1, 2), 2, (200, 200), 2)
    while state.status:
        state.check_or_call()


# ---------------------------------------------------------------- replay --jsonl


def replay_jsonl() -> float:
    """Round scripts a second through the command itself, its start included."""
    steps = [
        {"do": "open", "cards": {"community": "9c 9d 4h 3s 7d", "dealer": "Qs Jh", "1": "Kc Kd"}},
        *({"do": "bet", "player": "ana", "box": 1, "bet": bet, "amount": AMOUNTS[bet]} for bet in ("ante", "jackpot")),
        {"do": "close_bets"},
        {"do": "examine", "player": "ana", "box": 1},
        *({"do": "decide", "box": 1, "choice": choice} for choice in ("flop", "check", "river")),
    ]
    link = {"meter": "100000.00", "reset": "50000.00", "contribution": "0.20"}
    script = json.dumps({"jackpot": link, "tables": {"T1": {"game": GAMES[0]}}, "steps": steps})
    command = [sys.executable, "-m", "croupier", "replay", "--jsonl", "-"]
    started = time.perf_counter()
    done = subprocess.run(command, input=f"{script}\n" * SCRIPTS, capture_output=True, text=True, check=True)  # noqa: S603
    took = time.perf_counter() - started
    assert done.stdout.count('"settled"') == SCRIPTS
    return SCRIPTS / took


# ---------------------------------------------------------------- measuring


def rate(play: Callable[[], None], seconds: float) -> float:
    """How often a second this can be done, measured for about so long."""
    count = 0
    started = time.perf_counter()
    while (took := time.perf_counter() - started) < seconds:
        for _ in range(20):
            play()
        count += 20
    return count / took


def measure(turns: int, seconds: float) -> list[Measured]:
    """Every game and PokerKit in turns."""
    plays = {game: engine(game) for game in GAMES}
    rates: dict[str, list[float]] = {game: [] for game in GAMES}
    theirs: list[float] = []
    for play in (*plays.values(), pokerkit_hand):
        rate(play, seconds / 4)  # the first rounds fill caches
    for _ in range(turns):
        theirs.append(rate(pokerkit_hand, seconds))
        for game, play in plays.items():
            rates[game].append(rate(play, seconds))
    lines = [Measured("PokerKit, heads-up no-limit hand checked down", median(theirs), None)]
    for game, ours in rates.items():
        ratio = median(a / b for a, b in zip(ours, theirs, strict=True))
        lines.append(Measured(f"engine, {game}", median(ours), ratio))
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the speed of rounds on this machine.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"how often each is measured ({TURNS})")
    wanted = parser.parse_args()
    lines = measure(wanted.turns, SECONDS_A_TURN)
    scripts = replay_jsonl()
    slowest = min(line.ratio for line in lines if line.ratio is not None)
    if wanted.json:
        report = {
            "engine": [line._asdict() for line in lines],
            "slowest_ratio": slowest,
            "ratio_target": ENGINE_TARGET,
            "replay_jsonl_a_second": scripts,
            "replay_jsonl_target": REPLAY_TARGET,
        }
        print(json.dumps(report, indent=2))
        return
    print(f"{'full rounds or hands':52} {'a second':>10} {'× PokerKit':>11}")
    for line in lines:
        print(f"{line.what:52} {line.a_second:10,.0f} {'' if line.ratio is None else f'{line.ratio:.1f}':>11}")
    print(f"{'replay --jsonl, scripts of one box, start included':52} {scripts:10,.0f}")
    print(f"Targets: {ENGINE_TARGET} × PokerKit for every game, {REPLAY_TARGET} scripts a second.")
    print("A round here has three bets, a look at the hand, every decision and the settlement with its reasons.")


if __name__ == "__main__":
    main()
