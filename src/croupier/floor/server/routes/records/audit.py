"""Where every chain of events stands, and an audit at the press of a button."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TypeAlias

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from croupier.floor.audit.audit import Audited
from croupier.floor.duties.permissions import Action
from croupier.floor.history.link_figures import Figures, LedgerSums, TrialBalance
from croupier.floor.history.qr_code import qr_svg
from croupier.floor.server.dependencies import TheFloor, ThePerson
from croupier.floor.server.wire import audit as wire
from croupier.floor.server.workers.audit import Told
from croupier.journal.checkpoint import Checkpoint
from croupier.structs import extended

DIFFERENCES_TOLD = 20
"""Differences that the report lists; the rest is counted."""


class Recount:
    """The audits of this server: at most one at a time, and what the last one found."""

    def __init__(self) -> None:
        self.last: wire.AuditReport | None = None
        self._running: asyncio.Task[None] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._at = Told()

    @property
    def running(self) -> wire.AuditProgress | None:
        """How far the audit is that runs now."""
        if self._running is None or self._running.done():
            return None
        return wire.AuditProgress(done=self._at.done, total=self._at.total)

    def begin(self, url: str, by: str) -> None:
        """Begin an audit, unless one is running."""
        if self.running is None:
            self._at = Told()
            self._running = asyncio.create_task(self._run(url, by))

    async def _run(self, url: str, by: str) -> None:
        started = datetime.now(UTC).isoformat(timespec="seconds")
        found = await asyncio.to_thread(self._audit, url)
        if found.report is None or found.balance is None:
            failed = found.failed or "The audit ended before it was done: begin it again."
            self.last = wire.AuditReport(at=started, by=by, failed=failed)
        else:
            self.last = audit_report(started, by, found.report, found.balance, found.links)

    def _audit(self, url: str) -> Told:
        """Start the audit process and read its reports, on a thread of its own."""
        command = [sys.executable, "-m", "croupier.floor.server.workers.audit"]
        # The address may hold a password, so it does not stand on the command line.
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603  ours
            self._process = process
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(url.encode() + b"\n")
            process.stdin.close()
            for line in process.stdout:
                self._at = msgspec.json.decode(line, type=Told)
        self._process = None
        return self._at

    async def close(self) -> None:
        """Kill an audit that is running: the server does not wait for it."""
        if self._process is not None:
            self._process.kill()
        if self._running is not None:
            await asyncio.gather(self._running, return_exceptions=True)


def audit_report(
    at: str, by: str, report: Audited, balance: TrialBalance, links: Iterable[Figures]
) -> wire.AuditReport:
    """Report counts, differences, the ledger by kinds of account, and today on each link."""
    return extended(
        wire.AuditReport,
        report,
        at=at,
        by=by,
        clean=report.is_clean,
        archived=sum(report.archived.values()),
        differences=[str(difference) for difference in report.differences[:DIFFERENCES_TOLD]],
        balance=extended(LedgerSums, balance),
        links=[extended(wire.LinkDay, link.day, link=link.link) for link in links if link.day is not None],
    )


TheRecount: TypeAlias = SkipValidation[NamedDependency[Recount]]


@get("/api/audit", opt={"action": Action.AUDIT})
async def chains(floor: TheFloor, recount: TheRecount) -> wire.Chains:
    """Return where every chain of events stands, and what the last audit found.

    The chain of a table stands after its last round. The last checkpoint that the witness has signed is included, as a
    QR code for the printed report.
    """
    signed = None if floor.witness is None else floor.witness.last
    return wire.Chains(
        heads={
            stream: wire.Head(seq=head.seq, hash=head.hash.hex())
            for stream, head in sorted(floor.house.public_heads().items())
        },
        running=recount.running,
        last=recount.last,
        checkpoint=None if signed is None else _signed(signed),
    )


def _signed(signed: Checkpoint) -> wire.SignedCheckpoint:
    said = signed.says()
    return extended(
        wire.SignedCheckpoint,
        said,
        at=datetime.fromtimestamp(said.at / 1_000_000, UTC).isoformat(timespec="seconds"),
        key=signed.key,
        hash=signed.hash,
        qr=qr_svg(msgspec.json.encode(signed.published).decode()),
    )


@post("/api/audit", opt={"action": Action.AUDIT}, status_code=202)
async def begin_audit(floor: TheFloor, person: ThePerson, recount: TheRecount) -> wire.AuditBegun:
    """Compute the whole journal again from its events, while the house plays on."""
    recount.begin(floor.house.store.url, person.name)
    return wire.AuditBegun(running=recount.running)
