"""The self-check: a wheel's installed files against its record, a source tree without one, and what `version` says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from croupier import __version__, installation
from croupier.cli.operations import serve
from croupier.floor.server.process import self_check
from croupier.floor.server.process.self_check import ChangedFiles, log_installation, refuse_changed_files
from croupier.floor.server.settings import Settings
from croupier.installation import Changed, Installation, installation_against, installation_at, packages
from croupier.journal.store import SCHEMA_VERSION
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.catalogue.fingerprint import readings_hash, rulebook_hash
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.readings import Readings
from tests.calling import ROOT, Call, is_one_line
from tools.sbom import bill, pinned

CHANGED = Installation(record="wheel", files=2, sha256="0" * 64, changed=(Changed("croupier/money.py", "changed"),))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, built as `make wheel` builds it."""
    folder = tmp_path_factory.mktemp("dist")
    built = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(built, cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture
def package(wheel: Path, tmp_path: Path) -> Path:
    """The wheel, laid out as an installer does."""
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(tmp_path / "site")
    return tmp_path / "site" / "croupier"


def test_a_wheel_as_it_was_installed_is_sound(package: Path, wheel: Path) -> None:
    """Python's compiled files are not in the way, and the wheel itself says the same."""
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "money.cpython-311.pyc").write_bytes(b"compiled")
    found = installation_at(package)
    assert (found.record, found.changed) == ("wheel", ())
    assert found.files > 200
    assert installation_against(wheel, package) == found
    assert str(found) == f"All {found.files} files of the package are as its record has them."


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("money.py", b"# changed", "changed"),
        ("rulebooks/readings.toml", None, "missing"),
        ("cards/extra.py", b"", "added"),
    ],
)
def test_a_changed_missing_or_added_file_is_found(package: Path, name: str, content: bytes | None, what: str) -> None:
    """By its name, and nothing else is."""
    if content is None:
        (package / name).unlink()
    else:
        (package / name).write_bytes(content)
    found = installation_at(package)
    assert found.changed == (Changed(f"croupier/{name}", what),)
    assert f"croupier/{name} is {what}." in str(found)


def test_a_rewritten_record_is_found_by_the_wheel_that_was_kept(package: Path, wheel: Path) -> None:
    """A file and its line of the record changed together are true to each other."""
    (package / "money.py").write_bytes(b"# changed")
    (record,) = package.parent.glob("*.dist-info/RECORD")
    new = installation._digest(package / "money.py", "sha256")
    record.write_text(re.sub(r"(?m)^(croupier/money\.py),[^,]+", rf"\1,{new}", record.read_text()))
    assert installation_at(package).changed == ()
    assert installation_against(wheel, package).changed == (Changed("croupier/money.py", "changed"),)


def test_the_installed_program_checks_itself(package: Path) -> None:
    """A process that runs from the wheel: `version` is 0 and then 1, and a production house does not start."""
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}

    def call(*arguments: str) -> tuple[int, str, str]:
        run = [sys.executable, "-m", "croupier", *arguments]
        done = subprocess.run(run, env=environment, cwd=package.parent, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    code, out, _ = call("version", "--json")
    assert code == 0
    assert json.loads(out)["installation"]["record"] == "wheel"
    (package / "demo" / "README.md").write_text("added")
    code, out, _ = call("version", "--json")
    assert code == 1
    assert json.loads(out)["installation"]["changed"] == [{"file": "croupier/demo/README.md", "what": "added"}]
    code, _, err = call("serve", "--database", "sqlite:///house.db", "--port", "1")
    assert code == 2
    assert is_one_line(err)
    assert "croupier/demo/README.md is added. Install it again, or set allow_changed_files" in err
    assert not (package.parent / "house.db").exists()


def test_a_source_tree_has_no_record_and_that_is_no_alarm(croupier: Call) -> None:
    """As every test runs."""
    found = installation_at(ROOT / "src" / "croupier")
    assert (found.record, found.files, found.changed) == ("none", 0, ())
    done = croupier("version")
    assert done.code == 0
    assert "Croupier runs from a source tree, which has no record of its files, so they were not checked." in done.out


def test_a_production_house_refuses_and_a_demonstration_warns(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Unless the setting says otherwise; the log has one line either way."""
    monkeypatch.setattr(self_check, "check_installation", lambda: CHANGED)
    with pytest.raises(ChangedFiles, match="croupier/money.py is changed. Install it again, or set allow_changed_file"):
        refuse_changed_files(Settings())
    refuse_changed_files(Settings(demo=True))
    refuse_changed_files(Settings(allow_changed_files=True))
    log_installation()
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [("WARNING", str(CHANGED))]


def test_serve_asks_before_it_opens_the_database(
    monkeypatch: pytest.MonkeyPatch, croupier: Call, tmp_path: Path
) -> None:
    """One line, and no new file."""
    monkeypatch.setattr(self_check, "check_installation", lambda: CHANGED)
    monkeypatch.setattr(serve, "open_store", lambda _: pytest.fail("the database was opened"))
    done = croupier("serve", "--database", f"sqlite:///{tmp_path / 'house.db'}")
    assert done.code == 2
    assert is_one_line(done.err)


@pytest.mark.parametrize("content", [None, b"", b"no zip"])
def test_a_file_that_is_not_a_wheel_is_said_in_one_line(content: bytes | None, croupier: Call, tmp_path: Path) -> None:
    """Missing, empty, or something else."""
    if content is not None:
        (tmp_path / "x.whl").write_bytes(content)
    done = croupier("version", "--against", str(tmp_path / "x.whl"))
    assert done.code == 2
    assert is_one_line(done.err)
    assert "x.whl" in done.err


# ---------------------------------------------------------------- version and bill of materials


def test_version_names_program_schema_and_rulebooks(croupier: Call) -> None:
    """The hashes are those that a PAR sheet prints."""
    done = croupier("version", "--json")
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    assert (told["version"], told["schema"]) == (__version__, SCHEMA_VERSION)
    assert [book["game"] for book in told["rulebooks"]] == list(GAMES)
    assert {book["game"]: book["sha256"] for book in told["rulebooks"]} == {g: rulebook_hash(declare(g)) for g in GAMES}
    assert len({book["readings_sha256"] for book in told["rulebooks"]}) == len(GAMES)
    assert readings_hash(GAMES[0]) != readings_hash(GAMES[1])


def test_a_hash_of_a_rulebook_is_the_same_in_every_process() -> None:
    """Whatever order a set has there."""
    script = f"from croupier.rulebooks.catalogue.fingerprint import *; print(*map(edition_hash, {GAMES}))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONHASHSEED": "7"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [rulebook_hash(declare(game)) for game in GAMES]
    other = declare("mbs-megalink-holdem", Readings.of("mbs-megalink-holdem", {"bonus-on-loss": "a"}))
    assert {rulebook_hash(other)}.isdisjoint(done.stdout.split())


def test_every_declared_dependency_is_listed_with_its_version(croupier: Call) -> None:
    """And what those need; nothing that only the tests need."""
    listed = json.loads(croupier("version", "--json").out)["dependencies"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {re.split(r"[<>=\[]", wanted)[0] for wanted in project["dependencies"]}
    assert asked <= listed.keys()
    assert {"h11", "cffi", "psycopg-binary"} <= listed.keys()
    assert all(listed.values())
    assert not {"pytest", "hypothesis", "cyclonedx-bom"} & listed.keys()


def test_the_bill_of_materials_is_valid_and_lists_every_runtime_dependency() -> None:
    """With the versions of the lock file, what depends on what, and no path of a machine; twice the same."""
    # Imported here, because its grammars take longer to build than all modules of the tests to collect.
    from cyclonedx.schema import SchemaVersion  # noqa: PLC0415
    from cyclonedx.validation.json import JsonStrictValidator  # noqa: PLC0415

    text = bill()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    told = json.loads(text)
    listed = {part["name"]: part for part in told["components"]}
    lock = pinned()
    for name, package in packages(extras=False).items():
        assert listed[name]["version"] == lock[name][0]
        assert listed[name]["scope"] == "required"
        assert [h["content"] for h in listed[name]["hashes"]] == sorted(lock[name][1])
        assert package.version
    assert listed["numba"]["scope"] == "optional"
    assert "pytest" not in listed
    graph = {node["ref"]: set(node.get("dependsOn", ())) for node in told["dependencies"]}
    assert f"h11@{lock['h11'][0]}" in graph[f"uvicorn@{lock['uvicorn'][0]}"]
    assert f"cryptography@{lock['cryptography'][0]}" in graph["croupier"]
    assert set().union(*graph.values()) | {"croupier"} == graph.keys()
    assert str(ROOT) not in text
    assert "file:" not in text
    assert bill() == text
