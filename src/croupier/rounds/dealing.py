"""The dealing procedure: the next step, who must decide, and the Dealer's own work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeAlias, TypeVar, final

import msgspec

from croupier.rounds.commands import ActForAbsent, DealCards, SettleBets
from croupier.rounds.state import FOLDED, INVALID, LIVE, PLAYING, Box, Round
from croupier.rulebooks.terms import ALWAYS, Terms
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET, BoxNo, Deal, Dealing, Decision, Fate, Place, Turn

T = TypeVar("T")

BOXES = Place.BOXES


@final
class CardsToTurn(msgspec.Struct, frozen=True, gc=False):
    """Cards the Dealer turns next: for each place the ordinals of its cards, counted from the first of the shoe."""

    places: Mapping[str, tuple[int, ...]]


DealersWork: TypeAlias = DealCards | CardsToTurn | SettleBets | ActForAbsent


def _remembers_the_last(ask: Callable[[Terms, Round], T]) -> Callable[[Terms, Round], T]:
    """Keep the last answer: `decide` asks of a state what its caller has just asked of the same one."""
    last: tuple[Terms, Round, T] | None = None

    def answer(terms: Terms, state: Round) -> T:
        nonlocal last
        known = last  # another thread may ask in between
        if known is None or known[1] is not state or known[0] is not terms:
            last = known = (terms, state, ask(terms, state))
        return known[2]

    return answer


@lru_cache(maxsize=4096)
def places_of(deal: Deal, boxes: tuple[BoxNo, ...]) -> tuple[str, ...]:
    """Return the places of the cards of one dealing step, in order."""
    once: list[str] = []
    for place in deal.order:
        if place is BOXES:
            for number in boxes:
                once.extend([str(number)] * deal.each)
        else:
            once.extend([place.value] * deal.each)
    return tuple(once) * deal.times


def still_to_deal(procedure: Dealing, state: Round) -> tuple[str, ...]:
    """Return the places of the cards that are not dealt yet."""
    boxes = dealt_in(state)
    steps = procedure.steps[state.step :]
    return tuple(place for step in steps if type(step) is Deal for place in places_of(step, boxes))


def dealt_in(state: Round) -> tuple[BoxNo, ...]:
    """Return the boxes that hold a Hand or are about to be dealt one."""
    found = []
    for number in state.hands:
        stands = state.boxes[number - 1].stands
        if stands is LIVE or stands is FOLDED:
            found.append(number)
    return tuple(found)


@_remembers_the_last
def next_step(terms: Terms, state: Round) -> int:
    """Return the next step of the procedure that is needed; decisions that no box has to make are passed over."""
    return step_from(terms, state, state.step)


def step_from(terms: Terms, state: Round, start: int) -> int:
    """Return the first step from `start` on that is needed as the boxes stand."""
    compare = len(terms.serves) - 1  # the last step of every procedure
    assert compare >= 0, "a table whose rulebook is missing plays no Round"
    for number in state.hands:
        if state.boxes[number - 1].stands is LIVE:
            break
    else:
        return _uncontested_step_from(terms, state, start)
    nth_decision = terms.nth_decision
    for index in range(start, compare):
        if nth_decision[index] is None or boxes_to_decide(terms, state, index):
            return index
    return compare


def _uncontested_step_from(terms: Terms, state: Round, start: int) -> int:
    """Return the first step that is needed though no Hand plays against the Dealer's: for a jackpot Bet, or always."""
    serves, compare = terms.serves, len(terms.serves) - 1
    anybody = any(state.boxes[number - 1].stands is FOLDED for number in state.hands)
    community = terms.book.jackpot.community if has_live_jackpot_bet(state) else 0
    for index in range(start, compare):
        needed = anybody if serves[index] == ALWAYS else serves[index] < community
        if needed and terms.nth_decision[index] is None:
            return index
    return compare


def steps_to_deal(terms: Terms, state: Round) -> tuple[int, ...]:
    """Return the steps of the procedure that the Dealer deals one after the other from here on."""
    steps, found, index = terms.dealing.steps, list[int](), next_step(terms, state)
    while type(steps[index]) is Deal:
        found.append(index)
        index = step_from(terms, state, index + 1)
    return tuple(found)


def has_live_jackpot_bet(state: Round) -> bool:
    """Return whether a jackpot Bet was accepted on a Hand that has not been cancelled."""
    return any(state.box(bet.box).stands in (LIVE, FOLDED) for bet in state.jackpot_bets)


def boxes_to_decide(terms: Terms, state: Round, index: int) -> tuple[BoxNo, ...]:
    """Return the live boxes with an Ante that have not made this decision."""
    nth = terms.nth_decision[index]
    assert nth is not None, "only a decision is asked of boxes"
    found = []
    for number in state.hands:
        box = state.boxes[number - 1]
        if box.stands is LIVE and len(box.choices) <= nth and box.has(ANTE_BET):
            found.append(number)
    return tuple(found)


def decision_due(terms: Terms, state: Round) -> tuple[Decision, tuple[BoxNo, ...]] | None:
    """Return the decision that Players now make, and the boxes that still have to."""
    if state.stage is not PLAYING:
        return None
    index = next_step(terms, state)
    step = terms.dealing.steps[index]
    if type(step) is not Decision:
        return None
    return step, boxes_to_decide(terms, state, index)


def is_blind(state: Round, box: Box) -> bool:
    """Return whether its Player plays several boxes and has not looked at this one."""
    player = box.seated
    return player not in box.seen_by and sum(other.seated == player for other in state.boxes) > 1


def decisions_remain(terms: Terms, box: Box) -> bool:
    """Return whether this box has choices left in the Round."""
    if box.stands is not LIVE or not box.has(ANTE_BET):
        return False
    decisions = len(terms.nth_decision) - terms.nth_decision.count(None)
    return len(box.choices) < decisions


@_remembers_the_last
def dealers_work(terms: Terms, state: Round) -> DealersWork | None:
    """Return the Dealer's next work; None while the Round waits for a person."""
    if state.stage is not PLAYING or state.awaiting:
        return None
    index = next_step(terms, state)
    step = terms.dealing.steps[index]
    if type(step) is Deal:
        return DealCards()
    if type(step) is Decision:
        return _for_absent(terms, state, index) if state.absent else None
    if type(step) is Turn:
        if step.dealer:
            return CardsToTurn({"dealer": state.ordinals("dealer")})
        return CardsToTurn({"community": state.ordinals("community")[len(state.community) : step.community]})
    hidden = [
        number
        for number in state.hands
        if not state.boxes[number - 1].face_up and must_be_shown(terms, state.boxes[number - 1])
    ]
    if hidden:
        return CardsToTurn({str(number): state.ordinals(str(number)) for number in hidden})
    return SettleBets()


def _for_absent(terms: Terms, state: Round, index: int) -> ActForAbsent | None:
    """Return the decision that the Dealer makes for a Player who has walked away."""
    for number in boxes_to_decide(terms, state, index):
        box = state.box(number)
        if box.seated in state.absent and not box.excused:
            return ActForAbsent(box=number)
    return None


def must_be_shown(terms: Terms, box: Box) -> bool:
    """Return whether this Hand is turned at the comparison: live, or folded with Bets that look at its cards."""
    if box.stands is INVALID:
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
