"""Gymnasium environments: checked by its own checker, nothing hidden in sight, rewards as the game settles."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from croupier.cards import DECK
from croupier.env import BET, OTHERWISE, TableEnv, env_id
from croupier.lab.games import game
from croupier.lab.solving import solve
from croupier.rulebooks.books import GAMES
from croupier.rulebooks.terms import table_terms

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.mark.parametrize("name", GAMES)
def test_gymnasiums_checker_finds_nothing(name: str) -> None:
    """Every warning of the checker is an error here."""
    env = gymnasium.make(env_id(name), disable_env_checker=True).unwrapped
    check_env(env, skip_render_check=True)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_hidden_is_in_sight(name: str) -> None:
    """An observation is the same whatever lies face down: the Dealer's cards and those not turned yet."""
    env = TableEnv(name)
    for seed in range(40):
        seen, info = env.reset(seed=seed)
        over = False
        while not over:
            own = {DECK[at] for at in np.flatnonzero(seen["own"])}
            shown = {DECK[at] for at in np.flatnonzero(seen["community"])}
            choice = env.game.choices[int(seen["decision"])]
            assert own == set(env._dealt[: env._own_cards])
            assert len(shown) == choice.community
            assert shown == set(env._community[: choice.community])
            assert not shown & set(env._dealer)
            assert set(info) == {"choices"}
            seen, _, over, _, info = env.step(np.int64(env.np_random.integers(2)))
        assert set(info) == {"nets", "shown"}


@pytest.mark.parametrize("name", GAMES)
def test_the_reward_is_what_the_round_came_to(name: str) -> None:
    env = TableEnv(name)
    totals = []
    for seed in range(60):
        env.reset(seed=seed)
        total = 0.0
        while True:
            _, reward, over, _, info = env.step(np.int64(BET))
            total += float(reward)
            if over:
                break
        assert total == pytest.approx(sum(info["nets"].values()))
        totals.append(total)
    assert len(set(totals)) > 2


def test_a_fold_ends_the_round_and_costs_the_ante() -> None:
    env = TableEnv("rws-multilink-holdem")
    env.reset(seed=1)
    _, reward, over, _, info = env.step(np.int64(OTHERWISE))
    assert over
    assert reward == -1.0
    assert info["nets"]["ante"] == -1.0
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(BET))


def test_a_check_goes_on_to_the_next_street() -> None:
    env = TableEnv("mbs-megalink-holdem", render_mode="ansi")
    env.reset(seed=1)
    seen, *_ = env.step(np.int64(BET))
    assert int(seen["community"].sum()) == 3
    assert "community" in str(env.render())
    seen, _, over, _, _ = env.step(np.int64(OTHERWISE))
    assert int(seen["community"].sum()) == 4
    assert not over


def _example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_cut_off_of_three_card_poker_is_learned_from_scratch() -> None:
    """The best play begins at Q-6-4; what is learned is a Queen too, and costs next to nothing."""
    example = _example("learn_three_card")
    found = example.learn(60_000, seed=3)
    assert example.in_words(found)[0] == "Q"
    solved = solve(game(table_terms("rws-multilink-three-card")))
    cost = 0.0
    for hand in solved.hands:
        own = np.zeros(52, np.int8)
        own[[DECK.index(card) for card in hand.cards]] = 1
        played = example.strength(own) >= found
        cost += hand.ways * float(hand.value - (hand.play if played else hand.fold))
    assert cost / 22_100 < 0.0015
