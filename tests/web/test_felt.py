"""The felt: no button on a card, a deal that waits for nobody, motion that a tap ends, money that is short."""

from __future__ import annotations

import re
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.patience import PATIENCE
from tests.web.conftest import LANDSCAPE, PHONE, SHIFT_MOST, SHIFTED, Visit, serious, shoot, until
from tests.web.house import House
from tests.web.playing import CROSSES, bet, close_bets, lay, results, sit

COVERED = """() => {
  const rects = kind => [...document.querySelectorAll(kind)].map(e => e.getBoundingClientRect());
  const lies = rects('.spot, .mark, .laid-card, .seat'), buttons = rects('.rail button, .choices button');
  return buttons.some(b => lies.some(l => b.left < l.right - 1 && b.right > l.left + 1 && b.top < l.bottom - 1
    && b.bottom > l.top + 1));
}"""


SMALL, SMALL_TURNED = (320, 640), (640, 320)
INSIDE = """() => document.documentElement.scrollWidth <= innerWidth && [...document.querySelectorAll('.rail button')]
  .map(e => e.getBoundingClientRect()).every(r => r.left >= 0 && r.right <= innerWidth && r.bottom <= innerHeight)"""
"""Whether every button of the dock is on the screen, and the page no wider than it."""


@pytest.fixture
def house(fresh_house: House) -> House:
    return fresh_house


def test_no_button_covers_a_spot_or_a_card(visit: Visit) -> None:
    """Two boxes, from the bets to the decisions with their values, from the smallest phone to a desktop: every button
    is on the screen, and nothing jumps between the phases.
    """
    page = visit((1440, 900))
    sit(page, "Orchid")
    for box in (3, 4):
        lay(page, box, ante=25, bonus=10, jackpot=5)
    page.get_by_role("button", name="Practice off").click()
    for size in (SMALL, SMALL_TURNED, PHONE, LANDSCAPE, (1440, 900)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        until(page, INSIDE)
    place = "JSON.stringify([...document.querySelectorAll('[data-mine] .spot')].map(e => e.getBoundingClientRect()))"
    before = page.evaluate(place)
    close_bets(page, "Orchid")
    look = page.get_by_role("button", name="Look at box 3")
    look.wait_for()
    for size in (SMALL, SMALL_TURNED, PHONE, LANDSCAPE, (1440, 900)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        until(page, INSIDE)
    look.click()
    page.locator('[data-for="3"] [data-choice="flop"]:enabled').wait_for()
    page.evaluate("window.scrollTo(0, 0)")
    assert page.evaluate(place) == before
    assert page.evaluate(SHIFTED) < SHIFT_MOST
    for size in ((1440, 900), SMALL, SMALL_TURNED, PHONE, LANDSCAPE):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        until(page, f"() => !({COVERED})()")
        until(page, INSIDE)
        assert page.locator(".choices button").count() == 4


def test_a_player_who_is_ready_does_not_wait_for_the_clock(visit: Visit) -> None:
    """Alone among bots, one tap deals; with a second person the table waits for both. The clock says what follows."""
    first, second = visit(), visit()
    for page in (first, second):
        sit(page, "Baobab")
        page.locator('.spot[data-bet="ante"]:enabled').click()
        expect(page.locator('.spot.laid[data-bet="ante"]')).to_be_visible()
    first.locator('[data-tool="deal"]').click()
    expect(first.locator('[data-tool="deal"]')).to_have_text("Waiting for 1 player")
    second.locator('[data-tool="deal"]').click()
    for page in (first, second):
        expect(page.locator('[data-choice="call"]')).to_be_visible()
        expect(page.locator(".late")).to_have_text("No decision in time: you lose 25.00.")


def test_a_tap_on_a_free_box_bets_there(visit: Visit) -> None:
    """The spots of every free box are on the felt: chip, spot, and the box is yours."""
    page = visit((1440, 900))
    sit(page, "Orchid")
    page.locator('[data-chip="25"]').click()
    mark = page.locator('.block:has([data-box="6"]) [data-mark="ante"]').bounding_box()
    assert mark
    page.mouse.click(mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    expect(page.locator('[data-mine="6"] .spot[data-bet="ante"]')).to_contain_text("25.00")


def test_a_second_box_is_refused_where_the_rules_allow_one(visit: Visit) -> None:
    """The tap neither chooses the box nor bets anywhere, and the page says why."""
    page = visit(PHONE)
    sit(page, "Baobab")
    page.locator('[data-chip="25"]').click()
    page.locator('.spot[data-bet="ante"]').click()
    expect(page.locator('.spot[data-bet="ante"]')).to_contain_text("25.00")
    own = page.locator("[data-mine]").get_attribute("data-mine")
    page.locator(f'.tile[data-box]:enabled:not([data-box="{own}"])').first.click()
    expect(page.locator(".toast")).to_contain_text(f"You play box {own}. The rules of this game allow one box")
    expect(page.locator('.tile[aria-pressed="true"]')).to_have_attribute("data-box", own or "")
    expect(page.locator('.spot[data-bet="ante"]')).to_contain_text("25.00")


def test_the_lobby_leads_back_to_a_hand_in_play(visit: Visit) -> None:
    """Also after the page was loaded again, and no longer when the round is over."""
    page = visit(PHONE)
    sit(page, "Baobab")
    bet(page, "Baobab")
    close_bets(page, "Baobab")
    page.locator('[data-choice="fold"]').wait_for()
    page.get_by_role("link", name="Tables").click()
    expect(page.get_by_role("link", name="Return to your hand")).to_contain_text("Baobab")
    page.reload()
    page.get_by_role("link", name="Return to your hand").click()
    page.locator('[data-choice="fold"]:enabled').click()
    results(page)
    page.get_by_role("link", name="Tables").click()
    page.locator(".table-card").first.wait_for()
    expect(page.get_by_role("link", name="Return to your hand")).to_have_count(0)


def moving(browser: Browser, house: House) -> Page:
    """A page of somebody who likes motion."""
    page = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
    page.goto(f"{house.address}/#/")
    return page


def test_the_end_of_a_round_is_shown_step_by_step_and_a_tap_ends_it(browser: Browser, house: House) -> None:
    """The dealer's hand and the boxes come one after the other; a tap shows the whole result at once."""
    page = moving(browser, house)
    sit(page, "Baobab")
    bet(page, "Baobab")
    close_bets(page, "Baobab")
    page.locator('[data-choice="call"]:enabled').click()
    page.locator(".board .card.up").nth(3).wait_for()
    page.locator(".cloth").click(position={"x": 20, "y": 20}, force=True)
    results(page)
    expect(page.locator(".board .card.up")).to_have_count(5)
    expect(page.locator(".rail .result")).to_contain_text(re.compile("You (win|lose|are even)"))
    page.context.close()


def test_nobody_decides_while_the_cards_are_dealt(browser: Browser, house: House) -> None:
    """From the last bet to the player's own decision the head says "No more bets"; the others decide after it."""
    page = moving(browser, house)
    sit(page, "Baobab")
    bet(page, "Baobab")
    page.evaluate("""() => {
      window.said = [];
      const head = document.querySelector('.moment b');
      new MutationObserver(() => window.said.push(head.textContent))
        .observe(head, { childList: true, characterData: true, subtree: true });
    }""")
    close_bets(page, "Baobab")
    page.locator('[data-choice="call"]').wait_for()
    said = page.evaluate("window.said.filter((text, i, all) => text !== all[i - 1])")
    assert said == ["No more bets", "Your decision"]
    page.context.close()


def test_a_toast_and_a_notice_cover_no_control_and_no_card(visit: Visit) -> None:
    """A refused chip and the notice of two boxes, at four sizes of a phone; the toast ends with the bets."""
    page = visit(PHONE)
    sit(page, "Orchid")
    for box in (4, 6):
        lay(page, box, ante=25)
    page.locator('[data-chip="500"]').click()
    for size in (PHONE, SMALL, LANDSCAPE, SMALL_TURNED):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        until(page, INSIDE)
        page.locator('[data-mine="6"] .spot[data-bet="ante"]').click()
        page.locator(".toast.refusal").wait_for()
        controls = ".moment b, .ring, .switches button, .rail button, .spot, .card-places rect, .tile"
        assert not page.evaluate(CROSSES, [".toast", controls]), size
        assert not page.evaluate(CROSSES, [".total .note", ".pick, .tools button"]), size
        assert page.evaluate("document.querySelector('.total .note').getBoundingClientRect().bottom <= innerHeight")
    close_bets(page, "Orchid")
    page.get_by_role("button", name="Look at box 6").wait_for()
    expect(page.locator(".toast")).to_have_count(0, timeout=5000)
    boxes = page.locator(".ask .button").all_inner_texts()
    assert boxes == ["Look at box 6", "Look at box 4"], "as the boxes lie on the felt"


def test_a_folded_box_has_lost_its_chips_and_the_other_keeps_its_name(visit: Visit) -> None:
    """Two boxes: the Ante of the folded one is taken, its jackpot bet stays; the remaining buttons name their box."""
    page = visit(PHONE)
    sit(page, "Orchid")
    for box in (3, 4):
        lay(page, box, ante=25, jackpot=5)
    close_bets(page, "Orchid")
    page.get_by_role("button", name="Look at box 4").click()
    page.locator('[data-for="3"] [data-choice="fold"]:enabled').click()
    expect(page.locator('[data-mine="3"] [data-bet="ante"] .chips.swept')).to_have_count(1)
    expect(page.locator('[data-mine="3"] [data-bet="jackpot"] .amount')).to_have_text("5.00")
    expect(page.locator(".due h3")).to_have_text("Box 4")
    for size in (PHONE, SMALL, LANDSCAPE, SMALL_TURNED):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        until(page, INSIDE)
        assert not page.evaluate(CROSSES, [".used .hand-name, .used .note", ".used .laid-card"]), size


def test_a_result_that_is_read_stays_open(visit: Visit) -> None:
    """Also while the next round is dealt; the list of bets begins under the header."""
    page = visit(PHONE)
    sit(page, "Baobab")
    bet(page, "Baobab")
    close_bets(page, "Baobab")
    page.locator('[data-choice="fold"]:enabled').click()
    results(page)
    expect(page.locator(".lamp")).to_have_class("lamp off")
    page.get_by_role("button", name="Bet by bet").click()
    until(page, "document.querySelector('.outcome').getBoundingClientRect().top >= 52")
    page.locator(".outcome .why summary").click()
    sit(page, "Baobab")
    bet(page, "Baobab")
    close_bets(page, "Baobab")
    page.locator('[data-choice="fold"]:enabled').wait_for()
    expect(page.locator(".outcome .because").first).to_be_visible()


def test_a_player_is_warned_before_the_money_is_short(visit: Visit) -> None:
    """An Ante that leaves less than the decisions may take says so; a bet that cannot be paid is not offered."""
    page = visit(PHONE)
    sit(page, "Baobab")
    page.locator('[data-chip="100"]').click()
    for staked in range(100, 401, 100):
        page.locator('.spot[data-bet="ante"]').click()
        expect(page.locator('.spot[data-bet="ante"]')).to_contain_text(f"{staked}.00")
    careful = "this leaves you 600.00, playing on may take 800.00. You may have to fold and lose 400.00."
    expect(page.locator(".total .careful")).to_contain_text(careful)
    close_bets(page, "Baobab")
    call = page.locator('[data-choice="call"]')
    expect(call).to_contain_text("You have only 600.00")
    expect(call).to_be_disabled()
    expect(page.locator('[data-choice="fold"]')).to_be_enabled()
    shoot(page, "too-little-phone")
    assert serious(page) == []


def test_an_address_that_does_not_exist_shows_a_page(visit: Visit, house: House) -> None:
    """A person gets a page with a way back, a program gets JSON."""
    page = visit()
    page.goto(f"{house.address}/no/such/page")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no such page")
    page.get_by_role("link", name="To the tables").click()
    expect(page.locator(".table-card").first).to_be_visible()
    with pytest.raises(HTTPError) as refused:
        urlopen(Request(f"{house.address}/no/such/page"), timeout=PATIENCE)
    with refused.value:  # which is an open answer, too
        assert refused.value.headers["content-type"].startswith("application/json")
