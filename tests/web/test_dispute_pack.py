"""The dispute pack in a real browser: opened from a file without a network, stepped through and printed."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.floor.disputes.evidence import evidence, found_round
from croupier.floor.disputes.pack import pack
from croupier.floor.history.export import AUDITOR
from croupier.floor.history.played_rounds import Past
from croupier.floor.house.witness import Witness, WitnessSettings, signed_beside
from croupier.journal.store_address import open_store
from tests.floor.played_house import NOW, Play
from tests.web.conftest import DESKTOP, PHONE, serious, shoot


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Packs of a round of each game, signed."""
    folder = tmp_path_factory.mktemp("packs")
    url = f"sqlite:///{folder / 'house.db'}"
    store = open_store(url)
    play = Play(store, 11)
    play.play(500)
    past = Past(play.house, lambda: store)
    Witness(url, "croupier", WitnessSettings(), lambda: NOW)
    sign = partial(signed_beside, folder / "house.db.witness")
    found = {}
    for name in play.house.tables:
        told = evidence(
            store, play.house, past, found_round(play.house, past, name, 2, AUDITOR), by="eva", at=NOW, wanted=()
        )
        found[name] = folder / f"{name}.html"
        found[name].write_text(pack(told, sign), encoding="utf-8")
        if name == "T1":
            wrong = msgspec.structs.replace(told, made_by="someone else")
            forged = pack(wrong, None).replace('id="seal">null', f'id="seal">{_seal(found[name])}')
            found["forged"] = folder / "forged.html"
            found["forged"].write_text(forged, encoding="utf-8")
    awarded = next(
        (name, record.data)
        for name in play.house.tables
        if play.house.tables[name].config.link
        for record in store.read(f"link/{play.house.tables[name].config.link}")
        if record.type == "CasePaid" and f'"table":"{name}"'.encode() in record.data
    )
    name, number = awarded[0], int(msgspec.json.decode(awarded[1])["round"])
    round_of = found_round(play.house, past, name, number, AUDITOR)
    found["awarded"] = folder / "awarded.html"
    told = evidence(store, play.house, past, round_of, by="eva", at=NOW, wanted=())
    found["awarded"].write_text(pack(told, sign), encoding="utf-8")
    store.close()
    return found


def _seal(page: Path) -> str:
    return page.read_text(encoding="utf-8").split('id="seal">')[1].split("</script>")[0]


def opened(browser: Browser, file: Path, size: tuple[int, int] = DESKTOP) -> Page:
    """The page from a file, with the network off; it must ask for nothing and say nothing in the console."""
    context = browser.new_context(offline=True, viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
    page.goto(file.as_uri())
    assert said == []
    return page


@pytest.mark.parametrize("table", ["T1", "T2", "T3", "T4", "T5"])
def test_it_holds_without_a_network_and_axe_finds_nothing_serious(
    browser: Browser, pages: dict[str, Path], table: str
) -> None:
    """On a desktop and on a phone; nothing is wider than the screen."""
    page = opened(browser, pages[table])
    expect(page.locator("#verdict strong")).to_have_text("Holds")
    expect(page.locator("h1")).to_have_text(f"Dispute pack: {table}, round 2")
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        shoot(page, f"pack-{table}-{name}")
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.context.close()


def test_the_felt_is_stepped_through(browser: Browser, pages: dict[str, Path]) -> None:
    page = opened(browser, pages["T1"])
    page.get_by_role("button", name="First").click()
    expect(page.locator("#now")).to_contain_text("Step 0 of")
    expect(page.locator("#table .card")).to_have_count(0)
    page.get_by_role("button", name="On").click()
    expect(page.locator("#now")).to_contain_text("is opened")
    page.get_by_role("button", name="Last").click()
    expect(page.locator("#table")).to_contain_text("Box")
    page.context.close()


def test_an_award_of_the_meter_is_a_step_and_lies_on_the_felt(browser: Browser, pages: dict[str, Path]) -> None:
    """What its link recorded stands among the steps of the round; the jackpot bet shows what it came to."""
    page = opened(browser, pages["awarded"])
    expect(page.locator("#verdict strong")).to_have_text("Holds")
    for said in ("On the link: the claim of box", "On the link: locked at", "is paid, "):
        expect(page.locator("#timeline")).to_contain_text(said)
    page.get_by_role("button", name="Last").click()
    expect(page.locator("#table")).to_contain_text(re.compile(r"jackpot \S+: win [\d,]+\.\d\d"))
    shoot(page, "pack-award")
    page.context.close()


def test_a_forged_page_says_so(browser: Browser, pages: dict[str, Path]) -> None:
    page = opened(browser, pages["forged"])
    expect(page.locator("#verdict strong")).to_have_text("Does not hold")
    expect(page.locator("#verdict")).to_contain_text("the evidence is not what was signed")
    page.context.close()


def test_it_prints_on_a4(browser: Browser, pages: dict[str, Path], tmp_path: Path) -> None:
    """Sheets of 595 by 842 points."""
    page = opened(browser, pages["T1"])
    expect(page.locator("#verdict strong")).to_have_text("Holds")
    page.pdf(path=tmp_path / "pack.pdf", prefer_css_page_size=True)
    sheets = (tmp_path / "pack.pdf").read_bytes()
    assert b"/MediaBox [0 0 594.95996 841.91998]" in sheets or b"/MediaBox [0 0 595" in sheets
    page.context.close()
