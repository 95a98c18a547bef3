"""Decision tables: a game and a strategy as the kernel reads them, built once and kept on disk."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np

from croupier.cards import DECK, Card
from croupier.lab import cache
from croupier.lab.bets.jackpot import award_key, award_lines
from croupier.lab.kernels.cards.lookup import order_of, orders
from croupier.lab.kernels.cards.ranking import ODD, hands_of_three, rank_tables
from croupier.lab.kernels.cards.shapes import HOLES
from croupier.lab.kernels.cards.suit_classes import canonical
from croupier.lab.kernels.decide import decision_bits
from croupier.lab.kernels.decide.rules_of_thumb import PATTERNS
from croupier.lab.kernels.enumerate.three_card import HANDS
from croupier.lab.kernels.random.rounds import RANKS, Common, Table
from croupier.lab.kernels.runtime.compiler import Ints, in_chunks, unsigned_zeros, zeros
from croupier.lab.model.card_places import suit_pattern
from croupier.lab.model.game import Game, Structure
from croupier.lab.play import strategy as thumb
from croupier.lab.simulator import strategies
from croupier.lab.simulator.strategies import OPTIMAL, SIMPLE, Strategy
from croupier.lab.solve import holdem, own_cards
from croupier.lab.solve.solution import Solution, solve
from croupier.rulebooks.pay_lines import hole_cards, side_line
from croupier.rulebooks.vocabulary import HoleCards, SideHand

STREETS_WAYS, OTHER_WAYS = 5, 2
_PARTS = ("hole", "flop", "turn")

Bits = tuple[Ints, Ints, Ints]
"""Whether the first decision places its Bet, and the bits of the flop and of the turn."""
_BITS: dict[str, Bits] = {}
"""Bits of this process, by what decides them; three megabytes each."""
SideLines = tuple[str | None, ...]
"""The line of each side Bet, in the order of the game's side Bets."""


@lru_cache(maxsize=1)
def common() -> Common:
    """Return the tables that are the same for every game."""
    hand_of = unsigned_zeros(HOLES, 8)
    for one, two in combinations(range(52), 2):
        hand_of[decision_bits.hole_at(one, two)] = holdem.starting_hand(one, two)
    return Common(hand_of, decision_bits.places(), orders(), rank_tables())


def ways(game: Game) -> int:
    """Return the number of ways through the decisions of a game, folding included."""
    return STREETS_WAYS if game.structure is Structure.STREETS else OTHER_WAYS


def table(game: Game, strategy: Strategy) -> Table:
    """Return the game and strategy as the kernel reads them."""
    hole, flop, turn = bits(game, strategy)
    awards = game.terms.book.jackpot.awards
    least = min((int(each.rank) for each in awards), default=ODD)
    shown = 2 if game.structure is Structure.THREE_CARDS else 3
    of_five = all(each.own and each.community == shown for each in awards)
    by_rank = zeros(RANKS)
    for at, each in enumerate(awards):
        by_rank[each.rank] |= 1 << at
    kind_of, side_of, lines = side_lines(game)
    careless = zeros(3)
    careless[:] = round(strategy.careless * 2**32)
    return Table(
        hole=hole,
        flop=flop,
        turn=turn,
        careless=careless,
        qualifies_from=order_of(game.qualifies_from, three=game.structure is Structure.THREE_CARDS),
        tie_first=game.tie_first,
        kind_of=kind_of,
        side_of=side_of,
        sides=len(lines),
        lines=award_lines(award_key(game)),
        least=order_of(least << 20, three=False),
        of_five=of_five,
        by_rank=by_rank,
        choices=ways(game),
    )


# ---------------------------------------------------------------- side Bets


KINDS: tuple[HoleCards | None, ...] = (None, *HoleCards)
TwoCards = tuple[Card, Card]


def side_lines(game: Game) -> tuple[Ints, Ints, tuple[SideLines, ...]]:
    """Return what side Bets see in two Hole Cards, the number of their lines by both kinds, and the lines."""
    side_of = unsigned_zeros((len(KINDS), len(KINDS)), 8)
    found: dict[SideLines, int] = {(None,) * len(game.sides): 0}
    if game.structure is Structure.THREE_CARDS:
        return unsigned_zeros(HOLES, 8), side_of, tuple(found)
    assert all(side.declared.on is SideHand.HOLE_CARDS for side in game.sides)
    kind_of, examples = _hole_card_kinds()
    for (own, dealer), cards in examples.items():
        lines = tuple(side_line(side.declared, *cards) for side in game.sides)
        side_of[KINDS.index(own), KINDS.index(dealer)] = found.setdefault(lines, len(found))
    return kind_of, side_of, tuple(found)


@lru_cache(maxsize=1)
def _hole_card_kinds() -> tuple[Ints, dict[tuple[HoleCards | None, HoleCards | None], tuple[TwoCards, TwoCards]]]:
    """Return the kind of any two Hole Cards, and own and Dealer's cards of each two kinds: the same for every game."""
    kind_of = unsigned_zeros(HOLES, 8)
    # The suits of a kind do not matter, so that own and Dealer's cards that stand for their kinds never collide.
    stand_for: dict[HoleCards | None, list[TwoCards]] = {}
    for one, two in combinations(range(52), 2):
        kind = hole_cards((DECK[one], DECK[two]))
        kind_of[decision_bits.hole_at(one, two)] = KINDS.index(kind)
        stand_for.setdefault(kind, []).append((DECK[one], DECK[two]))
    examples = {}
    for own, hands in stand_for.items():
        for dealer, others in stand_for.items():
            cards = next(((a, b) for a in hands for b in others if not set(a) & set(b)), None)
            assert cards is not None
            examples[own, dealer] = cards
    return kind_of, examples


# ---------------------------------------------------------------- decisions


def bits(game: Game, strategy: Strategy) -> Bits:
    """Return every decision of the game as bits; from disk where they were built before."""
    key = bits_key(game, strategy)
    found = _BITS.get(key)
    if found is None:
        kept = cache.counts("decisions", key, lambda: dict(zip(_PARTS, _build(game, strategy), strict=True)))
        # Arrays from disk are read-only, and kernels would be compiled again for those.
        hole, flop, turn = (kept[name].copy() for name in _PARTS)
        found = _BITS[key] = hole, flop, turn
    return found


def bits_key(game: Game, strategy: Strategy) -> str:
    """Return what decides the bits: the game's sums, payouts on the Ante, and the rules of the strategy."""
    rules = sorted((bet, str(rule)) for bet, rule in strategy.rules.items())
    payouts = [
        (side.name, sorted(side.pays.items()), sorted(fate.value for fate in side.lost))
        for side in game.sides
        if side.on_ante
    ]
    return repr((holdem.key(game), payouts, rules))


Rule = str | dict[str, str | tuple[str, ...]]


def _build(game: Game, strategy: Strategy) -> Bits:
    rules = strategy.rules
    said = [rule for rule in rules.values() if isinstance(rule, str)]
    solved = solve(game) if said else None
    no_bits = unsigned_zeros((1, decision_bits.WIDTH), 8)
    if game.structure is Structure.THREE_CARDS:
        (choice,) = game.choices
        return _three(game, rules[choice.bet], solved), no_bits, no_bits
    simple = dict(thumb.strategy(game, solved).bets_with) if SIMPLE in said else {}
    if game.structure is Structure.FLOP_FIRST:
        (call,) = game.choices
        every = unsigned_zeros(HOLES, 8)
        every[:] = 1
        return every, _on_board(game, 3, rules[call.bet], simple.get(call.bet)), no_bits
    first, late, later = game.choices
    return (
        _starting(rules[first.bet], solved),
        _on_board(game, 3, rules[late.bet], simple.get(late.bet)),
        _on_board(game, 4, rules[later.bet], simple.get(later.bet)),
    )


def _three(game: Game, rule: Rule, solved: Solution | None) -> Ints:
    """Return for each three cards whether they are played."""
    plays = unsigned_zeros(HANDS, 8)
    place = orders().three
    if rule == OPTIMAL:
        assert solved is not None
        by_class = {suit_pattern(hand.cards): hand.played for hand in solved.hands}
        plays[:] = [by_class[suit_pattern(DECK[card] for card in hand)] for hand in hands_of_three()[0].tolist()]
        return plays
    if isinstance(rule, str):
        assert solved is not None
        strengths = own_cards.counts_of(game.structure, game.qualifies_from)[2].tolist()
        hands = zip(strengths, solved.hands, strict=True)
        least = min((strength for strength, hand in hands if hand.played), default=1 << 30)
    else:
        high, mid, low = strategies.faces("at_least", str(rule["at_least"]))
        least = (high + 2) << 16 | (mid + 2) << 12 | (low + 2) << 8
    plays[:] = place >= order_of(least, three=True)
    return plays


def _starting(rule: Rule, solved: Solution | None) -> Ints:
    """Return for each pair of Hole Cards whether it is played at the first decision."""
    if isinstance(rule, str):
        # The rules of thumb fold exactly the hands that are best folded.
        assert solved is not None
        played = [hand.played for hand in solved.hands]
    else:
        played = [hand.name not in rule["fold"] for hand in holdem.STARTING_HANDS]
    live = unsigned_zeros(HOLES, 8)
    live[:] = np.array(played, np.uint8)[common().hand_of]
    return live


def _on_board(game: Game, size: int, rule: Rule, simple: tuple[bool, ...] | None) -> Ints:
    """Return the bits of a decision on three or four Community Cards."""
    lying = canonical(size)[0]
    bits = unsigned_zeros((len(lying), decision_bits.WIDTH), 8)
    if rule == OPTIMAL:
        asked, found = holdem.counts_of(game)
        at_stake = 0 if game.structure is Structure.STREETS else asked.fold

        def best(first: int, last: int) -> None:
            decision_bits.best_bits(first, last, lying, at_stake, found.tables, bits)

        in_chunks(len(lying), 64, best)
        return bits
    bet = zeros(PATTERNS)
    if isinstance(rule, str):
        assert simple is not None
        bet[:] = simple
    else:
        bet[:] = strategies.bets_with(rule)

    def by_pattern(first: int, last: int) -> None:
        decision_bits.pattern_bits(first, last, lying, bet, rank_tables(), bits)

    in_chunks(len(lying), 64, by_pattern)
    return bits
