"""The PAR sheet as one self-contained page, made to be handed to a test laboratory and printed."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from croupier import __version__
from croupier.lab.play.strategy_card import CHART_STYLE, chart_html, rules_html
from croupier.lab.report.plots import jackpot_growth, return_against_meter, session_bands
from croupier.money import currency
from croupier.rulebooks.readings import readings_of

if TYPE_CHECKING:
    from croupier.lab.play.exploits import Exploit
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
    "nothing is sampled, and the fractions are exact. Payoffs, multiples, qualification, pay tables and readings come "
    "from the rulebook whose hash stands above. Beside each figure stands the same figure found a second way: rounds "
    "simulated, rounds settled bet by bet (with an interval that holds the truth 9,999 times of 10,000), deals counted "
    "card by card, or counts on paper."
)


def html(sheet: Sheet) -> str:
    """The whole page."""
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


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A column whose head begins with > is of numbers."""
    top = "".join(
        f'<th class="n">{escape(each[1:])}</th>' if each[:1] == ">" else f"<th>{escape(each)}</th>" for each in head
    )
    return f"<table><tr>{top}</tr>" + "".join(f"<tr>{''.join(row)}</tr>" for row in rows) + "</table>"


def _text(value: str) -> str:
    return f"<td>{escape(value)}</td>"


def _number(value: str) -> str:
    return f'<td class="n">{escape(value)}</td>'


def _exact(value: str) -> str:
    # A long fraction goes on below its stroke, never in the middle of a number.
    return f'<td class="exact">{escape(value).replace("/", "/<wbr>")}</td>'


def _words(name: str) -> str:
    return name.replace("_", " ")


def _percent(value: float, places: int = 4) -> str:
    return f"{100 * value:.{places}f}%"


def _again(sheet: Sheet, place: str) -> str:
    """What the second way found, whether it agrees, and which way it is."""
    check = sheet.checks.get(place)
    if check is None:
        return "<td></td><td></td>"
    mark = '<span class="yes">✓ agrees</span>' if check.agrees else '<span class="no">✗ differs</span>'
    return f'<td class="again">{escape(check.again)}</td><td>{mark} <span class="by">{escape(check.how)}</span></td>'


_CHECKED = ("found again", "second check")


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
        ("house edge, of the Ante", _percent(solved.house_edge)),
        ("element of risk", _percent(solved.element_of_risk)),
        ("average wager, in Antes", f"{float(solved.average_wager):.4f}"),
        ("standard deviation, in Antes", f"{solved.standard_deviation:.4f}"),
    ]
    if sheet.checks:
        key.append(("second checks that agree", f"{agreeing} of {len(sheet.checks)}"))
    return [
        "<header><p><small>PAR sheet</small></p>",
        f"<h1>{escape(document.title)}</h1>",
        f"<p>{escape(document.operator)}, document <code>{escape(document.id)}</code>{version}{effective}.</p>",
        f"<p>Amounts in {escape(currency(sheet.analysis.game.terms.currency).code)}.</p>",
        f"<p>Rulebook SHA-256 <code>{sheet.rulebook_hash}</code>; croupier {__version__}.</p>{changed}</header>",
        '<ul class="key">' + "".join(f"<li><b>{value}</b><span>{name}</span></li>" for name, value in key) + "</ul>",
        f"<p>{escape(_HOW)}</p>",
    ]


def _base(sheet: Sheet) -> list[str]:
    solved = sheet.analysis.solved
    figures = [
        ("won per unit of Ante", f"{float(solved.ev):.8f}", str(solved.ev), "base.ev"),
        ("house edge", _percent(solved.house_edge), "", "base.house_edge"),
        ("average wager", f"{float(solved.average_wager):.6f}", str(solved.average_wager), "base.average_wager"),
        ("element of risk", _percent(solved.element_of_risk), "", "base.element_of_risk"),
        ("standard deviation", f"{solved.standard_deviation:.6f}", f"√({solved.variance})", "base.standard_deviation"),
        *(
            (f"rounds with {_words(name)}", _percent(float(chance)), str(chance), f"base.{name}")
            for name, chance in solved.decisions.items()
        ),
    ]
    rows = [[_text(name), _number(about), _exact(exact), _again(sheet, place)] for name, about, exact, place in figures]
    results = [
        [
            _number(f"{float(net):+g}"),
            _number(_percent(float(chance), 6)),
            _exact(str(chance)),
            _again(sheet, f"result.{net}"),
        ]
        for net, chance in solved.results.items()
    ]
    even = [
        [
            _text(_words(each.decision)),
            _number(f"{each.positions:,}"),
            _number(f"{float(each.probability):.3g}"),
            _exact(str(each.probability)),
            _again(sheet, f"even.{each.decision}"),
        ]
        for each in solved.indifferent
    ]
    says = (
        "Positions in which both choices are worth exactly the same count as check, or fold. Betting them instead "
        "leaves the edge as it is and moves the standard deviation."
    )
    return [
        "<h2>The Ante with the bets that follow it</h2>",
        _table(("figure", ">about", "exact", *_CHECKED), rows),
        "<h3>Exactly even decisions</h3>",
        f"<p>{escape(says)}</p>",
        _table(("decision", ">positions", ">probability", "exact", *_CHECKED), even),
        "<h3>Every result of a round</h3>",
        _table((">in Antes", ">probability", "exact", *_CHECKED), results),
        "<h3>Sessions</h3>",
        _figure(session_bands(solved.results), "Where the sum of so many rounds lies, from the exact results above."),
    ]


def _bets(sheet: Sheet) -> list[str]:
    found = ["<h2>Each bet by itself</h2>"]
    rows = []
    for name, bet in sheet.analysis.bets.items():
        placed = _again(sheet, f"bet.{name}.placed")
        rows.append(
            [
                f"<td><b>{escape(_words(name).title())}</b>, placed</td>",
                _text(""),
                _number(_percent(float(bet.placed), 6)),
                _number(""),
                _exact(str(bet.placed)),
                placed,
            ]
        )
        for row in bet.rows:
            returned = float(row.probability / bet.placed * row.pays)
            cells = [_text(_words(row.row)), _text(f"{row.pays} to 1"), _number(_percent(float(row.probability), 6))]
            rows.append(
                [
                    *cells,
                    _number(_percent(returned)),
                    _exact(str(row.probability)),
                    _again(sheet, f"bet.{name}.{row.row}"),
                ]
            )
        rows.append(
            [
                _text("paid, of those placed"),
                _text(""),
                _number(_percent(float(bet.hit_rate))),
                _number(""),
                _exact(str(bet.hit_rate)),
                _again(sheet, f"bet.{name}.hit_rate"),
            ]
        )
        rows.append(
            [
                _text("won per unit placed"),
                _text(""),
                _number(""),
                _number(_percent(float(bet.ev))),
                _exact(str(bet.ev)),
                _again(sheet, f"bet.{name}.ev"),
            ]
        )
    found.append(_table(("bet and row", "pays", ">probability", ">return", "exact", *_CHECKED), rows))
    return found


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
                _again(sheet, f"side.{name}.{row}"),
            ]
            for row, chance in figures.paid.items()
        ]
        for says, about, exact, place in (
            ("hit rate", _percent(float(figures.hit_rate), 6), str(figures.hit_rate), "hit_rate"),
            ("won per unit", _percent(float(figures.ev)), str(figures.ev), "ev"),
            ("standard deviation", f"{figures.standard_deviation:.6f}", "", "standard_deviation"),
        ):
            cells = (_number(about), _number("")) if place == "hit_rate" else (_number(""), _number(about))
            rows.append([_text(says), _text(""), *cells, _exact(exact), _again(sheet, f"side.{name}.{place}")])
        found += [
            f"<h2>{escape(_words(name).title())}</h2>",
            _table(("row", "pays", ">probability", ">return", "exact", *_CHECKED), rows),
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
    apart = made != chances
    rows = [
        [
            _text(_words(award.hand)),
            _text(str(award.pays)),
            _number(f"{float(1 / chances[award.hand]):,.1f}" if chances[award.hand] else "never"),
            _exact(str(chances[award.hand])),
            _again(sheet, f"jackpot_paid.{award.hand}"),
        ]
        for award in figures.jackpot.awards
    ]
    made_rows = [
        [
            _text(_words(award.hand)),
            _number(f"{float(1 / made[award.hand]):,.1f}" if made[award.hand] else "never"),
            _exact(str(made[award.hand])),
            _again(sheet, f"jackpot.{award.hand}"),
        ]
        for award in figures.jackpot.awards
    ]
    even, whole = figures.break_even_meter, sheet.analysis.round_break_even
    ante = sheet.analysis.ante / 100
    sums = [
        ("fixed awards return", _percent(float(figures.fixed_return)), str(figures.fixed_return), "jackpot_fixed"),
        ("share of the meter won", f"{float(figures.meter_share):.4e}", str(figures.meter_share), "jackpot_share"),
        ("break-even meter of the bet", "none" if even is None else f"{float(even) / 100:,.2f}", "", "jackpot_even"),
        (
            f"of a round with an Ante of {ante:,.2f}",
            "none" if whole is None else f"{float(whole) / 100:,.2f}",
            "",
            "jackpot_round",
        ),
    ]
    if figures.meter is not None:
        returned = float(figures.expected(figures.meter) / figures.bet)
        sums.append((f"return at a meter of {float(figures.meter) / 100:,.2f}", _percent(returned), "", "jackpot_at"))
    return [
        f"<h2>Jackpot, on a bet of {float(figures.bet) / 100:,.2f}</h2>",
        _table(("hand", "pays", ">paid one in", "exact", *_CHECKED), rows),
        *(
            [
                "<p>A hand may make several lines and be paid one of them. How often the cards make each:</p>",
                _table(("hand", ">made one in", "exact", *_CHECKED), made_rows),
            ]
            if apart
            else []
        ),
        _table(
            ("figure", ">about", "exact", *_CHECKED),
            [[_text(says), _number(about), _exact(exact), _again(sheet, place)] for says, about, exact, place in sums],
        ),
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
        [
            _text(f"rules for {_words(decision)}"),
            _number(f"{float(cost):.6f}"),
            _exact(str(cost)),
            _again(sheet, f"thumb.{decision}"),
        ]
        for decision, cost in found.mistakes
    ]
    costs.append(
        [_text("all of them"), _number(f"{float(found.cost):.6f}"), _exact(str(found.cost)), _again(sheet, "thumb")]
    )
    edges = [
        [
            _text(each.hand),
            _text(each.choice),
            _number(f"{float(each.margin):+.6f}"),
            _exact(str(each.margin)),
            _again(sheet, f"edge.{each.hand}"),
        ]
        for each in found.edges
    ]
    return [
        "<h2>How to play</h2>",
        rules_html(found),
        "<p>What these rules lose against the best play, in Antes a round:</p>",
        _table(("", ">cost", "exact", *_CHECKED), costs),
        *(
            [
                "<h3>Cut-off hands</h3>",
                _table(("hand", "choice", ">playing against folding", "exact", *_CHECKED), edges),
            ]
            if edges
            else [f"<p>{escape(found.lowest_played)}; {escape(found.highest_folded)}.</p>"]
        ),
        chart_html(found),
        *_hands(sheet),
    ]


def _hands(sheet: Sheet) -> list[str]:
    """Every hand of the chart in figures, each with its second check."""
    found = sheet.strategy
    if not found.chart:
        return []
    rows = [
        [
            _text(cell.hand),
            _number(f"{float(cell.value):+.6f}"),
            _number(f"{float(cell.margin):+.6f}"),
            _number(_percent(float(cell.played), 2)),
            _again(sheet, f"chart.{cell.hand}"),
        ]
        for row in found.chart
        for cell in row
    ]
    head = ("hand", ">value", ">playing against folding", ">played", *_CHECKED)
    return ["<details><summary>The chart in figures</summary>", _table(head, rows), "</details>"]


def _given(sheet: Sheet) -> list[str]:
    if not sheet.exploits:
        return ["<h2>What rules give away</h2>", "<p>Nothing that we know of.</p>"]
    rows = [
        [
            f"<td><b>{escape(each.name)}</b><br>{escape(each.says)} <small>{_cited(each)}</small></td>",
            f'<td class="n">{float(each.value):+.6f}<br><small>per {escape(_words(each.per))}</small></td>',
            _exact(str(each.value)),
            _number("" if each.ev is None else f"{float(each.ev):+.6f}"),
            _again(sheet, f"exploit.{each.name}"),
        ]
        for each in sheet.exploits
    ]
    says = (
        "For each unit of the bet that is named: what the rule is worth, and what a round, or that bet, is then worth. "
        "What is found again is the one of the two that the second way shows."
    )
    head = ("", ">value", "exact", ">then worth", *_CHECKED)
    return ["<h2>What rules give away</h2>", f"<p>{escape(says)}</p>", _table(head, rows)]


def _cited(exploit: Exploit) -> str:
    return escape(", ".join(exploit.rules))


def _published(sheet: Sheet) -> list[str]:
    if not sheet.analysis.published:
        return []
    rows = [
        [
            _text(_words(each.figure)),
            _number(each.says),
            _number(each.ours),
            _text("the same to its last digit" if each.agrees else f"differs: the published one {each.note}"),
        ]
        for each in sheet.analysis.published
    ]
    return ["<h2>Published figures of this game</h2>", _table(("figure", ">published", ">here", ""), rows)]


def _readings(sheet: Sheet) -> list[str]:
    book = sheet.book
    rows = []
    for name, reading in readings_of(book.game).items():
        chosen = book.readings.chosen(name)
        changed = "" if chosen == reading.default_for(book.game) else "not the default"
        says = " ".join(reading.options[letter] for letter in chosen.split("+"))
        rows.append([_text(name), _text(chosen), _text(says), _text(changed)])
    return ["<h2>Readings in force</h2>", _table(("reading", "", "means", ""), rows)]
