"""Files and folders on the command line."""

from __future__ import annotations

import os
from pathlib import Path

import click

from croupier.cli.terminal.errors import Wrong

FILE = click.Path(dir_okay=False, path_type=Path)
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
FOLDER.name = "folder"


def write_new(target: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file that does not exist yet, durably and whole: an incomplete one would block the next attempt."""
    try:
        file = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        raise Wrong(f"{target} already exists: name another file.") from None
    try:
        with os.fdopen(file, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
    except OSError as wrong:
        target.unlink()
        raise Wrong(f"{target}: {wrong.strerror}.") from None
