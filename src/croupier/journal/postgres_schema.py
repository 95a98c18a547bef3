"""The tables, guards and functions of the shared store, and whether a database still has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import LiteralString

import psycopg

from croupier.journal.store import NAMED_SINCE, OF_AWARDS

_STAY: LiteralString = "BEGIN RAISE EXCEPTION 'records are never changed or removed'; END"
_POST: LiteralString = """
DECLARE found integer;
BEGIN
    UPDATE accounts SET balance = balance + moved.amount
        FROM unnest(names, amounts) AS moved (name, amount) WHERE account = moved.name;
    GET DIAGNOSTICS found = ROW_COUNT;
    IF found <> cardinality(names) THEN RAISE EXCEPTION 'an account of a posting is missing'; END IF;
END"""

_FIRST_SCHEMA: LiteralString = (
    """
CREATE TABLE meta (key text PRIMARY KEY, value text NOT NULL);
CREATE TABLE records (
    stream text COLLATE "C" NOT NULL, seq bigint NOT NULL CHECK (seq > 0), type text COLLATE "C" NOT NULL,
    version integer NOT NULL, at bigint NOT NULL, command text COLLATE "C" NOT NULL, data bytea NOT NULL,
    hash bytea NOT NULL, PRIMARY KEY (stream, seq));
CREATE TABLE heads (stream text COLLATE "C" PRIMARY KEY, seq bigint NOT NULL, hash bytea NOT NULL)
    WITH (fillfactor = 50);
CREATE TABLE accounts (
    account text COLLATE "C" PRIMARY KEY, balance bigint NOT NULL, overdrawable smallint NOT NULL,
    CONSTRAINT never_overdrawn CHECK (balance >= 0 OR overdrawable <> 0)) WITH (fillfactor = 50);
CREATE TABLE postings (
    stream text COLLATE "C" NOT NULL, seq bigint NOT NULL, account text COLLATE "C" NOT NULL,
    amount bigint NOT NULL CHECK (amount <> 0), PRIMARY KEY (stream, seq, account));
CREATE TABLE answers (
    chain text COLLATE "C" NOT NULL, seq bigint NOT NULL CHECK (seq > 0), id text COLLATE "C" PRIMARY KEY,
    body bytea NOT NULL, answer bytea NOT NULL, hash bytea NOT NULL);
CREATE TABLE decks (
    "table" text COLLATE "C" NOT NULL, round bigint NOT NULL, deal bigint NOT NULL, deck bytea NOT NULL,
    PRIMARY KEY ("table", round, deal));
CREATE TABLE snapshots (stream text COLLATE "C" PRIMARY KEY, seq bigint NOT NULL, hash bytea NOT NULL,
    data bytea NOT NULL);
CREATE TABLE links (link text COLLATE "C" PRIMARY KEY, state bytea NOT NULL);
ALTER TABLE links ALTER state SET STORAGE EXTERNAL;
CREATE INDEX rounds ON records (stream, seq, at) WHERE type = 'RoundOpened';
CREATE INDEX postings_of ON postings (account, stream, seq);
CREATE FUNCTION records_stay() RETURNS trigger LANGUAGE plpgsql AS $$"""
    + _STAY
    + """$$;
CREATE TRIGGER records_stay BEFORE UPDATE OR DELETE ON records FOR EACH ROW EXECUTE FUNCTION records_stay();
CREATE TRIGGER records_remain BEFORE TRUNCATE ON records FOR EACH STATEMENT EXECUTE FUNCTION records_stay();
CREATE FUNCTION post(names text[], amounts bigint[]) RETURNS void LANGUAGE plpgsql AS $$"""
    + _POST
    + "$$;"
)

_SECOND_SCHEMA: LiteralString = (
    "CREATE INDEX awards ON records (stream, seq) WHERE "
    + OF_AWARDS
    + "; CREATE UNIQUE INDEX answers_in_order ON answers (chain, seq)"
)

_THIRD_SCHEMA: LiteralString = """
CREATE TABLE names (
    person text COLLATE "C" PRIMARY KEY, name text COLLATE "C" NOT NULL, salt bytea NOT NULL,
    canonical text COLLATE "C" NOT NULL UNIQUE, skeleton text COLLATE "C" NOT NULL UNIQUE);
CREATE TABLE origins (session text COLLATE "C" PRIMARY KEY, came_from text NOT NULL, browser text NOT NULL);
"""

_FOURTH_SCHEMA: LiteralString = """
CREATE TABLE followers (name text COLLATE "C" PRIMARY KEY, cursor text NOT NULL);
ALTER TABLE records ADD COLUMN position bigint;
ALTER TABLE records DISABLE TRIGGER records_stay;
UPDATE records SET position = placed.position FROM (
    SELECT stream, seq, row_number() OVER (ORDER BY at, stream, seq) AS position FROM records) AS placed
    WHERE records.stream = placed.stream AND records.seq = placed.seq;
ALTER TABLE records ENABLE TRIGGER records_stay;
CREATE SEQUENCE positions OWNED BY records.position;
SELECT setval('positions', count(*) + 1, false) FROM records;
ALTER TABLE records ALTER position SET DEFAULT nextval('positions'), ALTER position SET NOT NULL;
CREATE UNIQUE INDEX in_order ON records (position);
"""
# A server of the release before goes on writing: it names eight columns, and the ninth has a default.

STEPS: tuple[LiteralString, ...] = (_FIRST_SCHEMA, _SECOND_SCHEMA, _THIRD_SCHEMA, _FOURTH_SCHEMA)
"""From each version of the schema to the next: a server upgrades an older database when it opens it."""


_GUARDS = {
    "accounts": "CHECK (((balance >= 0) OR (overdrawable <> 0)))",
    "postings": "CHECK ((amount <> 0))",
    "records": "CHECK ((seq > 0))",
    "answers": "CHECK ((seq > 0))",
}
_KEYS = {
    "records": "PRIMARY KEY (stream, seq)",
    "heads": "PRIMARY KEY (stream)",
    "accounts": "PRIMARY KEY (account)",
    "postings": "PRIMARY KEY (stream, seq, account)",
    "answers": "PRIMARY KEY (id)",
    "decks": 'PRIMARY KEY ("table", round, deal)',
    "snapshots": "PRIMARY KEY (stream)",
    "links": "PRIMARY KEY (link)",
}
_OF_NAMES = (
    ("names", "PRIMARY KEY (person)"),
    ("names", "UNIQUE (canonical)"),
    ("names", "UNIQUE (skeleton)"),
    ("origins", "PRIMARY KEY (session)"),
)
_FUNCTIONS = {"records_stay": _STAY, "post": _POST}
_TRIGGERS = {
    "records_stay": ("BEFORE DELETE OR UPDATE ON ", " FOR EACH ROW EXECUTE FUNCTION records_stay()"),
    "records_remain": ("BEFORE TRUNCATE ON ", " FOR EACH STATEMENT EXECUTE FUNCTION records_stay()"),
}
"""How the definition of each begins and ends; the table's name stands in between, and nothing else."""


def problems(db: psycopg.Connection, version: int) -> Iterator[str]:
    """Yield keys, constraints, triggers and functions that are not as declared."""
    constraints = set(
        db.execute(
            "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint "
            "WHERE connamespace = current_schema()::regnamespace AND convalidated"
        ).fetchall()
    )
    of_names = _OF_NAMES if version >= NAMED_SINCE else ()
    for table, declared in (*_KEYS.items(), *_GUARDS.items(), *of_names):
        if (table, declared) not in constraints:
            yield f"{table} has lost its constraint {declared}."
    triggers: dict[str, tuple[str, str]] = {
        name: (enabled, defined)
        for name, enabled, defined in db.execute(
            "SELECT tgname, tgenabled::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = 'records'::regclass"
        )
    }
    for name, (begins, ends) in _TRIGGERS.items():
        enabled, defined = triggers.get(name, ("", ""))
        as_made = defined.startswith(f"CREATE TRIGGER {name} {begins}") and defined.endswith(f"records{ends}")
        if enabled not in ("O", "A") or not as_made:
            yield f"records is no longer guarded by the trigger {name}."
    strange = db.execute(
        "SELECT relname, tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
        "WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal "
        "UNION SELECT tablename, rulename FROM pg_rules WHERE schemaname = current_schema() ORDER BY 1, 2"
    ).fetchall()
    for table, name in strange:
        if table != "records" or name not in _TRIGGERS:
            yield f"{table} has a trigger or rule {name}, which this program does not declare."
    functions: dict[str, str] = dict(
        db.execute("SELECT proname, prosrc FROM pg_proc WHERE pronamespace = current_schema()::regnamespace").fetchall()
    )
    for name, body in _FUNCTIONS.items():
        if functions.get(name) != body:
            yield f"The function {name} is not declared as this program declares it."
