"""Bets before the deal: which a Player may place and take back, on which box, and how much of them.

Each act has one check: `decide` asks it before an event follows, `view` before it offers. The order of the checks is
the order in which they are written.
"""

from __future__ import annotations

import msgspec

from croupier.money import Money, show
from croupier.rounds import commands
from croupier.rounds.counted_stakes import lacks_ante, may_stand
from croupier.rounds.events import BetWithdrawn
from croupier.rounds.evolve import evolve
from croupier.rounds.refusal import Code, Refusal, held, no_round, unknown_box
from croupier.rounds.state import BETTING, OUT, PLAYING, Box, Round
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, Bet, BetKind, BetName, BoxNo, Rules

JACKPOT = BetKind.JACKPOT
PLACED_BEFORE_THE_DEAL = (BetKind.ENTRY, BetKind.SIDE, JACKPOT)


class Elsewhere(msgspec.Struct, frozen=True, gc=False):
    """What the house knows of a Player's Bets from outside this table; a PlaceBet command carries the same facts."""

    barred: bool = False
    """Another table of the house has barred the Player."""
    link_closed: bool = False
    """The link of the table takes no jackpot Bets."""
    ante_most: tuple[tuple[BoxNo, Money], ...] = ()
    """Boxes that the pit has limited, each with the most that may lie there as Ante."""

    def most_at(self, box: BoxNo) -> Money | None:
        """Return the most that may lie as Ante on a box; None where the table's limits alone hold."""
        return next((most for number, most in self.ante_most if number == box), None)


NOTHING_ELSEWHERE = Elsewhere()


class LawfulBet(msgspec.Struct, frozen=True, gc=False):
    """A Bet that a Player may place on a box, and how much of it."""

    box: BoxNo
    bet: BetName
    least: Money
    most: Money
    rules: Rules
    amounts: tuple[Money, ...] = ()
    """The only amounts that may be placed, where the rules prescribe them; otherwise any from least to most."""


class LawfulWithdrawal(msgspec.Struct, frozen=True, gc=False):
    """A Bet that a Player may take back."""

    box: BoxNo
    bet: BetName
    amount: Money
    rules: Rules
    stays_live: bool = False
    """It comes off the layout and is still won or lost."""


# ---------------------------------------------------------------- placing


def cannot_place(terms: Terms, state: Round, c: commands.PlaceBet) -> Refusal | None:
    """Return why this Bet may not be placed; None where it may."""
    book = terms.book
    if state.stage is PLAYING:
        message = f"Box {c.box}: bets are closed, so {c.bet} {show(c.amount)} is refused."
        return Refusal(Code.BETS_CLOSED, message, book.closing.rules)
    if state.stage is not BETTING:
        return Refusal(Code.BETS_NOT_OPEN, "Bets are not open yet: the Dealer calls for them first.", book.opening)
    if state.is_held:
        return held(state)
    bet = terms.bets.get(c.bet)
    if bet is None:
        return Refusal(Code.UNKNOWN_BET, f'This game has no bet "{c.bet}": it has {", ".join(terms.bets)}.')
    if bet.kind not in PLACED_BEFORE_THE_DEAL:
        return Refusal(Code.NOT_PLACED_BEFORE_THE_DEAL, f"{c.bet} is not placed before the deal.", bet.rules)
    if unknown := unknown_box(terms, (c.box,)):
        return unknown
    box = state.box(c.box)
    return (
        _box_takes_no_bets(terms, state, box)
        or _no_jackpot_bets(terms, state, bet, c.link_closed)
        or _player_takes_no_part(terms, state, box, c.player, c.barred)
        or _not_seated(terms, box, c.player, bet)
        or _wrong_amount(terms, box, c, bet)
    )


def _box_takes_no_bets(terms: Terms, state: Round, box: Box) -> Refusal | None:
    if box.stands is not OUT:
        return Refusal(Code.NO_HAND, f"Box {box.number} is out of this round.", box.why)
    if box.number in state.standing.disallowed_boxes:
        measures = terms.book.measures
        rules = measures.disallow_box if measures else terms.book.authority.uncovered
        return Refusal(Code.BOX_DISALLOWED, f"No bets are taken on box {box.number}.", rules)
    return None


def _no_jackpot_bets(terms: Terms, state: Round, bet: Bet, link_closed: bool) -> Refusal | None:
    if bet.kind is not JACKPOT:
        return None
    if terms.jackpot_bet is None:
        return Refusal(Code.NO_JACKPOT, "The table is not on a jackpot link, so it takes no jackpot bets.", bet.rules)
    if link_closed:
        return Refusal(Code.LINK_CLOSED, "The link of this table is closed, so no jackpot bet is taken.", bet.rules)
    if state.standing.jackpot_suspended:
        measures = terms.book.measures
        rules = measures.no_jackpot_bets if measures else terms.book.authority.uncovered
        return Refusal(Code.JACKPOT_BETS_SUSPENDED, "Jackpot bets are suspended until the House restores them.", rules)
    return None


def _player_takes_no_part(
    terms: Terms, state: Round, box: Box, player: commands.PlayerName, barred_elsewhere: bool
) -> Refusal | None:
    """Return why this Player may put no Bet at all on this box."""
    seating, standing = terms.book.seating, state.standing
    if barred_elsewhere or player in standing.prohibited:
        return Refusal(Code.PLAYER_PROHIBITED, f"{player} may not play on.", terms.book.authority.prohibited)
    if player in state.absent:
        return Refusal(Code.PLAYER_AWAY, f"{player} has walked away.", seating.rules)
    if not seating.shared_boxes:
        for stake in box.stakes:
            if stake.player != player:
                return Refusal(Code.BOX_TAKEN, f"Box {box.number} is another player's.", seating.rules)
    if seating.several_boxes and player not in standing.restricted:
        return None
    for other in state.boxes:
        if other is box or all(stake.player != player for stake in other.stakes):
            continue
        if not seating.several_boxes:
            message = f"{player} plays box {other.number} and may play one box only."
            return Refusal(Code.ONE_BOX_ONLY, message, seating.several_rules)
        message = f"{player} plays box {other.number} and is restricted to one position."
        return Refusal(Code.ONE_POSITION_ONLY, message, seating.restrict_rules)
    return None


def _not_seated(terms: Terms, box: Box, player: commands.PlayerName, bet: Bet) -> Refusal | None:
    seated_only = terms.book.seating.jackpot_seated_only
    if bet.kind is not JACKPOT or not seated_only or box.seated in (None, player):
        return None
    message = f"Only {box.seated}, seated at box {box.number}, may place its jackpot bet."
    return Refusal(Code.NOT_SEATED, message, seated_only)


def _wrong_amount(terms: Terms, box: Box, c: commands.PlaceBet, bet: Bet) -> Refusal | None:
    """Return why the rules forbid this amount; a Bet that was not noticed in time stays there."""
    if c.amount <= 0:
        return Refusal(
            Code.NO_AMOUNT, f"Box {c.box}: a bet of {show(c.amount)} is refused: it must be more than 0.00.", bet.rules
        )
    if not c.noticed:
        return None
    book, there = terms.book, box.staked(c.bet)
    total = there + c.amount
    if bet.needs_ante and not may_stand(box, c.player, bet):
        needed = " or ".join(name.replace("_", " ").title() for name in bet.beside)
        message = f"Box {c.box}: {c.player} has no {needed} there, so {c.bet} is refused."
        return Refusal(Code.ANTE_REQUIRED, message, bet.needs_ante)
    if bet.kind is JACKPOT:
        assert terms.jackpot_bet is not None
        if c.amount not in _jackpot_amounts(terms, there):
            times = f"1 to {book.jackpot.multiples} times " if book.jackpot.multiples > 1 else ""
            message = f"Box {c.box}: the jackpot bet is {times}{show(terms.jackpot_bet)}, not {show(total)}."
            return Refusal(Code.WRONG_JACKPOT_AMOUNT, message, book.jackpot.amount_rules)
        return None
    limits = terms.limits[c.bet]
    least, most = _room(terms, c.bet, there, c.ante_most)
    if c.amount > most:
        highest = limits.maximum if c.ante_most is None or c.bet != ANTE_BET else min(limits.maximum, c.ante_most)
        over = f"{c.bet} {show(total)} is over the maximum of {show(highest)}"
        message = f"Box {c.box}: {over}; at most {show(most)} may be placed."
        return Refusal(Code.OVER_MAXIMUM, message, book.limiting.over_refused)
    if c.amount < least:
        under = f"{c.bet} {show(total)} is under the minimum of {show(limits.minimum)}"
        message = f"Box {c.box}: {under}; at least {show(least)} must be placed."
        return Refusal(Code.UNDER_MINIMUM, message, book.limiting.under_refused)
    return None


def _room(terms: Terms, bet: BetName, there: Money, ante_most: Money | None) -> tuple[Money, Money]:
    """Return the least and the most that may be added to what lies on an area."""
    limits = terms.limits[bet]
    highest = limits.maximum if ante_most is None or bet != ANTE_BET else min(limits.maximum, ante_most)
    return max(limits.minimum - there, 1), max(highest - there, 0)


def _jackpot_amounts(terms: Terms, there: Money) -> tuple[Money, ...]:
    """Return what may be added to a jackpot Bet, so that it is the prescribed amount or a lawful multiple of it."""
    unit = terms.jackpot_bet
    if unit is None:
        return ()
    totals = (times * unit for times in range(1, terms.book.jackpot.multiples + 1))
    return tuple(total - there for total in totals if total > there)


def lawful_bets_on(
    terms: Terms, state: Round, box: Box, player: commands.PlayerName, elsewhere: Elsewhere = NOTHING_ELSEWHERE
) -> tuple[LawfulBet, ...]:
    """Return every Bet that this Player may place on one box now.

    Of the other boxes it depends only on which of them have chips of the Player.
    """
    if state.stage is not BETTING or state.awaiting or _box_takes_no_bets(terms, state, box):
        return ()
    if _player_takes_no_part(terms, state, box, player, elsewhere.barred):
        return ()
    found = []
    for bet in terms.book.bets:
        if bet.kind not in PLACED_BEFORE_THE_DEAL or _no_jackpot_bets(terms, state, bet, elsewhere.link_closed):
            continue
        offered = _lawful_bet(terms, box, player, bet, elsewhere.most_at(box.number))
        if offered is not None:
            found.append(offered)
    return tuple(found)


def _lawful_bet(
    terms: Terms, box: Box, player: commands.PlayerName, bet: Bet, ante_most: Money | None
) -> LawfulBet | None:
    """Return this Bet with the amounts that may be placed; None where not even the least may."""
    if _not_seated(terms, box, player, bet):
        return None
    there = box.staked(bet.name)
    is_jackpot = bet.kind is JACKPOT
    amounts = _jackpot_amounts(terms, there) if is_jackpot else _room(terms, bet.name, there, ante_most)
    if not amounts:
        return None
    c = commands.PlaceBet(player=player, box=box.number, bet=bet.name, amount=amounts[0], ante_most=ante_most)
    if _wrong_amount(terms, box, c, bet) is not None:
        return None
    prescribed = amounts if is_jackpot else ()
    return LawfulBet(box.number, bet.name, amounts[0], amounts[-1], bet.rules, prescribed)


# ---------------------------------------------------------------- taking back


def cannot_withdraw(terms: Terms, state: Round, c: commands.WithdrawBet) -> Refusal | None:
    """Return why this Bet may not be taken back."""
    closing = terms.book.closing
    if not state.is_open:
        return no_round(terms)
    if unknown := unknown_box(terms, (c.box,)):
        return unknown
    box = state.box(c.box)
    stake = box.stake_of(c.player, c.bet)
    if stake is None or stake.taken_off:
        return Refusal(Code.NO_SUCH_BET, f"Box {c.box}: {c.player} has no {c.bet} there.")
    if state.stage is PLAYING:
        if closing.withdrawn_stays_live:
            return None
        message = f"Box {c.box}: bets are closed, so {c.bet} {show(stake.amount)} stays where it is."
        return Refusal(Code.BETS_CLOSED, message, closing.withdrawn_rules or closing.rules)
    if state.is_held:
        return held(state)
    withdrawn = BetWithdrawn(box=c.box, player=c.player, bet=c.bet, amount=stake.amount)
    without = evolve(state, withdrawn).box(c.box)
    for other in without.stakes:
        if other.player == c.player and lacks_ante(terms, without, other) and not lacks_ante(terms, box, other):
            message = f"Box {c.box}: {other.bet} needs the {c.bet.title()}, so that stays while it lies there."
            return Refusal(Code.ANTE_NEEDED_BY_OTHER_BETS, message, terms.bets[other.bet].needs_ante)
    return None


def lawful_withdrawals(terms: Terms, state: Round, player: commands.PlayerName) -> tuple[LawfulWithdrawal, ...]:
    """Return every Bet that this Player may take back now."""
    if not state.is_open:
        return ()
    closed = state.stage is PLAYING
    rules = terms.book.closing.withdrawn_rules if closed else ()
    return tuple(
        LawfulWithdrawal(box.number, stake.bet, stake.amount, rules, closed)
        for box in state.boxes
        for stake in box.stakes
        if stake.player == player
        and cannot_withdraw(terms, state, commands.WithdrawBet(player=player, box=box.number, bet=stake.bet)) is None
    )
