"""A rulebook that is not installed, or not as it was: enough to show recorded Rounds, and nothing to judge them by."""

from __future__ import annotations

from croupier.rulebooks.citation import Document
from croupier.rulebooks.readings import Readings
from croupier.rulebooks.terms import Pin, Terms
from croupier.rulebooks.vocabulary import (
    AcrossTables,
    Authority,
    Closing,
    Dealing,
    Examining,
    Fold,
    HandKind,
    Jackpot,
    Layout,
    Limiting,
    Role,
    Rulebook,
    SameTable,
    Seating,
    Showdown,
)

MOST_BOXES = 12
"""Boxes of the largest layout that a rulebook may declare, so that Rounds without their rulebook can be shown."""


def absent_terms(pin: Pin, why: str, currency: str, boxes: int | None) -> Terms:
    """Return terms that allow nothing and say why."""
    nothing = Dealing("unknown", (), ())
    game, _, version = pin.edition.partition("@")
    book = Rulebook(
        document=Document(game, pin.edition, "", int(version.partition(".")[0] or 1)),
        currency=currency,
        layout=Layout((), MOST_BOXES),
        bets=(),
        limits=(),
        jackpot_bet=0,
        opening=(),
        announcements=(),
        seating=Seating(()),
        examining=Examining(()),
        closing=Closing(()),
        limiting=Limiting((), ()),
        dealings=(nothing,),
        fold=Fold((), (), ()),
        showdown=Showdown(HandKind.BEST_FIVE, (), (), (), (), ()),
        side_bets=(),
        not_shown=None,
        jackpot=Jackpot(
            *((), (), (), (), (), ()),
            community=0,
            same_table=SameTable.NONE_NEEDED,
            same_table_rules=(),
            across_tables=AcrossTables.BY_ENTRY,
            across_tables_rules=(),
            contribution_rules=(),
        ),
        irregularities=(),
        void=(),
        reopening=(),
        late_error=(),
        measures=None,
        authority=Authority((), Role.SHIFT_MANAGER, (), Role.SHIFT_MANAGER),
        ranking=(),
        other=(),
        readings=Readings(pin.edition),
    )
    return Terms(
        book=book,
        pin=pin,
        dealing=nothing,
        boxes=boxes or MOST_BOXES,
        limits={},
        jackpot_bet=None,
        currency=currency,
        bets={},
        nth_decision=(),
        serves=(),
        missing=why,
    )
