"""The drawings of a report, as SVG text: matplotlib is loaded only when one is asked for."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from croupier.lab.bets.jackpot import JackpotFigures

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
ROUNDS = 500
SHARES = (Fraction(1, 10), Fraction(1, 5), Fraction(3, 10))
"""Contributions to draw the growth for, as parts of a Bet: each house sets its own."""


def blank(x: str, y: str, *, grouped: str = "", width: float = 7.2) -> tuple[Figure, Axes]:
    """Return an empty drawing in our style; `grouped` names the axes with thousands apart, as in "x" or "xy"."""
    import matplotlib as mpl  # noqa: PLC0415

    mpl.use("svg")
    # Text stays text, and the same figures give the same file.
    mpl.rcParams["svg.fonttype"] = "none"
    mpl.rcParams["svg.hashsalt"] = "croupier"
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(figsize=(width, 3.6), layout="constrained")
    axes.grid(visible=True, alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    for axis in grouped:
        getattr(axes, f"{axis}axis").set_major_formatter(lambda value, _: f"{value:,.0f}")
    return figure, axes


def as_svg(figure: Figure) -> str:
    """Return a drawing as SVG to stand in a page, and close it."""
    from matplotlib import pyplot as plt  # noqa: PLC0415

    page = io.StringIO()
    figure.savefig(page, format="svg", metadata={"Date": None})
    plt.close(figure)
    return re.sub(r"^.*?(?=<svg)", "", page.getvalue(), flags=re.DOTALL)


def return_against_meter(figures: JackpotFigures) -> str:
    """Draw what the jackpot Bet returns while the meter grows, and where it becomes fair."""
    even = figures.break_even_meter
    top = float(2 * (even or figures.meter or 100 * figures.bet)) / 100
    meters = np.linspace(0, top, 200)
    returns = [100 * float(figures.expected(Fraction(int(100 * meter))) / figures.bet) for meter in meters]
    figure, axes = blank("meter", "return of the jackpot bet, %", grouped="x")
    axes.plot(meters, returns, color="#1f5f8b")
    axes.axhline(100, color="#888888", linewidth=0.8)
    if even is not None:
        axes.axvline(float(even) / 100, color="#b4462f", linestyle="--", linewidth=1)
        axes.annotate(
            f"fair from {float(even) / 100:,.0f}", (float(even) / 100, 100), (5, -14), textcoords="offset points"
        )
    return as_svg(figure)


def bands(results: Mapping[Fraction, Fraction], rounds: int = ROUNDS) -> dict[float, list[float]]:
    """Return quantiles of the sum after each number of rounds, rounded down to the step of the results."""
    step = Fraction(1, np.lcm.reduce([net.denominator for net in results]))
    places = {int(net / step): float(chance) for net, chance in results.items()}
    # A result of a hundred Antes is rare, and widens the array needlessly: sums are followed as far as they matter.
    low, high = min(places), max(places)
    one = np.zeros(high - low + 1)
    for place, chance in places.items():
        one[place - low] = chance
    found: dict[float, list[float]] = {quantile: [] for quantile in QUANTILES}
    total = np.array([1.0])
    start = 0
    for _ in range(rounds):
        total = np.convolve(total, one)
        start += low
        # What lies outside of one in a thousand million is cut off on both sides.
        cumulated = np.cumsum(total)
        first, last = np.searchsorted(cumulated, [1e-10, 1 - 1e-10])
        total, start = total[first : last + 1], start + int(first)
        cumulated = cumulated[first : last + 1]
        for quantile in QUANTILES:
            found[quantile].append(float((start + int(np.searchsorted(cumulated, quantile))) * step))
    return found


def session_bands(results: Mapping[Fraction, Fraction]) -> str:
    """Draw where a session's result lies after each number of rounds: half of all sessions, and nine of ten."""
    found = bands(results)
    rounds = np.arange(1, ROUNDS + 1)
    figure, axes = blank("rounds", "result in Antes")
    axes.fill_between(rounds, found[0.05], found[0.95], color="#1f5f8b", alpha=0.15, label="9 of 10 sessions")
    axes.fill_between(rounds, found[0.25], found[0.75], color="#1f5f8b", alpha=0.35, label="half of all sessions")
    axes.plot(rounds, found[0.5], color="#1f5f8b", label="median")
    axes.axhline(0, color="#888888", linewidth=0.8)
    axes.legend(frameon=False, loc="upper left")
    return as_svg(figure)


def jackpot_growth(figures: JackpotFigures) -> str:
    """Draw how far contributions carry the meter above its reset value before the whole of it is won."""
    whole = sum((chance for mask, chance in figures.chances.items() if figures.paid_for(mask).share == 1), Fraction(0))
    figure, axes = blank("jackpot bets since the reset", "meter above its reset value", grouped="xy")
    if whole:
        bets = np.linspace(0, 4 / float(whole), 200)
        for part in SHARES:
            axes.plot(bets, bets * float(part * figures.bet) / 100, label=f"{int(100 * part)}% of each bet")
        for quantile in (0.25, 0.5, 0.75):
            at = np.log(1 - quantile) / np.log(1 - float(whole))
            axes.axvline(at, color="#b4462f", linestyle=":", linewidth=1)
            axes.annotate(
                f"won by {quantile:.0%}",
                (at, 1),
                (3, -4),
                xycoords=("data", "axes fraction"),
                textcoords="offset points",
                rotation=90,
                fontsize=8,
                verticalalignment="top",
            )
        axes.legend(frameon=False, loc="lower right")
    return as_svg(figure)
