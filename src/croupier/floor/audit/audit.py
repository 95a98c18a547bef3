"""The audit: from the events alone every hash, entry, balance, meter, deck and settlement, and what differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec

from croupier.floor.audit.answer_check import AnswerCheck
from croupier.floor.audit.balance_check import BalanceCheck
from croupier.floor.audit.checkpoint_check import Testimony
from croupier.floor.audit.findings import Difference, Findings
from croupier.floor.audit.head_check import HeadCheck
from croupier.floor.audit.judgement.rejudgement import Rejudgement, Share
from croupier.floor.audit.name_check import check_names
from croupier.floor.audit.parallel import Failed, Shares, begun
from croupier.floor.audit.share import Alarm, Differed, Order
from croupier.floor.audit.stream_check import TABLES_FROM, StreamCheck
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.floor.records.streams import table_stream
from croupier.journal.checkpoint import Anchor, public_hex, public_key
from croupier.journal.store import Span, Store, StoreError
from croupier.money import Money

Progress: TypeAlias = Callable[[int, int], None]
"""Progress callback: records done, records in all."""


class Audited(msgspec.Struct, frozen=True, kw_only=True):
    """What was read, and what differs."""

    events: int
    rounds: int
    commands: int
    """Answered, refused ones included."""
    tables: int
    entries: int
    accounts: int
    meters: Mapping[str, Money]
    heads: Mapping[str, Anchor]
    """Where every stream stands: written down elsewhere, a later audit can be held against it."""
    archived: Mapping[str, int] = {}
    """Streams whose records up to this one are in archives that were not given: they were not seen."""
    sealed: int = 0
    """Decks in play to which the audit has no key: they are held against the cards shown when their rounds are over."""
    unseen: int = 0
    """Hands in those decks that players have looked at: which cards they saw is not judged before the round is over."""
    difference_count: int
    differences: tuple[Difference, ...]

    @property
    def is_clean(self) -> bool:
        return not self.difference_count


def audit(
    store: Store,
    *,
    progress: Progress | None = None,
    anchors: Mapping[str, Anchor] | None = None,
    testimony: Testimony | None = None,
    findings: Findings | None = None,
    keys: Keys = NO_KEYS,
    nameless: bool = False,
    processes: int = 1,
) -> Audited:
    """Compute again everything that a journal says of itself, as of one moment, while the house runs on.

    `anchors` are the heads of an earlier audit, `testimony` what a witness's checkpoints say, `findings` what was found
    before it began, and `keys` those that seal decks in play; what has been revealed is open without. `nameless` is a
    journal whose backup left the names out.

    With several `processes` the tables are audited in shares beside this one. They prove that nothing differs; where
    something does, the whole is audited in this process, so what is found does not depend on their number.
    """
    testimony, anchors = testimony or Testimony([]), anchors or {}
    if processes > 1 and not (findings is not None and findings.count):
        report = _in_shares(store, progress, anchors, testimony, keys, nameless=nameless, processes=processes)
        if report is not None:
            return report
    for stream, (seq, head) in anchors.items():
        testimony.mark(stream, seq, head)
    work = _Audit(store, progress, testimony, findings or Findings(), keys, nameless=nameless)
    try:
        with store.reading():
            work.run()
    except StoreError as wrong:
        work.findings.add("database", 0, str(wrong))
    return work.report()


def _in_shares(
    store: Store,
    progress: Progress | None,
    anchors: Mapping[str, Anchor],
    testimony: Testimony,
    keys: Keys,
    *,
    nameless: bool,
    processes: int,
) -> Audited | None:
    """Audit in several processes; return None where that does not prove that nothing differs."""
    order = Order(
        url=store.url,
        keys=keys,
        checkpoints=testimony.checkpoints,
        trusted=tuple(public_hex(key) for key in testimony.trusted),
        anchors=anchors,
    )
    try:
        before = HeadCheck(testimony, Alarm())
        before.read(store)
        if len(before.tables) < processes:
            return None
        with begun(store, order, before.tables, processes) as shares:
            return audit_with(shares, store, order, progress, nameless=nameless)
    except (Differed, Failed, StoreError):
        return None
    except Exception:  # noqa: BLE001  any exception that a changed row causes is a finding of the audit in one process
        return None


def audit_with(
    shares: Shares, store: Store, order: Order, progress: Progress | None = None, *, nameless: bool = False
) -> Audited:
    """Audit everything but the tables, which the shares do; raises Differed or Failed where they prove nothing."""
    testimony = Testimony(order.checkpoints, [public_key(text) for text in order.trusted])
    for stream, (seq, head) in order.anchors.items():
        testimony.mark(stream, seq, head)
    work = _Audit(store, progress, testimony, Alarm(), order.keys, nameless=nameless)
    work.run_with(shares)
    return work.report()


class _Audit:
    def __init__(
        self,
        store: Store,
        progress: Progress | None,
        testimony: Testimony,
        findings: Findings,
        keys: Keys,
        *,
        nameless: bool,
    ) -> None:
        self.store, self.testimony, self.findings, self.keys = store, testimony, findings, keys
        self.nameless = nameless
        self._progress, self._done, self._total = progress, 0, 0
        self._shares: Shares | None = None
        self.heads = HeadCheck(testimony, findings)
        self.streams = StreamCheck(store, self.heads, findings, keys, self._step)
        self.answers = AnswerCheck(store, self.heads, findings, self._step)

    def run(self) -> None:
        for problem in self.store.problems():
            self.findings.add("database", 0, problem)
        self.heads.read(self.store)
        self._total = self.heads.steps
        for part in (
            self.streams.run,
            self._check_balances,
            self._check_names,
            self._rejudge,
            self._check_answers,
            self._check_witness,
        ):
            try:
                part()
            except StoreError as wrong:
                self.findings.add("database", 0, str(wrong))
            except Exception as fault:  # noqa: BLE001  any exception that a changed row causes is a finding
                self.findings.add("database", 0, f"it cannot be followed: {type(fault).__name__}: {fault}.")

    def run_with(self, shares: Shares) -> None:
        """Check and judge everything but the tables, which the shares do; raises Differed or Failed."""
        self._shares = shares
        self.heads.read(self.store)
        self._total = self.heads.steps
        shares.divide(self.store, self.heads.tables)
        for problem in self.store.problems():
            self.findings.add("database", 0, problem)
        self.streams.read(Span("", TABLES_FROM))
        self.streams.find_starts()
        self._check_names()
        judged = Rejudgement(self.store, self.streams, self.findings, self._step, self.keys, Share(frozenset()))
        judged.judge_alone()
        shares.check()
        self.answers.run(self._archived())
        results = shares.results(lambda: self._step(0))
        for came_to in results:
            self.streams.add(came_to)
        self.heads.check_missing(self.streams.found, "records", chains=False)
        self._check_balances()
        judged.explain_memory(frozenset.intersection(*(frozenset(each.unexplained) for each in results)))
        self.answers.compare(self.streams.runs)
        self._check_witness()

    def _check_balances(self) -> None:
        BalanceCheck(self.store, self.heads, self.streams.held, self.streams.links, self.findings).run()

    def _check_names(self) -> None:
        check_names(self.store, self.streams.people, self.findings, nameless=self.nameless)

    def _rejudge(self) -> None:
        Rejudgement(self.store, self.streams, self.findings, self._step, self.keys).run()

    def _check_answers(self) -> None:
        self.answers.run(self._archived())
        self.answers.compare(self.streams.runs)

    def _check_witness(self) -> None:
        for where, seq, what in self.testimony.findings(self.store, self._archived()):
            self.findings.add(where, seq, what)

    def _archived(self) -> dict[str, int]:
        return {table_stream(name): start.seq for name, start in self.streams.starts.items()}

    def _step(self, count: int) -> None:
        self._done += count
        if self._progress is not None:
            done = self._done + (0 if self._shares is None else self._shares.done)
            self._progress(min(done, self._total), self._total)

    def report(self) -> Audited:
        streams = self.streams
        return Audited(
            events=streams.events,
            rounds=streams.rounds,
            commands=self.answers.commands,
            tables=len(streams.tables),
            entries=streams.entries,
            accounts=len(streams.held),
            meters={name: link.cents for name, link in streams.links.items() if link is not None},
            heads={name: (seq, hashed.hex()) for name, (seq, hashed) in sorted(self.heads.heads.items())},
            archived=self._archived(),
            sealed=streams.sealed,
            unseen=streams.unseen,
            difference_count=self.findings.count,
            differences=tuple(self.findings.kept),
        )
