"""The interface in its four languages: every screen is whole, readable and fits; a round is played in Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import PHONE, Visit, serious, shoot, until
from tests.web.house import GAMES, House
from tests.web.playing import close_bets, sit

LANGUAGES = {"zh": "zh-Hans", "ms": "ms", "af": "af"}
"""The language that a person chooses, and what the page declares."""
SCREENS = {
    "": ("", "login", "rules/rws-multilink-holdem", "compare/rws-multilink-holdem/sun-casino-holdem", "display/main"),
    "ana": ("table/Orchid", "my-rounds", "rounds", "account", "no-such-page"),
    "dealer": ("dealer/Orchid",),
    "shift": ("pit", "rounds", "disputes", "duties"),
    "auditor": ("audit",),
    "cage": ("cage",),
    "learner": ("academy",),
    "admin": ("people",),
}
"""Who sees which screens."""
NARROW, WIDE = 320, 1440
UNMARKED = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.textContent.trim();
    if (node.parentElement.closest("[lang=en], code, svg, script, style, noscript, .visually-named")) continue;
    if (/[a-z]{2,} [a-z]{2,}/.test(text) && !/[\\u4e00-\\u9fff]/.test(text)) found.push(text);
  }
  return found;
}"""
"""Texts with two English words beside each other that no element marks as English."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house in which no other test has typed English: what people write has no language that a page could mark."""
    with House(tmp_path_factory.mktemp("languages")) as house:
        yield house


def _open(page: Page, house: House, route: str, language: str) -> None:
    """The screen in a document of its own: each has another query."""
    page.goto(f"{house.address}/?{route}#/{route}")
    expect(page.locator("html")).to_have_attribute("lang", LANGUAGES[language])
    page.locator("main h1").first.wait_for(state="attached")
    until(page, "!/\\u2026$/.test(document.querySelector('main').innerText.trim())")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("person", SCREENS, ids=lambda name: name or "nobody")
def test_every_screen_is_whole_in_every_language(visit: Visit, house: House, language: str, person: str) -> None:
    """axe finds nothing, no English sentence stands unmarked, and the narrowest phone does not scroll sideways."""
    first = SCREENS[person][0]
    page = visit((WIDE, 900), f"?{first}#/{first}", name=person, language=language)
    wrong: list[str] = []
    for route in SCREENS[person]:
        page.set_viewport_size({"width": WIDE, "height": 900})
        _open(page, house, route, language)
        name = f"{language}-{route.split('/')[0] or 'lobby'}"
        shoot(page, f"language-{name}")
        wrong += [f"{route}: {found}" for found in serious(page)]
        if language == "zh":
            wrong += [f"{route}: unmarked: {text}" for text in page.evaluate(UNMARKED) if not _is_a_name(text)]
        page.set_viewport_size({"width": NARROW, "height": 700})
        shoot(page, f"language-{name}-{NARROW}")
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > NARROW:
            wrong.append(f"{route}: {width} pixels wide")
    assert not wrong, "\n".join(wrong)


def _is_a_name(text: str) -> bool:
    """The titles of the rule documents keep their names."""
    return bool(re.search(r"Hold|Poker|Multi-Link|Mega|Casino|Jackpot main", text))


def test_the_language_changes_live_and_is_remembered(visit: Visit) -> None:
    """From the log-in page, without losing what was typed; the next page of this device speaks it as well."""
    page = visit(PHONE, "#/login")
    page.get_by_label("Name").fill("ana")
    page.locator("main").get_by_label("Language").select_option("zh")
    expect(page.get_by_role("heading", level=1)).to_have_text("登录")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.get_by_label("姓名")).to_have_value("ana")
    expect(page).to_have_title("登录 · Croupier")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("登录")
    page.locator("main").get_by_label("语言").select_option("af")
    expect(page.get_by_role("heading", level=1)).to_have_text("Meld aan")


def test_the_browser_chooses_the_first_language(visit: Visit) -> None:
    """A browser that prefers Malay gets it without being asked; one that prefers no language of ours gets English."""
    for preferred, heading in ((["ms-MY", "en"], "Pilih meja"), (["fr-FR", "de"], "Choose a table")):
        page = visit()
        page.add_init_script(f"Object.defineProperty(navigator, 'languages', {{ get: () => {preferred!r} }})")
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)


def test_a_round_is_played_in_chinese(visit: Visit, fresh_house: House) -> None:
    """The documents' terms stay in English, each with its meaning a tap or a key away; money is written as here."""
    page = visit(PHONE, at=fresh_house, language="zh")
    sit(page, "Orchid")
    page.locator('[data-mine] [data-bet="ante"]').first.click()
    expect(page.locator(".tray .total")).to_contain_text("台面投注 25.00")
    assert serious(page) == []
    close_bets(page, "Orchid")
    page.locator('[data-choice="fold"]').click()
    expect(page.locator(".wait.result")).to_contain_text("您输了 25.00")
    result = page.get_by_test_id("results") if page.get_by_test_id("results").count() else page.locator(".outcome")
    term = result.get_by_role("button", name="Ante").first
    term.focus()
    page.keyboard.press("Enter")
    expect(result.locator(".gloss:not([hidden])").first).to_contain_text("底注")
    assert serious(page) == []
    shoot(page, "language-zh-round")


def test_a_refusal_folds_its_paragraphs(visit: Visit, fresh_house: House) -> None:
    """The sentence names no paragraph and no reading; one "Why?" opens them, in the language of the page."""
    page = visit(at=fresh_house, language="zh")
    sit(page, "Orchid")
    page.locator('[data-chip="5"]').click()
    page.locator('[data-mine] [data-bet="ante"]').first.click()
    refusal = page.locator(".toast.refusal")
    expect(refusal).to_contain_text("低于下限")
    expect(refusal).not_to_contain_text(re.compile(r"\(\d"))
    refusal.get_by_text("为什么？").click()
    expect(refusal.get_by_role("button").first).to_be_visible()


OUT_OF_THE_CARD = """() => [...document.querySelectorAll('.session *')].filter(e => {
  const [own, card] = [e, e.closest('.session')].map(x => x.getBoundingClientRect());
  return own.width && getComputedStyle(e).position !== 'absolute' && own.right > card.right;
}).map(e => e.outerHTML.slice(0, 120))"""


CUT_LINKS = """() => [...document.querySelectorAll('.top nav a')].filter(e => {
  const [own, nav, bar] = [e, e.parentElement, e.closest('.bar')].map(x => x.getBoundingClientRect());
  return own.right > nav.right + 1 || own.top < bar.top - 1 || own.bottom > bar.bottom + 1;
}).map(e => e.textContent)"""


@pytest.mark.parametrize("language", ["en", "zh", "ms", "af"])
def test_pay_tables_fit_the_smallest_phone(visit: Visit, house: House, language: str) -> None:
    """Every pay table and every word of every game, opened: nothing is wider than 320 pixels; no link is cut."""
    page = visit((320, 640), language=language, name="ana")
    for table in GAMES:
        page.goto(f"{house.address}/#/table/{table}")
        page.locator(".pays summary").click()
        page.locator(".glossary summary").click()
        expect(page.locator(".pays dd").last).to_be_visible()
        expect(page.locator(".glossary dd").last).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), table
        assert page.evaluate(OUT_OF_THE_CARD) == [], table
        assert page.evaluate(CUT_LINKS) == [], table
