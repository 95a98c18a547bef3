"""A player's taps, for all tests that play."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Page, expect

from tests.web.conftest import shoot, until

TIME_LEFT = "Number(document.querySelector('.stage-betting .ring text')?.textContent ?? 0) >= 8"
SIDE = {"Orchid": "bonus", "Trishaw": "pair_plus", "Marina": "bonus", "Merlion": "bonus"}
NEXT_ROUND = 180_000
"""Milliseconds until bets are open again, on a busy machine."""


def sit(page: Page, table: str) -> None:
    """At a table whose bets are open with time left."""
    if not page.url.endswith(f"#/table/{table}"):
        page.locator(f'a[href="#/table/{table}"]').click()
    until(page, f"() => {TIME_LEFT}", timeout=NEXT_ROUND)


def bets_are_open(page: Page) -> bool:
    return bool(page.evaluate(TIME_LEFT))


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
    page.locator(f'.tile[data-box="{box}"]').click()
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
        page.get_by_role("button", name="Search").click()
        page.wait_for_timeout(1000)
    shoot(page, "rounds")
    settled.first.get_by_role("link").click()
    page.locator(".log").wait_for()


def cents(text: str | None) -> int:
    found = re.search(r"-?[\d,]+\.\d\d", (text or "").replace("−", "-"))
    assert found, text
    return int(found[0].replace(",", "").replace(".", ""))
