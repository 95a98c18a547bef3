"""Awards that are signed for, read from the journal: which are to be paid, and who said of the others that they are."""

from __future__ import annotations

from typing import NamedTuple

from croupier.floor.people.people import People, award_key
from croupier.floor.records.codec import link_fact
from croupier.floor.records.streams import link_stream
from croupier.floor.records.tables import Table
from croupier.floor.records.upcasters import PAYMENT_NOTED
from croupier.floor.views.dealer_steps import AwardPayment, PaidOutView
from croupier.floor.views.moments import moment_text
from croupier.jackpots.events import AwardsReversed, CasePaid
from croupier.journal.store import Store
from croupier.money import Money, show

LISTED = 5
"""Awards of a table that are paid out and still listed."""


class _Read(NamedTuple):
    """What was read of a link."""

    seq: int
    cases: dict[str, tuple[CasePaid, ...]]
    """By table."""


class AwardPayments:
    """Reads each record of an award once, over the connection that looks back."""

    def __init__(self) -> None:
        self._links: dict[str, _Read] = {}

    def of(self, store: Store, people: People, table: Table) -> tuple[AwardPayment, ...]:
        """Return the awards of a table that are to be paid, and the last ones that are, the oldest first."""
        link = table.config.link
        if link is None or not table.config.staffed:
            return ()
        cases = self._catch_up(store, link).get(table.name, ())
        listed = [_view(case, people) for case in cases]
        paid = [view.award for view in listed if view.paid_out is not None][-LISTED:]
        return tuple(view for view in listed if view.paid_out is None or view.award in paid)

    def case_of(self, store: Store, table: Table, award: int) -> CasePaid | None:
        """Return an award of a table that is signed for; None where this number is not one."""
        cases = self._catch_up(store, table.config.link) if table.config.link else {}
        return next((case for case in cases.get(table.name, ()) if case.case == award), None)

    def _catch_up(self, store: Store, link: str) -> dict[str, tuple[CasePaid, ...]]:
        seq, cases = self._links.get(link, _Read(0, {}))
        cases = dict(cases)
        for record in store.awards(link_stream(link), seq):
            seq = record.seq
            if record.type not in (CasePaid.__name__, AwardsReversed.__name__):
                continue
            fact = link_fact(record)
            if isinstance(fact, AwardsReversed):
                left = tuple(case for case in cases.get(fact.table, ()) if case.round != fact.round)
                cases[fact.table] = left
            elif isinstance(fact, CasePaid) and record.version >= PAYMENT_NOTED:
                cases[fact.table] = (*cases.get(fact.table, ()), fact)
        self._links[link] = _Read(seq, cases)
        return cases


def paid_on(case: CasePaid) -> Money:
    """Return all that is paid on an award."""
    return sum(award.amount for award in case.awards)


def _view(case: CasePaid, people: People) -> AwardPayment:
    said = people.paid_out.get(award_key(case.table, case.case))
    first = next(award for award in case.awards if award.from_meter)
    return AwardPayment(
        award=case.case,
        round=case.round,
        box=case.line.box,
        hand=first.hand,
        amount=show(paid_on(case)),
        paid_out=None if said is None else PaidOutView(by=said.by, at=moment_text(said.at)),
    )
