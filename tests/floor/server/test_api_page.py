"""The pages on the API and on running a house say what is so: every door, action, step, message and setting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar.routes import HTTPRoute

from croupier.floor.duties.duties_page import markdown
from croupier.floor.duties.permissions import EVERYBODY, MATRIX, MAY, Action, Post
from croupier.floor.house.refusal_log import KEPT_A_MINUTE
from croupier.floor.people.authorization import ACTIONS
from croupier.floor.server.http_limits import ASKED_WITHIN, FILES_OF_OUR_OWN, FILES_WANTED, LONGEST_BODY
from croupier.floor.server.live_connection import HELD_BACK, LONGEST, MISSED, SIGNED_OUT, TOO_MANY
from croupier.floor.server.login.auth import LOCKED_FOR, TRIES
from croupier.floor.server.settings import Settings, read_settings
from croupier.floor.server.wire.messages import MESSAGES
from tests.floor.serving import Served

DOCS = Path(__file__).parents[3] / "docs"
API, OPERATIONS = ((DOCS / name).read_text(encoding="utf-8") for name in ("api.md", "operations.md"))
PLACES = {"name": "NAME", "game": "GAME", "other": "OTHER", "number": "NUMBER", "key": "ID"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("page")) as served:
        yield served


def rows(page: str) -> Iterator[tuple[str, str]]:
    """The first and the last column of every table of a page."""
    for line in page.splitlines():
        cells = line.strip("|").split("|")
        if line.startswith("| ") and len(cells) > 1:
            yield cells[0].strip(), cells[-1].strip()


def test_every_door_is_on_the_page_with_its_action(served: Served) -> None:
    """And nothing else is."""
    said = {}
    for doors, action in rows(API):
        for door in re.findall(r"`((?:GET|POST|DELETE) [^`]+)`", doors):
            said[door] = action.partition(",")[0]
    found = {}
    for route in served.app.routes:
        if not isinstance(route, HTTPRoute) or "{file_path" in route.path or route.path == "/":
            continue
        path = re.sub(r"\{(\w+):\w+\}", lambda place: PLACES.get(place[1], place[0]), route.path)
        for handler in route.route_handlers:
            for method in handler.http_methods - {"OPTIONS", "HEAD"}:
                asked = handler.opt.get("action")
                found[f"{method} {path}"] = asked.value if isinstance(asked, Action) else "public"
    del found["GET /api/schema/{path:str}"]  # whatever else is asked for there is not found
    assert said == found


def test_the_page_says_who_may_do_what() -> None:
    """As the one declared table does."""
    said = {action: posts for action, posts in rows(API) if action in list(Action) and posts != "---"}
    named = {
        action.value: "everybody"
        if posts == EVERYBODY
        else ", ".join(post.value.replace("_", " ") for post in Post if post in posts)
        for action, posts in MAY.items()
    }
    assert said == named


def test_the_matrix_in_the_documentation_is_the_declared_one() -> None:
    """`python -m croupier.floor.duties.duties_page` writes the page."""
    assert (DOCS / "duties.md").read_text(encoding="utf-8") == "\n".join(markdown()) + "\n"
    assert set(MATRIX) == set(Action)
    assert all(action.means for action in Action)


def test_every_step_and_every_message_is_on_the_page() -> None:
    """With the limits that it names."""
    steps = {step for steps, by in rows(API) if by for step in re.findall(r"`([a-z_]+)`", steps)}
    assert steps == set(ACTIONS)
    assert set(re.findall(r'"type": "(\w+)"', API)) == set(MESSAGES)
    for figure in (
        f"{LONGEST:,} characters",
        f"more than {MISSED}",
        f"Code {SIGNED_OUT}",
        f"Code {HELD_BACK}",
        f"{LONGEST_BODY // 1024} KiB",
    ):
        assert figure in API
    assert (TRIES, LOCKED_FOR) == (5, 15 * 60)
    assert "Five wrong passwords lock a name out for a quarter of an hour" in API
    plain = Settings()
    assert f"{plain.requests_per_second:.0f} requests a second of one person" in API
    assert f"{plain.searches_per_person} searches of one person, {plain.searches_per_address}\nfrom one address" in API
    most = f"of a person ({plain.sockets_per_person}) or an address ({plain.sockets_per_address:,})"
    assert f"{TOO_MANY} one too many {most}" in API
    assert f"A connection follows {plain.watches_per_socket:,} tables and links" in API
    assert f"the first {KEPT_A_MINUTE} of one person in a minute are kept" in API


def test_every_setting_is_on_the_page_and_in_the_example() -> None:
    """With what holds without it."""
    told = {name: default for names, default in rows(OPERATIONS) for name in re.findall(r"`([a-z_]+)`", names)}
    assert set(Settings.__struct_fields__) <= set(told)
    plain = Settings()
    at_once = ("sockets_per_person", "sockets_per_address", "watches_per_socket")
    searches = ("searches_per_person", "searches_per_address")
    for name in ("session_hours", "requests_per_second", "log_ins_per_minute", *at_once, *searches):
        assert told[name] == f"{getattr(plain, name):.0f}"
    for name in ("host", "port", "database", "name"):
        assert str(getattr(plain, name)) in told[name]
    example = (DOCS / "example-config.toml").read_text(encoding="utf-8")
    for name in Settings.__struct_fields__:
        assert re.search(rf"^(?:{name} = |\[\[{name}\]\]|\[{name}\])", example, re.MULTILINE), (
            f"{name} is not in the example"
        )
    assert read_settings(DOCS / "example-config.toml", {}).session_hours == plain.session_hours
    for figure in (f"within {ASKED_WITHIN:.0f} seconds", f"at most {FILES_WANTED:,}", "less a hundred"):
        assert figure in OPERATIONS
    assert FILES_OF_OUR_OWN == 100
