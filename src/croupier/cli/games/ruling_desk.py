"""`advise-ruling`: the ruling desk, for a supervisor at a real table with no system behind it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import IO

import click
import msgspec
from rich.console import Console
from rich.text import Text

from croupier.cli.games.felt_facts import ask_felt, felt_finding, print_finding
from croupier.cli.terminal.errors import Wrong, reported
from croupier.cli.terminal.numbers import WholeNumber
from croupier.cli.terminal.output import as_json, console, print_json
from croupier.money import BadMoney, currency, display, money, show
from croupier.rounds.irregularities.ruling_desk import (
    Advice,
    BoxMoney,
    DeskBet,
    Question,
    advise,
    incidents_of,
    next_question,
)
from croupier.rounds.reconstruction.answer import Finding
from croupier.rounds.reconstruction.sequences import SLIPS
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.documents.editions import UnknownGame
from croupier.rulebooks.incidents import OPPOSITE
from croupier.rulebooks.vocabulary import IncidentName, Role, Rulebook, When
from croupier.scripts.printer import cited, indented

_FIELDS = ("incident", "facts", "boxes", "affected", "bets", "felt")
_BOX = re.compile(r"[1-9][0-9]{0,2}")


class _Facts(msgspec.Struct):
    """The facts that the supervisor has entered so far."""

    incident: IncidentName
    known: dict[When, bool] = {}
    boxes: tuple[int, ...] = ()
    affected: tuple[int, ...] = ()
    bets: tuple[DeskBet, ...] = ()
    felt: Finding | None = None


@click.command("advise-ruling")
@click.argument("game")
@click.argument("file", type=click.File("rb"), required=False)
@as_json
def advise_ruling(game: str, file: IO[bytes] | None, json_wanted: bool) -> None:
    """Print what follows from an incident, by which paragraph, and who may decide it.

    Without FILE it asks, and only for the facts that matter. FILE (or - for standard input) is a JSON object with
    incident, facts, boxes, affected, bets, and felt: the cards that lie there after a dealing error, from which it
    computes whether they can be reconstructed.
    """
    with reported(UnknownGame):
        book = declare(game)
    if file is None and sys.stdin is None:
        raise Wrong("standard input is closed: write the answers to a FILE.")
    if file is None and json_wanted:
        file = sys.stdin.buffer
    try:
        _advise(game, book, file, json_wanted)
    except click.Abort as stopped:
        if isinstance(stopped.__context__, EOFError):
            what = "The answers ended before the questions did: answer them all, or write them to a FILE."
            raise Wrong(what) from None
        raise


def _advise(game: str, book: Rulebook, file: IO[bytes] | None, json_wanted: bool) -> None:
    facts = _read(book, file) if file is not None else _Facts(_ask_incident(book))
    while (question := next_question(book, facts.incident, facts.known)) is not None:
        if json_wanted:
            needs = _needs(book, facts, question)
            print_json({"game": game, "incident": facts.incident, "needs": needs, **_felt(facts)})
            return
        if file is not None:
            if facts.felt is not None:
                print_finding(facts.felt, console())
            raise Wrong(f"facts.{question.fact.value}: write true or false: {question.words}")
        if question.fact is When.RECONSTRUCTIBLE and facts.incident in SLIPS:
            ask_felt(game, facts.incident, console())
        who = f" (the word of a {question.word_of.title} or above)" if question.word_of > Role.DEALER else ""
        facts.known[question.fact] = click.confirm(f"{question.words}{who}")
    if file is None:
        facts.boxes = _ask_boxes()
        facts.bets = _ask_bets(book)
    found = advise(book, facts.incident, facts.known, boxes=facts.boxes, affected=facts.affected, bets=facts.bets)
    if json_wanted:
        print_json({"game": game, **_advice(found), **_felt(facts)})
    else:
        if facts.felt is not None:
            print_finding(facts.felt, console())
        _print(book, found, console())


def _felt(facts: _Facts) -> dict[str, object]:
    return {} if facts.felt is None else {"felt": msgspec.to_builtins(facts.felt)}


# ---------------------------------------------------------------- asking


def _ask_incident(book: Rulebook) -> IncidentName:
    listed = incidents_of(book)
    for number, known in enumerate(listed, 1):
        click.echo(f"{number:3} {known.words}{'' if book.entries_of(known.name) else ' (not in this document)'}")
    number = click.prompt("What has happened", type=WholeNumber(1, len(listed)))
    return listed[number - 1].name


def _ask_boxes() -> tuple[int, ...]:
    while True:
        text = click.prompt("Which boxes does it concern (numbers, or nothing for all)", default="", show_default=False)
        words = text.replace(",", " ").split()
        if all(_BOX.fullmatch(word) for word in words):
            return tuple(int(word) for word in words)
        click.echo("Write box numbers, as in 1 3.")


def _ask_bets(book: Rulebook) -> tuple[DeskBet, ...]:
    """Ask for bets, which are optional; each is a line such as `1 ante 50.00`."""
    bets: list[DeskBet] = []
    while text := click.prompt("A bet, as in 1 ante 50.00 (or nothing)", default="", show_default=False):
        words = text.split()
        try:
            box, name, amount = words
            bets.append(_bet(book, "The bet", {"box": int(box), "bet": name, "amount": amount}))
        except (ValueError, Wrong) as wrong:
            click.echo(
                str(wrong) if isinstance(wrong, Wrong) else "Write a box, a bet and an amount, as in 1 ante 50.00."
            )
    return tuple(bets)


# ---------------------------------------------------------------- from a file


def _read(book: Rulebook, file: IO[bytes]) -> _Facts:
    try:
        told = msgspec.json.decode(file.read())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise Wrong(f"The facts are not a JSON document: {wrong}.") from None
    if not isinstance(told, dict):
        raise Wrong("The facts are a JSON object with an incident.")
    for field in told:
        if field not in _FIELDS:
            raise Wrong(f"{field}: there is no such field; the fields are {', '.join(_FIELDS)}.")
    incident = told.get("incident")
    if not isinstance(incident, str) or book.incident(incident) is None:
        raise Wrong(f"incident: {incident!r} is not one of {', '.join(known.name for known in book.known_incidents)}.")
    bets = tuple(_bet(book, f"bets[{i}]", bet) for i, bet in enumerate(_list("bets", told.get("bets", []))))
    return _Facts(
        incident,
        _known(told.get("facts", {})),
        _boxes("boxes", told.get("boxes", [])),
        _boxes("affected", told.get("affected", [])),
        bets,
        felt_finding(book.edition, incident, told["felt"], bets) if "felt" in told else None,
    )


def _known(facts: object) -> dict[When, bool]:
    if not isinstance(facts, dict):
        raise Wrong("facts: write an object of true and false.")
    conditions = {when.value: when for when in When}
    known: dict[When, bool] = {}
    for name, value in facts.items():
        if name not in conditions:
            raise Wrong(f"facts.{name}: there is no such fact; the facts are {', '.join(conditions)}.")
        if not isinstance(value, bool):
            raise Wrong(f"facts.{name}: write true or false.")
        when = conditions[name]
        known[OPPOSITE.get(when, when)] = not value if when in OPPOSITE else value
    return known


def _list(field: str, value: object) -> list[object]:
    if not isinstance(value, list):
        raise Wrong(f"{field}: write a list.")
    return value


def _boxes(field: str, value: object) -> tuple[int, ...]:
    boxes = []
    for number in _list(field, value):
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise Wrong(f"{field}: {number!r} is not a box number.")
        boxes.append(number)
    return tuple(boxes)


def _bet(book: Rulebook, where: str, told: object) -> DeskBet:
    if not isinstance(told, dict):
        raise Wrong(f"{where}: a bet is an object with box, bet and amount.")
    box, name, amount, player = told.get("box"), told.get("bet"), told.get("amount"), told.get("player", "")
    if not isinstance(box, int) or isinstance(box, bool) or box < 1:
        raise Wrong(f"{where}, box: {box!r} is not a box number.")
    if not isinstance(name, str) or book.bet(name) is None:
        raise Wrong(f"{where}, bet: {name!r} is not one of {', '.join(bet.name for bet in book.bets)}.")
    if not isinstance(amount, str) or not isinstance(player, str):
        raise Wrong(f"{where}, amount: write a text as in 50.00.")
    try:
        return DeskBet(box, name, money(amount), player)
    except BadMoney as wrong:
        raise Wrong(f"{where}, amount: {wrong}") from None


# ---------------------------------------------------------------- answering


def _needs(book: Rulebook, facts: _Facts, question: Question) -> list[dict[str, object]]:
    """Return the facts that may still matter, the next one first."""
    needed: list[dict[str, object]] = []
    known, pending = dict(facts.known), [question]
    while pending:
        asked = pending.pop()
        if any(asked.fact.value == need["fact"] for need in needed):
            continue
        needed.append({"fact": asked.fact.value, "question": asked.words, "word_of": asked.word_of.slug})
        for answer in (True, False):
            further = next_question(book, facts.incident, {**known, asked.fact: answer})
            if further is not None:
                pending.append(further)
    return needed


def _advice(found: Advice) -> Mapping[str, object]:
    told: dict[str, object] = {
        "incident": found.incident,
        "consequence": found.consequence,
        "rules": list(found.rules),
        "decided_by": found.decided_by.slug,
        "money": [
            {"box": box.box, "what": box.what}
            | {field: show(getattr(box, field)) for field in ("returned", "lost", "in_play")}
            for box in found.money
        ],
    }
    if found.answer:
        told["answer"] = found.answer
    if found.answers:
        told["answers"] = [_advice(answer) for answer in found.answers]
    return told


def _print(book: Rulebook, found: Advice, out: Console) -> None:
    out.print()
    out.print(Text(f"{book.words_of(found.incident)}.", "bold"))
    indented(Text(f"{found.consequence} ({cited(found.rules, book.edition)})"), 2, out)
    if found.decided_by > Role.DEALER:
        indented(Text(f"Who decides: a {found.decided_by.title} or above."), 2, out)
    _print_money(book, found.money, 2, out)
    for answer in found.answers:
        by = cited(answer.rules, book.edition)
        indented(Text(f"{answer.answer.replace('_', ' ')}: {answer.consequence} ({by})"), 4, out)
        _print_money(book, answer.money, 6, out)


def _print_money(book: Rulebook, boxes: Iterable[BoxMoney], indent: int, out: Console) -> None:
    kind = currency(book.currency)
    for box in boxes:
        parts = [
            f"{display(amount, kind)} {what}"
            for amount, what in ((box.returned, "back"), (box.lost, "lost"), (box.in_play, "stays in play"))
            if amount
        ]
        indented(Text(f"Box {box.box}: {', '.join(parts)}"), indent, out)
