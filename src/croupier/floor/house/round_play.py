"""A command at one table: its events, the Dealer's own work after it, the decks, and what follows on the link."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from croupier.cards import Card
from croupier.floor.house.memory.changes import Meeting
from croupier.floor.house.memory.player_memory import NOTED_EVENTS, evolve_memory, facts_from
from croupier.floor.house.own_limit_check import begin_bet, check_wager, is_wager
from croupier.floor.house.transaction import Transaction
from croupier.floor.records.codec import encode
from croupier.floor.records.committed_decks import Deck, new_deck, opened_deck, sealed_deck
from croupier.floor.records.examined_hands import as_recorded
from croupier.floor.records.facts import DeckCommitted, DeckOpened
from croupier.floor.records.keys import BadKeys
from croupier.floor.records.refusals import Code, Refused
from croupier.floor.records.streams import PLAYERS, link_stream, table_stream
from croupier.floor.records.tables import DealKey, Table, gaming_day, signatures_at
from croupier.jackpots.linked_tables import AtLink, Fault, Judged, judge, meet
from croupier.journal.store import SealedDeck
from croupier.ledger.entries import TableAccounts
from croupier.rounds import commands as round_commands
from croupier.rounds import events
from croupier.rounds.dealing import CardsToTurn, dealers_work
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import JACKPOT_BET

_TURNING_POINTS = frozenset((
    events.RoundOpened, events.CardsRedealt, events.RoundReopened, events.RoundSettled, events.RoundVoided,
    events.HandExamined, events.PlayerStopped, events.PlayerReadmitted,
))  # fmt: skip
"""Events at which decks are sealed or opened, whose record leaves cards to the deck, whose entry depends on the state
they meet, or that concern the house.
"""


_BEGIN_A_DEAL = frozenset((events.RoundOpened, events.CardsRedealt))
_END_THE_ROUND = frozenset((events.RoundSettled, events.RoundVoided))
_MAY_UNWIND = frozenset((round_commands.ReportIncident, round_commands.GiveRuling, round_commands.CorrectCards))


def check_rulebook(terms: Terms) -> None:
    """Refuse to judge by a rulebook that is not installed as it was."""
    if terms.missing:
        raise Refused(Code.RULEBOOK_MISSING, f"{terms.missing} Install it to go on.")


def play(
    transaction: Transaction, table: Table, command: round_commands.RoundCommand, fault: Fault | None = None
) -> None:
    """Judge a command at a table, then do the Dealer's own work as far as it goes; raises Refused."""
    if why := transaction.house.unopened.get(table.name):
        raise Refused(Code.NO_KEY, why)
    if type(command) is round_commands.OpenRound:
        table = _begin_round(transaction, table)
    begin_bet(transaction, command)
    state = _judge(transaction, table, _completed(transaction, table, command), fault)
    if is_wager(command):
        check_wager(transaction)
    while (work := dealers_work(table.terms, state)) is not None:
        if table.config.physical and isinstance(work, CardsToTurn | round_commands.DealCards):
            return  # real cards: the dealer deals them and enters what they have turned
        todo: round_commands.RoundCommand
        if type(work) is CardsToTurn:
            todo = round_commands.TurnCards(
                cards={p: _cards(transaction, table, state, o) for p, o in work.places.items()}
            )
        else:
            todo = work
        state = _judge(transaction, table, todo, follows=fault is None)


def _begin_round(transaction: Transaction, table: Table) -> Table:
    """Return a table that may begin a Round, on the terms of that Round."""
    if table.closed:
        raise Refused(Code.TABLE_CLOSED, f"Table {table.name} is closed. Open it again to begin a round.")
    coming = table.begun_at(transaction.request.at)
    if coming is None:
        return table
    check_rulebook(coming.terms)
    transaction.seldom.begun[table.name] = coming
    return replace(table, config=coming.config, terms=coming.terms)


def _completed(
    transaction: Transaction, table: Table, command: round_commands.RoundCommand
) -> round_commands.RoundCommand:
    """Add to a command what only the house knows: the gaming day, cards, the link's state, players' history."""
    if type(command) is round_commands.PlaceBet:
        link = table.config.link
        if command.bet == JACKPOT_BET and link is not None and transaction.link(link).closed:
            command = replace(command, link_closed=True)
        if most := table.config.box_limits.get(str(command.box)):
            command = replace(command, ante_most=most)
        if transaction.memory.bars or not command.noticed:
            command = _remembered(transaction, table, command)
    elif type(command) is round_commands.OpenRound:
        day = gaming_day(transaction.request.at) if table.terms.book.limiting.under_once else 0
        return round_commands.OpenRound(day=day, confirms=table.config.confirms)
    elif type(command) is round_commands.ExamineHand and not table.config.physical:
        state = transaction.round(table)
        if state.dealt:
            cards = _cards(transaction, table, state, state.ordinals(str(command.box)))
            return replace(command, cards=cards, from_deck=True)
    return command


def _remembered(transaction: Transaction, table: Table, command: round_commands.PlaceBet) -> round_commands.PlaceBet:
    """Add to a Bet what the house knows of its Player from other tables."""
    book, day = table.terms.book, transaction.round(table).standing.day
    if not book.authority.prohibited and not book.limiting.under_once:
        return command
    transaction.touch(PLAYERS)
    operator, player, memory = book.document.operator, command.player, transaction.memory
    barred, remembered = memory.barred(operator, player), memory.noted(operator, player, day)
    return replace(command, barred=barred, remembered=remembered and not command.noticed)


def _judge(
    transaction: Transaction,
    table: Table,
    command: round_commands.RoundCommand,
    fault: Fault | None = None,
    *,
    follows: bool = True,
) -> Round:
    """Judge one command as everywhere, record its events at the table and on the link, and return the Round."""
    state, name = transaction.round(table), table.config.link
    link = None if name is None else transaction.link(name)
    at = AtLink(link, transaction.terms_on(name, table), signatures_at(table.config), follows=follows)
    judged = judge(at, table.name, state, command, fault)
    if type(judged) is Refusal:
        raise Refused.by_rules(judged)
    if _TURNING_POINTS.isdisjoint(map(type, judged.events)):
        _enter(transaction, table, judged)
    else:
        _enter_step_by_step(transaction, table, judged)
    if name is not None and name in transaction.house.unlocked:
        if judged.link is not None and (judged.link_events or judged.met):
            transaction.changes.links[name] = judged.link
            transaction.changes.meetings.append(Meeting(name, table.name, table.terms, judged.state, judged.met, at))
    elif name is not None and judged.link_events:
        for event, after in zip(judged.link_events, judged.link_states, strict=True):
            transaction.enter_on_link(name, event, after)
    elif name is not None and type(command) in _MAY_UNWIND:
        transaction.touch(link_stream(name))  # whether a Round may be unwound depends on what the link has paid
    return judged.state


def meet_links(transaction: Transaction, meetings: Iterable[Meeting]) -> None:
    """Record on links, which are locked now, what a command did at its table before; raises Refused."""
    for met in meetings:
        at = replace(met.at, link=transaction.link(met.link))
        for event, after in zip(*meet(at, met.terms, met.table, met.state, met.events), strict=True):
            transaction.enter_on_link(met.link, event, after)
    transaction.check_funds()


def _enter(transaction: Transaction, table: Table, judged: Judged) -> None:
    """Record events with their entries; most events need nothing else, so this is the fast path."""
    stream, before = table_stream(table.name), judged.states[0]
    ledger = TableAccounts(table.name, table.config.link)
    for event in judged.events:
        transaction.record(stream, event, ledger.round_entry(before, event))
    transaction.changes.rounds[table.name] = judged.state


def _enter_step_by_step(transaction: Transaction, table: Table, judged: Judged) -> None:
    """Record events with their entries, the decks that begin or end with them, and notes on players."""
    stream = table_stream(table.name)
    ledger = TableAccounts(table.name, table.config.link)
    for event, before, state in zip(judged.events, judged.states, judged.states[1:], strict=False):
        transaction.record(stream, as_recorded(event), ledger.round_entry(before, event))
        if type(event) in NOTED_EVENTS:
            for fact in facts_from(table.terms, table.name, before, event):
                transaction.record(PLAYERS, fact)
                transaction.changes.memory = evolve_memory(transaction.memory, fact)
        transaction.changes.rounds[table.name] = state
        if table.config.physical:
            continue
        if type(event) in _BEGIN_A_DEAL:
            _seal_deck(transaction, table, state)
        elif type(event) in _END_THE_ROUND:
            _open_decks(transaction, table, state)


# ---------------------------------------------------------------- decks


def _decks(transaction: Transaction, table: Table) -> dict[DealKey, Deck]:
    decks = transaction.changes.decks_in_play
    if table.name not in decks:
        decks[table.name] = dict(table.decks)
    return decks[table.name]


def _seal_deck(transaction: Transaction, table: Table, state: Round) -> None:
    """Shuffle a deck that nobody can see or read on disk, and publish its commitment."""
    deck = new_deck(transaction.house.chance)
    decks = _decks(transaction, table)
    if state.deals == 0:
        decks.clear()
    decks[state.number, state.deals] = deck
    place = (table.name, state.number, state.deals)
    sealed = sealed_deck(transaction.house.keys, place, encode(deck.sealed))
    transaction.changes.sealed_decks.append(SealedDeck(*place, sealed))
    transaction.record(table_stream(table.name), DeckCommitted.of(state.number, state.deals, deck))


def _open_decks(transaction: Transaction, table: Table, state: Round) -> None:
    """Open the decks of a Round that is over."""
    for deal in range(state.deals + 1):
        deck = _deck(transaction, table, (state.number, deal))
        if transaction.house.keys.current:
            # From now on the audit reads it without a key.
            opened = SealedDeck(table.name, state.number, deal, encode(deck.sealed))
            transaction.changes.opened_decks.append(opened)
        transaction.record(table_stream(table.name), DeckOpened.of(state.number, deal, deck))


def _deck(transaction: Transaction, table: Table, deal: DealKey) -> Deck:
    decks = _decks(transaction, table)
    if deal not in decks:
        sealed = transaction.house.store.deck(table.name, *deal)
        assert sealed is not None, f"the deck of round {deal[0]} at {table.name} was sealed when it began"
        try:
            decks[deal] = opened_deck(transaction.house.keys, (table.name, *deal), sealed)
        except BadKeys as wrong:
            raise Refused(Code.NO_KEY, str(wrong)) from None
    return decks[deal]


def _cards(transaction: Transaction, table: Table, state: Round, ordinals: tuple[int, ...]) -> tuple[Card, ...]:
    shoe = _deck(transaction, table, (state.number, state.deals)).shoe
    return tuple([shoe[i] for i in ordinals])
