"""What a link keeps of Rounds, in the order in which it came and found by the table.

Every Round of every table changes its link. A plain tuple would be searched and copied whole each time, which at
thousands of tables costs more than the judgement itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import Generic, Self, TypeAlias, TypeVar, overload

T = TypeVar("T")
TableName: TypeAlias = str

_Held: TypeAlias = tuple[tuple[int, T], ...]
"""The values of one table, each after its place in the order."""

BUCKETS = 64
"""Parts of an index; a change copies one of them."""


class RoundIndex(Sequence[T], Generic[T]):
    """Values of Rounds, in order. It equals a tuple of the same values, and never changes: a change makes a new one."""

    __slots__ = ("_buckets", "_count", "_next")

    def __init__(self, values: Iterable[T] = ()) -> None:
        buckets: list[dict[TableName, list[tuple[int, T]]]] = [{} for _ in range(BUCKETS)]
        place = -1
        for place, value in enumerate(values):
            table = self.table_of(value)
            buckets[hash(table) % BUCKETS].setdefault(table, []).append((place, value))
        held: tuple[dict[TableName, _Held[T]], ...] = tuple(
            {table: tuple(some) for table, some in bucket.items()} for bucket in buckets
        )
        self._buckets, self._count, self._next = held, place + 1, place + 1

    @staticmethod
    def table_of(value: T) -> TableName:
        """Return the table of a value."""
        raise NotImplementedError

    # ---------------------------------------------------------------- changes

    def adding(self, value: T) -> Self:
        """Return an index with this value at the end."""
        table = self.table_of(value)
        return self._with(table, (*self._held(table), (self._next, value)), 1)

    def keeping(self, table: TableName, wanted: Callable[[T], bool]) -> Self:
        """Return an index that keeps only these values of a table."""
        held = self._held(table)
        if not held:
            return self
        left = tuple([pair for pair in held if wanted(pair[1])])
        return self if len(left) == len(held) else self._with(table, left, len(left) - len(held))

    def _with(self, table: TableName, held: _Held[T], more: int) -> Self:
        """Return an index with these values of a table, which are so many more than it had."""
        at = hash(table) % BUCKETS
        buckets = list(self._buckets)
        bucket = buckets[at] = {**buckets[at], table: held}
        if not held:
            del bucket[table]
        changed = object.__new__(type(self))
        changed._buckets, changed._next, changed._count = tuple(buckets), self._next + 1, self._count + more
        return changed

    # ---------------------------------------------------------------- what it holds

    def _held(self, table: TableName) -> _Held[T]:
        return self._buckets[hash(table) % BUCKETS].get(table, ())

    def of_table(self, table: TableName) -> tuple[T, ...]:
        """Return the values of one table, in order."""
        return tuple([value for _, value in self._held(table)])

    def __iter__(self) -> Iterator[T]:
        if not self._count:
            return iter(())
        # Most links have fewer tables than an index has parts.
        pairs = chain.from_iterable([held for bucket in filter(None, self._buckets) for held in bucket.values()])
        return (value for _, value in sorted(pairs, key=itemgetter(0)))

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...

    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RoundIndex | tuple) or len(self) != len(other):
            return False
        return tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # as a list, it is compared and never a key

    def __repr__(self) -> str:
        return f"{type(self).__name__}({tuple(self)!r})"
