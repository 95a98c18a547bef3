"""Round scripts written in Python: every step of the format, and what the rules forbid as an exception."""

from __future__ import annotations

import inspect
import json
from decimal import Decimal
from typing import get_args

import pytest

from croupier.money import show
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.documents.editions import GAMES
from croupier.scripts import BadScript, Refused, RoundScript, builder, read_script, replay
from croupier.scripts.parse import _COMMANDS, _ROLES, reportable

HOLDEM = "rws-multilink-holdem"


def royal(*, strict: bool = True) -> RoundScript:
    """ana's royal flush on box 1, up to the last decision."""
    hand = RoundScript(HOLDEM, meter="100000.00", strict=strict)
    hand.open(community="Qh Jh Th 7d 9s", dealer="3c 3d", boxes={1: "Ah Kh"})
    hand.bet("ana", 1, "ante", "50.00").bet("ana", 1, "jackpot", "5.00").close_bets()
    return hand.examine("ana", 1).decide(1, "flop", "check", "river")


def test_a_script_from_python_is_played_like_one_from_a_file() -> None:
    """The same document, the same result."""
    hand = royal()
    result = hand.play()
    assert [(line.bet, show(line.won)) for line in result.rounds[0].lines] == [
        ("ante", "50.00"),
        ("jackpot", "100001.00"),
        ("flop", "100.00"),
        ("river", "50.00"),
    ]
    assert replay(read_script(hand.to_json())) == result
    assert json.loads(hand.to_json()) == hand.document


def test_a_refused_step_raises_with_its_sentence_and_its_paragraphs() -> None:
    """rws-multilink-holdem 5.11: nothing is placed once bets are closed."""
    hand = RoundScript(HOLDEM).open().bet("ana", 1, "ante", "50.00").close_bets()
    hand.bet("ben", 2, "ante", "50.00")
    with pytest.raises(Refused, match=r"closed.*5\.11.*Step 3: bet, player ben, box 2") as refused:
        hand.play()
    assert refused.value.code == "bets_closed"
    assert "5.11" in refused.value.rules
    assert refused.value.step == 3


def test_a_script_that_is_not_strict_lists_its_refusals() -> None:
    """Nothing is raised, and the script goes on."""
    hand = royal(strict=False).bet("ana", 1, "ante", "50.00")
    result = hand.play()
    assert [refusal.step for refusal in result.refusals] == [8]
    assert result.rounds[0].status == "settled"


def test_what_is_no_script_is_said_at_once() -> None:
    """Malformed money, a card twice, an unknown game: where it is written, and the script stays as it was."""
    hand = RoundScript(HOLDEM).open()
    with pytest.raises(BadScript, match=r"step 1, amount"):
        hand.bet("ana", 1, "ante", "50")
    assert hand.document["steps"] == [{"do": "open", "cards": {}}]
    with pytest.raises(BadScript, match=r"Ah is named twice"):
        RoundScript(HOLDEM).open(dealer="Ah 2c", boxes={1: "Ah Kh"})
    with pytest.raises(BadScript, match=r"There is no game"):
        RoundScript("whist")


@pytest.mark.parametrize(
    ("amount", "says"),
    [
        (50, "50 is not an amount"),
        (50.0, "50.0 is not an amount"),
        (Decimal("50.00"), r"Decimal\('50.00'\) is not an amount"),
        ({50}, r"\{50\} is not an amount"),
        (object, "<class 'object'> is not an amount"),
    ],
)
def test_what_no_script_can_hold_is_shown_as_python_writes_it(amount: object, says: str) -> None:
    """Whoever hands over a number is told that money is a text, with his own value before his eyes."""
    with pytest.raises(BadScript, match=rf"step 1, amount: {says} of money: write a text"):
        RoundScript(HOLDEM).open().bet("ana", 1, "ante", amount)  # type: ignore[arg-type]  # the wrong call itself


def test_a_name_that_no_text_can_carry_is_refused_where_it_is_written() -> None:
    """Half of a character; before, the script could be played and not be written down."""
    hand = RoundScript(HOLDEM).open()
    with pytest.raises(BadScript, match=r"step 1: bet holds what JSON cannot"):
        hand.bet("\ud800", 1, "ante", "50.00")
    assert len(json.loads(hand.to_json())["steps"]) == 1


@pytest.mark.parametrize("wrong", [{"limits": ["ante"]}, {"pay_tables": {"ante": "2 to 1"}}, {"rulings": "a"}])
def test_a_table_set_up_with_a_wrong_shape_is_no_script(wrong: dict[str, object]) -> None:
    """As in a file: the field is named."""
    with pytest.raises(BadScript, match=rf"^tables\.T1\.{next(iter(wrong))}"):
        RoundScript("sun-casino-holdem", **wrong)  # type: ignore[arg-type]  # the wrong call itself


def test_a_report_brings_the_cards_of_the_new_deal() -> None:
    """sun-casino-holdem Rules ¶3: a misdeal is dealt again, with the cards that the report names."""
    hand = RoundScript("sun-casino-holdem").open().bet("gus", 3, "ante", "25.00").close_bets()
    hand.report("cards_exposed", dealer=True, count=1, cards={"3": "As Ad", "dealer": "7c 2d", "community": "Ah Kd 9s"})
    played = hand.decide(3, "call").play().rounds[0]
    assert played.status == "settled"
    assert played.cards["3"] == ("As", "Ad")


def test_an_editor_offers_exactly_the_incidents_and_roles_of_the_format() -> None:
    """The types of the builder's arguments and what the reader of scripts takes."""
    assert set(get_args(builder.BuiltInIncident)) == set(reportable(declare(GAMES[0])))
    assert set(get_args(builder.RoleName)) == set(_ROLES)


def test_a_table_takes_everything_that_a_script_can_configure() -> None:
    """Dealing, boxes, limits, jackpot bet, pay tables and readings."""
    hand = RoundScript(
        "sun-casino-holdem",
        meter="1000.00",
        reset="500.00",
        contribution="0.10",
        dealing="standard",
        boxes=5,
        limits={"ante": ("20.00", "200.00")},
        jackpot_bet="2.50",
        pay_tables={"ante": {"flush": "4 to 1"}},
        rulings={"sun-tie-unqualified": "a"},
        table="Sun 1",
    )
    assert hand.document == {
        "jackpot": {"meter": "1000.00", "reset": "500.00", "contribution": "0.10"},
        "tables": {
            "Sun 1": {
                "game": "sun-casino-holdem",
                "dealing": "standard",
                "boxes": 5,
                "limits": {"ante": ["20.00", "200.00"]},
                "jackpot_bet": "2.50",
                "pay_tables": {"ante": {"flush": "4 to 1"}},
                "rulings": {"sun-tie-unqualified": "a"},
            }
        },
        "steps": [],
    }
    hand.open(community="Kd 9d 3d Jc 6s", dealer="3h 2c", boxes={5: "Ad 7d"})
    result = hand.bet("gus", 5, "ante", "20.00").close_bets().decide(5, "call").play()
    line = result.rounds[0].line(5, "ante")
    assert line is not None
    assert show(line.won) == "80.00"


def test_every_step_of_the_format_has_its_method() -> None:
    """A step that Python cannot write would have to be smuggled in."""
    methods = {name for name, _ in inspect.getmembers(RoundScript, inspect.isfunction)}
    assert set(_COMMANDS) <= methods


def test_every_method_writes_a_step_that_the_format_knows() -> None:
    """Whether or not the rules allow it at that moment."""
    hand = RoundScript("mbs-megalink-holdem", meter="1000.00", strict=False)
    hand.open().bet("ana", 1, "ante", "5.00", noticed=False).bet("ana", 1, "bonus", "5.00", by="dealer")
    hand.withdraw("ana", 1, "bonus").close_bets().handle("ana", 1).examine("ana", 1, noticed=False)
    hand.decide_wrongly(1, "flop", "15.00").refuse_reveal(1).view_hand(1, by="pit_supervisor").prove(1)
    hand.restrict("ana", by="pit_manager").walk_away("ana").choose(1, "withdraw")
    hand.report(
        "cards_exposed", by="pit_supervisor", boxes=[1], affected=[2], count=1, dealer=False, community=False, text="x"
    )
    hand.report("wrong_box_count", box=1, reconstructible=False).report("deck_count", correct=True)
    hand.report("not_confidential", player="ana")
    hand.rule("void", by="shift_manager", boxes=[1], text="so be it").rule("stop", by="shift_manager", player="ana")
    hand.jackpot_mode("disallow_box", by="shift_manager", box=1)
    assert hand.play().rounds[0].table == "T1"
