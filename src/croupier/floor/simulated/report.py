"""The report of a simulated floor: one HTML page with its drawings inside, and the figures as JSON beside it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

import msgspec

from croupier.floor.simulated.config import Floor
from croupier.floor.simulated.floor_figures import YEAR, FloorFigures, Spread, days_in_words, figures_json, span
from croupier.floor.simulated.lifetime import Life
from croupier.lab.report.plots import as_svg, blank
from croupier.rulebooks.description.phrases import words

BLUE, RED, GREY = "#1f5f8b", "#b4462f", "#888888"
WIDTH = 7.6
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
    """Draw the meter at the end of each day, and where the jackpot Bet becomes fair."""
    figure, axes = blank("day", f"meter, {figures.currency}", grouped="y", width=WIDTH)
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
    axes.set_ylim(bottom=0)
    return as_svg(figure)


def hit_sizes(lives: Sequence[Life], figures: FloorFigures) -> str:
    """Draw what Players got from the meter, the whole of it and parts of it."""
    figure, axes = blank(f"paid to one player, {figures.currency}", "hits", grouped="x", width=WIDTH)
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
    return as_svg(figure)


def result_bands(lives: Sequence[Life], figures: FloorFigures) -> str:
    """Draw the House's result of each day: half of all lives lie in the dark band, nine tenths in the light one.

    One life is a line.
    """
    figure, axes = blank("day", f"House's result of the day, {figures.currency}", grouped="y", width=WIDTH)
    bands = figures.daily_bands
    days = range(1, figures.days + 1)
    if bands:
        axes.fill_between(days, bands["0.05"], bands["0.95"], color=BLUE, alpha=0.15, linewidth=0)
        axes.fill_between(days, bands["0.25"], bands["0.75"], color=BLUE, alpha=0.3, linewidth=0)
    axes.plot(days, bands["0.5"] if bands else [day.result / 100 for day in lives[0].days], color=BLUE)
    axes.axhline(0, color=GREY, linewidth=0.8)
    return as_svg(figure)


def daily_results(lives: Sequence[Life], figures: FloorFigures) -> str:
    """Draw the results of single days, with the band that nine tenths of them lie in."""
    figure, axes = blank(f"House's result of a day, {figures.currency}", "days", grouped="x", width=WIDTH)
    axes.hist([day.result / 100 for life in lives for day in life.days], bins=80, color=BLUE, alpha=0.75)
    for share in ("0.05", "0.5", "0.95") if figures.daily_result.band else ():
        axes.axvline(figures.daily_result.quantiles[share], color=RED, linestyle="--", linewidth=1)
    return as_svg(figure)


def page(floor: Floor, lives: Sequence[Life], figures: FloorFigures) -> str:
    """Return the whole report as HTML."""
    drawn = "One life" if len(lives) == 1 else f"The first {min(PATHS, len(lives))} lives"
    drawings = (
        (
            "The meter, day by day",
            meter_paths(lives, figures),
            f"{drawn}; dashed: where the jackpot bet of a game becomes fair to a single player.",
        ),
        ("What the meter paid", hit_sizes(lives, figures), "Hits of all lives, on a logarithmic scale."),
        (
            "The House's days",
            result_bands(lives, figures),
            "The median of all lives, half of them, nine tenths of them." if figures.daily_bands else "One life.",
        ),
        (
            "Single days",
            daily_results(lives, figures),
            "Dashed: 5%, 50% and 95% of the days lie below." if figures.daily_result.band else "One day.",
        ),
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
            words(each.hand),
            f"{each.count:,}",
            f"{each.days_between or 0:,.2f}",
            f"{each.amount.mean:,.2f}",
            *((f"{end:,.2f}" for end in each.amount.band) if each.amount.band else ("–", "–")),
        )
        for each in figures.hits
    ]
    title = f"A floor of {figures.tables} tables, {span(figures.lives, figures.days)}"
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
    """Return the figures as text, each with its name."""

    def line(name: str, of: Spread, among: str = "90%") -> tuple[str, str]:
        """Format a mean with the band that nine tenths of the values lie in; one value alone has no band."""
        if of.band is None:
            return name, f"{of.mean:,.2f}"
        low, high = of.band
        return f"{name} ({among})", f"{of.mean:,.2f} ({low:,.2f} to {high:,.2f})"

    fair = [
        (f"jackpot bet fair from: {each.game}", "no meter" if each.meter is None else f"{each.meter:,.2f}")
        for each in figures.break_even
    ]
    at_reset = figures.meter_at_reset
    between = "never" if figures.days_between_resets is None else f"{figures.days_between_resets:,.2f}"
    return [
        ("staked on the games", f"{figures.staked:,.2f}"),
        ("kept of every unit staked", f"{figures.hold:.4%}"),
        line("House's result of a day", figures.daily_result, "90% of days"),
        line(
            f"House's result of {days_in_words(min(YEAR, figures.days))}",
            figures.yearly_result,
            "90% of lives" if figures.days < 2 * YEAR else "90% of years",
        ),
        ("days with a loss", f"{figures.losing_days:.2%}"),
        ("lost by dealers' errors, a day", f"{figures.errors_a_day:,.2f}"),
        line("meter at the end of a day", figures.meter),
        *([] if at_reset is None else [line("meter when all of it is won", at_reset)]),
        ("days from one win of the whole meter to the next", between),
        line("reserve", figures.reserve),
        ("days with a top-up by the House, a year", f"{figures.top_ups_a_year:,.1f}"),
        ("topped up by the House, a year", f"{figures.topped_up_a_year:,.2f}"),
        *fair,
    ]


def write(path: Path, floor: Floor, lives: Sequence[Life], figures: FloorFigures) -> Path:
    """Write the page, and the figures as JSON beside it; return the path of the JSON file."""
    path.write_text(page(floor, lives, figures), encoding="utf-8")
    beside = path.with_suffix(".json")
    beside.write_bytes(msgspec.json.format(msgspec.json.encode(figures_json(figures)), indent=2))
    return beside
