"""Settlement: what becomes of a bet, and how much it is paid, in a Round that the engine has played and settled."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from croupier.academy.questions import Form, Question, Topic
from croupier.academy.scenes import Scene, described, face_up
from croupier.money import Money, currency, display, show
from croupier.rounds.events import BetSettled, Outcome
from croupier.rounds.settlement_acts import acts
from croupier.rounds.state import Stage
from croupier.rulebooks.description.phrases import words
from croupier.rulebooks.vocabulary import JACKPOT_BET, BetKind, Rulebook

OUTCOMES = {
    Outcome.WIN: "It wins: pay it",
    Outcome.LOSE: "It loses: take it",
    Outcome.STAND_OFF: "It stands off: leave it",
    Outcome.RETURNED: "It is not in play: give it back",
}
CHIPS: tuple[Money, ...] = (1_000_000, 500_000, 100_000, 50_000, 10_000, 2_500, 500, 100, 50, 25, 5, 1)
"""Values of chips and of the coins below them, the greatest first."""
LEAST_ACTS, MOST_ACTS = 3, 7
"""Acts of a settlement that a learner can put in order."""


def name_the_outcome(book: Rulebook, rng: Random, seed: int) -> Question:
    """Ask what becomes of one bet."""
    scene, line = _settled(book, rng, lambda found: _has_a_stake(book, found))
    options = tuple(OUTCOMES.values())
    return Question(
        edition=book.edition,
        topic=Topic.OUTCOME,
        seed=seed,
        asks=f"Box {line.box}: what becomes of the {_title(line.bet)} of {show(line.staked)}?",
        situation=_before_settling(scene),
        cards=face_up(scene.state),
        form=Form.ONE,
        options=options,
        right=(list(OUTCOMES).index(line.outcome),),
        because=line.because,
        rules=line.rules,
        seconds=8,
    )


def name_the_payout(book: Rulebook, rng: Random, seed: int) -> Question:
    """Ask how much a bet is paid; awards of the meter are for the link to say."""
    scene, line = _settled(book, rng, lambda found: found.won > 0)
    paid = display(line.won, currency(scene.terms.currency))
    return Question(
        edition=book.edition,
        topic=Topic.PAYOUT,
        seed=seed,
        asks=f"Box {line.box}: how much do you pay for the {_title(line.bet)}{_of(line)}? Leave the stake out.",
        situation=_before_settling(scene),
        cards=face_up(scene.state),
        form=Form.AMOUNT,
        right=line.won,
        because=f"{line.because} Pay {paid}, in chips {chips_in_words(line.won)}.",
        rules=line.rules,
        seconds=12,
    )


def put_in_order(book: Rulebook, rng: Random, seed: int) -> Question:
    """Ask for the order in which the Dealer's hands take, pay and give back."""
    while True:
        scene, _ = _settled(book, rng, lambda found: _has_a_stake(book, found))
        done = acts(scene.terms, scene.state)
        if LEAST_ACTS <= len(done) <= MOST_ACTS:
            break
    options = [act.says for act in done]
    rng.shuffle(options)
    return Question(
        edition=book.edition,
        topic=Topic.ACTS,
        seed=seed,
        asks="In which order do your hands settle this round?",
        situation=_before_settling(scene),
        cards=face_up(scene.state),
        form=Form.ORDER,
        options=tuple(options),
        picks=len(options),
        right=tuple(options.index(act.says) for act in done),
        because=" ".join(act.says for act in done),
        rules=tuple(dict.fromkeys(rule for act in done for rule in act.rules)),
        seconds=25,
    )


def _settled(book: Rulebook, rng: Random, wanted: Callable[[BetSettled], bool]) -> tuple[Scene, BetSettled]:
    """Play Rounds until one has a line that is wanted; a line that a drill sees rarely is preferred."""
    while True:
        scene = Scene(book.edition, rng)
        scene.place_bets()
        scene.close_bets()
        scene.play_out()
        lines = [line for line in scene.state.lines if wanted(line)]
        if scene.state.stage is Stage.SETTLED and lines:
            return scene, _rarest(rng, lines)


def _rarest(rng: Random, lines: list[BetSettled]) -> BetSettled:
    rare = [line for line in lines if line.outcome in (Outcome.STAND_OFF, Outcome.RETURNED) or line.won > line.staked]
    return rng.choice(rare if rare and rng.random() < 0.6 else lines)


def _has_a_stake(book: Rulebook, line: BetSettled) -> bool:
    bet = book.bet(line.bet)
    return bet is not None and bet.kind is not BetKind.PAYOUT


def _before_settling(scene: Scene) -> tuple[str, ...]:
    return (*described(scene.terms, scene.state)[:-1], "The hands are shown, and no bet is settled yet.")


def _title(bet: str) -> str:
    return words(bet).title() if bet != JACKPOT_BET else "jackpot bet"


def _of(line: BetSettled) -> str:
    return f" of {show(line.staked)}" if line.staked else ""


def chips(amount: Money) -> tuple[tuple[Money, int], ...]:
    """Return the fewest chips that make an amount: value and count, the greatest value first."""
    found = []
    for value in CHIPS:
        count, amount = divmod(amount, value)
        if count:
            found.append((value, count))
    return tuple(found)


def chips_in_words(amount: Money) -> str:
    """Return the fewest chips in words: "3 × 100.00, 1 × 25.00"."""
    return ", ".join(f"{count} × {show(value)}" for value, count in chips(amount))
