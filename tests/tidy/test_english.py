"""Plain English and names that a stranger finds: what a machine can hold of the project's style page."""

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "src" / "croupier"
HELD = [
    "src/croupier",
    "web/src",
    "docs",
    "examples",
    "bench",
    "tools",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
]
"""Folders and files that are held to these rules."""
GENERATED = ("docs/rulebooks/", "docs/verify/vectors/", "src/croupier/floor/server/static/")
"""Made from what is held elsewhere, or written by an earlier release."""
READ = {".py", ".md", ".ts", ".css", ".html"}

# Written in pieces or with brackets, so that this file does not hold what it looks for.
BANNED = {
    r"\bwho(?:m)?ever\b": "name the actor: the player, the client, the caller",
    r"\b(?:some|any)body\b": "name the actor",
    r"(?<!this )(?<!next )\bone's\b": "name the person",
    r"\bpeople send\b": "name the client",
    r"\b(?:is|are|was) none of\b": "is not a …, is not one of …",
    r"(?<!here )\b(?:is|are|was) no (?!longer\b|more\b|less\b|other\b|different\b)[a-z]": "is not a …",
    r"\b(?:fault|none|house) of ours\b": "internal error; not a Croupier …",
    r"^\W*So many\b|\bso many (?:seconds|bytes|rows|times)\b|\b(?:at most|for) so (?:many|long)\b": "unit and meaning",
    r"\b(?:is|are|was|were) told\b": "say who sees or receives what",
    r"\b(?:to|below|than|above) nothing\b": "zero",
    r"\b(?:he|his|him|himself)\b": "they, their",
}
SAID_BY_RECORDS = {"A player did not keep his hand to himself"}
"""Sentences of events in journals: an audit computes them again, so they stay as they were written."""
NOUN_PHRASE = re.compile(r"(?:The|An?|Every|Each|All|What|Why|Whether|Which|Where|Who|Whose|How|Nobody|Nothing|This)\b")
PYTHON_NAMES = {"__init__", "__main__"}
ING = {"dealing", "ranking"}
"""Module names that are the documents' own words."""
TWO_LAYERS = {
    *("commands", "decide", "events", "evolve", "state"),  # of a Round, and of a link or a house
    *("incidents", "ruling_desk", "rulebooks", "replay", "verify"),  # declared or computed here, used above
    *("cashier", "links", "people", "proposals", "rounds", "sessions", "tables"),  # handled here, served by a route
    *(
        "academy",
        "disputes",
        "measures",
        "operation",
        "own_play",
    ),  # a route, and the bodies of its requests and answers
    *(
        "own_limits",
        "own_limit_check",
    ),  # what a limit means, set by a handler; held by the house, judged again by the audit
    *("errors", "refusal"),  # of the engine, of the command line, of the server
    *("advice", "audit"),  # computed in a room, run by a worker, served by a route
    *("archive", "backup", "progress", "serve"),  # a command of the command line, and what it runs
    *("awards", "ranking", "rules_of_thumb", "three_card"),  # a rule, and the kernel that counts it
    *("figures", "rulebook"),  # exact or simulated; a folder of rules, and the command that checks it
    *("floor", "lab", "postgres"),  # a part of the product, and the bench that measures it
}
"""Names of the same concept in two layers."""


def name(path: Path) -> str:
    """Return the path from the root."""
    return path.relative_to(ROOT).as_posix()


def held_files() -> list[Path]:
    """Every text file that is held, without generated pages."""
    found = []
    for place in HELD:
        path = ROOT / place
        assert path.exists(), f"{place} has moved: name its new place in HELD"
        found += [path] if path.is_file() else [file for file in path.rglob("*") if file.suffix in READ]
    return sorted(file for file in found if not name(file).startswith(GENERATED) and "__pycache__" not in file.parts)


FILES = held_files()
MODULES = [file for file in FILES if file.suffix == ".py"]


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of comments and texts of a Python file, and every line of another one."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from enumerate(text.splitlines(), 1)
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING) or tokenize.tok_name[token.type] == "FSTRING_MIDDLE":
            yield from enumerate(token.string.splitlines(), token.start[0])


@pytest.mark.parametrize("path", FILES, ids=name)
def test_no_sentence_holds_a_phrase_that_the_style_page_replaces(path: Path) -> None:
    """Each finding says what to write instead."""
    found = [
        f"{name(path)}:{line}: {text.strip()[:90]!r}: {instead}"
        for line, text in sentences(path)
        for banned, instead in BANNED.items()
        if re.search(banned, text) and not any(kept in text for kept in SAID_BY_RECORDS)
    ]
    assert found == []


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_function_says_what_it_does_in_the_imperative(path: Path) -> None:
    """PEP 257; a property is named like a value, and a rulebook's function begins with its paragraph."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        says = ast.get_docstring(node) or ""
        is_value = any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
        if NOUN_PHRASE.match(says) and not is_value and "¶" not in says:
            found.append(f"{name(path)}:{node.lineno} {node.name}: {says.splitlines()[0]}")
    assert found == []


def test_a_module_is_a_noun() -> None:
    """A participle cannot be talked about."""
    assert [name(file) for file in MODULES if file.stem.endswith("ing") and file.stem not in ING] == []


def test_one_name_is_one_module() -> None:
    """Unless it is the same concept in two layers."""
    stems = Counter(file.stem for file in [*MODULES, *CORE.glob("*.py")] if file.stem not in PYTHON_NAMES)
    stems -= Counter({file.stem: 1 for file in CORE.glob("*.py") if file in MODULES})
    assert {stem for stem, times in stems.items() if times > 1} - TWO_LAYERS == set()


@pytest.mark.parametrize("path", sorted((ROOT / "src").rglob("__init__.py")), ids=name)
def test_every_package_says_what_it_owns(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
