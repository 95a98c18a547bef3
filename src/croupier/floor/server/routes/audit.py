"""The doors of those who check: where every chain stands, an audit at the press of a button, two rulebooks compared."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

import msgspec
from litestar import Request, get, post
from litestar.datastructures import State
from litestar.params import FromPath

from croupier.floor.duties.permissions import Action
from croupier.floor.history.qr_code import qr_svg
from croupier.floor.live.floor import Floor
from croupier.floor.people.people import Person
from croupier.floor.server.auth import Refused
from croupier.floor.server.workers.audit import Told, summary
from croupier.floor.views.table_views import Json
from croupier.journal.checkpoint import Checkpoint
from croupier.rulebooks.books import UnknownGame, declare
from croupier.rulebooks.comparison import compare
from croupier.rulebooks.vocabulary import Rulebook

HttpRequest: TypeAlias = Request[Person | None, object, State]


class Recount:
    """The audits of this server: at most one at a time, and what the last one found."""

    def __init__(self) -> None:
        self.last: Json | None = None
        self._running: asyncio.Task[None] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._at = Told()

    @property
    def running(self) -> Json | None:
        """How far the audit is that runs now."""
        if self._running is None or self._running.done():
            return None
        return {"done": self._at.done, "total": self._at.total}

    def begin(self, url: str, by: str) -> None:
        """Begin one; where one runs, that is the one."""
        if self.running is None:
            self._at = Told()
            self._running = asyncio.create_task(self._run(url, by))

    async def _run(self, url: str, by: str) -> None:
        started = datetime.now(UTC).isoformat(timespec="seconds")

        def hear(told: Told) -> None:
            self._at = told

        found = await asyncio.to_thread(self._audit, url, hear)
        if found.report is None or found.balance is None:
            failed = found.failed or "The audit ended before it was done: begin it again."
            self.last = {"at": started, "by": by, "failed": failed}
        else:
            self.last = {"at": started, "by": by, **summary(found.report, found.balance, found.links)}

    def _audit(self, url: str, hear: Callable[[Told], None]) -> Told:
        """On a thread of its own: reads what the other process says."""
        command = [sys.executable, "-m", "croupier.floor.server.workers.audit"]
        told = Told()
        # The address may hold a password, so it does not stand on the command line.
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603  ours
            self._process = process
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(url.encode() + b"\n")
            process.stdin.close()
            for line in process.stdout:
                told = msgspec.json.decode(line, type=Told)
                hear(told)
        self._process = None
        return told

    async def close(self) -> None:
        """A house that closes waits for no audit."""
        if self._process is not None:
            self._process.kill()
        if self._running is not None:
            await asyncio.gather(self._running, return_exceptions=True)


@get("/api/audit", opt={"action": Action.AUDIT})
async def chains(state: State) -> Json:
    """Where every chain of events stands, that of a table after its last round, and what the last audit found; with the
    last checkpoint that the witness has signed, as a QR code for the printed report.
    """
    floor, recount = _floor(state), _recount(state)
    heads = {
        stream: {"seq": head.seq, "hash": head.hash.hex()}
        for stream, head in sorted(floor.house.public_heads().items())
    }
    signed = None if floor.witness is None else floor.witness.last
    return {
        "heads": heads,
        "running": recount.running,
        "last": recount.last,
        "checkpoint": None if signed is None else _checkpoint_json(signed),
    }


def _checkpoint_json(signed: Checkpoint) -> Json:
    said = signed.says()
    text = msgspec.json.encode(signed.published).decode()
    return {
        "number": said.number,
        "server": said.server,
        "at": datetime.fromtimestamp(said.at / 1_000_000, UTC).isoformat(timespec="seconds"),
        "records": said.records,
        "key": signed.key,
        "hash": signed.hash,
        "qr": qr_svg(text),
    }


@post("/api/audit", opt={"action": Action.AUDIT}, status_code=202)
async def begin_audit(state: State, request: HttpRequest) -> Json:
    """Compute the whole journal again from its events, while the house plays on."""
    person = request.scope["user"]
    assert isinstance(person, Person)
    recount = _recount(state)
    recount.begin(_floor(state).house.store.url, person.name)
    return {"running": recount.running}


@get("/api/games/{game:str}/against/{other:str}", opt={"public": True}, sync_to_thread=False)
def compared(game: FromPath[str], other: FromPath[str]) -> Json:
    """Two rulebooks side by side: where they differ, each with its paragraphs, and what both say."""
    found = compare(_book(game), _book(other))
    return {
        "games": [game, other],
        "differences": [
            {
                "dimension": each.dimension,
                "about": each.about,
                "first": msgspec.to_builtins(each.first),
                "second": msgspec.to_builtins(each.second),
            }
            for each in found.differences
        ],
        "same": msgspec.to_builtins(found.same),
    }


CHECKING_ROUTES = (chains, begin_audit, compared)


def _book(game: str) -> Rulebook:
    try:
        return declare(game)
    except UnknownGame as wrong:
        raise Refused(404, "unknown_game", str(wrong)) from None


def _floor(state: State) -> Floor:
    floor = state.floor
    assert isinstance(floor, Floor)
    return floor


def _recount(state: State) -> Recount:
    recount = state.recount
    assert isinstance(recount, Recount)
    return recount
