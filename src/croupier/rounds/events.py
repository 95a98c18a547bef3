"""What happened at a table: facts with everything needed to explain them. `RoundEvent` is a plain union."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias, final

import msgspec

from croupier.cards import Card
from croupier.money import Money
from croupier.rounds.commands import Confirming, FeltFacts, PlayerName, ReportIncident
from croupier.rulebooks.terms import Pin
from croupier.rulebooks.vocabulary import Award, BetName, BoxNo, ChipMove, Choice, Role, Rules


class Outcome(StrEnum):
    """How a Bet came out."""

    WIN = "win"
    LOSE = "lose"
    STAND_OFF = "stand_off"
    """In play, and neither won nor lost."""
    RETURNED = "returned"
    """Not, or no longer, in play."""


class Event(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True, gc=False):
    """Something that happened; it is never judged again."""


@final
class RoundOpened(Event, frozen=True):
    """The Dealer has called for Bets."""

    number: int
    day: int = 0
    """The gaming day, where a game remembers anything for a day."""
    rulebook: Pin | None = None
    """The rules by which it is judged; None in records of releases that knew one version of each document."""
    confirms: Confirming = Confirming.NO
    """How the acts of its settlement are confirmed before the next Round."""


@final
class BetPlaced(Event, frozen=True):
    """Chips lie on a box."""

    box: BoxNo
    player: PlayerName
    bet: BetName
    amount: Money
    noticed: bool = True
    by: Role | None = None
    rules: Rules = ()
    remembered: bool = False
    """It is under the minimum, and another table of the house remembers the Player for that; this one did not yet."""


class BetWithdrawn(Event, frozen=True):
    """Taken off the layout; `live` where the Bet is still won or lost."""

    box: BoxNo
    player: PlayerName
    bet: BetName
    amount: Money
    live: bool = False
    rules: Rules = ()


class JackpotBet(msgspec.Struct, frozen=True, gc=False):
    """A jackpot Bet accepted at closing: what of it counts toward the meter."""

    box: BoxNo
    player: PlayerName
    amount: Money


@final
class BetsClosed(Event, frozen=True):
    """The Dealer has called "No more Bets"."""

    hands: tuple[BoxNo, ...]
    """The boxes that are dealt a Hand."""
    jackpot_bets: tuple[JackpotBet, ...] = ()


@final
class CardsDealt(Event, frozen=True):
    """One dealing step: where each card went, in the order in which they left the shoe."""

    step: int
    to: tuple[str, ...]
    rules: Rules


@final
class CardsTurned(Event, frozen=True):
    """Cards lie face up."""

    step: int
    """Where the procedure goes on."""
    cards: Mapping[str, tuple[Card, ...]]
    rules: Rules


class CardsCorrected(Event, frozen=True):
    """Cards were entered wrongly: what was entered, and what really lies there, on the word of two people."""

    cards: Mapping[str, tuple[Card, ...]]
    was: Mapping[str, tuple[Card, ...]]
    by: Role
    who: str
    second: str
    rules: Rules


@final
class HandExamined(Event, frozen=True):
    """A Player has looked at a Hand; `cards` is what they saw, where the program knows it."""

    box: BoxNo
    player: PlayerName
    noticed: bool = True
    cards: tuple[Card, ...] = ()
    salt: str = ""
    """Of earlier releases: it keeps the cards from being guessed from the digest of this event."""
    round: int = 0
    deal: int = 0
    at: tuple[int, ...] = ()
    """Where the cards lie in the committed deck of this Round and deal. A look that says so is recorded without its
    cards: a reader who can open the deck finds them there.
    """


class HandHandled(Event, frozen=True):
    """A Player has touched a Hand."""

    box: BoxNo
    player: PlayerName


class StakePart(msgspec.Struct, frozen=True, gc=False):
    """A Player's part of a decision Bet; on a shared area each Player funds it as they funded the Ante."""

    player: PlayerName
    amount: Money


@final
class HandDecided(Event, frozen=True):
    """A box has decided, or the rules have decided for it."""

    box: BoxNo
    choice: Choice
    bet: BetName | None = None
    parts: tuple[StakePart, ...] = ()
    rules: Rules = ()
    deemed: bool = False
    """Decided by the rules, not by the Player."""


class WalkedAway(Event, frozen=True):
    """A Player has left the table."""

    player: PlayerName


class AbsenceExcused(Event, frozen=True):
    """Management lets the box of an absent Player wait for its decision."""

    box: BoxNo


class RevealRefused(Event, frozen=True):
    """A Player refuses to show their Hand."""

    box: BoxNo


class HandProved(Event, frozen=True):
    """A Player who refused has shown their Hand after all."""

    box: BoxNo


class HandViewed(Event, frozen=True):
    """Staff have looked at a Hand that was not shown."""

    box: BoxNo
    by: Role


class PlayerRestricted(Event, frozen=True):
    """A Player may bet on one position only."""

    player: PlayerName
    by: Role
    rules: Rules


class HandInvalidated(Event, frozen=True):
    """The Hand is out of the Round; its Bets go back, but those in `lost` and `settled`."""

    box: BoxNo
    rules: Rules
    lost: tuple[BetName, ...] = ()
    settled: tuple[BetName, ...] = ()


class BackingInvalidated(Event, frozen=True):
    """What a Player staked on another Player's box is out of the Round; it goes back at the settlement."""

    box: BoxNo
    player: PlayerName
    rules: Rules


class BetsForfeited(Event, frozen=True):
    """Every Bet of this box is lost, and nothing is paid on it."""

    box: BoxNo
    rules: Rules


@final
class BetSettled(Event, frozen=True):
    """The Dealer has paid, collected or returned one Bet of one Player on one box."""

    round: int
    box: BoxNo
    player: PlayerName
    bet: BetName
    outcome: Outcome
    staked: Money
    won: Money
    returned: Money
    rules: Rules
    because: str


class AwardClaimed(Event, frozen=True):
    """A box has made a hand that is paid from the meter: the link pays it in its turn."""

    round: int
    box: BoxNo
    player: PlayerName
    staked: Money
    counts: Money
    """What of the stake is in play; the rest goes back."""
    units: int
    awards: tuple[Award, ...]
    """Every line the cards meet."""
    named: str
    """The hand, for people."""
    rules: Rules = ()
    """What keeps the Bet alive on a Hand that was folded."""
    cards: tuple[Card, ...] = ()
    """The cards that the first line looks at."""
    collected: bool = False
    """The jackpot Bet left the layout with this claim; the first release left it there until the award was paid."""


class AwardPaid(Event, frozen=True):
    """One line of the jackpot table has been paid."""

    round: int
    box: BoxNo
    player: PlayerName
    hand: str
    pays: str
    amount: Money
    from_meter: bool
    rules: Rules


class UnderMinimumNoted(Event, frozen=True):
    """This Player's one round of Bets under the minimum has been settled."""

    player: PlayerName
    rules: Rules


@final
class RoundSettled(Event, frozen=True):
    """Every Bet is settled; awards of the meter may still wait."""

    number: int


class RoundVoided(Event, frozen=True):
    """The Round has no result."""

    number: int
    rules: Rules
    because: str


class IncidentReported(Event, frozen=True):
    """An irregularity is on the record."""

    report: ReportIncident
    rules: Rules


class RulingAwaited(Event, frozen=True):
    """The Round holds until a person of this role or above decides."""

    report: ReportIncident
    role: Role
    decisions: tuple[str, ...]
    rules: Rules


class OptionsOffered(Event, frozen=True):
    """The Round holds until each of these boxes has chosen."""

    report: ReportIncident
    boxes: tuple[BoxNo, ...]
    options: tuple[str, ...]
    rules: Rules
    withdraws_all: bool = False


class OptionChosen(Event, frozen=True):
    """A box has answered its option."""

    box: BoxNo
    option: str
    rules: Rules


class RulingGiven(Event, frozen=True):
    """A person has decided: who, what, by which paragraph, in which words."""

    by: Role
    decision: str
    rules: Rules
    boxes: tuple[BoxNo, ...] = ()
    player: PlayerName | None = None
    who: str = ""
    text: str = ""
    facts: FeltFacts | None = None
    """What of the cards was in front of the person who ruled."""


class RoundReopened(Event, frozen=True):
    """Noticed before the next Round: the settlement is unwound, its lines and awards are as if they had not been."""

    number: int
    rules: Rules


class CardsRedealt(Event, frozen=True):
    """Everything is dealt again; these decision Bets go back to their Players first."""

    returned: tuple[tuple[BoxNo, BetName, StakePart], ...]
    rules: Rules


class MeterFrozen(Event, frozen=True):
    """Awards of this Round are paid from the meter as registered now."""

    suspends_jackpot_bets: bool
    rules: Rules


class JackpotBetsSuspended(Event, frozen=True):
    """No jackpot Bet is accepted at this table until the House restores them."""

    rules: Rules


class JackpotModeSet(Event, frozen=True):
    """The House has taken a measure after a jackpot fault."""

    by: Role
    mode: str
    rules: Rules
    box: BoxNo | None = None


class PlayerStopped(Event, frozen=True):
    """A Player may not play on."""

    player: PlayerName
    by: Role
    rules: Rules


class PlayerReadmitted(Event, frozen=True):
    """A Player who was barred may play again."""

    player: PlayerName
    by: Role
    rules: Rules


class NoticeGiven(Event, frozen=True):
    """A notice is shown at the table."""

    text: str
    rules: Rules


class ActsConfirmed(Event, frozen=True):
    """Acts of the settlement were done as they were due."""

    round: int
    acts: tuple[int, ...]
    who: str
    by: Role | None = None
    """None where a camera or chip reader has seen them."""


class MispayFound(Event, frozen=True):
    """A Bet was paid or taken wrongly: the table stops until it is put right, or stands by a ruling."""

    round: int
    act: int
    box: BoxNo
    player: PlayerName
    bet: BetName
    move: ChipMove
    due: Money
    did: ChipMove
    amount: Money
    over: Money
    """What the Player was overpaid; below zero what they were underpaid."""
    who: str
    rules: Rules
    """What decided the Bet."""
    by: Role | None = None


class MispayResolved(Event, frozen=True):
    """The chips were put right, or the mispay stands by a ruling."""

    round: int
    act: int
    player: PlayerName
    over: Money
    put_right: bool
    by: Role
    who: str
    rules: Rules
    text: str = ""


class MispayNoted(Event, frozen=True):
    """A mispay of an earlier Round was noticed too late: it stands, and the ledger says so."""

    round: int
    """The earlier one."""
    box: BoxNo
    player: PlayerName
    bet: BetName
    over: Money
    by: Role
    who: str
    rules: Rules
    text: str


RoundEvent: TypeAlias = (
    RoundOpened
    | BetPlaced
    | BetWithdrawn
    | BetsClosed
    | CardsDealt
    | CardsTurned
    | CardsCorrected
    | HandExamined
    | HandHandled
    | HandDecided
    | WalkedAway
    | AbsenceExcused
    | RevealRefused
    | HandProved
    | HandViewed
    | PlayerRestricted
    | HandInvalidated
    | BackingInvalidated
    | BetsForfeited
    | BetSettled
    | AwardClaimed
    | AwardPaid
    | UnderMinimumNoted
    | RoundSettled
    | RoundVoided
    | IncidentReported
    | RulingAwaited
    | OptionsOffered
    | OptionChosen
    | RulingGiven
    | RoundReopened
    | CardsRedealt
    | MeterFrozen
    | JackpotBetsSuspended
    | JackpotModeSet
    | PlayerStopped
    | PlayerReadmitted
    | NoticeGiven
    | ActsConfirmed
    | MispayFound
    | MispayResolved
    | MispayNoted
)
