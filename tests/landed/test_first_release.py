"""What the first release wrote is still what it was: opened, audited, looked back on, exported, verified and played on.
`first-release/README.md` says how it came about, `situations.json` what stands at which table and in which round.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier import verify
from croupier.floor.audit.audit import audit
from croupier.floor.backups.archive import archive, audit_with_archives
from croupier.floor.backups.backup import back_up, restore
from croupier.floor.history.export import exported
from croupier.floor.history.link_figures import day_of, figures, trial_balance
from croupier.floor.records.commands import AtTable
from croupier.floor.records.upcasters import LANDED
from croupier.journal.checkpoint import Anchor
from croupier.journal.store import Store
from croupier.journal.store_address import open_store
from croupier.money import money, show
from croupier.rounds.commands import ExamineHand
from croupier.rulebooks.documents.editions import edition
from croupier.testing.private_postgres import PrivatePostgres
from tests.landed.reading import (
    FIRST_RELEASE,
    LATER,
    ask,
    come_in,
    finish_pending,
    opened,
    play_on,
    play_out,
    rounds_of,
    unpacked,
)
from tests.stores import Place, PostgresPlace, SqlitePlace

HOLDS = "Everything holds."
HELD = "What this older record carries holds."
EXPORTS = sorted((FIRST_RELEASE / "exports").glob("*.json"))
RECONCILED = date(2026, 10, 3)

Json = dict[str, Any]


def landed(name: str) -> Any:  # noqa: ANN401  whatever the file holds
    return json.loads((FIRST_RELEASE / name).read_text(encoding="utf-8"))


def as_json(value: object) -> object:
    """As the command line prints it."""
    return json.loads(msgspec.json.encode(value))


def _known_then(told: object) -> object:
    """Figures without what the first release did not have, and without how many awards wait: it counted rounds. A
    correction of the meter stood among its top-ups.
    """
    if not isinstance(told, dict):
        return told
    if "corrections" in told:
        whole, plus, rest = str(told["top_ups"]).partition(" + ")
        told = {**told, "top_ups": f"{show(money(whole) + money(str(told['corrections'])))}{plus}{rest}"}
    since = ("locked", "pending", "aside", "corrections")
    return {name: _known_then(value) for name, value in told.items() if name not in since}


def _by_box(shown: Any) -> Json:  # noqa: ANN401  JSON
    """A round with its lines in the order of boxes and bets, without what the first release did not say: mispays that
    stand, of which it has none, and whether the meter paid an award.
    """
    lines = sorted(shown["lines"], key=lambda line: (line["box"], line["bet"], line["player"]))
    assert not any(line.get("let_stand") for line in lines)
    awards = [{name: award[name] for name in award if name != "from_meter"} for award in shown["awards"]]
    lines = [{name: line[name] for name in line if name != "let_stand"} for line in lines]
    return {**shown, "lines": lines, "awards": awards}


def _amounts(shown: Any) -> Json:  # noqa: ANN401  JSON
    """A round without its reasons: which award stood beside which others is known at another moment now."""
    told = ("box", "player", "bet", "outcome", "staked", "won", "returned")
    return {**_by_box(shown), "lines": [[line[name] for name in told] for line in _by_box(shown)["lines"]], "awards": [
        (award["box"], award["hand"], award["amount"]) for award in shown["awards"]
    ]}  # fmt: skip


def _by_amount(told: object) -> Json:
    """Figures with their hits by amount: each award is signed for by itself now, so that they come in another order."""
    assert isinstance(told, dict)
    hits = [{name: value for name, value in hit.items() if name != "at"} for hit in told["last_hits"]]
    return {**told, "last_hits": sorted(hits, key=lambda hit: (hit["amount"], hit["table"], hit["box"]))}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The house as it was left, for those who only look."""
    url = unpacked("house.db.gz", tmp_path_factory.mktemp("landed"))
    store = open_store(url, create=False)
    yield store
    store.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty place of each kind."""
    if request.param == "sqlite":
        return SqlitePlace(tmp_path)
    return PostgresPlace(request.getfixturevalue("postgres"))


# ---------------------------------------------------------------- the house as it was left


def test_the_audit_of_the_house_is_clean(store: Store) -> None:
    """It counts what the first release counted, and every stream stands where it stood."""
    was = landed("audit.json")
    heads = msgspec.convert(was["heads"], dict[str, Anchor])
    found = audit(store, anchors=heads)
    assert found.differences == ()
    assert found.heads == heads
    for counted in ("events", "rounds", "commands", "tables", "entries", "accounts"):
        assert getattr(found, counted) == was[counted], counted


def test_its_tables_play_by_the_versions_that_it_played(store: Store) -> None:
    """Its records name the game alone; each is read as the version of the document that was built in then."""
    house = opened(store)
    editions = {table.terms.book.game: table.config.game for table in house.tables.values()}
    assert editions == {game: f"{game}@{LANDED[game]}" for game in editions}
    assert all(table.terms.missing == "" for table in house.tables.values())
    assert {edition(name).folder for name in editions.values()} == {""}


def test_every_account_holds_what_it_held(store: Store) -> None:
    """The trial balance, account by account."""
    assert as_json(trial_balance(store)) == landed("balances.json")


@pytest.mark.parametrize("link", landed("figures.json"))
def test_the_figures_of_a_link_are_what_they_were(store: Store, link: str) -> None:
    """With the reconciliation of its second evening."""
    assert _known_then(as_json(figures(store, link, day_of(RECONCILED)))) == _known_then(landed("figures.json")[link])


def test_every_round_has_the_lines_and_awards_that_it_had(store: Store) -> None:
    """Rounds in play have none yet, and say how far they are."""
    found = {(shown["table"], shown["round"]): shown for shown in rounds_of(opened(store), store)}
    was = {(shown["table"], shown["round"]): shown for shown in landed("rounds.json")}
    assert found.keys() == was.keys()
    for key, shown in was.items():
        assert _by_box(as_json(found[key])) == _by_box(shown), f"round {key[1]} at {key[0]}"


# ---------------------------------------------------------------- exports


@pytest.mark.parametrize("file", EXPORTS, ids=lambda file: file.stem)
def test_an_export_is_verified_as_it_was(file: Path) -> None:
    """By `croupier verify` of today; of each round that held, everything holds that such an export carries."""
    told = verify.rounds(verify.read(file.read_text(encoding="utf-8")))
    reports = [verify.report(record, verify.check(record)) for record in told]
    was = landed("verified.json")[file.name]
    assert [HELD in report for report in reports] == [HOLDS in report for report in was]
    assert all("its bets were not settled again." in report for report in reports)


@pytest.mark.parametrize("file", EXPORTS, ids=lambda file: file.stem)
def test_the_rounds_of_an_export_are_exported_again(store: Store, file: Path) -> None:
    """The same records, and they hold as they did."""
    was = verify.rounds(verify.read(file.read_text(encoding="utf-8")))
    again = exported(store, [(record["table"], record["round"]) for record in was])
    told = verify.rounds(verify.read(json.dumps(as_json(again))))
    for record, before in zip(told, was, strict=True):
        assert record["records"] == before["records"]
        assert verify.check(record).problems == verify.check(before).problems


# ---------------------------------------------------------------- playing on


def test_every_table_plays_on_from_where_it_was_left(tmp_path: Path) -> None:
    """Betting, deciding, held for a ruling or for options, to be dealt again, settled, void, closed, never played."""
    store = open_store(unpacked("house.db.gz", tmp_path), create=False)
    house = opened(store)
    come_in(house, "later")
    play_on(house, house.tables, 9)
    assert audit(store).differences == ()
    store.close()
    store = open_store(store.url, create=False)
    house = opened(store)
    for table in house.tables:
        play_out(house, table)
    assert audit(store).differences == ()
    store.close()


def test_awards_that_wait_are_paid_as_they_would_have_been(tmp_path: Path) -> None:
    """Signed by those who had yet to sign, in the order of deals on one link and of entry on the other."""
    store = open_store(unpacked("pending.db.gz", tmp_path), create=False)
    assert audit(store).differences == ()
    house = opened(store)
    assert [len({case.round for case in link.open_cases}) for link in house.links.values()] == [3, 3]
    come_in(house, "later")
    finish_pending(house)
    assert [len(link.open_cases) for link in house.links.values()] == [0, 0]
    assert audit(store).differences == ()
    was = landed("pending.json")
    assert as_json(trial_balance(store)) == was["balances"]
    for link, before in was["figures"].items():
        now = _known_then(as_json(figures(store, link)))
        assert _by_amount(now) == _by_amount(_known_then(before)), link
    for now_shown, shown in zip(rounds_of(house, store), was["rounds"], strict=True):
        assert _amounts(as_json(now_shown)) == _amounts(shown)
    store.close()


def test_a_player_who_was_barred_bets_again(tmp_path: Path) -> None:
    """The house is sound; only the audit of the first release went by a bar that had been lifted."""
    store = open_store(unpacked("bar-lifted.db.gz", tmp_path), create=False)
    assert audit(store).differences == ()
    house = opened(store)
    come_in(house, "later")
    play_on(house, house.tables, 9)
    assert audit(store).differences == ()
    store.close()


# ---------------------------------------------------------------- carried elsewhere


def test_the_backup_is_restored(place: Place) -> None:
    """Into either kind of database: the same house, which plays on."""
    store = place.open()
    restore(FIRST_RELEASE / "backup.jsonl.gz", store)
    was = landed("audit.json")
    found = audit(store, anchors=msgspec.convert(was["heads"], dict[str, Anchor]))
    assert found.differences == ()
    assert found.events == was["events"]
    assert as_json(trial_balance(store)) == landed("balances.json")
    house = opened(store)
    come_in(house, "later")
    play_on(house, ("T1", "T9", "T14", "T17"), 3)
    assert audit(store).differences == ()
    store.close()


def test_the_house_moves_to_postgresql(store: Store, tmp_path: Path, postgres: PrivatePostgres) -> None:
    """By a backup that this release makes of it."""
    back_up(store, tmp_path / "house.jsonl.gz", LATER)
    moved = PostgresPlace(postgres).open()
    restore(tmp_path / "house.jsonl.gz", moved)
    found = audit(moved, anchors=msgspec.convert(landed("audit.json")["heads"], dict[str, Anchor]))
    assert found.differences == ()
    assert as_json(trial_balance(moved)) == landed("balances.json")
    moved.close()


def test_a_house_of_several_servers_is_restored(place: Place) -> None:
    """Its last fault has not been met by T3, whose server stopped: one server meets it now, and pays what waited."""
    store = place.open()
    restore(FIRST_RELEASE / "servers.jsonl.gz", store)
    assert audit(store).differences == ()
    house = opened(store)
    link = house.links["main"]
    assert [fault.tables for fault in link.faults] == [("T3",)]
    assert [case.table for case in link.open_cases] == ["T1"]
    come_in(house, "later")
    ask(house, AtTable(table="T3", command=ExamineHand(player="cai", box=1)))
    assert not house.links["main"].faults
    for table in house.tables:
        play_out(house, table)
    assert not house.links["main"].open_cases
    assert audit(store).differences == ()
    store.close()


@pytest.mark.parametrize("name", ["backup.jsonl.gz", "servers.jsonl.gz"])
def test_a_journal_of_the_first_release_is_archived_and_followed(name: str, place: Place, tmp_path: Path) -> None:
    """Its rounds leave like any other's; the audit follows them with and without the files, and what is played on."""
    (tmp_path / "archives").mkdir()
    store = place.open()
    restore(FIRST_RELEASE / name, store)
    before, house = audit(store).events, opened(store)
    ids = count()
    written = archive(
        house,
        date(2100, 1, 1),
        tmp_path / "archives",
        by="operator test",
        at=lambda: LATER,
        command_id=lambda: f"archive-{next(ids)}",
    )
    assert written
    assert audit(store).differences == ()
    whole = audit_with_archives(store, tmp_path / "archives")
    assert whole.differences == ()
    # A fault that a table of another server had yet to meet may have been met with the first command.
    assert whole.events >= before + len(written)
    come_in(house, "later")
    play_on(house, ("T1", "T2"), 2)
    assert audit(store).differences == ()
    assert audit_with_archives(store, tmp_path / "archives").differences == ()
    store.close()
