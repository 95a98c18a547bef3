"""The words of section 5: what may go wrong, under which conditions, what follows, and who decides."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal, TypeAlias

from croupier.rulebooks.words import BetName, Role, Rules, Word

IncidentName: TypeAlias = str
"""A slug, such as `cards_exposed`."""


class Incident:
    """Names of the incidents of every rulebook; a rulebook may declare others."""

    WALKED_AWAY: Final = "walked_away"
    NOT_REVEALED: Final = "not_revealed"
    WRONG_SIZE: Final = "wrong_size"
    OUTSIDE_LIMITS: Final = "outside_limits"
    FOREIGN_CARD: Final = "foreign_card"
    DECK_COUNT: Final = "deck_count"
    SHOE_EXHAUSTED: Final = "shoe_exhausted"
    UNSHUFFLED: Final = "unshuffled"
    CARDS_EXPOSED: Final = "cards_exposed"
    MISDEALT: Final = "misdealt"
    WRONG_COMMUNITY_COUNT: Final = "wrong_community_count"
    WRONG_DEALER_COUNT: Final = "wrong_dealer_count"
    WRONG_BOX_COUNT: Final = "wrong_box_count"
    BURN_MISSED: Final = "burn_missed"
    DEALING_ERROR: Final = "dealing_error"
    FACE_UP_IN_SHOE: Final = "face_up_in_shoe"
    SIMULTANEOUS_DRAW: Final = "simultaneous_draw"
    TECHNICAL_INTERRUPTION: Final = "technical_interruption"
    JACKPOT_MALFUNCTION: Final = "jackpot_malfunction"
    EXTRA_HAND_EXAMINED: Final = "extra_hand_examined"
    CONTROLS_MULTIPLE_HANDS: Final = "controls_multiple_hands"
    NOT_CONFIDENTIAL: Final = "not_confidential"
    RULES_BREACH: Final = "rules_breach"
    LATE_ERROR: Final = "late_error"
    UNCOVERED: Final = "uncovered"


FactName: TypeAlias = Literal[
    "boxes", "player", "count", "dealer", "community", "reconstructible", "affected", "correct", "text"
]
"""A field of the report that says more about an incident."""
RequiredFact: TypeAlias = Literal["boxes", "player", "count", "affected", "text"]
"""A fact without which a report may be refused. Of the others, the Round waits for `reconstructible`, and the rest are
false where the report does not say them."""


class Moment(StrEnum):
    """When an incident may be reported."""

    BEFORE_CARDS = "before_cards"
    """A Round is open, and no card of it has been dealt."""
    WITH_CARDS = "with_cards"
    """Cards have been dealt, and the Round is not over."""
    AFTER_ROUND = "after_round"
    """The Round is settled or void, and the next one is not open."""


class Noticed(StrEnum):
    """How the program learns of an incident."""

    BY_REPORT = "by_report"
    IN_PLAY = "in_play"
    """A step of play says it, so no person reports it."""
    AT_SETTLEMENT = "at_settlement"
    """The settlement finds it; where a document speaks of it, it is not in section 5."""


class DeclaredIncident(Word, frozen=True):
    """What may go wrong: its name, its words, and everything about a report of it."""

    name: IncidentName
    words: str
    facts: tuple[FactName, ...] = ()
    """What a report of it states."""
    required: tuple[RequiredFact, ...] = ()
    """Facts without which the report is refused. A required box holds a Hand, a required Player has a Bet."""
    moments: tuple[Moment, ...] = (Moment.BEFORE_CARDS, Moment.WITH_CARDS, Moment.AFTER_ROUND)
    noticed: Noticed = Noticed.BY_REPORT


_DEALT = (Moment.WITH_CARDS, Moment.AFTER_ROUND)
_AT_SETTLEMENT = Noticed.AT_SETTLEMENT

# fmt: off
INCIDENTS = (
    DeclaredIncident(Incident.WALKED_AWAY, "A player walked away with a decision to make", noticed=Noticed.IN_PLAY),
    DeclaredIncident(Incident.NOT_REVEALED, "A hand was not shown", noticed=_AT_SETTLEMENT),
    DeclaredIncident(Incident.WRONG_SIZE, "A decision bet of the wrong size was found at the settlement",
                     noticed=_AT_SETTLEMENT),
    DeclaredIncident(Incident.OUTSIDE_LIMITS, "A bet outside the limits was found at the settlement",
                     noticed=_AT_SETTLEMENT),
    DeclaredIncident(Incident.FOREIGN_CARD, "A card that is not of the deck was found"),
    DeclaredIncident(Incident.DECK_COUNT, "The number of cards in the deck was doubted", ("correct",)),
    DeclaredIncident(Incident.SHOE_EXHAUSTED, "The cards ran out"),
    DeclaredIncident(Incident.UNSHUFFLED, "The cards were not shuffled"),
    DeclaredIncident(Incident.CARDS_EXPOSED, "The Dealer exposed cards during the deal",
                     ("count", "boxes", "dealer", "community"), moments=_DEALT),
    DeclaredIncident(Incident.MISDEALT, "Cards went to wrong places", ("boxes", "reconstructible"), moments=_DEALT),
    DeclaredIncident(Incident.WRONG_COMMUNITY_COUNT, "The number of community cards is wrong",
                     ("reconstructible",), moments=_DEALT),
    DeclaredIncident(Incident.WRONG_DEALER_COUNT, "The number of the Dealer's cards is wrong",
                     ("reconstructible",), moments=_DEALT),
    DeclaredIncident(Incident.WRONG_BOX_COUNT, "A hand has the wrong number of cards",
                     ("boxes", "reconstructible", "affected"), required=("boxes",), moments=_DEALT),
    DeclaredIncident(Incident.BURN_MISSED, "A burn was missed", ("reconstructible",), moments=_DEALT),
    DeclaredIncident(Incident.DEALING_ERROR, "There was a dealing error", ("boxes", "reconstructible"), moments=_DEALT),
    DeclaredIncident(Incident.FACE_UP_IN_SHOE, "A card lay face up in the shoe"),
    DeclaredIncident(Incident.SIMULTANEOUS_DRAW, "Cards were drawn together and their order is unknown",
                     ("boxes",), moments=_DEALT),
    DeclaredIncident(Incident.TECHNICAL_INTERRUPTION, "A technical interruption stopped the round"),
    DeclaredIncident(Incident.JACKPOT_MALFUNCTION, "The jackpot system is out of order"),
    DeclaredIncident(Incident.EXTRA_HAND_EXAMINED, "A player looked at a further hand",
                     ("boxes",), required=("boxes",), moments=_DEALT),
    DeclaredIncident(Incident.CONTROLS_MULTIPLE_HANDS, "A player controls several hands by error",
                     ("player",), required=("player",)),
    DeclaredIncident(Incident.NOT_CONFIDENTIAL, "A player did not keep his hand to himself",
                     ("player",), required=("player",)),
    DeclaredIncident(Incident.RULES_BREACH, "A player broke the rules of the game", ("player",), required=("player",)),
    DeclaredIncident(Incident.LATE_ERROR, "An error of an earlier round was noticed"),
    DeclaredIncident(Incident.UNCOVERED, "Something happened that the rules do not cover", ("text",)),
)
# fmt: on
"""Incidents of every rulebook."""


class When(StrEnum):
    """Conditions the state or the report knows; `rounds` gives each its meaning once. Each has its opposite."""

    DECISIONS_REMAIN = "decisions_remain"
    NO_DECISIONS_REMAIN = "no_decisions_remain"
    FIRST_DECISION_REMAINS = "first_decision_remains"
    FIRST_DECISION_MADE = "first_decision_made"
    ONE_CARD = "one_card"
    TWO_OR_MORE = "two_or_more"
    EXPOSED_BEFORE = "exposed_before"
    """Another card was reported as exposed earlier in this deal (reading `exposures-add-up` b)."""
    NONE_EXPOSED_BEFORE = "none_exposed_before"
    PLAYER_HAS_SEEN = "player_has_seen"
    NO_PLAYER_HAS_SEEN = "no_player_has_seen"
    SEEN_OR_FACE_UP = "seen_or_face_up"
    """A Player has looked at their cards, or the Dealer has turned any card (reading `jackpot-fault` f+h)."""
    NOTHING_SEEN_OR_FACE_UP = "nothing_seen_or_face_up"
    SEEN_FACE_UP_OR_EXPOSED = "seen_face_up_or_exposed"
    """The same, or a card of this deal was exposed by accident (reading `jackpot-fault` f+g)."""
    NOTHING_SEEN_FACE_UP_OR_EXPOSED = "nothing_seen_face_up_or_exposed"
    JACKPOT_BETS_LIE = "jackpot_bets_lie"
    NO_JACKPOT_BETS_LIE = "no_jackpot_bets_lie"
    PLAYER_HAS_HANDLED = "player_has_handled"
    NO_PLAYER_HAS_HANDLED = "no_player_has_handled"
    FLOP_TURNED = "flop_turned"
    FLOP_NOT_TURNED = "flop_not_turned"
    RECONSTRUCTIBLE = "reconstructible"
    NOT_RECONSTRUCTIBLE = "not_reconstructible"
    OUTCOME_ESTABLISHED = "outcome_established"
    NO_OUTCOME_ESTABLISHED = "no_outcome_established"
    COUNT_PROVED_RIGHT = "count_proved_right"
    COUNT_WRONG = "count_wrong"
    A_HAND_WAS_VIEWED = "a_hand_was_viewed"
    NO_HAND_WAS_VIEWED = "no_hand_was_viewed"
    BOX_CARD = "box_card"
    DEALER_OR_COMMUNITY_CARD = "dealer_or_community_card"
    HAND_CARD = "hand_card"
    """A card of a Player's or of the Dealer's Hand is among them."""
    COMMUNITY_CARDS_ONLY = "community_cards_only"


OPPOSITE = {
    When.NO_DECISIONS_REMAIN: When.DECISIONS_REMAIN,
    When.FIRST_DECISION_MADE: When.FIRST_DECISION_REMAINS,
    When.ONE_CARD: When.TWO_OR_MORE,
    When.NONE_EXPOSED_BEFORE: When.EXPOSED_BEFORE,
    When.NO_PLAYER_HAS_SEEN: When.PLAYER_HAS_SEEN,
    When.NOTHING_SEEN_OR_FACE_UP: When.SEEN_OR_FACE_UP,
    When.NOTHING_SEEN_FACE_UP_OR_EXPOSED: When.SEEN_FACE_UP_OR_EXPOSED,
    When.NO_PLAYER_HAS_HANDLED: When.PLAYER_HAS_HANDLED,
    When.NOT_RECONSTRUCTIBLE: When.RECONSTRUCTIBLE,
    When.NO_OUTCOME_ESTABLISHED: When.OUTCOME_ESTABLISHED,
    When.COUNT_WRONG: When.COUNT_PROVED_RIGHT,
    When.NO_HAND_WAS_VIEWED: When.A_HAND_WAS_VIEWED,
    When.BOX_CARD: When.DEALER_OR_COMMUNITY_CARD,
    When.HAND_CARD: When.COMMUNITY_CARDS_ONLY,
    When.FLOP_NOT_TURNED: When.FLOP_TURNED,
    When.NO_JACKPOT_BETS_LIE: When.JACKPOT_BETS_LIE,
}
"""The conditions that hold where another one does not."""


class Whom(StrEnum):
    """Whose boxes a consequence touches."""

    ALL = "all"
    REPORTED = "reported"
    """The boxes named in the report."""
    OTHERS_AFFECTED = "others_affected"
    """Other boxes that staff mark as affected."""
    WITH_JACKPOT_BET = "with_jackpot_bet"
    OF_PLAYER = "of_player"
    UNVIEWED_OF_PLAYER = "unviewed_of_player"
    ALL_BUT_FIRST_DEALT_OF_PLAYER = "all_but_first_dealt_of_player"


class VoidRound(Word, frozen=True, tag="void"):
    """The Round is void: every Bet of it goes back."""


class Continue(Word, frozen=True, tag="continue"):
    """The Round goes on as it lies."""


class FoldHand(Word, frozen=True, tag="fold"):
    """The Hand counts as folded."""


class CheckHand(Word, frozen=True, tag="check"):
    """The Hand is deemed to have checked whatever is left to choose."""


class InvalidateHand(Word, frozen=True, tag="invalidate"):
    """The Hand is out of the Round and its Bets go back."""

    whom: Whom
    then: OfferOptions | None = None
    lost: tuple[BetName, ...] = ()
    """Bets that still lose."""
    settled: tuple[BetName, ...] = ()
    """Bets that are still settled on the cards."""
    fold_stands: bool = False
    """What a fold has lost stays lost: a Player's own act does not take it back."""


class ForfeitBets(Word, frozen=True, tag="forfeit"):
    """Every Bet of the Player is lost, and no award is paid on them."""

    whom: Whom


class OfferOptions(Word, frozen=True, tag="options"):
    """Players choose: continue (or continue with the reconstructed Hand), or take their Bets back."""

    to: Whom
    options: tuple[str, ...]
    """`continue` is offered where the cards cannot be reconstructed, `reconstructed` where they can."""
    rules: Rules = ()
    withdraws_all: bool = False
    """A Player who takes Bets back takes back all of them, on every box."""


class AskRuling(Word, frozen=True, tag="ruling"):
    """A person of this role or above decides; each answer has its consequence."""

    role: Role
    answers: tuple[tuple[str, Consequence], ...]


class Redeal(Word, frozen=True, tag="redeal"):
    """Everything is dealt again from a new shuffle; Bets placed before the deal stay, Calls come back."""


class FreezeMeter(Word, frozen=True, tag="freeze"):
    """The Round goes on; its awards are paid from the meter as registered before the fault."""

    suspends_jackpot_bets: bool = True
    """No jackpot Bet is accepted at the table until the House restores them."""


Consequence: TypeAlias = (
    VoidRound
    | Continue
    | FoldHand
    | CheckHand
    | InvalidateHand
    | ForfeitBets
    | OfferOptions
    | AskRuling
    | Redeal
    | FreezeMeter
)


class Irregularity(Word, frozen=True):
    """One paragraph of section 5: this incident, under these conditions, has this consequence."""

    rules: Rules
    incident: IncidentName
    then: Consequence
    when: tuple[When, ...] = ()
    word_of: Role = Role.PIT_SUPERVISOR
    """The least role that may say whether the cards can be reconstructed."""
    reopens: bool = False
    """Noticed between settlement and the next round, it still unwinds the round."""


class Measures(Word, frozen=True):
    """What the House may do after a jackpot fault."""

    by: Role
    rules: Rules
    close_table: Rules
    disallow_box: Rules
    no_jackpot_bets: Rules


class Authority(Word, frozen=True):
    """Who decides what no paragraph covers, and other powers."""

    uncovered: Rules
    uncovered_by: Role
    payment_order: Rules
    payment_order_by: Role
    stop_player_by: Role | None = None
    stop_player: Rules = ()
    prohibited: Rules = ()
    """What keeps a barred or stopped Player from betting again."""
    bars_in_the_house: bool = False
    """The ruling bars the Player from every table of the operator in the house, not only from this one."""
    fold_ruling: Rules = ()
