"""Golden vectors for verifiers in other languages: hands, commitments, chains and whole rounds with their verdicts.

`python -m tests.floor.vectors` writes them to docs/verify/vectors; a test says whether they are current.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import TypeAlias

import msgspec

from croupier import verify
from croupier.cards import DECK
from croupier.floor.duties.permissions import Post
from croupier.floor.history.export import AUDITOR
from croupier.floor.history.played_rounds import Past
from croupier.floor.house.house import House
from croupier.floor.people.people import Person
from croupier.floor.records.commands import AtTable, BuyIn, HouseCommand, OpenLink, OpenTable, Request, TableConfig
from croupier.floor.records.committed_decks import Chance, Deck, unsealed
from croupier.jackpots.parameters import Parameters, Rate
from croupier.journal.sqlite import SqliteStore
from croupier.money import money
from croupier.rounds.commands import (
    CloseBets,
    DecideHand,
    ExamineHand,
    OpenRound,
    PlaceBet,
    ReportIncident,
    RoundCommand,
)
from croupier.rounds.dealing import decision_due
from croupier.rounds.state import Stage
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.vocabulary import BetKind, Incident, Role
from tests.floor.forgeries import forged

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "verify" / "vectors"
SEEDS = {game: 20 + index for index, game in enumerate(GAMES)}
NOW = 1_790_000_000_000_000
GUEST, BEN = Person("guest", Post.DISPLAY, ""), Person("ben", Post.PLAYER, "")
WRONG_COUNT = ReportIncident(
    incident=Incident.WRONG_BOX_COUNT, by=Role.PIT_SUPERVISOR, boxes=(2,), reconstructible=False
)
VectorFile: TypeAlias = dict[str, object]
Ranking: TypeAlias = Callable[[Sequence[str]], verify.Hand]


# ---------------------------------------------------------------- rounds


class Vectors:
    """A house in memory that plays one round of one game, the same every time."""

    def __init__(self, game: str, seed: int) -> None:
        random = Random(seed)
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.store = SqliteStore("sqlite:///memory", connection=connection)
        self.house = House(self.store, Chance(random.randrange, random.randbytes))
        self._ids = count(1)
        parameters = Parameters(reset=money("200000.00"), contribution=Rate(1, 5))
        self.do(OpenLink(link="main", meter=money("1000000.00"), parameters=parameters))
        self.do(OpenTable(table="T1", config=TableConfig(game=game, link="main")))
        for name in ("ana", "ben"):
            self.do(BuyIn(player=name, amount=money("10000.00")))

    def do(self, command: HouseCommand) -> None:
        number = next(self._ids)
        (answer,) = self.house.process([Request(f"v{number}", command, NOW + 1000 * number)])
        assert answer.accepted, f"{command} is refused: {answer.message}"

    def at(self, *commands: RoundCommand) -> None:
        for command in commands:
            self.do(AtTable(table="T1", command=command))

    def play(self, trouble: ReportIncident | None = None) -> None:
        """Ana has every bet and plays on; Ben looks at his hand and folds, or loses it to an irregularity."""
        table = self.house.tables["T1"]
        self.at(OpenRound())
        for bet in table.terms.book.bets:
            if bet.kind in (BetKind.ENTRY, BetKind.SIDE):
                self.at(PlaceBet(player="ana", box=1, bet=bet.name, amount=money("25.00")))
            elif bet.kind is BetKind.JACKPOT:
                self.at(PlaceBet(player="ana", box=1, bet=bet.name, amount=money("5.00")))
        self.at(PlaceBet(player="ben", box=2, bet="ante", amount=money("40.00")), CloseBets())
        self.at(ExamineHand(player="ana", box=1), ExamineHand(player="ben", box=2))
        if trouble is not None:
            self.at(trouble)
        while self.house.tables["T1"].round.stage is Stage.PLAYING:
            due = decision_due(table.terms, self.house.tables["T1"].round)
            assert due is not None
            decision, boxes = due
            self.at(DecideHand(box=boxes[0], choice=decision.otherwise if boxes[0] == 2 else decision.bet))

    def record(self, person: Person) -> verify.Json:
        told = Past(self.house, lambda: self.store).record(self.house.tables["T1"], 1, person)
        record: verify.Json = json.loads(msgspec.json.encode(told))
        return record

    def deck(self) -> Deck:
        sealed = self.store.deck("T1", 1, 0)
        assert sealed is not None
        return unsealed(sealed)


def _vector(what: str, record: verify.Json) -> VectorFile:
    checks = verify.check(record)
    expected = {"holds": not checks.problems, "problems": checks.problems, "net": dict(checks.net)}
    if not checks.problems:
        expected |= {"settled": checks.settled, "rests_on_record": checks.rests}
    return {"what": what, "expected": expected, "record": record}


def _is_lost_bet(event: dict[str, object]) -> bool:
    return event["type"] == "BetSettled" and event["outcome"] == "lose" and event["bet"] != "jackpot"


def _another_winner(events: list[dict[str, object]]) -> None:
    """The first bet against the Dealer that was lost is won, and everything adds up."""
    line = next(event for event in events if _is_lost_bet(event))
    line.update(outcome="win", won=line["staked"], returned=line["staked"])


def _rounds() -> Iterator[tuple[str, VectorFile]]:
    for game in GAMES:
        played = Vectors(game, SEEDS[game])
        played.play()
        whole = played.record(AUDITOR)
        yield f"{game}-whole", _vector("A round with its whole deck, as an auditor gets it.", whole)
        yield f"{game}-guest", _vector("The same round with the cards that were turned.", played.record(GUEST))
        changed = forged(whole, _another_winner)
        yield f"{game}-changed", _vector("A lost bet is made a win, and every hash is made anew.", changed)
        played.store.close()
    played = Vectors(GAMES[0], SEEDS[GAMES[0]])
    played.play(WRONG_COUNT)
    yield "ruling-guest", _vector("A hand was taken out of the round (5.15); a guest's copy.", played.record(GUEST))
    yield "ruling-player", _vector("The same for Ben, who had looked at his hand.", played.record(BEN))
    copied = played.record(GUEST)
    copied["decks"][0]["cards"][0]["salt"] = "0" * 64
    yield "ruling-bad-salt", _vector("A card is opened with another salt.", copied)
    played.store.close()


# ---------------------------------------------------------------- parts


def _hands() -> VectorFile:
    random = Random(1)

    def some(size: int, count: int, *others: str) -> list[list[str]]:
        drawn = [[str(card) for card in random.sample(DECK, size)] for _ in range(count)]
        return [*drawn, *(text.split(" ") for text in others)]

    def ranked(hands: list[list[str]], names: Sequence[str], rank: Ranking) -> list[VectorFile]:
        return [{"cards": hand, "rank": names[rank(hand)[0]], "key": rank(hand)} for hand in hands]

    return {
        "five": ranked(some(5, 40, *_RARE), verify.FIVE, verify.rank_five),
        "best_of_seven": ranked(some(7, 40), verify.FIVE, verify.best_of),
        "three": ranked(some(3, 30, *_RARE_THREE), verify.THREE, verify.rank_three),
        "hole_cards": [
            {"cards": hand, "line": verify.hole_cards(hand, ())}
            for hand in some(2, 40, "As Ah", "Ad Kd", "Qc Qh", "Ac Jd")
        ],
    }


_RARE = (
    "As Ks Qs Js Ts", "5h 4h 3h 2h Ah", "9c 8c 7c 6c 5c", "Kc Kd Kh Ks 2d", "Kc Kd Kh 2s 2d", "Ah 9h 7h 3h 2h",
    "5h 4c 3h 2d Ah", "As Kd Qs Js Ts", "Qs Kd As 2c 3d",
)  # fmt: skip
_RARE_THREE = ("As Ks Qs", "3s 2s As", "3s 2d As", "Qc Qd Qh", "2s As Kd", "9h 5h 2h", "Qs 3d 2c", "Js Td 8c")


def _commitment() -> VectorFile:
    random = Random(2)
    cards, seed = random.sample(DECK, 52), random.randbytes(32).hex()
    whole = " ".join(cards)
    played = Vectors(GAMES[0], SEEDS[GAMES[0]])
    played.play()
    deck = played.deck()
    played.store.close()
    return {
        "by_card": {
            "cards": cards,
            "seed": seed,
            "salts": [verify.card_salt(seed, at) for at in range(52)],
            "leaves": [verify.card_leaf(at, card, verify.card_salt(seed, at)) for at, card in enumerate(cards)],
            "commitment": verify.commitment_of(cards, seed),
        },
        "opened": {
            "commitment": deck.commitment,
            "cards": [msgspec.to_builtins(deck.proof(at)) for at in (0, 1, 31, 32, 51)],
        },
        "whole": {"deck": whole, "salt": seed, "commitment": hashlib.sha256(f"{seed} {whole}".encode()).hexdigest()},
    }


def vectors() -> dict[str, VectorFile]:
    """Every file by its name, without the ending."""
    return {"hands": _hands(), "commitment": _commitment(), **dict(_rounds())}


def text_of(vector: VectorFile) -> str:
    """A file as it is written."""
    return json.dumps(vector, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.json"):
        old.unlink()
    for name, vector in vectors().items():
        (FOLDER / f"{name}.json").write_text(text_of(vector), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
