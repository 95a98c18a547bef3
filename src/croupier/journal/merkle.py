"""A Merkle tree over hashes (RFC 6962, section 2.1): one root for many leaves, and a short path that proves one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

LEAF, NODE = b"\x00", b"\x01"
"""Prefixes that keep a leaf from being taken for an inner node."""
EMPTY = hashlib.sha256(b"").digest()
"""The root of a tree without leaves."""


def leaf_hash(blinding: bytes, content: bytes) -> bytes:
    """Hash a leaf; the blinding keeps a neighbour in the tree from testing guesses of its content."""
    return hashlib.sha256(LEAF + blinding + content).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Return the root over leaf hashes."""
    if not leaves:
        return EMPTY
    level = list(leaves)
    while len(level) > 1:
        # A node without a sibling moves up as it is, which gives the tree that RFC 6962 defines from the top.
        paired = [_node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        level = [*paired, level[-1]] if len(level) % 2 else paired
    return level[0]


def path_to(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Return the siblings from a leaf up to the root."""
    path, level = [], list(leaves)
    while len(level) > 1:
        sibling = index ^ 1
        if sibling < len(level):
            path.append(level[sibling])
        paired = [_node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        level = [*paired, level[-1]] if len(level) % 2 else paired
        index //= 2
    return path


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(NODE + left + right).digest()
