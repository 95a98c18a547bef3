"""`replay` plays round scripts, `demo` those that come with the package."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from importlib import resources
from pathlib import Path
from typing import BinaryIO

import click
import msgspec

from croupier.cli.games.script_lines import answered_lines
from croupier.cli.terminal.errors import Wrong, fault_in_words, one_line
from croupier.cli.terminal.output import as_json, console, print_json
from croupier.scripts import BadScript, parse_script, read_script
from croupier.scripts import replay as play

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TOO_DEEP = "The script is nested too deeply."


@click.command()
@click.argument("file")
@click.option("--jsonl", is_flag=True, help="One script a line in, one result a line out.")
@as_json
def replay(file: str, jsonl: bool, json_wanted: bool) -> None:
    """Play a round script and print what every bet came to, and why.

    FILE is a script as JSON; - reads standard input.
    """
    if jsonl:
        with _opened(file) as stream:
            for answers in answered_lines(stream, answer_line):
                for answer in answers:
                    sys.stdout.buffer.write(answer + b"\n")
                sys.stdout.buffer.flush()
        return
    try:
        result = play(read_script(_text(file)))
    except BadScript as wrong:
        raise Wrong(f"{_shown(file)}: {wrong}") from None
    except RecursionError:
        raise Wrong(f"{_shown(file)}: {_TOO_DEEP}") from None
    if json_wanted:
        print_json(result.to_json())
        return
    from croupier.scripts.printer import print_result  # noqa: PLC0415 - JSON for programs does not need it

    print_result(result, console())


def answer_line(line: bytes) -> bytes:
    """Return the result of the script on one line, or its error."""
    try:
        return msgspec.json.encode(play(read_script(line.removeprefix(_BYTE_ORDER_MARK))).to_json())
    except BadScript as wrong:
        error = str(wrong)
    except RecursionError:
        error = _TOO_DEEP
    except Exception as fault:  # noqa: BLE001 - an internal error in one script must not stop the others
        error = fault_in_words(fault)
    return msgspec.json.encode({"error": one_line(error)})


@click.command()
@as_json
def demo(json_wanted: bool) -> None:
    """Play one demonstration round of each of the five games."""
    documents = [msgspec.json.decode(text) for _, text in demonstrations()]
    results = [play(parse_script(document)) for document in documents]
    if json_wanted:
        played = zip(documents, results, strict=True)
        print_json([{"script": document, "result": result.to_json()} for document, result in played])
        return
    from rich.text import Text  # noqa: PLC0415 - as above

    from croupier.scripts.printer import indented, print_result  # noqa: PLC0415 - as above

    out = console()
    for document, result in zip(documents, results, strict=True):
        indented(Text(document["note"], "italic"), 0, out)
        out.print()
        print_result(result, out)
        out.print()
    indented(Text("Each is a round script: croupier demo --json prints them, croupier replay plays yours."), 0, out)


def demonstrations() -> list[tuple[str, bytes]]:
    """Return the demonstration scripts that come with the package, in their order."""
    folder = resources.files("croupier").joinpath("demo")
    scripts = [(file.name, file.read_bytes()) for file in folder.iterdir() if file.name.endswith(".json")]
    return sorted(scripts)


# ---------------------------------------------------------------- reading files


def _opened(file: str) -> AbstractContextManager[BinaryIO]:
    if file != "-":
        return Path(file).open("rb")
    if sys.stdin is None:
        raise Wrong("standard input is closed.")
    return nullcontext(sys.stdin.buffer)


def _text(file: str) -> str:
    """Return the text of a file or of standard input."""
    with _opened(file) as stream:
        data = stream.read()
    try:
        return data.removeprefix(_BYTE_ORDER_MARK).decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise Wrong(f"{_shown(file)}: it is not UTF-8 text: byte {wrong.start} is not valid.") from None


def _shown(file: str) -> str:
    return "standard input" if file == "-" else file
