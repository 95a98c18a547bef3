"""Answers of people: Players' options, rulings of staff, measures of the House."""

from __future__ import annotations

from typing import TypeAlias

from msgspec.structs import replace

from croupier.rounds.choices import offer_to
from croupier.rounds.commands import ChooseOption, GiveRuling, ReportIncident, SetJackpotMode
from croupier.rounds.events import (
    AbsenceExcused,
    JackpotModeSet,
    NoticeGiven,
    OptionChosen,
    PlayerReadmitted,
    PlayerStopped,
    RoundEvent,
    RoundReopened,
    RulingGiven,
)
from croupier.rounds.evolve import evolve
from croupier.rounds.irregularities.conditions import as_reported, fitting
from croupier.rounds.irregularities.consequences import backing_given_back, carry_out, chosen, deemed, taken_back
from croupier.rounds.irregularities.reports import FACTS_OF_THE_CARDS, PROHIBIT, events_of, reopen
from croupier.rounds.refusal import Code, Refusal, not_authorised, unknown_box
from croupier.rounds.state import Awaiting, HandStands, Round, Stage
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import (
    AskRuling,
    Consequence,
    Continue,
    FoldHand,
    Incident,
    InvalidateHand,
    Rules,
    VoidRound,
    Whom,
)
from croupier.structs import extended

Verdict: TypeAlias = tuple[RoundEvent, ...] | Refusal

LIVE, FOLDED = HandStands.LIVE, HandStands.FOLDED


# ---------------------------------------------------------------- options


def choose(terms: Terms, state: Round, c: ChooseOption) -> Verdict:
    """Apply a Player's answer to an option."""
    waited = offer_to(state, c)
    if isinstance(waited, Refusal):
        return waited
    rules = chosen(terms, c.option, waited.rules)
    answer: tuple[RoundEvent, ...] = (OptionChosen(box=c.box, option=c.option, rules=rules),)
    if c.option in ("continue", "reconstructed"):
        return answer
    if not waited.withdraws_all:
        return (*answer, taken_back(state.box(c.box), rules))
    player = state.box(c.box).seated
    own = [box for box in state.boxes if box.seated == player and box.stands in (LIVE, FOLDED)]
    return (*answer, *(taken_back(box, rules) for box in own), *backing_given_back(terms, state, player, rules))


# ---------------------------------------------------------------- rulings


def rule(terms: Terms, state: Round, c: GiveRuling) -> Verdict:
    """Apply a person's ruling."""
    for asked in state.awaiting:
        if asked.role is not None and c.decision in asked.decisions:
            return _answer(terms, state, c, asked)
    match c.decision:
        case "fold":
            return _rule_fold(terms, state, c)
        case "stop":
            return _rule_stop(terms, state, c)
        case "allow" if c.player is not None:
            return _readmit(terms, state, c)
    lawful = [decision for asked in state.awaiting for decision in asked.decisions]
    if lawful:
        return Refusal(
            Code.NOT_AN_ANSWER, f"The round waits for {' or '.join(lawful)}, not {c.decision}.", state.awaiting[0].rules
        )
    return Refusal(
        Code.NOTHING_AWAITED, f"Nothing waits for a ruling, so {c.decision} is refused.", terms.book.authority.uncovered
    )


def in_the_words_awaited(terms: Terms, state: Round, c: GiveRuling) -> GiveRuling:
    """Read `void` or `return` as `reopen` where a reopened Round would have that consequence."""
    for asked in state.awaiting:
        if "reopen" in asked.decisions and c.decision not in asked.decisions:
            entry = fitting(terms, as_reported(state, asked.report), asked.report)
            then = None if entry is None else type(entry.then)
            if then is not None and {VoidRound: "void", InvalidateHand: "return"}.get(then) == c.decision:
                return replace(c, decision="reopen")
    return c


def _answer(terms: Terms, state: Round, c: GiveRuling, asked: Awaiting) -> Verdict:
    assert asked.role is not None
    if c.by < asked.role:
        return not_authorised(c.by, asked.role, f"rule {c.decision}", asked.rules)
    if unknown := unknown_box(terms, c.boxes):
        return unknown
    given = extended(RulingGiven, c, rules=asked.rules)
    after = evolve(state, given)
    facts = asked.report
    if c.decision in FACTS_OF_THE_CARDS:
        told = replace(facts, reconstructible=c.decision == "reconstructible", by=c.by, award_paid=c.award_paid)
        return (given, *events_of(terms, after, told))
    return (given, *_ruled(terms, after, c, facts, asked.rules))


def _ruled(terms: Terms, state: Round, c: GiveRuling, facts: ReportIncident, rules: Rules) -> tuple[RoundEvent, ...]:
    """Return the events of an answer."""
    own_entries = bool(terms.book.entries_of(facts.incident))
    entry = fitting(terms, as_reported(state, facts), facts) if own_entries else None
    if c.decision == "reopen" and entry is not None:
        return reopen(terms, state, facts, entry)
    if entry is not None and isinstance(entry.then, AskRuling):
        then = dict(entry.then.answers).get(c.decision)
        if c.decision == PROHIBIT and not state.is_open:
            return _barred(c, facts, rules)  # no Bet of this Player is left to go back
        if then is not None:
            named = replace(facts, boxes=c.boxes) if c.boxes else facts
            return (*_carry_out_late(terms, state, named, rules, then), *_barred(c, facts, rules))
    return _ruled_freely(terms, state, c, facts, rules)


def _barred(c: GiveRuling, facts: ReportIncident, rules: Rules) -> tuple[RoundEvent, ...]:
    if c.decision == PROHIBIT and facts.player is not None:
        return (PlayerStopped(player=facts.player, by=c.by, rules=rules),)
    return ()


def _ruled_freely(
    terms: Terms, state: Round, c: GiveRuling, facts: ReportIncident, rules: Rules
) -> tuple[RoundEvent, ...]:
    """Apply void, stand, return or fold: the decisions about what no paragraph covers."""
    named = replace(facts, boxes=c.boxes) if c.boxes else facts
    absent = facts.incident == Incident.WALKED_AWAY
    match c.decision:
        case "stand" if absent:
            return tuple(AbsenceExcused(box=number) for number in facts.boxes)
        case "stand":
            return ()
        case "fold":
            return carry_out(terms, state, named, rules, FoldHand())
    then: Consequence = VoidRound() if c.decision == "void" else InvalidateHand(Whom.REPORTED)
    return _carry_out_late(terms, state, named, rules, then)


def _carry_out_late(
    terms: Terms, state: Round, facts: ReportIncident, rules: Rules, then: Consequence
) -> tuple[RoundEvent, ...]:
    """Carry out a ruled consequence; unwind the settlement first, where there is one."""
    if state.stage is not Stage.SETTLED or isinstance(then, Continue):
        return carry_out(terms, state, facts, rules, then)
    cited = tuple(dict.fromkeys((*rules, *terms.book.reopening)))
    reopened = RoundReopened(number=state.number, rules=cited)
    return (reopened, *carry_out(terms, evolve(state, reopened), facts, rules, then))


def _rule_fold(terms: Terms, state: Round, c: GiveRuling) -> Verdict:
    """Fold the Hand of a Player who walked away to avoid a fold."""
    authority = terms.book.authority
    if not authority.fold_ruling:
        return Refusal(
            Code.NOT_IN_THIS_GAME,
            "This game needs no ruling of fold: a player who leaves has folded.",
            authority.uncovered,
        )
    if c.by < authority.uncovered_by:
        return not_authorised(c.by, authority.uncovered_by, "rule a fold", authority.fold_ruling)
    if len(c.boxes) != 1 or not 1 <= c.boxes[0] <= terms.boxes:
        return Refusal(Code.FACT_MISSING, "A ruling of fold must name one box of the table.", authority.fold_ruling)
    box = state.box(c.boxes[0])
    if state.stage not in (Stage.PLAYING, Stage.SETTLED) or box.seated not in state.absent or box.choices:
        return Refusal(
            Code.NOTHING_AWAITED, f"No player left box {box.number} before its first decision.", authority.fold_ruling
        )
    events: list[RoundEvent] = []
    if state.stage is Stage.SETTLED:
        events.append(RoundReopened(number=state.number, rules=(*authority.fold_ruling, *terms.book.reopening)))
    events.append(
        RulingGiven(by=c.by, decision="fold", rules=authority.fold_ruling, boxes=c.boxes, who=c.who, text=c.text)
    )
    events.append(deemed(terms, box, "fold", authority.fold_ruling))
    return tuple(events)


def _rule_stop(terms: Terms, state: Round, c: GiveRuling) -> Verdict:
    """Stop a Player who tries to control several Hands, on the shift manager's word."""
    authority = terms.book.authority
    if authority.stop_player_by is None:
        return Refusal(
            Code.NOT_IN_THIS_GAME, "This game's rules do not speak of stopping a player.", authority.uncovered
        )
    if c.by < authority.stop_player_by:
        return not_authorised(c.by, authority.stop_player_by, "stop a player", authority.stop_player)
    player = c.player
    if player is None or not any(player in box.players for box in state.boxes):
        return Refusal(
            Code.NOT_AT_THE_TABLE,
            "A ruling of stop must name a player with a bet in this round.",
            authority.stop_player,
        )
    given = RulingGiven(by=c.by, decision="stop", rules=authority.stop_player, player=player, who=c.who, text=c.text)
    stopped = PlayerStopped(player=player, by=c.by, rules=authority.stop_player)
    facts = ReportIncident(incident=Incident.CONTROLS_MULTIPLE_HANDS, player=player)
    hands: tuple[RoundEvent, ...] = ()
    if state.is_open:
        hands = carry_out(terms, state, facts, authority.stop_player, InvalidateHand(Whom.OF_PLAYER, fold_stands=True))
    return (given, stopped, *hands)


def _readmit(terms: Terms, state: Round, c: GiveRuling) -> Verdict:
    """Let a barred Player play again at this table, on the word of a role that may bar them."""
    authority = terms.book.authority
    if c.by < authority.uncovered_by:
        return not_authorised(c.by, authority.uncovered_by, "let a barred player play again", authority.prohibited)
    if c.player is None or c.player not in state.standing.prohibited:
        return Refusal(Code.NOTHING_AWAITED, f"{c.player} was not barred at this table.", authority.prohibited)
    rules = authority.prohibited
    given = RulingGiven(by=c.by, decision="allow", rules=rules, player=c.player, who=c.who, text=c.text)
    return (given, PlayerReadmitted(player=c.player, by=c.by, rules=rules))


# ---------------------------------------------------------------- after a jackpot fault


def set_jackpot_mode(terms: Terms, c: SetJackpotMode) -> Verdict:
    """Close the table, bar a box, play on without jackpot Bets, or restore them."""
    measures, authority = terms.book.measures, terms.book.authority
    needed = measures.by if measures is not None else authority.uncovered_by
    rules = measures.rules if measures is not None else authority.uncovered
    specific = {
        "close_table": measures.close_table if measures else rules,
        "disallow_box": measures.disallow_box if measures else rules,
        "no_jackpot_bets": measures.no_jackpot_bets if measures else rules,
        "restore": rules,
    }
    if c.mode not in specific:
        return Refusal(Code.UNKNOWN_MODE, f'There is no measure "{c.mode}": there are {", ".join(specific)}.', rules)
    if c.by < needed:
        return not_authorised(c.by, needed, "choose a measure after a jackpot fault", rules)
    if c.mode == "disallow_box" and (c.box is None or not 1 <= c.box <= terms.boxes):
        return Refusal(Code.FACT_MISSING, "To disallow a box, name a box of the table.", specific[c.mode])
    events: list[RoundEvent] = [JackpotModeSet(by=c.by, mode=c.mode, rules=specific[c.mode], box=c.box)]
    if c.mode == "no_jackpot_bets":
        events.append(NoticeGiven(text="No jackpot bets are accepted or paid at this table.", rules=specific[c.mode]))
    return tuple(events)
