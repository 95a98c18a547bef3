"""Where a table's Round of play stands, and what the table remembers from one Round to the next."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from croupier.cards import Card
from croupier.money import Money
from croupier.rounds.commands import Confirming, PlayerName, ReportIncident
from croupier.rounds.events import AwardClaimed, AwardPaid, BetSettled, JackpotBet, MispayFound, MispayResolved
from croupier.rulebooks.terms import Pin
from croupier.rulebooks.vocabulary import BetName, BoxNo, Choice, Role, Rules


class Stage(StrEnum):
    """How far the Round has come."""

    IDLE = "idle"
    """No Round has been opened yet."""
    BETTING = "betting"
    PLAYING = "playing"
    """Bets are closed; cards, decisions, comparison."""
    SETTLED = "settled"
    VOID = "void"


class HandStands(StrEnum):
    """How a box stands in the Round."""

    OUT = "out"
    """No Hand is dealt here: no Bet takes part."""
    LIVE = "live"
    FOLDED = "folded"
    INVALID = "invalid"
    FORFEITED = "forfeited"


# Names of their own for what the engine asks all the time: Python 3.11 takes longer to find a member in its class than
# to compare it.
BETTING, PLAYING, SETTLED = Stage.BETTING, Stage.PLAYING, Stage.SETTLED
OUT, LIVE, FOLDED = HandStands.OUT, HandStands.LIVE, HandStands.FOLDED
INVALID, FORFEITED = HandStands.INVALID, HandStands.FORFEITED


class Stake(msgspec.Struct, frozen=True, gc=False):
    """The chips of one Player on one box for one Bet."""

    player: PlayerName
    bet: BetName
    amount: Money
    taken_off: bool = False
    """Withdrawn too late: off the layout, but still won or lost."""


class ReturnedStake(msgspec.Struct, frozen=True, gc=False):
    """A Player's part of another Player's area that is out of the Round; the settlement gives it back."""

    stake: Stake
    rules: Rules


class Box(msgspec.Struct, frozen=True, gc=False):
    """A betting box, numbered clockwise from the Dealer's left."""

    number: BoxNo
    stakes: tuple[Stake, ...] = ()
    stands: HandStands = HandStands.OUT
    choices: tuple[Choice, ...] = ()
    why: Rules = ()
    """What put the Hand out of the Round, or folded it."""
    lost: tuple[BetName, ...] = ()
    settled: tuple[BetName, ...] = ()
    cards: tuple[Card, ...] = ()
    """What is known of the Hand: turned face up, or examined by its Player."""
    face_up: bool = False
    seen_by: tuple[PlayerName, ...] = ()
    seen_first: bool = False
    """The one Hand that its Player may look at, since they looked at it first."""
    handled: bool = False
    refused: bool = False
    proved: bool = False
    ruled: bool = False
    """Management has ruled on what no paragraph covers here."""
    excused: bool = False
    """Absent, but management lets the decision wait."""
    returned: tuple[ReturnedStake, ...] = ()
    """What lies here and is no longer in play, apart from the stakes that are."""

    @property
    def seated(self) -> PlayerName | None:
        """The Player who decides for the box: the first to bet on it."""
        return self.stakes[0].player if self.stakes else None

    def staked(self, bet: BetName) -> Money:
        """Return the chips on this area, of all Players together."""
        total = 0
        for stake in self.stakes:
            if stake.bet == bet:
                total += stake.amount
        return total

    def stake_of(self, player: PlayerName, bet: BetName) -> Stake | None:
        for stake in self.stakes:
            if stake.bet == bet and stake.player == player:
                return stake
        return None

    def has(self, bet: BetName) -> bool:
        for stake in self.stakes:  # noqa: SIM110  a plain loop, since the engine asks this all the time
            if stake.bet == bet:
                return True
        return False

    @property
    def players(self) -> tuple[PlayerName, ...]:
        """Everyone whose chips lie here."""
        given_back = (part.stake for part in self.returned)
        return tuple(dict.fromkeys(stake.player for stake in (*self.stakes, *given_back)))


class Awaiting(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What the Round waits for: a ruling from a role or above, or options from boxes."""

    report: ReportIncident
    rules: Rules
    role: Role | None = None
    decisions: tuple[str, ...] = ()
    boxes: tuple[BoxNo, ...] = ()
    options: tuple[str, ...] = ()
    withdraws_all: bool = False


class Standing(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What the table remembers between Rounds."""

    closed: bool = False
    jackpot_suspended: bool = False
    notice: bool = False
    """A notice at the table says that no jackpot Bets are taken."""
    disallowed_boxes: tuple[BoxNo, ...] = ()
    restricted: tuple[PlayerName, ...] = ()
    prohibited: tuple[PlayerName, ...] = ()
    under_minimum: tuple[PlayerName, ...] = ()
    """Players whose one round of Bets under the minimum has been settled this gaming day, here or, where they had such
    Bets here again, elsewhere in the house before they placed these."""
    day: int = 0
    """The gaming day of the last Round that was opened."""


class LetStand(msgspec.Struct, frozen=True, gc=False):
    """A mispay that stays as it was paid, and the ruling that let it stand."""

    found: MispayFound
    ruling: MispayResolved


class Round(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A table's Round of play. Immutable: `evolve` makes the next one."""

    boxes: tuple[Box, ...]
    number: int = 0
    stage: Stage = Stage.IDLE
    step: int = 0
    """The next step of the dealing procedure."""
    dealt: tuple[str, ...] = ()
    """Where each card went, in the order in which they left the shoe."""
    deals: int = 0
    """How often the Round was dealt again."""
    exposed: int = 0
    """Cards that were reported as exposed in this deal."""
    community: tuple[Card, ...] = ()
    """The Community Cards that lie face up."""
    dealer: tuple[Card, ...] = ()
    hands: tuple[BoxNo, ...] = ()
    """The boxes that were dealt a Hand, clockwise."""
    absent: tuple[PlayerName, ...] = ()
    jackpot_bets: tuple[JackpotBet, ...] = ()
    awaiting: tuple[Awaiting, ...] = ()
    claims: tuple[AwardClaimed, ...] = ()
    """Awards of the meter that this Round has won: on the link each is a case of its own."""
    lines: tuple[BetSettled, ...] = ()
    awards: tuple[AwardPaid, ...] = ()
    """Awards of this Round that its settlement has paid."""
    noted_now: tuple[PlayerName, ...] = ()
    """Players whose Bets under the minimum this Round's settlement has put on record."""
    frozen: bool = False
    reopened: bool = False
    rulebook: Pin | None = None
    """The rules by which it is judged."""
    confirms: Confirming = Confirming.NO
    acts_done: int = 0
    """Acts of the settlement that were confirmed or entered, in their order."""
    mispay: MispayFound | None = None
    """The difference that stops the table."""
    let_stand: tuple[LetStand, ...] = ()
    """Mispays that stand, which a reopened settlement does not undo."""
    standing: Standing = Standing()

    def box(self, number: BoxNo) -> Box:
        return self.boxes[number - 1]

    def with_box(self, box: Box) -> Round:
        boxes = list(self.boxes)
        boxes[box.number - 1] = box
        return replace(self, boxes=tuple(boxes))

    @property
    def is_open(self) -> bool:
        return self.stage is BETTING or self.stage is PLAYING

    @property
    def is_held(self) -> bool:
        """The Round waits for a ruling or for Players' options."""
        return bool(self.awaiting)

    def ordinals(self, place: str) -> tuple[int, ...]:
        """Return the ordinals in the shoe, from 0, of the cards at this place."""
        return _ordinals(self.dealt, place)

    @property
    def paid_from_meter(self) -> bool:
        """An award of this Round has been paid from the meter."""
        return any(award.from_meter for award in self.awards)

    @property
    def has_seen_cards(self) -> bool:
        """A Player has looked at cards of their own."""
        return any(box.seen_by for box in self.boxes)


@lru_cache(maxsize=4096)
def _ordinals(dealt: tuple[str, ...], place: str) -> tuple[int, ...]:
    return tuple(i for i, to in enumerate(dealt) if to == place)


@lru_cache(maxsize=64)
def new_table(boxes: int) -> Round:
    """Return a table on which no Round has been opened yet."""
    return Round(boxes=tuple(Box(number) for number in range(1, boxes + 1)))
