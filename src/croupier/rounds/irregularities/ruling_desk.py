"""The ruling desk: for a supervisor at a real table with no system behind it.

It asks only the facts that matter for this incident in this game, then says the consequence, the paragraph, who may
decide, and the money of each box.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

import msgspec

from croupier.money import Money
from croupier.rulebooks.incidents import OPPOSITE, Noticed
from croupier.rulebooks.vocabulary import (
    ANTE_BET,
    AskRuling,
    BetName,
    BoxNo,
    CheckHand,
    Consequence,
    Continue,
    DeclaredIncident,
    FoldHand,
    ForfeitBets,
    FreezeMeter,
    Incident,
    IncidentName,
    InvalidateHand,
    Irregularity,
    OfferOptions,
    Redeal,
    Role,
    Rulebook,
    Rules,
    VoidRound,
    When,
    Whom,
)

QUESTIONS = {
    When.DECISIONS_REMAIN: "Does the player still have a decision to make in this round?",
    When.FIRST_DECISION_REMAINS: "Is the player's first decision of the round still to be made?",
    When.TWO_OR_MORE: "Were two or more cards exposed?",
    When.EXPOSED_BEFORE: "Was another card exposed earlier in this deal?",
    When.PLAYER_HAS_SEEN: "Has any player looked at a card of their own?",
    When.SEEN_OR_FACE_UP: "Has any player looked at their cards, or has the Dealer turned any card?",
    When.SEEN_FACE_UP_OR_EXPOSED: "Has any player looked at their cards, or is any card face up, even by accident?",
    When.PLAYER_HAS_HANDLED: "Has any player touched their cards?",
    When.FLOP_TURNED: "Are the flop cards turned?",
    When.RECONSTRUCTIBLE: "Can the cards be put back into their intended order?",
    When.OUTCOME_ESTABLISHED: "Has any bet conclusively won or lost by what lies face up (a fold counts)?",
    When.COUNT_PROVED_RIGHT: "Did the hand count prove right?",
    When.A_HAND_WAS_VIEWED: "Has the player looked at one of their hands?",
    When.DEALER_OR_COMMUNITY_CARD: "Was it the Dealer's card or a community card?",
    When.COMMUNITY_CARDS_ONLY: "Were community cards exposed, and none of a player's or the Dealer's hand?",
    When.JACKPOT_BETS_LIE: "Does any jackpot bet lie on the table?",
}
"""Each condition as a question for yes or no, which answers its opposite too."""


class DeskBet(msgspec.Struct, frozen=True):
    """Chips on the felt, as the supervisor enters them."""

    box: BoxNo
    bet: BetName
    amount: Money
    player: str = ""


class BoxMoney(msgspec.Struct, frozen=True):
    """What becomes of one box's chips."""

    box: BoxNo
    what: str
    returned: Money = 0
    lost: Money = 0
    in_play: Money = 0


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """What follows, by which paragraph, and who may decide it."""

    incident: IncidentName
    rules: Rules
    consequence: str
    decided_by: Role
    answers: tuple[Advice, ...] = ()
    """Where a person or a player chooses: what each answer does."""
    answer: str = ""
    money: tuple[BoxMoney, ...] = ()


class Question(msgspec.Struct, frozen=True):
    """A fact that decides between paragraphs, and whose word it takes."""

    fact: When
    words: str
    word_of: Role


def entries_for(book: Rulebook, incident: IncidentName) -> tuple[Irregularity, ...]:
    """Return the entries of this incident; the uncovered ones where the document does not mention it."""
    return book.entries_of(incident) or book.entries_of(Incident.UNCOVERED)


def next_question(book: Rulebook, incident: IncidentName, facts: Mapping[When, bool]) -> Question | None:
    """Return the next fact that matters; None when the consequence is known."""
    left = _possible(entries_for(book, incident), facts)
    for entry in left:
        for when in entry.when:
            fact = OPPOSITE.get(when, when)
            if fact not in facts and len(left) > 1:
                word_of = entry.word_of if fact is When.RECONSTRUCTIBLE else Role.DEALER
                return Question(fact, QUESTIONS[fact], word_of)
    return None


def advise(
    book: Rulebook,
    incident: IncidentName,
    facts: Mapping[When, bool],
    *,
    boxes: Iterable[BoxNo] = (),
    affected: Iterable[BoxNo] = (),
    bets: Iterable[DeskBet] = (),
) -> Advice:
    """Return the consequence once every question is answered."""
    (entry,) = _possible(entries_for(book, incident), facts)
    felt = _Felt(book, tuple(bets), tuple(boxes), tuple(affected))
    return _advice(book, incident, entry.rules, entry.then, felt)


def _possible(entries: Iterable[Irregularity], facts: Mapping[When, bool]) -> list[Irregularity]:
    return [entry for entry in entries if not any(_denied(when, facts) for when in entry.when)]


def _denied(when: When, facts: Mapping[When, bool]) -> bool:
    if when in OPPOSITE:
        return facts.get(OPPOSITE[when]) is True
    return facts.get(when) is False


# ---------------------------------------------------------------- consequences in words and money


class _Felt(msgspec.Struct, frozen=True):
    book: Rulebook
    bets: tuple[DeskBet, ...]
    named: tuple[BoxNo, ...]
    affected: tuple[BoxNo, ...]

    def boxes(self, whom: Whom) -> set[BoxNo]:
        every = {bet.box for bet in self.bets}
        match whom:
            case Whom.ALL:
                return every
            case Whom.OTHERS_AFFECTED:
                return set(self.affected) - set(self.named)
            case Whom.WITH_JACKPOT_BET:
                return {bet.box for bet in self.bets if bet.bet == "jackpot"}
            case _:
                return set(self.named) or every

    def money(self, touched: set[BoxNo], what: str, *, lost: bool = False) -> tuple[BoxMoney, ...]:
        found = []
        for box in sorted({bet.box for bet in self.bets}):
            total = sum(bet.amount for bet in self.bets if bet.box == box)
            if box not in touched:
                found.append(BoxMoney(box, "plays on", in_play=total))
            elif lost:
                found.append(BoxMoney(box, what, lost=total))
            else:
                found.append(BoxMoney(box, what, returned=total))
        return tuple(found)


def _advice(
    book: Rulebook, incident: IncidentName, rules: Rules, then: Consequence, felt: _Felt, answer: str = ""
) -> Advice:
    consequence, decided_by = consequence_in_words(book, then)
    return Advice(
        incident=incident,
        rules=rules,
        consequence=consequence,
        decided_by=decided_by,
        answers=tuple(_answers(book, incident, rules, then, felt)),
        answer=answer,
        money=_money(then, felt),
    )


def consequence_in_words(book: Rulebook, then: Consequence) -> tuple[str, Role]:
    """Return a consequence as a sentence, and the least role that decides it."""
    match then:
        case VoidRound():
            return "The round is void: every bet of it goes back, earlier rounds stand.", Role.DEALER
        case Continue():
            return "The round goes on as it lies.", Role.DEALER
        case FoldHand():
            return f"The hand counts as folded: {_listed(book.fold.loses)} lost.", Role.DEALER
        case CheckHand():
            return "The hand is deemed to have checked whatever is left to choose.", Role.DEALER
        case InvalidateHand(then=options):
            text = "The hand is out of the round and its bets go back."
            return (f"{text} Other affected boxes choose." if options else text), Role.DEALER
        case ForfeitBets():
            return "Every bet of the player is lost, and no award is paid on them.", Role.DEALER
        case OfferOptions(to=to, options=options):
            whose = {Whom.ALL: "Every box", Whom.WITH_JACKPOT_BET: "Every box with a jackpot bet"}
            return f"{whose.get(to, 'Every affected box')} chooses: {' or '.join(options)}.", Role.DEALER
        case AskRuling(role=role, answers=answers):
            names = " or ".join(name.replace("_", " ") for name, _ in answers)
            return f"A {role.title} or above decides: {names}.", role
        case Redeal():
            return "Everything is dealt again; bets placed before the deal stay, a call goes back.", Role.DEALER
        case FreezeMeter(suspends_jackpot_bets=suspends):
            after = " No jackpot bet is taken afterwards until it is restored." if suspends else ""
            return f"The round goes on; awards are paid from the meter as registered before.{after}", Role.DEALER
        case _:
            assert_never(then)


def _answers(book: Rulebook, incident: IncidentName, rules: Rules, then: Consequence, felt: _Felt) -> Iterable[Advice]:
    match then:
        case AskRuling(answers=answers):
            for name, consequence in answers:
                yield _advice(book, incident, rules, consequence, felt, name)
        case OfferOptions(options=options, rules=cited):
            for option in options:
                taken: Consequence = Continue() if option in ("continue", "reconstructed") else InvalidateHand(then.to)
                yield _advice(book, incident, cited or rules, taken, felt, option)
        case InvalidateHand(then=options) if options is not None:
            yield from _answers(book, incident, options.rules or rules, options, felt)
        case _:
            return


def _money(then: Consequence, felt: _Felt) -> tuple[BoxMoney, ...]:
    every = felt.boxes(Whom.ALL)
    match then:
        case VoidRound():
            return felt.money(every, "all bets back")
        case InvalidateHand(whom=whom):
            return felt.money(felt.boxes(whom), "all bets back")
        case ForfeitBets(whom=whom):
            return felt.money(felt.boxes(whom), "all bets lost", lost=True)
        case FoldHand():
            return tuple(_folded(felt, box) for box in sorted(every))
        case _:
            return felt.money(set(), "plays on")


def _folded(felt: _Felt, box: BoxNo) -> BoxMoney:
    here = [bet for bet in felt.bets if bet.box == box]
    if box not in felt.boxes(Whom.REPORTED):
        return BoxMoney(box, "plays on", in_play=sum(bet.amount for bet in here))
    decision_bets = {bet.name for bet in felt.book.bets if bet.times_ante}
    gone = sum(bet.amount for bet in here if bet.bet in (*felt.book.fold.loses, *decision_bets, ANTE_BET))
    return BoxMoney(box, "folded", lost=gone, in_play=sum(bet.amount for bet in here) - gone)


def _listed(names: tuple[str, ...]) -> str:
    words = [name.replace("_", " ").title() for name in names]
    return f"{' and '.join(words)} {'are' if len(words) > 1 else 'is'}"


def incidents_of(book: Rulebook) -> tuple[DeclaredIncident, ...]:
    """Return the incidents that the desk advises on."""
    return tuple(known for known in book.known_incidents if known.noticed is not Noticed.AT_SETTLEMENT)
