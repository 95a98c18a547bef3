"""Run a command on a private PostgreSQL: `python -m croupier.testing.postgres_run croupier serve --demo`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from croupier.journal.store import StoreError
from croupier.testing.private_postgres import PrivatePostgres

VARIABLE = "CROUPIER_DATABASE"
"""Where a command finds the address of its database."""


def run_on_postgres(command: Sequence[str]) -> int:
    """Run a command whose database is a new PostgreSQL; both end together, and nothing is kept."""
    with PrivatePostgres() as server:
        running = subprocess.Popen(list(command), env={**os.environ, VARIABLE: server.url()})  # noqa: S603  as given
        _tell(
            f"A PostgreSQL of its own, which ends with {Path(command[0]).name} and keeps nothing. In another terminal:",
            f"  export {VARIABLE}='{server.url()}'",
        )

        def pass_on(number: int, _: FrameType | None) -> None:
            # A terminal sends Ctrl-C to the command as well; a signal to this process alone means both.
            if number != signal.SIGINT:
                running.send_signal(number)

        before = {number: signal.signal(number, pass_on) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            ended = running.wait()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        return ended if ended >= 0 else 128 - ended  # as a shell says it of a command that a signal ended


def _tell(*lines: str) -> None:
    # Standard output is the command's own.
    for line in lines:
        print(line, file=sys.stderr, flush=True)  # noqa: T201


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code, or 2 where it cannot be run."""
    command = sys.argv[1:] if arguments is None else arguments
    if not command:
        _tell("trying: say which command to run on a private PostgreSQL.")
        return 2
    try:
        return run_on_postgres(command)
    except (StoreError, OSError) as wrong:
        _tell(f"trying: {wrong}")
        return 2


if __name__ == "__main__":
    sys.exit(main())
