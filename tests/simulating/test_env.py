"""Gymnasium environments: checked by its own checker, nothing hidden in sight, rewards as the game settles."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from croupier.cards import DECK
from croupier.env import BET, LATE_FOLD, OTHERWISE, TableEnv, ThreeCardVectorEnv, env_id
from croupier.lab.model.game import game
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.terms import table_terms
from tests.patience import COMPILING

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"


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
            assert own == set(env._own)
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


def test_a_river_bet_without_a_turn_bet_is_no_action_where_the_house_reads_it_so() -> None:
    """rws-multilink-holdem 1.3.c, river-after-check (a): after a check on the flop only a check is left."""
    env = TableEnv("rws-multilink-holdem", rulings={"river-after-check": "a"})
    env.reset(seed=1)
    env.step(np.int64(BET))
    _, _, _, _, info = env.step(np.int64(OTHERWISE))
    assert info["choices"] == ("check", None)
    with pytest.raises(gymnasium.error.InvalidAction):
        env.step(np.int64(BET))
    env.reset(seed=1)
    env.step(np.int64(BET))
    _, _, _, _, info = env.step(np.int64(BET))
    assert info["choices"] == ("check", "river")


def test_a_late_fold_is_an_action_where_the_house_reads_it_so() -> None:
    """mbs-megalink-holdem 3.9, late-fold (a): the fold takes every bet that lies there."""
    env = TableEnv("mbs-megalink-holdem", rulings={"late-fold": "a"})
    _, info = env.reset(seed=1)
    assert info["choices"] == ("fold", "flop", None)
    env.step(np.int64(BET))
    _, _, _, _, info = env.step(np.int64(BET))
    assert info["choices"] == ("check", "river", "fold")
    _, reward, over, _, info = env.step(np.int64(LATE_FOLD))
    assert over
    assert reward == -4.0
    assert info["nets"] == {"ante": -1.0, "flop": -2.0, "turn": -1.0}


def _example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_cut_off_of_three_card_poker_is_learned_from_scratch(seed: int) -> None:
    """The best play begins at Q-6-4, which is worth less than a hundredth of an Ante more than a fold."""
    example = _example("learn_three_card")
    learned = example.learn(40_000_000, seed)
    assert example.in_words(learned.lowest) == "Q-6-4"
    assert learned.sure
    assert abs(learned.worth - -0.994) < 5 * learned.error


def test_who_has_seen_little_is_not_sure() -> None:
    """A short look comes to a Queen at least, and says that it is not the last word."""
    example = _example("learn_three_card")
    learned = example.learn(100_000, 3, at_once=20_000)
    assert not learned.sure
    assert example.in_words(learned.lowest)[0] in "JQK"


def test_many_rounds_at_once_come_to_what_each_comes_to() -> None:
    """The rewards of a vector of rounds are those of the game's own settlement, folded and played."""
    name = "rws-multilink-three-card"
    env = gymnasium.make_vec(env_id(name), num_envs=600)
    seen, _ = env.reset(seed=4)
    actions = np.arange(600) % 2
    _, rewards, over, cut, _ = env.step(actions)
    assert over.all()
    assert not cut.any()
    inside = env.unwrapped
    assert isinstance(inside, ThreeCardVectorEnv)
    known = game(table_terms(name))
    staked = {side.name for side in known.sides if not side.on_ante}
    for at in range(600):
        own = tuple(DECK[card] for card in np.flatnonzero(seen["own"][at]))
        dealer = tuple(DECK[card] for card in inside._dealer[at])
        assert len({*own, *dealer}) == 6
        nets = known.settle(own, dealer, (), {"play": bool(actions[at])})
        assert rewards[at] == pytest.approx(float(sum(net for bet, net in nets.items() if bet not in staked)))


def test_certain_cards_can_be_asked_for() -> None:
    """One round and many; what cannot be dealt is refused in a sentence."""
    env = gymnasium.make(env_id("rws-multilink-three-card")).unwrapped
    seen, _ = env.reset(seed=1, options={"own": "Qh 6d 4c"})
    assert [DECK[at] for at in np.flatnonzero(seen["own"])] == sorted(("Qh", "6d", "4c"), key=DECK.index)
    for wrong in ("Qh 6d", "Qh Qh 4c"):
        with pytest.raises(ValueError, match="Qh|cards"):
            env.reset(options={"own": wrong})
    many = gymnasium.make_vec(env_id("rws-multilink-three-card"), num_envs=3)
    hands = np.array([[1, 2, 3], [51, 0, 20], [4, 30, 9]])
    seen, _ = many.reset(seed=1, options={"own": hands})
    assert [np.flatnonzero(row).tolist() for row in seen["own"]] == [sorted(hand) for hand in hands.tolist()]
    with pytest.raises(ValueError, match="three different cards"):
        many.reset(options={"own": np.array([[1, 1, 3]] * 3)})


ALONE = """
import importlib.metadata, sys
allowed = set(sys.argv[1].split())
known = importlib.metadata.packages_distributions()

class Missing:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        held = {each.lower().replace("_", "-") for each in known.get(top, [])}
        if held and not held & allowed:
            raise ModuleNotFoundError(f"No module named {top!r}", name=top)

sys.meta_path.insert(0, Missing())
exec(compile(sys.argv[2], "the snippet", "exec"))
sys.argv = ["learn_three_card.py", "--rounds", "200000"]
import runpy
runpy.run_path(EXAMPLE, run_name="__main__")
"""


def needed(*extras: str) -> set[str]:
    """Every distribution that croupier with these extras brings along, and itself."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*told["dependencies"], *(each for extra in extras for each in told["optional-dependencies"][extra])]
    found = {"croupier"}
    waiting = [Requirement(each) for each in asked]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in found:
            continue
        found.add(name)
        for text in distribution(name).requires or []:
            more = Requirement(text)
            if more.marker is None or any(
                more.marker.evaluate({"extra": extra}) for extra in (requirement.extras or {""})
            ):
                waiting.append(more)
    return found


def test_the_extra_gym_brings_all_that_its_page_and_its_example_need() -> None:
    """In a process to which nothing else is installed: the snippet of docs/simulator.md, then the example."""
    page = (ROOT / "docs" / "simulator.md").read_text(encoding="utf-8")
    (snippet,) = re.findall(r"## Learning.*?```python\n(.*?)```", page, re.DOTALL)
    script = ALONE.replace("EXAMPLE", repr(str(EXAMPLES / "learn_three_card.py")))
    command = [sys.executable, "-c", script, " ".join(sorted(needed("gym"))), snippet]
    done = subprocess.run(command, capture_output=True, text=True, timeout=COMPILING, check=False)
    assert done.returncode == 0, done.stderr
    assert "rounds: play" in done.stdout
    command[3:] = [" ".join(sorted(needed())), "import croupier.env"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=COMPILING, check=False)
    assert "pip install 'croupier[gym]'" in done.stderr
