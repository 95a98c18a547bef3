"""The cage: balances, buy-ins and cash-outs, and the player's own word on each."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.params import Body, FromPath, FromQuery
from msgspec.structs import replace

from croupier.floor.duties.bounds import Consent
from croupier.floor.duties.permissions import Action, Post
from croupier.floor.house.writer import microseconds
from croupier.floor.live.floor import Floor
from croupier.floor.people.people import Person
from croupier.floor.people.proposals import why_two
from croupier.floor.records.commands import Answer, BuyIn, CashOut, Payment, SettleConsent
from croupier.floor.server.auth import Doors, Refused, answered
from croupier.floor.server.documented_refusals import WAITS
from croupier.floor.server.payments import Outcome, pay
from croupier.floor.server.routes.proposals import propose
from croupier.floor.views.table_views import Json, consent_json
from croupier.ledger import accounts
from croupier.money import BadMoney, money, show

HttpRequest: TypeAlias = Request[Person | None, object, State]
LISTED = 200
"""So many players are listed at once."""


class AtTheCashier(msgspec.Struct, forbid_unknown_fields=True):
    """Money for chips, or chips for money."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    player: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    amount: Annotated[str, msgspec.Meta(max_length=30)]


@get("/api/cashier", opt={"action": Action.RUN_CASHIER})
async def cashier(state: State, name: FromQuery[str] = "") -> Json:
    """Players and what they hold, by part of a name; and payments of which players were asked."""
    floor, doors, now = _floor(state), _doors(state), microseconds()
    people, balances = floor.house.shown_people, floor.house.shown_balances
    known = {p.name for p in people.persons.values() if p.post is Post.PLAYER}
    holders = {account.removeprefix("player/") for account, held in balances.items() if _is_held(account, held)}
    names = {player: floor.house.directory.name_of(player) for player in known | holders}
    found = sorted((p for p in names if name.lower() in names[p].lower() or name == p), key=names.__getitem__)
    return {
        "players": [
            {
                "player": player,
                "balance": show(balances.get(accounts.player(player), 0)),
                "logged_in": doors.has_open_session(player),
                "enrolled": player in people.persons,
            }
            for player in found[:LISTED]
        ],
        "more": max(0, len(found) - LISTED),
        "payments": [consent_json(key, asking, now) for key, asking in reversed(people.consents.items())],
        "alone_up_to": None if people.duties is None else show(people.duties.payments),
    }


def _is_held(account: str, held: int) -> bool:
    return held > 0 and account.startswith("player/")


@post(
    "/api/cashier/buy-in",
    opt={"action": Action.RUN_CASHIER, "refuses": (404,)},
    status_code=200,
    responses={202: WAITS},
)
async def buy_in(state: State, request: HttpRequest, data: Annotated[AtTheCashier, Body()]) -> Response[Outcome]:
    """A player gives money for chips; a player who is logged in confirms it, and a large one takes two people."""
    house = _floor(state).house
    person = house.shown_people.persons.get(house.directory.id_of(data.player) or "")
    if person is None or person.post is not Post.PLAYER:
        raise Refused(404, "unknown_person", f"There is no player called {data.player[:40]}.")
    return await _cash(state, request, data, BuyIn(player=person.name, amount=_amount(data.amount)))


@post(
    "/api/cashier/cash-out",
    opt={"action": Action.RUN_CASHIER, "refuses": (404,)},
    status_code=200,
    responses={202: WAITS},
)
async def cash_out(state: State, request: HttpRequest, data: Annotated[AtTheCashier, Body()]) -> Response[Outcome]:
    """A player gives chips for money; so may a person who can no longer log in, whose chips are still theirs."""
    house = _floor(state).house
    player = house.directory.id_of(data.player) or data.player
    if player not in house.shown_people.persons and accounts.player(player) not in house.shown_balances:
        raise Refused(404, "unknown_person", f"There is no player called {data.player[:40]}.")
    return await _cash(state, request, data, CashOut(player=player, amount=_amount(data.amount)))


async def _cash(state: State, request: HttpRequest, data: AtTheCashier, payment: Payment) -> Response[Outcome]:
    floor, by = _floor(state), _person(request)
    if not data.id.isprintable():
        raise Refused(400, "bad_request", "id: 1 to 100 printable characters.")
    payment = replace(payment, by=by.name)
    if why_two(floor.house.shown_people, payment, microseconds()):
        kind = "Buy in" if isinstance(payment, BuyIn) else "Cash out"
        words = f"{kind} {show(payment.amount)} for {payment.player}"
        return await propose(floor, by, words, Action.SIGN_PAYMENTS, payment, data.id)
    return await pay(floor, _doors(state), payment, f"{by.name}:{data.id}")


# ---------------------------------------------------------------- the player's word


@post("/api/consents/{key:str}/confirm", opt={"action": Action.PLAY}, status_code=200)
async def confirm(state: State, request: HttpRequest, key: FromPath[str]) -> Response[Answer]:
    """The player confirms a payment of their own, and it is done."""
    floor, payment = _floor(state), _asked_of(state, request, key)
    command = replace(payment, consent=Consent.GIVEN, asked=key)
    # First the payment, under an id of its own, so that it is done once whatever happens in between.
    answer = await floor.ask(command, f"consent/{key}")
    if answer.accepted:
        await floor.ask(SettleConsent(consent=key, by=payment.player, given=True))
        floor.tell_account(payment.player)
    return answered(answer)


@post("/api/consents/{key:str}/decline", opt={"action": Action.PLAY}, status_code=200)
async def decline(state: State, request: HttpRequest, key: FromPath[str]) -> Response[Answer]:
    """The player declines a payment: nothing of it is done."""
    floor, payment = _floor(state), _asked_of(state, request, key)
    answer = await floor.ask(SettleConsent(consent=key, by=payment.player, given=False))
    floor.tell_account(payment.player)
    return answered(answer)


CASHIER_ROUTES = (cashier, buy_in, cash_out, confirm, decline)


def _asked_of(state: State, request: HttpRequest, key: str) -> Payment:
    """A payment that waits for the word of this player; another player's is not there for them."""
    asking = _floor(state).house.shown_people.consents.get(key)
    if asking is None or asking.payment.player != _person(request).name:
        raise Refused(404, "unknown_consent", "Nothing of that number waits for your word.")
    return asking.payment


def _amount(said: str) -> int:
    try:
        return money(said)
    except BadMoney as wrong:
        raise Refused(400, "bad_request", f"amount: {wrong}") from None


def _floor(state: State) -> Floor:
    floor = state.floor
    assert isinstance(floor, Floor)
    return floor


def _doors(state: State) -> Doors:
    doors = state.doors
    assert isinstance(doors, Doors)
    return doors


def _person(request: HttpRequest) -> Person:
    person = request.scope["user"]
    assert isinstance(person, Person)
    return person
