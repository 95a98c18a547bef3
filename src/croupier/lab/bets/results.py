"""Each Bet by itself beside the best play: how often it is placed, how often it wins, what it returns, row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

import msgspec

from croupier.cards import Rank, slug
from croupier.lab.model.game import Game, Structure, Units
from croupier.lab.solve import holdem, own_cards
from croupier.lab.solve.enumeration import DEALERS, DEALS, FLOPS, HOLE_CARDS, RIVERS, TURNS
from croupier.lab.solve.holdem import STARTING_HANDS, Cell
from croupier.lab.solve.solution import Solution
from croupier.rulebooks.vocabulary import ANTE_BET, Fate


class Row(msgspec.Struct, frozen=True):
    """One line that a Bet is paid by: what it pays to 1, and how often that is paid."""

    row: str
    pays: Units
    probability: Fraction


class BetFigures(msgspec.Struct, frozen=True):
    """One Bet; probabilities are of a round, the value is for each unit of the Bet where it is placed."""

    placed: Fraction
    won: Fraction
    lost: Fraction
    ev: Units
    rows: tuple[Row, ...]

    @property
    def hit_rate(self) -> Fraction:
        """Return how often a Bet that was placed is paid."""
        return self.won / self.placed if self.placed else Fraction(0)

    @property
    def stood_off(self) -> Fraction:
        return self.placed - self.won - self.lost


def figures(solved: Solution) -> dict[str, BetFigures]:
    """Return the Ante and every Bet that a decision places, in the order of play."""
    match solved.game.structure:
        case Structure.STREETS:
            return _streets(solved)
        case Structure.FLOP_FIRST:
            return _flop_first(solved)
        case Structure.THREE_CARDS | Structure.FIVE_CARDS:
            return _own_cards(solved)


def _bet(deals: int, wins: Mapping[tuple[str, Units], int], losses: int, everything: int) -> BetFigures:
    """Return a Bet's figures from counts of deals: those with the Bet, those paid by each row, those lost."""
    rows = tuple(Row(name, pays, Fraction(count, everything)) for (name, pays), count in wins.items() if pays)
    paid = sum((pays * count for (_, pays), count in wins.items()), Fraction(0))
    won = sum((row.probability for row in rows), Fraction(0))
    ev = (paid - losses) / deals if deals else Fraction(0)
    return BetFigures(Fraction(deals, everything), won, Fraction(losses, everything), ev, rows)


EVEN = ("even_money", Fraction(1))


def _ante_row(game: Game, amount: Units) -> str:
    """Name the row by which the Ante pays this amount: ranks of its table, or those it is paid from."""
    showdown = game.terms.book.showdown
    if showdown.ante_table is not None:
        ranks = [rank for rank, pays in zip(Rank, game.ante_on_win, strict=True) if pays == amount]
        if len(ranks) > 1 and ranks == list(Rank)[: len(ranks)]:
            return f"{slug(ranks[-1])}_or_lower"
        return "_or_".join(slug(rank) for rank in reversed(ranks))
    if showdown.ante_pays_from is not None:
        return f"{slug(showdown.ante_pays_from)}_or_higher"
    return EVEN[0]


def _streets(solved: Solution) -> dict[str, BetFigures]:
    game = solved.game
    asked, sums = holdem.sums_of(game)
    flop, turn, river = game.choices
    kinds: dict[tuple[bool, bool], Cell] = {}
    folded = 0
    for hand, value in zip(STARTING_HANDS, solved.hands, strict=True):
        if not value.played:
            folded += hand.ways * DEALS
            continue
        for kind, (deals, channels) in holdem.deal_kinds(sums, hand).items():
            before, added = kinds.get(kind, (0, [0] * len(channels)))
            kinds[kind] = before + deals, [a + b for a, b in zip(added, channels, strict=True)]
    everything = HOLE_CARDS * DEALS
    size = len(asked.paid)

    def later(wanted: Iterable[tuple[bool, bool]]) -> BetFigures:
        deals = wins = gained = 0
        for kind in wanted:
            some, (gain, *counts) = kinds.get(kind, (0, [0] * (1 + size)))
            deals, wins, gained = deals + some, wins + sum(counts[:size]), gained + gain
        return _bet(deals, {EVEN: wins}, wins - gained, everything)

    rows: Counter[tuple[str, Units]] = Counter()
    losses = folded
    for _, (gain, *counts) in kinds.values():
        losses += sum(counts[:size]) - gain
        for at, amount in enumerate(asked.paid):
            rows[_ante_row(game, amount), amount] += counts[at] + (counts[size + at] if game.qualifies_from else 0)
    return {
        ANTE_BET: _bet(everything, rows, losses, everything),
        flop.bet: later(kinds),
        turn.bet: later([(True, True), (True, False)]),
        river.bet: later([(True, True), (False, True)]),
    }


def _flop_first(solved: Solution) -> dict[str, BetFigures]:
    game = solved.game
    (call,) = game.choices
    called = holdem.called_outcomes(game)
    everything = HOLE_CARDS * FLOPS * TURNS * RIVERS * DEALERS
    rows: Counter[tuple[str, Units]] = Counter()
    # In the order of the paper, the highest first.
    for amount, won, failed in reversed(list(zip(called.paid, called.won, called.failed, strict=True))):
        rows[_ante_row(game, amount), amount] += won + failed
    return {
        ANTE_BET: _bet(everything, rows, called.lost + everything - called.deals, everything),
        call.bet: _bet(called.deals, {EVEN: sum(called.won)}, called.lost, everything),
    }


def _own_cards(solved: Solution) -> dict[str, BetFigures]:
    game = solved.game
    (choice,) = game.choices
    _, _, strengths, counts = own_cards.counts_of(game.structure, game.qualifies_from)
    hands, every_dealer = own_cards.DEALT[game.structure]
    everything = hands * every_dealer
    paid: Counter[Units] = Counter()
    played = wins = beaten = folded = 0
    for value, strength, against in zip(solved.hands, strengths.tolist(), counts, strict=True):
        if not value.played:
            folded += value.ways * every_dealer
            continue
        played += value.ways * every_dealer
        for dealers, fate, ante, later in own_cards.outcomes(game, strength, against):
            if fate is Fate.BEATEN:
                beaten += value.ways * dealers
            elif ante:
                paid[ante] += value.ways * dealers
            if later > 0:
                wins += value.ways * dealers
    rows = {(_ante_row(game, amount), amount): paid[amount] for amount in sorted(paid, reverse=True)}
    return {
        ANTE_BET: _bet(everything, rows, beaten + folded, everything),
        choice.bet: _bet(played, {EVEN: wins}, beaten, everything),
    }
