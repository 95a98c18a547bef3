"""Another game from the same rulebook: a pay table, a multiple, a qualification or a reading changed, by its path."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from croupier.cards import Rank, ThreeCardRank, slug
from croupier.cards.cards import face_name
from croupier.lab.model.game import LabError
from croupier.money import BadMoney, Money, money
from croupier.rulebooks.readings import readings_of
from croupier.rulebooks.terms import BadTerms, Terms, table_terms
from croupier.rulebooks.vocabulary import AtLeast, BetKind, HandKind, PayTable, Qualification, Rulebook

__all__ = ["BadChange", "changed_terms"]

replace = msgspec.structs.replace

_WORDS = {face_name(face).lower(): face for face in range(2, 15)}
_FACES = {**_WORDS, **{name + "s": face for name, face in _WORDS.items()}, "sixes": 6}
_FACES |= {str(face): face for face in range(2, 11)} | {f"{face}s": face for face in range(2, 11)}
_FACES |= {"j": 11, "q": 12, "k": 13, "a": 14, "t": 10}


class BadChange(LabError):
    """A change that this game does not have."""


class Changes:
    """The changes asked for, sorted by what they touch."""

    def __init__(self, game: str, asked: Iterable[str]) -> None:
        self.game = game
        self.pay_tables: dict[str, dict[str, str]] = {}
        self.struck: dict[str, set[str]] = {}
        self.rulings: dict[str, str] = {}
        self.multiples: dict[str, int] = {}
        self.jackpot_bet: Money | None = None
        self.ante_pays_from: str | None = None
        self.qualification: str | None = None
        for each in asked:
            path, equals, value = each.partition("=")
            if not equals or not path.strip() or not value.strip():
                raise BadChange(f'{each!r} is not a change: write PATH=VALUE, as in "pay_tables.bonus.aces=25 to 1".')
            self._sort(path.strip(), value.strip())

    def _sort(self, path: str, value: str) -> None:
        match path.split("."):
            case ["pay_tables", table, row] if value.lower() in ("none", "nothing", "0"):
                self.struck.setdefault(table, set()).add(row)
            case ["pay_tables", table, row]:
                self.pay_tables.setdefault(table, {})[row] = value
            case ["rulings" | "readings", name]:
                self.rulings[name] = value
            case [name] if name in readings_of(self.game):
                self.rulings[name] = value
            case ["bets", bet, "times_ante"] | ["multiples", bet]:
                if not (value.isascii() and value.isdecimal()) or not 1 <= int(value) <= 100:
                    raise BadChange(f"{path} is a whole multiple of the Ante from 1 to 100, not {value!r}.")
                self.multiples[bet] = int(value)
            case ["showdown", "ante_pays_from"] | ["ante_pays_from"]:
                self.ante_pays_from = value
            case ["showdown", "qualification"] | ["showdown", "qualification", "at_least"] | ["qualification"]:
                self.qualification = value
            case ["jackpot_bet"]:
                self.jackpot_bet = _money(path, value)
            case _:
                raise BadChange(
                    f"{path!r} cannot be changed: the paths are pay_tables.BET.ROW, rulings.ID, bets.BET.times_ante, "
                    "showdown.ante_pays_from, showdown.qualification and jackpot_bet."
                )


def changed_terms(game: str, asked: Iterable[str] = (), jackpot_bet: str | None = None) -> Terms:
    """Return the terms of this game with these changes. Raises BadChange or BadTerms."""
    changes = Changes(game, asked)
    bet = changes.jackpot_bet if jackpot_bet is None else _money("jackpot_bet", jackpot_bet)
    _refuse_strange_tables(game, {*changes.pay_tables, *changes.struck})
    try:
        terms = table_terms(game, pay_tables=changes.pay_tables, rulings=changes.rulings, jackpot_bet=bet)
    except BadTerms as wrong:
        # A table's own message may lack the place.
        says = str(wrong)
        raise BadTerms(wrong.field, says if wrong.field in says else f"{wrong.field}: {says}") from None
    book = _with_strikes(terms.book, changes.struck)
    book = _with_multiples(book, changes.multiples)
    if changes.ante_pays_from is not None:
        book = _paying_from(book, changes.ante_pays_from)
    if changes.qualification is not None:
        book = _qualifying(book, changes.qualification)
    return replace(terms, book=book, bets={bet.name: bet for bet in book.bets})


def _refuse_strange_tables(game: str, asked: set[str]) -> None:
    book = table_terms(game).book
    known = [side.bet for side in book.side_bets] + ["jackpot"]
    if book.showdown.ante_table is not None:
        known.insert(0, "ante")
    strange = sorted(asked - set(known))
    if strange:
        raise BadChange(f'{game} has no pay table "{strange[0]}": it has {", ".join(known)}.')


def _money(path: str, value: str) -> Money:
    try:
        return money(f"{value}.00" if value.isdigit() else value)
    except BadMoney as wrong:
        raise BadTerms(path, f"{path}: {wrong}") from None


def _with_strikes(book: Rulebook, struck: Mapping[str, set[str]]) -> Rulebook:
    """Take rows out of pay tables."""
    for name, rows in struck.items():
        side = next((each for each in book.side_bets if each.bet == name), None)
        if name == "jackpot":
            _refuse_strangers(name, rows, {award.hand for award in book.jackpot.awards})
            kept = tuple(award for award in book.jackpot.awards if award.hand not in rows)
            book = replace(book, jackpot=replace(book.jackpot, awards=kept))
        elif name == "ante" and book.showdown.ante_table is not None:
            table = _without(name, book.showdown.ante_table, rows)
            book = replace(book, showdown=replace(book.showdown, ante_table=table))
        else:
            assert side is not None
            less = replace(side, table=_without(name, side.table, rows))
            book = replace(book, side_bets=tuple(less if each is side else each for each in book.side_bets))
    return book


def _without(name: str, table: PayTable, rows: set[str]) -> PayTable:
    _refuse_strangers(name, rows, {row for row, _ in table.rows})
    return PayTable(table.rules, tuple((row, pays) for row, pays in table.rows if row not in rows))


def _refuse_strangers(name: str, rows: set[str], known: set[str]) -> None:
    strange = sorted(rows - known)
    if strange:
        raise BadChange(f'The pay table "{name}" has no row {strange[0]!r}: it has {", ".join(sorted(known))}.')


def _with_multiples(book: Rulebook, multiples: Mapping[str, int]) -> Rulebook:
    known = {bet.name for bet in book.bets if bet.kind is BetKind.DECISION}
    for name in multiples:
        if name not in known:
            raise BadChange(f'{book.game} has no decision bet "{name}": it has {", ".join(sorted(known))}.')
    bets = (replace(bet, times_ante=multiples.get(bet.name, bet.times_ante)) for bet in book.bets)
    return replace(book, bets=tuple(bets))


def _paying_from(book: Rulebook, text: str) -> Rulebook:
    if book.showdown.hand is HandKind.THREE_CARDS or book.showdown.ante_table is not None:
        raise BadChange(f"{book.game} does not pay its Ante from a rank on.")
    if _plain(text) == "none":
        return replace(book, showdown=replace(book.showdown, ante_pays_from=None))
    ranks = {slug(rank): rank for rank in Rank}
    rank = ranks.get(_plain(text))
    if rank is None:
        raise BadChange(f"The Ante cannot be paid from {text!r} on: write none or a rank of {', '.join(ranks)}.")
    return replace(book, showdown=replace(book.showdown, ante_pays_from=rank))


def _qualifying(book: Rulebook, text: str) -> Rulebook:
    showdown = book.showdown
    if _plain(text) == "none":
        return replace(book, showdown=replace(showdown, qualification=None))
    least = _at_least(text, showdown.hand)
    before = showdown.qualification
    if before is None:
        qualification = Qualification(least, rules=(), ante=(), others=())
    else:
        qualification = replace(before, at_least=least)
    return replace(book, showdown=replace(showdown, qualification=qualification))


def _at_least(text: str, hand: HandKind) -> AtLeast:
    """Read "pair of 4s", "queen high" or "straight"."""
    ranks: dict[str, int] = {slug(rank): rank for rank in (ThreeCardRank if hand is HandKind.THREE_CARDS else Rank)}
    plain = _plain(text)
    if plain in ranks:
        return AtLeast(ranks[plain], 0, f"a {plain.replace('_', ' ')}")
    high = re.fullmatch(r"(\w+)_high", plain)
    if high and high[1] in _FACES:
        return AtLeast(ranks["odd_cards"], _FACES[high[1]], f"{face_name(_FACES[high[1]])} high")
    made = re.fullmatch(r"(\w+?)(?:_of)?_([a-z0-9]+)", plain)
    if made and made[1] in ranks and made[2] in _FACES:
        face = _FACES[made[2]]
        return AtLeast(ranks[made[1]], face, f"a {made[1].replace('_', ' ')} of {face_name(face)}s")
    raise BadChange(
        f'{text!r} is not a hand to qualify with: write it as in "pair of 4s", "queen high", "straight", "none".'
    )


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", "_", text.strip().lower())
