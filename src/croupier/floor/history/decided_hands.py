"""The decisions of a round that is over, each with the cards that its player could see: what the lab needs to value
them. Hands come from what the reader may see of the round, so a hand that was never shown to them has no value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from croupier.cards import Card
from croupier.floor.records.facts import DeckCommitted, DeckOpened, TableFact
from croupier.money import Money
from croupier.rounds.commands import FACE_DOWN, PlayerName
from croupier.rounds.events import HandDecided
from croupier.rounds.evolve import evolve
from croupier.rounds.state import Round, Stake, new_table
from croupier.rounds.views import RoundView, StakeView
from croupier.rulebooks.vocabulary import BetName, BoxNo


class DecidedHand(msgspec.Struct, frozen=True, kw_only=True):
    """One decision as it was made."""

    seq: int
    """Of its record."""
    box: BoxNo
    choice: str
    hand: tuple[Card, ...]
    """Empty where the reader may not know it."""
    board: tuple[Card, ...]
    stakes: Mapping[BetName, Money]
    """Of the player who decided."""


def decided_hands(
    boxes: int, facts: Iterable[tuple[int, TableFact]], seen: RoundView, decks: Mapping[int, Sequence[Card]]
) -> list[DecidedHand]:
    """List the decisions among events with their numbers; `seen` is the round at its end as the reader may
    see it, `decks` are decks that they may see.
    """
    state, found = new_table(boxes), list[DecidedHand]()
    for seq, fact in facts:
        if isinstance(fact, DeckCommitted | DeckOpened):
            continue
        if isinstance(fact, HandDecided):
            box = state.box(fact.box)
            owner = box.seated or next((stake.player for stake in box.stakes), None)
            found.append(
                DecidedHand(
                    seq=seq,
                    box=fact.box,
                    choice=fact.choice,
                    hand=_hand(state, fact.box, seen, decks),
                    board=state.community,
                    stakes=stakes_of(owner, box.stakes),
                )
            )
        state = evolve(state, fact)
    return found


def _hand(state: Round, box: BoxNo, seen: RoundView, decks: Mapping[int, Sequence[Card]]) -> tuple[Card, ...]:
    deck = decks.get(state.deals)
    if deck is not None:
        return tuple(deck[at] for at in state.ordinals(str(box)))
    shown = next((each.cards for each in seen.boxes if each.box == box), ())
    return () if FACE_DOWN in shown else tuple(Card(card) for card in shown)


def stakes_of(player: PlayerName | None, stakes: Iterable[Stake | StakeView]) -> dict[BetName, Money]:
    """Add up what a player has on each bet of a box."""
    found: dict[BetName, Money] = {}
    for stake in stakes:
        if stake.player == player:
            found[stake.bet] = found.get(stake.bet, 0) + stake.amount
    return found
