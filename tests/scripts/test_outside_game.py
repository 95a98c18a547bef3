"""Harbour Stud, a game from outside the package: its folder is in order, and its scripts say what they claim."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.authoring.checks import check
from croupier.authoring.conformance import check_scripts
from croupier.rulebooks.documents.editions import SCRIPTS, Edition
from croupier.rulebooks.incidents import INCIDENTS
from croupier.scripts.parse import BadScript, parse_script
from croupier.scripts.replay import replay
from tests.editions import EXAMPLES, HARBOUR, HARBOUR_1, installed
from tests.patience import PATIENCE


@pytest.fixture
def harbour() -> Iterator[Edition]:
    with installed(HARBOUR_1) as edition:
        yield edition


def test_the_folder_is_in_order(harbour: Edition) -> None:
    """Every paragraph is cited, every case of every incident under every reading has one entry, every script passes."""
    assert [remark for remark in check(harbour) if remark.is_mistake] == []
    assert len(harbour.text.paragraphs) >= 50
    assert len(harbour.text.readings) >= 2


def test_the_scripts_are_played_and_show_an_incident_of_its_own(harbour: Edition) -> None:
    """At least win, loss, no qualification, fold, stand-off, award and irregularity."""
    played = check_scripts(harbour)
    assert len(played) >= 7
    assert {wrong for _, wrong in played} == {""}
    texts = "".join(file.read_text() for file in (Path(harbour.folder) / SCRIPTS).glob("*.json"))
    assert "card_damaged" in texts
    assert "card_damaged" not in {known.name for known in INCIDENTS}


@pytest.mark.parametrize(
    ("place", "cards", "says"),
    [
        ("1", "Ah Kh Qh Jh Th 9h", "6 cards are named where 5 are dealt"),
        ("dealer", "Ah Kh Qh Jh Th 9h", "6 cards are named where 5 are dealt"),
        ("community", "Ah", "1 cards are named where 0 are dealt"),
    ],
)
@pytest.mark.usefixtures("harbour")
def test_a_script_names_no_more_cards_than_the_procedure_deals(place: str, cards: str, says: str) -> None:
    """harbour-stud 2.4, 2.6: five for each hand, none for the community."""
    steps = [{"do": "open", "cards": {place: cards}}]
    with pytest.raises(BadScript, match=says):
        parse_script({"tables": {"T1": {"game": HARBOUR}}, "steps": steps})


@pytest.mark.parametrize(("dealer", "outcome"), [("Ah Kd 4c 3s 2h", "lose"), ("Ah Qd Jc Ts 8h", "win")])
@pytest.mark.usefixtures("harbour")
def test_ace_and_king_qualify_and_ace_and_queen_do_not(dealer: str, outcome: str) -> None:
    """harbour-stud 4.1: the second face decides too."""
    steps = [
        {"do": "open", "cards": {"1": "Kc Qs 9h 7d 5c", "dealer": dealer}},
        {"do": "bet", "player": "ana", "box": 1, "bet": "ante", "amount": "10.00"},
        {"do": "close_bets"},
        {"do": "decide", "box": 1, "choice": "call"},
    ]
    result = replay(parse_script({"tables": {"T1": {"game": HARBOUR}}, "steps": steps}))
    assert [line.outcome for line in result.rounds[0].lines if line.bet == "ante"] == [outcome]


def test_the_command_replays_it(tmp_path: Path) -> None:
    """`croupier --rulebooks … replay` in a process of its own, with the hands by name."""
    conformance = json.loads((EXAMPLES / f"{HARBOUR}-1" / SCRIPTS / "stand-off.json").read_text())
    script = tmp_path / "script.json"
    script.write_text(json.dumps(conformance["script"]))
    command = [sys.executable, "-m", "croupier", "--rulebooks", str(EXAMPLES), "replay", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    assert "Pair of Eights" in done.stdout
    assert "does not qualify: it takes Ace and King" in " ".join(done.stdout.split())
