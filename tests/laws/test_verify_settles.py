"""The settlement of `verify.py`, which shares no code with ours, comes to the same cent on rounds of chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from croupier import verify
from croupier.cards import Card
from croupier.floor.history.played_rounds import record_rules
from croupier.money import money
from croupier.rounds.commands import CloseBets, PlaceBet, ProveHand, RefuseReveal, RoundCommand
from croupier.rounds.events import HandExamined, RoundEvent, RoundOpened
from croupier.rounds.state import Round, Stage
from croupier.rulebooks.documents.document_text import built_in_readings
from croupier.rulebooks.documents.editions import GAMES
from croupier.rulebooks.terms import Terms, table_terms
from croupier.rulebooks.vocabulary import BetKind
from tests.laws.acting import PLAYERS, anything, decks
from tests.laws.driving import House, linked

HOUSES = 60
STEPS = 160
SUN = "sun-casino-holdem"


def rich_decks(random: Random) -> Iterator[tuple[Card, ...]]:
    """Ordinary decks, and decks that deal a few faces of few suits first: equal hands, fours of a kind, royals."""
    plain = decks(random)
    while True:
        deck = next(plain)
        faces, suits = random.choice(
            (("9TJQKA", "h"), ("TJQKA", "hs"), ("AKQJ", "cdhs"), ("2345A", "hd"), ("89", "cdhs"))
        )
        if random.random() < 0.7:
            first = [card for card in deck if card[0] in faces and card[1] in suits]
            rest = [card for card in deck if card not in first]
            early = [*first, *rest[: random.choice((0, 1, 3, 6, 14))]]
            random.shuffle(early)
            deck = (*early, *(card for card in rest if card not in early))
        yield deck


def somebody(random: Random, terms: Terms, state: Round, trouble: float) -> Iterator[RoundCommand]:
    """What happens next: many bets of every kind and size, hands that are not shown, and anything else."""
    if state.stage is Stage.BETTING and not state.awaiting:
        for _ in range(random.randint(1, 4)):
            box = random.randint(1, 4)
            player = state.box(box).seated or random.choice(PLAYERS)
            for bet in terms.book.bets:
                amount, noticed = random.choice((1000, 1001, 2500, 3333)), random.random() > trouble
                if bet.kind is BetKind.JACKPOT:
                    amount = random.choice((500, 500, 500, 1500)) if noticed else random.choice((200, 700, 9900))
                elif not noticed:
                    amount = random.choice((1, 300, 60000, 77777))
                if bet.kind not in (BetKind.DECISION, BetKind.PAYOUT) and random.random() < 0.8:
                    yield PlaceBet(player=player, box=box, bet=bet.name, amount=amount, noticed=noticed)
        if random.random() < 0.7:
            yield CloseBets()
    elif state.stage is Stage.PLAYING and random.random() < trouble:
        box = random.randint(1, 4)
        yield RefuseReveal(box=box)
        if random.random() < 0.5:
            yield ProveHand(box=box)
    yield anything(random, terms, state, trouble=trouble)


def chosen(random: Random, game: str) -> dict[str, str]:
    """Answers to the questions about money that the document leaves open, half of them other than usual."""
    answers = {}
    for name in verify.DOCUMENTS[game].readings:
        reading = built_in_readings()[name]
        offered = [[letter for letter in each if reading.offers(game, letter)] for each in reading.dimensions]
        if random.random() < 0.5:
            answers[name] = "+".join(random.choice(letters) for letters in offered)
    return answers


def settled(events: list[RoundEvent], terms: Terms) -> Counter[str]:
    """Every round of a table settled again; the problems, and what lines rest on."""
    rules = verify.Rules(terms.book.game, msgspec.json.decode(msgspec.json.encode(record_rules(terms))))
    found: Counter[str] = Counter()
    number, checks = 0, verify.Checks()
    settlement = verify.Settlement(rules, checks)
    for seq, event in enumerate(events):
        if isinstance(event, RoundOpened):
            number, checks = event.number, verify.Checks()
            settlement = verify.Settlement(rules, checks)
        # As in a guest's copy: nothing of what players looked at.
        if not isinstance(event, HandExamined):
            settlement.follow(seq, msgspec.json.decode(msgspec.json.encode(event)), number)
        if type(event).__name__ in ("RoundSettled", "RoundVoided"):
            assert checks.problems == [], (terms.book.game, terms.book.readings, checks.problems)
            found["rounds"] += 1
            found["lines"] += checks.settled or 0
            found["claims"] += len(settlement.claims)
            found.update(reason.split(": ", 1)[1].partition(" (")[0] for reason in checks.rests)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_verifier_settles_every_bet_as_the_engine_does(game: str) -> None:
    """All bets, irregularities and rulings, shared areas, wrong sizes, hands not shown, readings of every letter."""
    random = Random(f"verify {game}")
    found: Counter[str] = Counter()
    for _ in range(HOUSES):
        house = House(linked({"T1": game}, rulings=chosen(random, game)), rich_decks(random))
        trouble = random.choice((0.0, 0.03, 0.12))
        for _ in range(STEPS):
            for command in somebody(random, house.terms("T1"), house.state("T1"), trouble):
                house.do("T1", command)
        found += settled(house.events["T1"], house.terms("T1"))
    assert found["rounds"] > HOUSES
    assert found["lines"] > 5 * HOUSES
    assert found["claims"]
    assert found["the hand was taken out of the round"] or game == SUN
    assert found["the round was voided"]


@pytest.mark.parametrize("game", GAMES)
def test_a_stakeboard_of_the_house_is_settled_by_and_named(game: str) -> None:
    """Where a table pays otherwise than its document prints, the verifier follows the table and says so."""
    board = {"jackpot": {"straight_flush": "777.00"}}
    bets = table_terms(game).book.bets
    side = next((bet.name for bet in bets if bet.kind is BetKind.SIDE), None)
    if side == "bonus":
        board["bonus"] = {"low_pair": "7 to 2"}
    elif side == "pair_plus":
        board["pair_plus"] = {"pair": "3 to 2"}
    else:
        board["ante"] = {"pair": "5 to 2"}
        board["jackpot"] = {"flush": "50 for 1", "straight_flush": "20%"}
    random = Random(f"stakeboard {game}")
    tables = linked({"T1": game})
    terms = {"T1": table_terms(game, pay_tables=board, jackpot_bet=money("5.00"))}
    house = House(msgspec.structs.replace(tables, terms=terms), rich_decks(random))
    for _ in range(400):
        for command in somebody(random, house.terms("T1"), house.state("T1"), 0.02):
            house.do("T1", command)
    assert settled(house.events["T1"], house.terms("T1"))["lines"] > 200
    told = verify.Rules(game, msgspec.json.decode(msgspec.json.encode(record_rules(terms["T1"])))).told()
    assert len(told) == sum(map(len, board.values()))


def test_what_is_printed_is_what_our_rulebooks_pay() -> None:
    """The pay tables and usual readings of `verify.py` are those of the rulebooks, read a second time."""
    for game in GAMES:
        rules = verify.Rules(game, msgspec.json.decode(msgspec.json.encode(record_rules(table_terms(game)))))
        assert rules.told() == []
        assert rules.tables == {name: dict(table) for name, table in verify.DOCUMENTS[game].pay_tables.items()}
