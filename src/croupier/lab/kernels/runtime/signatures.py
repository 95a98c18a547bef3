"""What kernels take: every one that is long to compile, as Python calls it, and what it is needed for.

It is written down because nobody has called them yet when `precompile` compiles them. A test compares it with the
calls.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum, auto
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from croupier.lab.kernels.runtime.compiler import PACKAGE, cache_folder

if TYPE_CHECKING:
    from numba.core.types import Type


class Purpose(Enum):
    """What kernels are needed for."""

    COUNT_STREETS = auto()
    COUNT_FLOP_FIRST = auto()
    SHEET = auto()
    """Of any game on Hole Cards, beside counting it."""
    SHEET_STREETS = auto()
    SHEET_FLOP_FIRST = auto()
    SHEET_THREE_CARDS = auto()


_COUNT = (Purpose.COUNT_STREETS, Purpose.COUNT_FLOP_FIRST)
_STREETS = (Purpose.COUNT_STREETS,)
_ANY_SHEET = (Purpose.SHEET, Purpose.SHEET_THREE_CARDS)


class Door(NamedTuple):
    """A kernel as Python calls it."""

    name: str
    seconds: float
    """To compile, on the machine where it was measured: only how they compare to each other matters."""
    takes: str

    @property
    def missing(self) -> bool:
        module, _, name = self.name.rpartition(".")
        return not any(cache_folder(module).glob(f"*/{module.rpartition('.')[2]}.{name}-*.nbi"))


class Job(NamedTuple):
    """Kernels that share pieces, so that one process compiles them."""

    purposes: Collection[Purpose]
    doors: tuple[Door, ...]


# Integers of 64 bits, truth values, arrays by the width of their integers and how many dimensions they have.
# fmt: off
_HOLDS = {
    "Batch": "u1[2] u8[1] u8[1] u2[1] u2[1] u2[1] u2[1] u4[1] u4[1] u1[1] u1[1] u1[1] u2[1] u2[1] u1[1] u2[1] u2[1] "
             "i8[1]",
    "Bets": "i4[3] i4[4] i4[4] i4[4] i4[3]",
    "Boards": "i4[2] i4[2] i4[2] i4[2] i4[2] i4[2] i4[2] i4[2] i4[2] i4[2] i4[1] i4[1]",
    "Channels": "i8[2] i8[2] i8[1] int bool",
    "Common": "u1[1] Places Orders RankTables",
    "Holes": "u2[2] u2[1] i4[1] i4[2]",
    "Joint": "u2[2] u2[1] i4[1] i4[1]",
    "Kept": "i8[2] i8[2] i8[1] i8[2] i8[2] i8[2] i8[1]",
    "Lines": "i8[1] i8[1] i8[1] i8[1] i8[1]",
    "Order": "i4[2] i4[1] i4[2] i4[2]",
    "Orders": "u2[2] u2[2] u2[2] u2[2] u2[2] u2[1] u2[1] u2[1] u1[1] u1[1]",
    "Pairs": "i4[1] i4[1] u2[2] u2[1]",
    "Places": "u4[1] u4[1] u2[2] i4[1] i4[1]",
    "RankTables": "i4[1] i4[1] i4[1] i4[1]",
    "River": "i4[3] i4[4] i4[4] i4[3]",
    "Scratch": "i4[2] i4[3] i4[1] i4[1] i4[1] i4[1] i4[1] i4[1] i4[1] i4[1] i4[1] " + " ".join(["i8[1]"] * 13),
    "Table": "u1[1] u1[2] u1[2] i8[1] int bool u1[1] u1[2] int Lines int bool i8[1] int",
    "Tally": "i8[2] i8[2] i8[2] i8[1]",
    "Turns": "i8[3] i8[4] i8[4] i8[3]",
    "Weights": "i8[1] i8[1]",
}
_ORDERED = "Pairs Boards RankTables Order"
_ON_FLUSHES = "Channels Scratch i4[2]"
_SUMS_TO_COME = "Pairs Boards River Turns RankTables"
_DECLARING = (
    "enumerate.awards", "enumerate.flops", "cards.lookup", "random.rounds",
    "cards.ranking", "enumerate.rivers", "cards.shapes", "enumerate.streets",
    "enumerate.flush_sweep", "decide.decision_bits",
)
_PLAY = "int int int Table Common Batch i8[1] i8[1]"
_BET_SUMS = "i8[2] i8[2] i8[1]"
JOBS = (
    Job(_COUNT, (
        Door("enumerate.rivers.count_any_suited", 5.0, f"int int {_ORDERED} i4[3] {_ON_FLUSHES} i4[3] i4[4] i4[3]"),
    )),
    Job(_COUNT, (
        Door("enumerate.rivers.count_four_suited", 5.5, f"int {_ORDERED} i4[3] i4[2] {_ON_FLUSHES} i4[4] i4[3]"),
        Door("enumerate.rivers.count_three_suited", 3.2,
             f"int Pairs Boards Order i4[3] i4[2] {_ON_FLUSHES} i4[3] i4[4]"),
    )),
    Job(_COUNT, (
        Door("cards.ranking._fill", 0.5, "i4[1] i4[1] i4[1] i4[1]"),
        Door("enumerate.rank_patterns.order_by_faces", 0.8, "int int i4[2] Pairs RankTables i4[2] i4[1] i4[2] i4[2]"),
        Door("enumerate.rank_patterns.count_by_faces", 1.1, "int int i4[2] Pairs i4[2] i4[1] Channels i4[3] i4[2]"),
        Door("enumerate.rank_patterns.fewer_by_faces", 0.5, "int int i4[2] i4[2] Pairs i4[3] i4[3]"),
        Door("enumerate.rank_patterns.fewer_by_faces", 0.5, "int int i4[2] i4[2] Pairs i4[3] i8[3]"),
        Door("cards.suit_classes._canonical", 0.8, "int i1[2] i8[1]"),
        Door("enumerate.flops.flop_two_one", 1.6, "int Pairs Boards Joint Turns Bets i4[3] int bool Kept"),
        Door("enumerate.flops.flop_rainbow", 1.4, "int int Pairs Boards Holes Turns Bets int bool Kept"),
        Door("enumerate.flops.flop_one_suit", 1.3, "int int Pairs Boards Turns Bets int bool Weights Tally"),
        Door("enumerate.flops.tally_joint", 0.5, "Pairs Joint Kept Tally"),
        Door("enumerate.flops.tally_holes", 0.3, "Holes Kept Tally"),
    )),
    Job(_COUNT, (
        Door("enumerate.streets.turn_one", 0.3, "i4[3] i8[3]"),
        Door("enumerate.streets.turn_two", 1.0, "int Pairs Boards River i8[3]"),
        Door("enumerate.streets.turn_three", 0.6, "int int Boards River i8[3]"),
    )),
    Job(_STREETS, (
        Door("enumerate.streets.bet_two_one_one", 1.5, f"int Pairs Boards River Weights i4[3] i4[3] {_BET_SUMS}"),
        Door("enumerate.streets.bet_three_one", 0.6, f"int int Pairs Boards River Weights i4[4] {_BET_SUMS}"),
        Door("enumerate.streets.bet_four", 0.7, f"int int Pairs Boards River Weights i4[3] {_BET_SUMS}"),
        Door("enumerate.streets.bet_rainbow", 0.5, "int int Pairs Boards River i4[3] Tally"),
        Door("enumerate.streets.tally_types", 0.2, "i8[2] i8[2] i8[2] Pairs"),
        Door("enumerate.flops.bet_two_two", 1.1, "int Pairs Boards Joint River i4[3] Tally"),
    )),
    Job(_STREETS, (Door("enumerate.awards.count_flops", 1.6, "int int i1[2] i8[1] int Lines RankTables i8[2]"),)),
    Job((Purpose.COUNT_FLOP_FIRST,), (
        Door("enumerate.awards.count_boards", 1.4, "int int i1[2] i8[1] int Lines RankTables i8[2]"),
    )),
    Job((Purpose.SHEET_THREE_CARDS,), (
        Door("cards.ranking._fill", 0.5, "i4[1] i4[1] i4[1] i4[1]"),
        Door("enumerate.awards.count_three_and_two", 1.6, "int int i1[2] i8[1] Lines RankTables i8[1]"),
        Door("cards.suit_classes._canonical", 0.8, "int i1[2] i8[1]"),
    )),
    Job(_ANY_SHEET, (
        Door("decide.decision_bits._place", 0.6, "int i1[2] i8[2] i4[1] i4[1] u4[1]"),
        Door("cards.lookup._fill", 0.5, "Boards Pairs RankTables i8[2] i8[1]"),
    )),
    Job((Purpose.SHEET_STREETS,), (Door("random.rounds.play_streets", 6.4, _PLAY),)),
    Job((Purpose.SHEET_FLOP_FIRST,), (Door("random.rounds.play_flop_first", 6.0, _PLAY),)),
    Job((Purpose.SHEET_THREE_CARDS,), (Door("random.rounds.play_three", 4.5, _PLAY),)),
    Job((Purpose.SHEET,), (
        Door("check.hand_rounds.replay", 1.9,
             f"int int int int bool bool i8[1] i8[1] int int bool i8[1] {_SUMS_TO_COME} i8[2]"),
        Door("check.paired_rounds.lost_by", 1.6,
             f"i8[2] i8[2] int int bool i8[2] i8[1] i8[1] int int bool {_SUMS_TO_COME} i8[1]"),
        Door("enumerate.positions.flop_value", 0.5, "int int int i8[1] Pairs Boards Turns i8[1] i8[1]"),
        Door("enumerate.positions.turn_value", 0.5, "int int int i8[1] Pairs Boards River i8[1] i8[1]"),
    )),
    Job((Purpose.SHEET,), (
        Door("decide.rules_of_thumb.sort_flops", 1.6,
             "int int i1[2] i8[1] int i8[2] Pairs Boards Turns RankTables i8[2]"),
        Door("decide.decision_bits.best_flops", 0.6, "int int i1[2] int Pairs Boards Turns u1[2]"),
    )),
    Job((Purpose.SHEET_STREETS,), (
        Door("decide.rules_of_thumb.sort_turns", 1.2, "int int i1[2] i8[1] i8[2] Pairs Boards River RankTables i8[2]"),
        Door("decide.decision_bits.best_turns", 0.6, "int int i1[2] Pairs Boards River u1[2]"),
        Door("decide.withdrawal.count_leaving", 1.6, "int int i1[2] i8[1] i8[1] i8[2] Pairs Boards River Turns i8[1]"),
        Door("enumerate.positions.count_out_turn", 1.0, "int int i8[1] i8[1] RankTables Channels i8[1] i8[1]"),
    )),
)
# fmt: on
DOORS = tuple(dict.fromkeys(door for job in JOBS for door in job.doors))


def signature(door: Door) -> tuple[Type, ...]:
    """What a kernel takes, in numba's words."""
    return tuple(_kind(word) for word in door.takes.split())


def _kind(word: str) -> Type:
    from numba.core import types  # noqa: PLC0415

    if word in _HOLDS:
        held = tuple(_kind(each) for each in _HOLDS[word].split())
        found: Type = types.BaseTuple.from_types(held, _tuple(word))  # type: ignore[no-untyped-call]  # numba's own
        return found
    plain = {"int": types.int64, "bool": types.boolean}
    if word in plain:
        return plain[word]
    width, _, dimensions = word.rstrip("]").partition("[")
    return types.Array(types.Integer.from_bitwidth(8 * int(width[1:]), width[0] == "i"), int(dimensions), "C")


def _tuple(name: str) -> type:
    """The named tuple of that name, from the module of kernels that declares it."""
    for module in _DECLARING:
        found = getattr(import_module(f"{PACKAGE}.{module}"), name, None)
        if isinstance(found, type):
            return found
    raise LookupError(name)
