"""Awards counted again without the kernels: deals by pattern, one of each judged by `meets`, paid in money.

A product of a few binomials says how many deals are of a pattern. Only the choices come from the solved game.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import msgspec

from croupier.cards import DECK, Card, Rank, best_five, rank
from croupier.lab.model.card_places import PLACE
from croupier.lab.model.game import Game, Structure
from croupier.lab.solve import holdem
from croupier.lab.solve.solution import Solution
from croupier.money import Fixed, ForOne, ShareOfMeter
from croupier.rulebooks.pay_lines import meets
from croupier.rulebooks.vocabulary import Award, Jackpot, Participants

FACES, SUITS, FLUSH, FLOP, BOARD, HOLE = 13, 4, 5, 3, 5, 2
OF_OTHER_SUITS = 39
ORDERS = 20
"""Ways to choose which of five Community Cards were the Turn and the River Card."""

COUNTED = "every deal sorted on paper, judged by the rulebook, paid in money"
"""How this way is named beside a figure."""

Lines = frozenset[str]
"""Awards that a deal makes and its Hand may claim, by name."""
AwardChances = Mapping[Lines, Fraction]
"""Probability of each set of awards."""

Cards = tuple[Card, ...]


def _card(face: int, suit: int) -> Card:
    return DECK[SUITS * face + suit]


# ---------------------------------------------------------------- which awards deals make


def award_chances(solved: Solution) -> AwardChances:
    """Return how likely a round of the best play may claim each set of awards."""
    game = solved.game
    book = game.terms.book.jackpot
    own = 3 if game.structure is Structure.THREE_CARDS else HOLE
    if all(award.own and award.community + own == FLUSH for award in book.awards) and not book.folded_community_only:
        return _made_of(book.awards, own, FLUSH)
    if game.structure is Structure.STREETS:
        return _by_starting_hand(solved, book)
    return _beside_the_board(game, book)


def _made_of(awards: Iterable[Award], own: int, size: int) -> dict[Lines, Fraction]:
    """Return awards on own cards with others, `size` cards in all, over every pattern of that many cards."""
    found: Counter[Lines] = Counter()
    for ways, cards in card_patterns(size):
        found[frozenset(each.hand for each in awards if meets(each, cards[:own], cards[own:]))] += ways
    return {lines: Fraction(ways, comb(len(DECK), size)) for lines, ways in found.items()}


@cache
def card_patterns(size: int) -> tuple[tuple[int, Cards], ...]:
    """Return one of each pattern of five or seven cards, and how many are of it: the faces where no five are of a suit,
    else the faces of that suit.
    """
    found = []
    for faces in combinations_with_replacement(range(FACES), size):
        often = Counter(faces)
        if max(often.values()) <= SUITS:
            # Taking the suits in turn, no card comes twice and no suit five times.
            cards = tuple(_card(face, at % SUITS) for at, face in enumerate(faces))
            found.append((_mixed(tuple(sorted(often.values()))), cards))
    for of_suit in range(FLUSH, size + 1):
        others = tuple(_card(at, 1 + at) for at in range(size - of_suit))
        ways = SUITS * comb(OF_OTHER_SUITS, size - of_suit)
        suited = (tuple(_card(face, 0) for face in faces) for faces in combinations(range(FACES), of_suit))
        found += [(ways, (*cards, *others)) for cards in suited]
    assert sum(ways for ways, _ in found) == comb(len(DECK), size)
    return tuple(found)


@cache
def _mixed(often: tuple[int, ...]) -> int:
    """Return the ways to give suits to faces of these frequencies, without five of one suit."""
    suited = 0
    for count in range(FLUSH, len(often) + 1):
        for chosen in combinations(range(len(often)), count):
            suited += prod(comb(SUITS - 1, times - (at in chosen)) for at, times in enumerate(often))
    return prod(comb(SUITS, times) for times in often) - SUITS * suited


# ---------------------------------------------------------------- two Hole Cards and every Community Card


def _by_starting_hand(solved: Solution, book: Jackpot) -> AwardChances:
    """Return awards by streets: each starting hand with every pattern of board that makes four of a kind or more."""
    assert all(award.rank >= Rank.FOUR_OF_A_KIND and not award.shared for award in book.awards)
    found: defaultdict[Lines, Fraction] = defaultdict(Fraction)
    whole = comb(len(DECK) - HOLE, BOARD) * ORDERS
    for hand in solved.hands:
        awards = tuple(each for each in book.awards if hand.played or not (book.folded_community_only and each.own))
        counts: Counter[Lines] = Counter()
        for ways, board in high_boards(hand.cards):
            for orders, lines in _in_any_order(awards, hand.cards, board):
                counts[lines] += ways * orders
        counts[frozenset()] += whole - sum(counts.values())
        for lines, ways in counts.items():
            found[lines] += Fraction(hand.ways * ways, comb(len(DECK), HOLE) * whole)
    return found


def high_boards(own: Cards) -> Iterator[tuple[int, Cards]]:
    """Yield boards with which these Hole Cards hold four of a kind or a straight flush: one of each pattern, and how
    many.
    """
    held = Counter(PLACE[card] // SUITS for card in own)
    for face in range(FACES):
        # The others in any number; suits do not matter beside four of a kind.
        need = tuple(card for card in DECK[SUITS * face : SUITS * (face + 1)] if card not in own)
        kinds = [each for each in range(FACES) if each != face]
        for others in combinations_with_replacement(kinds, BOARD - len(need)):
            often = Counter(others)
            ways = prod(comb(SUITS - held[each], times) for each, times in often.items())
            if ways:
                yield ways, (*need, *_of_faces(often, own))
    for suit in range(SUITS):
        mine = {PLACE[card] // SUITS for card in own if PLACE[card] % SUITS == suit}
        left = OF_OTHER_SUITS - (HOLE - len(mine))
        beside = [card for card in DECK if card not in own and PLACE[card] % SUITS != suit]
        for faces in _runs():
            room = BOARD - len(faces) + len(mine)
            if room >= 0 and mine <= faces:
                yield comb(left, room), (*(_card(face, suit) for face in faces - mine), *beside[:room])


def _of_faces(often: Mapping[int, int], own: Cards) -> Iterator[Card]:
    for face, times in often.items():
        left = [card for card in DECK[SUITS * face : SUITS * (face + 1)] if card not in own]
        yield from left[:times]


@cache
def _runs() -> tuple[frozenset[int], ...]:
    """Return five to seven faces of one suit, five of them in sequence."""
    straights = [frozenset((top - down) % FACES for down in range(FLUSH)) for top in range(FLUSH - 2, FACES)]
    return tuple(
        faces
        for size in range(FLUSH, HOLE + BOARD + 1)
        for faces in map(frozenset, combinations(range(FACES), size))
        if any(straight <= faces for straight in straights)
    )


def _in_any_order(awards: Iterable[Award], own: Cards, board: Cards) -> Iterator[tuple[int, Lines]]:
    """Yield the awards that these cards make, and in how many orders of the board: earlier streets ask for it."""
    best = rank(best_five((*own, *board)))
    # Fewer cards never make more.
    possible = [award for award in awards if award.rank <= best]
    always = {award.hand for award in possible if award.community == BOARD and meets(award, own, board)}
    earlier = [award for award in possible if award.community < BOARD]
    if not earlier:
        yield ORDERS, frozenset(always)
        return
    for flop in combinations(board, FLOP):
        one, two = (card for card in board if card not in flop)
        for order in ((*flop, one, two), (*flop, two, one)):
            yield 1, frozenset(always | {award.hand for award in earlier if meets(award, own, order)})


# ---------------------------------------------------------------- awards of the board that Bets share


def _beside_the_board(game: Game, book: Jackpot) -> AwardChances:
    """Return awards of the board with own ones beside them.

    First every pattern of own Hand; then each deal on a board that makes an award, where the Hole Cards and the flop
    decide what may be claimed.
    """
    mine = tuple(award for award in book.awards if award.own)
    lying = tuple(award for award in book.awards if not award.own)
    assert all(award.community == BOARD and award.rank >= Rank.STRAIGHT_FLUSH for award in lying)
    assert len({award.community for award in mine}) <= 1
    # Only where the board makes it too is there a question whose card it is; those deals are gone through below.
    anybodys = tuple(msgspec.structs.replace(award, with_own_card=False) for award in mine)
    found: defaultdict[Lines, Fraction] = defaultdict(Fraction)
    found |= _made_of(anybodys, HOLE, HOLE + mine[0].community) if mine else {frozenset(): Fraction(1)}
    if lying:
        moved: Counter[Lines] = Counter()
        for ways, own, board, claims in _on_straight_flushes(game, book):
            moved[frozenset(award.hand for award in anybodys if meets(award, own, board))] -= ways
            moved[frozenset(award.hand for award in claims if meets(award, own, board))] += ways
        for lines, ways in moved.items():
            found[lines] += Fraction(ways, _DEALS)
    return {lines: chance for lines, chance in found.items() if chance}


_DEALS = comb(len(DECK), BOARD) * comb(len(DECK) - BOARD, HOLE) * comb(BOARD, FLOP)
"""Boards, Hole Cards beside one, and which of the Community Cards were the flop."""


def _on_straight_flushes(game: Game, book: Jackpot) -> Iterator[tuple[int, Cards, Cards, tuple[Award, ...]]]:
    """Yield every deal whose board is a straight flush, in how many ways, and the awards that its Hand may claim."""
    is_called = _called(game) if book.participants is Participants.CALLED_HANDS else lambda _own, _flop: True
    unshared = tuple(award for award in book.awards if not award.shared)
    for top in range(FLUSH - 2, FACES):
        board = tuple(_card((top - down) % FACES, 0) for down in range(FLUSH))
        for own, ways in _beside(board).items():
            for flop in combinations(board, FLOP):
                order = (*flop, *(card for card in board if card not in flop))
                yield SUITS * ways, own, order, book.awards if is_called(own, flop) else unshared


def _beside(board: Cards) -> Counter[Cards]:
    """Count two Hole Cards beside a board of the first suit, up to the names of the other suits."""
    found: Counter[Cards] = Counter()
    for own in combinations([card for card in DECK if card not in board], HOLE):
        names = {0: 0}
        places = [PLACE[card] for card in own]
        found[tuple(_card(at // SUITS, names.setdefault(at % SUITS, len(names))) for at in places)] += 1
    return found


def _called(game: Game) -> Callable[[Cards, Cards], bool]:
    """Return whether the best play calls on a flop: only this choice comes from the solved game."""
    lookup = holdem.Lookup(game)

    def is_called(own: Cards, flop: Cards) -> bool:
        return lookup.value([PLACE[card] for card in own], [PLACE[card] for card in flop]) > lookup.layout.fold

    return is_called


# ---------------------------------------------------------------- what they pay


class JackpotPayer(msgspec.Struct, frozen=True):
    """One jackpot Bet, in cents, and those that share with it: what awards pay it in money."""

    jackpot: Jackpot
    met: AwardChances
    bet: Fraction
    units: Fraction
    """Multiples of the prescribed amount."""
    participants: int

    def paid(self, meter: Fraction) -> Fraction:
        """Return the mean payment in cents at this meter."""
        return sum((chance * self._claim(lines, meter) for lines, chance in self.met.items()), Fraction(0))

    def _claim(self, lines: Lines, meter: Fraction) -> Fraction:
        awards = [award for award in self.jackpot.awards if award.hand in lines]
        for award in awards:
            if award.shared:
                return self._amount(award, meter) / self.participants
        if not self.jackpot.every_line:
            return max((self._amount(award, meter) for award in awards), default=Fraction(0))
        # Of several shares of the meter the first is paid: a royal flush of the flop is one on the river too.
        majors = [award for award in awards if award.is_major][1:]
        return sum((self._amount(award, meter) for award in awards if award not in majors), Fraction(0))

    def _amount(self, award: Award, meter: Fraction) -> Fraction:
        match award.pays:
            case ShareOfMeter(numerator=part, denominator=whole):
                return meter * part / whole
            case Fixed(amount=cents):
                return cents * self.units
            case ForOne(odds=odds, per=per):
                return self.bet * odds / per * (self.units if self.jackpot.multiple_squared else 1)
            case _:
                raise AssertionError(award.pays)

    def slope(self, meter: Fraction) -> Fraction:
        """Return how much more is paid for each cent more on the meter, from here on."""
        return (self.paid(meter + _HAIR) - self.paid(meter)) / _HAIR

    def first_meter(self, wanted: Fraction) -> Fraction | None:
        """Search cent by cent for the meter from which this much is paid on average; None where none is."""
        low, high = -1, _HIGHEST
        if self.paid(Fraction(high)) < wanted:
            return None
        while high - low > 1:
            middle = (low + high) // 2
            if self.paid(Fraction(middle)) < wanted:
                low = middle
            else:
                high = middle
        if low < 0:
            return Fraction(0)
        less, more = self.paid(Fraction(low)), self.paid(Fraction(high))
        return low + (wanted - less) / (more - less)


_HAIR = Fraction(1, 10**9)
_HIGHEST = 10**18
"""A meter above every other, in cents."""
