"""Players' own limits held: sessions of play begin and are noted with Bets, and no wager goes beyond a limit."""

from __future__ import annotations

from croupier.floor.house.holdings import chips_on_layouts
from croupier.floor.house.transaction import Transaction
from croupier.floor.people.own_limits import MINUTE, check_loss, check_time
from croupier.floor.records.play_facts import PlayBegun, PlayFunded, PlayNoted
from croupier.ledger import accounts
from croupier.money import Money
from croupier.rounds.commands import DecideHand, PlaceBet, RoundCommand

_PLAYERS = accounts.player("")


def is_wager(command: RoundCommand) -> bool:
    """Return whether a command stakes chips by a player's choice; one found on the layout too late is not refused."""
    return (type(command) is PlaceBet or type(command) is DecideHand) and command.noticed


def begin_bet(transaction: Transaction, command: RoundCommand) -> None:
    """Begin or note the session of play of a player with limits who bets; raises Refused where their time is over.

    A Round in play is finished: decisions are not new Bets.
    """
    if type(command) is not PlaceBet or not command.noticed:
        return
    player, now = command.player, transaction.request.at
    play = transaction.people.play.get(player)
    if play is None or not play.is_limited(now):
        return
    held = transaction.held(player)
    if not play.is_running(now):
        base = held + chips_on_layouts(transaction.house, player)
        transaction.enter_people(PlayBegun(person=player, at=now, base=base))
        return
    check_time(play, held, now)
    if now - play.noted >= MINUTE:
        transaction.enter_people(PlayNoted(person=player, at=now))


def check_wager(transaction: Transaction) -> None:
    """Refuse a wager that its player cannot pay, or that goes beyond their loss limit; before any card follows."""
    transaction.check_funds()
    play, now = transaction.people.play, transaction.request.at
    for account, amount in transaction.changes.moved.items() if play else ():
        player = account.removeprefix(_PLAYERS)
        if amount < 0 and account.startswith(_PLAYERS) and player in play and play[player].is_running(now):
            check_loss(play[player], transaction.held(player), now)


def fund(transaction: Transaction, player: str, amount: Money) -> None:
    """Count chips that a player has bought, or has cashed out, to their session of play."""
    play, now = transaction.people.play.get(player), transaction.request.at
    if play is not None and play.is_running(now):
        transaction.enter_people(PlayFunded(person=player, at=now, amount=amount))
