"""The administrator's page: who may log in, enrolled, signed out everywhere and removed by clicks."""

from __future__ import annotations

from contextlib import closing
from itertools import count

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.patience import PATIENCE
from tests.web.conftest import DESKTOP, PHONE, Visit, log_in, serious, shoot
from tests.web.house import House

PASSWORD = "croupier-demo"
"""With which `log_in` comes in, for the new ones too."""

_NUMBERS = count(1)
"""Of people who are enrolled anew each time a test runs."""


def office(page: Page) -> None:
    """The administrator logs in, and that leads to his page."""
    log_in(page, "admin")
    page.get_by_role("heading", name="People", exact=True).wait_for()


def line(page: Page, name: str) -> Locator:
    return page.locator(f'.people [data-person="{name}"]')


def fill(page: Page, name: str, post: str = "Dealer", password: str = PASSWORD) -> Locator:
    """The form, sent as it is filled in."""
    form = page.get_by_role("region", name="Enrol a person")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Post").select_option(post)
    form.get_by_label("Password", exact=True).fill(password)
    form.get_by_role("button", name="Enrol").click()
    return form


def enrolled(page: Page, name: str, post: str = "Dealer") -> Locator:
    """Somebody new, by the form, for everybody but a player with a second signature; the line in the list."""
    form = fill(page, name, post)
    if post != "Player":
        expect(page.locator(".toast", has_text=f"{name} is proposed")).to_be_visible()
        signed_by_shift(page, f"Enrol {name} as")
    expect(line(page, name)).to_contain_text(post)
    expect(form.get_by_label("Name")).to_have_value("")
    expect(form.get_by_label("Password", exact=True)).to_have_value("")
    return line(page, name)


def signed_by_shift(page: Page, words: str) -> None:
    """The shift manager signs for what begins with these words."""
    address = page.url.partition("/#")[0]
    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        came = client.post("/api/login", json={"name": "shift", "password": "croupier-demo"}).json()
        client.headers["authorization"] = f"Bearer {came['token']}"
        (key,) = (waits["id"] for waits in client.get("/api/proposals").json() if waits["words"].startswith(words))
        assert client.post(f"/api/proposals/{key}/sign").json()["accepted"]


def remove(page: Page, name: str) -> Locator:
    """As far as the question whether it is meant."""
    line(page, name).get_by_role("button", name=f"Remove {name}").click()
    question = page.get_by_role("dialog", name=f"Remove {name}?")
    expect(question).to_contain_text("may no longer log in")
    return question


def test_a_new_dealer_logs_in_is_signed_out_and_removed(visit: Visit) -> None:
    """Enrolled by the form, he comes to deal at another screen; signed out he has to log in; removed he cannot."""
    admin = visit()
    dealer = visit()
    office(admin)
    eva = enrolled(admin, "eva")
    expect(eva).not_to_contain_text("Signed in")
    log_in(dealer, "eva")
    expect(dealer.get_by_role("heading", level=1)).to_have_text("Choose a table to deal")
    expect(eva).to_contain_text("Signed in")
    shoot(admin, "people-signed-in")
    eva.get_by_role("button", name="Sign out eva everywhere").click()
    expect(admin.locator(".toast", has_text="eva is signed out everywhere: 1 session is over.")).to_be_visible()
    expect(eva).not_to_contain_text("Signed in")
    expect(dealer.locator(".toast", has_text="Your session is over")).to_be_visible()
    log_in(dealer, "eva")
    expect(dealer.locator(".who")).to_contain_text("eva")
    question = remove(admin, "eva")
    shoot(admin, "people-remove")
    assert serious(admin) == []
    question.get_by_role("button", name="Keep").click()
    expect(question).to_be_hidden()
    expect(eva).to_be_visible()
    remove(admin, "eva").get_by_role("button", name="Remove").click()
    expect(question).to_be_hidden()
    expect(eva).to_have_count(0)
    expect(dealer.locator(".toast", has_text="Your session is over")).to_be_visible()
    dealer.get_by_role("link", name="Log in").click()
    dealer.get_by_label("Name").fill("eva")
    dealer.get_by_label("Password").fill(PASSWORD)
    dealer.get_by_role("button", name="Log in").click()
    expect(dealer.get_by_role("alert")).to_have_text("Wrong name or password.")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("dealer", "There is already a person called dealer."),
        ("pit/one", "A name has 1 to 40 printable characters, no slash, and more than dots and spaces."),
    ],
    ids=["known", "slash"],
)
def test_what_the_server_refuses_stands_in_the_form(visit: Visit, name: str, says: str, size: tuple[int, int]) -> None:
    """One sentence, with everything still filled in; it goes away when the next one is taken."""
    admin = visit(size)
    office(admin)
    form = fill(admin, name, "Auditor")
    expect(form.get_by_role("alert")).to_have_text(says)
    expect(form.get_by_label("Name")).to_have_value(name)
    expect(form.get_by_label("Password", exact=True)).to_have_value(PASSWORD)
    shoot(admin, f"people-refused-{size[0]}")
    assert serious(admin) == []
    taken = f"{name.replace('/', '-')}-{size[0]}"
    enrolled(admin, taken, "Auditor")
    expect(form.get_by_role("alert")).to_have_count(0)
    remove(admin, taken).get_by_role("button", name="Remove").click()
    expect(line(admin, taken)).to_have_count(0)


def test_a_short_password_is_not_taken(visit: Visit) -> None:
    """Names of which no address can be made, and a password that is too short: the server says so."""
    admin = visit()
    office(admin)
    form = fill(admin, "nobody", password="seven77")
    expect(form.get_by_role("alert")).to_have_text("A password has at least 12 characters.")
    form = fill(admin, "..")
    expect(form.locator('input[name="name"]:invalid')).to_have_count(1)
    expect(line(admin, "nobody")).to_have_count(0)
    form.get_by_label("Show it while I type").check()
    expect(form.get_by_label("Password", exact=True)).to_have_attribute("type", "text")


def test_whoever_has_been_removed_meanwhile_is_said_to_be_gone(visit: Visit) -> None:
    """Two administrators are asked whether they mean it; the second reads that there is nobody to remove."""
    first, second = visit(), visit()
    office(first)
    office(second)
    name = "o'd.d_n-m " + "x" * 30
    enrolled(first, name, "Surveillance")
    question = remove(second, name)
    remove(first, name).get_by_role("button", name="Remove").click()
    expect(line(first, name)).to_have_count(0)
    question.get_by_role("button", name="Remove").click()
    expect(question.get_by_role("alert")).to_have_text(f"There is no person called {name}.")
    assert second.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_people_are_found_by_name_and_by_post(visit: Visit) -> None:
    """The administrator stands first and cannot remove himself."""
    admin = visit()
    office(admin)
    expect(line(admin, "supervisor")).to_be_visible()
    first = admin.locator(".people li").first
    expect(first).to_contain_text("Administrator")
    own = line(admin, "admin")
    expect(own).to_contain_text("you")
    expect(own.get_by_role("button", name="Remove")).to_have_count(0)
    find = admin.get_by_label("Find a name or a post")
    find.fill("shift man")
    expect(admin.locator(".people [data-person]")).to_have_count(1)
    expect(line(admin, "shift")).to_be_visible()
    find.fill("nobody is called so")
    expect(admin.get_by_text("No person matches.")).to_be_visible()


@pytest.mark.parametrize("name", ["ana", "dealer", "shift", "auditor", "surveillance"])
def test_nobody_else_sees_the_people(visit: Visit, house: House, name: str) -> None:
    """No link leads there, the page says whose it is, and the list is never asked for."""
    page = visit()
    asked: list[str] = []
    page.on("request", lambda r: asked.append(r.url) if "/api/people" in r.url else None)
    log_in(page, name)
    expect(page.locator(".who")).to_contain_text(name)
    expect(page.get_by_role("link", name="Rounds").first).to_be_visible()
    expect(page.get_by_role("link", name="People")).to_have_count(0)
    page.goto(f"{house.address}/#/people")
    expect(page.get_by_role("heading", level=1)).to_have_text("The administrator enrols people here.")
    expect(page.get_by_label("Password")).to_have_count(0)
    assert asked == []


def test_a_stranger_is_asked_who_he_is_and_led_there(visit: Visit) -> None:
    """The page's address opens the log-in, and after it the page; elsewhere the header leads to it."""
    page = visit(PHONE, "#/people")
    page.get_by_label("Name").fill("admin")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(line(page, "admin")).to_be_visible()
    expect(page).to_have_title("People · Croupier")
    page.get_by_role("link", name="Tables").click()
    expect(page.locator(".table-card").first).to_be_visible()
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="People").click()
    expect(line(page, "admin")).to_be_visible()


def test_an_administrator_who_signs_himself_out_is_asked_who_he_is(visit: Visit) -> None:
    """On every screen: the page with the list is gone, and the log-in stands there."""
    name = f"second-admin-{next(_NUMBERS)}"
    first = visit()
    second = visit(PHONE)
    office(first)
    enrolled(first, name, "Administrator")
    log_in(second, name)
    other = visit(name=name)
    line(second, name).get_by_role("button", name="Sign out").click()
    for page in (second, other):
        expect(page.locator('main input[name="password"][autocomplete="current-password"]')).to_be_visible()
        expect(page.locator(".people")).to_have_count(0)
    expect(line(first, name)).not_to_contain_text("Signed in")
    remove(first, name).get_by_role("button", name="Remove").click()
    expect(line(first, name)).to_have_count(0)


def test_a_player_comes_plays_leaves_and_is_forgotten(visit: Visit, staffed_house: House) -> None:
    """Enrolled, paid, seated, paid out, removed and erased: pages show the name until then, and the id after it."""
    name, dealt = "Rosalind Quartermain", {"do": "bet", "box": 4, "bet": "ante", "amount": "25.00", "id": "rosalind"}
    admin = visit(at=staffed_house)
    player = visit(PHONE, at=staffed_house)
    office(admin)
    enrolled(admin, name, "Player")

    def client(who: str) -> httpx.Client:
        opened = httpx.Client(base_url=staffed_house.address, timeout=PATIENCE)
        came = opened.post("/api/login", json={"name": who, "password": PASSWORD}).json()
        opened.headers["authorization"] = f"Bearer {came['token']}"
        return opened

    with closing(client("cage")) as cage, closing(client("dealer")) as dealer:
        paid = cage.post("/api/cashier/buy-in", json={"id": "in", "player": name, "amount": "200.00"})
        assert paid.json()["accepted"]
        log_in(player, name)
        expect(player.locator('[data-test="balance"]')).to_have_text("200.00")
        assert dealer.post("/api/tables/Desk/commands", json={"do": "open", "id": "open"}).json()["accepted"]
        assert dealer.post("/api/tables/Desk/commands", json={**dealt, "player": name}).json()["accepted"]
        player.goto(f"{staffed_house.address}/#/table/Desk")
        expect(player.get_by_text("25.00").first).to_be_visible()
        staff = visit(at=staffed_house, name="dealer")
        staff.goto(f"{staffed_house.address}/#/dealer/Desk")
        expect(staff.get_by_text(name).first).to_be_visible()
        undone = {"do": "withdraw", "box": 4, "bet": "ante", "id": "undone", "player": name}
        assert dealer.post("/api/tables/Desk/commands", json=undone).json()["accepted"]
        before = player.locator("felt-table").first.bounding_box()
        asked = cage.post("/api/cashier/cash-out", json={"id": "out", "player": name, "amount": "200.00"})
        assert asked.status_code == 202
        question = player.get_by_role("alert", name="Payment to confirm")
        for width, height in ((390, 844), (844, 390), (1366, 768)):
            player.set_viewport_size({"width": width, "height": height})
            shoot(player, f"consent-at-table-{width}")
            over, felt = question.bounding_box(), player.locator("felt-table").first.bounding_box()
            assert over is not None
            assert felt is not None
            assert over["y"] + over["height"] <= felt["y"], "nothing of the felt lies under it"
        player.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert player.locator("felt-table").first.bounding_box() == before, "nothing of the table has moved"
        player.get_by_role("alert", name="Payment to confirm").get_by_role("button", name="Confirm").click()
        expect(player.locator('[data-test="balance"]')).to_have_text("0.00")
    remove(admin, name).get_by_role("button", name="Remove").click()
    expect(line(admin, name)).to_have_count(0)
    removed = admin.get_by_role("region", name="Removed").locator("li", has_text=name)
    removed.get_by_role("button", name=f"Erase the name of {name}").click()
    question = admin.get_by_role("dialog", name=f"Erase the name of {name}?")
    shoot(admin, "people-erase")
    assert serious(admin) == []
    question.get_by_role("button", name="Erase").click()
    expect(admin.locator(".toast", has_text="The name is erased. Records know the person as p-")).to_be_visible()
    expect(removed).to_have_count(0)
    enrolled(admin, name, "Player")  # the name is free
    remove(admin, name).get_by_role("button", name="Remove").click()


def test_a_new_player_buys_in_and_cashes_out(visit: Visit) -> None:
    """From the administrator's form to the cage: alone while the player is away, then with the player's own word; more
    than the player holds is not paid out, and a player with chips is not removed.
    """
    admin = visit()
    player = visit(PHONE)
    office(admin)
    enrolled(admin, "ben", "Player")
    cage = visit(name="cage")
    cashier, asked = (cage.get_by_role("region", name=name) for name in ("Cashier", "Payments asked"))

    def pay(amount: str, button: str) -> None:
        cashier.get_by_label("Player").fill("ben")
        cashier.get_by_label("Amount").fill(amount)
        cashier.get_by_role("button", name=button).click()

    pay("5.5", "Buy in")
    says = cashier.get_by_label("Amount").evaluate("field => field.validationMessage")
    assert says == "An amount such as 50.00"
    pay("200.00", "Buy in")
    expect(
        cage.locator(".toast", has_text="ben: money for chips, 200.00. The player was not logged in.")
    ).to_be_visible()
    log_in(player, "ben")
    balance = player.locator('[data-test="balance"]')
    expect(balance).to_have_text("200.00")
    pay("50", "Cash out")
    expect(asked.locator('[data-payment="ben"]').first).to_contain_text("Waits for the player")
    question = player.get_by_role("alert", name="Payment to confirm")
    expect(question).to_contain_text("Cash out 50.00: is that right?")
    shoot(player, "consent-phone")
    shoot(cage, "cage-waiting")
    assert serious(player) == []
    assert serious(cage) == []
    expect(balance).to_have_text("200.00")
    question.get_by_role("button", name="Confirm").click()
    expect(balance).to_have_text("150.00")  # at once, on the player's own screen
    expect(question).to_have_count(0)
    expect(asked.locator('[data-payment="ben"]').first).to_contain_text("Confirmed")
    expect(cage.locator('[data-player="ben"] [data-test="held"]')).to_have_text("150.00")
    pay("20.00", "Buy in")
    question.get_by_role("button", name="Decline").click()
    expect(asked.locator('[data-payment="ben"]').first).to_contain_text("Declined: nothing was done")
    expect(balance).to_have_text("150.00")
    pay("150.01", "Cash out")
    expect(cage.locator(".toast.refusal", has_text="ben holds 150.00")).to_be_visible()
    expect(question).to_have_count(0)
    watcher = visit(name="supervisor")
    watcher.locator(".wall li").first.wait_for()
    expect(watcher.get_by_role("region", name="Cashier")).to_have_count(0)
    refused = remove(admin, "ben")
    refused.get_by_role("button", name="Remove").click()
    expect(refused.get_by_role("alert")).to_contain_text(
        "ben holds 150.00 in chips and cannot be removed: cash out first."
    )
    refused.get_by_role("button", name="Keep").click()


def test_a_large_payment_is_signed_in_the_pit(visit: Visit) -> None:
    """The cage proposes what is above the bound, the shift manager signs, and the cage sees it done."""
    admin = visit()
    office(admin)
    enrolled(admin, "rich", "Player")
    cage = visit(name="cage")
    cashier = cage.get_by_role("region", name="Cashier")
    cashier.get_by_label("Player").fill("rich")
    cashier.get_by_label("Amount").fill("10000.01")
    cashier.get_by_role("button", name="Buy in").click()
    waiting = cage.get_by_role("region", name="Second signatures")
    expect(waiting).to_contain_text("Buy in 10,000.01 for rich")
    expect(waiting).to_contain_text("Another person signs.")
    shift = visit(name="shift")
    shift.get_by_role("region", name="Second signatures").get_by_role("button", name="Sign").click()
    expect(shift.locator(".toast", has_text="Signed and done.")).to_be_visible()
    expect(cage.locator('[data-player="rich"] [data-test="held"]')).to_have_text("10,000.01")
    expect(waiting).to_have_count(0)


def test_a_dealer_is_assigned_and_the_matrix_is_shown(visit: Visit) -> None:
    """By the administrator's form; every post but players and displays reads who may do what."""
    admin = visit()
    office(admin)
    works = line(admin, "dealer").locator("details")
    works.locator("summary").click()
    works.get_by_label("Desk", exact=True).check()
    works.get_by_role("button", name="Assign dealer").click()
    expect(works.locator("summary")).to_contain_text("Works at table Desk")
    shoot(admin, "people-assigned")
    assert serious(admin) == []
    works.get_by_label("Desk", exact=True).uncheck()
    works.get_by_role("button", name="Assign dealer").click()
    expect(works.locator("summary")).to_contain_text("Works everywhere")
    admin.get_by_role("link", name="Who may do what").click()
    cells = admin.locator('tr[data-action="run_cashier"] td')
    expect(cells.filter(has_text="may")).to_have_count(1)
    expect(admin.get_by_role("region", name="Bounds in force")).to_contain_text("10,000.00")
    shoot(admin, "duties")
    assert serious(admin) == []
    player = visit(name="ana")
    expect(player.get_by_role("link", name="Who may do what")).to_have_count(0)
