"""Measures the display's frames while its meter rolls: `python -m bench.frames [--seconds 10]`.

A real Chromium, a house of its own with bots at five tables, and the time between animation frames as the browser
itself stamps them. Measured, never asserted: a busy machine draws fewer.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from tests.web.browser import find
from tests.web.house import GAMES, TABLE, House

COLLECT = """
(seconds) => new Promise((done) => {
  const [stamps, rolled] = [[], []];
  const figure = document.querySelector(".meter .figure");
  const end = performance.now() + seconds * 1000;
  const frame = (at) => {
    stamps.push(at);
    rolled.push(figure.textContent);
    if (at < end) requestAnimationFrame(frame);
    else done({ stamps, rolled });
  };
  requestAnimationFrame(frame);
})
"""


def main() -> int:
    """Print frames a second, the longest gap, and in how many of the frames the figure had moved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    seconds = parser.parse_args().seconds
    found = find()
    if found is None:
        print("No Chromium on this machine: `python -m tests.web.browser` gets one.")
        return 2
    tables = "".join(TABLE.format(name=name, game=game) for name, game in GAMES.items())
    tables = tables.replace("betting_seconds = 12", "betting_seconds = 5")
    with tempfile.TemporaryDirectory() as folder, House(Path(folder), tables) as house, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage"])
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(f"{house.address}/#/display/main")
        page.locator(".meter .figure:not(:empty)").wait_for()
        before = page.locator(".meter .figure").inner_text()
        page.wait_for_function("t => document.querySelector('.meter .figure').textContent !== t", arg=before)
        told = page.evaluate(COLLECT, seconds)
        browser.close()
    gaps = [later - earlier for earlier, later in zip(told["stamps"], told["stamps"][1:], strict=False)]
    moved = sum(a != b for a, b in zip(told["rolled"], told["rolled"][1:], strict=False))
    print(
        f"{len(gaps) / (sum(gaps) / 1000):.1f} frames a second over {sum(gaps) / 1000:.1f} s at 1920 × 1080: "
        f"median gap {median(gaps):.1f} ms, 99 of 100 within {sorted(gaps)[int(len(gaps) * 0.99)]:.1f} ms, "
        f"longest {max(gaps):.1f} ms; the figure moved in {moved} frames."
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
