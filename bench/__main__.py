"""Measures this machine: `python -m bench [--json]`.

Full rounds of the engine alone, for each of the five games, against heads-up hands that PokerKit checks down; and round
scripts a second through `croupier replay --jsonl`. What is compared runs in turns within one process, so that a busy
machine slows both alike, and the ratio is taken turn by turn.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from statistics import median
from typing import NamedTuple

import pokerkit

from croupier.cli.bench import rate, whole_rounds
from croupier.rulebooks.documents.editions import GAMES

TURNS, SECONDS_A_TURN = 7, 0.4
ENGINE_TARGET, REPLAY_TARGET = 20, 4000
SCRIPTS = 3000

AMOUNTS = {"ante": "10.00", "jackpot": "5.00"}


class Measured(NamedTuple):
    """One line of the report."""

    what: str
    a_second: float
    ratio: float | None
    """How many times PokerKit's hands, turn by turn."""


# ---------------------------------------------------------------- PokerKit


def pokerkit_hand() -> None:
    """Play a no-limit hold'em hand of two players who check and call to the end; the rest is automated."""
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


def measure(turns: int, seconds: float) -> list[Measured]:
    """Measure every game and PokerKit in turns."""
    plays = {game: whole_rounds(game) for game in GAMES}
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
