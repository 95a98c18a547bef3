"""The dealing procedure: what the Dealer does next, burnt cards included."""

from __future__ import annotations

from random import Random

from croupier.academy.hand_drill import shuffled_options
from croupier.academy.questions import Form, Question, Topic
from croupier.rulebooks.description.phrases import step_in_words, words
from croupier.rulebooks.vocabulary import Rulebook

_ELSEWHERE = ("Burn one card", "Turn the Dealer's cards", "Show the hands, compare and settle box by box")


def name_the_next_step(book: Rulebook, rng: Random, seed: int) -> Question:
    """Ask for the step after those that are done."""
    dealing = rng.choice(book.dealings)
    done = rng.randrange(len(dealing.steps))
    said = [step_in_words(step) for step in dealing.steps]
    right = said[done]
    others = {*said, *_ELSEWHERE, *(step_in_words(step) for other in book.dealings for step in other.steps)} - {right}
    options = shuffled_options(rng, right, rng.sample(sorted(others), min(3, len(others))))
    situation = [f"Procedure: {words(dealing.name)}. Bets are closed."]
    situation += [f"{number}. {line}." for number, line in enumerate(said[:done], 1)]
    return Question(
        edition=book.edition,
        topic=Topic.PROCEDURE,
        seed=seed,
        asks="What do you do next?" if done else "What do you do first?",
        situation=tuple(situation),
        form=Form.ONE,
        options=options,
        right=(options.index(right),),
        because=f"Step {done + 1} of {len(said)}: {right[0].lower()}{right[1:]}.",
        rules=dealing.steps[done].rules,
        seconds=5,
    )
