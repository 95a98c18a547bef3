"""A record that somebody has damaged at random is judged or refused in one sentence; the verifier never breaks down."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random

from croupier import verify
from tests.floor.forgeries import chained
from tests.floor.vectors import FOLDER

ODD: tuple[object, ...] = (
    None, True, 0, -1, 10**30, 1.5, "", "As", "1 to 0", "5%", "x" * 99, "\ud800", [], {}, [[]], ["As"] * 40,
)  # fmt: skip
DAMAGED = 600


def places(value: object) -> Iterator[tuple[dict[str, object] | list[object], str | int]]:
    """Every place in a value where something stands."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield value, key
            yield from places(item)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield value, index
            yield from places(item)


def damage(random: Random, value: object) -> None:
    """Something else at one place, or nothing at all."""
    held, key = random.choice(list(places(value)))
    if random.random() < 0.2:
        del held[key]  # type: ignore[arg-type]  # the key belongs to its own container
    else:
        held[key] = copy.deepcopy(random.choice(ODD))  # type: ignore[index]  # likewise


def test_a_damaged_record_is_judged_or_refused() -> None:
    """Damage in the record itself, and in an event under a chain that is made anew."""
    random = Random(3)
    vectors = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob("*-whole.json"))]
    judged = refused = 0
    for _ in range(DAMAGED):
        record = copy.deepcopy(random.choice(vectors)["record"])
        if random.random() < 0.3:
            damage(random, record)
        else:
            entry = random.choice(record["records"])
            event = json.loads(entry["data"])
            damage(random, event)
            entry["data"] = json.dumps(event)
            chained(record)
        try:
            verify.report(record, verify.check(record))
            judged += 1
        except verify.NoRecord:
            refused += 1
    assert judged > DAMAGED // 4
    assert refused > DAMAGED // 10
