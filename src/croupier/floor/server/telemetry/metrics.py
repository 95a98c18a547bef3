"""Figures for Prometheus: no card, no secret, no name of a player."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from croupier import __version__
from croupier.floor.house.timings import Timings
from croupier.floor.live.floor import Floor
from croupier.floor.server.telemetry.logs import RequestFigures
from croupier.journal.sqlite import sqlite_path
from croupier.rounds.state import Stage

_gauge = GaugeMetricFamily


def metrics_text(floor: Floor, requests: RequestFigures | None = None) -> str:
    """Write the text that Prometheus scrapes."""
    registry = CollectorRegistry()
    registry.register(FloorCollector(floor, requests or RequestFigures()))
    ProcessCollector(registry=registry)
    return generate_latest(registry).decode()


class FloorCollector(Collector):
    """The figures of one server, read when Prometheus asks."""

    def __init__(self, floor: Floor, requests: RequestFigures) -> None:
        self._floor, self._requests = floor, requests

    def collect(self) -> Iterator[Metric]:
        yield from self._server()
        yield from self._commands()
        yield from self._tables()
        yield from self._store()
        yield from self._witness()

    def _server(self) -> Iterator[Metric]:
        floor, requests = self._floor, self._requests
        info = GaugeMetricFamily("croupier_info", "Version and name of this server.", labels=("version", "server"))
        info.add_metric((__version__, floor.name), 1)
        yield info
        yield _gauge("croupier_ready", "1 where commands are accepted, as /ready says.", not floor.problem())
        yield _gauge("croupier_database_away", "1 while the database cannot be reached.", floor.writer.away is not None)
        yield _gauge("croupier_watchers", "Live connections.", floor.watching)
        statuses = {str(status): count for status, count in tuple(requests.statuses.items())}
        says = "Requests by status; 0 without an answer."
        yield _by_label(CounterMetricFamily, "croupier_http_requests", says, "status", statuses)
        yield _histogram("croupier_http_request_seconds", "Time of a request.", {"": requests.seconds})
        yield CounterMetricFamily(
            "croupier_break_glass_log_ins", "Log-ins to break-glass accounts.", floor.counts["break_glass"]
        )

    def _commands(self) -> Iterator[Metric]:
        floor = self._floor
        answers = {answer: floor.counts[answer] for answer in ("accepted", "refused")}
        yield _by_label(CounterMetricFamily, "croupier_commands", "Commands by answer.", "answer", answers)
        refusals = floor.figures.refusals
        yield _by_label(CounterMetricFamily, "croupier_refusals", "Refused commands by code.", "code", refusals)
        kinds, says = dict(floor.figures.seconds), "Time from a command to its answer, by kind."
        yield _histogram("croupier_command_seconds", says, kinds, "command")
        says = "Time to judge and commit a group of commands."
        yield _histogram("croupier_commit_seconds", says, {"": floor.writer.commits})
        yield _histogram("croupier_commit_commands", "Commands that shared a commit.", {"": floor.writer.groups})
        yield _gauge("croupier_queue_length", "Commands that wait to be judged.", floor.writer.waiting)

    def _tables(self) -> Iterator[Metric]:
        floor = self._floor
        tables = [table for table in floor.house.shown.values() if table.ours]
        stages = {stage.value: sum(table.round.stage is stage for table in tables) for stage in Stage}
        yield _by_label(_gauge, "croupier_tables", "Tables of this server by stage.", "stage", stages)
        yield _gauge(
            "croupier_tables_failed", "Tables that were closed because their clock failed.", len(floor.clocks.failed)
        )
        yield _gauge("croupier_clock_late_seconds", "Latest clock since the start.", round(floor.clocks.late, 3))
        yield _histogram("croupier_clock_lateness_seconds", "How late clocks acted.", {"": floor.clocks.lateness})
        meters = {name: link.cents for name, link in floor.house.shown_links.items()}
        yield _by_label(_gauge, "croupier_meter_cents", "Meter of a link.", "link", meters)

    def _store(self) -> Iterator[Metric]:
        """Report on the file of a SQLite database; PostgreSQL has exporters of its own."""
        url = self._floor.house.store.url
        if not url.startswith("sqlite:"):
            return
        file = Path(sqlite_path(url))
        files = {"database": file, "log": file.with_name(f"{file.name}-wal")}
        sizes = {kind: path.stat().st_size for kind, path in files.items() if path.exists()}
        yield _by_label(_gauge, "croupier_store_bytes", "Size of the database and of its log.", "file", sizes)
        if file.parent.exists():
            free = shutil.disk_usage(file.parent).free
            yield _gauge("croupier_store_free_bytes", "Free space where the database is.", free)

    def _witness(self) -> Iterator[Metric]:
        witness = self._floor.witness
        if witness is None or witness.last is None:
            return
        said = witness.last.says()
        yield _gauge("croupier_checkpoint_records", "Records in the last checkpoint.", said.records)
        yield _gauge("croupier_checkpoint_seconds", "When it was made, since 1970.", said.at // 1_000_000)
        yield CounterMetricFamily(
            "croupier_checkpoint_failures", "Checkpoints that could not be made or kept.", witness.failures
        )


def _by_label(
    kind: type[CounterMetricFamily | GaugeMetricFamily], name: str, says: str, label: str, counts: Mapping[str, int]
) -> Metric:
    family = kind(name, says, labels=(label,))
    for value, count in tuple(counts.items()):
        family.add_metric((value,), count)
    return family


def _histogram(name: str, says: str, timings: Mapping[str, Timings], label: str = "") -> Metric:
    family = HistogramMetricFamily(name, says, labels=(label,) if label else ())
    for value, one in timings.items():
        family.add_metric((value,) if label else (), list(one.buckets()), one.total)
    return family
