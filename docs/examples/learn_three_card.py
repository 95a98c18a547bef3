"""Learn from scratch which Hands of 3 Card Poker to play: `python docs/examples/learn_three_card.py`.

The learner knows that a higher Hand is never worth less, and nothing else. It plays every Hand, remembers what it came
to, and plays in the end whatever has been worth more than the Ante that a fold costs.
"""

from __future__ import annotations

import argparse
from bisect import bisect_left

import gymnasium
import numpy as np

import croupier.env
from croupier.cards import DECK, three_card

GAME = "rws-multilink-three-card"
FACES = "23456789TJQKA"


def strength(own: np.ndarray) -> int:
    """How high a Hand is, by the game's own ranking; suits of odd cards do not matter."""
    return int(three_card(tuple(DECK[at] for at in np.flatnonzero(own))))


def experience(rounds: int, seed: int) -> tuple[list[int], list[float]]:
    """Hands that were played, and what each came to."""
    env = gymnasium.make(croupier.env.env_id(GAME)).unwrapped
    hands, rewards = [], []
    for number in range(rounds):
        seen, _ = env.reset(seed=seed if number == 0 else None)
        hands.append(strength(seen["own"]))
        _, reward, _, _, _ = env.step(np.int64(croupier.env.BET))
        rewards.append(reward)
    return hands, rewards


def never_falling(values: list[float], weights: list[int]) -> list[float]:
    """The closest values that never fall from one Hand to the next higher one: neighbours that do are pooled."""
    pools: list[list[float]] = []
    for value, weight in zip(values, weights, strict=True):
        pools.append([value, weight, 1])
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            last, before = pools.pop(), pools[-1]
            before[0] = (before[0] * before[1] + last[0] * last[1]) / (before[1] + last[1])
            before[1] += last[1]
            before[2] += last[2]
    return [value for value, _, count in pools for _ in range(int(count))]


def learn(rounds: int, seed: int) -> int:
    """The lowest Hand that is worth playing."""
    hands, rewards = experience(rounds, seed)
    kinds = sorted(set(hands))
    place = {kind: at for at, kind in enumerate(kinds)}
    sums, counts = [0.0] * len(kinds), [0] * len(kinds)
    for hand, reward in zip(hands, rewards, strict=True):
        sums[place[hand]] += reward
        counts[place[hand]] += 1
    worth = never_falling([total / count for total, count in zip(sums, counts, strict=True)], counts)
    return kinds[min(bisect_left(worth, -1.0), len(kinds) - 1)]


def in_words(hand: int) -> str:
    """ "Q-6-4"."""
    return "-".join(FACES[(hand >> shift & 15) - 2] for shift in (16, 12, 8))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    found = learn(asked.rounds, asked.seed)
    print(f"After {asked.rounds:,} rounds: play {in_words(found)} and anything higher.")


if __name__ == "__main__":
    main()
