"""Gymnasium environments of the five games: one Round an episode, a step for each decision, nothing hidden in sight.

An agent sees its own cards, the Community Cards that lie face up when it decides, and the Bets it has placed. The
reward comes at the end: what the Ante, the Bets that decisions added and the payouts on the Ante came to, in Antes.

    import croupier.env
    env = gymnasium.make("croupier/rws-multilink-holdem-v0")
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from croupier.cards import DECK, Card, show
from croupier.lab.games import Game, Structure, game
from croupier.rulebooks.books import GAMES
from croupier.rulebooks.terms import table_terms

OTHERWISE, BET = 0, 1
"""The two actions of every decision: fold or check, and place the Bet."""

Observation: TypeAlias = dict[str, NDArray[np.int8] | np.int64]
Info: TypeAlias = dict[str, Any]
"""Gymnasium's own word for it; what stands in it is said at `TableEnv`."""


class TableEnv(gymnasium.Env[Observation, np.int64]):
    """One box at a table of one game.

    `info` holds `choices`, the two choices in the rulebook's words, and after the last step `nets`, what each Bet came
    to in Antes, and `shown`, the Dealer's and all Community Cards.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, name: str, *, rulings: Mapping[str, str] | None = None, render_mode: str | None = None) -> None:
        self.game: Game = game(table_terms(name, rulings=rulings))
        self.render_mode = render_mode
        decisions = len(self.game.choices)
        self.observation_space = spaces.Dict(  # type: ignore[assignment]  # it cannot say what its parts are
            {
                "own": spaces.MultiBinary(len(DECK)),
                "community": spaces.MultiBinary(len(DECK)),
                "placed": spaces.MultiBinary(decisions),
                "decision": spaces.Discrete(decisions + 1),
            }
        )
        self.action_space = spaces.Discrete(2)
        three = self.game.structure is Structure.THREE_CARDS
        self._own_cards, self._community_cards = (3, 0) if three else (2, 5)
        self._dealt: tuple[Card, ...] = ()
        self._placed: dict[str, bool] = {}
        self._at = decisions

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Observation, Info]:
        """A fresh deck, and the first decision."""
        super().reset(seed=seed, options=options)
        count = 2 * self._own_cards + self._community_cards
        picks = self.np_random.choice(len(DECK), count, replace=False)
        self._dealt = tuple(DECK[pick] for pick in picks)
        self._placed, self._at = {}, 0
        return self._seen(), self._choices()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        """One decision; the Round is over after a fold, or after the last of them."""
        choices = self.game.choices
        if self._at >= len(choices):
            raise gymnasium.error.ResetNeeded("The round is over: reset before the next step.")
        choice = choices[self._at]
        self._placed[choice.bet] = int(action) == BET
        folded = not self._placed[choice.bet] and choice.otherwise == "fold"
        self._at = len(choices) if folded else self._at + 1
        if self._at < len(choices):
            return self._seen(), 0.0, False, False, self._choices()
        nets = self._settled()
        info: Info = {
            "nets": {bet: float(net) for bet, net in nets.items()},
            "shown": {"dealer": self._dealer, "community": self._community},
        }
        return self._seen(), float(sum(nets.values(), Fraction(0))), True, False, info

    def render(self) -> str | None:
        """What the agent sees, in words."""
        if self.render_mode != "ansi":
            return None
        lying = self._community[: self._shown]
        return f"own {show(self._own)}" + (f", community {show(lying)}" if lying else "")

    @property
    def _own(self) -> tuple[Card, ...]:
        return self._dealt[: self._own_cards]

    @property
    def _dealer(self) -> tuple[Card, ...]:
        return self._dealt[self._own_cards : 2 * self._own_cards]

    @property
    def _community(self) -> tuple[Card, ...]:
        return self._dealt[2 * self._own_cards :]

    @property
    def _shown(self) -> int:
        """Community Cards in sight of the decision that is due, or of the last one that was made."""
        choices = self.game.choices
        return choices[min(self._at, len(choices) - 1)].community

    def _settled(self) -> dict[str, Fraction]:
        chosen = {choice.bet: self._placed.get(choice.bet, False) for choice in self.game.choices}
        nets = self.game.settle(self._own, self._dealer, self._community, chosen)
        staked = {side.name for side in self.game.sides if not side.on_ante}
        return {bet: net for bet, net in nets.items() if bet not in staked}

    def _seen(self) -> Observation:
        placed = [int(self._placed.get(choice.bet, False)) for choice in self.game.choices]
        return {
            "own": _mask(self._own),
            "community": _mask(self._community[: self._shown]),
            "placed": np.array(placed, np.int8),
            "decision": np.int64(self._at),
        }

    def _choices(self) -> Info:
        choice = self.game.choices[self._at]
        return {"choices": (choice.otherwise, choice.bet)}


def _mask(cards: tuple[Card, ...]) -> NDArray[np.int8]:
    mask = np.zeros(len(DECK), np.int8)
    mask[[DECK.index(card) for card in cards]] = 1
    return mask


def env_id(name: str) -> str:
    """The name under which Gymnasium knows a game."""
    return f"croupier/{name}-v0"


for _name in GAMES:
    gymnasium.register(id=env_id(_name), entry_point="croupier.env:TableEnv", kwargs={"name": _name})
