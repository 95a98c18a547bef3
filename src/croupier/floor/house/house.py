"""The house: every command is judged, entered into the ledger and the journal in one transaction, and then answered."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import TypeVar, assert_never

import msgspec
from msgspec.structs import replace

from croupier.floor.house.cuts import cut_snapshot
from croupier.floor.house.dispatch import carry_out
from croupier.floor.house.player_memory import Memory, evolve_memory, may_tell
from croupier.floor.house.refusal_log import Refusals
from croupier.floor.house.transaction import Refused, Work
from croupier.floor.people.directory import Directory, leftovers
from croupier.floor.people.people import People, evolve_people
from croupier.floor.records.codec import (
    ANSWER,
    LINK_STATE,
    ROUND_STATE,
    encode,
    house_fact,
    link_fact,
    people_fact,
    player_fact,
    table_fact,
)
from croupier.floor.records.commands import (
    Answer,
    ArchiveTable,
    AskConsent,
    AssignPerson,
    AtTable,
    BuyIn,
    CashOut,
    ChangeSecret,
    ChangeTerms,
    CloseSession,
    CloseTable,
    CollectAwards,
    CountRefusals,
    EnrolFactor,
    EnrolPerson,
    ErasePerson,
    FoundHouse,
    HouseCommand,
    LockSession,
    MarkBreakGlass,
    NoteClockStep,
    NoteRefusal,
    OnLink,
    OpenLink,
    OpenSession,
    OpenTable,
    ProposeMeasure,
    RemoveFactor,
    RemovePerson,
    ReopenTable,
    Request,
    ResealSecret,
    SetDuties,
    SettleConsent,
    SettleMeasure,
    TakeTable,
    UnlockSession,
    UseSession,
)
from croupier.floor.records.decks import Chance, opened_deck
from croupier.floor.records.facts import (
    DeckCommitted,
    DeckOpened,
    HouseFact,
    LinkOpened,
    TableArchived,
    TableClosed,
    TableOpened,
    TableReopened,
    TermsChanged,
)
from croupier.floor.records.keys import NO_KEYS, BadKeys, Keys
from croupier.floor.records.people_facts import MeasureProposed, PeopleFact, PersonEnrolled, PersonErased, PersonRemoved
from croupier.floor.records.streams import ANSWERS, CASHIER, HOUSE, PEOPLE, PLAYERS, link_stream, table_stream
from croupier.floor.records.tables import Table, changed_terms, terms_for, terms_of
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
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Link, new_link
from croupier.journal.records import GENESIS, SEAL, ChainBroken, Record, answer_hash, checked, sealed_state, state_in
from croupier.journal.store import (
    Answered,
    Batch,
    Head,
    NameRow,
    Shared,
    Snapshot,
    Store,
    StoreConflict,
    StoreError,
    StoreFailed,
)
from croupier.ledger import accounts
from croupier.money import Money
from croupier.rounds.commands import PlaceBet, RoundCommand
from croupier.rounds.counting import players_under_minimum
from croupier.rounds.evolve import evolve
from croupier.rounds.state import Round, Stage, new_table

SNAPSHOT_AFTER = 400
"""A stream is snapshotted when so many records have come since the last time."""

OTHERS_FIRST = 10_000_000
"""Microseconds after a lost connection in which free tables are left to the servers that ran them before."""

ORIGINS_KEPT = 30 * 24 * 3600 * 1_000_000
"""Microseconds after which a start forgets where a session was opened."""

FAULT = "fault"
"""The code of an answer to a command that our own code could not judge; nothing of it was done."""

ID_REUSED = "id_reused"
"""The code of an answer to a command under an id that another command had."""

LONGEST_ID = 200
TRIES = 5
"""How often a batch is judged again because another server was first, before the server gives up."""

_PEOPLE = msgspec.json.Decoder(People)

_NOTHING_HIDDEN = (Stage.IDLE, Stage.SETTLED, Stage.VOID)
"""Between two Rounds every deck that was dealt from has been opened."""

_OWN = (HOUSE, PEOPLE, PLAYERS)
"""Streams that every server follows, whichever tables it runs."""

K = TypeVar("K")


def _named_in(fact: PeopleFact) -> tuple[str, ...]:
    """Whose row in the directory a fact has moved."""
    match fact:
        case PersonEnrolled(name=name) | PersonRemoved(name=name) | PersonErased(name=name):
            return (name,)
        case MeasureProposed(measure=EnrolPerson(name=name)):
            return (name,)
        case _:
            return ()


def _link_in(state: bytes) -> Link | None:
    """A link from its kept state; None where an earlier release kept it, in another form."""
    try:
        return LINK_STATE.decode(state)
    except msgspec.ValidationError:
        return None


class House:
    """All state of the running house. One thread uses it; `process` takes a batch and makes it durable at once."""

    def __init__(
        self, store: Store, chance: Chance, *, runs: Callable[[str], bool] | None = None, keys: Keys = NO_KEYS
    ) -> None:
        """`runs` says which tables this server takes when it starts: where several share a store, not all of them.
        `keys` seal decks in play.
        """
        self.store, self.chance, self.keys = store, chance, keys
        self._runs = runs
        self.taken: set[str] = set()
        """Tables that it opened itself, or took over."""
        self.collected: set[str] = set()
        """Streams that moved because of what other servers had left, until somebody tells people who watch."""
        self.moved: set[str] = set()
        """Tables and links that a command has moved in memory, until they are on disk."""
        self.moved_accounts: set[str] = set()
        self._held: set[str] = set()
        """Accounts that this batch has locked, and so knows for certain."""
        self.shown: dict[str, Table] = {}
        self.shown_links: dict[str, Link] = {}
        self.shown_people = People()
        self.shown_memory = Memory()
        self.directory = Directory()
        self.shown_heads: Mapping[str, Head] = {}
        self.settled_heads: dict[str, Head] = {}
        """Where each table of this server stood when its last Round was over, as far as that is known."""
        self.shown_balances: dict[str, Money] = {}
        """What people are shown, and known by: all of it as it is on disk, while the next commands are being judged or,
        where another server was first, everything is read anew.
        """
        self.refusals = Refusals()
        self.chain = self._own_chain()
        self._left_alone: frozenset[str] = frozenset()
        """Tables that this server did not run when its connection was lost, for a while."""
        self._others_from = 0
        self._recover()

    # ---------------------------------------------------------------- recovery

    def come_back(self, at: int) -> None:
        """After the connection of a shared store was lost: take the tables anew and read everything from the journal. A
        table that another server has taken meanwhile is let go. Raises StoreError where the store is still away, and
        StoreFailed where it came back without something that had been written.
        """
        # Other tables that are free now are so because their own servers are not back yet.
        left_alone = frozenset(table.name for table in self.shown.values() if not table.ours)
        self.store.reopen()
        self._check_nothing_is_lost()
        self.chain = self._own_chain()
        self._left_alone, self._others_from = left_alone, at + OTHERS_FIRST
        self._recover()

    def _check_nothing_is_lost(self) -> None:
        """Every stream still holds what this server knew to be on disk."""
        for stream, known in self.shown_heads.items():
            now = self.store.head(stream)
            if now == known or (stream.startswith(ANSWERS) and now.seq > known.seq):
                continue
            found = next(iter(self.store.read(stream, known.seq - 1, 1)), None) if now.seq > known.seq else None
            if found is None or found.hash != known.hash:
                raise StoreFailed(
                    f"{stream}: record {known.seq}, which was written before the connection was lost, is not in the "
                    "database any more, so the server stops: look whether it was restored from a backup or a copy."
                )

    def _recover(self) -> None:
        """Back to where the last answered command left it: snapshots first, then what came after them."""
        self.tables: dict[str, Table] = {}
        self.links: dict[str, Link] = {}
        self.unopened: dict[str, str] = {}
        """By table: why the deck of its Round cannot be opened."""
        self.people = People()
        self.names: dict[str, NameRow] = {}
        self.memory = Memory()
        self.heads: dict[str, Head] = {}
        self.snapshotted: dict[str, int] = {}
        for stream in self.store.streams():
            self.heads[stream] = self.store.head(stream)
        self._catch_up(HOUSE, Head(0, GENESIS))
        self._catch_up(PLAYERS, Head(0, GENESIS))
        self._recover_people()
        self.names = {row.person: row for row in self.store.names()}
        for name, table in self.tables.items():
            if self._is_to_run(name):
                self._take(table)
        for stream in self.heads:
            if stream.startswith("link/"):
                self.links[stream.removeprefix("link/")] = self._recover_link(stream)
        self.balances: dict[str, Money] = dict(self.store.balances())
        self.overdrawable: dict[str, bool] = dict(self.store.overdrawable())
        self.shown_balances = dict(self.balances)
        self.moved.clear()
        self.moved_accounts.clear()
        self._show(self.tables, self.links)
        self._show_the_house()

    def _show(self, tables: Iterable[str], links: Iterable[str]) -> None:
        """These are on disk now. Another thread reads along, so a dictionary that it may walk never grows."""
        for name in tables:
            head = self.heads.get(table_stream(name))
            table = replace(self.tables[name], seq=0 if head is None else head.seq)
            if head is not None and table.ours and table.round.stage in _NOTHING_HIDDEN:
                stream = table_stream(name)
                if stream not in self.settled_heads:
                    self.settled_heads = {**self.settled_heads, stream: head}
                self.settled_heads[stream] = head
            if name in self.shown:
                self.shown[name] = table
            else:
                self.shown = {**self.shown, name: table}
        for name in links:
            if name in self.shown_links:
                self.shown_links[name] = self.links[name]
            else:
                self.shown_links = {**self.shown_links, name: self.links[name]}

    def public_heads(self) -> dict[str, Head]:
        """The chains as they may be published: of a table as far as its last Round that is over. A hash over a hand
        that one player alone has seen could be opened by trying every hand, since ids of commands can be guessed.
        """
        tables = table_stream("")
        chains = {stream: head for stream, head in self.shown_heads.items() if not stream.startswith(tables)}
        return {**chains, **self.settled_heads}

    def _show_what_moved(self) -> None:
        tables = [name for kind, _, name in (moved.partition("/") for moved in self.moved) if kind == "table"]
        links = [name for kind, _, name in (moved.partition("/") for moved in self.moved) if kind == "link"]
        self._show(tables, links)
        self._show_the_house()
        self.shown_balances.update((account, self.balances[account]) for account in self.moved_accounts)
        self.moved.clear()
        self.moved_accounts.clear()

    def see_balances(self, held: Mapping[str, Money]) -> None:
        """What accounts hold on disk, where other servers may have moved them."""
        self.balances.update(held)
        self.shown_balances.update(held)

    def _show_the_house(self) -> None:
        self.shown_people, self.shown_memory, self.shown_heads = self.people, self.memory, dict(self.heads)
        if self.directory.names is not self.names or self.directory.persons is not self.people.persons:
            self.directory = Directory(self.names, self.people.persons)

    def forget_leftovers(self, at: int) -> None:
        """When a server starts: finish what a crash has left of people and sessions that are gone."""
        left = leftovers(self.names, self.people, at)
        sessions = self.people.sessions
        kept = {key for key, session in sessions.items() if session.opened > at - ORIGINS_KEPT}
        ended = [session for session in self.store.origins() if session not in kept]
        if left or ended:
            self.store.write(Batch(erased=left, ended=ended))
            self.names = {person: row for person, row in self.names.items() if person not in left}
            self._show_the_house()

    def _catch_up(self, stream: str, before: Head) -> None:
        """What has come to the house's own streams since: tables that other servers opened, people whom they know."""
        records = checked(self.store.read(stream, before.seq), before=before.hash, seq=before.seq)
        renamed: set[str] = set()
        for record in records:
            self.heads[stream] = Head(record.seq, record.hash)
            if stream == HOUSE:
                self._see_table(house_fact(record))
            elif stream == PLAYERS:
                self.memory = evolve_memory(self.memory, player_fact(record))
            else:
                fact = people_fact(record)
                self.people = evolve_people(self.people, fact)
                renamed.update(_named_in(fact))
        if renamed:
            found = {row.person: row for row in self.store.names(sorted(renamed))}
            self.names = {person: row for person, row in self.names.items() if person not in renamed} | found

    def _see_table(self, fact: HouseFact) -> None:
        match fact:
            case TableOpened(table=name, config=config):
                terms = terms_of(config)
                self.tables[name] = Table(name, terms, config, new_table(terms.boxes))
            case TermsChanged(table=name):
                table = self.tables[name]
                table.changes = (*table.changes, changed_terms(table.latest, fact))
            case TableClosed(table=name):
                self.tables[name].closed = True
            case TableReopened(table=name):
                self.tables[name].closed = False
            case TableArchived(table=name):
                self.tables[name].archived = (*self.tables[name].archived, fact)
            case _:
                assert_never(fact)

    def _is_to_run(self, table: str) -> bool:
        if table in self._left_alone:
            return False
        return self._runs is None or self._runs(table) or table in self.taken

    def _take(self, table: Table) -> bool:
        """Run a table from now on, if no other server does; it is recovered from the journal as it was left."""
        if not self.store.own(table.name):
            return False
        stream = table_stream(table.name)
        self.heads[stream] = self.store.head(stream)
        snapshot = self._sound_snapshot(stream)
        if snapshot is None and table.archived:
            snapshot = cut_snapshot(table.archived[-1])
        if snapshot is not None:
            table.round = ROUND_STATE.decode(state_in(snapshot.hash, snapshot.data))
        for fact in self._read(stream, table_fact, snapshot):
            if not isinstance(fact, DeckCommitted | DeckOpened):
                table.round = evolve(table.round, fact)
        change = terms_for(table.changes, table.round.number)
        if change is not None:
            table.play_on(change)
        self._recover_commitment(table)
        table.ours = True
        return True

    def round_elsewhere(self, table: Table) -> Round:
        """The Round of a table that this server does not run, from its record."""
        stream = table_stream(table.name)
        snapshot = self._sound_snapshot(stream)
        state = table.round if snapshot is None else ROUND_STATE.decode(state_in(snapshot.hash, snapshot.data))
        seq, before = (0, GENESIS) if snapshot is None else (snapshot.seq, snapshot.hash)
        for record in checked(self.store.read(stream, seq), before=before, seq=seq):
            fact = table_fact(record)
            if not isinstance(fact, DeckCommitted | DeckOpened):
                state = evolve(state, fact)
        return state

    def take_over(self, table: Table) -> bool:
        """A table whose server is gone."""
        if not self._take(table):
            return False
        self.taken.add(table.name)
        self._show([table.name], ())
        held = self.store.balances()
        own = (accounts.layout(table.name), accounts.bank(table.name))
        self.see_balances({account: held[account] for account in own if account in held})
        return True

    def _recover_commitment(self, table: Table) -> None:
        state = table.round
        sealed = self.store.deck(table.name, state.number, state.deals) if state.number else None
        if sealed is None:
            return
        try:
            table.commitment = opened_deck(self.keys, (table.name, state.number, state.deals), sealed).commitment
        except BadKeys as wrong:
            self.unopened[table.name] = str(wrong)

    def _recover_people(self) -> None:
        snapshot, before = self._sound_snapshot(PEOPLE), Head(0, GENESIS)
        if snapshot is not None:
            self.people = _PEOPLE.decode(state_in(snapshot.hash, snapshot.data))
            before = Head(snapshot.seq, snapshot.hash)
        self.snapshotted[PEOPLE] = before.seq
        self._catch_up(PEOPLE, before)

    def _recover_link(self, stream: str) -> Link:
        snapshot = self._sound_snapshot(stream)
        link = None if snapshot is None else _link_in(state_in(snapshot.hash, snapshot.data))
        for fact in self._read(stream, link_fact, snapshot if link is not None else None):
            if isinstance(fact, LinkOpened):
                link = new_link(fact.meter, fact.parameters)
            else:
                assert link is not None, f"{stream} begins with its opening"
                link = evolve_link(link, fact)
        assert link is not None, f"{stream} has its opening"
        return link

    def _sound_snapshot(self, stream: str) -> Snapshot | None:
        """The stream's snapshot; a damaged one is passed over, since the records hold everything it held."""
        snapshot = self.store.snapshot(stream)
        if snapshot is not None:
            try:
                state_in(snapshot.hash, snapshot.data)
            except ChainBroken:
                return None
        return snapshot

    def _read(self, stream: str, decoded: Callable[[Record], K], snapshot: Snapshot | None = None) -> Iterable[K]:
        seq, before = (snapshot.seq, snapshot.hash) if snapshot is not None else (0, GENESIS)
        self.snapshotted[stream] = seq
        for record in checked(self.store.read(stream, seq), before=before, seq=seq):
            yield decoded(record)

    # ---------------------------------------------------------------- commands

    def process(self, requests: Sequence[Request]) -> list[Answer]:
        """Judge each request in turn, write everything in one transaction, then answer. Whatever the store raises must
        stop the server: what is in memory is then ahead of what is on disk.
        """
        counts = list(self.refusals.due(requests[0].at)) if requests else []
        for _ in range(TRIES):
            try:
                answers = self._processed([*self._counting(counts, requests), *requests])
            except StoreConflict:
                self._recover()
            else:
                self.refusals.told(counts, requests[0].at if requests else 0)
                self.refusals.end()
                return answers[len(counts) :]
        raise StoreFailed(f"Other servers were first {TRIES} times; the last commands were not done.")

    def _counting(self, counts: Sequence[CountRefusals], requests: Sequence[Request]) -> list[Request]:
        return [Request(f"refusals-{self.chance.token(12).hex()}", count, requests[0].at) for count in counts]

    def count_refusals(self, at: int) -> None:
        """Before the house closes: what was refused and not kept goes on record."""
        counts = list(self.refusals.due(at, all_of_them=True))
        if counts:
            self.process([Request(f"refusals-{self.chance.token(12).hex()}", count, at) for count in counts])
            self.refusals.told(counts, at)

    def _processed(self, requests: Sequence[Request]) -> list[Answer]:
        batch = Batch()
        answers = []
        self.refusals.begin()
        bodies = [_body(request) for request in requests]
        self._begin([request for request, body in zip(requests, bodies, strict=True) if body is not None], batch)
        seen = self._answered_before([request for request in requests if _is_fit(request.id)])
        for request, body in zip(requests, bodies, strict=True):
            if body is None:
                answers.append(_UNFIT)
                continue
            repeated = _repeated(seen.get(request.id) or self.refusals.answered(request.id), body)
            if repeated is not None:
                answers.append(repeated)
                continue
            answer = self._answer(request, body, batch)
            if not answer.kept:
                seen[request.id] = (_digest(body), answer)
                answers.append(answer)
                continue
            # What was accepted is on record as it was asked; of what was refused a hash tells one from another.
            kept = body if answer.accepted else _digest(body)
            batch.answers.append(self._chained(request.id, kept, encode(answer)))
            seen[request.id] = (kept, answer)
            answers.append(answer)
        if batch.is_empty:
            self.store.abandon()
        else:
            self._snapshot(batch)
            if self.store.is_shared:
                batch.links = {name: self._sealed_link(name) for name in batch.links}
            self.store.write(batch)
            self._see_unlocked()
        self._show_what_moved()
        return answers

    def _see_unlocked(self) -> None:
        """A winner at another server's table may have been paid whom this batch did not know of when it began."""
        if not self.store.is_shared:
            return
        unlocked = {account for account in self.moved_accounts if account.startswith("player/")} - self._held
        if unlocked:
            shared = self.store.begin((), sorted(unlocked))
            self.store.abandon()
            self.balances.update(shared.balances)

    def _answer(self, request: Request, body: bytes, batch: Batch) -> Answer:
        """The answer to one request. One more refusal than a person has kept in a minute is answered and counted."""
        if isinstance(request.command, NoteRefusal):
            if not self.refusals.keeps(request, self.people):
                return Answer(accepted=True, kept=False)
            return self._judged(request, batch)
        answer = self._judged(request, batch)
        if answer.accepted or answer.code == FAULT or self.refusals.keeps(request, self.people):
            return answer
        unkept = replace(answer, kept=False)
        self.refusals.set_aside(request.id, _digest(body), unkept)
        return unkept

    def _judged(self, request: Request, batch: Batch) -> Answer:
        """The answer to one request; what it does is in the batch, unless it is refused."""
        work = Work(self, request)
        try:
            answer = carry_out(work)
        except Refused as refused:
            return refused.answer
        except StoreError:
            raise
        except Exception as fault:  # noqa: BLE001  nothing of it is kept, so one fault of ours stops one command only
            return Answer(accepted=False, code=FAULT, message=f"{type(fault).__name__}: {fault}")
        work.keep(batch)
        return answer

    def _own_chain(self) -> str:
        """The chain of answers that this server writes: the first that no other has."""
        if not self.store.is_shared:
            return ANSWERS
        return next(name for number in count(1) if self.store.own(name := f"{ANSWERS}/{number}"))

    def _chained(self, command: str, body: bytes, answer: bytes) -> Answered:
        head = self.heads.get(self.chain, Head(0, GENESIS))
        link = answer_hash(head.hash, self.chain, head.seq + 1, command, body, answer)
        self.heads[self.chain] = Head(head.seq + 1, link)
        return Answered(self.chain, head.seq + 1, command, body, answer, link)

    def answers_to(self, requests: Sequence[Request]) -> list[Answer | None]:
        """What the journal says of requests whose commit was lost from sight; None of one that it does not hold."""
        seen = self._answered_before([request for request in requests if _is_fit(request.id)])
        return [_repeated(seen.get(request.id), _body(request)) for request in requests]

    def _answered_before(self, requests: Sequence[Request]) -> dict[str, tuple[bytes, Answer]]:
        found = self.store.answers([request.id for request in requests])
        return {name: (answered.body, ANSWER.decode(answered.answer)) for name, answered in found.items()}

    # ---------------------------------------------------------------- other servers

    def _begin(self, requests: Sequence[Request], batch: Batch) -> None:
        """Where other servers write too: lock what this batch touches, see what they have done to it, and do first what
        they have left to this server's tables.
        """
        if not requests:
            return
        if not self.store.is_shared:
            # A house of several servers may have been restored here with a fault that some had yet to meet.
            self._meet_faults([name for name, link in self.links.items() if link.faults], requests[0].at, batch)
            return
        streams: set[str] = set()
        players: set[str] = set()
        for request in requests:
            streams_of, players_of = self._touched(request.command)
            streams.update(streams_of)
            players.update(players_of)
        held = {accounts.player(name) for name in players}
        links = sorted(name.removeprefix("link/") for name in streams if name.startswith("link/"))
        for name in links:
            held.update(accounts.of_link(name))
        self._held = held
        self._see(self.store.begin(sorted(streams), sorted(held), watched=_OWN))
        self._meet_faults(links, requests[0].at, batch)

    def _meet_faults(self, links: Sequence[str], at: int, batch: Batch) -> None:
        for name in links:
            while self._owes(name) and self._collect(name, at, batch):
                pass

    def _see(self, shared: Shared) -> None:
        for stream in _OWN:
            known, now = self.heads.get(stream, Head(0, GENESIS)), shared.heads.get(stream)
            if now is not None and now.seq > known.seq:
                self._catch_up(stream, known)
        self.see_balances(shared.balances)
        for stream, head in shared.heads.items():
            if not head.seq:
                continue
            self.heads[stream] = head
            if stream.startswith("link/"):
                name = stream.removeprefix("link/")
                self.links[name] = self._shared_link(head, shared.links.get(name)) or self._recover_link(stream)
                self._show((), [name])

    def _shared_link(self, head: Head, sealed: bytes | None) -> Link | None:
        """The link as the last server left it; None where that is not what its records say it was."""
        try:
            return None if sealed is None else _link_in(state_in(head.hash, sealed))
        except ChainBroken:
            return None

    def _sealed_link(self, name: str) -> bytes:
        return sealed_state(self.heads[link_stream(name)].hash, encode(self.links[name]))

    def _owes(self, name: str) -> bool:
        """Other servers have left something on this link to tables of ours."""
        link = self.links.get(name)
        if link is None:
            return False
        owing: set[str] = set().union(*(fault.tables for fault in link.faults))
        return any(table in self.tables and self.tables[table].ours for table in owing)

    def _collect(self, name: str, at: int, batch: Batch) -> bool:
        request = Request(f"collect-{self.chance.token(12).hex()}", CollectAwards(link=name), at)
        answer = self._judged(request, batch)
        if answer.accepted:
            batch.answers.append(self._chained(request.id, encode(request.command), encode(answer)))
            self.collected.update(answer.heads)
        return answer.accepted

    def collect(self, at: int) -> list[str]:
        """Between commands: see what other servers have done, take tables of this server's that have become free, and
        do what others have left to them. The links on which there was something to do.
        """
        if not self.store.is_shared:
            return []
        if at >= self._others_from:
            self._left_alone = frozenset()
        self._see(self.store.begin((), (), watched=_OWN))
        links = self.store.links()
        self.store.abandon()
        self._show_the_house()
        for name, sealed in links.items():
            # A damaged state is passed over here as well; the next command on the link finds it in its records.
            with suppress(msgspec.MsgspecError):
                link = LINK_STATE.decode(sealed[SEAL:])
                if link != self.links.get(name):
                    self.collected.add(link_stream(name))
                self.links[name] = link
                self._show((), [name])
        for table in self.tables.values():
            # The server that ran it before may have ended a moment ago, and its connection only now.
            if not table.ours and self._is_to_run(table.name):
                self.take_over(table)
        # What other servers have opened, changed or closed.
        self._show([table.name for table in self.tables.values() if not table.ours], ())
        owing = [name for name in links if self._owes(name)]
        if owing:
            # Whatever is owed is done as the transaction begins; the command itself then finds nothing left to do.
            self.process([Request(f"collect-{self.chance.token(12).hex()}", CollectAwards(link=n), at) for n in owing])
        return owing

    def _touched(self, command: HouseCommand) -> tuple[set[str], set[str]]:
        """The shared streams and the players that a command may touch."""
        match command:
            case AtTable(table=name, command=asked):
                return self._touched_by(name, asked)
            case ReleaseAward(table=name) | RuleDealOrder(table=name) | SignAward(table=name) | DenyAward(table=name):
                return self._touched_at([name])
            case OnLink(link=link):
                return self._touched_at([t.name for t in self.tables.values() if t.config.link == link])
            case CloseLink(link=link) | ReopenLink(link=link) | ChangeParameters(link=link) | AdjustMeter(link=link):
                return {link_stream(link)}, set()
            case OpenLink(link=link) | CollectAwards(link=link):
                return {link_stream(link)}, set()
            case OpenTable(config=config):
                return {HOUSE} if config.link is None else {HOUSE, link_stream(config.link)}, set()
            case ChangeTerms() | CloseTable() | ReopenTable() | ArchiveTable():
                return {HOUSE}, set()
            case TakeTable():
                return set(), set()
            case BuyIn(player=player) | CashOut(player=player):
                return {CASHIER}, {player}
            case EnrolPerson(name=name) | RemovePerson(name=name) | ErasePerson(name=name):
                return {PEOPLE}, {name}  # what the name holds is looked at
            case (
                FoundHouse()
                | ChangeSecret()
                | OpenSession()
                | CloseSession()
                | AssignPerson()
                | SetDuties()
                | NoteRefusal()
                | NoteClockStep()
                | CountRefusals()
                | ProposeMeasure()
                | SettleMeasure()
                | AskConsent()
                | SettleConsent()
                | ResealSecret()
                | EnrolFactor()
                | RemoveFactor()
                | MarkBreakGlass()
                | UseSession()
                | LockSession()
                | UnlockSession()
            ):
                return {PEOPLE}, set()
            case _:
                assert_never(command)

    def _touched_by(self, name: str, asked: RoundCommand) -> tuple[set[str], set[str]]:
        streams, players = self._touched_at([name])
        if isinstance(asked, PlaceBet):
            players.add(asked.player)
        if may_tell(asked):
            streams.add(PLAYERS)
        return streams, players

    def _touched_at(self, names: Iterable[str]) -> tuple[set[str], set[str]]:
        streams: set[str] = set()
        players: set[str] = set()
        for name in names:
            table = self.tables.get(name)
            if table is None:
                continue
            if table.config.link is not None:
                streams.add(link_stream(table.config.link))
                link = self.links.get(table.config.link)
                players.update(case.claim.player for case in (link.cases if link is not None else ()))
            if table.round.noted_now or players_under_minimum(table.terms, table.round):
                streams.add(PLAYERS)
            players.update(player for box in table.round.boxes for player in box.players)
            # A Round that is reopened takes back what it has paid.
            players.update(line.player for line in table.round.lines)
            players.update(award.player for award in table.round.awards)
        return streams, players

    def keep_archived(self, fact: TableArchived, batch: Batch) -> None:
        """A table whose first records leave has a snapshot after them, from which the next start goes on."""
        table, stream = self.tables[fact.table], table_stream(fact.table)
        table.archived = (*table.archived, fact)
        head = self.heads[stream]
        data = sealed_state(head.hash, encode(table.round))
        batch.snapshots.append(Snapshot(stream, head.seq, head.hash, data))
        self.snapshotted[stream] = head.seq
        self.moved.add(stream)

    def _snapshot(self, batch: Batch) -> None:
        """Streams that have moved far enough since their last snapshot get a new one."""
        for stream in {record.stream for record in batch.records}:
            head = self.heads[stream]
            if head.seq - self.snapshotted.get(stream, 0) < SNAPSHOT_AFTER:
                continue
            kind, _, name = stream.partition("/")
            if kind == "table":
                data = encode(self.tables[name].round)
            elif kind == "link":
                data = encode(self.links[name])
            elif stream == PEOPLE:
                data = encode(self.people)
            else:
                continue
            batch.snapshots.append(Snapshot(stream, head.seq, head.hash, sealed_state(head.hash, data)))
            self.snapshotted[stream] = head.seq


_ID_REUSED = Answer(
    accepted=False,
    code=ID_REUSED,
    message="This command id was used for another command; nothing was done.",
)


_UNFIT = Answer(
    accepted=False,
    code="unfit",
    message=f"An id has 1 to {LONGEST_ID} printable characters, and no text holds a zero character; nothing was done.",
)


def _repeated(earlier: tuple[bytes, Answer] | None, body: bytes | None) -> Answer | None:
    """The answer that an id was given before, for the same command; None where it was never used."""
    if earlier is None or body is None:
        return None
    return earlier[1] if earlier[0] in (body, _digest(body)) else _ID_REUSED


def _is_fit(command_id: str) -> bool:
    return 0 < len(command_id) <= LONGEST_ID and command_id.isprintable()


def _body(request: Request) -> bytes | None:
    """What is asked, as it is kept; None where a database could not keep its text."""
    try:
        encoded = encode(request.command)
    except UnicodeEncodeError:
        return None
    return None if b"\\u0000" in encoded or not _is_fit(request.id) else encoded


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()


def trial_balance(house: House) -> Mapping[str, Money]:
    """Every account, and that they sum to nothing."""
    held = house.store.balances() if house.store.is_shared else house.balances
    assert sum(held.values()) == 0
    return dict(sorted(held.items()))
