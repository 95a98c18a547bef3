"""A link's parameters change between the settlement of a Round and its reopening."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from croupier.floor.audit.audit import audit
from croupier.jackpots.commands import ChangeParameters, CloseLink
from croupier.jackpots.parameters import Parameters, Rate
from croupier.ledger import accounts
from croupier.money import money
from croupier.rounds.commands import GiveRuling, ReportIncident
from croupier.rulebooks.vocabulary import Incident, Role
from tests.floor.house_builder import (
    NOTHING,
    ROYAL,
    STRAIGHT_FLUSH,
    at,
    balance,
    bets,
    buy_in,
    do,
    house,
    open_link,
    open_table,
    play_out,
)
from tests.stores import SqlitePlace


@pytest.mark.parametrize("cards", [NOTHING, STRAIGHT_FLUSH, ROYAL], ids=["nothing", "straight flush", "royal flush"])
def test_a_reopened_round_takes_back_its_award_and_contribution_whatever_the_rate_is_now(
    cards: Mapping[str, str], tmp_path: Path
) -> None:
    """rws-multilink-holdem 5.8.7: ledger and meter are as if the Round had not been."""
    store = SqlitePlace(tmp_path).open()
    floor = house(store, cards)
    open_link(floor, contribution=Rate(1, 4))
    open_table(floor, "T1")
    buy_in(floor, "ana")
    before = dict(store.balances())
    at(floor, "T1", *bets("ana"))
    play_out(floor, "T1")
    do(floor, CloseLink(link="main", by="max"))
    finer = Parameters(reset=money("200000.00"), contribution=Rate(1, 7))
    do(floor, ChangeParameters(link="main", by="max", second="eva", parameters=finer))
    wrong = ReportIncident(incident=Incident.WRONG_DEALER_COUNT, by=Role.PIT_SUPERVISOR, reconstructible=False)
    at(floor, "T1", wrong)
    if floor.tables["T1"].round.awaiting:
        at(floor, "T1", GiveRuling(by=Role.SHIFT_MANAGER, decision="reopen"))
    link = floor.links["main"]
    assert (link.cents, link.contributed, link.paid, link.hits) == (money("1000000.00"), 0, 0, 0)
    assert {name: held for name, held in store.balances().items() if held} == {n: h for n, h in before.items() if h}
    assert balance(floor, accounts.player("ana")) == money("10000.00")
    assert audit(store).differences == ()
    store.close()
