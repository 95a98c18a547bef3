"""Everything that is known of a game, in one piece: the answer of `croupier analyze` as data and as JSON."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING

from croupier.lab.games import Game, Structure, Units, game
from croupier.lab.solving import Progress, Solved, quietly, solve
from croupier.money import Money
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import JACKPOT_BET, Fate

if TYPE_CHECKING:
    from croupier.lab.holdem import Starting
    from croupier.lab.jackpot import JackpotFigures
    from croupier.lab.side_bets import SideFigures

Json = dict[str, "JsonValue"]
JsonValue = str | int | float | bool | None | list["JsonValue"] | Json


class Analysis:
    """One game, solved, with every side Bet and the jackpot beside it."""

    def __init__(
        self,
        solved: Solved,
        sides: dict[str, SideFigures],
        jackpot: JackpotFigures | None,
        combined: Combined | None,
        seconds: float,
    ) -> None:
        self.solved = solved
        self.sides = sides
        self.jackpot = jackpot
        self.combined = combined
        self.seconds = seconds

    @property
    def game(self) -> Game:
        return self.solved.game

    def json(self) -> Json:
        """As the command prints it: exact figures as fractions in text, the others as numbers."""
        found: Json = {
            "game": self.game.name,
            "base": _base(self.solved),
            "side_bets": {name: _side(figures) for name, figures in self.sides.items()},
        }
        if self.jackpot is not None:
            found["jackpot"] = _jackpot(self.jackpot)
        if self.combined is not None:
            found["combined"] = self.combined.json()
        found["readings"] = dict(self.game.terms.book.readings.changed)
        found["seconds"] = round(self.seconds, 6)
        return found


class Combined:
    """All Bets together, where what is staked beside the Ante changes what is best."""

    def __init__(self, ante: Money, stakes: dict[str, Money], alone: Solved, best: Solved) -> None:
        self.ante, self.stakes = ante, stakes
        together = list(zip(alone.hands, best.hands, strict=True))
        self.changed = [after.name for before, after in together if before.played != after.played]
        everything = sum(hand.ways for hand in best.hands)
        self.ev = sum((hand.value * hand.ways for hand in best.hands), Fraction(0)) / everything
        """Won on all of them together, in units of Ante."""
        kept = sum(
            ((after.play if before.played else after.fold) * after.ways for before, after in together), Fraction(0)
        )
        self.gain = self.ev - kept / everything
        """What minding the other Bets brings, against the best play of the Ante alone."""

    def json(self) -> Json:
        return {
            "ante": self.ante / 100,
            "stakes": {name: stake / 100 for name, stake in self.stakes.items()},
            "ev": exact(self.ev),
            "gain": exact(self.gain),
            "changed_hands": list(self.changed),
        }


def exact(value: Fraction) -> str:
    """A fraction as text; a whole number keeps no denominator."""
    return str(value)


def _base(solved: Solved) -> Json:
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


def _jackpot(figures: JackpotFigures) -> Json:
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
        "bet": float(figures.bet / 100),
        "fixed_return": exact(figures.fixed_return),
        "meter_share": exact(figures.meter_share),
        "break_even_meter": None if even is None else float(even / 100),
    }
    if figures.meter is not None:
        found["meter"] = float(figures.meter / 100)
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
    from croupier.lab import jackpot, side_bets  # noqa: PLC0415 - they load the kernels

    started = perf_counter()
    known = game(terms)
    solved = solve(known, progress)
    sides = {side.name: side_bets.figures(side, solved) for side in known.sides}
    figures = None
    at = None if meter is None else Fraction(meter)
    if terms.jackpot_bet is not None:
        figures = jackpot.figures(solved, meter=at, participants=participants)
    combined = None
    if stakes:
        unit = ante or terms.limits["ante"].minimum
        combined = Combined(unit, stakes, solved, combine(solved, unit, stakes, at or Fraction(0)))
    return Analysis(solved, sides, figures, combined, perf_counter() - started)


def combine(solved: Solved, ante: Money, stakes: dict[str, Money], meter: Fraction) -> Solved:
    """The best play when these are staked beside the Ante."""
    from croupier.lab import holdem, side_bets, three_card  # noqa: PLC0415 - they load the kernels

    known = solved.game
    units = {name: Fraction(stake, ante) for name, stake in stakes.items()}
    if known.structure is Structure.THREE_CARDS:
        # The jackpot Bet survives a fold whole, so it weighs nothing.
        return three_card.solve(known, {name: stake for name, stake in units.items() if name != JACKPOT_BET})
    if known.structure is Structure.FLOP_FIRST:
        return solved
    awards = _jackpot_by_hand(solved, ante, stakes[JACKPOT_BET], meter) if JACKPOT_BET in stakes else None

    def beside(hand: Starting) -> tuple[Units, Units]:
        played = folded = Fraction(0)
        for name, stake in units.items():
            if name == JACKPOT_BET:
                assert awards is not None
                with_hand, without = awards(hand)
            else:
                side = known.side(name)
                with_hand = sum(
                    (part * side.net(line, fate) for part, line, fate in side_bets.played(side, known, hand)),
                    Fraction(0),
                )
                without = side.net(side_bets.own_line(side, hand), Fate.FOLDED)
                with_hand, without = stake * with_hand, stake * without
            played, folded = played + with_hand, folded + without
        return played, folded

    return holdem.solve(known, beside=beside)


def _jackpot_by_hand(
    solved: Solved, ante: Money, stake: Money, meter: Fraction
) -> Callable[[Starting], tuple[Units, Units]]:
    """What the jackpot Bet brings with a starting hand, played and folded, in units of Ante."""
    from croupier.lab import jackpot  # noqa: PLC0415 - it loads the kernels

    figures = jackpot.figures(solved, bet=stake, meter=meter)

    def worth(hand: Starting, *, folded: bool) -> Units:
        chances = jackpot.mask_chances(solved.game, hand.number, folded=folded)
        paid = sum((chance * figures.paid_for(mask).at(meter) for mask, chance in chances.items()), Fraction(0))
        return (paid - stake) / ante

    return lambda hand: (worth(hand, folded=False), worth(hand, folded=True))
