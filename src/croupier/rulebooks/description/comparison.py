"""A rulebook as plain statements, dimension by dimension, and two rulebooks side by side.

Both are made from the declarations, so that the text cannot differ from the play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from croupier.cards import slug
from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.description.phrases import (
    ACROSS,
    FLOORS,
    HANDS,
    MOMENTS,
    NOTHING,
    PARTIAL,
    PARTICIPANTS,
    PLACES,
    POOLS,
    SAME_TABLE,
    SIDE_HANDS,
    WHOM,
    amount_in_words,
    conditions_in_words,
    listed,
    once,
    titled,
    uncovered,
    who,
    words,
    yes_or_no,
)
from croupier.rulebooks.readings import readings_of
from croupier.rulebooks.vocabulary import (
    ANTE_BET,
    AskRuling,
    Award,
    Bet,
    BetKind,
    CheckHand,
    Compare,
    Consequence,
    Continue,
    Deal,
    Dealing,
    DealingStep,
    Decision,
    DeclaredIncident,
    FoldHand,
    ForfeitBets,
    FreezeMeter,
    Incident,
    InvalidateHand,
    Irregularity,
    OfferOptions,
    Place,
    Redeal,
    Rulebook,
    Rules,
    SameTable,
    Turn,
    VoidRound,
    When,
)


class Fact(msgspec.Struct, frozen=True):
    """One statement of a rulebook: in which dimension, about what, what it says, and by which paragraphs."""

    dimension: str
    about: str
    says: str
    rules: Rules = ()


class Difference(msgspec.Struct, frozen=True):
    """One statement on which two rulebooks differ; None where one of them has none."""

    dimension: str
    about: str
    first: Fact | None
    second: Fact | None


class Comparison(msgspec.Struct, frozen=True):
    """Two rulebooks side by side."""

    differences: tuple[Difference, ...]
    same: tuple[Fact, ...]
    """What both say, as the first one cites it."""


def compare(first: Rulebook, second: Rulebook) -> Comparison:
    """Compare two rulebooks statement by statement, in the order of the dimensions."""
    one = {(fact.dimension, fact.about): fact for fact in (*facts(first), *_reading_facts(first, second))}
    two = {(fact.dimension, fact.about): fact for fact in (*facts(second), *_reading_facts(second, first))}
    dimensions = list(dict.fromkeys(dimension for dimension, _ in (*one, *two)))
    # An entry that only the second has follows what it follows there.
    keys = sorted(dict.fromkeys((*one, *two)), key=lambda key: dimensions.index(key[0]))
    differences, same = [], []
    for key in keys:
        a, b = one.get(key), two.get(key)
        said = a or b
        assert said is not None, "the key is of one of them"
        if _said(a) == _said(b):
            same.append(said)
        else:
            differences.append(Difference(*key, a, b))
    return Comparison(tuple(differences), tuple(same))


def paragraph_changes(first: Rulebook, second: Rulebook) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield each paragraph whose text differs in two versions of one document; of two documents, none."""
    if first.game != second.game:
        return
    one, two = paragraphs(first.edition), paragraphs(second.edition)
    for number in dict.fromkeys((*one, *two)):
        before, after = one.get(number), two.get(number)
        if before != after:
            yield number, None if before is None else before.text, None if after is None else after.text


def reading_changes(first: Rulebook, second: Rulebook) -> Iterator[tuple[str, str]]:
    """Yield each reading that is lost, new or changed in the second of two versions of one document."""
    if first.game != second.game:
        return
    old, new = readings_of(first.edition), readings_of(second.edition)
    yield from ((name, "Lost: this version does not ask it, or settles it itself.") for name in old if name not in new)
    for name, reading in new.items():
        answer = second.readings.chosen(name)
        if name not in old:
            yield name, f"New, with the answer {answer}."
        elif (was := first.readings.chosen(name)) != answer:
            yield name, f"Changed: the answer was {was} and is {answer}."
        elif (old[name].question, old[name].options) != (reading.question, reading.options):
            yield name, "Changed: its question or its answers have other words."


def _said(fact: Fact | None) -> str:
    """Return what a fact says; a missing statement equals the statement that there is nothing."""
    return NOTHING if fact is None else fact.says


def facts(book: Rulebook) -> tuple[Fact, ...]:
    """Return everything that a rulebook declares, as statements."""
    sections = (
        _document, _bets, _boxes, _dealing, _decisions, _fold, _comparison, _side_bets, _not_shown, _jackpot_hands,
        _jackpot_bet, _order_of_winners, _wrong_bets, _irregularities, _authority, _notices,
    )  # fmt: skip
    return tuple(fact for section in sections for fact in section(book))


# ---------------------------------------------------------------- the document, its bets and its boxes


def _document(book: Rulebook) -> Iterator[Fact]:
    document = book.document
    of = "Document"
    yield Fact(of, "title", document.title)
    yield Fact(of, "operator", document.operator)
    yield Fact(of, "version", NOTHING if document.version is None else str(document.version))
    yield Fact(of, "in force from", NOTHING if document.effective is None else document.effective.isoformat())
    yield Fact(of, "currency", book.currency)
    yield Fact(of, "a round", "from the call for bets until every bet is settled", book.opening)
    yield Fact(of, "ranking", HANDS[book.showdown.hand], book.ranking)


def _bets(book: Rulebook) -> Iterator[Fact]:
    of = "Bets"
    for bet in book.bets:
        yield Fact(of, words(bet.name), _bet(bet), once((*bet.rules, *bet.needs_ante)))
    of = "Limits, until the House sets its own"
    for name, limits in book.limits:
        yield Fact(
            of, words(name), f"{amount_in_words(book, limits.minimum)} to {amount_in_words(book, limits.maximum)}"
        )
    yield Fact(of, "jackpot", amount_in_words(book, book.jackpot_bet), book.jackpot.amount_rules)


def _bet(bet: Bet) -> str:
    match bet.kind:
        case BetKind.ENTRY:
            says = "placed before the deal, and the entry to the comparison with the Dealer"
        case BetKind.DECISION:
            return f"{bet.times_ante} × Ante, placed by a decision"
        case BetKind.PAYOUT:
            return "paid without a stake of its own"
        case _:
            beside = (
                f"only with {' or '.join(map(titled, bet.beside))}" if bet.needs_ante else "with or without an Ante"
            )
            says = f"placed before the deal, {beside}"
    return f"{says}; a box with it is dealt a hand" if bet.takes_part else says


def _boxes(book: Rulebook) -> Iterator[Fact]:
    of, seating = "Boxes and players", book.seating
    yield Fact(of, "boxes of the largest layout", str(book.layout.boxes), book.layout.rules)
    yield Fact(of, "who bets on a box", "the player seated there", seating.rules)
    yield Fact(of, "several boxes for one player", yes_or_no(seating.several_boxes), seating.several_rules)
    yield Fact(of, "several players on one box", yes_or_no(seating.shared_boxes), seating.shared_rules)
    if seating.shared_boxes:
        backer = "at the settlement, with a line of its own" if seating.backing_returned else "at once, without a line"
        yield Fact(of, "a backer's part goes back after closing", backer, seating.backing_returned)
    seated = bool(seating.jackpot_seated_only)
    yield Fact(of, "jackpot bet for the seated player alone", yes_or_no(seated), seating.jackpot_seated_only)
    yield Fact(of, "holding a player to one box", who(seating.restrict_by), seating.restrict_rules)
    yield Fact(of, "hands a player may look at", "one", book.examining.rules)
    bare = "may not be looked at" if book.examining.side_bet_only else NOTHING
    yield Fact(of, "a hand without an Ante", bare, book.examining.side_bet_only)
    of, closing = "After “No more bets”", book.closing
    yield Fact(of, "new or higher bets", "refused", closing.rules)
    late = "off the layout, but still won or lost" if closing.withdrawn_stays_live else "refused"
    yield Fact(of, "a bet taken back", late, closing.withdrawn_rules)


# ---------------------------------------------------------------- dealing and decisions


def _dealing(book: Rulebook) -> Iterator[Fact]:
    for dealing in book.dealings:
        rules = (*dealing.rules, *(rule for step in dealing.steps for rule in _step_rules(step)))
        yield Fact("Dealing", words(dealing.name), deal_in_words(dealing), once((*rules, *dealing.announce)))


def deal_in_words(dealing: Dealing) -> str:
    """Return the exact order of cards, burns, turns and decisions, as one line."""
    announced = "announced before each round · " if dealing.announce else ""
    return announced + " · ".join(map(_step, dealing.steps))


def _step(step: DealingStep) -> str:
    match step:
        case Deal(order=(Place.BURN,), each=each):
            return f"burn {each}"
        case Deal(order=order, each=each, times=times):
            places = ", ".join(f"{each} to {PLACES[place]}" for place in order)
            return f"({places}) × {times}" if times > 1 else places
        case Turn(dealer=True):
            return "turn the Dealer's cards"
        case Turn(community=community):
            return f"turn community cards up to {community}"
        case Decision():
            return f"[{' or '.join(step.choices)}]"
        case Compare():
            return "compare"


def _step_rules(step: DealingStep) -> Rules:
    return (*step.rules, *step.bet_rules, *step.otherwise_rules) if isinstance(step, Decision) else step.rules


def _decisions(book: Rulebook) -> Iterator[Fact]:
    """Yield the decisions of a game, which are the same in each of its procedures."""
    shown = 0
    count = 0
    for step in book.dealings[0].steps:
        if isinstance(step, Turn) and not step.dealer:
            shown = step.community
        if isinstance(step, Decision):
            count += 1
            bet = book.bet(step.bet)
            assert bet is not None
            seen = f"with {shown} community cards face up" if shown else "with no community card face up"
            says = f"{step.otherwise}, or {words(step.bet)} of {bet.times_ante} × Ante, {seen}{_limits_of(step)}"
            yield Fact("Decisions", f"decision {count}", says, once(_step_rules(step)))


def _limits_of(decision: Decision) -> str:
    """Return what a reading adds to the choices."""
    says = "" if decision.needs is None else f"; only after {words(decision.needs)}"
    says += "; only on a hand that was looked at" if decision.looked_only else ""
    return f"{says}; or fold" if decision.may_fold else says


# ---------------------------------------------------------------- what the bets come to


def _fold(book: Rulebook) -> Iterator[Fact]:
    steps = (step for dealing in book.dealings for step in dealing.steps if isinstance(step, Decision))
    folds = once(rule for step in steps if step.otherwise == "fold" for rule in step.otherwise_rules)
    yield Fact("Fold", "loses", listed(book.fold.loses), folds)
    yield Fact("Fold", "keeps", listed(book.fold.keeps), book.fold.keeps_rules)


def _comparison(book: Rulebook) -> Iterator[Fact]:
    of, showdown = "Comparison with the Dealer", book.showdown
    yield Fact(of, "hand", HANDS[showdown.hand])
    yield Fact(of, "bets that play", listed(showdown.bets))
    others = [bet for bet in showdown.bets if bet != ANTE_BET]
    yield Fact(of, "higher hand", f"{listed(others)} 1 to 1", (*showdown.higher, *showdown.pays))
    ante = "1 to 1"
    if showdown.ante_table is not None:
        ante = "by its table"
    elif showdown.ante_pays_from is not None:
        ante = f"1 to 1 from {words(slug(showdown.ante_pays_from))} on, below it stands off"
    yield Fact(of, "Ante of a higher hand", ante, showdown.higher)
    yield Fact(of, "lower hand", f"loses {listed(showdown.bets)}", showdown.lower)
    yield Fact(of, "equal hands", f"{listed(showdown.bets)} stand off", showdown.equal)
    if showdown.ante_table is not None:
        for line, pays in showdown.ante_table.rows:
            yield Fact("Ante table", words(line), pays.words, showdown.ante_table.cites(line))
    of, qualification = "Qualification of the Dealer", showdown.qualification
    if qualification is None:
        yield Fact(of, "the Dealer needs", "nothing")
        return
    yield Fact(of, "the Dealer needs", f"{qualification.at_least.words} or better", qualification.rules)
    yield Fact(of, "Ante where the Dealer does not", "is paid as on a win", qualification.ante)
    yield Fact(of, "other bets where the Dealer does not", f"{listed(others)} stand off", qualification.others)
    tie = "still stand off" if qualification.tie_first else "are settled as unqualified"
    yield Fact(of, "equal hands where the Dealer does not", tie, qualification.rules)


def _side_bets(book: Rulebook) -> Iterator[Fact]:
    for side in book.side_bets:
        of, is_payout = f"Side bets: {words(side.bet)}", side.stake != side.bet
        on = SIDE_HANDS[side.on] + (", the Dealer's alone too" if side.dealer_alone_pays else "")
        yield Fact(of, "settled on", on, side.rules)
        yield Fact(of, "paid on the chips of", words(side.stake), side.rules)
        for line, pays in side.table.rows:
            yield Fact(of, words(line), pays.words, side.table.cites(line))
        yield Fact(of, "any other cards", "nothing is paid" if is_payout else "loses", side.unlisted)
        for about, fates in (
            ("lost with a hand that is", side.lost_when),
            ("given back with a hand that", side.returned_when),
        ):
            says = listed(fate.value for fate, _ in fates) or NOTHING
            yield Fact(of, about, says, once(rule for _, rules in fates for rule in rules))
        cap = NOTHING if side.cap is None else amount_in_words(book, side.cap)
        cap += ", the stake that comes back included" if side.cap_covers_stake else ""
        yield Fact(of, "most that is paid", cap, side.cap_rules)


def _not_shown(book: Rulebook) -> Iterator[Fact]:
    of, refusal = "A hand that its player will not show", book.not_shown
    if refusal is None:
        yield Fact(of, "loses", f"{NOTHING} {uncovered(book)}", book.authority.uncovered)
        return
    yield Fact(of, "loses", listed(refusal.loses), refusal.rules)
    yield Fact(of, "gives back", listed(refusal.returns) or NOTHING, refusal.rules)
    proof = (*refusal.rules, *refusal.proof_rules)
    yield Fact(of, "may still be proved for", listed(refusal.provable) or NOTHING, proof)
    yield Fact(of, "a proved hand plays on as if shown", yes_or_no(refusal.proving_restores), proof)
    yield Fact(of, "keeps awards of the community cards", yes_or_no(refusal.keeps_community_awards), refusal.rules)
    yield Fact(of, "who may look at it", who(refusal.view_by), refusal.view_rules)


# ---------------------------------------------------------------- the jackpot


def _jackpot_hands(book: Rulebook) -> Iterator[Fact]:
    for award in book.jackpot.awards:
        yield Fact("Jackpot hands", words(award.hand), f"{award.pays.words}: {_award_cards(award, book)}", award.rules)
    own = book.jackpot.own_hands_of
    stakeboard = f"may add own hands, of the player's cards and {own} community cards" if own else NOTHING
    rules = book.jackpot.own_hands_rules or book.jackpot.rules
    yield Fact("Jackpot hands", "the table's stakeboard", stakeboard, rules)


def _award_cards(award: Award, book: Rulebook) -> str:
    held = book.dealings[0].cards_to(Place.BOXES)
    if not award.own:
        says = f"{award.community} community cards alone"
    else:
        chosen = "" if held + award.community == 5 else "any five of " if award.any_five else "best five of "
        says = f"{chosen}{held} own cards"
        if award.community:
            says = f"{chosen}{held} own and {award.community} community cards"
    if award.with_own_card:
        says += ", at least one of the five the player's own"
    return f"{says}, in equal shares" if award.shared else says


def _jackpot_bet(book: Rulebook) -> Iterator[Fact]:
    of, jackpot = "Jackpot bet and meter", book.jackpot
    amount = (
        "the prescribed amount" if jackpot.multiples == 1 else f"1 to {jackpot.multiples} times the prescribed amount"
    )
    yield Fact(of, "amount", amount, once((*jackpot.amount_rules, *jackpot.multiple_rules)))
    squared = "by the stake and once more by the multiple" if jackpot.multiple_squared else "by the stake"
    yield Fact(of, "odds are multiplied", squared, jackpot.multiple_rules)
    late = "goes back" if jackpot.wrong_amount_late else f"{NOTHING} {uncovered(book)}"
    yield Fact(of, "a wrong amount found later", late, jackpot.wrong_amount_late)
    counts = "all of the bet" if jackpot.contributes_multiples else "the prescribed amount alone"
    yield Fact(of, "contribution counts", counts, jackpot.contribution_rules)
    yield Fact(of, "community cards it waits for", str(jackpot.community), jackpot.rules)
    folded = "awards of the community cards alone" if jackpot.folded_community_only else "the full table"
    yield Fact(of, "a folded hand wins", folded, jackpot.folded_rules or book.fold.keeps_rules)
    yield Fact(of, "several lines met", "each is paid" if jackpot.every_line else "the greatest is paid", jackpot.rules)
    yield Fact(of, "no line met", "the jackpot bet loses", jackpot.lost)
    yield Fact(of, "an award below 100%", PARTIAL[jackpot.partial_award], jackpot.partial_rules)
    if any(award.shared for award in jackpot.awards):
        shared = once(rule for award in jackpot.awards if award.shared for rule in award.rules)
        yield Fact(of, "who shares", PARTICIPANTS[jackpot.participants], shared)
        yield Fact(of, "what the floor of a share adds is paid", FLOORS[jackpot.share_floor], shared)


def _order_of_winners(book: Rulebook) -> Iterator[Fact]:
    of, jackpot = "Order of winners", book.jackpot
    within = SAME_TABLE[jackpot.same_table]
    if jackpot.same_table is SameTable.POOLED_ROYAL_LAST:
        within += f"; {POOLS[jackpot.pool_of]}"
    yield Fact(of, "within one table", within, once((*jackpot.same_table_rules, *jackpot.pool_rules)))
    across = ACROSS[jackpot.across_tables]
    if jackpot.waits_for_earlier_deals:
        across += ", and a win waits for every earlier-dealt round that may still win"
    yield Fact(of, "across tables", across, jackpot.across_tables_rules)


# ---------------------------------------------------------------- wrong bets and irregularities


def _wrong_bets(book: Rulebook) -> Iterator[Fact]:
    of, limiting = "Wrong bets", book.limiting
    alone = next(bet.needs_ante for bet in book.bets if bet.kind is BetKind.JACKPOT)
    under = "settled as it lies"
    if limiting.under_once:
        under = "settled in one round only, later ones of that player at any table of the house go back"
    scales = "its multiple of the Ante's maximum" if limiting.decision_limit_scales else "the Ante's maximum"
    by = "the Ante as cut to the maximum" if limiting.measured_on_effective_ante else "the Ante as it lies"
    for about, says, rules in (
        ("over the maximum", "refused", limiting.over_refused),
        ("over the maximum, found later", "settled at the maximum", limiting.over_late),
        ("under the minimum", "refused", limiting.under_refused),
        ("under the minimum, found later", under, limiting.under_late),
        ("decision bet too big", "what is too much goes back", limiting.too_big),
        ("decision bet too small", "settled as it lies", limiting.too_small),
        ("jackpot bet without an Ante", "refused", alone),
        ("jackpot bet without an Ante, found later", "goes back", limiting.orphan_late),
    ):
        yield Fact(of, about, says if rules else f"{NOTHING} {uncovered(book)}", rules or book.authority.uncovered)
    sizes = (*limiting.too_big, *limiting.too_small)
    limited = sizes or limiting.over_late
    yield Fact(of, "limit of a decision bet", scales if limited else NOTHING, limited)
    yield Fact(of, "a decision bet is measured by", by if sizes else NOTHING, sizes)
    staff = "at the player's request and risk" if limiting.staff_bets else NOTHING
    yield Fact(of, "bets placed by staff", staff, limiting.staff_bets)


def _irregularities(book: Rulebook) -> Iterator[Fact]:
    for own in book.incidents:
        rules = once(rule for entry in book.entries_of(own.name) for rule in entry.rules)
        yield Fact("Incidents of this document alone", words(own.name), incident_in_words(own), rules)
    for incident in dict.fromkeys(entry.incident for entry in book.irregularities):
        entries = book.entries_of(incident)
        says = "; ".join(sorted(map(irregularity_in_words, entries)))
        rules = once(rule for entry in entries for rule in (*entry.rules, *_consequence_rules(entry.then)))
        yield Fact("Irregularities", words(incident), says, rules)
    if book.options:
        asked = "asked too where its jackpot bet is in play" if book.options_to_folded else "not asked"
        yield Fact("Options after a dealing error", "a folded hand", asked, book.options_folded_rules)
        yield Fact("Options after a dealing error", "a player absent", "bets go back", book.options_unanswered)
    of = "Void, reopened and late"
    yield Fact(of, "a void round", "every bet of it goes back", book.void)
    yield Fact(
        of, "noticed after the settlement", "reopened, until the next round, where its entry says so", book.reopening
    )
    wait = "any, for the shift manager" if book.minor_awards_wait else "one of the meter, for the shift manager"
    yield Fact(of, "paid awards whose unwinding waits", wait, book.reopening)
    yield Fact(of, "an error of an earlier round", "changes nothing", book.late_error)


def incident_in_words(incident: DeclaredIncident) -> str:
    """Return what happened, what a report of it states, and when it may be reported."""
    facts = ", ".join(f"{fact} (required)" if fact in incident.required else fact for fact in incident.facts)
    when = ", ".join(MOMENTS[moment] for moment in incident.moments)
    return f"{incident.words}; a report states {facts or 'nothing more'}; it may be reported {when}"


def irregularity_in_words(entry: Irregularity) -> str:
    """Return the conditions and the consequence as one clause."""
    conditions = conditions_in_words(entry.when)
    clause = f"{conditions}: {consequence_in_words(entry.then)}" if conditions else consequence_in_words(entry.then)
    if When.RECONSTRUCTIBLE in entry.when or When.NOT_RECONSTRUCTIBLE in entry.when:
        clause += f" (on the word of {who(entry.word_of)})"
    return f"{clause}, reopening a settled round" if entry.reopens else clause


def consequence_in_words(then: Consequence) -> str:
    """Return the consequence as a clause."""
    match then:
        case VoidRound():
            return "the round is void"
        case Continue():
            return "the round goes on"
        case FoldHand():
            return "the hand counts as folded"
        case CheckHand():
            return "the hand is deemed to check"
        case InvalidateHand(whom=whom, then=others, lost=lost, settled=settled):
            says = f"{WHOM[whom]} out of the round, bets back"
            says += f", but {listed(lost)} lost" if lost else ""
            says += f", but {listed(settled)} settled" if settled else ""
            return says if others is None else f"{says}; then {consequence_in_words(others)}"
        case ForfeitBets(whom=whom):
            return f"{WHOM[whom]} out of the round, every bet lost"
        case OfferOptions(to=to, options=options, withdraws_all=everything):
            says = f"{WHOM[to]} may choose {' or '.join(options)}"
            return f"{says}, on every box" if everything else says
        case AskRuling(role=role, answers=answers):
            ruled = ", ".join(f"{words(answer)} ({consequence_in_words(follows)})" for answer, follows in answers)
            return f"{who(role)} rules: {ruled}"
        case Redeal():
            return "everything is dealt again"
        case FreezeMeter(suspends_jackpot_bets=suspends):
            says = "the round goes on, awards from the meter as registered before"
            return f"{says}, no further jackpot bets until restored" if suspends else says


def _consequence_rules(then: Consequence) -> Rules:
    match then:
        case OfferOptions(rules=rules) | InvalidateHand(then=OfferOptions(rules=rules)):
            return rules
        case AskRuling(answers=answers):
            return tuple(rule for _, follows in answers for rule in _consequence_rules(follows))
        case _:
            return ()


# ---------------------------------------------------------------- people, notices, readings


def _authority(book: Rulebook) -> Iterator[Fact]:
    of, measures = "After a jackpot fault", book.measures
    where = "every table of the link" if book.jackpot.fault_spreads else "the table where it is, each by its own state"
    faults = book.entries_of(Incident.JACKPOT_MALFUNCTION)
    yield Fact(of, "a fault concerns", where, once(rule for entry in faults for rule in entry.rules))
    if measures is None:
        yield Fact(of, "measures of the House", NOTHING)
    else:
        yield Fact(of, "who decides", who(measures.by), measures.rules)
        yield Fact(of, "close the table", "allowed", measures.close_table)
        yield Fact(of, "bar a box", "allowed", measures.disallow_box)
        yield Fact(of, "play without jackpot bets", "allowed, with a notice", measures.no_jackpot_bets)
    of, authority = "Authority", book.authority
    yield Fact(of, "what no paragraph covers", who(authority.uncovered_by), authority.uncovered)
    yield Fact(of, "order of payment", who(authority.payment_order_by), authority.payment_order)
    yield Fact(of, "stopping a player", who(authority.stop_player_by), authority.stop_player)
    where = "at no table of the operator in the house" if authority.bars_in_the_house else "no more at that table"
    yield Fact(of, "a barred player", f"plays {where}" if authority.prohibited else NOTHING, authority.prohibited)
    dodged = who(authority.uncovered_by) if authority.fold_ruling else NOTHING
    yield Fact(of, "a player who left to dodge a fold", dodged, authority.fold_ruling)


def _notices(book: Rulebook) -> Iterator[Fact]:
    for i, (text, rules) in enumerate(book.announcements, start=1):
        yield Fact("Said or shown at the table", f"notice {i}", text, rules)
    yield Fact(
        "Said or shown at the table", "carried by the order of play itself", yes_or_no(bool(book.other)), book.other
    )


def _reading_facts(book: Rulebook, other: Rulebook) -> Iterator[Fact]:
    """Yield how each reading is answered that both documents ask for; of two versions of one, every reading."""
    for name, reading in readings_of(book.edition).items():
        if name in readings_of(other.edition) or book.game == other.game:
            letters = book.readings.chosen(name).split("+")
            yield Fact("Readings", name, " ".join(f"({letter}) {reading.options[letter]}" for letter in letters))


def by_dimension(statements: Iterable[Fact]) -> Mapping[str, tuple[Fact, ...]]:
    """Return the statements under their dimensions, in order."""
    found: dict[str, list[Fact]] = {}
    for fact in statements:
        found.setdefault(fact.dimension, []).append(fact)
    return {dimension: tuple(together) for dimension, together in found.items()}
