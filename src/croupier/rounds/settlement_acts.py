"""The acts of a settlement: what the Dealer's hands do with the chips, in order, and what was really done.

The acts follow from the lines of a settled or void Round. A table may ask for their confirmation: then the next Round
is not opened before each is confirmed, and a difference stops the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import msgspec

from croupier.money import MOST, Money, show
from croupier.rounds import events
from croupier.rounds.commands import ConfirmActs, Confirming, EnterAct, NoteMispay, PlayerName, ResolveMispay
from croupier.rounds.counted_stakes import count_area
from croupier.rounds.refusal import Code, Refusal, held, no_round, not_authorised, unknown_box
from croupier.rounds.state import Round, Stage
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import JACKPOT_BET, BetKind, BetName, BoxNo, ChipMove, Role, Rules
from croupier.structs import extended

Verdict: TypeAlias = tuple[events.RoundEvent, ...] | Refusal

IN_WORDS = {
    ChipMove.GIVE_BACK: "give back",
    ChipMove.TAKE: "take",
    ChipMove.PAY: "pay",
    ChipMove.LEAVE: "leave",
}


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """One move of chips on one Bet of one Player."""

    number: int
    """Its place in the order, from 0."""
    box: BoxNo
    player: PlayerName
    bet: BetName
    move: ChipMove
    amount: Money
    lies: Money
    """The chips of this Bet that lay there."""
    rules: Rules
    because: str

    @property
    def says(self) -> str:
        """The act as a sentence."""
        return f"Box {self.box} {bet_title(self.bet)}: {IN_WORDS[self.move]} {show(self.amount)}."


class _Chips(msgspec.Struct, frozen=True):
    """What happens to the chips of one Bet."""

    box: BoxNo
    player: PlayerName
    bet: BetName
    lies: Money
    moves: tuple[tuple[ChipMove, Money], ...]
    rules: Rules
    because: str


def bet_title(bet: BetName) -> str:
    """Return a Bet as people say it."""
    return bet.replace("_", " ").title()


def acts(terms: Terms, state: Round) -> tuple[Act, ...]:
    """Return every act of a settled or void Round, in the order of its rulebook."""
    if state.stage not in (Stage.SETTLED, Stage.VOID):
        return ()
    order = terms.book.settling
    layout = [bet.name for bet in terms.book.bets]
    chips = sorted(_chips(terms, state), key=lambda each: (each.box, layout.index(each.bet)))
    found = [(each, move, amount) for each in chips for move, amount in each.moves if amount]
    # Python sorts stably, so that Bets keep the order of the layout within a box.
    if order.box_by_box:
        found.sort(key=lambda act: (act[0].box, order.moves.index(act[1])))
    else:
        found.sort(key=lambda act: (order.moves.index(act[1]), act[0].box))
    return tuple(
        extended(Act, each, number=number, move=move, amount=amount)
        for number, (each, move, amount) in enumerate(found)
    )


def _chips(terms: Terms, state: Round) -> Iterator[_Chips]:
    for line in state.lines:
        if line.round == state.number:
            moves = _moves(line, _surplus(terms, state, line))
            yield _Chips(line.box, line.player, line.bet, line.staked, moves, line.rules, line.because)
    for claim in state.claims:
        if claim.round == state.number and claim.collected:
            yield _collected(terms, claim)


def _moves(line: events.BetSettled, surplus: Money) -> tuple[tuple[ChipMove, Money], ...]:
    taken = line.staked - line.returned
    match line.outcome:
        case events.Outcome.WIN:
            back = line.returned if taken else surplus  # a jackpot Bet is taken although it wins
            return (ChipMove.GIVE_BACK, back), (ChipMove.TAKE, taken), (ChipMove.PAY, line.won)
        case events.Outcome.LOSE:
            return (ChipMove.GIVE_BACK, line.returned), (ChipMove.TAKE, taken)
        case events.Outcome.STAND_OFF:
            return (ChipMove.GIVE_BACK, surplus), (ChipMove.LEAVE, line.returned - surplus)
        case events.Outcome.RETURNED:
            return ((ChipMove.GIVE_BACK, line.returned),)


def _surplus(terms: Terms, state: Round, line: events.BetSettled) -> Money:
    """Return what of a stake is over its limit or size, and goes back before the rest is settled."""
    box = state.box(line.box)
    if terms.bets[line.bet].kind is BetKind.PAYOUT or not box.has(line.bet):
        return 0
    parts = count_area(terms, box, line.bet).parts(box, line.bet)
    return next((stake.amount - part for stake, part in parts if stake.player == line.player), 0)


def _collected(terms: Terms, claim: events.AwardClaimed) -> _Chips:
    """Return the jackpot Bet of an award that is verified first: it is taken now, and paid by the link."""
    moves = (ChipMove.GIVE_BACK, claim.staked - claim.counts), (ChipMove.TAKE, claim.counts)
    because = f"The cards make a {claim.named}: the bet is taken, and the award is paid when it is verified."
    rules = tuple(dict.fromkeys((*terms.book.jackpot.rules, *claim.rules)))
    return _Chips(claim.box, claim.player, JACKPOT_BET, claim.staked, moves, rules, because)


# ---------------------------------------------------------------- what is open, and what it forbids


def open_acts(terms: Terms, state: Round) -> tuple[Act, ...]:
    """Return the acts that are still to be confirmed."""
    return () if state.confirms is Confirming.NO else acts(terms, state)[state.acts_done :]


def cannot_open(terms: Terms, state: Round) -> Refusal | None:
    """Refuse the next Round while one is in play, waits for a person, or is not paid out; the view offers by this."""
    if state.is_open:
        return Refusal(Code.ROUND_IS_OPEN, f"Round {state.number} is still open.", terms.book.opening)
    if state.is_held:
        return held(state)
    if state.standing.closed:
        measures = terms.book.measures
        rules = measures.close_table if measures else terms.book.authority.uncovered
        return Refusal(Code.TABLE_CLOSED, "The table is closed.", rules)
    return unfinished(terms, state)


def unfinished(terms: Terms, state: Round) -> Refusal | None:
    """Refuse the next Round while a mispay stops the table or an act is open."""
    if state.mispay is not None:
        return _stopped(state.mispay)
    left = open_acts(terms, state)
    if not left:
        return None
    more = f" and {len(left) - 1} more" if len(left) > 1 else ""
    message = f"The settlement is not confirmed: {left[0].says.rstrip('.')}{more}."
    return Refusal(Code.ACTS_OPEN, message, left[0].rules)


def _stopped(found: events.MispayFound) -> Refusal:
    paid = "overpaid" if found.over > 0 else "underpaid"
    what = f"Box {found.box} {bet_title(found.bet)}: {found.player} was {paid} by {show(abs(found.over))}."
    return Refusal(Code.MISPAY_OPEN, f"{what} The table stops until it is put right or ruled on.", found.rules)


def over(act: Act, did: ChipMove, amount: Money) -> Money:
    """Return what a Player has too much after an act was done so; below zero what they lack."""
    toward = amount if did is ChipMove.PAY else -amount
    due = {ChipMove.PAY: act.amount, ChipMove.TAKE: -act.amount}.get(act.move, 0)
    return toward - due


# ---------------------------------------------------------------- judgement


def confirm(terms: Terms, state: Round, c: ConfirmActs) -> Verdict:
    """Confirm the next acts as due."""
    refusal = _no_act(terms, state)
    if refusal is not None:
        return refusal
    left = open_acts(terms, state)
    if not left or not c.acts or c.acts != tuple(act.number for act in left[: len(c.acts)]):
        return _not_next(state, left)
    if len(c.acts) > 1 and state.confirms is Confirming.EACH:
        message = "At this table each act of the settlement is confirmed by itself."
        return Refusal(Code.ONE_ACT_AT_A_TIME, message, left[0].rules)
    return (events.ActsConfirmed(round=state.number, acts=c.acts, who=c.who, by=c.by),)


def enter(terms: Terms, state: Round, c: EnterAct) -> Verdict:
    """Enter what was really done; where it is what was due, that is a confirmation."""
    refusal = _no_act(terms, state)
    if refusal is not None:
        return refusal
    every = acts(terms, state)
    if not 0 <= c.act < min(state.acts_done + 1, len(every)):
        return _not_next(state, every[state.acts_done :])
    act = every[c.act]
    if c.did not in (ChipMove.TAKE, ChipMove.PAY) or not 0 <= c.amount <= MOST:
        return Refusal(Code.WRONG_AMOUNT, "What was done is chips that were taken, or chips that were paid.", act.rules)
    if c.did is ChipMove.TAKE and c.amount > act.lies:
        message = f"{show(act.lies)} lay on the {bet_title(act.bet)} of box {act.box}, so {show(c.amount)} cannot "
        return Refusal(Code.WRONG_AMOUNT, f"{message}have been taken.", act.rules)
    difference = over(act, c.did, c.amount)
    if not difference:
        if c.act < state.acts_done:
            return Refusal(Code.NO_ACT_OPEN, f"{act.says} That is confirmed already.", act.rules)
        return (events.ActsConfirmed(round=state.number, acts=(c.act,), who=c.who, by=c.by),)
    return (
        extended(
            events.MispayFound,
            c,
            round=state.number,
            box=act.box,
            player=act.player,
            bet=act.bet,
            move=act.move,
            due=act.amount,
            over=difference,
            rules=act.rules,
        ),
    )


def _no_act(terms: Terms, state: Round) -> Refusal | None:
    """Refuse to speak of acts where none are to be confirmed, or a mispay stops the table."""
    if state.confirms is Confirming.NO:
        return Refusal(Code.NO_ACT_OPEN, "At this table the settlement is not confirmed act by act.")
    if state.stage not in (Stage.SETTLED, Stage.VOID):
        return Refusal(Code.NO_ACT_OPEN, "The round is not settled yet.", terms.dealing.rules)
    return None if state.mispay is None else _stopped(state.mispay)


def _not_next(state: Round, left: tuple[Act, ...]) -> Refusal:
    if not left:
        return Refusal(Code.NO_ACT_OPEN, f"Every act of round {state.number} is confirmed.")
    message = f"The next act is number {left[0].number}: {left[0].says}"
    return Refusal(Code.NOT_THE_NEXT_ACT, message, left[0].rules)


def may_resolve(terms: Terms, *, put_right: bool) -> tuple[Role, Rules]:
    """Return who may put a mispay right or let it stand, and what says so.

    The settlement is the Dealer's until it is made. No paragraph speaks of a mispay that is not put right.
    """
    authority = terms.book.authority
    return (Role.DEALER, ()) if put_right else (authority.uncovered_by, authority.uncovered)


def resolve(terms: Terms, state: Round, c: ResolveMispay) -> Verdict:
    """Put the mispay right, or let it stand by a ruling."""
    found = state.mispay
    if found is None:
        return Refusal(Code.NOTHING_AWAITED, "No mispay stops this table.")
    needed, rules = may_resolve(terms, put_right=c.put_right)
    if c.by < needed:
        return not_authorised(c.by, needed, "let a mispay stand", rules)
    if not c.put_right and not c.text:
        return Refusal(Code.FACT_MISSING, "A mispay that stands: say why.", rules)
    of_it = {"round": found.round, "act": found.act, "player": found.player, "over": found.over}
    return (extended(events.MispayResolved, c, **of_it, rules=rules or found.rules),)


def note(terms: Terms, state: Round, c: NoteMispay) -> Verdict:
    """Note a mispay of an earlier Round, which stands."""
    authority = terms.book.authority
    if not state.number:
        return no_round(terms)
    if not 1 <= c.round < state.number:
        message = f"Round {c.round} is not an earlier round: the table is at round {state.number}."
        return Refusal(Code.NOT_AN_EARLIER_ROUND, message, terms.book.late_error)
    if unknown := unknown_box(terms, (c.box,)):
        return unknown
    if c.bet not in terms.bets:
        known = ", ".join(terms.bets)
        return Refusal(Code.UNKNOWN_BET, f'This game has no bet "{c.bet}": it has {known}.')
    if not c.over or abs(c.over) > MOST:
        return Refusal(Code.NO_AMOUNT, "A mispay is more than 0.00.", terms.book.late_error)
    if not c.text:
        return Refusal(Code.FACT_MISSING, "A mispay of an earlier round: say how it was noticed.")
    if c.by < authority.uncovered_by:
        return not_authorised(c.by, authority.uncovered_by, "enter a mispay of an earlier round", authority.uncovered)
    return (extended(events.MispayNoted, c, rules=terms.book.late_error),)
