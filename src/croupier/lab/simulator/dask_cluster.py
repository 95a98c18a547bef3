"""Workers of a Dask cluster: the same shards elsewhere; a worker that is lost costs the shards it was playing."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING

from croupier.lab.model.game import LabError
from croupier.lab.simulator import jobs
from croupier.lab.simulator.jobs import ShardCounts

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as Promise

LOCAL = "local"
RETRIES = 5
"""Times a shard is given to another worker before the run gives up."""


class NoCluster(LabError):
    """The cluster cannot be used."""


class Cluster:
    """The workers behind a Dask client."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @property
    def count(self) -> int:
        """Return the number of threads now; workers may come and go."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, encoded: bytes, first: int, last: int) -> Future[ShardCounts]:
        promise = self._client.submit(jobs.play, encoded, first, last, pure=False, retries=RETRIES)
        return _followed(promise)


def _followed(promise: Promise[ShardCounts]) -> Future[ShardCounts]:
    """Return a future of the standard library that ends as Dask's does."""
    future: Future[ShardCounts] = Future()

    def ended(done: Promise[ShardCounts]) -> None:
        if future.cancelled():
            return
        if done.status == "finished":
            future.set_result(done.result())
        elif done.status == "cancelled":
            future.set_exception(NoCluster("The cluster has gone: its scheduler no longer answers."))
        else:
            future.set_exception(done.exception() or NoCluster("A shard failed on the cluster."))

    promise.add_done_callback(ended)
    return future


@contextmanager
def cluster(address: str, workers: int | None = None) -> Iterator[Cluster]:
    """Connect to the cluster at an address, or start one on this machine for `local`. Raises NoCluster."""
    try:
        from distributed import Client, LocalCluster  # noqa: PLC0415 - only a cluster needs it
    except ModuleNotFoundError as missing:
        raise NoCluster(f"A cluster needs {missing.name}: install croupier with its extra [cluster].") from None
    if address == LOCAL:
        # Processes with one thread each, so that one that dies takes no other's work with it.
        with (
            LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50) as here,
            Client(here) as client,
        ):
            yield Cluster(client)
        return
    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError) as wrong:
        raise NoCluster(f"No Dask scheduler answers at {address}: {wrong}.") from None
    with client:
        yield Cluster(client)
