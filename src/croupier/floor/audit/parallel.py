"""An audit in shares: the tables in each, in processes of their own or here, and everything else here."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, Protocol

import msgspec

from croupier.floor.audit.judgement.rejudgement import Share
from croupier.floor.audit.share import AGAIN, GO, CameTo, Differed, Order, Told, do_share, moment_of
from croupier.floor.audit.stream_check import TABLES_FROM
from croupier.floor.audit.terms_history import TermsHistory
from croupier.floor.records.codec import ANSWER
from croupier.journal.store import Store

_TRIES = 200
"""How often the processes try to begin reading at the same moment, while a house writes."""


class Failed(Exception):
    """The shares cannot prove that nothing differs: audit in one process."""


class _Process:
    """A share that another process does."""

    def __init__(self, order: Order) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "croupier.floor.audit.share"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in: IO[bytes] = self._process.stdin
        self._out: IO[bytes] = self._process.stdout
        self.done = 0
        self.differs = False
        self.came_to: CameTo | None = None
        self._reader = threading.Thread(target=self._read, name="croupier-audit-share", daemon=True)
        self._say(order)

    def moment(self) -> str:
        """Wait until it has begun to read, and return where the journal stands as it sees it."""
        told = self._next()
        if told is None or not told.moment:
            raise Failed("a share could not begin")
        return told.moment

    def answer(self, word: str) -> None:
        """Have it read at another moment, or go on."""
        self._say(word)
        if word == GO:
            self._reader.start()

    def judge(self, share: Share) -> None:
        """Have it judge these tables."""
        self._say(share)

    def result(self, wait: float) -> CameTo | None:
        """Return what its records come to; None where it needs longer."""
        self._reader.join(wait)
        self.check()
        return self.came_to

    def check(self) -> None:
        """Raise Differed where it has found a difference, and Failed where it has ended without a result."""
        if not self._reader.is_alive() and self.came_to is None:
            raise Differed if self.differs else Failed("a share came to its end")

    def close(self) -> None:
        """End the process, wherever it is."""
        self._process.kill()
        self._process.wait()
        self._in.close()
        if self._reader.ident is not None:
            self._reader.join()
        self._out.close()

    def _say(self, what: msgspec.Struct | str) -> None:
        try:
            self._in.write(msgspec.json.encode(what) + b"\n")
            self._in.flush()
        except OSError:
            raise Failed("a share came to its end") from None

    def _next(self) -> Told | None:
        line = self._out.readline()
        told = msgspec.json.decode(line, type=Told) if line else None
        self.differs = told is not None and told.differs
        return None if self.differs else told

    def _read(self) -> None:
        while (told := self._next()) is not None:
            self.done = max(self.done, told.done)
            if told.came_to is not None:
                self.came_to = told.came_to
                return


class Shares(Protocol):
    """The shares of an audit. They read at the same moment as the rest of it."""

    @property
    def done(self) -> int:
        """How many records they have checked or judged."""

    def divide(self, store: Store, tables: Mapping[str, int]) -> None:
        """Have each judge its own tables."""

    def check(self) -> None:
        """Raise Differed where one of them has found a difference."""

    def results(self, step: Callable[[int], None], histories: Mapping[str, TermsHistory]) -> Sequence[CameTo]:
        """Wait for what the records of each come to; raises Differed or Failed."""


class OwnShares:
    """Shares that this process does, one after another."""

    done = 0

    def __init__(self, order: Order, count: int = 1) -> None:
        self._order, self._count = order, count

    def divide(self, store: Store, tables: Mapping[str, int]) -> None:
        self._store, self._shares = store, divided(store, tables, self._count)

    def check(self) -> None:
        """Do nothing: they begin when their results are asked for."""

    def results(self, step: Callable[[int], None], histories: Mapping[str, TermsHistory]) -> Sequence[CameTo]:
        return [do_share(self._store, self._order, share, step, histories) for share in self._shares]


class _Processes:
    """Shares that other processes do."""

    def __init__(self, processes: Sequence[_Process]) -> None:
        self._processes = processes

    @property
    def done(self) -> int:
        return sum(process.done for process in self._processes)

    def divide(self, store: Store, tables: Mapping[str, int]) -> None:
        for process, share in zip(self._processes, divided(store, tables, len(self._processes)), strict=True):
            process.judge(share)

    def check(self) -> None:
        for process in self._processes:
            process.check()

    def results(self, step: Callable[[int], None], histories: Mapping[str, TermsHistory]) -> Sequence[CameTo]:  # noqa: ARG002  they read them
        found = []
        for process in self._processes:
            while (came_to := process.result(0.1)) is None:
                self.check()
                step(0)
            found.append(came_to)
        return found


@contextmanager
def begun(store: Store, order: Order, count: int) -> Iterator[Shares]:
    """Start processes that read at the same moment as this store; raises Failed.

    While it is open, the store reads at that moment.
    """
    processes = [_Process(order) for _ in range(count)]
    try:
        for _ in range(_TRIES):
            moments = [process.moment() for process in processes]
            with store.reading():
                # Those who began earlier see an earlier moment where the house has written since.
                is_same = {*moments} == {moment_of(store)}
                for process in processes:
                    process.answer(GO if is_same else AGAIN)
                if is_same:
                    yield _Processes(processes)
                    return
        raise Failed("the house writes too fast to begin at one moment")
    finally:
        for process in processes:
            process.close()


def divided(store: Store, tables: Mapping[str, int], count: int) -> list[Share]:
    """Divide tables into shares with about as many records; those that one command has moved together stay together."""
    groups = _moved_together(store, tables) if count > 1 else []
    together = {name for group in groups for name in group}
    groups += [{name} for name in sorted(tables) if name not in together]
    shares: list[set[str]] = [set() for _ in range(count)]
    load = [0] * count
    for group in sorted(groups, key=lambda group: -sum(tables[name] for name in group)):
        least = load.index(min(load))
        shares[least] |= group
        load[least] += sum(tables[name] for name in group)
    return [Share(frozenset(share), leads=not at) for at, share in enumerate(shares)]


def _moved_together(store: Store, tables: Mapping[str, int]) -> list[set[str]]:
    """Return groups of tables of which single commands have moved more than one."""
    groups: dict[str, set[str]] = {}
    mark = f'"{TABLES_FROM}'.encode()
    for row in store.rows("answers"):
        answer = row[4]
        if not isinstance(answer, bytes) or answer.count(mark) < 2:
            continue
        try:
            heads = ANSWER.decode(answer).heads
        except (msgspec.MsgspecError, UnicodeError):
            raise Failed("an answer cannot be read") from None
        named = {stream.removeprefix(TABLES_FROM) for stream in heads if stream.startswith(TABLES_FROM)}
        group: set[str] = set().union(*(groups.get(name, {name}) for name in named & tables.keys()))
        groups.update(dict.fromkeys(group, group))
    return list({id(group): group for group in groups.values()}.values())
