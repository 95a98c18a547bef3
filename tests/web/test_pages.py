"""What holds for every page: axe-core has nothing serious to say, and the first load is small."""

from __future__ import annotations

import gzip
from urllib.request import Request, urlopen

import brotli
import pytest
from playwright.sync_api import expect

from croupier.floor.server.app import STATIC
from tests.patience import PATIENCE
from tests.web.conftest import DESKTOP, PHONE, SHIFT_MOST, SHIFTED, Visit, cannot, serious, shoot
from tests.web.house import House
from tests.web.screens import SCREENS, SIZES

MOST = 120_000
"""Bytes of compressed script and style, in all."""


@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_nothing_serious(visit: Visit, name: str) -> None:
    """At every size; nothing is wider than the screen, and nothing is said in the browser's console."""
    person, route, there = SCREENS[name]
    page = visit(DESKTOP, route, name=person, silent=True)
    page.locator(there).first.wait_for()
    for called, size in SIZES.items():
        page.set_viewport_size({"width": size[0], "height": size[1]})
        shoot(page, f"page-{name}-{called}")
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{name} is too wide"


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize(
    ("route", "there"),
    [("#/display/main", ".meter .figure:not(:empty)"), ("#/rules/sun-casino-holdem", ".facts"), ("#/", ".table-card")],
    ids=["display", "rules", "lobby"],
)
def test_a_page_does_not_move_while_it_loads(visit: Visit, route: str, there: str, size: tuple[int, int]) -> None:
    """What arrives later takes no place from what is there."""
    page = visit(size, route)
    page.locator(there).first.wait_for()
    assert page.evaluate(SHIFTED) < SHIFT_MOST


TITLES = {
    "#/": "Croupier",
    "#/login/table/Orchid": "Log in · Croupier",
    "#/rules/sun-casino-holdem": "Rules sun-casino-holdem · Croupier",
    "#/rules/snap": "Rules snap · Croupier",
    "#/display/main": "Jackpot main · Croupier",
    "#/no-such-page": "No such page · Croupier",
}


def test_every_tab_says_which_page_it_shows(visit: Visit) -> None:
    """Also to a stranger, who is told of a page that does not exist instead of being asked who he is."""
    page = visit(silent=True)
    for route, title in TITLES.items():
        page.goto(f"{page.url.split('#')[0]}{route}")
        expect(page).to_have_title(title)
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no such page")


def test_the_settings_are_kept(visit: Visit) -> None:
    """Four-colour deck and no motion: switched on once, still so after the page is opened again."""
    page = visit(PHONE)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Four-colour deck").check()
    page.get_by_label("Motion").uncheck()
    shoot(page, "settings")
    assert serious(page) == []
    page.get_by_role("button", name="Done").click()
    page.reload()
    expect(page.locator("html.four-colour.still")).to_have_count(1)


def test_the_first_load_is_small() -> None:
    """All script and style of the client, compressed as browsers of today ask for it; fonts are apart."""
    if not (STATIC / "index.html").exists():
        cannot("The client is not built: `python web/build.py` builds it.")
    total = sum(
        path.with_name(f"{path.name}.br").stat().st_size for path in STATIC.rglob("*") if path.suffix in (".js", ".css")
    )
    assert 1_000 < total < MOST


def test_pages_are_sent_compressed_and_answers_are_not(visit: Visit, house: House) -> None:
    """Script, style and page go over the wire as small as that; the length of what the API says betrays nothing."""
    visit().locator(".table-card").first.wait_for()  # the client is built
    for path, takes, encoding in (
        ("app.js", "gzip", "gzip"),
        ("app.js", "gzip, br", "br"),
        ("app.js", "identity", None),
        ("style.css", "br", "br"),
        ("", "gzip", "gzip"),
        ("api/me", "gzip, br", None),
    ):
        asked = Request(f"{house.address}/{path}", headers={"accept-encoding": takes})
        with urlopen(asked, timeout=PATIENCE) as answer:
            assert answer.headers["content-encoding"] == encoding
            sent = answer.read()
        if encoding == "br":
            assert brotli.decompress(sent) == (STATIC / path).read_bytes()
        elif encoding == "gzip" and path:
            assert gzip.decompress(sent) == (STATIC / path).read_bytes()
