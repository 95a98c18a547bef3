"""What comes of a run that breaks houses on purpose: figures, and whether the house kept its word."""

from __future__ import annotations

import sys

import msgspec

from croupier.floor.records.codec import encode


class Torn(Exception):
    """A server has broken its word."""


class Verdict(msgspec.Struct, kw_only=True):
    """The figures of a run."""

    @property
    def is_clean(self) -> bool:
        raise NotImplementedError


def conclude(report: Verdict, broken: str, *, as_json: bool) -> int:
    """Print the figures and what was broken, and return the exit code."""
    if as_json:
        print(msgspec.json.format(encode(report)).decode())  # noqa: T201
    else:
        for field in report.__struct_fields__:
            print(f"{field.replace('_', ' '):24} {getattr(report, field):>12,}")  # noqa: T201
    if broken:
        print(broken, file=sys.stderr)  # noqa: T201
    return 1 if broken or not report.is_clean else 0
