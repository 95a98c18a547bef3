"""Disputes: their cases on record, who may do what, and the pack of a round."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest

from croupier import verify
from croupier.cli import run
from croupier.floor.audit.audit import audit
from croupier.floor.disputes.evidence import Evidence, NoEvidence, ProvedRound, evidence, found_round
from croupier.floor.disputes.hypotheses import BadQuestion, Changed, Hypothesis, parse_change
from croupier.floor.disputes.pack import file_name, pack
from croupier.floor.duties.permissions import Post
from croupier.floor.history.export import AUDITOR, reading_house
from croupier.floor.history.played_rounds import Past, to_prove
from croupier.floor.house.house import House
from croupier.floor.house.witness import Witness, WitnessSettings, inclusion_in, signed_beside
from croupier.floor.records.commands import (
    CloseDispute,
    DecideDispute,
    DisputeOutcome,
    HouseCommand,
    NoteDispute,
    OpenDispute,
    Request,
)
from croupier.floor.records.refusals import Code
from croupier.journal.store import Store
from croupier.journal.store_address import open_store
from croupier.money import money
from croupier.rounds.state import Stage
from tests.floor.pack_checks import changes, judged
from tests.floor.played_house import NOW, Play
from tests.floor.serving import Served
from tests.floor.vectors import FOLDER, WRONG_COUNT, Vectors

LATER = NOW + 10**9
VECTORS = sorted(file for file in FOLDER.glob("*.json") if file.stem not in ("hands", "commitment"))


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A house that has played, with a witness beside it."""
    url = f"sqlite:///{tmp_path_factory.mktemp('disputed') / 'house.db'}"
    store = open_store(url)
    Play(store, 7).play(900)
    store.close()
    witness = Witness(url, "croupier", WitnessSettings(), lambda: LATER)
    witness.open()
    witness.stop()
    return url


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = open_store(url, read_only=True)
    yield store
    store.close()


def told(store: Store, table: str, number: int, wanted: tuple[Changed, ...] = ()) -> Evidence:
    house = reading_house(store)
    past = Past(house, lambda: store)
    proved = found_round(house, past, table, number, AUDITOR)
    return evidence(store, house, past, proved, by="eva", at=LATER, wanted=wanted)


def written(store: Store, table: str, number: int, folder: Path) -> Path:
    """A signed pack with its proofs."""
    beside = Path(f"{store.url.removeprefix('sqlite:///')}.witness")
    house = reading_house(store)
    past = Past(house, lambda: store)
    proved = found_round(house, past, table, number, AUDITOR)
    proofs = inclusion_in(beside, store, to_prove(proved.record))
    proved = ProvedRound(proved.table, msgspec.structs.replace(proved.record, witness=proofs))
    page = pack(evidence(store, house, past, proved, by="eva", at=LATER), partial(signed_beside, beside))
    file = folder / file_name(table, number)
    file.write_text(page, encoding="utf-8")
    return file


# ---------------------------------------------------------------- the page judges itself


def test_the_page_agrees_with_the_verifier_on_every_vector() -> None:
    """Written apart, in another language: the same problems in the same words, nets, lines and what they rest on."""
    for file, found in zip(VECTORS, judged("records", *VECTORS), strict=True):
        expected = json.loads(file.read_text(encoding="utf-8"))["expected"]
        assert (found["problems"], found["net"]) == (expected["problems"], expected["net"]), file.stem
        if expected["holds"]:
            assert (found["settled"], found["rests"]) == (expected["settled"], expected["rests_on_record"]), file.stem


def test_the_page_agrees_with_the_verifier_on_rounds_with_awards_and_rulings(store: Store, tmp_path: Path) -> None:
    """Whole rounds of every game, with their ledger entries."""
    house = reading_house(store)
    past = Past(house, lambda: store)
    files, expected = [], []
    for name, table in house.tables.items():
        for number in range(1, 13):
            try:
                record = told(store, table.name, number).record
            except NoEvidence:
                continue
            files.append(tmp_path / f"{name}-{number}.json")
            files[-1].write_bytes(msgspec.json.encode(record))
            expected.append(verify.check(json.loads(files[-1].read_text(encoding="utf-8"))))
    past.close()
    assert len(files) > 30
    for file, checks, found in zip(files, expected, judged("records", *files), strict=True):
        assert found["problems"] == checks.problems == [], file.name
        assert (found["net"], found["settled"], found["rests"]) == (dict(checks.net), checks.settled, checks.rests)


def test_a_pack_holds_and_no_changed_pack_does(store: Store, tmp_path: Path) -> None:
    """Signed, proved, and 40 single changes of its data; `python -m tests.floor.pack_checks` makes a thousand."""
    page = written(store, "T1", 5, tmp_path)
    (whole,) = judged("pages", page)
    assert whole == {"holds": True, "problems": []}
    found = changes(page, 40, 3)
    assert (found["changes"], found["held"]) == (40, [])


def test_a_page_of_another_round_under_the_same_seal_does_not_hold(store: Store, tmp_path: Path) -> None:
    one, other = (written(store, "T1", number, tmp_path).read_text(encoding="utf-8") for number in (4, 5))
    seal = re.compile(r'(?<=id="seal">).*?(?=</script>)')
    found = seal.search(other)
    assert found is not None
    (tmp_path / "mixed.html").write_text(seal.sub(found[0].replace("\\", "\\\\"), one), encoding="utf-8")
    (said,) = judged("pages", tmp_path / "mixed.html")
    assert "the evidence is not what was signed" in said["problems"]
    assert "the seal belongs to another round" in said["problems"]


def test_words_cannot_leave_the_data(store: Store) -> None:
    """A name or a note that looks like markup or like a place of the page stays text."""
    said = told(store, "T1", 5)
    page = pack(msgspec.structs.replace(said, made_by="</script><script>alert(1)</script>{{seal}}"))
    assert "<script>alert" not in page
    assert page.count("</script>") == 4
    assert "{{seal}}" in page


# ---------------------------------------------------------------- what if


def test_a_bet_of_another_amount_is_settled_by_the_engine(store: Store) -> None:
    """The stakes of the answer are those asked for, and the record is not changed by it."""
    said = told(store, "T2", 3)
    entry = next(q for q in said.what_if if q.question.startswith("What if the ante"))
    box = int(entry.question.split("box ")[1].split(" ")[0])
    again = told(store, "T2", 3, (Changed(box, "ante", money("75.00")),)).what_if[0]
    assert "had been 75.00 instead of" in again.question
    stakes = {line.staked for line in again.lines if (line.box, line.bet) == (box, "ante")}
    assert stakes == {money("75.00")} or again.refused
    assert sum(again.nets.values()) == sum(line.won + line.returned - line.staked for line in again.lines)


def incident_answers() -> list[Hypothesis]:
    played = Vectors("rws-multilink-holdem", 20)
    played.play(WRONG_COUNT)
    past = Past(played.house, lambda: played.store)
    proved = found_round(played.house, past, "T1", 1, AUDITOR)
    return evidence(played.store, played.house, past, proved, by="eva", at=LATER).what_if


def test_an_irregularity_is_asked_about_in_its_ways() -> None:
    """Before anybody looked; and not reported: then the round waits for the box that was taken out of it."""
    answers = {answer.question: answer for answer in incident_answers()}
    unseen = answers["What if “wrong box count” had come before a player looked at a hand?"]
    assert (unseen.stage, unseen.refused) == (Stage.SETTLED, ())
    unreported = answers["What if “wrong box count” had not been reported?"]
    assert (unreported.stage, unreported.waits) == (Stage.PLAYING, "a decision of box 2: fold or flop")
    assert any(question.startswith("What if box 1 had folded") for question in answers)


def test_a_fold_is_asked_about_as_if_it_had_not_been_made(store: Store) -> None:
    """Only lawful choices are asked about, so the engine refuses none; a hand that was folded is played on."""
    asked = [
        answer
        for table, number in ((table, number) for table in ("T1", "T2") for number in range(1, 12))
        for answer in told(store, table, number).what_if
        if "had not folded" in answer.question or "had folded" in answer.question
    ]
    played_on = [answer for answer in asked if "had not folded" in answer.question]
    assert played_on
    assert {answer.stage for answer in played_on} <= {Stage.SETTLED, Stage.VOID}
    assert not any(answer.refused for answer in played_on)


@pytest.mark.parametrize("text", ["", "ante", "1 ante", "1 ante fifty", "x ante 5.00", "1 ante 5.001"])
def test_a_question_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(BadQuestion, match="is not a changed bet"):
        parse_change(text)


def test_a_bet_that_nobody_placed_cannot_be_changed(store: Store) -> None:
    with pytest.raises(BadQuestion, match="Nobody placed"):
        told(store, "T1", 5, (Changed(9, "ante", 100),))


# ---------------------------------------------------------------- the command


def test_the_command_writes_a_signed_page(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "pack.html"
    assert run(["dispute", "T1:5", "--database", url, "-o", str(target), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["table"], said["round"], said["signed"]) == ("T1", 5, True)
    (found,) = judged("pages", target)
    assert found["holds"]
    for words, wrong in (
        (["T1:5", "-o", str(target)], "already exists"),
        (["T1:99999"], "has not played round"),
        (["T9:1"], "There is no table"),
        (["T1:1-2"], "A pack is of one round"),
        (["T1:5", "--what-if", "nonsense"], "is not a changed bet"),
    ):
        assert run(["dispute", *words, "--database", url]) == 2
        assert wrong in capsys.readouterr().err


def test_money_before_and_after_is_what_the_account_held(store: Store) -> None:
    """The last round of a player ends with what the account holds now, where nothing moved since."""
    said = told(store, "T1", 5)
    assert said.money
    for held in said.money:
        assert held.before + held.moved == held.after
        assert held.before == store.balances()[f"player/{held.player}"] - store.moved_since(
            f"player/{held.player}", _opened(said)
        )


def _opened(said: Evidence) -> int:
    records = said.record["records"]
    assert isinstance(records, list)
    at = records[0]["at"]
    assert isinstance(at, int)
    return at


# ---------------------------------------------------------------- cases on record


@pytest.fixture
def running(tmp_path: Path) -> Iterator[House]:
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}")
    play = Play(store, 2)
    play.play(60)
    yield play.house
    store.close()


def ask(house: House, command: HouseCommand, number: int) -> str:
    (answer,) = house.process([Request(f"d{number}", command, LATER + number)])
    return "" if answer.accepted else answer.code


OPENED = OpenDispute(dispute="d1", table="T1", round=1, by="pit", words="The flop was wrong.", until=LATER + 10**6)


def test_a_case_is_opened_noted_decided_and_closed(running: House) -> None:
    """In this order and no other; a restart and the audit find the same case."""
    steps: list[tuple[HouseCommand, str]] = [
        (NoteDispute(dispute="d1", by="pit", words="x"), Code.UNKNOWN_DISPUTE),
        (msgspec.structs.replace(OPENED, table="T9"), Code.UNKNOWN_TABLE),
        (msgspec.structs.replace(OPENED, until=1), Code.BAD_DISPUTE),
        (msgspec.structs.replace(OPENED, words="  "), Code.BAD_DISPUTE),
        (OPENED, ""),
        (OPENED, Code.BAD_DISPUTE),
        (msgspec.structs.replace(OPENED, dispute="d2"), Code.DISPUTE_OPEN),
        (CloseDispute(dispute="d1", by="shift"), Code.NOT_DECIDED),
        (NoteDispute(dispute="d1", by="pit", words="Tape 4 shows it."), ""),
        (DecideDispute(dispute="d1", by="shift", outcome=DisputeOutcome.UPHELD, words="Right."), ""),
        (DecideDispute(dispute="d1", by="shift", outcome=DisputeOutcome.AGREED, words="No."), Code.DISPUTE_DECIDED),
        (CloseDispute(dispute="d1", by="shift", words="Paid."), ""),
        (NoteDispute(dispute="d1", by="pit", words="more"), Code.DISPUTE_CLOSED),
    ]
    for number, (command, code) in enumerate(steps):
        assert ask(running, command, number) == code, command
    case = running.people.disputes["d1"]
    assert (case.status, case.outcome) == ("closed", DisputeOutcome.UPHELD)
    assert [note.what for note in case.notes] == ["opened", "noted", "decided", "closed"]
    assert reading_house(running.store).people.disputes == running.people.disputes
    assert audit(running.store).differences == ()


def test_disputes_over_http(tmp_path: Path) -> None:
    """The pit opens and notes, a manager decides and closes; sent again, a dispute is the same case."""
    with Served(tmp_path) as served:
        served.step(Post.DEALER, "open")
        body = {"id": "one", "table": "T1", "round": 1, "words": "Wrong pot.", "player": "player", "days": 3}
        with served.http(Post.PIT_SUPERVISOR) as pit, served.http(Post.SHIFT_MANAGER) as shift:
            made = pit.post("/api/disputes", json=body)
            assert made.status_code == 201
            key = made.json()["id"]
            assert pit.post("/api/disputes", json=body).json()["id"] == key
            for nobody in ("no one", "dealer"):
                refused = pit.post("/api/disputes", json={**body, "id": "three", "player": nobody})
                assert (refused.status_code, refused.json()["code"]) == (404, "unknown_person")
                assert refused.json()["message"] == f"There is no player called {nobody}."
            assert pit.post("/api/disputes", json={**body, "id": "two", "round": 9}).json()["code"] == "unknown_round"
            noted = pit.post(f"/api/disputes/{key}/notes", json={"id": "n", "words": "Seen."})
            assert [note["words"] for note in noted.json()["notes"]] == ["Wrong pot.", "Seen."]
            decision = {"id": "d", "outcome": "dismissed", "words": "The pot was right."}
            assert pit.post(f"/api/disputes/{key}/decide", json=decision).status_code == 403
            assert shift.post(f"/api/disputes/{key}/close", json={"id": "c"}).json()["code"] == "not_decided"
            assert shift.post(f"/api/disputes/{key}/decide", json=decision).json()["status"] == "decided"
            assert shift.post(f"/api/disputes/{key}/close", json={"id": "c2"}).json()["status"] == "closed"
            (listed,) = pit.get("/api/disputes").json()
            assert (listed["status"], listed["outcome"], listed["may_decide"]) == ("closed", "dismissed", False)
            in_play = pit.get("/api/tables/T1/rounds/1/dispute-pack")
            assert (in_play.status_code, in_play.json()["code"]) == (409, "round_in_play")


def test_the_pack_over_http(tmp_path: Path) -> None:
    """Of a round that is over, as a file; the pit gets the cards that were turned, a manager the whole deck."""
    with Served(tmp_path) as served:
        served.step(Post.DEALER, "open")
        served.step(Post.PLAYER, "bet", box=1, bet="ante", amount="25.00")
        served.step(Post.DEALER, "close_bets")
        served.step(Post.PLAYER, "decide", box=1, choice="fold")
        address = "/api/tables/T1/rounds/1/dispute-pack"
        pages = {}
        for post in (Post.PIT_SUPERVISOR, Post.SHIFT_MANAGER):
            with served.http(post) as client:
                answer = client.get(address, params={"what_if": "1 ante 50.00"})
                assert answer.status_code == 200, answer.text
                assert answer.headers["content-disposition"] == 'attachment; filename="dispute-T1-1.html"'
                assert client.get(address, params={"what_if": "?"}).status_code == 400
                pages[post] = tmp_path / f"{post}.html"
                pages[post].write_text(answer.text, encoding="utf-8")
        for found in judged("pages", *pages.values()):
            assert found == {"holds": True, "problems": []}
        whole, seen = (pages[post].read_text(encoding="utf-8") for post in (Post.SHIFT_MANAGER, Post.PIT_SUPERVISOR))
        assert '"deck":' in whole
        assert '"deck":' not in seen
