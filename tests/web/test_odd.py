"""What nobody plans for: addresses that lead nowhere, pages of others, two screens, a full table, keys alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.conftest import PHONE, Visit, shoot
from tests.web.house import House
from tests.web.playing import NEXT_ROUND, sit
from tests.web.staff import at_console, dealt, enter_bet, fold_all, no_more_bets, open_bets

NOWHERE = {
    "#/table/Nowhere": "There is no table Nowhere",
    "#/table/%E0%A4%A": "There is no table",
    "#/replay/Baobab/99999999": "has not played round 99999999",
    "#/replay/Foo/1": "There is no table Foo",
    "#/replay/Baobab/abc": "There is no such page",
    "#/rules/snap": 'There is no game "snap"',
    "#/compare/snap/snap": 'There is no game "snap"',
    "#/display/nowhere": "There is no link nowhere here",
    "#/pit": "The pit is for the staff who run the house",
    "#/dealer/Felt": "The console is for dealers and the pit",
    "#/audit": "for the staff who may audit",
    "#/people": "The administrator enrols people here",
}
"""What a player reads there."""


@pytest.fixture
def house(fresh_house: House) -> House:
    return fresh_house


def test_an_address_that_leads_nowhere_says_so(visit: Visit, house: House) -> None:
    """Whatever stands in the address, the page says in words what is wrong, and goes on."""
    page = visit(name="ana")
    for route, says in NOWHERE.items():
        page.goto(f"{house.address}/{route}")
        expect(page.locator("main")).to_contain_text(says)
        expect(page.locator(".offline")).to_have_count(0)
    page.goto(f"{house.address}/#/")
    expect(page.locator(".table-card").first).to_be_visible()


def test_two_screens_of_one_player_agree(visit: Visit, house: House) -> None:
    """Chips laid on one are gone from the balance of the other; each takes back what was laid last, on either;
    logging out on one ends both, and says so.
    """
    first = visit()
    sit(first, "Baobab")
    second = first.context.new_page()
    second.goto(f"{house.address}/#/table/Baobab")
    expect(second.locator('[data-test="balance"]')).to_have_text("1,000.00")
    first.locator('.stage-betting .spot[data-bet="ante"]:enabled').click(timeout=NEXT_ROUND)
    expect(second.locator('.spot[data-bet="ante"]')).to_contain_text("25.00")
    expect(second.locator('[data-test="balance"]')).to_have_text("975.00")
    second.locator('.spot[data-bet="jackpot"]').click()
    expect(first.locator('[data-test="balance"]')).to_have_text("970.00")
    first.locator('[data-tool="undo"]:enabled').click()
    expect(second.locator('[data-test="balance"]')).to_have_text("975.00")
    second.locator('[data-tool="undo"]:enabled').click()
    expect(first.locator('[data-test="balance"]')).to_have_text("1,000.00")
    for screen in (first, second):
        expect(screen.locator('[data-tool="undo"]')).to_be_disabled()
    second.locator(".who").click()
    second.get_by_role("dialog", name="Settings").get_by_role("button", name="Log out").click()
    expect(first.locator(".toast")).to_contain_text("session is over")
    expect(first.get_by_role("button", name="Play as a guest")).to_be_visible()


def test_the_link_of_a_table_seats_a_visitor_as_a_guest(visit: Visit) -> None:
    """One button, no log-in form and no names of staff; a table that does not exist is said to a visitor as well."""
    page = visit(PHONE, "#/table/Nope")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no table Nope")
    page = visit(PHONE, "#/table/Orchid")
    expect(page.locator("main")).not_to_contain_text("surveillance")
    page.get_by_role("button", name="Play as a guest").click()
    expect(page.locator('[data-test="balance"]')).to_have_text("1,000.00")
    page.locator(".felt .tile").first.wait_for()


def test_a_full_table_says_so(visit: Visit, staffed_house: House) -> None:
    """Every box is taken: whoever comes is told, and sees no chips to lay."""
    dealer = at_console(visit, "Felt", at=staffed_house)
    player = visit(at=staffed_house)
    open_bets(dealer)
    for box in range(1, 8):
        enter_bet(dealer, box, "Ante", "10.00")
    player.locator('a[href="#/table/Felt"]').click()
    expect(player.locator('[data-test="full"]')).to_contain_text("Every box of this table is taken")
    assert player.locator(".tray").count() == 0
    shoot(player, "table-full")
    dealer.get_by_role("button", name="Box 4 Ante 10").click()
    expect(player.locator('[data-mine="4"] .spot[data-bet="ante"]')).to_be_enabled()
    fold_all(dealer, 1, 2, 3, 5, 6, 7)


def test_a_table_may_be_called_anything_that_a_name_may_hold(visit: Visit) -> None:
    """Signs that mean something in an address, forty letters in one word: its page opens, and nothing is too wide."""
    player = visit((320, 640))
    manager = visit(name="manager")
    manager.get_by_role("button", name="Links and new tables").click()
    form = manager.get_by_role("region", name="Open a table")
    for name in ("50% off?#&", "x" * 40):
        form.get_by_label("Name").fill(name)
        form.get_by_label("A dealer runs it").check()
        form.get_by_role("button", name="Open", exact=True).click()
        expect(manager.locator(".wall .name", has_text=name)).to_be_visible()
        assert manager.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        card = player.locator(".table-card a", has_text=name)
        card.wait_for(timeout=NEXT_ROUND)
        assert player.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        card.click()
        expect(player.locator(".table-head h1")).to_contain_text(name)
        assert player.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        player.go_back()
    form.get_by_label("Name").fill("..")
    form.get_by_role("button", name="Open", exact=True).click()
    expect(form.locator('input[name="name"]:invalid')).to_have_count(1)


def test_a_round_by_the_keyboard_alone(visit: Visit) -> None:
    """From the table's link to the decision without a pointer: keys lay chips, take them back, and bet; a key that is
    pressed before the last one is answered is not lost.
    """
    page = visit()
    page.locator('a[href="#/table/Baobab"]').focus()
    page.keyboard.press("Enter")
    page.locator(".felt .tile").first.wait_for()
    sit(page, "Baobab")
    ante, total = page.locator('.spot[data-bet="ante"]'), page.locator(".total")
    for key in ("2", "a", "a", "d"):
        page.keyboard.press(key)
    expect(ante).to_contain_text("40.00")
    page.keyboard.press("u")
    expect(total).to_contain_text("On the table 20.00")
    page.keyboard.press("j")
    expect(total).to_contain_text("On the table 25.00")
    page.keyboard.press("n")  # no more time is needed, and nobody else has to say so
    page.locator('[data-choice="call"]:enabled').wait_for()
    page.keyboard.press("b")  # the key of a Bonus: pressed too late, it costs nothing
    page.keyboard.press("g")
    expect(page.locator('.spot[data-bet="call"]')).to_contain_text("40.00")
    page.locator('[data-test="results"]').wait_for(timeout=NEXT_ROUND)


@pytest.mark.parametrize(("typed", "says"), [("zz Qh", "is not a card"), ("Ah AH Kd", "typed twice")])
def test_what_is_no_card_is_said_before_it_is_sent(visit: Visit, staffed_house: House, typed: str, says: str) -> None:
    """Words that are no cards and a card typed twice are marked, and nothing can be sent; a wrong amount as well."""
    page = at_console(visit, "Felt", at=staffed_house)
    open_bets(page)
    enter_bet(page, 2, "Ante", "25.00")
    no_more_bets(page)
    dealt(page)
    page.locator('[data-lies="2"]').fill("many")
    expect(page.locator(".due")).to_contain_text("not an amount")
    expect(page.locator('[data-decide="2-flop"]')).to_be_disabled()
    page.locator('[data-lies="2"]').fill("")
    page.locator('[data-decide="2-flop"]').click()
    page.locator("[data-confirm]").click()
    dealt(page)
    page.locator('[data-place="community"]').fill(typed)
    expect(page.locator(".enter .wrong")).to_contain_text(says)
    expect(page.get_by_role("button", name="Turned")).to_be_disabled()
    page.get_by_role("button", name="Irregularity").click()
    page.locator('[data-incident="foreign_card"]').click()
    page.get_by_role("button", name="Report it").click()
    page.get_by_role("button", name="Void the round").click()
    expect(page.locator('[data-test="pay"]')).to_contain_text("25.00")
