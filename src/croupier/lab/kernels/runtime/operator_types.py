"""Remembering what numba has found out about the types of an operator.

For each `+` of two integers numba tries a dozen templates until one fits: a seventh of all compiling. Only a process
that does nothing but compile our kernels remembers, because a program may teach numba other types at any time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, cast

from numba.core.types import Type
from numba.core.types.functions import BaseFunction
from numba.core.typing.templates import Signature

_Resolve: TypeAlias = Callable[[BaseFunction, object, tuple[Type, ...], dict[str, Type]], Signature]


def remember_operator_types() -> None:
    """Have numba resolve each operator and function of its own once for the same types, until this process ends."""
    resolve = cast(_Resolve, BaseFunction.get_call_type)
    known: dict[tuple[object, tuple[Type, ...]], Signature] = {}

    def resolve_once(self: BaseFunction, context: object, args: tuple[Type, ...], named: dict[str, Type]) -> Signature:
        place = self.typing_key, tuple(args)
        if named or (found := known.get(place)) is None:
            found = resolve(self, context, args, named)
            # What numba compiles for a call depends on that call's settings, so it is not remembered.
            if not named and self.get_impl_key(found) is self.typing_key:
                known[place] = found
        else:
            self._impl_keys[found.args] = self.typing_key  # type: ignore[attr-defined]  # its stubs leave it out
        return found

    setattr(BaseFunction, "get_call_type", resolve_once)  # noqa: B010 - mypy takes no new method of a class
