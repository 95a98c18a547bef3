"""RWS Progressive Texas Hold'em Poker, version 6: same order and words as the document, as far as it has survived."""

from __future__ import annotations

import msgspec

from croupier.cards import Rank
from croupier.money import fixed, money, percent_of_meter, to_one
from croupier.rulebooks.citation import Document
from croupier.rulebooks.readings import Readings
from croupier.rulebooks.vocabulary import (
    AcrossTables,
    AskRuling,
    Authority,
    Award,
    Bet,
    BetKind,
    CheckHand,
    Closing,
    Compare,
    Consequence,
    Continue,
    Deal,
    Dealing,
    Decision,
    Examining,
    Fate,
    Fold,
    FoldHand,
    FreezeMeter,
    HandKind,
    HoleCards,
    Incident,
    InvalidateHand,
    Irregularity,
    Jackpot,
    Layout,
    Limiting,
    Limits,
    Measures,
    NotShown,
    OfferOptions,
    PartialAward,
    Place,
    Role,
    Rulebook,
    SameTable,
    Seating,
    Showdown,
    SideBet,
    SideHand,
    Turn,
    VoidRound,
    When,
    Whom,
    pay_table,
)

# The title page is lost, and the date of effect with it.
DOC = Document("rws-progressive-holdem", title="Progressive Texas Hold'em Poker", operator="RWS", version=6)
p = DOC.para
r = DOC.reading

# ---------------------------------------------------------------- 1. Definitions: the Bets
# fmt: off
ANTE    = Bet("ante",    (p("3.6"),),                          BetKind.ENTRY, takes_part=True)
BONUS   = Bet("bonus",   (p("3.9"),),                          BetKind.SIDE, needs_ante=(p("3.9"), r("orphan-bonus")))
JACKPOT = Bet("jackpot", (p("3.8"), p("3.8.1"), p("2.1.1.b")), BetKind.JACKPOT,
              needs_ante=(p("3.8"), p("5.4"), r("orphan-jackpot-time")))
FLOP    = Bet("flop",    (p("1.11"), p("3.7")),                BetKind.DECISION, times_ante=2)
TURN    = Bet("turn",    (p("1.28"),),                         BetKind.DECISION, times_ante=1)
RIVER   = Bet("river",   (p("1.22"),),                         BetKind.DECISION, times_ante=1)
# fmt: on

LIMITS = (
    ("ante", Limits(money("10.00"), money("500.00"))),
    ("bonus", Limits(money("5.00"), money("500.00"))),
)

# ---------------------------------------------------------------- 2. Mode of Play

LAYOUT = Layout((p("2.1.1"), p("2.1.1.a"), r("boxes-unknown")), boxes=7)

# ---------------------------------------------------------------- 3. How to Play

SEATING = Seating((p("3.5"), p("1.25")), several_boxes=True, several_rules=(p("3.7"),))
EXAMINING = Examining((p("3.7"), r("which-hand-seen")))
CLOSING = Closing((p("5.11"), p("3.10"), r("closing-vs-decisions")), withdrawn_rules=(p("5.11"),))

NO_LATER_FOLD = (p("1.17"), r("late-fold"))

# fmt: off
CARD_SHOE = Dealing("card_shoe", (p("3.11"), p("2.2.1")), (
    Deal((p("3.11.1"), p("1.4")), (Place.BURN,), each=1),
    Deal((p("3.11.1"),), (Place.BOXES,), each=1, times=2),
    Decision((p("3.11.2"), p("1.3"), p("1.3.a")), "flop", (p("3.11.2.b"), p("1.17")), "fold", (p("3.11.2.a"),)),
    Deal((p("3.11.3"), p("1.4")), (Place.BURN,), each=1),
    Deal((p("3.11.3"),), (Place.COMMUNITY,), each=3),
    Turn((p("3.11.3"),), community=3),
    Decision((p("3.11.3"), p("1.3.b"), *NO_LATER_FOLD), "turn", (p("3.11.3"),), "check", (p("3.11.3"), p("1.6"))),
    Deal((p("3.11.4"), p("1.4")), (Place.BURN,), each=1),
    Deal((p("3.11.4"),), (Place.COMMUNITY,), each=1),
    Turn((p("3.11.4"),), community=4),
    Decision((p("3.11.4"), p("1.3.c"), r("river-after-check"), *NO_LATER_FOLD),
             "river", (p("3.11.4"),), "check", (p("3.11.4"), p("1.6"))),
    Deal((p("3.11.5"), p("1.4")), (Place.BURN,), each=1),
    Deal((p("3.11.5"),), (Place.COMMUNITY,), each=1),
    Turn((p("3.11.5"),), community=5),
    Deal((p("3.11.6"),), (Place.DEALER,), each=2),
    Turn((p("3.11.6"),), dealer=True),
    Compare((p("3.11.6"),)),
))
ELECTRONIC_SHUFFLER = Dealing("electronic_shuffler", (p("3.12"), p("2.2.1")), (
    Deal((p("3.12.1"),), (Place.COMMUNITY,), each=5),
    Deal((p("3.12.2"),), (Place.BOXES, Place.DEALER), each=2),
    Decision((p("3.12.3"), p("1.3"), p("1.3.a")), "flop", (p("3.12.3.b"), p("1.17")), "fold", (p("3.12.3.a"),)),
    Turn((p("3.12.4"),), community=3),
    Decision((p("3.12.4"), p("1.3.b"), *NO_LATER_FOLD), "turn", (p("3.12.4"),), "check", (p("3.12.4"), p("1.6"))),
    Turn((p("3.12.5"),), community=4),
    Decision((p("3.12.5"), p("1.3.c"), r("river-after-check"), *NO_LATER_FOLD),
             "river", (p("3.12.5"),), "check", (p("3.12.5"), p("1.6"))),
    Turn((p("3.12.6"),), community=5),
    Turn((p("3.12.6"),), dealer=True),
    Compare((p("3.12.6"),)),
))
# fmt: on


def as_read(dealing: Dealing, readings: Readings) -> Dealing:
    """Return a procedure as the readings have it: 1.3.c, 1.17 and 3.7 leave a question about Turn and River."""

    def later(decision: Decision) -> Decision:
        return msgspec.structs.replace(
            decision,
            needs=readings.pick("river-after-check", a="turn" if decision.bet == "river" else None, b=None),
            looked_only=readings.pick("blind-turn-river", a=True, b=False),
            may_fold=readings.pick("late-fold", a=(p("1.13"), r("late-fold")), b=()),
        )

    steps = (later(s) if isinstance(s, Decision) and s.bet in ("turn", "river") else s for s in dealing.steps)
    return msgspec.structs.replace(dealing, steps=tuple(steps))


FOLD = Fold(loses=("ante", "bonus"), keeps=("jackpot",), keeps_rules=(r("v6-royal-folded"),))

SHOWDOWN = Showdown(
    HandKind.BEST_FIVE,
    ("ante", "flop", "turn", "river"),
    higher=(p("3.13"),),
    lower=(p("3.14"),),
    equal=(p("3.15"), p("1.27")),
    pays=(p("4.1"),),
    ante_pays_from=Rank.STRAIGHT,
)

# ---------------------------------------------------------------- 4. Settlement
# fmt: off
BONUS_PAYS = pay_table((p("4.1"),),
    (HoleCards.ACES_BOTH,                to_one(1000)),
    (HoleCards.ACES,                     to_one(30)),
    (HoleCards.ACE_KING_SUITED,          to_one(25)),
    (HoleCards.ACE_QUEEN_OR_JACK_SUITED, to_one(20)),
    (HoleCards.ACE_KING,                 to_one(15)),
    (HoleCards.HIGH_PAIR,                to_one(10)),
    (HoleCards.ACE_QUEEN_OR_JACK,        to_one(5)),
    (HoleCards.LOW_PAIR,                 to_one(3)),
)


def awards(readings: Readings) -> tuple[Award, ...]:
    """4.2: royal flushes by street, the two hands beneath them, and the three that the Community Cards make alone."""
    royal, straight_flush, four = Rank.ROYAL_FLUSH, Rank.STRAIGHT_FLUSH, Rank.FOUR_OF_A_KIND
    by_4_2, note = (p("4.2"),), (p("4.2"), p("4.2 (note **)"))
    counted = readings.pick("v6-jackpot-hand", a=3, b=5)
    own_four = readings.pick("v6-quads-kicker", a=True, b=False)
    earlier_streets = (
        Award("royal_flush_on_flop",      royal,          percent_of_meter(100), by_4_2, community=3),
        Award("royal_flush_on_turn",      royal,          percent_of_meter(25),  by_4_2, community=4),
    )
    return (
        # Hands are shown when the River Card lies, so a royal flush of the street on which it is shown is the river's.
        *readings.pick("v6-street", a=earlier_streets, b=()),
        Award("royal_flush_on_river",     royal,          percent_of_meter(5),   note,   community=5,
              with_own_card=True),
        Award("straight_flush",           straight_flush, fixed("1500.00"),      by_4_2, community=counted,
              any_five=True),
        Award("four_of_a_kind",           four,           fixed("300.00"),       by_4_2, community=counted,
              any_five=True, with_own_card=own_four),
        Award("community_royal_flush",    royal,          fixed("10000.00"),     by_4_2, own=False, community=5),
        Award("community_straight_flush", straight_flush, fixed("1500.00"),      by_4_2, own=False, community=5),
        Award("community_four_of_a_kind", four,           fixed("300.00"),       by_4_2, own=False, community=5),
    )
# fmt: on


# ---------------------------------------------------------------- 5. Irregularities

LIMITING = Limiting(
    over_refused=(p("5.1"), p("3.4"), r("limits-per-bet")),
    under_refused=(p("5.2"), p("3.4")),
    over_late=(p("5.1.1"),),
    under_late=(p("5.2.1"),),
    too_big=(p("5.3"), p("5.3.1"), r("wrong-size-and-limit")),
    too_small=(p("5.3"), p("5.3.2")),
    orphan_late=(p("5.4"),),
    staff_bets=(p("5.22"), p("1.18")),
)

OPTIONS = (p("5.10"), p("5.10.1"), p("5.10.2"), p("5.10.3"), p("5.10 (closing)"), r("option-return-scope"))
EACH_OPTION = (
    ("continue", (p("5.10.1"), p("5.10 (closing)"))),
    ("reconstructed", (p("5.10.2"), p("5.10 (closing)"))),
    ("return", (p("5.10.3"), r("option-return-scope"))),
)
AS_IT_LIES = ("continue", "return")
PUT_RIGHT = ("reconstructed", "return")

# Typed as what may follow, so that a reading can pick one kind or another.
VOID: Consequence = VoidRound()
GO_ON: Consequence = Continue()
FOLDED: Consequence = FoldHand()


def irregularities(readings: Readings) -> tuple[Irregularity, ...]:
    """5.5 to 5.23: what a person reports, under which conditions, and what follows."""
    i, w = Incident, When
    as_it_lies, all_as_it_lies = (OfferOptions(to, AS_IT_LIES, OPTIONS) for to in (Whom.REPORTED, Whom.ALL))
    put_right, all_put_right = (OfferOptions(to, PUT_RIGHT, OPTIONS) for to in (Whom.REPORTED, Whom.ALL))

    walks_later = readings.pick("walk-away-after-flop", a=FOLDED, b=CheckHand())
    looked = readings.pick("handled-or-seen", a=w.PLAYER_HAS_HANDLED, b=w.PLAYER_HAS_SEEN)
    not_looked = readings.pick("handled-or-seen", a=w.NO_PLAYER_HAS_HANDLED, b=w.NO_PLAYER_HAS_SEEN)
    hands_moved = readings.pick("whole-hands-moved", a=GO_ON, b=put_right)
    burn_after_the_flop = readings.pick("missed-burn", a=VOID, b=all_as_it_lies)
    joint_draw = readings.pick("joint-draw-all", a=Whom.ALL, b=Whom.REPORTED)
    others_choose = readings.pick(
        "others-wrong-count",
        a=None,
        b=OfferOptions(Whom.OTHERS_AFFECTED, AS_IT_LIES, (*OPTIONS, r("others-wrong-count"))),
    )

    face_up = readings.pick("jackpot-fault", g=w.SEEN_FACE_UP_OR_EXPOSED, h=w.SEEN_OR_FACE_UP)
    none_face_up = readings.pick("jackpot-fault", g=w.NOTHING_SEEN_FACE_UP_OR_EXPOSED, h=w.NOTHING_SEEN_OR_FACE_UP)
    seen = readings.pick("jackpot-fault", e=w.PLAYER_HAS_SEEN, f=face_up)
    unseen = readings.pick("jackpot-fault", e=w.NO_PLAYER_HAS_SEEN, f=none_face_up)
    faults = readings.pick("jackpot-fault", c=(), d=(w.JACKPOT_BETS_LIE,))
    spared = Irregularity(
        (p("5.16"), r("jackpot-fault")), i.JACKPOT_MALFUNCTION, FreezeMeter(), (unseen, w.NO_JACKPOT_BETS_LIE)
    )
    second_exposed = Irregularity(
        (p("5.8"), p("5.8.2"), r("exposures-add-up")),
        i.CARDS_EXPOSED,
        VOID,
        (w.ONE_CARD, w.NO_PLAYER_HAS_SEEN, w.EXPOSED_BEFORE),
    )
    alone = readings.pick("exposures-add-up", a=(), b=(w.NONE_EXPOSED_BEFORE,))
    # fmt: off
    return (
        Irregularity((p("5.5"),), i.WALKED_AWAY, FOLDED, (w.FIRST_DECISION_REMAINS,)),
        Irregularity((p("5.5"), r("walk-away-after-flop")), i.WALKED_AWAY, walks_later,
                     (w.FIRST_DECISION_MADE, w.DECISIONS_REMAIN)),
        Irregularity((p("5.6"),), i.WALKED_AWAY, GO_ON,  (w.FIRST_DECISION_MADE, w.NO_DECISIONS_REMAIN)),

        Irregularity((p("5.7"), p("5.7.1"), r("outcome-established"), r("jackpot-fault")), i.TECHNICAL_INTERRUPTION,
                     FreezeMeter(suspends_jackpot_bets=False), (w.OUTCOME_ESTABLISHED,)),
        Irregularity((p("5.7"), p("5.7.2"), r("outcome-established")), i.TECHNICAL_INTERRUPTION,
                     VOID, (w.NO_OUTCOME_ESTABLISHED,)),

        Irregularity((p("5.8"), p("5.8.1")), i.FOREIGN_CARD,   VOID, reopens=True),
        Irregularity((p("5.8"), p("5.8.2")), i.CARDS_EXPOSED,  VOID,        (w.TWO_OR_MORE, w.NO_PLAYER_HAS_SEEN)),
        *readings.pick("exposures-add-up", a=(), b=(second_exposed,)),
        Irregularity((p("5.8"), p("5.8.3")), i.DECK_COUNT,     VOID,        (w.COUNT_WRONG,), reopens=True),
        Irregularity((p("5.8.3"),),          i.DECK_COUNT,     GO_ON,       (w.COUNT_PROVED_RIGHT,)),
        Irregularity((p("5.8"), p("5.8.4")), i.SHOE_EXHAUSTED, VOID),
        Irregularity((p("5.8"), p("5.8.5")), i.UNSHUFFLED,     VOID, reopens=True),
        Irregularity((p("5.8"), p("5.8.6")), i.MISDEALT,       VOID,        (not_looked, w.NOT_RECONSTRUCTIBLE)),
        Irregularity((p("5.8.6"), p("1.21"), *OPTIONS, r("whole-hands-moved")),
                                             i.MISDEALT,       hands_moved, (not_looked, w.RECONSTRUCTIBLE)),
        Irregularity(OPTIONS,                i.MISDEALT,       put_right,   (looked, w.RECONSTRUCTIBLE)),
        Irregularity(OPTIONS,                i.MISDEALT,       as_it_lies,  (looked, w.NOT_RECONSTRUCTIBLE)),
        Irregularity((p("5.8"), p("5.8.7")), i.WRONG_COMMUNITY_COUNT, VOID, (w.NOT_RECONSTRUCTIBLE,), reopens=True),
        Irregularity(OPTIONS,                i.WRONG_COMMUNITY_COUNT, all_put_right, (w.RECONSTRUCTIBLE,)),
        Irregularity((p("5.8"), p("5.8.7")), i.WRONG_DEALER_COUNT,    VOID, (w.NOT_RECONSTRUCTIBLE,), reopens=True),
        Irregularity(OPTIONS,                i.WRONG_DEALER_COUNT,    all_put_right, (w.RECONSTRUCTIBLE,)),

        Irregularity((p("5.9"), r("missed-burn")), i.BURN_MISSED, VOID,
                     (w.PLAYER_HAS_SEEN, w.FLOP_NOT_TURNED), reopens=True),
        Irregularity((p("5.9"), r("missed-burn")), i.BURN_MISSED, burn_after_the_flop,
                     (w.PLAYER_HAS_SEEN, w.FLOP_TURNED), reopens=True),
        Irregularity((p("5.9"), r("house-level")), i.BURN_MISSED, VOID,
                     (w.NO_PLAYER_HAS_SEEN, w.NOT_RECONSTRUCTIBLE), word_of=Role.PIT_MANAGER, reopens=True),
        Irregularity((p("5.9"), *OPTIONS, r("house-level")), i.BURN_MISSED, all_put_right,
                     (w.NO_PLAYER_HAS_SEEN, w.RECONSTRUCTIBLE), word_of=Role.PIT_MANAGER),

        Irregularity(OPTIONS, i.DEALING_ERROR, put_right,  (w.RECONSTRUCTIBLE,)),
        Irregularity(OPTIONS, i.DEALING_ERROR, as_it_lies, (w.NOT_RECONSTRUCTIBLE,)),

        Irregularity((p("5.12"),), i.CARDS_EXPOSED, GO_ON, (w.PLAYER_HAS_SEEN,)),
        Irregularity((*OPTIONS, r("one-exposed")), i.CARDS_EXPOSED, as_it_lies,
                     (w.ONE_CARD, w.NO_PLAYER_HAS_SEEN, *alone, w.BOX_CARD)),
        Irregularity((*OPTIONS, r("one-exposed")), i.CARDS_EXPOSED, all_as_it_lies,
                     (w.ONE_CARD, w.NO_PLAYER_HAS_SEEN, *alone, w.DEALER_OR_COMMUNITY_CARD)),
        Irregularity((p("5.13"),), i.FACE_UP_IN_SHOE, GO_ON),
        Irregularity((p("5.14"),), i.SIMULTANEOUS_DRAW, AskRuling(Role.PIT_SUPERVISOR, (
            ("card_order", OfferOptions(joint_draw, AS_IT_LIES, (p("5.14.1"), *OPTIONS, r("joint-draw-all")))),
        ))),
        Irregularity((p("5.15"),), i.WRONG_BOX_COUNT, InvalidateHand(Whom.REPORTED, then=others_choose),
                     (w.NOT_RECONSTRUCTIBLE,), reopens=True),
        Irregularity(OPTIONS, i.WRONG_BOX_COUNT, put_right, (w.RECONSTRUCTIBLE,)),

        Irregularity((p("5.16"),), i.JACKPOT_MALFUNCTION, VOID, (unseen, *faults)),
        *readings.pick("jackpot-fault", c=(), d=(spared,)),
        Irregularity((p("5.17"), p("5.17.1")), i.JACKPOT_MALFUNCTION, FreezeMeter(), (seen,)),

        Irregularity((p("5.18"),), i.EXTRA_HAND_EXAMINED, AskRuling(Role.PIT_SUPERVISOR, (
            ("intentional", InvalidateHand(Whom.REPORTED, fold_stands=True)),
            ("unintentional", GO_ON),
        ))),
        Irregularity((p("5.19"), r("late-own-round")), i.LATE_ERROR, GO_ON),
        Irregularity((p("5.23"),), i.UNCOVERED, AskRuling(Role.SHIFT_MANAGER, (
            ("void", VOID), ("stand", GO_ON), ("return", InvalidateHand(Whom.REPORTED)),
        ))),
    )
    # fmt: on


MEASURES = Measures(
    Role.SHIFT_MANAGER,
    (p("5.17.2"), r("house-level")),
    close_table=(p("5.17.2.a"),),
    disallow_box=(p("5.17.2.b"),),
    no_jackpot_bets=(p("5.17.2.c"),),
)


def rulebook(readings: Readings) -> Rulebook:
    """Return the document as these readings have it."""
    later_bets = ("flop", "turn", "river")
    return Rulebook(
        document=DOC,
        currency="SGD",
        layout=LAYOUT,
        bets=(ANTE, BONUS, JACKPOT, FLOP, TURN, RIVER),
        limits=LIMITS,
        jackpot_bet=money("5.00"),
        opening=(p("3.2"), p("1.24")),
        announcements=(
            ("The limits and the jackpot bet are shown at the table.", (p("3.3"),)),
            ("A player with several boxes may look at one hand only.", (p("3.7"),)),
            ("While the jackpot is out of order, a notice says that no jackpot bets are taken.", (p("5.17.2.c"),)),
        ),
        seating=SEATING,
        examining=EXAMINING,
        closing=CLOSING,
        limiting=msgspec.structs.replace(
            LIMITING,
            measured_on_effective_ante=readings.pick("wrong-size-and-limit", a=False, b=True),
            decision_limit_scales=readings.pick("wrong-size-and-limit", c=False, d=True),
        ),
        dealings=(as_read(CARD_SHOE, readings), as_read(ELECTRONIC_SHUFFLER, readings)),
        fold=FOLD,
        showdown=SHOWDOWN,
        side_bets=(
            SideBet(
                "bonus",
                SideHand.HOLE_CARDS,
                BONUS_PAYS,
                rules=(p("3.9"),),
                unlisted=(p("3.9"), p("4.1"), r("bonus-unlisted-loses")),
                stake="bonus",
                lost_when=((Fate.FOLDED, (r("bonus-1000-folded"),)), (Fate.NOT_SHOWN, (p("4.3"),))),
                returned_when=readings.pick(
                    "bonus-on-stand-off", a=((Fate.STOOD_OFF, (p("1.27"), r("bonus-on-stand-off"))),), b=()
                ),
                settled_when=((Fate.STOOD_OFF, (p("3.15"), r("bonus-on-stand-off"))),),
                cap=money("100000.00"),
                cap_rules=(p("4.1.1"), r("bonus-cap")),
                cap_covers_stake=readings.pick("bonus-cap", a=True, b=False),
                dealer_alone_pays=readings.pick("bonus-dealer-only", a=True, b=False),
            ),
        ),
        # 4.3 deems nothing folded: a Hand that was not revealed cannot rank above the Dealer's, proved later or not.
        not_shown=NotShown(
            (p("4.3"), r("refusal-later-bets")),
            loses=readings.pick("refusal-later-bets", a=("ante", "bonus"), b=("ante", "bonus", *later_bets)),
            returns=readings.pick("refusal-later-bets", a=later_bets, b=()),
            provable=readings.pick("v6-proof", a=("ante", "bonus", "jackpot", *later_bets), b=("jackpot",)),
            proving_restores=readings.pick("v6-proof", a=True, b=False),
            proof_rules=(r("v6-proof"),),
            keeps_community_awards=True,
        ),
        jackpot=Jackpot(
            (p("4.2"), r("v6-jackpot-hand"), r("v6-lost-3.16")),
            awards(readings),
            lost=(p("4.2"), r("bonus-unlisted-loses")),
            denied=(p("5.23"), r("denied-claim")),
            amount_rules=(p("3.4"), r("jackpot-amount-wrong")),
            wrong_amount_late=(p("3.4"), r("jackpot-amount-wrong")),
            community=5,
            same_table=SameTable.NONE_NEEDED,
            same_table_rules=(r("v6-same-table"), r("major-label-v6")),
            across_tables=readings.pick(
                "simultaneous-tables",
                a=AcrossTables.BY_TIME_DEALT,
                b=AcrossTables.BY_TIME_DEALT,
                c=AcrossTables.BY_ENTRY,
            ),
            across_tables_rules=(p("4.5"), r("simultaneous-tables")),
            contribution_rules=(p("1.20"), r("contribution-time")),
            every_line=readings.pick("v6-jackpot-hand", c=True, d=False),
            folded_community_only=True,
            partial_award=readings.pick(
                "partial-award-reset",
                a=PartialAward.RESETS,
                b=PartialAward.LOWERS,
                c=PartialAward.LOWERS_TO_RESET_VALUE,
            ),
            partial_rules=(p("1.20"), r("partial-award-reset")),
            frozen_rules=(p("5.17.1"), r("jackpot-fault")),
            fault_spreads=readings.pick("jackpot-fault", a=True, b=False),
            waits_for_earlier_deals=readings.pick("simultaneous-tables", a=False, b=True, c=False),
        ),
        irregularities=irregularities(readings),
        options=EACH_OPTION,
        options_to_folded=readings.pick("options-after-fold", a=True, b=False),
        options_folded_rules=(r("options-after-fold"),),
        options_unanswered=(r("options-default"),),
        void=(p("5.21"), p("1.30")),
        reopening=(p("5.8 (closing)"), r("post-settlement-window")),
        minor_awards_wait=readings.pick("post-settlement-window", b=True, c=False),
        late_error=(p("5.19"), r("late-own-round")),
        measures=MEASURES,
        authority=Authority(
            uncovered=(p("5.23"),),
            uncovered_by=Role.SHIFT_MANAGER,
            payment_order=(p("4.5"), r("house-level")),
            payment_order_by=Role.SHIFT_MANAGER,
        ),
        ranking=(p("3.1"), p("3.1.1"), p("3.1.2"), p("3.1.3"), p("3.1.3.a"), p("3.1.3.b"), p("3.1.3.c"), p("1.10")),
        other=(p("4.4"), p("5.20"), r("award-lock")),
        readings=readings,
    )
