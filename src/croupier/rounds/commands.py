"""What people ask of a table: each command is one step of a round script, or a piece of the Dealer's own work."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias, final

import msgspec

from croupier.cards import Card
from croupier.money import Money
from croupier.rulebooks.vocabulary import BetName, BoxNo, ChipMove, Choice, IncidentName, Role

PlayerName: TypeAlias = str


FACE_DOWN = "??"
"""A card of which only the back is seen."""


class Pile(msgspec.Struct, frozen=True, omit_defaults=True):
    """The cards that lie at one place after a dealing error."""

    cards: tuple[str, ...]
    """In the order in which they came there, where that is known; FACE_DOWN for those that were not seen."""
    ordered: bool = True


class FeltFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of a deal that went wrong: the cards on the felt, and how they came there."""

    incident: IncidentName
    piles: Mapping[str, Pile]
    """By place: box numbers, `dealer`, `community`, `burn`."""
    together: tuple[tuple[tuple[str, int], ...], ...] = ()
    """Cards that were drawn together in an unknown order, each by its place and its number there, from 0."""
    at: int | None = None
    """The card, counted from the first of the shoe from 0, with which it went wrong, where that is known."""
    slips: int = 1
    """How many things went wrong, at most."""


class Command(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True, gc=False):
    """Something asked; it becomes events, or a Refusal."""


class Confirming(StrEnum):
    """How the acts of a settlement are confirmed before the next Round."""

    NO = "no"
    """They are taken as done: a virtual table, a script, a house that does not ask."""
    TOGETHER = "together"
    """In order, one by one or all that are left at once."""
    EACH = "each"
    """In order, one by one."""


@final
class OpenRound(Command, frozen=True):
    """ "Place your Bets, please." """

    day: int = 0
    """The number of the gaming day, from the caller's clock."""
    confirms: Confirming = Confirming.NO
    """How the Dealer's acts at the settlement are confirmed; the table's setting, from the caller."""


@final
class PlaceBet(Command, frozen=True):
    """A Player puts chips on a box, or adds to what lies there."""

    player: PlayerName
    box: BoxNo
    bet: BetName
    amount: Money
    noticed: bool = True
    """False: it lies on the layout although limits or amounts forbid it: staff did not notice in time."""
    by: Role | None = None
    """The role of staff who place it at the Player's request."""
    barred: bool = False
    """Another table of the house has barred the Player; the caller says so."""
    remembered: bool = False
    """Another table of the house has settled the Player's one Round of Bets under the minimum; the caller says so."""
    link_closed: bool = False
    """The link of the table takes no jackpot Bets; the caller says so."""
    ante_most: Money | None = None
    """The most that may lie as Ante on this box, where the pit has limited it; the caller says so."""


class WithdrawBet(Command, frozen=True):
    """A Player takes a Bet back."""

    player: PlayerName
    box: BoxNo
    bet: BetName


@final
class CloseBets(Command, frozen=True):
    """ "No more Bets." """


@final
class DealCards(Command, frozen=True):
    """The Dealer deals: every step of the procedure up to the next card to turn or decision to make."""


@final
class TurnCards(Command, frozen=True):
    """The Dealer turns cards face up; the names of places are box numbers, `dealer` and `community`."""

    cards: Mapping[str, tuple[Card, ...]]


class CorrectCards(Command, frozen=True):
    """Two people correct cards that were entered wrongly: what really lies on the felt, place by place."""

    by: Role
    who: str
    second: str
    cards: Mapping[str, tuple[Card, ...]]
    award_paid: bool = False
    """The link has paid an award of this Round; the caller says so."""


@final
class SettleBets(Command, frozen=True):
    """The Dealer compares the Hands and settles every Bet."""


class ActForAbsent(Command, frozen=True):
    """A box whose Player has walked away has its turn to decide."""

    box: BoxNo


@final
class ExamineHand(Command, frozen=True):
    """A Player looks at the cards of a box."""

    player: PlayerName
    box: BoxNo
    noticed: bool = True
    cards: tuple[Card, ...] = ()
    """What the Player sees, where the program knows it."""
    salt: str = ""
    """As a house of an earlier release added it to the event."""
    from_deck: bool = False
    """The house deals from a committed deck, so that the event says where in it the cards lie."""


class HandleHand(Command, frozen=True):
    """A Player touches the cards of a box without looking."""

    player: PlayerName
    box: BoxNo


@final
class DecideHand(Command, frozen=True):
    """A box makes the decision that is due."""

    box: BoxNo
    choice: Choice
    amount: Money | None = None
    noticed: bool = True


class WalkAway(Command, frozen=True):
    """A Player leaves the table."""

    player: PlayerName


class RefuseReveal(Command, frozen=True):
    """A Player refuses to show their Hand."""

    box: BoxNo


class ProveHand(Command, frozen=True):
    """A Player who refused shows their Hand after all."""

    box: BoxNo


class ViewHand(Command, frozen=True):
    """Staff look at a Hand that was not shown."""

    by: Role
    box: BoxNo


class RestrictPlayer(Command, frozen=True):
    """A Player may bet on one position only."""

    by: Role
    player: PlayerName


@final
class ReportIncident(Command, frozen=True):
    """An irregularity is noticed now; the fields are the facts that its paragraphs ask for."""

    incident: IncidentName
    by: Role = Role.DEALER
    boxes: tuple[BoxNo, ...] = ()
    affected: tuple[BoxNo, ...] = ()
    """Other boxes that staff mark as affected."""
    player: PlayerName | None = None
    count: int | None = None
    dealer: bool = False
    community: bool = False
    reconstructible: bool | None = None
    correct: bool = False
    text: str = ""
    award_paid: bool = False
    """The link has paid an award of this Round; the caller says so."""

    @property
    def cards_named(self) -> int:
        """How many cards the report speaks of: as counted, or one for each place that it names."""
        named = len(self.boxes) + self.dealer + self.community
        return max(named, 1) if self.count is None else self.count


class ChooseOption(Command, frozen=True):
    """A Player answers an option that the rules give them."""

    box: BoxNo
    option: str


class GiveRuling(Command, frozen=True):
    """A person decides what the rules leave to a person."""

    by: Role
    decision: str
    boxes: tuple[BoxNo, ...] = ()
    player: PlayerName | None = None
    who: str = ""
    text: str = ""
    award_paid: bool = False
    """The link has paid an award of this Round; the caller says so."""
    facts: FeltFacts | None = None
    """What of the cards was in front of the person who rules."""


class SetJackpotMode(Command, frozen=True):
    """What the House does after a jackpot fault."""

    by: Role
    mode: str
    box: BoxNo | None = None


class ConfirmActs(Command, frozen=True):
    """The next acts of the settlement were done as they are due."""

    acts: tuple[int, ...]
    """Their numbers, from 0."""
    who: str
    by: Role | None = None
    """None where a camera or chip reader has seen them."""


class EnterAct(Command, frozen=True):
    """What was really done with the chips of an act, be it the next one or one that was confirmed before."""

    act: int
    did: ChipMove
    """`take` or `pay`."""
    amount: Money
    who: str
    by: Role | None = None


class ResolveMispay(Command, frozen=True):
    """The difference that stops the table is put right, or stands by a ruling."""

    by: Role
    who: str
    put_right: bool
    text: str = ""
    """Why it stands."""


class NoteMispay(Command, frozen=True):
    """A Bet of an earlier Round was paid or taken wrongly; it is noticed now."""

    by: Role
    who: str
    round: int
    box: BoxNo
    player: PlayerName
    bet: BetName
    over: Money
    """What the Player was overpaid; below zero what they were underpaid."""
    text: str


class PaidLine(msgspec.Struct, frozen=True):
    """One line of the jackpot table that is paid."""

    hand: str
    pays: str
    amount: Money
    from_meter: bool = False


RoundCommand: TypeAlias = (
    OpenRound
    | PlaceBet
    | WithdrawBet
    | CloseBets
    | DealCards
    | TurnCards
    | CorrectCards
    | SettleBets
    | ActForAbsent
    | ExamineHand
    | HandleHand
    | DecideHand
    | WalkAway
    | RefuseReveal
    | ProveHand
    | ViewHand
    | RestrictPlayer
    | ReportIncident
    | ChooseOption
    | GiveRuling
    | SetJackpotMode
    | ConfirmActs
    | EnterAct
    | ResolveMispay
    | NoteMispay
)
