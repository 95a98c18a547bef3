"""An ordinary round of each game: what every line cites, to the last paragraph, and nothing besides. Other tests ask
whether a paragraph is among the cited ones; these would also miss one that does not belong there."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.scripting import bet, close_bets, decide, jackpot, replay, table

HOLDEM, THREE_CARD, MBS, VERSION_6, SUN = (
    "rws-multilink-holdem",
    "rws-multilink-three-card",
    "mbs-megalink-holdem",
    "rws-progressive-holdem",
    "sun-casino-holdem",
)
SIDE_BET = {HOLDEM: "bonus", THREE_CARD: "pair_plus", MBS: "bonus", VERSION_6: "bonus"}
CHOICES = {THREE_CARD: ("play",), SUN: ("call",)}

STRAIGHT = {"box_1": "Ac Kd", "community": "Qs Js Th 2c 2d", "dealer": "7h 7c"}
PAIR = {"box_1": "Ac Ad", "community": "Qs Js 4h 3c 2d", "dealer": "7h 7c"}
BEATEN = {"box_1": "Kc Kd", "community": "Qs Js 4h 3c 2d", "dealer": "Ah Ac"}
TIED = {"box_1": "Ac 7d", "community": "Qs Qd 4h Kc 2d", "dealer": "Ah 7c"}


def cited(game: str, cards: Mapping[str, str], *choices: str) -> dict[str, str]:
    """Every Bet of one box, all streets bet unless told otherwise: its outcome and what its line cites."""
    side = [bet(1, SIDE_BET[game], "10.00")] if game in SIDE_BET else []
    bets = [bet(1, "ante", "10.00"), *side, bet(1, "jackpot", "5.00"), close_bets()]
    decided = [decide(1, choice) for choice in choices or CHOICES.get(game, ("flop", "turn", "river"))]
    lines = replay(jackpot(), table(game, cards=cards), bets, decided).lines(1)
    return {kind: f"{each.outcome}: {', '.join(each.rules)}" for kind, each in lines.items() if each is not None}


def hand_bets(line: str) -> dict[str, str]:
    return dict.fromkeys(("flop", "turn", "river"), line)


@pytest.mark.parametrize(
    ("game", "tie", "bonus_on_tie", "jackpot_lost", "kept"),
    [
        (HOLDEM, "3.15, 1.28", "", "4.2.1, 1.21, 3.17", "folded-cards-kept"),
        (
            VERSION_6,
            "3.15, 1.27",
            ", 3.15, bonus-on-stand-off",
            "4.2, bonus-unlisted-loses",
            "v6-royal-folded",
        ),
    ],
)
def test_rws_texas_holdem(game: str, tie: str, bonus_on_tie: str, jackpot_lost: str, kept: str) -> None:
    """rws-multilink-holdem 3.9, 3.11.2.a, 3.13 to 3.15, 4.1; rws-progressive-holdem likewise."""
    bonus, nothing = "win: 4.1, 3.9", f"lose: 3.9, 4.1, bonus-unlisted-loses{bonus_on_tie}"
    no_award = {"jackpot": f"lose: {jackpot_lost}"}
    won = hand_bets("win: 3.13, 4.1")
    assert cited(game, STRAIGHT) == {"ante": "win: 3.13, 4.1", "bonus": bonus, **no_award, **won}
    assert cited(game, PAIR) == {"ante": "stand_off: 3.13", "bonus": bonus, **no_award, **won}
    assert cited(game, BEATEN) == {"ante": "lose: 3.14", "bonus": bonus, **no_award, **hand_bets("lose: 3.14")}
    tied = {"ante": f"stand_off: {tie}", "bonus": nothing, **no_award, **hand_bets(f"stand_off: {tie}")}
    assert cited(game, TIED) == tied
    assert cited(game, BEATEN, "fold") == {
        "ante": "lose: 3.11.2.a",
        "bonus": "lose: 3.11.2.a, bonus-1000-folded",
        "jackpot": f"lose: {jackpot_lost}, 3.11.2.a, {kept}",
    }


def test_mbs_texas_holdem() -> None:
    """mbs-megalink-holdem 1.1.3, 3.9.1, 3.10.2 to 3.10.4, 4.1, 4.1.1, 4.2."""
    won, bonus = "win: 3.10.2, 4.1, 4.1.1", "win: 4.1.1, 1.1.3"
    no_award = {"jackpot": "lose: 4.2, bonus-unlisted-loses"}
    straight = {"ante": won, "bonus": bonus, "jackpot": "win: 4.2, 3.13", **hand_bets(won)}
    assert cited(MBS, STRAIGHT) == straight
    assert cited(MBS, PAIR) == {"ante": "stand_off: 3.10.2", "bonus": bonus, **no_award, **hand_bets(won)}
    beaten = {"ante": "lose: 3.10.3", "bonus": f"{bonus}, bonus-on-loss", **no_award, **hand_bets("lose: 3.10.3")}
    assert cited(MBS, BEATEN) == beaten
    nothing, tie = "lose: 1.1.3, 4.1.1, bonus-unlisted-loses, bonus-on-stand-off", "stand_off: 3.10.4, 1.1.14"
    assert cited(MBS, TIED) == {"ante": tie, "bonus": nothing, **no_award, **hand_bets(tie)}
    assert cited(MBS, BEATEN, "fold") == {
        "ante": "lose: 3.9.1",
        "bonus": "lose: 3.9.1, bonus-1000-folded",
        "jackpot": "lose: 4.2, bonus-unlisted-loses, 3.9.1, folded-cards-kept",
    }


def test_three_card_poker() -> None:
    """rws-multilink-three-card 1.2, 1.12, 1.18, 3.12.1, 3.13, 3.15, 3.16, 4.1 to 4.5."""
    pair_plus, no_pair = "win: 4.2, 3.16", "lose: 1.12, 4.2"
    no_award = {"jackpot": "lose: 4.4.1, 1.17, bonus-unlisted-loses"}
    won = {"ante": "win: 3.15.1, 4.1", "play": "win: 3.15.1, 4.1", "ante_bonus": "win: 4.3, 1.2, 3.16"}
    straight = cited(THREE_CARD, {"box_1": "Ac Kd Qs", "dealer": "Th Td 2c"})
    assert straight == {**won, "pair_plus": pair_plus, **no_award}
    beaten = {"box_1": "Kc Kd 2s", "dealer": "Ah Ac 4d"}
    lost = {"ante": "lose: 3.15.2", "play": "lose: 3.15.2", "pair_plus": pair_plus, **no_award}
    assert cited(THREE_CARD, beaten) == lost
    tie = "stand_off: 3.15.3, 1.23"
    tied = cited(THREE_CARD, {"box_1": "Ac 7d 2s", "dealer": "Ah 7c 2d"})
    assert tied == {"ante": tie, "play": tie, "pair_plus": no_pair, **no_award}
    unqualified = cited(THREE_CARD, {"box_1": "9c 5d 2s", "dealer": "Jh 8c 7d"})
    assert unqualified == {
        "ante": "win: 3.13, 4.1, unqualified-worse-hand, 1.18, queen-high",
        "play": "stand_off: 3.13, 1.18, queen-high",
        "pair_plus": no_pair,
        **no_award,
    }
    assert cited(THREE_CARD, beaten, "fold") == {
        "ante": "lose: 3.12.1",
        "pair_plus": "win: 4.2, 3.16, fold-pair-plus, 4.5",
        "jackpot": "lose: 4.4.1, 1.17, bonus-unlisted-loses, 3.12.1, folded-cards-kept",
    }


def test_casino_holdem() -> None:
    """sun-casino-holdem How to Play ¶3.b, ¶4.d, ¶5, Payouts ¶1 and ¶2, Stand Off ¶1, Ante Winning Paytable ¶5."""
    no_award = {"jackpot": "lose: Progressive Jackpot ¶2.b, sun-pay-tables"}
    flush = cited(SUN, {"box_1": "Ah 3h", "community": "Kh 9h 6h 4s 2c", "dealer": "9c Jd"})
    assert flush == {
        "ante": "win: Payouts ¶1, Payouts ¶1.a, Ante Winning Paytable ¶5, sun-pay-tables",
        "call": "win: Payouts ¶1, Payouts ¶1.a, How to Play ¶4.d",
        **no_award,
    }
    assert cited(SUN, BEATEN) == {"ante": "lose: Payouts ¶1.c", "call": "lose: Payouts ¶1.c", **no_award}
    tie = "stand_off: Payouts ¶1.b, Stand Off ¶1"
    assert cited(SUN, TIED) == {"ante": tie, "call": tie, **no_award}
    unqualified = cited(SUN, {"box_1": "Kc 7d", "community": "Qs Js 4h 3c 2d", "dealer": "Ah 9c"})
    unqualified_by = "How to Play ¶5, Payouts ¶2, How to Play ¶4.c, sun-tie-unqualified"
    assert unqualified == {
        "ante": f"win: {unqualified_by}, sun-pay-tables",
        "call": f"stand_off: {unqualified_by}",
        **no_award,
    }
    assert cited(SUN, BEATEN, "fold") == {
        "ante": "lose: How to Play ¶3.b",
        "jackpot": "lose: Progressive Jackpot ¶2.b, sun-pay-tables, How to Play ¶3.b, Progressive Jackpot ¶1.b",
    }
