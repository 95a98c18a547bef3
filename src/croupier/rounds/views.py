"""Views by allow list: a card is in a view only when it lies face up, or when the viewer has examined it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

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


def view(
    terms: Terms,
    state: Round,
    viewer: Viewer,
    player: PlayerName | None = None,
    elsewhere: Elsewhere = NOTHING_ELSEWHERE,
) -> RoundView:
    """Return the Round for this viewer; `player` names the viewer only where it is a Player."""
    name = player if viewer is Viewer.PLAYER else None
    community = _shown(state.community, len(state.ordinals("community")))
    return RoundView(
        number=state.number,
        stage=state.stage.value,
        community=community,
        dealer=_shown(state.dealer, len(state.ordinals("dealer"))),
        boxes=tuple(_box(terms, state, box, name) for box in state.boxes),
        choices=()
        if name is None
        else tuple(c for c in lawful_choices(terms, state) if state.box(c.box).seated == name),
        bets=() if name is None else lawful_bets(terms, state, name, elsewhere),
        withdrawals=() if name is None else lawful_withdrawals(terms, state, name),
        moves=() if name is None else lawful_moves(terms, state, name),
        awaiting=answers(terms, state),
        lines=tuple(line for line in state.lines if line.round == state.number),
        notice=state.standing.notice,
    )


def _box(terms: Terms, state: Round, box: Box, player: PlayerName | None) -> BoxView:
    dealt = len(state.ordinals(str(box.number)))
    own = player is not None and player in box.seen_by
    return BoxView(
        box=box.number,
        stakes=_chips(box.stakes),
        stands=box.stands.value,
        choices=box.choices,
        cards=_shown(box.cards if box.face_up or own else (), dealt),
        examined_by=box.seen_by,
        may_examine=player is not None and may_examine(terms, state, box, player),
        returned=_chips(part.stake for part in box.returned),
    )


def _chips(stakes: Iterable[Stake]) -> tuple[StakeView, ...]:
    return tuple(StakeView(stake.player, stake.bet, stake.amount) for stake in stakes)


def _shown(cards: tuple[Card, ...], dealt: int) -> tuple[Card | str, ...]:
    """Return the cards face up, then the backs of the rest."""
    return (*cards, *(FACE_DOWN for _ in range(dealt - len(cards))))
