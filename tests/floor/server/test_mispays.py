"""The mispay guard of a served house: acts confirmed by the dealer or a chip reader, and a table that stops."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from croupier import verify
from croupier.floor.audit.audit import audit
from croupier.floor.disputes.evidence import evidence, found_round
from croupier.floor.disputes.pack import pack
from croupier.floor.duties.permissions import Post
from croupier.floor.history.export import AUDITOR, reading_house
from croupier.floor.history.played_rounds import Past
from croupier.journal.store_address import open_store
from croupier.ledger import accounts
from croupier.money import money, show
from croupier.rounds.commands import Confirming
from croupier.rounds.dealing import CardsToTurn, dealers_work, decision_due
from croupier.rounds.state import Stage
from tests.floor.pack_checks import judged
from tests.floor.serving import Served, quiet

WINS = {"community": "Ah Kd Qs 2c 3d", "dealer": "7s 8d", "1": "9h 9s"}
CONFIRMING = replace(quiet(physical=True), confirms=Confirming.TOGETHER)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A table with real cards that confirms its settlements; the audit finds nothing afterwards."""
    with Served(tmp_path, {"T1": CONFIRMING}) as served:
        yield served
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}", read_only=True)
    audited = audit(store)
    store.close()
    assert audited.differences == ()


def step(served: Served, post: Post, do: str, **fields: object) -> None:
    told = served.step(post, do, "T1", **fields)
    assert told["accepted"], told


def refused(served: Served, post: Post, do: str, **fields: object) -> object:
    return served.step(post, do, "T1", **fields)["code"]


def play(served: Served, cards: dict[str, str]) -> None:
    """A round of one box to its settlement: Ante, Flop, Turn and River."""
    table = served.floor.house.tables["T1"]
    step(served, Post.DEALER, "open")
    step(served, Post.PLAYER, "bet", box=1, bet="ante", amount="25.00")
    step(served, Post.DEALER, "close_bets")
    turned = 0
    while table.round.stage is Stage.PLAYING:
        if (due := decision_due(table.terms, table.round)) is not None:
            step(served, Post.PLAYER, "decide", box=1, choice=due[0].bet)
            continue
        work = dealers_work(table.terms, table.round)
        if not isinstance(work, CardsToTurn):
            step(served, Post.DEALER, "deal")
            continue
        given = {}
        for place, ordinals in work.places.items():
            first = turned if place == "community" else 0
            given[place] = " ".join(cards[place].split()[first : first + len(ordinals)])
            turned += len(ordinals) if place == "community" else 0
        step(served, Post.DEALER, "turn", cards=given)


def settling(served: Served, post: Post) -> dict[str, object] | None:
    with served.http(post) as client:
        told: dict[str, object] | None = client.get("/api/tables/T1").json()["settling"]
    return told


def held(served: Served, account: str) -> int:
    return served.floor.house.balances.get(account, 0)


def test_the_dealer_and_a_chip_reader_confirm_the_same_acts(served: Served) -> None:
    """`open` is offered by the function that judges it: not before the last act is confirmed."""
    play(served, WINS)
    assert settling(served, Post.PLAYER) is None
    assert settling(served, Post.DISPLAY) is None
    told = settling(served, Post.CHIP_READER)
    assert told is not None
    listed = told["acts"]
    assert isinstance(listed, list)
    assert [(act["move"], act["bet"], act["amount"], act["player"]) for act in listed] == [
        ("pay", "flop", "50.00", "Box 1"),
        ("pay", "turn", "25.00", "Box 1"),
        ("pay", "river", "25.00", "Box 1"),
        ("leave", "ante", "25.00", "Box 1"),
    ]
    with served.http(Post.DEALER) as client:
        assert "open" not in client.get("/api/tables/T1").json()["may"]
    assert refused(served, Post.DEALER, "open") == "acts_open"
    step(served, Post.CHIP_READER, "enter_act", act=0, did="pay", amount="50.00")
    assert refused(served, Post.CHIP_READER, "open") == "not_allowed"
    assert refused(served, Post.SURVEILLANCE, "confirm_acts", acts=[1]) == "not_allowed"
    step(served, Post.DEALER, "confirm_acts", acts=[1, 2, 3])
    with served.http(Post.DEALER) as client:
        assert "open" in client.get("/api/tables/T1").json()["may"]
    step(served, Post.DEALER, "open")


def test_a_difference_stops_the_table_until_it_is_put_right(served: Served) -> None:
    """rws-multilink-holdem 3.13, 4.1 say what is due; the ledger shows the chips meanwhile."""
    play(served, WINS)
    bank, player = accounts.bank("T1"), accounts.player(Post.PLAYER)
    before = held(served, bank), held(served, player)
    step(served, Post.CHIP_READER, "enter_act", act=0, did="pay", amount="75.00")
    assert (held(served, bank), held(served, accounts.mispays("T1"))) == (before[0] - 2500, 2500)
    told = settling(served, Post.DEALER)
    assert told is not None
    mispay = told["mispay"]
    assert isinstance(mispay, dict)
    assert mispay["says"] == "player was overpaid by 25.00: 75.00 was paid, and 50.00 was to be paid."
    assert (mispay["over"], mispay["who"], mispay["late_rules"]) == ("25.00", "chip_reader", ["5.19", "late-own-round"])
    ways = [(way["put_right"], way["by"], way["may"], way["says"]) for way in mispay["resolutions"]]
    assert ways == [
        (True, "dealer", True, "Take 25.00 back from player."),
        (False, "shift_manager", False, "It stands: player keeps 25.00 too much."),
    ]
    assert refused(served, Post.DEALER, "confirm_acts", acts=[1]) == "mispay_open"
    assert refused(served, Post.DEALER, "resolve_mispay", put_right=False, text="gone") == "not_authorised"
    step(served, Post.DEALER, "resolve_mispay", put_right=True)
    assert (held(served, bank), held(served, player)) == before
    assert held(served, accounts.mispays("T1")) == 0
    step(served, Post.DEALER, "confirm_acts", acts=[1, 2, 3])


def test_what_stands_is_the_players_and_the_figures_say_what_it_cost(served: Served) -> None:
    """By dealer, table, bet and shift; the record of the round still checks itself."""
    play(served, WINS)
    player = held(served, accounts.player(Post.PLAYER))
    step(served, Post.DEALER, "enter_act", act=0, did="pay", amount="75.00")
    step(served, Post.SHIFT_MANAGER, "resolve_mispay", put_right=False, text="The player has left the floor.")
    assert held(served, accounts.player(Post.PLAYER)) == player + 2500
    step(served, Post.DEALER, "enter_act", act=1, did="pay", amount="20.00")
    step(served, Post.DEALER, "resolve_mispay", put_right=True)
    step(served, Post.DEALER, "confirm_acts", acts=[2, 3])
    step(served, Post.DEALER, "open")
    late = {"earlier": 1, "box": 1, "player": "player", "bet": "river", "amount": "5.00", "text": "On the tape."}
    assert refused(served, Post.PIT_MANAGER, "note_mispay", overpaid=False, **late) == "not_authorised"
    step(served, Post.SHIFT_MANAGER, "note_mispay", overpaid=False, **late)
    with served.http(Post.PIT_SUPERVISOR) as client:
        told = client.get("/api/figures/mispays").json()
        elsewhere = client.get("/api/figures/mispays", params={"until": "2020-01-01T00:00"}).json()
        record = client.get("/api/tables/T1/rounds/1/record").json()
    assert [(line["state"], line["over"], line["dealer"], line["bet"]) for line in told["mispays"]] == [
        ("late", "-5.00", "dealer", "river"),
        ("put_right", "-5.00", "dealer", "turn"),
        ("stands", "25.00", "dealer", "flop"),
    ]
    total = {"of": "all", "count": 3, "overpaid": "25.00", "underpaid": "10.00", "cost": "20.00"}
    assert told["total"] == total
    assert told["by_dealer"] == [{**total, "of": "dealer"}]
    assert told["by_table"] == [{**total, "of": "T1"}]
    assert [line["of"] for line in told["by_bet"]] == ["flop", "river", "turn"]
    assert len(told["by_shift"]) == 1
    assert elsewhere["total"]["count"] == 0
    assert verify.check(record).problems == []
    with served.http(Post.DEALER) as client:
        assert client.get("/api/figures/mispays").status_code == 403
    events = [msgspec.json.decode(each.data) for each in served.records("table/T1")]
    assert [event["who"] for event in events if event["type"] == "MispayResolved"] == ["shift_manager", "dealer"]


def test_the_setting_is_changed_from_the_next_round_on(served: Served) -> None:
    """A round in play is paid out as it began."""
    play(served, WINS)
    step(served, Post.PIT_MANAGER, "change_terms", confirms="no")
    assert refused(served, Post.DEALER, "open") == "acts_open"
    step(served, Post.DEALER, "confirm_acts", acts=[0, 1, 2, 3])
    step(served, Post.DEALER, "open")
    assert served.floor.house.tables["T1"].round.confirms is Confirming.NO
    assert served.step(Post.PIT_MANAGER, "change_terms", "T1", confirms="sometimes")["code"] == "bad_request"


def test_a_supervisor_rules_with_the_layouts_in_front_of_them(served: Served) -> None:
    """rws-multilink-holdem 5.9: the tool computes, the Pit Manager rules, and the facts are on record."""
    step(served, Post.DEALER, "open")
    step(served, Post.PLAYER, "bet", box=1, bet="ante", amount="25.00")
    step(served, Post.DEALER, "close_bets")
    step(served, Post.DEALER, "deal")
    felt = {"incident": "burn_missed", "piles": {"1": {"cards": "As Kd"}}}
    with served.http(Post.PIT_MANAGER) as client:
        told = client.post("/api/tables/T1/reconstruction", json=felt).json()
        assert (told["determined"], told["reconstructible"]) == (True, True)
        assert told["layouts"][0]["moves"][0] == "As, card 1 of box 1, is out of play"
        bad = client.post("/api/tables/T1/reconstruction", json={**felt, "incident": "late_error"})
        assert (bad.status_code, bad.json()["code"]) == (400, "bad_request")
        twice = client.post("/api/tables/T1/reconstruction", json={**felt, "piles": {"1": {"cards": "As As"}}})
        assert twice.status_code == 400
    step(served, Post.DEALER, "report", incident="burn_missed")
    assert served.step(Post.PIT_MANAGER, "rule", decision="reconstructible", felt={**felt, "at": 99})["code"] == (
        "bad_request"
    )
    step(served, Post.PIT_MANAGER, "rule", decision="reconstructible", felt=felt)
    events = [msgspec.json.decode(each.data) for each in served.records("table/T1")]
    (given,) = [event for event in events if event["type"] == "RulingGiven"]
    assert given["facts"] == {"incident": "burn_missed", "piles": {"1": {"cards": ["As", "Kd"]}}}
    step(served, Post.DEALER, "choose", box=1, option="return")
    assert served.floor.house.tables["T1"].round.stage in (Stage.SETTLED, Stage.VOID)
    for post, status in ((Post.PLAYER, 409), (Post.AUDITOR, 200)):
        with served.http(post) as client:
            shown = client.get("/api/tables/T1/rounds/1")
            assert ("Kd" in shown.text, shown.json()["may_export"]) == (post is Post.AUDITOR, post is Post.AUDITOR)
            assert client.get("/api/tables/T1/rounds/1/record").status_code == status


def test_a_table_without_real_cards_confirms_nothing(tmp_path: Path) -> None:
    """The program moves its chips."""
    with Served(tmp_path) as served:
        told = served.step(Post.PIT_MANAGER, "change_terms", "T1", confirms="each")
        assert told["code"] == "bad_terms"
        with served.http(Post.PIT_MANAGER) as client:
            terms = {"game": "rws-multilink-holdem", "confirms": "together", "staffed": True}
            opened = client.post("/api/tables", json={"id": "new-1", "name": "New", "terms": terms})
            assert json.loads(opened.text)["code"] == "bad_terms"
            terms = {"game": "rws-multilink-holdem", "physical": True}
            undealt = client.post("/api/tables", json={"id": "new-2", "name": "New", "terms": terms})
            assert undealt.status_code == 400
            assert "a dealer runs the table" in undealt.text


@pytest.mark.parametrize(("paid", "over"), [("0.00", -5000), ("150.00", 10000)])
def test_a_mispay_that_stands_is_the_same_money_everywhere(
    served: Served, tmp_path: Path, paid: str, over: int
) -> None:
    """Player, replay, own rounds, pit, rounds list, receipt, ledger, verify.py and the pack say what was really paid.

    The settlement is +100.00 (rws-multilink-holdem 4.1: Flop, Turn and River are paid, the Ante comes back).
    """
    account = accounts.player(Post.PLAYER)
    before = held(served, account)
    play(served, WINS)
    step(served, Post.DEALER, "enter_act", act=0, did="pay", amount=paid)
    step(served, Post.SHIFT_MANAGER, "resolve_mispay", put_right=False, text="The player has left.")
    step(served, Post.DEALER, "confirm_acts", acts=[1, 2, 3])
    net = 10000 + over
    assert held(served, account) - before == net
    stands = {
        "move": "pay", "due": "50.00", "did": "pay", "amount": paid, "over": show(over),
        "who": "shift_manager", "text": "The player has left.",
    }  # fmt: skip
    with served.http(Post.PLAYER) as client:
        for lines in (
            client.get("/api/tables/T1").json()["lines"],
            client.get("/api/tables/T1/rounds/1").json()["lines"],
            client.get("/api/tables/T1/rounds/1").json()["steps"][-1]["view"]["lines"],
        ):
            assert came_to(lines) == net
            assert [line["let_stand"] for line in lines if line["bet"] == "flop"] == [[stands]]
        assert client.get("/api/tables/T1/rounds/1/receipt").json()["net"] == show(net)
        assert client.get("/api/play/rounds").json()["rounds"][0]["net"] == show(net)
    with served.http(Post.AUDITOR) as client:
        found = client.get("/api/rounds", params={"incident": "mispay"}).json()
        won = client.get("/api/rounds", params={"won": show(net)} if net > 0 else {}).json()
        more = client.get("/api/rounds", params={"won": show(net + 1)}).json()
        record = client.get("/api/tables/T1/rounds/1/record").json()
    assert [(line["round"], line["mispaid"]) for line in found] == [(1, show(over))]
    assert ([line["round"] for line in won], more) == ([1], [])
    assert house_win(found[0]) == -net
    with served.http(Post.PIT_SUPERVISOR) as client:
        assert client.get("/api/figures").json()["win"] == show(-net)
    checks = verify.check(record)
    assert (checks.problems, dict(checks.net)) == ([], {"player": net})
    said = f"Box 1 flop of player: 50.00 due, {paid} paid; let stand by shift_manager: The player has left."
    assert checks.mispays == [said]
    assert said in verify.report(record, checks)
    with_entries, page = tmp_path / "round.json", tmp_path / "pack.html"
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}", read_only=True)
    try:
        house = reading_house(store)
        told = evidence(
            store, house, Past(house, lambda: store), found_round(house, Past(house, lambda: store), "T1", 1, AUDITOR),
            by="eva", at=record["records"][-1]["at"],
        )  # fmt: skip
    finally:
        store.close()
    assert [(each.player, each.moved) for each in told.money] == [("player", net)]
    with_entries.write_bytes(msgspec.json.encode(told.record))
    whole = verify.check(json.loads(with_entries.read_text(encoding="utf-8")))
    assert (whole.problems, dict(whole.net)) == ([], {"player": net})
    page.write_text(pack(told), encoding="utf-8")
    assert list(judged("pages", page)) == [{"holds": True, "problems": []}]
    (judgement,) = judged("records", with_entries)
    assert (judgement["problems"], judgement["net"]) == ([], {"player": net})


def test_a_changed_mispay_does_not_hold(served: Served) -> None:
    """A ruling about a mispay that was not found, or another amount, is a problem and not a different net."""
    play(served, WINS)
    step(served, Post.DEALER, "enter_act", act=0, did="pay", amount="75.00")
    step(served, Post.SHIFT_MANAGER, "resolve_mispay", put_right=False, text="The player has left.")
    step(served, Post.DEALER, "confirm_acts", acts=[1, 2, 3])
    with served.http(Post.AUDITOR) as client:
        record = client.get("/api/tables/T1/rounds/1/record").json()
    for entry in record["records"]:
        if entry["type"] == "MispayFound":
            entry["data"] = entry["data"].replace('"over":2500', '"over":2600')
    problems = verify.check(record).problems
    assert any("a mispay is not what was done less what was due" in problem for problem in problems)
    assert any("a mispay is resolved that was not found" in problem for problem in problems)


def cents(text: str) -> int:
    """Amounts on the wire may be below zero."""
    return -money(text[1:]) if text.startswith("-") else money(text)


def came_to(lines: list[dict[str, str]]) -> int:
    """What the lines say that their player won or lost, mispays that stand included."""
    over = sum(cents(each["over"]) for line in lines for each in stood(line))
    return over + sum(cents(line["won"]) + cents(line["returned"]) - cents(line["staked"]) for line in lines)


def stood(line: Mapping[str, object]) -> list[dict[str, str]]:
    found = line["let_stand"]
    assert isinstance(found, list)
    return found


def house_win(line: dict[str, str]) -> int:
    out = ("won", "returned", "mispaid")
    return cents(line["staked"]) - sum(cents(line[name]) for name in out) + cents(line["from_meter"])
