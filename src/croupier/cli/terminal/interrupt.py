"""Ctrl-C where Python cannot raise it: in a compiler's callback, or while threads work."""

from __future__ import annotations

import _thread
import os
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_AGAIN = 0.05
"""Seconds before Ctrl-C is raised again; at once it would be swallowed like the first."""

_swallowed = threading.Event()


def listen() -> None:
    """Raise a Ctrl-C again that a callback or a destructor swallows."""
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
    """Return whether a Ctrl-C was swallowed: later errors come from the interrupted compiler."""
    return _swallowed.is_set()


def leave_at_once(code: int) -> None:
    """Exit without waiting for threads that still count."""
    if threading.active_count() > 1:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
