"""One command in the making: what it does to tables, links, accounts and journal; kept only if nothing refuses it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import starmap
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from croupier.cards import Card
from croupier.floor.house.player_memory import TOLD, Memory, evolve_memory, told
from croupier.floor.people.people import People
from croupier.floor.records.codec import encode
from croupier.floor.records.commands import Answer, Request
from croupier.floor.records.decks import Deck, new_deck, opened_deck, sealed_deck
from croupier.floor.records.facts import DeckCommitted, DeckOpened, TableArchived
from croupier.floor.records.keys import BadKeys
from croupier.floor.records.streams import PLAYERS, link_stream, table_stream
from croupier.floor.records.tables import DealKey, Table, TermsFrom, gaming_day, signatures_at
from croupier.floor.records.upcasters import VERSIONS
from croupier.jackpots.decide import TermsOf
from croupier.jackpots.events import AnyLinkEvent
from croupier.jackpots.evolve import evolve_link
from croupier.jackpots.link import Link
from croupier.jackpots.tables import AtLink, Fault, judge
from croupier.journal.records import GENESIS, Record, chain_hash
from croupier.journal.store import Batch, Cut, Head, LedgerRow, NameRow, Origin, Posting, SealedDeck
from croupier.ledger import accounts
from croupier.ledger.entries import Entry, TableAccounts, link_entry
from croupier.money import MOST, Money, show
from croupier.rounds.commands import (
    CorrectCards,
    DealCards,
    ExamineHand,
    GiveRuling,
    OpenRound,
    PlaceBet,
    ReportIncident,
    RoundCommand,
    TurnCards,
)
from croupier.rounds.dealing import CardsToTurn, dealers_work
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
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import JACKPOT_BET

if TYPE_CHECKING:
    from croupier.floor.house.house import House

_BEGINNING = Head(0, GENESIS)
_TURNING_POINTS = (RoundOpened, CardsRedealt, RoundReopened, RoundSettled, RoundVoided, PlayerStopped, PlayerReadmitted)
"""Events at which decks are sealed or opened, whose entry depends on the state they meet, or that concern the house."""


class Refused(Exception):
    """A command is refused: whatever it had begun is dropped."""

    def __init__(self, code: str, message: str, rules: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.answer = Answer(accepted=False, code=code, message=message, rules=tuple(rules))

    @classmethod
    def by(cls, refusal: Refusal) -> Refused:
        """What the rules have refused."""
        return cls(refusal.code.value, refusal.message, refusal.rules)


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
        self.opened_decks: list[SealedDeck] = []
        self.archived: list[tuple[TableArchived, Cut]] = []
        self.names: dict[str, NameRow] = {}
        self.erased: list[str] = []
        self.origin: Origin | None = None
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
        self._keep_personal(batch)
        if self.people is not None:
            house.people = self.people
        house.memory = self.memory
        moved = (*(table.name for table in self.opened), *self.closed, *self.changed, *self.rounds)
        house.moved.update(table_stream(name) for name in moved)
        house.moved.update(link_stream(name) for name in self.links)
        house.heads.update(self.heads)
        house.moved_accounts.update(self.moved)
        for account, amount in self.moved.items():
            if account not in house.balances:
                house.balances[account] = 0
                house.overdrawable[account] = batch.opened_accounts[account] = accounts.may_be_overdrawn(account)
            house.balances[account] += amount
        batch.records.extend(self.records)
        batch.entries.extend(self.entries)
        batch.decks.extend(self.decks)
        batch.opened_decks.extend(self.opened_decks)
        for fact, cut in self.archived:
            batch.archived.append(cut)
            house.keep_archived(fact, batch)

    def _keep_personal(self, batch: Batch) -> None:
        """Names and the origins of sessions. What comes and goes in one batch is not written at all."""
        if self.names or self.erased:
            self.house.names = {k: r for k, r in self.house.names.items() if k not in self.erased} | self.names
            batch.erased.extend(self.erased)
            batch.names = {k: r for k, r in batch.names.items() if k not in self.erased} | self.names
        if self.origin is not None:
            batch.origins[self.origin.session] = self.origin
        before, after = self.house.people.sessions, (self.people or self.house.people).sessions
        if before is not after and len(after) <= len(before):
            ended = before.keys() - after.keys()
            batch.ended.extend(ended)
            batch.origins = {session: o for session, o in batch.origins.items() if session not in ended}

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
            salt = self._deck(table, (state.number, state.deals)).look_salt(command.box)
            command = replace(command, cards=self._cards(table, state.ordinals(str(command.box))), salt=salt)
        if isinstance(command, PlaceBet):
            if command.bet == JACKPOT_BET and table.config.link is not None and self.link(table.config.link).closed:
                command = replace(command, link_closed=True)
            if self.memory.bars or not command.noticed:
                command = self._known(table, command)
        self.judge(table, command, fault)
        while (work := dealers_work(table.terms, self.state(table))) is not None:
            if table.config.physical and isinstance(work, CardsToTurn | DealCards):
                return  # real cards: the dealer deals them and says what he has turned
            todo: RoundCommand
            if isinstance(work, CardsToTurn):
                todo = TurnCards(cards={p: self._cards(table, o) for p, o in work.places.items()})
            else:
                todo = work
            self.judge(table, todo, follows=fault is None)

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

    def judge(self, table: Table, command: RoundCommand, fault: Fault | None = None, *, follows: bool = True) -> None:
        """One command, judged as everywhere: its events at the table, and what they set off on the link."""
        state, name = self.state(table), table.config.link
        link = None if name is None else self.link(name)
        at = AtLink(link, self.terms_of(name, table), signatures_at(table.config), follows=follows)
        judged = judge(at, table.name, state, command, fault)
        if isinstance(judged, Refusal):
            raise Refused.by(judged)
        if any(isinstance(event, _TURNING_POINTS) for event in judged.events):
            self.enter_round(table, state, judged.events)
        else:
            self._enter_plainly(table, state, judged.events, judged.state)
        if name is not None and judged.link_events:
            self.enter_link(name, judged.link_events)
        elif name is not None and isinstance(command, ReportIncident | GiveRuling | CorrectCards):
            self.touch(link_stream(name))  # whether a Round may be unwound depends on what the link has paid

    def terms_of(self, link: str | None, acting: Table | None = None) -> TermsOf:
        """The terms of the tables on a link; the acting table's are those of the Round that it begins."""

        def find(name: str) -> Terms | None:
            if acting is not None and name == acting.name:
                return acting.terms
            table = self.house.tables.get(name)
            return table.terms if table is not None and link is not None and table.config.link == link else None

        return find

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
        """A new deal begins with a deck that nobody may see yet, nor read on disk; its commitment is public at once."""
        deck = new_deck(self.house.chance)
        decks = self._decks(table)
        if state.deals == 0:
            decks.clear()
        decks[state.number, state.deals] = deck
        place = (table.name, state.number, state.deals)
        self.decks.append(SealedDeck(*place, sealed_deck(self.house.keys, place, encode(deck.sealed))))
        self.record(table_stream(table.name), DeckCommitted.of(state.number, state.deals, deck))

    def _open_decks(self, table: Table, state: Round) -> None:
        for deal in range(state.deals + 1):
            deck = self._deck(table, (state.number, deal))
            if self.house.keys.current:
                # From now on the audit reads it without a key.
                self.opened_decks.append(SealedDeck(table.name, state.number, deal, encode(deck.sealed)))
            self.record(table_stream(table.name), DeckOpened.of(state.number, deal, deck))

    def _deck(self, table: Table, deal: DealKey) -> Deck:
        decks = self._decks(table)
        if deal not in decks:
            sealed = self.house.store.deck(table.name, *deal)
            assert sealed is not None, f"the deck of round {deal[0]} at {table.name} was sealed when it began"
            try:
                decks[deal] = opened_deck(self.house.keys, (table.name, *deal), sealed)
            except BadKeys as wrong:
                raise Refused("no_key", str(wrong)) from None
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
        self.stood.setdefault(stream, (self.house.heads.get(stream) or _BEGINNING).seq)

    def record(self, stream: str, fact: msgspec.Struct, moved: Entry | None = None) -> None:
        head = self.heads.get(stream) or self.house.heads.get(stream) or _BEGINNING
        kind = type(fact).__name__
        data = encode(fact)
        seq, version, at, command = head.seq + 1, VERSIONS.of(kind), self.request.at, self.request.id
        link = chain_hash(head.hash, stream, seq, kind, version, at, command, data)
        self.records.append(Record(stream, seq, kind, version, at, command, data, link))
        self.heads[stream] = Head(seq, link)
        if moved is not None:
            self.entries.append(LedgerRow(stream, seq, tuple(starmap(Posting, moved.postings))))
            for account, amount in moved.postings:
                self.moved[account] = self.moved.get(account, 0) + amount
