"""Buy-ins and cash-outs: asked of the player where the player is logged in, and then done."""

from __future__ import annotations

import hashlib

from litestar import Response
from msgspec.structs import replace

from croupier.floor.duties.bounds import Consent
from croupier.floor.live.floor import Floor
from croupier.floor.records import refusals
from croupier.floor.records.commands import Answer, AskConsent, CashOut, Measure, Payment
from croupier.floor.server.errors import ApiError, answered
from croupier.floor.server.login.auth import Sessions
from croupier.floor.server.wire.measures import ConsentAsked, Outcome
from croupier.ledger import accounts
from croupier.money import show


def outcome(answer: Answer) -> Response[Outcome]:
    """Answer as the house answered, on a route that may also answer a proposal."""
    told = answered(answer)
    return Response(told.content, status_code=told.status_code)


def check_covered(floor: Floor, measure: Measure) -> None:
    """Refuse to propose, or to ask a player about, a cash-out of more than the player holds."""
    if not isinstance(measure, CashOut):
        return
    held = floor.house.shown_balances.get(accounts.player(measure.player), 0)
    if measure.amount > held:
        code = refusals.Code.INSUFFICIENT_FUNDS.value
        raise ApiError(409, code, refusals.shortage(measure.player, held, measure.amount))


async def pay(floor: Floor, sessions: Sessions, payment: Payment, command_id: str) -> Response[Outcome]:
    """Ask the player of a payment, or do it where the player has no open session; the record says which."""
    key = hashlib.sha256(command_id.encode()).hexdigest()[:16]
    known = floor.house.shown_people.consents.get(key)
    if known is None:
        earlier = await floor.past_answer(command_id)
        if earlier is not None:  # it was done without the player, and is done once
            return outcome(earlier)
        if not sessions.has_open_session(payment.player):
            answer = await floor.ask(replace(payment, consent=Consent.ABSENT), command_id)
            if answer.accepted:
                floor.broadcast.tell_account(payment.player)
            return outcome(answer)
        check_covered(floor, payment)
        told = await floor.ask(AskConsent(consent=key, payment=payment))
        if not told.accepted:
            raise ApiError(429 if told.code == "too_many" else 409, told.code, told.message)
    elif replace(known.payment, second="") != replace(payment, second=""):
        raise ApiError(409, "id_reused", "This command id was used for another payment; nothing was done.")
    words = f"{payment.player} is asked to confirm {show(payment.amount)}."
    asked = ConsentAsked(consent=key, player=payment.player, amount=show(payment.amount), words=words)
    return Response(asked, status_code=202)
