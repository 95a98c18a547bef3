"""An introduction to a game for someone who does not know it: a Round, the hands, the bets, what may go wrong.

Every line comes from the rulebook or from the engine; the ranks of hands alone are described here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

import msgspec

from croupier.academy.planted_hands import made_hand
from croupier.academy.reconstruction_drill import argument, asked_entries, error_of, what_lies
from croupier.academy.scenes import Scene, described, face_up
from croupier.cards import Card, Rank, ThreeCardRank, card, five_card, five_card_name, three_card, three_card_name
from croupier.rounds.settlement_acts import IN_WORDS, acts
from croupier.rounds.state import Stage
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.citation import Para, paragraphs
from croupier.rulebooks.description.comparison import facts
from croupier.rulebooks.description.phrases import NOTHING, step_in_words, words
from croupier.rulebooks.readings import readings_of
from croupier.rulebooks.vocabulary import Dealing, HandKind, Incident, Irregularity, Rulebook, Rules, When

_PLAYED_BY = (
    "Bets",
    "Boxes and players",
    "Decisions",
    "Fold",
    "Comparison with the Dealer",
    "Qualification of the Dealer",
    "Ante table",
    "Jackpot hands",
)
"""The dimensions of a rulebook by which a Round is played and paid; those of side bets beside them."""
_WRONG = ("Wrong bets", "After “No more bets”", "Irregularities", "Options after a dealing error", "Authority")
"""The dimensions that say what follows when something goes wrong."""
_FIVE_CARDS: Mapping[Rank, str] = {
    Rank.ROYAL_FLUSH: "Ace, King, Queen, Jack and Ten of one suit",
    Rank.STRAIGHT_FLUSH: "five cards in a row, of one suit",
    Rank.FOUR_OF_A_KIND: "four cards of one value",
    Rank.FULL_HOUSE: "three cards of one value and two of another",
    Rank.FLUSH: "five cards of one suit",
    Rank.STRAIGHT: "five cards in a row; the Ace is the highest, or the lowest before a Two",
    Rank.THREE_OF_A_KIND: "three cards of one value",
    Rank.TWO_PAIRS: "two cards of one value and two of another",
    Rank.PAIR: "two cards of one value",
    Rank.ODD_CARDS: "none of these: the highest card counts",
}
_THREE_CARDS: Mapping[ThreeCardRank, tuple[str, str]] = {
    ThreeCardRank.STRAIGHT_FLUSH: ("three cards in a row, of one suit", "9h 8h 7h"),
    ThreeCardRank.THREE_OF_A_KIND: ("three cards of one value", "5c 5d 5s"),
    ThreeCardRank.STRAIGHT: ("three cards in a row; the Ace is the highest, or the lowest before a Two", "Js Td 9c"),
    ThreeCardRank.FLUSH: ("three cards of one suit", "Kd 8d 3d"),
    ThreeCardRank.PAIR: ("two cards of one value", "8s 8h Qc"),
    ThreeCardRank.ODD_CARDS: ("none of these: the highest card counts", "Ah Jc 4s"),
}


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to know."""

    says: str
    about: str = ""
    """What it is about, where that is not in the words."""
    rules: Rules = ()
    cards: tuple[Card, ...] = ()


class Chapter(msgspec.Struct, frozen=True):
    """A part of an introduction."""

    title: str
    points: tuple[Point, ...]


def introduction(edition: str) -> tuple[Chapter, ...]:
    """Make the introduction to a game."""
    book = declare(edition)
    played = [*_PLAYED_BY, *(each.dimension for each in facts(book) if each.dimension.startswith("Side bets"))]
    return (
        Chapter("How a round goes", tuple(_round(book))),
        Chapter("Hands, the highest first", tuple(_ranks(book))),
        *(chapter for dimension in dict.fromkeys(played) if (chapter := _chapter(book, dimension)).points),
        Chapter("What your hands do", tuple(_settling(book))),
        Chapter("A round as an example", tuple(_example(book))),
        *map(_procedure, book.dealings[1:]),
        *(chapter for dimension in _WRONG if (chapter := _chapter(book, dimension)).points),
        *([Chapter("Whether cards can be put back", taught)] if (taught := tuple(_reconstructing(book))) else []),
        Chapter("What the document leaves open", tuple(_open_questions(book))),
    )


def _round(book: Rulebook) -> Iterable[Point]:
    kinds = {HandKind.BEST_FIVE: "the best five of seven cards", HandKind.THREE_CARDS: "three cards",
             HandKind.FIVE_CARDS: "five cards"}  # fmt: skip
    yield Point(says=f"Each player plays alone against the Dealer. A hand is {kinds[book.showdown.hand]}.",
               rules=book.ranking[:1])  # fmt: skip
    yield Point(says="The Dealer calls for bets, and players put their chips on the boxes.", rules=book.opening)
    yield Point(says="The Dealer calls no more bets. From now on no bet is added.", rules=book.closing.rules)
    dealing = book.dealings[0]
    for step in dealing.steps:
        yield Point(says=f"{step_in_words(step)}.", rules=step.rules)
    if len(book.dealings) > 1:
        others = ", ".join(words(each.name) for each in book.dealings[1:])
        yield Point(says=f"This is the procedure {words(dealing.name)}. A table may use another one: {others}.")


def _procedure(dealing: Dealing) -> Chapter:
    """Return another procedure, step by step."""
    steps = [Point(says=f"{step_in_words(step)}.", rules=step.rules) for step in dealing.steps]
    said = "A table that uses it deals so; bets and settlement are the same."
    return Chapter(f"The procedure {words(dealing.name)}", (Point(says=said, rules=dealing.rules), *steps))


def _moves_hands(entry: Irregularity) -> bool:
    return entry.incident == Incident.MISDEALT and When.RECONSTRUCTIBLE in entry.when


def _reconstructing(book: Rulebook) -> Iterable[Point]:
    """Yield how a person judges whether the cards of a dealing error can be put back, with an example."""
    asked = [book.irregularities[index] for index in asked_entries(book)]
    if not asked:
        return
    yield Point(says="To reconstruct is to put cards back into the order in which they should have come.")
    yield Point(says="Count the cards at each place. Turn none over: a card is known by where it lies.")
    yield Point(
        says="Go through the procedure card by card with one slip: a burn missed, a place passed over, a second card "
        "at once, a card to another place, or two places exchanged. Keep the ways that leave just these cards."
    )
    yield Point(
        says="For each way, note where every card belongs. The cards of one hand count in any order, and so do "
        "community cards that are turned together."
    )
    yield Point(says="One layout alone: they can be put back. Two or more: they cannot. A person rules on it.")
    whole = [rule for entry in asked if _moves_hands(entry) for rule in entry.rules]
    if whole:
        says = "Where cards went to wrong places, complete hands alone are moved."
        yield Point(says=says, rules=tuple(dict.fromkeys(whole)))
    error = error_of(book, Random("reconstruct"), asked_entries(book)[0])  # noqa: S311  the same everywhere
    yield from (Point(about="For example", says=line) for line in what_lies(error))
    yield Point(about="So", says=" ".join(argument(error.found)))


def _ranks(book: Rulebook) -> Iterable[Point]:
    if book.showdown.hand is HandKind.THREE_CARDS:
        for three, (said, example) in sorted(_THREE_CARDS.items(), reverse=True):
            cards = tuple(map(card, example.split()))
            yield _rank(three, said, three_card_name(three_card(cards)), cards)
    else:
        rng = Random("hands")  # noqa: S311  examples, the same everywhere
        for five, said in sorted(_FIVE_CARDS.items(), reverse=True):
            cards = tuple(made_hand(rng, five))
            yield _rank(five, said, five_card_name(five_card(cards)), cards)
    known = paragraphs(book.edition)
    for rule in book.ranking:
        if rule in known:
            yield Point(says=known[rule].text, rules=(rule,))


def _rank(found: Rank | ThreeCardRank, said: str, name: str, cards: tuple[Card, ...]) -> Point:
    example = f"{said[0].upper()}{said[1:]}. Here: {name}."
    return Point(about=words(found.name).capitalize(), says=example, cards=cards)


def _chapter(book: Rulebook, dimension: str) -> Chapter:
    points = [
        Point(about=f"{each.about[0].upper()}{each.about[1:]}", says=each.says, rules=each.rules)
        for each in facts(book)
        if each.dimension == dimension and not each.says.startswith(NOTHING)
    ]
    return Chapter(dimension, tuple(points))


def _open_questions(book: Rulebook) -> Iterable[Point]:
    """Yield how the house reads what the document does not settle."""
    for name, reading in readings_of(book.edition).items():
        letters = book.readings.chosen(name).split("+")
        answer = " ".join(reading.options[letter] for letter in letters if letter in reading.options)
        yield Point(about=reading.question, says=answer, rules=(Para(name),))


def _settling(book: Rulebook) -> Iterable[Point]:
    moves = [IN_WORDS[move] for move in book.settling.moves]
    order = "Box by box, clockwise; in each box" if book.settling.box_by_box else "All boxes, clockwise:"
    layout = ", ".join(words(bet.name).capitalize() for bet in book.bets)
    yield Point(says=f"{order} {', then '.join(moves)}. Bets in the order of the layout: {layout}.")
    yield Point(says="Give back what is not in play, take what is lost, pay what has won, leave what stands off.")
    yield Point(
        says="“To 1” is paid beside the stake, which stays. “For 1” includes it: the stake is taken, then paid."
    )


def _example(book: Rulebook) -> Iterable[Point]:
    """Yield a Round that the engine has played, and what became of every bet."""
    scene = _played(book)
    *boxes, _ = described(scene.terms, scene.state)
    yield from (Point(says=line) for line in boxes)
    for place, cards in face_up(scene.state).items():
        yield Point(about=f"Box {place}" if place.isdigit() else place.capitalize(), says="", cards=tuple(cards))
    for act in acts(scene.terms, scene.state):
        yield Point(says=f"{act.says} {act.because}", rules=act.rules)


def _played(book: Rulebook) -> Scene:
    seed = 0
    while True:
        scene = Scene(book.edition, Random(f"example {seed}"), boxes=2)  # noqa: S311  an example, the same everywhere
        scene.place_bets()
        scene.close_bets()
        scene.play_out()
        outcomes: Sequence[object] = [line.outcome for line in scene.state.lines]
        if scene.state.stage is Stage.SETTLED and len(set(outcomes)) > 1:
            return scene
        seed += 1
