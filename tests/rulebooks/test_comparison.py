"""Rulebooks as statements: complete, because whatever a reading changes in a declaration changes a statement."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias, get_args, get_origin, get_type_hints

import msgspec
import pytest

from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.description.comparison import Fact, compare, facts
from croupier.rulebooks.documents.document_text import BadReading
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.readings import Readings, readings_of
from croupier.rulebooks.vocabulary import Irregularity, Rulebook, Rules, VoidRound, When

Plain: TypeAlias = object
hints_of = cache(get_type_hints)


def without_rules(value: object, hint: object) -> Plain:
    """A declaration without its citations and readings: what is played."""
    if hint == Rules or isinstance(value, Readings):
        return None
    if isinstance(value, msgspec.Struct):
        hints = hints_of(type(value))
        return type(value).__name__, {name: without_rules(getattr(value, name), hints[name]) for name in hints}
    if isinstance(value, tuple):
        inner = get_args(hint)
        if get_origin(hint) is tuple and inner[1:] == (Ellipsis,):
            return tuple(without_rules(each, inner[0]) for each in value)
        return tuple(without_rules(each, its) for each, its in zip(value, inner, strict=False))
    return value


def said(book: Rulebook) -> list[tuple[str, str, str]]:
    return [(fact.dimension, fact.about, fact.says) for fact in facts(book)]


@pytest.mark.parametrize("game", GAMES)
def test_whatever_a_reading_changes_in_play_is_stated(game: str) -> None:
    """For every offered answer: a changed declaration has changed statements."""
    default = declare(game)
    changed, silent = 0, []
    for name, reading in readings_of(game).items():
        for letter in reading.options:
            try:
                book = declare(game, Readings.of(game, {name: letter}))
            except BadReading:
                continue  # an answer that is not on offer
            if without_rules(book, Rulebook) != without_rules(default, Rulebook):
                changed += 1
                if said(book) == said(default):
                    silent.append(f"{name} {letter}")
    assert changed
    assert silent == []


@pytest.mark.parametrize("game", GAMES)
def test_each_statement_is_about_something_else(game: str) -> None:
    """So that two rulebooks can be laid side by side."""
    listed = [(fact.dimension, fact.about) for fact in facts(declare(game))]
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("game", GAMES)
def test_a_rulebook_does_not_differ_from_itself(game: str) -> None:
    found = compare(declare(game), declare(game))
    assert found.differences == ()
    assert len(found.same) > 60


def test_differences_are_the_same_from_both_sides() -> None:
    """Only the sides change."""
    one, two = declare("rws-multilink-holdem"), declare("sun-casino-holdem")
    there = {(d.dimension, d.about): (d.first, d.second) for d in compare(one, two).differences}
    back = {(d.dimension, d.about): (d.second, d.first) for d in compare(two, one).differences}
    assert there == back


def fact(game: str, dimension: str, about: str) -> Fact:
    return next(each for each in facts(declare(game)) if (each.dimension, each.about) == (dimension, about))


def test_the_deal_is_told_card_by_card() -> None:
    """rws-multilink-three-card 3.10: one burn, one card at a time to boxes and Dealer, two Community Cards last."""
    dealt = fact("rws-multilink-three-card", "Dealing", "card shoe")
    assert dealt.says.startswith("burn 1 · (1 to each box, 1 to the Dealer) × 3 · 2 to the community · [fold or play]")
    assert {"3.10", "3.10.1", "1.4"} <= set(dealt.rules)


def test_an_irregularity_is_told_with_its_conditions() -> None:
    """mbs-megalink-holdem 5.4, rws-multilink-holdem 5.8.2: two exposed cards, in two documents."""
    assert "two or more cards: the round is void" in fact("mbs-megalink-holdem", "Irregularities", "cards exposed").says
    told = fact("rws-multilink-holdem", "Irregularities", "cards exposed")
    assert "two or more cards and no player has looked: the round is void" in told.says
    assert "5.8.2" in told.rules


def test_a_changed_condition_is_a_difference() -> None:
    """The comparison looks at conditions and consequences, not at the incidents' names alone."""
    book = declare("rws-multilink-holdem")
    first = next(entry for entry in book.irregularities if entry.then == VoidRound())
    other = Irregularity(first.rules, first.incident, first.then, (When.FLOP_TURNED,))
    changed = tuple(other if entry is first else entry for entry in book.irregularities)
    found = compare(book, msgspec.structs.replace(book, irregularities=changed))
    assert [(d.dimension, d.about) for d in found.differences] == [("Irregularities", first.incident.replace("_", " "))]


def test_two_books_that_both_say_nothing_do_not_differ() -> None:
    """A row of two dashes is no difference, in whichever of the books the statement stands."""
    for first in GAMES:
        for second in GAMES:
            for each in compare(declare(first), declare(second)).differences:
                one, two = ("—" if fact is None else fact.says for fact in (each.first, each.second))
                assert one != two, f"{first} and {second}: {each.dimension}, {each.about}"


def test_a_limit_that_is_applied_is_stated() -> None:
    """mbs-megalink-holdem 5.14: a Flop is paid to twice the Ante's maximum, so the page says so."""
    found = next(fact for fact in facts(declare("mbs-megalink-holdem")) if fact.about == "limit of a decision bet")
    assert (found.says, found.rules) == ("its multiple of the Ante's maximum", ("5.14",))
