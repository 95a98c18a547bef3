"""The tree: modules say what they are, links lead somewhere, and nothing of one machine is left in a file."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import croupier

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
MADE = {".git", ".venv", "__pycache__", "node_modules", "dist", "build", ".mypy_cache", ".ruff_cache"}
MADE |= {".pytest_cache", ".hypothesis", ".import_linter_cache", "htmlcov"}
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
# Written in pieces, so that this file does not hold what it looks for.
MACHINE_PATH = re.compile(
    r"(?<![\w./-])/(?:" + "|".join(("work", "root", "farm", "tmp/" + "bash")) + r")(?:[/ ]|_jobs)"
)
REGISTRIES = [f"{name}.{end}" for name, end in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"))]
REGISTRIES += [f"{name}.{end}" for name, end in (("npmjs", "com"), ("yarnpkg", "com"), ("anaconda", "org"))]


def name(path: Path) -> str:
    """The path as a reader of the project writes it."""
    return path.relative_to(ROOT).as_posix()


def texts() -> Iterator[tuple[Path, str]]:
    """Every text file of the project, without what the tools have made."""
    waiting = [ROOT]
    while waiting:
        for path in sorted(waiting.pop().iterdir()):
            if path.name in MADE or path.is_symlink():
                continue
            if path.is_dir():
                waiting.append(path)
                continue
            try:
                yield path, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue  # a picture or another binary file


def docstring(path: Path) -> str:
    """What the module says of itself."""
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_every_module_says_what_it_is(path: Path) -> None:
    """A package also says, in a second sentence, what it must not know."""
    says = docstring(path)
    sentences = re.findall(r"\S[.!?](?=\s|$)", says)
    assert len(says.split()) >= 2
    assert len(sentences) >= (2 if path.name == "__init__.py" else 1)


def test_no_file_holds_a_path_of_one_machine() -> None:
    """The same tree works wherever it is cloned to."""
    found = [name(path) for path, text in texts() if MACHINE_PATH.search(text)]
    assert found == []


def test_no_file_holds_the_host_name_of_a_registry() -> None:
    """Where packages come from is a setting of the machine; the lock file pins what they are."""
    found = [name(path) for path, text in texts() if any(host in text for host in REGISTRIES)]
    assert found == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_relative_link_of_a_page_leads_to_a_file(page: Path) -> None:
    """Links to other sites are not followed."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [target.partition("#")[0] for target in LINK.findall(text) if "://" not in target]
    missing = [target for target in targets if target and not (page.parent / target).exists()]
    assert missing == []


def anchors(page: Path) -> set[str]:
    """What a link may name after its #: every heading, as readers' programs write it."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_to_a_heading_leads_to_one(page: Path) -> None:
    """A heading that is worded anew takes its links with it."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    parts = [target.partition("#") for target in LINK.findall(text) if "://" not in target]
    named = [(page.parent / path if path else page, anchor) for path, _, anchor in parts if anchor]
    assert [anchor for target, anchor in named if target.suffix == ".md" and anchor not in anchors(target)] == []


def test_every_decision_is_in_the_list_of_decisions() -> None:
    """Under its own title."""
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"^- \[(.+)\]\((.+)\)$", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    pages = sorted(folder.glob("0*.md"))
    titles = [page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ") for page in pages]
    assert listed == [(title, page.name) for title, page in zip(titles, pages, strict=True)]


def test_the_version_is_the_same_wherever_it_stands() -> None:
    """pyproject.toml, the package and the changelog."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert croupier.__version__ == version
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[?{re.escape(version)}\]?", changelog, flags=re.MULTILINE)


def pins(lock: str) -> dict[str, str]:
    """Return the packages of a lock file that have a hash, each with its version."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+) \\\n    --hash=sha256:", text, flags=re.MULTILINE))


def test_the_lock_file_pins_every_dependency_with_a_hash() -> None:
    """What `pyproject.toml` asks for, and what an editable install builds with, is in requirements.lock."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = [*project["project"]["dependencies"], *project["build-system"]["requires"], "editables"]
    extras = project["project"]["optional-dependencies"]
    for group in extras.keys() - {"docs"}:
        asked += extras[group]
    assert {re.split(r"[<>=!~\[; ]", wanted)[0].lower() for wanted in asked} - pins("requirements.lock").keys() == set()
    assert {re.split(r"[<>=!~\[; ]", wanted)[0] for wanted in extras["docs"]} - pins(
        "requirements-docs.lock"
    ).keys() == set()


@pytest.mark.parametrize("lock", ["requirements-docs.lock", "requirements-house.lock"])
def test_the_smaller_locks_agree_with_the_whole_one(lock: str) -> None:
    """A house and its tests run on the same versions."""
    whole = pins("requirements.lock")
    assert {name: version for name, version in pins(lock).items() if whole.get(name, version) != version} == {}
