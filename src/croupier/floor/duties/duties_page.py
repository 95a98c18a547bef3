"""The matrix of posts and actions for people to read: on a page of the browser, and in the documentation."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.floor.duties.bounds import Duties
from croupier.floor.duties.permissions import MATRIX, Condition, Post
from croupier.money import show


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
        yield f"| `{action.value}` | {action.means} | {cells} | {', '.join(duty.conditions)} |"
    yield ""
    yield "## Conditions"
    yield ""
    yield "| condition | |"
    yield "|---|---|"
    for condition in Condition:
        yield f"| {condition.value} | {condition.means} |"


if __name__ == "__main__":
    print("\n".join(markdown()))  # noqa: T201  it is the page
