"""Compiling kernels before their first call, in several processes at once.

numba compiles one kernel after the other, whatever the number of threads. So each core compiles some of the missing
kernels into the cache, in a process of its own. What `signatures` does not list, or what fails, is compiled at its
first call.
"""

from __future__ import annotations

import fcntl
import gc
import os
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import Lock, Thread

from croupier.lab.kernels.runtime.compiler import COMPILING, PACKAGE, Kernel, cache_home, workers
from croupier.lab.kernels.runtime.signatures import ENTRY_POINTS, JOBS, EntryPoint, Job, Purpose, signature
from croupier.lab.progress import Progress, sub_progress

_WORTH = 3.0
"""Seconds of compiling below which no process is started."""
_STARTING = 0.7
"""Seconds before a new process compiles anything."""


def compile_ahead(purposes: Collection[Purpose], then: float, progress: Progress) -> Progress:
    """Compile what is missing for these purposes; return the progress of the rest, which takes `then` seconds.

    Return at once where no kernel is missing, or none can be kept.
    """
    jobs = _missing_jobs(purposes)
    seconds = sum(_seconds(job) for job in jobs)
    if not jobs or seconds < _WORTH or not sys.executable or not _may_keep():
        return progress
    some = min(workers(), len(jobs))
    share = (waited := _STARTING + seconds / some) / (waited + then)
    with COMPILING, _alone():
        # While this process waited, another may have compiled the same kernels.
        if jobs := _missing_jobs(purposes):
            _compile_side_by_side(jobs, min(some, len(jobs)), sub_progress(progress, 0.0, share))
    return sub_progress(progress, share, 1.0)


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other process compiles into this cache."""
    with (cache_home() / "compiling.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _missing_jobs(purposes: Collection[Purpose]) -> list[Job]:
    return [missing for job in JOBS if (missing := _missing(job, purposes)).entries]


def _missing(job: Job, purposes: Collection[Purpose]) -> Job:
    wanted = any(purpose in job.purposes for purpose in purposes)
    return Job(job.purposes, tuple(entry for entry in job.entries if entry.missing) if wanted else ())


def _seconds(job: Job) -> float:
    return sum(entry.seconds for entry in job.entries)


def _may_keep() -> bool:
    try:
        cache_home().mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(cache_home(), os.W_OK)


def _compile_side_by_side(jobs: list[Job], some: int, progress: Progress) -> None:
    """Run the longest jobs first, each in the next free process; a process that ends early leaves the others."""
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
                print(*(ENTRY_POINTS.index(entry) for entry in job.entries), file=helper.stdin, flush=True)
                for entry in job.entries:
                    if not helper.stdout.readline():
                        return
                    with lock:
                        behind[0] += entry.seconds
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
    """Start a process that reads numbers of kernels, a line for each job, and prints each when it is compiled."""
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
    """Compile the kernels whose numbers come on standard input."""
    from croupier.lab.kernels.runtime.operator_types import remember_operator_types  # noqa: PLC0415 - it loads numba

    gc.disable()  # Searching numba's many objects for garbage takes a seventh of the time.
    remember_operator_types()
    for line in sys.stdin:
        for number in line.split():
            compile_entry(ENTRY_POINTS[int(number)])
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()


def compile_entry(entry: EntryPoint) -> None:
    """Compile an entry point without running it."""
    module, _, name = entry.name.rpartition(".")
    kernel = getattr(import_module(f"{PACKAGE}.{module}"), name)
    assert isinstance(kernel, Kernel)
    kernel.entry().compile(signature(entry))


if __name__ == "__main__":
    main()
