"""A major award on every screen: in the round that won it, and in no other."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.arranged import deck
from tests.web.conftest import PHONE, Visit, shoot
from tests.web.house import House, staffed
from tests.web.playing import lay
from tests.web.staff import at_console, no_more_bets, open_bets

GAME = "rws-multilink-holdem"
ROYAL = {"1": "Ah Kh", "community": "Qh Jh Th 2c 3d", "dealer": "4s 5d"}
QUEEN_HIGH = {"1": "9h 4c", "community": "Qh Jd 2s 3c 3d", "dealer": "As Kd"}


def test_an_award_signed_for_during_the_next_round_stays_in_its_own(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """rws-multilink-holdem 4.2, 1.25: royal flush, next round opened, signed twice, played without a jackpot bet. The
    player's dock says that it is locked. The console has nothing of it to pay, and the player's own history has it in
    the round that won it."""
    decks = [deck(GAME, (1,), cards) for cards in (ROYAL, QUEEN_HIGH)]
    with House(tmp_path_factory.mktemp("award"), staffed("Desk"), decks) as own:
        player = visit(PHONE, at=own)
        dealer = at_console(visit, "Desk", at=own)
        pits = [visit(at=own, name=name) for name in ("supervisor", "manager")]
        open_bets(dealer)
        player.locator('a[href="#/table/Desk"]').click()
        lay(player, 1, ante=25, jackpot=5)
        no_more_bets(dealer)
        for choice in ("flop", "check", "check"):
            player.locator(f'[data-choice="{choice}"]:enabled').click()
        expect(player.locator('[data-test="awards"]')).to_contain_text(
            "Locked at 184,251.00. 2 more signatures needed."
        )
        dock = player.get_by_label("Your bets and decisions")
        expect(dock.locator('[data-test="own-award"]')).to_have_text(
            "Royal flush Locked at 184,251.00. 2 more signatures needed."
        )
        expect(dock.locator("em")).to_have_text("Jackpot!")
        expect(player.locator(".win-moment")).to_have_text("")  # a frame, with nothing that covers the table
        expect(dealer.locator('[data-test="pay"]')).to_contain_text("Do not pay the award")
        dealer.get_by_role("button", name="Open bets").click()
        dealer.get_by_role("dialog", name="Open bets?").get_by_role("button", name="Open bets").click()
        expect(dock).to_contain_text("Royal flush: Locked at 184,251.00.")
        expect(dealer.locator('[data-test="awards"]')).to_contain_text("Not of this round: pay nothing for it here.")
        for page in pits:
            page.locator('[data-claim="Desk"]').get_by_role("button", name="I have verified it").click()
        expect(dealer.locator('[data-test="awards"]')).to_have_count(0)
        result = player.locator('[data-test="results"]')
        expect(result).to_contain_text("Jackpot wins 184,251.00")
        expect(result.locator("h2 b")).to_have_text("+184,321.00")
        lay(player, 1, ante=25)
        no_more_bets(dealer)
        player.locator('[data-choice="fold"]:enabled').click()
        expect(result).to_contain_text("Ante loses 25.00")
        expect(result).not_to_contain_text("Jackpot")
        expect(dealer.locator('[data-test="pay"]')).to_contain_text("Take 25.00")
        expect(dealer.locator('[data-test="pay"]')).not_to_contain_text("184,251.00")
        shoot(player, "award-next-round")
