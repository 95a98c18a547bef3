"""Write the software bill of materials: what a house installs, as CycloneDX JSON.

    python tools/sbom.py dist/croupier.cdx.json

Versions and hashes are those of `requirements.lock`; what depends on what, and licences, the installed packages say.
Packages for people who work on Croupier are left out. The same lock gives the same file on every machine.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

from croupier.installation import Package, normalised, own_requirements, packages

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = SchemaVersion.V1_6
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ \\]+)((?: \\\n {4}--hash=sha256:[0-9a-f]{64})*)", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z0-9._-]+")


class CannotWrite(Exception):
    """The bill cannot be made; one sentence."""


def pinned() -> Mapping[str, tuple[str, list[str]]]:
    """Read the lock file: each package with its version and the hashes of the files that may be installed."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return {
        normalised(name): (version, re.findall("[0-9a-f]{64}", hashes))
        for name, version, hashes in _PINNED.findall(text)
    }


def bill() -> str:
    """Return the bill as JSON, checked against the schema of CycloneDX."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"], project["version"]
    root = Component(
        name=name,
        version=version,
        type=ComponentType.APPLICATION,
        bom_ref=name,
        purl=PackageURL("pypi", None, name, version),
        licenses=[LicenseFactory().make_from_string(project["license"])],
        description=project["description"],
    )
    found, always, lock = packages(), packages(extras=False), pinned()
    components = {name: _component(name, found[name], lock, is_required=name in always) for name in found}
    bom = Bom(components=components.values())
    bom.metadata.component = root
    asked = {normalised(match[0]) for r in own_requirements() if (match := _NAME.match(r))}
    bom.register_dependency(root, [components[other] for other in sorted(asked & components.keys())])
    for name, package in found.items():
        bom.register_dependency(components[name], [components[other] for other in package.needs])
    told = json.loads(make_outputter(bom, OutputFormat.JSON, SCHEMA).output_as_string())
    # The moment and a random number would make two bills of one lock differ; neither is required.
    told.pop("serialNumber", None)
    told["metadata"].pop("timestamp", None)
    text = json.dumps(told, indent=2, sort_keys=True) + "\n"
    from cyclonedx.validation.json import JsonStrictValidator  # noqa: PLC0415  its import takes seconds

    wrong = JsonStrictValidator(SCHEMA).validate_str(text)
    if wrong is not None:
        raise CannotWrite(f"The bill is not valid CycloneDX: {wrong}.")
    return text


def _component(
    name: str, package: Package, lock: Mapping[str, tuple[str, list[str]]], *, is_required: bool
) -> Component:
    if name not in lock:
        raise CannotWrite(f"{name} is not in requirements.lock: run make lock.")
    version, hashes = lock[name]
    return Component(
        name=name,
        version=version,
        type=ComponentType.LIBRARY,
        bom_ref=f"{name}@{version}",
        purl=PackageURL("pypi", None, name, version),
        scope=ComponentScope.REQUIRED if is_required else ComponentScope.OPTIONAL,
        licenses=[LicenseFactory().make_from_string(package.licence)] if package.licence else (),
        # The files for several systems, of which an installer takes one.
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in hashes],
    )


def main() -> int:
    """Write the file that was asked for."""
    if len(sys.argv) != 2:
        print("usage: python tools/sbom.py FILE", file=sys.stderr)
        return 2
    target = Path(sys.argv[1])
    try:
        text = bill()
    except CannotWrite as wrong:
        print(f"sbom: {wrong}", file=sys.stderr)
        return 1
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    print(f"{target} lists what a house installs.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
