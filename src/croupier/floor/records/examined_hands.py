"""Hands that players have looked at: on disk by their place in the deck, in memory with their cards.

A record stays as it was written, so a look that had its cards in it could be read while the Round is in play. It names
positions of the deck instead. The deck is sealed as long as the Round is in play and open afterwards, and the look with
it.
"""

from __future__ import annotations

from msgspec.structs import replace

from croupier.floor.records.codec import table_fact
from croupier.floor.records.committed_decks import Deck, opened_deck
from croupier.floor.records.facts import TableFact
from croupier.floor.records.keys import NO_KEYS, BadKeys, Keys
from croupier.floor.records.tables import DealKey
from croupier.journal.records import ChainBroken, Record
from croupier.journal.store import Store
from croupier.rounds.events import HandExamined, RoundEvent
from croupier.rounds.state import Round, Stage

NOTHING_HIDDEN = (Stage.IDLE, Stage.SETTLED, Stage.VOID)
"""Stages at which every deck of the table's Rounds has been opened."""


def as_recorded(event: RoundEvent) -> RoundEvent:
    """Return an event as its record has it: a look at a committed deck without its cards."""
    return replace(event, cards=()) if type(event) is HandExamined and event.at else event


def with_cards(look: HandExamined, deck: Deck) -> HandExamined:
    """Add the cards to a look; raises ChainBroken where its place is not in the deck."""
    if not all(0 <= position < len(deck.shoe) for position in look.at):
        raise ChainBroken(f"A look at box {look.box} names a place that is not in the deck.")
    return replace(look, cards=tuple(deck.shoe[position] for position in look.at))


def hides_cards(state: Round) -> bool:
    """Return whether a Player has looked at a Hand of this Round that the others may not see yet."""
    return state.stage not in NOTHING_HIDDEN and any(box.seen_by and not box.face_up for box in state.boxes)


class TableReader:
    """Reads the records of one table, each look with the cards that its deck has there."""

    def __init__(self, store: Store, table: str, keys: Keys = NO_KEYS) -> None:
        """`keys` open decks in play; those of Rounds that are over need none."""
        self._store, self._table, self._keys = store, table, keys
        self._decks: dict[DealKey, Deck] = {}
        self.unread: dict[DealKey, str] = {}
        """By round and deal: why the looks at its deck have no cards here."""

    def fact(self, record: Record) -> TableFact:
        """Read a record; a look at a deck that cannot be opened stays without cards."""
        fact: TableFact = table_fact(record)
        if not isinstance(fact, HandExamined) or not fact.at:
            return fact
        try:
            return with_cards(fact, self._deck((fact.round, fact.deal)))
        except (BadKeys, ChainBroken) as wrong:
            self.unread[fact.round, fact.deal] = str(wrong)
            return fact

    def _deck(self, deal: DealKey) -> Deck:
        if deal not in self._decks:
            sealed = self._store.deck(self._table, *deal)
            if sealed is None:
                raise ChainBroken(f"The deck of round {deal[0]} at {self._table} is missing.")
            # Looks come in the order of their decks, so one deck at a time is enough.
            self._decks = {deal: opened_deck(self._keys, (self._table, *deal), sealed)}
        return self._decks[deal]
