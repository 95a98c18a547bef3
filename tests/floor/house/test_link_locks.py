"""Servers of one link: its row is locked for what concerns it alone, and as late as can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from croupier.floor.audit.audit import audit
from croupier.floor.house import cluster
from croupier.floor.house.house import House
from croupier.floor.records.commands import Answer, AtTable, BuyIn, OnLink, OpenLink, Request
from croupier.jackpots.commands import CloseLink
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.store import Batch, Shared, StoreLost, is_shared
from croupier.money import money
from croupier.rounds.commands import (
    CloseBets,
    DecideHand,
    ExamineHand,
    OpenRound,
    PlaceBet,
    ReportIncident,
    RoundCommand,
    WithdrawBet,
)
from croupier.rounds.state import Stage
from croupier.rulebooks.vocabulary import Incident, Role
from croupier.testing.private_postgres import PrivatePostgres
from tests.floor.house_builder import (
    NOTHING,
    STRAIGHT_FLUSH,
    ask,
    at,
    balance,
    bets,
    buy_in,
    checked_books,
    do,
    house,
    open_link,
    open_table,
    play_out,
    two_servers,
)
from tests.stores import Opened, PostgresPlace, SqlitePlace, opened_at

FAULT = ReportIncident(incident=Incident.JACKPOT_MALFUNCTION, by=Role.SHIFT_MANAGER)
NOW = 1_700_000_000_000_001
A_MOMENT = 0.4
"""Seconds after which a command that has not been answered waits."""

Two = Callable[..., tuple[House, House]]


@pytest.fixture
def place(postgres: PrivatePostgres) -> PostgresPlace:
    return PostgresPlace(postgres)


@pytest.fixture
def opened(place: PostgresPlace) -> Iterator[Opened]:
    with opened_at(place) as opened:
        yield opened


@pytest.fixture
def two(opened: Opened) -> Two:
    """Two servers: the first runs T1, the second T2, on one link that takes a fifth of every jackpot Bet."""
    return partial(two_servers, opened, contribution=Rate(1, 5))


@contextmanager
def held(place: PostgresPlace, stream: str) -> Iterator[None]:
    """A stranger holds the row of a stream."""
    with psycopg.connect(place.url) as db:
        db.execute("SELECT 1 FROM heads WHERE stream = %s FOR UPDATE", (stream,))
        yield


def is_free(place: PostgresPlace, stream: str) -> bool:
    with psycopg.connect(place.url) as db:
        found = db.execute("SELECT 1 FROM heads WHERE stream = %s FOR UPDATE SKIP LOCKED", (stream,)).fetchone()
    return found is not None


class Asking(Thread):
    """Commands at tables, asked all at once in another thread."""

    def __init__(self, server: House, *commands: tuple[str, RoundCommand]) -> None:
        super().__init__(daemon=True)
        self.server, self.answers = server, list[Answer]()
        self.wrong: BaseException | None = None
        self.requests = together(*commands)
        self.start()

    def run(self) -> None:
        try:
            self.answers = self.server.process(self.requests)
        except BaseException as wrong:  # noqa: BLE001  the test looks at it
            self.wrong = wrong

    def waits(self) -> bool:
        self.join(A_MOMENT)
        return self.is_alive()

    def accepted(self) -> bool:
        self.join(30)
        return bool(self.answers) and all(answer.accepted for answer in self.answers)


def together(*commands: tuple[str, RoundCommand]) -> list[Request]:
    return [
        Request(f"together-{table}-{number}", AtTable(table=table, command=command), NOW)
        for number, (table, command) in enumerate(commands)
    ]


ANTE = PlaceBet(player="ana", box=1, bet="ante", amount=money("10.00"))
JACKPOT = PlaceBet(player="ana", box=1, bet="jackpot", amount=money("5.00"))


# ---------------------------------------------------------------- one link


def test_a_command_that_leaves_the_link_alone_does_not_wait_for_it(two: Two, place: PostgresPlace) -> None:
    """Bets, also on the jackpot, looks at cards and decisions, while another server holds the link's row."""
    one, _ = two()
    at(one, "T1", OpenRound())
    with held(place, "link/main"):
        at(one, "T1", ANTE, JACKPOT, WithdrawBet(player="ana", box=1, bet="jackpot"), JACKPOT)
    at(one, "T1", CloseBets())
    with held(place, "link/main"):
        at(one, "T1", ExamineHand(player="ana", box=1), DecideHand(box=1, choice="flop"))
    assert audit(one.store).differences == ()


@pytest.mark.parametrize("concerns", ["bets closed", "round decided", "round opened"])
def test_a_command_that_concerns_the_link_waits_for_it(two: Two, place: PostgresPlace, concerns: str) -> None:
    """Contributions, the end of a Round that was dealt with jackpot Bets, and the next Round."""
    one, _ = two()
    at(one, "T1", OpenRound(), ANTE, JACKPOT)
    command: RoundCommand = CloseBets()
    if concerns != "bets closed":
        at(one, "T1", command, DecideHand(box=1, choice="flop"), DecideHand(box=1, choice="check"))
        command = DecideHand(box=1, choice="check")
    if concerns == "round opened":
        at(one, "T1", command)
        command = OpenRound()
    with held(place, "link/main"):
        asking = Asking(one, ("T1", command))
        assert asking.waits()
    assert asking.accepted()
    assert asking.answers[0].heads["link/main"] == one.store.head("link/main").seq
    assert audit(one.store).differences == ()


def test_what_does_not_concern_the_link_is_written_before_it_is_locked(two: Two, place: PostgresPlace) -> None:
    """A batch that waits for the link has its first part in the database, for nobody to see."""
    one, _ = two()
    at(one, "T1", OpenRound(), ANTE, JACKPOT)
    before = one.store.head("table/T1").seq
    with held(place, "link/main"):
        asking = Asking(one, ("T1", CloseBets()), ("T1", ExamineHand(player="ana", box=1)))
        assert asking.waits()
        assert place.raw("SELECT seq FROM heads WHERE stream = 'table/T1'") == [(before,)]
        assert not one.shown["T1"].round.dealt
    assert asking.accepted()
    assert one.shown["T1"].round.dealt


def test_a_batch_at_one_table_comes_to_the_same_as_its_commands_one_by_one(two: Two, tmp_path: Path) -> None:
    """Commands that concern the link stand among others: their order at the table is that of their arrival."""
    one, _ = two()
    alone = house(SqlitePlace(tmp_path).open(), NOTHING)
    open_link(alone, contribution=Rate(1, 5))
    open_table(alone, "T1")
    buy_in(alone, "ana")
    commands = (
        *bets("ana"), ExamineHand(player="ana", box=1), DecideHand(box=1, choice="flop"),
        DecideHand(box=1, choice="check"), DecideHand(box=1, choice="check"), OpenRound(), ANTE,
    )  # fmt: skip
    answers = one.process(together(*(("T1", command) for command in commands)))
    assert all(answer.accepted for answer in answers)
    at(alone, "T1", *commands)
    assert one.tables["T1"].round == alone.tables["T1"].round
    assert (one.links["main"].meter, one.links["main"].dealt) == (alone.links["main"].meter, alone.links["main"].dealt)
    kinds = [[record.type for record in server.store.read("table/T1")] for server in (one, alone)]
    assert kinds[0] == kinds[1]
    assert audit(one.store).differences == ()
    alone.store.close()


def test_the_same_id_twice_in_a_batch_has_one_answer_also_where_it_concerns_the_link(two: Two) -> None:
    """Both get the same answer, with the head of the link in it."""
    one, _ = two()
    at(one, "T1", OpenRound(), ANTE, JACKPOT)
    (request,) = together(("T1", CloseBets()))
    first, second = one.process([request, request])
    assert first == second == one.process([request])[0]
    assert first.heads["link/main"] == one.store.head("link/main").seq


def test_a_closed_link_refuses_jackpot_bets_though_its_row_is_held(two: Two, place: PostgresPlace) -> None:
    """The other server has closed it; it is read without a lock."""
    one, other = two()
    at(one, "T1", OpenRound(), ANTE)
    do(other, CloseLink(link="main", by="mia"))
    with held(place, "link/main"):
        assert ask(one, AtTable(table="T1", command=JACKPOT)).code == "link_closed"


def test_a_contribution_is_made_on_the_meter_as_it_is_when_the_link_is_locked(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another server's comes between the reading of the link and its lock."""
    one, other = two()
    at(one, "T1", OpenRound(), ANTE, JACKPOT)
    assert is_shared(one.store)
    extend = one.store.extend

    def overtaken(written: Batch, links: Mapping[str, int]) -> Shared:
        at(other, "T2", *bets("ben"))
        monkeypatch.undo()
        return extend(written, links)

    monkeypatch.setattr(one.store, "extend", overtaken)
    at(one, "T1", CloseBets())
    assert one.links["main"].contributed == 2 * 100 * one.links["main"].scale
    assert one.links["main"].dealt == (("T2", 1), ("T1", 1))
    assert balance(one, "link/main/pool") == one.links["main"].cents
    assert audit(one.store).differences == ()


def test_a_fault_that_another_server_reports_meanwhile_is_met_first(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """The batch is judged again: its table meets the fault before its bets are closed."""
    one, other = two()
    at(one, "T1", OpenRound(), ANTE, JACKPOT)
    assert is_shared(one.store)
    extend = one.store.extend

    def overtaken(written: Batch, links: Mapping[str, int]) -> Shared:
        do(other, OnLink(link="main", report=FAULT))
        monkeypatch.undo()
        return extend(written, links)

    monkeypatch.setattr(one.store, "extend", overtaken)
    ask(one, AtTable(table="T1", command=CloseBets()))
    assert not one.links["main"].faults
    kinds = [record.type for record in one.store.read("table/T1")]
    assert "IncidentReported" in kinds
    assert "BetsClosed" not in kinds[: kinds.index("IncidentReported")]
    assert audit(one.store).differences == ()


def test_an_award_to_a_player_whose_account_is_held_is_paid_once(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not waited for while the link is locked: the batch is judged again with the account locked first."""
    one, other = two(NOTHING, STRAIGHT_FLUSH)
    at(one, "T1", *bets("ana"))
    at(other, "T2", *bets("ben"))
    play_out(other, "T2")
    before, asked = balance(one, "player/ben"), list[Sequence[str]]()
    assert is_shared(one.store)
    take_free = one.store.take_free

    def busy(accounts: Sequence[str]) -> Mapping[str, int] | None:
        asked.append(accounts)
        return None if len(asked) == 1 else take_free(accounts)

    monkeypatch.setattr(one.store, "take_free", busy)
    play_out(one, "T1")
    assert "player/ben" in asked[0]
    (hit,) = one.links["main"].last_hits
    assert balance(one, "player/ben") == before + hit.amount
    checked_books(one.store)
    assert audit(one.store).differences == ()


def test_a_server_that_waits_for_a_player_does_not_hold_the_link(two: Two, place: PostgresPlace) -> None:
    """Accounts are locked before links, by every server: none waits in a circle."""
    one, other = two()
    at(other, "T2", *bets("ben"))
    report = ReportIncident(incident=Incident.WRONG_DEALER_COUNT, by=Role.SHIFT_MANAGER, reconstructible=False)
    with psycopg.connect(place.url) as db:
        db.execute("SELECT 1 FROM accounts WHERE account = 'player/ben' FOR UPDATE")
        asking = Asking(other, ("T2", report))
        assert asking.waits()
        assert is_free(place, "link/main")
        at(one, "T1", *bets("ana"))
    assert asking.accepted()
    assert audit(one.store).differences == ()


def test_a_connection_lost_between_the_two_parts_leaves_nothing(two: Two, place: PostgresPlace) -> None:
    """One transaction: the part that was written is gone, and another server takes the table as it was."""
    one, other = two()
    at(one, "T1", OpenRound(), ANTE, JACKPOT)
    before = one.store.head("table/T1")
    with held(place, "link/main"):
        asking = Asking(one, ("T1", CloseBets()))
        assert asking.waits()
        place.raw("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        asking.join(30)
    assert isinstance(asking.wrong, StoreLost)
    assert other.store.head("table/T1") == before
    assert not other.store.answers(["together-T1-0"])
    one.come_back(NOW)
    assert one.process(asking.requests)[0].accepted
    assert audit(one.store).differences == ()


# ---------------------------------------------------------------- two links


def _two_links(opened: Opened) -> House:
    """One server with T1 on the link main and U1 on the link other."""
    one = house(opened(), NOTHING, NOTHING)
    open_link(one, contribution=Rate(1, 5))
    parameters = Parameters(reset=money("1000.00"), contribution=Rate(1, 5))
    do(one, OpenLink(link="other", meter=money("5000.00"), parameters=parameters))
    open_table(one, "T1")
    open_table(one, "U1", link="other")
    for player in ("ana", "ben"):
        do(one, BuyIn(player=player, amount=money("1000.00")))
    at(one, "T1", OpenRound(), ANTE, JACKPOT)
    at(one, "U1", *bets("ben")[:-1])
    return one


def test_tables_of_different_links_do_not_wait_for_each_other(opened: Opened, place: PostgresPlace) -> None:
    """One batch at tables of both: while it waits for one link, what concerns the other is on disk and its row free."""
    one = _two_links(opened)
    with held(place, "link/other"):
        asking = Asking(one, ("T1", CloseBets()), ("U1", ExamineHand(player="ben", box=1)), ("U1", CloseBets()))
        assert asking.waits()
        assert is_free(place, "link/main")
        assert ("BetsClosed",) in place.raw("SELECT type FROM records WHERE stream = 'table/T1'")
    asking.join(30)
    assert [answer.accepted for answer in asking.answers] == [True, False, True]
    assert one.tables["U1"].round.stage is one.tables["T1"].round.stage is Stage.PLAYING
    assert audit(one.store).differences == ()


def test_a_batch_is_divided_by_links_where_order_does_not_matter(opened: Opened) -> None:
    """Not with a player at tables of both, not with an id twice, not with commands of the cashier among them."""
    one = _two_links(opened)
    apart = together(("T1", CloseBets()), ("U1", CloseBets()), ("T1", OpenRound()))
    assert cluster.parts(one, apart) == [[0, 2], [1]]
    assert not cluster.parts(one, apart[::2])
    same_player = together(("T1", ANTE), ("U1", PlaceBet(player="ana", box=2, bet="ante", amount=money("10.00"))))
    assert not cluster.parts(one, same_player)
    assert not cluster.parts(one, [*apart, apart[0]])
    assert not cluster.parts(one, [*apart, Request("buys", BuyIn(player="eve", amount=500), NOW)])
