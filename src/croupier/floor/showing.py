"""What the floor shows: tables, rounds and meters as each viewer may see them, as plain JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from croupier.cards import Card, best_five, five_card_name, three_card, three_card_name
from croupier.floor.facts import TableFact
from croupier.floor.house import House
from croupier.floor.people import Person
from croupier.floor.posts import Post
from croupier.floor.tables import Table
from croupier.jackpots.link import Link
from croupier.money import Money, show
from croupier.rounds.events import BetSettled, HandExamined
from croupier.rounds.incidents import WORDS
from croupier.rounds.previews import Answer as LawfulAnswer
from croupier.rounds.previews import BoxEffect
from croupier.rounds.state import Round
from croupier.rounds.views import FACE_DOWN, RoundView, Viewer, view
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import BetKind, BoxNo, HandKind, Incident

Json = Mapping[str, object]

_VIEWERS = {
    Post.PLAYER: Viewer.PLAYER,
    Post.DEALER: Viewer.DEALER,
    Post.PIT_SUPERVISOR: Viewer.PIT,
    Post.PIT_MANAGER: Viewer.PIT,
    Post.SHIFT_MANAGER: Viewer.PIT,
    Post.SURVEILLANCE: Viewer.SURVEILLANCE,
    Post.AUDITOR: Viewer.AUDITOR,
    Post.ADMINISTRATOR: Viewer.AUDITOR,
    Post.DISPLAY: Viewer.DISPLAY,
}


def viewer_key(person: Person | None) -> str:
    """Two people with the same key see the same of a table."""
    if person is None:
        return Viewer.DISPLAY.value
    return f"player/{person.name}" if person.post is Post.PLAYER else _VIEWERS[person.post].value


def table_view(table: Table, person: Person | None) -> Json:
    """A table and its Round as this person may see them."""
    viewer = Viewer.DISPLAY if person is None else _VIEWERS[person.post]
    name = person.name if person is not None and person.post is Post.PLAYER else None
    seen = view(table.terms, table.round, viewer, name)
    return {
        "table": table.name,
        "game": table.terms.book.game,
        "commitment": table.commitment,
        "closed": is_closed(table),
        "limits": _limits(table.terms),
        "jackpot_bet": None if table.terms.jackpot_bet is None else show(table.terms.jackpot_bet),
        "pay_tables": msgspec.to_builtins(table.config.pay_tables),
        "coming": _coming(table),
        **_round(table, seen),
    }


def is_closed(table: Table) -> bool:
    """No further Round begins: the pit has closed it, or a fault of the jackpot has."""
    return table.closed or table.round.standing.closed


def _limits(terms: Terms) -> dict[str, list[str]]:
    return {bet: [show(limit.minimum), show(limit.maximum)] for bet, limit in terms.limits.items()}


def _coming(table: Table) -> Json | None:
    """What will be different from the next Round on."""
    coming = table.coming
    if coming is None:
        return None
    bet = coming.terms.jackpot_bet
    return {
        "after": coming.after,
        "limits": _limits(coming.terms),
        "jackpot_bet": None if bet is None else show(bet),
        "pay_tables": msgspec.to_builtins(coming.config.pay_tables),
    }


def _round(table: Table, seen: RoundView) -> Json:
    return {
        "round": seen.number,
        "stage": seen.stage,
        "community": list(seen.community),
        "dealer": {"cards": list(seen.dealer), "hand": _hand_name(table.terms, seen.dealer, seen.community)},
        "boxes": [
            {
                "box": box.box,
                "stakes": [{"player": s.player, "bet": s.bet, "amount": show(s.amount)} for s in box.stakes],
                "stands": box.stands,
                "choices": list(box.choices),
                "cards": list(box.cards),
                "hand": _hand_name(table.terms, box.cards, seen.community),
                "examined_by": list(box.examined_by),
                "may_examine": box.may_examine,
            }
            for box in seen.boxes
        ],
        "choices": [
            {"box": c.box, "choice": c.choice, "costs": show(c.costs), "rules": list(c.rules)} for c in seen.choices
        ],
        "awaiting": [answer_json(answer) for answer in seen.awaiting],
        "lines": [line_json(line) for line in seen.lines],
        "claims": [
            {"box": c.box, "player": c.player, "hand": c.awards[0].hand, "round": c.round} for c in table.round.claims
        ],
        "notice": seen.notice,
    }


def answer_json(answer: LawfulAnswer) -> Json:
    """A lawful answer with what it does to the money of every box."""
    return {
        "incident": answer.incident,
        "says": WORDS[Incident(answer.incident)],
        "answer": answer.answer,
        "by": None if answer.by is None else answer.by.slug,
        "box": answer.box,
        "rules": list(answer.rules),
        "money": money_json(answer.money),
    }


def money_json(money: Mapping[BoxNo, BoxEffect]) -> Json:
    """What becomes of the chips of each box."""
    return {
        str(box): {
            "effect": effect.effect.value,
            "returned": show(effect.returned),
            "lost": show(effect.lost),
            "in_play": show(effect.in_play),
        }
        for box, effect in money.items()
    }


def line_json(line: BetSettled) -> Json:
    """A settled bet with its reason, as the replay format has it."""
    return {
        "box": line.box,
        "player": line.player,
        "bet": line.bet,
        "staked": show(line.staked),
        "outcome": line.outcome.value,
        "won": show(line.won),
        "returned": show(line.returned),
        "rules": list(line.rules),
        "because": line.because,
    }


def hands_shown(table: Table, state: Round) -> tuple[str, ...]:
    """The Players' Hands by name, as far as their cards lie face up."""
    seen = view(table.terms, state, Viewer.DISPLAY)
    names = (_hand_name(table.terms, box.cards, seen.community) for box in seen.boxes)
    return tuple(name for name in names if name)


def _hand_name(terms: Terms, cards: Iterable[Card | str], community: Iterable[Card | str]) -> str:
    """ "Pair of Tens": named from what lies face up or was examined, as soon as it makes a hand."""
    own = [Card(card) for card in cards if card != FACE_DOWN]
    if terms.book.showdown.hand is HandKind.THREE_CARDS:
        return three_card_name(three_card(own)) if len(own) == 3 else ""
    shown = [Card(card) for card in community if card != FACE_DOWN]
    return five_card_name(best_five((*own, *shown))) if len(own) == 2 and len(own) + len(shown) >= 5 else ""


def terms_json(table: Table) -> Json:
    """What is displayed at the table: game, limits, jackpot bet, procedure, how it runs."""
    terms, config = table.terms, table.config
    book = terms.book
    return {
        "table": table.name,
        "game": book.game,
        "title": book.document.title,
        "operator": book.document.operator,
        "currency": terms.currency,
        "boxes": terms.boxes,
        "dealing": terms.dealing.name,
        "limits": _limits(terms),
        "jackpot_bet": None if terms.jackpot_bet is None else show(terms.jackpot_bet),
        "jackpot_multiples": book.jackpot.multiples,
        "link": config.link,
        "pay_tables": msgspec.to_builtins(config.pay_tables),
        "coming": _coming(table),
        "bets": [
            {
                "bet": bet.name,
                "kind": bet.kind.value,
                "times_ante": bet.times_ante,
                "needs_ante": bool(bet.needs_ante),
            }
            for bet in book.bets
            if bet.kind is not BetKind.PAYOUT
        ],
        "fold": {"loses": list(book.fold.loses), "keeps": list(book.fold.keeps)},
        "several_boxes": book.seating.several_boxes,
        "one_look": book.seating.several_boxes,
        "physical": config.physical,
        "staffed": config.staffed,
    }


def lobby(house: House) -> list[Json]:
    """Every table as one line of a lobby."""
    return [lobby_line(table) for table in house.shown.values() if table.ours]


def lobby_line(table: Table) -> Json:
    """A table in the lobby: its terms, who sits there, where its Round stands."""
    return {
        **terms_json(table),
        "stage": table.round.stage.value,
        "round": table.round.number,
        "seats": [{"box": box.number, "player": box.seated} for box in table.round.boxes if box.seated],
        "closed": is_closed(table),
    }


def public_lobby(house: House) -> list[Json]:
    """The lobby for whoever has not come in yet: boxes taken, but not by whom."""
    return [
        {**{key: said for key, said in line.items() if key != "seats"}, "seats_taken": len(_taken(line))}
        for line in lobby(house)
    ]


def _taken(line: Json) -> list[object]:
    seats = line["seats"]
    assert isinstance(seats, list)
    return seats


def link_json(name: str, link: Link) -> Json:
    """The meter and what everybody may know of the link."""
    return {
        "link": name,
        "meter": show(link.cents),
        "closed": link.closed,
        "reset": show(link.reset),
        "hits": link.hits,
        "last_hits": [
            {"table": hit.table, "round": hit.round, "box": hit.box, "hand": hit.hand, "amount": show(hit.amount)}
            for hit in reversed(link.last_hits)
        ],
        "pending": [
            {
                "table": p.round[0],
                "round": p.round[1],
                "hands": [claim.awards[0].hand for claim in p.claims],
                "signatures": p.signatures,
                "signed": list(p.signed),
            }
            for p in link.pending
        ],
    }


def public_event(fact: TableFact, person: Person | None) -> Json:
    """An event as this person may see it: everything but what another player saw in private."""
    own = person is not None and person.post is Post.PLAYER
    if isinstance(fact, HandExamined) and not (own and person is not None and fact.player == person.name):
        fact = msgspec.structs.replace(fact, cards=())
    told = msgspec.to_builtins(fact)
    assert isinstance(told, dict)
    return told


def account_json(house: House, person: Person) -> Json:
    """A player's own balance."""
    held: Money = house.balances.get(f"player/{person.name}", 0)
    return {"player": person.name, "balance": show(held)}
