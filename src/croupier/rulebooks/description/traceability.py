"""From a paragraph to the rulebook entries that cite it, their lines, the engine modules and the tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, get_args, get_origin

import msgspec

from croupier.rulebooks.catalogue.books import declare, module_of
from croupier.rulebooks.catalogue.well_formed import hints_of, label_of
from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.documents.document_text import Paragraph
from croupier.rulebooks.documents.editions import GAMES, edition
from croupier.rulebooks.readings import readings_of
from croupier.rulebooks.vocabulary import Rulebook, Rules

COMMANDING = ("engine", "staff", "notice")
"""Who enforces a paragraph that commands something; the others only define or describe."""

ENGINE: Mapping[str, tuple[str, ...]] = {
    "layout": ("croupier.rulebooks.terms", "croupier.rounds.choices"),
    "bets": ("croupier.rounds.choices", "croupier.rounds.decide"),
    "opening": ("croupier.rounds.choices", "croupier.rounds.decide"),
    "announcements": ("croupier.scripts.notices",),
    "seating": ("croupier.rounds.choices",),
    "examining": ("croupier.rounds.choices",),
    "closing": ("croupier.rounds.choices", "croupier.rounds.decide"),
    "limiting": ("croupier.rounds.choices", "croupier.rounds.counted_stakes"),
    "dealings": ("croupier.rounds.dealing", "croupier.rounds.choices", "croupier.rounds.decide"),
    "fold": ("croupier.rounds.settlement",),
    "showdown": ("croupier.rounds.settlement",),
    "side_bets": ("croupier.rounds.settlement", "croupier.rulebooks.pay_lines"),
    "not_shown": ("croupier.rounds.choices", "croupier.rounds.settlement", "croupier.rounds.dealing"),
    "jackpot": ("croupier.rounds.settlement", "croupier.jackpots.awards", "croupier.jackpots.link"),
    "irregularities": ("croupier.rounds.irregularities.reports", "croupier.rounds.irregularities.consequences"),
    "options": ("croupier.rounds.irregularities.consequences",),
    "options_folded_rules": ("croupier.rounds.irregularities.consequences",),
    "options_unanswered": ("croupier.rounds.irregularities.consequences",),
    "void": ("croupier.rounds.settlement",),
    "reopening": ("croupier.rounds.irregularities.reports",),
    "late_error": ("croupier.rounds.irregularities.reports",),
    "measures": ("croupier.rounds.irregularities.rulings",),
    "authority": ("croupier.rounds.irregularities.rulings", "croupier.jackpots.linked_tables"),
    "ranking": ("croupier.cards.ranking",),
    "other": ("croupier.rounds.decide", "croupier.rounds.settlement"),
}
"""Which modules give the entries under a field of the Rulebook their meaning."""


class CitedAt(NamedTuple):
    """A line of a rulebook module where a paragraph is cited, and the name it stands under."""

    line: int
    within: str
    file: str


class HeldBy(NamedTuple):
    """A paragraph that a test names."""

    game: str
    paragraph: str
    file: str
    line: int
    test: str
    exists: bool


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """One paragraph with everything that carries it out."""

    game: str
    paragraph: Paragraph
    cited: tuple[CitedAt, ...]
    entries: tuple[str, ...]
    engine: tuple[str, ...]
    tests: tuple[HeldBy, ...] | None
    """None in an installed wheel, which has no tests."""

    @property
    def commands(self) -> bool:
        return self.paragraph.enforced_by in COMMANDING


def trace(game: str) -> Mapping[str, Trace]:
    """Return every paragraph of a game's document, in its order."""
    entries = entries_citing(declare(game))
    lines = lines_citing(game)
    directory = folder_of_tests()
    named = None if directory is None else held_by_tests(directory)
    traces = {}
    for number, paragraph in paragraphs(game).items():
        found = entries.get(number, ())
        fields = dict.fromkeys(re.split(r"[.\[]", entry)[0] for entry in found)
        engine = dict.fromkeys(module for field in fields for module in ENGINE.get(field, ()))
        traces[number] = Trace(
            game=game,
            paragraph=paragraph,
            cited=lines.get(number, ()),
            entries=found,
            engine=tuple(engine),
            tests=None if named is None else named.get((_tested_as(game, paragraph), number), ()),
        )
    return traces


def _tested_as(name: str, paragraph: Paragraph) -> str:
    """Return the game under which tests name a paragraph: one that an edition took over is tested with its base."""
    found = edition(name)
    if not found.based_on:
        return found.game
    return _tested_as(found.based_on, paragraph) if paragraph in paragraphs(found.based_on).values() else name


# ---------------------------------------------------------------- rulebook entries


def entries_citing(book: Rulebook) -> Mapping[str, tuple[str, ...]]:
    """Return for each paragraph (and reading) the entries of the book that cite it, such as `showdown.higher`."""
    found: dict[str, dict[str, None]] = {}
    for field, hint in hints_of(Rulebook).items():
        for where, cited in _citations(getattr(book, field), hint, field):
            found.setdefault(cited, {})[where] = None
    return {cited: tuple(entries) for cited, entries in found.items()}


def _citations(value: object, hint: object, where: str) -> Iterator[tuple[str, str]]:
    """Yield every paragraph under a declared value with the path to it; type hints tell citations from other texts."""
    if hint == Rules:
        assert isinstance(value, tuple)
        for cited in value:
            yield where, cited
    elif isinstance(value, msgspec.Struct):
        for field, inner in hints_of(type(value)).items():
            name = where if field == "rules" else f"{where}.{field}"
            yield from _citations(getattr(value, field), inner, name)
    elif isinstance(value, tuple):
        inner = get_args(hint)
        if get_origin(hint) is tuple and len(inner) == 2 and inner[1] is Ellipsis:
            for i, each in enumerate(value):
                yield from _citations(each, inner[0], f"{where}[{label_of(each, i)}]")
        else:
            for each, its_hint in zip(value, inner, strict=False):
                yield from _citations(each, its_hint, where)


@cache
def lines_citing(game: str) -> Mapping[str, tuple[CitedAt, ...]]:
    """Return for each paragraph (and reading) the lines of the module where `p("…")` or `r("…")` cites it.

    A later edition that cites something itself is meant before the edition on which it is based.
    """
    named = edition(game)
    before = lines_citing(named.based_on) if named.based_on else {}
    file = source_file(module_of(named))
    if file is None:
        return before
    found: dict[str, list[CitedAt]] = {}
    for statement in ast.parse(file.read_text(encoding="utf-8")).body:
        name = _name_of(statement)
        for node in ast.walk(statement):
            match node:
                case ast.Call(func=ast.Name(id="p" | "r"), args=[ast.Constant(value=str(cited))]):
                    found.setdefault(cited, []).append(CitedAt(node.lineno, name, shown_path(file)))
    return {**before, **{cited: tuple(sorted(lines)) for cited, lines in found.items()}}


def _name_of(statement: ast.stmt) -> str:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name), *_]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case _:
            return "module"


def source_file(module: ModuleType) -> Path | None:
    """Return the file of a module; None where it was installed without its source."""
    file = module.__file__
    found = None if file is None else Path(file)
    return found if found is not None and found.suffix == ".py" and found.is_file() else None


def shown_path(file: Path) -> str:
    """Return a path as a reader of the project writes it: from the root of the tree, or from the package."""
    parts = file.parts
    start = max((i for i, part in enumerate(parts) if part in ("src", "tests")), default=None)
    if start is None:
        start = max((i for i, part in enumerate(parts) if part == "croupier"), default=len(parts) - 2)
    return "/".join(parts[start:])


# ---------------------------------------------------------------- tests


def folder_of_tests() -> Path | None:
    """Return the tests beside this source tree; None in an installed package."""
    root = Path(__file__).resolve().parents[4]
    tests = root / "tests"
    return tests if (root / "pyproject.toml").is_file() and tests.is_dir() else None


@cache
def held_by_tests(directory: Path) -> Mapping[tuple[str, str], tuple[HeldBy, ...]]:
    """Return for each game and paragraph the tests that name both, such as "rws-multilink-holdem 3.13"."""
    found: dict[tuple[str, str], dict[tuple[str, str], HeldBy]] = {}
    for held in citations_in_tests(directory):
        found.setdefault((held.game, held.paragraph), {}).setdefault((held.file, held.test), held)
    return {key: tuple(tests.values()) for key, tests in found.items()}


ABOUT_CITATIONS = ("tidy", "test_citation.py", "test_cli.py", "test_comparison.py", "test_readings.py")
"""Tests that talk about citations, and so hold no rule by naming one."""


def citations_in_tests(directory: Path) -> Iterator[HeldBy]:
    """Yield every citation in the test modules and in the data files beside them, existing paragraphs or not."""
    for file in sorted(directory.rglob("*")):
        if any(part in ABOUT_CITATIONS for part in file.relative_to(directory).parts):
            continue
        if file.suffix == ".py":
            yield from _citations_in_module(file)
        elif file.suffix in (".json", ".toml", ".txt"):
            for i, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
                for game, paragraph, exists in cited_in(line):
                    yield HeldBy(game, paragraph, shown_path(file), i, file.stem, exists)


def _citations_in_module(file: Path) -> Iterator[HeldBy]:
    text = file.read_text(encoding="utf-8")
    if not _GAME.search(text):
        return
    shown = shown_path(file)
    of_module = set(_GAME.findall(text))
    for statement in ast.parse(text).body:
        for test, part in _tests_of(statement):
            games = set(_GAME.findall(ast.unparse(part))) or of_module
            for node in ast.walk(part):
                for game, paragraph, exists in _cited_by(node, games):
                    yield HeldBy(game, paragraph, shown, getattr(node, "lineno", part.lineno), test, exists)


def _tests_of(statement: ast.stmt) -> Iterator[tuple[str, ast.stmt]]:
    """Yield a test function, each method of a test class, or the name of a table of cases."""
    if isinstance(statement, ast.ClassDef):
        for inner in statement.body:
            yield f"{statement.name}.{_name_of(inner)}", inner
    else:
        yield _name_of(statement), statement


def _cited_by(node: ast.AST, games: set[str]) -> Iterator[tuple[str, str, bool]]:
    match node:
        case ast.Constant(value=str(text)):
            yield from cited_in(text)
        case ast.keyword(arg="rules", value=value) if len(games) == 1:
            # `rules="3.13 4.1"` in a test of one game.
            (game,) = games
            for text in _texts([value]):
                yield from _listed(game, text)
        case (
            ast.Tuple(elts=parts)
            | ast.List(elts=parts)
            | ast.Call(func=ast.Attribute(attr="param") | ast.Name(id="param"), args=parts)
        ):
            # ("rws-multilink-holdem", "royal_flush", "4.2"): a case that names its game and its paragraphs apart.
            texts = list(_texts(parts))
            named = [text for text in texts if text in GAMES]
            if len(named) == 1:
                yield from _cited_apart(named[0], texts)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and key.value in GAMES:
                    yield from _cited_apart(str(key.value), _texts([value]))
        case _:
            pass


def _cited_apart(game: str, texts: Iterable[str]) -> Iterator[tuple[str, str, bool]]:
    for text in texts:
        listed = list(_listed(game, text))
        if all(exists for _, _, exists in listed):
            yield from listed


def _texts(nodes: Iterable[ast.expr]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Constant(value=str(text)):
                yield text
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                yield from _texts(parts)
            case _:
                pass


# ---------------------------------------------------------------- the form of a citation

_GAME = re.compile(rf"(?<![\w-])({'|'.join(GAMES)})(?![\w-])")
_NUMBER = re.compile(r"\d+(?:\.(?:\d+|[a-z](?![a-z])))+(?: \([a-z][^)]*\))?|(?:[A-Z]\w+ )+¶\d+(?:\.[a-z])?")
_NEXT = re.compile(r"(?:,|;| and| or| to|–|/| &|\+)?\s+(?:and |or )?|–|/")
_TO = re.compile(r"\s+to\s+|–")


def cited_in(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield citations such as "<game> <paragraph>, <paragraph> and <paragraph>", each with whether it exists."""
    for found in _GAME.finditer(text):
        rest = text[found.end() :]
        lead = re.match(r":?\s+(?:paragraphs? )?", rest)
        if lead is not None:
            yield from _listed(found[1], rest[lead.end() :])


def _listed(game: str, text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield paragraphs up to the first other word; "5.8.1 to 5.8.5" names all between them."""
    before, is_range = "", False
    while True:
        item, exists, length = _item(game, text, before)
        if not item:
            return
        if is_range and exists and before in paragraphs(game) and item in paragraphs(game):
            order = list(paragraphs(game))
            for between in order[order.index(before) + 1 : order.index(item)]:
                yield game, between, True
        yield game, item, exists
        text = text[length:]
        separator = _NEXT.match(text)
        if separator is None:
            return
        before, is_range = item, _TO.fullmatch(separator[0]) is not None
        text = text[separator.end() :]


def _item(game: str, text: str, before: str) -> tuple[str, bool, int]:
    """Return the paragraph that a text begins with, whether it exists, and how long it is in the text."""
    short = re.match(r"¶\d+(?:\.[a-z])?", text)
    if short is not None and "¶" in before:
        full = f"{before.partition('¶')[0]}{short[0]}"
        return full, full in paragraphs(game), short.end()
    for known in _known(game):
        if text.startswith(known) and not re.match(r"[\w¶]|[.-]\w", text[len(known) :]):
            return known, True, len(known)
    number = _NUMBER.match(text)
    return ("", False, 0) if number is None else (number[0], False, number.end())


@cache
def _known(game: str) -> tuple[str, ...]:
    """Return everything that may be cited of a game, the longest first."""
    return tuple(sorted((*paragraphs(game), *readings_of(game)), key=len, reverse=True))
