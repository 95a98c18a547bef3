"""Archives: rounds of closed days in files, from which the audit follows a table into the database."""

from __future__ import annotations

import hashlib
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from urllib.parse import quote

import msgspec

from croupier.floor.audit.audit import Audited, audit
from croupier.floor.audit.checkpoint_check import Testimony
from croupier.floor.audit.findings import Findings
from croupier.floor.backups.backup import ROWS, BadBackup, Progress, compressed_file, new_file
from croupier.floor.backups.encryption import BadSeal, FileKey, Lockers, Openers
from croupier.floor.history.link_figures import day_of
from croupier.floor.house.house import House
from croupier.floor.house.memory.cuts import last_cut, read_entered
from croupier.floor.records.codec import encode, house_fact
from croupier.floor.records.commands import ArchiveTable, HouseCommand, Request
from croupier.floor.records.facts import TableArchived
from croupier.floor.records.keys import NO_KEYS, Keys
from croupier.floor.records.streams import HOUSE, table_stream
from croupier.floor.records.tables import Table
from croupier.journal.checkpoint import Anchor
from croupier.journal.records import Record, checked
from croupier.journal.store import FOREVER, SCHEMA_VERSION, TABLES, Head, Row, Store, Wanted
from croupier.journal.store_address import open_store

FORMAT = "croupier-archive-1"
_PIECE = 512
"""Records that are read at a time."""
SUFFIX = ".archive"
ARCHIVED = ("records", "postings", "decks")
"""Tables of the database of which rows leave."""


class BadArchive(Exception):
    """Nothing is archived, or an archive cannot be used; one sentence."""


class Place(msgspec.Struct, frozen=True):
    """A record of a stream, by its hash in hexadecimal."""

    seq: int
    hash: str


class _Start(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    schema: int
    table: str
    before: str
    """The day before which its rounds began."""
    follows: Place
    """The record that the first one here is chained to."""


class _End(msgspec.Struct, frozen=True, kw_only=True):
    rows: dict[str, int]
    last: Place
    sha256: str
    """Over every line before this one."""


class Archived(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was written, and what of a table it holds."""

    table: str
    file: str
    first_round: int
    last_round: int
    records: int
    bytes: int


# ---------------------------------------------------------------- which records


def cut_before(store: Store, table: Table, day: date) -> Record | None:
    """Find the opening of the first Round that stays, or None where no Round before it is left.

    That is the first Round of this day or later; where there is none, the last Round of all.
    """
    stream, since = table_stream(table.name), day_of(day)[0]
    later = store.rounds(stream, Wanted(since=since, limit=1, skip=0))
    if not later:
        newest = store.rounds(stream, Wanted(limit=1))
        found = newest[0] if newest else None
    else:
        found = _first_since(store, stream, since)
    return found if found is not None and found.seq > last_cut(table.archived).seq + 1 else None


def _first_since(store: Store, stream: str, since: int) -> Record:
    """Find the oldest of the rounds since then; the store gives the newest first."""
    skip, found = 0, store.rounds(stream, Wanted(since=since, limit=1))[0]
    while some := store.rounds(stream, Wanted(since=since, until=FOREVER, skip=skip, limit=_PIECE)):
        found, skip = some[-1], skip + len(some)
    return found


# ---------------------------------------------------------------- writing


def archive(
    house: House,
    day: date,
    folder: Path,
    *,
    by: str,
    at: Callable[[], int],
    command_id: Callable[[], str],
    openers: Lockers = (),
    progress: Progress | None = None,
) -> list[Archived]:
    """Archive every table's rounds that began before this day, each table in one file and one transaction.

    Records leave the database after their file is on disk and was read again. Raises BadArchive where that fails.
    """
    if not folder.is_dir():
        raise BadArchive(f"The folder {folder} does not exist.")
    elsewhere = [table.name for table in house.tables.values() if not table.ours]
    if elsewhere:
        raise BadArchive(f"Table {elsewhere[0]} is run by another server: stop it first.")
    cuts = [(t, cut) for t in house.tables.values() if (cut := cut_before(house.store, t, day)) is not None]
    total, done = sum(cut.seq - 1 - last_cut(table.archived).seq for table, cut in cuts), 0

    def step(count: int) -> None:
        nonlocal done
        done += count
        if progress is not None:
            progress(done, total)

    written = []
    for table, cut in cuts:
        made, asked = _written(house.store, table, cut, day, folder, by, openers, step)
        answer = house.process([Request(command_id(), asked, at())])[0]
        if not answer.accepted:
            raise BadArchive(answer.message)
        written.append(made)
    return written


def _written(
    store: Store,
    table: Table,
    cut: Record,
    day: date,
    folder: Path,
    by: str,
    openers: Lockers,
    step: Callable[[int], None],
) -> tuple[Archived, HouseCommand]:
    """Write a table's file, read it again, and return it with the command that removes the records."""
    follows, seq = last_cut(table.archived), cut.seq - 1
    file = folder / f"{quote(table.name, safe='')}-{follows.seq + 1:09}-{seq:09}{SUFFIX}"
    if file.exists():
        raise BadArchive(
            f"{file} already exists, and this house has not archived it: an interrupted run or another house left it. "
            "Move it away."
        )
    digest, counts, keys = hashlib.sha256(), dict.fromkeys(ARCHIVED, 0), list[FileKey]()
    start = _Start(
        format=FORMAT,
        schema=SCHEMA_VERSION,
        table=table.name,
        before=day.isoformat(),
        follows=Place(follows.seq, follows.hash.hex()),
    )
    rounds: list[int] = []
    try:
        with new_file(file, openers, keys.append) as out, store.reading():
            last = follows

            def put(line: bytes) -> None:
                out.write(line)
                digest.update(line)

            put(encode(start) + b"\n")
            for name, row in _rows(store, table.name, follows, seq, rounds):
                counts[name] += 1
                put(encode((name, *row)) + b"\n")
                if name == "records":
                    step(1)
                    last = Head(int(str(row[1])), _hash(row))
            end = _End(rows=counts, last=Place(last.seq, last.hash.hex()), sha256=digest.hexdigest())
            out.write(encode(end) + b"\n")
    except BadBackup as wrong:
        raise BadArchive(str(wrong)) from None
    if last.seq != seq:
        raise BadArchive(f"{table_stream(table.name)}: record {last.seq + 1} is missing.")
    _verify(store, file, table.name, follows, last, counts, keys)
    made = Archived(
        table=table.name,
        file=file.name,
        first_round=rounds[0],
        last_round=rounds[-1],
        records=counts["records"],
        bytes=file.stat().st_size,
    )
    asked = ArchiveTable(
        table=table.name,
        by=by,
        before=day.isoformat(),
        seq=last.seq,
        hash=last.hash.hex(),
        file=file.name,
        sha256=file_hash(file),
    )
    return made, asked


def _hash(row: Row) -> bytes:
    last = row[-1]
    assert isinstance(last, bytes)
    return last


def _rows(store: Store, table: str, follows: Head, seq: int, rounds: list[int]) -> Iterator[tuple[str, Row]]:
    """Yield what leaves, chained and checked: records, each with its postings, and the committed decks."""
    before = follows
    while before.seq < seq:
        piece = list(store.read(table_stream(table), before.seq, min(_PIECE, seq - before.seq)))
        if not piece:
            return
        for record, postings, _ in read_entered(store, piece, before):
            yield "records", msgspec.structs.astuple(record)
            for account, amount in postings.items():
                yield "postings", (record.stream, record.seq, account, amount)
            before = Head(record.seq, record.hash)
            if record.type == "RoundOpened":
                rounds.append(int(msgspec.json.decode(record.data)["number"]))
            elif record.type == "DeckCommitted":
                told = msgspec.json.decode(record.data)
                deck = store.deck(table, told["round"], told["deal"])
                if deck is None:
                    raise BadArchive(f"{record.stream}: the deck of round {told['round']} is missing.")
                yield "decks", (table, told["round"], told["deal"], deck)


def _verify(
    store: Store, file: Path, table: str, follows: Head, last: Head, counts: Mapping[str, int], keys: Openers
) -> None:
    """Check that the file on disk is whole, chained, and equals the database row by row."""
    found = dict.fromkeys(ARCHIVED, 0)
    rows = _rows(store, table, follows, last.seq, [])
    with store.reading():
        for name, row in read_rows(file, keys):
            found[name] += 1
            if (name, row) != next(rows, None):
                raise BadArchive(f"{file} differs from the database, from which nothing was removed. Try again.")
    if found != dict(counts) or next(rows, None) is not None:
        raise BadArchive(f"{file} differs from the database, from which nothing was removed. Try again.")


def file_hash(file: Path) -> str:
    """Compute the SHA-256 of a file as it lies on disk."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


# ---------------------------------------------------------------- reading


def read_rows(file: Path, openers: Openers = ()) -> Iterator[tuple[str, Row]]:
    """Yield the rows of an archive and check the chain of its records; raises BadArchive where it was changed."""
    digest, counts = hashlib.sha256(), dict.fromkeys(ARCHIVED, 0)
    try:
        with compressed_file(file, openers) as (content, _):
            line = content.readline()
            start = msgspec.json.decode(line, type=_Start)
            if start.format != FORMAT or start.schema > SCHEMA_VERSION:
                raise BadArchive(f"{file} is an archive that a newer program made ({start.format[:40]}).")
            last = Head(start.follows.seq, bytes.fromhex(start.follows.hash))
            while True:
                digest.update(line)
                line = content.readline()
                if not line.startswith(b"["):
                    break
                name = next((n for n in ARCHIVED if line.startswith(f'["{n}",'.encode())), "")
                row = ROWS[name].decode(line)[1:] if name else ()
                if name == "records":
                    record = msgspec.convert(row, Record, builtin_types=(bytes,))
                    if record.stream != table_stream(start.table):
                        raise BadArchive(f"{file} holds a record of {record.stream[:40]}.")
                    for _ in checked((record,), before=last.hash, seq=last.seq):
                        last = Head(record.seq, record.hash)
                counts[name] += 1
                yield name, row
            end = msgspec.json.decode(line, type=_End)
            whole = (end.rows, end.sha256, end.last) == (counts, digest.hexdigest(), Place(last.seq, last.hash.hex()))
            if not whole or content.read(1):
                raise BadArchive(f"{file} is damaged: its lines do not match its last line, which sums them up.")
    except BadBackup as wrong:
        raise BadArchive(str(wrong)) from None
    except BadSeal as wrong:
        raise BadArchive(f"{file} is damaged: {wrong}") from None
    except (OSError, EOFError, zlib.error, msgspec.MsgspecError, KeyError, ValueError):
        raise BadArchive(f"{file} is damaged, or is not an archive.") from None


class ArchiveHead(msgspec.Struct, frozen=True, kw_only=True):
    """What an archive holds."""

    table: str
    before: str
    rounds: tuple[int, int]
    """The first and the last."""
    rows: Mapping[str, int]
    last: Place


def is_archive(file: Path) -> bool:
    """Return whether the file's name ends as that of an archive."""
    return file.name.endswith(SUFFIX)


def check_archive(file: Path, openers: Openers = ()) -> ArchiveHead:
    """Read an archive from end to end; raises BadArchive where it is not what was written."""
    counts, rounds, last = dict.fromkeys(ARCHIVED, 0), list[int](), Place(0, "")
    for name, row in read_rows(file, openers):
        counts[name] += 1
        if name == "records":
            record = msgspec.convert(row, Record, builtin_types=(bytes,))
            last = Place(record.seq, record.hash.hex())
            if record.type == "RoundOpened":
                rounds.append(int(msgspec.json.decode(record.data)["number"]))
    with compressed_file(file, openers) as (content, _):
        start = msgspec.json.decode(content.readline(), type=_Start)
    return ArchiveHead(table=start.table, before=start.before, rounds=(rounds[0], rounds[-1]), rows=counts, last=last)


def archived_in(store: Store) -> list[TableArchived]:
    """List what has left this database, the oldest first."""
    records = (record for record in store.read(HOUSE) if record.type == TableArchived.__name__)
    facts = [house_fact(record) for record in records]
    return [fact for fact in facts if isinstance(fact, TableArchived)]


def audit_with_archives(
    store: Store,
    folder: Path,
    openers: Openers = (),
    *,
    progress: Progress | None = None,
    anchors: Mapping[str, Anchor] | None = None,
    testimony: Testimony | None = None,
    keys: Keys = NO_KEYS,
    processes: int = 1,
) -> Audited:
    """Audit every stream from its first record: through the archives in this folder into the database.

    An archive that is missing or was changed is a difference, and its records are not audited.
    """
    findings = Findings()
    for problem in store.problems():
        findings.add("database", 0, problem)
    with put_together(store, folder, openers, findings, progress) as whole:
        return audit(
            whole or store,
            progress=progress,
            anchors=anchors,
            testimony=testimony,
            findings=findings,
            keys=keys,
            processes=processes,
        )


@contextmanager
def put_together(
    store: Store, folder: Path, openers: Openers, findings: Findings, progress: Progress | None = None
) -> Iterator[Store | None]:
    """Join the archives and this database in a temporary one; yield None where they do not go together."""
    with (
        tempfile.TemporaryDirectory(prefix="croupier-archive-") as aside,
        closing(open_store(f"sqlite:///{Path(aside) / 'whole.db'}")) as whole,
    ):
        filled: Store | None = whole
        try:
            with store.reading():
                _fill(store, whole, folder, openers, findings, progress)
        except Exception as fault:  # noqa: BLE001  whatever a changed row makes of our own code is a finding
            findings.add("database", 0, f"it cannot be put together with its archives: {fault}")
            filled = None
        yield filled


def _fill(
    store: Store, whole: Store, folder: Path, openers: Openers, findings: Findings, progress: Progress | None
) -> None:
    """Copy the rows of the archives and of the database into an empty store."""
    sound = [fact for fact in archived_in(store) if _is_sound(fact, folder, openers, findings)]
    done, total = 0, sum(row[1] for row in store.rows("heads") if isinstance(row[1], int))

    def rows(table: str) -> Iterator[Row]:
        if table in ARCHIVED:
            for fact in sound:
                yield from (row for name, row in read_rows(folder / fact.file, openers) if name == table)
        # A shared store reserves a head before its first record.
        yield from (row for row in store.rows(table) if table != "heads" or row[1])

    def counted(all_of_it: Iterator[Row]) -> Iterator[Row]:
        nonlocal done
        for row in all_of_it:
            done += 1
            if progress is not None and not done % _PIECE:
                progress(min(done, total), total)
            yield row

    whole.fill({table: counted(rows(table)) for table in TABLES}, {})


def _is_sound(fact: TableArchived, folder: Path, openers: Openers, findings: Findings) -> bool:
    """Check that this archive has the recorded hash and ends where the record says."""
    file, where = folder / Path(fact.file).name, f"archive {fact.file}"
    try:
        if not file.is_file():
            findings.add(where, 0, f"it is not in {folder}.")
            return False
        if file_hash(file) != fact.sha256:
            findings.add(where, 0, "it is not the file that was written.")
            return False
        last = ""
        for name, row in read_rows(file, openers):
            if name == "records":
                last = _hash(row).hex()
        if last != fact.hash:
            findings.add(where, 0, f"it does not end with record {fact.seq} of {fact.table}.")
            return False
    except BadArchive as wrong:
        findings.add(where, 0, str(wrong))
        return False
    return True
