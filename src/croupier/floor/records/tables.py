"""A table as the house holds it, and the terms on which it plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.floor.records.commands import ChangeTerms, TableConfig
from croupier.floor.records.committed_decks import Deck
from croupier.floor.records.facts import TableArchived, TermsChanged
from croupier.floor.records.refusals import Code, Refused
from croupier.money import MOST, Money
from croupier.rounds.state import Round
from croupier.rulebooks.terms import Terms, table_terms
from croupier.rulebooks.vocabulary import JACKPOT_BET, Limits

DealKey: TypeAlias = tuple[int, int]


def gaming_day(at: int) -> int:
    """Return the number of a gaming day: a day of UTC, as the figures of a link reconcile one."""
    return at // 86_400_000_000


class TermsFrom(msgspec.Struct, frozen=True):
    """Terms on which a table plays from the Round after `after` on."""

    after: int
    config: TableConfig
    terms: Terms


class Table(msgspec.Struct):
    """A table as the house holds it: constant size however many Rounds it has played."""

    name: str
    terms: Terms
    config: TableConfig
    round: Round
    ours: bool = False
    """This server runs it; the others know only its terms."""
    commitment: str = ""
    """Of the deck in play: published before bets; players can check it after the settlement."""
    decks: dict[DealKey, Deck] = {}
    """The decks of the Round in play, by round and deal."""
    changes: tuple[TermsFrom, ...] = ()
    """Terms that came after those it opened with, the oldest first."""
    closed: bool = False
    """No further Round begins until it is opened again."""
    seq: int = 0
    """The last record of its stream; kept on what is shown."""
    archived: tuple[TableArchived, ...] = ()
    """What has left the database, the oldest first."""

    @property
    def coming(self) -> TermsFrom | None:
        """Terms on which the next Round will be played, where they are others."""
        return self.changes[-1] if self.changes and self.changes[-1].after >= self.round.number else None

    @property
    def latest(self) -> TableConfig:
        """The configuration as it was last changed."""
        return self.changes[-1].config if self.changes else self.config

    def play_on(self, change: TermsFrom) -> None:
        """Put terms in force, and drop older ones."""
        self.config, self.terms = change.config, change.terms
        self.changes = tuple(other for other in self.changes if other.after > change.after)


def terms_for(changes: Sequence[TermsFrom], number: int) -> TermsFrom | None:
    """Return the last change before a Round; None where the table still plays on its opening terms."""
    return next((change for change in reversed(changes) if change.after < number), None)


def changed_config(config: TableConfig, asked: ChangeTerms | TermsChanged) -> TableConfig:
    """Return a table's configuration after a change."""
    return replace(
        config,
        limits={**config.limits, **asked.limits},
        jackpot_bet=config.jackpot_bet if asked.jackpot_bet is None else asked.jackpot_bet,
        pay_tables={**config.pay_tables, **asked.pay_tables},
    )


def check_change(config: TableConfig, asked: ChangeTerms | TermsChanged) -> None:
    """Refuse a change of terms that no table may make."""
    if not asked.limits and asked.jackpot_bet is None and not asked.pay_tables:
        raise Refused(Code.NO_CHANGE, "The request changes nothing: name limits, a jackpot bet or pay tables.")
    if JACKPOT_BET in asked.pay_tables and config.link is not None:
        what = "What the jackpot pays is the same at every table of its link: one table cannot change it."
        raise Refused(Code.OF_THE_LINK, what)
    check_limits(asked.limits)


def check_limits(limits: Mapping[str, tuple[Money, Money]]) -> None:
    """Refuse limits that are not a range of amounts."""
    for bet, (least, most) in limits.items():
        if not 0 < least <= most <= MOST:
            raise Refused(Code.BAD_TERMS, f"The limits of {bet[:40]} are more than 0.00, the lower one first.")


def changed_terms(config: TableConfig, fact: TermsChanged) -> TermsFrom:
    """Return the terms that follow from a change."""
    after = changed_config(config, fact)
    return TermsFrom(fact.after, after, terms_of(after))


def terms_of(config: TableConfig) -> Terms:
    """Return the terms of a configuration; raises BadTerms or UnknownGame."""
    return table_terms(
        config.game,
        dealing=config.dealing,
        boxes=config.boxes,
        limits={bet: Limits(least, most) for bet, (least, most) in config.limits.items()},
        jackpot_bet=config.jackpot_bet,
        linked=config.link is not None,
        pay_tables=config.pay_tables,
        rulings=config.rulings,
        currency_code=config.currency,
    )


def signatures_at(config: TableConfig) -> int:
    """Return the number of people who verify a major award of a table before it is paid."""
    return 2 if config.staffed else 0
