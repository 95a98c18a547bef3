"""Tests of real servers, processes and browsers: run once more when they fail, because a busy machine may be late.

The end of the run lists every test that passed only then, with what went wrong before, so that none fails unseen.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

BROWSERS = Path(__file__).with_name("web")
AGAINST_A_CLOCK = frozenset({"Served", "PrivatePostgres", "socket", "subprocess", "threading"})
"""What a module has imported whose tests run beside something else that takes its time."""
AGAIN = "run again"


def runs_against_a_clock(item: pytest.Item) -> bool:
    """Whether something beside the test may be late: a browser, a server, a database, a process, a thread."""
    if not isinstance(item, pytest.Function):
        return False
    return BROWSERS in item.path.parents or not AGAINST_A_CLOCK.isdisjoint(vars(item.module))


def run_twice(item: pytest.Function, nextitem: pytest.Item | None) -> None:
    """Run a test; if it fails, run it once more with fresh fixtures, and report that run."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    failed = next((report for report in reports if report.failed), None)
    if failed is not None:
        item._initrequest()
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        for report in reports:
            report.sections.append(("the first run", failed.longreprtext))
            if report.when == "call":
                report.user_properties.append((AGAIN, _reason(failed.longreprtext)))
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)


def _reason(failure: str) -> str:
    """What pytest prints first of an error, and where it was."""
    *lines, where = failure.strip().splitlines()
    return next((f"{line[1:].strip()} ({where})" for line in lines if line.startswith("E ")), where)


def list_reruns(terminal: pytest.TerminalReporter) -> None:
    """Print the tests that passed only when they were run again, and what had failed."""
    found = [
        f"{report.nodeid}: {what}"
        for report in terminal.getreports("passed")
        for name, what in report.user_properties
        if name == AGAIN
    ]
    if found:
        terminal.section(f"{len(found)} passed when {AGAIN}")
    for line in sorted(found):
        terminal.line(line)
