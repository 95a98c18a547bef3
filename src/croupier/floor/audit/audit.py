"""The audit: from the events alone every hash, entry, balance, meter, deck and settlement, and what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Protocol, TypeAlias, TypeVar

import msgspec

from croupier.cards import DECK
from croupier.floor.audit.academy_check import grading_differs
from croupier.floor.audit.checkpoint_check import Testimony
from croupier.floor.audit.findings import Difference, Differs, Findings, ledger_differs
from croupier.floor.audit.first_release import first_link_agrees, is_first_link
from croupier.floor.audit.limit_check import check_wagers, play_differs
from croupier.floor.audit.rejudgement import Rejudgement
from croupier.floor.audit.terms_history import TermsHistory
from croupier.floor.house.cuts import same_state, unpack_round
from croupier.floor.house.snapshots import SNAPSHOT_AFTER
from croupier.floor.people.directory import commitment, released_row, taken_row
from croupier.floor.people.people import People, evolve_people
from croupier.floor.people.proposals import check_two_people, why_two
from croupier.floor.records.codec import (
    ANSWER,
    LINK_STATE,
    ROUND_STATE,
    cashier_fact,
    encode,
    house_fact,
    link_fact,
    people_fact,
    player_fact,
    table_fact,
)
from croupier.floor.records.commands import EnrolPerson, Named
from croupier.floor.records.committed_decks import Deck, is_sealed, opened_deck
from croupier.floor.records.examined_hands import hides_cards, with_cards
from croupier.floor.records.facts import (
    BoughtIn,
    ColourChanged,
    DeckCommitted,
    DeckOpened,
    LinkOpened,
    TableArchived,
    TableFact,
    TableOpened,
)
from croupier.floor.records.keys import NO_KEYS, BadKeys, Keys
from croupier.floor.records.people_facts import MeasureProposed, PersonEnrolled, PersonErased
from croupier.floor.records.play_facts import DemoChipsTaken
from croupier.floor.records.refusals import Refused
from croupier.floor.records.streams import CASHIER, HOUSE, PEOPLE, PLAYERS, is_answer_chain, link_stream, table_stream
from croupier.floor.records.tables import opening_terms
from croupier.floor.records.upcasters import VERSIONS
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Link, new_link
from croupier.journal.checkpoint import Anchor
from croupier.journal.records import GENESIS, ChainBroken, Record, answer_hash, expected_hash, state_in
from croupier.journal.store import NAMES, Answered, Head, NameRow, Row, Snapshot, Store, StoreError
from croupier.ledger import accounts
from croupier.ledger.accounts import AccountName
from croupier.ledger.entries import Entry, TableAccounts, cashier_entry, demo_entry, link_entry, seed_entry
from croupier.money import Money, show
from croupier.rounds.events import CardsTurned, HandExamined, RoundOpened
from croupier.rounds.evolve import evolve
from croupier.rounds.state import Round, new_table

Progress: TypeAlias = Callable[[int, int], None]
"""Progress callback: records done, records in all."""

_PEOPLE = msgspec.json.Decoder(People)
T = TypeVar("T")


class Audited(msgspec.Struct, frozen=True, kw_only=True):
    """What was read, and what differs."""

    events: int
    rounds: int
    commands: int
    """Answered, refused ones included."""
    tables: int
    entries: int
    accounts: int
    meters: Mapping[str, Money]
    heads: Mapping[str, Anchor]
    """Where every stream stands: written down elsewhere, a later audit can be held against it."""
    archived: Mapping[str, int] = {}
    """Streams whose records up to this one are in archives that were not given: they were not seen."""
    sealed: int = 0
    """Decks in play to which the audit has no key: they are held against the cards shown when their rounds are over."""
    unseen: int = 0
    """Hands in those decks that players have looked at: which cards they saw is not judged before the round is over."""
    difference_count: int
    differences: tuple[Difference, ...]

    @property
    def is_clean(self) -> bool:
        return not self.difference_count


def audit(
    store: Store,
    *,
    progress: Progress | None = None,
    anchors: Mapping[str, Anchor] | None = None,
    testimony: Testimony | None = None,
    findings: Findings | None = None,
    keys: Keys = NO_KEYS,
    nameless: bool = False,
) -> Audited:
    """Compute again everything that a journal says of itself, as of one moment, while the house runs on.

    `anchors` are the heads of an earlier audit, `testimony` what a witness's checkpoints say, `findings` what was found
    before it began, and `keys` those that seal decks in play; what has been revealed is open without. `nameless` is a
    journal whose backup left the names out.
    """
    work = _Audit(store, progress, testimony or Testimony([]), findings or Findings(), keys, nameless=nameless)
    for stream, (seq, head) in (anchors or {}).items():
        work.testimony.mark(stream, seq, head)
    try:
        with store.reading():
            work.run()
    except StoreError as wrong:
        work.findings.add("database", 0, str(wrong))
    return work.report()


# ---------------------------------------------------------------- streams, each by itself


class _Fold(Protocol):
    """A stream's state, moved on by its facts."""

    def enter(self, record: Record) -> Entry | None:
        """Return the entry of a record; raises Differs, or any exception that a changed record causes."""

    def state(self) -> bytes | None:
        """Return the state as a snapshot holds it."""


class _Plain:
    """The cashier, the house, and what it remembers of players."""

    def __init__(self, stream: str, tables: dict[str, TermsHistory]) -> None:
        self.stream, self.tables = stream, tables

    def enter(self, record: Record) -> Entry | None:
        if self.stream == CASHIER:
            fact = cashier_fact(record)
            _same_bytes(record, fact)
            if fact.amount <= 0:
                raise Differs(record.stream, record.seq, "the cashier takes and gives more than 0.00.")
            if isinstance(fact, ColourChanged):
                return None
            return cashier_entry(fact.player, fact.amount if isinstance(fact, BoughtIn) else -fact.amount)
        if self.stream == PLAYERS:
            _same_bytes(record, player_fact(record))
            return None
        told = house_fact(record)
        _same_bytes(record, told)
        history = self.tables.get(told.table)
        wrong = ""
        if isinstance(told, TableOpened):
            wrong = "" if history is None else f"table {told.table} is opened twice."
            self.tables[told.table] = history or TermsHistory(told.config, opening_terms(told))
        else:
            wrong = f"there is no table {told.table}." if history is None else history.see(told, record.at)
        if wrong:
            raise Differs(record.stream, record.seq, wrong)
        return None

    def state(self) -> bytes | None:
        return None


class _PeopleFold:
    """People, who is logged in, and what waits for a second signature."""

    def __init__(self) -> None:
        self.people = People()
        self.commitments: dict[str, str] = {}
        """To the name of every person whom the records know by an id."""
        self.proposed: dict[str, str] = {}
        """Likewise, of enrolments that were proposed."""

    def enter(self, record: Record) -> Entry | None:
        fact = people_fact(record)
        _same_bytes(record, fact)
        if isinstance(fact, PersonEnrolled):
            self._by_enough_people(record, fact)
            if fact.commitment:
                self.commitments[fact.name] = fact.commitment
        if isinstance(fact, MeasureProposed) and isinstance(fact.measure, EnrolPerson) and fact.measure.commitment:
            self.proposed[fact.measure.name] = fact.measure.commitment
        if isinstance(fact, PersonErased) and (fact.name not in self.commitments or fact.name in self.people.persons):
            raise Differs(record.stream, record.seq, f"{fact.name} had no name to erase, or could still log in.")
        if differs := grading_differs(self.people.academy, fact):
            raise Differs(record.stream, record.seq, differs)
        if differs := play_differs(self.people, fact, record.at):
            raise Differs(record.stream, record.seq, differs)
        self.people = evolve_people(self.people, fact)
        return demo_entry(fact.person, fact.amount) if isinstance(fact, DemoChipsTaken) else None

    def _by_enough_people(self, record: Record, fact: PersonEnrolled) -> None:
        if fact.at not in (0, record.at):
            raise Differs(record.stream, record.seq, f"{fact.name} was not enrolled at the moment of the record.")
        asked = EnrolPerson(name=fact.name, post=fact.post, secret=fact.secret, by=fact.by, second=fact.second)
        if fact.second:
            try:
                check_two_people(self.people, fact.by, fact.second, record.at)
            except Refused as refused:
                raise Differs(record.stream, record.seq, str(refused)) from None
        if not fact.second and (why := why_two(self.people, asked, record.at)):
            raise Differs(record.stream, record.seq, f"one person enrolled {fact.name}. {why}")

    def state(self) -> bytes | None:
        return encode(self.people)


class _LinkFold:
    """A link: its meter after every event, and what that does to its accounts."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.link: Link | None = None

    def enter(self, record: Record) -> Entry | None:
        fact = link_fact(record)
        _same_bytes(record, fact)
        if isinstance(fact, LinkOpened):
            if self.link is not None:
                raise Differs(record.stream, record.seq, "a link is opened once.")
            self.link = new_link(fact.meter, fact.parameters)
            return seed_entry(self.name, fact.meter)
        if self.link is None:
            raise Differs(record.stream, record.seq, "a link begins with its opening.")
        before, self.link = self.link, evolve_link(self.link, fact)
        least = min(self.link.meter, self.link.reserve, self.link.overflow, self.link.locked)
        if not self.link.balances or least < 0:
            raise Differs(record.stream, record.seq, "the link does not add up after it.")
        return link_entry(self.name, before, self.link, fact)

    def state(self) -> bytes | None:
        return None if self.link is None else encode(self.link)


class _TableFold:
    """A table: its Round after every event, its decks, and what that does to its accounts."""

    def __init__(self, name: str, history: TermsHistory, sealed: _Ordered, keys: Keys) -> None:
        self.name, self.config, self.history, self.sealed = name, history.config, history, sealed
        self.keys = keys
        self.hidden: set[tuple[int, int]] = set()
        """Decks in play that cannot be opened here, by round and deal."""
        self.unseen: set[tuple[int, int, int]] = set()
        """Hands that were looked at and lie in such a deck, by round, deal and box."""
        self.round = new_table(history.terms.boxes)
        self.ledger = TableAccounts(name, history.config.link)
        self.decks: dict[tuple[int, int], Deck] = {}

    def enter(self, record: Record) -> Entry | None:
        fact: TableFact = table_fact(record)
        _same_bytes(record, fact)
        match fact:
            case DeckCommitted():
                self._committed(record, fact)
                return None
            case DeckOpened(round=number, deal=deal):
                if (number, deal) in self.hidden:
                    raise Differs(record.stream, record.seq, f"the deck of round {number} is over and still sealed.")
                deck = self.decks.get((number, deal))
                if deck is None or DeckOpened.of(number, deal, deck) != fact:
                    raise Differs(record.stream, record.seq, "the deck that was opened is not the one that was sealed.")
                return None
            case CardsTurned(cards=turned):
                for place, seen in turned.items():
                    already = len(self.round.community) if place == "community" else 0
                    self._from_the_deck(record, self.round.ordinals(place)[already:], seen)
            case HandExamined(at=at) if at:
                fact = self._looked_up(record, fact)
            case HandExamined(box=box, cards=seen) if seen:
                self._from_the_deck(record, self.round.ordinals(str(box)), seen)
            case RoundOpened():
                self.decks.clear()
                self.hidden.clear()
                self.unseen.clear()
            case _:
                pass
        moved = self.ledger.round_entry(self.round, fact)
        self.round = evolve(self.round, fact)
        return moved

    def _committed(self, record: Record, fact: DeckCommitted) -> None:
        key = (self.name, fact.round, fact.deal)
        row = self.sealed.take(key)
        if row is None:
            raise Differs(record.stream, record.seq, f"the deck of round {fact.round}, deal {fact.deal}, is missing.")
        data = row[3]
        if isinstance(data, bytes) and is_sealed(data, self.keys):
            self.hidden.add((fact.round, fact.deal))
            return
        try:
            assert isinstance(data, bytes)
            deck = opened_deck(self.keys, key, data)
            sound = set(deck.shoe) == set(DECK) and (encode(deck.sealed) == data or not data.startswith(b"{"))
        except (AssertionError, ChainBroken, BadKeys):
            sound = False
        else:
            sound = sound and DeckCommitted.of(fact.round, fact.deal, deck) == fact
            self.decks[fact.round, fact.deal] = deck
        if not sound:
            raise Differs(
                record.stream, record.seq, f"the deck of round {fact.round} is not the one that was committed to."
            )

    def _looked_up(self, record: Record, look: HandExamined) -> HandExamined:
        """Add the cards to a look, where the deck can be opened."""
        deal = (look.round, look.deal)
        here = (self.round.number, self.round.deals)
        if self.config.physical or look.cards or deal != here or look.at != self.round.ordinals(str(look.box)):
            raise Differs(record.stream, record.seq, f"the hand of box {look.box} is not at the place that it names.")
        if deal in self.hidden:
            self.unseen.add((*deal, look.box))
            return look
        if deal not in self.decks:
            raise Differs(record.stream, record.seq, f"there is no deck of round {look.round}, deal {look.deal}.")
        return with_cards(look, self.decks[deal])

    def _from_the_deck(self, record: Record, ordinals: tuple[int, ...], seen: tuple[str, ...]) -> None:
        if self.config.physical or (self.round.number, self.round.deals) in self.hidden:
            return
        deck = self.decks.get((self.round.number, self.round.deals))
        if deck is None or tuple(deck.shoe[i] for i in ordinals[: len(seen)]) != seen:
            raise Differs(record.stream, record.seq, f"{' '.join(seen)} are not the cards of the deck at that place.")

    def state(self) -> bytes | None:
        return encode(self.round)


class _Ordered:
    """Rows in the order of their keys, taken by key as another ordered reading comes to them."""

    def __init__(self, name: str, rows: Iterable[Row], columns: int, findings: Findings) -> None:
        self.name, self.findings, self._columns = name, findings, columns
        self._rows = iter(rows)
        self._next = next(self._rows, None)

    def take(self, key: Row) -> Row | None:
        """Return the one row of this key; rows before it belong to no event."""
        while self._next is not None and self._key(self._next) < key:
            self._report_orphan()
        if self._next is None or self._key(self._next) != key:
            return None
        row, self._next = self._next, next(self._rows, None)
        return row

    def take_all(self, key: Row) -> list[Row]:
        rows = []
        while (row := self.take(key)) is not None:
            rows.append(row)
        return rows

    def _key(self, row: Row) -> Row:
        return row[: self._columns]

    def finish(self) -> None:
        while self._next is not None:
            self._report_orphan()

    def _report_orphan(self) -> None:
        assert self._next is not None
        place = " ".join(str(part) for part in self._key(self._next))
        self.findings.add(self.name, 0, f"{place} belongs to no event.")
        self._next = next(self._rows, None)


def _hides_cards(fold: _Fold | None) -> bool:
    """Return whether the house keeps no snapshot here, because players have looked at hands of the Round in play."""
    return isinstance(fold, _TableFold) and hides_cards(fold.round)


def _same_bytes(record: Record, fact: msgspec.Struct) -> None:
    """Check that a record is written as this program writes it: no extra field, none twice, of its own type."""
    if record.version == VERSIONS.of(record.type) and encode(fact) != record.data:
        raise Differs(record.stream, record.seq, f"{record.type} is not written as this program writes it.")
    if type(fact).__name__ != record.type:
        raise Differs(record.stream, record.seq, f"it is called {record.type} and is {type(fact).__name__}.")


# ---------------------------------------------------------------- the whole


class _Audit:
    def __init__(
        self,
        store: Store,
        progress: Progress | None,
        testimony: Testimony,
        findings: Findings,
        keys: Keys,
        *,
        nameless: bool,
    ) -> None:
        self.store, self.testimony, self.findings, self.keys = store, testimony, findings, keys
        self.sealed = self.unseen = 0
        self.starts: dict[str, TableArchived] = {}
        """Tables whose first records are in archives that were not given."""
        self._since_cut: Counter[AccountName] | None = None
        """What a table has moved since its last cut, where it has any."""
        self._progress, self._done, self._total = progress, 0, 0
        self.tables: dict[str, TermsHistory] = {}
        self.links: dict[str, Link | None] = {}
        self.heads: dict[str, tuple[int, bytes]] = {}
        self.held: Counter[AccountName] = Counter()
        self.people = _PeopleFold()
        self.nameless = nameless
        self.events = self.rounds = self.entries = self.commands = self.runs = 0

    def run(self) -> None:
        for problem in self.store.problems():
            self.findings.add("database", 0, problem)
        for row in self.store.rows("heads"):
            head = _as(row, _HeadRow)
            if head is None:
                self.findings.add("heads", 0, f"{row[0]!r} is not what a head is.")
            elif head.seq or not self.store.is_shared:  # a shared store reserves a head before its first record
                self.heads[head.stream] = (head.seq, head.hash)
        self._total = 2 * sum(seq for name, (seq, _) in self.heads.items() if not is_answer_chain(name))
        self._total += sum(seq for name, (seq, _) in self.heads.items() if is_answer_chain(name))
        for part in (
            self._read_streams,
            self._check_accounts,
            self._check_names,
            self._rejudge,
            self._check_limits,
            self._read_answers,
            self._check_witness,
        ):
            try:
                part()
            except StoreError as wrong:
                self.findings.add("database", 0, str(wrong))
            except Exception as fault:  # noqa: BLE001  any exception that a changed row causes is a finding
                self.findings.add("database", 0, f"it cannot be followed: {type(fault).__name__}: {fault}.")

    def _check_witness(self) -> None:
        archived = {table_stream(name): start.seq for name, start in self.starts.items()}
        for where, seq, what in self.testimony.findings(self.store, archived):
            self.findings.add(where, seq, what)

    def _rejudge(self) -> None:
        Rejudgement(self.store, self.tables, self.links, self.findings, self._step, self.starts, self.keys).run()

    def _check_limits(self) -> None:
        check_wagers(self.store, self.findings, archived=bool(self.starts))

    def _step(self, count: int) -> None:
        self._done += count
        if self._progress is not None:
            self._progress(min(self._done, self._total), self._total)

    def report(self) -> Audited:
        return Audited(
            events=self.events,
            rounds=self.rounds,
            commands=self.commands,
            tables=len(self.tables),
            entries=self.entries,
            accounts=len(self.held),
            meters={name: link.cents for name, link in self.links.items() if link is not None},
            heads={name: (seq, hashed.hex()) for name, (seq, hashed) in sorted(self.heads.items())},
            archived={table_stream(name): start.seq for name, start in self.starts.items()},
            sealed=self.sealed,
            unseen=self.unseen,
            difference_count=self.findings.count,
            differences=tuple(self.findings.kept),
        )

    # ---------------------------------------------------------------- records, entries, decks, snapshots

    def _read_streams(self) -> None:
        postings = _Ordered("postings", self.store.rows("postings"), 2, self.findings)
        sealed = _Ordered("decks", self.store.rows("decks"), 3, self.findings)
        snapshots = _Ordered("snapshots", self.store.rows("snapshots"), 1, self.findings)
        found = set()
        for stream, rows in groupby(self.store.rows("records"), key=lambda row: str(row[0])):
            found.add(stream)
            fold = self._fold(stream, sealed)
            snapshot = snapshots.take((stream,))
            self._read_stream(stream, rows, fold, postings, self._snapshot(snapshot))
            if isinstance(fold, _LinkFold):
                self.links[fold.name] = fold.link
            if isinstance(fold, _TableFold):
                self.sealed += len(fold.hidden)
                self.unseen += len(fold.unseen)
        for rest in (postings, sealed, snapshots):
            rest.finish()
        self._check_missing(found, "records", chains=False)

    def _snapshot(self, row: Row | None) -> Snapshot | None:
        if row is None:
            return None
        snapshot = _as(row, Snapshot)
        # A row that is not a snapshot is taken for one after no record.
        return Snapshot(str(row[0]), -1, b"", b"") if snapshot is None else snapshot

    def _fold(self, stream: str, sealed: _Ordered) -> _Fold | None:
        kind, _, name = stream.partition("/")
        if stream in (CASHIER, HOUSE, PLAYERS):
            return _Plain(stream, self.tables)
        if stream == PEOPLE:
            return self.people
        if kind == "link" and name:
            return _LinkFold(name)
        if kind == "table" and name in self.tables:
            return _TableFold(name, self.tables[name], sealed, self.keys)
        self.findings.add(stream, 0, "there is no such stream in a house.")
        return None

    def _read_stream(
        self, stream: str, rows: Iterator[Row], fold: _Fold | None, postings: _Ordered, snapshot: Snapshot | None
    ) -> None:
        before, seq, command, keepable = GENESIS, 0, "", 0
        checked_snapshot = False
        cuts = {cut.seq: cut for cut in self.tables[fold.name].archived} if isinstance(fold, _TableFold) else {}
        self._since_cut = Counter() if cuts else None
        for row in rows:
            self._step(1)
            self.events += 1
            record = _as(row, Record)
            if record is None:
                self.findings.add(stream, seq + 1, "it is not what a record is.")
                fold = None
                continue
            if not seq and isinstance(fold, _TableFold) and record.seq - 1 in cuts:
                before, seq = self._start_after(fold, record.seq - 1)
                if snapshot is not None and snapshot.seq == seq:
                    checked_snapshot = True
                    self._check_snapshot(snapshot, Head(seq, before), fold)
            if record.seq != seq + 1:
                self.findings.add(stream, seq + 1, f"it is missing, the next one found is {record.seq}.")
                fold = None
            seq = record.seq
            if record.hash != expected_hash(before, record):
                self.findings.add(stream, seq, f"{record.type} does not carry the hash of its content.")
            before = record.hash
            if record.command != command:
                self.runs += 1
                keepable = keepable if _hides_cards(fold) else seq - 1
            command = record.command
            self.rounds += record.type == "RoundOpened"
            fold = self._enter(record, fold, postings)
            if seq in cuts and isinstance(fold, _TableFold):
                self._check_cut(cuts[seq], fold, record)
            if snapshot is not None and snapshot.seq == seq and fold is not None:
                checked_snapshot = True
                self._check_snapshot(snapshot, Head(seq, record.hash), fold)
            self._check_mark(stream, seq, record.hash)
            self.testimony.see(stream, seq, record.at)
        self._check_head(stream, seq, before)
        if snapshot is not None and fold is not None and not checked_snapshot and fold.state() is not None:
            self.findings.add("snapshots", 0, f"that of {stream} stands after no record of it.")
        self._check_kept(stream, fold, snapshot, keepable if _hides_cards(fold) else seq)

    def _check_kept(self, stream: str, fold: _Fold | None, snapshot: Snapshot | None, keepable: int) -> None:
        """Check that a snapshot was kept when it was due; `keepable` is the last record after which one could be."""
        if fold is None or fold.state() is None:
            if snapshot is not None and fold is not None:
                self.findings.add("snapshots", 0, f"{stream} is never snapshotted.")
        elif keepable - (snapshot.seq if snapshot is not None else 0) >= SNAPSHOT_AFTER:
            self.findings.add("snapshots", 0, f"{stream} has none of its last {SNAPSHOT_AFTER} records.")

    def _start_after(self, fold: _TableFold, seq: int) -> tuple[bytes, int]:
        """Begin a table at this record, where the earlier ones are in archives that were not given.

        What the house wrote down when they left stands for what they came to.
        """
        start = fold.history.archived[0]
        for start in fold.history.archived:
            self.held.update(start.carried)
            if start.seq == seq:
                break
        try:
            fold.round = unpack_round(start.state)
            before = bytes.fromhex(start.hash)
            sound = fold.round.number == start.after
        except (ChainBroken, ValueError):
            sound, before = False, GENESIS
        if not sound:
            self.findings.add(HOUSE, 0, f"what {fold.name} came to when it was archived cannot be read.")
            return GENESIS, 0
        self.starts[fold.name] = start
        return before, seq

    def _check_cut(self, cut: TableArchived, fold: _TableFold, record: Record) -> None:
        """Check what was written down when records left against what they come to."""
        assert self._since_cut is not None
        try:
            state_agrees = same_state(cut.state, fold.round) and cut.after == fold.round.number
        except ChainBroken:
            state_agrees = False
        moved, self._since_cut = self._since_cut, Counter()
        for agrees, what in (
            (cut.hash == record.hash.hex(), "ends with another hash"),
            (state_agrees, "leaves the table otherwise"),
            (dict(cut.carried) == dict(moved), "moves other amounts"),
        ):
            if not agrees:
                said = f"what the house wrote down when it was archived {what}."
                self.findings.add(record.stream, record.seq, said)

    def _enter(self, record: Record, fold: _Fold | None, postings: _Ordered) -> _Fold | None:
        """Derive the entry of a record and compare it with the ledger; return None where the stream is lost."""
        posted = [_as(row, _PostingRow) for row in postings.take_all((record.stream, record.seq))]
        ledger = [(posting.account, posting.amount) for posting in posted if posting is not None]
        for account, amount in ledger:
            self.held[account] += amount
            if self._since_cut is not None:
                self._since_cut[account] += amount
        if len(ledger) < len(posted):
            self.findings.add(record.stream, record.seq, "a posting of it is not what a posting is.")
        if fold is None:
            return None
        try:
            entry = fold.enter(record)
        except Differs as wrong:
            self.findings.add(wrong.where, wrong.seq, wrong.what)
            return None
        except ChainBroken as wrong:
            self.findings.add(record.stream, record.seq, str(wrong))
            return None
        except Exception as fault:  # noqa: BLE001  any exception that a changed event causes is a finding
            what = f"{record.type} cannot be entered: {type(fault).__name__}: {fault}."
            self.findings.add(record.stream, record.seq, what)
            return None
        self.entries += entry is not None
        derived = sorted(entry.postings) if entry is not None else []
        if derived != ledger:
            self.findings.add(record.stream, record.seq, ledger_differs(derived, ledger))
        return fold

    def _check_snapshot(self, snapshot: Snapshot, after: Head, fold: _Fold) -> None:
        try:
            sound = snapshot.hash == after.hash
            data = state_in(snapshot.hash, snapshot.data)
            decoder: msgspec.json.Decoder[Round] | msgspec.json.Decoder[Link] | msgspec.json.Decoder[People]
            decoder = (
                LINK_STATE if isinstance(fold, _LinkFold) else _PEOPLE if isinstance(fold, _PeopleFold) else ROUND_STATE
            )
            state = fold.state()
            if isinstance(fold, _LinkFold) and is_first_link(data):
                sound = sound and fold.link is not None and first_link_agrees(data, fold.link)
            else:
                sound = sound and state is not None and decoder.decode(data) == decoder.decode(state)
        except (ChainBroken, msgspec.MsgspecError, UnicodeError):
            sound = False
        if not sound:
            self.findings.add("snapshots", 0, f"that of {snapshot.stream} is not the state after record {after.seq}.")

    def _check_mark(self, stream: str, seq: int, link: bytes) -> None:
        if self.testimony.marks.get(stream, {}).get(seq, link.hex()) != link.hex():
            self.findings.add(stream, seq, "its hash is not the one that was written down.")

    def _check_head(self, stream: str, seq: int, last: bytes) -> None:
        if self.heads.get(stream) != (seq, last):
            known = self.heads.get(stream, (0, b""))[0]
            self.findings.add(stream, seq, f"the stream's head stands at {known}, its last record is {seq}.")
        stood = self.testimony.stood(stream)
        if stood > seq:
            self.findings.add(stream, seq, f"the stream ends here and once stood at {stood}.")

    def _check_missing(self, found: Collection[str], what: str, *, chains: bool) -> None:
        """Report streams of which only a head, or a witness's note of one, is left."""
        for name in {**self.heads, **self.testimony.marks}:
            if name not in found and is_answer_chain(name) == chains:
                left = "has a head and" if name in self.heads else f"once stood at {self.testimony.stood(name)} and has"
                self.findings.add(name, 0, f"it {left} no {what}.")

    # ---------------------------------------------------------------- balances

    def _check_accounts(self) -> None:
        known: dict[AccountName, tuple[object, object]] = {}
        for row in self.store.rows("accounts"):
            known[str(row[0])] = (row[1], row[2])
        for account in sorted({*self.held, *known}):
            balance, overdrawable = known.get(account, (None, None))
            if account not in self.held:
                self.findings.add("accounts", 0, f"{account} is in no entry.")
            elif balance != self.held[account]:
                says = "is missing" if balance is None else f"holds {balance}"
                self.findings.add("accounts", 0, f"{account} {says}, its entries come to {self.held[account]} cents.")
            elif overdrawable != int(accounts.may_be_overdrawn(account)):
                self.findings.add("accounts", 0, f"{account} is marked wrongly as one that may be overdrawn.")
            elif self.held[account] < 0 and not accounts.may_be_overdrawn(account):
                self.findings.add("accounts", 0, f"{account} stands at {show(self.held[account])}.")
        if sum(self.held.values()):
            self.findings.add("accounts", 0, f"all accounts together come to {show(sum(self.held.values()))}.")
        for name, link in self.links.items():
            if link is not None:
                self._check_link(name, link)
        if self.store.is_shared:
            self._check_shared(self.store.links())

    def _check_link(self, name: str, link: Link) -> None:
        for account, meter in (
            (accounts.pool(name), link.cents),
            (accounts.reserve(name), link.reserve_cents),
            (accounts.overflow(name), link.overflow_cents),
            (accounts.payable(name), link.locked_cents),
        ):
            if self.held[account] != meter:
                what = f"{account} comes to {show(self.held[account])}, the link to {show(meter)}."
                self.findings.add(link_stream(name), 0, what)

    def _check_shared(self, shared: Mapping[str, bytes]) -> None:
        """Check the states of links that servers share against the records."""
        for name in sorted({*shared, *self.links}):
            _, last = self.heads.get(link_stream(name), (0, GENESIS))
            try:
                state, link = state_in(last, shared.get(name, b"")), self.links.get(name)
                if is_first_link(state):
                    sound = link is not None and first_link_agrees(state, link)
                else:
                    sound = LINK_STATE.decode(state) == link
            except (ChainBroken, msgspec.MsgspecError, UnicodeError):
                sound = False
            if not sound:
                self.findings.add(link_stream(name), 0, "the state that servers share is not what its records come to.")

    # ---------------------------------------------------------------- names

    def _check_names(self) -> None:
        """Check that every person with an id has the name that was committed to, or was erased."""
        known, erased = self.people.commitments, set(self.people.people.erased)
        found = set()
        for row in self.store.rows(NAMES):
            name = _as(row, NameRow)
            wrong = f"{row[0]!r} is not what a name is." if name is None else self._wrong_name(name)
            found.add(str(row[0]))
            if wrong:
                self.findings.add(NAMES, 0, wrong)
        missing = sorted(known.keys() - erased - found)
        for person in () if self.nameless else missing:
            self.findings.add(NAMES, 0, f"the name of {person} is missing, and no record erases it.")

    def _wrong_name(self, row: NameRow) -> str:
        """Say what is wrong with a row of the directory; empty where it is right."""
        fold, person = self.people, row.person
        sealed = fold.commitments.get(person) or fold.proposed.get(person)
        if sealed is None:
            return f"{person} has a name, and was never enrolled under an id."
        if person in fold.people.erased:
            return f"the name of {person} was erased, and is still there: start a server, which finishes it."
        if commitment(row.name, row.salt) != sealed:
            return f"the name of {person} is not the one that was enrolled."
        removed = person in fold.commitments and person not in fold.people.persons
        expected = taken_row(person, Named(row.name, row.salt))
        if row != (released_row(expected) if removed else expected):
            return f"the forms of the name of {person} are not those of the name."
        return ""

    # ---------------------------------------------------------------- answers

    def _read_answers(self) -> None:
        """Check each chain of answers: an accepted answer names records, and every record is named by one."""
        found = set()
        named = 0
        for chain, rows in groupby(self.store.rows("answers"), key=lambda row: str(row[0])):
            found.add(chain)
            before, seq = GENESIS, 0
            for row in rows:
                self._step(1)
                self.commands += 1
                answered = _as(row, Answered)
                if answered is None:
                    self.findings.add(chain, seq + 1, "it is not what an answer is.")
                    continue
                named += self._read_answer(answered, seq + 1, before)
                seq, before = answered.seq, answered.hash
                self._check_mark(chain, seq, before)
                self.testimony.see(chain, seq)
            self._check_head(chain, seq, before)
        self._check_missing(found, "answers", chains=True)
        if named != self.runs:
            what = f"the answers name {named} ends of commands, and the streams have {self.runs}."
            self.findings.add("answers", 0, what)

    def _read_answer(self, answered: Answered, wanted: int, before: bytes) -> int:
        """Check an answer, and return the number of records that it names as the last of its command."""
        chain, seq, command = answered.chain, answered.seq, answered.id
        if not is_answer_chain(chain) or seq != wanted:
            self.findings.add(chain, wanted, f"the answer is missing, the next one found is {seq}.")
        if answered.hash != answer_hash(before, chain, seq, command, answered.body, answered.answer):
            self.findings.add(chain, seq, f"the answer to {command} does not carry the hash of its content.")
        try:
            answer = ANSWER.decode(answered.answer)
        except (msgspec.MsgspecError, UnicodeError) as wrong:
            self.findings.add(chain, seq, f"the answer to {command} cannot be read: {wrong}.")
            return 0
        odd = answer.accepted == bool(answer.code) or (answer.heads and not answer.accepted)
        if odd or encode(answer) != answered.answer:
            self.findings.add(chain, seq, f"the answer to {command} is not one that a house gives.")
        left = {table_stream(name): start.seq for name, start in self.starts.items()}
        return sum(last > left.get(stream, 0) for stream, last in answer.heads.items())


class _HeadRow(msgspec.Struct, array_like=True):
    stream: str
    seq: int
    hash: bytes


class _PostingRow(msgspec.Struct, array_like=True):
    stream: str
    seq: int
    account: str
    amount: int


def _as(row: Row, kind: type[T]) -> T | None:
    """Convert a row to its type; None where a column has another type."""
    try:
        return msgspec.convert(row, kind, builtin_types=(bytes,))
    except msgspec.ValidationError:
        return None
