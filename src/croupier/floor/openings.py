"""Tables and links that open, people who come and go, and the cashier."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from croupier.floor.facts import (
    BoughtIn,
    CashedOut,
    LinkOpened,
    TableClosed,
    TableOpened,
    TableReopened,
    TermsChanged,
)
from croupier.floor.linked import parameters_make_sense
from croupier.floor.people import (
    STANDS_FOR,
    AccessRefused,
    MeasureProposed,
    MeasureSettled,
    PeopleFact,
    PersonEnrolled,
    PersonRemoved,
    SessionClosed,
    SessionOpened,
    evolve_people,
)
from croupier.floor.requests import (
    BuyIn,
    CashOut,
    ChangeTerms,
    CloseSession,
    CloseTable,
    EnrolPerson,
    NoteRefusal,
    OpenLink,
    OpenSession,
    OpenTable,
    ProposeMeasure,
    RemovePerson,
    ReopenTable,
    SettleMeasure,
)
from croupier.floor.signing import AT_MOST, waiting
from croupier.floor.tables import (
    CASHIER,
    HOUSE,
    PEOPLE,
    Table,
    changed_terms,
    link_stream,
    table_stream,
    terms_of,
    unlawful_change,
)
from croupier.floor.working import Refused, Work
from croupier.jackpots.link import new_link
from croupier.ledger.entries import cashier_entry, seed_entry
from croupier.rounds.state import new_table
from croupier.rulebooks.books import UnknownGame
from croupier.rulebooks.terms import BadTerms

LONGEST_NAME = 40


def _can_be_called(name: str) -> None:
    """Names stand in streams, accounts and addresses, where a slash parts them and dots alone lead elsewhere."""
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or "/" in name or not name.strip(". "):
        message = f"A name has 1 to {LONGEST_NAME} printable characters, no slash, and more than dots and spaces."
        raise Refused("bad_name", message)


def open_table(work: Work, asked: OpenTable) -> None:
    if asked.table in work.house.tables:
        raise Refused("table_exists", f"There is a table {asked.table} already.")
    _can_be_called(asked.table)
    config = asked.config
    if config.link is not None:
        config = replace(config, currency=work.link(config.link).parameters.currency)
    try:
        terms = terms_of(config)
    except (BadTerms, UnknownGame) as wrong:
        raise Refused("bad_terms", str(wrong)) from None
    if not work.house.store.own(asked.table):
        raise Refused("table_elsewhere", f"Table {asked.table} is run by another server.")
    work.opened.append(Table(asked.table, terms, config, new_table(terms.boxes), ours=True))
    work.record(HOUSE, TableOpened(table=asked.table, config=config))
    work.touch(table_stream(asked.table))


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
    fact = TermsChanged(
        table=table.name,
        by=asked.by,
        after=table.round.number,
        limits=asked.limits,
        jackpot_bet=asked.jackpot_bet,
        pay_tables=asked.pay_tables,
    )
    try:
        change = changed_terms(table.latest, fact)
    except BadTerms as wrong:
        raise Refused("bad_terms", str(wrong)) from None
    work.changed[table.name] = change
    work.record(HOUSE, fact)


def open_link(work: Work, asked: OpenLink) -> None:
    if asked.link in work.house.links:
        raise Refused("link_exists", f"There is a link {asked.link} already.")
    _can_be_called(asked.link)
    parameters_make_sense(asked.parameters)
    if asked.meter < 0:
        raise Refused("no_amount", "A meter does not start below 0.00.")
    work.links[asked.link] = new_link(asked.meter, asked.parameters)
    opened = LinkOpened(meter=asked.meter, parameters=asked.parameters)
    work.record(link_stream(asked.link), opened, seed_entry(asked.link, asked.meter))


def about_measures(work: Work, asked: ProposeMeasure | SettleMeasure) -> None:
    """Measures that wait for a second person."""
    people, now = work.house.people, work.request.at
    fact: PeopleFact
    match asked:
        case ProposeMeasure(proposal=key, by=by, words=words, second=second, measure=measure):
            if len(waiting(people, now)) >= AT_MOST:
                raise Refused("too_many", "Too many measures wait for a signature already.")
            if key in people.proposals or not by:
                raise Refused("bad_proposal", "A proposal has a number of its own and somebody who makes it.")
            until = now + STANDS_FOR
            fact = MeasureProposed(proposal=key, by=by, words=words, second=second, measure=measure, until=until)
        case SettleMeasure(proposal=key, by=by):
            waits = people.proposals.get(key)
            if waits is None:
                raise Refused("unknown_proposal", "Nothing of that number waits for a signature.")
            if not by or by == waits.by:
                raise Refused("two_people", "It takes two different people.")
            fact = MeasureSettled(proposal=key, by=by)
        case _:
            assert_never(asked)
    work.people = evolve_people(people, fact)
    work.record(PEOPLE, fact)


def about_people(work: Work, asked: EnrolPerson | RemovePerson | OpenSession | CloseSession | NoteRefusal) -> None:
    people = work.house.people
    fact: PeopleFact
    match asked:
        case EnrolPerson(name=name, post=post, secret=secret):
            _can_be_called(name)
            if name in people.persons:
                raise Refused("person_exists", f"There is a {name} already.")
            fact = PersonEnrolled(name=name, post=post, secret=secret)
        case RemovePerson(name=name):
            if name not in people.persons:
                raise Refused("unknown_person", f"There is no {name}.")
            fact = PersonRemoved(name=name)
        case OpenSession(person=person, token_hash=token_hash, csrf=csrf):
            if person not in people.persons:
                raise Refused("unknown_person", f"There is no {person}.")
            fact = SessionOpened(token_hash=token_hash, person=person, csrf=csrf)
        case CloseSession(token_hash=token_hash):
            fact = SessionClosed(token_hash=token_hash)
        case NoteRefusal(person=person, action=action, what=what):
            fact = AccessRefused(person=person, action=action, what=what)
        case _:
            assert_never(asked)
    work.people = evolve_people(people, fact)
    work.record(PEOPLE, fact)


def at_the_cashier(work: Work, asked: BuyIn | CashOut) -> None:
    if asked.amount <= 0 or not asked.player:
        raise Refused("no_amount", "The cashier takes and gives more than 0.00, for a named player.")
    if isinstance(asked, BuyIn):
        bought = BoughtIn(player=asked.player, amount=asked.amount)
        work.record(CASHIER, bought, cashier_entry(asked.player, asked.amount))
    else:
        cashed = CashedOut(player=asked.player, amount=asked.amount)
        work.record(CASHIER, cashed, cashier_entry(asked.player, -asked.amount))
