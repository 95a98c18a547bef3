"""Two settlements of the RWS games, written apart, come to the same cent on rounds of chance."""

from __future__ import annotations

from random import Random

import pytest

from croupier.scripts.parse import parse_script
from croupier.scripts.replay import replay
from tests.laws.rws_by_hand import PROCEDURES, THREE_CARD, play, settle

SCRIPTS = 200
BOTH = [(game, dealing) for game, dealings in PROCEDURES.items() for dealing in dealings]


@pytest.mark.parametrize(("game", "dealing"), BOTH, ids=[f"{game}-{dealing}" for game, dealing in BOTH])
def test_a_second_settlement_from_the_document_agrees(game: str, dealing: str) -> None:
    """rws-multilink-holdem 3.13 to 3.17, 4.1 to 4.3, 5.1.1, 5.2.1, 5.3, 5.5; rws-multilink-three-card 3.12 to 3.17, 4.1
    to 4.5; rws-progressive-holdem 3.13 to 3.15, 4.1 to 4.3: every line, every award and the meter."""
    random = Random(f"{game} {dealing}")
    side = "pair_plus" if game == THREE_CARD else "bonus"
    limits = {"ante": ["5.00", "100.00"], side: ["5.00", "100.00"]}
    table = {"game": game, "dealing": dealing, "boxes": 6, "jackpot_bet": "5.00", "limits": limits}
    for _ in range(SCRIPTS):
        rounds = [play(random, game) for _ in range(random.randint(1, 3))]
        meter = random.choice((10_000_000, 2_000_001, 123_456))
        link = {"meter": f"{meter // 100}.{meter % 100:02d}", "reset": "5000.00", "contribution": "0.20"}
        steps = [step for each in rounds for step in each.steps]
        document = {"jackpot": link, "tables": {"T1": table}, "steps": steps}
        result = replay(parse_script(document))
        assert result.refusals == (), document
        for found, each in zip(result.rounds, rounds, strict=True):
            lines, awards, meter = settle(each, meter)
            ours = {(i.box, i.bet): (i.staked, i.outcome.value, i.won, i.returned) for i in found.lines}
            assert ours == lines, document
            assert sorted((award.box, award.hand, award.amount) for award in found.awards) == awards, document
        assert result.meter == meter, document
