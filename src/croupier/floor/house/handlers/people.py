"""People: enrolled, assigned, removed and erased; tables handed from dealer to dealer."""

from __future__ import annotations

from croupier.floor.duties.permissions import Action
from croupier.floor.house.holdings import holdings
from croupier.floor.house.transaction import Transaction
from croupier.floor.people.directory import commitment, is_id, leftovers, proposed, released_row, taken_row
from croupier.floor.people.names import LONGEST_NAME, check_name, clash, unfit_name
from croupier.floor.people.people import People, known_person
from croupier.floor.people.second_signature import check_enough_people, check_two_people, waiting
from croupier.floor.records import commands, people_facts
from croupier.floor.records.refusals import Code, Refused
from croupier.structs import extended

OPERATOR = "operator "
"""The beginning of an operator's name; an operator has the database at hand."""


def enrol_person(transaction: Transaction, asked: commands.EnrolPerson) -> None:
    """Enrol a person, who may log in from now on."""
    check_new_person(transaction, asked)
    check_enough_people(transaction.house.people, asked, transaction.request.at)
    transaction.enter_people(extended(people_facts.PersonEnrolled, asked, at=transaction.request.at))


def check_new_person(transaction: Transaction, asked: commands.EnrolPerson) -> None:
    """Refuse a name that nobody may have. The refusal is kept with its answer, so it does not tell the name."""
    people = transaction.house.people
    name = _name_beside(transaction, people, asked) if asked.commitment else asked.name
    check_name(name)
    if name.startswith(OPERATOR):
        raise Refused(Code.BAD_NAME, f'A person\'s name does not begin with "{OPERATOR}": operators sign so.')
    if is_id(name):
        raise Refused(Code.BAD_NAME, "A person's name does not have the form of an id.")
    taken = _taken_names(transaction, people, asked.name)
    if name in taken or name in people.persons:
        raise Refused(Code.PERSON_EXISTS, "There is already a person of this name.")
    if unfit := unfit_name(name):
        raise Refused(Code.BAD_NAME, unfit)
    if clash(name, taken) is not None:
        raise Refused(Code.NAME_CLASH, "This name looks like that of another person: choose another name.")
    if held := holdings(transaction.house, name):
        what = f"An account of this name {held}: cash out first, or choose another name."
        raise Refused(Code.NAME_HOLDS_MONEY, what)


def _name_beside(transaction: Transaction, people: People, asked: commands.EnrolPerson) -> str:
    """Return the name that an enrolment commits to: it comes with the request, or came with the proposal."""
    if not is_id(asked.name) or asked.name in people.persons or asked.name in people.erased:
        raise Refused(Code.BAD_ID, "This is not the id of a new person.")
    names = transaction.house.names
    given, kept = transaction.request.personal, names.get(asked.name)
    if isinstance(given, commands.Named):
        # Rows of proposals that were never signed make room.
        transaction.seldom.erased.extend(leftovers(names, people, transaction.request.at))
        transaction.seldom.names[asked.name] = taken_row(asked.name, given)
    elif kept is not None:
        given = commands.Named(kept.name, kept.salt)
    if not isinstance(given, commands.Named) or commitment(given.name, given.salt) != asked.commitment:
        raise Refused(Code.NO_NAME, "The enrolment has no name that fits its commitment.")
    return given.name


def _taken_names(transaction: Transaction, people: People, asked: str) -> list[str]:
    """Return the names of all other people who are enrolled, or whose enrolment waits for a signature."""
    names = transaction.house.names
    taken = {*people.persons, *proposed(people, transaction.request.at)} - {asked}
    return [names[person].name if person in names else person for person in taken]


def assign_person(transaction: Transaction, asked: commands.AssignPerson) -> None:
    """Assign a person to pits and tables."""
    known_person(transaction.house.people, asked.name)
    tables = transaction.house.tables
    pits = {table.config.pit for table in tables.values()}
    for code, kind, named, known in (
        (Code.UNKNOWN_PIT, "pit", asked.pits, pits),
        (Code.UNKNOWN_TABLE, "table", asked.tables, set(tables)),
    ):
        strange = sorted(set(named) - known)
        if strange:
            has = ", ".join(sorted(known)) or "none"
            raise Refused(code, f'There is no {kind} "{strange[0][:LONGEST_NAME]}": there are {has}.')
    transaction.enter_people(extended(people_facts.PersonAssigned, asked))


def remove_person(transaction: Transaction, asked: commands.RemovePerson) -> None:
    """Remove a person, who may no longer log in; their name is free for another person."""
    house, name = transaction.house, asked.name
    known_person(house.people, name)
    if held := holdings(house, name):
        raise Refused(Code.HOLDS_CHIPS, f"{name} {held} and cannot be removed: cash out first.")
    if (row := house.names.get(name)) is not None:
        transaction.seldom.names[name] = released_row(row)
    transaction.enter_people(extended(people_facts.PersonRemoved, asked, at=transaction.request.at))


def erase_person(transaction: Transaction, asked: commands.ErasePerson) -> None:
    """Erase the name of a person who was removed and has no chips, bets, awards, payments or signatures left."""
    house, name, now = transaction.house, asked.name, transaction.request.at
    people = house.people
    if name not in house.names or name in people.erased:
        raise Refused(Code.UNKNOWN_PERSON, f"No name is kept for {name}, so there is nothing to erase.")
    if name in people.persons:
        raise Refused(Code.NOT_REMOVED, f"{name} may still log in: remove them first.")
    if held := holdings(house, name):
        raise Refused(Code.HOLDS_CHIPS, f"{name} {held}: cash out first.")
    asking = (a.payment for a in people.consents.values() if a.given is None and a.until > now)
    payments = [*asking, *(waits.measure for waits in waiting(people, now))]
    if any(isinstance(payment, commands.BuyIn | commands.CashOut) and payment.player == name for payment in payments):
        raise Refused(Code.PAYMENT_WAITS, f"A payment of {name} still waits for a signature or the player's consent.")
    if name in proposed(people, now):
        raise Refused(Code.NOT_REMOVED, f"The enrolment of {name} still waits for a signature.")
    transaction.seldom.erased.append(name)
    transaction.enter_people(extended(people_facts.PersonErased, asked, at=now))


def hand_over_table(transaction: Transaction, asked: commands.HandOverTable) -> None:
    """Record that a dealer has left a table to another."""
    people, table = transaction.house.people, transaction.house.tables.get(asked.table)
    dealer = people.persons.get(asked.to)
    if table is None or not table.config.staffed:
        raise Refused(Code.NO_HAND_OVER, f"No dealer runs {asked.table[:40]}: there is no shift to hand over.")
    if dealer is None or not dealer.may(Action.DEAL) or asked.to == asked.by:
        raise Refused(Code.NO_HAND_OVER, "A table is handed over to another dealer of the house.")
    if asked.count < 0:
        raise Refused(Code.NO_HAND_OVER, "The count of the tray is not below 0.00.")
    check_two_people(people, asked.by, asked.second, transaction.request.at)
    transaction.enter_people(extended(people_facts.TableHandedOver, asked, at=transaction.request.at))


def confirm_ruling(transaction: Transaction, asked: commands.ConfirmRuling) -> None:
    """Record that a ruling, which the route has found, is carried out at its table."""
    transaction.check_readers("confirmed rulings")
    transaction.enter_people(extended(people_facts.RulingCarriedOut, asked, at=transaction.request.at))


def count_tray(transaction: Transaction, asked: commands.CountTray) -> None:
    """Record what a dealer has counted in the tray at the beginning of a shift."""
    table = transaction.house.tables.get(asked.table)
    if table is None or not table.config.staffed:
        raise Refused(Code.NO_HAND_OVER, f"No dealer runs {asked.table[:40]}: there is no tray to count.")
    if asked.count < 0:
        raise Refused(Code.NO_HAND_OVER, "The count of the tray is not below 0.00.")
    transaction.check_readers("counts of a tray")
    transaction.enter_people(extended(people_facts.TrayCounted, asked, at=transaction.request.at))
