"""Whether an outcome is established (reading `outcome-established`).

A Bet is conclusive when its result is the same for every assignment of the cards that do not lie face up; what a Player
has seen in private does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, product

from croupier.cards import DECK, Card, Rank, face, suit
from croupier.rounds.settlement import beats_dealer
from croupier.rounds.state import LIVE, Box, HandStands, Round, Stage
from croupier.rulebooks.pay_lines import meets
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET, Award, HandKind, Place

_STRAIGHTS = [tuple(range(top, top - 5, -1)) for top in range(14, 5, -1)] + [(5, 4, 3, 2, 14)]


def outcome_established(terms: Terms, state: Round) -> bool:
    """Return whether any Bet of the Round has conclusively won or lost; one such Bet keeps the Round alive."""
    if state.stage is not Stage.PLAYING:
        return state.stage is Stage.SETTLED
    return any(_box_has_conclusive_bet(terms, state, box) for box in state.boxes if box.stakes)


def _box_has_conclusive_bet(terms: Terms, state: Round, box: Box) -> bool:
    if box.stands is HandStands.FOLDED:
        return True
    if box.stands is not LIVE:
        return False
    refusal = terms.book.not_shown
    if box.refused and refusal is not None and not refusal.proving_restores:
        return True  # announced, and nothing that comes later saves the Ante
    if box.face_up and any(box.has(side.bet) for side in terms.book.side_bets):
        return True
    if any(bet.box == box.number for bet in state.jackpot_bets) and _jackpot_is_decided(terms, state, box):
        return True
    return bool(state.dealer) and box.has(ANTE_BET) and _comparison_is_decided(terms, state, box)


# ---------------------------------------------------------------- the jackpot Bet


def _jackpot_is_decided(terms: Terms, state: Round, box: Box) -> bool:
    if not box.has(JACKPOT_BET):
        return False
    own = box.cards if box.face_up else ()
    known = [award for award in terms.book.jackpot.awards if not award.own or own]
    if any(meets(award, own, state.community) for award in known):
        return True
    if any(_lies_already(award, state) for award in terms.book.jackpot.awards):
        return True
    unseen = _unseen(state)
    return not any(_possible(award, own, state, unseen, terms) for award in terms.book.jackpot.awards)


def _lies_already(award: Award, state: Round) -> bool:
    """Return whether the Community Cards already win this award, as only four of a kind there does."""
    faces = [face(card) for card in state.community[: award.community]]
    four = award.rank is Rank.FOUR_OF_A_KIND and not award.with_own_card
    return four and any(faces.count(value) == 4 for value in faces)


def _possible(award: Award, own: Sequence[Card], state: Round, unseen: Sequence[Card], terms: Terms) -> bool:
    """Return whether some assignment of the hidden cards makes this award."""
    shown = state.community[: award.community]
    hidden_own = 0 if own or not award.own else terms.dealing.cards_to(Place.BOXES)
    free = hidden_own + award.community - len(shown)
    base = (*own, *shown) if award.own else shown
    if award.rank in (Rank.ROYAL_FLUSH, Rank.STRAIGHT_FLUSH):
        return _straight_flush_possible(award.rank, base, free, unseen)
    if award.rank is Rank.FOUR_OF_A_KIND:
        return _quads_possible(base, free, unseen)
    if free > 3:
        return True  # with so much unknown a straight, a flush and a full house can always come
    if not award.own:
        return any(meets(award, (), (*shown, *rest)) for rest in combinations(unseen, free))
    for rest in combinations(unseen, free):
        cards = (*rest[:hidden_own], *own)
        if meets(award, cards, (*shown, *rest[hidden_own:])):
            return True
    return False


def _straight_flush_possible(wanted: Rank, base: Iterable[Card], free: int, unseen: Iterable[Card]) -> bool:
    have, may_come = set(base), set(unseen)
    for color in "cdhs":
        for faces in _STRAIGHTS:
            if (faces[0] == 14) != (wanted is Rank.ROYAL_FLUSH):
                continue
            needed = {card for card in DECK if suit(card) == color and face(card) in faces}
            missing = needed - have
            if len(missing) <= free and missing <= may_come:
                return True
    return False


def _quads_possible(base: Iterable[Card], free: int, unseen: Iterable[Card]) -> bool:
    have, may_come = set(base), set(unseen)
    for value in range(2, 15):
        missing = {card for card in DECK if face(card) == value} - have
        if len(missing) <= free and missing <= may_come:
            return True
    return False


# ---------------------------------------------------------------- Bets against the Dealer


def _comparison_is_decided(terms: Terms, state: Round, box: Box) -> bool:
    """Return whether all of the Player's possible Hands win against the Dealer's turned cards, or all lose.

    While the Dealer's cards are hidden as well, the two Hands could change places, so the result is open.
    """
    counting = terms.dealing.cards_to(Place.COMMUNITY) if terms.book.showdown.hand is HandKind.BEST_FIVE else 0
    board = max(0, counting - len(state.community))
    own = box.cards if box.face_up else ()
    hidden_own = 0 if own else terms.dealing.cards_to(Place.BOXES)
    unseen = _unseen(state)
    results = set()
    # Five hidden cards have a million and a half assignments; straight flushes first show soon that some of them win.
    first = _straight_flushes(unseen) if hidden_own == 5 else ()
    for rest in chain(first, combinations(unseen, hidden_own + board)):
        hand = own or rest[:hidden_own]
        result = beats_dealer(terms, hand, state.dealer, (*state.community, *rest[hidden_own:]))
        results.add(result)
        if result is None or len(results) > 1:
            return False
    return True


def _straight_flushes(unseen: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    for color, faces in product("cdhs", _STRAIGHTS):
        cards = tuple(card for card in unseen if suit(card) == color and face(card) in faces)
        if len(cards) == len(faces):
            yield cards


def _unseen(state: Round) -> tuple[Card, ...]:
    face_up = {*state.community, *state.dealer}
    for other in state.boxes:
        if other.face_up:
            face_up.update(other.cards)
    return tuple(card for card in DECK if card not in face_up)
