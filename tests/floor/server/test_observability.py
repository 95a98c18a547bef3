"""What an operator sees from outside: figures for Prometheus, requests by their id in answer and log, and traces."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from litestar.types import Receive, Scope, Send
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families

from croupier.floor.duties.permissions import Post
from croupier.floor.house.timings import Timings
from croupier.floor.records.commands import Answer
from croupier.floor.server.settings import BadSettings
from croupier.floor.server.telemetry.logs import HEADER, JsonLines, Logged, RequestFigures, request_id
from croupier.floor.server.telemetry.traces import start_traces
from tests.floor.serving import Served


def samples(text: str) -> dict[tuple[str, tuple[str, ...]], float]:
    """Every figure by its name and the values of its labels, as Prometheus reads them."""
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_buckets_count_everything_up_to_their_end() -> None:
    """A value on the edge belongs below it, one past the last edge to infinity."""
    timings = Timings((0.1, 1.0))
    for value in (0.05, 0.1, 0.5, 7.0):
        timings.observe(value)
    assert list(timings.buckets()) == [("0.1", 2), ("1.0", 3), ("+Inf", 4)]
    assert timings.count == 4
    assert timings.total == pytest.approx(7.65)


def test_figures_count_commands_by_kind_commits_and_refusals(tmp_path: Path) -> None:
    """A command at a table goes by its own name, and every histogram agrees with its count."""
    with Served(tmp_path) as served:
        served.step(Post.DEALER, "open")
        served.step(Post.DEALER, "open")
        with served.http() as client:
            told = samples(client.get("/metrics").text)
    assert told["croupier_command_seconds_count", ("OpenRound",)] == 2
    assert told["croupier_command_seconds_bucket", ("OpenRound", "+Inf")] == 2
    assert told["croupier_command_seconds_sum", ("OpenRound",)] > 0
    assert sum(value for (name, _), value in told.items() if name == "croupier_refusals_total") == 1
    assert told["croupier_commit_seconds_count", ()] == told["croupier_commit_commands_count", ()] > 0
    assert told["croupier_commit_commands_sum", ()] >= told["croupier_commit_commands_count", ()]
    assert told["croupier_queue_length", ()] == told["croupier_database_away", ()] == 0
    assert told["croupier_ready", ()] == 1
    assert told["croupier_http_requests_total", ("200",)] >= 1
    # An alarm on the growth of a figure sees a first error only where the figure was there before.
    assert told["croupier_http_requests_total", ("500",)] == told["croupier_refusals_total", ("fault",)] == 0
    assert told["croupier_store_bytes", ("database",)] > 0
    assert told["croupier_store_free_bytes", ()] > 0
    assert told["process_resident_memory_bytes", ()] > 0


# ---------------------------------------------------------------- requests by their id


async def answer(_: Scope, __: Receive, send: Send) -> None:
    """Answer with the id that the code behind the middleware sees."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": request_id().encode(), "more_body": False})


def asked(app: Logged, header: str | None = None) -> httpx.Response:
    """Send one request through the middleware."""

    async def ask() -> httpx.Response:
        # The framework's names for ASGI are not those of the client's types.
        transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
            return await client.get("/x", headers={} if header is None else {HEADER.decode(): header})

    # In a thread of its own: where browser tests ran before, this one has a loop already.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(ask())).result()


def test_a_request_has_one_id_in_header_handler_and_log(caplog: pytest.LogCaptureFixture) -> None:
    """A new one for each request; the line of the log has it too."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(JsonLines().format(record))  # type: ignore[method-assign]  # a probe
    logger = logging.getLogger("croupier.server")
    logger.addHandler(handler)
    try:
        with caplog.at_level(logging.INFO, "croupier.server"):
            figures = RequestFigures()
            first, second = (asked(Logged(answer, figures)) for _ in range(2))
    finally:
        logger.removeHandler(handler)
    ids = [response.headers["x-request-id"] for response in (first, second)]
    assert [first.text, second.text] == ids == [json.loads(line)["request"] for line in lines]
    assert len(set(ids)) == 2
    assert (figures.statuses[200], figures.seconds.count) == (2, 2)


@pytest.mark.parametrize(
    ("given", "kept"),
    [("proxy-0123456789", True), ("short", False), ("a" * 65, False), ('x" onload="y', False)],
)
def test_the_id_of_a_proxy_is_kept_where_it_is_one(given: str, kept: bool) -> None:
    """Other text does not reach the log."""
    assert (asked(Logged(answer, RequestFigures()), given).headers["x-request-id"] == given) is kept


def test_an_internal_error_tells_the_reference_that_the_log_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Of a command its own id, so that the sentence on the screen leads to the line in the log."""
    with Served(tmp_path) as served:
        monkeypatch.setattr("croupier.floor.house.house.carry_out", lambda _: 1 // 0)
        refused = served.step(Post.DEALER, "open")
    assert refused["code"] == "fault"
    (line,) = [record for record in caplog.records if record.getMessage() == "an internal error stopped one command"]
    told = json.loads(JsonLines().format(line))
    assert told["command"] == "AtTable"
    assert str(refused["message"]).endswith(f"the error was logged. Reference: {told['id']}.")


def test_a_failed_request_tells_its_own_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """In header and sentence, and nothing of what went wrong."""
    with Served(tmp_path) as served, served.http() as client:
        monkeypatch.setattr("croupier.floor.server.routes.records.operation.metrics_text", lambda *_: 1 // 0)
        refused = client.get("/metrics")
        monkeypatch.undo()
    assert refused.status_code == 500
    assert refused.json()["message"].endswith(f"Reference: {refused.headers['x-request-id']}.")
    assert "internal error" in [record.getMessage() for record in caplog.records]


# ---------------------------------------------------------------- traces


def test_a_command_is_a_span_within_its_request(tmp_path: Path) -> None:
    """Below the span of the proxy, with kind and outcome, without anything else of the command."""
    sent = InMemorySpanExporter()
    traces = start_traces("north", SimpleSpanProcessor(sent))
    scope: dict[str, object] = {
        "path": "/api/tables",
        "method": "POST",
        "headers": [
            (b"traceparent", b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
            (b"cookie", b"secret"),
        ],
    }
    with traces.request(scope, "0123456789abcdef"):  # type: ignore[arg-type]  # as much of a scope as is read
        traces.command("PlaceBet", 0.25, Answer(accepted=False, code="bets_closed"))
    command, request = sent.get_finished_spans()
    traces.close()
    assert (command.name, request.name) == ("PlaceBet", "POST")
    assert request.parent is not None
    assert command.parent is not None
    assert request.parent.span_id == 0xB7AD6B7169203331
    assert request.context is not None
    assert command.parent.span_id == request.context.span_id
    assert dict(command.attributes or {}) == {"croupier.accepted": False, "croupier.code": "bets_closed"}
    assert dict(request.attributes or {}) == {"croupier.request": "0123456789abcdef", "url.path": "/api/tables"}
    assert command.end_time is not None
    assert command.start_time is not None
    assert command.end_time - command.start_time == 250_000_000


def test_traces_without_their_packages_are_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the extra."""
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(BadSettings, match=r"^traces: opentelemetry.sdk.trace is missing: install .* \[traces\]\.$"):
        start_traces("north")
