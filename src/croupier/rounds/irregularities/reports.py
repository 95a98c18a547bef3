"""Section 5: a report of an incident, the one entry that fits, its consequence, and the rulings it waits for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from croupier.money import Money
from croupier.rounds.commands import ReportIncident
from croupier.rounds.dealing import decisions_remain
from croupier.rounds.events import (
    HandDecided,
    HandExamined,
    IncidentReported,
    JackpotBetsSuspended,
    RoundEvent,
    RoundReopened,
    RulingAwaited,
)
from croupier.rounds.evolve import evolve, evolve_all
from croupier.rounds.irregularities.conditions import entries_of, fitting, undecided
from croupier.rounds.irregularities.consequences import carry_out
from croupier.rounds.refusal import Code, Refusal, no_round, unknown_box
from croupier.rounds.state import Box, HandStands, Round, Stage
from croupier.rulebooks.incidents import Moment
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import (
    ANTE_BET,
    AskRuling,
    BoxNo,
    Choice,
    Continue,
    DeclaredIncident,
    FreezeMeter,
    Incident,
    Irregularity,
    Role,
    Rules,
)

Verdict: TypeAlias = tuple[RoundEvent, ...] | Refusal

LIVE, FOLDED = HandStands.LIVE, HandStands.FOLDED

_SAY = {
    "boxes": "say which box",
    "player": "say which player",
    "count": "say how many cards",
    "affected": "say which other boxes are affected",
    "text": "say what happened",
}
"""What is asked for where a report lacks a fact that it needs."""
FACTS_OF_THE_CARDS = ("reconstructible", "not_reconstructible")
PROHIBIT = "prohibit"
"""The decision that bars a Player from further play."""


def report(terms: Terms, state: Round, facts: ReportIncident) -> Verdict:
    """Judge a report of an irregularity."""
    refusal = _cannot_report(terms, state, facts)
    return events_of(terms, state, facts) if refusal is None else refusal


def events_of(terms: Terms, state: Round, facts: ReportIncident) -> tuple[RoundEvent, ...]:
    """Return the events of a report that may be made."""
    if facts.incident == Incident.LATE_ERROR:
        return (IncidentReported(report=facts, rules=terms.book.late_error),)
    if not state.is_open:
        return _after_the_round(terms, state, facts)
    return _follow(terms, state, facts)


def _cannot_report(terms: Terms, state: Round, facts: ReportIncident) -> Refusal | None:
    incident = terms.book.incident(facts.incident)
    if incident is None:
        known = ", ".join(known.name for known in terms.book.known_incidents)
        message = f'This game has no incident "{facts.incident}": it has {known}.'
        return Refusal(Code.NOT_IN_THIS_GAME, message, terms.book.authority.uncovered)
    if state.number == 0 and incident.name != Incident.JACKPOT_MALFUNCTION:
        return no_round(terms)
    if unknown := unknown_box(terms, (*facts.boxes, *facts.affected)):
        return unknown
    if refusal := _not_now(terms, state, incident):
        return refusal
    for fact in incident.required:
        if not getattr(facts, fact):
            return Refusal(Code.FACT_MISSING, f"{incident.words}: {_SAY[fact]}.")
    if "boxes" in incident.required and state.dealt and state.box(facts.boxes[0]).stands is HandStands.OUT:
        return Refusal(Code.NO_HAND, f"Box {facts.boxes[0]} was dealt no hand.", terms.dealing.rules)
    if incident.name == Incident.EXTRA_HAND_EXAMINED and terms.book.seating.several_boxes:
        for number in facts.boxes:
            reason = _why_no_further_hand(terms, state, number)
            if reason is not None:
                return Refusal(Code.NOT_A_FURTHER_HAND, reason, terms.book.examining.rules)
    if "player" in incident.required and not any(facts.player in box.players for box in state.boxes):
        return Refusal(Code.NOT_AT_THE_TABLE, f"{facts.player} has no bet in this round.")
    if incident.name == Incident.CONTROLS_MULTIPLE_HANDS:
        hands = sum(box.seated == facts.player and box.stands is not HandStands.INVALID for box in state.boxes)
        entries = entries_of(terms, incident.name)
        if entries and hands < 2:
            return Refusal(Code.NOT_SEVERAL_HANDS, f"{facts.player} does not control several hands.", entries[0].rules)
    return None


def _not_now(terms: Terms, state: Round, incident: DeclaredIncident) -> Refusal | None:
    """Refuse a report outside the moments that the incident is declared for."""
    if not state.dealt and Moment.BEFORE_CARDS not in incident.moments:
        return Refusal(Code.NOT_DEALT_YET, f"{incident.words}: no card has been dealt yet.", terms.dealing.rules)
    if not state.is_open and Moment.AFTER_ROUND not in incident.moments:
        return Refusal(Code.TOO_LATE, f"{incident.words}: the round is over.", terms.book.reopening)
    if state.is_open and state.dealt and Moment.WITH_CARDS not in incident.moments:
        return Refusal(Code.TOO_LATE, f"{incident.words}: cards have been dealt.", terms.dealing.rules)
    return None


def _why_no_further_hand(terms: Terms, state: Round, number: BoxNo) -> str | None:
    """Return why a look at this Hand is lawful: it was the Player's first, or the table has no other."""
    box = state.box(number)
    if terms.book.examining.side_bet_only and not box.has(ANTE_BET):
        return None  # no Player may look at this one, be it the first or the only one
    if box.seen_first:
        return f"Box {number} is the hand that {box.seated} looked at first, which stays valid."
    # A Player of another box may have looked: staff say so, and a supervisor rules on it.
    others = [b for b in state.boxes if b.stands is not HandStands.OUT and b != box]
    uncovered = not entries_of(terms, Incident.EXTRA_HAND_EXAMINED)
    return (
        None if others or uncovered else f"Box {number} is the only hand of the round, and {box.seated} may look at it."
    )


def _follow(terms: Terms, state: Round, facts: ReportIncident) -> tuple[RoundEvent, ...]:
    """Carry out the one entry that fits, or ask for the fact that decides between entries."""
    entries = entries_of(terms, facts.incident)
    if not entries:
        return refer(terms, state, facts)
    entry = fitting(terms, state, facts)
    if entry is None:
        asked = undecided(terms, state, facts)
        word_of = max(entry.word_of for entry in asked)
        rules = asked[0].rules
        awaited = RulingAwaited(report=facts, role=word_of, decisions=FACTS_OF_THE_CARDS, rules=rules)
        return (IncidentReported(report=facts, rules=rules), awaited)
    reported: tuple[RoundEvent, ...] = (IncidentReported(report=facts, rules=entry.rules),)
    if facts.incident == Incident.EXTRA_HAND_EXAMINED:
        reported = (*reported, *_looked(state, facts))
    if facts.incident == Incident.JACKPOT_MALFUNCTION and not isinstance(entry.then, FreezeMeter):
        reported = (*reported, JackpotBetsSuspended(rules=entry.rules))
    return (*reported, *carry_out(terms, evolve_all(state, reported), facts, entry.rules, entry.then))


def _looked(state: Round, facts: ReportIncident) -> Iterator[RoundEvent]:
    for number in facts.boxes:
        box = state.box(number)
        if box.seated is not None and box.seated not in box.seen_by:
            yield HandExamined(box=number, player=box.seated, noticed=False)


def refer(terms: Terms, state: Round, facts: ReportIncident) -> tuple[RoundEvent, ...]:
    """Refer what no paragraph covers to the role that decides it."""
    authority = terms.book.authority
    decisions: tuple[str, ...] = ("void", "stand", "return")
    if facts.incident == Incident.WALKED_AWAY:
        decisions = ("fold", *decisions)
    reported: list[RoundEvent] = [IncidentReported(report=facts, rules=authority.uncovered)]
    if facts.incident == Incident.JACKPOT_MALFUNCTION:
        reported.append(JackpotBetsSuspended(rules=authority.uncovered))
        if not state.is_open:
            return tuple(reported)
    awaited = RulingAwaited(report=facts, role=authority.uncovered_by, decisions=decisions, rules=authority.uncovered)
    return (*reported, awaited)


def _after_the_round(terms: Terms, state: Round, facts: ReportIncident) -> tuple[RoundEvent, ...]:
    """Judge a report between settlement and the next Round: unwind where the rules say so, else let stand or ask."""
    if facts.incident == Incident.JACKPOT_MALFUNCTION:
        rules = terms.book.measures.rules if terms.book.measures is not None else terms.book.authority.uncovered
        return (IncidentReported(report=facts, rules=rules), JackpotBetsSuspended(rules=rules))
    entries = entries_of(terms, facts.incident)
    entry = fitting(terms, state, facts) if entries else None
    if entry is not None and _is_about_further_play(entry):
        return _follow(terms, state, facts)
    if state.stage is Stage.VOID:
        return (IncidentReported(report=facts, rules=terms.book.void),)
    if entries and any(asked.reopens for asked in undecided(terms, state, facts)):
        return _follow(terms, state, facts)
    if entry is None:
        return refer(terms, state, facts)
    if isinstance(entry.then, Continue | FreezeMeter):
        return (IncidentReported(report=facts, rules=entry.rules),)
    if not entry.reopens:
        return refer(terms, state, facts)
    rules = _once(entry.rules, terms.book.reopening)
    reported = IncidentReported(report=facts, rules=rules)
    if facts.by < Role.SHIFT_MANAGER and unwinds_an_award(terms, state, facts.award_paid):
        awaited = RulingAwaited(report=facts, role=Role.SHIFT_MANAGER, decisions=("reopen", "stand"), rules=rules)
        return (reported, awaited)
    return (reported, *reopen(terms, state, facts, entry))


def unwinds_an_award(terms: Terms, state: Round, paid_by_the_link: bool) -> bool:
    """Return whether reopening this Round takes back a paid award, which needs the shift manager."""
    return paid_by_the_link or state.paid_from_meter or (terms.book.minor_awards_wait and bool(state.awards))


def _is_about_further_play(entry: Irregularity) -> bool:
    """Return whether the ruling is about further play, so that it may follow the settlement."""
    return isinstance(entry.then, AskRuling) and PROHIBIT in dict(entry.then.answers)


def reopen(terms: Terms, state: Round, facts: ReportIncident, entry: Irregularity) -> tuple[RoundEvent, ...]:
    reopened = RoundReopened(number=state.number, rules=_once(entry.rules, terms.book.reopening))
    return (reopened, *carry_out(terms, evolve(state, reopened), facts, entry.rules, entry.then))


def _once(*cited: Rules) -> Rules:
    return tuple(dict.fromkeys(rule for rules in cited for rule in rules))


def when_absent(terms: Terms, state: Round, number: BoxNo) -> tuple[RoundEvent, ...]:
    """Return what would follow at a box with a decision due if its Player went away; nothing is changed."""
    box = state.box(number)
    if box.seated is None or not decisions_remain(terms, box):
        return ()
    return _follow(terms, state, ReportIncident(incident=Incident.WALKED_AWAY, boxes=(number,), player=box.seated))


def when_late(terms: Terms, state: Round, number: BoxNo) -> Choice | None:
    """Return the choice that a table without staff makes for a box whose time is up; None where the Hand leaves the
    Round instead.

    What the document says of an absent Player follows. Only where it would give the wagers back, a Player who has
    looked is not absent: the Hand is folded, else looking and then waiting would be better than folding.
    """
    return _choice_when_late(state.box(number), when_absent(terms, state, number))


def _choice_when_late(box: Box, when_absent: tuple[RoundEvent, ...]) -> Choice | None:
    for event in when_absent:
        match event:
            case HandDecided():
                return event.choice
            case RulingAwaited() if "fold" in event.decisions:
                return "fold"  # the standing order of a table without staff
            case _:
                continue
    return "fold" if box.seated in box.seen_by else None


class WhenLate(NamedTuple):
    """What a table without staff makes of a box whose time is up."""

    choice: Choice | None
    """None where the Hand leaves the Round instead."""
    loses: Money
    """The stakes that its Player loses: those of the folded Hand, and of their other Hands that have decided already
    and will be folded at the next decision.
    """


def follows_when_late(terms: Terms, state: Round, number: BoxNo) -> WhenLate:
    """Return what follows at a box with a decision due when its time is up."""
    box, events = state.box(number), when_absent(terms, state, number)
    choice = _choice_when_late(box, events)
    if choice != "fold":
        return WhenLate(choice, 0)
    folded = [box]
    if any(isinstance(event, HandDecided) for event in events):
        others = (other for other in state.boxes if other.seated == box.seated and other.number != number)
        decided = [
            other for other in others if len(other.choices) > len(box.choices) and decisions_remain(terms, other)
        ]
        folded += [other for other in decided if when_late(terms, state, other.number) == "fold"]
    loses = {*terms.book.fold.loses, *terms.book.showdown.bets}
    lost = sum(
        stake.amount for each in folded for stake in each.stakes if stake.player == box.seated and stake.bet in loses
    )
    return WhenLate(choice, lost)


def act_for_absent(terms: Terms, state: Round, number: BoxNo) -> Verdict:
    """Decide for a box whose Player has walked away."""
    box = state.box(number)
    if state.stage is not Stage.PLAYING or box.seated not in state.absent or not decisions_remain(terms, box):
        return Refusal(Code.NO_DECISION_DUE, f"Box {number} has nothing to decide for an absent player.")
    return _follow(terms, state, ReportIncident(incident=Incident.WALKED_AWAY, boxes=(number,), player=box.seated))
