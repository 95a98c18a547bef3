"""Sums found a second time, each by a way of its own: what awards return together, and what rules of thumb lose."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from croupier.lab.analysis import Analysis
from croupier.lab.bets.jackpot import JackpotFigures, share_of
from croupier.lab.model.game import Structure, Units
from croupier.lab.play.strategy import Strategy
from croupier.lab.verify.award_patterns import COUNTED, AwardChances, JackpotPayer, award_chances
from croupier.lab.verify.check import Check, Checks, exact_check
from croupier.lab.verify.hand_checks import check_three_card_edges, is_at_least, least_played
from croupier.lab.verify.simulation import simulate
from croupier.lab.verify.thumb_cost import Hand, every_hand, rule_cost

MORE, FEWER = 3, 5
"""Times the rounds that find what a round loses; one of `FEWER` rounds shows what rules of thumb lose."""


def check_sums(found: Analysis, play: Strategy, rounds: int) -> Checks:
    """Check every sum of a sheet: exactly where all deals can be counted again, else from random rounds."""
    hands = every_hand(found.game) if found.game.structure is Structure.THREE_CARDS else ()
    checks: Checks = {}
    if found.jackpot is not None:
        met = award_chances(found.solved)
        checks |= check_lines(found.jackpot, met) | check_awards(found, found.jackpot, met)
        loses = _loses_exactly(hands) if hands else _loses_about(found, MORE * rounds)
        if loses is not None:
            checks |= check_round(found, found.jackpot, met, *loses)
    checks |= check_thumb(found, play, hands, rounds // FEWER)
    return checks | (check_three_card_edges(play, hands) if hands else {})


# ---------------------------------------------------------------- the jackpot Bet


def _purse(found: Analysis, figures: JackpotFigures, met: AwardChances) -> JackpotPayer:
    unit = found.game.terms.jackpot_bet
    assert unit is not None
    book = found.game.terms.book.jackpot
    return JackpotPayer(book, met, figures.bet, figures.bet / unit, figures.participants)


def check_awards(found: Analysis, figures: JackpotFigures, met: AwardChances) -> Checks:
    """Check fixed return, share of the meter, break-even meter and return at a meter, from deals counted again."""
    purse = _purse(found, figures, met)
    at = figures.reference_meter
    share = purse.slope(at)
    fixed = (purse.paid(at) - share * at) / figures.bet
    even = purse.first_meter(figures.bet)
    fixed_rows, share_rows = _row_sums(figures)
    checks = {
        "jackpot_fixed": _sum_check("fixed return", figures.fixed_return, fixed, fixed_rows / figures.bet),
        "jackpot_share": _sum_check("share of the meter", figures.meter_share, share, share_rows),
        "jackpot_even": Check(
            "break-even meter",
            _amount(figures.break_even_meter),
            _amount(even),
            f"{COUNTED}; searched for the first cent at which {float(figures.bet) / 100:,.2f} comes back",
            _is_same(figures.break_even_meter, even),
        ),
    }
    if figures.meter is not None:
        exact, again = figures.expected(figures.meter) / figures.bet, purse.paid(figures.meter) / figures.bet
        texts = f"{100 * float(exact):.4f}%", f"{100 * float(again):.4f}%"
        checks["jackpot_at"] = Check("return at the meter", *texts, COUNTED, exact == again)
    return checks


def check_lines(figures: JackpotFigures, met: AwardChances) -> Checks:
    """Check how often the cards make each award, which is how often it is paid where no other line takes its place."""
    checks: Checks = {}
    for hand, made in figures.made.items():
        again = sum((chance for lines, chance in met.items() if hand in lines), Fraction(0))
        check = exact_check(f"jackpot: {hand}", made, again, COUNTED)
        checks[f"jackpot.{hand}"] = check
        if figures.probabilities[hand] == made:
            checks[f"jackpot_paid.{hand}"] = check
    return checks


def _sum_check(figure: str, found: Fraction, again: Fraction, rows: Fraction) -> Check:
    how = f"{COUNTED}; the printed rows add up to it" if rows == found else f"{COUNTED}; printed rows make it {rows}"
    return Check(figure, str(found), str(again), how, found == again == rows)


def _row_sums(figures: JackpotFigures) -> tuple[Fraction, Fraction]:
    """Return what the printed rows pay on average in cents, and of the meter."""
    chances = figures.probabilities
    share = fixed = Fraction(0)
    for award in figures.jackpot.awards:
        share += chances[award.hand] * share_of(award) / (figures.participants if award.shared else 1)
        fixed += chances[award.hand] * figures.amounts[award.hand]
    return fixed, share


def check_round(
    found: Analysis, figures: JackpotFigures, met: AwardChances, ev: float | Units, half: float, how: str
) -> Checks:
    """Check the meter from which a round with its Ante favours the Player, from a second value of a round."""
    purse = _purse(found, figures, met)
    whole = found.round_break_even
    about = Fraction(ev)
    middle, low, high = (
        purse.first_meter(figures.bet - (about + at * Fraction(half)) * found.ante) for at in (Fraction(0), 1, -1)
    )
    if not half or middle is None:
        agrees, says = _is_same(whole, middle), _amount(middle)
    else:
        # What is paid grows with the meter, so the ends of the one interval are those of the other.
        agrees = whole is not None and low is not None and low <= whole and (high is None or whole <= high)
        wide = max(middle - (low or 0), (middle if high is None else high) - middle)
        says = f"{_amount(middle)} ± {_amount(wide)}"
    return {"jackpot_round": Check("break-even meter of a round", _amount(whole), says, how, agrees)}


def _amount(cents: Fraction | None) -> str:
    return "none" if cents is None else f"{float(cents) / 100:,.2f}"


def _is_same(one: Fraction | None, other: Fraction | None) -> bool:
    """Compare to the cent; None is only the same as None."""
    if one is None or other is None:
        return one is other
    return abs(one - other) < 1


def _loses_about(found: Analysis, rounds: int) -> tuple[float, float, str] | None:
    if not rounds:
        return None
    seen = simulate(found.solved, rounds, seed=4)
    how = f"the Ante from {rounds:,} rounds simulated, seed {seen.seed}; awards as above"
    return seen.ev, seen.ev_error, how


def _loses_exactly(hands: tuple[Hand, ...]) -> tuple[Units, float, str]:
    worth = _average(hands, lambda hand: max(hand.play, Fraction(-1)))
    return worth, 0.0, "the Ante against every Dealer's hand; awards as above"


# ---------------------------------------------------------------- rules of thumb


def check_thumb(found: Analysis, play: Strategy, hands: tuple[Hand, ...], deals: int) -> Checks:
    """Check what all rules of thumb lose together, from their sentences."""
    rows = sum((cost for _, cost in play.mistakes), Fraction(0))
    adds = "; the rows above add up to it" if rows == play.cost else f"; the rows above make it {rows}"
    if hands:
        lost = _average(hands, _lost_by(play))
        how = f"the sentence and the best play, every hand against every Dealer's{adds}"
        return {"thumb": Check("rules", str(play.cost), str(lost), how, lost == play.cost == rows)}
    if not deals:
        return {}
    seen = rule_cost(found.solved, play, deals)
    says = f"{seen.mean:.6f} ± {seen.half:.6f}"
    agrees = seen.holds(play.cost) and rows == play.cost
    return {"thumb": Check("rules", f"{float(play.cost):.6f}", says, seen.how + adds, agrees)}


def _lost_by(play: Strategy) -> Callable[[Hand], Units]:
    """Return what the one sentence of 3 Card Poker loses with a Hand."""
    (says,) = (rule.says for rule in play.rules)
    least = least_played(says)

    def lost(hand: Hand) -> Units:
        gained = hand.play + 1
        return max(gained, Fraction(0)) - (gained if is_at_least(hand.cards, least) else 0)

    return lost


def _average(hands: tuple[Hand, ...], of: Callable[[Hand], Units]) -> Units:
    return sum((hand.ways * of(hand) for hand in hands), Fraction(0)) / sum(hand.ways for hand in hands)
