"""The browser client: what its sources may do, and what only the server decides."""

from __future__ import annotations

import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "web" / "src"
NETWORK = re.compile(r"\bfetch\(|\bXMLHttpRequest\b|\bnew WebSocket\b|\bEventSource\b|\bsendBeacon\b")
AUTHORITY = re.compile(r'\bpost\s*[!=]==\s*"|[!=]==\s*session\.me\??\.post|\.includes\(session\.me\??\.post')
HIDDEN = re.compile(r"\bas unknown as\b|\bas any\b|:\s*any\b(?!\w)|<any>")


def _found(pattern: re.Pattern[str], *, outside: str = "") -> list[str]:
    return [
        f"{path.relative_to(SOURCES)}:{number}: {line.strip()}"
        for path in sorted(SOURCES.rglob("*.ts"))
        if not outside or not path.is_relative_to(SOURCES / outside)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if pattern.search(line)
    ]


def test_only_the_api_folder_speaks_to_the_server() -> None:
    """Pages, components and lib send requests through `web/src/api`."""
    assert _found(NETWORK, outside="api") == []


def test_the_api_folder_imports_no_other() -> None:
    """It knows the wire, and neither pages nor state."""
    imports = [line for line in _found(re.compile(r'from "\.\./')) if line.startswith("api/")]
    assert imports == []


def test_no_page_derives_permissions_from_a_post() -> None:
    """The server says what a person may do: `me.may`, and `may` of what is shown."""
    assert _found(AUTHORITY) == []


def test_the_shell_knows_no_permission_of_a_page() -> None:
    """The server says which pages a person may open: `me.pages`."""
    shell = ("components/shell/routes.ts", "components/shell/page-header.ts")
    assert [line for line in _found(re.compile(r"\bmay\(|\bAction\b")) if line.startswith(shell)] == []


def test_no_cast_hides_a_difference_from_the_wire() -> None:
    """The generated types are used as they are."""
    assert _found(HIDDEN) == []
