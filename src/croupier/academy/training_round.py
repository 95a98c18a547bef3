"""A training round: a whole Round from a seed in which the learner is the Dealer and the Players err.

Every step is a question with one right answer by the engine. After each answer the Round goes on as the rules want it,
so that the steps depend on edition and seed alone, whatever the learner answers. No table or meter is touched.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from random import Random

import msgspec
from msgspec.structs import replace

from croupier.academy.bet_drill import (
    ERRING,
    Chips,
    after_the_call,
    at_a_decision,
    before_the_deal,
    decision_chips,
    first_chips,
    put_down,
)
from croupier.academy.hand_drill import shuffled_options
from croupier.academy.questions import Form, Question, Topic
from croupier.academy.ruling_drill import Case, name_the_authority, name_the_consequence, reports_of
from croupier.academy.scenes import PEOPLE, Scene, described, face_up
from croupier.academy.settlement_drill import chips_in_words
from croupier.money import show
from croupier.rounds.choices import lawful_choices, may_examine
from croupier.rounds.commands import ActForAbsent, ChooseOption, GiveRuling
from croupier.rounds.dealing import dealers_work, decision_due, next_step, step_from
from croupier.rounds.decide import decide
from croupier.rounds.irregularities.conditions import entries_of, fitting
from croupier.rounds.refusal import Refusal
from croupier.rounds.settlement_acts import IN_WORDS, Act, acts, bet_title
from croupier.rounds.state import Round, Stage
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.description.phrases import step_in_words, words
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, AskRuling, ChipMove, Deal, Incident, Rules

OPEN, CLOSE, DEAL = "Call: place your bets, please", "Call: no more bets", "Deal the first cards"
_OF_PLAYERS = (Incident.WALKED_AWAY, Incident.EXTRA_HAND_EXAMINED, Incident.CONTROLS_MULTIPLE_HANDS)
"""What Players do wrong with their hands; half of the irregularities of training rounds."""
_NOT_AT_THE_TABLE = (Incident.UNCOVERED, Incident.TECHNICAL_INTERRUPTION, Incident.JACKPOT_MALFUNCTION)
"""What no Dealer settles."""
_ERRORS = 0.6
"""How often Players err where they can: before the deal, after the call, with each decision until they have erred."""
_BETTING = 0.8
"""How many of the decisions are bets."""


class Moment(msgspec.Struct, frozen=True):
    """One step of a training round: the table as it lies, what is asked, and the one right answer."""

    question: Question
    says: tuple[str, ...]
    """What has happened since the step before, for a page that shows the table itself."""
    terms: Terms
    state: Round


@lru_cache(maxsize=256)
def training_round(edition: str, seed: int) -> tuple[Moment, ...]:
    """Make the steps of a whole Round, the same on every machine."""
    dealing = _Dealing(declare(edition).edition, seed)
    dealing.deal_a_round()
    return tuple(dealing.moments)


class _Dealing:
    """Deals one Round, and notes a moment wherever the Dealer has something to do."""

    def __init__(self, edition: str, seed: int) -> None:
        self.rng = Random(f"training {edition} {seed}")  # noqa: S311  a round, to be dealt again
        self.seed = seed
        self.scene = Scene(edition, self.rng, deals=False)
        self.moments: list[Moment] = []
        self.said: list[str] = []
        """What has happened since the last moment."""
        self.has_erred = False
        """The irregularity of this Round has come up."""
        self.asked_step = (-1, -1)
        """The deal and the step of the procedure that was asked last."""
        self.before = self.state
        """The Round before the last thing that happened: no bet is settled in it."""

    @property
    def terms(self) -> Terms:
        return self.scene.terms

    @property
    def state(self) -> Round:
        return self.scene.state

    def deal_a_round(self) -> None:
        """Deal from the call for bets to the last chip."""
        self._take_bets()
        self._close_bets()
        while self.state.stage is Stage.PLAYING:
            self.before = self.state
            if not (self._answer_what_waits() or self._deal() or self._decide()):
                break  # what is left is for people outside the table
        self._settle()

    # ---------------------------------------------------------------- bets

    def _take_bets(self) -> None:
        rng, book = self.rng, self.terms.book
        boxes = sorted(rng.sample(range(1, self.terms.boxes + 1), rng.choice((2, 2, 3))))
        people = rng.sample(PEOPLE, len(boxes))
        if book.seating.several_boxes and rng.random() < ERRING:
            people[-1] = people[0]
        self._ask_the_call("The last round is paid. What do you do?", OPEN, book.opening)
        self.scene.open_round(boxes)
        erring = rng.choice(boxes) if rng.random() < _ERRORS else 0
        for box, person in zip(boxes, people, strict=True):
            *before, last = first_chips(self.scene, rng, person, box, erring=box == erring)
            for chips in before:
                put_down(self.scene, chips)
                self.said.append(chips.says)
            self._note(before_the_deal(self.scene, rng, last, self.seed))
            put_down(self.scene, last)
            if not self.state.box(box).has(ANTE_BET):
                ante = Chips(person, box, ANTE_BET, self.terms.limits[ANTE_BET].minimum * rng.choice((1, 2, 5)))
                put_down(self.scene, ante)
                self.said.append(ante.says)

    def _close_bets(self) -> None:
        self._ask_the_call("Every player has bet. What do you do?", CLOSE, self.terms.book.closing.rules)
        self.scene.close_bets()
        if self.rng.random() < _ERRORS:
            self._note(after_the_call(self.scene, self.rng, self.seed))

    def _ask_the_call(self, asks: str, right: str, rules: Rules) -> None:
        self._ask(Topic.PROCEDURE, asks, right, {OPEN, CLOSE, DEAL} - {right}, because=f"{right}.", rules=rules)

    # ---------------------------------------------------------------- cards

    def _deal(self) -> bool:
        """Do the next piece of the Dealer's own work, and ask for it first; False where there is none."""
        work = dealers_work(self.terms, self.state)
        if work is None:
            return False
        at = (self.state.deals, next_step(self.terms, self.state))
        if not isinstance(work, ActForAbsent) and at != self.asked_step:
            self.asked_step = at
            self._ask_the_step(at[1])
            index, steps = at[1], self.terms.dealing.steps
            while isinstance(steps[index], Deal):  # the engine deals until something else is to be done
                index = step_from(self.terms, self.state, index + 1)
                if isinstance(steps[index], Deal):
                    self._ask_the_step(index)
        return self.scene.deal_next()

    def _ask_the_step(self, index: int) -> None:
        steps = self.terms.dealing.steps
        said = [step_in_words(step) for step in steps]
        others = {*said, "Burn one card", "Turn the Dealer's cards"} - {said[index]}
        wrong = self.rng.sample(sorted(others), min(3, len(others)))
        because = f"Step {index + 1} of {len(said)}: {said[index][0].lower()}{said[index][1:]}."
        self._ask(
            Topic.PROCEDURE, "What do you do next?", said[index], wrong, because=because, rules=steps[index].rules
        )

    def _decide(self) -> bool:
        """Let the next box decide, clockwise; False where none is to."""
        due = decision_due(self.terms, self.state)
        own = [each.choice for each in lawful_choices(self.terms, self.state) if due and each.box == due[1][0]]
        if due is None or not own:
            return False
        number, bet = due[1][0], due[0].bet
        box = self.state.box(number)
        if not box.choices and box.seated and may_examine(self.terms, self.state, box, box.seated):
            self.scene.do("examine", player=box.seated, box=number)
            self.said.append(f"{box.seated} looks at the hand of box {number}.")
        if not self.has_erred and self.rng.random() < _ERRORS and self._err():
            return True
        if bet in own and self.rng.random() < _BETTING:
            self._note(at_a_decision(self.scene, self.rng, decision_chips(self.scene, self.rng, number), self.seed))
            return self.scene.do("decide", box=number, choice=bet)
        choice = self.rng.choice(own)
        self.said.append(f"Box {number}, {box.seated}: {words(choice)}.")
        return self.scene.do("decide", box=number, choice=choice)

    # ---------------------------------------------------------------- irregularities

    def _err(self) -> bool:
        """Let an irregularity happen that the rulebook has an entry for at this moment."""
        case = self._case()
        if case is None:
            return False
        self.has_erred = True
        asks_whom = isinstance(case.entry.then, AskRuling)
        asked = name_the_authority(case, self.seed) if asks_whom else name_the_consequence(case, self.rng, self.seed)
        assert asked is not None, "a person decides it"
        self._note(asked)
        return self.scene.give(case.facts)

    def _case(self) -> Case | None:
        book, rng = self.terms.book, self.rng
        entries = list(range(len(book.irregularities)))
        rng.shuffle(entries)
        if rng.random() < 0.5:
            entries.sort(key=lambda index: book.irregularities[index].incident not in _OF_PLAYERS)
        for index in entries:
            entry = book.irregularities[index]
            if entry.incident in _NOT_AT_THE_TABLE or entry not in entries_of(self.terms, entry.incident):
                continue
            for facts in reports_of(self.scene, rng, entry):
                judged = decide(self.terms, self.state, facts)
                if not isinstance(judged, Refusal) and fitting(self.terms, self.state, facts) == entry:
                    return Case(self.scene, facts, index)
        return None

    def _answer_what_waits(self) -> bool:
        """Let the people who are asked answer: a supervisor rules, a box chooses; False where nothing waits."""
        for waits in self.state.awaiting:
            if waits.role is None:
                box, option = waits.boxes[0], self.rng.choice(waits.options)
                self.said.append(f"Box {box} is asked, and chooses: {words(option)}.")
                return self.scene.give(ChooseOption(box=box, option=option))
            decision, boxes = self.rng.choice(waits.decisions), waits.report.boxes
            self.said.append(f"The {waits.role.title} decides: {words(decision)}.")
            return self.scene.give(GiveRuling(by=waits.role, decision=decision, boxes=boxes))
        return False

    # ---------------------------------------------------------------- settlement

    def _settle(self) -> None:
        """Ask for every act of the settlement, and for the amount of every payment."""
        done = acts(self.terms, self.state)
        order = self.terms.book.settling
        moves = ", ".join(IN_WORDS[move] for move in order.moves)
        why = f"Order: {'box by box, and in each' if order.box_by_box else 'all boxes'} {moves}."
        for act in done:
            left = {_act_in_words(each, each.move) for each in done[act.number + 1 :]}
            wrong = {*left, *(_act_in_words(act, move) for move in IN_WORDS)} - {_act_in_words(act, act.move)}
            self._ask(
                Topic.ACTS,
                "What do your hands do next?",
                _act_in_words(act, act.move),
                self.rng.sample(sorted(wrong), 3),
                because=f"{act.because} {why}",
                rules=act.rules,
            )
            if act.move is ChipMove.PAY:
                self._ask_the_payment(act)
            self.said.append(f"Done: {act.says}")

    def _ask_the_payment(self, act: Act) -> None:
        self._note(
            Question(
                edition=self.terms.book.edition,
                topic=Topic.PAYOUT,
                seed=self.seed,
                asks=f"Box {act.box}, {bet_title(act.bet)} {show(act.lies)}: how much do you pay? Leave the stake out.",
                form=Form.AMOUNT,
                right=act.amount,
                because=f"{act.because} Pay {show(act.amount)}, in chips {chips_in_words(act.amount)}.",
                rules=act.rules,
                seconds=12,
            )
        )

    # ---------------------------------------------------------------- moments

    def _ask(self, topic: Topic, asks: str, right: str, wrong: Collection[str], *, because: str, rules: Rules) -> None:
        options = shuffled_options(self.rng, right, sorted(wrong))
        self._note(
            Question(
                edition=self.terms.book.edition,
                topic=topic,
                seed=self.seed,
                asks=asks,
                form=Form.ONE,
                options=options,
                right=(options.index(right),),
                because=because,
                rules=rules,
                seconds=6,
            )
        )

    def _note(self, asked: Question) -> None:
        """Note a moment, with what has happened since the last one."""
        state = self.before if self.state.stage in (Stage.SETTLED, Stage.VOID) else self.state
        lies = described(self.terms, state)
        own = asked.situation[len(lies) :] if asked.situation[: len(lies)] == lies else asked.situation
        says = (*self.said, *own)
        question = replace(asked, situation=(*lies, *says), cards=face_up(state))
        self.moments.append(Moment(question, says, self.terms, state))
        self.said = []


def _act_in_words(act: Act, move: ChipMove) -> str:
    return f"Box {act.box} {bet_title(act.bet)}: {IN_WORDS[move]}"
