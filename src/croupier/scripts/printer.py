"""Print a result for people: each round's felt, the result of every bet, the reason and the paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from croupier.cards import Card, best_five, card, five_card_name, show, three_card, three_card_name
from croupier.money import Currency, Money, currency, display
from croupier.rounds.events import AwardPaid, BetSettled, Outcome
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.vocabulary import HandKind, Role
from croupier.scripts.result import Result, RoundResult

_OUTCOMES = {
    Outcome.WIN: ("wins", "green"),
    Outcome.LOSE: ("loses", "red"),
    Outcome.STAND_OFF: ("stands off", "yellow"),
    Outcome.RETURNED: ("returned", "cyan"),
}
_STATUS = {"settled": "green", "void": "red", "open": "yellow"}
_GAP = 2
_LONGEST_NAME = 16
_ROOM_FOR_WHY = 44
"""Columns: with less room beside the figures, the reason is printed beneath them."""


def print_result(result: Result, console: Console) -> None:
    """Print a whole result."""
    if not result.rounds and not result.refusals:
        console.print("No round was opened.")
    for found in result.rounds:
        print_round(found, console)
        console.print()
    _print_refusals(result, console)
    _print_totals(result, console)


def indented(text: Text, by: int, console: Console) -> None:
    """Print a text with a left margin on every line."""
    for part in text.wrap(console, max(console.width - by, 20)):
        part.rstrip()
        console.print(Text.assemble(" " * by, part))


def print_round(found: RoundResult, console: Console) -> None:
    """Print one Round: the felt, the bets, the awards, the notices, and what it waits for."""
    document = declare(found.game).document
    title = Text.assemble(
        (f"Round {found.round}", "bold"),
        f" · {_plain(found.table)} · {document.operator} {document.title} · ",
        (found.status, _STATUS.get(found.status, "")),
    )
    if cell_len(title.plain) <= console.width - 2 * _GAP:
        console.print(Rule(title, align="left", style="dim"))
    else:
        indented(title, 0, console)
    _print_felt(found, console)
    _print_lines(found, console)
    money = currency(found.currency)
    _print_list("Awards", [_award_words(found, award, money) for award in found.awards], console)
    _print_list("Notices", [_with_rules(n.text, n.rules, found.game) for n in found.notices], console)
    _print_list("Waits for", [_awaited_words(waits, found.game) for waits in found.awaiting], console)


# ---------------------------------------------------------------- the felt


def _print_felt(found: RoundResult, console: Console) -> None:
    if not found.cards and not found.lines:
        return
    rows = list(_felt(found))
    place_width = max(cell_len(place) for place, _, _ in rows)
    cards_width = max(cell_len(cards) for _, cards, _ in rows)
    for place, cards, name in rows:
        text = Text.assemble(
            (set_cell_size(place, place_width + _GAP), "bold"), set_cell_size(cards, cards_width + _GAP), name
        )
        indented(text, _GAP, console)


def _felt(found: RoundResult) -> Iterator[tuple[str, str, str]]:
    """Yield place, cards and hand name of the Community Cards, the Dealer and the boxes."""
    boxes = sorted({line.box for line in found.lines} | {int(place) for place in found.cards if place.isdigit()})
    for place in ("community", "dealer", *map(str, boxes)):
        cards = tuple(map(card, found.cards.get(place, ())))
        if cards or place.isdigit():
            words = f"Box {place}" if place.isdigit() else place.title()
            yield words, show(cards) if cards else "face down", hand_name(found, place, cards)


def hand_name(found: RoundResult, place: str, cards: tuple[Card, ...]) -> str:
    """Return the name of the Hand at a place; empty while it is not complete."""
    if place == "community":
        return ""
    if declare(found.game).showdown.hand is HandKind.THREE_CARDS:
        return three_card_name(three_card(cards)) if len(cards) == 3 else ""
    seven = (*cards, *map(card, found.cards.get("community", ())))
    return five_card_name(best_five(seven)) if cards and len(seven) >= 5 else ""


# ---------------------------------------------------------------- the bets


class _Row(NamedTuple):
    """One bet's figures as they are printed, and its reason."""

    cells: tuple[str, ...]
    style: str
    why: Text


_HEADINGS = ("Box", "Player", "Bet", "Staked", "Outcome", "Won", "Returned")
_FIGURES = {0, 3, 5, 6}
"""Columns that are aligned on the right."""
_OUTCOME = 4


def _print_lines(found: RoundResult, console: Console) -> None:
    if not found.lines:
        return
    money = currency(found.currency)
    rows = [_row(found, line, money) for line in found.lines]
    headings = (*_HEADINGS[:3], f"{_HEADINGS[3]} {money.code}", *_HEADINGS[4:])
    widths = [max(cell_len(cells[i]) for cells in (headings, *(row.cells for row in rows))) for i in range(7)]
    figures = sum(widths) + _GAP * len(widths)
    room = console.width - figures - _GAP
    beside = room >= _ROOM_FOR_WHY
    head = _cells(headings, widths)
    head.stylize("bold")
    console.print()
    indented(head.append("  Why" if beside else "", "bold"), _GAP, console)
    if beside:
        for row in rows:
            _print_beside(row, widths, room - _GAP, console)
    else:
        indent = sum(widths[:2]) + 3 * _GAP
        for _, group in groupby(rows, key=lambda row: (row.cells[:2], row.why.plain)):
            same = list(group)
            for row in same:
                indented(_cells(row.cells, widths, row.style), _GAP, console)
            indented(same[0].why, indent, console)


def _row(found: RoundResult, line: BetSettled, money: Currency) -> _Row:
    outcome, style = _OUTCOMES[line.outcome]
    cells = (
        str(line.box),
        _name(line.player),
        line.bet.replace("_", " ").title(),
        _figure(line.staked, money),
        outcome,
        _figure(line.won, money),
        _figure(line.returned, money),
    )
    return _Row(cells, style, _with_rules(line.because, line.rules, found.game))


def _print_beside(row: _Row, widths: Sequence[int], room: int, console: Console) -> None:
    """Print the reason in its own column, on as many lines as needed."""
    figures = _cells(row.cells, widths, row.style)
    for i, part in enumerate(row.why.wrap(console, room)):
        left = figures if i == 0 else Text(" " * cell_len(figures.plain))
        part.rstrip()
        console.print(Text.assemble(" " * _GAP, left, " " * _GAP, part))


def _cells(cells: Sequence[str], widths: Sequence[int], style: str = "") -> Text:
    text = Text()
    for i, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        blank = " " * (width - cell_len(cell))
        padded = blank + cell if i in _FIGURES else cell + blank
        text.append(padded, style if i == _OUTCOME else "")
        if i < len(cells) - 1:
            text.append(" " * _GAP)
    return text


# ---------------------------------------------------------------- awards, notices, what is awaited


def _print_list(heading: str, entries: Sequence[Text], console: Console) -> None:
    if not entries:
        return
    console.print()
    indented(Text(heading, "bold"), _GAP, console)
    for entry in entries:
        indented(entry, 2 * _GAP, console)


def _award_words(found: RoundResult, award: AwardPaid, money: Currency) -> Text:
    paid = display(award.amount, money)
    by_odds = "" if paid.endswith(f" {award.pays}") else f"{award.pays}{' of the jackpot' * award.pays.endswith('%')}, "
    words = f"Box {award.box}, {_plain(award.player)}: {award.hand.replace('_', ' ')}, {by_odds}{paid}."
    return _with_rules(words, award.rules, found.game)


def _awaited_words(waits: dict[str, object], game: str) -> Text:
    """Return what the Round waits for, as a sentence."""
    match waits:
        case {"what": "award", "box": box, "player": player, "hand": hand}:
            words = f"the award of box {box}, {player} ({_words(hand)}): its turn to be paid has not come."
        case {"what": "ruling", "incident": incident, "from": role, "decisions": decisions}:
            who = next(known.title for known in Role if known.slug == role)
            words = f"a {who} or above, who rules on {_incident(incident)}: {_either(decisions)}."
        case {"what": "options", "incident": incident, "boxes": boxes, "options": options}:
            words = f"{_boxes(boxes)} after {_incident(incident)}: {_either(options)}."
        case {"what": "decision", "boxes": boxes, "choices": choices}:
            words = f"{_boxes(boxes)} to decide: {_either(choices)}."
        case {"what": "bets", "bets": bets}:
            words = f'bets ({_either(bets)}), then "No more bets".'
        case _:
            words = ", ".join(f"{key} {_words(value)}" for key, value in waits.items() if key != "rules")
    return _with_rules(words, _strings(waits.get("rules", ())), game)


def _incident(slug: object) -> str:
    return f"“{_words(slug)}”"


def _boxes(numbers: object) -> str:
    listed = _strings(numbers)
    return f"box {listed[0]}" if len(listed) == 1 else f"boxes {', '.join(listed)}"


def _either(choices: object) -> str:
    listed = [choice.replace("_", " ") for choice in _strings(choices)]
    return " or ".join((", ".join(listed[:-1]), listed[-1])) if len(listed) > 1 else "".join(listed)


def _strings(values: object) -> tuple[str, ...]:
    return tuple(map(str, values)) if isinstance(values, list | tuple) else (str(values),)


def _words(value: object) -> str:
    return ", ".join(_strings(value)).replace("_", " ")


# ---------------------------------------------------------------- refusals and totals


def _print_refusals(result: Result, console: Console) -> None:
    games = {found.game for found in result.rounds}
    game = next(iter(games)) if len(games) == 1 else None
    if not result.refusals:
        return
    console.print(Text("Refused", "bold"))
    for refusal in result.refusals:
        words = _with_rules(f"Step {refusal.step}, {refusal.code}: {refusal.message}", refusal.rules, game)
        indented(words, _GAP, console)
    console.print()


def _print_totals(result: Result, console: Console) -> None:
    if result.meter is not None and result.rounds:
        meter = display(result.meter, currency(result.rounds[0].currency))
        console.print(Text.assemble(("Jackpot meter ", "bold"), meter))
    nets = [f"{_name(player)} {_signed(amount, money)}" for player, money, amount in net_by_currency(result)]
    if nets:
        console.print(Text.assemble(("Net ", "bold"), ", ".join(nets)))


def net_by_currency(result: Result) -> Iterator[tuple[str, Currency, Money]]:
    """Yield what each Player won or lost, for each currency they played in."""
    nets: dict[tuple[str, str], Money] = {}
    for found in result.rounds:
        for line in found.lines:
            key = (line.player, found.currency)
            nets[key] = nets.get(key, 0) + line.won + line.returned - line.staked
    for (player, code), amount in nets.items():
        yield player, currency(code), amount


# ---------------------------------------------------------------- words


def cited(rules: Iterable[str], game: str | None) -> str:
    """Return citations as people write them: "3.13, 4.1; reading bonus-on-loss"."""
    known = paragraphs(game) if game is not None else None
    numbers = [rule for rule in dict.fromkeys(rules) if known is None or rule in known]
    readings = [rule for rule in dict.fromkeys(rules) if rule not in numbers]
    # A document without numbers is cited by its headings, and a heading is printed once: "Payouts ¶1, ¶2".
    by_heading = groupby(numbers, key=lambda number: number.partition("¶")[0] if "¶" in number else "")
    listed = [heading + ", ".join(number.removeprefix(heading) for number in group) for heading, group in by_heading]
    if readings:
        listed.append(f"reading{'s' if len(readings) > 1 else ''} {', '.join(readings)}")
    return "; ".join(listed)


def _with_rules(words: str, rules: Iterable[str], game: str | None) -> Text:
    text = Text(_plain(words))
    by = cited(rules, game)
    return text.append(f" ({by})", "dim") if by else text


def _figure(amount: Money, money: Currency) -> str:
    return display(amount, money).partition(" ")[2] if amount else "–"


def _signed(amount: Money, money: Currency) -> str:
    sign = "+" if amount > 0 else "-" if amount < 0 else ""
    return f"{sign}{display(abs(amount), money)}"


def _name(player: str) -> str:
    plain = _plain(player)
    return plain if cell_len(plain) <= _LONGEST_NAME else f"{set_cell_size(plain, _LONGEST_NAME - 1)}…"


def _plain(text: str) -> str:
    """Return a script's own words without control characters."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
