"""Commands recovered from what happened: the first release kept only a hash of each command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from msgspec.structs import replace

from croupier.floor.records import commands, facts, people_facts, play_facts
from croupier.floor.records.codec import HOUSE_FACTS, cashier_fact, people_fact
from croupier.floor.records.commands import HouseCommand
from croupier.floor.records.facts import Fact, TableFact, TableOpened
from croupier.floor.records.streams import CASHIER, HOUSE
from croupier.journal.records import Record
from croupier.money import SGD, ZAR
from croupier.rounds import commands as round_commands
from croupier.rounds import events as round_events
from croupier.rounds.state import Round
from croupier.structs import extended

_COMMANDS: Mapping[type[Fact], type[HouseCommand]] = {
    facts.TermsChanged: commands.ChangeTerms,
    facts.EditionScheduled: commands.ScheduleEdition,
    facts.EditionCancelled: commands.CancelEdition,
    facts.TableClosed: commands.CloseTable,
    facts.TableReopened: commands.ReopenTable,
    facts.TableArchived: commands.ArchiveTable,
    facts.BoughtIn: commands.BuyIn,
    facts.CashedOut: commands.CashOut,
    facts.ColourChanged: commands.ChangeColour,
    people_facts.HouseFounded: commands.FoundHouse,
    people_facts.PersonEnrolled: commands.EnrolPerson,
    people_facts.PersonAssigned: commands.AssignPerson,
    people_facts.PersonRemoved: commands.RemovePerson,
    people_facts.PersonErased: commands.ErasePerson,
    people_facts.SecretChanged: commands.ChangeSecret,
    people_facts.SecretResealed: commands.ResealSecret,
    people_facts.FactorEnrolled: commands.EnrolFactor,
    people_facts.FactorRemoved: commands.RemoveFactor,
    people_facts.BreakGlassMarked: commands.MarkBreakGlass,
    people_facts.SessionOpened: commands.OpenSession,
    people_facts.SessionUsed: commands.UseSession,
    people_facts.SessionLocked: commands.LockSession,
    people_facts.SessionUnlocked: commands.UnlockSession,
    people_facts.SessionClosed: commands.CloseSession,
    people_facts.AccessRefused: commands.NoteRefusal,
    people_facts.RefusalsCounted: commands.CountRefusals,
    people_facts.ClockStepped: commands.NoteClockStep,
    people_facts.TableHandedOver: commands.HandOverTable,
    people_facts.AwardPaidOut: commands.ConfirmAwardPaid,
    people_facts.RulingCarriedOut: commands.ConfirmRuling,
    people_facts.TrayCounted: commands.CountTray,
    people_facts.MeasureProposed: commands.ProposeMeasure,
    people_facts.MeasureSettled: commands.SettleMeasure,
    people_facts.MeasureWithdrawn: commands.WithdrawMeasure,
    people_facts.MeasureDeclined: commands.DeclineMeasure,
    people_facts.DutiesSet: commands.SetDuties,
    people_facts.ConsentAsked: commands.AskConsent,
    people_facts.ConsentSettled: commands.SettleConsent,
    people_facts.DisputeOpened: commands.OpenDispute,
    people_facts.DisputeNoted: commands.NoteDispute,
    people_facts.DisputeDecided: commands.DecideDispute,
    people_facts.DisputeClosed: commands.CloseDispute,
    play_facts.LimitsSet: commands.SetLimits,
    play_facts.CheckAcknowledged: commands.AcknowledgeCheck,
    play_facts.DemoChipsTaken: commands.TakeDemoChips,
    people_facts.DrillAsked: commands.AskDrill,
    people_facts.DrillAnswered: commands.AnswerDrill,
    people_facts.ExamSet: commands.SetExam,
    people_facts.ExamWithdrawn: commands.WithdrawExam,
    people_facts.SittingBegun: commands.BeginSitting,
    people_facts.SittingAnswered: commands.AnswerSitting,
    people_facts.SittingEnded: commands.EndSitting,
}
"""The command behind each fact that repeats all fields of its command."""


def possible_commands(stream: str, record: Record, currency: str | None = None) -> list[HouseCommand]:
    """Recover every command that leads to this record of the house, the cashier or the people.

    `currency` is what a table was asked to play in, where that is on record.
    """
    fact: Fact
    if stream == HOUSE:
        fact = HOUSE_FACTS.decode(record.data)  # as it was written: its readings were added later
    else:
        fact = cashier_fact(record) if stream == CASHIER else people_fact(record)
    if isinstance(fact, TableOpened):
        # A table on a link takes the link's currency, whatever was asked; the first release did not keep that.
        asked = (currency, fact.config.currency, None, SGD.code, ZAR.code)
        games = (fact.config.game, fact.config.game.partition("@")[0])
        boxes = (fact.config.boxes, None)
        configs = [
            replace(fact.config, currency=code, game=game, boxes=number)
            for code, game, number in product(asked, games, boxes)
        ]
        return [commands.OpenTable(table=fact.table, config=c, by=fact.by, second=fact.second) for c in configs]
    return [extended(_COMMANDS[type(fact)], fact)]


def round_command(facts: Sequence[TableFact], *, virtual: bool) -> round_commands.RoundCommand | None:  # noqa: C901, PLR0912  one match
    """Recover the command that began with these events; None where there is none."""
    corrected = next((fact for fact in facts[:2] if isinstance(fact, round_events.CardsCorrected)), None)
    if corrected is not None and (facts[0] is corrected or isinstance(facts[0], round_events.RoundReopened)):
        c = corrected
        return round_commands.CorrectCards(by=c.by, who=c.who, second=c.second, cards=c.cards)
    match facts[0]:
        case round_events.RoundOpened(day=day):
            return round_commands.OpenRound(day=day)
        case round_events.BetPlaced(
            player=player, box=box, bet=bet, amount=amount, noticed=noticed, by=by, remembered=known
        ):
            return round_commands.PlaceBet(
                player=player, box=box, bet=bet, amount=amount, noticed=noticed, by=by, remembered=known
            )
        case round_events.BetWithdrawn(player=player, box=box, bet=bet):
            return round_commands.WithdrawBet(player=player, box=box, bet=bet)
        case round_events.BetsClosed():
            return round_commands.CloseBets()
        case round_events.HandDecided(box=box, choice=choice, parts=parts, deemed=False):
            # Whether a wrong amount was noticed is not on record: noticed, it would have been refused.
            amount_or_none = sum(part.amount for part in parts) or None
            return round_commands.DecideHand(box=box, choice=choice, amount=amount_or_none, noticed=False)
        case round_events.HandExamined(box=box, player=player, noticed=noticed, cards=cards):
            return round_commands.ExamineHand(player=player, box=box, noticed=noticed, cards=cards)
        case round_events.HandHandled(box=box, player=player):
            return round_commands.HandleHand(player=player, box=box)
        case round_events.WalkedAway(player=player):
            return round_commands.WalkAway(player=player)
        case round_events.RevealRefused(box=box):
            return round_commands.RefuseReveal(box=box)
        case round_events.HandProved(box=box):
            return round_commands.ProveHand(box=box)
        case round_events.HandViewed(box=box, by=by_role):
            return round_commands.ViewHand(by=by_role, box=box)
        case round_events.PlayerRestricted(player=player, by=by_role):
            return round_commands.RestrictPlayer(by=by_role, player=player)
        case round_events.IncidentReported(report=report):
            return report
        case round_events.OptionChosen(box=box, option=option):
            return round_commands.ChooseOption(box=box, option=option)
        case round_events.RulingGiven() as given:
            return _ruling(given)
        case round_events.RoundReopened() if len(facts) > 1 and isinstance(facts[1], round_events.RulingGiven):
            return _ruling(facts[1])
        case round_events.JackpotModeSet(by=by_role, mode=mode, box=box_or_none):
            return round_commands.SetJackpotMode(by=by_role, mode=mode, box=box_or_none)
        case round_events.CardsDealt() if not virtual:
            return round_commands.DealCards()
        case round_events.CardsTurned(cards=turned) if not virtual:
            return round_commands.TurnCards(cards=turned)
        case _:
            return None


def _ruling(given: round_events.RulingGiven) -> round_commands.GiveRuling:
    return extended(round_commands.GiveRuling, given)


def was_awaited(state: Round, ruling: round_commands.GiveRuling) -> bool:
    """Return whether a Round waited for this ruling."""
    return any(asked.role is not None and ruling.decision in asked.decisions for asked in state.awaiting)
