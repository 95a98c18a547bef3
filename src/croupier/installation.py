"""The installed package: its files held against the record that its installer wrote, and what it depends on."""

from __future__ import annotations

import base64
import csv
import hashlib
import re
import tomllib
import zipfile
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, distributions
from pathlib import Path, PurePosixPath

import msgspec

_PACKAGE = Path(__file__).resolve().parent
_NAME = _PACKAGE.name
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^\]]*)\])?")
_EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")
_NOT_OF_A_HOUSE = ("docs", "test")
"""Extras for developers of Croupier."""
_SHOWN = 3
"""Most files that a message names."""


class BadWheel(ValueError):
    """The file is not a wheel of this package; the message is one sentence."""


class Changed(msgspec.Struct, frozen=True):
    """One file of the package that is not as the record has it."""

    file: str
    what: str
    """`changed`, `missing` or `added`."""

    def __str__(self) -> str:
        return f"{self.file} is {self.what}"


class Installation(msgspec.Struct, frozen=True, kw_only=True):
    """What a check of the package's files found."""

    record: str
    """`wheel` where an installer left a record, `none` for a source tree, which has none."""
    files: int
    """Checked."""
    sha256: str
    """Over names and hashes of the record: the same wherever the same wheel is installed."""
    changed: tuple[Changed, ...] = ()

    @property
    def has_record(self) -> bool:
        return self.record != "none"

    def __str__(self) -> str:
        if not self.has_record:
            return "Croupier runs from a source tree, which has no record of its files, so they were not checked."
        if not self.changed:
            return f"All {self.files} files of the package are as its record has them."
        more = len(self.changed) - _SHOWN
        named = "; ".join(map(str, self.changed[:_SHOWN]))
        return f"The installed package is not as its record has it: {named}{f'; and {more} more' if more > 0 else ''}."


@cache
def check_installation() -> Installation:
    """Check the running package against its own record, once for the life of the process."""
    return installation_at(_PACKAGE)


def installation_at(package: Path) -> Installation:
    """Check the package in this folder against the record beside it."""
    # Only a record beside the package is its own: another installation may come later on Python's path.
    found = next(iter(distributions(name=_NAME, path=[str(package.parent)])), None)
    text = None if found is None else found.read_text("RECORD")
    if text is None:
        return Installation(record="none", files=0, sha256="")
    return _compared(package, text)


def installation_against(wheel: Path, package: Path = _PACKAGE) -> Installation:
    """Check the running package against a wheel kept elsewhere, whose record cannot have been rewritten here."""
    try:
        with zipfile.ZipFile(wheel) as opened:
            names = [n for n in opened.namelist() if re.fullmatch(rf"{_NAME}-[^/]+\.dist-info/RECORD", n)]
            if len(names) != 1:
                raise BadWheel(f"{wheel} is not a wheel of {_NAME}.")
            text = opened.read(names[0]).decode()
    except OSError as wrong:
        raise BadWheel(f"{wheel}: {wrong.strerror}.") from None
    except (zipfile.BadZipFile, UnicodeError):
        raise BadWheel(f"{wheel} is not a wheel.") from None
    return _compared(package, text)


def _compared(package: Path, text: str) -> Installation:
    # The package's own files, each with `algorithm=hash`.
    rows = [row for row in csv.reader(text.splitlines()) if len(row) >= 2 and row[1]]
    recorded = {row[0]: row[1] for row in rows if PurePosixPath(row[0]).parts[0] == _NAME}
    changed = []
    for name, wanted in recorded.items():
        file = package.parent / name
        if not file.is_file():
            changed.append(Changed(name, "missing"))
        elif _digest(file, wanted.partition("=")[0]) != wanted:
            changed.append(Changed(name, "changed"))
    for file in sorted(package.rglob("*")):
        name = file.relative_to(package.parent).as_posix()
        # Python's own compiled files are made after the record, and are named in it without a hash if at all.
        if name not in recorded and file.is_file() and "__pycache__" not in file.parts:
            changed.append(Changed(name, "added"))
    listed = "".join(f"{name} {wanted}\n" for name, wanted in sorted(recorded.items()))
    digest = hashlib.sha256(listed.encode()).hexdigest()
    return Installation(record="wheel", files=len(recorded), sha256=digest, changed=tuple(changed))


def _digest(file: Path, algorithm: str) -> str:
    """Return the digest as a record writes it."""
    if algorithm not in ("sha256", "sha384", "sha512"):
        return ""
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, algorithm).digest()
    return f"{algorithm}={base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"


# ---------------------------------------------------------------- dependencies


class Package(msgspec.Struct, frozen=True, kw_only=True):
    """A package that the running one needs, or can use here."""

    version: str
    """Empty where it is missing."""
    licence: str = ""
    """As an SPDX expression, where the package says it so."""
    needs: tuple[str, ...] = ()


def dependencies() -> Mapping[str, str]:
    """Return the version of every package that Croupier needs or can use here; empty where it is missing."""
    return {name: found.version for name, found in packages().items()}


def packages(*, extras: bool = True) -> Mapping[str, Package]:
    """Return the dependencies and theirs by normalised name, with or without installed extras."""
    found: dict[str, Package] = {}
    for requirement in own_requirements():
        extra = _EXTRA.search(requirement)
        if extra is None or (extras and extra[1] not in _NOT_OF_A_HOUSE):
            _follow(requirement, found, is_needed=extra is None)
    return dict(sorted(found.items()))


def _follow(requirement: str, found: dict[str, Package], *, is_needed: bool) -> str:
    """Enter a requirement and all that it needs; return its name, empty where it is optional and missing."""
    match = _REQUIREMENT.match(requirement)
    assert match is not None, requirement
    name, extras = normalised(match[1]), {part.strip() for part in (match[2] or "").split(",")}
    if name in found:
        return name
    try:
        there = distribution(name)
    except PackageNotFoundError:
        # An extra, or a package for another system; one that is needed here is listed, so that it is seen missing.
        if is_needed:
            found[name] = Package(version="")
        return name if is_needed else ""
    licence = next(iter(there.metadata.get_all("License-Expression") or ()), "")
    found[name] = Package(version=there.version, licence=licence)
    needs = set()
    for other in there.requires or ():
        extra = _EXTRA.search(other)
        if extra is None or extra[1] in extras:
            needs.add(_follow(other, found, is_needed=False))
    found[name] = Package(version=there.version, licence=licence, needs=tuple(sorted(needs - {""})))
    return name


def own_requirements() -> list[str]:
    """Return the requirements that the package declares, those of extras with their marker."""
    beside = next(iter(distributions(name=_NAME, path=[str(_PACKAGE.parent)])), None)
    if beside is not None:
        return list(beside.requires or ())
    declared = _PACKAGE.parent.parent / "pyproject.toml"
    if declared.is_file():
        project = tomllib.loads(declared.read_text(encoding="utf-8"))["project"]
        optional = project.get("optional-dependencies", {})
        return [*project["dependencies"], *(f"{r}; extra == '{x}'" for x, rs in optional.items() for r in rs)]
    return []


def normalised(name: str) -> str:
    """Return a package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()
