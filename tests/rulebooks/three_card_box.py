"""One box of RWS Multi-Link Progressive 3 Card Poker, played to its end."""

from __future__ import annotations

from collections.abc import Mapping

from tests.scripting import Played, Step, bet, close_bets, decide, jackpot, replay, table

GAME = "rws-multilink-three-card"


def play(
    own: str,
    dealer: str,
    *more: Step,
    choice: str | None = "play",
    ante: str | None = "10.00",
    pair_plus: str | None = None,
    progressive: str | None = None,
    community: str | None = None,
    meter: str = "100000.00",
    reset: str = "50000.00",
    contribution: str = "0.00",
    rulings: Mapping[str, str] | None = None,
) -> Played:
    """One box, played to its end; further steps come before the decision."""
    stakes = {"ante": ante, "pair_plus": pair_plus, "jackpot": progressive}
    cards = {"dealer": dealer, "box_1": own} | ({} if community is None else {"community": community})
    return replay(
        jackpot(meter, reset=reset, contribution=contribution),
        table(GAME, rulings=rulings, cards=cards),
        [bet(1, kind, amount) for kind, amount in stakes.items() if amount is not None],
        close_bets(),
        more,
        [decide(1, choice)] if choice is not None else [],
    )
