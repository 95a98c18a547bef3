"""The PAR sheet as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from croupier import __version__
from croupier.lab.play.strategy_card import CHART_STYLE, chart_html, rules_html
from croupier.lab.report.plots import jackpot_growth, return_against_meter, session_bands
from croupier.money import currency
from croupier.rulebooks.description.phrases import words
from croupier.rulebooks.readings import readings_of

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.lab.report.sheet import Sheet

_STYLE = """
@page { size: A4; margin: 14mm; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 66rem; padding: 0 1.2rem; color: #1b2733; }
header { border-bottom: 3px solid #1f5f8b; padding-bottom: 0.8rem; } header p { margin: 0.15rem 0; }
h1 { font-size: 1.7rem; margin: 0; } h2 { margin: 2.2rem 0 0.4rem; border-bottom: 1px solid #d5dce3; }
h3 { margin: 1.3rem 0 0.2rem; font-size: 1rem; }
table { border-collapse: collapse; margin: 0.5rem 0 0.9rem; width: 100%; }
th, td { padding: 0.22rem 0.7rem 0.22rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #9aa7b4; font-weight: 600; white-space: nowrap; }
tr + tr td { border-top: 1px solid #edf1f4; }
td:nth-child(2) { white-space: nowrap; }
th.n, td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.exact { font: 11.5px/1.5 ui-monospace, monospace; color: #51606f; overflow-wrap: break-word; max-width: 20rem; }
td.again { font: 11.5px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.by { color: #51606f; font-size: 12px; } .no { color: #a32c17; font-weight: 600; } .yes { color: #22703c; }
.key { display: flex; flex-wrap: wrap; gap: 0.8rem; margin: 1.1rem 0; padding: 0; list-style: none; }
.key li { flex: 1 1 8.5rem; border: 1px solid #d5dce3; border-radius: 6px; padding: 0.5rem 0.8rem; }
.key b { display: block; font-size: 1.3rem; font-variant-numeric: tabular-nums; }
.key span { color: #51606f; font-size: 12px; }
figure { margin: 0.8rem 0; break-inside: avoid; } figcaption { color: #51606f; font-size: 12.5px; }
svg { max-width: 100%; height: auto; } code { font: 12px ui-monospace, monospace; overflow-wrap: anywhere; }
small { color: #51606f; } table, figure, .key { break-inside: avoid-page; } .chart { max-width: 42rem; }
"""

_HOW = (
    "Every figure is a count of all deals with the best choice at each decision, in whole numbers, divided at the end: "
    "no deal is sampled, and the fractions are exact. Payoffs, multiples, qualification, pay tables and readings come "
    "from the rulebook whose hash stands above. Beside each figure stands the same figure found a second way: rounds "
    "simulated, rounds settled bet by bet (with an interval that holds the truth 9,999 times of 10,000), deals counted "
    "card by card, or counts on paper."
)


def html(sheet: Sheet) -> str:
    """Return the whole page."""
    title = escape(f"{sheet.book.document.title}: PAR sheet")
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    body = [
        *_head(sheet),
        *_base(sheet),
        *_bets(sheet),
        *_sides(sheet),
        *_jackpot(sheet),
        *_strategy(sheet),
        *_given(sheet),
        *_published(sheet),
        *_readings(sheet),
    ]
    top = f'<!doctype html>\n<html lang="en"><head>{head}<style>{_STYLE}{CHART_STYLE}</style></head>'
    return "\n".join([top, "<body>", *body, "</body></html>", ""])


# ---------------------------------------------------------------- pieces


_CHECKED = ("exact", "found again", "second check")


def _cell(tag: str, text: str) -> str:
    """Return one cell: text that begins with > is a number, text that begins with < is HTML."""
    if text[:1] == "<":
        return text
    return f'<{tag} class="n">{escape(text[1:])}</{tag}>' if text[:1] == ">" else f"<{tag}>{escape(text)}</{tag}>"


def _table(head: Iterable[str], rows: Iterable[str]) -> str:
    top = "".join(_cell("th", each) for each in head)
    return f"<table><tr>{top}</tr>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def _cells(*values: str) -> str:
    return "".join(_cell("td", each) for each in values)


def _exact(figure: object) -> str:
    # A long fraction goes on below its stroke, never in the middle of a number.
    return f'<td class="exact">{escape(str(figure)).replace("/", "/<wbr>")}</td>'


def _row(sheet: Sheet, place: str, exact: object, *values: str) -> str:
    """Return the cells of a row with its exact figure, and what the second check at this place found."""
    return _cells(*values, _exact(exact), _again(sheet, place))


def _again(sheet: Sheet, place: str) -> str:
    check = sheet.checks.get(place)
    if check is None:
        return "<td></td><td></td>"
    mark = '<span class="yes">✓ agrees</span>' if check.agrees else '<span class="no">✗ differs</span>'
    return f'<td class="again">{escape(check.again)}</td><td>{mark} <span class="by">{escape(check.how)}</span></td>'


def _percent(value: Fraction | float, places: int = 4) -> str:
    return f">{100 * float(value):.{places}f}%"


def _meter(cents: Fraction | None) -> str:
    return ">none" if cents is None else f">{float(cents) / 100:,.2f}"


def _one_in(chance: Fraction) -> str:
    return f">{float(1 / chance):,.1f}" if chance else ">never"


def _figure(svg: str, says: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(says)}</figcaption></figure>"


# ---------------------------------------------------------------- chapters


def _head(sheet: Sheet) -> list[str]:
    document, solved = sheet.book.document, sheet.analysis.solved
    version = "" if document.version is None else f", version {document.version}"
    effective = "" if document.effective is None else f", in force from {document.effective:%d %B %Y}"
    agreeing = sum(check.agrees for check in sheet.checks.values())
    changed = ""
    if sheet.changes:
        listed = ", ".join(f"<code>{escape(each)}</code>" for each in sheet.changes)
        changed = f"<p><b>Not the game as its document has it.</b> Changed for this sheet: {listed}.</p>"
    key = [
        ("house edge, of the Ante", _percent(solved.house_edge)[1:]),
        ("element of risk", _percent(solved.element_of_risk)[1:]),
        ("average wager, in Antes", f"{float(solved.average_wager):.4f}"),
        ("standard deviation, in Antes", f"{solved.standard_deviation:.4f}"),
    ]
    if sheet.checks:
        key.append(("second checks that agree", f"{agreeing} of {len(sheet.checks)}"))
    return [
        "<header><p><small>PAR sheet</small></p>",
        f"<h1>{escape(document.title)}</h1>",
        f"<p>{escape(document.operator)}, document <code>{escape(document.edition)}</code>{version}{effective}.</p>",
        f"<p>Amounts in {escape(currency(sheet.analysis.game.terms.currency).code)}.</p>",
        f"<p>Rulebook SHA-256 <code>{sheet.rulebook_hash}</code>; croupier {__version__}.</p>{changed}</header>",
        '<ul class="key">' + "".join(f"<li><b>{value}</b><span>{name}</span></li>" for name, value in key) + "</ul>",
        f"<p>{escape(_HOW)}</p>",
    ]


def _base(sheet: Sheet) -> list[str]:
    solved = sheet.analysis.solved
    wager, deviation = solved.average_wager, solved.standard_deviation
    figures = [
        _row(sheet, "base.ev", solved.ev, "won per unit of Ante", f">{float(solved.ev):.8f}"),
        _row(sheet, "base.house_edge", "", "house edge", _percent(solved.house_edge)),
        _row(sheet, "base.average_wager", wager, "average wager", f">{float(wager):.6f}"),
        _row(sheet, "base.element_of_risk", "", "element of risk", _percent(solved.element_of_risk)),
        _row(sheet, "base.standard_deviation", f"√({solved.variance})", "standard deviation", f">{deviation:.6f}"),
        *(
            _row(sheet, f"base.{name}", chance, f"rounds with {words(name)}", _percent(chance))
            for name, chance in solved.decisions.items()
        ),
    ]
    results = [
        _row(sheet, f"result.{net}", chance, f">{float(net):+g}", _percent(chance, 6))
        for net, chance in solved.results.items()
    ]
    even = [
        _row(
            sheet,
            f"even.{each.decision}",
            each.probability,
            words(each.decision),
            f">{each.positions:,}",
            f">{float(each.probability):.3g}",
        )
        for each in solved.indifferent
    ]
    says = (
        "Positions in which both choices are worth exactly the same count as check, or fold. Betting them instead "
        "leaves the edge as it is and moves the standard deviation."
    )
    return [
        "<h2>The Ante with the bets that follow it</h2>",
        _table(("figure", ">about", *_CHECKED), figures),
        "<h3>Exactly even decisions</h3>",
        f"<p>{escape(says)}</p>",
        _table(("decision", ">positions", ">probability", *_CHECKED), even),
        "<h3>Every result of a round</h3>",
        _table((">in Antes", ">probability", *_CHECKED), results),
        "<h3>Sessions</h3>",
        _figure(session_bands(solved.results), "The sum after each number of rounds, from the exact results above."),
    ]


def _bets(sheet: Sheet) -> list[str]:
    rows = []
    for name, bet in sheet.analysis.bets.items():
        title = f"<td><b>{escape(words(name).title())}</b>, placed</td>"
        rows.append(_row(sheet, f"bet.{name}.placed", bet.placed, title, "", _percent(bet.placed, 6), ">"))
        for row in bet.rows:
            chance = row.probability
            figures = (f"{row.pays} to 1", _percent(chance, 6), _percent(chance / bet.placed * row.pays))
            rows.append(_row(sheet, f"bet.{name}.{row.row}", chance, words(row.row), *figures))
        hits = ("paid, of those placed", "", _percent(bet.hit_rate), ">")
        rows.append(_row(sheet, f"bet.{name}.hit_rate", bet.hit_rate, *hits))
        rows.append(_row(sheet, f"bet.{name}.ev", bet.ev, "won per unit placed", "", ">", _percent(bet.ev)))
    head = ("bet and row", "pays", ">probability", ">return", *_CHECKED)
    return ["<h2>Each bet by itself</h2>", _table(head, rows)]


def _sides(sheet: Sheet) -> list[str]:
    found = []
    for name, figures in sheet.analysis.sides.items():
        pays = dict(figures.side.declared.table.rows)
        rows = []
        for row, chance in figures.paid.items():
            cells = (str(pays[row]), _percent(chance, 6), _percent(chance * figures.side.pays[row]))
            rows.append(_row(sheet, f"side.{name}.{row}", chance, words(row), *cells))
        deviation = f">{figures.standard_deviation:.6f}"
        for place, exact, *more in (
            ("hit_rate", figures.hit_rate, "hit rate", "", _percent(figures.hit_rate, 6), ">"),
            ("ev", figures.ev, "won per unit", "", ">", _percent(figures.ev)),
            ("standard_deviation", "", "standard deviation", "", ">", deviation),
        ):
            rows.append(_row(sheet, f"side.{name}.{place}", exact, *map(str, more)))
        found += [
            f"<h2>{escape(words(name).title())}</h2>",
            _table(("row", "pays", ">probability", ">return", *_CHECKED), rows),
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
    chances, made = figures.probabilities, figures.made
    paid = [
        _row(sheet, f"jackpot_paid.{hand}", chances[hand], words(hand), pays, _one_in(chances[hand]))
        for hand, pays in ((award.hand, str(award.pays)) for award in figures.jackpot.awards)
    ]
    sums = [
        ("jackpot_fixed", figures.fixed_return, "fixed awards return", _percent(figures.fixed_return)),
        ("jackpot_share", figures.meter_share, "share of the meter won", f">{float(figures.meter_share):.4e}"),
        ("jackpot_even", "", "break-even meter of the bet", _meter(figures.break_even_meter)),
        (
            "jackpot_round",
            "",
            f"of a round with an Ante of {sheet.analysis.ante / 100:,.2f}",
            _meter(sheet.analysis.round_break_even),
        ),
    ]
    if figures.meter is not None:
        says = f"return at a meter of {float(figures.meter) / 100:,.2f}"
        sums.append(("jackpot_at", "", says, _percent(figures.expected(figures.meter) / figures.bet)))
    found = [
        f"<h2>Jackpot, on a bet of {float(figures.bet) / 100:,.2f}</h2>",
        _table(("hand", "pays", ">paid one in", *_CHECKED), paid),
    ]
    if made != chances:
        rows = [_row(sheet, f"jackpot.{hand}", chance, words(hand), _one_in(chance)) for hand, chance in made.items()]
        found += [
            "<p>A hand may make several lines and be paid one of them. How often the cards make each:</p>",
            _table(("hand", ">made one in", *_CHECKED), rows),
        ]
    return [
        *found,
        _table(("figure", ">about", *_CHECKED), (_row(sheet, *each) for each in sums)),
        _figure(return_against_meter(figures), "What the jackpot bet returns while the meter grows."),
        _figure(
            jackpot_growth(figures),
            "How contributions carry the meter above its reset value, by what the House puts in from each bet, and by "
            "how many bets the whole of it is won one time in four, in two, and three times in four.",
        ),
    ]


def _strategy(sheet: Sheet) -> list[str]:
    found = sheet.strategy
    costs = [
        _row(sheet, f"thumb.{decision}", cost, f"rules for {words(decision)}", f">{float(cost):.6f}")
        for decision, cost in found.mistakes
    ]
    costs.append(_row(sheet, "thumb", found.cost, "all of them", f">{float(found.cost):.6f}"))
    edges = [
        _row(sheet, f"edge.{each.hand}", each.margin, each.hand, each.choice, f">{float(each.margin):+.6f}")
        for each in found.edges
    ]
    if edges:
        head = ("hand", "choice", ">playing against folding", *_CHECKED)
        border = ["<h3>Cut-off hands</h3>", _table(head, edges)]
    else:
        border = [f"<p>{escape(found.lowest_played)}; {escape(found.highest_folded)}.</p>"]
    return [
        "<h2>How to play</h2>",
        rules_html(found),
        "<p>What these rules lose against the best play, in Antes a round:</p>",
        _table(("", ">cost", *_CHECKED), costs),
        *border,
        chart_html(found),
        *_hands(sheet),
    ]


def _hands(sheet: Sheet) -> list[str]:
    """Return every hand of the chart in figures, each with its second check."""
    rows = [
        _cells(cell.hand, f">{float(cell.value):+.6f}", f">{float(cell.margin):+.6f}", _percent(cell.played, 2))
        + _again(sheet, f"chart.{cell.hand}")
        for row in sheet.strategy.chart
        for cell in row
    ]
    head = ("hand", ">value", ">playing against folding", ">played", *_CHECKED[1:])
    return ["<details><summary>The chart in figures</summary>", _table(head, rows), "</details>"] if rows else []


def _given(sheet: Sheet) -> list[str]:
    title = "<h2>What rules give away</h2>"
    if not sheet.exploits:
        return [title, "<p>No rule that we know of.</p>"]
    rows = []
    for each in sheet.exploits:
        cited = escape(", ".join(each.rules))
        rows.append(
            f"<td><b>{escape(each.name)}</b><br>{escape(each.says)} <small>{cited}</small></td>"
            f'<td class="n">{float(each.value):+.6f}<br><small>per {escape(words(each.per))}</small></td>'
            + _exact(each.value)
            + _cells(">" if each.ev is None else f">{float(each.ev):+.6f}")
            + _again(sheet, f"exploit.{each.name}")
        )
    says = (
        "For each unit of the bet that is named: what the rule is worth, and what a round, or that bet, is then worth. "
        "What is found again is the one of the two that the second way shows."
    )
    head = ("", ">value", "exact", ">then worth", *_CHECKED[1:])
    return [title, f"<p>{escape(says)}</p>", _table(head, rows)]


def _published(sheet: Sheet) -> list[str]:
    rows = [
        _cells(
            words(each.figure),
            f">{each.says}",
            f">{each.ours}",
            "the same to its last digit" if each.agrees else f"differs: the published one {each.note}",
        )
        for each in sheet.analysis.published
    ]
    head = ("figure", ">published", ">here", "")
    return ["<h2>Published figures of this game</h2>", _table(head, rows)] if rows else []


def _readings(sheet: Sheet) -> list[str]:
    book = sheet.book
    rows = []
    for name, reading in readings_of(book.edition).items():
        chosen = book.readings.chosen(name)
        changed = "" if chosen == reading.default_for(book.game) else "not the default"
        rows.append(_cells(name, chosen, " ".join(reading.options[letter] for letter in chosen.split("+")), changed))
    return ["<h2>Readings in force</h2>", _table(("reading", "", "means", ""), rows)]
