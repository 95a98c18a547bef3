"""Kill the server again and again under load, and hold what is on disk against what it had answered.

A server process is killed at random moments; commands that it had not answered are sent again with the same ids. The
driver's own log of answers is the oracle: nothing answered may be lost, done twice or made up.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import select
import signal
import socket
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import msgspec

from croupier.floor.audit.audit import audit
from croupier.floor.house.house import House
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.house.writer import Writer
from croupier.floor.records.codec import HOUSE_FACTS, LINK_FACTS, TABLE_FACTS, encode
from croupier.floor.records.commands import Answer, AtTable, BuyIn, CashOut, HouseCommand, Request
from croupier.floor.records.facts import DeckCommitted, DeckOpened, LinkFact, TableFact, TableOpened
from croupier.floor.records.refusals import Code
from croupier.floor.records.tables import terms_of
from croupier.jackpots.events import AwardSigned, AwardsReversed, CaseDenied, CasePaid, ClaimsEntered, RoundKey
from croupier.journal.store import Store, StoreError
from croupier.journal.store_address import open_store
from croupier.rounds import events as round_events
from croupier.rounds.commands import PlaceBet
from croupier.rounds.evolve import evolve
from croupier.rounds.state import Round, new_table
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import JACKPOT_BET
from croupier.testing.crowd import Crowd, opening, rich_chance, seeded
from croupier.testing.private_postgres import PrivatePostgres
from croupier.testing.verdict import Torn, Verdict, conclude

_REQUEST = msgspec.json.Decoder(Request)


class Told(msgspec.Struct, array_like=True):
    """What the server says after a commit: answers, and every record since it last said something."""

    answers: list[tuple[str, Answer]]
    records: list[tuple[str, int, str, str]]
    """Stream, number, command, and the event as JSON."""


_TOLD = msgspec.json.Decoder(Told)


# ---------------------------------------------------------------- the server


def serve(url: str, wire: socket.socket, seed: int) -> NoReturn:
    """Run a house on one connection: read a line with what the client knows, then requests; answer with events."""
    house = House(open_store(url), rich_chance(seeded(seed), 0.6))
    lines = wire.makefile("rb")
    known: dict[str, int] = msgspec.json.decode(lines.readline() or b"{}")

    def tell(requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        records = []
        for stream in house.heads:
            if stream.startswith("answers") or house.heads[stream].seq == known.get(stream, 0):
                continue
            for record in house.store.read(stream, known.get(stream, 0)):
                records.append((record.stream, record.seq, record.command, record.data.decode()))
                known[stream] = record.seq
        told = Told([(r.id, a) for r, a in zip(requests, answers, strict=True)], records)
        wire.sendall(encode(told) + b"\n")

    def failed(wrong: BaseException) -> None:
        os._exit(3 if isinstance(wrong, StoreError) else 4)

    tell((), ())
    # Here a server ends with its database; `several` tries out that it comes back by itself.
    writer = Writer(house, answered=tell, failed=failed, lost=failed)
    for line in lines:
        writer.submit(_REQUEST.decode(line))
    os._exit(0)


class Server:
    """A server process, seen from the driver."""

    def __init__(self, url: str, seed: int) -> None:
        self.wire, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            code = 5
            try:
                self.wire.close()
                threading.excepthook = _die
                serve(url, theirs, seed)
            except StoreError as wrong:
                print(f"server: {wrong}", file=sys.stderr)  # noqa: T201  what a server's log would say
                code = 3
            finally:
                os._exit(code)
        theirs.close()
        self.wire.setblocking(False)
        self._rest = b""

    def send(self, lines: bytes) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionError):
            self.wire.setblocking(True)
            self.wire.sendall(lines)
        self.wire.setblocking(False)

    def lines(self, seconds: float) -> Iterator[bytes] | None:
        """Receive whole lines; None when the server is gone."""
        ready, _, _ = select.select([self.wire], [], [], seconds)
        if not ready:
            return iter(())
        try:
            data = self.wire.recv(1 << 20)
        except ConnectionError:
            return None
        if not data:
            return None
        *whole, self._rest = (self._rest + data).split(b"\n")
        return iter(whole)

    def kill(self) -> None:
        """Kill the server at once, wherever it is."""
        os.kill(self.pid, signal.SIGKILL)

    def ended(self) -> int:
        _, status = os.waitpid(self.pid, 0)
        self.wire.close()
        return os.waitstatus_to_exitcode(status)


def _die(wrong: threading.ExceptHookArgs) -> None:
    if isinstance(wrong.exc_value, StoreError):
        os._exit(3)  # the database went while the server read from it
    print(f"server: {wrong.exc_value!r}", file=sys.stderr)  # noqa: T201
    os._exit(4)


# ---------------------------------------------------------------- the driver


class Report(Verdict, kw_only=True):
    """What came of it."""

    kills: int = 0
    over_awards: int = 0
    """Of those, while an award was claimed and neither paid nor denied."""
    commands: int = 0
    accepted: int = 0
    in_doubt: int = 0
    """Unanswered when the server was killed, and sent again."""
    were_done: int = 0
    """Of those, done all the same: only the answer had been lost."""
    asked_again: int = 0
    """Answered commands sent once more, to hear the same answer."""
    events: int = 0
    claims: int = 0
    """Major awards that were claimed."""
    awards: int = 0
    """Of those, paid."""
    signed: int = 0
    """Signatures."""
    denied: int = 0
    unwound: int = 0
    """Of those that were not paid yet, gone with a Round that was reopened."""
    misplaced: int = 0
    """Paid for a Round that had not claimed it, or twice."""
    audits: int = 0
    lost: int = 0
    doubled: int = 0
    invented_cents: int = 0
    differences: int = 0
    seconds: float = 0.0

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.invented_cents or self.misplaced or self.differences)


class Driver:
    """People at tables, and their own notes of the answers they got."""

    def __init__(self, url: str, seed: int, *, tables: int, people: int, at_once: int) -> None:
        self.url, self.random = url, seeded(seed)
        self.crowd = Crowd(self.random, people)
        self.at_once = at_once
        self.report = Report()
        self.known: dict[str, int] = {}
        self.terms: dict[str, Terms] = {}
        self.rounds: dict[str, Round] = {}
        self.open_awards: dict[int, tuple[str, int]] = {}
        self.waiting: dict[str, Request] = {}
        self.log: dict[str, tuple[Request, Answer]] = {}
        self.again: dict[str, Answer] = {}
        self.doubtful: set[str] = set()
        self.meeting = False
        self.todo: list[HouseCommand] = list(reversed(opening(tables, people)))

    # ---------------------------------------------------------------- between kills

    def meet(self, server: Server) -> None:
        """Say what is known, send again what was not answered, and ask a few answered ones once more."""
        self.report.in_doubt += len(self.waiting)
        self.doubtful, self.meeting = set(self.waiting), True
        lines = [encode(self.known)]
        lines += [encode(request) for request in self.waiting.values()]
        if self.log:
            for name in self.random.sample(list(self.log), min(5, len(self.log))):
                request, answer = self.log[name]
                self.again[name] = answer
                lines.append(encode(request))
        server.send(b"\n".join(lines) + b"\n")

    def load(self, server: Server) -> None:
        """Send commands until as many wait as there are people acting."""
        lines = []
        while len(self.waiting) < self.at_once:
            if self.todo and self.waiting:
                break  # the house is opened step by step
            request = Request(f"{self.random.getrandbits(96):024x}", self._next(), microseconds())
            self.waiting[request.id] = request
            lines.append(encode(request))
        if lines:
            server.send(b"\n".join(lines) + b"\n")

    def _next(self) -> HouseCommand:
        if self.todo:
            return self.todo.pop()
        tables = list(self.rounds)
        if self.random.random() < 0.03:
            return self.crowd.elsewhere(tables, linked=True)
        if self.open_awards and self.random.random() < 0.05:
            award = self.random.choice(list(self.open_awards))
            return self.crowd.about_award(self.open_awards[award][0], award)
        asked = {request.command.table for request in self.waiting.values() if isinstance(request.command, AtTable)}
        # Mostly at tables without a command under way, sometimes where two come at the same time.
        free = [table for table in tables if table not in asked]
        name = self.random.choice(free if free and self.random.random() < 0.9 else tables)
        return self.crowd.hopefully(name, self.terms[name], self.rounds[name])

    # ---------------------------------------------------------------- what it receives

    def hear(self, line: bytes) -> None:
        told = _TOLD.decode(line)
        for stream, seq, command, data in told.records:
            self._happened(stream, seq, command, data.encode())
        self.meeting = False
        for name, answer in told.answers:
            self._answered(name, answer)

    def _answered(self, name: str, answer: Answer) -> None:
        if name in self.again:
            if self.again.pop(name) != answer:
                raise Torn(f"{name} was answered otherwise the second time: {answer}")
            self.report.asked_again += 1
            return
        request = self.waiting.pop(name)
        if answer.code == Code.FAULT:
            raise Torn(f"internal error: {answer.message} at {request.command}")
        self.log[name] = (request, answer)
        self.report.commands += 1
        self.report.accepted += answer.accepted
        for stream, seq in answer.heads.items():
            if self.known.get(stream, 0) < seq:
                raise Torn(f"{name} is answered, and {stream} {seq} was not told.")

    def _happened(self, stream: str, seq: int, command: str, data: bytes) -> None:
        """Follow every event once, in order, in the driver's own picture of each table."""
        if seq != self.known.get(stream, 0) + 1:
            raise Torn(f"{stream}: after {self.known.get(stream, 0)} comes {seq}.")
        if command in self.log:
            raise Torn(f"{stream} {seq}: {command} was answered long before.")
        if command in self.doubtful:
            self.doubtful.discard(command)
            self.report.were_done += self.meeting
        self.known[stream] = seq
        self.report.events += 1
        kind, _, name = stream.partition("/")
        if kind == "house":
            opened = HOUSE_FACTS.decode(data)
            if isinstance(opened, TableOpened):
                self.terms[opened.table] = terms_of(opened.config)
                self.rounds[opened.table] = new_table(self.terms[opened.table].boxes)
        elif kind == "link":
            self._award(LINK_FACTS.decode(data))
        elif kind == "table":
            fact = TABLE_FACTS.decode(data)
            if not isinstance(fact, DeckCommitted | DeckOpened):
                self.rounds[name] = evolve(self.rounds[name], fact)

    def _award(self, fact: LinkFact) -> None:
        """Keep the driver's own list of awards that wait for a person."""
        match fact:
            case ClaimsEntered(table=table, claims=claims):
                for claim in claims:
                    self.report.claims += 1
                    self.open_awards[self.report.claims] = (table, claim.round)
            case CasePaid(case=number):
                self.report.awards += 1
                del self.open_awards[number]
            case CaseDenied(case=number):
                self.report.denied += 1
                del self.open_awards[number]
            case AwardSigned():
                self.report.signed += 1
            case AwardsReversed(table=table, round=number):
                gone = [award for award, key in self.open_awards.items() if key == (table, number)]
                self.report.unwound += len(gone)
                for award in gone:
                    del self.open_awards[award]
            case _:
                pass

    # ---------------------------------------------------------------- one life of the server

    def live(self, server: Server, answers: int, delay: float, end: Callable[[], None]) -> bool:
        """Load the server until it has answered so much and a moment longer, then end it; whether it lasted as long."""
        self.meet(server)
        enough = self.report.commands + answers
        until: float | None = None
        lasted = True
        while True:
            if until is None and self.report.commands >= enough:
                until = time.monotonic() + delay
            left = 0.05 if until is None else until - time.monotonic()
            if left <= 0:
                break
            lines = server.lines(left)
            if lines is None:
                lasted = False
                break
            heard = False
            for line in lines:
                self.hear(line)
                heard = True
            if heard:
                self.load(server)
        end()
        while (rest := server.lines(1.0)) is not None:
            for line in rest:
                self.hear(line)
        self.again.clear()
        return lasted

    def settle(self, server: Server) -> None:
        """Wait until everything is answered; then send every command once more, to get the same answer."""
        self.meet(server)
        self._drain(server)
        names = list(self.log)
        for start in range(0, len(names), 200):
            some = names[start : start + 200]
            self.again = {name: self.log[name][1] for name in some}
            server.send(b"\n".join(encode(self.log[name][0]) for name in some) + b"\n")
            self._drain(server)

    def _drain(self, server: Server) -> None:
        until = time.monotonic() + 60
        while self.waiting or self.again:
            lines = server.lines(1.0)
            if lines is None or time.monotonic() > until:
                raise Torn(f"the server does not answer: {len(self.waiting)} commands wait.")
            for line in lines:
                self.hear(line)

    # ---------------------------------------------------------------- what is on disk

    def check(self, store: Store) -> None:
        """Compare the journal and the ledger with the driver's own log, by rules written for this alone."""
        with store.reading():
            self._check_answers(store)
            self._check_effects(store)
            self._check_money(store)
            self._check_awards(store)

    def _check_answers(self, store: Store) -> None:
        left = dict(self.log)
        for row in store.rows("answers"):
            name = str(row[2])
            if name.startswith("collect-"):
                continue
            logged = left.pop(name, None)
            if logged is None:
                self.report.doubled += 1
            elif row[4] != encode(logged[1]):
                self.report.lost += 1
        self.report.lost += len(left)

    def _check_effects(self, store: Store) -> None:
        """Check that each accepted command has its records, in one piece, exactly where its answer says."""
        runs: Counter[tuple[str, str]] = Counter()
        ends: dict[tuple[str, str], int] = {}
        last = ("", "")
        for row in store.rows("records"):
            here = (str(row[0]), str(row[5]))
            runs[here] += here != last
            ends[here], last = int(str(row[1])), here
        self.report.doubled += sum(count - 1 for count in runs.values())
        for name, (_, answer) in self.log.items():
            for stream, seq in answer.heads.items():
                self.report.lost += ends.pop((stream, name), 0) != seq
        self.report.doubled += sum(not command.startswith("collect-") for _, command in ends)

    def _check_awards(self, store: Store) -> None:
        """Check that each paid award belongs to one claim of its own Round, which no reopening has taken back."""
        claimed: Counter[tuple[str, int, int]] = Counter()
        paid: Counter[tuple[str, int, int]] = Counter()
        for name, fact in _facts(store):
            match fact:
                case round_events.AwardClaimed(round=number, box=box):
                    claimed[name, number, box] += 1
                case round_events.RoundReopened(number=number):
                    claimed = Counter({key: n for key, n in claimed.items() if key[:2] != (name, number)})
                case CasePaid(table=table, round=number, line=line):
                    paid[table, number, line.box] += 1
                case AwardsReversed(table=table, round=number):
                    paid = Counter({key: n for key, n in paid.items() if key[:2] != (table, number)})
                case _:
                    pass
        self.report.misplaced += sum(count > 1 or claimed[key] != 1 for key, count in paid.items())

    def _check_money(self, store: Store) -> None:
        """Compare the ledger with what players hold and staked, counted from events and answers alone."""
        held: Counter[str] = Counter()
        placed: Counter[str] = Counter()
        paid: dict[RoundKey, list[tuple[str, int]]] = defaultdict(list)
        of_awards: dict[RoundKey, list[tuple[str, int]]] = defaultdict(list)
        for name, fact in _facts(store):
            _book(name, fact, held, placed, paid)
            _book_award(fact, held, of_awards)
        asked: Counter[str] = Counter()
        for request, answer in self.log.values():
            match request.command:
                case BuyIn(player=player, amount=amount) if answer.accepted:
                    held[player] += amount
                case CashOut(player=player, amount=amount) if answer.accepted:
                    held[player] -= amount
                case AtTable(command=PlaceBet(player=player, amount=amount)) if answer.accepted:
                    asked[player] += amount
                case _:
                    pass
        balances = store.balances()
        for player in {*held, *asked}:
            self.report.invented_cents += abs(balances.get(f"player/{player}", 0) - held[player])
            self.report.invented_cents += abs(placed[player] - asked[player])
        self.report.invented_cents += abs(sum(balances.values()))


def _facts(store: Store) -> Iterator[tuple[str, TableFact | LinkFact]]:
    """Yield every event of tables and links, each with the name of its table or link."""
    for row in store.rows("records"):
        kind, _, name = str(row[0]).partition("/")
        data = row[6]
        assert isinstance(data, bytes)
        if kind in ("table", "link"):
            yield name, TABLE_FACTS.decode(data) if kind == "table" else LINK_FACTS.decode(data)


def _book(
    table: str,
    fact: TableFact | LinkFact,
    held: Counter[str],
    placed: Counter[str],
    paid: Mapping[RoundKey, list[tuple[str, int]]],
) -> None:
    """Book one event in the players' pockets; `paid` is what a Round that is reopened takes back."""
    match fact:
        case round_events.BetPlaced(player=player, amount=amount):
            held[player] -= amount
            placed[player] += amount
        case round_events.BetWithdrawn(player=player, amount=amount, live=False):
            held[player] += amount
        case round_events.HandDecided(parts=parts):
            for part in parts:
                held[part.player] -= part.amount
        case round_events.CardsRedealt(returned=returned):
            for _, _, part in returned:
                held[part.player] += part.amount
        case round_events.BetSettled(player=player, bet=bet, won=won, returned=back, round=number):
            amount = back + (0 if bet == JACKPOT_BET else won)
            held[player] += amount
            paid[table, number].append((player, amount))
        case round_events.AwardPaid(player=player, amount=amount, round=number):
            held[player] += amount
            paid[table, number].append((player, amount))
        case round_events.AwardClaimed(player=player, staked=staked, counts=counts, round=number):
            held[player] += staked - counts
            paid[table, number].append((player, staked - counts))
        case round_events.RoundReopened(number=number):
            for player, amount in paid[table, number]:
                held[player] -= amount
            paid[table, number].clear()
        case _:
            pass


def _book_award(fact: TableFact | LinkFact, held: Counter[str], paid: Mapping[RoundKey, list[tuple[str, int]]]) -> None:
    match fact:
        case CasePaid(table=table, round=number, line=line):
            held[line.player] += line.won
            paid[table, number].append((line.player, line.won))
        case AwardsReversed(table=table, round=number):
            for player, amount in paid[table, number]:
                held[player] -= amount
            paid[table, number].clear()
        case _:
            pass


# ---------------------------------------------------------------- a run


class Torture:
    """Run a number of kills with audits in between, and check everything at the end."""

    def __init__(self, url: str, seed: int, answers: int, postgres: PrivatePostgres | None = None) -> None:
        self.url, self.random, self.answers, self.postgres = url, seeded(seed), answers, postgres
        self.driver = Driver(url, seed, tables=20, people=40, at_once=16)

    def run(self, kills: int, audit_every: int, say: Callable[[str], None]) -> Report:
        report, started = self.driver.report, time.monotonic()
        open_store(self.url).close()
        while report.kills < kills:
            self._one_life()
            report.kills += 1
            report.over_awards += bool(self.driver.open_awards)
            if report.kills % audit_every == 0:
                self._audit()
                say(f"{report.kills} kills, {report.commands} commands, {report.events} events, no difference")
        server = Server(self.url, self.random.getrandbits(32))
        self.driver.settle(server)
        server.kill()
        server.ended()
        store = open_store(self.url, read_only=True)
        self.driver.check(store)
        store.close()
        self._audit()
        report.seconds = round(time.monotonic() - started, 1)
        return report

    def _one_life(self) -> None:
        server = Server(self.url, self.random.getrandbits(32))
        # Mostly under load, now and then while it still recovers.
        answers = self.random.randint(1, self.answers) if self.random.random() < 0.9 else 0
        delay = self.random.uniform(0.0, 0.02 if answers else 0.06)
        if self.postgres is None:
            lasted = self.driver.live(server, answers, delay, server.kill)
            code = server.ended()
            if not lasted or code != -signal.SIGKILL:
                raise Torn(f"the server ended by itself, with code {code}.")
            return
        self.driver.live(server, answers, delay, self.postgres.crash)
        if server.ended() != 3:
            raise Torn("the server did not stop when its database did.")
        self.postgres.start()

    def _audit(self) -> None:
        store = open_store(self.url, read_only=True)
        audited = audit(store)
        store.close()
        self.driver.report.audits += 1
        self.driver.report.differences += audited.difference_count
        if not audited.is_clean:
            raise Torn(f"the audit finds {audited.difference_count} differences: {audited.differences[0]}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and say what came of it; 1 where the server broke its word."""
    parser = argparse.ArgumentParser(prog="python -m croupier.testing.crash_test", description=__doc__)
    parser.add_argument("--database", help="where to write; without it a new file, or with --postgres a new server")
    parser.add_argument("--postgres", action="store_true", help="stop a private PostgreSQL instead of the server")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--answers", type=int, default=24, help="the most answers between two kills")
    parser.add_argument("--audit-every", type=int, default=0, help="kills between audits; a tenth of all without it")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    out = sys.stderr if asked.json else sys.stdout
    with contextlib.ExitStack() as stack:
        postgres = stack.enter_context(PrivatePostgres()) if asked.postgres else None
        if postgres is not None:
            url = postgres.url()
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="croupier-torture-"))
            url = asked.database or f"sqlite:///{Path(folder) / 'house.db'}"
        torture = Torture(url, asked.seed, asked.answers, postgres)
        broken = ""
        try:
            torture.run(asked.kills, asked.audit_every or max(asked.kills // 10, 1), lambda line: print(line, file=out))
        except (Torn, StoreError) as wrong:
            broken = str(wrong)
        report = torture.driver.report
    return conclude(report, broken, as_json=asked.json)


if __name__ == "__main__":
    sys.exit(main())
