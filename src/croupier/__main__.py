"""`croupier` and `python -m croupier`: the command line, and Ctrl-C quiet from our first line to our last."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_AGAIN = 0.05
"""Seconds; pressed at once it would be swallowed like the first."""


def main() -> None:
    """Run a command and leave with its exit code."""
    # Until the command line can answer Ctrl-C, and when it has gone, the system does: the process ends, without words.
    answered = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else somebody has it ignored
    if answered:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from croupier.cli import run  # noqa: PLC0415
    from croupier.cli.errors import STOPPED  # noqa: PLC0415

    sys.unraisablehook = _heard
    try:
        if answered:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run()
        if answered:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
    except KeyboardInterrupt:
        code = STOPPED
    sys.exit(code)


def _heard(lost: UnraisableHookArgs) -> None:
    """A Ctrl-C that a compiler's callback or a destructor has swallowed is pressed once more, when that is over."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    again = threading.Timer(_AGAIN, _thread.interrupt_main)
    again.daemon = True
    again.start()


if __name__ == "__main__":
    main()
