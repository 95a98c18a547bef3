"""Drives tables through the same door as scripts and the floor, keeps every event, and checks the laws on the way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from croupier.cards import DECK, Card, Shoe
from croupier.jackpots.events import AnyLinkEvent, AwardsReversed, CasePaid
from croupier.jackpots.evolve import evolve_link_all
from croupier.jackpots.link import new_link
from croupier.jackpots.linked_tables import Happened, Tables, act
from croupier.jackpots.parameters import Parameters, Rate
from croupier.money import money
from croupier.rounds.commands import ExamineHand, RoundCommand, TurnCards
from croupier.rounds.dealing import CardsToTurn, dealers_work
from croupier.rounds.events import (
    AwardClaimed,
    BetPlaced,
    BetSettled,
    BetWithdrawn,
    CardsRedealt,
    CardsTurned,
    HandDecided,
    HandExamined,
    RoundEvent,
    RoundOpened,
    RoundReopened,
)
from croupier.rounds.evolve import evolve_all
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Round, new_table
from croupier.rounds.views import Viewer, view
from croupier.rulebooks.terms import Terms, table_terms

EVENTS = msgspec.json.Decoder(RoundEvent)


def linked(
    games: Mapping[str, str],
    dealing: Mapping[str, str] | None = None,
    *,
    rulings: Mapping[str, str] | None = None,
    boxes: int | None = None,
) -> Tables:
    """Tables of these games on one link, with an awkward contribution rate."""
    terms = {
        name: table_terms(game, dealing=(dealing or {}).get(name), rulings=rulings, boxes=boxes)
        for name, game in games.items()
    }
    link = new_link(
        money("123456.78"),
        Parameters(reset=money("50000.00"), contribution=Rate(7, 33), reserve=Rate(1, 7), cap=money("123470.00")),
    )
    return Tables(terms=terms, rounds={name: new_table(t.boxes) for name, t in terms.items()}, link=link)


class House:
    """Tables with a shoe each; every command is followed by the Dealer's own work."""

    def __init__(self, tables: Tables, decks: Iterator[tuple[Card, ...]]) -> None:
        self.start = self.tables = tables
        self.decks = decks
        self.shoes: dict[str, tuple[tuple[int, int], Shoe]] = {}
        self.events: dict[str, list[RoundEvent]] = {name: [] for name in tables.terms}
        self.link_events: list[AnyLinkEvent] = []
        self.refusals: Counter[str] = Counter()

    def fork(self) -> House:
        """The same house at the same moment, to be played on differently."""
        other = House(self.start, self.decks)
        other.tables = self.tables
        other.shoes = dict(self.shoes)
        other.events = {name: list(events) for name, events in self.events.items()}
        other.link_events = list(self.link_events)
        return other

    def state(self, table: str) -> Round:
        return self.tables.rounds[table]

    def terms(self, table: str) -> Terms:
        return self.tables.terms[table]

    def shoe(self, table: str) -> Shoe:
        state = self.state(table)
        key = (state.number, state.deals)
        if table not in self.shoes or self.shoes[table][0] != key:
            self.shoes[table] = (key, Shoe(next(self.decks)))
        return self.shoes[table][1]

    def do(self, table: str, command: RoundCommand) -> Refusal | None:
        if isinstance(command, ExamineHand):
            shoe = self.shoe(table)
            seen = tuple(shoe[i] for i in self.state(table).ordinals(str(command.box)))
            command = replace(command, cards=seen)
        answer = act(self.tables, table, command)
        if isinstance(answer, Refusal):
            self.refusals[answer.code.value] += 1
            return answer
        self._enter(answer)
        while (work := dealers_work(self.terms(table), self.state(table))) is not None:
            todo: RoundCommand
            if isinstance(work, CardsToTurn):
                shoe = self.shoe(table)
                todo = TurnCards(cards={p: tuple(shoe[i] for i in o) for p, o in work.places.items()})
            else:
                todo = work
            answer = act(self.tables, table, todo)
            assert isinstance(answer, Happened), f"the Dealer's own work is refused: {answer}"
            self._enter(answer)
        return None

    def _enter(self, answer: Happened) -> None:
        self.tables = answer.tables
        for table, event in answer.events:
            self.events[table].append(event)
        self.link_events.extend(answer.link_events)
        self.check_chips()

    # ---------------------------------------------------------------- the laws

    def check_chips(self) -> None:
        """No chip is made or lost: what players put down lies on the layout or has its line."""
        link = self.tables.link
        assert link is None or link.balances
        assert link is None or link.meter >= 0

    def check_accounts(self) -> None:
        """Every chip placed at a table is on a line, was given back before, or lies on the layout."""
        for table, events in self.events.items():
            placed = lines = given_back = 0
            by_round: dict[int, list[BetSettled]] = {}
            claimed: dict[int, int] = {}
            for event in events:
                match event:
                    case BetPlaced(amount=amount):
                        placed += amount
                    case HandDecided(parts=parts):
                        placed += sum(part.amount for part in parts)
                    case BetWithdrawn(amount=amount, live=False):
                        given_back += amount
                    case CardsRedealt(returned=returned):
                        given_back += sum(part.amount for _, _, part in returned)
                    case BetSettled():
                        by_round.setdefault(event.round, []).append(event)
                    case AwardClaimed(round=number, staked=staked):
                        claimed[number] = claimed.get(number, 0) + staked
                    case RoundReopened(number=number):
                        by_round.pop(number, None)
                        claimed.pop(number, None)
                    case _:
                        pass
            for settled in by_round.values():
                for line in settled:
                    assert 0 <= line.returned <= line.staked
                    assert line.won >= 0
                    lines += line.staked
            state = self.state(table)
            on_layout = 0
            if state.is_open:
                on_layout = sum(stake.amount for box in state.boxes for stake in box.stakes)
                on_layout += sum(part.stake.amount for box in state.boxes for part in box.returned)
                assert not by_round.get(state.number), "an open Round has no lines yet"
            assert placed == lines + given_back + on_layout + sum(claimed.values())

    def check_link(self) -> None:
        """What the meter paid is what players were paid from it, each award in the Round that claimed it."""
        link = self.tables.link
        if link is None:
            return
        assert self.start.link is not None
        assert evolve_link_all(self.start.link, self.link_events) == link
        paid: dict[tuple[str, int], int] = {}
        for event in self.link_events:
            match event:
                case CasePaid(awards=awards, line=line):
                    assert any(claim.round == event.round and claim.box == line.box for claim in self.claims(event))
                    from_meter = sum(award.amount for award in awards if award.from_meter)
                    key = (event.table, event.round)
                    paid[key] = paid.get(key, 0) + from_meter
                case AwardsReversed(table=table, round=number):
                    paid.pop((table, number), None)
                case _:
                    pass
        assert link.paid == sum(paid.values()) * link.scale

    def claims(self, paid: CasePaid) -> Iterator[AwardClaimed]:
        """What the winners' table has claimed."""
        return (event for event in self.events[paid.table] if isinstance(event, AwardClaimed))

    def check_replay(self) -> None:
        """Replaying the events, also after a trip through JSON, gives the same state."""
        for table, events in self.events.items():
            fresh = new_table(self.terms(table).boxes)
            assert evolve_all(fresh, events) == self.state(table)
            read_back = [EVENTS.decode(msgspec.json.encode(event)) for event in events]
            assert read_back == events

    def check_views(self) -> None:
        """No view holds a card that is neither face up nor its own viewer's."""
        for table, events in self.events.items():
            turned: set[str] = set()
            examined: dict[str, set[str]] = {}
            for event in events:
                match event:
                    case RoundOpened() | CardsRedealt():
                        turned, examined = set(), {}
                    case CardsTurned(cards=cards):
                        turned.update(card for hand in cards.values() for card in hand)
                    case HandExamined(player=player, cards=cards):
                        examined.setdefault(player, set()).update(cards)
                    case _:
                        pass
            state, terms = self.state(table), self.terms(table)
            players = {name for box in state.boxes for name in box.players}
            for viewer in Viewer:
                if viewer is not Viewer.PLAYER:
                    assert cards_in(view(terms, state, viewer)) <= turned
            for player in players:
                assert cards_in(view(terms, state, Viewer.PLAYER, player)) <= turned | examined.get(player, set())

    def check_events(self) -> None:
        """Every law but that of the views."""
        self.check_accounts()
        self.check_link()
        self.check_replay()

    def check_all(self) -> None:
        self.check_events()
        self.check_views()


_TWO_LETTERS = re.compile(rb'"(\w\w)"')
_CARDS = {card.encode(): card for card in DECK}


def cards_in(thing: object) -> set[str]:
    """Every card named anywhere in a value, as it would go over the wire."""
    return {_CARDS[found] for found in _TWO_LETTERS.findall(msgspec.json.encode(thing)) if found in _CARDS}
