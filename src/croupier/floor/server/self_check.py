"""The self-check at start: whether the files that serve are those that were installed."""

from __future__ import annotations

import logging

from croupier.floor.server.settings import Settings
from croupier.installation import check_installation

_LOG = logging.getLogger("croupier.server")


class ChangedFiles(Exception):
    """A production house does not start on changed files; one sentence."""


def refuse_changed_files(settings: Settings) -> None:
    """Before the database is opened. A demonstration is told so in its log, and so is a house that allows it."""
    found = check_installation()
    if found.changed and not settings.demo and not settings.allow_changed_files:
        raise ChangedFiles(f"{found} Install it again, or set allow_changed_files to start all the same.")


def log_installation() -> None:
    """One line, at every start."""
    found = check_installation()
    _LOG.log(logging.WARNING if found.changed else logging.INFO, str(found))
