"""The Dealer's procedure at one table: what to say and do next, and what a report would lead to before it is made."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from croupier.floor.records.commands import AtTable, HandOverTable
from croupier.floor.records.people_facts import MeasureProposed
from croupier.floor.records.tables import Table
from croupier.floor.views.table_views import EffectView, Lawful, lawful_view, money_view
from croupier.money import Money, show
from croupier.rounds.choices import cannot_walk_away, lawful_choices
from croupier.rounds.commands import CorrectCards, DealCards, ExamineHand, PlayerName, ReportIncident, WalkAway
from croupier.rounds.dealing import (
    CardsToTurn,
    dealers_work,
    decision_due,
    decisions_remain,
    next_step,
    steps_to_deal,
)
from croupier.rounds.decide import decide
from croupier.rounds.events import IncidentReported, RoundEvent
from croupier.rounds.evolve import evolve_all
from croupier.rounds.irregularities.conditions import entries_of
from croupier.rounds.irregularities.previews import answers, folded_effect, money_of
from croupier.rounds.irregularities.reports import when_absent
from croupier.rounds.refusal import Code, Refusal
from croupier.rounds.settlement import chip_notes
from croupier.rounds.state import FOLDED, Round, Stage
from croupier.rulebooks.description.phrases import step_in_words
from croupier.rulebooks.incidents import Noticed
from croupier.rulebooks.vocabulary import BoxNo, Incident, Place, Role, When

_LOOKING = {
    When.PLAYER_HAS_SEEN,
    When.NO_PLAYER_HAS_SEEN,
    When.SEEN_OR_FACE_UP,
    When.NOTHING_SEEN_OR_FACE_UP,
    When.SEEN_FACE_UP_OR_EXPOSED,
    When.NOTHING_SEEN_FACE_UP_OR_EXPOSED,
    When.PLAYER_HAS_HANDLED,
    When.NO_PLAYER_HAS_HANDLED,
}
"""Conditions for which it matters which Players have looked at their cards."""


class ProcedureStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the dealing procedure in words."""

    says: str
    rules: tuple[str, ...]


class DecisionDue(msgspec.Struct, frozen=True, kw_only=True):
    """The decision that is due, and what each box may choose of it."""

    bet: str
    times_ante: int
    choices: tuple[str, ...]
    boxes: tuple[int, ...]
    choices_of: Mapping[str, list[str]]
    """By box."""
    rules: tuple[str, ...]


class Reportable(msgspec.Struct, frozen=True, kw_only=True):
    """An incident that may be reported now, and the facts that the report asks for."""

    incident: str
    says: str
    asks: list[str]
    rules: tuple[str, ...]
    do: Literal["report", "walk_away"] = "report"
    """The step that reports it."""


class ChipNote(msgspec.Struct, frozen=True, kw_only=True):
    """Chips in the round in play that the settlement will not take as they lie."""

    box: int
    player: str
    bet: str
    back: str
    """What of them goes back."""
    says: str
    rules: tuple[str, ...]


class WaitingCorrection(msgspec.Struct, frozen=True, kw_only=True):
    """A correction of cards at this table that waits for its second signature."""

    id: str
    says: str


class BoxSeat(msgspec.Struct, frozen=True, kw_only=True):
    """The player of a box between its bets, and the chips that they hold beside those on the table."""

    box: int
    player: str
    balance: str
    anonymous: bool
    """The house knows this patron by table and box alone."""


class WaitingHandOver(msgspec.Struct, frozen=True, kw_only=True):
    """A hand-over of this table that waits for a signature by the pit."""

    to: str
    count: str
    expected: str | None = None
    """What the house expects in the tray, from the last count and what the table has won since; null without one."""


class HandedOver(msgspec.Struct, frozen=True, kw_only=True):
    """A hand-over that was signed."""

    by: str
    to: str
    second: str
    at: str
    count: str
    expected: str | None = None
    """What the house expected in the tray then, from the count before; null where there was none."""


class RulingNote(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling of the round, as the person at the table carries it out."""

    number: int
    """Of its event at the table."""
    decision: str
    by: str
    """The role in which it was given."""
    who: str
    text: str
    """In the words of the person who ruled; of cards drawn together, where each of them goes."""
    boxes: tuple[int, ...]
    at: str
    carried_out_by: str = ""
    """Who has said that it is carried out; empty before."""


class PaidOutView(msgspec.Struct, frozen=True, kw_only=True):
    """Who said that an award is paid out, and when."""

    by: str
    at: str


class AwardPayment(msgspec.Struct, frozen=True, kw_only=True):
    """An award of a table that is signed for: it is to be paid until a person has said that it is."""

    award: int
    round: int
    box: int
    hand: str
    amount: str
    paid_out: PaidOutView | None


class Procedure(msgspec.Struct, frozen=True, kw_only=True):
    """The Dealer's procedure at a table, and what is asked of the Dealer now."""

    table: str
    round: int
    dealing: str
    rules: tuple[str, ...]
    steps: tuple[ProcedureStep, ...]
    at: int | None
    """The index of the step where the round stands; null where none is in play."""
    deal: bool
    """The Dealer deals now."""
    deals: tuple[int, ...]
    """The indexes of the steps that the Dealer deals now, one after the other, before they are put on record."""
    turn: Mapping[str, int]
    """How many cards the Dealer turns now, by place."""
    decision: DecisionDue | None
    incidents: list[Reportable]
    chip_notes: tuple[ChipNote, ...]
    bank: str
    """What the table's bank has won or lost since the table opened."""
    corrections: tuple[WaitingCorrection, ...]
    hand_overs: tuple[WaitingHandOver, ...]
    handed_over: HandedOver | None = None
    """The last hand-over that was signed."""
    deals_at: tuple[str, ...] = ()
    """Other tables whose round in play the reader deals."""
    payments: tuple[AwardPayment, ...] = ()
    """Awards of the table that are signed for: those to be paid, and the last ones that are."""
    rulings: tuple[RulingNote, ...] = ()
    """Rulings that were given in this round, the oldest first."""
    left: str = ""
    """Why the reader takes no steps here: they have handed the table over."""
    counted: bool = True
    """The house has a count of the tray, so that it knows what to expect there."""
    burnt: int = 0
    """Cards of this deal that are burnt, as the procedure has it."""
    seats: tuple[BoxSeat, ...] = ()
    """Who sits where at a table with real cards, also before they bet."""


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What a report would lead to."""

    accepted: Literal[True]
    rules: tuple[str, ...]
    stage: Stage
    redealt: bool
    money: Mapping[str, EffectView]
    """By box."""
    awaiting: list[Lawful]


def procedure_view(
    table: Table, bank: Money, by: Role = Role.SHIFT_MANAGER, proposed: Iterable[MeasureProposed] = ()
) -> Procedure:
    """Show every step in words, where the Round stands among them, and what is asked of the Dealer now.

    `proposed` are the measures that wait for a second signature; those that correct this table's
    cards or hand it over are shown.
    """
    terms, state, proposed = table.terms, table.round, tuple(proposed)
    playing = state.stage is Stage.PLAYING
    work = dealers_work(terms, state)
    deal = isinstance(work, DealCards)
    return Procedure(
        table=table.name,
        round=state.number,
        dealing=terms.dealing.name,
        rules=terms.dealing.rules,
        steps=tuple(ProcedureStep(says=step_in_words(step), rules=step.rules) for step in terms.dealing.steps),
        at=next_step(terms, state) if playing else None,
        deal=deal,
        deals=steps_to_deal(terms, state) if deal else (),
        turn={str(place): len(ordinals) for place, ordinals in work.places.items()}
        if isinstance(work, CardsToTurn)
        else {},
        decision=_decision(table),
        incidents=[*_leaving(table), *_reportable(table, by)],
        chip_notes=tuple(_chip_notes(table)) if playing else (),
        bank=show(bank),
        burnt=state.dealt.count(Place.BURN.value),
        corrections=tuple(
            WaitingCorrection(id=waits.proposal, says=waits.words)
            for waits in proposed
            if isinstance(waits.measure, AtTable)
            and waits.measure.table == table.name
            and isinstance(waits.measure.command, CorrectCards)
            and waits.measure.round in (None, state.number)  # an earlier release named no round
        ),
        hand_overs=tuple(
            WaitingHandOver(to=waits.measure.to, count=show(waits.measure.count))
            for waits in proposed
            if isinstance(waits.measure, HandOverTable) and waits.measure.table == table.name
        ),
    )


def _decision(table: Table) -> DecisionDue | None:
    terms, state = table.terms, table.round
    due = decision_due(terms, state)
    choices: dict[BoxNo, list[str]] = {}
    for lawful in lawful_choices(terms, state):
        choices.setdefault(lawful.box, []).append(lawful.choice)
    if due is None or not choices:
        return None
    decision = due[0]
    return DecisionDue(
        bet=decision.bet,
        times_ante=terms.bets[decision.bet].times_ante,
        choices=tuple(choice for choice in decision.choices if any(choice in own for own in choices.values())),
        boxes=tuple(choices),
        choices_of={str(box): own for box, own in choices.items()},
        rules=decision.rules,
    )


def _reportable(table: Table, by: Role) -> Iterator[Reportable]:
    """Yield what can be reported in this game at this moment, with the paragraphs that speak of it."""
    terms, state = table.terms, table.round
    hands = state.hands or tuple(box.number for box in state.boxes if box.stakes)
    further = tuple(number for number in hands if not state.box(number).seen_first)
    player = next((box.seated for box in state.boxes if box.seated is not None), None)
    for incident in terms.book.known_incidents:
        entries = entries_of(terms, incident.name)
        if incident.noticed is not Noticed.BY_REPORT or not (entries or incident.name == Incident.LATE_ERROR):
            continue
        boxes = (further if incident.name == Incident.EXTRA_HAND_EXAMINED else hands)[:1]
        probe = ReportIncident(
            incident=incident.name, boxes=boxes, affected=boxes, player=player, count=1, text=incident.words
        )
        if isinstance(decide(terms, state, probe), Refusal):
            continue
        rules = dict.fromkeys(rule for entry in entries for rule in entry.rules)
        if incident.name == Incident.UNCOVERED:
            rules = dict.fromkeys(terms.book.authority.uncovered)
        may_say = any(by >= entry.word_of for entry in entries)
        asks: list[str] = [fact for fact in incident.facts if fact != "reconstructible" or may_say]
        if any(_LOOKING & set(entry.when) for entry in entries):
            asks.append("looked")
        yield Reportable(incident=incident.name, says=incident.words, asks=asks, rules=tuple(rules))


def _leaving(table: Table) -> Iterator[Reportable]:
    """Yield that a player has left, where one of them has something to decide: the rulebook decides for them."""
    terms, state = table.terms, table.round
    seated = {box.seated for box in state.boxes if decisions_remain(terms, box)}
    if any(player is not None and cannot_walk_away(state, WalkAway(player=player)) is None for player in seated):
        incident = terms.book.incident(Incident.WALKED_AWAY)
        assert incident is not None
        rules = dict.fromkeys(rule for entry in entries_of(terms, incident.name) for rule in entry.rules)
        cited = tuple(rules or dict.fromkeys(terms.book.authority.uncovered))
        yield Reportable(incident=incident.name, says=incident.words, asks=["player"], rules=cited, do="walk_away")


def _chip_notes(table: Table) -> Iterator[ChipNote]:
    for note in chip_notes(table.terms, table.round):
        yield ChipNote(
            box=note.box,
            player=note.player,
            bet=note.bet,
            back=show(note.back),
            says=note.because,
            rules=note.rules,
        )


def walk_away_preview(table: Table, player: PlayerName) -> Preview | Refusal:
    """Preview what the rulebook decides at the boxes of a player who leaves; nothing is changed."""
    terms, state = table.terms, table.round
    if not player:
        return Refusal(Code.FACT_MISSING, "A player has left: say which player.")
    refusal = cannot_walk_away(state, WalkAway(player=player))
    if refusal is not None:
        return refusal
    followed: list[RoundEvent] = []
    for box in table.round.boxes:
        if box.seated == player:
            events = when_absent(terms, state, box.number)
            state = evolve_all(state, events)
            followed += events
    lost = {
        box.number: folded_effect(terms, box) for box in state.boxes if box.seated == player and box.stands is FOLDED
    }
    told = _preview(table, state, tuple(followed))
    return replace(told, money={**told.money, **money_view(lost)})


def preview_view(table: Table, report: ReportIncident, looked: Collection[BoxNo] = ()) -> Preview | Refusal:
    """Preview the paragraphs, the money of each box and the open questions after a report; nothing is changed.

    `looked` names boxes whose Players have looked at their cards, where it has not been entered yet.
    """
    terms, state = table.terms, table.round
    for box in state.boxes:
        if box.number in looked and box.seated is not None and box.seated not in box.seen_by:
            examined = decide(terms, state, ExamineHand(player=box.seated, box=box.number))
            if isinstance(examined, Refusal):
                return examined
            state = evolve_all(state, examined)
    verdict = decide(terms, state, report)
    if isinstance(verdict, Refusal):
        return verdict
    return _preview(table, evolve_all(state, verdict), verdict)


def _preview(table: Table, after: Round, events: tuple[RoundEvent, ...]) -> Preview:
    rules = dict.fromkeys(rule for event in events if isinstance(event, IncidentReported) for rule in event.rules)
    return Preview(
        accepted=True,
        rules=tuple(rules),
        stage=after.stage,
        redealt=after.deals > table.round.deals,
        money=money_view(money_of(after, events)),
        awaiting=[lawful_view(answer) for answer in answers(table.terms, after)],
    )
