"""Which line of a pay table cards meet: Bonus patterns, Pair Plus ranks, jackpot awards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from croupier.cards import (
    Card,
    Rank,
    ThreeCardRank,
    best_five,
    face,
    five_card,
    holds,
    rank,
    slug,
    suit,
    three_card,
    three_card_rank,
)
from croupier.rulebooks.vocabulary import Award, HoleCards, SideBet, SideHand

ACE, KING, QUEEN, JACK = 14, 13, 12, 11
THREE_CARDS = SideHand.THREE_CARDS

_RANK_SLUGS = {r: slug(r) for r in Rank}
_THREE_CARD_SLUGS = {r: slug(r) for r in ThreeCardRank}
_IN_MORE_THAN_FIVE = (Rank.ROYAL_FLUSH, Rank.STRAIGHT_FLUSH, Rank.FOUR_OF_A_KIND)


def hole_cards(own: Sequence[Card], dealer: Sequence[Card] = ()) -> HoleCards | None:
    """Return the Bonus pattern of two Hole Cards; the Dealer's count only beside a pair of Aces."""
    high, low = sorted((face(own[0]), face(own[1])), reverse=True)
    if high == low:
        if high == ACE:
            both = len(dealer) == 2 and face(dealer[0]) == face(dealer[1]) == ACE
            return HoleCards.ACES_BOTH if both else HoleCards.ACES
        return HoleCards.HIGH_PAIR if high >= JACK else HoleCards.LOW_PAIR
    if high != ACE or low < JACK:
        return None
    suited = suit(own[0]) == suit(own[1])
    if low == KING:
        return HoleCards.ACE_KING_SUITED if suited else HoleCards.ACE_KING
    return HoleCards.ACE_QUEEN_OR_JACK_SUITED if suited else HoleCards.ACE_QUEEN_OR_JACK


def side_line(side: SideBet, own: Sequence[Card], dealer: Sequence[Card] = ()) -> str | None:
    """Return the line of a side Bet's table that these cards meet, whether or not the table lists it."""
    if side.on is THREE_CARDS:
        return _THREE_CARD_SLUGS[three_card_rank(three_card(own))]
    found = hole_cards(own, dealer)
    if found is None and side.dealer_alone_pays and len(dealer) == 2:
        found = hole_cards(dealer)
    return None if found is None else found.value


def awards_made(awards: Iterable[Award], own: Sequence[Card], community: Sequence[Card]) -> list[Award]:
    """Return the awards that these cards make; cards that several lines look at are ranked once."""
    best: dict[tuple[bool, int], int] = {}
    made = []
    for award in awards:
        looks_at = (award.own, award.community)
        if looks_at not in best:
            cards = (*(own if award.own else ()), *community[: award.community])
            best[looks_at] = rank(best_five(cards)) if len(community) >= award.community else -1
        if best[looks_at] >= award.rank and meets(award, own, community):
            made.append(award)
    return made


def meets(award: Award, own: Sequence[Card], community: Sequence[Card]) -> bool:
    """Return whether these cards make the award; too few Community Cards never do."""
    shown = tuple(community[: award.community])
    if len(shown) < award.community:
        return False
    cards = (*own, *shown) if award.own else shown
    if award.any_five and award.rank in _IN_MORE_THAN_FIVE:
        made = holds(award.rank, cards)
    else:
        made = rank(best_five(cards)) == award.rank
    if made and award.with_own_card and len(shown) == 5:
        return best_five(cards) > five_card(shown)
    return made
