"""`croupier academy` in a terminal."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from croupier.academy.exams import Exam, checked, paper
from croupier.academy.questions import Topic
from croupier.cli import cli
from croupier.money import show

EXAM = Exam(editions=("sun-casino-holdem",), topics=(Topic.PAYOUT, Topic.WINNER, Topic.FIVE_CARDS), count=3, seed=8)
WORDS = ["academy", "sun-casino-holdem", "--topic", "payout", "--topic", "winner", "--topic", "five_cards",
         "--count", "3", "--seed", "8"]  # fmt: skip


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, list(words), input=typed)


def typed_right() -> list[str]:
    answers = []
    for asked in paper(checked(EXAM)):
        right = asked.right
        answers.append(show(right) if isinstance(right, int) else " ".join(str(index + 1) for index in right))
    return answers


def test_a_drill_explains_every_answer() -> None:
    """What does not answer the question is asked again; a mistake is explained with its paragraph."""
    first, *others = typed_right()
    told = run(*WORDS, typed="\n".join(["seven", first, *others]) + "\n")
    assert told.exit_code == 0, told.output
    assert told.output.count("Right.") == 3
    assert "3 of 3 right" in told.output
    assert first in ("1", "2", "3"), "the first question has three options"
    wrong = run(*WORDS, typed="\n".join(["2" if first == "1" else "1", *others]) + "\n")
    assert "Wrong. Right:" in wrong.output
    assert "2 of 3 right" in wrong.output


def test_the_paper_is_printed_for_an_examiner() -> None:
    told = json.loads(run(*WORDS, "--json").output)
    assert told["exam"]["editions"] == ["sun-casino-holdem@1"]
    assert [each["seed"] for each in told["questions"]] == [each.seed for each in paper(checked(EXAM))]


def test_an_exam_ends_with_a_certificate(tmp_path: Path) -> None:
    page = tmp_path / "certificate.html"
    told = run(*WORDS, "--exam", "--certificate", str(page), "--name", "Ana", typed="\n".join(typed_right()) + "\n")
    assert "Passed: 3 of 3 right" in told.output
    assert "Right." not in told.output
    assert "--seed 8" in page.read_text(encoding="utf-8")


def test_a_record_is_kept_by_clause(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    told = run("academy", "sun-casino-holdem", "--topic", "winner", "--count", "2", "--seed", "1",
               "--record", str(file), typed="1\n1\n")  # fmt: skip
    assert told.exit_code == 0, told.output
    record = json.loads(file.read_text(encoding="utf-8"))
    assert all(key.startswith("sun-casino-holdem@1 ") and 1 <= known["asked"] <= 2 for key, known in record.items())


def test_a_training_round_is_dealt_in_the_terminal(tmp_path: Path) -> None:
    """Every step is graded and explained, and enters the record; the same seed deals the same round."""
    words = ("academy", "sun-casino-holdem", "--round", "--seed", "3")
    steps = json.loads(run(*words, "--json").output)["steps"]
    typed = [step["right"] if isinstance(step["right"], str) else str(step["right"][0] + 1) for step in steps]
    file = tmp_path / "record.json"
    told = run(*words, "--record", str(file), typed="\n".join(typed) + "\n")
    assert told.exit_code == 0, told.output
    assert f"{len(steps)} of {len(steps)} steps right." in told.output
    assert told.output.count("Right.") == len(steps)
    assert {rule for step in steps for rule in step["rules"]} == {
        key.partition(" ")[2] for key in json.loads(file.read_text(encoding="utf-8"))
    }


def test_what_cannot_be_asked_is_one_sentence(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    for words, says in (
        (["academy", "no-such-game"], 'There is no game "no-such-game"'),
        (["academy", "sun-casino-holdem", "--name", "Ana"], "A certificate is written after an exam: add --exam."),
        (["academy", "sun-casino-holdem", "--exam", "--certificate", "x"], "A certificate needs a name: add --name."),
        (["academy", "sun-casino-holdem", "--round", "--exam"], "A training round is of one game as a whole"),
        (["academy", "sun-casino-holdem", "--record", str(broken)], "this is not a record of the academy"),
    ):
        told = run(*words)
        assert told.exit_code != 0
        assert says in str(told.exception)
