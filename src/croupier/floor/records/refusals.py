"""What the floor refuses: a stable code for each reason, and the one exception that carries it.

What the rules of a game refuse has the codes of `croupier.rounds.refusal`; both kinds reach the client in an Answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from croupier.floor.records.commands import Answer
from croupier.money import Money, show
from croupier.rounds.refusal import Code as RuleCode
from croupier.rounds.refusal import Refusal


class Code(StrEnum):
    """Stable codes: clients compare them and journals keep them, so a code never changes its meaning."""

    # The request.
    FAULT = "fault"
    """Internal error: the house could not judge the command, and nothing was done."""
    ID_REUSED = "id_reused"
    UNFIT = "unfit"
    BAD_REQUEST = "bad_request"
    NOT_ALLOWED = "not_allowed"
    OLDER_SERVER = "older_server"
    # Tables.
    UNKNOWN_TABLE = "unknown_table"
    TABLE_EXISTS = "table_exists"
    TABLE_ELSEWHERE = "table_elsewhere"
    TABLE_CLOSED = "table_closed"
    TABLE_OPEN = "table_open"
    BAD_NAME = "bad_name"
    BAD_TERMS = "bad_terms"
    NO_CHANGE = "no_change"
    OTHER_CURRENCY = "other_currency"
    BAD_ARCHIVE = "bad_archive"
    RULEBOOK_MISSING = "rulebook_missing"
    BAD_EDITION = "bad_edition"
    EDITION_WAITS = "edition_waits"
    # Rounds.
    ANOTHER_ROUND = "another_round"
    ANOTHER_DECISION = "another_decision"
    ALREADY_REPORTED = "already_reported"
    NOT_A_PERSONS = "not_a_persons"
    NO_KEY = "no_key"
    # Links.
    UNKNOWN_LINK = "unknown_link"
    LINK_EXISTS = "link_exists"
    OF_THE_LINK = "of_the_link"
    NOT_OF_THE_LINK = "not_of_the_link"
    AWARD_NOT_DUE = "award_not_due"
    AWARD_PAID_OUT = "award_paid_out"
    # Money.
    NO_AMOUNT = "no_amount"
    TOO_MUCH = "too_much"
    INSUFFICIENT_FUNDS = "insufficient_funds"
    NOT_THE_CAGE = "not_the_cage"
    NO_CONSENT = "no_consent"
    BAD_CONSENT = "bad_consent"
    UNKNOWN_CONSENT = "unknown_consent"
    NOT_YOURS = "not_yours"
    TOO_LATE = "too_late"
    # Two people.
    TWO_PEOPLE = "two_people"
    NO_HAND_OVER = "no_hand_over"
    OWN_ACCOUNT = "own_account"
    NOT_A_MEASURE = "not_a_measure"
    BAD_PROPOSAL = "bad_proposal"
    ALREADY_PROPOSED = "already_proposed"
    UNKNOWN_PROPOSAL = "unknown_proposal"
    NOT_YOUR_PROPOSAL = "not_your_proposal"
    NO_WORDS = "no_words"
    SIGNED_ALREADY = "signed_already"
    TOO_MANY = "too_many"
    BAD_DUTIES = "bad_duties"
    # Limits that players set for themselves.
    BAD_LIMIT = "bad_limit"
    LOSS_LIMIT = "loss_limit"
    TIME_LIMIT = "time_limit"
    REALITY_CHECK = "reality_check"
    NO_SESSION = "no_session"
    DEMO_CHIPS = "demo_chips"
    # Disputes.
    BAD_DISPUTE = "bad_dispute"
    DISPUTE_OPEN = "dispute_open"
    UNKNOWN_DISPUTE = "unknown_dispute"
    DISPUTE_DECIDED = "dispute_decided"
    NOT_DECIDED = "not_decided"
    DISPUTE_CLOSED = "dispute_closed"
    # The academy.
    UNKNOWN_DRILL = "unknown_drill"
    UNKNOWN_EXAM = "unknown_exam"
    BAD_EXAM = "bad_exam"
    EXAM_WITHDRAWN = "exam_withdrawn"
    SITTING_OPEN = "sitting_open"
    UNKNOWN_SITTING = "unknown_sitting"
    SITTING_OVER = "sitting_over"
    OUT_OF_TURN = "out_of_turn"
    # People.
    HOUSE_FOUNDED = "house_founded"
    UNKNOWN_PERSON = "unknown_person"
    UNKNOWN_PIT = "unknown_pit"
    PERSON_EXISTS = "person_exists"
    NAME_CLASH = "name_clash"
    NAME_HOLDS_MONEY = "name_holds_money"
    NO_NAME = "no_name"
    BAD_ID = "bad_id"
    HOLDS_CHIPS = "holds_chips"
    PAYMENT_WAITS = "payment_waits"
    NOT_REMOVED = "not_removed"
    # Credentials and sessions.
    SECRET_CHANGED = "secret_changed"  # noqa: S105  a code, not a secret
    FACTOR_EXISTS = "factor_exists"
    NO_FACTOR = "no_factor"
    BREAK_GLASS = "break_glass"
    CODE_USED = "code_used"
    PASSWORD_USED = "password_used"  # noqa: S105  likewise
    UNKNOWN_SESSION = "unknown_session"
    SESSION_LOCKED = "session_locked"


class Refused(Exception):
    """A command is refused, and nothing of it is kept."""

    def __init__(self, code: Code | RuleCode, message: str, rules: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.code, self.rules = code.value, tuple(rules)

    @classmethod
    def by_rules(cls, refusal: Refusal) -> Refused:
        """Carry what the rules of a game refuse."""
        return cls(refusal.code, refusal.message, refusal.rules)

    @property
    def answer(self) -> Answer:
        """The refusal as the client receives it."""
        return Answer(accepted=False, code=self.code, message=str(self), rules=self.rules)


def shortage(player: str, held: Money, amount: Money) -> str:
    """Say that a player does not hold this amount, and how much is missing."""
    return f"{player} holds {show(held)} and would be short by {show(amount - held)}."
