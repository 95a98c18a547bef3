"""An award is a case of its own: claimed, locked when its turn comes, signed for, paid or denied."""

from __future__ import annotations

import pytest

from croupier.jackpots.commands import (
    AdjustMeter,
    ChangeParameters,
    CloseLink,
    DenyAward,
    LinkCommand,
    ReleaseAward,
    RuleDealOrder,
    SignAward,
)
from croupier.jackpots.decide import decide_link, due
from croupier.jackpots.events import AnyLinkEvent, AwardsLocked, CaseDenied, CasePaid, ClaimsEntered, HandsDealt
from croupier.jackpots.evolve import evolve_link, evolve_link_all
from croupier.jackpots.link import Case, CaseState, Link, contribution_of, new_link
from croupier.jackpots.parameters import Parameters, Rate
from croupier.rounds.events import AwardClaimed, Outcome
from croupier.rounds.refusal import Code, Refusal
from croupier.rulebooks.terms import Terms, table_terms
from croupier.rulebooks.vocabulary import Role
from tests.scripting import award, bet, close_bets, decide, examine, jackpot, replay, report, table

HOLDEM, MBS, SUN = "rws-multilink-holdem", "mbs-megalink-holdem", "sun-casino-holdem"
RATES = Parameters(reset=200_000_00, contribution=Rate(1, 5), reserve=Rate(1, 20))
MILLION = 1_000_000_00


class Linked:
    """A link and its tables; every event is kept, and what came in is always there, locked or paid."""

    def __init__(self, *games: str, meter: int = MILLION, parameters: Parameters = RATES) -> None:
        self.terms: dict[str, Terms] = {f"T{n}": table_terms(game, linked=True) for n, game in enumerate(games, 1)}
        self.link: Link = new_link(meter, parameters)
        self.events: list[AnyLinkEvent] = []

    def enter(self, *events: AnyLinkEvent) -> None:
        for event in events:
            self.link = evolve_link(self.link, event)
            assert self.link.balances, event
            assert min(self.link.meter, self.link.reserve, self.link.overflow, self.link.locked) >= 0
            self.events.append(event)

    def follow(self) -> None:
        self.enter(*due(self.terms.get, self.link))

    def deal(self, table: str, number: int = 1) -> None:
        self.enter(HandsDealt(table=table, round=number))

    def claim(self, table: str, *hands: tuple[int, str], number: int = 1, signatures: int = 2) -> None:
        awards = {award.hand: award for award in self.terms[table].book.jackpot.awards}
        claims = tuple(
            AwardClaimed(round=number, box=box, player=f"p{box}", staked=500, counts=500, units=1,
                         awards=(awards[hand],), named=hand, collected=True)
            for box, hand in hands
        )  # fmt: skip
        self.enter(ClaimsEntered(table=table, round=number, claims=claims, signatures=signatures))
        self.follow()

    def contribute(self, amount: int, table: str = "T1", number: int = 9, box: int = 1) -> None:
        self.enter(contribution_of(self.link, table, number, box, amount))

    def ask(self, command: LinkCommand) -> Code | None:
        verdict = decide_link(self.terms.get, self.link, command)
        if isinstance(verdict, Refusal):
            assert verdict.message.endswith(".")
            return verdict.code
        self.enter(*verdict)
        return None

    def sign(self, number: int, *people: str) -> None:
        for person in people:
            assert self.ask(SignAward(table=self.case(number).table, award=number, by=person)) is None

    def deny(self, number: int, by: Role = Role.SHIFT_MANAGER) -> Code | None:
        table = self.case(number).table
        return self.ask(DenyAward(table=table, award=number, by=by, who="sam", text="A card was foreign."))

    def case(self, number: int) -> Case:
        found = self.link.case(number)
        assert found is not None
        return found

    def states(self) -> dict[int, str]:
        return {case.number: case.state.value for case in self.link.cases}


# ---------------------------------------------------------------- the lock


def test_what_comes_in_while_two_people_sign_does_not_move_the_award() -> None:
    """rws-multilink-holdem 4.5.1, award-lock: claimed at 184,636.00, and 14.00 more comes in: 184,636.00 is paid, and
    the next meter starts at once from the reset value."""
    linked = Linked(HOLDEM, meter=184_636_00, parameters=Parameters(reset=50_000_00, contribution=Rate(1, 5)))
    linked.claim("T1", (1, "royal_flush"))
    assert (linked.link.cents, linked.link.locked_cents) == (50_000_00, 184_636_00)
    linked.contribute(70_00)
    assert linked.link.cents == 50_014_00
    linked.sign(1, "ines", "jon")
    assert linked.case(1).state is CaseState.PAID
    assert (linked.link.cents, linked.link.locked, linked.link.paid) == (50_014_00, 0, 184_636_00 * linked.link.scale)
    assert [hit.amount for hit in linked.link.last_hits] == [184_636_00]


def test_a_percentage_is_locked_from_the_meter_and_the_rest_grows_on() -> None:
    """rws-multilink-holdem 4.2, award-lock, partial-award-reset: 10% set aside, 90% stays."""
    linked = Linked(HOLDEM)
    linked.claim("T1", (1, "straight_flush"))
    assert (linked.link.cents, linked.link.locked_cents) == (900_000_00, 100_000_00)
    linked.contribute(100_00)
    linked.sign(1, "ines", "jon")
    assert linked.link.cents == 900_020_00


def test_the_second_winner_is_locked_from_what_the_first_has_left_before_anybody_signs() -> None:
    """rws-multilink-holdem 4.5.1, displayed-value (b), award-lock: clockwise, 100,000 then 900,000."""
    linked = Linked(HOLDEM)
    linked.claim("T1", (2, "straight_flush"), (5, "royal_flush"))
    assert [case.amount for case in linked.link.cases] == [100_000_00, 900_000_00]
    assert linked.link.cents == 200_000_00
    linked.sign(2, "jon", "ines")
    assert linked.states() == {1: "locked", 2: "paid"}


def test_a_waiting_award_is_locked_when_the_one_before_it_is() -> None:
    """rws-multilink-holdem 4.5.2, award-lock: T2 was dealt after T1; T1's claim is locked, so T2's has its turn at
    once, in whichever order they are signed for."""
    linked = Linked(HOLDEM, HOLDEM)
    linked.deal("T1")
    linked.deal("T2")
    linked.claim("T2", (1, "royal_flush"))
    assert linked.states() == {1: "claimed"}
    linked.sign(1, "ines", "jon")
    assert linked.states() == {1: "claimed"}
    linked.contribute(50_00)
    linked.claim("T1", (1, "royal_flush"))
    assert linked.states() == {1: "paid", 2: "locked"}
    assert linked.case(2).amount == 1_000_010_00
    assert linked.case(1).amount == 200_000_00


def test_the_first_entered_is_locked_first_whoever_is_signed_for_first() -> None:
    """mbs-megalink-holdem 3.14, award-lock: the second entered gets the reset value although it is signed for first."""
    linked = Linked(MBS, MBS)
    linked.claim("T1", (1, "royal_flush"))
    linked.claim("T2", (1, "royal_flush"))
    linked.sign(2, "ines", "jon")
    linked.sign(1, "ines", "jon")
    assert [hit.amount for hit in linked.link.last_hits] == [200_000_00, MILLION]


def test_pooled_straight_flushes_are_locked_together() -> None:
    """mbs-megalink-holdem 3.15.1, award-lock: 100,000 and 90,000, divided equally, in one lock."""
    linked = Linked(MBS)
    linked.claim("T1", (1, "straight_flush"), (3, "straight_flush"))
    assert [event.taken for event in linked.events if isinstance(event, AwardsLocked)] == [190_000_00 * 20]
    assert [case.amount for case in linked.link.cases] == [95_000_00, 95_000_00]


def test_the_floor_of_a_shared_award_is_topped_up_when_it_is_locked() -> None:
    """sun-casino-holdem Progressive Jackpot ¶1.c, sun-board-share: six shares of 500,000 with a base of 100,000."""
    linked = Linked(SUN, meter=500_000_00, parameters=Parameters(reset=100_000_00, contribution=Rate(0)))
    linked.claim("T1", *((box, "board_royal_flush") for box in range(1, 7)))
    assert [case.amount for case in linked.link.cases] == [100_000_00] * 6
    assert (linked.link.cents, linked.link.locked_cents) == (100_000_00, 600_000_00)
    for number in range(1, 7):
        linked.sign(number, "ines", "jon")
    assert linked.link.locked == 0


def test_after_a_fault_two_winners_run_the_frozen_value_down_and_the_meter_with_it() -> None:
    """rws-multilink-holdem 5.17.1, 4.5.1, jackpot-fault: the royal flush takes 100,000 and the straight flush a tenth
    of the reset value, so the meter ends at 45,000."""
    result = replay(
        table(HOLDEM, community="Qd Jd Td 2c 3s", box_1="Ad Kd", box_2="9d 8d"),
        jackpot("100000.00", reset="50000.00", contribution="0.00"),
        [bet(box, kind, amount) for box in (1, 2) for kind, amount in (("ante", "10.00"), ("jackpot", "5.00"))],
        [close_bets(), examine(1), report("jackpot_malfunction"), decide(1, "fold"), decide(2, "fold")],
    )
    assert result.awards() == [
        award("royal_flush", "100000.00", rules="5.17.1"),
        award("straight_flush", "5000.00", rules="5.17.1"),
    ]
    assert result.meter == "45000.00"


# ---------------------------------------------------------------- signatures


def test_two_different_people_sign_for_each_case() -> None:
    """rws-multilink-holdem 4.4: the same person twice, a stranger's table, or a case that is closed are refused."""
    linked = Linked(HOLDEM, HOLDEM)
    linked.claim("T1", (1, "royal_flush"))
    linked.sign(1, "ines")
    assert linked.case(1).signed == ("ines",)
    assert linked.ask(SignAward(table="T1", award=1, by="ines")) is Code.TWO_PEOPLE
    assert linked.ask(SignAward(table="T2", award=1, by="jon")) is Code.NOTHING_AWAITED
    assert linked.ask(SignAward(table="T1", award=2, by="jon")) is Code.NOTHING_AWAITED
    linked.sign(1, "jon")
    assert linked.ask(SignAward(table="T1", award=1, by="kim")) is Code.NOTHING_AWAITED


def test_a_paid_case_carries_the_line_of_its_own_round() -> None:
    """rws-multilink-holdem 4.2: round, box, player and paragraphs are those of the claim."""
    linked = Linked(HOLDEM)
    linked.claim("T1", (3, "royal_flush"), number=7, signatures=0)
    (paid,) = (event for event in linked.events if isinstance(event, CasePaid))
    assert (paid.line.round, paid.line.box, paid.line.won, paid.line.outcome) == (7, 3, MILLION, Outcome.WIN)
    assert "4.2" in paid.line.rules
    assert [(award.round, award.amount, award.from_meter) for award in paid.awards] == [(7, MILLION, True)]


# ---------------------------------------------------------------- denial


def test_a_denied_royal_flush_is_as_if_it_had_not_been_claimed() -> None:
    """rws-multilink-holdem 5.23, denied-claim, award-lock: the locked amount returns, the reset value goes back to the
    House and the reserve, the Bet is lost."""
    linked = Linked(HOLDEM)
    linked.contribute(100_00)
    before = linked.link
    linked.claim("T1", (1, "royal_flush"))
    linked.contribute(50_00, number=10)
    assert linked.deny(1, by=Role.PIT_MANAGER) is Code.NOT_AUTHORISED
    assert linked.deny(1) is None
    assert linked.link.cents == before.cents + 10_00
    assert (linked.link.reserve_cents, linked.link.topped_up) == (before.reserve_cents + 2_50, 0)
    (denied,) = (event for event in linked.events if isinstance(event, CaseDenied))
    assert (denied.line.outcome, denied.line.won, denied.line.returned) == (Outcome.LOSE, 0, 0)
    assert {"5.23", "denied-claim"} <= set(denied.line.rules)
    assert linked.deny(1) is Code.NOTHING_AWAITED


def test_a_denied_claim_that_waited_lets_the_next_have_its_turn() -> None:
    """rws-multilink-holdem 4.5.2, award-lock: T1's claim is denied before its turn came, so T2's is locked."""
    linked = Linked(HOLDEM, HOLDEM, HOLDEM)
    for name in ("T1", "T2", "T3"):
        linked.deal(name)
    linked.claim("T3", (1, "royal_flush"))
    linked.claim("T2", (1, "straight_flush"))
    assert linked.states() == {1: "claimed", 2: "claimed"}
    assert linked.deny(2) is None
    assert linked.states() == {1: "claimed", 2: "denied"}
    linked.claim("T1", (1, "straight_flush"))
    assert [case.amount for case in linked.link.cases] == [900_000_00, None, 100_000_00]


def test_one_of_two_pooled_claims_is_denied() -> None:
    """mbs-megalink-holdem 3.15.1, denied-claim: 95,000 of the pool returns to the meter, the other keeps its own."""
    linked = Linked(MBS)
    linked.claim("T1", (1, "straight_flush"), (3, "straight_flush"))
    assert linked.deny(1) is None
    assert (linked.link.cents, linked.link.locked_cents) == (905_000_00, 95_000_00)
    linked.sign(2, "ines", "jon")
    assert linked.link.paid == 95_000_00 * linked.link.scale


def test_a_denial_never_takes_more_from_the_meter_than_it_holds() -> None:
    """rws-multilink-holdem 1.20, award-lock: others have taken from the reset value meanwhile; the House leaves it."""
    parameters = Parameters(reset=200_000_00, contribution=Rate(0))
    linked = Linked(HOLDEM, HOLDEM, meter=1_000_00, parameters=parameters)
    linked.claim("T1", (1, "royal_flush"))
    for number in range(1, 60):
        linked.claim("T2", (1, "straight_flush"), number=number, signatures=0)
    assert linked.link.cents + 1_000_00 < 200_000_00
    assert linked.deny(1) is None
    assert linked.link.cents == 0


def test_a_denial_names_its_reason() -> None:
    """rws-multilink-holdem 5.23: a decision of the shift manager is on record in words."""
    linked = Linked(HOLDEM)
    linked.claim("T1", (1, "royal_flush"))
    silent = DenyAward(table="T1", award=1, by=Role.SHIFT_MANAGER, who="sam", text="")
    assert linked.ask(silent) is Code.FACT_MISSING


# ---------------------------------------------------------------- what is refused

CLOSED = Parameters(reset=100_00, contribution=Rate(1, 5))
TWO = {"link": "main", "by": "ines", "second": "jon"}
REFUSED: list[tuple[Code, bool, LinkCommand]] = [
    (Code.NOTHING_AWAITED, False, ReleaseAward(table="T1", by=Role.SHIFT_MANAGER)),
    (Code.NOTHING_AWAITED, False, ReleaseAward(table="T1", by=Role.DEALER)),
    (Code.FACT_MISSING, False, RuleDealOrder(table="T1", by=Role.SHIFT_MANAGER, tables=("T1", "T1"))),
    (Code.FACT_MISSING, False, RuleDealOrder(table="T1", by=Role.SHIFT_MANAGER, tables=("T9",))),
    (Code.NOT_AUTHORISED, False, RuleDealOrder(table="T1", by=Role.PIT_MANAGER, tables=("T1", "T2"))),
    (Code.TWO_PEOPLE, True, AdjustMeter(link="main", by="ines", second="ines", amount=1, cause="a count")),
    (Code.LINK_OPEN, False, AdjustMeter(**TWO, amount=1, cause="a count")),
    (Code.NO_CAUSE, True, AdjustMeter(**TWO, amount=1, cause="")),
    (Code.NO_AMOUNT, True, AdjustMeter(**TWO, amount=-MILLION - 1, cause="a count")),
    (Code.NO_AMOUNT, True, AdjustMeter(**TWO, amount=10**18, cause="a count")),
    (Code.BAD_PARAMETERS, True, ChangeParameters(**TWO, parameters=Parameters(reset=-1, contribution=Rate(1, 5)))),
    (Code.BAD_PARAMETERS, True, ChangeParameters(**TWO, parameters=Parameters(reset=1, contribution=Rate(6, 5)))),
    (Code.BAD_PARAMETERS, True, ChangeParameters(**TWO, parameters=Parameters(reset=1, contribution=Rate(1, 0)))),
    (Code.BAD_PARAMETERS, True, ChangeParameters(
        **TWO, parameters=Parameters(reset=1, contribution=Rate(1, 5), currency="ZAR"))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "closed", "command"), REFUSED, ids=[f"{i} {row[0].value}" for i, row in enumerate(REFUSED)]
)
def test_the_link_refuses_by_name(code: Code, closed: bool, command: LinkCommand) -> None:
    """Each command about a link that the rules or the House forbid, with its own word."""
    linked = Linked(HOLDEM, HOLDEM)
    if closed:
        assert linked.ask(CloseLink(link="main", by="ines")) is None
    assert linked.ask(command) is code


def test_no_measure_while_an_award_is_open() -> None:
    """A meter is corrected when nothing waits to be paid from it."""
    linked = Linked(HOLDEM)
    linked.claim("T1", (1, "royal_flush"))
    assert linked.ask(CloseLink(link="main", by="ines")) is None
    assert linked.ask(AdjustMeter(**TWO, amount=1, cause="a count")) is Code.ROUNDS_IN_PLAY
    linked.sign(1, "ines", "jon")
    assert linked.ask(AdjustMeter(**TWO, amount=1, cause="a count")) is None


def test_events_alone_give_the_same_link() -> None:
    """Replaying what happened, from the start, is where the link stands."""
    linked = Linked(HOLDEM, MBS)
    start = linked.link
    linked.claim("T1", (1, "straight_flush"), (2, "royal_flush"))
    linked.claim("T2", (4, "straight_flush"))
    linked.sign(1, "ines", "jon")
    assert linked.deny(3) is None
    assert evolve_link_all(start, linked.events) == linked.link
