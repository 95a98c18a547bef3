"""Taking bets: which chips may lie, which are refused and why; before the deal, after it, and at a decision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

import msgspec

from croupier.academy.hand_drill import shuffled_options
from croupier.academy.questions import Form, Question, Topic
from croupier.academy.scenes import Scene, described, face_up
from croupier.money import Money, show
from croupier.rounds.bet_placement import PLACED_BEFORE_THE_DEAL, cannot_place, cannot_withdraw
from croupier.rounds.choices import decision_of
from croupier.rounds.commands import DecideHand, PlaceBet, PlayerName, WithdrawBet
from croupier.rounds.dealing import decision_due
from croupier.rounds.refusal import Code, Refusal
from croupier.rounds.settlement_acts import bet_title
from croupier.rounds.state import Round, Stage
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, BetKind, BetName, BoxNo, Rulebook, Rules

ERRING = 0.5
"""How many of the bets that a learner judges are wrong."""
_LET_LIE = "Let it lie"
_REASONS: dict[Code, str] = {
    Code.OVER_MAXIMUM: "it is over the maximum",
    Code.UNDER_MINIMUM: "it is under the minimum",
    Code.WRONG_JACKPOT_AMOUNT: "a jackpot bet has another amount",
    Code.ANTE_REQUIRED: "it may not lie there without the bet that it needs",
}
"""Why chips are refused before the deal, as a dealer says it."""


class Chips(msgspec.Struct, frozen=True):
    """Chips that a Player puts on one Bet of one box."""

    player: PlayerName
    box: BoxNo
    bet: BetName
    amount: Money

    @property
    def says(self) -> str:
        """The chips as a sentence."""
        return f"{self.player} puts {show(self.amount)} on the {bet_title(self.bet)} of box {self.box}."


def judge_a_bet(book: Rulebook, rng: Random, seed: int) -> Question:
    """Ask about chips that a Player puts down or takes back, at one of the moments of a Round."""
    moment = rng.randrange(3)
    while True:
        scene = Scene(book.edition, rng)
        if moment == 0:
            box = rng.randint(1, scene.terms.boxes)
            scene.open_round([box])
            *before, chips = first_chips(scene, rng, "Ana", box, erring=rng.random() < ERRING)
            for each in before:
                put_down(scene, each)
            return before_the_deal(scene, rng, chips, seed)
        scene.place_bets()
        scene.close_bets()
        if scene.state.stage is not Stage.PLAYING:
            continue
        if moment == 1:
            return after_the_call(scene, rng, seed)
        due = decision_due(scene.terms, scene.state)
        if due is not None:
            return at_a_decision(scene, rng, decision_chips(scene, rng, rng.choice(due[1])), seed)


def put_down(scene: Scene, chips: Chips) -> bool:
    """Put chips on the layout; return whether the rules allow it."""
    return scene.do("bet", player=chips.player, box=chips.box, bet=chips.bet, amount=show(chips.amount))


# ---------------------------------------------------------------- before the deal


def first_chips(scene: Scene, rng: Random, player: PlayerName, box: BoxNo, *, erring: bool) -> tuple[Chips, ...]:
    """Return the chips of one box in the order of the layout; where the Player errs, the last is refused."""
    terms = scene.terms
    lawful = [
        Chips(player, box, bet.name, amount)
        for bet in terms.book.bets
        if bet.kind in PLACED_BEFORE_THE_DEAL and (amount := scene.stake(bet.name, bet.kind))
    ]
    if not erring:
        return tuple(lawful)
    wrong = rng.choice([Chips(player, box, bet, amount) for bet, amount in _wrong_bets(terms, rng)])
    needed = terms.bets[wrong.bet].needs_ante
    if needed and terms.bets[wrong.bet].kind is BetKind.SIDE:
        return (wrong,)  # what it needs does not lie there
    return (*(each for each in lawful if each.bet == ANTE_BET != wrong.bet), wrong)


def _wrong_bets(terms: Terms, rng: Random) -> Iterable[tuple[BetName, Money]]:
    """Yield bets that the rules refuse before the deal."""
    ante = terms.limits[ANTE_BET]
    yield ANTE_BET, ante.maximum + ante.minimum
    yield ANTE_BET, max(ante.minimum // rng.choice((2, 5)), 1)
    for bet in terms.book.bets:
        if bet.kind is BetKind.JACKPOT and terms.jackpot_bet is not None:
            yield bet.name, terms.jackpot_bet * terms.book.jackpot.multiples + terms.jackpot_bet
            yield bet.name, max(terms.jackpot_bet // 2, 1)
        elif bet.kind is BetKind.SIDE:
            limits = terms.limits[bet.name]
            yield bet.name, limits.minimum if bet.needs_ante else limits.maximum + limits.minimum


def before_the_deal(scene: Scene, rng: Random, chips: Chips, seed: int) -> Question:
    """Ask whether these chips may lie."""
    terms, state = scene.terms, scene.state
    refusal = _refused(terms, state, chips)
    right = _LET_LIE if refusal is None else _refuse(refusal.code)
    others = {_LET_LIE, *map(_refuse, _REASONS)} - {right}
    return _question(
        scene,
        rng,
        seed,
        situation=(limits_in_words(terms), chips.says),
        right=right,
        wrong=rng.sample(sorted(others), 3),
        because="It is within the limits, and may lie there." if refusal is None else refusal.message,
        rules=terms.bets[chips.bet].rules if refusal is None else refusal.rules,
    )


def _refused(terms: Terms, state: Round, chips: Chips) -> Refusal | None:
    return cannot_place(terms, state, PlaceBet(player=chips.player, box=chips.box, bet=chips.bet, amount=chips.amount))


def _refuse(code: Code) -> str:
    return f"Refuse it: {_REASONS[code]}"


def limits_in_words(terms: Terms) -> str:
    """Return what the sign at the table says."""
    said = [
        f"{bet_title(bet.name)} {show(terms.limits[bet.name].minimum)} to {show(terms.limits[bet.name].maximum)}"
        for bet in terms.book.bets
        if bet.kind in (BetKind.ENTRY, BetKind.SIDE)
    ]
    if terms.jackpot_bet is not None:
        times = terms.book.jackpot.multiples
        said.append(f"jackpot bet {show(terms.jackpot_bet)}{f', or up to {times} times that' if times > 1 else ''}")
    return f"The sign: {'; '.join(said)}."


# ---------------------------------------------------------------- after the call


def after_the_call(scene: Scene, rng: Random, seed: int) -> Question:
    """Ask about chips that are put down or taken back after the bets are closed."""
    terms, state = scene.terms, scene.state
    box = rng.choice([box for box in state.boxes if box.stakes])
    stake = rng.choice([each for each in box.stakes if terms.bets[each.bet].kind is not BetKind.DECISION])
    if rng.random() < ERRING:
        chips = Chips(stake.player, box.number, stake.bet, stake.amount)
        refusal = _refused(terms, state, chips)
        assert refusal is not None, "bets are closed"
        return _question(
            scene,
            rng,
            seed,
            situation=(chips.says,),
            right="Give the chips back",
            wrong=(_LET_LIE, "Let it lie if this box has not looked at its cards", "Call a supervisor to allow it"),
            because=refusal.message,
            rules=refusal.rules,
        )
    refusal = cannot_withdraw(terms, state, WithdrawBet(player=stake.player, box=box.number, bet=stake.bet))
    stays = "Have the chips put back"
    settled = "Let them be taken: the bet is settled all the same"
    because = (
        f"Box {box.number}: the {bet_title(stake.bet)} comes off the layout, and is won or lost as if it lay there."
    )
    said = f"{stake.player} takes {show(stake.amount)} off the {bet_title(stake.bet)} of box {box.number}."
    return _question(
        scene,
        rng,
        seed,
        situation=(said,),
        right=settled if refusal is None else stays,
        wrong=(stays if refusal is None else settled, "Let them be taken: the bet is off", "Take the whole hand out"),
        because=because if refusal is None else refusal.message,
        rules=terms.book.closing.withdrawn_rules if refusal is None else refusal.rules,
    )


# ---------------------------------------------------------------- at a decision


def decision_chips(scene: Scene, rng: Random, box: BoxNo) -> Chips:
    """Return the chips of the decision that is due; half of them of the wrong size."""
    due = decision_due(scene.terms, scene.state)
    assert due is not None, "a box is to decide"
    at = scene.state.box(box)
    exact = scene.terms.amount_of(due[0].bet, at.staked(ANTE_BET))
    off = _difference(at.staked(ANTE_BET)) * rng.choice((-1, 1)) if rng.random() < ERRING else 0
    return Chips(at.seated or "", box, due[0].bet, exact + off)


def _difference(ante: Money) -> Money:
    """Return how far a bet is off: half an Ante in whole chips."""
    return max(ante // 200 * 100, 100)


def at_a_decision(scene: Scene, rng: Random, chips: Chips, seed: int) -> Question:
    """Ask whether a decision bet has its size."""
    terms, state = scene.terms, scene.state
    ante = state.box(chips.box).staked(ANTE_BET)
    bet, exact = terms.bets[chips.bet], terms.amount_of(chips.bet, ante)
    judged = decision_of(terms, state, DecideHand(box=chips.box, choice=chips.bet, amount=chips.amount))
    assert isinstance(judged, Refusal) == (chips.amount != exact), "the size alone is wrong"
    off = abs(chips.amount - exact) or _difference(ante)
    more, less = f"Have {show(off)} more put down", f"Give {show(off)} back"
    right = _LET_LIE if chips.amount == exact else less if chips.amount > exact else more
    times = "the Ante" if bet.times_ante == 1 else f"{bet.times_ante} times the Ante"
    return _question(
        scene,
        rng,
        seed,
        situation=(chips.says, f"Its Ante is {show(ante)}."),
        right=right,
        wrong=sorted({_LET_LIE, more, less, "Fold the hand"} - {right}),
        because=f"The {bet_title(chips.bet)} is {times}: {show(exact)}.",
        rules=bet.rules,
    )


def _question(
    scene: Scene,
    rng: Random,
    seed: int,
    *,
    situation: Sequence[str],
    right: str,
    wrong: Sequence[str],
    because: str,
    rules: Rules,
) -> Question:
    options = shuffled_options(rng, right, wrong)
    return Question(
        edition=scene.terms.book.edition,
        topic=Topic.BETS,
        seed=seed,
        asks="What do you do?",
        situation=(*described(scene.terms, scene.state), *situation),
        cards=face_up(scene.state),
        form=Form.ONE,
        options=options,
        right=(options.index(right),),
        because=because,
        rules=rules,
        seconds=8,
    )
