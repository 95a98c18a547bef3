"""One browser and one house for all tests of a worker; each test has a fresh visitor."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

from croupier.floor.server.app import STATIC
from tests.patience import PATIENCE
from tests.web.browser import find
from tests.web.house import STAFFED, House

DESKTOP, PHONE, LANDSCAPE, TABLET = (1366, 900), (390, 844), (844, 390), (820, 1180)
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
SHOTS = Path(__file__).parents[2] / "artefacts" / "screens"
KEEPS_SCREENS = bool(os.environ.get("CROUPIER_TEST_SCREENS"))
"""Whether pictures of the screens are taken, for people to look at."""

THROTTLE = float(os.environ.get("CROUPIER_TEST_THROTTLE", "1"))
"""How many times slower pages run: Chromium imitates a slow machine."""
WAIT = 1000 * PATIENCE
"""Milliseconds that a page is waited for."""
expect.set_options(timeout=WAIT)

SWITCHES = ("--no-sandbox", "--disable-dev-shm-usage")
OFF = (
    # Two pages of Chromium's own address bar, which it loads beside the first page of every visitor.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    # What Playwright switches off: Chromium obeys the last such list alone.
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints"),
    *("NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
)
"""Features of Chromium that no page of ours uses."""

RUN_AXE = """() => {
  if (axe._audit.rules.some(rule => !rule.impact)) throw new Error("a rule of axe has no impact of its own");
  const grave = axe._audit.rules.filter(rule => ["serious", "critical"].includes(rule.impact)).map(rule => rule.id);
  const on = axe.getRules().filter(rule => rule.enabled && grave.includes(rule.ruleId)).map(rule => rule.ruleId);
  return axe.run({ resultTypes: ["violations"], selectors: false, runOnly: on }).then(found => found.violations);
}"""
"""Every rule of axe-core that is on by itself and can find something serious: what a rule finds has the rule's impact.
The others would take a third of the time.
"""

Visit = Callable[..., Page]
SHIFTED = """() => new Promise(done => {
  let sum = 0;
  new PerformanceObserver(list => list.getEntries().forEach(e => sum += e.hadRecentInput ? 0 : e.value))
    .observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(sum), 200);
})"""
SHIFT_MOST = 0.02
"""How far a page may move while it loads, as browsers count layout shift."""


class Served(Protocol):
    """A house that pages come from."""

    address: str


def cannot(why: str) -> None:
    """Skip, except where continuous integration must not: there it fails."""
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    found = find()
    if found is None:
        cannot("No Chromium on this machine: `python -m tests.web.browser` gets one.")
    if not (STATIC / "index.html").exists():
        cannot("The client is not built: `python web/build.py` builds it.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=[*SWITCHES, f"--disable-features={','.join(OFF)}"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture
def fresh_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house of one test's own, where no round of an earlier test is in play; a module that plays makes it its
    `house`.
    """
    with House(tmp_path_factory.mktemp("fresh")) as house:
        yield house


@pytest.fixture
def staffed_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house of one test's own: "Felt" with real cards and "Desk" with a virtual deck, both run by a dealer."""
    with House(tmp_path_factory.mktemp("staffed"), STAFFED) as house:
        yield house


OPEN_PAGES: list[Page] = []
"""Pages of the test that runs now."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show what every page showed when a test failed."""
    report = yield
    if report.when == "call" and report.failed and call.excinfo is not None:
        for page in OPEN_PAGES:
            with contextlib.suppress(Error):
                report.sections.append((page.url, page.locator("body").inner_text(timeout=5000)[:3000]))
    return report


@pytest.fixture
def visit(browser: Browser, house: House) -> Iterator[Visit]:
    """Opens the house's page for somebody new, or for one of the ready-made people, who has logged in already; every
    address it loads must be the server's own.

    A page that is to be silent has nothing to say in the browser's console: no error, no warning.
    """
    contexts: list[BrowserContext] = []
    elsewhere: list[str] = []
    errors: list[str] = []

    def come(
        size: tuple[int, int] = DESKTOP,
        route: str = "",
        at: Served = house,
        *,
        name: str = "",
        language: str = "",
        silent: bool = False,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, has_touch=size[0] < 500, reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        OPEN_PAGES.append(page)
        page.set_default_timeout(WAIT)
        if THROTTLE > 1:
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
        page.on("pageerror", lambda wrong: errors.append(str(wrong)))
        if silent:
            page.on("console", lambda m: errors.append(m.text) if m.type in ("error", "warning") else None)
        page.on("request", lambda r: None if r.url.startswith((at.address, "data:")) else elsewhere.append(r.url))
        if language:
            page.add_init_script(f"localStorage.setItem('croupier.language', '{language}')")
        if name:
            home = enter(context, at, name)
            route = route or home
        page.goto(f"{at.address}/{route or '#/'}")
        return page

    yield come
    OPEN_PAGES.clear()
    for context in contexts:
        context.close()
    assert not elsewhere
    assert not errors


def enter(context: BrowserContext, at: Served, name: str) -> str:
    """Log one of the ready-made people in without the form; return the route on which that person begins."""
    sent = {"name": name, "password": "croupier-demo"}
    assert context.request.post(f"{at.address}/api/login", data=sent).ok, name
    home = context.request.get(f"{at.address}/api/me").json()["home"]
    return "#/" if home == "tables" else f"#/{home}"


def log_in(page: Page, name: str) -> None:
    """By the form, as one of the ready-made people."""
    page.get_by_role("link", name="Log in").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill("croupier-demo")
    page.get_by_role("button", name="Log in").click()
    page.locator(".top .who, .top .icon").first.wait_for()
    until(page, "!location.hash.startsWith('#/login')")


def until(page: Page, holds: str, arg: object = None, timeout: float = WAIT) -> None:
    """Waits until something holds in the page. It is asked from here, again and again: our pages run no text that
    somebody hands them, which is how Playwright's own waiting works.
    """
    ends = time.monotonic() + timeout / 1000
    while not page.evaluate(holds, arg):
        assert time.monotonic() < ends, f"it never came to {holds}"
        page.wait_for_timeout(50)


def shoot(page: Page, name: str) -> None:
    """A picture of the screen among the artefacts of the run, where they are wanted."""
    # A header that sticks lies where the page was scrolled to; a dialog's backdrop covers the window and no more.
    page.evaluate("window.scrollTo(0, 0)")
    if KEEPS_SCREENS:
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}.png", full_page=not page.locator("dialog[open]").count())


def serious(page: Page) -> list[str]:
    """Violations that axe-core calls serious or critical."""
    if not AXE.exists():
        cannot("axe-core is not installed: `python web/build.py --dev` fetches it.")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(RUN_AXE)
    return [
        json.dumps({v["id"]: [node["html"][:200] for node in v["nodes"]], "why": v["nodes"][0]["failureSummary"]})
        for v in found
        if v["impact"] in ("serious", "critical")
    ]
