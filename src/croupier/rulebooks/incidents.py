"""The words of section 5: what may go wrong, under which conditions, what follows, and who decides."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from croupier.rulebooks.words import BetName, Role, Rules, Word


class Incident(StrEnum):
    """What may go wrong, as the person at the table reports it."""

    WALKED_AWAY = "walked_away"
    NOT_REVEALED = "not_revealed"
    WRONG_SIZE = "wrong_size"
    OUTSIDE_LIMITS = "outside_limits"
    FOREIGN_CARD = "foreign_card"
    DECK_COUNT = "deck_count"
    SHOE_EXHAUSTED = "shoe_exhausted"
    UNSHUFFLED = "unshuffled"
    CARDS_EXPOSED = "cards_exposed"
    MISDEALT = "misdealt"
    WRONG_COMMUNITY_COUNT = "wrong_community_count"
    WRONG_DEALER_COUNT = "wrong_dealer_count"
    WRONG_BOX_COUNT = "wrong_box_count"
    BURN_MISSED = "burn_missed"
    DEALING_ERROR = "dealing_error"
    FACE_UP_IN_SHOE = "face_up_in_shoe"
    SIMULTANEOUS_DRAW = "simultaneous_draw"
    TECHNICAL_INTERRUPTION = "technical_interruption"
    JACKPOT_MALFUNCTION = "jackpot_malfunction"
    EXTRA_HAND_EXAMINED = "extra_hand_examined"
    CONTROLS_MULTIPLE_HANDS = "controls_multiple_hands"
    NOT_CONFIDENTIAL = "not_confidential"
    RULES_BREACH = "rules_breach"
    LATE_ERROR = "late_error"
    UNCOVERED = "uncovered"


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
    incident: Incident
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
