"""What happens on a link, in meter units (a cent is `scale` of them). `AnyLinkEvent` is a plain union."""

from __future__ import annotations

from typing import TypeAlias, final

import msgspec

from croupier.jackpots.parameters import Parameters
from croupier.money import Money
from croupier.rounds.commands import PaidLine, ReportIncident
from croupier.rounds.events import AwardClaimed, AwardPaid, BetSettled
from croupier.rulebooks.vocabulary import BoxNo, Role, Rules

TableName: TypeAlias = str
RoundKey: TypeAlias = tuple[TableName, int]


class LinkEvent(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Something that happened on the link, in meter units (a cent is `scale` units)."""


class RoundLinkEvent(LinkEvent, frozen=True):
    """Something that happened on the link to one Round of a table."""

    table: TableName
    round: int

    @property
    def key(self) -> RoundKey:
        return self.table, self.round


@final
class Contributed(RoundLinkEvent, frozen=True):
    """An accepted jackpot Bet has raised the meter, the hidden reserve, and past the cap the overflow."""

    box: BoxNo
    units: int
    reserve: int = 0
    overflow: int = 0


class ContributionReversed(RoundLinkEvent, frozen=True):
    """A returned jackpot Bet has taken its contribution back."""

    box: BoxNo
    units: int
    reserve: int = 0
    overflow: int = 0


@final
class HandsDealt(RoundLinkEvent, frozen=True):
    """A Round with jackpot Bets has been dealt: from now on it stands in the order of deals."""


class DealRestored(RoundLinkEvent, frozen=True):
    """A settled Round was reopened: it stands in the order of deals again, at its old place."""


@final
class RoundDecided(RoundLinkEvent, frozen=True):
    """A Round can no longer win a major award, or has claimed what it won."""


class ClaimsEntered(RoundLinkEvent, frozen=True, omit_defaults=True):
    """A Round has won major awards: each claim becomes a case, numbered in the order in which claims are entered."""

    claims: tuple[AwardClaimed, ...]
    signatures: int = 0
    """How many different people verify each case before it is paid: two at a staffed table."""


class AwardLocked(msgspec.Struct, frozen=True):
    """What one case will be paid, line by line."""

    case: int
    lines: tuple[PaidLine, ...]
    rules: Rules = ()
    """What put it in its place among the winners."""

    @property
    def from_meter(self) -> Money:
        return sum(line.amount for line in self.lines if line.from_meter)


class AwardsLocked(RoundLinkEvent, frozen=True, omit_defaults=True):
    """The turn of these cases has come: their value is read and set aside. The meter falls by `taken`, the House adds
    `topped_up`, and what is contributed from now on goes to the meter that follows.
    """

    awards: tuple[AwardLocked, ...]
    taken: int
    topped_up: int = 0
    """Units that the House adds: a reset value, or what a floor of shares costs beyond the meter."""
    from_frozen: int = 0
    """What the frozen value falls by on paper; 0 where the live meter pays."""
    from_reserve: int = 0
    """What of a reset value the hidden reserve bears."""
    from_overflow: int = 0
    """Contributions past the cap that come onto the meter after its reset."""


class AwardSigned(LinkEvent, frozen=True):
    """A person of the pit has seen the cards and signed for one case."""

    case: int
    table: TableName
    round: int
    by: str


class CasePaid(LinkEvent, frozen=True):
    """A case is paid what was locked for it. Line and awards belong to the Round that won them."""

    case: int
    table: TableName
    round: int
    awards: tuple[AwardPaid, ...]
    line: BetSettled


class CaseDenied(LinkEvent, frozen=True, omit_defaults=True):
    """A claim did not prove right: nothing is paid, and what was locked for it goes back where it came from."""

    case: int
    table: TableName
    round: int
    by: Role
    who: str
    text: str
    line: BetSettled
    """The jackpot Bet, lost."""
    to_meter: int = 0
    """Units that the meter rises by; negative where a reset value is taken back."""
    to_house: int = 0
    to_reserve: int = 0
    to_overflow: int = 0
    to_frozen: int = 0


class AwardsReversed(RoundLinkEvent, frozen=True):
    """A Round was reopened: what was claimed, locked or paid for it is undone."""


class MeterFrozenFor(RoundLinkEvent, frozen=True):
    """A Round goes on after a fault: it is paid from the meter as registered when the fault happened. The Rounds of
    one fault share that value, one after the other.
    """

    fault: int
    units: int


class FaultReported(LinkEvent, frozen=True):
    """The jackpot system is out of order, and these tables are run by other servers: each carries the fault out, with
    the meter as registered now, before anything else happens there. Until all have, no award is paid.
    """

    fault: int
    units: int
    report: ReportIncident
    tables: tuple[TableName, ...]


class FaultCarriedOut(LinkEvent, frozen=True):
    """A table of another server has met the fault, by its own state."""

    fault: int
    table: TableName


class AwardReleased(LinkEvent, frozen=True):
    """The shift manager lets the awards of a table be locked without waiting for earlier-dealt Rounds."""

    table: TableName


class DealOrderRuled(LinkEvent, frozen=True):
    """Whose Hands were dealt first is determined: the open Rounds of these tables, in this order."""

    tables: tuple[TableName, ...]


class LinkClosed(LinkEvent, frozen=True):
    """The link takes no jackpot Bets: only now may its parameters change."""

    by: str


class LinkReopened(LinkEvent, frozen=True):
    """The link takes jackpot Bets again."""

    by: str


class ParametersChanged(LinkEvent, frozen=True):
    """Two people have changed how the jackpot grows, or what it starts from."""

    by: str
    second: str
    parameters: Parameters


class MeterAdjusted(LinkEvent, frozen=True):
    """Two people have corrected the meter, with the cause in their words."""

    by: str
    second: str
    units: int
    cause: str


@final
class RoundForgotten(RoundLinkEvent, frozen=True):
    """The table has opened a new Round: the one before can no longer be unwound."""


# ---------------------------------------------------------------- only in journals of the first release


class ClaimsVerified(RoundLinkEvent, frozen=True):
    """First release: a person signed for all claims of a Round at once."""

    by: str


class Payment(msgspec.Struct, frozen=True):
    """First release: what one claim was paid, line by line."""

    claim: AwardClaimed
    lines: tuple[PaidLine, ...]
    rules: Rules = ()


class AwardsPaid(RoundLinkEvent, frozen=True):
    """First release: the value was read when the signatures were complete; the winners' table paid it out."""

    payments: tuple[Payment, ...]
    taken: int
    topped_up: int
    from_frozen: int
    from_reserve: int = 0
    from_overflow: int = 0


class AwardsHandedOver(RoundLinkEvent, frozen=True):
    """First release: the winners' table has paid out what the link had paid, by records of its own."""


FirstReleaseEvent: TypeAlias = ClaimsVerified | AwardsPaid | AwardsHandedOver

AnyLinkEvent: TypeAlias = (
    Contributed
    | ContributionReversed
    | HandsDealt
    | DealRestored
    | RoundDecided
    | ClaimsEntered
    | AwardsLocked
    | AwardSigned
    | CasePaid
    | CaseDenied
    | AwardsReversed
    | MeterFrozenFor
    | FaultReported
    | FaultCarriedOut
    | AwardReleased
    | DealOrderRuled
    | LinkClosed
    | LinkReopened
    | ParametersChanged
    | MeterAdjusted
    | RoundForgotten
    | FirstReleaseEvent
)
