"""What lies beside the Ante: side Bets and the jackpot Bet, which a fold may lose and which so weigh in the choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from croupier.cards import Card, show
from croupier.lab.bets import jackpot, side_bets
from croupier.lab.model.game import Game, LabError, Structure, Units, Unsolvable
from croupier.lab.solve import called_boards, holdem, own_cards
from croupier.lab.solve.holdem import StartingHand
from croupier.lab.solve.solution import HandValue, Solution
from croupier.money import Money
from croupier.rulebooks.vocabulary import JACKPOT_BET, BetName, Fate

Worth = tuple[Units, Units]
"""In units of Ante: if the Hand is played, and if it is folded."""


class BadStake(LabError):
    """A stake that this game does not take."""


class SideStakes(msgspec.Struct, frozen=True):
    """The Ante and what is staked beside it, in cents; the meter decides what awards are worth."""

    ante: Money
    stakes: Mapping[BetName, Money]
    meter: Money = 0
    participants: int = 1


def refuse_bad_stakes(game: Game, beside: SideStakes) -> None:
    """Raise BadStake where the game does not take these stakes."""
    known = [side.name for side in game.sides if not side.on_ante]
    unit = game.terms.jackpot_bet
    if unit is not None:
        known.append(JACKPOT_BET)
    if beside.ante <= 0:
        raise BadStake("The Ante must be more than 0.00.")
    for name, stake in beside.stakes.items():
        if name not in known:
            raise BadStake(f'"{name}" is not staked beside the Ante in {game.name}: {", ".join(known)} may be.')
        if stake <= 0:
            raise BadStake(f"A {name.replace('_', ' ')} bet must be more than 0.00.")
        most = game.terms.book.jackpot.multiples
        if name == JACKPOT_BET and unit is not None and (stake % unit or not 1 <= stake // unit <= max(1, most)):
            allowed = f"{unit / 100:.2f}" if most <= 1 else f"1 to {most} times {unit / 100:.2f}"
            raise BadStake(f"The jackpot bet of {game.name} is {allowed}, not {stake / 100:.2f}.")


def starting_hand_worth(game: Game, beside: SideStakes, hand: StartingHand) -> Worth:
    """Return what the stakes beside the Ante bring with a starting hand."""
    played = folded = Fraction(0)
    for name, stake in beside.stakes.items():
        if name == JACKPOT_BET:
            played += _jackpot(game, beside, jackpot.mask_chances(game, hand.number, folded=False))
            folded += _jackpot(game, beside, jackpot.mask_chances(game, hand.number, folded=True))
        else:
            side, units = game.side(name), Fraction(stake, beside.ante)
            cases = side_bets.played(side, game, hand)
            played += units * sum((part * side.net(line, fate) for part, line, fate in cases), Fraction(0))
            folded += units * side.net(side_bets.own_line(side, hand), Fate.FOLDED)
    return played, folded


def _jackpot(game: Game, beside: SideStakes, chances: Mapping[jackpot.Mask, Fraction]) -> Units:
    """Return what the jackpot Bet wins or loses on average, in units of Ante."""
    stake = beside.stakes[JACKPOT_BET]
    pays = jackpot.pays(game, stake, beside.participants)
    paid = sum((part * pays(mask).at(Fraction(beside.meter)) for mask, part in chances.items()), Fraction(0))
    return (paid - stake) / beside.ante


def own_cards_units(game: Game, beside: SideStakes) -> dict[BetName, Units]:
    """Return the side Bets that a fold may lose, in units of Ante; the jackpot Bet stays either way."""
    sides = {side.name for side in game.sides}
    return {name: Fraction(stake, beside.ante) for name, stake in beside.stakes.items() if name in sides}


def flop_award_worth(game: Game, beside: SideStakes, hand: Sequence[Card], boards: Sequence[tuple[Card, ...]]) -> Units:
    """Return what awards of the board are worth to a Hand that is called, in units of Ante; a fold loses them."""
    pays = jackpot.pays(game, beside.stakes[JACKPOT_BET], beside.participants)
    book = game.terms.book.jackpot
    worth = Fraction(0)
    for board in boards:
        mask = jackpot.lines_met(book, tuple(hand), board)
        kept = jackpot.claimable(book, mask, folded=True)
        worth += pays(mask).at(Fraction(beside.meter)) - pays(kept).at(Fraction(beside.meter))
    return worth / called_boards.LATER / beside.ante


class CombinedPlay(msgspec.Struct, frozen=True):
    """All Bets together, where the stakes beside the Ante change what is best."""

    beside: SideStakes
    best: Solution
    """The play of the Ante that is best with all of them."""
    ev: Units
    """Won on all of them together, in units of Ante."""
    gain: Units
    """Gained against the best play of the Ante alone."""
    changed: tuple[str, ...]
    """Hands that are decided otherwise than for the Ante alone."""


def combine(solved: Solution, beside: SideStakes) -> CombinedPlay:
    """Find the best play with all of these staked. Raises BadStake."""
    game = solved.game
    refuse_bad_stakes(game, beside)
    if game.structure is Structure.FLOP_FIRST:
        return _combine_on_flops(solved, beside)
    constant = Fraction(0)
    if game.decides_on_own_cards:
        if JACKPOT_BET in beside.stakes and game.terms.book.jackpot.folded_community_only:
            raise Unsolvable(f"A jackpot bet of {game.name} that a fold loses is not weighed in the decision.")
        best = own_cards.solve(game, own_cards_units(game, beside))
        if JACKPOT_BET in beside.stakes:
            constant = _jackpot(game, beside, jackpot.mask_chances(game, 0, folded=False))
    else:
        best = holdem.solve(game, beside=lambda hand: starting_hand_worth(game, beside, hand))
    together = list(zip(solved.hands, best.hands, strict=True))
    everything = sum(hand.ways for hand in best.hands)
    ev = sum((hand.value * hand.ways for hand in best.hands), Fraction(0)) / everything
    kept = sum(((after.play if before.played else after.fold) * after.ways for before, after in together), Fraction(0))
    changed = dict.fromkeys(_name(game, after) for before, after in together if before.played != after.played)
    return CombinedPlay(beside, best, ev + constant, ev - kept / everything, tuple(changed))


def _name(game: Game, hand: HandValue) -> str:
    return hand.name if game.structure is Structure.STREETS else show(hand.cards)


def _combine_on_flops(solved: Solution, beside: SideStakes) -> CombinedPlay:
    game = solved.game
    ev, gain = solved.ev, Fraction(0)
    changed: list[str] = []
    if JACKPOT_BET in beside.stakes:
        stake = beside.stakes[JACKPOT_BET]
        meter = Fraction(beside.meter)
        unit = game.terms.jackpot_bet
        assert unit is not None
        figures = jackpot.figures(solved, meter=meter, units=stake // unit, participants=beside.participants)
        ev += (figures.expected(meter) - stake) / beside.ante
    if JACKPOT_BET in beside.stakes and called_boards.matters(game):
        for position in called_boards.positions(game):
            # A call that is good by itself stays good; one that is not may be worth it for the award.
            if position.call <= -1:
                more = position.call + flop_award_worth(game, beside, position.hand, position.boards) + 1
                if more > 0:
                    gain += position.probability * more
                    changed.append(f"{show(position.hand)} on {show(position.boards[0][:3])}")
    return CombinedPlay(beside, solved, ev + gain, gain, tuple(changed))
