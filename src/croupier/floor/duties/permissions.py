"""Posts of the house, and who may do what on which conditions: one declared matrix, default deny."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

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
    ADMINISTRATOR = "administrator"

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


class Condition(StrEnum):
    """What an action takes besides the post."""

    ASSIGNED = "assigned"
    TWO_PEOPLE = "two people"
    TWO_ABOVE_LIMITS = "two people above the bound for limits"
    TWO_ABOVE_PAYMENTS = "two people above the bound for payments"
    TWO_FOR_STAFF = "two people for everybody but players"
    CONSENT = "consent"
    NOT_OWN_ACCOUNT = "independent accounts"

    @property
    def says(self) -> str:
        """What it means, in one sentence."""
        return _SAYS[self]


_SAYS = {
    Condition.ASSIGNED: "A person with assigned pits or tables is refused at every other table.",
    Condition.TWO_PEOPLE: "One person proposes, another signs within a quarter of an hour.",
    Condition.TWO_ABOVE_LIMITS: "A limit above `duties.limits` is proposed by one person and signed by another.",
    Condition.TWO_ABOVE_PAYMENTS: "A payment above `duties.payments` is proposed by one person and signed by another.",
    Condition.TWO_FOR_STAFF: "One person enrols a player; everybody else is proposed by one and signed by another.",
    Condition.CONSENT: "A player who is logged in confirms the payment within `duties.consent_seconds`.",
    Condition.NOT_OWN_ACCOUNT: "Two accounts are not two people where one enrolled the other, or gave it its password, "
    "within `duties.own_account_hours`.",
}


class Action(StrEnum):
    """Everything that can be asked of the server. What is not in MATRIX is refused."""

    WATCH = "watch"
    """See tables, rounds and meters as the post may."""
    WATCH_FLOOR = "watch_floor"
    """Follow every table of the floor at once, with the names of all players."""
    READ_RULES = "read_rules"
    PLAY = "play"
    """Bet, look and decide for the person's own boxes; choose options; leave; see their account."""
    BET_FOR_A_PLAYER = "bet_for_a_player"
    DEAL = "deal"
    """Open and close bets, enter cards, settle."""
    REPORT = "report"
    RULE = "rule"
    """Rulings; which role each takes is the rulebook's to say."""
    TAKE_MEASURES = "take_measures"
    """After a jackpot fault; which role is the rulebook's to say."""
    VERIFY_AWARD = "verify_award"
    COUNTERSIGN = "countersign"
    """See and sign proposals; each names the action that its second person needs."""
    SIGN = "sign"
    """Be the second person where cards are corrected; answer a dealer's call."""
    OPEN_TABLES = "open_tables"
    """Open and close tables, change their limits and stakeboards."""
    RUN_LINKS = "run_links"
    """Close a link, and open it again."""
    SEED_LINKS = "seed_links"
    """Start a link, correct its meter, change how it grows; or be the second person for that."""
    RUN_CASHIER = "run_cashier"
    """See balances; buy-ins and cash-outs."""
    SIGN_PAYMENTS = "sign_payments"
    """Be the second person of a large payment."""
    AUDIT = "audit"
    """Search and replay every round, export, see the ledger."""
    SEE_FIGURES = "see_figures"
    SEE_DUTIES = "see_duties"
    """Read this matrix."""
    ENROL_PEOPLE = "enrol_people"
    """Enrol, assign, sign out and remove people."""
    OWN_ACCOUNT = "own_account"
    """Change the person's own password and second factor, see and end their sessions."""
    SIGN_ENROLMENTS = "sign_enrolments"
    """Be the second person for new staff."""


class Duty(NamedTuple):
    """The posts that have an action, and the conditions on which they have it."""

    posts: frozenset[Post]
    conditions: tuple[Condition, ...] = ()


_MANAGERS = frozenset({Post.PIT_MANAGER, Post.SHIFT_MANAGER})
_LOOKING = frozenset({Post.AUDITOR, Post.SURVEILLANCE})
_AT_TABLES = (Condition.ASSIGNED,)

MATRIX: dict[Action, Duty] = {
    Action.WATCH: Duty(EVERYBODY),
    Action.WATCH_FLOOR: Duty(STAFF | _LOOKING),
    Action.READ_RULES: Duty(EVERYBODY),
    Action.PLAY: Duty(frozenset({Post.PLAYER})),
    Action.BET_FOR_A_PLAYER: Duty(STAFF, _AT_TABLES),
    Action.DEAL: Duty(STAFF, _AT_TABLES),
    Action.REPORT: Duty(STAFF, _AT_TABLES),
    Action.RULE: Duty(STAFF, _AT_TABLES),
    Action.TAKE_MEASURES: Duty(STAFF, _AT_TABLES),
    Action.VERIFY_AWARD: Duty(PIT, (Condition.ASSIGNED, Condition.TWO_PEOPLE)),
    Action.COUNTERSIGN: Duty(PIT | {Post.CAGE, Post.ADMINISTRATOR}, (Condition.ASSIGNED, Condition.NOT_OWN_ACCOUNT)),
    Action.SIGN: Duty(PIT, (Condition.ASSIGNED, Condition.NOT_OWN_ACCOUNT)),
    Action.OPEN_TABLES: Duty(_MANAGERS, (Condition.ASSIGNED, Condition.TWO_ABOVE_LIMITS)),
    Action.RUN_LINKS: Duty(_MANAGERS, _AT_TABLES),
    Action.SEED_LINKS: Duty(_MANAGERS, (Condition.ASSIGNED, Condition.TWO_PEOPLE, Condition.NOT_OWN_ACCOUNT)),
    Action.RUN_CASHIER: Duty(frozenset({Post.CAGE}), (Condition.CONSENT, Condition.TWO_ABOVE_PAYMENTS)),
    Action.SIGN_PAYMENTS: Duty(frozenset({Post.CAGE, Post.SHIFT_MANAGER}), (Condition.NOT_OWN_ACCOUNT,)),
    Action.AUDIT: Duty(_MANAGERS | _LOOKING),
    Action.SEE_FIGURES: Duty(PIT | _LOOKING),
    Action.SEE_DUTIES: Duty(EVERYBODY - {Post.PLAYER, Post.DISPLAY}),
    Action.OWN_ACCOUNT: Duty(EVERYBODY),
    Action.ENROL_PEOPLE: Duty(frozenset({Post.ADMINISTRATOR}), (Condition.TWO_FOR_STAFF,)),
    Action.SIGN_ENROLMENTS: Duty(frozenset({Post.ADMINISTRATOR, Post.SHIFT_MANAGER}), (Condition.NOT_OWN_ACCOUNT,)),
}
"""Who may do what, on which conditions: declared once, checked on every route and message by a test."""

MAY: dict[Action, frozenset[Post]] = {action: duty.posts for action, duty in MATRIX.items()}
