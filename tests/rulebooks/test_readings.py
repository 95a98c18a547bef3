"""Readings: every open question is complete, and only an answer that exists can be chosen."""

import pytest

from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.documents.document_text import BadReading, Reading, built_in_readings
from croupier.rulebooks.readings import Readings, readings_of

GAMES = (
    "rws-multilink-holdem",
    "rws-multilink-three-card",
    "mbs-megalink-holdem",
    "rws-progressive-holdem",
    "sun-casino-holdem",
)
HOLDEM, THREE_CARD, MBS, VERSION_6, SUN = GAMES
COUNTS = {HOLDEM: 55, THREE_CARD: 55, MBS: 51, VERSION_6: 58, SUN: 17}
EVERY = [pytest.param(reading, id=name) for name, reading in built_in_readings().items()]


def test_every_reading_in_force_is_listed() -> None:
    """Each game has its share of the 106 questions."""
    assert len(built_in_readings()) == 106
    assert {game: len(readings_of(game)) for game in GAMES} == COUNTS


@pytest.mark.parametrize("reading", EVERY)
def test_a_reading_is_complete(reading: Reading) -> None:
    """Its games exist, its texts are paragraphs, its letters run from a, its default is one that a house may have."""
    assert reading.games
    assert set(reading.games) <= set(GAMES)
    assert reading.texts
    for text in reading.texts:
        game, _, number = text.partition(" ")
        assert number in paragraphs(game)
    assert "".join(reading.options) == "abcdefgh"[: len(reading.options)] == "".join(reading.dimensions)
    assert reading.question.endswith("?")
    assert [text for text in reading.options.values() if not text.endswith(".")] == []
    assert reading.why.endswith(".")
    assert reading.example
    assert bool(reading.not_offered or reading.not_offered_in) == bool(reading.not_offered_because)
    assert set(reading.default_in) | set(reading.not_offered_in) <= set(reading.games)
    for game in reading.games:
        letters = reading.default_for(game).split("+")
        assert [reading.dimension_of(letter) for letter in letters] == list(reading.dimensions)
        assert all(reading.offers(game, letter) for letter in letters)
        assert reading.choose(game, reading.default_for(game)) == reading.default_for(game)


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("v6-jackpot-hand", "b+d"),
        ("jackpot-fault", "b+c+f+g"),
        ("wrong-size-and-limit", "b+d"),
        ("sun-board-share", "a+e"),
        ("sun-pay-tables", "b+d"),
        ("bonus-on-loss", "b"),
        ("missed-burn", "a"),
        ("contribution-time", "c"),
    ],
)
def test_the_default_is_in_force_unless_the_house_chooses_otherwise(name: str, default: str) -> None:
    """An entry that asks several questions has one letter for each."""
    for game in built_in_readings()[name].games:
        assert Readings.of(game).chosen(name) == default
    assert Readings.of(game).changed == {}


def test_a_game_whose_own_document_answers_has_its_own_default() -> None:
    """mbs-megalink-holdem 3.15.2 pays the royal flush last, 3.14 pays by entry; neither is open there."""
    assert Readings.of(HOLDEM).chosen("major-order") == "a"
    assert Readings.of(MBS).chosen("major-order") == "b"
    assert Readings.of(THREE_CARD).chosen("simultaneous-tables") == "b"
    assert Readings.of(MBS).chosen("simultaneous-tables") == "c"
    with pytest.raises(BadReading, match="^Reading major-order cannot be 'a' in mbs-megalink-holdem: its own document"):
        Readings.of(MBS, {"major-order": "a"})
    assert Readings.of(HOLDEM, {"major-order": "b"}).chosen("major-order") == "b"


def test_a_choice_changes_what_is_picked() -> None:
    """bonus-on-loss a: the Bonus goes with the hand."""
    assert Readings.of(MBS).pick("bonus-on-loss", a="lost", b="settled") == "settled"
    chosen = Readings.of(MBS, {"bonus-on-loss": "a"})
    assert chosen.pick("bonus-on-loss", a="lost", b="settled") == "lost"
    assert chosen.changed == {"bonus-on-loss": "a"}
    assert chosen.pick("walk-away-bonus", a=1, b=2, c=3) == 2


@pytest.mark.parametrize("choice", ["a+c", "ac", "a,c", "c+a", " A + C "])
def test_several_questions_are_answered_in_any_of_the_usual_ways(choice: str) -> None:
    """The full answer is kept in the order of the questions."""
    chosen = Readings.of(VERSION_6, {"v6-jackpot-hand": choice})
    assert chosen.chosen("v6-jackpot-hand") == "a+c"
    assert chosen.pick("v6-jackpot-hand", a="flop", b="board") == "flop"
    assert chosen.pick("v6-jackpot-hand", c="all", d="greatest") == "all"


def test_one_letter_changes_only_its_own_question() -> None:
    """jackpot-fault has four: scope, void, seen, face up."""
    chosen = Readings.of(HOLDEM, {"jackpot-fault": "d"})
    assert chosen.chosen("jackpot-fault") == "b+d+f+g"
    assert chosen.pick("jackpot-fault", e=1, f=2) == 2


def test_choosing_the_default_changes_nothing() -> None:
    """So two tables that play alike compare alike and can be looked up by their readings."""
    assert Readings.of(MBS, {"bonus-on-loss": "b", "bonus-on-stand-off": "a"}) == Readings.of(
        MBS, {"bonus-on-stand-off": "a"}
    )
    assert (
        len({Readings.of(MBS), Readings.of(MBS, {"bonus-on-loss": "b"}), Readings.of(MBS, {"bonus-on-loss": "a"})}) == 2
    )
    assert Readings.of(MBS) != Readings.of(SUN)


@pytest.mark.parametrize(
    ("game", "choices", "sentence"),
    [
        (MBS, {"bonus-on-los": "a"}, "There is no reading 'bonus-on-los'; did you mean bonus-on-loss?"),
        (MBS, {"zzz": "a"}, "There is no reading 'zzz'."),
        (SUN, {"bonus-on-loss": "a"}, "Reading bonus-on-loss is not one of sun-casino-holdem: it belongs to mbs-mega"),
        (MBS, {"bonus-on-loss": "c"}, "Reading bonus-on-loss has no option 'c': it has a, b."),
        (MBS, {"bonus-on-loss": ""}, "Reading bonus-on-loss is chosen by its letter (a, b), not by ''."),
        (MBS, {"bonus-on-loss": "a+"}, "Reading bonus-on-loss is chosen by its letter (a, b), not by 'a+'."),
        (MBS, {"bonus-on-loss": "ab"}, "Reading bonus-on-loss takes only one of a, b, not 'ab'."),
        (SUN, {"sun-board-share": "a+b"}, "Reading sun-board-share takes only one of a, b, c, not 'a+b'."),
        (
            MBS,
            {"security-card": "a"},
            "Reading security-card cannot be 'a' in mbs-megalink-holdem: the security card has",
        ),
    ],
)
def test_a_choice_that_cannot_be_made_is_refused_in_one_sentence(
    game: str, choices: dict[str, str], sentence: str
) -> None:
    """The sentence says what was asked and what there is."""
    with pytest.raises(BadReading) as caught:
        Readings.of(game, choices)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_an_answer_in_force_that_nothing_carries_out_is_never_passed_over() -> None:
    """Picking among other letters, of other questions or of none is a mistake of the caller."""
    in_force = Readings.of(SUN)
    with pytest.raises(BadReading, match="^Reading sun-board-share is 'a' here, which nothing carries out: b, c are"):
        in_force.pick("sun-board-share", b=1, c=2)
    with pytest.raises(BadReading, match="asks several questions"):
        in_force.pick("sun-board-share", a=1, e=2)
    with pytest.raises(BadReading, match="has the options a, b, c, d, e, not f"):
        in_force.pick("sun-board-share", a=1, f=2)
    with pytest.raises(BadReading, match="not one of sun-casino-holdem"):
        in_force.pick("bonus-on-loss", a=1, b=2)
    with pytest.raises(BadReading, match="not one of sun-casino-holdem"):
        in_force.chosen("bonus-on-loss")
