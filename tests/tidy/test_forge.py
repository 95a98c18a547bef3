"""What a public forge runs is what a developer runs: the workflows, the hooks before a commit, and releases by tag."""

from __future__ import annotations

import re
import shlex
import tomllib

import pytest
import yaml

from tests.calling import ROOT
from tools import release_notes
from tools.release_notes import NoRelease, notes

WORKFLOWS = ROOT / ".github" / "workflows"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def test_the_workflow_runs_the_gate_on_every_declared_python_and_on_macos() -> None:
    """Those of the classifiers, with caches."""
    job = yaml.safe_load((WORKFLOWS / "checks.yml").read_text(encoding="utf-8"))["jobs"]["test"]
    matrix = job["strategy"]["matrix"]
    declared = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text())
    assert matrix["python"] == declared
    assert [one["system"] for one in matrix["include"]] == ["macos-latest"]
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    assert sum("cache" in str(step.get("with", step)) for step in job["steps"]) == 3


def test_every_target_of_a_workflow_is_in_the_makefile() -> None:
    """And every script that it runs is in the tree."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for file in WORKFLOWS.glob("*.yml"):
        text = file.read_text(encoding="utf-8")
        for line in re.findall(r"run: make (.+)", text):
            assert {word for word in line.split() if "=" not in word} <= targets
        for script in re.findall(r"python (tools/\S+)|run: (\.ci/\S+)|file: (deploy/\S+)", text):
            assert (ROOT / "".join(script)).is_file()


def test_hooks_before_a_commit_run_what_the_gate_runs() -> None:
    """Each is a line of `make check`, a target, or a part of the tests."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("$(BIN)/", "")
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    for hook in repository["hooks"]:
        program, *rest = shlex.split(hook["entry"].removeprefix(".venv/bin/"))
        match program:
            case "make":
                assert f"\n{rest[0]}: " in makefile
            case "python":
                assert (ROOT / rest[-1]).is_file()
            case _:
                assert re.search(rf"^\t{program}( {rest[0]})?" if rest else rf"^\t{program}$", makefile, re.MULTILINE)


def test_a_release_says_what_the_changelog_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of its own version alone; a tag of another one, or a version without a word, is refused."""
    said = notes(f"v{VERSION}")
    assert said.strip()
    assert said in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "\n## " not in said
    with pytest.raises(NoRelease, match=r"^The tag v9\.9\.9 is not that of this version"):
        notes("v9.9.9")
    monkeypatch.setattr(release_notes, "version", lambda: "9.9.9")
    with pytest.raises(NoRelease, match=r"^CHANGELOG\.md says nothing about 9\.9\.9\.$"):
        notes("v9.9.9")
