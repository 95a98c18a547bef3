"""A player's rounds, by clicks alone."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.web.arranged import deck
from tests.web.conftest import DESKTOP, LANDSCAPE, PHONE, TABLET, Visit, serious, shoot, until
from tests.web.house import GAMES, House, patient, staffed
from tests.web.playing import NEXT_ROUND, SIDE, bet, bets_are_open, cents, close_bets, lay, sit
from tests.web.staff import at_console, no_more_bets, open_bets, round_number


@pytest.fixture
def house(fresh_house: House) -> House:
    return fresh_house


@pytest.mark.parametrize(("size", "name"), [(DESKTOP, "desktop"), (PHONE, "phone")], ids=["desktop", "phone"])
def test_a_whole_round_of_each_game_by_clicks_alone(visit: Visit, size: tuple[int, int], name: str) -> None:
    """From the lobby to settlement at all five games: lamp, own hand named, priced decisions, reasons and balance."""
    pages = {table: visit(size) for table in GAMES}
    shoot(pages["Orchid"], f"lobby-{name}")
    for table, page in pages.items():
        page.locator(f'a[href="#/table/{table}"]').click()
    to_bet, playing, decided = dict(pages), dict(pages), dict.fromkeys(pages, 0)
    ends = time.monotonic() + NEXT_ROUND / 1000
    while playing and time.monotonic() < ends:
        for table, page in list(playing.items()):
            if table in to_bet:
                if bets_are_open(page, table):
                    del to_bet[table]
                    bet(page, table)
                    shoot(page, f"bets-{table}-{name}")
                    close_bets(page, table)
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
    until(
        page,
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
    results.locator(".why summary").click()
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
    """Ante, Bonus and jackpot on boxes 3 and 4: the page says before the deal that one hand may be seen, asks which,
    plays the other blind; a folded box keeps its jackpot bet alive, and says so. In the next round another player has
    taken box 3: Rebet lays the bets of box 4, and says that.
    """
    page = visit()
    sit(page, "Orchid")
    for box in (3, 4):
        lay(page, box, ante=25, bonus=5, jackpot=5)
    expect(page.locator(".rail .note").first).to_contain_text("one hand")
    close_bets(page, "Orchid")
    page.get_by_role("button", name="Look at box 4").click()
    expect(page.locator('[data-mine="4"] [data-test="hand"]')).not_to_be_empty()
    expect(page.locator('[data-mine="3"] [data-test="hand"]')).to_contain_text("blind")
    assert page.locator('[data-mine="3"] .card.up').count() == 0
    shoot(page, "two-boxes")
    assert serious(page) == []
    page.locator('[data-for="3"] [data-choice="fold"]').click()
    expect(page.locator('[data-mine="3"]')).to_contain_text("Folded")
    expect(page.locator('[data-mine="3"] .note')).to_contain_text("Jackpot bet stays alive")
    page.locator('[data-for="4"] [data-choice="flop"]').click()
    over = page.locator('[data-test="results"]')
    while not over.count():
        over.or_(page.locator('[data-choice="check"]:enabled')).first.wait_for()
        if page.locator('[data-choice="check"]:enabled').count():
            page.locator('[data-choice="check"]').first.click()
    lines = over.locator(".results > li")
    expect(lines.filter(has_text="Box 3 · Jackpot")).to_have_count(1)
    expect(lines.filter(has_text="Box 3 · Ante")).to_contain_text("folded")
    other = visit(PHONE)
    for each in (page, other):
        sit(each, "Orchid")
    lay(other, 3, ante=25)
    expect(page.get_by_role("button", name="Box 3: taken")).to_be_visible()
    page.get_by_role("button", name="Rebet").click()
    expect(page.locator(".toast")).to_have_text("Box 3: taken by another player. Bet again: Box 4.")
    expect(page.locator('[data-mine="4"] .spot[data-bet="bonus"]')).to_contain_text("5.00")
    expect(page.locator('[data-tool="deal"]')).to_be_enabled()


def test_a_dealer_who_does_not_qualify_is_said(visit: Visit, tmp_path_factory: pytest.TempPathFactory) -> None:
    """sun-casino-holdem: Queen high against a pair. The felt says it beside the dealer's hand, the dock and the status
    line in a sentence.
    """
    cards = {"1": "9h 9c", "community": "Qh 7d 5s 4c 2d", "dealer": "Ts 8d"}
    decks = [deck(GAMES["Baobab"], (1,), cards)]
    with House(tmp_path_factory.mktemp("qualify"), staffed("Desk", GAMES["Baobab"]), decks) as own:
        page = visit(PHONE, at=own)
        dealer = at_console(visit, "Desk", at=own)
        open_bets(dealer)
        page.locator('a[href="#/table/Desk"]').click()
        lay(page, 1, ante=25)
        no_more_bets(dealer)
        page.locator('[data-choice="call"]:enabled').click()
        expect(page.locator(".dealer-name")).to_have_text("Queen high · does not qualify")
        expect(page.locator(".rail .result")).to_contain_text("The dealer does not qualify.")
        expect(page.locator('[data-test="aloud"]')).to_contain_text("The dealer has Queen high. The dealer does not")
        expect(page.locator('.spot[data-bet="call"] .net')).to_have_text("Push 50.00")
        shoot(page, "does-not-qualify")
        _is_beside_the_boxes(visit((1366, 900), f"#/replay/Desk/{round_number(dealer)}/999", at=own, name="auditor"))


def _is_beside_the_boxes(replay: Page) -> None:
    """The name of the dealer's hand does not lie under a box of the replay."""
    name = replay.locator(".dealer-name").bounding_box()
    boxes = [box.bounding_box() for box in replay.locator("felt-table [data-box]").all()]
    assert name is not None
    assert boxes
    for box in boxes:
        assert box is not None
        is_apart = name["y"] + name["height"] <= box["y"] + 1 or name["x"] + name["width"] <= box["x"] + 1
        assert is_apart or box["x"] + box["width"] <= name["x"] + 1, (name, box)


def test_what_was_bet_is_bet_again_with_one_tap(visit: Visit) -> None:
    """The deck of a round is proved with one tap; its result and its cards stay until Rebet lays its bets again, the
    jackpot coin with them, and its lamp says so.
    """
    page = visit(PHONE)
    sit(page, "Baobab")
    bet(page, "Baobab")
    close_bets(page, "Baobab")
    page.locator('[data-choice="fold"]').click()
    page.locator('[data-test="results"]').wait_for(timeout=NEXT_ROUND)
    page.get_by_role("button", name="Prove the deck").click()
    expect(page.locator("proof-dialog .proof li.up")).to_have_text(
        [re.compile("all different"), re.compile("gives the seal"), re.compile("this page saw while bets were open")]
    )
    shoot(page, "proof-phone")
    assert serious(page) == []
    page.locator("proof-dialog").get_by_role("button", name="Close").click()
    sit(page, "Baobab")
    expect(page.locator(".tray .total")).to_contain_text("You lose 30.00")
    expect(page.locator(".tray .by-bet")).to_contain_text("Ante −25.00")
    expect(page.locator(".looks-back .dealer-hand .card")).to_have_count(2)
    page.get_by_role("button", name="Rebet").click()
    expect(page.locator(".looks-back")).to_have_count(0)
    expect(page.locator(".tray .by-bet")).to_have_count(0)
    expect(page.locator('.spot[data-bet="ante"]')).to_contain_text("25.00")
    expect(page.locator(".lamp.placed")).to_be_visible()
    close_bets(page, "Baobab")
    page.locator('[data-choice="fold"]').click()
    expect(page.locator(".session .played")).to_have_count(2, timeout=NEXT_ROUND)


def test_a_turned_phone_keeps_everything(visit: Visit) -> None:
    """In the middle of a decision: hand, bets, lamp and choices are there on its side and upright again."""
    page = visit(PHONE)
    sit(page, "Baobab")
    bet(page, "Baobab")
    close_bets(page, "Baobab")
    page.locator('[data-choice="call"]').wait_for()
    hand = page.locator('[data-test="hand"]').inner_text()
    for size, name in ((LANDSCAPE, "landscape"), (PHONE, "upright")):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(page.locator('[data-test="hand"]')).to_have_text(hand)
        expect(page.locator('.spot[data-bet="ante"]')).to_contain_text("25.00")
        expect(page.locator(".lamp.accepted")).to_be_visible()
        expect(page.locator('[data-choice="call"]')).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        shoot(page, f"turned-{name}")
    page.locator('[data-choice="fold"]').click()
    page.locator('[data-test="results"]').wait_for(timeout=NEXT_ROUND)


PLACES = """[...document.querySelectorAll('.table-head h1, .moment, felt-table, .rail, [data-choice]')].map(e => {
  const {left, top, right, bottom} = e.getBoundingClientRect();
  return {left, top, right, bottom};
})"""
"""Where a player looks and taps at a table."""
COVERS = """kind => {
  const over = document.querySelector(kind).getBoundingClientRect();
  return over.right > innerWidth || [...document.querySelectorAll('.table-head h1, .moment, felt-table, .rail')].some(
    e => e.getBoundingClientRect().top < over.bottom);
}"""


class Tunnel:
    """Between a page and its server; nothing comes through while one is in it."""

    def __init__(self, page: Page) -> None:
        self._page, self._inside = page, False
        self._sockets: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/api/live"), self._connect)
        page.reload()

    def _connect(self, socket: WebSocketRoute) -> None:
        if self._inside:
            socket.close()
        else:
            socket.connect_to_server()
            self._sockets.append(socket)

    def enter(self) -> None:
        self._inside = True
        self._page.context.set_offline(True)
        for socket in self._sockets:
            socket.close()
        self._sockets.clear()

    def leave(self) -> None:
        self._page.context.set_offline(False)
        self._inside = False


def test_a_connection_that_was_lost_comes_back_and_tells(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """In a tunnel: the page says so, comes back by itself, and shows what happened meanwhile, money included."""
    with House(tmp_path_factory.mktemp("tunnel"), patient("Baobab", 20)) as own:
        page = visit(PHONE, at=own)
        tunnel = Tunnel(page)
        sit(page, "Baobab")
        bet(page, "Baobab")
        close_bets(page, "Baobab")
        page.locator('[data-choice="call"]').wait_for()
        number = own.lobby("Baobab")["round"]
        page.set_viewport_size({"width": 844, "height": 390})
        before = page.evaluate(PLACES)
        tunnel.enter()
        expect(page.locator(".offline")).to_be_visible()
        assert page.evaluate(PLACES) == before
        for width, height in ((844, 390), (320, 640), PHONE):
            page.set_viewport_size({"width": width, "height": height})
            assert not page.evaluate(COVERS, ".offline"), width
        shoot(page, "connection-lost-phone")
        expect(page.locator(".offline")).to_contain_text("Your clock runs on")
        expect(page.locator(".offline")).to_contain_text("Your time has run out: the hand was folded unless")
        expect(page.locator(".offline")).not_to_contain_text("safe")
        ends = time.monotonic() + NEXT_ROUND / 1000
        while own.lobby("Baobab")["round"] == number:
            assert time.monotonic() < ends, "the round goes on without her"
            page.wait_for_timeout(500)
        tunnel.leave()
        expect(page.locator(".offline")).to_be_hidden()
        for notice in (".toast", '[data-test="meanwhile"]'):
            assert not page.evaluate(COVERS, notice), notice
        expect(page.locator('[data-test="meanwhile"]')).to_contain_text("Ante loses")
        expect(page.locator('[data-test="meanwhile"] summary')).to_contain_text("−30.00")
        expect(page.locator('[data-test="balance"]')).to_have_text("970.00")
        figures = page.get_by_role("complementary", name="Your session").locator("dd")
        expect(figures.nth(1)).to_have_text("−30.00")
        expect(figures.nth(2)).to_have_text("1")
        shoot(page, "connection-back-phone")
        assert serious(page) == []
        page.locator("[data-test=meanwhile]").get_by_role("button", name="Close").click()
        expect(page.locator('[data-test="meanwhile"]')).to_have_count(0)


def test_the_page_comes_back_after_the_server_was_killed(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Killed in mid-round and started again: the page says so, comes back by itself, the round goes on and is settled;
    looked back at, it is one whole, from the bets before to the money after.
    """
    with House(tmp_path_factory.mktemp("killed"), patient("Baobab")) as own:
        page = visit(at=own)
        sit(page, "Baobab")
        bet(page, "Baobab")
        close_bets(page, "Baobab")
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
        nets = page.locator('[data-test="results"] .results .net').all_inner_texts()
        page.locator('[data-test="results"]').get_by_role("link", name="Replay").click()
        _stepped_through(page, nets)


def _stepped_through(page: Page, nets: list[str]) -> None:
    """The replay on this page, from its first step to its last: nothing is missing and nothing is told twice."""
    told = page.locator('[data-test="told"]')
    expect(told).to_contain_text("Place your bets")
    steps = page.locator(".log li")
    says = steps.all_inner_texts()
    for number, says_it in enumerate(says, start=1):
        expect(page.locator(".scrub")).to_contain_text(f"{number} of {len(says)}")
        expect(told).to_have_text(says_it)
        expect(steps.nth(number - 1)).to_have_class(re.compile(r"\bnow\b"))
        page.get_by_role("button", name="Step forward").click()
    expect(page.locator(".scrub")).to_contain_text(f"{len(says)} of {len(says)}")
    me = page.locator(".who span").inner_text()
    for once in ("No more bets", f"{me} bets 25.00 on Ante", f"{me} bets 5.00 on Jackpot", f"{me} looks at the hand"):
        assert sum(once in line for line in says) == 1, (once, says)
    expect(page.locator(f'[aria-label="The money"] h3:has-text("{me}") + .why + .results .net')).to_have_text(nets)
    expect(page.locator(".proof li.up")).to_have_count(2)
    shoot(page, "replay-after-restart")
