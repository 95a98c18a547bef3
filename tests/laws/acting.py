"""Random people at a table: a command that somebody might give now, lawful or not."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from croupier.cards import DECK, Card
from croupier.rounds.commands import (
    ChooseOption,
    CloseBets,
    DecideHand,
    ExamineHand,
    GiveRuling,
    HandleHand,
    OpenRound,
    PlaceBet,
    ProveHand,
    RefuseReveal,
    ReportIncident,
    RestrictPlayer,
    RoundCommand,
    SetJackpotMode,
    ViewHand,
    WalkAway,
    WithdrawBet,
)
from croupier.rounds.dealing import decision_due
from croupier.rounds.state import Round, Stage
from croupier.rulebooks.incidents import INCIDENTS, Noticed
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import BetKind, IncidentName, Role

PLAYERS = ("ana", "ben", "cho")
REPORTABLE = tuple(incident.name for incident in INCIDENTS if incident.noticed is Noticed.BY_REPORT)


def decks(random: Random) -> Iterator[tuple[Card, ...]]:
    """Shuffled decks, now and then one that makes jackpots."""
    while True:
        cards = list(DECK)
        random.shuffle(cards)
        if random.random() < 0.3:
            suited = sorted(cards, key=lambda card: card[1] != "h")
            cards = suited[:13] + suited[13:]
            top = cards[:13]
            random.shuffle(top)
            cards[:13] = top
        yield tuple(cards)


def anything(random: Random, terms: Terms, state: Round, *, trouble: float) -> RoundCommand:
    """A command for this moment; with a chance of `trouble` an irregularity or something unlawful."""
    if random.random() < trouble:
        return _trouble(random, terms, state)
    if state.awaiting:
        return answer(random, state)
    match state.stage:
        case Stage.BETTING:
            if any(box.stakes for box in state.boxes) and random.random() < 0.35:
                return CloseBets()
            return _bet(random, terms, state)
        case Stage.PLAYING:
            due = decision_due(terms, state)
            if due is None:
                return OpenRound()
            if random.random() < 0.3:
                number = random.choice(due[1])
                return ExamineHand(player=state.box(number).seated or "ana", box=number)
            return DecideHand(box=random.choice(due[1]), choice=random.choice(due[0].choices))
        case _:
            return OpenRound()


def answer(random: Random, state: Round) -> RoundCommand:
    """One of the lawful answers to what the Round waits for."""
    waits = random.choice(state.awaiting)
    if waits.role is None:
        return ChooseOption(box=random.choice(waits.boxes), option=random.choice(waits.options))
    return GiveRuling(by=Role.SHIFT_MANAGER, decision=random.choice(waits.decisions), boxes=waits.report.boxes)


def _bet(random: Random, terms: Terms, state: Round) -> PlaceBet:
    bet = random.choice([b for b in terms.book.bets if b.kind not in (BetKind.DECISION, BetKind.PAYOUT)])
    box = random.randint(1, min(terms.boxes, 4))
    seated = state.box(box).seated
    player = seated if seated is not None and random.random() < 0.8 else random.choice(PLAYERS)
    amount = random.choice((1000, 1001, 2500, 3333, 5000))
    if bet.kind is BetKind.JACKPOT:
        amount = 500 * random.choice((1, 1, 1, 2, 3))
    return PlaceBet(player=player, box=box, bet=bet.name, amount=amount)


def _trouble(random: Random, terms: Terms, state: Round) -> RoundCommand:
    box = random.randint(1, min(terms.boxes, 4))
    player = random.choice(PLAYERS)
    by = random.choice(tuple(Role))
    unnoticed = random.choice((100, 999, 7001, 60000, 123))
    due = decision_due(terms, state)
    wrong = DecideHand(
        box=box, choice=due[0].bet if due else "flop", amount=random.choice((1, 777, 99999)), noticed=False
    )
    bets = [b.name for b in terms.book.bets]
    acts: tuple[RoundCommand, ...] = (
        PlaceBet(player=player, box=box, bet=random.choice(bets), amount=unnoticed, noticed=False),
        WithdrawBet(player=player, box=box, bet=random.choice(bets)),
        wrong,
        ExamineHand(player=player, box=box, noticed=False),
        HandleHand(player=player, box=box),
        WalkAway(player=player),
        RefuseReveal(box=box),
        ProveHand(box=box),
        ViewHand(by=by, box=box),
        RestrictPlayer(by=by, player=player),
        SetJackpotMode(by=by, mode=random.choice(("no_jackpot_bets", "restore", "disallow_box")), box=box),
        SetJackpotMode(by=Role.SHIFT_MANAGER, mode="restore"),
        GiveRuling(by=by, decision=random.choice(("fold", "stop", "void", "stand")), boxes=(box,), player=player),
        *(incident(random, what, box, player, by) for what in random.sample(REPORTABLE, 4)),
    )
    return random.choice(acts)


def incident(random: Random, what: IncidentName, box: int, player: str, by: Role) -> ReportIncident:
    return ReportIncident(
        incident=what,
        by=by,
        boxes=(box,) if random.random() < 0.8 else (),
        affected=(random.randint(1, 4),),
        player=player,
        count=random.choice((None, 1, 2)),
        dealer=random.random() < 0.2,
        community=random.random() < 0.2,
        reconstructible=random.choice((None, True, False)),
        correct=random.random() < 0.5,
    )
