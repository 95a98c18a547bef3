"""Write the types of the API for its two clients: `python tools/wire_types.py` after a change of a body or message.

TypeScript interfaces go to `web/src/api/types.ts`, msgspec structs to `src/croupier/client_types.py`. Both come from
the schemas that the server publishes at `/api/schema`; comments come from the docstrings of the structs. A test fails
where a file differs from what this program writes.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, get_args

import msgspec

from croupier.floor.records.facts import TableFact
from croupier.floor.server.app import HTTP_ROUTES
from croupier.floor.server.openapi import CLIENT_MESSAGES, SERVER_MESSAGES, schemas, structs_of
from croupier.floor.views.round_views import StepEvent
from croupier.rulebooks.vocabulary import Role

Schema: TypeAlias = Mapping[str, Any]

ROOT = Path(__file__).resolve().parents[1]
TYPESCRIPT = ROOT / "web" / "src" / "api" / "types.ts"
PYTHON = ROOT / "src" / "croupier" / "client_types.py"
WIDTH = 120

UNIONS: dict[str, tuple[type[msgspec.Struct], ...]] = {
    "StepEvent": get_args(StepEvent),
    "TableFact": get_args(TableFact),
    "ClientMessage": CLIENT_MESSAGES,
    "ServerMessage": SERVER_MESSAGES,
}
"""Unions that have a name of their own; one that holds another comes before it."""

IN_TYPESCRIPT = {
    "AwardView": "AwardCase",
    "BetKind": "KindOfBet",
    "BetTerms": "BetKind",
    "DecisionDue": "DueDecision",
    "DeckView": "SealedDeck",
    "Edge": "HouseEdge",
    "EffectView": "BoxEffect",
    "Position": "PracticePosition",
    "Practice": "PracticeAnswer",
    "PrintedTable": "PayTable",
    "Reportable": "IncidentKind",
    "Worth": "ChoiceValue",
}
"""Names that the browser client uses where the server has another."""

IN_PYTHON = {
    "Answer": "Answer",
    "Me": "Me",
    "SessionView": "Session",
    "Factor": "Factor",
    "FloorTable": "Place",
    "TableMessage": "TableState",
    "BoxView": "Box",
    "ChoiceView": "Choice",
    "PlaceableBet": "Placeable",
    "ServerClock": "Clock",
    "DealerView": "Dealer",
    "TableEvent": "Event",
    "LinkMessage": "Meter",
}
"""Bodies and messages that the Python client reads, by the names that it gives them."""


# ---------------------------------------------------------------- the structs


@cache
def wire_schemas() -> dict[str, Schema]:
    """Return the schemas of all bodies and messages, as the server publishes them."""
    found: dict[str, Schema] = schemas(structs_of(HTTP_ROUTES))  # type: ignore[assignment]  # JSON objects
    return found


@cache
def _classes() -> dict[str, type]:
    """Return the structs and enumerations behind the schemas, by name."""
    found: dict[str, type] = {}
    waiting: list[object] = list(msgspec.inspect.multi_type_info(structs_of(HTTP_ROUTES)))
    seen: set[int] = set()
    while waiting:
        info = waiting.pop()
        if id(info) in seen:
            continue
        seen.add(id(info))
        if isinstance(info, msgspec.inspect.StructType | msgspec.inspect.EnumType):
            found[info.cls.__name__] = info.cls
        if isinstance(info, msgspec.Struct):
            waiting += [getattr(info, field) for field in info.__struct_fields__]
        elif isinstance(info, list | tuple):
            waiting += info
    return found


@cache
def _field_docs(name: str) -> dict[str, str]:
    """Return the docstring under each field of a struct, those of its bases included."""
    kind, docs = _classes()[name], dict[str, str]()
    if issubclass(kind, Enum):
        return docs
    for base in reversed([each for each in kind.__mro__ if each.__module__.startswith("croupier.")]):
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        assert isinstance(tree, ast.ClassDef)
        for field, doc in zip(tree.body, tree.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                is_doc = isinstance(doc, ast.Expr) and isinstance(doc.value, ast.Constant)
                if is_doc and isinstance(doc.value.value, str):  # type: ignore[attr-defined]  # a constant, as above
                    docs[field.target.id] = " ".join(doc.value.value.split())  # type: ignore[attr-defined]  # likewise
    return docs


def _doc(name: str, schema: Schema) -> str:
    return " ".join(str(schema.get("description", name)).split())


def _doc_of_field(name: str, field: str) -> str:
    return _field_docs(name).get(field, "")


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


# ---------------------------------------------------------------- TypeScript


def typescript() -> str:
    """Write the module of the browser client."""
    parts = [
        "// Written by tools/wire_types.py from the structs of the server. Do not change it by hand.",
        "",
        *_ts_doc("What the server sends and takes. Cards are texts such as Ah; a card that lies face down is ??.", ""),
        "",
        *_ts_doc("Money as text with two decimals.", ""),
        "export type Money = string;",
    ]
    for name, schema in sorted(wire_schemas().items(), key=lambda item: _ts_name(item[0])):
        parts += ["", *_ts_doc(_doc(name, schema), ""), *_ts_declaration(name, schema)]
    for name, members in UNIONS.items():
        names = [_ts_name(member.__name__) for member in members]
        parts += ["", *_broken(f"export type {name} =", names, ";")]
    parts += ["", *_ts_doc("The slug of each role, by the number that an event has for it.", "")]
    slugs = ", ".join(f"{role.value}: {json.dumps(role.slug)}" for role in Role)
    parts += [f"export const ROLE_SLUGS = {{ {slugs} }} as const;"]
    return "\n".join(parts) + "\n"


def _ts_name(name: str) -> str:
    return IN_TYPESCRIPT.get(name, name)


def _ts_doc(text: str, indent: str) -> Iterator[str]:
    if not text:
        return
    if len(indent) + len(text) + 7 <= WIDTH:
        yield f"{indent}/** {text} */"
        return
    yield f"{indent}/**"
    yield from (f"{indent} * {line}" for line in textwrap.wrap(text, WIDTH - len(indent) - 3))
    yield f"{indent} */"


def _ts_declaration(name: str, schema: Schema) -> Iterator[str]:
    if "enum" in schema:
        yield from _broken(f"export type {_ts_name(name)} =", [json.dumps(value) for value in schema["enum"]], ";")
        return
    fields = schema.get("properties", {})
    required = schema.get("required", ())
    yield f"export interface {_ts_name(name)} {{"
    for field, kind in fields.items():
        yield from _ts_doc(_doc_of_field(name, field), "  ")
        yield from _broken(f"  {field}{'' if field in required else '?'}:", _ts_members(kind), ";")
    yield "}"


def _broken(head: str, members: list[str], tail: str) -> Iterator[str]:
    """Yield a union on one line, or a member on each where it does not fit."""
    line = f"{head} {' | '.join(members)}{tail}"
    if len(line) <= WIDTH:
        yield line
        return
    indent = " " * (len(head) - len(head.lstrip()) + 2)
    yield head
    for member in members[:-1]:
        yield f"{indent}| {member}"
    yield f"{indent}| {members[-1]}{tail}"


def _ts_members(schema: Schema) -> list[str]:
    """List the members of a union; a schema of another kind is its own only member."""
    if "anyOf" in schema:
        kinds = list(schema["anyOf"])
        names = [_name(kind["$ref"]) for kind in kinds if "$ref" in kind]
        for union, members in UNIONS.items():
            known = {member.__name__ for member in members}
            if known <= set(names):
                rest = [kind for kind in kinds if _name(kind.get("$ref", "")) not in known]
                return [union, *(_ts_type(kind) for kind in rest)]
        return [_ts_type(kind) for kind in kinds]
    if "enum" in schema:
        return [json.dumps(value) for value in schema["enum"]]
    return [_ts_type(schema)]


def _ts_type(schema: Schema) -> str:
    if "$ref" in schema:
        return _ts_name(_name(schema["$ref"]))
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema or "anyOf" in schema:
        return " | ".join(_ts_members(schema))
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(_ts_type(kind) for kind in schema['prefixItems'])}]"
        case "array":
            inner = _ts_type(schema["items"])
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case "object":
            return f"Record<string, {_ts_type(schema['additionalProperties'])}>"
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as plain:
            return str(plain)
        case other:
            raise ValueError(f"A schema of type {other} has no TypeScript type here: {schema}.")


# ---------------------------------------------------------------- Python


def python() -> str:
    """Write the module of the Python client."""
    parts = [
        '"""What the house sends, as the client reads it. Written by tools/wire_types.py: do not change it by hand.',
        "",
        "Amounts are texts with two decimals, cards are texts such as `Ah`, and a card that lies face down is `??`.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "import msgspec",
    ]
    needed = _needed()
    for name in needed:
        parts += ["", "", *_py_class(name, _py_base(name, needed))]
    return "\n".join(parts) + "\n"


def _py_name(name: str) -> str:
    return IN_PYTHON.get(name, name)


def _needed() -> list[str]:
    """List the structs that the client reads and all that are inside them, sorted by the client's names."""
    found: set[str] = set()
    waiting = list(IN_PYTHON)
    while waiting:
        name = waiting.pop()
        schema = wire_schemas()[name]
        if name in found or "enum" in schema:
            continue
        found.add(name)
        waiting += [each for kind in schema["properties"].values() for each in _references(kind)]
    return sorted(found, key=lambda name: (_py_base(name, found) is not None, _py_name(name)))


def _py_base(name: str, known: Collection[str]) -> str | None:
    """Return the struct of these that another one extends, which has to stand before it."""
    bases = (base.__name__ for base in _classes()[name].__mro__[1:])
    return next((base for base in bases if base in known), None)


def _references(schema: Schema) -> Iterator[str]:
    if "$ref" in schema:
        yield _name(schema["$ref"])
    elif "anyOf" in schema and len(schema["anyOf"]) <= len(get_args(TableFact)) // 2:
        yield from (name for kind in schema["anyOf"] for name in _references(kind))
    elif isinstance(schema.get("items"), dict):
        yield from _references(schema["items"])
    elif isinstance(schema.get("additionalProperties"), dict):
        yield from _references(schema["additionalProperties"])


def _py_class(name: str, base: str | None) -> Iterator[str]:
    schema = wire_schemas()[name]
    required = schema.get("required", ())
    known = () if base is None else wire_schemas()[base]["properties"]
    yield f"class {_py_name(name)}({'msgspec.Struct' if base is None else _py_name(base)}, frozen=True, kw_only=True):"
    yield from _py_doc(_doc(name, schema))
    yield ""
    for field, kind in schema["properties"].items():
        if field in known or (kind.get("enum") and field == "type"):
            continue  # the base has it, or it is the tag of a message: its reader has looked at it already
        told = _py_type(kind)
        if field in required:
            yield f"    {field}: {told}"
        elif "default" in kind:
            yield f"    {field}: {told} = {_py_default(kind['default'])}"
        else:
            yield f"    {field}: {told if told.endswith('| None') else f'{told} | None'} = None"
        yield from _py_doc(_doc_of_field(name, field))


def _py_doc(text: str) -> Iterator[str]:
    if not text:
        return
    if len(text) + 10 <= WIDTH:
        yield f'    """{text}"""'
        return
    first, *rest = textwrap.wrap(f'"""{text}', WIDTH - 4)
    yield f"    {first}"
    yield from (f"    {line}" for line in rest)
    yield '    """'


def _py_default(value: object) -> str:
    return "()" if value == [] else json.dumps(value) if isinstance(value, str) else repr(value)


def _py_type(schema: Schema) -> str:
    if "$ref" in schema:
        name = _name(schema["$ref"])
        # A word that a later server adds must not break an earlier client.
        return "str" if "enum" in wire_schemas()[name] else _py_name(name)
    if "enum" in schema:
        return "str"
    if "anyOf" in schema:
        kinds = [_py_type(kind) for kind in schema["anyOf"] if kind.get("type") != "null"]
        union = " | ".join(dict.fromkeys(kinds)) if len(kinds) < len(get_args(TableFact)) else "dict[str, object]"
        return f"{union} | None" if len(kinds) < len(schema["anyOf"]) else union
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"tuple[{', '.join(_py_type(kind) for kind in schema['prefixItems'])}]"
        case "array":
            return f"tuple[{_py_type(schema['items'])}, ...]"
        case "object":
            return f"dict[str, {_py_type(schema['additionalProperties'])}]"
        case plain:
            return {"integer": "int", "number": "float", "string": "str", "boolean": "bool"}[str(plain)]


def main(files: Iterable[tuple[Path, str]]) -> None:
    """Write the files that differ."""
    for path, text in files:
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(ROOT)} is written.")


if __name__ == "__main__":
    main(((TYPESCRIPT, typescript()), (PYTHON, python())))
