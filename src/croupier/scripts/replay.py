"""Play a script: the steps one by one, and between them the Dealer's own work as soon as the rules allow it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from croupier.cards import DECK, Card, Shoe, arrange
from croupier.jackpots.commands import ReleaseAward, RuleDealOrder
from croupier.jackpots.events import CaseDenied, CasePaid
from croupier.jackpots.link import CaseState
from croupier.jackpots.linked_tables import Happened, Tables, act, act_everywhere, rule_on_link
from croupier.money import Money
from croupier.rounds import events
from croupier.rounds.choices import lawful_choices
from croupier.rounds.commands import ExamineHand, ReportIncident, RoundCommand, TurnCards
from croupier.rounds.dealing import CardsToTurn, dealers_work, decision_due, still_to_deal
from croupier.rounds.refusal import Refusal
from croupier.rounds.state import Round, Stage, new_table
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import BetKind
from croupier.scripts.notices import notices_of, opening_notices
from croupier.scripts.parse import LinkRuling, Script, ScriptCards, Step
from croupier.scripts.result import Notice, RefusalResult, Result, RoundResult

_ANY_OTHER_CARD = tuple(DECK[(31 * i + 7) % 52] for i in range(52))
"""Cards that the script does not name, in a fixed order without pairs or suits side by side."""


def replay(script: Script) -> Result:
    """Play a script to its end."""
    player = ScriptPlayer(script)
    for step in script.steps:
        player.take(step)
    return player.result()


class _Record:
    """One Round as the script's reader sees it."""

    def __init__(self, table: str, state: Round) -> None:
        self.table, self.number, self.state = table, state.number, state
        self.status = "open"
        self.lines: list[events.BetSettled] = []
        self.awards: list[events.AwardPaid] = []
        self.notices: list[Notice] = []
        self.cards: dict[str, tuple[str, ...]] = {}


class ScriptPlayer:
    """Plays the steps of a script one by one. It holds the latest of the pure values, which is the only state."""

    def __init__(self, script: Script, *, deals: bool = True) -> None:
        """Without `deals` the Dealer's own work waits for `deal_next`."""
        self.script, self.deals = script, deals
        rounds = {name: new_table(terms.boxes) for name, terms in script.terms.items()}
        self.tables = Tables(terms=script.terms, rounds=rounds, link=script.link)
        self.cards: dict[str, ScriptCards] = {}
        self.shoes: dict[str, tuple[int, Shoe]] = {}
        self.records: list[_Record] = []
        self.by_round: dict[tuple[str, int], _Record] = {}
        self.refusals: list[RefusalResult] = []

    def take(self, step: Step) -> None:
        command = step.command
        if type(command) is LinkRuling:
            self._rule_on_the_link(step, command)
            return
        if type(command) is ReportIncident and step.every_table:
            if self._answered(step.index, act_everywhere(self.tables, command)):
                for table in self.tables.terms:
                    self._deal_on(step, table)
            return
        if type(command) is ExamineHand:
            command = replace(command, cards=self._hand(step.table, command.box))
        self._ask(step, step.table, command)

    def _rule_on_the_link(self, step: Step, ruling: LinkRuling) -> None:
        command: ReleaseAward | RuleDealOrder = ReleaseAward(table=step.table, by=ruling.by)
        if ruling.decision != "release_award":
            command = RuleDealOrder(table=step.table, by=ruling.by, tables=ruling.tables)
        self._answered(step.index, rule_on_link(self.tables, command))

    def _ask(self, step: Step, table: str, command: RoundCommand) -> None:
        before = self.tables.rounds[table]
        if not self._answered(step.index, act(self.tables, table, command)):
            return
        after = self.tables.rounds[table]
        if (after.number, after.deals) != (before.number, before.deals):
            self.cards[table] = step.cards if step.cards is not None and table == step.table else {}
        self._deal_on(step, table)

    def _answered(self, index: int, answer: Happened | Refusal) -> bool:
        if type(answer) is Refusal:
            self.refusals.append(RefusalResult(index, answer.code.value, answer.message, answer.rules))
            return False
        self._enter(answer)
        return True

    def _deal_on(self, step: Step, table: str) -> None:
        """Do the Dealer's own work."""
        while self.deals and self.deal_next(step.index, table):
            pass

    def deal_next(self, index: int, table: str) -> bool:
        """Do the next piece of the Dealer's work after this step; say whether there was one that the rules allow."""
        work = dealers_work(self.tables.terms[table], self.tables.rounds[table])
        if work is None:
            return False
        command: RoundCommand
        if type(work) is CardsToTurn:
            shoe = self._shoe(table)
            command = TurnCards(
                cards={place: tuple([shoe[i] for i in ordinals]) for place, ordinals in work.places.items()}
            )
        else:
            command = work
        return self._answered(index, act(self.tables, table, command))

    # ---------------------------------------------------------------- cards

    def _shoe(self, table: str) -> Shoe:
        """Return the deck of this deal, arranged so that named cards are dealt where the script says."""
        state, terms = self.tables.rounds[table], self.tables.terms[table]
        deal = state.number * 1000 + state.deals
        made = self.shoes.get(table)
        if made is None or made[0] != deal:
            made = (deal, arranged_shoe(terms, state, self.cards.get(table, {})))
            self.shoes[table] = made
        return made[1]

    def _hand(self, table: str, box: int) -> tuple[Card, ...]:
        """Return what a Player sees at this box."""
        state = self.tables.rounds[table]
        ordinals = state.ordinals(str(box))
        if not ordinals or state.stage is not Stage.PLAYING:
            return ()
        shoe = self._shoe(table)
        return tuple([shoe[i] for i in ordinals])

    # ---------------------------------------------------------------- the record

    def _enter(self, happened: Happened) -> None:
        self.tables = happened.tables
        for table, event in happened.events:
            self._enter_event(table, event)
        for closed in happened.link_events:
            if type(closed) is CasePaid or type(closed) is CaseDenied:
                self._close_case(closed)

    def _close_case(self, closed: CasePaid | CaseDenied) -> None:
        """Add the line and the awards of a closed case to the Round that claimed it."""
        record = self.by_round[closed.table, closed.round]
        record.lines.append(closed.line)
        if isinstance(closed, CasePaid):
            record.awards.extend(closed.awards)
            for award in closed.awards:
                record.notices.extend(notices_of(self.tables.terms[closed.table], record.state, award))

    def _enter_event(self, table: str, event: events.RoundEvent) -> None:
        terms, state = self.tables.terms[table], self.tables.rounds[table]
        if type(event) is events.RoundOpened:
            record = _Record(table, state)
            record.notices.extend(opening_notices(terms, state))
            self.records.append(record)
            self.by_round[table, event.number] = record
            return
        number = event.round if type(event) is events.BetSettled or type(event) is events.AwardPaid else state.number
        found = self.by_round.get((table, number))
        if found is None:
            return
        if number == state.number:
            found.state = state
        if type(event) is events.CardsDealt:
            return
        if type(event) is events.CardsTurned:
            found.cards = face_up(state)
        elif type(event) is events.BetSettled:
            found.lines.append(event)
        elif type(event) is events.AwardPaid:
            found.awards.append(event)
        elif type(event) is events.RoundSettled:
            found.status = "settled"
        elif type(event) is events.RoundVoided:
            found.status = "void"
        elif type(event) is events.RoundReopened:
            found.status = "open"
            found.lines.clear()
            found.awards.clear()
        found.notices.extend(notices_of(terms, state, event))

    def result(self) -> Result:
        net: dict[str, Money] = {}
        rounds = []
        for record in self.records:
            order = {bet.name: i for i, bet in enumerate(self.tables.terms[record.table].book.bets)}
            lines = tuple(sorted(record.lines, key=lambda line: (line.box, order[line.bet])))
            for line in lines:
                net[line.player] = net.get(line.player, 0) + line.won + line.returned - line.staked
            rounds.append(self._round(record, lines))
        for table in self.tables.rounds.values():
            for box in table.boxes:
                if box.stakes or box.returned:
                    for name in box.players:
                        net.setdefault(name, 0)
        meter = None if self.tables.link is None else self.tables.link.cents
        return Result(rounds=tuple(rounds), refusals=tuple(self.refusals), meter=meter, net=net)

    def _round(self, record: _Record, lines: tuple[events.BetSettled, ...]) -> RoundResult:
        terms, state = self.tables.terms[record.table], self.tables.rounds[record.table]
        awaiting = tuple(awaited(self.tables, record.table, record.number))
        return RoundResult(
            table=record.table,
            game=terms.book.edition,
            currency=terms.currency,
            round=record.number,
            status="open" if awaiting else record.status,
            lines=lines,
            awards=tuple(record.awards),
            notices=tuple(record.notices),
            awaiting=awaiting,
            cards=face_up(state) if state.number == record.number else record.cards,
        )


def arranged_shoe(terms: Terms, state: Round, cards: ScriptCards) -> Shoe:
    """Return a full deck whose cards end up where the script names them.

    The other places take any other cards; cards named for a box that is not dealt stay at the bottom.
    """
    order = (*state.dealt, *still_to_deal(terms.dealing, state))
    places: dict[int, Card] = {}
    left = {place: list(named) for place, named in cards.items()}
    for ordinal, place in enumerate(order):
        if left.get(place):
            places[ordinal] = left[place].pop(0)
    undealt = [card for named in left.values() for card in named]
    if not undealt:
        return arrange(places, rest=_ANY_OTHER_CARD)
    rest = [card for card in _ANY_OTHER_CARD if card not in undealt]
    return arrange(places, rest=(*rest, *undealt))


def face_up(state: Round) -> dict[str, tuple[str, ...]]:
    """Return the cards that lie face up, place by place."""
    places: dict[str, tuple[str, ...]] = {}
    if state.community:
        places["community"] = tuple(state.community)
    if state.dealer:
        places["dealer"] = tuple(state.dealer)
    places.update({str(box.number): tuple(box.cards) for box in state.boxes if box.face_up})
    return places


def awaited(tables: Tables, table: str, number: int) -> Iterable[dict[str, object]]:
    """Yield what an open Round waits for, and from whom."""
    state, terms = tables.rounds[table], tables.terms[table]
    for case in () if tables.link is None else tables.link.cases_of((table, number)):
        if case.state is CaseState.CLAIMED:
            claim = case.claim
            yield {"what": "award", "box": claim.box, "player": claim.player, "hand": claim.awards[0].hand,
                   "rules": list(terms.book.jackpot.across_tables_rules)}  # fmt: skip
    if state.number != number:
        return
    for waits in state.awaiting:
        if waits.role is not None:
            yield {"what": "ruling", "incident": waits.report.incident, "from": waits.role.slug,
                   "decisions": list(waits.decisions), "rules": list(waits.rules)}  # fmt: skip
        else:
            yield {"what": "options", "incident": waits.report.incident, "boxes": list(waits.boxes),
                   "options": list(waits.options), "rules": list(waits.rules)}  # fmt: skip
    if state.awaiting:
        return
    if state.stage is Stage.BETTING:
        kinds = {BetKind.ENTRY, BetKind.SIDE}
        if tables.link is not None and not state.standing.jackpot_suspended:
            kinds.add(BetKind.JACKPOT)
        bets = [bet.name for bet in terms.book.bets if bet.kind in kinds]
        yield {"what": "bets", "bets": bets, "rules": list(terms.book.opening)}
    due = decision_due(terms, state)
    if due is not None:
        decision, boxes = due
        lawful = {c.choice for c in lawful_choices(terms, state)}
        choices = [choice for choice in decision.choices if choice in lawful]
        yield {"what": "decision", "boxes": list(boxes), "choices": choices, "rules": list(decision.rules)}
