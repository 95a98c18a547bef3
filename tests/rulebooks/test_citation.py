"""Citations: a paragraph or a reading can be named only if the document has it."""

from datetime import date

import pytest

from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.citation import Document, UnknownParagraph, paragraphs
from croupier.rulebooks.documents.document_text import Paragraph
from croupier.rulebooks.documents.editions import UnknownGame

COUNTS = {
    "rws-multilink-holdem": 141,
    "rws-multilink-three-card": 128,
    "mbs-megalink-holdem": 115,
    "rws-progressive-holdem": 139,
    "sun-casino-holdem": 39,
}
KINDS = {"definition", "general", "layout", "cards", "ranking", "betting", "dealing", "decision"}
KINDS |= {"settlement", "jackpot", "irregularity", "authority"}
HOLDEM = Document(
    "rws-multilink-holdem", "Multi-Link Progressive Texas Hold'em Poker", "RWS", version=2, effective=date(2020, 6, 28)
)


def test_a_paragraph_of_the_document_is_cited_by_its_number() -> None:
    """The citation is the number itself, letters and marks included."""
    assert HOLDEM.para("3.13") == "3.13"
    assert HOLDEM.para("5.8 (closing)") == "5.8 (closing)"
    assert Document("sun-casino-holdem", "Casino Hold'em", "Sun").para("How to Play ¶4.c") == "How to Play ¶4.c"


@pytest.mark.parametrize("number", ["3.99", "3.13 ", "", "3.1.3.d", "bonus-cap"])
def test_a_paragraph_that_the_document_lacks_cannot_be_cited(number: str) -> None:
    """The refusal names the document and the number; an id of a reading is no paragraph."""
    with pytest.raises(UnknownParagraph, match=r"^The document rws-multilink-holdem has no paragraph .+\.$") as caught:
        HOLDEM.para(number)
    assert repr(number) in str(caught.value)


@pytest.mark.parametrize(
    ("game", "version", "effective"),
    [
        ("rws-multilink-holdem", 2, date(2020, 6, 28)),
        ("rws-multilink-three-card", 4, date(2024, 1, 4)),
        ("mbs-megalink-holdem", 9, date(2023, 7, 4)),
        ("rws-progressive-holdem", 6, None),
        ("sun-casino-holdem", None, None),
    ],
)
def test_a_book_is_of_the_version_that_its_document_names(
    game: str, version: int | None, effective: date | None
) -> None:
    """The version and the day from which it is in force, where the document gives them."""
    document = declare(game).document
    assert (document.id, document.version, document.effective) == (game, version, effective)


def test_a_paragraph_of_a_sibling_document_is_not_this_documents() -> None:
    """Only 3 Card Poker has 4.7.1: where two documents agree, each still has its own numbers."""
    assert "4.7.1" in paragraphs("rws-multilink-three-card")
    with pytest.raises(UnknownParagraph):
        HOLDEM.para("4.7.1")


def test_a_reading_is_cited_like_a_paragraph_if_it_is_listed_for_the_document() -> None:
    """bonus-cap is a question of Multi-Link Hold'em, bonus-on-loss one of MBS alone."""
    assert HOLDEM.reading("bonus-cap") == "bonus-cap"
    with pytest.raises(
        UnknownParagraph, match="^No reading 'bonus-on-loss' is listed for the document rws-multilink-hold"
    ):
        HOLDEM.reading("bonus-on-loss")
    with pytest.raises(UnknownParagraph):
        HOLDEM.reading("3.13")


@pytest.mark.parametrize(("game", "count"), COUNTS.items())
def test_every_paragraph_of_a_document_is_listed(game: str, count: int) -> None:
    """Each has a number of its own, a kind, somebody or nobody who enforces it, and a sentence."""
    listed = paragraphs(game)
    assert len(listed) == count
    assert {paragraph.kind for paragraph in listed.values()} <= KINDS
    assert {paragraph.enforced_by for paragraph in listed.values()} <= {"engine", "staff", "notice", "none"}
    assert all(number == paragraph.number == number.strip() != "" for number, paragraph in listed.items())
    assert [paragraph.number for paragraph in listed.values() if not paragraph.text.endswith(".")] == []


def test_a_paragraph_says_who_enforces_it() -> None:
    """rws-multilink-holdem 5.21: the engine gives every Bet of a void Round back."""
    assert paragraphs("rws-multilink-holdem")["5.21"] == Paragraph(
        "5.21", "settlement", "engine", "A void round returns every bet placed in it."
    )


def test_a_document_that_does_not_exist_has_no_paragraphs() -> None:
    """Nor can a name reach outside the list of documents."""
    for game in ("rws-multilink-omaha", "", "../readings"):
        with pytest.raises(UnknownGame, match="^There is no game "):
            paragraphs(game)
