"""Random dealing errors from an arranged shoe, told with what people at a table would know of them.

The rig deals by hand and keeps the true order to itself; whenever the tool says "determined", the layout must be the
true one. Run as a command: `python -m tests.laws.dealing_errors --errors 100000 --seed 1`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random
from time import perf_counter, process_time

from croupier.cards import DECK
from croupier.rounds.commands import FACE_DOWN, FeltFacts, Pile
from croupier.rounds.reconstruction.layouts import Reconstruction, answers, faces_of, reconstruct
from croupier.rounds.reconstruction.sequences import BURN, SLIPS
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.terms import Terms, table_terms
from croupier.rulebooks.vocabulary import Deal, Incident, Place, Turn

TERMS = [table_terms(game, dealing=dealing.name) for game in GAMES for dealing in table_terms(game).book.dealings]
INCIDENTS = tuple(SLIPS)


def by_hand(terms: Terms, boxes: tuple[int, ...]) -> list[str]:
    """The places of a whole deal, written out by hand from the steps of the procedure."""
    places: list[str] = []
    for step in terms.dealing.steps:
        if not isinstance(step, Deal):
            continue
        for _ in range(step.times):
            for place in step.order:
                to = [str(box) for box in boxes] if place is Place.BOXES else [place.value]
                for each in to:
                    places += [each] * step.each
    return places


def slip(random: Random, kind: str, right: list[str]) -> tuple[list[str], int] | None:
    """The same deal with one error, and the card with which it went wrong."""
    at = random.randrange(len(right))
    match kind:
        case "burn_missed":
            burns = [i for i, place in enumerate(right) if place == BURN]
            if not burns:
                return None
            at = random.choice(burns)
            return right[:at] + right[at + 1 :], at
        case "skipped":
            return (right[:at] + right[at + 1 :], at) if right[at] != BURN else None
        case "extra":
            return [*right[: at + 1], right[at], *right[at + 1 :]], at
        case "wrong_place":
            place = random.choice(right)
            return ([*right[:at], place, *right[at + 1 :]], at) if place != right[at] else None
        case _:
            one, other = random.choice(right), random.choice(right)
            if BURN in (one, other) or one == other:
                return None
            return [{one: other, other: one}.get(place, place) for place in right], at


def in_turns(terms: Terms, community: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Community Cards as they are turned: those of one turn in no order."""
    shown = [step.community for step in terms.dealing.steps if isinstance(step, Turn) and step.community]
    parts = [community[first:last] for first, last in pairwise([0, *shown, len(community)])]
    return [card for part in parts for card in sorted(part)]


class Case:
    """One error: what is told, and the truth."""

    def __init__(self, random: Random) -> None:
        self.terms = random.choice(TERMS)
        self.boxes = tuple(sorted(random.sample(range(1, self.terms.boxes + 1), random.randint(1, self.terms.boxes))))
        self.right = by_hand(self.terms, self.boxes)
        while not self._err(random):
            pass

    def _err(self, random: Random) -> bool:
        incident = random.choice(INCIDENTS)
        kinds, at = SLIPS[incident], None
        dealt: list[str] = list(self.right)
        slips = 1
        if kinds:
            slipped = slip(random, random.choice(kinds), dealt)
            if slipped is None:
                return False
            dealt, at = slipped
            if random.random() < 0.1 and (again := slip(random, random.choice(kinds), dealt)) is not None:
                dealt, slips = again[0], 2
                at = None
        out = random.randint(1, len(dealt))
        shoe = random.sample(DECK, len(DECK))
        dealt = dealt[:out]
        piles: dict[str, list[int]] = {}
        for ordinal, place in enumerate(dealt):
            piles.setdefault(place, []).append(ordinal)
        groups: list[list[int]] = []
        if out > 1 and (incident == Incident.SIMULTANEOUS_DRAW or random.random() < 0.2):
            first = random.randrange(out - 1)
            groups = [list(range(first, min(first + random.choice((2, 2, 3)), out)))]
        self.told: dict[str, Pile] = {}
        where: dict[int, tuple[str, int]] = {}
        for place, ordinals in piles.items():
            ordered = random.random() < 0.8
            lying = list(ordinals)
            if not ordered:
                random.shuffle(lying)
            for group in groups:  # the Dealer lays cards that came together in any order
                here = [i for i in lying if i in group]
                mixed = iter(random.sample(here, len(here)))
                lying = [next(mixed) if i in group else i for i in lying]
            where |= {ordinal: (place, nth) for nth, ordinal in enumerate(lying)}
            seen = random.random()
            cards = tuple(shoe[i] if random.random() < seen else FACE_DOWN for i in lying)
            self.told[place] = Pile(cards, ordered)
        known = at is not None and at <= out and random.random() < 0.3
        self.facts = FeltFacts(
            incident=incident,
            piles=self.told,
            together=tuple(tuple(where[i] for i in random.sample(group, len(group))) for group in groups),
            at=at if known else None,
            slips=slips,
        )
        self.shoe, self.where = shoe, where
        return True

    def truth(self) -> dict[str, list[tuple[str, int]]]:
        """What each place was to receive of the cards that are out."""
        found: dict[str, list[tuple[str, int]]] = {}
        for ordinal, place in enumerate(self.right[: len(self.where)]):
            if place != BURN:
                found.setdefault(place, []).append(self.where[ordinal])
        return self.in_sets(found)

    def in_sets(self, places: Mapping[str, Sequence[tuple[str, int]]]) -> dict[str, list[tuple[str, int]]]:
        """The cards of each place in no order, but Community Cards that are turned later after the others."""
        told = {place: sorted(lying) for place, lying in places.items()}
        if community := list(places.get("community", ())):
            told["community"] = in_turns(self.terms, community)
        return told

    def solve(self) -> Reconstruction:
        return reconstruct(self.terms, self.boxes, self.facts)


def check(case: Case, found: Reconstruction) -> str:
    """Hold an answer against the truth, and name the kind of answer."""
    truth = case.truth()
    listed = [case.in_sets(dict(layout.places)) for layout in found.layouts]
    if found.determined:
        assert listed == [truth], (case.facts, found)
        seen = {
            place: [face for face in faces_of(case.facts, layout) if face != FACE_DOWN]
            for place, layout in found.layouts[0].places
        }
        for place, faces in seen.items():  # every face is of a card that the shoe had for this place
            ordinals = [i for i, to in enumerate(case.right) if to == place]
            assert set(faces) <= {case.shoe[i] for i in ordinals}
        return "determined" if answers(case.facts, found) else "determined, not by whole hands"
    if found.complete and found.count <= len(found.layouts):
        assert truth in listed, (case.facts, found)
        return "several"
    return "many" if found.complete else "too many to look at"


def errors(seed: int, count: int) -> tuple[Counter[str], float]:
    """Solve so many random errors; the kinds of answers, and the most seconds of processor time for one."""
    random, total, longest = Random(seed), Counter[str](), 0.0
    for _ in range(count):
        case = Case(random)
        began = process_time()
        found = case.solve()
        longest = max(longest, process_time() - began)
        total[check(case, found)] += 1
        total[f"of {case.facts.incident}"] += 1
    return total, longest


def main() -> None:
    """Solve random errors, and print how many were determined."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--errors", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    began = perf_counter()
    total, longest = errors(asked.seed, asked.errors)
    lines = [f"{what}: {count:,}" for what, count in sorted(total.items())]
    ended = f"longest {longest:.2f} s of processor time, {perf_counter() - began:.0f} s, seed {asked.seed}\n"
    sys.stdout.write("\n".join([*lines, ended]))


if __name__ == "__main__":
    main()
