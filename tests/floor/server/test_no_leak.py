"""Every byte that the server sends to anybody is the same until the rules turn the card; and a leak would be found."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from croupier.cards import DECK, face
from croupier.floor.duties.permissions import Post
from croupier.floor.history import played_rounds
from croupier.floor.house import house as houses
from croupier.floor.house import round_play
from croupier.floor.house.dispatch import carry_out
from croupier.floor.house.transaction import Transaction
from croupier.floor.live.broadcast import Broadcast
from croupier.floor.live.follower_groups import Audience
from croupier.floor.people.people import Person
from croupier.floor.records.codec import encode
from croupier.floor.records.commands import Answer
from croupier.floor.records.committed_decks import CardProof, Deck
from croupier.floor.records.facts import TableFact
from croupier.floor.records.tables import Table
from croupier.floor.server.routes.records import operation
from croupier.floor.server.telemetry.metrics import metrics_text
from croupier.floor.views import table_views
from croupier.floor.views.round_views import RecordedEvent
from croupier.floor.views.table_views import Memory, TableView, table_view
from croupier.journal.records import Record, chain_hash
from croupier.rounds.bet_placement import Elsewhere
from croupier.rounds.state import Stage
from croupier.rulebooks.documents.editions import GAMES
from tests.floor.leak_probe import pairs
from tests.floor.serving import Served, quiet

PAIRS = 30
"""In each of the two parts below; the report runs ten thousand."""


@pytest.mark.parametrize("part", range(2))
def test_nobody_sees_a_card_before_the_rules_turn_it(part: int) -> None:
    """All games, every post and the street: sockets, answers, refusals, pages of past rounds, metrics, logs."""
    done, found = asyncio.run(pairs(PAIRS, 1000 * part))
    assert found == []
    assert all(done[game] == PAIRS // len(GAMES) for game in GAMES)
    assert done["looked"] > PAIRS // 4
    assert done["copies"] > PAIRS // 10
    assert all(done[stage] for stage in ("betting", "playing", "settled"))


# ---------------------------------------------------------------- planted leaks


def hidden_card(table: Table) -> int:
    """Of the deck in play, the last card: no rule ever turns it."""
    deck = table.decks.get((table.round.number, table.round.deals))
    return 0 if deck is None else face(deck.shoe[51])


def a_field(patch: pytest.MonkeyPatch) -> None:
    honest = table_view

    def leaking(table: Table, person: Person | None, elsewhere: Elsewhere, memory: Memory) -> TableView:
        return replace(honest(table, person, elsewhere, memory), jackpot_bet=str(hidden_card(table)))

    patch.setattr(table_views, "table_view", leaking)


def an_order(patch: pytest.MonkeyPatch) -> None:
    honest = table_view

    def leaking(table: Table, person: Person | None, elsewhere: Elsewhere, memory: Memory) -> TableView:
        seen = honest(table, person, elsewhere, memory)
        fields = list(seen.limits.items())
        return replace(seen, limits=dict(reversed(fields) if hidden_card(table) > 8 else fields))

    patch.setattr(table_views, "table_view", leaking)


def a_length(patch: pytest.MonkeyPatch) -> None:
    honest = table_view

    def leaking(table: Table, person: Person | None, elsewhere: Elsewhere, memory: Memory) -> TableView:
        return replace(honest(table, person, elsewhere, memory), jackpot_bet=" " * hidden_card(table))

    patch.setattr(table_views, "table_view", leaking)


def to_one_post_only(patch: pytest.MonkeyPatch) -> None:
    honest = table_view

    def leaking(table: Table, person: Person | None, elsewhere: Elsewhere, memory: Memory) -> TableView:
        seen = honest(table, person, elsewhere, memory)
        mine = person is not None and person.post is Post.SURVEILLANCE
        return replace(seen, jackpot_bet=str(hidden_card(table))) if mine else seen

    patch.setattr(table_views, "table_view", leaking)


def a_figure(patch: pytest.MonkeyPatch) -> None:
    honest = metrics_text
    patch.setattr(
        operation,
        "metrics_text",
        lambda floor, requests: f"{honest(floor, requests)}warmth {hidden_card(floor.house.tables['T'])}\n",
    )


def a_refusal(patch: pytest.MonkeyPatch) -> None:
    honest = carry_out

    def leaking(transaction: Transaction) -> Answer:
        table = transaction.house.tables.get("T")
        if table is not None and table.round.stage is Stage.PLAYING and hidden_card(table) > 8:
            raise ValueError("too warm")
        return honest(transaction)

    patch.setattr(houses, "carry_out", leaking)


def a_log_line(patch: pytest.MonkeyPatch) -> None:
    honest = table_view

    def leaking(table: Table, person: Person | None, elsewhere: Elsewhere, memory: Memory) -> TableView:
        logging.getLogger("croupier").debug("warmth %s", hidden_card(table))
        return honest(table, person, elsewhere, memory)

    patch.setattr(table_views, "table_view", leaking)


def a_version(patch: pytest.MonkeyPatch) -> None:
    """The number of a patch, not its content."""
    honest = Broadcast._move

    def leaking(broadcast: Broadcast, audience: Audience, table: Table, ends: float | None) -> None:
        audience.version += hidden_card(table) > 8
        honest(broadcast, audience, table, ends)

    patch.setattr(Broadcast, "_move", leaking)


def a_head(patch: pytest.MonkeyPatch) -> None:
    """The hash of a chain that holds a hand which one player alone has seen."""
    patch.setattr(houses.House, "public_heads", lambda house: dict(house.shown_heads))


def the_whole_deck(patch: pytest.MonkeyPatch) -> None:
    """In the record of a round that is over, as every release up to the first gave it to everybody."""
    patch.setattr(played_rounds, "_sees_all", lambda _: True)


def what_others_looked_at(patch: pytest.MonkeyPatch) -> None:
    """In the copy of a round that is over: the look of another player with its cards."""

    def leaking(record: Record, fact: TableFact, _: Person | None) -> RecordedEvent:
        return replace(played_rounds._recorded_event(record), data=encode(fact).decode())

    patch.setattr(played_rounds, "_copied", leaking)


def looks_with_cards(patch: pytest.MonkeyPatch) -> None:
    """Records that hold the hands at which players have looked."""
    patch.setattr(round_play, "as_recorded", lambda event: event)


def a_salt_too_many(patch: pytest.MonkeyPatch) -> None:
    """The card itself is not there; its salt and the commitment's path would let anybody try 52."""
    honest = Deck.proof

    def leaking(deck: Deck, position: int) -> CardProof:
        proof = honest(deck, position)
        return replace(proof, path=(*proof.path, honest(deck, 51).salt))

    patch.setattr(Deck, "proof", leaking)


LEAKS = (
    a_field, an_order, a_length, to_one_post_only, a_version, a_figure, a_refusal, a_log_line, the_whole_deck,
    what_others_looked_at, a_salt_too_many,
)  # fmt: skip


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_found(leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Fields, orders, lengths, one post alone, figures, refusals, logs, and records of rounds that are over."""
    leak(monkeypatch)
    _, found = asyncio.run(pairs(20, 0, sought=""))
    assert found


def test_a_head_over_a_hidden_hand_is_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """Published heads are compared as they are: one over a record that holds a hand in play would differ."""
    looks_with_cards(monkeypatch)
    a_head(monkeypatch)
    # The copy of a round that is over would give its records away as well.
    _, found = asyncio.run(pairs(30, 30, sought=" at /api/audit:"))
    assert any(" at /api/audit:" in line for line in found)


@pytest.mark.parametrize("holds_cards", [False, True])
def test_a_head_that_could_be_guessed_open_is_not_published(
    tmp_path: Path, holds_cards: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An auditor who knows every event but a hand tries all hands. No head fits one of them, since records hold no
    hand; if they did, what is published would still fit none. When the round is over, the head is the chain's own.
    """
    if holds_cards:
        looks_with_cards(monkeypatch)
    with Served(tmp_path, {"T1": quiet(staffed=True)}) as served, served.http(Post.AUDITOR) as auditor:

        def published() -> str | None:
            told = auditor.get("/api/audit").json()["heads"].get("table/T1")
            return None if told is None else str(told["hash"])

        served.step(Post.DEALER, "open")
        served.step(Post.PLAYER, "bet", box=1, bet="ante", amount="25.00")
        served.step(Post.DEALER, "close_bets")
        assert served.step(Post.PLAYER, "examine", box=1)["accepted"]
        last = served.records("table/T1")[-1]
        assert last.type == "HandExamined"
        assert opened_by_guessing(served.records("table/T1")) == (last.hash.hex() if holds_cards else "")
        assert published() != last.hash.hex()
        while served.floor.house.shown["T1"].round.stage is Stage.PLAYING:
            served.step(Post.PLAYER, "decide", box=1, choice="fold")
            if served.floor.house.shown["T1"].round.stage is Stage.PLAYING:
                served.step(Post.DEALER, "deal")
        assert published() == served.records("table/T1")[-1].hash.hex()


def opened_by_guessing(records: Sequence[Record]) -> str:
    """The head that somebody computes who tries every pair of cards in place of the one that was seen."""
    *_, before, last = records
    event = msgspec.json.decode(last.data)
    for cards in permutations(DECK, 2):
        data = msgspec.json.encode({**event, "cards": cards})
        guess = chain_hash(before.hash, last.stream, last.seq, last.type, last.version, last.at, last.command, data)
        if guess == last.hash:
            return guess.hex()
    return ""
