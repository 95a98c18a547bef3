"""A proxy between a store and PostgreSQL that breaks the connection around a commit, for tests of durability."""

from __future__ import annotations

import socket
import tempfile
import threading
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from urllib.parse import quote

from psycopg.conninfo import conninfo_to_dict


class Cut(Enum):
    """Where the connection breaks."""

    BEFORE_COMMIT = "before"
    """Everything arrives but the commit."""
    AFTER_COMMIT = "after"
    """The commit arrives and is done; its answer does not come back."""


class Wire:
    """Passes everything on to a server's socket; once `cut` is set, the next commit breaks the connection."""

    def __init__(self, url: str, within: Path | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="cut-", dir=within)
        host = conninfo_to_dict(url)["host"]
        self._server = f"{host}/.s.PGSQL.5432"
        self.url = url.replace(quote(str(host), safe=""), quote(self._folder.name, safe=""))
        """The address of the database through this proxy."""
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(Path(self._folder.name) / ".s.PGSQL.5432"))
        self._listening.listen()
        self.cut: Cut | None = None
        self.cuts = 0
        """Connections that broke around a commit."""
        self._ends: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def close(self) -> None:
        self._end(self._listening, *self._ends)
        for thread in self._threads:
            thread.join()
        for end in (self._listening, *self._ends):
            end.close()
        self._folder.cleanup()

    def _start(self, work: Callable[..., None], *given: socket.socket | Cut) -> None:
        thread = threading.Thread(target=work, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self._server)
            except OSError:
                # The server is away, so this end closes as well.
                client.close()
                server.close()
                continue
            self._ends += [client, server]
            self._start(self._pass, client, server, Cut.BEFORE_COMMIT)
            self._start(self._pass, server, client, Cut.AFTER_COMMIT)

    def _pass(self, source: socket.socket, target: socket.socket, cut: Cut) -> None:
        try:
            while data := source.recv(1 << 16):
                if self.cut is cut and b"COMMIT\0" in data:
                    self.cut, self.cuts = None, self.cuts + 1
                    if cut is Cut.BEFORE_COMMIT:
                        target.sendall(data[: data.index(b"COMMIT\0")])
                    break
                target.sendall(data)
        except OSError:
            pass  # the other direction has cut
        self._end(source, target)

    def _end(self, *ends: socket.socket) -> None:
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # it is closed already
