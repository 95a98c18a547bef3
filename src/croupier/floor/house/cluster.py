"""Servers that share a house: what a command locks, what other servers have done, and what they left to this one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import count
from typing import assert_never

import msgspec

from croupier.floor.house.memory.player_memory import may_note
from croupier.floor.house.memory.snapshots import link_in
from croupier.floor.house.memory.state import HouseState
from croupier.floor.house.recovery import catch_up, recover_link, take_over
from croupier.floor.records.codec import LINK_STATE, encode
from croupier.floor.records.commands import (
    AboutPeople,
    AcknowledgeCheck,
    ArchiveTable,
    AtTable,
    BuyIn,
    CancelEdition,
    CashOut,
    ChangeColour,
    ChangeTerms,
    CloseTable,
    CollectAwards,
    EnrolPerson,
    ErasePerson,
    HouseCommand,
    OnLink,
    OpenLink,
    OpenTable,
    RemovePerson,
    ReopenTable,
    ScheduleEdition,
    TakeDemoChips,
    TakeTable,
)
from croupier.floor.records.streams import ANSWERS, CASHIER, HOUSE, PEOPLE, PLAYERS, link_stream
from croupier.jackpots.commands import (
    AdjustMeter,
    ChangeParameters,
    CloseLink,
    DenyAward,
    ReleaseAward,
    ReopenLink,
    RuleDealOrder,
    SignAward,
)
from croupier.jackpots.link import Link
from croupier.journal.records import GENESIS, SEAL, ChainBroken, sealed_state, state_in
from croupier.journal.store import Head, Shared, Store
from croupier.ledger import accounts
from croupier.rounds.commands import NoteMispay, PlaceBet
from croupier.rounds.counted_stakes import players_under_minimum

_FOLLOWED = (HOUSE, PEOPLE, PLAYERS)
"""Streams that every server follows, whichever tables it runs."""


def own_chain(store: Store) -> str:
    """Return the chain of answers that this server writes: the first that no other server has."""
    if not store.is_shared:
        return ANSWERS
    return next(name for number in count(1) if store.own(name := f"{ANSWERS}/{number}"))


# ---------------------------------------------------------------- a batch


def lock(state: HouseState, commands: Iterable[HouseCommand]) -> tuple[list[str], set[str]]:
    """Lock what these commands may touch, and see what other servers have done to it; return the links and accounts
    that are locked.
    """
    streams: set[str] = set()
    players: set[str] = set()
    for command in commands:
        streams_of, players_of = touched(state, command)
        streams |= streams_of
        players |= players_of
    links = sorted(name.removeprefix("link/") for name in streams if name.startswith("link/"))
    held = {accounts.player(name) for name in players}.union(*(accounts.of_link(name) for name in links))
    _see(state, state.store.begin(sorted(streams), sorted(held), watched=_FOLLOWED))
    return links, held


def see_unlocked(state: HouseState, locked: set[str]) -> None:
    """Read the balances of players whom this batch paid without a lock: winners at another server's table."""
    unlocked = {account for account in state.moved_accounts if account.startswith("player/")} - locked
    if unlocked:
        shared = state.store.begin((), sorted(unlocked))
        state.store.abandon()
        state.balances.update(shared.balances)


def shared_link(state: HouseState, name: str) -> bytes:
    """Seal the state of a link for the other servers."""
    return sealed_state(state.heads[link_stream(name)].hash, encode(state.links[name]))


def owes(state: HouseState, name: str) -> bool:
    """Return whether tables of this server have still to meet a fault of this link that another server reported."""
    link = state.links.get(name)
    if link is None:
        return False
    owing: set[str] = set().union(*(fault.tables for fault in link.faults))
    return any(table in state.tables and state.tables[table].ours for table in owing)


def _see(state: HouseState, shared: Shared) -> None:
    for stream in _FOLLOWED:
        known, now = state.heads.get(stream, Head(0, GENESIS)), shared.heads.get(stream)
        if now is not None and now.seq > known.seq:
            catch_up(state, stream, known)
    state.set_balances(shared.balances)
    for stream, head in shared.heads.items():
        if not head.seq:
            continue
        state.heads[stream] = head
        if stream.startswith("link/"):
            name = stream.removeprefix("link/")
            state.links[name] = _link_at(head, shared.links.get(name)) or recover_link(state, stream)
            state.show_link(name, state.links[name])


def _link_at(head: Head, sealed: bytes | None) -> Link | None:
    """Read a link as the last server left it; None where its records say otherwise."""
    try:
        return None if sealed is None else link_in(state_in(head.hash, sealed))
    except ChainBroken:
        return None


# ---------------------------------------------------------------- between batches


def follow(state: HouseState) -> tuple[list[str], set[str]]:
    """See what other servers have done, and take tables of this server that have become free; return the links on
    which tables of this server owe something, and the streams of links that have changed.
    """
    _see(state, state.store.begin((), (), watched=_FOLLOWED))
    links = state.store.links()
    state.store.abandon()
    state.show_house()
    changed = set()
    for name, sealed in links.items():
        # A damaged state is passed over here too; the next command on the link reads its records.
        with suppress(msgspec.MsgspecError):
            link = LINK_STATE.decode(sealed[SEAL:])
            if link != state.links.get(name):
                changed.add(link_stream(name))
            state.links[name] = link
            state.show_link(name, link)
    for table in state.tables.values():
        # The server that ran it before may have ended a moment ago, and its connection only now.
        if not table.ours and state.is_to_run(table.name):
            take_over(state, table)
    state.show_tables([table for table in state.tables.values() if not table.ours], state.heads)
    return [name for name in links if owes(state, name)], changed


# ---------------------------------------------------------------- what a command touches


def touched(state: HouseState, command: HouseCommand) -> tuple[set[str], set[str]]:  # noqa: C901  one case for each kind
    """Return the shared streams and the players that a command may touch."""
    match command:
        case AtTable(table=name, command=asked):
            streams, players = _touched_at(state, [name])
            if isinstance(asked, PlaceBet | NoteMispay):
                players.add(asked.player)
            if may_note(asked):
                streams.add(PLAYERS)
            if isinstance(asked, PlaceBet) and asked.player in state.people.play:
                streams.add(PEOPLE)
            return streams, players
        case ReleaseAward(table=name) | RuleDealOrder(table=name) | SignAward(table=name) | DenyAward(table=name):
            return _touched_at(state, [name])
        case OnLink(link=link):
            return _touched_at(state, [table.name for table in state.tables.values() if table.config.link == link])
        case CloseLink(link=link) | ReopenLink(link=link) | ChangeParameters(link=link) | AdjustMeter(link=link):
            return {link_stream(link)}, set()
        case OpenLink(link=link) | CollectAwards(link=link):
            return {link_stream(link)}, set()
        case OpenTable(config=config):
            return {HOUSE} if config.link is None else {HOUSE, link_stream(config.link)}, set()
        case ChangeTerms() | ScheduleEdition() | CancelEdition() | CloseTable() | ReopenTable() | ArchiveTable():
            return {HOUSE}, set()
        case TakeTable():
            return set(), set()
        case ChangeColour(player=player):
            return {CASHIER}, {player}
        case BuyIn(player=player) | CashOut(player=player):
            return {CASHIER, PEOPLE} if player in state.people.play else {CASHIER}, {player}
        case EnrolPerson(name=name) | RemovePerson(name=name) | ErasePerson(name=name):
            return {PEOPLE}, {name}  # what the name holds is checked
        case AcknowledgeCheck(person=name) | TakeDemoChips(person=name):
            return {PEOPLE}, {name}
        case AboutPeople():
            return {PEOPLE}, set()
        case _:
            assert_never(command)


def _touched_at(state: HouseState, names: Sequence[str]) -> tuple[set[str], set[str]]:
    streams: set[str] = set()
    players: set[str] = set()
    for name in names:
        table = state.tables.get(name)
        if table is None:
            continue
        if table.config.link is not None:
            streams.add(link_stream(table.config.link))
            link = state.links.get(table.config.link)
            players.update(case.claim.player for case in (link.cases if link is not None else ()))
        if table.round.noted_now or players_under_minimum(table.terms, table.round):
            streams.add(PLAYERS)
        players.update(player for box in table.round.boxes for player in box.players)
        # A Round that is reopened takes back what it has paid.
        players.update(line.player for line in table.round.lines)
        players.update(award.player for award in table.round.awards)
    return streams, players
