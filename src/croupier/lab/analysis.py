"""Everything that is known of a game, in one piece: the answer of `croupier analyze` as data and as JSON."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING

from croupier.lab.model.game import Game, Structure, game
from croupier.lab.progress import Progress, quietly
from croupier.lab.published import published
from croupier.lab.solve.solution import Solved, solve
from croupier.money import Money, show
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET

if TYPE_CHECKING:
    from croupier.lab.bets.jackpot import JackpotFigures
    from croupier.lab.bets.results import BetFigures
    from croupier.lab.bets.side_bets import SideFigures
    from croupier.lab.bets.stakes import Combined

Json = dict[str, "JsonValue"]
JsonValue = str | int | float | bool | None | list["JsonValue"] | Json


class Analysis:
    """One game, solved, with every side Bet and the jackpot beside it."""

    def __init__(
        self,
        *,
        solved: Solved,
        bets: dict[str, BetFigures],
        sides: dict[str, SideFigures],
        jackpot: JackpotFigures | None,
        combined: Combined | None,
        ante: Money,
        seconds: float,
        compiling: float,
        counted_earlier: bool,
    ) -> None:
        self.solved = solved
        self.bets = bets
        self.published = published(solved, sides)
        self.sides = sides
        self.jackpot = jackpot
        self.combined = combined
        self.ante = ante
        """The one asked about, else the least of the table: what a whole round costs depends on it."""
        self.seconds = seconds
        """Of solving alone."""
        self.compiling = compiling
        """Seconds in which kernels were compiled, or loaded from their cache."""
        self.counted_earlier = counted_earlier
        """Whether all counts behind the figures were kept by an earlier run; the figures are worked out each time."""

    @property
    def game(self) -> Game:
        return self.solved.game

    @property
    def round_break_even(self) -> Fraction | None:
        """From this meter on a round with this Ante and the jackpot Bet is in the Player's favour."""
        if self.jackpot is None:
            return None
        return self.jackpot.meter_for(self.jackpot.bet - self.solved.ev * self.ante)

    def json(self) -> Json:
        """As the command prints it: exact figures as fractions in text, money as text, the others as numbers."""
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


def exact(value: Fraction) -> str:
    """A fraction as text; a whole number keeps no denominator."""
    return str(value)


def amount(cents: Fraction | Money) -> str:
    """Money as text with two decimals; a meter between two cents is rounded to the nearer one."""
    return show(round(cents))


def _base(solved: Solved, bets: dict[str, BetFigures]) -> Json:
    return {
        "ev": exact(solved.ev),
        "house_edge": solved.house_edge,
        "average_wager": float(solved.average_wager),
        "element_of_risk": solved.element_of_risk,
        "standard_deviation": solved.standard_deviation,
        "decisions": {name: exact(chance) for name, chance in solved.decisions.items()},
        "indifferent": [
            {"decision": each.decision, "positions": each.positions, "probability": exact(each.probability)}
            for each in solved.indifferent
        ],
        "bets": {
            name: {
                "placed": exact(figures.placed),
                "hit_rate": exact(figures.hit_rate),
                "ev": exact(figures.ev),
                "rows": [
                    {"row": row.row, "probability": exact(row.probability), "pays": f"{row.pays} to 1"}
                    for row in figures.rows
                ],
            }
            for name, figures in bets.items()
        },
    }


def _combined(found: Combined) -> Json:
    return {
        "ante": amount(found.beside.ante),
        "stakes": {name: amount(stake) for name, stake in found.beside.stakes.items()},
        "ev": exact(found.ev),
        "gain": exact(found.gain),
        "changed_hands": list(found.changed),
    }


def _side(figures: SideFigures) -> Json:
    pays = dict(figures.side.declared.table.rows)
    return {
        "ev": exact(figures.ev),
        "hit_rate": exact(figures.hit_rate),
        "standard_deviation": figures.standard_deviation,
        "rows": [
            {
                "row": row,
                "probability": exact(chance),
                "pays": str(pays[row]),
                "return": exact(chance * figures.side.pays[row]),
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
                "probability": exact(figures.probabilities[award.hand]),
                "pays": str(award.pays),
                "made": exact(made[award.hand]),
            }
            for award in figures.jackpot.awards
        ],
        "bet": amount(figures.bet),
        "fixed_return": exact(figures.fixed_return),
        "meter_share": exact(figures.meter_share),
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
    progress: Progress = quietly,
) -> Analysis:
    """Solve these terms. With `stakes` (side Bets or the jackpot Bet, in cents) the best play of all together too."""
    from croupier.lab import cache  # noqa: PLC0415 - they load numpy
    from croupier.lab.bets import jackpot, side_bets  # noqa: PLC0415 - they load numpy
    from croupier.lab.bets import results as bets  # noqa: PLC0415
    from croupier.lab.bets.stakes import BadStake, Beside, combine  # noqa: PLC0415
    from croupier.lab.kernels.runtime.compiler import COMPILING  # noqa: PLC0415
    from croupier.lab.solve import holdem  # noqa: PLC0415 - they load numpy

    started, compiled = perf_counter(), COMPILING.seconds
    known = game(terms)
    unit = terms.limits[ANTE_BET].minimum if ante is None else ante
    if unit <= 0:
        raise BadStake("The Ante must be more than 0.00.")
    figures = combined = None
    at = None if meter is None else Fraction(meter)
    with cache.watched() as seen:
        if known.structure is Structure.FLOP_FIRST:
            # Each Bet by itself needs every outcome, and the solution follows from them.
            holdem.summed(known, progress, whole=True)
        solved = solve(known, progress)
        sides = {side.name: side_bets.figures(side, solved) for side in known.sides}
        if terms.jackpot_bet is not None:
            figures = jackpot.figures(solved, meter=at, participants=participants)
        if stakes:
            combined = combine(solved, Beside(unit, stakes, meter or 0, participants))
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
