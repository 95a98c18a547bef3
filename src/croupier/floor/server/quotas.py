"""How much at once, and of whom: addresses as they are counted, and what each key holds just now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from ipaddress import IPv6Address, ip_address, ip_network

A_HOUSEHOLD = 64
"""Bits of an IPv6 address that a provider gives away as one."""


def address_key(address: str) -> str:
    """An address as limits count it: all addresses of one household are one. What is no address counts as it stands."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((int(found), A_HOUSEHOLD), strict=False))


class AtOnce:
    """At most so many at a time for each key."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.held: Counter[Hashable] = Counter()

    def enter(self, key: Hashable) -> bool:
        """One more, if there is room; it has to leave again."""
        if self.held[key] >= self.most:
            return False
        self.held[key] += 1
        return True

    def leave(self, key: Hashable) -> None:
        """One less."""
        self.held[key] -= 1
        if self.held[key] <= 0:
            del self.held[key]
