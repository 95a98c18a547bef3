"""Separation of duties: the cage and the player's word, two people, assignments, and names that hold money."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from croupier.floor.audit.audit import audit
from croupier.floor.duties.bounds import HOUR, STANDARD, Consent, Duties
from croupier.floor.duties.permissions import Post
from croupier.floor.house.house import House
from croupier.floor.live.floor import Floor
from croupier.floor.people.assignments import is_assigned, where
from croupier.floor.people.people import Person
from croupier.floor.records.commands import (
    AskConsent,
    AssignPerson,
    BuyIn,
    CashOut,
    ChangeSecret,
    ChangeTerms,
    EnrolPerson,
    HouseCommand,
    OpenLink,
    OpenTable,
    RemovePerson,
    Request,
    SetDuties,
    SettleConsent,
    TableConfig,
)
from croupier.floor.records.facts import BoughtIn
from croupier.floor.records.people_facts import ConsentAsked, PersonEnrolled
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.process.serve import open_house
from croupier.floor.server.settings import BadSettings, Settings, read_settings
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.store_address import open_store
from croupier.money import money, show
from croupier.rounds.commands import OpenRound, PlaceBet
from tests.calling import Call
from tests.floor.house_builder import HOLDEM, at, house
from tests.floor.serving import Served, quiet

PASSWORD = "a long password"
NOW = 1_700_000_000_000_000
TERMS = {"id": "t", "limits": {"ante": ["10.00", "6000.00"]}}


def judge_nobody(patched: pytest.MonkeyPatch) -> None:
    """Let one person do what takes two."""
    patched.setattr("croupier.floor.people.second_signature.why_two", lambda *_: "")
    patched.setattr("croupier.floor.people.second_signature.check_two_people", lambda *_: None)


def facts(served: Served, stream: str, kind: str) -> list[dict[str, object]]:
    return [msgspec.json.decode(record.data) for record in served.records(stream) if record.type == kind]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """Two tables in two pits; what was done there is audited."""
    tables = {"T1": quiet(), "H1": replace(quiet(), pit="high")}
    with Served(tmp_path, tables) as served:
        yield served
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}", read_only=True)
    audited = audit(store)
    store.close()
    assert audited.differences == ()


def balance(served: Served, player: str = "player") -> int:
    return served.floor.house.shown_balances.get(f"player/{player}", 0)


def signs(served: Served, post: Post, key: str) -> tuple[int, str]:
    with served.http(post) as client:
        answer = client.post(f"/api/proposals/{key}/sign")
    return answer.status_code, answer.json().get("code", "")


# ---------------------------------------------------------------- the cage


@pytest.mark.parametrize("post", sorted(set(Post) - {Post.CAGE}))
def test_nobody_but_the_cage_buys_in_or_cashes_out(served: Served, post: Post) -> None:
    """Nor does anybody else see what players hold."""
    held = balance(served)
    with served.http(post) as client:
        for kind in ("buy-in", "cash-out"):
            sent = {"player": "player", "amount": "1.00", "id": kind}
            assert client.post(f"/api/cashier/{kind}", json=sent).json()["code"] == "not_allowed"
        assert client.get("/api/cashier").json()["code"] == "not_allowed"
    assert balance(served) == held


def test_a_player_who_is_logged_in_confirms_a_payment(served: Served) -> None:
    """Nothing moves before; the record has the cage's name and the player's consent."""
    held = balance(served)
    paid = served.pay("buy-in", "player", "25.00")
    assert (paid.status_code, balance(served)) == (202, held)
    assert paid.json()["words"] == "player is asked to confirm 25.00."
    with served.http(Post.CAGE) as client:
        (waits,) = client.get("/api/cashier").json()["payments"]
    assert (waits["player"], waits["amount"], waits["state"]) == ("player", "25.00", "waiting")
    assert served.confirm(paid).json()["accepted"]
    assert balance(served) == held + 2500
    booked = facts(served, "cashier", "BoughtIn")[-1]
    assert (booked["by"], booked["consent"], booked["asked"]) == ("cage", "given", paid.json()["consent"])
    assert served.confirm(paid).json()["accepted"], "the same answer again"
    assert balance(served) == held + 2500
    with served.http(Post.CAGE) as client:
        assert client.get("/api/cashier").json()["payments"][0]["state"] == "confirmed"


def test_a_player_declines_a_payment(served: Served) -> None:
    """Nothing of it is done, then or later, and the cage sees it."""
    held = balance(served)
    paid = served.pay("cash-out", "player", "25.00")
    with served.http(Post.PLAYER) as client:
        key = paid.json()["consent"]
        assert client.post(f"/api/consents/{key}/decline").json()["accepted"]
        assert client.post(f"/api/consents/{key}/confirm").json()["code"] == "unknown_consent"
        assert client.post(f"/api/consents/{key}/decline").json()["code"] == "unknown_consent"
    assert balance(served) == held
    with served.http(Post.CAGE) as client:
        assert client.get("/api/cashier").json()["payments"][0]["state"] == "declined"
    told = facts(served, "people", "ConsentSettled")[-1]
    assert (told["by"], told["given"]) == ("player", False)


def test_another_player_does_not_see_or_confirm_it(served: Served) -> None:
    """A foreign number is not there for them."""
    served.run(Sessions(served.floor).enrol("eve", Post.PLAYER, PASSWORD))
    held = balance(served)
    paid = served.pay("cash-out", "player", "25.00")
    with served.http() as client:
        client.headers["authorization"] = (
            f"Bearer {client.post('/api/login', json={'name': 'eve', 'password': PASSWORD}).json()['token']}"
        )
        assert client.get("/api/me").json()["account"]["consents"] == []
        for word in ("confirm", "decline"):
            answer = client.post(f"/api/consents/{paid.json()['consent']}/{word}")
            assert (answer.status_code, answer.json()["code"]) == (404, "unknown_consent")
    assert balance(served) == held
    assert served.confirm(paid).json()["accepted"]


def test_where_the_player_has_no_session_the_cage_acts_alone_and_the_record_says_so(served: Served) -> None:
    served.run(Sessions(served.floor).enrol("mia", Post.PLAYER, PASSWORD))
    paid = served.pay("buy-in", "mia", "40.00", id="once")
    assert (paid.status_code, paid.json()["accepted"]) == (200, True)
    assert served.pay("buy-in", "mia", "40.00", id="once").json()["accepted"]
    assert balance(served, "mia") == 4000, "an id acts once"
    booked = facts(served, "cashier", "BoughtIn")[-1]
    assert (booked["by"], booked["consent"]) == ("cage", "absent")
    assert served.pay("cash-out", "mia", "40.01").json()["code"] == "insufficient_funds"
    with served.http(Post.CAGE) as client:
        listed = client.get("/api/cashier", params={"name": "MI"}).json()["players"]
    assert listed == [{"player": "mia", "balance": "40.00", "logged_in": False, "enrolled": True}]


def test_a_session_that_has_ended_by_itself_is_not_open(tmp_path: Path) -> None:
    """The cage does not wait for a browser of yesterday."""
    with Served(tmp_path, settings=Settings(session_hours=5 / 3600)) as served:
        doors = Sessions(served.floor, Settings(session_hours=5 / 3600))
        assert doors.has_open_session("player")
        assert not Sessions(served.floor, Settings(session_hours=1e-9)).has_open_session("player")


def test_a_payment_waits_for_so_long_and_no_longer(tmp_path: Path) -> None:
    """Then it is over, and the cage may ask again."""
    with Served(tmp_path, settings=Settings(duties=Duties(consent_seconds=1))) as served:
        held = balance(served)
        paid = served.pay("cash-out", "player", "25.00")
        served.run(asyncio.sleep(1.2))
        answer = served.confirm(paid)
        assert (answer.status_code, answer.json()["code"]) == (409, "too_late")
        assert balance(served) == held
        with served.http(Post.CAGE) as client:
            assert client.get("/api/cashier").json()["payments"][0]["state"] == "unanswered"


def test_a_large_payment_takes_two_people_and_the_player(served: Served) -> None:
    """The cage proposes, the shift manager signs, the player confirms; all three are on record."""
    held = balance(served)
    paid = served.pay("cash-out", "player", "10000.01", id="large")
    assert (paid.status_code, paid.json()["second"]) == (202, "sign_payments")
    key = paid.json()["id"]
    assert signs(served, Post.CAGE, key) == (409, "two_people")
    assert signs(served, Post.PIT_MANAGER, key) == (403, "not_allowed")
    with served.http(Post.PIT_MANAGER) as client:
        assert client.get("/api/proposals").json() == [], "what one may not sign, one is not shown"
    with served.http(Post.SHIFT_MANAGER) as client:
        (waits,) = client.get("/api/proposals").json()
        assert waits["words"] == "Cash out 10000.01 for player"
        signed = client.post(f"/api/proposals/{key}/sign")
    assert (signed.status_code, balance(served)) == (202, held)
    assert served.confirm(signed).json()["accepted"]
    assert balance(served) == held - money("10000.01")
    booked = facts(served, "cashier", "CashedOut")[-1]
    assert (booked["by"], booked["second"], booked["consent"]) == ("cage", "shift_manager", "given")
    assert served.pay("cash-out", "player", "10000.00").json()["words"] == "player is asked to confirm 10000.00."


def test_a_cash_out_of_more_than_the_player_holds_is_neither_proposed_nor_asked(served: Served) -> None:
    """Refused at once with what is missing, whether it takes one person or two; a proposal may become impossible."""
    held = balance(served)
    far = served.pay("cash-out", "player", "99999999.00")
    missing = money("99999999.00") - held
    says = f"player holds {show(held)} and would be short by {show(missing)}."
    assert (far.status_code, far.json()["code"], far.json()["message"]) == (409, "insufficient_funds", says)
    with served.http(Post.SHIFT_MANAGER) as client:
        assert client.get("/api/proposals").json() == []
    proposed = served.pay("cash-out", "player", show(held)).json()["id"]
    assert served.confirm(served.pay("cash-out", "player", "10000.00")).json()["accepted"]
    assert signs(served, Post.SHIFT_MANAGER, proposed) == (409, "insufficient_funds")
    with served.http(Post.CAGE) as client:
        assert {asked["state"] for asked in client.get("/api/cashier").json()["payments"]} == {"confirmed"}


# ---------------------------------------------------------------- the house itself


def founded(folder: Path, *people: EnrolPerson) -> House:
    """A house with duties in force and these people."""
    running = house(open_store(f"sqlite:///{folder / 'house.db'}"))
    commands: list[HouseCommand] = [SetDuties(duties=Duties(), by="server test"), *people]
    assert [ask(running, command) for command in commands] == [""] * len(commands)
    return running


def ask(running: House, command: HouseCommand, when: int = NOW) -> str:
    """The code of the answer; empty where it was accepted."""
    answer = running.process([Request(f"c{len(running.heads)}-{running.chance.token(6).hex()}", command, when)])[0]
    return answer.code


CAGE = EnrolPerson(name="cage", post=Post.CAGE, secret="")
OTHER = EnrolPerson(name="other", post=Post.CAGE, secret="")
ADMIN = EnrolPerson(name="admin", post=Post.ADMINISTRATOR, secret="")
SHIFT = EnrolPerson(name="shift", post=Post.SHIFT_MANAGER, secret="")
MANAGER = EnrolPerson(name="manager", post=Post.PIT_MANAGER, secret="")


def test_the_house_takes_no_payment_of_anybody_but_the_cage(tmp_path: Path) -> None:
    """Whatever a door lets through: the post, two people, and the player's word are judged here too."""
    running = founded(tmp_path, CAGE, OTHER, SHIFT)
    small = BuyIn(player="ana", amount=100, by="cage")
    large = replace(small, amount=money("10000.01"), consent=Consent.ABSENT)
    given = replace(small, consent=Consent.GIVEN, asked="k")
    asked: list[tuple[HouseCommand, str]] = [
        (replace(small, by="shift", consent=Consent.ABSENT), "not_the_cage"),
        (replace(small, by="nobody", consent=Consent.ABSENT), "not_the_cage"),
        (small, "no_consent"),
        (given, "unknown_consent"),
        (AskConsent(consent="k", payment=small), ""),
        (AskConsent(consent="k", payment=small), "bad_consent"),
        (AskConsent(consent="l", payment=replace(small, by="")), "bad_consent"),
        (replace(given, amount=101), "unknown_consent"),
        (replace(given, player="ben"), "unknown_consent"),
        (SettleConsent(consent="k", by="ben", given=True), "not_yours"),
        (given, ""),
        (SettleConsent(consent="k", by="ana", given=True), ""),
        (given, "unknown_consent"),
        (large, "two_people"),
        (replace(large, second="cage"), "two_people"),
        (replace(large, second="other"), ""),
        (CashOut(player="ana", amount=100, by="cage", consent=Consent.ABSENT), ""),
        (BuyIn(player="bot", amount=money("100000.00")), ""),
    ]
    assert [ask(running, command) for command, _ in asked] == [code for _, code in asked]
    assert audit(running.store).differences == ()
    running.store.close()


def test_the_house_takes_no_link_limit_or_staff_of_one_person(tmp_path: Path) -> None:
    """The operator's own settings name nobody, and are one act."""
    running = founded(tmp_path, ADMIN, SHIFT, MANAGER)
    link = OpenLink(link="main", meter=100, parameters=Parameters(reset=0, contribution=Rate(0)))
    high = {"ante": (1000, money("5000.01"))}
    table = OpenTable(table="T1", config=TableConfig(game=HOLDEM, link="main"))
    terms = ChangeTerms(table="T1", by="manager", limits=high)
    dealer = EnrolPerson(name="dora", post=Post.DEALER, secret="", by="admin")
    asked: list[tuple[HouseCommand, str]] = [
        (replace(link, by="manager"), "two_people"),
        (replace(link, by="manager", second="manager"), "two_people"),
        (link, ""),
        (replace(link, link="more", by="manager", second="shift"), ""),
        (replace(table, by="manager"), ""),
        (replace(table, table="T2", config=replace(table.config, limits=high), by="manager"), "two_people"),
        (replace(table, table="T2", config=replace(table.config, limits=high), by="manager", second="shift"), ""),
        (replace(table, table="T3", config=replace(table.config, limits=high)), ""),
        (terms, "two_people"),
        (replace(terms, limits={"ante": (1000, money("5000.00"))}), ""),
        (replace(terms, limits={}, jackpot_bet=money("5000.01")), "two_people"),
        (replace(terms, second="shift"), ""),
        # A house of an earlier release does not ask two people for a stakeboard.
        (replace(terms, limits={}, pay_tables={"bonus": {"aces": "31 to 1"}}), ""),
        (SetDuties(duties=STANDARD, by="server test"), ""),
        (replace(terms, limits={}, pay_tables={"bonus": {"aces": "32 to 1"}}), "two_people"),
        (replace(terms, limits={}, pay_tables={"bonus": {"aces": "32 to 1"}}, second="shift"), ""),
        (replace(terms, limits={}, jackpot_bet=money("10.00")), "two_people"),
        (
            replace(
                table,
                table="T4",
                config=TableConfig(game=HOLDEM, pay_tables={"bonus": {"aces": "1 to 1"}}),
                by="manager",
            ),
            "two_people",
        ),
        (dealer, "two_people"),
        (replace(dealer, second="admin"), "two_people"),
        (replace(dealer, name="pat", post=Post.PLAYER), ""),
        (replace(dealer, second="shift"), ""),
        (replace(dealer, name="omar", by="operator root"), ""),
        (replace(dealer, name="operator root", second="shift"), "bad_name"),
    ]
    got = [ask(running, command, NOW + number) for number, (command, _) in enumerate(asked)]
    assert got == [code for _, code in asked]
    assert audit(running.store).differences == ()
    running.store.close()


@pytest.mark.parametrize(
    ("second", "says"),
    [
        ("", "one person enrolled dora. A new person of the staff takes two people"),
        ("ben", "admin enrolled ben less than 24 hours ago"),
    ],
)
def test_the_audit_finds_staff_enrolled_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, second: str, says: str
) -> None:
    """Judged again: a house that let one person enrol a dealer, alone or with an account of their own making."""
    running = founded(tmp_path, ADMIN, SHIFT)
    ben = EnrolPerson(name="ben", post=Post.SHIFT_MANAGER, secret="", by="admin", second="shift")
    assert ask(running, ben) == ""
    with monkeypatch.context() as patched:
        judge_nobody(patched)
        assert ask(running, EnrolPerson(name="dora", post=Post.DEALER, secret="", by="admin", second=second)) == ""
    (found,) = audit(running.store).differences
    assert found.what.startswith(says)
    running.store.close()


LINK = OpenLink(link="main", meter=100, parameters=Parameters(reset=0, contribution=Rate(0)))
PAID = BuyIn(player="ana", amount=100, by="cage", consent=Consent.ABSENT)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (replace(PAID, amount=money("10000.01")), "cage was alone with a payment that takes two people."),
        (
            replace(PAID, amount=money("10000.01"), second="cage"),
            "cage was alone with a payment that takes two people.",
        ),
        (replace(PAID, consent=None), "it does not say whether the player consented."),
        (replace(PAID, consent=Consent.GIVEN, asked="k", amount=101), "its player was not asked about it."),
        (replace(PAID, consent=Consent.GIVEN, asked="z"), "its player was not asked about it."),
        (
            CashOut(player="ana", amount=100, by="cage", consent=Consent.GIVEN, asked="k"),
            "its player was not asked about",
        ),
        (replace(LINK, link="more", by="manager"), "one person opened the link."),
        (
            ChangeTerms(table="T1", by="manager", limits={"ante": (1, 600_000)}),
            "manager was alone. A limit above 5000.00",
        ),
        (
            ChangeTerms(table="T1", by="manager", pay_tables={"bonus": {"aces": "31 to 1"}}),
            "manager was alone. What bets pay, and the jackpot bet, take two people",
        ),
    ],
)
def test_the_audit_finds_what_one_person_did_that_takes_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: HouseCommand, says: str
) -> None:
    """A house that did not judge is found out by the record: names, bounds in force, what the player was asked."""
    running = founded(tmp_path, CAGE, MANAGER)
    assert ask(running, SetDuties(duties=STANDARD, by="server test")) == ""
    asked = AskConsent(consent="k", payment=replace(PAID, consent=None))
    table = OpenTable(table="T1", config=TableConfig(game=HOLDEM, link="main"))
    given = replace(PAID, consent=Consent.GIVEN, asked="k")
    for fair in (LINK, table, BuyIn(player="ana", amount=1000), asked, given):
        assert ask(running, fair) == ""
    assert audit(running.store).differences == ()
    with monkeypatch.context() as patched:
        judge_nobody(patched)
        patched.setattr("croupier.floor.house.handlers.cashier._check_payment", lambda *_: None)
        assert ask(running, command) == ""
    found = [difference.what for difference in audit(running.store).differences]
    assert any(what.startswith(says) for what in found), found
    running.store.close()


# ---------------------------------------------------------------- an account of one's own making


def test_nobody_signs_with_an_account_of_their_own_making(tmp_path: Path) -> None:
    """Neither way round, for 24 hours; and a password that was given anew counts as one that was enrolled."""
    running = founded(tmp_path, ADMIN, SHIFT)
    second = EnrolPerson(name="ben", post=Post.SHIFT_MANAGER, secret="", by="admin", second="shift")
    assert ask(running, second) == ""
    dealer = EnrolPerson(name="dora", post=Post.DEALER, secret="", by="admin", second="ben")
    assert ask(running, dealer, NOW + 24 * HOUR - 1) == "own_account"
    assert ask(running, replace(dealer, by="ben", second="admin"), NOW + 24 * HOUR - 1) == "own_account"
    assert ask(running, dealer, NOW + 24 * HOUR) == ""
    later = NOW + 100 * HOUR
    assert ask(running, ChangeSecret(name="ben", secret="aa:bb", by="admin"), later) == ""
    assert ask(running, replace(dealer, name="dave"), later + 1) == "own_account"
    assert ask(running, replace(dealer, name="dave", second="shift"), later + 1) == ""
    assert audit(running.store).differences == ()
    running.store.close()


def test_an_administrator_does_not_make_a_second_pair_of_eyes(served: Served) -> None:
    """By the front door: a second administrator signs for nothing that the first proposes, and that is on record."""
    with served.http(Post.ADMINISTRATOR) as office:
        new = {"name": "boss", "post": "administrator", "password": PASSWORD}
        proposed = office.post("/api/people", json=new)
        assert (proposed.status_code, proposed.json()["second"]) == (202, "sign_enrolments")
        assert "boss" not in served.floor.house.people.persons
        assert signs(served, Post.ADMINISTRATOR, proposed.json()["id"]) == (409, "two_people")
        assert signs(served, Post.SHIFT_MANAGER, proposed.json()["id"]) == (200, "")
        enrolled = facts(served, "people", "PersonEnrolled")[-1]
        boss = served.floor.house.directory.id_of("boss")
        assert (enrolled["name"], enrolled["by"], enrolled["second"]) == (boss, "administrator", "shift_manager")
        mine = office.post("/api/people", json={"name": "dora", "post": "dealer", "password": PASSWORD}).json()["id"]
        with served.http() as client:
            token = client.post("/api/login", json={"name": "boss", "password": PASSWORD}).json()["token"]
            client.headers["authorization"] = f"Bearer {token}"
            answer = client.post(f"/api/proposals/{mine}/sign")
            assert (answer.status_code, answer.json()["code"]) == (409, "own_account")
            assert answer.json()["message"].startswith("administrator enrolled boss less than 24 hours ago")
            theirs = client.post("/api/people", json={"name": "dave", "post": "dealer", "password": PASSWORD}).json()
        assert signs(served, Post.ADMINISTRATOR, theirs["id"]) == (409, "own_account")
        assert {told["action"] for told in facts(served, "people", "AccessRefused")} == {"two_people", "own_account"}
        assert signs(served, Post.SHIFT_MANAGER, theirs["id"]) == (200, "")
        assert "dora" not in served.floor.house.people.persons


def test_the_first_administrator_enrols_alone_until_a_second_person_could_sign(tmp_path: Path) -> None:
    """A house begins with one person; from the moment that another could sign, it takes two, for good."""
    running = founded(tmp_path, ADMIN)
    shift = replace(SHIFT, by="admin")
    dealer = EnrolPerson(name="d1", post=Post.DEALER, secret="", by="admin")
    assert ask(running, shift) == ""
    assert ask(running, dealer) == "", "the account of their own making could not sign"
    day = NOW + 25 * HOUR
    assert ask(running, replace(dealer, name="d2"), day) == "two_people"
    assert ask(running, replace(dealer, name="d2", second="shift"), day) == ""
    assert ask(running, RemovePerson(name="shift", by="admin"), day) == ""
    assert ask(running, replace(dealer, name="d3"), day) == "two_people", "removing the others does not help"
    assert ask(running, replace(dealer, name="d3", by="operator root"), day) == ""
    assert audit(running.store).differences == ()
    running.store.close()


# ---------------------------------------------------------------- limits by the front door


def test_limits_above_the_bound_are_proposed_and_signed(served: Served) -> None:
    with served.http(Post.PIT_MANAGER) as client:
        proposed = client.post("/api/tables/T1/terms", json=TERMS)
        assert (proposed.status_code, proposed.json()["second"]) == (202, "open_tables")
        assert proposed.json()["words"] == "Table T1 plays with ante 10.00 to 6000.00 from its next round on"
        low = {"id": "u", "limits": {"ante": ["10.00", "90.00"]}}
        assert client.post("/api/tables/T1/terms", json=low).json()["accepted"]
    told = served.step(Post.PIT_MANAGER, "change_terms", limits=TERMS["limits"])
    assert (told["code"], told["message"]) == ("two_people", "A limit above 5000.00 takes two people.")
    assert signs(served, Post.SHIFT_MANAGER, proposed.json()["id"]) == (200, "")
    changed = facts(served, "house", "TermsChanged")[-1]
    assert (changed["by"], changed["second"]) == ("pit_manager", "shift_manager")


# ---------------------------------------------------------------- assignments


def test_staff_are_refused_at_tables_outside_their_assignment(served: Served) -> None:
    """Over HTTP and over the socket, for steps, table routes and signatures; each is on the record."""
    with served.http(Post.ADMINISTRATOR) as office:
        for post in (Post.DEALER, Post.PIT_MANAGER):
            answer = office.post(f"/api/people/{post.value}/assign", json={"pits": ["main"]})
            assert answer.json()["accepted"]
        listed = {line["name"]: (line["pits"], line["tables"]) for line in office.get("/api/people").json()}
        assert listed["dealer"] == (["main"], [])
        wrong = office.post("/api/people/dealer/assign", json={"pits": ["low"]})
        assert (wrong.status_code, wrong.json()["message"]) == (409, 'There is no pit "low": there are high, main.')
        wrong = office.post("/api/people/dealer/assign", json={"tables": ["T9"]})
        assert (wrong.status_code, wrong.json()["code"]) == (409, "unknown_table")
        assert office.post("/api/people/nobody/assign", json={}).status_code == 404
    says = "dealer works in pit main: table H1 is in pit high."
    refused = served.step(Post.DEALER, "open", "H1")
    assert (refused["code"], refused["message"]) == ("not_assigned", says)
    with served.live(Post.DEALER) as live:
        told = live.ask({"type": "command", "table": "H1", "id": "x", "command": {"do": "open"}})
        assert (told["code"], told["message"]) == ("not_assigned", says)
    assert served.step(Post.DEALER, "open", "T1")["accepted"]
    noted = facts(served, "people", "AccessRefused")
    assert [(told["person"], told["action"], told["what"]) for told in noted] == 2 * [
        ("dealer", "not_assigned", "H1: open")
    ]
    with served.http(Post.PIT_MANAGER) as client:
        for path, body in (
            ("/api/tables/H1/close", {"id": "a"}),
            ("/api/tables/H1/reopen", {"id": "b"}),
            ("/api/tables/H1/terms", TERMS),
            ("/api/tables/H1/correct", {"cards": {}}),
            ("/api/tables/H1/call", {}),
            ("/api/tables", {"id": "c", "name": "H2", "terms": {"game": HOLDEM, "link": "main", "pit": "high"}}),
            ("/api/links/main/close", {"id": "d"}),
            ("/api/links/main/adjust", {"amount": "1.00", "cause": "A test."}),
        ):
            answer = client.post(path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (403, "not_assigned"), path
            assert facts(served, "people", "AccessRefused")[-1]["person"] == "pit_manager"
        assert client.post("/api/tables/T1/close", json={"id": "e"}).json()["accepted"]
    with served.http(Post.SHIFT_MANAGER) as client:
        key = client.post("/api/tables/H1/terms", json=TERMS).json()["id"]
    assert signs(served, Post.PIT_MANAGER, key) == (403, "not_assigned")
    with served.http(Post.ADMINISTRATOR) as office:
        assert office.post("/api/people/dealer/assign", json={"tables": ["H1"]}).json()["accepted"]
        assert served.step(Post.DEALER, "open", "H1")["accepted"]
        assert served.step(Post.DEALER, "report", "T1", incident="late_error")["code"] == "not_assigned"
        assert office.post("/api/people/dealer/assign", json={}).json()["accepted"]
    assert served.step(Post.DEALER, "report", "T1", incident="late_error").get("code") != "not_assigned"


def test_an_assignment_outlives_a_restart(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        served.ask(AssignPerson(name="dealer", by="operator root", tables=("T1",)))
    with Served(tmp_path) as served:
        assert served.person(Post.DEALER).tables == ("T1",)


def test_who_is_assigned_where() -> None:
    """Without pits and tables, everywhere; a player is never assigned."""
    dealer = Person("dora", Post.DEALER, "")
    assert is_assigned(dealer, "T1", "main")
    assert where(dealer) == "everywhere"
    both = replace(dealer, pits=("high",), tables=("T1",))
    assert where(both) == "in pit high and at table T1"
    assert [is_assigned(both, table, pit) for table, pit in (("T1", "main"), ("H1", "high"), ("T2", "main"))] == [
        True, True, False,
    ]  # fmt: skip
    assert is_assigned(Person("ana", Post.PLAYER, "", pits=("high",)), "T2", "main")


# ---------------------------------------------------------------- chips of people who go


def test_a_person_with_chips_or_bets_is_not_removed(tmp_path: Path) -> None:
    """The chips would be nobody's; and a name that holds money is given to nobody new."""
    running = founded(tmp_path, ADMIN, SHIFT)
    for command in (
        EnrolPerson(name="ana", post=Post.PLAYER, secret="", by="admin"),
        BuyIn(player="ana", amount=money("25.00")),
        BuyIn(player="bot-1", amount=100),
        OpenTable(table="T1", config=TableConfig(game=HOLDEM)),
    ):
        assert ask(running, command) == ""
    remove = RemovePerson(name="ana", by="admin")
    answer = running.process([Request("r1", remove, NOW)])[0]
    assert (answer.code, answer.message) == (
        "holds_chips", "ana holds 25.00 in chips and cannot be removed: cash out first.",
    )  # fmt: skip
    at(running, "T1", OpenRound(), PlaceBet(player="ana", box=1, bet="ante", amount=money("25.00")))
    answer = running.process([Request("r2", remove, NOW)])[0]
    assert answer.message == "ana has bets at table T1 and cannot be removed: cash out first."
    answer = running.process([Request("e1", EnrolPerson(name="bot-1", post=Post.PLAYER, secret=""), NOW)])[0]
    assert answer.code == "name_holds_money"
    held = "An account of this name holds 1.00 in chips: cash out first, or choose another name."
    assert answer.message == held
    assert audit(running.store).differences == ()
    running.store.close()


def test_chips_under_a_name_that_can_no_longer_log_in_are_paid_out(served: Served) -> None:
    """As an earlier release could leave them; then the name is free."""
    served.ask(BuyIn(player="gone", amount=500))
    with served.http(Post.CAGE) as client:
        (line,) = client.get("/api/cashier", params={"name": "gone"}).json()["players"]
    assert line == {"player": "gone", "balance": "5.00", "logged_in": False, "enrolled": False}
    assert served.pay("buy-in", "gone", "5.00").status_code == 404
    with served.http(Post.ADMINISTRATOR) as office:
        new = {"name": "gone", "post": "player", "password": PASSWORD}
        assert office.post("/api/people", json=new).json()["code"] == "name_holds_money"
        assert served.pay("cash-out", "gone", "5.00").json()["accepted"]
        assert office.post("/api/people", json=new).status_code == 201
        assert office.delete("/api/people/player").json()["code"] == "holds_chips"
        assert office.delete("/api/people/gone").status_code == 200


# ---------------------------------------------------------------- records of earlier releases, and settings


def test_events_without_an_author_are_read() -> None:
    """As earlier releases wrote them."""
    bought = msgspec.json.decode(b'{"type":"BoughtIn","player":"ana","amount":100}', type=BoughtIn)
    assert (bought.by, bought.second, bought.consent) == ("", "", None)
    assert msgspec.json.encode(bought) == b'{"type":"BoughtIn","player":"ana","amount":100}'
    told = b'{"type":"PersonEnrolled","name":"ana","post":"player","secret":""}'
    assert msgspec.json.encode(msgspec.json.decode(told, type=PersonEnrolled)) == told


def test_a_consent_is_forgotten_when_it_is_old(tmp_path: Path) -> None:
    running = founded(tmp_path, CAGE)
    payment = BuyIn(player="ana", amount=100, by="cage")
    assert ask(running, AskConsent(consent="a", payment=payment)) == ""
    assert ask(running, AskConsent(consent="b", payment=payment), NOW + 900_000_000) == ""
    assert list(running.people.consents) == ["b"]
    assert house(running.store).people == running.people
    assert [r.type for r in running.store.read("people")].count(ConsentAsked.__name__) == 2
    running.store.close()


@pytest.mark.parametrize(
    ("duties", "says"),
    [
        ('limits = "cheap"', "duties.limits: "),
        ("consent_seconds = 0", "duties.consent_seconds: a payment waits at least 1 second for its player."),
        ("own_account_hours = -1", "duties.own_account_hours: "),
        ('stakeboards = "no"', "duties.stakeboards: true where two people"),
        (
            "colour = 1",
            "duties: there is no colour; there are limits, payments, consent_seconds, own_account_hours, stakeboards.",
        ),
    ],
)
def test_bounds_that_cannot_be_used_are_named(tmp_path: Path, duties: str, says: str) -> None:
    path = tmp_path / "house.toml"
    path.write_text(f"[duties]\n{duties}\n")
    with pytest.raises(BadSettings) as wrong:
        read_settings(path, {})
    assert str(wrong.value).startswith(says)


def test_bounds_come_from_the_settings_file(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('[duties]\nlimits = "100.00"\nown_account_hours = 48\n')
    assert read_settings(path, {}).duties == Duties(limits=10_000, own_account_hours=48, stakeboards=True)


def test_a_start_puts_its_bounds_on_record_where_they_differ(tmp_path: Path) -> None:
    """Once, however often the server starts with the same ones."""

    async def start(settings: Settings) -> None:
        floor = Floor(open_store(f"sqlite:///{tmp_path / 'house.db'}"))
        await open_house(floor, settings)
        assert floor.house.people.duties == settings.duties
        await floor.stop()

    bounds = [Duties(), Duties(), Duties(payments=1), Duties(payments=1)]
    for duties in bounds:
        asyncio.run(start(Settings(duties=duties, name="floor-1")))
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}", read_only=True)
    told = [msgspec.json.decode(record.data) for record in store.read("people")]
    store.close()
    assert [(fact["type"], fact["by"]) for fact in told] == [("DutiesSet", "server floor-1")] * 2


def test_what_a_removed_person_proposed_is_not_signed(served: Served) -> None:
    """It is proposed anew by somebody who may still log in."""
    served.run(Sessions(served.floor).enrol("max", Post.PIT_MANAGER, PASSWORD))
    with served.http() as client:
        token = client.post("/api/login", json={"name": "max", "password": PASSWORD}).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        key = client.post("/api/tables/T1/terms", json=TERMS).json()["id"]
    with served.http(Post.ADMINISTRATOR) as office:
        assert office.delete("/api/people/max").status_code == 200
    assert signs(served, Post.SHIFT_MANAGER, key) == (409, "unknown_person")


def test_the_operator_assigns_with_the_file_at_hand(tmp_path: Path, croupier: Call) -> None:
    """`croupier people assign`, on record with the user's name on the machine."""
    url = f"sqlite:///{tmp_path / 'house.db'}"
    with Served(tmp_path):
        pass
    done = croupier("people", "assign", "dealer", "--pit", "main", "--table", "T1", "--database", url)
    assert (done.code, done.out) == (0, "dealer works in pit main and at table T1.\n")
    wrong = croupier("people", "assign", "dealer", "--table", "T7", "--database", url)
    assert (wrong.code, wrong.err.strip()) == (2, 'croupier: There is no table "T7": there are T1.')
    everywhere = croupier("people", "assign", "dealer", "--database", url, "--json")
    assert json.loads(everywhere.out) == {"name": "dealer", "pits": [], "tables": []}
    store = open_store(url, read_only=True)
    told = [msgspec.json.decode(r.data) for r in store.read("people") if r.type == "PersonAssigned"]
    assert [fact["by"].startswith("operator ") for fact in told] == [True, True]
    assert audit(store).differences == ()
    store.close()
