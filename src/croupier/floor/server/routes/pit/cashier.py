"""The cage: balances, buy-ins and cash-outs, and the player's own word on each."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import Body, FromPath, FromQuery
from msgspec.structs import replace

from croupier.floor.duties.bounds import Consent
from croupier.floor.duties.permissions import Action, Post
from croupier.floor.history.table_people import patron
from croupier.floor.house.steady_clock import microseconds
from croupier.floor.live.floor import Floor
from croupier.floor.people.authorization import amount_in
from croupier.floor.people.people import Person
from croupier.floor.people.second_signature import why_two
from croupier.floor.records.commands import Answer, BuyIn, CashOut, ChangeColour, Payment, SettleConsent
from croupier.floor.records.refusals import Code
from croupier.floor.server.dependencies import TheFloor, ThePerson, TheSessions, TheTable
from croupier.floor.server.errors import ApiError, answered, require_accepted
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.openapi import WAITS
from croupier.floor.server.payments import pay
from croupier.floor.server.routes.pit.proposals import propose
from croupier.floor.server.wire import cashier as wire
from croupier.floor.server.wire.measures import Outcome
from croupier.floor.views.account_views import consent_view
from croupier.ledger import accounts
from croupier.money import show

LISTED = 200
"""Players in one answer."""
CAGE = {"action": Action.RUN_CASHIER, "refuses": (404,)}


@get("/api/cashier", opt={"action": Action.RUN_CASHIER})
async def cashier(floor: TheFloor, sessions: TheSessions, name: FromQuery[str] = "") -> wire.Cashier:
    """List players by part of a name and what they hold, and payments that players were asked to confirm."""
    now = microseconds()
    people, balances = floor.house.shown_people, floor.house.shown_balances
    known = {p.name for p in people.persons.values() if p.post is Post.PLAYER}
    held = (account for account, amount in balances.items() if amount > 0 and account.startswith("player/"))
    names = {
        player: floor.house.directory.name_of(player)
        for player in known.union(account.removeprefix("player/") for account in held)
    }
    found = sorted((p for p in names if name.lower() in names[p].lower() or name == p), key=names.__getitem__)
    return wire.Cashier(
        players=[
            wire.PlayerBalance(
                player=player,
                balance=show(balances.get(accounts.player(player), 0)),
                logged_in=sessions.has_open_session(player),
                enrolled=player in people.persons,
            )
            for player in found[:LISTED]
        ],
        more=max(0, len(found) - LISTED),
        payments=[consent_view(key, asking, now) for key, asking in reversed(people.consents.items())],
        alone_up_to=None if people.duties is None else show(people.duties.payments),
    )


@post("/api/cashier/buy-in", opt=CAGE, status_code=200, responses={202: WAITS})
async def buy_in(
    floor: TheFloor, sessions: TheSessions, person: ThePerson, data: Annotated[wire.PaymentRequest, Body()]
) -> Response[Outcome]:
    """Give a player chips for money; a player who is logged in confirms it, and a large amount takes two people."""
    house = floor.house
    player = house.shown_people.persons.get(house.directory.id_of(data.player) or "")
    if player is None or player.post is not Post.PLAYER:
        raise ApiError(404, "unknown_person", f"There is no player called {data.player[:40]}.")
    amount = amount_in("amount", data.amount)
    return await _cash(floor, sessions, person, data, BuyIn(player=player.name, amount=amount))


@post("/api/cashier/cash-out", opt=CAGE, status_code=200, responses={202: WAITS})
async def cash_out(
    floor: TheFloor, sessions: TheSessions, person: ThePerson, data: Annotated[wire.PaymentRequest, Body()]
) -> Response[Outcome]:
    """Give a player money for chips; a person who can no longer log in may still cash out."""
    player = _holder(floor, data.player)
    return await _cash(floor, sessions, person, data, CashOut(player=player, amount=amount_in("amount", data.amount)))


@post("/api/tables/{name:str}/buy-in", opt={"action": Action.BET_FOR_A_PLAYER}, status_code=200)
async def table_buy_in(
    floor: TheFloor, table: TheTable, person: ThePerson, data: Annotated[wire.TableBuyIn, Body()]
) -> wire.SeatedPlayer:
    """Give chips for money at a table, up to what one person may pay alone; more is for the cage.

    A patron without an account gets one in the name of the table and the box.
    """
    house = floor.house
    if data.box > table.terms.boxes:
        raise ApiError(400, "bad_request", f"box: {table.name} has {table.terms.boxes} boxes.")
    player = patron(table.name, data.box) if not data.player else house.directory.id_of(data.player)
    if player is None:
        raise ApiError(404, "unknown_person", f"There is no player called {data.player[:40]}.")
    amount = amount_in("amount", data.amount)
    payment = BuyIn(player=player, amount=amount, table=table.name, box=data.box)
    return await _at_table(floor, person, payment, data.id)


@post("/api/tables/{name:str}/chips-out", opt={"action": Action.BET_FOR_A_PLAYER}, status_code=200)
async def chips_out(
    floor: TheFloor, table: TheTable, person: ThePerson, data: Annotated[wire.TableChips, Body()]
) -> wire.SeatedPlayer:
    """Give a player of the table their chips to take away, up to what one person may pay alone."""
    player, amount = _holder(floor, data.player), amount_in("amount", data.amount)
    payment = CashOut(player=player, amount=amount, table=table.name, box=data.box)
    return await _at_table(floor, person, payment, data.id)


@post("/api/tables/{name:str}/colour-change", opt={"action": Action.BET_FOR_A_PLAYER}, status_code=200)
async def colour_change(
    floor: TheFloor, table: TheTable, person: ThePerson, data: Annotated[wire.NewColour, Body()]
) -> wire.SeatedPlayer:
    """Note that chips of a player were changed into chips of another value; the balance stays the same."""
    player = _holder(floor, data.player)
    amount, chip = amount_in("amount", data.amount), amount_in("chip", data.chip)
    changed = ChangeColour(player=player, amount=amount, chip=chip, table=table.name, by=person.name)
    require_accepted(await floor.ask(changed, f"{person.name}:{data.id}"))
    return _seated(floor, player)


async def _at_table(floor: Floor, person: Person, payment: Payment, key: str) -> wire.SeatedPlayer:
    """Book chips in or out at a table; more than one person may pay alone is for the cage."""
    payment = replace(payment, by=person.name)
    if why := why_two(floor.house.shown_people, payment, microseconds()):
        raise ApiError(409, Code.TWO_PEOPLE.value, f"{why} Send the player to the cage.")
    require_accepted(await floor.ask(replace(payment, consent=Consent.ABSENT), f"{person.name}:{key}"))
    floor.broadcast.tell_account(payment.player)
    return _seated(floor, payment.player)


def _seated(floor: Floor, player: str) -> wire.SeatedPlayer:
    return wire.SeatedPlayer(player=player, balance=show(floor.house.shown_balances.get(accounts.player(player), 0)))


def _holder(floor: Floor, named: str) -> str:
    """Return the id of a player who holds chips; patrons without an account are known by table and box."""
    player = floor.house.directory.id_of(named) or named
    if player not in floor.house.shown_people.persons and accounts.player(player) not in floor.house.shown_balances:
        raise ApiError(404, "unknown_person", f"There is no player called {named[:40]}.")
    return player


async def _cash(
    floor: Floor, sessions: Sessions, by: Person, data: wire.PaymentRequest, payment: Payment
) -> Response[Outcome]:
    if not data.id.isprintable():
        raise ApiError(400, "bad_request", "id: 1 to 100 printable characters.")
    payment = replace(payment, by=by.name)
    if why_two(floor.house.shown_people, payment, microseconds()):
        kind = "Buy in" if isinstance(payment, BuyIn) else "Cash out"
        words = f"{kind} {show(payment.amount)} for {payment.player}"
        return await propose(floor, by, words, Action.SIGN_PAYMENTS, payment, data.id)
    return await pay(floor, sessions, payment, f"{by.name}:{data.id}")


# ---------------------------------------------------------------- the player's word


@post("/api/consents/{key:str}/confirm", opt={"action": Action.PLAY}, status_code=200)
async def confirm(floor: TheFloor, person: ThePerson, key: FromPath[str]) -> Response[Answer]:
    """Confirm a payment of your own, and carry it out."""
    payment = _asked_of(floor, person, key)
    command = replace(payment, consent=Consent.GIVEN, asked=key)
    # First the payment, under an id of its own, so that it is done once whatever happens in between.
    answer = await floor.ask(command, f"consent/{key}")
    if answer.accepted:
        await floor.ask(SettleConsent(consent=key, by=payment.player, given=True))
        floor.broadcast.tell_account(payment.player)
    return answered(answer)


@post("/api/consents/{key:str}/decline", opt={"action": Action.PLAY}, status_code=200)
async def decline(floor: TheFloor, person: ThePerson, key: FromPath[str]) -> Response[Answer]:
    """Decline a payment of your own; no money moves."""
    payment = _asked_of(floor, person, key)
    answer = await floor.ask(SettleConsent(consent=key, by=payment.player, given=False))
    floor.broadcast.tell_account(payment.player)
    return answered(answer)


def _asked_of(floor: Floor, person: Person, key: str) -> Payment:
    """Return a payment that this player was asked to confirm; raises ApiError for another player's."""
    asking = floor.house.shown_people.consents.get(key)
    if asking is None or asking.payment.player != person.name:
        raise ApiError(404, "unknown_consent", "There is no payment of that number for you to confirm.")
    return asking.payment
