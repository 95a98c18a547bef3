"""Practice: exact values at one's own decision, the best choice, what a mistake cost, and the house edge."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.patience import COMPILING
from tests.web.conftest import DESKTOP, PHONE, Visit, serious, shoot
from tests.web.house import House
from tests.web.lab import warmed
from tests.web.playing import CROSSES, bet, close_bets, lay, results, sit


@pytest.fixture
def house(fresh_house: House) -> House:
    return fresh_house


@pytest.fixture(scope="module")
def lab() -> None:
    told = warmed("sun-casino-holdem", "rws-multilink-holdem")
    assert all(each.figures is not None for each in told)


def practise(page: Page, table: str, edge: str) -> None:
    """At a table whose lab is loaded, with practice on and bets open."""
    sit(page, table)
    expect(page.locator('[data-test="edge"]')).to_contain_text(edge, timeout=1000 * COMPILING)
    page.get_by_role("button", name="Practice off").click()
    expect(page.get_by_role("button", name="Practice on")).to_be_visible()
    sit(page, table)


def values(page: Page) -> dict[str, float]:
    """What stands on the buttons, in antes."""
    found = {}
    for label in page.locator("[data-worth]").all():
        number = re.search(r"[+−]?\d+\.\d\d", label.inner_text())
        assert number, label.inner_text()
        found[str(label.get_attribute("data-worth"))] = float(number[0].replace("−", "-"))
    return found


@pytest.mark.usefixtures("lab")
def test_a_decision_says_what_each_choice_is_worth(visit: Visit, house: House) -> None:
    """Casino Hold'em on a phone: folding is worth −1.00 antes; the better choice is marked, in gold as no button is
    without practice, and it is no mistake.
    """
    page = visit(PHONE)
    practise(page, "Baobab", "2.16%")
    bet(page, "Baobab")
    close_bets(page, "Baobab")
    page.locator('[data-worth="call"]').wait_for()
    shoot(page, "practice-phone")
    worth = values(page)
    assert worth["fold"] == -1.00
    best = max(worth, key=lambda choice: worth[choice])
    expect(page.locator(f'[data-worth="{best}"]')).to_contain_text("antes · best")
    gold = page.locator("[data-choice]:not(.even)")
    expect(gold).to_have_count(1)
    expect(gold).to_have_attribute("data-choice", best)
    page.get_by_role("button", name="Practice on").click()
    expect(gold).to_have_count(0)
    page.get_by_role("button", name="Practice off").click()
    page.get_by_role("button", name="How the values are counted").click()
    counted = page.locator('[data-test="counted"]')
    expect(counted).to_be_in_viewport()
    assert not page.evaluate(CROSSES, ['[data-test="counted"]', ".felt"])
    expect(counted).to_contain_text("Not counted: Jackpot")
    expect(counted.locator("li").first).to_be_hidden()
    counted.locator("summary").click()
    expect(counted).to_contain_text(re.compile(r"Call −?[\d,]+( ∕ [\d,]+)?"))
    assert serious(page) == []
    page.locator(f'[data-choice="{best}"]').click()
    results(page)
    expect(page.locator('[data-test="review"]')).to_contain_text("the best choice")


@pytest.mark.usefixtures("lab")
def test_a_mistake_has_its_price(visit: Visit, house: House) -> None:
    """Texas Hold'em: whoever takes the worse choice at the flop reads by how much, in antes and in money."""
    page = visit(DESKTOP)
    practise(page, "Orchid", "2.04%")
    expect(page.locator('[data-test="edge"]')).to_contain_text("Bonus 8.54%")
    bet(page, "Orchid")
    close_bets(page, "Orchid")
    page.locator('[data-worth="flop"]').wait_for()
    worth = values(page)
    assert worth["fold"] == -1.40, "the Ante and a Bonus of 10 on 25"
    worse = min(worth, key=lambda choice: worth[choice])
    cost = abs(worth["flop"] - worth["fold"])
    page.locator(f'[data-choice="{worse}"]').click()
    while not page.locator('[data-test="results"]').count():
        choice = page.locator('[data-choice="check"]:enabled').or_(page.locator('[data-test="results"]')).first
        choice.wait_for()
        if page.locator('[data-choice="check"]:enabled').count():
            page.locator('[data-choice="check"]').click()
            page.wait_for_timeout(100)
    review = page.locator('[data-test="review"]')
    expect(review).to_contain_text("this cost")
    shoot(page, "practice-mistake")
    said = re.search(r"this cost (?:less than )?(\d+\.\d\d) antes", review.inner_text())
    assert said
    assert abs(float(said[1]) - cost) < 0.02


@pytest.mark.usefixtures("lab")
def test_nobody_is_told_of_a_hand_that_he_has_not_looked_at(visit: Visit, house: House) -> None:
    """With two boxes the figures come for the hand that was looked at; the other is played blind, and says so."""
    page = visit(DESKTOP)
    practise(page, "Orchid", "2.04%")
    for box in (3, 4):
        lay(page, box, ante=25)
    close_bets(page, "Orchid")
    page.get_by_role("button", name="Look at box 3").wait_for()
    asked = page.evaluate("fetch('/api/tables/Orchid/practice').then(r => r.json())")
    assert asked["boxes"] == []
    page.get_by_role("button", name="Look at box 3").click()
    page.locator('[data-for="3"] [data-worth="fold"]').wait_for()
    expect(page.locator('[data-for="4"] .coach')).to_contain_text("blind")
    assert page.locator('[data-for="4"] [data-worth]').count() == 0
    assert page.locator('[data-for="4"] [data-choice]:not(.even)').count() == 0
    asked = page.evaluate("fetch('/api/tables/Orchid/practice').then(r => r.json())")
    assert [box["box"] for box in asked["boxes"]] == [3]
