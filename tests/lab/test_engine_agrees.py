"""The lab pays what the engine pays: a few thousand rounds here, the million by `python -m tests.lab.agreeing`."""

from __future__ import annotations

from random import Random

import pytest

from croupier.rulebooks.terms import table_terms
from tests.lab.agreeing import VARIANTS, Played


@pytest.mark.parametrize("variant", range(len(VARIANTS)), ids=lambda at: "+".join((VARIANTS[at][0], *VARIANTS[at][1])))
def test_random_rounds_are_paid_alike(variant: int) -> None:
    """Every line of every box, in the five games and under readings that change what is paid."""
    name, rulings = VARIANTS[variant]
    table = Played(table_terms(name, rulings=rulings), Random(variant))
    lines = sum(table.compare() for _ in range(150))
    assert lines > 1_000
