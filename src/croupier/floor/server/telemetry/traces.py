"""Traces for OpenTelemetry: a span of every request, within it one of every command; no card, no person's name."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from litestar.types import Scope

from croupier import __version__
from croupier.floor.records.commands import Answer
from croupier.floor.server.settings import BadSettings

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider


class Traces:
    """The spans of one server."""

    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("croupier", __version__)

    @contextmanager
    def request(self, scope: Scope, named: str) -> Iterator[None]:
        """Make the span of a request, below that of the proxy that sent it."""
        # Imported here, because the packages come with an extra.
        from opentelemetry.propagate import extract  # noqa: PLC0415
        from opentelemetry.trace import SpanKind  # noqa: PLC0415

        carrier = {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in scope.get("headers", ())
            if name in (b"traceparent", b"tracestate")
        }
        told = {"croupier.request": named, "url.path": scope["path"]}
        method = str(scope.get("method", "LIVE"))
        with self._tracer.start_as_current_span(method, extract(carrier), SpanKind.SERVER, told):
            yield

    def command(self, kind: str, seconds: float, answer: Answer) -> None:
        """Make the span of a command that was answered just now."""
        ended = time.time_ns()
        told: dict[str, str | bool] = {"croupier.accepted": answer.accepted, "croupier.code": answer.code}
        span = self._tracer.start_span(kind, attributes=told, start_time=ended - int(seconds * 1e9))
        span.end(ended)

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()


def start_traces(server: str, processor: SpanProcessor | None = None) -> Traces:
    """Begin to send spans in the background; raises BadSettings where the packages are missing."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        raise BadSettings(f"traces: {missing.name} is missing: install croupier with its extra [traces].") from None
    about = {"service.name": "croupier", "service.version": __version__, "service.instance.id": server}
    provider = TracerProvider(resource=Resource.create(about), shutdown_on_exit=False)
    provider.add_span_processor(processor or BatchSpanProcessor(OTLPSpanExporter()))
    return Traces(provider)
