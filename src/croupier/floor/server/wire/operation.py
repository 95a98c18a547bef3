"""Health, readiness and the published checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """The process is alive."""

    status: Literal["ok"]
    version: str


class Ready(msgspec.Struct, frozen=True, kw_only=True):
    """Commands are accepted."""

    status: Literal["ready"]
    tables: int
    alarms: Mapping[str, str]
    """Tables whose clock has failed, and why."""


class NotReady(msgspec.Struct, frozen=True, kw_only=True):
    """Commands are not accepted."""

    status: Literal["away", "stopped"]
    problem: str
