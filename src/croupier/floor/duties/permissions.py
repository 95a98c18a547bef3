"""Posts of the house, and who may do what on which conditions: one declared matrix, default deny."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, Self

from croupier.rulebooks.vocabulary import Role


class Post(StrEnum):
    """What a person is in the house."""

    PLAYER = "player"
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit_supervisor"
    PIT_MANAGER = "pit_manager"
    SHIFT_MANAGER = "shift_manager"
    CAGE = "cage"
    SURVEILLANCE = "surveillance"
    AUDITOR = "auditor"
    DISPLAY = "display"
    CHIP_READER = "chip_reader"
    """A camera or chip reader at a table."""
    ADMINISTRATOR = "administrator"
    EXAMINER = "examiner"
    LEARNER = "learner"

    @property
    def role(self) -> Role | None:
        """The role in which the rule documents know this post; None for those they do not know."""
        return _ROLES.get(self)

    @property
    def who(self) -> str:
        """The post as the subject of a sentence: "A dealer", "An auditor", "Surveillance"."""
        words = self.value.replace("_", " ")
        if self is Post.SURVEILLANCE:
            return words.capitalize()
        if self is Post.CAGE:
            return "The cage"
        return f"{'An' if words[0] in 'aeiou' else 'A'} {words}"


_ROLES = {
    Post.DEALER: Role.DEALER,
    Post.PIT_SUPERVISOR: Role.PIT_SUPERVISOR,
    Post.PIT_MANAGER: Role.PIT_MANAGER,
    Post.SHIFT_MANAGER: Role.SHIFT_MANAGER,
}

STAFF = frozenset(_ROLES)
PIT = STAFF - {Post.DEALER}
EVERYBODY = frozenset(Post)


class _Explained(StrEnum):
    """Words that carry what they mean."""

    means: str

    def __new__(cls, value: str, means: str) -> Self:
        word = str.__new__(cls, value)
        word._value_, word.means = value, means
        return word


class Condition(_Explained):
    """What an action takes besides the post."""

    ASSIGNED = (
        "assigned",
        (
            "A person with assigned pits or tables is refused at every other table. "
            "A dealer who has handed a table over is refused there until it is handed back."
        ),
    )
    TWO_PEOPLE = "two people", "One person proposes, another signs within a quarter of an hour."
    TWO_ABOVE_LIMITS = (
        "two people above the bound for limits",
        "A limit above the bound (`duties.limits`) is proposed by one person and signed by another.",
    )
    TWO_FOR_STAKEBOARDS = (
        "two people for stakeboards",
        (
            "A change of what bets pay, or of the jackpot bet, is proposed by one person and signed by another "
            "(`duties.stakeboards`)."
        ),
    )
    TWO_ABOVE_PAYMENTS = (
        "two people above the bound for payments",
        "A payment above the bound (`duties.payments`) is proposed by one person and signed by another.",
    )
    TWO_FOR_STAFF = (
        "two people for everybody but players",
        "One person enrols a player; everybody else is proposed by one and signed by another.",
    )
    CONSENT = "consent", "A player who is logged in confirms the payment in time (`duties.consent_seconds`)."
    NOT_OWN_ACCOUNT = (
        "independent accounts",
        (
            "Two accounts are not two people where one enrolled the other, or gave it its password, "
            "a short time before (`duties.own_account_hours`)."
        ),
    )


class Action(_Explained):
    """Everything that can be asked of the server. What is not in MATRIX is refused."""

    WATCH = "watch", "See tables, rounds and meters as the post may"
    WATCH_FLOOR = "watch_floor", "Follow every table at once, with the names of players"
    READ_RULES = "read_rules", "Read the rules"
    PLAY = "play", "Bet and decide for their own boxes; confirm their own payments"
    BET_FOR_A_PLAYER = "bet_for_a_player", "Enter bets and decisions for a player; take money for chips at a table"
    DEAL = "deal", "Open and close bets, enter cards, settle"
    CONFIRM_ACTS = "confirm_acts", "Confirm acts of a settlement, or enter what was really done"
    REPORT = "report", "Report an irregularity"
    RULE = "rule", "Rule, as far as the rulebook gives it to the role"
    TAKE_MEASURES = "take_measures", "Take measures after a jackpot fault"
    VERIFY_AWARD = "verify_award", "Verify a major award"
    COUNTERSIGN = "countersign", "See, sign and decline proposals, each by the action that it names"
    WITHDRAW = "withdraw", "Take back what they proposed themselves"
    SIGN = "sign", "Sign second for corrected cards, and for a hand-over to another person; answer a dealer's call"
    OPEN_TABLES = "open_tables", "Open and close tables, change limits and stakeboards"
    RUN_LINKS = "run_links", "Close a link, and open it again"
    SEED_LINKS = "seed_links", "Start a link, correct its meter, change how it grows"
    RUN_CASHIER = "run_cashier", "See balances; buy-ins and cash-outs"
    SIGN_PAYMENTS = "sign_payments", "Sign second for a large payment"
    AUDIT = "audit", "Search and replay every round, export, audit"
    SEE_FIGURES = "see_figures", "See figures of tables and links"
    SEE_DUTIES = "see_duties", "Read who may do what"
    ENROL_PEOPLE = "enrol_people", "Enrol, assign, sign out and remove people"
    OWN_ACCOUNT = "own_account", "Change their own password and second factor, end their own sessions"
    SIGN_ENROLMENTS = "sign_enrolments", "Sign second for new staff"
    HANDLE_DISPUTES = "handle_disputes", "See disputes, open and note them, take the dispute pack of a round"
    DECIDE_DISPUTES = "decide_disputes", "Decide a dispute, and close its case"
    TRAIN = "train", "Train in the academy, and sit exams"
    SET_EXAMS = "set_exams", "Set exams; see results and weak clauses of a class"
    FOLLOW_EVENTS = "follow_events", "Follow every event of the house, for another system"


class Duty(NamedTuple):
    """The posts that have an action, and the conditions on which they have it."""

    posts: frozenset[Post]
    conditions: tuple[Condition, ...] = ()


_MANAGERS = frozenset({Post.PIT_MANAGER, Post.SHIFT_MANAGER})
_LOOKING = frozenset({Post.AUDITOR, Post.SURVEILLANCE})
_AT_TABLES = (Condition.ASSIGNED,)

MATRIX: dict[Action, Duty] = {
    Action.WATCH: Duty(EVERYBODY),
    Action.WATCH_FLOOR: Duty(PIT | _LOOKING),
    Action.READ_RULES: Duty(EVERYBODY),
    Action.PLAY: Duty(frozenset({Post.PLAYER})),
    Action.BET_FOR_A_PLAYER: Duty(STAFF, _AT_TABLES),
    Action.DEAL: Duty(STAFF, _AT_TABLES),
    Action.CONFIRM_ACTS: Duty(STAFF | {Post.CHIP_READER}, _AT_TABLES),
    Action.REPORT: Duty(STAFF, _AT_TABLES),
    Action.RULE: Duty(STAFF, _AT_TABLES),
    Action.TAKE_MEASURES: Duty(STAFF, _AT_TABLES),
    Action.VERIFY_AWARD: Duty(PIT, (Condition.ASSIGNED, Condition.TWO_PEOPLE)),
    Action.COUNTERSIGN: Duty(PIT | {Post.CAGE, Post.ADMINISTRATOR}, (Condition.ASSIGNED, Condition.NOT_OWN_ACCOUNT)),
    Action.WITHDRAW: Duty(STAFF | {Post.CAGE, Post.ADMINISTRATOR}),
    Action.SIGN: Duty(PIT, (Condition.ASSIGNED, Condition.NOT_OWN_ACCOUNT)),
    Action.OPEN_TABLES: Duty(
        _MANAGERS, (Condition.ASSIGNED, Condition.TWO_ABOVE_LIMITS, Condition.TWO_FOR_STAKEBOARDS)
    ),
    Action.RUN_LINKS: Duty(_MANAGERS, _AT_TABLES),
    Action.SEED_LINKS: Duty(_MANAGERS, (Condition.ASSIGNED, Condition.TWO_PEOPLE, Condition.NOT_OWN_ACCOUNT)),
    Action.RUN_CASHIER: Duty(frozenset({Post.CAGE}), (Condition.CONSENT, Condition.TWO_ABOVE_PAYMENTS)),
    Action.SIGN_PAYMENTS: Duty(frozenset({Post.CAGE, Post.SHIFT_MANAGER}), (Condition.NOT_OWN_ACCOUNT,)),
    Action.AUDIT: Duty(_MANAGERS | _LOOKING),
    Action.SEE_FIGURES: Duty(PIT | _LOOKING),
    Action.SEE_DUTIES: Duty(EVERYBODY - {Post.PLAYER, Post.DISPLAY, Post.CHIP_READER, Post.LEARNER}),
    Action.OWN_ACCOUNT: Duty(EVERYBODY),
    Action.ENROL_PEOPLE: Duty(frozenset({Post.ADMINISTRATOR}), (Condition.TWO_FOR_STAFF,)),
    Action.HANDLE_DISPUTES: Duty(PIT | _LOOKING),
    Action.DECIDE_DISPUTES: Duty(_MANAGERS | {Post.AUDITOR}),
    Action.TRAIN: Duty(STAFF | {Post.LEARNER, Post.EXAMINER}),
    Action.SET_EXAMS: Duty(frozenset({Post.EXAMINER})),
    Action.FOLLOW_EVENTS: Duty(frozenset({Post.AUDITOR})),
    Action.SIGN_ENROLMENTS: Duty(frozenset({Post.ADMINISTRATOR, Post.SHIFT_MANAGER}), (Condition.NOT_OWN_ACCOUNT,)),
}
"""Who may do what, on which conditions: declared once, checked on every route and message by a test."""

MAY: dict[Action, frozenset[Post]] = {action: duty.posts for action, duty in MATRIX.items()}
