"""The dispute pack: evidence, seal, style and scripts put together into one page that needs nothing else."""

from __future__ import annotations

import hashlib
import html
from collections.abc import Callable
from functools import cache
from importlib.resources import files

import msgspec

from croupier.floor.disputes.evidence import Evidence
from croupier.journal.checkpoint import Checkpoint

SEAL_FORMAT = "croupier-dispute-seal-1"
CHECKS = ("digests.js", "rules.js", "settlement.js", "awards.js", "verifier.js", "verdict.js")
"""Scripts that judge, in the order in which they need each other."""
_SHOWN = ("felt.js", "sections.js", "page.js")
"""Scripts that draw."""


class Seal(msgspec.Struct, frozen=True, kw_only=True):
    """What is signed of a pack."""

    format: str = SEAL_FORMAT
    table: str
    round: int
    made_at: str
    sha256: str
    """Of the evidence as it stands in the page."""


def pack(evidence: Evidence, sign: Callable[[str], Checkpoint] | None = None) -> str:
    """Return the page of a dispute pack, signed where the house has a key to sign with."""
    data = _in_html(msgspec.json.encode(evidence).decode())
    record = evidence.record
    table, number = str(record["table"]), record["round"]
    assert isinstance(number, int)
    seal = Seal(table=table, round=number, made_at=evidence.made_at, sha256=hashlib.sha256(data.encode()).hexdigest())
    signed = None if sign is None else sign(msgspec.json.encode(seal).decode())
    page = _asset("pack.html")
    for name, text in (
        ("title", html.escape(f"Dispute pack: {table}, round {number}")),
        ("style", _asset("pack.css")),
        ("checks", "\n".join(map(_asset, CHECKS))),
        ("drawing", "\n".join(map(_asset, _SHOWN))),
        # The evidence last: nothing in it is taken for a place to fill.
        ("seal", _in_html(msgspec.json.encode(signed).decode())),
        ("evidence", data),
    ):
        page = page.replace(f"{{{{{name}}}}}", text, 2 if name == "title" else 1)
    return page


def file_name(table: str, number: int) -> str:
    """Return the name under which a pack is saved."""
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in table)[:40]
    return f"dispute-{plain}-{number}.html"


def _in_html(text: str) -> str:
    """Write JSON so that no text in it can end its element."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("\u2028", "\\u2028")


@cache
def _asset(name: str) -> str:
    return (files("croupier.floor.disputes") / "assets" / name).read_text(encoding="utf-8")
