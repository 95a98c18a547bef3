"""What dealers have entered at their consoles since this server began: who sits where, and hand-overs.

No money moves, so nothing is journalled. After a restart the journal still tells who bet last at each box.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from croupier.floor.history.last_players import Seated
from croupier.floor.records.tables import Table
from croupier.floor.views.dealer_steps import HandedOver
from croupier.rulebooks.vocabulary import BoxNo


class TableNotes(msgspec.Struct):
    """Notes about one table."""

    seats: dict[BoxNo, Seated] = {}
    """Who bought in at a box, or an empty name where they took all their chips away."""
    handed_over: HandedOver | None = None
    """The last hand-over that was signed."""

    def seat(self, table: Table, box: BoxNo, player: str) -> None:
        """Note who sits at a box from now on; an empty name for no player."""
        self.seats[box] = Seated(table.seq, player)


Notes: TypeAlias = dict[str, TableNotes]
TheNotes: TypeAlias = SkipValidation[NamedDependency[Notes]]


def patron(table: str, box: BoxNo) -> str:
    """Return the account of a patron whom the house knows by table and box alone."""
    return f"{table} box {box}"
