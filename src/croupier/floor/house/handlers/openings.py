"""Tables and links that open, people who come and go, and the cashier."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from msgspec.structs import replace

from croupier.floor.house.handlers.credentials import session_opened
from croupier.floor.house.holdings import holdings
from croupier.floor.house.transaction import Refused, Work
from croupier.floor.people.directory import commitment, is_id, leftovers, proposed, released_row, taken_row
from croupier.floor.people.names import clash, unfit_name
from croupier.floor.people.people import STANDS_FOR, People, evolve_people
from croupier.floor.people.proposals import AT_MOST, Bounded, waiting, why_not_together, why_two
from croupier.floor.records.commands import (
    AssignPerson,
    BuyIn,
    CameFrom,
    CashOut,
    ChangeSecret,
    ChangeTerms,
    CloseSession,
    CloseTable,
    CountRefusals,
    EnrolPerson,
    ErasePerson,
    FoundHouse,
    Named,
    NoteClockStep,
    NoteRefusal,
    OpenLink,
    OpenSession,
    OpenTable,
    ProposeMeasure,
    RemovePerson,
    ReopenTable,
    SetDuties,
    SettleMeasure,
)
from croupier.floor.records.facts import (
    LinkOpened,
    TableClosed,
    TableOpened,
    TableReopened,
    TermsChanged,
)
from croupier.floor.records.people_facts import (
    AccessRefused,
    ClockStepped,
    DutiesSet,
    HouseFounded,
    MeasureProposed,
    MeasureSettled,
    PeopleFact,
    PersonAssigned,
    PersonEnrolled,
    PersonErased,
    PersonRemoved,
    RefusalsCounted,
    SecretChanged,
    SessionClosed,
)
from croupier.floor.records.streams import HOUSE, PEOPLE, link_stream, table_stream
from croupier.floor.records.tables import Table, changed_terms, terms_of, unlawful_change
from croupier.jackpots.decide import unfit
from croupier.jackpots.link import new_link
from croupier.journal.store import Origin
from croupier.ledger.entries import seed_entry
from croupier.money import MOST, show
from croupier.rounds.state import new_table
from croupier.rulebooks.books import UnknownGame
from croupier.rulebooks.terms import BadTerms

LONGEST_NAME = 40
LONGEST_PHASE = 3600
"""Seconds that a table's clock counts at most."""


def _can_be_called(name: str) -> None:
    """Names stand in streams, accounts and addresses, where a slash parts them and dots alone lead elsewhere."""
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or "/" in name or not name.strip(". "):
        message = f"A name has 1 to {LONGEST_NAME} printable characters, no slash, and more than dots and spaces."
        raise Refused("bad_name", message)


def by_enough_people(work: Work, asked: Bounded) -> None:
    """Whatever a door lets through: what takes two people is asked by two."""
    people, now = work.house.people, work.request.at
    why = why_two(people, asked, now)
    if why and not asked.second:
        raise Refused("two_people", why)
    refused = why_not_together(people, asked.by, asked.second, now) if asked.second else None
    if refused is not None:
        raise Refused(*refused)


def open_table(work: Work, asked: OpenTable) -> None:
    if asked.table in work.house.tables:
        raise Refused("table_exists", f"There is a table {asked.table} already.")
    _can_be_called(asked.table)
    by_enough_people(work, asked)
    config = asked.config
    _can_be_called(config.pit)
    for field, seconds in (
        ("betting_seconds", config.betting_seconds),
        ("deciding_seconds", config.deciding_seconds),
        ("pause_seconds", config.pause_seconds),
    ):
        if not 1 <= seconds <= LONGEST_PHASE:
            raise Refused("bad_terms", f"{field} is a number of seconds from 1 to {LONGEST_PHASE}.")
    for bet, (least, most) in config.limits.items():
        if not 0 < least <= most <= MOST:
            raise Refused("bad_terms", f"The limits of {bet[:40]} are more than 0.00, the lower one first.")
    if config.jackpot_bet is not None and not 0 < config.jackpot_bet <= MOST:
        raise Refused("bad_terms", "The jackpot bet is more than 0.00.")
    if config.link is not None:
        config = replace(config, currency=work.link(config.link).parameters.currency)
    elif config.currency is None and (money := _money_of(work)) is not None:
        config = replace(config, currency=money)
    try:
        terms = terms_of(config)
    except (BadTerms, UnknownGame) as wrong:
        raise Refused("bad_terms", str(wrong)) from None
    _in_the_money_of_the_house(work, terms.currency, f"Table {asked.table}")
    if not work.house.store.own(asked.table):
        raise Refused("table_elsewhere", f"Table {asked.table} is run by another server.")
    work.opened.append(Table(asked.table, terms, config, new_table(terms.boxes), ours=True))
    work.record(HOUSE, TableOpened(table=asked.table, config=config, by=asked.by, second=asked.second))
    work.touch(table_stream(asked.table))


def _money_of(work: Work) -> str | None:
    """Return the currency that the house began with; None where it has no table and no link yet."""
    begun = [table.terms.currency for table in work.house.tables.values()]
    begun += [link.parameters.currency for link in work.house.links.values()]
    return begun[0] if begun else None


def _in_the_money_of_the_house(work: Work, currency: str, what: str) -> None:
    """Refuse a second currency: a player's one account would hold chips of both."""
    money = _money_of(work)
    if money not in (None, currency):
        raise Refused("other_currency", f"{what} is in {currency}, and the money of this house is {money}.")


def about_table(work: Work, asked: OpenTable | ChangeTerms | CloseTable | ReopenTable) -> None:
    """Open a table, or change one."""
    if isinstance(asked, OpenTable):
        open_table(work, asked)
    else:
        change_table(work, asked)


def change_table(work: Work, asked: ChangeTerms | CloseTable | ReopenTable) -> None:
    """What the pit changes at a table: it holds from the next Round on, and a Round in play ends as it began."""
    table = work.table(asked.table)
    work.touch(table_stream(table.name))
    after = table.round.number
    match asked:
        case ChangeTerms():
            _change_terms(work, table, asked)
        case CloseTable(by=by):
            if table.closed:
                raise Refused("table_closed", f"Table {table.name} is closed already.")
            work.closed[table.name] = True
            work.record(HOUSE, TableClosed(table=table.name, by=by, after=after))
        case ReopenTable(by=by):
            if not table.closed:
                raise Refused("table_open", f"Table {table.name} is open already.")
            work.closed[table.name] = False
            work.record(HOUSE, TableReopened(table=table.name, by=by, after=after))


def _change_terms(work: Work, table: Table, asked: ChangeTerms) -> None:
    refused = unlawful_change(table.latest, asked)
    if refused is not None:
        raise Refused(*refused)
    by_enough_people(work, asked)
    fact = TermsChanged(
        table=table.name,
        by=asked.by,
        after=table.round.number,
        limits=asked.limits,
        jackpot_bet=asked.jackpot_bet,
        pay_tables=asked.pay_tables,
        second=asked.second,
    )
    try:
        change = changed_terms(table.latest, fact)
    except BadTerms as wrong:
        raise Refused("bad_terms", str(wrong)) from None
    work.changed[table.name] = change
    work.record(HOUSE, fact)


def open_link(work: Work, asked: OpenLink) -> None:
    _can_be_opened(work, asked)
    by_enough_people(work, asked)
    work.links[asked.link] = new_link(asked.meter, asked.parameters)
    opened = LinkOpened(meter=asked.meter, parameters=asked.parameters, by=asked.by, second=asked.second)
    work.record(link_stream(asked.link), opened, seed_entry(asked.link, asked.meter))


def _can_be_opened(work: Work, asked: OpenLink) -> None:
    if asked.link in work.house.links:
        raise Refused("link_exists", f"There is a link {asked.link} already.")
    _can_be_called(asked.link)
    refusal = unfit(asked.parameters)
    if refusal is not None:
        raise Refused.by(refusal)
    if not 0 <= asked.meter <= MOST:
        raise Refused("no_amount", f"A meter starts between {show(0)} and {show(MOST)}.")
    _in_the_money_of_the_house(work, asked.parameters.currency, f"Link {asked.link}")


def about_measures(work: Work, asked: ProposeMeasure | SettleMeasure) -> None:
    """Measures that wait for a second person."""
    people, now = work.house.people, work.request.at
    fact: PeopleFact
    match asked:
        case ProposeMeasure(proposal=key, by=by, words=words, second=second, measure=measure):
            if len(waiting(people, now)) >= AT_MOST:
                raise Refused("too_many", "Too many measures wait for a signature already.")
            match measure:  # what could never be done does not wait for a signature
                case EnrolPerson():
                    _can_be_enrolled(work, people, measure)
                case OpenLink():
                    _can_be_opened(work, measure)
            if key in people.proposals or not by:
                raise Refused("bad_proposal", "A proposal has a number of its own and somebody who makes it.")
            until = now + STANDS_FOR
            fact = MeasureProposed(proposal=key, by=by, words=words, second=second, measure=measure, until=until)
        case SettleMeasure(proposal=key, by=by):
            waits = people.proposals.get(key)
            if waits is None:
                raise Refused("unknown_proposal", "Nothing of that number waits for a signature.")
            refused = why_not_together(people, waits.by, by, now)
            if refused is not None:
                raise Refused(*refused)
            fact = MeasureSettled(proposal=key, by=by)
        case _:
            assert_never(asked)
    work.people = evolve_people(people, fact)
    work.record(PEOPLE, fact)


AboutEnrolment: TypeAlias = EnrolPerson | RemovePerson | ErasePerson
AboutSessions: TypeAlias = (
    FoundHouse | ChangeSecret | OpenSession | CloseSession | NoteRefusal | NoteClockStep | CountRefusals
)
AboutPeople: TypeAlias = AboutEnrolment | AboutSessions
OPERATOR = "operator "
"""How the name of an operator begins, who has the database at hand."""


def about_duties(work: Work, asked: AssignPerson | SetDuties) -> None:
    """Where people work, and what takes two of them."""
    people = work.house.people
    fact: PeopleFact
    match asked:
        case AssignPerson():
            fact = _assigned(work, people, asked)
        case SetDuties(duties=duties, by=by):
            if min(duties.limits, duties.payments, duties.own_account_hours) < 0 or duties.consent_seconds < 1:
                raise Refused("bad_duties", "Bounds of duties are not below 0, and a consent waits at least 1 second.")
            fact = DutiesSet(duties=duties, by=by)
        case _:
            assert_never(asked)
    work.people = evolve_people(people, fact)
    work.record(PEOPLE, fact)


def about_people(work: Work, asked: AboutPeople) -> None:
    """People who come and go, their names, and their sessions."""
    if isinstance(asked, AboutEnrolment):
        _about_enrolment(work, asked)
    else:
        _about_sessions(work, asked)


def _about_sessions(work: Work, asked: AboutSessions) -> None:
    people = work.house.people
    fact: PeopleFact
    match asked:
        case FoundHouse(demonstration=demonstration):
            if people.demonstration is not None:
                raise Refused("house_founded", "What kind of house this is was settled when it began.")
            fact = HouseFounded(demonstration=demonstration)
        case ChangeSecret(name=name, secret=secret, by=by, once=once, keeps=keeps):
            if name not in people.persons:
                raise Refused("unknown_person", f"There is no {name}.")
            fact = SecretChanged(name=name, secret=secret, by=by, at=work.request.at, once=once, keeps=keeps)
        case OpenSession():
            fact = session_opened(people, asked, work.request.at)
            if isinstance(work.request.personal, CameFrom):
                origin = work.request.personal
                work.origin = Origin(asked.token_hash, origin.address, origin.browser)
        case CloseSession(token_hash=token_hash, by=by):
            fact = SessionClosed(token_hash=token_hash, by=by)
        case NoteRefusal(person=person, action=action, what=what):
            fact = AccessRefused(person=person, action=action, what=what)
        case NoteClockStep(server=server, by=by, followed=followed):
            fact = ClockStepped(server=server, by=by, followed=followed)
        case CountRefusals(person=person, action=action, count=number, since=since, until=until):
            fact = RefusalsCounted(person=person, action=action, count=number, since=since, until=until)
        case _:
            assert_never(asked)
    work.people = evolve_people(people, fact)
    work.record(PEOPLE, fact)


def _about_enrolment(work: Work, asked: AboutEnrolment) -> None:
    people = work.house.people
    fact: PeopleFact
    match asked:
        case EnrolPerson():
            fact = _enrolled(work, people, asked)
        case RemovePerson(name=name, by=by):
            if name not in people.persons:
                raise Refused("unknown_person", f"There is no {name}.")
            if held := holdings(work.house, name):
                raise Refused("holds_chips", f"{name} {held} and cannot be removed: cash out first.")
            if (row := work.house.names.get(name)) is not None:
                work.names[name] = released_row(row)
            fact = PersonRemoved(name=name, by=by, at=work.request.at)
        case ErasePerson():
            fact = _erased(work, people, asked)
        case _:
            assert_never(asked)
    work.people = evolve_people(people, fact)
    work.record(PEOPLE, fact)


def _enrolled(work: Work, people: People, asked: EnrolPerson) -> PersonEnrolled:
    _can_be_enrolled(work, people, asked)
    by_enough_people(work, asked)
    return PersonEnrolled(
        name=asked.name,
        post=asked.post,
        secret=asked.secret,
        by=asked.by,
        second=asked.second,
        at=work.request.at,
        commitment=asked.commitment,
    )


def _can_be_enrolled(work: Work, people: People, asked: EnrolPerson) -> None:
    """Check the name. A refusal is kept with its answer, so it does not tell the name."""
    name = _name_beside(work, people, asked) if asked.commitment else asked.name
    _can_be_called(name)
    if name.startswith(OPERATOR):
        raise Refused("bad_name", f'No person\'s name begins with "{OPERATOR}": that is how operators sign.')
    if is_id(name):
        raise Refused("bad_name", "A person's name is not of the form of an id.")
    taken = _taken_names(work, people, asked.name)
    if name in taken or name in people.persons:
        raise Refused("person_exists", "There is already a person of this name.")
    if unfit := unfit_name(name):
        raise Refused("bad_name", unfit)
    if clash(name, taken) is not None:
        raise Refused("name_clash", "This name looks like that of another person: choose another name.")
    if held := holdings(work.house, name):
        raise Refused("name_holds_money", f"An account of this name {held}: cash out first, or choose another name.")


def _name_beside(work: Work, people: People, asked: EnrolPerson) -> str:
    """The name that an enrolment commits to: it comes with the request, or came with the proposal."""
    if not is_id(asked.name) or asked.name in people.persons or asked.name in people.erased:
        raise Refused("bad_id", "This is not the id of a new person.")
    given, kept = work.request.personal, work.house.names.get(asked.name)
    if isinstance(given, Named):
        # Rows of proposals that were never signed make room.
        work.erased.extend(leftovers(work.house.names, people, work.request.at))
        work.names[asked.name] = taken_row(asked.name, given)
    elif kept is not None:
        given = Named(kept.name, kept.salt)
    if not isinstance(given, Named) or commitment(given.name, given.salt) != asked.commitment:
        raise Refused("no_name", "The enrolment has no name that fits its commitment.")
    return given.name


def _taken_names(work: Work, people: People, asked: str) -> list[str]:
    """Names of people who are enrolled, and of those for whom somebody has still to sign; not one's own."""
    names = work.house.names
    taken = {*people.persons, *proposed(people, work.request.at)} - {asked}
    return [names[person].name if person in names else person for person in taken]


def _erased(work: Work, people: People, asked: ErasePerson) -> PersonErased:
    """Nothing of the person may be open: no chips, bets, awards, payments or signatures."""
    name, now = asked.name, work.request.at
    if name not in work.house.names or name in people.erased:
        raise Refused("unknown_person", f"No name is kept for {name}, so there is nothing to erase.")
    if name in people.persons:
        raise Refused("not_removed", f"{name} may still log in: remove them first.")
    if held := holdings(work.house, name):
        raise Refused("holds_chips", f"{name} {held}: cash out first.")
    asking = (a.payment for a in people.consents.values() if a.given is None and a.until > now)
    payments = [*asking, *(waits.measure for waits in waiting(people, now))]
    if any(isinstance(payment, BuyIn | CashOut) and payment.player == name for payment in payments):
        raise Refused("payment_waits", f"A payment of {name} still waits for a signature or the player's word.")
    if name in proposed(people, now):
        raise Refused("not_removed", f"The enrolment of {name} still waits for a signature.")
    work.erased.append(name)
    return PersonErased(name=name, by=asked.by, at=now)


def _assigned(work: Work, people: People, asked: AssignPerson) -> PersonAssigned:
    if asked.name not in people.persons:
        raise Refused("unknown_person", f"There is no {asked.name}.")
    tables = work.house.tables
    pits = {table.config.pit for table in tables.values()}
    for kind, named, known in (("pit", asked.pits, pits), ("table", asked.tables, set(tables))):
        strange = sorted(set(named) - known)
        if strange:
            has = ", ".join(sorted(known)) or "none"
            raise Refused(f"unknown_{kind}", f'There is no {kind} "{strange[0][:LONGEST_NAME]}": there are {has}.')
    return PersonAssigned(name=asked.name, by=asked.by, pits=asked.pits, tables=asked.tables)
