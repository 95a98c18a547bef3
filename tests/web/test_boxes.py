"""Boxes at the dealer's console: who sits there from round to round, the last round's bets, and the last tap undone."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import Visit
from tests.web.house import House
from tests.web.staff import at_console, done_all, enter_bet, fold_all, no_more_bets, open_bets


def spot(page: Page, box: int, bet: str) -> Locator:
    return page.locator(f'[data-mine="{box}"] [data-bet="{bet}"]')


def stakes(page: Page) -> Locator:
    return page.locator(".boxes-table .stake")


def buy_in(page: Page, box: int, money: str) -> None:
    """Chips for a patron without an account."""
    page.locator(f'[data-box="{box}"]').click()
    page.locator(".buy-in").get_by_label("Money").fill(money)
    page.locator(".buy-in").get_by_role("button", name="Take it").click()
    expect(page.locator('[data-test="box-chips"]')).to_be_visible()


def settle_fold(page: Page, box: int) -> None:
    """The box folds, and every act is confirmed."""
    fold_all(page, box)
    done_all(page, page.get_by_role("button", name="Open bets"))


def test_a_box_keeps_its_patron_from_round_to_round(visit: Visit, staffed_house: House) -> None:
    """After a round, a reload and in another tab box 4 has its patron and their chips, until these are taken away."""
    page = at_console(visit, "Felt", at=staffed_house)
    open_bets(page)
    buy_in(page, 4, "200.00")
    expect(page.locator(".toast")).to_contain_text("Box 4: 2 × 100. They have 200.00.")
    other = at_console(visit, "Felt", at=staffed_house)
    other.locator('[data-box="4"]').click()
    expect(other.locator('[data-test="box-chips"]')).to_contain_text("200.00")
    spot(page, 4, "ante").click()
    expect(stakes(page)).to_have_text("Ante 25")
    settle_fold(page, 4)
    open_bets(page)
    page.reload()
    page.locator('[data-box="4"]').click()
    expect(page.locator(".console-tray")).to_contain_text("Box 4: tap the spots.")
    expect(page.locator('[data-test="box-chips"]')).to_contain_text("175.00")
    spot(page, 4, "ante").press("Enter")
    expect(stakes(page)).to_have_text("Ante 25")
    page.get_by_role("button", name="Undo box 4 Ante").click()
    expect(stakes(page)).to_have_count(0)
    expect(page.locator(".console-tray")).to_contain_text("Box 4: tap the spots.")
    page.locator('[data-box="6"]').click()
    expect(page.locator(".console-tray")).to_contain_text("Box 6 has no chips")
    expect(page.get_by_label("Player", exact=True)).to_have_value("")
    expect(page.get_by_text("colour change for")).to_have_count(0)
    page.locator('[data-box="4"]').click()
    form = page.locator("form.buy-in", has_text="Chips out or colour change for Box 4")
    form.get_by_label("Chips", exact=True).fill("175.00")
    form.get_by_role("button", name="Give").click()
    expect(page.locator(".console-tray")).to_contain_text("Box 4 has no chips")


def test_the_last_chip_alone_is_undone(visit: Visit, staffed_house: House) -> None:
    """A second Ante chip by mistake, after Bonus and jackpot: it comes off, and the older taps can be undone too."""
    page = at_console(visit, "Felt", at=staffed_house)
    open_bets(page)
    buy_in(page, 7, "300.00")
    laid = ["Ante 25"]
    for bet, amount in (("ante", ""), ("bonus", "Bonus 25"), ("jackpot", "Jackpot 5")):
        spot(page, 7, bet).click()
        laid += [amount] if amount else []
        expect(stakes(page)).to_have_text(laid)
    spot(page, 7, "ante").click()
    expect(stakes(page)).to_have_text(["Ante 50", "Bonus 25", "Jackpot 5"])
    undo = page.locator('[data-tool="undo"]')
    for left in (["Ante 25", "Bonus 25", "Jackpot 5"], ["Ante 25", "Bonus 25"], ["Ante 25"], []):
        undo.click()
        expect(stakes(page)).to_have_text(left)
    expect(undo).to_be_disabled()


def test_the_last_rounds_bets_are_placed_once_and_undone(visit: Visit, staffed_house: House) -> None:
    """What lies there already is not placed again; the button rests when all lies there; undo takes all of it off."""
    page = at_console(visit, "Felt", at=staffed_house)
    open_bets(page)
    enter_bet(page, 3, "Ante", "25.00")
    enter_bet(page, 3, "Bonus", "10.00")
    enter_bet(page, 5, "Ante", "50.00")
    fold_all(page, 3, 5)
    done_all(page, page.get_by_role("button", name="Open bets"))
    open_bets(page)
    again = page.get_by_role("button", name="As in the last round", exact=True)
    enter_bet(page, 5, "Ante", "50.00")
    again.click()
    expect(stakes(page)).to_have_text(["Ante 25", "Bonus 10", "Ante 50"])
    expect(again).to_be_disabled()
    page.get_by_role("button", name="Undo “as in the last round”").click()
    expect(stakes(page)).to_have_text(["Ante 50"])
    expect(again).to_be_enabled()


def test_the_dealer_sees_the_meter(visit: Visit, staffed_house: House) -> None:
    page = at_console(visit, "Felt", at=staffed_house)
    expect(page.locator('[data-test="meter"]')).to_have_text("jackpot 184,250.00")
    open_bets(page)
    no_more_bets(page)
