"""Tables on one link: a command at one of them, with everything it sets off on the meter and at the others. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.jackpots.commands import LinkCommand
from croupier.jackpots.decide import TermsOf, decide_link, due
from croupier.jackpots.events import (
    AnyLinkEvent,
    AwardsReversed,
    ClaimsEntered,
    ContributionReversed,
    DealRestored,
    HandsDealt,
    MeterFrozenFor,
    RoundDecided,
    RoundForgotten,
    RoundKey,
    TableName,
)
from croupier.jackpots.evolve import evolve_link, evolve_link_all
from croupier.jackpots.link import CaseState, Link, contribution_of
from croupier.rounds.commands import CorrectCards, GiveRuling, PlaceBet, ReportIncident, RoundCommand
from croupier.rounds.decide import decide
from croupier.rounds.events import (
    BetsClosed,
    BetSettled,
    CardsDealt,
    HandDecided,
    HandInvalidated,
    MeterFrozen,
    Outcome,
    RoundEvent,
    RoundOpened,
    RoundReopened,
)
from croupier.rounds.evolve import evolve
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import FOLDED, INVALID, LIVE, PLAYING, SETTLED, Box, Round
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import JACKPOT_BET, BoxNo, Incident, Jackpot
from croupier.structs import extended

TableEvent: TypeAlias = tuple[TableName, RoundEvent]


class Tables(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The tables of a house (or of one script), and the link they share."""

    terms: Mapping[TableName, Terms]
    rounds: Mapping[TableName, Round]
    link: Link | None = None


class Happened(msgspec.Struct, frozen=True, gc=False):
    """What one command set off: at the tables, in order, and on the link."""

    tables: Tables
    events: tuple[TableEvent, ...]
    link_events: tuple[AnyLinkEvent, ...] = ()


def act(tables: Tables, table: TableName, command: RoundCommand) -> Happened | Refusal:
    """Judge a command at one table, with all that follows from it on the link."""
    if spreads(tables.terms[table], command):
        return act_everywhere(tables, command)
    if type(command) is PlaceBet:
        command = _known(tables, table, command)
    return _acted(tables, table, command)


def act_everywhere(tables: Tables, command: RoundCommand) -> Happened | Refusal:
    """Report a fault of the whole link at every table, each judged by its own state."""
    happened = Happened(tables, ())
    fault = None if tables.link is None else next_fault(tables.link)
    for table in tables.terms:
        here = _acted(happened.tables, table, command, fault)
        if type(here) is Refusal:
            return here
        happened = Happened(here.tables, (*happened.events, *here.events), (*happened.link_events, *here.link_events))
    link = happened.tables.link
    if link is None:
        return happened
    followed = tuple(due(tables.terms.get, link))
    after = replace(happened.tables, link=evolve_link_all(link, followed))
    return Happened(after, happened.events, (*happened.link_events, *followed))


def _acted(tables: Tables, table: TableName, command: RoundCommand, fault: Fault | None = None) -> Happened | Refusal:
    at = AtLink(tables.link, tables.terms.get)
    judged = judge(at, table, tables.rounds[table], command, fault)
    if type(judged) is Refusal:
        return judged
    after = Tables(terms=tables.terms, rounds={**tables.rounds, table: judged.state}, link=judged.link)
    return Happened(after, tuple([(table, event) for event in judged.events]), judged.link_events)


def rule_on_link(tables: Tables, command: LinkCommand) -> Happened | Refusal:
    """Judge a ruling about awards of the link, or a measure of the House."""
    verdict = decide_link(tables.terms.get, tables.link, command)
    if type(verdict) is Refusal:
        return verdict
    assert tables.link is not None, "without a link every ruling about it is refused"
    return Happened(replace(tables, link=evolve_link_all(tables.link, verdict)), (), verdict)


def _known(tables: Tables, table: TableName, command: PlaceBet) -> PlaceBet:
    """Add what the other tables of the house know of the Player (readings `under-min-memory`, `bar-scope`)."""
    operator = tables.terms[table].book.document.operator
    books = {name: terms.book for name, terms in tables.terms.items() if name != table}
    house = {name: book for name, book in books.items() if book.document.operator == operator}
    barred = any(
        command.player in tables.rounds[name].standing.prohibited
        for name, book in house.items()
        if book.authority.bars_in_the_house
    )
    remembered = any(command.player in tables.rounds[name].standing.under_minimum for name in house)
    return replace(command, barred=barred, remembered=remembered) if barred or remembered else command


def spreads(terms: Terms, command: RoundCommand) -> bool:
    """Return whether a fault at one table counts at every table of the link (reading `jackpot-fault` a)."""
    if type(command) is not ReportIncident:
        return False
    return command.incident == Incident.JACKPOT_MALFUNCTION and terms.book.jackpot.fault_spreads


# ---------------------------------------------------------------- one table and its link


class Fault(msgspec.Struct, frozen=True):
    """A fault of the jackpot system, and the meter as registered when it happened."""

    number: int
    units: int


def next_fault(link: Link) -> Fault:
    """Return the fault that is being reported now."""
    earlier = (*(freeze.fault for freeze in link.freezes), *(fault.number for fault in link.faults))
    return Fault(1 + max(earlier, default=0), link.meter)


Met: TypeAlias = tuple[Round, Round, RoundEvent]


class Judged(msgspec.Struct, frozen=True, gc=False):
    """A command at a table: what happened there, and what that did to the link."""

    events: tuple[RoundEvent, ...]
    states: tuple[Round, ...]
    """The Round before these events, and after each of them."""
    link: Link | None
    link_events: tuple[AnyLinkEvent, ...] = ()
    link_states: tuple[Link, ...] = ()
    """The link after each of these events."""

    met: tuple[Met, ...] = ()
    """Events that concerned the link, each with the Round before and after it."""

    @property
    def state(self) -> Round:
        """The Round after all of these events."""
        return self.states[-1]


class AtLink(msgspec.Struct, frozen=True):
    """Where a command meets the link of its table."""

    link: Link | None
    terms_of: TermsOf
    signatures: int = 0
    """How many people verify a major award of this table before it is paid."""
    informs: bool = True
    """The link is asked what it has paid; the first release did not ask."""
    follows: bool = True
    """What follows on the link is part of the judgement; not while several tables meet one fault, nor in the first
    release.
    """


def judge(
    at: AtLink, table: TableName, state: Round, command: RoundCommand, fault: Fault | None = None
) -> Judged | Refusal:
    """Judge a command at a table. The house, the replay and the audit all call this function."""
    terms = at.terms_of(table)
    assert terms is not None, "a command is given at a table that there is"
    if at.informs:
        command = informed(at.link, (table, state.number), command)
    verdict = decide(terms, state, command)
    if type(verdict) is Refusal:
        return verdict
    return _entered(at, terms, table, state, verdict, fault)


def meet(
    at: AtLink, terms: Terms, table: TableName, state: Round, met: Iterable[Met]
) -> tuple[list[AnyLinkEvent], list[Link]]:
    """Return what events of a table, which led to this state, do to the link as it stands now, and the link after each
    of these effects.
    """
    assert at.link is not None, "only a link is met"
    effects = _Effects(at.link)
    for before, after, event in met:
        fault = next_fault(at.link) if type(event) is MeterFrozen else None
        effects.enter(_on_link(terms, table, effects.link, before, after, event, fault))
    effects.follow(at, terms, table, state, follows=at.follows)
    return effects.events, effects.states


def informed(link: Link | None, key: RoundKey, command: RoundCommand) -> RoundCommand:
    """Add to a command that may unwind a Round whether the link has paid an award of it."""
    if link is None or not link.cases or not isinstance(command, ReportIncident | GiveRuling | CorrectCards):
        return command
    paid = any(case.state is CaseState.PAID for case in link.cases_of(key))
    return replace(command, award_paid=True) if paid else command


def _entered(
    at: AtLink, terms: Terms, table: TableName, state: Round, events: tuple[RoundEvent, ...], fault: Fault | None
) -> Judged:
    """Apply the events of a table, what each does to the link, and what then follows there."""
    link = at.link
    if link is None:
        return Judged(events, tuple(accumulate(events, evolve, initial=state)), None)
    asked, follows = link, at.follows and fault is None
    states = [state]
    effects = _Effects(link)
    met: list[Met] = []
    for event in events:
        before, state = state, evolve(state, event)
        states.append(state)
        if type(event) in _MEANS_SOMETHING_TO_A_LINK:
            if fault is None and type(event) is MeterFrozen:
                fault = next_fault(asked)
            consequences = _on_link(terms, table, effects.link, before, state, event, fault)
            # While an award can be undone, what it took of a contribution is certain only when the link is locked.
            if (consequences and effects.enter(consequences)) or asked.locks:
                met.append((before, state, event))
    effects.follow(at, terms, table, state, follows=follows)
    return Judged(events, tuple(states), effects.link, tuple(effects.events), tuple(effects.states), tuple(met))


class _Effects:
    """What happens on a link, and the link after each of it."""

    __slots__ = ("events", "link", "states")

    def __init__(self, link: Link) -> None:
        self.link = link
        self.events: list[AnyLinkEvent] = []
        self.states: list[Link] = []

    def enter(self, consequences: Iterable[AnyLinkEvent]) -> bool:
        """Enter what an event means for the link; return whether it means anything."""
        before = len(self.events)
        for consequence in consequences:
            self.link = evolve_link(self.link, consequence)
            self.events.append(consequence)
            self.states.append(self.link)
        return len(self.events) > before

    def follow(self, at: AtLink, terms: Terms, table: TableName, state: Round, *, follows: bool) -> None:
        """Enter what follows from the state that a table has come to."""
        resolved = _resolved(terms, table, self.link, state, at.signatures)
        if resolved is not None:
            self.enter((resolved,))
        if follows and self.link.cases:
            self.enter(due(at.terms_of, self.link))


_MEANS_SOMETHING_TO_A_LINK = frozenset(
    (BetsClosed, CardsDealt, BetSettled, HandInvalidated, HandDecided, MeterFrozen, RoundReopened, RoundOpened)
)
"""What `_on_link` looks at; most events are other ones."""


def _on_link(
    terms: Terms, table: TableName, link: Link, before: Round, state: Round, event: RoundEvent, fault: Fault | None
) -> Iterable[AnyLinkEvent]:
    """Return what one event of a table means for the link."""
    number = state.number
    # The most frequent come first, compared by type as in `rounds.evolve`.
    if type(event) is CardsDealt:
        if before.jackpot_bets and wins_majors(terms) and any(place.isdigit() for place in event.to):
            return (HandsDealt(table=table, round=number),)
        return ()
    if type(event) is BetSettled:
        if event.bet == JACKPOT_BET and event.outcome is Outcome.RETURNED:
            return _contribution_taken_back(link, (table, event.round), event.box)
        return ()
    if type(event) is HandDecided:
        if _has_its_jackpot_bet_back(before.box(event.box)):
            return _contributed_again(link, table, state, {event.box})
        return ()
    return _on_link_less_often(terms, table, link, before, state, event, fault)


def _on_link_less_often(
    terms: Terms, table: TableName, link: Link, before: Round, state: Round, event: RoundEvent, fault: Fault | None
) -> Iterable[AnyLinkEvent]:
    """Yield what an event means for the link that few Rounds have, or each has once."""
    number = state.number
    match event:
        case RoundOpened():
            if before.number:
                yield RoundForgotten(table=table, round=before.number)
        case BetsClosed(jackpot_bets=bets):
            for bet in bets:
                added = contribution_of(link, table, number, bet.box, bet.amount)
                if link.parameters.cap is not None:
                    link = evolve_link(link, added)  # the next one sees how near the cap it is by then
                yield added
        case HandInvalidated(box=box) if _has_its_jackpot_bet_back(state.box(box)):
            yield from _contribution_taken_back(link, (table, number), box)
        case MeterFrozen():
            assert fault is not None, "the caller who enters a frozen meter has named the fault"
            yield MeterFrozenFor(table=table, round=number, fault=fault.number, units=fault.units)
        case RoundReopened():
            yield AwardsReversed(table=table, round=number)
            # A Bet that the settlement gave back is in play again, and its contribution with it.
            in_play = {box.number for box in state.boxes if not _has_its_jackpot_bet_back(box)}
            yield from _contributed_again(link, table, state, in_play)
            if before.jackpot_bets and wins_majors(terms):
                yield DealRestored(table=table, round=number)
        case _:
            pass


def _has_its_jackpot_bet_back(box: Box) -> bool:
    """Return whether the Hand is out of the Round, and its jackpot Bet went back with it."""
    return box.stands is INVALID and JACKPOT_BET not in (*box.lost, *box.settled)


def _contribution_taken_back(link: Link, key: RoundKey, box: BoxNo) -> Iterable[AnyLinkEvent]:
    for made in link.contributions.of_round(key):
        # An award paid since has taken the contribution with it: there is nothing left to take back.
        if made.box == box and not made.taken_by:
            yield extended(ContributionReversed, made, table=key[0], round=key[1])


def _contributed_again(link: Link, table: TableName, state: Round, boxes: Set[BoxNo]) -> Iterable[AnyLinkEvent]:
    counted = {made.box for made in link.contributions.of_round((table, state.number))}
    for bet in state.jackpot_bets:
        if bet.box in boxes and bet.box not in counted:
            added = contribution_of(link, table, state.number, bet.box, bet.amount)
            link = evolve_link(link, added)
            yield added


def _resolved(terms: Terms, table: TableName, link: Link, state: Round, signatures: int) -> AnyLinkEvent | None:
    """Enter claims when a Round is settled; take a Round that can win no more out of the order of deals."""
    key = (table, state.number)
    if state.claims and state.stage is SETTLED and not link.cases_of(key):
        claims = tuple(claim for claim in state.claims if claim.round == state.number)
        if claims:
            return ClaimsEntered(table=table, round=state.number, claims=claims, signatures=signatures)
    if not may_win_major(terms, state) and key in link.dealt and key not in link.waiting:
        return RoundDecided(table=table, round=state.number)
    return None


def wins_majors(terms: Terms) -> bool:
    return _pays_from_meter(terms.book.jackpot)


@lru_cache(maxsize=256)
def _pays_from_meter(jackpot: Jackpot) -> bool:
    return any(award.is_major for award in jackpot.awards)


def may_win_major(terms: Terms, state: Round) -> bool:
    """Return whether the Round has a live jackpot Bet and no result yet."""
    if state.stage is not PLAYING:
        return False
    for bet in state.jackpot_bets:
        stands = state.box(bet.box).stands
        if stands is LIVE or (stands is FOLDED and not terms.book.jackpot.folded_community_only):
            return True
    return False
