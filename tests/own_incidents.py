"""A rulebook with an incident of its own: a card is dropped on the floor."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.incidents import (
    AskRuling,
    Continue,
    DeclaredIncident,
    InvalidateHand,
    Irregularity,
    Moment,
    VoidRound,
    When,
    Whom,
)
from croupier.rulebooks.readings import Readings
from croupier.rulebooks.vocabulary import Role, Rulebook

GAME = "rws-multilink-holdem"
p = declare(GAME).document.para
DROPPED = DeclaredIncident(
    "card_dropped",
    "A card was dropped on the floor",
    facts=("boxes", "text"),
    required=("boxes",),
    moments=(Moment.WITH_CARDS,),
)
ENTRIES = (
    Irregularity((p("5.8"),), DROPPED.name, VoidRound(), (When.NO_PLAYER_HAS_SEEN,)),
    Irregularity(
        (p("5.14"),),
        DROPPED.name,
        AskRuling(Role.PIT_SUPERVISOR, (("card_replaced", Continue()), ("hand_out", InvalidateHand(Whom.REPORTED)))),
        (When.PLAYER_HAS_SEEN,),
    ),
)


def with_incident(
    book: Rulebook, incident: DeclaredIncident = DROPPED, entries: tuple[Irregularity, ...] = ENTRIES
) -> Rulebook:
    """The book with this incident of its own, and these entries about it."""
    return replace(book, incidents=(*book.incidents, incident), irregularities=(*book.irregularities, *entries))


def installed(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """Let these modules find the incident in the rulebook of one game, and in no other."""

    def declared(game: str, readings: Readings | None = None) -> Rulebook:
        book = declare(game, readings)
        return with_incident(book) if book.game == GAME else book

    for module in modules:
        monkeypatch.setattr(f"{module}.declare", declared)
