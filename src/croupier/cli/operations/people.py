"""`people`: who may log in, for the operator with access to the database."""

from __future__ import annotations

import getpass
import secrets
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import click
from rich.table import Table

from croupier.cli.operations.audit import database, opened
from croupier.cli.terminal.errors import Wrong
from croupier.cli.terminal.output import as_json, console, print_json
from croupier.floor.duties.permissions import Post
from croupier.floor.history.export import AUDITOR, reading_house
from croupier.floor.house.house import House
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.people.assignments import where
from croupier.floor.people.directory import enrolment, is_id
from croupier.floor.people.passwords import sealed_password, weakness
from croupier.floor.records import commands


@click.group()
def people() -> None:
    """Manage who may log in, and where they work: list, enrol, assign, reset, mark as break-glass, remove, erase.

    For the operator with access to the database, when no administrator can log in: after a lost first password, or
    when the last administrator was removed. A house on SQLite must be stopped first. What is done is on record, by the
    user's name on this machine.
    """


@contextmanager
def _house(url: str) -> Iterator[House]:
    """Open the house without running any of its tables."""
    with opened(url, read_only=False) as store:
        yield reading_house(store)


def _id(house: House, name: str) -> str:
    """Return the id of the person with this name."""
    found = house.directory.id_of(name)
    if found is None:
        raise Wrong(f"There is no person {name}.")
    return found


def _done(house: House, command: commands.HouseCommand, named: commands.Named | None = None) -> None:
    request = commands.Request(f"operator/{secrets.token_hex(12)}", command, microseconds(), named)
    answer = house.process([request])[0]
    if not answer.accepted:
        raise Wrong(house.directory.told(AUDITOR, answer.message.encode()).decode())


def operator() -> str:
    """Return the operator's name, for the record."""
    return f"operator {getpass.getuser()}"


def _secret(house: House, name: str, stdin: bool) -> tuple[str, str | None]:
    """Return the sealed password, and the password itself where it was made here and must be printed."""
    made = None if stdin else secrets.token_urlsafe(12)
    password = made if made is not None else sys.stdin.readline().rstrip("\n")
    if made is None and (why := weakness(password, (name, *house.tables, *house.links))):
        raise Wrong(why)
    return sealed_password(password, secrets.token_bytes(16)), made


_from_stdin = click.option(
    "--password-stdin", is_flag=True, help="Read the password from standard input; otherwise one is made and printed."
)


def _say(name: str, what: str, password: str | None, json_wanted: bool) -> None:
    if json_wanted:
        print_json({"name": name, "password": password})
    else:
        click.echo(f"{name} {what}.{'' if password is None else f' Password: {password}'}")


@people.command("list")
@database
@as_json
def list_people(database: str, json_wanted: bool) -> None:
    """List every person who may log in, with their sessions and where they work."""
    with _house(database) as house:
        known, directory = house.people, house.directory
    held = Counter(session.person for session in known.sessions.values())
    found = [
        {
            "name": directory.name_of(p.name),
            "id": p.name,
            "post": p.post.value,
            "sessions": held[p.name],
            "works": where(p),
        }
        for p in known.persons.values()
    ]
    if json_wanted:
        print_json(found)
        return
    table = Table("name", "id", "post", "sessions", "works", box=None, padding=(0, 1))
    for person in found:
        table.add_row(*(str(value) for value in person.values()))
    console().print(table)


@people.command()
@click.argument("name")
@click.argument("post", type=click.Choice([post.value for post in Post]))
@_from_stdin
@database
@as_json
def enrol(name: str, post: str, password_stdin: bool, database: str, json_wanted: bool) -> None:
    """Let NAME log in as POST."""
    if ":" in name:
        raise Wrong("A person's name may not contain a colon.")
    with _house(database) as house:
        secret, made = _secret(house, name, password_stdin)
        _done(house, *enrolment(name, Post(post), secret, operator()))
    _say(name, f"may log in as {post.replace('_', ' ')}", made, json_wanted)


@people.command()
@click.argument("name")
@_from_stdin
@database
@as_json
def reset(name: str, password_stdin: bool, database: str, json_wanted: bool) -> None:
    """Give NAME another password; every session of theirs ends.

    A password that is made here has to be changed at the next log-in. That of a break-glass account works for one
    log-in as it is.
    """
    with _house(database) as house:
        secret, made = _secret(house, name, password_stdin)
        person = house.people.persons.get(_id(house, name))
        once = made is not None and not (person is not None and person.break_glass)
        _done(house, commands.ChangeSecret(name=_id(house, name), secret=secret, by=operator(), once=once))
    _say(name, "has another password", made, json_wanted)


@people.command("break-glass")
@click.argument("name")
@click.option("--off", is_flag=True, help="NAME is an ordinary account again.")
@database
@as_json
def break_glass(name: str, off: bool, database: str, json_wanted: bool) -> None:
    """Keep NAME for emergencies, with a new password for one log-in.

    A log-in of a break-glass account raises an alarm in the pit, and uses up its password: reset it afterwards.
    """
    made = None
    with _house(database) as house:
        person = _id(house, name)
        _done(house, commands.MarkBreakGlass(name=person, marked=not off, by=operator()))
        if not off:
            secret, made = _secret(house, name, stdin=False)
            _done(house, commands.ChangeSecret(name=person, secret=secret, by=operator()))
    _say(name, "is an ordinary account again" if off else "is a break-glass account", made, json_wanted)


@people.command()
@click.argument("name")
@click.option("--pit", "pits", multiple=True, help="A pit in which NAME works; may be given several times.")
@click.option("--table", "tables", multiple=True, help="A table at which NAME works; may be given several times.")
@database
@as_json
def assign(name: str, pits: tuple[str, ...], tables: tuple[str, ...], database: str, json_wanted: bool) -> None:
    """Let NAME work in these pits and at these tables alone; without any, everywhere."""
    with _house(database) as house:
        person = _id(house, name)
        _done(house, commands.AssignPerson(name=person, by=operator(), pits=pits, tables=tables))
        works = where(house.people.persons[person])
    if json_wanted:
        print_json({"name": name, "pits": list(pits), "tables": list(tables)})
    else:
        click.echo(f"{name} works {works}.")


@people.command()
@click.argument("name")
@database
@as_json
def remove(name: str, database: str, json_wanted: bool) -> None:
    """Remove NAME, for every later start too: they may no longer log in. A person with chips cashes out first."""
    with _house(database) as house:
        _done(house, commands.RemovePerson(name=_id(house, name), by=operator()))
    _say(name, "may no longer log in", None, json_wanted)


@people.command()
@click.argument("name")
@database
@as_json
def erase(name: str, database: str, json_wanted: bool) -> None:
    """Remove NAME, and erase the name for good; every record keeps the id.

    Refused while the person holds chips, has bets in play, an award that is not paid or a payment that waits. A person
    whom an earlier release enrolled has no id: log-in ends, and the name stays in the records.
    """
    with _house(database) as house:
        person = _id(house, name)
        if person in house.people.persons or not is_id(person):
            _done(house, commands.RemovePerson(name=person, by=operator()))
        if is_id(person):
            _done(house, commands.ErasePerson(name=person, by=operator()))
    if json_wanted:
        print_json({"id": person, "erased": is_id(person)})
    elif is_id(person):
        click.echo(f"The name is erased. Records know the person as {person}. Backups made before still hold the name.")
    else:
        click.echo(f"{name} may no longer log in. The name is the id in records of an earlier release and stays there.")
