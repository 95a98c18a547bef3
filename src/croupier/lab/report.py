"""The PAR sheet: everything we know of a game in one self-contained page, with a second opinion beside each figure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

import msgspec

from croupier import __version__
from croupier.lab.analysis import Analysis, Json, JsonValue, analyze, exact
from croupier.lab.checking import Check, check_base, check_jackpot, check_side
from croupier.lab.exploits import Exploit, exploit_json, exploits
from croupier.lab.plots import jackpot_growth, return_against_meter, session_bands
from croupier.lab.solving import Progress, quietly
from croupier.lab.strategy import Strategy, strategy, strategy_json
from croupier.money import Money
from croupier.rulebooks.readings import readings_of
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import Rulebook


class Written(msgspec.Struct, frozen=True):
    """Where the report went."""

    html: Path
    json: Path


def rulebook_hash(book: Rulebook) -> str:
    """Changes with anything that the rulebook declares, readings included."""
    return hashlib.sha256(msgspec.json.encode(book, order="deterministic")).hexdigest()


class Sheet(msgspec.Struct, frozen=True):
    """The contents of a report."""

    analysis: Analysis
    strategy: Strategy
    exploits: tuple[Exploit, ...]
    checks: tuple[Check, ...]
    changes: tuple[str, ...]

    @property
    def book(self) -> Rulebook:
        return self.analysis.game.terms.book

    def json(self) -> Json:
        document = self.book.document
        found = self.analysis.json()
        found["results"] = [
            {"net": exact(net), "probability": exact(chance)} for net, chance in self.analysis.solved.results.items()
        ]
        found["strategy"] = strategy_json(self.strategy)
        found["exploits"] = [exploit_json(each) for each in self.exploits]
        found["checks"] = [_check_json(each) for each in self.checks]
        found["changes"] = list(self.changes)
        found["rulebook"] = {
            "document": document.id,
            "title": document.title,
            "operator": document.operator,
            "version": document.version,
            "effective": None if document.effective is None else document.effective.isoformat(),
            "sha256": rulebook_hash(self.book),
            "readings": {name: self.book.readings.chosen(name) for name in readings_of(document.id)},
        }
        found["croupier"] = __version__
        return found


def _check_json(check: Check) -> JsonValue:
    return {
        "figure": check.figure,
        "found": check.found,
        "again": check.again,
        "how": check.how,
        "agrees": check.agrees,
    }


def make_sheet(
    terms: Terms,
    *,
    changes: Sequence[str] = (),
    meter: Money | None = None,
    rounds: int = 2_000_000,
    progress: Progress = quietly,
) -> Sheet:
    """Solve, find the strategy and what is given away, and check every figure a second time."""
    found = analyze(terms, meter=meter, progress=lambda doing, done: progress(doing, 0.3 * done))
    progress("strategy", 0.3)
    play = strategy(found.game, found.solved)
    progress("what rules give away", 0.5)
    given = exploits(found.solved, meter)
    progress("second opinions", 0.7)
    checks = [*check_base(found.solved, rounds)]
    for figures in found.sides.values():
        checks += check_side(figures, found.solved)
    if found.jackpot is not None:
        checks += check_jackpot(found.jackpot, found.solved)
    return Sheet(found, play, given, tuple(checks), tuple(changes))


def write_report(
    terms: Terms,
    page: Path,
    *,
    changes: Sequence[str] = (),
    meter: Money | None = None,
    rounds: int = 2_000_000,
    progress: Progress = quietly,
) -> Written:
    """Write the page, and its figures as JSON beside it."""
    sheet = make_sheet(terms, changes=changes, meter=meter, rounds=rounds, progress=progress)
    progress("drawings", 0.85)
    figures = page.with_suffix(".json")
    page.write_text(html(sheet), encoding="utf-8")
    figures.write_text(json.dumps(sheet.json(), indent=2) + "\n", encoding="utf-8")
    progress("done", 1.0)
    return Written(page, figures)


# ---------------------------------------------------------------- the page

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1b2733; }
h1 { font-size: 1.7rem; margin-bottom: 0; } h2 { margin-top: 2.4rem; border-bottom: 1px solid #d5dce3; }
table { border-collapse: collapse; margin: 0.8rem 0; } th, td { padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; }
th { border-bottom: 1px solid #9aa7b4; } td.n { text-align: right; font-variant-numeric: tabular-nums; }
td.exact { font: 12px ui-monospace, monospace; color: #51606f; overflow-wrap: anywhere; }
.chart td { width: 2.9rem; height: 1.9rem; padding: 0; text-align: center; font-size: 12px; border: 1px solid #fff; }
.no { color: #a32c17; font-weight: 600; } .yes { color: #22703c; } svg { max-width: 100%; height: auto; }
small { color: #51606f; } code { font: 12px ui-monospace, monospace; overflow-wrap: anywhere; }
"""


def html(sheet: Sheet) -> str:
    """One self-contained page."""
    document = sheet.book.document
    version = "" if document.version is None else f", version {document.version}"
    effective = "" if document.effective is None else f", in force from {document.effective:%d %B %Y}"
    body = [
        f"<h1>{escape(document.title)}</h1>",
        f"<p>{escape(document.operator)}{version}{effective}.</p>",
        f"<p>Rulebook <code>{rulebook_hash(sheet.book)}</code>, croupier {__version__}.</p>",
        *_changes(sheet),
        *_base(sheet),
        *_sides(sheet),
        *_jackpot(sheet),
        *_strategy(sheet.strategy),
        *_given(sheet.exploits),
        *_checks(sheet.checks),
        *_readings(sheet.book),
    ]
    title = escape(f"{document.title}: PAR sheet")
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{_STYLE}</style></head>\n<body>\n'
        + "\n".join(body)
        + ("\n</body></html>\n")
    )


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    top = "".join(f"<th>{escape(each)}</th>" for each in head)
    return f"<table><tr>{top}</tr>" + "".join(f"<tr>{''.join(row)}</tr>" for row in rows) + "</table>"


def _text(value: str) -> str:
    return f"<td>{escape(value)}</td>"


def _number(value: str) -> str:
    return f'<td class="n">{escape(value)}</td>'


def _exact(value: str) -> str:
    return f'<td class="exact">{escape(value)}</td>'


def _words(name: str) -> str:
    return name.replace("_", " ")


def _percent(value: float, places: int = 4) -> str:
    return f"{100 * value:.{places}f}%"


def _changes(sheet: Sheet) -> list[str]:
    if not sheet.changes:
        return []
    return [
        "<p>Changed for this sheet: " + ", ".join(f"<code>{escape(each)}</code>" for each in sheet.changes) + ".</p>"
    ]


def _base(sheet: Sheet) -> list[str]:
    solved = sheet.analysis.solved
    rows = [
        [_text("won per unit of Ante"), _number(f"{float(solved.ev):.8f}"), _exact(str(solved.ev))],
        [_text("house edge"), _number(_percent(solved.house_edge)), _exact("")],
        [_text("average wager"), _number(f"{float(solved.average_wager):.6f}"), _exact(str(solved.average_wager))],
        [_text("element of risk"), _number(_percent(solved.element_of_risk)), _exact("")],
        [_text("standard deviation"), _number(f"{solved.standard_deviation:.6f}"), _exact(f"√({solved.variance})")],
    ]
    rows += [
        [_text(f"rounds with {_words(name)}"), _number(_percent(float(chance))), _exact(str(chance))]
        for name, chance in solved.decisions.items()
    ]
    results = [
        [_number(f"{float(net):+g}"), _number(_percent(float(chance), 6)), _exact(str(chance))]
        for net, chance in solved.results.items()
    ]
    even = [each for each in solved.indifferent if each.positions]
    says = "No decision is exactly even."
    if even:
        says = "Exactly even decisions count as check, or fold: " + "; ".join(
            f"{each.positions:,} positions for {_words(each.decision)} (probability {float(each.probability):.3g})"
            for each in even
        )
        says += ". Betting them instead leaves the edge as it is and moves the standard deviation."
    return [
        "<h2>The Ante with the bets that follow it</h2>",
        _table(("figure", "about", "exact"), rows),
        f"<p>{escape(says)}</p>",
        "<h3>Every result</h3>",
        _table(("result in Antes", "probability", "exact"), results),
        "<h3>Sessions</h3>",
        session_bands(solved.results),
    ]


def _sides(sheet: Sheet) -> list[str]:
    found = []
    for name, figures in sheet.analysis.sides.items():
        pays = dict(figures.side.declared.table.rows)
        rows = [
            [
                _text(_words(row)),
                _text(str(pays[row])),
                _number(_percent(float(chance), 6)),
                _number(_percent(float(chance * figures.side.pays[row]))),
                _exact(str(chance)),
            ]
            for row, chance in figures.paid.items()
        ]
        found += [
            f"<h2>{escape(_words(name).title())}</h2>",
            _table(("row", "pays", "probability", "return", "exact"), rows),
            f"<p>Won per unit {float(figures.ev):.8f} (<code>{figures.ev}</code>).</p>",
            f"<p>Hit rate {_percent(float(figures.hit_rate))}, deviation {figures.standard_deviation:.6f}.</p>",
        ]
        cap = figures.side.declared.cap
        if cap is not None:
            found.append(
                f"<p>No more than {cap / 100:,.2f} is paid; the figures hold for bets that this does not cut.</p>"
            )
    return found


def _jackpot(sheet: Sheet) -> list[str]:
    figures = sheet.analysis.jackpot
    if figures is None:
        return []
    chances = figures.probabilities
    rows = [
        [
            _text(_words(award.hand)),
            _text(str(award.pays)),
            _number(f"{float(1 / chances[award.hand]):,.1f}" if chances[award.hand] else "never"),
            _exact(str(chances[award.hand])),
        ]
        for award in figures.jackpot.awards
    ]
    even = figures.break_even_meter
    fair = "No meter makes it fair." if even is None else f"It is fair from a meter of {float(even) / 100:,.2f} on."
    at = ""
    if figures.meter is not None:
        returned = float(figures.expected(figures.meter) / figures.bet)
        at = f" At a meter of {float(figures.meter) / 100:,.2f} it returns {_percent(returned)}."
    return [
        f"<h2>Jackpot, on a bet of {float(figures.bet) / 100:,.2f}</h2>",
        _table(("hand", "pays", "one in", "exact"), rows),
        f"<p>Fixed awards return {_percent(float(figures.fixed_return))} (<code>{figures.fixed_return}</code>).</p>",
        f"<p>One bet wins <code>{figures.meter_share}</code> of the meter on average. {fair}{at}</p>",
        return_against_meter(figures),
        "<p>How the meter grows, by what the house puts into it from each bet, and when it is won whole:</p>",
        jackpot_growth(figures),
    ]


def _strategy(found: Strategy) -> list[str]:
    rules = "".join(f"<li>{escape(rule.says)}</li>" for rule in found.rules)
    chart = ""
    if found.chart:
        cells = []
        for row in found.chart:
            line = []
            for cell in row:
                # From red through white to green, by what the hand is worth.
                worth = max(-1.0, min(1.0, float(cell.value)))
                hue, light = (140, 92 - 34 * worth) if worth > 0 else (8, 92 + 24 * worth)
                title = f"{cell.hand}: {float(cell.value):+.4f} Antes, played {_percent(float(cell.played), 1)}"
                mark = cell.hand if cell.played else f"<s>{cell.hand}</s>"
                line.append(f'<td title="{title}" style="background:hsl({hue} 60% {light:.0f}%)">{mark}</td>')
            cells.append(f"<tr>{''.join(line)}</tr>")
        chart = (
            "<p>Starting hands, suited above the diagonal; the colour is what the hand is worth.</p>"
            '<table class="chart">' + "".join(cells) + "</table>"
        )
    return [
        "<h2>How to play</h2>",
        f"<ul>{rules}</ul>",
        f"<p>These rules cost {float(found.cost):.6f} of an Ante a round (<code>{found.cost}</code>).</p>",
        f"<p>At the edge: {escape(found.lowest_played)} is played, {escape(found.highest_folded)} is not.</p>",
        chart,
    ]


def _given(given: tuple[Exploit, ...]) -> list[str]:
    if not given:
        return ["<h2>What rules give away</h2>", "<p>Nothing that we know of.</p>"]
    rows = [
        [
            _text(each.name),
            _number(f"{float(each.value):+.6f}"),
            _text(f"per {_words(each.per)}"),
            _text(", ".join(each.rules)),
            _text(each.says),
        ]
        for each in given
    ]
    return ["<h2>What rules give away</h2>", _table(("", "value", "", "paragraphs", ""), rows)]


def _checks(checks: tuple[Check, ...]) -> list[str]:
    rows = [
        [
            _text(each.figure),
            _exact(each.found),
            _exact(each.again),
            _text(each.how),
            f'<td class="{"yes" if each.agrees else "no"}">{"agrees" if each.agrees else "differs"}</td>',
        ]
        for each in checks
    ]
    return ["<h2>Second opinions</h2>", _table(("figure", "found", "again", "by", ""), rows)]


def _readings(book: Rulebook) -> list[str]:
    rows = []
    for name, reading in readings_of(book.game).items():
        chosen = book.readings.chosen(name)
        changed = "" if chosen == reading.default_for(book.game) else "not the default"
        says = " ".join(reading.options[letter] for letter in chosen.split("+"))
        rows.append([_text(name), _text(chosen), _text(says), _text(changed)])
    return ["<h2>Readings in force</h2>", _table(("reading", "", "means", ""), rows)]
