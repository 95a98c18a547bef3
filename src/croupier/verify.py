#!/usr/bin/env python3
"""Check one round of play: its deck, its deal and its settlement record.

This file stands alone. It needs Python 3.11 and nothing else, imports nothing of Croupier and shares no code with it:
copy it anywhere and run `python verify.py ROUND.json`. It says what it checked; the exit code is 0 where everything
holds, 1 where something does not, 2 where the file is no record of a round.

What is checked:

* the chain: every record carries the SHA-256 over its own fields and the hash of the record before it;
* the deck: its commitment was published before the first bet, it was opened after the settlement, it is 52 different
  cards, and SHA-256 over salt, a space and the cards is the commitment;
* the deal: cards went where the procedure of the table says, in its order, and every card that was turned or looked at
  is the card of the deck at that place;
* the settlement: every stake is settled once and whole, and what was won, returned and lost adds up.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

FORMAT = "croupier-round-1"
SEVERAL = "croupier-rounds-1"
FACES, SUITS = "23456789TJQKA", "cdhs"
DECK = frozenset(face + suit for face in FACES for suit in SUITS)
JACKPOT = "jackpot"

Json = dict[str, Any]


class NoRecord(ValueError):
    """The file is no record of a round."""


class Checks:
    """What was found, and how much was looked at."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.looked_at: dict[str, int] = defaultdict(int)
        self.net: dict[str, int] = defaultdict(int)
        """Of each player, in cents, from his side."""
        self.open_awards = 0

    def hold(self, holds: bool, problem: str) -> None:
        """Note the problem unless it holds."""
        if not holds:
            self.problems.append(problem)


def check(record: Json) -> Checks:
    """Everything about one round; raises NoRecord where it is none."""
    if record.get("format") != FORMAT:
        raise NoRecord(f"this is no round record: its format is not {FORMAT}")
    checks = Checks()
    try:
        events = _chain(record, checks)
        played = _Round(record, checks)
        played.play(events)
        if "entries" in record:
            played.hold_the_ledger_against_it(record["entries"], {seq for seq, _ in events})
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as wrong:
        if isinstance(wrong, NoRecord):
            raise
        raise NoRecord(f"the record cannot be read: {type(wrong).__name__}: {wrong}") from None
    return checks


# ---------------------------------------------------------------- the chain


def _chain(record: Json, checks: Checks) -> list[tuple[int, Json]]:
    before = bytes.fromhex(record["before"])
    stream = f"table/{record['table']}"
    events = []
    seq = None
    for entry in record["records"]:
        if not isinstance(entry["seq"], int) or not isinstance(entry["data"], str):
            raise NoRecord("a record has a number and its event as text")
        if seq is not None:
            checks.hold(entry["seq"] == seq + 1, f"record {seq + 1} is missing: the next is {entry['seq']}")
        seq = entry["seq"]
        checks.hold(entry["stream"] == stream, f"record {seq} belongs to {entry['stream']}, not to {stream}")
        data = entry["data"].encode()
        head = (
            f"{len(entry['stream'])}:{entry['stream']}{seq}:{len(entry['type'])}:{entry['type']}{entry['version']}:"
            f"{entry['at']}:{len(entry['command'])}:{entry['command']}{len(data)}:"
        )
        digest = hashlib.sha256(before + head.encode() + data).hexdigest()
        checks.hold(digest == entry["hash"], f"record {seq} ({entry['type']}) does not carry the hash of its content")
        before = bytes.fromhex(entry["hash"])
        event = json.loads(data)
        checks.hold(event.get("type") == entry["type"], f"record {seq} says {entry['type']} and holds another event")
        events.append((seq, event))
        checks.looked_at["records"] += 1
    if not events:
        raise NoRecord("the record is empty")
    return events


# ---------------------------------------------------------------- the round


class _Round:
    """The round, played over event by event."""

    def __init__(self, record: Json, checks: Checks) -> None:
        self.checks = checks
        self.number: int = record["round"]
        self.physical: bool = record["physical"]
        self.procedure: dict[int, Json] = {step["step"]: step for step in record["procedure"]}
        self.decks = _opened_decks(record, self.number)
        self.commitments: dict[int, str] = {}
        self.deal = 0
        self.dealt: list[str] = []
        self.last_step = -1
        self.community = 0
        self.hands: list[int] = []
        self.bets_seen = False
        self.ended = False
        self.stakes: dict[tuple[int, str, str], int] = {}
        self.lines: list[Json] = []
        self.claims: set[int] = set()
        self.awards: dict[tuple[int, str], int] = defaultdict(int)
        # An award of an earlier round may be paid while this one is in play: the ledger moves it here.
        self.stakes_before = 0
        self.paid_before: dict[str, int] = defaultdict(int)

    def play(self, events: list[tuple[int, Json]]) -> None:
        first = events[0][1]
        self.checks.hold(
            first.get("type") == "RoundOpened" and first.get("number") == self.number,
            f"the record does not begin with the opening of round {self.number}",
        )
        meets = {
            "RoundOpened": self._round_opened,
            "DeckCommitted": self._deck_committed,
            "DeckOpened": self._deck_opened,
            "BetsClosed": self._bets_closed,
            "CardsDealt": self._cards_dealt,
            "CardsTurned": self._cards_turned,
            "HandExamined": self._hand_examined,
            "CardsRedealt": self._cards_redealt,
            "HandInvalidated": self._hand_invalidated,
            "BetsForfeited": self._hand_invalidated,
            "BetPlaced": self._bet_placed,
            "BetWithdrawn": self._bet_withdrawn,
            "HandDecided": self._hand_decided,
            "BetSettled": self._bet_settled,
            "AwardClaimed": self._award_claimed,
            "AwardPaid": self._award_paid,
            "RoundSettled": self._round_settled,
            "RoundVoided": self._round_settled,
            "RoundReopened": self._round_reopened,
        }
        for seq, event in events:
            if event["type"] in meets:
                meets[event["type"]](seq, event)
        self._end()

    def _problem(self, seq: int, what: str, holds: bool = False) -> None:
        self.checks.hold(holds, f"record {seq}: {what}")

    # ------------------------------------------------------------ deck

    def _round_opened(self, seq: int, event: Json) -> None:
        self._problem(seq, "another round begins", event["number"] == self.number)

    def _deck_committed(self, seq: int, event: Json) -> None:
        deal = event["deal"]
        self._problem(seq, f"deck {deal} was committed to twice", deal not in self.commitments)
        self._problem(seq, "the deck was committed to only after bets", deal > 0 or not self.bets_seen)
        self._problem(seq, "the deck was committed to only after the deal", not self.dealt)
        self.commitments[deal] = event["commitment"]

    def _deck_opened(self, seq: int, event: Json) -> None:
        deal, cards = event["deal"], event["deck"].split(" ")
        self._problem(seq, "the deck was opened before the round had ended", self.ended)
        self._problem(seq, f"deck {deal} is not 52 different cards", len(cards) == 52 and set(cards) == DECK)
        digest = hashlib.sha256(f"{event['salt']} {event['deck']}".encode()).hexdigest()
        self._problem(seq, f"deck {deal} is not the one committed to", digest == self.commitments.get(deal))
        self._problem(seq, f"deck {deal} was opened twice, differently", self.decks.get(deal) == cards)
        self.checks.looked_at["decks"] += 1

    # ------------------------------------------------------------ deal

    def _bets_closed(self, _: int, event: Json) -> None:
        self.hands = list(event["hands"])

    def _cards_dealt(self, seq: int, event: Json) -> None:
        step, to = event["step"], list(event["to"])
        self._problem(seq, "a dealing step comes twice or too late", step > self.last_step)
        self.last_step = step
        if step in self.procedure:
            self._problem(seq, "the cards did not go where the procedure says", to == self._places(step))
        else:
            self._problem(seq, f"step {step} of the procedure deals no cards")
        self.dealt += to
        self.checks.looked_at["cards dealt"] += len(to)

    def _places(self, step: int) -> list[str]:
        rule = self.procedure[step]
        times: int = rule["times"]
        once: list[str] = []
        for place in rule["order"]:
            for name in [str(number) for number in self.hands] if place == "boxes" else [place]:
                once += [name] * rule["each"]
        return once * times

    def _cards_turned(self, seq: int, event: Json) -> None:
        for place, cards in event["cards"].items():
            first = self.community if place == "community" else 0
            self._are_there(seq, place, first, cards)
            if place == "community":
                self.community += len(cards)

    def _hand_examined(self, seq: int, event: Json) -> None:
        self._are_there(seq, str(event["box"]), 0, event.get("cards", []))

    def _are_there(self, seq: int, place: str, first: int, cards: list[str]) -> None:
        if self.physical:
            return
        ordinals = [index for index, to in enumerate(self.dealt) if to == place][first : first + len(cards)]
        deck = self.decks.get(self.deal)
        if deck is None:
            self._problem(seq, f"the deck of deal {self.deal} is not in the record, so no card can be checked")
            return
        lies = [deck[index] for index in ordinals if index < len(deck)]
        self._problem(seq, f"{' '.join(cards)} at {place}, where the deck has {' '.join(lies)}", lies == list(cards))
        self.checks.looked_at["cards seen"] += len(cards)

    def _cards_redealt(self, seq: int, event: Json) -> None:
        for box, bet, part in event["returned"]:
            self._take(seq, (box, part["player"], bet), part["amount"])
        self.deal, self.dealt, self.community, self.last_step = self.deal + 1, [], 0, -1

    def _hand_invalidated(self, _: int, event: Json) -> None:
        self.hands = [box for box in self.hands if box != event["box"]]

    # ------------------------------------------------------------ settlement

    def _bet_placed(self, seq: int, event: Json) -> None:
        self.bets_seen = True
        if not self.physical:
            self._problem(seq, "a bet was taken before the deck was committed to", 0 in self.commitments)
        self._add((event["box"], event["player"], event["bet"]), event["amount"])

    def _bet_withdrawn(self, seq: int, event: Json) -> None:
        if not event.get("live"):
            self._take(seq, (event["box"], event["player"], event["bet"]), event["amount"])

    def _hand_decided(self, _: int, event: Json) -> None:
        for part in event.get("parts", []):
            self._add((event["box"], part["player"], event["bet"]), part["amount"])

    def _add(self, stake: tuple[int, str, str], amount: int) -> None:
        self.stakes[stake] = self.stakes.get(stake, 0) + amount

    def _take(self, seq: int, stake: tuple[int, str, str], amount: int) -> None:
        lies = self.stakes.pop(stake, 0)
        what = f"{amount} of {stake[2]} on box {stake[0]}, where {lies} lies"
        self._problem(seq, what, lies == amount)

    def _bet_settled(self, seq: int, event: Json) -> None:
        staked, won, returned = event["staked"], event["won"], event["returned"]
        if event["round"] != self.number:
            self.stakes_before += staked
            self.paid_before[event["player"]] += returned + (0 if event["bet"] == JACKPOT else won)
            return
        self._take(seq, (event["box"], event["player"], event["bet"]), staked)
        self._problem(seq, "more goes back than was staked", 0 <= returned <= staked)
        self._problem(seq, "less than nothing is won", won >= 0)
        self._problem(seq, "won by a bet that did not win", won == 0 or event["outcome"] == "win")
        if event["outcome"] in ("stand_off", "returned"):
            self._problem(seq, f"a bet of {staked} comes back as {returned}", returned == staked)
        self._problem(seq, "no paragraph says why", bool(event["rules"]) and bool(event["because"]))
        self.lines.append(event)
        self.checks.looked_at["bets settled"] += 1

    def _award_claimed(self, _: int, event: Json) -> None:
        if event["round"] == self.number:
            self.claims.add(event["box"])

    def _award_paid(self, _: int, event: Json) -> None:
        if event["round"] == self.number:
            self.awards[event["box"], event["player"]] += event["amount"]
        else:
            self.paid_before[event["player"]] += event["amount"]

    def _round_settled(self, _: int, __: Json) -> None:
        self.ended = True

    def _round_reopened(self, _: int, __: Json) -> None:
        for line in self.lines:
            self._add((line["box"], line["player"], line["bet"]), line["staked"])
        self.lines, self.claims, self.awards, self.ended = [], set(), defaultdict(int), False

    def _end(self) -> None:
        checks = self.checks
        checks.hold(self.ended, "the round has not ended: nothing can be said of its settlement yet")
        for (box, player, bet), amount in self.stakes.items():
            waits = bet == JACKPOT and box in self.claims
            checks.open_awards += waits
            checks.hold(waits or not self.ended, f"{bet} {amount} of {player} on box {box} was never settled")
        if self.ended and not self.physical:
            for deal in self.commitments:
                checks.hold(deal in self.decks, f"deck {deal} was never opened")
        by_award: dict[tuple[int, str], int] = defaultdict(int)
        for line in self.lines:
            checks.net[line["player"]] += line["won"] + line["returned"] - line["staked"]
            if line["bet"] == JACKPOT:
                by_award[line["box"], line["player"]] += line["won"]
        for key in {*by_award, *self.awards}:
            paid, lines = self.awards.get(key, 0), by_award.get(key, 0)
            checks.hold(paid == lines, f"box {key[0]}: awards of {paid} were paid, and its line says {lines}")
        staked = sum(line["staked"] for line in self.lines)
        back = sum(line["won"] + line["returned"] for line in self.lines)
        checks.hold(sum(checks.net.values()) == back - staked, "the net of the players is not what the house paid")

    # ------------------------------------------------------------ ledger

    def hold_the_ledger_against_it(self, entries: list[Json], known: set[int]) -> None:
        """Every entry belongs to a record and sums to nothing; together they moved what the records say."""
        moved: dict[str, int] = defaultdict(int)
        before, layout = 0, 0
        for entry in entries:
            seq, postings = entry["seq"], entry["postings"]
            self._problem(seq, "an entry of the ledger belongs to no record of this round", seq in known)
            self._problem(seq, "the entries of the ledger are not in the order of the records", seq > before)
            self._problem(seq, "an entry of the ledger does not sum to nothing", sum(postings.values()) == 0)
            before = seq
            for account, cents in postings.items():
                kind, _, player = account.partition("/")
                if kind == "player":
                    moved[player] += cents
                layout += cents if account.endswith("/layout") and kind == "table" else 0
            self.checks.looked_at["entries"] += 1
        lies = sum(self.stakes.values()) - self.stakes_before
        self.checks.hold(layout == lies, f"the ledger leaves {layout} cents on the layout, where {lies} lie")
        # What still lies on a box, for an award that waits, has left its player.
        holds = dict(self.checks.net)
        for (_, player, _), amount in self.stakes.items():
            holds[player] = holds.get(player, 0) - amount
        for player, amount in self.paid_before.items():
            holds[player] = holds.get(player, 0) + amount
        for player in sorted({*holds, *moved}):
            says, booked = holds.get(player, 0), moved.get(player, 0)
            self.checks.hold(says == booked, f"the ledger moved {booked} cents for {player}, the records {says}")


def _opened_decks(record: Json, number: int) -> dict[int, list[str]]:
    """The decks first, since cards are turned before their deck is opened."""
    decks: dict[int, list[str]] = {}
    for entry in record["records"]:
        if entry["type"] == "DeckOpened":
            event = json.loads(entry["data"])
            if event["round"] == number:
                decks.setdefault(event["deal"], event["deck"].split(" "))
    return decks


# ---------------------------------------------------------------- the command line


def report(record: Json, checks: Checks) -> str:
    """For people."""
    # A card that was looked at and then turned counts twice; a round has one deck, or one for each deal.
    words = {"cards seen": "looks at cards", "decks": "deck" if checks.looked_at.get("decks") == 1 else "decks"}
    looked = ", ".join(f"{count} {words.get(what, what)}" for what, count in checks.looked_at.items())
    lines = [f"Round {record['round']} at {record['table']} ({record['game']}): {looked}."]
    if checks.open_awards:
        lines.append(f"Jackpot awards that had not been paid when this was written: {checks.open_awards}.")
    for player, net in sorted(checks.net.items()):
        lines.append(f"  {player}: {'-' if net < 0 else '+'}{abs(net) // 100}.{abs(net) % 100:02}")
    lines += [f"WRONG: {problem}." for problem in checks.problems]
    if not checks.problems:
        lines.append("Everything holds.")
    return "\n".join(lines)


def read(text: str) -> Json:
    """A record from its text."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise NoRecord(f"the file is no JSON: {wrong}") from None
    if not isinstance(record, dict):
        raise NoRecord("a round record is a JSON object")
    return record


def rounds(told: Json) -> list[Json]:
    """The records in a file: one, or those of an export of several rounds."""
    if told.get("format") != SEVERAL:
        return [told]
    records = told.get("rounds")
    if not isinstance(records, list) or not records or not all(isinstance(record, dict) for record in records):
        raise NoRecord("an export of several rounds has a list of their records")
    return records


def in_words(wrong: OSError | UnicodeDecodeError | NoRecord) -> str:
    """Why a file cannot be checked."""
    if isinstance(wrong, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return wrong.strerror or str(wrong) if isinstance(wrong, OSError) else str(wrong)


def main(arguments: list[str]) -> int:
    """The exit code."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.stderr.write("usage: verify.py ROUND.json\n")
        return 2
    try:
        told = rounds(read(Path(arguments[0]).read_text(encoding="utf-8")))
        checked = [(record, check(record)) for record in told]
    except (OSError, UnicodeDecodeError, NoRecord) as wrong:
        sys.stderr.write(f"verify: {arguments[0]}: {in_words(wrong)}\n")
        return 2
    for record, checks in checked:
        sys.stdout.write(report(record, checks) + "\n")
    return 1 if any(checks.problems for _, checks in checked) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
