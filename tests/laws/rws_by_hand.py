"""The three RWS games settled a second time, from the documents and with no code of ours: own ranking, own pay tables.

It covers a Round in which the cards are right: bets of any size, folds, checks, hands left or not shown, the meter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from random import Random
from typing import TypeAlias

MULTILINK, THREE_CARD, VERSION_6 = "rws-multilink-holdem", "rws-multilink-three-card", "rws-progressive-holdem"
PROCEDURES = {
    MULTILINK: ("card_shoe", "electronic_shuffler"),
    THREE_CARD: ("card_shoe", "shuffler_community_last", "shuffler_community_first"),
    VERSION_6: ("card_shoe", "electronic_shuffler"),
}
RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "cdhs"]

LEAST, MOST, PRESCRIBED, ADDED, RESET = 500, 10_000, 500, 100, 500_000
"""In cents: both limits of every Bet, the jackpot Bet, what it adds to the meter, the reset value."""

Cards: TypeAlias = Sequence[str]
Rank: TypeAlias = tuple[int, list[int]]
Line: TypeAlias = tuple[int, str, int, int]
"""Staked, outcome, won, returned."""
Award: TypeAlias = tuple[int, str, int]
"""Box, hand, amount."""

ROYAL, STRAIGHT_FLUSH, QUADS, FULL_HOUSE, FLUSH, STRAIGHT = 9, 8, 7, 6, 5, 4
HANDS = {9: "royal_flush", 8: "straight_flush", 7: "four_of_a_kind", 6: "full_house", 5: "flush", 4: "straight"}


# ---------------------------------------------------------------- ranking (3.1)


def _values(cards: Cards) -> tuple[list[int], list[int], list[int], bool]:
    """The values from the top, then grouped by how often each comes, how often, and whether all suits agree."""
    values = sorted((RANKS.index(card[0]) + 2 for card in cards), reverse=True)
    groups = sorted(Counter(values).items(), key=lambda group: (-group[1], -group[0]))
    return values, [value for value, _ in groups], [count for _, count in groups], len({c[1] for c in cards}) == 1


def _top_of_straight(values: list[int], lowest: list[int]) -> int | None:
    """The highest card of a sequence; the Ace is 1 in the lowest one."""
    if values == lowest:
        return lowest[1]
    in_sequence = all(above - below == 1 for above, below in pairwise(values))
    return values[0] if in_sequence else None


def five_cards(cards: Cards) -> Rank:
    values, grouped, counts, suited = _values(cards)
    top = _top_of_straight(values, [14, 5, 4, 3, 2])
    if suited and top is not None:
        return (ROYAL if top == 14 else STRAIGHT_FLUSH), [top]
    shapes = {(4, 1): QUADS, (3, 2): FULL_HOUSE, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    by_shape = shapes.get(tuple(counts), 0)
    if by_shape >= FULL_HOUSE:
        return by_shape, grouped
    if suited:
        return FLUSH, values
    return (STRAIGHT, [top]) if top is not None else (by_shape, grouped)


def best_of(cards: Cards) -> Rank:
    return max(five_cards(five) for five in combinations(cards, 5))


def three_cards(cards: Cards) -> Rank:
    values, grouped, counts, suited = _values(cards)
    top = _top_of_straight(values, [14, 3, 2])
    if top is not None:
        return (5 if suited else 3), [top]
    if counts == [3]:
        return 4, grouped
    if suited:
        return 2, values
    return (1 if counts[0] == 2 else 0), grouped


# ---------------------------------------------------------------- pay tables (4)

PAIR_PLUS = {5: 40, 4: 30, 3: 5, 2: 4, 1: 1}
ANTE_BONUS = {5: 5, 4: 4, 3: 1}
MULTILINK_FIXED = {QUADS: 200_000, FULL_HOUSE: 20_000, FLUSH: 10_000}
THREE_CARD_FOR_ONE = {QUADS: 400, FULL_HOUSE: 80, FLUSH: 40, STRAIGHT: 20}
BONUS_MOST = 10_000_000


def bonus_odds(own: Cards, dealer: Cards) -> int:
    high, low = sorted((RANKS.index(card[0]) + 2 for card in own), reverse=True)
    suited = own[0][1] == own[1][1]
    match (high, low):
        case (14, 14):
            return 1000 if all(card[0] == "A" for card in dealer) else 30
        case (14, 13):
            return 25 if suited else 15
        case (14, 12 | 11):
            return 20 if suited else 5
        case _ if high == low:
            return 10 if high >= 11 else 3
    return 0


# ---------------------------------------------------------------- a Round as it was played


@dataclass
class BoxPlayed:
    """One box: its cards, what lay on it, and what became of the hand."""

    number: int
    cards: Cards
    stakes: dict[str, int] = field(default_factory=dict)
    decided: dict[str, int] = field(default_factory=dict)
    folded: bool = False
    refused: bool = False
    proved: bool = False


@dataclass
class RoundPlayed:
    """A Round, and the steps of its script."""

    game: str
    community: Cards
    dealer: Cards
    boxes: list[BoxPlayed]
    steps: list[dict[str, object]]


def _decimal(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def _dealt(random: Random) -> list[str]:
    """A shuffled deck; every second one has a suit or a few ranks on top, so that rare hands come up."""
    deck = random.sample(DECK, 52)
    if random.random() < 0.5:
        return deck
    suit, ranks = random.choice("cdhs"), random.sample(RANKS, 3)
    hot = [c for c in deck if c[0] in "89TJQKA" and c[1] == suit] if random.random() < 0.6 else []
    hot = hot or [card for card in deck if card[0] in ranks]
    top = hot[:8] if random.random() < 0.5 else random.sample([*hot[:8], *(c for c in deck if c not in hot)][:14], 14)
    return [*top, *(card for card in deck if card not in top)]


def play(random: Random, game: str) -> RoundPlayed:
    """A Round of chance in which every step is lawful or was not noticed in time."""
    deck, size, side = _dealt(random), 2 + (game == THREE_CARD), _side_bet(game)
    board = 2 if game == THREE_CARD else 5
    numbers = sorted(random.sample(range(1, 7), random.randint(1, 4)))
    community, deck = deck[:board], deck[board:]
    boxes = [BoxPlayed(number, deck[i * size : (i + 1) * size]) for i, number in enumerate(numbers)]
    dealer = deck[len(boxes) * size : (len(boxes) + 1) * size]
    cards = {str(box.number): " ".join(box.cards) for box in boxes}
    steps: list[dict[str, object]] = [
        {"do": "open", "cards": {**cards, "community": " ".join(community), "dealer": " ".join(dealer)}}
    ]
    for box in boxes:
        alone = game == THREE_CARD and random.random() < 0.2
        if not alone:
            box.stakes["ante"] = random.choice((500, 1000, 3335, 10_000, random.randint(500, 10_000), 15_000, 301))
        if alone or random.random() < 0.6:
            box.stakes[side] = random.choice((500, 777, 10_000, 10_001, 12_345, 99))
        if random.random() < 0.7:
            box.stakes["jackpot"] = random.choice((500, 500, 500, 800, 300))
        for bet, cents in box.stakes.items():
            fine = cents == PRESCRIBED and not alone if bet == "jackpot" else LEAST <= cents <= MOST
            where = {"player": f"p{box.number}", "box": box.number, "bet": bet, "amount": _decimal(cents)}
            steps.append({"do": "bet", **where, "noticed": fine})
    steps.append({"do": "close_bets"})
    played = RoundPlayed(game, community, dealer, boxes, steps)
    streets = ("play",) if game == THREE_CARD else ("flop", "turn", "river")
    for street in streets:
        acting = [box for box in boxes if "ante" in box.stakes and not box.folded]
        for box in random.sample(acting, len(acting)):
            if street == streets[-1]:
                _may_refuse(random, played, box)
            _act(random, played, box, street, first=street == streets[0])
    return played


def _side_bet(game: str) -> str:
    return "pair_plus" if game == THREE_CARD else "bonus"


def _may_refuse(random: Random, played: RoundPlayed, box: BoxPlayed) -> None:
    if random.random() < 0.12:
        box.refused = True
        played.steps.append({"do": "refuse_reveal", "box": box.number})
        by_side_bet = played.game == THREE_CARD and "pair_plus" in box.stakes
        worth = by_side_bet or box.stakes.get("jackpot", 0) >= PRESCRIBED
        if worth and random.random() < 0.5:
            box.proved = True
            played.steps.append({"do": "prove", "box": box.number})


def _act(random: Random, played: RoundPlayed, box: BoxPlayed, street: str, *, first: bool) -> None:
    if random.random() < 0.05:
        box.folded = True
        played.steps.append({"do": "walk_away", "player": f"p{box.number}"})
        return
    if random.random() < (0.3 if first else 0.5):
        box.folded = first
        played.steps.append({"do": "decide", "box": box.number, "choice": "fold" if first else "check"})
        return
    step: dict[str, object] = {"do": "decide", "box": box.number, "choice": street}
    box.decided[street] = box.stakes["ante"] * _times(street)
    if random.random() < 0.15:
        box.decided[street] = random.choice((100, 4000, 50_000))
        step |= {"amount": _decimal(box.decided[street]), "noticed": False}
    played.steps.append(step)


def _times(street: str) -> int:
    return 2 if street == "flop" else 1


# ---------------------------------------------------------------- the settlement (3.13 to 3.17, 4, 5.1 to 5.6)


def settle(played: RoundPlayed, meter: int) -> tuple[dict[tuple[int, str], Line], list[Award], int]:
    """Every line, every award in the order of boxes, and the meter afterwards."""
    lines: dict[tuple[int, str], Line] = {}
    awards: list[Award] = []
    meter += ADDED * sum("ante" in box.stakes and box.stakes.get("jackpot", 0) >= PRESCRIBED for box in played.boxes)
    for box in played.boxes:
        for bet, line in _against_the_dealer(played, box):
            lines[box.number, bet] = line
        for bet, line in _beside(played, box):
            lines[box.number, bet] = line
        staked = box.stakes.get("jackpot")
        if staked is None:
            continue
        if staked < PRESCRIBED or "ante" not in box.stakes:
            lines[box.number, "jackpot"] = (staked, "returned", 0, staked)
            continue
        won = _award(played, box, meter)
        if won is None:
            lines[box.number, "jackpot"] = (staked, "lose", 0, staked - PRESCRIBED)
            continue
        hand, amount, share = won
        lines[box.number, "jackpot"] = (staked, "win", amount, staked - PRESCRIBED)
        awards.append((box.number, hand, amount))
        meter = RESET if share == 100 else meter - amount if share else meter
    return lines, awards, meter


def _lost(box: BoxPlayed) -> bool:
    """Folded, or not shown: a proof saves the jackpot Bet alone, and Pair Plus in 3 Card Poker."""
    return box.folded or box.refused


def _line(staked: int, counts: int, outcome: str, odds: int = 1) -> Line:
    """A Bet of which only `counts` is in play; the rest goes back win or lose (5.1.1, 5.3.1)."""
    if outcome == "win":
        return staked, outcome, counts * odds, staked
    return staked, outcome, 0, staked - counts if outcome == "lose" else staked


def _against_the_dealer(played: RoundPlayed, box: BoxPlayed) -> Iterable[tuple[str, Line]]:
    if "ante" not in box.stakes:
        return
    ante = later = "lose"
    if not _lost(box):
        ante, later = _three_card_result(played, box) if played.game == THREE_CARD else _holdem_result(played, box)
    counts = min(box.stakes["ante"], MOST)
    yield "ante", _line(box.stakes["ante"], counts, ante)
    for street, staked in box.decided.items():
        yield street, _line(staked, min(staked, counts * _times(street)), later)


def _holdem_result(played: RoundPlayed, box: BoxPlayed) -> tuple[str, str]:
    own, dealers = best_of([*box.cards, *played.community]), best_of([*played.dealer, *played.community])
    if own == dealers:
        return "stand_off", "stand_off"
    if own < dealers:
        return "lose", "lose"
    return ("win" if own[0] >= STRAIGHT else "stand_off"), "win"


def _three_card_result(played: RoundPlayed, box: BoxPlayed) -> tuple[str, str]:
    own, dealers = three_cards(box.cards), three_cards(played.dealer)
    if dealers < (0, [12, 3, 2]):
        return "win", "stand_off"
    result = "stand_off" if own == dealers else "win" if own > dealers else "lose"
    return result, result


def _beside(played: RoundPlayed, box: BoxPlayed) -> Iterable[tuple[str, Line]]:
    """Bonus, Pair Plus and Ante Bonus."""
    side = _side_bet(played.game)
    staked = box.stakes.get(side)
    if played.game != THREE_CARD:
        odds = 0 if _lost(box) else bonus_odds(box.cards, played.dealer)
    else:
        odds = 0 if box.refused and not box.proved else PAIR_PLUS.get(three_cards(box.cards)[0], 0)
    if staked is not None:
        back = _line(staked, min(staked, MOST), "win" if odds else "lose", odds)
        yield side, (*back[:2], min(back[2], BONUS_MOST) if side == "bonus" else back[2], back[3])
    if played.game == THREE_CARD and "ante" in box.stakes and not _lost(box):
        paid = ANTE_BONUS.get(three_cards(box.cards)[0])
        if paid is not None:
            yield "ante_bonus", (0, "win", min(box.stakes["ante"], MOST) * paid, 0)


def _award(played: RoundPlayed, box: BoxPlayed, meter: int) -> tuple[str, int, int] | None:
    """The hand, its amount, and its share of the meter in per cent."""
    shown = not box.refused or box.proved
    if played.game == VERSION_6:
        return _version_6_award(played, box, meter, own=shown and not box.folded)
    if not shown:
        return None
    rank = five_cards([*box.cards, *(played.community[:3])])[0]
    if rank == ROYAL:
        return HANDS[rank], meter, 100
    if rank == STRAIGHT_FLUSH:
        return HANDS[rank], meter * 10 // 100, 10
    fixed = MULTILINK_FIXED.get(rank) if played.game == MULTILINK else PRESCRIBED * THREE_CARD_FOR_ONE.get(rank, 0)
    return (HANDS[rank], fixed, 0) if fixed else None


def _version_6_award(played: RoundPlayed, box: BoxPlayed, meter: int, *, own: bool) -> tuple[str, int, int] | None:
    """The greatest of the lines met; a fold or a hand not proved leaves the community's lines alone."""
    met: list[tuple[str, int, int]] = []
    board = five_cards(played.community)[0]
    if own:
        ranks = {n: {five_cards(f)[0] for f in combinations([*box.cards, *played.community[:n]], 5)} for n in (3, 4, 5)}
        if ROYAL in ranks[3]:
            met.append(("royal_flush_on_flop", meter, 100))
        elif ROYAL in ranks[4]:
            met.append(("royal_flush_on_turn", meter * 25 // 100, 25))
        elif ROYAL in ranks[5] and board != ROYAL:
            met.append(("royal_flush_on_river", meter * 5 // 100, 5))
        met += [(HANDS[rank], cents, 0) for rank, cents in ((8, 150_000), (7, 30_000)) if rank in ranks[5]]
    for rank, cents in ((9, 1_000_000), (8, 150_000), (7, 30_000)):
        if board == rank:
            met.append((f"community_{HANDS[rank]}", cents, 0))
    return max(met, key=lambda line: line[1], default=None)
