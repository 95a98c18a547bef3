"""Random settlements that a Dealer's hands carry out with random errors, chip by chip.

The felt here knows chips and the lines of the settlement, and nothing of the acts' own arithmetic. Run as a command:
`python -m tests.laws.mispays --settlements 10000 --seed 1`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from time import perf_counter

from croupier.ledger import accounts
from croupier.ledger.entries import TableAccounts
from croupier.rounds.commands import ConfirmActs, Confirming, EnterAct, OpenRound, ResolveMispay
from croupier.rounds.evolve import evolve
from croupier.rounds.settlement_acts import Act, acts, cannot_open, open_acts
from croupier.rounds.state import Round, Stage, new_table
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.terms import table_terms
from croupier.rulebooks.vocabulary import ChipMove, Role
from tests.laws.acting import anything, decks
from tests.laws.driving import House, linked

TABLE = "T1"
PROCEDURES = [(game, dealing.name) for game in GAMES for dealing in table_terms(game).book.dealings]
Spot = tuple[int, str, str]


class Felt:
    """Chips: on the spots of the layout, in the rack, and with players."""

    def __init__(self, state: Round) -> None:
        self.spots: Counter[Spot] = Counter()
        self.rack = 0
        self.stacks: Counter[str] = Counter()
        for box in state.boxes:
            for stake in (*box.stakes, *(part.stake for part in box.returned)):
                self.spots[box.number, stake.player, stake.bet] += stake.amount
                self.stacks[stake.player] -= stake.amount

    def take(self, spot: Spot, amount: int) -> None:
        assert 0 <= amount <= self.spots[spot]
        self.spots[spot] -= amount
        self.rack += amount

    def pay(self, player: str, amount: int) -> None:
        self.rack -= amount
        self.stacks[player] += amount

    def sweep(self) -> None:
        """Players take what is left on the layout: it is theirs."""
        for (_, player, _), amount in self.spots.items():
            self.stacks[player] += amount
        self.spots.clear()


class Sitting:
    """One table whose settlements are confirmed, and a Dealer who errs."""

    def __init__(self, game: str, dealing: str, random: Random, errs: float) -> None:
        self.random, self.errs = random, errs
        self.house = House(linked({TABLE: game}, {TABLE: dealing}), decks(random))
        self.counts: Counter[str] = Counter()
        self._before: Counter[str] = Counter()
        """Balances before the Round."""

    def settle_one(self) -> None:
        """Play a Round to its end, pay it out with errors, and check every account against the chips."""
        random, house = self.random, self.house
        confirms = random.choice((Confirming.TOGETHER, Confirming.EACH))
        assert house.do(TABLE, OpenRound(confirms=confirms)) is None
        trouble = random.choice((0.0, 0.1))
        for _ in range(400):
            if house.state(TABLE).stage in (Stage.SETTLED, Stage.VOID) and not house.state(TABLE).awaiting:
                break
            house.do(TABLE, anything(random, house.terms(TABLE), house.state(TABLE), trouble=trouble))
        else:
            raise AssertionError("the round did not end")
        self._pay_out(confirms)

    def _pay_out(self, confirms: Confirming) -> None:
        random, house = self.random, self.house
        terms, state = house.terms(TABLE), house.state(TABLE)
        felt, found, stood = Felt(state), Counter[Spot](), Counter[Spot]()
        raw: Counter[Spot] = Counter(dict(felt.spots))
        every = acts(terms, state)
        wrong = seen = 0
        while left := open_acts(terms, house.state(TABLE)):
            assert cannot_open(terms, house.state(TABLE)) is not None
            act, spot = left[0], (left[0].box, left[0].player, left[0].bet)
            did, amount = self._hand(act, felt.spots[spot])
            if did is ChipMove.TAKE:
                felt.take(spot, amount)
                raw[spot] -= amount
            else:
                felt.pay(act.player, amount)
                raw[spot] += amount
            due = (act.move, act.amount) if act.move in (ChipMove.TAKE, ChipMove.PAY) else (did, 0)
            right = (did, amount) == due or (amount == 0 and due[1] == 0)
            wrong += not right
            who, by = random.choice((("dealer", Role.DEALER), ("camera", None)))
            if right and random.random() < 0.7:
                assert house.do(TABLE, ConfirmActs(acts=(act.number,), who=who, by=by)) is None
            else:
                entered = EnterAct(act=act.number, did=did, amount=amount, who=who, by=by)
                assert house.do(TABLE, entered) is None
            mispay = house.state(TABLE).mispay
            assert (mispay is None) == right
            if mispay is not None:
                seen += 1
                found[spot] += mispay.over
                self._resolve(felt, spot, mispay.over, stood)
            elif confirms is Confirming.TOGETHER and random.random() < 0.05:
                self._rest(felt, raw)
        assert cannot_open(terms, house.state(TABLE)) is None
        felt.sweep()
        self._check(felt, raw, found, stood)
        assert seen == wrong
        self.counts.update(settlements=1, acts=len(every), errors=wrong, found=seen)
        self.counts.update({f"{house.state(TABLE).stage.value} rounds": 1, "stood": sum(map(bool, stood.values()))})

    def _hand(self, act: Act, lies: int) -> tuple[ChipMove, int]:
        """What the Dealer's hand does: the act, or now and then something else."""
        random = self.random
        if random.random() >= self.errs:
            if act.move is ChipMove.TAKE:
                return ChipMove.TAKE, min(act.amount, lies)
            return ChipMove.PAY, act.amount if act.move is ChipMove.PAY else 0
        if random.random() < 0.5:
            return ChipMove.TAKE, random.choice((0, lies, lies // 2, min(act.amount, lies), random.randint(0, lies)))
        off = random.choice((1, 100, 500, act.amount, 14 * act.amount))
        return ChipMove.PAY, random.choice((0, act.amount + off, max(act.amount - off, 0), act.lies))

    def _resolve(self, felt: Felt, spot: Spot, over: int, stood: Counter[Spot]) -> None:
        random, house = self.random, self.house
        assert house.do(TABLE, ResolveMispay(by=Role.DEALER, who="dealer", put_right=False, text="gone")) is not None
        assert house.do(TABLE, ConfirmActs(acts=(house.state(TABLE).acts_done,), who="dealer")) is not None
        if random.random() < 0.7:
            assert house.do(TABLE, ResolveMispay(by=Role.DEALER, who="dealer", put_right=True)) is None
            felt.pay(spot[1], -over)  # chips go from hand to hand: the rack gets what the player had too much
            return
        ruled = ResolveMispay(by=Role.SHIFT_MANAGER, who="shift", put_right=False, text="The player has left.")
        assert house.do(TABLE, ruled) is None
        stood[spot] += over

    def _rest(self, felt: Felt, raw: Counter[Spot]) -> None:
        """Do everything that is left as due, and confirm it at once; where a spot is short, one by one goes on."""
        house = self.house
        left = open_acts(house.terms(TABLE), house.state(TABLE))
        needs: Counter[Spot] = Counter()
        for act in left:
            if act.move is ChipMove.TAKE:
                needs[act.box, act.player, act.bet] += act.amount
        if not left or any(felt.spots[spot] < amount for spot, amount in needs.items()):
            return
        for act in left:
            spot = (act.box, act.player, act.bet)
            if act.move is ChipMove.TAKE:
                felt.take(spot, act.amount)
                raw[spot] -= act.amount
            elif act.move is ChipMove.PAY:
                felt.pay(act.player, act.amount)
                raw[spot] += act.amount
        confirmed = ConfirmActs(acts=tuple(act.number for act in left), who="dealer", by=Role.DEALER)
        assert house.do(TABLE, confirmed) is None
        self.counts["confirmed at once"] += 1

    def _check(self, felt: Felt, raw: Counter[Spot], found: Counter[Spot], stood: Counter[Spot]) -> None:
        """What was found is what the chips differ from the lines by; the ledger is where the chips are."""
        state = self.house.state(TABLE)
        ends: Counter[Spot] = Counter()
        for line in state.lines:
            if line.round == state.number:
                ends[line.box, line.player, line.bet] += line.won + line.returned
        for claim in state.claims:
            ends[claim.box, claim.player, "jackpot"] += claim.staked - claim.counts
        for spot in {*raw, *ends}:
            assert raw[spot] - ends[spot] == found[spot], spot
        held = balances(self.house)
        assert held[accounts.mispays(TABLE)] == 0
        assert held[accounts.layout(TABLE)] == 0
        won: Counter[str] = Counter()
        for (_, player, _), amount in ends.items():
            won[player] += amount
        for (_, player, _), amount in stood.items():
            won[player] += amount
        staked: Counter[str] = Counter()
        for box in state.boxes:
            for stake in (*box.stakes, *(part.stake for part in box.returned)):
                staked[stake.player] += stake.amount
        for player in {*won, *staked}:
            assert felt.stacks[player] == won[player] - staked[player]
        self._balances_moved(felt, held)

    def _balances_moved(self, felt: Felt, held: Counter[str]) -> None:
        """Across the Round the ledger moved as the chips did."""
        for player, amount in felt.stacks.items():
            assert held[accounts.player(player)] - self._before[accounts.player(player)] == amount
        assert held[accounts.bank(TABLE)] - self._before[accounts.bank(TABLE)] == felt.rack
        self._before = held


def balances(house: House) -> Counter[str]:
    """The ledger of the table, from its events alone."""
    ledger, state = TableAccounts(TABLE, "main"), new_table(house.terms(TABLE).boxes)
    held: Counter[str] = Counter()
    for event in house.events[TABLE]:
        moved = ledger.round_entry(state, event)
        for account, amount in moved.postings if moved is not None else ():
            held[account] += amount
        state = evolve(state, event)
    return held


def sittings(seed: int, settlements: int, *, errs: float = 0.25, rounds: int = 5) -> Iterator[Counter[str]]:
    """Play so many settlements over every game and procedure."""
    random = Random(seed)
    done = 0
    while done < settlements:
        sitting = Sitting(*PROCEDURES[(done // rounds) % len(PROCEDURES)], random, errs)
        for _ in range(min(rounds, settlements - done)):
            sitting.settle_one()
            done += 1
        yield sitting.counts


def main() -> None:
    """Play settlements with errors, and print what was found."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--settlements", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    total, began = Counter[str](), perf_counter()
    for counts in sittings(asked.seed, asked.settlements):
        total.update(counts)
    lines = [f"{what}: {count:,}" for what, count in total.items()]
    sys.stdout.write("\n".join([*lines, f"{perf_counter() - began:.0f} s, seed {asked.seed}\n"]))


if __name__ == "__main__":
    main()
