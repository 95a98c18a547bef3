"""Posts of the house, and who may do what: one declared table, default deny."""

from __future__ import annotations

from enum import StrEnum

from croupier.rulebooks.vocabulary import Role


class Post(StrEnum):
    """What somebody is in the house."""

    PLAYER = "player"
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit_supervisor"
    PIT_MANAGER = "pit_manager"
    SHIFT_MANAGER = "shift_manager"
    SURVEILLANCE = "surveillance"
    AUDITOR = "auditor"
    DISPLAY = "display"
    ADMINISTRATOR = "administrator"

    @property
    def role(self) -> Role | None:
        """The role in which the rule documents know this post; None for those they do not know."""
        return _ROLES.get(self)


_ROLES = {
    Post.DEALER: Role.DEALER,
    Post.PIT_SUPERVISOR: Role.PIT_SUPERVISOR,
    Post.PIT_MANAGER: Role.PIT_MANAGER,
    Post.SHIFT_MANAGER: Role.SHIFT_MANAGER,
}

STAFF = frozenset(_ROLES)
PIT = STAFF - {Post.DEALER}
EVERYBODY = frozenset(Post)


class Action(StrEnum):
    """Everything that can be asked of the server. What is not listed in MAY is allowed to nobody."""

    WATCH = "watch"
    """See tables, rounds and meters as one's post may."""
    READ_RULES = "read_rules"
    PLAY = "play"
    """Bet, look and decide for one's own boxes; choose options; leave; see one's own account."""
    BET_FOR_A_PLAYER = "bet_for_a_player"
    DEAL = "deal"
    """Open and close bets, enter cards, settle."""
    REPORT = "report"
    RULE = "rule"
    """Rulings; which role each takes is the rulebook's to say."""
    TAKE_MEASURES = "take_measures"
    """After a jackpot fault; which role is the rulebook's to say."""
    VERIFY_AWARD = "verify_award"
    SIGN = "sign"
    """Be the second person of a four-eyes measure."""
    OPEN_TABLES = "open_tables"
    RUN_LINKS = "run_links"
    RUN_CASHIER = "run_cashier"
    AUDIT = "audit"
    """Search and replay every round, export, see the ledger."""
    SEE_FIGURES = "see_figures"
    ENROL_PEOPLE = "enrol_people"


MAY: dict[Action, frozenset[Post]] = {
    Action.WATCH: EVERYBODY,
    Action.READ_RULES: EVERYBODY,
    Action.PLAY: frozenset({Post.PLAYER}),
    Action.BET_FOR_A_PLAYER: STAFF,
    Action.DEAL: STAFF,
    Action.REPORT: STAFF,
    Action.RULE: STAFF,
    Action.TAKE_MEASURES: STAFF,
    Action.VERIFY_AWARD: PIT,
    Action.SIGN: PIT,
    Action.OPEN_TABLES: frozenset({Post.PIT_MANAGER, Post.SHIFT_MANAGER}),
    Action.RUN_LINKS: frozenset({Post.PIT_MANAGER, Post.SHIFT_MANAGER}),
    Action.RUN_CASHIER: frozenset({Post.PIT_SUPERVISOR, Post.PIT_MANAGER, Post.SHIFT_MANAGER}),
    Action.AUDIT: frozenset({Post.AUDITOR, Post.SURVEILLANCE, Post.PIT_MANAGER, Post.SHIFT_MANAGER}),
    Action.SEE_FIGURES: PIT | {Post.AUDITOR, Post.SURVEILLANCE},
    Action.ENROL_PEOPLE: frozenset({Post.ADMINISTRATOR}),
}
"""Who may do what: declared once, checked on every route and message by a test."""
