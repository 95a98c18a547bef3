"""Exports of rounds: a self-contained file with everything that happened in them and why, which checks itself."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec

from croupier.floor.duties.permissions import Post
from croupier.floor.history.played_rounds import NoRecord, NoSuchRound, Past, to_prove
from croupier.floor.house.house import House
from croupier.floor.house.witness import inclusion_in
from croupier.floor.people.people import Person
from croupier.floor.records.committed_decks import Chance
from croupier.floor.records.tables import Table
from croupier.journal.store import Store, StoreError
from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.readings import readings_of
from croupier.rulebooks.vocabulary import Rulebook

FORMAT = "croupier-rounds-1"
_ROUNDS = re.compile(r"(?P<table>.+):(?P<first>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9}))?")
_MOST = 10_000

AUDITOR = Person("", Post.AUDITOR, "")
"""Made by the house for itself, an export is whole."""

RoundKey: TypeAlias = tuple[str, int]


class BadChoice(ValueError):
    """These rounds cannot be exported; the message is one sentence."""


def chosen(texts: Iterable[str]) -> list[RoundKey]:
    """Parse the chosen rounds: `T1:5` is one, `T1:5-9` are five; several are separated by commas. Raises BadChoice."""
    rounds: list[RoundKey] = []
    for text in (part.strip() for several in texts for part in several.split(",")):
        found = _ROUNDS.fullmatch(text)
        if found is None:
            raise BadChoice(f"{text[:40]!r} does not name rounds: write a table and a number, as in T1:5, or T1:5-9.")
        first, last = int(found["first"]), int(found["last"] or found["first"])
        if last < first or len(rounds) + last - first >= _MOST:
            raise BadChoice(f"{text[:40]!r} is not a span of at most {_MOST} rounds.")
        rounds.extend((found["table"], number) for number in range(first, last + 1))
    return rounds


def reading_house(store: Store) -> House:
    """Return a house that deals and runs nothing: it only knows its tables."""
    return House(store, Chance(secrets.randbelow, secrets.token_bytes), runs=lambda _: False)


def exported(
    store: Store, rounds: Sequence[RoundKey], person: Person = AUDITOR, witness: Path | None = None
) -> Mapping[str, object]:
    """Export one round as its own record, several as a list of records; `croupier verify` checks each.

    Made for a player, it leaves out the cards that this player has not seen. With a witness's file it carries proofs
    against checkpoints.
    """
    house = reading_house(store)
    past = Past(house, lambda: store)
    records = []
    for name, number in rounds:
        table = house.tables.get(name)
        if table is None:
            raise BadChoice(f'There is no table "{name}": the tables are {", ".join(house.tables) or "none"}.')
        try:
            record = past.record(table, number, person)
        except (NoSuchRound, NoRecord) as wrong:
            raise BadChoice(str(wrong)) from None
        if witness is not None:
            record = msgspec.structs.replace(record, witness=inclusion_in(witness, store, to_prove(record)))
        told = msgspec.to_builtins(record)
        records.append({**told, **with_reasons(store, past.as_it_was(table, number), told)})
    return records[0] if len(records) == 1 else {"format": FORMAT, "rounds": records}


def with_reasons(store: Store, table: Table, record: Mapping[str, object]) -> dict[str, object]:
    """Collect the table's terms, the ledger entries, and the cited paragraphs in our words."""
    cited: dict[str, None] = {}
    entries: list[dict[str, object]] = []
    for part in ("records", "on_the_link"):
        records = record[part]
        assert isinstance(records, list)
        by_stream: dict[str, list[int]] = {}
        for entry in records:
            fact = msgspec.json.decode(entry["data"]) if "data" in entry else {}
            cited.update(dict.fromkeys((*fact.get("rules", ()), *fact.get("line", {}).get("rules", ()))))
            by_stream.setdefault(entry["stream"], []).append(entry["seq"])
        for stream, seqs in by_stream.items():
            moved = store.postings(stream, seqs)
            entries += [{"stream": stream, "seq": seq, "postings": moved[seq]} for seq in seqs if seq in moved]
    return {
        "terms": msgspec.to_builtins(table.config),
        "entries": entries,
        "paragraphs": _words(table.terms.book, cited),
    }


def _words(book: Rulebook, cited: Iterable[str]) -> dict[str, str]:
    game, chosen = book.edition, book.readings.in_force
    known, readings = paragraphs(game), readings_of(game)
    words = {}
    for rule in cited:
        if rule in known:
            words[rule] = known[rule].text
        elif rule in readings:
            reading, letters = readings[rule], chosen.get(rule, "").split("+")
            answer = (reading.options[letter] for letter in letters if letter in reading.options)
            words[rule] = " ".join((reading.question, *answer))
        else:
            raise StoreError(f"{game} has no paragraph {rule}, which the journal cites.")
    return words
