"""A scene: a Round at one table, played by the engine from a seed up to a moment, as a trainee would find it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from croupier.academy.planted_hands import planted_deck
from croupier.cards import Card
from croupier.jackpots.linked_tables import Tables
from croupier.money import Money, show
from croupier.rounds.choices import lawful_choices, may_examine
from croupier.rounds.commands import RoundCommand
from croupier.rounds.dealing import decision_due
from croupier.rounds.state import Box, HandStands, Round, Stage
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.description.phrases import words
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, BetKind, Place
from croupier.scripts.parse import Json, Step, parse_script, parse_step
from croupier.scripts.replay import ScriptPlayer

TABLE = "T1"
PEOPLE = ("Ana", "Ben", "Cho", "Dan", "Eve", "Fay", "Gus", "Hal")
_ANTES = (1, 2, 3, 4, 5, 7, 10, 15)
"""An Ante as a multiple of the least one."""
_WRONG_SIZES = 0.06
"""How many of the decision Bets have the wrong size."""


class Scene:
    """A Round in play, and the round script that leads to it."""

    def __init__(self, edition: str, rng: Random, *, boxes: int | None = None, deals: bool = True) -> None:
        """Without `deals` the Dealer's own work waits for `deal_next`."""
        self.rng = rng
        document: dict[str, Json] = {
            "jackpot": {
                "meter": show(rng.randrange(60_000, 400_000) * 100),
                "reset": "50000.00",
                "contribution": "0.20",
            },
            "tables": {
                TABLE: {"game": edition, "dealing": rng.choice([dealing.name for dealing in declare(edition).dealings])}
            },
            "steps": [],
        }
        self.document = document
        script = parse_script(document)
        self.terms: Terms = script.terms[TABLE]
        self._player = ScriptPlayer(script, deals=deals)
        self._steps: list[Json] = []
        self._boxes = boxes

    # ---------------------------------------------------------------- what is there

    @property
    def tables(self) -> Tables:
        return self._player.tables

    @property
    def state(self) -> Round:
        return self._player.tables.rounds[TABLE]

    @property
    def script(self) -> dict[str, Json]:
        """The round script up to here, for `croupier replay`."""
        return {**self.document, "steps": list(self._steps)}

    def do(self, do: str, **fields: Json) -> bool:
        """Take one step; return whether the rules allow it."""
        refused = len(self._player.refusals)
        step: dict[str, Json] = {"do": do, **fields}
        self._player.take(parse_step(len(self._steps), step, self.tables.terms))
        if len(self._player.refusals) > refused:
            return False
        self._steps.append(step)
        return True

    def give(self, command: RoundCommand) -> bool:
        """Take one step that is a command already; return whether the rules allow it."""
        refused = len(self._player.refusals)
        self._player.take(Step(len(self._steps), TABLE, command))
        return len(self._player.refusals) == refused

    def deal_next(self) -> bool:
        """Do the next piece of the Dealer's work; return whether there was one."""
        return self._player.deal_next(len(self._steps), TABLE)

    # ---------------------------------------------------------------- play

    def open_round(self, boxes: list[int]) -> None:
        """Open a Round with cards for these boxes."""
        self.do("open", cards=self._cards(boxes))

    def place_bets(self) -> None:
        """Open a Round and place Bets on some boxes: Antes everywhere, side Bets and jackpot Bets on most."""
        rng, terms = self.rng, self.terms
        count = self._boxes or rng.randint(2, min(4, terms.boxes))
        numbers = sorted(rng.sample(range(1, terms.boxes + 1), count))
        self.open_round(numbers)
        seats = rng.sample(PEOPLE, count)
        if count > 2 and terms.book.seating.several_boxes and rng.random() < 0.4:
            seats[-1] = seats[0]
        for number, person in zip(numbers, seats, strict=True):
            for bet in terms.book.bets:
                amount = self.stake(bet.name, bet.kind)
                if amount:
                    self.do("bet", player=person, box=number, bet=bet.name, amount=show(amount))

    def stake(self, bet: str, kind: BetKind) -> Money:
        """Return what a Player puts on a Bet before the deal; 0 for nothing."""
        rng = self.rng
        if kind is BetKind.JACKPOT:
            return (self.terms.jackpot_bet or 0) if rng.random() < 0.7 else 0
        if kind not in (BetKind.ENTRY, BetKind.SIDE) or (kind is BetKind.SIDE and rng.random() < 0.3):
            return 0
        limits = self.terms.limits[bet]
        return min(limits.minimum * rng.choice(_ANTES), limits.maximum)

    def _cards(self, boxes: list[int]) -> dict[str, Json]:
        dealing = self.terms.dealing
        sizes = {
            "community": dealing.cards_to(Place.COMMUNITY),
            "dealer": dealing.cards_to(Place.DEALER),
            **{str(number): dealing.cards_to(Place.BOXES) for number in boxes},
        }
        deck = planted_deck(self.terms.book, self.rng, sizes)
        return {place: " ".join(cards) for place, cards in deck.items() if cards}

    def close_bets(self) -> None:
        self.do("close_bets")

    def look(self) -> None:
        """Let one Player look at their cards, or handle them without looking."""
        for box in self.rng.sample(self.state.boxes, len(self.state.boxes)):
            player = box.seated
            if player is not None and may_examine(self.terms, self.state, box, player):
                self.do("examine", player=player, box=box.number)
                return

    def handle(self) -> None:
        """Let one Player touch their cards without looking."""
        for box in self.state.boxes:
            if box.seated is not None and self.do("handle", player=box.seated, box=box.number):
                return

    def decide(self, count: int) -> None:
        """Make this many decisions, or as many as there are: bets more often than folds and checks."""
        for _ in range(count):
            due = decision_due(self.terms, self.state)
            lawful = lawful_choices(self.terms, self.state)
            if due is None or not lawful:
                return
            box = self.rng.choice(sorted({choice.box for choice in lawful}))
            own = [choice.choice for choice in lawful if choice.box == box]
            chosen = due[0].bet if due[0].bet in own and self.rng.random() < 0.65 else self.rng.choice(own)
            if chosen == due[0].bet and self.rng.random() < _WRONG_SIZES:
                self._bet_wrongly(box, chosen)
            else:
                self.do("decide", box=box, choice=chosen)

    def _bet_wrongly(self, box: int, choice: str) -> None:
        """Place a decision Bet that is a little too great or too small, which nobody notices in time."""
        ante = self.state.box(box).staked(ANTE_BET)
        amount = self.terms.amount_of(choice, ante) + self.rng.choice((-1, 1)) * max(ante // 500 * 250, 100)
        self.do("decide", box=box, choice=choice, amount=show(amount), noticed=False)

    def play_out(self) -> None:
        """Play on to the settlement."""
        self.decide(100)


# ---------------------------------------------------------------- a Round in words


def described(terms: Terms, state: Round) -> tuple[str, ...]:
    """Describe a Round as it lies, for a person who comes to the table."""
    lines = [_box_in_words(state, box) for box in state.boxes if box.stakes]
    lines.append(_stage_in_words(terms, state))
    return tuple(lines)


def _box_in_words(state: Round, box: Box) -> str:
    stakes = ", ".join(f"{words(stake.bet).title()} {show(stake.amount)}" for stake in box.stakes)
    said = [f"Box {box.number}, {box.seated}: {stakes}."]
    if box.seen_by:
        said.append(f"{' and '.join(box.seen_by)} has looked at this hand.")
    elif box.handled:
        said.append("The hand was touched and not looked at.")
    if box.stands is HandStands.FOLDED:
        said.append("Folded.")
    elif state.stage is Stage.PLAYING and box.choices:
        said.append(f"Decided: {', '.join(box.choices)}.")
    return " ".join(said)


_STAGES = {
    Stage.BETTING: "Bets are open, and no card is dealt.",
    Stage.IDLE: "No round is open.",
    Stage.SETTLED: "The round is settled, and the next one is not open.",
    Stage.VOID: "The round is void.",
}


def _stage_in_words(terms: Terms, state: Round) -> str:
    if state.stage in _STAGES:
        return _STAGES[state.stage]
    if not state.dealt:
        return "Bets are closed, and no card is dealt."
    turned = len(state.community)
    cards = f"{turned} community cards are turned" if turned else "no community card is turned"
    if state.dealer:
        return f"Bets are closed, {cards}, the hands are shown, and no bet is settled yet."
    if not terms.dealing.cards_to(Place.COMMUNITY):
        cards = "the Dealer's cards are not turned"
    looked = "" if state.has_seen_cards else " No player has looked at a card."
    due = decision_due(terms, state)
    waits = f" Still to decide {words(due[0].bet)} or {due[0].otherwise}: {boxes_in_words(due[1])}." if due else ""
    return f"Bets are closed, hands are dealt, {cards}.{looked}{waits}"


def boxes_in_words(boxes: Sequence[int]) -> str:
    """Return boxes for a sentence: "box 2", "boxes 2, 4 and 5"."""
    *first, last = map(str, boxes)
    return f"boxes {', '.join(first)} and {last}" if first else f"box {last}"


def face_up(state: Round) -> Mapping[str, tuple[Card, ...]]:
    """Return what lies face up, by place."""
    shown = {"community": state.community, "dealer": state.dealer}
    shown |= {str(box.number): box.cards for box in state.boxes if box.face_up}
    return {place: cards for place, cards in shown.items() if cards}
