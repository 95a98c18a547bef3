"""Streams, each by itself: records, entries, decks and snapshots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby, islice

import msgspec
from msgspec.structs import replace

from croupier.floor.audit.findings import Differs, Findings, ledger_differs
from croupier.floor.audit.first_release_link import first_link_agrees, is_first_link
from croupier.floor.audit.folds import MEETS_THE_STATE, Fold, LinkFold, PeopleFold, PlainFold, TableFold
from croupier.floor.audit.head_check import HeadCheck
from croupier.floor.audit.milestone import Boundary, Digest, Milestone, row_hash
from croupier.floor.audit.ordered_rows import OrderedRows, PostingRow, row_as, rows_as
from croupier.floor.audit.terms_history import TermsHistory
from croupier.floor.house.memory.cuts import same_state, unpack_round
from croupier.floor.house.memory.snapshots import SNAPSHOT_AFTER
from croupier.floor.people.people import People
from croupier.floor.records.codec import LINK_STATE, ROUND_STATE, encode
from croupier.floor.records.committed_decks import Deck
from croupier.floor.records.examined_hands import as_recorded, hides_cards
from croupier.floor.records.facts import TableArchived, TableFact
from croupier.floor.records.keys import Keys
from croupier.floor.records.streams import CASHIER, HOUSE, PEOPLE, PLAYERS, table_stream
from croupier.jackpots.link import Link
from croupier.journal.records import GENESIS, ChainBroken, Record, expected_hash, state_in
from croupier.journal.store import EVERYTHING, Row, Snapshot, Span, Store
from croupier.ledger.accounts import AccountName
from croupier.ledger.entries import Entry
from croupier.money import Money
from croupier.rounds.events import RoundEvent, RoundOpened
from croupier.rounds.evolve import evolve_all
from croupier.rounds.state import Round

_PEOPLE = msgspec.json.Decoder(People)

TABLES_FROM = table_stream("")
"""The first name that a table's stream could have."""

A_PIECE = 256
"""Records of a stream that are read at a time."""


class Sums(msgspec.Struct):
    """What the records of some streams come to."""

    events: int = 0
    rounds: int = 0
    entries: int = 0
    runs: int = 0
    """Commands in each stream."""
    sealed: int = 0
    unseen: int = 0

    def add(self, other: Sums) -> None:
        """Add what other records come to."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class StreamCheck:
    """Reads streams from end to end, and keeps what they come to."""

    def __init__(
        self,
        store: Store,
        heads: HeadCheck,
        findings: Findings,
        keys: Keys,
        step: Callable[[int], None],
        milestone: Milestone | None = None,
        *,
        notes_boundaries: bool = False,
    ) -> None:
        """`milestone` is what was audited before; `notes_boundaries` where the next one is wanted."""
        self.milestone, self.notes_boundaries = milestone, notes_boundaries
        self.boundaries: dict[str, Boundary] = {}
        self.states: dict[str, Round | Link | None] = {}
        """What each new boundary stands for; it is written down at the end."""
        self.store, self.heads, self.findings, self.keys, self.step = store, heads, findings, keys, step
        self.tables: dict[str, TermsHistory] = {}
        self.readings: dict[str, StreamReading] = {}
        """Tables whose records are entered as they are judged."""
        self.links: dict[str, Link | None] = {}
        self.people = PeopleFold()
        self.found: set[str] = set()
        self.held: Counter[AccountName] = Counter()
        self.starts: dict[str, TableArchived] = {}
        """Tables whose first records are in archives that were not given."""
        self.sums = Sums()

    def run(self) -> None:
        """Read every stream."""
        self.read(EVERYTHING)
        self.heads.check_missing(self.found, "records", chains=False)

    def read(self, span: Span) -> None:
        """Read the streams of a span; that of the house comes before its tables."""
        postings = OrderedRows("postings", self.store.rows("postings", span), 2, self.findings)
        decks = () if span.until and span.until <= TABLES_FROM else self.store.rows("decks")
        sealed = OrderedRows("decks", decks, 3, self.findings)
        snapshots = OrderedRows("snapshots", self.store.rows("snapshots", span), 1, self.findings)
        for stream, rows in groupby(self.store.rows("records", span), key=lambda row: str(row[0])):
            fold = self._fold(stream, sealed)
            reading = StreamReading(self, stream, rows, fold, postings, _snapshot(snapshots.take((stream,))))
            while (records := reading.piece(1)) is not None:
                for record in records:
                    reading.enter(record)
            reading.finish()
        for rest in (postings, sealed, snapshots):
            rest.finish()

    def open_tables(self, names: Collection[str]) -> None:
        """Open the streams of tables whose records are entered as they are judged."""
        snapshots = {row[0]: row for row in self.store.rows("snapshots", Span(TABLES_FROM))}
        for name in sorted(names):
            stream = table_stream(name)
            postings, records = (self.store.rows(what, _span_of(stream)) for what in ("postings", "records"))
            sealed = OrderedRows("decks", self.store.rows("decks", _span_of(name)), 3, self.findings)
            ledger = OrderedRows("postings", postings, 2, self.findings)
            fold = self._fold(stream, sealed)
            snapshot = _snapshot(snapshots.get(stream))
            self.readings[name] = StreamReading(self, stream, records, fold, ledger, snapshot)

    def finish_tables(self) -> None:
        """Check the ends of the streams that were opened."""
        for reading in self.readings.values():
            reading.finish_judged()

    def close_tables(self) -> None:
        """Let go of the streams that were opened, wherever they are read."""
        for reading in self.readings.values():
            reading.close()

    def check_between(self, tables: Collection[str]) -> None:
        """Check that there is no row between those of these tables, or after the last."""
        for what, first in (("records", TABLES_FROM), ("postings", TABLES_FROM), ("decks", "")):
            since = first
            for name in (*sorted(tables), ""):
                for row in self.store.rows(what, Span(since, f"{first}{name}" if name else "")):
                    self.findings.add(what, 0, f"{row[0]!r} {row[1]!r} belongs to no table.")
                since = f"{first}{name} "
        for row in self.store.rows("snapshots", Span(TABLES_FROM)):
            if str(row[0]).removeprefix(TABLES_FROM) not in tables:
                self.findings.add("snapshots", 0, f"{row[0]!r} belongs to no table.")

    def find_starts(self) -> None:
        """Find the tables whose first records are in archives that were not given."""
        for name, history in self.tables.items():
            first = next(self.store.read(table_stream(name), 0, 1), None) if history.archived else None
            for start in history.archived:
                if first is not None and start.seq == first.seq - 1:
                    self.starts[name] = start

    def _fold(self, stream: str, sealed: OrderedRows) -> Fold | None:
        kind, _, name = stream.partition("/")
        if stream in (CASHIER, HOUSE, PLAYERS):
            return PlainFold(stream, self.tables)
        if stream == PEOPLE:
            return self.people
        if kind == "link" and name:
            return LinkFold(name)
        if kind == "table" and name in self.tables:
            return TableFold(name, self.tables[name], sealed, self.keys)
        self.findings.add(stream, 0, "there is no such stream in a house.")
        return None

    def noted(self) -> dict[str, Boundary]:
        """Return where a later audit may take up each stream."""
        new = {name: replace(self.boundaries[name], state=encode(state)) for name, state in self.states.items()}
        return {**self.boundaries, **new}


class StreamReading:
    """One stream: a record is checked by itself when it is read, and against all that it comes to when it is entered.

    It is entered at once, or when its command has been judged again: then it is known to be what was judged.
    """

    def __init__(
        self,
        check: StreamCheck,
        stream: str,
        rows: Iterator[Row],
        fold: Fold | None,
        postings: OrderedRows,
        snapshot: Snapshot | None,
    ) -> None:
        self._check, self.stream, self.fold, self._findings = check, stream, fold, check.findings
        self._rows, self._postings, self._snapshot, self._held = rows, postings, snapshot, check.held
        self._cuts = {cut.seq: cut for cut in fold.history.archived} if isinstance(fold, TableFold) else {}
        self._since_cut: Counter[AccountName] | None = Counter() if self._cuts else None
        """What a table has moved since its last cut, where it has any."""
        self._sums = Sums()
        self._before, self._seq, self._command, self._checked_snapshot = GENESIS, 0, "", False
        self._entered, self._entered_hash = 0, GENESIS
        self._stops = {*self._cuts, -1 if snapshot is None else snapshot.seq}
        """Records after which there is more to look at."""
        self._digest: Digest | None = None
        self._is_watched = check.heads.testimony.watches(stream)
        check.found.add(stream)
        self._begin()
        self._keepable = self._seq
        self._met: list[tuple[int, Round]] = []
        """The states that the commands of the Round in play have met, and the records before them."""

    # ---------------------------------------------------------------- a record by itself

    def piece(self, count: int) -> list[Record] | None:
        """Read the next records, each checked by itself and against the one before; None at the end."""
        rows = list(islice(self._rows, count))
        if not rows:
            return None
        self._check.step(len(rows))
        self._sums.events += len(rows)
        records: list[Record] = []
        before, seq, stream = self._before, self._seq, self.stream
        for record in rows_as(rows, Record):
            if record is None:
                self._lose(seq + 1, "it is not what a record is.")
                continue
            if record.seq != seq + 1 and not seq and record.seq - 1 in self._cuts and self.fold is not None:
                before, seq = self._start_after(record.seq - 1)
            if record.seq != seq + 1 or record.stream != stream:
                self._lose(seq + 1, f"it is missing, the next one found is {record.seq}.")
            seq = record.seq
            if record.hash != expected_hash(before, record):
                self._findings.add(stream, seq, f"{record.type} does not carry the hash of its content.")
            before = record.hash
            records.append(record)
        self._before, self._seq = before, seq
        return records

    def _lose(self, seq: int, what: str) -> None:
        self._findings.add(self.stream, seq, what)
        self.fold = None

    def _start_after(self, seq: int) -> tuple[bytes, int]:
        """Begin a table at this record, where the earlier ones are in archives that were not given.

        What the house wrote down when they left stands for what they came to.
        """
        fold = self.fold
        assert isinstance(fold, TableFold)
        start = fold.history.archived[0]
        for start in fold.history.archived:
            self._held.update(start.carried)
            if start.seq == seq:
                break
        try:
            fold.round = unpack_round(start.state)
            before = bytes.fromhex(start.hash)
            sound = fold.round.number == start.after
        except (ChainBroken, ValueError):
            sound, before = False, GENESIS
        if not sound:
            self._findings.add(HOUSE, 0, f"what {fold.name} came to when it was archived cannot be read.")
            return GENESIS, 0
        self._check.starts[fold.name] = start
        self._entered, self._entered_hash = seq, before
        self._look_at_snapshot()
        return before, seq

    # ---------------------------------------------------------------- what a record comes to

    def enter(self, record: Record, fact: TableFact | None = None) -> None:
        """Derive the entry of a record, and compare it with the ledger; `fact` is given where the record says it."""
        if record.command != self._command:
            self._begin_command(record)
        fold, entry = self.fold, None
        if fold is not None:
            try:
                if fact is None:
                    entry = fold.enter(record)
                elif isinstance(fold, TableFold):
                    entry = fold.see(record, fact)
            except Differs as wrong:
                self._findings.add(wrong.where, wrong.seq, wrong.what)
                self.fold = None
            except ChainBroken as wrong:
                self._lose(record.seq, str(wrong))
            except Exception as fault:  # noqa: BLE001  any exception that a changed event causes is a finding
                self._lose(record.seq, f"{record.type} cannot be entered: {type(fault).__name__}: {fault}.")
        self._post(record, entry)
        self._sums.rounds += record.type == "RoundOpened"
        self._pass(record)

    def enter_up_to(self, records: Sequence[Record], end: int) -> None:
        """Enter the first records of a command, as far as they have not been entered."""
        for record in records[:end]:
            if record.seq > self._entered:
                self.enter(record)

    def enter_all(self, records: Sequence[Record]) -> None:
        """Enter the records of a command, as far as they have not been entered."""
        if records[-1].seq > self._entered:
            self.enter_up_to(records, len(records))

    def enter_judged(self, records: Sequence[Record], first: int, events: Sequence[RoundEvent], after: Round) -> None:
        """Enter records of a command that are these events, byte for byte; `after` is the state that they lead to."""
        fold = self.fold
        assert isinstance(fold, TableFold)
        if first and records[first - 1].seq > self._entered:
            self.enter_up_to(records, first)
        last = first + len(events) - 1
        if records[last].seq <= self._entered:
            return  # they were entered when the command was judged for the first time
        if records[first].command != self._command:
            self._begin_command(records[first])
        met = 0  # events that have gone into the state of the fold
        for at, event in enumerate(events):
            record = records[first + at]
            if record.seq <= self._entered:
                continue
            if type(event) in MEETS_THE_STATE:
                fold.round, met = evolve_all(fold.round, events[met:at]), at
                fold.checked(record, as_recorded(event))
                self._sums.rounds += type(event) is RoundOpened
            entry = fold.ledger.round_entry(fold.round, event)
            if entry is not None:
                self._post(record, entry)
            if record.seq in self._stops or self._is_watched:
                fold.round, met = evolve_all(fold.round, events[met : at + 1]), at + 1
                self._pass(record)
        fold.round = after
        self._entered, self._entered_hash = records[last].seq, records[last].hash

    @property
    def decks(self) -> Mapping[tuple[int, int], Deck]:
        """The decks of the Round in play that can be opened, by round and deal."""
        return self.fold.decks if isinstance(self.fold, TableFold) else {}

    def _begin_command(self, record: Record) -> None:
        if record.type == "RoundOpened":
            self._note_boundary()
            self._keepable, self._met = self._last_keepable(), []
        self._sums.runs += 1
        self._command = record.command
        if isinstance(self.fold, TableFold):
            self._met.append((record.seq - 1, self.fold.round))

    def _last_keepable(self) -> int:
        """Return the last record so far after which the house could keep a snapshot."""
        return next((seq for seq, state in reversed(self._met) if not hides_cards(state)), self._keepable)

    def _post(self, record: Record, entry: Entry | None) -> None:
        """Compare the entry of a record with its postings, and add these to what accounts hold."""
        derived = sorted(entry.postings) if entry is not None else []
        self._sums.entries += entry is not None
        rows: list[Row] = [(self.stream, record.seq, *posting) for posting in derived]
        ledger = derived
        if not rows or not self._postings.take_these(rows):
            rows = self._postings.take_all((self.stream, record.seq))
            posted = [posting for row in rows if (posting := row_as(row, PostingRow)) is not None]
            ledger = [(posting.account, posting.amount) for posting in posted]
            if len(posted) < len(rows):
                self._findings.add(self.stream, record.seq, "a posting of it is not what a posting is.")
            if self.fold is not None and ledger != derived:
                self._findings.add(self.stream, record.seq, ledger_differs(derived, ledger))
        self._hold(rows, ledger)

    def _hold(self, rows: list[Row], ledger: Sequence[tuple[AccountName, Money]]) -> None:
        held = self._held
        for account, amount in ledger:
            held[account] += amount
        if self._since_cut is not None:
            for account, amount in ledger:
                self._since_cut[account] += amount
        if self._digest is not None:
            self._digest.add(rows)

    def _pass(self, record: Record) -> None:
        """Look at what was written down of the stream as it stands after this record."""
        self._entered, self._entered_hash = record.seq, record.hash
        if record.seq in self._cuts:
            self._check_cut(self._cuts[record.seq], record)
        if self._snapshot is not None and record.seq == self._snapshot.seq:
            self._look_at_snapshot()
        if self._is_watched:
            self._check.heads.check_mark(self.stream, record.seq, record.hash)
            self._check.heads.testimony.see(self.stream, record.seq, record.at)

    def _check_cut(self, cut: TableArchived, record: Record) -> None:
        """Check what was written down when records left against what they come to."""
        if not isinstance(self.fold, TableFold):
            return
        state = self.fold.round
        try:
            state_agrees = same_state(cut.state, state) and cut.after == state.number
        except ChainBroken:
            state_agrees = False
        moved, self._since_cut = self._since_cut, Counter()
        for agrees, what in (
            (cut.hash == record.hash.hex(), "ends with another hash"),
            (state_agrees, "leaves the table otherwise"),
            (dict(cut.carried) == dict(moved or {}), "moves other amounts"),
        ):
            if not agrees:
                said = f"what the house wrote down when it was archived {what}."
                self._findings.add(record.stream, record.seq, said)

    def _look_at_snapshot(self) -> None:
        """Compare the snapshot with the state, where it stands after this record."""
        snapshot, fold = self._snapshot, self.fold
        if snapshot is None or snapshot.seq != self._entered or fold is None:
            return
        self._checked_snapshot = True
        try:
            sound = snapshot.hash == self._entered_hash
            data = state_in(snapshot.hash, snapshot.data)
            decoder: msgspec.json.Decoder[Round] | msgspec.json.Decoder[Link] | msgspec.json.Decoder[People]
            decoder = (
                LINK_STATE if isinstance(fold, LinkFold) else _PEOPLE if isinstance(fold, PeopleFold) else ROUND_STATE
            )
            state = fold.state()
            if isinstance(fold, LinkFold) and is_first_link(data):
                sound = sound and fold.link is not None and first_link_agrees(data, fold.link)
            else:
                sound = sound and state is not None and decoder.decode(data) == decoder.decode(state)
        except (ChainBroken, msgspec.MsgspecError, UnicodeError):
            sound = False
        if not sound:
            what = f"that of {snapshot.stream} is not the state after record {self._entered}."
            self._findings.add("snapshots", 0, what)

    def finish_judged(self) -> None:
        """Check the end of a table whose records were entered as they were judged, and that none is left."""
        if self._entered != self._seq or next(self._rows, None) is not None:
            self._findings.add(self.stream, self._entered + 1, "it has not been judged.")
        self._postings.finish()
        if isinstance(self.fold, TableFold):
            self.fold.sealed.finish()
        self.finish()

    def close(self) -> None:
        """Let go of the rows that have not been read."""
        self._rows = iter(())
        self._postings.close()
        if isinstance(self.fold, TableFold):
            self.fold.sealed.close()

    def finish(self) -> None:
        """Check the end of the stream, and add what it comes to."""
        check, fold, snapshot = self._check, self.fold, self._snapshot
        check.heads.check_end(self.stream, self._seq, self._before)
        if isinstance(fold, LinkFold):
            self._note_boundary()
            check.links[fold.name] = fold.link
        if isinstance(fold, TableFold):
            self._sums.sealed, self._sums.unseen = len(fold.hidden), len(fold.unseen)
        if snapshot is not None and fold is not None and not self._checked_snapshot and fold.state() is not None:
            self._findings.add("snapshots", 0, f"that of {self.stream} stands after no record of it.")
        self._check_kept(self._last_keepable() if isinstance(fold, TableFold) and fold.hides_cards else self._seq)
        check.sums.add(self._sums)

    def _check_kept(self, keepable: int) -> None:
        """Check that a snapshot was kept when it was due; `keepable` is the last record after which one could be."""
        snapshot, fold = self._snapshot, self.fold
        if fold is None or fold.state() is None:
            if snapshot is not None and fold is not None:
                self._findings.add("snapshots", 0, f"{self.stream} is never snapshotted.")
        elif keepable - (snapshot.seq if snapshot is not None else 0) >= SNAPSHOT_AFTER:
            self._findings.add("snapshots", 0, f"{self.stream} has none of its last {SNAPSHOT_AFTER} records.")

    # ---------------------------------------------------------------- milestones

    def _begin(self) -> None:
        """Begin the stream, or take it up from a milestone."""
        check, fold = self._check, self.fold
        if not isinstance(fold, TableFold | LinkFold):
            return
        boundary = None if check.milestone is None else check.milestone.boundaries.get(self.stream)
        self._digest = fold.digest = Digest() if check.notes_boundaries or boundary is not None else None
        if boundary is not None:
            self._pass_over(boundary, fold)
            self._checked_snapshot = bool(boundary.snapshot) and boundary.snapshot == row_hash(self._snapshot)

    def _pass_over(self, boundary: Boundary, fold: TableFold | LinkFold) -> None:
        """Read what was audited before up to its boundary: it must be what it was, and is not derived again."""
        while self._seq < boundary.seq and (records := self.piece(min(A_PIECE, boundary.seq - self._seq))):
            for record in records:
                self._sums.runs += record.command != self._command
                self._sums.rounds += record.type == "RoundOpened"
                self._command = record.command
                rows = self._postings.take_all((self.stream, record.seq))
                self._hold(rows, [(str(account), int(amount)) for _, _, account, amount in rows])
                if isinstance(fold, TableFold) and record.type == "DeckCommitted":
                    fold.pass_over(record)
                self._pass(record)
        assert fold.digest is not None
        if (self._before.hex(), fold.digest.text()) != (boundary.hash, boundary.digest):
            what = "its records, entries or decks are not those that were audited."
            self._findings.add(self.stream, self._seq, what)
        self._sums.entries += boundary.entries
        self._check.boundaries[self.stream] = boundary
        fold.take_up(boundary.state)

    def enter_until(self, seq: int) -> TableFold:
        """Enter the records up to this one, which an earlier audit has judged; return the table as it stood then."""
        while self._seq < seq and (records := self.piece(min(A_PIECE, seq - self._seq))):
            self.enter_all(records)
        assert isinstance(self.fold, TableFold)
        return self.fold

    def _note_boundary(self) -> None:
        """Note that a later audit may take up the stream after this record."""
        fold, snapshot = self.fold, self._snapshot
        if not isinstance(fold, TableFold | LinkFold) or fold.digest is None:
            return
        start = self._check.starts.get(fold.name) if isinstance(fold, TableFold) else None
        self._check.boundaries[self.stream] = Boundary(
            seq=self._entered,
            hash=self._entered_hash.hex(),
            digest=fold.digest.text(),
            state=b"",
            entries=self._sums.entries,
            snapshot=row_hash(snapshot) if snapshot is not None and snapshot.seq <= self._entered else "",
            after=0 if start is None else start.seq,
        )
        self._check.states[self.stream] = fold.round if isinstance(fold, TableFold) else fold.link


def _snapshot(row: Row | None) -> Snapshot | None:
    """Read a snapshot; a row that is not one is taken for one after no record."""
    if row is None:
        return None
    return row_as(row, Snapshot) or Snapshot(str(row[0]), -1, b"", b"")


def _span_of(name: str) -> Span:
    """Return the span of one stream, or of the decks of one table."""
    return Span(name, f"{name} ")
