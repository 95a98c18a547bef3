"""Snapshots: states that spare a start the reading of every record, sealed with the hash of the record they follow."""

from __future__ import annotations

import msgspec

from croupier.floor.house.memory.cuts import cut_snapshot
from croupier.floor.records.codec import LINK_STATE, ROUND_STATE, encode
from croupier.floor.records.streams import table_stream
from croupier.floor.records.tables import Table
from croupier.jackpots.link import Link
from croupier.journal.records import ChainBroken, sealed_state, state_in
from croupier.journal.store import Head, Snapshot, Store
from croupier.rounds.state import Round

SNAPSHOT_AFTER = 400
"""Records of a stream between two snapshots."""


def snapshot_of(stream: str, head: Head, state: msgspec.Struct) -> Snapshot:
    """Seal the state of a stream after its last record."""
    return Snapshot(stream, head.seq, head.hash, sealed_state(head.hash, encode(state)))


def sound_snapshot(store: Store, stream: str) -> Snapshot | None:
    """Return a stream's snapshot; None for a damaged one, since the records hold everything it held."""
    snapshot = store.snapshot(stream)
    if snapshot is not None:
        try:
            state_in(snapshot.hash, snapshot.data)
        except ChainBroken:
            return None
    return snapshot


def table_snapshot(store: Store, table: Table) -> Snapshot | None:
    """Return the snapshot of a table, or the state after the records that were archived."""
    snapshot = sound_snapshot(store, table_stream(table.name))
    if snapshot is None and table.archived:
        return cut_snapshot(table.archived[-1])
    return snapshot


def round_in(snapshot: Snapshot) -> Round:
    """Read the Round of a table's snapshot."""
    return ROUND_STATE.decode(state_in(snapshot.hash, snapshot.data))


def link_in(state: bytes) -> Link | None:
    """Read the state of a link; None where an earlier release wrote it in another form."""
    try:
        return LINK_STATE.decode(state)
    except msgspec.ValidationError:
        return None
