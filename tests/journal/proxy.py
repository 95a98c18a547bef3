"""A socket between a store and its PostgreSQL that cuts the connection around a commit."""

from __future__ import annotations

import socket
import tempfile
import threading
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from urllib.parse import quote

from croupier.journal.private_postgres import USER, PrivatePostgres


class Cut(Enum):
    """Where the connection breaks."""

    BEFORE_COMMIT = "before"
    """Everything arrives but the commit."""
    AFTER_COMMIT = "after"
    """The commit arrives and is done; its answer does not come back."""


class Proxy:
    """Passes everything on until it is told to cut; then the next commit breaks the connection."""

    def __init__(self, server: PrivatePostgres) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="croupier-cut-")
        self._server = str(server.folder / ".s.PGSQL.5432")
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(Path(self._folder.name) / ".s.PGSQL.5432"))
        self._listening.listen()
        self.cut: Cut | None = None
        self.cuts = 0
        self._ends: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def url(self, through: str) -> str:
        """The address of the same database, by way of this proxy."""
        options = through.partition("&options=")[2]
        return f"postgresql://{USER}@/postgres?host={quote(self._folder.name, safe='')}&options={options}"

    def close(self) -> None:
        self._end(self._listening, *self._ends)
        for thread in self._threads:
            thread.join()
        for end in (self._listening, *self._ends):
            end.close()
        self._folder.cleanup()

    def _start(self, work: Callable[..., None], *ends: socket.socket) -> None:
        thread = threading.Thread(target=work, args=ends, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._server)
            self._ends += [client, server]
            self._start(self._forward, client, server)
            self._start(self._back, server, client)

    def _forward(self, client: socket.socket, server: socket.socket) -> None:
        try:
            while data := client.recv(1 << 16):
                if self.cut is Cut.BEFORE_COMMIT and b"COMMIT\0" in data:
                    server.sendall(data[: data.index(b"COMMIT\0")])
                    break
                server.sendall(data)
        except OSError:
            pass  # the other direction has cut
        self._end(client, server)

    def _back(self, server: socket.socket, client: socket.socket) -> None:
        try:
            while data := server.recv(1 << 16):
                if self.cut is Cut.AFTER_COMMIT and b"COMMIT\0" in data:
                    break
                client.sendall(data)
        except OSError:
            pass  # the other direction has cut
        self._end(client, server)

    def _end(self, *ends: socket.socket) -> None:
        self.cuts += self.cut is not None
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # it is closed already
