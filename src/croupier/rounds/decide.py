"""(terms, state, command) -> events or a Refusal. The order of the checks is the order in which they are written."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from croupier.cards import Card
from croupier.money import Money, show
from croupier.rounds import consequences, irregularities, rulings
from croupier.rounds.commands import (
    ActForAbsent,
    ChooseOption,
    CloseBets,
    CorrectCards,
    DealCards,
    DecideHand,
    ExamineHand,
    GiveRuling,
    HandleHand,
    OpenRound,
    PayAward,
    PlaceBet,
    ProveHand,
    RefuseReveal,
    ReportIncident,
    RestrictPlayer,
    RoundCommand,
    SetJackpotMode,
    SettleBets,
    TurnCards,
    ViewHand,
    WalkAway,
    WithdrawBet,
)
from croupier.rounds.counting import (
    jackpot_amount,
    lacks_ante,
    matters_left_open,
    may_stand,
    stays_under_minimum,
)
from croupier.rounds.dealing import (
    CardsToTurn,
    dealers_work,
    dealt_in,
    decision_due,
    is_blind,
    next_step,
    places_of,
)
from croupier.rounds.events import (
    BetPlaced,
    BetsClosed,
    BetWithdrawn,
    CardsCorrected,
    CardsDealt,
    CardsTurned,
    HandDecided,
    HandExamined,
    HandHandled,
    HandProved,
    HandViewed,
    JackpotBet,
    PlayerRestricted,
    RevealRefused,
    RoundEvent,
    RoundOpened,
    RoundReopened,
    StakePart,
    WalkedAway,
)
from croupier.rounds.evolve import evolve
from croupier.rounds.refusal import Code, Refusal, held, no_round, not_authorised
from croupier.rounds.settlement import pay_claim, settle
from croupier.rounds.state import Box, HandStands, Round, Stage, Stake
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, FOLD, JACKPOT_BET, Bet, BetKind, Compare, Deal, Role, Rules, Turn

Verdict: TypeAlias = tuple[RoundEvent, ...] | Refusal


def decide(terms: Terms, state: Round, command: RoundCommand) -> Verdict:
    """What the rulebook makes of a command at this moment. Pure: no clock, no chance, no files."""
    match command:
        case DecideHand():
            return _decide_hand(terms, state, command)
        case TurnCards():
            return _turn(terms, state, command)
        case DealCards():
            return _deal(terms, state)
        case CorrectCards():
            return _correct(terms, state, command)
        case PlaceBet():
            return _place(terms, state, command)
        case SettleBets():
            return _settle(terms, state)
        case CloseBets():
            return _close(terms, state)
        case OpenRound():
            return _open(terms, state, command)
        case ExamineHand():
            return _examine(terms, state, command)
        case HandleHand():
            return _handle(terms, state, command)
        case WithdrawBet():
            return _withdraw(terms, state, command)
        case WalkAway():
            return _walk_away(terms, state, command)
        case ActForAbsent():
            return irregularities.act_for_absent(terms, state, command.box)
        case RefuseReveal():
            return _refuse_reveal(terms, state, command)
        case ProveHand():
            return _prove(terms, state, command)
        case ViewHand():
            return _view_hand(terms, state, command)
        case RestrictPlayer():
            return _restrict(terms, command)
        case ReportIncident():
            return irregularities.report(terms, state, command)
        case ChooseOption():
            return rulings.choose(terms, state, command)
        case GiveRuling():
            return rulings.rule(terms, state, command)
        case SetJackpotMode():
            return rulings.set_jackpot_mode(terms, command)
        case PayAward():
            return _pay_award(terms, state, command)
        case _:
            assert_never(command)


# ---------------------------------------------------------------- opening and betting


def _open(terms: Terms, state: Round, c: OpenRound) -> Verdict:
    if state.is_open:
        return Refusal(Code.ROUND_IS_OPEN, f"Round {state.number} is still open.", terms.book.opening)
    if state.is_held:
        return held(state)
    if state.standing.closed:
        measures = terms.book.measures
        rules = measures.close_table if measures else terms.book.authority.uncovered
        return Refusal(Code.TABLE_CLOSED, "The table is closed.", rules)
    return (RoundOpened(number=state.number + 1, day=c.day if terms.book.limiting.under_once else 0),)


def _place(terms: Terms, state: Round, c: PlaceBet) -> Verdict:
    book = terms.book
    if state.stage is Stage.PLAYING:
        message = f"Box {c.box}: bets are closed, so {c.bet} {show(c.amount)} is refused."
        return Refusal(Code.BETS_CLOSED, message, book.closing.rules)
    if state.stage is not Stage.BETTING:
        return Refusal(Code.BETS_NOT_OPEN, "Bets are placed once the Dealer has called for them.", book.opening)
    if state.is_held:
        return held(state)
    bet = terms.bets.get(c.bet)
    if bet is None:
        return Refusal(Code.UNKNOWN_BET, f'This game has no bet "{c.bet}": it has {", ".join(terms.bets)}.')
    if bet.kind in (BetKind.DECISION, BetKind.PAYOUT):
        return Refusal(Code.NOT_PLACED_BEFORE_THE_DEAL, f"{c.bet} is not placed before the deal.", bet.rules)
    if not 1 <= c.box <= terms.boxes:
        return Refusal(Code.UNKNOWN_BOX, f"There is no box {c.box}: the table has {terms.boxes}.", book.layout.rules)
    return (
        _may_bet_here(terms, state, c, bet)
        or _amount_allowed(terms, state.box(c.box), c, bet)
        or _placed(terms, state, c)
    )


def _may_bet_here(terms: Terms, state: Round, c: PlaceBet, bet: Bet) -> Refusal | None:
    """Who may put this Bet on this box now."""
    seating, standing, measures = terms.book.seating, state.standing, terms.book.measures
    box = state.box(c.box)
    if box.stands is not HandStands.OUT:
        return Refusal(Code.NO_HAND, f"Box {c.box} is out of this round.", box.why)
    if c.box in standing.disallowed_boxes:
        rules = measures.disallow_box if measures else terms.book.authority.uncovered
        return Refusal(Code.BOX_DISALLOWED, f"No bets are taken on box {c.box}.", rules)
    if bet.kind is BetKind.JACKPOT:
        if terms.jackpot_bet is None:
            return Refusal(Code.NO_JACKPOT, "The table is on no jackpot link, so no jackpot bet is offered.", bet.rules)
        if standing.jackpot_suspended:
            rules = measures.no_jackpot_bets if measures else terms.book.authority.uncovered
            return Refusal(Code.JACKPOT_BETS_SUSPENDED, "No jackpot bets are taken until they are restored.", rules)
    if c.barred or c.player in standing.prohibited:
        return Refusal(Code.PLAYER_PROHIBITED, f"{c.player} may not play on.", terms.book.authority.prohibited)
    if c.player in state.absent:
        return Refusal(Code.PLAYER_AWAY, f"{c.player} has walked away.", seating.rules)
    others = [name for name in box.players if name != c.player]
    if others and not seating.shared_boxes:
        return Refusal(Code.BOX_TAKEN, f"Box {c.box} is {others[0]}'s.", seating.rules)
    elsewhere = [b.number for b in state.boxes if b.number != c.box and any(s.player == c.player for s in b.stakes)]
    if elsewhere and not seating.several_boxes:
        message = f"{c.player} plays box {elsewhere[0]} and may play one box only."
        return Refusal(Code.ONE_BOX_ONLY, message, seating.several_rules)
    if elsewhere and c.player in standing.restricted:
        message = f"{c.player} plays box {elsewhere[0]} and is restricted to one position."
        return Refusal(Code.ONE_POSITION_ONLY, message, seating.restrict_rules)
    if bet.kind is BetKind.JACKPOT and seating.jackpot_seated_only and box.seated not in (None, c.player):
        message = f"Only {box.seated}, seated at box {c.box}, may place its jackpot bet."
        return Refusal(Code.NOT_SEATED, message, seating.jackpot_seated_only)
    return None


def _amount_allowed(terms: Terms, box: Box, c: PlaceBet, bet: Bet) -> Refusal | None:
    """Amounts that the rules forbid; what nobody noticed in time lies there all the same."""
    if c.amount <= 0:
        return Refusal(Code.NO_AMOUNT, f"Box {c.box}: a bet of {show(c.amount)} is no bet.", bet.rules)
    if not c.noticed:
        return None
    book = terms.book
    if bet.needs_ante and not may_stand(box, c.player, bet):
        needed = " or ".join(name.replace("_", " ").title() for name in bet.beside)
        message = f"Box {c.box}: {c.player} has no {needed} there, so {c.bet} is refused."
        return Refusal(Code.ANTE_REQUIRED, message, bet.needs_ante)
    if bet.kind is BetKind.JACKPOT:
        total = box.staked(c.bet) + c.amount
        assert terms.jackpot_bet is not None
        if jackpot_amount(terms, total).counts != total:
            times = f"1 to {book.jackpot.multiples} times " if book.jackpot.multiples > 1 else ""
            message = f"Box {c.box}: the jackpot bet is {times}{show(terms.jackpot_bet)}, not {show(total)}."
            return Refusal(Code.WRONG_JACKPOT_AMOUNT, message, book.jackpot.amount_rules)
        return None
    limits = terms.limits[c.bet]
    there = box.staked(c.bet)
    total = there + c.amount
    if total > limits.maximum:
        most = max(limits.maximum - there, 0)
        over = f"{c.bet} {show(total)} is over the maximum of {show(limits.maximum)}"
        message = f"Box {c.box}: {over}; at most {show(most)} may be placed."
        return Refusal(Code.OVER_MAXIMUM, message, book.limiting.over_refused)
    if total < limits.minimum:
        least = limits.minimum - there
        under = f"{c.bet} {show(total)} is under the minimum of {show(limits.minimum)}"
        message = f"Box {c.box}: {under}; at least {show(least)} must be placed."
        return Refusal(Code.UNDER_MINIMUM, message, book.limiting.under_refused)
    return None


def _placed(terms: Terms, state: Round, c: PlaceBet) -> Verdict:
    rules: Rules = terms.book.limiting.staff_bets if c.by is not None else ()
    remembered = c.remembered and stays_under_minimum(terms, state, c)
    return (
        BetPlaced(
            box=c.box,
            player=c.player,
            bet=c.bet,
            amount=c.amount,
            noticed=c.noticed,
            by=c.by,
            rules=rules,
            remembered=remembered and c.player not in state.standing.under_minimum,
        ),
    )


def _withdraw(terms: Terms, state: Round, c: WithdrawBet) -> Verdict:
    closing = terms.book.closing
    if not state.is_open:
        return no_round(terms)
    if not 1 <= c.box <= terms.boxes:
        return Refusal(
            Code.UNKNOWN_BOX, f"There is no box {c.box}: the table has {terms.boxes}.", terms.book.layout.rules
        )
    box = state.box(c.box)
    stake = box.stake_of(c.player, c.bet)
    if stake is None or stake.taken_off:
        return Refusal(Code.NO_SUCH_BET, f"Box {c.box}: {c.player} has no {c.bet} there.")
    withdrawn = BetWithdrawn(box=c.box, player=c.player, bet=c.bet, amount=stake.amount)
    if state.stage is Stage.PLAYING:
        if not closing.withdrawn_stays_live:
            message = f"Box {c.box}: bets are closed, so {c.bet} {show(stake.amount)} stays where it is."
            return Refusal(Code.BETS_CLOSED, message, closing.withdrawn_rules or closing.rules)
        return (
            BetWithdrawn(
                box=c.box, player=c.player, bet=c.bet, amount=stake.amount, live=True, rules=closing.withdrawn_rules
            ),
        )
    if state.is_held:
        return held(state)
    without = evolve(state, withdrawn).box(c.box)
    for other in without.stakes:
        if other.player == c.player and lacks_ante(terms, without, other) and not lacks_ante(terms, box, other):
            message = f"Box {c.box}: {other.bet} needs the {c.bet.title()}, so that stays while it lies there."
            return Refusal(Code.ANTE_NEEDED_BY_OTHER_BETS, message, terms.bets[other.bet].needs_ante)
    return (withdrawn,)


def _close(terms: Terms, state: Round) -> Verdict:
    if state.stage is Stage.PLAYING:
        return Refusal(Code.BETS_CLOSED, "Bets are closed already.", terms.book.closing.rules)
    if state.stage is not Stage.BETTING:
        return no_round(terms)
    if state.is_held:
        return held(state)
    if not any(box.stakes for box in state.boxes):
        return Refusal(Code.NO_BETS, "No bet lies on any box, so there is nothing to deal.", terms.book.opening)
    hands = []
    jackpot_bets = []
    for box in state.boxes:
        if box.stands is not HandStands.OUT or not any(terms.bets[stake.bet].takes_part for stake in box.stakes):
            continue
        hands.append(box.number)
        for stake in box.stakes:
            if stake.bet == JACKPOT_BET and not lacks_ante(terms, box, stake):
                accepted = _accepted_jackpot_bet(terms, box, stake)
                if accepted is not None:
                    jackpot_bets.append(accepted)
    return (BetsClosed(hands=tuple(hands), jackpot_bets=tuple(jackpot_bets)),)


def _accepted_jackpot_bet(terms: Terms, box: Box, stake: Stake) -> JackpotBet | None:
    """What of a jackpot Bet counts toward the meter; nothing where it is short of the prescribed amount."""
    counts: Money = jackpot_amount(terms, stake.amount).counts
    if not counts:
        return None
    assert terms.jackpot_bet is not None
    amount = counts if terms.book.jackpot.contributes_multiples else terms.jackpot_bet
    return JackpotBet(box.number, stake.player, amount)


# ---------------------------------------------------------------- the Dealer's work


def _deal(terms: Terms, state: Round) -> Verdict:
    if not isinstance(dealers_work(terms, state), DealCards):
        return Refusal(Code.NOTHING_TO_DEAL, "The procedure deals no card now.", terms.dealing.rules)
    dealt: list[RoundEvent] = []
    while isinstance(step := terms.dealing.steps[index := next_step(terms, state)], Deal):
        event = CardsDealt(step=index, to=places_of(step, dealt_in(state)), rules=step.rules)
        state = evolve(state, event)
        dealt.append(event)
    return tuple(dealt)


def _turn(terms: Terms, state: Round, c: TurnCards) -> Verdict:
    work = dealers_work(terms, state)
    if not isinstance(work, CardsToTurn):
        return Refusal(Code.NOTHING_TO_TURN, "The procedure turns no card now.", terms.dealing.rules)
    index = next_step(terms, state)
    step = terms.dealing.steps[index]
    assert isinstance(step, Turn | Compare)
    wanted = {place: len(ordinals) for place, ordinals in work.places.items()}
    if {place: len(cards) for place, cards in c.cards.items()} != wanted:
        places = ", ".join(f"{count} of {place}" for place, count in wanted.items())
        return Refusal(Code.WRONG_CARDS, f"The cards to turn now are {places}.", step.rules)
    known = {*state.community, *state.dealer}
    for box in state.boxes:
        if box.cards:
            seen = c.cards.get(str(box.number))
            if seen is None:
                known.update(box.cards)
            elif set(seen) != set(box.cards):
                message = f"Box {box.number} has been seen as {' '.join(box.cards)}, so it cannot be {' '.join(seen)}."
                return Refusal(Code.WRONG_CARDS, message, step.rules)
    for place, cards in c.cards.items():
        for card in cards:
            if card in known:
                return Refusal(Code.CARD_REPEATED, f"{card} for {place} lies on the table already.", step.rules)
            known.add(card)
    after = index if isinstance(step, Compare) else index + 1
    return (CardsTurned(step=after, cards=c.cards, rules=step.rules),)


def _correct(terms: Terms, state: Round, c: CorrectCards) -> Verdict:
    """What was entered wrongly is put right by two people; where the Round is settled, it is settled again."""
    rules = terms.dealing.rules
    if state.stage not in (Stage.PLAYING, Stage.SETTLED):
        return Refusal(Code.NOTHING_TO_TURN, "No cards lie face up that could be corrected.", rules)
    if state.is_held:
        return held(state)
    if not c.who or not c.second or c.who == c.second:
        return Refusal(Code.NOT_AUTHORISED, "Cards are corrected by two different people.", rules)
    if state.paid_from_meter and c.by < Role.SHIFT_MANAGER:
        return not_authorised(c.by, Role.SHIFT_MANAGER, "unwind an award that has been paid", terms.book.reopening)
    shown = {"community": state.community, "dealer": state.dealer}
    shown |= {str(box.number): box.cards for box in state.boxes if box.face_up}
    was = {place: shown.get(place, ()) for place in c.cards}
    for place, cards in c.cards.items():
        if not cards or len(cards) != len(was[place]):
            lie = f"{len(was[place])} cards lie face up" if was[place] else "no card lies face up"
            return Refusal(Code.WRONG_CARDS, f"At {place} {lie}, so {len(cards)} cannot be what lies there.", rules)
    if not c.cards or was == dict(c.cards):
        return Refusal(Code.WRONG_CARDS, "These are the cards that were entered.", rules)
    known: set[Card] = set()
    for place, cards in (shown | dict(c.cards)).items():
        for card in cards:
            if card in known:
                return Refusal(Code.CARD_REPEATED, f"{card} for {place} lies on the table already.", rules)
            known.add(card)
    corrected = CardsCorrected(cards=c.cards, was=was, by=c.by, who=c.who, second=c.second, rules=rules)
    if state.stage is Stage.SETTLED:
        return (RoundReopened(number=state.number, rules=terms.book.reopening), corrected)
    return (corrected,)


def _settle(terms: Terms, state: Round) -> Verdict:
    if not isinstance(dealers_work(terms, state), SettleBets):
        return Refusal(Code.NOT_READY_TO_SETTLE, "The round is not at its settlement.", terms.dealing.rules)
    left_open = matters_left_open(terms, state)
    if left_open is not None:
        incident, boxes = left_open
        return irregularities.refer(terms, state, ReportIncident(incident=incident, boxes=boxes))
    return tuple(settle(terms, state))


def _pay_award(terms: Terms, state: Round, c: PayAward) -> Verdict:
    for claim in state.claims:
        if (claim.round, claim.box) == (c.round, c.box):
            return tuple(pay_claim(terms, claim, c.lines, c.rules))
    return Refusal(Code.NO_CLAIM, f"Box {c.box} claims no award of round {c.round}.", terms.book.jackpot.rules)


# ---------------------------------------------------------------- Players with cards


def _hand_of(terms: Terms, state: Round, number: int) -> Box | Refusal:
    """A box that holds a Hand in play."""
    if state.stage is not Stage.PLAYING:
        if state.stage is Stage.BETTING:
            return Refusal(Code.NOT_DEALT_YET, "Bets are still open and no card is dealt.", terms.book.opening)
        return no_round(terms)
    if not 1 <= number <= terms.boxes:
        return Refusal(
            Code.UNKNOWN_BOX, f"There is no box {number}: the table has {terms.boxes}.", terms.book.layout.rules
        )
    box = state.box(number)
    if box.stands not in (HandStands.LIVE, HandStands.FOLDED):
        return Refusal(Code.NO_HAND, f"Box {number} holds no hand in play.", box.why)
    return box


def _examine(terms: Terms, state: Round, c: ExamineHand) -> Verdict:
    examining = terms.book.examining
    box = _hand_of(terms, state, c.box)
    if isinstance(box, Refusal):
        return box
    if state.is_held:
        return held(state)
    if box.seated != c.player:
        return Refusal(Code.NOT_YOUR_HAND, f"Box {c.box} is not {c.player}'s to look at.", examining.rules)
    if not state.ordinals(str(c.box)):
        return Refusal(Code.NOT_DEALT_YET, f"Box {c.box} has no cards yet.", terms.dealing.rules)
    if c.player in box.seen_by:
        return ()
    if c.noticed:
        if examining.side_bet_only and not box.has(ANTE_BET):
            message = f"Box {c.box} has no Ante, so its cards are not looked at before the Dealer turns them."
            return Refusal(Code.NOT_TO_BE_EXAMINED, message, examining.side_bet_only)
        for other in state.boxes:
            if c.player in other.seen_by:
                message = f"{c.player} has looked at box {other.number} and may look at one hand only."
                return Refusal(Code.ONE_HAND_ONLY, message, examining.rules)
    return (HandExamined(box=c.box, player=c.player, noticed=c.noticed, cards=c.cards),)


def _handle(terms: Terms, state: Round, c: HandleHand) -> Verdict:
    box = _hand_of(terms, state, c.box)
    if isinstance(box, Refusal):
        return box
    if c.player not in box.players:
        return Refusal(Code.NOT_YOUR_HAND, f"Box {c.box} is not {c.player}'s.", terms.book.examining.rules)
    if not state.ordinals(str(c.box)):
        return Refusal(Code.NOT_DEALT_YET, f"Box {c.box} has no cards yet.", terms.dealing.rules)
    return (HandHandled(box=c.box, player=c.player),)


def _decide_hand(terms: Terms, state: Round, c: DecideHand) -> Verdict:
    box = _hand_of(terms, state, c.box)
    if isinstance(box, Refusal):
        return box
    if state.is_held:
        return held(state)
    due = decision_due(terms, state)
    if due is None or c.box not in due[1]:
        code = Code.ALREADY_DECIDED if box.choices else Code.NO_DECISION_DUE
        return Refusal(code, f"Box {c.box} has nothing to decide now.", box.why or terms.dealing.rules)
    decision = due[0]
    if c.choice == decision.otherwise or (c.choice == FOLD and decision.may_fold):
        rules = decision.otherwise_rules if c.choice == decision.otherwise else decision.may_fold
        if c.amount:
            message = f"Box {c.box}: {c.choice} places no bet, so {show(c.amount)} is refused."
            return Refusal(Code.WRONG_AMOUNT, message, rules)
        return (HandDecided(box=c.box, choice=c.choice, rules=rules),)
    if c.choice != decision.bet:
        message = f"Box {c.box} chooses {' or '.join(decision.choices)}, so {c.choice} is refused."
        return Refusal(Code.NOT_A_CHOICE, message, decision.rules)
    if decision.needs is not None and not box.has(decision.needs):
        message = f"Box {c.box} has no {decision.needs}, so {c.choice} is refused."
        return Refusal(Code.NOT_A_CHOICE, message, decision.rules)
    if decision.looked_only and is_blind(state, box):
        message = f"Box {c.box} is played blind, so {c.choice} is refused."
        return Refusal(Code.NOT_A_CHOICE, message, (*terms.book.examining.rules, *decision.rules))
    times = terms.bets[decision.bet].times_ante
    exact = times * box.staked(ANTE_BET)
    amount = exact if c.amount is None else c.amount
    if amount != exact and (c.noticed or amount <= 0):
        message = f"Box {c.box}: {c.choice} is {show(exact)}, {times} times the Ante, so {show(amount)} is refused."
        return Refusal(Code.WRONG_AMOUNT, message, terms.bets[decision.bet].rules)
    return (
        HandDecided(
            box=c.box,
            choice=c.choice,
            bet=decision.bet,
            parts=_parts(box, amount, exact, times),
            rules=decision.bet_rules,
        ),
    )


def _parts(box: Box, amount: Money, exact: Money, times: int) -> tuple[StakePart, ...]:
    """Everyone with a part of the Ante funds the decision Bet in the same proportion."""
    antes = [stake for stake in box.stakes if stake.bet == ANTE_BET]
    if amount == exact:
        return tuple(StakePart(stake.player, times * stake.amount) for stake in antes)
    parts = []
    before = 0
    total = sum(stake.amount for stake in antes)
    for stake in antes:
        upto = before + stake.amount
        parts.append(StakePart(stake.player, amount * upto // total - amount * before // total))
        before = upto
    return tuple(part for part in parts if part.amount)


def _walk_away(terms: Terms, state: Round, c: WalkAway) -> Verdict:
    if not state.is_open or not any(c.player in box.players for box in state.boxes):
        return Refusal(Code.NOT_AT_THE_TABLE, f"{c.player} has no bet on the table.")
    if c.player in state.absent:
        return Refusal(Code.PLAYER_AWAY, f"{c.player} has walked away already.")
    return (WalkedAway(player=c.player), *consequences.given_up(terms, state, c.player))


def _refuse_reveal(terms: Terms, state: Round, c: RefuseReveal) -> Verdict:
    box = _hand_of(terms, state, c.box)
    if isinstance(box, Refusal):
        return box
    refusal = terms.book.not_shown
    rules = refusal.rules if refusal is not None else terms.book.authority.uncovered
    if box.face_up or box.refused:
        return Refusal(Code.ALREADY_SHOWN, f"Box {c.box} is past the moment to show or refuse.", rules)
    if terms.book.examining.side_bet_only and not box.has(ANTE_BET):
        message = f"Box {c.box} has no Ante, so the Dealer turns its cards himself."
        return Refusal(Code.NOT_TO_BE_EXAMINED, message, terms.book.examining.side_bet_only)
    if box.stands is HandStands.FOLDED and refusal is not None and refusal.view_by is not None:
        return Refusal(Code.NO_HAND, f"Box {c.box} has folded and declines no comparison.", rules)
    return (RevealRefused(box=c.box),)


def _prove(terms: Terms, state: Round, c: ProveHand) -> Verdict:
    box = _hand_of(terms, state, c.box)
    if isinstance(box, Refusal):
        return box
    refusal = terms.book.not_shown
    if not box.refused:
        return Refusal(Code.NOT_REFUSED, f"Box {c.box} has not refused to show its hand.")
    if refusal is None:
        return (HandProved(box=c.box),)
    if not (refusal.proving_restores or any(box.has(bet) for bet in refusal.provable)):
        return Refusal(Code.NOTHING_TO_PROVE, f"Box {c.box} has no bet that showing could still save.", refusal.rules)
    return (HandProved(box=c.box),)


def _view_hand(terms: Terms, state: Round, c: ViewHand) -> Verdict:
    refusal = terms.book.not_shown
    if refusal is None or refusal.view_by is None:
        return Refusal(Code.NOT_IN_THIS_GAME, "This game's rules let nobody look at a hand that was not shown.")
    if not 1 <= c.box <= terms.boxes or not state.box(c.box).refused:
        return Refusal(Code.NOT_REFUSED, f"Box {c.box} has not refused to show its hand.", refusal.rules)
    if c.by < refusal.view_by:
        return not_authorised(c.by, refusal.view_by, "look at a hand that was not shown", refusal.view_rules)
    return (HandViewed(box=c.box, by=c.by),)


def _restrict(terms: Terms, c: RestrictPlayer) -> Verdict:
    seating = terms.book.seating
    if seating.restrict_by is None:
        return Refusal(
            Code.NOT_IN_THIS_GAME, "This game's rules restrict nobody to one position.", seating.several_rules
        )
    if c.by < seating.restrict_by:
        return not_authorised(c.by, seating.restrict_by, "restrict a player to one position", seating.restrict_rules)
    return (PlayerRestricted(player=c.player, by=c.by, rules=seating.restrict_rules),)
