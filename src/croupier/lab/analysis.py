"""Everything that is known of a game, in one piece: the answer of `croupier analyze` as data and as JSON."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec

from croupier.lab.model.game import Game, Structure, game
from croupier.lab.progress import Progress, no_progress
from croupier.lab.published import Published, published
from croupier.lab.solve.solution import Solution, solve
from croupier.money import Money, show
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET

if TYPE_CHECKING:
    from croupier.lab.bets.jackpot import JackpotFigures
    from croupier.lab.bets.results import BetFigures
    from croupier.lab.bets.side_bets import SideFigures
    from croupier.lab.bets.stakes import CombinedPlay

__all__ = ["Analysis", "analyze"]

Json = dict[str, "JsonValue"]
JsonValue = str | int | float | bool | None | list["JsonValue"] | Json


class Analysis(msgspec.Struct, frozen=True):
    """One game, solved, with every side Bet and the jackpot beside it."""

    solved: Solution
    bets: dict[str, BetFigures]
    sides: dict[str, SideFigures]
    jackpot: JackpotFigures | None
    combined: CombinedPlay | None
    ante: Money
    """The caller's, else the table's least: what a whole round costs depends on it."""
    seconds: float
    """Seconds of solving alone."""
    compiling: float
    """Seconds in which kernels were compiled, or loaded from their cache."""
    counted_earlier: bool
    """Whether an earlier run counted all that the figures are worked out from."""

    @property
    def published(self) -> tuple[Published, ...]:
        return published(self.solved, self.sides)

    @property
    def game(self) -> Game:
        return self.solved.game

    @property
    def round_break_even(self) -> Fraction | None:
        """Return the meter from which a round with this Ante and the jackpot Bet favours the Player."""
        if self.jackpot is None:
            return None
        return self.jackpot.meter_for(self.jackpot.bet - self.solved.ev * self.ante)

    def json(self) -> Json:
        """Return what the command prints: exact figures as fractions in text, money as text, the others as numbers."""
        found: Json = {
            "game": self.game.name,
            "base": _base(self.solved, self.bets),
            "side_bets": {name: _side(figures) for name, figures in self.sides.items()},
        }
        if self.jackpot is not None:
            found["jackpot"] = _jackpot(self.jackpot, self.ante, self.round_break_even)
        if self.combined is not None:
            found["combined"] = _combined(self.combined)
        if self.published:
            found["published"] = [
                {"figure": each.figure, "published": each.says, "exact": each.ours, "agrees": each.agrees}
                for each in self.published
            ]
        found["readings"] = dict(self.game.terms.book.readings.changed)
        found["seconds"] = round(self.seconds, 6)
        found["compiling_seconds"] = round(self.compiling, 6)
        found["counted"] = "earlier" if self.counted_earlier else "now"
        return found


def amount(cents: Fraction | Money) -> str:
    """Return money as text with two decimals; a meter between two cents is rounded."""
    return show(round(cents))


def _base(solved: Solution, bets: dict[str, BetFigures]) -> Json:
    return {
        "ev": str(solved.ev),
        "house_edge": solved.house_edge,
        "average_wager": float(solved.average_wager),
        "element_of_risk": solved.element_of_risk,
        "standard_deviation": solved.standard_deviation,
        "decisions": {name: str(chance) for name, chance in solved.decisions.items()},
        "indifferent": msgspec.to_builtins(solved.indifferent, enc_hook=str),
        "bets": {
            name: {
                "placed": str(figures.placed),
                "hit_rate": str(figures.hit_rate),
                "ev": str(figures.ev),
                "rows": [
                    {"row": row.row, "probability": str(row.probability), "pays": f"{row.pays} to 1"}
                    for row in figures.rows
                ],
            }
            for name, figures in bets.items()
        },
    }


def _combined(found: CombinedPlay) -> Json:
    return {
        "ante": amount(found.beside.ante),
        "stakes": {name: amount(stake) for name, stake in found.beside.stakes.items()},
        "ev": str(found.ev),
        "gain": str(found.gain),
        "changed_hands": list(found.changed),
    }


def _side(figures: SideFigures) -> Json:
    pays = dict(figures.side.declared.table.rows)
    return {
        "ev": str(figures.ev),
        "hit_rate": str(figures.hit_rate),
        "standard_deviation": figures.standard_deviation,
        "rows": [
            {
                "row": row,
                "probability": str(chance),
                "pays": str(pays[row]),
                "return": str(chance * figures.side.pays[row]),
            }
            for row, chance in figures.paid.items()
        ],
    }


def _jackpot(figures: JackpotFigures, ante: Money, whole_round: Fraction | None) -> Json:
    even = figures.break_even_meter
    made = figures.made
    found: Json = {
        "awards": [
            {
                "hand": award.hand,
                "probability": str(figures.probabilities[award.hand]),
                "pays": str(award.pays),
                "made": str(made[award.hand]),
            }
            for award in figures.jackpot.awards
        ],
        "bet": amount(figures.bet),
        "fixed_return": str(figures.fixed_return),
        "meter_share": str(figures.meter_share),
        "break_even_meter": None if even is None else amount(even),
        "ante": amount(ante),
        "round_break_even_meter": None if whole_round is None else amount(whole_round),
    }
    if figures.meter is not None:
        found["meter"] = amount(figures.meter)
        found["return_at_meter"] = float(figures.expected(figures.meter) / figures.bet)
    return found


def analyze(
    terms: Terms,
    *,
    meter: Money | None = None,
    ante: Money | None = None,
    stakes: dict[str, Money] | None = None,
    participants: int = 1,
    progress: Progress = no_progress,
) -> Analysis:
    """Solve these terms; with `stakes` (side Bets or the jackpot Bet, in cents) also the best play of all together."""
    from croupier.lab import cache  # noqa: PLC0415 - they load numpy
    from croupier.lab.bets import jackpot, side_bets  # noqa: PLC0415 - they load numpy
    from croupier.lab.bets import results as bets  # noqa: PLC0415
    from croupier.lab.bets.stakes import BadStake, SideStakes, combine  # noqa: PLC0415
    from croupier.lab.kernels.runtime.compiler import COMPILING  # noqa: PLC0415
    from croupier.lab.solve import holdem  # noqa: PLC0415 - they load numpy

    started, compiled = perf_counter(), COMPILING.seconds
    known = game(terms)
    unit = terms.limits[ANTE_BET].minimum if ante is None else ante
    if unit <= 0:
        raise BadStake("The Ante must be more than 0.00.")
    figures = combined = None
    at = None if meter is None else Fraction(meter)
    with cache.record_use() as seen:
        if known.structure is Structure.FLOP_FIRST:
            # Each Bet by itself needs every outcome, and the solution follows from them.
            holdem.sums_of(known, progress, whole=True)
        solved = solve(known, progress)
        sides = {side.name: side_bets.figures(side, solved) for side in known.sides}
        if terms.jackpot_bet is not None:
            figures = jackpot.figures(solved, meter=at, participants=participants)
        if stakes:
            combined = combine(solved, SideStakes(unit, stakes, meter or 0, participants))
        by_bet = bets.figures(solved)
    compiling = COMPILING.seconds - compiled
    return Analysis(
        solved=solved,
        bets=by_bet,
        sides=sides,
        jackpot=figures,
        combined=combined,
        ante=unit,
        seconds=perf_counter() - started - compiling,
        compiling=compiling,
        counted_earlier=bool(seen.earlier and not seen.now),
    )
