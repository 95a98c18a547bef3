"""Previews of answers: what the Round waits for, from whom, and what each lawful answer does to every box."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from croupier.money import Money
from croupier.rounds.commands import ChooseOption, GiveRuling
from croupier.rounds.events import CardsRedealt, HandInvalidated, RoundEvent
from croupier.rounds.evolve import evolve_all
from croupier.rounds.irregularities.rulings import choose, rule
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Awaiting, Box, HandStands, Round, Stage
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import BoxNo, IncidentName, Role, Rules


class Effect(StrEnum):
    """What an answer means for one box."""

    PLAYS_ON = "plays_on"
    RETURNED = "returned"
    LOST = "lost"
    OPTION = "option"
    """The answer gives this box an option of its own."""


class BoxEffect(msgspec.Struct, frozen=True):
    """What one answer does to one box: its chips stay in play, go back, or are lost."""

    effect: Effect
    returned: Money = 0
    lost: Money = 0
    in_play: Money = 0


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One lawful answer to what the Round waits for."""

    incident: IncidentName
    says: str
    """The incident in words."""
    rules: Rules
    by: Role | None = None
    """The least role that may rule; None where a box chooses."""
    box: BoxNo | None = None
    named: tuple[BoxNo, ...] = ()
    """The boxes that the report named."""
    answer: str
    money: Mapping[BoxNo, BoxEffect]


def answers(terms: Terms, state: Round) -> tuple[Answer, ...]:
    """Return every lawful answer, each with the money of every box."""
    return tuple(answer for waits in state.awaiting for answer in _answers_to(terms, state, waits))


def _answers_to(terms: Terms, state: Round, waits: Awaiting) -> list[Answer]:
    found = []
    state = replace(state, awaiting=(waits,))  # each question by itself, whatever else is open
    if waits.role is not None:
        for decision in waits.decisions:
            command = GiveRuling(by=Role.SHIFT_MANAGER, decision=decision, boxes=waits.report.boxes)
            found.append(_answer(terms, state, waits, decision, rule(terms, state, command)))
        return found
    for number in waits.boxes:
        for option in waits.options:
            chosen = choose(terms, state, ChooseOption(box=number, option=option))
            found.append(_answer(terms, state, waits, option, chosen, number))
    return found


def _answer(
    terms: Terms,
    state: Round,
    waits: Awaiting,
    answer: str,
    verdict: tuple[RoundEvent, ...] | Refusal,
    box: BoxNo | None = None,
) -> Answer:
    assert not isinstance(verdict, Refusal), f"{answer} is offered, so it is lawful: {verdict}"
    return Answer(
        incident=waits.report.incident,
        says=terms.book.words_of(waits.report.incident),
        rules=waits.rules,
        by=waits.role,
        box=box,
        named=waits.report.boxes,
        answer=answer,
        money=money_of(evolve_all(state, verdict), verdict),
    )


def money_of(after: Round, events: tuple[RoundEvent, ...]) -> dict[BoxNo, BoxEffect]:
    """Return the state of every box's chips right after these events."""
    lost_with = {event.box: event.lost for event in events if isinstance(event, HandInvalidated)}
    redealt: dict[BoxNo, Money] = {}
    for event in events:
        for number, _, part in event.returned if isinstance(event, CardsRedealt) else ():
            redealt[number] = redealt.get(number, 0) + part.amount
    effects = {}
    for box in after.boxes:
        total = sum(stake.amount for stake in box.stakes)
        if not total:
            continue
        given_back = sum(part.stake.amount for part in box.returned) + redealt.get(box.number, 0)
        lines = [line for line in after.lines if line.box == box.number]
        if after.stage in (Stage.VOID, Stage.SETTLED) and lines:
            back = sum(line.returned + line.won for line in lines)
            gone = sum(line.staked - line.returned for line in lines)
            effects[box.number] = BoxEffect(Effect.LOST if gone and not back else Effect.RETURNED, back, gone)
        elif box.stands is HandStands.INVALID:
            gone = sum(stake.amount for stake in box.stakes if stake.bet in lost_with.get(box.number, box.lost))
            effects[box.number] = BoxEffect(Effect.RETURNED, total - gone + given_back, gone)
        elif box.stands is HandStands.FORFEITED:
            effects[box.number] = BoxEffect(Effect.LOST, given_back, total)
        else:
            asked = any(waits.role is None and box.number in waits.boxes for waits in after.awaiting)
            effect = Effect.OPTION if asked else Effect.PLAYS_ON
            effects[box.number] = BoxEffect(effect, given_back, in_play=total)
    return effects


def folded_effect(terms: Terms, box: Box) -> BoxEffect:
    """Return what a fold does to the chips of a box: what it loses, and what the cards still settle."""
    loses = {*terms.book.fold.loses, *terms.book.showdown.bets}
    lost = sum(stake.amount for stake in box.stakes if stake.bet in loses)
    return BoxEffect(Effect.LOST, lost=lost, in_play=sum(stake.amount for stake in box.stakes) - lost)
