"""The acts of a settlement as the people see them who confirm or watch them."""

from __future__ import annotations

import msgspec

from croupier.floor.duties.permissions import Action
from croupier.floor.people.authorization import may_step
from croupier.floor.people.people import Person
from croupier.floor.records.tables import Table
from croupier.floor.views.aliases import Aliases, seats_of
from croupier.money import show
from croupier.rounds.commands import Confirming
from croupier.rounds.events import MispayFound
from croupier.rounds.settlement_acts import acts, may_resolve
from croupier.rounds.state import Stage
from croupier.rulebooks.vocabulary import ChipMove
from croupier.structs import extended


class ActView(msgspec.Struct, frozen=True, kw_only=True):
    """One move of chips on one bet."""

    number: int
    box: int
    player: str
    bet: str
    move: ChipMove
    amount: str
    lies: str
    """The chips of the bet that lay there."""
    rules: tuple[str, ...]
    because: str


class ResolutionView(msgspec.Struct, frozen=True, kw_only=True):
    """A way out of a mispay: who may take it, by which paragraphs."""

    put_right: bool
    says: str
    by: str
    rules: tuple[str, ...]
    may: bool
    """The viewer may take it now."""


class MispayView(msgspec.Struct, frozen=True, kw_only=True):
    """The difference that stops the table, and what follows from it."""

    act: int
    box: int
    player: str
    bet: str
    over: str
    """What the player was overpaid; below zero what they were underpaid."""
    says: str
    who: str
    rules: tuple[str, ...]
    """What decided the bet."""
    resolutions: tuple[ResolutionView, ...]
    late_rules: tuple[str, ...]
    """What decides once the next round has begun: it stands."""


class SettlingView(msgspec.Struct, frozen=True, kw_only=True):
    """The acts of a settlement in their order, and how far they are confirmed."""

    confirms: Confirming
    acts: tuple[ActView, ...]
    done: int
    mispay: MispayView | None


def settling_view(table: Table, person: Person | None) -> SettlingView | None:
    """Show the acts of a Round that is over, where they are confirmed, to people who confirm or watch the floor."""
    terms, state = table.terms, table.round
    if person is None or state.confirms is Confirming.NO or state.stage not in (Stage.SETTLED, Stage.VOID):
        return None
    if not (person.may(Action.CONFIRM_ACTS) or person.may(Action.WATCH_FLOOR)):
        return None
    aliases = Aliases(person, seats_of(state))
    return SettlingView(
        confirms=state.confirms,
        acts=tuple(
            extended(
                ActView,
                act,
                player=aliases.name(act.player),
                amount=show(act.amount),
                lies=show(act.lies),
                because=aliases.words(act.because),
            )
            for act in acts(terms, state)
        ),
        done=state.acts_done,
        mispay=None if state.mispay is None else _mispay(table, person, aliases, state.mispay),
    )


_DUE = {ChipMove.PAY: "was to be paid", ChipMove.TAKE: "was to be taken"}


def _mispay(table: Table, person: Person, aliases: Aliases, found: MispayFound) -> MispayView:
    player, difference = aliases.name(found.player), show(abs(found.over))
    paid = f"overpaid by {difference}" if found.over > 0 else f"underpaid by {difference}"
    if found.over > 0:
        right = f"Take {difference} back from {player}."
    else:
        right = f"Give {player} the missing {difference}; where they have left, it stays on their account."
    stands = f"{player} keeps {difference} too much." if found.over > 0 else f"{player} goes without {difference}."
    done = f"{show(found.amount)} was {'paid' if found.did is ChipMove.PAY else 'taken'}"
    due = f"{show(found.due)} {_DUE.get(found.move, 'belongs to the player')}"
    return extended(
        MispayView,
        found,
        player=player,
        over=show(found.over),
        says=f"{player} was {paid}: {done}, and {due}.",
        resolutions=(
            _resolution(table, person, found, right, put_right=True),
            _resolution(table, person, found, f"It stands: {stands}", put_right=False),
        ),
        late_rules=table.terms.book.late_error,
    )


def _resolution(table: Table, person: Person, found: MispayFound, says: str, *, put_right: bool) -> ResolutionView:
    needed, rules = may_resolve(table.terms, put_right=put_right)
    role = person.post.role
    may = role is not None and role >= needed and may_step(person, table, "resolve_mispay")
    return ResolutionView(put_right=put_right, says=says, by=needed.slug, rules=rules or found.rules, may=may)
