"""A command run in the tests' own process, and what it left behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

ROOT = Path(__file__).resolve().parents[1]


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


Call: TypeAlias = Callable[..., Done]


def is_one_line(text: str) -> bool:
    return text.startswith("croupier: ") and text.endswith("\n") and text.count("\n") == 1
