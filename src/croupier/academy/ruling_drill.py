"""Rulings on an irregularity in a played Round: what follows, who may decide, what a box gets back."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from croupier.academy.hand_drill import shuffled_options
from croupier.academy.questions import Answer, Form, Question, Topic
from croupier.academy.scenes import Scene, boxes_in_words, described, face_up
from croupier.money import show
from croupier.rounds.commands import ChooseOption, GiveRuling, ReportIncident, RoundCommand
from croupier.rounds.decide import decide
from croupier.rounds.evolve import evolve_all
from croupier.rounds.irregularities.conditions import entries_of, fitting
from croupier.rounds.irregularities.consequences import carry_out
from croupier.rounds.irregularities.previews import BoxEffect, money_of
from croupier.rounds.irregularities.ruling_desk import consequence_in_words
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import HandStands, Round, Stage
from croupier.rulebooks.description.phrases import words
from croupier.rulebooks.vocabulary import (
    AskRuling,
    Consequence,
    DeclaredIncident,
    Incident,
    Irregularity,
    Role,
    Rulebook,
    When,
)

_SCENES = 400
"""How many scenes are tried for one in which an entry applies."""
_TOUCHED = 0.8
"""How many of the questions about money are about a box that gets something back or loses it, where there is one."""
_OF_THE_CARDS = (When.RECONSTRUCTIBLE, When.NOT_RECONSTRUCTIBLE)


class NoScene(LookupError):
    """No scene was found in which an entry applies."""


class Case:
    """A scene with an incident in it, and the entry of the rulebook that applies."""

    def __init__(self, scene: Scene, facts: ReportIncident, index: int) -> None:
        self.scene, self.facts, self.index = scene, facts, index
        self.terms, self.state = scene.terms, scene.state

    @property
    def entry(self) -> Irregularity:
        return self.terms.book.irregularities[self.index]

    @property
    def incident(self) -> DeclaredIncident:
        found = self.terms.book.incident(self.facts.incident)
        assert found is not None, "an entry speaks of a known incident"
        return found

    def after(self, command: RoundCommand) -> tuple[Round, dict[int, BoxEffect]]:
        """Return the Round after a report or a ruling, and what has become of every box."""
        state = self.state
        events = decide(self.terms, state, self.facts)
        assert not isinstance(events, Refusal), events.message
        if command is not self.facts:
            state = evolve_all(state, events)
            events = decide(self.terms, state, command)
            assert not isinstance(events, Refusal), events.message
        after = evolve_all(state, events)
        return after, money_of(after, events)


def case_of(book: Rulebook, rng: Random, index: int) -> Case:
    """Find a scene in which this entry of the rulebook applies; raises NoScene."""
    entry = book.irregularities[index]
    for _ in range(_SCENES):
        scene = _scene(book, rng, entry)
        for facts in reports_of(scene, rng, entry):
            if entry not in entries_of(scene.terms, facts.incident):
                continue  # a burn cannot be missed in a procedure without burns
            judged = decide(scene.terms, scene.state, facts)
            if not isinstance(judged, Refusal) and fitting(scene.terms, scene.state, facts) == entry:
                return Case(scene, facts, index)
    raise NoScene(f"No scene was found for {entry.incident} ({', '.join(entry.rules)}) of {book.edition}.")


def _scene(book: Rulebook, rng: Random, entry: Irregularity) -> Scene:
    """Play a Round up to a moment at which the entry may apply."""
    scene = Scene(book.edition, rng)
    scene.place_bets()
    scene.close_bets()
    wants = set(entry.when)
    if When.EXPOSED_BEFORE in wants:
        _expose_one(scene, rng)
    if When.PLAYER_HAS_HANDLED in wants and rng.random() < 0.5:
        scene.handle()
    elif not wants & {When.NO_PLAYER_HAS_SEEN, When.NO_PLAYER_HAS_HANDLED} and rng.random() < 0.7:
        scene.look()
    if not wants & {When.FIRST_DECISION_REMAINS, When.NOTHING_SEEN_OR_FACE_UP, When.NOTHING_SEEN_FACE_UP_OR_EXPOSED}:
        scene.decide(rng.choice((0, 0, 1, 2, 3, 5, 8)))
    return scene


def _expose_one(scene: Scene, rng: Random) -> None:
    """Expose one card, and let every box that is asked play on."""
    scene.do("report", incident=Incident.CARDS_EXPOSED, count=1, boxes=[rng.choice(scene.state.hands)])
    while scene.state.awaiting and scene.state.awaiting[0].role is None:
        waits = scene.state.awaiting[0]
        if not scene.do("choose", box=waits.boxes[0], option=waits.options[0]):
            return


def reports_of(scene: Scene, rng: Random, entry: Irregularity) -> Iterator[ReportIncident]:
    """Yield reports of the incident with facts that may make the entry apply."""
    state = scene.state
    hands = [number for number in state.hands if state.box(number).stands is HandStands.LIVE]
    if state.stage is not Stage.PLAYING or not hands:
        return
    boxes = tuple(sorted(rng.sample(hands, rng.randint(1, len(hands)))))
    one = (rng.choice(hands),)
    others = tuple(number for number in state.hands if number not in one)
    sure = not set(entry.when) & {When.NOT_RECONSTRUCTIBLE, When.COUNT_WRONG}
    incident = scene.terms.book.incident(entry.incident)
    assert incident is not None, "an entry speaks of a known incident"
    facts = incident.facts
    says = ReportIncident(
        incident=entry.incident,
        by=Role.SHIFT_MANAGER if set(entry.when) & set(_OF_THE_CARDS) else Role.DEALER,
        player=state.box(one[0]).seated if "player" in facts else None,
        reconstructible=sure if set(entry.when) & set(_OF_THE_CARDS) else None,
        correct=sure and "correct" in facts,
        text=f"{scene.terms.book.words_of(entry.incident)}." if entry.incident == Incident.UNCOVERED else "",
    )
    if entry.incident == Incident.CARDS_EXPOSED:
        dealer, community = rng.choice(((False, False), (True, False), (False, True)))
        several = When.TWO_OR_MORE in entry.when or rng.random() < 0.3
        named = one if not several else boxes
        if (dealer or community) and (When.BOX_CARD not in entry.when):
            yield replace(says, boxes=(), count=2 if several else 1, dealer=dealer, community=community)
        yield replace(says, boxes=named, count=max(2, len(named)) if several else 1)
    elif entry.incident == Incident.WRONG_BOX_COUNT:
        yield replace(says, boxes=one, affected=others)
    elif entry.incident in (Incident.EXTRA_HAND_EXAMINED, Incident.WALKED_AWAY):
        yield from (replace(says, boxes=(number,), player=state.box(number).seated) for number in state.hands)
    elif entry.incident == Incident.CONTROLS_MULTIPLE_HANDS:
        yield from (replace(says, boxes=(), player=state.box(number).seated) for number in hands)
    elif "boxes" in facts:
        yield replace(says, boxes=boxes)
    else:
        yield says


# ---------------------------------------------------------------- questions


def name_the_consequence(case: Case, rng: Random, seed: int) -> Question:
    """Ask what follows, among consequences that would each lead elsewhere in this Round."""
    book, entry = case.terms.book, case.entry
    right = consequence_in_words(book, entry.then)[0]
    judged = _effect(case, entry.then)
    ways: dict[str, list[Consequence]] = {}
    for other in book.irregularities:
        ways.setdefault(consequence_in_words(book, other.then)[0], []).append(other.then)
    # Consequences for different boxes may have the same words: none of them may lead to the same.
    wrong = [
        text for text, then in ways.items() if text != right and all(_effect(case, each) != judged for each in then)
    ]
    wrong = rng.sample(wrong, min(3, len(wrong)))
    options = shuffled_options(rng, right, wrong)
    return _question(
        case,
        Topic.CONSEQUENCE,
        seed,
        asks="What follows?",
        form=Form.ONE,
        options=options,
        right=(options.index(right),),
        because=right,
        seconds=15,
    )


def name_the_authority(case: Case, seed: int) -> Question | None:
    """Ask who may decide; None where the entry leaves nothing to a person."""
    entry = case.entry
    if isinstance(entry.then, AskRuling):
        role, asks = entry.then.role, "Who, at the least, decides this?"
    elif set(entry.when) & set(_OF_THE_CARDS):
        role, asks = entry.word_of, "Whose word, at the least, decides whether the cards can be put back in order?"
    else:
        return None
    return _question(
        case,
        Topic.AUTHORITY,
        seed,
        asks=asks,
        form=Form.ONE,
        options=tuple(each.title for each in Role),
        right=(list(Role).index(role),),
        because=f"A {role.title} or above.",
        seconds=8,
        judged_by=False,
    )


def name_the_money(case: Case, rng: Random, seed: int) -> Question:
    """Ask what one box gets back at once."""
    entry = case.entry
    command: RoundCommand = case.facts
    box = 0
    said = ""
    if isinstance(entry.then, AskRuling):
        answer, _ = rng.choice(entry.then.answers)
        command = GiveRuling(by=entry.then.role, decision=answer, boxes=case.facts.boxes)
        said = f"The {entry.then.role.title} decides: {words(answer)}. "
    elif offered := _offered(case):
        box, option = rng.choice(offered)
        command = ChooseOption(box=box, option=option)
        said = f"Box {box} is asked, and chooses: {words(option)}. "
    _, effects = case.after(command)
    if not box:
        touched = [number for number, each in effects.items() if each.returned or each.lost]
        box = rng.choice(touched if touched and rng.random() < _TOUCHED else list(effects))
    effect = effects[box]
    return _question(
        case,
        Topic.RULING_MONEY,
        seed,
        asks=f"{said}How much goes back to box {box} now?",
        form=Form.AMOUNT,
        right=effect.returned,
        because=f"{consequence_in_words(case.terms.book, entry.then)[0]} {_money_in_words(box, effect)}",
        seconds=20,
    )


def _offered(case: Case) -> list[tuple[int, str]]:
    after, _ = case.after(case.facts)
    return [
        (box, option)
        for waits in after.awaiting
        if waits.role is None
        for box in waits.boxes
        for option in waits.options
    ]


def _money_in_words(box: int, effect: BoxEffect) -> str:
    parts = ((effect.returned, "back"), (effect.lost, "lost"), (effect.in_play, "in play"))
    said = ", ".join(f"{show(amount)} {what}" for amount, what in parts if amount)
    return f"Box {box}: {said}." if said else f"Box {box}: nothing lies there any more."


def _effect(case: Case, then: Consequence) -> tuple[object, ...]:
    """Return what a consequence makes of this Round, to tell two of them apart."""
    state = evolve_all(case.state, carry_out(case.terms, case.state, case.facts, case.entry.rules, then))
    boxes = tuple((box.stands, box.stakes, box.returned, box.choices, box.lost, box.settled) for box in state.boxes)
    waits = tuple((each.role, each.decisions, each.boxes, each.options) for each in state.awaiting)
    return state.stage, boxes, waits, state.frozen, state.deals, state.standing


def _question(
    case: Case,
    topic: Topic,
    seed: int,
    *,
    asks: str,
    form: Form,
    right: Answer,
    because: str,
    seconds: int,
    options: tuple[str, ...] = (),
    judged_by: bool = True,
) -> Question:
    return Question(
        edition=case.terms.book.edition,
        topic=topic,
        seed=seed,
        asks=asks,
        situation=(*described(case.terms, case.state), *_what_happened(case, judged_by)),
        cards=face_up(case.state),
        form=form,
        options=options,
        right=right,
        because=because,
        rules=case.entry.rules,
        incident=case.facts.incident,
        entry=case.index,
        seconds=seconds,
    )


def _what_happened(case: Case, judged_by: bool) -> Iterator[str]:
    facts, asked = case.facts, case.incident.facts
    said = [f"{case.incident.words}"]
    if "count" in asked:
        said.append("one card" if facts.cards_named == 1 else f"{facts.cards_named} cards")
    if facts.boxes:
        said.append(boxes_in_words(facts.boxes))
    if facts.dealer:
        said.append("the Dealer's")
    if facts.community:
        said.append("of the community")
    if "player" in asked and facts.player:
        said.append(facts.player)
    if "affected" in asked and facts.affected:
        said.append(f"{boxes_in_words(facts.affected)} affected too")
    yield f"What happened: {said[0]}{': ' if said[1:] else ''}{', '.join(said[1:])}."
    if "correct" in asked:
        yield f"The cards were counted, and the count was {'right' if facts.correct else 'wrong'}."
    if judged_by and set(case.entry.when) & set(_OF_THE_CARDS):
        can = "can" if facts.reconstructible else "cannot"
        yield f"A {case.entry.word_of.title} says that the cards {can} be put back into their intended order."
