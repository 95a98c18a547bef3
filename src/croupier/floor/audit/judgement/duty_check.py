"""Duties: the bounds that were in force at each moment, and the consents that players were asked for."""

from __future__ import annotations

import msgspec

from croupier.floor.audit.findings import Differs
from croupier.floor.duties.bounds import Consent, Duties
from croupier.floor.people.second_signature import why_two_for_terms
from croupier.floor.records import facts
from croupier.floor.records.codec import cashier_fact, house_fact, people_fact
from croupier.floor.records.commands import BuyIn, Payment
from croupier.floor.records.people_facts import ConsentAsked, DutiesSet, PeopleFact
from croupier.floor.records.streams import CASHIER, HOUSE, PEOPLE
from croupier.journal.records import ChainBroken, Record
from croupier.journal.store import Store


class DutyCheck:
    """Judges again whether a payment, a limit or a link was asked by enough people, and with the player's consent."""

    def __init__(self, store: Store) -> None:
        self._bounds: list[tuple[int, Duties]] = []
        self._asked: dict[str, tuple[Payment, int, int]] = {}
        """By number: the payment, when its player was asked, and until when."""
        for record in store.read(PEOPLE):
            if record.type not in (DutiesSet.__name__, ConsentAsked.__name__):
                continue
            try:
                self._learn(record, people_fact(record))
            except (msgspec.MsgspecError, ChainBroken):  # it is said where the stream itself is checked
                continue

    def _learn(self, record: Record, fact: PeopleFact) -> None:
        if isinstance(fact, DutiesSet):
            self._bounds.append((record.at, fact.duties))
        elif isinstance(fact, ConsentAsked):
            self._asked[fact.consent] = (fact.payment, record.at, fact.until)

    def in_force(self, at: int) -> Duties | None:
        """Return the bounds of a moment; None before any were set."""
        return next((duties for since, duties in reversed(self._bounds) if since <= at), None)

    def check(self, record: Record) -> None:
        """Check a record of the house or of the cashier; raises Differs."""
        if record.stream == CASHIER:
            why = self._payment(cashier_fact(record), record.at)
        elif record.stream == HOUSE:
            why = self._limits(house_fact(record), record.at)
        else:
            return
        if why:
            raise Differs(record.stream, record.seq, why)

    def link(self, fact: facts.LinkOpened, at: int) -> str:
        """Say why a link was not opened by enough people; empty where it was."""
        if self.in_force(at) is None or not fact.by or _is_two(fact.by, fact.second):
            return ""
        return "one person opened the link."

    def _limits(self, fact: facts.HouseFact, at: int) -> str:
        duties = self.in_force(at)
        if duties is None or not isinstance(fact, facts.TableOpened | facts.TermsChanged) or not fact.by:
            return ""
        terms = fact.config if isinstance(fact, facts.TableOpened) else fact
        why = why_two_for_terms(duties, terms)
        return f"{fact.by} was alone. {why}" if why and not _is_two(fact.by, fact.second) else ""

    def _payment(self, fact: facts.CashierFact, at: int) -> str:
        duties = self.in_force(at)
        if duties is None or not fact.by or isinstance(fact, facts.ColourChanged):
            return ""
        if fact.amount > duties.payments and not _is_two(fact.by, fact.second):
            return f"{fact.by} was alone with a payment that takes two people."
        if fact.consent is None:
            return "it does not say whether the player consented."
        if fact.consent is Consent.ABSENT:
            return ""
        payment, since, until = self._asked.get(fact.asked, (None, 0, 0))
        same = (
            payment is not None
            and isinstance(payment, BuyIn) == isinstance(fact, facts.BoughtIn)
            and (payment.player, payment.amount, payment.by, payment.second)
            == (fact.player, fact.amount, fact.by, fact.second)
        )
        return "" if same and since <= at < until else "its player was not asked about it."


def _is_two(first: str, second: str) -> bool:
    return bool(second) and first != second
