"""docs/round-script.md has every word of the format: steps, fields, incidents, decisions, refusals."""

from __future__ import annotations

import re

import pytest

from croupier.rounds.refusal import Code
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.documents.editions import GAMES
from croupier.scripts.parse import _FIELDS, _ROLES, CHOICES, DECISIONS, MODES, OPTIONS, reportable
from tests.calling import ROOT

PAGE = (ROOT / "docs" / "round-script.md").read_text(encoding="utf-8")
CODE = " ".join(re.findall(r"`+([^`]+)`+", re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)))
WORDS = set(re.findall(r"[a-z_]+", CODE))


@pytest.mark.parametrize("do", _FIELDS)
def test_every_step_and_its_fields_are_on_the_page(do: str) -> None:
    """A field that the reader takes and nobody can know of is a secret."""
    assert {do, *_FIELDS[do]} - WORDS == set()


@pytest.mark.parametrize("words", [reportable(declare(GAMES[0])), _ROLES, CHOICES, DECISIONS, MODES, OPTIONS])
def test_every_word_that_a_field_takes_is_on_the_page(words: tuple[str, ...]) -> None:
    """Incidents, roles, choices, decisions, modes and options."""
    assert set(words) - WORDS == set()


def test_every_refusal_has_its_line() -> None:
    """Each once, and no other."""
    table = PAGE.partition("## Refusals")[2]
    rows = re.findall(r"^\| (`[^|]+) \| .+ \|$", table, re.MULTILINE)
    listed = [code for row in rows for code in re.findall(r"`(\w+)`", row)]
    assert sorted(listed) == sorted(Code)
