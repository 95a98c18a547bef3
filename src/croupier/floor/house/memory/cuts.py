"""Cuts: where a table's first records have left the database for an archive, and the state to go on from."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from croupier.floor.records.codec import ANSWER, ROUND_STATE, encode
from croupier.floor.records.examined_hands import TableReader
from croupier.floor.records.facts import DeckCommitted, DeckOpened, TableArchived, TableFact
from croupier.floor.records.streams import link_stream, table_stream
from croupier.floor.records.tables import Table, terms_of
from croupier.journal.records import GENESIS, ChainBroken, Record, checked, sealed_state
from croupier.journal.store import Answered, Head, Snapshot, Store
from croupier.money import Money
from croupier.rounds.evolve import evolve
from croupier.rounds.state import Round, new_table

_PIECE = 512
"""Records read at a time."""
_LARGEST_STATE = 1 << 24
"""Bytes of an uncompressed state."""


def pack_round(state: Round) -> bytes:
    """Compress a Round as a fact keeps it."""
    return zlib.compress(encode(state), 9)


def unpack_round(data: bytes) -> Round:
    """Read the Round that a fact keeps; raises ChainBroken."""
    try:
        return ROUND_STATE.decode(zlib.decompressobj().decompress(data, _LARGEST_STATE))
    except (zlib.error, msgspec.MsgspecError):
        raise ChainBroken("The state of a table that was archived cannot be read.") from None


def same_state(data: bytes, state: Round) -> bool:
    """Return whether a fact keeps this Round."""
    return unpack_round(data) == ROUND_STATE.decode(encode(state))


def cut_snapshot(fact: TableArchived) -> Snapshot:
    """Return the state right after the records that have left, for a table without a sound snapshot."""
    last = bytes.fromhex(fact.hash)
    return Snapshot(table_stream(fact.table), fact.seq, last, sealed_state(last, encode(unpack_round(fact.state))))


def last_cut(archived: Sequence[TableArchived]) -> Head:
    """Return the head that the first record in the database is chained to."""
    return Head(archived[-1].seq, bytes.fromhex(archived[-1].hash)) if archived else Head(0, GENESIS)


class Carried:
    """The state, the sums by account and the link's position after some records of a table."""

    def __init__(self, state: Round, link: str | None) -> None:
        self.state, self.head = state, Head(0, GENESIS)
        self.moved: Counter[str] = Counter()
        self.link_seq = 0
        self._link = None if link is None else link_stream(link)

    def enter(self, record: Record, fact: TableFact, postings: Mapping[str, Money], answered: Answered | None) -> None:
        if not isinstance(fact, DeckCommitted | DeckOpened):
            self.state = evolve(self.state, fact)
        for account, amount in postings.items():
            self.moved[account] += amount
        self.head = Head(record.seq, record.hash)
        if answered is not None and self._link is not None:
            answer = ANSWER.decode(answered.answer)
            self.link_seq = max(self.link_seq, answer.heads.get(self._link, 0), answer.stood.get(self._link, 0))


def carry_to(store: Store, table: Table, seq: int) -> Carried:
    """Read a table from its last cut up to this record; raises ChainBroken where that cannot be followed."""
    stream, before = table_stream(table.name), last_cut(table.archived)
    opened = terms_of(table.config)
    state = unpack_round(table.archived[-1].state) if table.archived else new_table(opened.boxes)
    carried, reader = Carried(state, table.config.link), TableReader(store, table.name)
    at = before.seq
    while at < seq:
        piece = list(store.read(stream, at, min(_PIECE, seq - at)))
        if not piece:
            raise ChainBroken(f"{stream}: record {at + 1} is missing.")
        for record, postings, answered in read_entered(store, piece, before):
            carried.enter(record, reader.fact(record), postings, answered)
        before = carried.head
        at = before.seq
    if reader.unread:
        raise ChainBroken(next(iter(reader.unread.values())))
    return carried


def read_entered(
    store: Store, piece: Sequence[Record], before: Head
) -> Iterable[tuple[Record, Mapping[str, Money], Answered | None]]:
    """Check consecutive records, and return each with its postings and the answer to its command."""
    postings = store.postings(piece[0].stream, [record.seq for record in piece])
    answers = store.answers(list({record.command for record in piece}))
    for record in checked(piece, before=before.hash, seq=before.seq):
        yield record, postings.get(record.seq, {}), answers.get(record.command)
