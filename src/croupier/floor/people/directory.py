"""The directory: which name belongs to which id.

Records, accounts and answers know a person by a random id. The name stands in a table of the store that can be cleared,
and the enrolment holds a commitment to it. Accounts of the house's own making (the first administrator, the people of a
demonstration, guests, bots) and people of earlier releases have no row there: their name is their id.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from functools import cached_property

from croupier.floor.duties.permissions import Post
from croupier.floor.people.names import canonical, clash, skeleton
from croupier.floor.people.people import People, Person, sees_names
from croupier.floor.people.second_signature import waiting
from croupier.floor.records.commands import EnrolPerson, Named
from croupier.floor.records.people_facts import PersonName
from croupier.journal.store import NameRow

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters and figures that do not look alike."""
_LENGTH = 16
_ID = re.compile(rf"p-[{_LETTERS}]{{{_LENGTH}}}(?![a-z0-9])")
_ID_BYTES = re.compile(_ID.pattern.encode())
SALT = 32
"""Bytes of the salt of a commitment."""


def new_id() -> PersonName:
    """Return a new random id."""
    return "p-" + "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def is_id(text: str) -> bool:
    """Return whether a text has the form of an id."""
    return _ID.fullmatch(text) is not None


def commitment(name: str, salt: bytes) -> str:
    """Commit to a name without telling it."""
    return hmac.new(salt, name.encode(), hashlib.sha256).hexdigest()


def enrolment(name: str, post: Post, secret: str, by: str) -> tuple[EnrolPerson, Named]:
    """Return the command that enrols a person under a new id, and the name that goes beside it."""
    named = Named(name, secrets.token_bytes(SALT))
    sealed = commitment(name, named.salt)
    return EnrolPerson(name=new_id(), post=post, secret=secret, by=by, commitment=sealed), named


def taken_row(person: PersonName, named: Named) -> NameRow:
    """Return the row of a name while its person is enrolled: no other person may have the name."""
    return NameRow(person, named.name, named.salt, canonical(named.name), skeleton(named.name))


def released_row(row: NameRow) -> NameRow:
    """Return the row of a removed person: their name is free for another person."""
    return NameRow(row.person, row.name, row.salt, row.person, row.person)


def is_released(row: NameRow) -> bool:
    """Return whether the person was removed."""
    return row.canonical == row.person


def proposed(people: People, now: int) -> set[PersonName]:
    """Return the people whose enrolment waits for a second signature."""
    measures = (waits.measure for waits in waiting(people, now))
    return {measure.name for measure in measures if isinstance(measure, EnrolPerson)}


def leftovers(names: Mapping[PersonName, NameRow], people: People, now: int) -> list[PersonName]:
    """Return the rows to delete: of erased people, and of enrolments that were proposed and never signed."""
    unsigned = {person for person, row in names.items() if not is_released(row)} - people.persons.keys()
    return sorted((unsigned - proposed(people, now)) | (names.keys() & set(people.erased)))


class Directory:
    """The names of one moment."""

    def __init__(
        self, names: Mapping[PersonName, NameRow] | None = None, persons: Mapping[PersonName, Person] | None = None
    ) -> None:
        # Not `names or {}`: a house without names would seem to have other ones after every commit.
        self.names = {} if names is None else names
        self.persons = {} if persons is None else persons

    def name_of(self, person: PersonName) -> str:
        """Return the name to show: the id where the name was erased, both where a removed person shares a name."""
        row = self.names.get(person)
        if row is None:
            return person
        shared = is_released(row) and self.id_of(row.name) != person
        return f"{row.name} ({person})" if shared else row.name

    def id_of(self, typed: str) -> PersonName | None:
        """Find the person of a typed name or id; None where no person or several have it."""
        if typed in self.persons or typed in self.names:
            return typed
        found = _ID.search(typed)
        if found is not None and found.group() in self.names:
            return found.group()
        own = canonical(typed)
        if own in self._enrolled:
            return self._enrolled[own]
        for found_there in (self._unnamed, self._removed):
            if len(people := found_there.get(own, [])) == 1:
                return people[0]
        return None

    def taken_for(self, name: str) -> str | None:
        """Return the enrolled person whose name looks like this one."""
        return clash(name, map(self.name_of, self.persons))

    @cached_property
    def _enrolled(self) -> Mapping[str, PersonName]:
        """By the form of a name that no two people have."""
        return {row.canonical: person for person, row in self.names.items() if not is_released(row)}

    @cached_property
    def _unnamed(self) -> Mapping[str, list[PersonName]]:
        """People whose name is their id, by the form of it; a journal of an earlier release may have two of one."""
        return _by_form((person, person) for person in self.persons if person not in self.names)

    @cached_property
    def _removed(self) -> Mapping[str, list[PersonName]]:
        """Removed people, by the form of their name."""
        return _by_form((row.name, row.person) for row in self.names.values() if is_released(row))

    def told(self, reader: Person | None, message: bytes) -> bytes:
        """Replace ids in a message by names: all for readers who may know them, their own for others. A name has no
        character that JSON would escape.
        """
        if not self.names or reader is None:
            return message
        if sees_names(reader):
            return _ID_BYTES.sub(lambda found: self.name_of(found.group().decode()).encode(), message)
        return (
            message.replace(reader.name.encode(), self.name_of(reader.name).encode()) if is_id(reader.name) else message
        )


def _by_form(named: Iterable[tuple[str, PersonName]]) -> Mapping[str, list[PersonName]]:
    found: dict[str, list[PersonName]] = {}
    for name, person in named:
        found.setdefault(canonical(name), []).append(person)
    return found
