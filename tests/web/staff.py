"""A dealer's taps and keys, for all tests with a console."""

from __future__ import annotations

from playwright.sync_api import Page, expect


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
    page.get_by_role("button", name="Done: cards are dealt").click()


def decide(page: Page, box: int, choice: str) -> None:
    page.locator(f'[data-decide="{box}-{choice}"]').click()
