"""Incidents in words, the meaning of each condition, and the entry of a rulebook that fits."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.rounds.commands import ReportIncident
from croupier.rounds.dealing import decisions_remain
from croupier.rounds.outcomes import outcome_established
from croupier.rounds.state import Round, Stage
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import (
    JACKPOT_BET,
    Deal,
    Dealing,
    Incident,
    Irregularity,
    Place,
    Role,
    When,
)

DETECTED = (Incident.NOT_REVEALED, Incident.WRONG_SIZE, Incident.OUTSIDE_LIMITS)
"""Found by the settlement; where a document speaks of them, it is not in section 5."""
WORDS = {
    Incident.WALKED_AWAY: "A player walked away with a decision to make",
    Incident.NOT_REVEALED: "A hand was not shown",
    Incident.WRONG_SIZE: "A decision bet of the wrong size was found at the settlement",
    Incident.OUTSIDE_LIMITS: "A bet outside the limits was found at the settlement",
    Incident.FOREIGN_CARD: "A card that is not of the deck was found",
    Incident.DECK_COUNT: "The number of cards in the deck was doubted",
    Incident.SHOE_EXHAUSTED: "The cards ran out",
    Incident.UNSHUFFLED: "The cards were not shuffled",
    Incident.CARDS_EXPOSED: "The Dealer exposed cards during the deal",
    Incident.MISDEALT: "Cards went to wrong places",
    Incident.WRONG_COMMUNITY_COUNT: "The number of community cards is wrong",
    Incident.WRONG_DEALER_COUNT: "The number of the Dealer's cards is wrong",
    Incident.WRONG_BOX_COUNT: "A hand has the wrong number of cards",
    Incident.BURN_MISSED: "A burn was missed",
    Incident.DEALING_ERROR: "There was a dealing error",
    Incident.FACE_UP_IN_SHOE: "A card lay face up in the shoe",
    Incident.SIMULTANEOUS_DRAW: "Cards were drawn together and their order is unknown",
    Incident.TECHNICAL_INTERRUPTION: "A technical interruption stopped the round",
    Incident.JACKPOT_MALFUNCTION: "The jackpot system is out of order",
    Incident.EXTRA_HAND_EXAMINED: "A player looked at a further hand",
    Incident.CONTROLS_MULTIPLE_HANDS: "A player controls several hands by error",
    Incident.NOT_CONFIDENTIAL: "A player did not keep his hand to himself",
    Incident.RULES_BREACH: "A player broke the rules of the game",
    Incident.LATE_ERROR: "An error of an earlier round was noticed",
    Incident.UNCOVERED: "Something happened that the rules do not cover",
}


def entries_of(terms: Terms, incident: Incident) -> list[Irregularity]:
    """Return the book's entries for an incident; a burn can be missed only where the procedure has one."""
    if incident is Incident.BURN_MISSED and not _burns(terms.dealing):
        return []
    return [entry for entry in terms.book.irregularities if entry.incident is incident]


def _burns(dealing: Dealing) -> bool:
    deals = (step for step in dealing.steps if isinstance(step, Deal))
    return any(Place.BURN in step.order and not step.left_over for step in deals)


def fitting(terms: Terms, state: Round, facts: ReportIncident) -> Irregularity | None:
    """Return the entry whose conditions all hold; None while a person must say whether cards can be reconstructed."""
    fits, unknown = _weighed(terms, state, facts)
    if unknown:
        return None
    assert len(fits) == 1, f"{len(fits)} entries of {terms.book.game} fit {facts.incident.value}"
    return fits[0]


def as_reported(state: Round, facts: ReportIncident) -> Round:
    """Return the Round before this report: the reported cards do not count as exposed before."""
    if facts.incident is not Incident.CARDS_EXPOSED:
        return state
    return replace(state, exposed=state.exposed - facts.cards_named)


def _lies_face_up(state: Round) -> bool:
    return bool(state.community or state.dealer) or any(box.face_up for box in state.boxes)


def undecided(terms: Terms, state: Round, facts: ReportIncident) -> list[Irregularity]:
    """Return the entries between which a person's word about the cards decides."""
    return _weighed(terms, state, facts)[1]


def _weighed(terms: Terms, state: Round, facts: ReportIncident) -> tuple[list[Irregularity], list[Irregularity]]:
    """Return the entries whose conditions all hold, and those with an unknown condition."""
    fits: list[Irregularity] = []
    unknown: list[Irregularity] = []
    for entry in terms.book.irregularities:
        if entry.incident is not facts.incident:
            continue
        answers = [condition(terms, state, facts, when, entry.word_of) for when in entry.when]
        if False in answers:
            continue
        (unknown if None in answers else fits).append(entry)
    return fits, unknown


OPPOSITE = {
    When.NO_DECISIONS_REMAIN: When.DECISIONS_REMAIN,
    When.FIRST_DECISION_MADE: When.FIRST_DECISION_REMAINS,
    When.ONE_CARD: When.TWO_OR_MORE,
    When.NONE_EXPOSED_BEFORE: When.EXPOSED_BEFORE,
    When.NO_PLAYER_HAS_SEEN: When.PLAYER_HAS_SEEN,
    When.NOTHING_SEEN_OR_FACE_UP: When.SEEN_OR_FACE_UP,
    When.NOTHING_SEEN_FACE_UP_OR_EXPOSED: When.SEEN_FACE_UP_OR_EXPOSED,
    When.NO_PLAYER_HAS_HANDLED: When.PLAYER_HAS_HANDLED,
    When.NOT_RECONSTRUCTIBLE: When.RECONSTRUCTIBLE,
    When.NO_OUTCOME_ESTABLISHED: When.OUTCOME_ESTABLISHED,
    When.COUNT_WRONG: When.COUNT_PROVED_RIGHT,
    When.NO_HAND_WAS_VIEWED: When.A_HAND_WAS_VIEWED,
    When.BOX_CARD: When.DEALER_OR_COMMUNITY_CARD,
    When.HAND_CARD: When.COMMUNITY_CARDS_ONLY,
    When.FLOP_NOT_TURNED: When.FLOP_TURNED,
    When.NO_JACKPOT_BETS_LIE: When.JACKPOT_BETS_LIE,
}


def condition(terms: Terms, state: Round, facts: ReportIncident, when: When, word_of: Role) -> bool | None:
    """Return whether this condition holds; None where only a person can say and no entitled person has."""
    if when in OPPOSITE:
        holds = condition(terms, state, facts, OPPOSITE[when], word_of)
        return None if holds is None else not holds
    match when:
        case When.DECISIONS_REMAIN:
            return decisions_remain(terms, state.box(facts.boxes[0]))
        case When.FIRST_DECISION_REMAINS:
            box = state.box(facts.boxes[0])
            return decisions_remain(terms, box) and not box.choices
        case When.TWO_OR_MORE:
            return facts.cards_named >= 2
        case When.EXPOSED_BEFORE:
            return state.exposed > 0
        case When.PLAYER_HAS_SEEN:
            # Once the Round is settled, a Hand that was played blind has been turned before its Player.
            turned = state.stage is Stage.SETTLED and any(box.face_up for box in state.boxes)
            return state.has_seen_cards or turned
        case When.SEEN_OR_FACE_UP:
            return state.has_seen_cards or _lies_face_up(state)
        case When.SEEN_FACE_UP_OR_EXPOSED:
            return state.has_seen_cards or _lies_face_up(state) or state.exposed > 0
        case When.PLAYER_HAS_HANDLED:
            return any(box.handled for box in state.boxes)
        case When.FLOP_TURNED:
            return bool(state.community)
        case When.RECONSTRUCTIBLE:
            return facts.reconstructible if facts.by >= word_of else None
        case When.OUTCOME_ESTABLISHED:
            return outcome_established(terms, state)
        case When.COUNT_PROVED_RIGHT:
            return facts.correct
        case When.A_HAND_WAS_VIEWED:
            return any(facts.player in box.seen_by for box in state.boxes)
        case When.DEALER_OR_COMMUNITY_CARD:
            return facts.dealer or facts.community
        case When.COMMUNITY_CARDS_ONLY:
            return facts.community and not facts.dealer and not facts.boxes
        case When.JACKPOT_BETS_LIE:
            return any(box.has(JACKPOT_BET) for box in state.boxes)
        case _:
            raise AssertionError(f"{when} has no meaning yet")
