"""One's own account: password, second factor, sessions, idle lock; resets and break-glass accounts."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pyotp
import pytest
from websockets.exceptions import ConnectionClosed

from croupier.floor.audit.audit import audit
from croupier.floor.duties.permissions import Post
from croupier.floor.people.people import Person, Session, token_hash
from croupier.floor.records.commands import MarkBreakGlass
from croupier.floor.records.keys import keys_of
from croupier.floor.server.errors import ApiError
from croupier.floor.server.guard import COOKIE, CSRF_HEADER
from croupier.floor.server.live_connection import HELD_BACK
from croupier.floor.server.login.auth import TRIES, Sessions
from croupier.floor.server.login.second_factor import PERIOD, new_recovery_codes, opened_factor, step_of
from croupier.floor.server.login.time_source import TimeSource
from croupier.floor.server.security import Security
from croupier.floor.server.settings import Settings
from croupier.journal.store_address import open_store
from tests.floor.serving import CHEAP, KEYS, Live, Served
from tests.patience import PATIENCE

PASSWORD, OTHER = "blue kettle under stairs", "green lamp over water"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path) as served:
        served.enrol("eve", Post.DEALER, PASSWORD)
        yield served
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}")
    assert audit(store).differences == ()
    store.close()


def log_in(served: Served, name: str = "eve", password: str = PASSWORD, **more: str) -> httpx.Response:
    with served.http() as client:
        return client.post("/api/login", json={"name": name, "password": password, **more})


def client_of(served: Served, answer: httpx.Response) -> httpx.Client:
    """A program with the session of a log-in."""
    assert answer.status_code == 200, answer.text
    headers = {"authorization": f"Bearer {answer.json()['token']}"}
    return served.client(headers)


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


# ---------------------------------------------------------------- passwords


def test_a_person_changes_their_own_password_with_the_old_one(served: Served) -> None:
    """This session goes on, every other one ends, and the old password opens nothing."""
    other = log_in(served).json()["token"]
    with client_of(served, log_in(served)) as eve:
        wrong = eve.post("/api/password", json={"old": OTHER, "new": OTHER})
        assert code_of(wrong) == (403, "wrong_password")
        assert code_of(eve.post("/api/password", json={"old": PASSWORD, "new": PASSWORD})) == (400, "weak_password")
        assert code_of(eve.post("/api/password", json={"old": PASSWORD, "new": "eve"})) == (400, "weak_password")
        assert eve.post("/api/password", json={"old": PASSWORD, "new": OTHER}).status_code == 200
        assert eve.get("/api/tables").status_code == 200
        assert [session["this"] for session in eve.get("/api/sessions").json()] == [True]
    with served.http() as client:
        assert client.get("/api/tables", headers={"authorization": f"Bearer {other}"}).status_code == 401
    assert code_of(log_in(served)) == (401, "wrong_password")
    assert log_in(served, password=OTHER).status_code == 200


def test_guesses_of_the_old_password_are_counted_like_log_ins(served: Served) -> None:
    """A session that somebody else has found is not worth more guesses than the door."""
    with client_of(served, log_in(served)) as eve:
        for _ in range(TRIES):
            assert code_of(eve.post("/api/password", json={"old": "no", "new": OTHER})) == (403, "wrong_password")
        assert code_of(eve.post("/api/password", json={"old": PASSWORD, "new": OTHER})) == (429, "locked_out")
    assert code_of(log_in(served)) == (429, "locked_out")


def test_a_reset_gives_a_password_that_must_be_changed_first(served: Served) -> None:
    """Told once to the administrator; it opens nothing but the change of itself."""
    before = log_in(served).json()["token"]
    with served.http(Post.ADMINISTRATOR) as office:
        password = office.post("/api/people/eve/reset").json()["password"]
        assert code_of(office.post("/api/people/administrator/reset")) == (409, "not_oneself")
        assert code_of(office.post("/api/people/nobody/reset")) == (404, "unknown_person")
    with served.http() as client:
        assert client.get("/api/tables", headers={"authorization": f"Bearer {before}"}).status_code == 401
    answer = log_in(served, password=password)
    with client_of(served, answer) as eve:
        assert eve.get("/api/me").json()["held"] == "change_password_first"
        for path in ("/api/tables", "/api/sessions"):
            assert code_of(eve.get(path)) == (403, "change_password_first")
        with Live(served.address, {"Authorization": f"Bearer {answer.json()['token']}"}) as live:
            with pytest.raises(ConnectionClosed) as closed:
                live.receive()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == HELD_BACK
        assert eve.post("/api/password", json={"old": password, "new": OTHER}).status_code == 200
        assert eve.get("/api/me").json()["held"] is None
        assert eve.get("/api/tables").status_code == 200
    kept = "".join(record.data.decode() for record in served.records("people"))
    assert password not in kept


# ---------------------------------------------------------------- sessions


def test_everybody_sees_and_ends_their_own_sessions(served: Served) -> None:
    """When opened, last used, from where and with what; nobody ends another's."""
    with served.http() as client:
        there = client.post(
            "/api/login", json={"name": "eve", "password": PASSWORD}, headers={"user-agent": "Phone\t 1"}
        ).json()["token"]
    with client_of(served, log_in(served)) as eve:
        sessions = {session["id"]: session for session in eve.get("/api/sessions").json()}
        phone = sessions[token_hash(there)]
        assert (phone["address"], phone["browser"], phone["this"], phone["locked"]) == (
            "127.0.0.1", "Phone 1", False, False,
        )  # fmt: skip
        assert phone["opened"] is not None
        assert phone["opened"] <= phone["used"]
        assert len(sessions) == 2
        others = token_hash(served.tokens[Post.PLAYER])
        assert code_of(eve.delete(f"/api/sessions/{others}")) == (404, "unknown_session")
        assert eve.delete(f"/api/sessions/{phone['id']}").status_code == 200
        assert len(eve.get("/api/sessions").json()) == 1
    with served.http() as client:
        assert client.get("/api/tables", headers={"authorization": f"Bearer {there}"}).status_code == 401


def test_an_administrator_sees_and_ends_sessions_of_others(served: Served) -> None:
    """One by one; a live connection of the session ends with it."""
    token = log_in(served).json()["token"]
    with served.http(Post.ADMINISTRATOR) as office, Live(served.address, {"Authorization": f"Bearer {token}"}) as live:
        assert live.ask({"type": "ping", "id": "1"})["type"] == "pong"
        (session,) = office.get("/api/people/eve/sessions").json()
        assert code_of(office.delete(f"/api/people/player/sessions/{session['id']}")) == (404, "unknown_session")
        assert office.delete(f"/api/people/eve/sessions/{session['id']}").status_code == 200
        with pytest.raises(ConnectionClosed):
            live.receive()
        assert office.get("/api/people/eve/sessions").json() == []
        assert code_of(office.get("/api/people/nobody/sessions")) == (404, "unknown_person")


class Hands:
    """A clock and a counter of seconds that a test moves."""

    def __init__(self) -> None:
        self.wall, self.elapsed = 1_700_000_000.0, 50.0

    def source(self) -> TimeSource:
        return TimeSource(lambda: self.wall, lambda: self.elapsed)


@pytest.mark.parametrize("step", [-7200.0, -86_400.0 * 400, 7200.0, 86_400.0 * 400])
def test_a_step_of_the_machines_clock_neither_ends_nor_lengthens_a_session(served: Served, step: float) -> None:
    """Its age is what has passed: an hour after the step 23 hours are left, and after a day it is over."""
    hands = Hands()

    async def ages() -> tuple[float, float, float]:
        doors = Sessions(served.floor, cost=CHEAP, time_source=hands.source())
        token, _ = await doors.open_session(served.person(Post.DEALER))
        hands.wall += step
        first = doors.seconds_left(token)
        hands.elapsed += 3600
        second = doors.seconds_left(token)
        hands.elapsed += 23 * 3600 + 1
        return first, second, doors.seconds_left(token)

    first, second, third = served.run(ages())
    assert first == pytest.approx(86_400, abs=1)
    assert second == pytest.approx(82_800, abs=1)
    assert third < 0


def test_a_token_from_the_future_is_worth_nothing_after_a_restart(served: Served) -> None:
    """It was made while the clock was wrong, and would last for ever; two servers' clocks may differ a little."""
    hands = Hands()

    async def left(ahead: float) -> float:
        before = Sessions(served.floor, cost=CHEAP, time_source=TimeSource(lambda: hands.wall + ahead, lambda: 0.0))
        token, _ = await before.open_session(served.person(Post.DEALER))
        return Sessions(served.floor, cost=CHEAP, time_source=hands.source()).seconds_left(token)

    assert served.run(left(86_400.0 * 365)) == 0
    assert served.run(left(3600.0)) == 0
    assert served.run(left(30.0)) == pytest.approx(86_430, abs=1)


# ---------------------------------------------------------------- idle lock


@pytest.fixture
def watchful(tmp_path: Path) -> Iterator[Served]:
    """A house that locks sessions after a second and a half."""
    settings = Settings(security=Security(idle_minutes=0.025))
    with Served(tmp_path, settings=settings) as served:
        served.enrol("eve", Post.DEALER, PASSWORD)
        served.enrol("paula", Post.PLAYER, PASSWORD)
        served.enrol("sue", Post.SURVEILLANCE, PASSWORD)
        yield served
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}")
    assert audit(store).differences == ()
    store.close()


def until_locked(served: Served, token: str) -> None:
    end = time.monotonic() + PATIENCE
    while not served.floor.house.shown_people.sessions[token_hash(token)].locked:
        assert time.monotonic() < end, "the session is locked"
        time.sleep(0.05)


def test_an_unused_session_asks_for_the_password_again_and_goes_on(watchful: Served) -> None:
    """Its live connection is closed, every door but its own way out is shut, and the same token opens them again."""
    token = log_in(watchful).json()["token"]
    headers = {"authorization": f"Bearer {token}"}
    with Live(watchful.address, {"Authorization": f"Bearer {token}"}) as live:
        with pytest.raises(ConnectionClosed) as closed:
            live.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == HELD_BACK
    until_locked(watchful, token)
    with watchful.client(headers) as eve:
        me = eve.get("/api/me").json()
        assert (me["name"], me["held"]) == ("eve", "session_locked")
        assert code_of(eve.get("/api/tables")) == (423, "session_locked")
        assert code_of(eve.post("/api/sessions/use")) == (423, "session_locked")
        assert code_of(eve.post("/api/password", json={"old": PASSWORD, "new": OTHER})) == (423, "session_locked")
        assert code_of(eve.post("/api/unlock", json={"password": "no"})) == (403, "wrong_password")
        assert eve.post("/api/unlock", json={"password": PASSWORD}).status_code == 200
        assert eve.get("/api/tables").status_code == 200
        assert eve.get("/api/me").json()["held"] is None


def test_a_locked_wall_still_shows_where_a_person_is_needed(watchful: Served) -> None:
    """To those who may follow the floor, and only tables, phases and counts: not who plays, nor for how much."""
    with watchful.http(Post.DEALER) as dealer:
        assert dealer.post("/api/tables/T1/call").status_code == 200
    tokens = {name: log_in(watchful, name).json()["token"] for name in ("eve", "sue")}
    for token in tokens.values():
        until_locked(watchful, token)
    with watchful.client({"authorization": f"Bearer {tokens['sue']}"}) as sue:
        shown = sue.get("/api/lock-screen")
        assert shown.status_code == 200
        assert shown.json().keys() == {"tables", "calls", "proposals", "alarms", "voided"}
        for table in shown.json()["tables"]:
            assert table.keys() == {"table", "game", "lamp", "stage", "seconds", "boxes", "taken"}
        assert {name for name in watchful.floor.house.shown_people.persons if f'"{name}"' in shown.text} == set()
        assert code_of(sue.get("/api/figures")) == (423, "session_locked")
        sue.get("/api/lock-screen")
        assert sue.get("/api/me").json()["held"] == "session_locked", "looking does not unlock it"
    with watchful.client({"authorization": f"Bearer {tokens['eve']}"}) as eve:
        assert eve.get("/api/lock-screen").status_code == 403


def test_a_page_that_asks_for_news_by_itself_does_not_keep_a_session_open(watchful: Served) -> None:
    """Only what a person does counts: a page says so with `POST /api/sessions/use`, and every command does."""
    with watchful.http() as client:
        told = client.post("/api/login", json={"name": "eve", "password": PASSWORD}).json()
        csrf = {CSRF_HEADER: told["csrf"]}
        for _ in range(6):
            assert client.post("/api/sessions/use", headers=csrf).status_code == 200
            time.sleep(0.4)
        end = time.monotonic() + PATIENCE
        while (answer := client.get("/api/tables")).status_code == 200:
            assert time.monotonic() < end, "asking for news does not keep it open"
            time.sleep(0.2)
        assert code_of(answer) == (423, "session_locked")
        assert client.cookies.get(COOKIE) == told["token"]
        assert client.post("/api/logout", headers=csrf).status_code == 200


def test_players_and_displays_are_not_locked(watchful: Served) -> None:
    """By default: a player decides at a table, and a display has nobody before it."""
    paula = log_in(watchful, "paula").json()["token"]
    eve = log_in(watchful).json()["token"]
    until_locked(watchful, eve)
    sessions = watchful.floor.house.shown_people.sessions
    assert not sessions[token_hash(paula)].locked
    assert not sessions[token_hash(watchful.tokens[Post.DISPLAY])].locked


def test_use_on_another_server_counts(served: Served) -> None:
    """A server that has not seen the session for a while hears of its use from the record."""
    hands = Hands()

    async def unused() -> list[float]:
        here = Sessions(served.floor, cost=CHEAP, time_source=hands.source())
        token, _ = await here.open_session(served.person(Post.DEALER))
        key = token_hash(token)
        found: list[float] = []
        for use in (False, True):
            if use:
                there = Sessions(served.floor, cost=CHEAP, time_source=hands.source())
                there.idle.use(key, *_of(there, token))
                hands.elapsed += 301
                there.idle.use(key, *_of(there, token))
                await asyncio.gather(*there.idle._noting)
            found.append(here.idle.unused_seconds(key, _of(here, token)[1]))
            hands.elapsed += 400
        return found

    assert served.run(unused()) == [0, 0]


def _of(doors: Sessions, token: str) -> tuple[Person, Session]:
    found = doors.session_of(token)
    assert found is not None
    return found


# ---------------------------------------------------------------- second factor


def set_up(eve: httpx.Client) -> tuple[pyotp.TOTP, list[str]]:
    told = eve.post("/api/second-factor", json={"password": PASSWORD}).json()
    assert told["qr"].startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    totp = pyotp.parse_uri(told["address"])
    assert isinstance(totp, pyotp.TOTP)
    assert (totp.secret, totp.issuer, totp.name) == (told["secret"], "Croupier", "eve")
    answer = eve.post("/api/second-factor/confirm", json={"code": totp.now()})
    assert answer.status_code == 200, answer.text
    return totp, answer.json()["recovery"]


def next_code(totp: pyotp.TOTP, after: int = 1) -> str:
    """A code of a step that was not used yet, within what a device's clock may be off."""
    return totp.generate_otp(int(time.time()) // PERIOD + after)


def test_a_second_factor_is_asked_for_at_the_door(served: Served) -> None:
    """A code opens once, within its window; a used, a wrong and an old one do not."""
    with client_of(served, log_in(served)) as eve:
        assert code_of(eve.post("/api/second-factor/confirm", json={"code": "123456"})) == (409, "no_factor")
        assert code_of(eve.post("/api/second-factor", json={"password": OTHER})) == (403, "wrong_password")
        told = eve.post("/api/second-factor", json={"password": PASSWORD}).json()
        assert code_of(eve.post("/api/second-factor/confirm", json={"code": "12"})) == (400, "wrong_code")
        assert log_in(served).status_code == 200, "a factor that was not confirmed is not asked for"
        totp, _ = set_up(eve)
        assert totp.secret != told["secret"]
        assert eve.get("/api/me").json()["second_factor"] is True
        assert code_of(eve.post("/api/second-factor", json={"password": PASSWORD})) == (409, "factor_exists")
    assert code_of(log_in(served)) == (401, "code_needed")
    assert code_of(log_in(served, code=next_code(totp, -40))) == (401, "wrong_code")
    good = next_code(totp)
    assert log_in(served, code=f" {good[:3]} {good[3:]}").status_code == 200
    assert code_of(log_in(served, code=good)) == (401, "code_used")


def test_two_log_ins_with_one_code_at_the_same_moment(served: Served) -> None:
    """Both are checked before either is recorded; the house itself lets one in."""
    with client_of(served, log_in(served)) as eve:
        totp, _ = set_up(eve)
    code = next_code(totp)

    async def both() -> list[object]:
        doors = Sessions(served.floor, cost=CHEAP, keys=KEYS)
        return await asyncio.gather(
            *(doors.log_in("eve", PASSWORD, f"from {n}", code=code) for n in range(2)), return_exceptions=True
        )

    results = served.run(both())
    refused = [result for result in results if isinstance(result, ApiError)]
    assert len(refused) == 1
    assert refused[0].code == "code_used"


def test_codes_are_guessed_as_seldom_as_passwords(served: Served) -> None:
    """Whichever address the guesses come from: the password alone is no licence to try them all."""
    with client_of(served, log_in(served)) as eve:
        totp, recovery = set_up(eve)

    async def guess(n: int, code: str) -> str:
        doors = served_doors[0]
        try:
            await doors.log_in("eve", PASSWORD, f"from {n}", code=code)
        except ApiError as refused:
            return refused.code
        return ""

    async def make() -> Sessions:
        return Sessions(served.floor, cost=CHEAP, keys=KEYS)

    served_doors = [served.run(make())]
    assert [served.run(guess(n, "000000")) for n in range(TRIES)] == ["wrong_code"] * TRIES
    assert served.run(guess(90, next_code(totp))) == "locked_out"
    assert served.run(guess(91, recovery[0])) == "locked_out"


def test_a_recovery_code_opens_once(served: Served) -> None:
    """For a lost device; however it is typed."""
    with client_of(served, log_in(served)) as eve:
        _, recovery = set_up(eve)
    assert len(set(recovery)) == 10
    assert log_in(served, code=recovery[3].upper().replace("-", " ")).status_code == 200
    assert code_of(log_in(served, code=recovery[3])) == (401, "wrong_code")
    assert log_in(served, code=recovery[4]).status_code == 200


def test_a_reader_of_the_journal_does_not_get_the_secret(served: Served) -> None:
    """It is sealed with a key that is not in the database; recovery codes are kept as hashes."""
    with client_of(served, log_in(served)) as eve:
        totp, recovery = set_up(eve)
    kept = b"".join(record.data for record in served.records("people"))
    assert totp.secret.encode() not in kept
    assert all(code.encode() not in kept and code.replace("-", "").encode() not in kept for code in recovery)
    sealed = served.floor.house.people.persons["eve"].factor
    assert opened_factor(KEYS, "eve", sealed) == totp.secret
    with pytest.raises(ValueError, match="which this server does not have"):
        opened_factor(keys_of(bytes(32)), "eve", sealed)


def test_a_second_factor_is_removed_with_a_code_or_by_an_administrator(served: Served) -> None:
    """A lost device: the administrator takes it away, and it is on record by whom."""
    with client_of(served, log_in(served)) as eve:
        totp, recovery = set_up(eve)
        wrong = {"password": PASSWORD, "code": "000000"}
        assert code_of(eve.post("/api/second-factor/remove", json=wrong)) == (401, "wrong_code")
        right = {"password": PASSWORD, "code": next_code(totp)}
        assert eve.post("/api/second-factor/remove", json=right).status_code == 200
        assert code_of(eve.post("/api/second-factor/remove", json=right)) == (409, "no_factor")
        set_up(eve)
    with served.http(Post.ADMINISTRATOR) as office:
        assert office.post("/api/people/eve/second-factor/remove").status_code == 200
        assert code_of(office.post("/api/people/eve/second-factor/remove")) == (409, "no_factor")
        assert code_of(office.post("/api/people/administrator/second-factor/remove")) == (409, "not_oneself")
    assert log_in(served).status_code == 200
    removed = [msgspec.json.decode(r.data)["by"] for r in served.records("people") if r.type == "FactorRemoved"]
    assert removed == ["eve", "administrator"]
    assert recovery


def test_a_post_that_needs_a_second_factor_sets_it_up_first(tmp_path: Path) -> None:
    """By setting; until then the session opens nothing else, and a break-glass account is exempt."""
    settings = Settings(security=Security(second_factor=(Post.DEALER,)))
    with Served(tmp_path, settings=settings) as served:
        for name in ("eve", "axe"):
            served.enrol(name, Post.DEALER, PASSWORD)
        served.ask(MarkBreakGlass(name="axe", marked=True, by="test"))
        with client_of(served, log_in(served)) as eve:
            assert eve.get("/api/me").json()["held"] == "second_factor_first"
            assert code_of(eve.get("/api/tables")) == (403, "second_factor_first")
            set_up(eve)
            assert eve.get("/api/tables").status_code == 200
        with client_of(served, log_in(served, "axe")) as axe:
            assert axe.get("/api/tables").status_code == 200
        with served.http(Post.PLAYER) as player:
            assert player.get("/api/tables").status_code == 200


def test_codes_are_those_of_rfc_6238() -> None:
    """Its test vectors (SHA-1, the last six figures), and the steps beside them."""
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    for moment, code in ((59, "287082"), (1111111109, "081804"), (1234567890, "005924"), (2000000000, "279037")):
        for off in (-30, 0, 30):
            assert step_of(secret, code, moment + off) == moment // PERIOD
        assert step_of(secret, code, moment + 60) is None
    assert step_of(secret, "", 59) is None
    assert step_of(secret, "２８７０８２", 59) is None
    assert len(set(new_recovery_codes())) == 10


# ---------------------------------------------------------------- break-glass


def test_a_break_glass_account_raises_an_alarm_and_its_password_works_once(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    """In the pit, on the record, in the log and in the figures, until it has another password."""
    served.enrol("axe", Post.SHIFT_MANAGER, PASSWORD)
    assert served.ask(MarkBreakGlass(name="axe", marked=True, by="test")).accepted
    assert served.ask(MarkBreakGlass(name="axe", marked=True, by="test")).code == "break_glass"
    with served.http(Post.SURVEILLANCE) as watching, caplog.at_level(logging.WARNING, "croupier.server"):
        assert watching.get("/api/alarms").json() == []
        answer = log_in(served, "axe")
        assert answer.status_code == 200
        (alarm,) = watching.get("/api/alarms").json()
        assert (alarm["kind"], alarm["name"], alarm["post"]) == ("break_glass", "axe", "shift_manager")
        assert (alarm["address"], alarm["logged_in"]) == ("127.0.0.1", True)
        assert "croupier_break_glass_log_ins_total 1" in watching.get("/metrics").text
    assert [(record.message, vars(record)["account"]) for record in caplog.records] == [
        ("a break-glass account was used", "axe")
    ]
    opened = [msgspec.json.decode(r.data) for r in served.records("people") if r.type == "SessionOpened"]
    assert [fact["person"] for fact in opened if fact.get("break_glass")] == ["axe"]
    assert code_of(log_in(served, "axe")) == (401, "wrong_password")
    with client_of(served, answer) as axe:
        assert axe.get("/api/tables").status_code == 200
    with served.http(Post.ADMINISTRATOR) as office, served.http(Post.AUDITOR) as auditor:
        password = office.post("/api/people/axe/reset").json()["password"]
        assert auditor.get("/api/alarms").json() == []
    with client_of(served, log_in(served, "axe", password)) as axe:
        assert axe.get("/api/tables").status_code == 200, "in an emergency nobody has to choose a password first"


def test_two_log_ins_with_a_break_glass_password_at_the_same_moment(served: Served) -> None:
    """The house itself lets one in."""
    served.enrol("axe", Post.SHIFT_MANAGER, PASSWORD)
    served.ask(MarkBreakGlass(name="axe", marked=True, by="test"))

    async def both() -> list[object]:
        doors = Sessions(served.floor, cost=CHEAP)
        return await asyncio.gather(
            *(doors.log_in("axe", PASSWORD, f"from {n}") for n in range(2)), return_exceptions=True
        )

    refused = [result for result in served.run(both()) if isinstance(result, ApiError)]
    assert [one.code for one in refused] == ["password_used"]
