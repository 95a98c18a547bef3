"""Learn from scratch which Hands of 3 Card Poker to play: `python docs/examples/learn_three_card.py`.

The learner knows which Hand is higher than which, and nothing else: no odds, no pay table, no Dealer's rule. First it
plays Hands as they come and remembers what each came to. Then it looks where it is not sure: it asks for Hands that
might be worth more or less than the Ante that a fold costs, and plays those again and again until it is, or until it
has played as many Rounds as it may. It says how sure it is.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from typing import NamedTuple

import gymnasium
import numpy as np

import croupier.env
from croupier.cards import DECK, three_card

GAME = "rws-multilink-three-card"
FACES = "23456789TJQKA"
FOLD_COSTS = -1.0
SIGMAS = 4.0
"""Standard errors from the value of a fold at which a Hand counts as decided."""
AT_ONCE = 100_000


class Learned(NamedTuple):
    """What to play, and how sure that is."""

    lowest: int
    """The strength of the lowest Hand that is played."""
    rounds: int
    sure: bool
    """Both that Hand and the next lower one are decided."""
    worth: float
    error: float
    """What that Hand came to when it was played, in Antes."""


class Hands:
    """Every Hand there is, told apart by nothing but its strength; suits of odd cards do not matter."""

    def __init__(self) -> None:
        self.cards = np.array(list(combinations(range(len(DECK)), 3)))
        strengths = np.array([int(three_card(tuple(DECK[at] for at in hand))) for hand in self.cards])
        self.strengths, self.kind = np.unique(strengths, return_inverse=True)
        self._by_cards = np.zeros((len(DECK),) * 3, np.int64)
        self._by_cards[tuple(self.cards.T)] = self.kind

    def kinds_of(self, own: np.ndarray) -> np.ndarray:
        """Look up the kind of the own cards of each Round, as the environment shows them."""
        return self._by_cards[tuple(np.nonzero(own)[1].reshape(-1, 3).T)]

    def some(self, kinds: np.ndarray, count: int, chance: np.random.Generator) -> np.ndarray:
        """Draw this many Hands of these kinds."""
        fitting = np.flatnonzero(np.isin(self.kind, kinds))
        return self.cards[chance.choice(fitting, count)]


def learn(rounds: int, seed: int, at_once: int = AT_ONCE) -> Learned:
    """Learn from at most this many Rounds."""
    hands, chance = Hands(), np.random.default_rng(seed)
    env = gymnasium.make_vec(croupier.env.env_id(GAME), num_envs=at_once)
    kinds = len(hands.strengths)
    count, total, squares = np.zeros(kinds), np.zeros(kinds), np.zeros(kinds)
    options, played = None, 0
    while played < rounds:
        seen, _ = env.reset(seed=seed if played == 0 else None, options=options)
        _, rewards, *_ = env.step(np.full(at_once, croupier.env.BET))
        kind = hands.kinds_of(seen["own"])
        count += np.bincount(kind, minlength=kinds)
        total += np.bincount(kind, rewards, minlength=kinds)
        squares += np.bincount(kind, rewards**2, minlength=kinds)
        played += at_once
        if played < rounds // 20:
            continue
        unsure = undecided(count, total, squares)
        if not len(unsure):
            break
        options = {"own": hands.some(unsure, at_once, chance)}
    worth, error = found(count, total, squares)
    lowest = cut_off(count, total)
    sure = all(abs(worth[at] - FOLD_COSTS) > SIGMAS * error[at] for at in {lowest, max(lowest - 1, 0)})
    return Learned(int(hands.strengths[lowest]), played, sure, float(worth[lowest]), float(error[lowest]))


def found(count: np.ndarray, total: np.ndarray, squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute each kind's mean result and its standard error; a rare kind counts as uncertain."""
    several = np.maximum(count, 1)
    mean = total / several
    spread = np.where(count < 30, 4.0, squares / several - mean**2)
    return mean, np.sqrt(np.maximum(spread, 0.01) / several)


def undecided(count: np.ndarray, total: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """Find the kinds that may be worth more or less than a fold.

    A higher Hand is never worth less: so what lies above one that is surely played needs no look, nor what lies below
    one that is surely folded.
    """
    mean, error = found(count, total, squares)
    plays = np.flatnonzero(mean - SIGMAS * error > FOLD_COSTS)
    folds = np.flatnonzero(mean + SIGMAS * error < FOLD_COSTS)
    lowest_played = plays.min(initial=len(mean))
    highest_folded = folds.max(initial=-1)
    return np.arange(highest_folded + 1, lowest_played)


def cut_off(count: np.ndarray, total: np.ndarray) -> int:
    """Find the kind from which on playing has cost least, all Rounds together."""
    gained = np.cumsum((total - FOLD_COSTS * count)[::-1])[::-1]
    return int(np.argmax(gained))


def in_words(hand: int) -> str:
    """Name a Hand by its faces, as in "Q-6-4"."""
    return "-".join(FACES[(hand >> shift & 15) - 2] for shift in (16, 12, 8))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60_000_000, help="rounds to play at most")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    learned = learn(asked.rounds, asked.seed)
    print(f"After {learned.rounds:,} rounds: play {in_words(learned.lowest)} and anything higher.")
    says = "surely" if learned.sure else "not surely yet; more rounds would tell"
    print(f"Played, it comes to {learned.worth:+.4f} Antes, give or take {learned.error:.4f}; a fold to -1: {says}.")


if __name__ == "__main__":
    main()
