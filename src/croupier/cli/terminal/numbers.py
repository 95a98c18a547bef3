"""Numbers on the command line, in plain digits."""

from __future__ import annotations

import re

import click

_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


class WholeNumber(click.IntRange):
    """A whole number within bounds; digits of other scripts and underscores are not digits."""

    def convert(self, value: int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        # Typed as a number by click, but it is the text that the user typed.
        if _WHOLE.fullmatch(str(value).strip()) is None:
            self.fail(f"{str(value)!r} is not a whole number.", param, ctx)
        return super().convert(value, param, ctx)


class Number(click.FloatRange):
    """A number within bounds, written with plain digits."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if _NUMBER.fullmatch(str(value).strip()) is None:
            self.fail(f"{str(value)!r} is not a number.", param, ctx)
        return super().convert(value, param, ctx)
