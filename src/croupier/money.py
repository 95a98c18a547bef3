"""Owns money in whole cents, never a float, and the ways in which a pay table says what a bet pays.

It must not know cards, bets or the jackpot's meter: the caller passes the stake or the meter's value.
"""

import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, TypeAlias

from msgspec import Struct

__all__ = [
    "EVEN_MONEY",
    "MOST",
    "SGD",
    "ZAR",
    "BadMoney",
    "Currency",
    "Fixed",
    "ForOne",
    "Money",
    "Pays",
    "ShareOfMeter",
    "ToOne",
    "currency",
    "display",
    "fixed",
    "for_one",
    "money",
    "parse_pays",
    "percent_of_meter",
    "show",
    "to_one",
]

Money: TypeAlias = int
"""Whole cents."""

# Thirteen digits before the point: more than any house holds, and a sum of many still fits a database's 64 bits.
_MONEY = re.compile(r"(0|[1-9][0-9]{0,12})\.([0-9]{2})")
_TOO_MUCH = re.compile(r"[1-9][0-9]{13,}\.[0-9]{2}")
_ODDS = re.compile(r"([1-9][0-9]{0,6}) (to|for) ([1-9][0-9]{0,6})")
_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,4})?)%")


class BadMoney(ValueError):
    """The text is not an amount of money, a currency or a way to pay; the message is one sentence."""


@lru_cache(maxsize=4096)
def money(text: str) -> Money:
    """Parse a decimal text such as "1250.00": always two places, never negative."""
    found = _MONEY.fullmatch(text)
    if found is None and _TOO_MUCH.fullmatch(text):
        raise BadMoney(f"{text[:40]!r} is not an amount of money: write at most 13 digits before the point.")
    if found is None:
        raise BadMoney(f"{text[:40]!r} is not an amount of money: write digits, a point and two digits, as in 1250.00.")
    whole, cents = found.groups()
    return int(whole) * 100 + int(cents)


MOST = 10**15
"""Cents: the largest balance or amount, so that sums fit 64 bits."""


@lru_cache(maxsize=4096)
def show(amount: Money) -> str:
    """Return the amount as scripts and journals write it: "1250.00", a loss with a minus."""
    return f"{'-' if amount < 0 else ''}{abs(amount) // 100}.{abs(amount) % 100:02d}"


class Currency(Struct, frozen=True):
    """The money of a house: its three-letter code and the sign on its chips."""

    code: str
    symbol: str


SGD = Currency("SGD", "S$")
ZAR = Currency("ZAR", "R")

_CURRENCIES = {known.code: known for known in (SGD, ZAR)}


def currency(code: str) -> Currency:
    """Return the currency with that three-letter code."""
    known = _CURRENCIES.get(code)
    if known is None:
        raise BadMoney(f"{code[:40]!r} is not a known currency: write one of {', '.join(_CURRENCIES)}.")
    return known


def display(amount: Money, currency: Currency) -> str:
    """Return the amount as people read it: "SGD 1,250.00"."""
    return f"{currency.code} {_grouped(amount)}"


def _grouped(amount: Money) -> str:
    return f"{'-' if amount < 0 else ''}{abs(amount) // 100:,}.{abs(amount) % 100:02d}"


class _Odds(Struct, frozen=True):
    """`odds` for each `per` staked: 3 and 2 in "3 to 2". Amounts are rounded down to the cent."""

    odds: int
    per: int = 1

    def __post_init__(self) -> None:
        if self.odds < 1 or self.per < 1:
            raise BadMoney(f"Odds of {self.odds} and {self.per} pay zero: both must be at least 1.")

    def won(self, stake: Money) -> Money:
        """Return what the House pays on this stake, rounded down to the cent."""
        return stake * self.odds // self.per


class ToOne(_Odds, frozen=True, tag="to_one"):
    """ "30 to 1": the House pays thirty times the stake and returns the stake."""

    stake_returned: ClassVar[bool] = True

    def __str__(self) -> str:
        return f"{self.odds} to {self.per}"

    @property
    def words(self) -> str:
        return str(self)


class ForOne(_Odds, frozen=True, tag="for_one"):
    """ "400 for 1": the House pays four hundred times the stake and keeps the stake."""

    stake_returned: ClassVar[bool] = False

    def __str__(self) -> str:
        return f"{self.odds} for {self.per}"

    @property
    def words(self) -> str:
        return str(self)


class Fixed(Struct, frozen=True, tag="fixed"):
    """A fixed amount, whatever the stake; the House keeps the stake."""

    stake_returned: ClassVar[bool] = False

    amount: Money

    def __post_init__(self) -> None:
        if self.amount < 1:
            raise BadMoney(f"A fixed amount of {show(self.amount)} pays zero: it must be at least 0.01.")

    def won(self) -> Money:
        return self.amount

    def __str__(self) -> str:
        return show(self.amount)

    @property
    def words(self) -> str:
        return _grouped(self.amount)


class ShareOfMeter(Struct, frozen=True, tag="share_of_meter"):
    """A share of the Progressive Jackpot as a fraction, so that 2.5% is exact; the House keeps the stake."""

    stake_returned: ClassVar[bool] = False

    numerator: int
    denominator: int

    def __post_init__(self) -> None:
        if not 0 < self.numerator <= self.denominator:
            raise BadMoney(f"{self} is not a share of the jackpot: write more than 0% and at most 100%.")

    def of(self, cents: Money) -> Money:
        """Return the share of a meter at this value, rounded down to the cent; the rest stays on the meter."""
        return cents * self.numerator // self.denominator

    @property
    def is_all(self) -> bool:
        """100%: the meter is won whole, and starts again from its reset value."""
        return self.numerator == self.denominator

    def __str__(self) -> str:
        percent = Decimal(100 * self.numerator) / self.denominator
        return f"{percent.normalize():f}%"

    @property
    def words(self) -> str:
        return f"{self} of the jackpot"


Pays: TypeAlias = ToOne | ForOne | Fixed | ShareOfMeter
"""The right-hand column of a pay table."""


def to_one(odds: int, per: int = 1) -> ToOne:
    """Return odds "to 1": "30 to 1" is `to_one(30)`, "3 to 2" is `to_one(3, 2)`."""
    return ToOne(odds, per)


def for_one(odds: int, per: int = 1) -> ForOne:
    """Return odds "for 1": "400 for 1" is `for_one(400)`."""
    return ForOne(odds, per)


def fixed(amount: str) -> Fixed:
    """Return a fixed payment, as in `fixed("2000.00")`, which does not depend on the stake."""
    return Fixed(money(amount))


def percent_of_meter(percent: int | str) -> ShareOfMeter:
    """Return a share of the meter: "10%" is `percent_of_meter(10)`; a fraction of a percent is text, as in "2.5"."""
    found = _PERCENT.fullmatch(f"{percent}%")
    if found is None:
        raise BadMoney(f"{str(percent)[:40]!r} is not a percentage: write a number such as 10 or 2.5.")
    share = Fraction(found[1]) / 100
    return ShareOfMeter(share.numerator, share.denominator)


EVEN_MONEY = to_one(1)


def parse_pays(text: str) -> Pays:
    """Parse a line of a stakeboard: "2 to 1", "80 for 1", "10%" or "100.00"."""
    if odds := _ODDS.fullmatch(text):
        return (to_one if odds[2] == "to" else for_one)(int(odds[1]), int(odds[3]))
    if share := _PERCENT.fullmatch(text):
        return percent_of_meter(share[1])
    if _MONEY.fullmatch(text):
        return fixed(text)
    raise BadMoney(f"{text[:40]!r} is not a way to pay: write it as in 2 to 1, 80 for 1, 10% or 100.00.")
