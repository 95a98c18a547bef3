"""The strategy card: rules, cut-off hands and chart as text and as a page to print."""

from __future__ import annotations

from html import escape

from croupier.lab.play.strategy import Strategy
from croupier.rulebooks.description.phrases import words

CARD_STYLE = """
@page { size: A5; margin: 10mm; }
body { font: 13px/1.4 system-ui, sans-serif; color: #1b2733; margin: 1rem auto; max-width: 36rem; padding: 0 0.6rem; }
h1 { font-size: 1.15rem; margin: 0 0 0.2rem; } h3 { font-size: 0.95rem; margin: 0.7rem 0 0.1rem; }
ol { margin: 0; padding-left: 1.3rem; } p { margin: 0.4rem 0; } small { color: #51606f; }
@media print {
  body { font-size: 9.5px; line-height: 1.3; margin: 0; max-width: none; padding: 0; }
  h1 { font-size: 14px; } h3 { font-size: 11px; margin: 4px 0 0; } p { margin: 3px 0; }
  .chart td { padding: 0.12em 0; font-size: 8px; } .chart small { font-size: 6px; }
}
"""
CHART_STYLE = """
.chart { border-collapse: collapse; table-layout: fixed; width: 100%; -webkit-print-color-adjust: exact;
  print-color-adjust: exact; }
.chart td { padding: 0.25em 0; text-align: center; font-size: 11px; border: 1px solid #fff; }
.chart s { color: #7a1f10; } .chart small { display: block; font-size: 8px; line-height: 1; color: inherit; }
"""


def card_text(found: Strategy) -> str:
    """Return the rules, the Hands at the edge, and the chart with a dot where a hand is folded."""
    lines = [f"{found.game}: how to play", ""]
    for decision, rules in _by_decision(found).items():
        lines += [f"{_heading(decision)}:", *(f"- {rule}" for rule in rules)]
    lines += ["", *found.notes, _cost(found)]
    if found.beside is not None:
        lines.append(_beside(found))
    if found.edges:
        lines += ["", "At the edge, with what playing brings against folding:", ""]
        lines += [f"  {each.hand:<8} {each.choice:<6} {float(each.margin):+.6f}" for each in found.edges]
    else:
        lines += ["", f"{found.lowest_played}; {found.highest_folded}."]
    if found.chart:
        lines += ["", "Starting hands (above the diagonal suited):", ""]
        for row in found.chart:
            cells = (
                (cell.hand if cell.played == 1 else f"{int(100 * cell.played)}%" if cell.played else ".")
                for cell in row
            )
            lines.append(" ".join(f"{cell:>4}" for cell in cells))
    return "\n".join(lines)


def _cost(found: Strategy) -> str:
    if not found.cost:
        return "These rules lose 0 against the best play."
    return f"This costs {float(found.cost):.6f} of an Ante a round against the best play."


def _beside(found: Strategy) -> str:
    assert found.beside is not None
    stakes = ", ".join(f"{words(name)} {stake / 100:,.2f}" for name, stake in found.beside.stakes.items())
    meter = f" at a meter of {found.beside.meter / 100:,.2f}" if found.beside.meter else ""
    return f"With {stakes} beside an Ante of {found.beside.ante / 100:,.2f}{meter}."


def card_html(found: Strategy) -> str:
    """Return one self-contained page of A5."""
    body = [f"<h1>{escape(found.title)}</h1>", f"<small>{escape(found.game)}</small>"]
    if found.beside is not None:
        body.append(f"<p>{escape(_beside(found))}</p>")
    body.append(rules_html(found))
    body.append(f"<p>{escape(_cost(found))}</p>")
    if found.edges:
        edges = ", ".join(f"{each.hand} ({each.choice} {abs(float(each.margin)):.3f})" for each in found.edges)
        body.append(f"<p><small>At the edge, with what the right choice brings: {escape(edges)}.</small></p>")
    body.append(chart_html(found))
    title = escape(f"{found.title}: how to play")
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    style = f"<style>{CHART_STYLE}{CARD_STYLE}</style>"
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}{style}</head>\n<body>\n'
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def rules_html(found: Strategy) -> str:
    """Return the rules under a heading for each decision, and what their words mean."""
    parts = []
    for decision, rules in _by_decision(found).items():
        parts.append(f"<h3>{escape(_heading(decision))}</h3>")
        parts.append("<ol>" + "".join(f"<li>{escape(rule)}</li>" for rule in rules) + "</ol>")
    if found.notes:
        parts.append(f"<p><small>{escape(' '.join(found.notes))}</small></p>")
    return "".join(parts)


def _by_decision(found: Strategy) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for rule in found.rules:
        groups.setdefault(rule.decision, []).append(rule.says)
    return groups


def _heading(decision: str) -> str:
    return f"{words(decision).title()} bet"


def chart_html(found: Strategy) -> str:
    """Return the 169 starting hands, coloured from red to green by their worth, struck out where folded."""
    if not found.chart:
        return ""
    rows = []
    for row in found.chart:
        line = []
        for cell in row:
            worth = max(-1.0, min(1.0, float(cell.value)))
            hue, light = (140, 92 - 34 * worth) if worth > 0 else (8, 92 + 24 * worth)
            often = float(cell.played)
            title = f"{cell.hand}: {float(cell.value):+.4f} Antes, played {often:.1%}"
            mark = cell.hand if cell.played else f"<s>{cell.hand}</s>"
            # Rounded down, so that only what is called on every flop looks like it.
            part = f"<small>{int(100 * often)}%</small>" if 0 < cell.played < 1 else ""
            line.append(f'<td title="{title}" style="background:hsl({hue} 60% {light:.0f}%)">{mark}{part}</td>')
        rows.append(f"<tr>{''.join(line)}</tr>")
    says = "Starting hands, suited above the diagonal; the colour is what the hand is worth, struck out is folded."
    if any(0 < cell.played < 1 for row in found.chart for cell in row):
        says = "Starting hands, suited above the diagonal, with how often they are called; the colour is their worth."
    return f'<p><small>{says}</small></p><table class="chart">' + "".join(rows) + "</table>"
