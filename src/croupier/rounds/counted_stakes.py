"""What of each stake counts: limits, wrong-sized decision Bets, wrong jackpot amounts, Bets without their Ante."""

from __future__ import annotations

import msgspec

from croupier.money import Money
from croupier.rounds.commands import PlaceBet, PlayerName
from croupier.rounds.state import Box, Round, Stake
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import (
    ANTE_BET,
    JACKPOT_BET,
    Bet,
    BetKind,
    BetName,
    BoxNo,
    Incident,
    IncidentName,
    Rules,
)

DECISION, JACKPOT, PAYOUT = BetKind.DECISION, BetKind.JACKPOT, BetKind.PAYOUT

SURPLUS_OF_A_JACKPOT_BET = "Only the prescribed amount counts; the rest goes back."


class Counted(msgspec.Struct, frozen=True, gc=False):
    """How much of the chips on one area counts, and what says so."""

    placed: Money
    counts: Money
    rules: Rules = ()
    note: str = ""

    def parts(self, box: Box, bet: BetName) -> list[tuple[Stake, Money]]:
        """Return each Player's stake on the area, in order of placing, with the part of it that counts."""
        if self.counts == self.placed:
            return [(stake, stake.amount) for stake in box.stakes if stake.bet == bet]
        found, before, shared = list[tuple[Stake, Money]](), 0, 0
        for stake in box.stakes:
            if stake.bet == bet:
                before += stake.amount
                # Rounding each running total down shares the counting amount out to the last cent.
                upto = before * self.counts // self.placed
                found.append((stake, upto - shared))
                shared = upto
        return found


def count_area(terms: Terms, box: Box, bet: BetName) -> Counted:
    """Return what counts of all that lies on one area of a box."""
    placed = box.staked(bet)
    kind = terms.bets[bet].kind
    if kind is DECISION:
        return _decision_bet(terms, box, bet, placed)
    if kind is JACKPOT:
        return jackpot_amount(terms, placed)
    if kind is PAYOUT:
        return Counted(placed, placed)
    return _within_limits(terms, bet, placed)


def _within_limits(terms: Terms, bet: BetName, placed: Money) -> Counted:
    limits, limiting = terms.limits[bet], terms.book.limiting
    if placed > limits.maximum and limiting.over_late:
        return Counted(placed, limits.maximum, limiting.over_late, "Only the maximum counts; the rest goes back.")
    if placed < limits.minimum and limiting.under_late:
        return Counted(
            placed, placed, limiting.under_late, "It lay under the minimum unnoticed, so it counts as it lies."
        )
    return Counted(placed, placed)


def _decision_bet(terms: Terms, box: Box, bet: BetName, placed: Money) -> Counted:
    limiting, times = terms.book.limiting, terms.bets[bet].times_ante
    ante, maximum = box.staked(ANTE_BET), terms.limits[ANTE_BET].maximum
    lies = times * ante
    exact, limit = lies, max(lies, placed)
    if limiting.over_late:
        exact = times * min(ante, maximum) if limiting.measured_on_effective_ante else lies
        limit = times * maximum if limiting.decision_limit_scales else maximum
    allowed = min(exact, limit)
    if placed == lies:
        if placed <= allowed:
            return Counted(placed, placed)
        rules = (*limiting.over_late, *limiting.too_big) if placed > exact else limiting.over_late
        return Counted(placed, allowed, rules, "Only the maximum counts; the rest goes back.")
    if placed > exact and limiting.too_big:
        return Counted(placed, allowed, limiting.too_big, "It was more than it may be; the surplus goes back.")
    if placed < exact and limiting.too_small:
        note = "It was less than it should be and counts as it lies."
        return Counted(placed, min(placed, limit), limiting.too_small, note)
    if placed > limit:
        # A ruling may let a wrong size stand; the document's maximum still holds.
        return Counted(placed, limit, limiting.over_late, "Only the maximum counts; the rest goes back.")
    return Counted(placed, placed)


def jackpot_amount(terms: Terms, placed: Money) -> Counted:
    """Return what counts of a jackpot Bet: the prescribed amount or lawful multiples; a short Bet counts zero."""
    assert terms.jackpot_bet is not None
    jackpot = terms.book.jackpot
    units = min(placed // terms.jackpot_bet, jackpot.multiples)
    counts = units * terms.jackpot_bet
    if counts == placed:
        return Counted(placed, counts)
    note = SURPLUS_OF_A_JACKPOT_BET if units else "It is short of the prescribed amount."
    return Counted(placed, counts, jackpot.wrong_amount_late, note)


def lacks_ante(terms: Terms, box: Box, stake: Stake) -> bool:
    """Return whether a Bet needs an Ante of its own Player on the box and has none."""
    bet = terms.bets[stake.bet]
    return bool(bet.needs_ante) and not may_stand(box, stake.player, bet)


def may_stand(box: Box, player: PlayerName, bet: Bet) -> bool:
    """Return whether this Player has on the box what this Bet needs beside it."""
    for name in bet.beside:  # noqa: SIM110  a plain loop, since the engine asks this all the time
        if box.stake_of(player, name) is not None:
            return True
    return False


def is_under_minimum(terms: Terms, box: Box, stake: Stake) -> bool:
    """Return whether the area on which this stake lies holds less than the minimum."""
    limits = terms.limits.get(stake.bet)
    return limits is not None and box.staked(stake.bet) < limits.minimum


def stays_under_minimum(terms: Terms, state: Round, c: PlaceBet) -> bool:
    """Return whether the area of this unnoticed Bet still holds less than the minimum, which is settled once."""
    limits = terms.limits.get(c.bet)
    if c.noticed or limits is None or not terms.book.limiting.under_once:
        return False
    return state.box(c.box).staked(c.bet) + c.amount < limits.minimum


def players_under_minimum(terms: Terms, state: Round) -> tuple[PlayerName, ...]:
    """Return the Players with a Bet under the minimum, where the game settles such Bets once only."""
    if not terms.book.limiting.under_once:
        return ()
    small = (stake.player for box in state.boxes for stake in box.stakes if is_under_minimum(terms, box, stake))
    return tuple(dict.fromkeys(small))


def matters_left_open(terms: Terms, state: Round) -> tuple[IncidentName, tuple[BoxNo, ...]] | None:
    """Return what the settlement meets and no paragraph covers, with the boxes concerned."""
    limiting = terms.book.limiting
    boxes = [box for box in state.boxes if box.stakes and not box.ruled]
    if not (limiting.too_big and limiting.too_small):
        wrong = tuple(box.number for box in boxes if _is_wrong_sized(terms, box))
        if wrong:
            return Incident.WRONG_SIZE, wrong
    if not (limiting.over_late and limiting.under_late):
        outside = tuple(box.number for box in boxes if _is_outside_limits(terms, box))
        if outside:
            return Incident.OUTSIDE_LIMITS, outside
    if not terms.book.jackpot.wrong_amount_late:
        wrong = tuple(box.number for box in boxes if _is_wrong_jackpot_bet(terms, box))
        if wrong:
            return Incident.OUTSIDE_LIMITS, wrong
    if terms.book.not_shown is None:
        unshown = tuple(box.number for box in boxes if box.refused and not box.proved)
        if unshown:
            return Incident.NOT_REVEALED, unshown
    return None


def _is_wrong_sized(terms: Terms, box: Box) -> bool:
    ante = box.staked(ANTE_BET)
    return any(
        bet.kind is DECISION and box.has(bet.name) and box.staked(bet.name) != bet.times_ante * ante
        for bet in terms.book.bets
    )


def _is_wrong_jackpot_bet(terms: Terms, box: Box) -> bool:
    placed = box.staked(JACKPOT_BET)
    return bool(placed) and jackpot_amount(terms, placed).counts != placed


def _is_outside_limits(terms: Terms, box: Box) -> bool:
    return any(
        box.has(bet) and not limits.minimum <= box.staked(bet) <= limits.maximum for bet, limits in terms.limits.items()
    )
