"""The server's settings: from a file, the environment and the command line; of these the later one counts."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

import msgspec

from croupier.floor.duties.bounds import STANDARD, Duties
from croupier.floor.duties.permissions import Post
from croupier.floor.feed.webhooks import BadWebhook, WebhookSettings, check_webhooks
from croupier.floor.house.witness import WitnessSettings
from croupier.floor.records.commands import TableConfig
from croupier.floor.server.security import Security
from croupier.jackpots.parameters import Parameters, Rate
from croupier.money import BadMoney, Money, currency, money
from croupier.rounds.commands import Confirming
from croupier.rulebooks.documents.editions import GAMES

T = TypeVar("T")
_PREFIX = "CROUPIER_"
_PARTS = ("duties", "security", "links", "tables", "witness", "webhooks")
"""Settings that only a file can give."""
More: TypeAlias = Annotated[float, msgspec.Meta(gt=0)]
"""A limit of zero would let no person in."""
_SHARE = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,9})?")
"""A part of a jackpot bet; a billionth is fine enough."""
AtLeastOne: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=10**6)]


class BadSettings(ValueError):
    """A setting that cannot be used; one sentence with its name."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How to serve."""

    host: str = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)] = 8000
    database: str = "sqlite:///croupier.db"
    name: str = "croupier"
    demo: bool = False
    secure_cookies: bool = False
    """Set it where the server stands behind HTTPS."""
    requests_per_second: More = 100.0
    """Of one person, or of one address where nobody is logged in; five times as many at once after a silence."""
    log_ins_per_minute: More = 300.0
    """From one address."""
    sockets_per_person: AtLeastOne = 100
    sockets_per_address: AtLeastOne = 2000
    """Live connections at once; behind one address there may be a whole house."""
    watches_per_socket: AtLeastOne = 1000
    """Tables and links that one live connection follows."""
    searches_per_person: AtLeastOne = 3
    searches_per_address: AtLeastOne = 6
    """Searches for rounds that run at once."""
    fronts: Annotated[int, msgspec.Meta(ge=0, le=64)] = 0
    """Processes that serve people beside the one that runs the house; 0 for one process that does both."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks whose `X-Forwarded-For` is believed."""
    rulebooks: tuple[str, ...] = ()
    """Folders of rulebooks beside the built-in ones."""
    session_hours: More = 24.0
    """After which one logs in again; displays show their meters without."""
    log_json: bool = False
    """Every request as a line of JSON on standard error; never a card, a password or a token."""
    traces: bool = False
    """Send OpenTelemetry traces to where `OTEL_EXPORTER_OTLP_ENDPOINT` says; takes the extra [traces]."""
    key_file: str = ""
    """With the keys of this house, where `CROUPIER_KEY` does not hold them."""
    security: Security = Security()
    duties: Duties = STANDARD
    """What takes two people, from which amount on; how long a payment waits for its player."""
    allow_changed_files: bool = False
    """Start although files of the installed package are not as its record has them; a demonstration starts anyway."""
    links: tuple[LinkSettings, ...] = ()
    tables: tuple[TableSettings, ...] = ()
    witness: WitnessSettings = WitnessSettings()
    """Where signed checkpoints of the journal go."""
    webhooks: tuple[WebhookSettings, ...] = ()
    """Addresses that receive every event of the house."""


class LinkSettings(msgspec.Struct, frozen=True, kw_only=True):
    """A link to open where it does not exist yet."""

    link: str
    meter: Money
    parameters: Parameters


class TableSettings(msgspec.Struct, frozen=True, kw_only=True):
    """A table to open where it does not exist yet."""

    table: str
    config: TableConfig


def read_settings(path: Path | None, environment: Mapping[str, str], **given: object) -> Settings:
    """Read the settings in force: of the file, the environment and the command line, the later one counts."""
    told = _from_file(path) if path is not None else {}
    said_in = {field: f"{path}: {field}" for field in told}
    for field in (f for f in Settings.__struct_fields__ if f not in _PARTS):
        if value := environment.get(f"{_PREFIX}{field.upper()}"):
            told[field] = _FROM_TEXT.get(field, str)(value)
            said_in[field] = f"{_PREFIX}{field.upper()}"
    for field, word in given.items():
        if word is not None:
            told[field] = word
            said_in[field] = field
    _only(told, "The settings", Settings.__struct_fields__)
    tables, links = told.pop("tables", ()), told.pop("links", ())
    witness = _converted(told.pop("witness", {}), WitnessSettings, "witness")
    webhooks = _converted(told.pop("webhooks", ()), tuple[WebhookSettings, ...], "webhooks")
    try:
        check_webhooks(webhooks)
    except BadWebhook as wrong:
        raise BadSettings(str(wrong)) from None
    security = told.pop("security", {})
    duties = read_duties(told.pop("duties", {}))
    for field, word in told.items():
        try:
            msgspec.convert({field: word}, Settings, strict=False)
        except msgspec.ValidationError:
            raise BadSettings(f"{said_in[field]}: {str(word)[:40]!r} is {_unlike(field)}.") from None
    plain = msgspec.convert(told, Settings, strict=False)
    for proxy in plain.trusted_proxies:
        if not _is_network(proxy):
            raise BadSettings(f"{said_in['trusted_proxies']}: {proxy[:40]!r} is {_unlike('trusted_proxies')}.")
    return msgspec.structs.replace(
        plain,
        security=read_security(security),
        duties=duties,
        links=read_links(links) or (DEMO_LINKS if plain.demo else ()),
        tables=read_tables(tables) or (demo_tables() if plain.demo else ()),
        witness=witness,
        webhooks=webhooks,
    )


def _converted(told: object, kind: type[T], where: str) -> T:
    try:
        return msgspec.convert(told, kind)
    except msgspec.ValidationError as wrong:
        raise BadSettings(f"{where}: {wrong}") from None


def _unlike(field: str) -> str:
    """Say what a setting would have to be, by its name or by its default."""
    own = {
        "port": "not a port from 1 to 65535",
        "fronts": "not a number of processes from 0 to 64",
        "rulebooks": "not a list of folders",
        "trusted_proxies": "not a list of addresses or networks, as in 10.0.0.0/8",
    }
    kinds = {bool: "neither true nor false", int: "not a whole number above 0", float: "not a number above 0"}
    return own.get(field) or kinds.get(type(getattr(Settings(), field)), "not a text")


_FROM_TEXT: Mapping[str, Callable[[str], object]] = {
    "trusted_proxies": lambda text: [part.strip() for part in text.split(",")],
    "rulebooks": lambda text: [part for part in text.split(os.pathsep) if part],
}
"""How the environment writes settings that are lists."""


def _is_network(text: str) -> bool:
    try:
        return ip_network(text).prefixlen > 0
    except ValueError:
        return False


def _from_file(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise BadSettings(f"{path}: {wrong.strerror}.") from None
    except UnicodeDecodeError:
        raise BadSettings(f"{path}: it is not UTF-8 text.") from None
    except tomllib.TOMLDecodeError as wrong:
        raise BadSettings(f"{path}: {wrong}.") from None


def read_security(told: object) -> Security:
    """Read the section `[security]`."""
    if not isinstance(told, dict):
        raise BadSettings("security: a section, as in [security].")
    _only(told, "security", Security.__struct_fields__)
    for field, word in told.items():
        try:
            msgspec.convert({field: word}, Security)
        except msgspec.ValidationError:
            wants = "minutes from 0 on" if field == "idle_minutes" else "a list of names"
            if field in ("second_factor", "idle_exempt"):
                wants = f"a list of posts: {', '.join(Post)}"
            raise BadSettings(f"security.{field}: {str(word)[:60]!r} is not {wants}.") from None
    return msgspec.convert(told, Security)


def read_duties(told: object) -> Duties:
    """Read the section `[duties]`: bounds of what one person may do alone."""
    if not isinstance(told, dict):
        raise BadSettings("duties: a table, as in [duties].")
    _only(told, "duties", Duties.__struct_fields__)
    fields: dict[str, int] = {}
    for name, value in told.items():
        if name == "stakeboards":
            if not isinstance(value, bool):
                raise BadSettings("duties.stakeboards: true where two people change what bets pay, else false.")
            fields[name] = value
            continue
        try:
            whole = name in ("consent_seconds", "own_account_hours")
            fields[name] = msgspec.convert(value, _Whole, strict=False) if whole else money(str(value))
        except (BadMoney, msgspec.ValidationError) as wrong:
            raise BadSettings(f"duties.{name}: {wrong}") from None
    if fields.get("consent_seconds") == 0:
        raise BadSettings("duties.consent_seconds: a payment waits at least 1 second for its player.")
    return msgspec.structs.replace(STANDARD, **fields)


_Whole: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


def read_links(told: object) -> tuple[LinkSettings, ...]:
    """Read links as the settings and requests write them."""
    found = []
    for entry in _entries(told, "links"):
        name = entry.get("name")
        if not isinstance(name, str):
            raise BadSettings("links: each link has a name.")
        _only(entry, f"links.{name}", ("id", "name", "meter", "reset", "contribution", "reserve", "cap", "currency"))
        try:
            cap = entry.get("cap")
            parameters = Parameters(
                reset=money(str(entry.get("reset"))),
                contribution=_rate(entry.get("contribution", "0.20")),
                reserve=_rate(entry.get("reserve", "0")),
                cap=None if cap is None else money(str(cap)),
                currency=currency(str(entry.get("currency", "SGD"))).code,
            )
            found.append(LinkSettings(link=name, meter=money(str(entry.get("meter"))), parameters=parameters))
        except BadMoney as wrong:
            raise BadSettings(f"links.{name}: {wrong}") from None
    return tuple(found)


def _rate(told: object) -> Rate:
    text = str(told)
    if _SHARE.fullmatch(text) is None or float(text) > 1:
        raise BadSettings(f'links: "{text[:40]}" is not a share from 0 to 1, as in 0.20.')
    whole, _, digits = text.partition(".")
    return Rate(int(whole + digits), 10 ** len(digits))


def read_tables(told: object) -> tuple[TableSettings, ...]:
    """Read tables as the settings and requests write them."""
    found = []
    for entry in _entries(told, "tables"):
        fields = dict(entry)
        name = fields.pop("name", None)
        if not isinstance(name, str):
            raise BadSettings("tables: each table has a name.")
        limits = fields.pop("limits", {})
        _only(fields, f"tables.{name}", TableConfig.__struct_fields__)
        if not isinstance(limits, dict) or not all(isinstance(pair, list | tuple) for pair in limits.values()):
            raise BadSettings(f'tables.{name}.limits: as in {{ante = ["10.00", "500.00"]}}.')
        try:
            if limits:
                fields["limits"] = {bet: tuple(money(str(a)) for a in pair) for bet, pair in limits.items()}
            if "jackpot_bet" in fields:
                fields["jackpot_bet"] = money(str(fields["jackpot_bet"]))
            found.append(TableSettings(table=name, config=msgspec.convert(fields, TableConfig)))
        except (BadMoney, msgspec.ValidationError, TypeError) as wrong:
            raise BadSettings(f"tables.{name}: {wrong}") from None
    return tuple(found)


def _only(told: Mapping[str, object], where: str, known: tuple[str, ...]) -> None:
    strange = sorted(set(told) - set(known))
    if strange:
        raise BadSettings(f"{where}: there is no {strange[0]}; there are {', '.join(known)}.")


def _entries(told: object, what: str) -> list[dict[str, object]]:
    if not isinstance(told, list | tuple) or not all(isinstance(entry, dict) for entry in told):
        raise BadSettings(f"{what}: a list of tables, as in [[{what}]].")
    return list(told)


# ---------------------------------------------------------------- the demonstration house

DEMO_LINKS = (
    LinkSettings(
        link="main",
        meter=money("184250.00"),
        parameters=Parameters(
            reset=money("50000.00"), contribution=Rate(1, 5), reserve=Rate(1, 50), cap=money("2000000.00")
        ),
    ),
)


def demo_tables() -> tuple[TableSettings, ...]:
    """Return one table of each game that runs by itself, and a staffed one with real cards."""
    names = ("Orchid", "Trishaw", "Marina", "Merlion", "Baobab")
    running = tuple(
        TableSettings(table=name, config=TableConfig(game=game, link="main"))
        for name, game in zip(names, GAMES, strict=True)
    )
    own = TableConfig(game=GAMES[0], link="main", physical=True, staffed=True, confirms=Confirming.TOGETHER)
    return (*running, TableSettings(table="Felt", config=own))
