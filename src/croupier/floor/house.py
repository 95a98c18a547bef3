"""The house: every command is judged, entered into the ledger and the journal in one transaction, and then answered."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import TypeAlias, TypeVar, assert_never

import msgspec
from msgspec.structs import replace

from croupier.cards import Card
from croupier.floor.decks import Chance, Deck, new_deck, unsealed
from croupier.floor.facts import (
    BoughtIn,
    CashedOut,
    DeckCommitted,
    DeckOpened,
    HouseFact,
    LinkFact,
    LinkOpened,
    TableFact,
    TableOpened,
)
from croupier.floor.people import (
    AccessRefused,
    People,
    PeopleFact,
    PersonEnrolled,
    PersonRemoved,
    SessionClosed,
    SessionOpened,
    evolve_people,
)
from croupier.floor.requests import (
    AdjustMeter,
    Answer,
    AtTable,
    BuyIn,
    CashOut,
    ChangeParameters,
    CloseLink,
    CloseSession,
    CollectAwards,
    EnrolPerson,
    HouseCommand,
    NoteRefusal,
    OnLink,
    OpenLink,
    OpenSession,
    OpenTable,
    ReleaseAward,
    RemovePerson,
    ReopenLink,
    Request,
    RuleDealOrder,
    TableConfig,
    TakeTable,
    VerifyAward,
)
from croupier.jackpots.link import (
    AnyLinkEvent,
    AwardReleased,
    AwardsHandedOver,
    ClaimsVerified,
    DealOrderRuled,
    FaultCarriedOut,
    FaultReported,
    Link,
    LinkClosed,
    LinkReopened,
    MeterAdjusted,
    Parameters,
    ParametersChanged,
    evolve_link,
    new_link,
)
from croupier.jackpots.tables import Fault, enter, hand_over, next_fault, next_payment, spreads
from croupier.journal.records import (
    GENESIS,
    SEAL,
    ChainBroken,
    Record,
    Versions,
    answer_hash,
    chain_hash,
    checked,
    sealed_state,
    state_in,
)
from croupier.journal.store import (
    Answered,
    Batch,
    Head,
    LedgerRow,
    Posting,
    SealedDeck,
    Shared,
    Snapshot,
    Store,
    StoreConflict,
    StoreError,
    StoreFailed,
)
from croupier.ledger import accounts
from croupier.ledger.entries import Entry, TableAccounts, cashier_entry, link_entry, seed_entry
from croupier.money import Money, show
from croupier.rounds.commands import (
    CorrectCards,
    DealCards,
    ExamineHand,
    PayAward,
    PlaceBet,
    ReportIncident,
    RoundCommand,
    TurnCards,
)
from croupier.rounds.dealing import CardsToTurn, dealers_work
from croupier.rounds.decide import decide
from croupier.rounds.events import (
    CardsRedealt,
    RoundEvent,
    RoundOpened,
    RoundReopened,
    RoundSettled,
    RoundVoided,
)
from croupier.rounds.evolve import evolve
from croupier.rounds.refusal import Refusal, not_authorised
from croupier.rounds.state import Round, new_table
from croupier.rulebooks.books import UnknownGame
from croupier.rulebooks.terms import BadTerms, Terms, table_terms
from croupier.rulebooks.vocabulary import JACKPOT_BET, Incident, Limits

HOUSE, CASHIER, PEOPLE, ANSWERS = "house", "cashier", "people", "answers"
SNAPSHOT_AFTER = 400
"""A stream is snapshotted when so many records have come since the last time."""

FAULT = "fault"
"""The code of an answer to a command that our own code could not judge; nothing of it was done."""

MOST = 10**15
"""No account and no single amount goes beyond this many cents: sums of them still fit a database's 64 bits."""

LONGEST_ID = 200
TRIES = 5
"""How often a batch is judged again because another server was first, before the server gives up."""

VERSIONS = Versions()
"""Every event type is at its first version."""

_ENCODE = msgspec.json.Encoder().encode
_TABLE_FACTS = msgspec.json.Decoder(TableFact)
_LINK_FACTS = msgspec.json.Decoder(LinkFact)
_HOUSE_FACTS = msgspec.json.Decoder(HouseFact)
_PEOPLE_FACTS = msgspec.json.Decoder(PeopleFact)
_ROUND = msgspec.json.Decoder(Round)
_LINK = msgspec.json.Decoder(Link)
_ANSWER = msgspec.json.Decoder(Answer)

_BEGINNING = Head(0, GENESIS)
_TURNING_POINTS = (RoundOpened, CardsRedealt, RoundReopened, RoundSettled, RoundVoided)
"""Events at which decks are sealed or opened, or whose entry depends on the state they meet."""

K = TypeVar("K")
DealKey: TypeAlias = tuple[int, int]


def table_stream(table: str) -> str:
    """The stream of a table's events."""
    return f"table/{table}"


def link_stream(link: str) -> str:
    """The stream of a link's events."""
    return f"link/{link}"


class Table(msgspec.Struct):
    """A table as the house holds it: constant size however many Rounds it has played."""

    name: str
    terms: Terms
    config: TableConfig
    round: Round
    ours: bool = False
    """This server runs it; the others know only its terms."""
    commitment: str = ""
    """Of the deck in play: published before bets, checked by anybody after the settlement."""
    decks: dict[DealKey, Deck] = {}
    """The decks of the Round in play, by round and deal."""


def terms_of(config: TableConfig) -> Terms:
    """A table's terms from its configuration; raises BadTerms or UnknownGame."""
    return table_terms(
        config.game,
        dealing=config.dealing,
        boxes=config.boxes,
        limits={bet: Limits(least, most) for bet, (least, most) in config.limits.items()},
        jackpot_bet=config.jackpot_bet,
        linked=config.link is not None,
        pay_tables=config.pay_tables,
        rulings=config.rulings,
        currency_code=config.currency,
    )


def signatures_at(config: TableConfig) -> int:
    """How many people verify a major award of a table before it is paid."""
    return 2 if config.staffed else 0


class _Refused(Exception):
    """A command is refused: whatever it had begun is dropped."""

    def __init__(self, code: str, message: str, rules: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.answer = Answer(accepted=False, code=code, message=message, rules=tuple(rules))


class House:
    """All state of the running house. One thread uses it; `process` takes a batch and makes it durable at once."""

    def __init__(self, store: Store, chance: Chance, *, runs: Callable[[str], bool] | None = None) -> None:
        """`runs` says which tables this server takes when it starts: where several share a store, not all of them."""
        self.store, self.chance = store, chance
        self._runs = runs
        self.taken: set[str] = set()
        """Tables that it opened itself, or took over."""
        self.collected: set[str] = set()
        """Streams that moved because of what other servers had left, until somebody tells people who watch."""
        self.chain = self._own_chain()
        self._recover()

    # ---------------------------------------------------------------- recovery

    def _recover(self) -> None:
        """Back to where the last answered command left it: snapshots first, then what came after them."""
        self.tables: dict[str, Table] = {}
        self.links: dict[str, Link] = {}
        self.people = People()
        self.heads: dict[str, Head] = {}
        self.snapshotted: dict[str, int] = {}
        for stream in self.store.streams():
            self.heads[stream] = self.store.head(stream)
        self._catch_up(HOUSE, Head(0, GENESIS))
        self._catch_up(PEOPLE, Head(0, GENESIS))
        for name, table in self.tables.items():
            if self._is_to_run(name):
                self._take(table)
        for stream in self.heads:
            if stream.startswith("link/"):
                self.links[stream.removeprefix("link/")] = self._recover_link(stream)
        self.balances: dict[str, Money] = dict(self.store.balances())
        self.overdrawable: dict[str, bool] = dict(self.store.overdrawable())

    def _catch_up(self, stream: str, before: Head) -> None:
        """What has come to the house's own streams since: tables that other servers opened, people they know."""
        records = checked(self.store.read(stream, before.seq), before=before.hash, seq=before.seq)
        for record in records:
            self.heads[stream] = Head(record.seq, record.hash)
            if stream == HOUSE:
                fact = _HOUSE_FACTS.decode(VERSIONS.raised(record))
                terms = terms_of(fact.config)
                self.tables[fact.table] = Table(fact.table, terms, fact.config, new_table(terms.boxes))
            else:
                self.people = evolve_people(self.people, _PEOPLE_FACTS.decode(VERSIONS.raised(record)))

    def _is_to_run(self, table: str) -> bool:
        return self._runs is None or self._runs(table) or table in self.taken

    def _take(self, table: Table) -> bool:
        """Run a table from now on, if no other server does; it is recovered from the journal as it was left."""
        if not self.store.own(table.name):
            return False
        stream = table_stream(table.name)
        self.heads[stream] = self.store.head(stream)
        snapshot = self._sound_snapshot(stream)
        if snapshot is not None:
            table.round = _ROUND.decode(state_in(snapshot.hash, snapshot.data))
        for fact in self._read(stream, _TABLE_FACTS, snapshot):
            if not isinstance(fact, DeckCommitted | DeckOpened):
                table.round = evolve(table.round, fact)
        self._recover_commitment(table)
        table.ours = True
        return True

    def take_over(self, table: Table) -> bool:
        """A table whose server is gone."""
        if not self._take(table):
            return False
        self.taken.add(table.name)
        held = self.store.balances()
        for account in (accounts.layout(table.name), accounts.bank(table.name)):
            if account in held:
                self.balances[account] = held[account]
        return True

    def _recover_commitment(self, table: Table) -> None:
        state = table.round
        sealed = self.store.deck(table.name, state.number, state.deals) if state.number else None
        if sealed is not None:
            table.commitment = unsealed(sealed).commitment

    def _recover_link(self, stream: str) -> Link:
        snapshot = self._sound_snapshot(stream)
        link = None if snapshot is None else _LINK.decode(state_in(snapshot.hash, snapshot.data))
        for fact in self._read(stream, _LINK_FACTS, snapshot):
            if isinstance(fact, LinkOpened):
                link = new_link(fact.meter, fact.parameters)
            else:
                assert link is not None, f"{stream} begins with its opening"
                link = evolve_link(link, fact)
        assert link is not None, f"{stream} has its opening"
        return link

    def _sound_snapshot(self, stream: str) -> Snapshot | None:
        """The stream's snapshot; a damaged one is passed over, since the records hold everything it held."""
        snapshot = self.store.snapshot(stream)
        if snapshot is not None:
            try:
                state_in(snapshot.hash, snapshot.data)
            except ChainBroken:
                return None
        return snapshot

    def _read(self, stream: str, decoder: msgspec.json.Decoder[K], snapshot: Snapshot | None = None) -> Iterable[K]:
        seq, before = (snapshot.seq, snapshot.hash) if snapshot is not None else (0, GENESIS)
        self.snapshotted[stream] = seq
        for record in checked(self.store.read(stream, seq), before=before, seq=seq):
            yield decoder.decode(VERSIONS.raised(record))

    # ---------------------------------------------------------------- commands

    def process(self, requests: Sequence[Request]) -> list[Answer]:
        """Judge each request in turn, write everything in one transaction, then answer. Whatever the store raises must
        stop the server: what is in memory is then ahead of what is on disk.
        """
        for _ in range(TRIES):
            try:
                return self._processed(requests)
            except StoreConflict:
                self._recover()
        raise StoreFailed(f"Other servers were first {TRIES} times; the last commands were not done.")

    def _processed(self, requests: Sequence[Request]) -> list[Answer]:
        batch = Batch()
        answers = []
        bodies = [_body(request) for request in requests]
        self._begin([request for request, body in zip(requests, bodies, strict=True) if body is not None], batch)
        seen = self._answered_before([request for request in requests if _is_fit(request.id)])
        for request, body in zip(requests, bodies, strict=True):
            if body is None:
                answers.append(_UNFIT)
                continue
            earlier = seen.get(request.id)
            if earlier is not None:
                answers.append(earlier[1] if earlier[0] == body else _ID_REUSED)
                continue
            answer = self._judged(request, batch)
            batch.answers.append(self._chained(request.id, body, _ENCODE(answer)))
            seen[request.id] = (body, answer)
            answers.append(answer)
        if batch.is_empty:
            self.store.abandon()
        else:
            self._snapshot(batch)
            if self.store.is_shared:
                batch.links = {name: self._sealed_link(name) for name in batch.links}
            self.store.write(batch)
        return answers

    def _judged(self, request: Request, batch: Batch) -> Answer:
        """The answer to one request; what it does is in the batch, unless it is refused."""
        work = _Work(self, request)
        try:
            answer = work.done()
        except _Refused as refused:
            return refused.answer
        except StoreError:
            raise
        except Exception as fault:  # noqa: BLE001  nothing of it is kept, so one fault of ours stops one command only
            return Answer(accepted=False, code=FAULT, message=f"{type(fault).__name__}: {fault}")
        work.keep(batch)
        return answer

    def _own_chain(self) -> str:
        """The chain of answers that this server writes: the first that no other has."""
        if not self.store.is_shared:
            return ANSWERS
        return next(name for number in count(1) if self.store.own(name := f"{ANSWERS}/{number}"))

    def _chained(self, command: str, body: bytes, answer: bytes) -> Answered:
        head = self.heads.get(self.chain, Head(0, GENESIS))
        link = answer_hash(head.hash, self.chain, head.seq + 1, command, body, answer)
        self.heads[self.chain] = Head(head.seq + 1, link)
        return Answered(self.chain, head.seq + 1, command, body, answer, link)

    def _answered_before(self, requests: Sequence[Request]) -> dict[str, tuple[bytes, Answer]]:
        found = self.store.answers([request.id for request in requests])
        return {name: (answered.body, _ANSWER.decode(answered.answer)) for name, answered in found.items()}

    # ---------------------------------------------------------------- other servers

    def _begin(self, requests: Sequence[Request], batch: Batch) -> None:
        """Where other servers write too: lock what this batch touches, see what they have done to it, and do first what
        they have left to this server's tables.
        """
        if not self.store.is_shared:
            return
        streams: set[str] = set()
        players: set[str] = set()
        for request in requests:
            streams_of, players_of = self._touched(request.command)
            streams.update(streams_of)
            players.update(players_of)
        held = {accounts.player(name) for name in players}
        links = sorted(name.removeprefix("link/") for name in streams if name.startswith("link/"))
        for name in links:
            held.update(accounts.of_link(name))
        self._see(self.store.begin(sorted(streams), sorted(held), watched=(HOUSE, PEOPLE)))
        for name in links:
            while self._owes(name) and self._collect(name, requests[0].at, batch):
                pass

    def _see(self, shared: Shared) -> None:
        for stream in (HOUSE, PEOPLE):
            known, now = self.heads.get(stream, Head(0, GENESIS)), shared.heads.get(stream)
            if now is not None and now.seq > known.seq:
                self._catch_up(stream, known)
        self.balances.update(shared.balances)
        for stream, head in shared.heads.items():
            if not head.seq:
                continue
            self.heads[stream] = head
            if stream.startswith("link/"):
                name = stream.removeprefix("link/")
                self.links[name] = self._shared_link(head, shared.links.get(name)) or self._recover_link(stream)

    def _shared_link(self, head: Head, sealed: bytes | None) -> Link | None:
        """The link as the last server left it; None where that is not what its records say it was."""
        try:
            return None if sealed is None else _LINK.decode(state_in(head.hash, sealed))
        except ChainBroken:
            return None

    def _sealed_link(self, name: str) -> bytes:
        return sealed_state(self.heads[link_stream(name)].hash, _ENCODE(self.links[name]))

    def _owes(self, name: str) -> bool:
        """Other servers have left something on this link to tables of ours."""
        link = self.links.get(name)
        if link is None:
            return False
        owing = {paid.table for paid in link.handovers}.union(*(fault.tables for fault in link.faults))
        return any(table in self.tables and self.tables[table].ours for table in owing)

    def _collect(self, name: str, at: int, batch: Batch) -> bool:
        request = Request(f"collect-{self.chance.token(12).hex()}", CollectAwards(link=name), at)
        answer = self._judged(request, batch)
        if answer.accepted:
            body = hashlib.sha256(_ENCODE(request.command)).digest()
            batch.answers.append(self._chained(request.id, body, _ENCODE(answer)))
            self.collected.update(answer.heads)
        return answer.accepted

    def collect(self, at: int) -> list[str]:
        """Between commands: see what other servers have done, take tables of this server's that have become free, and
        do what others have left to them. The links on which there was something to do.
        """
        if not self.store.is_shared:
            return []
        self._see(self.store.begin((), (), watched=(HOUSE, PEOPLE)))
        links = self.store.links()
        self.store.abandon()
        for name, sealed in links.items():
            # A damaged state is passed over here as well; the next command on the link finds it in its records.
            with suppress(msgspec.MsgspecError):
                self.links[name] = _LINK.decode(sealed[SEAL:])
        for table in self.tables.values():
            # The server that ran it before may have ended a moment ago, and its connection only now.
            if not table.ours and self._is_to_run(table.name):
                self.take_over(table)
        owing = [name for name in links if self._owes(name)]
        if owing:
            # Whatever is owed is done as the transaction begins; the command itself then finds nothing left to do.
            self.process([Request(f"collect-{self.chance.token(12).hex()}", CollectAwards(link=n), at) for n in owing])
        return owing

    def _touched(self, command: HouseCommand) -> tuple[set[str], set[str]]:
        """The shared streams and the players that a command may touch."""
        match command:
            case AtTable(table=name, command=asked):
                streams, players = self._touched_at([name])
                if isinstance(asked, PlaceBet):
                    players.add(asked.player)
                return streams, players
            case ReleaseAward(table=name) | RuleDealOrder(table=name) | VerifyAward(table=name):
                return self._touched_at([name])
            case OnLink(link=link):
                return self._touched_at([t.name for t in self.tables.values() if t.config.link == link])
            case CloseLink(link=link) | ReopenLink(link=link) | ChangeParameters(link=link) | AdjustMeter(link=link):
                return {link_stream(link)}, set()
            case OpenLink(link=link):
                return {link_stream(link)}, set()
            case CollectAwards(link=link):
                return {link_stream(link)}, set()
            case OpenTable(config=config):
                return {HOUSE} if config.link is None else {HOUSE, link_stream(config.link)}, set()
            case TakeTable():
                return set(), set()
            case BuyIn(player=player) | CashOut(player=player):
                return {CASHIER}, {player}
            case EnrolPerson() | RemovePerson() | OpenSession() | CloseSession() | NoteRefusal():
                return {PEOPLE}, set()
            case _:
                assert_never(command)

    def _touched_at(self, names: Iterable[str]) -> tuple[set[str], set[str]]:
        streams: set[str] = set()
        players: set[str] = set()
        for name in names:
            table = self.tables.get(name)
            if table is None:
                continue
            if table.config.link is not None:
                streams.add(link_stream(table.config.link))
            players.update(player for box in table.round.boxes for player in box.players)
            players.update(claim.player for claim in table.round.claims)
            # A Round that is reopened takes back what it has paid.
            players.update(line.player for line in table.round.lines)
            players.update(award.player for award in table.round.awards)
        return streams, players

    def _snapshot(self, batch: Batch) -> None:
        """Streams that have moved far enough since their last snapshot get a new one."""
        for stream in {record.stream for record in batch.records}:
            head = self.heads[stream]
            if head.seq - self.snapshotted.get(stream, 0) < SNAPSHOT_AFTER:
                continue
            kind, _, name = stream.partition("/")
            if kind == "table":
                data = _ENCODE(self.tables[name].round)
            elif kind == "link":
                data = _ENCODE(self.links[name])
            else:
                continue
            batch.snapshots.append(Snapshot(stream, head.seq, head.hash, sealed_state(head.hash, data)))
            self.snapshotted[stream] = head.seq


_ID_REUSED = Answer(
    accepted=False,
    code="id_reused",
    message="This command id was used for another command; nothing was done.",
)


_UNFIT = Answer(
    accepted=False,
    code="unfit",
    message=f"An id has 1 to {LONGEST_ID} printable characters, and no text holds a zero character; nothing was done.",
)


def _is_fit(command_id: str) -> bool:
    return 0 < len(command_id) <= LONGEST_ID and command_id.isprintable()


def _body(request: Request) -> bytes | None:
    """The hash of what is asked; None where a database could not keep its text."""
    try:
        encoded = _ENCODE(request.command)
    except UnicodeEncodeError:
        return None
    return None if b"\\u0000" in encoded or not _is_fit(request.id) else hashlib.sha256(encoded).digest()


class _Work:
    """One command in the making: everything it does is gathered here, and kept only if it is not refused."""

    def __init__(self, house: House, request: Request) -> None:
        self.house, self.request = house, request
        self.rounds: dict[str, Round] = {}
        self.links: dict[str, Link] = {}
        self.people: People | None = None
        self.heads: dict[str, Head] = {}
        self.opened: list[Table] = []
        self.records: list[Record] = []
        self.entries: list[LedgerRow] = []
        self.decks: list[SealedDeck] = []
        self.live_decks: dict[str, dict[DealKey, Deck]] = {}
        self.moved: dict[str, Money] = {}

    # ---------------------------------------------------------------- what is asked

    def done(self) -> Answer:
        command = self.request.command
        match command:
            case AtTable():
                self._at_table(command)
            case BuyIn() | CashOut():
                self._at_the_cashier(command)
            case OpenTable():
                self._open_table(command)
            case EnrolPerson() | RemovePerson() | OpenSession() | CloseSession() | NoteRefusal():
                self._about_people(command)
            case OpenLink():
                self._open_link(command)
            case OnLink():
                self._on_link(command)
            case CollectAwards(link=link):
                self._collect(link)
            case TakeTable(table=name):
                self._take_table(name)
            case ReleaseAward() | RuleDealOrder():
                self._rule_payment(command)
            case VerifyAward():
                self._verify_award(command)
            case CloseLink() | ReopenLink() | ChangeParameters() | AdjustMeter():
                self._run_link(command)
            case _:
                assert_never(command)
        self._check_funds()
        return Answer(accepted=True, heads={stream: head.seq for stream, head in self.heads.items()})

    def keep(self, batch: Batch) -> None:
        """The command stands: memory moves on, and the batch carries it to the disk."""
        house = self.house
        for table in self.opened:
            house.tables[table.name] = table
            house.taken.add(table.name)
        for name, state in self.rounds.items():
            house.tables[name].round = state
        for name, decks in self.live_decks.items():
            house.tables[name].decks = decks
            deal = (house.tables[name].round.number, house.tables[name].round.deals)
            if deal in decks:
                house.tables[name].commitment = decks[deal].commitment
        for name, link in self.links.items():
            house.links[name] = link
            batch.links[name] = b""
        if self.people is not None:
            house.people = self.people
        house.heads.update(self.heads)
        for account, amount in self.moved.items():
            if account not in house.balances:
                house.balances[account] = 0
                house.overdrawable[account] = batch.opened_accounts[account] = accounts.may_be_overdrawn(account)
            house.balances[account] += amount
        batch.records.extend(self.records)
        batch.entries.extend(self.entries)
        batch.decks.extend(self.decks)

    def _check_funds(self) -> None:
        """Nobody bets what he does not have; the database would refuse it as well."""
        for account, amount in self.moved.items():
            held = self.house.balances.get(account, 0)
            if abs(held + amount) > MOST:
                raise _Refused("too_much", f"{account} cannot hold more than {show(MOST)}.")
            if held + amount < 0 and not accounts.may_be_overdrawn(account):
                raise _Refused(
                    "insufficient_funds", f"{account} holds {show(held)} and would be short by {show(-held - amount)}."
                )

    # ---------------------------------------------------------------- tables

    def _table(self, name: str) -> Table:
        table = self.house.tables.get(name)
        if table is None:
            known = ", ".join(self.house.tables) or "none"
            raise _Refused("unknown_table", f'There is no table "{name}": the tables are {known}.')
        if not table.ours:
            raise _Refused("table_elsewhere", f"Table {name} is run by another server.")
        return table

    def _at_table(self, asked: AtTable) -> None:
        table = self._table(asked.table)
        command = asked.command
        if isinstance(command, PayAward):
            raise _Refused("not_a_persons", "Awards are paid by the link alone.", table.terms.book.jackpot.rules)
        if isinstance(command, TurnCards | DealCards | CorrectCards) and not table.config.physical:
            raise _Refused("not_a_persons", "At this table the program deals: nobody enters or corrects cards.")
        if isinstance(command, ReportIncident) and spreads(table.terms, command) and table.config.link is not None:
            self._everywhere(table.config.link, command)
            return
        if table.config.link is not None:
            self._hand_over(table.config.link)
        self._ask(table, command)
        self._pay_on(table.config.link)

    def _ask(self, table: Table, command: RoundCommand, fault: Fault | None = None) -> None:
        """One command at one table, then the Dealer's own work as far as it goes."""
        state = self._state(table)
        if isinstance(command, ExamineHand) and state.dealt and not table.config.physical:
            command = replace(command, cards=self._cards(table, state.ordinals(str(command.box))))
        if isinstance(command, PlaceBet) and command.bet == JACKPOT_BET:
            self._link_takes_bets(table)
        self._judge(table, command, fault)
        while (work := dealers_work(table.terms, self._state(table))) is not None:
            if table.config.physical and isinstance(work, CardsToTurn | DealCards):
                return  # real cards: the dealer deals them and says what he has turned
            if isinstance(work, CardsToTurn):
                self._judge(table, TurnCards(cards={p: self._cards(table, o) for p, o in work.places.items()}))
            else:
                self._judge(table, work)

    def _link_takes_bets(self, table: Table) -> None:
        link = table.config.link
        if link is not None and self._link(link).closed:
            raise _Refused("link_closed", f"The link {link} is closed, so no jackpot bet is taken.")

    def _judge(self, table: Table, command: RoundCommand, fault: Fault | None = None) -> None:
        state = self._state(table)
        verdict = decide(table.terms, state, command)
        if isinstance(verdict, Refusal):
            raise _Refused(verdict.code.value, verdict.message, verdict.rules)
        name = table.config.link
        link = None if name is None else self._link(name)
        entered = enter(table.terms, table.name, state, link, verdict, fault, signatures_at(table.config))
        if any(isinstance(event, _TURNING_POINTS) for event in verdict):
            self._enter_round(table, state, verdict)
        else:
            self._enter_plainly(table, state, verdict, entered.state)
        if name is not None:
            self._enter_link(name, entered.link_events)

    def _enter_round(self, table: Table, state: Round, events: Iterable[RoundEvent]) -> None:
        """Events of a table: records, entries, and the decks that begin or end with them."""
        stream = table_stream(table.name)
        ledger = TableAccounts(table.name, table.config.link)
        for event in events:
            self._record(stream, event, ledger.round_entry(state, event))
            state = evolve(state, event)
            self.rounds[table.name] = state
            if table.config.physical:
                continue
            if isinstance(event, RoundOpened | CardsRedealt):
                self._seal_deck(table, state)
            elif isinstance(event, RoundSettled | RoundVoided):
                self._open_decks(table, state)

    def _enter_plainly(self, table: Table, state: Round, events: Iterable[RoundEvent], after: Round) -> None:
        """Events between which nothing need be looked at: most of them, so this is kept short."""
        stream = table_stream(table.name)
        ledger = TableAccounts(table.name, table.config.link)
        for event in events:
            self._record(stream, event, ledger.round_entry(state, event))
        self.rounds[table.name] = after

    def _state(self, table: Table) -> Round:
        return self.rounds.get(table.name, table.round)

    # ---------------------------------------------------------------- decks

    def _decks(self, table: Table) -> dict[DealKey, Deck]:
        if table.name not in self.live_decks:
            self.live_decks[table.name] = dict(table.decks)
        return self.live_decks[table.name]

    def _seal_deck(self, table: Table, state: Round) -> None:
        """A new deal begins with a deck that nobody may see yet; its commitment is public at once."""
        deck = new_deck(self.house.chance)
        decks = self._decks(table)
        if state.deals == 0:
            decks.clear()
        decks[state.number, state.deals] = deck
        self.decks.append(SealedDeck(table.name, state.number, state.deals, _ENCODE(deck.sealed)))
        fact = DeckCommitted(round=state.number, deal=state.deals, commitment=deck.commitment)
        self._record(table_stream(table.name), fact)

    def _open_decks(self, table: Table, state: Round) -> None:
        for deal in range(state.deals + 1):
            deck = self._deck(table, (state.number, deal))
            fact = DeckOpened(round=state.number, deal=deal, deck=deck.cards, salt=deck.salt)
            self._record(table_stream(table.name), fact)

    def _deck(self, table: Table, deal: DealKey) -> Deck:
        decks = self._decks(table)
        if deal not in decks:
            sealed = self.house.store.deck(table.name, *deal)
            assert sealed is not None, f"the deck of round {deal[0]} at {table.name} was sealed when it began"
            decks[deal] = unsealed(sealed)
        return decks[deal]

    def _cards(self, table: Table, ordinals: tuple[int, ...]) -> tuple[Card, ...]:
        state = self._state(table)
        shoe = self._deck(table, (state.number, state.deals)).shoe
        return tuple(shoe[i] for i in ordinals)

    # ---------------------------------------------------------------- links

    def _link(self, name: str) -> Link:
        link = self.links.get(name) or self.house.links.get(name)
        if link is None:
            known = ", ".join(self.house.links) or "none"
            raise _Refused("unknown_link", f'There is no link "{name}": the links are {known}.')
        return link

    def _enter_link(self, name: str, events: Iterable[AnyLinkEvent]) -> None:
        link = self._link(name)
        for event in events:
            before, link = link, evolve_link(link, event)
            self._record(link_stream(name), event, link_entry(name, before, link, event))
        self.links[name] = link

    def _pay_on(self, name: str | None) -> None:
        """Every award of the link whose turn it is; the winners' tables hand it over."""
        if name is None:
            return
        if self._link(name).pending:
            terms = {table.name: table.terms for table in self.house.tables.values() if table.config.link == name}
            while (paid := next_payment(terms, self._link(name))) is not None:
                self._enter_link(name, (paid,))
        self._hand_over(name)

    def _hand_over(self, name: str) -> None:
        """What the link has paid to tables of ours; another server's tables hand over their own."""
        for paid in self._link(name).handovers:
            table = self.house.tables[paid.table]
            if table.ours:
                state = self._state(table)
                self._enter_round(table, state, hand_over(table.terms, state, paid))
                self._enter_link(name, (AwardsHandedOver(table=paid.table, round=paid.round),))

    def _everywhere(self, name: str, command: ReportIncident) -> None:
        """A fault at every table of the link; tables of other servers find it on the link before anything else."""
        self._hand_over(name)
        fault = next_fault(self._link(name))
        on_it = [table for table in self.house.tables.values() if table.config.link == name]
        elsewhere = [table for table in on_it if not table.ours]
        for table in elsewhere:
            # What a table refuses here does not depend on its Round, so its server will not refuse it either.
            refusal = decide(table.terms, table.round, command)
            if isinstance(refusal, Refusal):
                raise _Refused(refusal.code.value, refusal.message, refusal.rules)
        if elsewhere:
            names = tuple(table.name for table in elsewhere)
            reported = FaultReported(fault=fault.number, units=fault.units, report=command, tables=names)
            self._enter_link(name, (reported,))
        for table in on_it:
            if table.ours:
                self._ask(table, command, fault)
        self._pay_on(name)

    def _on_link(self, asked: OnLink) -> None:
        self._link(asked.link)
        if asked.report.incident is not Incident.JACKPOT_MALFUNCTION:
            raise _Refused("not_of_the_link", "Only a fault of the jackpot system is reported on a whole link.")
        self._everywhere(asked.link, asked.report)

    def _collect(self, name: str) -> None:
        """In the order in which it came about: awards paid before a fault, the fault, and what is paid after it. One
        fault at a time.
        """
        self._hand_over(name)
        owed = ((f, [t for t in f.tables if self.house.tables[t].ours]) for f in self._link(name).faults)
        fault, ours = next(((fault, ours) for fault, ours in owed if ours), (None, ()))
        if fault is not None:
            for table in ours:
                self._enter_link(name, (FaultCarriedOut(fault=fault.number, table=table),))
                self._ask(self.house.tables[table], fault.report, Fault(fault.number, fault.units))
        self._pay_on(name)

    def _take_table(self, name: str) -> None:
        table = self.house.tables.get(name)
        if table is not None and not table.ours:
            self.house.take_over(table)
        self._table(name)

    def _rule_payment(self, asked: ReleaseAward | RuleDealOrder) -> None:
        table = self._table(asked.table)
        authority, name = table.terms.book.authority, table.config.link
        if name is None:
            raise _Refused("no_jackpot", f"Table {table.name} is on no link.", authority.payment_order)
        if asked.by < authority.payment_order_by:
            refusal = not_authorised(
                asked.by, authority.payment_order_by, "rule on the order of payment", authority.payment_order
            )
            raise _Refused(refusal.code.value, refusal.message, refusal.rules)
        event: AnyLinkEvent
        if isinstance(asked, ReleaseAward):
            if all(pending.round[0] != table.name for pending in self._link(name).pending):
                message = f"No award of table {table.name} waits to be paid."
                raise _Refused("nothing_awaited", message, authority.payment_order)
            event = AwardReleased(table=table.name)
        else:
            for other in asked.tables:
                known = self.house.tables.get(other)
                if known is None or known.config.link != name:
                    raise _Refused("unknown_table", f"Table {other} is not on the link {name}.")
            event = DealOrderRuled(tables=asked.tables)
        self._enter_link(name, (event,))
        self._pay_on(name)

    def _verify_award(self, asked: VerifyAward) -> None:
        """One of the two signatures that a major award of a staffed table takes; the second one lets it be paid."""
        table = self._table(asked.table)
        name, rules = table.config.link, table.terms.book.jackpot.rules
        key = (asked.table, asked.round)
        pending = () if name is None else self._link(name).pending
        waits = next((p for p in pending if p.round == key and not p.is_verified), None)
        if name is None or waits is None:
            raise _Refused("nothing_awaited", f"No award of round {asked.round} waits to be verified.", rules)
        if not asked.by or asked.by in waits.signed:
            raise _Refused("two_people", f"{asked.by} has signed already: it takes two different people.", rules)
        self._enter_link(name, (ClaimsVerified(table=asked.table, round=asked.round, by=asked.by),))
        self._pay_on(name)

    def _run_link(self, asked: CloseLink | ReopenLink | ChangeParameters | AdjustMeter) -> None:
        """The House's own measures; a change takes two people and a closed link."""
        link = self._link(asked.link)
        event: AnyLinkEvent
        match asked:
            case CloseLink(by=by):
                event = LinkClosed(by=by)
            case ReopenLink(by=by):
                event = LinkReopened(by=by)
            case ChangeParameters(by=by, second=second, parameters=parameters):
                self._two_people_and_closed(link, by, second)
                self._parameters_make_sense(parameters)
                event = ParametersChanged(by=by, second=second, parameters=parameters)
            case AdjustMeter(by=by, second=second, amount=amount, cause=cause):
                self._two_people_and_closed(link, by, second)
                if not cause:
                    raise _Refused("no_cause", "A meter is corrected only with a cause in words.")
                if link.cents + amount < 0:
                    raise _Refused(
                        "no_amount", f"The meter holds {show(link.cents)} and cannot fall by {show(-amount)}."
                    )
                event = MeterAdjusted(by=by, second=second, units=amount * link.scale, cause=cause)
            case _:
                assert_never(asked)
        self._enter_link(asked.link, (event,))

    def _parameters_make_sense(self, parameters: Parameters) -> None:
        """Shares of a Bet that are shares, a reset value and a cap that the meter can stand at."""
        for share in (parameters.contribution, parameters.reserve):
            if share.denominator < 1 or share.numerator < 0:
                raise _Refused("bad_parameters", "A rate is a fraction of at least 0 with a denominator of at least 1.")
        c, r = parameters.contribution, parameters.reserve
        if c.numerator * r.denominator + r.numerator * c.denominator > c.denominator * r.denominator:
            raise _Refused("bad_parameters", "The rates together take more than the whole bet.")
        if not 0 <= parameters.reset <= MOST or not (parameters.cap is None or parameters.reset <= parameters.cap):
            raise _Refused("bad_parameters", "The reset value is at least 0.00 and at most the cap.")

    def _two_people_and_closed(self, link: Link, by: str, second: str) -> None:
        if not by or not second or by == second:
            raise _Refused("two_people", "It takes two different people.")
        if not link.closed:
            raise _Refused("link_open", "The link must be closed before its parameters or its meter are changed.")
        if link.dealt or link.pending:
            raise _Refused("rounds_in_play", "Rounds of the link are still in play or wait to be paid.")

    # ---------------------------------------------------------------- opening, and the cashier

    def _open_table(self, asked: OpenTable) -> None:
        if asked.table in self.house.tables:
            raise _Refused("table_exists", f"There is a table {asked.table} already.")
        if not asked.table or "/" in asked.table:
            raise _Refused("bad_name", "A table needs a name without a slash.")
        config = asked.config
        if config.link is not None:
            config = replace(config, currency=self._link(config.link).parameters.currency)
        try:
            terms = terms_of(config)
        except (BadTerms, UnknownGame) as wrong:
            raise _Refused("bad_terms", str(wrong)) from None
        if not self.house.store.own(asked.table):
            raise _Refused("table_elsewhere", f"Table {asked.table} is run by another server.")
        self.opened.append(Table(asked.table, terms, config, new_table(terms.boxes), ours=True))
        self._record(HOUSE, TableOpened(table=asked.table, config=config))

    def _open_link(self, asked: OpenLink) -> None:
        if asked.link in self.house.links:
            raise _Refused("link_exists", f"There is a link {asked.link} already.")
        if not asked.link or "/" in asked.link:
            raise _Refused("bad_name", "A link needs a name without a slash.")
        self._parameters_make_sense(asked.parameters)
        if asked.meter < 0:
            raise _Refused("no_amount", "A meter does not start below 0.00.")
        self.links[asked.link] = new_link(asked.meter, asked.parameters)
        opened = LinkOpened(meter=asked.meter, parameters=asked.parameters)
        self._record(link_stream(asked.link), opened, seed_entry(asked.link, asked.meter))

    def _about_people(self, asked: EnrolPerson | RemovePerson | OpenSession | CloseSession | NoteRefusal) -> None:
        people = self.people or self.house.people
        fact: PeopleFact
        match asked:
            case EnrolPerson(name=name, post=post, secret=secret):
                if not name or len(name) > 40 or not name.isprintable() or "/" in name:
                    raise _Refused("bad_name", "A name has 1 to 40 printable characters and no slash.")
                if name in people.persons:
                    raise _Refused("person_exists", f"There is a {name} already.")
                fact = PersonEnrolled(name=name, post=post, secret=secret)
            case RemovePerson(name=name):
                if name not in people.persons:
                    raise _Refused("unknown_person", f"There is no {name}.")
                fact = PersonRemoved(name=name)
            case OpenSession(person=person, token_hash=token_hash, csrf=csrf):
                if person not in people.persons:
                    raise _Refused("unknown_person", f"There is no {person}.")
                fact = SessionOpened(token_hash=token_hash, person=person, csrf=csrf)
            case CloseSession(token_hash=token_hash):
                fact = SessionClosed(token_hash=token_hash)
            case NoteRefusal(person=person, action=action, what=what):
                fact = AccessRefused(person=person, action=action, what=what)
            case _:
                assert_never(asked)
        self.people = evolve_people(people, fact)
        self._record(PEOPLE, fact)

    def _at_the_cashier(self, asked: BuyIn | CashOut) -> None:
        if asked.amount <= 0 or not asked.player:
            raise _Refused("no_amount", "The cashier takes and gives more than 0.00, for a named player.")
        if isinstance(asked, BuyIn):
            bought = BoughtIn(player=asked.player, amount=asked.amount)
            self._record(CASHIER, bought, cashier_entry(asked.player, asked.amount))
        else:
            cashed = CashedOut(player=asked.player, amount=asked.amount)
            self._record(CASHIER, cashed, cashier_entry(asked.player, -asked.amount))

    # ---------------------------------------------------------------- the record

    def _record(self, stream: str, fact: msgspec.Struct, moved: Entry | None = None) -> None:
        head = self.heads.get(stream) or self.house.heads.get(stream) or _BEGINNING
        kind = type(fact).__name__
        data = _ENCODE(fact)
        seq, version, at, command = head.seq + 1, VERSIONS.of(kind), self.request.at, self.request.id
        link = chain_hash(head.hash, stream, seq, kind, version, at, command, data)
        self.records.append(Record(stream, seq, kind, version, at, command, data, link))
        self.heads[stream] = Head(seq, link)
        if moved is not None:
            postings = tuple(Posting(account, amount) for account, amount in moved.postings)
            self.entries.append(LedgerRow(stream, seq, postings))
            for account, amount in moved.postings:
                self.moved[account] = self.moved.get(account, 0) + amount


def trial_balance(house: House) -> Mapping[str, Money]:
    """Every account, and that they sum to nothing."""
    held = house.store.balances() if house.store.is_shared else house.balances
    assert sum(held.values()) == 0
    return dict(sorted(held.items()))
