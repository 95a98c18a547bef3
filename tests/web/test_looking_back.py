"""The auditor: searching, looking with others' eyes, sharing, exporting, auditing; and two rulebooks compared."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from croupier import verify
from tests.patience import COMPILING, PATIENCE
from tests.web.conftest import DESKTOP, PHONE, Visit, serious, shoot, until
from tests.web.house import House
from tests.web.playing import close_bets, replay_a_settled_round, results, sit
from tests.web.staff import at_console, dealt, decide, enter_bet, no_more_bets, open_bets, play_out, round_number

AROUND = """
(round) => fetch(`/api/tables/${round.replace("/", "/rounds/")}`).then((said) => said.json()).then((told) => {
  const wall = (minutes) => {
    const at = new Date(Date.parse(told.at) + minutes * 60000);
    return new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
  };
  return { long_before: wall(-60), before: wall(-2), after: wall(2) };
})
"""
"""Minutes around a round, on the wall of whoever searches."""


def search(page: Page, **fields: str) -> None:
    """Fill the form and search; empty fields ask for nothing."""
    form = page.locator("form.search")
    for name in ("player", "hand", "won", "lost", "since", "until"):
        form.locator(f'[name="{name}"]').fill(fields.get(name, ""))
    for name in ("table", "game", "bet"):
        form.locator(f'[name="{name}"]').select_option(fields.get(name, ""))
    with page.expect_response(re.compile("/rounds\\?")):
        form.get_by_role("button", name="Search").click()
    expect(form.get_by_role("button", name="Search")).to_be_enabled()


def found(page: Page) -> list[str]:
    return [str(row.get_attribute("data-round")) for row in page.locator(".found tbody tr").all()]


def played(dealer: Page, *, fold: bool) -> str:
    """A round at the table with real cards: folded with a Bonus, or a straight flush to the showdown; its number."""
    open_bets(dealer)
    enter_bet(dealer, 5, "Ante", "25.00")
    enter_bet(dealer, 5, "Bonus", "10.00")
    no_more_bets(dealer)
    dealt(dealer)
    if fold:
        decide(dealer, 5, "fold")
    else:
        play_out(dealer, 5, hand="Jh Th", board="9h 8h 7h 2c 2d", against="3c 3d")
    dealer.locator('[data-test="pay"]').wait_for()
    return f"Felt/{round_number(dealer)}"


def test_a_complaint_is_found_replayed_and_answered(visit: Visit, staffed_house: House) -> None:
    """Searched by time, game, bet, player, hand and amount; seen with each one's eyes; the reason has its paragraph."""
    dealer = at_console(visit, "Felt", at=staffed_house)
    folded, winner = played(dealer, fold=True), played(dealer, fold=False)
    page = visit(at=staffed_house, name="auditor")
    page.locator(".found").wait_for()
    search(page, game="rws-multilink-holdem", bet="bonus", player="ana")
    assert {folded, winner} <= set(found(page))
    search(page, hand="straight flush", table="Felt")
    assert winner in found(page)
    assert folded not in found(page)
    search(page, player="ana", lost="35", table="Felt")
    assert folded in found(page)
    assert winner not in found(page)
    search(page, player="ana", won="10", table="Felt")
    assert winner in found(page)
    assert folded not in found(page)
    shoot(page, "search")
    assert serious(page) == []
    around = page.evaluate(AROUND, folded)
    search(page, game="rws-multilink-holdem", bet="bonus", since=around["before"], until=around["after"])
    assert folded in found(page)
    search(page, game="rws-multilink-holdem", bet="bonus", since=around["long_before"], until=around["before"])
    assert folded not in found(page)
    page.locator('[name="since"]').fill(around["after"])
    page.locator('[name="until"]').fill(around["before"])
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("alert")).to_have_text("Until is before From.")
    search(page, player="nobody at all")
    expect(page.locator("main")).to_contain_text("No round matches")
    page.goto(f"{page.url.split('#')[0]}#/replay/{folded}")
    page.locator(".log").wait_for()
    money = page.locator('[aria-label="The money"]')
    expect(money.locator("li", has_text="Bonus")).to_contain_text("folded")
    expect(money.locator("li", has_text="Ante")).to_contain_text("3.11.2.a")
    expect(money.locator('[data-test="house"]')).to_contain_text("House +")
    money.locator("li", has_text="Bonus").locator(".rule").first.click()
    expect(page.locator("rule-dialog dialog .text").first).not_to_be_empty()
    page.locator("rule-dialog").get_by_role("button", name="Close").click()
    shoot(page, "complaint")


def test_each_ones_eyes_see_what_they_could_see_then(visit: Visit, fresh_house: House) -> None:
    """A player sees her own examined hand before the showdown; the dealer, the pit and the display see its back."""
    player = visit(at=fresh_house)
    sit(player, "Baobab")
    player.locator('.stage-betting .spot[data-bet="ante"]:enabled').click()
    expect(player.locator('.spot[data-bet="ante"]')).to_contain_text("25.00")
    close_bets(player, "Baobab")
    player.locator('[data-choice="fold"]').click()
    results(player)
    address = str(player.locator('[data-test="results"] a', has_text="Replay").get_attribute("href"))
    name = player.locator(".who span").inner_text()
    page = visit(at=fresh_house, name="auditor")
    page.goto(f"{page.url.split('#')[0]}{address}")
    page.locator(".log button", has_text=f"{name} looks at the hand").click()
    expect(page.locator(".log .covered")).to_have_count(0)
    expect(page.locator(".log .value").first).to_contain_text("antes", timeout=1000 * COMPILING)
    row = page.locator(".boxes-table tr", has_text=name)
    expect(row.locator(".card.down")).to_have_count(2)
    for eyes, seen in ((f"player/{name}", 2), ("post/dealer", 0), ("post/pit_supervisor", 0), ("post/display", 0)):
        page.locator('[data-test="eyes"]').select_option(eyes)
        expect(page.locator(".table-head p")).to_contain_text(f"the {eyes.split('/')[0]} {name}" if seen else "the ")
        expect(row.locator(".card.up")).to_have_count(seen)
        expect(page.locator('[data-test="told"]')).to_contain_text("looks at the hand")
        expect(page.locator(".log .covered").first).to_be_attached()
        if seen:
            shoot(page, "replay-as-player")
    until(page, "location.hash.endsWith('as=post%2Fdisplay')")
    page.reload()
    expect(page.locator('[data-test="eyes"]')).to_have_value("post/display")
    for eyes, values in (("post/display", 0), (f"player/{name}", 1)):
        page.locator('[data-test="eyes"]').select_option(eyes)
        page.locator(".scrub input").first.press("End")
        expect(page.locator(".log .covered")).to_have_count(0)
        expect(page.locator(".log .value")).to_have_count(values)
    assert serious(page) == []


def test_a_round_is_shared_by_its_link_and_checks_itself_elsewhere(visit: Visit, tmp_path: Path) -> None:
    """The link opens the same step for a colleague; the export is checked by one file with Python alone."""
    page = visit(name="auditor")
    replay_a_settled_round(page)
    page.locator('[aria-label="Step forward"]').click()
    page.locator('[aria-label="Step forward"]').click()
    told = page.locator('[data-test="told"]').inner_text()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the link").click()
    expect(
        page.locator(".toast", has_text="clipboard").or_(page.locator(".toast", has_text="#/replay/"))
    ).to_be_visible()
    colleague = visit(name="surveillance")
    colleague.goto(page.url)
    expect(colleague.locator('[data-test="told"]')).to_have_text(told)
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    file = tmp_path / "round.json"
    download.value.save_as(file)
    alone = [sys.executable, "-I", "-S", str(verify.__file__), str(file)]
    checked = subprocess.run(alone, capture_output=True, text=True, check=False, env={})
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_an_address_opens_a_step_and_follows_it(visit: Visit, house: House) -> None:
    """.../17 is the step that the page calls 17, and a number too high is the last one; a changed address leads to
    another step of the same round; a stranger reads what waits and comes to the step after logging in, or as a guest,
    who is not told that they see it with a player's eyes.
    """
    page = visit(name="auditor")
    replay_a_settled_round(page)
    round_played = page.url.split("#/replay/")[1]
    page.locator(".scrub input").press("End")
    for width, height in ((1280, 720), (1366, 768)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".felt.wide")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        shoot(page, f"replay-{width}")
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    steps = page.locator(".log li")
    last = steps.count()
    assert last > 5
    scrub, told = page.locator(".scrub"), page.locator('[data-test="told"]')
    for asked, shown in (("5", 5), ("1", 1), ("0", 1), ("99999", last), ("x", 1), (str(last), last)):
        page.goto("about:blank")
        page.goto(f"{house.address}/#/replay/{round_played}/{asked}")
        expect(scrub).to_contain_text(f"{shown} of {last}")
        expect(told).to_have_text(steps.nth(shown - 1).locator("button").inner_text())
        assert page.url.endswith(f"/{round_played}/{shown}")
    page.get_by_role("button", name="Step back").click()
    assert page.url.endswith(f"/{round_played}/{last - 1}")
    page.goto(f"{house.address}/#/replay/{round_played}/3")
    expect(scrub).to_contain_text(f"3 of {last}")
    page.goto(f"{house.address}/#/replay/{round_played}")
    expect(scrub).to_contain_text(f"1 of {last}")
    page.keyboard.press("ArrowRight")
    assert page.url.endswith(f"/{round_played}/2")
    table, _, number = round_played.partition("/")
    page.goto(f"{house.address}/#/replay/{'Trishaw' if table == 'Baobab' else 'Baobab'}/{number}/2")
    expect(page.locator("h1")).not_to_contain_text(table)
    stranger = visit(route=f"#/replay/{round_played}/4")
    waits = f"{table}, round {number} waits to be shown to you"
    expect(stranger.locator("h1")).to_have_text(waits)
    stranger.get_by_role("main").get_by_role("link", name="Log in").click()
    expect(stranger.get_by_role("main")).to_contain_text(waits)
    stranger.get_by_label("Name").fill("auditor")
    stranger.get_by_label("Password").fill("croupier-demo")
    stranger.get_by_role("button", name="Log in").click()
    expect(stranger.locator(".scrub")).to_contain_text(f"4 of {last}")
    guest = visit(route=f"#/replay/{round_played}/4")
    guest.get_by_role("button", name="See it as a guest").click()
    expect(guest.locator(".table-head")).to_contain_text("You had no part in this round: you see what all could see.")


@pytest.mark.parametrize("size", [(1366, 900), PHONE], ids=["desktop", "phone"])
def test_an_audit_at_the_press_of_a_button(visit: Visit, size: tuple[int, int]) -> None:
    """Chains with their heads; everything is computed again while the house plays on: no difference, it balances."""
    page = visit(size)
    page.goto(f"{page.url.split('#')[0]}#/login/audit")
    page.get_by_label("Name").fill("auditor")
    page.get_by_label("Password").fill("croupier-demo")
    page.get_by_role("button", name="Log in").click()
    expect(page.locator('[aria-label="Chains"] tbody tr', has_text="link/main")).to_contain_text(
        re.compile("[0-9a-f]{64}")
    )
    page.get_by_role("button", name="Audit everything now").click()
    expect(page.locator('[data-test="audited"]')).to_contain_text("No difference")
    expect(page.locator("main")).to_contain_text("It balances")
    shoot(page, f"audit-{size[0]}")
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_what_differs_between_two_games(visit: Visit) -> None:
    """A game's rules say whose figures they show, and lead to the tables with theirs; from there to the comparison with
    another game, each side with its own paragraphs.
    """
    page = visit(route="#/rules/sun-casino-holdem")
    figures = page.locator('[data-test="figures"]')
    expect(figures).to_contain_text("those of the document of Sun International, in its currency")
    expect(figures).to_contain_text(re.compile(r"Baobab: Ante [\d,]+–[\d,]+ SGD"))
    page.goto(page.url.replace("sun-casino-holdem", "rws-multilink-holdem"))
    page.locator('[data-test="against"]').select_option("sun-casino-holdem")
    expect(page.locator('[data-test="counted"]')).to_contain_text("statements differ")
    row = page.locator(".compared tr", has=page.get_by_role("rowheader", name="Call", exact=True))
    expect(row.locator("td").nth(0)).to_contain_text("not mentioned")
    expect(row.locator("td").nth(1)).to_contain_text("2 × Ante")
    row.locator(".rule").first.click()
    expect(page.locator("rule-dialog dialog")).to_contain_text("Casino Hold'Em Poker")
    page.locator("rule-dialog").get_by_role("button", name="Close").click()
    page.locator('select[name="second"]').select_option("mbs-megalink-holdem")
    expect(page.locator(".compared thead").first).to_contain_text("MBS")
    shoot(page, "compare")
    assert serious(page) == []


def test_a_search_is_still_there_after_looking_at_a_round(visit: Visit) -> None:
    """Back from the replay, and after loading the page again: the same fields, and what they ask for."""
    page = visit(name="auditor")
    page.locator(".found").wait_for()
    replay_a_settled_round(page)
    page.go_back()
    page.locator(".found").wait_for()
    ends = time.monotonic() + PATIENCE
    while not found(page) or not all(number.startswith("Baobab/") for number in found(page)):
        assert time.monotonic() < ends, "no bot loses at Baobab"
        close_bets(page, "Baobab")
        page.wait_for_timeout(1000)
        search(page, table="Baobab", bet="ante", lost="1", since="2020-01-01T09:00")
    page.locator(".found a").first.click()
    page.locator(".log").wait_for()
    form = page.locator("form.search")
    for again in (page.go_back, page.reload):
        again()
        page.locator(".found").wait_for()
        for name, value in (("table", "Baobab"), ("bet", "ante"), ("lost", "1"), ("since", "2020-01-01T09:00")):
            expect(form.locator(f'[name="{name}"]')).to_have_value(value)
        assert all(number.startswith("Baobab/") for number in found(page))
    page.get_by_role("navigation").get_by_role("link", name="Rounds").click()
    expect(form.locator('[name="bet"]')).to_have_value("")
    until(page, "[...document.querySelectorAll('.found a')].some(found => !found.textContent.startsWith('Baobab'))")
