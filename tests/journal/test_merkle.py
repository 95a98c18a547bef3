"""Merkle trees: every leaf can be proved, and nothing else can."""

from __future__ import annotations

import hashlib
from random import Random

import pytest

from croupier.journal.merkle import EMPTY, leaf_hash, path_to, root_of
from croupier.verify import tree_root


def defined(leaves: list[bytes]) -> bytes:
    """The root as RFC 6962 defines it, from the top down."""
    if len(leaves) == 1:
        return leaves[0]
    half = 1 << ((len(leaves) - 1).bit_length() - 1)
    return hashlib.sha256(b"\x01" + defined(leaves[:half]) + defined(leaves[half:])).digest()


def leaves_of(count: int) -> list[bytes]:
    return [leaf_hash(bytes(32), str(n).encode()) for n in range(count)]


def root_from(number: int, index: int, size: int, path: list[bytes]) -> bytes | None:
    """The root to which a path leads from this leaf, as everyone can compute it with verify.py alone."""
    proof = {"blinding": bytes(32).hex(), "index": index, "path": [node.hex() for node in path]}
    root = tree_root(str(number).encode().hex(), proof, size)
    return None if root is None else bytes.fromhex(root)


def test_the_root_is_the_one_that_the_standard_defines() -> None:
    assert root_of([]) == EMPTY
    for count in range(1, 70):
        assert root_of(leaves_of(count)) == defined(leaves_of(count))


def test_every_leaf_is_proved_by_its_path() -> None:
    for count in range(1, 40):
        leaves = leaves_of(count)
        for index in range(count):
            assert root_from(index, index, count, path_to(leaves, index)) == root_of(leaves)


@pytest.mark.parametrize("seed", range(200))
def test_another_leaf_place_size_or_path_is_not_proved(seed: int) -> None:
    random = Random(seed)
    count = random.randrange(2, 40)
    leaves = leaves_of(count)
    index = random.randrange(count)
    path, root = path_to(leaves, index), root_of(leaves)
    other = random.choice([n for n in range(count) if n != index])
    assert root_from(other, index, count, path) != root
    assert root_from(index, other, count, path) != root
    assert root_from(index, index, count, path[:-1]) != root
    assert root_from(index, index, count, [*path, bytes(32)]) is None
    assert root_from(index, count, count, path) is None
