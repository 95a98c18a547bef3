"""Cuts: where a table's records have left the database for an archive, and what is needed to go on after them."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from croupier.floor.house.transaction import Refused, Work
from croupier.floor.records.codec import ANSWER, ROUND_STATE, encode, table_fact
from croupier.floor.records.commands import ArchiveTable
from croupier.floor.records.facts import DeckCommitted, DeckOpened, TableArchived
from croupier.floor.records.streams import HOUSE, link_stream, table_stream
from croupier.floor.records.tables import Table, terms_of
from croupier.journal.records import GENESIS, ChainBroken, Record, checked, sealed_state
from croupier.journal.store import Answered, Cut, Head, Snapshot, Store
from croupier.money import Money
from croupier.rounds.events import RoundOpened
from croupier.rounds.evolve import evolve
from croupier.rounds.state import Round, new_table

_PIECE = 512
"""Records that are read at a time."""
_LARGEST_STATE = 1 << 24
"""Bytes."""


def packed(state: Round) -> bytes:
    """A Round as a fact keeps it."""
    return zlib.compress(encode(state), 9)


def unpacked(data: bytes) -> Round:
    """The Round that a fact keeps; raises ChainBroken where it is none."""
    try:
        return ROUND_STATE.decode(_plain(data))
    except (zlib.error, msgspec.MsgspecError):
        raise ChainBroken("The state of a table that was archived cannot be read.") from None


def _plain(data: bytes) -> bytes:
    reading = zlib.decompressobj()
    return reading.decompress(data, _LARGEST_STATE)


def same_state(data: bytes, state: Round) -> bool:
    """Whether a fact keeps this Round."""
    return unpacked(data) == ROUND_STATE.decode(encode(state))


def cut_snapshot(fact: TableArchived) -> Snapshot:
    """Where a table goes on that has no sound snapshot: right after what has left."""
    last = bytes.fromhex(fact.hash)
    return Snapshot(table_stream(fact.table), fact.seq, last, sealed_state(last, encode(unpacked(fact.state))))


def last_cut(archived: Sequence[TableArchived]) -> Head:
    """What the first record in the database is chained to."""
    return Head(archived[-1].seq, bytes.fromhex(archived[-1].hash)) if archived else Head(0, GENESIS)


class Carried:
    """What a table's records come to, read one after the other."""

    def __init__(self, state: Round, link: str | None) -> None:
        self.state, self.head = state, Head(0, GENESIS)
        self.moved: Counter[str] = Counter()
        self.link_seq = 0
        self._link = None if link is None else link_stream(link)

    def enter(self, record: Record, postings: Mapping[str, Money], answered: Answered | None) -> None:
        fact = table_fact(record)
        if not isinstance(fact, DeckCommitted | DeckOpened):
            self.state = evolve(self.state, fact)
        for account, amount in postings.items():
            self.moved[account] += amount
        self.head = Head(record.seq, record.hash)
        if answered is not None and self._link is not None:
            answer = ANSWER.decode(answered.answer)
            self.link_seq = max(self.link_seq, answer.heads.get(self._link, 0), answer.stood.get(self._link, 0))


def carried_to(store: Store, table: Table, seq: int) -> Carried:
    """Everything of a table from its last cut up to this record; raises ChainBroken where that cannot be followed."""
    stream, before = table_stream(table.name), last_cut(table.archived)
    opened = terms_of(table.config)
    state = unpacked(table.archived[-1].state) if table.archived else new_table(opened.boxes)
    carried = Carried(state, table.config.link)
    at = before.seq
    while at < seq:
        piece = list(store.read(stream, at, min(_PIECE, seq - at)))
        if not piece:
            raise ChainBroken(f"{stream}: record {at + 1} is missing.")
        for record, postings, answered in entered(store, piece, before):
            carried.enter(record, postings, answered)
        before = carried.head
        at = before.seq
    return carried


def entered(
    store: Store, piece: Sequence[Record], before: Head
) -> Iterable[tuple[Record, Mapping[str, Money], Answered | None]]:
    """Records that follow on one, each checked, with what it moved and the answer to its command."""
    postings = store.postings(piece[0].stream, [record.seq for record in piece])
    answers = store.answers(list({record.command for record in piece}))
    for record in checked(piece, before=before.hash, seq=before.seq):
        yield record, postings.get(record.seq, {}), answers.get(record.command)


def archive_table(work: Work, asked: ArchiveTable) -> None:
    """Let a table's first records leave. A Round is never parted, and the last one always stays."""
    table = work.table(asked.table)
    stream, store = table_stream(table.name), work.house.store
    if not asked.by or not asked.file:
        raise Refused("bad_archive", "An archive has a file, and somebody who made it.")
    if asked.seq <= last_cut(table.archived).seq:
        raise Refused("bad_archive", f"The records of {table.name} up to {asked.seq} are archived already.")
    following = list(store.read(stream, asked.seq - 1, 2))
    begins = (
        len(following) == 2
        and [record.seq for record in following] == [asked.seq, asked.seq + 1]
        and following[1].type == RoundOpened.__name__
        and following[0].command != following[1].command
    )
    if not begins:
        raise Refused("bad_archive", f"No round of {table.name} begins after record {asked.seq}.")
    if following[0].hash.hex() != asked.hash:
        raise Refused("bad_archive", f"Record {asked.seq} of {table.name} has another hash.")
    carried = carried_to(store, table, asked.seq)
    fact = TableArchived(
        table=table.name,
        by=asked.by,
        before=asked.before,
        after=carried.state.number,
        seq=asked.seq,
        hash=asked.hash,
        file=asked.file,
        sha256=asked.sha256,
        link_seq=carried.link_seq,
        carried=dict(sorted(carried.moved.items())),
        state=packed(carried.state),
    )
    work.record(HOUSE, fact)
    work.archived.append((fact, Cut(table.name, stream, asked.seq, fact.after)))
