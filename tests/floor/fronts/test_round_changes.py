"""A front that gets changes alone has the same Round as the house, and shares what has not changed."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from croupier.floor.fronts.protocol import FROM_HOUSE, News, TableNews, framed
from croupier.floor.fronts.round_changes import RoundChanges, changed_round, changes_between
from croupier.rounds.state import Box, HandStands, Round, Stage, Stake

BEFORE = Round(
    boxes=tuple(Box(number, stakes=(Stake("ana", "ante", 1000),)) for number in range(1, 7)),
    number=7,
    stage=Stage.BETTING,
)


def _told(before: Round, now: Round) -> Round:
    """Send the changes over the line, as a house does."""
    changes = changes_between(before, now)
    assert changes is not None
    table = TableNews("T1", 1, None, changes, "", 0, 0)
    read = FROM_HOUSE.decode(framed(News(0, ("table/T1",), [table], {}, {}))[4:])
    assert isinstance(read, News)
    received = read.tables[0].changes
    assert isinstance(received, RoundChanges)
    return changed_round(before, received)


def test_a_front_has_the_same_round_as_the_house() -> None:
    """Whatever has changed arrives, an emptied part too."""
    played = replace(
        BEFORE.with_box(Box(2, stands=HandStands.FOLDED, choices=("fold",))),
        stage=Stage.PLAYING,
        step=3,
        dealt=("1", "dealer"),
        absent=("ana",),
    )
    told = _told(BEFORE, played)
    assert told == played
    assert _told(told, BEFORE) == BEFORE


def test_what_has_not_changed_is_shared() -> None:
    """Views that were made from a box or a part are used again: only what has changed goes over the line."""
    now = replace(BEFORE.with_box(Box(2)), standing=msgspec.structs.replace(BEFORE.standing))
    changes = changes_between(BEFORE, now)
    assert changes is not None
    assert [box.number for box in changes.boxes] == [2]
    assert not changes.parts
    told = _told(BEFORE, now)
    assert [new is old for new, old in zip(told.boxes, BEFORE.boxes, strict=True)] == [True, False, *[True] * 4]
    assert told.standing is BEFORE.standing


def test_another_number_of_boxes_is_sent_as_a_whole_round() -> None:
    """Changes name boxes of the same table."""
    assert changes_between(BEFORE, replace(BEFORE, boxes=BEFORE.boxes[:5])) is None
