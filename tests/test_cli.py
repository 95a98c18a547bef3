"""The command line: what it prints, how it fails, and that it is quick."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from croupier import __version__
from croupier.cli import COMMANDS
from croupier.cli.games.replay import answer_line, demonstrations
from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.documents.editions import GAMES
from tests.calling import ROOT, Call, is_one_line
from tests.patience import PATIENCE


def started(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Runs the command as its own process."""
    command = [sys.executable, "-m", "croupier", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=PATIENCE, check=False, cwd=ROOT)


def script(**changes: object) -> dict[str, object]:
    """A round of box 1 that wins with a royal flush, as the script's own page has it."""
    whole: dict[str, object] = {
        "jackpot": {"meter": "100000.00", "reset": "50000.00", "contribution": "0.20"},
        "tables": {"T1": {"game": "rws-multilink-holdem"}},
        "steps": [
            {"do": "open", "cards": {"community": "Qh Jh Th 7d 9s", "dealer": "3c 3d", "1": "Ah Kh"}},
            {"do": "bet", "player": "ana", "box": 1, "bet": "ante", "amount": "50.00"},
            {"do": "bet", "player": "ana", "box": 1, "bet": "jackpot", "amount": "5.00"},
            {"do": "close_bets"},
            {"do": "examine", "player": "ana", "box": 1},
            {"do": "decide", "box": 1, "choice": "flop"},
            {"do": "decide", "box": 1, "choice": "check"},
            {"do": "decide", "box": 1, "choice": "river"},
        ],
    }
    return {**whole, **changes}


def encoded(value: object) -> bytes:
    return json.dumps(value).encode()


# ---------------------------------------------------------------- replay


def test_replay_prints_json_as_the_script_format_has_it(croupier: Call) -> None:
    """The stable form: rounds with lines, awards and notices, refusals, the meter, nets."""
    done = croupier("replay", "-", "--json", stdin=encoded(script()))
    assert (done.code, done.err) == (0, "")
    result = json.loads(done.out)
    assert list(result) == ["rounds", "refusals", "jackpot", "players"]
    (played,) = result["rounds"]
    assert (played["table"], played["round"], played["status"]) == ("T1", 1, "settled")
    assert [line["bet"] for line in played["lines"]] == ["ante", "jackpot", "flop", "river"]
    assert played["lines"][0]["rules"] == ["3.13", "4.1"]
    assert played["awards"][0]["amount"] == "100001.00"
    assert result["jackpot"] == {"meter": "50000.00"}
    assert result["players"] == {"ana": {"net": "100196.00"}}


def test_replay_reads_a_file_with_a_byte_order_mark(croupier: Call, tmp_path: Path) -> None:
    """Editors on Windows write one."""
    file = tmp_path / "round.json"
    file.write_bytes(b"\xef\xbb\xbf" + encoded(script()))
    assert croupier("replay", str(file), "--json").code == 0


def test_a_script_that_ran_exits_with_zero_refusals_or_not(croupier: Call) -> None:
    """A refused step is an answer, not an error."""
    done = croupier("replay", "-", stdin=encoded(script(steps=[{"do": "close_bets"}])))
    assert done.code == 0
    assert "Refused" in done.out
    assert "Step 0, no_round" in done.out


@pytest.mark.parametrize(
    ("document", "named"),
    [
        pytest.param(b"not JSON", "not a JSON document", id="no JSON"),
        pytest.param(b"", "not a JSON document", id="empty"),
        pytest.param(b"[" * 200_000, "nest|recursion", id="deep"),
        pytest.param(b"[" * 900 + b"]" * 900, "JSON object", id="deep but whole"),
        pytest.param(b"\xff\xfe{}", "not UTF-8", id="UTF-16"),
        pytest.param(b'{"tables": "\xc3("}', "not UTF-8", id="broken UTF-8"),
        pytest.param(bytes(range(256)) * 40_000, "not UTF-8", id="10 MB of bytes"),
        pytest.param(b"x" * 10_000_000, "not a JSON document", id="10 MB of text"),
        pytest.param(encoded(script(tables={"T1": {"game": "whist"}})), r"tables\.T1\.game", id="unknown game"),
        pytest.param(
            encoded(script(steps=[{"do": "open", "cards": {"1": "Ah Ah"}}])), r"step 0, cards\.1", id="card twice"
        ),
        pytest.param(
            encoded(script(steps=[{"do": "bet", "player": "a", "box": 1, "bet": "ante", "amount": "5"}])),
            "step 0, amount",
            id="money",
        ),
        pytest.param(
            encoded(script(steps=[{"do": "bet", "player": "a", "box": 1, "bet": "ante", "amount": "-5.00"}])),
            "step 0, amount",
            id="negative",
        ),
        pytest.param(encoded(script(steps=[{"do": "close_bets"}, {"do": "dance"}])), "step 1, do", id="unknown step"),
        pytest.param(
            encoded(script(steps=[{"do": "decide", "box": 1, "choice": "a\nb" * 9999}])), "step 0, choice", id="long"
        ),
        pytest.param(encoded(script(steps=[{"do": "close_bets", "by": "king"}])), 'step 0, by: "king"', id="no role"),
        pytest.param(
            encoded(script(steps=[{"do": "rule", "decision": "deal_order", "tables": ["T1", "T9"]}])),
            'step 0, tables: "T9"',
            id="no table",
        ),
        pytest.param(b'{"tables": {}, "steps": [], "tables": {}}', "tables: this field stands twice", id="twice"),
        pytest.param(
            b'{"tables": {"T1": {"game": "sun-casino-holdem", "limits": {"ante": 1, "ante": 2}}}, "steps": []}',
            r"tables\.T1\.limits\.ante: this field stands twice",
            id="limit twice",
        ),
        pytest.param(
            b'{"steps": [{"do": "open"}, {"do": "bet", "amount": "5.00", "amount": "9.00"}]}',
            "step 1, amount: this field stands twice",
            id="amount twice",
        ),
        pytest.param(
            b'{"steps": [{"do": "open", "cards": {"1": "Ah Kh", "dealer": "2c 3c", "1": "As Ks"}}]}',
            r"step 0, cards\.1: this field stands twice",
            id="place twice",
        ),
        pytest.param(
            b'{"' + b"n\\n" * 9999 + b'": 1, "' + b"n\\n" * 9999 + b'": 2}',
            "this field stands twice",
            id="long name twice",
        ),
    ],
)
def test_a_malformed_script_is_one_line_with_step_and_field(document: bytes, named: str, croupier: Call) -> None:
    """Exit 2, nothing on standard output, never a traceback."""
    done = croupier("replay", "-", stdin=document)
    assert (done.code, done.out) == (2, "")
    assert is_one_line(done.err)
    assert re.search(named, done.err)
    assert len(done.err) < 500


def test_a_file_that_cannot_be_read_is_one_line(croupier: Call, tmp_path: Path) -> None:
    """Missing, or a directory."""
    for file, says in ((tmp_path / "none.json", "no such file"), (tmp_path, "a directory")):
        for flags in ((), ("--jsonl",)):
            done = croupier("replay", str(file), *flags)
            assert done.code == 2
            assert is_one_line(done.err)
            assert says in done.err.lower()


def test_a_file_that_cannot_be_written_is_named(croupier: Call, tmp_path: Path) -> None:
    """Which of the files it was is half of the answer."""
    card = tmp_path / ("x" * 260)
    done = croupier("strategy", "rws-multilink-three-card", "--card", str(card))
    assert done.code == 2
    assert done.err == f"croupier: {card}: File name too long.\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("dance",), "No such command 'dance'. See croupier --help."),
        (("replay",), "Missing argument 'FILE'. See croupier replay --help."),
        (("replay", "--dance", "-"), "No such option '--dance'. See croupier replay --help."),
        (("replay", "a", "b"), "Got unexpected extra argument (b). See croupier replay --help."),
        (("rules",), f"rules needs a GAME: {', '.join(GAMES)}."),
    ],
)
def test_a_wrong_call_is_one_line_that_says_where_to_look(
    arguments: tuple[str, ...], says: str, croupier: Call
) -> None:
    """Unknown command, missing argument, unknown option, one word too many; what says itself what to do is left so."""
    done = croupier(*arguments)
    assert (done.code, done.out, done.err) == (2, "", f"croupier: {says}\n")


# ---------------------------------------------------------------- replay --jsonl


def test_one_script_a_line_gives_one_answer_a_line(croupier: Call) -> None:
    """A line that is no valid script answers with its error and the rest goes on; blank lines are skipped."""
    broken = encoded(script(steps=[{"do": "dance"}]))
    deep = b"[" * 100_000
    lines = [encoded(script()), b"", b"   ", b"{", broken, deep, b"\xff", encoded(script())]
    done = croupier("replay", "--jsonl", "-", stdin=b"\n".join(lines))
    assert (done.code, done.err) == (0, "")
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert ["error" if "error" in answer else "rounds" for answer in answers] == [
        "rounds", "error", "error", "error", "error", "rounds",
    ]  # fmt: skip
    assert answers[0] == answers[-1]
    assert "step 0, do" in answers[2]["error"]


def test_jsonl_takes_a_file_too(croupier: Call, tmp_path: Path) -> None:
    """Not only standard input."""
    file = tmp_path / "many.jsonl"
    file.write_bytes(encoded(script()) + b"\n" + encoded(script()))
    done = croupier("replay", "--jsonl", str(file))
    assert (done.code, done.out.count("\n")) == (0, 2)


def test_each_answer_is_written_at_once() -> None:
    """Whoever talks to the process line by line gets his answer before he sends the next line."""
    command = [sys.executable, "-m", "croupier", "replay", "--jsonl", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(encoded(script()) + b"\n")
            process.stdin.flush()
            assert b'"settled"' in process.stdout.readline()
        process.stdin.close()
        assert process.wait(timeout=PATIENCE) == 0


def test_a_fault_of_ours_in_one_line_leaves_the_others(croupier: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said to be ours, and answered like an error."""

    def fails(_: object) -> None:
        raise AssertionError("a claim without a bet")

    monkeypatch.setattr("croupier.cli.games.replay.play", fails)
    done = croupier("replay", "--jsonl", "-", stdin=encoded(script()) + b"\n{")
    first, second = (json.loads(line) for line in done.out.splitlines())
    assert "internal error" in first["error"]
    assert "not a JSON document" in second["error"]
    once = croupier("replay", "-", stdin=encoded(script()))
    assert once.code == 70
    assert is_one_line(once.err)


def test_jsonl_answers_every_line_in_its_order() -> None:
    """Six hundred different scripts, each thirtieth broken, spread over the cores; `make bench` says how fast."""
    count = 600
    lines = [
        encoded(script(jackpot={"meter": f"{100_000 + n}.00", "reset": "50000.00", "contribution": "0.20"}))
        for n in range(count)
    ]
    lines[::30] = [b"{"] * len(lines[::30])
    done = started("replay", "--jsonl", "-", stdin=b"\n\n".join(lines))
    answers = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert answers == [answer_line(line) for line in lines]
    assert len(set(answers)) == count - len(lines[::30]) + 1


# ---------------------------------------------------------------- leaving early


@pytest.mark.parametrize("scripts", [1, 60], ids=["one", "many"])
def test_control_c_is_one_line_and_exit_code_130(scripts: int) -> None:
    """While it waits for standard input, alone or with processes that have played for it."""
    command = [sys.executable, "-m", "croupier", "replay", "--jsonl", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, process_group=0
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((encoded(script()) + b"\n") * scripts)
        process.stdin.flush()
        for _ in range(scripts):
            process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert is_one_line(err.decode())


# ---------------------------------------------------------------- help, demo, games


def test_help_lists_every_command_without_loading_the_engine() -> None:
    """Neither rich nor msgspec nor a rulebook is imported for it."""
    code = (
        "import sys; from croupier.cli import run; run(['--help']);"
        "print([name for name in ('rich', 'msgspec', 'croupier.rulebooks', 'croupier.rounds') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "[]"
    assert all(f"  {name} " in done.stdout for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_help(name: str, croupier: Call) -> None:
    """The list of commands names nothing that is not there."""
    done = croupier(name, "--help")
    assert done.code == 0
    assert f"croupier {name}" in done.out


def test_bench_measures_every_game_and_the_disk(croupier: Call, tmp_path: Path) -> None:
    """Figures above nothing for all that was asked, and nothing left on the disk."""
    asked = ("bench", "--only", "rounds", "--only", "disk", "--seconds", "0.01", "--folder", str(tmp_path))
    measured = json.loads(croupier(*asked, "--json").out)["measured"]
    rounds = [each["what"] for each in measured if each["part"] == "rounds"]
    assert rounds == [f"engine, {game}" for game in GAMES]
    disk = [each["what"] for each in measured if each["part"] == "disk"]
    assert disk[-1] == "durable commands beside bare commits"
    assert all(each["value"] > 0 for each in measured)
    assert list(tmp_path.iterdir()) == []
    assert disk[-1] in croupier(*asked).out
    assert croupier("bench", "--folder", str(tmp_path / "none")).code == 2


def measured(croupier: Call, part: str) -> dict[str, float]:
    done = croupier("bench", "--only", part, "--seconds", "0.01", "--json")
    return {each["what"]: each["value"] for each in json.loads(done.out)["measured"]}


def test_bench_measures_every_game_in_the_simulator(croupier: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """With fewer rounds a turn than a user's, which take as long as they take."""
    monkeypatch.setattr("croupier.lab.simulator.jobs.SHARD", 1 << 12)
    found = measured(croupier, "simulator")
    assert list(found) == [f"simulated, {game}" for game in GAMES]
    assert min(found.values()) > 0


def test_bench_measures_every_game_in_the_lab(croupier: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a first time that is not counted: what solving afresh takes, and what the whole command does."""
    asked: list[tuple[str, ...]] = []

    def analyzed(*arguments: str) -> tuple[float, float]:
        asked.append(arguments)
        return 2.0, 1.0

    monkeypatch.setattr("croupier.cli.bench._analyzed", analyzed)
    found = measured(croupier, "lab")
    told = ((f"every deal counted, {game}", 1.0, f"croupier analyze {game}", 2.0) for game in GAMES)
    assert found == {what: value for solved, a, whole, b in told for what, value in ((solved, a), (whole, b))}
    assert asked == [call for game in GAMES for call in ((game,), (game, "--fresh"), (game,))]


def test_bench_measures_a_command_of_the_lab(croupier: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game that is solved soonest, in processes of their own: solving is a part of the command."""
    monkeypatch.setattr("croupier.cli.bench.GAMES", ("rws-multilink-three-card",))
    solving, answered = measured(croupier, "lab").values()
    assert solving > 0
    assert answered > 0


def test_bench_without_numba_measures_the_rest_and_says_what_it_left_out(
    croupier: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has to name what is installed; what is asked for by name is not left out in silence."""
    monkeypatch.setattr("croupier.cli.bench.find_spec", lambda _name: None)
    done = json.loads(croupier("bench", "--seconds", "0.01", "--json").out)
    assert {each["part"] for each in done["measured"]} == {"rounds", "disk"}
    assert done["left_out"] == ["lab", "simulator"]
    says = croupier("bench", "--seconds", "0.01").out.splitlines()[-1]
    assert says == "Left out: lab and simulator, because numba is not installed. Install croupier with its extra [lab]."
    asked = croupier("bench", "--only", "rounds", "--only", "lab")
    assert (asked.code, asked.err) == (2, "croupier: --only lab needs numba. Install croupier with its extra [lab].\n")


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("fairness", "--shuffles", "many"), "'--shuffles': 'many' is not a whole number."),
        (("bench", "--seconds", "long"), "'--seconds': 'long' is not a number."),
        (("analyze", GAMES[0], "--stake", "bonus=1", "--stake", "bonus=2"), "'--stake': bonus is given twice."),
    ],
)
def test_what_is_no_number_or_one_too_many_is_refused_in_plain_words(
    croupier: Call, asked: Sequence[str], says: str
) -> None:
    """Nobody has to know what a range is, or which of two amounts counted."""
    done = croupier(*asked)
    assert (done.code, done.err) == (2, f"croupier: Invalid value for {says}\n")


def test_bench_refuses_seconds_that_are_no_number(croupier: Call) -> None:
    """Of nan no bound is ever passed."""
    done = croupier("bench", "--seconds", "nan")
    assert (done.code, done.err) == (2, "croupier: Invalid value for '--seconds': 'nan' is not a number.\n")


@pytest.mark.parametrize(
    "asked",
    [
        ("report", GAMES[0], "--output"),
        ("strategy", GAMES[0], "--card"),
        ("simulate", GAMES[0], "--checkpoint"),
        ("simulate", "floor", "floor.toml", "--output"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_counted(
    croupier: Call, tmp_path: Path, asked: Sequence[str]
) -> None:
    """Nobody waits for a result that has nowhere to go."""
    missing = tmp_path / "none"
    done = croupier(*asked, str(missing / "page.html"))
    says = f"croupier: Invalid value for '{asked[-1]}': there is no folder {missing} for page.html.\n"
    assert (done.code, done.out, done.err) == (2, "", says)


def test_a_report_that_nobody_placed_is_refused_as_early(
    croupier: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where this folder may not be written to; the system is asked, whoever runs the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.access", lambda _path, _mode: False)
    done = croupier("report", GAMES[0])
    says = f"croupier: {GAMES[0]}-par-sheet.html may not be written: name another place with --output.\n"
    assert (done.code, done.err, list(tmp_path.iterdir())) == (2, says, [])


@pytest.mark.parametrize(
    "asked", [("verify",), ("serve", "--config"), ("simulate", "floor"), ("replay",)], ids=lambda asked: asked[0]
)
def test_a_file_that_is_no_text_is_said_to_be_none(croupier: Call, tmp_path: Path, asked: Sequence[str]) -> None:
    """In words, not in those of a codec."""
    (tmp_path / "cards").write_bytes(b"\x8f\xff")
    done = croupier(*asked, str(tmp_path / "cards"))
    assert done.code == 2
    assert done.err.startswith(f"croupier: {tmp_path / 'cards'}: it is not UTF-8 text")


def test_a_second_check_of_more_rounds_than_memory_holds_is_refused(croupier: Call) -> None:
    """A number that is far too large is bad input, not a fault of ours."""
    done = croupier("report", GAMES[0], "--rounds", "9" * 23)
    assert done.code == 2
    assert "is not in the range 0<=x<=1000000000" in done.err


def test_the_version_is_told(croupier: Call) -> None:
    assert croupier("--version").out == f"croupier {__version__}\n"


def test_demo_plays_one_round_of_each_game_without_an_unwanted_refusal(croupier: Call) -> None:
    """The scripts come with the package, each with a note that says what to look at."""
    assert len(demonstrations()) == 5
    played = json.loads(croupier("demo", "--json").out)
    games = [next(iter(each["script"]["tables"].values()))["game"] for each in played]
    assert tuple(games) == GAMES
    assert [each["result"]["rounds"][0]["status"] for each in played] == ["settled"] * 5
    assert [refusal["code"] for each in played for refusal in each["result"]["refusals"]] == ["one_box_only"]
    printed = croupier("demo").out
    assert "\x1b" not in printed
    assert printed.count("settled") == 5
    for each in played:
        assert each["script"]["note"][:60] in " ".join(printed.split())


def test_the_demonstrations_show_what_their_notes_say(croupier: Call) -> None:
    """rws-multilink-holdem 3.13, rws-multilink-three-card 3.13, mbs-megalink-holdem 3.9.1 with 4.2,
    rws-progressive-holdem 4.2, sun-casino-holdem How to Play ¶5."""
    played = json.loads(croupier("demo", "--json").out)
    lines = [
        {(line["player"], line["bet"]): (line["outcome"], line["won"]) for line in each["result"]["rounds"][0]["lines"]}
        for each in played
    ]
    multilink, three_card, megalink, progressive, sun = lines
    assert multilink["ana", "ante"] == ("stand_off", "0.00")
    assert multilink["ben", "jackpot"] == ("win", "200.00")
    assert three_card["cai", "play"] == ("stand_off", "0.00")
    assert three_card["cai", "pair_plus"] == ("win", "50.00")
    assert megalink["dee", "ante"] == ("lose", "0.00")
    assert megalink["dee", "jackpot"] == ("win", "600.00")
    assert progressive["fay", "jackpot"][0] == "win"
    assert played[3]["result"]["rounds"][0]["awards"][0]["pays"] == "25%"
    assert sun["gus", "ante"] == ("win", "50.00")
    assert sun["gus", "call"] == ("stand_off", "0.00")


def test_games_are_listed_with_their_documents(croupier: Call) -> None:
    """Five of them, with bets, procedures, boxes and paragraphs."""
    listed = json.loads(croupier("games", "--json").out)
    assert [entry["game"] for entry in listed] == list(GAMES)
    assert listed[0]["version"] == 2
    assert listed[0]["effective"] == "2020-06-28"
    assert listed[2]["dealing"] == ["method_a", "method_b", "method_c", "manual"]
    assert [entry["paragraphs"] for entry in listed] == [len(paragraphs(game)) for game in GAMES]
    printed = croupier("games").out
    assert all(entry["title"] in printed for entry in listed)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("serve", "--port", "٨٠٠٠"), "is not a whole number"),
        (("simulate", "sun-casino-holdem", "--rounds", "１００"), "is not a whole number"),
        (("fairness", "--shuffles", "1_000"), "is not a whole number"),
        (("simulate", "sun-casino-holdem", "--careless", "٠.١"), "is not a number"),
        (("figures", "--day", "２０２６-11-17"), "is not a day"),
        (("analyze", "rws-multilink-holdem", "--set", "multiples.flop=٣"), "is a whole multiple"),
    ],
)
def test_digits_of_other_scripts_are_not_numbers(croupier: Call, arguments: tuple[str, ...], says: str) -> None:
    """Nor are underscores: a number is written as in the documents."""
    done = croupier(*arguments)
    assert (done.code, says in done.err) == (2, True), done.err
