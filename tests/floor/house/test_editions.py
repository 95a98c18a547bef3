"""Versions of a rule document in one house: pinned in the journal, side by side, changed between rounds, removed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import msgspec
import pytest

from croupier import verify
from croupier.floor.audit.audit import audit
from croupier.floor.history.export import AUDITOR, exported
from croupier.floor.history.played_rounds import NoRecord, Past, Search
from croupier.floor.house.house import House
from croupier.floor.records.codec import house_fact, table_fact
from croupier.floor.records.commands import (
    Answer,
    AtTable,
    CancelEdition,
    ChangeTerms,
    HouseCommand,
    OpenTable,
    Request,
    ScheduleEdition,
    TableConfig,
)
from croupier.floor.records.facts import TableOpened, TermsChanged
from croupier.floor.records.streams import HOUSE, table_stream
from croupier.floor.views.terms_views import lobby
from croupier.journal.store import Store
from croupier.money import money
from croupier.rounds.commands import OpenRound, PlaceBet, ReportIncident
from croupier.rounds.events import RoundOpened
from croupier.rulebooks.catalogue.fingerprint import edition_hash
from croupier.rulebooks.terms import Pin
from tests.editions import MBS_10, copied, installed
from tests.floor.house_builder import at, bets, buy_in, do, house, open_link, open_table, play_out
from tests.stores import SqlitePlace

MBS, V9, V10 = "mbs-megalink-holdem", "mbs-megalink-holdem@9", "mbs-megalink-holdem@10"
LOW_PAIR = {"1": "7c 7d", "dealer": "Kc Qd", "community": "2s 9h 4d Js 8c"}
HOUR = 3_600_000_000
_IDS = count(1)
DAY_TEN = 20_800 * 24 * HOUR
"""A moment after the day from which version 10 is approved."""


def later(house: House, command: HouseCommand, moment: int) -> Answer:
    """Ask the house at a moment."""
    return house.process([Request(f"later-{next(_IDS)}", command, moment)])[0]


def play_round(floor: House, table: str, player: str = "ana") -> None:
    """A round with a Bonus beside the Ante."""
    bonus = PlaceBet(player=player, box=1, bet="bonus", amount=1000)
    opened, ante, *rest = bets(player)
    at(floor, table, opened, ante, bonus, *rest)
    play_out(floor, table)


def bonus_of(floor: House, table: str) -> int:
    """What the Bonus won in the round that is settled."""
    return next(line.won for line in floor.tables[table].round.lines if line.bet == "bonus")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = SqlitePlace(tmp_path).open()
    yield opened
    opened.close()


def both_versions(store: Store) -> House:
    """A house that has played one round of each version on one link."""
    floor = house(store, *[LOW_PAIR] * 8, game=MBS)
    open_link(floor)
    open_table(floor, "T9", MBS)
    open_table(floor, "T10", V10)
    buy_in(floor, "ana")
    play_round(floor, "T9")
    play_round(floor, "T10")
    return floor


def test_table_terms_and_round_name_the_rulebook(store: Store) -> None:
    """Document, version, content hash, and a hash of what the table sets itself."""
    floor = house(store, LOW_PAIR, LOW_PAIR, game=MBS)
    open_table(floor, "T1", MBS, link=None)
    buy_in(floor, "ana")
    at(floor, "T1", OpenRound())
    do(floor, ChangeTerms(table="T1", by="max", limits={"ante": (2000, 50000)}))
    opened, changed = (house_fact(record) for record in store.read(HOUSE))
    round_opened = next(table_fact(r) for r in store.read(table_stream("T1")) if r.type == "RoundOpened")
    assert isinstance(opened, TableOpened)
    assert isinstance(changed, TermsChanged)
    assert isinstance(round_opened, RoundOpened)
    assert opened.config.game == V9
    assert opened.rulebook is not None
    assert (opened.rulebook.edition, opened.rulebook.sha256) == (V9, edition_hash(V9))
    assert round_opened.rulebook == opened.rulebook
    assert changed.rulebook is not None
    assert (changed.rulebook.sha256, changed.rulebook.overrides == opened.rulebook.overrides) == (
        opened.rulebook.sha256,
        False,
    )


def test_two_versions_play_on_one_link_and_audit_clean(store: Store) -> None:
    """mbs-megalink-holdem 4.1.1: a low pair pays 3 to 1 by version 9 and 2 to 1 by version 10."""
    with installed(MBS_10):
        floor = both_versions(store)
        assert (bonus_of(floor, "T9"), bonus_of(floor, "T10")) == (3000, 2000)
        assert audit(store).differences == ()
        assert [line.edition for line in lobby(floor, demo=False).tables] == [V9, V10]


def test_an_incident_of_version_10_is_reported_there_alone(store: Store) -> None:
    """Its own 5.17 voids the round; by version 9 there is no such incident."""
    with installed(MBS_10):
        floor = both_versions(store)
        for table in ("T9", "T10"):
            at(floor, table, *bets("ana"))
        dropped = ReportIncident(incident="card_dropped", boxes=(1,))
        assert not later(floor, AtTable(table="T9", command=dropped), 10).accepted
        at(floor, "T10", dropped)
        assert floor.tables["T10"].round.stage.value == "void"
        assert audit(store).differences == ()


def test_without_version_10_the_house_opens_plays_version_9_and_says_what_is_missing(store: Store) -> None:
    """Its rounds can be shown and not judged again; put back, everything is judged again and right."""
    with installed(MBS_10):
        both_versions(store)
    floor = house(store, *[LOW_PAIR] * 4, game=MBS)
    play_round(floor, "T9")
    refused = later(floor, AtTable(table="T10", command=OpenRound()), 10)
    assert (refused.accepted, refused.code) == (False, "rulebook_missing")
    assert V10 in refused.message
    assert refused.message.startswith("Rulebook not installed: ")
    shown = {line.table: line.missing for line in lobby(floor, demo=False).tables}
    assert shown["T9"] == ""
    assert V10 in shown["T10"]
    (found,) = audit(store).differences
    assert found.where == table_stream("T10")
    assert found.what.startswith(f"round 1 could not be judged again. Rulebook not installed: {V10}")
    past = Past(floor, lambda: store)
    (line,) = past.rounds(floor.tables["T10"], Search(), AUDITOR)
    assert line.edition == V10
    shown_round = past.round(floor.tables["T10"], 1, AUDITOR)
    assert (shown_round.edition, V10 in shown_round.missing) == (V10, True)
    assert "20.00" in [each.won for each in shown_round.lines if each.bet == "bonus"]
    with pytest.raises(NoRecord, match="cannot be exported"):
        past.record(floor.tables["T10"], 1, None)
    with installed(MBS_10):
        again = house(store, *[LOW_PAIR] * 4, game=MBS)
        assert again.tables["T10"].terms.missing == ""
        assert audit(store).differences == ()


def test_a_changed_byte_of_a_pinned_rulebook_is_found_by_name(store: Store, tmp_path: Path) -> None:
    """A letter of a paragraph, a pay of a table: the audit names the edition, and no round is judged by it."""
    with installed(MBS_10):
        both_versions(store)
    changes = (("document.toml", "falls on the floor", "falls on a floor"), ("rulebook.py", '"2 to 1"', '"4 to 1"'))
    for number, change in enumerate(changes):
        with installed(copied(MBS_10, tmp_path / f"changed {number}", change)):
            (found,) = audit(store).differences
            assert found.what.startswith(f"round 1 could not be judged again. Rulebook not installed: {V10}")
            assert "its content was changed" in found.what
            floor = house(store, *[LOW_PAIR] * 2, game=MBS)
            assert not later(floor, AtTable(table="T10", command=OpenRound()), 10).accepted


def scheduled(at_moment: int, edition: str = V10, second: str = "eva") -> ScheduleEdition:
    return ScheduleEdition(table="T1", edition=edition, at=at_moment, by="max", second=second)


def test_a_table_changes_its_version_between_rounds_at_the_signed_moment(store: Store) -> None:
    """A round that began before ends by version 9; the first one that begins after is judged by version 10."""
    with installed(MBS_10):
        floor = house(store, *[LOW_PAIR] * 6, game=MBS)
        open_link(floor)
        open_table(floor, "T1", MBS)
        buy_in(floor, "ana")
        play_round(floor, "T1")
        assert later(floor, scheduled(DAY_TEN + HOUR), DAY_TEN).accepted
        steps = bets("ana")
        won: list[int] = []
        for moment in (DAY_TEN + HOUR - 1, DAY_TEN + HOUR):
            bonus = PlaceBet(player="ana", box=1, bet="bonus", amount=1000)
            for command in (steps[0], steps[1], bonus, steps[-1]):
                assert later(floor, AtTable(table="T1", command=command), moment).accepted
            play_out(floor, "T1")
            won.append(bonus_of(floor, "T1"))
        assert won == [3000, 2000]
        openings = [table_fact(r) for r in store.read(table_stream("T1")) if r.type == "RoundOpened"]
        pins = [opening.rulebook for opening in openings if isinstance(opening, RoundOpened)]
        assert [pin.edition for pin in pins if isinstance(pin, Pin)] == [V9, V9, V10]
        assert audit(store).differences == ()
        again = house(store, *[LOW_PAIR] * 2, game=MBS)
        assert again.tables["T1"].config.game == V10
        pin = exported(store, [("T1", 2)])["rulebook"]
        assert isinstance(pin, dict)
        assert pin["edition"] == V9


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (scheduled(DAY_TEN + HOUR, second=""), "two_people"),
        (scheduled(DAY_TEN + HOUR, second="max"), "two_people"),
        (scheduled(DAY_TEN - HOUR), "bad_edition"),
        (scheduled(DAY_TEN + HOUR, edition="mbs-megalink-holdem@11"), "bad_edition"),
        (scheduled(DAY_TEN + HOUR, edition="sun-casino-holdem@1"), "bad_edition"),
        (scheduled(DAY_TEN + HOUR, edition=V9), "bad_edition"),
    ],
)
def test_a_version_that_cannot_be_put_in_force_is_refused(store: Store, command: ScheduleEdition, code: str) -> None:
    """It takes two people, a moment to come, and an installed version of the table's own document."""
    with installed(MBS_10):
        floor = house(store, game=MBS)
        open_table(floor, "T1", MBS, link=None)
        answer = later(floor, command, DAY_TEN)
        assert (answer.accepted, answer.code) == (False, code)


def test_a_version_is_not_put_in_force_before_it_is_approved(store: Store) -> None:
    """Its document says from which day on."""
    with installed(MBS_10):
        floor = house(store, game=MBS)
        open_table(floor, "T1", MBS, link=None)
        answer = later(floor, scheduled(2 * HOUR), HOUR)
        assert (answer.code, "2026-11-01" in answer.message) == ("bad_edition", True)


def test_a_version_that_waits_can_be_cancelled_and_then_another_put_on_the_calendar(store: Store) -> None:
    """One waits at a time; afterwards the table plays on as before."""
    with installed(MBS_10):
        floor = house(store, *[LOW_PAIR] * 2, game=MBS)
        open_table(floor, "T1", MBS, link=None)
        buy_in(floor, "ana")
        assert later(floor, scheduled(DAY_TEN + HOUR), DAY_TEN).accepted
        assert later(floor, scheduled(DAY_TEN + 2 * HOUR), DAY_TEN + 1).code == "edition_waits"
        cancel = CancelEdition(table="T1", edition=V10, by="max")
        assert later(floor, cancel, DAY_TEN + 2).accepted
        assert later(floor, cancel, DAY_TEN + 3).code == "bad_edition"
        assert later(floor, AtTable(table="T1", command=OpenRound()), DAY_TEN + 3 * HOUR).accepted
        assert floor.tables["T1"].config.game == V9
        assert audit(store).differences == ()


def test_a_game_that_is_not_installed_is_refused_by_name(store: Store) -> None:
    """One sentence that says what there is."""
    floor = house(store, game=MBS)
    for game, words in (("harbour-omaha", "There is no game"), (V10, "is not installed: of this game there is")):
        answer = later(floor, OpenTable(table="T1", config=TableConfig(game=game)), 1)
        assert (answer.accepted, answer.code, words in answer.message) == (False, "bad_terms", True)


def test_limits_changed_while_a_version_waits_hold_for_both(store: Store) -> None:
    """Limits belong to the table; the version comes at its moment."""
    with installed(MBS_10):
        floor = house(store, *[LOW_PAIR] * 2, game=MBS)
        open_table(floor, "T1", MBS, link=None)
        assert later(floor, scheduled(DAY_TEN + HOUR), DAY_TEN).accepted
        changed = ChangeTerms(table="T1", by="max", limits={"ante": (3000, 60000)})
        assert later(floor, changed, DAY_TEN + 1).accepted
        assert later(floor, AtTable(table="T1", command=OpenRound()), DAY_TEN + 2 * HOUR).accepted
        terms = floor.tables["T1"].terms
        assert (terms.book.edition, terms.limits["ante"].minimum) == (V10, money("30.00"))
        assert audit(store).differences == ()


def test_the_verifier_says_that_it_does_not_know_a_version(store: Store) -> None:
    """It checks deck, chain and ledger, and does not say that everything holds; another name is found in the chain."""
    with installed(MBS_10):
        both_versions(store)
        known, unknown = (verify.read(msgspec.json.encode(exported(store, [(t, 1)])).decode()) for t in ("T9", "T10"))
    assert verify.report(known, verify.check(known)).endswith("Everything holds.")
    checks = verify.check(unknown)
    assert checks.problems == []
    assert checks.settled is None
    told = verify.report(unknown, checks)
    assert f"This file does not know the rules of {V10}: the bets were not settled again." in told
    assert told.endswith("What this file can check holds.")
    hidden = {**known, "rulebook": {**known["rulebook"], "edition": V10}}
    assert any("another rulebook" in problem for problem in verify.check(hidden).problems)
