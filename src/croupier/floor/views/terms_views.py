"""The terms of a table as everybody may read them, and the lobby."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from croupier.cards import slug
from croupier.floor.house.memory.shown_state import CommittedState
from croupier.floor.people.people import Person
from croupier.floor.records.commands import TableConfig
from croupier.floor.records.tables import Table
from croupier.floor.views.aliases import Aliases, seats_of
from croupier.floor.views.moments import moment_text
from croupier.money import show
from croupier.rounds.commands import Confirming
from croupier.rounds.state import Stage
from croupier.rulebooks import terms as rules
from croupier.rulebooks.vocabulary import ANTE_BET, BetKind, HandKind, Place, Showdown
from croupier.structs import extended

Limits: TypeAlias = Mapping[str, tuple[str, str]]
"""By bet: the minimum and the maximum, as text with two decimals."""
PayTables: TypeAlias = Mapping[str, Mapping[str, str]]
"""By bet: what each hand pays, as in {"bonus": {"flush": "8 to 1"}}."""


class Coming(msgspec.Struct, frozen=True, kw_only=True):
    """What will be different at a table from its next round on."""

    after: int
    """The number of the last round on the present terms."""
    limits: Limits
    jackpot_bet: str | None
    pay_tables: PayTables
    box_limits: Mapping[str, str]


class ScheduledEdition(msgspec.Struct, frozen=True, kw_only=True):
    """Another version of the rule document, by which rounds begin from a moment on."""

    edition: str
    at: str


class BetTerms(msgspec.Struct, frozen=True, kw_only=True):
    """A bet of the game: its kind, and how many antes a decision bet is."""

    bet: str
    kind: BetKind
    times_ante: int
    needs_ante: bool


class FoldTerms(msgspec.Struct, frozen=True, kw_only=True):
    """Bets that a folded hand loses, and bets that it keeps."""

    loses: tuple[str, ...]
    keeps: tuple[str, ...]


class ShowdownTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What the bets against the Dealer's hand pay, and what the Dealer needs."""

    even: tuple[str, ...]
    """Bets that a better hand is paid 1 to 1 on."""
    ante_from: str
    """On a win below this hand the Ante only comes back; empty where every win pays it."""
    dealer_needs: str
    """The least hand with which the Dealer plays, as in "a pair of 4s"; empty where every hand does."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What is displayed at a table: game, limits, jackpot bet, procedure, how it runs."""

    table: str
    game: str
    edition: str
    """The game with its version, as in `mbs-megalink-holdem@9`."""
    version: int | None
    """Of the rule document; null where the document states none."""
    missing: str
    """Why the rulebook is not there, so that no round can be played; empty where it is."""
    scheduled: ScheduledEdition | None
    title: str
    operator: str
    pit: str
    currency: str
    boxes: int
    dealing: str
    board: int
    """Community cards that the hands are made with; 0 where each hand stands alone."""
    box_cards: int
    """Cards that a box is dealt; this and the two below say which places the felt has."""
    dealer_cards: int
    community_cards: int
    limits: Limits
    jackpot_bet: str | None
    jackpot_multiples: int
    link: str | None
    pay_tables: PayTables
    bars: bool
    """A ruling may bar a player who breaks the rules."""
    box_limits: Mapping[str, str]
    """Boxes that the pit has limited, each with the most that may lie there as Ante."""
    coming: Coming | None
    bets: tuple[BetTerms, ...]
    fold: FoldTerms
    showdown: ShowdownTerms
    several_boxes: bool
    one_look: bool
    physical: bool
    """Real cards lie on its felt."""
    staffed: bool
    """A dealer runs it; otherwise it runs by itself."""
    confirms: Confirming
    """How the dealer's acts at the settlement are confirmed."""


class TableLine(Terms, frozen=True, kw_only=True):
    """A table as one line of a list."""

    elsewhere: bool
    """Another server of the house runs it: watch and play it there."""
    stage: Stage | None
    """Null where another server runs it."""
    round: int | None
    closed: bool


class LobbyTable(TableLine, frozen=True, kw_only=True):
    """A table in the public lobby: boxes taken, but not by whom."""

    seats_taken: int


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """A player at a box."""

    box: int
    player: str


class FloorTable(TableLine, frozen=True, kw_only=True):
    """A table in the list for people who are logged in."""

    seats: tuple[SeatView, ...]


class Lobby(msgspec.Struct, frozen=True, kw_only=True):
    """The tables, their limits, how many boxes are taken; the links."""

    demo: bool
    tables: list[LobbyTable]
    links: list[str]


def limits_view(terms: rules.Terms) -> Limits:
    """Write the limits of each bet as text."""
    return {bet: (show(limit.minimum), show(limit.maximum)) for bet, limit in terms.limits.items()}


def coming_view(table: Table) -> Coming | None:
    """Show what changes from the next Round on; None where no change is planned."""
    coming = table.coming
    if coming is None:
        return None
    bet = coming.terms.jackpot_bet
    return Coming(
        after=coming.after,
        limits=limits_view(coming.terms),
        jackpot_bet=None if bet is None else show(bet),
        pay_tables=coming.config.pay_tables,
        box_limits=box_limits_view(coming.config),
    )


def box_limits_view(config: TableConfig) -> Mapping[str, str]:
    """Write the limit of each box that has one as text."""
    return {box: show(most) for box, most in config.box_limits.items()}


def _scheduled_view(table: Table) -> ScheduledEdition | None:
    """Show the version on the table's calendar that no Round has been played by yet."""
    last = table.editions[-1] if table.editions else None
    if last is None or last.edition == table.config.game:
        return None
    return ScheduledEdition(edition=last.edition, at=moment_text(last.at))


def terms_view(table: Table) -> Terms:
    """Show the terms that are displayed at the table."""
    terms, config = table.terms, table.config
    book = terms.book
    return extended(
        Terms,
        config,
        table=table.name,
        game=book.game,
        edition=book.edition,
        version=book.document.version,
        missing=terms.missing,
        scheduled=_scheduled_view(table),
        title=book.document.title,
        operator=book.document.operator,
        currency=terms.currency,
        boxes=terms.boxes,
        dealing=terms.dealing.name,
        box_cards=terms.dealing.cards_to(Place.BOXES),
        dealer_cards=terms.dealing.cards_to(Place.DEALER),
        community_cards=terms.dealing.cards_to(Place.COMMUNITY),
        board=terms.dealing.cards_to(Place.COMMUNITY) if book.showdown.hand is HandKind.BEST_FIVE else 0,
        limits=limits_view(terms),
        jackpot_bet=None if terms.jackpot_bet is None else show(terms.jackpot_bet),
        jackpot_multiples=book.jackpot.multiples,
        bars=bool(book.authority.prohibited),
        box_limits=box_limits_view(config),
        coming=coming_view(table),
        bets=tuple(
            BetTerms(bet=bet.name, kind=bet.kind, times_ante=bet.times_ante, needs_ante=bool(bet.needs_ante))
            for bet in book.bets
            if bet.kind is not BetKind.PAYOUT
        ),
        fold=FoldTerms(loses=book.fold.loses, keeps=book.fold.keeps),
        showdown=_showdown_view(book.showdown),
        several_boxes=book.seating.several_boxes,
        one_look=book.seating.several_boxes,
        confirms=table.latest.confirms,
    )


def _showdown_view(showdown: Showdown) -> ShowdownTerms:
    least, needs = showdown.ante_pays_from, showdown.qualification
    return ShowdownTerms(
        even=tuple(bet for bet in showdown.bets if bet != ANTE_BET or showdown.ante_table is None),
        ante_from="" if least is None else slug(least),
        dealer_needs="" if needs is None else needs.at_least.words,
    )


def is_closed(table: Table) -> bool:
    """Return whether no further Round begins: the pit has closed the table, or a fault of the jackpot has."""
    return table.closed or table.round.standing.closed


def floor_tables(house: CommittedState, person: Person | None) -> list[FloorTable]:
    """List every table in one line, with the names that this person may know."""
    return [
        floor_table(table, Aliases(person, seats_of(table.round))) if table.ours else elsewhere_table(table)
        for table in house.shown.values()
    ]


def elsewhere_table(table: Table) -> FloorTable:
    """Show the next terms of a table that another server runs; only that server knows where its Round stands."""
    terms = table.changes[-1].terms if table.changes else table.terms
    known = terms_view(msgspec.structs.replace(table, terms=terms, config=table.latest, changes=()))
    return extended(FloorTable, known, elsewhere=True, stage=None, round=None, closed=table.closed, seats=())


def floor_table(table: Table, aliases: Aliases | None = None) -> FloorTable:
    """Show the terms, seats and Round of a table of this server; without aliases, with all names."""
    seats = [(box.number, box.seated) for box in table.round.boxes if box.seated]
    return extended(
        FloorTable,
        terms_view(table),
        elsewhere=False,
        stage=table.round.stage,
        round=table.round.number,
        closed=is_closed(table),
        seats=tuple(SeatView(box=box, player=aliases.name(name) if aliases else name) for box, name in seats),
    )


def lobby(house: CommittedState, *, demo: bool) -> Lobby:
    """Show the lobby to people who are not logged in: boxes taken, but not by whom."""
    lines = [floor_table(table) if table.ours else elsewhere_table(table) for table in house.shown.values()]
    without_names = [extended(LobbyTable, line, seats_taken=len(line.seats)) for line in lines]
    return Lobby(demo=demo, tables=without_names, links=sorted(house.shown_links))
