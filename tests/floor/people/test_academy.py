"""The academy in a house: questions without answers, grades on record, exams with a time, results of a class."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from croupier.academy.exams import about
from croupier.academy.questions import Question
from croupier.academy.scenes import PEOPLE as PLAYERS
from croupier.academy.training_round import training_round
from croupier.floor.audit.academy_check import grading_differs
from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.people.learners import SECOND, Academy, evolve_academy, paper_of
from croupier.floor.records.codec import people_fact
from croupier.floor.records.people_facts import AcademyFact, DrillAnswered, SittingBegun, SittingEnded
from croupier.floor.records.streams import PEOPLE
from croupier.floor.server.wire.academy import QuestionView
from croupier.journal.store_address import open_store
from croupier.money import show
from tests.floor.serving import Served

EXAM = {"title": "Sun, first week", "games": ["sun-casino-holdem"], "topics": ["winner", "payout"], "count": 3}
_IDS = count()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("academy"), {}) as served:
        yield served


def academy(served: Served) -> Academy:
    return served.floor.house.shown_people.academy


def send(client: httpx.Client, path: str, **fields: object) -> httpx.Response:
    return client.post(f"/api/academy/{path}", json={"id": f"a{next(_IDS)}", **fields})


def right_answer(asked: Question) -> dict[str, object]:
    right = asked.right
    return {"amount": show(right)} if isinstance(right, int) else {"options": list(right)}


def wrong_answer(asked: Question) -> dict[str, object]:
    right = asked.right
    if isinstance(right, int):
        return {"amount": show(right + 1)}
    return {"options": [(index + 1) % len(asked.options) for index in right]}


def pending(served: Served, post: Post) -> Question:
    """The question that waits, made again from what only the house knows."""
    waits = academy(served).drills[post.value]
    made = about(waits.edition, waits.topic, waits.seed, waits.clause or None)
    assert made is not None
    return made


def test_a_drill_is_asked_graded_explained_and_kept_by_clause(served: Served) -> None:
    """A wrong answer names the right one with its paragraphs; the clause comes up in the learner's record."""
    with served.http(Post.LEARNER) as client:
        asked = send(client, "drills", game="mbs-megalink-holdem", topics=["consequence"]).json()
        assert set(asked["question"]) == set(QuestionView.__struct_fields__), "neither seed nor answer"
        question = pending(served, Post.LEARNER)
        assert asked["question"]["asks"] == question.asks
        told = send(client, f"drills/{asked['drill']}/answer", **wrong_answer(question)).json()
        assert (told["right"], tuple(told["options"])) == (False, question.right)
        assert send(client, f"drills/{asked['drill']}/answer", **wrong_answer(question)).json() == told, "sent twice"
        assert [clause["clause"] for clause in told["clauses"]] == list(question.rules)
        assert all(clause["text"] for clause in told["clauses"])
        again = send(client, f"drills/{asked['drill']}/answer", **right_answer(question))
        assert (again.status_code, again.json()["code"]) == (404, "unknown_drill")
        record = client.get("/api/academy").json()["record"]
    assert {(known["clause"], known["asked"], known["right"]) for known in record} == {
        (r, 1, 0) for r in question.rules
    }


def test_the_same_command_sent_twice_is_the_same_question(served: Served) -> None:
    with served.http(Post.DEALER) as client:
        body = {"id": "twice", "game": "sun-casino-holdem", "topics": ["hand"]}
        first, second = (client.post("/api/academy/drills", json=body).json() for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"game": "no-such-game"}, 404, "There is no game"),
        ({"game": "sun-casino-holdem", "topics": ["juggling"]}, 400, "juggling"),
    ],
)
def test_what_cannot_be_asked_is_refused(served: Served, body: dict[str, object], status: int, says: str) -> None:
    with served.http(Post.LEARNER) as client:
        told = send(client, "drills", **body)
    assert told.status_code == status
    assert says in told.text


def test_an_answer_in_the_wrong_form_keeps_the_question(served: Served) -> None:
    with served.http(Post.PIT_SUPERVISOR) as client:
        asked = send(client, "drills", game="sun-casino-holdem", topics=["payout"]).json()
        told = send(client, f"drills/{asked['drill']}/answer", amount="ten")
        assert told.status_code == 400
        told = send(client, f"drills/{asked['drill']}/answer", **right_answer(pending(served, Post.PIT_SUPERVISOR)))
        assert told.json()["right"] is True


def test_a_training_round_is_dealt_to_its_end(served: Served) -> None:
    """Each step is graded, explained and on record; a reload goes on; no table, meter or ledger of the house moves."""
    moments = training_round("rws-multilink-holdem", 4)
    with served.http(Post.PIT_MANAGER) as nobody:
        assert nobody.get("/api/academy/rounds/current").json()["code"] == "unknown_drill"
        assert send(nobody, "rounds/next").status_code == 404
    before = (dict(served.floor.house.shown), dict(served.floor.house.shown_balances))
    with served.http(Post.SHIFT_MANAGER) as client:
        body = {"id": "deal", "game": "rws-multilink-holdem", "seed": 4}
        view, again = (client.post("/api/academy/rounds", json=body).json() for _ in range(2))
        assert view == again, "sent twice"
        assert view["terms"]["table"] == view["table"]["table"] == "Training"
        for number, moment in enumerate(moments):
            assert (view["number"], view["count"], view["question"]["asks"]) == (
                number, len(moments), moment.question.asks)  # fmt: skip
            assert not view["table"]["lines"], "nothing shows how bets came out"
            assert send(client, "rounds/next").json()["drill"] == view["drill"], "a step that waits is not passed over"
            given = right_answer(moment.question) if number else wrong_answer(moment.question)
            told = send(client, f"drills/{view['drill']}/answer", **given).json()
            assert (told["right"], bool(told["clauses"])) == (number > 0, True)
            if number == 3:
                send(client, "drills", game="sun-casino-holdem")  # a question in between does not end the round
                assert client.get("/api/academy/rounds/current").json()["question"] is None
            view = send(client, "rounds/next").json()
        assert (view["question"], view["right"], view["number"]) == (None, len(moments) - 1, len(moments))
        stakes = [stake for box in view["table"]["boxes"] for stake in box["stakes"]]
        assert any(stake["player"] in PLAYERS for stake in stakes)
        record = client.get("/api/academy").json()["record"]
    assert {known["clause"] for known in record} == {rule for moment in moments for rule in moment.question.rules}
    assert (dict(served.floor.house.shown), dict(served.floor.house.shown_balances)) == before


def test_an_exam_from_its_setting_to_the_certificate(served: Served) -> None:
    """Set by the examiner, sat by a learner, graded by the house, printed; the class shows what was weak."""
    with served.http(Post.EXAMINER) as examiner, served.http(Post.LEARNER) as learner:
        exam = send(examiner, "exams", **EXAM).json()
        assert [line["title"] for line in learner.get("/api/academy").json()["exams"]] == ["Sun, first week"]
        view = send(learner, f"exams/{exam['exam']}/sittings").json()
        key = view["sitting"]
        refused = send(learner, f"exams/{exam['exam']}/sittings")
        assert (refused.status_code, refused.json()["code"]) == (409, "sitting_open")
        early = learner.get(f"/api/academy/sittings/{key}/certificate")
        assert early.json()["code"] == "sitting_open"
        questions = paper_of(academy(served), academy(served).sittings[key])
        assert (view["count"], view["mistakes"], view["result"]) == (3, [], None)
        for number, asked in enumerate(questions):
            assert learner.get(f"/api/academy/sittings/{key}").json()["question"]["asks"] == asked.asks, (
                "a reload goes on"
            )
            ahead = questions[number + 1] if number < 2 else asked
            out = send(learner, f"sittings/{key}/answers", number=number + 1, **right_answer(ahead))
            assert (out.status_code, out.json()["code"]) == (409, "out_of_turn")
            given = right_answer(asked) if number else wrong_answer(asked)
            view = send(learner, f"sittings/{key}/answers", number=number, **given).json()
        assert (view["question"], view["result"]["right"], view["result"]["over"]) == (None, 2, True)
        assert [mistake["number"] for mistake in view["mistakes"]] == [0]
        page = learner.get(f"/api/academy/sittings/{key}/certificate").text
        assert "2 of 3 right" in page
        assert f"--seed {academy(served).sittings[key].seed}" in page
        told = examiner.get(f"/api/academy/exams/{exam['exam']}/results").json()
        assert [(line["person"], line["right"]) for line in told["sittings"]] == [("learner", 2)]
        assert {weak["clause"] for weak in told["weak"]} == set(questions[0].rules)
        assert send(examiner, f"exams/{exam['exam']}/withdraw").json()["withdrawn"] is True
        late = send(learner, f"exams/{exam['exam']}/sittings")
        assert (late.status_code, late.json()["code"]) == (409, "exam_withdrawn")
        assert send(learner, "exams", **EXAM).status_code == 403
        with served.http(Post.DEALER) as other:
            assert other.get(f"/api/academy/sittings/{key}").json()["code"] == "unknown_sitting"
            assert send(other, f"sittings/{key}/answers", number=0, options=[0]).json()["code"] == "unknown_sitting"


def test_an_exam_that_is_not_there_is_refused(served: Served) -> None:
    with served.http(Post.EXAMINER) as examiner:
        for told in (
            send(examiner, "exams/nowhere/sittings"),
            send(examiner, "exams/nowhere/withdraw"),
            examiner.get("/api/academy/exams/nowhere/results"),
        ):
            assert (told.status_code, told.json()["code"]) == (404, "unknown_exam")


def test_a_sitting_may_be_ended_early_and_then_takes_no_answer(served: Served) -> None:
    with served.http(Post.EXAMINER) as examiner, served.http(Post.DEALER) as learner:
        exam = send(examiner, "exams", **EXAM).json()["exam"]
        key = send(learner, f"exams/{exam}/sittings").json()["sitting"]
        view = send(learner, f"sittings/{key}/end").json()
        assert (view["result"]["right"], view["result"]["passed"], len(view["mistakes"])) == (0, False, 3)
        asked = paper_of(academy(served), academy(served).sittings[key])[0]
        late = send(learner, f"sittings/{key}/answers", number=0, **right_answer(asked))
        assert (late.status_code, late.json()["code"]) == (409, "sitting_over")


def test_a_sitting_whose_time_is_over_takes_no_answer_and_counts(tmp_path: Path) -> None:
    """What was answered in time is graded, the rest is not right; the result stands, and the exam may be sat again."""
    ahead = 0
    with Served(tmp_path, {}, clock=lambda: microseconds() + ahead) as served:
        with served.http(Post.EXAMINER) as examiner, served.http(Post.LEARNER) as learner:
            exam = send(examiner, "exams", **EXAM, minutes=10, pass_mark=30).json()["exam"]
            keys = []
            for _ in range(2):
                key = send(learner, f"exams/{exam}/sittings").json()["sitting"]
                keys.append(key)
                first, second, _ = paper_of(academy(served), academy(served).sittings[key])
                view = send(learner, f"sittings/{key}/answers", number=0, **right_answer(first)).json()
                assert 500 < view["seconds_left"] <= 600
                ahead += 11 * 60 * SECOND
                late = send(learner, f"sittings/{key}/answers", number=1, **right_answer(second))
                assert (late.status_code, late.json()["code"]) == (409, "sitting_over")
            view = learner.get(f"/api/academy/sittings/{keys[0]}").json()
            assert (view["question"], view["seconds_left"], len(view["mistakes"])) == (None, 0, 2)
            assert (view["result"]["right"], view["result"]["asked"], view["result"]["passed"]) == (1, 3, True)
            told = examiner.get(f"/api/academy/exams/{exam}/results").json()
            assert [(line["over"], line["right"]) for line in told["sittings"]] == [(True, 1), (True, 1)]
            assert "1 of 3 right" in learner.get(f"/api/academy/sittings/{keys[1]}/certificate").text
        store = open_store(served._url, read_only=True)
        try:
            assert audit(store).differences == ()
        finally:
            store.close()


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"games": ["rws-multilink-three-card"], "topics": ["five_cards"]}, "has no questions of these topics"),
        ({"title": "  "}, "The title of an exam has between 1 and 80 characters."),
    ],
)
def test_an_exam_that_cannot_be_set_is_refused(served: Served, changed: dict[str, object], says: str) -> None:
    with served.http(Post.EXAMINER) as examiner:
        told = send(examiner, "exams", **{**EXAM, **changed})
        unknown = send(examiner, "exams", **{**EXAM, "games": ["no-such-game"]})
    assert (told.status_code, told.json()["code"]) == (409, "bad_exam")
    assert says in told.json()["message"]
    assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_game")


def test_the_audit_grades_again(served: Served) -> None:
    """The journal of a house that trained is clean; a mark, a clause or a result that is changed is named."""
    with served.http(Post.EXAMINER) as client:
        asked = send(client, "drills", game="sun-casino-holdem").json()
        send(client, f"drills/{asked['drill']}/answer", **right_answer(pending(served, Post.EXAMINER)))
        exam = send(client, "exams", **EXAM).json()["exam"]
        send(client, f"sittings/{send(client, f'exams/{exam}/sittings').json()['sitting']}/end")
    store = open_store(served._url, read_only=True)
    try:
        assert audit(store).differences == ()
        facts = [people_fact(record) for record in store.read(PEOPLE)]
    finally:
        store.close()
    held, changed = Academy(), 0
    for fact in facts:
        if isinstance(fact, DrillAnswered):
            assert "marked" in grading_differs(held, replace(fact, right=not fact.right))
            assert "is about" in grading_differs(held, replace(fact, clauses=("9.9",)))
            assert "was not asked" in grading_differs(held, replace(fact, drill="another"))
            changed += 1
        elif isinstance(fact, SittingEnded):
            assert "is graded" in grading_differs(held, replace(fact, right=fact.right + 1))
            changed += 1
        if isinstance(fact, AcademyFact):
            assert grading_differs(held, fact) == ""
            held = evolve_academy(held, fact)
    assert changed >= 2


def test_sittings_beyond_the_kept_ones_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """The house keeps the latest in mind; the record keeps all."""
    monkeypatch.setattr("croupier.floor.people.learners.SITTINGS_KEPT", 2)
    held = Academy()
    for number in range(3):
        held = evolve_academy(held, SittingBegun(sitting=f"s{number}", exam="e", person="p", seed=1, at=number))
    assert list(held.sittings) == ["s1", "s2"]
