"""A question of the academy: what the learner sees, the one right answer, and the paragraphs that decide it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

import msgspec

from croupier.cards import Card
from croupier.money import Money
from croupier.rulebooks.vocabulary import IncidentName, Rules


class Topic(StrEnum):
    """What a question trains. The first ones are a dealer's, the others a supervisor's."""

    HAND = "hand"
    """Name the hand."""
    FIVE_CARDS = "five_cards"
    """Pick the five cards that play."""
    WINNER = "winner"
    """Say which of two hands is higher."""
    PROCEDURE = "procedure"
    """Say what the Dealer does next."""
    BETS = "bets"
    """Say whether chips may lie."""
    OUTCOME = "outcome"
    """Say what becomes of a bet."""
    PAYOUT = "payout"
    """Say how much a bet is paid."""
    ACTS = "acts"
    """Put the acts of a settlement in order."""
    CONSEQUENCE = "consequence"
    """Say what follows from an irregularity."""
    AUTHORITY = "authority"
    """Say who may decide."""
    RECONSTRUCTION = "reconstruction"
    """Say whether a deal that went wrong can be put back in order."""
    RULING_MONEY = "ruling_money"
    """Say what a box gets back after a ruling."""
    READING = "reading"
    """Say how the house reads what the document leaves open."""
    OTHER_HOUSE = "other_house"
    """Say what differs at another operator's table."""


DEALER_TOPICS = (
    Topic.HAND,
    Topic.FIVE_CARDS,
    Topic.WINNER,
    Topic.PROCEDURE,
    Topic.BETS,
    Topic.OUTCOME,
    Topic.PAYOUT,
    Topic.ACTS,
)
SUPERVISOR_TOPICS = (
    Topic.CONSEQUENCE,
    Topic.AUTHORITY,
    Topic.RECONSTRUCTION,
    Topic.RULING_MONEY,
    Topic.READING,
    Topic.OTHER_HOUSE,
)


class Form(StrEnum):
    """How a question is answered."""

    ONE = "one"
    """One of the options."""
    SEVERAL = "several"
    """As many of the options as `picks` says, in any order."""
    ORDER = "order"
    """All options, in the right order."""
    AMOUNT = "amount"
    """An amount of money."""


Answer: TypeAlias = tuple[int, ...] | Money
"""The indexes of the options chosen, or an amount in cents."""


MAKER = 1
"""The generation of drills of today. In generation 0, community cards that are turned together had an order."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question with its answer. The same edition, topic and seed always make the same question."""

    edition: str
    topic: Topic
    seed: int
    asks: str
    situation: tuple[str, ...] = ()
    """What the learner sees of the table, line by line."""
    cards: Mapping[str, tuple[Card, ...]] = {}
    """Cards that lie face up, by place."""
    form: Form
    options: tuple[str, ...] = ()
    picks: int = 1
    right: Answer
    because: str
    rules: Rules
    """The paragraphs and readings that decide it."""
    incident: IncidentName = ""
    entry: int | None = None
    """The index of the irregularity in the rulebook, where the question is about one."""
    clause: str = ""
    """The clause that the question was to be about; empty for any."""
    maker: int = 0
    """By which generation of drills it was made: `MAKER` or an earlier one."""
    seconds: int
    """How long an experienced dealer or supervisor needs, for the score."""


class BadAnswer(ValueError):
    """An answer that does not have the form of its question; the message is one sentence."""


def is_right(question: Question, answer: Answer) -> bool:
    """Grade an answer; raises BadAnswer where it does not have the question's form."""
    if question.form is Form.AMOUNT:
        if not isinstance(answer, int):
            raise BadAnswer("This question is answered with an amount.")
        return answer == question.right
    if isinstance(answer, int):
        raise BadAnswer("This question is answered by choosing from its options.")
    if len(answer) != question.picks or len(set(answer)) != len(answer):
        raise BadAnswer(f"Choose {question.picks} of the options.")
    if any(not 0 <= index < len(question.options) for index in answer):
        raise BadAnswer(f"Choose between 1 and {len(question.options)}.")
    assert not isinstance(question.right, int), "only an amount is a number"
    if question.form is Form.ORDER:
        return tuple(answer) == question.right
    return set(answer) == set(question.right)


def score(right: bool, seconds: float, expected: int) -> int:
    """Return points from 0 to 100: a wrong answer has none; a right one has 100, and half as many when it took long.

    Up to the expected time nothing is deducted, so that care costs nothing; from there to three times as long the
    points fall in proportion.
    """
    if not right:
        return 0
    late = min(max(seconds - expected, 0.0) / (2 * expected), 1.0)
    return 100 - round(50 * late)
