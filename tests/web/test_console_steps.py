"""A dealer's steps at a table with real cards: a second box from the felt, every step of the deal, a void round."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import Visit, serious, shoot
from tests.web.house import House
from tests.web.staff import at_console, dealt, enter_bet, no_more_bets, open_bets

SMALL = (1180, 820)


def test_a_named_player_opens_a_second_box_from_the_felt(visit: Visit, staffed_house: House) -> None:
    """Their name at box 4, a chip and a spot: it is their bet there, and nothing is added to a buy-in."""
    page = at_console(visit, "Felt", SMALL, at=staffed_house)
    open_bets(page)
    enter_bet(page, 2, "Ante", "25.00")
    page.locator('[data-box="4"]').click()
    form = page.locator("form.buy-in", has_text="Buy-in at box 4")
    form.get_by_label("For a known player").fill("ana")
    expect(page.locator(".console-tray")).to_contain_text("Box 4, ana: tap the spots. Chips:")
    page.locator('[data-chip="100"]').click()
    expect(form.get_by_label("Money")).to_have_value("")
    form.get_by_role("button", name="Take it").click()
    page.locator('[data-mine="4"] [data-bet="ante"]').click()
    expect(page.locator(".boxes-table .stake")).to_have_text(["Ante 25", "Ante 100"])
    page.locator('[data-box="6"]').click()
    page.locator('[data-chip="25"]').click()
    expect(page.locator("form.buy-in").get_by_label("Money")).to_have_value("25.00")
    enter_bet(page, 6, "Ante", "25.00")
    expect(page.locator("form.buy-in").get_by_label("Money")).to_have_value("")


def test_the_reasons_of_a_refusal_close_by_themselves(visit: Visit, staffed_house: House) -> None:
    """With "Why?" open, Escape closes the message, and so does the next tap elsewhere."""
    page = at_console(visit, "Felt", SMALL, at=staffed_house)
    open_bets(page)
    enter_bet(page, 7, "Ante", "25.00")
    enter_bet(page, 7, "Jackpot", "5.00")
    why = page.locator(".toast summary", has_text="Why?")
    for by_key in (True, False):
        page.locator('[data-mine="7"] [data-bet="jackpot"]').click()
        why.click()
        expect(page.locator(".toast details[open] .rule").first).to_be_visible()
        if by_key:
            page.keyboard.press("Escape")
        else:
            page.locator('[data-box="2"]').click()
        expect(page.locator(".toast.refusal")).to_have_count(0)


def twice(page: Page, control: Locator) -> None:
    """A finger that taps twice where it meant to tap once."""
    control.scroll_into_view_if_needed()
    box = control.bounding_box()
    assert box
    for _ in range(2):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(150)


def test_a_second_tap_does_nothing_to_what_has_come_under_the_finger(visit: Visit, staffed_house: House) -> None:
    """A box that is tapped twice has no new bet, a step that is tapped twice shows the next one, and what six boxes
    choose after an exposed card (rws-multilink-holdem 5.10) is one list that stays where it is until it is confirmed.
    """
    page = at_console(visit, "Felt", (1024, 768), at=staffed_house)
    twice(page, page.get_by_role("button", name="Open bets"))
    expect(page.locator(".say")).to_have_text("Bets are open")
    boxes = (1, 2, 3, 4, 5, 6)
    for box in boxes:
        enter_bet(page, box, "Ante", "25.00")
    for box in boxes:
        twice(page, page.locator(f'[data-box="{box}"]'))
    spot = page.locator('[data-mine="6"] [data-bet="ante"]')
    expect(page.locator(".boxes-table .stake")).to_have_text(["Ante 25"] * 6)
    page.wait_for_timeout(400)
    twice(page, spot)
    expect(page.locator(".boxes-table .stake").last).to_have_text("Ante 75")
    felt = page.locator("felt-table").bounding_box()
    assert felt
    assert felt["y"] + felt["height"] <= 768
    no_more_bets(page)
    twice(page, page.get_by_role("button", name="Done", exact=True))
    expect(page.locator(".say")).to_have_text("Deal one card to each box clockwise, twice over")
    page.get_by_role("button", name="Done", exact=True).press("Enter")
    page.get_by_role("button", name="Irregularity").click()
    dialog = page.locator("report-dialog")
    dialog.locator('[data-incident="cards_exposed"]').click()
    for box in boxes:
        dialog.get_by_role("checkbox", name=str(box), exact=True).check(force=True)
    dialog.get_by_role("button", name="Report it").click()
    last = page.locator('[data-decide="6-return"]')
    before = last.bounding_box()
    twice(page, page.locator('[data-decide="1-return"]'))
    for box in boxes[1:]:
        page.locator(f'[data-decide="{box}-continue"]').click()
    page.locator('[data-undo="6"]').click()
    last.click()
    assert last.bounding_box() == before
    shoot(page, "console-options")
    assert serious(page) == []
    page.get_by_role("button", name="Confirm 6 decisions").click()
    expect(page.locator(".say")).to_contain_text("Each box decides")
    expect(page.locator(".boxes-table tbody tr")).to_have_count(6)


def test_every_step_of_the_deal_is_called_and_confirmed(visit: Visit, staffed_house: House) -> None:
    """Burn, then two cards to each box; the cards lie on the felt when the last step is done. No decision has the focus
    by itself, and rws-multilink-holdem 5.5 decides for a player who has left."""
    page = at_console(visit, "Felt", SMALL, at=staffed_house)
    open_bets(page)
    enter_bet(page, 2, "Ante", "25.00")
    no_more_bets(page)
    say, now = page.locator(".next .say"), page.locator(".steps .now")
    done = page.get_by_role("button", name="Done", exact=True)
    for step in ("Burn one card", "Deal one card to each box clockwise, twice over"):
        expect(say).to_have_text(step)
        expect(now).to_contain_text(step)
        expect(page.locator('.felt-panel [data-mine="2"] .card, .felt-panel .hand .card')).to_have_count(0)
        done.press("Enter")
    expect(say).to_contain_text("Each box decides")
    expect(page.locator(".next .due")).to_be_focused()
    page.get_by_role("button", name="Irregularity").click()
    dialog = page.locator("report-dialog")
    dialog.locator('[data-incident="walked_away"]').click()
    expect(dialog.get_by_role("button", name="Report it")).to_be_disabled()
    dialog.get_by_label("Which player?").select_option("ana")
    expect(dialog.locator('[data-test="consequence"]')).to_contain_text("5.5")
    shoot(page, "console-walked-away")
    dialog.get_by_role("button", name="Report it").click()
    expect(page.locator('[data-test="pay"]')).to_contain_text("Take 25.00")


def test_a_void_round_is_asked_for_once_and_seen_in_the_pit(visit: Visit, staffed_house: House) -> None:
    """Two exposed cards: the console names what goes back, and the pit is told by whom and why, until it is seen."""
    page = at_console(visit, "Felt", SMALL, at=staffed_house)
    open_bets(page)
    enter_bet(page, 2, "Ante", "25.00")
    enter_bet(page, 5, "Ante", "50.00")
    no_more_bets(page)
    dealt(page)
    page.get_by_role("button", name="Irregularity").click()
    dialog = page.locator("report-dialog")
    dialog.locator('[data-incident="cards_exposed"]').click()
    dialog.get_by_label("How many cards?").fill("-3")
    expect(dialog.get_by_role("button", name="Report it")).to_be_disabled()
    dialog.get_by_label("How many cards?").fill("2")
    dialog.get_by_role("button", name="Report it").click()
    expect(dialog).to_contain_text("All bets go back: Box 2 25.00 and Box 5 50.00.")
    assert serious(page) == []
    dialog.get_by_role("button", name="Back").click()
    twice(page, dialog.get_by_role("button", name="Report it"))
    expect(page.locator('[data-test="pay"]')).to_have_count(0)
    dialog.get_by_role("button", name="Void the round").press("Enter")
    expect(page.locator('[data-test="pay"]')).to_contain_text("Give back 50.00")
    pit = visit(at=staffed_house, name="supervisor")
    expect(pit.locator(".attention .void")).to_contain_text("75.00")
    told = pit.locator('[data-void="Felt"]')
    expect(told).to_contain_text("75.00")
    expect(told).to_contain_text("dealer")
    assert serious(pit) == []
    pit.get_by_role("button", name="Seen").click()
    expect(pit.locator(".attention .void")).to_have_count(0)
