"""How fast the simulator plays, side by side with RLCard and PokerKit: `python -m bench.simulator`.

RLCard plays limit hold'em with two random agents, PokerKit a heads-up hand that is checked down: the two libraries that
people play hold'em in Python with. Ours plays whole rounds of each game by exact decisions, settles every bet and looks
at every award. Everything on one core, in turns, the best turn of each; then two workers against one.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np

from croupier.lab.kernels.runtime.compiler import zeros
from croupier.lab.model.game import game
from croupier.lab.simulator import decision_tables, jobs
from croupier.lab.simulator.jobs import SHARD, Job
from croupier.lab.simulator.runner import run, threads
from croupier.lab.simulator.strategies import OPTIMAL, named
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.terms import table_terms

TURNS = 8
WANTED = {"RLCard": (300, 1_300), "PokerKit": (5_000, 25_000)}
"""Times as fast: the least, and the goal."""
TWO_WORKERS = 1.7


def rlcard(hands: int) -> None:
    """Play limit hold'em with random agents, in RLCard's own loop."""
    import rlcard as library  # noqa: PLC0415 - only this bench needs it
    from rlcard.agents import RandomAgent  # noqa: PLC0415

    env = library.make("limit-holdem", config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    for _ in range(hands):
        env.run(is_training=False)


def pokerkit(hands: int) -> None:
    """Play heads up, everything dealt and checked down by PokerKit's automations."""
    from pokerkit import Automation, FixedLimitTexasHoldem  # noqa: PLC0415

    automations = (
        Automation.ANTE_POSTING,
        Automation.BET_COLLECTION,
        Automation.BLIND_OR_STRADDLE_POSTING,
        Automation.CARD_BURNING,
        Automation.HOLE_DEALING,
        Automation.BOARD_DEALING,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
        Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING,
        Automation.CHIPS_PULLING,
    )
    for _ in range(hands):
        state = FixedLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, 4, (200, 200), 2)
        while state.status:
            state.check_or_call()


class Ours:
    """One game on one core."""

    def __init__(self, name: str) -> None:
        self.game = game(table_terms(name))
        self.table = decision_tables.table(self.game, named(self.game, OPTIMAL))
        self.counts = zeros(jobs.size(self.game))
        self.next = 0
        self(1_000)

    def __call__(self, rounds: int) -> None:
        jobs.play_rounds(self.game, self.table, 1, self.next, self.next + rounds, self.counts)
        self.next += rounds


def rate(play: Callable[[int], None], count: int) -> float:
    """Return hands or rounds a second, measured once."""
    started = time.perf_counter()
    play(count)
    return count / (time.perf_counter() - started)


def best(plays: dict[str, tuple[Callable[[int], None], int]]) -> dict[str, float]:
    """Return the best of several turns, every player in each turn, so that a busy moment meets all alike."""
    found = dict.fromkeys(plays, 0.0)
    for _ in range(TURNS):
        for name, (play, count) in plays.items():
            found[name] = max(found[name], rate(play, count))
    return found


def two_against_one(name: str) -> tuple[float, float]:
    """Return rounds a second of one worker and of two, in turns."""
    known = game(table_terms(name))
    job = Job(name, named(known, OPTIMAL), 1)
    jobs.prepare(jobs.encode(job))

    def play(workers: int) -> Callable[[int], None]:
        def rounds(count: int) -> None:
            with threads(workers) as hands:
                run(job, hands, rounds=count)

        return rounds

    found = best({str(workers): (play(workers), 32 * SHARD) for workers in (1, 2)})
    return found["1"], found["2"]


def main() -> None:
    """Print the rates, and whether they meet their targets."""
    random.seed(1)
    np.random.seed(1)  # RLCard's agents draw from it
    ours = {name: Ours(name) for name in GAMES}
    others = {"RLCard": (rlcard, 300), "PokerKit": (pokerkit, 60)}
    for play, _ in others.values():
        play(1)  # imported before the clock runs
    found = best({**{name: (play, 4 * SHARD) for name, play in ours.items()}, **others})
    print("Hands or rounds a second on one core:")
    for name, each in found.items():
        print(f"  {name:<28}{each:>14,.0f}")
    slowest = min(found[name] for name in GAMES)
    for name, (least, goal) in WANTED.items():
        times = slowest / found[name]
        says = "goal reached" if times >= goal else "enough" if times >= least else "TOO SLOW"
        print(f"The slowest game is {times:,.0f} times {name}; wanted {least:,}, goal {goal:,}: {says}.")
    one, two = two_against_one("rws-multilink-holdem")
    says = "enough" if two >= TWO_WORKERS * one else "TOO SLOW"
    print(f"Two workers: {two:,.0f} rounds a second, {two / one:.2f} times one; wanted {TWO_WORKERS}: {says}.")


if __name__ == "__main__":
    main()
