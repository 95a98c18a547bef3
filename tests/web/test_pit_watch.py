"""What the pit watches: rulings, dealers, restarts, and where the keyboard goes after a decision."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.conftest import Visit, serious, shoot, until
from tests.web.house import House
from tests.web.staff import at_console, enter_bet, fold_all, no_more_bets, open_bets


def at_pit(visit: Visit, name: str, at: House) -> Page:
    page = visit((1440, 900), "#/pit", name=name, at=at)
    page.get_by_role("heading", name="Pit", exact=True).wait_for()
    return page


def ruled(visit: Visit, at: House) -> tuple[Page, Page]:
    """Cards drawn together are reported, and the pit has the ruling before it: both pages."""
    dealer, player = at_console(visit, "Desk", at=at), visit(at=at)
    open_bets(dealer)
    player.locator('a[href="#/table/Desk"]').click()
    player.locator('.spot[data-bet="ante"]').click()
    expect(player.locator('.spot[data-bet="ante"]')).to_contain_text("25.00")
    no_more_bets(dealer)
    player.locator("[data-choice]").first.wait_for()
    dealer.get_by_role("button", name="Irregularity").click()
    dealer.locator('[data-incident="simultaneous_draw"]').click()
    dealer.locator("report-dialog").get_by_role("checkbox", name="3", exact=True).check(force=True)
    dealer.get_by_role("button", name="Report it").click()
    return player, at_pit(visit, "supervisor", at)


def test_the_alarm_of_a_ruling_ends_with_the_ruling(visit: Visit, staffed_house: House) -> None:
    """Then the player chooses: the drawer still shows it, but nothing waits for the pit, and the focus stays there."""
    player, pit = ruled(visit, staffed_house)
    alarm = pit.locator(".attention .ruling")
    expect(alarm).to_contain_text("Desk: ")
    pit.locator('[data-ruling="Desk"] [data-order="Box 3"]').click()
    rule = pit.locator('[data-ruling="Desk"] [data-rule]').first
    rule.focus()
    pit.keyboard.press("Enter")
    expect(pit.get_by_text("The boxes choose: on their own screens, or through the dealer.")).to_be_visible()
    expect(alarm).to_have_count(0)
    expect(pit.locator(".attention")).to_contain_text("Nothing is waiting.")
    expect(pit.locator('.wall [data-table="Desk"]')).to_have_class(re.compile("lamp-playing"))
    until(pit, "document.activeElement.closest('.drawer') !== null")
    player.get_by_role("button", name=re.compile("back$")).first.click()
    expect(pit.locator("[data-ruling]")).to_have_count(0)
    until(pit, "document.activeElement.closest('.drawer') !== null")
    assert serious(pit) == []


def test_the_keyboard_goes_on_to_the_next_signature(visit: Visit, staffed_house: House) -> None:
    """Two hand-overs wait: after the first is signed the second has the focus, after that the drawer."""
    pages = [at_console(visit, table, at=staffed_house) for table in ("Felt", "Desk")]
    for page in pages:
        page.get_by_text("Hand the table over").click()
        page.get_by_label("Dealer who takes over").fill("shift")
        page.get_by_label("Chips in the tray").fill("12500.00")
        page.get_by_role("button", name="Propose the hand-over").click()
        expect(page.locator(".toast", has_text="Proposed")).to_be_visible()
    again = pages[0]
    again.get_by_label("Dealer who takes over").fill("shift")
    again.get_by_label("Chips in the tray").fill("12500.00")
    again.get_by_role("button", name="Propose the hand-over").click()
    expect(again.locator(".toast", has_text="was proposed already and waits")).to_be_visible()
    pit = at_pit(visit, "supervisor", staffed_house)
    expect(pit.locator(".attention .sign").first).to_contain_text("with 12,500.00 in the tray")
    waiting = pit.locator('[aria-label="Second signatures"] article')
    expect(waiting).to_have_count(2)
    pit.locator("[data-sign]").first.focus()
    pit.keyboard.press("Enter")
    expect(waiting).to_have_count(1)
    expect(waiting).to_be_focused()
    pit.locator("[data-sign]").focus()
    pit.keyboard.press("Enter")
    expect(waiting).to_have_count(0)
    expect(pit.locator(".drawer h2").first).to_be_focused()


def test_a_restart_in_a_round_is_told_to_dealer_and_pit(visit: Visit, staffed_house: House) -> None:
    """Bets are open when the house goes down; the notice stays to the end of the round and is not at other tables."""
    dealer, pit = at_console(visit, "Felt", at=staffed_house), at_pit(visit, "supervisor", staffed_house)
    open_bets(dealer)
    enter_bet(dealer, 2, "Ante", "25.00")
    expect(dealer.locator('[data-test="restarted"]')).to_have_count(0)
    staffed_house.kill()
    staffed_house.start()
    says = re.compile(r"started again at \d\d:\d\d, in this round. If that interrupted play, report it")
    expect(dealer.locator('[data-test="restarted"]')).to_have_text(says)
    shoot(dealer, "console-restarted")
    assert serious(dealer) == []
    expect(pit.locator('.wall [data-table="Felt"] .phase')).to_contain_text("Restarted")
    expect(pit.locator('.wall [data-table="Desk"] .phase')).not_to_contain_text("Restarted")
    pit.locator('.wall [data-table="Felt"] button').click()
    expect(pit.locator('.drawer [data-test="restarted"]')).to_have_text(says)
    fold_all(dealer, 2)
    expect(dealer.locator('[data-test="restarted"]')).to_have_count(0)
    expect(pit.locator(".wall")).not_to_contain_text("Restarted")


def test_a_dealer_who_opens_a_second_table_is_told_and_seen(visit: Visit, staffed_house: House) -> None:
    """The console asks first; the bar of the pit names the dealer and both tables, without an alarm."""
    first, second = (at_console(visit, table, at=staffed_house) for table in ("Felt", "Desk"))
    second.get_by_role("button", name="Open bets").wait_for()
    open_bets(first)
    expect(first.locator(".say")).to_have_text("Bets are open")
    second.get_by_role("button", name="Open bets").click()
    dialog = second.locator("confirm-dialog dialog")
    expect(dialog).to_contain_text("You deal at Felt, where a round is in play. The pit sees it.")
    shoot(second, "console-second-table")
    dialog.get_by_role("button", name="Open bets").click()
    expect(second.locator(".say")).to_have_text("Bets are open")
    pit = at_pit(visit, "supervisor", staffed_house)
    doubled = pit.locator(".attention .doubled")
    expect(doubled).to_contain_text("dealer deals at Felt and Desk")
    expect(pit).to_have_title(re.compile("^Pit"))
    doubled.click()
    expect(pit.locator(".drawer dd", has_text="dealer")).to_be_visible()
    shoot(pit, "pit-second-table")


def test_only_open_tables_are_counted_as_open(visit: Visit, staffed_house: House) -> None:
    """Of two tables none is open before the first bets; a closed one counts its time from its closing."""
    manager = at_pit(visit, "manager", staffed_house)
    total = manager.locator(".house .total", has_text="Tables open")
    expect(total).to_contain_text("0 of 2")
    open_bets(at_console(visit, "Felt", at=staffed_house))
    expect(total).to_contain_text("1 of 2")


def test_the_limit_of_a_box_is_shown_where_it_is_set(visit: Visit, staffed_house: House) -> None:
    """At once, before the next round brings it."""
    manager = at_pit(visit, "manager", staffed_house)
    manager.locator('.wall [data-table="Felt"] button').click()
    drawer = manager.locator('[data-open="Felt"]')
    drawer.get_by_text("Run the table").click()
    drawer.get_by_label("Box", exact=True).fill("3")
    drawer.get_by_label("Greatest Ante").fill("1500.00")
    drawer.get_by_role("button", name="Limit the box").click()
    expect(drawer.locator('[data-test="box-limits"]')).to_have_text("Box 3 Ante up to 1,500")
    drawer.get_by_role("button", name="Limit the box").focus()
    manager.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(manager.locator('.wall [data-table="Felt"] button')).to_be_focused()
