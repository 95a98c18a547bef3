"""Harbour Stud, version 1: five cards each, one decision, no community cards."""

from croupier.rulebooks import author as a

DOC = a.document("harbour-stud@1")
p, r = DOC.para, DOC.reading

# ---------------------------------------------------------------- 1. Definitions: the Bets
# fmt: off
ANTE    = a.Bet("ante",    (p("3.4"),),             a.BetKind.ENTRY, takes_part=True)
JACKPOT = a.Bet("jackpot", (p("3.5"),),             a.BetKind.JACKPOT, needs_ante=(p("3.5"), p("5.4")))
CALL    = a.Bet("call",    (p("1.2"), p("3.8.2")),  a.BetKind.DECISION, times_ante=2)
# fmt: on

# ---------------------------------------------------------------- 2. Equipment and dealing

TO_ALL = (a.Place.BOXES, a.Place.DEALER)
CHOICE_AND_SHOWDOWN = (
    a.Decision((p("3.8"),), "call", (p("3.8.2"), p("1.2")), "fold", (p("3.8.1"),)),
    a.Turn((p("3.9"),), dealer=True),
    a.Compare((p("3.10"),)),
)
SHOE = a.Dealing(
    "card_shoe",
    (p("2.4"), p("2.2")),
    (
        a.Deal((p("2.4"),), (a.Place.BURN,), each=1),
        a.Deal((p("2.4"),), TO_ALL, each=1, times=5),
        *CHOICE_AND_SHOWDOWN,
    ),
)
SHUFFLER = a.Dealing("shuffler", (p("2.5"), p("2.2")), (a.Deal((p("2.5"),), TO_ALL, each=5), *CHOICE_AND_SHOWDOWN))

# ---------------------------------------------------------------- 4. Settlement
# fmt: off
ANTE_PAYS = a.pay_table((p("4.6"),),
    (a.Rank.ROYAL_FLUSH,     a.to_one(100)),
    (a.Rank.STRAIGHT_FLUSH,  a.to_one(50)),
    (a.Rank.FOUR_OF_A_KIND,  a.to_one(20)),
    (a.Rank.FULL_HOUSE,      a.to_one(7)),
    (a.Rank.FLUSH,           a.to_one(5)),
    (a.Rank.STRAIGHT,        a.to_one(4)),
    (a.Rank.THREE_OF_A_KIND, a.to_one(3)),
    (a.Rank.TWO_PAIRS,       a.to_one(2)),
    (a.Rank.PAIR,            a.to_one(1)),
    (a.Rank.ODD_CARDS,       a.to_one(1)),
)
AWARDS = (
    a.Award("royal_flush",    a.Rank.ROYAL_FLUSH,    a.percent_of_meter(100), (p("4.8"),), community=0),
    a.Award("straight_flush", a.Rank.STRAIGHT_FLUSH, a.percent_of_meter(10),  (p("4.8"),), community=0),
    a.Award("four_of_a_kind", a.Rank.FOUR_OF_A_KIND, a.fixed("500.00"),       (p("4.8"),), community=0),
    a.Award("full_house",     a.Rank.FULL_HOUSE,     a.fixed("100.00"),       (p("4.8"),), community=0),
    a.Award("flush",          a.Rank.FLUSH,          a.fixed("75.00"),        (p("4.8"),), community=0),
)
# fmt: on


def showdown(readings: a.Readings) -> a.Showdown:
    """4.1 to 4.7: Ace and King to qualify; the Ante by its table, the Call even money."""
    return a.Showdown(
        a.HandKind.FIVE_CARDS,
        ("ante", "call"),
        higher=(p("4.3"),),
        lower=(p("4.4"),),
        equal=(p("4.5"), p("1.9")),
        pays=(p("4.7"),),
        ante_table=ANTE_PAYS,
        qualification=a.Qualification(
            a.AtLeast(a.Rank.ODD_CARDS, 14, "Ace and King", next_face=13),
            rules=(p("4.1"), r("tie-unqualified")),
            ante=(p("4.2"),),
            others=(p("4.2"),),
            tie_first=readings.pick("tie-unqualified", a=True, b=False),
        ),
    )


def jackpot(readings: a.Readings) -> a.Jackpot:
    """4.8: awards on the player's own five cards, whatever the Dealer has."""
    return a.Jackpot(
        (p("4.8.1"),),
        AWARDS,
        lost=(p("4.8"), p("4.8.1")),
        denied=(p("4.8.4"),),
        amount_rules=(p("3.3"),),
        wrong_amount_late=(p("3.3"),),
        community=0,
        same_table=readings.pick("major-order", a=a.SameTable.CLOCKWISE, b=a.SameTable.ROYAL_LAST),
        same_table_rules=(p("4.8.2"), r("major-order")),
        across_tables=a.AcrossTables.BY_ENTRY,
        across_tables_rules=(p("4.8.3"),),
        contribution_rules=(p("1.8"),),
        folded_community_only=readings.pick("fold-jackpot", a=False, b=True),
        folded_rules=(r("fold-jackpot"),),
        partial_rules=(p("4.8.2"),),
        frozen_rules=(p("5.15"),),
        waits_for_earlier_deals=False,
    )


# ---------------------------------------------------------------- 5. Irregularities

OPTIONS = (p("5.8"), p("5.8.1"), p("5.8.2"))
EACH_OPTION = (
    ("continue", (p("5.8.1"),)),
    ("reconstructed", (p("5.8.1"), p("1.11"))),
    ("return", (p("5.8.2"),)),
)
LIMITING = a.Limiting(
    over_refused=(p("5.1"), p("3.3")),
    under_refused=(p("5.2"), p("3.3")),
    over_late=(p("5.1"),),
    under_late=(p("5.2"),),
    too_big=(p("5.3"),),
    too_small=(p("5.3"),),
    orphan_late=(p("5.4"),),
    staff_bets=(p("6.2"),),
)
DAMAGED = a.DeclaredIncident(
    "card_damaged", "A card is torn, wet or marked", ("boxes", "text"), moments=(a.Moment.WITH_CARDS,)
)


def irregularities() -> tuple[a.Irregularity, ...]:
    """5.5 to 5.17 and 6.1: what a person reports, under which conditions, and what follows."""
    i, w, entry = a.Incident, a.When, a.Irregularity
    void, go_on = a.VoidRound(), a.Continue()
    as_it_lies, all_as_it_lies = (
        a.OfferOptions(to, ("continue", "return"), OPTIONS) for to in (a.Whom.REPORTED, a.Whom.ALL)
    )
    put_right, all_put_right = (
        a.OfferOptions(to, ("reconstructed", "return"), OPTIONS) for to in (a.Whom.REPORTED, a.Whom.ALL)
    )
    taken_out = a.InvalidateHand(a.Whom.REPORTED)
    banned = a.InvalidateHand(a.Whom.OF_PLAYER, fold_stands=True)
    # fmt: off
    return (
        entry((p("5.5"),), i.WALKED_AWAY, a.FoldHand(), (w.FIRST_DECISION_REMAINS,)),
        entry((p("5.5"),), i.WALKED_AWAY, go_on,        (w.FIRST_DECISION_MADE,)),

        entry((p("5.6"),), i.TECHNICAL_INTERRUPTION, a.FreezeMeter(suspends_jackpot_bets=False),
              (w.OUTCOME_ESTABLISHED,)),
        entry((p("5.6"),), i.TECHNICAL_INTERRUPTION, void, (w.NO_OUTCOME_ESTABLISHED,)),

        entry((p("5.7"), p("5.7.1")), i.FOREIGN_CARD,   void, reopens=True),
        entry((p("5.7"), p("5.7.2")), i.DECK_COUNT,     void,  (w.COUNT_WRONG,), reopens=True),
        entry((p("5.7.2"),),          i.DECK_COUNT,     go_on, (w.COUNT_PROVED_RIGHT,)),
        entry((p("5.7"), p("5.7.3")), i.SHOE_EXHAUSTED, void),
        entry((p("5.7"), p("5.7.4")), i.UNSHUFFLED,     void, reopens=True),

        entry((p("5.7"), p("5.7.5")), i.CARDS_EXPOSED, void,           (w.TWO_OR_MORE, w.NO_PLAYER_HAS_SEEN)),
        entry((p("5.9"), *OPTIONS),   i.CARDS_EXPOSED, as_it_lies,     (w.ONE_CARD, w.NO_PLAYER_HAS_SEEN, w.BOX_CARD)),
        # A card of the Dealer's plays against every box, so all are concerned.
        entry((p("5.9"), *OPTIONS),   i.CARDS_EXPOSED, all_as_it_lies,
              (w.ONE_CARD, w.NO_PLAYER_HAS_SEEN, w.DEALER_OR_COMMUNITY_CARD)),
        entry((p("5.9"),),            i.CARDS_EXPOSED, go_on,          (w.PLAYER_HAS_SEEN,)),

        entry((p("5.7"), p("5.7.6")), i.MISDEALT,    void,       (w.NO_PLAYER_HAS_SEEN, w.NOT_RECONSTRUCTIBLE)),
        entry(OPTIONS,                i.MISDEALT,    as_it_lies, (w.PLAYER_HAS_SEEN, w.NOT_RECONSTRUCTIBLE)),
        entry(OPTIONS,                i.MISDEALT,    put_right,  (w.RECONSTRUCTIBLE,)),
        entry((p("5.7"), p("5.7.6")), i.BURN_MISSED, void,           (w.NO_PLAYER_HAS_SEEN, w.NOT_RECONSTRUCTIBLE)),
        entry(OPTIONS,                i.BURN_MISSED, all_as_it_lies, (w.PLAYER_HAS_SEEN, w.NOT_RECONSTRUCTIBLE)),
        entry(OPTIONS,                i.BURN_MISSED, all_put_right,  (w.RECONSTRUCTIBLE,)),
        entry((p("5.7"), p("5.7.7")), i.WRONG_DEALER_COUNT, void, (w.NOT_RECONSTRUCTIBLE,), reopens=True),
        entry(OPTIONS,                i.WRONG_DEALER_COUNT, all_put_right, (w.RECONSTRUCTIBLE,)),
        entry(OPTIONS,                i.DEALING_ERROR, put_right,  (w.RECONSTRUCTIBLE,)),
        entry(OPTIONS,                i.DEALING_ERROR, as_it_lies, (w.NOT_RECONSTRUCTIBLE,)),
        entry(OPTIONS,                i.SIMULTANEOUS_DRAW, all_as_it_lies),

        entry((p("5.10"),), i.WRONG_BOX_COUNT, taken_out, (w.NOT_RECONSTRUCTIBLE,), reopens=True),
        entry(OPTIONS,      i.WRONG_BOX_COUNT, put_right, (w.RECONSTRUCTIBLE,)),
        entry((p("5.11"),), i.FACE_UP_IN_SHOE, go_on),
        entry((p("5.12"),), i.EXTRA_HAND_EXAMINED, a.AskRuling(a.Role.PIT_SUPERVISOR, (
            ("intentional", a.InvalidateHand(a.Whom.REPORTED, fold_stands=True)), ("unintentional", go_on),
        ))),
        entry((p("5.13"), p("3.11")), i.NOT_CONFIDENTIAL, banned),
        entry((p("5.13"),),           i.RULES_BREACH,     banned),

        entry((p("5.14"),), i.JACKPOT_MALFUNCTION, void,            (w.NO_PLAYER_HAS_SEEN,)),
        entry((p("5.15"),), i.JACKPOT_MALFUNCTION, a.FreezeMeter(), (w.PLAYER_HAS_SEEN,)),

        entry((p("5.16"),), DAMAGED.name, void, (w.NO_PLAYER_HAS_SEEN,)),
        entry((p("5.16"),), DAMAGED.name, a.AskRuling(a.Role.PIT_SUPERVISOR, (
            ("replaced", go_on), ("hand_out", taken_out),
        )), (w.PLAYER_HAS_SEEN,)),

        entry((p("5.17"),), i.LATE_ERROR, go_on),
        entry((p("6.1"),),  i.UNCOVERED, a.AskRuling(a.Role.SHIFT_MANAGER, (
            ("void", void), ("stand", go_on), ("return", taken_out),
        ))),
    )
    # fmt: on


def rulebook(readings: a.Readings) -> a.Rulebook:
    """Return the document as these readings have it."""
    return a.Rulebook(
        document=DOC,
        currency="SGD",
        layout=a.Layout((p("2.1"),), boxes=7),
        bets=(ANTE, JACKPOT, CALL),
        limits=(("ante", a.Limits(a.money("10.00"), a.money("500.00"))),),
        jackpot_bet=a.money("5.00"),
        opening=(p("3.1"), p("1.7")),
        announcements=(
            ("The limits, the jackpot bet and the pay tables are shown at the table.", (p("3.2"),)),
            ("A player with several boxes may look at one hand only.", (p("3.6"),)),
        ),
        seating=a.Seating((p("3.6"),), several_boxes=True, several_rules=(p("3.6"),)),
        examining=a.Examining((p("3.6"),)),
        closing=a.Closing((p("3.7"),), withdrawn_rules=(p("3.7"),)),
        limiting=LIMITING,
        dealings=(SHOE, SHUFFLER),
        fold=a.Fold(
            loses=("ante",),
            keeps=readings.pick("fold-jackpot", a=("jackpot",), b=()),
            keeps_rules=(p("3.8.1"), r("fold-jackpot")),
        ),
        showdown=showdown(readings),
        side_bets=(),
        not_shown=a.NotShown(
            (p("4.9"),),
            loses=readings.pick("refusal-call", a=("ante",), b=("ante", "call")),
            returns=readings.pick("refusal-call", a=("call",), b=()),
            later_rules=(r("refusal-call"),),
            provable=("jackpot",),
        ),
        jackpot=jackpot(readings),
        irregularities=irregularities(),
        incidents=(DAMAGED,),
        options=EACH_OPTION,
        options_unanswered=(p("5.8.2"),),
        void=(p("5.18"), p("1.10")),
        reopening=(p("5.7"),),
        late_error=(p("5.17"),),
        measures=a.Measures(
            a.Role.SHIFT_MANAGER,
            (p("5.15.1"),),
            close_table=(p("5.15.1"),),
            disallow_box=(p("5.15.1"),),
            no_jackpot_bets=(p("5.15.1"),),
        ),
        authority=a.Authority(
            uncovered=(p("6.1"),),
            uncovered_by=a.Role.SHIFT_MANAGER,
            payment_order=(p("4.8.3"),),
            payment_order_by=a.Role.SHIFT_MANAGER,
        ),
        ranking=(p("2.3"), p("2.3.1"), p("2.3.2")),
        other=(p("4.10"), p("4.8.4")),
        readings=readings,
    )
