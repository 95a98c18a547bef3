"""Four floor processes on one PostgreSQL, all five games on one link, killed and cut off under load."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from croupier.jackpots.events import (
    AnyLinkEvent,
    AwardLocked,
    AwardReleased,
    AwardSigned,
    AwardsLocked,
    CaseDenied,
    CasePaid,
    ClaimsEntered,
    DealOrderRuled,
    FaultCarriedOut,
    FaultReported,
    HandsDealt,
    RoundDecided,
)
from croupier.rounds.commands import PaidLine, ReportIncident
from croupier.rounds.events import AwardClaimed, AwardPaid, BetSettled, Outcome
from croupier.rulebooks.vocabulary import Incident, Role
from croupier.testing.award_order import Order
from croupier.testing.cluster_test import Report


def test_four_servers_pay_each_cent_of_the_pool_once_and_in_order() -> None:
    """Sixteen tables each, winners at the same time, processes killed, connections cut around commits and PostgreSQL
    itself restarted: no server ends by itself, nothing answered is lost, nothing is done twice, awards come in the
    order of the rulebooks, the audit finds nothing.
    """
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "croupier.testing.cluster_test",
            "--seconds",
            "15",
            "--awards",
            "15",
            "--cuts",
            "0.02",
            "--restart-every",
            "5",
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
    assert min(report.kills, report.restarts, report.came_back, report.rounds, report.major_awards, report.in_doubt) > 0
    assert report.ended_by_themselves == 0
    assert report.paid_cents > 0
    assert 0 < report.signed_awards < report.major_awards


# ---------------------------------------------------------------- the oracle itself


def dealt(table: str) -> HandsDealt:
    return HandsDealt(table=table, round=1)


def claimed(table: str, signatures: int = 0) -> ClaimsEntered:
    claim = AwardClaimed(round=1, box=1, player="ana", staked=1, counts=1, units=1, awards=(), named="royal flush")
    return ClaimsEntered(table=table, round=1, claims=(claim,), signatures=signatures)


def locked(case: int, table: str) -> AwardsLocked:
    lines = (PaidLine("royal_flush", "100%", 100, from_meter=True),)
    return AwardsLocked(table=table, round=1, awards=(AwardLocked(case, lines),), taken=100)


def signed(case: int, by: str) -> AwardSigned:
    return AwardSigned(case=case, table="A", round=1, by=by)


def paid(case: int, table: str, amount: int = 100) -> CasePaid:
    award = AwardPaid(
        round=1, box=1, player="ana", hand="royal_flush", pays="100%", amount=amount, from_meter=True, rules=()
    )
    line = BetSettled(round=1, box=1, player="ana", bet="jackpot", outcome=Outcome.WIN, staked=1, won=amount,
                      returned=0, rules=(), because="")  # fmt: skip
    return CasePaid(case=case, table=table, round=1, awards=(award,), line=line)


def denied(case: int, table: str) -> CaseDenied:
    return CaseDenied(
        case=case, table=table, round=1, by=Role.SHIFT_MANAGER, who="sam", text="no", line=paid(case, table).line
    )


def problems(*events: AnyLinkEvent, waits: bool = True) -> list[str]:
    order = Order({"A": waits, "B": waits})
    for event in events:
        order.follow(event)
    return order.wrong


REPORT = ReportIncident(incident=Incident.JACKPOT_MALFUNCTION)
FAULT = FaultReported(fault=1, units=0, report=REPORT, tables=("A",))
BOTH_DEALT = [dealt("A"), dealt("B")]


@pytest.mark.parametrize(
    "events",
    [
        [*BOTH_DEALT, claimed("B"), claimed("A"), locked(2, "A"), paid(2, "A"), locked(1, "B"), paid(1, "B")],
        [*BOTH_DEALT, claimed("B"), claimed("A", 2), locked(2, "A"), locked(1, "B"), paid(1, "B")],
        [*BOTH_DEALT, claimed("B"), RoundDecided(table="A", round=1), locked(1, "B"), paid(1, "B")],
        [*BOTH_DEALT, claimed("B"), AwardReleased(table="B"), locked(1, "B"), paid(1, "B")],
        [*BOTH_DEALT, claimed("B"), DealOrderRuled(tables=("B", "A")), locked(1, "B"), paid(1, "B")],
        [*BOTH_DEALT, claimed("A", 2), claimed("B"), denied(1, "A"), locked(2, "B"), paid(2, "B")],
        [dealt("A"), claimed("A"), FAULT, FaultCarriedOut(fault=1, table="A"), locked(1, "A"), paid(1, "A")],
        [dealt("A"), claimed("A", 2), locked(1, "A"), signed(1, "ines"), signed(1, "jon"), paid(1, "A")],
    ],
)
def test_the_order_of_deals_is_recognised(events: list[AnyLinkEvent]) -> None:
    """What the rulebooks allow is not a finding."""
    assert problems(*events) == []


@pytest.mark.parametrize(
    "events",
    [
        [*BOTH_DEALT, claimed("B"), locked(1, "B"), paid(1, "B")],
        [dealt("A"), claimed("A"), locked(1, "A"), paid(1, "A"), paid(1, "A")],
        [dealt("A"), claimed("A"), locked(1, "A"), paid(1, "A", 101)],
        [dealt("A"), claimed("A"), locked(1, "A"), denied(1, "A"), paid(1, "A")],
        [dealt("B"), dealt("A"), claimed("B"), DealOrderRuled(tables=("A", "B")), locked(1, "B"), paid(1, "B")],
        [dealt("A"), claimed("A"), FAULT, locked(1, "A"), paid(1, "A")],
        [dealt("A"), claimed("A", 2), locked(1, "A"), signed(1, "ines"), paid(1, "A")],
        [dealt("A"), claimed("A", 2), locked(1, "A"), signed(1, "ines"), signed(1, "ines")],
        [dealt("A"), claimed("A"), signed(1, "ines")],
    ],
)
def test_a_payment_out_of_order_is_a_finding(events: list[AnyLinkEvent]) -> None:
    """Before an earlier deal, twice, more than was locked, though denied, against a ruling, before a fault is met
    everywhere, before two people have signed; a signature by the same person or for nothing."""
    assert len(problems(*events)) == 1


def test_where_entry_decides_the_earlier_claim_is_locked_first() -> None:
    """A rulebook that does not wait for earlier deals."""
    entered: list[AnyLinkEvent] = [*BOTH_DEALT, claimed("B"), claimed("A")]
    assert problems(*entered, locked(1, "B"), locked(2, "A"), waits=False) == []
    assert len(problems(*entered, locked(2, "A"), waits=False)) == 1
