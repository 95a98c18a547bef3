"""Views by allow list: a card is in a view only when it lies face up, or when the viewer has examined it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeAlias

import msgspec

from croupier.cards import Card
from croupier.money import Money
from croupier.rounds.choices import (
    NOTHING_ELSEWHERE,
    Elsewhere,
    LawfulBet,
    LawfulChoice,
    LawfulMove,
    LawfulWithdrawal,
    lawful_bets,
    lawful_choices,
    lawful_moves,
    lawful_withdrawals,
    may_examine,
)
from croupier.rounds.commands import FACE_DOWN, PlayerName
from croupier.rounds.events import BetSettled
from croupier.rounds.previews import Answer, answers
from croupier.rounds.state import Box, Round, Stake
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import BetName, BoxNo, Choice


class Viewer(StrEnum):
    """Who looks. No role sees a card that is not turned; only a Player sees their own examined Hand."""

    PLAYER = "player"
    DEALER = "dealer"
    PIT = "pit"
    SURVEILLANCE = "surveillance"
    AUDITOR = "auditor"
    DISPLAY = "display"


class StakeView(msgspec.Struct, frozen=True):
    """Chips on an area, visible to all."""

    player: PlayerName
    bet: BetName
    amount: Money


class BoxView(msgspec.Struct, frozen=True, kw_only=True):
    """One box as its viewer sees it."""

    box: BoxNo
    stakes: tuple[StakeView, ...]
    stands: str
    choices: tuple[Choice, ...]
    cards: tuple[Card | str, ...]
    examined_by: tuple[PlayerName, ...]
    may_examine: bool = False
    """The viewer may look at this Hand."""
    returned: tuple[StakeView, ...] = ()
    """Chips that lie here, are no longer in play, and go back at the settlement."""


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A Round as its viewer sees it."""

    number: int
    stage: str
    community: tuple[Card | str, ...]
    dealer: tuple[Card | str, ...]
    boxes: tuple[BoxView, ...]
    choices: tuple[LawfulChoice, ...]
    """What the viewer may decide now. This and the three lists below are a Player's; for staff they are empty."""
    bets: tuple[LawfulBet, ...]
    withdrawals: tuple[LawfulWithdrawal, ...]
    moves: tuple[LawfulMove, ...]
    awaiting: tuple[Answer, ...]
    """Every lawful answer to what the Round waits for; a Player's own are among `moves`."""
    lines: tuple[BetSettled, ...]
    notice: bool


KnownBoxes: TypeAlias = dict[BoxNo, tuple[Box, int, bool, BoxView]]
"""Boxes as one viewer saw them last: the box, how many cards lay there, whether the viewer might look, and the view."""


def view(
    terms: Terms,
    state: Round,
    viewer: Viewer,
    player: PlayerName | None = None,
    elsewhere: Elsewhere = NOTHING_ELSEWHERE,
    known: KnownBoxes | None = None,
    awaiting: tuple[Answer, ...] | None = None,
) -> RoundView:
    """Return the Round for this viewer; `player` names the viewer only where it is a Player.

    Boxes that are `known` and have not changed are used again, and the others are noted there. `awaiting` is the same
    for all viewers: a caller with many passes it.
    """
    name = player if viewer is Viewer.PLAYER else None
    known = {} if known is None else known
    community = _shown(state.community, state.dealt.count("community"))
    return RoundView(
        number=state.number,
        stage=state.stage.value,
        community=community,
        dealer=_shown(state.dealer, state.dealt.count("dealer")),
        boxes=tuple([_box(terms, state, box, name, known) for box in state.boxes]),
        choices=()
        if name is None
        else tuple(c for c in lawful_choices(terms, state) if state.box(c.box).seated == name),
        bets=() if name is None else lawful_bets(terms, state, name, elsewhere),
        withdrawals=() if name is None else lawful_withdrawals(terms, state, name),
        moves=() if name is None else lawful_moves(terms, state, name),
        awaiting=answers(terms, state) if awaiting is None else awaiting,
        lines=tuple(line for line in state.lines if line.round == state.number),
        notice=state.standing.notice,
    )


def _box(terms: Terms, state: Round, box: Box, player: PlayerName | None, known: KnownBoxes) -> BoxView:
    dealt = state.dealt.count(str(box.number))
    may = player is not None and may_examine(terms, state, box, player)
    before = known.get(box.number)
    if before is not None and before[0] is box and before[1] == dealt and before[2] == may:
        return before[3]
    own = player is not None and player in box.seen_by
    shown = BoxView(
        box=box.number,
        stakes=_chips(box.stakes),
        stands=box.stands.value,
        choices=box.choices,
        cards=_shown(box.cards if box.face_up or own else (), dealt),
        examined_by=box.seen_by,
        may_examine=may,
        returned=_chips(part.stake for part in box.returned),
    )
    known[box.number] = (box, dealt, may, shown)
    return shown


def _chips(stakes: Iterable[Stake]) -> tuple[StakeView, ...]:
    return tuple([StakeView(stake.player, stake.bet, stake.amount) for stake in stakes])


def _shown(cards: tuple[Card, ...], dealt: int) -> tuple[Card | str, ...]:
    """Return the cards face up, then the backs of the rest."""
    return (*cards, *(FACE_DOWN for _ in range(dealt - len(cards))))
