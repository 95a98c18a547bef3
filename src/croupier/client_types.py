"""What the house sends, as the client reads it. Written by tools/wire_types.py: do not change it by hand.

Amounts are texts with two decimals, cards are texts such as `Ah`, and a card that lies face down is `??`.
"""

from __future__ import annotations

import msgspec


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """What a player has in chips, those on tables not counted, and the payments to confirm."""

    player: str
    balance: str
    consents: tuple[Consent, ...]
    limits: OwnLimits


class ActView(msgspec.Struct, frozen=True, kw_only=True):
    """One move of chips on one bet."""

    number: int
    box: int
    player: str
    bet: str
    move: str
    amount: str
    lies: str
    """The chips of the bet that lay there."""
    rules: tuple[str, ...]
    because: str


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the house says, after it is durable."""

    accepted: bool
    heads: dict[str, int] = {}
    """Where each stream that moved now stands."""
    stood: dict[str, int] = {}
    """Where a stream stood that was looked at without having moved."""
    code: str = ""
    message: str = ""
    rules: tuple[str, ...] = ()
    kept: bool = True
    """Whether the answer is kept by its id. A refusal that is not, because the person had too many of them in a minute,
    is given again for a while; later the same id is judged again.
    """


class AwardView(msgspec.Struct, frozen=True, kw_only=True):
    """A major award, from the claim to its end; it belongs to the round that won it."""

    award: int
    table: str
    round: int
    box: int
    hand: str
    cards: tuple[str, ...]
    state: str
    amount: str | None
    waits_for: tuple[str, ...]
    """Tables whose rounds may still go before it."""
    signatures: int
    missing: int
    signed: tuple[str, ...]
    """Empty for viewers who may not know who has signed."""
    may: tuple[str, ...]
    """What the viewer may do about it now."""
    denied_by: str
    """The lowest post that may deny the claim while it is open; empty once it has ended."""


class BetTerms(msgspec.Struct, frozen=True, kw_only=True):
    """A bet of the game: its kind, and how many antes a decision bet is."""

    bet: str
    kind: str
    times_ante: int
    needs_ante: bool


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """A betting box; a card that lies face down is `??`."""

    box: int
    stakes: tuple[Stake, ...]
    returned: tuple[Stake, ...]
    """Chips that are no longer in play and go back at the settlement."""
    stands: str
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


class Choice(msgspec.Struct, frozen=True, kw_only=True):
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


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """The clock of a table that runs by itself, in seconds."""

    phase: str
    left: float
    of: float


class Coming(msgspec.Struct, frozen=True, kw_only=True):
    """What will be different at a table from its next round on."""

    after: int
    """The number of the last round on the present terms."""
    limits: dict[str, tuple[str, str]]
    jackpot_bet: str | None
    pay_tables: dict[str, dict[str, str]]
    box_limits: dict[str, str]


class Consent(msgspec.Struct, frozen=True, kw_only=True):
    """A payment that a player was asked to confirm."""

    id: str
    kind: str
    player: str
    amount: str
    by: str
    second: str
    state: str
    seconds: int
    """How long it still waits."""


class Dealer(msgspec.Struct, frozen=True, kw_only=True):
    """The dealer's hand."""

    cards: tuple[str, ...]
    hand: str
    best: tuple[str, ...]
    """The five cards that make the hand, once it has more than five to choose from."""
    qualifies: bool | None
    """Null before the settlement, and where the game asks for no such hand."""


class EffectView(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of the chips of one box."""

    effect: str
    returned: str
    lost: str
    in_play: str


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """An event of a table by its number, as the viewer may see it."""

    seq: int
    at: str
    event: dict[str, object]


class Factor(msgspec.Struct, frozen=True, kw_only=True):
    """A second factor that waits for its first code: for an authenticator program."""

    secret: str
    address: str
    qr: str
    """SVG."""


class FoldTerms(msgspec.Struct, frozen=True, kw_only=True):
    """Bets that a folded hand loses, and bets that it keeps."""

    loses: tuple[str, ...]
    keeps: tuple[str, ...]


class HitView(msgspec.Struct, frozen=True, kw_only=True):
    """A major award that was paid."""

    table: str
    round: int
    box: int
    hand: str
    amount: str


class Lawful(msgspec.Struct, frozen=True, kw_only=True):
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
    money: dict[str, EffectView]
    """By box."""


class LetStandView(msgspec.Struct, frozen=True, kw_only=True):
    """A mispay of a bet that stands by a ruling."""

    move: str
    due: str
    did: str
    amount: str
    over: str
    """What the player was overpaid; below zero what they were underpaid."""
    who: str
    """Who let it stand."""
    text: str
    """Why."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A settled bet and its reason."""

    box: int
    player: str
    bet: str
    staked: str
    outcome: str
    won: str
    returned: str
    rules: tuple[str, ...]
    because: str
    let_stand: tuple[LetStandView, ...] = ()
    """Mispays that stand: the bet came to what was due and what each of them is over."""


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """Who is logged in, and what they may do."""

    name: str
    post: str
    csrf: str
    may: tuple[str, ...]
    demo: bool
    held: str | None
    """Why the session opens nothing for now; null where it is open."""
    second_factor: bool
    home: str
    """The page on which this person begins."""
    pages: tuple[str, ...]
    """The pages that this person may open, besides those that need no log-in."""
    guest: bool
    """A guest of a demonstration: without a password, so that nobody can log in to the account again."""
    idle: float | None
    """Seconds without use after which the session is locked; null for never."""
    since: str
    """When the session began, in ISO 8601."""
    account: Account | None = None
    """A player's."""


class Meter(msgspec.Struct, frozen=True, kw_only=True):
    """A link that the client watches, at most four times a second."""

    link: str
    meter: str
    locked: str
    """Set aside for awards that are not paid yet."""
    closed: bool
    reset: str
    hits: int
    last_hits: tuple[HitView, ...]
    awards: tuple[AwardView, ...]
    suspended: tuple[str, ...]
    """Tables of the link at which no jackpot bets are taken after a fault."""


class MispayView(msgspec.Struct, frozen=True, kw_only=True):
    """The difference that stops the table, and what follows from it."""

    act: int
    box: int
    player: str
    bet: str
    over: str
    """What the player was overpaid; below zero what they were underpaid."""
    says: str
    who: str
    rules: tuple[str, ...]
    """What decided the bet."""
    resolutions: tuple[ResolutionView, ...]
    late_rules: tuple[str, ...]
    """What decides once the next round has begun: it stands."""


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """Anything else that the viewer may do: the command `do`, with its box and option where it names them."""

    do: str
    """`walk_away`, `refuse_reveal`, `prove` or `choose`."""
    box: int | None
    option: str | None
    rules: tuple[str, ...]
    loses: str = ""
    """What it loses, where the rules name the bets; empty for nothing."""


class OwnLimit(msgspec.Struct, frozen=True, kw_only=True):
    """A limit of a player's own: an amount, or minutes; empty for none."""

    now: str
    later: str
    """The looser limit that waits; null in `since` where none does."""
    since: str | None
    """When it takes the place of `now`."""


class OwnLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits that a player has set for their own play, and the session that runs."""

    loss: OwnLimit
    minutes: OwnLimit
    check: OwnLimit
    session: SessionOfPlay | None


class PhaseTime(msgspec.Struct, frozen=True, kw_only=True):
    """How long a table has been in its present phase, by the house's own clock."""

    seconds: float
    alarm_after: int | None
    """Seconds after which the pit looks at it; null where the table may rest."""
    restarted: str | None = None
    """When the server began again in the middle of this round; null where it did not, and once the round is over."""


class Placeable(msgspec.Struct, frozen=True, kw_only=True):
    """A bet that the viewer may place now, and how much of it."""

    box: int
    bet: str
    least: str
    most: str
    amounts: tuple[str, ...]
    """The only amounts that are accepted, where the rules prescribe them."""
    rules: tuple[str, ...]


class ResolutionView(msgspec.Struct, frozen=True, kw_only=True):
    """A way out of a mispay: who may take it, by which paragraphs."""

    put_right: bool
    says: str
    by: str
    rules: tuple[str, ...]
    may: bool
    """The viewer may take it now."""


class ScheduledEdition(msgspec.Struct, frozen=True, kw_only=True):
    """Another version of the rule document, by which rounds begin from a moment on."""

    edition: str
    at: str


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """A player at a box."""

    box: int
    player: str


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A session of a person; moments are in UTC, null where an earlier release did not keep them."""

    id: str
    opened: str | None
    used: str | None
    address: str
    browser: str
    locked: bool
    this: bool
    """It is the session of this request."""


class SessionOfPlay(msgspec.Struct, frozen=True, kw_only=True):
    """The session of play of a player with limits."""

    since: str
    minutes: int
    net: str
    """Won or lost so far; chips on tables count as lost."""
    left: str | None
    """What may still be staked; null without a loss limit."""
    ends: int | None
    """Seconds until the time limit, 0 where it is over; null without one."""
    check: int | None
    """Seconds until the next reality check, 0 where it is due; null without one."""


class SettlingView(msgspec.Struct, frozen=True, kw_only=True):
    """The acts of a settlement in their order, and how far they are confirmed."""

    confirms: str
    acts: tuple[ActView, ...]
    done: int
    mispay: MispayView | None


class ShowdownTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What the bets against the Dealer's hand pay, and what the Dealer needs."""

    even: tuple[str, ...]
    """Bets that a better hand is paid 1 to 1 on."""
    ante_from: str
    """On a win below this hand the Ante only comes back; empty where every win pays it."""
    dealer_needs: str
    """The least hand with which the Dealer plays, as in "a pair of 4s"; empty where every hand does."""


class Stake(msgspec.Struct, frozen=True, kw_only=True):
    """Chips of a player on one bet of a box."""

    player: str
    bet: str
    amount: str


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """A table that the client watches: the whole view, at first and where the client could not follow its changes."""

    table: str
    game: str
    edition: str
    """The game with its version; its rulebook is found by it."""
    commitment: str | None
    """The commitment to the deck in play."""
    closed: bool
    """No further round begins."""
    limits: dict[str, tuple[str, str]]
    jackpot_bet: str | None
    pay_tables: dict[str, dict[str, str]]
    box_limits: dict[str, str]
    """Boxes that the pit has limited, each with the most that may lie there as Ante."""
    coming: Coming | None
    round: int
    stage: str
    community: tuple[str, ...]
    dealer: Dealer
    boxes: tuple[Box, ...]
    choices: tuple[Choice, ...]
    """This and the three lists below are a player's; for others they are empty."""
    bets: tuple[Placeable, ...]
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
    awards: tuple[AwardView, ...] | None = None
    """Award cases of this round; in a replay they stand beside the steps."""
    earlier_awards: tuple[AwardView, ...] | None = None
    """Open award cases of earlier rounds at this table."""
    terms: Terms | None = None
    """Only in the answer of `GET /api/tables/NAME`."""
    seq: int
    """The number of the table's last event; not in replays."""
    clock: Clock | None
    """In live messages; null where nothing is counted down."""
    phase: PhaseTime
    """In live messages."""
    version: int
    """Of this view; the next patch names it."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What is displayed at a table: game, limits, jackpot bet, procedure, how it runs."""

    table: str
    game: str
    edition: str
    """The game with its version, as in `mbs-megalink-holdem@9`."""
    version: int | None
    """Of the rule document; null where the document states none."""
    missing: str
    """Why the rulebook is not there, so that no round can be played; empty where it is."""
    scheduled: ScheduledEdition | None
    title: str
    operator: str
    pit: str
    currency: str
    boxes: int
    dealing: str
    board: int
    """Community cards that the hands are made with; 0 where each hand stands alone."""
    box_cards: int
    """Cards that a box is dealt; this and the two below say which places the felt has."""
    dealer_cards: int
    community_cards: int
    limits: dict[str, tuple[str, str]]
    jackpot_bet: str | None
    jackpot_multiples: int
    link: str | None
    pay_tables: dict[str, dict[str, str]]
    bars: bool
    """A ruling may bar a player who breaks the rules."""
    box_limits: dict[str, str]
    """Boxes that the pit has limited, each with the most that may lie there as Ante."""
    coming: Coming | None
    bets: tuple[BetTerms, ...]
    fold: FoldTerms
    showdown: ShowdownTerms
    several_boxes: bool
    one_look: bool
    physical: bool
    """Real cards lie on its felt."""
    staffed: bool
    """A dealer runs it; otherwise it runs by itself."""
    confirms: str
    """How the dealer's acts at the settlement are confirmed."""


class Withdrawal(msgspec.Struct, frozen=True, kw_only=True):
    """A bet that the viewer may take back now."""

    box: int
    bet: str
    amount: str
    stays_live: bool
    """It is won or lost all the same."""
    rules: tuple[str, ...]


class Place(Terms, frozen=True, kw_only=True):
    """A table in the list for people who are logged in."""

    elsewhere: bool
    """Another server of the house runs it: watch and play it there."""
    stage: str | None
    """Null where another server runs it."""
    round: int | None
    closed: bool
    seats: tuple[SeatView, ...]
