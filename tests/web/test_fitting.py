"""Whatever a player has to tap lies on the screen, on a phone either way up, a laptop and a page at twice its size; the
connection's state is said wherever the page is scrolled to.
"""

from __future__ import annotations

import json
import re
import time

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from tests.web.conftest import DESKTOP, LANDSCAPE, PHONE, TABLET, Visit, serious, shoot
from tests.web.house import House
from tests.web.playing import NEXT_ROUND, bet, close_bets, lay, results, sit

LAPTOP, TWICE, SMALL, SHORT = (1366, 700), (683, 384), (320, 640), (390, 664)
SIZES = {"laptop": LAPTOP, "tablet": TABLET, "phone": PHONE, "short": SHORT} | {
    "landscape": LANDSCAPE,
    "twice": TWICE,
    "small": SMALL,
    "small-turned": (640, 320),
}
OUTSIDE = """kinds => [...document.querySelectorAll(kinds)].filter(e => {
  const box = e.getBoundingClientRect();
  return box.width && (box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth);
}).map(e => e.textContent.trim())"""
OVERLAPS = """[...document.querySelectorAll('.choices .button')].filter(e => {
  const [a, b] = [e, e.closest('.due').querySelector('.about')].map(x => x.getBoundingClientRect());
  return a.left < b.right - 1 && a.right > b.left + 1 && a.top < b.bottom - 1 && a.bottom > b.top + 1;
}).map(e => e.textContent.trim())"""
"""Decision buttons on which the text beside them is printed."""
STICKS_OUT = """[...document.querySelectorAll('.felt *, .box *, .bar *')].filter(e => {
  const [own, around] = [e, e.closest('.felt, .box, .bar')].map(x => x.getBoundingClientRect());
  const hidden = e.classList.contains('sr') || e.closest('nav') !== null;
  return own.width && !hidden && (own.right > around.right + 2 || own.left < around.left - 2);
}).map(e => e.outerHTML.slice(0, 120))"""


@pytest.fixture
def house(fresh_house: House) -> House:
    return fresh_house


def settled(page: Page, wrong: str, arg: object = None) -> object:
    """What is still wrong when the page has had time to lay itself out at a new size."""
    found: object = None
    for _ in range(50):
        found = page.evaluate(wrong, arg)
        if not found:
            break
        page.wait_for_timeout(100)
    return found


def fits(page: Page, moment: str, tapped: str = "") -> None:
    """At every size: nothing sticks out of what it lies in, and what is tapped is on the screen without scrolling."""
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("window.scrollTo(0, 0)")
        too_wide = "document.documentElement.scrollWidth > window.innerWidth"
        assert not settled(page, too_wide), f"{moment}, {name}: too wide"
        assert not settled(page, STICKS_OUT), f"{moment}, {name}"
        assert not settled(page, OVERLAPS), f"{moment}, {name}"
        if tapped:
            assert not settled(page, OUTSIDE, tapped), f"{moment}, {name}"
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})


@pytest.mark.parametrize("table", ["Orchid", "Trishaw", "Baobab"])
def test_everything_to_tap_is_on_the_screen(visit: Visit, table: str) -> None:
    """The most bets, the most cards and the fewest: choices without scrolling, five community cards on the felt; then
    what each bet has brought.
    """
    page = visit()
    sit(page, table)
    bet(page, table)
    fits(page, "betting", ".spot, .pick, .tools .button")
    page.locator(".practice").click()
    close_bets(page, table)
    page.locator("[data-choice]").first.wait_for()
    fits(page, "deciding", ".rail button, .rail summary")
    ends = time.monotonic() + NEXT_ROUND / 1000
    while not page.locator('.stage-settled [data-test="results"]').count():
        assert time.monotonic() < ends, "the round never ended"
        choice = page.locator('[data-choice]:enabled:not([data-choice="fold"])').first
        if choice.count():
            choice.click()
        page.wait_for_timeout(100)
    fits(page, "settled", ".rail button, .rail p, .by-bet .each")


def test_a_decision_fits_while_its_values_are_on_the_way(visit: Visit) -> None:
    """Practice is on and the lab has not answered yet: every button is on the screen all the same."""
    page = visit()
    page.route("**/advice", lambda _: None)
    sit(page, "Trishaw")
    bet(page, "Trishaw")
    page.locator(".practice").click()
    close_bets(page, "Trishaw")
    page.locator(".worth", has_text="…").first.wait_for()
    fits(page, "deciding", ".rail button, .rail summary")


def test_long_amounts_fit_the_smallest_phone(visit: Visit) -> None:
    """A balance and a meter of nine figures before the point: nothing runs over the edge of 320 pixels. Figures of two
    boxes stay in their spots, and the jackpot's name away from its lamp.
    """
    page = visit(SMALL)

    def pass_on(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda message: socket.send(_made_long(str(message))))

    page.route_web_socket("**/api/live", pass_on)
    page.route("**/api/me", lambda route: route.fulfill(body=_made_long(route.fetch().text())))
    sit(page, "Orchid")
    expect(page.locator("jackpot-meter .figure").first).to_have_text("987,654,321.10")
    expect(page.get_by_text("987,654,321.10").nth(1)).to_be_visible()
    fits(page, "long amounts")
    page.set_viewport_size({"width": SMALL[0], "height": SMALL[1]})
    sit(page, "Orchid")
    for box in (3, 4):
        lay(page, box, ante=100, jackpot=5)
    for amount in ("200.00", "400.00"):
        page.locator('[data-tool="double"]').click()
        expect(page.locator('[data-mine="4"] .spot[data-bet="ante"]')).to_contain_text(amount)
    assert page.evaluate(OUT_OF_FRAME) == []
    assert page.evaluate(AT_THE_LAMP) == []


OUT_OF_FRAME = """[...document.querySelectorAll('.spot .amount')].filter(e => {
  const [own, spot] = [e, e.parentElement].map(x => x.getBoundingClientRect());
  return own.left < spot.left - 1 || own.right > spot.right + 1;
}).map(e => e.textContent)"""
AT_THE_LAMP = """[...document.querySelectorAll('.lamp')].filter(e => {
  const words = document.createRange();
  words.selectNodeContents(e.parentElement.querySelector('.label'));
  const [lamp, name] = [e, words].map(x => x.getBoundingClientRect());
  return lamp.left < name.right && lamp.top < name.bottom && lamp.bottom > name.top;
}).map(e => e.parentElement.textContent)"""


def _made_long(message: str) -> str:
    """Put an amount of nine figures in the place of every balance and meter."""
    return re.sub(r'"(balance|meter)":"[0-9.]+"', r'"\1":"987654321.10"', message)


def test_chips_and_spots_are_on_the_screen_of_a_phone_on_its_side(visit: Visit) -> None:
    """Landscape, six spots: every chip, every spot and every tool at once."""
    page = visit(LANDSCAPE)
    sit(page, "Orchid")
    assert page.evaluate(OUTSIDE, ".spot, .pick, .tools .button") == []
    shoot(page, "bets-landscape")


def test_a_lost_connection_is_said_wherever_the_page_is_scrolled_to(visit: Visit) -> None:
    """The device says that it has no network: the page says so at once, and also to whoever reads further down."""
    page = visit(PHONE)
    page.locator('a[href="#/table/Baobab"]').click()
    page.locator(".felt .tile").first.wait_for()
    page.evaluate("window.scrollTo(0, 500)")
    page.context.set_offline(True)
    notice = page.get_by_role("alert").filter(has_text="The connection is lost")
    expect(notice).to_be_visible()
    expect(notice).to_be_in_viewport(ratio=1)
    shoot(page, "offline-scrolled")
    assert serious(page) == []
    page.context.set_offline(False)
    expect(notice).to_have_count(0)


def test_nothing_moves_under_the_finger_when_cards_come(visit: Visit) -> None:
    """The felt is as high with cards, names and results on it as without; the box below stays where it was."""
    page = visit(PHONE)
    sit(page, "Baobab")
    bet(page, "Baobab")
    high = "document.querySelector('.felt').getBoundingClientRect().bottom + scrollY"
    before = page.evaluate(high)
    close_bets(page, "Baobab")
    page.locator('[data-choice="call"]').wait_for()
    assert abs(page.evaluate(high) - before) < 2
    page.locator('[data-choice="call"]').click()
    results(page)
    assert abs(page.evaluate(high) - before) < 2


def test_logging_out_is_asked_for_by_name(visit: Visit) -> None:
    """A tap on one's own name opens the settings; there it says what a guest leaves behind."""
    page = visit()
    page.locator('a[href="#/table/Baobab"]').click()
    page.locator(".felt .tile").first.wait_for()
    page.locator(".who").click()
    settings = page.get_by_role("dialog", name="Settings")
    expect(settings).to_contain_text("cannot come back to the same chips")
    settings.get_by_role("button", name="Done").click()
    expect(page.locator(".who")).to_contain_text("guest-")
    page.locator(".who").click()
    settings.get_by_role("button", name="Log out guest-").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()


def test_the_page_one_is_on_is_marked(visit: Visit) -> None:
    """In the header, for eyes and for a screen reader; a new page begins at its content."""
    page = visit(name="shift")
    for name in ("Rounds", "Audit", "Rules", "Pit"):
        page.get_by_role("navigation", name="Pages").get_by_role("link", name=name).click()
        expect(page.locator('nav [aria-current="page"]').first).to_have_text(name)
        page.wait_for_function("() => document.activeElement.matches('main')")


HITS = [("straight_flush", "18429.10"), ("royal_flush", "1184291.00"), ("royal_flush_on_river", "9214.55")]
FULL = {
    "type": "link",
    "link": "main",
    "meter": "12345678.90",
    "closed": True,
    "reset": "50000.00",
    "hits": 5,
    "last_hits": [
        {"table": "Orchid", "round": n, "box": n, "hand": hand, "amount": amount}
        for n, (hand, amount) in enumerate((*HITS, *HITS[:2]), start=1)
    ],
    "locked": "1184291.00",
    "awards": [
        {
            "award": 9,
            "table": "Merlion",
            "round": 7,
            "box": 4,
            "hand": "royal_flush",
            "cards": [],
            "state": "locked",
            "amount": "1184291.00",
            "waits_for": [],
            "signatures": 2,
            "missing": 2,
            "signed": [],
        }
    ],
}
"""As much as a display ever has to show."""
TIMES = [
    {"table": "Orchid", "round": n, "box": n, "hand": hand, "at": "2026-11-15T21:04:30.000+00:00"}
    for n, (hand, _) in enumerate((*HITS, *HITS[:2]), start=1)
]
OVER = """() => {
  const [list, corner] = ['.hits ol', '.corner'].map(x => document.querySelector(x).getBoundingClientRect());
  return list.right > corner.left && list.bottom > corner.top;
}"""


LADDER = """() => {
  const [ladder, ticker] = ['.ladder table', '.ticker'].map(x => document.querySelector(x).getBoundingClientRect());
  return ladder.bottom <= ticker.top;
}"""


def _longest_first(route: Route) -> None:
    """Show the ladder with the most lines first."""
    answer = route.fetch()
    route.fulfill(response=answer, json=sorted(answer.json(), key=lambda ladder: -len(ladder["lines"])))


@pytest.mark.parametrize(
    "size",
    [(1920, 1080), (1366, 768), TABLET, PHONE, LANDSCAPE],
    ids=["wall", "small wall", "tablet", "phone", "landscape"],
)
def test_a_full_display_fits(browser: Browser, house: House, size: tuple[int, int]) -> None:
    """Eight figures before the point, a notice, a claim and five hits: nothing is cut off, nothing lies on another."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    page = context.new_page()

    def answer(socket: WebSocketRoute) -> None:
        socket.on_message(lambda _: socket.send(json.dumps(FULL)))

    page.route_web_socket("**/api/live", answer)
    page.route("**/api/links/main/ladder", _longest_first)
    page.route("**/api/links/main/hits", lambda route: route.fulfill(json=TIMES))
    page.goto(f"{house.address}/#/display/main")
    expect(page.locator(".meter .figure")).to_have_text("12,345,678.90")
    expect(page.locator(".hits time").first).to_have_text(re.compile(r"\d+ Nov, \d\d:\d\d"))
    expect(page.locator(".hits li")).to_have_count(5)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.evaluate("document.querySelector('.meter .figure').getBoundingClientRect().right <= window.innerWidth")
    shoot(page, f"display-full-{size[0]}")
    assert not page.evaluate(OVER)
    assert page.evaluate(LADDER)
    assert serious(page) == []
    context.close()
