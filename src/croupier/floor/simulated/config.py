"""The configuration of a simulated floor: its link, its tables and people, how long it lives."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import msgspec
from msgspec.structs import asdict

from croupier.jackpots.parameters import Parameters, rate
from croupier.lab.model.game import Game, LabError, Unsolvable, game
from croupier.money import BadMoney, Money, currency, money
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.terms import BadTerms, Terms, table_terms
from croupier.rulebooks.vocabulary import BetKind

OPTIMAL, SIMPLE, CARELESS = "optimal", "simple", "careless"
STRATEGIES = (OPTIMAL, SIMPLE, CARELESS)


class BadFloor(LabError):
    """A configuration that cannot be simulated; the message says where and why."""


class LinkConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The jackpot link."""

    meter: str
    """What it starts with, as in "250000.00"."""
    reset: str
    contribution: str
    """The share of every jackpot Bet that raises the meter, as in "1/4" or "0.25"."""
    reserve: str = "0"
    cap: str | None = None
    currency: str = "SGD"


class PeopleConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays how: shares of all players that sum to one."""

    optimal: float = 0.0
    simple: float = 1.0
    careless: float = 0.0
    mistakes: float = 0.1
    """The share of a careless player's decisions that are not the best."""


class ErrorsConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What dealers do wrong."""

    void_rounds: float = 0.0
    """The share of Rounds that are void, every Bet returned."""
    mispaid: float = 0.0
    """The share of beaten Hands whose Ante is paid by mistake."""


class TablesConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some tables of one game."""

    game: str
    count: int
    ante: str
    rounds_per_hour: int = 35
    seats: float = 4.0
    """Boxes that are occupied, on average."""
    jackpot: float = 0.6
    """The share of players who take the jackpot Bet."""
    jackpot_bet: str | None = None
    side: float = 0.0
    """The share of players who take the side Bet."""
    side_stake: str | None = None
    players: PeopleConfig = PeopleConfig()
    errors: ErrorsConfig = ErrorsConfig()
    rulings: dict[str, str] = {}


class FloorConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole floor."""

    link: LinkConfig
    tables: list[TablesConfig]
    days: int = 365
    hours: int = 24
    """How long the floor is open each day."""
    lives: int = 10
    """How many floors like this are lived through, each with its own chance."""
    seed: int = 1


class Group(msgspec.Struct, frozen=True):
    """Some tables of one game, understood."""

    config: TablesConfig
    terms: Terms
    game: Game
    ante: Money
    side_stake: Money
    first: int
    """The number of its first table on the floor."""

    @property
    def each_hour(self) -> int:
        return self.config.rounds_per_hour

    @property
    def shares(self) -> dict[str, float]:
        return {name: getattr(self.config.players, name) for name in STRATEGIES}


class Floor(msgspec.Struct, frozen=True):
    """A configuration, understood."""

    config: FloorConfig
    meter: Money
    parameters: Parameters
    groups: tuple[Group, ...]

    @property
    def tables(self) -> int:
        return sum(group.config.count for group in self.groups)


def read(path: Path) -> Floor:
    """Read the floor from a TOML file. Raises BadFloor."""
    try:
        text = path.read_bytes()
    except OSError as wrong:
        raise BadFloor(f"{path} cannot be read: {wrong.strerror}.") from None
    try:
        config = msgspec.toml.decode(text, type=FloorConfig)
    except UnicodeDecodeError:
        raise BadFloor(f"{path}: it is not UTF-8 text.") from None
    except (msgspec.MsgspecError, ValueError) as wrong:
        raise BadFloor(f"{path}: {_plain(str(wrong))}") from None
    try:
        return understand(config)
    except BadFloor as wrong:
        raise BadFloor(f"{path}: {wrong}") from None


def changed(floor: Floor, *, days: int | None, lives: int | None, seed: int | None) -> Floor:
    """Return the same floor with other days, lives or seed. Raises BadFloor."""
    given = {"days": days, "lives": lives, "seed": seed}
    wanted = {name: value for name, value in given.items() if value is not None}
    return understand(msgspec.structs.replace(floor.config, **wanted)) if wanted else floor


def _plain(message: str) -> str:
    """Rewrite a message of msgspec, which names places as `$.tables[0].ante`."""
    return re.sub(r" - at `\$\.?(.*?)`", r", at \1", message).rstrip(".") + "."


def understand(config: FloorConfig) -> Floor:
    """Check the configuration and compute the floor from it. Raises BadFloor."""
    _within("days", config.days, 1, 36_500)
    _within("hours", config.hours, 1, 24)
    _within("lives", config.lives, 1, 100_000)
    _within("seed", config.seed, 0, 2**62)
    if not config.tables:
        raise BadFloor("tables: a floor needs at least one.")
    link = config.link
    try:
        currency(link.currency)
    except BadMoney as wrong:
        raise BadFloor(f"link.currency: {wrong}") from None
    contribution, reserve = _share("link.contribution", link.contribution), _share("link.reserve", link.reserve)
    if contribution + reserve > 1:
        raise BadFloor("link: contribution and reserve together are more than the whole jackpot bet.")
    parameters = Parameters(
        reset=_money("link.reset", link.reset),
        contribution=rate(contribution),
        reserve=rate(reserve),
        cap=None if link.cap is None else _money("link.cap", link.cap),
        currency=link.currency,
    )
    groups, first = [], 0
    for at, tables in enumerate(config.tables):
        groups.append(_group(f"tables[{at}]", tables, link.currency, first))
        first += tables.count
    return Floor(config, _money("link.meter", link.meter), parameters, tuple(groups))


def _group(where: str, config: TablesConfig, code: str, first: int) -> Group:
    if config.game not in GAMES:
        raise BadFloor(f"{where}.game: there is no game {config.game}; there are {', '.join(GAMES)}.")
    _within(f"{where}.count", config.count, 1, 10_000)
    _within(f"{where}.rounds_per_hour", config.rounds_per_hour, 1, 600)
    bet = None if config.jackpot_bet is None else _money(f"{where}.jackpot_bet", config.jackpot_bet)
    try:
        terms = table_terms(config.game, jackpot_bet=bet, rulings=config.rulings, currency_code=code)
        known = game(terms)
    except (BadTerms, Unsolvable) as wrong:
        raise BadFloor(f"{where}: {wrong}") from None
    if not 0 < config.seats <= terms.boxes:
        raise BadFloor(f"{where}.seats: must be more than 0 and at most {terms.boxes}, the boxes of the table.")
    people = config.players
    shares = {"jackpot": config.jackpot, "side": config.side}
    shares |= {f"players.{name}": share for name, share in asdict(people).items()}
    shares |= {f"errors.{name}": share for name, share in asdict(config.errors).items()}
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise BadFloor(f"{where}.{name}: a share must be between 0 and 1, not {share:g}.")
    if abs(people.optimal + people.simple + people.careless - 1) > 1e-9:
        raise BadFloor(f"{where}.players: the shares of optimal, simple and careless players must sum to 1.")
    sides = [bet.name for bet in terms.book.bets if bet.kind is BetKind.SIDE]
    if config.side and not sides:
        raise BadFloor(f"{where}.side: {config.game} has no side bet.")
    stake = 0
    if sides:
        text = config.side_stake
        stake = terms.limits[sides[0]].minimum if text is None else _money(f"{where}.side_stake", text)
    ante = _money(f"{where}.ante", config.ante)
    limits = terms.limits["ante"]
    if not limits.minimum <= ante <= limits.maximum:
        raise BadFloor(f"{where}.ante: must be from {limits.minimum / 100:.2f} to {limits.maximum / 100:.2f} here.")
    return Group(config, terms, known, ante, stake, first)


def _within(where: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise BadFloor(f"{where}: must be from {least:,} to {most:,}, not {value:,}.")


def _money(where: str, text: str) -> Money:
    try:
        return money(text)
    except BadMoney as wrong:
        raise BadFloor(f"{where}: {wrong}") from None


def _share(where: str, text: str) -> Fraction:
    try:
        found = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadFloor(f'{where}: a share is written "1/4" or "0.25", not {text!r}.') from None
    if not 0 <= found <= 1 or found.denominator > 1_000_000:
        raise BadFloor(f"{where}: a share must be between 0 and 1, with a denominator of at most 1,000,000.")
    return found
