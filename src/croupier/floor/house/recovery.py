"""Recovery: the state of a house, read back from snapshots and the records after them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar, assert_never

import msgspec

from croupier.floor.house.memory.player_memory import evolve_memory
from croupier.floor.house.memory.snapshots import link_in, round_in, sound_snapshot, table_snapshot
from croupier.floor.house.memory.state import HouseState
from croupier.floor.people.people import People, evolve_people
from croupier.floor.records import facts, people_facts
from croupier.floor.records.codec import house_fact, link_fact, people_fact, player_fact
from croupier.floor.records.commands import EnrolPerson
from croupier.floor.records.committed_decks import opened_deck
from croupier.floor.records.examined_hands import TableReader
from croupier.floor.records.keys import NO_KEYS, BadKeys, Keys
from croupier.floor.records.streams import ANSWERS, HOUSE, PEOPLE, PLAYERS, table_stream
from croupier.floor.records.tables import Table, TermsFrom, as_begun, changed_terms, opening_terms, scheduled, terms_for
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Link, new_link
from croupier.journal.records import GENESIS, Record, checked, state_in
from croupier.journal.store import Head, Snapshot, Store, StoreFailed
from croupier.ledger import accounts
from croupier.rounds.evolve import evolve
from croupier.rounds.state import Round, new_table

_PEOPLE_STATE = msgspec.json.Decoder(People)
T = TypeVar("T")


def recover(state: HouseState) -> None:
    """Read everything anew: where the last answered command left the house."""
    store = state.store
    state.clear()
    state.heads = {stream: store.head(stream) for stream in store.streams()}
    catch_up(state, HOUSE, Head(0, GENESIS))
    catch_up(state, PLAYERS, Head(0, GENESIS))
    _recover_people(state)
    state.names = {row.person: row for row in store.names()}
    for table in state.tables.values():
        if state.is_to_run(table.name):
            _take(state, table)
    state.balances = dict(store.balances())
    state.overdrawable = dict(store.overdrawable())
    for stream in [name for name in state.heads if name.startswith("link/")]:
        recover_link(state, stream)
    state.shown_balances = dict(state.balances)
    state.show_tables(state.tables.values(), state.heads)
    for name, link in state.links.items():
        state.show_link(name, link)
    state.show_house()


def check_nothing_is_lost(state: HouseState) -> None:
    """Raise StoreFailed where a stream no longer holds a record that was on disk."""
    store = state.store
    for stream, known in state.shown_heads.items():
        now = store.head(stream)
        if now == known or (stream.startswith(ANSWERS) and now.seq > known.seq):
            continue
        found = next(iter(store.read(stream, known.seq - 1, 1)), None) if now.seq > known.seq else None
        if found is None or found.hash != known.hash:
            raise StoreFailed(
                f"{stream}: record {known.seq}, which was written before the connection was lost, is no longer in the "
                "database, so the server stops. Check whether the database was restored from a backup or a copy."
            )


# ---------------------------------------------------------------- streams of the whole house


def catch_up(state: HouseState, stream: str, before: Head) -> None:
    """Read what came to the stream of the house, its people or its players after a record."""
    renamed: set[str] = set()
    for record in checked(state.store.read(stream, before.seq), before=before.hash, seq=before.seq):
        state.heads[stream] = Head(record.seq, record.hash)
        if stream == HOUSE:
            _evolve_tables(state.tables, house_fact(record))
        elif stream == PLAYERS:
            state.memory = evolve_memory(state.memory, player_fact(record))
        else:
            fact = people_fact(record)
            state.people = evolve_people(state.people, fact)
            renamed.update(_renamed_by(fact))
    if renamed:
        found = {row.person: row for row in state.store.names(sorted(renamed))}
        state.names = {person: row for person, row in state.names.items() if person not in renamed} | found


def _evolve_tables(tables: dict[str, Table], fact: facts.HouseFact) -> None:
    match fact:
        case facts.TableOpened(table=name, config=config):
            terms = opening_terms(fact)
            tables[name] = Table(name, terms, config, new_table(terms.boxes))
        case facts.TermsChanged(table=name):
            table = tables[name]
            table.changes = (*table.changes, changed_terms(table.latest, fact))
        case facts.EditionScheduled(table=name) | facts.EditionCancelled(table=name):
            tables[name].editions = scheduled(tables[name].editions, fact)
        case facts.TableClosed(table=name):
            tables[name].closed = True
        case facts.TableReopened(table=name):
            tables[name].closed = False
        case facts.TableArchived(table=name):
            tables[name].archived = (*tables[name].archived, fact)
        case _:
            assert_never(fact)


def _renamed_by(fact: people_facts.PeopleFact) -> tuple[str, ...]:
    """Return the people whose rows in the directory a fact has changed."""
    match fact:
        case (
            people_facts.PersonEnrolled(name=name)
            | people_facts.PersonRemoved(name=name)
            | people_facts.PersonErased(name=name)
        ):
            return (name,)
        case people_facts.MeasureProposed(measure=EnrolPerson(name=name)):
            return (name,)
        case _:
            return ()


def _recover_people(state: HouseState) -> None:
    snapshot, before = sound_snapshot(state.store, PEOPLE), Head(0, GENESIS)
    if snapshot is not None:
        state.people = _PEOPLE_STATE.decode(state_in(snapshot.hash, snapshot.data))
        before = Head(snapshot.seq, snapshot.hash)
    state.snapshotted[PEOPLE] = before.seq
    catch_up(state, PEOPLE, before)


# ---------------------------------------------------------------- one table


def take_over(state: HouseState, table: Table) -> bool:
    """Run a table from now on; False where another server does."""
    if not _take(state, table):
        return False
    state.taken.add(table.name)
    state.show_tables((table,), state.heads)
    held = state.store.balances()
    own = (accounts.layout(table.name), accounts.bank(table.name), accounts.mispays(table.name))
    state.set_balances({account: held[account] for account in own if account in held})
    return True


def _take(state: HouseState, table: Table) -> bool:
    if not state.store.own(table.name):
        return False
    stream = table_stream(table.name)
    state.heads[stream] = state.store.head(stream)
    snapshot = table_snapshot(state.store, table)
    state.snapshotted[stream] = 0 if snapshot is None else snapshot.seq
    table.round = recover_round(state.store, table, snapshot, state.keys)
    # What was changed before the first Round comes after 0: the terms that the table opened with come before that.
    change = terms_for(table.changes, table.round.number) or TermsFrom(-1, table.config, table.terms)
    table.play_on(as_begun(change, table.round.rulebook))
    _recover_commitment(state, table)
    table.ours = True
    return True


def recover_round(store: Store, table: Table, snapshot: Snapshot | None, keys: Keys = NO_KEYS) -> Round:
    """Read the Round of a table, from a snapshot and the records after it.

    Without the key of its deck, a Round in play lacks the cards that Players have looked at.
    """
    round_ = table.round if snapshot is None else round_in(snapshot)
    for fact in _read(store, table_stream(table.name), TableReader(store, table.name, keys).fact, snapshot):
        if not isinstance(fact, facts.DeckCommitted | facts.DeckOpened):
            round_ = evolve(round_, fact)
    return round_


def _recover_commitment(state: HouseState, table: Table) -> None:
    number, deal = table.round.number, table.round.deals
    sealed = state.store.deck(table.name, number, deal) if number else None
    if sealed is None:
        return
    try:
        table.commitment = opened_deck(state.keys, (table.name, number, deal), sealed).commitment
    except BadKeys as wrong:
        state.unopened[table.name] = str(wrong)


# ---------------------------------------------------------------- one link


def recover_link(state: HouseState, stream: str) -> None:
    """Read a link, from its snapshot and the records after it."""
    snapshot = sound_snapshot(state.store, stream)
    link = None if snapshot is None else link_in(state_in(snapshot.hash, snapshot.data))
    if link is None or snapshot is None:
        state.heads[stream], state.snapshotted[stream] = Head(0, GENESIS), 0
    else:
        state.heads[stream], state.snapshotted[stream] = Head(snapshot.seq, snapshot.hash), snapshot.seq
        state.links[stream.removeprefix("link/")] = link
    follow_link(state, stream, state.store.read(stream, state.heads[stream].seq))


def _folded(stream: str, link: Link | None, fact: facts.LinkFact) -> Link:
    if isinstance(fact, facts.LinkOpened):
        return new_link(fact.meter, fact.parameters)
    assert link is not None, f"{stream} begins with its opening"
    return evolve_link(link, fact)


def follow_link(state: HouseState, stream: str, records: Iterable[Record]) -> None:
    """Fold into a link what came to it after the records that are known; its own accounts hold what its state says.

    Raises ChainBroken.
    """
    name, head = stream.removeprefix("link/"), state.heads.get(stream, Head(0, GENESIS))
    link = state.links.get(name)
    for record in checked(records, before=head.hash, seq=head.seq):
        link, head = _folded(stream, link, link_fact(record)), Head(record.seq, record.hash)
    assert link is not None, f"{stream} has its opening"
    state.links[name], state.heads[stream] = link, head
    held = {
        accounts.pool(name): link.cents,
        accounts.reserve(name): link.reserve_cents,
        accounts.overflow(name): link.overflow_cents,
        accounts.payable(name): link.locked_cents,
    }
    # One that never held anything is yet to be opened.
    state.set_balances({account: cents for account, cents in held.items() if cents or account in state.balances})


def _read(store: Store, stream: str, decode: Callable[[Record], T], snapshot: Snapshot | None) -> Iterator[T]:
    seq, before = (0, GENESIS) if snapshot is None else (snapshot.seq, snapshot.hash)
    return (decode(record) for record in checked(store.read(stream, seq), before=before, seq=seq))
