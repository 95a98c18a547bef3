"""Megalink Texas Hold'em Bonus Progressive, version 10: a low pair pays less, and a card may fall on the floor."""

from croupier.rulebooks import author as a

DOC = a.document("mbs-megalink-holdem@10")
p = DOC.para
DROPPED = a.DeclaredIncident(
    "card_dropped", "A card fell on the floor", ("boxes", "text"), moments=(a.Moment.WITH_CARDS,)
)


def rulebook(readings: a.Readings) -> a.Rulebook:
    """4.1.1 and 5.17 are new; everything else is as in version 9."""
    v9 = a.earlier("mbs-megalink-holdem@9", readings)
    manager_rules = next(entry.then for entry in v9.irregularities if entry.incident == "uncovered")
    dropped = (
        a.Irregularity((p("5.17"),), DROPPED.name, a.VoidRound(), (a.When.NO_PLAYER_HAS_SEEN,)),
        a.Irregularity((p("5.17"),), DROPPED.name, manager_rules, (a.When.PLAYER_HAS_SEEN,)),
    )
    return a.replace(
        a.with_pay_tables(v9, {"bonus": {"low_pair": "2 to 1"}}),
        document=DOC,
        incidents=(DROPPED,),
        irregularities=(*v9.irregularities, *dropped),
    )
