"""Rounds for whoever asks: a self-contained file with everything that happened in them and why, which checks itself."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from croupier.floor.decks import Chance
from croupier.floor.following import ENCODE, LINK_FACTS, TABLE_FACTS
from croupier.floor.house import House
from croupier.floor.past import NoSuchRound, Past, StillInPlay
from croupier.floor.tables import VERSIONS, Table, link_stream
from croupier.journal.records import Record
from croupier.journal.store import Store, StoreError
from croupier.ledger.entries import TableAccounts
from croupier.rounds.evolve import evolve
from croupier.rounds.state import new_table
from croupier.rulebooks.citing import paragraphs
from croupier.rulebooks.readings import readings_of

FORMAT = "croupier-rounds-1"
_ROUNDS = re.compile(r"(?P<table>.+):(?P<first>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9}))?")
_MOST = 10_000

RoundKey: TypeAlias = tuple[str, int]


class BadChoice(ValueError):
    """These rounds cannot be exported; the message is one sentence."""


def chosen(texts: Iterable[str]) -> list[RoundKey]:
    """`T1:5` is one round, `T1:5-9` are five; several are separated by commas."""
    rounds: list[RoundKey] = []
    for text in (part.strip() for several in texts for part in several.split(",")):
        found = _ROUNDS.fullmatch(text)
        if found is None:
            raise BadChoice(f"{text[:40]!r} names no rounds: write a table and a number, as in T1:5, or T1:5-9.")
        first, last = int(found["first"]), int(found["last"] or found["first"])
        if last < first or len(rounds) + last - first >= _MOST:
            raise BadChoice(f"{text[:40]!r} is no span of at most {_MOST} rounds.")
        rounds.extend((found["table"], number) for number in range(first, last + 1))
    return rounds


def exported(store: Store, rounds: Sequence[RoundKey]) -> Mapping[str, object]:
    """One round as its own record, several as a list of such records; `croupier verify` checks each."""
    # Nothing is dealt and nothing run: this house only knows its tables.
    house = House(store, Chance(secrets.randbelow, secrets.token_bytes), runs=lambda _: False)
    past = Past(house, lambda: store)
    records = []
    for name, number in rounds:
        table = house.tables.get(name)
        if table is None:
            raise BadChoice(f'There is no table "{name}": the tables are {", ".join(house.tables) or "none"}.')
        try:
            record = past.record(table, number)
        except (NoSuchRound, StillInPlay) as wrong:
            raise BadChoice(str(wrong)) from None
        records.append({**record, **_with_reasons(store, past.as_it_was(table, number), number, record)})
    return records[0] if len(records) == 1 else {"format": FORMAT, "rounds": records}


def _with_reasons(store: Store, table: Table, number: int, record: Mapping[str, object]) -> dict[str, object]:
    """The table's terms, what moved in the ledger, what it did on the link, and the paragraphs in our words."""
    entries = record["records"]
    assert isinstance(entries, list)
    facts = [TABLE_FACTS.decode(entry["data"]) for entry in entries]
    cited: dict[str, None] = {}
    moved = []
    state, ledger = new_table(table.terms.boxes), TableAccounts(table.name, table.config.link)
    for entry, fact in zip(entries, facts, strict=True):
        cited.update(dict.fromkeys(getattr(fact, "rules", ())))
        if entry["type"] in ("DeckCommitted", "DeckOpened"):
            continue
        money = ledger.round_entry(state, fact)
        if money is not None:
            moved.append({"seq": entry["seq"], "postings": dict(money.postings)})
        state = evolve(state, fact)
    return {
        "terms": msgspec.to_builtins(table.config),
        "entries": moved,
        "on_the_link": list(_on_the_link(store, table, number)),
        "paragraphs": _words(table.terms.book.game, cited),
    }


def _on_the_link(store: Store, table: Table, number: int) -> Iterator[dict[str, object]]:
    """What the link's own stream says of this round: contributions, its place in the order of deals, payments."""
    if table.config.link is None:
        return
    named = b'"table":' + ENCODE(table.name)
    for record in store.read(link_stream(table.config.link)):
        if named in record.data and _is_of(record, table.name, number):
            yield {
                "seq": record.seq,
                "at": record.at,
                "event": msgspec.json.decode(record.data),
                "hash": record.hash.hex(),
            }


def _is_of(record: Record, table: str, number: int) -> bool:
    fact = LINK_FACTS.decode(VERSIONS.raised(record))
    return (getattr(fact, "table", ""), getattr(fact, "round", 0)) == (table, number)


def _words(game: str, cited: Iterable[str]) -> dict[str, str]:
    known, readings = paragraphs(game), readings_of(game)
    words = {}
    for rule in cited:
        if rule in known:
            words[rule] = known[rule].text
        elif rule in readings:
            words[rule] = readings[rule].question
        else:
            raise StoreError(f"{game} has no paragraph {rule}, which the journal cites.")
    return words
