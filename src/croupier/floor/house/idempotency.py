"""Command ids: the same command under the same id gets the same answer, and another command under it is refused."""

from __future__ import annotations

import hashlib

from croupier.floor.records.codec import encode
from croupier.floor.records.commands import Answer, Request
from croupier.floor.records.refusals import Code

LONGEST_ID = 200
"""Characters of a command id."""

_ID_REUSED = Answer(
    accepted=False,
    code=Code.ID_REUSED.value,
    message="This command id was used for another command; nothing was done.",
)
UNFIT = Answer(
    accepted=False,
    code=Code.UNFIT.value,
    message=f"An id has 1 to {LONGEST_ID} printable characters, and no text holds a zero character; nothing was done.",
)
"""The answer to a request without a body."""


def is_fit(command_id: str) -> bool:
    """Return whether a text can be the id of a command."""
    return 0 < len(command_id) <= LONGEST_ID and command_id.isprintable()


def body_of(request: Request) -> bytes | None:
    """Return the command as the journal keeps it; None where a database could not keep its text or its id."""
    try:
        encoded = encode(request.command)
    except UnicodeEncodeError:
        return None
    return None if b"\\u0000" in encoded or not is_fit(request.id) else encoded


def digest(body: bytes) -> bytes:
    """Return what is kept of a command that was refused."""
    return hashlib.sha256(body).digest()


def repeated(earlier: tuple[bytes, Answer] | None, body: bytes | None) -> Answer | None:
    """Return the answer to a command id that was used before; None where it is new."""
    if earlier is None or body is None:
        return None
    return earlier[1] if earlier[0] in (body, digest(body)) else _ID_REUSED
