"""Every byte that the server sends to anybody is the same until the rules turn the card; and a leak would be found."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import pytest

from croupier.cards import face
from croupier.floor import house as houses
from croupier.floor import running
from croupier.floor.judging import carry_out
from croupier.floor.people import Person
from croupier.floor.posts import Post
from croupier.floor.requests import Answer
from croupier.floor.server import app as doors
from croupier.floor.server.metrics import metrics_text
from croupier.floor.showing import Json, table_view
from croupier.floor.tables import Table
from croupier.floor.working import Work
from croupier.rounds.state import Stage
from croupier.rulebooks.books import GAMES
from tests.floor.leaking import pairs

PAIRS = 50
"""In each of the four parts below; the report runs ten thousand."""


@pytest.mark.parametrize("part", range(4))
def test_nobody_sees_a_card_before_the_rules_turn_it(part: int) -> None:
    """All games, every post and the street: sockets, answers, refusals, pages of past rounds, metrics, logs."""
    done, found = asyncio.run(pairs(PAIRS, 1000 * part))
    assert found == []
    assert all(done[game] == PAIRS // len(GAMES) for game in GAMES)
    assert done["looked"] > PAIRS // 4
    assert all(done[stage] for stage in ("betting", "playing", "settled"))


# ---------------------------------------------------------------- planted leaks


def hidden_card(table: Table) -> int:
    """Of the deck in play, the last card: no rule ever turns it."""
    deck = table.decks.get((table.round.number, table.round.deals))
    return 0 if deck is None else face(deck.shoe[51])


def a_field(patch: pytest.MonkeyPatch) -> None:
    honest = table_view

    def leaking(table: Table, person: Person | None) -> Json:
        return {**honest(table, person), "warmth": hidden_card(table)}

    patch.setattr(running, "table_view", leaking)


def an_order(patch: pytest.MonkeyPatch) -> None:
    honest = table_view

    def leaking(table: Table, person: Person | None) -> Json:
        fields = list(honest(table, person).items())
        return dict(reversed(fields) if hidden_card(table) > 8 else fields)

    patch.setattr(running, "table_view", leaking)


def a_length(patch: pytest.MonkeyPatch) -> None:
    honest = table_view

    def leaking(table: Table, person: Person | None) -> Json:
        return {**honest(table, person), "room": " " * hidden_card(table)}

    patch.setattr(running, "table_view", leaking)


def to_one_post_only(patch: pytest.MonkeyPatch) -> None:
    honest = table_view

    def leaking(table: Table, person: Person | None) -> Json:
        seen = honest(table, person)
        mine = person is not None and person.post is Post.SURVEILLANCE
        return {**seen, "warmth": hidden_card(table)} if mine else seen

    patch.setattr(running, "table_view", leaking)


def a_figure(patch: pytest.MonkeyPatch) -> None:
    honest = metrics_text
    patch.setattr(
        doors, "metrics_text", lambda floor: f"{honest(floor)}warmth {hidden_card(floor.house.tables['T'])}\n"
    )


def a_refusal(patch: pytest.MonkeyPatch) -> None:
    honest = carry_out

    def leaking(work: Work) -> Answer:
        table = work.house.tables.get("T")
        if table is not None and table.round.stage is Stage.PLAYING and hidden_card(table) > 8:
            raise ValueError("too warm")
        return honest(work)

    patch.setattr(houses, "carry_out", leaking)


def a_log_line(patch: pytest.MonkeyPatch) -> None:
    honest = table_view

    def leaking(table: Table, person: Person | None) -> Json:
        logging.getLogger("croupier").debug("warmth %s", hidden_card(table))
        return honest(table, person)

    patch.setattr(running, "table_view", leaking)


LEAKS = (a_field, an_order, a_length, to_one_post_only, a_figure, a_refusal, a_log_line)


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_found(leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Fields, orders, lengths, one post alone, figures, refusals and logs."""
    leak(monkeypatch)
    _, found = asyncio.run(pairs(10, 0))
    assert found
