#!/usr/bin/env python3
"""Check one round of play: its chain, its deck, its deal, its settlement and its awards.

This file needs only Python 3.11. It imports nothing from Croupier and shares no code with it:
copy it anywhere and run `python verify.py ROUND.json`. It says what it checked; the exit code is 0 where everything
holds, 1 where something does not, 2 where the file is not a record of a round.

What is checked:

* the chain: every record carries the SHA-256 over its own fields and the hash of the record before it. A look of an
  earlier release holds its cards: a copy for other people has it with the digest of its content, which is all that its
  hash needs;
* the deck: its commitment was published before the first bet. Either the whole deck is opened after the settlement, or
  each card that was shown is, with its salt and its path to the commitment;
* the deal: cards went where the procedure of the table says, in its order, and every card that was turned or looked at
  is the card of the deck at that place;
* the settlement: this file ranks the hands itself and settles every bet again, by the document of the game and the
  limits, pay tables and readings that the record states, and holds outcome, stake, win and return of each line against
  what the record says. Where staff took a hand out of the round, voided it or let something stand, the line follows
  from that, and the report names it;
* the witness: where the record carries proofs against checkpoints of the journal, each is signed (Ed25519) and the
  record stands in its tree. `python verify.py ROUND.json CHECKPOINT.json` also holds the key against checkpoints
  that the house has published: only that shows that everyone sees the same journal;
* the awards: every jackpot award that the round claimed is a case on its link, whose records carry the hash of their
  content; it was paid what was locked for it, after the signatures that it needs, or the report says how far it is.

The report says what the record of one round cannot prove: a share of the meter (the meter is made of
every round of its link), what the house remembers of a player from earlier rounds, real cards that a dealer entered,
and cards that this copy does not show. `croupier audit` checks those against the whole journal.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Checks", "NoRecord", "check", "checkpoints", "main", "read", "report", "rounds"]

FORMATS = ("croupier-round-1", "croupier-round-2", "croupier-round-3")
"""The first has no awards of its own: they were paid in the records of the table, some of them in a later round. The
third states the rules of the table, so that its bets can be settled again."""
SEVERAL = "croupier-rounds-1"
EDITIONS = (
    "rws-multilink-holdem@2", "rws-multilink-three-card@4", "mbs-megalink-holdem@9", "rws-progressive-holdem@6",
    "sun-casino-holdem@1",
)  # fmt: skip
"""The versions of the rule documents by which this file settles bets."""
FACES, SUITS = "23456789TJQKA", "cdhs"
DECK = frozenset(face + suit for face in FACES for suit in SUITS)
JACKPOT = "jackpot"
PRIVATE = ("HandExamined", 2)
"""The one event with a private part, of earlier releases: today a look names places in the deck. Its content enters the
chain by its digest, so that a copy may leave it out.
"""

Json = dict[str, Any]


class NoRecord(ValueError):
    """The file is not a record of a round."""


class Checks:
    """What was found, and how much was looked at."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.looked_at: dict[str, int] = defaultdict(int)
        self.net: dict[str, int] = defaultdict(int)
        """What each player won or lost, in cents."""
        self.open_awards = 0
        self.awards: list[str] = []
        """How each award stands, in words."""
        self.mispays: list[str] = []
        """Mispays that stand, in words; each is in the net of its player."""
        self.settled: int | None = None
        """Lines of the last settlement that were settled again; None where the record does not state the rules."""
        self.rests: list[str] = []
        """Of these, the lines that follow from what staff put on record, each with its reason."""
        self.notes: list[str] = []
        self.unchecked: list[str] = []
        """What this record does not let anyone check, for the verdict."""
        """What could not be checked from this record, and where the table departs from what is printed."""

    def hold(self, holds: bool, problem: str) -> None:
        """Note the problem unless it holds."""
        if not holds:
            self.problems.append(problem)


def check(record: Json, published: Sequence[Json] = ()) -> Checks:
    """Check one round, and hold it against `published` checkpoints; raises NoRecord."""
    if record.get("format") not in FORMATS:
        raise NoRecord(f"this is not a round record: its format is not one of {', '.join(FORMATS)}")
    checks = Checks()
    try:
        events = _chain(record, checks)
        played = _Round(record, checks)
        on_link = _Awards(record, checks)
        played.play(events, on_link)
        _witnessed(record, published, checks)
        _note_limits(record, checks, on_link.shares)
        if any(type(player) is not str or type(net) is not int for player, net in checks.net.items()):
            raise NoRecord("a player is not named, or an amount is not whole cents")
        if "entries" in record:
            known = {(entry["stream"], entry["seq"]) for entry in (*record["records"], *_of_the_link(record))}
            played.hold_the_ledger_against_it(record["entries"], known)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as wrong:
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
        withheld = _is_withheld(record, entry)
        if not isinstance(entry["seq"], int) or not isinstance(entry["digest" if withheld else "data"], str):
            raise NoRecord("a record has a number and its event as text")
        if seq is not None:
            checks.hold(entry["seq"] == seq + 1, f"record {seq + 1} is missing: the next is {entry['seq']}")
        seq = entry["seq"]
        checks.hold(entry["stream"] == stream, f"record {seq} belongs to {entry['stream']}, not to {stream}")
        if withheld:
            _hold_hash(entry, before, bytes.fromhex(entry["digest"]), checks)
            checks.looked_at["records left out"] += 1
        else:
            events.append((seq, _event(entry, before, checks)))
        before = bytes.fromhex(entry["hash"])
        checks.looked_at["records"] += 1
    if not events:
        raise NoRecord("the record is empty")
    return events


def _is_withheld(record: Json, entry: Json) -> bool:
    """Return whether this copy leaves the record out, since another player alone saw those cards."""
    return record["format"] == FORMATS[2] and "data" not in entry and (entry["type"], entry["version"]) == PRIVATE


def _event(entry: Json, before: bytes, checks: Checks) -> Json:
    """Return the event of a record, and check its hash."""
    seq, data = entry["seq"], entry["data"].encode()
    private = (entry["type"], entry["version"]) == PRIVATE
    _hold_hash(entry, before, hashlib.sha256(data).digest() if private else data, checks)
    event: Json = json.loads(data)
    checks.hold(event.get("type") == entry["type"], f"record {seq} says {entry['type']} and holds another event")
    return event


def _hold_hash(entry: Json, before: bytes, content: bytes, checks: Checks) -> None:
    """Check a record's hash over the hash before it, its fields, each led by its length, and its content."""
    seq = entry["seq"]
    head = (
        f"{len(entry['stream'])}:{entry['stream']}{seq}:{len(entry['type'])}:{entry['type']}{entry['version']}:"
        f"{entry['at']}:{len(entry['command'])}:{entry['command']}{len(content)}:"
    )
    digest = hashlib.sha256(before + head.encode() + content).hexdigest()
    checks.hold(digest == entry["hash"], f"record {seq} ({entry['type']}) does not carry the hash of its content")


# ---------------------------------------------------------------- the witness


CHECKPOINT = "croupier-checkpoint-1"


def _witnessed(record: Json, published: Sequence[Json], checks: Checks) -> None:
    """Check that records of this round stand in signed checkpoints, and the checkpoints against published ones."""
    last = record["records"][-1]
    wanted = {(entry["stream"], entry["seq"]): entry["hash"] for entry in (last, *_of_the_link(record))}
    proved = set()
    for told in record.get("witness", []):
        checkpoint, said = told["checkpoint"], json.loads(told["checkpoint"]["statement"])
        number = said["number"]
        checks.hold(said["format"] == CHECKPOINT, f"checkpoint {number} has another format")
        checks.hold(_is_signed(checkpoint), f"checkpoint {number} is not signed with its key")
        _hold_published(checkpoint, said, published, checks)
        for proof in told["proofs"]:
            where = (proof["stream"], proof["seq"])
            stands = where in wanted and tree_root(wanted[where], proof, said["size"]) == said["root"]
            checks.hold(stands, f"record {where[1]} of {where[0]} does not stand in checkpoint {number}")
            proved.add(where)
            checks.looked_at["proofs against a checkpoint"] += 1
        if not published:
            checks.notes.append(
                f"Checkpoint {number} is signed with the key {checkpoint['key']}: compare it with what was published"
            )
    if published and (last["stream"], last["seq"]) not in proved:
        checks.problems.append("the record has no proof against a checkpoint")


def _hold_published(checkpoint: Json, said: Json, published: Sequence[Json], checks: Checks) -> None:
    """Hold a checkpoint against those that the house has published: the same key, and never two of one number."""
    for other in published:
        says = json.loads(other["statement"])
        checks.hold(
            other["key"] == checkpoint["key"],
            f"checkpoint {said['number']} is signed with a key that was not published",
        )
        if (says["server"], says["number"]) == (said["server"], said["number"]):
            same = other["statement"] == checkpoint["statement"]
            checks.hold(same, f"checkpoint {said['number']} is not the one that was published")
        checks.hold(_is_signed(other), f"the published checkpoint {says['number']} is not signed with its key")


def _is_signed(checkpoint: Json) -> bool:
    key, signature = bytes.fromhex(checkpoint["key"]), bytes.fromhex(checkpoint["signature"])
    return has_signed(key, checkpoint["statement"].encode(), signature)


def tree_root(record_hash: str, proof: Json, size: int) -> str | None:
    """Return the root of the tree (RFC 6962) to which a proof leads; None where it does not fit a tree of this size."""
    node = hashlib.sha256(b"\x00" + bytes.fromhex(proof["blinding"]) + bytes.fromhex(record_hash)).digest()
    index, siblings = proof["index"], [bytes.fromhex(sibling) for sibling in proof["path"]]
    if not 0 <= index < size:
        return None
    while size > 1:
        if index ^ 1 < size:
            if not siblings:
                return None
            sibling = siblings.pop(0)
            node = hashlib.sha256(b"\x01" + (sibling + node if index % 2 else node + sibling)).digest()
        index, size = index // 2, (size + 1) // 2
    return None if siblings else node.hex()


_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT = pow(2, (_P - 1) // 4, _P)
Point = tuple[int, int, int, int]
"""A point of Ed25519 in extended coordinates (RFC 8032, section 5.1.4)."""


def has_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether a key has signed a message, by Ed25519 (RFC 8032, section 5.1.7)."""
    if len(key) != 32 or len(signature) != 64:
        return False
    public, random = _point(key), _point(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if public is None or random is None or scalar >= _L:
        return False
    digest = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % _L
    return _same_point(_times(scalar, _BASE), _plus(random, _times(digest, public)))


def _point(data: bytes) -> Point | None:
    """Return the point that 32 bytes encode; None where they encode none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= _P:
        return None
    x2 = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(x2, (_P + 3) // 8, _P)
    if (x * x - x2) % _P:
        x = x * _ROOT % _P
    if (x * x - x2) % _P or (x == 0 and sign):
        return None
    x = _P - x if x & 1 != sign else x
    return x, y, 1, x * y % _P


def _plus(one: Point, other: Point) -> Point:
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % _P, (one[1] + one[0]) * (other[1] + other[0]) % _P
    c, d = 2 * one[3] * other[3] * _D % _P, 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(scalar: int, point: Point) -> Point:
    found: Point = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            found = _plus(found, point)
        point, scalar = _plus(point, point), scalar >> 1
    return found


def _same_point(one: Point, other: Point) -> bool:
    return not ((one[0] * other[2] - other[0] * one[2]) % _P or (one[1] * other[2] - other[1] * one[2]) % _P)


_BASE = _point((4 * pow(5, -1, _P) % _P).to_bytes(32, "little")) or (0, 1, 1, 0)


# ---------------------------------------------------------------- decks committed to card by card


LEAVES = 64
NO_CARD = "0" * 64


def card_salt(seed: str, position: int) -> str:
    """Return the salt of the card at a position, counted from 0, of a deck with this seed."""
    return _digest(f"croupier salt {position} {seed}")


def card_leaf(position: int, card: str, salt: str) -> str:
    """Return the leaf of one card in the commitment."""
    return _digest(f"croupier card {position} {card} {salt}")


def commitment_of(cards: Sequence[str], seed: str) -> str:
    """Return the commitment of a whole deck: the root of a tree over 52 cards and 12 empty places."""
    level = [card_leaf(at, card, card_salt(seed, at)) for at, card in enumerate(cards)]
    level += [NO_CARD] * (LEAVES - len(level))
    while len(level) > 1:
        level = [_node(*level[at : at + 2]) for at in range(0, len(level), 2)]
    return level[0]


def commitment_by_path(position: int, card: str, salt: str, path: Sequence[str]) -> str:
    """Return the commitment to which a card leads with its six siblings on the way to the root, lowest first."""
    reached = card_leaf(position, card, salt)
    for neighbour in path:
        reached = _node(neighbour, reached) if position % 2 else _node(reached, neighbour)
        position //= 2
    return reached


def _node(left: str, right: str) -> str:
    return _digest(f"croupier node {left} {right}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# ---------------------------------------------------------------- hands


Hand = tuple[int, ...]
"""Its place in the ranking list, then the faces that decide between hands of the same place, the weightiest first."""
FIVE = (
    "odd_cards", "pair", "two_pairs", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind",
    "straight_flush", "royal_flush",
)  # fmt: skip
THREE = ("odd_cards", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")
"""Ranking lists, the lowest first. With three cards a straight is rarer than a flush and ranks above it."""
_FIVE_BY_SHAPE = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
ACE, KING, QUEEN, JACK = 14, 13, 12, 11


def face(card: str) -> int:
    """2 to 14; an Ace is 14."""
    return FACES.index(card[0]) + 2


def rank_five(cards: Sequence[str]) -> Hand:
    """Rank exactly five cards."""
    faces, shape = _grouped(cards)
    suited, top = _one_suit(cards), _top_of_straight(faces)
    if suited and top:
        return (9 if top == ACE else 8, top)
    if shape in _FIVE_BY_SHAPE:
        return (_FIVE_BY_SHAPE[shape], *faces)
    if suited:
        return (5, *faces)
    return (4, top) if top else (0, *faces)


def rank_three(cards: Sequence[str]) -> Hand:
    """Rank exactly three cards by the list of 3 Card Poker."""
    faces, shape = _grouped(cards)
    suited, top = _one_suit(cards), _top_of_straight(faces)
    if top:
        return (5 if suited else 3, top)
    if shape == (3,):
        return (4, *faces)
    if suited:
        return (2, *faces)
    return (1, *faces) if shape == (2, 1) else (0, *faces)


def best_of(cards: Sequence[str]) -> Hand:
    """Return the best five of five to seven cards."""
    return max(rank_five(five) for five in combinations(cards, 5))


def _grouped(cards: Sequence[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the different faces, those held most often first, and how often each is held."""
    counted = sorted(Counter(map(face, cards)).items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
    return tuple(value for value, _ in counted), tuple(count for _, count in counted)


def _one_suit(cards: Sequence[str]) -> bool:
    return len({card[1] for card in cards}) == 1


def _top_of_straight(faces: tuple[int, ...]) -> int:
    """Return the highest card of a sequence of three or five, 0 where there is none; an Ace may stand below a Two."""
    size = len(faces)
    if size not in (3, 5):
        return 0
    if faces[0] - faces[-1] == size - 1 and list(faces) == sorted(faces, reverse=True):
        return faces[0]
    return size if faces == (ACE, *range(size, 1, -1)) else 0


def hole_cards(own: Sequence[str], dealer: Sequence[str]) -> str | None:
    """Return the line of a Bonus table that two Hole Cards meet."""
    high, low = sorted(map(face, own), reverse=True)
    if high == low == ACE:
        return "aces_both" if [face(card) for card in dealer] == [ACE, ACE] else "aces"
    if high == low:
        return "high_pair" if high >= JACK else "low_pair"
    if high < ACE or low < JACK:
        return None
    pattern = "ace_king" if low == KING else "ace_queen_or_jack"
    return f"{pattern}_suited" if _one_suit(own) else pattern


# ---------------------------------------------------------------- the five documents, as this file reads them


@dataclass(frozen=True)
class Line:
    """What makes one line of a jackpot pay table."""

    hand: str
    community: int
    """How many Community Cards count, from the first."""
    own: bool = True
    """The player's own cards count as well."""
    own_needed: bool = False
    """The Community Cards alone do not make it."""
    any_five: bool = False
    """Any five of the cards make it, even where another five rank higher."""
    shared: bool = False

    def is_met(self, own: Sequence[str], community: Sequence[str]) -> bool:
        """Return whether these cards make the line."""
        board = tuple(community[: self.community])
        cards = (*own, *board) if self.own else board
        if len(board) < self.community or len(cards) < 5:
            return False
        wanted = FIVE.index(self.hand)
        fives = [rank_five(five) for five in combinations(cards, 5)]
        made = wanted in {five[0] for five in fives} if self.any_five else max(fives)[0] == wanted
        if made and self.own_needed and len(board) == 5:
            return max(fives) > rank_five(board)
        return made


@dataclass(frozen=True)
class Document:
    """What one document says of money; pay tables as printed."""

    decisions: Mapping[str, int]
    """Bets placed by a decision, as multiples of the Ante."""
    pay_tables: Mapping[str, Mapping[str, str]]
    lines: Mapping[str, Line]
    readings: Mapping[str, str]
    """Questions about money that the document leaves open, with the answer that is usual."""
    own_cards: int = 2
    multiples: int = 1
    """The most times the prescribed amount that a jackpot bet may be."""
    cap: int | None = None
    """The most that a Bonus pays on one box, in cents."""
    dealer_needs: Hand = (0,)
    """The least hand with which the Dealer plays."""
    cuts_to_maximum: bool = True
    """What lies above the maximum goes back."""
    sizes_ruled: bool = True
    """The document says what becomes of a decision bet of the wrong size."""
    refusal_ruled: bool = True
    """The document says what becomes of a hand that is not shown."""
    jackpot_provable: bool = True
    """A hand that was not shown at once may still be proved for the jackpot bet."""
    community_survives: bool = False
    """Lines of the Community Cards alone are paid to a folded or unshown hand, and no others are."""
    one_small_round: bool = False
    """Bets under the minimum are settled in one round only, and go back afterwards."""


# fmt: off
_BONUS = {
    "aces_both": "1000 to 1", "aces": "30 to 1", "ace_king_suited": "25 to 1", "ace_queen_or_jack_suited": "20 to 1",
    "ace_king": "15 to 1", "high_pair": "10 to 1", "ace_queen_or_jack": "5 to 1", "low_pair": "3 to 1",
}
_STREETS = {"flop": 2, "turn": 1, "river": 1}
_WITH_FLOP = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight")
_OPEN_TO_ALL_RWS = {"wrong-size-and-limit": "b+d", "refusal-later-bets": "b"}
_BONUS_OF_RWS = {"bonus-cap": "b", "bonus-dealer-only": "b"}

DOCUMENTS: Mapping[str, Document] = {
    "rws-multilink-holdem": Document(
        decisions=_STREETS,
        pay_tables={
            "bonus": _BONUS,
            "jackpot": {
                "royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "2000.00", "full_house": "200.00",
                "flush": "100.00",
            },
        },
        lines={hand: Line(hand, 3) for hand in _WITH_FLOP[:5]},
        readings={**_OPEN_TO_ALL_RWS, **_BONUS_OF_RWS, "refusal-bonus": "b"},
        cap=100_000_00,
    ),
    "rws-multilink-three-card": Document(
        decisions={"play": 1},
        pay_tables={
            "pair_plus": {
                "straight_flush": "40 to 1", "three_of_a_kind": "30 to 1", "straight": "5 to 1", "flush": "4 to 1",
                "pair": "1 to 1",
            },
            "ante_bonus": {"straight_flush": "5 to 1", "three_of_a_kind": "4 to 1", "straight": "1 to 1"},
            "jackpot": {
                "royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "400 for 1",
                "full_house": "80 for 1", "flush": "40 for 1", "straight": "20 for 1",
            },
        },
        lines={hand: Line(hand, 2) for hand in _WITH_FLOP},
        readings={
            **_OPEN_TO_ALL_RWS, "fold-pair-plus": "b", "fold-ante-bonus": "b", "ante-bonus-stand-off": "b",
            "jackpot-pair-plus-only": "b",
        },
        own_cards=3,
        dealer_needs=(0, QUEEN),
    ),
    "mbs-megalink-holdem": Document(
        decisions=_STREETS,
        pay_tables={
            "bonus": _BONUS,
            "jackpot": {
                "royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "400 for 1",
                "full_house": "80 for 1", "flush": "40 for 1", "straight": "20 for 1",
            },
        },
        lines={hand: Line(hand, 3) for hand in _WITH_FLOP},
        readings={
            "refusal-later-bets": "b", "bonus-on-loss": "b", "bonus-on-stand-off": "b", "for-1-multiple": "a",
        },
        multiples=5,
        sizes_ruled=False,
        jackpot_provable=False,
        one_small_round=True,
    ),
    "rws-progressive-holdem": Document(
        decisions=_STREETS,
        pay_tables={
            "bonus": _BONUS,
            "jackpot": {
                "royal_flush_on_flop": "100%", "royal_flush_on_turn": "25%", "royal_flush_on_river": "5%",
                "straight_flush": "1500.00", "four_of_a_kind": "300.00", "community_royal_flush": "10000.00",
                "community_straight_flush": "1500.00", "community_four_of_a_kind": "300.00",
            },
        },
        lines={
            "royal_flush_on_flop": Line("royal_flush", 3),
            "royal_flush_on_turn": Line("royal_flush", 4),
            "royal_flush_on_river": Line("royal_flush", 5, own_needed=True),
            "straight_flush": Line("straight_flush", 5, any_five=True),
            "four_of_a_kind": Line("four_of_a_kind", 5, any_five=True),
            "community_royal_flush": Line("royal_flush", 5, own=False),
            "community_straight_flush": Line("straight_flush", 5, own=False),
            "community_four_of_a_kind": Line("four_of_a_kind", 5, own=False),
        },
        readings={
            **_OPEN_TO_ALL_RWS, **_BONUS_OF_RWS, "bonus-on-stand-off": "b", "v6-proof": "b", "v6-jackpot-hand": "b+d",
            "v6-street": "a", "v6-quads-kicker": "b",
        },
        cap=100_000_00,
        community_survives=True,
    ),
    "sun-casino-holdem": Document(
        decisions={"call": 2},
        pay_tables={
            # The document prints these lines without odds; those of the last five hands are not printed at all.
            "ante": {
                "royal_flush": "100 to 1", "straight_flush": "20 to 1", "four_of_a_kind": "10 to 1",
                "full_house": "3 to 1", "flush": "2 to 1", "straight": "1 to 1", "three_of_a_kind": "1 to 1",
                "two_pairs": "1 to 1", "pair": "1 to 1", "odd_cards": "1 to 1",
            },
            "jackpot": {"board_royal_flush": "100%", "board_straight_flush": "10%"},
        },
        lines={
            "board_royal_flush": Line("royal_flush", 5, own=False, shared=True),
            "board_straight_flush": Line("straight_flush", 5, own=False, shared=True),
        },
        readings={"sun-tie-unqualified": "b", "sun-pay-tables": "b+d", "sun-board-share": "a+e"},
        dealer_needs=(1, 4),
        cuts_to_maximum=False,
        sizes_ruled=False,
        refusal_ruled=False,
    ),
}
# fmt: on


class Rules:
    """A document as one table plays it: its limits, its stakeboard and its answers to open questions."""

    def __init__(self, game: str, told: Json) -> None:
        self.document = DOCUMENTS[game]
        self.limits: dict[str, list[int]] = told["limits"]
        self.jackpot_bet: int | None = told["jackpot_bet"]
        self.tables: dict[str, dict[str, str]] = told["pay_tables"]
        self._readings: dict[str, str] = told["readings"]
        self.lines = self._lines()

    def reads(self, name: str, letter: str) -> bool:
        """Return whether the table's answer to a question has this letter; a question of another game has none."""
        default = self.document.readings.get(name)
        return default is not None and letter in self._readings.get(name, default).split("+")

    def _lines(self) -> dict[str, Line]:
        lines = dict(self.document.lines)
        for name, text in (("straight_flush", "a"), ("four_of_a_kind", "a")):
            if self.reads("v6-jackpot-hand", text):
                lines[name] = replace(lines[name], community=3)
        if self.reads("v6-quads-kicker", "a"):
            lines["four_of_a_kind"] = replace(lines["four_of_a_kind"], own_needed=True)
        if self.reads("v6-street", "b"):
            del lines["royal_flush_on_flop"], lines["royal_flush_on_turn"]
        for hand in self.tables.get("jackpot", {}):
            # A Casino Hold'em stakeboard may list hands that include the player's own cards.
            if "sun-pay-tables" in self.document.readings and hand in FIVE:
                community = 3 if self.reads("sun-pay-tables", "c") else 5
                lines[hand] = Line(hand, community, own_needed=FIVE.index(hand) >= FIVE.index("straight_flush"))
        return lines

    def award(self, pays: Pays, counts: int, units: int) -> int:
        """Return what a jackpot award pays that is not a share of the meter."""
        if pays.kind == "fixed":
            return pays.won * units
        return pays.on(counts) * (units if self.reads("for-1-multiple", "b") else 1)

    def told(self) -> list[str]:
        """Return where the table departs from what is printed or usual, in words."""
        said = []
        for name, printed in self.document.pay_tables.items():
            table = self.tables.get(name, {})
            for line in dict.fromkeys((*printed, *table)):
                if table.get(line) != printed.get(line):
                    pays, usual = table.get(line, "nothing"), printed.get(line, "nothing")
                    said.append(f"This table pays {pays} on {name} {line.replace('_', ' ')}, where {usual} is usual")
        for name, usual in self.document.readings.items():
            answer = self._readings.get(name, usual)
            if answer != usual:
                said.append(f"This table answers the question {name} with {answer}, where {usual} is usual")
        return said


class Pays(NamedTuple):
    """One entry of a pay table: odds, a fixed amount, or a share of the meter."""

    won: int
    per: int
    kind: str

    @classmethod
    def read(cls, text: str) -> Pays:
        """Read "30 to 1", "400 for 1", "10%" or "2000.00"."""
        if odds := re.fullmatch(r"(\d+) (to|for) (\d+)", text):
            return cls(int(odds[1]), int(odds[3]), odds[2])
        if share := re.fullmatch(r"(\d+(?:\.\d+)?)%", text):
            part = Fraction(share[1]) / 100
            return cls(part.numerator, part.denominator, "share")
        if amount := re.fullmatch(r"(\d+)\.(\d\d)", text):
            return cls(int(amount[1] + amount[2]), 1, "fixed")
        raise NoRecord(f"a pay table says {text!r}, which is not a way to pay")

    def on(self, stake: int) -> int:
        """Return what odds pay on a stake, rounded down to the cent."""
        return stake * self.won // self.per


# ---------------------------------------------------------------- the settlement, done again


class Settled(NamedTuple):
    """One line of a settlement as this file works it out."""

    outcome: str
    staked: int
    won: int
    returned: int
    rests_on: str = ""
    """What staff put on record and the line follows from; empty where bets, decisions, cards and terms decide alone."""


class Claim(NamedTuple):
    """A jackpot award that is a share of the meter: the link pays it."""

    staked: int
    counts: int
    units: int
    hands: frozenset[str]


@dataclass
class _Hand:
    """What happened on one box."""

    stakes: dict[tuple[str, str], int] = field(default_factory=dict)
    """Cents by player and bet, in the order in which they were placed."""
    given_back: list[tuple[str, str, int, str]] = field(default_factory=list)
    """Player, bet, cents and reason of what a backer has here and is out of the round."""
    state: str = "out"
    why: str = ""
    lost: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    face_up: bool = False
    refused: bool = False
    proved: bool = False

    def on(self, bet: str) -> int:
        return sum(cents for (_, name), cents in self.stakes.items() if name == bet)


Key = tuple[int, str, str]
"""Box, player and bet."""


def _enter(follower: Settlement | _Round, seq: int, event: Json) -> None:
    """Take in an event by the method that is named after it: `on_bet_placed` for BetPlaced."""
    enter = getattr(follower, "on_" + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event["type"]).lower(), None)
    if enter is not None:
        enter(seq, event)


class Settlement:
    """Follows the round's events and settles every bet again; what the record says is held against that."""

    def __init__(self, rules: Rules, checks: Checks) -> None:
        self.rules, self.document, self.checks = rules, rules.document, checks
        self.hands: dict[int, _Hand] = defaultdict(_Hand)
        self.community: tuple[str, ...] = ()
        self.dealer: tuple[str, ...] = ()
        self.noted: set[str] = set()
        self.recorded: dict[Key, Json] = {}
        self.claimed: dict[tuple[int, str], Json] = {}
        self.paid: dict[tuple[int, str], list[tuple[str, int]]] = defaultdict(list)
        self.claims: dict[tuple[int, str], Claim] = {}
        self.over = False

    # ------------------------------------------------------------ what happened

    def follow(self, seq: int, event: Json, number: int) -> None:
        """Take in one event of the round."""
        kind = event["type"]
        if kind in ("BetSettled", "AwardPaid", "AwardClaimed") and event["round"] != number:
            return
        _enter(self, seq, event)

    def on_bet_placed(self, _: int, event: Json) -> None:
        self._stake(event["box"], event["player"], event["bet"], event["amount"])

    def _stake(self, box: int, player: str, bet: str, cents: int) -> None:
        stakes = self.hands[box].stakes
        stakes[player, bet] = stakes.get((player, bet), 0) + cents

    def on_bet_withdrawn(self, _: int, event: Json) -> None:
        if not event.get("live"):
            self.hands[event["box"]].stakes.pop((event["player"], event["bet"]), None)

    def on_bets_closed(self, _: int, event: Json) -> None:
        for box in event["hands"]:
            self.hands[box].state = "live"

    def on_hand_decided(self, _: int, event: Json) -> None:
        hand = self.hands[event["box"]]
        if event["choice"] == "fold":
            hand.state = "folded"
            hand.why = f"the hand counts as folded{_cited(event)}" if event.get("deemed") else ""
        for part in event.get("parts", []):
            self._stake(event["box"], part["player"], event["bet"], part["amount"])

    def on_cards_turned(self, _: int, event: Json) -> None:
        for place, cards in event["cards"].items():
            if place == "community":
                self.community = (*self.community, *cards)
            elif place == "dealer":
                self.dealer = tuple(cards)
            else:
                hand = self.hands[int(place)]
                hand.cards, hand.face_up = tuple(cards), True

    def on_cards_corrected(self, _: int, event: Json) -> None:
        for place, cards in event["cards"].items():
            if place == "community":
                self.community = tuple(cards)
            elif place == "dealer":
                self.dealer = tuple(cards)
            else:
                self.hands[int(place)].cards = tuple(cards)

    def on_hand_examined(self, _: int, event: Json) -> None:
        hand = self.hands[event["box"]]
        hand.cards = tuple(event.get("cards", ())) or hand.cards

    def on_reveal_refused(self, _: int, event: Json) -> None:
        self.hands[event["box"]].refused = True

    def on_hand_proved(self, _: int, event: Json) -> None:
        self.hands[event["box"]].proved = True

    def on_hand_invalidated(self, _: int, event: Json) -> None:
        hand = self.hands[event["box"]]
        hand.state, hand.why = "invalid", f"the hand was taken out of the round{_cited(event)}"
        hand.lost, hand.settled = tuple(event.get("lost", ())), tuple(event.get("settled", ()))

    def on_bets_forfeited(self, _: int, event: Json) -> None:
        hand = self.hands[event["box"]]
        hand.state, hand.why = "forfeited", f"the bets of the hand were forfeited{_cited(event)}"

    def on_backing_invalidated(self, _: int, event: Json) -> None:
        hand, player = self.hands[event["box"]], event["player"]
        why = f"what {player} had on this box was taken out of the round{_cited(event)}"
        for key in [key for key in hand.stakes if key[0] == player]:
            hand.given_back.append((*key, hand.stakes.pop(key), why))

    def on_cards_redealt(self, _: int, event: Json) -> None:
        undone = {(box, bet) for box, bet, _ in event["returned"]}
        for box, hand in self.hands.items():
            for key in [key for key in hand.stakes if (box, key[1]) in undone]:
                del hand.stakes[key]
            if hand.state == "folded":
                hand.state, hand.why = "live", ""
            hand.cards, hand.face_up, hand.refused, hand.proved = (), False, False, False
        self.community, self.dealer = (), ()

    def on_under_minimum_noted(self, _: int, event: Json) -> None:
        self.noted.add(event["player"])

    def on_bet_settled(self, seq: int, event: Json) -> None:
        key = (event["box"], event["player"], event["bet"])
        if not self.over:
            self.recorded[key] = event
        elif event["bet"] == JACKPOT:
            self._later_award(seq, event)

    def on_award_claimed(self, _: int, event: Json) -> None:
        self.claimed[event["box"], event["player"]] = event

    def on_award_paid(self, _: int, event: Json) -> None:
        if not self.over:
            self.paid[event["box"], event["player"]].append((event["hand"], event["amount"]))

    def on_round_reopened(self, _: int, __: Json) -> None:
        self.noted, self.recorded, self.claimed, self.paid = set(), {}, {}, defaultdict(list)
        self.claims, self.over = {}, False

    def on_round_settled(self, seq: int, _: Json) -> None:
        self._compare(seq, self._every_line())

    def on_round_voided(self, seq: int, event: Json) -> None:
        why = f"the round was voided{_cited(event)}"
        lines = {}
        for box, hand in self.hands.items():
            every = [*((*key, cents) for key, cents in hand.stakes.items()), *(part[:3] for part in hand.given_back)]
            for player, bet, cents in every:
                lines[box, player, bet] = Settled("returned", cents, 0, cents, why)
        self._compare(seq, lines)

    # ------------------------------------------------------------ what the record says of it

    def _compare(self, seq: int, lines: dict[Key, Settled]) -> None:
        checks = self.checks
        checks.settled, checks.rests = 0, []
        for key, line in sorted(lines.items()):
            box, player, bet = key
            where = f"record {seq}: {bet} of {player} on box {box}"
            said = self.recorded.get(key)
            if said is None:
                checks.hold(False, f"{where} {_in_money(line)}, and the record has no line of it")
                continue
            told = Settled(said["outcome"], said["staked"], said["won"], said["returned"])
            checks.hold(
                told == line._replace(rests_on=""),
                f"{where} {_in_money(line)}; the record says that it {_in_money(told)}",
            )
            checks.settled += 1
            if line.rests_on:
                checks.rests.append(f"{bet} of {player} on box {box}: {line.rests_on}")
        for box, player, bet in sorted(self.recorded.keys() - lines.keys()):
            checks.hold(False, f"record {seq}: {bet} of {player} on box {box} has a line and no right to one")
        self._compare_claims(seq)
        self.over = True

    def _compare_claims(self, seq: int) -> None:
        for box, player in sorted(self.claims.keys() | self.claimed.keys()):
            claim, said = self.claims.get((box, player)), self.claimed.get((box, player))
            where = f"record {seq}: the jackpot bet of {player} on box {box}"
            if claim is None:
                self.checks.hold(False, f"{where} makes no award of the meter, and one is claimed")
            elif said is None:
                self.checks.hold(False, f"{where} makes {_listed(claim.hands)}, and no award is claimed")
            else:
                told = Claim(
                    said["staked"], said["counts"], said["units"], frozenset(a["hand"] for a in said["awards"])
                )
                self.checks.hold(told == claim, f"{where} makes {_listed(claim.hands)}; the record claims {told}")

    def _later_award(self, seq: int, event: Json) -> None:
        """Check a line that the first release wrote into the table's records after the settlement."""
        claim = self.claims.get((event["box"], event["player"]))
        holds = claim is not None and (event["staked"], event["returned"]) == (
            claim.staked,
            claim.staked - claim.counts,
        )
        self.checks.hold(holds, f"record {seq}: a jackpot line that does not belong to an award of this round")

    # ------------------------------------------------------------ every line

    def _every_line(self) -> dict[Key, Settled]:
        lines: dict[Key, Settled] = {}
        self.claims = {}
        for box, hand in self.hands.items():
            if not hand.stakes:
                continue
            for (player, bet), cents in hand.stakes.items():
                try:
                    line = self._line(box, hand, player, bet, cents)
                except _Unknown as missing:
                    self.checks.hold(False, f"{bet} of {player} on box {box} was settled, and {missing}")
                    continue
                if line is not None:
                    lines[box, player, bet] = line
            for player, bet, cents, why in hand.given_back:
                lines[box, player, bet] = Settled("returned", cents, 0, cents, why)
            if "ante_bonus" in self.document.pay_tables:
                try:
                    lines.update(self._ante_bonus(box, hand))
                except _Unknown as missing:
                    self.checks.hold(False, f"the Ante Bonus of box {box} cannot be settled: {missing}")
        return lines

    def _line(self, box: int, hand: _Hand, player: str, bet: str, cents: int) -> Settled | None:
        out = self._out_of_play(hand, player, bet, cents)
        if out is not None:
            return out
        if bet == JACKPOT:
            return self._jackpot(box, hand, player, cents)
        counts = self._part(hand, player, bet)
        rests = hand.why if hand.state in ("folded", "invalid") else self._let_stand(hand, bet)
        if bet in self.document.pay_tables and bet != "ante":
            return self._side_bet(box, hand, bet, cents, counts, rests)
        return self._against_dealer(box, hand, bet, cents, counts, rests)

    def _out_of_play(self, hand: _Hand, player: str, bet: str, cents: int) -> Settled | None:
        """Return the line of a bet that loses or goes back before any card is looked at."""
        if hand.state == "forfeited" or (hand.state == "invalid" and bet in hand.lost):
            return Settled("lose", cents, 0, 0, hand.why)
        if hand.state == "invalid" and bet not in hand.settled:
            return Settled("returned", cents, 0, cents, hand.why)
        beside: tuple[str, ...] = ("ante",) if bet in ("bonus", JACKPOT) else ()
        if bet == JACKPOT and self.rules.reads("jackpot-pair-plus-only", "a"):
            beside = ("ante", "pair_plus")
        if beside and not any((player, other) in hand.stakes for other in beside):
            return Settled("returned", cents, 0, cents)
        if self.document.one_small_round and self._was_small_before(player):
            own = [bet, "ante"] if (player, "ante") in hand.stakes else [bet]
            if any(self._is_small(hand, each) for each in own):
                return Settled("returned", cents, 0, cents, f"{player} had bets under the minimum in an earlier round")
        return None

    def _is_small(self, hand: _Hand, bet: str) -> bool:
        return bet in self.rules.limits and hand.on(bet) < self.rules.limits[bet][0]

    def _was_small_before(self, player: str) -> bool:
        """Return whether a player with small bets was noted in an earlier round; this one notes only the first time."""
        small = any(
            name == player and self._is_small(hand, bet) for hand in self.hands.values() for name, bet in hand.stakes
        )
        return small and player not in self.noted

    # ------------------------------------------------------------ what counts of a stake

    def _counts(self, hand: _Hand, bet: str) -> int:
        """Return how much counts of the chips on one area."""
        placed, document, limits = hand.on(bet), self.document, self.rules.limits
        if not document.cuts_to_maximum:
            return placed
        if bet not in document.decisions:
            return min(placed, limits[bet][1])
        times, maximum, ante = document.decisions[bet], limits["ante"][1], hand.on("ante")
        if not document.sizes_ruled:
            return min(placed, times * maximum)
        ante = ante if self.rules.reads("wrong-size-and-limit", "a") else min(ante, maximum)
        limit = maximum if self.rules.reads("wrong-size-and-limit", "c") else times * maximum
        return min(placed, times * ante, limit)

    def _part(self, hand: _Hand, player: str, bet: str) -> int:
        """Return how much counts of one player's chips on a shared area, in proportion and in the order of placing."""
        placed, counts, before = hand.on(bet), self._counts(hand, bet), 0
        for (name, other), cents in hand.stakes.items():
            if other == bet:
                if name == player:
                    return (before + cents) * counts // placed - before * counts // placed
                before += cents
        return 0

    def _let_stand(self, hand: _Hand, bet: str) -> str:
        """Return the ruling that let something stand which no paragraph covers."""
        document = self.document
        times = document.decisions.get(bet)
        if times is not None and not document.sizes_ruled and hand.on(bet) != times * hand.on("ante"):
            return "staff let a bet of this size stand"
        if not document.cuts_to_maximum and bet in self.rules.limits:
            least, most = self.rules.limits[bet]
            if not least <= hand.on(bet) <= most:
                return "staff let a bet outside the limits stand"
        return ""

    # ------------------------------------------------------------ against the Dealer

    def _fate(self, box: int, hand: _Hand) -> str:
        """Return folded, not shown, higher, lower, equal, unqualified (the Dealer), or "" without a hand."""
        unproved = hand.refused and not hand.proved
        if hand.state == "folded":
            return "not shown" if unproved else "folded"
        if hand.state != "live" or not hand.on("ante"):
            return "not shown" if hand.state == "live" and unproved else ""
        if hand.refused and self.document.refusal_ruled and not (hand.proved and self.rules.reads("v6-proof", "a")):
            return "not shown"
        if hand.refused and not hand.face_up:
            return "not shown"
        own, dealer = self._strength(f"box {box}", hand.cards), self._strength("the Dealer", self.dealer)
        if dealer < self.document.dealer_needs and not (self.rules.reads("sun-tie-unqualified", "a") and own == dealer):
            return "unqualified"
        return "equal" if own == dealer else "higher" if own > dealer else "lower"

    def _strength(self, whose: str, cards: tuple[str, ...]) -> Hand:
        three = self.document.own_cards == 3
        needed = self.document.own_cards + (0 if three else 5)
        all_cards = cards if three else (*cards, *self.community)
        if len(cards) != self.document.own_cards or len(all_cards) != needed:
            raise _Unknown(f"the cards of {whose} were never turned")
        return rank_three(all_cards) if three else best_of(all_cards)

    def _against_dealer(self, box: int, hand: _Hand, bet: str, cents: int, counts: int, rests: str) -> Settled:
        fate = self._fate(box, hand)
        lost = Settled("lose", cents, 0, cents - counts, rests)
        if fate in ("folded", "lower"):
            return lost
        if fate == "not shown":
            if not self.document.refusal_ruled:
                return lost._replace(rests_on="staff let a hand stand that was not shown")
            back = bet != "ante" and hand.state == "live" and self.rules.reads("refusal-later-bets", "a")
            return Settled("returned", cents, 0, cents, rests) if back else lost
        stands_off = Settled("stand_off", cents, 0, cents, rests)
        if fate == "equal":
            return stands_off
        if bet != "ante":
            return stands_off if fate == "unqualified" else Settled("win", cents, counts, cents, rests)
        odds = self._ante_odds(self._strength(f"box {box}", hand.cards))
        return stands_off if odds is None else Settled("win", cents, odds.on(counts), cents, rests)

    def _ante_odds(self, own: Hand) -> Pays | None:
        """Return what a winning Ante is paid; None where it only comes back."""
        table = self.rules.tables.get("ante")
        if table is not None:
            pays = table.get(FIVE[own[0]])
            return None if pays is None else Pays.read(pays)
        if self.document.own_cards == 2 and own[0] < FIVE.index("straight"):
            return None
        return Pays(1, 1, "to")

    # ------------------------------------------------------------ on the player's own cards

    def _survives(self, bet: str, fate: str, hand: _Hand) -> str:
        """Return what becomes of a side bet: yes (it looks at the cards), lost, or returned."""
        reads = self.rules.reads
        if hand.state == "folded":
            keeps = (bet == "pair_plus" and reads("fold-pair-plus", "b")) or (
                bet == "ante_bonus" and reads("fold-ante-bonus", "a")
            )
            if not keeps:
                return "lost"
        if fate == "not shown":
            proves = (bet == "pair_plus" and reads("fold-pair-plus", "b")) or (
                bet == "bonus" and (reads("refusal-bonus", "a") or reads("v6-proof", "a"))
            )
            return "yes" if hand.proved and proves else "lost"
        if fate == "lower" and bet == "bonus" and reads("bonus-on-loss", "a"):
            return "lost"
        if fate == "equal" and bet == "bonus" and reads("bonus-on-stand-off", "a"):
            return "returned"
        if fate == "equal" and bet == "ante_bonus" and reads("ante-bonus-stand-off", "a"):
            return "lost"
        return "yes"

    def _side_odds(self, box: int, hand: _Hand, bet: str) -> Pays | None:
        if len(hand.cards) != self.document.own_cards:
            raise _Unknown(f"the cards of box {box} were never turned")
        if self.document.own_cards == 3:
            line: str | None = THREE[rank_three(hand.cards)[0]]
        else:
            line = hole_cards(hand.cards, self.dealer)
            if line is None and self.rules.reads("bonus-dealer-only", "a") and len(self.dealer) == 2:
                line = hole_cards(self.dealer, ())
        pays = self.rules.tables[bet].get(line or "")
        return None if pays is None else Pays.read(pays)

    def _side_bet(self, box: int, hand: _Hand, bet: str, cents: int, counts: int, rests: str) -> Settled:
        judged = self._survives(bet, self._fate(box, hand), hand)
        if judged == "returned":
            return Settled("stand_off", cents, 0, cents, rests)
        odds = self._side_odds(box, hand, bet) if judged == "yes" else None
        if odds is None:
            return Settled("lose", cents, 0, cents - counts, rests)
        won = odds.on(counts)
        if bet == "bonus" and self.document.cap is not None:
            won = min(won, self.document.cap - (counts if self.rules.reads("bonus-cap", "a") else 0))
        return Settled("win", cents, won, cents, rests)

    def _ante_bonus(self, box: int, hand: _Hand) -> Iterator[tuple[Key, Settled]]:
        """Pay the Ante Bonus on the Ante's chips; an unpaid one has no line."""
        if hand.state not in ("live", "folded") or not hand.on("ante"):
            return
        if self._survives("ante_bonus", self._fate(box, hand), hand) != "yes":
            return
        odds = self._side_odds(box, hand, "ante_bonus")
        for player, bet in hand.stakes if odds is not None else ():
            if bet == "ante" and odds is not None:
                won = odds.on(self._part(hand, player, "ante"))
                yield (box, player, "ante_bonus"), Settled("win", 0, won, 0, hand.why)

    # ------------------------------------------------------------ the jackpot bet

    def _jackpot(self, box: int, hand: _Hand, player: str, cents: int) -> Settled | None:
        """Return the line of a jackpot bet; None where it claims a share of the meter, which the link pays."""
        prescribed = self.rules.jackpot_bet or 0
        units = min(cents // prescribed, self.document.multiples) if prescribed else 0
        counts, rests = units * prescribed, hand.why
        if counts != cents and not self.document.cuts_to_maximum:
            rests = rests or "staff let a bet outside the limits stand"
        if not units:
            return Settled("returned", cents, 0, cents, rests)
        met = {name: Pays.read(self.rules.tables[JACKPOT][name]) for name in self._lines_met(hand)}
        if not met:
            return Settled("lose", cents, 0, cents - counts, rests)
        if any(pays.kind == "share" for pays in met.values()):
            self.claims[box, player] = Claim(cents, counts, units, frozenset(met))
            return None
        amounts = {name: self.rules.award(pays, counts, units) for name, pays in met.items()}
        paid = sorted(self.paid[box, player])
        if self.rules.reads("v6-jackpot-hand", "c"):
            won, holds = sum(amounts.values()), paid == sorted(amounts.items())
        else:
            won = max(amounts.values())
            holds = len(paid) == 1 and amounts.get(paid[0][0]) == paid[0][1] == won
        self.checks.hold(holds, f"box {box}: the cards make {_listed(amounts)}, and the award paid is {paid or 'none'}")
        return Settled("win", cents, won, cents - counts, rests)

    def _lines_met(self, hand: _Hand) -> list[str]:
        document, reads = self.document, self.rules.reads
        own, board = hand.face_up, True
        if hand.state == "folded" and document.community_survives:
            own = False
        if hand.refused and document.refusal_ruled and not (hand.proved and document.jackpot_provable):
            own, board = False, document.community_survives
        called_only = reads("sun-board-share", "b") and hand.state != "live"
        if own and len(hand.cards) != document.own_cards:
            raise _Unknown("its hand has another number of cards")
        return [
            name
            for name, line in self.rules.lines.items()
            if name in self.rules.tables.get(JACKPOT, {})
            and (own if line.own else board)
            and not (line.shared and called_only)
            and line.is_met(hand.cards, self.community)
        ]


class _Unknown(Exception):
    """A line cannot be settled from the record; the message says why."""


def _cited(event: Json) -> str:
    return f" ({', '.join(event['rules'])})" if event.get("rules") else ""


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(name.replace("_", " ") for name in names))


def _money(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02}"


def _in_money(line: Settled) -> str:
    words = {"win": "wins", "lose": "loses", "stand_off": "stands off", "returned": "goes back"}
    won, returned = _money(line.won), _money(line.returned)
    return f"{words.get(line.outcome, line.outcome)} ({won} won, {returned} returned)"


def _over(found: Json) -> int:
    """Return what a mispay left with its player beyond what was due, from what was due and what was done."""
    done: int = found["amount"] if found["did"] == "pay" else -found["amount"]
    due: int = {"pay": found["due"], "take": -found["due"]}.get(found["move"], 0)
    return done - due


def _let_stand(found: Json, ruling: Json) -> str:
    due = f"{_money(found['due'])} to be taken" if found["move"] == "take" else f"{_money(found['due'])} due"
    due = due if found["move"] in ("pay", "take") else "nothing to be paid or taken"
    done = f"{_money(found['amount'])} {'paid' if found['did'] == 'pay' else 'taken'}"
    bet = found["bet"].replace("_", " ")
    where = f"Box {found['box']} {bet} of {found['player']}"
    return f"{where}: {due}, {done}; let stand by {ruling['who']}: {ruling.get('text', '')}"


# ---------------------------------------------------------------- awards on their link


def _of_the_link(record: Json) -> list[Json]:
    """Return the records of the link, which the first format does not have."""
    return list(record.get("on_the_link", [])) if record["format"] != FORMATS[0] else []


class _Awards:
    """The award cases of the round, followed on their link."""

    def __init__(self, record: Json, checks: Checks) -> None:
        self.checks = checks
        self.key = (record["table"], record["round"])
        self.rules = _rules(record)
        self.says: list[Json] = list(record.get("awards", [])) if record["format"] != FORMATS[0] else []
        self.cases: dict[int, Json] = {}
        self.nets: list[Json] = []
        """The line of each award that is paid or denied."""
        self.waiting = [award["award"] for award in self.says]
        self.shares: list[str] = []
        """Locked awards that are shares of the meter, in words."""
        seq = 0
        for entry in _of_the_link(record):
            where = f"record {entry['seq']} of the link"
            checks.hold(entry["stream"].startswith("link/"), f"{where} belongs to {entry['stream']}")
            checks.hold(entry["seq"] > seq, f"{where} is not in its place")
            seq = entry["seq"]
            event = _event(entry, bytes.fromhex(entry["before"]), checks)
            checks.hold(
                (event.get("table"), event.get("round")) == self.key, f"{where} belongs to another round: {event}"
            )
            checks.looked_at["records of the link"] += 1
            self._follow(where, event)

    def _hold(self, where: str, what: str, holds: bool) -> None:
        self.checks.hold(holds, f"{where}: {what}")

    def _follow(self, where: str, event: Json) -> None:
        kind = event["type"]
        if kind == "ClaimsEntered":
            for claim in event["claims"]:
                number = self.waiting.pop(0) if self.waiting else 0
                self._hold(where, "an award is claimed of which the record does not tell", bool(number))
                needs = event.get("signatures", 0)
                self.cases[number] = {"claim": claim, "needs": needs, "signed": [], "state": "claimed", "amount": None}
        elif kind == "AwardsLocked":
            for award in event["awards"]:
                self._lock(where, self._case(where, award["case"]), award["lines"])
        elif kind == "AwardSigned":
            case = self._case(where, event["case"])
            self._hold(where, f"{event['by']} has signed twice", event["by"] not in case["signed"])
            case["signed"].append(event["by"])
        elif kind == "CasePaid":
            self._pay(where, self._case(where, event["case"]), event)
        elif kind == "CaseDenied":
            case = self._case(where, event["case"])
            self._hold(where, "an award is denied that had ended", case["state"] in ("claimed", "locked"))
            self._hold(where, "a denied award wins something", event["line"]["won"] == 0)
            case["state"], case["line"] = "denied", event["line"]
        elif kind == "AwardsReversed":
            for case in self.cases.values():
                case["state"], case["line"] = "unwound", None
        elif kind in ("ClaimsVerified", "AwardsPaid", "AwardsHandedOver"):
            self._first_release(where, event)

    def _first_release(self, where: str, event: Json) -> None:
        """Follow an event of the first release, which signed and paid for all claims of the round at once."""
        live = [case for case in self.cases.values() if case["state"] != "unwound"]
        if event["type"] == "ClaimsVerified":
            for case in live:
                case["signed"].append(event["by"])
        elif event["type"] == "AwardsPaid":
            by_box = {case["claim"]["box"]: case for case in live}
            for payment in event["payments"]:
                self._lock(where, by_box[payment["claim"]["box"]], payment["lines"])
        else:
            for case in live:
                self._hold(where, "an award is paid that was not locked", case["state"] == "locked")
                case["state"], case["at_table"] = "paid", True

    def _case(self, where: str, number: int) -> Json:
        self._hold(where, f"award {number} was not claimed", number in self.cases)
        return self.cases[number]

    def _lock(self, where: str, case: Json, lines: list[Json]) -> None:
        self._hold(where, "an award is locked that does not wait for it", case["state"] == "claimed")
        met = {award["hand"] for award in case["claim"]["awards"]}
        self._hold(where, "an award pays lines that were not claimed", {line["hand"] for line in lines} <= met)
        case["state"], case["amount"] = "locked", sum(line["amount"] for line in lines)
        claim = case["claim"]
        for line in lines:
            pays = Pays.read(line["pays"])
            if pays.kind == "share":
                self.shares.append(f"{line['pays']} of the meter for {claim['player']} on box {claim['box']}")
            elif self.rules is not None:
                fixed = self.rules.award(pays, claim["counts"], claim["units"])
                self._hold(
                    where, f"{line['hand']} is locked at {line['amount']}, not at {fixed}", line["amount"] == fixed
                )
            if self.rules is not None:
                printed = self.rules.tables[JACKPOT].get(line["hand"])
                self._hold(where, f"{line['hand']} pays {line['pays']}, not {printed}", line["pays"] == printed)

    def _pay(self, where: str, case: Json, event: Json) -> None:
        claim, line = case["claim"], event["line"]
        self._hold(where, "an award is paid that is not locked", case["state"] == "locked")
        self._hold(where, "an award is paid before it is signed for", len(case["signed"]) >= case["needs"])
        paid = sum(award["amount"] for award in event["awards"])
        self._hold(
            where, f"{case['amount']} was locked, {paid} paid, and the line says {line['won']}",
            case["amount"] == paid == line["won"],
        )  # fmt: skip
        whose = [(each["box"], each["player"], each["round"]) for each in (line, *event["awards"])]
        own = (claim["box"], claim["player"], claim["round"])
        self._hold(where, "an award is paid to another box, player or round", all(each == own for each in whose))
        self._hold(where, "the line of an award is not whole", line["staked"] == claim["staked"])
        case["state"], case["line"] = "paid", line

    def end(self, claims: list[Json], settled: set[tuple[int, str]]) -> None:
        """Hold the awards of the link against what the round claimed and what the record says."""
        checks = self.checks
        checks.hold(not self.waiting, "the record tells of an award that the link does not have")
        live = [case for case in self.cases.values() if case["state"] != "unwound"]
        for claim in claims:
            of = [case for case in live if case["claim"]["box"] == claim["box"]]
            checks.hold(len(of) == 1, f"box {claim['box']}: its award is {len(of)} times on the link")
            for case in of:
                same = {key: case["claim"].get(key) for key in claim if key != "type"}
                checks.hold(
                    all(claim[key] == value for key, value in same.items()),
                    f"box {claim['box']}: the link has another claim than the table",
                )
        checks.hold(len(live) == len(claims), "the link has awards that the round did not claim")
        for said in self.says:
            case = self.cases.get(said["award"], {})
            checks.hold(
                case.get("state") == said["state"],
                f"award {said['award']} is said to be {said['state']}, and is {case.get('state')}",
            )
        for number, case in self.cases.items():
            checks.awards.append(_in_words(number, case))
            line = case.get("line")
            if line is not None:
                self.nets.append(line)
            elif case["state"] in ("claimed", "locked"):
                checks.open_awards += 1
            elif case.get("at_table") and (case["claim"]["box"], case["claim"]["player"]) not in settled:
                self.nets.append(_first_line(case))


def _first_line(case: Json) -> Json:
    """Return the line that the first release wrote into a later round of the table."""
    claim = case["claim"]
    return {**claim, "won": case["amount"], "returned": claim["staked"] - claim["counts"], "later": True}


def _in_words(number: int, case: Json) -> str:
    claim, amount = case["claim"], case["amount"]
    money = "" if amount is None else f" {amount // 100}.{amount % 100:02}"
    missing = case["needs"] - len(case["signed"])
    state = {
        "claimed": "waits for its turn",
        "locked": f"locked at{money}, {missing} of {case['needs']} signatures missing",
        "paid": f"paid{money}",
        "denied": "denied",
        "unwound": "unwound with its round",
    }[case["state"]]
    return f"Award {number}, {claim['named']} on box {claim['box']}, {claim['player']}: {state}."


# ---------------------------------------------------------------- the round


class _Round:
    """The round, played over event by event."""

    def __init__(self, record: Json, checks: Checks) -> None:
        self.checks = checks
        self.format: str = record["format"]
        self.table: str = record["table"]
        self.number: int = record["round"]
        self.physical: bool = record["physical"]
        self.procedure: dict[int, Json] = {step["step"]: step for step in record["procedure"]}
        self.rulebook = record.get("rulebook")
        self.rules = _rules(record)
        self.settlement = None if self.rules is None else Settlement(self.rules, checks)
        self.proofs: dict[int, list[Json]] = {}
        self.whole: dict[int, tuple[list[str], str]] = {}
        self.decks: dict[int, dict[int, str]] = {}
        """The cards that are known of each deal's deck, by position."""
        self._read_decks(record)
        self.by_card: set[int] = set()
        self.opened: set[int] = set()
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
        self.claims: list[Json] = []
        self.awards: dict[tuple[int, str], int] = defaultdict(int)
        # An award of an earlier round may be paid while this one is in play: the ledger moves it here.
        self.stakes_before = 0
        self.paid_before: dict[str, int] = defaultdict(int)
        self.mispay: Json | None = None
        """The one that stops the table."""
        self.paid_later: dict[str, int] = defaultdict(int)
        """By the first release, in the records of a later round of the table."""

    def play(self, events: list[tuple[int, Json]], on_link: _Awards) -> None:
        first = events[0][1]
        self.checks.hold(
            first.get("type") == "RoundOpened" and first.get("number") == self.number,
            f"the record does not begin with the opening of round {self.number}",
        )
        for seq, recorded in events:
            event = self._with_cards(recorded) if recorded["type"] == "HandExamined" else recorded
            _enter(self, seq, event)
            if self.settlement is not None:
                self.settlement.follow(seq, event, self.number)
        if self.format != FORMATS[0]:
            on_link.end(self.claims, {(line["box"], line["player"]) for line in self.lines if line["bet"] == JACKPOT})
        self._end(on_link)

    def _problem(self, seq: int, what: str, holds: bool = False) -> None:
        self.checks.hold(holds, f"record {seq}: {what}")

    # ------------------------------------------------------------ deck

    def on_round_opened(self, seq: int, event: Json) -> None:
        self._problem(seq, "another round begins", event["number"] == self.number)
        same = self.rulebook is None or event.get("rulebook", self.rulebook) == self.rulebook
        self._problem(seq, "the round was begun by another rulebook than the record names", same)

    def on_deck_committed(self, seq: int, event: Json) -> None:
        deal = event["deal"]
        self._problem(seq, f"deck {deal} was committed to twice", deal not in self.commitments)
        self._problem(seq, "the deck was committed to only after bets", deal > 0 or not self.bets_seen)
        self._problem(seq, "the deck was committed to only after the deal", not self.dealt)
        self.commitments[deal] = event["commitment"]
        if event.get("by_card"):
            self.by_card.add(deal)
            self._prove_cards(seq, deal, event["commitment"])

    def _read_decks(self, record: Json) -> None:
        """Read the decks first, since cards are turned before their deck is opened."""
        for entry in record["records"]:
            if entry["type"] == "DeckOpened":
                event = json.loads(entry["data"])
                if event["round"] == self.number and "deck" in event:
                    self.decks.setdefault(event["deal"], dict(enumerate(event["deck"].split(" "))))
        for told in record.get("decks", []) if record["format"] == FORMATS[2] else []:
            known = self.decks.setdefault(told["deal"], {})
            if "deck" in told:
                self.whole[told["deal"]] = (told["deck"].split(" "), told["salt"])
                known.update(enumerate(told["deck"].split(" ")))
            else:
                self.proofs[told["deal"]] = told["cards"]
                known.update((opened["position"], opened["card"]) for opened in told["cards"])

    def _prove_cards(self, seq: int, deal: int, commitment: str) -> None:
        """Check that each opened card leads to the commitment, and none is opened twice."""
        if deal in self.whole:
            cards, seed = self.whole[deal]
            self._problem(seq, f"deck {deal} is not 52 different cards", len(cards) == 52 and set(cards) == DECK)
            led = commitment_of(cards, seed) if len(cards) <= LEAVES else ""
            self._problem(seq, f"deck {deal} is not the one committed to", led == commitment)
        opened = self.proofs.get(deal, [])
        for told in opened:
            position, card, path = told["position"], told["card"], told["path"]
            self._problem(seq, f"{card} at position {position} of deck {deal} is not a place in a deck",
                          card in DECK and 0 <= position < 52 and len(path) == 6)  # fmt: skip
            led = commitment_by_path(position, card, told["salt"], path)
            self._problem(seq, f"{card} at position {position} does not belong to deck {deal}", led == commitment)
            self.checks.looked_at["cards proved"] += 1
        different = len({told["position"] for told in opened}) == len({told["card"] for told in opened}) == len(opened)
        self._problem(seq, f"a card of deck {deal} is opened twice", different)

    def on_deck_opened(self, seq: int, event: Json) -> None:
        deal = event["deal"]
        self._problem(seq, "the deck was opened before the round had ended", self.ended)
        self.checks.looked_at["decks"] += 1
        self.opened.add(deal)
        if deal in self.by_card:
            return
        cards = event["deck"].split(" ")
        self._problem(seq, f"deck {deal} is not 52 different cards", len(cards) == 52 and set(cards) == DECK)
        digest = hashlib.sha256(f"{event['salt']} {event['deck']}".encode()).hexdigest()
        self._problem(seq, f"deck {deal} is not the one committed to", digest == self.commitments.get(deal))
        same = list(self.decks.get(deal, {}).values()) == cards
        self._problem(seq, f"deck {deal} was opened twice, differently", same)

    # ------------------------------------------------------------ deal

    def on_bets_closed(self, _: int, event: Json) -> None:
        self.hands = list(event["hands"])

    def on_cards_dealt(self, seq: int, event: Json) -> None:
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

    def on_cards_turned(self, seq: int, event: Json) -> None:
        for place, cards in event["cards"].items():
            first = self.community if place == "community" else 0
            self._are_there(seq, place, first, cards)
            if place == "community":
                self.community += len(cards)

    def _with_cards(self, look: Json) -> Json:
        """Add its cards to a look that names places in the deck, where this copy opens them."""
        deck = self.decks.get(look.get("deal", 0), {})
        if "at" not in look or "cards" in look or any(position not in deck for position in look["at"]):
            return look
        return {**look, "cards": [deck[position] for position in look["at"]]}

    def on_hand_examined(self, seq: int, event: Json) -> None:
        if "at" in event:
            box, here = str(event["box"]), [index for index, to in enumerate(self.dealt) if to == str(event["box"])]
            named = (event.get("round"), event.get("deal", 0), event["at"])
            lies = not self.physical and named == (self.number, self.deal, here)
            self._problem(seq, f"the hand of box {box} is not at the place that the look names", lies)
        self._are_there(seq, str(event["box"]), 0, event.get("cards", []))

    def _are_there(self, seq: int, place: str, first: int, cards: list[str]) -> None:
        if self.physical:
            return
        ordinals = [index for index, to in enumerate(self.dealt) if to == place][first : first + len(cards)]
        deck = self.decks.get(self.deal)
        if deck is None:
            self._problem(seq, f"the deck of deal {self.deal} is not in the record, so no card can be checked")
            return
        lies = [deck[index] for index in ordinals if index in deck]
        self._problem(seq, f"{' '.join(cards)} at {place}, where the deck has {' '.join(lies)}", lies == list(cards))
        self.checks.looked_at["cards seen"] += len(cards)

    def on_cards_redealt(self, seq: int, event: Json) -> None:
        for box, bet, part in event["returned"]:
            self._take(seq, (box, part["player"], bet), part["amount"])
        self.deal, self.dealt, self.community, self.last_step = self.deal + 1, [], 0, -1

    def on_hand_invalidated(self, _: int, event: Json) -> None:
        self.hands = [box for box in self.hands if box != event["box"]]

    on_bets_forfeited = on_hand_invalidated

    # ------------------------------------------------------------ settlement

    def on_bet_placed(self, seq: int, event: Json) -> None:
        self.bets_seen = True
        if not self.physical:
            self._problem(seq, "a bet was taken before the deck was committed to", 0 in self.commitments)
        self._add((event["box"], event["player"], event["bet"]), event["amount"])

    def on_bet_withdrawn(self, seq: int, event: Json) -> None:
        if not event.get("live"):
            self._take(seq, (event["box"], event["player"], event["bet"]), event["amount"])

    def on_hand_decided(self, _: int, event: Json) -> None:
        for part in event.get("parts", []):
            self._add((event["box"], part["player"], event["bet"]), part["amount"])

    def _add(self, stake: tuple[int, str, str], amount: int) -> None:
        self.stakes[stake] = self.stakes.get(stake, 0) + amount

    def _take(self, seq: int, stake: tuple[int, str, str], amount: int) -> None:
        lies = self.stakes.pop(stake, 0)
        what = f"{_money(amount)} of {stake[2]} on box {stake[0]}, where {_money(lies)} lies"
        self._problem(seq, what, lies == amount)

    def on_bet_settled(self, seq: int, event: Json) -> None:
        staked, won, returned = event["staked"], event["won"], event["returned"]
        if event["round"] != self.number:
            self.stakes_before += staked
            self.paid_before[event["player"]] += returned + (0 if event["bet"] == JACKPOT else won)
            return
        self._take(seq, (event["box"], event["player"], event["bet"]), staked)
        self._problem(seq, "more goes back than was staked", 0 <= returned <= staked)
        self._problem(seq, "a win is negative", won >= 0)
        self._problem(seq, "won by a bet that did not win", won == 0 or event["outcome"] == "win")
        if event["outcome"] in ("stand_off", "returned"):
            self._problem(seq, f"a bet of {_money(staked)} comes back as {_money(returned)}", returned == staked)
        self._problem(seq, "no paragraph says why", bool(event["rules"]) and bool(event["because"]))
        self.lines.append(event)
        self.checks.looked_at["bets settled"] += 1

    def on_award_claimed(self, seq: int, event: Json) -> None:
        if event["round"] != self.number:
            return
        self.claims.append(event)
        if event.get("collected"):
            self._take(seq, (event["box"], event["player"], JACKPOT), event["staked"])

    def on_award_paid(self, _: int, event: Json) -> None:
        if event["round"] == self.number:
            self.awards[event["box"], event["player"]] += event["amount"]
        else:
            self.paid_before[event["player"]] += event["amount"]

    def on_mispay_found(self, seq: int, event: Json) -> None:
        self._problem(seq, "a mispay is not what was done less what was due", event["over"] == _over(event))
        self.mispay = event

    def on_mispay_resolved(self, seq: int, event: Json) -> None:
        found, self.mispay = self.mispay, None
        said = ("act", "player", "over")
        is_of_it = found is not None and all(found[name] == event[name] for name in said)
        self._problem(seq, "a mispay is resolved that was not found", is_of_it)
        if found is not None and not event["put_right"]:
            self.checks.net[found["player"]] += found["over"]
            self.checks.mispays.append(_let_stand(found, event))

    def on_mispay_noted(self, _: int, event: Json) -> None:
        """Take in a mispay of an earlier round: the ledger moves it among the records of this one."""
        self.paid_before[event["player"]] += event["over"]

    def on_round_settled(self, _: int, __: Json) -> None:
        self.ended = True

    on_round_voided = on_round_settled

    def on_round_reopened(self, _: int, __: Json) -> None:
        for line in self.lines:
            if line["staked"]:  # an Ante Bonus has no stake of its own
                self._add((line["box"], line["player"], line["bet"]), line["staked"])
        for claim in self.claims:
            if claim.get("collected"):
                self._add((claim["box"], claim["player"], JACKPOT), claim["staked"])
        self.lines, self.claims, self.awards, self.ended = [], [], defaultdict(int), False
        self.mispay = None  # one that stands already is not undone

    def _end(self, on_link: _Awards) -> None:
        checks = self.checks
        claimed = {claim["box"] for claim in self.claims}
        checks.hold(self.ended, "the round has not ended: nothing can be said of its settlement yet")
        for (box, player, bet), amount in self.stakes.items():
            waits = bet == JACKPOT and box in claimed
            checks.open_awards += waits and self.format == FORMATS[0]
            checks.hold(waits or not self.ended, f"{bet} {_money(amount)} of {player} on box {box} was never settled")
        if self.ended and not self.physical:
            for deal in self.commitments:
                checks.hold(len(self.decks.get(deal, {})) <= 52, f"deck {deal} has more than 52 cards")
                checks.hold(deal in self.decks and deal in self.opened, f"deck {deal} was never opened")
        by_award: dict[tuple[int, str], int] = defaultdict(int)
        for line in self.lines:
            checks.net[line["player"]] += line["won"] + line["returned"] - line["staked"]
            if line["bet"] == JACKPOT:
                by_award[line["box"], line["player"]] += line["won"]
        for key in {*by_award, *self.awards}:
            paid, lines = self.awards.get(key, 0), by_award.get(key, 0)
            checks.hold(
                paid == lines, f"box {key[0]}: awards of {_money(paid)} were paid, and its line says {_money(lines)}"
            )
        for line in on_link.nets:
            checks.net[line["player"]] += line["won"] + line["returned"] - line["staked"]
            if line.get("later"):
                self.paid_later[line["player"]] += line["won"] + line["returned"] - line["staked"]
        ended = {(line["box"], line["player"]) for line in on_link.nets}
        for claim in self.claims:
            if claim.get("collected") and (claim["box"], claim["player"]) not in ended:
                checks.net[claim["player"]] -= claim["counts"]

    # ------------------------------------------------------------ ledger

    def hold_the_ledger_against_it(self, entries: list[Json], known: set[tuple[str, int]]) -> None:
        """Check that every entry belongs to a record and sums to zero, and that all moved what the records say."""
        moved: dict[str, int] = defaultdict(int)
        before, layout = ("", 0), 0
        own = f"table/{self.table}"
        for entry in entries:
            seq, postings = entry["seq"], entry["postings"]
            place = (entry.get("stream", own), seq)
            self._problem(seq, "an entry of the ledger belongs to no record of this round", place in known)
            in_order = before[0] != place[0] or seq > before[1]
            self._problem(seq, "the entries of the ledger are not in the order of the records", in_order)
            self._problem(seq, "an entry of the ledger does not sum to zero", sum(postings.values()) == 0)
            before = place
            for account, cents in postings.items():
                kind, _, player = account.partition("/")
                if kind == "player":
                    moved[player] += cents
                layout += cents if account.endswith("/layout") and kind == "table" else 0
            self.checks.looked_at["entries"] += 1
        lies = sum(self.stakes.values()) - self.stakes_before
        self.checks.hold(layout == lies, f"the ledger leaves {_money(layout)} on the layout, where {_money(lies)} lie")
        # What still lies on a box, for an award that waits, has left its player.
        holds = {player: net - self.paid_later.get(player, 0) for player, net in self.checks.net.items()}
        for (_, player, _), amount in self.stakes.items():
            holds[player] = holds.get(player, 0) - amount
        for player, amount in self.paid_before.items():
            holds[player] = holds.get(player, 0) + amount
        for player in sorted({*holds, *moved}):
            says, booked = holds.get(player, 0), moved.get(player, 0)
            what = f"the ledger moved {_money(booked)} for {player}, the records {_money(says)}"
            self.checks.hold(says == booked, what)


def _rules(record: Json) -> Rules | None:
    """Return the rules that a record states; None where it states none, or names a document that this file lacks."""
    if record["format"] != FORMATS[2] or _unknown_rules(record):
        return None
    return Rules(record["game"], record["rules"])


def _unknown_rules(record: Json) -> str:
    """Return the edition of the rule document, where this file does not know its rules; empty where it does."""
    pin = record.get("rulebook", {})
    edition = pin.get("edition", "") if isinstance(pin, dict) else None
    if not isinstance(edition, str):
        raise NoRecord("rulebook: the edition by which the round was played, and its hashes")
    return "" if edition in ("", *EDITIONS) else edition


def _note_limits(record: Json, checks: Checks, shares: list[str]) -> None:
    """Say what this record cannot prove, and where the table departs from what is printed."""
    rules = _rules(record)
    if edition := _unknown_rules(record):
        checks.notes.append(f"This file does not know the rules of {edition}: the bets were not settled again")
    elif rules is None:
        checks.notes.append(
            f"A record of the format {record['format']} states no rules: its bets were not settled again"
        )
    else:
        checks.notes += rules.told()
    if record["physical"]:
        checks.notes.append("Real cards lay on this table: what was turned is what the dealer entered")
    if any("earlier round" in line for line in checks.rests):
        checks.notes.append("What the house remembers of a player from earlier rounds is not in this record")
        checks.unchecked.append("what the house remembers of a player from earlier rounds")
    checks.notes += [f"The meter is not in this record, so the amount was not checked: {share}" for share in shares]
    checks.unchecked += [f"the amount of {share}" for share in shares]
    hidden = checks.looked_at.get("records left out", 0)
    if hidden or any("cards" in told for told in record.get("decks", [])):
        checks.notes.append(
            "This copy opens the cards that its reader has seen; the others of the deck were not checked"
        )
        checks.unchecked.append("the cards that its reader has not seen")


# ---------------------------------------------------------------- the command line


def report(record: Json, checks: Checks) -> str:
    """Return the report for people."""
    # A card that was looked at and then turned counts twice; a round has one deck, or one for each deal.
    words = {"cards seen": "looks at cards", "decks": "deck" if checks.looked_at.get("decks") == 1 else "decks"}
    looked = ", ".join(f"{count} {words.get(what, what)}" for what, count in checks.looked_at.items())
    lines = [f"Round {record['round']} at {record['table']} ({record['game']}): {looked}."]
    if checks.awards:
        lines += checks.awards
    elif checks.open_awards:
        lines.append(f"Jackpot awards that had not been paid when this was written: {checks.open_awards}.")
    for player, net in sorted(checks.net.items()):
        lines.append(f"  {player}: {'' if net < 0 else '+'}{_money(net)}")
    lines += [f"Mispaid. {mispay}" for mispay in checks.mispays]
    if checks.settled is not None:
        lines.append(f"Settled again: {_count(checks.settled, 'line')}, of which {_on_record(checks)}.")
        lines += [f"  {reason}." for reason in checks.rests]
    lines += [f"{note}." for note in checks.notes]
    lines += [f"WRONG: {problem}." for problem in checks.problems]
    if not checks.problems:
        lines.append(_verdict(record, checks))
    return "\n".join(lines)


def _verdict(record: Json, checks: Checks) -> str:
    """Return the last line where nothing is wrong: what holds, and what was not checked."""
    if checks.settled is None:
        return "What this file can check holds." if _unknown_rules(record) else "What this older record carries holds."
    if checks.unchecked:
        return f"What was checked holds. Not checked: {'; '.join(checks.unchecked)}."
    return "Everything holds."


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _on_record(checks: Checks) -> str:
    own, rest = (checks.settled or 0) - len(checks.rests), len(checks.rests)
    return f"{own} from bets, decisions and cards alone and {rest} from what staff put on record"


def read(text: str) -> Json:
    """Read a record from its text; raises NoRecord."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise NoRecord(f"the file is not JSON: {wrong}") from None
    if not isinstance(record, dict):
        raise NoRecord("a round record is a JSON object")
    return record


def rounds(told: Json) -> list[Json]:
    """Return the records in a file: one, or those of an export of several rounds."""
    if told.get("format") != SEVERAL:
        return [told]
    records = told.get("rounds")
    if not isinstance(records, list) or not records or not all(isinstance(record, dict) for record in records):
        raise NoRecord("an export of several rounds has a list of their records")
    return records


def checkpoints(text: str) -> list[Json]:
    """Return the published checkpoints in a file: one, or one on each line."""
    try:
        found = [read(text)]
    except NoRecord:
        found = [read(line) for line in text.splitlines() if line.strip()]
    if not found or not all(isinstance(one.get(part), str) for one in found for part in ("statement", "key")):
        raise NoRecord("there is no checkpoint in this file")
    return found


def in_words(wrong: OSError | UnicodeDecodeError | NoRecord) -> str:
    """Return why a file cannot be checked."""
    if isinstance(wrong, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return wrong.strerror or str(wrong) if isinstance(wrong, OSError) else str(wrong)


def main(arguments: list[str]) -> int:
    """Run the command line, and return its exit code."""
    if not 1 <= len(arguments) <= 2 or any(argument.startswith("-") for argument in arguments):
        sys.stderr.write("usage: verify.py ROUND.json [CHECKPOINT.json]\n")
        return 2
    file = arguments[-1]
    try:
        published = [one for name in arguments[1:] for one in checkpoints(Path(name).read_text(encoding="utf-8"))]
        file = arguments[0]
        told = rounds(read(Path(file).read_text(encoding="utf-8")))
        checked = [(record, check(record, published)) for record in told]
    except (OSError, UnicodeDecodeError, NoRecord) as wrong:
        sys.stderr.write(f"verify: {file}: {in_words(wrong)}\n")
        return 2
    for record, checks in checked:
        sys.stdout.write(report(record, checks) + "\n")
    return 1 if any(checks.problems for _, checks in checked) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
