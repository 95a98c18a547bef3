"""Notices: what staff say or show at the table, and what the record notes besides money."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.rounds import events
from croupier.rounds.commands import PlayerName, ReportIncident
from croupier.rounds.irregularities.conditions import entries_of, fitting
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


_SAYS_NOTHING = frozenset(
    (events.BetsClosed, events.CardsDealt, events.CardsTurned, events.BetSettled, events.RoundSettled)
)
"""The most frequent events, none of which brings a notice."""

_MAY: dict[type[events.RoundEvent], str] = {
    events.PlayerRestricted: "bet on one position only",
    events.PlayerStopped: "not play on",
    events.PlayerReadmitted: "play again",
}


def notices_of(terms: Terms, state: Round, event: events.RoundEvent) -> Iterable[Notice]:
    """Return the notices that one event adds to its Round."""
    if type(event) in _SAYS_NOTHING or (type(event) is events.HandDecided and not event.deemed):
        return ()
    return _notices(terms, state, event)


def _notices(terms: Terms, state: Round, event: events.RoundEvent) -> Iterable[Notice]:
    match event:
        case events.BetPlaced(by=by, box=box, player=player, rules=rules):
            if by is not None:
                yield Notice(f"A {by.title} placed {event.bet} on box {box} for {player}, at the player's risk.", rules)
            others = [b.number for b in state.boxes if b.number != box and player == b.seated]
            first = sum(stake.player == player for stake in state.box(box).stakes) == 1
            if others and first and terms.book.seating.several_boxes:
                yield Notice(f"{player} plays several boxes and may look at one hand only.", terms.book.examining.rules)
        case events.BetWithdrawn(live=True, rules=rules):
            yield Notice(f"{event.player} took {event.bet} off box {event.box}; it is still won or lost.", rules)
        case events.HandExamined(noticed=False):
            yield _looked(terms, state, event)
        case events.HandViewed(by=by):
            refusal = terms.book.not_shown
            yield Notice(f"A {by.title} looked at the hand of box {event.box}.", refusal.view_rules if refusal else ())
        case events.PlayerRestricted() | events.PlayerStopped() | events.PlayerReadmitted():
            yield Notice(f"{event.player} may {_MAY[type(event)]}.", event.rules)
        case events.WalkedAway(player=player):
            yield from _left(terms, state, player)
        case events.IncidentReported(report=report, rules=rules):
            text = f": {report.text}" if report.text else ""
            yield Notice(f"{terms.book.words_of(report.incident)}{text}.", rules)
        case events.RulingGiven(by=by, decision=decision, rules=rules):
            text = f": {event.text}" if event.text else ""
            yield Notice(f"The {by.title} ruled {decision.replace('_', ' ')}{text}.", rules)
        case events.RoundReopened(rules=rules):
            yield Notice("The settlement is unwound.", rules)
        case events.RoundVoided(because=because, rules=rules):
            yield Notice(because, rules)
        case events.CardsRedealt(rules=rules):
            yield Notice("Everything is dealt again.", rules)
        case events.MeterFrozen(rules=rules):
            yield Notice("Awards of this round are paid from the meter as registered before the fault.", rules)
        case events.JackpotModeSet(mode=mode, rules=rules):
            yield Notice(f"The House chose {mode.replace('_', ' ')}.", rules)
        case events.NoticeGiven(text=text, rules=rules):
            yield Notice(text, rules)
        case events.HandDecided(deemed=True, choice="fold", box=box, rules=rules):
            left_late = len(state.box(box).choices) > 1 and state.box(box).has(JACKPOT_BET)
            if left_late and terms.book.jackpot.folded_community_only:
                told = "only the community awards are left to its jackpot bet, so the shift manager is informed"
                yield Notice(f"Box {box} was left after its Flop: {told}.", rules)
        case events.AwardPaid(player=player) if player in state.absent:
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


def _looked(terms: Terms, state: Round, event: events.HandExamined) -> Notice:
    examining = terms.book.examining
    if examining.side_bet_only and not state.box(event.box).has(ANTE_BET):
        told = f"{event.player} looked at box {event.box}, which is the Dealer's to turn."
        return Notice(told, examining.side_bet_only)
    return Notice(f"{event.player} looked at box {event.box} as well.", examining.rules)
