"""Those who run the house: tables and links opened and closed, limits changed, and what takes two people."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.patience import COMPILING
from tests.web.conftest import PHONE, Visit, serious, shoot
from tests.web.house import House, staffed
from tests.web.playing import lay
from tests.web.staff import at_console, check_down, dealt, decide, enter_bet, no_more_bets, open_bets, turn


def pit(visit: Visit, name: str, **where: House) -> Page:
    page = visit(route="#/pit", name=name, **where)
    page.get_by_role("heading", name="Pit", exact=True).wait_for()
    return page


def tile(page: Page, table: str) -> Locator:
    return page.locator(f'.wall [data-table="{table}"]')


def opened(manager: Page, name: str, game: str) -> Locator:
    """A new table with a dealer, opened by the form, in the drawer to be run."""
    manager.get_by_role("button", name="Links and new tables").click()
    form = manager.get_by_role("region", name="Open a table")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Game").select_option(game)
    form.get_by_label("Ante from").fill("15.00")
    form.get_by_label("to for Ante").fill("300.00")
    form.get_by_label("A dealer runs it").check()
    form.get_by_role("button", name="Open", exact=True).click()
    tile(manager, name).get_by_role("button").click()
    found = manager.locator(f'[data-open="{name}"]')
    found.get_by_text("Run the table").click()
    return found


def sign(page: Page, words: str) -> None:
    """The second signature."""
    waiting = page.locator('[aria-label="Second signatures"] article', has_text=words)
    waiting.get_by_role("button", name="Sign").click()
    expect(page.locator(".toast", has_text="Signed")).to_be_visible()


def close_link(link: Locator) -> None:
    """The page asks first, with what follows."""
    link.get_by_role("button", name="Close the link").click()
    dialog = link.page.locator("confirm-dialog dialog")
    expect(dialog).to_contain_text("no table of the link takes jackpot bets")
    dialog.get_by_role("button", name="Close the link").click()
    expect(dialog).to_be_hidden()


def propose_again(manager: Page, house: Locator, link: Locator) -> None:
    """The correction of the meter, once more."""
    house.click()
    link.get_by_label("By how much").fill("-12.50")
    link.get_by_label("Why").fill("a jackpot bet registered twice")
    link.get_by_role("button", name="Propose the correction").click()
    expect(manager.locator(".attention .sign")).to_contain_text("registered twice")


def test_alerts_stay_below_the_header_and_messages_beside_the_button(visit: Visit, staffed_house: House) -> None:
    """On a wall of 4K too, scrolled down; the message about a form lies where its button is not."""
    page = pit(visit, "shift", at=staffed_house)
    tile(page, "Felt").get_by_role("button").click()
    expect(tile(page, "Felt").locator(".name")).to_contain_text("Hold'em")
    for width, height in ((1366, 768), (1920, 1080), (3840, 2160)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 9999)")
        head, bar = page.locator("header.top").bounding_box(), page.locator(".attention").bounding_box()
        assert head is not None
        assert bar is not None
        assert bar["y"] >= head["y"] + head["height"] - 1, width
        shoot(page, f"pit-{width}")
    drawer = page.locator('[data-open="Felt"]')
    drawer.get_by_text("Run the table").click()
    drawer.get_by_label("Box", exact=True).fill("3")
    drawer.get_by_label("Greatest Ante").fill("1.00")
    page.set_viewport_size({"width": 1366, "height": 768})
    button = drawer.get_by_role("button", name="Limit the box")
    button.click()
    toast = page.locator(".toast", has_text="cannot be limited to 1.00")
    expect(toast).to_be_visible()
    used, told = button.bounding_box(), toast.bounding_box()
    assert used is not None
    assert told is not None
    assert told["y"] > used["y"] + used["height"] or told["y"] + told["height"] < used["y"]
    shoot(page, "pit-box-limit")


@pytest.mark.parametrize("size", [(1366, 768), (1440, 900), (1920, 1080)], ids=["small", "desktop", "wide"])
def test_a_hundred_tables_fit_one_screen(visit: Visit, size: tuple[int, int]) -> None:
    """Every tile with its three lines, none cut off, without scrolling; the names come from an answer made long."""
    page = visit(size, "#/pit", name="shift")
    page.route("**/api/lobby", _hundred)
    page.reload()
    expect(page.locator(".wall li")).to_have_count(100)
    lowest = page.locator(".wall li").last.bounding_box()
    assert lowest is not None
    assert lowest["y"] + lowest["height"] <= size[1]
    assert page.locator(".wall button").evaluate_all("all => all.every(one => one.scrollHeight <= one.clientHeight)")


def _hundred(route: Route) -> None:
    """Answer with a house of a hundred tables: those of the server, and as many more under other names."""
    answer = route.fetch()
    told = answer.json()
    first = told["tables"][0]
    missing = 100 - len(told["tables"])
    told["tables"] += [{**first, "table": f"T{number:03}"} for number in range(missing)]
    route.fulfill(response=answer, json=told)


def test_cards_entered_wrong_are_put_right_by_two_people(visit: Visit, staffed_house: House) -> None:
    """The dealer typed a Nine for a Ten: she proposes, somebody of the pit signs, and what lies there is settled."""
    dealer = at_console(visit, "Felt", at=staffed_house)
    open_bets(dealer)
    enter_bet(dealer, 1, "Ante", "25.00")
    no_more_bets(dealer)
    dealt(dealer)
    decide(dealer, 1, "flop")
    dealt(dealer)
    turn(dealer, community="Qh Jh 9h")
    dealer.get_by_role("button", name="Correct cards").click()
    form = dealer.locator('[data-test="correction-form"]')
    expect(form.get_by_role("button", name="Propose")).to_be_disabled()
    form.locator('[data-take="9h"]').click()
    expect(form.get_by_role("button", name="Propose")).to_be_disabled()
    form.locator('[data-pad="Th"]').click()
    shoot(dealer, "console-correction")
    assert serious(dealer) == []
    form.get_by_role("button", name="Propose").click()
    status = dealer.locator('[data-test="correction"]')
    expect(status).to_contain_text("Waits for a second signature: At Felt lie community Qh Jh Th")
    supervisor = pit(visit, "supervisor", at=staffed_house)
    waiting = supervisor.locator('[aria-label="Second signatures"]')
    expect(waiting).to_contain_text("Qh Jh Th")
    expect(waiting).to_contain_text("Proposed by dealer")
    shoot(supervisor, "second-signature-cards")
    assert serious(supervisor) == []
    sign(supervisor, "Qh Jh Th")
    expect(dealer.locator('.felt-panel [data-card="Th"]').first).to_be_visible()
    expect(dealer.locator('.felt-panel [data-card="9h"]')).to_have_count(0)
    expect(status).to_have_text("The correction is signed: Community is corrected.")
    check_down(dealer, 1, hand="As Kd", board="Qh Jh Th 2c 9s", against="3c 3d")
    expect(dealer.locator('[data-test="pay"]')).to_contain_text("Straight")
    expect(status).to_have_count(1)
    dealer.get_by_role("button", name="Correct cards").click()
    form.get_by_role("button", name="Box 1").click()
    form.locator('[data-take="As"]').click()
    form.locator('[data-pad="Ad"]').click()
    form.get_by_role("button", name="Propose").click()
    expect(dealer.get_by_text("Pay and take nothing more of this round")).to_be_visible()
    sign(supervisor, "Ad")
    expect(status).to_contain_text("is corrected")
    expect(dealer.locator('[data-test="put-right"]')).to_have_count(0)  # it is a straight still
    dealer.get_by_role("button", name="Correct cards").click()
    form.get_by_role("button", name="Box 1").click()
    form.locator('[data-take="Kd"]').click()
    form.locator('[data-pad="4d"]').click()
    form.get_by_role("button", name="Propose").click()
    sign(supervisor, "4d")
    put_right = dealer.locator('[data-test="put-right"]')
    expect(put_right).to_contain_text("Box 1, Ante: take back")
    expect(put_right).to_contain_text("Box 1, Flop: take back")
    shoot(dealer, "console-put-right")
    assert serious(dealer) == []
    dealer.get_by_role("button", name="Correct cards").click()
    form.get_by_role("button", name="Dealer").click()
    form.locator('[data-take="3c"]').click()
    form.locator('[data-pad="3s"]').click()
    form.get_by_role("button", name="Propose").click()
    expect(status).to_contain_text("Waits for a second signature")
    dealer.get_by_role("button", name="Open bets").click()
    asks = dealer.locator("confirm-dialog dialog[open]")
    expect(asks).to_contain_text("A correction of this round waits for its signature")
    asks.get_by_role("button", name="Wait").click()
    sign(supervisor, "3s")
    expect(status).to_contain_text("is corrected")
    open_bets(dealer)
    expect(status).to_have_count(0)
    expect(put_right).to_have_count(0)


def test_a_meter_is_corrected_by_two_people_while_its_link_is_closed(visit: Visit) -> None:
    """A link of its own, opened by form; one proposes, he cannot sign himself, another signs, the meter has moved."""
    manager = pit(visit, "manager")
    house = manager.get_by_role("button", name="Links and new tables")
    house.click()
    form = manager.get_by_role("region", name="Open a link")
    form.get_by_label("Name").fill("night")
    form.get_by_label("Meter").fill("1000.00")
    form.get_by_label("Resets to").fill("500.00")
    form.get_by_label("Of each jackpot bet").fill("0.10")
    proposed: list[str] = []
    manager.on("request", lambda asked: proposed.extend([asked.url] * (asked.method == "POST")))
    form.get_by_role("button", name="Propose the link").dblclick()
    expect(manager.locator(".toast", has_text="Proposed: another person signs.")).to_be_visible()
    assert sum(url.endswith("/api/links") for url in proposed) == 1, "a double click proposes once"
    shift = pit(visit, "shift")
    sign(shift, "Start the link night at 1,000.00")
    link = manager.get_by_role("region", name="Link night")
    expect(link).to_contain_text("1,000.00")
    close_link(link)
    expect(link).to_contain_text("no jackpot bets are taken")
    link.get_by_label("By how much").fill("-12.5")
    link.get_by_label("Why").fill("a jackpot bet registered twice")
    link.get_by_role("button", name="Propose the correction").click()
    says = link.get_by_label("By how much").evaluate("field => field.validationMessage")
    assert says == "An amount such as 12.50 or -12.50"
    link.get_by_label("By how much").fill("-12.50")
    link.get_by_role("button", name="Propose the correction").click()
    expect(manager.locator(".attention .sign")).to_contain_text("registered twice")
    manager.get_by_role("button", name="Waiting and barred").click()
    waiting = manager.locator('[aria-label="Second signatures"]')
    expect(waiting).to_contain_text("Another person signs")
    shoot(manager, "second-signature-meter")
    waiting.get_by_role("button", name="Withdraw").click()
    expect(waiting).to_have_count(0)
    expect(shift.locator(".attention .sign")).to_have_count(0)
    propose_again(manager, house, link)
    asked = shift.locator('[aria-label="Second signatures"] article', has_text="registered twice")
    asked.get_by_text("Decline", exact=True).first.click()
    asked.get_by_label("Why").fill("it was one bet")
    shoot(shift, "second-signature-decline")
    assert serious(shift) == []
    asked.get_by_role("button", name="Decline").click()
    expect(asked).to_have_count(0)
    manager.get_by_role("button", name="Waiting and barred").click()
    expect(manager.locator("[data-declined]")).to_contain_text("Declined by shift: it was one bet")
    expect(manager.locator(".attention .sign")).to_have_count(0)
    shoot(manager, "proposal-declined")
    assert serious(manager) == []
    propose_again(manager, house, link)
    sign(shift, "registered twice")
    expect(link).to_contain_text("987.50")
    link.get_by_text("How it grows").click()
    link.locator("details").get_by_label("Resets to").fill("600.00")
    link.locator("details").get_by_label("Of each jackpot bet").fill("0.15")
    link.get_by_role("button", name="Propose the change").click()
    sign(shift, "resets to 600.00")
    link.get_by_role("button", name="Open the link again").click()
    expect(link).to_contain_text("Open.")


def test_a_table_is_opened_closed_and_opened_again_and_its_limits_change(visit: Visit, house: House) -> None:
    """By the pit manager's forms; players see the limits from the next round on, and a closed table says so."""
    player, dealer = visit(PHONE), visit(name="dealer")
    manager = pit(visit, "manager")
    lantern = opened(manager, "Lantern", "sun-casino-holdem")
    player.locator('a[href="#/table/Lantern"]').click()
    expect(player.locator(".table-head")).to_contain_text("Ante 15–300")
    lantern.get_by_label("Ante from").fill("20.00")
    lantern.get_by_label("to for Ante").fill("400.00")
    shoot(manager, "pit-run-a-table")
    assert serious(manager) == []
    lantern.get_by_label("Box", exact=True).fill("2")
    lantern.get_by_label("Greatest Ante").fill("100")
    lantern.get_by_role("button", name="Limit the box").click()
    expect(lantern.locator('[data-test="coming"]')).to_contain_text("Box 2 Ante up to 100")
    lantern.get_by_role("button", name="Change the limits").click()
    expect(lantern.locator('[data-test="coming"]')).to_contain_text("Ante 20–400")
    expect(lantern.get_by_label("to for Ante")).to_have_value("400.00")
    lantern.get_by_label("Ante from").fill("25.00")
    lantern.get_by_role("button", name="Change the limits").click()
    expect(lantern.locator('[data-test="coming"]')).to_contain_text("Ante 25–400")
    expect(player.locator(".table-head")).to_contain_text("Ante 15–300")
    dealer.evaluate("location.hash = '#/dealer/Lantern'")
    open_bets(dealer)
    expect(player.locator(".table-head")).to_contain_text("Ante 25–400")
    for page in (player, dealer):
        for box, printed in ((2, "25–100"), (3, "25–400")):
            page.locator(f'[data-box="{box}"]').first.click()
            expect(page.locator(f'[data-mine="{box}"] .spot[data-bet="ante"]')).to_contain_text(printed)
    expect(lantern.locator('[data-test="box-limits"]')).to_have_text("Box 2 Ante up to 100")
    lantern.get_by_role("button", name="Close after this round").click()
    expect(lantern.locator(".tag", has_text="Closed")).to_be_visible()
    expect(player.locator(".table-head")).to_contain_text("Closes after this round")
    lantern.get_by_role("button", name="Open the table again").click()
    expect(lantern.locator(".tag", has_text="Closed")).to_have_count(0)
    player.goto(f"{house.address}/#/")
    expect(player.locator(".table-card", has_text="Lantern")).not_to_contain_text("Closed")


def test_an_open_page_follows_the_stakeboard(visit: Visit, house: House) -> None:
    """The pit changes a line of the Bonus: a page that lies open prints the new line and the new edge when the next
    round begins, and not before.
    """
    player = visit()
    manager = pit(visit, "manager")
    quay = opened(manager, "Quay", "rws-multilink-holdem")
    player.locator('a[href="#/table/Quay"]').click()
    pays, edge = player.locator(".felt .printed", has_text="Bonus pays"), player.locator('[data-test="edge"]')
    expect(pays).to_contain_text("30 to 1")
    expect(edge).to_contain_text("Bonus 8.54%", timeout=1000 * COMPILING)
    quay.get_by_label("Aces", exact=True).fill("22 to 1")
    shoot(manager, "pit-stakeboard")
    assert serious(manager) == []
    quay.get_by_role("button", name="Change the stakeboard").click()
    shift = pit(visit, "shift")
    sign(shift, "Table Quay plays with bonus for aces 22 to 1")
    expect(quay.locator('[data-test="coming"]')).to_contain_text("Bonus for aces 22 to 1")
    expect(quay.get_by_label("Aces", exact=True)).to_have_value("22 to 1")
    quay.locator('[name="bonus-ace_king"]').fill("16 to 1")
    quay.get_by_role("button", name="Change the stakeboard").click()
    sign(shift, "Table Quay plays with bonus for ace king 16 to 1")
    expect(quay.locator('[data-test="coming"]')).to_contain_text("16 to 1")
    expect(quay.locator('[data-test="coming"]')).to_contain_text("Bonus for aces 22 to 1")
    expect(pays).to_contain_text("30 to 1")
    dealer = visit(name="dealer")
    dealer.goto(f"{house.address}/#/dealer/Quay")
    open_bets(dealer)
    expect(pays).to_contain_text("22 to 1")
    expect(pays).not_to_contain_text("30 to 1")
    # The form that stayed open has what is in force, and takes the old line again.
    expect(quay.locator('[data-test="coming"]')).to_have_count(0)
    aces = quay.get_by_label("Aces", exact=True)
    expect(aces).to_have_value("22 to 1")
    aces.fill("30 to 1")
    quay.get_by_role("button", name="Change the stakeboard").click()
    sign(shift, "Table Quay plays with bonus for aces 30 to 1")
    expect(quay.locator('[data-test="coming"]')).to_contain_text("Bonus for aces 30 to 1")
    expect(edge).not_to_contain_text("Bonus 8.54%")
    expect(edge).to_contain_text("Bonus", timeout=1000 * COMPILING)


def test_a_closed_link_takes_no_jackpot_bet_on_any_screen(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """rws-multilink-holdem 3.8: the player's spot is dark at once while the pit has the link closed, and lit after."""
    with House(tmp_path_factory.mktemp("closed"), staffed("Desk")) as own:
        dealer = at_console(visit, "Desk", at=own)
        player = visit(PHONE, at=own)
        manager = pit(visit, "manager", at=own)
        manager.get_by_role("button", name="Links and new tables").click()
        open_bets(dealer)
        player.locator('a[href="#/table/Desk"]').click()
        lay(player, 2, ante=25)
        spot = player.locator('[data-mine="2"] .spot[data-bet="jackpot"]')
        expect(spot.locator(".lamp.invited")).to_be_visible()
        link = manager.get_by_role("region", name="Link main")
        close_link(link)
        expect(spot).to_contain_text("not taken")
        expect(spot.locator(".lamp.off")).to_be_visible()
        link.get_by_role("button", name="Open the link again").click()
        expect(spot.locator(".lamp.invited")).to_be_visible()
