"""Changes of a table's view: what a follower receives after the first view."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import astuple

from croupier.floor.views import table_views as views
from croupier.floor.views.award_views import AwardView
from croupier.floor.views.settlement_views import SettlingView
from croupier.floor.views.terms_views import Coming, Limits, PayTables
from croupier.rounds.state import Stage


class TablePatch(msgspec.Struct, frozen=True, kw_only=True, tag="patch", gc=False):
    """What has changed in the view of a table: fields that are there replace those of the view that the client has."""

    table: str
    after: int
    """The version of the view that this changes. A client with another version watches the table again."""
    version: int
    """The version of the view with this change."""
    game: str | UnsetType = UNSET
    edition: str | UnsetType = UNSET
    commitment: str | UnsetType | None = UNSET
    closed: bool | UnsetType = UNSET
    limits: Limits | UnsetType = UNSET
    jackpot_bet: str | UnsetType | None = UNSET
    pay_tables: PayTables | UnsetType = UNSET
    box_limits: Mapping[str, str] | UnsetType = UNSET
    coming: Coming | UnsetType | None = UNSET
    round: int | UnsetType = UNSET
    stage: Stage | UnsetType = UNSET
    community: tuple[str, ...] | UnsetType = UNSET
    dealer: views.DealerView | UnsetType = UNSET
    boxes: tuple[views.BoxView, ...] | UnsetType = UNSET
    """Only the boxes that have changed; each replaces the one with its number."""
    choices: tuple[views.ChoiceView, ...] | UnsetType = UNSET
    bets: tuple[views.PlaceableBet, ...] | UnsetType = UNSET
    withdrawals: tuple[views.Withdrawal, ...] | UnsetType = UNSET
    moves: tuple[views.Move, ...] | UnsetType = UNSET
    awaiting: tuple[views.Lawful, ...] | UnsetType = UNSET
    lines: tuple[views.Line, ...] | UnsetType = UNSET
    notice: bool | UnsetType = UNSET
    may: tuple[str, ...] | UnsetType = UNSET
    settling: SettlingView | UnsetType | None = UNSET
    awards: list[AwardView] | UnsetType = UNSET
    earlier_awards: list[AwardView] | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    clock: views.ServerClock | UnsetType | None = UNSET
    """Only when another time is counted down; until then the client counts on by itself."""
    phase: views.PhaseTime | UnsetType = UNSET
    """Only when the table has entered another phase; until then the client counts on by itself."""


_APART = ("table", "after", "version", "boxes", "clock", "phase")
_COMPARED = frozenset(TablePatch.__struct_fields__).difference(_APART)


def changed_fields(before: views.TableView, now: views.TableView) -> dict[str, object]:
    """Return the fields of a view that have changed, of its boxes only the changed ones; clocks are not compared.

    Both views have the same number of boxes.
    """
    fields = zip(views.TableView.__struct_fields__, astuple(before), astuple(now), strict=True)
    changed = {field: new for field, old, new in fields if new is not old and new != old and field in _COMPARED}
    boxes = tuple(new for old, new in zip(before.boxes, now.boxes, strict=True) if new is not old and new != old)
    if boxes:
        changed["boxes"] = boxes
    return changed


def table_patch(table: str, after: int, changed: dict[str, object]) -> TablePatch:
    """Build the patch that follows a version of a view."""
    kind: type[msgspec.Struct] = TablePatch
    built = kind(table=table, after=after, version=after + 1, **changed)
    assert isinstance(built, TablePatch)
    return built
