"""The matrix of posts and actions for people to read: on a page of the browser, and in the documentation."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.floor.duties.bounds import Duties
from croupier.floor.duties.permissions import MATRIX, Action, Condition, Post
from croupier.money import show

MEANS: dict[Action, str] = {
    Action.WATCH: "See tables, rounds and meters as the post may",
    Action.WATCH_FLOOR: "Follow every table at once, with the names of players",
    Action.READ_RULES: "Read the rules",
    Action.PLAY: "Bet and decide for their own boxes; confirm their own payments",
    Action.BET_FOR_A_PLAYER: "Enter bets and decisions for a player",
    Action.DEAL: "Open and close bets, enter cards, settle",
    Action.REPORT: "Report an irregularity",
    Action.RULE: "Rule, as far as the rulebook gives it to the role",
    Action.TAKE_MEASURES: "Take measures after a jackpot fault",
    Action.VERIFY_AWARD: "Verify a major award",
    Action.COUNTERSIGN: "See and sign proposals, each by the action that it names",
    Action.SIGN: "Sign second for corrected cards; answer a dealer's call",
    Action.OPEN_TABLES: "Open and close tables, change limits and stakeboards",
    Action.RUN_LINKS: "Close a link, and open it again",
    Action.SEED_LINKS: "Start a link, correct its meter, change how it grows",
    Action.RUN_CASHIER: "See balances; buy-ins and cash-outs",
    Action.SIGN_PAYMENTS: "Sign second for a large payment",
    Action.AUDIT: "Search and replay every round, export, audit",
    Action.SEE_FIGURES: "See figures of tables and links",
    Action.SEE_DUTIES: "Read who may do what",
    Action.OWN_ACCOUNT: "Change their own password and second factor, end their own sessions",
    Action.ENROL_PEOPLE: "Enrol, assign, sign out and remove people",
    Action.SIGN_ENROLMENTS: "Sign second for new staff",
}
"""What each action is, in few words."""


def bounds(duties: Duties) -> dict[str, str]:
    """Return the bounds in force, by the names of the settings."""
    return {
        "limits": show(duties.limits),
        "payments": show(duties.payments),
        "consent_seconds": str(duties.consent_seconds),
        "own_account_hours": str(duties.own_account_hours),
    }


def markdown() -> Iterator[str]:
    """Yield the lines of the permission table as a page of the documentation."""
    posts = list(Post)
    yield "# Who may do what"
    yield ""
    yield "Generated from `floor/duties/permissions.py` by `python -m croupier.floor.duties.duties_page`; a test"
    yield "keeps it current. What is not marked is refused, and the refusal is on record. The browser shows it too,"
    yield "under *Duties*, with the bounds in force."
    yield ""
    yield f"| action | | {' | '.join(post.value.replace('_', ' ') for post in posts)} | conditions |"
    yield f"|---|---|{'---|' * len(posts)}---|"
    for action, duty in MATRIX.items():
        cells = " | ".join("x" if post in duty.posts else "" for post in posts)
        yield f"| `{action.value}` | {MEANS[action]} | {cells} | {', '.join(duty.conditions)} |"
    yield ""
    yield "## Conditions"
    yield ""
    yield "| condition | |"
    yield "|---|---|"
    for condition in Condition:
        yield f"| {condition.value} | {condition.says} |"


if __name__ == "__main__":
    print("\n".join(markdown()))  # noqa: T201  it is the page
