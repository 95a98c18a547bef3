"""From the documents to the code and back: nothing that commands is lost, nothing is cited that is not there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import get_type_hints

import pytest

from croupier.floor.records import refusals
from croupier.rounds.refusal import Code
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.description.markdown import page
from croupier.rulebooks.description.traceability import (
    ENGINE,
    citations_in_tests,
    cited_in,
    entries_citing,
    folder_of_tests,
    lines_citing,
    trace,
)
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.incidents import INCIDENTS
from croupier.rulebooks.readings import Readings, readings_of
from croupier.rulebooks.vocabulary import Rulebook

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
UNTRACED: dict[str, dict[str, str]] = tomllib.loads((TESTS / "tidy" / "untraced.toml").read_text(encoding="utf-8"))
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")


def texts_of_tests() -> str:
    """Every test but the ones of this folder, which name things in order to count them."""
    files = [file for file in sorted(TESTS.rglob("*.py")) if "tidy" not in file.parts]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def books_of(game: str) -> Iterator[Rulebook]:
    """The rulebook of a game under each answer that a house may choose."""
    for name, reading in readings_of(game).items():
        for letter in reading.options:
            if reading.offers(game, letter):
                yield declare(game, Readings.of(game, {name: letter}))


# ---------------------------------------------------------------- paragraphs


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_that_commands_is_carried_out(game: str) -> None:
    """Cited by an entry of its rulebook; a paragraph that only a test names is not played."""
    assert [number for number, each in trace(game).items() if each.commands and not each.entries] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_that_commands_is_held_by_a_test(game: str) -> None:
    """Named in a test with its game, or listed in untraced.toml with the reason why it cannot be."""
    listed = UNTRACED.get(game, {})
    missing = [number for number, each in trace(game).items() if each.commands and not each.tests]
    assert [number for number in missing if number not in listed] == []
    assert [number for number in listed if number not in missing] == [], "these are held by a test: take them off"
    assert all(len(reason) > 20 for reason in listed.values())


def test_every_citation_of_a_test_exists() -> None:
    """ "<game> <paragraph>" in a docstring or a case, and `rules="…"` in a test of one game."""
    wrong = [held for held in citations_in_tests(TESTS) if not held.exists]
    assert [f"{held.file}:{held.line} cites {held.game} {held.paragraph}" for held in wrong] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_citation_of_a_rulebook_exists_under_every_reading(game: str) -> None:
    """A paragraph of this document, or a reading listed for it; whatever the house reads."""
    known = {*paragraphs(game), *readings_of(game)}
    assert {cited for book in books_of(game) for cited in entries_citing(book)} <= known
    assert set(lines_citing(game)) <= known


@pytest.mark.parametrize("game", GAMES)
def test_what_a_rulebook_writes_down_is_declared(game: str) -> None:
    """A paragraph cited in the module reaches an entry of the book, at least under some reading."""
    declared = {cited for book in books_of(game) for cited in entries_citing(book)}
    assert {cited for cited in lines_citing(game) if cited in paragraphs(game)} - declared == set()


def test_every_text_that_a_reading_names_exists() -> None:
    """ "<game> <paragraph>", as many as speak to the question."""
    for game in GAMES:
        for reading in readings_of(game).values():
            for text in reading.texts:
                ((named, paragraph, exists),) = list(cited_in(text))
                assert exists, f"{reading.id} names {named} {paragraph}"


# ---------------------------------------------------------------- the way to the engine


def test_the_engine_is_named_for_every_field_that_cites() -> None:
    """Each field of a Rulebook under which something is cited leads to modules that exist."""
    fields = {re.split(r"[.\[]", entry)[0] for game in GAMES for listed in entries_citing(declare(game)).values()
              for entry in listed}  # fmt: skip
    assert fields == set(ENGINE)
    assert fields <= set(get_type_hints(Rulebook))
    assert [module for modules in ENGINE.values() for module in modules if find_spec(module) is None] == []


def test_the_tests_are_found_beside_the_source() -> None:
    assert folder_of_tests() == TESTS


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("rws-multilink-holdem 3.13: the Ante", ["3.13"]),
        ("see rws-multilink-holdem 3.13, 4.1 and 4.2.1.", ["3.13", "4.1", "4.2.1"]),
        ("rws-multilink-holdem 5.8.1–5.8.3, 1.4", ["5.8.1", "5.8.2", "5.8.3", "1.4"]),
        ("rws-multilink-holdem 5.8.1 to 5.8.3", ["5.8.1", "5.8.2", "5.8.3"]),
        ("rws-multilink-holdem 5.8 (closing)", ["5.8 (closing)"]),
        ("rws-progressive-holdem 4.2 (note **)", ["4.2 (note **)"]),
        ("sun-casino-holdem How to Play ¶3.a, ¶3.b and Rules ¶2", ["How to Play ¶3.a", "How to Play ¶3.b", "Rules ¶2"]),
        ("mbs-megalink-holdem bonus-on-loss", ["bonus-on-loss"]),
        ("rws-multilink-holdem card_shoe", []),
        ("rws-multilink-holdem has 3.13", []),
    ],
)
def test_a_citation_is_read_as_people_write_it(text: str, cited: list[str]) -> None:
    """Lists, ranges and headings."""
    found = list(cited_in(text))
    assert [paragraph for _, paragraph, _ in found] == cited
    assert all(exists for _, _, exists in found)


@pytest.mark.parametrize(
    "text", ["rws-multilink-holdem 9.99", "rws-multilink-holdem 3.13 and 3.133", "sun-casino-holdem Rules ¶9"]
)
def test_a_citation_of_nothing_is_noticed(text: str) -> None:
    """So that a wrong number in a docstring fails."""
    assert not all(exists for _, _, exists in cited_in(text))


# ---------------------------------------------------------------- refusals and incidents


@pytest.mark.parametrize("code", [*Code, *refusals.Code])
def test_every_refusal_has_a_test(code: Code | refusals.Code) -> None:
    """Named by its word, or by the member of the enumeration."""
    assert re.search(rf"\"{code.value}\"|Code\.{code.name}\b", texts_of_tests())


@pytest.mark.parametrize("code", refusals.Code)
def test_every_refusal_of_the_floor_is_given(code: refusals.Code) -> None:
    """A code that no module gives is deleted."""
    files = (file for file in (ROOT / "src" / "croupier" / "floor").rglob("*.py") if file.name != "refusals.py")
    assert any(re.search(rf"Code\.{code.name}\b", file.read_text(encoding="utf-8")) for file in files)


@pytest.mark.parametrize("incident", [incident.name for incident in INCIDENTS])
def test_every_incident_has_a_test(incident: str) -> None:
    """Named by its word, or by its constant."""
    assert re.search(rf"\"{incident}\"|Incident\.{incident.upper()}\b", texts_of_tests())


# ---------------------------------------------------------------- documents made from the code


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_rulebook_is_current(game: str) -> None:
    """docs/rulebooks/<game>.md is what the declarations say now."""
    file = ROOT / "docs" / "rulebooks" / f"{game}.md"
    is_current = file.read_text(encoding="utf-8") == page(declare(game))
    assert is_current, f"run: croupier rules {game} --markdown > docs/rulebooks/{game}.md"


def test_the_glossary_cites_paragraphs_that_exist() -> None:
    """Five columns, one for each document."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in GLOSSARY.splitlines() if "|" in line]
    cited = 0
    for row in rows:
        if len(row) != 7 or row[2] in ("ML-H", "---"):
            continue
        for game, cell in zip(GAMES, row[2:], strict=True):
            for _, paragraph, exists in cited_in(f"{game} {cell}" if cell != "—" else ""):
                assert exists, f"{row[0]}: {game} {paragraph}"
                cited += 1
    assert cited > 150
