"""Round scripts one a line: answered as they arrive, on every core where many arrive at once."""

from __future__ import annotations

import fcntl
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from typing import BinaryIO

from croupier.cli.terminal.cores import available_cores

_AT_ONCE = 1 << 20
"""Bytes read at a time, at most."""
_WORTH_PROCESSES = 24
"""Scripts at once that are worth other processes."""
_TURNS = 4
"""Parts that each process is given of what arrived, so that none waits long for the last."""

Answer = Callable[[bytes], bytes]


def answered_lines(stream: BinaryIO, answer: Answer) -> Iterator[Iterable[bytes]]:
    """Yield the answers to the scripts that have arrived, in their order, before more are read."""
    cores = available_cores()
    with ExitStack() as ends:
        spread: Callable[[list[bytes]], Iterable[bytes]] | None = None
        for lines in _arrived(stream):
            if cores == 1 or len(lines) < _WORTH_PROCESSES:
                yield map(answer, lines)
                continue
            spread = spread or _processes(ends, cores, answer)
            yield spread(lines)


def _processes(ends: ExitStack, cores: int, answer: Answer) -> Callable[[list[bytes]], Iterable[bytes]]:
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - a single script does not need it

    pool = ends.enter_context(ProcessPoolExecutor(cores, initializer=signal.signal, initargs=_LEAVE_TO_THE_PARENT))
    return lambda lines: pool.map(answer, lines, chunksize=max(1, len(lines) // (_TURNS * cores)))


_LEAVE_TO_THE_PARENT = (signal.SIGINT, signal.SIG_IGN)
"""Ctrl-C reaches every process of the terminal; the command itself ends the others."""


def _arrived(stream: BinaryIO) -> Iterator[list[bytes]]:
    """Yield the whole lines that can be read without waiting, blank ones left out; the last may lack its end."""
    begun: list[bytes] = []
    _widen(stream)
    read = getattr(stream, "read1", stream.read)
    while arrived := read(_AT_ONCE):
        *lines, rest = arrived.split(b"\n")
        if lines:
            lines[0] = b"".join((*begun, lines[0]))
            begun = []
        begun.append(rest)
        if full := [line for line in lines if line.strip()]:
            yield full
    if (last := b"".join(begun)).strip():
        yield [last]


def _widen(stream: BinaryIO) -> None:
    """Let a pipe hold as much as is read at a time, where Linux allows it: each process then gets a larger part."""
    with suppress(OSError, AttributeError):
        fcntl.fcntl(stream.fileno(), fcntl.F_SETPIPE_SZ, _AT_ONCE)
