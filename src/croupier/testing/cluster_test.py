"""Several servers on one PostgreSQL, each with tables of one link: killed, cut off and restarted under load, then held
against their own logs, against the order of deals, and against an audit.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NoReturn

import msgspec

from croupier.floor.audit.audit import audit
from croupier.floor.house.house import House
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.house.writer import HouseAway, HouseStopped, Writer
from croupier.floor.records.codec import LINK_STATE, encode, link_fact
from croupier.floor.records.commands import Answer, HouseCommand, OnLink, OpenTable, Request, TableConfig, TakeTable
from croupier.floor.records.committed_decks import Chance
from croupier.floor.records.streams import link_stream, table_stream
from croupier.jackpots.commands import SignAward
from croupier.jackpots.events import CasePaid, ClaimsEntered, FaultReported
from croupier.journal.records import SEAL, checked
from croupier.journal.store import Store, StoreError, StoreLost
from croupier.journal.store_address import open_store
from croupier.ledger import accounts
from croupier.rounds.commands import ReportIncident
from croupier.rounds.events import RoundOpened
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.vocabulary import Incident, Role
from croupier.testing.award_order import order_at
from croupier.testing.crowd import LINK, Crowd, opening, rich_chance, seeded
from croupier.testing.fault_proxy import Cut, Wire
from croupier.testing.private_postgres import PrivatePostgres
from croupier.testing.verdict import Torn, Verdict, conclude

_PEOPLE = 90
_FAILED, _BROKEN = 3, 4
"""How a server process ends whose store failed, because it was cut off; and one that met an internal error."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Who runs what."""

    url: str
    folder: str
    servers: int
    tables: int
    """Of each server."""
    seed: int
    cuts: float
    """How many of a server's commits are cut off, as a share."""
    rich: float = 1.0
    """How many decks have one suit on top, as a share: most links have no award under way, these have many."""

    def tables_of(self, server: int) -> list[str]:
        first = server * self.tables + 1
        return [f"T{number}" for number in range(first, first + self.tables)]

    def log_of(self, server: int) -> Path:
        return Path(self.folder) / f"server-{server}.log"


class Line(msgspec.Struct, array_like=True, omit_defaults=True):
    """A line of a server's log: what it is about to ask, or what was answered."""

    id: str
    request: Request | None = None
    answer: Answer | None = None
    again: bool = False
    """It was asked before, and the server had ended without an answer."""
    was_done: bool = False
    """It had been done all the same."""
    came_back: bool = False
    """No command: the server had lost its database and has come back by itself."""


_LINE = msgspec.json.Decoder(Line)


class Log:
    """What a server was asked and what it answered, on disk before and after; a killed process loses none of it."""

    def __init__(self, path: Path) -> None:
        self.asked: dict[str, Request] = {}
        self.answered: dict[str, Answer] = {}
        self.again = self.were_done = self.came_back = 0
        for line in path.read_bytes().splitlines() if path.exists() else ():
            read = _LINE.decode(line)
            self.came_back += read.came_back
            if read.request is not None:
                self.asked[read.id] = read.request
            self.were_done += read.was_done
            if read.answer is not None:
                self.answered[read.id] = read.answer
                self.again += read.again
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    @property
    def in_doubt(self) -> list[Request]:
        return [request for name, request in self.asked.items() if name not in self.answered]

    def write(self, lines: Sequence[Line]) -> None:
        os.write(self._file, b"".join(encode(line) + b"\n" for line in lines))


# ---------------------------------------------------------------- one server


def serve(plan: Plan, number: int, life: int) -> NoReturn:
    """Run a floor process with its own crowd until it is stopped, killed or cut off."""
    stopping = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    random = seeded(f"{plan.seed} {number} {life}")
    wire = Wire(plan.url, Path(plan.folder))
    mine = plan.tables_of(number)
    log, ids = Log(plan.log_of(number)), itertools.count(1)
    in_doubt = log.in_doubt
    house, done = _opened(wire.url, rich_chance(random, plan.rich), mine, [request.id for request in in_doubt])

    def ask(commands: Sequence[HouseCommand]) -> None:
        requests = [Request(f"s{number}-{life}-{next(ids)}", command, microseconds()) for command in commands]
        log.write([Line(request.id, request=request) for request in requests])
        answer_all(requests, again=False)

    def answer_all(requests: Sequence[Request], *, again: bool) -> None:
        """Send every command under the same id until it has its answer, as a client does after a "come back later"."""
        waiting = list(requests)
        while waiting:
            futures = []
            for request in waiting:
                with contextlib.suppress(HouseAway):
                    futures.append((request, writer.submit(request)))
            answered = set()
            for request, future in futures:
                with contextlib.suppress(HouseAway):
                    log.write([Line(request.id, answer=future.result(), again=again)])
                    answered.add(request.id)
            waiting = [request for request in waiting if request.id not in answered]
            if waiting:
                again = True
                time.sleep(0.02)

    log.write([Line(name, was_done=True) for name in done])
    writer = Writer(house, failed=_end_with, back=lambda: log.write([Line("", came_back=True)]))
    answer_all(in_doubt, again=True)
    ask([_open_table(name) for name in mine if name not in house.tables])
    crowd = Crowd(random, _PEOPLE)
    while len(house.shown) < plan.servers * plan.tables and not stopping.is_set():
        time.sleep(0.02)  # a fault of the link concerns every table of it
    while not stopping.is_set():
        if random.random() < plan.cuts:
            wire.cut = random.choice(list(Cut))
        ask(list(_next(random, crowd, house)))
    writer.close()
    os._exit(0)


def _opened(url: str, chance: Chance, mine: Sequence[str], in_doubt: Sequence[str]) -> tuple[House, set[str]]:
    """Open the house as soon as its database can be reached; return it and which of these commands had been done."""
    while True:
        try:
            house = House(open_store(url), chance, runs=lambda name: name in mine)
            return house, set(house.store.answers(in_doubt))
        except StoreLost:
            time.sleep(0.05)


def _end_with(wrong: BaseException) -> None:
    print(f"a server stopped: {wrong}", file=sys.stderr, flush=True)  # noqa: T201  as its log would say
    os._exit(_FAILED if isinstance(wrong, StoreError) else _BROKEN)


def _open_table(name: str) -> OpenTable:
    """Open a table; every second one of each game is staffed, so that two people sign for its major awards."""
    turn, game = divmod(int(name[1:]), len(GAMES))
    return OpenTable(table=name, config=TableConfig(game=GAMES[game], link=LINK, staffed=turn % 2 == 1))


def _next(random: Random, crowd: Crowd, house: House) -> Iterator[HouseCommand]:
    """Yield commands at some tables, now and then another one, and one that takes a dead server's table."""
    # As they are on disk: the writer may be reading everything anew.
    ours = [table for table in house.shown.values() if table.ours]
    others = [table.name for table in house.shown.values() if not table.ours]
    for table in random.sample(ours, min(len(ours), random.randint(1, 12))):
        yield crowd.hopefully(table.name, table.terms, table.round)
    for case in house.shown_links[LINK].open_cases:
        if not case.is_verified and case.table in [table.name for table in ours] and random.random() < 0.4:
            # Any of the pit: now and then the same person twice, who is refused.
            yield crowd.about_award(case.table, case.number)
    if random.random() < 0.02:
        yield crowd.elsewhere([*house.shown], linked=True)
    if random.random() < 0.003:
        yield OnLink(link=LINK, report=ReportIncident(incident=Incident.JACKPOT_MALFUNCTION, by=Role.SHIFT_MANAGER))
    if others and random.random() < 0.02:
        yield TakeTable(table=random.choice(others))


# ---------------------------------------------------------------- a run


class Report(Verdict, kw_only=True):
    """What came of it."""

    servers: int
    tables: int
    seconds: float = 0.0
    kills: int = 0
    restarts: int = 0
    """Of PostgreSQL itself, half of them as when the power goes."""
    came_back: int = 0
    """Servers that had lost their connection and went on by themselves."""
    ended_by_themselves: int = 0
    """Servers that stopped because of their database: none should."""
    take_overs: int = 0
    commands: int = 0
    in_doubt: int = 0
    """Unanswered when the server ended, and sent again."""
    were_done: int = 0
    """Of those, done all the same: only the answer had been lost."""
    rounds: int = 0
    major_awards: int = 0
    """Awards that the meter paid."""
    denied_awards: int = 0
    signed_awards: int = 0
    """Of those, at staffed tables, paid when two people had signed."""
    signatures_refused: int = 0
    """A person signed twice, or too late."""
    beside_others: int = 0
    """Of those, paid while other winners waited."""
    most_at_once: int = 0
    paid_by_another_command: int = 0
    """Awards that were not paid with the command that claimed them: they waited for others or for signatures."""
    faults: int = 0
    """Of the whole link, carried out by several servers."""
    paid_cents: int = 0
    lost: int = 0
    doubled: int = 0
    out_of_order: int = 0
    wrong_cents: int = 0
    differences: int = 0
    """That the audit found."""

    @property
    def is_clean(self) -> bool:
        wrong = self.lost or self.doubled or self.out_of_order or self.wrong_cents or self.differences
        return not (wrong or self.ended_by_themselves)


class Several:
    """The servers and their PostgreSQL, and what ends and restarts them."""

    def __init__(self, plan: Plan, postgres: PrivatePostgres) -> None:
        self._postgres = postgres
        self.plan, self.random = plan, seeded(f"{plan.seed}")
        self.report = Report(servers=plan.servers, tables=plan.servers * plan.tables)
        self.lives: Counter[int] = Counter()
        self.running: dict[int, int] = {}

    def run(
        self, seconds: float, kill_every: float, awards: int = 0, *, kills: int = 0, restart_every: float = 0.0
    ) -> Report:
        """Run this long, and on until the meter has paid this many awards and this many servers have been killed."""
        started = time.monotonic()
        store = open_store(self.plan.url)
        house = House(store, rich_chance(self.random, 0.0))
        house.process([Request(f"open-{n}", c, microseconds()) for n, c in enumerate(opening(0, _PEOPLE))])
        store.close()
        for number in range(self.plan.servers):
            self._start(number)
        next_kill, next_restart = started + kill_every, started + restart_every
        while self._goes_on(started + seconds, awards, kills):
            time.sleep(0.02)
            self._restart_those_that_ended()
            if kill_every and time.monotonic() > next_kill:
                self._kill(self.random.choice(list(self.running)))
                next_kill = time.monotonic() + self.random.uniform(0, 2 * kill_every)
            if restart_every and time.monotonic() > next_restart:
                self._restart_postgres()
                next_restart = time.monotonic() + self.random.uniform(0, 2 * restart_every)
        self._stop_all()
        self._check()
        self.report.seconds = round(time.monotonic() - started, 1)
        return self.report

    def _goes_on(self, until: float, awards: int, kills: int) -> bool:
        return time.monotonic() < until or self.report.kills < kills or bool(awards and self._paid_so_far() < awards)

    def _paid_so_far(self) -> int:
        """Count the awards that the meter has paid."""
        store = open_store(self.plan.url, read_only=True)
        link = store.links().get(LINK, b"")
        store.close()
        return LINK_STATE.decode(link[SEAL:]).hits if link else 0

    # ---------------------------------------------------------------- processes

    def _start(self, number: int) -> None:
        self.lives[number] += 1
        pid = os.fork()
        if pid == 0:
            code = _BROKEN
            try:
                self._postgres.leave_to_parent()
                serve(self.plan, number, self.lives[number])
            except StoreError as wrong:
                print(f"server {number}: {wrong}", file=sys.stderr)  # noqa: T201  as its log would say
                code = _FAILED
            except HouseStopped:
                time.sleep(60)  # the writer's thread is about to end the process, and knows why
            except BaseException:  # noqa: BLE001  the parent must not go on in two processes
                traceback.print_exc()
            finally:
                os._exit(code)
        self.running[number] = pid

    def _kill(self, number: int) -> None:
        pid = self.running.pop(number)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        self.report.kills += 1
        time.sleep(self.random.uniform(0, 0.3))
        self._start(number)

    def _restart_postgres(self) -> None:
        """Take PostgreSQL away for about a second, and now and then kill a server meanwhile."""
        if self.random.random() < 0.5:
            self._postgres.crash()
        else:
            self._postgres.stop()
        if self.random.random() < 0.3:
            self._kill(self.random.choice(list(self.running)))
        time.sleep(self.random.uniform(0, 1.5))
        self._postgres.start()
        self.report.restarts += 1

    def _restart_those_that_ended(self) -> None:
        for number, pid in list(self.running.items()):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                self._ended(number, os.waitstatus_to_exitcode(status))
                self._start(number)

    def _ended(self, number: int, code: int) -> None:
        del self.running[number]
        if code == _FAILED:
            self.report.ended_by_themselves += 1
        elif code:
            raise Torn(f"server {number} ended by itself, with code {code}.")

    def _stop_all(self) -> None:
        for pid in self.running.values():
            os.kill(pid, signal.SIGTERM)
        for number, pid in list(self.running.items()):
            _, status = os.waitpid(pid, 0)
            code = os.waitstatus_to_exitcode(status)
            # One that was started a moment ago had not learnt yet what the signal means.
            self._ended(number, 0 if code == -signal.SIGTERM else code)

    def end(self) -> None:
        """Kill the servers that still run."""
        for pid in self.running.values():
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)

    # ---------------------------------------------------------------- what they made of it

    def _check(self) -> None:
        store = open_store(self.plan.url)
        house = House(store, rich_chance(self.random, 0.0))
        while house.collect(microseconds()):
            pass
        self._check_logs(store)
        self._check_link(house)
        audited = audit(store)
        self.report.differences = audited.difference_count
        for difference in audited.differences[:5]:
            print(difference, file=sys.stderr)  # noqa: T201
        store.close()

    def _check_logs(self, store: Store) -> None:
        """Check that every answer is in the journal as it was given, and that no other command is there."""
        asked: set[str] = set()
        for number in range(self.plan.servers):
            log = Log(self.plan.log_of(number))
            asked.update(log.asked)
            self.report.commands += len(log.answered)
            self.report.in_doubt += log.again
            self.report.were_done += log.were_done
            self.report.came_back += log.came_back
            kept = store.answers(list(log.asked))
            for name, answer in log.answered.items():
                self.report.lost += name not in kept or kept[name].answer != encode(answer)
                command = log.asked[name].command
                self.report.take_overs += isinstance(command, TakeTable) and answer.accepted
                self.report.signatures_refused += isinstance(command, SignAward) and not answer.accepted
        for row in store.rows("answers"):
            name = str(row[2])
            self.report.doubled += not name.startswith(("collect-", "open-", "refusals-")) and name not in asked

    def _check_link(self, house: House) -> None:
        """Check that awards were paid in the rulebooks' order and each cent once.

        The tables have what the link paid, and the pool has what is left.
        """
        store, link, report = house.store, house.links[LINK], self.report
        order = order_at(house)
        claimed: dict[tuple[str, int, int], str] = {}
        for record in checked(store.read(link_stream(LINK))):
            fact = link_fact(record)
            report.faults += isinstance(fact, FaultReported)
            order.follow(fact)
            if isinstance(fact, ClaimsEntered):
                claimed.update(((fact.table, claim.round, claim.box), record.command) for claim in fact.claims)
            if isinstance(fact, CasePaid):
                report.major_awards += 1
                asked = claimed[fact.table, fact.round, fact.line.box]
                report.paid_by_another_command += asked != record.command
        for name in house.tables:
            for record in checked(store.read(table_stream(name))):
                report.rounds += record.type == RoundOpened.__name__
        for problem in order.wrong:
            print(problem, file=sys.stderr)  # noqa: T201
        report.out_of_order = len(order.wrong)
        report.beside_others, report.denied_awards = order.waited, order.denied
        report.most_at_once, report.signed_awards = order.most_pending, order.signed
        report.paid_cents = link.paid // link.scale
        report.doubled += report.paid_cents != sum(order.paid.values())
        held = store.balances()
        report.wrong_cents = sum(
            abs(difference)
            for difference in (
                sum(held.values()),
                held[accounts.pool(LINK)] - link.cents,
                held[accounts.reserve(LINK)] - link.reserve_cents,
                held.get(accounts.overflow(LINK), 0) - link.overflow_cents,
                held.get(accounts.payable(LINK), 0) - link.locked_cents,
                0 if link.balances else 1,
            )
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and say what came of it; 1 where the servers broke their word."""
    parser = argparse.ArgumentParser(prog="python -m croupier.testing.cluster_test", description=__doc__)
    parser.add_argument("--servers", type=int, default=4)
    parser.add_argument("--tables", type=int, default=16, help="of each server")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--kill-every", type=float, default=1.0, metavar="SECONDS", help="on average; 0 for never")
    parser.add_argument("--cuts", type=float, default=0.005, metavar="SHARE", help="of commits whose connection is cut")
    parser.add_argument("--rich", type=float, default=1.0, metavar="SHARE", help="of decks with one suit on top")
    parser.add_argument("--kills", type=int, default=0, help="go on until this many servers have been killed")
    parser.add_argument(
        "--restart-every",
        type=float,
        default=0.0,
        metavar="SECONDS",
        help="restart PostgreSQL, on average; 0 for never",
    )
    parser.add_argument("--awards", type=int, default=0, help="go on until the meter has paid this many awards")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    with contextlib.ExitStack() as stack:
        postgres = stack.enter_context(PrivatePostgres())
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="croupier-several-"))
        plan = Plan(
            url=postgres.url(),
            folder=folder,
            servers=asked.servers,
            tables=asked.tables,
            seed=asked.seed,
            cuts=asked.cuts,
            rich=asked.rich,
        )
        several = Several(plan, postgres)
        stack.callback(several.end)
        broken = ""
        try:
            several.run(
                asked.seconds, asked.kill_every, asked.awards, kills=asked.kills, restart_every=asked.restart_every
            )
        except (Torn, StoreError) as wrong:
            broken = str(wrong)
    return conclude(several.report, broken, as_json=asked.json)


if __name__ == "__main__":
    sys.exit(main())
