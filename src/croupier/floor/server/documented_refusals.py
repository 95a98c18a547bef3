"""Which refusals every address may answer, for the description of the API."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec

from croupier.floor.server.payments import Outcome


class Refusal(msgspec.Struct):
    """Nothing was done: a stable code, one sentence, and the paragraphs that say so."""

    accepted: bool
    code: str
    message: str
    rules: list[str] = []


def refusal(description: str) -> ResponseSpec:
    """Describe one kind of refusal."""
    return ResponseSpec(Refusal, generate_examples=False, description=description)


WAITS = ResponseSpec(Outcome, generate_examples=False, description="It waits for a second person, or for the player.")
DONE = ResponseSpec(Outcome, generate_examples=False, description="It was done at once.")

_MEANS = {
    400: "The request makes no sense.",
    401: "There is no session, or it is over.",
    403: "The person may not do this, or the request comes from another site's page.",
    404: "There is no such thing.",
    409: "The rules or the state of the house say no.",
    413: "The body is too long.",
    423: "The session was not used for a while and is locked.",
    429: "Too many requests, or too much at once.",
    503: "The house waits for its database, or has stopped.",
}


def describe(handler: HTTPRouteHandler) -> None:
    """Add to a route's description every refusal that it may answer; what it declares itself stays."""
    refusals = {status: refusal(_MEANS[status]) for status in _statuses(handler)}
    handler.responses = refusals | dict(handler.responses or {})


def _statuses(handler: HTTPRouteHandler) -> Iterator[int]:
    changes = not handler.http_methods <= {"GET", "HEAD"}
    yield from (400, 429)
    if changes:
        yield from (403, 409, 413)
    if any("{" in path for path in handler.paths):
        yield 404
    if any(path.startswith("/api/tables/{") for path in handler.paths):
        yield 409  # another server runs the table
    if not handler.opt.get("public"):
        yield from (401, 403, 423)
    if changes or not handler.opt.get("public"):
        yield 503
    yield from handler.opt.get("refuses", ())
