"""The lab's tests count everything themselves: counts of an earlier run are not believed, those of this run are."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _counts_of_this_run(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep counts in a folder that the workers of this run share."""
    folder: Path = tmp_path_factory.getbasetemp()
    if folder.name.startswith("popen-"):
        folder = folder.parent
    monkeypatch.setattr("croupier.lab.cache.cache_home", lambda: folder)
