"""One box of MBS Megalink Texas Hold'em, played to its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.scripting import Played, Step, bet, close_bets, decides, jackpot, replay, table

GAME = "mbs-megalink-holdem"
TO_THE_RIVER = ("flop", "turn", "river")


def play(
    own: str,
    dealer: str,
    community: str,
    *choices: str,
    before: Sequence[Step] = (),
    ante: str = "10.00",
    bonus: str | None = None,
    progressive: str | None = None,
    meter: str = "100000.00",
    reset: str = "50000.00",
    contribution: str = "0.00",
    rulings: Mapping[str, str] | None = None,
) -> Played:
    """One box, played to its end (by Flop, Turn and River unless told); `before` comes ahead of the last choice."""
    stakes = {"ante": ante, "bonus": bonus, "jackpot": progressive}
    *first, last = decides(1, *(choices or TO_THE_RIVER))
    return replay(
        jackpot(meter, reset=reset, contribution=contribution),
        table(GAME, rulings=rulings, community=community, dealer=dealer, box_1=own),
        [bet(1, kind, amount) for kind, amount in stakes.items() if amount is not None],
        close_bets(),
        first,
        before,
        last,
    )
