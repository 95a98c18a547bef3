"""The words a rulebook is written in: Bet, PayTable, Dealing, Showdown, Jackpot, Irregularity, Rulebook."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, StrEnum
from typing import TypeAlias, final

from croupier.cards import Rank, Strength, ThreeCardRank, slug
from croupier.money import Money, Pays, ShareOfMeter
from croupier.rulebooks.citation import Document
from croupier.rulebooks.incidents import (
    INCIDENTS,
    AskRuling,
    Authority,
    CheckHand,
    Consequence,
    Continue,
    DeclaredIncident,
    FoldHand,
    ForfeitBets,
    FreezeMeter,
    Incident,
    IncidentName,
    InvalidateHand,
    Irregularity,
    Measures,
    Moment,
    Noticed,
    OfferOptions,
    Redeal,
    VoidRound,
    When,
    Whom,
)
from croupier.rulebooks.readings import Readings
from croupier.rulebooks.words import ANTE_BET, FOLD, JACKPOT_BET, BetName, BoxNo, Choice, Role, Rules, Word

__all__ = [
    "ANTE_BET",
    "FOLD",
    "JACKPOT_BET",
    "AcrossTables",
    "AskRuling",
    "AtLeast",
    "Authority",
    "Award",
    "Bet",
    "BetKind",
    "BetName",
    "BoxNo",
    "CheckHand",
    "ChipMove",
    "Choice",
    "Closing",
    "Compare",
    "Consequence",
    "Continue",
    "Deal",
    "Dealing",
    "DealingStep",
    "Decision",
    "DeclaredIncident",
    "Examining",
    "Fate",
    "Fold",
    "FoldHand",
    "ForfeitBets",
    "FreezeMeter",
    "HandKind",
    "HoleCards",
    "Incident",
    "IncidentName",
    "InvalidateHand",
    "Irregularity",
    "Jackpot",
    "Layout",
    "Limiting",
    "Limits",
    "Measures",
    "Moment",
    "NotShown",
    "Noticed",
    "OfferOptions",
    "PartialAward",
    "Participants",
    "PayTable",
    "Place",
    "PoolOf",
    "Qualification",
    "Redeal",
    "Role",
    "Rulebook",
    "Rules",
    "SameTable",
    "Seating",
    "SettlementOrder",
    "ShareFloor",
    "Showdown",
    "SideBet",
    "SideHand",
    "Turn",
    "VoidRound",
    "When",
    "Whom",
    "Word",
    "pay_table",
]


# ---------------------------------------------------------------- bets and pay tables


class BetKind(Enum):
    """What sort of Bet it is, and so how it comes onto the layout."""

    ENTRY = "entry"
    """The Ante: without it a box has no part in the comparison with the Dealer."""
    SIDE = "side"
    """Bonus, Pair Plus: placed before the deal, settled on the Player's own cards."""
    JACKPOT = "jackpot"
    DECISION = "decision"
    """Flop, Turn, River, Play, Call: placed by a decision, a multiple of the Ante."""
    PAYOUT = "payout"
    """Ante Bonus: paid without a stake of its own."""


class Bet(Word, frozen=True):
    """One kind of Bet of a game; the chips of a Player on a Box are a Stake."""

    name: BetName
    rules: Rules
    kind: BetKind
    times_ante: int = 0
    """A decision Bet is this many times the Ante."""
    needs_ante: Rules = ()
    """What refuses this Bet on a box where its Player has no Ante; empty where it may stand alone."""
    beside: tuple[BetName, ...] = (ANTE_BET,)
    """A Bet that needs an Ante accepts any of these instead."""
    takes_part: bool = False
    """A box with this Bet is dealt a Hand."""


class Limits(Word, frozen=True):
    """The least and the most that one area of a box may hold."""

    minimum: Money
    maximum: Money


class PayTable(Word, frozen=True):
    """Lines and what they pay, in the order of the paper; a line is a rank's or a hole-card pattern's stable word."""

    rules: Rules
    rows: tuple[tuple[str, Pays], ...]
    row_rules: tuple[tuple[str, Rules], ...] = ()
    """Lines with a paragraph of their own."""

    def cites(self, line: str | None) -> Rules:
        """Return the rules by which this line is paid."""
        for name, rules in self.row_rules:
            if name == line:
                return (*rules, *self.rules)
        return self.rules

    def pays(self, line: str | None) -> Pays | None:
        for name, pays in self.rows:
            if name == line:
                return pays
        return None


class HoleCards(StrEnum):
    """The patterns of two Hole Cards that a Bonus table lists."""

    ACES_BOTH = "aces_both"
    """A-A in the Player's Hand and in the Dealer's."""
    ACES = "aces"
    ACE_KING_SUITED = "ace_king_suited"
    ACE_QUEEN_OR_JACK_SUITED = "ace_queen_or_jack_suited"
    ACE_KING = "ace_king"
    HIGH_PAIR = "high_pair"
    """K-K, Q-Q or J-J."""
    ACE_QUEEN_OR_JACK = "ace_queen_or_jack"
    LOW_PAIR = "low_pair"
    """10-10 down to 2-2."""


def pay_table(rules: Rules, *rows: tuple[Rank | ThreeCardRank | HoleCards, Pays]) -> PayTable:
    """Return a pay table as it stands on paper: the highest line first."""
    return PayTable(
        rules, tuple((line.value if isinstance(line, HoleCards) else slug(line), pays) for line, pays in rows)
    )


# ---------------------------------------------------------------- the deal


class Place(StrEnum):
    """Where a card may go, besides a numbered box."""

    BOXES = "boxes"
    DEALER = "dealer"
    COMMUNITY = "community"
    BURN = "burn"


@final
class Deal(Word, frozen=True):
    """`times` rounds of `each` cards to every place of `order`, betted boxes clockwise from the Dealer's left."""

    rules: Rules
    order: tuple[Place, ...]
    each: int
    times: int = 1
    left_over: bool = False
    """The surplus of a packet: put aside like a Burnt Card, without being one."""


@final
class Turn(Word, frozen=True):
    """The Dealer turns cards face up: the first `community` Community Cards, or the Dealer's own Hand."""

    rules: Rules
    community: int = 0
    dealer: bool = False


@final
class Decision(Word, frozen=True):
    """Every live box chooses: `bet` a multiple of the Ante, or `otherwise` (fold, or check)."""

    rules: Rules
    bet: BetName
    bet_rules: Rules
    otherwise: Choice
    otherwise_rules: Rules
    needs: BetName | None = None
    """Reading `river-after-check` a: the Bet takes this one before it."""
    looked_only: bool = False
    """Reading `blind-turn-river` a: a blind Hand may not place the Bet."""
    may_fold: Rules = ()
    """Reading `late-fold` a: a Hand may be folded here as well."""

    @property
    def choices(self) -> tuple[Choice, ...]:
        return (self.otherwise, self.bet, FOLD) if self.may_fold else (self.otherwise, self.bet)

    def open_to(self, has: Callable[[BetName], bool], *, blind: bool) -> tuple[Choice, ...]:
        """Return the choices of a Hand whose box has these Bets; `blind` where its Player has not looked at it."""
        if (self.needs is not None and not has(self.needs)) or (self.looked_only and blind):
            return tuple(choice for choice in self.choices if choice != self.bet)
        return self.choices

    def rules_of(self, choice: Choice) -> Rules:
        """Return the rules of a choice."""
        if choice == self.bet:
            return self.bet_rules
        return self.otherwise_rules if choice == self.otherwise else self.may_fold


@final
class Compare(Word, frozen=True):
    """The Hands are shown, compared with the Dealer's, and every Bet is settled."""

    rules: Rules


DealingStep: TypeAlias = Deal | Turn | Decision | Compare


class Dealing(Word, frozen=True):
    """One dealing procedure: the exact order of cards, burns, turns and decisions."""

    name: str
    rules: Rules
    steps: tuple[DealingStep, ...]
    announce: Rules = ()
    """The Dealer announces this method before each round."""

    def cards_to(self, place: Place) -> int:
        """Return how many cards one such place is dealt in all; Community Cards without a packet's surplus."""
        dealt = [step for step in self.steps if type(step) is Deal and place in step.order and not step.left_over]
        return sum([step.each * step.times for step in dealt])


# ---------------------------------------------------------------- comparison and settlement


class HandKind(Enum):
    """Which cards are compared with the Dealer's."""

    BEST_FIVE = "best_five"
    """The best five of the own cards and the Community Cards."""
    THREE_CARDS = "three_cards"
    FIVE_CARDS = "five_cards"
    """The five cards dealt to the Hand, without Community Cards."""


class AtLeast(Word, frozen=True):
    """A hand of this rank with this highest face and, where it is given, this next one; or a better one."""

    rank: int
    face: int
    words: str
    next_face: int = 0

    @property
    def strength(self) -> Strength:
        """The least Strength that is enough."""
        return Strength(self.rank << 20 | self.face << 16 | self.next_face << 12)


class Qualification(Word, frozen=True):
    """What the Dealer's Hand must be to play, and what becomes of the Bets where it is not."""

    at_least: AtLeast
    rules: Rules
    ante: Rules
    others: Rules
    tie_first: bool = False
    """Equal hands stand off even where the Dealer does not qualify."""


class Showdown(Word, frozen=True):
    """The Bets that play against the Dealer's Hand."""

    hand: HandKind
    bets: tuple[BetName, ...]
    higher: Rules
    lower: Rules
    equal: Rules
    pays: Rules
    ante_pays_from: Rank | None = None
    """On a win below this rank the Ante only comes back."""
    ante_table: PayTable | None = None
    """The Ante is paid by this table instead of even money."""
    qualification: Qualification | None = None


class Fate(Enum):
    """What became of the Hand a side Bet belongs to."""

    FOLDED = "folded"
    NOT_SHOWN = "not_shown"
    BEATEN = "beaten"
    STOOD_OFF = "stood_off"


class SideHand(Enum):
    """Which cards a side Bet looks at."""

    HOLE_CARDS = "hole_cards"
    THREE_CARDS = "three_cards"


class SideBet(Word, frozen=True):
    """A Bet (or payout) settled on the Player's own cards."""

    bet: BetName
    on: SideHand
    table: PayTable
    rules: Rules
    unlisted: Rules
    stake: BetName
    """Whose chips are multiplied: its own, or the Ante for the Ante Bonus."""
    lost_when: tuple[tuple[Fate, Rules], ...] = ()
    returned_when: tuple[tuple[Fate, Rules], ...] = ()
    settled_when: tuple[tuple[Fate, Rules], ...] = ()
    """The rules that still settle it on the cards although the Hand came to this."""
    cap: Money | None = None
    cap_rules: Rules = ()
    cap_covers_stake: bool = False
    """Reading `bonus-cap` a: the stake that comes back counts toward the cap."""
    dealer_alone_pays: bool = False
    """Reading `bonus-dealer-only`: the Dealer's Hole Cards alone meet a line."""


class Fold(Word, frozen=True):
    """What folding costs and what it leaves alive."""

    loses: tuple[BetName, ...]
    keeps: tuple[BetName, ...]
    keeps_rules: Rules


class NotShown(Word, frozen=True):
    """A Player refuses to show their Hand."""

    rules: Rules
    loses: tuple[BetName, ...]
    """Bets that lose with the Hand unshown."""
    returns: tuple[BetName, ...] = ()
    """Bets given back (reading `refusal-later-bets` a)."""
    later_rules: Rules = ()
    """What decides, beyond `rules`, on the Bets that lie there besides the Ante."""
    provable: tuple[BetName, ...] = ()
    """Bets still settled on the cards where the Player proves them."""
    proving_restores: bool = False
    """A proved Hand plays on as if it had been shown at once."""
    proof_rules: Rules = ()
    """What decides, beyond `rules`, how far a proof reaches (reading `v6-proof`)."""
    keeps_community_awards: bool = False
    view_by: Role | None = None
    """Who may still look at the Hand."""
    view_rules: Rules = ()


# ---------------------------------------------------------------- the jackpot


class SameTable(Enum):
    """Order of major awards within one round of one table."""

    CLOCKWISE = "clockwise"
    ROYAL_LAST = "royal_last"
    POOLED_ROYAL_LAST = "pooled_royal_last"
    NONE_NEEDED = "none_needed"


class PoolOf(Enum):
    """Reading `sf-pool-arithmetic`: ten per cent of what, for each winner of the pool."""

    RUNNING_METER = "running_meter"
    RESET_VALUE = "reset_value"
    ONCE = "once"


class AcrossTables(Enum):
    """Order of major awards of different tables of the link."""

    BY_TIME_DEALT = "by_time_dealt"
    BY_ENTRY = "by_entry"


class PartialAward(Enum):
    """Reading `partial-award-reset`: what an award below 100% does to the meter."""

    LOWERS = "lowers"
    RESETS = "resets"
    LOWERS_TO_RESET_VALUE = "lowers_to_reset_value"


class Award(Word, frozen=True):
    """One line of the jackpot pay table and the cards that make it."""

    hand: str
    rank: Rank
    pays: Pays
    rules: Rules
    own: bool = True
    """The Player's own cards count; otherwise the Community Cards alone make it."""
    community: int = 3
    """How many Community Cards count, from the first."""
    with_own_card: bool = False
    """At least one of the five must be the Player's own."""
    any_five: bool = False
    """Any five of the cards may make it, not only the best five."""
    shared: bool = False
    """Equal shares for every participating Bet, each at least the same part of the base value."""

    @property
    def is_major(self) -> bool:
        return isinstance(self.pays, ShareOfMeter)


class ShareFloor(Enum):
    """Reading `sun-board-share`: who pays what the floor adds to a share."""

    HOUSE = "house"
    METER = "meter"


class Participants(Enum):
    """Reading `sun-board-share`: who shares a board award."""

    EVERY_JACKPOT_BET = "every_jackpot_bet"
    CALLED_HANDS = "called_hands"


class Jackpot(Word, frozen=True):
    """The jackpot Bet, its hand, its awards and the order of winners."""

    rules: Rules
    awards: tuple[Award, ...]
    lost: Rules
    """Cited where the cards make no line."""
    denied: Rules
    """Cited where a claim did not prove right."""
    amount_rules: Rules
    wrong_amount_late: Rules
    community: int
    """Community Cards that must be seen before a live jackpot Bet can be settled."""
    same_table: SameTable
    same_table_rules: Rules
    across_tables: AcrossTables
    across_tables_rules: Rules
    contribution_rules: Rules
    multiples: int = 1
    multiple_rules: Rules = ()
    multiple_squared: bool = False
    """Reading `for-1-multiple` b."""
    contributes_multiples: bool = True
    own_hands_of: int = 0
    """A stakeboard may add own hands, made of the Player's cards and this many Community Cards; 0 where it may not."""
    own_hands_rules: Rules = ()
    every_line: bool = False
    """Every line met is paid; otherwise the greatest amount alone."""
    folded_community_only: bool = False
    folded_rules: Rules = ()
    pool_of: PoolOf = PoolOf.RUNNING_METER
    pool_rules: Rules = ()
    partial_award: PartialAward = PartialAward.LOWERS
    partial_rules: Rules = ()
    share_floor: ShareFloor = ShareFloor.HOUSE
    participants: Participants = Participants.EVERY_JACKPOT_BET
    frozen_rules: Rules = ()
    """What has the awards of a Round paid from the meter as registered before a fault."""
    fault_spreads: bool = False
    """Reading `jackpot-fault` a: a fault at one table is one of every table of the link."""
    waits_for_earlier_deals: bool = True
    """Reading `simultaneous-tables` b: a win waits for every earlier-dealt round that may still win."""


# ---------------------------------------------------------------- betting rules


class Seating(Word, frozen=True):
    """Who may bet on a box."""

    rules: Rules
    shared_boxes: bool = False
    several_boxes: bool = True
    several_rules: Rules = ()
    shared_rules: Rules = ()
    backing_returned: Rules = ()
    """What has a part of another Player's area that goes back after closing settled with a line of its own (reading
    `backer-returned` b); where empty, the part goes back at once and leaves none."""
    jackpot_seated_only: Rules = ()
    restrict_by: Role | None = None
    restrict_rules: Rules = ()


class Examining(Word, frozen=True):
    """How many Hands a Player may look at."""

    rules: Rules
    side_bet_only: Rules = ()
    """A box without an Ante may not be looked at."""


class Closing(Word, frozen=True):
    """What happens to Bets after "No more Bets"."""

    rules: Rules
    withdrawn_stays_live: bool = False
    withdrawn_rules: Rules = ()


class Limiting(Word, frozen=True):
    """Bets outside the limits, and decision Bets of the wrong size; empty rules mean that no paragraph covers it."""

    over_refused: Rules
    under_refused: Rules
    over_late: Rules = ()
    under_late: Rules = ()
    under_once: bool = False
    """A Player's Bets under the minimum are settled in one round only, later ones returned."""
    too_big: Rules = ()
    too_small: Rules = ()
    measured_on_effective_ante: bool = True
    """Reading `wrong-size-and-limit` b: decision Bets are measured against the Ante as cut to the maximum."""
    decision_limit_scales: bool = True
    """Reading `wrong-size-and-limit` d: the limit of a decision Bet is its multiple of the Ante's maximum."""
    orphan_late: Rules = ()
    """A jackpot Bet without its Ante, found later; what refuses it in time is the Bet's own `needs_ante`."""
    staff_bets: Rules = ()
    """Staff may place Bets at a Player's request."""


# ---------------------------------------------------------------- the hands of the Dealer at the settlement


class ChipMove(Enum):
    """What the Dealer does with the chips of one Bet at the settlement."""

    GIVE_BACK = "give_back"
    """What is not in play goes back to its Player."""
    TAKE = "take"
    PAY = "pay"
    LEAVE = "leave"
    """A stand-off: the chips are neither paid nor collected."""


class SettlementOrder(Word, frozen=True):
    """In which order the Dealer's hands move; the default is what no document contradicts (decision 60)."""

    moves: tuple[ChipMove, ...] = (ChipMove.GIVE_BACK, ChipMove.TAKE, ChipMove.PAY, ChipMove.LEAVE)
    box_by_box: bool = True
    """Each box is finished before the next, clockwise; otherwise each move goes round the table."""


# ---------------------------------------------------------------- the whole book


class Layout(Word, frozen=True):
    """The boxes of the felt."""

    rules: Rules
    boxes: int
    """Boxes of the largest layout."""


class Rulebook(Word, frozen=True, kw_only=True):
    """One document, declared."""

    document: Document
    currency: str
    layout: Layout
    bets: tuple[Bet, ...]
    limits: tuple[tuple[BetName, Limits], ...]
    jackpot_bet: Money
    opening: Rules
    announcements: tuple[tuple[str, Rules], ...]
    """What is shown or said at the table."""
    seating: Seating
    examining: Examining
    closing: Closing
    limiting: Limiting
    dealings: tuple[Dealing, ...]
    fold: Fold
    showdown: Showdown
    side_bets: tuple[SideBet, ...]
    not_shown: NotShown | None
    jackpot: Jackpot
    irregularities: tuple[Irregularity, ...]
    incidents: tuple[DeclaredIncident, ...] = ()
    """Incidents of this document alone, besides those of every rulebook."""
    options: tuple[tuple[str, Rules], ...] = ()
    """The rules of each option that a Player may have; only those of the chosen one are cited."""
    options_to_folded: bool = False
    """A folded Hand with a jackpot Bet in play is asked too."""
    options_folded_rules: Rules = ()
    options_unanswered: Rules = ()
    """What decides for a Player who is not there to choose."""
    void: Rules
    reopening: Rules
    minor_awards_wait: bool = False
    """Reading `post-settlement-window` b: only the shift manager unwinds a paid award of any kind."""
    late_error: Rules
    measures: Measures | None
    authority: Authority
    ranking: Rules
    """How Hands are ranked; `cards.ranking` does it."""
    other: Rules
    """Paragraphs that the order of play itself carries."""
    settling: SettlementOrder = SettlementOrder()
    readings: Readings

    @property
    def game(self) -> str:
        return self.document.id

    @property
    def edition(self) -> str:
        """The game with its version, such as `mbs-megalink-holdem@9`."""
        return self.document.edition

    def bet(self, name: BetName) -> Bet | None:
        return next((b for b in self.bets if b.name == name), None)

    def dealing(self, name: str) -> Dealing | None:
        return next((d for d in self.dealings if d.name == name), None)

    @property
    def known_incidents(self) -> tuple[DeclaredIncident, ...]:
        """Every incident that may be spoken of in this game, whether or not the document mentions it."""
        return (*INCIDENTS, *self.incidents)

    def incident(self, name: IncidentName) -> DeclaredIncident | None:
        return next((i for i in self.known_incidents if i.name == name), None)

    def words_of(self, incident: IncidentName) -> str:
        """Return an incident of this game in words."""
        declared = self.incident(incident)
        assert declared is not None, f"{self.game} has no incident {incident}"
        return declared.words

    def entries_of(self, incident: IncidentName) -> tuple[Irregularity, ...]:
        """Return what the document says of an incident; empty where it does not mention it."""
        return tuple(entry for entry in self.irregularities if entry.incident == incident)
