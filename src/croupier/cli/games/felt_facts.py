"""The cards on the felt at the ruling desk: read or asked for, and the layouts that they allow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import click
import msgspec
from rich.console import Console
from rich.text import Text

from croupier.cli.terminal.errors import Wrong
from croupier.rounds.commands import FeltFacts, Pile
from croupier.rounds.events import JackpotBet
from croupier.rounds.irregularities.ruling_desk import DeskBet
from croupier.rounds.reconstruction.answer import Finding, find
from croupier.rounds.reconstruction.layouts import BadFacts
from croupier.rounds.state import HandStands, Round, Stage, Stake, new_table
from croupier.rulebooks.terms import BadTerms, table_terms
from croupier.rulebooks.vocabulary import JACKPOT_BET, IncidentName
from croupier.scripts.printer import indented


def felt_finding(game: str, incident: IncidentName, told: object, bets: Iterable[DeskBet]) -> Finding:
    """Compute the layouts from the `felt` of a file: `dealing`, `piles`, `together`, `at`, `slips`."""
    try:
        felt = msgspec.convert(told, dict[str, object])
        written = msgspec.convert(felt.pop("piles", {}), dict[str, str | dict[str, object]])
        dealing = msgspec.convert(felt.pop("dealing", None), str | None)
        facts = msgspec.convert({**felt, "piles": {}, "incident": incident}, FeltFacts)
        piles = {place: _pile(pile) for place, pile in written.items()}
        return _found(game, dealing, msgspec.structs.replace(facts, piles=piles), bets)
    except (msgspec.ValidationError, BadFacts, BadTerms) as wrong:
        raise Wrong(f"felt: {wrong}") from None


def _pile(written: str | Mapping[str, object]) -> Pile:
    if isinstance(written, str):
        return Pile(tuple(written.split()))
    return msgspec.convert({**written, "cards": str(written.get("cards", "")).split()}, Pile)


def _found(game: str, dealing: str | None, facts: FeltFacts, bets: Iterable[DeskBet]) -> Finding:
    terms = table_terms(game, dealing=dealing)
    return find(terms, _round(terms.boxes, facts, tuple(bets)), facts)


def _round(boxes: int, facts: FeltFacts, bets: tuple[DeskBet, ...]) -> Round:
    """Return a Round as the desk knows it: the bets that lie, and a Hand at every place with cards or bets."""
    numbers = {int(place) for place in facts.piles if place.isdigit()} | {bet.box for bet in bets}
    hands = tuple(number for number in sorted(numbers) if 1 <= number <= boxes)
    state = new_table(boxes)
    for number in hands:
        stakes = tuple(Stake(bet.player or "player", bet.bet, bet.amount) for bet in bets if bet.box == number)
        state = state.with_box(msgspec.structs.replace(state.box(number), stakes=stakes, stands=HandStands.LIVE))
    jackpot = tuple(JackpotBet(b.box, b.player or "player", b.amount) for b in bets if b.bet == JACKPOT_BET)
    return msgspec.structs.replace(state, number=1, stage=Stage.PLAYING, hands=hands, jackpot_bets=jackpot)


def ask_felt(game: str, incident: IncidentName, out: Console) -> None:
    """Ask for the cards on the felt, which is optional, and print what they allow."""
    piles: dict[str, Pile] = {}
    prompt = "Cards at a place in the order they came, as in 1 As ?? (or nothing)"
    while text := click.prompt(prompt, default="", show_default=False):
        place, *cards = text.split()
        piles[place] = Pile(tuple(cards))
    if not piles:
        return
    try:
        print_finding(_found(game, None, FeltFacts(incident=incident, piles=piles), ()), out)
    except BadFacts as wrong:
        click.echo(str(wrong))


def print_finding(found: Finding, out: Console) -> None:
    """Print the layouts for people."""
    out.print()
    out.print(Text(found.says, "bold"))
    for number, layout in enumerate(found.layouts, 1):
        head = "" if found.determined else f"Layout {number}: "
        indented(Text(f"{head}{'; '.join(layout.moves) or 'every card lies where it belongs'}."), 2, out)
        if layout.money is not None:
            nets = ", ".join(f"box {box} {amount}" for box, amount in layout.money.items())
            indented(Text(f"In money as the bets lie: {nets}."), 4, out)
