"""The message catalogue of the browser client: whole in every language, and in step with what the server says."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

from croupier.rulebooks.incidents import INCIDENTS

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "web" / "src"
CATALOGUE = SOURCES / "messages"
LANGUAGES = ["zh", "ms", "af"]
FILES = sorted(CATALOGUE.glob("*.json"))
NAME = re.compile(r"\{(\w+)\}")
SERVER = {"sentences.json", "labels.json"}
"""What the server says or names; every other file holds what the client's own source says."""


def _read(path: Path) -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return rows


@cache
def _client() -> str:
    """All sources of the client, each string on one line."""
    texts = (path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.ts"))
    return "\n".join(texts)


@cache
def _server() -> str:
    """Every string of the package, with a sign for each figure in it."""
    found = []
    for path in (ROOT / "src" / "croupier").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
            elif isinstance(node, ast.JoinedStr):
                found.append("".join(str(p.value) if isinstance(p, ast.Constant) else "¤" for p in node.values))
    return "\n".join(found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_message_lacks_a_language(path: Path) -> None:
    """Each has every language and no other, says something in each, and names the same values."""
    wrong = [
        f"{english}: {language}"
        for english, row in _read(path).items()
        for language in sorted({*LANGUAGES, *row})
        if language not in LANGUAGES
        or not row.get(language, "").strip()
        or {*NAME.findall(row[language])} != {*NAME.findall(english)}
    ]
    assert wrong == []


def test_no_message_stands_twice() -> None:
    """What two pages say is one message. Names of cards stand apart, because the server's sentences hold them."""
    seen: dict[str, str] = {}
    twice = []
    for path in FILES:
        for english in _read(path):
            if path.name != "sentences.json" and english in seen:
                twice.append(f"{english}: {seen[english]} and {path.name}")
            seen[english] = path.name
    assert twice == []


@pytest.mark.parametrize("path", [path for path in FILES if path.name not in SERVER], ids=lambda path: path.stem)
def test_every_message_is_said_somewhere(path: Path) -> None:
    """A message that no source names is deleted from the catalogue."""
    assert [
        english for english in _read(path) if f'"{english}"' not in _client() and f"'{english}'" not in _client()
    ] == []


THIRD_PERSON = {"have": "has", "play": "plays", "hold": "holds", "may": "may"}


def _of_a_player(english: str) -> str:
    """What the server says of a player, where the page says "you" to its reader (`toReader` in sentences.ts)."""
    told = re.sub(
        r"\b[Yy]ou (have|play|hold|may)\b", lambda verb: f"{{player}} {THIRD_PERSON[verb[1]]}", english, count=1
    )
    return told.replace(" and are restricted", " and is restricted")


def test_the_server_says_every_sentence() -> None:
    """The longest part between two figures is in the server's sources; a sentence that was changed there is found."""
    words = _server()
    missing = []
    sentences = _read(CATALOGUE / "sentences.json")
    for english in sentences:
        if _of_a_player(english) != english and _of_a_player(english) in sentences:
            continue
        part = max(re.split(NAME.pattern, english)[::2], key=len).split(",")[0].strip(" .:;“”")
        if part not in words and part.removesuffix("s") not in words and part.lower() not in words.lower():
            missing.append(english)
    assert missing == []


def test_every_label_is_a_slug_of_the_server() -> None:
    """Words for outcomes, incidents, rulings and stages follow the server's own names."""
    slugs = set(re.findall(r"\b[a-z][a-z_]*\b", _server())) | {"stands off", "wins", "loses"}
    client = _client()
    unknown = [
        words
        for words in _read(CATALOGUE / "labels.json")
        if words not in slugs and words.replace(" ", "_") not in slugs and f'"{words}"' not in client
    ]
    assert unknown == []


def test_every_common_incident_has_its_words() -> None:
    """The dealer reads what happened, and the auditor searches for it, in their own language."""
    labels, sentences = _read(CATALOGUE / "labels.json"), _read(CATALOGUE / "sentences.json")
    assert [i.name for i in INCIDENTS if i.name.replace("_", " ") not in labels or i.words not in sentences] == []
