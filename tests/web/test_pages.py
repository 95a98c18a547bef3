"""What holds for every page: axe-core has nothing serious to say, and the first load is small."""

from __future__ import annotations

import gzip
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from croupier.floor.server.app import STATIC
from tests.patience import PATIENCE
from tests.web.conftest import DESKTOP, LANDSCAPE, PHONE, TABLET, Visit, cannot, log_in, serious, shoot
from tests.web.house import House

MOST = 120_000
"""Bytes of compressed script and style, in all."""

PAGES = {
    "lobby": ("", "#/", ".table-card"),
    "login": ("", "#/login", "form"),
    "display": ("", "#/display/main", ".meter .figure:not(:empty)"),
    "rules": ("", "#/rules/sun-casino-holdem", ".facts"),
    "compare": ("", "#/compare/rws-multilink-three-card/sun-casino-holdem", ".compared"),
    "felt": ("ana", "#/table/Orchid", ".felt .tile"),
    "three-cards": ("ana", "#/table/Trishaw", ".felt .tile"),
    "felt-watched": ("surveillance", "#/table/Marina", ".felt .tile"),
    "dealer": ("dealer", "#/dealer/Felt", ".steps"),
    "pit": ("shift", "#/pit", ".wall li"),
    "rounds": ("auditor", "#/rounds", ".found"),
    "rounds-of-a-player": ("ana", "#/rounds/Baobab", ".found"),
    "my-rounds": ("ana", "#/my-rounds", ".limits"),
    "replay": ("auditor", "#/replay/Baobab/1", ".log"),
    "audit": ("auditor", "#/audit", '[aria-label="Chains"] tbody tr'),
    "people": ("admin", "#/people", ".people li"),
    "cage": ("cage", "#/cage", ".people li"),
    "duties": ("dealer", "#/duties", "tbody tr"),
    "nothing": ("ana", "#/no/such/page", "h1"),
}
"""Who sees what, and what is there when the page is."""
SIZES = {"desktop": DESKTOP, "tablet": TABLET, "phone": PHONE, "landscape": LANDSCAPE, "small": (320, 640)}


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(visit: Visit, name: str) -> None:
    """At every size; nothing is wider than the screen, and nothing is said in the browser's console."""
    person, route, there = PAGES[name]
    page = visit(DESKTOP, "#/", silent=True)
    if person:
        log_in(page, person)
    page.goto(f"{page.url.split('#')[0]}{route}")
    page.locator(there).first.wait_for()
    for called, size in SIZES.items():
        page.set_viewport_size({"width": size[0], "height": size[1]})
        shoot(page, f"page-{name}-{called}")
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{name} is too wide"


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
    """All script and style of the client, compressed; fonts are apart."""
    if not (STATIC / "index.html").exists():
        cannot("The client is not built: `python web/build.py` builds it.")
    total = sum(len(gzip.compress(path.read_bytes())) for path in STATIC.rglob("*") if path.suffix in (".js", ".css"))
    assert 1_000 < total < MOST


def test_pages_are_sent_compressed_and_answers_are_not(visit: Visit, house: House) -> None:
    """Script, style and page go over the wire as small as that; the length of what the API says betrays nothing."""
    visit().locator(".table-card").first.wait_for()  # the client is built
    for path, encoding in (("app.js", "gzip"), ("style.css", "gzip"), ("", "gzip"), ("api/me", None)):
        asked = Request(f"{house.address}/{path}", headers={"accept-encoding": "gzip"})
        with urlopen(asked, timeout=PATIENCE) as answer:
            assert answer.headers["content-encoding"] == encoding
            sent = answer.read()
        if path == "app.js":
            assert gzip.decompress(sent) == (STATIC / path).read_bytes()
