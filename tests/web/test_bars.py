"""A player is barred, and let in again, by forms: the server says who may."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import PHONE, Visit, serious, shoot
from tests.web.house import House, staffed
from tests.web.playing import lay
from tests.web.staff import at_console, no_more_bets, open_bets

MBS = "mbs-megalink-holdem"


def _seated(visit: Visit, own: House) -> tuple[Page, str]:
    player = visit(PHONE, at=own)
    player.locator('a[href="#/table/Marina"]').click()
    lay(player, 3, ante=25)
    return player, str(player.evaluate("fetch('/api/me').then(r => r.json()).then(me => me.name)"))


def test_a_bar_is_ruled_seen_and_lifted(visit: Visit, tmp_path_factory: pytest.TempPathFactory) -> None:
    """mbs-megalink-holdem 5.9: the shift manager bars a player who showed his hand, at every table of the house. The
    supervisor sees it and who may lift it; the shift manager lifts it in his words, and the player bets again.
    """
    with House(tmp_path_factory.mktemp("barred"), staffed("Marina", MBS) + staffed("Sands", MBS)) as own:
        dealer = at_console(visit, "Marina", at=own)
        shift = visit(at=own, name="shift")
        supervisor = visit(PHONE, at=own, name="supervisor")
        open_bets(dealer)
        player, name = _seated(visit, own)
        no_more_bets(dealer)
        dealer.get_by_role("button", name="Irregularity").click()
        dealer.locator('[data-incident="not_confidential"]').click()
        dealer.get_by_label("Which player?").select_option(name)
        dealer.get_by_role("button", name="Report it").click()
        ruling = shift.locator('[data-ruling="Marina"]')
        expect(ruling).to_contain_text("the player may not play on")
        ruling.locator('[data-rule="prohibit"]').click()
        expect(player.locator('[data-test="balance"]')).to_have_text("1,000.00")
        for page in (shift, supervisor):
            bar = page.locator(f'[data-bar="{name}/Marina"]')
            expect(bar).to_contain_text("may not bet at any table of MBS in this house")
            expect(bar).to_contain_text("5.9")
        expect(supervisor.locator("[data-bar]")).to_contain_text("Only the shift manager or above lifts this")
        expect(supervisor.locator("[data-bar] button:not(.rule)")).to_have_count(0)
        shoot(supervisor, "pit-barred-phone")
        assert serious(supervisor) == []
        _refused_elsewhere(visit, own, player)
        shoot(shift, "pit-barred")
        assert serious(shift) == []
        bar = shift.locator("[data-bar]")
        bar.get_by_label("In your words").fill("He has apologised.")
        bar.get_by_role("button", name=f"Let {name} play again").click()
        expect(shift.locator(".toast", has_text=f"{name} may play again.")).to_be_visible()
        for page in (shift, supervisor):
            expect(page.locator("[data-bar]")).to_have_count(0)
        expect(shift.get_by_role("region", name="Barred players")).to_contain_text(
            "In Megalink Hold'em a player is barred"
        )
        lay(player, 3, ante=25)
        shift.goto(f"{own.address}/#/rounds")
        kinds = shift.get_by_label("Incident")
        kinds.select_option(label="A player did not keep his hand to himself")
        shift.get_by_role("button", name="Search").click()
        expect(shift.locator("table.found tbody tr")).to_have_count(1)
        kinds.select_option(label="A bet was mispaid")
        shift.get_by_role("button", name="Search").click()
        expect(shift.locator("main")).to_contain_text("No round matches.")
        shoot(shift, "rounds-incident")


def _refused_elsewhere(visit: Visit, own: House, player: Page) -> None:
    """At another table of the operator too; the sentence says "you", not the account."""
    other = at_console(visit, "Sands", at=own)
    open_bets(other)
    player.goto(f"{own.address}/#/table/Sands")
    player.locator('.spot[data-bet="ante"]:enabled').click()
    expect(player.locator(".toast.refusal", has_text="You may not play on.")).to_be_visible()
