"""What a person may send to a table, and the command that it becomes; the server says who sends, never the client."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from croupier.cards import BadCard, Card, parse_cards
from croupier.floor.duties.permissions import PIT, Action, Post
from croupier.floor.people.assignments import refusal
from croupier.floor.people.people import Person
from croupier.floor.records import commands
from croupier.floor.records.refusals import Code, Refused
from croupier.floor.records.tables import Table
from croupier.jackpots.commands import DenyAward, ReleaseAward, RuleDealOrder, SignAward
from croupier.money import BadMoney, Money, money
from croupier.rounds import commands as round_commands
from croupier.rounds.reconstruction.layouts import BadFacts, check_facts
from croupier.rulebooks.vocabulary import BoxNo, ChipMove
from croupier.scripts.parse import BadScript, LinkRuling, parse_command

ACTIONS = {
    "bet": Action.PLAY,
    "withdraw": Action.PLAY,
    "examine": Action.PLAY,
    "handle": Action.PLAY,
    "walk_away": Action.PLAY,
    "decide": Action.PLAY,
    "choose": Action.PLAY,
    "refuse_reveal": Action.PLAY,
    "prove": Action.PLAY,
    "open": Action.DEAL,
    "close_bets": Action.DEAL,
    "deal": Action.DEAL,
    "turn": Action.DEAL,
    "confirm_acts": Action.CONFIRM_ACTS,
    "enter_act": Action.CONFIRM_ACTS,
    "resolve_mispay": Action.DEAL,
    "note_mispay": Action.RULE,
    "report": Action.REPORT,
    "rule": Action.RULE,
    "restrict": Action.RULE,
    "view_hand": Action.RULE,
    "jackpot_mode": Action.TAKE_MEASURES,
    "verify_award": Action.VERIFY_AWARD,
    "deny_award": Action.RULE,
    "change_terms": Action.OPEN_TABLES,
    "close_table": Action.OPEN_TABLES,
    "reopen_table": Action.OPEN_TABLES,
}
"""The permission that each step of a round script takes; staff may also do a player's steps for them."""

LONGEST_TEXT = 400
_FOR_A_PLAYER = Action.BET_FOR_A_PLAYER
_NAMES_A_PLAYER = ("bet", "withdraw", "examine", "handle", "walk_away")
_NAMES_A_BOX = ("decide", "choose", "refuse_reveal", "prove")


class NotAllowed(Refused):
    """The person may not send this command."""

    def __init__(self, action: Action, message: str) -> None:
        super().__init__(Code.NOT_ALLOWED, message)
        self.action = action


class BadRequest(Refused):
    """What a person sent is not a command; the sentence begins with the field."""

    def __init__(self, message: str) -> None:
        super().__init__(Code.BAD_REQUEST, message)


def action_of(person: Person, do: str) -> Action:
    """Return the permission that a step takes; staff take a player's steps for them."""
    action = ACTIONS[do]
    return _FOR_A_PLAYER if action is Action.PLAY and person.post.role is not None else action


def may_step(person: Person | None, table: Table, do: str) -> bool:
    """Return whether post and assignment let a person send this step to a table; then the rules judge it."""
    if person is None or not table.ours:
        return False
    return person.may(action_of(person, do)) and not refusal(person, table.name, table.config)


def is_own_box(person: Person, table: Table, box: BoxNo) -> bool:
    """Return whether a player decides for this box."""
    return table.round.box(box).seated == person.name


def command_for(person: Person, table: Table, sent: Mapping[str, object]) -> commands.HouseCommand:
    """Return the command that a person sends to a table; raises NotAllowed or BadRequest."""
    do = sent.get("do")
    if not isinstance(do, str) or do not in ACTIONS:
        raise BadRequest(f"do: it is one of {', '.join(ACTIONS)}.")
    staff = person.post.role is not None
    action = action_of(person, do)
    if not person.may(action):
        raise NotAllowed(action, f"{person.post.who} may not {do.replace('_', ' ')} at a table.")
    if (own := _house_command(person, table, do, sent)) is not None:
        return own
    unscripted = ("by", "cards", "id", "round", "decided", "felt")
    fields = {key: value for key, value in sent.items() if key not in unscripted}
    if person.post is Post.PLAYER:
        _restrict_to_own(person, table, do, fields)
    elif staff and do not in ("open", "close_bets", "deal", "turn"):
        assert person.post.role is not None
        fields["by"] = person.post.role.slug
        if do in _NAMES_A_PLAYER and do != "bet":
            fields.pop("by")
        if do == "rule":
            fields["who"] = person.name
    command = _parsed(table, do, sent, fields)
    if isinstance(command, LinkRuling):
        if command.decision == "release_award":
            return ReleaseAward(table=table.name, by=command.by)
        return RuleDealOrder(table=table.name, by=command.by, tables=command.tables)
    if isinstance(command, round_commands.GiveRuling) and command.decision == "card_order" and person.post in PIT:
        _check_order(command)
    if isinstance(command, round_commands.GiveRuling) and (felt := sent.get("felt")) is not None:
        command = replace(command, facts=checked_facts(table, felt))
    return commands.AtTable(
        table=table.name, command=command, round=_number(sent, "round"), decided=_number(sent, "decided")
    )


def _check_order(ruling: round_commands.GiveRuling) -> None:
    """Refuse an order of cards that does not say where they go: the dealer could not carry it out."""
    if not ruling.text.strip():
        raise BadRequest("Say where each card goes before you rule: the dealer lays the cards by your order.")


def checked_facts(table: Table, sent: object) -> round_commands.FeltFacts:
    """Read what a person says of the cards on the felt; raises BadRequest."""
    try:
        told = msgspec.convert(sent, dict[str, object])
        piles = msgspec.convert(told.get("piles"), dict[str, dict[str, object]])
        spread = {place: {**pile, "cards": str(pile.get("cards", "")).split()} for place, pile in piles.items()}
        facts = msgspec.convert({**told, "piles": spread}, round_commands.FeltFacts)
        check_facts(table.terms, table.round.hands, facts)
    except (msgspec.ValidationError, BadFacts) as wrong:
        raise BadRequest(f"felt: {wrong}") from None
    return facts


def _number(sent: Mapping[str, object], field: str) -> int | None:
    """Return the round or decision that the command is for, where its sender names it."""
    number = sent.get(field)
    if number is None:
        return None
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 2**53:
        raise BadRequest(f"{field}: a number from 0 on.")
    return number


def _house_command(person: Person, table: Table, do: str, sent: Mapping[str, object]) -> commands.HouseCommand | None:
    """Return the command of a step that round scripts do not have."""
    match do:
        case "verify_award":
            return SignAward(table=table.name, award=_award(sent), by=person.name)
        case "deny_award":
            return _denied(person, table, sent)
        case "confirm_acts" | "enter_act" | "resolve_mispay" | "note_mispay":
            command = _settlement_command(person, do, sent)
            return commands.AtTable(table=table.name, command=command, round=_number(sent, "round"))
        case "change_terms":
            return changed_terms(table.name, person, sent)
        case "close_table":
            return commands.CloseTable(table=table.name, by=person.name)
        case "reopen_table":
            return commands.ReopenTable(table=table.name, by=person.name)
        case _:
            return None


def _settlement_command(person: Person, do: str, sent: Mapping[str, object]) -> round_commands.RoundCommand:
    """Return what a person, or a chip reader, says of the acts of a settlement."""
    role, who = person.post.role, person.name
    match do:
        case "confirm_acts":
            numbers = sent.get("acts")
            if not isinstance(numbers, list | tuple) or not all(isinstance(n, int) and n >= 0 for n in numbers):
                raise BadRequest("acts: the numbers of the acts, in their order.")
            return round_commands.ConfirmActs(acts=tuple(numbers), who=who, by=role)
        case "enter_act":
            act, did = _number(sent, "act"), sent.get("did")
            if act is None or did not in (ChipMove.TAKE.value, ChipMove.PAY.value):
                raise BadRequest("enter_act: the number of the act, and did: take or pay.")
            amount = amount_in("amount", sent.get("amount"))
            return round_commands.EnterAct(act=act, did=ChipMove(did), amount=amount, who=who, by=role)
    assert role is not None, "only staff resolve and note mispays"
    text = sent.get("text") or ""
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise BadRequest(f"text: at most {LONGEST_TEXT} characters.")
    if do == "resolve_mispay":
        put_right = sent.get("put_right")
        if not isinstance(put_right, bool):
            raise BadRequest("put_right: true where the chips were put right, false where the mispay stands.")
        return round_commands.ResolveMispay(by=role, who=who, put_right=put_right, text=text.strip())
    earlier, box, player, bet = _number(sent, "earlier"), _number(sent, "box"), sent.get("player"), sent.get("bet")
    if earlier is None or box is None or not isinstance(player, str) or not isinstance(bet, str):
        raise BadRequest("note_mispay: the earlier round, box, player and bet.")
    over = amount_in("amount", sent.get("amount"))
    over = over if sent.get("overpaid") is True else -over
    return round_commands.NoteMispay(
        by=role, who=who, round=earlier, box=box, player=player, bet=bet, over=over, text=text.strip()
    )


def changed_terms(table: str, person: Person, sent: Mapping[str, object]) -> commands.ChangeTerms:
    """Return the change of limits, jackpot Bet and stakeboard that a person sends; raises BadRequest."""
    limits, pay_tables, jackpot_bet = sent.get("limits") or {}, sent.get("pay_tables") or {}, sent.get("jackpot_bet")
    if not isinstance(limits, dict) or not all(_is_pair(pair) for pair in limits.values()):
        raise BadRequest('limits: two amounts for each bet, as in {"ante": ["10.00", "500.00"]}.')
    if not isinstance(pay_tables, dict) or not all(_is_lines(rows) for rows in pay_tables.values()):
        raise BadRequest('pay_tables: lines for each bet, as in {"bonus": {"flush": "8 to 1"}}.')
    boxes = sent.get("box_limits") or {}
    if not isinstance(boxes, dict):
        raise BadRequest('box_limits: an amount for each box, as in {"3": "200.00"}.')
    return commands.ChangeTerms(
        table=table,
        by=person.name,
        limits={bet: (amount_in("limits", pair[0]), amount_in("limits", pair[1])) for bet, pair in limits.items()},
        jackpot_bet=None if jackpot_bet is None else amount_in("jackpot_bet", jackpot_bet),
        pay_tables=pay_tables,
        confirms=_confirms(sent.get("confirms")),
        box_limits={str(box): amount_in("box_limits", most) for box, most in boxes.items()},
    )


def amount_in(field: str, sent: object) -> Money:
    """Read an amount that a client sent; raises BadRequest."""
    try:
        return money(str(sent))
    except BadMoney as wrong:
        raise BadRequest(f"{field}: {wrong}") from None


def _confirms(sent: object) -> round_commands.Confirming | None:
    if sent is None:
        return None
    ways = {way.value: way for way in round_commands.Confirming}
    if not isinstance(sent, str) or sent not in ways:
        raise BadRequest(f"confirms: it is one of {', '.join(ways)}.")
    return ways[sent]


def _is_pair(amounts: object) -> bool:
    return isinstance(amounts, list | tuple) and len(amounts) == 2


def _is_lines(rows: object) -> bool:
    return isinstance(rows, dict) and all(isinstance(pays, str) for pays in rows.values())


def _restrict_to_own(person: Person, table: Table, do: str, fields: dict[str, object]) -> None:
    """Let a player act only for themself and for the boxes at which they are seated."""
    fields.pop("noticed", None)
    if do in _NAMES_A_PLAYER:
        fields["player"] = person.name
    if do in _NAMES_A_BOX:
        box = fields.get("box")
        if not isinstance(box, int) or isinstance(box, bool) or not 1 <= box <= len(table.round.boxes):
            return  # the rules refuse it
        if not is_own_box(person, table, box):
            raise NotAllowed(Action.PLAY, f"Box {box} is not yours to decide.")


def _parsed(
    table: Table, do: str, sent: Mapping[str, object], fields: Mapping[str, object]
) -> round_commands.RoundCommand | LinkRuling:
    if do == "deal":
        return round_commands.DealCards()
    if do == "turn":
        return round_commands.TurnCards(cards=cards_in(sent.get("cards")))
    try:
        return parse_command(fields, table.terms.book)
    except BadScript as wrong:
        raise BadRequest(str(wrong)) from None


def _denied(person: Person, table: Table, sent: Mapping[str, object]) -> DenyAward:
    assert person.post.role is not None, "only staff may rule"
    text = sent.get("text")
    if not isinstance(text, str) or not 1 <= len(text) <= LONGEST_TEXT:
        raise BadRequest(f"text: why the claim does not prove right, in 1 to {LONGEST_TEXT} characters.")
    return DenyAward(table=table.name, award=_award(sent), by=person.post.role, who=person.name, text=text.strip())


def _award(sent: Mapping[str, object]) -> int:
    number = sent.get("award")
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number < 2**53:
        raise BadRequest("award: the number of the award, as the link shows it.")
    return number


def cards_in(sent: object) -> dict[str, tuple[Card, ...]]:
    """Read the cards that a person sends, by place; raises BadRequest."""
    if not isinstance(sent, dict):
        raise BadRequest('cards: an object of places, as in {"1": "Ah Kh"}.')
    cards: dict[str, tuple[Card, ...]] = {}
    for place, text in sent.items():
        if not isinstance(text, str):
            raise BadRequest(f"cards.{place[:20]}: a text of cards, as in Ah Kh.")
        try:
            cards[place] = parse_cards(text)
        except BadCard as wrong:
            raise BadRequest(f"cards.{place[:20]}: {wrong}") from None
    return cards
