"""Two settlements of the MBS and the Sun game, written apart, come to the same cent on rounds of chance."""

from __future__ import annotations

from random import Random

import pytest

from croupier.scripts.parse import parse_script
from croupier.scripts.replay import replay
from tests.laws.mbs_sun_by_hand import FINE, PROCEDURES, Meter, play, settle, shown

SCRIPTS = 150
BOTH = [(game, dealing) for game, dealings in PROCEDURES.items() for dealing in dealings]


@pytest.mark.parametrize(("game", "dealing"), BOTH, ids=[f"{game}-{dealing}" for game, dealing in BOTH])
def test_a_second_settlement_from_the_document_agrees(game: str, dealing: str) -> None:
    """mbs-megalink-holdem 3.9 to 3.15, 4.1.1, 4.2, 5.11, 5.13, 5.14; sun-casino-holdem How to Play ¶3 to ¶5, Payouts,
    Stand Off, Progressive Jackpot: every line, every award and the meter."""
    random = Random(f"{game} {dealing}")
    for _ in range(SCRIPTS):
        rounds = [play(random, game) for _ in range(random.randint(1, 3))]
        start, reset, share = (
            random.randrange(10**5, 10**8),
            random.randrange(10**4, 10**7),
            random.choice((0, 5, 20, 33)),
        )
        link = {"meter": shown(start), "reset": shown(reset), "contribution": f"0.{share:02d}"}
        steps = [step for each in rounds for step in each.steps]
        document = {"jackpot": link, "tables": {"T1": {"game": game, "dealing": dealing}}, "steps": steps}
        result = replay(parse_script(document))
        assert result.refusals == (), document
        meter, known = Meter(start * FINE, reset), set[str]()
        for found, each in zip(result.rounds, rounds, strict=True):
            lines, awards = settle(each, meter, share, known)
            ours = {(i.box, i.bet): (i.staked, i.outcome.value, i.won, i.returned) for i in found.lines}
            assert ours == lines, document
            assert sorted((award.box, award.hand, award.amount) for award in found.awards) == awards, document
        assert result.meter == meter.parts // FINE, document
