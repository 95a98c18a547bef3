"""Compiling a kernel that only other kernels call: as code to link, without machine code of its own.

numba would optimise it and make machine code that is never run, though every caller links it and optimises both
together: a fifth of all compiling.
"""

from __future__ import annotations

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class LinkedCode(JITCodeLibrary):
    """The code of a kernel as its callers link it."""

    @property
    def codegen(self) -> LinkedCode:
        """Return itself, where numba sets what machine code would read."""
        return self

    def set_env(self, name: str, env: object) -> None:
        pass

    def get_pointer_to_function(self, _: str) -> int:
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class LinkedCompiler(Compiler):
    """numba's compiler, which writes into `LinkedCode`."""

    def define_pipelines(self) -> object:
        state = self.state
        name = state.func_id.func_qualname
        state.library = LinkedCode(state.targetctx.codegen(), name)  # type: ignore[no-untyped-call]  # numba's own
        return super().define_pipelines()  # type: ignore[no-untyped-call]  # likewise
