"""Measures what a browser draws: `python -m bench.frames [--slower 4] [--seconds 10]`.

A real Chromium and a house of its own. First the first paint and the layout shift of pages, in a browser slowed down;
then frames a second while six boxes are dealt on a phone, and while the meter of the display rolls. The time between
frames is the browser's own stamp. Measured, never asserted: a busy machine draws fewer.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.browser import find
from tests.web.conftest import PHONE, SWITCHES, WAIT, until
from tests.web.house import GAMES, TABLE, House
from tests.web.playing import close_bets, lay, sit

SIZES = {"phone": PHONE, "desktop": (1440, 900)}
PAGES = {
    "lobby": ("#/", ".table-card"),
    "table": ("#/table/Orchid", ".felt .tile"),
    "display": ("#/display/main", ".meter .figure:not(:empty)"),
    "rules": ("#/rules/sun-casino-holdem", ".facts"),
}
BOXES, BOTS = 6, 3
TAKEN = "n => [...document.querySelectorAll('.tile')].filter(t => !t.innerText.includes('free')).length >= n"
"""Bots have bet: their boxes are not offered to others."""
COLLECT = """
(seconds) => new Promise((done) => {
  const stamps = [];
  const end = performance.now() + seconds * 1000;
  const frame = (at) => {
    stamps.push(at);
    if (at < end) requestAnimationFrame(frame);
    else done(stamps);
  };
  requestAnimationFrame(frame);
})
"""
PAINTED = """() => new Promise((done) => {
  let shift = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((e) => { shift += e.hadRecentInput ? 0 : e.value; }))
    .observe({ type: "layout-shift", buffered: true });
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  setTimeout(() => done([paint.startTime, shift]), 1000);
})"""


def open_page(browser: Browser, size: tuple[int, int], slower: float, address: str) -> Page:
    """Open a page of a new visitor who likes motion, in a slowed browser."""
    scale, touch = (3, True) if size == PHONE else (1, False)
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, device_scale_factor=scale, has_touch=touch
    )
    page = context.new_page()
    page.set_default_timeout(WAIT)
    if slower > 1:
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(address)
    return page


def paint(browser: Browser, house: House, slower: float) -> None:
    """Print the first paint of each page and how much of it moves afterwards."""
    for name, (route, there) in PAGES.items():
        for called, size in SIZES.items():
            page = open_page(browser, size, slower, f"{house.address}/{route}")
            if name == "table":  # a stranger becomes a guest by a tap in the lobby
                page.goto(f"{house.address}/#/")
                page.locator(f'a[href="{route}"]').click()
                page.locator(there).first.wait_for()
                page.reload()
            page.locator(there).first.wait_for()
            first, shift = page.evaluate(PAINTED)
            print(f"{name}, {called}: first paint after {first:.0f} ms, layout shift {shift:.4f}")
            page.context.close()


def deal(browser: Browser, house: House, slower: float) -> None:
    """Print the frames of a deal to six boxes, on a phone."""
    page = open_page(browser, PHONE, slower, f"{house.address}/#/")
    sit(page, "Orchid")
    until(page, TAKEN, BOTS)
    for box in range(1, BOXES + 1):
        if page.locator(f'.tile[data-box="{box}"]', has_text="free").count():
            lay(page, box, ante=10)
    close_bets(page, "Orchid")
    page.locator(".card").first.wait_for()
    boxes = page.locator(".tile:has(.card), [data-mine]:has(.card)").count()
    print(f"deal to {boxes} boxes on a phone: {frames(page.evaluate(COLLECT, 3.0))}")
    page.context.close()


def roll(browser: Browser, house: House, seconds: float) -> None:
    """Print the frames of the display while its meter rolls."""
    page = open_page(browser, (1920, 1080), 1, f"{house.address}/#/display/main")
    page.locator(".meter .figure:not(:empty)").wait_for()
    before = page.locator(".meter .figure").first.inner_text()
    until(page, "t => document.querySelector('.meter .figure').innerText !== t", before)
    print(f"display: {frames(page.evaluate(COLLECT, seconds))}")
    page.context.close()


def frames(stamps: Sequence[float]) -> str:
    gaps = [later - earlier for earlier, later in pairwise(stamps)]
    return (
        f"{len(gaps) / (sum(gaps) / 1000):.1f} frames a second over {sum(gaps) / 1000:.1f} s: median gap "
        f"{median(gaps):.1f} ms, 99 of 100 within {sorted(gaps)[int(len(gaps) * 0.99)]:.1f} ms, "
        f"longest {max(gaps):.1f} ms"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slower", type=float, default=4.0, help="how many times slower pages of players run")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long the display is watched")
    asked = parser.parse_args()
    found = find()
    if found is None:
        print("No Chromium on this machine: `python -m tests.web.browser` gets one.")
        return 2
    tables = "".join(TABLE.format(name=name, game=game) for name, game in GAMES.items())
    with tempfile.TemporaryDirectory() as folder, House(Path(folder), tables) as house, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=found, args=[*SWITCHES])
        print(f"Pages of players in a browser {asked.slower:g} times slower:")
        paint(browser, house, asked.slower)
        deal(browser, house, asked.slower)
        deal(browser, house, 1)
        roll(browser, house, asked.seconds)
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
