"""The report of a simulated floor: one HTML page with its drawings inside, and the figures as JSON beside it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from croupier.floor.simulated.config import Floor
from croupier.floor.simulated.living import Life
from croupier.floor.simulated.results import FloorFigures, Spread
from croupier.lab.plots import as_svg, blank

if TYPE_CHECKING:
    pass

BLUE, RED, GREY = "#1f5f8b", "#b4462f", "#888888"
PATHS = 3
"""Lives whose meter is drawn."""

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
body { color: #1c2733; background: #fff; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid #d5dbe1; text-align: right; }
td { font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 1rem 0; }
figure svg { width: 100%; height: auto; background: #fff; }
figcaption { color: #566573; }
@media (prefers-color-scheme: dark) {
  body { color: #dde4ea; background: #14191f; }
  th, td { border-color: #33404d; }
  figcaption { color: #9fb0bf; }
}
"""


def meter_paths(lives: Sequence[Life], figures: FloorFigures) -> str:
    """The meter at the end of each day, and where the jackpot Bet becomes fair."""
    figure, axes = blank(7.6)
    for life, shade in zip(lives[:PATHS], (1.0, 0.55, 0.3), strict=False):
        axes.plot([day.meter / 100 for day in life.days], color=BLUE, alpha=shade, linewidth=1)
    highest = max(day.meter for life in lives[:PATHS] for day in life.days) / 100
    fair: dict[float, list[str]] = {}
    for even in figures.break_even:
        if even.meter is not None and even.meter < 3 * highest:
            fair.setdefault(round(even.meter / highest, 2) * highest, []).append(even.game)
    for meter, games in fair.items():
        axes.axhline(meter, color=RED, linestyle="--", linewidth=1)
        says = f"fair: {', '.join(games)}"
        axes.annotate(says, (0, meter), (4, 3), textcoords="offset points", fontsize=7, color=RED)
    axes.set_xlabel("day")
    axes.set_ylabel(f"meter, {figures.currency}")
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    return as_svg(figure)


def hit_sizes(lives: Sequence[Life], figures: FloorFigures) -> str:
    """What Players got from the meter, the whole of it and parts of it."""
    figure, axes = blank(7.6)
    whole = [hit.amount / 100 for life in lives for hit in life.hits if hit.is_all]
    parts = [hit.amount / 100 for life in lives for hit in life.hits if not hit.is_all]
    drawn = [
        (values, name, colour) for values, name, colour in ((parts, "a part", BLUE), (whole, "all", RED)) if values
    ]
    if drawn:
        top = max(max(values) for values, _, _ in drawn)
        for values, name, colour in drawn:
            axes.hist(
                values, bins=60, range=(0, top), color=colour, alpha=0.75, label=f"{name} of the meter: {len(values):,}"
            )
        axes.legend(frameon=False)
        axes.set_yscale("log")
    axes.set_xlabel(f"paid to one player, {figures.currency}")
    axes.set_ylabel("hits")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    return as_svg(figure)


def result_bands(figures: FloorFigures) -> str:
    """The House's result of each day: half of all lives lie in the dark band, nine tenths in the light one."""
    figure, axes = blank(7.6)
    bands = figures.daily_bands
    days = range(1, figures.days + 1)
    axes.fill_between(days, bands["0.05"], bands["0.95"], color=BLUE, alpha=0.15, linewidth=0)
    axes.fill_between(days, bands["0.25"], bands["0.75"], color=BLUE, alpha=0.3, linewidth=0)
    axes.plot(days, bands["0.5"], color=BLUE)
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.set_xlabel("day")
    axes.set_ylabel(f"House's result of the day, {figures.currency}")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    return as_svg(figure)


def daily_results(lives: Sequence[Life], figures: FloorFigures) -> str:
    """How single days come out, with the band that nine tenths of them lie in."""
    figure, axes = blank(7.6)
    axes.hist([day.result / 100 for life in lives for day in life.days], bins=80, color=BLUE, alpha=0.75)
    for share in ("0.05", "0.5", "0.95"):
        axes.axvline(figures.daily_result.quantiles[share], color=RED, linestyle="--", linewidth=1)
    axes.set_xlabel(f"House's result of a day, {figures.currency}")
    axes.set_ylabel("days")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    return as_svg(figure)


def page(floor: Floor, lives: Sequence[Life], figures: FloorFigures) -> str:
    """The whole report."""
    drawn = min(PATHS, len(lives))
    drawings = (
        (
            "The meter, day by day",
            meter_paths(lives, figures),
            f"The first {drawn} lives; dashed: where the jackpot bet of a game becomes fair to a single player.",
        ),
        ("What the meter paid", hit_sizes(lives, figures), "Hits of all lives, on a logarithmic scale."),
        ("The House's days", result_bands(figures), "The median of all lives, half of them, nine tenths of them."),
        ("Single days", daily_results(lives, figures), "Dashed: 5%, 50% and 95% of the days lie below."),
    )
    groups = [
        (
            group.config.game,
            f"{group.config.count}",
            f"{group.ante / 100:,.2f}",
            f"{group.config.rounds_per_hour}",
            f"{group.config.seats:g}",
            f"{group.config.jackpot:.0%}",
        )
        for group in floor.groups
    ]
    hits = [
        (
            each.hand.replace("_", " "),
            f"{each.count:,}",
            f"{each.days_between or 0:,.2f}",
            f"{each.amount.mean:,.2f}",
            f"{each.amount.quantiles['0.05']:,.2f}",
            f"{each.amount.quantiles['0.95']:,.2f}",
        )
        for each in figures.hits
    ]
    title = f"A floor of {figures.tables} tables, {figures.lives} lives of {figures.days} days"
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>",
        f"<title>{escape(title)}</title><style>{_STYLE}</style><h1>{escape(title)}</h1>",
        f"<p>{figures.rounds:,} rounds, {figures.hands:,} hands, seed {figures.seed}; ",
        f"{figures.times_real:,.0f} times as fast as the floor itself. {escape(_sampled(figures))}</p>",
        _table(("tables of", "count", "ante", "rounds an hour", "seats", "jackpot bets"), groups),
        f"<h2>Figures, in {escape(figures.currency)}</h2>",
        _table((), rows(figures)),
        "<h2>Awards from the meter</h2>",
        _table(("hand", "paid", "days between", "mean", "5%", "95%"), hits),
    ]
    for name, svg, says in drawings:
        caption = f"<figcaption>{escape(says)}</figcaption>"
        parts.append(f"<h2>{escape(name)}</h2><figure role='img' aria-label=\"{escape(name)}\">{svg}{caption}</figure>")
    return "".join((*parts, "</html>"))


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in lines)
    return f"<table>{f'<tr>{head}</tr>' if heads else ''}{body}</table>"


def _sampled(figures: FloorFigures) -> str:
    if figures.sampled is None:
        return ""
    found = figures.sampled
    return (
        f"{found.rounds:,} of its rounds were played again by the real house: {found.lines:,} bets and "
        f"{found.awards:,} awards of the meter came to the same cent."
    )


def rows(figures: FloorFigures) -> list[tuple[str, str]]:
    """The figures for people."""

    def band(of: Spread) -> str:
        return f"{of.mean:,.2f} ({of.quantiles['0.05']:,.2f} to {of.quantiles['0.95']:,.2f})"

    fair = [
        (f"jackpot bet fair from: {each.game}", "no meter" if each.meter is None else f"{each.meter:,.2f}")
        for each in figures.break_even
    ]
    between = "never" if figures.days_between_resets is None else f"{figures.days_between_resets:,.2f}"
    return [
        ("staked on the games", f"{figures.staked:,.2f}"),
        ("kept of every unit staked", f"{figures.hold:.4%}"),
        ("House's result of a day (90% of days)", band(figures.daily_result)),
        (f"House's result of {min(365, figures.days)} days (90% of lives)", band(figures.yearly_result)),
        ("days with a loss", f"{figures.losing_days:.2%}"),
        ("lost by dealers' errors, a day", f"{figures.errors_a_day:,.2f}"),
        ("meter at the end of a day (90%)", band(figures.meter)),
        ("meter when all of it is won (90%)", band(figures.meter_at_reset)),
        ("days from one such win to the next", between),
        ("reserve (90%)", band(figures.reserve)),
        ("days with a top-up by the House, a year", f"{figures.top_ups_a_year:,.1f}"),
        ("topped up by the House, a year", f"{figures.topped_up_a_year:,.2f}"),
        *fair,
    ]


def write(path: Path, floor: Floor, lives: Sequence[Life], figures: FloorFigures) -> Path:
    """The page, and the figures as JSON beside it; returns the latter's path."""
    path.write_text(page(floor, lives, figures), encoding="utf-8")
    beside = path.with_suffix(".json")
    beside.write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=2))
    return beside
