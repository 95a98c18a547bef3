"""The sentences of a strategy card, read as a person reads them.

Neither patterns nor tables behind the rules are used, so a sentence that says something else than the rule whose cost
stands beside it is found out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from croupier.lab.kernels.runtime.compiler import Ints

Yes = NDArray[np.bool_]
"""A truth value for each position."""

NAMES = "23456789TJQKA"
FACES, SUITS = len(NAMES), 4
NOTHING, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)
_UP_TO = {"no board card is": 0, "at most one board card is": 1}
_FROM_TWO = re.compile(
    r"(?:bet|call) with (?:(?P<ace>any ace)|(?P<high>\S+)-(?P<low>\S+) or higher)?"
    r"(?:(?:, or with )?(?P<pair>\S+)-(?P=pair) beside two pairs on the board)?"
)


class UnreadableRule(ValueError):
    """A sentence that the reader does not know."""


def bets(says: Iterable[str], own: Ints, board: Ints) -> Yes:
    """Return where the sentences of one decision bet: the first that fits decides.

    Cards are given by their places in the deck, a row for each position.
    """
    seen = _Seen(own, board)
    undecided = np.ones(len(own), bool)
    found = np.zeros(len(own), bool)
    for line in says:
        fits, bet = _read(line.removesuffix("."), seen)
        found |= undecided & fits & bet
        undecided &= ~fits
    return found


def folded_hands(says: str) -> frozenset[str]:
    """Read the starting hands of "Fold 32o, 42o; bet with every other hand."."""
    hands = re.fullmatch(r"Fold (.+); bet with every other hand\.", says)
    if hands is None:
        raise UnreadableRule(says)
    return frozenset() if hands[1] == "nothing" else frozenset(hands[1].split(", "))


def _read(line: str, seen: _Seen) -> tuple[Yes, Yes]:
    """Return where a sentence fits, and where it then bets."""
    everywhere = np.ones(seen.many, bool)
    when, colon, then = line.partition(": ")
    if not colon:
        what = re.fullmatch(r"(?:Bet|Call) with (.+)", line)
        if what is None:
            raise UnreadableRule(line)
        fits = np.zeros(seen.many, bool)
        for each in re.split(r", | or (?!better)", what[1]):
            fits |= seen.sight(each)
        return fits, everywhere
    if when == "Otherwise":
        return everywhere, _from(then, seen)
    what = re.fullmatch(r"With (.+)", when)
    if what is None:
        raise UnreadableRule(line)
    if what[1] == "a pair of your own":
        plain, _, threatened = then.partition("; on a threatening board ")
        up_to = np.where(seen.threatens, _higher(threatened or plain), _higher(plain))
        return seen.own_pair, seen.higher <= up_to
    return seen.sight(what[1]), _from(then, seen)


def _from(then: str, seen: _Seen) -> Yes:
    """Read "check", "fold" or "bet with any ace, or with K-K beside two pairs on the board"."""
    found = np.zeros(seen.many, bool)
    if then in ("check", "fold"):
        return found
    said = _FROM_TWO.fullmatch(then)
    if said is None or not any(said.groups()):
        raise UnreadableRule(then)
    if said["ace"]:
        found |= seen.high == _face("A")
    if said["high"]:
        high, low = _face(said["high"]), _face(said["low"])
        found |= (seen.high > high) | ((seen.high == high) & (seen.low >= low))
    if said["pair"]:
        found |= (seen.low == _face(said["pair"])) & (seen.high == seen.low) & seen.two_pairs_lie
    return found


def _face(name: str) -> int:
    return NAMES.index(name.replace("10", "T"))


def _higher(then: str) -> int:
    """Return up to how many higher board cards a pair is bet; -1 where never."""
    if then in ("check", "fold"):
        return -1
    if then.startswith("always "):
        return FACES
    for words, number in _UP_TO.items():
        if words in then:
            return number
    number_of = re.search(r"at most (\d+) board cards are higher", then)
    if number_of is None:
        raise UnreadableRule(then)
    return int(number_of[1])


class _Seen:
    """What a person sees of positions: own cards and board; a column for each position."""

    def __init__(self, own: Ints, board: Ints) -> None:
        self.many = len(own)
        self.own, self.board = _narrow(own.T), _narrow(board.T)
        self.all = _narrow(np.concatenate([self.own, self.board]))
        self.high = self.own.max(axis=0) // SUITS
        self.low = self.own.min(axis=0) // SUITS

    def sight(self, says: str) -> Yes:
        match says:
            case "two pairs or better of your own":
                return _yes(self._made_own & (self._rank >= TWO_PAIRS))
            case "a pair of your own or better":
                return self._made_own
            case "four to a flush":
                mine = _often(self.own % SUITS, SUITS) > 0
                return _yes(((_often(self.all % SUITS, SUITS) == 4) & mine).any(axis=0))
            case "an open straight draw":
                return self._completing >= 2
            case "any straight draw":
                return self._completing > 0
            case "a pair on the board":
                return self._board_rank >= PAIR
            case "a threatening board":
                return self.threatens
            case "a card below every board card":
                return _yes(self.low < self.board.min(axis=0) // SUITS)
            case "everything else":
                return np.ones(self.many, bool)
            case _:
                raise UnreadableRule(says)

    @cached_property
    def _rank(self) -> Ints:
        return _ranks(self.all)

    @cached_property
    def _board_rank(self) -> Ints:
        return _ranks(self.board)

    @property
    def two_pairs_lie(self) -> Yes:
        return _yes(self._board_rank == TWO_PAIRS)

    @cached_property
    def _made_own(self) -> Yes:
        """Return where the own cards lift the hand above the rank of the board alone."""
        return _yes(self._rank > self._board_rank)

    @cached_property
    def own_pair(self) -> Yes:
        return _yes(self._made_own & (self._rank == PAIR))

    @cached_property
    def higher(self) -> Ints:
        """Count board cards above the pair that the own cards make."""
        often = _often(self.all // SUITS, FACES)
        paired = FACES - 1 - np.argmax(often[::-1] >= 2, axis=0)
        return np.asarray((self.board // SUITS > paired).sum(axis=0), np.int64)

    @cached_property
    def threatens(self) -> Yes:
        """Return where the board has three of a suit that the own cards lack, or four to a straight."""
        lacking = _often(self.own % SUITS, SUITS) == 0
        suited = ((_often(self.board % SUITS, SUITS) >= 3) & lacking).any(axis=0)
        return _yes(suited | self._completed_on_board.any(axis=0))

    @cached_property
    def _completed_on_board(self) -> Yes:
        return _completed_by(_faces(self.board))

    @cached_property
    def _completing(self) -> Ints:
        """Count faces that would complete a straight, and not one of the board alone."""
        faces = _faces(self.all)
        found = _completed_by(faces) & ~self._completed_on_board & ~_straights()[faces]
        return np.asarray(found.sum(axis=0), np.int64)


def _yes(found: object) -> Yes:
    return np.asarray(found, np.bool_)


def _narrow(values: Ints) -> Ints:
    """Return values in sixteen bits: four times as many at once."""
    return cast(Ints, np.asarray(values, np.int16))


def _often(values: Ints, size: int) -> Ints:
    """Count how often each value comes in a position."""
    found = np.zeros((size, values.shape[1]), np.int8)
    for row in values:
        found += row == np.arange(size, dtype=np.int16)[:, None]
    return cast(Ints, found)


def _faces(cards: Ints) -> Ints:
    """Return the faces of each position, bit by bit."""
    return _narrow(np.bitwise_or.reduce(_bit(cards), axis=0))


def _bit(cards: Ints) -> Ints:
    return _narrow(1 << cards // SUITS)


@cache
def _straights() -> Yes:
    """Return which sets of faces hold a straight, the Ace high or low."""
    sets = np.arange(1 << FACES)
    found = sets & 0b1000000001111 == 0b1000000001111
    for low in range(FACES - 4):
        found |= sets >> low & 0b11111 == 0b11111
    return _yes(found)


def _completed_by(faces: Ints) -> Yes:
    """Return for each face and position whether that face beside the position's makes a straight."""
    return _yes(_straights()[faces | 1 << np.arange(FACES, dtype=np.int16)[:, None]])


def _ranks(cards: Ints) -> Ints:
    """Return what three to six cards make."""
    often = _often(cards // SUITS, FACES)
    pairs, threes = (often == 2).sum(axis=0), (often == 3).sum(axis=0)
    suited = _often(cards % SUITS, SUITS)
    flush = suited.max(axis=0) >= 5
    of_suit = cards % SUITS == np.argmax(suited, axis=0)
    suited_faces = np.bitwise_or.reduce(np.where(of_suit, _bit(cards), 0), axis=0)
    made = (
        (flush & _straights()[suited_faces], STRAIGHT_FLUSH),
        ((often == 4).any(axis=0), FOUR),
        ((threes == 2) | ((threes == 1) & (pairs > 0)), FULL_HOUSE),
        (flush, FLUSH),
        (_straights()[_faces(cards)], STRAIGHT),
        (threes > 0, THREE),
        (pairs >= 2, TWO_PAIRS),
        (pairs == 1, PAIR),
    )
    return np.asarray(np.select([where for where, _ in made], [rank for _, rank in made], NOTHING), np.int64)
