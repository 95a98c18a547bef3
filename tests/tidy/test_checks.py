"""The gate itself as tests: format, lint, strict types and import arrows, each run as `make check` runs it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(sys.executable).parent
RULEBOOKS = sorted(ROOT.glob("examples/rulebooks/*/rulebook.py"))
"""Each module has the same name, so a run of the type checker takes one of them."""


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["ruff", "format", "--check", "."], id="format"),
        pytest.param(["ruff", "check", "."], id="lint"),
        pytest.param(["mypy"], id="types"),
        *(pytest.param(["mypy", str(module)], id=f"types of {module.parent.name}") for module in RULEBOOKS),
        pytest.param(["lint-imports"], id="import-arrows"),
    ],
)
def test_the_whole_tree_passes(command: list[str]) -> None:
    """What a program finds is shown as it prints it."""
    program, *arguments = command
    done = subprocess.run(
        [str(PROGRAMS / program), *arguments], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
