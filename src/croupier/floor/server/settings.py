"""What a server is told: by file, then by environment, then on the command line; the later word counts."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec

from croupier.floor.requests import TableConfig
from croupier.jackpots.link import Parameters, Rate
from croupier.money import BadMoney, Money, money
from croupier.rulebooks.books import GAMES

_PREFIX = "CROUPIER_"
More: TypeAlias = Annotated[float, msgspec.Meta(gt=0)]
"""Of nothing at all nobody could come in."""


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
    session_hours: More = 24.0
    """After which one logs in again; displays show their meters without."""
    log_json: bool = False
    """Every request as a line of JSON on standard error; never a card, a password or a token."""
    links: tuple[LinkSettings, ...] = ()
    tables: tuple[TableSettings, ...] = ()


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
    """The settings in force."""
    told = _from_file(path) if path is not None else {}
    said_in = {field: f"{path}: {field}" for field in told}
    for field in (f for f in Settings.__struct_fields__ if f not in ("links", "tables")):
        if value := environment.get(f"{_PREFIX}{field.upper()}"):
            told[field] = value
            said_in[field] = f"{_PREFIX}{field.upper()}"
    for field, word in given.items():
        if word is not None:
            told[field] = word
            said_in[field] = field
    _only(told, "The settings", Settings.__struct_fields__)
    tables = told.pop("tables", ())
    links = told.pop("links", ())
    for field, word in told.items():
        try:
            msgspec.convert({field: word}, Settings, strict=False)
        except msgspec.ValidationError:
            raise BadSettings(f"{said_in[field]}: {str(word)[:40]!r} is {_unlike(field)}.") from None
    plain = msgspec.convert(told, Settings, strict=False)
    demo = plain.demo
    return msgspec.structs.replace(
        plain,
        links=read_links(links) or (DEMO_LINKS if demo else ()),
        tables=read_tables(tables) or (demo_tables() if demo else ()),
    )


def _unlike(field: str) -> str:
    """What a setting would have to be, judged by what it is where nobody has said a word."""
    if field == "port":
        return "not a port from 1 to 65535"
    usual = getattr(Settings(), field)
    if isinstance(usual, bool):
        return "neither true nor false"
    return "not a number above 0" if isinstance(usual, float) else "not a text"


def _from_file(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise BadSettings(f"{path}: {wrong.strerror}.") from None
    except UnicodeDecodeError:
        raise BadSettings(f"{path}: it is not UTF-8 text.") from None
    except tomllib.TOMLDecodeError as wrong:
        raise BadSettings(f"{path}: {wrong}.") from None


def read_links(told: object) -> tuple[LinkSettings, ...]:
    """Links as people write them."""
    found = []
    for entry in _entries(told, "links"):
        name = entry.get("name")
        if not isinstance(name, str):
            raise BadSettings("links: each link has a name.")
        _only(entry, f"links.{name}", ("id", "name", "meter", "reset", "contribution", "reserve", "cap"))
        try:
            cap = entry.get("cap")
            parameters = Parameters(
                reset=money(str(entry.get("reset"))),
                contribution=_rate(entry.get("contribution", "0.20")),
                reserve=_rate(entry.get("reserve", "0")),
                cap=None if cap is None else money(str(cap)),
            )
            found.append(LinkSettings(link=name, meter=money(str(entry.get("meter"))), parameters=parameters))
        except BadMoney as wrong:
            raise BadSettings(f"links.{name}: {wrong}") from None
    return tuple(found)


def _rate(told: object) -> Rate:
    text = str(told)
    whole, _, digits = text.partition(".")
    if not whole.isdigit() or (digits and not digits.isdigit()) or float(text) > 1:
        raise BadSettings(f'links: "{text}" is not a share from 0 to 1, as in 0.20.')
    return Rate(int(whole + digits), 10 ** len(digits))


def read_tables(told: object) -> tuple[TableSettings, ...]:
    """Tables as people write them."""
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
    """One table of each game that runs by itself, and a staffed one with real cards."""
    names = ("Orchid", "Trishaw", "Marina", "Merlion", "Baobab")
    running = tuple(
        TableSettings(table=name, config=TableConfig(game=game, link="main"))
        for name, game in zip(names, GAMES, strict=True)
    )
    felt = TableSettings(table="Felt", config=TableConfig(game=GAMES[0], link="main", physical=True, staffed=True))
    return (*running, felt)
