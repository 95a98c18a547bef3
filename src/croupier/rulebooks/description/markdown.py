"""A rulebook as a page for people, in Markdown: what it declares, its paragraphs in our words, its readings."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.description.comparison import by_dimension, facts
from croupier.rulebooks.description.traceability import COMMANDING, entries_citing
from croupier.rulebooks.readings import readings_of
from croupier.rulebooks.vocabulary import Rulebook


def page(book: Rulebook) -> str:
    """Return the whole page, ending in a line break."""
    return "\n".join(_lines(book)) + "\n"


def _lines(book: Rulebook) -> Iterator[str]:
    document = book.document
    yield f"# {document.operator}: {document.title}"
    yield ""
    yield f"Made from the declarations by `croupier rules {book.game} --markdown`; do not edit."
    yield ""
    yield "Contents: [what the rulebook declares](#what-the-rulebook-declares) ·"
    yield "[the paragraphs](#the-paragraphs) · [the readings in force](#the-readings-in-force)"
    yield ""
    yield "## What the rulebook declares"
    for dimension, statements in by_dimension(facts(book)).items():
        yield ""
        yield f"### {dimension}"
        yield ""
        yield "| | | paragraphs and readings |"
        yield "|---|---|---|"
        for fact in statements:
            yield _row(fact.about, fact.says, ", ".join(fact.rules))
    yield ""
    yield "## The paragraphs"
    yield ""
    yield "In our own words; “by” says who enforces a paragraph that commands something."
    yield ""
    yield "| paragraph | by | what it says | carried by |"
    yield "|---|---|---|---|"
    entries = entries_citing(book)
    for number, said in paragraphs(book.edition).items():
        by = said.enforced_by if said.enforced_by in COMMANDING else ""
        carried_by = dict.fromkeys(entry.partition("[")[0] for entry in entries.get(number, ()))
        yield _row(number, by, said.text, ", ".join(carried_by))
    yield ""
    yield "## The readings in force"
    yield ""
    yield "Where the document is silent or says two things; a table may choose another answer by its letter."
    yield ""
    yield "| reading | question | in force |"
    yield "|---|---|---|"
    for name, reading in readings_of(book.edition).items():
        letters = book.readings.chosen(name).split("+")
        answer = " ".join(f"({letter}) {reading.options[letter]}" for letter in letters)
        yield _row(name, reading.question, answer)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|').replace('*', chr(92) + '*') for cell in cells)} |"
