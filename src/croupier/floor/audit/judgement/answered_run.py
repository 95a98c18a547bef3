"""The answer to a command, held against the records of the command."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from croupier.floor.audit.findings import Differs
from croupier.floor.audit.judgement.cursors import Cursor, Run
from croupier.floor.audit.judgement.first_release import VerifyAward
from croupier.floor.records.codec import encode
from croupier.floor.records.commands import HouseCommand


def check_answer(cursor: Cursor, run: Run, commands: Sequence[HouseCommand | VerifyAward] | None) -> None:
    """Check the answer: accepted, with the head of this stream, to the command that was judged."""
    last = run.records[-1]
    if run.answer is None:
        raise Differs(cursor.stream, last.seq, f"its command {run.command} was never answered.")
    answer = run.said
    if answer is None or not answer.accepted or answer.heads.get(cursor.stream) != last.seq:
        raise Differs(cursor.stream, last.seq, f"the answer to {run.command} does not say that it went so far.")
    if commands and not any(run.answer.body in _bodies(command) for command in commands):
        asked = type(commands[0]).__name__
        raise Differs(cursor.stream, run.records[0].seq, f"{asked} of {run.command} is not what was asked.")


def _bodies(command: HouseCommand | VerifyAward) -> tuple[bytes, bytes]:
    """Return the forms in which a command is kept: as it was asked, and as the first release's hash."""
    encoded = encode(command)
    return encoded, hashlib.sha256(encoded).digest()
