"""What holds for every page: axe-core has nothing serious to say, and the first load is small."""

from __future__ import annotations

import gzip

import pytest

from croupier.floor.server.app import STATIC
from tests.web.conftest import DESKTOP, PHONE, Visit, cannot, log_in, serious, shoot

SCRIPT_MOST = 150_000
"""Bytes of compressed script at the first load."""

PAGES = {
    "lobby": ("", "#/"),
    "login": ("", "#/login"),
    "display": ("", "#/display/main"),
    "rules": ("", "#/rules/sun-casino-holdem"),
    "felt": ("ana", "#/table/Orchid"),
    "dealer": ("dealer", "#/dealer/Felt"),
    "pit": ("shift", "#/pit"),
    "rounds": ("auditor", "#/rounds"),
    "replay": ("auditor", "#/replay/Baobab/1"),
}


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(visit: Visit, name: str) -> None:
    """At desktop and at phone size."""
    person, route = PAGES[name]
    page = visit(DESKTOP, "#/")
    if person:
        log_in(page, person)
    page.goto(f"{page.url.split('#')[0]}{route}")
    page.locator("main").wait_for()
    page.wait_for_timeout(700)
    for size, called in ((DESKTOP, "desktop"), (PHONE, "phone")):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        shoot(page, f"page-{name}-{called}")
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{name} is too wide"


def test_the_first_load_is_small() -> None:
    """All script of the client, compressed."""
    if not (STATIC / "index.html").exists():
        cannot("The client is not built: `python web/build.py` builds it.")
    total = sum(len(gzip.compress(path.read_bytes())) for path in STATIC.rglob("*.js"))
    assert 1_000 < total < SCRIPT_MOST
