"""Records of rounds whose events somebody has changed, with every hash made anew."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable

from croupier import verify


def forged(record: verify.Json, change: Callable[[list[dict[str, object]]], None]) -> verify.Json:
    """A record whose events are changed and whose chain is made anew: only the content can tell."""
    forged = copy.deepcopy(record)
    events = [json.loads(entry["data"]) for entry in forged["records"]]
    change(events)
    before = bytes.fromhex(forged["before"])
    kept = forged["records"]
    forged["records"] = []
    for index, event in enumerate(events):
        entry = dict(kept[min(index, len(kept) - 1)])
        entry.update(seq=kept[0]["seq"] + index, type=event["type"], data=json.dumps(event, separators=(",", ":")))
        head = (
            f"{len(entry['stream'])}:{entry['stream']}{entry['seq']}:{len(entry['type'])}:{entry['type']}"
            f"{entry['version']}:{entry['at']}:{len(entry['command'])}:{entry['command']}{len(entry['data'])}:"
        )
        before = hashlib.sha256(before + head.encode() + entry["data"].encode()).digest()
        forged["records"].append({**entry, "hash": before.hex()})
    return forged


def first(events: list[dict[str, object]], kind: str) -> dict[str, object]:
    return next(event for event in events if event["type"] == kind)
