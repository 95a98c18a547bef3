"""A dealer's taps and keys, for all tests with a console."""

from __future__ import annotations

import contextlib
import re
import time

from playwright.sync_api import Error, Locator, Page, expect

from tests.patience import PATIENCE
from tests.web.conftest import DESKTOP, Visit
from tests.web.house import House


def at_console(visit: Visit, table: str, size: tuple[int, int] = DESKTOP, **where: House) -> Page:
    """The dealer comes to a table."""
    page = visit(size, f"#/dealer/{table}", name="dealer", **where)
    page.locator(".console").wait_for()
    return page


def open_bets(page: Page) -> None:
    """Open bets, also where an earlier test has left a round of the same dealer in play at another table."""
    page.get_by_role("button", name="Open bets").click()
    asked = page.locator("confirm-dialog dialog[open] .danger")
    page.get_by_role("button", name="No more bets").or_(asked).first.wait_for()
    if asked.is_visible():
        asked.click()


def no_more_bets(page: Page) -> None:
    page.get_by_role("button", name="No more bets").click()


def enter_bet(page: Page, box: int, bet: str, amount: str, player: str = "ana") -> None:
    """A bet of a player without a screen, as the dealer enters it."""
    form = page.locator(".bets-form")
    form.get_by_role("radio", name=str(box), exact=True).check(force=True)
    form.get_by_label("Player").fill(player)
    form.get_by_role("radio", name=bet, exact=True).check(force=True)
    form.get_by_label("Amount").fill(amount)
    form.get_by_role("button", name="Place").click()
    row = page.locator(".boxes-table tr", has=page.get_by_role("rowheader", name=str(box), exact=True))
    expect(row).to_contain_text(f"{bet} {amount.removesuffix('.00')}")


def turn(page: Page, **places: str) -> None:
    """Type the cards that lie on the felt."""
    for place, cards in places.items():
        page.locator(f'[data-place="{place.removeprefix("box_")}"]').fill(cards)
    page.get_by_role("button", name="Turned").click()


def dealt(page: Page) -> None:
    """Confirm every step of dealing until cards are turned or boxes decide."""
    done = page.get_by_role("button", name="Done", exact=True)
    for _ in range(int(done.get_attribute("data-left") or "1")):
        done.press("Enter")  # a second tap within a moment is not meant, and is held off


def done_all(page: Page, until: Locator) -> None:
    """Confirm step after step until something else is there; one confirmed already may vanish under the tap."""
    ends = time.monotonic() + PATIENCE
    while not until.count():
        assert time.monotonic() < ends, "there is always one more step"
        with contextlib.suppress(Error):
            page.get_by_role("button", name="Done", exact=True).press("Enter", timeout=2000)
        page.wait_for_timeout(100)


def decide(page: Page, box: int, choice: str) -> None:
    """Tap a decision and confirm it."""
    page.locator(f'[data-decide="{box}-{choice}"]').click()
    page.locator("[data-confirm]").click()


def fold_all(page: Page, *boxes: int) -> None:
    """From open bets to the end: everybody folds."""
    no_more_bets(page)
    dealt(page)
    for box in boxes:
        decide(page, box, "fold")
    page.locator('[data-test="pay"]').wait_for()


def play_out(page: Page, box: int, *, hand: str, board: str, against: str) -> None:
    """A box that bets the Flop and then checks, to the showdown; cards are typed as they are turned."""
    decide(page, box, "flop")
    dealt(page)
    turn(page, community=" ".join(board.split()[:3]))
    check_down(page, box, hand=hand, board=board, against=against)


def check_down(page: Page, box: int, *, hand: str, board: str, against: str) -> None:
    """From the flop on: the box checks, the turn and the river card are typed, then the Dealer's and its own."""
    for card in board.split()[3:]:
        decide(page, box, "check")
        dealt(page)
        turn(page, community=card)
    dealt(page)
    turn(page, dealer=against)
    turn(page, **{f"box_{box}": hand})
    page.locator('[data-test="pay"]').wait_for()


def round_number(page: Page) -> str:
    """Of the round that stands on this console."""
    found = re.search(r"round (\d+)", page.locator(".table-head h1").inner_text())
    assert found
    return found[1]
