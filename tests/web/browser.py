"""A Chromium: one of the machine, else Debian's package where we are root, else Playwright's own.

The headless shell is the same browser without windows. It takes a fifth less of a processor for each page.

`python -m tests.web.browser` gets one where there is none; the tests only look for it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """The path of a Chromium on this machine."""
    for path in (os.environ.get("CROUPIER_BROWSER"), *(shutil.which(name) for name in NAMES)):
        if path and Path(path).exists():
            return path
    own = playwrights_own()
    return own if Path(own).exists() else None


def playwrights_own() -> str:
    """Where Playwright keeps the one it has fetched, if it has."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  slow, and only asked where nothing else is found

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def fetch() -> str | None:
    """Get one: by apt where that is ours to do, else from Playwright."""
    apt = shutil.which("apt-get")
    if apt and hasattr(os, "geteuid") and os.geteuid() == 0:
        print("No Chromium here: installing Debian's package ...", flush=True)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run([apt, "update", "-qq"], check=False, env=environment, stdout=subprocess.DEVNULL)
        for package in NAMES[:2]:
            install = [apt, "install", "-y", "-qq", "-o", "DPkg::Lock::Timeout=120", package]
            subprocess.run(install, check=False, env=environment, stdout=subprocess.DEVNULL)
            if found := find():
                return found
    print("No Chromium here: fetching Playwright's own ...", flush=True)
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    return find()


if __name__ == "__main__":
    if find() is None and fetch() is None:
        print("No Chromium can be had: the browser tests will say so and be skipped.")
