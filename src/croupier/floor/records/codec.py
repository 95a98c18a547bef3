"""How commands, answers, facts and states are written as JSON and read back: one decoder for each stream."""

from __future__ import annotations

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

encode = msgspec.json.Encoder(enc_hook=plain).encode
"""Write a fact, a command, an answer or a state."""

TABLE_FACTS: Decoder[TableFact] = Decoder(TableFact)
LINK_FACTS: Decoder[LinkFact] = Decoder(LinkFact)
HOUSE_FACTS: Decoder[HouseFact] = Decoder(HouseFact)
CASHIER_FACTS: Decoder[CashierFact] = Decoder(CashierFact)
PEOPLE_FACTS: Decoder[PeopleFact] = Decoder(PeopleFact)
PLAYER_FACTS: Decoder[PlayerFact] = Decoder(PlayerFact)
"""Decoders of data in today's form; a record that an earlier release may have written goes through a function below."""

COMMAND: Decoder[HouseCommand] = Decoder(HouseCommand)
ANSWER = Decoder(Answer)
ROUND_STATE = Decoder(Round)
LINK_STATE = Decoder(Link, dec_hook=indexed)


def table_fact(record: Record) -> TableFact:
    """Read a record of a table."""
    return TABLE_FACTS.decode(VERSIONS.raised(record))


def round_number(opening: Record) -> int:
    """Return the number of a round from the record of its opening."""
    fact = table_fact(opening)
    assert isinstance(fact, RoundOpened), "a round begins with its opening"
    return fact.number


def link_fact(record: Record) -> LinkFact:
    """Read a record of a link."""
    return LINK_FACTS.decode(VERSIONS.raised(record))


def house_fact(record: Record) -> HouseFact:
    """Read a record of the house."""
    return HOUSE_FACTS.decode(VERSIONS.raised(record))


def cashier_fact(record: Record) -> CashierFact:
    """Read a record of the cashier."""
    return CASHIER_FACTS.decode(VERSIONS.raised(record))


def people_fact(record: Record) -> PeopleFact:
    """Read a record of the people."""
    return PEOPLE_FACTS.decode(VERSIONS.raised(record))


def player_fact(record: Record) -> PlayerFact:
    """Read a record of what the house remembers of players."""
    return PLAYER_FACTS.decode(VERSIONS.raised(record))
