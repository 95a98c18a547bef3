"""The one binding to numba: how a kernel is compiled, where the machine code is kept, and how work is shared out."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from threading import Lock
from typing import SupportsInt, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
"""An array of integers; how wide they are is chosen where it is made, by the helper below."""

F = TypeVar("F", bound=Callable[..., object])
S = TypeVar("S")


_KERNELS = Path(__file__).parent
_IMPORTED = re.compile(r"^from croupier\.lab\.kernels(?:\.(\w+) import| import (\([^)]*\)|.*))", re.MULTILINE)


@cache
def _source(module: str) -> tuple[bytes, tuple[str, ...]]:
    """What a module of kernels says, and which others it imports."""
    text = (_KERNELS / f"{module}.py").read_bytes()
    names = {name for found in _IMPORTED.findall(text.decode()) for name in re.findall(r"\w+", " ".join(found))}
    return text, tuple(sorted(name for name in names if (_KERNELS / f"{name}.py").exists()))


def fingerprint(module: str) -> str:
    """Changes with the source of a module of kernels, with any that it draws on, with numba and with Python."""
    drawn, waiting = set[str](), [module, "compiling"]
    while waiting:
        name = waiting.pop()
        if name not in drawn:
            drawn.add(name)
            waiting += _source(name)[1]
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version}".encode())
    for name in sorted(drawn):
        digest.update(name.encode() + b"\0" + _source(name)[0] + b"\0")
    return digest.hexdigest()[:16]


def cache_folder(module: str) -> Path:
    """Where the compiled kernels of a module are kept: one folder for each state of the sources behind them."""
    home = os.environ.get("CROUPIER_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "croupier" / "kernels" / f"{module}-{fingerprint(module)}"


def _keep_in_its_folder(function: Callable[..., object]) -> None:
    # numba itself looks only at the file that holds the function; a kernel that calls one of another file would go
    # stale. So the folder is named after all of them together; numba reads the setting while it wraps the function.
    module = function.__module__.rpartition(".")[2]
    setattr(numba.config, "CACHE_DIR", str(cache_folder(module)))  # noqa: B010 - its settings are declared at run time


# Its stubs do not list every option. Divisors are constants, so nobody needs Python's error for a zero, and nothing
# calls a kernel from C.
_njit = cast(Callable[..., Callable[[Callable[..., object]], object]], numba.njit)
_compiled = partial(_njit, cache=True, nogil=True, boundscheck=False, error_model="numpy", no_cfunc_wrapper=True)


def kernel(function: F) -> F:
    """Compile at the first call, keep the machine code, and let other threads run meanwhile."""
    _keep_in_its_folder(function)
    return cast(F, _compiled()(function))


def part(function: F) -> F:
    """A piece of kernels that only kernels call: it needs no door from Python, which takes long to compile."""
    _keep_in_its_folder(function)
    return cast(F, _compiled(no_cpython_wrapper=True)(function))


def zeros(shape: int | tuple[int, ...], bits: int = 64) -> Ints:
    """Integers of so many bits, all 0."""
    return cast(Ints, np.zeros(shape, f"i{bits // 8}"))


def natural(shape: int | tuple[int, ...], bits: int = 64) -> Ints:
    """Integers of so many bits without a sign, all 0: places in arrays, cards, bits themselves."""
    return cast(Ints, np.zeros(shape, f"u{bits // 8}"))


def room(shape: int | tuple[int, ...], bits: int = 64) -> Ints:
    """Integers of so many bits, yet to be written."""
    return cast(Ints, np.empty(shape, f"i{bits // 8}"))


@part
def unsigned(place: int) -> int:
    """A place in an array that is known not to be negative, so that nothing need be checked."""
    return np.uint32(place)  # type: ignore[return-value]  # compiled, it is a plain integer


@part
def whole(value: SupportsInt) -> int:
    """A number as 64 bits with a sign, so that none without one meets it: numba would make floats of the two."""
    return np.int64(value)  # type: ignore[return-value]  # compiled, it is a plain integer


def plain(function: F) -> F:
    """The Python function behind a kernel, for tests that count what the machine code counts."""
    return cast(F, getattr(function, "py_func", function))


def workers() -> int:
    """How many threads share the work: CROUPIER_WORKERS, else one for each core this process may use."""
    asked = os.environ.get("CROUPIER_WORKERS", "")
    if asked.isdigit() and int(asked) > 0:
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _pool(size: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(size, thread_name_prefix="kernel")


def share(make: Callable[[], S], work: Callable[[S, int], object], pieces: Iterable[int]) -> list[S]:
    """Every piece is worked on by whichever thread is free; what each thread has made for itself comes back."""
    waiting = iter(list(pieces))
    lock = Lock()

    def run(_: int) -> S:
        own = make()
        while True:
            with lock:
                piece = next(waiting, None)
            if piece is None:
                return own
            work(own, piece)

    count = workers()
    return [run(0)] if count == 1 else list(_pool(count).map(run, range(count)))
