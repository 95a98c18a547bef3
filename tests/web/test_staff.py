"""The dealer's console, the pit, the display and the replay, by clicks and keys."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.patience import PATIENCE
from tests.web.conftest import PHONE, Visit, log_in, serious, shoot, until
from tests.web.house import GAMES, House, staffed
from tests.web.playing import NEXT_ROUND, close_bets, lay, replay_a_settled_round
from tests.web.staff import (
    at_console,
    check_down,
    dealt,
    decide,
    done_all,
    enter_bet,
    fold_all,
    no_more_bets,
    open_bets,
    play_out,
    round_number,
    turn,
)

LAID = ((3, "Ante", "25.00"), (3, "Bonus", "10.00"), (5, "Ante", "50.00"))


def test_a_dealers_round_with_real_cards(visit: Visit, staffed_house: House) -> None:
    """Bets and cards from the keyboard, a card that lies on the table refused, what to pay and take in chips."""
    page = at_console(visit, "Felt", at=staffed_house)
    open_bets(page)
    enter_bet(page, 2, "Ante", "25.00")
    enter_bet(page, 2, "Jackpot", "5.00")
    shoot(page, "dealer-bets")
    no_more_bets(page)
    expect(page.locator(".say")).to_contain_text("Burn")
    dealt(page)
    decide(page, 2, "flop")
    dealt(page)
    turn(page, community="Qh Jh Th")
    decide(page, 2, "check")
    dealt(page)
    page.locator('[data-place="community"]').fill("Qh")
    expect(page.get_by_role("alert").filter(has_text="lies on the table already")).to_be_visible()
    expect(page.get_by_role("button", name="Turned")).to_be_disabled()
    shoot(page, "dealer-cards")
    turn(page, community="7d")
    decide(page, 2, "river")
    dealt(page)
    turn(page, community="9s")
    dealt(page)
    turn(page, dealer="3c 3d")
    turn(page, box_2="As Kd")
    pay = page.locator('[data-test="pay"]')
    expect(pay).to_contain_text("Pay 50.00")
    expect(pay).to_contain_text("Take 5.00")
    expect(pay).to_contain_text("1 × 25")
    shoot(page, "dealer-pay")
    assert serious(page) == []


def test_chips_that_lie_wrong_are_marked_with_what_goes_back(visit: Visit, staffed_house: House) -> None:
    """rws-multilink-holdem 5.3.1: a Flop bet of 60 on an Ante of 25 counts 50, and 10 go back in any case; the console
    says while boxes decide that it goes back at the settlement, and there it is one act."""
    page = at_console(visit, "Felt", at=staffed_house)
    open_bets(page)
    enter_bet(page, 6, "Ante", "25.00")
    no_more_bets(page)
    dealt(page)
    page.locator('[data-looked="6"]').click()
    expect(page.locator(".due")).to_contain_text("has looked")
    page.locator('[data-lies="6"]').fill("60.00")
    expect(page.locator(".due")).to_contain_text("not 50.00")
    decide(page, 6, "flop")
    noted = page.locator('[data-test="chip-notes"]')
    expect(noted).to_have_count(0)
    dealt(page)
    turn(page, community="Qh Jh 2c")
    for says in ("Box 6, Flop: at the settlement 10.00 goes back, not now.", "the surplus goes back.", "5.3.1"):
        expect(noted).to_contain_text(says)
    shoot(page, "dealer-chip-note")
    check_down(page, 6, hand="5s 4d", board="Qh Jh 2c 7d 9s", against="Qc Qd")
    flop = page.locator('[data-test="pay"] li li', has_text="Flop")
    expect(flop).to_contain_text("Take 50.00")
    expect(flop).to_contain_text("Give back 10.00")
    expect(flop).to_contain_text("5.3.1")
    shoot(page, "dealer-give-back")
    assert serious(page) == []


def test_the_bets_of_the_last_round_are_loaded_by_whoever_deals_next(visit: Visit, staffed_house: House) -> None:
    """A round of two boxes is folded; a colleague at another screen sees shift and chips, and lays the same bets."""
    first = at_console(visit, "Felt", at=staffed_house)
    open_bets(first)
    for box, bet, amount in LAID:
        enter_bet(first, box, bet, amount)
    fold_all(first, 3, 5)
    second = at_console(visit, "Felt", at=staffed_house)
    expect(second.locator('[data-test="shift"]')).to_contain_text(
        re.compile(r"on shift since \d\d:\d\d .* bank [+−]?\d")
    )
    open_bets(second)
    second.get_by_role("button", name="As in the last round").click()
    for box, bet, amount in LAID:
        row = second.locator(".boxes-table tr", has=second.get_by_role("rowheader", name=str(box), exact=True))
        expect(row).to_contain_text(f"{bet} {amount.removesuffix('.00')}")
    expect(second.locator('[data-test="shift"]')).to_contain_text("on the table 85.00")
    shoot(second, "dealer-last-round")
    fold_all(second, 3, 5)


def test_the_console_offers_each_box_what_that_box_may_choose(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """rws-multilink-holdem 1.3.c, river-after-check (a): box 2 has bet the Turn and may bet the River, box 5 has
    checked and may not."""
    table = staffed("Felt", physical=True) + 'rulings = {river-after-check = "a"}\n'
    with House(tmp_path_factory.mktemp("river"), table) as own:
        dealer = at_console(visit, "Felt", at=own)
        open_bets(dealer)
        for box in (2, 5):
            enter_bet(dealer, box, "Ante", "25.00")
        no_more_bets(dealer)
        dealt(dealer)
        for box in (2, 5):
            decide(dealer, box, "flop")
        dealt(dealer)
        turn(dealer, community="Qh Jd 2s")
        decide(dealer, 2, "turn")
        decide(dealer, 5, "check")
        dealt(dealer)
        turn(dealer, community="3c")
        expect(dealer.locator('[data-decide="2-river"]')).to_be_visible()
        expect(dealer.locator('[data-decide="5-check"]')).to_be_visible()
        expect(dealer.locator('[data-decide="5-river"]')).to_have_count(0)


def test_a_dealer_calls_and_the_pit_comes(visit: Visit, staffed_house: House) -> None:
    """The supervisor's page shows who calls; the dealer's, who comes."""
    dealer = at_console(visit, "Desk", at=staffed_house)
    supervisor = visit(at=staffed_house, name="supervisor")
    dealer.get_by_role("button", name="Call the supervisor").click()
    expect(dealer.locator('[data-test="called"]')).to_contain_text("has been called")
    call = supervisor.locator('[data-call="Desk"]')
    expect(call).to_contain_text("dealer asks for a supervisor")
    expect(supervisor).to_have_title(re.compile(r"^\(\d+\) Pit · Croupier$"))
    shoot(supervisor, "pit-called")
    assert serious(supervisor) == []
    call.get_by_role("button", name="I am coming").click()
    expect(dealer.locator('[data-test="called"]')).to_contain_text("supervisor is coming")
    dealer.get_by_role("button", name="No longer needed").click()
    expect(call).to_have_count(0)


def test_an_irregularity_from_report_to_ruling_to_money(visit: Visit, staffed_house: House) -> None:
    """Cards drawn together (5.14): what follows is shown first; the supervisor rules; the player chooses."""
    dealer = at_console(visit, "Desk", at=staffed_house)
    pit = visit(at=staffed_house)
    player = visit(at=staffed_house)
    open_bets(dealer)
    player.locator('a[href="#/table/Desk"]').click()
    player.locator('.spot[data-bet="ante"]').click()
    expect(player.locator('.spot[data-bet="ante"]')).to_contain_text("25.00")
    no_more_bets(dealer)
    player.locator("[data-choice]").first.wait_for()
    dealer.get_by_role("button", name="Irregularity").click()
    shoot(dealer, "irregularity-list")
    dealer.locator('[data-incident="simultaneous_draw"]').click()
    dealer.locator("report-dialog").get_by_role("checkbox", name="3", exact=True).check(force=True)
    expect(dealer.locator('[data-test="consequence"]')).to_contain_text("pit supervisor")
    expect(dealer.locator('[data-test="consequence"]')).to_contain_text("5.14")
    shoot(dealer, "irregularity-preview")
    assert serious(dealer) == []
    dealer.get_by_role("button", name="Report it").dblclick()
    expect(player.locator(".moment")).to_contain_text("Waiting for a ruling")
    log_in(pit, "supervisor")
    ruling = pit.locator('[data-ruling="Desk"]')
    expect(ruling).to_contain_text("5.14")
    # A double click reports once.
    expect(ruling.locator("round-log")).to_contain_text("Reported: Cards were drawn together")
    assert ruling.locator("round-log").inner_text().count("Reported: Cards were drawn together") == 1
    expect(dealer.locator(".toast")).to_have_count(0)
    for place in ("Dealer", "Box 3", "Community"):
        ruling.locator(f'[data-order="{place}"]').click()
    ruling.get_by_role("button", name="Take the last one back").click()
    expect(ruling.locator('[data-test="card-order"]')).to_contain_text("card 1 to Dealer, card 2 to Box 3.")
    shoot(pit, "pit-ruling")
    assert serious(pit) == []
    ruling.locator("[data-rule]").first.click()
    wide, options = player.viewport_size, player.locator(".ask .button")
    assert wide is not None
    expect(options).to_have_count(2)
    player.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    for option in options.all():
        expect(option).to_be_in_viewport(ratio=1)
    shoot(player, "options-phone")
    player.set_viewport_size(wide)
    player.get_by_role("button", name=re.compile("back$")).first.click()
    expect(player.locator('[data-test="balance"]')).to_have_text("1,000.00")
    shoot(player, "option-taken")
    replay = _replayed(visit, staffed_house, round_number(dealer), "Desk")
    for says in (
        "Reported: Cards were drawn together",
        "waits for the pit supervisor",
        "pit supervisor, rules",
        "chooses",
    ):
        expect(replay.locator(".log")).to_contain_text(says)
    replay.locator(".log button", has_text="rules:").first.click()
    expect(replay.locator('[data-test="told"]')).to_contain_text("pit supervisor, rules")
    expect(replay.locator("main")).to_contain_text("card 1 to Dealer, card 2 to Box 3")
    expect(replay.locator("main")).to_contain_text("5.14")
    shoot(replay, "replay-irregularity")
    assert serious(replay) == []


def test_a_jackpot_won_verified_by_two_people_paid_and_shown(visit: Visit, staffed_house: House) -> None:
    """A royal flush on the flop at a table with a dealer: locked on the display until two people have signed, and not
    to be paid on the console."""
    dealer, display = at_console(visit, "Felt", at=staffed_house), visit((1920, 1080), "#/display/main", staffed_house)
    open_bets(dealer)
    enter_bet(dealer, 4, "Ante", "25.00")
    enter_bet(dealer, 4, "Jackpot", "5.00")
    no_more_bets(dealer)
    dealt(dealer)
    play_out(dealer, 4, hand="Ah Kh", board="Qh Jh Th 7d 9s", against="3c 3d")
    expect(display.locator(".pending")).to_contain_text("Royal flush at Felt, box 4")
    expect(display.locator(".pending")).to_contain_text("locked, being verified")
    expect(display.locator(".meter .figure")).to_have_text(re.compile(r"^50,\d{3}\.\d\d$"))
    expect(dealer.locator('[data-test="awards"]')).to_contain_text("Do not pay the award")
    shoot(display, "display-pending")
    shoot(dealer, "dealer-award")
    _open_the_next_round(dealer)
    for name in ("supervisor", "manager"):
        page = visit(route="#/pit", at=staffed_house, name=name)
        shoot(page, f"claim-{name}")
        expect(page.locator('[data-claim="Felt"] .boxes-table')).to_contain_text("Ante 25")
        denies = page.locator('[data-claim="Felt"] [data-test="who-denies"]')
        expect(denies).to_have_text("Not proved? Do not sign: the shift manager may deny the claim here.")
        page.locator('[data-claim="Felt"]').get_by_role("button", name="I have verified it").click()
    expect(display.locator(".hits li").first).to_contain_text("Royal flush")
    expect(display.locator(".hits li").first).to_contain_text("Felt, box 4")
    expect(display.locator(".pending")).to_have_count(0)
    expect(display.locator(".meter .figure")).to_have_text(re.compile(r"^50,\d{3}\.\d\d$"))
    shoot(display, "display-hit")
    due = dealer.locator('[data-test="award-due"]')
    expect(due).to_contain_text(re.compile(r"Pay 184,\d{3}\.\d\d to box 4[\s\S]*In chips: 184 × 1,000"))
    other = visit(route="#/dealer/Felt", at=staffed_house, name="supervisor")
    asked = other.locator('[data-test="award-due"]')
    expect(asked).to_contain_text(re.compile(r"Pay 184,\d{3}\.\d\d to box 4"))
    due.get_by_role("button", name="Box 4: chips came from the cage").click()
    expect(due).to_have_count(0)
    expect(asked).to_have_count(0)
    said = re.compile(r"Royal flush, box 4, round \d+\.\s+Paid 184,\d{3}\.\d\d\. dealer confirmed it at \d\d:\d\d\.")
    expect(other.locator('.console [data-test="awards"]')).to_have_text(said)
    fresh = at_console(visit, "Felt", at=staffed_house)
    expect(fresh.locator('.console [data-test="awards"]')).to_have_text(said)
    expect(fresh.locator('[data-test="award-due"]')).to_have_count(0)
    other.goto(f"{other.url.split('#')[0]}#/pit")
    other.locator('[data-table="Felt"]').first.click()
    expect(other.locator('[data-open="Felt"] [data-test="awards"]')).to_have_text(said)
    replay = _replayed(visit, staffed_house, "1", "Felt")
    replay.keyboard.press("End")
    expect(replay.locator('[aria-label="The money"]')).to_contain_text("Award: box 4, royal flush")
    expect(replay.locator('[data-test="house"]')).to_contain_text("the meter paid 184,")
    expect(replay.locator(".log")).to_contain_text("claims a jackpot award")
    expect(replay.locator(".log")).to_contain_text("is signed by supervisor")
    shoot(replay, "replay-jackpot")


def _open_the_next_round(dealer: Page) -> None:
    """While an award is not signed the console asks first; play may go on."""
    done_all(dealer, dealer.get_by_role("button", name="Open bets"))
    dealer.get_by_role("button", name="Open bets").click()
    dialog = dealer.get_by_role("dialog", name="Open bets?")
    expect(dialog).to_contain_text("The award at box 4 is not signed yet: keep its cards apart.")
    dialog.get_by_role("button", name="Open bets").click()
    expect(dealer.locator(".say")).to_have_text("Bets are open")


def _replayed(visit: Visit, house: House, number: str, table: str) -> Page:
    """The auditor's replay of a round."""
    page = visit(at=house, name="auditor")
    page.goto(f"{page.url.split('#')[0]}#/replay/{table}/{number}")
    page.locator(".log").wait_for()
    return page


def test_the_display_shows_the_meter_and_is_full_of_nothing_else(visit: Visit) -> None:
    """Without logging in: the meter moves with the tables, and the page fits the screen."""
    page = visit((1920, 1080), "#/display/main")
    figure = page.locator(".meter .figure")
    expect(figure).to_have_text(re.compile(r"^\d{2,3},\d{3}\.\d\d$"))
    before = figure.inner_text()
    shoot(page, "display")
    assert page.evaluate("document.documentElement.scrollHeight <= window.innerHeight")
    close_bets(page, *GAMES)
    until(page, "before => document.querySelector('.meter .figure').textContent !== before", arg=before)


def test_the_display_comes_back_by_itself_with_the_meter_of_now(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Its server is killed: it says that the value is an old one; started again, it shows what a new display shows."""
    with House(tmp_path_factory.mktemp("display")) as own:
        page = visit((1920, 1080), "#/display/main", own)
        figure = page.locator(".meter .figure")
        expect(figure).to_have_text(re.compile(r"^\d{2,3},\d{3}\.\d\d$"))
        own.kill()
        expect(page.locator(".offline")).to_contain_text("last value known")
        before = figure.inner_text()
        shoot(page, "display-offline")
        assert serious(page) == []
        own.start()
        expect(page.locator(".offline")).to_have_count(0)
        close_bets(page, *GAMES)
        until(
            page,
            "before => document.querySelector('.meter .figure').textContent !== before",
            arg=before,
            timeout=NEXT_ROUND,
        )
        fresh = visit((1920, 1080), "#/display/main", own).locator(".meter .figure")
        expect(fresh).not_to_be_empty()
        ends = time.monotonic() + PATIENCE
        # The meter moves between two looks, so they are taken until they agree; a display that stood still never would.
        while figure.inner_text() != fresh.inner_text():
            assert time.monotonic() < ends, "the display does not show the meter of now"
            page.wait_for_timeout(200)


def test_nothing_lies_on_a_table_whose_round_is_void(visit: Visit, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every bet went back: no chips on the player's felt, none at the console, in the pit or at the end of the replay;
    what was bet stands in the results.
    """
    with House(tmp_path_factory.mktemp("void"), staffed("Desk")) as own:
        dealer = at_console(visit, "Desk", at=own)
        player = visit(PHONE, at=own)
        pit = visit(at=own, name="shift")
        open_bets(dealer)
        player.locator('a[href="#/table/Desk"]').click()
        lay(player, 3, ante=25, jackpot=5)
        tile = pit.locator('.wall [data-table="Desk"]')
        on_table = tile.locator(".chips")
        expect(on_table).to_have_text("30")
        no_more_bets(dealer)
        expect(dealer.locator('[data-test="shift"]')).to_contain_text("on the table 30.00")
        expect(player.locator(".felt .chips")).to_have_count(2)
        pit.goto(f"{own.address}/#/dealer/Desk")
        pit.get_by_role("button", name="Irregularity").click()
        pit.locator('[data-incident="technical_interruption"]').click()
        pit.get_by_role("button", name="Report it").click()
        pit.get_by_role("button", name="Void the round").click()
        expect(dealer.locator('[data-test="pay"]')).to_contain_text("Give back 25.00")
        expect(dealer.locator('[data-test="shift"]')).to_contain_text("on the table 0.00")
        row = dealer.locator(".boxes-table tbody tr")
        expect(row).to_have_count(1)
        expect(row.locator(".stake")).to_have_count(0)
        shoot(dealer, "void-dealer")
        expect(player.locator('[data-test="results"]')).to_contain_text("The round is void")
        expect(player.locator('[data-test="results"]')).to_contain_text("25.00 back")
        for chips in (".felt .chips", ".felt .tile .net", ".spot.laid", ".spot .amount", ".spot .net"):
            expect(player.locator(chips)).to_have_count(0)
        shoot(player, "void-player")
        assert serious(player) == []
        pit.goto(f"{own.address}/#/pit")
        expect(tile).to_contain_text("Void")
        expect(on_table).to_have_text("–")
        expect(tile.locator(".boxes")).to_have_attribute("aria-label", "0 of 7 boxes in play")
        shoot(pit, "void-pit")
        replay = visit(at=own, name="auditor")
        replay.goto(f"{own.address}/#/replay/Desk/1/99999")
        expect(replay.locator(".log")).to_contain_text("The round is void")
        expect(replay.locator(".staff-felt .stake")).to_have_count(0)
        replay.keyboard.press("Home")
        replay.locator(".log button", has_text="No more bets").click()
        expect(replay.locator(".staff-felt .stake")).to_have_count(2)


def test_a_round_is_replayed_step_by_step_and_its_deck_proved(visit: Visit) -> None:
    """The auditor searches, scrubs with the keys, takes a player's eyes, and the seal is checked on his own page."""
    page = visit(name="auditor")
    replay_a_settled_round(page)
    expect(page.locator('[data-test="told"]')).to_contain_text("Place your bets")
    page.keyboard.press("End")
    page.locator(".log .now").wait_for()
    expect(page.locator(".proof li.up")).to_have_count(2)
    expect(page.locator(".results > li").first).to_be_visible()
    shoot(page, "replay")
    page.locator("main").press("ArrowLeft")
    page.reload()
    expect(page.locator('[data-test="told"]')).not_to_be_empty()
