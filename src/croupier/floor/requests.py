"""What may be asked of a house, and what it answers. Every request carries an id: sent twice, it acts once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from croupier.floor.posts import Action, Post
from croupier.jackpots.link import Parameters
from croupier.money import Money
from croupier.rounds.commands import PlayerName, ReportIncident, RoundCommand
from croupier.rulebooks.vocabulary import Role


class TableConfig(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The terms of a table, as people write them."""

    game: str
    dealing: str | None = None
    boxes: int | None = None
    limits: Mapping[str, tuple[Money, Money]] = {}
    jackpot_bet: Money | None = None
    pay_tables: Mapping[str, Mapping[str, str]] = {}
    rulings: Mapping[str, str] = {}
    link: str | None = None
    currency: str | None = None
    physical: bool = False
    """Real cards on a real felt: the dealer enters what he turns. Otherwise the program shuffles and deals."""
    staffed: bool = False
    """A dealer runs it. Otherwise it runs by itself, with the server's clock for betting and deciding."""
    betting_seconds: int = 25
    deciding_seconds: int = 25
    pause_seconds: int = 8


class Asked(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """Something asked of the house."""


class OpenLink(Asked, frozen=True):
    """A jackpot link starts with this meter; the House pays the seed."""

    link: str
    meter: Money
    parameters: Parameters


class OpenTable(Asked, frozen=True):
    """A table of a game opens."""

    table: str
    config: TableConfig


class ChangeTerms(Asked, frozen=True):
    """From its next Round on a table plays with other limits, another jackpot Bet or other lines on its stakeboard."""

    table: str
    by: str
    limits: Mapping[str, tuple[Money, Money]] = {}
    """Of the Bets named; the others keep theirs."""
    jackpot_bet: Money | None = None
    pay_tables: Mapping[str, Mapping[str, str]] = {}
    """Of the Bets named; the others keep theirs."""


class CloseTable(Asked, frozen=True):
    """No further Round begins at a table until it is opened again; one in play is played to its end."""

    table: str
    by: str


class ReopenTable(Asked, frozen=True):
    """Rounds begin at a table again."""

    table: str
    by: str


class BuyIn(Asked, frozen=True):
    """A player gives the cashier money for chips."""

    player: PlayerName
    amount: Money


class CashOut(Asked, frozen=True):
    """A player gives the cashier chips for money."""

    player: PlayerName
    amount: Money


class AtTable(Asked, frozen=True):
    """A command at a table; the Dealer's own work follows by itself."""

    table: str
    command: RoundCommand


class OnLink(Asked, frozen=True):
    """A fault of the whole link, reported at every table of it."""

    link: str
    report: ReportIncident


class CollectAwards(Asked, frozen=True):
    """What other servers have brought about on a link is carried out at the tables of this one: awards that the link
    has paid are handed over, faults are met. A server asks it of itself when nobody asks anything.
    """

    link: str


class TakeTable(Asked, frozen=True):
    """A table whose server is gone is run by this one from now on."""

    table: str


class ReleaseAward(Asked, frozen=True):
    """An award that waits for another table is paid now."""

    table: str
    by: Role


class VerifyAward(Asked, frozen=True):
    """Somebody of the pit signs for the major awards of a Round at a staffed table; two different people have to."""

    table: str
    round: int
    by: str


class RuleDealOrder(Asked, frozen=True):
    """Whose Hands were dealt first is determined."""

    table: str
    by: Role
    tables: tuple[str, ...]


class CloseLink(Asked, frozen=True):
    """The link takes no jackpot Bets until it is opened again."""

    link: str
    by: str


class ReopenLink(Asked, frozen=True):
    """The link takes jackpot Bets again."""

    link: str
    by: str


class ChangeParameters(Asked, frozen=True):
    """Two people change how the jackpot grows, while the link is closed."""

    link: str
    by: str
    second: str
    parameters: Parameters


class AdjustMeter(Asked, frozen=True):
    """Two people correct the meter, with the cause in their words, while the link is closed."""

    link: str
    by: str
    second: str
    amount: Money
    cause: str


Measure: TypeAlias = AdjustMeter | ChangeParameters | AtTable
"""What takes two people and is not done at once: the first signs for it, and it waits for the second."""


class ProposeMeasure(Asked, frozen=True):
    """The first of two people signs for a measure."""

    proposal: str
    by: str
    words: str
    """What it is, for whoever signs."""
    second: Action
    """What the second person must be allowed to do."""
    measure: Measure
    """With the place of the second person empty."""


class SettleMeasure(Asked, frozen=True):
    """The second person has signed for a measure, and the house has answered it: it waits no longer."""

    proposal: str
    by: str


class EnrolPerson(Asked, frozen=True):
    """Somebody may log in from now on."""

    name: str
    post: Post
    secret: str


class RemovePerson(Asked, frozen=True):
    """Somebody may no longer log in."""

    name: str


class OpenSession(Asked, frozen=True):
    """Somebody has proved who he is."""

    person: str
    token_hash: str
    csrf: str


class CloseSession(Asked, frozen=True):
    """A session is over."""

    token_hash: str


class NoteRefusal(Asked, frozen=True):
    """Somebody asked for what his post may not: it goes on the record."""

    person: str
    action: str
    what: str


HouseCommand: TypeAlias = (
    OpenLink
    | OpenTable
    | ChangeTerms
    | CloseTable
    | ReopenTable
    | BuyIn
    | CashOut
    | AtTable
    | OnLink
    | CollectAwards
    | TakeTable
    | ReleaseAward
    | VerifyAward
    | RuleDealOrder
    | CloseLink
    | ReopenLink
    | ChangeParameters
    | AdjustMeter
    | EnrolPerson
    | RemovePerson
    | OpenSession
    | CloseSession
    | NoteRefusal
    | ProposeMeasure
    | SettleMeasure
)


class Request(msgspec.Struct, frozen=True):
    """A command with its id, and when it was taken (microseconds since 1970, UTC)."""

    id: str
    command: HouseCommand
    at: int


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the house says, after it is durable."""

    accepted: bool
    heads: Mapping[str, int] = {}
    """Where each stream that moved now stands."""
    stood: Mapping[str, int] = {}
    """Where the stream of a table stood that is concerned without having moved."""
    code: str = ""
    message: str = ""
    rules: tuple[str, ...] = ()
