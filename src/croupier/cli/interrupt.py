"""Ctrl-C where Python cannot raise it: within a compiler's callback, or while threads still work."""

from __future__ import annotations

import _thread
import os
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_AGAIN = 0.05
"""Seconds; pressed at once it would be swallowed like the first."""

_swallowed = threading.Event()


def listen() -> None:
    """From now on a Ctrl-C that a callback or a destructor swallows is pressed once more, when that is over."""
    sys.unraisablehook = _heard


def _heard(lost: UnraisableHookArgs) -> None:
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    _swallowed.set()
    again = threading.Timer(_AGAIN, _thread.interrupt_main)
    again.daemon = True
    again.start()


def was_swallowed() -> bool:
    """Whatever goes wrong after that is no fault of ours: the compiler was left with half of its work."""
    return _swallowed.is_set()


def leave_at_once(code: int) -> None:
    """Nobody who has pressed Ctrl-C waits for threads that count for him."""
    if threading.active_count() > 1:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
