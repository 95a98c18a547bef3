"""Refusals: each has a stable code, one sentence with the figures in it, and the paragraphs that forbid."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import final

import msgspec

from croupier.rounds.state import Round
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import BoxNo, Role, Rules


class Code(StrEnum):
    """Stable words; what each means stands in docs/round-script.md."""

    TABLE_CLOSED = "table_closed"
    ROUND_IS_OPEN = "round_is_open"
    NO_ROUND = "no_round"
    BETS_NOT_OPEN = "bets_not_open"
    BETS_CLOSED = "bets_closed"
    UNKNOWN_BOX = "unknown_box"
    BOX_DISALLOWED = "box_disallowed"
    UNKNOWN_BET = "unknown_bet"
    NOT_PLACED_BEFORE_THE_DEAL = "not_placed_before_the_deal"
    NO_JACKPOT = "no_jackpot"
    JACKPOT_BETS_SUSPENDED = "jackpot_bets_suspended"
    PLAYER_PROHIBITED = "player_prohibited"
    PLAYER_AWAY = "player_away"
    BOX_TAKEN = "box_taken"
    ONE_BOX_ONLY = "one_box_only"
    ONE_POSITION_ONLY = "one_position_only"
    ANTE_REQUIRED = "ante_required"
    NOT_SEATED = "not_seated"
    OVER_MAXIMUM = "over_maximum"
    UNDER_MINIMUM = "under_minimum"
    WRONG_JACKPOT_AMOUNT = "wrong_jackpot_amount"
    NO_AMOUNT = "no_amount"
    NO_SUCH_BET = "no_such_bet"
    ANTE_NEEDED_BY_OTHER_BETS = "ante_needed_by_other_bets"
    NO_BETS = "no_bets"
    NO_HAND = "no_hand"
    NOT_YOUR_HAND = "not_your_hand"
    ONE_HAND_ONLY = "one_hand_only"
    NOT_TO_BE_EXAMINED = "not_to_be_examined"
    NOT_A_FURTHER_HAND = "not_a_further_hand"
    NOT_SEVERAL_HANDS = "not_several_hands"
    NOT_DEALT_YET = "not_dealt_yet"
    NO_DECISION_DUE = "no_decision_due"
    ALREADY_DECIDED = "already_decided"
    NOT_A_CHOICE = "not_a_choice"
    WRONG_AMOUNT = "wrong_amount"
    ROUND_HELD = "round_held"
    NOTHING_TO_DEAL = "nothing_to_deal"
    NOTHING_TO_TURN = "nothing_to_turn"
    WRONG_CARDS = "wrong_cards"
    CARD_REPEATED = "card_repeated"
    NOT_READY_TO_SETTLE = "not_ready_to_settle"
    NOT_AT_THE_TABLE = "not_at_the_table"
    ALREADY_SHOWN = "already_shown"
    NOT_REFUSED = "not_refused"
    NOTHING_TO_PROVE = "nothing_to_prove"
    NOT_IN_THIS_GAME = "not_in_this_game"
    NOT_AUTHORISED = "not_authorised"
    NOTHING_AWAITED = "nothing_awaited"
    NOT_AN_ANSWER = "not_an_answer"
    NOT_AN_OPTION = "not_an_option"
    UNKNOWN_MODE = "unknown_mode"
    FACT_MISSING = "fact_missing"
    TOO_LATE = "too_late"
    # About the acts of a settlement.
    ACTS_OPEN = "acts_open"
    MISPAY_OPEN = "mispay_open"
    NO_ACT_OPEN = "no_act_open"
    NOT_THE_NEXT_ACT = "not_the_next_act"
    ONE_ACT_AT_A_TIME = "one_act_at_a_time"
    NOT_AN_EARLIER_ROUND = "not_an_earlier_round"
    # About a link.
    TWO_PEOPLE = "two_people"
    LINK_OPEN = "link_open"
    LINK_CLOSED = "link_closed"
    ROUNDS_IN_PLAY = "rounds_in_play"
    BAD_PARAMETERS = "bad_parameters"
    NO_CAUSE = "no_cause"


@final
class Refusal(msgspec.Struct, frozen=True):
    """What the rules forbid: nothing changes."""

    code: Code
    message: str
    rules: Rules = ()


def not_authorised(by: Role, needed: Role, what: str, rules: Rules) -> Refusal:
    """Refuse a role that is too low, and name the one it takes."""
    return Refusal(Code.NOT_AUTHORISED, f"A {by.title} may not {what}: it takes a {needed.title} or above.", rules)


def no_round(terms: Terms) -> Refusal:
    """Refuse because no Round is in play."""
    return Refusal(Code.NO_ROUND, "No round is open.", terms.book.opening)


def unknown_box(terms: Terms, numbers: Iterable[BoxNo]) -> Refusal | None:
    """Refuse the first of these boxes that the table does not have."""
    for number in numbers:
        if not 1 <= number <= terms.boxes:
            message = f"There is no box {number}: the table has {terms.boxes}."
            return Refusal(Code.UNKNOWN_BOX, message, terms.book.layout.rules)
    return None


def held(state: Round) -> Refusal:
    """Refuse because the Round waits for another person."""
    waits = state.awaiting[0]
    whom = f"a {waits.role.title} or above" if waits.role is not None else f"box {waits.boxes[0]}"
    return Refusal(Code.ROUND_HELD, f"The round waits for {whom}.", waits.rules)
