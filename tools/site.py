"""Assemble the pages of the documentation site, and check the links of the built one.

    python tools/site.py assemble dist/pages
    python tools/site.py check dist/site

The pages are those of `docs`, with the project's own beside them. A link to a file of the source tree leads to a copy
of it, one to a folder becomes plain text, and the page of the Python API gets a reference of every public module.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
OUTSIDE: Mapping[str, str] = {
    "README.md": "index.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "SECURITY.md": "SECURITY.md",
    "LICENSE": "LICENSE.txt",
    "deploy/README.md": "deploy/README.md",
}
"""Pages that stand beside `docs`, and their place in the site."""
SOURCES = "source"
"""Where copies of other files of the tree go."""
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#]*)(#[^)\s]*)?\)")
_FENCED = re.compile(r"(^ *```.*?^ *```$)", re.MULTILINE | re.DOTALL)
_PUBLIC = re.compile(r"^\| `(croupier\.[a-z_.]+)` \|", re.MULTILINE)


def public_modules() -> list[str]:
    """Return the modules that the page of the Python API declares public."""
    return _PUBLIC.findall((ROOT / "docs" / "python.md").read_text(encoding="utf-8"))


def assemble(pages: Path) -> None:
    """Write every page and picture into a new folder."""
    shutil.rmtree(pages, ignore_errors=True)
    for file in sorted((ROOT / "docs").rglob("*")):
        if file.is_file():
            _put(file, pages / file.relative_to(ROOT / "docs"), pages)
    for name, place in OUTSIDE.items():
        _put(ROOT / name, pages / place, pages)
    with (pages / "python.md").open("a", encoding="utf-8") as page:
        page.write("\n## Reference\n" + "".join(f"\n::: {module}\n" for module in public_modules()))


def _put(file: Path, target: Path, pages: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix != ".md":
        shutil.copyfile(file, target)
        return
    parts = _FENCED.split(file.read_text(encoding="utf-8"))
    parts[::2] = [_LINK.sub(lambda link: _relinked(link, file, target, pages), part) for part in parts[::2]]
    target.write_text("".join(parts), encoding="utf-8")


def _relinked(link: re.Match[str], file: Path, target: Path, pages: Path) -> str:
    """Point a link to where its file is in the site."""
    picture, text, path, anchor = link[1], link[2], link[3], link[4] or ""
    if not path or urlsplit(path).scheme:
        return link[0]
    meant = (file.parent / path).resolve()
    if meant.is_dir():
        return text
    place = _place(meant, pages)
    return f"{picture}[{text}]({Path(os.path.relpath(place, target.parent)).as_posix()}{anchor})"


def _place(meant: Path, pages: Path) -> Path:
    """Return where a file of the tree is in the site; a file that is not a page is copied."""
    name = meant.relative_to(ROOT).as_posix()
    if name in OUTSIDE:
        return pages / OUTSIDE[name]
    if name.startswith("docs/"):
        return pages / name.removeprefix("docs/")
    copy = pages / SOURCES / f"{name}.txt"
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(meant, copy)
    return copy


# ---------------------------------------------------------------- links of the built site


class _Page(HTMLParser):
    """What a page links to, and what can be linked to in it."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.anchors.update(value for name in ("id", "name") if (value := told.get(name)))
        self.links += [value for name in ("href", "src") if (value := told.get(name)) and tag != "base"]


def broken_links(site: Path) -> Iterator[str]:
    """Yield every link of a built site that leads nowhere in it; other sites are not asked."""
    read: dict[Path, _Page] = {}
    for file in sorted(site.resolve().rglob("*.html")):
        page = read[file] = _Page()
        page.feed(file.read_text(encoding="utf-8"))
    for file, page in read.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or file.name == "404.html":
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            target = target / "index.html" if target.is_dir() else target
            anchor = unquote(parts.fragment)
            if not target.is_file():
                yield f"{file.relative_to(site.resolve())}: {link} leads to no file"
            elif anchor and target in read and anchor not in read[target].anchors and not anchor.startswith("__"):
                yield f"{file.relative_to(site.resolve())}: {link} leads to no heading"


def main(arguments: list[str]) -> int:
    """Assemble, or check."""
    match arguments:
        case ["assemble", folder]:
            assemble(Path(folder))
            return 0
        case ["check", folder]:
            found = list(broken_links(Path(folder)))
            print("\n".join(found) or f"{folder}: every link leads somewhere.")
            return 1 if found else 0
        case _:
            print("usage: python tools/site.py assemble|check FOLDER", file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
