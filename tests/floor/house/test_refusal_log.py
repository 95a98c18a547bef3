"""Refusals on record: honest ones are kept, junk is answered and counted, and the journal grows by a bounded amount."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.house.refusal_log import A_MINUTE, KEPT_A_MINUTE, REMEMBERED, RefusalLog
from croupier.floor.house.writer import Writer
from croupier.floor.records.commands import (
    Answer,
    AtTable,
    BuyIn,
    CashOut,
    EnrolPerson,
    NoteRefusal,
    OpenTable,
    Request,
)
from croupier.rounds.commands import OpenRound, PlaceBet
from tests.floor.house_builder import at, bets, checked_books, do, house, open_link, open_table, play_out
from tests.patience import PATIENCE
from tests.stores import PostgresPlace, SqlitePlace

NOW = 1_700_000_000_000_000
JUNK = AtTable(table="T1", command=PlaceBet(box=99, player="ana", bet="ante", amount=1), round=1)


JUNK_AT_1 = PlaceBet(box=2, player="ana", bet="ante", amount=2500)
"""Refused while the bets are closed, and good when the next Round is open."""


@pytest.fixture(params=["sqlite", "postgresql"])
def floor(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    place = SqlitePlace(tmp_path) if request.param == "sqlite" else PostgresPlace(request.getfixturevalue("postgres"))
    floor = house(place.open())
    open_link(floor)
    open_table(floor, "T1")
    do(floor, EnrolPerson(name="ana", post=Post.PLAYER, secret="x"))
    yield floor
    floor.store.close()


def send(floor: House, number: int, at: int = NOW, *, by: str = "ana", first: int = 0) -> list[Answer]:
    requests = [Request(f"{by}:{first + n}", JUNK, at) for n in range(number)]
    return [answer for begin in range(0, number, 64) for answer in floor.process(requests[begin : begin + 64])]


def counted(floor: House) -> list[dict[str, object]]:
    found = [record for record in floor.store.read("people") if record.type == "RefusalsCounted"]
    return [msgspec.json.decode(record.data) for record in found]


def test_junk_is_answered_and_counted_and_not_kept(floor: House) -> None:
    """A thousand commands that the rules refuse leave as many answers as are kept of a person, and one record."""
    answers = send(floor, 1000)
    assert not any(answer.accepted for answer in answers)
    assert [answer.kept for answer in answers] == [True] * KEPT_A_MINUTE + [False] * (1000 - KEPT_A_MINUTE)
    kept = floor.store.answers([f"ana:{number}" for number in range(1000)])
    assert len(kept) == KEPT_A_MINUTE
    assert counted(floor) == []
    send(floor, 1, NOW + A_MINUTE, first=2000)
    ((told,),) = ([{k: v for k, v in each.items() if k != "type"} for each in counted(floor)],)
    assert told == {"person": "ana", "action": "command", "count": 980, "since": NOW, "until": NOW + A_MINUTE}
    assert "ana:2000" in floor.store.answers(["ana:2000"])
    assert audit(floor.store).differences == ()
    checked_books(floor.store)


def test_the_same_id_gets_the_same_answer_though_it_is_not_kept(floor: House) -> None:
    """A client that sends again in the next seconds is told the same, even where the rules would now allow it; another
    command under that id is refused."""
    opens = AtTable(table="T2", command=OpenRound())
    send(floor, KEPT_A_MINUTE)
    (refused,) = floor.process([Request("ana:late", opens, NOW)])
    assert (refused.accepted, refused.kept) == (False, False)
    do(floor, OpenTable(table="T2", config=floor.tables["T1"].config))
    (again,) = floor.process([Request("ana:late", opens, NOW + 1)])
    assert again == refused
    (other,) = floor.process([Request("ana:late", JUNK, NOW + 2)])
    assert other.code == "id_reused"


def test_a_command_that_is_forgotten_is_judged_again_for_its_own_round_alone(floor: House) -> None:
    """After a restart nothing is remembered of junk: what names its Round cannot be taken for a later one."""
    do(floor, BuyIn(player="bob", amount=1_000_000))
    at(floor, "T1", *bets("bob"))
    send(floor, KEPT_A_MINUTE)
    stale = Request("ana:stale", AtTable(table="T1", command=JUNK_AT_1, round=1), NOW)
    (refused,) = floor.process([stale])
    assert (refused.accepted, refused.kept) == (False, False)
    play_out(floor, "T1")
    do(floor, BuyIn(player="ana", amount=1_000_000))
    do(floor, AtTable(table="T1", command=OpenRound()))
    floor._refusals = RefusalLog()
    (again,) = floor.process([stale])
    assert not again.accepted
    assert again.code == "another_round"
    meant = Request("ana:meant", AtTable(table="T1", command=JUNK_AT_1, round=2), NOW)
    assert floor.process([meant])[0].accepted


def test_an_accepted_command_and_the_cashiers_refusals_are_always_kept(floor: House) -> None:
    """However much junk came before: what was done is on record, and money is never judged twice under one id."""
    send(floor, KEPT_A_MINUTE + 10)
    (opened,) = floor.process([Request("ana:open", AtTable(table="T1", command=OpenRound()), NOW)])
    (refused,) = floor.process([Request("ana:cash", CashOut(player="ana", amount=10**9), NOW)])
    assert opened.accepted
    assert not refused.accepted
    assert refused.kept
    assert set(floor.store.answers(["ana:open", "ana:cash"])) == {"ana:open", "ana:cash"}


def test_what_the_server_asks_itself_is_kept(floor: House) -> None:
    """Ids without a person's name before a colon are the server's own."""
    requests = [Request(f"croupier-1-{n}", JUNK, NOW) for n in range(100)]
    assert all(answer.kept for answer in floor.process(requests))


def test_access_refusals_are_sampled(floor: House) -> None:
    """By person and action; strangers together, or they would try a new name each time."""
    notes = [NoteRefusal(person="ana", action="audit", what=f"rounds of {n}") for n in range(100)]
    notes += [NoteRefusal(person=f"nobody-{n}", action="log_in", what="wrong name or password") for n in range(100)]
    notes += [NoteRefusal(person="ana", action="deal", what="T1: open")]
    for n, note in enumerate(notes):
        floor.process([Request(f"croupier-2-{n}", note, NOW)])
    told = [msgspec.json.decode(record.data) for record in floor.store.read("people")]
    noted = [(fact["person"], fact["action"]) for fact in told if fact["type"] == "AccessRefused"]
    assert noted.count(("ana", "audit")) == KEPT_A_MINUTE
    assert sum(action == "log_in" for _, action in noted) == KEPT_A_MINUTE
    assert noted.count(("ana", "deal")) == 1
    send(floor, 1, NOW + A_MINUTE)
    assert {(each["person"], each["action"], each["count"]) for each in counted(floor)} == {
        ("ana", "audit", 80),
        ("", "log_in", 80),
    }
    assert audit(floor.store).differences == ()


def test_what_was_counted_is_on_record_when_the_house_closes(floor: House) -> None:
    """An orderly stop loses no count."""
    writer = Writer(floor, clock=lambda: NOW + 5)
    for n in range(KEPT_A_MINUTE + 3):
        writer.submit(Request(f"ana:{n}", JUNK, NOW)).result(PATIENCE)
    writer.close()
    assert [(each["count"], each["until"]) for each in counted(floor)] == [(3, NOW + 5)]
    assert audit(floor.store).differences == ()


def test_memory_of_junk_is_bounded() -> None:
    """The oldest is forgotten first."""
    refusals = RefusalLog()
    for number in range(REMEMBERED + 10):
        refusals.remember(f"ana:{number}", b"", Answer(accepted=False))
    assert refusals.answered("ana:9") is None
    assert refusals.answered("ana:10") is not None


def size(floor: House) -> int:
    """Bytes of all answers on disk."""
    return sum(len(str(value)) for row in floor.store.rows("answers") for value in row)


def test_a_player_who_floods_the_api_adds_little_to_the_disk(floor: House) -> None:
    """As measured: 527 bytes for each junk command before."""
    before = size(floor)
    send(floor, 2000)
    assert size(floor) - before < KEPT_A_MINUTE * 1000
