"""Looking back at a round: its own money and no other's, on the terms it was played on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.history.export import BadChoice, chosen, exported
from croupier.floor.history.played_rounds import Found, Past, Search
from croupier.floor.house.house import House
from croupier.floor.people.people import Person
from croupier.floor.records.commands import AtTable, ChangeTerms, OpenTable, Request, TableConfig
from croupier.jackpots.commands import SignAward
from croupier.jackpots.parameters import Rate
from croupier.journal.records import Record
from croupier.journal.store import Store, Wanted
from croupier.money import show
from croupier.rounds.commands import (
    CloseBets,
    ExamineHand,
    GiveRuling,
    OpenRound,
    PlaceBet,
    ReportIncident,
    RoundCommand,
)
from croupier.rounds.state import Stage
from croupier.rulebooks.vocabulary import Incident, Role
from tests.floor.house_builder import (
    HOLDEM,
    ROYAL,
    STRAIGHT_FLUSH,
    ask,
    at,
    bets,
    buy_in,
    do,
    house,
    open_link,
    open_table,
    play_out,
)
from tests.stores import SqlitePlace

AUDITOR = Person("ada", Post.AUDITOR, "")


class Step(msgspec.Struct):
    """One step of a round that is shown."""

    view: dict[str, object]


class Looked(msgspec.Struct):
    """One step of a round that is shown, by its event."""

    event: dict[str, object]


class OnTheLink(msgspec.Struct):
    """One record of a link in an export."""

    data: str

    @property
    def event(self) -> dict[str, object]:
        return msgspec.json.decode(self.data, type=dict[str, object])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = SqlitePlace(tmp_path).open()
    yield store
    store.close()


def staffed(store: Store, *decks: dict[str, str]) -> House:
    """A staffed table T1 on a link: its major awards wait for two signatures."""
    floor = house(store, *decks)
    open_link(floor)
    do(floor, OpenTable(table="T1", config=TableConfig(game=HOLDEM, link="main", staffed=True)))
    buy_in(floor, "ana")
    return floor


def sign(floor: House, award: int) -> None:
    for name in ("max", "eva"):
        do(floor, SignAward(table="T1", award=award, by=name))


def found(floor: House, store: Store, **search: object) -> dict[int, dict[str, object]]:
    """The rounds of T1, each in one line, by number."""
    lines = Past(floor, lambda: store).rounds(floor.tables["T1"], msgspec.convert(search, Search), AUDITOR)
    return {line.round: msgspec.to_builtins(line) for line in lines}


def shown(floor: House, store: Store, number: int) -> dict[str, object]:
    told: dict[str, object] = msgspec.to_builtins(Past(floor, lambda: store).round(floor.tables["T1"], number, AUDITOR))
    return told


# ---------------------------------------------------------------- awards that are paid later


def test_an_award_paid_during_a_later_round_is_money_of_its_own_round_alone(store: Store) -> None:
    """The royal flush of round 1 is signed for while round 2 is in play, which loses everything it stakes."""
    floor = staffed(store, ROYAL)
    at(floor, "T1", *bets("ana"))
    play_out(floor, "T1")
    assert found(floor, store)[1]["won"] == "50.00"
    at(floor, "T1", *bets("ana"))
    sign(floor, 1)
    play_out(floor, "T1")
    lines = found(floor, store)
    money = {
        number: [line[key] for key in ("staked", "won", "returned", "from_meter")] for number, line in lines.items()
    }
    assert money == {
        1: ["55.00", "1000050.00", "50.00", "1000000.00"],
        2: ["55.00", "0.00", "0.00", "0.00"],
    }
    assert found(floor, store, won=1_000_000_00).keys() == {1}
    assert found(floor, store, won=1_000_045_00).keys() == {1}
    assert found(floor, store, won=1_000_045_01).keys() == set()
    assert found(floor, store, lost=55_00).keys() == {2}
    first, second = shown(floor, store, 1), shown(floor, store, 2)
    for told, award in ((first, ["1000000.00"]), (second, [])):
        assert [paid["amount"] for paid in msgspec.convert(told["awards"], list[dict[str, object]])] == award
        lines_shown = msgspec.convert(told["lines"], list[dict[str, object]])
        assert [line["bet"] for line in lines_shown].count("jackpot") == 1
        assert [line["won"] for line in lines_shown if line["bet"] == "jackpot"] == (award or ["0.00"])


def test_an_award_is_found_although_an_earlier_ones_was_paid_in_between(store: Store) -> None:
    """Round 1 is paid while round 2 is in play, and round 2 while round 3 is."""
    floor = staffed(store, ROYAL, STRAIGHT_FLUSH)
    at(floor, "T1", *bets("ana"))
    play_out(floor, "T1")
    at(floor, "T1", *bets("ana"))
    sign(floor, 1)
    play_out(floor, "T1")
    at(floor, "T1", *bets("ana"))
    sign(floor, 2)
    play_out(floor, "T1")
    meters = {number: line["from_meter"] for number, line in found(floor, store).items()}
    assert meters == {1: "1000000.00", 2: "20000.00", 3: "0.00"}


def test_a_word_on_the_cards_after_the_payment_is_audited_as_it_was_judged(store: Store) -> None:
    """rws-multilink-holdem 5.8.7, post-settlement-window (b): reported while two people sign, paid, and then the pit
    supervisor's word waits for the shift manager; the audit comes to the same."""
    floor = staffed(store, ROYAL)
    at(floor, "T1", *bets("ana"))
    play_out(floor, "T1")
    at(floor, "T1", ReportIncident(incident=Incident.WRONG_DEALER_COUNT))
    sign(floor, 1)
    at(floor, "T1", GiveRuling(by=Role.PIT_SUPERVISOR, decision="not_reconstructible"))
    assert [waits.role for waits in floor.tables["T1"].round.awaiting] == [Role.SHIFT_MANAGER]
    assert audit(store).differences == ()
    at(floor, "T1", GiveRuling(by=Role.SHIFT_MANAGER, decision="reopen"))
    assert floor.tables["T1"].round.stage is Stage.VOID
    assert audit(store).differences == ()


def test_an_award_that_was_taken_back_is_not_shown_as_paid(store: Store) -> None:
    """A Round that is reopened and void has paid nothing, whatever its meter had paid before."""
    floor = house(store, ROYAL)
    open_link(floor)
    open_table(floor, "T1")
    buy_in(floor, "ana")
    at(floor, "T1", *bets("ana"))
    play_out(floor, "T1")
    assert found(floor, store)[1]["from_meter"] == "1000000.00"
    wrong = ReportIncident(incident=Incident.WRONG_DEALER_COUNT, by=Role.PIT_SUPERVISOR, reconstructible=False)
    at(floor, "T1", wrong, GiveRuling(by=Role.SHIFT_MANAGER, decision="reopen"))
    line = found(floor, store)[1]
    assert [line[key] for key in ("stage", "staked", "won", "returned", "from_meter")] == [
        "void", "55.00", "0.00", "55.00", "0.00",
    ]  # fmt: skip
    assert shown(floor, store, 1)["awards"] == []


# ---------------------------------------------------------------- looking for rounds


def line(number: int, table: str = "T1", **nets: int) -> Found:
    """A round in one line, with an Ante and a pair."""
    return Found(
        table=table, game=HOLDEM, edition=f"{HOLDEM}@2", round=number, at=f"{number:03}", began=number,
        stage=Stage.SETTLED, players=tuple(nets), bets=("ante",), hands=("Pair of Threes", "Royal Flush"),
        nets=nets, staked=0, won=0, returned=0, from_meter=0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("search", "fits"),
    [
        (Search(), True),
        (Search(bet="ante"), True),
        (Search(bet="flop"), False),
        (Search(hand="pair threes"), True),
        (Search(hand="ROYAL"), True),
        (Search(hand="royal threes"), False),
        (Search(won=100), True),
        (Search(won=101), False),
        (Search(won=0, player="ben"), False),
        (Search(lost=50), True),
        (Search(lost=51), False),
        (Search(lost=50, player="ana"), False),
        (Search(lost=50, player="ben"), True),
        (Search(bet="ante", hand="pair", won=100, lost=50), True),
    ],
)
def test_what_fits_a_search(search: Search, *, fits: bool) -> None:
    """Somebody's win and somebody's loss; with a name they are his. Every word of a hand stands in one hand's name."""
    assert search.fits(line(1, ana=100, ben=-50)) is fits
    assert search.looks_inside == (search != Search())


def test_rounds_are_found_in_pages_and_over_tables_the_newest_first(store: Store) -> None:
    """The newest of all tables, as many as are asked for; a page within one table begins where the last one ended."""
    floor = house(store)
    for name in ("T1", "T2"):
        open_table(floor, name, link=None)
    buy_in(floor, "ana")
    for moment, name in enumerate(("T1", "T2", "T1", "T1", "T2")):
        ante = PlaceBet(player="ana", box=1, bet="ante", amount=10_00)
        commands: tuple[RoundCommand, ...] = (OpenRound(), ante, CloseBets())
        for number, command in enumerate(commands):
            request = Request(f"{moment}-{number}", AtTable(table=name, command=command), 1_000_000 * (moment + 1))
            assert floor.process([request])[0].accepted
        play_out(floor, name)
    past = Past(floor, lambda: store)
    tables = list(floor.tables.values())

    def rounds(**search: object) -> list[tuple[object, object]]:
        return [(told.table, told.round) for told in past.search(tables, msgspec.convert(search, Search), AUDITOR)]

    assert rounds() == [("T2", 2), ("T1", 3), ("T1", 2), ("T2", 1), ("T1", 1)]
    assert rounds(limit=2) == [("T2", 2), ("T1", 3)]
    assert rounds(bet="ante", limit=3) == [("T2", 2), ("T1", 3), ("T1", 2)]
    # The decisions of T1's first round came later than 2,000,000, so it was in play then.
    assert rounds(since=2_000_000, until=5_000_000) == [("T1", 3), ("T1", 2), ("T2", 1), ("T1", 1)]
    assert rounds(player="ben") == []
    for search in ({}, {"bet": "ante"}):
        assert list(found(floor, store, **search, limit=1)) == [3]
        assert list(found(floor, store, **search, limit=1, skip=1)) == [2]
        assert list(found(floor, store, **search, limit=5, skip=2)) == [1]
        assert list(found(floor, store, **search, skip=3)) == []


def test_a_round_is_seen_with_other_eyes_only_when_it_is_over(store: Store) -> None:
    """From then on an auditor sees its deck as well; who is there and what they have bet on stands in its line from the
    start."""
    floor = house(store)
    open_table(floor, "T1", link=None)
    buy_in(floor, "ana")
    past, table = Past(floor, lambda: store), floor.tables["T1"]
    examine = ExamineHand(player="ana", box=1)
    at(floor, "T1", OpenRound(), PlaceBet(player="ana", box=1, bet="ante", amount=10_00), CloseBets(), examine)
    assert (found(floor, store)[1]["players"], found(floor, store)[1]["bets"]) == (("ana",), ("ante",))

    def seen(eyes: Person | None) -> tuple[bool, bool]:
        """Whether the hand that ana looked at shows, and whether the deck does."""
        told = msgspec.to_builtins(past.round(table, 1, AUDITOR, eyes))
        steps = msgspec.convert(told["steps"], list[Looked])
        (looked,) = [step for step in steps if step.event["type"] == "HandExamined"]
        (deck,) = msgspec.convert(told["decks"], list[dict[str, object]])
        assert (deck["deck"] is None) == (deck["salt"] is None)
        return "cards" in looked.event, deck["deck"] is not None

    ana = Person("ana", Post.PLAYER, "")
    assert (seen(None), seen(ana)) == ((False, False), (False, False))
    play_out(floor, "T1")
    assert (seen(None), seen(ana)) == ((False, True), (True, False))


def test_whoever_comes_back_hears_what_he_missed_unless_it_is_too_much(store: Store) -> None:
    floor = house(store)
    open_table(floor, "T1", link=None)
    at(floor, "T1", OpenRound())
    past, table = Past(floor, lambda: store), floor.tables["T1"]
    last = store.head("table/T1").seq
    for after, most, numbers in ((0, last, range(1, last + 1)), (1, last, range(2, last + 1)), (last, 1, ())):
        told = past.since(table, after, None, most)
        assert told is not None
        assert [event.seq for event in told] == list(numbers)
    assert past.since(table, 0, None, last - 1) is None


# ---------------------------------------------------------------- while play goes on


def test_a_search_shows_no_round_twice_although_others_begin_meanwhile(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two pages are passed over; a new round begins after each and pushes one of the last page onto the next."""
    floor = house(store)
    open_table(floor, "T1", link=None)
    buy_in(floor, "ana")

    def play() -> None:
        at(floor, "T1", OpenRound(), PlaceBet(player="ana", box=1, bet="ante", amount=10_00), CloseBets())
        play_out(floor, "T1")

    for _ in range(7):
        play()
    rounds = store.rounds

    def then_another(stream: str, wanted: Wanted) -> Sequence[Record]:
        openings = rounds(stream, wanted)
        play()
        return openings

    monkeypatch.setattr(store, "rounds", then_another)
    assert list(found(floor, store, bet="ante", skip=3, limit=2)) == [4, 3]
    assert list(found(floor, store, bet="none", limit=2)) == []


# ---------------------------------------------------------------- terms of its time


def test_a_round_is_shown_and_exported_on_the_terms_it_was_played_on(store: Store) -> None:
    """The pit raises the minimum after round 1 and again after round 2."""
    floor = house(store)
    open_table(floor, "T1", link=None)
    open_table(floor, "T2", link=None)
    buy_in(floor, "ana")
    for number in (1, 2, 3):
        ante = PlaceBet(player="ana", box=1, bet="ante", amount=number * 10_00)
        at(floor, "T1", OpenRound(), ante, CloseBets())
        play_out(floor, "T1")
        do(floor, ChangeTerms(table="T1", by="max", limits={"ante": ((number + 1) * 10_00, 1000_00)}))
        do(floor, ChangeTerms(table="T2", by="max", limits={"ante": (number * 7_00, 700_00)}))
    least = []
    for number in (1, 2, 3):
        steps = msgspec.convert(shown(floor, store, number)["steps"], list[Step])
        limits = [msgspec.convert(step.view["limits"], dict[str, tuple[str, str]]) for step in steps]
        assert all(other == limits[0] for other in limits)
        assert all(step.view["coming"] is None for step in steps)
        least.append(limits[0]["ante"][0])
    assert least == [show(10_00), show(20_00), show(30_00)]
    told = exported(store, [("T1", 1), ("T1", 2), ("T1", 3)])
    terms = [
        msgspec.convert(record["terms"], TableConfig)
        for record in msgspec.convert(told["rounds"], list[dict[str, object]])
    ]
    assert [dict(config.limits) for config in terms] == [{}, {"ante": (20_00, 1000_00)}, {"ante": (30_00, 1000_00)}]


# ---------------------------------------------------------------- what is exported


@pytest.mark.parametrize("name", ['the "big" one', "back\\slash", "Tisch:7", "Süd"])
def test_a_table_of_any_name_is_exported_with_what_it_did_on_its_link(store: Store, name: str) -> None:
    """Quotation marks, a backslash, a colon: whatever a table may be called."""
    floor = house(store)
    open_link(floor, contribution=Rate(1, 4))
    open_table(floor, name)
    open_table(floor, "T2")
    buy_in(floor, "ana")
    for table in (name, "T2"):
        at(floor, table, *bets("ana"))
        play_out(floor, table)
    export = exported(store, chosen([f"{name}:1"]))
    on_the_link = msgspec.convert(export["on_the_link"], list[OnTheLink])
    assert {told.event["type"] for told in on_the_link} >= {"Contributed", "HandsDealt", "RoundDecided"}
    assert {told.event["table"] for told in on_the_link} == {name}


@pytest.mark.parametrize("text", ["", "T1", "T1:", ":1", "T1:x", "T1:5-", "T1:5-4", "T1:1-10001", "T1:1234567890"])
def test_what_names_no_rounds_is_refused(text: str) -> None:
    with pytest.raises(BadChoice):
        chosen([text])


def test_spans_of_several_tables_are_chosen_in_their_order() -> None:
    """With commas or as separate words; ten thousand rounds at most."""
    assert chosen(["T1:5-7, T2:1", "T1:2"]) == [("T1", 5), ("T1", 6), ("T1", 7), ("T2", 1), ("T1", 2)]
    assert len(chosen(["T1:1-10000"])) == 10_000
    with pytest.raises(BadChoice):
        chosen(["T1:1-9999", "T2:1-2"])


def test_rounds_that_cannot_be_exported_are_named(store: Store) -> None:
    floor = house(store)
    open_table(floor, "T1", link=None)
    assert ask(floor, AtTable(table="T1", command=OpenRound())).accepted
    for rounds, says in (
        (("T9", 1), "T9"),
        (("T1", 2), "has not played round 2"),
        (("T1", 0), "has not played round 0"),
        (("T1", 1), "not ended"),
    ):
        with pytest.raises(BadChoice, match=says):
            exported(store, [rounds])
