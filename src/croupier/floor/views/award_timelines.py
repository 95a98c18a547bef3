"""Award cases as the journal tells them: each with its timeline, by the Round that won it, whenever it was paid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from croupier.floor.records.codec import link_fact
from croupier.floor.records.streams import link_stream
from croupier.jackpots import events
from croupier.journal.records import Record
from croupier.journal.store import Store
from croupier.money import Money
from croupier.rounds.events import AwardClaimed, AwardPaid, BetSettled
from croupier.rounds.settlement import claim_paid
from croupier.rulebooks.terms import Terms

AwardState: TypeAlias = Literal["claimed", "locked", "paid", "denied", "unwound"]
UNWOUND: AwardState = "unwound"


class Moment(msgspec.Struct, frozen=True):
    """Something that happened to a case."""

    at: int
    """Microseconds since 1970, UTC."""
    what: str
    by: str = ""
    text: str = ""


class AwardCase(msgspec.Struct, frozen=True, kw_only=True):
    """One major award, from the claim to its end."""

    number: int
    table: str
    claim: AwardClaimed
    signatures: int
    state: AwardState = "claimed"
    signed: tuple[str, ...] = ()
    locked: events.AwardLocked | None = None
    awards: tuple[AwardPaid, ...] = ()
    line: BetSettled | None = None
    timeline: tuple[Moment, ...] = ()
    records: tuple[int, ...] = ()
    """Where in the link's stream it stands."""

    @property
    def round(self) -> events.RoundKey:
        return self.table, self.claim.round

    @property
    def amount(self) -> Money | None:
        return None if self.locked is None else sum(line.amount for line in self.locked.lines)

    def settled(self, terms: Terms) -> tuple[tuple[AwardPaid, ...], BetSettled | None]:
        """Return the awards of the case and the line of its Bet.

        The first release wrote them into its table's stream: they follow from what it paid.
        """
        if self.state == "paid" and self.line is None and self.locked is not None:
            return claim_paid(terms, self.claim, self.locked.lines, self.locked.rules)
        return self.awards, self.line


class AwardHistory:
    """The cases of one link, read on at every request."""

    def __init__(self, link: str) -> None:
        self._stream = link_stream(link)
        self._seen = 0
        self._count = 0
        self._rounds: dict[events.RoundKey, list[AwardCase]] = {}
        self._cases: dict[int, tuple[events.RoundKey, int]] = {}

    def of(self, store: Store, key: events.RoundKey) -> Sequence[AwardCase]:
        """Return the cases of a Round as they stand now."""
        for record in store.awards(self._stream, self._seen):
            self._enter(record)
            self._seen = record.seq
        return tuple(self._rounds.get(key, ()))

    def _enter(self, record: Record) -> None:
        at, fact = record.at, link_fact(record)
        match fact:
            case events.ClaimsEntered(table=table, round=number, claims=claims, signatures=signatures):
                for claim in claims:
                    self._count += 1
                    cases = self._rounds.setdefault((table, number), [])
                    self._cases[self._count] = (table, number), len(cases)
                    new = AwardCase(number=self._count, table=table, claim=claim, signatures=signatures)
                    cases.append(self._noted(new, record, Moment(at, "claimed")))
            case events.AwardsLocked(awards=awards):
                for award in awards:
                    self._change(award.case, record, Moment(at, "locked"), state="locked", locked=award)
            case events.AwardSigned(case=number, by=by):
                self._sign(number, record, by)
            case events.CasePaid(case=number, awards=paid, line=line):
                self._change(number, record, Moment(at, "paid"), state="paid", awards=paid, line=line)
            case events.CaseDenied(case=number, who=who, text=text, line=line):
                self._change(number, record, Moment(at, "denied", who, text), state="denied", line=line)
            case events.AwardsReversed(table=table, round=of):
                for case in self._standing((table, of)):
                    self._change(case.number, record, Moment(at, UNWOUND), state=UNWOUND, awards=(), line=None)
            case events.ClaimsVerified() | events.AwardsPaid() | events.AwardsHandedOver():
                self._enter_first_release(record, fact)
            case _:
                pass

    def _enter_first_release(
        self, record: Record, fact: events.ClaimsVerified | events.AwardsPaid | events.AwardsHandedOver
    ) -> None:
        at = record.at
        match fact:
            case events.ClaimsVerified(table=table, round=of, by=by):
                for case in self._standing((table, of)):
                    self._sign(case.number, record, by)
            case events.AwardsPaid(table=table, round=of, payments=payments):
                numbers = {case.claim.box: case.number for case in self._standing((table, of))}
                for payment in payments:
                    number = numbers[payment.claim.box]
                    locked = events.AwardLocked(number, payment.lines, payment.rules)
                    self._change(number, record, Moment(at, "locked"), state="locked", locked=locked)
            case events.AwardsHandedOver(table=table, round=of):
                for case in self._standing((table, of)):
                    self._change(case.number, record, Moment(at, "paid"), state="paid")
            case _:
                assert_never(fact)

    def _standing(self, key: events.RoundKey) -> list[AwardCase]:
        """List the cases of the settlement that counts, not those of one that was unwound."""
        return [case for case in self._rounds.get(key, ()) if case.state != UNWOUND]

    def _sign(self, number: int, record: Record, by: str) -> None:
        key, index = self._cases[number]
        signed = (*self._rounds[key][index].signed, by)
        self._change(number, record, Moment(record.at, "signed", by), signed=signed)

    def _change(self, number: int, record: Record, moment: Moment, **fields: object) -> None:
        key, index = self._cases[number]
        case = self._rounds[key][index]
        self._rounds[key][index] = self._noted(replace(case, **fields), record, moment)

    def _noted(self, case: AwardCase, record: Record, moment: Moment) -> AwardCase:
        return replace(case, timeline=(*case.timeline, moment), records=(*case.records, record.seq))
