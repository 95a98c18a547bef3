"""Players' own limits judged again: each fact follows from the ones before it, and no wager went beyond a limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from croupier.floor.audit.findings import Findings
from croupier.floor.house.own_limit_check import is_wager
from croupier.floor.people import own_limits
from croupier.floor.people.people import People
from croupier.floor.records.codec import COMMAND, people_fact
from croupier.floor.records.commands import AtTable, HouseCommand, Payment
from croupier.floor.records.people_facts import PeopleFact
from croupier.floor.records.play_facts import (
    CheckAcknowledged,
    DemoChipsTaken,
    LimitsSet,
    PlayBegun,
    PlayFact,
    PlayFunded,
    PlayNoted,
)
from croupier.floor.records.refusals import Refused
from croupier.floor.records.streams import CASHIER, PEOPLE
from croupier.journal.records import ChainBroken, Record
from croupier.journal.store import Answered, Store
from croupier.ledger import accounts
from croupier.money import Money
from croupier.rounds.commands import PlaceBet
from croupier.rounds.events import BetPlaced, HandDecided

PLAY_FACTS = (LimitsSet, PlayBegun, PlayNoted, PlayFunded, CheckAcknowledged, DemoChipsTaken)
OF_OTHER_COMMANDS = (PlayBegun, PlayNoted, PlayFunded)
"""Facts that a Bet or a payment has put on record."""
_WAGERS = (BetPlaced.__name__, HandDecided.__name__)
_KINDS = {kind.__name__ for kind in PLAY_FACTS}
Order: TypeAlias = tuple[int, int, str, int]


def play_differs(people: People, fact: PeopleFact, at: int) -> str:
    """Say how a fact about a player's limits does not follow from the people before it; empty where it does."""
    if not isinstance(fact, PLAY_FACTS):
        return ""
    play = people.play.get(fact.person, own_limits.Play())
    if fact.at != at:
        return f"{type(fact).__name__} is not of the moment of its record."
    try:
        match fact:
            case LimitsSet():
                own_limits.check_limits(fact)
            case DemoChipsTaken(amount=amount):
                own_limits.check_demo_chips(play, 0, at)
                return (
                    ""
                    if people.demonstration and amount == own_limits.DEMO_CHIPS
                    else "these chips were not to be given."
                )
            case PlayBegun():
                follows = play.is_limited(at) and not play.is_running(at)
                return "" if follows else "a session of play begins that runs already, or without a limit."
            case PlayNoted():
                follows = play.is_running(at) and at - play.noted >= own_limits.MINUTE
                return "" if follows else "a session of play is noted that does not run, or too soon."
            case PlayFunded() | CheckAcknowledged():
                return "" if play.is_running(at) else "no session of play runs."
    except Refused as refused:
        return str(refused)
    return ""


def was_asked(fact: PlayFact, asked: HouseCommand | None) -> bool:
    """Return whether a Bet or a payment of this player put the fact on record."""
    if isinstance(fact, PlayFunded):
        return isinstance(asked, Payment) and asked.player == fact.person
    bet = asked.command if isinstance(asked, AtTable) else None
    return isinstance(bet, PlaceBet) and bet.player == fact.person


class _Moved(msgspec.Struct, frozen=True):
    """A record that concerns a player with limits."""

    order: Order
    record: Record
    amounts: Mapping[str, Money]
    """By player."""
    stakes: bool
    """It is a wager that the house judges."""


def check_wagers(store: Store, findings: Findings, *, archived: bool) -> None:
    """Follow what players with limits held, and report every wager that a limit forbade.

    Balances need the order of commands: that of the server's answers, and of time where several servers answered.
    """
    limited = {fact.person for fact in _facts(store) if isinstance(fact, LimitsSet)}
    if not limited or archived:
        return  # without the records in an archive, what a player held then is not known
    held: Counter[str] = Counter()
    plays: dict[str, own_limits.Play] = {}
    for moved in sorted(_records(store, limited), key=lambda each: each.order):
        record = moved.record
        fact = people_fact(record) if record.type in _KINDS else None
        if isinstance(fact, PLAY_FACTS):
            plays[fact.person] = own_limits.evolve_play(plays.get(fact.person, own_limits.Play()), fact)
        for player, amount in moved.amounts.items():
            before = held[player]
            held[player] += amount
            play = plays.get(player, own_limits.Play())
            if amount >= 0 or not moved.stakes or not play.is_running(record.at):
                continue
            try:
                if record.type == BetPlaced.__name__ and record.at != play.begun:
                    own_limits.check_time(play, before, record.at)
                own_limits.check_loss(play, held[player], record.at)
            except Refused as refused:
                findings.add(record.stream, record.seq, f"{player} was beyond a limit. {refused}")


def _facts(store: Store) -> list[PeopleFact]:
    """Read what is on record of players' limits; what cannot be read is reported where the stream is checked."""
    found: list[PeopleFact] = []
    for record in store.read(PEOPLE):
        if record.type in _KINDS:
            try:
                found.append(people_fact(record))
            except (msgspec.MsgspecError, ChainBroken):
                return []
    return found


def _records(store: Store, limited: set[str]) -> list[_Moved]:
    """Collect the records that moved chips of these players, and those about their limits, each with its place."""
    own = {accounts.player(name): name for name in limited}
    amounts: dict[tuple[str, int], dict[str, Money]] = {}
    for stream, seq, account, amount in store.rows("postings"):
        if account in own:
            moved = amounts.setdefault((str(stream), int(seq)), {})
            moved[own[str(account)]] = int(amount)
    for record in store.read(PEOPLE):
        if record.type in _KINDS:
            amounts.setdefault((PEOPLE, record.seq), {})
    records = [next(store.read(stream, seq - 1, 1)) for stream, seq in amounts]
    answers = store.answers(list({record.command for record in records}))
    alone = len({answered.chain for answered in answers.values()}) == 1
    found: list[_Moved] = []
    for record, moved in zip(records, amounts.values(), strict=True):
        if (answered := answers.get(record.command)) is not None:
            order = _order(record, answered.seq if alone else record.at)
            found.append(_Moved(order, record, moved, record.type in _WAGERS and _stakes(answered)))
    return found


def _stakes(answered: Answered) -> bool:
    """Return whether the command is a wager; the first release kept no commands, and its players had no limits."""
    try:
        asked: HouseCommand = COMMAND.decode(answered.body)
    except (msgspec.MsgspecError, UnicodeError):
        return False
    return isinstance(asked, AtTable) and is_wager(asked.command)


def _order(record: Record, place: int) -> Order:
    """Return the place of a record: by command, and within one the people and the cashier first."""
    return place, int(record.stream not in (PEOPLE, CASHIER)), record.stream, record.seq
