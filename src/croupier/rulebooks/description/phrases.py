"""Declared values in plain words, for comparisons and pages of rulebooks."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.money import Money, display
from croupier.money import currency as currency_of
from croupier.rulebooks.citation import Para
from croupier.rulebooks.incidents import Moment
from croupier.rulebooks.vocabulary import (
    AcrossTables,
    Compare,
    Deal,
    DealingStep,
    Decision,
    HandKind,
    PartialAward,
    Participants,
    Place,
    PoolOf,
    Role,
    Rulebook,
    Rules,
    SameTable,
    ShareFloor,
    SideHand,
    Turn,
    When,
    Whom,
)

NOTHING = "—"
"""Printed where a document is silent."""
HANDS = {
    HandKind.BEST_FIVE: "best five of seven cards",
    HandKind.THREE_CARDS: "three cards",
    HandKind.FIVE_CARDS: "five cards",
}
SIDE_HANDS = {SideHand.HOLE_CARDS: "the two Hole Cards", SideHand.THREE_CARDS: "the player's three cards"}
PLACES = {
    Place.BOXES: "each box",
    Place.DEALER: "the Dealer",
    Place.COMMUNITY: "the community",
    Place.BURN: "the discards",
}
SAME_TABLE = {
    SameTable.CLOCKWISE: "clockwise, each from what the one before left on the meter",
    SameTable.ROYAL_LAST: "a royal flush last, the others clockwise",
    SameTable.POOLED_ROYAL_LAST: "straight flushes pooled and shared equally, a royal flush last",
    SameTable.NONE_NEEDED: "none needed",
}
POOLS = {
    PoolOf.RUNNING_METER: "each winner adds a share of the meter as it then stands",
    PoolOf.RESET_VALUE: "each further winner adds a share of the reset value",
    PoolOf.ONCE: "one share for all of them together",
}
ACROSS = {
    AcrossTables.BY_TIME_DEALT: "by the time at which the hands were dealt",
    AcrossTables.BY_ENTRY: "in the order of entry",
}
PARTIAL = {
    PartialAward.LOWERS: "lowers the meter by what is paid",
    PartialAward.RESETS: "sets the meter back to its reset value",
    PartialAward.LOWERS_TO_RESET_VALUE: "lowers the meter, but not below its reset value",
}
PARTICIPANTS = {
    Participants.EVERY_JACKPOT_BET: "every jackpot bet of the round, folded or not",
    Participants.CALLED_HANDS: "hands that were not folded",
}
FLOORS = {ShareFloor.HOUSE: "by the House", ShareFloor.METER: "from the meter"}
WHOM = {
    Whom.ALL: "all boxes",
    Whom.REPORTED: "the box concerned",
    Whom.OTHERS_AFFECTED: "other affected boxes",
    Whom.WITH_JACKPOT_BET: "boxes with a jackpot bet",
    Whom.OF_PLAYER: "the player's boxes",
    Whom.UNVIEWED_OF_PLAYER: "the player's hands not looked at",
    Whom.ALL_BUT_FIRST_DEALT_OF_PLAYER: "the player's hands but the first dealt",
}
MOMENTS = {
    Moment.BEFORE_CARDS: "before cards are dealt",
    Moment.WITH_CARDS: "while cards are in play",
    Moment.AFTER_ROUND: "after the round",
}
WHEN = {
    When.PLAYER_HAS_SEEN: "a player has looked",
    When.NO_PLAYER_HAS_SEEN: "no player has looked",
    When.PLAYER_HAS_HANDLED: "a player has handled cards",
    When.NO_PLAYER_HAS_HANDLED: "no player has handled cards",
    When.SEEN_OR_FACE_UP: "a player has looked or the Dealer has turned a card",
    When.NOTHING_SEEN_OR_FACE_UP: "no player has looked and the Dealer has turned no card",
    When.SEEN_FACE_UP_OR_EXPOSED: "a player has looked or a card lies face up",
    When.NOTHING_SEEN_FACE_UP_OR_EXPOSED: "no player has looked and no card lies face up",
    When.TWO_OR_MORE: "two or more cards",
    When.EXPOSED_BEFORE: "another was exposed before it",
    When.NONE_EXPOSED_BEFORE: "none was exposed before it",
    When.BOX_CARD: "of a box",
    When.DEALER_OR_COMMUNITY_CARD: "of the Dealer or the community",
    When.HAND_CARD: "of a player's or the Dealer's hand",
    When.COMMUNITY_CARDS_ONLY: "of the community alone",
}
_DEALT_TO = {
    Place.BOXES: "each box clockwise",
    Place.DEALER: "the Dealer",
    Place.COMMUNITY: "the community",
    Place.BURN: "the burnt cards",
}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")


def titled(bet: str) -> str:
    return f"{'an' if bet[0] in 'aeiou' else 'a'} {bet.replace('_', ' ').title()}"


def words(name: str) -> str:
    return name.replace("_", " ")


def conditions_in_words(conditions: Iterable[When]) -> str:
    return " and ".join(WHEN.get(when, words(when.value)) for when in conditions)


def listed(names: Iterable[str]) -> str:
    return ", ".join(map(words, names))


def yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def who(role: Role | None) -> str:
    if role is None:
        return NOTHING
    return f"{role.title} or above" if role is not Role.SHIFT_MANAGER else role.title


def uncovered(book: Rulebook) -> str:
    return f"(no paragraph: {who(book.authority.uncovered_by)})"


def amount_in_words(book: Rulebook, amount: Money) -> str:
    return display(amount, currency_of(book.currency))


def once(rules: Iterable[Para]) -> Rules:
    return tuple(dict.fromkeys(rules))


def step_in_words(step: DealingStep) -> str:
    """Say what the Dealer does in this step."""
    match step:
        case Deal(order=(Place.BURN,), each=each):
            return f"Burn {_cards(each)}"
        case Deal(order=order, each=each, times=times):
            places = ", then to ".join(_DEALT_TO[place] for place in order)
            return f"Deal {_cards(each)} to {places}{_times(times)}"
        case Turn(dealer=True):
            return "Turn the Dealer's cards"
        case Turn(community=community):
            return f"Turn the community cards, {_cards(community)} in all"
        case Decision():
            return f"Each box decides: {' or '.join(step.choices)}"
        case Compare():
            return "Show the hands, compare and settle box by box"


def _cards(count: int) -> str:
    return f"{_number(count)} card{'' if count == 1 else 's'}"


def _times(count: int) -> str:
    if count == 1:
        return ""
    return ", twice over" if count == 2 else f", {_number(count)} times over"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)
