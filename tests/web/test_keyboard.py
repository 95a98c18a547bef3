"""Played with the keyboard alone, and heard: no control loses its user, and each turn of a round is said once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Visit, serious
from tests.web.house import House
from tests.web.playing import NEXT_ROUND, close_bets, sit

MOST_TABS = 80


@pytest.fixture
def house(fresh_house: House) -> House:
    return fresh_house


def tab_to(page: Page, wanted: str) -> None:
    """Tab, and Tab again, until the keyboard is there."""
    for _ in range(MOST_TABS):
        if at(page, wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} is not reached by {MOST_TABS} tabs")


def at(page: Page, wanted: str) -> bool:
    return bool(page.evaluate("wanted => document.activeElement.matches(wanted)", wanted))


def until_at(page: Page, wanted: str) -> None:
    page.wait_for_function("wanted => document.activeElement.matches(wanted)", arg=wanted, timeout=NEXT_ROUND)


def test_a_whole_round_by_tab_and_enter(visit: Visit) -> None:
    """From the door to the proof of the deck: the keyboard stays on the spot that was bet on, goes to each decision as
    it comes and to the result, and comes back from a paragraph to where it was opened.
    """
    page = visit()
    aloud = page.locator('[data-test="aloud"]')
    page.locator(".table-card").first.wait_for()
    tab_to(page, 'a[href="#/table/Orchid"]')
    page.keyboard.press("Enter")
    page.locator(".felt .tile").first.wait_for()
    sit(page, "Orchid")
    tab_to(page, '[data-bet="ante"]')
    tab_to(page, '[role="radio"]')
    assert at(page, '[data-chip="25"]')
    page.keyboard.press("ArrowLeft")
    assert at(page, '[data-chip="10"][aria-checked="true"]')
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    assert not at(page, '[role="radio"]'), "the chips are one stop"
    page.locator('.spot[data-bet="ante"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('.spot[data-bet="ante"]')).to_contain_text("25.00")
    until_at(page, '[data-bet="ante"]:enabled')
    tab_to(page, '[data-bet="jackpot"], [role="radio"]')
    page.keyboard.press("j")
    expect(page.locator(".lamp.placed")).to_be_visible()
    close_bets(page, "Orchid")
    page.locator("[data-choice]").first.wait_for()
    for said in (r"Your decision\. Box \d: .+ Flop 50\.00 or Fold\?", "On the table: .+, .+, .+ of", "Check"):
        expect(aloud).to_have_text(re.compile(said), timeout=NEXT_ROUND)
        page.locator("[data-choice]:enabled").first.wait_for()
        if "Flop" in said:
            tab_to(page, "[data-choice]")
        else:
            until_at(page, ".choices")
            page.keyboard.press("Tab")
        assert at(page, "[data-choice]:enabled")
        page.keyboard.press("Enter")
    until_at(page, '[data-test="results"] h2')
    expect(aloud).to_have_text(re.compile(r"^Settled\..* Your result: [+−]?[\d,.]+\.$"))
    page.keyboard.press("Tab")
    assert at(page, ".why summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    opened = page.evaluate("document.activeElement.textContent")
    assert "paragraph " in opened
    page.keyboard.press("Enter")
    expect(page.locator("rule-dialog dialog[open]")).to_be_visible()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.textContent") == opened
    tab_to(page, ".after button")
    page.keyboard.press("Enter")
    expect(page.locator("proof-dialog .proof li.up")).to_have_count(3)


def test_boxes_and_clock_have_names(visit: Visit) -> None:
    """A box says whose it is and what lies on it; the clock is asked for, and says nothing by itself."""
    page = visit()
    sit(page, "Baobab")
    expect(page.get_by_role("button", name=re.compile(r"^Box \d: free$")).first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile(r"^Box \d: taken, \d+ bet$")).first).to_be_visible()
    page.locator('.spot[data-bet="ante"]').click()
    expect(page.get_by_role("button", name=re.compile(r"^Box \d: you, 25 bet$"))).to_be_visible()
    close_bets(page, "Baobab")
    page.locator("[data-choice]").first.wait_for()
    mine = re.compile(r"^Box \d: you, 25 bet, \w+ of \w+, \w+ of \w+$")
    expect(page.get_by_role("button", name=mine)).to_be_visible()
    assert page.locator('[role="status"] .ring, [aria-live] .ring').count() == 0
    assert serious(page) == []
