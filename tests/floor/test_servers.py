"""Four floor processes on one PostgreSQL, all five games on one link, killed and cut off under load."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from croupier.floor.paying import Order
from croupier.floor.several import Report
from croupier.jackpots.link import (
    AnyLinkEvent,
    AwardReleased,
    AwardsPaid,
    ClaimsEntered,
    ClaimsVerified,
    DealOrderRuled,
    FaultCarriedOut,
    FaultReported,
    HandsDealt,
    RoundDecided,
)
from croupier.rounds.commands import ReportIncident
from croupier.rulebooks.vocabulary import Incident


def test_four_servers_pay_each_cent_of_the_pool_once_and_in_order() -> None:
    """Sixteen tables each, winners at the same time, processes killed and connections cut around commits: nothing
    answered is lost, nothing is done twice, awards come in the order of the rulebooks, the audit finds nothing."""
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "croupier.floor.several",
            "--seconds",
            "15",
            "--awards",
            "15",
            "--cuts",
            "0.02",
            "--json",
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    report = msgspec.json.decode(run.stdout, type=Report)
    assert report.is_clean
    assert (report.servers, report.tables) == (4, 64)
    assert min(report.kills, report.cuts, report.rounds, report.major_awards, report.in_doubt, report.paid_cents) > 0
    assert 0 < report.signed_awards < report.major_awards


# ---------------------------------------------------------------- the oracle itself


def dealt(table: str) -> HandsDealt:
    return HandsDealt(table=table, round=1)


def claimed(table: str, signatures: int = 0) -> ClaimsEntered:
    return ClaimsEntered(table=table, round=1, claims=(), signatures=signatures)


def signed(table: str, by: str) -> ClaimsVerified:
    return ClaimsVerified(table=table, round=1, by=by)


def paid(table: str) -> AwardsPaid:
    return AwardsPaid(table=table, round=1, payments=(), taken=0, topped_up=0, from_frozen=0)


def problems(*events: AnyLinkEvent, waits: bool = True) -> list[str]:
    order = Order({"A": waits, "B": waits})
    for event in events:
        order.follow(event)
    return order.wrong


def test_claims_in_the_order_of_entry_wait_for_signatures_before_them() -> None:
    """B is paid by entry: not before A, which was entered first and waits for its people, unless it is released."""
    entered = [dealt("A"), claimed("A", 1), dealt("B"), claimed("B")]
    for between, is_wrong in (
        ([], True),
        ([signed("A", "ines"), paid("A")], False),
        ([AwardReleased(table="B")], False),
    ):
        order = Order({"A": True, "B": False}, by_entry={"B"})
        for event in (*entered, *between, paid("B")):
            order.follow(event)
        assert bool(order.wrong) is is_wrong, order.wrong


REPORT = ReportIncident(incident=Incident.JACKPOT_MALFUNCTION)
FAULT = FaultReported(fault=1, units=0, report=REPORT, tables=("A",))


@pytest.mark.parametrize(
    "events",
    [
        [dealt("A"), dealt("B"), claimed("B"), claimed("A"), paid("A"), paid("B")],
        [dealt("A"), dealt("B"), claimed("B"), RoundDecided(table="A", round=1), paid("B")],
        [dealt("A"), dealt("B"), claimed("B"), AwardReleased(table="B"), paid("B")],
        [dealt("A"), dealt("B"), claimed("B"), DealOrderRuled(tables=("B", "A")), paid("B")],
        [dealt("A"), claimed("A"), FAULT, FaultCarriedOut(fault=1, table="A"), paid("A")],
        [dealt("A"), claimed("A", 2), signed("A", "ines"), signed("A", "jon"), paid("A")],
    ],
)
def test_the_order_of_deals_is_recognised(events: list[AnyLinkEvent]) -> None:
    """What the rulebooks allow is no finding."""
    assert problems(*events) == []


@pytest.mark.parametrize(
    "events",
    [
        [dealt("A"), dealt("B"), claimed("B"), paid("B")],
        [dealt("A"), claimed("A"), paid("A"), paid("A")],
        [dealt("A"), paid("A")],
        [dealt("B"), dealt("A"), claimed("B"), DealOrderRuled(tables=("A", "B")), paid("B")],
        [dealt("A"), claimed("A"), FAULT, paid("A")],
        [dealt("A"), claimed("A", 2), signed("A", "ines"), paid("A")],
        [dealt("A"), claimed("A", 2), signed("A", "ines"), signed("A", "ines")],
        [dealt("A"), dealt("B"), claimed("A", 2), claimed("B"), paid("B")],
        [dealt("A"), claimed("A"), signed("A", "ines")],
    ],
)
def test_a_payment_out_of_order_is_a_finding(events: list[AnyLinkEvent]) -> None:
    """Before an earlier deal, twice, without a claim, against a ruling, before a fault is met everywhere, before two
    people have signed, though the earlier deal waits for signatures; a signature by the same person or for nothing."""
    assert len(problems(*events)) == 1


def test_where_entry_decides_the_earlier_claim_is_paid_first() -> None:
    """A rulebook that does not wait for earlier deals."""
    assert problems(dealt("A"), dealt("B"), claimed("B"), claimed("A"), paid("B"), paid("A"), waits=False) == []
    assert len(problems(dealt("A"), dealt("B"), claimed("B"), claimed("A"), paid("A"), waits=False)) == 1
    assert problems(dealt("A"), dealt("B"), claimed("B", 2), claimed("A"), paid("A"), waits=False) == []
