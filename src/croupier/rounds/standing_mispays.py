"""What a settled Bet really came to: what was due, and every mispay of it that stands."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.money import Money
from croupier.rounds.events import BetSettled
from croupier.rounds.state import LetStand


def on_bet(line: BetSettled, let_stand: Iterable[LetStand]) -> tuple[LetStand, ...]:
    """Return the mispays of this Bet that stand."""
    key = (line.box, line.player, line.bet)
    return tuple([each for each in let_stand if (each.found.box, each.found.player, each.found.bet) == key])


def mispaid(let_stand: Iterable[LetStand]) -> Money:
    """Return what these mispays left with Players beyond what was due; below zero what Players lack."""
    return sum(each.found.over for each in let_stand)
