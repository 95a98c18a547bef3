"""Who bet last at each box of a table."""

from __future__ import annotations

from typing import NamedTuple

from croupier.floor.records.codec import table_fact
from croupier.floor.records.streams import table_stream
from croupier.journal.store import Store, Wanted
from croupier.rounds.commands import PlayerName
from croupier.rounds.events import BetPlaced
from croupier.rulebooks.vocabulary import BoxNo

ROUNDS = 10
"""Rounds that are looked at; a box where nobody bet for longer has no player."""


class Seated(NamedTuple):
    """The player of a box, from a record of the table's stream on."""

    seq: int
    player: PlayerName


def last_players(store: Store, table: str) -> dict[BoxNo, Seated]:
    """Read who bet last at each box, also where the bet was taken back."""
    stream, found = table_stream(table), dict[BoxNo, Seated]()
    openings = store.rounds(stream, Wanted(limit=ROUNDS))
    if not openings:
        return found
    for record in store.read(stream, openings[-1].seq - 1):
        if record.type == BetPlaced.__name__:
            fact = table_fact(record)
            assert isinstance(fact, BetPlaced)
            found[fact.box] = Seated(record.seq, fact.player)
    return found
