"""What one table of a house knows of a Player the others know too: on both stores, over restarts, on every server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.floor.audit.audit import audit
from croupier.floor.house.dispatch import carry_out
from croupier.floor.house.house import House
from croupier.floor.house.memory import player_memory as players
from croupier.floor.house.memory.player_memory import Memory
from croupier.floor.house.transaction import Transaction
from croupier.floor.records.commands import Answer, AtTable, Request
from croupier.floor.records.facts import PlayerBarred, PlayerFact
from croupier.floor.records.streams import PLAYERS
from croupier.floor.records.tables import gaming_day
from croupier.journal.store import Store
from croupier.money import money
from croupier.rounds.commands import (
    CloseBets,
    DecideHand,
    GiveRuling,
    OpenRound,
    PlaceBet,
    ReportIncident,
    RoundCommand,
)
from croupier.rulebooks.vocabulary import Incident, Role
from croupier.testing.private_postgres import PrivatePostgres
from tests.floor.house_builder import ask, at, buy_in, house, open_link, open_table, two_servers
from tests.stores import Opened, Place, PostgresPlace, SqlitePlace, opened_at

MBS = "mbs-megalink-holdem"
NOON = 1_700_000_000_000_000
DAY = 86_400_000_000
TOLD = ReportIncident(incident=Incident.NOT_CONFIDENTIAL, player="ana")
BAR = GiveRuling(by=Role.SHIFT_MANAGER, decision="prohibit")
LIFT = GiveRuling(by=Role.SHIFT_MANAGER, decision="allow", player="ana")

Servers = Callable[[], tuple[House, House]]


@pytest.fixture(params=["sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    sqlite = request.param == "sqlite"
    place: Place = SqlitePlace(tmp_path) if sqlite else PostgresPlace(request.getfixturevalue("postgres"))
    with opened_at(place) as opened:
        yield opened


@pytest.fixture
def servers(postgres: PrivatePostgres) -> Iterator[Servers]:
    """Two servers on one PostgreSQL, with tables of MBS."""
    with opened_at(PostgresPlace(postgres)) as opened:
        yield partial(two_servers, opened, game=MBS)


def one_house(store: Store) -> House:
    """T1 and T2 of MBS on one link, and ana with chips."""
    floor = house(store, game=MBS)
    open_link(floor)
    for name in ("T1", "T2"):
        open_table(floor, name, MBS)
    buy_in(floor, "ana")
    return floor


def ante(amount: str = "5.00") -> PlaceBet:
    """Under the minimum of 10.00 unless it says otherwise, and nobody noticed."""
    return PlaceBet(player="ana", box=1, bet="ante", amount=money(amount), noticed=False)


def outcome(floor: House, table: str, moment: int = NOON) -> str:
    """ana has a small Ante at a table, and folds."""
    fold = DecideHand(box=1, choice="fold")
    commands: tuple[RoundCommand, ...] = (OpenRound(), ante(), CloseBets(), fold)
    for number, command in enumerate(commands):
        asked = Request(
            f"{table}-{floor.tables[table].round.number}-{moment}-{number}", AtTable(table, command), moment
        )
        assert floor.process([asked])[0].accepted
    return floor.tables[table].round.lines[0].outcome.value


def refused(floor: House, table: str) -> str:
    """The code with which ana's Ante of 10.00 is refused in a Round that is open; nothing where it is taken."""
    bet = PlaceBet(player="ana", box=1, bet="ante", amount=money("10.00"))
    return ask(floor, AtTable(table, bet)).code


# ---------------------------------------------------------------- 5.13


def test_two_servers_of_one_house_remember_together(servers: Servers) -> None:
    """mbs-megalink-holdem 5.13, reading under-min-memory b: settled at one server, given back at the other all day."""
    one, other = servers()
    assert outcome(one, "T1") == "lose"
    assert outcome(other, "T2", NOON + 1) == "returned"
    assert outcome(one, "T1", NOON + 2) == "returned"
    assert outcome(other, "T2", NOON + DAY) == "lose"
    assert outcome(one, "T1", NOON + DAY + 1) == "returned"
    assert audit(one.store).differences == ()


def test_a_restarted_house_remembers(opened: Opened) -> None:
    """mbs-megalink-holdem 5.13: the journal holds it, not the server."""
    first = one_house(opened())
    assert outcome(first, "T1") == "lose"
    first.store.close()
    again = house(opened(), game=MBS)
    assert again.memory == first.memory
    assert again.memory.noted("MBS", "ana", gaming_day(NOON))
    assert outcome(again, "T2", NOON + 1) == "returned"
    assert audit(again.store).differences == ()


def test_a_wager_placed_after_the_other_table_has_settled_goes_back(opened: Opened) -> None:
    """mbs-megalink-holdem 5.13: it is a future wager although its round was open before; one that lay there is not."""
    floor = one_house(opened())
    at(floor, "T2", OpenRound())
    assert outcome(floor, "T1") == "lose"
    at(floor, "T2", ante(), CloseBets(), DecideHand(box=1, choice="fold"))
    assert floor.tables["T2"].round.lines[0].outcome.value == "returned"
    assert audit(floor.store).differences == ()


def test_a_round_that_is_unwound_does_not_count(opened: Opened) -> None:
    """mbs-megalink-holdem 5.13, 5.3: the round is void, so the one time is still to come, at whichever table."""
    floor = one_house(opened())
    assert outcome(floor, "T1") == "lose"
    miscounted = ReportIncident(incident=Incident.WRONG_DEALER_COUNT, by=Role.PIT_SUPERVISOR, reconstructible=False)
    at(floor, "T1", miscounted)
    assert floor.tables["T1"].round.stage.value == "void"
    assert not floor.memory.noted("MBS", "ana", gaming_day(NOON))
    assert outcome(floor, "T2", NOON + 1) == "lose"
    assert outcome(floor, "T1", NOON + 2) == "returned"
    assert audit(floor.store).differences == ()


def test_nothing_is_kept_where_there_is_nothing_to_remember(opened: Opened) -> None:
    """mbs-megalink-holdem 5.13: a house without such wagers has no such stream, and no answer speaks of one."""
    floor = one_house(opened())
    bet = PlaceBet(player="ana", box=1, bet="ante", amount=money("10.00"))
    at(floor, "T1", OpenRound(), bet, CloseBets(), DecideHand(box=1, choice="fold"))
    assert PLAYERS not in floor.store.streams()
    assert not any(b'"players"' in bytes(answered.answer) for answered in floor.store.answers(_ids(floor)).values())


def _ids(floor: House) -> list[str]:
    return [record.command for stream in floor.store.streams() for record in floor.store.read(stream)]


# ---------------------------------------------------------------- 5.9


def test_a_barred_player_is_barred_at_every_server(servers: Servers) -> None:
    """mbs-megalink-holdem 5.9, reading bar-scope b: until the shift manager lifts it where he ruled it."""
    one, other = servers()
    bet = PlaceBet(player="ana", box=1, bet="ante", amount=money("10.00"))
    at(one, "T1", OpenRound(), bet, CloseBets(), TOLD, BAR)
    at(other, "T2", OpenRound())
    assert refused(other, "T2") == "player_prohibited"
    assert ask(other, AtTable("T2", LIFT)).code == "nothing_awaited"
    at(one, "T1", LIFT)
    assert refused(other, "T2") == ""
    assert audit(one.store).differences == ()


def test_a_restarted_house_knows_whom_it_has_barred(opened: Opened) -> None:
    """mbs-megalink-holdem 5.9: and lets him in again when it is lifted, the table that barred him included."""
    first = one_house(opened())
    bet = PlaceBet(player="ana", box=1, bet="ante", amount=money("10.00"))
    at(first, "T1", OpenRound(), bet, CloseBets(), TOLD, BAR)
    first.store.close()
    again = house(opened(), game=MBS)
    for name in ("T1", "T2"):
        at(again, name, OpenRound())
        assert refused(again, name) == "player_prohibited"
    at(again, "T1", LIFT)
    assert [refused(again, name) for name in ("T1", "T2")] == ["", ""]
    assert again.memory.bars == {}
    assert audit(again.store).differences == ()


# ---------------------------------------------------------------- an audit recomputes it


def test_an_audit_finds_a_house_that_forgot(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """mbs-megalink-holdem 5.13: what a server did not know although the journal had it is a difference."""
    floor = one_house(opened())
    assert outcome(floor, "T1") == "lose"
    monkeypatch.setattr(Memory, "noted", lambda *_: False)
    assert outcome(floor, "T2", NOON + 1) == "lose"
    monkeypatch.undo()
    assert [(found.where, "remembered of ana" in found.what) for found in audit(floor.store).differences] == [
        ("table/T2", True)
    ]


def test_an_audit_finds_a_bet_of_a_barred_player(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """mbs-megalink-holdem 5.9: the other table took it."""
    floor = one_house(opened())
    bet = PlaceBet(player="ana", box=1, bet="ante", amount=money("10.00"))
    at(floor, "T1", OpenRound(), bet, CloseBets(), TOLD, BAR)
    monkeypatch.setattr(Memory, "barred", lambda *_: False)
    at(floor, "T2", OpenRound(), bet)
    monkeypatch.undo()
    assert ["barred" in found.what for found in audit(floor.store).differences] == [True]


def test_an_audit_finds_a_note_that_no_round_explains(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """mbs-megalink-holdem 5.9: nobody is barred by the record alone."""
    floor = one_house(opened())
    honest = players.facts_from

    def invented(*facts: object) -> Iterator[PlayerFact]:
        yield from honest(*facts)  # type: ignore[arg-type]  # it is passed on as it came
        yield PlayerBarred(operator="MBS", player="ben", table="T1", round=1)

    monkeypatch.setattr("croupier.floor.house.round_play.facts_from", invented)
    assert outcome(floor, "T1") == "lose"
    monkeypatch.undo()
    assert {(found.where, found.what) for found in audit(floor.store).differences} == {
        (PLAYERS, "nothing of what was asked leads to PlayerBarred.")
    }


@pytest.mark.parametrize(("field", "says"), [("heads", "does not say that it went so far"), ("stood", "remembered")])
def test_an_audit_finds_an_answer_that_says_another_place_of_the_memory(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, field: str, says: str
) -> None:
    """Where the memory stood when a bet was judged, and how far a round brought it, is what the records come to."""
    floor = one_house(opened())

    def astray(transaction: Transaction) -> Answer:
        answer = carry_out(transaction)
        said = getattr(answer, field)
        return replace(answer, **{field: {**said, PLAYERS: said[PLAYERS] + 1}}) if PLAYERS in said else answer

    monkeypatch.setattr("croupier.floor.house.house.carry_out", astray)
    assert outcome(floor, "T1") == "lose"
    monkeypatch.undo()
    assert any(says in found.what for found in audit(floor.store).differences)
