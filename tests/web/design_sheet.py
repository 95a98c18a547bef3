"""Draws the pictures of docs/design from the running client: `python -m tests.web.design_sheet`."""

from __future__ import annotations

import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.browser import find
from tests.web.conftest import SWITCHES, log_in
from tests.web.house import GAMES, TABLE, House
from tests.web.playing import SIDE, close_bets
from tests.web.screens import SCREENS, SIZES

PICTURES = Path(__file__).parents[2] / "docs" / "design" / "pictures"
HIGH = 320
"""The height of one screen on a sheet, in pixels."""
GAP = 6
SHEET_OF_CARDS = """() => {
  const cards = [...'shdc'].map(suit => [...'A23456789TJQK'].map(rank => {
    const text = `<text x="12" y="25" text-anchor="middle" class="corner">${rank === 'T' ? 10 : rank}</text>`;
    const pip = `<use href="#pip-${suit}" x="5" y="29" width="14" height="14"/>`;
    const tail = rank === 'Q' ? '<path d="M12.500 19.500L18.500 28l3.500-1.800L16 19z"/>' : '';
    const corner = `${text}${tail}${pip}<g transform="rotate(180 50 70)">${text}${tail}${pip}</g>`;
    const face = `<use href="#face-${rank}${suit}" width="100" height="140"/>`;
    const paper = '<rect class="paper" x="1" y="1" width="98" height="138" rx="9"/>';
    return `<svg class="card full" viewBox="0 0 100 140">${paper}
      <g class="ink ${suit}">${corner}${face}</g></svg>`;
  }).join('')).join('');
  document.body.innerHTML = `<div style="display:grid;grid-template-columns:repeat(13,max-content);gap:8px;padding:12px;
    --card-w:92px;--card-h:129px">${cards}</div>` + document.querySelector('.card-art').outerHTML;
}"""


def screen(page: Page) -> Image.Image:
    return Image.open(BytesIO(page.screenshot())).convert("RGB")


def at_every_size(page: Page) -> list[Image.Image]:
    """Return the page at every size; the page keeps its place in the round."""
    taken = []
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(500)
        taken.append(screen(page))
    page.set_viewport_size({"width": SIZES["desktop"][0], "height": SIZES["desktop"][1]})
    return taken


def sheet(rows: list[list[Image.Image]], name: str) -> None:
    """Save rows of screens side by side, in few colours."""
    small = [
        [i.resize((round(i.width * HIGH / i.height), HIGH), Image.Resampling.LANCZOS) for i in row] for row in rows
    ]
    wide = max(sum(i.width + GAP for i in row) for row in small)
    whole = Image.new("RGB", (wide, len(rows) * (HIGH + GAP)))
    for y, row in enumerate(small):
        x = 0
        for image in row:
            whole.paste(image, (x, y * (HIGH + GAP)))
            x += image.width + GAP
    PICTURES.mkdir(parents=True, exist_ok=True)
    whole.quantize(200, Image.Quantize.MAXCOVERAGE).save(PICTURES / f"{name}.png", optimize=True)


def play(browser: Browser, house: House, table: str) -> list[list[Image.Image]]:
    """Play a round at one table: its bets, its first decision and its end, each at every size."""
    page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page.goto(f"{house.address}/#/")
    page.locator(f'a[href="#/table/{table}"]').click()
    for bet, chip in {"ante": 25, "jackpot": 5, SIDE.get(table, ""): 10}.items():
        if bet:
            page.locator(f'[data-chip="{chip}"]').click()
            page.locator(f'.spot[data-bet="{bet}"]').click()
            page.locator(f'.spot.laid[data-bet="{bet}"]').wait_for()
    rows = [at_every_size(page)]
    close_bets(page, table)
    page.locator("[data-choice]:enabled").first.wait_for()
    rows.append(at_every_size(page))
    while not page.locator('[data-test="results"]').count():
        bold = page.locator('[data-choice]:enabled:not([data-choice="fold"])').first
        if bold.count():
            bold.click()
        page.wait_for_timeout(200)
    rows.append(at_every_size(page))
    page.close()
    return rows


def screens(browser: Browser, house: House) -> list[list[Image.Image]]:
    """Open every screen as whoever it is for, at every size."""
    rows = []
    for person, route, there in SCREENS.values():
        page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        page.goto(f"{house.address}/#/")
        if person:
            log_in(page, person)
        page.goto(f"{house.address}/{route}")
        page.locator(there).first.wait_for()
        rows.append(at_every_size(page))
        page.close()
    return rows


def main() -> None:
    """Draw the deck, every screen, and every game in three phases, at five sizes."""
    patient = (
        TABLE.replace("pause_seconds = 6", "pause_seconds = 3600").replace("= 75", "= 3600").replace("= 60", "= 3600")
    )
    tables = "".join(patient.format(name=name, game=game) for name, game in GAMES.items())
    with House(Path(tempfile.mkdtemp()), tables) as house, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=[*SWITCHES])
        page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        page.goto(f"{house.address}/#/")
        page.locator(".table-card").first.wait_for()
        page.set_viewport_size({"width": 1330, "height": 566})
        page.evaluate(SHEET_OF_CARDS)
        sheet([[screen(page)]], "cards")
        with House(Path(tempfile.mkdtemp())) as usual:
            sheet(screens(browser, usual), "screens")
        for table in GAMES:
            sheet(play(browser, house, table), GAMES[table])
        browser.close()


if __name__ == "__main__":
    main()
