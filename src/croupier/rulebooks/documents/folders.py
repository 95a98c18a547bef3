"""Rulebook folders: read from a path, from the environment, or from an installed distribution."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from datetime import date
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

import msgspec
from msgspec.structs import replace

from croupier.rulebooks.documents.document_text import BadReading, DocumentText, Paragraph, Reading, read_reading
from croupier.rulebooks.documents.editions import DOCUMENT, MODULE, BadRulebook, Edition, UnknownGame, edition, register
from croupier.structs import extended

ENVIRONMENT = "CROUPIER_RULEBOOKS"
"""Folders of rulebooks from outside, separated like the entries of PATH; processes started by this one see them too."""
ENTRY_POINTS = "croupier.rulebooks"
"""The group under which an installed distribution names a package that is a rulebook folder."""
_GAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def install(path: Path) -> tuple[Edition, ...]:
    """Install a rulebook folder, or every one in a folder of them; raises BadRulebook."""
    if (path / DOCUMENT).is_file():
        folders = [path]
    elif path.is_dir():
        folders = sorted(inner.parent for inner in path.glob(f"*/{DOCUMENT}"))
    else:
        raise BadRulebook(f"{path}: there is no such folder.")
    if not folders:
        raise BadRulebook(f"{path}: neither this folder nor one in it holds a {DOCUMENT}.")
    waiting = [_read(folder) for folder in folders]
    return tuple(_enter(*each) for each in sorted(waiting, key=lambda each: (each[1].version, each[1].revision)))


def search() -> None:
    """Install what installed distributions and the environment name."""
    for entry in entry_points(group=ENTRY_POINTS):
        spec = find_spec(entry.value)
        if spec is None or not spec.submodule_search_locations:
            raise BadRulebook(f"The entry point {entry.name} names {entry.value}, which is not a package.")
        install(Path(spec.submodule_search_locations[0]))
    for folder in filter(None, os.environ.get(ENVIRONMENT, "").split(os.pathsep)):
        install(Path(folder))


class _DocumentEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    game: str
    version: int
    title: str
    operator: str
    revision: int = 0
    effective: date | None = None
    based_on: str = ""
    carried: tuple[str, ...] = ()
    """Readings of the edition before that hold here too, each with the answer in force: `bonus-on-loss b`."""
    removed: tuple[str, ...] = ()
    """Paragraphs of the edition before that this one no longer has."""


class _ParagraphEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    kind: str
    by: str
    text: str


class _DocumentFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    document: _DocumentEntry
    paragraphs: dict[str, _ParagraphEntry] = {}
    readings: dict[str, dict[str, object]] = {}
    excused: dict[str, str] = {}


def _read(folder: Path) -> tuple[Path, _DocumentEntry, _DocumentFile]:
    file = folder / DOCUMENT
    try:
        content = msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), _DocumentFile)
    except (tomllib.TOMLDecodeError, UnicodeError) as wrong:
        raise BadRulebook(f"{file}: {wrong}.") from None
    except msgspec.ValidationError as wrong:
        raise BadRulebook(f"{file}: {wrong}.") from None
    if not _GAME.fullmatch(content.document.game):
        raise BadRulebook(f'{file}: document.game "{content.document.game}" is not lower-case words joined by hyphens.')
    if not (folder / MODULE).is_file():
        raise BadRulebook(f"{folder}: it has no {MODULE}, which declares the rules.")
    return folder, content.document, content


def _enter(folder: Path, said: _DocumentEntry, content: _DocumentFile) -> Edition:
    text = _text(folder / DOCUMENT, content)
    return register(extended(Edition, said, folder=str(folder.resolve()), outside_text=text, excused=content.excused))


def _text(file: Path, content: _DocumentFile) -> DocumentText:
    said = content.document
    paragraphs: dict[str, Paragraph] = {}
    readings: dict[str, Reading] = {}
    if said.based_on:
        try:
            base = edition(said.based_on).text
        except UnknownGame as wrong:
            raise BadRulebook(f"{file}: document.based_on: {wrong}") from None
        for number in said.removed:
            if number not in base.paragraphs:
                raise BadRulebook(f"{file}: document.removed: {said.based_on} has no paragraph {number}.")
        paragraphs = {number: each for number, each in base.paragraphs.items() if number not in said.removed}
        readings = dict(_carried(file, said, base.readings))
    elif said.carried or said.removed:
        raise BadRulebook(f"{file}: document.based_on names no edition that readings or paragraphs could come from.")
    changed = {n: Paragraph(n, each.kind, each.by, each.text) for n, each in content.paragraphs.items()}
    for name, entry in content.readings.items():
        if name in readings:
            raise BadRulebook(f"{file}: readings.{name}: it is also listed in document.carried. Keep one of the two.")
        try:
            readings[name] = read_reading(name, {"games": [said.game], **entry})
        except msgspec.ValidationError as wrong:
            raise BadRulebook(f"{file}: readings.{name}: {wrong}.") from None
    return DocumentText(MappingProxyType(_in_order(paragraphs, changed)), MappingProxyType(readings))


def _carried(file: Path, said: _DocumentEntry, before: Mapping[str, Reading]) -> Iterable[tuple[str, Reading]]:
    for entry in said.carried:
        name, _, answer = entry.partition(" ")
        reading = before.get(name)
        if reading is None:
            raise BadRulebook(f"{file}: document.carried: {said.based_on} has no reading {name}.")
        try:
            in_force = reading.choose(said.game, answer)
        except BadReading as wrong:
            raise BadRulebook(f"{file}: document.carried: {wrong}") from None
        games = reading.games if said.game in reading.games else (said.game,)
        yield name, replace(reading, games=games, default_in={**reading.default_in, said.game: in_force})


def _in_order(before: Mapping[str, Paragraph], changed: Mapping[str, Paragraph]) -> dict[str, Paragraph]:
    """Return the paragraphs with changed ones in their places and new ones after those with lower numbers."""
    placed = [changed.get(number, paragraph) for number, paragraph in before.items()]
    for number, paragraph in changed.items():
        if number not in before:
            lower = [at for at, other in enumerate(placed) if () < _figures(other.number) < _figures(number)]
            placed.insert(max(lower, default=len(placed) - 1) + 1, paragraph)
    return {paragraph.number: paragraph for paragraph in placed}


def _figures(number: str) -> tuple[int, ...]:
    """Return the figures of a paragraph that is numbered; none for a heading."""
    return tuple(map(int, re.findall(r"[0-9]+", number))) if number[:1].isdigit() else ()
