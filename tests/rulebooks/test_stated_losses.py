"""What a book states a fold or a hand that is not shown loses, for people to read, is what such a hand loses at the
table: under every reading, with cards that would win every Bet."""

from __future__ import annotations

import pytest

from croupier.rulebooks.terms import table_terms
from croupier.rulebooks.vocabulary import BetKind
from tests.scripting import Played, Step, bet, close_bets, decide, jackpot, refuse_reveal, replay, table

MULTI_LINK, THREE_CARD, MBS, VERSION_6, SUN = (
    "rws-multilink-holdem",
    "rws-multilink-three-card",
    "mbs-megalink-holdem",
    "rws-progressive-holdem",
    "sun-casino-holdem",
)
SIDE_BET = {MULTI_LINK: "bonus", THREE_CARD: "pair_plus", MBS: "bonus", VERSION_6: "bonus"}
HOLDEM_CARDS = {"box_1": "As Ah", "community": "Ad Ac 7s 2h 3d", "dealer": "Kd Ks"}
THREE_CARDS = {"box_1": "6h 5h 4h", "dealer": "Kd 7s 2c"}


def played(game: str, rulings: dict[str, str], *steps: Step) -> Played:
    """Every Bet that is placed before the deal lies on box 1; then these steps."""
    cards = THREE_CARDS if game == THREE_CARD else HOLDEM_CARDS
    side = [bet(1, SIDE_BET[game], "10.00")] if game in SIDE_BET else []
    bets = [bet(1, "ante", "10.00"), *side, bet(1, "jackpot", "5.00"), close_bets()]
    return replay(jackpot(), table(game, rulings=rulings, cards=cards), bets, list(steps))


def came_to(result: Played, game: str, outcome: str) -> set[str]:
    """The Bets of box 1 with this outcome, but for the jackpot Bet, which its own cards decide."""
    kinds = {found.name for found in table_terms(game).book.bets if found.kind is not BetKind.JACKPOT}
    lines = result.lines(1)
    return {kind for kind in kinds & set(lines) if (found := lines[kind]) is not None and found.outcome == outcome}


@pytest.mark.parametrize(
    ("game", "rulings"),
    [
        (MULTI_LINK, {}),
        (THREE_CARD, {"fold-pair-plus": "a"}),
        (THREE_CARD, {"fold-pair-plus": "b"}),
        (MBS, {}),
        (VERSION_6, {}),
        (SUN, {}),
    ],
)
def test_a_fold_loses_what_the_book_states(game: str, rulings: dict[str, str]) -> None:
    """rws-multilink-holdem 3.11.2.a, rws-multilink-three-card 3.12.1, mbs-megalink-holdem 3.9.1, rws-progressive-holdem
    3.11.2.a, sun-casino-holdem How to Play ¶3.b."""
    fold = table_terms(game, rulings=rulings).book.fold
    result = played(game, rulings, decide(1, "fold"))
    assert came_to(result, game, "lose") == set(fold.loses)
    assert came_to(result, game, "win") == set(fold.keeps) - {"jackpot"}


@pytest.mark.parametrize("letter", ["a", "b"])
@pytest.mark.parametrize("game", [MULTI_LINK, THREE_CARD, MBS, VERSION_6])
def test_a_hand_that_is_not_shown_loses_and_gets_back_what_the_book_states(game: str, letter: str) -> None:
    """rws-multilink-holdem 4.3, rws-multilink-three-card 4.5, mbs-megalink-holdem 3.10.1, rws-progressive-holdem 4.3,
    reading refusal-later-bets."""
    rulings = {"refusal-later-bets": letter}
    not_shown = table_terms(game, rulings=rulings).book.not_shown
    assert not_shown is not None
    choices = ("play",) if game == THREE_CARD else ("flop", "turn", "river")
    result = played(game, rulings, refuse_reveal(1), *(decide(1, choice) for choice in choices))
    assert came_to(result, game, "lose") == set(not_shown.loses)
    assert came_to(result, game, "returned") == set(not_shown.returns)
    assert came_to(result, game, "win") == set()
