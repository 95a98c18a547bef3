"""The ruling desk: it asks only what matters, and says the same as the engine would."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli import cli, run
from croupier.rounds.irregularities.ruling_desk import DeskBet, advise, entries_for, incidents_of, next_question
from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.vocabulary import Incident, IncidentName, Role, Rulebook, When
from tests.own_incidents import DROPPED, GAME, installed, with_incident

CASES = [(game, incident.name) for game in GAMES for incident in incidents_of(declare(game))]


def every_answer(book: Rulebook, incident: IncidentName, known: dict[When, bool]) -> Iterator[dict[When, bool]]:
    question = next_question(book, incident, known)
    if question is None:
        yield known
        return
    for answer in (True, False):
        yield from every_answer(book, incident, {**known, question.fact: answer})


@pytest.mark.parametrize(("game", "incident"), CASES, ids=[f"{g}-{i}" for g, i in CASES])
def test_every_way_of_answering_ends_with_one_entry_of_the_book(game: str, incident: IncidentName) -> None:
    """Whatever the supervisor answers, one consequence follows, and every entry can be reached."""
    book = declare(game)
    reached = set()
    for known in every_answer(book, incident, {}):
        found = advise(book, incident, known, bets=[DeskBet(1, "ante", 5000)])
        assert found.rules
        assert found.consequence
        assert sum(box.returned + box.lost + box.in_play for box in found.money) == 5000
        reached.add((found.rules, found.consequence))
    declared = {entry.rules for entry in entries_for(book, incident)}
    assert {rules for rules, _ in reached} == declared


def test_nothing_is_asked_that_does_not_matter() -> None:
    """rws-multilink-holdem 5.8.1: a foreign card voids the round whatever anybody has seen."""
    assert next_question(declare("rws-multilink-holdem"), Incident.FOREIGN_CARD, {}) is None


def test_reconstruction_after_a_missed_burn_is_the_word_of_a_pit_manager() -> None:
    """rws-multilink-holdem 5.9, reading house-level: the House rules, which is the Pit Manager."""
    book = declare("rws-multilink-holdem")
    question = next_question(book, Incident.BURN_MISSED, {When.PLAYER_HAS_SEEN: False})
    assert question is not None
    assert (question.fact, question.word_of) == (When.RECONSTRUCTIBLE, Role.PIT_MANAGER)


def test_one_exposed_card_that_nobody_saw_gives_its_box_the_choice() -> None:
    """rws-multilink-holdem 5.10, reading one-exposed: box 3 continues, or takes all of its bets back."""
    book = declare("rws-multilink-holdem")
    known = {When.TWO_OR_MORE: False, When.PLAYER_HAS_SEEN: False}
    question = next_question(book, Incident.CARDS_EXPOSED, known)
    assert question is not None
    assert question.fact is When.EXPOSED_BEFORE
    known |= {When.EXPOSED_BEFORE: False, When.DEALER_OR_COMMUNITY_CARD: False}
    bets = [DeskBet(3, "ante", 5000), DeskBet(3, "jackpot", 500), DeskBet(1, "ante", 2500)]
    found = advise(book, Incident.CARDS_EXPOSED, known, boxes=[3], bets=bets)
    back = {answer.answer: {box.box: box.returned for box in answer.money} for answer in found.answers}
    assert back == {"continue": {1: 0, 3: 0}, "return": {1: 0, 3: 5500}}


def test_a_second_exposed_card_that_nobody_saw_voids_the_round() -> None:
    """rws-multilink-holdem 5.8.2, reading exposures-add-up b: one card before it and this one are two."""
    known = {When.TWO_OR_MORE: False, When.PLAYER_HAS_SEEN: False, When.EXPOSED_BEFORE: True}
    found = advise(declare("rws-multilink-holdem"), Incident.CARDS_EXPOSED, known)
    assert "void" in found.consequence
    assert {"5.8.2", "exposures-add-up"} <= set(found.rules)


def test_what_a_document_does_not_mention_goes_to_the_shift_manager() -> None:
    """mbs-megalink-holdem 6.1, reading mbs-silent: a joint draw is uncovered there."""
    found = advise(declare("mbs-megalink-holdem"), Incident.SIMULTANEOUS_DRAW, {})
    assert found.decided_by is Role.SHIFT_MANAGER
    assert "6.1" in found.rules
    assert [answer.answer for answer in found.answers] == ["void", "stand", "return"]


def test_a_fold_costs_what_the_game_says_and_leaves_the_jackpot_bet() -> None:
    """rws-multilink-holdem 5.5: leaving with a decision to make is a fold; Ante and Bonus are lost."""
    bets = [DeskBet(1, "ante", 5000), DeskBet(1, "bonus", 1000), DeskBet(1, "jackpot", 500)]
    known = {When.FIRST_DECISION_REMAINS: True}
    found = advise(declare("rws-multilink-holdem"), Incident.WALKED_AWAY, known, boxes=[1], bets=bets)
    assert [(box.lost, box.in_play) for box in found.money] == [(6000, 500)]


# ---------------------------------------------------------------- the command


def told(*arguments: str, text: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["advise-ruling", *arguments], input=text)
    return result.exit_code, result.output


def test_the_desk_asks_and_answers_on_a_terminal() -> None:
    code, output = told("sun-casino-holdem", text="6\nn\n\n1 ante 50.00\nnonsense\n\n")
    assert code == 0
    assert "Everything is dealt again" in output
    assert "Rules ¶3" in output
    assert "Write a box, a bet and an amount, as in 1 ante 50.00." in output


def test_answers_that_end_early_are_bad_input_and_no_ctrl_c(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody sits at the terminal, or a file of answers is too short."""
    for answers in ("", "6\n"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
        assert run(["advise-ruling", "sun-casino-holdem"]) == 2
        assert "The answers ended before the questions did" in capsys.readouterr().err


def test_facts_from_a_file_come_back_as_json(tmp_path: Path) -> None:
    facts = tmp_path / "facts.json"
    bets = [{"box": 2, "bet": "ante", "amount": "50.00", "player": "ana"}]
    facts.write_text(json.dumps({"incident": "burn_missed", "facts": {"player_has_seen": True}, "bets": bets}))
    code, output = told("rws-multilink-three-card", str(facts), "--json")
    advice = json.loads(output)
    assert code == 0
    assert advice["rules"][0] == "5.9"
    assert advice["money"] == [
        {"box": 2, "what": "all bets back", "returned": "50.00", "lost": "0.00", "in_play": "0.00"}
    ]


def test_missing_facts_are_named_with_whose_word_they_take() -> None:
    code, output = told("rws-multilink-holdem", "-", "--json", text='{"incident": "misdealt"}')
    assert code == 0
    needs = {need["fact"]: need["word_of"] for need in json.loads(output)["needs"]}
    assert needs == {"player_has_seen": "dealer", "reconstructible": "pit_supervisor"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("nonsense", "not a JSON document"),
        ("[]", "a JSON object"),
        ('{"incident": "earthquake"}', "incident"),
        ('{"incident": "misdealt", "facts": {"x": true}}', "facts.x"),
        ('{"incident": "misdealt", "facts": {"player_has_seen": 1}}', "facts.player_has_seen"),
        ('{"incident": "foreign_card", "bets": [{"box": 1, "bet": "ante", "amount": "5"}]}', "bets[0], amount"),
        ('{"incident": "foreign_card", "boxes": [0]}', "boxes"),
        ('{"incident": "foreign_card", "colour": 1}', "colour"),
        ('{"incident": "misdealt"}', "facts.player_has_seen"),
    ],
)
def test_bad_facts_are_one_clear_line(
    text: str, names: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = tmp_path / "facts.json"
    facts.write_text(text)
    assert run(["advise-ruling", "rws-multilink-holdem", str(facts)]) == 2
    message = capsys.readouterr().err
    assert names in message
    assert message.count("\n") == 1


# ---------------------------------------------------------------- incidents of a rulebook's own


def test_the_desk_asks_about_an_incident_of_the_books_own_and_advises_on_it() -> None:
    """Only the fact between its entries is asked; the answers are those of the entry."""
    book = with_incident(declare(GAME))
    assert incidents_of(book)[-1] == DROPPED
    question = next_question(book, DROPPED.name, {})
    assert question is not None
    assert question.fact is When.PLAYER_HAS_SEEN
    bets = [DeskBet(1, "ante", 5000), DeskBet(2, "ante", 2500)]
    found = advise(book, DROPPED.name, {When.PLAYER_HAS_SEEN: True}, boxes=[1], bets=bets)
    assert (found.rules, found.decided_by) == (("5.14",), Role.PIT_SUPERVISOR)
    back = {answer.answer: [box.returned for box in answer.money] for answer in found.answers}
    assert back == {"card_replaced": [0, 0], "hand_out": [5000, 0]}


def test_the_command_offers_it_by_its_words_for_its_game_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another game's list ends without it, and its slug is refused there with the incidents of that game."""
    installed(monkeypatch, "croupier.cli.games.ruling_desk")
    last = len(incidents_of(declare(GAME))) + 1
    code, output = told(GAME, text=f"{last}\nn\n\n\n")
    assert code == 0
    assert f"{last} A card was dropped on the floor\n" in output
    assert "The round is void" in output
    code, output = told(GAME, "-", "--json", text='{"incident": "card_dropped", "facts": {"player_has_seen": false}}')
    assert (code, json.loads(output)["rules"]) == (0, ["5.8"])
    assert "dropped" not in told("sun-casino-holdem", text="1\n\n\n")[1]
    facts = tmp_path / "facts.json"
    facts.write_text('{"incident": "card_dropped"}')
    assert run(["advise-ruling", "sun-casino-holdem", str(facts)]) == 2
    assert "incident: 'card_dropped' is not one of walked_away, not_revealed, " in capsys.readouterr().err
