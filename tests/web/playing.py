"""A player's taps, for all tests that play."""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from functools import cache
from itertools import count

from playwright.sync_api import Page, expect

from tests.patience import PATIENCE
from tests.web.conftest import shoot

SECONDS = "Number(document.querySelector('.stage-betting .ring text')?.textContent ?? 0)"
"""Until bets are closed; 0 where they are not open."""
ENOUGH = 40
"""Seconds in which even a slow machine lays its bets."""
SIDE = {"Orchid": "bonus", "Trishaw": "pair_plus", "Marina": "bonus", "Merlion": "bonus"}
NEXT_ROUND = 600_000
"""Milliseconds until bets are open again, on a busy machine."""
_IDS = count(1)

CROSSES = """kinds => {
  const rects = kind => [...document.querySelectorAll(kind)].map(e => e.getBoundingClientRect()).filter(r => r.width);
  const [some, others] = kinds.map(rects);
  return some.some(a => others.some(b => a.left < b.right - 1 && a.right > b.left + 1 && a.top < b.bottom - 1
    && a.bottom > b.top + 1));
}"""
"""Whether what one selector finds lies over what the other does."""


def sit(page: Page, table: str) -> None:
    """At a table whose bets are open with time left; whoever is on the way there is waited for by the caller."""
    if not page.url.endswith(f"#/table/{table}"):
        page.locator(f'a[href="#/table/{table}"]').click()
    ends = time.monotonic() + NEXT_ROUND / 1000
    looks = count(1)
    while not bets_are_open(page, table):
        assert time.monotonic() < ends, "bets are never open"
        page.wait_for_timeout(50)
        if not next(looks) % 100:
            end_hands(page, table)


def bets_are_open(page: Page, table: str) -> bool:
    """Whether they are, with time enough left; a round with too little of it is sent on its way."""
    seconds = int(page.evaluate(SECONDS))
    if 0 < seconds < ENOUGH:
        close_bets(page, table)
    return seconds >= ENOUGH


def close_bets(page: Page, *tables: str) -> None:
    """A dealer says "no more bets", so that nobody waits for the clock; it may have run out meanwhile."""
    for table in tables:
        _as_dealer(page, table, do="close_bets")


def end_hands(page: Page, table: str) -> None:
    """A dealer enters a decision for every hand that waits for one: an earlier test may have left one at a table whose
    players have an hour.
    """
    for box in range(1, 8):
        for choice in ("fold", "check"):
            _as_dealer(page, table, do="decide", box=box, choice=choice)


def _as_dealer(page: Page, table: str, **command: str | int) -> None:
    """Give a command that may come too late."""
    house = page.url.split("/#")[0]
    sent = command | {"id": f"dealer-{next(_IDS)}-{time.monotonic_ns()}"}
    try:
        _post(f"{house}/api/tables/{table}/commands", sent, _dealer(house))
    except urllib.error.HTTPError as refused:
        if refused.code == 401:  # an earlier house had the same port
            _dealer.cache_clear()
            _as_dealer(page, table, **command)


@cache
def _dealer(house: str) -> str:
    """The token of a dealer's session."""
    return str(_post(f"{house}/api/login", {"name": "dealer", "password": "croupier-demo"})["token"])


def _post(address: str, body: Mapping[str, str | int], token: str = "") -> dict[str, object]:
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    asked = urllib.request.Request(address, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
        told = json.load(answer)
    assert isinstance(told, dict)
    return told


def bet(page: Page, table: str) -> None:
    """Two taps a bet: 25 on the Ante, 10 on the side bet where the game has one, and the jackpot coin."""
    page.locator('[data-chip="25"]').click()
    page.locator('.spot[data-bet="ante"]').first.click()
    expect(page.locator('.spot[data-bet="ante"]').first).to_contain_text("25.00")
    if table in SIDE:
        page.locator('[data-chip="10"]').click()
        page.locator(f'.spot[data-bet="{SIDE[table]}"]').first.click()
        expect(page.locator(f'.spot[data-bet="{SIDE[table]}"]').first).to_contain_text("10.00")
    expect(page.locator(".lamp.invited").first).to_be_visible()
    page.locator('.spot[data-bet="jackpot"]').first.click()
    expect(page.locator(".lamp.placed").first).to_be_visible()


def lay(page: Page, box: int, **amounts: int) -> None:
    """Bets on one box of several, one chip each; the jackpot's spot has its own amount."""
    page.locator(f'.tile[data-box="{box}"]').press("Enter")  # a click may fall on a printed spot, which bets at once
    for kind, amount in amounts.items():
        spot = page.locator(f'[data-mine="{box}"] .spot[data-bet="{kind}"]')
        page.locator(f'[data-chip="{amount}"]').click()
        spot.click()
        expect(spot).to_contain_text(f"{amount}.00")


def results(page: Page) -> None:
    """Until the round is settled."""
    page.locator('[data-test="results"]').wait_for(timeout=NEXT_ROUND)


def replay_a_settled_round(page: Page) -> None:
    """The auditor's search, asked until a round of the bots is settled; then its replay."""
    settled = page.locator(".found tbody tr", has_text="settled").filter(has_text=re.compile("Baobab|Trishaw"))
    until = time.monotonic() + NEXT_ROUND / 1000
    while not settled.count():
        assert time.monotonic() < until, "no round is settled"
        close_bets(page, "Baobab", "Trishaw")
        page.get_by_role("button", name="Search").click()
        page.wait_for_timeout(1000)
    shoot(page, "rounds")
    settled.first.get_by_role("link").click()
    page.locator(".log").wait_for()


def cents(text: str | None) -> int:
    found = re.search(r"-?[\d,]+\.\d\d", (text or "").replace("−", "-"))
    assert found, text
    return int(found[0].replace(",", "").replace(".", ""))
