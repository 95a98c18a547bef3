"""Servers that share a house: what a command locks, what other servers have done, and what they left to this one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count, groupby
from typing import assert_never

from croupier.floor.house.memory.player_memory import may_note
from croupier.floor.house.memory.state import HouseState
from croupier.floor.house.recovery import catch_up, follow_link, take_over
from croupier.floor.records import commands
from croupier.floor.records.codec import encode
from croupier.floor.records.streams import ANSWERS, CASHIER, HOUSE, PEOPLE, PLAYERS, link_stream
from croupier.jackpots import commands as link_commands
from croupier.journal.records import GENESIS, sealed_state
from croupier.journal.store import Batch, Head, LedgerRow, Shared, Store, StoreConflict, is_shared
from croupier.ledger import accounts
from croupier.money import Money
from croupier.rounds import commands as round_commands
from croupier.rounds.counted_stakes import players_under_minimum
from croupier.rulebooks.vocabulary import Incident

_LINK = link_stream("")
_FOLLOWED = (HOUSE, PEOPLE, PLAYERS)
"""Streams that every server follows, whichever tables it runs."""


def own_chain(store: Store) -> str:
    """Return the chain of answers that this server writes: the first that no other server has."""
    if not store.is_shared:
        return ANSWERS
    return next(name for number in count(1) if store.own(name := f"{ANSWERS}/{number}"))


# ---------------------------------------------------------------- a batch


def parts(state: HouseState, requests: Sequence[commands.Request]) -> Sequence[Sequence[int]]:
    """Divide a batch by links: while a transaction waits for one, it holds no other.

    Only commands at tables are divided, and only where no player and no id is in two parts, since then their order does
    not matter.
    """
    found: dict[str, list[int]] = {}
    for at, request in enumerate(requests):
        command = request.command
        table = state.tables.get(command.table) if isinstance(command, commands.AtTable) else None
        if table is None:
            return ()
        found.setdefault(table.config.link or "", []).append(at)
    if len(found) < 2 or len({request.id for request in requests}) < len(requests):
        return ()
    players = [set().union(*(touched(state, requests[at].command)[1] for at in part)) for part in found.values()]
    return list(found.values()) if sum(map(len, players)) == len(set().union(*players)) else ()


def begin(state: HouseState, requests: Sequence[commands.Request], *, whole: bool) -> tuple[list[str], set[str]]:
    """Begin a transaction: lock what these commands may touch, and see what other servers have done to it.

    The links of tables are only read (`state.unlocked`): few commands concern them, and `lock_links` locks them when
    everything else is written. Where a command is judged by what a link has paid, where this server's tables owe it
    something, and for a `whole` batch, they are locked from the beginning. Returns the links and the locked accounts.
    """
    streams: set[str] = set()
    players: set[str] = set()
    for request in requests:
        streams_of, players_of = touched(state, request.command)
        streams |= streams_of
        players |= players_of
        whole = whole or is_judged_by_link(state, request)
    links = sorted(name.removeprefix(_LINK) for name in streams if name.startswith(_LINK))
    while True:
        whole = whole or any(owes(state, name) for name in links)
        winners = {accounts.player(name) for name in _winners(state, links)} if whole else set()
        held = {accounts.player(name) for name in players} | winners
        locked = streams if whole else {name for name in streams if not name.startswith(_LINK)}
        _see(state, state.store.begin(sorted(locked), sorted(held), _FOLLOWED, _known(state, links)))
        if not whole and not any(owes(state, name) for name in links):
            state.unlocked = {name: state.links[name] for name in links if name in state.links}
            return links, held
        further = _paid_by(state, links) - held
        if whole and (taken := _take_free(state, further)) is not None:
            state.set_balances(taken)
            state.unlocked = {}
            return links, held | further
        state.store.abandon()


def lock_links(state: HouseState, links: Sequence[str], written: Batch) -> None:
    """Write what needs no link, then lock links and see where they stand; raises StoreConflict where another server has
    meanwhile left something to this server's tables.
    """
    assert is_shared(state.store)
    state.links.update(state.unlocked)
    state.unlocked = {}
    _see(state, state.store.extend(written, _known(state, links)))
    if any(owes(state, name) for name in links):
        state.store.abandon()
        raise StoreConflict("Another server has reported a fault of a link.")


def lock_payees(state: HouseState, entries: Iterable[LedgerRow], held: set[str]) -> None:
    """Lock accounts of other servers' tables and players that the links have paid; raises StoreConflict where another
    server holds one, since that server may wait for the link.
    """
    moved = {account for entry in entries for account, _ in entry.postings}
    others = {account for account in moved - held if account.startswith("player/") or _is_others(state, account)}
    if _take_free(state, others) is None:
        state.store.abandon()
        raise StoreConflict("Another server holds an account that a link pays.")


def _is_others(state: HouseState, account: str) -> bool:
    """Return whether an account is of a table that another server runs."""
    kind, _, rest = account.partition("/")
    table = state.tables.get(rest.rpartition("/")[0]) if kind == "table" else None
    return table is not None and not table.ours


def _take_free(state: HouseState, wanted: set[str]) -> Mapping[str, Money] | None:
    """Lock further accounts after links, without waiting, and return their balances; None where one is not free."""
    assert is_shared(state.store)
    return state.store.take_free(sorted(wanted)) if wanted else {}


def _winners(state: HouseState, links: Iterable[str]) -> set[str]:
    """Return the players of awards, and of this server's tables that owe a fault."""
    known = [state.links[name] for name in links if name in state.links]
    owing = [table for link in known for fault in link.faults for table in fault.tables]
    return {case.claim.player for link in known for case in link.cases} | _touched_at(state, owing)[1]


def _paid_by(state: HouseState, links: Iterable[str]) -> set[str]:
    """Return the accounts that a command on these links may move beside those of its own table and its players."""
    cases = [case for name in links if name in state.links for case in state.links[name].cases]
    tables = {case.table for case in cases if case.table in state.tables and not state.tables[case.table].ours}
    of_tables = {account for table in tables for account in accounts.of_table(table)}
    return of_tables | {accounts.player(name) for name in _winners(state, links)}


def see_unlocked(state: HouseState, locked: set[str]) -> None:
    """Read the balances of players whom this batch paid without a lock: winners at another server's table."""
    unlocked = {account for account in state.moved_accounts if account.startswith("player/")} - locked
    if unlocked:
        shared = state.store.begin((), sorted(unlocked))
        state.store.abandon()
        state.balances.update(shared.balances)


def shared_link(state: HouseState, name: str) -> bytes:
    """Seal the state of a link for the other servers."""
    return sealed_state(state.heads[link_stream(name)].hash, encode(state.links[name]))


def owes(state: HouseState, name: str) -> bool:
    """Return whether tables of this server have still to meet a fault of this link that another server reported."""
    link = state.links.get(name)
    if link is None:
        return False
    owing: set[str] = set().union(*(fault.tables for fault in link.faults))
    return any(table in state.tables and state.tables[table].ours for table in owing)


def is_judged_by_link(state: HouseState, request: commands.Request) -> bool:
    """Return whether what a command does at its table, and not only on the link, depends on where the link stands."""
    command = request.command
    if not isinstance(command, commands.AtTable):
        return any(name.startswith(_LINK) for name in touched(state, command)[0])
    table = state.tables.get(command.table)
    if table is None or table.config.link is None:
        return False
    if isinstance(command.command, round_commands.OpenRound):
        return table.begun_at(request.at) is not None  # awards are paid by the terms of their table
    return isinstance(
        command.command, round_commands.ReportIncident | round_commands.GiveRuling | round_commands.CorrectCards
    )


def _see(state: HouseState, shared: Shared) -> None:
    for stream in _FOLLOWED:
        known, now = state.heads.get(stream, Head(0, GENESIS)), shared.heads.get(stream)
        if now is not None and now.seq > known.seq:
            catch_up(state, stream, known)
    state.set_balances(shared.balances)
    state.heads.update((s, head) for s, head in shared.heads.items() if head.seq and not s.startswith(_LINK))
    for stream, come in groupby(shared.records, lambda record: record.stream):
        follow_link(state, stream, come)
        name = stream.removeprefix(_LINK)
        state.show_link(name, state.links[name])


def _known(state: HouseState, links: Iterable[str]) -> dict[str, int]:
    """Return the last record that this server knows of each link, by stream."""
    streams = [link_stream(name) for name in links]
    return {stream: state.heads[stream].seq if stream in state.heads else 0 for stream in streams}


# ---------------------------------------------------------------- between batches


def follow(state: HouseState) -> tuple[list[str], set[str]]:
    """See what other servers have done, and take tables of this server that have become free; return the links on
    which tables of this server owe something, and the streams of links that have changed.
    """
    links = [*state.store.links()]
    before = {name: state.links.get(name) for name in links}
    _see(state, state.store.begin((), (), _FOLLOWED, _known(state, links)))
    state.store.abandon()
    state.show_house()
    changed = {link_stream(name) for name in links if state.links[name] is not before[name]}
    for table in state.tables.values():
        # The server that ran it before may have ended a moment ago, and its connection only now.
        if not table.ours and state.is_to_run(table.name):
            take_over(state, table)
    state.show_tables([table for table in state.tables.values() if not table.ours], state.heads)
    return [name for name in links if owes(state, name)], changed


# ---------------------------------------------------------------- what a command touches


def touched(state: HouseState, command: commands.HouseCommand) -> tuple[set[str], set[str]]:  # noqa: C901  one case for each kind
    """Return the shared streams and the players that a command may touch."""
    match command:
        case commands.AtTable(table=name, command=asked):
            streams, players = _touched_at(state, _reached(state, name, asked))
            if isinstance(asked, round_commands.PlaceBet | round_commands.NoteMispay):
                players.add(asked.player)
            if may_note(asked):
                streams.add(PLAYERS)
            if isinstance(asked, round_commands.PlaceBet) and asked.player in state.people.play:
                streams.add(PEOPLE)
            return streams, players
        case (
            link_commands.ReleaseAward(table=name)
            | link_commands.RuleDealOrder(table=name)
            | link_commands.SignAward(table=name)
            | link_commands.DenyAward(table=name)
        ):
            return _touched_at(state, [name])
        case commands.OnLink(link=link):
            return _touched_at(state, _tables_on(state, link))
        case (
            link_commands.CloseLink(link=link)
            | link_commands.ReopenLink(link=link)
            | link_commands.ChangeParameters(link=link)
            | link_commands.AdjustMeter(link=link)
        ):
            return {link_stream(link)}, set()
        case commands.OpenLink(link=link) | commands.CollectAwards(link=link):
            return {link_stream(link)}, set()
        case commands.OpenTable(config=config):
            return {HOUSE} if config.link is None else {HOUSE, link_stream(config.link)}, set()
        case (
            commands.ChangeTerms()
            | commands.ScheduleEdition()
            | commands.CancelEdition()
            | commands.CloseTable()
            | commands.ReopenTable()
            | commands.ArchiveTable()
        ):
            return {HOUSE}, set()
        case commands.TakeTable():
            return set(), set()
        case commands.ChangeColour(player=player):
            return {CASHIER}, {player}
        case commands.BuyIn(player=player) | commands.CashOut(player=player):
            return {CASHIER, PEOPLE} if player in state.people.play else {CASHIER}, {player}
        case commands.EnrolPerson(name=name) | commands.RemovePerson(name=name) | commands.ErasePerson(name=name):
            return {PEOPLE}, {name}  # what the name holds is checked
        case commands.AcknowledgeCheck(person=name) | commands.TakeDemoChips(person=name):
            return {PEOPLE}, {name}
        case commands.AboutPeople():
            return {PEOPLE}, set()
        case _:
            assert_never(command)


def _reached(state: HouseState, name: str, command: round_commands.RoundCommand) -> Sequence[str]:
    """Return the tables that a command at one of them may reach: a fault of the jackpot system may concern them all."""
    table = state.tables.get(name)
    is_fault = isinstance(command, round_commands.ReportIncident) and command.incident == Incident.JACKPOT_MALFUNCTION
    if table is None or table.config.link is None or not is_fault:
        return [name]
    return _tables_on(state, table.config.link)


def _tables_on(state: HouseState, link: str) -> Sequence[str]:
    return [table.name for table in state.tables.values() if table.config.link == link]


def _touched_at(state: HouseState, names: Sequence[str]) -> tuple[set[str], set[str]]:
    streams: set[str] = set()
    players: set[str] = set()
    for name in names:
        table = state.tables.get(name)
        if table is None:
            continue
        if table.config.link is not None:
            streams.add(link_stream(table.config.link))
        if table.round.noted_now or players_under_minimum(table.terms, table.round):
            streams.add(PLAYERS)
        players.update(player for box in table.round.boxes for player in box.players)
        # A Round that is reopened takes back what it has paid.
        players.update(line.player for line in table.round.lines)
        players.update(award.player for award in table.round.awards)
    return streams, players
