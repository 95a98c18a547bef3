"""The evidence of one round: its record with proofs and entries, readings, balances, names and what-if answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from croupier import __version__
from croupier.cards import Shoe
from croupier.floor.disputes.hypotheses import Changed, Hypothesis, PlayedCommands, hypotheses
from croupier.floor.history.export import with_reasons
from croupier.floor.history.played_rounds import NoRecord, NoSuchRound, Past
from croupier.floor.house.house import House
from croupier.floor.house.memory.shown_state import CommittedState
from croupier.floor.people.disputes import Dispute
from croupier.floor.people.people import Person
from croupier.floor.records.codec import COMMAND
from croupier.floor.records.commands import AtTable
from croupier.floor.records.committed_decks import unsealed
from croupier.floor.records.tables import Table
from croupier.floor.views.moments import moment_text
from croupier.floor.views.round_views import RoundRecord
from croupier.jackpots.link import new_link
from croupier.journal.store import Store
from croupier.ledger import accounts
from croupier.money import Money
from croupier.rounds.commands import OpenRound, RoundCommand
from croupier.rounds.events import BetSettled, RoundOpened, RoundReopened
from croupier.rulebooks.readings import readings_of
from croupier.structs import extended

FORMAT = "croupier-dispute-1"


class NoEvidence(ValueError):
    """There is no pack for this round; the message is one sentence."""


class ReadingInForce(msgspec.Struct, frozen=True, kw_only=True):
    """A question that the document leaves open, and the answer by which the round was judged."""

    id: str
    question: str
    answer: str
    words: str
    usual: bool


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """What a player held on account when the round was opened and after it, in cents."""

    player: str
    before: Money
    moved: Money
    after: Money


class NamedRules(msgspec.Struct, frozen=True, kw_only=True):
    """The rule document by which the round was played."""

    title: str
    operator: str
    version: int | None
    effective: str


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a pack shows; the page derives the felt, the timeline and the lines from the record itself."""

    format: str = FORMAT
    made_at: str
    made_by: str
    program: str = f"croupier {__version__}"
    currency: str
    boxes: int
    record: Mapping[str, object]
    document: NamedRules
    readings: list[ReadingInForce]
    money: list[Held]
    names: Mapping[str, str]
    """By id: names of people in the record, as far as the reader may know them."""
    disputes: list[Dispute]
    what_if: list[Hypothesis]
    no_answers: str = ""
    """Why no what-if question is answered."""


class ProvedRound(msgspec.Struct, frozen=True):
    """A table and the record of one of its rounds, with the witness's proofs."""

    table: Table
    record: RoundRecord


def evidence(
    store: Store,
    house: CommittedState,
    past: Past,
    proved: ProvedRound,
    *,
    by: str,
    at: int,
    wanted: Sequence[Changed] = (),
) -> Evidence:
    """Collect the evidence of a round that is over; raises BadQuestion."""
    record, number = proved.record, proved.record.round
    table = past.as_it_was(proved.table, number)
    told = msgspec.to_builtins(record)
    told = {**told, **with_reasons(store, table, told)}
    answers: list[Hypothesis] | str = _what_if(store, house, table, record, wanted)
    document = table.terms.book.document
    people, names = sorted(_people(told)), house.directory.names
    return Evidence(
        made_at=moment_text(at),
        made_by=by,
        currency=table.terms.currency,
        boxes=table.terms.boxes,
        record=told,
        document=extended(
            NamedRules, document, effective="" if document.effective is None else document.effective.isoformat()
        ),
        readings=_readings(table),
        money=list(_held(store, told)),
        names={person: names[person].name for person in people if person in names},
        disputes=[
            case for case in house.shown_people.disputes.values() if (case.table, case.round) == (table.name, number)
        ],
        what_if=[] if isinstance(answers, str) else answers,
        no_answers=answers if isinstance(answers, str) else "",
    )


def found_round(house: House, past: Past, name: str, number: int, person: Person) -> ProvedRound:
    """Find a round that is over; raises NoEvidence."""
    table = house.tables.get(name)
    if table is None:
        raise NoEvidence(f'There is no table "{name[:40]}": the tables are {", ".join(house.tables) or "none"}.')
    try:
        return ProvedRound(table, past.record(table, number, person))
    except (NoSuchRound, NoRecord) as wrong:
        raise NoEvidence(str(wrong)) from None


# ---------------------------------------------------------------- parts


def _readings(table: Table) -> list[ReadingInForce]:
    known, game = readings_of(table.terms.book.edition), table.terms.book.game
    return [
        ReadingInForce(
            id=name,
            question=known[name].question,
            answer=answer,
            words=" ".join(known[name].options[letter] for letter in answer.split("+")),
            usual=answer == known[name].default_for(game),
        )
        for name, answer in table.terms.book.readings.in_force.items()
    ]


def _events(record: Mapping[str, object], part: str = "records") -> Iterable[dict[str, object]]:
    entries = record[part]
    assert isinstance(entries, list)
    for entry in entries:
        if "data" in entry:
            yield msgspec.json.decode(entry["data"])


def _people(record: Mapping[str, object]) -> set[str]:
    """Find everybody whom the record names."""
    found: set[str] = set()
    for part in ("records", "on_the_link"):
        for event in _events(record, part):
            found.update(value for key in ("player", "who", "second", "by") if isinstance(value := event.get(key), str))
    return found


def _held(store: Store, record: Mapping[str, object]) -> Iterable[Held]:
    entries, records = record["entries"], record["records"]
    assert isinstance(entries, list)
    assert isinstance(records, list)
    moved: dict[str, Money] = {}
    for entry in entries:
        for account, cents in entry["postings"].items():
            if account.startswith(accounts.player("")):
                moved[account] = moved.get(account, 0) + cents
    balances = store.balances()
    for account, cents in sorted(moved.items()):
        before = balances.get(account, 0) - store.moved_since(account, records[0]["at"])
        player = account.removeprefix(accounts.player(""))
        yield Held(player=player, before=before, moved=cents, after=before + cents)


def _what_if(
    store: Store, house: CommittedState, table: Table, record: RoundRecord, wanted: Sequence[Changed]
) -> list[Hypothesis] | str:
    ids = list(dict.fromkeys(entry.command for entry in record.records))
    answered = store.answers(ids)
    commands: list[RoundCommand] = []
    for name in ids:
        body = answered[name].body if name in answered else b""
        if not body.startswith(b"{"):
            return "The commands of this round were not kept by the release that played it."
        asked = COMMAND.decode(body)
        if isinstance(asked, AtTable) and asked.table == table.name:
            commands.append(asked.command)
    settled: list[BetSettled] = []
    day = 0
    for event in _events(msgspec.to_builtins(record)):
        kind = event["type"]
        if kind == RoundReopened.__name__:
            settled.clear()
        elif kind == BetSettled.__name__ and event["round"] == record.round:
            settled.append(msgspec.convert(event, BetSettled))
        elif kind == RoundOpened.__name__:
            day = msgspec.convert(event, RoundOpened).day
    link = house.shown_links.get(table.config.link or "")
    played = PlayedCommands(
        table=table.name,
        number=record.round,
        terms=table.terms,
        commands=tuple(OpenRound(day=day) if isinstance(c, OpenRound) else c for c in commands),
        decks={} if table.config.physical else _decks(store, table.name, record.round),
        link=None if link is None else new_link(link.cents, link.parameters),
    )
    return hypotheses(played, settled, wanted)


def _decks(store: Store, table: str, number: int) -> dict[int, Shoe]:
    decks: dict[int, Shoe] = {}
    while (sealed := store.deck(table, number, len(decks))) is not None:
        decks[len(decks)] = unsealed(sealed).shoe
    return decks
