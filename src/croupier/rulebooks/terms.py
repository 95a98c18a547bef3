"""The terms on which one table plays its rulebook: procedure, boxes, limits, jackpot bet, stakeboard and readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from croupier.cards import Rank, ThreeCardRank, slug
from croupier.money import BadMoney, Money, Pays, currency, parse_pays
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.catalogue.fingerprint import digest, edition_hash
from croupier.rulebooks.documents.document_text import BadReading
from croupier.rulebooks.documents.editions import Edition, edition
from croupier.rulebooks.readings import Readings
from croupier.rulebooks.vocabulary import (
    Award,
    Bet,
    BetKind,
    BetName,
    Deal,
    Dealing,
    Decision,
    HoleCards,
    Limits,
    PayTable,
    Place,
    Rulebook,
    SideHand,
    Turn,
)

ALWAYS, FOR_THE_COMPARISON = -1, 99

_RANKS = {slug(rank): rank for rank in Rank}
_SIDE_LINES: Mapping[SideHand, tuple[str, ...]] = {
    SideHand.HOLE_CARDS: tuple(pattern.value for pattern in HoleCards),
    SideHand.THREE_CARDS: tuple(slug(rank) for rank in reversed(ThreeCardRank)),
}
"""What the cards of a side Bet can make: a row for anything else would be printed and never paid."""


class BadTerms(ValueError):
    """A table's configuration that its rulebook does not allow; `field` is where, the message says what."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class Pin(msgspec.Struct, frozen=True):
    """Which rules a table plays by: the edition, the content of its rulebook, and what the table sets itself."""

    edition: str
    sha256: str
    """Of the rulebook under the table's readings."""
    overrides: str
    """SHA-256 over dealing procedure, boxes, limits, jackpot Bet, stakeboard and currency."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """A rulebook as one table plays it. Everything the engine asks of a book, it asks through these terms."""

    book: Rulebook
    pin: Pin
    dealing: Dealing
    boxes: int
    limits: Mapping[BetName, Limits]
    jackpot_bet: Money | None
    """None where the table is on no link: then no jackpot Bet is offered."""
    currency: str
    bets: Mapping[BetName, Bet]
    nth_decision: tuple[int | None, ...]
    """For each step of the procedure that is a decision: how many come before it; None for the other steps."""
    serves: tuple[int, ...]
    """For each step of the procedure: ALWAYS done, FOR_THE_COMPARISON only, or how many Community Cards are
    shown before it (a live jackpot Bet needs the step while that is fewer than the jackpot's)."""
    missing: str = ""
    """Why the rulebook is not there, in a sentence: recorded Rounds can be shown, and nothing can be judged."""

    def amount_of(self, bet: BetName, ante: Money) -> Money:
        """Return the size of a decision Bet on this Ante."""
        return self.bets[bet].times_ante * ante


def table_terms(
    game: str,
    *,
    dealing: str | None = None,
    boxes: int | None = None,
    limits: Mapping[BetName, Limits] | None = None,
    jackpot_bet: Money | None = None,
    linked: bool = True,
    pay_tables: Mapping[str, Mapping[str, str]] | None = None,
    rulings: Mapping[str, str] | None = None,
    currency_code: str | None = None,
) -> Terms:
    """Return the terms of a table of this game; an omitted setting has the game's default. Raises BadTerms."""
    try:
        readings = Readings.of(game, rulings or {})
    except BadReading as wrong:
        raise BadTerms("rulings", str(wrong)) from None
    of = (edition(game), declare(game, readings))
    own_limits = tuple((limits or {}).items())
    board = tuple((name, tuple(rows.items())) for name, rows in (pay_tables or {}).items())
    return _terms(of, readings, game, dealing, boxes, own_limits, jackpot_bet, linked, board, currency_code)


@lru_cache(maxsize=1024)
def _terms(
    of: tuple[Edition, Rulebook],
    readings: Readings,
    game: str,
    dealing: str | None,
    boxes: int | None,
    limits: tuple[tuple[BetName, Limits], ...],
    jackpot_bet: Money | None,
    linked: bool,
    pay_tables: tuple[tuple[str, tuple[tuple[str, str], ...]], ...],
    currency_code: str | None,
) -> Terms:
    """Return the terms of a table; scripts and tables by the thousand set the same.

    They are kept by the installed edition as well: two editions may declare equal rulebooks over different texts.
    """
    board = {name: dict(rows) for name, rows in pay_tables}
    book = with_pay_tables(of[1], board)
    procedure = book.dealings[0] if dealing is None else book.dealing(dealing)
    if procedure is None:
        names = ", ".join(d.name for d in book.dealings)
        raise BadTerms("dealing", f'{game} has no dealing procedure "{dealing}": it has {names}.')
    if boxes is not None and not 1 <= boxes <= book.layout.boxes:
        raise BadTerms("boxes", f"{game} has layouts of 1 to {book.layout.boxes} boxes, so {boxes} boxes are refused.")
    if jackpot_bet is not None and jackpot_bet <= 0:
        raise BadTerms("jackpot_bet", "The jackpot bet must be more than 0.00.")
    for name, _ in limits:
        bet = book.bet(name)
        if bet is None or bet.kind not in (BetKind.ENTRY, BetKind.SIDE):
            known = ", ".join(b.name for b in book.bets if b.kind in (BetKind.ENTRY, BetKind.SIDE))
            raise BadTerms(f"limits.{name}", f'{game} sets no limits for "{name}": it does for {known}.')
    try:
        money_of_table = currency(currency_code or book.currency).code
    except BadMoney as wrong:
        raise BadTerms("currency", str(wrong)) from None
    own_boxes, own_limits = boxes or book.layout.boxes, {**dict(book.limits), **dict(limits)}
    own_jackpot_bet = (jackpot_bet or book.jackpot_bet) if linked else None
    overrides = digest((procedure.name, own_boxes, own_limits, own_jackpot_bet, board, money_of_table))
    nth_decision, serves = _steps(procedure)
    return Terms(
        book=book,
        pin=Pin(book.edition, edition_hash(book.edition, readings.choices), overrides),
        dealing=procedure,
        boxes=own_boxes,
        limits=own_limits,
        jackpot_bet=own_jackpot_bet,
        currency=money_of_table,
        bets={bet.name: bet for bet in book.bets},
        nth_decision=nth_decision,
        serves=serves,
    )


@lru_cache(maxsize=64)
def _steps(procedure: Dealing) -> tuple[tuple[int | None, ...], tuple[int, ...]]:
    """Return `nth_decision` and `serves` of the steps of a procedure."""
    nth_decision: list[int | None] = []
    serves: list[int] = []
    decisions = shown = 0
    for step in procedure.steps:
        decision = isinstance(step, Decision)
        nth_decision.append(decisions if decision else None)
        decisions += decision
        match step:
            case _ if not decisions:
                serves.append(ALWAYS)
            case Deal(order=(Place.COMMUNITY,) | (Place.BURN,)) | Turn(dealer=False):
                serves.append(shown)
            case _:
                serves.append(FOR_THE_COMPARISON)
        if isinstance(step, Turn) and not step.dealer:
            shown = step.community
    return tuple(nth_decision), tuple(serves)


def with_pay_tables(book: Rulebook, changes: Mapping[str, Mapping[str, str]]) -> Rulebook:
    """Return the book with rows of its pay tables replaced, as the table's stakeboard has them."""
    for name, rows in changes.items():
        where = f"pay_tables.{name}"
        parsed = {line: _pays(where, line, text) for line, text in rows.items()}
        side = next((s for s in book.side_bets if s.bet == name), None)
        if name == "jackpot":
            awards = _with_awards(book, parsed)
            book = msgspec.structs.replace(book, jackpot=msgspec.structs.replace(book.jackpot, awards=awards))
        elif name == "ante" and book.showdown.ante_table is not None:
            table = _with_rows(where, book.showdown.ante_table, parsed, tuple(_RANKS))
            book = msgspec.structs.replace(book, showdown=msgspec.structs.replace(book.showdown, ante_table=table))
        elif side is not None:
            changed = msgspec.structs.replace(side, table=_with_rows(where, side.table, parsed, _SIDE_LINES[side.on]))
            sides = tuple(changed if s is side else s for s in book.side_bets)
            book = msgspec.structs.replace(book, side_bets=sides)
        else:
            raise BadTerms(where, f'{book.game} has no pay table "{name}" that a stakeboard could change.')
    return book


def _pays(where: str, line: str, text: str) -> Pays:
    try:
        return parse_pays(text)
    except BadMoney as wrong:
        raise BadTerms(f"{where}.{line}", str(wrong)) from None


def _with_rows(where: str, table: PayTable, changes: Mapping[str, Pays], lines: Sequence[str]) -> PayTable:
    """Return the table with these rows, old or new; `lines` is what its cards can make."""
    known = dict(table.rows)
    for line, pays in changes.items():
        if line not in lines:
            raise BadTerms(f"{where}.{line}", f'There is no line "{line}": the lines are {", ".join(lines)}.')
        if not pays.stake_returned:
            raise BadTerms(f"{where}.{line}", f'This table pays odds "to 1", so {pays} is refused.')
        known[line] = pays
    return msgspec.structs.replace(table, rows=tuple(known.items()))


def _with_awards(book: Rulebook, changes: Mapping[str, Pays]) -> tuple[Award, ...]:
    jackpot = book.jackpot
    awards = {award.hand: award for award in jackpot.awards}
    for line, pays in changes.items():
        where = f"pay_tables.jackpot.{line}"
        if pays.stake_returned:
            raise BadTerms(
                where, f"The jackpot bet is always collected, so it pays an amount, a share or odds for 1, not {pays}."
            )
        if line in awards:
            awards[line] = msgspec.structs.replace(awards[line], pays=pays)
        elif jackpot.own_hands_of and line in _RANKS:
            awards[line] = Award(
                line,
                _RANKS[line],
                pays,
                jackpot.own_hands_rules,
                community=jackpot.own_hands_of,
                with_own_card=_RANKS[line] >= Rank.STRAIGHT_FLUSH,
            )
        else:
            raise BadTerms(where, f'{book.game} has no jackpot hand "{line}": it has {", ".join(awards)}.')
    return tuple(awards.values())
