"""A round is proved with the cards that were shown: each person gets a copy without the others, and it holds."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from croupier import verify
from croupier.floor.duties.permissions import Post
from croupier.floor.history.export import AUDITOR
from croupier.floor.history.played_rounds import Past
from croupier.floor.people.people import Person
from croupier.floor.records.commands import OpenTable, TableConfig
from croupier.floor.records.committed_decks import Deck, unsealed
from croupier.journal.records import BY_DIGEST
from croupier.rounds.commands import CloseBets, DecideHand, ExamineHand, OpenRound, PlaceBet
from tests.floor.forgeries import forged as forged_round
from tests.floor.house_builder import HOLDEM, NOTHING, at, buy_in, do, house, open_link
from tests.floor.played_house import Play
from tests.stores import SqlitePlace

SUPERVISOR = Person("max", Post.PIT_SUPERVISOR, "")


class Copies:
    """One round of two players who looked, one of whom folded, as different people get it."""

    def __init__(self, folder: Path) -> None:
        store = SqlitePlace(folder).open()
        floor = house(store, NOTHING)
        open_link(floor)
        do(floor, OpenTable(table="T1", config=TableConfig(game=HOLDEM, link="main")))
        at(floor, "T1", OpenRound())
        for box, name in ((1, "ana"), (2, "ben")):
            buy_in(floor, name)
            at(floor, "T1", PlaceBet(player=name, box=box, bet="ante", amount=50_00))
        at(floor, "T1", CloseBets(), ExamineHand(player="ana", box=1), ExamineHand(player="ben", box=2))
        at(floor, "T1", DecideHand(box=1, choice="flop"), DecideHand(box=2, choice="fold"))
        at(floor, "T1", DecideHand(box=1, choice="check"), DecideHand(box=1, choice="check"))
        past = Past(floor, lambda: store)

        def of(person: Person | None) -> verify.Json:
            told: verify.Json = json.loads(msgspec.json.encode(past.record(floor.tables["T1"], 1, person)))
            return told

        self.guest, self.auditor, self.supervisor = of(None), of(AUDITOR), of(SUPERVISOR)
        self.ana, self.ben = of(Person("ana", Post.PLAYER, "")), of(Person("ben", Post.PLAYER, ""))
        sealed = store.deck("T1", 1, 0)
        assert sealed is not None
        self.deck: Deck = unsealed(sealed)
        self.folded = [index for index, to in enumerate(_dealt(self.auditor)) if to == "2"]
        store.close()


def _looks(record: verify.Json) -> list[verify.Json]:
    return [json.loads(entry["data"]) for entry in record["records"] if entry["type"] == "HandExamined"]


def _dealt(record: verify.Json) -> list[str]:
    events = [json.loads(entry["data"]) for entry in record["records"]]
    return [place for event in events if event["type"] == "CardsDealt" for place in event["to"]]


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Copies:
    return Copies(tmp_path_factory.mktemp("copies"))


def opened(record: verify.Json) -> list[int]:
    """The positions of the deck that a copy opens; every one of a whole deck."""
    deck = record["decks"][0]
    return list(range(52)) if "deck" in deck else [card["position"] for card in deck["cards"]]


def test_every_copy_holds_and_is_settled_again(copies: Copies) -> None:
    """Whatever it leaves out."""
    for record in (copies.guest, copies.supervisor, copies.ana, copies.ben, copies.auditor):
        checks = verify.check(record)
        assert checks.problems == []
        assert checks.settled == 3
        assert checks.net == {"ana": -150_00, "ben": -50_00}


def test_each_copy_opens_what_its_reader_has_seen(copies: Copies) -> None:
    """Everybody the cards that were turned, a player also the hand that they looked at, the auditor all."""
    seven = [index for index, to in enumerate(_dealt(copies.auditor)) if to in ("1", "community", "dealer")]
    assert opened(copies.guest) == opened(copies.supervisor) == opened(copies.ana) == seven
    assert opened(copies.ben) == sorted([*seven, *copies.folded])
    assert opened(copies.auditor) == list(range(52))


def test_a_copy_holds_nothing_of_a_card_that_it_does_not_open(copies: Copies) -> None:
    """Neither the seed nor the salt or leaf of another card, nor what another player looked at."""
    for record in (copies.guest, copies.supervisor, copies.ana, copies.ben):
        text, shown = json.dumps(record), opened(record)
        assert copies.deck.salt not in text
        for position in set(range(52)) - set(shown):
            assert verify.card_salt(copies.deck.salt, position) not in text
    folded = [copies.deck.shoe[position] for position in copies.folded]
    for record in (copies.guest, copies.supervisor, copies.ana):
        assert not any(f'"{card}"' in json.dumps(record).replace("\\", "") for card in folded)


def test_a_look_names_places_and_only_the_deck_has_the_cards(copies: Copies) -> None:
    """The same record for everybody; the verifier takes the cards from what the copy opens."""
    looks = [_looks(record) for record in (copies.guest, copies.ana, copies.ben, copies.auditor)]
    assert looks[0] == looks[1] == looks[2] == looks[3]
    for look, player in zip(looks[0], ("ana", "ben"), strict=True):
        assert (look["player"], look["round"]) == (player, 1)
        assert not {"cards", "salt"} & look.keys()
    assert looks[0][1]["at"] == copies.folded
    seen = {name: verify.check(record).looked_at["cards seen"] for name, record in vars(copies).items()
            if name in ("guest", "ana", "ben", "auditor")}  # fmt: skip
    assert seen["ben"] == seen["auditor"] == seen["guest"] + 2 == seen["ana"] + 2


@pytest.mark.parametrize("change", [{"at": [0, 1]}, {"round": 2}, {"deal": 1}, {"at": [50, 51]}, {"at": [52, 53]}])
@pytest.mark.parametrize("name", ["guest", "auditor"])
def test_a_look_at_another_place_is_named(copies: Copies, name: str, change: dict[str, object]) -> None:
    """Also in a copy that does not open the cards."""

    def elsewhere(events: list[dict[str, object]]) -> None:
        next(event for event in events if event["type"] == "HandExamined").update(change)

    problems = verify.check(forged_round(vars(copies)[name], elsewhere)).problems
    assert any("is not at the place that the look names" in problem for problem in problems), problems


def test_our_tree_is_the_one_that_the_verifier_computes(copies: Copies) -> None:
    """Two programs, one description: the root, every leaf and every path."""
    deck = copies.deck
    assert verify.commitment_of(deck.cards.split(" "), deck.salt) == deck.commitment
    for position in range(52):
        proof = deck.proof(position)
        assert len(proof.path) == 6
        assert verify.commitment_by_path(position, proof.card, proof.salt, proof.path) == deck.commitment


def _other_card(record: verify.Json) -> None:
    record["decks"][0]["cards"][0]["card"] = record["decks"][0]["cards"][1]["card"]


def _other_place(record: verify.Json) -> None:
    cards = record["decks"][0]["cards"]
    cards[0]["position"], cards[1]["position"] = cards[1]["position"], cards[0]["position"]


def _other_salt(record: verify.Json) -> None:
    record["decks"][0]["cards"][0]["salt"] = "0" * 64


def _other_path(record: verify.Json) -> None:
    record["decks"][0]["cards"][0]["path"].reverse()


def _longer_path(record: verify.Json) -> None:
    record["decks"][0]["cards"][0]["path"].append("0" * 64)


def _twice(record: verify.Json) -> None:
    record["decks"][0]["cards"].append(dict(record["decks"][0]["cards"][0]))


def _not_opened(record: verify.Json) -> None:
    record["decks"][0]["cards"].pop()


def _no_deck(record: verify.Json) -> None:
    record["decks"] = []


def _out_of_the_deck(record: verify.Json) -> None:
    record["decks"][0]["cards"][0]["position"] = 52


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_other_card, "does not belong to deck 0"),
        (_other_place, "does not belong to deck 0"),
        (_other_salt, "does not belong to deck 0"),
        (_other_path, "does not belong to deck 0"),
        (_longer_path, "is not a place in a deck"),
        (_twice, "a card of deck 0 is opened twice"),
        (_not_opened, "where the deck has"),
        (_no_deck, "so no card can be checked"),
        (_out_of_the_deck, "is not a place in a deck"),
    ],
)
def test_a_forged_proof_is_named(copies: Copies, change: Callable[[verify.Json], None], says: str) -> None:
    """By what is wrong with it."""
    forged = copy.deepcopy(copies.guest)
    change(forged)
    problems = verify.check(forged).problems
    assert any(says in problem for problem in problems), problems


@pytest.mark.parametrize("kind", ["BetSettled", "HandExamined"])
def test_no_record_may_be_left_out(copies: Copies, kind: str) -> None:
    """Only a look of an earlier release, which held its cards."""
    forged = copy.deepcopy(copies.guest)
    entry = next(each for each in forged["records"] if each["type"] == kind)
    entry["digest"] = hashlib.sha256(entry.pop("data").encode()).hexdigest()
    with pytest.raises(verify.NoRecord):
        verify.check(forged)
    assert frozenset({verify.PRIVATE}) == BY_DIGEST


def test_a_round_in_play_opens_nothing(tmp_path: Path) -> None:
    """Not to an auditor either; also where a settlement was unwound and the round goes on."""
    store = SqlitePlace(tmp_path).open()
    floor = house(store, NOTHING)
    do(floor, OpenTable(table="T1", config=TableConfig(game="sun-casino-holdem")))
    buy_in(floor, "ana")
    at(floor, "T1", OpenRound(), PlaceBet(player="ana", box=1, bet="ante", amount=50_00), CloseBets())
    auditor = Person("eva", Post.AUDITOR, "")
    told = Past(floor, lambda: store).round(floor.tables["T1"], 1, auditor)
    assert [(deck.deck, deck.salt, deck.cards) for deck in told.decks] == [(None, None, None)]
    store.close()


def test_rounds_of_a_crowd_hold_for_everybody(tmp_path: Path) -> None:
    """All five games, with irregularities, redeals and awards: the copies of a guest and a player say the same."""
    store = SqlitePlace(tmp_path).open()
    play = Play(store, 5)
    play.play(900)
    past = Past(play.house, lambda: store)
    games = set()
    for table in play.house.tables.values():
        for number in range(1, table.round.number):
            whole = verify.check(json.loads(msgspec.json.encode(past.record(table, number, AUDITOR))))
            assert whole.problems == []
            for person in (None, Person("p1", Post.PLAYER, "")):
                copied = verify.check(json.loads(msgspec.json.encode(past.record(table, number, person))))
                assert copied.problems == []
                assert (copied.net, copied.settled, copied.rests) == (whole.net, whole.settled, whole.rests)
            games.add(table.terms.book.game)
    assert len(games) == 5
    store.close()
