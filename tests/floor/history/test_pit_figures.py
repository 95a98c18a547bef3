"""The pit's figures: what the House won and kept over the last hours, how long a table waits, what a jackpot pays."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from croupier.floor.duties.permissions import Post
from croupier.floor.history.pit_figures import POINTS, STEP, FloorFigures, FloorTally
from croupier.floor.live.phases import PLAY_ALARM, Phases
from croupier.rounds.state import Stage
from tests.floor.serving import Served

HOUR = 3_600_000_000


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("figures")) as served:
        yield served


def folded(served: Served, number: int = 1) -> None:
    """A round in which one box bets 25.00 and folds: the House keeps the Ante."""
    assert served.step(Post.DEALER, "open")["accepted"]
    assert served.step(Post.PLAYER, "bet", box=1, bet="ante", amount="25.00")["accepted"]
    assert served.step(Post.DEALER, "close_bets")["accepted"]
    assert served.step(Post.PLAYER, "decide", box=1, choice="fold", round=number)["accepted"]


def read(tally: FloorTally, served: Served, now: int) -> FloorFigures:
    return tally.figures(list(served.floor.house.shown.values()), now)


def test_the_house_counts_what_was_staked_and_what_it_kept(served: Served) -> None:
    """Two folded Antes of 25.00: handle 50.00, win 50.00, in the newest step, at the table that played them."""
    folded(served, 1)
    folded(served, 2)
    now = served.floor.now()
    told = read(FloorTally(served.floor.past), served, now)
    assert (told.rounds, told.handle, told.win) == (2, "50.00", "50.00")
    assert len(told.wins) == len(told.handles) == len(told.paces) == POINTS
    assert sum(told.paces) == 2
    assert {line.table: line.win for line in told.tables}["T1"] == "50.00"


def test_a_round_is_counted_once_and_leaves_with_its_hours(served: Served) -> None:
    """Read again, nothing is doubled; five hours later the round has left the figures."""
    folded(served)
    tally, now = FloorTally(served.floor.past), served.floor.now()
    assert read(tally, served, now).win == read(tally, served, now + STEP).win == "25.00"
    assert read(tally, served, now + 5 * HOUR).rounds == 0


def test_a_meter_has_no_value_before_the_server_had_started(served: Served) -> None:
    """A line of a meter begins at the first value that this server has seen, and holds it until the next."""
    tally, now = FloorTally(served.floor.past), served.floor.now()
    tally.note_meter("main", 100_00, now - 2 * STEP)
    points = read(tally, served, now).meters["main"]
    assert points[-4:] == (None, "100.00", "100.00", "100.00")


def test_figures_over_http_are_for_those_who_may_see_them(served: Served) -> None:
    """The pit reads them; a dealer is refused, and so is a player."""
    for post, status in ((Post.PIT_SUPERVISOR, 200), (Post.DEALER, 403)):
        with served.http(post) as client:
            assert client.get("/api/figures").status_code == status


def test_everybody_reads_what_the_jackpot_pays_at_this_moment(served: Served) -> None:
    """rws-multilink-holdem 4.2: a royal flush is the whole meter, a straight flush a tenth, the others are fixed."""
    with served.http() as anybody:
        (ladder,) = anybody.get("/api/links/main/ladder").json()
        assert anybody.get("/api/links/other/ladder").json()["code"] == "unknown_link"
    lines = {line["hand"]: (line["amount"], line["major"]) for line in ladder["lines"]}
    assert lines["royal_flush"] == ("5000.00", True)
    assert lines["straight_flush"] == ("500.00", True)
    assert lines["flush"] == ("100.00", False)


def test_a_link_names_the_tables_that_take_no_jackpot_bets(served: Served) -> None:
    """After a fault the display says where jackpot bets are suspended, until they are restored."""
    with served.http(Post.DISPLAY) as display:
        assert served.step(Post.SHIFT_MANAGER, "jackpot_mode", mode="no_jackpot_bets")["accepted"]
        assert display.get("/api/links/main").json()["suspended"] == ["T1"]
        assert served.step(Post.SHIFT_MANAGER, "jackpot_mode", mode="restore")["accepted"]
        assert display.get("/api/links/main").json()["suspended"] == []


def test_a_wait_outlives_the_page_and_the_server(served: Served) -> None:
    """The phase is counted from the table's own last record: a server that starts anew counts on."""
    house, later = served.floor.house, served.floor.now() + 400_000_000
    assert Phases(house, lambda: later).of(house.shown["T1"]).alarm_after is None
    assert served.step(Post.DEALER, "open")["accepted"]
    assert served.step(Post.PLAYER, "bet", box=1, bet="ante", amount="25.00")["accepted"]
    assert served.step(Post.DEALER, "close_bets")["accepted"]
    restarted = Phases(house, lambda: later)
    told = restarted.of(house.shown["T1"])
    assert 300 < told.seconds <= 400
    assert told.alarm_after is not None
    assert told.alarm_after >= PLAY_ALARM


def test_a_restart_in_the_middle_of_a_round_is_told_until_the_round_ends(served: Served) -> None:
    """A server that begins between rounds has interrupted none; one that begins in a round says so to its end."""
    house = served.floor.house
    between = Phases(house, lambda: 7_000_000)
    assert served.step(Post.DEALER, "open")["accepted"]
    assert between.of(house.shown["T1"]).restarted is None
    inside = Phases(house, lambda: 7_000_000)
    assert inside.of(house.shown["T1"]).restarted == "1970-01-01T00:00:07.000+00:00"
    assert inside.entered(house.shown["T1"]) != between.entered(house.shown["T1"])
    over = msgspec.structs.replace(house.shown["T1"].round, stage=Stage.VOID)
    assert inside.of(msgspec.structs.replace(house.shown["T1"], round=over)).restarted is None


def test_a_closed_table_counts_from_its_closing(served: Served) -> None:
    """Also for a server that begins later; a round in play at a table that closes counts on."""
    house, phases = served.floor.house, served.floor.phases
    with served.http(Post.PIT_MANAGER) as manager:
        before = phases.since("T1")
        assert manager.post("/api/tables/T1/close", json={"id": "close"}).json()["accepted"]
    closed = served.records("house")[-1].at
    assert closed > before
    assert Phases(house, served.floor.now).since("T1") == closed
    assert closed <= phases.since("T1") < closed + 60_000_000
