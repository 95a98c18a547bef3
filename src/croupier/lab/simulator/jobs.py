"""Jobs and shards: what is simulated, cut into pieces that any worker plays alike."""

from __future__ import annotations

from functools import lru_cache

import msgspec
import numpy as np

from croupier.lab.kernels.random import rounds as playing
from croupier.lab.kernels.random.rounds import Table
from croupier.lab.kernels.runtime.compiler import Ints, zeros
from croupier.lab.model.game import Game, Structure, game
from croupier.lab.model.variants import changed_terms
from croupier.lab.simulator import decision_tables
from croupier.lab.simulator.outcome_counts import Shape
from croupier.lab.simulator.strategies import Strategy

SHARD = 1 << 19
"""Rounds of one shard; checkpoints and the wanted precision look at whole shards only."""


class Job(msgspec.Struct, frozen=True):
    """Everything that decides the counts: a worker elsewhere needs no more."""

    game: str
    strategy: Strategy
    seed: int
    changes: tuple[str, ...] = ()
    jackpot_bet: str | None = None

    def solvable(self) -> Game:
        """Return the game as mathematics sees it."""
        return game(changed_terms(self.game, self.changes, self.jackpot_bet))


class ShardCounts(msgspec.Struct, frozen=True):
    """What one shard came to: the counts that are not 0, and where they stand."""

    first: int
    rounds: int
    at: bytes
    counts: bytes

    def add_to(self, whole: Ints) -> None:
        """Add the counts; no place occurs twice."""
        whole[np.frombuffer(self.at, np.int64)] += np.frombuffer(self.counts, np.int64)


def part(first: int, rounds: int, whole: Ints) -> ShardCounts:
    """Return counts in the form in which they are kept and sent."""
    at = whole.nonzero()[0].astype(np.int64)
    return ShardCounts(first, rounds, at.tobytes(), whole[at].tobytes())


def encode(job: Job) -> bytes:
    return msgspec.json.encode(job, order="sorted")


@lru_cache(maxsize=8)
def _ready(encoded: bytes) -> tuple[Job, Game, Table]:
    job = msgspec.json.decode(encoded, type=Job)
    known = job.solvable()
    return job, known, decision_tables.table(known, job.strategy)


def size(known: Game) -> int:
    """Return the number of counts."""
    shape = Shape(known)
    return shape.outcomes + shape.hands


def prepare(encoded: bytes) -> None:
    """Build or load the decision tables and compile, before the clock runs."""
    play(encoded, 0, 1)


def play(encoded: bytes, first: int, last: int) -> ShardCounts:
    """Play the rounds from one number up to another; the same wherever they are played."""
    job, known, table = _ready(encoded)
    counts = zeros(size(known))
    play_rounds(known, table, job.seed, first, last, counts)
    return part(first, last - first, counts)


def play_rounds(known: Game, table: Table, seed: int, first: int, last: int, counts: Ints) -> None:
    """Play rounds of one game and add them to counts."""
    rounds_of = {
        Structure.THREE_CARDS: playing.play_three,
        Structure.STREETS: playing.play_streets,
        Structure.FLOP_FIRST: playing.play_flop_first,
    }[known.structure]
    outcomes = Shape(known).outcomes
    rounds_of(seed, first, last, table, decision_tables.common(), playing.batch(), counts[:outcomes], counts[outcomes:])
