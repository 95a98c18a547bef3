"""A house of two servers: a table that the other one runs is shown, and says where it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from croupier.testing.private_postgres import PrivatePostgres
from tests.stores import PostgresPlace
from tests.web.conftest import PHONE, Visit, serious, shoot
from tests.web.house import House, staffed
from tests.web.staff import at_console


def folder(tmp_path_factory: pytest.TempPathFactory, name: str) -> Path:
    return tmp_path_factory.mktemp(name)


def test_a_table_that_a_standby_took_over_is_still_in_the_lobby(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory, postgres: PrivatePostgres
) -> None:
    """Its own server is killed and comes back: the lobby, the pit and the table's page say that another server runs it,
    and when that one is gone the page opens the table by itself.
    """
    database = PostgresPlace(postgres).url
    tables = staffed("Orchid") + staffed("Quay")
    with House(folder(tmp_path_factory, "own"), tables, database=database) as own:
        own.kill()
        with House(folder(tmp_path_factory, "standby"), tables, database=database) as standby:
            expect(visit(at=standby).locator(".table-card")).to_have_count(2)
            own.start()
            player = visit(PHONE, at=own)
            card = player.locator(".table-card", has_text="Orchid")
            expect(card).to_contain_text("At another server")
            expect(card).to_contain_text("10–500 SGD")
            shoot(player, "elsewhere-lobby-phone")
            assert serious(player) == []
            card.locator("a").click()
            says = "Another server of this house runs Orchid: open it there."
            expect(player.locator("main")).to_contain_text(says)
            shoot(player, "elsewhere-table-phone")
            assert serious(player) == []
            expect(player.get_by_role("link", name="Log in")).to_be_visible()
            dealer = visit(at=own, name="dealer")
            dealer.goto(f"{own.address}/#/dealer/Orchid")
            expect(dealer.locator("main")).to_contain_text(says)
            pit = visit(at=own, name="shift")
            expect(pit.locator('.wall [data-table="Orchid"]')).to_contain_text(says)
            shoot(pit, "elsewhere-pit")
            assert serious(pit) == []
            standby.kill()
            dealer.locator(".console").wait_for()
            at_console(visit, "Quay", at=own)
            expect(pit.locator('.wall [data-table="Orchid"]')).to_contain_text("Not open yet")
