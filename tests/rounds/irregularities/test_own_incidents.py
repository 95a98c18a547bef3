"""An incident that one rulebook declares itself is judged like any other, at the tables of that rulebook alone."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from croupier.rounds.commands import (
    CloseBets,
    DecideHand,
    ExamineHand,
    GiveRuling,
    OpenRound,
    ReportIncident,
    RoundCommand,
)
from croupier.rounds.decide import decide
from croupier.rounds.events import IncidentReported, RoundEvent, RulingAwaited
from croupier.rounds.evolve import evolve_all
from croupier.rounds.irregularities.previews import answers
from croupier.rounds.refusal import Code, Refusal
from croupier.rounds.state import HandStands, Stage
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.description.incident_coverage import uncovered_cases, unfit_declarations
from croupier.rulebooks.incidents import (
    AskRuling,
    CheckHand,
    Consequence,
    Continue,
    DeclaredIncident,
    FactName,
    FoldHand,
    ForfeitBets,
    FreezeMeter,
    InvalidateHand,
    Irregularity,
    Moment,
    OfferOptions,
    Redeal,
    RequiredFact,
    VoidRound,
    When,
    Whom,
)
from croupier.rulebooks.vocabulary import Role, Rulebook
from tests.laws.driving import House
from tests.own_incidents import DROPPED, GAME, p, with_incident
from tests.rounds.irregularities.test_matrix import PLAIN, T, bets, can_end, every_end, house_at, states

OPENED: list[RoundCommand] = [OpenRound(), *bets(GAME)]
DEALT: list[RoundCommand] = [*OPENED, CloseBets()]
LOOKED: list[RoundCommand] = [*DEALT, ExamineHand(player="ana", box=1)]
REPORT = ReportIncident(incident="card_dropped", boxes=(1,))


def of_book(house: House, book: Rulebook) -> House:
    """The same house, whose table plays by this book."""
    other = house.fork()
    other.tables = replace(house.tables, terms={T: replace(house.terms(T), book=book)})
    return other


def own(steps: list[RoundCommand], book: Rulebook | None = None) -> House:
    """A table of the rulebook with an incident of its own, after these steps."""
    house = house_at(GAME, "card_shoe", PLAIN, steps)
    return of_book(house, book or with_incident(declare(GAME)))


def refused(house: House, report: ReportIncident) -> Refusal:
    answer = house.do(T, report)
    assert answer is not None, "the report is accepted"
    return answer


# ---------------------------------------------------------------- judged by the entries of its book


def test_the_entry_that_fits_is_carried_out_and_says_the_declared_words() -> None:
    """No player has looked: the round is void."""
    house = own(DEALT)
    assert house.do(T, REPORT) is None
    assert house.state(T).stage is Stage.VOID
    assert {line.because for line in house.state(T).lines} == {"A card was dropped on the floor: the round is void."}
    assert {line.rules[0] for line in house.state(T).lines} == {"5.8"}


def test_a_ruling_that_its_entry_asks_for_has_the_answers_of_the_entry() -> None:
    """A player has looked: a pit supervisor chooses between the declared answers, and one puts the hand out."""
    house = own(LOOKED)
    assert house.do(T, REPORT) is None
    (waits,) = house.state(T).awaiting
    assert (waits.role, waits.decisions) == (Role.PIT_SUPERVISOR, ("card_replaced", "hand_out"))
    offered = answers(house.terms(T), house.state(T))
    assert {(answer.incident, answer.says) for answer in offered} == {
        ("card_dropped", "A card was dropped on the floor")
    }
    assert house.do(T, GiveRuling(by=Role.PIT_SUPERVISOR, decision="hand_out")) is None
    assert house.state(T).box(1).stands is HandStands.INVALID
    assert house.state(T).box(2).stands is HandStands.LIVE
    house.check_all()


def test_its_events_go_through_json_as_the_slug() -> None:
    """What is on disk names the incident by its slug, as for every other."""
    house = own(LOOKED)
    verdict = decide(house.terms(T), house.state(T), REPORT)
    assert not isinstance(verdict, Refusal)
    kept = [msgspec.json.encode(event) for event in verdict]
    assert all(b'"incident":"card_dropped"' in each for each in kept)
    read = tuple(msgspec.json.decode(each, type=RoundEvent) for each in kept)
    assert [type(event) for event in read] == [IncidentReported, RulingAwaited]
    assert evolve_all(house.state(T), read) == evolve_all(house.state(T), verdict)


# ---------------------------------------------------------------- what is refused


def test_another_rulebook_has_no_such_incident() -> None:
    """The refusal says which incidents the game has, and nothing is changed."""
    house = own(LOOKED, declare(GAME))
    refusal = refused(house, REPORT)
    assert refusal.code is Code.NOT_IN_THIS_GAME
    assert refusal.message.startswith('This game has no incident "card_dropped": it has walked_away, not_revealed, ')
    assert refusal.message.endswith(", late_error, uncovered.")
    assert house.state(T).awaiting == ()


def test_a_required_fact_that_the_report_lacks_is_asked_for() -> None:
    """Each in its own words."""
    asked: dict[RequiredFact, str] = {
        "boxes": "say which box",
        "player": "say which player",
        "count": "say how many cards",
        "affected": "say which other boxes are affected",
        "text": "say what happened",
    }
    for fact, words in asked.items():
        book = with_incident(declare(GAME), replace(DROPPED, required=(fact,)))
        refusal = refused(own(LOOKED, book), ReportIncident(incident="card_dropped"))
        assert (refusal.code, refusal.message) == (
            Code.FACT_MISSING, f"A card was dropped on the floor: {words}."
        )  # fmt: skip


def test_a_required_box_holds_a_hand_and_a_required_player_has_a_bet() -> None:
    """Box 5 was dealt no hand, and zoe has no bet."""
    assert refused(own(DEALT), replace(REPORT, boxes=(5,))).code is Code.NO_HAND
    book = with_incident(declare(GAME), replace(DROPPED, facts=("player",), required=("player",)))
    zoe = ReportIncident(incident="card_dropped", player="zoe")
    assert refused(own(DEALT, book), zoe).code is Code.NOT_AT_THE_TABLE


@pytest.mark.parametrize(
    ("moments", "steps", "code"),
    [
        ((Moment.WITH_CARDS,), OPENED, Code.NOT_DEALT_YET),
        ((Moment.BEFORE_CARDS,), DEALT, Code.TOO_LATE),
        ((Moment.BEFORE_CARDS, Moment.WITH_CARDS), "over", Code.TOO_LATE),
        (tuple(Moment), [], Code.NO_ROUND),
        (tuple(Moment), OPENED, None),
        (tuple(Moment), DEALT, None),
        (tuple(Moment), "over", None),
    ],
)
def test_it_is_reported_at_its_moments_alone(
    moments: tuple[Moment, ...], steps: list[RoundCommand] | str, code: Code | None
) -> None:
    """Before the deal, with cards in play, after the round: as declared; never before the first round."""
    book = with_incident(declare(GAME), replace(DROPPED, moments=moments))
    house = own(DEALT if isinstance(steps, str) else steps, book)
    if steps == "over":
        for box in (1, 2, 3):
            assert house.do(T, DecideHand(box=box, choice="fold")) is None
        assert house.state(T).stage is Stage.SETTLED
    refusal = house.do(T, REPORT)
    assert (None if refusal is None else refusal.code) == code


# ---------------------------------------------------------------- every known consequence, in every state

CONSEQUENCES: dict[str, Consequence] = {
    "void": VoidRound(),
    "continue": Continue(),
    "fold": FoldHand(),
    "check": CheckHand(),
    "invalidate": InvalidateHand(Whom.REPORTED, OfferOptions(Whom.OTHERS_AFFECTED, ("continue", "return"))),
    "forfeit": ForfeitBets(Whom.OF_PLAYER),
    "options": OfferOptions(Whom.ALL, ("continue", "return")),
    "ruling": AskRuling(Role.SHIFT_MANAGER, (("redealt", Redeal()), ("out", InvalidateHand(Whom.REPORTED)))),
    "redeal": Redeal(),
    "freeze": FreezeMeter(),
}
FACTS: tuple[FactName, ...] = ("boxes", "affected", "reconstructible")
ANYTIME = DeclaredIncident("card_dropped", "A card was dropped on the floor", FACTS, ("boxes",))


def entries(then: Consequence, *, reopens: bool) -> tuple[Irregularity, ...]:
    """The consequence while the box has something to decide and the cards are reconstructible, else a void round."""
    undecided, name = When.DECISIONS_REMAIN, ANYTIME.name
    return (
        Irregularity((p("5.8"),), name, then, (undecided, When.RECONSTRUCTIBLE), reopens=reopens),
        Irregularity((p("5.9"),), name, VoidRound(), (undecided, When.NOT_RECONSTRUCTIBLE), reopens=reopens),
        Irregularity((p("5.10"),), name, VoidRound(), (When.NO_DECISIONS_REMAIN,), reopens=reopens),
    )


@pytest.mark.parametrize("then", CONSEQUENCES.values(), ids=CONSEQUENCES)
@pytest.mark.parametrize(
    ("game", "dealing", "reopens"), [(GAME, "card_shoe", True), ("sun-casino-holdem", "standard", False)]
)
def test_every_consequence_may_follow_in_every_state_and_the_round_ends(
    game: str, dealing: str, reopens: bool, then: Consequence
) -> None:
    """No engine change is needed: chips and meter are conserved, the events replay, and the next round can open."""
    book = with_incident(declare(game), ANYTIME, entries(then, reopens=reopens))
    assert list(uncovered_cases(book, ANYTIME.name)) == []
    assert list(unfit_declarations(book)) == []
    ends = 0
    for _, house in states(game, dealing):
        for by, word in ((Role.DEALER, None), (Role.SHIFT_MANAGER, True)):
            told = of_book(house, book)
            report = ReportIncident(incident=ANYTIME.name, by=by, boxes=(1,), affected=(2,), reconstructible=word)
            if told.do(T, report) is not None:
                continue
            for end in every_end(told, set()):
                end.check_all()
                can_end(end)
                ends += 1
    assert ends > 50
