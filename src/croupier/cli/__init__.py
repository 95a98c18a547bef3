"""Owns the command line: it reads arguments, calls, prints, and reports an error in one line.

It must not know a rule: the packages below provide what a command prints. A command's module is imported when the
command runs, so that help is fast.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from croupier import __version__
from croupier.cli.terminal.errors import (
    BAD_INPUT,
    INTERNAL_ERROR,
    READER_GONE,
    STOPPED,
    Wrong,
    fault_in_words,
    one_line,
)
from croupier.cli.terminal.interrupt import was_swallowed
from croupier.cli.terminal.standard_streams import make_ready, say

COMMANDS = {
    "serve": ("operations.serve", "Run the floor: tables, people, API and live play."),
    "people": ("operations.people", "Manage who may log in: list, enrol, reset, remove; needs the database."),
    "verify": ("operations.verify", "Check a round's record: its deck, its deal, its settlement."),
    "dispute": ("operations.dispute", "Write one round as a page that needs no network and checks itself."),
    "audit": ("operations.audit", "Compute a journal again from its events alone, and say what differs."),
    "migrate": ("operations.migrate", "Upgrade a journal to this release's schema; say beforehand how long it takes."),
    "backup": ("operations.backup", "Write the whole journal to a file, while the house runs."),
    "restore": ("operations.backup", "Put a backup into an empty database, and audit it."),
    "drill": ("operations.backup", "Test a backup: restore it aside, audit it, report."),
    "backup-key": ("operations.backup_keys", "Make a key pair for encrypted backups."),
    "archive": ("operations.archive", "Move rounds of closed days from the database into files."),
    "export": ("operations.bulk_export", "Write rounds, bets, awards, entries, events and meters as Parquet or CSV."),
    "figures": ("operations.audit", "Print what a jackpot link took in, holds and paid; reconcile a day."),
    "trial-balance": ("operations.audit", "Print every account of the ledger; they sum to zero."),
    "fairness": ("operations.fairness", "Shuffle the deck many times and judge whether every order is equally likely."),
    "replay": ("games.replay", "Play a round script and print what every bet came to."),
    "demo": ("games.replay", "Play one demonstration round of each of the five games."),
    "games": ("games.rulebooks", "List the games: document, bets, dealing procedures, boxes."),
    "rules": ("games.rulebooks", "Print the rules, and where each is implemented and tested."),
    "readings": ("games.rulebooks", "Print our readings, where a document is silent."),
    "rulebook": ("games.rulebook_folder", "Start and check a rulebook of your own: a new version or another game."),
    "analyze": ("games.lab", "Solve a game exactly: house edge, side bets, jackpot, changed rules."),
    "advise": ("games.lab", "Show the exact value of each choice in a position."),
    "strategy": ("games.lab", "Show how to play: chart, edge hands, a few rules with their cost."),
    "simulate": ("games.simulate", "Play random rounds of a game, or a whole floor with its jackpot."),
    "report": ("games.lab", "Write the PAR sheet of a game as HTML and JSON."),
    "bench": ("bench", "Measure this machine: rounds, disk, exact solving, simulation."),
    "version": ("operations.version", "Print versions, rulebook hashes, and whether installed files are unchanged."),
    "academy": ("games.academy", "Train and examine dealers and supervisors with questions from the engine."),
    "advise-ruling": ("games.ruling_desk", "Ask what follows from an incident at a real table, and who may decide it."),
}
"""Each command with its room and module, and its line in the help."""


_wrong_words = re.compile("No such command|Got unexpected extra argument").match


class _Stopped(Exception):
    """The user pressed Ctrl-C."""


class _OutputClosed(Exception):
    """The reader of the output has gone."""


class _Commands(click.Group):
    def invoke(self, ctx: click.Context) -> object:
        # As our own exceptions, because click handles both in its own way.
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
        except KeyboardInterrupt:
            raise _Stopped from None
        except BrokenPipeError:
            raise _OutputClosed from None
        return code

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"croupier.cli.{COMMANDS[cmd_name][0]}"), cmd_name.replace("-", "_"))
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, says) in COMMANDS.items()])


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="croupier %(version)s")
@click.option(
    "--rulebooks",
    multiple=True,
    metavar="DIR",
    help="A rulebook folder, or a folder of them, beside the built-in ones; may be repeated.",
)
@click.pass_context
def cli(context: click.Context, rulebooks: tuple[str, ...]) -> None:
    """House-banked casino poker, run exactly as the rule documents say."""
    if rulebooks:
        # In the environment, so that processes which a command starts find them too.
        named = filter(None, (*rulebooks, os.environ.get("CROUPIER_RULEBOOKS")))
        os.environ["CROUPIER_RULEBOOKS"] = os.pathsep.join(named)
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; an error is one line, never a traceback."""
    make_ready()
    try:
        code = cli.main(args=arguments, prog_name="croupier", standalone_mode=False)
    except (_Stopped, click.Abort, KeyboardInterrupt):
        return _leave("stopped.", STOPPED)
    except click.ClickException as wrong:
        return _leave(f"{_plainer(wrong.format_message())}{_where_to_look(wrong)}", BAD_INPUT)
    except Wrong as wrong:
        return _leave(str(wrong), wrong.code)
    except _OutputClosed:
        # Python would report the rest of its buffer, which has no reader, when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    except OSError as wrong:
        # A file that was written aside and then moved has two names; the user knows the second.
        named = wrong.filename2 or wrong.filename
        return _leave(f"{'' if named is None else f'{named}: '}{wrong.strerror or wrong}.", BAD_INPUT)
    except Exception as fault:
        if was_swallowed():
            return _leave("stopped.", STOPPED)
        if _is_about_rulebooks(fault):
            return _leave(str(fault), BAD_INPUT)
        if os.environ.get("CROUPIER_TRACEBACK"):
            raise
        return _leave(fault_in_words(fault), INTERNAL_ERROR)
    return code if isinstance(code, int) else 0


def _is_about_rulebooks(fault: Exception) -> bool:
    """Return whether a rulebook from outside cannot be used, or the user named one that is not installed."""
    from croupier.rulebooks.documents.editions import BadRulebook, UnknownGame  # noqa: PLC0415  only errors need it

    return isinstance(fault, BadRulebook | UnknownGame)


def _plainer(message: str) -> str:
    """Replace click's names of number ranges by plain words, and end the sentence with a point."""
    plain = message.replace("a valid integer range", "a whole number").replace("a valid float range", "a number")
    return plain if plain.endswith((".", "?")) else f"{plain}."


def _where_to_look(wrong: click.ClickException) -> str:
    """Return where the help is, after a command or an option that does not exist."""
    by_words = isinstance(wrong, (click.NoSuchOption, click.MissingParameter)) or _wrong_words(wrong.message)
    if not by_words or not isinstance(wrong, click.UsageError) or wrong.ctx is None:
        return ""
    return f" See {wrong.ctx.command_path} --help."


def _leave(message: str, code: int) -> int:
    say(f"croupier: {one_line(message)}")
    return code
