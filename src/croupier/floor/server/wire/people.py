"""People of the house, as an administrator sees and changes them."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from croupier.floor.duties.permissions import Post
from croupier.floor.server.wire.texts import Password, PersonText

AccountAct: TypeAlias = Literal["remove", "reset_password", "remove_second_factor"]


class NewPerson(msgspec.Struct, forbid_unknown_fields=True):
    """A person to enrol."""

    name: PersonText
    post: Post
    password: Password


class Assignment(msgspec.Struct, forbid_unknown_fields=True):
    """Where a person works; with neither pits nor tables, everywhere."""

    pits: Annotated[tuple[str, ...], msgspec.Meta(max_length=100)] = ()
    tables: Annotated[tuple[str, ...], msgspec.Meta(max_length=1000)] = ()


class EnrolledPerson(msgspec.Struct, frozen=True, kw_only=True):
    """A person who may log in from now on."""

    name: str
    post: Post


class KnownPerson(msgspec.Struct, frozen=True, kw_only=True):
    """A person who may log in, and the id by which records know them."""

    name: str
    id: str
    post: Post
    sessions: int
    second_factor: bool
    break_glass: bool
    alarm: bool
    pits: tuple[str, ...]
    tables: tuple[str, ...]
    assignable: bool
    """An assignment to pits and tables binds this person."""
    may: list[AccountAct]
    """What the reader may do to the account."""


class PostLine(msgspec.Struct, frozen=True, kw_only=True):
    """A post in which the reader may enrol a person."""

    post: Post
    signed_by: list[Post]
    """Posts that may give the second signature; empty where the reader enrols alone."""


class SignedOut(msgspec.Struct, frozen=True, kw_only=True):
    """How many sessions of a person were ended."""

    name: str
    sessions: int


class RemovedPerson(msgspec.Struct, frozen=True, kw_only=True):
    """A person who may no longer log in and whose name is still known."""

    name: str
    id: str


class ErasedPerson(msgspec.Struct, frozen=True, kw_only=True):
    """The id that records keep of a person whose name was erased."""

    id: str


class OneTimePassword(msgspec.Struct, frozen=True, kw_only=True):
    """A password that works once, told only here."""

    name: str
    password: str


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """A break-glass account that was used."""

    kind: Literal["break_glass"]
    name: str
    post: Post
    at: str
    address: str
    logged_in: bool
