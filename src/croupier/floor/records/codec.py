"""How commands, answers, facts and states are written as JSON and read back: one decoder for each stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec.json import Decoder

from croupier.floor.records.commands import Answer, HouseCommand
from croupier.floor.records.facts import CashierFact, HouseFact, LinkFact, PlayerFact, TableFact
from croupier.floor.records.people_facts import PeopleFact
from croupier.floor.records.upcasters import VERSIONS
from croupier.jackpots.link import Link, indexed, plain
from croupier.journal.records import Record
from croupier.rounds.events import RoundOpened
from croupier.rounds.state import Round

T = TypeVar("T")

encode = msgspec.json.Encoder(enc_hook=plain).encode
"""Write a fact, a command, an answer or a state."""

TABLE_FACTS: Decoder[TableFact] = Decoder(TableFact)
LINK_FACTS: Decoder[LinkFact] = Decoder(LinkFact)
HOUSE_FACTS: Decoder[HouseFact] = Decoder(HouseFact)
"""Decoders of data in today's form; a record that an earlier release may have written goes through a function below."""

COMMAND: Decoder[HouseCommand] = Decoder(HouseCommand)
ANSWER = Decoder(Answer)
ROUND_STATE = Decoder(Round)
LINK_STATE = Decoder(Link, dec_hook=indexed)


def _reader(decoder: Decoder[T]) -> Callable[[Record], T]:
    return lambda record: decoder.decode(VERSIONS.raised(record))


table_fact = _reader(TABLE_FACTS)
link_fact = _reader(LINK_FACTS)
house_fact = _reader(HOUSE_FACTS)
cashier_fact: Callable[[Record], CashierFact] = _reader(Decoder(CashierFact))
people_fact: Callable[[Record], PeopleFact] = _reader(Decoder(PeopleFact))
player_fact: Callable[[Record], PlayerFact] = _reader(Decoder(PlayerFact))
"""Each reads a record of one kind of stream."""


def round_number(opening: Record) -> int:
    """Return the number of a round from the record of its opening."""
    fact = table_fact(opening)
    assert isinstance(fact, RoundOpened), "a round begins with its opening"
    return fact.number
