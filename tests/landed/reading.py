"""Landed journals in the hands of this release: unpacked, looked back on, played on."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from random import Random

import msgspec

from croupier.cards import DECK
from croupier.floor.duties.permissions import Post
from croupier.floor.history.played_rounds import Past
from croupier.floor.house.house import House
from croupier.floor.people.people import Person
from croupier.floor.records.commands import Answer, AtTable, BuyIn, HouseCommand, ReopenTable, Request
from croupier.floor.records.committed_decks import Chance
from croupier.floor.records.tables import Table
from croupier.jackpots.commands import SignAward
from croupier.journal.store import Store
from croupier.money import money
from croupier.rounds.commands import (
    ChooseOption,
    CloseBets,
    DealCards,
    DecideHand,
    GiveRuling,
    OpenRound,
    PlaceBet,
    RoundCommand,
    SetJackpotMode,
    TurnCards,
)
from croupier.rounds.dealing import CardsToTurn, dealers_work, decision_due
from croupier.rounds.state import HandStands, Stage
from croupier.rulebooks.vocabulary import ANTE_BET, Role

FIRST_RELEASE = Path(__file__).parent / "first-release"
LATER = 1_800_000_000_000_000
"""2027-01-15: after everything that the journals hold."""

_IDS = count(1)


def unpacked(name: str, folder: Path) -> str:
    """The address of a packed SQLite house, unpacked into this folder."""
    file = folder / name.removesuffix(".gz")
    file.write_bytes(gzip.decompress((FIRST_RELEASE / name).read_bytes()))
    return f"sqlite:///{file}"


def opened(store: Store) -> House:
    """A house that goes on with chance from a seed."""
    random = Random(1)
    return House(store, Chance(random.randrange, random.randbytes))


def ask(house: House, command: HouseCommand) -> Answer:
    number = next(_IDS)
    return house.process([Request(f"later-{number}", command, LATER + number)])[0]


def do(house: House, command: HouseCommand) -> Answer:
    """A command that must be accepted."""
    answer = ask(house, command)
    assert answer.accepted, f"{command} is refused: {answer.code} {answer.message}"
    return answer


# ---------------------------------------------------------------- looking back


def rounds_of(house: House, store: Store) -> list[dict[str, object]]:
    """Every round of every table, in the order of tables and numbers, as an auditor sees it."""
    past, auditor = Past(house, lambda: store), Person("oto", Post.AUDITOR, "")
    found: list[dict[str, object]] = []
    for table in house.tables.values():
        for number in range(1, table.round.number + 1):
            shown = msgspec.to_builtins(past.round(table, number, auditor))
            found.append({field: shown[field] for field in ("table", "round", "stage", "lines", "awards")})
    return found


# ---------------------------------------------------------------- playing on


def come_in(house: House, player: str) -> None:
    do(house, BuyIn(player=player, amount=money("50000.00")))


def play_on(house: House, tables: Iterable[str], commands: int, player: str = "later") -> None:
    """So many commands at each table, from wherever it was left; each must be accepted."""
    for name in tables:
        for _ in range(commands):
            do(house, next_at(house, name, player))


def play_out(house: House, table: str) -> None:
    """The round that is on at a table comes to its end, or waits for nothing but an award."""
    while house.tables[table].round.is_open or house.tables[table].round.awaiting:
        do(house, next_at(house, table, "later"))


def next_at(house: House, name: str, player: str) -> HouseCommand:
    """What can be done next at a table, whatever it waits for."""
    table = house.tables[name]
    state = table.round
    if state.awaiting:
        waits = state.awaiting[0]
        if waits.role is None:
            return _at(name, ChooseOption(box=waits.boxes[0], option=waits.options[0]))
        decision = "stand" if "stand" in waits.decisions else waits.decisions[0]
        return _at(name, GiveRuling(by=Role.SHIFT_MANAGER, decision=decision, boxes=waits.report.boxes, who="ines"))
    if state.stage is Stage.BETTING:
        return _at(name, _bet(table, player))
    if state.stage is Stage.PLAYING:
        return _at(name, _decide(table))
    if table.closed:
        return ReopenTable(table=name, by="ines")
    if state.standing.closed or state.standing.jackpot_suspended:
        return _at(name, SetJackpotMode(by=Role.SHIFT_MANAGER, mode="restore"))
    return _at(name, OpenRound())


def _at(table: str, command: RoundCommand) -> AtTable:
    return AtTable(table=table, command=command)


def _bet(table: Table, player: str) -> RoundCommand:
    state, least = table.round, table.terms.limits[ANTE_BET].minimum
    if any(player in box.players for box in state.boxes):
        return CloseBets()
    box = next(box for box in state.boxes if not box.stakes and box.stands is HandStands.OUT)
    return PlaceBet(player=player, box=box.number, bet=ANTE_BET, amount=least)


def _decide(table: Table) -> RoundCommand:
    """The dealer of real cards enters some that nobody has seen; else somebody decides to bet on."""
    work = dealers_work(table.terms, table.round)
    if isinstance(work, CardsToTurn):
        state = table.round
        known = {*state.community, *state.dealer, *(card for box in state.boxes for card in box.cards)}
        left = iter([card for card in DECK if card not in known])
        return TurnCards(cards={place: tuple(next(left) for _ in ordinals) for place, ordinals in work.places.items()})
    if isinstance(work, DealCards):
        return work
    due = decision_due(table.terms, table.round)
    assert due is not None, f"{table.name} waits for nobody"
    return DecideHand(box=due[1][0], choice=due[0].bet)


def finish_pending(house: House) -> None:
    """In the small house whose awards wait: those who have yet to sign do, and the earlier deal is played."""
    for table, by in (("T1", "jon"), ("T2", "kim"), ("T2", "ines"), ("T5", "ines")):
        for case in [case for link in house.links.values() for case in link.open_cases if case.table == table]:
            do(house, SignAward(table=table, award=case.number, by=by))
    do(house, AtTable(table="T4", command=DecideHand(box=1, choice="fold")))
    for table in ("T1", "T3", "T6"):
        play_out(house, table)
