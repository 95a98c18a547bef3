"""Exactly one entry of a rulebook fits whatever happens: checked on the declarations alone, for every truth of every
condition."""

from __future__ import annotations

from itertools import product

import pytest

from croupier.rounds.incidents import OPPOSITE
from croupier.rulebooks.books import GAMES, declare
from croupier.rulebooks.readings import Readings, readings_of
from croupier.rulebooks.vocabulary import Incident, When

IMPOSSIBLE = (
    {When.FIRST_DECISION_REMAINS: True, When.DECISIONS_REMAIN: False},
    {When.PLAYER_HAS_SEEN: True, When.PLAYER_HAS_HANDLED: False},
    {When.PLAYER_HAS_SEEN: True, When.SEEN_OR_FACE_UP: False},
    {When.PLAYER_HAS_SEEN: True, When.SEEN_FACE_UP_OR_EXPOSED: False},
)
"""Looking is handling too; a first decision that remains is a decision that remains."""

CASES = [(game, incident) for game in GAMES for incident in Incident]


def possible(truth: dict[When, bool]) -> bool:
    return not any(all(truth.get(when) == value for when, value in never.items()) for never in IMPOSSIBLE)


def fits(when: When, truth: dict[When, bool]) -> bool:
    return not truth[OPPOSITE[when]] if when in OPPOSITE else truth[when]


def entries_fit_once(game: str, incident: Incident, readings: Readings) -> None:
    entries = [entry for entry in declare(game, readings).irregularities if entry.incident is incident]
    if not entries:
        return
    base = sorted({OPPOSITE.get(when, when) for entry in entries for when in entry.when})
    for values in product((True, False), repeat=len(base)):
        truth = dict(zip(base, values, strict=True))
        if possible(truth):
            fitting = [entry for entry in entries if all(fits(when, truth) for when in entry.when)]
            assert len(fitting) == 1, f"{game} {incident.value} under {truth}: {fitting}"


@pytest.mark.parametrize(("game", "incident"), CASES, ids=[f"{g}-{i.value}" for g, i in CASES])
def test_no_incident_has_no_rule_or_two(game: str, incident: Incident) -> None:
    """Under the readings in force, an incident that the book mentions has one consequence in every case."""
    entries_fit_once(game, incident, Readings.of(game, {}))


@pytest.mark.parametrize("game", GAMES)
def test_that_holds_under_every_offered_reading(game: str) -> None:
    """Another reading may change a consequence, but never leaves two of them, or none."""
    for reading in readings_of(game).values():
        for letter in reading.options:
            if reading.offers(game, letter):
                for incident in Incident:
                    entries_fit_once(game, incident, Readings.of(game, {reading.id: letter}))
