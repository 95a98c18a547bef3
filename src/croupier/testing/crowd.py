"""A crowd for trying a house out: random people at tables, who mostly play and sometimes err, and decks that often make
jackpots. Chance comes in from outside, so that a run can be repeated.
"""

from __future__ import annotations

from random import Random

from croupier.cards import DECK, Card
from croupier.floor.records.commands import (
    AtTable,
    BuyIn,
    CashOut,
    HouseCommand,
    OnLink,
    OpenLink,
    OpenTable,
    TableConfig,
)
from croupier.floor.records.committed_decks import Chance
from croupier.jackpots import commands as link_commands
from croupier.jackpots.parameters import Parameters, Rate
from croupier.money import money
from croupier.rounds.choices import lawful_choices
from croupier.rounds.commands import (
    ChooseOption,
    CloseBets,
    DecideHand,
    ExamineHand,
    GiveRuling,
    OpenRound,
    PlaceBet,
    RefuseReveal,
    ReportIncident,
    RoundCommand,
    SetJackpotMode,
    WalkAway,
    WithdrawBet,
)
from croupier.rounds.state import Round, Stage
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET, BetKind, Incident, Role

LINK = "main"
PARAMETERS = (
    Parameters(reset=money("50000.00"), contribution=Rate(7, 33), reserve=Rate(1, 7), cap=money("123500.00")),
    Parameters(reset=money("40000.00"), contribution=Rate(3, 14), reserve=Rate(2, 13)),
)
_INCIDENTS = (
    Incident.CARDS_EXPOSED,
    Incident.MISDEALT,
    Incident.DEALING_ERROR,
    Incident.TECHNICAL_INTERRUPTION,
    Incident.JACKPOT_MALFUNCTION,
    Incident.SIMULTANEOUS_DRAW,
    Incident.WRONG_BOX_COUNT,
    Incident.FOREIGN_CARD,
)


def opening(tables: int, people: int) -> list[HouseCommand]:
    """List the commands that open a house: one link, tables of all five games in turn, and people with chips."""
    commands: list[HouseCommand] = [OpenLink(link=LINK, meter=money("123456.78"), parameters=PARAMETERS[0])]
    for number in range(tables):
        # Every second one is staffed, so that two people sign for its major awards.
        config = TableConfig(game=GAMES[number % len(GAMES)], link=LINK, staffed=number % 2 == 1)
        commands.append(OpenTable(table=f"T{number + 1}", config=config))
    commands.extend(BuyIn(player=name, amount=money("50000.00")) for name in names(people))
    return commands


def seeded(seed: int | str) -> Random:
    """Make a chance that repeats itself."""
    return Random(seed)  # noqa: S311  a run that can be repeated


def names(people: int) -> list[str]:
    return [f"p{number}" for number in range(people)]


def rich_chance(random: Random, share: float) -> Chance:
    """Make a chance that puts one suit on top in this share of shuffles, so that links have awards to pay."""
    picks: list[int] = []

    def below(n: int) -> int:
        if n == len(DECK):
            picks[:] = reversed(_picks(_suited(random))) if random.random() < share else []
        return picks.pop() if picks else random.randrange(n)

    return Chance(below, random.randbytes)


def _suited(random: Random) -> list[Card]:
    """Stack a deck with one suit first, so that those dealt in make straight flushes and royals.

    Or put a run of five where the Community Cards of a small table lie, so that all players have them.
    """
    suit, lowest = random.choice("cdhs"), random.choice((0, 2, 4, 4))
    suited = [card for card in DECK if card[1] == suit]
    foremost = suited[lowest : lowest + 9]
    rest = [card for card in DECK if card not in foremost]
    random.shuffle(rest)
    if random.random() < 0.5:
        random.shuffle(foremost)
        return [*foremost, *sorted(rest, key=lambda card: card[1] != suit)]
    run, others = foremost[-5:], [*foremost[:-5], *rest]
    random.shuffle(others)
    start = random.choice((4, 6, 8))
    return [*others[:start], *run, *others[start:]]


def _picks(wanted: list[Card]) -> list[int]:
    """Compute the numbers that make a shuffle give this order."""
    order, picks = list(DECK), []
    for last in range(len(order) - 1, 0, -1):
        pick = order.index(wanted[last])
        picks.append(pick)
        order[last], order[pick] = order[pick], order[last]
    return picks


# ---------------------------------------------------------------- what a person does next


class Crowd:
    """Who plays where: each box of a table has its regular."""

    def __init__(self, random: Random, people: int, *, boxes: int = 3, trouble: float = 0.02) -> None:
        self.random, self.people, self.boxes, self.trouble = random, names(people), boxes, trouble

    def at_table(self, name: str, terms: Terms, state: Round) -> HouseCommand:
        """Return the next command at a table."""
        return AtTable(table=name, command=self._act(name, terms, state))

    def hopefully(self, name: str, terms: Terms, state: Round) -> AtTable:
        """Act as `at_table`, but mostly play on and bet on the jackpot, so that there are enough winners at a time.

        Now and then a settled Round turns out to be void, more often one with a claim.
        """
        random, command = self.random, self._act(name, terms, state)
        if state.stage is Stage.SETTLED and random.random() < (0.2 if state.claims else 0.05):
            wrong = ReportIncident(incident=Incident.WRONG_DEALER_COUNT, by=Role.SHIFT_MANAGER, reconstructible=False)
            return AtTable(table=name, command=wrong)
        if random.random() < 0.1:
            return AtTable(table=name, command=command)
        bets = {lawful.box: lawful.bet for lawful in lawful_choices(terms, state) if lawful.bet is not None}
        match command:
            case DecideHand(box=box) if box in bets:
                command = DecideHand(box=box, choice=bets[box])
            case CloseBets() if terms.jackpot_bet is not None and not state.standing.jackpot_suspended:
                for area in state.boxes:
                    if area.seated is not None and area.has(ANTE_BET) and not area.has(JACKPOT_BET):
                        command = PlaceBet(
                            player=area.seated, box=area.number, bet=JACKPOT_BET, amount=terms.jackpot_bet
                        )
            case _:
                pass
        return AtTable(table=name, command=command)

    def elsewhere(self, tables: list[str], linked: bool) -> HouseCommand:
        """Return a command at the cashier, or about the link."""
        random = self.random
        kind = random.random()
        if kind < 0.7 or not linked:
            player, amount = random.choice(self.people), 100 * random.randint(1, 90_000)
            buys = random.random() < 0.6
            return BuyIn(player=player, amount=amount) if buys else CashOut(player=player, amount=amount)
        acts: tuple[HouseCommand, ...] = (
            link_commands.CloseLink(link=LINK, by="ines"),
            link_commands.ReopenLink(link=LINK, by="ines"),
            link_commands.ReopenLink(link=LINK, by="jon"),
            link_commands.ChangeParameters(link=LINK, by="ines", second="jon", parameters=random.choice(PARAMETERS)),
            link_commands.AdjustMeter(
                link=LINK, by="ines", second="jon", amount=random.choice((-1, 1, 250)), cause="A trial."
            ),
            link_commands.ReleaseAward(table=random.choice(tables), by=Role.SHIFT_MANAGER),
            link_commands.RuleDealOrder(
                table=random.choice(tables),
                by=Role.SHIFT_MANAGER,
                tables=tuple(random.sample(tables, min(3, len(tables)))),
            ),
            OnLink(link=LINK, report=ReportIncident(incident=Incident.JACKPOT_MALFUNCTION, by=Role.SHIFT_MANAGER)),
        )
        return random.choices(acts, (2, 6, 6, 1, 1, 3, 2, 0.3))[0]

    def about_award(self, table: str, award: int) -> HouseCommand:
        """Have a person of the pit sign, or now and then the shift manager deny."""
        by = self.random.choice(("ines", "jon", "kim"))
        if self.random.random() < 0.1:
            return link_commands.DenyAward(
                table=table, award=award, by=Role.SHIFT_MANAGER, who=by, text="A card was foreign."
            )
        return link_commands.SignAward(table=table, award=award, by=by)

    def _act(self, name: str, terms: Terms, state: Round) -> RoundCommand:
        random = self.random
        if random.random() < self.trouble:
            return self._trouble(name, terms)
        if state.awaiting:
            waits = random.choice(state.awaiting)
            if waits.role is None:
                return ChooseOption(box=random.choice(waits.boxes), option=random.choice(waits.options))
            boxes = waits.report.boxes
            return GiveRuling(by=Role.SHIFT_MANAGER, decision=random.choice(waits.decisions), boxes=boxes)
        if state.standing.closed or (state.standing.jackpot_suspended and random.random() < 0.2):
            return SetJackpotMode(by=Role.SHIFT_MANAGER, mode="restore")
        match state.stage:
            case Stage.BETTING:
                return self._bet(name, terms, state)
            case Stage.PLAYING:
                return self._decide(terms, state)
            case _:
                return OpenRound()

    def _bet(self, name: str, terms: Terms, state: Round) -> RoundCommand:
        random = self.random
        placed = sum(len(box.stakes) for box in state.boxes)
        if placed and random.random() < placed / (2 * self.boxes):
            return CloseBets()
        number = random.randint(1, min(self.boxes, terms.boxes))
        box = state.box(number)
        player = self._regular(name, number)
        if not box.has(ANTE_BET):
            limits = terms.limits[ANTE_BET]
            return PlaceBet(player=player, box=number, bet=ANTE_BET, amount=limits.minimum * random.randint(1, 3))
        beside = (BetKind.SIDE, BetKind.JACKPOT)
        others = [bet for bet in terms.book.bets if bet.kind in beside and not box.has(bet.name)]
        if not others:
            return CloseBets()
        bet = random.choice(others)
        amount = terms.jackpot_bet if bet.kind is BetKind.JACKPOT else terms.limits[bet.name].minimum
        return PlaceBet(player=player, box=number, bet=bet.name, amount=amount or money("5.00"))

    def _decide(self, terms: Terms, state: Round) -> RoundCommand:
        random = self.random
        choices = lawful_choices(terms, state)
        if not choices:
            return OpenRound()
        number = random.choice(list(dict.fromkeys(lawful.box for lawful in choices)))
        seated = state.box(number).seated
        if seated is not None and seated not in state.box(number).seen_by and random.random() < 0.3:
            return ExamineHand(player=seated, box=number)
        return DecideHand(box=number, choice=random.choice([own.choice for own in choices if own.box == number]))

    def _trouble(self, name: str, terms: Terms) -> RoundCommand:
        random = self.random
        number = random.randint(1, min(self.boxes, terms.boxes))
        player = self._regular(name, number)
        bets = [bet.name for bet in terms.book.bets]
        report = ReportIncident(
            incident=random.choice(_INCIDENTS),
            by=random.choice((Role.DEALER, Role.PIT_SUPERVISOR, Role.SHIFT_MANAGER)),
            boxes=(number,),
            player=player,
            count=random.choice((1, 2)),
            reconstructible=random.choice((True, False)),
        )
        acts: tuple[RoundCommand, ...] = (
            report,
            report,
            WalkAway(player=player),
            WithdrawBet(player=player, box=number, bet=random.choice(bets)),
            RefuseReveal(box=number),
            PlaceBet(player=player, box=number, bet=random.choice(bets), amount=random.choice((1, 777, 10**9))),
            DecideHand(box=number, choice=random.choice(bets), amount=random.choice((1, 4001)), noticed=False),
        )
        return random.choice(acts)

    def _regular(self, table: str, box: int) -> str:
        return self.people[(int(table[1:]) * self.boxes + box) % len(self.people)]
