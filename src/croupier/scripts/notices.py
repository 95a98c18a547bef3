"""Notices: what staff say or show at the table, and what the record notes besides money."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.rounds.commands import PlayerName, ReportIncident
from croupier.rounds.events import (
    AwardPaid,
    BetPlaced,
    BetsClosed,
    BetSettled,
    BetWithdrawn,
    CardsDealt,
    CardsRedealt,
    CardsTurned,
    HandDecided,
    HandExamined,
    HandViewed,
    IncidentReported,
    JackpotModeSet,
    MeterFrozen,
    NoticeGiven,
    PlayerReadmitted,
    PlayerRestricted,
    PlayerStopped,
    RoundEvent,
    RoundReopened,
    RoundSettled,
    RoundVoided,
    RulingGiven,
    WalkedAway,
)
from croupier.rounds.incidents import entries_of, fitting
from croupier.rounds.state import HandStands, Round, Stage
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET, Continue, Incident
from croupier.scripts.result import Notice


def opening_notices(terms: Terms, state: Round) -> Iterable[Notice]:
    """Yield the notices before the Round."""
    if terms.dealing.announce:
        yield Notice(f"Cards are dealt by {terms.dealing.name.replace('_', ' ')}.", terms.dealing.announce)
    if state.standing.notice and terms.book.measures is not None:
        yield Notice("No jackpot bets are accepted or paid at this table.", terms.book.measures.no_jackpot_bets)


_SAYS_NOTHING = frozenset((BetsClosed, CardsDealt, CardsTurned, BetSettled, RoundSettled))
"""The most frequent events, none of which brings a notice."""

_MAY: dict[type[RoundEvent], str] = {
    PlayerRestricted: "bet on one position only",
    PlayerStopped: "not play on",
    PlayerReadmitted: "play again",
}


def notices_of(terms: Terms, state: Round, event: RoundEvent) -> Iterable[Notice]:
    """Return the notices that one event adds to its Round."""
    if type(event) in _SAYS_NOTHING:
        return ()
    return _notices(terms, state, event)


def _notices(terms: Terms, state: Round, event: RoundEvent) -> Iterable[Notice]:
    match event:
        case BetPlaced(by=by, box=box, player=player, rules=rules):
            if by is not None:
                yield Notice(f"A {by.title} placed {event.bet} on box {box} for {player}, at the player's risk.", rules)
            others = [b.number for b in state.boxes if b.number != box and player == b.seated]
            first = sum(stake.player == player for stake in state.box(box).stakes) == 1
            if others and first and terms.book.seating.several_boxes:
                yield Notice(f"{player} plays several boxes and may look at one hand only.", terms.book.examining.rules)
        case BetWithdrawn(live=True, rules=rules):
            yield Notice(f"{event.player} took {event.bet} off box {event.box}; it is still won or lost.", rules)
        case HandExamined(noticed=False):
            yield _looked(terms, state, event)
        case HandViewed(by=by):
            refusal = terms.book.not_shown
            yield Notice(f"A {by.title} looked at the hand of box {event.box}.", refusal.view_rules if refusal else ())
        case PlayerRestricted() | PlayerStopped() | PlayerReadmitted():
            yield Notice(f"{event.player} may {_MAY[type(event)]}.", event.rules)
        case WalkedAway(player=player):
            yield from _left(terms, state, player)
        case IncidentReported(report=report, rules=rules):
            text = f": {report.text}" if report.text else ""
            yield Notice(f"{terms.book.words_of(report.incident)}{text}.", rules)
        case RulingGiven(by=by, decision=decision, rules=rules):
            text = f": {event.text}" if event.text else ""
            yield Notice(f"The {by.title} ruled {decision.replace('_', ' ')}{text}.", rules)
        case RoundReopened(rules=rules):
            yield Notice("The settlement is unwound.", rules)
        case RoundVoided(because=because, rules=rules):
            yield Notice(because, rules)
        case CardsRedealt(rules=rules):
            yield Notice("Everything is dealt again.", rules)
        case MeterFrozen(rules=rules):
            yield Notice("Awards of this round are paid from the meter as registered before the fault.", rules)
        case JackpotModeSet(mode=mode, rules=rules):
            yield Notice(f"The House chose {mode.replace('_', ' ')}.", rules)
        case NoticeGiven(text=text, rules=rules):
            yield Notice(text, rules)
        case HandDecided(deemed=True, choice="fold", box=box, rules=rules):
            left_late = len(state.box(box).choices) > 1 and state.box(box).has(JACKPOT_BET)
            if left_late and terms.book.jackpot.folded_community_only:
                told = "only the community awards are left to its jackpot bet, so the shift manager is informed"
                yield Notice(f"Box {box} was left after its Flop: {told}.", rules)
        case AwardPaid(player=player) if player in state.absent:
            yield Notice(f"{player} has left; the award is held for them.", event.rules)


def _left(terms: Terms, state: Round, player: PlayerName) -> Iterable[Notice]:
    """Yield a notice for each Hand that is settled although its Player left; the others wait for their turn."""
    for box in state.boxes:
        if state.stage is not Stage.PLAYING or box.seated != player or box.stands is not HandStands.LIVE:
            continue
        report = ReportIncident(incident=Incident.WALKED_AWAY, boxes=(box.number,), player=player)
        entry = fitting(terms, state, report) if entries_of(terms, Incident.WALKED_AWAY) else None
        if entry is not None and isinstance(entry.then, Continue):
            told = f"{player} left box {box.number} with nothing to decide; its bets are still settled."
            yield Notice(told, entry.rules)


def _looked(terms: Terms, state: Round, event: HandExamined) -> Notice:
    examining = terms.book.examining
    if examining.side_bet_only and not state.box(event.box).has(ANTE_BET):
        told = f"{event.player} looked at box {event.box}, which is the Dealer's to turn."
        return Notice(told, examining.side_bet_only)
    return Notice(f"{event.player} looked at box {event.box} as well.", examining.rules)
