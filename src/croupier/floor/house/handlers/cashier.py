"""The cage: buy-ins and cash-outs, and the player's own word on them."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from croupier.floor.duties.bounds import Consent
from croupier.floor.duties.permissions import Action
from croupier.floor.house.handlers.openings import by_enough_people
from croupier.floor.house.transaction import Refused, Work
from croupier.floor.people.people import evolve_people
from croupier.floor.people.proposals import AT_MOST
from croupier.floor.records.commands import AskConsent, BuyIn, CashOut, SettleConsent
from croupier.floor.records.facts import BoughtIn, CashedOut
from croupier.floor.records.people_facts import ConsentAsked, ConsentSettled, PeopleFact
from croupier.floor.records.streams import CASHIER, PEOPLE
from croupier.ledger.entries import cashier_entry


def at_the_cage(work: Work, asked: BuyIn | CashOut | AskConsent | SettleConsent) -> None:
    """Carry out a payment, or what a player is asked about one."""
    if isinstance(asked, BuyIn | CashOut):
        at_the_cashier(work, asked)
    else:
        about_consents(work, asked)


def about_consents(work: Work, asked: AskConsent | SettleConsent) -> None:
    """What a player is asked about a payment, and what they say."""
    people, now = work.house.people, work.request.at
    fact: PeopleFact
    match asked:
        case AskConsent(consent=key, payment=payment):
            duties = people.duties
            if duties is None or not payment.by or not payment.player or payment.amount <= 0:
                raise Refused("bad_consent", "The cage asks a named player about more than 0.00.")
            if key in people.consents:
                raise Refused("bad_consent", "The player has been asked under this number already.")
            waits = [a for a in people.consents.values() if a.given is None and a.until > now]
            if len(waits) >= AT_MOST:
                raise Refused("too_many", "Too many payments wait for their players already.")
            fact = ConsentAsked(consent=key, payment=payment, until=now + duties.consent_seconds * 1_000_000)
        case SettleConsent(consent=key, by=by, given=given):
            asking = people.consents.get(key)
            if asking is None or asking.given is not None:
                raise Refused("unknown_consent", "Nothing of that number waits for a player's word.")
            if by != asking.payment.player:
                raise Refused("not_yours", "Only the player of a payment confirms or declines it.")
            fact = ConsentSettled(consent=key, by=by, given=given)
        case _:
            assert_never(asked)
    work.people = evolve_people(people, fact)
    work.record(PEOPLE, fact)


def at_the_cashier(work: Work, asked: BuyIn | CashOut) -> None:
    if asked.amount <= 0 or not asked.player:
        raise Refused("no_amount", "The cashier takes and gives more than 0.00, for a named player.")
    if asked.by:
        _by_the_cage(work, asked)
    amount = asked.amount if isinstance(asked, BuyIn) else -asked.amount
    kind = BoughtIn if isinstance(asked, BuyIn) else CashedOut
    fact = kind(
        player=asked.player,
        amount=asked.amount,
        by=asked.by,
        second=asked.second,
        consent=asked.consent,
        asked=asked.asked,
    )
    work.record(CASHIER, fact, cashier_entry(asked.player, amount))


def _by_the_cage(work: Work, asked: BuyIn | CashOut) -> None:
    """A person of the cage, a second one where it takes two, and the player's word or that there was none to have."""
    people = work.house.people
    person = people.persons.get(asked.by)
    if person is None or not person.may(Action.RUN_CASHIER):
        raise Refused("not_the_cage", "Buy-ins and cash-outs are done by the cage.")
    by_enough_people(work, asked)
    if asked.consent is None:
        raise Refused("no_consent", "A payment says whether its player consented, or was not logged in.")
    if asked.consent is Consent.GIVEN:
        asking = people.consents.get(asked.asked)
        if (
            asking is None
            or asking.given is not None
            or replace(asking.payment, consent=None, asked="") != replace(asked, consent=None, asked="")
        ):
            raise Refused("unknown_consent", "The player was not asked about this payment.")
        if asking.until <= work.request.at:
            raise Refused("too_late", "The time to confirm this payment is over: the cage may ask again.")
