"""The wheel carries the built client: no Node, no source tree."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

from croupier.floor.server.app import STATIC
from tests.web.conftest import cannot
from tests.web.house import free_port

ROOT = Path(__file__).parents[2]


def test_a_wheel_serves_the_client_where_there_is_no_node(tmp_path: Path) -> None:
    """Built, unpacked elsewhere and run with an empty PATH, `croupier serve --demo` hands out page and script."""
    if not (STATIC / "index.html").exists():
        cannot("The client is not built: `python web/build.py` builds it.")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    subprocess.run([*build, str(tmp_path), str(ROOT)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("croupier-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "installed")
    port = free_port()
    command = [sys.executable, "-m", "croupier", "serve", "--demo", "--port", str(port), "--database", "sqlite:///w.db"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed"), "PATH": ""}
    server = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL)
    try:
        page = _read(f"http://127.0.0.1:{port}/")
        assert "croupier-app" in page
        assert "croupier-app" in _read(f"http://127.0.0.1:{port}/app.js")
    finally:
        server.kill()
        server.wait()


def _read(address: str) -> str:
    until = time.monotonic() + 30
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return str(answer.read().decode())
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
