"""The types of both clients are those of the server, and every body and message is described."""

from __future__ import annotations

import json
from typing import get_args

import msgspec
import pytest

from croupier.floor.people.authorization import ACTIONS
from croupier.floor.server.app import HTTP_ROUTES
from croupier.floor.server.openapi import bodies, structs_of
from croupier.floor.server.wire.steps import Do
from tools import wire_types


@pytest.mark.parametrize(
    ("path", "text"),
    [(wire_types.TYPESCRIPT, wire_types.typescript), (wire_types.PYTHON, wire_types.python)],
    ids=["typescript", "python"],
)
def test_a_generated_file_is_what_the_tool_writes(path: object, text: object) -> None:
    """After a change of a body or message: `python tools/wire_types.py`."""
    assert isinstance(path, type(wire_types.PYTHON))
    assert callable(text)
    assert path.read_text(encoding="utf-8") == text(), "run python tools/wire_types.py"


def test_every_route_answers_with_a_struct() -> None:
    """Or with a list or a mapping of structs; only the metrics are plain text, and a dispute pack is a page."""
    untyped = [
        (sorted(handler.http_methods), path)
        for handler in HTTP_ROUTES
        for path in handler.paths
        if len(bodies([handler])) < 2  # the refusal, and its own
    ]
    without_body = [path for _, path in untyped]
    pages = ["/api/academy/sittings/{key:str}/certificate", "/api/tables/{name:str}/rounds/{number:int}/dispute-pack"]
    assert sorted(without_body) == [*pages, "/metrics"]


def test_nothing_on_the_wire_is_open() -> None:
    """No schema takes anything at all, and no two structs share a name."""
    text = json.dumps(wire_types.wire_schemas())
    assert '"additionalProperties": {}' not in text
    assert '"items": {}' not in text
    names = [struct.__name__ for struct in structs_of(HTTP_ROUTES)]
    assert len(names) == len(set(names))
    assert all("_" not in name for name in wire_types.wire_schemas())


def test_every_step_is_a_word_of_the_wire() -> None:
    """And no other."""
    assert set(get_args(Do)) == set(ACTIONS)


def test_a_schema_is_described() -> None:
    """By the docstring of its struct."""
    for name, schema in wire_types.wire_schemas().items():
        assert schema.get("description"), name
    assert issubclass(wire_types.UNIONS["ServerMessage"][0], msgspec.Struct)
