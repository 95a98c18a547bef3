"""Time that runs out: what it costs is said beforehand, and afterwards that it was the clock."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import LANDSCAPE, PHONE, Visit, shoot
from tests.web.house import House, patient
from tests.web.playing import CROSSES, NEXT_ROUND, close_bets, lay, results, sit

SECONDS = 15
"""To decide."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("late"), patient("Orchid", SECONDS) + patient("Baobab")) as house:
        yield house


def is_dealt(page: Page) -> None:
    close_bets(page, "Orchid")
    page.locator(".late").first.wait_for()


def test_a_choice_of_hands_says_what_time_costs_and_ends_with_it(visit: Visit) -> None:
    """Two boxes on a phone on its side: both hands are lost, both lines are read; then no button is left to tap."""
    page = visit(LANDSCAPE)
    sit(page, "Orchid")
    for box in (3, 4):
        lay(page, box, ante=25)
    is_dealt(page)
    panel = page.locator(".rail .ask")
    expect(panel).to_contain_text("The others are played blind.")
    expect(panel.locator(".late")).to_have_text("No decision in time: you lose 50.00.")
    for text in ("p", ".late", "button"):
        expect(panel.locator(text).last).to_be_in_viewport(ratio=1)
    shoot(page, "late-choice-landscape")
    expect(page.get_by_role("button", name="Look at box 4")).to_have_count(0, timeout=1000 * (SECONDS + 60))
    results(page)
    review = page.locator('[data-test="review"]')
    expect(review.locator("li")).to_have_count(2)
    expect(review).to_contain_text("Box 3 · No decision in time: you lost 25.00.")
    expect(page.locator(".rail .late")).to_have_text("Time ran out: folded")


def test_a_decision_without_a_fold_names_what_the_clock_takes(visit: Visit) -> None:
    """rws-multilink-holdem 5.5 at the Turn: Ante and Flop. The player has left: every other page leads back with the
    seconds, says when they have run out, and then what the round has brought. The replay says that the time ran out,
    not that the player went, and what was decided is still listed after the visit there.
    """
    page = visit(PHONE)
    sit(page, "Orchid")
    lay(page, 3, ante=25)
    is_dealt(page)
    expect(page.locator(".late")).to_have_text("No decision in time: you lose 25.00.")
    page.locator('[data-choice="flop"]:enabled').click()
    page.locator('[data-choice="turn"]').wait_for()
    expect(page.locator(".late")).to_have_text("No decision in time: you lose 75.00.")
    shoot(page, "late-turn-phone")
    back = page.locator('[data-test="way-back"]')
    for address in ("#/", "#/my-rounds", "#/rules", "#/account", "#/table/Baobab"):
        page.evaluate("address => { location.hash = address }", address)
        expect(back).to_contain_text(re.compile(r"Orchid · Your turn: \d+ s No decision in time: you lose 75\.00\."))
    page.locator(".felt .tile").first.wait_for()
    assert not page.evaluate(CROSSES, [".way-back", '.table-page *, .balance, .top [aria-label="Settings"]'])
    shoot(page, "late-elsewhere-phone")
    expect(back).to_contain_text("Time ran out: folded", timeout=1000 * (SECONDS + 60))
    expect(back).to_contain_text("You lose 75.00", timeout=NEXT_ROUND)
    shoot(page, "late-elsewhere-over-phone")
    back.click()
    results(page)
    expect(back).to_have_count(0)
    expect(page.locator(".rail .late")).to_have_text("Time ran out: folded")
    review = page.locator('[data-test="review"]')
    expect(review).to_contain_text("No decision in time: you lost 75.00.")
    page.get_by_role("link", name="Replay").first.click()
    moves = page.locator(".moves")
    expect(moves).to_contain_text(re.compile(r"guest-\w+: the time to decide has run out\."))
    expect(moves).to_contain_text("Reported: no decision in time.")
    expect(moves).to_contain_text("Fold, as the rules say when no decision comes.")
    expect(moves).not_to_contain_text("walk")
    page.go_back()
    expect(review).to_contain_text("No decision in time: you lost 75.00.")
