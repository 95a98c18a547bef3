"""Coverage of incidents: whether exactly one entry of a rulebook fits whatever happens, by its declarations alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product

from croupier.rulebooks.description.comparison import consequence_in_words
from croupier.rulebooks.description.phrases import conditions_in_words
from croupier.rulebooks.incidents import (
    INCIDENTS,
    OPPOSITE,
    AskRuling,
    CheckHand,
    Consequence,
    DeclaredIncident,
    FactName,
    FoldHand,
    ForfeitBets,
    IncidentName,
    InvalidateHand,
    Irregularity,
    Noticed,
    OfferOptions,
    When,
    Whom,
)
from croupier.rulebooks.vocabulary import Rulebook

IMPLIES: Mapping[When, tuple[When, ...]] = {
    When.FIRST_DECISION_REMAINS: (When.DECISIONS_REMAIN,),
    When.PLAYER_HAS_SEEN: (When.SEEN_OR_FACE_UP, When.SEEN_FACE_UP_OR_EXPOSED),
    When.A_HAND_WAS_VIEWED: (
        When.PLAYER_HAS_SEEN,
        When.PLAYER_HAS_HANDLED,
        When.SEEN_OR_FACE_UP,
        When.SEEN_FACE_UP_OR_EXPOSED,
    ),
    When.FLOP_TURNED: (When.SEEN_OR_FACE_UP, When.SEEN_FACE_UP_OR_EXPOSED),
    When.SEEN_OR_FACE_UP: (When.SEEN_FACE_UP_OR_EXPOSED,),
    When.EXPOSED_BEFORE: (When.SEEN_FACE_UP_OR_EXPOSED,),
    When.COMMUNITY_CARDS_ONLY: (When.DEALER_OR_COMMUNITY_CARD,),
}
"""Where the first of these conditions holds, so do the others: looking at cards is handling them too."""

_STATED: Mapping[When, tuple[FactName, ...]] = {
    When.DECISIONS_REMAIN: ("boxes",),
    When.FIRST_DECISION_REMAINS: ("boxes",),
    When.TWO_OR_MORE: ("count", "boxes"),
    When.RECONSTRUCTIBLE: ("reconstructible",),
    When.COUNT_PROVED_RIGHT: ("correct",),
    When.A_HAND_WAS_VIEWED: ("player",),
    When.DEALER_OR_COMMUNITY_CARD: ("dealer", "community"),
    When.COMMUNITY_CARDS_ONLY: ("community",),
}
"""Conditions that only a report can tell, and the facts of which it states one."""
_OF_ONE_BOX = (When.DECISIONS_REMAIN, When.FIRST_DECISION_REMAINS)
_TOUCHED: Mapping[Whom, tuple[FactName, ...]] = {
    Whom.OTHERS_AFFECTED: ("affected",),
    Whom.OF_PLAYER: ("player", "boxes"),
    Whom.UNVIEWED_OF_PLAYER: ("player", "boxes"),
    Whom.ALL_BUT_FIRST_DEALT_OF_PLAYER: ("player", "boxes"),
}
"""Whom only a report can tell, and the facts of which it states one."""
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def uncovered_cases(book: Rulebook, incident: IncidentName) -> Iterator[str]:
    """Yield, in words, every possible case of an incident in which no entry of the book fits, or more than one.

    An incident of every rulebook may be left out: then no paragraph covers it. One that the book declares has entries.
    """
    entries = book.entries_of(incident)
    if not entries:
        if any(own.name == incident for own in book.incidents):
            yield f"No entry speaks of {incident}."
        return
    mentioned = sorted({OPPOSITE.get(when, when) for entry in entries for when in entry.when})
    for truths in product((True, False), repeat=len(mentioned)):
        case = dict(zip(mentioned, truths, strict=True))
        if any(case.get(when) and case.get(other) is False for when in IMPLIES for other in IMPLIES[when]):
            continue  # it is not possible
        holds = {**case, **{when: not case[opposite] for when, opposite in OPPOSITE.items() if opposite in case}}
        fitting = [entry for entry in entries if all(holds[when] for when in entry.when)]
        if len(fitting) != 1:
            which = f"{len(fitting)} entries of {incident} fit" if fitting else f"No entry of {incident} fits"
            yield f"{which}{_where(case)}{_listed(fitting)}."


def _where(case: Mapping[When, bool]) -> str:
    false = {opposite: when for when, opposite in OPPOSITE.items()}
    said = conditions_in_words(when if holds else false[when] for when, holds in case.items())
    return f" where {said}" if said else ""


def _listed(entries: list[Irregularity]) -> str:
    said = [f"{', '.join(entry.rules)} ({consequence_in_words(entry.then)})" for entry in entries]
    return f": {'; '.join(said)}" if said else ""


# ---------------------------------------------------------------- declarations of a book's own


def unfit_declarations(book: Rulebook) -> Iterator[str]:
    """Yield, in words, what keeps the engine from carrying out the incidents that a book declares itself."""
    taken = {known.name for known in INCIDENTS}
    for own in book.incidents:
        if own.name in taken:
            yield f"The name {own.name} is taken by another incident."
            continue
        taken.add(own.name)
        if _NAME.fullmatch(own.name) is None:
            yield f'The name "{own.name}" is not made of small letters, digits and single underscores.'
        if not own.words.strip():
            yield f"{own.name} has no words."
        if not own.moments:
            yield f"{own.name} may be reported at no moment."
        if own.noticed is not Noticed.BY_REPORT:
            yield f"{own.name} is noticed {own.noticed}: only a report can tell an incident of a rulebook's own."
        unstated = [fact for fact in own.required if fact not in own.facts]
        if unstated:
            yield f"{own.name} requires {', '.join(unstated)}, which its report does not state."
        for entry in book.entries_of(own.name):
            yield from _unfit_entry(own, entry)
    for name in dict.fromkeys(entry.incident for entry in book.irregularities):
        if name not in taken:
            yield f'An entry speaks of "{name}", which the rulebook does not declare.'


def _unfit_entry(own: DeclaredIncident, entry: Irregularity) -> Iterator[str]:
    of = f"{own.name}, {', '.join(entry.rules)}"
    for when in entry.when:
        condition = OPPOSITE.get(when, when)
        facts = _STATED.get(condition, ())
        if facts and not set(facts) & set(own.facts):
            yield f"{of}: the condition {when} takes {' or '.join(facts)}, which the report does not state."
        elif condition in _OF_ONE_BOX and "boxes" not in own.required:
            yield f"{of}: the condition {when} is about one box, so boxes is required."
    for then in _consequences(entry.then):
        facts = _TOUCHED.get(_whom(then), ())
        if facts and not set(facts) & set(own.facts):
            yield f"{of}: its consequence takes {' or '.join(facts)}, which the report does not state."
        if isinstance(then, FoldHand | CheckHand) and not set(_OF_ONE_BOX) & set(entry.when):
            yield f"{of}: a hand is folded or checked only under the condition {When.DECISIONS_REMAIN}."


def _consequences(then: Consequence) -> Iterator[Consequence]:
    """Yield a consequence and those that it leads to."""
    yield then
    match then:
        case AskRuling(answers=answers):
            for _, follows in answers:
                yield from _consequences(follows)
        case InvalidateHand(then=OfferOptions() as options):
            yield options
        case _:
            pass


def _whom(then: Consequence) -> Whom:
    match then:
        case InvalidateHand(whom=whom) | ForfeitBets(whom=whom) | OfferOptions(to=whom):
            return whom
        case _:
            return Whom.ALL
