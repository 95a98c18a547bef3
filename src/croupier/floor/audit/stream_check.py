"""Streams, each by itself: records, entries, decks and snapshots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby

import msgspec
from msgspec.structs import replace

from croupier.floor.audit.findings import Differs, Findings, ledger_differs
from croupier.floor.audit.first_link import first_link_agrees, is_first_link
from croupier.floor.audit.folds import Fold, LinkFold, PeopleFold, PlainFold, TableFold
from croupier.floor.audit.head_check import HeadCheck
from croupier.floor.audit.milestone import Boundary, Digest, Milestone, row_hash
from croupier.floor.audit.ordered_rows import OrderedRows, PostingRow, row_as
from croupier.floor.audit.terms_history import TermsHistory
from croupier.floor.house.memory.cuts import same_state, unpack_round
from croupier.floor.house.memory.snapshots import SNAPSHOT_AFTER
from croupier.floor.people.people import People
from croupier.floor.records.codec import LINK_STATE, ROUND_STATE, encode
from croupier.floor.records.committed_decks import DeckPlace
from croupier.floor.records.facts import TableArchived
from croupier.floor.records.keys import Keys
from croupier.floor.records.streams import CASHIER, HOUSE, PEOPLE, PLAYERS, table_stream
from croupier.jackpots.link import Link
from croupier.journal.records import GENESIS, ChainBroken, Record, expected_hash, state_in
from croupier.journal.store import EVERYTHING, Head, Row, Snapshot, Span, Store
from croupier.ledger.accounts import AccountName
from croupier.money import Money
from croupier.rounds.state import Round

_PEOPLE = msgspec.json.Decoder(People)

TABLES_FROM = table_stream("")
"""The first name that a table's stream could have."""


class Sums(msgspec.Struct, frozen=True, kw_only=True):
    """What the records of some streams come to."""

    events: int
    rounds: int
    entries: int
    runs: int
    """Commands in each stream."""
    sealed: int
    unseen: int
    found: tuple[str, ...]
    held: Mapping[AccountName, int]


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
        self._noted: dict[str, Boundary] = {}
        self._states: dict[str, Round | Link | None] = {}
        self.taken_up: dict[str, Round] = {}
        """The tables of the milestone as they stood then."""
        self.store, self.heads, self.findings, self.keys, self._step = store, heads, findings, keys, step
        self.tables: dict[str, TermsHistory] = {}
        self.links: dict[str, Link | None] = {}
        self.people = PeopleFold()
        self.found: set[str] = set()
        self.held: Counter[AccountName] = Counter()
        self.starts: dict[str, TableArchived] = {}
        """Tables whose first records are in archives that were not given."""
        self.commitments: dict[DeckPlace, str] = {}
        """Of decks that are what they commit to."""
        self._since_cut: Counter[AccountName] | None = None
        """What a table has moved since its last cut, where it has any."""
        self.sealed = self.unseen = self.events = self.rounds = self.entries = self.runs = 0

    def run(self) -> None:
        """Read every stream."""
        self.read(EVERYTHING)
        self.heads.check_missing(self.found, "records", chains=False)

    def read(self, span: Span) -> None:
        """Read the streams of a span; that of the house comes before its tables."""
        postings = OrderedRows("postings", self.store.rows("postings", span), 2, self.findings)
        sealed = OrderedRows("decks", self._decks(span), 3, self.findings)
        snapshots = OrderedRows("snapshots", self.store.rows("snapshots", span), 1, self.findings)
        for stream, rows in groupby(self.store.rows("records", span), key=lambda row: str(row[0])):
            self.found.add(stream)
            fold = self._fold(stream, sealed)
            snapshot = snapshots.take((stream,))
            self._read_stream(stream, rows, fold, postings, self._snapshot(snapshot))
            if isinstance(fold, LinkFold):
                self.links[fold.name] = fold.link
            if isinstance(fold, TableFold):
                self.sealed += len(fold.hidden)
                self.unseen += len(fold.unseen)
        for rest in (postings, sealed, snapshots):
            rest.finish()

    def find_starts(self) -> None:
        """Find the tables of other shares whose first records are in archives that were not given."""
        for name, history in self.tables.items():
            if name in self.starts or not history.archived:
                continue
            first = next(iter(self.store.read(table_stream(name), 0, 1)), None)
            for start in history.archived:
                if first is not None and start.seq == first.seq - 1:
                    self.starts[name] = start

    def add(self, other: Sums) -> None:
        """Add what other streams come to, which another process has read."""
        self.events += other.events
        self.rounds += other.rounds
        self.entries += other.entries
        self.runs += other.runs
        self.sealed += other.sealed
        self.unseen += other.unseen
        self.found.update(other.found)
        self.held.update(other.held)

    def _decks(self, span: Span) -> Iterable[Row]:
        """Read the decks of the tables of a span."""
        if span.until and span.until <= TABLES_FROM:
            return ()
        since = span.since.removeprefix(TABLES_FROM) if span.since > TABLES_FROM else ""
        return self.store.rows("decks", Span(since, span.until.removeprefix(TABLES_FROM)))

    def _snapshot(self, row: Row | None) -> Snapshot | None:
        if row is None:
            return None
        snapshot = row_as(row, Snapshot)
        # A row that is not a snapshot is taken for one after no record.
        return Snapshot(str(row[0]), -1, b"", b"") if snapshot is None else snapshot

    def _fold(self, stream: str, sealed: OrderedRows) -> Fold | None:
        kind, _, name = stream.partition("/")
        if stream in (CASHIER, HOUSE, PLAYERS):
            return PlainFold(stream, self.tables)
        if stream == PEOPLE:
            return self.people
        if kind == "link" and name:
            return LinkFold(name)
        if kind == "table" and name in self.tables:
            return TableFold(name, self.tables[name], sealed, self.keys, self.commitments)
        self.findings.add(stream, 0, "there is no such stream in a house.")
        return None

    def _read_stream(
        self, stream: str, rows: Iterator[Row], fold: Fold | None, postings: OrderedRows, snapshot: Snapshot | None
    ) -> None:
        cuts = {cut.seq: cut for cut in self.tables[fold.name].archived} if isinstance(fold, TableFold) else {}
        self._since_cut = Counter() if cuts else None
        entries = self.entries
        before, seq, command, checked_snapshot = self._begin(stream, rows, fold, postings, snapshot)
        keepable = seq
        for row in rows:
            self._step(1)
            self.events += 1
            record = row_as(row, Record)
            if record is None:
                self.findings.add(stream, seq + 1, "it is not what a record is.")
                fold = None
                continue
            if not seq and isinstance(fold, TableFold) and record.seq - 1 in cuts:
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
            if record.command != command:
                if record.type == "RoundOpened":
                    self._note_boundary(stream, fold, Head(seq - 1, before), self.entries - entries, snapshot)
                self.runs += 1
                keepable = keepable if _hides_cards(fold) else seq - 1
            before, command = record.hash, record.command
            self.rounds += record.type == "RoundOpened"
            fold = self._enter(record, fold, postings)
            if seq in cuts and isinstance(fold, TableFold):
                self._check_cut(cuts[seq], fold, record)
            if snapshot is not None and snapshot.seq == seq and fold is not None:
                checked_snapshot = True
                self._check_snapshot(snapshot, Head(seq, record.hash), fold)
            self._see(record, fold)
        self.heads.check_end(stream, seq, before)
        if isinstance(fold, LinkFold):
            self._note_boundary(stream, fold, Head(seq, before), self.entries - entries, snapshot)
        if snapshot is not None and fold is not None and not checked_snapshot and fold.state() is not None:
            self.findings.add("snapshots", 0, f"that of {stream} stands after no record of it.")
        self._check_kept(stream, fold, snapshot, keepable if _hides_cards(fold) else seq)

    def _see(self, record: Record, fold: Fold | None) -> None:
        """Compare a record with what was written down elsewhere; keep a table as it stood at the milestone."""
        self.heads.check_mark(record.stream, record.seq, record.hash)
        self.heads.testimony.see(record.stream, record.seq, record.at)
        if self.milestone is not None and isinstance(fold, TableFold):
            stood = self.milestone.heads.get(record.stream)
            if stood is not None and stood[0] == record.seq:
                self.taken_up[fold.name] = fold.round

    def _begin(
        self, stream: str, rows: Iterator[Row], fold: Fold | None, postings: OrderedRows, snapshot: Snapshot | None
    ) -> tuple[bytes, int, str, bool]:
        """Begin a stream, or take it up from a milestone.

        Return the last hash, record and command, and whether the snapshot is the one that was audited.
        """
        if not isinstance(fold, TableFold | LinkFold):
            return GENESIS, 0, "", False
        fold.digest = Digest() if self.notes_boundaries else None
        boundary = None if self.milestone is None else self.milestone.boundaries.get(stream)
        if boundary is None:
            return GENESIS, 0, "", False
        before, seq, command = self._pass_over(boundary, rows, fold, postings)
        return before, seq, command, bool(boundary.snapshot) and boundary.snapshot == row_hash(snapshot)

    def _pass_over(
        self, boundary: Boundary, rows: Iterator[Row], fold: TableFold | LinkFold, postings: OrderedRows
    ) -> tuple[bytes, int, str]:
        """Read what was audited before up to its boundary: it must be what it was, and is not derived again."""
        before, seq, command, stream = GENESIS, boundary.after, "", fold.stream
        if boundary.after and isinstance(fold, TableFold):
            before, seq = self._start_after(fold, boundary.after)
        fold.digest = Digest()
        while seq < boundary.seq:
            record = row_as(next(rows, ()), Record)
            if record is None or record.seq != seq + 1 or record.hash != expected_hash(before, record):
                self.findings.add(stream, seq + 1, "it is not what was audited.")
                break
            self._step(1)
            self.events += 1
            seq, before = record.seq, record.hash
            self.runs += record.command != command
            self.rounds += record.type == "RoundOpened"
            command = record.command
            self._post(record, fold, postings)
            if isinstance(fold, TableFold) and record.type == "DeckCommitted":
                fold.pass_over(record)
            self._see(record, None)
        if (before.hex(), fold.digest.text()) != (boundary.hash, boundary.digest):
            self.findings.add(stream, seq, "its records, entries or decks are not those that were audited.")
        self.entries += boundary.entries
        self.boundaries[stream] = boundary
        fold.take_up(boundary.state)
        return before, seq, command

    def _note_boundary(self, stream: str, fold: Fold | None, at: Head, entries: int, snapshot: Snapshot | None) -> None:
        """Note that a later audit may take up the stream after this record."""
        if not isinstance(fold, TableFold | LinkFold) or fold.digest is None:
            return
        start = self.starts.get(fold.name) if isinstance(fold, TableFold) else None
        self._noted[stream] = Boundary(
            seq=at.seq,
            hash=at.hash.hex(),
            digest=fold.digest.text(),
            state=b"",
            entries=entries,
            snapshot=row_hash(snapshot) if snapshot is not None and snapshot.seq <= at.seq else "",
            after=0 if start is None else start.seq,
        )
        self._states[stream] = fold.round if isinstance(fold, TableFold) else fold.link

    def noted(self) -> dict[str, Boundary]:
        """Return where a later audit may take up each stream."""
        new = {name: replace(noted, state=encode(self._states[name])) for name, noted in self._noted.items()}
        return {**self.boundaries, **new}

    def _check_kept(self, stream: str, fold: Fold | None, snapshot: Snapshot | None, keepable: int) -> None:
        """Check that a snapshot was kept when it was due; `keepable` is the last record after which one could be."""
        if fold is None or fold.state() is None:
            if snapshot is not None and fold is not None:
                self.findings.add("snapshots", 0, f"{stream} is never snapshotted.")
        elif keepable - (snapshot.seq if snapshot is not None else 0) >= SNAPSHOT_AFTER:
            self.findings.add("snapshots", 0, f"{stream} has none of its last {SNAPSHOT_AFTER} records.")

    def _start_after(self, fold: TableFold, seq: int) -> tuple[bytes, int]:
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

    def _check_cut(self, cut: TableArchived, fold: TableFold, record: Record) -> None:
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

    def _enter(self, record: Record, fold: Fold | None, postings: OrderedRows) -> Fold | None:
        """Derive the entry of a record and compare it with the ledger; return None where the stream is lost."""
        ledger = self._post(record, fold, postings)
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

    def _post(self, record: Record, fold: Fold | None, postings: OrderedRows) -> list[tuple[AccountName, Money]]:
        """Add the postings of a record to what accounts hold, and return them."""
        rows = postings.take_all((record.stream, record.seq))
        posted = [row_as(row, PostingRow) for row in rows]
        ledger = [(posting.account, posting.amount) for posting in posted if posting is not None]
        for account, amount in ledger:
            self.held[account] += amount
            if self._since_cut is not None:
                self._since_cut[account] += amount
        if len(ledger) < len(posted):
            self.findings.add(record.stream, record.seq, "a posting of it is not what a posting is.")
        if isinstance(fold, TableFold | LinkFold) and fold.digest is not None:
            fold.digest.add(rows)
        return ledger

    def _check_snapshot(self, snapshot: Snapshot, after: Head, fold: Fold) -> None:
        try:
            sound = snapshot.hash == after.hash
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
            self.findings.add("snapshots", 0, f"that of {snapshot.stream} is not the state after record {after.seq}.")


def _hides_cards(fold: Fold | None) -> bool:
    return isinstance(fold, TableFold) and fold.hides_cards
