"""The cage: buy-ins and cash-outs, and the consent of their players."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.floor.duties.bounds import Consent
from croupier.floor.duties.permissions import Action
from croupier.floor.house.own_limit_check import fund
from croupier.floor.house.transaction import Transaction
from croupier.floor.people.assignments import refusal
from croupier.floor.people.people import Person
from croupier.floor.people.second_signature import WAITING_MOST, check_enough_people
from croupier.floor.records.commands import AskConsent, BuyIn, CashOut, ChangeColour, Payment, SettleConsent
from croupier.floor.records.facts import BoughtIn, CashedOut, ColourChanged
from croupier.floor.records.people_facts import ConsentAsked, ConsentSettled
from croupier.floor.records.refusals import Code, Refused
from croupier.floor.records.streams import CASHIER
from croupier.ledger.entries import cashier_entry
from croupier.money import show
from croupier.structs import extended


def buy_in(transaction: Transaction, asked: BuyIn) -> None:
    """Give a player chips for money."""
    _check_payment(transaction, asked)
    transaction.record(CASHIER, extended(BoughtIn, asked), cashier_entry(asked.player, asked.amount))
    fund(transaction, asked.player, asked.amount)


def cash_out(transaction: Transaction, asked: CashOut) -> None:
    """Give a player money for chips."""
    _check_payment(transaction, asked)
    transaction.record(CASHIER, extended(CashedOut, asked), cashier_entry(asked.player, -asked.amount))
    fund(transaction, asked.player, -asked.amount)


def change_colour(transaction: Transaction, asked: ChangeColour) -> None:
    """Record that a dealer changed a player's chips into others; no account moves."""
    _check_at_table(transaction, asked.table, transaction.house.people.persons.get(asked.by))
    if asked.amount <= 0 or asked.chip <= 0 or asked.amount % asked.chip:
        what = f"{show(asked.amount)} cannot be changed into chips of {show(asked.chip)}."
        raise Refused(Code.NO_AMOUNT, what)
    held = transaction.held(asked.player)
    if asked.amount > held:
        what = f"{asked.player} holds {show(held)}, so {show(asked.amount)} cannot be changed."
        raise Refused(Code.INSUFFICIENT_FUNDS, what)
    transaction.record(CASHIER, extended(ColourChanged, asked))


def _check_payment(transaction: Transaction, asked: Payment) -> None:
    if asked.amount <= 0 or not asked.player:
        raise Refused(Code.NO_AMOUNT, "Enter an amount above 0.00 and the name of the player.")
    if not asked.by:
        return
    people, now = transaction.house.people, transaction.request.at
    person = people.persons.get(asked.by)
    if asked.table:
        _check_at_table(transaction, asked.table, person)
    elif person is None or not person.may(Action.RUN_CASHIER):
        raise Refused(Code.NOT_THE_CAGE, "Buy-ins and cash-outs are done by the cage.")
    check_enough_people(people, asked, now)
    if asked.consent is None:
        raise Refused(Code.NO_CONSENT, "A payment says whether its player consented, or was not logged in.")
    if asked.consent is Consent.GIVEN:
        asking = people.consents.get(asked.asked)
        if (
            asking is None
            or asking.given is not None
            or replace(asking.payment, consent=None, asked="") != replace(asked, consent=None, asked="")
        ):
            raise Refused(Code.UNKNOWN_CONSENT, "The player was not asked about this payment.")
        if asking.until <= now:
            raise Refused(Code.TOO_LATE, "The time to confirm this payment is over: the cage may ask again.")


def _check_at_table(transaction: Transaction, name: str, person: Person | None) -> None:
    """Refuse chips in or out at a table that no dealer runs, or by a person who does not work there."""
    table = transaction.house.tables.get(name)
    if table is None or not table.config.staffed:
        raise Refused(
            Code.NOT_THE_CAGE, f"Chips change hands at tables that a dealer runs, and {name[:40]} is not one."
        )
    if person is None or not person.may(Action.BET_FOR_A_PLAYER) or refusal(person, name, table.config):
        raise Refused(Code.NOT_THE_CAGE, f"Chips change hands at {name} with the staff who work there.")


def ask_consent(transaction: Transaction, asked: AskConsent) -> None:
    """Ask a player whether a payment is right."""
    people, now, payment = transaction.house.people, transaction.request.at, asked.payment
    duties = people.duties
    if duties is None or not payment.by or not payment.player or payment.amount <= 0:
        raise Refused(Code.BAD_CONSENT, "The cage asks a named player about more than 0.00.")
    if asked.consent in people.consents:
        raise Refused(Code.BAD_CONSENT, "The player has already been asked under this number.")
    waits = [a for a in people.consents.values() if a.given is None and a.until > now]
    if len(waits) >= WAITING_MOST:
        raise Refused(Code.TOO_MANY, "Too many payments already wait for their players.")
    transaction.enter_people(extended(ConsentAsked, asked, until=now + duties.consent_seconds * 1_000_000))


def settle_consent(transaction: Transaction, asked: SettleConsent) -> None:
    """Record that a player confirmed or declined a payment."""
    asking = transaction.house.people.consents.get(asked.consent)
    if asking is None or asking.given is not None:
        raise Refused(Code.UNKNOWN_CONSENT, "No payment of that number waits for a player's consent.")
    if asked.by != asking.payment.player:
        raise Refused(Code.NOT_YOURS, "Only the player of a payment confirms or declines it.")
    transaction.enter_people(extended(ConsentSettled, asked))
