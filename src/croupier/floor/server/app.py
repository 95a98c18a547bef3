"""The application: routes, guard, state and limits put together."""

from __future__ import annotations

from pathlib import Path

from litestar import Litestar, Request, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.response import File
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler, LifespanHook

from croupier import verify
from croupier.floor.feed.events import Feed
from croupier.floor.feed.webhooks import Webhooks
from croupier.floor.live.floor import Floor
from croupier.floor.live.floor_base import LiveFloor
from croupier.floor.people.passwords import COST
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.floor.server.dependencies import DEPENDENCIES
from croupier.floor.server.displayed_names import AnswerNames
from croupier.floor.server.errors import EXCEPTION_HANDLERS
from croupier.floor.server.guard import guard, known_query
from croupier.floor.server.http_limits import LONGEST_BODY, on_every_answer
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.openapi import ApiDescription, describe
from croupier.floor.server.routes.access import account, duties, people, sessions
from croupier.floor.server.routes.pit import calls, cashier, dealer_notes, lock_screen, measures, procedure, proposals
from croupier.floor.server.routes.play import advice, games, links, live, own_play, tables
from croupier.floor.server.routes.records import audit, disputes, feed, operation, rounds
from croupier.floor.server.routes.training import academy, lessons
from croupier.floor.server.settings import Settings
from croupier.floor.server.telemetry.logs import RequestFigures
from croupier.journal.store_address import open_store

STATIC = Path(__file__).parent / "static"

MODULES = (
    sessions, account, tables, procedure, dealer_notes, links, measures, proposals, cashier, people, duties,
    calls, lock_screen, rounds, own_play, advice, audit, disputes, feed, academy, lessons, games, operation,
)  # fmt: skip
"""Every route of these modules is served."""
HTTP_ROUTES = tuple(
    route for module in MODULES for route in vars(module).values() if isinstance(route, HTTPRouteHandler)
)
for _route in HTTP_ROUTES:
    describe(_route)

BUNDLES = ["/app.js", "/style.css"]
"""Files that the build has compressed as far as it goes, which would take too long for each visitor."""
UNCOMPRESSED = ["^/api", "^/health", "^/ready", "^/metrics", *(f"^{path}$" for path in BUNDLES)]
"""Only pages are compressed here: the length of a compressed answer could tell the secrets in it."""
COMPRESSION = CompressionConfig(backend="brotli", brotli_gzip_fallback=True, exclude=UNCOMPRESSED)
OPEN: dict[str, object] = {"public": True, "any_query": True}


def is_client_built() -> bool:
    """Return whether the pages for browsers are built; a fresh copy of the sources has none yet."""
    return (STATIC / "index.html").is_file()


@get("/verify.py", opt={"public": True}, include_in_schema=False, sync_to_thread=False)
def verifier() -> File:
    """Serve the program that checks an exported round with Python alone."""
    return File(path=Path(verify.__file__), filename="verify.py", media_type="text/x-python")


@get(BUNDLES, opt=OPEN, include_in_schema=False, sync_to_thread=False)
def bundle(request: Request[None, None, State]) -> File:
    """Serve script or style in the smallest form that the browser takes."""
    name, taken = request.url.path.removeprefix("/"), request.headers.get("accept-encoding", "")
    encoding = next((encoding for encoding in ("br", "gzip") if encoding in taken), None)
    headers = {"vary": "accept-encoding"} | ({"content-encoding": encoding} if encoding else {})
    path = STATIC / (f"{name}.{encoding}" if encoding else name)
    kind = "text/javascript" if name.endswith(".js") else "text/css"
    return File(path=path, media_type=kind, headers=headers, content_disposition_type="inline")


def page_routes() -> list[ControllerRouterHandler]:
    """Return the routes of the pages for browsers, where they are built."""
    if not is_client_built():
        return []
    return [
        verifier,
        bundle,
        create_static_files_router(path="/", directories=[STATIC], html_mode=True, opt=OPEN),
    ]


def built_app(
    floor: LiveFloor,
    settings: Settings,
    routes: list[ControllerRouterHandler],
    state: dict[str, object],
    *,
    start: list[LifespanHook],
    stop: list[LifespanHook],
    described: OpenAPIConfig | None = None,
) -> Litestar:
    """Build an application with the guard, limits and headers of a house and of its fronts."""
    return Litestar(
        route_handlers=routes,
        guards=[guard, known_query],
        dependencies=DEPENDENCIES,
        middleware=[AnswerNames],
        compression_config=COMPRESSION,
        state=State({"floor": floor, "settings": settings, **state}),
        on_startup=start,
        on_shutdown=stop,
        openapi_config=described,
        before_send=[on_every_answer(secure=settings.secure_cookies)],
        request_max_body_size=LONGEST_BODY,
        logging_config=None,
        exception_handlers=EXCEPTION_HANDLERS,
    )


def make_app(
    floor: Floor,
    settings: Settings,
    *,
    keys: Keys = NO_KEYS,
    cost: int = COST,
    requests: RequestFigures | None = None,
) -> Litestar:
    """Build the application that serves one floor; `cost` is scrypt's, for every password that is set."""
    log_ins = Sessions(floor, settings, keys=keys, cost=cost)
    coach, recount = advice.Coach(), audit.Recount()
    events = Feed(lambda: open_store(floor.house.store.url, create=False, read_only=True))
    webhooks = Webhooks(floor.house.store.url, settings.webhooks, events)
    searches = rounds.Searches(of_one_person=settings.searches_per_person, of_one_address=settings.searches_per_address)
    own = {"coach": coach, "recount": recount, "open_calls": {}, "lapsed": {}, "requests": requests or RequestFigures()}
    return built_app(
        floor,
        settings,
        [*HTTP_ROUTES, live.live, feed.feed_live, *page_routes()],
        {"sessions": log_ins, "searches": searches, "feed": events, **own},
        start=[log_ins.idle.begin, webhooks.start],
        stop=[webhooks.stop, coach.close, recount.close, searches.close, log_ins.close, events.close],
        described=ApiDescription(HTTP_ROUTES).config(),
    )
