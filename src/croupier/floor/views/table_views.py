"""A table and its Round as each viewer may see them: one view for players, dealers, the pit, displays and replays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache, partial
from typing import NamedTuple, TypeAlias, TypeVar, cast

import msgspec
from msgspec import UNSET, UnsetType

from croupier.cards import Card, best_five, cards_of_best, five_card_name, three_card, three_card_name
from croupier.floor.duties.permissions import Post
from croupier.floor.house.memory.shown_state import CommittedState
from croupier.floor.people.authorization import ACTIONS, is_own_box, may_step
from croupier.floor.people.people import Person, sees_names
from croupier.floor.records.facts import TableFact
from croupier.floor.records.tables import Table
from croupier.floor.views import terms_views
from croupier.floor.views.aliases import Aliases, Seat, seats_at, seats_of
from croupier.floor.views.award_views import AwardView, award_view
from croupier.floor.views.settlement_views import SettlingView, settling_view
from croupier.jackpots.link import Case
from croupier.money import show
from croupier.rounds import standing_mispays
from croupier.rounds import views as rounds_views
from croupier.rounds.bet_placement import NOTHING_ELSEWHERE, Elsewhere, LawfulBet, LawfulWithdrawal
from croupier.rounds.choices import LawfulChoice, LawfulMove
from croupier.rounds.commands import FACE_DOWN, SetJackpotMode
from croupier.rounds.events import BetSettled, HandExamined, Outcome, RulingGiven
from croupier.rounds.irregularities import previews
from croupier.rounds.irregularities.previews import Effect
from croupier.rounds.irregularities.reports import follows_when_late
from croupier.rounds.irregularities.rulings import set_jackpot_mode
from croupier.rounds.refusal import Refusal
from croupier.rounds.settlement import qualifies
from croupier.rounds.settlement_acts import cannot_open
from croupier.rounds.state import Box, HandStands, LetStand, Round, Stage
from croupier.rounds.views import RoundView, Seen, StakeView, Viewer, view
from croupier.rulebooks import terms as rules
from croupier.rulebooks.vocabulary import BoxNo, ChipMove, HandKind, Role
from croupier.structs import extended

S = TypeVar("S")
T = TypeVar("T")
Cards: TypeAlias = tuple[Card | str, ...]

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
    Post.CHIP_READER: Viewer.DISPLAY,
    Post.EXAMINER: Viewer.DISPLAY,
    Post.LEARNER: Viewer.DISPLAY,
}


class Stake(msgspec.Struct, frozen=True, gc=False):
    """Chips of a player on one bet of a box."""

    player: str
    bet: str
    amount: str


class BoxView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A betting box; a card that lies face down is `??`."""

    box: int
    stakes: tuple[Stake, ...]
    returned: tuple[Stake, ...]
    """Chips that are no longer in play and go back at the settlement."""
    stands: HandStands
    choices: tuple[str, ...]
    """What the box has decided so far."""
    cards: tuple[str, ...]
    hand: str
    """The name of the hand, as soon as the visible cards make one."""
    best: tuple[str, ...]
    """The five cards that make the hand, once it has more than five to choose from."""
    examined_by: tuple[str, ...]
    may_examine: bool
    """The viewer may look at this hand now."""
    declined: bool = False
    """Its player has declined to show the hand."""


class ChoiceView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A decision that the viewer may make now, and what it costs."""

    box: int
    choice: str
    costs: str
    rules: tuple[str, ...]
    bet: str | None
    """The bet that the choice places."""
    when_late: bool = False
    """It is made for a player whose time is up."""
    loses_when_late: str = ""
    """What the viewer loses where time is up at this box, whichever choices it has; empty for nothing."""


class PlaceableBet(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A bet that the viewer may place now, and how much of it."""

    box: int
    bet: str
    least: str
    most: str
    amounts: tuple[str, ...]
    """The only amounts that are accepted, where the rules prescribe them."""
    rules: tuple[str, ...]


class Withdrawal(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A bet that the viewer may take back now."""

    box: int
    bet: str
    amount: str
    stays_live: bool
    """It is won or lost all the same."""
    rules: tuple[str, ...]


class Move(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Anything else that the viewer may do: the command `do`, with its box and option where it names them."""

    do: str
    """`walk_away`, `refuse_reveal`, `prove` or `choose`."""
    box: int | None
    option: str | None
    rules: tuple[str, ...]
    loses: str = ""
    """What it loses, where the rules name the bets; empty for nothing."""


class EffectView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What becomes of the chips of one box."""

    effect: Effect
    returned: str
    lost: str
    in_play: str


class Lawful(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A lawful answer to what the round waits for, with what it does to the money of every box."""

    incident: str
    says: str
    """What has happened, as a sentence without its full stop."""
    answer: str
    by: str | None
    """The lowest role that may rule; null where a box chooses."""
    may: bool
    """The viewer may give this answer now."""
    box: int | None
    named: tuple[int, ...]
    """The boxes that the report named."""
    rules: tuple[str, ...]
    money: Mapping[str, EffectView]
    """By box."""


class LetStandView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A mispay of a bet that stands by a ruling."""

    move: ChipMove
    due: str
    did: ChipMove
    amount: str
    over: str
    """What the player was overpaid; below zero what they were underpaid."""
    who: str
    """Who let it stand."""
    text: str
    """Why."""


class Line(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A settled bet and its reason."""

    box: int
    player: str
    bet: str
    staked: str
    outcome: Outcome
    won: str
    returned: str
    rules: tuple[str, ...]
    because: str
    let_stand: tuple[LetStandView, ...] = ()
    """Mispays that stand: the bet came to what was due and what each of them is over."""


class DealerView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The dealer's hand."""

    cards: tuple[str, ...]
    hand: str
    best: tuple[str, ...]
    """The five cards that make the hand, once it has more than five to choose from."""
    qualifies: bool | None
    """Null before the settlement, and where the game asks for no such hand."""


class ServerClock(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The clock of a table that runs by itself, in seconds."""

    phase: str
    left: float
    of: float


class PhaseTime(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """How long a table has been in its present phase, by the house's own clock."""

    seconds: float
    alarm_after: int | None
    """Seconds after which the pit looks at it; null where the table may rest."""
    restarted: str | None = None
    """When the server began again in the middle of this round; null where it did not, and once the round is over."""


class TableView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A table and its round as the viewer may see them. What depends on where the view is shown stands at the end."""

    table: str
    game: str
    edition: str
    """The game with its version; its rulebook is found by it."""
    commitment: str | None
    """The commitment to the deck in play."""
    closed: bool
    """No further round begins."""
    limits: terms_views.Limits
    jackpot_bet: str | None
    pay_tables: terms_views.PayTables
    box_limits: Mapping[str, str]
    """Boxes that the pit has limited, each with the most that may lie there as Ante."""
    coming: terms_views.Coming | None
    round: int
    stage: Stage
    community: tuple[str, ...]
    dealer: DealerView
    boxes: tuple[BoxView, ...]
    choices: tuple[ChoiceView, ...]
    """This and the three lists below are a player's; for others they are empty."""
    bets: tuple[PlaceableBet, ...]
    withdrawals: tuple[Withdrawal, ...]
    moves: tuple[Move, ...]
    awaiting: tuple[Lawful, ...]
    lines: tuple[Line, ...]
    notice: bool
    """A notice at the table says that no jackpot bets are taken."""
    may: tuple[str, ...] = ()
    """Steps that staff may take at this table, by post, assignment and role; empty in a replay."""
    settling: SettlingView | None = None
    """The acts of the settlement, where they are confirmed; for those who confirm or watch them."""
    awards: list[AwardView] | UnsetType = UNSET
    """Award cases of this round; in a replay they stand beside the steps."""
    earlier_awards: list[AwardView] | UnsetType = UNSET
    """Open award cases of earlier rounds at this table."""
    terms: terms_views.Terms | UnsetType = UNSET
    """Only in the answer of `GET /api/tables/NAME`."""
    seq: int | UnsetType = UNSET
    """The number of the table's last event; not in replays."""
    clock: ServerClock | UnsetType | None = UNSET
    """In live messages; null where nothing is counted down."""
    phase: PhaseTime | UnsetType = UNSET
    """In live messages."""


def viewer_key(person: Person | None, signers: Collection[str] = ()) -> str:
    """Return a key; two people with the same key see the same of a table."""
    if person is None or person.post is Post.DISPLAY:
        return Post.DISPLAY.value
    if person.post is Post.PLAYER or person.name in signers:
        return f"{person.post}/{person.name}"
    if person.post.role is None and person.post is not Post.CHIP_READER:
        return person.post.value  # the cage and those who check each see other names and signatures
    return f"{person.post} {person.pits} {person.tables} {person.handed_over}"


class _BoxesShown(NamedTuple):
    """The boxes that a viewer was shown, and what they were made from."""

    aliases: Aliases
    terms: rules.Terms
    community: Cards
    seen: tuple[rounds_views.BoxView, ...]
    told: tuple[BoxView, ...]


class Memory:
    """What one viewer was shown of one table last: parts of the view that have not changed are used again."""

    def __init__(self, of_table: Memory | None = None) -> None:
        """`of_table` remembers the parts that are the same for all viewers of the table."""
        self.seen = Seen()
        self.boxes: _BoxesShown | None = None
        self.of_table = of_table or self
        self._parts: dict[str, tuple[object, object]] = {}
        self._state: Round | None = None
        self._seats: tuple[Seat, ...] = ()
        self._seats_at: list[tuple[Box, list[Seat]]] = []
        self._lines: tuple[BetSettled, ...] = ()

    def part(self, name: str, source: S, build: Callable[[S], T]) -> T:
        """Return a part of the view that depends on this source and the person alone; built where that has changed."""
        before = self._parts.get(name)
        if before is not None and (before[0] is source or before[0] == source):
            return cast("T", before[1])  # the part of this name, made from an equal source
        built = build(source)
        self._parts[name] = (source, built)
        return built

    def seats(self, state: Round) -> tuple[Seat, ...]:
        """Return who bets on which box of a Round, each seat once: the same object for as long as they are the same."""
        if self._state is state:
            return self._seats
        self._state = state
        moved = len(self._seats_at) != len(state.boxes) or self._lines is not state.lines
        if moved:
            self._lines, self._seats_at = state.lines, [(box, seats_at(box)) for box in state.boxes]
        for index, box in enumerate(state.boxes):
            known, before = self._seats_at[index]
            if known is not box:
                now = seats_at(box)
                self._seats_at[index] = (box, now)
                moved = moved or now != before
        if moved:
            at_boxes = [seat for _, seats in self._seats_at for seat in seats]
            seats = tuple(dict.fromkeys([*at_boxes, *[(line.box, line.player) for line in state.lines]]))
            if seats != self._seats:
                self._seats = seats
        return self._seats


def table_view(
    table: Table, person: Person | None, elsewhere: Elsewhere = NOTHING_ELSEWHERE, memory: Memory | None = None
) -> TableView:
    """Show a table and its Round as this person may see them; what staff may do there is in the live view alone.

    The memory is of this person, or of people who see the same.
    """
    viewer = Viewer.DISPLAY if person is None else _VIEWERS[person.post]
    name = person.name if person is not None and person.post is Post.PLAYER else None
    memory = memory or Memory()
    awaiting: tuple[previews.Answer, ...] = ()
    if table.round.awaiting:
        awaiting = memory.of_table.part("answers", (table.terms, table.round), lambda of: previews.answers(*of))
    seen = view(table.terms, table.round, viewer, name, elsewhere, memory.seen, awaiting)
    seats = () if sees_names(person) else memory.of_table.seats(table.round)
    return _told(table, seen, memory.part("aliases", seats, lambda seats: Aliases(person, seats)), memory)


def _told(table: Table, seen: RoundView, aliases: Aliases, memory: Memory) -> TableView:
    terms, part = table.terms, memory.part
    limits, jackpot_bet = part("terms", terms, _terms_shown)
    dealer = part("dealer", (terms, seen.dealer, seen.community, table.round.stage), _dealer_view)
    return TableView(
        table=table.name,
        game=terms.book.game,
        edition=terms.book.edition,
        commitment=table.commitment,
        closed=terms_views.is_closed(table),
        limits=limits,
        jackpot_bet=jackpot_bet,
        pay_tables=table.config.pay_tables,
        box_limits=terms_views.box_limits_view(table.config),
        coming=terms_views.coming_view(table),
        round=seen.number,
        stage=table.round.stage,
        community=seen.community,
        dealer=dealer,
        boxes=_boxes_told(terms, seen, aliases, memory),
        choices=part("choices", (terms, table.round, seen.choices), _choice_views) if seen.choices else (),
        bets=part("bets", seen.bets, _bet_views) if seen.bets else (),
        withdrawals=part("withdrawals", seen.withdrawals, _withdrawal_views) if seen.withdrawals else (),
        moves=part("moves", seen.moves, _move_views) if seen.moves else (),
        awaiting=memory.of_table.part("awaiting", seen.awaiting, _lawful_views) if seen.awaiting else (),
        lines=part("lines", (seen.lines, seen.let_stand, aliases), _line_views) if seen.lines else (),
        notice=seen.notice,
    )


def _lawful_views(awaiting: tuple[previews.Answer, ...]) -> tuple[Lawful, ...]:
    return tuple(map(lawful_view, awaiting))


def _terms_shown(terms: rules.Terms) -> tuple[terms_views.Limits, str | None]:
    return terms_views.limits_view(terms), None if terms.jackpot_bet is None else show(terms.jackpot_bet)


def _dealer_view(of: tuple[rules.Terms, Cards, Cards, Stage]) -> DealerView:
    terms, cards, community, stage = of
    hand, meets = _hand_name(terms, cards, community), None
    if hand and stage is Stage.SETTLED and FACE_DOWN not in community:
        meets = qualifies(terms, tuple(map(Card, cards)), tuple(map(Card, community)))
    return DealerView(cards=cards, hand=hand, best=_best(terms, cards, community), qualifies=meets)


def _boxes_told(terms: rules.Terms, seen: RoundView, aliases: Aliases, memory: Memory) -> tuple[BoxView, ...]:
    """Show the boxes; one whose names, cards and chips are as they were is the same object as before."""
    before = memory.boxes
    told: list[BoxView] = []
    if (
        before is not None
        and before.aliases is aliases
        and before.terms is terms
        and before.community == seen.community
        and len(before.seen) == len(seen.boxes)
    ):
        for box, known, shown in zip(seen.boxes, before.seen, before.told, strict=True):
            told.append(shown if box is known else _box_told(terms, box, seen.community, aliases, memory))
    else:
        told += [_box_told(terms, box, seen.community, aliases, memory) for box in seen.boxes]
    memory.boxes = _BoxesShown(aliases, terms, seen.community, seen.boxes, tuple(told))
    return memory.boxes.told


def _box_told(
    terms: rules.Terms, box: rounds_views.BoxView, on_the_table: Cards, aliases: Aliases, memory: Memory
) -> BoxView:
    community = on_the_table if box.cards and FACE_DOWN not in box.cards else ()
    chips = (*box.stakes, *box.returned)
    who = aliases.names([*(stake.player for stake in chips), *box.examined_by]) if chips or box.examined_by else ()
    return memory.part(f"box {box.box}", (box, who, terms, community), partial(_box_view, aliases))


def _box_view(aliases: Aliases, of: tuple[rounds_views.BoxView, tuple[str, ...], rules.Terms, Cards]) -> BoxView:
    box, _, terms, community = of
    return BoxView(
        box=box.box,
        stakes=_chips(box.stakes, aliases),
        returned=_chips(box.returned, aliases),
        stands=HandStands(box.stands),
        choices=box.choices,
        cards=box.cards,
        hand=_hand_name(terms, box.cards, community),
        best=_best(terms, box.cards, community),
        examined_by=aliases.names(box.examined_by),
        may_examine=box.may_examine,
        declined=box.refused,
    )


def _choice_views(of: tuple[rules.Terms, Round, tuple[LawfulChoice, ...]]) -> tuple[ChoiceView, ...]:
    terms, state, choices = of
    late = {box: follows_when_late(terms, state, box) for box in dict.fromkeys(choice.box for choice in choices)}
    return tuple(
        ChoiceView(
            box=c.box,
            choice=c.choice,
            costs=show(c.costs),
            rules=c.rules,
            bet=c.bet,
            when_late=c.choice == late[c.box].choice,
            loses_when_late=show(late[c.box].loses) if late[c.box].loses else "",
        )
        for c in choices
    )


def _bet_views(bets: tuple[LawfulBet, ...]) -> tuple[PlaceableBet, ...]:
    return tuple(map(_bet_view, bets))


@lru_cache(maxsize=4096)
def _bet_view(bet: LawfulBet) -> PlaceableBet:
    """Show a bet; the boxes of all tables with the same limits are offered the same few."""
    return PlaceableBet(
        box=bet.box,
        bet=bet.bet,
        least=show(bet.least),
        most=show(bet.most),
        amounts=tuple(map(show, bet.amounts)),
        rules=bet.rules,
    )


def _withdrawal_views(withdrawals: tuple[LawfulWithdrawal, ...]) -> tuple[Withdrawal, ...]:
    return tuple(
        Withdrawal(box=w.box, bet=w.bet, amount=show(w.amount), stays_live=w.stays_live, rules=w.rules)
        for w in withdrawals
    )


def _move_views(moves: tuple[LawfulMove, ...]) -> tuple[Move, ...]:
    return tuple(
        Move(do=m.do, box=m.box, option=m.option, rules=m.rules, loses=show(m.loses) if m.loses else "") for m in moves
    )


def _line_views(of: tuple[tuple[BetSettled, ...], tuple[LetStand, ...], Aliases]) -> tuple[Line, ...]:
    lines, let_stand, aliases = of
    return tuple(line_view(line, let_stand, aliases) for line in lines)


def _may_answer(person: Person | None, table: Table, answer: Lawful) -> bool:
    """Return whether this person may give an answer that the Round waits for."""
    if person is None or not may_step(person, table, "choose" if answer.by is None else "rule"):
        return False
    role = person.post.role
    if answer.by is not None:
        return role is not None and role >= Role[answer.by.upper()]
    return role is not None or (answer.box is not None and is_own_box(person, table, answer.box))


def _staff_steps(person: Person | None, table: Table) -> tuple[str, ...]:
    """Return the steps of staff that this person may take here; the rulebook says who takes measures after a fault."""
    if person is None or (role := person.post.role) is None:
        return ()
    steps = [do for do in ACTIONS if may_step(person, table, do)]
    restored = set_jackpot_mode(table.terms, SetJackpotMode(by=role, mode="restore"))
    refused = {
        "jackpot_mode": isinstance(restored, Refusal),
        "open": cannot_open(table.terms, table.round) is not None,
    }
    return tuple(do for do in steps if not refused.get(do, False))


def _chips(stakes: Iterable[StakeView], aliases: Aliases) -> tuple[Stake, ...]:
    return tuple(Stake(aliases.name(s.player), s.bet, show(s.amount)) for s in stakes)


def lawful_view(answer: previews.Answer) -> Lawful:
    """Show a lawful answer with what it does to the money of every box."""
    by = None if answer.by is None else answer.by.slug
    return extended(Lawful, answer, by=by, may=False, money=money_view(answer.money))


def money_view(money: Mapping[BoxNo, previews.BoxEffect]) -> Mapping[str, EffectView]:
    """Show what becomes of the chips of each box."""
    return {
        str(box): EffectView(effect=e.effect, returned=show(e.returned), lost=show(e.lost), in_play=show(e.in_play))
        for box, e in money.items()
    }


def line_view(line: BetSettled, let_stand: Iterable[LetStand], aliases: Aliases) -> Line:
    """Show a settled bet with its reason, as the replay format has it, and its mispays that stand."""
    return Line(
        box=line.box,
        player=aliases.name(line.player),
        bet=line.bet,
        staked=show(line.staked),
        outcome=line.outcome,
        won=show(line.won),
        returned=show(line.returned),
        rules=line.rules,
        because=aliases.words(line.because),
        let_stand=tuple(
            LetStandView(
                move=each.found.move,
                due=show(each.found.due),
                did=each.found.did,
                amount=show(each.found.amount),
                over=show(each.found.over),
                who=each.ruling.who,
                text=aliases.words(each.ruling.text),
            )
            for each in standing_mispays.on_bet(line, let_stand)
        ),
    )


def hands_shown(table: Table, state: Round) -> tuple[str, ...]:
    """Name the Players' Hands, as far as their cards lie face up."""
    seen = view(table.terms, state, Viewer.DISPLAY)
    names = (_hand_name(table.terms, box.cards, seen.community) for box in seen.boxes)
    return tuple(name for name in names if name)


def cards_shown(table: Table, state: Round) -> tuple[str, ...]:
    """List the cards that lie face up."""
    seen = view(table.terms, state, Viewer.DISPLAY)
    places = (seen.community, seen.dealer, *(box.cards for box in seen.boxes))
    return tuple(card for cards in places for card in cards if card != FACE_DOWN)


def round_seen(table: Table, state: Round, person: Person) -> RoundView:
    """Show a Round as this person may see it."""
    return view(table.terms, state, _VIEWERS[person.post], person.name if person.post is Post.PLAYER else None)


def _hand_name(terms: rules.Terms, cards: Iterable[Card | str], community: Iterable[Card | str]) -> str:
    """Name a Hand, as in "Pair of Tens", from the cards that this viewer sees; empty while they are too few."""
    dealt = tuple(cards)
    if not dealt or FACE_DOWN in dealt:
        return ""
    own = [Card(card) for card in dealt]
    if terms.book.showdown.hand is HandKind.THREE_CARDS:
        return three_card_name(three_card(own)) if len(own) == 3 else ""
    shown = [Card(card) for card in community if card != FACE_DOWN]
    return five_card_name(best_five((*own, *shown))) if len(own) + len(shown) >= 5 else ""


def _best(terms: rules.Terms, cards: Cards, community: Cards) -> Cards:
    """Show which five of the visible cards make the Hand; empty where no five are chosen."""
    if not cards or FACE_DOWN in cards or terms.book.showdown.hand is HandKind.THREE_CARDS:
        return ()
    shown = tuple(Card(card) for card in (*cards, *community) if card != FACE_DOWN)
    return cards_of_best(shown) if len(shown) > 5 else ()


def live_view(house: CommittedState, table: Table, person: Person | None, memory: Memory | None = None) -> TableView:
    """Show a running table as this person may see it, with its award cases.

    These are the cases of the present Round, whose lines belong to it, and open ones of earlier Rounds.
    """
    link = None if table.config.link is None else house.shown_links.get(table.config.link)
    operator = table.terms.book.document.operator
    elsewhere = Elsewhere(
        barred=person is not None and house.shown_memory.barred(operator, person.name),
        link_closed=link is not None and link.closed,
        ante_most=tuple((int(box), most) for box, most in table.config.box_limits.items()),
    )
    memory = memory or Memory()
    told = table_view(table, person, elsewhere, memory)
    awaiting = tuple([msgspec.structs.replace(a, may=_may_answer(person, table, a)) for a in told.awaiting])
    may: tuple[str, ...] = ()
    if person is not None and person.post.role is not None:
        placed = (table.config, table.terms, table.ours, cannot_open(table.terms, table.round) is None)
        may = memory.part("may", placed, lambda _: _staff_steps(person, table))
    lines, now, earlier = told.lines, list[Case](), list[Case]()
    if link is not None and link.cases:
        own = [case for case in link.cases if case.table == table.name]
        now = [case for case in own if case.claim.round == table.round.number]
        earlier = [case for case in own if case.claim.round != table.round.number and case.is_open]
        if of_cases := [case.line for case in now if case.line is not None]:
            aliases = Aliases(person, [*seats_of(table.round), *((line.box, line.player) for line in of_cases)])
            lines = (*lines, *(line_view(line, table.round.let_stand, aliases) for line in of_cases))
    return msgspec.structs.replace(
        told,
        awaiting=awaiting,
        may=may,
        settling=settling_view(table, person),
        lines=lines,
        awards=[award_view(house, link, case, person) for case in now] if link is not None else [],
        earlier_awards=[award_view(house, link, case, person) for case in earlier] if link is not None else [],
        seq=table.seq,
    )


def public_event(fact: TableFact, person: Person | None, aliases: Aliases) -> TableFact:
    """Show an event as this person may see it, without what another player saw in private and who that is."""
    if isinstance(fact, HandExamined):
        own = person is not None and person.post is Post.PLAYER and fact.player == person.name
        fact = msgspec.structs.replace(fact, cards=fact.cards if own else (), salt="", round=0, deal=0, at=())
    if isinstance(fact, RulingGiven) and not sees_names(person):
        fact = msgspec.structs.replace(fact, facts=None)  # staff may have seen cards that other players have not
    return aliases.hide(fact)
