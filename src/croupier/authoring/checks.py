"""Checks of a rulebook folder, in the words of a rules author."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

import msgspec

from croupier.authoring.conformance import check_scripts, rules_shown
from croupier.money import Fixed, Pays, ShareOfMeter
from croupier.rulebooks.absent import MOST_BOXES
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.description.comparison import compare, paragraph_changes, reading_changes
from croupier.rulebooks.description.incident_coverage import uncovered_cases, unfit_declarations
from croupier.rulebooks.description.traceability import COMMANDING, entries_citing
from croupier.rulebooks.documents.editions import Edition, edition
from croupier.rulebooks.readings import Readings
from croupier.rulebooks.vocabulary import BetKind, Rulebook

KINDS = (
    *("definition", "general", "layout", "cards", "ranking", "betting", "dealing", "decision"),
    *("settlement", "jackpot", "irregularity", "authority"),
)
"""What a paragraph is about."""
ENFORCERS = (*COMMANDING, "none")


class Remark(msgspec.Struct, frozen=True):
    """Something to tell the author: a mistake, or what they should know."""

    about: str
    says: str
    is_mistake: bool = True


def check(found: Edition) -> Iterator[Remark]:
    """Check everything about a rulebook folder that can be told without solving the game."""
    yield from _text(found)
    book = declare(found.name)
    yield from _citations(found, book)
    yield from _readings(found, book)
    yield from _bets(book)
    yield from _tables(book)
    yield from _irregularities(found, book)
    yield from _scripts(found)
    yield from _changes(found, book)


# ---------------------------------------------------------------- the text


def _text(found: Edition) -> Iterator[Remark]:
    for number, paragraph in found.text.paragraphs.items():
        about = f"paragraph {number}"
        if paragraph.kind not in KINDS:
            yield Remark(about, f'Its kind "{paragraph.kind}" is not one of {", ".join(KINDS)}.')
        if paragraph.enforced_by not in ENFORCERS:
            yield Remark(about, f'It is enforced by "{paragraph.enforced_by}", which is not {", ".join(ENFORCERS)}.')
        if not paragraph.text.strip().endswith((".", "?", "!")):
            yield Remark(about, "Its text is not a sentence that ends with a full stop.")


def _citations(found: Edition, book: Rulebook) -> Iterator[Remark]:
    text = found.text
    cited = entries_citing(book)
    for name, entries in cited.items():
        if name not in text.paragraphs and name not in text.readings:
            yield Remark(entries[0], f"It cites {name}, and {found.name} has no such paragraph or reading.")
    for number, paragraph in text.paragraphs.items():
        if paragraph.enforced_by not in COMMANDING:
            continue
        if number in cited:
            if number in found.excused:
                yield Remark(f"paragraph {number}", "It is excused, although an entry cites it.")
        elif number not in found.excused:
            says = "It commands something, and no entry cites it. Declare it, or give the reason under [excused]."
            yield Remark(f"paragraph {number}", says)
    for number in found.excused:
        if number not in text.paragraphs:
            yield Remark(f"excused {number}", "There is no such paragraph.")


# ---------------------------------------------------------------- readings


def _readings(found: Edition, book: Rulebook) -> Iterator[Remark]:
    if found.based_on:
        for name, says in reading_changes(declare(found.based_on), book):
            yield Remark(f"reading {name}", says, is_mistake=False)
    cited, carried = entries_citing(book), edition(found.based_on).text.readings if found.based_on else {}
    for name, reading in found.text.readings.items():
        about = f"reading {name}"
        if not reading.question.endswith("?"):
            yield Remark(about, "Its question does not end with a question mark.")
        if name not in cited and name not in carried:
            yield Remark(about, "No entry cites it, so no line at the table will name it.")
        for text in reading.texts:
            game, _, number = text.partition(" ")
            if game == found.game and number not in found.text.paragraphs:
                yield Remark(about, f"It speaks of paragraph {number}, which this version does not have.")


def _other_answers(found: Edition) -> Iterator[tuple[str, Readings]]:
    """Yield every answer that a house may choose instead of one in force."""
    for name, reading in found.text.readings.items():
        in_force = reading.default_for(found.game).split("+")
        for letter in reading.options:
            if letter not in in_force and reading.offers(found.game, letter):
                yield f"{name} {letter}", Readings.of(found.name, {name: letter})


# ---------------------------------------------------------------- bets and what they pay


def _bets(book: Rulebook) -> Iterator[Remark]:
    known = {bet.name: bet.kind for bet in book.bets}
    if not 1 <= book.layout.boxes <= MOST_BOXES:
        yield Remark("layout", f"A layout has 1 to {MOST_BOXES} boxes, not {book.layout.boxes}.")
    if list(known.values()).count(BetKind.ENTRY) != 1:
        yield Remark("bets", "A game has exactly one Ante, whose kind is ENTRY.")
    named: Sequence[tuple[str, Sequence[str]]] = (
        ("showdown", book.showdown.bets),
        ("fold", (*book.fold.loses, *book.fold.keeps)),
        ("limits", [name for name, _ in book.limits]),
        ("side bets", [name for side in book.side_bets for name in (side.bet, side.stake)]),
    )
    for about, names in named:
        for name in names:
            if name not in known:
                yield Remark(about, f'There is no Bet "{name}" among the bets.')
    for name, limits in book.limits:
        if not 0 < limits.minimum <= limits.maximum:
            yield Remark(f"limits of {name}", "The minimum is more than 0.00 and not above the maximum.")
    for dealing in book.dealings:
        for place in ("dealer", "boxes"):
            if not any(place in map(str, getattr(step, "order", ())) for step in dealing.steps):
                yield Remark(f"dealing {dealing.name}", f"It deals no card to the {place}.")


def _tables(book: Rulebook) -> Iterator[Remark]:
    tables = [(side.bet, side.table.rows) for side in book.side_bets]
    if book.showdown.ante_table is not None:
        tables.append(("ante", book.showdown.ante_table.rows))
    for own in (True, False):
        lines_of = tuple((award.hand, award.pays) for award in book.jackpot.awards if award.own is own)
        if lines_of or not book.jackpot.awards:
            tables.append(("jackpot", lines_of))
    for name, rows in tables:
        about = f"pay table of {name}"
        lines = [line for line, _ in rows]
        if not rows:
            yield Remark(about, "It has no line.")
        for line in dict.fromkeys(lines):
            if lines.count(line) > 1:
                yield Remark(about, f'The line "{line}" stands there twice.')
        for (line, pays), (below, less) in pairwise(rows):
            if type(pays) is type(less) and _size(pays) < _size(less):
                yield Remark(about, f'"{line}" pays {pays}, and "{below}" below it pays more: {less}.')


def _size(pays: Pays) -> Fraction:
    match pays:
        case Fixed(amount):
            return Fraction(amount)
        case ShareOfMeter(numerator, denominator):
            return Fraction(numerator, denominator)
        case _:
            return Fraction(pays.odds, pays.per)


# ---------------------------------------------------------------- irregularities and scripts


def _irregularities(found: Edition, book: Rulebook) -> Iterator[Remark]:
    yield from (Remark("incidents", says) for says in unfit_declarations(book))
    said: dict[tuple[str, str], None] = {}
    for answer, readings in (("", None), *_other_answers(found)):
        read = declare(found.name, readings)
        for incident in dict.fromkeys(entry.incident for entry in read.irregularities):
            for says in uncovered_cases(read, incident):
                if (incident, says) not in said:
                    said[incident, says] = None
                    under = f" under reading {answer}" if answer else ""
                    yield Remark(f"irregularity {incident}{under}", says)


def _scripts(found: Edition) -> Iterator[Remark]:
    played = check_scripts(found)
    if not played:
        yield Remark("scripts", "There is no conformance script. Write one for what is new.")
    for name, wrong in played:
        if wrong:
            yield Remark(f"script {name}", wrong)


def _changes(found: Edition, book: Rulebook) -> Iterator[Remark]:
    """Yield what the author of a new version may have forgotten: a script that shows it, the text of a paragraph."""
    if not found.based_on:
        return
    before = declare(found.based_on)
    changed = {number for number, _, after in paragraph_changes(before, book) if after is not None}
    shown = rules_shown(found)
    for number in sorted(changed):
        if found.text.paragraphs[number].enforced_by == "engine" and number not in shown:
            yield Remark(f"paragraph {number}", "It is new or changed, and no script shows it.", is_mistake=False)
    for each in compare(before, book).differences:
        cited = {rule for fact in (each.first, each.second) if fact is not None for rule in fact.rules}
        if cited & found.text.paragraphs.keys() and not cited & changed:
            says = f"It differs, and the text of {', '.join(sorted(cited))} is as before."
            yield Remark(f"{each.dimension}, {each.about}", says, is_mistake=False)
