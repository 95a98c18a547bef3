"""Who may see what. A view is built from an allow list: a card is in it only when it lies face up, or when its viewer
is the Player who examined it.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from croupier.cards import Card
from croupier.money import Money
from croupier.rounds.commands import PlayerName
from croupier.rounds.dealing import decision_due
from croupier.rounds.events import BetSettled
from croupier.rounds.previews import Answer, answers
from croupier.rounds.state import Box, Round
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, BetName, BoxNo, Choice, Rules

FACE_DOWN = "??"
"""A card that lies on the table with its back up."""


class Viewer(StrEnum):
    """Who looks. No role sees a card that the rules have not turned; only a Player sees his own examined Hand."""

    PLAYER = "player"
    DEALER = "dealer"
    PIT = "pit"
    SURVEILLANCE = "surveillance"
    AUDITOR = "auditor"
    DISPLAY = "display"


class StakeView(msgspec.Struct, frozen=True):
    """Chips on an area, for everybody to see."""

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


class ChoiceView(msgspec.Struct, frozen=True):
    """A choice that the viewer may make now, and what it costs."""

    box: BoxNo
    choice: Choice
    costs: Money
    rules: Rules


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A Round as its viewer sees it."""

    number: int
    stage: str
    community: tuple[Card | str, ...]
    dealer: tuple[Card | str, ...]
    boxes: tuple[BoxView, ...]
    choices: tuple[ChoiceView, ...]
    awaiting: tuple[Answer, ...]
    lines: tuple[BetSettled, ...]
    notice: bool


def view(terms: Terms, state: Round, viewer: Viewer, player: PlayerName | None = None) -> RoundView:
    """The Round for this viewer; a Player is named, nobody else is."""
    name = player if viewer is Viewer.PLAYER else None
    community = _shown(state.community, len(state.ordinals("community")))
    return RoundView(
        number=state.number,
        stage=state.stage.value,
        community=community,
        dealer=_shown(state.dealer, len(state.ordinals("dealer"))),
        boxes=tuple(_box(state, box, name) for box in state.boxes),
        choices=_choices(terms, state, name) if name is not None else (),
        awaiting=answers(terms, state),
        lines=state.lines,
        notice=state.standing.notice,
    )


def _box(state: Round, box: Box, player: PlayerName | None) -> BoxView:
    dealt = len(state.ordinals(str(box.number)))
    own = player is not None and player in box.seen_by
    return BoxView(
        box=box.number,
        stakes=tuple(StakeView(stake.player, stake.bet, stake.amount) for stake in box.stakes),
        stands=box.stands.value,
        choices=box.choices,
        cards=_shown(box.cards if box.face_up or own else (), dealt),
        examined_by=box.seen_by,
        may_examine=player is not None and _may_examine(state, box, player),
    )


def _may_examine(state: Round, box: Box, player: PlayerName) -> bool:
    looked = any(player in other.seen_by for other in state.boxes)
    return box.seated == player and box.has(ANTE_BET) and not looked and bool(state.ordinals(str(box.number)))


def _shown(cards: tuple[Card, ...], dealt: int) -> tuple[Card | str, ...]:
    """Cards face up first, then the backs of the rest."""
    return (*cards, *(FACE_DOWN for _ in range(dealt - len(cards))))


def _choices(terms: Terms, state: Round, player: PlayerName) -> tuple[ChoiceView, ...]:
    due = None if state.is_held else decision_due(terms, state)
    if due is None:
        return ()
    decision, boxes = due
    found = []
    for number in boxes:
        box = state.box(number)
        if box.seated == player:
            cost = terms.amount_of(decision.bet, box.staked(ANTE_BET))
            found.append(ChoiceView(number, decision.otherwise, 0, decision.otherwise_rules))
            found.append(ChoiceView(number, decision.bet, cost, decision.bet_rules))
    return tuple(found)
