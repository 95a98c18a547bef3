"""What the house remembers of Players, fact by fact, and what of a table's events becomes one."""

from __future__ import annotations

from functools import reduce

import pytest

from croupier.floor.house.memory.player_memory import Memory, evolve_memory, facts_from, may_note
from croupier.floor.records.facts import BarLifted, NoteTakenBack, PlayerBarred, PlayerFact, PlayerNoted
from croupier.rounds.commands import CloseBets, GiveRuling, PlaceBet, RoundCommand
from croupier.rounds.events import PlayerReadmitted, PlayerStopped, RoundReopened, UnderMinimumNoted
from croupier.rounds.state import Round, Stage, Standing, new_table
from croupier.rulebooks.terms import table_terms
from croupier.rulebooks.vocabulary import Role

MBS = "mbs-megalink-holdem"
RWS = "rws-multilink-holdem"


def note(day: int, player: str = "ana", operator: str = "MBS", *, table: str = "T1", number: int = 1) -> PlayerNoted:
    return PlayerNoted(operator=operator, player=player, day=day, table=table, round=number)


def back(day: int, player: str = "ana", operator: str = "MBS", *, table: str = "T1", number: int = 1) -> NoteTakenBack:
    return NoteTakenBack(operator=operator, player=player, day=day, table=table, round=number)


def bar(table: str, player: str = "ana", operator: str = "MBS") -> PlayerBarred:
    return PlayerBarred(operator=operator, player=player, table=table, round=1)


def lift(table: str, player: str = "ana", operator: str = "MBS") -> BarLifted:
    return BarLifted(operator=operator, player=player, table=table, round=2)


def after(*facts: PlayerFact) -> Memory:
    return reduce(evolve_memory, facts, Memory())


def test_a_note_is_of_one_player_one_day_and_one_operator() -> None:
    """mbs-megalink-holdem 5.13: one Round under the minimum on a gaming day."""
    memory = after(note(20))
    assert memory.noted("MBS", "ana", 20)
    assert not memory.noted("MBS", "ana", 21)
    assert not memory.noted("MBS", "ben", 20)
    assert not memory.noted("RWS", "ana", 20)


def test_a_note_is_kept_over_midnight_and_no_longer() -> None:
    """A Round may end on the day after it began; two days back nobody asks, of whomever it was."""
    memory = after(note(20), note(20, "ben"), note(21, "eva"))
    assert [memory.noted("MBS", name, 20) for name in ("ana", "ben", "eva")] == [True, True, False]
    later = evolve_memory(memory, note(22, "ben", table="T2"))
    assert later.notes == {
        ("MBS", "eva"): frozenset({(21, "T1", 1)}),
        ("MBS", "ben"): frozenset({(22, "T2", 1)}),
    }


def test_a_note_of_two_rounds_stays_until_both_are_taken_back() -> None:
    """Each Round that is reopened takes back its own and no other's."""
    memory = after(note(20), note(20, table="T2"), note(20, number=2), note(20, "ben"))
    for taken, noted in ((back(20), True), (back(20, table="T2"), True), (back(19, number=2), True)):
        memory = evolve_memory(memory, taken)
        assert memory.noted("MBS", "ana", 20) == noted
    memory = evolve_memory(memory, back(20, number=2))
    assert not memory.noted("MBS", "ana", 20)
    assert memory.notes == {("MBS", "ben"): frozenset({(20, "T1", 1)})}


def test_a_bar_stands_until_every_table_that_set_it_has_lifted_it() -> None:
    """One table does not lift what another has said, and nobody is forgotten with him."""
    memory = after(bar("T1"), bar("T2"), bar("T1", "ben"), bar("T1", "ana", "RWS"))
    assert memory.barred("MBS", "ana")
    memory = evolve_memory(memory, lift("T1"))
    assert memory.bars == {
        ("MBS", "ana"): frozenset({"T2"}),
        ("MBS", "ben"): frozenset({"T1"}),
        ("RWS", "ana"): frozenset({"T1"}),
    }
    memory = evolve_memory(memory, lift("T2"))
    assert not memory.barred("MBS", "ana")
    assert memory.bars.keys() == {("MBS", "ben"), ("RWS", "ana")}
    assert evolve_memory(memory, lift("T9", "cid")) == memory


@pytest.mark.parametrize(
    ("command", "tells"),
    [
        (PlaceBet(player="ana", box=1, bet="ante", amount=500, noticed=False), True),
        (PlaceBet(player="ana", box=1, bet="ante", amount=500, noticed=True), False),
        (GiveRuling(by=Role.SHIFT_MANAGER, decision="prohibit"), True),
        (GiveRuling(by=Role.SHIFT_MANAGER, decision="allow"), True),
        (GiveRuling(by=Role.SHIFT_MANAGER, decision="stop"), True),
        (GiveRuling(by=Role.SHIFT_MANAGER, decision="void"), False),
        (CloseBets(), False),
    ],
)
def test_which_commands_may_concern_the_other_tables(command: RoundCommand, *, tells: bool) -> None:
    """Whoever may write to the house's memory locks it first; everybody else leaves it alone."""
    assert may_note(command) is tells


def test_what_a_table_tells_the_others() -> None:
    """The Round and the day stand in the state that the event met; only a document that bars in the house does."""
    state = Round(
        boxes=new_table(5).boxes,
        number=7,
        stage=Stage.SETTLED,
        noted_now=("ana", "ben"),
        standing=Standing(day=20),
    )
    mbs, rws = table_terms(MBS), table_terms(RWS)
    operator = mbs.book.document.operator
    noted = list(facts_from(mbs, "T1", state, UnderMinimumNoted(player="ana", rules=())))
    assert noted == [note(20, operator=operator, number=7)]
    reopened = list(facts_from(mbs, "T1", state, RoundReopened(number=7, rules=())))
    assert reopened == [back(20, name, operator, number=7) for name in ("ana", "ben")]
    for terms in (mbs, rws):
        bars = terms.book.authority.bars_in_the_house
        operator = terms.book.document.operator
        stopped = list(facts_from(terms, "T1", state, PlayerStopped(player="ana", by=Role.SHIFT_MANAGER, rules=())))
        readmitted = list(
            facts_from(terms, "T1", state, PlayerReadmitted(player="ana", by=Role.SHIFT_MANAGER, rules=()))
        )
        assert stopped == [PlayerBarred(operator=operator, player="ana", table="T1", round=7)] * bars
        assert readmitted == [BarLifted(operator=operator, player="ana", table="T1", round=7)] * bars
    assert mbs.book.authority.bars_in_the_house != rws.book.authority.bars_in_the_house
