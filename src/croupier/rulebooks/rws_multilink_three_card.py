"""RWS Multi-Link Progressive 3 Card Poker, version 4: same order and words as the document."""

from __future__ import annotations

from datetime import date

import msgspec

from croupier.cards import Rank, ThreeCardRank
from croupier.money import for_one, money, percent_of_meter, to_one
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
    Decision,
    Examining,
    Fate,
    Fold,
    FoldHand,
    FreezeMeter,
    HandKind,
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
    Qualification,
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

DOC = Document(
    "rws-multilink-three-card",
    title="Multi-Link Progressive 3 Card Poker",
    operator="RWS",
    version=4,
    effective=date(2024, 1, 4),
)
p = DOC.para
r = DOC.reading

# ---------------------------------------------------------------- 1. Definitions: the Bets
# fmt: off
ANTE       = Bet("ante",       (p("3.6"), p("3.6.1")),               BetKind.ENTRY, takes_part=True)
PAIR_PLUS  = Bet("pair_plus",  (p("3.6"), p("3.6.2"), p("1.12")),    BetKind.SIDE, takes_part=True)
JACKPOT    = Bet("jackpot",    (p("3.8"), p("3.8.1"), p("2.1.1.b")), BetKind.JACKPOT,
                 needs_ante=(p("3.8"), p("5.4"), r("orphan-jackpot-time"), r("jackpot-pair-plus-only")))
PLAY       = Bet("play",       (p("1.13"), p("3.12.2")),             BetKind.DECISION, times_ante=1)
ANTE_BONUS = Bet("ante_bonus", (p("1.2"),),                          BetKind.PAYOUT)
# fmt: on

LIMITS = (
    ("ante", Limits(money("10.00"), money("500.00"))),
    ("pair_plus", Limits(money("5.00"), money("500.00"))),
)

# ---------------------------------------------------------------- 2. Mode of Play

LAYOUT = Layout((p("2.1.1"), p("2.1.1.a"), r("boxes-unknown")), boxes=7)

# ---------------------------------------------------------------- 3. How to Play

SEATING = Seating((p("3.5"), p("1.21")), several_boxes=True, several_rules=(p("3.7"),))
EXAMINING = Examining((p("3.7"), r("which-hand-seen")), side_bet_only=(p("3.14"), r("pair-plus-only-moves")))
CLOSING = Closing((p("5.11"), p("3.9"), r("closing-vs-decisions")), withdrawn_rules=(p("5.11"),))

# fmt: off
FOLD_OR_PLAY = Decision((p("3.12"),), "play", (p("3.12.2"), p("1.13")), "fold", (p("3.12.1"),))
REVEAL = (
    Turn((p("3.13"),), dealer=True),
    Turn((p("3.13"),), community=2),
    Compare((p("3.15"),)),
)
CARD_SHOE = Dealing("card_shoe", (p("3.10"), p("2.2.1")), (
    Deal((p("3.10"), p("1.4")), (Place.BURN,), each=1),
    Deal((p("3.10"),), (Place.BOXES, Place.DEALER), each=1, times=3),
    Deal((p("3.10.1"),), (Place.COMMUNITY,), each=2),
    FOLD_OR_PLAY,
    *REVEAL,
))
SHUFFLER_COMMUNITY_LAST = Dealing("shuffler_community_last", (p("3.11"), p("3.11.1"), p("2.2.1")), (
    Deal((p("3.11.1"),), (Place.BOXES, Place.DEALER), each=3),
    Deal((p("3.11.1"),), (Place.COMMUNITY,), each=2),
    Deal((p("3.11.1"), r("discarded-community")), (Place.BURN,), each=1, left_over=True),
    FOLD_OR_PLAY,
    *REVEAL,
), announce=(p("3.11.3"), r("house-level")))
SHUFFLER_COMMUNITY_FIRST = Dealing("shuffler_community_first", (p("3.11"), p("3.11.2"), p("2.2.1")), (
    Deal((p("3.11.2"),), (Place.COMMUNITY,), each=2),
    Deal((p("3.11.2"),), (Place.BOXES, Place.DEALER), each=3),
    FOLD_OR_PLAY,
    *REVEAL,
), announce=(p("3.11.3"), r("house-level")))
# fmt: on

SHOWDOWN = Showdown(
    HandKind.THREE_CARDS,
    ("ante", "play"),
    higher=(p("3.15.1"),),
    lower=(p("3.15.2"),),
    equal=(p("3.15.3"), p("1.23")),
    pays=(p("4.1"),),
    qualification=Qualification(
        AtLeast(ThreeCardRank.ODD_CARDS, 12, "Queen high"),
        rules=(p("1.18"), r("queen-high")),
        ante=(p("3.13"), p("4.1"), r("unqualified-worse-hand")),
        others=(p("3.13"),),
    ),
)

# ---------------------------------------------------------------- 4. Settlement
# fmt: off
PAIR_PLUS_PAYS = pay_table((p("4.2"),),
    (ThreeCardRank.STRAIGHT_FLUSH,  to_one(40)),
    (ThreeCardRank.THREE_OF_A_KIND, to_one(30)),
    (ThreeCardRank.STRAIGHT,        to_one(5)),
    (ThreeCardRank.FLUSH,           to_one(4)),
    (ThreeCardRank.PAIR,            to_one(1)),
)
ANTE_BONUS_PAYS = pay_table((p("4.3"),),
    (ThreeCardRank.STRAIGHT_FLUSH,  to_one(5)),
    (ThreeCardRank.THREE_OF_A_KIND, to_one(4)),
    (ThreeCardRank.STRAIGHT,        to_one(1)),
)
AWARDS = (
    Award("royal_flush",    Rank.ROYAL_FLUSH,    percent_of_meter(100), (p("4.4"),), community=2),
    Award("straight_flush", Rank.STRAIGHT_FLUSH, percent_of_meter(10),  (p("4.4"),), community=2),
    Award("four_of_a_kind", Rank.FOUR_OF_A_KIND, for_one(400),          (p("4.4"),), community=2),
    Award("full_house",     Rank.FULL_HOUSE,     for_one(80),           (p("4.4"),), community=2),
    Award("flush",          Rank.FLUSH,          for_one(40),           (p("4.4"),), community=2),
    Award("straight",       Rank.STRAIGHT,       for_one(20),           (p("4.4"),), community=2),
)
# fmt: on


def side_bets(readings: Readings) -> tuple[SideBet, ...]:
    """3.16: Pair Plus and the Ante Bonus, on the Player's three cards whatever the Dealer has."""
    folded_pair_plus = readings.pick("fold-pair-plus", a=((Fate.FOLDED, (r("fold-pair-plus"),)),), b=())
    folded_bonus = readings.pick("fold-ante-bonus", a=(), b=((Fate.FOLDED, (p("1.2"), r("fold-ante-bonus"))),))
    # The Ante Bonus has no stake that could go back, so a Stand Off that withholds it takes it like a loss.
    tied_bonus = readings.pick(
        "ante-bonus-stand-off", a=((Fate.STOOD_OFF, (p("3.15.3"), r("ante-bonus-stand-off"))),), b=()
    )
    return (
        SideBet(
            "pair_plus",
            SideHand.THREE_CARDS,
            PAIR_PLUS_PAYS,
            rules=(p("3.16"),),
            unlisted=(p("1.12"), p("4.2")),
            stake="pair_plus",
            lost_when=(*folded_pair_plus, (Fate.NOT_SHOWN, (p("4.5"),))),
            settled_when=((Fate.FOLDED, (r("fold-pair-plus"), p("4.5"))), (Fate.NOT_SHOWN, (p("4.5"),))),
        ),
        SideBet(
            "ante_bonus",
            SideHand.THREE_CARDS,
            ANTE_BONUS_PAYS,
            rules=(p("1.2"), p("3.16")),
            unlisted=(p("1.2"), p("4.3")),
            stake="ante",
            lost_when=(*folded_bonus, (Fate.NOT_SHOWN, (p("4.5"), r("fold-ante-bonus"))), *tied_bonus),
            settled_when=(
                (Fate.FOLDED, (r("fold-ante-bonus"),)),
                (Fate.BEATEN, (p("3.15.2"),)),
                (Fate.STOOD_OFF, (p("1.23"), r("ante-bonus-stand-off"))),
            ),
        ),
    )


# ---------------------------------------------------------------- 5. Irregularities

LIMITING = Limiting(
    over_refused=(p("5.1"), p("3.4"), r("limits-per-bet")),
    under_refused=(p("5.2"), p("3.4")),
    over_late=(p("5.1.1"),),
    under_late=(p("5.2.1"),),
    too_big=(p("5.3"), p("5.3.1"), r("wrong-size-and-limit")),
    too_small=(p("5.3"), p("5.3.2")),
    orphan_late=(p("5.4"),),
    staff_bets=(p("5.22"), p("1.14")),
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
    others_choose = OfferOptions(Whom.OTHERS_AFFECTED, AS_IT_LIES, (p("5.15"), *OPTIONS))

    looked = readings.pick("handled-or-seen", a=w.PLAYER_HAS_HANDLED, b=w.PLAYER_HAS_SEEN)
    not_looked = readings.pick("handled-or-seen", a=w.NO_PLAYER_HAS_HANDLED, b=w.NO_PLAYER_HAS_SEEN)
    hands_moved = readings.pick("whole-hands-moved", a=GO_ON, b=put_right)
    joint_draw = readings.pick("joint-draw-all", a=Whom.ALL, b=Whom.REPORTED)

    # 5.8.7 names the Dealer's cards alone, and the Community Cards make the jackpot hand alone.
    count_rules = (*OPTIONS, r("community-count-3cp"))
    count_put_right = OfferOptions(Whom.WITH_JACKPOT_BET, PUT_RIGHT, OPTIONS)
    count_as_it_lies = readings.pick(
        "community-count-3cp", a=VOID, b=OfferOptions(Whom.WITH_JACKPOT_BET, AS_IT_LIES, OPTIONS)
    )
    count_reopens = readings.pick("community-count-3cp", a=True, b=False)
    community_shown = readings.pick(
        "exposed-community-3cp", a=all_as_it_lies, b=OfferOptions(Whom.WITH_JACKPOT_BET, AS_IT_LIES, OPTIONS)
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
        (p("5.8"), p("5.8.2"), r("three-card-exposure"), r("exposures-add-up")),
        i.CARDS_EXPOSED,
        VOID,
        (w.ONE_CARD, w.NO_PLAYER_HAS_SEEN, w.EXPOSED_BEFORE),
    )
    alone = readings.pick("exposures-add-up", a=(), b=(w.NONE_EXPOSED_BEFORE,))
    # fmt: off
    return (
        Irregularity((p("5.5"),), i.WALKED_AWAY, FOLDED, (w.FIRST_DECISION_REMAINS,)),
        Irregularity((p("5.6"),), i.WALKED_AWAY, GO_ON,  (w.FIRST_DECISION_MADE,)),

        Irregularity((p("5.7"), p("5.7.1"), r("outcome-established"), r("jackpot-fault")), i.TECHNICAL_INTERRUPTION,
                     FreezeMeter(suspends_jackpot_bets=False), (w.OUTCOME_ESTABLISHED,)),
        Irregularity((p("5.7"), p("5.7.2"), r("outcome-established")), i.TECHNICAL_INTERRUPTION,
                     VOID, (w.NO_OUTCOME_ESTABLISHED,)),

        Irregularity((p("5.8"), p("5.8.1")), i.FOREIGN_CARD,   VOID, reopens=True),
        Irregularity((p("5.8"), p("5.8.2"), r("three-card-exposure")),
                                             i.CARDS_EXPOSED,  VOID,        (w.TWO_OR_MORE, w.NO_PLAYER_HAS_SEEN)),
        *readings.pick("exposures-add-up", a=(), b=(second_exposed,)),
        Irregularity((p("5.8"), p("5.8.3")), i.DECK_COUNT,     VOID,        (w.COUNT_WRONG,), reopens=True),
        Irregularity((p("5.8.3"),),          i.DECK_COUNT,     GO_ON,       (w.COUNT_PROVED_RIGHT,)),
        Irregularity((p("5.8"), p("5.8.4")), i.SHOE_EXHAUSTED, VOID),
        Irregularity((p("5.8"), p("5.8.5")), i.UNSHUFFLED,     VOID, reopens=True),
        Irregularity((p("5.8"), p("5.8.6")), i.MISDEALT,       VOID,        (not_looked, w.NOT_RECONSTRUCTIBLE)),
        Irregularity((p("5.8.6"), p("1.19"), *OPTIONS, r("whole-hands-moved")),
                                             i.MISDEALT,       hands_moved, (not_looked, w.RECONSTRUCTIBLE)),
        Irregularity(OPTIONS,                i.MISDEALT,       put_right,   (looked, w.RECONSTRUCTIBLE)),
        Irregularity(OPTIONS,                i.MISDEALT,       as_it_lies,  (looked, w.NOT_RECONSTRUCTIBLE)),
        Irregularity((p("5.8"), p("5.8.7")), i.WRONG_DEALER_COUNT, VOID, (w.NOT_RECONSTRUCTIBLE,), reopens=True),
        Irregularity(OPTIONS,                i.WRONG_DEALER_COUNT, all_put_right, (w.RECONSTRUCTIBLE,)),
        Irregularity(count_rules, i.WRONG_COMMUNITY_COUNT, count_put_right, (w.RECONSTRUCTIBLE,)),
        Irregularity(count_rules, i.WRONG_COMMUNITY_COUNT, count_as_it_lies, (w.NOT_RECONSTRUCTIBLE,),
                     reopens=count_reopens),

        # The one burn comes before the deal and there is no flop, so `missed-burn` asks nothing here.
        Irregularity((p("5.9"),), i.BURN_MISSED, VOID, (w.PLAYER_HAS_SEEN,), reopens=True),
        Irregularity((p("5.9"), r("house-level")), i.BURN_MISSED, VOID,
                     (w.NO_PLAYER_HAS_SEEN, w.NOT_RECONSTRUCTIBLE), word_of=Role.PIT_MANAGER, reopens=True),
        Irregularity((p("5.9"), *OPTIONS, r("house-level")), i.BURN_MISSED, all_put_right,
                     (w.NO_PLAYER_HAS_SEEN, w.RECONSTRUCTIBLE), word_of=Role.PIT_MANAGER),

        Irregularity(OPTIONS, i.DEALING_ERROR, put_right,  (w.RECONSTRUCTIBLE,)),
        Irregularity(OPTIONS, i.DEALING_ERROR, as_it_lies, (w.NOT_RECONSTRUCTIBLE,)),

        Irregularity((p("5.12"),), i.CARDS_EXPOSED, GO_ON, (w.PLAYER_HAS_SEEN,)),
        Irregularity((p("5.12"), *OPTIONS, r("three-card-exposure")), i.CARDS_EXPOSED, as_it_lies,
                     (w.ONE_CARD, w.NO_PLAYER_HAS_SEEN, *alone, w.BOX_CARD)),
        # A card of the Dealer plays against every box, so all are affected.
        Irregularity((p("5.12"), *OPTIONS, r("three-card-exposure")), i.CARDS_EXPOSED, all_as_it_lies,
                     (w.ONE_CARD, w.NO_PLAYER_HAS_SEEN, *alone, w.DEALER_OR_COMMUNITY_CARD, w.HAND_CARD)),
        Irregularity((p("5.12"), *OPTIONS, r("three-card-exposure"), r("exposed-community-3cp")), i.CARDS_EXPOSED,
                     community_shown,
                     (w.ONE_CARD, w.NO_PLAYER_HAS_SEEN, *alone, w.DEALER_OR_COMMUNITY_CARD, w.COMMUNITY_CARDS_ONLY)),
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
    jackpot_beside = readings.pick("jackpot-pair-plus-only", a=("ante", "pair_plus"), b=("ante",))
    return Rulebook(
        document=DOC,
        currency="SGD",
        layout=LAYOUT,
        bets=(ANTE, PAIR_PLUS, msgspec.structs.replace(JACKPOT, beside=jackpot_beside), PLAY, ANTE_BONUS),
        limits=LIMITS,
        jackpot_bet=money("5.00"),
        opening=(p("3.2"), p("1.20")),
        announcements=(
            ("The limits and the jackpot bet are shown at the table.", (p("3.3"),)),
            ("A player with several boxes may look at one hand only.", (p("3.7"),)),
            ("Where a shuffler is used, players hear its dealing method before each round.", (p("3.11.3"),)),
            ("While the jackpot is out of order, a notice says that no jackpot bets are taken.", (p("5.17.2.c"),)),
        ),
        seating=SEATING,
        examining=EXAMINING,
        closing=CLOSING,
        limiting=LIMITING,
        dealings=(CARD_SHOE, SHUFFLER_COMMUNITY_LAST, SHUFFLER_COMMUNITY_FIRST),
        fold=Fold(
            loses=readings.pick("fold-pair-plus", a=("ante", "pair_plus"), b=("ante",)),
            keeps=readings.pick("fold-pair-plus", a=("jackpot",), b=("jackpot", "pair_plus")),
            keeps_rules=(p("3.12.1"), r("folded-cards-kept")),
        ),
        showdown=SHOWDOWN,
        side_bets=side_bets(readings),
        not_shown=NotShown(
            (p("4.5"),),
            loses=readings.pick("refusal-later-bets", a=("ante", "pair_plus"), b=("ante", "pair_plus", "play")),
            returns=readings.pick("refusal-later-bets", a=("play",), b=()),
            later_rules=(r("refusal-later-bets"),),
            # This Player counts as folded, and cannot be better off than a Player who did fold.
            provable=readings.pick("fold-pair-plus", a=("jackpot",), b=("jackpot", "pair_plus")),
        ),
        jackpot=Jackpot(
            (p("4.4.1"),),
            AWARDS,
            lost=(p("4.4.1"), p("1.17"), r("bonus-unlisted-loses")),
            denied=(p("5.23"), r("denied-claim")),
            amount_rules=(p("3.4"), r("jackpot-amount-wrong")),
            wrong_amount_late=(p("3.4"), r("jackpot-amount-wrong")),
            community=2,
            same_table=readings.pick("major-order", a=SameTable.CLOCKWISE, b=SameTable.ROYAL_LAST),
            same_table_rules=(p("4.7"), p("4.7.1")),
            across_tables=readings.pick(
                "simultaneous-tables",
                a=AcrossTables.BY_TIME_DEALT,
                b=AcrossTables.BY_TIME_DEALT,
                c=AcrossTables.BY_ENTRY,
            ),
            across_tables_rules=(p("4.7.2"), r("simultaneous-tables")),
            contribution_rules=(p("1.16"), r("contribution-time")),
            partial_award=readings.pick(
                "partial-award-reset",
                a=PartialAward.RESETS,
                b=PartialAward.LOWERS,
                c=PartialAward.LOWERS_TO_RESET_VALUE,
            ),
            partial_rules=(p("1.16"), r("partial-award-reset")),
            frozen_rules=(p("5.17.1"), r("jackpot-fault")),
            fault_spreads=readings.pick("jackpot-fault", a=True, b=False),
            waits_for_earlier_deals=readings.pick("simultaneous-tables", a=False, b=True, c=False),
        ),
        irregularities=irregularities(readings),
        options=EACH_OPTION,
        options_to_folded=readings.pick("options-after-fold", a=True, b=False),
        options_folded_rules=(r("options-after-fold"),),
        options_unanswered=(r("options-default"),),
        void=(p("5.21"), p("1.24")),
        reopening=(p("5.8 (closing)"), r("post-settlement-window")),
        minor_awards_wait=readings.pick("post-settlement-window", b=True, c=False),
        late_error=(p("5.19"), r("late-own-round")),
        measures=MEASURES,
        authority=Authority(
            uncovered=(p("5.23"),),
            uncovered_by=Role.SHIFT_MANAGER,
            payment_order=(p("4.7.2"), r("house-level")),
            payment_order_by=Role.SHIFT_MANAGER,
        ),
        ranking=(
            *(p("3.1"), p("3.1.1"), p("3.1.2"), p("3.1.3"), p("3.1.3.a"), p("3.1.3.b"), p("3.1.3.c"), p("3.17")),
            r("steel-wheel"),
        ),
        other=(p("4.6"), p("5.20"), r("jackpot-silence"), r("award-lock")),
        readings=readings,
    )
