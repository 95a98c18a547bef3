"""Games: their rulebooks, readings, and two rulebooks compared."""

from __future__ import annotations

import msgspec
from litestar import get
from litestar.params import FromPath

from croupier.floor.history.played_rounds import MISPAY
from croupier.floor.server.wire import rulebooks as wire
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.catalogue.fingerprint import rulebook_hash
from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.description import comparison
from croupier.rulebooks.documents.editions import editions
from croupier.rulebooks.readings import readings_of
from croupier.rulebooks.vocabulary import Rulebook
from croupier.structs import extended


@get("/api/games", opt={"public": True}, sync_to_thread=False)
def games() -> list[wire.GameLine]:
    """List the rulebooks that are installed, each version by itself."""
    return [_line(declare(each.name)) for each in editions()]


@get("/api/incidents", opt={"public": True}, sync_to_thread=False)
def incidents() -> list[wire.IncidentWords]:
    """List what a search of rounds finds as an incident: those of every installed rulebook, and a mispay."""
    declared = (incident for each in editions() for incident in declare(each.name).known_incidents)
    words = {incident.name: incident.words for incident in declared} | {MISPAY: "A bet was mispaid"}
    return [wire.IncidentWords(incident=name, says=says) for name, says in words.items()]


@get("/api/games/{game:str}", opt={"public": True}, sync_to_thread=False)
def one_game(game: FromPath[str]) -> wire.Game:
    """Return a rulebook, dimension by dimension, and every paragraph in our words."""
    book = declare(game)
    return extended(
        wire.Game,
        _line(book),
        sha256=rulebook_hash(book),
        facts=msgspec.convert(comparison.facts(book), list[wire.Fact], from_attributes=True),
        paragraphs={number: extended(wire.ParagraphText, paragraph) for number, paragraph in paragraphs(game).items()},
    )


@get("/api/games/{game:str}/readings", opt={"public": True}, sync_to_thread=False)
def readings(game: FromPath[str]) -> dict[str, wire.ReadingText]:
    """List the questions that the document leaves open, with the answers in force."""
    book = declare(game)
    found = {}
    for name, reading in readings_of(game).items():
        letters = book.readings.chosen(name).split("+")
        meaning = " ".join(reading.options[letter] for letter in letters if letter in reading.options)
        found[name] = wire.ReadingText(question=reading.question, meaning=meaning)
    return found


@get("/api/games/{game:str}/against/{other:str}", opt={"public": True}, sync_to_thread=False)
def compared(game: FromPath[str], other: FromPath[str]) -> wire.Comparison:
    """Compare two rulebooks: where they differ, each with its paragraphs, and what both say."""
    first, second = declare(game), declare(other)
    found = comparison.compare(first, second)
    return wire.Comparison(
        games=(game, other),
        paragraphs=[
            wire.ParagraphChange(paragraph=number, first=one, second=two)
            for number, one, two in comparison.paragraph_changes(first, second)
        ],
        readings=[
            wire.ReadingChange(reading=name, says=says) for name, says in comparison.reading_changes(first, second)
        ],
        differences=msgspec.convert(found.differences, list[wire.FactDifference], from_attributes=True),
        same=msgspec.convert(found.same, list[wire.Fact], from_attributes=True),
    )


def _line(book: Rulebook) -> wire.GameLine:
    document = book.document
    effective = None if document.effective is None else document.effective.isoformat()
    return extended(wire.GameLine, document, game=book.game, edition=book.edition, effective=effective)
