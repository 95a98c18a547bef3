"""A player's own rounds, from the ledger: what each round, session and game came to, over all tables and devices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from croupier.floor.people.own_limits import REST
from croupier.floor.records.codec import link_fact, round_number
from croupier.floor.records.streams import table_stream
from croupier.floor.records.tables import Table
from croupier.floor.views.moments import moment_text
from croupier.journal.store import Store
from croupier.ledger import accounts
from croupier.money import Money, show
from croupier.rounds.events import BetPlaced, BetWithdrawn, CardsRedealt, HandDecided
from croupier.rounds.state import Round, Stage

_STAKES = {kind.__name__ for kind in (BetPlaced, BetWithdrawn, CardsRedealt, HandDecided)}
"""Events that put chips on the layout or take them back before the settlement."""


class Sums(msgspec.Struct, frozen=True, kw_only=True):
    """What some rounds came to."""

    rounds: int
    staked: str
    returned: str
    """All that came back: stakes, winnings and awards."""
    net: str


class OwnRound(msgspec.Struct, frozen=True, kw_only=True):
    """One round of a player."""

    table: str
    game: str
    round: int
    at: str
    in_play: bool
    """It is not over, so it counts in no sum."""
    staked: str
    returned: str
    net: str


class GameSums(msgspec.Struct, frozen=True, kw_only=True):
    """What a player's rounds of one game came to."""

    game: str
    sums: Sums


class SessionSums(msgspec.Struct, frozen=True, kw_only=True):
    """What a session of play came to: rounds with less than six hours between them."""

    since: str
    until: str
    sums: Sums


class OwnRounds(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a player's rounds, the newest first, and what all rounds of the search came to."""

    rounds: list[OwnRound]
    more: int
    """How many rounds there are beyond this page."""
    total: Sums
    games: list[GameSums]
    sessions: list[SessionSums]
    """The newest first."""


class _Played(msgspec.Struct):
    """A round while its entries are added up."""

    table: Table
    number: int
    at: int
    staked: Money = 0
    returned: Money = 0

    @property
    def is_in_play(self) -> bool:
        state: Round = self.table.round
        return self.table.ours and state.number == self.number and state.stage in (Stage.BETTING, Stage.PLAYING)

    def line(self) -> OwnRound:
        return OwnRound(
            table=self.table.name,
            game=self.table.terms.book.game,
            round=self.number,
            at=moment_text(self.at),
            in_play=self.is_in_play,
            staked=show(self.staked),
            returned=show(self.returned),
            net=show(self.returned - self.staked),
        )


SESSIONS_MOST = 50
"""Sessions in one answer."""


class OwnSearch(msgspec.Struct, frozen=True, kw_only=True):
    """Which of a player's rounds are wanted."""

    player: str
    since: int
    until: int
    """Microseconds since 1970, UTC."""
    game: str = ""
    """Empty for every game."""
    skip: int = 0
    limit: int = 20


def own_rounds(store: Store, tables: Mapping[str, Table], search: OwnSearch) -> OwnRounds:
    """Find the rounds of a player, with their sums."""
    played = [
        each
        for each in _played(store, tables, search.player)
        if search.since <= each.at < search.until and search.game in ("", each.table.terms.book.game)
    ]
    over = [each for each in played if not each.is_in_play]
    page = played[search.skip : search.skip + search.limit]
    games = sorted({each.table.terms.book.game for each in over})
    return OwnRounds(
        rounds=[each.line() for each in page],
        more=max(0, len(played) - search.skip - len(page)),
        total=_sums(over),
        games=[
            GameSums(game=name, sums=_sums([each for each in over if each.table.terms.book.game == name]))
            for name in games
        ],
        sessions=[
            SessionSums(since=moment_text(some[-1].at), until=moment_text(some[0].at), sums=_sums(some))
            for some in _sessions(over)[:SESSIONS_MOST]
        ],
    )


def _played(store: Store, tables: Mapping[str, Table], player: str) -> list[_Played]:
    """Add up a player's entries by round, the newest first."""
    by_stream = {table_stream(name): table for name, table in tables.items()}
    account = accounts.player(player)
    found: dict[tuple[str, int], _Played] = {}
    for opening, kind, amount in store.moved_in_rounds(account):
        if (table := by_stream.get(opening.stream)) is None:
            continue
        number = round_number(opening)
        each = found.setdefault((table.name, number), _Played(table, number, opening.at))
        if kind in _STAKES:
            each.staked -= amount
        else:
            each.returned += amount
    for record, amount in store.moved_on_links(account):
        fact = link_fact(record)
        won = found.get((getattr(fact, "table", ""), getattr(fact, "round", 0)))
        if won is not None:
            won.returned += amount
    return sorted(found.values(), key=lambda each: (each.at, each.table.name), reverse=True)


def _sums(some: Sequence[_Played]) -> Sums:
    staked, returned = sum(each.staked for each in some), sum(each.returned for each in some)
    return Sums(rounds=len(some), staked=show(staked), returned=show(returned), net=show(returned - staked))


def _sessions(newest_first: Iterable[_Played]) -> list[list[_Played]]:
    """Part rounds where six hours or more lie between two."""
    sessions: list[list[_Played]] = []
    for each in newest_first:
        if sessions and sessions[-1][-1].at - each.at < REST:
            sessions[-1].append(each)
        else:
            sessions.append([each])
    return sessions
