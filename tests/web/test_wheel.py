"""The wheel carries the built client: an empty environment, no Node, no source tree, no lab."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from playwright.sync_api import expect

from croupier.floor.server.app import STATIC
from tests.patience import PATIENCE
from tests.web.conftest import PHONE, Visit, cannot, shoot
from tests.web.house import free_port

ROOT = Path(__file__).parents[2]


def needed() -> set[str]:
    """Everything that croupier without extras needs, and what that needs."""
    found: set[str] = set()
    asked = [Requirement(text) for text in distribution("croupier").requires or []]
    while asked:
        wanted = asked.pop()
        name = canonicalize_name(wanted.name)
        if (wanted.marker is not None and not wanted.marker.evaluate({"extra": ""})) or name in found:
            continue
        found.add(name)
        asked += [Requirement(text) for text in distribution(name).requires or []]
    return found


def locked(names: set[str]) -> str:
    """The lines of the lock file about these, with their hashes."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = re.findall(r"^([A-Za-z0-9_.-]+)(==.*(?:\n    --hash=.*)+)", text, re.MULTILINE)
    kept = [f"{name}{rest}" for name, rest in entries if canonicalize_name(name) in names]
    assert len(kept) == len(names), "the lock file has everything that is needed"
    return "\n".join(kept) + "\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that held nothing, with the wheel and what it needs installed."""
    if not (STATIC / "index.html").exists():
        cannot("The client is not built: `python web/build.py` builds it.")
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    subprocess.run([*build, str(folder), str(ROOT)], check=True, capture_output=True)
    (wheel,) = folder.glob("croupier-*.whl")
    venv.create(folder / "empty", with_pip=True)
    programs = folder / "empty" / ("Scripts" if os.name == "nt" else "bin")
    lock = folder / "needed.txt"
    lock.write_text(locked(needed()), encoding="utf-8")
    pip = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    fetched = subprocess.run([*pip, "--require-hashes", "-r", str(lock)], capture_output=True, text=True, check=False)
    if fetched.returncode:
        cannot(f"What the wheel needs cannot be fetched: {fetched.stderr[-500:]}")
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    subprocess.run([str(programs / "python"), "-m", "pip", "check"], check=True, capture_output=True)
    return programs


class Served:
    """`croupier serve --demo` of that environment, with nothing on its path."""

    def __init__(self, address: str) -> None:
        self.address = address


@pytest.fixture(scope="module")
def served(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    port = free_port()
    folder = tmp_path_factory.mktemp("served")
    command = [str(installed / "croupier"), "serve", "--demo", "--port", str(port), "--database", "sqlite:///w.db"]
    environment = {key: value for key, value in os.environ.items() if key not in ("PATH", "PYTHONPATH")}
    server = subprocess.Popen(command, cwd=folder, env={**environment, "PATH": ""}, stdout=subprocess.DEVNULL)
    try:
        yield Served(f"http://127.0.0.1:{port}")
    finally:
        server.kill()
        server.wait()


def test_the_environment_holds_the_wheel_alone(installed: Path) -> None:
    """No source tree and no lab: croupier comes from the environment itself, numba from nowhere."""
    asks = "import croupier, importlib.util as u; print(croupier.__file__); print(u.find_spec('numba'))"
    command = [str(installed / "python"), "-I", "-c", asks]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=installed).stdout.splitlines()
    assert Path(said[0]).is_relative_to(installed.parent)
    assert said[1] == "None"


def test_it_serves_the_client_where_there_is_no_node(served: Served) -> None:
    """`croupier serve --demo` hands out page, script and style, and the five games are open."""
    page = _read(f"{served.address}/")
    assert "croupier-app" in page
    script, style = re.findall(r'(?:src|href)="(/(?:app\.js|style\.css)[^"]*)"', page)[::-1]
    assert "croupier-app" in _read(f"{served.address}{script}")
    assert "--felt" in _read(f"{served.address}{style}")
    assert len({table["game"] for table in json.loads(_read(f"{served.address}/api/lobby"))["tables"]}) == 5


def test_without_the_lab_the_page_says_what_is_missing(visit: Visit, served: Served) -> None:
    """The table plays; where the house edge would stand, one sentence says what to install."""
    _read(f"{served.address}/")
    page = visit(PHONE, at=served)
    page.locator('a[href="#/table/Baobab"]').click()
    expect(page.locator('[data-test="edge"]')).to_contain_text("install croupier with its extra [lab]")
    shoot(page, "without-lab")


def _read(address: str) -> str:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
                return str(answer.read().decode())
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
