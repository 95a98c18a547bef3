"""The acts of a settlement: their order, what confirms them, what stops the table, and who may let a mispay stand."""

from __future__ import annotations

from itertools import repeat

import pytest
from msgspec.structs import replace

from croupier.jackpots.linked_tables import Tables
from croupier.rounds.commands import (
    CloseBets,
    ConfirmActs,
    Confirming,
    DecideHand,
    EnterAct,
    NoteMispay,
    OpenRound,
    PlaceBet,
    ReportIncident,
    ResolveMispay,
    RoundCommand,
)
from croupier.rounds.dealing import decision_due
from croupier.rounds.events import MispayNoted
from croupier.rounds.refusal import Code
from croupier.rounds.settlement_acts import acts, cannot_open, open_acts
from croupier.rounds.state import Stage
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.vocabulary import ChipMove, Role, SettlementOrder
from tests.floor.house_builder import deck
from tests.laws.driving import House, linked

HOLDEM, THREE_CARD = "rws-multilink-holdem", "rws-multilink-three-card"
ROYAL = {"1": "Ah Kh", "community": "Qh Jh Th 2c 3d", "dealer": "4s 5d"}
PAIR = {"1": "9h 9s", "community": "Ah Kd Qs 2c 3d", "dealer": "7s 8d"}
BEATEN = {"1": "9h 4c", "community": "Qh Jd 2s 3c 3d", "dealer": "Qs Jh"}
BY_DEALER = ConfirmActs(acts=(0,), who="dealer", by=Role.DEALER)


def settled(
    cards: dict[str, str],
    *more: RoundCommand,
    game: str = HOLDEM,
    confirms: Confirming = Confirming.TOGETHER,
    tables: Tables | None = None,
) -> House:
    """A Round of one box with 50.00 on the Ante, bet on to its end."""
    house = House(tables or linked({"T1": game}), repeat(deck(cards, game)))
    placed = PlaceBet(player="ana", box=1, bet="ante", amount=5000)
    for command in (OpenRound(confirms=confirms), placed, *more, CloseBets()):
        assert house.do("T1", command) is None
    while house.state("T1").stage is Stage.PLAYING:
        due = decision_due(house.terms("T1"), house.state("T1"))
        assert due is not None
        assert house.do("T1", DecideHand(box=1, choice=due[0].bet)) is None
    return house


def told(house: House) -> list[tuple[str, str, int]]:
    return [(act.move.value, act.bet, act.amount) for act in acts(house.terms("T1"), house.state("T1"))]


def code(house: House, command: RoundCommand) -> Code | None:
    refusal = house.do("T1", command)
    return None if refusal is None else refusal.code


JACKPOT = PlaceBet(player="ana", box=1, bet="jackpot", amount=500)
BONUS = PlaceBet(player="ana", box=1, bet="bonus", amount=1000)


def test_what_is_lost_is_taken_before_what_has_won_is_paid() -> None:
    """rws-multilink-holdem 3.13, 4.1; mbs-megalink-holdem 1.1.13 names collecting before paying."""
    assert told(settled(PAIR, BONUS, JACKPOT)) == [
        ("take", "jackpot", 500),
        ("pay", "bonus", 3000),
        ("pay", "flop", 10000),
        ("pay", "turn", 5000),
        ("pay", "river", 5000),
        ("leave", "ante", 5000),
    ]


def test_an_award_that_two_people_verify_is_no_act_of_the_settlement() -> None:
    """rws-multilink-holdem 4.2: the jackpot bet is taken at once, the award is paid by the link."""
    moves = told(settled(ROYAL, JACKPOT))
    assert ("take", "jackpot", 500) in moves
    assert not any(move == "pay" and bet == "jackpot" for move, bet, _ in moves)


def test_the_surplus_goes_back_before_the_rest_is_settled() -> None:
    """rws-multilink-holdem 5.1.1, 5.3.1: the Dealer returns the excess, then collects or pays."""
    more = PlaceBet(player="ana", box=1, bet="ante", amount=100_000, noticed=False)
    moves = told(settled(PAIR, more))
    assert moves[0] == ("give_back", "ante", 55_000)
    assert moves[-1] == ("leave", "ante", 50_000)


def test_a_void_round_gives_every_bet_back() -> None:
    """rws-multilink-holdem 5.21."""
    house = House(linked({"T1": HOLDEM}), repeat(deck(PAIR)))
    placed = PlaceBet(player="ana", box=1, bet="ante", amount=5000)
    report = ReportIncident(incident="foreign_card")
    for command in (OpenRound(confirms=Confirming.EACH), placed, BONUS, CloseBets(), report):
        assert house.do("T1", command) is None
    assert told(house) == [("give_back", "ante", 5000), ("give_back", "bonus", 1000)]
    assert code(house, OpenRound()) is Code.ACTS_OPEN


def test_a_rulebook_may_say_another_order() -> None:
    """Every move goes round the table before the next one begins."""
    tables = linked({"T1": HOLDEM})
    terms = tables.terms["T1"]
    order = SettlementOrder(moves=(ChipMove.PAY, ChipMove.TAKE, ChipMove.GIVE_BACK, ChipMove.LEAVE), box_by_box=False)
    own = replace(terms, book=replace(terms.book, settling=order))
    moves = told(settled(PAIR, JACKPOT, tables=replace(tables, terms={"T1": own})))
    assert [move for move, _, _ in moves] == ["pay", "pay", "pay", "take", "leave"]


@pytest.mark.parametrize("game", GAMES)
def test_without_confirmation_the_next_round_opens_as_ever(game: str) -> None:
    """A script and a virtual table settle by themselves."""
    house = settled({"1": "9h 4c 2d" if game == THREE_CARD else "9h 4c"}, game=game, confirms=Confirming.NO)
    assert open_acts(house.terms("T1"), house.state("T1")) == ()
    assert code(house, BY_DEALER) is Code.NO_ACT_OPEN
    assert code(house, OpenRound()) is None


def test_bets_are_not_opened_before_every_act_is_confirmed() -> None:
    """rws-multilink-holdem 1.25: a Round ends when the settlement for all Players is made."""
    house = settled(BEATEN)
    terms = house.terms("T1")
    refusal = cannot_open(terms, house.state("T1"))
    assert refusal is not None
    assert refusal.message == "The settlement is not confirmed: Box 1 Ante: take 50.00 and 3 more."
    assert code(house, OpenRound()) is Code.ACTS_OPEN
    assert code(house, ConfirmActs(acts=(1,), who="dealer")) is Code.NOT_THE_NEXT_ACT
    assert code(house, ConfirmActs(acts=(), who="dealer")) is Code.NOT_THE_NEXT_ACT
    assert code(house, BY_DEALER) is None
    assert code(house, ConfirmActs(acts=(1, 2, 3), who="dealer", by=Role.DEALER)) is None
    assert code(house, ConfirmActs(acts=(4,), who="dealer")) is Code.NO_ACT_OPEN
    assert code(house, OpenRound()) is None
    assert code(house, BY_DEALER) is Code.NO_ACT_OPEN


def test_a_table_may_ask_for_each_act_by_itself() -> None:
    """Confirming all the rest at once is a setting."""
    house = settled(BEATEN, confirms=Confirming.EACH)
    assert code(house, ConfirmActs(acts=(0, 1), who="dealer")) is Code.ONE_ACT_AT_A_TIME
    assert code(house, BY_DEALER) is None


def entered(act: int, did: ChipMove, amount: int) -> EnterAct:
    return EnterAct(act=act, did=did, amount=amount, who="camera")


def test_what_was_really_done_confirms_an_act_or_stops_the_table() -> None:
    """rws-multilink-holdem 3.14 decided the Bet, so it is cited; the Dealer puts it right."""
    house = settled(BEATEN)
    assert code(house, entered(0, ChipMove.TAKE, 5001)) is Code.WRONG_AMOUNT
    assert code(house, entered(0, ChipMove.LEAVE, 5000)) is Code.WRONG_AMOUNT
    assert code(house, entered(1, ChipMove.TAKE, 10000)) is Code.NOT_THE_NEXT_ACT
    assert code(house, entered(0, ChipMove.TAKE, 5000)) is None
    assert house.state("T1").mispay is None
    assert code(house, entered(1, ChipMove.PAY, 10000)) is None
    found = house.state("T1").mispay
    assert found is not None
    assert (found.over, found.rules) == (20000, ("3.14",))
    assert code(house, ConfirmActs(acts=(2,), who="dealer")) is Code.MISPAY_OPEN
    assert code(house, OpenRound()) is Code.MISPAY_OPEN
    assert code(house, ResolveMispay(by=Role.DEALER, who="dealer", put_right=True)) is None
    assert code(house, ResolveMispay(by=Role.DEALER, who="dealer", put_right=True)) is Code.NOTHING_AWAITED
    assert code(house, ConfirmActs(acts=(2, 3), who="dealer")) is None
    assert code(house, entered(0, ChipMove.TAKE, 5000)) is Code.NO_ACT_OPEN


def test_a_confirmed_act_may_still_prove_wrong_before_the_next_round() -> None:
    """The player says so before "Place your bets"."""
    house = settled(BEATEN)
    assert code(house, ConfirmActs(acts=(0, 1, 2, 3), who="dealer")) is None
    assert code(house, entered(3, ChipMove.TAKE, 0)) is None
    assert house.state("T1").acts_done == 4
    assert code(house, OpenRound()) is Code.MISPAY_OPEN


@pytest.mark.parametrize(
    ("game", "rules"), [(HOLDEM, ("5.23",)), ("mbs-megalink-holdem", ("6.1",)), ("sun-casino-holdem", ("Rules ¶5",))]
)
def test_that_a_mispay_stands_is_the_shift_managers_word(game: str, rules: tuple[str, ...]) -> None:
    """No document speaks of a mispay that is not put right: rws 5.23, mbs 6.1, sun Rules ¶5."""
    house = settled({"1": "9h 4c"}, game=game)
    first = acts(house.terms("T1"), house.state("T1"))[0]
    did = ChipMove.PAY if first.move is ChipMove.PAY else ChipMove.TAKE
    assert code(house, entered(0, did, first.amount - 100 if did is first.move else 100)) is None
    refused = house.do("T1", ResolveMispay(by=Role.PIT_MANAGER, who="manager", put_right=False, text="gone"))
    assert refused is not None
    assert refused.code is Code.NOT_AUTHORISED
    assert set(rules) <= set(refused.rules)
    silent = ResolveMispay(by=Role.SHIFT_MANAGER, who="shift", put_right=False)
    assert code(house, silent) is Code.FACT_MISSING
    assert code(house, replace(silent, text="The player has left.")) is None
    assert house.state("T1").mispay is None


def test_after_the_next_round_has_begun_it_stands() -> None:
    """rws-multilink-holdem 5.19, reading late-own-round: noticed too late, the Round stands."""
    house = settled(PAIR, confirms=Confirming.NO)
    late = NoteMispay(
        by=Role.SHIFT_MANAGER, who="shift", round=1, box=1, player="ana", bet="flop", over=5000, text="Seen on tape."
    )
    assert code(house, late) is Code.NOT_AN_EARLIER_ROUND
    assert code(house, OpenRound()) is None
    assert code(house, replace(late, by=Role.PIT_MANAGER)) is Code.NOT_AUTHORISED
    assert code(house, replace(late, box=9)) is Code.UNKNOWN_BOX
    assert code(house, replace(late, bet="call")) is Code.UNKNOWN_BET
    assert code(house, replace(late, over=0)) is Code.NO_AMOUNT
    assert code(house, replace(late, text="")) is Code.FACT_MISSING
    assert code(house, late) is None
    noted = house.events["T1"][-1]
    assert isinstance(noted, MispayNoted)
    assert noted.rules == ("5.19", "late-own-round")


def test_no_mispay_is_noted_before_the_first_round() -> None:
    """There is no earlier Round."""
    house = House(linked({"T1": HOLDEM}), repeat(deck(PAIR)))
    late = NoteMispay(
        by=Role.SHIFT_MANAGER, who="shift", round=1, box=1, player="ana", bet="flop", over=5000, text="Seen on tape."
    )
    assert code(house, late) is Code.NO_ROUND


def test_a_reopened_round_is_paid_out_anew() -> None:
    """rws-multilink-holdem 5.8.7: confirmed acts and an open mispay go with the settlement that is unwound."""
    house = settled(BEATEN)
    assert code(house, BY_DEALER) is None
    assert code(house, entered(1, ChipMove.TAKE, 0)) is None
    report = ReportIncident(incident="wrong_dealer_count", by=Role.PIT_SUPERVISOR, reconstructible=False)
    assert code(house, report) is None
    state = house.state("T1")
    assert (state.stage, state.acts_done, state.mispay) == (Stage.VOID, 0, None)
    assert {act.move for act in acts(house.terms("T1"), state)} == {ChipMove.GIVE_BACK}
