"""Rounds that have been played: found by table, time, player, game, bet, hand and amount; step by step as each may see
them; and as a record that checks itself. Read over a connection of its own, so that looking back holds up no play.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime

import msgspec
from msgspec.structs import replace

from croupier.floor.facts import DeckCommitted, DeckOpened, HouseFact, TableFact, TableOpened
from croupier.floor.histories import History
from croupier.floor.house import House
from croupier.floor.people import Person
from croupier.floor.showing import Json, hands_shown, line_json, public_event, table_view
from croupier.floor.tables import HOUSE, VERSIONS, Table, table_stream, terms_of
from croupier.journal.records import GENESIS, Record
from croupier.journal.store import FOREVER, Store, Wanted
from croupier.ledger import accounts
from croupier.money import Money, show
from croupier.rounds.events import AwardPaid, BetSettled, RoundOpened
from croupier.rounds.evolve import evolve
from croupier.rounds.state import Round, Stage, new_table
from croupier.rulebooks.vocabulary import Deal

RECORD_FORMAT = "croupier-round-1"
LATER = 5_000
"""An award may be paid when later rounds are in play: it is looked for in so many records."""

PAGE_MOST = 200
_FACTS = msgspec.json.Decoder(TableFact)
_HOUSE_FACTS = msgspec.json.Decoder(HouseFact)
_OVER = (Stage.SETTLED, Stage.VOID)
_PAYING = (BetSettled.__name__, AwardPaid.__name__)


class NoSuchRound(LookupError):
    """This table has played no such round."""


class StillInPlay(Exception):
    """The round has not ended: its record is not for handing out."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One round in one line."""

    table: str
    game: str
    round: int
    at: str
    stage: str
    players: tuple[str, ...]
    bets: tuple[str, ...]
    hands: tuple[str, ...]
    """Of the Players, as far as they were shown."""
    nets: Mapping[str, Money]
    """What each Player won or lost, awards included."""
    staked: Money
    won: Money
    returned: Money
    from_meter: Money
    """Of what was won, what the jackpot's meter paid and not the House."""

    def json(self) -> Json:
        return {
            "table": self.table,
            "game": self.game,
            "round": self.round,
            "at": self.at,
            "stage": self.stage,
            "players": list(self.players),
            "bets": list(self.bets),
            "hands": list(self.hands),
            "staked": show(self.staked),
            "won": show(self.won),
            "returned": show(self.returned),
            "from_meter": show(self.from_meter),
        }


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody looks for."""

    since: int = 0
    until: int = FOREVER
    player: str = ""
    bet: str = ""
    hand: str = ""
    """Words of a Hand's name, as in "straight flush"."""
    won: Money | None = None
    """Somebody won at least so much in the round; with `player`, he did."""
    lost: Money | None = None
    skip: int = 0
    limit: int = 20

    @property
    def looks_inside(self) -> bool:
        """What is asked for stands in no index: rounds are read until enough fit."""
        return bool(self.bet or self.hand or self.won is not None or self.lost is not None)

    def fits(self, line: Found) -> bool:
        """Whether a round is one of those looked for."""
        nets = [net for player, net in line.nets.items() if self.player in ("", player)]
        words = self.hand.lower().split()
        return (
            self.bet in ("", *line.bets)
            and (not words or any(all(word in hand.lower() for word in words) for hand in line.hands))
            and (self.won is None or any(net >= self.won for net in nets))
            and (self.lost is None or any(-net >= self.lost for net in nets))
        )


class _Kept(msgspec.Struct, frozen=True):
    """One round's own records, and the hash that they are chained to."""

    records: tuple[Record, ...]
    before: bytes


class Past:
    """Looks back over the journal of a house."""

    def __init__(self, house: House, open_reader: Callable[[], Store]) -> None:
        self._house, self._open = house, open_reader
        self._reader: Store | None = None
        self._lock = threading.Lock()

    def close(self) -> None:
        with self._lock:
            if self._reader is not None:
                self._reader.close()

    def _store(self) -> Store:
        if self._reader is None:
            self._reader = self._open()
        return self._reader

    # ---------------------------------------------------------------- finding

    def rounds(self, table: Table, search: Search) -> list[Json]:
        """Rounds of a table, the newest first, each in one line."""
        return [line.json() for line in self._rounds(table, search)]

    def _rounds(self, table: Table, search: Search) -> list[Found]:
        inside, skip, before = search.looks_inside, search.skip, FOREVER
        found: list[Found] = []
        wanted = Wanted(
            since=search.since,
            until=search.until,
            account=accounts.player(search.player) if search.player else "",
            skip=0 if inside else skip,
            limit=min(search.limit, PAGE_MOST),
        )
        while len(found) < wanted.limit:
            with self._lock:  # page by page: whoever looks for something rare does not hold the others up
                openings = self._store().rounds(table_stream(table.name), wanted)
                # Rounds that have begun meanwhile push some of the last page onto this one.
                lines = [self._line(table, opening) for opening in openings if opening.seq < before]
            for line in filter(search.fits, lines):
                if inside and skip:
                    skip -= 1
                elif len(found) < wanted.limit:
                    found.append(line)
            if len(openings) < wanted.limit or not inside:
                break
            before = min(before, openings[-1].seq)
            wanted = replace(wanted, skip=wanted.skip + wanted.limit)
        return found

    def search(self, tables: list[Table], search: Search) -> list[Json]:
        """Over several tables, the newest first."""
        found = [line for table in tables for line in self._rounds(table, replace(search, skip=0))]
        found.sort(key=lambda line: line.at, reverse=True)
        return [line.json() for line in found[: search.limit]]

    def _line(self, table: Table, opening: Record) -> Found:
        kept = self._kept(table, opening)
        state, _ = _replayed(table, kept.records)
        lines, awards = self._settled(table, state, kept)
        nets: Counter[str] = Counter()
        for line in lines:
            nets[line.player] += line.won + line.returned - line.staked
        return Found(
            table=table.name,
            game=table.terms.book.game,
            round=state.number,
            at=_moment(opening.at),
            stage=state.stage.value,
            players=tuple(sorted({line.player for line in lines} | {p for box in state.boxes for p in box.players})),
            bets=tuple(sorted({line.bet for line in lines} | {s.bet for box in state.boxes for s in box.stakes})),
            hands=hands_shown(table, state),
            nets=nets,
            staked=sum(line.staked for line in lines),
            won=sum(line.won for line in lines),
            returned=sum(line.returned for line in lines),
            from_meter=sum(award.amount for award in awards if award.from_meter),
        )

    def _opening(self, table: Table, number: int) -> Record:
        """Rounds are counted without a gap, so the newest says how far back this one lies."""
        stream = table_stream(table.name)
        newest = self._store().rounds(stream, Wanted(limit=1))
        if not newest or not 1 <= number <= (last := _number(newest[0])):
            raise NoSuchRound(f"Table {table.name} has played no round {number}.")
        opening = self._store().rounds(stream, Wanted(limit=1, skip=last - number))
        return opening[0]

    def _kept(self, table: Table, opening: Record) -> _Kept:
        """From its opening to the next; a round begins with an opening and with nothing else."""
        stream = table_stream(table.name)
        before = GENESIS
        if opening.seq > 1:
            before = next(self._store().read(stream, opening.seq - 2, 1)).hash
        records = []
        for record in self._store().read(stream, opening.seq - 1):
            if record.type == opening.type and record.seq != opening.seq:
                break
            records.append(record)
        return _Kept(tuple(records), before)

    # ---------------------------------------------------------------- one round

    def as_it_was(self, table: Table, number: int) -> Table:
        """The table on the terms of that round, whatever the pit has changed since."""
        history = History(table.config, table.terms)
        with self._lock:
            for record in self._store().read(HOUSE):
                fact = _HOUSE_FACTS.decode(VERSIONS.raised(record))
                if fact.table != table.name:
                    continue
                if isinstance(fact, TableOpened):
                    history = History(fact.config, terms_of(fact.config))
                else:
                    history.see(fact)
        config, terms = history.on_which(number)
        return Table(table.name, terms, config, new_table(terms.boxes))

    def round(self, table: Table, number: int, person: Person, eyes: Person | None = None) -> Json:
        """A round step by step, each step with the table as this person could see it then; once the round is over,
        with somebody else's eyes, for whoever may audit to ask.
        """
        table = self.as_it_was(table, number)
        with self._lock:
            kept = self._kept(table, self._opening(table, number))
            state, facts = _replayed(table, kept.records)
            lines, awards = self._settled(table, state, kept)
        eyes = person if eyes is None or state.stage not in _OVER else eyes
        return {
            "table": table.name,
            "game": table.terms.book.game,
            "round": number,
            "stage": state.stage.value,
            "at": _moment(kept.records[0].at),
            "decks": _decks(facts),
            "lines": [line_json(line) for line in lines],
            "awards": [_award(award) for award in awards],
            "steps": list(_steps(table, kept.records, facts, eyes)),
        }

    def _settled(self, table: Table, state: Round, kept: _Kept) -> tuple[list[BetSettled], list[AwardPaid]]:
        """The lines and awards of this round: without those of an earlier one that were paid while it was in play, with
        its own that were paid when later ones were.
        """
        number = state.number
        lines, awards = [line for line in state.lines if line.round == number], list(state.awards)
        later = self._store().read(table_stream(table.name), kept.records[-1].seq, LATER) if state.claims else ()
        for fact in (_fact(record) for record in later if record.type in _PAYING):
            if isinstance(fact, BetSettled) and fact.round == number:
                lines.append(fact)
            elif isinstance(fact, AwardPaid) and fact.round == number:
                awards.append(fact)
        return lines, awards

    def record(self, table: Table, number: int) -> Json:
        """A round that is over, as a file that anybody can check with `verify.py` alone."""
        with self._lock:
            kept = self._kept(table, self._opening(table, number))
        state, _ = _replayed(table, kept.records)
        if state.stage not in _OVER:
            raise StillInPlay(f"Round {number} at {table.name} has not ended.")
        steps = enumerate(table.terms.dealing.steps)
        return {
            "format": RECORD_FORMAT,
            "table": table.name,
            "game": table.terms.book.game,
            "round": number,
            "physical": table.config.physical,
            "dealing": table.terms.dealing.name,
            "procedure": [
                {"step": index, "order": [place.value for place in step.order], "each": step.each, "times": step.times}
                for index, step in steps
                if isinstance(step, Deal)
            ],
            "before": kept.before.hex(),
            "records": [
                {
                    "stream": record.stream,
                    "seq": record.seq,
                    "type": record.type,
                    "version": record.version,
                    "at": record.at,
                    "command": record.command,
                    "data": record.data.decode(),
                    "hash": record.hash.hex(),
                }
                for record in kept.records
            ],
        }

    # ---------------------------------------------------------------- after a break

    def since(self, table: Table, after: int, person: Person | None, most: int) -> list[Json] | None:
        """The events of a table since one that somebody has seen, as he may see them; None where it is too many."""
        with self._lock:
            records = list(self._store().read(table_stream(table.name), after, most + 1))
        if len(records) > most:
            return None
        return [
            {"seq": record.seq, "at": _moment(record.at), "event": public_event(_fact(record), person)}
            for record in records
        ]


def _fact(record: Record) -> TableFact:
    fact: TableFact = _FACTS.decode(VERSIONS.raised(record))
    return fact


def _number(opening: Record) -> int:
    fact = _fact(opening)
    assert isinstance(fact, RoundOpened)
    return fact.number


def _replayed(table: Table, records: tuple[Record, ...]) -> tuple[Round, list[TableFact]]:
    state = new_table(table.terms.boxes)
    facts = [_fact(record) for record in records]
    for fact in facts:
        if not isinstance(fact, DeckCommitted | DeckOpened):
            state = evolve(state, fact)
    return state, facts


def _steps(table: Table, records: tuple[Record, ...], facts: list[TableFact], eyes: Person) -> Iterator[Json]:
    shown = replace(table, round=new_table(table.terms.boxes))
    for record, fact in zip(records, facts, strict=True):
        if isinstance(fact, DeckCommitted):
            shown.commitment = fact.commitment
        elif not isinstance(fact, DeckOpened):
            shown.round = evolve(shown.round, fact)
        yield {
            "seq": record.seq,
            "at": _moment(record.at),
            "event": public_event(fact, eyes),
            "view": table_view(shown, eyes),
        }


def _decks(facts: list[TableFact]) -> list[Json]:
    """Each deal's commitment, and what it was opened to after the settlement."""
    opened: Mapping[int, DeckOpened] = {fact.deal: fact for fact in facts if isinstance(fact, DeckOpened)}
    return [
        {
            "deal": fact.deal,
            "commitment": fact.commitment,
            "deck": opened[fact.deal].deck if fact.deal in opened else None,
            "salt": opened[fact.deal].salt if fact.deal in opened else None,
        }
        for fact in facts
        if isinstance(fact, DeckCommitted)
    ]


def _award(fact: AwardPaid) -> Json:
    return {
        "box": fact.box,
        "player": fact.player,
        "hand": fact.hand,
        "pays": fact.pays,
        "amount": show(fact.amount),
        "rules": list(fact.rules),
    }


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at / 1_000_000, UTC).isoformat(timespec="milliseconds")
