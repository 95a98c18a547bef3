"""The audit: where every chain stands, and what the last audit found."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET, UnsetType

from croupier.floor.history.link_figures import LedgerSums, Reconciled


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """Where a chain of events stands."""

    seq: int
    hash: str


class AuditProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far the running audit is."""

    done: int
    total: int


class LinkDay(Reconciled, frozen=True, kw_only=True):
    """Today on one link."""

    link: str


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit found, or why it failed."""

    at: str
    by: str
    failed: str | UnsetType = UNSET
    """Why there is no result; then all else is absent."""
    clean: bool | UnsetType = UNSET
    events: int | UnsetType = UNSET
    rounds: int | UnsetType = UNSET
    commands: int | UnsetType = UNSET
    tables: int | UnsetType = UNSET
    entries: int | UnsetType = UNSET
    accounts: int | UnsetType = UNSET
    archived: int | UnsetType = UNSET
    difference_count: int | UnsetType = UNSET
    differences: list[str] | UnsetType = UNSET
    balance: LedgerSums | UnsetType = UNSET
    links: list[LinkDay] | UnsetType = UNSET


class SignedCheckpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The last checkpoint that the witness has signed."""

    number: int
    server: str
    at: str
    records: int
    key: str
    hash: str
    qr: str
    """SVG, for the printed report."""


class Chains(msgspec.Struct, frozen=True, kw_only=True):
    """Where every chain of events stands, and what the last audit found."""

    heads: Mapping[str, Head]
    running: AuditProgress | None
    last: AuditReport | None
    checkpoint: SignedCheckpoint | None


class AuditBegun(msgspec.Struct, frozen=True, kw_only=True):
    """An audit runs."""

    running: AuditProgress | None
