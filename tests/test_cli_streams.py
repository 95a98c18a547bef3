"""Standard output and error closed, full or of an old terminal, and Ctrl-C where nobody expects it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from croupier.cli.terminal.errors import one_line
from tests.calling import ROOT, is_one_line
from tests.floor.server.test_client import free_port
from tests.patience import PATIENCE

FULL = Path("/dev/full")
CROUPIER = (sys.executable, "-m", "croupier")
DEMONSTRATION = "src/croupier/demo/1-rws-multilink-holdem.json"


def shell(line: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a line of the shell, in which "$@" is the command with its arguments."""
    command = ["/bin/sh", "-c", line, "sh", *CROUPIER, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=ROOT)


def in_python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs some lines of Python, then the command as the installed program does."""
    whole = f"import atexit, os, signal, sys\n{code}\nfrom croupier.__main__ import main\nmain()\n"
    command = [sys.executable, "-c", whole, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=ROOT)


# ---------------------------------------------------------------- closed and full


@pytest.mark.parametrize("arguments", [("readings",), ("analyze", "rws-multilink-three-card")])
def test_a_reader_who_leaves_early_ends_the_command_without_a_word(arguments: Sequence[str]) -> None:
    """As in `croupier readings | head -1`; the exit code is a shell's for it, because 1 says that something differs and
    2 that something was wrong."""
    with subprocess.Popen([*CROUPIER, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read().decode()
    assert said == ""
    assert process.returncode == 141


@pytest.mark.parametrize("arguments", [("games",), ("replay", DEMONSTRATION, "--json"), ("replay", "--jsonl", "-")])
def test_a_closed_standard_output_hears_nothing(arguments: Sequence[str]) -> None:
    """Whoever closes it wants no output; it is no fault of ours."""
    done = shell('"$@" </dev/null >&-', *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_closed_or_full_standard_error_leaves_the_exit_code() -> None:
    """What was wrong cannot be said, and still counts."""
    assert shell('"$@" 2>&-', "replay", "no-such-file").returncode == 2
    if FULL.exists():
        assert shell(f'"$@" 2>{FULL}', "replay", "no-such-file").returncode == 2


@pytest.mark.skipif(not FULL.exists(), reason="the system has no device that is always full")
@pytest.mark.parametrize("arguments", [("games",), ("demo", "--json"), ("--help",), ("replay", "--jsonl", "-")])
def test_a_full_disk_under_the_output_is_one_line(arguments: Sequence[str]) -> None:
    """Never a result that is cut off with exit code 0."""
    done = shell(f'echo "{{}}" | "$@" >{FULL}', *arguments)
    assert done.returncode == 2
    assert is_one_line(done.stderr)


@pytest.mark.parametrize("arguments", [("replay", "-"), ("advise-ruling", "sun-casino-holdem")])
def test_a_closed_standard_input_is_one_line(arguments: Sequence[str]) -> None:
    """A command that needs it says so."""
    for more in ((), ("--json",)):
        done = shell('"$@" <&-', *arguments, *more)
        assert (done.returncode, done.stdout) == (2, "")
        assert is_one_line(done.stderr)
        assert "standard input is closed" in done.stderr


# ---------------------------------------------------------------- old and narrow terminals


def shown(*arguments: str, environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        [*CROUPIER, *arguments],
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.decode(environment.get("PYTHONIOENCODING", "utf-8"))


def test_an_old_terminal_gets_cards_as_people_type_them() -> None:
    """One that knows ASCII alone: no suit is lost, no dash is a question mark."""
    text = shown("replay", DEMONSTRATION, environment={"PYTHONIOENCODING": "ascii"})
    assert "9c 9d 4h 3s 7d" in text
    assert 'the line "high pair"' in text
    assert "?" not in text


def test_a_terminal_of_the_west_keeps_the_signs_that_it_has() -> None:
    """Latin-1 has the paragraph's sign and the point, and no suits."""
    text = shown("rules", "sun-casino-holdem", "How", "to", "Play", "5", environment={"PYTHONIOENCODING": "latin-1"})
    assert text.startswith("sun-casino-holdem How to Play ¶5 · settlement")
    assert "?" not in text.splitlines()[1]


def test_json_is_utf_8_whatever_the_terminal_knows() -> None:
    """A program reads the same bytes everywhere."""
    plain, wide = (
        subprocess.run(
            [*CROUPIER, "demo", "--json"],
            capture_output=True,
            timeout=PATIENCE,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        ).stdout
        for encoding in ("ascii", "utf-8")
    )
    assert plain == wide
    assert not plain.isascii()


def test_an_error_is_one_line_without_gaps() -> None:
    """Line breaks and tabs of a message become one space."""
    assert one_line("Choose from:\n\ta,\n\tb") == "Choose from: a, b"
    assert one_line("\x1b[31mred\n") == " [31mred "


# ---------------------------------------------------------------- Ctrl-C


AT_IMPORT = """
class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Pressed())
"""


def test_control_c_while_the_program_loads_is_quiet() -> None:
    """Before the command line is there the system ends the process: no traceback."""
    done = in_python(AT_IMPORT.format(module="click"), "games")
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_control_c_while_a_command_loads_is_one_line() -> None:
    """Then the command line answers."""
    done = in_python(AT_IMPORT.format(module="croupier.cli.games.rulebooks"), "games")
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "croupier: stopped.\n"


SWALLOWED = """
import ctypes, time
@ctypes.CFUNCTYPE(None)
def called_back():
    os.kill(os.getpid(), signal.SIGINT)
class Compiling:
    def find_spec(self, name, path=None, target=None):
        if name == "croupier.cli.games.rulebooks":
            called_back()
            {then}
sys.meta_path.insert(0, Compiling())
"""


@pytest.mark.parametrize(
    "then", ["[time.sleep(0.01) for _ in range(3000)]", "raise RuntimeError('the library is not there')"]
)
def test_control_c_that_a_callback_swallows_is_heard_all_the_same(then: str) -> None:
    """A compiler calls back into Python, where an exception leads nowhere; before, it was printed and the command went
    on, or stumbled over what the compiler had left half done."""
    done = in_python(SWALLOWED.format(then=then), "games")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "croupier: stopped.\n")


def test_control_c_does_not_wait_for_threads() -> None:
    """A kernel that counts on is left alone; before, the program stood there until it had done."""
    working = "import threading, time\nthreading.Thread(target=time.sleep, args=(3600,)).start()"
    done = in_python(f"{working}{AT_IMPORT.format(module='croupier.cli.games.rulebooks')}", "games")
    assert (done.returncode, done.stderr) == (130, "croupier: stopped.\n")


def test_control_c_when_everything_is_said_is_quiet() -> None:
    """While Python closes its books."""
    done = in_python("atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))", "games", "--json")
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


def test_control_c_while_a_server_is_made_is_one_line(tmp_path: Path) -> None:
    """Before it listens; the house closes its books, and opens again."""
    pressed = """
from croupier.floor.server.process import serve
made = serve.make_app
def pressed(*arguments, **named):
    os.kill(os.getpid(), signal.SIGINT)
    return made(*arguments, **named)
serve.make_app = pressed
"""
    database = f"sqlite:///{tmp_path / 'house.db'}"
    done = in_python(pressed, "serve", "--demo", "--database", database, "--port", str(free_port()))
    assert (done.returncode, done.stderr) == (130, "croupier: stopped.\n")
    assert shell('"$@"', "audit", "--database", database).returncode == 0


def test_control_c_that_was_to_be_ignored_is_ignored() -> None:
    """A shell that starts something in the background asks for it."""
    ignored = f"signal.signal(signal.SIGINT, signal.SIG_IGN){AT_IMPORT.format(module='click')}"
    done = in_python(ignored, "games")
    assert (done.returncode, done.stderr) == (0, "")
