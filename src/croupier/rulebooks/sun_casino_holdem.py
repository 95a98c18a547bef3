"""Sun International Casino Hold'Em Poker: same order and words as the document."""

from __future__ import annotations

from croupier.cards import Rank
from croupier.money import money, percent_of_meter, to_one
from croupier.rulebooks.citation import Document
from croupier.rulebooks.readings import Readings
from croupier.rulebooks.vocabulary import (
    AcrossTables,
    AskRuling,
    AtLeast,
    Authority,
    Award,
    Bet,
    BetKind,
    Closing,
    Compare,
    Consequence,
    Continue,
    Deal,
    Dealing,
    DealingStep,
    Decision,
    Examining,
    Fold,
    ForfeitBets,
    HandKind,
    Incident,
    InvalidateHand,
    Irregularity,
    Jackpot,
    Layout,
    Limiting,
    Limits,
    Participants,
    PayTable,
    Place,
    Qualification,
    Redeal,
    Role,
    Rulebook,
    SameTable,
    Seating,
    ShareFloor,
    Showdown,
    Turn,
    VoidRound,
    When,
    Whom,
    pay_table,
)

DOC = Document("sun-casino-holdem", title="Casino Hold'Em Poker", operator="Sun International")
p = DOC.para
r = DOC.reading

# What the document leaves out is for management, whose word is final.
MANAGEMENT = (p("Rules ¶5"), r("sun-silent"))

# ---------------------------------------------------------------- Casino Hold'Em Poker

LAYOUT = Layout((r("boxes-unknown"),), boxes=7)

# ---------------------------------------------------------------- How to Play
# fmt: off
ANTE    = Bet("ante",    (p("How to Play ¶1"),),   BetKind.ENTRY, takes_part=True)
JACKPOT = Bet("jackpot", (p("How to Play ¶1"), p("Progressive Jackpot ¶1"), p("Progressive Jackpot ¶1.a")),
              BetKind.JACKPOT, needs_ante=(p("Progressive Jackpot ¶1.a"),))
CALL    = Bet("call",    (p("How to Play ¶3.a"),), BetKind.DECISION, times_ante=2)
# fmt: on

# The document gives no figures; these stand until the House sets its own.
LIMITS = (("ante", Limits(money("10.00"), money("500.00"))),)

CALL_OR_FOLD = Decision(
    (p("How to Play ¶2"), p("How to Play ¶3")), "call", (p("How to Play ¶3.a"),), "fold", (p("How to Play ¶3.b"),)
)


def dealing(readings: Readings) -> Dealing:
    """How to Play ¶1 to ¶3: Hole and Flop cards, the decision, then Turn and River cards; no burns."""
    hole_cards = Deal((p("How to Play ¶2"), r("sun-deal-order")), (Place.BOXES, Place.DEALER), each=1, times=2)
    all_five = Deal((p("Casino Hold'Em Poker ¶1"), r("sun-deal-order")), (Place.COMMUNITY,), each=5)
    flop_cards = Deal((p("How to Play ¶2"),), (Place.COMMUNITY,), each=3)
    turn_and_river_cards = Deal((p("How to Play ¶3.c"),), (Place.COMMUNITY,), each=2)
    before: tuple[DealingStep, ...] = readings.pick(
        "sun-deal-order", a=(all_five, hole_cards), b=(hole_cards, flop_cards)
    )
    later: tuple[DealingStep, ...] = readings.pick("sun-deal-order", a=(), b=(turn_and_river_cards,))
    return Dealing(
        "standard",
        (p("Casino Hold'Em Poker ¶1"), r("sun-deal-order")),
        (
            *before,
            Turn((p("How to Play ¶2"),), community=3),
            CALL_OR_FOLD,
            *later,
            Turn((p("How to Play ¶3.c"),), community=5),
            Turn((p("How to Play ¶4.a"),), dealer=True),
            Compare((p("How to Play ¶4"), p("How to Play ¶4.d"))),
        ),
    )


FOLD = Fold(loses=("ante",), keeps=("jackpot",), keeps_rules=(p("How to Play ¶3.b"), p("Progressive Jackpot ¶1.b")))

# ---------------------------------------------------------------- Payouts, Stand Off


def showdown(readings: Readings) -> Showdown:
    """How to Play ¶4 and ¶5, Payouts and Stand Off: the Ante by its paytable, the Call even money."""
    return Showdown(
        HandKind.BEST_FIVE,
        ("ante", "call"),
        higher=(p("Payouts ¶1"), p("Payouts ¶1.a")),
        lower=(p("Payouts ¶1.c"),),
        equal=(p("Payouts ¶1.b"), p("Stand Off ¶1")),
        pays=(p("How to Play ¶4.d"),),
        ante_table=ante_table(readings),
        qualification=Qualification(
            AtLeast(Rank.PAIR, 4, "a pair of 4s"),
            rules=(p("How to Play ¶4.c"), r("sun-tie-unqualified")),
            ante=(p("How to Play ¶5"), p("Payouts ¶2")),
            others=(p("How to Play ¶5"), p("Payouts ¶2")),
            tie_first=readings.pick("sun-tie-unqualified", a=True, b=False),
        ),
    )


# ---------------------------------------------------------------- Rules

SEATING = Seating((p("Rules ¶4"),), several_boxes=False, several_rules=(p("Rules ¶4"),))

LIMITING = Limiting(
    over_refused=MANAGEMENT,
    under_refused=MANAGEMENT,
    orphan_late=(p("Progressive Jackpot ¶1.a"),),
)


def irregularities(readings: Readings) -> tuple[Irregularity, ...]:
    """Rules ¶1 to ¶3 and ¶5; everything else goes to management."""
    i, w = Incident, When
    returned: Consequence = InvalidateHand(Whom.OF_PLAYER, fold_stands=True)
    forfeited: Consequence = ForfeitBets(Whom.OF_PLAYER)
    forfeit = readings.pick("sun-forfeit", a=returned, b=forfeited)
    redeal: Consequence = Redeal()
    misdeal = (p("Rules ¶3"), r("sun-redeal"))
    # Rules ¶3 names the hands of Players and Dealer; one Community Card too many, too few or too soon harms every Hand
    # alike, and management has it dealt again in the same way.
    board_misdeal = (p("Rules ¶3"), p("Rules ¶5"), r("sun-redeal"))
    board_exposed = (*readings.pick("sun-board-exposed", a=board_misdeal, b=MANAGEMENT), r("sun-board-exposed"))
    breach = (p("Rules ¶2"), r("sun-forfeit"))
    management_decides: Consequence = AskRuling(
        Role.SHIFT_MANAGER,
        (("void", VoidRound()), ("stand", Continue()), ("return", InvalidateHand(Whom.REPORTED))),
    )
    on_board_exposed = readings.pick("sun-board-exposed", a=redeal, b=management_decides)
    # fmt: off
    return (
        Irregularity((p("Rules ¶1"), *breach), i.NOT_CONFIDENTIAL,    forfeit),
        Irregularity(breach,                   i.RULES_BREACH,        forfeit),
        Irregularity(breach,                   i.EXTRA_HAND_EXAMINED, forfeit),

        Irregularity(misdeal,       i.WRONG_BOX_COUNT,       redeal),
        Irregularity(misdeal,       i.WRONG_DEALER_COUNT,    redeal),
        Irregularity(board_misdeal, i.WRONG_COMMUNITY_COUNT, redeal),
        Irregularity(misdeal,       i.CARDS_EXPOSED,         redeal,           (w.HAND_CARD,)),
        Irregularity(board_exposed, i.CARDS_EXPOSED,         on_board_exposed, (w.COMMUNITY_CARDS_ONLY,)),

        Irregularity(MANAGEMENT,    i.LATE_ERROR, Continue()),
        Irregularity(MANAGEMENT,    i.UNCOVERED,  management_decides),
    )
    # fmt: on


# ---------------------------------------------------------------- Ante Winning Paytable


def ante_table(readings: Readings) -> PayTable:
    """Ante Winning Paytable: common odds until the House enters its stakeboard, even money below a Flush."""
    # fmt: off
    table = pay_table((r("sun-pay-tables"),),
        (Rank.ROYAL_FLUSH,     to_one(100)),
        (Rank.STRAIGHT_FLUSH,  to_one(20)),
        (Rank.FOUR_OF_A_KIND,  to_one(10)),
        (Rank.FULL_HOUSE,      to_one(3)),
        (Rank.FLUSH,           to_one(2)),
        (Rank.STRAIGHT,        to_one(1)),
        (Rank.THREE_OF_A_KIND, to_one(1)),
        (Rank.TWO_PAIRS,       to_one(1)),
        (Rank.PAIR,            to_one(1)),
        (Rank.ODD_CARDS,       to_one(1)),
    )
    row_rules = (
        ("royal_flush",    (p("Ante Winning Paytable ¶1"),)),
        ("straight_flush", (p("Ante Winning Paytable ¶2"),)),
        ("four_of_a_kind", (p("Ante Winning Paytable ¶3"),)),
        ("full_house",     (p("Ante Winning Paytable ¶4"),)),
        ("flush",          (p("Ante Winning Paytable ¶5"),)),
    )
    # fmt: on
    rows = readings.pick("sun-pay-tables", a=table.rows[: len(row_rules)], b=table.rows)
    return PayTable(table.rules, rows, row_rules)


# ---------------------------------------------------------------- Progressive Jackpot
# fmt: off
AWARDS = (
    Award("board_royal_flush", Rank.ROYAL_FLUSH, percent_of_meter(100),
          (p("Progressive Jackpot ¶1.c"), r("sun-board-share")), own=False, community=5, shared=True),
    Award("board_straight_flush", Rank.STRAIGHT_FLUSH, percent_of_meter(10),
          (p("Progressive Jackpot ¶2.a"), r("sun-board-share")), own=False, community=5, shared=True),
)
# fmt: on


def jackpot(readings: Readings) -> Jackpot:
    """Progressive Jackpot: independent of the Hand's result; board hands are shared, own hands by the stakeboard."""
    return Jackpot(
        (p("Progressive Jackpot ¶1.b"),),
        AWARDS,
        lost=(p("Progressive Jackpot ¶2.b"), r("sun-pay-tables")),
        denied=(*MANAGEMENT, r("denied-claim")),
        amount_rules=MANAGEMENT,
        wrong_amount_late=(),
        community=5,
        same_table=SameTable.CLOCKWISE,
        same_table_rules=MANAGEMENT,
        across_tables=AcrossTables.BY_ENTRY,
        across_tables_rules=MANAGEMENT,
        contribution_rules=(r("contribution-time"),),
        own_hands_of=readings.pick("sun-pay-tables", c=3, d=5),
        own_hands_rules=(p("Progressive Jackpot ¶2.b"), r("sun-pay-tables")),
        share_floor=readings.pick("sun-board-share", d=ShareFloor.METER, e=ShareFloor.HOUSE),
        participants=readings.pick("sun-board-share", a=Participants.EVERY_JACKPOT_BET, b=Participants.CALLED_HANDS),
        waits_for_earlier_deals=False,
    )


def rulebook(readings: Readings) -> Rulebook:
    """Return the document as these readings have it."""
    return Rulebook(
        document=DOC,
        currency="ZAR",
        layout=LAYOUT,
        bets=(ANTE, JACKPOT, CALL),
        limits=LIMITS,
        jackpot_bet=money("5.00"),
        opening=(p("How to Play ¶1"),),
        announcements=(
            (
                "The stakeboard at the table shows the odds of the progressive, which differ from casino to casino.",
                (p("Progressive Jackpot ¶2"), p("Progressive Jackpot ¶2.b")),
            ),
        ),
        seating=SEATING,
        examining=Examining((p("How to Play ¶2"),)),
        closing=Closing((p("How to Play ¶1"),), withdrawn_rules=MANAGEMENT),
        limiting=LIMITING,
        dealings=(dealing(readings),),
        fold=FOLD,
        showdown=showdown(readings),
        side_bets=(),
        not_shown=None,
        jackpot=jackpot(readings),
        irregularities=irregularities(readings),
        void=MANAGEMENT,
        reopening=MANAGEMENT,
        late_error=MANAGEMENT,
        measures=None,
        authority=Authority(
            uncovered=MANAGEMENT,
            uncovered_by=Role.SHIFT_MANAGER,
            payment_order=MANAGEMENT,
            payment_order_by=Role.SHIFT_MANAGER,
            fold_ruling=MANAGEMENT,
        ),
        ranking=(p("Casino Hold'Em Poker ¶2"), p("How to Play ¶4.b"), p("Count Down ¶1"), r("sun-both-hole")),
        other=(r("all-folded"), r("award-rounding"), r("displayed-value"), r("award-lock"), r("link-scope")),
        readings=readings,
    )
