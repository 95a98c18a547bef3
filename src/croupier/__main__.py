"""`croupier` and `python -m croupier`: the command line, and Ctrl-C quiet from our first line to our last."""

import signal
import sys


def main() -> None:
    """Run a command and leave with its exit code."""
    # Until the command line can answer Ctrl-C, and when it has gone, the system does: the process ends, without words.
    answered = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else the parent process ignores it
    if answered:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from croupier.cli import run  # noqa: PLC0415
    from croupier.cli.terminal.errors import STOPPED  # noqa: PLC0415
    from croupier.cli.terminal.interrupt import leave_at_once, listen  # noqa: PLC0415

    listen()
    try:
        if answered:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run()
        if answered:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
    except KeyboardInterrupt:
        code = STOPPED
    if code == STOPPED:
        leave_at_once(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
