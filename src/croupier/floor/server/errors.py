"""Refusals over HTTP: one exception, one body, and a handler for every kind of error."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias, TypeVar

import msgspec
from litestar import MediaType, Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException, ValidationException

from croupier.floor.disputes.hypotheses import BadQuestion
from croupier.floor.feed.events import BadCursor
from croupier.floor.fronts.front import HouseGone
from croupier.floor.history.played_rounds import NoRecord, NoSuchRound
from croupier.floor.house.writer import HouseAway, HouseStopped
from croupier.floor.live.floor import our_fault
from croupier.floor.people.authorization import BadRequest
from croupier.floor.people.people import Person
from croupier.floor.records.commands import Answer
from croupier.floor.records.keys import BadKeys
from croupier.floor.records.refusals import Code, Refused
from croupier.floor.server.settings import BadSettings
from croupier.floor.server.telemetry.logs import request_id
from croupier.floor.server.wire.refusal import Refusal
from croupier.journal.store import StoreLost
from croupier.rounds.reconstruction.layouts import BadFacts
from croupier.rulebooks.documents.editions import UnknownGame

_LOG = logging.getLogger("croupier.server")
S = TypeVar("S", bound=msgspec.Struct)
HttpRequest: TypeAlias = Request[Person | None, object, State]

RETRY_AFTER = 1
"""Seconds after which a client asks again while the database is away."""
AWAY_CODE = "away"
AWAY_MESSAGE = "The database cannot be reached. Send the request again in a second, with the same id."
GONE_MESSAGE = "The house is being started again. Send the request again in a second, with the same id."

MISSING_PAGE = Path(__file__).parent / "static" / "missing.html"
"""What a person reads at an address that does not exist; built with the client."""

_BY_STATUS = {
    400: ("bad_request", "The request cannot be read."),
    404: ("unknown_address", "There is nothing at this address."),
    405: ("wrong_method", "Method not allowed at this address."),
    413: ("too_long", "The request is too long."),
}
"""Errors of the web framework, in our words."""


class ApiError(HTTPException):
    """The server refuses: a status, a stable code, one sentence, and the paragraphs."""

    def __init__(self, status: int, code: str, message: str, rules: tuple[str, ...] = ()) -> None:
        super().__init__(status_code=status, detail=message)
        self.code, self.rules = code, rules


def answered(answer: Answer) -> Response[Answer]:
    """Answer over HTTP as the house answered: 200 accepted, 409 refused, 500 an internal error."""
    if answer.code == Code.FAULT:
        return Response(answer, status_code=500)
    return Response(answer, status_code=200 if answer.accepted else 409)


def require_accepted(answer: Answer) -> None:
    """Raise ApiError where the house refuses a command."""
    if not answer.accepted:
        raise ApiError(409, answer.code, answer.message)


def require_found(answer: Answer) -> None:
    """Raise ApiError where the house refuses a command: 404 for what it does not know, else 409."""
    if not answer.accepted:
        raise ApiError(404 if answer.code.startswith("unknown_") else 409, answer.code, answer.message)


def strict_body(body: S, kind: type[S]) -> S:
    """Read a body whose handler skips the framework's validation, which takes the text "1" for a number."""
    try:
        return msgspec.convert(body, kind)
    except msgspec.ValidationError as wrong:
        raise BadRequest(f"The request is wrong: {wrong}.") from None


def _refusal(
    status: int, code: str, message: str, rules: tuple[str, ...] = (), headers: Mapping[str, str] | None = None
) -> Response[Refusal]:
    return Response(
        Refusal(accepted=False, code=code, message=message, rules=rules), status_code=status, headers=headers
    )


def _api_error(_: HttpRequest, wrong: ApiError) -> Response[Refusal]:
    return _refusal(wrong.status_code, wrong.code, wrong.detail, wrong.rules)


def _invalid(_: HttpRequest, wrong: ValidationException) -> Response[Refusal]:
    extra = wrong.extra if isinstance(wrong.extra, list) else []
    what = "; ".join(str(item.get("message", "")) for item in extra if isinstance(item, dict)) or "cannot be read"
    if what == "'data'":  # how the framework names a missing body
        what = "it has no body"
    return _refusal(400, "bad_request", f"The request is wrong: {what}.")


def _http(request: HttpRequest, wrong: HTTPException) -> Response[Refusal] | Response[bytes]:
    """Answer errors of the web framework; a person who browses to an unknown address gets a page."""
    is_browsing = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api")
    if wrong.status_code == 404 and is_browsing and MISSING_PAGE.is_file():
        return Response(MISSING_PAGE.read_bytes(), status_code=404, media_type=MediaType.HTML)
    code, message = _BY_STATUS.get(wrong.status_code, ("http", wrong.detail or "The request was refused."))
    return _refusal(wrong.status_code, code, message)


def _says(status: int, code: str) -> Callable[[HttpRequest, Exception], Response[Refusal]]:
    """Return a handler for an exception whose text is the message."""
    return lambda _, wrong: _refusal(status, code, str(wrong))


def _refused(_: HttpRequest, wrong: Refused) -> Response[Refusal]:
    return _refusal(409, wrong.code, str(wrong))


def _stopped(_: HttpRequest, __: HouseStopped) -> Response[Refusal]:
    """Answer 503 after a failed commit: whether it reached the disk is uncertain, and the same id settles it."""
    message = "The house has stopped. Send the request again, with the same id, when it is back."
    return _refusal(503, "stopped", message)


def away_message(wrong: HouseAway | StoreLost) -> str:
    """Say what cannot be reached, and what to do."""
    return GONE_MESSAGE if isinstance(wrong, HouseGone) else AWAY_MESSAGE


def _away(_: HttpRequest, wrong: HouseAway | StoreLost) -> Response[Refusal]:
    """Answer 503 while the database cannot be reached, or a front its house; each waits for the other."""
    return _refusal(503, AWAY_CODE, away_message(wrong), headers={"Retry-After": str(RETRY_AFTER)})


def _internal(request: HttpRequest, wrong: Exception) -> Response[Refusal]:
    """Log an unexpected error by its kind and place, never by its words, which may hold a card."""
    place = wrong.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = "" if place is None else f"{Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"
    if isinstance(wrong, UnicodeDecodeError):
        return _refusal(400, "bad_request", "The request is wrong: it is not UTF-8 text.")
    if isinstance(wrong, RecursionError) and where.startswith("msgspec"):
        return _refusal(400, "bad_request", "The request is wrong: it is nested too deeply.")
    _LOG.error("internal error", extra={"kind": type(wrong).__name__, "where": where, "path": request.scope["path"]})
    return _refusal(500, "fault", our_fault(request_id()))


EXCEPTION_HANDLERS: dict[int | type[Exception], Callable[..., Response[Refusal] | Response[bytes]]] = {
    ApiError: _api_error,
    ValidationException: _invalid,
    HTTPException: _http,
    BadRequest: _says(400, "bad_request"),
    BadSettings: _says(400, "bad_request"),
    BadFacts: _says(400, "bad_request"),
    BadQuestion: _says(400, "bad_request"),
    BadCursor: _says(409, "bad_cursor"),
    BadKeys: _says(409, "no_key"),
    NoSuchRound: _says(404, "unknown_round"),
    NoRecord: _says(409, "round_in_play"),
    UnknownGame: _says(404, "unknown_game"),
    Refused: _refused,
    HouseStopped: _stopped,
    HouseAway: _away,
    StoreLost: _away,
    Exception: _internal,
}
