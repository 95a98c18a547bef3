"""Another version of a rule document, put in force at a table by the pit's form."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.editions import EXAMPLES
from tests.web.conftest import Visit, serious, shoot
from tests.web.house import House, staffed
from tests.web.test_pit import pit, sign, tile

VERSION = "mbs-megalink-holdem@10"


@pytest.fixture
def house(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A house that finds the example rulebooks."""
    monkeypatch.setenv("CROUPIER_RULEBOOKS", str(EXAMPLES))
    with House(tmp_path_factory.mktemp("edition"), staffed("Marina", "mbs-megalink-holdem")) as house:
        yield house


def test_two_managers_put_another_version_on_the_calendar(visit: Visit) -> None:
    """Proposed with a moment, signed by another, shown in the drawer, and taken off again before it begins."""
    manager, shift = pit(visit, "manager"), pit(visit, "shift")
    tile(manager, "Marina").get_by_role("button").click()
    marina = manager.locator('[data-open="Marina"]')
    marina.get_by_text("Run the table").click()
    form = marina.locator("form", has_text="Another version of the rule document")
    form.get_by_label("Version").fill("mbs-megalink-holdem@11")
    form.get_by_label("From").fill("2031-01-01T12:00")
    form.get_by_role("button", name="Propose the version").click()
    expect(manager.locator(".toast.refusal")).to_be_visible()
    form.get_by_label("Version").fill(VERSION)
    shoot(manager, "pit-edition")
    assert serious(manager) == []
    form.get_by_role("button", name="Propose the version").click()
    expect(manager.locator(".attention .sign")).to_contain_text(VERSION)
    sign(shift, VERSION)
    expect(marina.locator('[data-test="scheduled"]')).to_contain_text(VERSION)
    marina.get_by_role("button", name="Keep the present version").click()
    expect(marina.locator('[data-test="scheduled"]')).to_have_count(0)
    expect(form).to_be_visible()
