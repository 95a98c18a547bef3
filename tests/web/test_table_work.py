"""Table work by taps and keys: one act of the settlement at a time, a table that stops, and a deal put right."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import PHONE, Visit, serious, shoot
from tests.web.house import House, staffed
from tests.web.staff import at_console, dealt, decide, enter_bet, no_more_bets, open_bets, play_out


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Tables with real cards: at one the rest may be confirmed at once, at another each act by itself."""
    tables = staffed("Felt", physical=True) + 'confirms = "together"\n'
    tables += "".join(staffed(name, physical=True) + 'confirms = "together"\n' for name in ("Cloth", "Small", "Linen"))
    tables += staffed("Baize", physical=True) + 'confirms = "each"\n' + staffed("Burnt", physical=True)
    with House(tmp_path_factory.mktemp("guarded"), tables) as house:
        yield house


CONSOLE = (1280, 800)
"""The smallest screen on which a console shows a round without scrolling."""


def assert_nothing_scrolled(page: Page) -> None:
    """The felt and the next step are in sight, and the page is where it was."""
    expect(page.locator(".console-felt felt-table")).to_be_in_viewport(ratio=0.95)
    expect(page.locator(".next")).to_be_in_viewport(ratio=0.99)
    assert page.evaluate("window.scrollY") == 0


def settle(page: Page) -> None:
    """A box that wins Flop and Bonus with a pair of nines, and stands off with its Ante; another one folds."""
    open_bets(page)
    enter_bet(page, 2, "Ante", "25.00")
    enter_bet(page, 2, "Bonus", "10.00")
    enter_bet(page, 4, "Ante", "50.00")
    no_more_bets(page)
    dealt(page)
    decide(page, 4, "fold")
    play_out(page, 2, hand="9h 9s", board="Ah Kd Qs 2c 3d", against="7s 8d")


def test_the_dealer_confirms_one_act_after_the_other(visit: Visit, guarded: House) -> None:
    """rws-multilink-holdem 3.13, 4.1: pay the Bonus, pay the Flop, leave the Ante, take the folded one; by keys."""
    page = at_console(visit, "Felt", CONSOLE, at=guarded)
    settle(page)
    act = page.locator(".act")
    expect(act).to_contain_text("Pay 30.00")
    expect(page.locator(".console-felt .active [data-box]")).to_have_attribute("data-box", "2")
    assert_nothing_scrolled(page)
    expect(act).to_contain_text("Box 2, Bonus")
    expect(page.locator(".console-felt .felt .chips")).to_have_count(4)
    expect(act).to_contain_text("1 × 25 + 1 × 5")
    expect(page.get_by_role("button", name="Open bets")).to_have_count(0)
    shoot(page, "dealer-acts")
    assert serious(page) == []
    page.get_by_role("button", name="Done", exact=True).focus()
    page.keyboard.press("Enter")
    expect(act).to_contain_text("Pay 50.00")
    expect(page.get_by_role("button", name="Done", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(act).to_contain_text("Leave 25.00")
    page.get_by_role("button", name="All 2 are done").click()
    expect(page.get_by_role("status").filter(has_text="Every act is confirmed")).to_be_visible()
    expect(page.locator(".next").get_by_role("button", name="Open bets")).to_be_in_viewport(ratio=1)
    open_bets(page)
    page.get_by_role("button", name="As in the last round").click()
    expect(page.locator(".boxes-table .stake")).to_have_text(["Ante 25", "Bonus 10", "Ante 50"])
    assert_nothing_scrolled(page)


def test_a_box_is_confirmed_at_once_and_an_entry_closes_with_its_act(visit: Visit, guarded: House) -> None:
    """The form that says what else was done names its bet, can be left, and is not there for the next one."""
    page = at_console(visit, "Cloth", CONSOLE, at=guarded)
    settle(page)
    act, entry = page.locator(".act"), page.locator(".act form")
    page.get_by_role("button", name="Something else was done").click()
    expect(entry).to_contain_text("box 2, Bonus")
    entry.get_by_role("button", name="Cancel").click()
    expect(entry).to_have_count(0)
    page.get_by_role("button", name="Something else was done").click()
    entry.get_by_label("Amount, 0 for none").fill("30.00")
    entry.get_by_role("button", name="Enter it").click()
    expect(act).to_contain_text("Pay 50.00")
    expect(entry).to_have_count(0)
    page.get_by_role("button", name="Box 2 done").click()
    expect(act).to_contain_text("Box 4, Ante")
    expect(page.locator(".console-felt .active [data-box]")).to_have_attribute("data-box", "4")
    expect(page.get_by_role("button", name="Box 4 done")).to_have_count(0)


def test_the_line_of_every_act_is_in_sight(visit: Visit, guarded: House) -> None:
    """The list of four acts shows the one that is due in full, and at the end the last one."""
    page = at_console(visit, "Linen", CONSOLE, at=guarded)
    settle(page)
    lines, tops = page.locator(".acts > li"), set[float]()
    for number in range(4):
        expect(lines.nth(number)).to_have_attribute("aria-current", "step")
        expect(lines.nth(number)).to_be_in_viewport(ratio=0.99)
        done = page.get_by_role("button", name="Done", exact=True)
        placed = done.bounding_box()
        assert placed is not None
        tops.add(placed["y"])
        done.press("Enter")
    assert len(tops) == 1, tops
    expect(page.locator(".progress")).to_have_text("Every act is confirmed.")
    for line in lines.all():
        expect(line).to_be_in_viewport(ratio=0.99)
    shoot(page, "dealer-acts-done")


def test_a_wrong_payment_stops_the_table_until_it_is_put_right(visit: Visit, guarded: House) -> None:
    """The screen says who has too much, by which paragraph, and what puts it right; the pit sees it and the figures."""
    page = at_console(visit, "Baize", at=guarded)
    settle(page)
    expect(page.get_by_role("button", name="are done")).to_have_count(0)
    page.get_by_role("button", name="Something else was done").click()
    page.get_by_label("Amount, 0 for none").fill("150.00")
    shoot(page, "dealer-act-entry")
    page.get_by_role("button", name="Enter it").click()
    stop = page.locator("[data-mispay]")
    expect(stop).to_contain_text("ana was overpaid by 120.00: 150.00 was paid, and 30.00 was to be paid.")
    expect(stop).to_contain_text("Take 120.00 back from ana.")
    expect(stop).to_contain_text("This takes the shift manager or above.")
    expect(stop).to_contain_text("5.19")
    shoot(page, "dealer-mispay")
    assert serious(page) == []
    pit = visit(at=guarded, name="shift")
    waiting = pit.locator('[data-mispay="Baize"]')
    expect(waiting).to_contain_text("overpaid by 120.00")
    shoot(pit, "pit-mispay")
    alarm, tile = pit.locator(".waits.mispay"), pit.locator(".wall li[data-table]").first
    expect(alarm).to_contain_text("120.00")
    expect(alarm.locator("time")).to_be_visible()
    expect(tile).to_have_attribute("data-table", "Baize")
    expect(tile).to_have_class(re.compile("lamp-mispay"))
    expect(tile).to_contain_text("Stopped by a mispay")
    waiting.get_by_label("Why, for the record").fill("The player has left the floor.")
    waiting.get_by_role("button", name="Let it stand").click()
    expect(waiting).to_have_count(0)
    ana = visit(route="#/replay/Baize/1", at=guarded, name="ana")
    said = ana.get_by_text("30.00 due, 150.00 paid; let stand by shift: The player has left the floor.")
    ana.get_by_text("Why?").first.click()
    expect(said).to_be_visible()
    expect(ana.locator(".results li").filter(has_text="Bonus")).to_contain_text("+150.00")
    expect(page.locator(".act")).to_contain_text("Pay 50.00")
    page.get_by_role("button", name="Something else was done").click()
    page.get_by_label("Amount, 0 for none").fill("0")
    page.get_by_role("button", name="Enter it").click()
    expect(stop).to_contain_text("ana was underpaid by 50.00")
    page.get_by_role("button", name="It is put right").click()
    for left in ("Leave 25.00", "Take 50.00"):
        expect(page.locator(".act")).to_contain_text(left)
        page.get_by_role("button", name="Done", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Open bets")).to_be_enabled()
    pit.reload()
    pit.get_by_role("button", name="Waiting and barred").click()
    expect(pit.locator('[data-test="mispays"]')).to_contain_text("+120.00")
    shoot(pit, "pit-mispay-figures")


def test_the_acts_fit_a_phone(visit: Visit, guarded: House) -> None:
    """A dealer with a small screen sees the act and its buttons without scrolling sideways."""
    page = at_console(visit, "Small", PHONE, at=guarded)
    settle(page)
    expect(page.locator(".act")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    shoot(page, "dealer-acts-phone")


def test_the_pit_sees_the_layouts_before_it_rules(visit: Visit, guarded: House) -> None:
    """rws-multilink-holdem 5.9: a burn was missed; the order is determined, and the ruling carries the facts."""
    page = at_console(visit, "Burnt", at=guarded)
    open_bets(page)
    enter_bet(page, 1, "Ante", "25.00")
    enter_bet(page, 2, "Ante", "25.00")
    no_more_bets(page)
    dealt(page)
    page.get_by_role("button", name="Irregularity").click()
    page.locator('[data-incident="burn_missed"]').click()
    page.locator("report-dialog").get_by_role("button", name="Report it").click()
    page.get_by_text("Can it be reconstructed?").click()
    expect(page.get_by_role("textbox", name="Box 1", exact=True)).to_have_value("?? ??")
    page.get_by_role("button", name="Compute the layouts").click()
    expect(page.locator('[data-test="finding"]')).to_contain_text("layout")
    pit = visit(at=guarded, name="manager")
    ruling = pit.locator('[data-ruling="Burnt"]')
    ruling.get_by_text("Can it be reconstructed?").click()
    ruling.get_by_role("textbox", name="Box 1", exact=True).fill("As Kd")
    ruling.get_by_role("textbox", name="Box 2", exact=True).fill("?? 7c")
    ruling.get_by_label("It went wrong first with card number").fill("1")
    ruling.get_by_role("button", name="Compute the layouts").click()
    finding = ruling.locator('[data-test="finding"]')
    expect(finding).to_contain_text("the order is determined")
    expect(finding).to_contain_text("Kd, card 2 of box 1, goes to box 2.")
    shoot(pit, "pit-reconstruction")
    assert serious(pit) == []
    ruling.locator('[data-rule="reconstructible"]').click()
    expect(ruling.get_by_text("The boxes choose: on their own screens, or through the dealer.")).to_be_visible()
    expect(ruling.locator("round-log")).to_contain_text("The cards: box 1 As Kd; box 2 ?? 7c.")
