"""The description of the API at `/api/schema`: bodies as msgspec encodes them, refusals, security."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from litestar import Request, Router
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

from croupier import __version__
from croupier.floor.server.guard import COOKIE, CSRF_HEADER, SAFE_METHODS
from croupier.floor.server.wire.measures import Outcome
from croupier.floor.server.wire.messages import AnyMessage
from croupier.floor.server.wire.refusal import Refusal
from croupier.floor.views.live_messages import ServerMessage

LIVE_ADDRESS = "/api/live"
CLIENT_MESSAGES: tuple[type[msgspec.Struct], ...] = get_args(AnyMessage)
SERVER_MESSAGES: tuple[type[msgspec.Struct], ...] = get_args(ServerMessage)
REF = "#/components/schemas/{name}"
WAITS = ResponseSpec(Outcome, generate_examples=False, description="It waits for a second person, or for the player.")
DONE = ResponseSpec(Outcome, generate_examples=False, description="It was done at once.")

_MEANS = {
    400: "The request cannot be read, or asks for what does not exist.",
    401: "There is no session, or it is over.",
    403: "The person may not do this, or the request comes from a page of another site.",
    404: "There is no such thing.",
    409: "The rules or the state of the house forbid it.",
    413: "The body is too long.",
    423: "The session was not used for a while and is locked.",
    429: "Too many requests, or too much at once.",
    503: "The house waits for its database, or has stopped.",
}

SECURITY_SCHEMES = {
    "session": SecurityScheme(
        type="apiKey", name=COOKIE, security_scheme_in="cookie", description="The cookie that a log-in sets."
    ),
    "csrf": SecurityScheme(
        type="apiKey",
        name=CSRF_HEADER,
        security_scheme_in="header",
        description="With the cookie, on every request that changes something: `csrf` of the log-in.",
    ),
    "token": SecurityScheme(type="http", scheme="bearer", description="`token` of the log-in, for programs."),
}


def describe(handler: HTTPRouteHandler) -> None:
    """Add to a route's description every refusal that it may answer, and the credentials that it needs."""
    refusals = {
        status: ResponseSpec(Refusal, generate_examples=False, description=_MEANS[status])
        for status in _statuses(handler)
    }
    handler.responses = refusals | dict(handler.responses or {})
    if handler.opt.get("public"):
        handler.security = []
    elif handler.http_methods <= set(SAFE_METHODS):
        handler.security = [{"session": []}, {"token": []}]
    else:
        handler.security = [{"session": [], "csrf": []}, {"token": []}]


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


# ---------------------------------------------------------------- bodies


def bodies(handlers: Iterable[HTTPRouteHandler]) -> list[type[msgspec.Struct]]:
    """List every struct that a route takes or answers, without those inside another."""
    found: dict[type[msgspec.Struct], None] = {Refusal: None}
    for handler in handlers:
        hints = get_type_hints(handler.fn, include_extras=False)
        answers = (each.data_container for each in (handler.responses or {}).values())
        for spec in (hints["return"], hints.get("data"), *answers):
            found.update(dict.fromkeys(_structs(spec)))
    return list(found)


def structs_of(handlers: Iterable[HTTPRouteHandler]) -> list[type[msgspec.Struct]]:
    """List every struct on the wire: bodies of requests and answers, and live messages."""
    return [*bodies(handlers), *CLIENT_MESSAGES, *SERVER_MESSAGES]


def _structs(annotation: object) -> Iterator[type[msgspec.Struct]]:
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        yield annotation
    elif get_origin(annotation) is not None:
        for argument in get_args(annotation):
            yield from _structs(argument)


def schemas(structs: Iterable[type[msgspec.Struct]]) -> dict[str, object]:
    """Return the JSON schema of these structs and of all that are inside them, by name."""
    _, components = msgspec.json.schema_components(tuple(structs), ref_template=REF)
    return {name: components[name] for name in sorted(components)}


class ApiDescription:
    """The whole description: the framework's paths, and the schemas of msgspec in place of those that it guesses."""

    def __init__(self, handlers: Iterable[HTTPRouteHandler]) -> None:
        self._handlers = tuple(handlers)
        self._schemas: dict[str, object] | None = None

    def complete(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Add every body and every live message to the document."""
        if self._schemas is None:
            self._schemas = schemas(structs_of(self._handlers))
        return {
            **document,
            "components": {**document["components"], "schemas": self._schemas},
            "x-live": {
                "address": LIVE_ADDRESS,
                "description": "One WebSocket: JSON messages that the client sends, and messages that it receives.",
                "client": [_reference(message) for message in CLIENT_MESSAGES],
                "server": [_reference(message) for message in SERVER_MESSAGES],
            },
        }

    def config(self) -> OpenAPIConfig:
        """Configure the framework to serve the description, as JSON and YAML."""
        return OpenAPIConfig(
            title="Croupier",
            version=__version__,
            components=Components(security_schemes=dict(SECURITY_SCHEMES)),
            openapi_router=Router("/api/schema", route_handlers=[], opt={"public": True}, include_in_schema=False),
            render_plugins=[
                _Json(self, path=["/", "/openapi.json"]),
                _Yaml(self, path="/openapi.yaml"),
            ],
        )


def _reference(message: type[msgspec.Struct]) -> dict[str, str]:
    return {"$ref": REF.format(name=message.__name__)}


class _Json(JsonRenderPlugin):
    def __init__(self, description: ApiDescription, path: list[str]) -> None:
        super().__init__(path=path)
        self._description = description

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return super().render(request, self._description.complete(openapi_schema))


class _Yaml(YamlRenderPlugin):
    def __init__(self, description: ApiDescription, path: str) -> None:
        super().__init__(path=path)
        self._description = description

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return super().render(request, self._description.complete(openapi_schema))
