"""What may be asked of a link, and who may ask it: rulings, signatures, measures of the House, refusals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Action, Post
from croupier.floor.house.house import House
from croupier.floor.people.people import STANDS_FOR
from croupier.floor.records.commands import (
    AtTable,
    BuyIn,
    CashOut,
    ChangeTerms,
    CloseSession,
    CloseTable,
    EnrolPerson,
    HouseCommand,
    NoteRefusal,
    OnLink,
    OpenLink,
    OpenSession,
    OpenTable,
    ProposeMeasure,
    RemovePerson,
    ReopenTable,
    Request,
    SettleMeasure,
    TableConfig,
    TakeTable,
)
from croupier.jackpots.commands import (
    AdjustMeter,
    ChangeParameters,
    CloseLink,
    ReleaseAward,
    ReopenLink,
    RuleDealOrder,
    SignAward,
)
from croupier.jackpots.link import CaseState
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.store import Store
from croupier.ledger import accounts
from croupier.money import MOST, money
from croupier.rounds.commands import CorrectCards, DealCards, OpenRound, ReportIncident, RoundCommand, TurnCards
from croupier.rulebooks.vocabulary import Incident, Role
from tests.floor.house_builder import (
    HOLDEM,
    ROYAL,
    STRAIGHT_FLUSH,
    ask,
    at,
    balance,
    bets,
    buy_in,
    do,
    house,
    open_link,
    open_table,
    play_out,
)
from tests.stores import SqlitePlace

QUARTER = Parameters(reset=money("200000.00"), contribution=Rate(1, 4))
ADJUST = AdjustMeter(link="main", by="max", second="eva", amount=-1, cause="A display was a cent ahead.")
CHANGE = ChangeParameters(link="main", by="max", second="eva", parameters=QUARTER)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = SqlitePlace(tmp_path).open()
    yield store
    store.close()


@pytest.fixture
def floor(store: Store) -> House:
    """T1 and T2 on one link, T3 on another, T4 on none; every award of T2, which is staffed, takes two signatures."""
    floor = house(store, STRAIGHT_FLUSH, ROYAL)
    open_link(floor, contribution=Rate(1, 4))
    do(floor, OpenLink(link="other", meter=0, parameters=QUARTER))
    open_table(floor, "T1")
    do(floor, OpenTable(table="T2", config=TableConfig(game=HOLDEM, link="main", staffed=True)))
    open_table(floor, "T3", link="other")
    open_table(floor, "T4", link=None)
    buy_in(floor, "ana")
    buy_in(floor, "ben")
    return floor


def refused(floor: House, *asked: tuple[HouseCommand, str]) -> None:
    """Each is refused with this code, and nothing of it is on record but the answer."""
    before = {stream: floor.store.head(stream).seq for stream in floor.store.streams() if stream != "answers"}
    assert [(command, ask(floor, command).code) for command, _ in asked] == list(asked)
    assert {stream: floor.store.head(stream).seq for stream in floor.store.streams() if stream != "answers"} == before


# ---------------------------------------------------------------- rulings and signatures


def test_who_may_rule_on_the_order_of_payment_and_on_what(floor: House) -> None:
    """rws-multilink-holdem 4.5: the shift manager or above, on tables of the link alone."""
    manager = Role.SHIFT_MANAGER
    refused(
        floor,
        (ReleaseAward(table="T4", by=manager), "nothing_awaited"),
        (ReleaseAward(table="T9", by=manager), "unknown_table"),
        (ReleaseAward(table="T1", by=Role.PIT_SUPERVISOR), "nothing_awaited"),
        (ReleaseAward(table="T1", by=manager), "nothing_awaited"),
        (RuleDealOrder(table="T1", by=Role.PIT_SUPERVISOR, tables=("T2", "T1")), "not_authorised"),
        (RuleDealOrder(table="T1", by=manager, tables=("T1", "T1")), "fact_missing"),
        (RuleDealOrder(table="T1", by=manager, tables=("T3", "T1")), "fact_missing"),
        (RuleDealOrder(table="T1", by=manager, tables=("T9", "T1")), "fact_missing"),
        (RuleDealOrder(table="T4", by=manager, tables=("T4",)), "fact_missing"),
    )
    do(floor, RuleDealOrder(table="T1", by=manager, tables=("T2", "T1")))


def test_an_award_that_waits_for_an_earlier_deal_is_released(floor: House) -> None:
    """T1 is dealt first and plays on; T2's royal flush waits for it, is signed for, and is paid when it is released."""
    at(floor, "T1", *bets("ana"))
    at(floor, "T2", *bets("ben"))
    play_out(floor, "T2")
    held = balance(floor, "player/ben")
    for name in ("max", "eva"):
        do(floor, SignAward(table="T2", award=1, by=name))
    assert balance(floor, "player/ben") == held
    refused(floor, (ReleaseAward(table="T1", by=Role.SHIFT_MANAGER), "nothing_awaited"))
    do(floor, ReleaseAward(table="T2", by=Role.SHIFT_MANAGER))
    assert balance(floor, "player/ben") > held + money("1000000.00")
    assert audit(floor.store).differences == ()


def test_an_award_is_signed_for_by_two_people_once_each(floor: House) -> None:
    """rws-multilink-holdem: nobody twice, nobody without a name, not for another round, and not once it is paid."""
    at(floor, "T1", *bets("ana"))
    play_out(floor, "T1")
    assert floor.links["main"].paid
    at(floor, "T2", *bets("ben"))
    play_out(floor, "T2")
    (case,) = floor.links["main"].open_cases
    assert (case.number, case.round, case.state) == (2, ("T2", 1), CaseState.LOCKED)
    refused(
        floor,
        (SignAward(table="T1", award=1, by="max"), "nothing_awaited"),
        (SignAward(table="T2", award=3, by="max"), "nothing_awaited"),
        (SignAward(table="T4", award=2, by="max"), "nothing_awaited"),
        (SignAward(table="T2", award=2, by=""), "two_people"),
        (replace(CHANGE, by="max"), "link_open"),
    )
    do(floor, SignAward(table="T2", award=2, by="max"))
    refused(floor, (SignAward(table="T2", award=2, by="max"), "two_people"))
    do(floor, CloseLink(link="main", by="max"))
    refused(floor, (CHANGE, "rounds_in_play"), (ADJUST, "rounds_in_play"))
    held = balance(floor, "player/ben")
    do(floor, SignAward(table="T2", award=2, by="eva"))
    assert balance(floor, "player/ben") > held
    refused(floor, (SignAward(table="T2", award=2, by="eva"), "nothing_awaited"))


def test_what_no_person_does_at_a_table(floor: House) -> None:
    """Where the program deals nobody enters or corrects a card; a link's fault is reported on a link."""
    at(floor, "T4", OpenRound())
    commands: list[RoundCommand] = [
        TurnCards(cards={}),
        DealCards(),
        CorrectCards(by=Role.SHIFT_MANAGER, who="max", second="eva", cards={}),
    ]
    refused(floor, *((AtTable(table="T4", command=command), "not_a_persons") for command in commands))
    fault = ReportIncident(incident=Incident.JACKPOT_MALFUNCTION, by=Role.SHIFT_MANAGER)
    foreign = ReportIncident(incident=Incident.FOREIGN_CARD, by=Role.SHIFT_MANAGER)
    refused(
        floor,
        (OnLink(link="main", report=foreign), "not_of_the_link"),
        (OnLink(link="none", report=fault), "unknown_link"),
        (TakeTable(table="T9"), "unknown_table"),
    )
    do(floor, OnLink(link="main", report=fault))
    types = {name: [record.type for record in floor.store.read(f"table/{name}")] for name in floor.tables}
    assert {name: kinds.count("IncidentReported") for name, kinds in types.items()} == {
        "T1": 1,
        "T2": 1,
        "T3": 0,
        "T4": 0,
    }
    assert floor.links["main"].faults == ()


# ---------------------------------------------------------------- the House's measures


def test_a_meter_is_corrected_by_two_people_with_a_cause_and_never_below_nothing(floor: House) -> None:
    """In whole cents, however fine its units; the House bears it."""
    refused(floor, (ADJUST, "link_open"), (replace(ADJUST, link="none"), "unknown_link"))
    do(floor, CloseLink(link="main", by="max"))
    refused(
        floor,
        (replace(ADJUST, by=""), "two_people"),
        (replace(ADJUST, second=""), "two_people"),
        (replace(ADJUST, second="max"), "two_people"),
        (replace(ADJUST, cause=""), "no_cause"),
        (replace(ADJUST, amount=-money("1000000.01")), "no_amount"),
    )
    below = ask(floor, replace(ADJUST, amount=-money("1000000.01"))).message
    assert below == "The meter holds 1000000.00 and cannot fall by 1000000.01."
    do(floor, ADJUST)
    assert floor.links["main"].cents == money("999999.99")
    do(floor, replace(ADJUST, amount=-money("999999.99")))
    assert (floor.links["main"].cents, floor.links["main"].balances) == (0, True)
    assert balance(floor, accounts.pool("main")) == balance(floor, accounts.top_ups("main")) == 0
    do(floor, replace(ADJUST, amount=money("5.00")))
    do(floor, ReopenLink(link="main", by="eva"))
    assert not floor.links["main"].closed
    assert audit(floor.store).differences == ()


def test_a_closed_link_takes_no_jackpot_bet_and_no_hand_is_in_play_when_it_is_changed(floor: House) -> None:
    """A Round that was dealt is played and paid before anything is changed."""
    at(floor, "T1", *bets("ana"))
    do(floor, CloseLink(link="main", by="max"))
    refused(floor, (CHANGE, "rounds_in_play"))
    play_out(floor, "T1")
    do(floor, CHANGE)
    opened, ante, jackpot, _ = bets("ana")
    at(floor, "T1", opened, ante)
    refused(floor, (AtTable(table="T1", command=jackpot), "link_closed"))
    do(floor, ReopenLink(link="main", by="max"))
    at(floor, "T1", jackpot)


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        (Parameters(reset=0, contribution=Rate(1, 2), reserve=Rate(1, 2)), ""),
        (Parameters(reset=0, contribution=Rate(1, 2), reserve=Rate(2, 3)), "bad_parameters"),
        (Parameters(reset=0, contribution=Rate(3, 2)), "bad_parameters"),
        (Parameters(reset=0, contribution=Rate(0, 1), reserve=Rate(1, 1)), ""),
        (Parameters(reset=0, contribution=Rate(0, 0)), "bad_parameters"),
        (Parameters(reset=0, contribution=Rate(1, -1)), "bad_parameters"),
        (Parameters(reset=0, contribution=Rate(1, 2), reserve=Rate(-1, 2)), "bad_parameters"),
        (Parameters(reset=0, contribution=Rate(1, 2), reserve=Rate(0, 0)), "bad_parameters"),
        (Parameters(reset=-1, contribution=Rate(0)), "bad_parameters"),
        (Parameters(reset=MOST, contribution=Rate(0)), ""),
        (Parameters(reset=MOST + 1, contribution=Rate(0)), "bad_parameters"),
        (Parameters(reset=100, contribution=Rate(0), cap=100), ""),
        (Parameters(reset=101, contribution=Rate(0), cap=100), "bad_parameters"),
    ],
)
def test_which_parameters_make_sense(store: Store, parameters: Parameters, code: str) -> None:
    """For a new link as for one that is changed."""
    floor = house(store)
    do(floor, OpenLink(link="main", meter=100, parameters=Parameters(reset=0, contribution=Rate(0))))
    do(floor, CloseLink(link="main", by="max"))
    assert ask(floor, OpenLink(link="new", meter=0, parameters=parameters)).code == code
    assert ask(floor, replace(CHANGE, parameters=parameters)).code == code
    assert ("new" in floor.links) == (not code)
    assert (floor.links["main"].parameters == parameters) == (not code)


# ---------------------------------------------------------------- openings, people, the cashier


def test_what_is_opened_or_changed_twice_or_cannot_be_is_refused(floor: House) -> None:
    """Tables, links, and what the pit changes at a table."""
    table, limits = TableConfig(game=HOLDEM), {"ante": (20_00, 500_00)}
    refused(
        floor,
        (OpenTable(table="T1", config=table), "table_exists"),
        (OpenTable(table="T/9", config=table), "bad_name"),
        (OpenTable(table="T9", config=replace(table, game="none")), "bad_terms"),
        (OpenTable(table="T9", config=replace(table, boxes=99)), "bad_terms"),
        (OpenTable(table="T9", config=replace(table, link="none")), "unknown_link"),
        (OpenLink(link="main", meter=0, parameters=QUARTER), "link_exists"),
        (OpenLink(link="..", meter=0, parameters=QUARTER), "bad_name"),
        (OpenLink(link="new", meter=-1, parameters=QUARTER), "no_amount"),
        (ReopenTable(table="T1", by="max"), "table_open"),
        (ChangeTerms(table="T1", by="max"), "no_change"),
        (ChangeTerms(table="T1", by="max", limits={"none": (1, 2)}), "bad_terms"),
        (ChangeTerms(table="T9", by="max", limits=limits), "unknown_table"),
    )
    do(floor, CloseTable(table="T1", by="max"))
    refused(floor, (CloseTable(table="T1", by="max"), "table_closed"))
    do(floor, ReopenTable(table="T1", by="max"))
    do(floor, ChangeTerms(table="T1", by="max", limits=limits))
    assert audit(floor.store).differences == ()


def test_a_table_takes_the_money_of_its_link(store: Store) -> None:
    """Whatever was asked for."""
    floor = house(store)
    do(floor, OpenLink(link="main", meter=0, parameters=replace(QUARTER, currency="ZAR")))
    do(floor, OpenTable(table="T1", config=TableConfig(game=HOLDEM, link="main", currency="SGD")))
    do(floor, OpenTable(table="T2", config=TableConfig(game=HOLDEM)))
    assert [floor.tables[name].config.currency for name in ("T1", "T2")] == ["ZAR", "ZAR"]
    assert audit(store).differences == ()


def test_a_house_has_one_money(store: Store) -> None:
    """A player's account holds chips of one currency, so no table and no link of another opens beside the first."""
    floor = house(store)
    do(floor, OpenTable(table="T1", config=TableConfig(game=HOLDEM)))
    do(floor, OpenTable(table="T2", config=TableConfig(game="sun-casino-holdem")))
    assert [table.terms.currency for table in floor.tables.values()] == ["SGD", "SGD"]
    in_rand = TableConfig(game="sun-casino-holdem", currency="ZAR")
    answer = ask(floor, OpenTable(table="T3", config=in_rand))
    assert (answer.code, answer.message) == (
        "other_currency",
        "Table T3 is in ZAR, and the money of this house is SGD.",
    )
    opened = OpenLink(link="main", meter=0, parameters=replace(QUARTER, currency="ZAR"))
    assert ask(floor, opened).code == "other_currency"
    assert audit(store).differences == ()


def test_people_are_enrolled_once_and_log_in_while_they_are_there(floor: House) -> None:
    """A name stands in addresses, so it is held to the same rules as a table's."""
    enrol = EnrolPerson(name="max", post=Post.DEALER, secret="")
    session = OpenSession(person="max", token_hash="hash", csrf="")
    refused(
        floor,
        (replace(enrol, name="."), "bad_name"),
        (replace(enrol, name="x" * 41), "bad_name"),
        (RemovePerson(name="max"), "unknown_person"),
        (session, "unknown_person"),
    )
    do(floor, enrol)
    refused(floor, (enrol, "person_exists"))
    do(floor, session)
    do(floor, replace(session, token_hash="another"))
    do(floor, CloseSession(token_hash="another"))
    do(floor, NoteRefusal(person="max", action="audit", what="rounds of ana"))
    assert floor.people.sessions.keys() == {"hash"}
    told = [record.type for record in floor.store.read("people")]
    assert told == ["PersonEnrolled", "SessionOpened", "SessionOpened", "SessionClosed", "AccessRefused"]
    do(floor, replace(enrol, name="x" * 40))
    do(floor, RemovePerson(name="max"))
    refused(floor, (session, "unknown_person"))
    assert floor.people.sessions == {}


def test_a_proposal_stands_for_a_quarter_of_an_hour_from_when_it_is_made(floor: House) -> None:
    """With a number of its own and a name; the measure in it is not done by anybody but a second person."""
    proposed = ProposeMeasure(proposal="p1", by="max", words="", second=Action.SIGN, measure=ADJUST)
    assert floor.process([Request("p1", proposed, 5_000)])[0].accepted
    assert floor.people.proposals["p1"].until == 5_000 + STANDS_FOR
    refused(
        floor,
        (replace(proposed, proposal="p2", by=""), "bad_proposal"),
        (SettleMeasure(proposal="p2", by="eva"), "unknown_proposal"),
        (SettleMeasure(proposal="p1", by="max"), "two_people"),
    )
    do(floor, SettleMeasure(proposal="p1", by="eva"))
    assert floor.people.proposals == {}


def test_the_cashier_books_both_ways(floor: House) -> None:
    """And nothing for nobody."""
    do(floor, BuyIn(player="eve", amount=30_00))
    do(floor, CashOut(player="eve", amount=29_99))
    assert balance(floor, "player/eve") == 1
    refused(
        floor,
        (BuyIn(player="", amount=1), "no_amount"),
        (CashOut(player="eve", amount=0), "no_amount"),
        (CashOut(player="eve", amount=2), "insufficient_funds"),
    )
