"""What all tests share: a PostgreSQL server, started by whoever asks for it first, and Ctrl-C that counts."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Iterator

import pytest

from croupier.cli import run
from croupier.testing.private_postgres import PrivatePostgres
from tests.calling import Call, Done


def pytest_configure() -> None:
    """A shell that runs tests in the background makes them, and every command that they start, deaf to Ctrl-C."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What tests have counted, such as the matrix of irregularities, stands at the end of every run."""
    counted = [
        (report.nodeid.rpartition("[")[2].rstrip("]"), dict(report.user_properties))
        for report in terminalreporter.getreports("passed")
        if report.when == "call" and report.user_properties
    ]
    if counted:
        terminalreporter.section("counted")
    for name, numbers in sorted(counted):
        terminalreporter.line(f"{name}: {', '.join(f'{number} {what}' for what, number in numbers.items())}")
