"""Every edition of a rule document that is installed: the five built in, and rulebook folders from outside.

An edition is a game and a version, `mbs-megalink-holdem@9`. A game's plain name means the built-in edition, or the
newest one of a game that is not built in, so that installing a folder changes no table that does not name it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from types import MappingProxyType

import msgspec

from croupier.rulebooks.documents.document_text import DocumentText, built_in_text

BUILT_IN: Mapping[str, int] = MappingProxyType(
    {
        "rws-multilink-holdem": 2,
        "rws-multilink-three-card": 4,
        "mbs-megalink-holdem": 9,
        "rws-progressive-holdem": 6,
        "sun-casino-holdem": 1,
    }
)
"""The built-in games and the version of each document; one that states no version is its first."""
GAMES = tuple(BUILT_IN)

DOCUMENT, MODULE, SCRIPTS = "document.toml", "rulebook.py", "scripts"
"""What a rulebook folder holds: the document's text, its declarations, and conformance scripts."""


class UnknownGame(ValueError):
    """No installed rulebook has this name."""


class BadRulebook(ValueError):
    """A rulebook folder that cannot be used; the message names the file and says what is wrong."""


class Edition(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One version of a document that is installed."""

    game: str
    version: int
    revision: int = 0
    """Counts corrections of ours to the same version of the document."""
    title: str = ""
    operator: str = ""
    effective: date | None = None
    based_on: str = ""
    """The edition of which this one says only what changed."""
    folder: str = ""
    """Empty for the editions that are built in."""
    outside_text: DocumentText | None = None
    excused: Mapping[str, str] = {}
    """Paragraphs that command something and that no entry cites, each with the reason."""

    @property
    def name(self) -> str:
        return edition_name(self.game, self.version, self.revision)

    @property
    def text(self) -> DocumentText:
        """Its paragraphs and readings."""
        return built_in_text(self.game) if self.outside_text is None else self.outside_text


def edition_name(game: str, version: int, revision: int = 0) -> str:
    """Return the name of an edition, such as `mbs-megalink-holdem@9`, or `…@9.1` for a first revision of it."""
    return f"{game}@{version}.{revision}" if revision else f"{game}@{version}"


_BUILT_IN = {game: Edition(game=game, version=version) for game, version in BUILT_IN.items()}
_outside: dict[str, Edition] = {}
_searched = False


def editions() -> tuple[Edition, ...]:
    """Return every installed edition: the built-in ones, then those from outside by game and version."""
    _search()
    outside = sorted(_outside.values(), key=lambda each: (each.game, each.version, each.revision))
    return (*_BUILT_IN.values(), *outside)


def edition(name: str) -> Edition:
    """Return an edition by its name or its game's plain name; raises UnknownGame."""
    game, _, version = name.partition("@")
    built_in = _BUILT_IN.get(game)
    if built_in is not None and name in (game, built_in.name):
        return built_in
    of_game = [each for each in editions() if each.game == game]
    found = of_game[-1:] if not version else [each for each in of_game if each.name == name]
    if not found:
        raise UnknownGame(_unknown(name, of_game))
    return found[0]


def _unknown(name: str, of_game: Iterable[Edition]) -> str:
    if versions := ", ".join(each.name for each in of_game):
        return f'The rulebook "{name}" is not installed: of this game there is {versions}.'
    known = list(dict.fromkeys(each.game for each in editions()))
    return f'There is no game "{name}": the games are {", ".join(known)}.'


# ---------------------------------------------------------------- rulebooks from outside


def register(found: Edition) -> Edition:
    """Install an edition from outside; raises BadRulebook where its name is taken."""
    known = _outside.get(found.name) or _BUILT_IN.get(found.game)
    if known is not None and known.name == found.name:
        if known.folder == found.folder:
            return known
        where = f"installed from {known.folder}" if known.folder else "built in"
        says = f"{found.name} is already {where}. Give this one another version."
        raise BadRulebook(f"{found.folder}/{DOCUMENT}: {says}")
    _outside[found.name] = found
    return found


def uninstall(name: str) -> None:
    """Forget an edition from outside."""
    _outside.pop(name, None)


def _search() -> None:
    """Install once what the environment and installed distributions name."""
    global _searched  # noqa: PLW0603  one search for each process
    if not _searched:
        _searched = True
        from croupier.rulebooks.documents.folders import search  # noqa: PLC0415  files are read only for what is not built in

        search()
