"""MBS Megalink Texas Hold'em Bonus Progressive, version 9: same order and words as the document."""

from __future__ import annotations

from datetime import date

from croupier.cards import Rank
from croupier.money import for_one, money, percent_of_meter, to_one
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
    Continue,
    Deal,
    Dealing,
    DealingStep,
    Decision,
    Examining,
    Fate,
    Fold,
    HandKind,
    HoleCards,
    Incident,
    InvalidateHand,
    Irregularity,
    Jackpot,
    Layout,
    Limiting,
    Limits,
    NotShown,
    OfferOptions,
    PartialAward,
    Place,
    PoolOf,
    Role,
    Rulebook,
    Rules,
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
    "mbs-megalink-holdem",
    title="Megalink Texas Hold'em Bonus Progressive",
    operator="MBS",
    version=9,
    effective=date(2023, 7, 4),
)
p = DOC.para
r = DOC.reading

# ---------------------------------------------------------------- 1. Definitions: the wagers
# fmt: off
ANTE    = Bet("ante",    (p("3.4"),),                BetKind.ENTRY, takes_part=True)
BONUS   = Bet("bonus",   (p("1.1.3"), p("3.5")),     BetKind.SIDE, needs_ante=(p("3.5"), r("orphan-bonus")))
JACKPOT = Bet("jackpot", (p("1.1.10"), p("3.5"), p("3.5.2")), BetKind.JACKPOT,
              needs_ante=(p("3.5"), p("5.12"), p("5.12.1")))
FLOP    = Bet("flop",    (p("1.1.6"), p("3.9.2")),   BetKind.DECISION, times_ante=2)
TURN    = Bet("turn",    (p("1.1.15"), p("3.9.2")),  BetKind.DECISION, times_ante=1)
RIVER   = Bet("river",   (p("1.1.11"), p("3.9.2")),  BetKind.DECISION, times_ante=1)
# fmt: on

# ---------------------------------------------------------------- 2. Mode of Play, with 7. Appendix

LAYOUT = Layout(
    (p("2.2"), p("2.2.1"), p("2.2.2"), p("Appendix A"), p("Appendix B"), p("Appendix C"), p("Appendix D")),
    boxes=7,
)

# ---------------------------------------------------------------- 3. How to Play

# The document leaves the figures to the table; these stand until the House sets its own.
LIMITS = (
    ("ante", Limits(money("10.00"), money("500.00"))),
    ("bonus", Limits(money("5.00"), money("500.00"))),
)

EXAMINING = Examining((p("1.1.2"), p("3.4.1"), r("which-hand-seen")))

# fmt: off
FOLD_OR_FLOP = Decision((p("3.9"),), "flop", (p("3.9.2"), p("1.1.6")), "fold", (p("3.9.1"),))
SHOW: tuple[DealingStep, ...] = (
    Turn((p("3.9.2"),), community=5),
    Turn((p("3.10"),), dealer=True),
    Compare((p("3.10"),)),
)


def flop_to_river(readings: Readings) -> tuple[DealingStep, ...]:
    """3.9.2: the Flop cards, then a wager or a check before each of the Turn card and the River card."""

    def or_check(bet: str, rules: Rules) -> Decision:
        return Decision(
            (p("3.9.2"), r("late-fold"), r("blind-turn-river")),
            bet, rules, "check", (p("3.9.2"), p("1.1.4")),
            looked_only=readings.pick("blind-turn-river", a=True, b=False),
            may_fold=readings.pick("late-fold", a=(p("3.9.1"), r("late-fold")), b=()),
        )

    return (
        Turn((p("3.9.2"),), community=3),
        or_check("turn", (p("3.9.2"), p("1.1.15"))),
        Turn((p("3.9.2"),), community=4),
        or_check("river", (p("3.9.2"), p("1.1.11"))),
    )


def dealings(readings: Readings) -> tuple[Dealing, ...]:
    """3.7 and 3.8: three methods of an automated dealing device, and the manual one; no card is burnt in any."""
    streets = flop_to_river(readings)

    def dealers_two_last(rule: Rules) -> tuple[DealingStep, ...]:
        """Return the steps that deal the Dealer's two Hole cards after the Players' decisions."""
        two = Deal((*rule, r("dealer-time-b")), (Place.DEALER,), each=2)
        after_the_flop_wager: tuple[DealingStep, ...] = (FOLD_OR_FLOP, two, *streets, *SHOW)
        after_the_river_wager: tuple[DealingStep, ...] = (FOLD_OR_FLOP, *streets, two, *SHOW)
        return readings.pick("dealer-time-b", a=after_the_flop_wager, b=after_the_river_wager)

    return (
        Dealing("method_a", (p("3.7"), p("3.7.1"), p("3.7.1.1"), p("2.1")), (
            Deal((p("3.7.1.1"),), (Place.COMMUNITY,), each=5),
            Deal((p("3.7.1.1"),), (Place.BOXES, Place.DEALER), each=2),
            FOLD_OR_FLOP, *streets, *SHOW,
        )),
        Dealing("method_b", (p("3.7"), p("3.7.2"), p("3.7.2.1"), p("2.1")), (
            Deal((p("3.7.2.1"),), (Place.COMMUNITY,), each=5),
            Deal((p("3.7.2.1"),), (Place.BOXES,), each=2),
            *dealers_two_last((p("3.7.2.1"),)),
        )),
        Dealing("method_c", (p("3.7"), p("3.7.3"), p("3.7.3.1"), p("2.1"), r("security-card")), (
            Deal((p("3.7.3.1"), r("security-card")), (Place.COMMUNITY,), each=5),
            Deal((p("3.7.3.1"), r("security-card")), (Place.DEALER, Place.BOXES), each=2),
            FOLD_OR_FLOP, *streets, *SHOW,
        )),
        Dealing("manual", (p("3.8"), p("2.1")), (
            Deal((p("3.8"),), (Place.BOXES,), each=1, times=2),
            Deal((p("3.8"),), (Place.COMMUNITY,), each=5),
            *dealers_two_last((p("3.8"),)),
        )),
    )
# fmt: on


FOLD = Fold(loses=("ante", "bonus"), keeps=("jackpot",), keeps_rules=(p("3.9.1"), r("folded-cards-kept")))

SHOWDOWN = Showdown(
    HandKind.BEST_FIVE,
    ("ante", "flop", "turn", "river"),
    higher=(p("3.10.2"),),
    lower=(p("3.10.3"),),
    equal=(p("3.10.4"), p("1.1.14")),
    pays=(p("4.1"), p("4.1.1")),
    ante_pays_from=Rank.STRAIGHT,
)

RANKING = (
    *(p("3.3"), p("3.3.1"), p("3.3.1.1"), p("3.3.1.2"), p("3.3.1.3")),
    *(p("3.11"), p("3.11.1"), p("3.11.2"), p("3.11.3"), p("3.11.4"), p("3.11.5")),
    *(p("3.11.6"), p("3.11.7"), p("3.11.8"), p("3.11.9"), p("3.11.10"), r("example-typos")),
    *(p("3.12"), p("3.12.1"), p("3.12.2"), p("3.12.3"), p("3.12.4"), p("3.12.5"), p("3.12.6")),
    r("full-house-shared-trips"),
)

# ---------------------------------------------------------------- 4. Settlement
# fmt: off
BONUS_PAYS = pay_table((p("4.1.1"),),
    (HoleCards.ACES_BOTH,                to_one(1000)),
    (HoleCards.ACES,                     to_one(30)),
    (HoleCards.ACE_KING_SUITED,          to_one(25)),
    (HoleCards.ACE_QUEEN_OR_JACK_SUITED, to_one(20)),
    (HoleCards.ACE_KING,                 to_one(15)),
    (HoleCards.HIGH_PAIR,                to_one(10)),
    (HoleCards.ACE_QUEEN_OR_JACK,        to_one(5)),
    (HoleCards.LOW_PAIR,                 to_one(3)),
)
AWARDS = (
    Award("royal_flush",    Rank.ROYAL_FLUSH,    percent_of_meter(100), (p("4.2"),)),
    Award("straight_flush", Rank.STRAIGHT_FLUSH, percent_of_meter(10),  (p("4.2"),)),
    Award("four_of_a_kind", Rank.FOUR_OF_A_KIND, for_one(400),          (p("4.2"),)),
    Award("full_house",     Rank.FULL_HOUSE,     for_one(80),           (p("4.2"),)),
    Award("flush",          Rank.FLUSH,          for_one(40),           (p("4.2"),)),
    Award("straight",       Rank.STRAIGHT,       for_one(20),           (p("4.2"),)),
)
# fmt: on


def bonus(readings: Readings) -> SideBet:
    """1.1.3, 3.5 and 4.1.1: the Bonus looks at the Hole cards; there is no cap."""
    beaten = readings.pick("bonus-on-loss", a=((Fate.BEATEN, (p("3.10.3"), r("bonus-on-loss"))),), b=())
    stood_off = readings.pick("bonus-on-stand-off", a=((Fate.STOOD_OFF, (p("3.10.4"), r("bonus-on-stand-off"))),), b=())
    return SideBet(
        "bonus",
        SideHand.HOLE_CARDS,
        BONUS_PAYS,
        rules=(p("1.1.3"),),
        unlisted=(p("1.1.3"), p("4.1.1"), r("bonus-unlisted-loses")),
        stake="bonus",
        lost_when=((Fate.FOLDED, (r("bonus-1000-folded"),)), (Fate.NOT_SHOWN, (p("3.10.1"),)), *beaten),
        returned_when=stood_off,
        settled_when=((Fate.BEATEN, (r("bonus-on-loss"),)), (Fate.STOOD_OFF, (r("bonus-on-stand-off"),))),
    )


def not_shown(readings: Readings) -> NotShown:
    """3.10.1: a Hand that is not exposed ranks below the Dealer's, wins no jackpot and cannot come back into play."""
    later_bets = ("flop", "turn", "river")
    why_they_return: Rules = readings.pick("refusal-later-bets", a=(r("refusal-later-bets"),), b=())
    return NotShown(
        (p("3.10.1"), *why_they_return),
        loses=readings.pick("refusal-later-bets", a=("ante", "bonus"), b=("ante", "bonus", *later_bets)),
        returns=readings.pick("refusal-later-bets", a=later_bets, b=()),
        view_by=Role.PIT_SUPERVISOR,
        view_rules=(p("3.10.1"),),
    )


def jackpot(readings: Readings) -> Jackpot:
    """3.13 to 3.15 and 4.2: the Hole cards with the Flop cards, on a wager of one to five times the minimum."""
    return Jackpot(
        (p("3.13"),),
        AWARDS,
        lost=(p("4.2"), r("bonus-unlisted-loses")),
        denied=(p("6.1"), r("denied-claim")),
        amount_rules=(p("3.5.3"), r("jackpot-amount-wrong")),
        wrong_amount_late=(p("3.5.3"), r("jackpot-amount-wrong")),
        community=3,
        same_table=SameTable.POOLED_ROYAL_LAST,
        same_table_rules=(p("3.15"), p("3.15.2")),
        across_tables=AcrossTables.BY_ENTRY,
        across_tables_rules=(p("3.14"),),
        contribution_rules=(r("contribution-time"), r("contribution-multiple")),
        multiples=5,
        multiple_rules=(p("3.5.3"), p("3.5.3.1"), r("for-1-multiple")),
        contributes_multiples=readings.pick("contribution-multiple", a=True, b=False),
        multiple_squared=readings.pick("for-1-multiple", a=False, b=True),
        pool_of=readings.pick("sf-pool-arithmetic", a=PoolOf.RUNNING_METER, b=PoolOf.RESET_VALUE, c=PoolOf.ONCE),
        pool_rules=(p("3.15"), p("3.15.1"), r("sf-pool-arithmetic")),
        partial_award=readings.pick(
            "partial-award-reset",
            a=PartialAward.RESETS,
            b=PartialAward.LOWERS,
            c=PartialAward.LOWERS_TO_RESET_VALUE,
        ),
        partial_rules=(p("3.15.1"), r("partial-award-reset")),
        waits_for_earlier_deals=False,
    )


# ---------------------------------------------------------------- 5. Irregularities

# The document says nothing of a Flop, Turn or River wager of the wrong size, so that goes to the Gaming Shift Manager.
LIMITING = Limiting(
    over_refused=(p("3.4"),),
    under_refused=(p("3.4"),),
    over_late=(p("5.14"),),
    under_late=(p("5.13"), r("under-min-memory")),
    under_once=True,
    orphan_late=(p("5.12.2"),),
    staff_bets=(p("3.6"),),
)

STAY_OR_WITHDRAW = ("continue", "withdraw")


def irregularities(readings: Readings) -> tuple[Irregularity, ...]:
    """5.1 to 5.16 and 6.1: what a person reports, under which conditions, and what follows."""
    i, w = Incident, When
    void, go_on = VoidRound(), Continue()
    shift_manager_rules = AskRuling(
        Role.SHIFT_MANAGER, (("void", void), ("stand", go_on), ("return", InvalidateHand(Whom.REPORTED)))
    )
    # A wager that a fold has lost no longer exists, so an act of the Player's own does not bring it back.
    barred = InvalidateHand(Whom.OF_PLAYER, fold_stands=True)
    may_be_barred = AskRuling(Role.SHIFT_MANAGER, (("prohibit", barred), ("allow", go_on)))
    removed = InvalidateHand(Whom.REPORTED, then=OfferOptions(Whom.OTHERS_AFFECTED, STAY_OR_WITHDRAW, (p("5.7.1"),)))
    not_there_for_the_flop = readings.pick(
        "walk-away-bonus",
        a=InvalidateHand(Whom.REPORTED, lost=("bonus",)),
        b=InvalidateHand(Whom.REPORTED),
        c=InvalidateHand(Whom.REPORTED, settled=("bonus",)),
    )
    power = (r("outcome-established"), r("other-interruption-mbs"))
    may_withdraw = OfferOptions(Whom.ALL, STAY_OR_WITHDRAW, (p("5.16.1"), r("power-withdraw")), withdraws_all=True)
    controls = (p("5.10"), r("multi-error"))
    handled = readings.pick("handled-or-seen", a=w.PLAYER_HAS_SEEN, b=w.PLAYER_HAS_HANDLED)
    unhandled = readings.pick("handled-or-seen", a=w.NO_PLAYER_HAS_SEEN, b=w.NO_PLAYER_HAS_HANDLED)
    one_exposed = (p("6.1"), r("exposed-mbs-one"))
    one_by_one = (Irregularity(one_exposed, i.CARDS_EXPOSED, shift_manager_rules, (w.ONE_CARD,)),)
    unseen_one = (w.ONE_CARD, w.NO_PLAYER_HAS_SEEN)
    second = (p("5.4"), r("during-the-deal"), r("exposures-add-up"))
    added_up = (
        Irregularity(second, i.CARDS_EXPOSED, void, (*unseen_one, w.EXPOSED_BEFORE)),
        Irregularity(one_exposed, i.CARDS_EXPOSED, shift_manager_rules, (*unseen_one, w.NONE_EXPOSED_BEFORE)),
        Irregularity(one_exposed, i.CARDS_EXPOSED, shift_manager_rules, (w.ONE_CARD, w.PLAYER_HAS_SEEN)),
    )
    # fmt: off
    return (
        Irregularity((p("5.1"), p("5.1.1")), i.FOREIGN_CARD, void),
        Irregularity((p("5.1"), p("5.1.1")), i.UNSHUFFLED,   void),
        Irregularity((p("5.1.2"), p("5.15")), i.LATE_ERROR,  go_on),

        Irregularity((p("5.2"),), i.MISDEALT, void,  (unhandled, w.NOT_RECONSTRUCTIBLE)),
        Irregularity((p("5.2"),), i.MISDEALT, go_on, (unhandled, w.RECONSTRUCTIBLE)),
        Irregularity((p("6.1"), r("mbs-misdeal-handled"), r("handled-or-seen")), i.MISDEALT,
                     shift_manager_rules, (handled,)),

        Irregularity((p("5.3"),), i.WRONG_COMMUNITY_COUNT, void,  (w.NOT_RECONSTRUCTIBLE,), reopens=True),
        Irregularity((p("5.3"),), i.WRONG_COMMUNITY_COUNT, go_on, (w.RECONSTRUCTIBLE,)),
        Irregularity((p("5.3"),), i.WRONG_DEALER_COUNT,    void,  (w.NOT_RECONSTRUCTIBLE,), reopens=True),
        Irregularity((p("5.3"),), i.WRONG_DEALER_COUNT,    go_on, (w.RECONSTRUCTIBLE,)),

        Irregularity((p("5.4"), r("during-the-deal")), i.CARDS_EXPOSED, void,                (w.TWO_OR_MORE,)),
        *readings.pick("exposures-add-up", a=one_by_one, b=added_up),

        Irregularity((p("5.7"), r("option-return-scope")), i.WRONG_BOX_COUNT,
                     removed, (w.NOT_RECONSTRUCTIBLE,), reopens=True),
        Irregularity((p("5.7"),), i.WRONG_BOX_COUNT, go_on, (w.RECONSTRUCTIBLE,)),

        Irregularity((p("5.8"), p("5.1"), p("5.1.1")), i.DECK_COUNT, void,  (w.COUNT_WRONG,), reopens=True),
        Irregularity((p("5.8"),),                      i.DECK_COUNT, go_on, (w.COUNT_PROVED_RIGHT,)),

        Irregularity((p("5.9"),), i.NOT_CONFIDENTIAL, may_be_barred),

        Irregularity((*controls, p("5.10.1"), r("two-seen-mbs")), i.CONTROLS_MULTIPLE_HANDS,
                     InvalidateHand(Whom.UNVIEWED_OF_PLAYER, fold_stands=True), (w.A_HAND_WAS_VIEWED,)),
        Irregularity((*controls, p("5.10.2"), r("first-dealt-method-c")), i.CONTROLS_MULTIPLE_HANDS,
                     InvalidateHand(Whom.ALL_BUT_FIRST_DEALT_OF_PLAYER, fold_stands=True), (w.NO_HAND_WAS_VIEWED,)),

        Irregularity((p("5.11"), r("walk-away-bonus")), i.WALKED_AWAY,
                     not_there_for_the_flop, (w.FIRST_DECISION_REMAINS,)),
        Irregularity((p("5.11"),), i.WALKED_AWAY, CheckHand(), (w.FIRST_DECISION_MADE, w.DECISIONS_REMAIN)),
        Irregularity((p("5.11"),), i.WALKED_AWAY, go_on,       (w.FIRST_DECISION_MADE, w.NO_DECISIONS_REMAIN)),

        Irregularity((p("5.16"), p("5.16.1"), *power), i.TECHNICAL_INTERRUPTION,
                     may_withdraw, (w.NO_OUTCOME_ESTABLISHED,)),
        Irregularity((p("5.16"), p("5.16.2"), *power), i.TECHNICAL_INTERRUPTION, go_on, (w.OUTCOME_ESTABLISHED,)),

        Irregularity((p("6.1"), r("interpretation-mbs"), r("mbs-silent")), i.UNCOVERED, shift_manager_rules),
    )
    # fmt: on


# ---------------------------------------------------------------- 6. General Provisions


def authority(readings: Readings) -> Authority:
    """6.1 and 6.2, and the powers of 3.14, 5.9 and 5.10.3."""
    return Authority(
        uncovered=(p("6.1"), p("6.2"), r("interpretation-mbs"), r("mbs-silent")),
        uncovered_by=Role.SHIFT_MANAGER,
        payment_order=(p("3.14"),),
        payment_order_by=Role.SHIFT_MANAGER,
        stop_player_by=Role.SHIFT_MANAGER,
        stop_player=(p("5.10.3"),),
        prohibited=(p("5.9"), p("5.10.3"), r("bar-scope")),
        bars_in_the_house=readings.pick("bar-scope", a=False, b=True),
        fold_ruling=(p("6.1"), r("walk-away-bonus")),
    )


def rulebook(readings: Readings) -> Rulebook:
    """Return the document as these readings have it."""
    return Rulebook(
        document=DOC,
        currency="SGD",
        layout=LAYOUT,
        bets=(ANTE, BONUS, JACKPOT, FLOP, TURN, RIVER),
        limits=LIMITS,
        jackpot_bet=money("5.00"),
        opening=(p("3.1"), p("1.1.13")),
        announcements=(
            ("The minimum and maximum limits are shown at the table.", (p("3.4"),)),
            ("A player on several positions may look at one hand only.", (p("3.4.1"),)),
        ),
        seating=Seating(
            (p("3.4"),),
            shared_boxes=readings.pick("shared-area", a=False, b=True),
            several_boxes=True,
            several_rules=(p("3.4.1"),),
            shared_rules=(p("3.4"), p("3.4.2"), r("shared-area")),
            backing_returned=readings.pick("backer-returned", a=(), b=(r("backer-returned"),)),
            jackpot_seated_only=(p("3.5.1"), p("3.5.4")),
            restrict_by=Role.PIT_MANAGER,
            restrict_rules=(p("3.4.3"),),
        ),
        examining=EXAMINING,
        closing=Closing(
            (p("5.5"), p("3.2")),
            withdrawn_stays_live=readings.pick("withdrawn-late-mbs", a=False, b=True),
            withdrawn_rules=(p("5.6"), r("withdrawn-late-mbs")),
        ),
        limiting=LIMITING,
        dealings=dealings(readings),
        fold=FOLD,
        showdown=SHOWDOWN,
        side_bets=(bonus(readings),),
        not_shown=not_shown(readings),
        jackpot=jackpot(readings),
        irregularities=irregularities(readings),
        void=(p("5.1.1"), r("void-and-folded")),
        reopening=(p("5.3"), p("5.7"), r("post-settlement-window")),
        minor_awards_wait=readings.pick("post-settlement-window", b=True, c=False),
        late_error=(p("5.1.2"), p("5.15")),
        measures=None,
        authority=authority(readings),
        ranking=RANKING,
        other=(
            r("all-folded"),
            r("minor-funding"),
            r("award-rounding"),
            r("displayed-value"),
            r("award-lock"),
            r("link-scope"),
        ),
        readings=readings,
    )
