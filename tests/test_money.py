"""Money in whole cents, and the four ways in which a pay table pays."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.money import (
    EVEN_MONEY,
    SGD,
    ZAR,
    BadMoney,
    Fixed,
    ForOne,
    Pays,
    ShareOfMeter,
    ToOne,
    currency,
    display,
    fixed,
    for_one,
    money,
    parse_pays,
    percent_of_meter,
    show,
    to_one,
)


@pytest.mark.parametrize(("text", "cents"), [("0.00", 0), ("0.05", 5), ("5.00", 500), ("1250.00", 125_000)])
def test_money_is_read_as_whole_cents(text: str, cents: int) -> None:
    """Two decimal places, exactly."""
    assert money(text) == cents


@pytest.mark.parametrize(
    "text",
    [
        *("", "5", "5.0", "5.000", ".50", "5.", "-5.00", "+5.00", "1,250.00", "05.00", "5.00 ", " 5.00", "5.00\n"),
        *("1e3", "5,00", "SGD 5.00", "\u0665.\u0660\u0660", "NaN", "9" * 5000 + ".00"),
    ],
)
def test_anything_else_is_not_money(text: str) -> None:
    """The refusal is one line and names the text, cut short where it runs on."""
    with pytest.raises(BadMoney) as refused:
        money(text)
    assert str(refused.value).startswith(f"{text[:40]!r} is not an amount of money: ")
    assert "\n" not in str(refused.value)


def test_an_amount_with_too_many_digits_says_so() -> None:
    """Whoever wrote digits, a point and two digits is not told to write just that."""
    with pytest.raises(BadMoney, match="at most 13 digits before the point"):
        money("10000000000000.00")
    assert money("9999999999999.99") == 10**15 - 1


@given(st.integers(min_value=0, max_value=10**15 - 1))
def test_what_is_shown_reads_back(cents: int) -> None:
    """A script, a journal and a screen say the same amount."""
    assert money(show(cents)) == cents


def test_a_loss_is_shown_with_a_minus() -> None:
    """A player's net may be below zero, even by less than one unit."""
    assert [show(-5), show(-100), show(-12_345)] == ["-0.05", "-1.00", "-123.45"]


def test_amounts_for_people_have_the_currency_and_thousands() -> None:
    """The two currencies of the three operators."""
    assert display(125_000, SGD) == "SGD 1,250.00"
    assert display(123_456_789, ZAR) == "ZAR 1,234,567.89"
    assert display(-125_005, SGD) == "SGD -1,250.05"


def test_a_currency_is_found_by_its_code() -> None:
    """Only those that a house of ours uses."""
    assert currency("SGD") is SGD
    assert currency("ZAR") is ZAR
    with pytest.raises(BadMoney, match="'XXX' is not a known currency: write one of SGD, ZAR"):
        currency("XXX")


def test_to_one_pays_beside_the_stake() -> None:
    """rws-multilink-holdem 4.1: 2 to 1 on 10.00 wins 20.00, and the 10.00 goes back."""
    pays = to_one(2)
    assert pays.won(money("10.00")) == money("20.00")
    assert pays.stake_returned
    assert to_one(1) == EVEN_MONEY


def test_for_one_pays_in_exchange_for_the_stake() -> None:
    """mbs-megalink-holdem 4.2: 400 for 1 on 5.00 wins 2000.00, and the 5.00 is collected."""
    pays = for_one(400)
    assert pays.won(money("5.00")) == money("2000.00")
    assert not pays.stake_returned


def test_a_fixed_amount_does_not_depend_on_the_stake() -> None:
    """rws-multilink-holdem 4.2: four of a kind is 2000.00, and the jackpot bet is collected."""
    pays = fixed("2000.00")
    assert pays.won() == money("2000.00")
    assert not pays.stake_returned


def test_a_share_of_the_meter_is_rounded_down_to_the_cent() -> None:
    """Reading award-rounding: 10% of 123,456.78 is 12,345.67."""
    pays = percent_of_meter(10)
    assert pays.of(money("123456.78")) == money("12345.67")
    assert not pays.stake_returned
    assert not pays.is_all
    assert percent_of_meter(100).of(money("100001.00")) == money("100001.00")
    assert percent_of_meter(100).is_all


def test_a_fraction_of_a_percent_is_exact() -> None:
    """2.5% of 1000.00 is 25.00, and of 0.79 it is 0.01."""
    pays = percent_of_meter("2.5")
    assert pays == ShareOfMeter(1, 40)
    assert pays.of(money("1000.00")) == money("25.00")
    assert pays.of(79) == 1


def test_odds_that_leave_part_of_a_cent_are_rounded_down() -> None:
    """3 to 2 on 0.05 is 0.07, not 0.08."""
    assert to_one(3, 2).won(5) == 7
    assert for_one(3, 2).won(5) == 7


@pytest.mark.parametrize(
    ("text", "pays"),
    [
        ("30 to 1", ToOne(30)),
        ("3 to 2", ToOne(3, 2)),
        ("6 to 4", ToOne(6, 4)),
        ("400 for 1", ForOne(400)),
        ("100%", ShareOfMeter(1, 1)),
        ("10%", ShareOfMeter(1, 10)),
        ("2.5%", ShareOfMeter(1, 40)),
        ("0.0125%", ShareOfMeter(1, 8000)),
        ("2000.00", Fixed(200_000)),
    ],
)
def test_a_line_of_a_stakeboard_is_read_and_printed_back(text: str, pays: Pays) -> None:
    """round-script pay_tables: what is written is what is printed."""
    assert parse_pays(text) == pays
    assert str(pays) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "2", "2 to", "two to 1", "2 To 1", "2  to 1", "2 to 1 ", "0 to 1", "1 to 0", "-1 to 1", "2:1"),
        *("2.5 to 1", "3 to 2 to 1", "12345678 to 1"),
        *("0 for 1", "80 for", "%", "0%", "0.0%", "101%", "100.1%", "-5%", "10 %", "1000%", "2.%", ".5%"),
        *("0.00", "100", "100.0", "$100.00"),
    ],
)
def test_a_line_that_pays_nothing_or_makes_no_sense_is_refused(text: str) -> None:
    """A stakeboard with a slip in it is caught where it is read."""
    with pytest.raises(BadMoney):
        parse_pays(text)


def test_a_percentage_is_a_whole_number_or_a_decimal_text() -> None:
    """A bad one is named in the refusal."""
    with pytest.raises(BadMoney, match="'ten' is not a percentage"):
        percent_of_meter("ten")
    with pytest.raises(BadMoney, match="more than 0% and at most 100%"):
        percent_of_meter(101)


def test_what_is_paid_in_words_for_people() -> None:
    """The stakeboard on the wall."""
    lines: list[Pays] = [to_one(30), for_one(400), fixed("2000.00"), percent_of_meter(10)]
    assert [pays.words for pays in lines] == ["30 to 1", "400 for 1", "2,000.00", "10% of the jackpot"]


@pytest.mark.parametrize("text", ["30 to 1", "3 to 2", "400 for 1", "2.5%", "2000.00"])
def test_pays_survive_the_wire(text: str) -> None:
    """Tagged, so that the four are told apart again."""
    pays = parse_pays(text)
    assert msgspec.json.decode(msgspec.json.encode(pays), type=Pays) == pays


def test_pays_off_the_wire_are_checked_too() -> None:
    """Odds against nothing cannot come in through the back door."""
    with pytest.raises(msgspec.ValidationError, match="pay zero"):
        msgspec.json.decode(b'{"type": "to_one", "odds": 2, "per": 0}', type=Pays)


@given(st.integers(0, 10**12), st.integers(1, 1000), st.integers(1, 1000))
def test_rounding_down_never_loses_a_whole_cent(stake: int, odds: int, per: int) -> None:
    """The exact winnings lie less than one cent above what is paid."""
    won = to_one(odds, per).won(stake)
    assert won * per <= stake * odds < (won + 1) * per
