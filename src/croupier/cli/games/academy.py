"""`academy`: drills and exams for dealers and supervisors in a terminal, made and graded by the engine."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec
from msgspec.structs import asdict
from rich.console import Console
from rich.text import Text

from croupier.academy.certificate import certificate as certificate_page
from croupier.academy.exams import BadExam, Exam, Reply, checked, graded, paper
from croupier.academy.introduction import introduction
from croupier.academy.learner_record import Clause, next_question, recorded, weakest
from croupier.academy.questions import (
    DEALER_TOPICS,
    SUPERVISOR_TOPICS,
    Answer,
    BadAnswer,
    Form,
    Question,
    Topic,
    is_right,
    score,
)
from croupier.academy.training_round import training_round
from croupier.cards import card
from croupier.cards import show as show_cards
from croupier.cli.terminal.errors import Wrong, reported
from croupier.cli.terminal.numbers import WholeNumber
from croupier.cli.terminal.output import as_json, console, counted, print_json
from croupier.money import BadMoney, money
from croupier.money import show as show_money
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.documents.editions import UnknownGame
from croupier.rulebooks.readings import readings_of
from croupier.scripts.printer import indented

_GROUPS = {"dealer": DEALER_TOPICS, "supervisor": SUPERVISOR_TOPICS, "all": (*DEALER_TOPICS, *SUPERVISOR_TOPICS)}


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option("--for", "group", type=click.Choice(list(_GROUPS)), default="dealer", help="Whose work to train.")
@click.option(
    "--topic",
    "topics",
    multiple=True,
    type=click.Choice([each.value for each in Topic]),
    help="One topic; may be repeated.",
)
@click.option(
    "--clause",
    "clauses",
    multiple=True,
    metavar="PARAGRAPH",
    help="Ask about this paragraph or reading; may be repeated.",
)
@click.option("--count", type=WholeNumber(1, 200), default=10, show_default=True, help="How many questions.")
@click.option("--seed", type=WholeNumber(0), help="Make the same questions again.")
@click.option(
    "--record", "record_file", metavar="FILE", help="Keep a record by clause here, and train weak clauses first."
)
@click.option("--intro", is_flag=True, help="Introduce the game to someone who does not know it.")
@click.option(
    "--round",
    "training",
    is_flag=True,
    help="Deal a whole training round: every step of the Dealer, and Players who err.",
)
@click.option("--exam", is_flag=True, help="Say what was right only at the end.")
@click.option("--minutes", type=WholeNumber(1, 240), default=20, show_default=True, help="The time for an exam.")
@click.option(
    "--pass-mark", type=WholeNumber(1, 100), default=80, show_default=True, help="Per cent of right answers that pass."
)
@click.option(
    "--certificate", "certificate_file", metavar="FILE", help="After an exam, write its certificate as a page to print."
)
@click.option("--name", default="", help="The learner's name on the certificate.")
@as_json
def academy(
    games: tuple[str, ...],
    group: str,
    topics: tuple[str, ...],
    clauses: tuple[str, ...],
    count: int,
    seed: int | None,
    record_file: str | None,
    intro: bool,
    training: bool,
    exam: bool,
    minutes: int,
    pass_mark: int,
    certificate_file: str | None,
    name: str,
    json_wanted: bool,
) -> None:
    """Train and examine dealers and supervisors.

    Every question is made by the engine that runs the tables, from the rulebook of GAME, and graded by it. With --json
    the questions are printed with their answers, for an examiner.
    """
    if (certificate_file is not None or name) and not exam:
        raise Wrong("A certificate is written after an exam: add --exam.")
    if certificate_file is not None and not name:
        raise Wrong("A certificate needs a name: add --name.")
    if record_file is not None and exam:
        raise Wrong("An exam is not kept in a record: leave out --exam or --record.")
    if training and (exam or topics or clauses or len(games) != 1):
        raise Wrong("A training round is of one game as a whole: leave out --exam, --topic and --clause.")
    chosen = tuple(map(Topic, topics)) or _GROUPS[group]
    drawn = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    with reported(UnknownGame, BadExam):
        if intro:
            _introduce(games, console(), json_wanted=json_wanted)
            return
        if training:
            _deal(games[0], drawn, record_file, console(), json_wanted=json_wanted)
            return
        form = {"count": count, "minutes": minutes, "pass_mark": pass_mark, "seed": drawn}
        asked = checked(Exam(editions=games, topics=chosen, clauses=clauses, **form))
        if json_wanted:
            print_json({"exam": asked, "questions": [_as_json(each) for each in paper(asked)]})
        elif exam:
            _sit(asked, certificate_file, name, console())
        elif record_file is not None:
            _train_with_record(asked, Path(record_file), console())
        else:
            _train(paper(asked), console())


def _as_json(asked: Question) -> dict[str, object]:
    right = asked.right
    return {**asdict(asked), "right": show_money(right) if isinstance(right, int) else right}


def _introduce(games: tuple[str, ...], out: Console, *, json_wanted: bool) -> None:
    """Print the introduction to each game."""
    chapters = {declare(game).edition: introduction(game) for game in games}
    if json_wanted:
        print_json({"introductions": chapters})
        return
    for edition, found in chapters.items():
        out.print(Text(edition, "bold"))
        for chapter in found:
            out.print()
            out.print(Text(chapter.title, "bold"))
            for point in chapter.points:
                shown = f"{show_cards(point.cards)}  " if point.cards else ""
                about = f"{point.about}: " if point.about else ""
                cited = f" ({', '.join(point.rules)})" if point.rules else ""
                indented(Text(f"{shown}{about}{point.says}{cited}"), 2, out)


# ---------------------------------------------------------------- drills


def _train(questions: tuple[Question, ...], out: Console) -> None:
    """Ask, and explain each answer at once."""
    right = points = 0
    for number, asked in enumerate(questions, 1):
        correct, seconds = _asked_and_explained(asked, f"{number} of {len(questions)}", out)
        right += correct
        points += score(correct, seconds, asked.seconds)
    out.print(Text(f"{right} of {len(questions)} right, {round(points / len(questions))} of 100 points.", "bold"))


def _deal(game: str, seed: int, record_file: str | None, out: Console, *, json_wanted: bool) -> None:
    """Let the learner deal a training round, and keep the record after each step where one is wanted."""
    questions = [moment.question for moment in training_round(game, seed)]
    if json_wanted:
        print_json({"edition": questions[0].edition, "seed": seed, "steps": [_as_json(each) for each in questions]})
        return
    record = None if record_file is None else _read_record(Path(record_file))
    right = 0
    for number, asked in enumerate(questions, 1):
        correct, _ = _asked_and_explained(asked, f"{number} of {len(questions)}", out)
        right += correct
        if record is not None and record_file is not None:
            record = recorded(record, asked, correct, int(time.time()))
            _write_record(Path(record_file), record)
    out.print(Text(f"{right} of {len(questions)} steps right.", "bold"))
    out.print(f"Seed {seed}: the same round can be dealt again.")


def _train_with_record(exam: Exam, file: Path, out: Console) -> None:
    """Ask about weak clauses first, and keep the record after each answer."""
    record = _read_record(file)
    for number in range(exam.count):
        edition = exam.editions[number % len(exam.editions)]
        now = int(time.time())
        asked = next_question(record, edition, exam.topics, exam.seed + number, now)
        correct, _ = _asked_and_explained(asked, f"{number + 1} of {exam.count}", out)
        record = recorded(record, asked, correct, now)
        _write_record(file, record)
    for key, known in weakest(record, 5):
        out.print(f"Weak: {key}, {known.right} of {known.asked} right.")


def _write_record(file: Path, record: dict[str, Clause]) -> None:
    file.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=2))


def _read_record(file: Path) -> dict[str, Clause]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Clause])
    except FileNotFoundError:
        return {}
    except msgspec.DecodeError:
        raise Wrong(f"{file}: this is not a record of the academy.") from None


def _asked_and_explained(asked: Question, where: str, out: Console) -> tuple[bool, float]:
    _print_question(asked, where, out)
    started = time.monotonic()
    answer = _answer(asked)
    seconds = time.monotonic() - started
    correct = is_right(asked, answer)
    out.print(
        Text("Right." if correct else f"Wrong. Right: {_in_words(asked, asked.right)}.", "green" if correct else "red")
    )
    indented(Text(asked.because), 2, out)
    for rule in asked.rules:
        indented(Text(f"{rule}: {_clause_text(asked.edition, rule)}", "dim"), 2, out)
    return correct, seconds


def _clause_text(edition: str, rule: str) -> str:
    known = paragraphs(edition).get(rule)
    return known.text if known is not None else readings_of(edition)[rule].question


# ---------------------------------------------------------------- exams


def _sit(exam: Exam, file: str | None, name: str, out: Console) -> None:
    """Ask without comment until the time is over; then grade, and write the certificate."""
    questions = paper(exam)
    until = time.monotonic() + 60 * exam.minutes
    replies: list[Reply] = []
    for number, asked in enumerate(questions, 1):
        left = until - time.monotonic()
        if left <= 0:
            replies.append(Reply(None))
            continue
        _print_question(asked, f"{number} of {len(questions)}, {int(left // 60)} min {int(left % 60)} s left", out)
        started = time.monotonic()
        answer = _answer(asked)
        late = time.monotonic() > until
        replies.append(Reply(None if late else answer, time.monotonic() - started))
    result = graded(exam, questions, replies)
    for number, (asked, mark) in enumerate(zip(questions, result.marks, strict=True), 1):
        if not mark:
            out.print(Text(f"{number}. {asked.asks} Right: {_in_words(asked, asked.right)}.", "red"))
            indented(Text(f"{asked.because} ({', '.join(asked.rules)})"), 4, out)
    verdict = "Passed" if result.passed else f"Not passed, {exam.pass_mark} % are needed"
    out.print(Text(f"{verdict}: {result.right} of {result.asked} right, {result.points} of 100 points.", "bold"))
    out.print(f"Seed {exam.seed}: the same exam can be made again.")
    if file is not None:
        day = datetime.now(UTC).date().isoformat()
        Path(file).write_text(certificate_page(exam, result, name=name, date=day), encoding="utf-8")
        out.print(f"Certificate: {file}")


# ---------------------------------------------------------------- one question


def _print_question(asked: Question, where: str, out: Console) -> None:
    out.print()
    out.print(Text(f"{asked.edition}, question {where}", "dim"))
    for line in asked.situation:
        indented(Text(line), 2, out)
    for place, cards in asked.cards.items():
        where = f"Box {place}" if place.isdigit() else place.capitalize()
        indented(Text(f"{where}: {show_cards(cards)}"), 2, out)
    out.print(Text(asked.asks, "bold"))
    for number, option in enumerate(asked.options, 1):
        indented(Text(f"{number}  {_option(asked, option)}"), 2, out)


def _option(asked: Question, option: str) -> str:
    return show_cards([card(option)]) if asked.topic is Topic.FIVE_CARDS else option


def _in_words(asked: Question, answer: Answer) -> str:
    if isinstance(answer, int):
        return show_money(answer)
    return " ".join(_option(asked, asked.options[index]) for index in answer).rstrip(".")


def _answer(asked: Question) -> Answer:
    """Ask until the answer has the form of the question."""
    while True:
        prompt = (
            "Amount" if asked.form is Form.AMOUNT else f"{counted(asked.picks, 'number')} of 1 to {len(asked.options)}"
        )
        text = click.prompt(prompt)
        try:
            answer = _read_answer(asked, text)
            is_right(asked, answer)
        except (BadAnswer, BadMoney) as wrong:
            click.echo(str(wrong))
        else:
            return answer


def _read_answer(asked: Question, text: str) -> Answer:
    if asked.form is Form.AMOUNT:
        plain = text.strip()
        return money(plain if "." in plain else f"{plain}.00")
    words = text.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() for word in words):
        raise BadAnswer("Write the numbers of the options.")
    return tuple(int(word) - 1 for word in words)
