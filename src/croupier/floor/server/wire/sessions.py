"""Log-in, sessions, passwords and second factors."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from croupier.floor.duties.permissions import Action, Post
from croupier.floor.server.wire.texts import Code, Password, PersonText
from croupier.floor.views.account_views import Account

Held: TypeAlias = Literal["session_locked", "change_password_first", "second_factor_first"]
"""Why a session opens nothing but its own way out."""


Home: TypeAlias = Literal["tables", "pit", "rounds", "people", "cage", "display", "academy"]
"""A page of the browser client on which a person may begin."""


class Page(StrEnum):
    """A page of the browser client that needs a log-in, by its address."""

    TABLE = "table"
    DEALER = "dealer"
    PIT = "pit"
    ROUNDS = "rounds"
    MY_ROUNDS = "my-rounds"
    RECEIPT = "receipt"
    REPLAY = "replay"
    AUDIT = "audit"
    DISPUTES = "disputes"
    ACADEMY = "academy"
    PEOPLE = "people"
    CAGE = "cage"
    ACCOUNT = "account"
    DUTIES = "duties"


class LogIn(msgspec.Struct, forbid_unknown_fields=True):
    """A log-in with a name and a password."""

    name: PersonText
    password: Password
    code: Code = ""
    """Of the second factor, or a recovery code, where the person has one."""


class LoggedIn(msgspec.Struct, frozen=True, kw_only=True):
    """A new session."""

    name: str
    post: Post
    csrf: str
    """A page sends it in the header `X-CSRF` with every change."""
    token: str
    """A program sends it as `Authorization: Bearer TOKEN`."""


class LoggedOut(msgspec.Struct, frozen=True, kw_only=True):
    """The session is over."""

    ok: bool


class Nobody(msgspec.Struct, frozen=True, kw_only=True):
    """A visitor who is not logged in."""

    name: None
    post: None
    csrf: str
    may: list[Action]
    demo: bool


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """Who is logged in, and what they may do."""

    name: str
    post: Post
    csrf: str
    may: list[Action]
    demo: bool
    held: Held | None
    """Why the session opens nothing for now; null where it is open."""
    second_factor: bool
    home: Home
    """The page on which this person begins."""
    pages: list[Page]
    """The pages that this person may open, besides those that need no log-in."""
    guest: bool
    """A guest of a demonstration: without a password, so that nobody can log in to the account again."""
    idle: float | None
    """Seconds without use after which the session is locked; null for never."""
    since: str
    """When the session began, in ISO 8601."""
    account: Account | UnsetType = UNSET
    """A player's."""


class NewPassword(msgspec.Struct, forbid_unknown_fields=True):
    """Another password for the person who is logged in."""

    old: Password
    new: Password


class PasswordProof(msgspec.Struct, forbid_unknown_fields=True):
    """The password again."""

    password: Password


class FactorProof(msgspec.Struct, forbid_unknown_fields=True):
    """The password again, and a code of the second factor."""

    password: Password
    code: Code


class FirstCode(msgspec.Struct, forbid_unknown_fields=True):
    """The first code of a new device."""

    code: Code


class PersonName(msgspec.Struct, frozen=True, kw_only=True):
    """The person to whom it was done."""

    name: str


class SessionView(msgspec.Struct, frozen=True, kw_only=True):
    """A session of a person; moments are in UTC, null where an earlier release did not keep them."""

    id: str
    opened: str | None
    used: str | None
    address: str
    browser: str
    locked: bool
    this: bool
    """It is the session of this request."""


class SessionId(msgspec.Struct, frozen=True, kw_only=True):
    """The session that was ended."""

    id: str


class SessionUsed(msgspec.Struct, frozen=True, kw_only=True):
    """The use of the session was noted."""

    used: bool


class Factor(msgspec.Struct, frozen=True, kw_only=True):
    """A second factor that waits for its first code: for an authenticator program."""

    secret: str
    address: str
    qr: str
    """SVG."""


class RecoveryCodes(msgspec.Struct, frozen=True, kw_only=True):
    """Recovery codes, told this once."""

    recovery: tuple[str, ...]
