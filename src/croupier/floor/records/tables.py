"""A table as the house holds it, and the terms on which it plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.floor.records.commands import ChangeTerms, TableConfig
from croupier.floor.records.committed_decks import Deck
from croupier.floor.records.facts import EditionCancelled, EditionScheduled, TableArchived, TableOpened, TermsChanged
from croupier.floor.records.refusals import Code, Refused
from croupier.money import MOST, Money
from croupier.rounds.commands import Confirming
from croupier.rounds.state import Round
from croupier.rulebooks.absent import absent_terms
from croupier.rulebooks.documents.editions import BadRulebook, UnknownGame
from croupier.rulebooks.terms import BadTerms, Pin, Terms, table_terms
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


class EditionFrom(msgspec.Struct, frozen=True):
    """The rulebook by which a table begins its Rounds from a moment on."""

    at: int
    edition: str
    rulebook: Pin | None
    """As it was pinned; None in a journal of a release that knew one version of each document."""


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
    editions: tuple[EditionFrom, ...] = ()
    """Versions that came after the one it opened with, the earliest first."""

    def begun_at(self, moment: int) -> TermsFrom | None:
        """Return the terms of a Round that begins at this moment, where they are others than those in force."""
        coming = self.coming
        change = TermsFrom(self.round.number, self.config, self.terms) if coming is None else coming
        now = by_edition(change, self.editions, moment)
        return None if now.config == self.config else now

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


def by_edition(change: TermsFrom, editions: Sequence[EditionFrom], moment: int) -> TermsFrom:
    """Return these terms by the version of the rulebook that is in force at a moment."""
    found = next((each for each in reversed(editions) if each.at <= moment), None)
    if found is None or found.edition == change.config.game:
        return change
    config = replace(change.config, game=found.edition)
    return TermsFrom(change.after, config, pinned_terms(config, found.rulebook))


def as_begun(change: TermsFrom, pin: Pin | None) -> TermsFrom:
    """Return the terms of a Round by the rulebook that its opening names."""
    if pin is None or pin.edition == change.config.game:
        return change
    config = replace(change.config, game=pin.edition)
    return TermsFrom(change.after, config, pinned_terms(config, pin))


def scheduled(editions: Sequence[EditionFrom], fact: EditionScheduled | EditionCancelled) -> tuple[EditionFrom, ...]:
    """Return a table's versions after one was put on the calendar or taken off it."""
    if isinstance(fact, EditionCancelled):
        return tuple(each for each in editions[:-1])
    pin = replace(fact.rulebook, overrides="")  # limits may change before the moment has come
    return (*editions, EditionFrom(fact.at, fact.edition, pin))


def changed_config(config: TableConfig, asked: ChangeTerms | TermsChanged) -> TableConfig:
    """Return a table's configuration after a change."""
    return replace(
        config,
        limits={**config.limits, **asked.limits},
        jackpot_bet=config.jackpot_bet if asked.jackpot_bet is None else asked.jackpot_bet,
        pay_tables={**config.pay_tables, **asked.pay_tables},
        confirms=config.confirms if asked.confirms is None else asked.confirms,
        box_limits={box: most for box, most in {**config.box_limits, **asked.box_limits}.items() if most},
    )


def check_change(config: TableConfig, asked: ChangeTerms | TermsChanged) -> None:
    """Refuse a change of terms that no table may make."""
    changes = asked.limits or asked.pay_tables or asked.box_limits
    if not changes and asked.jackpot_bet is None and asked.confirms is None:
        what = (
            "The request changes nothing: name limits of bets or boxes, a jackpot bet, pay tables or how settlements "
            "are confirmed."
        )
        raise Refused(Code.NO_CHANGE, what)
    check_confirms(asked.confirms or Confirming.NO, physical=config.physical)
    if JACKPOT_BET in asked.pay_tables and config.link is not None:
        what = "What the jackpot pays is the same at every table of its link: one table cannot change it."
        raise Refused(Code.OF_THE_LINK, what)
    check_limits(asked.limits)
    for box, most in asked.box_limits.items():
        if box not in map(str, range(1, (config.boxes or 0) + 1)) or not 0 <= most <= MOST:
            raise Refused(Code.BAD_TERMS, "The limit of a box names one of the table's boxes and its greatest Ante.")


def check_confirms(confirms: Confirming, *, physical: bool) -> None:
    """Refuse to ask for confirmation where no chips are moved by hand."""
    if confirms is not Confirming.NO and not physical:
        raise Refused(Code.BAD_TERMS, "Settlements are confirmed only at a table with real cards and chips.")


def check_limits(limits: Mapping[str, tuple[Money, Money]]) -> None:
    """Refuse limits that are not a range of amounts."""
    for bet, (least, most) in limits.items():
        if not 0 < least <= most <= MOST:
            raise Refused(Code.BAD_TERMS, f"The limits of {bet[:40]} are more than 0.00, the lower one first.")


def changed_terms(config: TableConfig, fact: TermsChanged) -> TermsFrom:
    """Return the terms that follow from a change."""
    after = changed_config(config, fact)
    return TermsFrom(fact.after, after, pinned_terms(after, fact.rulebook))


def opening_terms(fact: TableOpened) -> Terms:
    """Return the terms that a table opened with."""
    return pinned_terms(fact.config, fact.rulebook)


def pinned_terms(config: TableConfig, pin: Pin | None) -> Terms:
    """Return terms by exactly the rulebook that the journal names; where it is not there, terms that say so."""
    try:
        terms = terms_of(config)
    except (UnknownGame, BadRulebook, BadTerms) as wrong:
        if pin is None:
            raise
        return absent_terms(pin, _not_installed(pin, str(wrong)), config.currency or "", config.boxes)
    if pin is None or pin in (terms.pin, replace(terms.pin, overrides="")):
        return terms
    other = f"the one that is installed has SHA-256 {terms.pin.sha256[:16]}…, so its content was changed."
    return absent_terms(pin, _not_installed(pin, other), terms.currency, config.boxes)


def _not_installed(pin: Pin, why: str) -> str:
    return f"Rulebook not installed: {pin.edition} with SHA-256 {pin.sha256[:16]}…. {why[:1].upper()}{why[1:]}"


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
