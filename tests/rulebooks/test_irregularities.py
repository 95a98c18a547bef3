"""Exactly one entry of a rulebook fits whatever happens: checked on the declarations alone, for every truth of every
condition."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.description.incident_coverage import uncovered_cases, unfit_declarations
from croupier.rulebooks.description.markdown import page
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.incidents import (
    INCIDENTS,
    AskRuling,
    CheckHand,
    Consequence,
    Continue,
    DeclaredIncident,
    FoldHand,
    Incident,
    InvalidateHand,
    Irregularity,
    Noticed,
    OfferOptions,
    VoidRound,
    When,
    Whom,
)
from croupier.rulebooks.readings import Readings, readings_of
from croupier.rulebooks.vocabulary import Role, Rulebook
from tests.own_incidents import DROPPED, GAME, p, with_incident

CASES = [(game, incident.name) for game in GAMES for incident in INCIDENTS]


@pytest.mark.parametrize(("game", "incident"), CASES, ids=[f"{g}-{i}" for g, i in CASES])
def test_no_incident_has_no_rule_or_two(game: str, incident: str) -> None:
    """Under the readings in force, an incident that the book mentions has one consequence in every case."""
    assert list(uncovered_cases(declare(game), incident)) == []


@pytest.mark.parametrize("game", GAMES)
def test_that_holds_under_every_offered_reading(game: str) -> None:
    """Another reading may change a consequence, but never leaves two of them, or none."""
    for reading in readings_of(game).values():
        for letter in reading.options:
            if reading.offers(game, letter):
                book = declare(game, Readings.of(game, {reading.id: letter}))
                cases = [case for incident in INCIDENTS for case in uncovered_cases(book, incident.name)]
                assert cases == [], f"{reading.id} {letter}"


@pytest.mark.parametrize("game", GAMES)
def test_no_entry_speaks_of_an_incident_that_is_not_declared(game: str) -> None:
    """The books of the package declare no incident of their own."""
    assert list(unfit_declarations(declare(game))) == []


# ---------------------------------------------------------------- incidents of a book's own


def about(*entries: tuple[Consequence, tuple[When, ...]]) -> Rulebook:
    """A book that says this of a dropped card."""
    return with_incident(
        declare(GAME),
        entries=tuple(Irregularity((p("5.8"),), DROPPED.name, then, when) for then, when in entries),
    )


def test_a_book_whose_entries_fit_once_in_every_case_has_no_fault() -> None:
    """The dropped card of the tests: one entry where a player has looked, one where none has."""
    book = with_incident(declare(GAME))
    assert list(uncovered_cases(book, DROPPED.name)) == []
    assert list(unfit_declarations(book)) == []


def test_a_case_that_no_entry_fits_is_told_in_words() -> None:
    """Each condition that the entries mention is told with its truth."""
    book = about((VoidRound(), (When.TWO_OR_MORE, When.NO_PLAYER_HAS_SEEN)), (Continue(), (When.PLAYER_HAS_SEEN,)))
    assert list(uncovered_cases(book, DROPPED.name)) == [
        "No entry of card_dropped fits where no player has looked and one card."
    ]


def test_a_case_that_two_entries_fit_is_told_with_both() -> None:
    """Under the paragraphs of each, with what would follow."""
    book = about((VoidRound(), ()), (Continue(), (When.FLOP_TURNED,)))
    assert list(uncovered_cases(book, DROPPED.name)) == [
        "2 entries of card_dropped fit where flop turned: 5.8 (the round is void); 5.8 (the round goes on)."
    ]


def test_an_impossible_case_needs_no_entry() -> None:
    """A first decision that remains is a decision that remains, so three entries are enough for two conditions."""
    first, later = When.FIRST_DECISION_REMAINS, When.FIRST_DECISION_MADE
    left, made = When.DECISIONS_REMAIN, When.NO_DECISIONS_REMAIN
    book = about((FoldHand(), (first,)), (CheckHand(), (later, left)), (Continue(), (later, made)))
    assert list(uncovered_cases(book, DROPPED.name)) == []


def test_an_incident_that_a_book_declares_has_an_entry() -> None:
    """One of every rulebook may be left out: then the role that decides what no paragraph covers decides it."""
    assert list(uncovered_cases(about(), DROPPED.name)) == ["No entry speaks of card_dropped."]
    assert list(uncovered_cases(declare("sun-casino-holdem"), Incident.SIMULTANEOUS_DRAW)) == []


@pytest.mark.parametrize(
    ("declared", "faults"),
    [
        (replace(DROPPED, name="misdealt"), ["The name misdealt is taken by another incident."]),
        (
            replace(DROPPED, name="Card dropped"),
            ['The name "Card dropped" is not made of small letters, digits and single underscores.'],
        ),
        (replace(DROPPED, words=" "), ["card_dropped has no words."]),
        (replace(DROPPED, moments=()), ["card_dropped may be reported at no moment."]),
        (
            replace(DROPPED, noticed=Noticed.AT_SETTLEMENT),
            ["card_dropped is noticed at_settlement: only a report can tell an incident of a rulebook's own."],
        ),
        (
            replace(DROPPED, required=("boxes", "player")),
            ["card_dropped requires player, which its report does not state."],
        ),
    ],
)
def test_what_is_wrong_with_a_declaration_is_told_in_words(declared: DeclaredIncident, faults: list[str]) -> None:
    """One sentence for each fault."""
    assert list(unfit_declarations(with_incident(declare(GAME), declared, ()))) == faults


@pytest.mark.parametrize(
    ("then", "when", "fault"),
    [
        (
            VoidRound(),
            (When.NOT_RECONSTRUCTIBLE,),
            "the condition not_reconstructible takes reconstructible, which the report does not state.",
        ),
        (
            FoldHand(),
            (),
            "a hand is folded or checked only under the condition decisions_remain.",
        ),
        (
            AskRuling(Role.SHIFT_MANAGER, (("out", InvalidateHand(Whom.OTHERS_AFFECTED)),)),
            (),
            "its consequence takes affected, which the report does not state.",
        ),
        (
            InvalidateHand(Whom.REPORTED, OfferOptions(Whom.OTHERS_AFFECTED, ("continue", "return"))),
            (),
            "its consequence takes affected, which the report does not state.",
        ),
    ],
)
def test_an_entry_that_takes_a_fact_which_no_report_states_is_told(
    then: Consequence, when: tuple[When, ...], fault: str
) -> None:
    """Conditions and consequences name boxes, players and cards that only the report can name."""
    assert list(unfit_declarations(about((then, when)))) == [f"card_dropped, 5.8: {fault}"]


def test_a_condition_about_one_box_requires_a_box() -> None:
    """Stated, but not required: a report without it could not be judged."""
    entry = Irregularity((p("5.8"),), DROPPED.name, FoldHand(), (When.DECISIONS_REMAIN,))
    book = with_incident(declare(GAME), replace(DROPPED, required=()), (entry,))
    assert list(unfit_declarations(book)) == [
        "card_dropped, 5.8: the condition decisions_remain is about one box, so boxes is required."
    ]


def test_an_entry_about_an_undeclared_incident_is_told() -> None:
    """A slug that is misspelled in an entry would never be reported."""
    book = declare(GAME)
    entry = Irregularity((p("5.8"),), "card_droped", VoidRound())
    misspelled = replace(book, irregularities=(*book.irregularities, entry))
    assert list(unfit_declarations(misspelled)) == [
        'An entry speaks of "card_droped", which the rulebook does not declare.'
    ]


def test_the_printed_rules_name_an_incident_of_the_books_own() -> None:
    """With its words, the facts of its report, when it may be reported, and what follows."""
    rules = page(with_incident(declare(GAME)))
    says = "A card was dropped on the floor; a report states boxes (required), text; it may be reported while cards"
    assert f"| card dropped | {says} are in play | 5.8, 5.14 |" in rules
    assert "| card dropped | a player has looked: Pit Supervisor or above rules: card replaced (the round goes" in rules
    assert "card dropped" not in page(declare(GAME))
