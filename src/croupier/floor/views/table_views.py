"""What the floor shows: tables, rounds and meters as each viewer may see them, as plain JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

import msgspec

from croupier.cards import Card, best_five, five_card_name, three_card, three_card_name
from croupier.floor.duties.permissions import Action, Post
from croupier.floor.house.house import House
from croupier.floor.house.writer import microseconds
from croupier.floor.people.people import Asking, People, Person
from croupier.floor.records.commands import BuyIn
from croupier.floor.records.facts import TableFact
from croupier.floor.records.tables import Table
from croupier.floor.views.aliases import Aliases, seats_of
from croupier.floor.views.award_timelines import AwardCase, Moment
from croupier.jackpots.events import RoundKey
from croupier.jackpots.link import Case, CaseState, Link, waits_for
from croupier.money import Money, show
from croupier.rounds.choices import NOTHING_ELSEWHERE, Elsewhere
from croupier.rounds.events import BetSettled, HandExamined
from croupier.rounds.incidents import WORDS
from croupier.rounds.previews import Answer as LawfulAnswer
from croupier.rounds.previews import BoxEffect
from croupier.rounds.state import Round
from croupier.rounds.views import FACE_DOWN, RoundView, StakeView, Viewer, view
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
    Post.CAGE: Viewer.DISPLAY,
    Post.DISPLAY: Viewer.DISPLAY,
}


def viewer_key(person: Person | None) -> str:
    """Two people with the same key see the same of a table."""
    if person is None:
        return Viewer.DISPLAY.value
    return f"player/{person.name}" if person.post is Post.PLAYER else _VIEWERS[person.post].value


def table_view(table: Table, person: Person | None, elsewhere: Elsewhere = NOTHING_ELSEWHERE) -> Json:
    """A table and its Round as this person may see them."""
    viewer = Viewer.DISPLAY if person is None else _VIEWERS[person.post]
    name = person.name if person is not None and person.post is Post.PLAYER else None
    seen = view(table.terms, table.round, viewer, name, elsewhere)
    told = {
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
    return Aliases(person, seats_of(table.round)).hide(told)


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
                "stakes": _chips(box.stakes),
                "returned": _chips(box.returned),
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
            {"box": c.box, "choice": c.choice, "costs": show(c.costs), "rules": list(c.rules), "bet": c.bet}
            for c in seen.choices
        ],
        "bets": [
            {
                "box": bet.box,
                "bet": bet.bet,
                "least": show(bet.least),
                "most": show(bet.most),
                "amounts": [show(amount) for amount in bet.amounts],
                "rules": list(bet.rules),
            }
            for bet in seen.bets
        ],
        "withdrawals": [
            {"box": w.box, "bet": w.bet, "amount": show(w.amount), "stays_live": w.stays_live, "rules": list(w.rules)}
            for w in seen.withdrawals
        ],
        "moves": [{"do": m.do, "box": m.box, "option": m.option, "rules": list(m.rules)} for m in seen.moves],
        "awaiting": [answer_json(answer) for answer in seen.awaiting],
        "lines": [line_json(line) for line in seen.lines],
        "notice": seen.notice,
    }


def _chips(stakes: Iterable[StakeView]) -> list[Json]:
    return [{"player": s.player, "bet": s.bet, "amount": show(s.amount)} for s in stakes]


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
        "pit": config.pit,
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


def lobby(house: House, person: Person | None) -> list[Json]:
    """Every table as one line of a lobby, with the names that this person may know."""
    return [
        Aliases(person, seats_of(table.round)).hide(lobby_line(table)) if table.ours else elsewhere_line(table)
        for table in house.shown.values()
    ]


def elsewhere_line(table: Table) -> Json:
    """A table that another server runs: the terms of its next Round; where its Round stands is known there alone."""
    terms = table.changes[-1].terms if table.changes else table.terms
    known = terms_json(msgspec.structs.replace(table, terms=terms, config=table.latest, changes=()))
    return {**known, "elsewhere": True, "stage": None, "round": None, "seats": [], "closed": table.closed}


def lobby_line(table: Table) -> Json:
    """A table in the lobby: its terms, who sits there, where its Round stands."""
    return {
        **terms_json(table),
        "elsewhere": False,
        "stage": table.round.stage.value,
        "round": table.round.number,
        "seats": [{"box": box.number, "player": box.seated} for box in table.round.boxes if box.seated],
        "closed": is_closed(table),
    }


def public_lobby(house: House) -> list[Json]:
    """The lobby for whoever has not come in yet: boxes taken, but not by whom."""
    return [
        {**{key: said for key, said in line.items() if key != "seats"}, "seats_taken": len(_taken(line))}
        for line in lobby(house, None)
    ]


def _taken(line: Json) -> list[object]:
    seats = line["seats"]
    assert isinstance(seats, list)
    return seats


def link_json(house: House, name: str, person: Person | None) -> Json:
    """The meter, the awards that are locked or wait, the last hits: as this person may see them."""
    link = house.shown_links[name]
    return {
        "link": name,
        "meter": show(link.cents),
        "locked": show(link.locked_cents),
        "closed": link.closed,
        "reset": show(link.reset),
        "hits": link.hits,
        "last_hits": [
            {"table": hit.table, "round": hit.round, "box": hit.box, "hand": hit.hand, "amount": show(hit.amount)}
            for hit in reversed(link.last_hits)
        ],
        "awards": [case_json(house, link, case, person) for case in link.open_cases],
    }


def live_view(house: House, table: Table, person: Person | None) -> Json:
    """A running table as this person may see it, with its award cases: those of the present Round, whose lines belong
    to it, and open ones of earlier Rounds.
    """
    link = None if table.config.link is None else house.shown_links.get(table.config.link)
    operator = table.terms.book.document.operator
    elsewhere = Elsewhere(
        barred=person is not None and house.shown_memory.barred(operator, person.name),
        link_closed=link is not None and link.closed,
    )
    view = dict(table_view(table, person, elsewhere))
    own = [] if link is None else [case for case in link.cases if case.table == table.name]
    now = [case for case in own if case.claim.round == table.round.number]
    lines = view["lines"]
    assert isinstance(lines, list)
    of_cases = [case.line for case in now if case.line is not None]
    aliases = Aliases(person, [*seats_of(table.round), *((line.box, line.player) for line in of_cases)])
    view["lines"] = [*lines, *(aliases.hide(line_json(line)) for line in of_cases)]
    earlier = [case for case in own if case.claim.round != table.round.number and case.is_open]
    for name, cases in (("awards", now), ("earlier_awards", earlier)):
        view[name] = [] if link is None else [case_json(house, link, case, person) for case in cases]
    return view


def case_json(house: House, link: Link, case: Case, person: Person | None) -> Json:
    """A case as it stands; who has signed is for those who sign or look after them."""
    table = house.shown.get(case.table)
    waits: tuple[RoundKey, ...] = ()
    if case.state is CaseState.CLAIMED and table is not None:
        waits = waits_for(link, case.round, table.terms.book.jackpot)
    return {
        "award": case.number,
        "table": case.table,
        "round": case.claim.round,
        "box": case.claim.box,
        "hand": case.claim.awards[0].hand,
        "cards": list(case.claim.cards),
        "state": case.state.value,
        "amount": None if case.amount is None else show(case.amount),
        "waits_for": sorted({key[0] for key in waits}),
        "signatures": case.signatures,
        "missing": max(case.signatures - len(case.signed), 0) if case.is_open else 0,
        "signed": list(case.signed) if _sees_signatures(person) else [],
    }


def _sees_signatures(person: Person | None) -> bool:
    return person is not None and (person.may(Action.SEE_FIGURES) or person.post.role is not None)


def case_history_json(case: AwardCase, person: Person | None) -> Json:
    """A case of a Round that was played, with its timeline."""
    sees = _sees_signatures(person)
    return {
        "award": case.number,
        "box": case.claim.box,
        "player": case.claim.player,
        "hand": case.claim.awards[0].hand,
        "cards": list(case.claim.cards),
        "state": case.state,
        "amount": None if case.amount is None else show(case.amount),
        "signatures": case.signatures,
        "signed": list(case.signed) if sees else [],
        "timeline": [
            {"at": moment_json(m.at), "what": m.what, "by": m.by if sees else "", "text": m.text} for m in case.timeline
        ],
    }


def case_step(case: AwardCase, moment: Moment, person: Person | None) -> Json:
    """Something that happened to a case, as one step of its Round."""
    return {
        "type": "AwardCase",
        "what": moment.what,
        "award": case.number,
        "box": case.claim.box,
        "player": case.claim.player,
        "hand": case.claim.awards[0].hand,
        "amount": case.amount if moment.what in ("locked", "paid") else None,
        "by": moment.by if _sees_signatures(person) else "",
        "text": moment.text,
    }


def moment_json(at: int) -> str:
    """Microseconds since 1970 as programs read them."""
    return datetime.fromtimestamp(at / 1_000_000, UTC).isoformat(timespec="milliseconds")


def public_event(fact: TableFact, person: Person | None, aliases: Aliases) -> Json:
    """An event as this person may see it: everything but what another player saw in private, and who that is."""
    own = person is not None and person.post is Post.PLAYER
    if isinstance(fact, HandExamined) and not (own and person is not None and fact.player == person.name):
        fact = msgspec.structs.replace(fact, cards=())
    if isinstance(fact, HandExamined):
        fact = msgspec.structs.replace(fact, salt="")
    told = msgspec.to_builtins(fact)
    assert isinstance(told, dict)
    return aliases.hide(told)


def account_json(house: House, person: Person) -> Json:
    """A player's own balance, and payments that wait for the player's word."""
    held: Money = house.shown_balances.get(f"player/{person.name}", 0)
    now = microseconds()
    return {
        "player": person.name,
        "balance": show(held),
        "consents": [
            consent_json(key, asking, now)
            for key, asking in house.shown_people.consents.items()
            if asking.payment.player == person.name and is_waiting(asking, now)
        ],
    }


def is_waiting(asking: Asking, now: int) -> bool:
    """Whether a payment waits for its player's word."""
    return asking.given is None and asking.until > now


def asked_players(people: People, now: int) -> set[str]:
    """Players for whose word a payment waits."""
    return {asking.payment.player for asking in people.consents.values() if is_waiting(asking, now)}


def consent_json(key: str, asking: Asking, now: int) -> Json:
    """A payment of which a player was asked, as the player and the cage see it."""
    payment = asking.payment
    state = "waiting" if asking.until > now else "unanswered"
    if asking.given is not None:
        state = "confirmed" if asking.given else "declined"
    return {
        "id": key,
        "kind": "buy_in" if isinstance(payment, BuyIn) else "cash_out",
        "player": payment.player,
        "amount": show(payment.amount),
        "by": payment.by,
        "second": payment.second,
        "state": state,
        "seconds": max(0, asking.until - now) // 1_000_000,
    }
