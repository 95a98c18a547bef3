"""The rulings of the round that stands at a table, read from the journal: the dealer carries them out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from croupier.floor.records.codec import table_fact
from croupier.floor.records.people_facts import PersonName
from croupier.floor.records.streams import table_stream
from croupier.floor.views.dealer_steps import RulingNote
from croupier.floor.views.moments import moment_text
from croupier.journal.store import Store, Wanted
from croupier.rounds.events import RulingGiven


def given_rulings(store: Store, table: str, carried_out: Mapping[int, PersonName]) -> Iterator[RulingNote]:
    """Yield what was ruled in the newest round of a table, the oldest ruling first, and who has carried it out."""
    stream = table_stream(table)
    for opening in store.rounds(stream, Wanted(limit=1)):
        for record in store.read(stream, opening.seq):
            if record.type != RulingGiven.__name__:
                continue
            fact = table_fact(record)
            assert isinstance(fact, RulingGiven)
            yield RulingNote(
                number=record.seq,
                decision=fact.decision,
                by=fact.by.slug,
                who=fact.who,
                text=fact.text,
                boxes=fact.boxes,
                at=moment_text(record.at),
                carried_out_by=carried_out.get(record.seq, ""),
            )
