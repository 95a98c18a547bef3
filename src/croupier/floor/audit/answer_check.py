"""Answers: each chain of them, and the records that accepted ones name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby, islice

import msgspec

from croupier.floor.audit.findings import Findings
from croupier.floor.audit.head_check import HeadCheck
from croupier.floor.audit.ordered_rows import rows_as
from croupier.floor.records.codec import ANSWER, encode
from croupier.floor.records.streams import is_answer_chain
from croupier.journal.records import GENESIS, answer_hash
from croupier.journal.store import Answered, Store

_A_PIECE = 256
"""Answers that are read at a time."""


class AnswerCheck:
    """Checks each chain of answers: an accepted answer names records, and every record is named by one."""

    def __init__(self, store: Store, heads: HeadCheck, findings: Findings, step: Callable[[int], None]) -> None:
        self.store, self.heads, self.findings, self._step = store, heads, findings, step
        self.commands = 0
        self._named = 0

    def run(self, left: Mapping[str, int]) -> None:
        """Read every chain; `left` are the records of streams that are not here."""
        found = set()
        for chain, rows in groupby(self.store.rows("answers"), key=lambda row: str(row[0])):
            found.add(chain)
            before, seq = GENESIS, 0
            is_watched = self.heads.testimony.watches(chain)
            while some := list(islice(rows, _A_PIECE)):
                self._step(len(some))
                self.commands += len(some)
                for answered in rows_as(some, Answered):
                    if answered is None:
                        self.findings.add(chain, seq + 1, "it is not what an answer is.")
                        continue
                    self._named += self._read(answered, seq + 1, before, left)
                    seq, before = answered.seq, answered.hash
                    if is_watched:
                        self.heads.check_mark(chain, seq, before)
                        self.heads.testimony.see(chain, seq)
            self.heads.check_end(chain, seq, before)
        self.heads.check_missing(found, "answers", chains=True)

    def compare(self, runs: int) -> None:
        """Compare what the answers name with the ends of commands in the streams."""
        if self._named != runs:
            what = f"the answers name {self._named} ends of commands, and the streams have {runs}."
            self.findings.add("answers", 0, what)

    def _read(self, answered: Answered, wanted: int, before: bytes, left: Mapping[str, int]) -> int:
        """Check an answer, and return the number of records that it names as the last of its command."""
        chain, seq, command = answered.chain, answered.seq, answered.id
        if not is_answer_chain(chain) or seq != wanted:
            self.findings.add(chain, wanted, f"the answer is missing, the next one found is {seq}.")
        if answered.hash != answer_hash(before, chain, seq, command, answered.body, answered.answer):
            self.findings.add(chain, seq, f"the answer to {command} does not carry the hash of its content.")
        try:
            answer = ANSWER.decode(answered.answer)
        except (msgspec.MsgspecError, UnicodeError) as wrong:
            self.findings.add(chain, seq, f"the answer to {command} cannot be read: {wrong}.")
            return 0
        odd = answer.accepted == bool(answer.code) or (answer.heads and not answer.accepted)
        if odd or encode(answer) != answered.answer:
            self.findings.add(chain, seq, f"the answer to {command} is not one that a house gives.")
        return sum([last > left.get(stream, 0) for stream, last in answer.heads.items()])
