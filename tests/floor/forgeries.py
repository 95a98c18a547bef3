"""Records of rounds whose events somebody has changed, with every hash made anew."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable

from croupier import verify
from croupier.journal.records import chain_hash


def forged(record: verify.Json, change: Callable[[list[dict[str, object]]], None]) -> verify.Json:
    """A record whose events are changed and whose chain is made anew: only the content can tell."""
    forged = copy.deepcopy(record)
    events = [json.loads(entry["data"]) for entry in forged["records"]]
    change(events)
    kept = forged["records"]
    versions = {entry["type"]: entry["version"] for entry in kept}
    forged["records"] = []
    for index, event in enumerate(events):
        entry = dict(kept[min(index, len(kept) - 1)])
        kind = event["type"]
        entry.update(seq=kept[0]["seq"] + index, type=kind, version=versions.get(kind, 1), data=_text(event))
        forged["records"].append(entry)
    return chained(forged)


def chained(record: verify.Json) -> verify.Json:
    """The same record, with every hash of its chain made anew."""
    before = bytes.fromhex(record["before"])
    for entry in record["records"]:
        stream, seq, kind, version = entry["stream"], entry["seq"], entry["type"], entry["version"]
        before = chain_hash(before, stream, seq, kind, version, entry["at"], entry["command"], entry["data"].encode())
        entry["hash"] = before.hex()
    return record


def _text(event: dict[str, object]) -> str:
    return json.dumps(event, separators=(",", ":"))


def first(events: list[dict[str, object]], kind: str) -> dict[str, object]:
    return next(event for event in events if event["type"] == kind)
