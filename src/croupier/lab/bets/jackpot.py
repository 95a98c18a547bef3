"""The jackpot Bet: how often each award is paid, what the fixed ones return, and from which meter the Bet is fair."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache

import msgspec

from croupier.cards import Card, Rank
from croupier.lab import cache
from croupier.lab.kernels.cards.ranking import rank_tables
from croupier.lab.kernels.cards.shapes import CLASSES
from croupier.lab.kernels.cards.suit_classes import canonical
from croupier.lab.kernels.enumerate import awards as kernels
from croupier.lab.kernels.enumerate.five_card import HANDS, rank_hands
from croupier.lab.kernels.runtime.compiler import Ints, sum_chunks, zeros
from croupier.lab.model.game import Game, Structure, Unsolvable
from croupier.lab.solve import called_boards, holdem
from croupier.lab.solve.holdem import STARTING_HANDS
from croupier.lab.solve.solution import Solution
from croupier.money import Fixed, ForOne, Money, ShareOfMeter
from croupier.rulebooks.pay_lines import meets
from croupier.rulebooks.vocabulary import Award, Jackpot, Participants

THREE, FIVE = 3, 5
"""Own cards of the games that are decided on them alone."""

Mask = int
"""The lines of the table that a deal makes together, bit by bit."""

Rows = tuple[tuple[int, bool, int, bool, bool], ...]
Key = tuple[int, Rows]
"""How many own cards a Hand has, and the lines."""


def award_key(game: Game) -> Key:
    """Return what of a jackpot table decides which deals make its lines."""
    awards = game.terms.book.jackpot.awards
    return game.own_cards, tuple(
        (int(each.rank), each.own, each.community, each.with_own_card, each.any_five) for each in awards
    )


def award_lines(key: Key) -> kernels.Lines:
    """Return the lines of a table as kernels read them."""
    _, rows = key
    columns = [zeros(len(rows)) for _ in range(5)]
    for at, row in enumerate(rows):
        for column, value in zip(columns, row, strict=True):
            column[at] = int(value)
    return kernels.Lines(*columns)


@lru_cache(maxsize=8)
def _counted(key: Key) -> Ints:
    """Return deals by starting hand and the lines they make; three or five own cards have one row for all Hands."""
    return cache.counts("awards", key, lambda: {"counts": _count(key)})["counts"]


def _count(key: Key) -> Ints:
    own, rows = key
    if own == FIVE:
        return _count_five(rows)
    three = own == THREE
    lines = award_lines(key)
    least = min((row[0] for row in rows), default=0)
    streets = max((row[2] for row in rows), default=0)
    size = 1 << len(rows)
    if three:
        dealt, ways, deals = *canonical(3), 1_176
    elif streets <= 3:
        dealt, ways, deals = *canonical(3), 19_600
    else:
        dealt, ways, deals = *canonical(5), 2_118_760 * 20

    def work(counts: Ints, first: int, last: int) -> None:
        if three:
            kernels.count_three_and_two(first, last, dealt, ways, lines, rank_tables(), counts[0])
        elif streets <= 3:
            kernels.count_flops(first, last, dealt, ways, least, lines, rank_tables(), counts)
        else:
            kernels.count_boards(first, last, dealt, ways, least, lines, rank_tables(), counts)

    counts = sum_chunks((1 if three else CLASSES, size), len(dealt), -(-len(dealt) // 64), work)
    hands = [22_100] if three else [hand.ways for hand in STARTING_HANDS]
    counts[:, 0] = 0
    counts[:, 0] = [each * deals for each in hands] - counts.sum(axis=1)
    return counts


def _count_five(rows: Rows) -> Ints:
    """Return Hands of five own cards by the lines that they make without a Community Card."""
    hands, ways = canonical(FIVE)
    strengths, counts = zeros(len(hands), 32), zeros((1, 1 << len(rows)))
    rank_hands(hands, rank_tables(), strengths)
    for rank in Rank:
        made = sum(
            1 << at for at, (line, own, community, *_) in enumerate(rows) if (line, own, community) == (rank, True, 0)
        )
        counts[0, made] += int(ways[strengths >> 20 == rank].sum())
    return counts


class Payment(msgspec.Struct, frozen=True):
    """What a mask of lines pays: a fixed amount, a share of the meter, the greater of the two or both."""

    fixed: Fraction
    share: Fraction
    both: bool

    def at(self, meter: Fraction) -> Fraction:
        from_meter = self.share * meter
        return self.fixed + from_meter if self.both else max(self.fixed, from_meter)


class JackpotFigures(msgspec.Struct, frozen=True):
    """The jackpot Bet beside a play; amounts in cents, figures for each unit of the Bet."""

    jackpot: Jackpot
    bet: Fraction
    """Staked on it, in cents."""
    amounts: Mapping[str, Fraction]
    """What each fixed line pays, in cents."""
    chances: Mapping[Mask, Fraction]
    meter: Fraction | None
    """The meter asked about, in cents."""
    participants: int = 1
    """Bets that share a shared line."""

    def paid_for(self, mask: Mask) -> Payment:
        """Return what these lines pay together."""
        return _paid(self.jackpot, mask, self.amounts, self.participants)

    @property
    def paid(self) -> dict[Mask, Payment]:
        return {mask: self.paid_for(mask) for mask in self.chances}

    def expected(self, meter: Fraction) -> Fraction:
        """Return the mean payment in cents at this meter."""
        return sum((chance * self.paid_for(mask).at(meter) for mask, chance in self.chances.items()), Fraction(0))

    @property
    def break_even_meter(self) -> Fraction | None:
        """Return the meter from which the Bet gives more than it takes; None where no meter does."""
        return self.meter_for(self.bet)

    def meter_for(self, wanted: Fraction) -> Fraction | None:
        """Return the meter from which this many cents are paid on average; None where none is high enough."""
        turns = sorted({paid.fixed / paid.share for paid in self.paid.values() if paid.share and not paid.both})
        low = Fraction(0)
        if self.expected(low) >= wanted:
            return low
        for high in (*turns, None):
            slope = self._share_beyond(low)
            if slope:
                meter = low + (wanted - self.expected(low)) / slope
                if high is None or meter <= high:
                    return meter
            if high is not None:
                low = high
        return None

    def _share_beyond(self, meter: Fraction) -> Fraction:
        """Return how much more is paid for each cent more on the meter, just above this one."""
        return sum(
            (
                self.chances[mask] * paid.share
                for mask, paid in self.paid.items()
                if paid.both or paid.share * meter >= paid.fixed
            ),
            Fraction(0),
        )

    @property
    def reference_meter(self) -> Fraction:
        """Return the meter that decides which line pays more: the one asked about, else the break-even one."""
        if self.meter is not None:
            return self.meter
        even = self.break_even_meter
        return Fraction(0) if even is None else even

    @property
    def meter_share(self) -> Fraction:
        """Return the part of the meter that one Bet wins on average."""
        return self._share_beyond(self.reference_meter)

    @property
    def fixed_return(self) -> Fraction:
        """Return what fixed awards return for each unit staked."""
        return (self.expected(self.reference_meter) - self.meter_share * self.reference_meter) / self.bet

    @property
    def made(self) -> dict[str, Fraction]:
        """Return how often the cards make each line, paid or not."""
        return {award.hand: self._chance(1 << at) for at, award in enumerate(self.jackpot.awards)}

    def _chance(self, bit: Mask) -> Fraction:
        return sum((chance for mask, chance in self.chances.items() if mask & bit), Fraction(0))

    @property
    def probabilities(self) -> dict[str, Fraction]:
        """Return how often each line is paid."""
        meter = self.reference_meter
        found = {award.hand: Fraction(0) for award in self.jackpot.awards}
        for mask, chance in self.chances.items():
            for hand in lines_paid(self.jackpot, mask, self.amounts, meter):
                found[hand] += chance
        return found


def amount(award: Award, jackpot: Jackpot, bet: Fraction, units: int) -> Fraction:
    """Return what a fixed line pays in cents on a Bet of this many units; zero for a share of the meter."""
    match award.pays:
        case Fixed(amount=cents):
            return Fraction(cents * units)
        case ForOne(odds=odds, per=per):
            paid = bet * odds / per
            return paid * units if jackpot.multiple_squared else paid
        case _:
            return Fraction(0)


def amounts(jackpot: Jackpot, bet: Fraction, units: int) -> dict[str, Fraction]:
    """Return what each fixed line pays in cents."""
    return {award.hand: amount(award, jackpot, bet, units) for award in jackpot.awards}


def lines_paid(jackpot: Jackpot, mask: Mask, amounts: Mapping[str, Fraction], meter: Fraction) -> tuple[str, ...]:
    """Return which of the lines made are paid: a shared one alone, every one, or the one of the greatest amount."""
    made = [award for at, award in enumerate(jackpot.awards) if mask >> at & 1]
    shared = next((award for award in made if award.shared), None)
    if shared is not None:
        return (shared.hand,)
    majors = [award for award in made if award.is_major]
    if jackpot.every_line:
        return tuple(award.hand for award in (*majors[:1], *(award for award in made if not award.is_major)))
    if not made:
        return ()

    def worth(award: Award) -> Fraction:
        if isinstance(award.pays, ShareOfMeter):
            return share_of(award) * meter
        return amounts[award.hand]

    return (max(made, key=worth).hand,)


def share_of(award: Award) -> Fraction:
    """Return the part of the meter that a line pays."""
    pays = award.pays
    return Fraction(pays.numerator, pays.denominator) if isinstance(pays, ShareOfMeter) else Fraction(0)


def _paid(jackpot: Jackpot, mask: Mask, amounts: Mapping[str, Fraction], participants: int) -> Payment:
    made = [award for at, award in enumerate(jackpot.awards) if mask >> at & 1]
    shared = next((award for award in made if award.shared), None)
    if shared is not None:
        return Payment(Fraction(0), share_of(shared) / participants, both=False)
    fixed = [amounts[award.hand] for award in made if not award.is_major]
    shares = [share_of(award) for award in made if award.is_major]
    if jackpot.every_line:
        return Payment(sum(fixed, Fraction(0)), shares[0] if shares else Fraction(0), both=True)
    return Payment(max(fixed, default=Fraction(0)), max(shares, default=Fraction(0)), both=False)


def pays(game: Game, stake: Money, participants: int = 1) -> Callable[[Mask], Payment]:
    """Return what lines pay together on a jackpot Bet of this amount, in cents."""
    book, unit = game.terms.book.jackpot, game.terms.jackpot_bet
    units = stake // unit if unit else 1
    fixed = amounts(book, Fraction(stake), units)
    return lambda mask: _paid(book, mask, fixed, participants)


def lines_met(jackpot: Jackpot, own: tuple[Card, ...], community: tuple[Card, ...]) -> Mask:
    """Return the lines that these cards make, card by card as the rulebook reads them."""
    return sum(1 << at for at, award in enumerate(jackpot.awards) if meets(award, own, community))


def claimable(jackpot: Jackpot, mask: Mask, *, folded: bool) -> Mask:
    """Return the lines a Hand may claim: after a fold, what the rulebook leaves of them."""
    if not folded:
        return mask
    for at, award in enumerate(jackpot.awards):
        lost = jackpot.folded_community_only and award.own
        called_only = award.shared and jackpot.participants is Participants.CALLED_HANDS
        if lost or called_only:
            mask &= ~(1 << at)
    return mask


def mask_chances(game: Game, hand: int, *, folded: bool) -> dict[Mask, Fraction]:
    """Return how likely each set of lines is with a starting hand; games on three or five own cards ask for hand 0."""
    row = _counted(award_key(game))[hand]
    whole = int(row.sum())
    found: defaultdict[Mask, Fraction] = defaultdict(Fraction)
    for mask, count in enumerate(row.tolist()):
        if count:
            found[claimable(game.terms.book.jackpot, mask, folded=folded)] += Fraction(count, whole)
    return found


def figures(
    solved: Solution,
    *,
    bet: Money | None = None,
    meter: Fraction | None = None,
    units: int = 1,
    participants: int = 1,
) -> JackpotFigures:
    """Return the jackpot Bet beside this play: the prescribed amount, or a multiple of it."""
    game = solved.game
    jackpot = game.terms.book.jackpot
    assert game.terms.jackpot_bet is not None
    staked = Fraction((bet or game.terms.jackpot_bet) * units)
    chances: defaultdict[Mask, Fraction] = defaultdict(Fraction)
    for share_of_deals, hand, folded in _hands(solved):
        for mask, chance in mask_chances(game, hand, folded=folded).items():
            chances[mask] += share_of_deals * chance
    if game.structure is Structure.FIVE_CARDS or called_boards.matters(game):
        for mask, chance in _made_folded(solved).items():
            chances[mask] -= chance
            chances[claimable(jackpot, mask, folded=True)] += chance
    assert sum(chances.values()) == 1
    return JackpotFigures(
        jackpot=jackpot,
        bet=staked,
        amounts=amounts(jackpot, staked, units),
        chances=chances,
        meter=meter,
        participants=participants,
    )


def folded_chances(solved: Solution) -> dict[Mask, Fraction]:
    """Return how likely a Hand is folded and still claims each set of lines; the empty set is left out."""
    game = solved.game
    book = game.terms.book.jackpot
    found: defaultdict[Mask, Fraction] = defaultdict(Fraction)
    if game.structure is Structure.THREE_CARDS:
        hands, ways = canonical(3)
        folded = zeros(len(hands))
        folded[:] = [0 if value.played else int(way) for value, way in zip(solved.hands, ways, strict=True)]
        lines = award_lines(award_key(game))
        counts = zeros(1 << len(lines.rank))
        kernels.count_three_and_two(0, len(hands), hands, folded, lines, rank_tables(), counts)
        for mask, count in enumerate(counts.tolist()):
            found[claimable(book, mask, folded=True)] += Fraction(count, 22_100 * 1_176)
    elif game.structure is Structure.STREETS:
        for share_of_deals, hand, folded_hand in _hands(solved):
            if folded_hand:
                for mask, chance in mask_chances(game, hand, folded=True).items():
                    found[mask] += share_of_deals * chance
    else:
        if game.structure is Structure.FLOP_FIRST and any(award.own for award in book.awards):
            raise Unsolvable("Awards on own cards after a fold on the flop are not counted apart.")
        for mask, chance in _made_folded(solved).items():
            found[claimable(book, mask, folded=True)] += chance
    found.pop(0, None)
    return dict(found)


def _made_folded(solved: Solution) -> dict[Mask, Fraction]:
    """Return how likely a Hand of five own cards, or one on the flop, is folded and makes each set of lines."""
    game = solved.game
    book = game.terms.book.jackpot
    if game.structure is Structure.FIVE_CARDS:
        ways: Counter[Mask] = Counter()
        for hand in solved.hands:
            if not hand.played:
                ways[lines_met(book, hand.cards, ())] += hand.ways
        return {mask: Fraction(count, HANDS) for mask, count in ways.items()}
    everything = called_boards.DEALS * called_boards.LATER

    def make() -> cache.Arrays:
        counts = zeros(1 << len(book.awards))
        for position in called_boards.positions(game):
            for board in position.boards if position.call <= -1 else ():
                counts[lines_met(book, position.hand, board)] += int(position.probability * called_boards.DEALS)
        return {"counts": counts}

    counts = cache.counts("folded-awards", (holdem.key(game), award_key(game)), make)["counts"]
    return {mask: Fraction(count, everything) for mask, count in enumerate(counts.tolist()) if count}


def _hands(solved: Solution) -> Iterable[tuple[Fraction, int, bool]]:
    """Return starting hands with their share of the deals, and whether they are folded."""
    if solved.game.decides_on_own_cards:
        return [(Fraction(1), 0, False)]
    by_hand = solved.game.structure is Structure.STREETS
    return [
        (Fraction(hand.ways, 1326), hand.number, by_hand and not value.played)
        for hand, value in zip(STARTING_HANDS, solved.hands, strict=True)
    ]
