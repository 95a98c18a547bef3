"""Consequences as events: void, continue, fold, invalidate, forfeit, options, ruling, redeal, frozen meter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from croupier.rounds import events
from croupier.rounds.commands import PlayerName, ReportIncident
from croupier.rounds.evolve import evolve_all
from croupier.rounds.settlement import void
from croupier.rounds.state import Box, HandStands, Round, Stage
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import (
    JACKPOT_BET,
    AskRuling,
    BetKind,
    BoxNo,
    CheckHand,
    Consequence,
    Continue,
    Decision,
    FoldHand,
    ForfeitBets,
    FreezeMeter,
    InvalidateHand,
    OfferOptions,
    Redeal,
    Rules,
    VoidRound,
    Whom,
)

LIVE, FOLDED = HandStands.LIVE, HandStands.FOLDED


def carry_out(
    terms: Terms, state: Round, facts: ReportIncident, rules: Rules, then: Consequence
) -> tuple[events.RoundEvent, ...]:
    """Return the consequence as events."""
    match then:
        case VoidRound():
            return tuple(void(terms, state, rules, f"{terms.book.words_of(facts.incident)}: the round is void."))
        case Continue():
            return ()
        case FoldHand():
            return tuple(deemed(terms, state.box(number), "fold", rules) for number in facts.boxes)
        case CheckHand():
            return tuple(deemed(terms, state.box(number), "check", rules) for number in facts.boxes)
        case InvalidateHand(whom=whom, then=options):
            out: tuple[events.RoundEvent, ...] = tuple(
                _invalidated(state.box(number), rules, then) for number in boxes_of(state, facts, whom)
            )
            if whom is Whom.OF_PLAYER:
                out = (*out, *backing_given_back(terms, state, facts.player, rules))
            if options is None:
                return out
            return (*out, *carry_out(terms, evolve_all(state, out), facts, options.rules or rules, options))
        case ForfeitBets(whom=whom):
            return tuple(events.BetsForfeited(box=number, rules=rules) for number in boxes_of(state, facts, whom))
        case OfferOptions():
            return _offer(terms, state, facts, rules, then)
        case AskRuling(role=role, answers=answers):
            decisions = tuple(name for name, _ in answers)
            return (events.RulingAwaited(report=facts, role=role, decisions=decisions, rules=rules),)
        case Redeal():
            return (events.CardsRedealt(returned=tuple(_decision_stakes(terms, state)), rules=rules),)
        case FreezeMeter(suspends_jackpot_bets=suspends):
            return (events.MeterFrozen(suspends_jackpot_bets=suspends, rules=rules),)
        case _:
            assert_never(then)


def _invalidated(box: Box, rules: Rules, then: InvalidateHand) -> events.HandInvalidated:
    if then.fold_stands:
        return taken_back(box, rules)
    return events.HandInvalidated(box=box.number, rules=rules, lost=then.lost, settled=then.settled)


def backing_given_back(
    terms: Terms, state: Round, player: PlayerName | None, rules: Rules
) -> Iterator[events.RoundEvent]:
    """Give a backer their part of another Player's area back, without touching the Hand there.

    While bets are open it is taken off at once; after closing it keeps its line (reading `backer-returned` b).
    """
    backing = terms.book.seating.backing_returned
    for box in state.boxes:
        own = [stake for stake in box.stakes if stake.player == player]
        if not own or box.seated == player:
            continue
        if box.stands is LIVE and backing:
            yield events.BackingInvalidated(box=box.number, player=own[0].player, rules=(*rules, *backing))
        elif box.stands is LIVE or state.stage is Stage.BETTING:
            yield from (
                events.BetWithdrawn(
                    box=box.number, player=stake.player, bet=stake.bet, amount=stake.amount, rules=rules
                )
                for stake in own
                if not stake.taken_off
            )


def boxes_of(state: Round, facts: ReportIncident, whom: Whom) -> tuple[BoxNo, ...]:
    """Return the boxes in play that a consequence touches."""
    betting = state.stage is Stage.BETTING
    in_play = [
        b for b in state.boxes if b.stands in (LIVE, FOLDED) or (betting and b.stakes and b.stands is HandStands.OUT)
    ]
    player = facts.player
    if player is None and facts.boxes:
        player = state.box(facts.boxes[0]).seated
    of_player = [box for box in in_play if box.seated == player]
    match whom:
        case Whom.ALL:
            chosen = in_play
        case Whom.REPORTED:
            chosen = [box for box in in_play if box.number in facts.boxes] if facts.boxes else in_play
        case Whom.OTHERS_AFFECTED:
            chosen = [box for box in in_play if box.number in facts.affected and box.number not in facts.boxes]
        case Whom.WITH_JACKPOT_BET:
            chosen = [box for box in in_play if any(bet.box == box.number for bet in state.jackpot_bets)]
        case Whom.OF_PLAYER:
            chosen = of_player
        case Whom.UNVIEWED_OF_PLAYER:
            chosen = [box for box in of_player if player not in box.seen_by]
        case Whom.ALL_BUT_FIRST_DEALT_OF_PLAYER:
            chosen = of_player[1:]
        case _:
            assert_never(whom)
    return tuple(box.number for box in chosen)


def _offer(
    terms: Terms, state: Round, facts: ReportIncident, rules: Rules, offer: OfferOptions
) -> tuple[events.RoundEvent, ...]:
    """Offer options to live Hands, and where the book says so to folded ones with a jackpot Bet in play.

    An absent Player's Bets are returned (reading `options-default`).
    """
    if state.stage is Stage.BETTING:
        return ()
    folded_too = offer.to is Whom.WITH_JACKPOT_BET or terms.book.options_to_folded
    asked = {bet.box for bet in state.jackpot_bets} if folded_too else set()
    boxes = [n for n in boxes_of(state, facts, offer.to) if n in asked or state.box(n).stands is LIVE]
    present = tuple(n for n in boxes if state.box(n).seated not in state.absent)
    folded = any(state.box(n).stands is FOLDED for n in boxes)
    cited = tuple(dict.fromkeys((*offer.rules, *rules, *(terms.book.options_folded_rules if folded else ()))))
    found: list[events.RoundEvent] = []
    if present:
        found.append(
            events.OptionsOffered(
                report=facts, boxes=present, options=offer.options, rules=cited, withdraws_all=offer.withdraws_all
            )
        )
    unanswered = _unanswered(terms, cited)
    found.extend(taken_back(state.box(n), unanswered) for n in boxes if n not in present)
    return tuple(found)


def chosen(terms: Terms, option: str, rules: Rules) -> Rules:
    """Return the rules of an offer without those that concern only its other options."""
    own = dict(terms.book.options).get(option, ())
    others = {rule for name, its_rules in terms.book.options if name != option for rule in its_rules}
    return tuple(rule for rule in rules if rule in own or rule not in others)


def _unanswered(terms: Terms, rules: Rules) -> Rules:
    return (*chosen(terms, "return", rules), *terms.book.options_unanswered)


def given_up(terms: Terms, state: Round, player: PlayerName) -> Iterator[events.RoundEvent]:
    """Return the Bets of a Player who leaves instead of choosing (reading `options-default`)."""
    offers = [waits for waits in state.awaiting if waits.role is None]
    for box in state.boxes:
        offer = next((waits for waits in offers if box.seated == player and box.number in waits.boxes), None)
        if offer is not None:
            yield taken_back(box, _unanswered(terms, offer.rules))


def taken_back(box: Box, rules: Rules) -> events.HandInvalidated:
    """Invalidate a Hand by its Player's right; what a fold has lost stays lost."""
    if box.stands is FOLDED:
        lost = tuple(dict.fromkeys(stake.bet for stake in box.stakes if stake.bet != JACKPOT_BET))
        return events.HandInvalidated(box=box.number, rules=(*box.why, *rules), lost=lost)
    return events.HandInvalidated(box=box.number, rules=rules)


def _decision_stakes(terms: Terms, state: Round) -> Iterator[tuple[BoxNo, str, events.StakePart]]:
    for box in state.boxes:
        for stake in box.stakes:
            if terms.bets[stake.bet].kind is BetKind.DECISION:
                yield box.number, stake.bet, events.StakePart(stake.player, stake.amount)


def deemed(terms: Terms, box: Box, choice: str, rules: Rules) -> events.HandDecided:
    """Decide by rule for a Player who is absent."""
    named = [step for step in terms.dealing.steps if isinstance(step, Decision) and step.otherwise == choice]
    cited = (*rules, *named[0].otherwise_rules) if named else rules
    return events.HandDecided(box=box.number, choice=choice, rules=cited, deemed=True)
