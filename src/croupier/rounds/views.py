"""Views by allow list: a card is in a view only when it lies face up, or when the viewer has examined it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import msgspec

from croupier.cards import Card
from croupier.money import Money
from croupier.rounds.bet_placement import (
    NOTHING_ELSEWHERE,
    Elsewhere,
    LawfulBet,
    LawfulWithdrawal,
    lawful_bets_on,
    lawful_withdrawals,
)
from croupier.rounds.choices import LawfulChoice, LawfulMove, lawful_choices, lawful_moves, may_examine
from croupier.rounds.commands import FACE_DOWN, PlayerName
from croupier.rounds.events import BetSettled
from croupier.rounds.irregularities.previews import Answer, answers
from croupier.rounds.state import BETTING, Box, LetStand, Round, Stake
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


class StakeView(msgspec.Struct, frozen=True, gc=False):
    """Chips on an area, visible to all."""

    player: PlayerName
    bet: BetName
    amount: Money


class BoxView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
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
    refused: bool = False
    """Its Player does not show the Hand."""


class RoundView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
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
    let_stand: tuple[LetStand, ...]
    notice: bool


class Seen:
    """What one viewer saw of a table last: what nothing has changed since is not worked out again."""

    def __init__(self) -> None:
        self.boxes: list[_SeenBox] = []
        self.own: tuple[object, ...] = ()
        """What a Player's lists depend on, beside single boxes where Bets may be placed."""
        self.withdrawals: tuple[LawfulWithdrawal, ...] = ()
        self.moves: tuple[LawfulMove, ...] = ()


class _SeenBox:
    """A box as it was, and what one viewer saw of it."""

    __slots__ = ("bets", "box", "dealt", "is_own", "is_seat", "may_examine", "view")

    def __init__(self, box: Box, player: PlayerName | None, view: BoxView | None) -> None:
        """`view` is how the box looked before."""
        self.box, self.view = box, view
        self.dealt: tuple[str, ...] | None = None
        """The cards that were dealt when it was looked at."""
        self.may_examine = False
        self.is_seat = player is not None and box.seated == player
        self.is_own = player is not None and _concerns(box, player)
        self.bets: tuple[LawfulBet, ...] | None = None
        """What the Player may place here; None where that is not worked out."""


def view(
    terms: Terms,
    state: Round,
    viewer: Viewer,
    player: PlayerName | None = None,
    elsewhere: Elsewhere = NOTHING_ELSEWHERE,
    seen: Seen | None = None,
    awaiting: tuple[Answer, ...] | None = None,
) -> RoundView:
    """Return the Round for this viewer; `player` names the viewer only where it is a Player.

    `seen` is what the viewer saw of the table before, and is brought up to date. `awaiting` is the same for all
    viewers: a caller with many passes it.
    """
    name = player if viewer is Viewer.PLAYER else None
    seen = Seen() if seen is None else seen
    choices: tuple[LawfulChoice, ...] = ()
    bets: tuple[LawfulBet, ...] = ()
    boxes = _boxes(terms, state, name, seen)
    if name is not None:
        choices = lawful_choices(terms, state, name)
        bets = _own_lists(terms, state, name, elsewhere, seen)
    return RoundView(
        number=state.number,
        stage=state.stage.value,
        community=_shown(state.community, state.dealt.count("community")),
        dealer=_shown(state.dealer, state.dealt.count("dealer")),
        boxes=boxes,
        choices=choices,
        bets=bets,
        withdrawals=() if name is None else seen.withdrawals,
        moves=() if name is None else seen.moves,
        awaiting=answers(terms, state) if awaiting is None else awaiting,
        lines=tuple([line for line in state.lines if line.round == state.number]),
        let_stand=state.let_stand,
        notice=state.standing.notice,
    )


def _own_lists(
    terms: Terms, state: Round, player: PlayerName, elsewhere: Elsewhere, seen: Seen
) -> tuple[LawfulBet, ...]:
    """Return the Bets that a Player may place; withdrawals and moves are noted in `seen`.

    All of them depend on the Player's own boxes and on nothing else of the other boxes; a Bet depends on its box too.
    """
    own = [known.box for known in seen.boxes if known.is_own]
    depends = (terms, state.stage, state.awaiting, state.absent, state.standing, elsewhere, *own)
    if seen.own != depends:
        seen.own = depends
        for known in seen.boxes:
            known.bets = None
        seen.withdrawals = lawful_withdrawals(terms, state, player)
        seen.moves = lawful_moves(terms, state, player)
    if state.stage is not BETTING:
        return ()
    bets: list[LawfulBet] = []
    for known in seen.boxes:
        if known.bets is None:
            known.bets = lawful_bets_on(terms, state, known.box, player, elsewhere)
        bets += known.bets
    return tuple(bets)


def _concerns(box: Box, player: PlayerName) -> bool:
    """Return whether chips of a Player lie on a box, or the Player has looked at its Hand."""
    for stake in box.stakes:
        if stake.player == player:
            return True
    return player in box.seen_by or any(part.stake.player == player for part in box.returned)


def _boxes(terms: Terms, state: Round, player: PlayerName | None, seen: Seen) -> tuple[BoxView, ...]:
    """Show the boxes; `seen` is brought up to date."""
    if len(seen.boxes) != len(state.boxes):
        seen.boxes = [_SeenBox(box, player, None) for box in state.boxes]
    shown: list[BoxView] = []
    for index, box in enumerate(state.boxes):
        known = seen.boxes[index]
        if known.box is not box:
            known = seen.boxes[index] = _SeenBox(box, player, known.view)
        may = known.is_seat and player is not None and may_examine(terms, state, box, player)
        if known.view is None or known.dealt is not state.dealt or known.may_examine is not may:
            known.dealt, known.may_examine, before = state.dealt, may, known.view
            known.view = _box(state, box, player, may_examine=may)
            if known.view == before:
                known.view = before
        shown.append(known.view)
    return tuple(shown)


def _box(state: Round, box: Box, player: PlayerName | None, *, may_examine: bool) -> BoxView:
    own = player is not None and player in box.seen_by
    return BoxView(
        box=box.number,
        stakes=_chips(box.stakes),
        stands=box.stands.value,
        choices=box.choices,
        cards=_shown(box.cards if box.face_up or own else (), state.dealt.count(str(box.number))),
        examined_by=box.seen_by,
        may_examine=may_examine,
        returned=_chips(part.stake for part in box.returned) if box.returned else (),
        refused=box.refused and not box.proved,
    )


def _chips(stakes: Iterable[Stake]) -> tuple[StakeView, ...]:
    return tuple([StakeView(stake.player, stake.bet, stake.amount) for stake in stakes])


def _shown(cards: tuple[Card, ...], dealt: int) -> tuple[Card | str, ...]:
    """Return the cards face up, then the backs of the rest."""
    return (*cards, *[FACE_DOWN] * (dealt - len(cards)))
