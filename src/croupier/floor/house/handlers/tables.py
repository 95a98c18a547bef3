"""Tables: opened, changed, closed, and taken over from another server."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from msgspec.structs import replace

from croupier.floor.house.handlers.currency import check_currency, house_currency
from croupier.floor.house.recovery import take_over
from croupier.floor.house.transaction import Transaction
from croupier.floor.people.names import check_name
from croupier.floor.people.second_signature import check_enough_people, check_two_people
from croupier.floor.records import commands, facts, tables
from croupier.floor.records.refusals import Code, Refused
from croupier.floor.records.streams import HOUSE, table_stream
from croupier.money import MOST, ForOne, ToOne, parse_pays, show
from croupier.rounds.state import new_table
from croupier.rulebooks.documents.editions import BadRulebook, UnknownGame, edition
from croupier.rulebooks.terms import BadTerms, Terms
from croupier.rulebooks.words import ANTE_BET
from croupier.structs import extended

EPOCH = date(1970, 1, 1)
MOST_TO_ONE = 10_000
"""The greatest odds that a stakeboard may have: ten times the greatest row of any document, 1,000 to 1."""
LONGEST_PHASE = 3600
"""Seconds of a table's clock for betting, deciding or a pause."""


def open_table(transaction: Transaction, asked: commands.OpenTable) -> None:
    """Open a table on this server."""
    house, config = transaction.house, asked.config
    if asked.table in house.tables:
        raise Refused(Code.TABLE_EXISTS, f"There is already a table {asked.table}.")
    check_name(asked.table)
    check_enough_people(house.people, asked, transaction.request.at)
    check_name(config.pit)
    _check_config(config)
    if config.link is not None:
        config = replace(config, currency=transaction.link(config.link).parameters.currency)
    elif config.currency is None and (money := house_currency(house)) is not None:
        config = replace(config, currency=money)
    try:
        config = replace(config, game=edition(config.game).name)
        terms = tables.terms_of(config)
        _check_odds(config.pay_tables, terms)
        config = replace(config, boxes=terms.boxes)
    except (BadTerms, BadRulebook, UnknownGame) as wrong:
        raise Refused(Code.BAD_TERMS, str(wrong)) from None
    check_currency(house, terms.currency, f"Table {asked.table}")
    if not house.store.own(asked.table):
        raise Refused(Code.TABLE_ELSEWHERE, f"Table {asked.table} is run by another server.")
    transaction.seldom.opened.append(tables.Table(asked.table, terms, config, new_table(terms.boxes), ours=True))
    transaction.record(HOUSE, extended(facts.TableOpened, asked, config=config, rulebook=terms.pin))
    transaction.touch(table_stream(asked.table))


def _check_config(config: commands.TableConfig) -> None:
    for field, seconds in (
        ("betting_seconds", config.betting_seconds),
        ("deciding_seconds", config.deciding_seconds),
        ("pause_seconds", config.pause_seconds),
    ):
        if not 1 <= seconds <= LONGEST_PHASE:
            raise Refused(Code.BAD_TERMS, f"{field} is a number of seconds from 1 to {LONGEST_PHASE}.")
    tables.check_limits(config.limits)
    tables.check_confirms(config.confirms, physical=config.physical)
    if config.jackpot_bet is not None and not 0 < config.jackpot_bet <= MOST:
        raise Refused(Code.BAD_TERMS, "The jackpot bet is more than 0.00.")


def change_terms(transaction: Transaction, asked: commands.ChangeTerms) -> None:
    """Change the terms of a table from its next Round on; a Round in play ends as it began."""
    table = _touched(transaction, asked.table)
    tables.check_change(table.latest, asked)
    check_enough_people(transaction.house.people, asked, transaction.request.at)
    config, terms = _changed(table, asked)
    after = table.round.number
    transaction.seldom.terms[table.name] = tables.TermsFrom(after, config, terms)
    transaction.record(HOUSE, extended(facts.TermsChanged, asked, after=after, rulebook=terms.pin))


def check_new_terms(transaction: Transaction, asked: commands.ChangeTerms) -> None:
    """Refuse what no second signature could bring about at a table of this server."""
    table = transaction.house.tables.get(asked.table)
    if table is not None and table.ours:
        tables.check_change(table.latest, asked)
        _changed(table, asked)


def _changed(table: tables.Table, asked: commands.ChangeTerms) -> tuple[commands.TableConfig, Terms]:
    """Return the configuration and the terms of a table after a change; raises Refused."""
    try:
        config = tables.changed_config(table.latest, asked)
        terms = tables.terms_of(config)
    except BadTerms as wrong:
        raise Refused(Code.BAD_TERMS, str(wrong)) from None
    _check_odds(config.pay_tables if asked.limits else asked.pay_tables, terms)
    if asked.limits or asked.box_limits:
        _check_box_limits(config, terms)
    return config, terms


def _check_odds(pay_tables: Mapping[str, Mapping[str, str]], terms: Terms) -> None:
    """Refuse odds that no house posts in good faith, and a payment that the ledger cannot hold."""
    for bet, rows in pay_tables.items():
        limit = terms.limits.get(bet)
        for line, text in rows.items():
            pays = parse_pays(text)
            if not isinstance(pays, ToOne | ForOne):
                continue
            where = f"{bet} for {line.replace('_', ' ')}"
            if pays.odds > MOST_TO_ONE * pays.per:
                what = f"{where}: {pays} is refused, because a line pays at most {MOST_TO_ONE:,} to 1."
                raise Refused(Code.BAD_TERMS, what)
            if limit is not None and pays.won(limit.maximum) > MOST:
                what = f"{where}: {pays} on a bet of {show(limit.maximum)} is more than the ledger can hold."
                raise Refused(Code.BAD_TERMS, what)


def _check_box_limits(config: commands.TableConfig, terms: Terms) -> None:
    """Refuse to limit a box below the least Ante: no bet could lie there."""
    least = terms.limits[ANTE_BET].minimum
    for box, most in config.box_limits.items():
        if most < least:
            what = f"Box {box} cannot be limited to {show(most)}: the table's least Ante is {show(least)}."
            raise Refused(Code.BAD_TERMS, f"{what} Leave the field empty for the table's own limit.")


def schedule_edition(transaction: Transaction, asked: commands.ScheduleEdition) -> None:
    """Put another version of a table's rule document on the calendar, signed by two people."""
    table = _touched(transaction, asked.table)
    now = transaction.request.at
    check_two_people(transaction.house.people, asked.by, asked.second, now)
    terms = edition_terms(table, asked.edition)
    if table.editions and table.editions[-1].at > now:
        waits = table.editions[-1].edition
        raise Refused(Code.EDITION_WAITS, f"{waits} already waits at table {table.name}. Cancel it first.")
    if asked.at < now:
        raise Refused(Code.BAD_EDITION, "A version is put in force from now or from a later moment on.")
    effective = terms.book.document.effective
    if effective is not None and tables.gaming_day(asked.at) < (effective - EPOCH).days:
        what = f"{asked.edition} is approved from {effective.isoformat()} on, so it cannot begin earlier."
        raise Refused(Code.BAD_EDITION, what)
    fact = extended(facts.EditionScheduled, asked, rulebook=terms.pin)
    transaction.seldom.editions[table.name] = tables.scheduled(table.editions, fact)
    transaction.record(HOUSE, fact)


def edition_terms(table: tables.Table, name: str) -> Terms:
    """Return the terms of a table by another version of its document; raises Refused."""
    try:
        found = edition(name)
        if found.name == table.config.game or found.game != table.terms.book.game:
            raise Refused(Code.BAD_EDITION, f"{name} is not another version of {table.config.game}.")
        return tables.terms_of(replace(table.latest, game=found.name))
    except (BadTerms, BadRulebook, UnknownGame) as wrong:
        raise Refused(Code.BAD_EDITION, str(wrong)) from None


def cancel_edition(transaction: Transaction, asked: commands.CancelEdition) -> None:
    """Take a version that waits for its moment off the calendar."""
    table = _touched(transaction, asked.table)
    waits = table.editions[-1] if table.editions else None
    if waits is None or waits.edition != asked.edition or waits.at <= transaction.request.at:
        raise Refused(Code.BAD_EDITION, f"{asked.edition} does not wait at table {table.name}.")
    fact = extended(facts.EditionCancelled, asked)
    transaction.seldom.editions[table.name] = tables.scheduled(table.editions, fact)
    transaction.record(HOUSE, fact)


def close_table(transaction: Transaction, asked: commands.CloseTable) -> None:
    """Close a table: no further Round begins."""
    table = _touched(transaction, asked.table)
    if table.closed:
        raise Refused(Code.TABLE_CLOSED, f"Table {table.name} is already closed.")
    transaction.seldom.closed[table.name] = True
    transaction.record(HOUSE, extended(facts.TableClosed, asked, after=table.round.number))


def reopen_table(transaction: Transaction, asked: commands.ReopenTable) -> None:
    """Open a table again."""
    table = _touched(transaction, asked.table)
    if not table.closed:
        raise Refused(Code.TABLE_OPEN, f"Table {table.name} is already open.")
    transaction.seldom.closed[table.name] = False
    transaction.record(HOUSE, extended(facts.TableReopened, asked, after=table.round.number))


def _touched(transaction: Transaction, name: str) -> tables.Table:
    """Return a table, and have the answer say where its stream stands."""
    table = transaction.table(name)
    transaction.touch(table_stream(name))
    return table


def take_table(transaction: Transaction, asked: commands.TakeTable) -> None:
    """Run a table whose server is gone."""
    table = transaction.house.tables.get(asked.table)
    if table is not None and not table.ours:
        take_over(transaction.house, table)
    transaction.table(asked.table)
