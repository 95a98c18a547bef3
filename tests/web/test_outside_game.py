"""A game from outside the package in the browser: five cards in a hand, and no place for community cards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.editions import EXAMPLES, HARBOUR
from tests.web.conftest import Visit, shoot
from tests.web.house import TABLE, House
from tests.web.playing import bet, close_bets, results, sit
from tests.web.test_fitting import fits

QUAY = TABLE.format(name="Quay", game=HARBOUR).replace("deciding_seconds = 75", "deciding_seconds = 3600")


@pytest.fixture
def house(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A house that finds the example rulebooks."""
    monkeypatch.setenv("CROUPIER_RULEBOOKS", str(EXAMPLES))
    with House(tmp_path_factory.mktemp("quay"), QUAY) as house:
        yield house


def test_five_cards_are_looked_at_called_and_settled(visit: Visit) -> None:
    """harbour-stud 2.6, 3.8: everything fits at every size, and the felt has no place that no card comes to."""
    page = visit()
    sit(page, "Quay")
    bet(page, "Quay")
    fits(page, "betting")
    expect(page.locator(".felt .board")).to_have_count(0)
    close_bets(page, "Quay")
    page.locator('[data-choice="call"]').wait_for()
    fits(page, "deciding", ".choices button")
    shoot(page, "harbour-stud-deciding")
    page.locator('[data-choice="call"]').first.click()
    results(page)
    expect(page.locator(".felt .board")).to_have_count(0)
    fits(page, "settled")
    shoot(page, "harbour-stud-settled")
