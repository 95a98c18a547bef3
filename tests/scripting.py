"""Round scripts as tests write them: one function for each step, a table with its cards, and expectations that compare
only what they name. Everything goes through the same door as the floor: a JSON document, parsed and replayed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from croupier.jackpots.linked_tables import Happened
from croupier.money import show
from croupier.rounds.events import CardsDealt, RoundEvent
from croupier.scripts.parse import Script, parse_script
from croupier.scripts.replay import ScriptPlayer
from croupier.scripts.result import RefusalResult, Result, RoundResult

Step: TypeAlias = Mapping[str, object]

_USUAL_PLAYER = ("", "ana", "ben", "cai", "dee", "eve", "fay", "gus")


def player_of(box: int) -> str:
    """Who sits at a box where a test does not say otherwise: ana at box 1, ben at box 2, cai at box 3 …"""
    return _USUAL_PLAYER[box] if 0 < box < len(_USUAL_PLAYER) else "zoe"


# ---------------------------------------------------------------- tables and the link


@dataclass(frozen=True)
class Table:
    """A table of the script and the cards of its first Round, which is open from the start."""

    fields: Mapping[str, object]
    name: str | None
    cards: Mapping[str, str]
    opened: bool


@dataclass(frozen=True)
class Jackpot:
    """The link that every table of the script shares."""

    fields: Mapping[str, object]


def table(
    game: str,
    *,
    name: str | None = None,
    opened: bool = True,
    dealing: str | None = None,
    boxes: int | None = None,
    limits: Mapping[str, Sequence[str]] | None = None,
    jackpot_bet: str | None = None,
    pay_tables: Mapping[str, Mapping[str, str]] | None = None,
    rulings: Mapping[str, str] | None = None,
    cards: Mapping[str, str] | None = None,
    **places: str,
) -> Table:
    """A table, named T1, T2 … in its order unless it is named; its cards go to `community`, `dealer`, `box_1` …, each
    an argument of its own or all of them in `cards`."""
    fields: dict[str, object] = {"game": game}
    wanted = {"dealing": dealing, "boxes": boxes, "jackpot_bet": jackpot_bet, "pay_tables": pay_tables}
    fields.update({key: value for key, value in wanted.items() if value is not None})
    if rulings is not None:
        fields["rulings"] = dict(rulings)
    if limits is not None:
        fields["limits"] = {bet: list(pair) for bet, pair in limits.items()}
    return Table(fields, name, _places({**(cards or {}), **places}), opened)


def jackpot(meter: str = "100000.00", *, reset: str = "50000.00", contribution: str = "0.20") -> Jackpot:
    return Jackpot({"meter": meter, "reset": reset, "contribution": contribution})


def _places(cards: Mapping[str, str]) -> dict[str, str]:
    return {place.removeprefix("box_"): named for place, named in cards.items()}


# ---------------------------------------------------------------- steps


def _step(do: str, at: str | None, **fields: object) -> Step:
    step: dict[str, object] = {"do": do}
    if at is not None:
        step["table"] = at
    step.update({key: value for key, value in fields.items() if value is not None})
    return step


def open_round(*, at: str | None = None, cards: Mapping[str, str] | None = None, **places: str) -> Step:
    """ "Place your Bets, please": the next Round of a table, and its cards."""
    return _step("open", at, cards=_places({**(cards or {}), **places}))


def bet(
    box: int,
    kind: str,
    amount: str,
    *,
    player: str | None = None,
    by: str | None = None,
    noticed: bool | None = None,
    at: str | None = None,
) -> Step:
    player = player or player_of(box)
    return _step("bet", at, player=player, box=box, bet=kind, amount=amount, by=by, noticed=noticed)


def withdraw(box: int, kind: str, *, player: str | None = None, at: str | None = None) -> Step:
    return _step("withdraw", at, player=player or player_of(box), box=box, bet=kind)


def close_bets(*, at: str | None = None) -> Step:
    return _step("close_bets", at)


def examine(box: int, *, player: str | None = None, noticed: bool | None = None, at: str | None = None) -> Step:
    return _step("examine", at, player=player or player_of(box), box=box, noticed=noticed)


def handle(box: int, *, player: str | None = None, at: str | None = None) -> Step:
    return _step("handle", at, player=player or player_of(box), box=box)


def decide(
    box: int, choice: str, *, amount: str | None = None, noticed: bool | None = None, at: str | None = None
) -> Step:
    return _step("decide", at, box=box, choice=choice, amount=amount, noticed=noticed)


def decides(box: int, *choices: str, at: str | None = None) -> list[Step]:
    """All that one box decides, one betting round after the other."""
    return [decide(box, choice, at=at) for choice in choices]


def walk_away(player: str, *, at: str | None = None) -> Step:
    return _step("walk_away", at, player=player)


def refuse_reveal(box: int, *, at: str | None = None) -> Step:
    return _step("refuse_reveal", at, box=box)


def prove(box: int, *, at: str | None = None) -> Step:
    return _step("prove", at, box=box)


def view_hand(box: int, *, by: str, at: str | None = None) -> Step:
    return _step("view_hand", at, box=box, by=by)


def restrict(player: str, *, by: str, at: str | None = None) -> Step:
    return _step("restrict", at, player=player, by=by)


def report(
    incident: str,
    *,
    at: str | None = None,
    by: str | None = None,
    facts: Mapping[str, object] | None = None,
    **more: object,
) -> Step:
    """An irregularity noticed now; its facts are the fields that the script format names for it, each an argument of
    its own or all of them in `facts`."""
    return _step("report", at, incident=incident, by=by, **{**(facts or {}), **more})


def choose(box: int, option: str, *, at: str | None = None) -> Step:
    return _step("choose", at, box=box, option=option)


def rule(decision: str, *, by: str, at: str | None = None, **fields: object) -> Step:
    return _step("rule", at, decision=decision, by=by, **fields)


def jackpot_mode(mode: str, *, by: str = "shift_manager", box: int | None = None, at: str | None = None) -> Step:
    return _step("jackpot_mode", at, mode=mode, by=by, box=box)


# ---------------------------------------------------------------- expectations


@dataclass(frozen=True)
class Line:
    """What one Bet came to, as a script prints it."""

    player: str
    outcome: str
    staked: str
    won: str
    returned: str
    rules: tuple[str, ...]
    because: str


@dataclass(frozen=True)
class Award:
    """What the jackpot paid to one box."""

    box: int
    player: str
    hand: str
    pays: str
    amount: str
    rules: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Expected:
    """Equal to anything that has the named fields; `rules` are those that must be among the cited ones."""

    named: Mapping[str, object]
    rules: tuple[str, ...] = field(default=())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Line | Award):
            return False
        same = all(getattr(other, name) == value for name, value in self.named.items())
        return same and set(self.rules) <= set(other.rules)

    def __hash__(self) -> int:
        return hash(tuple(self.named))


def line(
    outcome: str,
    *,
    staked: str | None = None,
    won: str | None = None,
    returned: str | None = None,
    player: str | None = None,
    rules: str | Iterable[str] = (),
) -> Expected:
    """A line to compare with; `rules` as one text are separated by spaces."""
    named = {"outcome": outcome, "staked": staked, "won": won, "returned": returned, "player": player}
    return Expected({name: value for name, value in named.items() if value is not None}, _cited(rules))


def award(
    hand: str,
    amount: str | None = None,
    *,
    box: int | None = None,
    pays: str | None = None,
    player: str | None = None,
    rules: str | Iterable[str] = (),
) -> Expected:
    """A jackpot payment to compare with."""
    named = {"hand": hand, "amount": amount, "box": box, "pays": pays, "player": player}
    return Expected({name: value for name, value in named.items() if value is not None}, _cited(rules))


def _cited(rules: str | Iterable[str]) -> tuple[str, ...]:
    return tuple(rules.split()) if isinstance(rules, str) else tuple(rules)


# ---------------------------------------------------------------- playing


class Played:
    """What a script came to, asked in a test's words. `number` counts a table's rounds from 1; `at` names the table
    where there are several."""

    def __init__(self, result: Result, events: Sequence[tuple[str, RoundEvent]]) -> None:
        self.result = result
        self.events = events

    def round(self, number: int = 1, *, at: str | None = None) -> RoundResult:
        name = at or self.result.rounds[0].table
        return next(found for found in self.result.rounds if (found.table, found.round) == (name, number))

    def line(
        self, box: int, kind: str, *, player: str | None = None, number: int = 1, at: str | None = None
    ) -> Line | None:
        """The line of this Bet; None where it has none."""
        found = self.round(number, at=at).line(box, kind, player)
        if found is None:
            return None
        return Line(
            player=found.player,
            outcome=found.outcome.value,
            staked=show(found.staked),
            won=show(found.won),
            returned=show(found.returned),
            rules=found.rules,
            because=found.because,
        )

    def lines(self, box: int, *, number: int = 1, at: str | None = None) -> dict[str, Line | None]:
        """Every line of a box, by Bet."""
        kinds = [found.bet for found in self.round(number, at=at).lines if found.box == box]
        return {kind: self.line(box, kind, number=number, at=at) for kind in kinds}

    def awards(self, *, number: int = 1, at: str | None = None) -> list[Award]:
        return [
            Award(paid.box, paid.player, paid.hand, paid.pays, show(paid.amount), paid.rules)
            for paid in self.round(number, at=at).awards
        ]

    def status(self, *, number: int = 1, at: str | None = None) -> str:
        return self.round(number, at=at).status

    def awaiting(self, *, number: int = 1, at: str | None = None) -> tuple[dict[str, object], ...]:
        """What the Round waits for: `what` is bets, decision, options, ruling or award."""
        return self.round(number, at=at).awaiting

    def notices(self, *, number: int = 1, at: str | None = None) -> list[str]:
        return [notice.text for notice in self.round(number, at=at).notices]

    @property
    def refusals(self) -> tuple[RefusalResult, ...]:
        return self.result.refusals

    @property
    def codes(self) -> list[str]:
        """The codes of all refusals, in the order of the steps."""
        return [refusal.code for refusal in self.result.refusals]

    @property
    def meter(self) -> str:
        """The jackpot's meter in the end."""
        assert self.result.meter is not None, "the script has no jackpot"
        return show(self.result.meter)

    def net(self, player: str) -> str:
        return show(self.result.net[player])

    def dealt(self, *, at: str | None = None) -> list[str]:
        """Where every card went, in the order of the shoe: box numbers, dealer, community, burn."""
        name = at or self.result.rounds[0].table
        dealt = [event for where, event in self.events if where == name and isinstance(event, CardsDealt)]
        return [place for event in dealt for place in event.to]


class _Witness(ScriptPlayer):
    """The player of scripts, with every event kept."""

    def __init__(self, script: Script) -> None:
        super().__init__(script)
        self.events: list[tuple[str, RoundEvent]] = []

    def _enter(self, happened: Happened) -> None:
        self.events.extend(happened.events)
        link = happened.tables.link
        assert link is None or link.balances, "what came onto the link is on it, or was paid"
        super()._enter(happened)


def document(*items: Table | Jackpot | Step | Sequence[Step]) -> dict[str, object]:
    """The round script that these tables, this link and these steps make."""
    tables: dict[str, object] = {}
    script: dict[str, object] = {"tables": tables}
    steps: list[Step] = []
    for item in items:
        match item:
            case Table():
                name = item.name or f"T{len(tables) + 1}"
                tables[name] = item.fields
                if item.opened:
                    steps.append({"do": "open", "table": name, "cards": item.cards})
            case Jackpot():
                script["jackpot"] = item.fields
            case Mapping():
                steps.append(item)
            case _:
                steps.extend(item)
    first = next(iter(tables))
    script["steps"] = [{"table": first, **step} for step in steps]
    return script


def replay(*items: Table | Jackpot | Step | Sequence[Step]) -> Played:
    """Play a script of these tables, this link and these steps; a step that names no table is the first table's."""
    witness = _Witness(parse_script(document(*items)))
    for step in witness.script.steps:
        witness.take(step)
    return Played(witness.result(), witness.events)
