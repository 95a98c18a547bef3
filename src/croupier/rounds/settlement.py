"""The settlement: every Bet of every box comes to an end here, with the paragraphs that decide it and a reason."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from croupier.cards import (
    Card,
    Rank,
    Strength,
    best_five,
    face_name,
    five_card_name,
    rank,
    slug,
    three_card,
    three_card_name,
)
from croupier.money import EVEN_MONEY, Fixed, ForOne, Money, Pays, ToOne, show
from croupier.rounds.commands import PaidLine, PlayerName
from croupier.rounds.counted_stakes import (
    SURPLUS_OF_A_JACKPOT_BET,
    Counted,
    count_area,
    is_under_minimum,
    lacks_ante,
    players_under_minimum,
)
from croupier.rounds.events import (
    AwardClaimed,
    AwardPaid,
    BetSettled,
    Outcome,
    RoundEvent,
    RoundSettled,
    RoundVoided,
    UnderMinimumNoted,
)
from croupier.rounds.settlement_acts import bet_title
from croupier.rounds.state import FOLDED, FORFEITED, INVALID, LIVE, Box, Round, Stake
from croupier.rulebooks.pay_lines import awards_made, meets, side_line
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import (
    ANTE_BET,
    JACKPOT_BET,
    Award,
    BetKind,
    BetName,
    BoxNo,
    Fate,
    HandKind,
    NotShown,
    Participants,
    Rules,
    Showdown,
    SideBet,
)

SIDE, JACKPOT, PAYOUT = BetKind.SIDE, BetKind.JACKPOT, BetKind.PAYOUT
WIN, LOSE, STAND_OFF, RETURNED = Outcome.WIN, Outcome.LOSE, Outcome.STAND_OFF, Outcome.RETURNED
THREE_CARDS = HandKind.THREE_CARDS


class Ruling(msgspec.Struct, frozen=True, gc=False):
    """What becomes of a Bet before its amount is counted: the outcome, the odds of a win, and the reason."""

    outcome: Outcome
    rules: Rules
    because: str
    pays: Pays | None = None


def settle(terms: Terms, state: Round) -> tuple[RoundEvent, ...]:
    """Settle box by box and Bet by Bet, in the order of the layout; awards of the meter are only claimed."""
    dealer = _strength(terms.book.showdown.hand, state.dealer, state.community) if state.dealer else None
    events: list[RoundEvent] = []
    for box in state.boxes:
        if box.stakes:
            events += _settle_box(terms, state, box, dealer)
    for player in players_under_minimum(terms, state):
        if player not in state.standing.under_minimum:
            events.append(UnderMinimumNoted(player=player, rules=terms.book.limiting.under_late))
    events.append(RoundSettled(number=state.number))
    return tuple(events)


def void(terms: Terms, state: Round, rules: Rules, because: str) -> Iterator[RoundEvent]:
    """Return every Bet placed in the Round, which then has no result."""
    for box in state.boxes:
        for stake in (*box.stakes, *(part.stake for part in box.returned)):
            returned = Ruling(RETURNED, (*rules, *terms.book.void), because)
            yield _line(state, box, stake, stake.amount, returned)
    yield RoundVoided(number=state.number, rules=rules, because=because)


class ChipNote(msgspec.Struct, frozen=True, gc=False):
    """A Bet of the Round in play that will not be settled as it lies, whatever the cards are."""

    box: BoxNo
    player: PlayerName
    bet: BetName
    back: Money
    """What of it goes back."""
    because: str
    rules: Rules


def chip_notes(terms: Terms, state: Round) -> Iterator[ChipNote]:
    """Yield the Bets that go back, or of which only a part counts, as the settlement will find them."""
    for box in state.boxes:
        for stake in box.stakes:
            given_back = _given_back(terms, state, box, stake)
            if given_back is not None and given_back.outcome is RETURNED:
                because, rules = given_back.because, given_back.rules
                yield ChipNote(box.number, stake.player, stake.bet, stake.amount, because, rules)
                continue
            counted = count_area(terms, box, stake.bet)
            if given_back is None and counted.rules:
                part = next(part for each, part in counted.parts(box, stake.bet) if each is stake)
                back = stake.amount - part
                yield ChipNote(box.number, stake.player, stake.bet, back, counted.note, counted.rules)


# ---------------------------------------------------------------- one box


def _settle_box(terms: Terms, state: Round, box: Box, dealer: Strength | None) -> list[RoundEvent]:
    events: list[RoundEvent] = []
    fate, against_dealer = _compare(terms, state, box, dealer)
    for bet in terms.book.bets:
        if bet.kind is PAYOUT:
            events += _settle_payout(terms, state, box, bet.name, fate)
            continue
        if box.has(bet.name):
            counted = count_area(terms, box, bet.name)
            for stake, part in counted.parts(box, bet.name):
                given_back = _given_back(terms, state, box, stake)
                if given_back is not None:
                    events.append(_line(state, box, stake, stake.amount, given_back))
                elif bet.kind is JACKPOT:
                    events += _settle_jackpot(terms, state, box, stake, counted)
                elif bet.kind is SIDE:
                    side = _side_bet(terms, bet.name)
                    judged = _judge_side(terms, state, box, side, fate)
                    events.append(_line(state, box, stake, part, _still_live(terms, stake, judged), counted, side))
                else:
                    judged = _still_live(terms, stake, against_dealer[bet.name])
                    events.append(_line(state, box, stake, part, judged, counted))
        if box.returned:
            events += _settle_returned(state, box, bet.name)
    return events


def _side_bet(terms: Terms, bet: BetName) -> SideBet:
    for side in terms.book.side_bets:
        if side.bet == bet:
            return side
    raise AssertionError(f"{bet} is not a side Bet of this book")


def _settle_returned(state: Round, box: Box, bet: BetName) -> Iterator[RoundEvent]:
    """Return the parts of an area whose Players are out of the Round."""
    for part in box.returned:
        if part.stake.bet == bet:
            back = Ruling(RETURNED, part.rules, "Its player is out of the round, so this part goes back.")
            yield _line(state, box, part.stake, part.stake.amount, back)


def _still_live(terms: Terms, stake: Stake, judged: Ruling) -> Ruling:
    """Let a Bet that was taken off the layout too late win or lose, with a line that says why."""
    if not stake.taken_off:
        return judged
    rules = (*judged.rules, *terms.book.closing.withdrawn_rules)
    return Ruling(judged.outcome, rules, f"{judged.because} {_TAKEN_OFF}", judged.pays)


def _given_back(terms: Terms, state: Round, box: Box, stake: Stake) -> Ruling | None:
    """Judge a Bet that is not in play: cancelled, forfeited, without its Ante, or under the minimum again."""
    book = terms.book
    if box.stands is FORFEITED:
        return Ruling(LOSE, box.why, "Every bet of the hand is forfeited.")
    if box.stands is INVALID and stake.bet in box.lost:
        return Ruling(LOSE, box.why, "The hand is out of the round and this bet is lost with it.")
    if box.stands is INVALID and stake.bet not in box.settled:
        return Ruling(RETURNED, box.why, "The hand is out of the round, so its bets go back.")
    if lacks_ante(terms, box, stake):
        jackpot = stake.bet == JACKPOT_BET
        rules = book.limiting.orphan_late if jackpot else terms.bets[stake.bet].needs_ante
        return Ruling(RETURNED, rules, f"{bet_title(stake.bet)} without an Ante of its player goes back.")
    if book.limiting.under_once and stake.player in state.standing.under_minimum:
        ante = box.stake_of(stake.player, ANTE_BET)
        if is_under_minimum(terms, box, stake):
            return Ruling(RETURNED, book.limiting.under_late, "Under the minimum again, so it goes back.")
        if ante is not None and is_under_minimum(terms, box, ante):
            because = "Its Ante lay under the minimum again, so every bet of the hand goes back."
            return Ruling(RETURNED, book.limiting.under_late, because)
    return None


# ---------------------------------------------------------------- Bets against the Dealer


def _compare(
    terms: Terms, state: Round, box: Box, dealer: Strength | None
) -> tuple[Fate | None, dict[BetName, Ruling]]:
    """Return what became of the Hand, and what that means for each Bet that plays against the Dealer's."""
    showdown, refusal = terms.book.showdown, terms.book.not_shown
    if box.stands is FOLDED:
        folded = Ruling(LOSE, box.why, "The hand was folded.")
        if box.refused and not box.proved:
            return Fate.NOT_SHOWN, dict.fromkeys(showdown.bets, folded)
        return Fate.FOLDED, dict.fromkeys(showdown.bets, folded)
    if box.stands is not LIVE or not box.has(ANTE_BET):
        refused = box.stands is LIVE and box.refused and not box.proved
        return (Fate.NOT_SHOWN if refused else None), {}
    if box.refused and refusal is not None and not (box.proved and refusal.proving_restores):
        return Fate.NOT_SHOWN, _judge_not_shown(refusal, showdown, box.proved)
    if box.refused and not box.face_up:
        # Management let the Hand stand: it is compared like any other where it was shown, and loses where it was not.
        lost = Ruling(LOSE, terms.book.authority.uncovered, "The hand was not shown.")
        return Fate.NOT_SHOWN, dict.fromkeys(showdown.bets, lost)
    assert dealer is not None, "a live Hand is compared only with the Dealer's cards turned"
    own = _strength(showdown.hand, box.cards, state.community)
    return _judge_showdown(showdown, own, dealer)


def beats_dealer(
    terms: Terms, own: tuple[Card, ...], dealer: tuple[Card, ...], community: tuple[Card, ...]
) -> bool | None:
    """Return True where these cards win some Bet against the Dealer's, False where they lose it, None for neither."""
    showdown = terms.book.showdown
    own_strength = _strength(showdown.hand, own, community)
    _, rulings = _judge_showdown(showdown, own_strength, _strength(showdown.hand, dealer, community))
    outcomes = {ruling.outcome for ruling in rulings.values()}
    if WIN in outcomes:
        return True
    return False if LOSE in outcomes else None


def qualifies(terms: Terms, dealer: tuple[Card, ...], community: tuple[Card, ...]) -> bool | None:
    """Return whether the Dealer's Hand qualifies; None where the game asks for no such hand."""
    showdown = terms.book.showdown
    if showdown.qualification is None:
        return None
    return _strength(showdown.hand, dealer, community) >= showdown.qualification.at_least.strength


def _judge_not_shown(refusal: NotShown, showdown: Showdown, proved: bool) -> dict[BetName, Ruling]:
    rules = (*refusal.rules, *(refusal.proof_rules if proved else ()))
    later = (*rules, *refusal.later_rules)
    back = Ruling(RETURNED, later, "The hand was not shown and counts as folded; this bet goes back.")
    lose = {bet: Ruling(LOSE, rules if bet == ANTE_BET else later, "The hand was not shown.") for bet in showdown.bets}
    return {bet: back if bet in refusal.returns else lose[bet] for bet in showdown.bets}


def _judge_showdown(showdown: Showdown, own: Strength, dealer: Strength) -> tuple[Fate | None, dict[BetName, Ruling]]:
    own_name, dealer_name = _name(showdown.hand, own), _name(showdown.hand, dealer)
    qualification = showdown.qualification
    if qualification is not None and not (qualification.tie_first and own == dealer):
        least = qualification.at_least
        if dealer < least.strength:
            because = f"The Dealer's {dealer_name} does not qualify: it takes {least.words}."
            ante = _ante_on_a_win(showdown, own, (*qualification.ante, *qualification.rules), because)
            others = Ruling(STAND_OFF, (*qualification.others, *qualification.rules), because)
            return None, {bet: ante if bet == ANTE_BET else others for bet in showdown.bets}
    decisive = _decisive_cards(own, dealer) if own_name == dealer_name else ""
    if own > dealer:
        because = f"{own_name} beats the Dealer's {dealer_name}{decisive}."
        ante = _ante_on_a_win(showdown, own, showdown.higher, because)
        paid = Ruling(WIN, (*showdown.higher, *showdown.pays), because, EVEN_MONEY)
        return None, {bet: ante if bet == ANTE_BET else paid for bet in showdown.bets}
    if own < dealer:
        lost = Ruling(LOSE, showdown.lower, f"The Dealer's {dealer_name} beats {own_name}{decisive}.")
        return Fate.BEATEN, dict.fromkeys(showdown.bets, lost)
    tie = Ruling(STAND_OFF, showdown.equal, f"Both have {own_name}: a stand-off.")
    return Fate.STOOD_OFF, dict.fromkeys(showdown.bets, tie)


def _decisive_cards(own: Strength, dealer: Strength) -> str:
    """Return the first two cards that tell Hands of one name apart, the winner's first."""
    high, low = max(own, dealer), min(own, dealer)
    for shift in range(16, -1, -4):
        first, second = high >> shift & 15, low >> shift & 15
        if first != second:
            return f", {face_name(first)} against {face_name(second)}"
    return ""


def _ante_on_a_win(showdown: Showdown, own: Strength, rules: Rules, because: str) -> Ruling:
    if showdown.ante_table is not None:
        line = slug(rank(own))
        pays, cited = showdown.ante_table.pays(line), (*rules, *showdown.ante_table.cites(line))
        if pays is None:
            unpaid = f"{because} The Ante table does not list {_name(showdown.hand, own)}."
            return Ruling(STAND_OFF, cited, unpaid)
        return Ruling(WIN, cited, because, pays)
    if showdown.ante_pays_from is not None and rank(own) < showdown.ante_pays_from:
        least = _RANK_WORDS[showdown.ante_pays_from]
        return Ruling(STAND_OFF, rules, f"{because} The Ante is paid from {least} on, so it comes back.")
    return Ruling(WIN, (*rules, *showdown.pays), because, EVEN_MONEY)


# ---------------------------------------------------------------- side Bets


def _judge_side(terms: Terms, state: Round, box: Box, side: SideBet, fate: Fate | None) -> Ruling:
    """Judge a Bonus or Pair Plus, which are settled on the Player's own cards."""
    refusal = terms.book.not_shown
    proved = box.proved and refusal is not None and side.bet in refusal.provable
    for when, rules in side.lost_when:
        # What a fold has lost is lost by the fold, whether or not the cards are shown afterwards.
        folded = when is Fate.FOLDED and box.stands is FOLDED
        if folded or (when is fate and not (proved and fate is Fate.NOT_SHOWN)):
            return Ruling(LOSE, (*(box.why if folded else ()), *rules), _LOST_WITH_THE_HAND[when])
    for when, rules in side.returned_when:
        if when is fate:
            return Ruling(STAND_OFF, rules, "The hands stand off, and this bet with them.")
    line = side_line(side, box.cards, state.dealer)
    pays = side.table.pays(line)
    kept = tuple([rule for when, rules in side.settled_when if when is fate for rule in rules])
    if pays is None:
        return Ruling(LOSE, (*side.unlisted, *kept), "The cards make no line of the table.")
    because = f"The cards meet the line “{(line or '').replace('_', ' ')}”."
    if box.stands is INVALID:
        kept = (*kept, *box.why)
    return Ruling(WIN, (*side.table.cites(line), *side.rules, *kept), because, pays)


def _settle_payout(terms: Terms, state: Round, box: Box, bet: BetName, fate: Fate | None) -> Iterator[RoundEvent]:
    """Pay the Ante Bonus on the Ante's chips; it is never lost, and an unpaid one leaves no line."""
    side = _side_bet(terms, bet)
    if box.stands not in (LIVE, FOLDED) or not box.has(side.stake):
        return
    judged = _judge_side(terms, state, box, side, fate)
    if judged.pays is None:
        return
    assert type(judged.pays) is ToOne
    for stake, part in count_area(terms, box, side.stake).parts(box, side.stake):
        yield BetSettled(
            round=state.number,
            box=box.number,
            player=stake.player,
            bet=bet,
            outcome=WIN,
            staked=0,
            won=judged.pays.won(part),
            returned=0,
            rules=judged.rules,
            because=f"{judged.because} It pays {judged.pays} on the {bet_title(side.stake)}.",
        )


# ---------------------------------------------------------------- the jackpot Bet


def _settle_jackpot(terms: Terms, state: Round, box: Box, stake: Stake, counted: Counted) -> Iterator[RoundEvent]:
    jackpot = terms.book.jackpot
    if not counted.counts:
        rules = counted.rules or terms.book.authority.uncovered
        yield _line(state, box, stake, stake.amount, Ruling(RETURNED, rules, counted.note))
        return
    refusal = terms.book.not_shown
    kept: Rules = ()
    if box.stands is FOLDED:
        kept = tuple(dict.fromkeys((*box.why, *(jackpot.folded_rules or terms.book.fold.keeps_rules))))
    if box.refused and box.proved and refusal is not None:
        kept = (*kept, *refusal.rules)
    met = awards_met(terms, state, box)
    if not met:
        hidden = box.refused and not box.proved and refusal is not None
        lost = refusal.rules if hidden and refusal is not None else (*jackpot.lost, *kept)
        because = "The hand was not shown or proved." if hidden else "The cards make no jackpot hand."
        shared = _not_shared(terms, state, box)
        if shared is not None:
            lost, because = (*shared.rules, *kept), "Only hands that were called share in what the board makes."
        judged = _still_live(terms, stake, Ruling(LOSE, lost, because))
        yield _line(state, box, stake, counted.counts, judged, counted)
        return
    assert terms.jackpot_bet is not None
    claim = AwardClaimed(
        round=state.number,
        box=box.number,
        player=stake.player,
        staked=stake.amount,
        counts=counted.counts,
        units=counted.counts // terms.jackpot_bet,
        awards=met,
        named=met[0].hand.replace("_", " "),
        rules=(*kept, *(terms.book.closing.withdrawn_rules if stake.taken_off else ())),
        cards=_shown_for(met[0], box, state.community),
        collected=True,
    )
    if any(award.is_major for award in met):
        yield claim
        return
    amounts = [(fixed_amount(terms, award, claim), award) for award in met]
    paid = amounts if jackpot.every_line else [max(amounts, key=lambda pair: pair[0])]
    lines = tuple(PaidLine(award.hand, str(award.pays), amount) for amount, award in paid)
    awards, line = claim_paid(terms, claim, lines)
    yield from awards
    yield line


def _shown_for(award: Award, box: Box, community: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards that the line of an award looks at."""
    return (*(box.cards if award.own else ()), *community[: award.community])


def awards_met(terms: Terms, state: Round, box: Box) -> tuple[Award, ...]:
    """Return every line of the jackpot table that this box may claim and its cards make."""
    jackpot, refusal = terms.book.jackpot, terms.book.not_shown
    own_counts = box.face_up
    community_counts = True
    if box.stands is FOLDED and jackpot.folded_community_only:
        own_counts = False
    if (
        box.refused
        and refusal is not None
        and not (box.proved and (refusal.proving_restores or JACKPOT_BET in refusal.provable))
    ):
        own_counts = False
        community_counts = refusal.keeps_community_awards
    called_only = jackpot.participants is Participants.CALLED_HANDS
    own: tuple[Card, ...] = box.cards if own_counts else ()
    claimable = [
        award
        for award in jackpot.awards
        if (own_counts if award.own else community_counts)
        and not (award.shared and called_only and box.stands is not LIVE)
    ]
    return tuple(awards_made(claimable, own, state.community))


def _not_shared(terms: Terms, state: Round, box: Box) -> Award | None:
    """Return the board award that this box would share in, had it been called."""
    jackpot = terms.book.jackpot
    if jackpot.participants is not Participants.CALLED_HANDS or box.stands is LIVE:
        return None
    return next((award for award in jackpot.awards if award.shared and meets(award, (), state.community)), None)


def fixed_amount(terms: Terms, award: Award, claim: AwardClaimed) -> Money:
    """Return what a line that is not a share of the meter pays on this claim."""
    match award.pays:
        case Fixed(amount=amount):
            return amount * claim.units
        case ForOne():
            paid = award.pays.won(claim.counts)
            return paid * claim.units if terms.book.jackpot.multiple_squared else paid
        case _:
            raise AssertionError(f"{award.hand} is not a fixed award")


def claim_paid(
    terms: Terms, claim: AwardClaimed, lines: tuple[PaidLine, ...], order: Rules = ()
) -> tuple[tuple[AwardPaid, ...], BetSettled]:
    """Return the awards of a claim and the line of its jackpot Bet; `order` cites its place among the winners."""
    jackpot = terms.book.jackpot
    rules_of = {award.hand: award for award in claim.awards}
    awards: list[AwardPaid] = []
    cited: Rules = ()
    for line in lines:
        award = rules_of[line.hand]
        # The same paragraphs multiply a fixed payment and leave a share of the meter as it is.
        decides = (*award.rules, *(jackpot.multiple_rules if claim.units > 1 else ()))
        cited = (*cited, *decides)
        awards.append(
            AwardPaid(
                round=claim.round,
                box=claim.box,
                player=claim.player,
                hand=line.hand,
                pays=line.pays,
                amount=line.amount,
                from_meter=award.is_major,
                rules=(*decides, *order),
            )
        )
    if claim.staked > claim.counts:
        cited = (*cited, *jackpot.wrong_amount_late)
    hands = " and ".join(f"“{line.hand.replace('_', ' ')}”" for line in lines)
    pays = " and ".join(line.pays for line in lines)
    surplus = f" {SURPLUS_OF_A_JACKPOT_BET}" if claim.staked > claim.counts else ""
    because = f"The cards meet the line {hands}, which pays {pays}.{surplus}"
    won = sum(line.amount for line in lines)
    rules = (*cited, *order, *jackpot.rules, *claim.rules)
    return tuple(awards), _claim_line(claim, WIN, won, rules, because)


def claim_denied(terms: Terms, claim: AwardClaimed, text: str) -> BetSettled:
    """Return the line of a jackpot Bet whose award did not prove right: in play, and lost."""
    rules = (*terms.book.jackpot.denied, *terms.book.jackpot.rules)
    return _claim_line(claim, LOSE, 0, rules, f"The claim was denied: {text}")


def _claim_line(claim: AwardClaimed, outcome: Outcome, won: Money, rules: Rules, because: str) -> BetSettled:
    return BetSettled(
        round=claim.round,
        box=claim.box,
        player=claim.player,
        bet=JACKPOT_BET,
        outcome=outcome,
        staked=claim.staked,
        won=won,
        returned=claim.staked - claim.counts,
        rules=tuple(dict.fromkeys(rules)),
        because=because,
    )


# ---------------------------------------------------------------- lines


def _line(
    state: Round,
    box: Box,
    stake: Stake,
    counts: Money,
    ruling: Ruling,
    counted: Counted | None = None,
    side: SideBet | None = None,
) -> BetSettled:
    """Return one line: the counting part wins, loses or comes back; the rest of the stake always comes back."""
    won = 0
    rules, because = ruling.rules, ruling.because
    if ruling.outcome is WIN:
        assert type(ruling.pays) is ToOne
        won = ruling.pays.won(counts)
        because = f"{because} It pays {ruling.pays}."
        if side is not None and side.cap is not None:
            most = side.cap - counts if side.cap_covers_stake else side.cap
            if won > most:
                won = most
                rules = (*rules, *side.cap_rules)
                because = f"{because} The most it may pay is {show(most)}."
    if counted is not None and counted.rules:
        rules = (*rules, *counted.rules)
        because = f"{because} {counted.note}"
    kept = counts if ruling.outcome is LOSE else 0
    return BetSettled(
        round=state.number,
        box=box.number,
        player=stake.player,
        bet=stake.bet,
        outcome=ruling.outcome,
        staked=stake.amount,
        won=won,
        returned=stake.amount - kept,
        rules=rules if len(rules) < 2 else tuple(dict.fromkeys(rules)),
        because=because,
    )


def _strength(kind: HandKind, own: tuple[Card, ...], community: tuple[Card, ...]) -> Strength:
    return three_card(own) if kind is THREE_CARDS else best_five((*own, *community))


@lru_cache(maxsize=8192)
def _name(kind: HandKind, strength: Strength) -> str:
    return three_card_name(strength) if kind is THREE_CARDS else five_card_name(strength)


_TAKEN_OFF = "It was taken off after closing, and counts."
_RANK_WORDS = {r: f"a {slug(r).replace('_', ' ')}" for r in Rank}
_LOST_WITH_THE_HAND = {
    Fate.FOLDED: "It is lost with the folded hand.",
    Fate.NOT_SHOWN: "The hand was not shown, so it is lost.",
    Fate.BEATEN: "It is lost with the beaten hand.",
    Fate.STOOD_OFF: "It is lost although the hands stand off.",
}
