"""Rounds that have been played: found by table, time, player, game, bet, hand and amount; step by step as each may see
them; and as a record that checks itself. Read over a connection of its own, so that looking back holds up no play.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from croupier.cards import parse_cards
from croupier.floor.audit.terms_history import TermsHistory
from croupier.floor.duties.permissions import Action, Post
from croupier.floor.history.decided_hands import DecidedHand, decided_hands
from croupier.floor.history.mispay_figures import MispayFigures, mispay_figures
from croupier.floor.house.memory.cuts import last_cut
from croupier.floor.house.memory.shown_state import CommittedState
from croupier.floor.people.people import Person, sees_names
from croupier.floor.records.codec import house_fact, link_fact, round_number, table_fact
from croupier.floor.records.commands import Answer
from croupier.floor.records.committed_decks import unsealed
from croupier.floor.records.examined_hands import TableReader
from croupier.floor.records.facts import DeckCommitted, DeckOpened, TableArchived, TableFact, TableOpened
from croupier.floor.records.streams import HOUSE, link_stream, table_stream
from croupier.floor.records.tables import Table, opening_terms
from croupier.floor.views import round_views as views
from croupier.floor.views.aliases import Aliases, Seat, seats_in
from croupier.floor.views.award_timelines import AwardCase, AwardHistory, Moment
from croupier.floor.views.award_views import award_history_view, award_step
from croupier.floor.views.moments import moment_text
from croupier.floor.views.table_views import cards_shown, hands_shown, line_view, public_event, round_seen, table_view
from croupier.journal.records import GENESIS, Record
from croupier.journal.store import FOREVER, Origin, Store, Wanted
from croupier.ledger import accounts
from croupier.money import Money, show
from croupier.rounds import standing_mispays
from croupier.rounds.commands import PlayerName
from croupier.rounds.events import (
    AwardPaid,
    BetSettled,
    CardsDealt,
    CardsRedealt,
    CardsTurned,
    HandExamined,
    IncidentReported,
    MispayFound,
    RoundVoided,
    RulingGiven,
)
from croupier.rounds.evolve import evolve
from croupier.rounds.state import Round, Stage, new_table
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import ANTE_BET, JACKPOT_BET, Deal, PayTable, Place
from croupier.structs import extended

T = TypeVar("T")
RECORD_FORMAT = "croupier-round-3"
MISPAY = "mispay"
"""By this a search finds rounds with a mispay, as it finds those with an irregularity."""

PAGE_MOST = 200
_OVER = (Stage.SETTLED, Stage.VOID)
POSTS_SEEN_AS = (Post.DEALER, Post.PIT_SUPERVISOR, Post.SURVEILLANCE, Post.DISPLAY)
"""One post for each kind of view that a replay offers."""


class NoSuchRound(LookupError):
    """The table has not played this round."""


class NotTheirs(Exception):
    """The record of a round holds the names of everybody who played: it is for them, and for those who may know."""


class NoRecord(Exception):
    """There is no record to hand out: the round has not ended, or its rulebook is not installed as it was."""


def may_take_eyes(person: Person) -> bool:
    """Return whether a person may see a round that is over as another person saw it."""
    return person.may(Action.AUDIT)


class Voided(msgspec.Struct, frozen=True, kw_only=True):
    """How a round became void."""

    at: str
    by: str
    """Who reported or ruled it; empty where the journal does not say."""
    because: str
    rules: tuple[str, ...]


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One round in one line."""

    table: str
    game: str
    edition: str
    round: int
    at: str
    began: int
    """Microseconds since 1970."""
    stage: Stage
    players: tuple[str, ...]
    bets: tuple[str, ...]
    hands: tuple[str, ...]
    """Of the Players, as far as they were shown."""
    cards: tuple[str, ...] = ()
    """Every card that lay face up at the end."""
    dealers: tuple[str, ...] = ()
    """Who opened and closed the bets."""
    incidents: tuple[str, ...] = ()
    voided: Voided | None = None
    nets: Mapping[str, Money]
    """What each Player won or lost, awards included."""
    staked: Money
    won: Money
    returned: Money
    from_meter: Money
    """Of what was won, what the jackpot's meter paid and not the House."""
    mispaid: Money = 0
    """What mispays that stand left with the Players beyond what was due."""
    seats: tuple[Seat, ...] = ()

    @property
    def house_win(self) -> Money:
        """What the House kept of the stakes."""
        return self.staked - self.won - self.returned - self.mispaid + self.from_meter

    def view(self, person: Person) -> views.RoundLine:
        """Return the line as JSON, with the names that this person may know."""
        return extended(
            views.RoundLine,
            self,
            players=Aliases(person, self.seats).names(self.players),
            staked=show(self.staked),
            won=show(self.won),
            returned=show(self.returned),
            from_meter=show(self.from_meter),
            mispaid=show(self.mispaid),
        )


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """The conditions of a search."""

    since: int = 0
    until: int = FOREVER
    player: str = ""
    bet: str = ""
    hand: str = ""
    """Words of a Hand's name, as in "straight flush"."""
    won: Money | None = None
    """The least amount that a player won in the round; with `player`, that this player won."""
    lost: Money | None = None
    card: str = ""
    """A card that lay face up, as in "As"."""
    dealer: str = ""
    incident: str = ""
    skip: int = 0
    limit: int = 20

    @property
    def looks_inside(self) -> bool:
        """What is asked for stands in no index: rounds are read until enough fit."""
        words = (self.bet, self.hand, self.card, self.dealer, self.incident)
        return any(words) or self.won is not None or self.lost is not None

    def fits(self, line: Found) -> bool:
        """Return whether a round matches this search."""
        nets = [net for player, net in line.nets.items() if self.player in ("", player)]
        words = self.hand.lower().split()
        return (
            self.bet in ("", *line.bets)
            and self.card.lower() in ("", *(card.lower() for card in line.cards))
            and self.dealer in ("", *line.dealers)
            and self.incident in ("", *line.incidents)
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

    def __init__(self, house: CommittedState, open_reader: Callable[[], Store]) -> None:
        self._house, self._open = house, open_reader
        self._reader: Store | None = None
        self._is_stale = False
        self._lock = threading.Lock()
        self._awards: dict[str, AwardHistory] = {}

    def close(self) -> None:
        with self._lock:
            if self._reader is not None:
                self._reader.close()

    def connect_anew(self) -> None:
        """Take a new connection at the next search, because the database was away."""
        self._is_stale = True

    def _store(self) -> Store:
        if self._reader is not None and (self._is_stale or self._reader.is_lost):
            self._reader.close()
            self._reader = None
        self._is_stale = False
        if self._reader is None:
            self._reader = self._open()
        return self._reader

    def origins(self) -> Mapping[str, Origin]:
        """Read where sessions were opened."""
        with self._lock:
            return self._store().origins()

    def reading(self, look: Callable[[Store], T]) -> T:
        """Read the journal over this connection."""
        with self._lock:
            return look(self._store())

    # ---------------------------------------------------------------- finding

    def rounds(self, table: Table, search: Search, person: Person) -> list[views.RoundLine]:
        """Rounds of a table, the newest first, each in one line."""
        return [line.view(person) for line in self.found(table, search)]

    def found(self, table: Table, search: Search) -> list[Found]:
        """Find rounds of a table, the newest first, with every name."""
        inside, skip, before = search.looks_inside, search.skip, FOREVER
        found: list[Found] = []
        wanted = Wanted(
            since=self._begun_by(table, search.since),
            until=search.until,
            account=accounts.player(search.player) if search.player else "",
            skip=0 if inside else skip,
            limit=min(search.limit, PAGE_MOST),
        )
        while len(found) < wanted.limit:
            with self._lock:  # page by page, so that a long search does not block the others
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

    def _begun_by(self, table: Table, moment: int) -> int:
        """Return when the round began that was in play at a moment; the moment itself where none was."""
        if not moment:
            return moment
        with self._lock:
            before = self._store().rounds(table_stream(table.name), Wanted(until=moment, limit=1))
            runs = bool(before) and self._kept(table, before[0]).records[-1].at >= moment
        return before[0].at if runs else moment

    def search(self, tables: list[Table], search: Search, person: Person) -> list[views.RoundLine]:
        """Search several tables, the newest rounds first."""
        found = [line for table in tables for line in self.found(table, replace(search, skip=0))]
        found.sort(key=lambda line: line.at, reverse=True)
        return [line.view(person) for line in found[: search.limit]]

    def _line(self, table: Table, opening: Record) -> Found:
        kept = self._kept(table, opening)
        state, facts = self._replayed(table, kept.records)
        lines, awards = _settled(table, state, self._cases(table, state.number))
        nets: Counter[str] = Counter()
        for line in lines:
            nets[line.player] += line.won + line.returned - line.staked
        for each in state.let_stand:
            nets[each.found.player] += each.found.over
        return Found(
            table=table.name,
            game=table.terms.book.game,
            edition=table.config.game if state.rulebook is None else state.rulebook.edition,
            round=state.number,
            at=moment_text(opening.at),
            began=opening.at,
            stage=state.stage,
            players=tuple(sorted({line.player for line in lines} | {p for box in state.boxes for p in box.players})),
            bets=tuple(sorted({line.bet for line in lines} | {s.bet for box in state.boxes for s in box.stakes})),
            hands=hands_shown(table, state),
            cards=cards_shown(table, state),
            dealers=_dealers(kept.records),
            incidents=_incidents(facts),
            voided=_voided(kept.records, facts) if state.stage is Stage.VOID else None,
            nets=nets,
            staked=sum(line.staked for line in lines),
            won=sum(line.won for line in lines),
            returned=sum(line.returned for line in lines),
            from_meter=sum(award.amount for award in awards if award.from_meter),
            mispaid=standing_mispays.mispaid(state.let_stand),
            seats=(*seats_in(facts), *seats_in(lines)),
        )

    def _opening(self, table: Table, number: int) -> Record:
        """Rounds are counted without a gap, so the newest says how far back this one lies."""
        stream = table_stream(table.name)
        newest = self._store().rounds(stream, Wanted(limit=1))
        if not newest or not 1 <= number <= (last := round_number(newest[0])):
            raise NoSuchRound(f"Table {table.name} has not played round {number}.")
        for fact in self._archived(table):
            if number <= fact.after:
                raise NoSuchRound(f"Round {number} at {table.name} is archived, in {fact.file}.")
        opening = self._store().rounds(stream, Wanted(limit=1, skip=last - number))
        return opening[0]

    def _archived(self, table: Table) -> tuple[TableArchived, ...]:
        """List the table's archives whose records are not in this database."""
        known = self._house.shown.get(table.name)
        if known is None or not known.archived:
            return ()
        first = next(self._store().read(table_stream(table.name), 0, 1))
        return tuple(fact for fact in known.archived if fact.seq < first.seq)

    def _kept(self, table: Table, opening: Record) -> _Kept:
        """Read the records of a round: from its opening to the next opening."""
        stream = table_stream(table.name)
        cut = last_cut(self._archived(table))
        before = cut.hash
        if opening.seq > cut.seq + 1:
            before = next(self._store().read(stream, opening.seq - 2, 1)).hash
        records = []
        for record in self._store().read(stream, opening.seq - 1):
            if record.type == opening.type and record.seq != opening.seq:
                break
            records.append(record)
        return _Kept(tuple(records), before)

    def _facts(self, table: Table, records: Iterable[Record]) -> list[TableFact]:
        """Read records of a table, each look with its cards."""
        reader = TableReader(self._store(), table.name, self._house.keys)
        return [reader.fact(record) for record in records]

    def _replayed(self, table: Table, records: tuple[Record, ...]) -> tuple[Round, list[TableFact]]:
        state, facts = new_table(table.terms.boxes), self._facts(table, records)
        for fact in facts:
            if not isinstance(fact, DeckCommitted | DeckOpened):
                state = evolve(state, fact)
        return state, facts

    # ---------------------------------------------------------------- one round

    def as_it_was(self, table: Table, number: int) -> Table:
        """Return the table on the terms of that round, whatever the pit has changed since."""
        history = TermsHistory(table.config, table.terms)
        with self._lock:
            began = self._opening(table, number).at
            for record in self._store().read(HOUSE):
                fact = house_fact(record)
                if fact.table != table.name:
                    continue
                if isinstance(fact, TableOpened):
                    history = TermsHistory(fact.config, opening_terms(fact))
                else:
                    history.see(fact, record.at)
        config, terms = history.on_which(number, began)
        return Table(table.name, terms, config, new_table(terms.boxes))

    def round(self, table: Table, number: int, person: Person, eyes: Person | None = None) -> views.PlayedRound:
        """Show a round step by step, each step with the table as this person could see it then.

        With `eyes`, a finished round is shown as that other person saw it; the caller checks that the reader may audit.
        """
        table = self.as_it_was(table, number)
        with self._lock:
            kept = self._kept(table, self._opening(table, number))
            state, facts = self._replayed(table, kept.records)
            cases = self._cases(table, number)
            eyes = person if eyes is None or state.stage not in _OVER else eyes
            decks = self._decks(table, state, facts, eyes)
        lines, awards = _settled(table, state, cases)
        seats = [*seats_in(facts), *seats_in(lines)]
        aliases = Aliases(person, seats)
        return views.PlayedRound(
            table=table.name,
            game=table.terms.book.game,
            edition=table.terms.book.edition,
            missing=table.terms.missing,
            round=number,
            stage=state.stage,
            at=moment_text(kept.records[0].at),
            decks=decks,
            lines=[line_view(line, state.let_stand, aliases) for line in lines],
            awards=[aliases.hide(extended(views.AwardPaidView, award, amount=show(award.amount))) for award in awards],
            cases=[aliases.hide(award_history_view(case, person)) for case in cases],
            steps=list(_steps(table, kept.records, facts, cases, eyes, Aliases(eyes, seats))),
            may_export=state.stage in _OVER and _may_have(person, facts) and not _keeps_back(person, facts),
            viewers=_viewers(lines, aliases) if state.stage in _OVER and may_take_eyes(person) else [],
        )

    def decisions(self, table: Table, number: int, person: Person) -> tuple[Table, list[DecidedHand]]:
        """List the decisions of a finished round with the hands that this person may know, and the table as it was."""
        table = self.as_it_was(table, number)
        with self._lock:
            kept = self._kept(table, self._opening(table, number))
            state, facts = self._replayed(table, kept.records)
            decks = self._decks(table, state, facts, person)
        if state.stage not in _OVER:
            return table, []
        whole = {deck.deal: parse_cards(deck.deck) for deck in decks if deck.deck}
        seen = round_seen(table, state, person)
        numbered = zip((record.seq for record in kept.records), facts, strict=True)
        return table, decided_hands(table.terms.boxes, numbered, seen, whole if _sees_all(person) else {})

    def _cases(self, table: Table, number: int) -> Sequence[AwardCase]:
        """Read the awards of a round as they stand now, paid or not."""
        link = table.config.link
        if link is None:
            return ()
        return self._awards.setdefault(link, AwardHistory(link)).of(self._store(), (table.name, number))

    def record_for(self, person: Person, table: Table, number: int) -> views.RoundRecord:
        """Return the record of a round, with the cards that this person has seen. Raises NotTheirs.

        Its hashes cover the names of all who played, so no name can be left out: the record is for those players,
        and for people who may know the names.
        """
        with self._lock:
            kept = self._kept(table, self._opening(table, number))
        if not _may_have(person, [table_fact(record) for record in kept.records]):
            raise NotTheirs(f"Only its players may have the record of round {number} at {table.name}.")
        return self.record(table, number, person)

    def record(self, table: Table, number: int, person: Person | None) -> views.RoundRecord:
        """Return the record of a finished round as a file that `verify.py` alone can check.

        It holds the cards that this person has seen, and all cards for a person who may audit. Raises NoRecord.
        """
        table = self.as_it_was(table, number)
        if table.terms.missing:
            raise NoRecord(f"Round {number} at {table.name} cannot be exported. {table.terms.missing}")
        with self._lock:
            kept = self._kept(table, self._opening(table, number))
            cases = self._cases(table, number)
            on_link = self._on_link(table, number, kept, cases)
            state, facts = self._replayed(table, kept.records)
            if state.stage not in _OVER:
                raise NoRecord(f"Round {number} at {table.name} has not ended.")
            if person is not None and _keeps_back(person, facts):
                what = "A ruling in it rests on cards that not every player saw, so the house keeps its record"
                raise NoRecord(f"Round {number} at {table.name} is not exported for players. {what}.")
            decks = self._decks(table, state, facts, person)
        copied = [_copied(record, fact, person) for record, fact in zip(kept.records, facts, strict=True)]
        steps = enumerate(table.terms.dealing.steps)
        return views.RoundRecord(
            format=RECORD_FORMAT,
            table=table.name,
            game=table.terms.book.game,
            rulebook=table.terms.pin,
            round=number,
            physical=table.config.physical,
            dealing=table.terms.dealing.name,
            procedure=[
                views.DealStep(
                    step=index, order=[place.value for place in step.order], each=step.each, times=step.times
                )
                for index, step in steps
                if isinstance(step, Deal)
            ],
            rules=record_rules(table.terms),
            before=kept.before.hex(),
            records=copied,
            decks=[_recorded(deck) for deck in decks if deck.by_card],
            awards=[views.RecordedAward(award=case.number, box=case.claim.box, state=case.state) for case in cases],
            on_the_link=on_link,
        )

    def _decks(self, table: Table, state: Round, facts: list[TableFact], person: Person | None) -> list[views.DeckView]:
        """Return each deal's commitment and, once the round is over, the cards of its deck that this person may see."""
        opened = {fact.deal: fact for fact in facts if isinstance(fact, DeckOpened)}
        seen = positions_seen(facts, _player(person))
        whole = _sees_all(person)
        decks: list[views.DeckView] = []
        for fact in facts:
            if not isinstance(fact, DeckCommitted):
                continue
            cards = salt = proofs = None
            if not fact.by_card and fact.deal in opened:
                cards, salt = opened[fact.deal].deck, opened[fact.deal].salt
            elif fact.by_card and state.stage in _OVER:
                sealed = self._store().deck(table.name, fact.round, fact.deal)
                assert sealed is not None, f"the deck of round {fact.round} at {table.name} is kept"
                deck = unsealed(sealed)
                if whole:
                    cards, salt = deck.cards, deck.salt
                else:
                    proofs = tuple(deck.proof(at) for at in sorted(seen.get(fact.deal, ())))
            decks.append(extended(views.DeckView, fact, deck=cards, salt=salt, cards=proofs))
        return decks

    def _on_link(self, table: Table, number: int, kept: _Kept, cases: Sequence[AwardCase]) -> list[views.RecordedEvent]:
        """Collect the link's records of a round: contributions, its place in the order of deals, its awards.

        Each record has the hash that it is chained to.
        """
        if table.config.link is None:
            return []
        store, stream = self._store(), link_stream(table.config.link)
        seqs = {seq for case in cases for seq in case.records}
        answers = store.answers(list(dict.fromkeys(record.command for record in kept.records)))
        for command, answered in answers.items():
            last = msgspec.json.decode(answered.answer, type=Answer).heads.get(stream, 0)
            while last and (record := _one(store, stream, last)).command == command:
                fact = link_fact(record)
                if (getattr(fact, "table", ""), getattr(fact, "round", 0)) == (table.name, number):
                    seqs.add(last)
                last -= 1
        found: list[views.RecordedEvent] = []
        for seq in sorted(seqs):
            before = _one(store, stream, seq - 1).hash if seq > 1 else GENESIS
            found.append(replace(_recorded_event(_one(store, stream, seq)), before=before.hex()))
        return found

    def mispays(self, tables: Sequence[Table], since: int, until: int) -> MispayFigures:
        """Count the mispays of some hours at these tables."""
        with self._lock:
            return mispay_figures(self._store(), tables, since, until)

    def answered(self, command: str) -> Answer | None:
        """Read the answer to a command; None where the command was never received."""
        with self._lock:
            found = self._store().answers([command]).get(command)
        return None if found is None else msgspec.json.decode(found.answer, type=Answer)

    # ---------------------------------------------------------------- after a break

    def since(self, table: Table, after: int, person: Person | None, most: int) -> list[views.TableEvent] | None:
        """Return the events of a table after a record, as a person may see them; None where there are too many."""
        with self._lock:
            if after < last_cut(self._archived(table)).seq:
                return None
            records = list(self._store().read(table_stream(table.name), after, most + 1))
            if len(records) > most:
                return None
            facts = self._facts(table, records)
        aliases = Aliases(person, seats_in(facts))
        return [
            views.TableEvent(seq=record.seq, at=moment_text(record.at), event=public_event(fact, person, aliases))
            for record, fact in zip(records, facts, strict=True)
        ]


def record_rules(terms: Terms) -> views.RecordRules:
    """Return what settles the bets of a round: limits in cents, pay tables and readings."""
    book = terms.book
    tables: dict[str, dict[str, str]] = {side.bet: _rows(side.table) for side in book.side_bets}
    if book.showdown.ante_table is not None:
        tables[ANTE_BET] = _rows(book.showdown.ante_table)
    tables[JACKPOT_BET] = {award.hand: str(award.pays) for award in book.jackpot.awards}
    return views.RecordRules(
        limits={bet: (limits.minimum, limits.maximum) for bet, limits in terms.limits.items()},
        jackpot_bet=terms.jackpot_bet,
        pay_tables=tables,
        readings=book.readings.in_force,
    )


def _rows(table: PayTable) -> dict[str, str]:
    return {line: str(pays) for line, pays in table.rows}


def to_prove(record: views.RoundRecord) -> list[tuple[str, int]]:
    """List what proves a round's record: its last event, whose hash covers the others, and each event of the link."""
    return [(entry.stream, entry.seq) for entry in (record.records[-1], *record.on_the_link)]


def positions_seen(facts: Iterable[TableFact], player: PlayerName | None) -> dict[int, set[int]]:
    """Find the positions of each deal's deck that lay face up or that this player has looked at."""
    seen: dict[int, set[int]] = {}
    deal = turned = 0
    dealt: list[str] = []
    for fact in facts:
        match fact:
            case CardsRedealt():
                deal, turned, dealt = deal + 1, 0, []
            case CardsDealt(to=to):
                dealt += to
            case CardsTurned(cards=cards):
                for place, shown in cards.items():
                    first = turned if place == Place.COMMUNITY else 0
                    seen.setdefault(deal, set()).update(_ordinals(dealt, place)[first : first + len(shown)])
                    turned += len(shown) if place == Place.COMMUNITY else 0
            case HandExamined(box=box, player=name, cards=cards) if name == player:
                seen.setdefault(deal, set()).update(_ordinals(dealt, str(box))[: len(cards)])
            case _:
                pass
    return seen


def _ordinals(dealt: Sequence[str], place: str) -> list[int]:
    return [index for index, to in enumerate(dealt) if to == place]


def _sees_all(person: Person | None) -> bool:
    return person is not None and person.may(Action.AUDIT)


def _player(person: Person | None) -> PlayerName | None:
    return person.name if person is not None and person.post is Post.PLAYER else None


def _copied(record: Record, fact: TableFact, person: Person | None) -> views.RecordedEvent:
    """Copy a record for this person; what another player saw in private is replaced by its digest."""
    told = _recorded_event(record)
    if not isinstance(fact, HandExamined) or not fact.salt or _sees_all(person) or fact.player == _player(person):
        return told
    return replace(told, data=UNSET, digest=hashlib.sha256(record.data).hexdigest())


def _recorded_event(record: Record) -> views.RecordedEvent:
    return extended(views.RecordedEvent, record, data=record.data.decode(), hash=record.hash.hex())


def _recorded(deck: views.DeckView) -> views.RecordedDeck:
    """Leave out what is not opened of a deck."""
    return views.RecordedDeck(
        deal=deck.deal,
        deck=UNSET if deck.deck is None else deck.deck,
        salt=UNSET if deck.salt is None else deck.salt,
        cards=UNSET if deck.cards is None else deck.cards,
    )


def _one(store: Store, stream: str, seq: int) -> Record:
    return next(store.read(stream, seq - 1, 1))


def _settled(table: Table, state: Round, cases: Sequence[AwardCase]) -> tuple[list[BetSettled], list[AwardPaid]]:
    """Collect the lines and awards of this round alone: from its settlement and from its award cases."""
    lines = [line for line in state.lines if line.round == state.number]
    awards = list(state.awards)
    settled = {line.box for line in lines if line.bet == JACKPOT_BET}
    for case in cases:
        paid, line = case.settled(table.terms)
        if line is not None and line.box not in settled:
            lines.append(line)
            awards.extend(paid)
    order = {bet.name: index for index, bet in enumerate(table.terms.book.bets)}
    return sorted(lines, key=lambda line: (line.box, order.get(line.bet, 0))), awards


def _viewers(lines: Iterable[BetSettled], aliases: Aliases) -> list[views.Eyes]:
    """List the players of a round in the order of their boxes, then a post for each kind of view."""
    players = dict.fromkeys(aliases.name(line.player) for line in lines)
    return [
        *(views.Eyes(kind="player", name=player) for player in players),
        *(views.Eyes(kind="post", name=post.value) for post in POSTS_SEEN_AS),
    ]


def _may_have(person: Person, facts: Sequence[TableFact]) -> bool:
    """Return whether a person may have the whole record of a round."""
    return sees_names(person) or (person.post is Post.PLAYER and person.name in {name for _, name in seats_in(facts)})


def _keeps_back(person: Person, facts: Sequence[TableFact]) -> bool:
    """Return whether a ruling holds cards as staff saw them, which a player may not have seen."""
    return not sees_names(person) and any(isinstance(fact, RulingGiven) and fact.facts is not None for fact in facts)


def _steps(
    table: Table,
    records: tuple[Record, ...],
    facts: list[TableFact],
    cases: Sequence[AwardCase],
    eyes: Person,
    aliases: Aliases,
) -> Iterator[views.RoundStep]:
    """Yield the events of the table and, in order of time, what happened to the awards of the round."""
    shown = replace(table, round=new_table(table.terms.boxes))
    # A claim is an event of the table already.
    later = [(moment.at, case.number, case, moment) for case in cases for moment in case.timeline]
    moments = sorted((each for each in later if each[3].what != "claimed"), key=lambda each: each[:2])
    for record, fact in zip(records, facts, strict=True):
        while moments and moments[0][0] < record.at:
            yield _case_step(shown, *moments.pop(0)[2:], eyes, aliases)
        if isinstance(fact, DeckCommitted):
            shown.commitment = fact.commitment
        elif not isinstance(fact, DeckOpened):
            shown.round = evolve(shown.round, fact)
        yield views.RoundStep(
            seq=record.seq,
            at=moment_text(record.at),
            event=public_event(fact, eyes, aliases),
            view=table_view(shown, eyes),
        )
    for _, _, case, moment in moments:
        yield _case_step(shown, case, moment, eyes, aliases)


def _case_step(shown: Table, case: AwardCase, moment: Moment, eyes: Person, aliases: Aliases) -> views.RoundStep:
    return views.RoundStep(
        seq=0,
        at=moment_text(moment.at),
        event=aliases.hide(award_step(case, moment, eyes)),
        view=table_view(shown, eyes),
    )


def _voided(records: Sequence[Record], facts: Sequence[TableFact]) -> Voided | None:
    """Return who made a round void and why: the ids of commands begin with who sent them."""
    for record, fact in reversed(list(zip(records, facts, strict=True))):
        if isinstance(fact, RoundVoided):
            by, colon, _ = record.command.partition(":")
            return Voided(
                at=moment_text(record.at), by=by if colon else "", because=fact.because, rules=tuple(fact.rules)
            )
    return None


def _incidents(facts: Iterable[TableFact]) -> tuple[str, ...]:
    """List what went wrong in a round: the irregularities that were reported, and a mispay that was found."""
    found = {str(fact.report.incident) for fact in facts if isinstance(fact, IncidentReported)}
    return tuple(sorted(found | {MISPAY for fact in facts if isinstance(fact, MispayFound)}))


def _dealers(records: Iterable[Record]) -> tuple[str, ...]:
    """Return who opened and closed the bets of a round; the ids of commands begin with who sent them."""
    steps = [record.command for record in records if record.type in ("RoundOpened", "BetsClosed")]
    return tuple(dict.fromkeys(command.partition(":")[0] for command in steps if ":" in command))
