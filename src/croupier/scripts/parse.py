"""Parse JSON into a script. Every field is checked here; an error is one line with its step and field."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias, final, get_args

import msgspec

from croupier.cards import BadCard, Card, parse_cards
from croupier.jackpots.link import Link, new_link
from croupier.jackpots.parameters import Parameters, Rate
from croupier.jackpots.parameters import rate as rate_of
from croupier.money import BadMoney, Money, money
from croupier.rounds import commands
from croupier.rulebooks.documents.editions import UnknownGame
from croupier.rulebooks.incidents import Noticed
from croupier.rulebooks.terms import BadTerms, Terms, table_terms
from croupier.rulebooks.vocabulary import AskRuling, Deal, Dealing, IncidentName, Limits, Place, Role, Rulebook
from croupier.scripts.strict_json import BadJson, decode

Json: TypeAlias = object
Fields: TypeAlias = Mapping[str, Json]
ScriptCards: TypeAlias = Mapping[str, tuple[Card, ...]]

Choice: TypeAlias = Literal["fold", "flop", "check", "turn", "river", "play", "call"]
Option: TypeAlias = Literal["continue", "reconstructed", "return", "withdraw"]
Mode: TypeAlias = Literal["close_table", "disallow_box", "no_jackpot_bets", "restore"]
Decision: TypeAlias = Literal[
    "card_order",
    "intentional",
    "unintentional",
    "prohibit",
    "allow",
    "void",
    "stand",
    "return",
    "reconstructible",
    "not_reconstructible",
    "fold",
    "stop",
    "reopen",
    "release_award",
    "deal_order",
]
CHOICES: tuple[Choice, ...] = get_args(Choice)
OPTIONS: tuple[Option, ...] = get_args(Option)
MODES: tuple[Mode, ...] = get_args(Mode)
DECISIONS: tuple[Decision, ...] = get_args(Decision)
FREE_TEXT = ("note", "comment")
"""Fields with free text for the reader."""

_ROLES = {role.slug: role for role in Role}
_ON_THE_LINK = ("release_award", "deal_order")
_OF_JSON = (str, int, float, list, dict, type(None))
"""Types of JSON; any other value, from Python, is shown as Python writes it."""
_RATE = re.compile(r"(?:0|1)(?:\.[0-9]{1,9})?")


class BadScript(ValueError):
    """The document is not a round script; the message names the step and the field."""


@final
class LinkRuling(msgspec.Struct, frozen=True):
    """A ruling about the order of payment, which concerns the link and not one round."""

    by: Role
    decision: str
    tables: tuple[str, ...] = ()


class Step(msgspec.Struct, frozen=True):
    """One step: what is asked, at which table, and the cards that come with it."""

    index: int
    table: str
    command: commands.RoundCommand | LinkRuling
    cards: ScriptCards | None = None
    every_table: bool = False
    """A fault of the whole link: reported at every table."""


class Script(msgspec.Struct, frozen=True):
    """Tables, their link, and what people did."""

    terms: Mapping[str, Terms]
    link: Link | None
    steps: tuple[Step, ...]


def read_script(text: bytes | str) -> Script:
    """Parse a script from its JSON text."""
    try:
        return parse_script(decode(text))
    except BadJson as wrong:
        raise BadScript(str(wrong)) from None


def parse_script(document: Json) -> Script:
    """Parse a script from its decoded JSON document."""
    if not isinstance(document, dict):
        raise BadScript("A script is a JSON object with tables and steps.")
    _only(document, "The script", "jackpot", "tables", "steps")
    tables = document.get("tables")
    if not isinstance(tables, dict) or not tables:
        raise BadScript('tables: a script names at least one table, as in {"T1": {"game": …}}.')
    link, link_currency = _link(document.get("jackpot"))
    terms = {}
    for name, fields in tables.items():
        terms[name] = _table(name, fields, linked=link is not None, link_currency=link_currency)
        if link is not None and link_currency is None:
            link_currency = terms[name].currency
    steps = document.get("steps")
    if not isinstance(steps, list):
        raise BadScript("steps: a script has a list of steps.")
    return Script(terms, link, tuple(parse_step(index, step, terms) for index, step in enumerate(steps)))


# ---------------------------------------------------------------- the link and the tables


def _link(fields: Json) -> tuple[Link | None, str | None]:
    if fields is None:
        return None, None
    if not isinstance(fields, dict):
        raise BadScript("jackpot: write an object with meter, reset and contribution.")
    _only(fields, "jackpot", "meter", "reset", "contribution", "currency")
    share = fields.get("contribution", "0.00")
    rate = _rate(share) if isinstance(share, str) else None
    if rate is None:
        raise BadScript(f"jackpot.contribution: {_quoted(share)} is not a share from 0 to 1, as in 0.20.")
    meter = _money("jackpot.meter", fields.get("meter"))
    reset = _money("jackpot.reset", fields.get("reset"))
    currency = fields.get("currency")
    if currency is not None and not isinstance(currency, str):
        raise BadScript("jackpot.currency: write a three-letter code, as in SGD.")
    return new_link(meter, Parameters(reset=reset, contribution=rate)), currency


@lru_cache(maxsize=64)
def _rate(share: str) -> Rate | None:
    """Return a share from 0 to 1; None where the text is not one."""
    if _RATE.fullmatch(share) is None or Fraction(share) > 1:
        return None
    return rate_of(Fraction(share))


def _table(name: str, fields: Json, *, linked: bool, link_currency: str | None) -> Terms:
    where = f"tables.{name}"
    if not name:
        raise BadScript("tables: a table needs a name.")
    if not isinstance(fields, dict):
        raise BadScript(f"{where}: a table is an object with a game.")
    _only(fields, where, "game", "dealing", "boxes", "limits", "jackpot_bet", "pay_tables", "rulings", "currency")
    game = fields.get("game")
    if not isinstance(game, str):
        raise BadScript(f"{where}.game: a table names its game.")
    boxes = fields.get("boxes")
    if boxes is not None and (not isinstance(boxes, int) or isinstance(boxes, bool)):
        raise BadScript(f"{where}.boxes: {_quoted(boxes)} is not a number of boxes.")
    jackpot_bet = fields.get("jackpot_bet")
    currency = link_currency if linked and link_currency is not None else _text_or_none(where, fields, "currency")
    try:
        return table_terms(
            game,
            dealing=_text_or_none(where, fields, "dealing"),
            boxes=boxes,
            limits=_limits(f"{where}.limits", fields.get("limits")),
            jackpot_bet=None if jackpot_bet is None else _money(f"{where}.jackpot_bet", jackpot_bet),
            linked=linked,
            pay_tables=_pay_tables(f"{where}.pay_tables", fields.get("pay_tables")),
            rulings=_texts(f"{where}.rulings", fields.get("rulings")),
            currency_code=currency,
        )
    except BadTerms as wrong:
        raise BadScript(f"{where}.{wrong.field}: {wrong}") from None
    except UnknownGame as wrong:
        raise BadScript(f"{where}.game: {wrong}") from None


def _limits(where: str, fields: Json) -> dict[str, Limits]:
    if fields is None:
        return {}
    if not isinstance(fields, dict):
        raise BadScript(f'{where}: limits are an object, as in {{"ante": ["10.00", "500.00"]}}.')
    limits = {}
    for bet, pair in fields.items():
        if not isinstance(pair, list) or len(pair) != 2:
            raise BadScript(f"{where}.{bet}: limits are two amounts, the minimum and the maximum.")
        least, most = (_money(f"{where}.{bet}", amount) for amount in pair)
        if least > most:
            raise BadScript(f"{where}.{bet}: the minimum is above the maximum.")
        limits[bet] = Limits(least, most)
    return limits


def _pay_tables(where: str, fields: Json) -> dict[str, dict[str, str]]:
    if fields is None:
        return {}
    if not isinstance(fields, dict):
        raise BadScript(f'{where}: pay tables are an object, as in {{"ante": {{"flush": "2 to 1"}}}}.')
    return {table: _texts(f"{where}.{table}", rows) for table, rows in fields.items()}


def _texts(where: str, fields: Json) -> dict[str, str]:
    if fields is None:
        return {}
    if not isinstance(fields, dict):
        raise BadScript(f"{where}: write an object of texts.")
    for key, value in fields.items():
        if not isinstance(value, str):
            raise BadScript(f"{where}.{key}: {_quoted(value)} is not a text.")
    return dict(fields)


# ---------------------------------------------------------------- steps


class _Reader:
    """The fields of one step at a table of this book; errors name their place."""

    def __init__(self, index: int | None, fields: Fields, book: Rulebook) -> None:
        self.index, self.fields, self.book = index, fields, book

    @property
    def where(self) -> str:
        return "" if self.index is None else f"step {self.index}, "

    def wrong(self, field: str, what: str) -> BadScript:
        return BadScript(f"{self.where}{field}: {what}")

    def _required(self, field: str) -> Json:
        if field not in self.fields:
            raise self.wrong(field, f"the step {self.fields.get('do')} needs it.")
        return self.fields[field]

    def text(self, field: str) -> str:
        value = self._required(field)
        if not isinstance(value, str) or not value:
            raise self.wrong(field, "it is empty." if value == "" else f"{_quoted(value)} is not a text.")
        return value

    def one_of(self, field: str, words: Sequence[str]) -> str:
        value = self.text(field)
        if value not in words:
            raise self.wrong(field, f'"{value}" is not one of {", ".join(words)}.')
        return value

    def box(self, field: str = "box") -> int:
        return self._number(field, self._required(field))

    def _number(self, field: str, value: Json) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.wrong(field, f"{_quoted(value)} is not a box number.")
        return value

    def boxes(self, field: str) -> tuple[int, ...]:
        """Read several boxes, or a single number."""
        value = self.fields.get(field)
        if value is None:
            return ()
        if not isinstance(value, list):
            return (self._number(field, value),)
        return tuple(self._number(field, number) for number in value)

    def count(self, field: str) -> int | None:
        value = self.fields.get(field)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.wrong(field, f"{_quoted(value)} is not a number of cards.")
        return value

    def flag(self, field: str, default: bool) -> bool:
        value = self.fields.get(field, default)
        if not isinstance(value, bool):
            raise self.wrong(field, f"{_quoted(value)} is neither true nor false.")
        return value

    def maybe_flag(self, field: str) -> bool | None:
        return self.flag(field, False) if self.fields.get(field) is not None else None

    def money(self, field: str) -> Money:
        return _money(f"{self.where}{field}", self._required(field))

    def role(self, default: Role = Role.DEALER) -> Role:
        if "by" not in self.fields:
            return default
        return _ROLES[self.one_of("by", tuple(_ROLES))]

    def maybe(self, field: str) -> str | None:
        return self.text(field) if self.fields.get(field) is not None else None


_FIELDS: dict[str, tuple[str, ...]] = {
    "open": ("cards",),
    "bet": ("player", "box", "bet", "amount", "noticed"),
    "withdraw": ("player", "box", "bet"),
    "close_bets": (),
    "examine": ("player", "box", "noticed"),
    "handle": ("player", "box"),
    "decide": ("box", "choice", "amount", "noticed"),
    "walk_away": ("player",),
    "refuse_reveal": ("box",),
    "prove": ("box",),
    "view_hand": ("box",),
    "restrict": ("player",),
    "report": (
        "incident", "cards", "correct", "count", "boxes", "box", "dealer", "community", "reconstructible",
        "affected", "link", "player", "text",
    ),
    "choose": ("box", "option"),
    "rule": ("decision", "box", "boxes", "player", "tables", "text", "who"),
    "jackpot_mode": ("mode", "box"),
}  # fmt: skip

_STEP_FIELDS = {do: frozenset(("do", "table", "by", *fields, *FREE_TEXT)) for do, fields in _FIELDS.items()}


def parse_step(index: int, fields: Json, terms: Mapping[str, Terms]) -> Step:
    """Parse one step of a script at these tables."""
    if not isinstance(fields, dict):
        raise BadScript(f"step {index}: a step is an object with a field do.")
    do = fields.get("do")
    if not isinstance(do, str) or do not in _FIELDS:
        raise BadScript(f"step {index}, do: {_quoted(do)} is not a step: the steps are {', '.join(_FIELDS)}.")
    if not fields.keys() <= _STEP_FIELDS[do]:
        _only(fields, f"step {index}", "do", "table", "by", *_FIELDS[do])
    table = fields.get("table")
    if table is None:
        if len(terms) > 1:
            raise BadScript(f"step {index}, table: with several tables every step names its own.")
        table = next(iter(terms))
    if not isinstance(table, str) or table not in terms:
        raise BadScript(f"step {index}, table: {_quoted(table)} is not one of the tables {', '.join(terms)}.")
    read = _Reader(index, fields, terms[table].book)
    read.role()  # checked even where the step needs no role
    command = _COMMANDS[do](read)
    unknown = [name for name in command.tables if name not in terms] if type(command) is LinkRuling else []
    if unknown:
        raise read.wrong("tables", f"{_quoted(unknown[0])} is not one of the tables {', '.join(terms)}.")
    cards = _cards(index, fields["cards"], terms[table]) if fields.get("cards") is not None else None
    return Step(index, table, command, cards, every_table=do == "report" and read.flag("link", False))


def parse_command(fields: Fields, book: Rulebook) -> commands.RoundCommand | LinkRuling:
    """Parse one step at a table of this book, as the floor receives it; BadScript names the field."""
    do = fields.get("do")
    if not isinstance(do, str) or do not in _FIELDS:
        raise BadScript(f"do: {_quoted(do)} is not one of {', '.join(_FIELDS)}.")
    _only(fields, "The command", "do", "by", *_FIELDS[do])
    return _COMMANDS[do](_Reader(None, fields, book))


def _place(read: _Reader) -> commands.PlaceBet:
    return commands.PlaceBet(
        player=read.text("player"),
        box=read.box(),
        bet=read.text("bet"),
        amount=read.money("amount"),
        noticed=read.flag("noticed", True),
        by=read.role() if "by" in read.fields else None,
    )


def _decision(read: _Reader) -> commands.DecideHand:
    return commands.DecideHand(
        box=read.box(),
        choice=read.one_of("choice", CHOICES),
        amount=read.money("amount") if "amount" in read.fields else None,
        noticed=read.flag("noticed", True),
    )


def reportable(book: Rulebook) -> tuple[IncidentName, ...]:
    """Return the incidents that a person may report in this game; the program finds the others by itself."""
    return tuple(known.name for known in book.known_incidents if known.noticed is Noticed.BY_REPORT)


def _incident(read: _Reader) -> commands.ReportIncident:
    return commands.ReportIncident(
        incident=read.one_of("incident", reportable(read.book)),
        by=read.role(),
        boxes=read.boxes("boxes") or read.boxes("box"),
        affected=read.boxes("affected"),
        player=read.maybe("player"),
        count=read.count("count"),
        dealer=read.flag("dealer", False),
        community=read.flag("community", False),
        reconstructible=read.maybe_flag("reconstructible"),
        correct=read.flag("correct", False),
        text=read.maybe("text") or "",
    )


def _decisions(book: Rulebook) -> tuple[str, ...]:
    """Return every decision that may be ruled in this game: the common ones, and answers of the book's own entries."""
    asked = (entry.then.answers for entry in book.irregularities if isinstance(entry.then, AskRuling))
    return tuple(dict.fromkeys((*DECISIONS, *(name for answers in asked for name, _ in answers))))


def _ruling(read: _Reader) -> commands.GiveRuling | LinkRuling:
    decision = read.one_of("decision", _decisions(read.book))
    if decision in _ON_THE_LINK:
        named = read.fields.get("tables", [])
        if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
            raise read.wrong("tables", f"{_quoted(named)} is not a list of tables.")
        if decision == "deal_order" and not named:
            raise read.wrong("tables", "a deal order names the tables, the first dealt first.")
        return LinkRuling(read.role(), decision, tuple(named))
    return commands.GiveRuling(
        by=read.role(),
        decision=decision,
        boxes=read.boxes("boxes") or read.boxes("box"),
        player=read.maybe("player"),
        who=read.maybe("who") or "",
        text=read.maybe("text") or "",
    )


_COMMANDS: dict[str, Callable[[_Reader], commands.RoundCommand | LinkRuling]] = {
    "open": lambda _: commands.OpenRound(),
    "bet": _place,
    "withdraw": lambda read: commands.WithdrawBet(player=read.text("player"), box=read.box(), bet=read.text("bet")),
    "close_bets": lambda _: commands.CloseBets(),
    "examine": lambda read: commands.ExamineHand(
        player=read.text("player"), box=read.box(), noticed=read.flag("noticed", True)
    ),
    "handle": lambda read: commands.HandleHand(player=read.text("player"), box=read.box()),
    "decide": _decision,
    "walk_away": lambda read: commands.WalkAway(player=read.text("player")),
    "refuse_reveal": lambda read: commands.RefuseReveal(box=read.box()),
    "prove": lambda read: commands.ProveHand(box=read.box()),
    "view_hand": lambda read: commands.ViewHand(by=read.role(), box=read.box()),
    "restrict": lambda read: commands.RestrictPlayer(by=read.role(), player=read.text("player")),
    "report": _incident,
    "choose": lambda read: commands.ChooseOption(box=read.box(), option=read.one_of("option", OPTIONS)),
    "rule": _ruling,
    "jackpot_mode": lambda read: commands.SetJackpotMode(
        by=read.role(),
        mode=read.one_of("mode", MODES),
        box=read.box() if read.fields.get("box") is not None else None,
    ),
}


# ---------------------------------------------------------------- cards, money, words


def _cards(index: int, fields: Json, terms: Terms) -> dict[str, tuple[Card, ...]]:
    """Read the places of cards: box numbers, `dealer` and `community`."""
    if not isinstance(fields, dict):
        raise BadScript(f'step {index}, cards: write an object of places, as in {{"1": "Ah Kh"}}.')
    board, room = _room(terms.dealing, terms.boxes)
    cards: dict[str, tuple[Card, ...]] = {}
    named: dict[Card, str] = {}
    for place, text in fields.items():
        where = f"step {index}, cards.{place}"
        if place not in room:
            raise BadScript(f"{where}: the places are dealer, community and the boxes 1 to {terms.boxes}.")
        if not isinstance(text, str):
            raise BadScript(f"{where}: {_quoted(text)} is not a text of cards.")
        try:
            cards[place] = parse_cards(text)
        except BadCard as wrong:
            raise BadScript(f"{where}: {wrong}") from None
        if len(cards[place]) > room[place]:
            raise BadScript(f"{where}: {len(cards[place])} cards are named where {room[place]} are dealt.")
        for card in cards[place]:
            if card in named:
                raise BadScript(f"{where}: {card} is named twice, here and for {named[card]}.")
            named[card] = place
    if len(cards.get(Place.COMMUNITY, ())) > board:
        # A packet is named whole; its surplus card is the one thrown away.
        cards[Place.BURN] = cards[Place.COMMUNITY][board:]
        cards[Place.COMMUNITY] = cards[Place.COMMUNITY][:board]
    return cards


@lru_cache(maxsize=64)
def _room(dealing: Dealing, boxes: int) -> tuple[int, Mapping[str, int]]:
    """Return how many Community Cards are dealt, and how many cards a script may name for each place."""
    thrown_away = sum(step.each for step in dealing.steps if isinstance(step, Deal) and step.left_over)
    board, hand = dealing.cards_to(Place.COMMUNITY), dealing.cards_to(Place.BOXES)
    room = {"community": board + thrown_away, "dealer": dealing.cards_to(Place.DEALER)}
    return board, {**room, **{str(number): hand for number in range(1, boxes + 1)}}


def _money(where: str, value: Json) -> Money:
    if value is None:
        raise BadScript(f'{where}: write an amount of money, as in "50.00".')
    if not isinstance(value, str):
        raise BadScript(f'{where}: {_quoted(value)} is not an amount of money: write a text as in "50.00".')
    try:
        return money(value)
    except BadMoney as wrong:
        raise BadScript(f"{where}: {wrong}") from None


def _text_or_none(where: str, fields: Fields, field: str) -> str | None:
    value = fields.get(field)
    if value is not None and not isinstance(value, str):
        raise BadScript(f"{where}.{field}: {_quoted(value)} is not a text.")
    return value


def _only(fields: Fields, where: str, *known: str) -> None:
    for field in fields:
        if field not in known and field not in FREE_TEXT:
            raise BadScript(f"{where}: there is no field {_quoted(field)}; the fields are {', '.join(known)}.")


def _quoted(value: Json) -> str:
    """Return a value as the script has it, shortened to fit one line."""
    try:
        text = msgspec.json.encode(value).decode() if isinstance(value, _OF_JSON) else repr(value)
    except (TypeError, ValueError, OverflowError):
        text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
