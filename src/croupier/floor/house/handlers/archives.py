"""Archives: the first records of a table leave the database."""

from __future__ import annotations

from croupier.floor.house.memory.cuts import carry_to, last_cut, pack_round
from croupier.floor.house.transaction import Transaction
from croupier.floor.records.commands import ArchiveTable
from croupier.floor.records.facts import TableArchived
from croupier.floor.records.refusals import Code, Refused
from croupier.floor.records.streams import HOUSE, table_stream
from croupier.floor.records.tables import Table
from croupier.journal.store import Cut
from croupier.rounds.events import RoundOpened
from croupier.structs import extended


def archive_table(transaction: Transaction, asked: ArchiveTable) -> None:
    """Let a table's first records leave. A Round is never parted, and the last one always stays."""
    table, store = transaction.table(asked.table), transaction.house.store
    _check_cut(transaction, table, asked)
    carried = carry_to(store, table, asked.seq)
    fact = extended(
        TableArchived,
        asked,
        after=carried.state.number,
        link_seq=carried.link_seq,
        carried=dict(sorted(carried.moved.items())),
        state=pack_round(carried.state),
    )
    transaction.record(HOUSE, fact)
    cut = Cut(table.name, table_stream(table.name), asked.seq, fact.after)
    transaction.seldom.archived.append((fact, cut))


def _check_cut(transaction: Transaction, table: Table, asked: ArchiveTable) -> None:
    if not asked.by or not asked.file:
        raise Refused(Code.BAD_ARCHIVE, "An archive names its file and the person who made it.")
    if asked.seq <= last_cut(table.archived).seq:
        raise Refused(Code.BAD_ARCHIVE, f"The records of {table.name} up to {asked.seq} are already archived.")
    following = list(transaction.house.store.read(table_stream(table.name), asked.seq - 1, 2))
    begins = (
        len(following) == 2
        and [record.seq for record in following] == [asked.seq, asked.seq + 1]
        and following[1].type == RoundOpened.__name__
        and following[0].command != following[1].command
    )
    if not begins:
        raise Refused(Code.BAD_ARCHIVE, f"No round of {table.name} begins after record {asked.seq}.")
    if following[0].hash.hex() != asked.hash:
        raise Refused(Code.BAD_ARCHIVE, f"Record {asked.seq} of {table.name} has another hash.")
