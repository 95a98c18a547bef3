"""JSON Schemas of what leaves the house, with golden examples: `python -m tests.floor.schemas` writes docs/schemas."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias, get_args

import msgspec

from croupier.floor.feed.events import START, Feed, FeedPage
from croupier.floor.feed.export_files import FileKind, Manifest, write_export
from croupier.floor.feed.export_tables import TABLES, Kind
from croupier.floor.history.export import AUDITOR
from croupier.floor.views.round_views import RoundRecord
from croupier.rulebooks.vocabulary import Role
from croupier.scripts.parse import _FIELDS, CHOICES, FREE_TEXT, MODES, OPTIONS, Decision
from tests.floor.vectors import Vectors

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "schemas"
Json: TypeAlias = dict[str, object]
DIALECT = "https://json-schema.org/draft/2020-12/schema"
_COLUMNS: Mapping[Kind, Json] = {
    Kind.TEXT: {"type": "string"},
    Kind.WHOLE: {"type": "integer"},
    Kind.CENTS: {"type": "integer", "description": "Whole cents"},
    Kind.MOMENT: {"type": ["integer", "null"], "description": "Microseconds since 1970, UTC"},
}


def _of_struct(struct: type[msgspec.Struct], title: str) -> Json:
    (schema,), parts = msgspec.json.schema_components((struct,), ref_template="#/$defs/{name}")
    # What the server writes may gain fields; a reader passes over those that it does not know.
    return {"$schema": DIALECT, "title": title, **schema, "$defs": {name: parts[name] for name in sorted(parts)}}


def _export() -> Json:
    rows = {
        table: {
            "type": "object",
            "properties": {column.name: {**_COLUMNS[column.kind], "title": column.says} for column in columns},
            "required": [column.name for column in columns],
            "additionalProperties": False,
        }
        for table, columns in TABLES.items()
    }
    manifest = _of_struct(
        Manifest, "A bulk export of Croupier: export.json, and one row of each table under $defs/rows"
    )
    parts = manifest["$defs"]
    assert isinstance(parts, dict)
    return {**manifest, "$defs": {**parts, "rows": rows}}


_MONEY: Json = {"type": "string", "pattern": r"^[0-9]+\.[0-9]{2}$"}
_BOXES: Json = {"oneOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}
_TEXT: Json = {"type": "string", "minLength": 1}
_STEP_FIELDS: Mapping[str, Json] = {
    "cards": {"type": "object", "additionalProperties": {"type": "string"}},
    "player": _TEXT, "bet": _TEXT, "amount": _MONEY, "noticed": {"type": "boolean"}, "box": {"type": "integer"},
    "choice": {"enum": list(CHOICES)}, "incident": _TEXT, "correct": {"type": "boolean"},
    "count": {"type": "integer", "minimum": 1}, "boxes": _BOXES, "dealer": {"type": "boolean"},
    "community": {"type": "boolean"}, "reconstructible": {"type": ["boolean", "null"]}, "affected": _BOXES,
    "link": {"type": "boolean"}, "text": _TEXT, "option": {"enum": list(OPTIONS)},
    "decision": {"anyOf": [{"enum": list(get_args(Decision))}, _TEXT]}, "tables": {"type": "array", "items": _TEXT},
    "who": _TEXT, "mode": {"enum": list(MODES)},
}  # fmt: skip
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "bet": ("player", "box", "bet", "amount"), "withdraw": ("player", "box", "bet"), "examine": ("player", "box"),
    "handle": ("player", "box"), "decide": ("box", "choice"), "walk_away": ("player",), "refuse_reveal": ("box",),
    "prove": ("box",), "view_hand": ("box",), "restrict": ("player",), "report": ("incident",),
    "choose": ("box", "option"), "rule": ("decision",), "jackpot_mode": ("mode",),
}  # fmt: skip


def _script() -> Json:
    words: Json = {field: {} for field in FREE_TEXT}
    common: Json = {"table": _TEXT, "by": {"enum": [role.slug for role in Role]}, **words}
    steps = [
        {
            "type": "object",
            "properties": {"do": {"const": do}, **common, **{field: _STEP_FIELDS[field] for field in fields}},
            "required": ["do", *_NEEDED.get(do, ())],
            "additionalProperties": False,
        }
        for do, fields in _FIELDS.items()
    ]
    pair: Json = {"type": "array", "items": _MONEY, "minItems": 2, "maxItems": 2}
    texts: Json = {"type": "object", "additionalProperties": {"type": "string"}}
    table = {
        "type": "object",
        "properties": {
            "game": _TEXT,
            "dealing": {"type": ["string", "null"]},
            "boxes": {"type": ["integer", "null"]},
            "limits": {"type": "object", "additionalProperties": pair},
            "jackpot_bet": _MONEY,
            "pay_tables": {"type": "object", "additionalProperties": texts},
            "rulings": texts,
            "currency": {"type": ["string", "null"]},
            **words,
        },
        "required": ["game"],
        "additionalProperties": False,
    }  # fmt: skip
    jackpot = {
        "type": "object",
        "properties": {"meter": _MONEY, "reset": _MONEY, "contribution": _TEXT, "currency": _TEXT, **words},
        "required": ["meter", "reset"],
        "additionalProperties": False,
    }
    return {
        "$schema": DIALECT,
        "title": "A round script of Croupier",
        "type": "object",
        "properties": {
            "jackpot": {"oneOf": [jackpot, {"type": "null"}]},
            "tables": {"type": "object", "minProperties": 1, "additionalProperties": table},
            "steps": {"type": "array", "items": {"oneOf": steps}},
            **words,
        },
        "required": ["tables", "steps"],
        "additionalProperties": False,
    }


SCRIPT: Json = {
    "jackpot": {"meter": "50000.00", "reset": "10000.00", "contribution": "0.20"},
    "tables": {"T1": {"game": "rws-multilink-three-card@4", "limits": {"ante": ["25.00", "500.00"]}}},
    "steps": [
        {"do": "open", "cards": {"1": "Qs Qh 4d", "dealer": "Kc 8d 3h"}},
        {"do": "bet", "player": "ana", "box": 1, "bet": "ante", "amount": "50.00"},
        {"do": "close_bets"},
        {"do": "examine", "player": "ana", "box": 1},
        {"do": "decide", "box": 1, "choice": "play"},
    ],
}


def schemas() -> dict[str, Json]:
    """Every schema by its name."""
    return {
        "record": _of_struct(RoundRecord, "The record of a round of Croupier"),
        "feed": _of_struct(FeedPage, "A page of the feed of Croupier"),
        "export": _export(),
        "script": _script(),
    }


def examples() -> dict[str, Json]:
    """One document of each kind, the same every time."""
    played = Vectors("rws-multilink-three-card", 21)
    played.play()
    feed = Feed(lambda: played.store)
    page: Json = json.loads(msgspec.json.encode(feed.page(START, 5000)))
    record: Json = played.record(AUDITOR)
    with tempfile.TemporaryDirectory() as folder:
        export: Json = msgspec.to_builtins(
            write_export(played.store, Path(folder) / "csv", FileKind.CSV, "2026-11-18T00:00:00+00:00")
        )
    played.store.close()
    return {"record": record, "feed": page, "export": export, "script": SCRIPT}


def written() -> dict[str, str]:
    """Every file by its place in the folder."""
    told = {f"{name}.schema.json": schema for name, schema in schemas().items()}
    told |= {f"examples/{name}.json": example for name, example in examples().items()}
    return {name: json.dumps(content, indent=1, ensure_ascii=False) + "\n" for name, content in told.items()}


def main() -> int:
    (FOLDER / "examples").mkdir(parents=True, exist_ok=True)
    for name, text in written().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
