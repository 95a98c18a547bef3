"""The one binding to numba: how a kernel is compiled, where the machine code is kept, and how work is shared out."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, update_wrapper
from importlib.metadata import version
from pathlib import Path
from threading import Lock, RLock
from time import perf_counter
from types import FunctionType
from typing import SupportsInt, TypeAlias, TypeVar, cast

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
    digest = hashlib.sha256(f"{version('numba')} {np.__version__} {sys.version}".encode())
    for name in sorted(drawn):
        digest.update(name.encode() + b"\0" + _source(name)[0] + b"\0")
    return digest.hexdigest()[:16]


def cache_home() -> Path:
    """Where this user's machine keeps what need not be made twice."""
    home = os.environ.get("CROUPIER_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "croupier"


def cache_folder(module: str) -> Path:
    """Where the compiled kernels of a module are kept: one folder for each state of the sources behind them."""
    return cache_home() / "kernels" / f"{module}-{fingerprint(module)}"


class Clock:
    """How long kernels were being compiled, or loaded from their cache, by any thread: solving waits meanwhile."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._busy, self._since = 0, 0.0
        self._lock = Lock()

    def __enter__(self) -> None:
        with self._lock:
            if self._busy == 0:
                self._since = perf_counter()
            self._busy += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._busy -= 1
            if self._busy == 0:
                self.seconds += perf_counter() - self._since


COMPILING = Clock()
_MAKING = RLock()


class _Kernel:
    """A kernel before its first call: numba takes longer to load than most answers, and many need no kernel at all."""

    def __init__(self, function: Callable[..., object], *, door: bool) -> None:
        self.py_func = function
        self._door = door
        self._compiled: Callable[..., object] | None = None
        update_wrapper(self, function)

    def __call__(self, *args: object) -> object:
        compiled = self._compiled
        if compiled is None:
            with COMPILING:
                compiled = self.compiled()
        return compiled(*args)

    def compiled(self) -> Callable[..., object]:
        """What numba makes of it, with every kernel that it calls."""
        with _MAKING:
            if self._compiled is None:
                self._compiled = _compile(self.py_func, door=self._door)
            return self._compiled


def _compile(function: Callable[..., object], *, door: bool) -> Callable[..., object]:
    import numba  # noqa: PLC0415 - a sixth of a second

    assert isinstance(function, FunctionType)
    for name in function.__code__.co_names:
        drawn = function.__globals__.get(name)
        if isinstance(drawn, _Kernel):
            function.__globals__[name] = drawn.compiled()
    # numba itself looks only at the file that holds the function; a kernel that calls one of another file would go
    # stale. So the folder is named after all of them together; numba reads the setting while it wraps the function.
    module = function.__module__.rpartition(".")[2]
    setattr(numba.config, "CACHE_DIR", str(cache_folder(module)))  # noqa: B010 - its settings are declared at run time
    # Its stubs do not list every option. Divisors are constants, so nobody needs Python's error for a zero, and
    # nothing calls a kernel from C.
    njit = cast(Callable[..., Callable[[Callable[..., object]], Callable[..., object]]], numba.njit)
    found = njit(
        cache=True,
        nogil=True,
        boundscheck=False,
        error_model="numpy",
        no_cfunc_wrapper=True,
        no_cpython_wrapper=not door,
    )(function)
    compile_or_load = getattr(found, "compile")  # noqa: B009 - its stubs do not know it

    def timed(signature: object) -> object:
        with COMPILING:
            return compile_or_load(signature)

    setattr(found, "compile", timed)  # noqa: B010
    return found


def kernel(function: F) -> F:
    """Compile at the first call, keep the machine code, and let other threads run meanwhile."""
    return cast(F, _Kernel(function, door=True))


def part(function: F) -> F:
    """A piece of kernels that only kernels call: it needs no door from Python, which takes long to compile."""
    return cast(F, _Kernel(function, door=False))


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
