"""The restore drill: a backup brought back aside, audited whole, and held against its own manifest."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from croupier.floor.audit.audit import Audited, audit
from croupier.floor.backups.backup import BadBackup, Manifest, Progress, manifest_of, restore
from croupier.floor.backups.encryption import Openers, is_encrypted
from croupier.journal.store_address import open_store
from croupier.money import Money

_SHOWN = 20
"""Differences of the audit that a report holds."""


class Drilled(msgspec.Struct, frozen=True, kw_only=True):
    """What a drill found."""

    file: str
    bytes: int
    encrypted: bool
    made_at: str = ""
    """In UTC; empty where the file cannot be read so far."""
    sound: bool
    rows: Mapping[str, int] = {}
    streams: int = 0
    rounds: int = 0
    accounts: int = 0
    archived: int = 0
    """Events that are in archives, which a backup does not contain."""
    meters: Mapping[str, Money] = {}
    restore_seconds: float = 0.0
    audit_seconds: float = 0.0
    problems: tuple[str, ...] = ()


def drill(
    file: Path,
    openers: Openers = (),
    progress: Progress | None = None,
    within: Path | None = None,
) -> Drilled:
    """Restore into a temporary database, audit, compare; nothing is left of it. Raises StoreError where no database can
    be made here.
    """
    told = Drilled(
        file=str(file), bytes=file.stat().st_size if file.exists() else 0, encrypted=is_encrypted(file), sound=False
    )
    # The folder is its owner's alone: the restored database holds what the backup may have encrypted.
    with tempfile.TemporaryDirectory(prefix="croupier-drill-", dir=within) as folder:
        url = f"sqlite:///{Path(folder) / 'restored.db'}"
        with closing(open_store(url)) as store:
            begun = time.perf_counter()
            try:
                manifest = restore(file, store, openers, progress)
            except BadBackup as wrong:
                return msgspec.structs.replace(told, problems=(str(wrong),))
            restored = time.perf_counter()
            report = audit(store, progress=progress, nameless=manifest.nameless)
            problems = (*_differences(manifest, manifest_of(store), report),)
            ended = time.perf_counter()
    return msgspec.structs.replace(
        told,
        made_at=datetime.fromtimestamp(manifest.made / 1_000_000, UTC).isoformat(),
        sound=not problems,
        rows=manifest.rows,
        streams=len(manifest.heads),
        rounds=report.rounds,
        accounts=report.accounts,
        archived=sum(report.archived.values()),
        meters=report.meters,
        restore_seconds=round(restored - begun, 3),
        audit_seconds=round(ended - restored, 3),
        problems=problems,
    )


def _differences(told: Manifest, found: Manifest, report: Audited) -> Iterator[str]:
    """Yield where the restored database differs from the backup, and what its audit found."""
    for table, rows in told.rows.items():
        if found.rows.get(table) != rows:
            yield f"{table}: the backup has {rows} rows, the restored database {found.rows.get(table, 0)}."
    for stream in sorted({*told.heads, *found.heads, *report.heads}):
        if not told.heads.get(stream) == found.heads.get(stream) == report.heads.get(stream):
            yield f"{stream}: its head is not where the backup says."
    if found.balances != told.balances:
        yield "accounts: they do not hold what the backup says."
    yield from map(str, report.differences[:_SHOWN])
    if report.difference_count > _SHOWN:
        yield f"and {report.difference_count - _SHOWN} more differences."
