"""(state, event) -> state. An event is a fact; here it is only entered, never judged."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeVar, assert_never

from msgspec.structs import replace

from croupier.rounds import events
from croupier.rounds.commands import ReportIncident
from croupier.rounds.state import (
    BETTING,
    FOLDED,
    FORFEITED,
    INVALID,
    LIVE,
    PLAYING,
    SETTLED,
    Awaiting,
    Box,
    LetStand,
    ReturnedStake,
    Round,
    Stage,
    Stake,
    Standing,
)
from croupier.rulebooks.vocabulary import Incident

T = TypeVar("T")


def evolve_all(state: Round, happened: Iterable[events.RoundEvent]) -> Round:
    for event in happened:
        state = evolve(state, event)
    return state


def evolve(state: Round, event: events.RoundEvent) -> Round:
    # The events of every Round come first, compared by type as in `decide`.
    if type(event) is events.CardsDealt:
        return replace(state, step=event.step + 1, dealt=state.dealt + event.to)
    if type(event) is events.BetSettled:
        return replace(state, lines=(*state.lines, event))
    if type(event) is events.CardsTurned:
        return _turned(state, event)
    if type(event) is events.HandDecided:
        return _decided(state, event)
    if type(event) is events.BetPlaced:
        return _placed(state, event)
    if type(event) is events.RoundOpened:
        return _opened(state, event)
    if type(event) is events.BetsClosed:
        boxes = tuple([replace(b, stands=LIVE) if b.number in event.hands else b for b in state.boxes])
        return replace(state, stage=PLAYING, boxes=boxes, hands=event.hands, jackpot_bets=event.jackpot_bets)
    if type(event) is events.RoundSettled:
        return replace(state, stage=SETTLED)
    if type(event) is events.HandExamined:
        return _examined(state, event)
    match event:
        case events.CardsCorrected():
            return _corrected(state, event)
        case events.HandHandled(box=number):
            return state.with_box(replace(state.box(number), handled=True))
        case events.BetWithdrawn():
            return _withdrawn(state, event)
        case events.AwardClaimed():
            return replace(state, claims=(*state.claims, event))
        case events.AwardPaid(round=number, box=box_number):
            claims = tuple(c for c in state.claims if (c.round, c.box) != (number, box_number))
            awards = (*state.awards, event) if number == state.number else state.awards
            return replace(state, claims=claims, awards=awards)
        case events.WalkedAway(player=player):
            return replace(state, absent=(*state.absent, player))
        case events.AbsenceExcused(box=number):
            return state.with_box(replace(state.box(number), excused=True))
        case events.RevealRefused(box=number):
            return state.with_box(replace(state.box(number), refused=True))
        case events.HandProved(box=number):
            return state.with_box(replace(state.box(number), proved=True))
        case events.IncidentReported(report=report):
            return _reported(state, report)
        case events.HandViewed() | events.NoticeGiven() | events.MispayNoted():
            return state
        case events.ActsConfirmed() | events.MispayFound() | events.MispayResolved():
            return _paid_out(state, event)
        case events.PlayerRestricted(player=player):
            return _standing(state, restricted=_with(state.standing.restricted, player))
        case events.HandInvalidated(box=number, rules=rules, lost=lost, settled=settled):
            box = replace(state.box(number), stands=INVALID, why=rules, lost=lost, settled=settled)
            return _out_of_every_wait(state.with_box(box), number)
        case events.BackingInvalidated():
            return _backing_out(state, event)
        case events.BetsForfeited(box=number, rules=rules):
            box = replace(state.box(number), stands=FORFEITED, why=rules)
            return _out_of_every_wait(state.with_box(box), number)
        case events.UnderMinimumNoted(player=player):
            noted = replace(state, noted_now=(*state.noted_now, player))
            return _standing(noted, under_minimum=_with(state.standing.under_minimum, player))
        case events.RoundVoided():
            return replace(state, stage=Stage.VOID, awaiting=())
        case events.RulingAwaited(report=report, role=role, decisions=decisions, rules=rules):
            asked = Awaiting(report=report, rules=rules, role=role, decisions=decisions)
            return replace(state, awaiting=(*state.awaiting, asked))
        case events.OptionsOffered(report=report, boxes=numbers, options=options, rules=rules):
            offered = Awaiting(
                report=report, rules=rules, boxes=numbers, options=options, withdraws_all=event.withdraws_all
            )
            return replace(state, awaiting=(*state.awaiting, offered))
        case events.OptionChosen(box=number, option=option):
            return _answered(state, number, option)
        case events.RulingGiven():
            return _ruled(state, event)
        case events.RoundReopened(number=number):
            return _reopened(state, number)
        case events.CardsRedealt():
            return _redealt(state, event)
        case events.MeterFrozen(suspends_jackpot_bets=suspends):
            frozen = replace(state, frozen=True)
            return _standing(frozen, jackpot_suspended=True) if suspends else frozen
        case events.JackpotBetsSuspended():
            return _standing(state, jackpot_suspended=True)
        case events.JackpotModeSet():
            return _mode_set(state, event)
        case events.PlayerStopped() | events.PlayerReadmitted():
            return _further_play(state, event)
        case _:
            assert_never(event)


def _opened(state: Round, event: events.RoundOpened) -> Round:
    standing = state.standing
    if event.day != standing.day:
        standing = replace(standing, day=event.day, under_minimum=())
    return Round(
        boxes=tuple([Box(number=box.number) for box in state.boxes]),
        number=event.number,
        stage=BETTING,
        # Only the first release carried claims on into later Rounds.
        claims=tuple([claim for claim in state.claims if not claim.collected]),
        standing=standing,
        rulebook=event.rulebook,
        confirms=event.confirms,
    )


def _reported(state: Round, report: ReportIncident) -> Round:
    if report.incident != Incident.CARDS_EXPOSED:
        return state
    return replace(state, exposed=state.exposed + report.cards_named)


def _paid_out(state: Round, event: events.ActsConfirmed | events.MispayFound | events.MispayResolved) -> Round:
    match event:
        case events.ActsConfirmed(acts=acts):
            return replace(state, acts_done=max(state.acts_done, acts[-1] + 1))
        case events.MispayFound(act=act):
            return replace(state, acts_done=max(state.acts_done, act + 1), mispay=event)
        case events.MispayResolved(put_right=put_right):
            found = state.mispay
            stands = () if found is None or put_right else (LetStand(found, event),)
            return replace(state, mispay=None, let_stand=state.let_stand + stands)


def _further_play(state: Round, event: events.PlayerStopped | events.PlayerReadmitted) -> Round:
    others = tuple(name for name in state.standing.prohibited if name != event.player)
    return _standing(state, prohibited=(*others, event.player) if isinstance(event, events.PlayerStopped) else others)


def _placed(state: Round, event: events.BetPlaced) -> Round:
    if event.remembered:
        state = _standing(state, under_minimum=_with(state.standing.under_minimum, event.player))
    box = state.box(event.box)
    earlier = box.stake_of(event.player, event.bet)
    if earlier is None:
        return state.with_box(replace(box, stakes=(*box.stakes, Stake(event.player, event.bet, event.amount))))
    raised = replace(earlier, amount=earlier.amount + event.amount)
    return state.with_box(replace(box, stakes=tuple(raised if s is earlier else s for s in box.stakes)))


def _withdrawn(state: Round, event: events.BetWithdrawn) -> Round:
    box = state.box(event.box)
    stake = box.stake_of(event.player, event.bet)
    if event.live and stake is not None:
        taken = replace(stake, taken_off=True)
        return state.with_box(replace(box, stakes=tuple(taken if s is stake else s for s in box.stakes)))
    return state.with_box(replace(box, stakes=tuple(s for s in box.stakes if s is not stake)))


def _backing_out(state: Round, event: events.BackingInvalidated) -> Round:
    box = state.box(event.box)
    out = tuple(ReturnedStake(stake, event.rules) for stake in box.stakes if stake.player == event.player)
    in_play = tuple(stake for stake in box.stakes if stake.player != event.player)
    return state.with_box(replace(box, stakes=in_play, returned=(*box.returned, *out)))


def _examined(state: Round, event: events.HandExamined) -> Round:
    box = state.box(event.box)
    first = not any(event.player in other.seen_by for other in state.boxes)
    seen_by = (*box.seen_by, event.player)
    cards = event.cards or box.cards
    return state.with_box(replace(box, seen_by=seen_by, seen_first=first, handled=True, cards=cards))


def _decided(state: Round, event: events.HandDecided) -> Round:
    box = state.box(event.box)
    choices = (*box.choices, event.choice)
    if event.choice == "fold":
        return state.with_box(replace(box, choices=choices, stands=FOLDED, why=event.rules))
    if event.bet is None:
        return state.with_box(replace(box, choices=choices))
    bet = event.bet
    stakes = (*box.stakes, *[Stake(part.player, bet, part.amount) for part in event.parts])
    return state.with_box(replace(box, choices=choices, stakes=stakes))


def _turned(state: Round, event: events.CardsTurned) -> Round:
    boxes = list(state.boxes)
    community, dealer = state.community, state.dealer
    for place, cards in event.cards.items():
        if place == "community":
            community = community + cards
        elif place == "dealer":
            dealer = cards
        else:
            index = int(place) - 1
            boxes[index] = replace(boxes[index], cards=cards, face_up=True)
    return replace(state, step=event.step, community=community, dealer=dealer, boxes=tuple(boxes))


def _corrected(state: Round, event: events.CardsCorrected) -> Round:
    boxes = tuple(
        replace(b, cards=event.cards[str(b.number)]) if str(b.number) in event.cards else b for b in state.boxes
    )
    community, dealer = event.cards.get("community", state.community), event.cards.get("dealer", state.dealer)
    return replace(state, boxes=boxes, community=community, dealer=dealer)


def _reopened(state: Round, number: int) -> Round:
    """Remove the lines, claims and notes of the settlement."""
    remembered = tuple(player for player in state.standing.under_minimum if player not in state.noted_now)
    unwound = replace(
        state,
        stage=PLAYING,
        lines=(),
        claims=tuple(claim for claim in state.claims if claim.round != number),
        reopened=True,
        awards=(),
        noted_now=(),
        acts_done=0,
        mispay=None,
    )
    return _standing(unwound, under_minimum=remembered)


def _redealt(state: Round, event: events.CardsRedealt) -> Round:
    """Keep the Bets placed before the deal; undo decisions and their Bets."""
    given_back = {(number, bet) for number, bet, _ in event.returned}
    boxes = []
    for box in state.boxes:
        stakes = tuple(s for s in box.stakes if (box.number, s.bet) not in given_back)
        stands = LIVE if box.stands is FOLDED else box.stands
        why = () if stands is LIVE else box.why
        dealt_in = Box(box.number, stakes, stands, why=why, lost=box.lost, settled=box.settled, returned=box.returned)
        boxes.append(dealt_in)
    return replace(
        state,
        stage=PLAYING,
        boxes=tuple(boxes),
        step=0,
        dealt=(),
        deals=state.deals + 1,
        exposed=0,
        community=(),
        dealer=(),
        awaiting=(),
    )


def _mode_set(state: Round, event: events.JackpotModeSet) -> Round:
    match event.mode:
        case "close_table":
            return _standing(state, closed=True)
        case "disallow_box" if event.box is not None:
            return _standing(state, disallowed_boxes=_with(state.standing.disallowed_boxes, event.box))
        case "no_jackpot_bets":
            return _standing(state, jackpot_suspended=True, notice=True)
        case _:
            return _standing(state, closed=False, disallowed_boxes=(), jackpot_suspended=False, notice=False)


def _answered(state: Round, number: int, option: str) -> Round:
    """Take one box out of the first offer of this option that still waits for it."""
    asked = next((a for a in state.awaiting if a.role is None and number in a.boxes and option in a.options), None)
    return _without(state, number, () if asked is None else (asked,))


def _out_of_every_wait(state: Round, number: int) -> Round:
    """Take a box whose Hand is out of the Round out of every offer."""
    return _without(state, number, [a for a in state.awaiting if a.role is None and number in a.boxes])


def _without(state: Round, number: int, offers: Collection[Awaiting]) -> Round:
    """Take a box out of these offers; an offer to no box is over."""
    left = []
    for waited in state.awaiting:
        if any(waited is offer for offer in offers):
            boxes = tuple(b for b in waited.boxes if b != number)
            left += [replace(waited, boxes=boxes)] if boxes else []
        else:
            left.append(waited)
    return replace(state, awaiting=tuple(left))


def _ruled(state: Round, event: events.RulingGiven) -> Round:
    """Close the question; mark the boxes that no paragraph covers as ruled."""
    asked = next((a for a in state.awaiting if event.decision in a.decisions), None)
    if asked is None:
        return state
    ruled = replace(state, awaiting=tuple(a for a in state.awaiting if a is not asked))
    for number in asked.report.boxes:
        ruled = ruled.with_box(replace(ruled.box(number), ruled=True))
    return ruled


def _standing(state: Round, **changes: object) -> Round:
    standing: Standing = replace(state.standing, **changes)
    return replace(state, standing=standing)


def _with(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    return items if item in items else (*items, item)
