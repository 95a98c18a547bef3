"""The verifier on rounds that did not go straight (redealt, reopened, an award that waits), and forgeries of them."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from croupier import verify
from croupier.floor.history.export import AUDITOR, exported
from croupier.floor.history.played_rounds import Past
from croupier.floor.house import round_play
from croupier.floor.house.house import House
from croupier.floor.people.people import Person
from croupier.floor.records.commands import OpenTable, TableConfig
from croupier.floor.records.committed_decks import Chance, Deck, new_deck
from croupier.jackpots.commands import DenyAward, SignAward
from croupier.journal.store import Store
from croupier.rounds.commands import (
    CloseBets,
    DecideHand,
    ExamineHand,
    GiveRuling,
    OpenRound,
    PlaceBet,
    ReportIncident,
    WithdrawBet,
)
from croupier.rulebooks.vocabulary import Incident, Role
from tests.floor.forgeries import first, forged
from tests.floor.house_builder import HOLDEM, NOTHING, ROYAL, at, bets, buy_in, do, house, open_link, play_out
from tests.stores import SqlitePlace

Events = list[dict[str, object]]
Forgery = Callable[[Events], None]

FULL_HOUSE = {"1": "7h 7d", "community": "7c Qs Qd 2c 3h"}
MISCOUNT = ReportIncident(incident=Incident.WRONG_DEALER_COUNT, by=Role.PIT_SUPERVISOR, reconstructible=False)


def sun(store: Store) -> House:
    """Casino Hold'em dealt again after a Call: two decks, and the Call goes back in between."""
    floor = house(store, game="sun-casino-holdem")
    do(floor, OpenTable(table="T1", config=TableConfig(game="sun-casino-holdem")))
    buy_in(floor, "ana")
    buy_in(floor, "ben")
    antes = [PlaceBet(player=name, box=box, bet="ante", amount=50_00) for box, name in ((1, "ana"), (2, "ben"))]
    call, fold = DecideHand(box=1, choice="call"), DecideHand(box=2, choice="fold")
    at(floor, "T1", OpenRound(), *antes, CloseBets(), call, MISCOUNT)
    at(floor, "T1", ExamineHand(player="ana", box=1), call, fold)
    return floor


def forfeited(store: Store) -> House:
    """Casino Hold'em dealt again after one of two Players had lost his Hand: the second deck deals to the other."""
    floor = house(store, game="sun-casino-holdem")
    do(floor, OpenTable(table="T1", config=TableConfig(game="sun-casino-holdem")))
    for box, name in ((1, "ben"), (2, "ana")):
        buy_in(floor, name)
        at(floor, "T1", *((OpenRound(),) if box == 1 else ()), PlaceBet(player=name, box=box, bet="ante", amount=50_00))
    breach = ReportIncident(incident=Incident.RULES_BREACH, player="ben", by=Role.PIT_SUPERVISOR)
    at(floor, "T1", CloseBets(), breach, MISCOUNT, DecideHand(box=2, choice="fold"))
    return floor


def holdem(store: Store, *, staffed: bool, cards: dict[str, str]) -> House:
    floor = house(store, cards)
    open_link(floor)
    do(floor, OpenTable(table="T1", config=TableConfig(game=HOLDEM, link="main", staffed=staffed)))
    buy_in(floor, "ana")
    place, withdraw = (
        PlaceBet(player="ana", box=2, bet="ante", amount=70_00),
        WithdrawBet(player="ana", box=2, bet="ante"),
    )
    opened, *rest = bets("ana")
    at(floor, "T1", opened, place, withdraw, *rest)
    play_out(floor, "T1")
    return floor


def reopened(store: Store) -> House:
    """A royal flush is paid, and the Round is void after all."""
    floor = holdem(store, staffed=False, cards=ROYAL)
    at(floor, "T1", MISCOUNT, GiveRuling(by=Role.SHIFT_MANAGER, decision="reopen"))
    return floor


ROUNDS: dict[str, Callable[[Store], House]] = {
    "lost": lambda store: holdem(store, staffed=False, cards=NOTHING),
    "paid": lambda store: holdem(store, staffed=False, cards=ROYAL),
    "waiting": lambda store: holdem(store, staffed=True, cards=ROYAL),
    "redealt": sun,
    "reopened": reopened,
    "minor": lambda store: holdem(store, staffed=False, cards=FULL_HOUSE),
    "forfeited": forfeited,
}


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, verify.Json]:
    """The record of a round of each kind."""
    return {name: record_of(tmp_path_factory.mktemp(name), played, AUDITOR) for name, played in ROUNDS.items()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, verify.Json]:
    """The same, with decks that are committed to as a whole, as earlier releases did."""

    def sealed_whole(chance: Chance) -> Deck:
        deck = new_deck(chance)
        return Deck(deck.shoe, deck.salt, by_card=False)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(round_play, "new_deck", sealed_whole)
        return {
            name: record_of(tmp_path_factory.mktemp(name), ROUNDS[name], None)
            for name in ("lost", "redealt", "reopened")
        }


def record_of(folder: Path, played: Callable[[Store], House], person: Person | None) -> verify.Json:
    """The record of a round as this person gets it."""
    store = SqlitePlace(folder).open()
    floor = played(store)
    record: verify.Json = json.loads(
        msgspec.json.encode(Past(floor, lambda: store).record(floor.tables["T1"], 1, person))
    )
    store.close()
    return record


def test_a_round_that_did_not_go_straight_holds_all_the_same(records: dict[str, verify.Json]) -> None:
    """And the players' nets are those of the round as it ended."""
    checked = {name: verify.check(record) for name, record in records.items()}
    assert {name: checks.problems for name, checks in checked.items()} == {name: [] for name in ROUNDS}
    assert {name: checks.open_awards for name, checks in checked.items()} == {
        "lost": 0, "paid": 0, "waiting": 1, "redealt": 0, "reopened": 0, "minor": 0, "forfeited": 0,
    }  # fmt: skip
    assert {name: checks.looked_at["decks"] for name, checks in checked.items()} == {
        "lost": 1, "paid": 1, "waiting": 1, "redealt": 2, "reopened": 2, "minor": 1, "forfeited": 2,
    }  # fmt: skip
    assert checked["lost"].looked_at == {
        "records": len(records["lost"]["records"]), "records of the link": 3, "decks": 1, "cards dealt": 13,
        "cards seen": 9, "bets settled": 5,
    }  # fmt: skip
    nets = {name: checks.net["ana"] for name, checks in checked.items()}
    assert (nets["lost"], nets["paid"], nets["waiting"], nets["reopened"]) == (-55_00, 1_000_045_00, 45_00, 0)
    assert checked["redealt"].net["ben"] == -50_00


# ---------------------------------------------------------------- forgeries, each by what is said of it


def every(events: Events, kind: str) -> Events:
    return [event for event in events if event["type"] == kind]


def changed(kind: str, index: int = 0, **fields: object) -> Forgery:
    def change(events: Events) -> None:
        every(events, kind)[index].update(fields)

    return change


def without(kind: str, index: int = 0) -> Forgery:
    def change(events: Events) -> None:
        events.remove(every(events, kind)[index])

    return change


def twice(kind: str) -> Forgery:
    def change(events: Events) -> None:
        event = first(events, kind)
        events.insert(events.index(event), dict(event))

    return change


def moved(kind: str, behind: str) -> Forgery:
    def change(events: Events) -> None:
        event = first(events, kind)
        events.remove(event)
        events.insert(events.index(first(events, behind)) + 1, event)

    return change


def other_deck(index: int) -> Forgery:
    def change(events: Events) -> None:
        opened = every(events, "DeckOpened")[index]
        *rest, one, other = str(opened["deck"]).split(" ")
        opened["deck"] = " ".join((*rest, other, one))

    return change


def short_deck(events: Events) -> None:
    opened = first(events, "DeckOpened")
    opened["deck"] = str(opened["deck"]).rpartition(" ")[0]


def long_deck(events: Events) -> None:
    """A card more than there are, sealed with the rest."""
    opened = first(events, "DeckOpened")
    opened["deck"] = f"{opened['deck']} {str(opened['deck'])[:2]}"
    sealed = f"{opened['salt']} {opened['deck']}".encode()
    first(events, "DeckCommitted")["commitment"] = hashlib.sha256(sealed).hexdigest()


def returned_more(events: Events) -> None:
    returned = first(events, "CardsRedealt")["returned"]
    assert isinstance(returned, list)
    returned[0][2]["amount"] += 1


def dealt_on(events: Events) -> None:
    """A card more than the procedure says."""
    to = first(events, "CardsDealt")["to"]
    assert isinstance(to, list)
    to.append(to[-1])


def turned_another(events: Events) -> None:
    cards = first(events, "CardsTurned")["cards"]
    assert isinstance(cards, dict)
    place = next(iter(cards))
    cards[place] = list(reversed(cards[place]))


def award_and_line_apart(events: Events) -> None:
    award = first(events, "AwardPaid")
    award["amount"] = 1


FORGERIES: list[tuple[str, Forgery, str]] = [
    ("lost", changed("RoundOpened", number=2), "does not begin with the opening of round 1"),
    ("lost", changed("RoundOpened", number=2), "another round begins"),
    ("lost", without("RoundOpened"), "does not begin with the opening"),
    ("lost", twice("DeckCommitted"), "deck 0 was committed to twice"),
    ("lost", moved("DeckCommitted", "BetPlaced"), "a bet was taken before the deck was committed to"),
    ("lost", moved("DeckCommitted", "BetPlaced"), "the deck was committed to only after bets"),
    ("lost", moved("DeckCommitted", "CardsDealt"), "the deck was committed to only after the deal"),
    ("lost", moved("DeckOpened", "BetsClosed"), "the deck was opened before the round had ended"),
    ("redealt", without("DeckOpened"), "deck 0 was never opened"),
    ("redealt", without("DeckOpened", 1), "deck 1 was never opened"),
    ("lost", twice("CardsDealt"), "a dealing step comes twice or too late"),
    ("lost", dealt_on, "the cards did not go where the procedure says"),
    ("lost", changed("CardsDealt", step=99), "step 99 of the procedure deals no cards"),
    ("lost", turned_another, "where the deck has"),
    ("redealt", changed("HandExamined", cards=["2c", "2d"]), "2c 2d at 1, where the deck has"),
    ("redealt", returned_more, "100.01 of call on box 1, where 100.00 lies"),
    ("redealt", without("CardsRedealt"), "a dealing step comes twice or too late"),
    ("lost", without("BetWithdrawn"), "ante 70.00 of ana on box 2 was never settled"),
    ("lost", changed("BetWithdrawn", amount=69_99), "69.99 of ante on box 2, where 70.00 lies"),
    ("lost", changed("BetWithdrawn", live=True), "ante 70.00 of ana on box 2 was never settled"),
    ("lost", changed("BetPlaced", index=1, amount=10_01), "10.00 of ante on box 1, where 10.01 lies"),
    ("lost", without("HandDecided"), "where 0.00 lies"),
    ("paid", changed("BetSettled", returned=-1), "more goes back than was staked"),
    ("paid", changed("BetSettled", returned=10_01), "more goes back than was staked"),
    ("paid", changed("BetSettled", won=-1), "a win is negative"),
    ("lost", changed("BetSettled", won=1), "won by a bet that did not win"),
    ("lost", changed("BetSettled", outcome="stand_off"), "comes back as 0"),
    ("lost", changed("BetSettled", outcome="returned"), "comes back as 0"),
    ("lost", changed("BetSettled", rules=[]), "no paragraph says why"),
    ("lost", changed("BetSettled", because=""), "no paragraph says why"),
    ("lost", changed("BetSettled", round=9), "was never settled"),
    ("lost", without("BetSettled"), "was never settled"),
    ("lost", twice("BetSettled"), "where 0.00 lies"),
    ("minor", award_and_line_apart, "box 1: awards of 0.01 were paid, and its line says 200.00"),
    ("minor", without("AwardPaid"), "box 1: awards of 0.00 were paid, and its line says 200.00"),
    ("minor", changed("AwardPaid", round=9), "box 1: awards of 0.00 were paid"),
    ("waiting", without("AwardClaimed"), "jackpot 5.00 of ana on box 1 was never settled"),
    ("waiting", changed("AwardClaimed", round=9), "jackpot 5.00 of ana on box 1 was never settled"),
    ("waiting", changed("AwardClaimed", box=2), "jackpot 5.00 of ana on box 1 was never settled"),
    ("reopened", without("RoundReopened"), "where 0.00 lies"),
    ("reopened", without("RoundVoided"), "the round has not ended"),
    ("lost", without("RoundSettled"), "the round has not ended"),
]  # fmt: skip


OF_WHOLE_DECKS: list[tuple[str, Forgery, str]] = [
    ("lost", short_deck, "deck 0 is not 52 different cards"),
    ("lost", long_deck, "deck 0 is not 52 different cards"),
    ("lost", other_deck(0), "deck 0 is not the one committed to"),
    ("redealt", other_deck(0), "deck 0 is not the one committed to"),
    ("redealt", other_deck(1), "deck 1 is not the one committed to"),
    ("redealt", without("DeckOpened"), "deck 0 was never opened"),
    ("redealt", without("DeckOpened", 1), "so no card can be checked"),
    ("reopened", other_deck(1), "deck 0 was opened twice, differently"),
]


@pytest.mark.parametrize(("name", "forgery", "says"), OF_WHOLE_DECKS)
def test_a_forged_deck_that_was_committed_to_as_a_whole_is_named(
    whole: dict[str, verify.Json], name: str, forgery: Forgery, says: str
) -> None:
    """As earlier releases did; everybody gets the whole deck."""
    assert verify.check(whole[name]).problems == []
    problems = verify.check(forged(whole[name], forgery)).problems
    assert any(says in problem for problem in problems), problems


@pytest.mark.parametrize(("name", "forgery", "says"), FORGERIES)
def test_a_forgery_is_named(records: dict[str, verify.Json], name: str, forgery: Forgery, says: str) -> None:
    """Every hash is right; what is wrong is said in words, with the record."""
    problems = verify.check(forged(records[name], forgery)).problems
    assert any(says in problem for problem in problems), problems


def test_the_order_of_places_within_one_turning_says_nothing(records: dict[str, verify.Json]) -> None:
    """Each card is held against its own place, whichever is named first."""

    def the_other_way_round(events: Events) -> None:
        for event in every(events, "CardsTurned"):
            cards = event["cards"]
            assert isinstance(cards, dict)
            event["cards"] = dict(reversed(cards.items()))

    for record in records.values():
        assert verify.check(forged(record, the_other_way_round)).problems == []


# ---------------------------------------------------------------- the chain


def test_a_broken_chain_is_named(records: dict[str, verify.Json]) -> None:
    """Which record, and what is wrong with it."""
    whole = records["lost"]
    seq = whole["records"][3]["seq"]

    def says(change: Callable[[verify.Json], None]) -> list[str]:
        broken = copy.deepcopy(whole)
        change(broken)
        return verify.check(broken).problems

    assert says(lambda r: r["records"].pop(3))[0] == f"record {seq} is missing: the next is {seq + 1}"
    assert f"record {seq} belongs to table/T2, not to table/T1" in says(
        lambda r: r["records"][3].update(stream="table/T2")
    )
    called = says(lambda r: r["records"][3].update(type="BetsClosed"))
    assert f"record {seq} says BetsClosed and holds another event" in called
    assert f"record {seq} (BetsClosed) does not carry the hash of its content" in called
    first_of_all = says(lambda r: r.update(before="00" * 31 + "01"))
    assert first_of_all == ["record 1 (RoundOpened) does not carry the hash of its content"]


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record.update(format="another"),
        lambda record: record.update(records=[]),
        lambda record: record.update(records="none"),
        lambda record: record.update(before="no hash"),
        lambda record: record.pop("before"),
        lambda record: record.pop("procedure"),
        lambda record: record["records"][2].update(seq="3"),
        lambda record: record["records"][2].update(data={}),
        lambda record: record["records"][2].update(data="{"),
        lambda record: record["records"][2].pop("hash"),
    ],
)
def test_what_is_no_record_is_no_record(
    records: dict[str, verify.Json], change: Callable[[verify.Json], object]
) -> None:
    """Nothing is said of its round, good or bad."""
    broken = copy.deepcopy(records["lost"])
    change(broken)
    with pytest.raises(verify.NoRecord):
        verify.check(broken)


# ---------------------------------------------------------------- the command line


def test_the_report_says_what_was_looked_at_and_what_everybody_won(
    records: dict[str, verify.Json], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One round; an award that waits; one that is wrong; several in a file; no record; no file."""
    file = tmp_path / "round.json"

    def told(text: str) -> tuple[int, str, str]:
        file.write_text(text, encoding="utf-8")
        code = verify.main([str(file)])
        said = capsys.readouterr()
        return code, said.out, said.err

    code, out, err = told(json.dumps(records["lost"]))
    assert (code, err) == (0, "")
    assert out.startswith(f"Round 1 at T1 ({HOLDEM}): ")
    own = "of which 5 from bets, decisions and cards alone and 0 from what staff put on record"
    assert out.endswith(f"\n  ana: -55.00\nSettled again: 5 lines, {own}.\nEverything holds.\n")
    assert ", 1 deck." in out
    code, out, _ = told(json.dumps(records["reopened"]))
    assert code == 0
    assert ", 2 decks." in out
    assert "\n  ana: +0.00\n" in out
    code, out, _ = told(json.dumps(records["waiting"]))
    assert code == 0
    assert "Award 1, royal flush on box 1, ana: locked at 1000000.00, 2 of 2 signatures missing." in out
    assert "\n  ana: +45.00\nSettled again: 4 lines, " in out
    unproved = "The meter is not in this record, so the amount was not checked: 100% of the meter for ana on box 1."
    verdict = "What was checked holds. Not checked: the amount of 100% of the meter for ana on box 1."
    assert out.endswith(f"\n{unproved}\n{verdict}\n")
    code, out, _ = told(json.dumps(forged(records["lost"], without("RoundSettled"))))
    assert code == 1
    assert "WRONG: the round has not ended" in out
    assert "Everything holds" not in out
    several = {"format": verify.SEVERAL, "rounds": [records["lost"], forged(records["lost"], without("RoundSettled"))]}
    code, out, _ = told(json.dumps(several))
    assert (code, out.count("Round 1 at T1")) == (1, 2)
    for text, says in (
        ("{", "the file is not JSON"),
        ("[]", "a round record is a JSON object"),
        ("{}", "its format is not"),
        (json.dumps({"format": verify.SEVERAL, "rounds": []}), "a list of their records"),
        (json.dumps({"format": verify.SEVERAL, "rounds": [1]}), "a list of their records"),
    ):
        code, out, err = told(text)
        assert (code, out) == (2, "")
        assert err.startswith(f"verify: {file}: ")
        assert says in err
    file.write_bytes(b"\xff")
    assert verify.main([str(file)]) == 2
    assert "it is not UTF-8 text" in capsys.readouterr().err
    assert verify.main([str(tmp_path / "none.json")]) == 2
    assert "No such file" in capsys.readouterr().err
    for arguments in ([], ["--help"], ["a", "b", "c"]):
        assert verify.main(arguments) == 2
        assert capsys.readouterr().err == "usage: verify.py ROUND.json [CHECKPOINT.json]\n"


def test_an_award_paid_later_is_in_the_export_of_its_own_round_alone(tmp_path: Path) -> None:
    """Round 1's royal flush is signed for while round 2 is in play: both exports hold, and each has its own money."""
    store = SqlitePlace(tmp_path).open()
    floor = holdem(store, staffed=True, cards=ROYAL)
    waiting = verify.check(dict(exported(store, [("T1", 1)])))
    at(floor, "T1", *bets("ana"))
    do(floor, SignAward(table="T1", award=1, by="max"))
    signed = verify.check(dict(exported(store, [("T1", 1)])))
    do(floor, SignAward(table="T1", award=1, by="eva"))
    play_out(floor, "T1")
    one, two = (verify.check(record) for record in verify.rounds(dict(exported(store, [("T1", 1), ("T1", 2)]))))
    store.close()
    award = "Award 1, royal flush on box 1, ana:"
    assert waiting.awards == [f"{award} locked at 1000000.00, 2 of 2 signatures missing."]
    assert (waiting.problems, waiting.open_awards, waiting.net["ana"]) == ([], 1, 45_00)
    assert signed.awards == [f"{award} locked at 1000000.00, 1 of 2 signatures missing."]
    assert one.awards == [f"{award} paid 1000000.00."]
    assert (one.problems, one.open_awards, one.net["ana"]) == ([], 0, 1_000_045_00)
    assert (two.problems, two.awards, two.open_awards, two.net["ana"]) == ([], [], 0, -55_00)


def test_a_denied_award_is_said_to_be_denied(tmp_path: Path) -> None:
    """rws-multilink-holdem 5.23, denied-claim: the jackpot bet is lost, and the record holds."""
    store = SqlitePlace(tmp_path).open()
    floor = holdem(store, staffed=True, cards=ROYAL)
    do(floor, DenyAward(table="T1", award=1, by=Role.SHIFT_MANAGER, who="sam", text="A card was foreign."))
    told = verify.check(dict(exported(store, [("T1", 1)])))
    store.close()
    assert told.awards == ["Award 1, royal flush on box 1, ana: denied."]
    assert (told.problems, told.net["ana"]) == ([], 45_00)


@pytest.mark.parametrize("change", ["amount", "state", "signature", "claim", "left out"])
def test_a_changed_award_does_not_hold(tmp_path: Path, change: str) -> None:
    """What an export says of an award is what its records on the link say, and those carry their hashes."""
    store = SqlitePlace(tmp_path).open()
    floor = holdem(store, staffed=True, cards=ROYAL)
    for name in ("max", "eva"):
        do(floor, SignAward(table="T1", award=1, by=name))
    record = json.loads(msgspec.json.encode(exported(store, [("T1", 1)])))
    store.close()
    assert verify.check(record).problems == []
    on_link = {entry["type"]: entry for entry in record["on_the_link"]}
    match change:
        case "amount":
            on_link["CasePaid"]["data"] = on_link["CasePaid"]["data"].replace("100000000", "100000001")
        case "state":
            record["awards"][0]["state"] = "locked"
        case "signature":
            record["on_the_link"].remove(on_link["AwardSigned"])
        case "claim":
            on_link["ClaimsEntered"]["data"] = on_link["ClaimsEntered"]["data"].replace('"ana"', '"eve"')
        case "left out":
            record["on_the_link"] = [entry for entry in record["on_the_link"] if entry["type"] != "CasePaid"]
    assert verify.check(record).problems
