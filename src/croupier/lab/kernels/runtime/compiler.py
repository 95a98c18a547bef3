"""The binding to numba: compiling kernels, keeping their machine code, sharing work among threads."""

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
from typing import Protocol, SupportsInt, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
"""An array of integers; `zeros`, `unsigned_zeros` and `empty` choose their width."""

F = TypeVar("F", bound=Callable[..., object])
S = TypeVar("S")


PACKAGE = "croupier.lab.kernels"
_KERNELS = Path(__file__).parents[1]
_IMPORTED = re.compile(r"^ *from croupier\.lab\.kernels\.(\w+)(?:\.(\w+) import| import (\([^)]*\)|.*))", re.MULTILINE)


def _file(module: str) -> Path:
    return _KERNELS / f"{module.replace('.', '/')}.py"


@cache
def _source(module: str) -> tuple[bytes, tuple[str, ...]]:
    """Read a module of kernels, such as `cards.ranking`, and list the others that it imports."""
    text = _file(module).read_bytes()
    found = _IMPORTED.findall(text.decode())
    imported = {f"{room}.{name}" for room, one, many in found for name in re.findall(r"\w+", one or many)}
    return text, tuple(sorted(name for name in imported if _file(name).exists()))


def fingerprint(module: str) -> str:
    """Return a hash of a module of kernels, of the modules it imports, and of the versions of numba and Python."""
    drawn, waiting = set[str](), [module, "runtime.compiler"]
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
    """Return this user's cache folder."""
    home = os.environ.get("CROUPIER_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "croupier"


def cache_folder(module: str) -> Path:
    """Return the folder of a module's compiled kernels, named after the sources behind them."""
    return cache_home() / "kernels" / f"{module}-{fingerprint(module)}"


class Clock:
    """Counts the seconds in which any thread compiles kernels or loads them from the cache."""

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
_WIDEST = 64
_ALLOCATING = frozenset({"zeros", "arange", "array"})
"""How a kernel makes arrays. Only in such a kernel numba counts who holds each array, of which a tuple has dozens."""
_MAKING = RLock()


class Kernel:
    """A kernel that is compiled at its first call: numba takes longer to load than most answers."""

    def __init__(self, function: Callable[..., object], *, inner_only: bool = False, inlined: bool = False) -> None:
        self.py_func = function
        self._inner_only, self._inlined = inner_only, inlined
        self._entry: Compiled | None = None
        self._inner: Compiled | None = None
        update_wrapper(self, function)

    def __call__(self, *args: object) -> object:
        entry = self._entry
        if entry is None:
            with COMPILING:
                entry = self.entry()
        return entry(*args)

    def entry(self) -> Compiled:
        """Return the version that Python calls; its machine code is kept, with every kernel that it calls."""
        assert not self._inner_only, f"{self.py_func.__qualname__} is called by kernels only"
        with _MAKING:
            if self._entry is None:
                self._entry = _compile(self.py_func, entry=True)
            return self._entry

    def inner(self) -> Compiled:
        """Return the version that other kernels call; it becomes part of their machine code and is not kept."""
        with _MAKING:
            if self._inner is None:
                self._inner = _compile(self.py_func, entry=False, inlined=self._inlined)
            return self._inner


class Compiled(Protocol):
    """What numba makes of a function, typed as far as it is used here."""

    get_call_template: Callable[[tuple[object, ...], object], object]
    compile: Callable[[object], object]

    def __call__(self, *args: object) -> object: ...


def _compile(function: Callable[..., object], *, entry: bool, inlined: bool = False) -> Compiled:
    import numba  # noqa: PLC0415 - a sixth of a second
    from numba.core.compiler import Compiler  # noqa: PLC0415

    from croupier.lab.kernels.runtime.linked_code import LinkedCompiler  # noqa: PLC0415 - it loads numba

    assert isinstance(function, FunctionType)
    called = {name: function.__globals__.get(name) for name in function.__code__.co_names}
    inner = {name: each.inner() for name, each in called.items() if isinstance(each, Kernel)}
    bound = FunctionType(function.__code__, {**function.__globals__, **inner}, function.__name__)
    update_wrapper(bound, function)
    # numba itself looks only at the file that holds the function; a kernel that calls one of another file would go
    # stale. So the folder is named after all of them together; numba reads the setting while it wraps the function.
    module = function.__module__.removeprefix(f"{PACKAGE}.")
    setattr(numba.config, "CACHE_DIR", str(cache_folder(module)))  # noqa: B010 - its settings are declared at run time
    # Its stubs do not list every option. Divisors are constants, so nobody needs Python's error for a zero, and
    # nothing calls a kernel from C.
    njit = cast(Callable[..., Callable[[Callable[..., object]], Compiled]], numba.njit)
    found = njit(
        cache=entry,
        nogil=True,
        forceinline=inlined and not entry,
        boundscheck=False,
        error_model="numpy",
        no_cfunc_wrapper=True,
        no_cpython_wrapper=not entry,
        pipeline_class=Compiler if entry else LinkedCompiler,
        _nrt=not _ALLOCATING.isdisjoint(function.__code__.co_names),
    )(bound)
    _compile_once(found)
    compile_or_load = found.compile

    def timed(signature: object) -> object:
        with COMPILING:
            return compile_or_load(signature)

    found.compile = timed
    return found


def _compile_once(found: Compiled) -> None:
    """Compile one version for integers of any width, known beforehand or not.

    numba would compile a version for each, with nearly the same machine code, and take a quarter longer.
    """
    from numba.core import types  # noqa: PLC0415

    template = found.get_call_template

    def wide(kind: object) -> object:
        unknown: object = types.unliteral(kind)  # type: ignore[no-untyped-call]  # numba's own
        narrow = isinstance(unknown, types.Integer) and getattr(unknown, "bitwidth", _WIDEST) < _WIDEST
        return types.int64 if narrow else unknown

    def of_wide(kinds: tuple[object, ...], named: object) -> object:
        return template(tuple(wide(kind) for kind in kinds), named)

    found.get_call_template = of_wide


def kernel(function: F) -> F:
    """Compile at the first call, keep the machine code, and let other threads run meanwhile."""
    return cast(F, Kernel(function))


def part(function: F) -> F:
    """Mark a function that only kernels call."""
    return cast(F, Kernel(function, inner_only=True))


def inlined(function: F) -> F:
    """Mark a kernel that is written into its callers, which often know the sizes it asks for."""
    return cast(F, Kernel(function, inlined=True))


def zeros(shape: int | tuple[int, ...], bits: int = 64) -> Ints:
    """Return integers of this many bits, all 0."""
    return cast(Ints, np.zeros(shape, f"i{bits // 8}"))


def unsigned_zeros(shape: int | tuple[int, ...], bits: int = 64) -> Ints:
    """Return integers of this many bits without a sign, all 0: places in arrays, cards, bits."""
    return cast(Ints, np.zeros(shape, f"u{bits // 8}"))


def empty(shape: int | tuple[int, ...], bits: int = 64) -> Ints:
    """Return integers of this many bits, not yet written."""
    return cast(Ints, np.empty(shape, f"i{bits // 8}"))


@part
def unsigned(place: int) -> int:
    """Mark a place in an array as not negative, so that compiled code need not check it."""
    return np.uint32(place)  # type: ignore[return-value]  # compiled, it is a plain integer


@part
def as_int64(value: SupportsInt) -> int:
    """Return a number as 64 bits with a sign: numba makes floats of signed with unsigned integers."""
    return np.int64(value)  # type: ignore[return-value]  # compiled, it is a plain integer


def workers() -> int:
    """Return the number of threads: CROUPIER_WORKERS, else one for each core this process may use."""
    asked = os.environ.get("CROUPIER_WORKERS", "")
    if asked.isdigit() and int(asked) > 0:
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _pool(size: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(size, thread_name_prefix="kernel")


def in_threads(make: Callable[[], S], work: Callable[[S, int], object], pieces: Iterable[int]) -> list[S]:
    """Run `work` on every piece in threads; return what each thread made for itself."""
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


def in_chunks(size: int, parts: int, work: Callable[[int, int], object]) -> None:
    """Run `work(first, last)` in threads on rows 0 to `size`, cut into this many parts."""
    step = -(-size // parts)
    in_threads(lambda: None, lambda _, first: work(first, min(size, first + step)), range(0, size, step))


def sum_chunks(shape: int | tuple[int, ...], size: int, step: int, work: Callable[[Ints, int, int], object]) -> Ints:
    """Run `work(sums, first, last)` in threads on rows 0 to `size`, `step` at a time; return the added sums."""
    return add_up(
        in_threads(
            lambda: zeros(shape), lambda sums, first: work(sums, first, min(size, first + step)), range(0, size, step)
        )
    )


def add_up(parts: list[Ints]) -> Ints:
    """Add what several threads have counted to the first of them."""
    whole, *others = parts
    for other in others:
        whole += other
    return whole
