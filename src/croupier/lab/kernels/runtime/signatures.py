"""The arguments of every kernel that takes long to compile, and what it is needed for.

`precompile` compiles them before any call has shown their types. A test compares this list with the calls.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from enum import Enum, auto
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from croupier.lab.kernels.runtime.compiler import PACKAGE, cache_folder

if TYPE_CHECKING:
    from numba.core.types import Type


class Purpose(Enum):
    """What kernels are needed for."""

    COUNT_STREETS = auto()
    COUNT_FLOP_FIRST = auto()
    SHEET = auto()
    """A sheet of any game on Hole Cards, beside counting it."""
    SHEET_STREETS = auto()
    SHEET_FLOP_FIRST = auto()
    SHEET_THREE_CARDS = auto()


_COUNT = (Purpose.COUNT_STREETS, Purpose.COUNT_FLOP_FIRST)
_STREETS = (Purpose.COUNT_STREETS,)
_ANY_SHEET = (Purpose.SHEET, Purpose.SHEET_THREE_CARDS)


class EntryPoint(NamedTuple):
    """A kernel as Python calls it."""

    name: str
    seconds: float
    """Seconds to compile, relative to the others."""
    takes: str

    @property
    def missing(self) -> bool:
        module, _, name = self.name.rpartition(".")
        return not any(cache_folder(module).glob(f"*/{module.rpartition('.')[2]}.{name}-*.nbi"))


class Job(NamedTuple):
    """Kernels that share pieces, so that one process compiles them."""

    purposes: Collection[Purpose]
    entries: tuple[EntryPoint, ...]


# Integers of 64 bits, truth values, arrays by the width of their integers and how many dimensions they have.
# fmt: off
_HOLDS = {
    "Batch": "u1[2] u8[1] u8[1] u2[1] u2[1] u2[1] u2[1] u4[1] u4[1] u1[1] u1[1] u1[1] u2[1] u2[1] u1[1] u2[1] u2[1] "
             "i8[1]",
    "Bets": "i4[3] i4[4] i4[4] i4[4] i4[3]",
    "Boards": "i4[2] i4[2] i4[2] i4[2] i4[2] i4[2] i4[2] i4[2] i4[2] i4[2] i4[1] i4[1]",
    "Channels": "i8[2] i8[2] i8[1] int bool",
    "FlopWork": "SumTables Bets int bool",
    "FlushWork": "Shapes RankTables Order i4[3] i4[2] Channels Scratch i4[2] i4[4] i4[3]",
    "Common": "u1[1] Places Orders RankTables",
    "Holes": "u2[2] u2[1] i4[1] i4[2]",
    "Joint": "u2[2] u2[1] i4[1] i4[1]",
    "FlopSums": "i8[2] i8[2] i8[1] i8[2] i8[2] i8[2] i8[1]",
    "Lines": "i8[1] i8[1] i8[1] i8[1] i8[1]",
    "Order": "i4[2] i4[1] i4[2] i4[2]",
    "Orders": "u2[2] u2[2] u2[2] u2[2] u2[2] u2[1] u2[1] u2[1] u1[1] u1[1]",
    "Pairs": "i4[1] i4[1] u2[2] u2[1]",
    "Places": "u4[1] u4[1] u2[2] i4[1] i4[1]",
    "RankTables": "i4[1] i4[1] i4[1] i4[1]",
    "River": "i4[3] i4[4] i4[4] i4[3]",
    "Scratch": "i4[2] i4[3] i4[1] i4[1] i4[1] i4[1] i4[1] i4[1] i4[1] i4[1] i4[1] " + " ".join(["i8[1]"] * 13),
    "Shapes": "Pairs Boards Joint Holes",
    "SumTables": "Shapes River Turns",
    "Table": "u1[1] u1[2] u1[2] i8[1] int bool u1[1] u1[2] int Lines int bool i8[1] int",
    "Tally": "i8[2] i8[2] i8[2] i8[1]",
    "TurnWork": "Shapes River Weights i8[2] i8[2] i8[1]",
    "Turns": "i8[3] i8[4] i8[4] i8[3]",
    "Weights": "i8[1] i8[1]",
}
_PLAY = "int int int Table Common Batch i8[1] i8[1]"
Entry = EntryPoint
JOBS = (
    Job(_COUNT, (
        Entry("enumerate.rivers.count_five_suited", 3.0, "FlushWork"),
    )),
    Job(_COUNT, (
        Entry("enumerate.rivers.count_four_suited", 3.4, "int FlushWork"),
        Entry("enumerate.rivers.count_three_suited", 1.8, "int FlushWork i4[3]"),
    )),
    Job(_COUNT, (
        Entry("cards.ranking._fill", 0.2, "i4[1] i4[1] i4[1] i4[1]"),
        Entry("enumerate.rank_patterns.order_by_faces", 0.4, "int int i4[2] Pairs RankTables i4[2] i4[1] i4[2] i4[2]"),
        Entry("enumerate.rank_patterns.count_by_faces", 0.8, "int int i4[2] Pairs i4[2] i4[1] Channels i4[3] i4[2]"),
        Entry("enumerate.rank_patterns.fewer_by_faces", 0.2, "int int i4[2] i4[2] Pairs i4[3] i4[3]"),
        Entry("enumerate.rank_patterns.fewer_by_faces", 0.2, "int int i4[2] i4[2] Pairs i4[3] i8[3]"),
        Entry("cards.suit_classes._canonical", 0.4, "int i1[2] i8[1]"),
        Entry("enumerate.flops.flop_two_one", 1.3, "int FlopWork i4[3] FlopSums"),
        Entry("enumerate.flops.flop_rainbow", 1.1, "int int FlopWork FlopSums"),
        Entry("enumerate.flops.flop_one_suit", 1.1, "FlopWork Weights Tally"),
        Entry("enumerate.flops.tally_joint", 0.3, "Pairs Joint FlopSums Tally"),
        Entry("enumerate.flops.tally_holes", 0.1, "Holes FlopSums Tally"),
    )),
    Job(_COUNT, (
        Entry("enumerate.streets.turn_one", 0.3, "i4[3] i8[3]"),
        Entry("enumerate.streets.turn_two", 0.5, "int Shapes River i8[3]"),
        Entry("enumerate.streets.turn_three", 0.4, "Boards River i8[3]"),
    )),
    Job(_STREETS, (
        Entry("enumerate.streets.bet_two_one_one", 0.9, "int TurnWork i4[3] i4[3]"),
        Entry("enumerate.streets.bet_three_one", 0.4, "int int TurnWork i4[4]"),
        Entry("enumerate.streets.bet_four", 0.4, "TurnWork i4[3]"),
        Entry("enumerate.streets.bet_rainbow", 0.5, "Shapes River i4[3] Tally"),
        Entry("enumerate.streets.tally_types", 0.1, "i8[2] i8[2] i8[2] Pairs"),
        Entry("enumerate.flops.bet_two_two", 0.9, "int Shapes River i4[3] Tally"),
    )),
    Job(_STREETS, (Entry("enumerate.awards.count_flops", 1.8, "int int i1[2] i8[1] int Lines RankTables i8[2]"),)),
    Job((Purpose.COUNT_FLOP_FIRST,), (
        Entry("enumerate.awards.count_boards", 1.6, "int int i1[2] i8[1] int Lines RankTables i8[2]"),
    )),
    Job((Purpose.SHEET_THREE_CARDS,), (
        Entry("cards.ranking._fill", 0.2, "i4[1] i4[1] i4[1] i4[1]"),
        Entry("enumerate.awards.count_three_and_two", 1.2, "int int i1[2] i8[1] Lines RankTables i8[1]"),
        Entry("cards.suit_classes._canonical", 0.4, "int i1[2] i8[1]"),
    )),
    Job(_ANY_SHEET, (
        Entry("decide.decision_bits._place", 0.3, "i1[2] i8[2] Places u4[1]"),
        Entry("cards.lookup._fill", 0.3, "Boards Pairs RankTables i8[2] i8[1]"),
    )),
    Job((Purpose.SHEET_STREETS,), (Entry("random.rounds.play_streets", 4.0, _PLAY),)),
    Job((Purpose.SHEET_FLOP_FIRST,), (Entry("random.rounds.play_flop_first", 3.7, _PLAY),)),
    Job((Purpose.SHEET_THREE_CARDS,), (Entry("random.rounds.play_three", 2.7, _PLAY),)),
    Job((Purpose.SHEET,), (
        Entry("check.hand_rounds.play_hand", 1.5,
             "int int int int bool bool i8[1] i8[1] int int bool i8[1] SumTables RankTables i8[2]"),
        Entry("check.paired_rounds.rule_losses", 1.1,
             "i8[2] i8[2] int int bool i8[2] i8[1] i8[1] int int bool SumTables RankTables i8[1]"),
        Entry("enumerate.positions.position_value", 0.4, "int int int int i8[1] SumTables i8[1]"),
    )),
    Job((Purpose.SHEET,), (
        Entry("decide.rules_of_thumb.tally_patterns", 1.4,
             "int int i1[2] i8[1] int i8[2] SumTables RankTables i8[2]"),
        Entry("decide.rules_of_thumb.pattern_of", 0.6, "int int i8[1] int RankTables i8[1]"),
        Entry("decide.decision_bits.best_bits", 0.5, "int int i1[2] int SumTables u1[2]"),
    )),
    Job((Purpose.SHEET_STREETS,), (
        Entry("decide.withdrawal.count_withdrawals", 1.4, "int int i1[2] i8[1] i8[1] i8[2] SumTables i8[1]"),
        Entry("enumerate.positions.count_out_turn", 0.5, "int int i8[1] i8[1] RankTables Channels i8[1] i8[1]"),
    )),
)
# fmt: on
ENTRY_POINTS = tuple(dict.fromkeys(entry for job in JOBS for entry in job.entries))


def signature(entry: EntryPoint) -> tuple[Type, ...]:
    """Return the types that a kernel takes, as numba names them."""
    module = import_module(f"{PACKAGE}.{entry.name.rpartition('.')[0]}")
    return tuple(_kind(word, module) for word in entry.takes.split())


def _kind(word: str, module: ModuleType) -> Type:
    """Return a type by its word in `takes`; a module that takes a named tuple has its name."""
    from numba.core import types  # noqa: PLC0415

    if word in _HOLDS:
        named = getattr(module, word)
        held = tuple(_kind(each, sys.modules[named.__module__]) for each in _HOLDS[word].split())
        found: Type = types.BaseTuple.from_types(held, named)  # type: ignore[no-untyped-call]  # numba's own
        return found
    plain = {"int": types.int64, "bool": types.boolean}
    if word in plain:
        return plain[word]
    width, _, dimensions = word.rstrip("]").partition("[")
    return types.Array(types.Integer.from_bitwidth(8 * int(width[1:]), width[0] == "i"), int(dimensions), "C")
