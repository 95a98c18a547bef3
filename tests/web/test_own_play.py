"""A player's own play in the browser: rounds, receipts, limits, demo chips, declining to show."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Visit, serious, shoot
from tests.web.house import House, patient
from tests.web.playing import CROSSES, close_bets, lay, results, sit

SIZES = [(1440, 900), (320, 640)]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("own-play"), patient("Baobab") + patient("Orchid")) as house:
        yield house


def fits(page: Page, name: str) -> None:
    """No axe violation, nothing wider than the screen, and a picture."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    shoot(page, f"{name}-{width}")
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{name} is too wide"


def to_my_rounds(page: Page) -> None:
    page.goto(f"{page.url.split('#')[0]}#/my-rounds")
    expect(page.get_by_role("heading", level=1)).to_have_text("My rounds")


def set_limits(page: Page, **limits: str) -> None:
    """By the form under the rounds."""
    labels = {"loss": "Loss limit", "minutes": "Time limit", "check": "Reality check"}
    for name, text in limits.items():
        page.get_by_label(labels[name]).fill(text)
    page.get_by_role("button", name="Set my limits").click()
    expect(page.locator(".toast").last).to_have_text("Your limits are set.")


@pytest.mark.parametrize("size", SIZES, ids=["desktop", "small"])
def test_a_round_is_among_my_rounds_with_a_receipt(visit: Visit, size: tuple[int, int]) -> None:
    """Folded at 25.00: the round, its session, its game and its receipt all say so."""
    page = visit(size)
    sit(page, "Baobab")
    page.locator('[data-chip="25"]').click()
    page.locator('.spot[data-bet="ante"]').first.click()
    expect(page.locator('.spot[data-bet="ante"]').first).to_contain_text("25.00")
    close_bets(page, "Baobab")
    page.locator('[data-choice="fold"]:enabled').click()
    results(page)
    to_my_rounds(page)
    expect(page.locator('[data-test="total"]')).to_contain_text("−25.00")
    row = page.locator("tr[data-round]")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("−25.00")
    expect(page.get_by_role("heading", name="By session")).to_be_visible()
    middles = row.locator("th, td:nth-child(2), td:last-child").all()
    tops = [cell.evaluate("e => getComputedStyle(e).verticalAlign") for cell in middles]
    assert tops == ["middle"] * 3
    for link in row.get_by_role("link").all():
        box = link.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    fits(page, "my-rounds")
    row.get_by_role("link", name="Receipt").click()
    expect(page.locator("tfoot")).to_contain_text("−25.00")
    expect(page.locator(".proof")).to_contain_text("table/Baobab")
    expect(page.locator(".receipt dl").first).to_contain_text(re.compile(r"Table\s*Baobab\s*Round"))
    expect(page.locator(".receipt dl").first).to_contain_text("Sun International: Casino Hold'Em Poker")
    expect(page.locator(".receipt tbody th")).to_contain_text(re.compile(r"Box \d: Ante loses"))
    expect(page.locator(".receipt .rule").first).to_be_hidden()
    page.locator(".receipt summary").click()
    expect(page.locator(".receipt .rule").first).to_be_visible()
    fits(page, "receipt")


@pytest.mark.parametrize("size", SIZES, ids=["desktop", "small"])
def test_a_loss_limit_is_a_smaller_purse(visit: Visit, size: tuple[int, int]) -> None:
    """A bet beyond it is refused with one sentence; a decision that it does not leave says so; raised, it waits."""
    page = visit(size)
    sit(page, "Orchid")
    to_my_rounds(page)
    set_limits(page, loss="50")
    fits(page, "limits")
    page.go_back()
    sit(page, "Orchid")
    page.locator('[data-chip="25"]').click()
    expect(page.locator(".tray .careful")).to_contain_text("your loss limit leaves 25.00")  # before the bet
    ante = page.locator('.spot[data-bet="ante"]').first
    ante.click()
    expect(ante).to_contain_text("25.00")
    expect(page.locator(".tray .careful")).to_contain_text("your loss limit leaves 25.00, playing on may take 100.00")
    expect(page.locator(".tray .careful")).to_contain_text("fold and lose 25.00")
    expect(page.locator("[data-mine] .careful")).to_have_text("25.00 left, up to 100.00 needed")
    page.locator('[data-chip="100"]').click()
    ante.click()
    expect(page.locator(".toast.refusal").last).to_contain_text("your limit is 50.00")
    close_bets(page, "Orchid")
    bets = page.locator('[data-choice="flop"]')
    expect(bets).to_be_disabled()
    expect(bets).to_contain_text("Your loss limit leaves 25.00")
    fits(page, "limit-decision")
    page.locator('[data-choice="fold"]:enabled').click()
    results(page)
    to_my_rounds(page)
    set_limits(page, loss="500")
    expect(page.locator(".limits")).to_contain_text("Until then: 50.00. 500.00 from")


def test_a_limit_says_its_format(visit: Visit) -> None:
    """Letters in the field of an amount: the browser's bubble says what an amount looks like; 0 is refused too."""
    page = visit(SIZES[1])
    sit(page, "Orchid")
    to_my_rounds(page)
    page.get_by_label("Loss limit").fill("lots")
    page.get_by_role("button", name="Set my limits").click()
    said = page.get_by_label("Loss limit").evaluate("field => field.validationMessage")
    assert said == "An amount such as 50.00"
    for label, zero in (("Loss limit", "0"), ("Loss limit", "0.00"), ("Time limit", "0")):
        page.get_by_label("Loss limit").fill("")
        page.get_by_label(label).fill(zero)
        page.get_by_role("button", name="Set my limits").click()
        said = page.get_by_label(label).evaluate("field => field.validationMessage")
        assert said == "0 is not a limit. Leave the field empty for no limit."
    expect(page.locator(".toast")).to_have_count(0)
    page.get_by_label("Time limit").fill("")
    set_limits(page, loss="50")
    page.get_by_role("link", name="Tables", exact=True).click()
    expect(page.locator(".toast")).to_have_count(0)


def test_a_player_declines_to_show_a_hand(visit: Visit) -> None:
    """After a question, which names what it loses as the fold does; then the felt says so, and the page does not ask
    again.
    """
    page = visit(SIZES[1])
    sit(page, "Orchid")
    lay(page, 3, ante=25)
    close_bets(page, "Orchid")
    page.get_by_role("button", name="Decline to show, lose 25.00").wait_for()
    assert not page.evaluate(CROSSES, [".seat .number", ".seat .laid-card"]), "the numbers of the boxes are read"
    page.get_by_role("button", name="Decline to show, lose 25.00").click()
    dialog = page.get_by_role("dialog", name="Decline to show the hand of box 3?")
    expect(dialog).to_contain_text("not compared with the dealer's: you lose 25.00. Rules:")
    fits(page, "decline")
    dialog.get_by_role("button", name="Decline to show, lose 25.00").click()
    expect(page.locator("[data-mine] .note")).to_have_text("Declined to show")
    expect(dialog).to_be_hidden()
    expect(page.locator('[data-move="refuse_reveal"]')).to_have_count(0)
    page.locator('[data-choice="fold"]:enabled').click()
    expect(page.locator(".seat.active .number")).to_have_text("3")
    results(page)
    expect(page.locator(".outcome h2 b")).to_have_class("down")
    page.locator(".session .pays summary").click()
    says = (
        "Ante, Flop, Turn and River pay 1 to 1 where your hand is better than the Dealer's. With less than a Straight"
    )
    expect(page.locator('[data-test="even"]')).to_contain_text(says)
    page.locator(".glossary summary").click()
    expect(page.locator(".glossary")).to_contain_text("Gold bar under it: one of your five.")
    page.get_by_role("link", name="Rules of this game").click()
    expect(page.locator(".choose nav")).to_be_hidden()
    expect(page.locator(".facts").first).to_be_visible()


def test_a_guest_with_few_chips_takes_more(visit: Visit) -> None:
    """The button comes below 200.00, and not before."""
    page = visit(SIZES[1])
    sit(page, "Orchid")
    more = page.locator('[data-tool="demo-chips"]')
    expect(more).to_have_count(0)
    for box in (3, 4):
        lay(page, box, ante=500)
    expect(more).to_be_visible()
    fits(page, "demo-chips")
    more.click()
    expect(page.locator('[data-test="balance"]')).to_have_text("1,000.00")
    expect(more).to_have_count(0)
    page.locator('[data-tool="clear"]').click()
    expect(page.locator('[data-test="balance"]')).to_have_text("2,000.00")


@pytest.mark.parametrize("size", SIZES, ids=["desktop", "small"])
def test_a_reality_check_comes_when_it_is_due_and_goes_when_it_is_seen(visit: Visit, size: tuple[int, int]) -> None:
    """It says since when it counts and how the player stands; here the page's clock is ten minutes ahead."""
    page = visit(size)
    sit(page, "Baobab")
    to_my_rounds(page)
    set_limits(page, check="10")
    page.go_back()
    sit(page, "Baobab")
    page.locator('[data-chip="25"]').click()
    page.locator('.spot[data-bet="ante"]').first.click()
    expect(page.locator('.spot[data-bet="ante"]').first).to_contain_text("25.00")
    to_my_rounds(page)
    notice = page.locator("reality-check [role=alert]")
    expect(notice).to_have_count(0)
    page.evaluate("() => { const now = performance.now.bind(performance); performance.now = () => now() + 630_000; }")
    expect(notice).to_contain_text("Since your limits began to count, 10 minutes ago: −25.00.")
    fits(page, "reality-check")
    notice.get_by_role("button", name="I have seen it, play on").click()
    expect(notice).to_have_count(0)
    close_bets(page, "Baobab")  # the bet is not left on a box that the next test may want


def test_another_tab_and_the_lobby_know_the_same_round(visit: Visit) -> None:
    """A hand that waits is the player's turn in the lobby, with the seconds; settled, it is in the session of another
    tab that was open all the time, as "My rounds" has it.
    """
    page = visit(SIZES[1])
    sit(page, "Orchid")
    other = page.context.new_page()
    other.goto(page.url.replace("Orchid", "Baobab"))
    figures = other.get_by_role("complementary", name="Your session").locator("dd")
    expect(figures.nth(2)).to_have_text("0")
    lay(page, 3, ante=25)
    close_bets(page, "Orchid")
    page.locator('[data-choice="fold"]:enabled').wait_for()
    page.get_by_role("link", name="Tables", exact=True).click()
    back = page.locator('[data-test="way-back"]')
    expect(back).to_contain_text(re.compile(r"Your turn: \d+ s"))
    expect(back).to_contain_text("you lose 25.00")
    expect(back).not_to_contain_text("No more bets")
    fits(page, "way-back")
    back.click()
    page.locator('[data-choice="fold"]:enabled').click()
    results(page)
    for at in (page, other):
        figures = at.get_by_role("complementary", name="Your session").locator("dd")
        expect(figures.nth(1)).to_have_text("−25.00")
        expect(figures.nth(2)).to_have_text("1")
        expect(at.locator(".session .played")).to_contain_text("Orchid, round")


def test_a_free_box_that_the_rules_leave_to_others_does_not_look_free(visit: Visit) -> None:
    """sun-casino-holdem: one box for each player; once it is taken, no other is called free."""
    page = visit(SIZES[0])
    sit(page, "Baobab")
    free = page.get_by_role("button", name=re.compile(r"^Box \d: free$"))
    expect(free.first).to_be_visible()
    lay(page, 3, ante=25)
    expect(page.locator(".block.closed").first).to_be_visible()
    expect(free).to_have_count(0)
    expect(page.locator(".block.used.closed")).to_have_count(0)
    shoot(page, "one-box")
    page.locator('[data-tool="clear"]').click()
    expect(page.locator(".closed")).to_have_count(0)


def test_a_reality_check_waits_for_the_end_of_the_round_and_moves_nothing(visit: Visit) -> None:
    """In the middle of a decision it does not come; before the next bets it is in the dock in the place of the chips,
    and the felt stays.
    """
    page = visit((390, 844))
    sit(page, "Orchid")
    to_my_rounds(page)
    set_limits(page, check="10")
    page.go_back()
    sit(page, "Orchid")
    lay(page, 3, ante=25)
    close_bets(page, "Orchid")
    fold = page.locator('[data-choice="fold"]:enabled')
    fold.wait_for()
    felt = "document.querySelector('felt-table').getBoundingClientRect().top"
    before = page.evaluate(felt)
    later = "() => { const now = performance.now.bind(performance); performance.now = () => now() + 630_000; }"
    page.evaluate(later)
    notice = page.locator("reality-check [role=alert]")
    page.wait_for_timeout(1500)
    expect(notice).to_have_count(0)
    fold.click()
    expect(page.locator(".rail .result")).to_contain_text("You lose 25.00")
    expect(notice).to_have_count(0)
    sit(page, "Orchid")
    page.evaluate(later)  # the account that came with the settlement has set the time anew
    expect(notice).to_contain_text("Since your limits began to count, 10 minutes ago")
    assert page.evaluate(felt) == before
    assert page.locator(".stage-betting").count() == 1
    expect(page.locator(".pick").first).to_be_hidden()
    for size in ((390, 844), (320, 640), (844, 390), (640, 320)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(notice.get_by_role("button")).to_be_in_viewport(ratio=1)
        expect(notice.get_by_role("link")).to_be_in_viewport(ratio=1)
    notice.get_by_role("button", name="I have seen it, play on").click()
    expect(notice).to_have_count(0)
