"""Heads: where each stream and each chain of answers stands, and where it once stood."""

from __future__ import annotations

from collections.abc import Collection

from croupier.floor.audit.checkpoint_check import Testimony
from croupier.floor.audit.findings import Findings
from croupier.floor.audit.ordered_rows import HeadRow, row_as
from croupier.floor.records.streams import is_answer_chain, table_stream
from croupier.journal.store import Store


class HeadCheck:
    """Compares the end of each stream with its head and with what was written down elsewhere."""

    def __init__(self, testimony: Testimony, findings: Findings) -> None:
        self.testimony, self._findings = testimony, findings
        self.heads: dict[str, tuple[int, bytes]] = {}

    def read(self, store: Store) -> None:
        """Read the heads."""
        for row in store.rows("heads"):
            head = row_as(row, HeadRow)
            if head is None:
                self._findings.add("heads", 0, f"{row[0]!r} is not what a head is.")
            elif head.seq or not store.is_shared:  # a shared store reserves a head before its first record
                self.heads[head.stream] = (head.seq, head.hash)

    @property
    def tables(self) -> dict[str, int]:
        """The tables, and the number of the last record of each."""
        first = table_stream("")
        return {name.removeprefix(first): seq for name, (seq, _) in self.heads.items() if name.startswith(first)}

    @property
    def steps(self) -> int:
        """How many steps an audit takes: each record is checked and judged, each answer checked."""
        return sum(seq if is_answer_chain(name) else 2 * seq for name, (seq, _) in self.heads.items())

    def check_mark(self, stream: str, seq: int, link: bytes) -> None:
        """Compare the hash of a record with the one that was written down elsewhere."""
        marks = self.testimony.marks.get(stream)
        if marks is not None and marks.get(seq, link.hex()) != link.hex():
            self._findings.add(stream, seq, "its hash is not the one that was written down.")

    def check_end(self, stream: str, seq: int, last: bytes) -> None:
        """Compare the last record of a stream with its head."""
        if self.heads.get(stream) != (seq, last):
            known = self.heads.get(stream, (0, b""))[0]
            self._findings.add(stream, seq, f"the stream's head stands at {known}, its last record is {seq}.")
        stood = self.testimony.stood(stream)
        if stood > seq:
            self._findings.add(stream, seq, f"the stream ends here and once stood at {stood}.")

    def check_missing(self, found: Collection[str], what: str, *, chains: bool) -> None:
        """Report streams of which only a head, or a witness's note of one, is left."""
        for name in {**self.heads, **self.testimony.marks}:
            if name not in found and is_answer_chain(name) == chains:
                left = "has a head and" if name in self.heads else f"once stood at {self.testimony.stood(name)} and has"
                self._findings.add(name, 0, f"it {left} no {what}.")
