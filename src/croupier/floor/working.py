"""One command in the making: what it does to tables, links, accounts and journal; kept only if nothing refuses it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import starmap
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from croupier.cards import Card
from croupier.floor.decks import Deck, new_deck, unsealed
from croupier.floor.facts import DeckCommitted, DeckOpened
from croupier.floor.people import People
from croupier.floor.players import TOLD, Memory, evolve_memory, told
from croupier.floor.requests import Answer, Request
from croupier.floor.tables import (
    ENCODE,
    MOST,
    PLAYERS,
    VERSIONS,
    DealKey,
    Table,
    TermsFrom,
    gaming_day,
    link_stream,
    signatures_at,
    table_stream,
)
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import AnyLinkEvent, Link
from croupier.jackpots.tables import Fault, enter
from croupier.journal.records import GENESIS, Record, chain_hash
from croupier.journal.store import Batch, Head, LedgerRow, Posting, SealedDeck
from croupier.ledger import accounts
from croupier.ledger.entries import Entry, TableAccounts, link_entry
from croupier.money import Money, show
from croupier.rounds.commands import DealCards, ExamineHand, OpenRound, PlaceBet, RoundCommand, TurnCards
from croupier.rounds.dealing import CardsToTurn, dealers_work
from croupier.rounds.decide import decide
from croupier.rounds.events import (
    CardsRedealt,
    PlayerReadmitted,
    PlayerStopped,
    RoundEvent,
    RoundOpened,
    RoundReopened,
    RoundSettled,
    RoundVoided,
)
from croupier.rounds.evolve import evolve
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Round
from croupier.rulebooks.vocabulary import JACKPOT_BET

if TYPE_CHECKING:
    from croupier.floor.house import House

_BEGINNING = Head(0, GENESIS)
_TURNING_POINTS = (RoundOpened, CardsRedealt, RoundReopened, RoundSettled, RoundVoided, PlayerStopped, PlayerReadmitted)
"""Events at which decks are sealed or opened, whose entry depends on the state they meet, or that concern the house."""


class Refused(Exception):
    """A command is refused: whatever it had begun is dropped."""

    def __init__(self, code: str, message: str, rules: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.answer = Answer(accepted=False, code=code, message=message, rules=tuple(rules))


class Work:
    """One command in the making: everything it does is gathered here, and kept only if it is not refused."""

    def __init__(self, house: House, request: Request) -> None:
        self.house, self.request = house, request
        self.rounds: dict[str, Round] = {}
        self.links: dict[str, Link] = {}
        self.people: People | None = None
        self.memory: Memory = house.memory
        self.heads: dict[str, Head] = {}
        self.stood: dict[str, int] = {}
        self.opened: list[Table] = []
        self.begun: dict[str, TermsFrom] = {}
        """Terms with which a Round has begun."""
        self.changed: dict[str, TermsFrom] = {}
        self.closed: dict[str, bool] = {}
        self.records: list[Record] = []
        self.entries: list[LedgerRow] = []
        self.decks: list[SealedDeck] = []
        self.live_decks: dict[str, dict[DealKey, Deck]] = {}
        self.moved: dict[str, Money] = {}

    def keep(self, batch: Batch) -> None:
        """The command stands: memory moves on, and the batch carries it to the disk."""
        house = self.house
        for table in self.opened:
            house.tables[table.name] = table
            house.taken.add(table.name)
        for name, closed in self.closed.items():
            house.tables[name].closed = closed
        for name, change in self.changed.items():
            table = house.tables[name]
            table.changes = (*(other for other in table.changes if other.after < change.after), change)
        for name, change in self.begun.items():
            house.tables[name].play_on(change)
        for name, state in self.rounds.items():
            house.tables[name].round = state
        for name, decks in self.live_decks.items():
            house.tables[name].decks = decks
            deal = (house.tables[name].round.number, house.tables[name].round.deals)
            if deal in decks:
                house.tables[name].commitment = decks[deal].commitment
        for name, link in self.links.items():
            house.links[name] = link
            batch.links[name] = b""
        if self.people is not None:
            house.people = self.people
        house.memory = self.memory
        moved = (*(table.name for table in self.opened), *self.closed, *self.changed, *self.rounds)
        house.moved.update(table_stream(name) for name in moved)
        house.moved.update(link_stream(name) for name in self.links)
        house.heads.update(self.heads)
        for account, amount in self.moved.items():
            if account not in house.balances:
                house.balances[account] = 0
                house.overdrawable[account] = batch.opened_accounts[account] = accounts.may_be_overdrawn(account)
            house.balances[account] += amount
        batch.records.extend(self.records)
        batch.entries.extend(self.entries)
        batch.decks.extend(self.decks)

    def check_funds(self) -> None:
        """Nobody bets what he does not have; the database would refuse it as well."""
        for account, amount in self.moved.items():
            held = self.house.balances.get(account, 0)
            if abs(held + amount) > MOST:
                raise Refused("too_much", f"{account} cannot hold more than {show(MOST)}.")
            if held + amount < 0 and not accounts.may_be_overdrawn(account):
                who = account.removeprefix(accounts.player(""))
                raise Refused(
                    "insufficient_funds", f"{who} holds {show(held)} and would be short by {show(-held - amount)}."
                )

    # ---------------------------------------------------------------- tables

    def table(self, name: str) -> Table:
        table = self.house.tables.get(name)
        if table is None:
            known = ", ".join(self.house.tables) or "none"
            raise Refused("unknown_table", f'There is no table "{name}": the tables are {known}.')
        if not table.ours:
            raise Refused("table_elsewhere", f"Table {name} is run by another server.")
        return table

    def ask(self, table: Table, command: RoundCommand, fault: Fault | None = None) -> None:
        """One command at one table, then the Dealer's own work as far as it goes."""
        state = self.state(table)
        if isinstance(command, OpenRound):
            table = self._beginning(table)
            command = OpenRound(day=gaming_day(self.request.at) if table.terms.book.limiting.under_once else 0)
        if isinstance(command, ExamineHand) and state.dealt and not table.config.physical:
            command = replace(command, cards=self._cards(table, state.ordinals(str(command.box))))
        if isinstance(command, PlaceBet):
            if command.bet == JACKPOT_BET:
                self._link_takes_bets(table)
            if self.memory.bars or not command.noticed:
                command = self._known(table, command)
        self.judge(table, command, fault)
        while (work := dealers_work(table.terms, self.state(table))) is not None:
            if table.config.physical and isinstance(work, CardsToTurn | DealCards):
                return  # real cards: the dealer deals them and says what he has turned
            if isinstance(work, CardsToTurn):
                self.judge(table, TurnCards(cards={p: self._cards(table, o) for p, o in work.places.items()}))
            else:
                self.judge(table, work)

    def _beginning(self, table: Table) -> Table:
        """A table that may begin a Round, on the terms of that Round."""
        if table.closed:
            raise Refused("table_closed", f"Table {table.name} is closed: no round begins until it is opened again.")
        coming = table.coming
        if coming is None:
            return table
        self.begun[table.name] = coming
        return msgspec.structs.replace(table, config=coming.config, terms=coming.terms)

    def _known(self, table: Table, command: PlaceBet) -> PlaceBet:
        """A Bet, with what the house knows of its Player from other tables."""
        book, day = table.terms.book, self.state(table).standing.day
        if not book.authority.prohibited and not book.limiting.under_once:
            return command
        self.touch(PLAYERS)
        operator, player = book.document.operator, command.player
        barred, remembered = self.memory.barred(operator, player), self.memory.noted(operator, player, day)
        return replace(command, barred=barred, remembered=remembered and not command.noticed)

    def _link_takes_bets(self, table: Table) -> None:
        link = table.config.link
        if link is not None and self.link(link).closed:
            raise Refused("link_closed", f"The link {link} is closed, so no jackpot bet is taken.")

    def judge(self, table: Table, command: RoundCommand, fault: Fault | None = None) -> None:
        state = self.state(table)
        verdict = decide(table.terms, state, command)
        if isinstance(verdict, Refusal):
            raise Refused(verdict.code.value, verdict.message, verdict.rules)
        name = table.config.link
        link = None if name is None else self.link(name)
        entered = enter(table.terms, table.name, state, link, verdict, fault, signatures_at(table.config))
        if any(isinstance(event, _TURNING_POINTS) for event in verdict):
            self.enter_round(table, state, verdict)
        else:
            self._enter_plainly(table, state, verdict, entered.state)
        if name is not None and entered.link_events:
            self.enter_link(name, entered.link_events)

    def enter_round(self, table: Table, state: Round, events: Iterable[RoundEvent]) -> None:
        """Events of a table: records, entries, and the decks that begin or end with them."""
        stream = table_stream(table.name)
        ledger = TableAccounts(table.name, table.config.link)
        for event in events:
            self.record(stream, event, ledger.round_entry(state, event))
            if isinstance(event, TOLD):
                for fact in told(table.terms, table.name, state, event):
                    self.record(PLAYERS, fact)
                    self.memory = evolve_memory(self.memory, fact)
            state = evolve(state, event)
            self.rounds[table.name] = state
            if table.config.physical:
                continue
            if isinstance(event, RoundOpened | CardsRedealt):
                self._seal_deck(table, state)
            elif isinstance(event, RoundSettled | RoundVoided):
                self._open_decks(table, state)

    def _enter_plainly(self, table: Table, state: Round, events: Iterable[RoundEvent], after: Round) -> None:
        """Events between which nothing need be looked at: most of them, so this is kept short."""
        stream = table_stream(table.name)
        ledger = TableAccounts(table.name, table.config.link)
        for event in events:
            self.record(stream, event, ledger.round_entry(state, event))
        self.rounds[table.name] = after

    def state(self, table: Table) -> Round:
        return self.rounds.get(table.name, table.round)

    # ---------------------------------------------------------------- decks

    def _decks(self, table: Table) -> dict[DealKey, Deck]:
        if table.name not in self.live_decks:
            self.live_decks[table.name] = dict(table.decks)
        return self.live_decks[table.name]

    def _seal_deck(self, table: Table, state: Round) -> None:
        """A new deal begins with a deck that nobody may see yet; its commitment is public at once."""
        deck = new_deck(self.house.chance)
        decks = self._decks(table)
        if state.deals == 0:
            decks.clear()
        decks[state.number, state.deals] = deck
        self.decks.append(SealedDeck(table.name, state.number, state.deals, ENCODE(deck.sealed)))
        fact = DeckCommitted(round=state.number, deal=state.deals, commitment=deck.commitment)
        self.record(table_stream(table.name), fact)

    def _open_decks(self, table: Table, state: Round) -> None:
        for deal in range(state.deals + 1):
            deck = self._deck(table, (state.number, deal))
            fact = DeckOpened(round=state.number, deal=deal, deck=deck.cards, salt=deck.salt)
            self.record(table_stream(table.name), fact)

    def _deck(self, table: Table, deal: DealKey) -> Deck:
        decks = self._decks(table)
        if deal not in decks:
            sealed = self.house.store.deck(table.name, *deal)
            assert sealed is not None, f"the deck of round {deal[0]} at {table.name} was sealed when it began"
            decks[deal] = unsealed(sealed)
        return decks[deal]

    def _cards(self, table: Table, ordinals: tuple[int, ...]) -> tuple[Card, ...]:
        state = self.state(table)
        shoe = self._deck(table, (state.number, state.deals)).shoe
        return tuple(shoe[i] for i in ordinals)

    # ---------------------------------------------------------------- links

    def link(self, name: str) -> Link:
        link = self.links.get(name) or self.house.links.get(name)
        if link is None:
            known = ", ".join(self.house.links) or "none"
            raise Refused("unknown_link", f'There is no link "{name}": the links are {known}.')
        return link

    def enter_link(self, name: str, events: Iterable[AnyLinkEvent]) -> None:
        link = self.link(name)
        for event in events:
            before, link = link, evolve_link(link, event)
            self.record(link_stream(name), event, link_entry(name, before, link, event))
        self.links[name] = link

    # ---------------------------------------------------------------- the record

    def touch(self, stream: str) -> None:
        """The answer says where this stream stands, though nothing is written to it."""
        self.stood[stream] = (self.house.heads.get(stream) or _BEGINNING).seq

    def record(self, stream: str, fact: msgspec.Struct, moved: Entry | None = None) -> None:
        head = self.heads.get(stream) or self.house.heads.get(stream) or _BEGINNING
        kind = type(fact).__name__
        data = ENCODE(fact)
        seq, version, at, command = head.seq + 1, VERSIONS.of(kind), self.request.at, self.request.id
        link = chain_hash(head.hash, stream, seq, kind, version, at, command, data)
        self.records.append(Record(stream, seq, kind, version, at, command, data, link))
        self.heads[stream] = Head(seq, link)
        if moved is not None:
            self.entries.append(LedgerRow(stream, seq, tuple(starmap(Posting, moved.postings))))
            for account, amount in moved.postings:
                self.moved[account] = self.moved.get(account, 0) + amount
