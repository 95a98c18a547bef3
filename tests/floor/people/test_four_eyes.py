"""What takes two people: major awards at staffed tables, corrected cards, changed meters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from croupier import verify
from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Action, Post
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.people.people import STANDS_FOR, People, Person
from croupier.floor.people.second_signature import WAITING_MOST, signed, waiting
from croupier.floor.records.commands import (
    DeclineMeasure,
    EnrolPerson,
    HouseCommand,
    OpenLink,
    ProposeMeasure,
    Request,
    SettleMeasure,
    WithdrawMeasure,
)
from croupier.floor.records.people_facts import MeasureProposed
from croupier.floor.records.refusals import Refused
from croupier.floor.server.routes.pit import proposals as routes
from croupier.floor.views.moments import moment_text
from croupier.jackpots.commands import AdjustMeter, CloseLink
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.store_address import open_store
from croupier.money import money
from croupier.rounds.commands import DealCards
from croupier.rounds.dealing import CardsToTurn, dealers_work, decision_due
from croupier.rounds.state import Stage
from tests.editions import MBS_10, installed
from tests.floor.house_builder import house, open_link
from tests.floor.serving import Served, quiet

ROYAL = {"community": "Ah Kh Qh 2c 3d", "dealer": "4s 5d", "1": "Jh Th"}
PLAIN = {"community": "Ah Kd Qs 2c 3d", "dealer": "4s 5d", "1": "9h 9s"}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A staffed table with real cards."""
    with Served(tmp_path, {"T1": quiet(physical=True)}) as served:
        yield served
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}", read_only=True)
    audited = audit(store)
    store.close()
    assert audited.differences == ()


def step(served: Served, post: Post, do: str, **fields: object) -> dict[str, object]:
    told = served.step(post, do, "T1", **fields)
    assert told["accepted"], told
    return told


def play(served: Served, cards: dict[str, str], *, until: str = "") -> None:
    """A round of one box with these cards, to its settlement or until a place has been turned."""
    table = served.floor.house.tables["T1"]
    step(served, Post.DEALER, "open")
    step(served, Post.PLAYER, "bet", box=1, bet="ante", amount="25.00")
    assert table.terms.jackpot_bet is not None
    step(served, Post.PLAYER, "bet", box=1, bet="jackpot", amount=f"{table.terms.jackpot_bet // 100}.00")
    step(served, Post.DEALER, "close_bets")
    turned = 0
    while table.round.stage is Stage.PLAYING:
        work = dealers_work(table.terms, table.round)
        if isinstance(work, DealCards):
            step(served, Post.DEALER, "deal")
        elif isinstance(work, CardsToTurn):
            given = {}
            for place, ordinals in work.places.items():
                known = cards[place].split()
                first = turned if place == "community" else 0
                given[place] = " ".join(known[first : first + len(ordinals)])
                turned += len(ordinals) if place == "community" else 0
            step(served, Post.DEALER, "turn", cards=given)
            if until in given:
                return
        else:
            due = decision_due(table.terms, table.round)
            assert due is not None
            step(served, Post.PLAYER, "decide", box=1, choice=due[0].bet)


# ---------------------------------------------------------------- awards


def test_a_major_award_of_a_staffed_table_is_paid_when_two_people_have_signed(served: Served) -> None:
    """Locked at the claim, verified by a pit supervisor or above, signed by a second one, paid what was locked."""
    play(served, ROYAL)
    with served.http(Post.DISPLAY) as client:
        link = client.get("/api/links/main").json()
        (award,) = link["awards"]
        assert (award["award"], award["table"], award["round"], award["box"]) == (1, "T1", 1, 1)
        assert (award["state"], award["missing"], award["signed"]) == ("locked", 2, [])
        locked, meter = award["amount"], link["meter"]
        assert link["locked"] == locked
        step(served, Post.PIT_SUPERVISOR, "verify_award", award=1)
        with served.http(Post.PIT_MANAGER) as pit:
            assert pit.get("/api/links/main").json()["awards"][0]["signed"] == ["pit_supervisor"]
        assert client.get("/api/links/main").json()["awards"][0]["signed"] == [], "who signs is not for the display"
        again = served.step(Post.PIT_SUPERVISOR, "verify_award", "T1", award=1)
        assert (again["accepted"], again["code"]) == (False, "two_people")
        step(served, Post.PIT_MANAGER, "verify_award", award=1)
        paid = client.get("/api/links/main").json()
        assert (paid["awards"], paid["locked"], paid["meter"]) == ([], "0.00", meter)
        assert (paid["last_hits"][0]["hand"], paid["last_hits"][0]["amount"]) == ("royal_flush", locked)
    with served.http() as nobody:
        (hit,) = nobody.get("/api/links/main/hits").json()
    assert (hit["table"], hit["round"], hit["box"], hit["hand"]) == ("T1", 1, 1, "royal_flush")
    paid_at = next(r.at for r in served.records("link/main") if r.type == "CasePaid")
    assert hit["at"] == moment_text(paid_at)
    signed = [msgspec.json.decode(r.data)["by"] for r in served.records("link/main") if r.type == "AwardSigned"]
    assert signed == ["pit_supervisor", "pit_manager"]
    late = served.step(Post.SHIFT_MANAGER, "verify_award", "T1", award=1)
    assert late["code"] == "nothing_awaited"


def test_the_table_plays_on_while_its_award_waits(served: Served) -> None:
    """The award of round 1 is paid when round 2 is in play, and both are whole."""
    play(served, ROYAL)
    play(served, PLAIN)
    assert [case.round for case in served.floor.house.links["main"].open_cases] == [("T1", 1)]
    step(served, Post.PIT_MANAGER, "verify_award", award=1)
    step(served, Post.SHIFT_MANAGER, "verify_award", award=1)
    assert served.floor.house.links["main"].open_cases == ()
    with served.http(Post.AUDITOR) as client:
        awards = client.get("/api/tables/T1/rounds/1").json()["awards"]
        assert [award["hand"] for award in awards] == ["royal_flush"]


def test_the_next_round_has_nothing_of_the_award(served: Served) -> None:
    """A royal flush, the next round opened, signed twice, and played without a jackpot bet: console, player, export."""
    play(served, ROYAL)
    step(served, Post.DEALER, "open")
    for post in (Post.PIT_MANAGER, Post.SHIFT_MANAGER):
        step(served, post, "verify_award", award=1)
    step(served, Post.PLAYER, "bet", box=1, bet="ante", amount="25.00")
    step(served, Post.DEALER, "close_bets")
    step(served, Post.DEALER, "deal")
    step(served, Post.PLAYER, "decide", box=1, choice="fold")
    for post in (Post.DEALER, Post.PLAYER, Post.PIT_MANAGER, Post.SURVEILLANCE):
        with served.http(post) as client:
            view = client.get("/api/tables/T1").json()
            assert (view["round"], [line["bet"] for line in view["lines"]]) == (2, ["ante"])
            assert (view["awards"], view["earlier_awards"]) == ([], [])
            assert [stake["bet"] for box in view["boxes"] for stake in box["stakes"]] == ["ante"]
    with served.http(Post.AUDITOR) as client:
        one, two = (client.get(f"/api/tables/T1/rounds/{number}").json() for number in (1, 2))
        assert [case["state"] for case in one["cases"]] == ["paid"]
        assert [moment["what"] for moment in one["cases"][0]["timeline"]] == [
            "claimed", "locked", "signed", "signed", "paid",
        ]  # fmt: skip
        assert two["cases"] == []
        assert [step["event"]["type"] for step in two["steps"]].count("AwardCase") == 0
        for number, says in ((1, "paid"), (2, "")):
            record = client.get(f"/api/tables/T1/rounds/{number}/record").json()
            checked = verify.check(record)
            assert checked.problems == []
            assert says in "".join(checked.awards)
            assert len(checked.awards) == bool(says)


@pytest.mark.parametrize("post", [Post.PLAYER, Post.DEALER, Post.SURVEILLANCE, Post.AUDITOR, Post.DISPLAY])
def test_nobody_else_signs(served: Served, post: Post) -> None:
    play(served, ROYAL)
    told = served.step(post, "verify_award", "T1", award=1)
    assert (told["accepted"], told["code"]) == (False, "not_allowed")


def test_a_table_that_runs_by_itself_pays_by_itself(tmp_path: Path) -> None:
    """Where nobody stands at the table there is nobody to sign; other games of the house are not concerned."""
    with Served(tmp_path, {"T1": quiet(physical=True, staffed=False)}) as served:
        play(served, ROYAL)
        assert served.floor.house.links["main"].open_cases == ()


def test_signatures_survive_a_restart(tmp_path: Path) -> None:
    """The first signature is on the record; the second may come the next day."""
    with Served(tmp_path, {"T1": quiet(physical=True)}) as served:
        play(served, ROYAL)
        step(served, Post.PIT_SUPERVISOR, "verify_award", award=1)
    with Served(tmp_path, {"T1": quiet(physical=True)}) as served:
        told = served.step(Post.PIT_SUPERVISOR, "verify_award", "T1", award=1)
        assert told["code"] in ("two_people", "id_reused")
        with served.http(Post.SHIFT_MANAGER) as client:
            sent = {"do": "verify_award", "award": 1, "id": "after the restart"}
            assert client.post("/api/tables/T1/commands", json=sent).json()["accepted"]
        assert served.floor.house.links["main"].open_cases == ()


# ---------------------------------------------------------------- cards


def propose(served: Served, post: Post, path: str, body: object) -> str:
    with served.http(post) as client:
        answer = client.post(path, json=body)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


def signs(served: Served, post: Post, key: str) -> tuple[int, str]:
    with served.http(post) as client:
        answer = client.post(f"/api/proposals/{key}/sign")
    return answer.status_code, answer.json().get("code", "")


def test_cards_are_corrected_by_two_people_and_the_record_shows_both(served: Served) -> None:
    """What was entered, what really lies there, who says so."""
    play(served, PLAIN, until="community")
    key = propose(served, Post.DEALER, "/api/tables/T1/correct", {"cards": {"community": "Ah Kd Jd"}})
    with served.http(Post.PIT_SUPERVISOR) as client:
        (waits,) = client.get("/api/proposals").json()
        entered = " ".join(str(card) for card in served.floor.house.tables["T1"].round.community)
        says = f"At T1 lie community Ah Kd Jd (entered: {entered})"
        assert (waits["by"], waits["words"]) == ("dealer", says)
    shown = [{"id": key, "says": says}]
    with served.http(Post.DEALER) as client:
        assert client.get("/api/tables/T1/procedure").json()["corrections"] == shown
    assert signs(served, Post.DEALER, key) == (403, "not_allowed")
    assert signs(served, Post.PIT_SUPERVISOR, key) == (200, "")
    with served.http(Post.DEALER) as client:
        assert client.get("/api/tables/T1/procedure").json()["corrections"] == []
    assert served.floor.house.tables["T1"].round.community == ("Ah", "Kd", "Jd")
    told = msgspec.json.decode(served.records("table/T1")[-1].data)
    assert (told["type"], told["who"], told["second"]) == ("CardsCorrected", "dealer", "pit_supervisor")
    assert (told["was"], told["cards"]) == ({"community": ["Ah", "Kd", "Qs"]}, {"community": ["Ah", "Kd", "Jd"]})
    assert signs(served, Post.PIT_MANAGER, key) == (404, "unknown_proposal")


def test_nobody_signs_for_himself(served: Served) -> None:
    play(served, PLAIN, until="community")
    key = propose(served, Post.PIT_MANAGER, "/api/tables/T1/correct", {"cards": {"community": "Ah Kd Jd"}})
    assert signs(served, Post.PIT_MANAGER, key) == (409, "two_people")
    told = msgspec.json.decode(served.records("people")[-1].data)
    assert (told["type"], told["person"], told["action"]) == ("AccessRefused", "pit_manager", "two_people")
    assert signs(served, Post.SHIFT_MANAGER, key) == (200, "")


def test_a_settled_round_is_settled_again_with_the_right_cards(served: Served) -> None:
    """Before the next round: what was paid is taken back, and paid as it should have been."""
    play(served, PLAIN)
    held = served.floor.house.balances["player/player"]
    key = propose(served, Post.DEALER, "/api/tables/T1/correct", {"cards": {"dealer": "6c 7d"}})
    assert signs(served, Post.PIT_SUPERVISOR, key) == (200, "")
    state = served.floor.house.tables["T1"].round
    assert state.stage is Stage.SETTLED
    assert state.dealer == ("6c", "7d")
    assert [line.outcome.value for line in state.lines if line.bet == "flop"] == ["win"]
    assert served.floor.house.balances["player/player"] > held


def test_a_correction_ends_with_its_round(served: Served) -> None:
    """Signed when the next round has as many cards on the felt, it changes none of them."""
    play(served, PLAIN)
    key = propose(served, Post.DEALER, "/api/tables/T1/correct", {"cards": {"dealer": "6c 7d"}})
    play(served, PLAIN)
    with served.http(Post.DEALER) as client:
        assert client.get("/api/tables/T1/procedure").json()["corrections"] == []
    assert signs(served, Post.PIT_SUPERVISOR, key)[1] == "another_round"
    assert served.floor.house.tables["T1"].round.dealer == ("4s", "5d")
    with served.http(Post.PIT_SUPERVISOR) as client:
        assert client.get("/api/proposals").json() == []


def test_a_correction_that_unwinds_an_award_waits_for_a_shift_manager(served: Served) -> None:
    """RWS 5.8.7: a pit supervisor's signature is refused, is not offered, and leaves the proposal as it was."""
    play(served, ROYAL)
    for post in (Post.PIT_SUPERVISOR, Post.PIT_MANAGER):
        step(served, post, "verify_award", award=1)
    key = propose(served, Post.DEALER, "/api/tables/T1/correct", {"cards": {"1": "Jh 9h"}})
    for post, may in ((Post.PIT_SUPERVISOR, False), (Post.SHIFT_MANAGER, True)):
        with served.http(post) as client:
            assert [waits["may_sign"] for waits in client.get("/api/proposals").json() if waits["id"] == key] == [may]
    assert signs(served, Post.PIT_SUPERVISOR, key) == (409, "not_authorised")
    assert signs(served, Post.SHIFT_MANAGER, key) == (200, "")
    assert served.floor.house.tables["T1"].round.boxes[0].cards == ("Jh", "9h")


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ({"community": "Ah Kd Qs"}, "wrong_cards"),
        ({"community": "Ah Kd"}, "wrong_cards"),
        ({"dealer": "2c 3c"}, "wrong_cards"),
        ({"1": "2c 3c"}, "wrong_cards"),
        ({"community": "Ah Ah Qs"}, "card_repeated"),
        ({}, "wrong_cards"),
    ],
)
def test_a_correction_that_makes_no_sense_is_refused(served: Served, cards: dict[str, str], code: str) -> None:
    """The same rules as for cards that are entered, and at the first signature: the second could not carry it out."""
    play(served, PLAIN, until="community")
    with served.http(Post.DEALER) as client:
        answer = client.post("/api/tables/T1/correct", json={"cards": cards})
    told = (answer.status_code, answer.json()["code"])
    assert told == ((400, "bad_request") if code == "card_repeated" else (409, code))
    with served.http(Post.PIT_SUPERVISOR) as client:
        assert client.get("/api/proposals").json() == []
    assert served.floor.house.tables["T1"].round.community == ("Ah", "Kd", "Qs")


def test_nobody_enters_or_corrects_cards_where_the_program_deals(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        served.step(Post.DEALER, "open")
        for do, more in (("deal", {}), ("turn", {"cards": {"community": "Ah Kh Qh"}})):
            assert served.step(Post.SHIFT_MANAGER, do, "T1", **more)["code"] == "not_a_persons"
        with served.http(Post.DEALER) as client:
            assert client.post("/api/tables/T1/correct", json={"cards": {"dealer": "Ah Kh"}}).status_code == 409


# ---------------------------------------------------------------- meters


def test_a_meter_is_changed_by_two_people_while_the_link_is_closed(served: Served) -> None:
    """With the cause in words, and both names on the record."""
    adjustment = {"amount": "-12.50", "cause": "A display showed another figure."}
    with served.http(Post.PIT_MANAGER) as client:
        early = client.post("/api/links/main/adjust", json=adjustment)
        assert (early.status_code, early.json()["code"]) == (409, "link_open")
        assert client.get("/api/proposals").json() == []
        assert client.post("/api/links/main/close", json={"id": "close"}).json()["accepted"]
        below = client.post("/api/links/main/adjust", json={**adjustment, "amount": "-999999999.00"})
        says = "The meter holds 5000.00 and cannot fall by 999999999.00."
        assert (below.status_code, below.json()["code"], below.json()["message"]) == (409, "no_amount", says)
        assert client.get("/api/proposals").json() == []
    key = propose(served, Post.PIT_MANAGER, "/api/links/main/adjust", adjustment)
    assert signs(served, Post.PIT_SUPERVISOR, key) == (403, "not_allowed")
    assert signs(served, Post.PIT_MANAGER, key) == (409, "two_people")
    assert signs(served, Post.SHIFT_MANAGER, key) == (200, "")
    told = msgspec.json.decode(served.records("link/main")[-1].data)
    assert (told["type"], told["by"], told["second"]) == ("MeterAdjusted", "pit_manager", "shift_manager")
    changed = {"reset": "2000.00", "contribution": "0.25", "reserve": "0.05"}
    key = propose(served, Post.SHIFT_MANAGER, "/api/links/main/parameters", changed)
    assert signs(served, Post.PIT_MANAGER, key) == (200, "")
    with served.http(Post.PIT_MANAGER) as client:
        assert client.post("/api/links/main/reopen", json={"id": "reopen"}).json()["accepted"]
        link = client.get("/api/links/main").json()
    assert (link["meter"], link["reset"], link["closed"]) == ("4987.50", "2000.00", False)


def test_a_version_of_the_rules_is_put_in_force_by_two_people(served: Served) -> None:
    """Proposed for a day and an hour, signed by another manager, shown in the lobby, and taken off again."""
    with installed(MBS_10), served.http(Post.PIT_MANAGER) as client:
        terms = {"game": "mbs-megalink-holdem", "staffed": True}
        assert client.post("/api/tables", json={"id": "open", "name": "M1", "terms": terms}).json()["accepted"]
        asked = {"edition": "mbs-megalink-holdem@10", "at": "2030-01-31T06:00:00+08:00"}
        wrong = client.post("/api/tables/M1/edition", json={**asked, "at": "2030-01-31T06:00:00"})
        assert (wrong.status_code, wrong.json()["code"]) == (400, "bad_request")
        other = client.post("/api/tables/M1/edition", json={**asked, "edition": "sun-casino-holdem@1"})
        assert (other.status_code, other.json()["code"]) == (409, "bad_edition")
        key = propose(served, Post.PIT_MANAGER, "/api/tables/M1/edition", asked)
        assert signs(served, Post.PIT_MANAGER, key) == (409, "two_people")
        assert signs(served, Post.SHIFT_MANAGER, key) == (200, "")
        (line,) = [each for each in client.get("/api/lobby").json()["tables"] if each["table"] == "M1"]
        assert line["edition"] == "mbs-megalink-holdem@9"
        assert line["scheduled"]["edition"] == "mbs-megalink-holdem@10"
        assert line["scheduled"]["at"].startswith("2030-01-30T22:00:00")
        cancelled = client.post("/api/tables/M1/edition/cancel", json={"id": "no", "edition": asked["edition"]})
        assert cancelled.json()["accepted"]


def test_tables_and_links_are_opened_by_those_who_may(served: Served) -> None:
    """And are there at once; what makes no sense is refused in one sentence."""
    with served.http(Post.PIT_MANAGER) as client:
        link = {"id": "l", "name": "high", "meter": "9000.00", "reset": "5000.00", "contribution": "0.10"}
        key = client.post("/api/links", json=link).json()["id"]
        assert client.post("/api/links", json=link).json()["id"] == key, "sent again it is the same proposal"
        assert signs(served, Post.PIT_MANAGER, key) == (409, "two_people")
        assert "high" not in served.floor.house.links
        assert signs(served, Post.SHIFT_MANAGER, key) == (200, "")
        terms = {"game": "sun-casino-holdem", "link": "high", "limits": {"ante": ["50.00", "1000.00"]}}
        opened = client.post("/api/tables", json={"id": "t", "name": "T9", "terms": terms})
        assert opened.json()["accepted"], opened.text
        assert client.get("/api/tables/T9").json()["terms"]["limits"]["ante"] == ["50.00", "1000.00"]
        for wrong in ({"game": "snap"}, {"game": "sun-casino-holdem", "limits": 3}, {}):
            answer = client.post("/api/tables", json={"id": f"w{wrong}", "name": "T10", "terms": wrong})
            assert answer.status_code in (400, 409)
            assert "T10" not in served.floor.house.tables


# ---------------------------------------------------------------- proposals


ADJUST = AdjustMeter(link="main", by="ana", second="", amount=money("1.00"), cause="a test")


def proposed(number: int) -> ProposeMeasure:
    measure = replace(ADJUST, cause=f"miscount {number}")
    return ProposeMeasure(proposal=f"p{number}", by="ana", words="so", second=Action.SEED_LINKS, measure=measure)


def test_a_proposal_does_not_wait_for_ever(tmp_path: Path) -> None:
    """Nor do endlessly many."""
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}")
    running = house(store)

    def ask(number: int, at: int) -> str:
        return running.process([Request(f"c{number}-{at}", proposed(number), at)])[0].code

    assert [ask(number, 1000) for number in range(WAITING_MOST)] == [""] * WAITING_MOST
    assert ask(WAITING_MOST, 2000) == "too_many"
    assert len(waiting(running.people, 1000 + STANDS_FOR - 1)) == WAITING_MOST
    assert waiting(running.people, 1000 + STANDS_FOR) == []
    assert ask(WAITING_MOST, 1000 + STANDS_FOR) == ""
    assert list(running.people.proposals) == [f"p{WAITING_MOST}"]
    assert house(store).people.proposals == running.people.proposals
    assert audit(store).differences == ()
    store.close()


def test_the_house_itself_takes_no_measure_of_one_person(tmp_path: Path) -> None:
    """Whatever a door lets through."""
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}")
    running = house(store)
    asked: list[tuple[HouseCommand, str]] = [
        (proposed(1), ""),
        (proposed(1), "bad_proposal"),
        (SettleMeasure(proposal="p1", by="ana"), "two_people"),
        (SettleMeasure(proposal="p1", by=""), "two_people"),
        (SettleMeasure(proposal="p2", by="ben"), "unknown_proposal"),
        (SettleMeasure(proposal="p1", by="ben"), ""),
    ]
    for number, (command, code) in enumerate(asked):
        assert running.process([Request(f"c{number}", command, 1000)])[0].code == code
    with pytest.raises(Refused):
        signed(
            MeasureProposed(proposal="p", by="ana", words="", second=Action.SIGN, measure=ADJUST, until=1),
            Person("ana", Post.PIT_MANAGER, ""),
            People(),
            0,
        )
    assert audit(store).differences == ()
    store.close()


def test_a_proposal_survives_a_restart_and_is_done_once(tmp_path: Path) -> None:
    """The first signature is on the record; the second may come to another server process."""
    with Served(tmp_path) as served:
        with served.http(Post.PIT_MANAGER) as client:
            assert client.post("/api/links/main/close", json={"id": "close"}).json()["accepted"]
        key = propose(served, Post.PIT_MANAGER, "/api/links/main/adjust", {"amount": "7.00", "cause": "A test."})
    with Served(tmp_path) as served:
        with served.http(Post.SHIFT_MANAGER) as client:
            (waits,) = client.get("/api/proposals").json()
            assert (waits["id"], waits["by"]) == (key, "pit_manager")
        assert signs(served, Post.PIT_MANAGER, key) == (409, "two_people")
        assert signs(served, Post.SHIFT_MANAGER, key) == (200, "")
        assert served.floor.house.links["main"].cents == money("5007.00")
        told = msgspec.json.decode(served.records("people")[-1].data)
        assert (told["type"], told["by"]) == ("MeasureSettled", "shift_manager")
    with Served(tmp_path) as served:
        assert signs(served, Post.SHIFT_MANAGER, key) == (404, "unknown_proposal")
        assert served.floor.house.links["main"].cents == money("5007.00")


def closes(served: Served, post: Post, key: str, how: str, **body: str) -> tuple[int, str]:
    """A proposal is withdrawn or declined: status and code."""
    with served.http(post) as client:
        answer = client.post(f"/api/proposals/{key}/{how}", json=body or None)
        return answer.status_code, answer.json().get("code", "")


def test_a_proposal_is_withdrawn_by_the_person_who_made_it(served: Served) -> None:
    """By nobody else, with a reason by name; then nobody signs it, and the same may be proposed again."""
    with served.http(Post.PIT_MANAGER) as client:
        assert client.post("/api/links/main/close", json={"id": "close"}).json()["accepted"]
    asked = {"amount": "7.00", "cause": "A test."}
    key = propose(served, Post.PIT_MANAGER, "/api/links/main/adjust", asked)
    assert closes(served, Post.SHIFT_MANAGER, key, "withdraw") == (409, "not_your_proposal")
    assert closes(served, Post.AUDITOR, key, "withdraw") == (403, "not_allowed")
    assert closes(served, Post.PIT_MANAGER, key, "withdraw") == (200, "")
    assert closes(served, Post.PIT_MANAGER, key, "withdraw") == (404, "unknown_proposal")
    assert signs(served, Post.SHIFT_MANAGER, key) == (404, "unknown_proposal")
    told = msgspec.json.decode(served.records("people")[-1].data)
    assert told == {"type": "MeasureWithdrawn", "proposal": key, "by": "pit_manager"}
    assert served.floor.house.links["main"].cents == money("5000.00")
    assert propose(served, Post.PIT_MANAGER, "/api/links/main/adjust", asked) != key
    assert audit(served.floor.house.store).differences == ()


def test_a_proposal_is_declined_with_words_by_a_person_who_may_sign_it(served: Served) -> None:
    """Its proposer reads who declined it, and why; it is not theirs to sign any more."""
    with served.http(Post.PIT_MANAGER) as client:
        assert client.post("/api/links/main/close", json={"id": "close"}).json()["accepted"]
    key = propose(served, Post.PIT_MANAGER, "/api/links/main/adjust", {"amount": "7.00", "cause": "A test."})
    assert closes(served, Post.PIT_SUPERVISOR, key, "decline", words="no") == (403, "not_allowed")
    assert closes(served, Post.PIT_MANAGER, key, "decline", words="no") == (409, "two_people")
    assert closes(served, Post.SHIFT_MANAGER, key, "decline", words=" ") == (409, "no_words")
    assert closes(served, Post.SHIFT_MANAGER, key, "decline", words="the count was right") == (200, "")
    assert signs(served, Post.SHIFT_MANAGER, key) == (404, "unknown_proposal")
    with served.http(Post.PIT_MANAGER) as proposer, served.http(Post.SHIFT_MANAGER) as signer:
        (waits,) = proposer.get("/api/proposals").json()
        assert (waits["declined_by"], waits["why"]) == ("shift_manager", "the count was right")
        assert (waits["may_sign"], waits["mine"]) == (False, True)
        assert signer.get("/api/proposals").json() == []
    store = served.floor.house.store
    assert audit(store).differences == ()
    assert served.floor.house.people.declined[key].by == "shift_manager"


def test_a_proposer_reads_that_nobody_signed(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """For an hour after its time, also when the house has taken up another proposal; nobody else is told."""
    with served.http(Post.PIT_MANAGER) as client:
        assert client.post("/api/links/main/close", json={"id": "close"}).json()["accepted"]
    key = propose(served, Post.PIT_MANAGER, "/api/links/main/adjust", {"amount": "7.00", "cause": "A test."})

    def listed(post: Post, later: int) -> list[tuple[str, bool, bool]]:
        with monkeypatch.context() as patched, served.http(post) as client:
            patched.setattr(f"{routes.__name__}.microseconds", lambda: microseconds() + later)
            return [(each["id"], each["lapsed"], each["may_sign"]) for each in client.get("/api/proposals").json()]

    assert listed(Post.PIT_MANAGER, 0) == [(key, False, False)]
    assert listed(Post.SHIFT_MANAGER, STANDS_FOR) == []
    served.floor.house.people.proposals.pop(key)
    assert listed(Post.PIT_MANAGER, STANDS_FOR) == [(key, True, False)]
    assert listed(Post.PIT_MANAGER, STANDS_FOR + routes.LAPSED_KEPT) == []


def test_a_proposal_is_either_signed_or_closed(tmp_path: Path) -> None:
    """In one batch the first of the two stands, and what was closed cannot be carried out under its id later."""
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}")
    running = house(store)
    open_link(running)
    people = [EnrolPerson(name=name, post=Post.SHIFT_MANAGER, secret="", by="operator") for name in ("ana", "ben")]
    done = replace(ADJUST, second="ben")
    closed = CloseLink(link="main", by="ana")

    def codes(*asked: tuple[str, HouseCommand]) -> list[str]:
        return [answer.code for answer in running.process([Request(key, command, 1000) for key, command in asked])]

    assert codes(*((f"e{number}", person) for number, person in enumerate(people)), ("close", closed)) == [""] * 3
    assert codes(
        ("p1", proposed(1)),
        ("proposal/p1", done),
        ("w1", WithdrawMeasure(proposal="p1", by="ana")),
        ("d1", DeclineMeasure(proposal="p1", by="ben", words="too late")),
        ("s1", SettleMeasure(proposal="p1", by="ben")),
    ) == ["", "", "signed_already", "signed_already", ""]
    assert codes(("p2", proposed(2)), ("w2", WithdrawMeasure(proposal="p2", by="ana")), ("proposal/p2", done)) == [
        "", "", "unknown_proposal",
    ]  # fmt: skip
    assert codes(("p3", proposed(3)), ("d3", DeclineMeasure(proposal="p3", by="nobody", words="no"))) == [
        "", "not_allowed",
    ]  # fmt: skip
    assert running.links["main"].cents == money("1000001.00")
    assert audit(store).differences == ()
    assert house(store).people == running.people
    store.close()


def test_a_new_link_is_in_the_money_of_the_house(tmp_path: Path) -> None:
    """A house that began with rand starts its second link in rand, without a word about it."""
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}")
    parameters = Parameters(reset=money("100.00"), contribution=Rate(1, 5), currency="ZAR")
    first = OpenLink(link="main", meter=0, parameters=parameters)
    assert house(store).process([Request("first", first, 1)])[0].accepted
    store.close()
    with Served(tmp_path) as served, served.http(Post.PIT_MANAGER) as one, served.http(Post.SHIFT_MANAGER) as two:
        new = {"id": "n", "name": "second", "meter": "10.00", "reset": "10.00", "contribution": "0.20"}
        proposal = one.post("/api/links", json=new).json()["id"]
        assert two.post(f"/api/proposals/{proposal}/sign").json()["accepted"]
        assert served.floor.house.links["second"].parameters.currency == "ZAR"


def test_an_id_stands_for_one_proposal(served: Served) -> None:
    """Sent again it is the same proposal; another measure under the same id is refused, or its proposer would believe
    that it waits for a signature.
    """
    with served.http(Post.PIT_MANAGER) as client:
        new = {"id": "n", "name": "second", "meter": "10.00", "reset": "10.00", "contribution": "0.20"}
        first, again = client.post("/api/links", json=new), client.post("/api/links", json=new)
        assert (again.status_code, again.json()["id"]) == (202, first.json()["id"])
        other = client.post("/api/links", json={**new, "meter": "9999.00"})
        assert (other.status_code, other.json()["code"]) == (409, "id_reused")


def test_what_bets_pay_is_changed_by_two_people(served: Served) -> None:
    """Whatever the line: the words name it, and what no casino posts is refused at once."""
    path, other = "/api/tables/T1/terms", {"bonus": {"aces": "31 to 1"}}
    with served.http(Post.SHIFT_MANAGER) as shift, served.http(Post.PIT_MANAGER) as manager:
        greedy = manager.post(path, json={"id": "a", "pay_tables": {"bonus": {"aces": "9999999 to 1"}}})
        assert (greedy.status_code, greedy.json()["code"]) == (409, "bad_terms")
        says = "bonus for aces: 9999999 to 1 is refused, because a line pays at most 10,000 to 1."
        assert greedy.json()["message"] == says
        alone = served.step(Post.PIT_MANAGER, "change_terms", "T1", pay_tables=other)
        assert alone["code"] == "two_people"
        for sent, words in (
            ({"id": "b", "pay_tables": other}, "bonus for aces 31 to 1"),
            ({"id": "c", "jackpot_bet": "50.00"}, "jackpot bet 50.00"),
        ):
            first = manager.post(path, json=sent)
            assert first.status_code == 202
            assert first.json()["words"] == f"Table T1 plays with {words} from its next round on"
            assert shift.post(f"/api/proposals/{first.json()['id']}/sign", json={}).json()["accepted"]
        config = served.floor.house.shown["T1"].latest
        assert (config.pay_tables, config.jackpot_bet) == (other, money("50.00"))


def test_the_same_is_proposed_once(served: Served) -> None:
    """A second person is told that it waits for a signature; once that is given, it may be proposed again."""
    asked = {"amount": "5.00", "cause": "a miscount"}
    with served.http(Post.SHIFT_MANAGER) as shift, served.http(Post.PIT_MANAGER) as manager:
        assert manager.post("/api/links/main/close", json={"id": "close"}).json()["accepted"]
        first = manager.post("/api/links/main/adjust", json=asked)
        assert first.status_code == 202
        for person in (manager, shift):
            again = person.post("/api/links/main/adjust", json=asked)
            assert (again.status_code, again.json()["code"]) == (409, "already_proposed")
        assert shift.post("/api/links/main/adjust", json={**asked, "amount": "6.00"}).status_code == 202
        assert shift.post(f"/api/proposals/{first.json()['id']}/sign", json={}).json()["accepted"]
        assert manager.post("/api/links/main/adjust", json=asked).status_code == 202
