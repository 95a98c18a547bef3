"""One's own account in the browser: password, second factor, sessions, the lock; and the alarm in the pit."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pyotp
import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import DESKTOP, PHONE, Visit, log_in, serious, shoot
from tests.web.house import STAFFED, House
from tests.web.staff import dealt, enter_bet, no_more_bets, open_bets
from tests.web.test_people import PASSWORD, enrolled, line, office, remove

OWN = "blue kettle under stairs"
WATCHFUL = """
[security]
idle_minutes = 0.05
idle_exempt = ["player", "display", "pit_supervisor"]
break_glass = ["shift"]
"""


def come_in(page: Page, name: str, password: str, code: str = "") -> None:
    """By the form, with a code where one is asked for."""
    page.get_by_role("link", name="Log in").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    if code:
        field = page.get_by_label("Code of your second factor")
        expect(field).to_be_focused()
        field.fill(code)
        page.keyboard.press("Enter")


def to_account(page: Page) -> None:
    """From the menu that also opens under one's name."""
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("link", name="Your account").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")


@pytest.fixture
def gone(visit: Visit) -> Iterator[list[str]]:
    """People who are removed again when the test is over."""
    names: list[str] = []
    yield names
    if names:
        admin = visit()
        office(admin)
        for name in names:
            remove(admin, name).get_by_role("button", name="Remove").click()
            expect(line(admin, name)).to_have_count(0)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_reset_password_is_changed_first(visit: Visit, gone: list[str], size: tuple[int, int]) -> None:
    """The administrator reads it once; the person chooses another and goes on; other sessions can be ended."""
    admin, page = visit(), visit(size)
    office(admin)
    name = f"ruth-{size[0]}"
    enrolled(admin, name)
    gone.append(name)
    line(admin, name).get_by_role("button", name=f"Account of {name}").click()
    dialog = admin.get_by_role("dialog", name=f"Account of {name}")
    dialog.get_by_role("button", name="Reset the password").click()
    made = dialog.locator("code.made").inner_text()
    expect(dialog).to_contain_text("It has to be changed at the next log-in.")
    shoot(admin, f"people-reset-{size[0]}")
    assert serious(admin) == []
    come_in(page, name, made)
    expect(page.get_by_role("heading", level=1)).to_have_text("Choose your own password")
    shoot(page, f"account-choose-{size[0]}")
    assert serious(page) == []
    for label, text in (("Old password", made), ("New password", "password1234"), ("New password again", OWN)):
        page.get_by_label(label, exact=True).fill(text)
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_role("alert")).to_have_text("The new password is not the same both times.")
    page.get_by_label("New password again").fill("password1234")
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_role("alert")).to_contain_text("This password is too easy to guess.")
    page.get_by_label("New password", exact=True).fill(OWN)
    page.get_by_label("New password again").fill(OWN)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Choose a table to deal")
    other = visit()
    come_in(other, name, OWN)
    expect(other.locator(".who")).to_contain_text(name)
    to_account(page)
    sessions = page.get_by_role("region", name="Sessions")
    expect(sessions.locator("li")).to_have_count(2)
    expect(sessions).to_contain_text("from 127.0.0.1")
    shoot(page, f"account-{size[0]}")
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    sessions.locator("li", has_not_text="This one").get_by_role("button").click()
    expect(sessions.locator("li")).to_have_count(1)
    expect(other.locator(".toast", has_text="Your session is over")).to_be_visible()


def test_a_second_factor_is_set_up_used_and_removed(visit: Visit, gone: list[str]) -> None:
    """By its QR code or its secret; the recovery codes are shown once, and the log-in asks for a code."""
    admin, page = visit(), visit()
    office(admin)
    enrolled(admin, "tim")
    gone.append("tim")
    log_in(page, "tim")
    to_account(page)
    second = page.get_by_role("region", name="Second factor")
    second.get_by_label("Your password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(second.get_by_role("img", name="QR code of the second factor")).to_be_visible()
    totp = pyotp.TOTP(second.locator("code").inner_text().replace(" ", ""))
    shoot(page, "account-second-factor")
    assert serious(page) == []
    second.get_by_label("The six figures that it shows").fill("12")
    page.keyboard.press("Enter")
    expect(second.get_by_role("alert")).to_contain_text("This code does not fit")
    second.get_by_label("The six figures that it shows").fill(totp.now())
    page.keyboard.press("Enter")
    codes = page.get_by_role("region", name="Recovery codes")
    expect(codes.locator("li")).to_have_count(10)
    recovery = codes.locator("li").first.inner_text()
    shoot(page, "account-recovery-codes")
    codes.get_by_role("button", name="I have them").click()
    expect(second).to_contain_text("On")
    expect(line(admin, "tim")).to_contain_text("Second factor")
    other = visit()
    come_in(other, "tim", PASSWORD, totp.at(int(time.time()) + 30))
    expect(other.locator(".who")).to_contain_text("tim")
    second.get_by_label("Your password").fill(PASSWORD)
    second.get_by_label("Code or recovery code").fill(recovery)
    second.get_by_role("button", name="Remove the second factor").click()
    expect(second.get_by_role("button", name="Set up a second factor")).to_be_visible()


@pytest.fixture(scope="module")
def watchful(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that locks after three seconds, and keeps an account for emergencies."""
    with House(tmp_path_factory.mktemp("watchful"), STAFFED + WATCHFUL) as house:
        yield house


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_page_that_nobody_uses_is_locked_and_goes_on_where_it_was(
    visit: Visit, watchful: House, size: tuple[int, int]
) -> None:
    """What was typed is still there; nothing can be read or reached behind the lock until the password is given."""
    page = visit(size, at=watchful)
    log_in(page, "auditor")
    page.goto(f"{watchful.address}/#/rounds")
    hand = page.locator("main input").first
    hand.fill("typed before")
    lock = page.get_by_role("dialog", name="Locked: auditor")
    expect(lock).to_be_visible()
    expect(lock.get_by_label("Password")).to_be_focused()
    shoot(page, f"locked-{size[0]}")
    assert serious(page) == []
    page.keyboard.press("Escape")
    expect(lock).to_be_visible()
    lock.get_by_label("Password").fill("not this one")
    page.keyboard.press("Enter")
    expect(lock.get_by_role("alert")).to_have_text("This is not your password.")
    lock.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(lock).to_be_hidden()
    expect(hand).to_have_value("typed before")
    expect(page.locator(".offline")).to_have_count(0)


def test_a_locked_pit_still_shows_where_a_person_is_needed(visit: Visit, watchful: House) -> None:
    """Tables, phases and counts of what waits, also of a call that comes while it is locked; no names of persons."""
    pit, dealer = visit((1366, 768), at=watchful), visit(at=watchful)
    log_in(pit, "manager")
    expect(pit.get_by_role("heading", level=1)).to_have_text("Pit")
    lock = pit.get_by_role("dialog", name="Locked: manager")
    expect(lock).to_be_visible()
    expect(lock.locator(".wall [data-table]")).to_have_count(2)
    expect(lock.locator(".attention")).to_contain_text("Nothing is waiting.")
    log_in(dealer, "dealer")
    dealer.goto(f"{watchful.address}/#/dealer/Felt")
    dealer.get_by_role("button", name="Call the supervisor").click()
    expect(lock.locator('[data-kind="call"]')).to_contain_text("1")
    expect(lock.locator("locked-wall")).not_to_contain_text("dealer")
    open_bets(dealer)
    enter_bet(dealer, 5, "Ante", "25.00")
    lights = lock.locator('[data-table="Felt"] .boxes i')
    expect(lights.nth(4)).to_have_class("lit")
    expect(lights.nth(0)).not_to_have_class("lit")
    no_more_bets(dealer)
    dealt(dealer)
    dealer.get_by_role("button", name="Irregularity").click()
    dealer.locator('[data-incident="cards_exposed"]').click()
    dealer.get_by_label("How many cards?").fill("2")
    dealer.get_by_role("button", name="Report it").click()
    dealer.get_by_role("button", name="Void the round").click()
    expect(lock.locator('[data-kind="void"]')).to_contain_text("1")
    for width, height in ((1366, 768), (1920, 1080), (3840, 2160)):
        pit.set_viewport_size({"width": width, "height": height})
        expect(lock.get_by_role("button", name="Unlock")).to_be_in_viewport()
        shoot(pit, f"pit-locked-{width}")
    assert serious(pit) == []
    lock.get_by_label("Password").fill(PASSWORD)
    pit.keyboard.press("Enter")
    expect(lock).to_be_hidden()
    pit.get_by_role("button", name="I am coming").click()
    expect(pit.locator(".attention .call")).to_contain_text("manager comes")


def test_a_person_who_uses_the_page_is_not_locked(visit: Visit, watchful: House) -> None:
    """Keys and touches say so to the server, though nothing is asked of it."""
    page = visit(at=watchful)
    log_in(page, "auditor")
    page.goto(f"{watchful.address}/#/rounds")
    lock = page.get_by_role("dialog", name="Locked: auditor")
    for _ in range(12):
        page.keyboard.press("Shift")
        page.wait_for_timeout(500)
        expect(lock).to_be_hidden(timeout=1)
    expect(lock).to_be_visible()


def test_a_break_glass_account_raises_an_alarm_in_the_pit(visit: Visit, watchful: House) -> None:
    """Until an administrator has given it another password; the old one works no more."""
    pit, emergency, admin = (visit(at=watchful) for _ in range(3))
    log_in(pit, "supervisor")
    expect(pit.get_by_role("heading", level=1)).to_have_text("Pit")
    expect(pit.get_by_role("region", name="Alarms")).to_have_count(0)
    log_in(emergency, "shift")
    alarm = pit.get_by_role("region", name="Alarms")
    expect(alarm).to_contain_text("Break-glass account shift (shift manager) was used")
    expect(alarm).to_contain_text("from 127.0.0.1")
    shoot(pit, "pit-alarm")
    assert serious(pit) == []
    again = visit(at=watchful)
    come_in(again, "shift", PASSWORD)
    expect(again.get_by_role("alert")).to_have_text("Wrong name or password.")
    office(admin)
    line(admin, "shift").get_by_role("button", name="Account of shift").click()
    dialog = admin.get_by_role("dialog", name="Account of shift")
    dialog.get_by_role("button", name="Reset the password").click()
    expect(dialog).to_contain_text("It works for one log-in.")
    expect(alarm).to_have_count(0)
