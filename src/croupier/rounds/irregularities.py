"""Section 5 at work: an incident is reported, the rulebook's one fitting entry gives the consequence, and what it
leaves to people is awaited from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, assert_never

from msgspec.structs import replace

from croupier.rounds.commands import ChooseOption, GiveRuling, PlayerName, ReportIncident, SetJackpotMode
from croupier.rounds.dealing import decisions_remain
from croupier.rounds.events import (
    AbsenceExcused,
    BetsForfeited,
    BetWithdrawn,
    CardsRedealt,
    HandDecided,
    HandExamined,
    HandInvalidated,
    IncidentReported,
    JackpotBetsSuspended,
    JackpotModeSet,
    MeterFrozen,
    NoticeGiven,
    OptionChosen,
    OptionsOffered,
    PlayerStopped,
    RoundEvent,
    RoundReopened,
    RulingAwaited,
    RulingGiven,
    StakePart,
)
from croupier.rounds.evolve import evolve, evolve_all
from croupier.rounds.outcomes import outcome_established
from croupier.rounds.refusal import Code, Refusal, no_round, not_authorised
from croupier.rounds.settlement import void
from croupier.rounds.state import Awaiting, Box, HandStands, Round, Stage
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import (
    JACKPOT_BET,
    AskRuling,
    BetKind,
    BoxNo,
    CheckHand,
    Consequence,
    Continue,
    Deal,
    Decision,
    FoldHand,
    ForfeitBets,
    FreezeMeter,
    Incident,
    InvalidateHand,
    Irregularity,
    OfferOptions,
    Place,
    Redeal,
    Role,
    Rules,
    VoidRound,
    When,
    Whom,
)

Verdict: TypeAlias = tuple[RoundEvent, ...] | Refusal

LIVE, FOLDED = HandStands.LIVE, HandStands.FOLDED

_NEEDS_CARDS = {
    Incident.CARDS_EXPOSED,
    Incident.MISDEALT,
    Incident.WRONG_COMMUNITY_COUNT,
    Incident.WRONG_DEALER_COUNT,
    Incident.WRONG_BOX_COUNT,
    Incident.BURN_MISSED,
    Incident.DEALING_ERROR,
    Incident.SIMULTANEOUS_DRAW,
    Incident.EXTRA_HAND_EXAMINED,
}
_NEEDS_BOX = {Incident.WRONG_BOX_COUNT, Incident.EXTRA_HAND_EXAMINED}
_NEEDS_PLAYER = {Incident.CONTROLS_MULTIPLE_HANDS, Incident.NOT_CONFIDENTIAL, Incident.RULES_BREACH}
DETECTED = (Incident.NOT_REVEALED, Incident.WRONG_SIZE, Incident.OUTSIDE_LIMITS)
"""The settlement meets these by itself; other chapters than section 5 speak of them, where any does."""
_FACTS_OF_THE_CARDS = ("reconstructible", "not_reconstructible")

WORDS = {
    Incident.WALKED_AWAY: "A player walked away with a decision to make",
    Incident.NOT_REVEALED: "A hand was not shown",
    Incident.WRONG_SIZE: "A decision bet of the wrong size was found at the settlement",
    Incident.OUTSIDE_LIMITS: "A bet outside the limits was found at the settlement",
    Incident.FOREIGN_CARD: "A card that is not of the deck was found",
    Incident.DECK_COUNT: "The number of cards in the deck was doubted",
    Incident.SHOE_EXHAUSTED: "The cards ran out",
    Incident.UNSHUFFLED: "The cards were not shuffled",
    Incident.CARDS_EXPOSED: "The Dealer exposed cards during the deal",
    Incident.MISDEALT: "Cards went to wrong places",
    Incident.WRONG_COMMUNITY_COUNT: "The number of community cards is wrong",
    Incident.WRONG_DEALER_COUNT: "The number of the Dealer's cards is wrong",
    Incident.WRONG_BOX_COUNT: "A hand has the wrong number of cards",
    Incident.BURN_MISSED: "A burn was missed",
    Incident.DEALING_ERROR: "There was a dealing error",
    Incident.FACE_UP_IN_SHOE: "A card lay face up in the shoe",
    Incident.SIMULTANEOUS_DRAW: "Cards were drawn together and their order is unknown",
    Incident.TECHNICAL_INTERRUPTION: "A technical interruption stopped the round",
    Incident.JACKPOT_MALFUNCTION: "The jackpot system is out of order",
    Incident.EXTRA_HAND_EXAMINED: "A player looked at a further hand",
    Incident.CONTROLS_MULTIPLE_HANDS: "A player controls several hands by error",
    Incident.NOT_CONFIDENTIAL: "A player did not keep his hand to himself",
    Incident.RULES_BREACH: "A player broke the rules of the game",
    Incident.LATE_ERROR: "An error of an earlier round was noticed",
    Incident.UNCOVERED: "Something happened that the rules do not cover",
}


# ---------------------------------------------------------------- reporting


def report(terms: Terms, state: Round, facts: ReportIncident) -> Verdict:
    """An irregularity is noticed now."""
    refusal = _cannot_report(terms, state, facts)
    if refusal is not None:
        return refusal
    if facts.incident is Incident.LATE_ERROR:
        return (IncidentReported(report=facts, rules=terms.book.late_error),)
    if not state.is_open:
        return _after_the_round(terms, state, facts)
    return _follow(terms, state, facts)


def _cannot_report(terms: Terms, state: Round, facts: ReportIncident) -> Refusal | None:
    incident = facts.incident
    if state.number == 0 and incident is not Incident.JACKPOT_MALFUNCTION:
        return no_round(terms)
    for number in (*facts.boxes, *facts.affected):
        if not 1 <= number <= terms.boxes:
            return Refusal(
                Code.UNKNOWN_BOX, f"There is no box {number}: the table has {terms.boxes}.", terms.book.layout.rules
            )
    if incident in _NEEDS_CARDS and not state.dealt:
        return Refusal(Code.NOT_DEALT_YET, f"{WORDS[incident]}: no card has been dealt yet.", terms.dealing.rules)
    if incident in _NEEDS_BOX:
        if not facts.boxes:
            return Refusal(Code.FACT_MISSING, f"{WORDS[incident]}: say which box.")
        if state.box(facts.boxes[0]).stands is HandStands.OUT:
            return Refusal(Code.NO_HAND, f"Box {facts.boxes[0]} was dealt no hand.", terms.dealing.rules)
    if incident is Incident.EXTRA_HAND_EXAMINED and terms.book.seating.several_boxes:
        for number in facts.boxes:
            if state.box(number).seen_first:
                message = (
                    f"Box {number} is the hand that {state.box(number).seated} looked at first, which stays valid."
                )
                return Refusal(Code.NOT_A_FURTHER_HAND, message, terms.book.examining.rules)
    if incident in _NEEDS_PLAYER:
        if facts.player is None:
            return Refusal(Code.FACT_MISSING, f"{WORDS[incident]}: say which player.")
        if not any(facts.player in box.players for box in state.boxes):
            return Refusal(Code.NOT_AT_THE_TABLE, f"{facts.player} has no bet in this round.")
    return None


def _follow(terms: Terms, state: Round, facts: ReportIncident) -> Verdict:
    """The one entry that fits, carried out; or the fact that decides between entries, asked for."""
    entries = _entries(terms, facts.incident)
    if not entries:
        return refer(terms, state, facts)
    entry = fitting(terms, state, facts)
    if entry is None:
        word_of = max(entry.word_of for entry in entries)
        rules = entries[0].rules
        awaited = RulingAwaited(report=facts, role=word_of, decisions=_FACTS_OF_THE_CARDS, rules=rules)
        return (IncidentReported(report=facts, rules=rules), awaited)
    reported: tuple[RoundEvent, ...] = (IncidentReported(report=facts, rules=entry.rules),)
    if facts.incident is Incident.EXTRA_HAND_EXAMINED:
        reported = (*reported, *_looked(state, facts))
    if facts.incident is Incident.JACKPOT_MALFUNCTION and not isinstance(entry.then, FreezeMeter):
        reported = (*reported, JackpotBetsSuspended(rules=entry.rules))
    return (*reported, *carry_out(terms, evolve_all(state, reported), facts, entry.rules, entry.then))


def _entries(terms: Terms, incident: Incident) -> list[Irregularity]:
    """What the book says about an incident; a burn can be missed only where the procedure has one."""
    burns = any(isinstance(step, Deal) and Place.BURN in step.order for step in terms.dealing.steps)
    if incident is Incident.BURN_MISSED and not burns:
        return []
    return [entry for entry in terms.book.irregularities if entry.incident is incident]


def _looked(state: Round, facts: ReportIncident) -> Iterator[RoundEvent]:
    for number in facts.boxes:
        box = state.box(number)
        if box.seated is not None and box.seated not in box.seen_by:
            yield HandExamined(box=number, player=box.seated, noticed=False)


def refer(terms: Terms, state: Round, facts: ReportIncident) -> Verdict:
    """What no paragraph covers goes to the person who decides such things."""
    authority = terms.book.authority
    decisions: tuple[str, ...] = ("void", "stand", "return")
    if facts.incident is Incident.WALKED_AWAY:
        decisions = ("fold", *decisions)
    reported: list[RoundEvent] = [IncidentReported(report=facts, rules=authority.uncovered)]
    if facts.incident is Incident.JACKPOT_MALFUNCTION:
        reported.append(JackpotBetsSuspended(rules=authority.uncovered))
        if not state.is_open:
            return tuple(reported)
    awaited = RulingAwaited(report=facts, role=authority.uncovered_by, decisions=decisions, rules=authority.uncovered)
    return (*reported, awaited)


def _after_the_round(terms: Terms, state: Round, facts: ReportIncident) -> Verdict:
    """Between settlement and the next Round: what the rules let unwind it does, the rest stands or is ruled."""
    if facts.incident is Incident.JACKPOT_MALFUNCTION:
        rules = terms.book.measures.rules if terms.book.measures is not None else terms.book.authority.uncovered
        return (IncidentReported(report=facts, rules=rules), JackpotBetsSuspended(rules=rules))
    if state.stage is Stage.VOID:
        return (IncidentReported(report=facts, rules=terms.book.void),)
    entries = _entries(terms, facts.incident)
    entry = fitting(terms, state, facts) if entries else None
    if entries and entry is None:
        return _follow(terms, state, facts)
    if entry is None:
        return refer(terms, state, facts)
    if isinstance(entry.then, Continue | FreezeMeter):
        return (IncidentReported(report=facts, rules=entry.rules),)
    if not entry.reopens:
        return refer(terms, state, facts)
    rules = (*entry.rules, *terms.book.reopening)
    reported = IncidentReported(report=facts, rules=rules)
    if state.paid_from_meter and facts.by < Role.SHIFT_MANAGER:
        awaited = RulingAwaited(report=facts, role=Role.SHIFT_MANAGER, decisions=("reopen", "stand"), rules=rules)
        return (reported, awaited)
    return (reported, *_reopen(terms, state, facts, entry))


def _reopen(terms: Terms, state: Round, facts: ReportIncident, entry: Irregularity) -> tuple[RoundEvent, ...]:
    reopened = RoundReopened(number=state.number, rules=(*entry.rules, *terms.book.reopening))
    return (reopened, *carry_out(terms, evolve(state, reopened), facts, entry.rules, entry.then))


# ---------------------------------------------------------------- which entry fits


def fitting(terms: Terms, state: Round, facts: ReportIncident) -> Irregularity | None:
    """The entry whose conditions all hold; None where that depends on whether the cards can be reconstructed and
    nobody entitled has said so.
    """
    entries = [entry for entry in terms.book.irregularities if entry.incident is facts.incident]
    fits = []
    open_question = False
    for entry in entries:
        answers = [condition(terms, state, facts, when, entry.word_of) for when in entry.when]
        if False in answers:
            continue
        if None in answers:
            open_question = True
        else:
            fits.append(entry)
    if open_question:
        return None
    assert len(fits) == 1, f"{len(fits)} entries of {terms.book.game} fit {facts.incident.value}"
    return fits[0]


OPPOSITE = {
    When.NO_DECISIONS_REMAIN: When.DECISIONS_REMAIN,
    When.FIRST_DECISION_MADE: When.FIRST_DECISION_REMAINS,
    When.ONE_CARD: When.TWO_OR_MORE,
    When.NO_PLAYER_HAS_SEEN: When.PLAYER_HAS_SEEN,
    When.NOTHING_SEEN_OR_FACE_UP: When.SEEN_OR_FACE_UP,
    When.NO_PLAYER_HAS_HANDLED: When.PLAYER_HAS_HANDLED,
    When.NOT_RECONSTRUCTIBLE: When.RECONSTRUCTIBLE,
    When.NO_OUTCOME_ESTABLISHED: When.OUTCOME_ESTABLISHED,
    When.COUNT_WRONG: When.COUNT_PROVED_RIGHT,
    When.NO_HAND_WAS_VIEWED: When.A_HAND_WAS_VIEWED,
    When.BOX_CARD: When.DEALER_OR_COMMUNITY_CARD,
    When.FLOP_NOT_TURNED: When.FLOP_TURNED,
    When.NO_JACKPOT_BETS_LIE: When.JACKPOT_BETS_LIE,
}


def condition(terms: Terms, state: Round, facts: ReportIncident, when: When, word_of: Role) -> bool | None:
    """Does this condition hold now? None: only a person can say, and nobody entitled has."""
    if when in OPPOSITE:
        holds = condition(terms, state, facts, OPPOSITE[when], word_of)
        return None if holds is None else not holds
    match when:
        case When.DECISIONS_REMAIN:
            return decisions_remain(terms, state.box(facts.boxes[0]))
        case When.FIRST_DECISION_REMAINS:
            box = state.box(facts.boxes[0])
            return decisions_remain(terms, box) and not box.choices
        case When.TWO_OR_MORE:
            named = len(facts.boxes) + facts.dealer + facts.community
            return (facts.count if facts.count is not None else max(named, 1)) >= 2
        case When.PLAYER_HAS_SEEN:
            return state.has_seen_cards
        case When.SEEN_OR_FACE_UP:
            return state.has_seen_cards or bool(state.community or state.dealer) or any(b.face_up for b in state.boxes)
        case When.PLAYER_HAS_HANDLED:
            return any(box.handled for box in state.boxes)
        case When.FLOP_TURNED:
            return bool(state.community)
        case When.RECONSTRUCTIBLE:
            return facts.reconstructible if facts.by >= word_of else None
        case When.OUTCOME_ESTABLISHED:
            return outcome_established(terms, state)
        case When.COUNT_PROVED_RIGHT:
            return facts.correct
        case When.A_HAND_WAS_VIEWED:
            return any(facts.player in box.seen_by for box in state.boxes)
        case When.DEALER_OR_COMMUNITY_CARD:
            return facts.dealer or facts.community
        case When.JACKPOT_BETS_LIE:
            return any(box.has(JACKPOT_BET) for box in state.boxes)
        case _:
            raise AssertionError(f"{when} has no meaning yet")


# ---------------------------------------------------------------- consequences


def carry_out(
    terms: Terms, state: Round, facts: ReportIncident, rules: Rules, then: Consequence
) -> tuple[RoundEvent, ...]:
    """The consequence as events."""
    match then:
        case VoidRound():
            return tuple(void(terms, state, rules, f"{WORDS[facts.incident]}: the round is void."))
        case Continue():
            return ()
        case FoldHand():
            return tuple(_deemed(terms, state.box(number), "fold", rules) for number in facts.boxes)
        case CheckHand():
            return tuple(_deemed(terms, state.box(number), "check", rules) for number in facts.boxes)
        case InvalidateHand(whom=whom, then=options):
            out: tuple[RoundEvent, ...] = tuple(
                _invalidated(state.box(number), rules, then) for number in boxes_of(state, facts, whom)
            )
            if whom is Whom.OF_PLAYER:
                out = (*out, *_backing_given_back(state, facts, rules))
            if options is None:
                return out
            return (*out, *carry_out(terms, evolve_all(state, out), facts, options.rules or rules, options))
        case ForfeitBets(whom=whom):
            return tuple(BetsForfeited(box=number, rules=rules) for number in boxes_of(state, facts, whom))
        case OfferOptions():
            return _offer(state, facts, rules, then)
        case AskRuling(role=role, answers=answers):
            decisions = tuple(name for name, _ in answers)
            return (RulingAwaited(report=facts, role=role, decisions=decisions, rules=rules),)
        case Redeal():
            return (CardsRedealt(returned=tuple(_decision_stakes(terms, state)), rules=rules),)
        case FreezeMeter(suspends_jackpot_bets=suspends):
            return (MeterFrozen(suspends_jackpot_bets=suspends, rules=rules),)
        case _:
            assert_never(then)


def _invalidated(box: Box, rules: Rules, then: InvalidateHand) -> HandInvalidated:
    if then.fold_stands:
        return _taken_back(box, rules)
    return HandInvalidated(box=box.number, rules=rules, lost=then.lost, settled=then.settled)


def _backing_given_back(state: Round, facts: ReportIncident, rules: Rules) -> Iterator[RoundEvent]:
    """Who only backs another Player's area has no Hand there to cancel: his part goes back and play goes on."""
    for box in state.boxes:
        if box.seated != facts.player and (box.stands is LIVE or state.stage is Stage.BETTING):
            for stake in box.stakes:
                if stake.player == facts.player and not stake.taken_off:
                    yield BetWithdrawn(
                        box=box.number, player=stake.player, bet=stake.bet, amount=stake.amount, rules=rules
                    )


def boxes_of(state: Round, facts: ReportIncident, whom: Whom) -> tuple[BoxNo, ...]:
    """The boxes in play that a consequence touches."""
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


def _offer(state: Round, facts: ReportIncident, rules: Rules, offer: OfferOptions) -> tuple[RoundEvent, ...]:
    """Options go to the live Hands; a folded one has nothing to continue but a jackpot Bet. An absent Player's Bets are
    returned (reading `options-default`).
    """
    if state.stage is Stage.BETTING:
        return ()
    folded_too = offer.to is Whom.WITH_JACKPOT_BET
    boxes = [n for n in boxes_of(state, facts, offer.to) if folded_too or state.box(n).stands is LIVE]
    present = tuple(n for n in boxes if state.box(n).seated not in state.absent)
    cited = tuple(dict.fromkeys((*offer.rules, *rules)))
    events: list[RoundEvent] = []
    if present:
        events.append(
            OptionsOffered(
                report=facts, boxes=present, options=offer.options, rules=cited, withdraws_all=offer.withdraws_all
            )
        )
    events.extend(_taken_back(state.box(n), cited) for n in boxes if n not in present)
    return tuple(events)


def given_up(state: Round, player: PlayerName) -> Iterator[RoundEvent]:
    """Who leaves instead of choosing has his Bets returned (reading `options-default`)."""
    offers = [waits for waits in state.awaiting if waits.role is None]
    for box in state.boxes:
        offer = next((waits for waits in offers if box.seated == player and box.number in waits.boxes), None)
        if offer is not None:
            yield _taken_back(box, offer.rules)


def _taken_back(box: Box, rules: Rules) -> HandInvalidated:
    """A Hand is given up by its Player's right; what a fold has lost already stays lost."""
    if box.stands is FOLDED:
        lost = tuple(dict.fromkeys(stake.bet for stake in box.stakes if stake.bet != JACKPOT_BET))
        return HandInvalidated(box=box.number, rules=(*box.why, *rules), lost=lost)
    return HandInvalidated(box=box.number, rules=rules)


def _decision_stakes(terms: Terms, state: Round) -> Iterator[tuple[BoxNo, str, StakePart]]:
    for box in state.boxes:
        for stake in box.stakes:
            if terms.bets[stake.bet].kind is BetKind.DECISION:
                yield box.number, stake.bet, StakePart(stake.player, stake.amount)


def _deemed(terms: Terms, box: Box, choice: str, rules: Rules) -> HandDecided:
    """The rules decide for a Player who is not there."""
    named = [step for step in terms.dealing.steps if isinstance(step, Decision) and step.otherwise == choice]
    cited = (*rules, *named[0].otherwise_rules) if named else rules
    return HandDecided(box=box.number, choice=choice, rules=cited, deemed=True)


def act_for_absent(terms: Terms, state: Round, number: BoxNo) -> Verdict:
    """A box whose Player has walked away has its turn."""
    box = state.box(number)
    if state.stage is not Stage.PLAYING or box.seated not in state.absent or not decisions_remain(terms, box):
        return Refusal(Code.NO_DECISION_DUE, f"Box {number} has nothing to decide for an absent player.")
    return _follow(terms, state, ReportIncident(incident=Incident.WALKED_AWAY, boxes=(number,), player=box.seated))


# ---------------------------------------------------------------- options


def choose(state: Round, c: ChooseOption) -> Verdict:
    """A Player answers an option the rules give him."""
    offers = [waits for waits in state.awaiting if waits.role is None and c.box in waits.boxes]
    waited = next((offer for offer in offers if c.option in offer.options), offers[0] if offers else None)
    if waited is None:
        return Refusal(Code.NOTHING_AWAITED, f"Box {c.box} has no option to choose.")
    if c.option not in waited.options:
        message = f"Box {c.box} chooses {' or '.join(waited.options)}, so {c.option} is refused."
        return Refusal(Code.NOT_AN_OPTION, message, waited.rules)
    chosen: tuple[RoundEvent, ...] = (OptionChosen(box=c.box, option=c.option, rules=waited.rules),)
    if c.option in ("continue", "reconstructed"):
        return chosen
    boxes = [c.box]
    if waited.withdraws_all:
        player = state.box(c.box).seated
        boxes = [b.number for b in state.boxes if b.seated == player and b.stands in (LIVE, FOLDED)]
    return (*chosen, *(_taken_back(state.box(number), waited.rules) for number in boxes))


# ---------------------------------------------------------------- rulings


def rule(terms: Terms, state: Round, c: GiveRuling) -> Verdict:
    """A person decides what the rules leave to a person."""
    for asked in state.awaiting:
        if asked.role is not None and c.decision in asked.decisions:
            return _answer(terms, state, c, asked)
    match c.decision:
        case "fold":
            return _rule_fold(terms, state, c)
        case "stop":
            return _rule_stop(terms, state, c)
    lawful = [decision for asked in state.awaiting for decision in asked.decisions]
    if lawful:
        return Refusal(
            Code.NOT_AN_ANSWER, f"The round waits for {' or '.join(lawful)}, not {c.decision}.", state.awaiting[0].rules
        )
    return Refusal(
        Code.NOTHING_AWAITED, f"Nothing waits for a ruling, so {c.decision} is refused.", terms.book.authority.uncovered
    )


def _answer(terms: Terms, state: Round, c: GiveRuling, asked: Awaiting) -> Verdict:
    assert asked.role is not None
    if c.by < asked.role:
        return not_authorised(c.by, asked.role, f"rule {c.decision}", asked.rules)
    for number in c.boxes:
        if not 1 <= number <= terms.boxes:
            return Refusal(
                Code.UNKNOWN_BOX, f"There is no box {number}: the table has {terms.boxes}.", terms.book.layout.rules
            )
    given = RulingGiven(
        by=c.by, decision=c.decision, rules=asked.rules, boxes=c.boxes, player=c.player, who=c.who, text=c.text
    )
    after = evolve(state, given)
    facts = asked.report
    if c.decision in _FACTS_OF_THE_CARDS:
        told = replace(facts, reconstructible=c.decision == "reconstructible", by=c.by)
        verdict = report(terms, after, told)
        assert not isinstance(verdict, Refusal), "the report was accepted when it was made"
        return (given, *verdict)
    return (given, *_ruled(terms, after, c, facts, asked.rules))


def _ruled(terms: Terms, state: Round, c: GiveRuling, facts: ReportIncident, rules: Rules) -> tuple[RoundEvent, ...]:
    """What the answer does."""
    own_entries = any(entry.incident is facts.incident for entry in terms.book.irregularities)
    entry = fitting(terms, state, facts) if own_entries else None
    if c.decision == "reopen" and entry is not None:
        return _reopen(terms, state, facts, entry)
    if entry is not None and isinstance(entry.then, AskRuling):
        then = dict(entry.then.answers).get(c.decision)
        if then is not None:
            named = replace(facts, boxes=c.boxes) if c.boxes else facts
            return (*_carry_out_late(terms, state, named, rules, then), *_barred(c, facts, rules))
    return _ruled_freely(terms, state, c, facts, rules)


def _barred(c: GiveRuling, facts: ReportIncident, rules: Rules) -> tuple[RoundEvent, ...]:
    if c.decision == "prohibit" and facts.player is not None:
        return (PlayerStopped(player=facts.player, by=c.by, rules=rules),)
    return ()


def _ruled_freely(
    terms: Terms, state: Round, c: GiveRuling, facts: ReportIncident, rules: Rules
) -> tuple[RoundEvent, ...]:
    """void, stand, return with boxes, fold: the decisions about what no paragraph covers."""
    named = replace(facts, boxes=c.boxes) if c.boxes else facts
    absent = facts.incident is Incident.WALKED_AWAY
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
    """A ruled consequence, which unwinds the settlement first where there has been one."""
    if state.stage is not Stage.SETTLED or isinstance(then, Continue):
        return carry_out(terms, state, facts, rules, then)
    reopened = RoundReopened(number=state.number, rules=(*rules, *terms.book.reopening))
    return (reopened, *carry_out(terms, evolve(state, reopened), facts, rules, then))


def _rule_fold(terms: Terms, state: Round, c: GiveRuling) -> Verdict:
    """A Player who walked away to dodge a fold has folded after all."""
    authority = terms.book.authority
    if not authority.fold_ruling:
        return Refusal(
            Code.NOT_IN_THIS_GAME, "In this game nobody has to rule a fold: leaving is one.", authority.uncovered
        )
    if c.by < authority.uncovered_by:
        return not_authorised(c.by, authority.uncovered_by, "rule a fold", authority.fold_ruling)
    if len(c.boxes) != 1 or not 1 <= c.boxes[0] <= terms.boxes:
        return Refusal(Code.FACT_MISSING, "A ruling of fold names one box of the table.", authority.fold_ruling)
    box = state.box(c.boxes[0])
    if state.stage not in (Stage.PLAYING, Stage.SETTLED) or box.seated not in state.absent or box.choices:
        return Refusal(
            Code.NOTHING_AWAITED, f"Nobody left box {box.number} before its first decision.", authority.fold_ruling
        )
    events: list[RoundEvent] = []
    if state.stage is Stage.SETTLED:
        events.append(RoundReopened(number=state.number, rules=(*authority.fold_ruling, *terms.book.reopening)))
    events.append(
        RulingGiven(by=c.by, decision="fold", rules=authority.fold_ruling, boxes=c.boxes, who=c.who, text=c.text)
    )
    events.append(_deemed(terms, box, "fold", authority.fold_ruling))
    return tuple(events)


def _rule_stop(terms: Terms, state: Round, c: GiveRuling) -> Verdict:
    """The shift manager stops a Player who tries to control several Hands."""
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
            Code.NOT_AT_THE_TABLE, "A ruling of stop names a player with a bet in this round.", authority.stop_player
        )
    given = RulingGiven(by=c.by, decision="stop", rules=authority.stop_player, player=player, who=c.who, text=c.text)
    stopped = PlayerStopped(player=player, by=c.by, rules=authority.stop_player)
    facts = ReportIncident(incident=Incident.CONTROLS_MULTIPLE_HANDS, player=player)
    hands: tuple[RoundEvent, ...] = ()
    if state.is_open:
        hands = carry_out(terms, state, facts, authority.stop_player, InvalidateHand(Whom.OF_PLAYER, fold_stands=True))
    return (given, stopped, *hands)


# ---------------------------------------------------------------- after a jackpot fault


def set_jackpot_mode(terms: Terms, c: SetJackpotMode) -> Verdict:
    """The House closes the table, bars a box, plays on without jackpot Bets, or restores them."""
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
        return Refusal(Code.FACT_MISSING, "Disallowing a box names a box of the table.", specific[c.mode])
    events: list[RoundEvent] = [JackpotModeSet(by=c.by, mode=c.mode, rules=specific[c.mode], box=c.box)]
    if c.mode == "no_jackpot_bets":
        events.append(NoticeGiven(text="No jackpot bets are accepted or paid at this table.", rules=specific[c.mode]))
    return tuple(events)
