"""What an audit finds: which event differs, and how."""

from __future__ import annotations

import msgspec

from croupier.ledger.accounts import AccountName
from croupier.money import Money

KEPT = 200
"""Differences that are kept; all are counted."""


class Difference(msgspec.Struct, frozen=True):
    """One thing that is not as it should be."""

    where: str
    """A stream, or what else the journal consists of: accounts, decks, …"""
    seq: int
    """The number of the record; 0 where the difference is not in a record."""
    what: str

    def __str__(self) -> str:
        place = f"{self.where} {self.seq}" if self.seq else self.where
        return f"{place}: {self.what}"


class Findings:
    """Differences in the order in which they are found."""

    def __init__(self) -> None:
        self.kept: list[Difference] = []
        self.count = 0

    def add(self, where: str, seq: int, what: str) -> None:
        self.count += 1
        if len(self.kept) < KEPT:
            self.kept.append(Difference(where, seq, what))


class Differs(Exception):
    """A stream cannot be followed past this record."""

    def __init__(self, where: str, seq: int, what: str) -> None:
        super().__init__(what)
        self.where, self.seq, self.what = where, seq, what


def compared(found: bytes, judged: msgspec.Struct) -> str:
    """Say how an event on disk differs from the one that follows from what came before it, field by field."""
    kind = type(judged).__name__
    try:
        ours = msgspec.json.decode(msgspec.json.encode(judged), type=dict[str, object])
        theirs = msgspec.json.decode(found, type=dict[str, object])
    except msgspec.DecodeError:
        return f"it is not an event, where {kind} follows."
    if theirs.get("type") != kind:
        return f"it is {theirs.get('type')}, where {kind} follows."
    for field in {**ours, **theirs}:
        if ours.get(field) != theirs.get(field):
            return f"{kind}: {field} is {_short(theirs.get(field))}, and judged again {_short(ours.get(field))}."
    return f"{kind} is not written as this program writes it."


def ledger_differs(derived: list[tuple[AccountName, Money]], ledger: list[tuple[AccountName, Money]]) -> str:
    """Say where the entry that follows from an event differs from the one in the ledger."""
    for account, amount in derived:
        if (account, amount) not in ledger:
            held = [posted for name, posted in ledger if name == account]
            says = f"has {held[0]}" if held else "has nothing"
            return f"it moves {amount} cents on {account}, and the ledger {says} there."
    extra = next(pair for pair in ledger if pair not in derived)
    return f"the ledger moves {extra[1]} cents on {extra[0]}, and the event does not."


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 120 else f"{text[:119]}…"
