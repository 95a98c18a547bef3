"""The JSON Schemas in docs/schemas: current, and met by golden examples and by what the house writes."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from croupier.floor.feed.export_files import FileKind, write_export
from croupier.floor.feed.export_tables import TABLES, Kind
from croupier.scripts.parse import read_script
from croupier.scripts.replay import replay
from tests.floor.schemas import FOLDER, SCRIPT, schemas, written
from tests.floor.vectors import FOLDER as VECTORS
from tests.floor.vectors import Vectors

if TYPE_CHECKING:
    import jsonschema

FILES = written()


def made(schema: Mapping[str, object]) -> jsonschema.Draft202012Validator:
    """A validator of this schema. Its package compiles 38 grammars when it is imported: no worker does that to collect
    tests.
    """
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_files_are_current() -> None:
    """`python -m tests.floor.schemas` writes them anew; a change of theirs is a change for every other system."""
    found = {file.relative_to(FOLDER).as_posix(): file.read_text(encoding="utf-8") for file in FOLDER.rglob("*.json")}
    assert found == FILES


@pytest.mark.parametrize("name", schemas())
def test_an_example_meets_its_schema_and_a_wrong_one_does_not(name: str) -> None:
    schema = json.loads(FILES[f"{name}.schema.json"])
    validator = made(schema)
    example = json.loads(FILES[f"examples/{name}.json"])
    assert list(validator.iter_errors(example)) == []
    whole = schema["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    for field in whole["required"]:
        assert not validator.is_valid({key: value for key, value in example.items() if key != field}), field


def test_every_vector_meets_the_schema_of_a_record() -> None:
    validator = made(schemas()["record"])
    records = [json.loads(file.read_text(encoding="utf-8")).get("record") for file in VECTORS.glob("*.json")]
    for record in filter(None, records):
        assert list(validator.iter_errors(record)) == []


def test_the_example_script_is_played() -> None:
    (played,) = replay(read_script(json.dumps(SCRIPT))).rounds
    assert played.status == "settled"
    validator = made(schemas()["script"])
    step = {"do": "bet", "player": "ana", "box": 1, "bet": "ante", "amount": 50}
    assert not validator.is_valid({**SCRIPT, "steps": [step]})


def test_every_row_of_an_export_meets_its_schema(tmp_path: Path) -> None:
    played = Vectors("sun-casino-holdem", 3)
    played.play()
    write_export(played.store, tmp_path / "csv", FileKind.CSV, "")
    played.store.close()
    parts = schemas()["export"]["$defs"]
    assert isinstance(parts, dict)
    for table, columns in TABLES.items():
        validator = made(parts["rows"][table])
        with (tmp_path / "csv" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                typed: dict[str, object] = {}
                for column in columns:
                    text = row[column.name]
                    typed[column.name] = text if column.kind is Kind.TEXT else int(text) if text else None
                assert list(validator.iter_errors(typed)) == []
