"""Kernels compiled ahead of their first call, side by side in processes of their own.

numba compiles one kernel after the other, whatever the number of threads. So on a machine that has none yet, whoever
needs many lets each core compile some of them into the cache, and loads them from there. What is not written down in
`signatures`, or goes wrong, is compiled at its first call.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from importlib import import_module
from threading import Lock, Thread

from croupier.lab.kernels.runtime.compiler import COMPILING, PACKAGE, Kernel, cache_home, workers
from croupier.lab.kernels.runtime.signatures import DOORS, JOBS, Door, Job, Purpose, signature
from croupier.lab.progress import Progress, between

_WORTH = 3.0
"""Less than so many seconds are not worth the starting of processes."""
_STARTING = 0.7
"""So many seconds pass before a process compiles anything."""


def compiled_ahead(purposes: Collection[Purpose], then: float, progress: Progress) -> Progress:
    """Has what is missing for these purposes compiled; what comes back tells of the rest, which takes `then` seconds.

    Where nothing is missing, or nothing can be kept, it returns at once.
    """
    jobs = [missing for job in JOBS if (missing := _missing(job, purposes)).doors]
    seconds = sum(_seconds(job) for job in jobs)
    if not jobs or seconds < _WORTH or not sys.executable or not _may_keep():
        return progress
    some = min(workers(), len(jobs))
    share = (waited := _STARTING + seconds / some) / (waited + then)
    with COMPILING:
        _compile_side_by_side(jobs, some, between(progress, 0.0, share))
    return between(progress, share, 1.0)


def _missing(job: Job, purposes: Collection[Purpose]) -> Job:
    wanted = any(purpose in job.purposes for purpose in purposes)
    return Job(job.purposes, tuple(door for door in job.doors if door.missing) if wanted else ())


def _seconds(job: Job) -> float:
    return sum(door.seconds for door in job.doors)


def _may_keep() -> bool:
    try:
        cache_home().mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(cache_home(), os.W_OK)


def _compile_side_by_side(jobs: list[Job], some: int, progress: Progress) -> None:
    """The longest jobs first, each by whichever process is free; one that ends before its time leaves the others."""
    waiting = iter(sorted(jobs, key=_seconds, reverse=True))
    whole = sum(_seconds(job) for job in jobs)
    lock, behind = Lock(), [0.0]
    doing = "compiling, the first time only"
    progress(doing, 0.0)

    def taken() -> Iterator[Job]:
        while True:
            with lock:
                job = next(waiting, None)
            if job is None:
                return
            yield job

    def serve(helper: subprocess.Popen[str]) -> None:
        assert helper.stdin is not None
        assert helper.stdout is not None
        try:
            for job in taken():
                print(*(DOORS.index(door) for door in job.doors), file=helper.stdin, flush=True)
                for door in job.doors:
                    if not helper.stdout.readline():
                        return
                    with lock:
                        behind[0] += door.seconds
                        progress(doing, behind[0] / whole)
            helper.stdin.close()
        except OSError:
            return

    helpers = [_helper() for _ in range(some)]
    threads = [Thread(target=serve, args=(helper,), daemon=True) for helper in helpers]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        for helper in helpers:
            helper.kill()
            with suppress(OSError), helper:
                """Its pipes are closed, whatever still lies in them."""


# ---------------------------------------------------------------- the other process


def _helper() -> subprocess.Popen[str]:
    """A process that is told the numbers of kernels, a line for each job, and says each when it is compiled."""
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.Popen(  # noqa: S603 - this interpreter, and a module of ours
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
    )


def main() -> None:
    """Compiles what standard input asks for."""
    for line in sys.stdin:
        for number in line.split():
            compile_door(DOORS[int(number)])
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()


def compile_door(door: Door) -> None:
    """As if it were called with what it takes, but nothing runs."""
    module, _, name = door.name.rpartition(".")
    kernel = getattr(import_module(f"{PACKAGE}.{module}"), name)
    assert isinstance(kernel, Kernel)
    kernel.door().compile(signature(door))


if __name__ == "__main__":
    main()
