"""Requests that fail: the page says so in one sentence, keeps what it had, and goes on when the server answers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import DESKTOP, TABLET, Visit, serious, shoot
from tests.web.house import House
from tests.web.staff import at_console, enter_bet, open_bets

SOURCES = Path(__file__).parents[2] / "web" / "src"


def _refusal(code: str, message: str) -> str:
    return json.dumps({"accepted": False, "code": code, "message": message, "rules": []})


ANSWERS = {
    "stopped": (503, _refusal("stopped", "The house has stopped."), "The house has stopped."),
    "too-fast": (429, _refusal("too_fast", "Too many requests: wait a second."), "Too many requests: wait a second."),
    "proxy": (502, "<html><h1>Bad Gateway</h1></html>", "The server cannot answer at the moment (502)."),
    "strange": (503, '["no", "answer"]', "The server cannot answer at the moment (503)."),
    "cut": (200, '[{"table": "Or', "The server's answer cannot be read."),
    "null": (200, "null", "The server's answer cannot be read."),
}
"""What comes instead of data: status, body, and the sentence that the page shows."""

PAGES = {
    "lobby": ("", "#/", ".table-card"),
    "rules": ("", "#/rules/sun-casino-holdem", ".facts"),
    "compare": ("", "#/compare/rws-multilink-three-card/sun-casino-holdem", ".compared"),
    "table": ("ana", "#/table/Orchid", ".felt .tile"),
    "dealer": ("dealer", "#/dealer/Desk", ".steps"),
    "pit": ("shift", "#/pit", ".wall li"),
    "rounds": ("auditor", "#/rounds", ".found"),
    "my-rounds": ("ana", "#/my-rounds", ".sums, .quiet"),
    "replay": ("auditor", "#/replay/Baobab/1", ".log"),
    "audit": ("auditor", "#/audit", '[aria-label="Chains"] tbody tr'),
    "people": ("admin", "#/people", ".people li"),
}
"""Who sees what, and what is there when the page is."""
ASKS_AGAIN = {
    "lobby": ("stopped",),
    "dealer": ("stopped", "cut"),
    "pit": ("stopped", "cut"),
    "audit": tuple(ANSWERS),
    "people": ("too-fast", "null"),
}
"""Pages that refresh themselves, and what they are answered: everything where they ask most often."""
OPENING = re.compile(r"/api/(me|lobby)$")


def fail(page: Page, answer: str, *, spare: re.Pattern[str] | None = None) -> None:
    """Answer every request of the page with an error, except what it needs to open."""
    status, body, _ = ANSWERS[answer]

    def handle(route: Route) -> None:
        if spare is not None and spare.search(route.request.url):
            route.continue_()
        else:
            route.fulfill(status=status, body=body, content_type="application/json")

    page.route("**/api/**", handle)


def recover(page: Page) -> None:
    page.unroute("**/api/**")


def sentence(page: Page, says: str) -> None:
    """One sentence on the page, once."""
    expect(page.get_by_text(says)).to_be_visible()
    expect(page.get_by_text(says)).to_have_count(1)


def come(visit: Visit, name: str) -> Page:
    """The page of that name, as the person it is for."""
    person, route, there = PAGES[name]
    page = visit(TABLET if name == "pit" else DESKTOP, route, name=person)
    page.locator(there).first.wait_for()
    return page


@pytest.mark.parametrize("name", ASKS_AGAIN)
def test_a_failed_refresh_leaves_the_page_as_it_was(visit: Visit, name: str) -> None:
    """Whatever the server answers instead of data; the sentence goes when the next request succeeds."""
    page = come(visit, name)
    there = page.locator(PAGES[name][2])
    for answer in ASKS_AGAIN[name]:
        says = ANSWERS[answer][2]
        before = there.count()
        fail(page, answer)
        sentence(page, says)
        assert there.count() == before
        shoot(page, f"failing-{name}")
        assert serious(page) == []
        recover(page)
        expect(page.get_by_text(says)).to_have_count(0)


@pytest.mark.parametrize("name", [name for name in PAGES if name != "lobby"])
def test_a_page_whose_requests_fail_says_so(visit: Visit, name: str) -> None:
    """Opened while the server answers nothing but who is there and which tables: one sentence, and no error."""
    page = come(visit, name)
    for answer in ("proxy", "cut"):
        fail(page, answer, spare=OPENING)
        page.reload()
        expect(page.get_by_text(ANSWERS[answer][2]).first).to_be_visible()
        shoot(page, f"failing-open-{name}")
        recover(page)
    page.reload()
    page.locator(PAGES[name][2]).first.wait_for()


@pytest.mark.parametrize("route", ["#/", "#/pit", "#/display/main"])
def test_a_house_that_cannot_answer_yet_is_opened_when_it_can(visit: Visit, route: str) -> None:
    """Nobody is shown an empty lobby, or asked to log in again, because a request has failed."""
    page = visit(name="shift")
    there = {"#/": ".table-card", "#/pit": ".wall li", "#/display/main": ".meter .figure:not(:empty)"}[route]
    page.goto(f"{page.url.split('#')[0]}{route}")
    for answer in ("too-fast", "cut"):
        fail(page, answer)
        page.reload()
        sentence(page, ANSWERS[answer][2])
        assert page.get_by_text("No table is open yet").count() == 0
        assert page.get_by_role("heading", name="Log in").count() == 0
        recover(page)
        page.locator(there).first.wait_for()


def test_a_form_that_fails_keeps_what_was_typed(visit: Visit) -> None:
    """A log-in, a call of the pit and a log-out are refused in words, and nobody seems logged out who is not."""
    page = visit()
    page.get_by_role("link", name="Log in").click()
    page.get_by_label("Name").fill("dealer")
    page.get_by_label("Password").fill("croupier-demo")
    for answer, (_, _, says) in ANSWERS.items():
        fail(page, answer)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("alert").filter(has_text=says)).to_be_visible()
        recover(page)
    expect(page.get_by_label("Name")).to_have_value("dealer")
    page.get_by_role("button", name="Log in").click()
    page.locator('a[href="#/table/Desk"]').click()
    page.locator(".console").wait_for()
    fail(page, "stopped")
    page.get_by_role("button", name="Call the supervisor").click()
    expect(page.locator(".toast.refusal")).to_have_text("The house has stopped.")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Log out dealer").click()
    expect(page.locator(".toast", has_text="The house has stopped. You are still logged in.")).to_be_visible()
    expect(page.locator(".who")).to_contain_text("dealer")


def test_another_persons_eyes_that_cannot_be_had_are_not_claimed(visit: Visit) -> None:
    """Where the round as somebody else saw it does not come, the page still says with whose eyes it is seen."""
    page = come(visit, "replay")
    fail(page, "too-fast", spare=OPENING)
    page.locator('[data-test="eyes"]').select_option("post/dealer")
    expect(page.get_by_role("alert")).to_have_text("Too many requests: wait a second.")
    expect(page.locator(".table-head")).to_contain_text("your own eyes")
    expect(page.locator('[data-test="eyes"]')).to_have_value("")
    recover(page)
    page.locator('[data-test="eyes"]').select_option("post/dealer")
    expect(page.locator(".table-head")).to_contain_text("the eyes of the dealer")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_the_dealers_step_comes_back_by_itself(visit: Visit, staffed_house: House) -> None:
    """A procedure that could not be read is asked for again, and the list of irregularities too."""
    page = at_console(visit, "Desk", at=staffed_house)
    open_bets(page)
    enter_bet(page, 2, "Ante", "25.00")
    fail(page, "stopped", spare=OPENING)
    page.get_by_role("button", name="No more bets").click()
    expect(page.locator(".next")).to_contain_text("The house has stopped.")
    page.get_by_role("button", name="Irregularity").click()
    dialog = page.locator("report-dialog dialog")
    expect(dialog.get_by_role("alert")).to_contain_text("The house has stopped.")
    recover(page)
    expect(dialog.locator("[data-incident]").first).to_be_visible()
    expect(dialog.get_by_role("alert")).to_have_count(0)
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.locator(".next")).not_to_contain_text("The house has stopped.")
    page.locator('[data-decide="2-fold"]').click()
    page.locator("[data-confirm]").click()
    page.locator('[data-test="pay"]').wait_for()


def test_only_one_module_speaks_http() -> None:
    """An answer is looked at in one place, before anything takes it for data; messages are a file of the build."""
    speaks = re.compile(r"\bfetch\(|\.json\(")
    using = {path for path in SOURCES.rglob("*.ts") if speaks.search(path.read_text("utf-8"))}
    assert using == {SOURCES / "api" / name for name in ("http.ts", "messages.ts")}
