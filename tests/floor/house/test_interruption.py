"""A server is killed with a round in flight; it is back where its last answer left it, and when staff report the
technical interruption, the game's own rules decide what becomes of the round.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.house.house import House
from croupier.floor.records.codec import table_fact
from croupier.floor.records.commands import AtTable, BuyIn, HouseCommand, OpenLink, OpenTable, Request, TableConfig
from croupier.floor.records.facts import DeckCommitted, DeckOpened
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.store_address import open_store
from croupier.money import money
from croupier.rounds.commands import (
    ChooseOption,
    CloseBets,
    DecideHand,
    GiveRuling,
    OpenRound,
    PlaceBet,
    ReportIncident,
    RoundCommand,
)
from croupier.rounds.events import IncidentReported, RoundEvent
from croupier.rounds.state import Round, Stage
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.vocabulary import Incident, Role
from croupier.testing.crowd import rich_chance
from tests.floor.house_builder import at, balance, eventually, play_out
from tests.stores import Place, PostgresPlace, SqlitePlace

NOW = 1_700_000_000_000_000
POWER_IS_BACK = ReportIncident(incident=Incident.TECHNICAL_INTERRUPTION, by=Role.SHIFT_MANAGER)
RWS = [game for game in GAMES if game.startswith("rws")]
COMMANDS = msgspec.json.Decoder(list[RoundCommand])
ENCODE = msgspec.json.Encoder().encode


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        return SqlitePlace(tmp_path)
    return PostgresPlace(request.getfixturevalue("postgres"))


# ---------------------------------------------------------------- the server that is killed

SERVER = """
import sys
from tests.floor.house.test_interruption import run_until_killed
run_until_killed(*sys.argv[1:])
"""


def before_the_kill(game: str) -> Iterator[HouseCommand]:
    """Two players at a table, one of them on the jackpot as well, and the cards are dealt."""
    parameters = Parameters(reset=money("50000.00"), contribution=Rate(1, 5))
    yield OpenLink(link="main", meter=money("100000.00"), parameters=parameters)
    yield OpenTable(table="T1", config=TableConfig(game=game, link="main"))
    for player in ("ana", "ben"):
        yield BuyIn(player=player, amount=money("100.00"))
    for command in (
        OpenRound(),
        PlaceBet(player="ana", box=1, bet="ante", amount=money("10.00")),
        PlaceBet(player="ben", box=2, bet="ante", amount=money("10.00")),
        PlaceBet(player="ana", box=1, bet="jackpot", amount=money("5.00")),
        CloseBets(),
    ):
        yield AtTable(table="T1", command=command)


def run_until_killed(url: str, game: str, acts: str) -> None:
    """A server's life: it answers everything, says where the round stands, and waits for its end."""
    house = House(open_store(url), rich_chance(Random(3), 0.0))
    commands = [*before_the_kill(game), *(AtTable(table="T1", command=act) for act in COMMANDS.decode(acts))]
    for number, command in enumerate(commands):
        answer = house.process([Request(f"before-{number}", command, NOW)])[0]
        assert answer.accepted, answer.message
    sys.stdout.write(f"{ENCODE(house.tables['T1'].round).decode()}\n")
    sys.stdout.flush()
    time.sleep(600)


class Interrupted:
    """A table of a game whose server was killed with the cards dealt, and started again."""

    def __init__(self, place: Place, game: str, *acts: RoundCommand) -> None:
        command = [sys.executable, "-c", SERVER, place.url, game, ENCODE(acts).decode()]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
            assert server.stdout is not None
            left = msgspec.json.decode(server.stdout.readline(), type=Round)
            server.kill()
        self.store = place.open()
        self.house = House(self.store, rich_chance(Random(4), 0.0))
        # PostgreSQL notices in its own time that the killed server's connection is gone.
        assert eventually(lambda: not self.house.collect(NOW) and self.house.tables["T1"].ours)
        assert self.house.tables["T1"].round == left
        assert left.stage is Stage.PLAYING

    def happened(self, *acts: RoundCommand) -> list[RoundEvent]:
        """What these do to the round after the restart."""
        before = self.store.head("table/T1").seq
        at(self.house, "T1", *acts)
        facts = [table_fact(record) for record in self.store.read("table/T1", before)]
        return [fact for fact in facts if not isinstance(fact, DeckCommitted | DeckOpened)]

    def stage(self) -> Stage:
        return self.house.tables["T1"].round.stage

    def pockets(self) -> tuple[int, int]:
        return balance(self.house, "player/ana"), balance(self.house, "player/ben")

    def close(self) -> None:
        """And the audit finds nothing in all of it."""
        report = audit(self.store)
        self.store.close()
        assert report.is_clean, report.differences


# ---------------------------------------------------------------- what the rulebooks make of it


@pytest.mark.parametrize("game", RWS)
def test_rws_interrupted_before_any_outcome_the_round_is_void(place: Place, game: str) -> None:
    """rws-multilink-holdem 5.7.2, rws-multilink-three-card 5.7.2, rws-progressive-holdem 5.7.2: all bets go back."""
    table = Interrupted(place, game)
    reported = table.happened(POWER_IS_BACK)[0]
    assert isinstance(reported, IncidentReported)
    assert "5.7.2" in reported.rules
    assert table.stage() is Stage.VOID
    assert table.pockets() == (10_000, 10_000)
    assert table.house.links["main"].contributed == 0
    table.close()


@pytest.mark.parametrize("game", RWS)
def test_rws_interrupted_with_an_outcome_the_round_goes_on(place: Place, game: str) -> None:
    """rws-multilink-holdem 5.7.1, rws-multilink-three-card 5.7.1, rws-progressive-holdem 5.7.1: a folded hand is an
    outcome, so the others play on, the meter as it was registered.
    """
    table = Interrupted(place, game, DecideHand(box=2, choice="fold"))
    reported = table.happened(POWER_IS_BACK)[0]
    assert isinstance(reported, IncidentReported)
    assert "5.7.1" in reported.rules
    assert table.stage() is Stage.PLAYING
    assert table.house.tables["T1"].round.frozen
    play_out(table.house, "T1")
    assert table.stage() is Stage.SETTLED
    assert table.pockets()[1] == 9_000
    table.close()


def test_mbs_interrupted_before_any_outcome_players_may_withdraw(place: Place) -> None:
    """mbs-megalink-holdem 5.16.1: who withdraws takes everything back, who stays plays on."""
    table = Interrupted(place, "mbs-megalink-holdem")
    reported = table.happened(POWER_IS_BACK)[0]
    assert isinstance(reported, IncidentReported)
    assert "5.16.1" in reported.rules
    waits = table.house.tables["T1"].round.awaiting[0]
    assert waits.boxes == (1, 2)
    table.happened(ChooseOption(box=1, option="withdraw"), ChooseOption(box=2, option="continue"))
    play_out(table.house, "T1")
    assert table.stage() is Stage.SETTLED
    assert table.pockets()[0] == 10_000
    assert table.house.links["main"].contributed == 0
    table.close()


def test_mbs_interrupted_with_an_outcome_the_round_goes_on(place: Place) -> None:
    """mbs-megalink-holdem 5.16.2: nobody is asked."""
    table = Interrupted(place, "mbs-megalink-holdem", DecideHand(box=2, choice="fold"))
    reported = table.happened(POWER_IS_BACK)[0]
    assert isinstance(reported, IncidentReported)
    assert "5.16.2" in reported.rules
    play_out(table.house, "T1")
    assert (table.stage(), table.pockets()[1]) == (Stage.SETTLED, 9_000)
    table.close()


@pytest.mark.parametrize(("decision", "stage"), [("void", Stage.VOID), ("stand", Stage.PLAYING)])
def test_sun_interrupted_management_rules(place: Place, decision: str, stage: Stage) -> None:
    """sun-casino-holdem: no paragraph speaks of it, so the round waits for whoever rules on what is not covered."""
    table = Interrupted(place, "sun-casino-holdem")
    table.happened(POWER_IS_BACK)
    assert decision in table.house.tables["T1"].round.awaiting[0].decisions
    table.happened(GiveRuling(by=Role.SHIFT_MANAGER, decision=decision))
    assert table.stage() is stage
    if decision == "void":
        assert table.pockets() == (10_000, 10_000)
    table.close()
