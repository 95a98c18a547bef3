"""Reconstruction: whether a deal that went wrong can be put back into its intended order, and what follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random

from msgspec.structs import replace

from croupier.academy.hand_drill import shuffled_options
from croupier.academy.questions import MAKER, Form, Question, Topic
from croupier.academy.scenes import Scene, described
from croupier.rounds.commands import FACE_DOWN, FeltFacts, Pile, ReportIncident
from croupier.rounds.irregularities.conditions import entries_of, fitting
from croupier.rounds.irregularities.ruling_desk import consequence_in_words
from croupier.rounds.reconstruction.answer import Finding, PossibleLayout, find, place_in_words
from croupier.rounds.reconstruction.sequences import SLIPS, Slip, slipped
from croupier.rounds.state import HandStands, Stage
from croupier.rulebooks.description.phrases import step_in_words, words
from croupier.rulebooks.vocabulary import (
    BoxNo,
    Continue,
    Deal,
    Incident,
    IncidentName,
    Irregularity,
    Place,
    Role,
    Rulebook,
    When,
)

_SCENES = 400
"""How many scenes are tried for one in which an entry applies."""
_SLIPS_TRIED = 8
"""How many errors are tried in one scene."""
_MOST_LAYOUTS = 6
"""More layouts than this cannot be found at a table by thinking."""
_OF_THE_CARDS = frozenset({When.RECONSTRUCTIBLE, When.NOT_RECONSTRUCTIBLE})
_SLIPS = {
    Slip.BURN_MISSED: "a burn was missed",
    Slip.SKIPPED: "a place was passed over",
    Slip.EXTRA: "a place got a second card at once",
    Slip.WRONG_PLACE: "one card went to another place",
    Slip.SWAPPED: "two places have each other's cards",
}
_COUNTED: Mapping[IncidentName, str] = {
    Incident.WRONG_DEALER_COUNT: Place.DEALER.value,
    Incident.WRONG_COMMUNITY_COUNT: Place.COMMUNITY.value,
}
"""The place with a wrong number of cards, where an incident names it."""


class NoError(LookupError):
    """No dealing error was found for which an entry applies."""


class DealtWrong:
    """A scene in which the Dealer has erred, what lies on the felt, the entry of the rulebook that applies, and the
    other one, which would apply were the answer the other one.
    """

    def __init__(self, scene: Scene, facts: FeltFacts, found: Finding, index: int, other: Irregularity) -> None:
        self.scene, self.facts, self.found, self.index = scene, facts, found, index
        self.terms, self.other = scene.terms, other

    @property
    def entry(self) -> Irregularity:
        return self.terms.book.irregularities[self.index]


def asked_entries(book: Rulebook) -> list[int]:
    """Return the irregularities for which the document asks whether the cards can be put back."""
    return [
        i for i, each in enumerate(book.irregularities) if _OF_THE_CARDS & set(each.when) and _can_come_up(book, each)
    ]


def _can_come_up(book: Rulebook, entry: Irregularity) -> bool:
    """Return whether an error with this answer exists.

    Complete hands in each other's place show where they differ by more than the one card that another slip explains.
    """
    if entry.incident != Incident.MISDEALT or When.NOT_RECONSTRUCTIBLE in entry.when:
        return True
    sizes = [{dealing.cards_to(place) for place in Place if place is not Place.BURN} for dealing in book.dealings]
    return any(max(each) - min(each - {0}) > 1 for each in sizes)


def error_of(book: Rulebook, rng: Random, index: int, maker: int = MAKER) -> DealtWrong:
    """Find a dealing error to which this entry of the rulebook applies; raises NoError."""
    entry = book.irregularities[index]
    for _ in range(_SCENES):
        scene = _scene(book, rng, entry)
        if scene.state.stage is not Stage.PLAYING or entry not in entries_of(scene.terms, entry.incident):
            continue
        for _ in range(_SLIPS_TRIED):
            error = _error(scene, rng, index, maker)
            if error is not None:
                return error
    raise NoError(f"No dealing error was found for {entry.incident} ({', '.join(entry.rules)}) of {book.edition}.")


def _error(scene: Scene, rng: Random, index: int, maker: int) -> DealtWrong | None:
    """Let the Dealer err once; None where the entry does not apply to it."""
    terms, state = scene.terms, scene.state
    entry = terms.book.irregularities[index]
    facts = _facts(scene, rng, entry)
    if facts is None:
        return None
    found = find(terms, state, facts, one_by_one=maker == 0)
    if found.reconstructible is not (When.RECONSTRUCTIBLE in entry.when) or not _can_be_argued(found):
        return None
    boxes = tuple(_boxes_off(scene, facts)) or state.hands[:1]
    said = ReportIncident(
        incident=entry.incident, by=Role.SHIFT_MANAGER, boxes=boxes, reconstructible=found.reconstructible
    )
    other = fitting(terms, state, replace(said, reconstructible=not found.reconstructible))
    if fitting(terms, state, said) != entry or other is None:
        return None
    return DealtWrong(scene, facts, found, index, other)


def _can_be_argued(found: Finding) -> bool:
    """Return whether a person who knows that something went wrong comes to the same answer as the tool.

    The tool also looks at the deal without a slip, in which every card lies where it belongs.
    """
    changed = sum(bool(_moves(layout)) for layout in found.layouts)
    return found.count <= _MOST_LAYOUTS and (changed == 1 if found.determined else changed > 1)


def _scene(book: Rulebook, rng: Random, entry: Irregularity) -> Scene:
    """Play a Round up to a moment at which the error may be noticed."""
    scene = Scene(book.edition, rng, boxes=rng.randint(2, 3))
    scene.place_bets()
    scene.close_bets()
    if When.PLAYER_HAS_SEEN in entry.when:
        scene.look()
    if entry.incident in _COUNTED or rng.random() < 0.3:
        scene.decide(rng.choice((0, 1, 2, 4, 6, 9)))
    return scene


def _facts(scene: Scene, rng: Random, entry: Irregularity) -> FeltFacts | None:
    """Deal the cards that are out once more, with one slip; None where nobody would report it as this incident."""
    right = tuple(scene.state.dealt)
    kinds = SLIPS[entry.incident]
    places = tuple(dict.fromkeys(right))
    if entry.incident == Incident.MISDEALT and rng.random() < 0.5:
        kinds, places = (Slip.SWAPPED,), tuple(place for place in places if _is_a_pack(scene, place))
    ways = sorted(set(slipped(right, kinds, places, None, len(right))) - {right})
    if not ways:
        return None
    dealt = rng.choice(ways)
    lie, meant = Counter(dealt), Counter(right)
    off = {place for place in lie | meant if lie[place] != meant[place]}
    if not _is_reported(entry, off):
        return None
    mixed = {place for place in lie if rng.random() < 0.15}
    piles = {place: Pile((FACE_DOWN,) * count, place not in mixed) for place, count in lie.items()}
    first = next((i for i, (was, to) in enumerate(zip(dealt, right, strict=False)) if was != to), None)
    at = first if first is not None and kinds != (Slip.SWAPPED,) and rng.random() < 0.3 else None
    return FeltFacts(incident=entry.incident, piles=piles, at=at)


def _is_a_pack(scene: Scene, place: str) -> bool:
    """Return whether the cards of a place leave the shoe together, so that they can go astray together."""
    to = Place.BOXES if place.isdigit() else Place(place)
    deals = [step for step in scene.terms.dealing.steps if isinstance(step, Deal) and to in step.order]
    return len(deals) == 1 and deals[0].times == 1


def _is_reported(entry: Irregularity, off: set[str]) -> bool:
    """Return whether people at the table would call this the incident of the entry."""
    if entry.incident in _COUNTED:
        return _COUNTED[entry.incident] in off
    boxes = {place for place in off if place.isdigit()}
    if entry.incident == Incident.WRONG_BOX_COUNT:
        return bool(boxes)
    return entry.incident != Incident.MISDEALT or not off or bool(boxes)


def _boxes_off(scene: Scene, facts: FeltFacts) -> Iterator[BoxNo]:
    """Yield the boxes in play that have more or fewer cards than they should."""
    meant = Counter(scene.state.dealt)
    for box in scene.state.boxes:
        pile = facts.piles.get(str(box.number))
        lie = len(pile.cards) if pile is not None else 0
        if box.stands is HandStands.LIVE and lie != meant[str(box.number)]:
            yield box.number


# ---------------------------------------------------------------- the question


def name_the_order(error: DealtWrong, rng: Random, seed: int) -> Question | None:
    """Ask whether it can be put back, and what follows; None where both answers lead to the same."""
    book, entry = error.terms.book, error.entry
    can = When.RECONSTRUCTIBLE in entry.when
    then, otherwise = (_consequence(book, each) for each in (entry, error.other))
    if then == otherwise:
        return None
    right = _option(can, then)
    wrong = [_option(can, otherwise), _option(not can, then), _option(not can, otherwise)]
    options = shuffled_options(rng, right, wrong)
    return Question(
        edition=book.edition,
        topic=Topic.RECONSTRUCTION,
        seed=seed,
        asks="Can the cards be put back into their intended order, and what follows?",
        situation=(*described(error.terms, error.scene.state), *what_lies(error)),
        form=Form.ONE,
        options=options,
        right=(options.index(right),),
        because=" ".join((*argument(error.found), then)),
        rules=entry.rules,
        incident=entry.incident,
        entry=error.index,
        seconds=45,
    )


def _consequence(book: Rulebook, entry: Irregularity) -> str:
    if isinstance(entry.then, Continue) and When.RECONSTRUCTIBLE in entry.when:
        return "The cards are put back, and the round goes on."
    said = consequence_in_words(book, entry.then)[0]
    return said if said.endswith(".") else f"{said}."


def _option(can: bool, then: str) -> str:
    return f"{'They can' if can else 'They cannot'}: {then[0].lower()}{then[1:]}"


def what_lies(error: DealtWrong) -> Iterator[str]:
    """Yield the procedure, what happened, and how many cards lie at each place."""
    terms, facts = error.terms, error.facts
    deals = [step for step in terms.dealing.steps if isinstance(step, Deal)]
    yield f"Procedure: {words(terms.dealing.name)}. {'. '.join(step_in_words(step) for step in deals)}."
    slips = " or ".join(_SLIPS[kind] for kind in SLIPS[facts.incident])
    yield f"What happened: {terms.book.words_of(facts.incident)}. One thing went wrong: {slips}."
    for place in dict.fromkeys((*error.scene.state.dealt, *facts.piles)):
        pile = facts.piles.get(place)
        count = len(pile.cards) if pile else 0
        mixed = "" if pile is None or pile.ordered or count < 2 else ", mixed up since they were dealt"
        lies = "no card" if not count else "one card" if count == 1 else f"{count} cards"
        where = place_in_words(place)
        yield f"{where[0].upper()}{where[1:]}: {lies}{mixed}."
    if facts.at is not None:
        meant = place_in_words(error.scene.state.dealt[facts.at])
        yield f"It went wrong first with card {facts.at + 1} from the shoe, which was for {meant}."


def argument(found: Finding) -> Iterator[str]:
    """Yield why the cards can be put back, or why not."""
    moved = [moves for layout in found.layouts if (moves := _moves(layout))]
    if found.determined:
        yield found.says
        yield f"{moved[0]}."
    else:
        yield f"{len(moved)} layouts fit what lies there, so the order is not determined."
        yield f"Either: {moved[0]}. Or: {moved[1]}."


def _moves(layout: PossibleLayout) -> str:
    """Return what is moved to reach a layout; empty where every card lies where it belongs."""
    moves = [move for move in layout.moves if "next card of the shoe" not in move]
    said = "; ".join(f"{move[0].lower()}{move[1:]}" for move in moves)
    return said[:1].upper() + said[1:]
