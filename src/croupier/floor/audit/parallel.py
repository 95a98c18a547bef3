"""An audit in several processes: the tables in shares, and everything else here meanwhile."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, Protocol

import msgspec

from croupier.floor.audit.judgement.rejudgement import Share
from croupier.floor.audit.share import AGAIN, GO, CameTo, Order, Told, moment_of
from croupier.floor.audit.stream_check import TABLES_FROM
from croupier.floor.records.codec import ANSWER
from croupier.journal.store import Span, Store

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
        """Have it judge these tables, once it has checked its streams."""
        self._say(share)

    def result(self, wait: float) -> CameTo | None:
        """Return what its records come to; None where it needs longer."""
        self._reader.join(wait)
        if self._reader.is_alive():
            return None
        if self.came_to is None:
            raise Failed("a share found a difference, or came to its end")
        return self.came_to

    @property
    def has_failed(self) -> bool:
        return not self._reader.is_alive() and self.came_to is None

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
        return None if told is None or told.differs else told

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
        """Raise Failed where one of them has found a difference."""

    def results(self, waiting: Callable[[], None]) -> Sequence[CameTo]:
        """Wait for what the records of each come to; raises Failed."""


class _Processes:
    """Shares that other processes do."""

    def __init__(self, processes: Sequence[_Process], spans: Sequence[Span]) -> None:
        self._processes, self._spans = processes, spans

    @property
    def done(self) -> int:
        return sum(process.done for process in self._processes)

    def divide(self, store: Store, tables: Mapping[str, int]) -> None:
        for process, share in zip(self._processes, divided(store, tables, self._spans), strict=True):
            process.judge(share)

    def check(self) -> None:
        if any(process.has_failed for process in self._processes):
            raise Failed("a share found a difference, or came to its end")

    def results(self, waiting: Callable[[], None]) -> Sequence[CameTo]:
        found = []
        for process in self._processes:
            while (came_to := process.result(0.1)) is None:
                self.check()
                waiting()
            found.append(came_to)
        return found


@contextmanager
def begun(store: Store, order: Order, tables: Mapping[str, int], count: int) -> Iterator[Shares]:
    """Start processes that read at the same moment as this store; raises Failed.

    While it is open, the store reads at that moment. `tables` are the names of tables and their records.
    """
    spans = spans_of(tables, count)
    processes = [_Process(msgspec.structs.replace(order, span=span)) for span in spans]
    try:
        for _ in range(_TRIES):
            moments = [process.moment() for process in processes]
            with store.reading():
                # Those who began earlier see an earlier moment where the house has written since.
                is_same = {*moments} == {moment_of(store)}
                for process in processes:
                    process.answer(GO if is_same else AGAIN)
                if is_same:
                    yield _Processes(processes, spans)
                    return
        raise Failed("the house writes too fast to begin at one moment")
    finally:
        for process in processes:
            process.close()


def spans_of(tables: Mapping[str, int], count: int) -> list[Span]:
    """Divide the streams of tables, in their order, into spans with about the same number of records."""
    total, names = sum(tables.values()), sorted(tables)
    bounds, seen = [TABLES_FROM], 0
    for name in names:
        if seen >= total * len(bounds) / count and f"{TABLES_FROM}{name}" > bounds[-1] and seen:
            bounds.append(f"{TABLES_FROM}{name}")
        seen += tables[name]
    return [Span(since, until) for since, until in zip(bounds, [*bounds[1:], ""], strict=True)]


def divided(store: Store, tables: Mapping[str, int], spans: Sequence[Span]) -> list[Share]:
    """Divide the tables into a share for each span; those that one command has moved together stay together."""
    share_of = {name: at for name in tables for at, span in enumerate(spans) if _holds(span, name)}
    load = Counter[int]()
    for name, at in share_of.items():
        load[at] += tables[name]
    for group in _moved_together(store, tables):
        if len({share_of[name] for name in group}) > 1:
            for name in group:
                load[share_of[name]] -= tables[name]
            least = min(range(len(spans)), key=lambda at: load[at])
            for name in group:
                share_of[name] = least
                load[least] += tables[name]
    return [Share(frozenset(name for name in tables if share_of[name] == at), leads=not at) for at in range(len(spans))]


def _holds(span: Span, table: str) -> bool:
    stream = f"{TABLES_FROM}{table}"
    return span.since <= stream and (not span.until or stream < span.until)


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
