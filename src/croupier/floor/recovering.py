"""From events back to what was asked: a command is not kept, but what it did says what it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from croupier.floor.facts import BoughtIn, HouseFact, TableClosed, TableFact, TableOpened, TableReopened, TermsChanged
from croupier.floor.following import CASHIER_FACTS, HOUSE_FACTS, PEOPLE_FACTS
from croupier.floor.people import (
    AccessRefused,
    MeasureProposed,
    MeasureSettled,
    PersonEnrolled,
    PersonRemoved,
    SessionClosed,
    SessionOpened,
)
from croupier.floor.requests import (
    BuyIn,
    CashOut,
    ChangeTerms,
    CloseSession,
    CloseTable,
    EnrolPerson,
    HouseCommand,
    NoteRefusal,
    OpenSession,
    OpenTable,
    ProposeMeasure,
    RemovePerson,
    ReopenTable,
    SettleMeasure,
)
from croupier.floor.tables import CASHIER, HOUSE, VERSIONS
from croupier.journal.records import Record
from croupier.money import SGD, ZAR
from croupier.rounds.commands import (
    ChooseOption,
    CloseBets,
    CorrectCards,
    DealCards,
    DecideHand,
    ExamineHand,
    GiveRuling,
    HandleHand,
    OpenRound,
    PlaceBet,
    ProveHand,
    RefuseReveal,
    RestrictPlayer,
    RoundCommand,
    SetJackpotMode,
    TurnCards,
    ViewHand,
    WalkAway,
    WithdrawBet,
)
from croupier.rounds.events import (
    BetPlaced,
    BetsClosed,
    BetWithdrawn,
    CardsCorrected,
    CardsDealt,
    CardsTurned,
    HandDecided,
    HandExamined,
    HandHandled,
    HandProved,
    HandViewed,
    IncidentReported,
    JackpotModeSet,
    OptionChosen,
    PlayerRestricted,
    RevealRefused,
    RoundOpened,
    RoundReopened,
    RulingGiven,
    WalkedAway,
)
from croupier.rounds.state import Round


def recovered(facts: Sequence[TableFact], *, virtual: bool) -> RoundCommand | None:  # noqa: C901, PLR0912  one match
    """The command that began with these events; None where none does."""
    corrected = next((fact for fact in facts[:2] if isinstance(fact, CardsCorrected)), None)
    if corrected is not None and (facts[0] is corrected or isinstance(facts[0], RoundReopened)):
        c = corrected
        return CorrectCards(by=c.by, who=c.who, second=c.second, cards=c.cards)
    match facts[0]:
        case RoundOpened(day=day):
            return OpenRound(day=day)
        case BetPlaced(player=player, box=box, bet=bet, amount=amount, noticed=noticed, by=by, remembered=known):
            return PlaceBet(player=player, box=box, bet=bet, amount=amount, noticed=noticed, by=by, remembered=known)
        case BetWithdrawn(player=player, box=box, bet=bet):
            return WithdrawBet(player=player, box=box, bet=bet)
        case BetsClosed():
            return CloseBets()
        case HandDecided(box=box, choice=choice, parts=parts, deemed=False):
            # Whether a wrong amount was noticed is not on record: noticed, it would have been refused.
            amount_or_none = sum(part.amount for part in parts) or None
            return DecideHand(box=box, choice=choice, amount=amount_or_none, noticed=False)
        case HandExamined(box=box, player=player, noticed=noticed, cards=cards):
            return ExamineHand(player=player, box=box, noticed=noticed, cards=cards)
        case HandHandled(box=box, player=player):
            return HandleHand(player=player, box=box)
        case WalkedAway(player=player):
            return WalkAway(player=player)
        case RevealRefused(box=box):
            return RefuseReveal(box=box)
        case HandProved(box=box):
            return ProveHand(box=box)
        case HandViewed(box=box, by=by_role):
            return ViewHand(by=by_role, box=box)
        case PlayerRestricted(player=player, by=by_role):
            return RestrictPlayer(by=by_role, player=player)
        case IncidentReported(report=report):
            return report
        case OptionChosen(box=box, option=option):
            return ChooseOption(box=box, option=option)
        case RulingGiven() as given:
            return _ruling(given)
        case RoundReopened() if len(facts) > 1 and isinstance(facts[1], RulingGiven):
            return _ruling(facts[1])
        case JackpotModeSet(by=by_role, mode=mode, box=box_or_none):
            return SetJackpotMode(by=by_role, mode=mode, box=box_or_none)
        case CardsDealt() if not virtual:
            return DealCards()
        case CardsTurned(cards=turned) if not virtual:
            return TurnCards(cards=turned)
        case _:
            return None


def _ruling(given: RulingGiven) -> GiveRuling:
    return GiveRuling(
        by=given.by,
        decision=given.decision,
        boxes=given.boxes,
        player=given.player,
        who=given.who,
        text=given.text,
    )


def was_awaited(state: Round, ruling: GiveRuling) -> bool:
    return any(asked.role is not None and ruling.decision in asked.decisions for asked in state.awaiting)


def asked_plainly(stream: str, record: Record) -> list[HouseCommand]:
    data = VERSIONS.raised(record)
    if stream == HOUSE:
        return _asked_of_the_house(HOUSE_FACTS.decode(data))
    if stream == CASHIER:
        fact = CASHIER_FACTS.decode(data)
        kind = BuyIn if isinstance(fact, BoughtIn) else CashOut
        return [kind(player=fact.player, amount=fact.amount)]
    known = PEOPLE_FACTS.decode(data)
    match known:
        case PersonEnrolled(name=name, post=post, secret=secret):
            return [EnrolPerson(name=name, post=post, secret=secret)]
        case PersonRemoved(name=name):
            return [RemovePerson(name=name)]
        case SessionOpened(person=person, token_hash=token_hash, csrf=csrf):
            return [OpenSession(person=person, token_hash=token_hash, csrf=csrf)]
        case SessionClosed(token_hash=token_hash):
            return [CloseSession(token_hash=token_hash)]
        case AccessRefused(person=person, action=action, what=what):
            return [NoteRefusal(person=person, action=action, what=what)]
        case MeasureProposed(proposal=key, by=by, words=words, second=second, measure=measure):
            return [ProposeMeasure(proposal=key, by=by, words=words, second=second, measure=measure)]
        case MeasureSettled(proposal=key, by=by):
            return [SettleMeasure(proposal=key, by=by)]
        case _:
            assert_never(known)


def _asked_of_the_house(told: HouseFact) -> list[HouseCommand]:
    match told:
        case TableOpened(table=table, config=config):
            # A table on a link takes the link's currency, whatever was asked.
            asked = [replace(config, currency=code) for code in (config.currency, None, SGD.code, ZAR.code)]
            return [OpenTable(table=table, config=config) for config in asked]
        case TermsChanged(table=table, by=by, limits=limits, jackpot_bet=bet, pay_tables=pays):
            return [ChangeTerms(table=table, by=by, limits=limits, jackpot_bet=bet, pay_tables=pays)]
        case TableClosed(table=table, by=by):
            return [CloseTable(table=table, by=by)]
        case TableReopened(table=table, by=by):
            return [ReopenTable(table=table, by=by)]
        case _:
            assert_never(told)
