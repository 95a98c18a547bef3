"""A result as people read it: complete, at any width, without a colour code in a pipe."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from croupier.money import SGD
from croupier.scripts.builder import RoundScript
from croupier.scripts.parse import parse_script
from croupier.scripts.printer import cited, net_by_currency, print_result
from croupier.scripts.replay import replay
from croupier.scripts.result import Result

HOLDEM = "rws-multilink-holdem"


def printed(result: Result, width: int = 80, *, terminal: bool = False) -> str:
    file = io.StringIO()
    print_result(result, Console(file=file, width=width, highlight=False, force_terminal=terminal))
    return file.getvalue()


def played(**options: str) -> RoundScript:
    """ana wins with two pairs, ben folds and wins a full house for the jackpot."""
    hand = RoundScript(HOLDEM, meter="100000.00", strict=False)
    hand.open(community="9c 9d 4h 3s 7d", dealer="Qs Jh", boxes={1: "Kc Kd", 3: "4c 4d"})
    hand.bet(options.get("player", "ana"), 1, "ante", "100.00").bet("ben", 3, "ante", "50.00")
    hand.bet("ben", 3, "jackpot", "5.00").close_bets()
    return hand.decide(1, "flop").decide(3, "fold").decide(1, "check", "river")


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
def test_no_line_is_wider_than_the_console_or_ends_in_blanks(width: int) -> None:
    """Readable at 80 and at 120 columns, and pasted without trailing blanks."""
    lines = printed(played().play(), width).splitlines()
    assert max(map(cell_len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)


def test_the_felt_shows_cards_and_the_names_of_hands() -> None:
    text = printed(played().play())
    assert "Community  9♣ 9♦ 4♥ 3♠ 7♦" in text
    assert "Dealer     Q♠ J♥           Pair of Nines" in text
    assert "Box 1      K♣ K♦           Two Pairs, Kings and Nines" in text


def test_every_bet_has_its_figures_its_reason_and_its_paragraphs() -> None:
    """rws-multilink-holdem 3.13 and 3.11.2.a, as the line has them."""
    lines = printed(played().play(), 120).splitlines()
    (ante,) = [line for line in lines if line.startswith("    1  ana     Ante ")]
    assert ante.split()[:8] == ["1", "ana", "Ante", "100.00", "stands", "off", "–", "100.00"]
    (folded,) = [line for line in lines if line.startswith("    3  ben     Ante ")]
    assert "The hand was folded. (3.11.2.a)" in folded
    narrow = printed(played().play(), 80)
    assert "               The hand was folded. (3.11.2.a)\n" in narrow


def test_bets_that_share_a_reason_share_its_line_where_there_is_little_room() -> None:
    """Flop and River of one box won for the same reason."""
    narrow = printed(played().play(), 80)
    assert narrow.count("It pays 1 to 1.") + narrow.count("It\n               pays 1 to 1.") == 1


def test_awards_meter_and_nets_carry_the_currency() -> None:
    text = printed(played().play())
    assert "Box 3, ben: full house, SGD 200.00. (4.2)" in text
    assert "Jackpot meter SGD 100,001.00" in text
    assert "Net ana +SGD 300.00, ben +SGD 145.00" in text


def test_a_loss_has_its_minus_before_the_currency() -> None:
    hand = RoundScript(HOLDEM).open().bet("ana", 1, "ante", "100.00").close_bets().decide(1, "fold")
    assert "Net ana -SGD 100.00" in printed(hand.play())


def test_a_pipe_gets_no_colour_codes_and_a_terminal_does() -> None:
    assert "\x1b" not in printed(played().play())
    assert "\x1b[" in printed(played().play(), terminal=True)


def test_a_refusal_is_shown_with_its_step_its_code_and_its_paragraphs() -> None:
    """rws-multilink-holdem 3.2: bets wait for the Dealer's call."""
    text = " ".join(printed(played().bet("ana", 1, "ante", "10.00").play()).split())
    assert "Refused Step 9, " in text
    assert "(3.2, 1.25)" in text


@pytest.mark.parametrize(
    ("hand", "says"),
    [
        (RoundScript(HOLDEM).open(), 'bets (ante or bonus), then "No more bets". (3.2, 1.25)'),
        (
            RoundScript(HOLDEM).open().bet("ana", 2, "ante", "10.00").close_bets(),
            "box 2 to decide: fold or flop. (3.11.2",
        ),
        (
            RoundScript(HOLDEM)
            .open()
            .bet("ana", 2, "ante", "10.00")
            .bet("ben", 3, "ante", "10.00")
            .close_bets()
            .report("simultaneous_draw"),
            "a Pit Supervisor or above, who rules on “simultaneous draw”: card order. (5.14",
        ),
        (
            RoundScript(HOLDEM)
            .open()
            .bet("ana", 2, "ante", "10.00")
            .bet("ben", 3, "ante", "10.00")
            .close_bets()
            .report("simultaneous_draw")
            .rule("card_order", by="pit_supervisor"),
            "boxes 2, 3 after “simultaneous draw”: continue or return. (5.14.1",
        ),
    ],
)
def test_an_open_round_says_what_it_waits_for(hand: RoundScript, says: str) -> None:
    """Bets, decisions, a ruling with the role that may give it, options of boxes."""
    text = " ".join(printed(hand.play()).split())
    assert "· open" in text
    assert f"Waits for {says}" in text


def test_a_script_without_steps_says_that_nothing_happened() -> None:
    assert printed(RoundScript(HOLDEM).play()) == "No round was opened.\n"


def test_an_award_that_waits_is_shown_as_waiting() -> None:
    """rws-multilink-holdem 4.5.2: the round dealt first is settled first."""
    steps: list[dict[str, object]] = [
        {"do": "open", "table": "A"},
        {"do": "open", "table": "B", "cards": {"community": "Qh Jh Th 7d 9s", "1": "Ah Kh"}},
    ]
    for table in "AB":
        for bet, amount in (("ante", "10.00"), ("jackpot", "5.00")):
            steps.append({"do": "bet", "table": table, "player": "ana", "box": 1, "bet": bet, "amount": amount})
        steps.append({"do": "close_bets", "table": table})
    steps += [{"do": "decide", "table": "B", "box": 1, "choice": choice} for choice in ("flop", "check", "check")]
    document = {
        "jackpot": {"meter": "1000.00", "reset": "500.00", "contribution": "0.00"},
        "tables": {"A": {"game": HOLDEM}, "B": {"game": HOLDEM}},
        "steps": steps,
    }
    text = " ".join(printed(replay(parse_script(document))).split())
    assert "Waits for the award of box 1, ana (royal flush): its turn to be paid has not come. (4.5.2" in text


def test_a_notice_is_shown_with_its_paragraph() -> None:
    """rws-multilink-three-card 3.11.3: the shuffler's method is announced before each round."""
    hand = RoundScript("rws-multilink-three-card", dealing="shuffler_community_first").open()
    assert "Cards are dealt by shuffler community first. (3.11.3" in printed(hand.play())


def test_earlier_rounds_keep_their_cards() -> None:
    """A script of two rounds shows the felt of both."""
    hand = played().open().bet("ana", 1, "ante", "10.00").close_bets().decide(1, "fold")
    text = printed(hand.play())
    assert text.count("Round ") == 2
    assert "K♣ K♦" in text


def test_a_folded_hand_stays_face_down() -> None:
    hand = RoundScript(HOLDEM).open(boxes={1: "Ah Kh"}).bet("ana", 1, "ante", "10.00").close_bets().decide(1, "fold")
    text = printed(hand.play())
    assert "Box 1  face down" in text
    assert "A♥" not in text


def test_a_name_cannot_speak_to_the_terminal_nor_break_the_table() -> None:
    """Control characters are shown as such, markup as text, a long name is cut."""
    text = printed(played(player="\x1b[31m[bold]red\n" + "x" * 400).play(), terminal=False)
    assert "\x1b" not in text
    assert "[bold]" in text
    assert max(map(len, text.splitlines())) <= 80


def test_paragraphs_and_readings_are_cited_apart() -> None:
    """A heading of a document without numbers is said once."""
    assert cited(("3.13", "river-after-check", "4.1", "3.13"), HOLDEM) == "3.13, 4.1; reading river-after-check"
    assert cited(("Payouts ¶1", "Payouts ¶2", "Rules ¶4"), "sun-casino-holdem") == "Payouts ¶1, ¶2; Rules ¶4"
    assert cited((), HOLDEM) == ""


def test_nets_are_kept_apart_by_currency() -> None:
    """Two tables without a link may have different money."""
    document = {
        "tables": {"A": {"game": HOLDEM}, "B": {"game": "sun-casino-holdem"}},
        "steps": [
            step
            for table in "AB"
            for step in (
                {"do": "open", "table": table},
                {"do": "bet", "table": table, "player": "ana", "box": 1, "bet": "ante", "amount": "10.00"},
                {"do": "close_bets", "table": table},
                {"do": "decide", "table": table, "box": 1, "choice": "fold"},
            )
        ],
    }
    result = replay(parse_script(document))
    assert [(player, money.code, amount) for player, money, amount in net_by_currency(result)] == [
        ("ana", SGD.code, -1000),
        ("ana", "ZAR", -1000),
    ]
    assert "Net ana -SGD 10.00, ana -ZAR 10.00" in printed(result)
