"""What a Player may do with a Hand: look, decide, leave, keep the cards from the comparison, choose an option.

Each act has one check: `decide` asks it before an event follows, `view` before it offers. The order of the checks is
the order in which they are written.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from croupier.money import Money, show
from croupier.rounds import commands
from croupier.rounds.dealing import decision_due, is_blind
from croupier.rounds.refusal import Code, Refusal, held, no_round, unknown_box
from croupier.rounds.state import BETTING, FOLDED, LIVE, PLAYING, Awaiting, Box, Round
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET, BetName, BoxNo, Choice, Decision, Rules


class LawfulChoice(msgspec.Struct, frozen=True, gc=False):
    """A choice that a box may make now, and what it costs."""

    box: BoxNo
    choice: Choice
    costs: Money
    rules: Rules
    bet: BetName | None = None
    """The Bet that the choice places."""


class LawfulMove(msgspec.Struct, frozen=True, gc=False):
    """Anything else that a Player may do, by its step of a round script."""

    do: str
    """`walk_away`, `refuse_reveal`, `prove` or `choose`."""
    rules: Rules
    box: BoxNo | None = None
    option: str | None = None
    """What is chosen, where the rules give the box an option."""
    loses: Money = 0
    """The chips that it loses, where the rules name the Bets."""


# ---------------------------------------------------------------- Players with cards


def hand_of(terms: Terms, state: Round, number: BoxNo) -> Box | Refusal:
    """Return the box with this Hand in play, or why there is none."""
    if state.stage is not PLAYING:
        if state.stage is BETTING:
            return Refusal(Code.NOT_DEALT_YET, "Bets are still open and no card is dealt.", terms.book.opening)
        return no_round(terms)
    if unknown := unknown_box(terms, (number,)):
        return unknown
    box = state.box(number)
    if box.stands not in (LIVE, FOLDED):
        return Refusal(Code.NO_HAND, f"Box {number} has no hand in play.", box.why)
    return box


def cannot_examine(terms: Terms, state: Round, c: commands.ExamineHand) -> Refusal | None:
    """Return why this Player may not look at this Hand; a second look at the same Hand is free."""
    examining = terms.book.examining
    box = hand_of(terms, state, c.box)
    if type(box) is Refusal:
        return box
    if state.is_held:
        return held(state)
    if box.seated != c.player:
        return Refusal(Code.NOT_YOUR_HAND, f"Box {c.box} is not {c.player}'s to look at.", examining.rules)
    if str(c.box) not in state.dealt:
        return Refusal(Code.NOT_DEALT_YET, f"Box {c.box} has no cards yet.", terms.dealing.rules)
    if c.player in box.seen_by or not c.noticed:
        return None
    if examining.side_bet_only and not box.has(ANTE_BET):
        message = f"Box {c.box} has no Ante, so its cards are not looked at before the Dealer turns them."
        return Refusal(Code.NOT_TO_BE_EXAMINED, message, examining.side_bet_only)
    for other in state.boxes:
        if c.player in other.seen_by:
            message = f"{c.player} has looked at box {other.number} and may look at one hand only."
            return Refusal(Code.ONE_HAND_ONLY, message, examining.rules)
    return None


def may_examine(terms: Terms, state: Round, box: Box, player: commands.PlayerName) -> bool:
    """Return whether this Player may take a first look at this Hand."""
    if box.seated != player or player in box.seen_by:
        return False
    return cannot_examine(terms, state, commands.ExamineHand(player=player, box=box.number)) is None


def cannot_handle(terms: Terms, state: Round, c: commands.HandleHand) -> Refusal | None:
    """Return why this Player may not touch this Hand."""
    box = hand_of(terms, state, c.box)
    if type(box) is Refusal:
        return box
    if c.player not in box.players:
        return Refusal(Code.NOT_YOUR_HAND, f"Box {c.box} is not {c.player}'s.", terms.book.examining.rules)
    if not state.ordinals(str(c.box)):
        return Refusal(Code.NOT_DEALT_YET, f"Box {c.box} has no cards yet.", terms.dealing.rules)
    return None


def decision_of(terms: Terms, state: Round, c: commands.DecideHand) -> Decision | Refusal:
    """Return the decision that this choice answers, or why the box may not choose so."""
    box = hand_of(terms, state, c.box)
    if type(box) is Refusal:
        return box
    if state.is_held:
        return held(state)
    due = decision_due(terms, state)
    if due is None or c.box not in due[1]:
        code = Code.ALREADY_DECIDED if box.choices else Code.NO_DECISION_DUE
        return Refusal(code, f"Box {c.box} has nothing to decide now.", box.why or terms.dealing.rules)
    decision = due[0]
    if c.choice not in _open_choices(state, box, decision):
        return _not_open(terms, box, decision, c.choice)
    if c.choice != decision.bet:
        if c.amount:
            message = f"Box {c.box}: {c.choice} places no bet, so {show(c.amount)} is refused."
            return Refusal(Code.WRONG_AMOUNT, message, decision.rules_of(c.choice))
        return decision
    exact = terms.amount_of(decision.bet, box.staked(ANTE_BET))
    if c.amount is not None and c.amount != exact and (c.noticed or c.amount <= 0):
        times = terms.bets[decision.bet].times_ante
        message = f"Box {c.box}: {c.choice} is {show(exact)}, {times} times the Ante, so {show(c.amount)} is refused."
        return Refusal(Code.WRONG_AMOUNT, message, terms.bets[decision.bet].rules)
    return decision


def _open_choices(state: Round, box: Box, decision: Decision) -> tuple[Choice, ...]:
    """Return what this box may choose of the decision that is due."""
    return decision.open_to(box.has, blind=decision.looked_only and is_blind(state, box))


def _not_open(terms: Terms, box: Box, decision: Decision, choice: Choice) -> Refusal:
    rules = decision.rules
    if choice not in decision.choices:
        message = f"Box {box.number} chooses {' or '.join(decision.choices)}, so {choice} is refused."
    elif decision.needs is not None and not box.has(decision.needs):
        message = f"Box {box.number} has no {decision.needs}, so {choice} is refused."
    else:
        message = f"Box {box.number} is played blind, so {choice} is refused."
        rules = (*terms.book.examining.rules, *decision.rules)
    return Refusal(Code.NOT_A_CHOICE, message, rules)


def lawful_choices(terms: Terms, state: Round, player: commands.PlayerName | None = None) -> tuple[LawfulChoice, ...]:
    """Return every choice of every box that has to decide now, or of the boxes where one Player sits."""
    due = None if state.awaiting else decision_due(terms, state)
    if due is None:
        return ()
    decision, boxes = due
    found = []
    for number in boxes:
        box = state.box(number)
        if player is not None and box.seated != player:
            continue
        for choice in _open_choices(state, box, decision):
            bet = choice if choice == decision.bet else None
            costs = 0 if bet is None else terms.amount_of(bet, box.staked(ANTE_BET))
            found.append(LawfulChoice(number, choice, costs, decision.rules_of(choice), bet))
    return tuple(found)


# ---------------------------------------------------------------- leaving, showing, options


def cannot_walk_away(state: Round, c: commands.WalkAway) -> Refusal | None:
    """Return why this Player cannot leave the table."""
    if not state.is_open or not any(c.player in box.players for box in state.boxes):
        return Refusal(Code.NOT_AT_THE_TABLE, f"{c.player} has no bet on the table.")
    if c.player in state.absent:
        return Refusal(Code.PLAYER_AWAY, f"{c.player} has walked away already.")
    return None


def cannot_refuse_reveal(terms: Terms, state: Round, c: commands.RefuseReveal) -> Refusal | None:
    """Return why this Hand may not be kept from the comparison."""
    box = hand_of(terms, state, c.box)
    if type(box) is Refusal:
        return box
    refusal, rules = terms.book.not_shown, _rules_of_showing(terms)
    if box.face_up or box.refused:
        return Refusal(Code.ALREADY_SHOWN, f"Box {c.box} is past the moment to show or refuse.", rules)
    if terms.book.examining.side_bet_only and not box.has(ANTE_BET):
        message = f"Box {c.box} has no Ante, so the Dealer turns its cards."
        return Refusal(Code.NOT_TO_BE_EXAMINED, message, terms.book.examining.side_bet_only)
    if box.stands is FOLDED and refusal is not None and refusal.view_by is not None:
        return Refusal(Code.NO_HAND, f"Box {c.box} has folded, so there is no comparison to refuse.", rules)
    return None


def _rules_of_showing(terms: Terms) -> Rules:
    refusal = terms.book.not_shown
    return terms.book.authority.uncovered if refusal is None else refusal.rules


def _lost_unshown(terms: Terms, box: Box) -> Money:
    """Return what a Player loses where this Hand is not shown, besides what a fold has lost already; a jackpot Bet is
    counted where showing the Hand later could not save it.
    """
    refusal, fold = terms.book.not_shown, terms.book.fold
    if refusal is None:
        return 0
    lost = {*refusal.loses}
    if JACKPOT_BET not in refusal.provable:
        lost.add(JACKPOT_BET)
    if box.stands is FOLDED:
        lost -= {*fold.loses, *terms.book.showdown.bets}
    return sum(stake.amount for stake in box.stakes if stake.player == box.seated and stake.bet in lost)


def cannot_prove(terms: Terms, state: Round, c: commands.ProveHand) -> Refusal | None:
    """Return why showing this Hand now is not a proof; a second proof changes nothing."""
    box = hand_of(terms, state, c.box)
    if type(box) is Refusal:
        return box
    refusal = terms.book.not_shown
    if not box.refused:
        return Refusal(Code.NOT_REFUSED, f"Box {c.box} has not refused to show its hand.")
    if refusal is None or refusal.proving_restores or any(box.has(bet) for bet in refusal.provable):
        return None
    return Refusal(Code.NOTHING_TO_PROVE, f"Box {c.box} has no bet that showing could still save.", refusal.rules)


def offer_to(state: Round, c: commands.ChooseOption) -> Awaiting | Refusal:
    """Return the offer that this option answers, or why the box may not choose it."""
    offers = [waits for waits in state.awaiting if waits.role is None and c.box in waits.boxes]
    if not offers:
        return Refusal(Code.NOTHING_AWAITED, f"Box {c.box} has no option to choose.")
    for offer in offers:
        if c.option in offer.options:
            return offer
    message = f"Box {c.box} chooses {' or '.join(offers[0].options)}, so {c.option} is refused."
    return Refusal(Code.NOT_AN_OPTION, message, offers[0].rules)


def lawful_moves(terms: Terms, state: Round, player: commands.PlayerName) -> tuple[LawfulMove, ...]:
    """Return what else this Player may do: leave, or act at the boxes where they sit."""
    return tuple(_moves(terms, state, player))


def _moves(terms: Terms, state: Round, player: commands.PlayerName) -> Iterator[LawfulMove]:
    if cannot_walk_away(state, commands.WalkAway(player=player)) is None:
        yield LawfulMove("walk_away", ())
    own = [box for box in state.boxes if box.seated == player]
    for box in own:
        if cannot_refuse_reveal(terms, state, commands.RefuseReveal(box=box.number)) is None:
            yield LawfulMove("refuse_reveal", _rules_of_showing(terms), box.number, loses=_lost_unshown(terms, box))
        if not box.proved and cannot_prove(terms, state, commands.ProveHand(box=box.number)) is None:
            yield LawfulMove("prove", _rules_of_showing(terms), box.number)
    for box in own:
        offers = [waits for waits in state.awaiting if waits.role is None and box.number in waits.boxes]
        for option in dict.fromkeys(option for waits in offers for option in waits.options):
            offer = offer_to(state, commands.ChooseOption(box=box.number, option=option))
            if isinstance(offer, Awaiting):
                yield LawfulMove("choose", offer.rules, box.number, option)
