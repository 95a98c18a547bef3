"""What must hold of every question; `python -m tests.academy.question_check --count 100000` checks as many as asked."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations, permutations, product
from random import Random

from croupier.academy.catalogue import asks_a_person, question, topics_of
from croupier.academy.questions import Form, Question, Topic, is_right
from croupier.academy.reconstruction_drill import asked_entries, error_of
from croupier.academy.ruling_drill import Case, case_of
from croupier.rounds.commands import FeltFacts
from croupier.rounds.decide import decide
from croupier.rounds.events import IncidentReported, JackpotBetsSuspended
from croupier.rounds.evolve import evolve_all
from croupier.rounds.irregularities.consequences import carry_out
from croupier.rounds.irregularities.ruling_desk import consequence_in_words
from croupier.rounds.reconstruction.sequences import BURN, SLIPS, Slip
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Round
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.readings import readings_of
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import HandKind, Incident, Rulebook
from croupier.verify import rank_five, rank_three
from tests.laws.dealing_errors import by_hand, in_turns


def faults(asked: Question) -> Iterator[str]:
    """Yield what is wrong with a question of the catalogue."""
    yield from faults_of_form(asked)
    if asked.form is not Form.AMOUNT:
        yield from _other_right_answers(asked)


def faults_of_form(asked: Question) -> Iterator[str]:
    """Yield what no question may have, whoever made it."""
    if not asked.rules:
        yield "no paragraph decides it"
    known = {*paragraphs(asked.edition), *readings_of(asked.edition)}
    yield from (f"{rule} is not of {asked.edition}" for rule in asked.rules if rule not in known)
    if not asked.because:
        yield "it is not explained"
    if asked.form is Form.AMOUNT:
        if not isinstance(asked.right, int) or asked.right < 0 or asked.options:
            yield "an amount is not answered by an amount"
        return
    if len(set(asked.options)) != len(asked.options) or len(asked.options) < 2:
        yield "two options are the same, or there is only one"
    if not is_right(asked, asked.right):
        yield "its answer is not right"


def _other_right_answers(asked: Question) -> Iterator[str]:
    """Yield options that are right too, judged apart from how the question was made."""
    match asked.topic:
        case Topic.HAND | Topic.WINNER:
            yield from _of_hands(asked)
        case Topic.FIVE_CARDS:
            worth = {five: rank_five([asked.options[i] for i in five]) for five in combinations(range(7), 5)}
            best = [five for five, each in worth.items() if each == max(worth.values())]
            if best != [asked.right]:
                yield f"the five that play are {best}"
        case Topic.ACTS:
            if isinstance(asked.right, int) or sorted(asked.right) != list(range(len(asked.options))):
                yield "the acts are not all in the order"
        case Topic.CONSEQUENCE:
            yield from _of_consequences(asked)
        case Topic.RECONSTRUCTION:
            yield from _of_layouts(asked)
        case Topic.BETS:
            yield from _of_chips(asked)
        case _:
            pass


def _of_hands(asked: Question) -> Iterator[str]:
    kind = declare(asked.edition).showdown.hand
    community = asked.cards.get("community", ())

    def worth(place: str) -> tuple[int, ...]:
        cards = (*asked.cards[place], *community)
        if kind is HandKind.THREE_CARDS:
            return tuple(rank_three(asked.cards[place]))
        return max(tuple(rank_five(five)) for five in combinations(cards, 5))

    if asked.topic is Topic.WINNER:
        own, dealer = worth("1"), worth("dealer")
        if asked.right != ((0,) if own > dealer else (1,) if own < dealer else (2,)):
            yield f"the player has {own}, the Dealer {dealer}"


def _of_consequences(asked: Question) -> Iterator[str]:
    """The engine's own judgement of the report, against what each option would have made of the Round."""
    case = _case_again(asked)
    judged = decide(case.terms, case.state, case.facts)
    assert not isinstance(judged, Refusal)
    actual = evolve_all(case.state, judged)
    book = case.terms.book
    reported = tuple(event for event in judged if isinstance(event, IncidentReported | JackpotBetsSuspended))
    before = evolve_all(case.state, reported)
    for index, option in enumerate(asked.options):
        ways = [each.then for each in book.irregularities if consequence_in_words(book, each.then)[0] == option]
        same = any(
            _outline(evolve_all(before, carry_out(case.terms, before, case.facts, case.entry.rules, way)))
            == _outline(actual)
            for way in ways
        )
        if same != ((index,) == asked.right):
            yield f"{option!r} would{'' if same else ' not'} lead to what the engine judged"


PUTS = re.compile(r"puts ([\d.]+) on the ([\w ]+) of box (\d+)\.")


def _of_chips(asked: Question) -> Iterator[str]:
    """The chips of the last sentences, judged by the sign and the document's size, from the words alone."""
    assert not isinstance(asked.right, int)
    book, (*before, last) = declare(asked.edition), asked.situation
    chosen = asked.options[asked.right[0]]
    if "takes" in last:
        right = (
            "Let them be taken: the bet is settled" if book.closing.withdrawn_stays_live else "Have the chips put back"
        )
    elif last.startswith("Its Ante is "):
        said = PUTS.search(before[-1])
        assert said
        exact = (book.bet(said[2].lower()) or book.bets[0]).times_ante * Decimal(last.removeprefix("Its Ante is ")[:-1])
        off = Decimal(said[1]) - exact
        right = "Let it lie" if not off else f"Give {off} back" if off > 0 else f"Have {-off} more"
    elif before[-1].startswith("The sign: "):
        right = _by_the_sign(before, last, book)
    else:
        right = "Give the chips back"
    if not chosen.startswith(right):
        yield f"{chosen!r}, and by hand it is {right!r}"


def _by_the_sign(before: list[str], last: str, book: Rulebook) -> str:
    said = PUTS.search(last)
    assert said
    amount, name, box = Decimal(said[1]), said[2], said[3]
    bet = book.bet(name.lower().replace(" ", "_"))
    assert bet
    if bet.needs_ante and not any(line.startswith(f"Box {box}, ") for line in before):
        return "Refuse it: it may not lie"
    if name == "Jackpot":
        unit = Decimal(re.findall(r"jackpot bet ([\d.]+\d)", before[-1])[0])
        lawful = amount in [unit * times for times in range(1, book.jackpot.multiples + 1)]
        return "Let it lie" if lawful else "Refuse it: a jackpot bet"
    limits = re.search(rf"{name} ([\d.]+) to ([\d.]+\d)", before[-1])
    assert limits
    if Decimal(limits[1]) <= amount <= Decimal(limits[2]):
        return "Let it lie"
    return f"Refuse it: it is {'over' if amount > Decimal(limits[2]) else 'under'}"


def _of_layouts(asked: Question) -> Iterator[str]:
    """Every deal with one slip, written out by hand, against the answer."""
    assert asked.entry is not None
    book = declare(asked.edition)
    rng = Random(f"{asked.edition} {asked.topic.value} {asked.seed} {asked.entry} None")
    error = error_of(book, rng, asked.entry)
    right, facts = by_hand(error.terms, error.scene.state.hands), error.facts
    slips = [list(right), *(each for at in range(len(right)) for each in _slips_at(right, at, facts))]
    if Slip.SWAPPED in SLIPS[facts.incident]:
        places = [place for place in dict.fromkeys(right) if place != BURN]
        pairs = ({one: other, other: one} for one, other in combinations(places, 2))
        slips += [[pair.get(place, place) for place in right] for pair in pairs]
    out = sum(len(pile.cards) for pile in facts.piles.values())
    lie = {place: len(pile.cards) for place, pile in facts.piles.items()}
    found = set()
    for layout in (
        one
        for each in slips
        if Counter(each[:out]) == lie
        for one in _meant_layouts(error.terms, right, each[:out], facts)
    ):
        found.add(layout)
        if len(found) > 1:
            break
    can = len(found) == 1
    if facts.incident == Incident.MISDEALT and can:
        piles = [tuple((place, nth) for nth in range(count)) for place, count in lie.items()]
        can = all(cards in piles for _, cards in next(iter(found)))
    chosen = asked.options[asked.right[0]] if not isinstance(asked.right, int) else ""
    if chosen.startswith("They can:") != can:
        yield f"{'one layout fits' if can else 'none or several fit'}, and the answer is {chosen!r}"


def _slips_at(right: list[str], at: int, facts: FeltFacts) -> Iterator[list[str]]:
    """Yield the deal with each slip of one card that the incident allows, where it is not known to be another card."""
    kinds = SLIPS[facts.incident]
    if facts.at not in (None, at):
        return
    if (Slip.BURN_MISSED if right[at] == BURN else Slip.SKIPPED) in kinds:
        yield right[:at] + right[at + 1 :]
    if Slip.EXTRA in kinds:
        yield right[: at + 1] + right[at:]
    if Slip.WRONG_PLACE in kinds:
        yield from ([*right[:at], place, *right[at + 1 :]] for place in {*right} - {right[at]})


def _meant_layouts(
    terms: Terms, right: list[str], dealt: list[str], facts: FeltFacts
) -> Iterator[tuple[tuple[str, tuple[tuple[str, int], ...]], ...]]:
    """Yield what each place was to receive, for every order in which cards that were mixed up may have come."""
    mixed = [place for place, pile in facts.piles.items() if not pile.ordered]
    for orders in product(*(permutations(range(len(facts.piles[place].cards))) for place in mixed)):
        order = dict(zip(mixed, orders, strict=True))
        came: dict[str, int] = {}
        meant: dict[str, list[tuple[str, int]]] = {}
        for to, place in zip(right, dealt, strict=False):
            nth = came[place] = came.get(place, -1) + 1
            if to != BURN:
                meant.setdefault(to, []).append((place, order[place][nth] if place in order else nth))
        yield tuple(
            (to, tuple(in_turns(terms, it) if to == "community" else sorted(it))) for to, it in sorted(meant.items())
        )


def _case_again(asked: Question) -> Case:
    rng = Random(f"{asked.edition} {asked.topic.value} {asked.seed} {asked.entry} None")
    assert asked.entry is not None
    return case_of(declare(asked.edition), rng, asked.entry)


def _outline(state: Round) -> tuple[object, ...]:
    boxes = tuple((box.stands, box.stakes, box.returned, box.choices, box.lost, box.settled) for box in state.boxes)
    waits = tuple((each.role, each.decisions, each.boxes, each.options) for each in state.awaiting)
    return state.stage, boxes, waits, state.frozen, state.deals, state.standing


def every_question(count: int, seed: int) -> Iterator[Question]:
    """Yield questions of all games and topics in turn, each irregularity and reading in its turn too."""
    kinds = [(game, topic) for game in GAMES for topic in topics_of(declare(game))]
    for number in range(count):
        game, topic = kinds[number % len(kinds)]
        book, turn = declare(game), number // len(kinds)
        entry = None
        if topic in (Topic.CONSEQUENCE, Topic.RULING_MONEY):
            entry = turn % len(book.irregularities)
        elif topic is Topic.AUTHORITY:
            left_to_people = [i for i, each in enumerate(book.irregularities) if asks_a_person(each)]
            entry = left_to_people[turn % len(left_to_people)]
        elif topic is Topic.RECONSTRUCTION:
            erring = asked_entries(book)
            entry = erring[turn % len(erring)]
        yield question(game, topic, seed + turn, entry=entry)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    started, wrong, counted = time.monotonic(), 0, Counter[str]()
    for number, made in enumerate(every_question(asked.count, asked.seed), 1):
        counted[made.topic.value] += 1
        for fault in faults(made):
            wrong += 1
            sys.stdout.write(f"{made.edition} {made.topic.value} {made.seed} {made.entry}: {fault}\n")
        if number % 2_000 == 0:
            left = (time.monotonic() - started) / number * (asked.count - number)
            sys.stderr.write(f"{number:,} questions, {wrong} wrong, {left:.0f} s left\n")
    took = time.monotonic() - started
    sys.stdout.write(f"{asked.count:,} questions, {wrong} wrong; {dict(counted)}; {took:.0f} s\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
