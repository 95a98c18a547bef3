"""The second check of every figure of a sheet, each by the strictest way there is for it."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

from croupier.cards import DECK
from croupier.lab.analysis import Analysis
from croupier.lab.bets.side_bets import SideFigures
from croupier.lab.model.game import Side, Structure
from croupier.lab.play.exploits import Exploit
from croupier.lab.play.strategy import Strategy
from croupier.lab.progress import Progress
from croupier.lab.solve.solution import Solution
from croupier.lab.verify.check import Check, Checks, exact_check
from croupier.lab.verify.exploit_checks import check_exploits
from croupier.lab.verify.hand_checks import check_edges, check_even, check_first_rule, check_hands
from croupier.lab.verify.random_rounds import SIGMAS, Sampled, sample
from croupier.lab.verify.simulation import simulate
from croupier.lab.verify.starting_hands import sample_hands
from croupier.lab.verify.sum_checks import check_sums
from croupier.rulebooks.pay_lines import side_line
from croupier.rulebooks.vocabulary import Fate, HoleCards, SideHand

BY_HAND, AT_THE_EDGE, LEAVING = 100, 5, 2_000
"""One round of this many is dealt to each starting hand, to each at the edge, and where leaving is weighed too."""


def check_all(
    found: Analysis, play: Strategy, given: tuple[Exploit, ...], *, rounds: int, sampled: int, progress: Progress
) -> Checks:
    """Check every figure of a sheet a second time.

    Rounds settled bet by bet are plain Python: they are played on one core while kernels count on the other.
    """
    checks: Checks = {}
    solved = found.solved
    with ThreadPoolExecutor(1, thread_name_prefix="settle") as beside:
        settled = beside.submit(sample, solved, sampled, play, found.jackpot) if sampled else None
        if rounds:
            progress("simulation", 0.0)
            checks |= _simulated(found, rounds)
        progress("hands one by one", 0.11)
        checks |= _by_hand(found, play, given, rounds, sampled)
        progress("counts on paper", 0.5)
        for figures in found.sides.values():
            checks |= check_side(figures, solved)
        progress("sums", 0.52)
        checks |= check_sums(found, play, rounds) | check_first_rule(solved, play)
        if settled is not None:
            progress("rounds settled bet by bet", 0.85)
            checks = {**_sampled(found, play, given, settled.result()), **checks}
    return checks


def _by_hand(found: Analysis, play: Strategy, given: tuple[Exploit, ...], rounds: int, sampled: int) -> Checks:
    """Check hands, positions and exploits by themselves, with as many rounds of each hand as the whole allows."""
    solved = found.solved
    checks: Checks = {}
    left = None
    if rounds and solved.game.structure is not Structure.THREE_CARDS:
        checks |= check_hands(solved, play, sample_hands(solved, max(200, rounds // BY_HAND)))
    if rounds and solved.game.structure is Structure.STREETS:
        left = sample_hands(solved, max(100, rounds // LEAVING), leaving=True, seed=2)
        edges = sample_hands(solved, max(1_000, rounds // AT_THE_EDGE), seed=3, only={each.hand for each in play.edges})
        checks |= check_edges(solved, play, edges)
    if rounds or sampled:
        checks |= check_even(solved)
    figures = found.jackpot
    meter = Fraction(0) if figures is None else figures.reference_meter
    return {**checks, **check_exploits(solved, given, sampled, left, meter)}


def _simulated(found: Analysis, rounds: int) -> Checks:
    """Check the base game, every result and every award against simulated rounds."""
    solved, figures = found.solved, found.jackpot
    seen = simulate(solved, rounds, meter=Fraction(0) if figures is None else figures.reference_meter)
    how = f"{rounds:,} rounds simulated, seed {seen.seed}"

    def near(name: str, exact: float, again: float, half: float, *, percent: bool = False) -> Check:
        if percent:
            texts = f"{100 * exact:.4f}%", f"{100 * again:.4f}% ± {100 * half:.4f}%"
        else:
            texts = f"{exact:.6f}", f"{again:.6f} ± {half:.6f}"
        return Check(name, *texts, how, abs(again - exact) <= half)

    error, wager = seen.ev_error, float(solved.average_wager)
    # The fourth moment is exact; what is placed together varies no more than all of it at once would.
    fourth = float(sum((net - solved.ev) ** 4 * chance for net, chance in solved.results.items()))
    spread = solved.standard_deviation
    of_spread = SIGMAS * sqrt((fourth - spread**4) / rounds) / (2 * spread)
    halves = {bet: _half(solved.decisions[bet], rounds) for bet, _ in seen.bets}
    of_wager = sum(choice.times * halves[choice.bet] for choice in solved.game.choices)
    checks = {
        "base.ev": near("won per Ante", float(solved.ev), seen.ev, error),
        "base.house_edge": near("house edge", solved.house_edge, -seen.ev, error, percent=True),
        "base.element_of_risk": near(
            "element of risk", solved.element_of_risk, -seen.ev / seen.average_wager, error / wager + 1e-4, percent=True
        ),
        "base.standard_deviation": near("standard deviation", spread, seen.standard_deviation, of_spread),
        "base.average_wager": near("average wager", wager, seen.average_wager, of_wager),
    }
    for bet, often in seen.bets:
        checks[f"base.{bet}"] = near(f"rounds with {bet}", float(solved.decisions[bet]), often, halves[bet])
    counted = [(f"result.{net}", f"result {net}", seen.results.get(net, 0), p) for net, p in solved.results.items()]
    if figures is not None:
        chances = figures.probabilities.items()
        counted += [(f"jackpot_paid.{hand}", f"{hand} paid", seen.awards.get(hand, 0), p) for hand, p in chances]
    for place, name, count, exact in counted:
        checks[place] = near(name, float(exact), count / rounds, _half(exact, rounds))
    return checks


def _half(exact: Fraction, rounds: int) -> float:
    """Return half an interval around a share of the rounds, wider for what is rare."""
    return SIGMAS * sqrt(float(exact * (1 - exact)) / rounds) + SIGMAS**2 / (2 * rounds)


class _Sample:
    """Turns sampled rounds into checks."""

    def __init__(self, seen: Sampled) -> None:
        self.seen = seen
        self.how = f"{seen.rounds:,} rounds settled, seed {seen.seed}"
        self.checks: Checks = {}

    def chance(self, place: str, figure: str, name: str, exact: Fraction) -> None:
        half = SIGMAS * sqrt(float(exact * (1 - exact)) / self.seen.rounds)
        again = f"{self.seen.counts[name] / self.seen.rounds:.6f} ± {half:.6f}"
        agrees = self.seen.holds_chance(name, exact)
        self.checks[place] = Check(figure, f"{float(exact):.6f}", again, self.how, agrees)

    def mean(self, place: str, figure: str, name: str, exact: Fraction | float) -> None:
        mean = self.seen.means[name]
        again = f"{mean.mean:.6f} ± {mean.error:.6f}"
        agrees = self.seen.holds_mean(name, exact)
        self.checks[place] = Check(figure, f"{float(exact):.6f}", again, self.how, agrees)


def _sampled(found: Analysis, play: Strategy, given: tuple[Exploit, ...], seen: Sampled) -> Checks:
    """Check everything that single rounds show."""
    of = _Sample(seen)
    solved = found.solved
    of.mean("base.ev", "won per Ante", "ev", solved.ev)
    of.mean("base.average_wager", "average wager", "wager", solved.average_wager)
    for name, chance in solved.decisions.items():
        of.chance(f"base.{name}", f"rounds with {name}", f"placed {name}", chance)
    for net, chance in solved.results.items():
        of.chance(f"result.{net}", f"result {net}", f"result {net}", chance)
    for name, bet in found.bets.items():
        of.mean(f"bet.{name}.ev", f"{name}: won per unit", f"bet {name}", bet.ev)
        of.chance(f"bet.{name}.placed", f"{name}: placed", f"lies {name}", bet.placed)
        of.mean(f"bet.{name}.hit_rate", f"{name}: paid, of those placed", f"hits {name}", bet.hit_rate)
        for row in bet.rows:
            of.chance(f"bet.{name}.{row.row}", f"{name}: {row.row}", f"paid {name} {row.pays}", row.probability)
    for name, side in found.sides.items():
        of.mean(f"side.{name}.ev", f"{name}: won per unit", f"bet {name}", side.ev)
        of.chance(f"side.{name}.hit_rate", f"{name}: hit rate", f"won {name}", side.hit_rate)
        again = seen.means[f"bet {name}"].deviation
        agrees = abs(again / side.standard_deviation - 1) < 0.5
        about = f"{again:.6f}"
        of.checks[f"side.{name}.standard_deviation"] = Check(
            f"{name}: standard deviation", f"{side.standard_deviation:.6f}", about, of.how, agrees
        )
        for row_name, chance in side.paid.items():
            of.chance(f"side.{name}.{row_name}", f"{name}: {row_name}", f"row {name} {row_name}", chance)
    if found.jackpot is not None:
        for award, chance in found.jackpot.made.items():
            of.chance(f"jackpot.{award}", f"jackpot: {award}", f"award {award}", chance)
        for award, chance in found.jackpot.probabilities.items():
            of.chance(f"jackpot_paid.{award}", f"jackpot: {award} paid", f"paid award {award}", chance)
    for decision, _ in play.bets_with:
        of.mean(f"thumb.{decision}", f"rules for {decision}", f"thumb {decision}", dict(play.mistakes)[decision])
    for each in given:
        if each.ev is not None and each.seen_as in seen.means:
            sign = -1 if each.seen_as == "never looking" else 1
            exact = each.value * sign if sign < 0 else each.ev
            of.mean(f"exploit.{each.name}", each.name, each.seen_as, exact)
    return of.checks


def check_side(figures: SideFigures, solved: Solution) -> Checks:
    """Check a side Bet against every deal of the cards it looks at, where the play does not touch it."""
    side = figures.side
    if not _untouched(figures, solved):
        return {}
    paid = _dealt_out(side)
    how = "every deal, card by card"
    name, chances = side.name, {row: paid.get(row, Fraction(0)) for row in side.pays}
    hit = sum(chances.values(), Fraction(0))
    missed = Fraction(0) if side.on_ante else 1 - hit
    ev = sum((chances[row] * pays for row, pays in side.pays.items()), Fraction(0)) - missed
    squared = sum((chances[row] * pays**2 for row, pays in side.pays.items()), Fraction(0))
    again, deviation = sqrt(squared + missed - ev**2), figures.standard_deviation
    found = {
        f"side.{name}.{row}": exact_check(f"{name}: {row}", chance, chances[row], how)
        for row, chance in figures.paid.items()
    }
    found[f"side.{name}.ev"] = exact_check(f"{name}: won per unit", figures.ev, ev, how)
    found[f"side.{name}.hit_rate"] = exact_check(f"{name}: hit rate", figures.hit_rate, hit, how)
    found[f"side.{name}.standard_deviation"] = Check(
        f"{name}: standard deviation", f"{deviation:.6f}", f"{again:.6f}", how, abs(deviation - again) < 1e-9
    )
    return found


def _untouched(figures: SideFigures, solved: Solution) -> bool:
    """Return whether no fold, and no comparison, ever takes a row away."""
    compared = {Fate.BEATEN, Fate.STOOD_OFF} & (figures.side.lost | figures.side.returned)
    if compared or figures.side.declared.dealer_alone_pays:
        return False
    folded = [hand for hand in solved.hands if not hand.played]
    lines = {side_line(figures.side.declared, hand.cards) for hand in folded}
    return not lines & set(figures.side.pays)


def _dealt_out(side: Side) -> dict[str, Fraction]:
    """Return how often own cards meet each row, whatever becomes of the Hand."""
    met: Counter[str] = Counter()
    if side.declared.on is SideHand.THREE_CARDS:
        for three in combinations(DECK, 3):
            met[side_line(side.declared, three) or ""] += 1
        return {row: Fraction(count, comb(52, 3)) for row, count in met.items()}
    dealers = comb(50, 2)
    for own in combinations(DECK, 2):
        line = side_line(side.declared, own)
        if line == HoleCards.ACES:
            left = [card for card in DECK if card not in own]
            for dealer in combinations(left, 2):
                met[side_line(side.declared, own, dealer) or ""] += 1
        else:
            met[line or ""] += dealers
    return {row: Fraction(count, comb(52, 2) * dealers) for row, count in met.items()}
