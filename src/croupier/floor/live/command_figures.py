"""How long each kind of command took from its sender's side, and what was refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from time import perf_counter

from croupier.floor.house.timings import Timings
from croupier.floor.records.commands import Answer, AtTable, HouseCommand
from croupier.floor.records.refusals import Code


class CommandFigures:
    """Figures of this server's commands since its start."""

    def __init__(self) -> None:
        self.seconds: dict[str, Timings] = {}
        """By the kind of command."""
        self.refusals: Counter[str] = Counter({Code.FAULT.value: 0})
        """By the code of the refusal. Internal errors begin at 0: an alarm does not see the step to a first figure."""
        self.on_answer: Callable[[str, float, Answer], None] | None = None
        """Called with kind, seconds and answer of every command; traces use it."""

    def answered(self, command: HouseCommand, started: float, answer: Answer) -> None:
        """Enter a command that was sent at `started`, by the performance counter."""
        seconds = perf_counter() - started
        kind = type(command.command if isinstance(command, AtTable) else command).__name__
        timings = self.seconds.get(kind)
        if timings is None:
            timings = self.seconds[kind] = Timings()
        timings.observe(seconds)
        if not answer.accepted:
            self.refusals[answer.code] += 1
        if self.on_answer is not None:
            self.on_answer(kind, seconds, answer)
