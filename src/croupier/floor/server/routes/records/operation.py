"""Health, readiness, metrics and the published checkpoint."""

from __future__ import annotations

from typing import TypeAlias

from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import SkipValidation

from croupier import __version__
from croupier.floor.live.floor import AWAY
from croupier.floor.server.dependencies import TheFloor
from croupier.floor.server.errors import RETRY_AFTER, ApiError
from croupier.floor.server.telemetry.logs import RequestFigures
from croupier.floor.server.telemetry.metrics import metrics_text
from croupier.floor.server.wire.operation import Health, NotReady, Ready
from croupier.journal.checkpoint import Checkpoint

TheRequests: TypeAlias = SkipValidation[NamedDependency[RequestFigures]]

NOT_READY = ResponseSpec(
    NotReady, generate_examples=False, description="Commands are not accepted; `problem` says why."
)


@get("/health", opt={"public": True}, sync_to_thread=False)
def health() -> Health:
    """Report that the process is alive."""
    return Health(status="ok", version=__version__)


@get("/ready", opt={"public": True}, sync_to_thread=False, responses={503: NOT_READY})
def ready(floor: TheFloor) -> Response[Ready | NotReady]:
    """Report whether commands are accepted: 200 where they are, 503 with the reason where they are not."""
    problem = floor.problem()
    if problem == AWAY:
        away = NotReady(status="away", problem=problem)
        return Response(away, status_code=503, headers={"Retry-After": str(RETRY_AFTER)})
    if problem:
        return Response(NotReady(status="stopped", problem=problem), status_code=503)
    return Response(Ready(status="ready", tables=len(floor.house.shown), alarms=dict(floor.clocks.failed)))


@get("/api/checkpoint", opt={"public": True, "refuses": (404,)}, sync_to_thread=False)
def checkpoint(floor: TheFloor) -> Checkpoint:
    """Return the last checkpoint of the journal that this server has signed; any client may keep it."""
    witness = floor.witness
    if witness is None or witness.last is None:
        raise ApiError(404, "no_witness", "This server makes no checkpoints: it has no place to keep them.")
    return witness.last.published


@get("/metrics", opt={"public": True}, media_type=MediaType.TEXT, sync_to_thread=False)
def metrics(floor: TheFloor, requests: TheRequests) -> str:
    """Return metrics as Prometheus text."""
    return metrics_text(floor, requests)
