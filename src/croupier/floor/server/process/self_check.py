"""The self-check at start: whether the files that serve are those that were installed."""

from __future__ import annotations

import logging

from croupier.floor.server.settings import Settings
from croupier.installation import check_installation

_LOG = logging.getLogger("croupier.server")


class ChangedFiles(Exception):
    """A production house does not start on changed files; one sentence."""


def refuse_changed_files(settings: Settings) -> None:
    """Raise ChangedFiles before the database is opened, unless a demonstration or the settings allow changed files."""
    found = check_installation()
    if found.changed and not settings.demo and not settings.allow_changed_files:
        raise ChangedFiles(f"{found} Install it again, or set allow_changed_files to start all the same.")


def log_installation() -> None:
    """Log one line about the installed files, at every start; a warning where they were changed."""
    found = check_installation()
    _LOG.log(logging.WARNING if found.changed else logging.INFO, str(found))
