"""What all tests share: a PostgreSQL server, started by whoever asks for it first, and Ctrl-C that counts."""

from __future__ import annotations

import asyncio
import gc
import io
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import hypothesis
import pytest

from croupier.cli import run
from croupier.testing.private_postgres import PrivatePostgres
from tests.calling import Call, Done
from tests.order import arrange, is_in_browser
from tests.reruns import AGAIN, list_reruns, run_twice, runs_against_a_clock
from tests.slow import SELECTION, mark_slow

HIDDEN = pytest.StashKey[asyncio.AbstractEventLoop | None]()
"""The event loop that was hidden from a test."""
MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory."""
ROOM = 4 * 2**30
"""Bytes that must be free there; a run of all tests writes about one quarter of it."""


def pytest_configure() -> None:
    """Take Ctrl-C, keep temporary files in memory where there is room, set no deadline, and keep compiled modules.

    A shell that runs tests in the background makes them, and every command that they start, deaf to Ctrl-C. A disk
    would make every commit of every house wait until it is written, which no test is about. The tests start Python
    some hundred times; without its caches every server would compile all its modules first.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if "TMPDIR" not in os.environ and has_room(MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)
    hypothesis.settings.register_profile("patient", deadline=None)
    hypothesis.settings.load_profile("patient")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage meanwhile: what is collected stays until the end, and the search takes a quarter of it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three workers for a core: half of them wait for a browser most of the time."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 3 * cores


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark slow tests before any is deselected, and arrange all tests for the workers of this run."""
    config.stash[SELECTION] = mark_slow(items)
    workers = getattr(config, "workerinput", {"workercount": 1})["workercount"]
    if workers > 1:
        items[:] = arrange(items, workers)


def has_room(folder: Path) -> bool:
    """Whether programs can be installed and run there, and all files of a run fit in."""
    if not os.access(folder, os.W_OK):
        return False
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Leave nothing in memory after a run without a failure; a worker leaves that to the process that started it."""
    factory: pytest.TempPathFactory = session.config._tmp_path_factory  # type: ignore[attr-defined]  # set by pytest
    if exitstatus == 0 and "PYTEST_XDIST_WORKER" not in os.environ and factory._basetemp is not None:
        shutil.rmtree(factory._basetemp, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PrivatePostgres]:
    """A server on a socket in a temporary folder."""
    with PrivatePostgres() as server:
        yield server


@pytest.fixture
def croupier(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Runs a command in this process, with these bytes on standard input."""

    def call(*arguments: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        code = run(arguments)
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return call


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test again that a busy machine may have failed; the end of the run lists it."""
    if not isinstance(item, pytest.Function) or not runs_against_a_clock(item):
        return None
    run_twice(item, nextitem)
    return True


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Hide the event loop that the browser's tool keeps in a worker from tests that run loops of their own.

    A worker with a browser may be handed such a test, when it steals from one that lags.
    """
    if not is_in_browser(item):
        item.stash[HIDDEN] = asyncio._get_running_loop()
        asyncio._set_running_loop(None)
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """Show the loop again; before the last test ends, because then the browser is closed."""
    hidden = item.stash.get(HIDDEN, None)
    if hidden is not None and nextitem is None:
        asyncio._set_running_loop(hidden)
    try:
        return (yield)
    finally:
        if hidden is not None:
            asyncio._set_running_loop(hidden)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What tests have counted, such as the matrix of irregularities, stands at the end of every run."""
    list_reruns(terminalreporter)
    counted = [
        (report.nodeid.rpartition("[")[2].rstrip("]"), numbers)
        for report in terminalreporter.getreports("passed")
        if report.when == "call"
        and (numbers := {what: number for what, number in report.user_properties if what != AGAIN})
    ]
    if counted:
        terminalreporter.section("counted")
    for name, numbers in sorted(counted, key=lambda each: each[0]):
        terminalreporter.line(f"{name}: {', '.join(f'{number} {what}' for what, number in numbers.items())}")
