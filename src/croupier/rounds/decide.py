"""(terms, state, command) -> events or a Refusal. The order of the checks is the order in which they are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from msgspec.structs import replace

from croupier.cards import Card
from croupier.money import Money
from croupier.rounds import bet_placement, choices, commands, dealing, events, settlement_acts
from croupier.rounds.counted_stakes import jackpot_amount, lacks_ante, matters_left_open, stays_under_minimum
from croupier.rounds.irregularities import consequences, reports, rulings
from croupier.rounds.refusal import Code, Refusal, held, no_round, not_authorised
from croupier.rounds.settlement import settle
from croupier.rounds.state import BETTING, OUT, PLAYING, SETTLED, Box, Round, Stake
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET, Deal, Role, Rules, Turn

Verdict: TypeAlias = tuple[events.RoundEvent, ...] | Refusal


def decide(terms: Terms, state: Round, command: commands.RoundCommand) -> Verdict:
    """Judge a command by the rulebook. Pure: no clock, no chance, no files."""
    # The commands of every Round come first, compared by type: Python takes several times as long to find that a case
    # of a `match` does not apply to a struct.
    if type(command) is commands.DecideHand:
        return _decide_hand(terms, state, command)
    if type(command) is commands.TurnCards:
        return _turn(terms, state, command)
    if type(command) is commands.DealCards:
        return _deal(terms, state)
    if type(command) is commands.PlaceBet:
        return _place(terms, state, command)
    if type(command) is commands.SettleBets:
        return _settle(terms, state)
    if type(command) is commands.CloseBets:
        return _close(terms, state)
    if type(command) is commands.OpenRound:
        return _open(terms, state, command)
    if type(command) is commands.ExamineHand:
        return _examine(terms, state, command)
    match command:
        case commands.CorrectCards():
            return _correct(terms, state, command)
        case commands.HandleHand():
            return choices.cannot_handle(terms, state, command) or (
                events.HandHandled(box=command.box, player=command.player),
            )
        case commands.WithdrawBet():
            return _withdraw(terms, state, command)
        case commands.WalkAway():
            return _walk_away(terms, state, command)
        case commands.ActForAbsent():
            return reports.act_for_absent(terms, state, command.box)
        case commands.RefuseReveal():
            return choices.cannot_refuse_reveal(terms, state, command) or (events.RevealRefused(box=command.box),)
        case commands.ProveHand():
            return choices.cannot_prove(terms, state, command) or (events.HandProved(box=command.box),)
        case commands.ViewHand():
            return _view_hand(terms, state, command)
        case commands.RestrictPlayer():
            return _restrict(terms, command)
        case commands.ReportIncident():
            return reports.report(terms, state, command)
        case commands.ChooseOption():
            return rulings.choose(terms, state, command)
        case commands.GiveRuling():
            return rulings.rule(terms, state, rulings.in_the_words_awaited(terms, state, command))
        case commands.SetJackpotMode():
            return rulings.set_jackpot_mode(terms, command)
        case commands.ConfirmActs():
            return settlement_acts.confirm(terms, state, command)
        case commands.EnterAct():
            return settlement_acts.enter(terms, state, command)
        case commands.ResolveMispay():
            return settlement_acts.resolve(terms, state, command)
        case commands.NoteMispay():
            return settlement_acts.note(terms, state, command)
        case _:
            assert_never(command)


# ---------------------------------------------------------------- opening and betting


def _open(terms: Terms, state: Round, c: commands.OpenRound) -> Verdict:
    refusal = settlement_acts.cannot_open(terms, state)
    if refusal is not None:
        return refusal
    day = c.day if terms.book.limiting.under_once else 0
    return (events.RoundOpened(number=state.number + 1, day=day, rulebook=terms.pin, confirms=c.confirms),)


def _place(terms: Terms, state: Round, c: commands.PlaceBet) -> Verdict:
    refusal = bet_placement.cannot_place(terms, state, c)
    if refusal is not None:
        return refusal
    rules: Rules = terms.book.limiting.staff_bets if c.by is not None else ()
    remembered = c.remembered and stays_under_minimum(terms, state, c)
    return (
        events.BetPlaced(
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


def _withdraw(terms: Terms, state: Round, c: commands.WithdrawBet) -> Verdict:
    refusal = bet_placement.cannot_withdraw(terms, state, c)
    if refusal is not None:
        return refusal
    stake = state.box(c.box).stake_of(c.player, c.bet)
    assert stake is not None, "only a bet that lies there may be withdrawn"
    live = state.stage is PLAYING
    rules = terms.book.closing.withdrawn_rules if live else ()
    return (events.BetWithdrawn(box=c.box, player=c.player, bet=c.bet, amount=stake.amount, live=live, rules=rules),)


def _close(terms: Terms, state: Round) -> Verdict:
    if state.stage is PLAYING:
        return Refusal(Code.BETS_CLOSED, "Bets are closed already.", terms.book.closing.rules)
    if state.stage is not BETTING:
        return no_round(terms)
    if state.is_held:
        return held(state)
    if not any(box.stakes for box in state.boxes):
        return Refusal(Code.NO_BETS, "No bet lies on any box, so there is nothing to deal.", terms.book.opening)
    hands = []
    jackpot_bets = []
    for box in state.boxes:
        if not box.stakes or box.stands is not OUT:
            continue
        if not any(terms.bets[stake.bet].takes_part for stake in box.stakes):
            continue
        hands.append(box.number)
        for stake in box.stakes:
            if stake.bet == JACKPOT_BET and not lacks_ante(terms, box, stake):
                accepted = _accepted_jackpot_bet(terms, box, stake)
                if accepted is not None:
                    jackpot_bets.append(accepted)
    return (events.BetsClosed(hands=tuple(hands), jackpot_bets=tuple(jackpot_bets)),)


def _accepted_jackpot_bet(terms: Terms, box: Box, stake: Stake) -> events.JackpotBet | None:
    """Return what of a jackpot Bet counts toward the meter; None where it is short of the prescribed amount."""
    counts: Money = jackpot_amount(terms, stake.amount).counts
    if not counts:
        return None
    assert terms.jackpot_bet is not None
    amount = counts if terms.book.jackpot.contributes_multiples else terms.jackpot_bet
    return events.JackpotBet(box.number, stake.player, amount)


# ---------------------------------------------------------------- the Dealer's work


def _deal(terms: Terms, state: Round) -> Verdict:
    if type(dealing.dealers_work(terms, state)) is not commands.DealCards:
        return Refusal(Code.NOTHING_TO_DEAL, "The procedure deals no card now.", terms.dealing.rules)
    boxes, steps, dealt = dealing.dealt_in(state), terms.dealing.steps, list[events.RoundEvent]()
    for index in dealing.steps_to_deal(terms, state):
        step = steps[index]
        assert type(step) is Deal, "the procedure deals here"
        dealt.append(events.CardsDealt(step=index, to=dealing.places_of(step, boxes), rules=step.rules))
    return tuple(dealt)


def _turn(terms: Terms, state: Round, c: commands.TurnCards) -> Verdict:
    work = dealing.dealers_work(terms, state)
    if type(work) is not dealing.CardsToTurn:
        return Refusal(Code.NOTHING_TO_TURN, "The procedure turns no card now.", terms.dealing.rules)
    index = dealing.next_step(terms, state)
    step = terms.dealing.steps[index]
    if not _fits(c.cards, work.places):
        places = ", ".join(f"{len(ordinals)} of {place}" for place, ordinals in work.places.items())
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
    after = index + 1 if type(step) is Turn else index
    return (events.CardsTurned(step=after, cards=c.cards, rules=step.rules),)


def _fits(cards: Mapping[str, tuple[Card, ...]], places: Mapping[str, tuple[int, ...]]) -> bool:
    """Return whether there are as many cards for each place as are to be turned there."""
    if len(cards) != len(places):
        return False
    for place, ordinals in places.items():  # noqa: SIM110  a plain loop, since every turned card comes through here
        if len(cards.get(place, ())) != len(ordinals):
            return False
    return True


def _correct(terms: Terms, state: Round, c: commands.CorrectCards) -> Verdict:
    """Correct wrongly entered cards on the word of two people; a settled Round is settled again."""
    rules = terms.dealing.rules
    if state.stage not in (PLAYING, SETTLED):
        return Refusal(Code.NOTHING_TO_TURN, "No cards lie face up that could be corrected.", rules)
    if state.is_held:
        return held(state)
    if not c.who or not c.second or c.who == c.second:
        return Refusal(Code.NOT_AUTHORISED, "Cards are corrected by two different people.", rules)
    if c.by < Role.SHIFT_MANAGER and reports.unwinds_an_award(terms, state, c.award_paid):
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
    corrected = events.CardsCorrected(cards=c.cards, was=was, by=c.by, who=c.who, second=c.second, rules=rules)
    if state.stage is SETTLED:
        return (events.RoundReopened(number=state.number, rules=terms.book.reopening), corrected)
    return (corrected,)


def _settle(terms: Terms, state: Round) -> Verdict:
    if type(dealing.dealers_work(terms, state)) is not commands.SettleBets:
        return Refusal(Code.NOT_READY_TO_SETTLE, "The round is not at its settlement.", terms.dealing.rules)
    left_open = matters_left_open(terms, state)
    if left_open is not None:
        incident, boxes = left_open
        return reports.refer(terms, state, commands.ReportIncident(incident=incident, boxes=boxes))
    return settle(terms, state)


# ---------------------------------------------------------------- Players with cards


def _examine(terms: Terms, state: Round, c: commands.ExamineHand) -> Verdict:
    refusal = choices.cannot_examine(terms, state, c)
    if refusal is not None:
        return refusal
    if c.player in state.box(c.box).seen_by:
        return ()
    looked = events.HandExamined(box=c.box, player=c.player, noticed=c.noticed, cards=c.cards, salt=c.salt)
    if c.from_deck:
        looked = replace(looked, round=state.number, deal=state.deals, at=state.ordinals(str(c.box)))
    return (looked,)


def _decide_hand(terms: Terms, state: Round, c: commands.DecideHand) -> Verdict:
    decision = choices.decision_of(terms, state, c)
    if type(decision) is Refusal:
        return decision
    rules = decision.rules_of(c.choice)
    if c.choice != decision.bet:
        return (events.HandDecided(box=c.box, choice=c.choice, rules=rules),)
    box, times = state.box(c.box), terms.bets[decision.bet].times_ante
    exact = times * box.staked(ANTE_BET)
    parts = _parts(box, exact if c.amount is None else c.amount, exact, times)
    return (events.HandDecided(box=c.box, choice=c.choice, bet=decision.bet, parts=parts, rules=rules),)


def _parts(box: Box, amount: Money, exact: Money, times: int) -> tuple[events.StakePart, ...]:
    """Divide a decision Bet among the Players in proportion to their parts of the Ante."""
    if amount == exact:
        return tuple(
            [events.StakePart(stake.player, times * stake.amount) for stake in box.stakes if stake.bet == ANTE_BET]
        )
    antes = [stake for stake in box.stakes if stake.bet == ANTE_BET]
    parts = []
    before = 0
    total = sum(stake.amount for stake in antes)
    for stake in antes:
        upto = before + stake.amount
        parts.append(events.StakePart(stake.player, amount * upto // total - amount * before // total))
        before = upto
    return tuple(part for part in parts if part.amount)


def _walk_away(terms: Terms, state: Round, c: commands.WalkAway) -> Verdict:
    refusal = choices.cannot_walk_away(state, c)
    return refusal or (events.WalkedAway(player=c.player), *consequences.given_up(terms, state, c.player))


def _view_hand(terms: Terms, state: Round, c: commands.ViewHand) -> Verdict:
    refusal = terms.book.not_shown
    if refusal is None or refusal.view_by is None:
        return Refusal(Code.NOT_IN_THIS_GAME, "This game's rules do not let staff look at a hand that was not shown.")
    if not 1 <= c.box <= terms.boxes or not state.box(c.box).refused:
        return Refusal(Code.NOT_REFUSED, f"Box {c.box} has not refused to show its hand.", refusal.rules)
    if c.by < refusal.view_by:
        return not_authorised(c.by, refusal.view_by, "look at a hand that was not shown", refusal.view_rules)
    return (events.HandViewed(box=c.box, by=c.by),)


def _restrict(terms: Terms, c: commands.RestrictPlayer) -> Verdict:
    seating = terms.book.seating
    if seating.restrict_by is None:
        return Refusal(
            Code.NOT_IN_THIS_GAME, "This game's rules do not restrict a player to one position.", seating.several_rules
        )
    if c.by < seating.restrict_by:
        return not_authorised(c.by, seating.restrict_by, "restrict a player to one position", seating.restrict_rules)
    return (events.PlayerRestricted(player=c.player, by=c.by, rules=seating.restrict_rules),)
