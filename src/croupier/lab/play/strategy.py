"""The strategy of a game: chart, hands at the edge, and rules of thumb with their exact cost."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import msgspec
import numpy as np

from croupier.cards import Card
from croupier.cards.cards import parse_cards
from croupier.lab import cache
from croupier.lab.analysis import Json, amount
from croupier.lab.bets.stakes import SideStakes, combine
from croupier.lab.kernels.cards.ranking import rank_tables
from croupier.lab.kernels.cards.shapes import FACES
from croupier.lab.kernels.cards.suit_classes import canonical
from croupier.lab.kernels.decide import rules_of_thumb as thumb
from croupier.lab.kernels.runtime.compiler import Ints, sum_chunks, zeros
from croupier.lab.model.game import Choice, Game, Structure, Units
from croupier.lab.play.rules_of_thumb import NOTES, RuleSet, rules_of_thumb
from croupier.lab.solve import holdem, own_cards
from croupier.lab.solve.enumeration import DEALS, FLOPS, HOLE_CARDS
from croupier.lab.solve.holdem import STARTING_HANDS
from croupier.lab.solve.solution import HandValue, Solution, solve


class ChartCell(msgspec.Struct, frozen=True):
    """One starting hand: what playing it is worth, and how often it is played."""

    hand: str
    value: Units
    """Of its best play, in units of Ante."""
    margin: Units
    """What playing brings against folding, at the first decision."""
    played: Fraction


class Rule(msgspec.Struct, frozen=True):
    """One sentence for a person at the table."""

    decision: str
    says: str


class Edge(msgspec.Struct, frozen=True):
    """A Hand close to the border between two choices: which one is right, and by how much, in units of Ante."""

    hand: str
    choice: str
    margin: Units
    """What playing brings against folding."""
    cards: tuple[Card, ...]
    """Cards of this kind; with other suits the margin may differ a little."""


class Strategy(msgspec.Struct, frozen=True):
    """The play of a game, as data."""

    game: str
    title: str
    chart: tuple[tuple[ChartCell, ...], ...]
    """13 by 13, Ace first: above the diagonal suited, below it not; empty for 3 Card Poker."""
    lowest_played: str
    """The weakest Hand that is played at the first decision, and the strongest that is folded."""
    highest_folded: str
    edges: tuple[Edge, ...]
    """The Hands at the border of the first decision, from the safest fold to the safest play of them."""
    rules: tuple[Rule, ...]
    """Of the rules of one decision the first that fits decides."""
    cost: Units
    """What the rules lose against the best play, in units of Ante a round."""
    mistakes: tuple[tuple[str, Units], ...]
    """The same for each decision."""
    ev: Units
    """What a round of the best play is worth."""
    bets_with: tuple[tuple[str, tuple[bool, ...]], ...] = ()
    """For each decision on Community Cards, by the number of a pattern: whether the rules bet."""
    notes: tuple[str, ...] = ()
    """What the words of the rules mean."""
    beside: SideStakes | None = None
    """The stakes beside the Ante that the first decision weighs."""


EDGES = 5
"""Hands shown on either side of a border."""


def strategy(game: Game, solved: Solution | None = None, beside: SideStakes | None = None) -> Strategy:
    """Find the chart, the edge and the rules of thumb of a game, with any stakes beside the Ante. Raises BadStake."""
    solved = solved or solve(game)
    if beside is not None:
        both = combine(solved, beside)
        return msgspec.structs.replace(_strategy(game, both.best), beside=beside, ev=both.ev)
    return _strategy(game, solved)


def _strategy(game: Game, solved: Solution) -> Strategy:
    match game.structure:
        case Structure.THREE_CARDS | Structure.FIVE_CARDS:
            return _own_cards(game, solved)
        case Structure.STREETS:
            return _streets(game, solved)
        case Structure.FLOP_FIRST:
            return _flop_first(game, solved)


# ---------------------------------------------------------------- own cards alone


def _own_cards(game: Game, solved: Solution) -> Strategy:
    _, _, strengths, _ = own_cards.counts_of(game.structure, game.qualifies_from)
    by_strength = sorted(zip(strengths.tolist(), solved.hands, strict=True), key=lambda pair: pair[0])
    edge, cost = _cut_off(by_strength)
    lowest = next((hand for strength, hand in by_strength if strength >= edge), None)
    folded = [hand for strength, hand in by_strength if not hand.played]
    (choice,) = game.choices
    name = _faces(lowest.cards) if lowest else "nothing"
    by_faces: dict[str, HandValue] = {}
    for _, hand in by_strength:
        # From the weakest up, so that of three faces the Hand without a flush gives the name.
        by_faces.setdefault(_faces(hand.cards), hand)
    return Strategy(
        game=game.name,
        title=game.terms.book.document.title,
        chart=(),
        edges=_edges(game, list(by_faces.items())),
        lowest_played=name,
        highest_folded=_faces(folded[-1].cards) if folded else "none",
        rules=(Rule(choice.bet, f"Bet with {name} or anything higher; fold everything else."),),
        cost=cost,
        mistakes=((choice.bet, cost),),
        ev=solved.ev,
    )


def _cut_off(by_strength: list[tuple[int, HandValue]]) -> tuple[int, Units]:
    """Return the strength from which playing every Hand, and folding all below, loses least; and what it loses.

    Hands of one strength may differ by the suits and faces that they take from the Dealer, so the best play need not
    have one border.
    """
    gains: defaultdict[int, Units] = defaultdict(Fraction)
    cost = Fraction(0)
    for strength, hand in by_strength:
        gain = hand.ways * (hand.play - hand.fold)
        gains[strength] += gain
        # At first every Hand is played.
        cost += max(-gain, Fraction(0))
    edge, least = 0, cost
    for strength in sorted(gains):
        # Of equal borders the highest counts: what is worth the same either way is folded.
        if cost <= least:
            edge, least = strength, cost
        cost += gains[strength]
    if cost <= least:
        edge, least = 1 << 30, cost
    return edge, least / sum(hand.ways for _, hand in by_strength)


def _edges(game: Game, hands: list[tuple[str, HandValue]]) -> tuple[Edge, ...]:
    """Return the Hands whose first decision is closest, on either side."""
    first = game.choices[0]
    folded = sorted((hand.play - hand.fold, name, hand.cards) for name, hand in hands if not hand.played)[-EDGES:]
    played = sorted((hand.play - hand.fold, name, hand.cards) for name, hand in hands if hand.played)[:EDGES]
    return (
        *(Edge(name, first.otherwise, margin, cards) for margin, name, cards in folded),
        *(Edge(name, first.bet, margin, cards) for margin, name, cards in played),
    )


def _faces(cards: tuple[str, ...]) -> str:
    """Return "Q-6-4"."""
    known = sorted(parse_cards(" ".join(cards)), key=lambda card: "23456789TJQKA".index(card[0]), reverse=True)
    return "-".join(card[0].replace("T", "10") for card in known)


# ---------------------------------------------------------------- Hole Cards


def _chart(solved: Solution, played: list[Fraction], values: list[Units]) -> tuple[tuple[ChartCell, ...], ...]:
    cells = [
        ChartCell(hand.name, value, hand.play - hand.fold, often)
        for hand, value, often in zip(solved.hands, values, played, strict=True)
    ]
    # Hands are numbered from the Twos up, row by row, as the chart shows them from the Aces down.
    return tuple(tuple(cells[row * FACES : (row + 1) * FACES][::-1]) for row in range(FACES - 1, -1, -1))


def _edge(hands: tuple[HandValue, ...]) -> tuple[str, str]:
    played = [hand for hand in hands if hand.played]
    folded = [hand for hand in hands if not hand.played]
    lowest = min(played, key=lambda hand: hand.play - hand.fold, default=None)
    highest = max(folded, key=lambda hand: hand.play - hand.fold, default=None)
    return lowest.name if lowest else "none", highest.name if highest else "none"


def _streets(game: Game, solved: Solution) -> Strategy:
    flop, turn, river = game.choices
    live = holdem.live_hands(solved)
    on_flops, on_turns = (_rules_of_thumb(game, choice, live, 0) for choice in (turn, river))
    costs = (
        (turn.bet, Fraction(turn.times * on_flops.cost, HOLE_CARDS * DEALS)),
        # Four cards in any order: each of them may be the Turn Card.
        (river.bet, Fraction(river.times * 4 * on_turns.cost, HOLE_CARDS * DEALS)),
    )
    folded = [hand.name for hand in solved.hands if not hand.played]
    lowest, highest = _edge(solved.hands)
    listed = ", ".join(folded) if folded else "nothing"
    return Strategy(
        game=game.name,
        title=game.terms.book.document.title,
        edges=_edges(game, [(hand.name, hand) for hand in solved.hands]),
        chart=_chart(solved, [Fraction(hand.played) for hand in solved.hands], [hand.value for hand in solved.hands]),
        lowest_played=lowest,
        highest_folded=highest,
        rules=(
            Rule(flop.bet, f"Fold {listed}; bet with every other hand."),
            *_rules(turn.bet, on_flops),
            *_rules(river.bet, on_turns),
        ),
        notes=NOTES,
        cost=sum((cost for _, cost in costs), Fraction(0)),
        mistakes=((flop.bet, Fraction(0)), *costs),
        ev=solved.ev,
        bets_with=((turn.bet, on_flops.bets), (river.bet, on_turns.bets)),
    )


def _rules_of_thumb(game: Game, choice: Choice, live: Ints, at_stake: int) -> RuleSet:
    """Find the best rules for a decision on three or four Community Cards."""
    by_streets = game.structure is Structure.STREETS
    decides = (game.qualifies_from, game.tie_first) if by_streets else holdem.key(game)

    def make() -> cache.Arrays:
        lying, ways = canonical(choice.community)
        _, found = holdem.counts_of(game)

        def work(sums: Ints, first: int, last: int) -> None:
            thumb.tally_patterns(first, last, lying, ways, at_stake, live, found.tables, rank_tables(), sums)

        return {"sums": sum_chunks((thumb.PATTERNS, 3), len(lying), 128, work)}

    sums = cache.counts("patterns", (decides, choice.community, np.packbits(live).tobytes()), make)["sums"]
    return rules_of_thumb(choice.bet, choice.otherwise, sums)


def _flop_first(game: Game, solved: Solution) -> Strategy:
    (call,) = game.choices
    asked, sums = holdem.sums_of(game)
    live = zeros((52, 52))
    live[:] = 1
    on_flops = _rules_of_thumb(game, call, live, asked.fold)
    lost = Fraction(on_flops.cost, asked.scale * HOLE_CARDS * DEALS)
    called = sums.flop_bets
    played = [Fraction(int(called[hand.number, -1]), hand.ways * FLOPS) for hand in STARTING_HANDS]
    values = [
        Fraction(int(called[hand.number, 0]), asked.scale * hand.ways * DEALS) - (1 - share_called)
        for hand, share_called in zip(STARTING_HANDS, played, strict=True)
    ]
    often = sorted(zip(played, STARTING_HANDS, strict=True), key=lambda pair: pair[0])
    return Strategy(
        game=game.name,
        title=game.terms.book.document.title,
        edges=(),
        chart=_chart(solved, played, values),
        lowest_played=f"{often[0][1].name} is called least often, on {float(often[0][0]):.1%} of flops",
        highest_folded=f"{sum(1 for chance, _ in often if chance == 1)} starting hands are called on every flop",
        rules=_rules(call.bet, on_flops),
        notes=NOTES,
        cost=lost,
        mistakes=((call.bet, lost),),
        ev=solved.ev,
        bets_with=((call.bet, on_flops.bets),),
    )


def _rules(bet: str, found: RuleSet) -> tuple[Rule, ...]:
    return tuple(Rule(bet, line) for line in found.lines)


def strategy_json(found: Strategy) -> Json:
    """Return the strategy as data, exact figures as fractions in text."""
    return {
        "game": found.game,
        "beside": None
        if found.beside is None
        else {
            "ante": amount(found.beside.ante),
            "stakes": {name: amount(stake) for name, stake in found.beside.stakes.items()},
            "meter": amount(found.beside.meter),
        },
        "lowest_played": found.lowest_played,
        "highest_folded": found.highest_folded,
        "edges": [{"hand": each.hand, "choice": each.choice, "margin": str(each.margin)} for each in found.edges],
        "rules": msgspec.to_builtins(list(found.rules)),
        "notes": list(found.notes),
        "ev": str(found.ev),
        "cost": str(found.cost),
        "mistakes": {decision: str(cost) for decision, cost in found.mistakes},
        "chart": msgspec.to_builtins([list(row) for row in found.chart], enc_hook=str),
    }
