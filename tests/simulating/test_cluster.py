"""A Dask cluster: the same shards elsewhere, and the same sums when a worker is killed half-way."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import numpy as np
import pytest
from distributed import Client, LocalCluster

from croupier.lab.model.game import game
from croupier.lab.simulator import dask_cluster as clusters
from croupier.lab.simulator.dask_cluster import Cluster, NoCluster, cluster
from croupier.lab.simulator.jobs import SHARD, Job
from croupier.lab.simulator.runner import Run, run, threads
from croupier.lab.simulator.strategies import OPTIMAL, named
from croupier.rulebooks.terms import table_terms
from tests.patience import PATIENCE

NAME = "rws-multilink-three-card"
JOB = Job(NAME, named(game(table_terms(NAME)), OPTIMAL), 21)
ROUNDS = 24 * SHARD

pytestmark = pytest.mark.filterwarnings("ignore")  # of Dask's own, about ports and clocks of a busy machine


@pytest.fixture(scope="module")
def undisturbed() -> Run:
    with threads(2) as hands:
        return run(JOB, hands, rounds=ROUNDS)


@pytest.fixture
def two_workers() -> Iterator[tuple[LocalCluster, Client]]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as here,
        Client(here) as client,
    ):
        client.wait_for_workers(2, timeout=PATIENCE)
        yield here, client


def test_a_killed_worker_costs_only_its_shards(undisturbed: Run, two_workers: tuple[LocalCluster, Client]) -> None:
    """Killed with SIGKILL when half of the rounds are there; the sums are those of the local run."""
    _, client = two_workers
    killed: list[int] = []

    def kill_one(done: int, _wanted: int | None) -> None:
        if done >= ROUNDS // 2 and not killed:
            pids: dict[str, int] = client.run(os.getpid)
            killed.append(next(iter(pids.values())))
            os.kill(killed[0], signal.SIGKILL)

    found = run(JOB, Cluster(client), rounds=ROUNDS, report=kill_one)
    assert len(killed) == 1
    assert found.done == ROUNDS
    assert np.array_equal(found.counts, undisturbed.counts)


def test_a_cluster_at_an_address_plays_the_same_shards(
    undisturbed: Run, two_workers: tuple[LocalCluster, Client]
) -> None:
    here, _ = two_workers
    with cluster(here.scheduler_address) as elsewhere:
        assert elsewhere.count == 2
        found = run(JOB, elsewhere, rounds=ROUNDS)
    assert np.array_equal(found.counts, undisturbed.counts)


def test_a_local_cluster_is_started_by_its_name() -> None:
    with threads(1) as hands:
        alone = run(JOB, hands, rounds=SHARD)
    with cluster(clusters.LOCAL, 1) as one:
        found = run(JOB, one, rounds=SHARD)
    assert np.array_equal(found.counts, alone.counts)


def test_no_scheduler_is_said_in_one_sentence() -> None:
    with pytest.raises(NoCluster, match="No Dask scheduler answers at nonsense://"), cluster("nonsense://here:1"):
        pass
