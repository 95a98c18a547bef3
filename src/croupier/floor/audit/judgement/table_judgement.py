"""One command at one table, judged again with the Dealer's own work, the decks, and what follows on the link."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from msgspec.structs import replace

from croupier.cards import BadCard, Card
from croupier.floor.audit.findings import Differs, Findings
from croupier.floor.audit.judgement.cursors import FORMS, Judged, LinkRun, Run, TableTrial, expect, run_of
from croupier.floor.audit.judgement.memory_check import MemoryCheck
from croupier.floor.records.codec import encode, table_fact
from croupier.floor.records.committed_decks import Deck, DeckPlace, ShownDeck, is_sealed, opened_deck
from croupier.floor.records.examined_hands import as_recorded
from croupier.floor.records.facts import DeckCommitted, DeckOpened, TableFact
from croupier.floor.records.keys import BadKeys, Keys
from croupier.floor.records.streams import HOUSE
from croupier.floor.records.tables import gaming_day, signatures_at
from croupier.floor.records.upcasters import VERSIONS
from croupier.jackpots.link import Link
from croupier.jackpots.linked_tables import AtLink, Fault, judge
from croupier.journal.records import Record
from croupier.journal.store import Store, Wanted
from croupier.rounds.commands import Confirming, DealCards, ExamineHand, OpenRound, PlaceBet, RoundCommand, TurnCards
from croupier.rounds.dealing import CardsToTurn, dealers_work
from croupier.rounds.events import (
    BetPlaced,
    CardsDealt,
    CardsRedealt,
    CardsTurned,
    HandExamined,
    RoundEvent,
    RoundOpened,
    RoundSettled,
    RoundVoided,
)
from croupier.rounds.evolve import evolve, evolve_all
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import Place

_WITH_DECKS = frozenset((RoundOpened, CardsRedealt, RoundSettled, RoundVoided))
"""Events with which a deck is sealed or opened."""

_LOOKS_BY_PLACE = 3
"""The version since which a look names places of the deck; earlier ones held cards and a salt."""


class NotAlone(Exception):
    """A command that left its link alone would do something there as the link stands now: an award that was locked in
    between may have taken what it would take back.
    """


class TableJudgement:
    """Judges commands at tables by the functions of the house."""

    def __init__(
        self,
        store: Store,
        keys: Keys,
        memory: MemoryCheck,
        findings: Findings,
        terms_of: Callable[[str, str], Terms | None],
    ) -> None:
        """`terms_of` a link and a table."""
        self.store, self.keys, self.memory, self.findings = store, keys, memory, findings
        self._terms_of = terms_of

    def at_table(
        self,
        told: LinkRun,
        table: TableTrial,
        used: dict[str, int],
        command: RoundCommand,
        fault: Fault | None = None,
        *,
        beside: Link | None = None,
        first_release: bool = False,
    ) -> Judged:
        """Judge a command at one table, with the Dealer's own work and all that follows there and on the link."""
        run = run_of(table.cursor)
        judged = Judged(command, [], table.state, used[table.name])
        judged.command = self._completed(table, run, judged, command)
        self._act(told, table, judged, judged.command, fault, beside=beside, first_release=first_release)
        while (work := dealers_work(table.terms, judged.state)) is not None:
            if table.config.physical and isinstance(work, CardsToTurn | DealCards):
                break
            todo: RoundCommand
            if type(work) is CardsToTurn:
                todo = TurnCards(cards={p: self._cards(table, judged.state, o) for p, o in work.places.items()})
            else:
                todo = work
            follows = fault is None
            self._act(told, table, judged, todo, beside=beside, follows=follows, first_release=first_release)
        self.memory.check(table, run, judged)
        table.state_before, table.state = table.state, judged.state
        used[table.name] = judged.used
        return judged

    def _completed(self, table: TableTrial, run: Run, judged: Judged, command: RoundCommand) -> RoundCommand:
        """Add to a command what the house adds: the gaming day, the cards that a player sees, what it remembers."""
        first = run.records[min(judged.used, len(run.records) - 1)]
        if type(command) is OpenRound:
            confirms = self.begin(table, first)
            day = gaming_day(first.at) if table.terms.book.limiting.under_once else 0
            return OpenRound(day=day, confirms=confirms)
        if type(command) is ExamineHand and judged.state.dealt and not table.config.physical:
            return self._looked(table, judged.state, command, first)
        if type(command) is PlaceBet:
            fact = table_fact(first)
            known = type(fact) is BetPlaced and fact.remembered
            most = table.history.box_limits_of(judged.state.number).get(str(command.box))
            return replace(command, remembered=known, ante_most=most)
        return command

    def _looked(self, table: TableTrial, state: Round, command: ExamineHand, first: Record) -> ExamineHand:
        """Add the cards that a Player has looked at, where the deck can be opened."""
        deck = self._deck(table, state.number, state.deals)
        seen = tuple(deck.shoe[i] for i in state.ordinals(str(command.box)))
        if first.type == HandExamined.__name__ and first.version < _LOOKS_BY_PLACE:
            return replace(command, cards=seen, salt=deck.look_salt(command.box))
        return replace(command, cards=() if isinstance(deck, ShownDeck) else seen, from_deck=True)

    def begin(self, table: TableTrial, first: Record) -> Confirming:
        """Begin a Round on the terms that the pit has set for it, and return how its settlement is confirmed; the
        table must be open.
        """
        number = table.state.number + 1
        self.changed_when(table, first.seq)
        if not table.history.may_begin(number):
            raise Differs(first.stream, first.seq, f"round {number} begins at a table that is closed.")
        config, table.terms = table.history.on_which(number, first.at)
        return config.confirms

    def _act(
        self,
        told: LinkRun,
        table: TableTrial,
        judged: Judged,
        command: RoundCommand,
        fault: Fault | None = None,
        *,
        beside: Link | None,
        follows: bool = True,
        first_release: bool,
    ) -> None:
        records = run_of(table.cursor).records
        at = AtLink(
            told.link if told.records else beside,
            partial(self._terms_for, table),
            signatures_at(table.config),
            informs=not first_release,
            # A command that left the link alone met it when nothing was due, wherever the link stands here.
            follows=follows and bool(told.records) and not first_release,
        )
        verdict = judge(at, table.name, judged.state, command, fault)
        if type(verdict) is Refusal:
            seq = records[min(judged.used, len(records) - 1)].seq
            raise Differs(table.cursor.stream, seq, f"{type(command).__name__} is refused: {verdict.message}")
        judged.acts.append((judged.state, verdict.events))
        events = verdict.events
        if _WITH_DECKS.isdisjoint([type(event) for event in events[:-1]]):
            self._meet(table, judged, records, events, verdict.state)
        else:
            for event in events:
                self._meet(table, judged, records, (event,), evolve(judged.state, event))
        if verdict.link_events:
            if not told.records:
                raise NotAlone
            told.expect(*verdict.link_events, states=verdict.link_states)

    def _terms_for(self, table: TableTrial, name: str) -> Terms | None:
        """Return the terms of a table on the link of this one."""
        return table.terms if name == table.name else self._terms_of(table.config.link or "", name)

    def _meet(
        self, table: TableTrial, judged: Judged, records: Sequence[Record], events: Sequence[RoundEvent], after: Round
    ) -> None:
        """Compare records with judged events, which lead to the state `after`, and with the deck of the last one."""
        first, reading = judged.used, table.reading
        is_current, count = True, len(records)
        for at, event in enumerate(events, first):
            told = as_recorded(event) if type(event) is HandExamined else event
            if at < count and (record := records[at]).data == encode(told):
                is_current &= (record.type, record.version) == FORMS[type(event)]
            else:
                is_current &= expect(records, at, told)
        judged.used += len(events)
        if not is_current:  # an earlier release may have known less
            written = map(_as_written, records[first : judged.used], events)
            judged.state = evolve_all(judged.state, written)
        else:
            judged.state = after
            if reading is not None:
                reading.enter_judged(records, first, events, after)
        if events and type(events[-1]) in _WITH_DECKS and not table.config.physical:
            if reading is not None:
                reading.enter_up_to(records, judged.used + 1)  # it opens the deck that was committed to
            self._deck_facts(table, judged, records, events[-1])

    def _deck_facts(self, table: TableTrial, judged: Judged, records: Sequence[Record], event: RoundEvent) -> None:
        number, deals = judged.state.number, judged.state.deals
        if isinstance(event, RoundOpened | CardsRedealt):
            deck = self._deck(table, number, deals)
            expect(records, judged.used, DeckCommitted.of(number, deals, deck))
            judged.used += 1
        elif isinstance(event, RoundSettled | RoundVoided):
            for deal in range(deals + 1):
                deck = self._deck(table, number, deal)
                expect(records, judged.used, DeckOpened.of(number, deal, deck))
                judged.used += 1

    def _deck(self, table: TableTrial, number: int, deal: int) -> Deck:
        if table.reading is not None and (known := table.reading.decks.get((number, deal))) is not None:
            return known
        if (number, deal) not in table.decks:
            if not deal:
                table.decks.clear()
            sealed = self.store.deck(table.name, number, deal)
            if sealed is None:
                first = run_of(table.cursor).records[0]
                raise Differs(first.stream, first.seq, f"there is no deck of round {number}, deal {deal}.")
            table.decks[number, deal] = self._opened(table, (table.name, number, deal), sealed)
        return table.decks[number, deal]

    def _opened(self, table: TableTrial, place: DeckPlace, sealed: bytes) -> Deck:
        """Open a deck; of a deck in play without a key, return what its Round has shown."""
        first = run_of(table.cursor).records[0]
        try:
            if is_sealed(sealed, self.keys):
                # The Round in play is the last one; its opening may have been followed and not judged.
                (opening,) = self.store.rounds(first.stream, Wanted(limit=1))
                facts = (table_fact(record) for record in self.store.read(first.stream, opening.seq - 1))
                return shown_deck(facts, place)
            return opened_deck(self.keys, place, sealed)
        except (BadCard, BadKeys) as wrong:
            raise Differs(first.stream, first.seq, str(wrong)) from None

    def _cards(self, table: TableTrial, state: Round, ordinals: tuple[int, ...]) -> tuple[Card, ...]:
        shoe = self._deck(table, state.number, state.deals).shoe
        return tuple([shoe[i] for i in ordinals])

    def changed_when(self, table: TableTrial, before: int | None = None) -> None:
        """Check that each change so far came after the Round that it names."""
        while table.changed and (before is None or table.changed[0][0] < before):
            _, after, seq = table.changed.pop(0)
            if after != table.state.number:
                played = f"table {table.name} was changed after round {table.state.number}, not after round {after}."
                self.findings.add(HOUSE, seq, played)


def shown_deck(facts: Iterable[TableFact], place: DeckPlace) -> ShownDeck:
    """Return what a Round in play has shown of a deck: cards by position, and the salts of players' looks."""
    cards: dict[int, Card] = {}
    salts: dict[int, str] = {}
    dealt: list[str] = []
    commitment, turned = "", 0
    for fact in facts:
        match fact:
            case DeckCommitted(round=number, deal=deal, commitment=told) if (number, deal) == place[1:]:
                commitment = told
            case RoundOpened() | CardsRedealt() if commitment:
                break
            case CardsDealt(to=to) if commitment:
                dealt += to
            case HandExamined(box=box, cards=seen, salt=salt) if commitment:
                cards.update(zip((i for i, to in enumerate(dealt) if to == str(box)), seen, strict=False))
                salts[box] = salt
            case CardsTurned(cards=shown) if commitment:
                for where, seen in shown.items():
                    first = turned if where == Place.COMMUNITY else 0
                    turned += len(seen) if where == Place.COMMUNITY else 0
                    cards.update(zip([i for i, to in enumerate(dealt) if to == where][first:], seen, strict=False))
            case _:
                pass
    return ShownDeck(cards, salts, commitment)


def _as_written(record: Record, event: RoundEvent) -> RoundEvent:
    """Return the event as its record has it: an earlier release may have known less."""
    if record.version == VERSIONS.of(record.type):
        return event
    fact: TableFact = table_fact(record)
    assert not isinstance(fact, DeckCommitted | DeckOpened)
    return fact
