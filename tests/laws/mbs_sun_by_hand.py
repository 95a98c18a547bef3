"""MBS Megalink and Sun Casino Hold'em settled a second time, from the documents and with no code of ours.

It covers a Round in which the cards are right: bets within, over and under the limits, folds, checks, hands left or not
shown, one to five units on the jackpot, pooled and shared awards, the meter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from tests.laws.rws_by_hand import (
    DECK,
    FLUSH,
    FULL_HOUSE,
    HANDS,
    QUADS,
    RANKS,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    Award,
    Cards,
    Line,
    Rank,
    best_of,
    bonus_odds,
    five_cards,
)

MBS, SUN = "mbs-megalink-holdem", "sun-casino-holdem"
PROCEDURES = {MBS: ("method_a", "method_b", "method_c", "manual"), SUN: ("standard",)}

UNIT, FINE = 500, 100
"""The jackpot Bet in cents; a cent of the meter is so many parts here."""
ANTE, BONUS = (1000, 50_000), (500, 50_000)
FOR_ONE = {QUADS: 400, FULL_HOUSE: 80, FLUSH: 40, STRAIGHT: 20}
SUN_ANTE = {ROYAL: 100, STRAIGHT_FLUSH: 20, QUADS: 10, FULL_HOUSE: 3, FLUSH: 2}
PAIR_OF_FOURS: Rank = (1, [4])


@dataclass
class BoxPlayed:
    """One box of one player: its cards, what lay on it, what he chose, and how he ended."""

    number: int
    cards: Cards
    stakes: dict[str, int] = field(default_factory=dict)
    choices: list[str] = field(default_factory=list)
    left: bool = False
    hidden: bool = False

    @property
    def player(self) -> str:
        return f"p{self.number}"


@dataclass
class RoundPlayed:
    """The cards, the boxes, and the steps of the script."""

    game: str
    community: Cards
    dealer: Cards
    boxes: list[BoxPlayed]
    steps: list[Mapping[str, object]]


def shown(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


# ---------------------------------------------------------------- Rounds of chance


def _dealt(random: Random, game: str, count: int) -> tuple[Cards, Cards, list[Cards]]:
    """Cards that make jackpot hands often: a run of one suit on the board, and its neighbours in the hands."""
    suit, low = random.choice("cdhs"), random.randrange(9)
    run = [RANKS[(low + step) % 13] + suit for step in range(5 if game == SUN else 3)]
    near = [RANKS[(low + step) % 13] + suit for step in (-2, -1, 3, 4)]
    if random.random() < 0.4:
        run, near = [], []
    rest = [card for card in random.sample(DECK, 52) if card not in (*run, *near)]
    pairs = [near[:2], near[2:]] if game == MBS and near else []
    random.shuffle(pairs)
    hands: list[Cards] = [
        pairs.pop() if pairs and random.random() < 0.7 else [rest.pop(), rest.pop()] for _ in range(count)
    ]
    community = [*run, *(rest.pop() for _ in range(5 - len(run)))]
    return community, [rest.pop(), rest.pop()], random.sample(hands, count)


def _stakes(random: Random, game: str) -> dict[str, int]:
    """An Ante, and what may lie beside it."""
    jackpot = {"jackpot": UNIT * random.choice((1, 1, 2, 3, 5) if game == MBS else (1,))}
    beside = jackpot if random.random() < 0.7 else {}
    if game == SUN:
        return {"ante": random.choice((1000, 1001, 50_000)), **beside}
    bonus = {"bonus": random.choice((500, 501, 60_000))} if random.random() < 0.5 else {}
    return {"ante": random.choice((700, 1000, 1001, 49_999, 50_000, 61_000)), **bonus, **beside}


def play(random: Random, game: str) -> RoundPlayed:
    """A Round with every decision, and the steps that tell it."""
    numbers = sorted(random.sample(range(1, 8), random.randint(1, 4)))
    community, dealer, hands = _dealt(random, game, len(numbers))
    boxes = [BoxPlayed(n, cards, _stakes(random, game)) for n, cards in zip(numbers, hands, strict=True)]
    places = {"community": community, "dealer": dealer, **{str(box.number): box.cards for box in boxes}}
    steps: list[Mapping[str, object]] = [
        {"do": "open", "cards": {place: " ".join(cards) for place, cards in places.items()}}
    ]
    for box in boxes:
        for bet, amount in box.stakes.items():
            placed = {"do": "bet", "player": box.player, "box": box.number, "bet": bet, "amount": shown(amount)}
            steps.append({**placed, "noticed": False})
    steps.append({"do": "close_bets"})
    streets = (("fold", "flop"), ("check", "turn"), ("check", "river")) if game == MBS else (("fold", "call"),)
    for otherwise, bet in streets:
        for box in random.sample(boxes, len(boxes)):
            if box.left or "fold" in box.choices:
                continue
            if game == MBS and random.random() < 0.06:
                box.left = True
                steps.append({"do": "walk_away", "player": box.player})
                continue
            if game == MBS and not box.hidden and box.choices and random.random() < 0.06:
                box.hidden = True
                steps.append({"do": "refuse_reveal", "box": box.number})
            choice = bet if random.random() < 0.6 else otherwise
            box.choices.append(choice)
            steps.append({"do": "decide", "box": box.number, "choice": choice})
    return RoundPlayed(game, community, dealer, boxes, steps)


# ---------------------------------------------------------------- one Bet


def _counted(amount: int, most: int) -> int:
    """MBS 5.14: over the maximum only the maximum is paid or collected."""
    return min(amount, most)


def _lost(amount: int, counts: int) -> Line:
    return amount, "lose", 0, amount - counts


def _won(amount: int, counts: int, odds: int) -> Line:
    return amount, "win", counts * odds, amount


def _mbs_box(box: BoxPlayed, played: RoundPlayed, lines: dict[tuple[int, str], Line]) -> None:
    """3.9.1, 3.10.1 to 3.10.4, 4.1.1, 5.11, 5.14; the jackpot Bet apart."""
    ante, most = box.stakes["ante"], ANTE[1]
    times = {"ante": 1, "flop": 2, "turn": 1, "river": 1}
    stakes = {bet: ante * times[bet] for bet in ("ante", *box.choices) if bet in times}
    own, theirs = (best_of([*cards, *played.community]) for cards in (box.cards, played.dealer))
    folded = "fold" in box.choices
    for bet, amount in stakes.items():
        counts = _counted(amount, most * times[bet])
        if folded or box.hidden or own < theirs:
            line = _lost(amount, counts)
        elif own == theirs or (bet == "ante" and own[0] < STRAIGHT):
            line = (amount, "stand_off", 0, amount)
        else:
            line = _won(amount, counts, 1)
        lines[box.number, bet] = line
    if "bonus" in box.stakes:
        amount = box.stakes["bonus"]
        counts = _counted(amount, BONUS[1])
        odds = 0 if folded or box.hidden else bonus_odds(box.cards, played.dealer)
        lines[box.number, "bonus"] = _won(amount, counts, odds) if odds else _lost(amount, counts)


def _sun_box(box: BoxPlayed, played: RoundPlayed, lines: dict[tuple[int, str], Line]) -> None:
    """How to Play ¶3 to ¶5, Payouts, Stand Off, with the common stakeboard."""
    ante = box.stakes["ante"]
    own, theirs = (best_of([*cards, *played.community]) for cards in (box.cards, played.dealer))
    odds = SUN_ANTE.get(own[0], 1)
    if "call" not in box.choices:
        lines[box.number, "ante"] = _lost(ante, ante)
        return
    call = 2 * ante
    if theirs < PAIR_OF_FOURS:
        both = _won(ante, ante, odds), (call, "stand_off", 0, call)
    elif own > theirs:
        both = _won(ante, ante, odds), _won(call, call, 1)
    elif own == theirs:
        both = (ante, "stand_off", 0, ante), (call, "stand_off", 0, call)
    else:
        both = _lost(ante, ante), _lost(call, call)
    lines[box.number, "ante"], lines[box.number, "call"] = both


# ---------------------------------------------------------------- the meter


@dataclass
class Meter:
    """In parts of a cent, so that nothing is rounded before it is paid."""

    parts: int
    reset: int
    """The reset value in cents."""

    def pays(self, cents: int, *, all_of_it: bool = False) -> None:
        self.parts += (self.reset if all_of_it else 0) * FINE - cents * FINE


def _mbs_awards(played: RoundPlayed, meter: Meter, out: set[int]) -> list[Award]:
    """4.2 with 3.5.3.1, 3.15.1 (the running meter, divided equally) and 3.15.2 (the royal flush last)."""
    made: dict[int, list[BoxPlayed]] = {}
    for box in played.boxes:
        if "jackpot" in box.stakes and box.number not in out and not box.hidden:
            made.setdefault(five_cards([*box.cards, *played.community[:3]])[0], []).append(box)
    awards = [
        (box.number, HANDS[hand], odds * box.stakes["jackpot"])
        for hand, odds in FOR_ONE.items()
        for box in made.get(hand, [])
    ]
    pool, running = 0, meter.parts
    flushes = made.get(STRAIGHT_FLUSH, [])
    for _ in flushes:
        share = running // (10 * FINE)
        pool, running = pool + share, running - share * FINE
    if flushes:
        each = pool // len(flushes)
        awards += [(box.number, HANDS[STRAIGHT_FLUSH], each) for box in flushes]
        meter.pays(each * len(flushes))
    for box in made.get(ROYAL, []):
        awards.append((box.number, HANDS[ROYAL], meter.parts // FINE))
        meter.pays(meter.parts // FINE, all_of_it=True)
    return awards


def _sun_awards(played: RoundPlayed, meter: Meter) -> list[Award]:
    """Progressive Jackpot ¶1.c and ¶2.a: equal shares, the base value or a tenth of it the least, the House adds."""
    board = five_cards(played.community)[0]
    sharing = [box.number for box in played.boxes if "jackpot" in box.stakes]
    if not sharing or board < STRAIGHT_FLUSH:
        return []
    tenth = 1 if board == ROYAL else 10
    whole, least = meter.parts // (tenth * FINE), meter.reset // tenth
    each = max(whole // len(sharing), least)
    meter.pays(min(each * len(sharing), whole), all_of_it=board == ROYAL)
    return [(number, f"board_{HANDS[board]}", each) for number in sharing]


# ---------------------------------------------------------------- the Round


def settle(
    played: RoundPlayed, meter: Meter, share: int, known: set[str]
) -> tuple[dict[tuple[int, str], Line], list[Award]]:
    """Every line and award; `share` is what of a hundred a jackpot Bet adds, `known` who has had his one time."""
    lines: dict[tuple[int, str], Line] = {}
    small = {box.player for box in played.boxes if played.game == MBS and box.stakes["ante"] < ANTE[0]}
    out: set[int] = set()
    for box in played.boxes:
        absent = box.left and not box.choices
        if absent or (box.player in known and box.stakes["ante"] < ANTE[0]):
            out.add(box.number)
            ante = box.stakes["ante"]
            bets = {**box.stakes, **{bet: ante * (2 if bet == "flop" else 1) for bet in box.choices if bet in STREETS}}
            lines.update({(box.number, bet): (amount, "returned", 0, amount) for bet, amount in bets.items()})
            continue
        (_mbs_box if played.game == MBS else _sun_box)(box, played, lines)
    inside = [box for box in played.boxes if "jackpot" in box.stakes and box.number not in out]
    meter.parts += sum(box.stakes["jackpot"] for box in inside) * share * FINE // 100
    awards = _mbs_awards(played, meter, out) if played.game == MBS else _sun_awards(played, meter)
    paid = {number: amount for number, _, amount in awards}
    for box in inside:
        won = paid.get(box.number)
        lines[box.number, "jackpot"] = (box.stakes["jackpot"], "lose" if won is None else "win", won or 0, 0)
    known |= small - {box.player for box in played.boxes if box.left and not box.choices}
    return lines, sorted(awards)


STREETS = ("flop", "turn", "river")
