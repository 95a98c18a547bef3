"""Gymnasium environments of the five games: one Round in an episode, one step for each decision.

An agent sees its own cards, the Community Cards that lie face up when it decides, and the Bets it has placed. The
reward comes at the end: what the Ante, the Bets that decisions added and the payouts on the Ante came to, in Antes.

    import croupier.env
    env = gymnasium.make("croupier/rws-multilink-holdem-v0")

3 Card Poker has one decision in a Round, so many Rounds can be played at once:

    env = gymnasium.make_vec("croupier/rws-multilink-three-card-v0", num_envs=100_000)
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray
except ModuleNotFoundError as missing:
    needs = f"croupier.env needs {missing.name}: pip install 'croupier[gym]'."
    raise ModuleNotFoundError(needs, name=missing.name) from None

from croupier.cards import DECK, Card, ThreeCardRank, parse_cards, show
from croupier.lab.kernels.cards.lookup import order_of, orders
from croupier.lab.kernels.random.rounds import BEATEN, FATES, STOOD_OFF, UNQUALIFIED, WON
from croupier.lab.model.game import Game, Structure, game
from croupier.lab.simulator.outcome_counts import Outcome, Priced, Shape
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.terms import table_terms
from croupier.rulebooks.vocabulary import FOLD, Choice, Decision

__all__ = ["TableEnv", "ThreeCardVectorEnv", "env_id"]

OTHERWISE, BET, LATE_FOLD = 0, 1, 2
"""The actions of every decision: fold or check, and place the Bet; a later fold only where the readings allow one."""

Observation: TypeAlias = dict[str, NDArray[np.int8] | np.int64]
ManySeen: TypeAlias = dict[str, NDArray[np.int8] | NDArray[np.int64]]
"""The same of many Rounds, a row for each."""
Info: TypeAlias = dict[str, Any]
"""Gymnasium's name; see `TableEnv` for its keys."""


class TableEnv(gymnasium.Env[Observation, np.int64]):
    """One box at a table of one game.

    `info` holds `choices`, what each action chooses in the rulebook's words (None where it is not open now), and after
    the last step `nets`, what each Bet came to in Antes, and `shown`, the Dealer's and all Community Cards.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, name: str, *, rulings: Mapping[str, str] | None = None, render_mode: str | None = None) -> None:
        self.game: Game = game(table_terms(name, rulings=rulings))
        self.render_mode = render_mode
        self._decisions = [step for step in self.game.terms.dealing.steps if isinstance(step, Decision)]
        decisions = len(self._decisions)
        self.observation_space = spaces.Dict(  # type: ignore[assignment]  # it cannot say what its parts are
            {
                "own": spaces.MultiBinary(len(DECK)),
                "community": spaces.MultiBinary(len(DECK)),
                "placed": spaces.MultiBinary(decisions),
                "decision": spaces.Discrete(decisions + 1),
            }
        )
        self._actions = max(len(decision.choices) for decision in self._decisions)
        self.action_space = spaces.Discrete(self._actions)
        three = self.game.structure is Structure.THREE_CARDS
        self._own_cards, self._community_cards = (3, 0) if three else (2, 5)
        self._own: tuple[Card, ...] = ()
        self._dealer: tuple[Card, ...] = ()
        self._community: tuple[Card, ...] = ()
        self._placed: dict[str, bool] = {}
        self._late_fold = False
        self._at = decisions

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Observation, Info]:
        """Shuffle and go to the first decision; `options={"own": "Qh 6d 4c"}` asks for certain cards."""
        super().reset(seed=seed, options=options)
        count = 2 * self._own_cards + self._community_cards
        picks = self.np_random.choice(len(DECK), count, replace=False)
        dealt = tuple(DECK[pick] for pick in picks)
        if options and "own" in options:
            own = parse_cards(options["own"])
            if len(own) != self._own_cards or len(set(own)) != len(own):
                raise ValueError(f"options, own: {self._own_cards} different cards, and not {options['own']!r}.")
            others = [card for card in DECK if card not in own]
            picks = self.np_random.choice(len(others), count - len(own), replace=False)
            dealt = (*own, *(others[pick] for pick in picks))
        size = self._own_cards
        self._own, self._dealer, self._community = dealt[:size], dealt[size : 2 * size], dealt[2 * size :]
        self._placed, self._late_fold, self._at = {}, False, 0
        return self._seen(), {"choices": self._open()}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        """Make one decision; the Round is over after a fold, or after the last decision."""
        choices = self.game.choices
        if self._at >= len(choices):
            raise gymnasium.error.ResetNeeded("The round is over: reset before the next step.")
        chosen = self._open()[int(action)]
        if chosen is None:
            raise gymnasium.error.InvalidAction(f"Action {action} is not open now: see info['choices'].")
        self._placed[choices[self._at].bet] = int(action) == BET
        self._late_fold = int(action) == LATE_FOLD
        self._at = len(choices) if chosen == FOLD else self._at + 1
        if self._at < len(choices):
            return self._seen(), 0.0, False, False, {"choices": self._open()}
        nets = self._settled()
        info: Info = {
            "nets": {bet: float(net) for bet, net in nets.items()},
            "shown": {"dealer": self._dealer, "community": self._community},
        }
        return self._seen(), float(sum(nets.values(), Fraction(0))), True, False, info

    def render(self) -> str | None:
        """Return what the agent sees, in words."""
        if self.render_mode != "ansi":
            return None
        lying = self._community[: self._shown]
        return f"own {show(self._own)}" + (f", community {show(lying)}" if lying else "")

    @property
    def _shown(self) -> int:
        """Community Cards in sight of the decision that is due, or of the last one that was made."""
        choices = self.game.choices
        return choices[min(self._at, len(choices) - 1)].community

    def _settled(self) -> dict[str, Fraction]:
        """Settle the Ante, the Bets that decisions placed, and payouts on the Ante.

        After a fold that is not the first decision payouts are as after any fold, and every placed Bet is lost.
        """
        chosen = {choice.bet: self._placed.get(choice.bet, False) for choice in self.game.choices}
        compared = dict.fromkeys(chosen, False) if self._late_fold else chosen
        nets = self.game.settle(self._own, self._dealer, self._community, compared)
        if self._late_fold:
            nets |= {choice.bet: Fraction(-choice.times) for choice in self.game.choices if chosen[choice.bet]}
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

    def _open(self) -> tuple[Choice | None, ...]:
        """Return what each action chooses now; None where it is not open. The box has looked at its one Hand."""
        decision = self._decisions[self._at]
        lawful = decision.open_to(lambda bet: self._placed.get(bet, False), blind=False)
        named = tuple(choice if choice in lawful else None for choice in decision.choices)
        return (*named, *(None,) * (self._actions - len(named)))


def _mask(cards: tuple[Card, ...]) -> NDArray[np.int8]:
    mask = np.zeros(len(DECK), np.int8)
    mask[[DECK.index(card) for card in cards]] = 1
    return mask


class ThreeCardVectorEnv(VectorEnv[ManySeen, NDArray[np.int64], NDArray[Any]]):
    """Many boxes of 3 Card Poker, each at a table of its own: one step ends every Round, and `reset` deals the next.

    `options={"own": hands}` with three cards in each row, numbered as in `croupier.cards.DECK`, asks what comes of
    certain hands; the Dealer's are dealt from what is left.
    """

    metadata = {"autoreset_mode": AutoresetMode.DISABLED}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, name: str, num_envs: int = 1, *, rulings: Mapping[str, str] | None = None) -> None:
        self.num_envs = num_envs
        self.game = game(table_terms(name, rulings=rulings))
        assert self.game.structure is Structure.THREE_CARDS, "only 3 Card Poker is decided once on the own cards alone"
        single = TableEnv(name, rulings=rulings)
        self.single_observation_space, self.single_action_space = single.observation_space, single.action_space
        self.observation_space = batch_space(single.observation_space, num_envs)
        self.action_space = batch_space(single.action_space, num_envs)
        self._worth = _worth_by_fate(self.game)
        self._qualifies = order_of(self.game.qualifies_from, three=True)
        self._own = self._dealer = np.zeros((num_envs, 3), np.int64)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: Info | None = None
    ) -> tuple[ManySeen, Info]:
        """Deal every box three cards, or the ones asked for."""
        super().reset(seed=seed if not isinstance(seed, list) else seed[0])
        if options and "own" in options:
            self._own = np.sort(np.asarray(options["own"], np.int64), axis=1)
            if self._own.shape != (self.num_envs, 3) or (np.diff(self._own, axis=1) == 0).any():
                raise ValueError(f"options, own: three different cards in each of {self.num_envs} rows.")
        else:
            self._own = np.sort(self._drawn(len(DECK)), axis=1)
        # The Dealer's cards are places in what is left of the deck: own cards are stepped over, the lowest first.
        self._dealer = self._drawn(len(DECK) - 3)
        for at in range(3):
            self._dealer += self._dealer >= self._own[:, at : at + 1]
        return self._seen(0), {}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[ManySeen, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Fold or play at every box."""
        mine, theirs = _order_of(self._own), _order_of(self._dealer)
        even, short = mine == theirs, theirs < self._qualifies
        short &= ~even if self.game.tie_first else True
        fate = np.where(short, UNQUALIFIED, np.where(even, STOOD_OFF, np.where(mine < theirs, BEATEN, WON)))
        rewards = self._worth[np.asarray(actions), fate, orders().three_rank_of[mine]]
        over = np.ones(self.num_envs, np.bool_)
        return self._seen(1), rewards, over, np.zeros(self.num_envs, np.bool_), {}

    def _drawn(self, cards: int) -> NDArray[np.int64]:
        """Draw three different numbers for each box."""
        found = self.np_random.integers(cards, size=(self.num_envs, 3))
        while True:
            a, b, c = found.T
            again = np.flatnonzero((a == b) | (b == c) | (a == c))
            if not len(again):
                return found
            found[again] = self.np_random.integers(cards, size=(len(again), 3))

    def _seen(self, decision: int) -> ManySeen:
        own = np.zeros((self.num_envs, len(DECK)), np.int8)
        own[np.arange(self.num_envs)[:, None], self._own] = 1
        return {
            "own": own,
            "community": np.zeros_like(own),
            "placed": np.zeros((self.num_envs, 1), np.int8),
            "decision": np.full(self.num_envs, decision, np.int64),
        }


def _order_of(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places of hands of three cards in the order of the game."""
    low, mid, high = np.sort(hands, axis=1).T
    at = high * (high - 1) * (high - 2) // 6 + mid * (mid - 1) // 2 + low
    return np.asarray(orders().three[at], np.int64)


def _worth_by_fate(known: Game) -> NDArray[np.float64]:
    """Return what a Round comes to in Antes, by [action, fate, rank]."""
    priced, shape = Priced(known, Fraction(0)), Shape(known)
    worth = np.zeros((2, FATES, len(ThreeCardRank)))
    for action, fate, rank in product((OTHERWISE, BET), range(FATES), ThreeCardRank):
        became = fate if action == BET else None
        outcome = Outcome(shape.chosen(action), became, int(rank), shape.side_lines(0, rank), 0)
        worth[action, fate, rank] = float(priced.base(priced.nets(outcome)))
    return worth


def env_id(name: str) -> str:
    """Return the name under which Gymnasium knows a game."""
    return f"croupier/{name}-v0"


for _name in GAMES:
    _three = game(table_terms(_name)).structure is Structure.THREE_CARDS
    gymnasium.register(
        id=env_id(_name),
        entry_point="croupier.env:TableEnv",
        vector_entry_point="croupier.env:ThreeCardVectorEnv" if _three else None,
        kwargs={"name": _name},
    )
