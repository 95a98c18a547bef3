"""A player's rounds, by clicks alone."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import DESKTOP, LANDSCAPE, PHONE, TABLET, Visit, serious, shoot
from tests.web.house import GAMES, House

TIME_LEFT = "Number(document.querySelector('.stage-betting .ring text')?.textContent ?? 0) >= 5"
SIDE = {"Orchid": "bonus", "Trishaw": "pair_plus", "Marina": "bonus", "Merlion": "bonus"}


def sit(page: Page, table: str) -> None:
    """From the lobby to a table whose bets are open with time left."""
    page.locator(f'a[href="#/table/{table}"]').click()
    page.wait_for_function(f"() => {TIME_LEFT}", timeout=90_000)


def bets_are_open(page: Page) -> bool:
    return bool(page.evaluate(TIME_LEFT))


def bet(page: Page, table: str) -> None:
    """Two taps a bet: 25 on the Ante, 10 on the side bet where the game has one, and the jackpot coin."""
    page.locator('[data-chip="25"]').click()
    page.locator('.spot[data-bet="ante"]').first.click()
    expect(page.locator('.spot[data-bet="ante"]').first).to_contain_text("25.00")
    if table in SIDE:
        page.locator('[data-chip="10"]').click()
        page.locator(f'.spot[data-bet="{SIDE[table]}"]').first.click()
        expect(page.locator(f'.spot[data-bet="{SIDE[table]}"]').first).to_contain_text("10.00")
    expect(page.locator(".lamp.invited").first).to_be_visible()
    page.locator('.spot[data-bet="jackpot"]').first.click()
    expect(page.locator(".lamp.placed").first).to_be_visible()


def cents(text: str | None) -> int:
    found = re.search(r"-?[\d,]+\.\d\d", (text or "").replace("−", "-"))
    assert found, text
    return int(found[0].replace(",", "").replace(".", ""))


@pytest.mark.parametrize(("size", "name"), [(DESKTOP, "desktop"), (PHONE, "phone")], ids=["desktop", "phone"])
def test_a_whole_round_of_each_game_by_clicks_alone(visit: Visit, size: tuple[int, int], name: str) -> None:
    """From the lobby to settlement at all five games: lamp, own hand named, priced decisions, reasons and balance."""
    pages = {table: visit(size) for table in GAMES}
    shoot(pages["Orchid"], f"lobby-{name}")
    for table, page in pages.items():
        page.locator(f'a[href="#/table/{table}"]').click()
    to_bet, playing, decided = dict(pages), dict(pages), dict.fromkeys(pages, 0)
    until = time.monotonic() + 100
    while playing and time.monotonic() < until:
        for table, page in list(playing.items()):
            if table in to_bet:
                if bets_are_open(page):
                    del to_bet[table]
                    bet(page, table)
                    shoot(page, f"bets-{table}-{name}")
            elif page.locator('[data-test="results"]').count():
                del playing[table]
                _is_settled(page, table, name)
            elif page.locator("[data-choice]:enabled").count():
                decided[table] += 1
                _decide(page, table, name, first=decided[table] == 1)
        time.sleep(0.05)
    assert not playing, f"not settled: {list(playing)}"
    assert all(decided.values())


def _decide(page: Page, table: str, name: str, *, first: bool) -> None:
    """Take the dearest choice: the first button, which says its price."""
    button = page.locator("[data-choice]").first
    if first:
        expect(page.locator('[data-test="hand"]').first).not_to_be_empty()
        expect(page.locator(".lamp.accepted").first).to_be_visible()
        assert re.search(r"\d+\.\d\d", button.inner_text()), button.inner_text()
        expect(page.locator('[data-choice="fold"]').or_(page.locator('[data-choice="check"]'))).to_be_visible()
        shoot(page, f"decision-{table}-{name}")
        if table == "Baobab":
            assert serious(page) == []
    choice, before = button.get_attribute("data-choice"), page.locator("[data-choice]").count()
    button.click()
    page.wait_for_function(
        "([choice, count]) => document.querySelectorAll('[data-choice]').length !== count"
        " || document.querySelector('[data-choice]').dataset.choice !== choice",
        arg=[choice, before],
    )


def _is_settled(page: Page, table: str, name: str) -> None:
    """Every bet has its result, its reason and its paragraph; the balance moved by exactly the net."""
    shoot(page, f"result-{table}-{name}")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{table} is too wide"
    results = page.locator('[data-test="results"]')
    lines = results.locator(".results > li")
    assert lines.count() >= (4 if table in SIDE else 3)
    nets = [cents(text) for text in lines.locator(".net").all_inner_texts()]
    assert sum(nets) == cents(results.locator("h2 b").inner_text())
    expect(page.locator('[data-test="balance"]')).to_have_text(f"{(100_000 + sum(nets)) / 100:,.2f}")
    results.locator(".rule").first.click()
    dialog = page.locator("rule-dialog dialog")
    expect(dialog).to_be_visible()
    expect(dialog.locator(".text").first).not_to_be_empty()
    if table == "Baobab":
        shoot(page, f"paragraph-{name}")
        assert serious(page) == []
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


def test_bets_can_be_doubled_undone_cleared_and_laid_again(visit: Visit, house: House) -> None:
    """What lies on the table is what the page says, whichever way it came there."""
    page = visit(route="#/")
    sit(page, "Baobab")
    ante, jackpot = page.locator('.spot[data-bet="ante"]'), page.locator('.spot[data-bet="jackpot"]')
    page.locator('[data-chip="25"]').click()
    ante.click()
    expect(ante).to_contain_text("25.00")
    jackpot.click()
    expect(jackpot).to_contain_text("5.00")
    page.get_by_role("button", name="Double").click()
    expect(ante).to_contain_text("50.00")
    page.get_by_role("button", name="Undo").click()
    expect(ante).to_contain_text("25.00")
    expect(jackpot).to_contain_text("5.00")
    page.get_by_role("button", name="Clear").click()
    expect(page.locator('[data-test="balance"]')).to_have_text("1,000.00")
    expect(ante).not_to_contain_text("25.00")


def test_a_refusal_is_said_in_the_servers_words_with_its_paragraph(visit: Visit) -> None:
    """A jackpot bet without an Ante is refused, and the page says by which paragraph."""
    page = visit()
    sit(page, "Orchid")
    page.locator('.spot[data-bet="jackpot"]').click()
    expect(page.locator(".toast.refusal")).to_contain_text("Ante")


@pytest.mark.parametrize(("size", "name"), [(LANDSCAPE, "landscape"), (TABLET, "tablet")], ids=["landscape", "tablet"])
def test_nothing_hangs_over_the_edge(visit: Visit, size: tuple[int, int], name: str) -> None:
    """On a phone on its side and on a tablet the page is as wide as the screen."""
    page = visit(size)
    page.locator('a[href="#/table/Marina"]').click()
    page.locator(".felt .tile").first.wait_for()
    shoot(page, f"felt-{name}")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_two_boxes_one_look_the_other_blind(visit: Visit) -> None:
    """The page says before the deal that one hand may be seen, asks which, and plays the other blind."""
    page = visit()
    sit(page, "Orchid")
    page.locator('[data-chip="25"]').click()
    for box in (3, 4):
        page.locator(f'.tile[data-box="{box}"]').click()
        page.locator(f'[data-mine="{box}"] .spot[data-bet="ante"]').click()
        expect(page.locator(f'[data-mine="{box}"] .spot[data-bet="ante"]')).to_contain_text("25.00")
    expect(page.locator(".rail .note").first).to_contain_text("one hand")
    page.get_by_role("button", name="Look at box 3").click()
    expect(page.locator('[data-mine="3"] [data-test="hand"]')).not_to_be_empty()
    expect(page.locator('[data-mine="4"] [data-test="hand"]')).to_contain_text("blind")
    shoot(page, "two-boxes")
    page.locator('[data-mine="3"] [data-choice="fold"]').click()
    page.locator('[data-mine="4"] [data-choice="flop"]').click()
    page.locator('[data-test="results"]').or_(page.locator('[data-choice="check"]')).first.wait_for()


def test_the_page_comes_back_after_the_server_was_killed(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Killed in mid-round and started again: the page says so, comes back by itself, and the round goes on."""
    with House(tmp_path_factory.mktemp("killed")) as own:
        page = visit(at=own)
        sit(page, "Baobab")
        bet(page, "Baobab")
        page.locator("[data-choice]").first.wait_for()
        hand = page.locator('[data-test="hand"]').inner_text()
        own.kill()
        expect(page.locator(".offline")).to_be_visible()
        shoot(page, "connection-lost")
        own.start()
        expect(page.locator(".offline")).to_be_hidden()
        expect(page.locator('[data-test="hand"]')).to_have_text(hand)
        page.locator('[data-choice="call"]').click()
        page.locator('[data-test="results"]').wait_for()
