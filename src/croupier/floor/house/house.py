"""The house: every command is judged, entered into the ledger and the journal in one transaction, and then answered."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from croupier.floor.house import cluster
from croupier.floor.house.dispatch import carry_out
from croupier.floor.house.handlers.proposals import check_waits
from croupier.floor.house.idempotency import UNFIT, body_of, digest, is_fit, repeated
from croupier.floor.house.memory.changes import Meeting
from croupier.floor.house.memory.state import HouseState
from croupier.floor.house.recovery import check_nothing_is_lost, recover
from croupier.floor.house.refusal_log import RefusalLog
from croupier.floor.house.round_play import meet_links
from croupier.floor.house.transaction import Transaction
from croupier.floor.people.directory import leftovers
from croupier.floor.records.codec import ANSWER, encode
from croupier.floor.records.commands import Answer, CollectAwards, CountRefusals, NoteRefusal, Request
from croupier.floor.records.committed_decks import Chance
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.floor.records.refusals import Code, Refused
from croupier.journal.records import GENESIS, answer_hash
from croupier.journal.store import Answered, Batch, Head, Store, StoreConflict, StoreError, StoreFailed

OTHERS_FIRST = 10_000_000
"""Microseconds after a lost connection in which free tables are left to the servers that ran them before."""

ORIGINS_KEPT = 30 * 24 * 3600 * 1_000_000
"""Microseconds after which a start forgets where a session was opened."""

TRIES = 5
"""Times that a batch is judged again because another server was first, before the server gives up."""


class Waiting(NamedTuple):
    """A command that was judged at its table, with an answer that lacks the head of its link."""

    request: Request
    body: bytes
    answer: Answer
    meetings: Sequence[Meeting]


class House(HouseState):
    """The running house. One thread uses it; `process` makes a batch of commands durable and answers them."""

    def __init__(
        self, store: Store, chance: Chance, *, runs: Callable[[str], bool] | None = None, keys: Keys = NO_KEYS
    ) -> None:
        super().__init__(store, chance, runs=runs, keys=keys)
        self.collected: set[str] = set()
        """Streams that moved because of other servers, until the writer tells the people who watch them."""
        self.commit_took = 0.0
        """Seconds that the last commit took."""
        self._locked: set[str] = set()
        """Accounts that this batch has locked."""
        self._waiting: list[Waiting] = []
        """Commands of this batch that are done at their tables, and not yet on their link."""
        self._others_from = 0
        """When free tables are no longer left to other servers (microseconds since 1970, UTC)."""
        self._refusals = RefusalLog()
        self._chain = cluster.own_chain(store)
        recover(self)

    def come_back(self, at: int) -> None:
        """Take the tables anew and read the whole journal, after the connection of a shared store was lost.

        A table that another server has taken meanwhile is let go. Raises StoreError while the store is still away, and
        StoreFailed where it came back without something that had been written.
        """
        # Other tables that are free now are so because their own servers are not back yet.
        left_alone = frozenset(table.name for table in self.shown.values() if not table.ours)
        self.store.reopen()
        check_nothing_is_lost(self)
        self._chain = cluster.own_chain(self.store)
        self.left_alone, self._others_from = left_alone, at + OTHERS_FIRST
        recover(self)

    def forget_leftovers(self, at: int) -> None:
        """Delete, at the start of a server, what a crash has left of people and sessions that are gone."""
        left = leftovers(self.names, self.people, at)
        kept = {key for key, session in self.people.sessions.items() if session.opened > at - ORIGINS_KEPT}
        ended = [session for session in self.store.origins() if session not in kept]
        if left or ended:
            self.store.write(Batch(erased=left, ended=ended))
            self.names = {person: row for person, row in self.names.items() if person not in left}
            self.show_house()

    # ---------------------------------------------------------------- commands

    def process(self, requests: Sequence[Request]) -> list[Answer]:
        """Judge each request in turn, write everything in one transaction, then answer.

        Servers that share a house write one for each link, so that no link waits for another. Whatever the store raises
        must stop the server: memory is then ahead of the disk.
        """
        parts = cluster.parts(self, requests) if self.store.is_shared else ()
        if len(parts) < 2:
            return self._process_part(requests)
        answers: dict[int, Answer] = {}
        for part in parts:
            answers.update(zip(part, self._process_part([requests[at] for at in part]), strict=True))
        return [answers[at] for at in range(len(requests))]

    def _process_part(self, requests: Sequence[Request]) -> list[Answer]:
        at = requests[0].at if requests else 0
        counts = list(self._refusals.due(at)) if requests else []
        for tries in range(TRIES):
            try:
                answers = self._process([*self._counting(counts, at), *requests], whole=tries > 0)
            except StoreConflict:
                recover(self)
            else:
                self._refusals.told(counts, at)
                self._refusals.end()
                return answers[len(counts) :]
        raise StoreFailed(f"Other servers were first {TRIES} times; the last commands were not done.")

    def count_refusals(self, at: int) -> None:
        """Record how many refusals were not kept, before the house closes."""
        counts = list(self._refusals.due(at, all_of_them=True))
        if counts:
            self.process(self._counting(counts, at))
            self._refusals.told(counts, at)

    def _counting(self, counts: Sequence[CountRefusals], at: int) -> list[Request]:
        return [Request(f"refusals-{self.chance.token(12).hex()}", count, at) for count in counts]

    def _process(self, requests: Sequence[Request], *, whole: bool) -> list[Answer]:
        """Judge each request in turn and write everything; a `whole` batch is judged with its links locked."""
        batch, answers = Batch(), []
        self._refusals.begin()
        self._waiting.clear()
        bodies = [body_of(request) for request in requests]
        # Before anything is locked: where another server answers the same id meanwhile, the write finds it taken.
        seen = self._answered_before(requests)
        fit = [request for request, body in zip(requests, bodies, strict=True) if body is not None]
        self._begin(fit, batch, whole=whole)
        for request, body in zip(requests, bodies, strict=True):
            if body is None:
                answers.append(UNFIT)
                continue
            answer = repeated(seen.get(request.id) or self._refusals.answered(request.id), body)
            if answer is None:
                answer = self._answer(request, body, batch)
                # Of an accepted command the journal keeps the command, of a refused one a hash.
                kept = body if answer.accepted and answer.kept else digest(body)
                if answer.kept and not self._waits(answer):
                    batch.answers.append(self._chained(request.id, kept, answer))
                seen[request.id] = (kept, answer)
            answers.append(answer)
        self._check_no_other_answer(
            [request for request, answer in zip(requests, answers, strict=True) if not answer.kept]
        )
        if self._waiting:
            batch, met = self._meet_links(batch)
            answers = [
                met.get(request.id, answer) if answer.accepted else answer
                for request, answer in zip(requests, answers, strict=True)
            ]
        if batch.is_empty:
            self.store.abandon()
        else:
            self._write(batch)
        self.show_moved()
        return answers

    def _waits(self, answer: Answer) -> bool:
        """Return whether the command that was judged last has this answer once its link is locked."""
        return bool(self._waiting) and self._waiting[-1].answer is answer

    def _meet_links(self, batch: Batch) -> tuple[Batch, dict[str, Answer]]:
        """Write what needs no link; then lock links, enter there what commands did at their tables, and return what is
        left to write and the answers of these commands by id. Raises StoreConflict where the link does not let them.
        """
        batch.links = {}
        links = {meeting.link for waiting in self._waiting for meeting in waiting.meetings}
        cluster.lock_links(self, sorted(links), batch)
        rest, answers = Batch(), {}
        for request, body, answer, meetings in self._waiting:
            transaction = Transaction(self, request)
            try:
                meet_links(transaction, meetings)
            except Exception as wrong:  # the whole batch finds it again, and answers it
                self.store.abandon()
                raise StoreConflict(f"{request.id} is judged again with its link locked: {wrong}.") from wrong
            self.apply(transaction.changes, rest)
            heads = {stream: head.seq for stream, head in transaction.changes.heads.items()}
            met = answers[request.id] = replace(answer, heads={**answer.heads, **heads})
            rest.answers.append(self._chained(request.id, body, met))
        cluster.lock_payees(self, rest.entries, self._locked)
        return rest, answers

    def _check_no_other_answer(self, unkept: Sequence[Request]) -> None:
        """Have the batch judged again where another server has meanwhile answered what is refused here and not kept."""
        if unkept and self.store.is_shared and self._answered_before(unkept):
            self.store.abandon()
            raise StoreConflict("Another server has answered a command of this batch.")

    def _begin(self, requests: Sequence[Request], batch: Batch, *, whole: bool) -> None:
        """Lock what this batch touches, and do first what other servers have left to this server's tables."""
        if not requests:
            return
        if self.store.is_shared:
            links, self._locked = cluster.begin(self, requests, whole=whole)
        else:
            # A house of several servers may have been restored here with a fault that some had yet to meet.
            links = [name for name, link in self.links.items() if link.faults]
        for name in links:
            while cluster.owes(self, name) and self._collect(name, requests[0].at, batch):
                pass

    def _collect(self, name: str, at: int, batch: Batch) -> bool:
        request = self._collecting(name, at)
        body = encode(request.command)
        answer = self._judge(request, body, batch)
        if answer.accepted:
            batch.answers.append(self._chained(request.id, body, answer))
            self.collected.update(answer.heads)
        return answer.accepted

    def _collecting(self, link: str, at: int) -> Request:
        return Request(f"collect-{self.chance.token(12).hex()}", CollectAwards(link=link), at)

    def _write(self, batch: Batch) -> None:
        if self.store.is_shared:
            batch.links = {name: cluster.shared_link(self, name) for name in batch.links}
        began = time.monotonic()
        self.store.write(batch)
        self.commit_took = time.monotonic() - began
        if self.store.is_shared:
            cluster.see_unlocked(self, self._locked)

    def _answer(self, request: Request, body: bytes, batch: Batch) -> Answer:
        """Answer a request. Above a number of refusals per person and minute, a refusal is counted and not kept."""
        if type(request.command) is NoteRefusal:
            if not self._refusals.keeps(request, self.people):
                return Answer(accepted=True, kept=False)
            return self._judge(request, body, batch)
        answer = self._judge(request, body, batch)
        if answer.accepted or answer.code == Code.FAULT or self._refusals.keeps(request, self.people):
            return answer
        unkept = replace(answer, kept=False)
        self._refusals.set_aside(request.id, digest(body), unkept)
        return unkept

    def _judge(self, request: Request, body: bytes, batch: Batch) -> Answer:
        """Judge a request, and apply what it changes unless it is refused."""
        transaction = Transaction(self, request)
        try:
            check_waits(self, request, batch.answers)
            answer = carry_out(transaction)
        except Refused as refused:
            return refused.answer
        except StoreError:
            raise
        except Exception as fault:  # noqa: BLE001  nothing of it is kept, so an internal error stops one command only
            return Answer(accepted=False, code=Code.FAULT.value, message=f"{type(fault).__name__}: {fault}")
        self.apply(transaction.changes, batch)
        if transaction.changes.meetings:
            self._waiting.append(Waiting(request, body, answer, transaction.changes.meetings))
        return answer

    def _chained(self, command: str, body: bytes, answer: Answer) -> Answered:
        """Put an answer on this server's chain."""
        head, data = self.heads.get(self._chain, Head(0, GENESIS)), encode(answer)
        chained = answer_hash(head.hash, self._chain, head.seq + 1, command, body, data)
        self.heads[self._chain] = Head(head.seq + 1, chained)
        return Answered(self._chain, head.seq + 1, command, body, data, chained)

    def answers_to(self, requests: Sequence[Request]) -> list[Answer | None]:
        """Return what the journal says of requests whose commit was in doubt; None for one that it does not hold."""
        seen = self._answered_before(requests)
        return [repeated(seen.get(request.id), body_of(request)) for request in requests]

    def _answered_before(self, requests: Sequence[Request]) -> dict[str, tuple[bytes, Answer]]:
        found = self.store.answers([request.id for request in requests if is_fit(request.id)])
        return {name: (answered.body, ANSWER.decode(answered.answer)) for name, answered in found.items()}

    # ---------------------------------------------------------------- other servers

    def collect(self, at: int) -> list[str]:
        """Follow the other servers between commands, and do what they have left to this server's tables.

        Returns the links on which there was something to do.
        """
        if not self.store.is_shared:
            return []
        if at >= self._others_from:
            self.left_alone = frozenset()
        owing, changed = cluster.follow(self)
        self.collected |= changed
        if owing:
            # What is owed is done as the transaction begins; the command itself then finds nothing left to do.
            self.process([self._collecting(name, at) for name in owing])
        return owing
