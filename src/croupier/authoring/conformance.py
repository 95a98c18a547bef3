"""Conformance scripts: a round script with what must come of it, kept in a rulebook folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from croupier.rulebooks.documents.editions import SCRIPTS, Edition
from croupier.scripts.parse import BadScript, parse_script
from croupier.scripts.replay import replay


class Conformance(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One conformance script."""

    claim: str
    """What it shows, with the paragraphs."""
    script: dict[str, object]
    expect: dict[str, object]
    """Parts of the result as `croupier replay --json` prints it; a list holds at least the entries named, [] none."""


def check_scripts(found: Edition) -> list[tuple[str, str]]:
    """Play every conformance script of a rulebook folder; return each with what differs, empty where nothing does."""
    assert found.folder, "only a folder has scripts"
    files = sorted((Path(found.folder) / SCRIPTS).glob("*.json"))
    return [(file.name, _difference(file)) for file in files]


def rules_shown(found: Edition) -> set[str]:
    """Return every paragraph and reading that the scripts of a folder lead to."""
    shown: set[str] = set()
    for file in sorted((Path(found.folder) / SCRIPTS).glob("*.json")):
        try:
            _, result = _played(file)
        except (msgspec.MsgspecError, UnicodeError, BadScript):
            continue  # it is said where the scripts are checked
        shown.update(_rules_in(result))
    return shown


def _rules_in(result: object) -> Iterator[str]:
    if isinstance(result, Mapping):
        for key, value in result.items():
            yield from value if key == "rules" else _rules_in(value)
    elif isinstance(result, list):
        for each in result:
            yield from _rules_in(each)


def _played(file: Path) -> tuple[Conformance, dict[str, object]]:
    asked = msgspec.json.decode(file.read_bytes(), type=Conformance)
    return asked, replay(parse_script(asked.script)).to_json()


def _difference(file: Path) -> str:
    try:
        asked, result = _played(file)
    except (msgspec.MsgspecError, UnicodeError, BadScript) as wrong:
        return str(wrong)
    return _unlike(asked.expect, result, "")


def _unlike(expected: object, found: object, where: str) -> str:
    """Say where a result lacks what is expected of it; empty where it has everything."""
    match expected:
        case dict() if isinstance(found, Mapping):
            for key, value in expected.items():
                if key not in found:
                    return f"the result has no {where}{key}."
                if wrong := _unlike(value, found[key], f"{where}{key}."):
                    return wrong
            return ""
        case [] if found:
            return f"{where.rstrip('.')} is empty in the script's `expect`, and the result has {_text(found)}."
        case list() if isinstance(found, list):
            for value in expected:
                told = [_unlike(value, each, where) for each in found]
                if all(told):
                    return f"{where.rstrip('.')} has no entry {_text(value)}. {_nearest(value, found, told)}"
            return ""
        case _:
            if expected == found:
                return ""
            return f"{where.rstrip('.')} is {_text(found)}, and {_text(expected)} was expected."


def _nearest(value: object, found: list[object], told: list[str]) -> str:
    """Say what is wrong with the entry that has most in common with the one expected."""
    if not found:
        return "It has none."

    def common(each: object) -> int:
        if not isinstance(value, dict) or not isinstance(each, Mapping):
            return 0
        return sum(not _unlike(inner, each.get(key), "") for key, inner in value.items())

    at = max(range(len(found)), key=lambda index: common(found[index]))
    return f"In the nearest one {told[at]}"


def _text(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 300 else f"{text[:299]}…"
