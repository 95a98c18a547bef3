"""What a layout means in money: the engine's own settlement of the bets as they lie."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.cards import Card
from croupier.money import Money
from croupier.rounds.commands import FACE_DOWN, FeltFacts
from croupier.rounds.counted_stakes import matters_left_open
from croupier.rounds.events import AwardClaimed, BetSettled
from croupier.rounds.reconstruction.layouts import Layout, faces_of
from croupier.rounds.reconstruction.sequences import intended
from croupier.rounds.settlement import settle
from croupier.rounds.state import Round, Stage
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import BoxNo


def money_of_layout(terms: Terms, state: Round, facts: FeltFacts, layout: Layout) -> dict[BoxNo, Money] | None:
    """Return what each box wins or loses by this layout with its bets as they lie, awards of the meter aside.

    None where a card that decides it was not seen or not dealt, or a person must rule first.
    """
    whole = intended(terms.dealing, state.hands)
    hands: dict[str, tuple[Card, ...]] = {}
    for place in {*whole} - {"burn"}:
        faces = faces_of(facts, layout.at(place))
        if FACE_DOWN in faces or len(faces) != whole.count(place):
            return None
        hands[place] = tuple(Card(face) for face in faces)
    boxes = tuple(
        replace(box, cards=hands[str(box.number)], face_up=True) if str(box.number) in hands else box
        for box in state.boxes
    )
    dealt = replace(
        state,
        stage=Stage.PLAYING,
        boxes=boxes,
        community=hands.get("community", ()),
        dealer=hands.get("dealer", ()),
        awaiting=(),
        lines=(),
    )
    if matters_left_open(terms, dealt) is not None:
        return None
    nets: dict[BoxNo, Money] = dict.fromkeys(state.hands, 0)
    for event in settle(terms, dealt):
        match event:
            case BetSettled(box=box, staked=staked, won=won, returned=returned):
                nets[box] = nets.get(box, 0) + won + returned - staked
            case AwardClaimed(box=box, counts=counts):
                nets[box] = nets.get(box, 0) - counts
            case _:
                pass
    return nets
