"""Build a round script in Python: one method for each step; a refusal is a value or an exception."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from croupier.scripts.parse import BadScript, Choice, Decision, Mode, Option, parse_script, parse_step
from croupier.scripts.replay import replay
from croupier.scripts.result import RefusalResult, Result

Bet: TypeAlias = Literal["ante", "bonus", "pair_plus", "jackpot"]
RoleName: TypeAlias = Literal["dealer", "pit_supervisor", "pit_manager", "shift_manager"]
BuiltInIncident: TypeAlias = Literal[
    "foreign_card",
    "deck_count",
    "shoe_exhausted",
    "unshuffled",
    "cards_exposed",
    "misdealt",
    "wrong_community_count",
    "wrong_dealer_count",
    "wrong_box_count",
    "burn_missed",
    "dealing_error",
    "face_up_in_shoe",
    "simultaneous_draw",
    "technical_interruption",
    "jackpot_malfunction",
    "extra_hand_examined",
    "controls_multiple_hands",
    "not_confidential",
    "rules_breach",
    "late_error",
    "uncovered",
]
"""Incidents of every rulebook, for an editor to offer; a rulebook may declare others."""


class Refused(Exception):
    """A step that the rules forbid: the step, the reason and the paragraphs."""

    def __init__(self, refusal: RefusalResult, step: Mapping[str, object]) -> None:
        by = f" ({', '.join(refusal.rules)})" if refusal.rules else ""
        asked = ", ".join(f"{key} {value}" for key, value in step.items() if key != "do")
        super().__init__(f"{refusal.message}{by} Step {refusal.step}: {step['do']}{f', {asked}' if asked else ''}.")
        self.code: str = refusal.code
        self.message: str = refusal.message
        self.rules: tuple[str, ...] = refusal.rules
        self.step: int = refusal.step


class RoundScript:
    """The steps of one table, from the first bet on; `play` returns the result of every bet.

    Money is a text with two places, such as "50.00". With `meter` the table is on a jackpot link of its own. An invalid
    step (an unknown game, a card named twice) raises BadScript at once. A step that the rules forbid raises Refused
    when the script is played; with `strict=False` it is listed in the result.
    """

    def __init__(
        self,
        game: str,
        *,
        meter: str | None = None,
        reset: str = "50000.00",
        contribution: str = "0.20",
        dealing: str | None = None,
        boxes: int | None = None,
        limits: Mapping[str, tuple[str, str]] | None = None,
        jackpot_bet: str | None = None,
        pay_tables: Mapping[str, Mapping[str, str]] | None = None,
        rulings: Mapping[str, str] | None = None,
        table: str = "T1",
        strict: bool = True,
    ) -> None:
        named: dict[str, object] = {
            "game": game,
            "dealing": dealing,
            "boxes": boxes,
            "limits": _plain(limits),
            "jackpot_bet": jackpot_bet,
            "pay_tables": _plain(pay_tables),
            "rulings": _plain(rulings),
        }
        self.strict = strict
        self._table = {table: {key: value for key, value in named.items() if value is not None}}
        self._jackpot = None if meter is None else {"meter": meter, "reset": reset, "contribution": contribution}
        self._steps: list[dict[str, object]] = []
        self._terms = parse_script(self.document).terms

    # ---------------------------------------------------------------- the steps of every round

    def open(self, *, community: str = "", dealer: str = "", boxes: Mapping[int, str] | None = None) -> RoundScript:
        """Open a new Round ("Place your bets"); cards end up where named, such as `boxes={1: "Ah Kh"}`."""
        places = {"community": community, "dealer": dealer, **{str(box): hand for box, hand in (boxes or {}).items()}}
        return self._do("open", cards={place: cards for place, cards in places.items() if cards})

    def bet(
        self, player: str, box: int, bet: Bet, amount: str, *, by: RoleName | None = None, noticed: bool = True
    ) -> RoundScript:
        """Place a bet or add to it; `noticed=False` where it is wrong and staff did not see it in time."""
        return self._do(
            "bet", player=player, box=box, bet=bet, amount=amount, by=by, noticed=None if noticed else False
        )

    def withdraw(self, player: str, box: int, bet: Bet) -> RoundScript:
        """Take a bet back."""
        return self._do("withdraw", player=player, box=box, bet=bet)

    def close_bets(self) -> RoundScript:
        """Close bets ("No more bets"); the Dealer deals up to the first decision."""
        return self._do("close_bets")

    def examine(self, player: str, box: int, *, noticed: bool = True) -> RoundScript:
        """Look at a hand."""
        return self._do("examine", player=player, box=box, noticed=None if noticed else False)

    def handle(self, player: str, box: int) -> RoundScript:
        """Touch the cards of a hand without looking."""
        return self._do("handle", player=player, box=box)

    def decide(self, box: int, *choices: Choice) -> RoundScript:
        """Decide for a box, one betting round after the other."""
        for choice in choices:
            self._do("decide", box=box, choice=choice)
        return self

    def decide_wrongly(self, box: int, choice: Choice, amount: str) -> RoundScript:
        """Place a decision bet of the wrong size that staff have not noticed."""
        return self._do("decide", box=box, choice=choice, amount=amount, noticed=False)

    def walk_away(self, player: str) -> RoundScript:
        """Leave the table."""
        return self._do("walk_away", player=player)

    def refuse_reveal(self, box: int) -> RoundScript:
        """Refuse to show a hand."""
        return self._do("refuse_reveal", box=box)

    def prove(self, box: int) -> RoundScript:
        """Show the hand for the jackpot after a refusal."""
        return self._do("prove", box=box)

    # ---------------------------------------------------------------- staff, irregularities and rulings

    def view_hand(self, box: int, *, by: RoleName) -> RoundScript:
        """Let staff look at a hand that was not shown."""
        return self._do("view_hand", box=box, by=by)

    def restrict(self, player: str, *, by: RoleName) -> RoundScript:
        """Restrict a player to one position."""
        return self._do("restrict", player=player, by=by)

    def report(
        self,
        incident: BuiltInIncident | str,
        *,
        by: RoleName | None = None,
        box: int | None = None,
        boxes: Sequence[int] | None = None,
        affected: Sequence[int] | None = None,
        player: str | None = None,
        count: int | None = None,
        dealer: bool | None = None,
        community: bool | None = None,
        reconstructible: bool | None = None,
        correct: bool | None = None,
        text: str | None = None,
        cards: Mapping[str, str] | None = None,
    ) -> RoundScript:
        """Report an irregularity with the facts that its paragraphs ask for.

        `cards` are those of a new deal, where it leads to one, such as {"dealer": "3c 3d", "1": "Ah Kh"}.
        """
        return self._do(
            "report",
            incident=incident,
            by=by,
            box=box,
            boxes=None if boxes is None else list(boxes),
            affected=None if affected is None else list(affected),
            player=player,
            count=count,
            dealer=dealer,
            community=community,
            reconstructible=reconstructible,
            correct=correct,
            text=text,
            cards=_plain(cards),
        )

    def choose(self, box: int, option: Option) -> RoundScript:
        """Answer an option that the rules give a player."""
        return self._do("choose", box=box, option=option)

    def rule(
        self,
        decision: Decision | str,
        *,
        by: RoleName,
        box: int | None = None,
        boxes: Sequence[int] | None = None,
        player: str | None = None,
        text: str | None = None,
    ) -> RoundScript:
        """Give a ruling that the rules leave to a person."""
        listed = None if boxes is None else list(boxes)
        return self._do("rule", decision=decision, by=by, box=box, boxes=listed, player=player, text=text)

    def jackpot_mode(self, mode: Mode, *, by: RoleName, box: int | None = None) -> RoundScript:
        """Choose a measure of the House after a jackpot fault."""
        return self._do("jackpot_mode", mode=mode, by=by, box=box)

    def _do(self, do: str, **fields: object) -> RoundScript:
        step = {"do": do, **{key: value for key, value in fields.items() if value is not None}}
        parse_step(len(self._steps), step, self._terms)
        try:
            msgspec.json.encode(step)
        except (ValueError, OverflowError) as wrong:
            # Half of a character, or a number beyond 64 bits, which JSON cannot hold.
            raise BadScript(f"step {len(self._steps)}: {do} holds what JSON cannot: {wrong}.") from None
        self._steps.append(step)
        return self

    # ---------------------------------------------------------------- the script and what it comes to

    @property
    def document(self) -> dict[str, object]:
        """The script as its JSON document."""
        link = {} if self._jackpot is None else {"jackpot": self._jackpot}
        return {**link, "tables": self._table, "steps": list(self._steps)}

    def to_json(self) -> str:
        """Return the script as text, for `croupier replay`, a bug report or a drill."""
        return msgspec.json.format(msgspec.json.encode(self.document), indent=2).decode()

    def play(self) -> Result:
        """Play the script so far; raises Refused where it is strict and the rules forbid a step."""
        result = replay(parse_script(self.document))
        if self.strict and result.refusals:
            first = result.refusals[0]
            raise Refused(first, self._steps[first.step])
        return result


def _plain(value: object) -> object:
    """Return mappings and pairs as a JSON document has them; the parser refuses anything else."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return list(value) if isinstance(value, tuple) else value
