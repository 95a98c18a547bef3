"""Journals of the first release, judged by its own law. It kept a hash of every command, so that what was asked is
recovered from what happened; it read an award when its signatures were complete, and its tables paid it out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Protocol, assert_never

import msgspec
from msgspec.structs import replace

from croupier.floor.audit.cursors import Judged, TableTrial, Told, expect
from croupier.floor.audit.findings import Differs
from croupier.floor.records.codec import HOUSE_FACTS, cashier_fact, people_fact, table_fact
from croupier.floor.records.commands import (
    ArchiveTable,
    AskConsent,
    AssignPerson,
    AtTable,
    BuyIn,
    CashOut,
    ChangeSecret,
    ChangeTerms,
    CloseSession,
    CloseTable,
    CollectAwards,
    CountRefusals,
    EnrolFactor,
    EnrolPerson,
    ErasePerson,
    FoundHouse,
    HouseCommand,
    LockSession,
    MarkBreakGlass,
    NoteClockStep,
    NoteRefusal,
    OnLink,
    OpenSession,
    OpenTable,
    ProposeMeasure,
    RemoveFactor,
    RemovePerson,
    ReopenTable,
    ResealSecret,
    SetDuties,
    SettleConsent,
    SettleMeasure,
    UnlockSession,
    UseSession,
)
from croupier.floor.records.facts import (
    BoughtIn,
    HouseFact,
    LinkOpened,
    TableArchived,
    TableClosed,
    TableFact,
    TableOpened,
    TableReopened,
    TermsChanged,
)
from croupier.floor.records.people_facts import (
    AccessRefused,
    BreakGlassMarked,
    ClockStepped,
    ConsentAsked,
    ConsentSettled,
    CredentialFact,
    DutiesSet,
    FactorEnrolled,
    FactorRemoved,
    HouseFounded,
    MeasureProposed,
    MeasureSettled,
    PersonAssigned,
    PersonEnrolled,
    PersonErased,
    PersonRemoved,
    RefusalsCounted,
    SecretChanged,
    SecretResealed,
    SessionClosed,
    SessionLocked,
    SessionOpened,
    SessionUnlocked,
    SessionUsed,
)
from croupier.floor.records.streams import CASHIER, HOUSE
from croupier.jackpots.awards import Purse, in_order, take_turn, topped_up
from croupier.jackpots.commands import AdjustMeter, ChangeParameters, CloseLink, LinkAsked, ReopenLink
from croupier.jackpots.events import (
    AwardReleased,
    AwardsHandedOver,
    AwardsPaid,
    ClaimsVerified,
    DealOrderRuled,
    LinkClosed,
    LinkReopened,
    MeterAdjusted,
    ParametersChanged,
    Payment,
    RoundKey,
)
from croupier.jackpots.evolve import paid_at_table
from croupier.jackpots.link import Link, waits_for
from croupier.jackpots.tables import Fault, next_fault
from croupier.journal.records import Record
from croupier.journal.store import Store
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
    ReportIncident,
    RestrictPlayer,
    RoundCommand,
    SetJackpotMode,
    TurnCards,
    ViewHand,
    WalkAway,
    WithdrawBet,
)
from croupier.rounds.events import (
    AwardPaid,
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
    RoundEvent,
    RoundOpened,
    RoundReopened,
    RulingGiven,
    WalkedAway,
)
from croupier.rounds.evolve import evolve
from croupier.rounds.settlement import claim_paid
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import AcrossTables


class VerifyAward(LinkAsked, frozen=True):
    """How the first release was asked to sign for all awards of a Round."""

    table: str
    round: int
    by: str


class Judge(Protocol):
    """What an audit does for every release alike."""

    store: Store

    @property
    def tables(self) -> Mapping[str, TableTrial]: ...

    def terms_of(self, link: str, name: str) -> Terms | None: ...

    def at_table(
        self,
        told: Told,
        table: TableTrial,
        used: dict[str, int],
        command: RoundCommand,
        fault: Fault | None = None,
        *,
        beside: Link | None = None,
        first_release: bool = False,
    ) -> Judged: ...


class FirstRelease:
    """Judges again what the first release has judged."""

    def __init__(self, audit: Judge) -> None:
        self._audit = audit

    def judge(
        self, told: Told, tables: Sequence[TableTrial], used: dict[str, int], beside: Link | None
    ) -> Sequence[HouseCommand | VerifyAward] | None:
        """One command at tables and on their link; answers how it may have been asked, as far as that is known."""
        commands: Sequence[HouseCommand | VerifyAward] | None = None
        if told.records and told.link is None:
            commands = [told.opened()]
        elif told.records:
            commands = self._of_the_link(told)
        self._hand_over(told, tables, used)
        if (collected := self._faults(told, tables, used)) is not None:
            commands = collected
        fault = None if told.link is None else next_fault(told.link)
        reported = told.reported()
        asked: RoundCommand | None = None if reported is None else reported.report
        asked_at: TableTrial | None = None
        for table in tables:
            found = self._at_table(told, table, used, fault, beside)
            if found is not None:
                asked, asked_at = found, table
        if told.records and told.link is not None:
            while (paid := self._next_payment(told)) is not None:
                told.expect(paid)
            self._hand_over(told, tables, used)
        if not told.records and isinstance(asked, ReportIncident) and tables[0].cursor.run is not None:
            # Where this was the fault of a link, the link says so later, when it has come as far.
            tables[0].alone[tables[0].cursor.run.command] = asked
        if commands is None and asked is not None:
            commands = self._askable(asked, asked_at, told.name)
        return commands

    def _at_table(
        self, told: Told, table: TableTrial, used: dict[str, int], fault: Fault | None, beside: Link | None
    ) -> RoundCommand | None:
        """What was asked at one table, recovered from what happened there; None where it only handed an award over."""
        assert table.cursor.run is not None, "the table stands before this command"
        records = table.cursor.run.records[used[table.name] :]
        facts = [table_fact(record) for record in records]
        if not facts or isinstance(facts[0], AwardPaid):
            return None
        command = recovered(facts, virtual=not table.config.physical)
        if command is None:
            raise Differs(records[0].stream, records[0].seq, f"no command begins with {records[0].type}.")
        return self._audit.at_table(told, table, used, command, fault, beside=beside, first_release=True).command

    def _faults(self, told: Told, tables: Sequence[TableTrial], used: dict[str, int]) -> list[HouseCommand] | None:
        """Faults of the link that another server reported, carried out at this one's tables."""
        by_name = {table.name: table for table in tables}
        commands: list[HouseCommand] | None = None
        while (carried := told.carried_out_next()) is not None:
            name, fault, report = carried
            commands = [CollectAwards(link=told.name)]
            table = by_name.get(name)
            met: RoundCommand | None = None
            if table is not None:
                met = self._at_table(told, table, used, fault, None)
            elif name in self._audit.tables:
                met = self._audit.tables[name].alone.pop(told.command, None)
            if met != report:
                raise Differs(told.stream, told.seq, f"table {name} has not carried out the fault that was reported.")
        return commands

    # ---------------------------------------------------------------- awards

    def _next_payment(self, told: Told) -> AwardsPaid | None:
        """The Round whose turn it is: signed for, and nobody who goes before it is left."""
        assert told.link is not None
        for key in () if told.link.faults else told.link.waiting:
            terms = self._audit.terms_of(told.name, key[0])
            cases = told.link.cases_of(key)
            if terms is not None and all(case.is_verified for case in cases) and not _waits(told.link, key, terms):
                return _payment(terms, told.link, key)
        return None

    def _hand_over(self, told: Told, tables: Sequence[TableTrial], used: dict[str, int]) -> None:
        """What the link had paid and its tables now hand over; `used` counts the records that this explains."""
        by_name = {table.name: table for table in tables}
        while isinstance(fact := told.next, AwardsHandedOver):
            key, table = (fact.table, fact.round), by_name.get(fact.table)
            paid = () if told.link is None else paid_at_table(told.link, key)
            if table is None or table.cursor.run is None or not paid:
                raise Differs(told.stream, told.seq, f"table {fact.table} has handed nothing over.")
            for case in paid:
                assert case.locked is not None
                awards, line = claim_paid(table.terms, case.claim, case.locked.lines, case.locked.rules)
                events: tuple[RoundEvent, ...] = (*awards, line)
                for event in events:
                    expect(table.cursor.run.records, used[table.name], event)
                    table.state = evolve(table.state, event)
                    used[table.name] += 1
            told.expect(AwardsHandedOver(table=fact.table, round=fact.round))

    # ---------------------------------------------------------------- what was asked

    def _of_the_link(self, told: Told) -> list[HouseCommand | VerifyAward] | None:
        """A ruling or a measure of the House: a fact of its own, with what it takes."""
        link, name, fact = told.link, told.name, told.next
        assert link is not None
        commands: list[HouseCommand | VerifyAward] | None = None
        wrong = ""
        match fact:
            case LinkOpened():
                wrong = "a link is opened once."
            case LinkClosed(by=by):
                commands = [CloseLink(link=name, by=by)]
            case LinkReopened(by=by):
                commands = [ReopenLink(link=name, by=by)]
            case ParametersChanged(by=by, second=second, parameters=parameters):
                wrong = _two_people(link, by, second)
                commands = [ChangeParameters(link=name, by=by, second=second, parameters=parameters)]
            case MeterAdjusted(by=by, second=second, units=units, cause=cause):
                wrong = _two_people(link, by, second)
                if units % link.scale or link.meter + units < 0 or not cause:
                    wrong = "a meter is corrected by whole cents, with a cause, and not below nothing."
                cents = units // link.scale
                commands = [AdjustMeter(link=name, by=by, second=second, amount=cents, cause=cause)]
            case ClaimsVerified(table=table, round=number, by=by):
                waits = [case for case in link.cases_of((table, number)) if case.is_open and not case.is_verified]
                if not by or not waits or by in waits[0].signed:
                    wrong = f"no award of table {table} waited for the signature of {by}."
                commands = [VerifyAward(table=table, round=number, by=by)]
            case AwardReleased(table=table):
                if all(key[0] != table for key in link.waiting):
                    wrong = f"no award of table {table} waited to be paid."
            case DealOrderRuled(tables=ruled):
                if any(self._audit.terms_of(name, table) is None for table in ruled):
                    wrong = "the order of deals names a table that is not on the link."
            case _:
                return None
        if wrong:
            raise Differs(told.stream, told.seq, wrong)
        assert fact is not None
        assert not isinstance(fact, LinkOpened)
        told.expect(fact)
        return commands

    def _askable(self, command: RoundCommand, table: TableTrial | None, link: str) -> list[HouseCommand] | None:
        """All the ways in which what was judged may have been asked; None where events do not keep all of it."""
        match command:
            case ReportIncident() if link := link or (table is not None and table.config.link) or "":
                reached = [other.name for other in self._audit.tables.values() if other.config.link == link]
                at_one = [AtTable(table=name, command=command) for name in reached]
                return [OnLink(link=link, report=command), *at_one, CollectAwards(link=link)]
            case _ if table is None:
                return None
            case GiveRuling() if not _was_awaited(table.state_before, command):
                return None  # a ruling that nobody asked for keeps only what it needs
            case OpenRound():
                return [AtTable(table=table.name, command=OpenRound())]  # which day it is, the house adds itself
            case PlaceBet():
                return [AtTable(table=table.name, command=replace(command, remembered=False))]
            case ExamineHand():
                looks = [replace(command, cards=(), salt=""), command]
                return [AtTable(table=table.name, command=look) for look in looks]
            case DecideHand(box=box, choice=choice, amount=amount):
                ways = product((None, amount), (True, False))
                decided = [DecideHand(box=box, choice=choice, amount=a, noticed=noticed) for a, noticed in ways]
                return [AtTable(table=table.name, command=way) for way in decided]
            case _:
                return [AtTable(table=table.name, command=command)]


def _two_people(link: Link, by: str, second: str) -> str:
    if not by or not second or by == second:
        return "it takes two different people."
    if not link.closed or link.dealt or link.waiting:
        return "the link was open, or Rounds of it were in play."
    return ""


def _waits(link: Link, key: RoundKey, terms: Terms) -> bool:
    """Where the order is that of entry, a claim waited for the signatures of those entered before it."""
    if any(case.released for case in link.cases_of(key)):
        return False
    if terms.book.jackpot.across_tables is AcrossTables.BY_ENTRY:
        earlier = link.waiting[: link.waiting.index(key)]
        return any(not case.is_verified for other in earlier for case in link.cases_of(other))
    return bool(waits_for(link, key, terms.book.jackpot))


def _payment(terms: Terms, link: Link, key: RoundKey) -> AwardsPaid:
    """All claims of a Round, paid from one purse."""
    jackpot, cases = terms.book.jackpot, list(link.cases_of(key))
    freeze = link.frozen_for(key)
    start = freeze.units if freeze is not None else link.meter
    purse = Purse(start, link.scale, link.reset * link.scale)
    paid = []
    for group in in_order(jackpot, cases):
        lines, order = take_turn(terms, purse, group, cases)
        paid += [(case.claim, line, order) for case, line in zip(group, lines, strict=True)]
    before = {lock.round[0] for lock in link.locks if lock.taken} - {key[0]}
    simultaneous = (
        cases[0].after_another
        or any(other != key for other in link.waiting)
        or (jackpot.across_tables is AcrossTables.BY_ENTRY and bool(before))
    )
    across = jackpot.across_tables_rules if simultaneous and purse.taken else ()
    from_paper = jackpot.frozen_rules if freeze is not None else ()
    added = topped_up(link, purse, frozen=freeze is not None)
    from_reserve = min(link.reserve, added) if purse.was_reset else 0
    return AwardsPaid(
        table=key[0],
        round=key[1],
        payments=tuple(Payment(claim, lines, (*order, *across, *from_paper)) for claim, lines, order in paid),
        taken=purse.taken,
        topped_up=added - from_reserve,
        from_frozen=start - purse.value if freeze is not None else 0,
        from_reserve=from_reserve,
        from_overflow=link.overflow if purse.was_reset else 0,
    )


# ---------------------------------------------------------------- commands, recovered from events


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


def _was_awaited(state: Round, ruling: GiveRuling) -> bool:
    return any(asked.role is not None and ruling.decision in asked.decisions for asked in state.awaiting)


def asked_plainly(stream: str, record: Record, currency: str | None = None) -> list[HouseCommand]:
    """What was asked of the house, the cashier or about people, in every way that leads to this record; `currency` is
    what a table was asked to play in, where that is on record.
    """
    if stream == HOUSE:
        return _asked_of_the_house(HOUSE_FACTS.decode(record.data), currency)
    if stream == CASHIER:
        fact = cashier_fact(record)
        kind = BuyIn if isinstance(fact, BoughtIn) else CashOut
        return [
            kind(
                player=fact.player,
                amount=fact.amount,
                by=fact.by,
                second=fact.second,
                consent=fact.consent,
                asked=fact.asked,
            )
        ]
    known = people_fact(record)
    match known:
        case HouseFounded(demonstration=demonstration):
            return [FoundHouse(demonstration=demonstration)]
        case SecretChanged(name=name, secret=secret, by=by, once=once, keeps=keeps):
            return [ChangeSecret(name=name, secret=secret, by=by, once=once, keeps=keeps)]
        case PersonEnrolled() | PersonRemoved() | PersonErased():
            return [_asked_of_enrolment(known)]
        case PersonAssigned() | DutiesSet() | ConsentAsked() | ConsentSettled():
            return [_asked_of_duties(known)]
        case SessionClosed(token_hash=token_hash, by=by):
            return [CloseSession(token_hash=token_hash, by=by)]
        case AccessRefused(person=person, action=action, what=what):
            return [NoteRefusal(person=person, action=action, what=what)]
        case ClockStepped(server=server, by=step, followed=followed):
            return [NoteClockStep(server=server, by=step, followed=followed)]
        case RefusalsCounted(person=person, action=action, count=number, since=since, until=until):
            return [CountRefusals(person=person, action=action, count=number, since=since, until=until)]
        case MeasureProposed(proposal=key, by=by, words=words, second=second, measure=measure):
            return [ProposeMeasure(proposal=key, by=by, words=words, second=second, measure=measure)]
        case MeasureSettled(proposal=key, by=by):
            return [SettleMeasure(proposal=key, by=by)]
        case _:
            return [_asked_about_credentials(known)]


def _asked_about_credentials(fact: CredentialFact | SessionOpened) -> HouseCommand:
    match fact:
        case SecretResealed(name=name, before=before, secret=secret):
            return ResealSecret(name=name, before=before, secret=secret)
        case FactorEnrolled(name=name, sealed=sealed, recovery=recovery, step=step):
            return EnrolFactor(name=name, sealed=sealed, recovery=recovery, step=step)
        case FactorRemoved(name=name, by=by):
            return RemoveFactor(name=name, by=by)
        case BreakGlassMarked(name=name, marked=marked, by=by):
            return MarkBreakGlass(name=name, marked=marked, by=by)
        case SessionOpened():
            return OpenSession(
                person=fact.person,
                token_hash=fact.token_hash,
                csrf=fact.csrf,
                came_from=fact.came_from,
                browser=fact.browser,
                step=fact.step,
                recovery=fact.recovery,
            )
        case SessionUsed(token_hash=token_hash):
            return UseSession(token_hash=token_hash)
        case SessionLocked(token_hash=token_hash):
            return LockSession(token_hash=token_hash)
        case SessionUnlocked(token_hash=token_hash):
            return UnlockSession(token_hash=token_hash)
        case _:
            assert_never(fact)


def _asked_of_enrolment(known: PersonEnrolled | PersonRemoved | PersonErased) -> HouseCommand:
    match known:
        case PersonEnrolled(name=name, post=post, secret=secret, by=by, second=other, commitment=sealed):
            return EnrolPerson(name=name, post=post, secret=secret, by=by, second=other, commitment=sealed)
        case PersonRemoved(name=name, by=by):
            return RemovePerson(name=name, by=by)
        case PersonErased(name=name, by=by):
            return ErasePerson(name=name, by=by)
        case _:
            assert_never(known)


def _asked_of_duties(known: PersonAssigned | DutiesSet | ConsentAsked | ConsentSettled) -> HouseCommand:
    match known:
        case PersonAssigned(name=name, by=by, pits=pits, tables=tables):
            return AssignPerson(name=name, by=by, pits=pits, tables=tables)
        case DutiesSet(duties=duties, by=by):
            return SetDuties(duties=duties, by=by)
        case ConsentAsked(consent=key, payment=payment):
            return AskConsent(consent=key, payment=payment)
        case ConsentSettled(consent=key, by=by, given=given):
            return SettleConsent(consent=key, by=by, given=given)
        case _:
            assert_never(known)


def _asked_of_the_house(told: HouseFact, currency: str | None) -> list[HouseCommand]:
    match told:
        case TableOpened(table=table, config=config, by=by, second=second):
            # A table on a link takes the link's currency, whatever was asked; the first release did not keep that.
            asked = [replace(config, currency=code) for code in (currency, config.currency, None, SGD.code, ZAR.code)]
            return [OpenTable(table=table, config=config, by=by, second=second) for config in asked]
        case TermsChanged(table=table, by=by, limits=limits, jackpot_bet=bet, pay_tables=pays, second=second):
            return [ChangeTerms(table=table, by=by, limits=limits, jackpot_bet=bet, pay_tables=pays, second=second)]
        case TableClosed(table=table, by=by):
            return [CloseTable(table=table, by=by)]
        case TableReopened(table=table, by=by):
            return [ReopenTable(table=table, by=by)]
        case TableArchived(table=table, by=by, before=before, seq=seq, hash=last, file=file, sha256=sha256):
            return [ArchiveTable(table=table, by=by, before=before, seq=seq, hash=last, file=file, sha256=sha256)]
        case _:
            assert_never(told)


# ---------------------------------------------------------------- states that it kept


class _FirstLink(msgspec.Struct, kw_only=True):
    """What the state of a link held in the first release and holds today."""

    scale: int
    meter: int
    reserve: int
    overflow: int
    seeded: int
    contributed: int
    topped_up: int
    closed: bool
    hits: int
    pending: list[object]
    """Its claims were not numbered, so that today's state cannot be made of them."""


def is_first_link(state: bytes) -> bool:
    """Whether a kept state of a link is one of the first release: a house reads the records instead."""
    try:
        return "locked" not in msgspec.json.decode(state, type=dict[str, msgspec.Raw])
    except msgspec.MsgspecError:
        return False


def first_link_agrees(state: bytes, link: Link) -> bool:
    """The sums of such a state are those of the link; raises MsgspecError where it is no state at all."""
    first = msgspec.json.decode(state, type=_FirstLink)
    same = ("scale", "meter", "reserve", "overflow", "seeded", "contributed", "topped_up", "closed")
    return all(getattr(first, name) == getattr(link, name) for name in same)
