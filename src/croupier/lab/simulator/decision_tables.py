"""Decision tables: a game and a strategy as the kernel reads them, built once and kept on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile

import numpy as np

from croupier.cards import DECK, Card
from croupier.lab.kernels.cards.lookup import order_of, orders
from croupier.lab.kernels.cards.ranking import ODD, rank_tables
from croupier.lab.kernels.cards.shapes import HOLES, shapes
from croupier.lab.kernels.cards.suit_classes import canonical
from croupier.lab.kernels.decide import decision_bits
from croupier.lab.kernels.decide.rules_of_thumb import SORTS
from croupier.lab.kernels.enumerate.awards import Lines
from croupier.lab.kernels.enumerate.three_card import HANDS
from croupier.lab.kernels.random.rounds import RANKS, Common, Table
from croupier.lab.kernels.runtime.compiler import Ints, cache_home, natural, share, zeros
from croupier.lab.model.game import Game, Structure
from croupier.lab.play import strategy as thumb
from croupier.lab.simulator import strategies
from croupier.lab.simulator.strategies import OPTIMAL, SIMPLE, Strategy
from croupier.lab.solve import holdem, three_card
from croupier.lab.solve.enumeration import DEALERS, RIVERS, TURNS
from croupier.lab.solve.solution import Solved, solve
from croupier.rulebooks.pay_lines import hole_cards, side_line
from croupier.rulebooks.vocabulary import HoleCards, SideHand

STREETS_WAYS, OTHER_WAYS = 5, 2
_SOURCES = ("model/*.py", "solve/*.py", "play/strategy.py", "kernels/*/*.py", "simulator/decision_tables.py")
_OF_PLAY = "random"
"""The room of kernels that follow decisions and make none."""

Bits = tuple[Ints, Ints, Ints]
"""Whether the first decision places its Bet, and the bits of the flop and of the turn."""
Lines_ = tuple[str | None, ...]
"""The line of each side Bet, in the order of the game's side Bets."""


@cache
def common() -> Common:
    """The tables that are the same for every game."""
    hand_of = natural(HOLES, 8)
    for two in range(52):
        for one in range(two):
            hand_of[decision_bits.hole_at(one, two)] = holdem.starting_hand(one, two)
    return Common(hand_of, decision_bits.places(), orders(), rank_tables())


def ways(game: Game) -> int:
    """How many ways through the decisions of a game there are, folding included."""
    return STREETS_WAYS if game.structure is Structure.STREETS else OTHER_WAYS


def table(game: Game, strategy: Strategy) -> Table:
    """What the kernel needs to know."""
    hole, flop, turn = bits(game, strategy)
    awards = game.terms.book.jackpot.awards
    columns = [zeros(len(awards)) for _ in range(5)]
    for at, each in enumerate(awards):
        row = (each.rank, each.own, each.community, each.with_own_card, each.any_five)
        for column, value in zip(columns, row, strict=True):
            column[at] = int(value)
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
        lines=Lines(*columns),
        least=order_of(least << 20, three=False),
        of_five=of_five,
        by_rank=by_rank,
        choices=ways(game),
    )


# ---------------------------------------------------------------- side Bets


def side_lines(game: Game) -> tuple[Ints, Ints, tuple[Lines_, ...]]:
    """What side Bets see in two Hole Cards, the number of their lines by the own kind and the Dealer's, the lines."""
    kind_of, kinds = natural(HOLES, 8), (None, *HoleCards)
    side_of = natural((len(kinds), len(kinds)), 8)
    found: dict[Lines_, int] = {(None,) * len(game.sides): 0}
    if game.structure is Structure.THREE_CARDS:
        return kind_of, side_of, tuple(found)
    assert all(side.declared.on is SideHand.HOLE_CARDS for side in game.sides)
    # The suits of a kind do not matter, so that own and Dealer's cards that stand for their kinds never collide.
    stand_for: dict[HoleCards | None, list[tuple[Card, Card]]] = {}
    for two in range(52):
        for one in range(two):
            kind = hole_cards((DECK[one], DECK[two]))
            kind_of[decision_bits.hole_at(one, two)] = kinds.index(kind)
            stand_for.setdefault(kind, []).append((DECK[one], DECK[two]))
    for own, hands in stand_for.items():
        for dealer, others in stand_for.items():
            cards = next(((a, b) for a in hands for b in others if not set(a) & set(b)), None)
            assert cards is not None
            lines = tuple(side_line(side.declared, cards[0], cards[1]) for side in game.sides)
            side_of[kinds.index(own), kinds.index(dealer)] = found.setdefault(lines, len(found))
    return kind_of, side_of, tuple(found)


# ---------------------------------------------------------------- decisions


def bits(game: Game, strategy: Strategy) -> Bits:
    """Every decision of the game as bits; from disk where they were built before."""
    return _bits(_Wanted(game, strategy))


class _Wanted:
    """A game and a strategy, the same as another one where their decisions are."""

    def __init__(self, game: Game, strategy: Strategy) -> None:
        self.game, self.strategy = game, strategy
        rules = sorted((bet, str(rule)) for bet, rule in strategy.rules.items())
        payouts = [
            (s.name, sorted(s.pays.items()), sorted(fate.value for fate in s.lost)) for s in game.sides if s.on_ante
        ]
        self.key = repr((holdem.key(game), payouts, rules))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Wanted) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def path(self) -> Path:
        """Named after what decides the bits: the game, the strategy, and the sources that build them."""
        digest = hashlib.sha256(self.key.encode())
        lab = Path(__file__).parents[1]
        for source in (
            file for pattern in _SOURCES for file in sorted(lab.glob(pattern)) if file.parent.name != _OF_PLAY
        ):
            digest.update(source.name.encode() + b"\0" + source.read_bytes())
        return cache_home() / "decisions" / f"{digest.hexdigest()[:24]}.npz"


@lru_cache(maxsize=16)
def _bits(wanted: _Wanted) -> Bits:
    kept = _kept(wanted.path)
    if kept is not None:
        return kept
    built = _build(wanted.game, wanted.strategy)
    _keep(wanted.path, built)
    return built


def _kept(path: Path) -> Bits | None:
    try:
        with np.load(path) as found:
            return found["hole"], found["flop"], found["turn"]
    except (OSError, ValueError, KeyError, EOFError):
        return None


def _keep(path: Path, built: Bits) -> None:
    """Whole or not at all; a disk that cannot be written costs only the time of building again."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
            np.savez_compressed(part, hole=built[0], flop=built[1], turn=built[2])
        Path(part.name).replace(path)
    except OSError:
        return


Rule = str | dict[str, str | tuple[str, ...]]


def _build(game: Game, strategy: Strategy) -> Bits:
    rules = strategy.rules
    said = [rule for rule in rules.values() if isinstance(rule, str)]
    solved = solve(game) if said else None
    nothing = natural((1, decision_bits.WIDTH), 8)
    if game.structure is Structure.THREE_CARDS:
        (choice,) = game.choices
        return _three(game, rules[choice.bet], solved), nothing, nothing
    simple = dict(thumb.strategy(game, solved).bets_with) if SIMPLE in said else {}
    if game.structure is Structure.FLOP_FIRST:
        (call,) = game.choices
        every = natural(HOLES, 8)
        every[:] = 1
        return every, _on_board(game, 3, rules[call.bet], simple.get(call.bet)), nothing
    first, late, later = game.choices
    return (
        _starting(rules[first.bet], solved),
        _on_board(game, 3, rules[late.bet], simple.get(late.bet)),
        _on_board(game, 4, rules[later.bet], simple.get(later.bet)),
    )


def _three(game: Game, rule: Rule, solved: Solved | None) -> Ints:
    """For each three cards whether they are played: in order, or from one Hand on."""
    plays = natural(HANDS, 8)
    place = orders().three
    if rule == OPTIMAL:
        assert solved is not None
        by_class = {_suits(tuple(DECK.index(card) for card in hand.cards)): hand.played for hand in solved.hands}
        at = 0
        for third in range(2, 52):
            for second in range(1, third):
                for first in range(second):
                    plays[at] = by_class[_suits((first, second, third))]
                    at += 1
        return plays
    if isinstance(rule, str):
        assert solved is not None
        strengths = three_card.counted(game.qualifies_from)[2].tolist()
        hands = zip(strengths, solved.hands, strict=True)
        least = min((strength for strength, hand in hands if hand.played), default=1 << 30)
    else:
        high, mid, low = strategies.faces("at_least", str(rule["at_least"]))
        least = (high + 2) << 16 | (mid + 2) << 12 | (low + 2) << 8
    plays[:] = place >= order_of(least, three=True)
    return plays


def _suits(cards: tuple[int, ...]) -> tuple[int, ...]:
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[card % 4] |= 1 << card // 4
    return tuple(sorted(masks))


def _starting(rule: Rule, solved: Solved | None) -> Ints:
    """For each pair of Hole Cards whether it is played at the first decision."""
    if isinstance(rule, str):
        # The rules of thumb fold exactly the hands that are best folded.
        assert solved is not None
        played = [hand.played for hand in solved.hands]
    else:
        played = [hand.name not in rule["fold"] for hand in holdem.STARTING]
    live = natural(HOLES, 8)
    live[:] = np.array(played, np.uint8)[common().hand_of]
    return live


def _on_board(game: Game, size: int, rule: Rule, simple: tuple[bool, ...] | None) -> Ints:
    """The bits of a decision on three or four Community Cards."""
    lying = canonical(size)[0]
    bits = natural((len(lying), decision_bits.WIDTH), 8)
    step = -(-len(lying) // 64)
    if rule == OPTIMAL:
        _share(len(lying), step, _best(game, size, lying, bits))
        return bits
    bet = zeros(SORTS)
    if isinstance(rule, str):
        assert simple is not None
        bet[:] = simple
    else:
        bet[:] = strategies.bets_with(rule)
    _share(
        len(lying),
        step,
        lambda first, last: decision_bits.sorted_bits(first, last, lying, size, bet, rank_tables(), bits),
    )
    return bits


def _best(game: Game, size: int, lying: Ints, bits: Ints) -> Callable[[int, int], None]:
    known, (asked, found) = shapes(), holdem.counted(game)
    if size == 4:
        return lambda first, last: decision_bits.best_turns(
            first, last, lying, known.pairs, known.boards, found.river, bits
        )
    at_stake = 0 if game.structure is Structure.STREETS else -asked.scale * DEALERS * RIVERS * TURNS
    return lambda first, last: decision_bits.best_flops(
        first, last, lying, at_stake, known.pairs, known.boards, found.turns, bits
    )


def _share(count: int, step: int, work: Callable[[int, int], None]) -> None:
    """Rows are each written by one thread alone."""
    share(lambda: None, lambda _, first: work(first, min(count, first + step)), range(0, count, step))
