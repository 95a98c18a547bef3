"""The audit: from the events alone every hash, entry, balance, meter, deck and settlement, and what differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.floor.audit.answer_check import AnswerCheck
from croupier.floor.audit.balance_check import BalanceCheck
from croupier.floor.audit.checkpoint_check import Testimony
from croupier.floor.audit.findings import Difference, Findings
from croupier.floor.audit.head_check import HeadCheck
from croupier.floor.audit.judgement.rejudgement import Rejudgement, Share
from croupier.floor.audit.milestone import Boundary, Milestone, TrialAt
from croupier.floor.audit.name_check import check_names
from croupier.floor.audit.own_limit_check import check_wagers
from croupier.floor.audit.parallel import Failed, OwnShares, Shares, begun
from croupier.floor.audit.share import Alarm, Differed, Order
from croupier.floor.audit.stream_check import TABLES_FROM, StreamCheck
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.floor.records.streams import table_stream
from croupier.journal.checkpoint import Anchor, public_hex
from croupier.journal.store import Span, Store, StoreError
from croupier.money import Money
from croupier.structs import extended

Progress: TypeAlias = Callable[[int, int], None]
"""Progress callback: records done, records in all."""
Keep: TypeAlias = Callable[[Milestone], None]
"""Takes where the next audit may go on; the caller says when this was."""


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
    milestone: Milestone | None = None,
    keep: Keep | None = None,
) -> Audited:
    """Compute again everything that a journal says of itself, as of one moment, while the house runs on.

    `anchors` are the heads of an earlier audit, `testimony` what a witness's checkpoints say, `findings` what was found
    before it began, and `keys` those that seal decks in play; what has been revealed is open without. `nameless` is a
    journal whose backup left the names out.

    It is first proved that nothing differs, in one reading: with several `processes` the tables in shares beside this
    one, and what was audited up to a `milestone` is not judged again; `keep` gets the next one. Where something
    differs, everything is audited step by step in this process, against the milestone's heads, to say what.
    """
    testimony = testimony or Testimony([])
    order = Order(
        url=store.url,
        keys=keys,
        checkpoints=testimony.checkpoints,
        trusted=tuple(public_hex(key) for key in testimony.trusted),
        anchors=anchors or {},
        milestone=milestone,
        notes_boundaries=keep is not None,
    )
    proof = None
    if findings is None or not findings.count:
        proof = _proof(store, order, progress, processes, nameless=nameless)
    if proof is None:
        before = {} if milestone is None else milestone.heads
        whole = replace(order, milestone=None, anchors={**before, **order.anchors})
        proof = _Audit(store, progress, whole, findings or Findings(), nameless=nameless)
        try:
            with store.reading():
                proof.run()
        except StoreError as wrong:
            proof.findings.add("database", 0, str(wrong))
    report = proof.report()
    if keep is not None and report.is_clean:
        keep(proof.milestone())
    return report


def _proof(store: Store, order: Order, progress: Progress | None, processes: int, *, nameless: bool) -> _Audit | None:
    """Prove that nothing differs; return None where that does not succeed."""
    try:
        if processes > 1 and _count_tables(store) >= processes:
            try:
                with begun(store, order, processes) as shares:
                    return audited_with(shares, store, order, progress, nameless=nameless)
            except Failed:
                pass
        with store.reading():
            return audited_with(OwnShares(order), store, order, progress, nameless=nameless)
    except (Differed, StoreError):
        return None
    except Exception:  # noqa: BLE001  any exception that a changed row causes is a finding of the whole audit
        return None


def _count_tables(store: Store) -> int:
    heads = HeadCheck(Testimony([]), Alarm())
    heads.read(store)
    return len(heads.tables)


def audited_with(
    shares: Shares, store: Store, order: Order, progress: Progress | None = None, *, nameless: bool = False
) -> _Audit:
    """Audit everything but the tables, which the shares do; raises Differed or Failed where they prove nothing."""
    work = _Audit(store, progress, order, Alarm(), nameless=nameless)
    work.run_with(shares)
    return work


class _Audit:
    def __init__(
        self, store: Store, progress: Progress | None, order: Order, findings: Findings, *, nameless: bool
    ) -> None:
        self.store, self.findings, self.keys = store, findings, order.keys
        self.nameless = nameless
        self._progress, self._done, self._total = progress, 0, 0
        self._shares: Shares | None = None
        self.testimony = order.testimony()
        self.heads = HeadCheck(self.testimony, findings)
        self.streams = StreamCheck(
            store,
            self.heads,
            findings,
            order.keys,
            self._step,
            order.milestone,
            notes_boundaries=order.notes_boundaries,
        )
        self.answers = AnswerCheck(store, self.heads, findings, self._step)
        self._boundaries: dict[str, Boundary] = {}
        self._trials: dict[str, TrialAt] = {}

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
            self._check_limits,
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
        self._check_limits()
        self.answers.run(self._archived())
        results = shares.results(self._step, self.streams.tables)
        for came_to in results:
            self.streams.sums.add(came_to.sums)
            self.streams.found.update(came_to.found)
            self.streams.held.update(came_to.held)
            self._boundaries.update(came_to.boundaries)
            self._trials.update(came_to.trials)
        self.heads.check_missing(self.streams.found, "records", chains=False)
        self._check_balances()
        judged.explain_memory(frozenset.intersection(*(frozenset(each.unexplained) for each in results)))
        self.answers.compare(self.streams.sums.runs)
        self._check_witness()

    def _check_balances(self) -> None:
        BalanceCheck(self.store, self.heads, self.streams.held, self.streams.links, self.findings).run()

    def _check_names(self) -> None:
        check_names(self.store, self.streams.people, self.findings, nameless=self.nameless)

    def _rejudge(self) -> None:
        judged = Rejudgement(self.store, self.streams, self.findings, self._step, self.keys)
        judged.run()
        self._trials = judged.trials()

    def _check_limits(self) -> None:
        check_wagers(self.store, self.findings, archived=bool(self.streams.starts))

    def _check_answers(self) -> None:
        self.answers.run(self._archived())
        self.answers.compare(self.streams.sums.runs)

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

    def milestone(self) -> Milestone:
        """Return where the next audit may go on."""
        return Milestone(
            at=0,
            events=self.streams.sums.events,
            heads={name: (seq, hashed.hex()) for name, (seq, hashed) in self.heads.heads.items()},
            boundaries={**self._boundaries, **self.streams.noted()},
            trials=self._trials,
        )

    def report(self) -> Audited:
        streams = self.streams
        return extended(
            Audited,
            streams.sums,
            commands=self.answers.commands,
            tables=len(streams.tables),
            accounts=len(streams.held),
            meters={name: link.cents for name, link in streams.links.items() if link is not None},
            heads={name: (seq, hashed.hex()) for name, (seq, hashed) in sorted(self.heads.heads.items())},
            archived=self._archived(),
            difference_count=self.findings.count,
            differences=tuple(self.findings.kept),
        )
