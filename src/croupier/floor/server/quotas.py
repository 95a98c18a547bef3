"""Limits by person and address: how much at once, and how often."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Hashable
from ipaddress import IPv6Address, ip_address, ip_network

A_HOUSEHOLD = 64
"""Bits of an IPv6 address that a provider gives away as one."""


def address_key(address: str) -> str:
    """Return an address as limits count it: a household is one address, and any other text counts as it is."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((int(found), A_HOUSEHOLD), strict=False))


REMEMBERED = 10_000
"""Keys whose use is remembered; the ones silent for longest are forgotten first."""


class AtOnce:
    """At most so many at a time for each key."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.held: Counter[Hashable] = Counter()

    def enter(self, key: Hashable) -> bool:
        """Count one more if there is room; the caller has to leave again."""
        if self.held[key] >= self.most:
            return False
        self.held[key] += 1
        return True

    def leave(self, key: Hashable) -> None:
        """Count one less."""
        self.held[key] -= 1
        if self.held[key] <= 0:
            del self.held[key]


class RateLimit:
    """Requests per second for each key, with a burst after a silence."""

    def __init__(self, per_second: float, burst: float | None = None) -> None:
        self._rate, self._burst = per_second, burst or 5 * per_second
        self._left: dict[str, tuple[float, float]] = {}

    def allows(self, key: str) -> bool:
        """Return whether this key may make one more request now, and count it."""
        now = time.monotonic()
        left, since = self._left.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        if len(self._left) >= REMEMBERED:
            del self._left[next(iter(self._left))]
        self._left[key] = (left - 1 if left >= 1 else left, now)
        return left >= 1
