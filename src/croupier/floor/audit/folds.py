"""Streams as folds: the state of each after every record, and the entry that a record makes in the ledger."""

from __future__ import annotations

from typing import Protocol

import msgspec

from croupier.cards import DECK
from croupier.floor.audit.academy_check import grading_differs
from croupier.floor.audit.findings import Differs
from croupier.floor.audit.milestone import Digest
from croupier.floor.audit.ordered_rows import OrderedRows
from croupier.floor.audit.own_limit_check import play_differs
from croupier.floor.audit.terms_history import TermsHistory
from croupier.floor.people.people import People, evolve_people
from croupier.floor.people.second_signature import check_two_people, closing_differs, why_two
from croupier.floor.records import facts
from croupier.floor.records.codec import (
    LINK_STATE,
    ROUND_STATE,
    cashier_fact,
    encode,
    house_fact,
    link_fact,
    people_fact,
    player_fact,
    table_fact,
)
from croupier.floor.records.commands import EnrolPerson
from croupier.floor.records.committed_decks import Deck, DeckPlace, is_sealed, opened_deck
from croupier.floor.records.examined_hands import hides_cards, with_cards
from croupier.floor.records.keys import BadKeys, Keys
from croupier.floor.records.people_facts import MeasureProposed, PersonEnrolled, PersonErased
from croupier.floor.records.play_facts import DemoChipsTaken
from croupier.floor.records.refusals import Refused
from croupier.floor.records.streams import CASHIER, PLAYERS, link_stream, table_stream
from croupier.floor.records.tables import opening_terms
from croupier.floor.records.upcasters import VERSIONS
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Link, new_link
from croupier.journal.records import ChainBroken, Record
from croupier.journal.store import Row
from croupier.ledger.entries import Entry, TableAccounts, cashier_entry, demo_entry, link_entry, seed_entry
from croupier.rounds.events import CardsTurned, HandExamined, RoundEvent, RoundOpened, RoundReopened
from croupier.rounds.evolve import evolve
from croupier.rounds.state import new_table
from croupier.structs import extended

MEETS_THE_STATE = frozenset((CardsTurned, HandExamined, RoundOpened, RoundReopened))
"""Events that are held against the state they meet, or whose entry follows from it."""


class Fold(Protocol):
    """A stream's state, moved on by its facts."""

    def enter(self, record: Record) -> Entry | None:
        """Return the entry of a record; raises Differs, or any exception that a changed record causes."""

    def state(self) -> bytes | None:
        """Return the state as a snapshot holds it."""


class PlainFold:
    """The cashier, the house, and what it remembers of players."""

    def __init__(self, stream: str, tables: dict[str, TermsHistory]) -> None:
        self.stream, self.tables = stream, tables

    def enter(self, record: Record) -> Entry | None:
        if self.stream == CASHIER:
            fact = cashier_fact(record)
            _same_bytes(record, fact)
            if fact.amount <= 0:
                raise Differs(record.stream, record.seq, "the cashier takes and gives more than 0.00.")
            if isinstance(fact, facts.ColourChanged):
                return None
            return cashier_entry(fact.player, fact.amount if isinstance(fact, facts.BoughtIn) else -fact.amount)
        if self.stream == PLAYERS:
            _same_bytes(record, player_fact(record))
            return None
        told = house_fact(record)
        _same_bytes(record, told)
        history = self.tables.get(told.table)
        wrong = ""
        if isinstance(told, facts.TableOpened):
            wrong = "" if history is None else f"table {told.table} is opened twice."
            self.tables[told.table] = history or TermsHistory(told.config, opening_terms(told), record.at)
        else:
            wrong = f"there is no table {told.table}." if history is None else history.see(told, record.at)
        if wrong:
            raise Differs(record.stream, record.seq, wrong)
        return None

    def state(self) -> bytes | None:
        return None


class PeopleFold:
    """People, who is logged in, and what waits for a second signature."""

    def __init__(self) -> None:
        self.people = People()
        self.commitments: dict[str, str] = {}
        """To the name of every person whom the records know by an id."""
        self.proposed: dict[str, str] = {}
        """Likewise, of enrolments that were proposed."""

    def enter(self, record: Record) -> Entry | None:
        fact = people_fact(record)
        _same_bytes(record, fact)
        if isinstance(fact, PersonEnrolled):
            self._by_enough_people(record, fact)
            if fact.commitment:
                self.commitments[fact.name] = fact.commitment
        moment: int = getattr(fact, "at", 0)
        if moment not in (0, record.at):
            raise Differs(record.stream, record.seq, f"{record.type} names another moment than its record.")
        if isinstance(fact, MeasureProposed) and isinstance(fact.measure, EnrolPerson) and fact.measure.commitment:
            self.proposed[fact.measure.name] = fact.measure.commitment
        if isinstance(fact, PersonErased) and (fact.name not in self.commitments or fact.name in self.people.persons):
            raise Differs(record.stream, record.seq, f"{fact.name} had no name to erase, or could still log in.")
        if differs := grading_differs(self.people.academy, fact):
            raise Differs(record.stream, record.seq, differs)
        if differs := closing_differs(self.people, fact):
            raise Differs(record.stream, record.seq, differs)
        if differs := play_differs(self.people, fact, record.at):
            raise Differs(record.stream, record.seq, differs)
        self.people = evolve_people(self.people, fact)
        return demo_entry(fact.person, fact.amount) if isinstance(fact, DemoChipsTaken) else None

    def _by_enough_people(self, record: Record, fact: PersonEnrolled) -> None:
        if fact.at not in (0, record.at):
            raise Differs(record.stream, record.seq, f"{fact.name} was not enrolled at the moment of the record.")
        asked = extended(EnrolPerson, fact)
        if fact.second:
            try:
                check_two_people(self.people, fact.by, fact.second, record.at)
            except Refused as refused:
                raise Differs(record.stream, record.seq, str(refused)) from None
        if not fact.second and (why := why_two(self.people, asked, record.at)):
            raise Differs(record.stream, record.seq, f"one person enrolled {fact.name}. {why}")

    def state(self) -> bytes | None:
        return encode(self.people)


class LinkFold:
    """A link: its meter after every event, and what that does to its accounts."""

    def __init__(self, name: str) -> None:
        self.name, self.stream = name, link_stream(name)
        self.link: Link | None = None
        self.digest: Digest | None = None
        """Over its entries, where a milestone is read or made."""

    def enter(self, record: Record) -> Entry | None:
        fact = link_fact(record)
        _same_bytes(record, fact)
        if isinstance(fact, facts.LinkOpened):
            if self.link is not None:
                raise Differs(record.stream, record.seq, "a link is opened once.")
            self.link = new_link(fact.meter, fact.parameters)
            return seed_entry(self.name, fact.meter)
        if self.link is None:
            raise Differs(record.stream, record.seq, "a link begins with its opening.")
        before, self.link = self.link, evolve_link(self.link, fact)
        least = min(self.link.meter, self.link.reserve, self.link.overflow, self.link.locked)
        if not self.link.balances or least < 0:
            raise Differs(record.stream, record.seq, "the link does not add up after it.")
        return link_entry(self.name, before, self.link, fact)

    def take_up(self, state: bytes) -> None:
        """Go on from the state of a milestone."""
        self.link = LINK_STATE.decode(state)

    def state(self) -> bytes | None:
        return None if self.link is None else encode(self.link)


class TableFold:
    """A table: its Round after every event, its decks, and what that does to its accounts."""

    def __init__(self, name: str, history: TermsHistory, sealed: OrderedRows, keys: Keys) -> None:
        self.name, self.config, self.history, self.sealed = name, history.config, history, sealed
        self.keys, self.stream = keys, table_stream(name)
        self.digest: Digest | None = None
        """Over its entries and decks, where a milestone is read or made."""
        self.hidden: set[tuple[int, int]] = set()
        """Decks in play that cannot be opened here, by round and deal."""
        self.unseen: set[tuple[int, int, int]] = set()
        """Hands that were looked at and lie in such a deck, by round, deal and box."""
        self.round = new_table(history.terms.boxes)
        self.ledger = TableAccounts(name, history.config.link)
        self.decks: dict[tuple[int, int], Deck] = {}

    def enter(self, record: Record) -> Entry | None:
        fact: facts.TableFact = table_fact(record)
        _same_bytes(record, fact)
        return self.see(record, fact)

    def see(self, record: Record, fact: facts.TableFact) -> Entry | None:
        """Return the entry of a record that is this fact."""
        match fact:
            case facts.DeckCommitted():
                self._committed(record, fact)
                return None
            case facts.DeckOpened(round=number, deal=deal):
                if (number, deal) in self.hidden:
                    raise Differs(record.stream, record.seq, f"the deck of round {number} is over and still sealed.")
                deck = self.decks.get((number, deal))
                if deck is None or facts.DeckOpened.of(number, deal, deck) != fact:
                    raise Differs(record.stream, record.seq, "the deck that was opened is not the one that was sealed.")
                return None
        fact = self.checked(record, fact)
        moved = self.ledger.round_entry(self.round, fact)
        self.round = evolve(self.round, fact)
        return moved

    def checked(self, record: Record, fact: RoundEvent) -> RoundEvent:
        """Compare cards with the deck they come from; return a look with its cards."""
        match fact:
            case CardsTurned(cards=turned):
                for place, seen in turned.items():
                    already = len(self.round.community) if place == "community" else 0
                    self._from_the_deck(record, self.round.ordinals(place)[already:], seen)
            case HandExamined(at=at) if at:
                return self._looked_up(record, fact)
            case HandExamined(box=box, cards=seen) if seen:
                self._from_the_deck(record, self.round.ordinals(str(box)), seen)
            case RoundOpened():
                self.decks.clear()
                self.hidden.clear()
                self.unseen.clear()
            case _:
                pass
        return fact

    def _committed(self, record: Record, fact: facts.DeckCommitted) -> None:
        key = (self.name, fact.round, fact.deal)
        row = self._take(key)
        if row is None:
            raise Differs(record.stream, record.seq, f"the deck of round {fact.round}, deal {fact.deal}, is missing.")
        data = row[3]
        if isinstance(data, bytes) and is_sealed(data, self.keys):
            self.hidden.add((fact.round, fact.deal))
            return
        try:
            assert isinstance(data, bytes)
            deck = opened_deck(self.keys, key, data)
            sound = set(deck.shoe) == set(DECK) and (encode(deck.sealed) == data or not data.startswith(b"{"))
        except (AssertionError, ChainBroken, BadKeys):
            sound = False
        else:
            sound = sound and facts.DeckCommitted.of(fact.round, fact.deal, deck) == fact
            self.decks[fact.round, fact.deal] = deck
            deck.known_commitment = fact.commitment if sound else ""
        if not sound:
            raise Differs(
                record.stream, record.seq, f"the deck of round {fact.round} is not the one that was committed to."
            )

    def _take(self, place: DeckPlace) -> Row | None:
        row = self.sealed.take(place)
        if self.digest is not None and row is not None:
            self.digest.add([row])
        return row

    def pass_over(self, record: Record) -> None:
        """Take the deck of a Round that was audited before."""
        fact: facts.TableFact = table_fact(record)
        if isinstance(fact, facts.DeckCommitted):
            self._take((self.name, fact.round, fact.deal))

    def take_up(self, state: bytes) -> None:
        """Go on from the state of a milestone."""
        self.round = ROUND_STATE.decode(state)

    def _looked_up(self, record: Record, look: HandExamined) -> HandExamined:
        """Add the cards to a look, where the deck can be opened."""
        deal = (look.round, look.deal)
        here = (self.round.number, self.round.deals)
        if self.config.physical or look.cards or deal != here or look.at != self.round.ordinals(str(look.box)):
            raise Differs(record.stream, record.seq, f"the hand of box {look.box} is not at the place that it names.")
        if deal in self.hidden:
            self.unseen.add((*deal, look.box))
            return look
        if deal not in self.decks:
            raise Differs(record.stream, record.seq, f"there is no deck of round {look.round}, deal {look.deal}.")
        return with_cards(look, self.decks[deal])

    def _from_the_deck(self, record: Record, ordinals: tuple[int, ...], seen: tuple[str, ...]) -> None:
        if self.config.physical or (self.round.number, self.round.deals) in self.hidden:
            return
        deck = self.decks.get((self.round.number, self.round.deals))
        if deck is None or tuple([deck.shoe[i] for i in ordinals[: len(seen)]]) != seen:
            raise Differs(record.stream, record.seq, f"{' '.join(seen)} are not the cards of the deck at that place.")

    @property
    def hides_cards(self) -> bool:
        """Whether the house keeps no snapshot here, because players have looked at hands of the Round in play."""
        return hides_cards(self.round)

    def state(self) -> bytes | None:
        return encode(self.round)


def _same_bytes(record: Record, fact: msgspec.Struct) -> None:
    """Check that a record is written as this program writes it: no extra field, none twice, of its own type."""
    if record.version == VERSIONS.of(record.type) and encode(fact) != record.data:
        raise Differs(record.stream, record.seq, f"{record.type} is not written as this program writes it.")
    if type(fact).__name__ != record.type:
        raise Differs(record.stream, record.seq, f"it is called {record.type} and is {type(fact).__name__}.")
