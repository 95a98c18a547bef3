"""The dealing procedure: the next step, who must decide, and the Dealer's own work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from croupier.rounds.commands import ActForAbsent, DealCards, SettleBets
from croupier.rounds.state import Box, HandStands, Round, Stage
from croupier.rulebooks.terms import ALWAYS, Terms
from croupier.rulebooks.vocabulary import (
    ANTE_BET,
    JACKPOT_BET,
    BoxNo,
    Compare,
    Deal,
    Dealing,
    Decision,
    Fate,
    Place,
    Turn,
)

LIVE, FOLDED = HandStands.LIVE, HandStands.FOLDED


class CardsToTurn(msgspec.Struct, frozen=True):
    """Cards the Dealer turns next: for each place the ordinals of its cards, counted from the first of the shoe."""

    places: Mapping[str, tuple[int, ...]]


DealersWork: TypeAlias = DealCards | CardsToTurn | SettleBets | ActForAbsent


def places_of(deal: Deal, boxes: tuple[BoxNo, ...]) -> tuple[str, ...]:
    """Return the places of the cards of one dealing step, in order."""
    once: list[str] = []
    for place in deal.order:
        if place is Place.BOXES:
            for number in boxes:
                once.extend([str(number)] * deal.each)
        else:
            once.extend([place.value] * deal.each)
    return tuple(once) * deal.times


def still_to_deal(procedure: Dealing, state: Round) -> tuple[str, ...]:
    """Return the places of the cards that are not dealt yet."""
    boxes = dealt_in(state)
    steps = procedure.steps[state.step :]
    return tuple(place for step in steps if isinstance(step, Deal) for place in places_of(step, boxes))


def dealt_in(state: Round) -> tuple[BoxNo, ...]:
    """Return the boxes that hold a Hand or are about to be dealt one."""
    return tuple(number for number in state.hands if state.boxes[number - 1].stands in (LIVE, FOLDED))


def next_step(terms: Terms, state: Round) -> int:
    """Return the next step of the procedure that is needed; decisions that no box has to make are passed over."""
    steps, serves = terms.dealing.steps, terms.serves
    contested = anybody = False
    for number in state.hands:
        stands = state.boxes[number - 1].stands
        if stands is LIVE:
            contested = anybody = True
            break
        anybody = anybody or stands is FOLDED
    community = terms.book.jackpot.community if not contested and has_live_jackpot_bet(state) else 0
    for index in range(state.step, len(steps)):
        step = steps[index]
        if isinstance(step, Decision):
            if contested and boxes_to_decide(terms, state, index):
                return index
        elif (
            isinstance(step, Compare)
            or contested
            or (serves[index] == ALWAYS and anybody)
            or (ALWAYS < serves[index] < community)
        ):
            return index
    raise AssertionError("every dealing procedure ends with Compare")


def has_live_jackpot_bet(state: Round) -> bool:
    """Return whether a jackpot Bet was accepted on a Hand that has not been cancelled."""
    return any(state.box(bet.box).stands in (LIVE, FOLDED) for bet in state.jackpot_bets)


def boxes_to_decide(terms: Terms, state: Round, index: int) -> tuple[BoxNo, ...]:
    """Return the live boxes with an Ante that have not made this decision."""
    nth = terms.nth_decision[index]
    found = []
    for number in state.hands:
        box = state.boxes[number - 1]
        if box.stands is LIVE and len(box.choices) <= nth and box.has(ANTE_BET):
            found.append(number)
    return tuple(found)


def decision_due(terms: Terms, state: Round) -> tuple[Decision, tuple[BoxNo, ...]] | None:
    """Return the decision that Players now make, and the boxes that still have to."""
    if state.stage is not Stage.PLAYING:
        return None
    index = next_step(terms, state)
    step = terms.dealing.steps[index]
    if not isinstance(step, Decision):
        return None
    return step, boxes_to_decide(terms, state, index)


def is_blind(state: Round, box: Box) -> bool:
    """Return whether its Player plays several boxes and has not looked at this one."""
    player = box.seated
    return player not in box.seen_by and sum(other.seated == player for other in state.boxes) > 1


def decisions_remain(terms: Terms, box: Box) -> bool:
    """Return whether this box has choices left in the Round."""
    decisions = sum(isinstance(step, Decision) for step in terms.dealing.steps)
    return box.stands is LIVE and box.has(ANTE_BET) and len(box.choices) < decisions


def dealers_work(terms: Terms, state: Round) -> DealersWork | None:
    """Return the Dealer's next work; None while the Round waits for a person."""
    if state.stage is not Stage.PLAYING or state.awaiting:
        return None
    index = next_step(terms, state)
    match terms.dealing.steps[index]:
        case Decision():
            for number in boxes_to_decide(terms, state, index):
                box = state.box(number)
                if box.seated in state.absent and not box.excused:
                    return ActForAbsent(box=number)
            return None
        case Deal():
            return DealCards()
        case Turn(community=community, dealer=is_dealer):
            if is_dealer:
                return CardsToTurn({"dealer": state.ordinals("dealer")})
            return CardsToTurn({"community": state.ordinals("community")[len(state.community) : community]})
        case Compare():
            hidden = [
                number
                for number in state.hands
                if not state.boxes[number - 1].face_up and must_be_shown(terms, state.boxes[number - 1])
            ]
            if hidden:
                return CardsToTurn({str(number): state.ordinals(str(number)) for number in hidden})
            return SettleBets()


def must_be_shown(terms: Terms, box: Box) -> bool:
    """Return whether this Hand is turned at the comparison: live, or folded with Bets that look at its cards."""
    if box.stands is HandStands.INVALID:
        return bool(box.settled) and bool(box.stakes)
    if box.stands not in (LIVE, FOLDED):
        return False
    book = terms.book
    if box.refused:
        refusal = book.not_shown
        if not box.proved:
            return False
        if refusal is None or (refusal.proving_restores and box.stands is LIVE):
            return True
        return any(box.has(bet) for bet in refusal.provable)
    if box.stands is LIVE:
        return True
    if box.has(JACKPOT_BET) and not book.jackpot.folded_community_only:
        return True
    return any(box.has(s.stake) and all(when is not Fate.FOLDED for when, _ in s.lost_when) for s in book.side_bets)
