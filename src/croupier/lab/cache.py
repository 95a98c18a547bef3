"""Counts kept on disk: sums of integers by what decides them.

The folder is named after the sources that count, so a changed source never reads old sums; a damaged file is counted
again. Only counts are kept: figures are worked out from them each time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec
import numpy as np

from croupier.lab.kernels.runtime.compiler import Ints, cache_home

Arrays = Mapping[str, Ints]
_LAB = Path(__file__).parent
_SOURCES: tuple[str, ...] = (
    "lab/*.py",
    "lab/model/*.py",
    "lab/solve/*.py",
    "lab/bets/*.py",
    "lab/play/*.py",
    "lab/simulator/*.py",
    "lab/kernels/*/*.py",
    "cards/*.py",
    "rulebooks/pay_lines.py",
    "rulebooks/vocabulary.py",
)
_ENDS = 32
"""Bytes at the end of a file: the hash of all before them."""


class _Array(msgspec.Struct, array_like=True):
    shape: tuple[int, ...]
    kind: str
    raw: bytes


class Use:
    """How many counts were read from disk, and how many were counted now."""

    def __init__(self) -> None:
        self.earlier = 0
        self.now = 0


class _State:
    fresh = False
    keeping = True
    seen = Use()


@contextmanager
def fresh(*, keeping: bool = True) -> Iterator[None]:
    """Count everything again within this context; keep it anew unless `keeping` is false."""
    before = _State.fresh, _State.keeping
    _State.fresh, _State.keeping = True, keeping
    try:
        yield
    finally:
        _State.fresh, _State.keeping = before


@contextmanager
def record_use() -> Iterator[Use]:
    """Record how much is read and how much is counted within this context."""
    before, _State.seen = _State.seen, Use()
    try:
        yield _State.seen
    finally:
        _State.seen = before


@cache
def _digest() -> str:
    digest = hashlib.sha256(np.__version__.encode())
    for pattern in _SOURCES:
        for source in sorted(_LAB.parent.glob(pattern)):
            digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:24]


def _folder() -> Path:
    return cache_home() / "counts" / _digest()


def count_file(kind: str, key: object) -> Path:
    """Return the file of these counts, named by the key's repr."""
    return _folder() / f"{kind}-{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}"


def has_counts(kind: str, key: object) -> bool:
    """Return whether these were counted before and may be used."""
    return not _State.fresh and count_file(kind, key).exists()


def counts(kind: str, key: object, make: Callable[[], Arrays]) -> dict[str, Ints]:
    """Return these counts: from disk, else made now and kept."""
    file = count_file(kind, key)
    if not _State.fresh:
        found = _read(file)
        if found is not None:
            _State.seen.earlier += 1
            return found
    made = dict(make())
    _State.seen.now += 1
    if _State.keeping:
        _write(file, made)
    return made


def _read(file: Path) -> dict[str, Ints] | None:
    try:
        whole = file.read_bytes()
    except OSError:
        return None
    body, ends = whole[:-_ENDS], whole[-_ENDS:]
    if hashlib.sha256(body).digest() != ends:
        return None
    found = msgspec.msgpack.decode(body, type=dict[str, _Array])
    return {name: np.frombuffer(each.raw, each.kind).reshape(each.shape) for name, each in found.items()}


def _write(file: Path, arrays: Arrays) -> None:
    """Write the file whole, so that no process reads half of it; where it cannot be written, keep nothing."""
    body = msgspec.msgpack.encode(
        {name: _Array(each.shape, each.dtype.str, each.tobytes()) for name, each in arrays.items()}
    )
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=file.parent, delete=False) as target:
            target.write(body + hashlib.sha256(body).digest())
        Path(target.name).replace(file)
