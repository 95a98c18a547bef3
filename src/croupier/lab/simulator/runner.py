"""Runs of a job: shards played by workers, checkpoints, and a wanted precision.

The result is always the first shards in a row, so sums, the end at a wanted precision, and checkpoints are the same for
one worker and for a hundred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import msgspec

from croupier.lab.kernels.runtime.compiler import Ints, zeros
from croupier.lab.model.game import LabError
from croupier.lab.simulator import jobs
from croupier.lab.simulator.jobs import SHARD, Job, ShardCounts
from croupier.lab.simulator.outcome_counts import OutcomeSummary

FORMAT = 2
LOOK_EVERY = 8
"""Shards between two looks at the precision."""
KEEP_EVERY = 64
"""Shards between two checkpoints."""
MOST_ROUNDS = 1 << 46
"""Rounds at which a run that waits for its precision gives up: years of one machine."""


class BadCheckpoint(LabError):
    """A checkpoint that does not belong to this run, or cannot be read; the message says which."""


class Workers(Protocol):
    """Workers that play shards: threads here, or machines elsewhere."""

    @property
    def count(self) -> int:
        """Return how many play at once."""
        ...

    def submit(self, encoded: bytes, first: int, last: int) -> Future[ShardCounts]: ...


class Threads:
    """Workers of this process; kernels release Python's lock."""

    def __init__(self, count: int, pool: ThreadPoolExecutor) -> None:
        self.count, self._pool = count, pool

    def submit(self, encoded: bytes, first: int, last: int) -> Future[ShardCounts]:
        return self._pool.submit(jobs.play, encoded, first, last)


@contextmanager
def threads(count: int) -> Iterator[Threads]:
    """Start this many workers of this process."""
    with ThreadPoolExecutor(count, thread_name_prefix="shard") as pool:
        try:
            yield Threads(count, pool)
        finally:
            pool.shutdown(cancel_futures=True)


class Checkpoint(msgspec.Struct, frozen=True):
    """How far a run has come."""

    format: int
    job: Job
    rounds: int
    part: ShardCounts


Report = Callable[[int, int | None], None]
"""Called with the rounds done, and the rounds in all where that is known."""


def unreported(_done: int, _wanted: int | None) -> None:
    """Ignore the progress."""


class Run:
    """One job, from its first round or from a checkpoint on."""

    def __init__(
        self,
        job: Job,
        *,
        rounds: int | None,
        until: float | None = None,
        checkpoint: Path | None = None,
        report: Report = unreported,
    ) -> None:
        assert rounds is not None or until is not None
        self.job, self.until, self.checkpoint, self.report = job, until, checkpoint, report
        self.wanted = rounds if rounds is not None else MOST_ROUNDS
        self.bounded = rounds is not None
        self.game = job.solvable()
        self.counts: Ints = zeros(jobs.size(self.game))
        self.done = 0
        self._kept = 0
        if checkpoint is not None and checkpoint.exists():
            self._resume(checkpoint)

    def seen(self, meter: Fraction = Fraction(0)) -> OutcomeSummary:
        """Return what the rounds so far came to."""
        return OutcomeSummary(self.game, self.counts, meter)

    def play(self, workers: Workers) -> Run:
        """Play all that is left, or until the precision is reached."""
        encoded = jobs.encode(self.job)
        waiting: dict[Future[ShardCounts], int] = {}
        arrived: dict[int, ShardCounts] = {}
        following = self.done
        try:
            while self.done < self.wanted and not self._is_precise():
                while following < self.wanted and len(waiting) + len(arrived) < 4 * workers.count:
                    last = min(self.wanted, (following // SHARD + 1) * SHARD)
                    waiting[workers.submit(encoded, following, last)] = following
                    following = last
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    arrived[waiting.pop(future)] = future.result()
                self._add(arrived)
        finally:
            for future in waiting:
                future.cancel()
            self._keep()
        return self

    def _add(self, arrived: dict[int, ShardCounts]) -> None:
        """Add the shards that are next in the row, up to where the precision is reached."""
        while self.done in arrived and not self._is_precise():
            found = arrived.pop(self.done)
            found.add_to(self.counts)
            self.done += found.rounds
            self.report(self.done, self.wanted if self.bounded else None)
            if self.done - self._kept >= KEEP_EVERY * SHARD:
                self._keep()

    def _is_precise(self) -> bool:
        """Return whether the standard error of the base result is small enough, asked after whole steps only."""
        if self.until is None or not self.done or self.done % (LOOK_EVERY * SHARD):
            return False
        return self.seen().moments.error(0) <= self.until

    def _keep(self) -> None:
        """Write the checkpoint, whole or not at all."""
        self._kept = self.done
        if self.checkpoint is None:
            return
        found = Checkpoint(FORMAT, self.job, self.done, jobs.part(0, self.done, self.counts))
        part = self.checkpoint.with_name(self.checkpoint.name + ".part")
        part.write_bytes(msgspec.msgpack.encode(found))
        part.replace(self.checkpoint)

    def _resume(self, path: Path) -> None:
        try:
            found = msgspec.msgpack.decode(path.read_bytes(), type=Checkpoint)
        except msgspec.MsgspecError:
            raise BadCheckpoint(f"{path} is not a checkpoint of a simulation.") from None
        if found.format != FORMAT or found.job != self.job:
            raise BadCheckpoint(f"{path} belongs to another simulation: name another file, or remove it.")
        if found.rounds > self.wanted or (found.rounds % SHARD and found.rounds != self.wanted):
            raise BadCheckpoint(f"{path} holds {found.rounds:,} rounds already, which {self.wanted:,} cannot continue.")
        found.part.add_to(self.counts)
        self.done = self._kept = found.rounds


def run(
    job: Job,
    workers: Workers,
    *,
    rounds: int | None,
    until: float | None = None,
    checkpoint: Path | None = None,
    report: Report = unreported,
) -> Run:
    """Play a job to its end."""
    return Run(job, rounds=rounds, until=until, checkpoint=checkpoint, report=report).play(workers)
