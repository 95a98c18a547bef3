"""The documentation site: every page has its place, public modules are declared, commands of tutorials exist."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import click
import pytest
import yaml

from croupier.cli import cli
from tools.site import ROOT, assemble, broken_links, public_modules

TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
LINK = re.compile(r"(?<!`)\]\(([^)\s#]+)")


class Settings(yaml.SafeLoader):
    """Read the site's settings, where a function stands for how headings are named."""


Settings.add_multi_constructor("tag:yaml.org,2002:python/", lambda loader, suffix, node: suffix)


def test_every_page_is_in_the_site_and_in_its_menu(tmp_path: Path) -> None:
    """Links of the assembled pages lead to files, also where the tree has them elsewhere."""
    assemble(tmp_path / "pages")
    told = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Settings)
    pages = {page.relative_to(tmp_path / "pages").as_posix() for page in (tmp_path / "pages").rglob("*.md")}
    menu = re.findall(r"'([^']+\.md)'", repr(told["nav"]))
    assert sorted(menu) == sorted(page for page in pages if not re.match(r"decisions/0|examples/", page))
    for page in sorted(pages):
        text = re.sub(r"```.*?```", "", (tmp_path / "pages" / page).read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in LINK.findall(text):
            assert "://" in target or (tmp_path / "pages" / page).parent.joinpath(target).is_file(), f"{page}: {target}"


def test_a_broken_link_of_the_built_site_is_found(tmp_path: Path) -> None:
    """To a file, or to a heading; one that holds is not."""
    (tmp_path / "index.html").write_text(
        '<h1 id="a">x</h1><a href="#a"></a><a href="b.html#c"></a><a href="d.html"></a>'
    )
    (tmp_path / "b.html").write_text('<a href="./index.html#a"></a><img src="https://elsewhere.invalid/x.png">')
    assert list(broken_links(tmp_path)) == [
        "index.html: b.html#c leads to no heading",
        "index.html: d.html leads to no file",
    ]


@pytest.mark.parametrize("name", public_modules())
def test_a_public_module_declares_what_it_offers(name: str) -> None:
    """Every name exists; functions and classes say what they are."""
    module = importlib.import_module(name)
    assert module.__doc__
    assert len(set(module.__all__)) == len(module.__all__)
    for offered in module.__all__:
        value = getattr(module, offered)
        if callable(value) and getattr(value, "__module__", "").startswith("croupier"):
            assert value.__doc__, offered


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_every_command_of_a_tutorial_exists(page: Path) -> None:
    """With the options that it names; and a tutorial stays a short one."""
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Five minutes ")
    assert len(text.splitlines()) <= 30
    for line in re.findall(r"(?:^|`| )croupier ((?:--rulebooks \S+ )?[a-z].*?)(?:`|$)", text, re.MULTILINE):
        words = [word for word in line.removeprefix("--rulebooks mbs-10 ").split() if word]
        command: click.Command | None = cli
        context = click.Context(cli)
        while isinstance(command, click.Group) and words:
            command = command.get_command(context, words.pop(0))
        assert command is not None, line
        options = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options, line


def test_there_is_a_tutorial_for_every_role() -> None:
    assert [page.stem for page in TUTORIALS] == [
        "auditor", "dealer", "developer", "mathematician", "operator", "pit", "player", "rules-author",
    ]  # fmt: skip
