"""Links and award cases as each viewer may see them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal, TypeAlias

import msgspec

from croupier.floor.duties.permissions import Action
from croupier.floor.house.memory.shown_state import CommittedState
from croupier.floor.people.authorization import may_step
from croupier.floor.people.people import Person
from croupier.floor.records.tables import Table
from croupier.floor.views.award_timelines import AwardCase, AwardState, Moment
from croupier.floor.views.moments import moment_text
from croupier.jackpots.commands import AwardCommand, DenyAward, ReleaseAward, SignAward
from croupier.jackpots.decide import decide_link
from croupier.jackpots.events import RoundKey, TableName
from croupier.jackpots.link import Case, CaseState, Link, waits_for
from croupier.money import Fixed, ForOne, Money, Pays, ShareOfMeter, ToOne, show
from croupier.rounds.refusal import Refusal
from croupier.rulebooks.terms import Terms
from croupier.structs import extended

AwardAct: TypeAlias = Literal["verify", "release", "deny"]


class AwardView(msgspec.Struct, frozen=True, kw_only=True):
    """A major award, from the claim to its end; it belongs to the round that won it."""

    award: int
    table: str
    round: int
    box: int
    hand: str
    cards: tuple[str, ...]
    state: CaseState
    amount: str | None
    waits_for: list[str]
    """Tables whose rounds may still go before it."""
    signatures: int
    missing: int
    signed: tuple[str, ...]
    """Empty for viewers who may not know who has signed."""
    may: tuple[AwardAct, ...]
    """What the viewer may do about it now."""
    denied_by: str
    """The lowest post that may deny the claim while it is open; empty once it has ended."""


class HitView(msgspec.Struct, frozen=True, kw_only=True):
    """A major award that was paid."""

    table: str
    round: int
    box: int
    hand: str
    amount: str


class LadderLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the jackpot pay table, with what it is worth at this moment."""

    hand: str
    pays: str
    amount: str
    """For the smallest jackpot bet."""
    major: bool
    """Paid by the meter."""


class Ladder(msgspec.Struct, frozen=True, kw_only=True):
    """What one jackpot bet pays in a game of the link, in the order of its document."""

    game: str
    operator: str
    title: str
    bet: str
    lines: tuple[LadderLine, ...]


class LinkView(msgspec.Struct, frozen=True, kw_only=True):
    """A jackpot link: the meter, the awards that are locked or wait, the last hits."""

    link: str
    meter: str
    locked: str
    """Set aside for awards that are not paid yet."""
    closed: bool
    reset: str
    hits: int
    last_hits: list[HitView]
    awards: list[AwardView]
    suspended: list[str]
    """Tables of the link at which no jackpot bets are taken after a fault."""


class AwardMoment(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened to an award."""

    at: str
    what: str
    by: str
    text: str


class AwardHistoryView(msgspec.Struct, frozen=True, kw_only=True):
    """An award of a round that was played, with its timeline."""

    award: int
    box: int
    player: str
    hand: str
    cards: tuple[str, ...]
    state: AwardState
    amount: str | None
    signatures: int
    signed: tuple[str, ...]
    timeline: tuple[AwardMoment, ...]


class AwardStep(msgspec.Struct, frozen=True, kw_only=True, tag="AwardCase"):
    """Something that happened to an award, as one step of its round."""

    what: str
    award: int
    box: int
    player: str
    hand: str
    amount: Money | None
    """In cents."""
    by: str
    text: str


def link_view(house: CommittedState, name: str, person: Person | None) -> LinkView:
    """Show a link as this person may see it."""
    link = house.shown_links[name]
    return LinkView(
        link=name,
        meter=show(link.cents),
        locked=show(link.locked_cents),
        closed=link.closed,
        reset=show(link.reset),
        hits=link.hits,
        last_hits=[extended(HitView, hit, amount=show(hit.amount)) for hit in reversed(link.last_hits)],
        awards=[award_view(house, link, case, person) for case in link.open_cases],
        suspended=[table.name for table in _tables_of(house, name) if table.round.standing.jackpot_suspended],
    )


def _tables_of(house: CommittedState, link: str) -> list[Table]:
    return [table for table in house.shown.values() if table.config.link == link]


def link_ladders(house: CommittedState, name: str) -> list[Ladder]:
    """Show what the jackpot pays in each game of the link, at this moment and for one bet of its table."""
    link, ladders = house.shown_links[name], dict[str, Ladder]()
    for table in _tables_of(house, name):
        terms = table.terms
        if terms.missing or terms.jackpot_bet is None or terms.book.game in ladders:
            continue
        stake, document = terms.jackpot_bet, terms.book.document
        lines = [
            LadderLine(
                hand=award.hand,
                pays=str(award.pays),
                amount=show(_worth(award.pays, stake, link.cents)),
                major=award.is_major,
            )
            for award in terms.book.jackpot.awards
        ]
        ladders[terms.book.game] = extended(Ladder, document, game=terms.book.game, bet=show(stake), lines=tuple(lines))
    return list(ladders.values())


def _worth(pays: Pays, stake: Money, meter: Money) -> Money:
    match pays:
        case ShareOfMeter():
            return pays.of(meter)
        case Fixed():
            return pays.won()
        case ToOne() | ForOne():
            return pays.won(stake)


def award_view(house: CommittedState, link: Link, case: Case, person: Person | None) -> AwardView:
    """Show a case as it stands; the names of signers only to people who may see them."""
    table = house.shown.get(case.table)
    waits: tuple[RoundKey, ...] = ()
    if case.state is CaseState.CLAIMED and table is not None:
        waits = waits_for(link, case.round, table.terms.book.jackpot)
    return extended(
        AwardView,
        case.claim,
        award=case.number,
        table=case.table,
        hand=case.claim.awards[0].hand,
        state=case.state,
        amount=None if case.amount is None else show(case.amount),
        waits_for=sorted({key[0] for key in waits}),
        signatures=case.signatures,
        missing=max(case.signatures - len(case.signed), 0) if case.is_open else 0,
        signed=tuple(case.signed) if sees_signatures(person) else (),
        may=() if person is None or table is None else tuple(_acts(house, link, case, person, table)),
        denied_by=table.terms.book.authority.uncovered_by.slug if case.is_open and table is not None else "",
    )


def _acts(house: CommittedState, link: Link, case: Case, person: Person, table: Table) -> Iterator[AwardAct]:
    """Return what this person may do about a case: their post allows it, and the link accepts it."""
    role = person.post.role
    if role is None or not case.is_open:
        return

    def accepts(command: AwardCommand) -> bool:
        return not isinstance(decide_link(partial(_terms_on, house, table.config.link), link, command), Refusal)

    name, number = table.name, case.number
    if may_step(person, table, "verify_award") and accepts(SignAward(table=name, award=number, by=person.name)):
        yield "verify"
    is_waiting = case.state is CaseState.CLAIMED
    if is_waiting and may_step(person, table, "rule") and accepts(ReleaseAward(table=name, by=role)):
        yield "release"
    denial = DenyAward(table=name, award=number, by=role, who=person.name, text="?")
    if may_step(person, table, "deny_award") and accepts(denial):
        yield "deny"


def _terms_on(house: CommittedState, link: str | None, name: TableName) -> Terms | None:
    table = house.shown.get(name)
    return table.terms if table is not None and table.config.link == link else None


def sees_signatures(person: Person | None) -> bool:
    """Return whether a person may know who has signed for an award."""
    return person is not None and (person.may(Action.SEE_FIGURES) or person.post.role is not None)


def award_history_view(case: AwardCase, person: Person | None) -> AwardHistoryView:
    """Show a case of a Round that was played, with its timeline."""
    sees = sees_signatures(person)
    return extended(
        AwardHistoryView,
        case.claim,
        award=case.number,
        hand=case.claim.awards[0].hand,
        state=case.state,
        amount=None if case.amount is None else show(case.amount),
        signatures=case.signatures,
        signed=tuple(case.signed) if sees else (),
        timeline=tuple(extended(AwardMoment, m, at=moment_text(m.at), by=m.by if sees else "") for m in case.timeline),
    )


def award_step(case: AwardCase, moment: Moment, person: Person | None) -> AwardStep:
    """Show a moment of a case as one step of its Round."""
    return extended(
        AwardStep,
        moment,
        award=case.number,
        box=case.claim.box,
        player=case.claim.player,
        hand=case.claim.awards[0].hand,
        amount=case.amount if moment.what in ("locked", "paid") else None,
        by=moment.by if sees_signatures(person) else "",
    )
