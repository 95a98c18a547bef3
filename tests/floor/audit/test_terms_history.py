"""What the pit has changed at a table, one fact after the other: which terms a Round had, and what cannot have been."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.floor.audit.terms_history import TermsHistory
from croupier.floor.records.commands import TableConfig
from croupier.floor.records.facts import TableClosed, TableReopened, TermsChanged
from croupier.floor.records.tables import terms_of

CONFIG = TableConfig(game="rws-multilink-holdem")
CHANGE = TermsChanged(table="T1", by="max", after=2, limits={"ante": (20_00, 500_00)})
CLOSED = TableClosed(table="T1", by="max", after=5)
OPENED = TableReopened(table="T1", by="max", after=5)


def history() -> TermsHistory:
    return TermsHistory(CONFIG, terms_of(CONFIG))


def test_a_round_is_played_on_the_last_terms_that_were_set_before_it() -> None:
    """Two changes after the same Round: the later one counts; what neither names stays."""
    table = history()
    later = replace(CHANGE, limits={}, jackpot_bet=10_00)
    for fact in (CHANGE, replace(CHANGE, limits={"ante": (30_00, 500_00)}), replace(later, after=4)):
        assert table.see(fact, 0) == ""
    played = {number: table.on_which(number, 0)[0] for number in (1, 2, 3, 4, 5, 99)}
    assert {number: dict(config.limits) for number, config in played.items()} == {
        1: {}, 2: {}, 3: {"ante": (30_00, 500_00)}, 4: {"ante": (30_00, 500_00)}, 5: {"ante": (30_00, 500_00)},
        99: {"ante": (30_00, 500_00)},
    }  # fmt: skip
    assert [config.jackpot_bet for config in played.values()] == [None, None, None, None, 10_00, 10_00]
    for number, config in played.items():
        assert table.on_which(number, 0)[1] == terms_of(config)


def test_changes_that_cannot_have_been_are_named() -> None:
    """An earlier Round after a later one, nobody's change, one that the house would have refused."""
    table = history()
    assert table.see(replace(CHANGE, after=7), 0) == ""
    assert table.see(replace(CHANGE, after=6), 0) == "what is changed after round 6 comes after a change of round 7."
    assert table.see(replace(CHANGE, after=7, by=""), 0) == "it does not say who changed it."
    assert "The request changes nothing" in table.see(replace(CHANGE, after=7, limits={}), 0)
    assert table.see(replace(CHANGE, after=7, limits={"none": (1, 2)}), 0)
    assert len(table.changes) == 1


def test_a_table_is_closed_and_opened_in_turn_and_begins_nothing_in_between() -> None:
    """A Round up to the closing may have begun; one that began meanwhile is found when the table opens again."""
    table = history()
    assert table.may_begin(6)
    assert table.see(OPENED, 0) == "the table was already open."
    assert table.see(CLOSED, 0) == ""
    assert (table.may_begin(5), table.may_begin(6)) == (True, False)
    assert table.see(CLOSED, 0) == "the table was already closed."
    assert table.see(OPENED, 0) == ""
    assert table.may_begin(6)
    assert table.see(CLOSED, 0) == ""
    assert table.see(replace(OPENED, after=6), 0) == "round 6 began while the table was closed."
