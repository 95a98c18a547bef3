"""The dealer's console by taps alone: a buy-in, bets on the felt, decisions that can be taken back, cards on a pad."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.conftest import Visit, serious, shoot
from tests.web.house import House
from tests.web.staff import at_console, dealt, enter_bet, no_more_bets, open_bets, turn


def test_chips_are_changed_and_given_out_at_the_table(visit: Visit, staffed_house: House) -> None:
    """Box 4 buys in, changes colour and takes part of the chips away; nothing is wider than 320 pixels."""
    page = at_console(visit, "Felt", (1440, 900), at=staffed_house)
    open_bets(page)
    page.locator('[data-box="4"]').click()
    page.locator(".buy-in").get_by_label("Money").fill("200.00")
    page.locator(".buy-in").get_by_role("button", name="Take it").click()
    form = page.locator("form.buy-in", has_text="Chips out or colour change for Box 4")
    for chip, says in (("25.00", "100.00 changed into 4 chips of 25.00"), ("", "takes chips away and has 100.00 left")):
        form.get_by_label("Chips", exact=True).fill("100.00")
        form.get_by_label("Into chips of").fill(chip)
        form.get_by_role("button", name="Give").click()
        expect(page.locator(".toast", has_text=says)).to_be_visible()
    shoot(page, "chips-out-1440")
    assert serious(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    shoot(page, "chips-out-320")


def top_of_a_key(page: Page) -> float:
    """Return where a key of the card pad begins, whatever was scrolled."""
    return float(page.locator('[data-pad="2s"]').evaluate("key => key.getBoundingClientRect().top + scrollY"))


def test_a_round_is_entered_by_taps_for_a_patron_without_an_account(visit: Visit, staffed_house: House) -> None:
    """Box 4 buys in at the table; a tap too many is undone; the decision waits for its confirmation."""
    page = at_console(visit, "Felt", (1440, 900), at=staffed_house)
    open_bets(page)
    page.locator('[data-box="4"]').click()
    form = page.locator(".buy-in")
    form.get_by_label("Money").fill("200.00")
    form.get_by_role("button", name="Take it").click()
    expect(page.locator(".console-tray")).to_contain_text("Box 4: tap the spots. Chips: 200.00.")
    page.get_by_role("button", name="Give 200.00 back").click()
    out = page.locator("form.buy-in", has_text="Chips out or colour change for Box 4").get_by_label("Chips", exact=True)
    expect(out).to_have_value("200.00")
    expect(out).to_be_focused()
    ante, listed = page.locator('[data-mine="4"] [data-bet="ante"]'), page.locator(".boxes-table .stake")
    ante.click()
    expect(listed).to_have_text("Ante 25")
    expect(ante).to_be_focused()
    ante.click()
    expect(listed).to_have_text("Ante 50")
    page.get_by_role("button", name="Undo box 4 Ante").click()
    expect(listed).to_have_text("Ante 25")
    shoot(page, "console-taps")
    assert serious(page) == []
    no_more_bets(page)
    page.get_by_role("button", name="Irregularity").click()
    dialog = page.locator("report-dialog")
    expect(dialog.locator("[data-incident]").first).to_be_visible()
    expect(dialog.locator('[data-incident="cards_exposed"]')).to_have_count(0)
    dialog.locator("[data-dealing]").click()
    expect(dialog.locator('[data-incident="cards_exposed"]')).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    page.locator('[data-decide="4-fold"]').click()
    page.locator('[data-undo="4"]').click()
    page.locator('[data-decide="4-flop"]').click()
    page.locator("[data-confirm]").click()
    dealt(page)
    for width, height in ((1024, 768), (1440, 900), (1366, 900)):
        page.set_viewport_size({"width": width, "height": height})
        tops = [top_of_a_key(page)]
        for card in ("As", "Kd", "7h"):
            page.locator(f'[data-pad="{card}"]').click()
            tops.append(top_of_a_key(page))
        assert len(set(tops)) == 1, f"the keys move under the finger at {width}: {tops}"
        if width != 1366:
            for _ in range(3):
                page.get_by_role("button", name="Take the last card back").click()
    shoot(page, "console-pad")
    page.get_by_role("button", name="Turned").click()
    expect(page.locator('.felt-panel [data-card="7h"]').first).to_be_visible()
    assert serious(page) == []


def test_a_table_is_handed_over_with_a_count(visit: Visit, staffed_house: House) -> None:
    """The dealer counts the float first, and proposes; the supervisor finds the count in the bar and signs."""
    dealer = at_console(visit, "Desk", at=staffed_house)
    opening = dealer.locator('[data-test="opening-count"]')
    opening.get_by_role("button", name="Later").click()
    expect(opening).to_have_count(0)
    dealer.reload()
    opening.get_by_role("button", name="Count the tray").click()
    opening.locator('[data-count="100"]').fill("1e9")
    expect(opening.get_by_label("Chips in the tray")).to_have_value("0.00")
    opening.locator('[data-count="100"]').fill("13")
    opening.locator('[data-count="100"]').press("Enter")
    shoot(dealer, "console-opening-count")
    opening.get_by_role("button", name="Enter the count").click()
    expect(opening).to_have_count(0)
    expect(dealer.locator(".toast", has_text="1,300.00 is on record")).to_be_visible()
    dealer.get_by_text("Hand the table over").click()
    dealer.get_by_label("Dealer who takes over").fill("shift")
    dealer.locator('[data-count="100"]').fill("12")
    dealer.locator('[data-count="25"]').fill("2")
    expect(dealer.get_by_label("Chips in the tray")).to_have_value("1250.00")
    dealer.get_by_role("button", name="Propose the hand-over").click()
    told = dealer.locator('[data-test="hand-over"]')
    expect(told).to_contain_text("hand-over to shift with 1,250.00 in the tray waits for a signature by the pit")
    supervisor = visit(at=staffed_house, name="supervisor")
    expect(supervisor.locator(".attention .sign")).to_contain_text("with 1,250.00 in the tray")
    counted = "Tray: 1,250.00 counted, 1,300.00 expected, difference −50.00."
    expect(supervisor.locator('[data-test="tray"]')).to_have_text(counted)
    supervisor.locator('[aria-label="Second signatures"]').get_by_role("button", name="Sign").click()
    expect(supervisor.locator(".toast", has_text="Signed")).to_be_visible()
    expect(told).to_have_text(re.compile(rf"^Table handed over to shift at \d\d:\d\d. Log out. {counted}$"))
    left = dealer.locator('[data-test="left"]')
    expect(left).to_contain_text("You have handed table Desk over")
    expect(dealer.get_by_role("button", name="Open bets")).to_have_count(0)
    expect(dealer.locator('[data-test="shift"]')).not_to_contain_text("on shift")
    dealer.reload()
    expect(left).to_contain_text("You have handed table Desk over")
    manager = visit(route="#/dealer/Desk", at=staffed_house, name="shift")
    expect(manager.locator('[data-test="hand-over"]')).to_contain_text("Taken over from dealer at")
    manager.get_by_text("Hand the table over").click()
    manager.get_by_label("Dealer who takes over").fill("dealer")
    manager.get_by_label("Chips in the tray").fill("1200.00")
    manager.get_by_role("button", name="Propose the hand-over").click()
    counted = "Tray: 1,200.00 counted, 1,250.00 expected, difference -50.00."
    expect(manager.locator('[data-test="hand-over"]')).to_contain_text(counted.replace("-", "−"))
    supervisor.locator('[aria-label="Second signatures"]').get_by_role("button", name="Sign").click()
    expect(told).to_contain_text("Taken over from shift at")
    expect(told).to_contain_text("1,250.00 expected")
    expect(left).to_have_count(0)
    expect(dealer.get_by_role("button", name="Open bets")).to_be_enabled()


def test_logging_out_in_a_round_asks_once(visit: Visit, staffed_house: House) -> None:
    """Bets lie on the table: the first press says so, the second logs out."""
    page = at_console(visit, "Felt", at=staffed_house)
    open_bets(page)
    enter_bet(page, 2, "Ante", "25.00")
    page.get_by_role("button", name="dealer", exact=False).first.click()
    leave = page.get_by_role("button", name="Log out dealer")
    leave.click()
    expect(page.locator("#settings [role=alert]")).to_contain_text("You deal at Felt, where a round is in play.")
    leave.click()
    expect(page.locator(".bar").get_by_text("Log in")).to_be_visible()


COVERED = """key => {
  key.scrollIntoView({ block: "nearest" });
  const { left, right, top, bottom } = key.getBoundingClientRect();
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return !key.contains(seen);
}"""
"""Whether something else lies over a key."""
SCREENS = ((1366, 768), (1024, 768), (820, 1180), (390, 844))


def felt_top(page: Page) -> float:
    """Where the felt begins on the first screen."""
    page.set_viewport_size({"width": SCREENS[0][0], "height": SCREENS[0][1]})
    page.evaluate("window.scrollTo(0, 0)")
    box = page.locator(".console-felt").bounding_box()
    assert box
    return box["y"]


def test_the_button_of_the_moment_is_in_sight_on_every_screen(visit: Visit, staffed_house: House) -> None:
    """Six hands are shown: "Turned" is in sight and covers no key. Rows keep their height while boxes decide, the felt
    keeps its place from phase to phase, and the next step is seen."""
    page = at_console(visit, "Felt", SCREENS[0], at=staffed_house)
    open_bets(page)
    expect(page.locator(".say")).to_have_text("Bets are open")
    tops = {felt_top(page)}
    boxes = (1, 2, 3, 4, 5, 6)
    for box in boxes:
        enter_bet(page, box, "Ante", "25.00")
    no_more_bets(page)
    tops.add(felt_top(page))
    dealt(page)
    last = page.locator('[data-decide="6-fold"]')
    for size in SCREENS:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(page.locator("[data-confirm]")).to_be_in_viewport(ratio=0.99)
        before = last.bounding_box()
        page.locator('[data-decide="1-flop"]').click()
        page.locator('[data-undo="1"]').wait_for()
        assert last.bounding_box() == before, size
        page.locator('[data-undo="1"]').click()
    tops.add(felt_top(page))
    for box in boxes:
        page.locator(f'[data-decide="{box}-flop"]').click()
    page.locator("[data-confirm]").click()
    dealt(page)
    page.locator('[data-place="community"]').fill("Ah Kd Qs 2c")
    expect(page.locator(".enter [role=alert]")).to_contain_text("4 cards are typed, and only 3 lie there")
    tops.add(felt_top(page))
    turn(page, community="Ah Kd Qs")
    for card in ("2c", "3d"):
        expect(page.locator("[data-looked]")).to_have_count(0)
        for box in boxes:
            page.locator(f'[data-decide="{box}-check"]').click()
        page.locator("[data-confirm]").click()
        dealt(page)
        turn(page, community=card)
    dealt(page)
    turn(page, dealer="7s 8d")
    hands = ("9h 9s", "Th Ts", "Jh Js", "4h 4s", "5h 5s", "6h 6s")
    for box, hand in zip(boxes, hands, strict=True):
        page.locator(f'[data-place="{box}"]').fill(hand)
    turned = page.get_by_role("button", name="Turned")
    page.locator('[data-place="6"]').fill("6h")
    expect(page.locator('[data-test="missing"]')).to_contain_text("Still to be typed: Box 6.")
    page.locator('[data-place="5"]').press("Enter")
    expect(page.locator('[data-place="6"]')).to_be_focused()
    page.locator('[data-place="6"]').fill("6h 6s")
    tops.add(felt_top(page))
    shoot(page, "console-six-hands")
    for size in SCREENS:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate("window.scrollTo(0, 0)")
        expect(turned).to_be_in_viewport(ratio=0.99)
        for key in page.locator(".card-pad button").all():
            assert not page.evaluate(COVERED, key.element_handle()), size
    page.locator('[data-place="6"]').scroll_into_view_if_needed()
    turned.click()
    page.locator('[data-test="pay"]').wait_for()
    expect(page.locator(".next .say").first).to_be_in_viewport()
    tops.add(felt_top(page))
    assert len(tops) == 1, tops
    assert serious(page) == []
