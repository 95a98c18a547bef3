"""Random changes of a journal's database, from a flipped bit to an amount with every hash, entry and balance redone.

`python -m tests.floor.tamperer --count 10000` tries so many, and says which the audit did not find. With `--witness`
there are also changes that leave a journal which agrees with itself, and the audit has the checkpoints; with
`--postgres` each changed journal is audited in PostgreSQL.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import msgspec

from croupier.floor.audit import checkpoint_check
from croupier.floor.audit import stream_check as auditing
from croupier.floor.audit.audit import Audited, audit, audited_with
from croupier.floor.audit.milestone import Milestone
from croupier.floor.audit.parallel import OwnShares
from croupier.floor.audit.share import Differed, Order
from croupier.floor.duties.permissions import Post
from croupier.floor.house.cluster import shared_link
from croupier.floor.house.house import House
from croupier.floor.house.memory import state as states
from croupier.floor.house.memory.snapshots import SNAPSHOT_AFTER
from croupier.floor.house.witness import Witness, WitnessSettings
from croupier.floor.live.floor import os_chance
from croupier.floor.people.directory import enrolment
from croupier.floor.records.commands import (
    AtTable,
    BuyIn,
    CashOut,
    CloseSession,
    CountRefusals,
    EnrolPerson,
    ErasePerson,
    HouseCommand,
    NoteRefusal,
    OpenSession,
    OpenTable,
    RemovePerson,
    Request,
    TableConfig,
)
from croupier.floor.records.keys import NO_KEYS
from croupier.journal.checkpoint import Checkpoint, checkpoints_in
from croupier.journal.records import GENESIS, Record, chain_hash
from croupier.journal.sqlite import SqliteStore
from croupier.journal.store import TABLES, Store, StoreError
from croupier.money import money
from croupier.rounds.commands import CloseBets, DecideHand, GiveRuling, OpenRound, PlaceBet, ReportIncident
from croupier.rulebooks.vocabulary import Incident, Role
from croupier.testing.private_postgres import PrivatePostgres
from tests.floor.played_house import NOW, Play
from tests.stores import PostgresPlace

KEYS = {
    "records": 2,
    "heads": 1,
    "accounts": 1,
    "postings": 3,
    "answers": 0,
    "decks": 3,
    "snapshots": 1,
    "names": 1,
}
"""How many of the first columns are a row's key; an answer's is its id."""


Step: TypeAlias = Any
"""A key of an object or a place in a list, in JSON of any shape."""


class NothingToDo(Exception):
    """This change would change nothing here; another is tried."""


def small_journal(folder: Path, commands: int = 110, seed: int = 38) -> sqlite3.Connection:
    """A journal in memory, with everything in it that a journal can hold."""
    store = SqliteStore(f"sqlite:///{folder / 'house.db'}")
    play = Play(store, seed, rich=1.0)
    play.play(commands)
    play.do(
        EnrolPerson(name="ines", post=Post.DEALER, secret="aa:bb"),
        OpenSession(person="ines", token_hash="cc", csrf="dd"),
        NoteRefusal(person="ines", action="rule", what="T1"),
        CountRefusals(person="ines", action="rule", count=3, since=1, until=2),
        CloseSession(token_hash="cc"),
        RemovePerson(name="ines"),
    )
    _enrol_by_name(play)
    assert all(answer.accepted for answer in play.do(*_remembered_players()))
    play.do(*(CashOut(player="p1", amount=10**12 + n) for n in range(5)))
    store.close()
    file = sqlite3.connect(folder / "house.db")
    memory = sqlite3.connect(":memory:", isolation_level=None)
    file.backup(memory)
    file.close()
    assert memory.execute("SELECT count(*) FROM snapshots").fetchone()[0] > 2
    assert memory.execute("SELECT count(*) FROM records WHERE type = 'CasePaid'").fetchone()[0]
    assert memory.execute("SELECT count(*) FROM records WHERE stream = 'players'").fetchone()[0] > 3
    refused = "SELECT count(*) FROM answers WHERE CAST(answer AS TEXT) LIKE '%code%'"
    assert memory.execute(refused).fetchone()[0] > 3
    return memory


def _enrol_by_name(play: Play) -> None:
    """People whom the records know by an id: some still there, one removed, one erased."""
    ids = []
    for name in ("Rosalind", "Ferdinand", "Zebulon", "Quentin"):
        command, named = enrolment(name, Post.PLAYER, "", "operator test")
        assert play.house.process([Request(f"enrol-{name}", command, NOW, named)])[0].accepted
        ids.append(command.name)
    play.do(RemovePerson(name=ids[0]), RemovePerson(name=ids[1]), ErasePerson(name=ids[1], by="operator test"))


def _remembered_players() -> Iterator[HouseCommand]:
    """Whom the house remembers from table to table: an Ante under the minimum that was settled, a bar, a bar lifted."""
    game = "mbs-megalink-holdem"
    yield OpenTable(table="T6", config=TableConfig(game=game, link="main"))
    yield BuyIn(player="ana", amount=money("100.00"))
    ruling = GiveRuling(by=Role.SHIFT_MANAGER, decision="prohibit")
    for command in (
        OpenRound(),
        PlaceBet(player="ana", box=1, bet="ante", amount=money("5.00"), noticed=False),
        CloseBets(),
        DecideHand(box=1, choice="fold"),
        ReportIncident(incident=Incident.NOT_CONFIDENTIAL, player="ana"),
        ruling,
        GiveRuling(by=Role.SHIFT_MANAGER, decision="allow", player="ana"),
        ReportIncident(incident=Incident.NOT_CONFIDENTIAL, player="ana"),
        ruling,
    ):
        yield AtTable("T6", command)


def audited(
    db: sqlite3.Connection, checkpoints: Sequence[Checkpoint] = (), milestone: Milestone | None = None
) -> Audited:
    said = checkpoint_check.Testimony(checkpoints)
    store = SqliteStore("sqlite:///memory", connection=db, read_only=True)
    return audit(store, testimony=said, milestone=milestone)


def change(file: str, statement: str) -> None:
    """Change a database, with its guards put back afterwards."""
    db = sqlite3.connect(file, isolation_level=None)
    guards = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in guards:
        db.execute(f"DROP TRIGGER {name}")
    assert db.execute(statement).rowcount, "nothing was changed"
    for _, declared in guards:
        db.execute(declared)
    db.close()


def audited_in_shares(store: Store, checkpoints: Sequence[Checkpoint] = (), count: int = 2) -> Audited | None:
    """Audit in shares as several processes do; None where that does not prove that nothing differs."""
    order = Order(url=store.url, keys=NO_KEYS, checkpoints=tuple(checkpoints))
    try:
        return audited_with(OwnShares(order, count), store, order).report()
    except Differed:
        return None
    except Exception:  # noqa: BLE001  as the audit itself, which then begins again in one process
        return None


def is_clean(
    db: sqlite3.Connection, checkpoints: Sequence[Checkpoint] = (), milestone: Milestone | None = None
) -> bool:
    """Whether the audit of everything, the one in shares or the one from a milestone finds nothing."""
    report = audited(db, checkpoints, milestone)
    store = SqliteStore("sqlite:///memory", connection=db, read_only=True)
    in_shares = audited_in_shares(store, checkpoints)
    return report.is_clean or in_shares is not None


def copy_of(db: sqlite3.Connection) -> sqlite3.Connection:
    """The same database, to be changed: without the guards that would stop an honest program."""
    copy = sqlite3.connect(":memory:", isolation_level=None)
    db.backup(copy)
    copy.execute("PRAGMA ignore_check_constraints = ON")
    return copy


# ---------------------------------------------------------------- rows


class Tamperer:
    """One change after the other, each on a fresh copy."""

    def __init__(self, base: sqlite3.Connection, seed: int) -> None:
        self.base, self.random = base, Random(seed)
        self.earlier: Sequence[sqlite3.Connection] = ()
        self.folder = Path()
        accepted = "SELECT max(seq) FROM answers WHERE CAST(answer AS TEXT) LIKE '{\"accepted\":true%'"
        self.last_accepted: int = base.execute(accepted).fetchone()[0]
        self.triggers = base.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        self.kinds: tuple[tuple[str, Callable[[sqlite3.Connection], str], int], ...] = (
            ("edit a value", self.edit, 30),
            ("flip a bit", self.flip, 10),
            ("delete a row", self.delete, 15),
            ("swap two rows", self.swap, 15),
            ("put a row twice", self.duplicate, 5),
            ("truncate", self.truncate, 10),
            ("rewrite an event, hashes redone", self.rewrite, 10),
            ("pay more, everything redone", self.overpay, 5),
        )

    def with_a_witness(self, earlier: Sequence[sqlite3.Connection], folder: Path) -> None:
        """Add changes that leave a journal which agrees with itself; `earlier` is the journal as it once was."""
        self.earlier, self.folder = earlier, folder
        self.kinds = (
            *self.kinds,
            ("the journal as it once was", self.cut_back, 15),
            ("a script that calls the house", self.forge, 15),
            ("rewrite a time, hashes redone", self.rewrite_time, 15),
            ("add a trigger", self.add_trigger, 5),
        )

    def cut_back(self, db: sqlite3.Connection) -> str:
        number = self.random.randrange(len(self.earlier))
        self.earlier[number].backup(db)
        for trigger, _ in self.triggers:
            db.execute(f"DROP TRIGGER {trigger}")
        return f"to stage {number}"

    def forge(self, db: sqlite3.Connection) -> str:
        """Commands of the crowd, entered by the house itself while no server runs."""
        for _, declared in self.triggers:
            db.execute(declared)
        file = self.folder / f"forged-{self.random.getrandbits(64):x}.db"
        out = sqlite3.connect(file)
        db.backup(out)
        out.close()
        store = SqliteStore(f"sqlite:///{file}")
        play = Play(store, self.random.getrandbits(32), ids=f"forged-{self.random.getrandbits(64):x}-")
        before = store.head("answers").seq
        play.play(self.random.randrange(1, 4))
        done = store.head("answers").seq - before
        store.close()
        back = sqlite3.connect(file)
        back.backup(db)
        back.close()
        file.unlink()
        for trigger, _ in self.triggers:
            db.execute(f"DROP TRIGGER {trigger}")
        return f"{done} commands"

    def rewrite_time(self, db: sqlite3.Connection) -> str:
        stream, seq, at, data = self.random.choice(db.execute("SELECT stream, seq, at, data FROM records").fetchall())
        by = self.random.choice((-3600, -1, 1, 3600)) * 1_000_000
        db.execute("UPDATE records SET at = ? WHERE stream = ? AND seq = ?", (at + by, stream, seq))
        self._rehash(db, stream, seq, data)
        return f"{stream} {seq} by {by}"

    def add_trigger(self, db: sqlite3.Connection) -> str:
        table = self.random.choice(("accounts", "postings", "answers"))
        db.execute(f"CREATE TRIGGER more AFTER INSERT ON {table} BEGIN DELETE FROM decks WHERE round < 0; END")
        return table

    def one(self) -> tuple[str, str, sqlite3.Connection]:
        """What kind of change, what exactly, and the database after it."""
        while True:
            name, change, _ = self.random.choices(self.kinds, [weight for *_, weight in self.kinds])[0]
            db = copy_of(self.base)
            for trigger, _ in self.triggers:
                db.execute(f"DROP TRIGGER {trigger}")
            try:
                what = change(db)
            except NothingToDo:
                db.close()
                continue
            for _, declared in self.triggers:
                db.execute(declared)
            return name, what, db

    def _table(self) -> str:
        return self.random.choices(list(TABLES), (6, 1, 2, 4, 3, 2, 1, 1))[0]

    def _rows(self, db: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
        return db.execute(f"SELECT {_list(TABLES[table])} FROM {table} ORDER BY {_list(TABLES[table])}").fetchall()

    def _row(self, db: sqlite3.Connection, table: str) -> tuple[object, ...]:
        return self.random.choice(self._rows(db, table))

    def edit(self, db: sqlite3.Connection) -> str:
        table = self._table()
        row = self._row(db, table)
        column = self.random.randrange(len(row))
        changed = self._other(row[column])
        return _update(db, table, row, {TABLES[table][column]: changed})

    def _other(self, value: object) -> object:
        random = self.random
        match value:
            case int():
                return random.choice((value + 1, value - 1, -value or 7, value + random.randint(2, 10**6)))
            case str() if value:
                place = random.randrange(len(value))
                return value[:place] + random.choice("aZ/0") + value[place + 1 :]
            case bytes() if value:
                place = random.randrange(len(value))
                return random.choice(
                    (value[:place], value[:place] + b"0" + value[place + 1 :], value + b" ", value.hex(), None, 7)
                )
            case _:
                return 1

    def flip(self, db: sqlite3.Connection) -> str:
        table = self.random.choice(("records", "records", "answers", "decks", "snapshots", "heads"))
        row = self._row(db, table)
        column, value = self.random.choice([(n, value) for n, value in enumerate(row) if isinstance(value, bytes)])
        data = bytearray(value)
        data[self.random.randrange(len(data))] ^= 1 << self.random.randrange(8)
        return _update(db, table, row, {TABLES[table][column]: bytes(data)})

    def delete(self, db: sqlite3.Connection) -> str:
        table = self._table()
        row = self._row(db, table)
        db.execute(f"DELETE FROM {table} WHERE {_where(table)}", _key(table, row))
        return f"{table} {_key(table, row)}"

    def swap(self, db: sqlite3.Connection) -> str:
        """Two rows change places: everything but their keys, or one column."""
        table = self._table()
        one, other = self._row(db, table), self._row(db, table)
        keys = {TABLES[table].index(name) for name in _key_columns(table)}
        columns = [n for n in range(len(one)) if n not in keys]
        if self.random.random() < 0.5:
            columns = [self.random.choice(columns)]
        if all(one[n] == other[n] for n in columns):
            raise NothingToDo
        _update(db, table, one, {TABLES[table][n]: other[n] for n in columns})
        return _update(db, table, other, {TABLES[table][n]: one[n] for n in columns})

    def duplicate(self, db: sqlite3.Connection) -> str:
        table = self._table()
        row = list(self._row(db, table))
        for name in _key_columns(table):
            column = TABLES[table].index(name)
            row[column] = self._other(row[column])
        try:
            db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        except sqlite3.IntegrityError:
            raise NothingToDo from None
        return f"{table} {row[:3]}"

    def truncate(self, db: sqlite3.Connection) -> str:
        """The end of a stream is gone, with or without what else tells of it."""
        stream, last = self.random.choice(db.execute("SELECT stream, seq FROM heads").fetchall())
        left = self.random.randrange(last)
        if stream == "answers":
            db.execute("DELETE FROM answers WHERE seq > ?", (left,))
            kept = db.execute("SELECT hash FROM answers WHERE seq = ?", (left,)).fetchone()
        else:
            db.execute("DELETE FROM records WHERE stream = ? AND seq > ?", (stream, left))
            kept = db.execute("SELECT hash FROM records WHERE stream = ? AND seq = ?", (stream, left)).fetchone()
        if self.random.random() < 0.6:
            if stream == "answers" and left >= self.last_accepted:
                # Refusals at the very end, and the head put back: that is the journal as it once was, whole and true.
                raise NothingToDo
            db.execute("DELETE FROM heads WHERE stream = ?", (stream,))
            if kept is not None:
                db.execute("INSERT INTO heads VALUES (?, ?, ?)", (stream, left, kept[0]))
        if self.random.random() < 0.6:
            db.execute("DELETE FROM postings WHERE stream = ? AND seq > ?", (stream, left))
            db.execute(
                "UPDATE accounts SET balance = coalesce((SELECT sum(amount) FROM postings p WHERE "
                "p.account = accounts.account), 0)"
            )
            db.execute("DELETE FROM snapshots WHERE stream = ? AND seq > ?", (stream, left))
        return f"{stream} after {left} of {last}"

    # ---------------------------------------------------------------- changes that look right

    def rewrite(self, db: sqlite3.Connection) -> str:
        """One value of one event, and every hash after it redone; often the kind of change that helps somebody."""
        rows = db.execute("SELECT stream, seq, type, data FROM records ORDER BY stream, seq").fetchall()
        stream, seq, kind, data = self.random.choice(rows)
        fields = json.loads(data)
        places = [path for path, value in _leaves(fields) if path != ("type",) and not isinstance(value, bool)]
        if not places:
            raise NothingToDo
        path = self.random.choice(places)
        before = _get(fields, path)
        after = self._other(before)
        if before is None or before == after:
            raise NothingToDo
        inner = _get(fields, path[:-1])
        assert isinstance(inner, dict | list)
        inner[path[-1]] = after
        self._rehash(db, stream, seq, msgspec.json.encode(fields))
        return f"{stream} {seq} {kind} {'.'.join(map(str, path))}"

    def overpay(self, db: sqlite3.Connection) -> str:
        """A Bet pays more than it won; entry, balances, snapshot and hashes follow."""
        rows = db.execute("SELECT stream, seq, data FROM records WHERE type IN ('BetSettled', 'AwardPaid')").fetchall()
        stream, seq, data = self.random.choice(rows)
        fields = json.loads(data)
        field = "amount" if fields["type"] == "AwardPaid" else self.random.choice(("won", "returned"))
        if fields.get("bet") == "jackpot" and field == "won":
            raise NothingToDo  # paid by its own event
        more = self.random.choice((1, 100, 5000))
        fields[field] += more
        self._rehash(db, stream, seq, msgspec.json.encode(fields))
        bank = f"{stream}/bank"
        for account, amount in ((f"player/{fields['player']}", more), (bank, -more)):
            db.execute(
                "INSERT INTO postings VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET amount = amount + excluded.amount",
                (stream, seq, account, amount),
            )
            db.execute("DELETE FROM postings WHERE amount = 0")
            db.execute("UPDATE accounts SET balance = balance + ? WHERE account = ?", (amount, account))
        return f"{stream} {seq} {fields['type']} {field} {more} more"

    def _rehash(self, db: sqlite3.Connection, stream: str, seq: int, data: bytes) -> None:
        """The chain from here on, its head, and the hash of a snapshot."""
        db.execute("UPDATE records SET data = ? WHERE stream = ? AND seq = ?", (data, stream, seq))
        rows = db.execute(
            "SELECT stream, seq, type, version, at, command, data, hash FROM records WHERE stream = ? ORDER BY seq",
            (stream,),
        ).fetchall()
        before = GENESIS
        for row in rows:
            record = Record(*row)
            if record.seq >= seq:
                r = record
                before = chain_hash(before, r.stream, r.seq, r.type, r.version, r.at, r.command, r.data)
                db.execute("UPDATE records SET hash = ? WHERE stream = ? AND seq = ?", (before, stream, r.seq))
                db.execute("UPDATE heads SET hash = ? WHERE stream = ? AND seq = ?", (before, stream, r.seq))
            else:
                before = record.hash


def _list(columns: tuple[str, ...]) -> str:
    return ", ".join(f'"{column}"' for column in columns)


def _key_columns(table: str) -> tuple[str, ...]:
    return ("id",) if table == "answers" else TABLES[table][: KEYS[table]]


def _key(table: str, row: tuple[object, ...]) -> list[object]:
    return [row[TABLES[table].index(name)] for name in _key_columns(table)]


def _where(table: str) -> str:
    return " AND ".join(f'"{name}" = ?' for name in _key_columns(table))


def _update(db: sqlite3.Connection, table: str, row: tuple[object, ...], values: dict[str, object]) -> str:
    sets = ", ".join(f'"{name}" = ?' for name in values)
    try:
        db.execute(f"UPDATE {table} SET {sets} WHERE {_where(table)}", [*values.values(), *_key(table, row)])
    except sqlite3.IntegrityError:
        raise NothingToDo from None
    now = db.execute(f"SELECT {_list(TABLES[table])} FROM {table}").fetchall()
    if row in now:
        raise NothingToDo  # a number written as text is that number again
    return f"{table} {_key(table, row)} {values}"[:300]


def _leaves(value: object, path: tuple[Step, ...] = ()) -> list[tuple[tuple[Step, ...], object]]:
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in _leaves(inner, (*path, key))]
    if isinstance(value, list):
        return [leaf for n, inner in enumerate(value) for leaf in _leaves(inner, (*path, n))]
    return [(path, value)]


def _get(value: object, path: tuple[Step, ...]) -> object:
    for step in path:
        assert isinstance(value, dict | list)
        value = value[step]
    return value


# ---------------------------------------------------------------- many


@contextmanager
def small_snapshots() -> Iterator[None]:
    """Snapshots every few records, so that a small journal has some."""
    before = SNAPSHOT_AFTER
    for module in (states, auditing):
        setattr(module, "SNAPSHOT_AFTER", 40)  # noqa: B010  a constant for everybody else
    try:
        yield
    finally:
        for module in (states, auditing):
            setattr(module, "SNAPSHOT_AFTER", before)  # noqa: B010


def tamper(tries: int, seed: int, folder: Path) -> tuple[Counter[str], list[str]]:
    """So many changes; how many of each kind, and those that the audit did not find."""
    with small_snapshots():
        base = small_journal(folder)
        clean = audited(base)
        assert clean.is_clean, clean.differences
        assert audited_in_shares(SqliteStore("sqlite:///memory", connection=base, read_only=True)) == clean
        kept: list[Milestone] = []
        audit(SqliteStore("sqlite:///memory", connection=base, read_only=True), keep=kept.append)
        return _tried(Tamperer(base, seed), tries, lambda db: is_clean(db, milestone=kept[0]))


def tamper_witnessed(
    tries: int, seed: int, folder: Path, server: PrivatePostgres | None = None
) -> tuple[Counter[str], list[str]]:
    """As `tamper`, with checkpoints at hand and changes that only they show; in PostgreSQL where a server is given."""
    with small_snapshots():
        stages, checkpoints = witnessed_journal(folder)
        *earlier, base = stages
        clean = audited(base, checkpoints)
        assert clean.is_clean, clean.differences
        tamperer = Tamperer(base, seed)
        tamperer.with_a_witness(earlier, folder)
        if server is None:
            return _tried(tamperer, tries, lambda db: is_clean(db, checkpoints))
        elsewhere = _InPostgres(server, base, checkpoints)
        assert elsewhere.is_clean(base)
        return _tried(tamperer, tries, elsewhere.is_clean)


def _tried(
    tamperer: Tamperer, tries: int, is_clean: Callable[[sqlite3.Connection], bool]
) -> tuple[Counter[str], list[str]]:
    tried: Counter[str] = Counter()
    missed: list[str] = []
    while sum(tried.values()) < tries:
        kind, what, db = tamperer.one()
        try:
            missed += [f"{kind}: {what}"] if is_clean(db) else []
            tried[kind] += 1
        except NothingToDo:
            continue
        finally:
            db.close()
    return tried, missed


def witnessed_journal(folder: Path) -> tuple[list[sqlite3.Connection], list[Checkpoint]]:
    """The journal of a house that was run three times, as it was after each, and its witness's checkpoints."""
    url, file = f"sqlite:///{folder / 'house.db'}", folder / "outside.witness"
    now = count(NOW, 1_000_000)
    stages = []
    for run in range(3):
        witness = Witness(url, "one", WitnessSettings(files=(str(file),)), now.__next__)
        if run:
            witness.open()
            small_play(url, 60, seed=38 + run, ids=f"run-{run}-")
        else:
            small_journal(folder).close()
            witness.open()
        witness.stop()
        copy = sqlite3.connect(":memory:", isolation_level=None)
        source = sqlite3.connect(folder / "house.db")
        source.backup(copy)
        source.close()
        stages.append(copy)
    return stages, checkpoints_in(file.read_bytes())


def small_play(url: str, commands: int, seed: int, ids: str) -> None:
    """Some more commands in a house that exists."""
    store = SqliteStore(url)
    Play(store, seed, rich=1.0, ids=ids).play(commands)
    store.close()


class _InPostgres:
    """A changed journal, row by row in a schema of its own; what PostgreSQL would never hold is not tried."""

    def __init__(self, server: PrivatePostgres, base: sqlite3.Connection, checkpoints: Sequence[Checkpoint]) -> None:
        self._server, self._checkpoints = server, checkpoints
        self._base = self._links(base)

    def _links(self, db: sqlite3.Connection) -> dict[str, bytes]:
        """What servers would tell each other of the links, redone too."""
        house = House(SqliteStore("sqlite:///memory", connection=copy_of(db)), os_chance(), runs=lambda _: False)
        return {name: shared_link(house, name) for name in house.links}

    def is_clean(self, db: sqlite3.Connection) -> bool:
        place = PostgresPlace(self._server)
        try:
            links = self._links(db)
        except Exception:  # noqa: BLE001  a house that cannot even be opened: the links stay as they were
            links = self._base
        added = db.execute("SELECT tbl_name FROM sqlite_master WHERE type = 'trigger' AND name = 'more'").fetchone()
        store = place.open()
        try:
            source = SqliteStore("sqlite:///memory", connection=db, read_only=True)
            store.fill({table: list(source.rows(table)) for table in TABLES}, links)
            if added is not None:
                place.raw("CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'")
                place.raw("CREATE TRIGGER more AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION more()")
            return audit(store, testimony=checkpoint_check.Testimony(self._checkpoints)).is_clean
        except (StoreError, TypeError, ValueError):
            raise NothingToDo from None
        finally:
            store.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.floor.tamperer", description="Tamper with a journal.")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--witness", action="store_true", help="with checkpoints at hand")
    parser.add_argument("--postgres", action="store_true", help="audit each in PostgreSQL, with checkpoints at hand")
    asked = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        if asked.postgres:
            server = stack.enter_context(PrivatePostgres())
            tried, missed = tamper_witnessed(asked.count, asked.seed, folder, server)
        elif asked.witness:
            tried, missed = tamper_witnessed(asked.count, asked.seed, folder)
        else:
            tried, missed = tamper(asked.count, asked.seed, folder)
    lines = [f"{kind:36} {count:7,}" for kind, count in tried.most_common()]
    lines.append(f"{sum(tried.values()):,} changes, {len(missed)} not found, {time.monotonic() - started:.0f} s")
    lines += [f"  not found: {what}" for what in missed[:50]]
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
