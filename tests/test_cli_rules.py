"""The command line about the rules: paragraphs, readings, coverage, and what the README says of it all."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys

import pytest

from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.documents.document_text import built_in_readings
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.readings import readings_of
from tests.calling import ROOT, Call, is_one_line

README = (ROOT / "README.md").read_text(encoding="utf-8")


# ---------------------------------------------------------------- rules and readings


def test_a_paragraph_leads_to_its_module_its_engine_and_its_tests(croupier: Call) -> None:
    """From the document to the code and back."""
    found = json.loads(croupier("rules", "rws-multilink-holdem", "3.13", "--json").out)
    assert found["entries"] == ["showdown.higher"]
    assert found["engine"] == ["croupier.rounds.settlement"]
    source = (ROOT / "src/croupier/rulebooks/rws_multilink_holdem.py").read_text(encoding="utf-8").splitlines()
    assert all('p("3.13")' in source[at["line"] - 1] for at in found["cited"])
    assert found["tests"]
    printed = croupier("rules", "rws-multilink-holdem", "3.13").out
    assert "src/croupier/rulebooks/rws_multilink_holdem.py:" in printed
    assert "in SHOWDOWN" in printed


def test_a_heading_may_be_written_without_its_sign(croupier: Call) -> None:
    """sun-casino-holdem has no numbers; its paragraphs are cited by heading."""
    done = croupier("rules", "sun-casino-holdem", "how", "to", "play", "5")
    assert done.code == 0
    assert done.out.startswith("sun-casino-holdem How to Play ¶5")


def test_a_reading_may_be_asked_for_like_a_paragraph(croupier: Call) -> None:
    done = croupier("rules", "mbs-megalink-holdem", "bonus-on-loss")
    assert "→ b" in done.out


def test_every_paragraph_is_listed_with_a_mark_where_it_is_enforced(croupier: Call) -> None:
    for game in GAMES:
        listed = json.loads(croupier("rules", game, "--json").out)
        assert [entry["paragraph"] for entry in listed] == list(paragraphs(game))
        printed = croupier("rules", game).out
        assert printed.count("✓ ") >= sum(entry["enforced_by"] != "none" for entry in listed)


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (("rules", "rws-multilink"), "rws-multilink-holdem"),
        (("rules", "rws-multilink-holdem", "3.133"), "3.13"),
        (("rules", "sun-casino-holdem", "Rules 9"), "Rules ¶"),
        (("rules", "--diff", "rws-multilink-holdem", "mbs"), "mbs-megalink-holdem"),
        (("rules", "--coverage", "whist"), "rws-multilink-holdem"),
        (("readings", "sun"), "sun-casino-holdem"),
    ],
)
def test_what_does_not_exist_is_answered_with_what_is_near(
    arguments: tuple[str, ...], near: str, croupier: Call
) -> None:
    """Exit 2, one line."""
    done = croupier(*arguments)
    assert (done.code, done.out) == (2, "")
    assert is_one_line(done.err)
    assert near in done.err


def test_two_rulebooks_are_compared_dimension_by_dimension(croupier: Call) -> None:
    """What differs is shown with both paragraphs, what is the same is counted."""
    found = json.loads(croupier("rules", "--diff", "rws-multilink-holdem", "mbs-megalink-holdem", "--json").out)
    by = {(each["dimension"], each["about"]): each for each in found["differences"]}
    four = by["Jackpot hands", "four of a kind"]
    assert four["rws-multilink-holdem"] == {"says": "2,000.00: 2 own and 3 community cards", "rules": ["4.2"]}
    assert four["mbs-megalink-holdem"] == {"says": "400 for 1: 2 own and 3 community cards", "rules": ["4.2"]}
    printed = croupier("rules", "--diff", "rws-multilink-holdem", "mbs-megalink-holdem").out
    assert f"{len(found['differences'])} statements differ, {len(found['same'])} are the same." in printed


def test_coverage_counts_entries_and_tests_apart(croupier: Call) -> None:
    """Exit 0 only where nothing that commands is left without an entry or a test."""
    done = croupier("rules", "--coverage", "--json")
    summary = json.loads(done.out)["summary"]
    assert list(summary) == list(GAMES)
    assert all(counts["uncited"] == [] for counts in summary.values())
    assert done.code == (1 if any(counts["untested"] for counts in summary.values()) else 0)
    printed = croupier("rules", "--coverage", "sun-casino-holdem")
    assert "commanding paragraphs cited by the rulebook" in printed.out


def test_coverage_exits_with_one_where_an_entry_is_missing(croupier: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """A paragraph that commands something and that nothing carries out."""
    monkeypatch.setattr("croupier.rulebooks.description.traceability.entries_citing", lambda book: {})
    done = croupier("rules", "--coverage", "sun-casino-holdem")
    assert done.code == 1
    assert "0 of 38 commanding paragraphs" in done.out


def test_a_package_without_tests_says_so(croupier: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed wheel has no tests beside it."""
    monkeypatch.setattr("croupier.rulebooks.description.traceability.folder_of_tests", lambda: None)
    assert "not part of an installed package" in croupier("rules", "rws-multilink-holdem", "3.13").out
    assert json.loads(croupier("rules", "rws-multilink-holdem", "3.13", "--json").out)["tests"] is None
    assert "held by a test" not in croupier("rules", "--coverage", "sun-casino-holdem").out


def test_readings_show_the_answer_in_force(croupier: Call) -> None:
    """All of them, or those of one game."""
    listed = json.loads(croupier("readings", "--json").out)
    assert [entry["id"] for entry in listed] == list(built_in_readings())
    of_sun = json.loads(croupier("readings", "sun-casino-holdem", "--json").out)
    assert [entry["id"] for entry in of_sun] == list(readings_of("sun-casino-holdem"))
    printed = croupier("readings", "sun-casino-holdem").out
    assert all(entry["id"] in printed for entry in of_sun)
    assert printed.count("→") >= len(of_sun)


# ---------------------------------------------------------------- the README


def test_the_readme_shows_what_the_command_prints(croupier: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """A screenful of real output."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    shown = re.findall(r"```console\n\$ croupier ([^\n]+)\n(.*?)```", README, flags=re.DOTALL)
    assert shown
    for command, output in shown:
        assert croupier(*shlex.split(command)).out.strip() == output.strip()


def test_the_commands_of_the_readme_run(croupier: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is written as a line of its own."""
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```sh\n(.*?)```", README, flags=re.DOTALL)
    commands = [line.partition("#")[0].split() for block in blocks for line in block.splitlines()]
    ours = [words[1:] for words in commands if words and words[0] in ("croupier", ".venv/bin/croupier")]
    ours = [words for words in ours if words[0] != "serve"]  # it runs until it is stopped; other tests start it
    assert len(ours) >= 6
    for words in ours:
        done = croupier(*words)
        assert done.err == ""
        assert done.code == 0 or (words == ["rules", "--coverage"] and done.code == 1)


def test_the_python_example_of_the_readme_runs_and_is_short() -> None:
    """At most ten lines, from a table to the reason of each bet."""
    (example,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert len(example.strip().splitlines()) <= 10
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[0].startswith("ante win 50.00 Royal Flush beats")
    assert len(done.stdout.splitlines()) == 4
