"""Every game × every dealing procedure × every state of a round × every incident: exactly one rule applies, nothing
raises, no round is ever stuck, chips and meter are conserved, and the events replay."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import TypeAlias

import pytest
from msgspec.structs import replace

from croupier.cards import DECK, Card
from croupier.floor.records.codec import encode
from croupier.rounds.commands import (
    ChooseOption,
    CloseBets,
    DecideHand,
    ExamineHand,
    GiveRuling,
    HandleHand,
    OpenRound,
    PlaceBet,
    ReportIncident,
    RoundCommand,
    WalkAway,
)
from croupier.rounds.dealing import decision_due
from croupier.rounds.irregularities.conditions import condition
from croupier.rounds.irregularities.previews import answers
from croupier.rounds.state import Stage
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.description.incident_coverage import IMPLIES
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.vocabulary import BetKind, Incident, IncidentName, Role, When
from tests.laws.acting import REPORTABLE
from tests.laws.driving import House, linked

PROCEDURES = [(game, dealing.name) for game in GAMES for dealing in declare(game).dealings]
T = "T1"

# One deck with a straight flush for the first boxes in most procedures, one without anything.
LUCKY = tuple(sorted(DECK, key=lambda card: (card[1] != "h", "AKQJT98765432".index(card[0]))))
PLAIN = tuple(DECK[(29 * i + 5) % 52] for i in range(52))


def house_at(game: str, dealing: str, deck: tuple[Card, ...], steps: list[RoundCommand]) -> House:
    house = House(linked({T: game}, {T: dealing}), cycle([deck]))
    for step in steps:
        refusal = house.do(T, step)
        assert refusal is None, f"{step}: {refusal}"
    return house


def bets(game: str) -> list[RoundCommand]:
    """Three boxes, every kind of bet on the first, two players (three where a player has one box only)."""
    book = declare(game)
    third = "ana" if book.seating.several_boxes else "cho"
    placed: list[RoundCommand] = []
    for box, player, everything in ((1, "ana", True), (2, "ben", False), (3, third, True)):
        for bet in book.bets:
            if bet.kind is BetKind.JACKPOT and everything:
                placed.append(PlaceBet(player=player, box=box, bet=bet.name, amount=500))
            elif bet.kind is BetKind.ENTRY or (bet.kind is BetKind.SIDE and everything):
                placed.append(PlaceBet(player=player, box=box, bet=bet.name, amount=2500))
    return placed


def states(game: str, dealing: str) -> Iterator[tuple[str, House]]:
    """Every state that a round can be in, by name."""
    opened = [OpenRound(), *bets(game)]
    closed = [*opened, CloseBets()]
    looked = [*closed, ExamineHand(player="ana", box=1)]
    for name, deck in (("plain", PLAIN), ("lucky", LUCKY)):
        yield f"no round yet, {name}", house_at(game, dealing, deck, [])
        yield f"bets open, {name}", house_at(game, dealing, deck, [OpenRound()])
        yield f"bets lie, {name}", house_at(game, dealing, deck, opened)
        yield f"dealt, {name}", house_at(game, dealing, deck, closed)
        yield f"handled, {name}", house_at(game, dealing, deck, [*closed, HandleHand(player="ana", box=1)])
        yield f"looked, {name}", house_at(game, dealing, deck, looked)
        yield f"absent, {name}", house_at(game, dealing, deck, [*closed, WalkAway(player="ben")])
        house = house_at(game, dealing, deck, looked)
        yield from _through_the_decisions(house, name)
        held = house_at(game, dealing, deck, looked)
        assert held.do(T, ReportIncident(incident=Incident.UNCOVERED, text="a chair broke")) is None
        yield f"held for a ruling, {name}", held
        options = house_at(game, dealing, deck, closed)
        supervisor = ReportIncident(incident=Incident.DEALING_ERROR, by=Role.PIT_SUPERVISOR, reconstructible=False)
        assert options.do(T, supervisor) is None
        yield f"held for options or a ruling, {name}", options
        void = house_at(game, dealing, deck, closed)
        assert void.do(T, ReportIncident(incident=Incident.UNCOVERED)) is None
        assert void.do(T, GiveRuling(by=Role.SHIFT_MANAGER, decision="void")) is None
        yield f"void, {name}", void


def deck_of(state: str) -> str:
    """The deck that a state's name ends with."""
    return state.rpartition(", ")[2]


def _through_the_decisions(house: House, name: str) -> Iterator[tuple[str, House]]:
    """One box folds, then the rest bet and check on to the settlement; a snapshot at every decision."""
    first = True
    while house.state(T).stage is Stage.PLAYING:
        due = decision_due(house.terms(T), house.state(T))
        if due is None:
            break
        decision, boxes = due
        choice = decision.otherwise if first or decision.otherwise == "check" else decision.bet
        box = boxes[-1] if first else boxes[0]
        assert house.do(T, DecideHand(box=box, choice=choice)) is None
        first = False
        yield (
            f"{house.state(T).stage.value} after box {box} chose {choice} ({len(boxes) - 1} left), {name}",
            house.fork(),
        )


def reports(incident: IncidentName) -> Iterator[ReportIncident]:
    """The facts that matter for an incident, each way."""
    words: tuple[tuple[Role, bool | None], ...] = (
        (Role.DEALER, None),
        (Role.SHIFT_MANAGER, True),
        (Role.SHIFT_MANAGER, False),
    )
    match incident:
        case Incident.DECK_COUNT:
            for correct in (True, False):
                yield ReportIncident(incident=incident, correct=correct)
        case Incident.CARDS_EXPOSED:
            yield ReportIncident(incident=incident, count=1, boxes=(1,))
            yield ReportIncident(incident=incident, count=2, boxes=(1, 2))
            yield ReportIncident(incident=incident, count=1, dealer=True)
            yield ReportIncident(incident=incident, count=1, community=True)
        case Incident.MISDEALT | Incident.DEALING_ERROR | Incident.BURN_MISSED:
            for by, reconstructible in words:
                yield ReportIncident(incident=incident, by=by, boxes=(1, 2), reconstructible=reconstructible)
                yield ReportIncident(incident=incident, by=by, reconstructible=reconstructible)
        case Incident.WRONG_COMMUNITY_COUNT | Incident.WRONG_DEALER_COUNT:
            for by, reconstructible in words:
                yield ReportIncident(incident=incident, by=by, reconstructible=reconstructible)
        case Incident.WRONG_BOX_COUNT:
            for by, reconstructible in words:
                yield ReportIncident(
                    incident=incident, by=by, boxes=(1,), affected=(2, 3), reconstructible=reconstructible
                )
        case Incident.EXTRA_HAND_EXAMINED:
            yield ReportIncident(incident=incident, boxes=(3,))
        case Incident.CONTROLS_MULTIPLE_HANDS | Incident.NOT_CONFIDENTIAL | Incident.RULES_BREACH:
            yield ReportIncident(incident=incident, player="ana")
            yield ReportIncident(incident=incident, player="ben")
        case _:
            yield ReportIncident(incident=incident, boxes=(1,))


Met: TypeAlias = set[bytes]
"""States of a table and its link that have been played to every end, all with one deck."""


def every_end(house: House, met: Met) -> Iterator[House]:
    """Every way in which people may lawfully answer what the round waits for, played to the end.

    What happens next, and what each view shows, is a function of the state. So a state that other events have led to
    before is not played on again; only the laws about events are checked on those that led to it this time.
    """
    now = encode((house.tables.rounds, house.tables.link))
    if now in met:
        house.check_events()
        return
    met.add(now)
    state = house.state(T)
    for waits in state.awaiting[:1]:
        ways: list[RoundCommand]
        if waits.role is None:
            ways = [ChooseOption(box=waits.boxes[0], option=option) for option in waits.options]
        else:
            ways = [
                GiveRuling(by=waits.role, decision=decision, boxes=waits.report.boxes) for decision in waits.decisions
            ]
        for way in ways:
            answered = house.fork()
            refusal = answered.do(T, way)
            assert refusal is None, f"{way} is offered and refused: {refusal}"
            yield from every_end(answered, met)
        return
    due = decision_due(house.terms(T), state)
    if due is not None:
        decided = house.fork()
        assert decided.do(T, DecideHand(box=due[1][0], choice=due[0].bet)) is None
        yield from every_end(decided, met)
        return
    yield house


def can_end(house: House) -> None:
    """A round that has ended, or that still takes bets, may go on to the next."""
    state = house.state(T)
    assert state.stage is not Stage.PLAYING, "nobody is asked, nothing is due, and the round is not over"
    if state.stage is Stage.BETTING:
        if not any(box.stakes for box in state.boxes):
            assert house.do(T, PlaceBet(player="dan", box=4, bet="ante", amount=1000)) is None
        assert house.do(T, CloseBets()) is None
        return
    assert house.do(T, OpenRound()) is None


@pytest.mark.parametrize(("game", "dealing"), PROCEDURES, ids=[f"{g}-{d}" for g, d in PROCEDURES])
def test_every_incident_in_every_state_has_one_rule_and_an_end(
    game: str, dealing: str, record_property: Callable[[str, object], None]
) -> None:
    """Counted: games × states × incidents × facts, and the ways in which each can end."""
    counted: Counter[str] = Counter()
    met: defaultdict[str, Met] = defaultdict(set)
    for state, house in states(game, dealing):
        counted["states"] += 1
        for incident in REPORTABLE:
            for report in reports(incident):
                counted["reports"] += 1
                told = house.fork()
                if told.do(T, report) is not None:
                    counted["refused"] += 1
                    assert told.tables == house.tables, "a refusal changes nothing"
                    continue
                answers(told.terms(T), told.state(T))
                for end in every_end(told, met[deck_of(state)]):
                    counted["ends"] += 1
                    end.check_all()
                    can_end(end)
    for name, number in counted.items():
        record_property(name, number)
    assert counted["states"] >= 20
    assert counted["ends"] > counted["states"] * len(REPORTABLE) // 2


@pytest.mark.parametrize("game", GAMES)
def test_every_condition_has_a_meaning(game: str) -> None:
    """A rulebook's conditions are named values; the engine gives each its meaning once."""
    house = house_at(game, declare(game).dealings[0].name, PLAIN, [OpenRound(), *bets(game), CloseBets()])
    facts = ReportIncident(incident=Incident.UNCOVERED, boxes=(1,), player="ana")
    for when in When:
        assert condition(house.terms(T), house.state(T), facts, when, Role.PIT_SUPERVISOR) in (True, False, None)


@pytest.mark.parametrize(("game", "dealing"), PROCEDURES, ids=[f"{g}-{d}" for g, d in PROCEDURES])
def test_a_condition_that_implies_another_does_so_in_every_state(game: str, dealing: str) -> None:
    """The coverage of a rulebook leaves out cases that cannot be; the engine never meets one of them."""
    unseen = house_at(game, dealing, PLAIN, [OpenRound(), *bets(game), CloseBets()])
    told = (*reports(Incident.CARDS_EXPOSED), *reports(Incident.RULES_BREACH))
    for name, house in (*states(game, dealing), *_through_the_decisions(unseen, "unseen")):
        for report in told:
            facts = report if report.boxes else replace(report, boxes=(1,))
            holds = {when: condition(house.terms(T), house.state(T), facts, when, Role.PIT_SUPERVISOR) for when in When}
            for when, implied in IMPLIES.items():
                assert not holds[when] or all(holds[other] for other in implied), f"{when}: {name}"
