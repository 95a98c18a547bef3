"""The meaning of each condition of an incident, and the entry of a rulebook that fits."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.rounds.commands import ReportIncident
from croupier.rounds.dealing import decisions_remain
from croupier.rounds.outcomes import outcome_established
from croupier.rounds.state import Round, Stage
from croupier.rulebooks.incidents import OPPOSITE
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import (
    JACKPOT_BET,
    Deal,
    Dealing,
    Incident,
    IncidentName,
    Irregularity,
    Place,
    Role,
    When,
)


def entries_of(terms: Terms, incident: IncidentName) -> tuple[Irregularity, ...]:
    """Return the book's entries for an incident; a burn can be missed only where the procedure has one."""
    if incident == Incident.BURN_MISSED and not _burns(terms.dealing):
        return ()
    return terms.book.entries_of(incident)


def _burns(dealing: Dealing) -> bool:
    deals = (step for step in dealing.steps if isinstance(step, Deal))
    return any(Place.BURN in step.order and not step.left_over for step in deals)


def fitting(terms: Terms, state: Round, facts: ReportIncident) -> Irregularity | None:
    """Return the entry whose conditions all hold; None while a person must say whether cards can be reconstructed."""
    fits, unknown = _weighed(terms, state, facts)
    if unknown:
        return None
    assert len(fits) == 1, f"{len(fits)} entries of {terms.book.game} fit {facts.incident}"
    return fits[0]


def as_reported(state: Round, facts: ReportIncident) -> Round:
    """Return the Round before this report: the reported cards do not count as exposed before."""
    if facts.incident != Incident.CARDS_EXPOSED:
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
    for entry in terms.book.entries_of(facts.incident):
        answers = [condition(terms, state, facts, when, entry.word_of) for when in entry.when]
        if False in answers:
            continue
        (unknown if None in answers else fits).append(entry)
    return fits, unknown


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
