"""Journeys whose cards are named, from the first tap to the money: two boxes, things that go wrong, a jackpot."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.arranged import deck
from tests.web.conftest import PHONE, TABLET, Visit, serious, shoot, until
from tests.web.house import House, staffed
from tests.web.playing import cents, lay
from tests.web.staff import at_console, dealt, decide, enter_bet, no_more_bets, open_bets, play_out

GAME = "rws-multilink-holdem"
FULL_HOUSE = {"2": "Kc Kd", "4": "Ac Jd", "community": "Kh 7s 7d 2c 3h", "dealer": "9c 8d"}


def test_a_folded_blind_box_wins_its_jackpot_bet(visit: Visit, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Box 2 is folded unseen; its jackpot bet stays alive and says so, and the flop makes it a full house: 200.00
    (4.2), one tap from the paragraph.
    """
    with House(tmp_path_factory.mktemp("two"), staffed("Orchid"), [deck(GAME, (2, 4), FULL_HOUSE)]) as own:
        dealer = at_console(visit, "Orchid", at=own)
        player = visit(PHONE, at=own)
        open_bets(dealer)
        player.locator('a[href="#/table/Orchid"]').click()
        for box in (2, 4):
            lay(player, box, ante=25, bonus=5, jackpot=5)
        expect(player.locator(".rail .note").first).to_contain_text("one hand")
        no_more_bets(dealer)
        player.get_by_role("button", name="Look at box 4").click()
        blind, seen = player.locator('[data-mine="2"]'), player.locator('[data-mine="4"]')
        expect(seen.locator('[data-test="hand"]')).to_have_text("Ace and Jack")
        expect(blind.locator('[data-test="hand"]')).to_have_text("Played blind")
        player.locator('[data-for="2"] [data-choice="fold"]').click()
        expect(blind.locator(".note")).to_contain_text("Jackpot bet stays alive")
        player.locator('[data-for="4"] [data-choice="flop"]').click()
        expect(player.locator(".felt .board .card.up")).to_have_count(3)
        expect(blind.locator(".note")).to_contain_text("Jackpot bet stays alive")
        assert blind.locator(".card.up").count() == 0
        shoot(player, "journey-blind-box")
        for turned in (3, 4):
            expect(player.locator(".felt .board .card.up")).to_have_count(turned)
            player.locator('[data-for="4"] [data-choice="check"]:enabled').click()
        won = player.locator('[data-test="results"] .results > li', has_text="Box 2 · Jackpot")
        expect(won).to_contain_text("200.00")
        expect(won).to_contain_text("ull house")
        for hand in (".makes-dealer", ".makes-box"):
            chosen = player.locator(f".felt .dealer-hand {hand}, .felt .board {hand}, [data-mine='4'] {hand}")
            expect(chosen).to_have_count(5)
        shoot(player, "journey-full-house")
        player.locator(".outcome .why summary").first.click()
        won.get_by_role("button", name="paragraph 4.2", exact=True).click()
        expect(player.locator("rule-dialog dialog .text")).to_contain_text("full house $200")
        shoot(player, "journey-full-house-rule")
        assert serious(player) == []


def report(dealer: Page, incident: str) -> Locator:
    """The dialog of one incident, chosen from what can happen now."""
    dealer.get_by_role("button", name="Irregularity").click()
    dealer.locator(f'[data-incident="{incident}"]').click()
    return dealer.locator("report-dialog dialog")


def seated(visit: Visit, own: House, table: str, box: int) -> Page:
    """A guest with an Ante of 25 on a box of a table where bets are open, at his own screen."""
    player = visit(PHONE, at=own)
    player.locator(f'a[href="#/table/{table}"]').click()
    lay(player, box, ante=25)
    return player


def test_something_goes_wrong_at_three_tables(visit: Visit, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Two cards exposed before anybody has looked: void (5.8.2), shown with the money of each box before it is
    reported. One card exposed: its player chooses on his own screen. Two cards out together (5.14): the pit's tablet
    rings, the supervisor decides the order, and every player is asked; the dealer is told who may rule.
    """
    tables = "".join(staffed(name, physical=True) for name in ("First", "Second", "Third"))
    with House(tmp_path_factory.mktemp("wrong"), tables) as own:
        first = at_console(visit, "First", at=own)
        _two_cards_exposed(visit, own, first)
        second = at_console(visit, "Second", at=own)
        _one_card_exposed(visit, own, second)
        third = at_console(visit, "Third", at=own)
        pit = visit(TABLET, at=own, name="supervisor")
        _two_cards_together(visit, own, third, pit)


def _two_cards_exposed(visit: Visit, own: House, dealer: Page) -> None:
    dealer.get_by_role("button", name="Irregularity").click()
    assert dealer.locator('[data-incident="cards_exposed"]').count() == 0, "no card lies there yet"
    dealer.locator("report-dialog").get_by_role("button", name="Cancel").click()
    open_bets(dealer)
    players = {box: seated(visit, own, "First", box) for box in (2, 5)}
    no_more_bets(dealer)
    dealt(dealer)
    dialog = report(dealer, "cards_exposed")
    expect(dialog).to_contain_text("How many cards?")
    expect(dialog).to_contain_text("Has any player looked?")
    follows = dialog.locator('[data-test="consequence"]')
    dialog.get_by_label("How many cards?").fill("2")
    expect(follows).to_contain_text("The round is void")
    dialog.get_by_role("checkbox", name="Box 5 has looked").check(force=True)
    expect(follows).to_contain_text("The round goes on")
    expect(follows).to_contain_text("5.12")
    dialog.get_by_role("checkbox", name="Box 5 has looked").press("Space")
    expect(follows).to_contain_text("The round is void")
    expect(follows).to_contain_text("5.8.2")
    for box in players:
        expect(follows.locator("tr", has=dealer.get_by_role("rowheader", name=str(box)))).to_contain_text("25.00")
    shoot(dealer, "journey-two-exposed")
    assert serious(dealer) == []
    dialog.get_by_role("button", name="Report it").click()
    dialog.get_by_role("button", name="Void the round").click()
    for player in players.values():
        expect(player.locator('[data-test="results"]')).to_contain_text("void")
        expect(player.locator('[data-test="results"]')).to_contain_text("5.8.2")
        expect(player.locator('[data-test="balance"]')).to_have_text("1,000.00")
    shoot(players[2], "journey-void-phone")


def _one_card_exposed(visit: Visit, own: House, dealer: Page) -> None:
    open_bets(dealer)
    affected, other = seated(visit, own, "Second", 3), seated(visit, own, "Second", 6)
    no_more_bets(dealer)
    dealt(dealer)
    dialog = report(dealer, "cards_exposed")
    dialog.get_by_role("group", name="Which boxes?").get_by_role("checkbox", name="3", exact=True).check(force=True)
    expect(dialog.locator('[data-test="consequence"]')).to_contain_text("Players choose")
    shoot(dealer, "journey-one-exposed")
    dialog.get_by_role("button", name="Report it").click()
    expect(affected.locator(".ask")).to_contain_text("the choice is yours")
    expect(other.locator(".moment")).to_contain_text("Players choose")
    assert other.locator(".ask button").count() == 0
    shoot(affected, "journey-option-phone")
    assert serious(affected) == []
    affected.get_by_role("button", name=re.compile("25.00 back")).click()
    expect(affected.locator('[data-mine="3"] .note')).to_contain_text("25.00 comes back")
    other.locator('[data-choice="fold"]').click()
    expect(affected.locator('[data-test="balance"]')).to_have_text("1,000.00")
    expect(affected.locator('[data-test="results"]')).to_contain_text("5.10")
    expect(other.locator('[data-test="balance"]')).to_have_text("975.00")


def _two_cards_together(visit: Visit, own: House, dealer: Page, pit: Page) -> None:
    open_bets(dealer)
    players = [seated(visit, own, "Third", box) for box in (1, 4)]
    no_more_bets(dealer)
    dealt(dealer)
    pit.evaluate("window.rung = 0; navigator.vibrate = () => { window.rung += 1; return true; }")
    dialog = report(dealer, "simultaneous_draw")
    dialog.get_by_role("checkbox", name="1", exact=True).check(force=True)
    expect(dialog.locator('[data-test="consequence"]')).to_contain_text("pit supervisor")
    dialog.get_by_role("button", name="Report it").click()
    expect(dealer.locator(".next")).to_contain_text("You may not answer this yourself: call the pit supervisor")
    refused = dealer.evaluate(
        "fetch('/api/me').then(r => r.json()).then(me => fetch('/api/tables/Third/commands', {method: 'POST',"
        " headers: {'content-type': 'application/json', 'x-csrf': me.csrf},"
        " body: JSON.stringify({id: 'herself', do: 'rule', decision: 'card_order'})})).then(r => r.json())"
    )
    assert refused["accepted"] is False
    assert "pit supervisor" in refused["message"].lower()
    until(pit, "window.rung > 0")
    ruling = pit.locator('[data-ruling="Third"]')
    for says in ("Cards were drawn together", "pit supervisor", "5.14", "25"):
        expect(ruling).to_contain_text(says)
    shoot(pit, "journey-ruling-tablet")
    assert serious(pit) == []
    expect(ruling.locator("h3").first).to_contain_text("Box 1")
    expect(dealer.locator(".asked")).to_contain_text("Box 1")
    ruling.get_by_text("Can it be reconstructed?").click()
    expect(ruling.get_by_role("textbox", name="Burn", exact=True)).to_have_value("??")
    expect(ruling.get_by_label("Drawn together")).to_have_value("1:2")
    ruling.get_by_role("button", name="Compute the layouts").click()
    expect(ruling.locator('[data-test="finding"]')).not_to_contain_text("No way of dealing")
    ruling.locator('[data-rule="card_order"]').click()
    expect(pit.locator(".toast", has_text="Say where each card goes before you rule")).to_be_visible()
    for place in ("Box 4", "Box 1"):
        ruling.locator(f'[data-order="{place}"]').click()
    ruling.get_by_label("In your words").fill("The left one was drawn first.")
    ruling.locator('[data-rule="card_order"]').click()
    ruled = dealer.locator('[data-test="ruled"]')
    expect(ruled).to_contain_text("card 1 to Box 4, card 2 to Box 1. The left one was drawn first.")
    expect(ruled).to_contain_text("Lay the cards in this order.")
    expect(ruled).to_contain_text("(pit supervisor)")
    shoot(dealer, "console-ruled")
    ruled.get_by_role("button", name="Done").click()
    expect(ruled).to_have_count(0)
    for player in players:
        expect(player.locator(".ask")).to_contain_text("the choice is yours")
    players[0].get_by_role("button", name=re.compile("stays in play")).click()
    players[1].get_by_role("button", name=re.compile("25.00 back")).click()
    expect(players[1].locator('[data-mine="4"] .note')).to_contain_text("25.00 comes back")
    players[0].locator('[data-choice="fold"]').click()
    expect(players[1].locator('[data-test="balance"]')).to_have_text("1,000.00")
    expect(players[0].locator('[data-test="balance"]')).to_have_text("975.00")


def bet_and_deal(dealer: Page, box: int, *, jackpot: bool = True) -> None:
    """A round in which one box is dealt its cards."""
    open_bets(dealer)
    enter_bet(dealer, box, "Ante", "25.00")
    if jackpot:
        enter_bet(dealer, box, "Jackpot", "5.00")
    no_more_bets(dealer)
    dealt(dealer)


def meter(display: Page) -> int:
    return cents(display.locator(".meter .figure").inner_text())


def sign_award(page: Page, table: str) -> None:
    page.locator(f'[data-claim="{table}"]').get_by_role("button", name="I have verified it").click()


def test_a_straight_flush_waits_for_the_table_dealt_before_it(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Claimed while an earlier-dealt round plays and others go on; locked when that is over; two people sign, exactly
    what was locked is paid, and the day adds up. The next one is in the middle of it when the plug is pulled: after the
    restart everything is there, and the rules for interruptions decide what becomes of the round in play (5.7.2).
    """
    names = ("T2", "T3", "T7")
    with House(tmp_path_factory.mktemp("jackpot"), "".join(staffed(n, physical=True) for n in names)) as own:
        display = visit((1920, 1080), "#/display/main", own)
        consoles = {name: at_console(visit, name, at=own) for name in names}
        pits = {name: visit(TABLET, at=own, name=name) for name in ("supervisor", "manager", "shift")}
        _hit_while_another_plays(consoles, display, pits["supervisor"])
        before = meter(display)
        play_out(consoles["T2"], 1, hand="5s 4d", board="Qh Jh 2c 7d 9s", against="Qc Qd")
        expect(display.locator(".pending")).to_contain_text("locked, being verified")
        expect(display.locator(".meter .figure")).to_have_text(f"{(before - before // 10) / 100:,.2f}")
        sign_award(pits["supervisor"], "T7")
        expect(pits["manager"].locator('[data-claim="T7"]')).to_contain_text("1 more signature needed")
        sign_award(pits["manager"], "T7")
        hit = display.locator(".hits li").first
        expect(hit).to_contain_text("Straight flush")
        expect(hit).to_contain_text("T7, box 3")
        expect(display.locator(".pending")).to_have_count(0)
        paid = cents(hit.inner_text())
        assert paid == before // 10
        expect(display.locator(".meter .figure")).to_have_text(f"{(before - paid) / 100:,.2f}")
        shoot(display, "journey-award-paid")
        auditor = visit(at=own, name="auditor")
        _adds_up(auditor, display)

        _hit_while_another_plays(consoles, display, pits["supervisor"])
        sign_award(pits["supervisor"], "T7")
        expect(pits["manager"].locator('[data-claim="T7"]')).to_contain_text("Verified by supervisor")
        before = meter(display)
        own.kill()
        expect(display.locator(".offline")).to_be_visible()
        own.start()
        expect(display.locator(".offline")).to_have_count(0)
        expect(display.locator(".pending")).to_contain_text("Straight flush at T7")
        expect(pits["manager"].locator('[data-claim="T7"]')).to_contain_text("Verified by supervisor")
        _power_is_back(pits["shift"], consoles["T2"])
        sign_award(pits["manager"], "T7")
        expect(display.locator(".pending")).to_have_count(0)
        # The void round took its contribution of 1.00 back out of the meter before the award was locked.
        again = cents(display.locator(".hits li").first.inner_text())
        assert again == (before - 100) // 10
        expect(display.locator(".meter .figure")).to_have_text(f"{(before - 100 - again) / 100:,.2f}")
        _adds_up(auditor, display)


def _hit_while_another_plays(consoles: dict[str, Page], display: Page, supervisor: Page) -> None:
    """T2 is dealt, then T7, where box 3 makes a straight flush with the flop; a third table plays a whole round."""
    bet_and_deal(consoles["T2"], 1)
    bet_and_deal(consoles["T7"], 3)
    play_out(consoles["T7"], 3, hand="Jh Th", board="9h 8h 7h 2c 2d", against="3c 3d")
    expect(display.locator(".pending")).to_contain_text("Straight flush at T7, box 3: waits for an earlier deal")
    expect(supervisor.locator('[data-claim="T7"]')).to_contain_text("Waits for T2, dealt earlier.")
    shoot(supervisor, "journey-claim-tablet")
    bet_and_deal(consoles["T3"], 2, jackpot=False)
    decide(consoles["T3"], 2, "fold")
    expect(consoles["T3"].locator('[data-test="pay"]')).to_contain_text("Take 25.00")


def _power_is_back(shift: Page, dealer: Page) -> None:
    """The round that was in play is where it was; the shift manager reports the interruption, and it is void."""
    expect(dealer.locator('[data-decide="1-flop"]')).to_be_visible()
    shift.locator('.wall [data-table="T2"] button').click()
    shift.locator('[data-open="T2"]').get_by_role("link", name="Console").click()
    dialog = report(shift, "technical_interruption")
    expect(dialog.locator('[data-test="consequence"]')).to_contain_text("The round is void")
    expect(dialog.locator('[data-test="consequence"]')).to_contain_text("5.7.2")
    shoot(shift, "journey-interruption")
    dialog.get_by_role("button", name="Report it").click()
    dialog.get_by_role("button", name="Void the round").click()
    expect(dealer.locator('[data-test="pay"]')).to_contain_text("5.7.2")
    shoot(dealer, "journey-interrupted-dealer")


def _adds_up(auditor: Page, display: Page) -> None:
    """The reconciliation of the day, on the auditor's page, down to the meter that everybody sees."""
    auditor.goto(f"{auditor.url.split('#')[0]}#/audit")
    auditor.reload()
    auditor.get_by_role("button", name="Audit everything now").click()
    day = auditor.locator('[data-day="main"]')
    expect(day.locator("tr", has_text="Closing meter")).to_contain_text(display.locator(".meter .figure").inner_text())
    expect(day).to_contain_text("The day adds up")
    expect(auditor.locator('[data-test="audited"]')).to_contain_text("No difference")
    shoot(auditor, "journey-reconciled")
