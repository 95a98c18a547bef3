"""Where the server's sessions take their time from: one place, which a step of the machine's clock does not move."""

from __future__ import annotations

import time
from collections.abc import Callable

from croupier.floor.house.steady_clock import SECOND, uptime


class TimeSource:
    """The time of day as it was when the process started, and what has passed since."""

    def __init__(
        self, wall: Callable[[], float] = time.time, elapsed: Callable[[], float] = lambda: uptime() / SECOND
    ) -> None:
        self.wall, self.elapsed = wall, elapsed
        """`wall` is the machine's clock, which is set now and then; `elapsed` only ever goes on."""
        self._offset = wall() - elapsed()

    def now(self) -> float:
        """Return seconds since 1970, for the age of sessions; a step of the machine's clock does not move them."""
        return self._offset + self.elapsed()
