"""Two people: which commands take two, and who may be the second. One person proposes, another signs, and then the
command goes to the house with both names. The first signature is on record, so that it outlives its server.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from msgspec.structs import replace

from croupier.floor.duties.bounds import HOUR, Duties
from croupier.floor.duties.permissions import Action, Post
from croupier.floor.people.people import People, Person
from croupier.floor.records.commands import (
    AtTable,
    BuyIn,
    CashOut,
    ChangeTerms,
    EnrolPerson,
    HandOverTable,
    Measure,
    OpenLink,
    OpenTable,
    TableConfig,
)
from croupier.floor.records.facts import TermsChanged
from croupier.floor.records.people_facts import (
    MeasureDeclined,
    MeasureProposed,
    MeasureWithdrawn,
    PeopleFact,
    PersonName,
)
from croupier.floor.records.refusals import Code, Refused
from croupier.money import show
from croupier.rounds.commands import CorrectCards
from croupier.rulebooks.vocabulary import Role

WORDS_MOST = 400
"""Characters of the reason for which a proposal is declined."""
WAITING_MOST = 200
"""Measures that may wait for a signature, and payments that may wait for their players."""

Bounded: TypeAlias = OpenLink | OpenTable | ChangeTerms | EnrolPerson | BuyIn | CashOut
"""Commands that take one person or two, depending on their content."""


def waiting(people: People, now: int) -> list[MeasureProposed]:
    """Return the proposals that wait for a second signature, the oldest first."""
    return [proposal for proposal in people.proposals.values() if proposal.until > now]


def check_new_measure(people: People, asked: Measure, now: int) -> None:
    """Refuse what another open proposal asks for already; it does not matter which of the two people made it."""
    measure = _without_proposer(asked)
    if any(_without_proposer(waits.measure) == measure for waits in waiting(people, now)):
        raise Refused(Code.ALREADY_PROPOSED, "The same was proposed already and waits for its second signature.")


def _without_proposer(measure: Measure) -> Measure:
    match measure:
        case AtTable(command=CorrectCards() as correction):
            return replace(measure, command=replace(correction, by=Role.DEALER, who=""))
        case AtTable():
            return measure
        case _:
            return replace(measure, by="")


def why_two(people: People, asked: Bounded, now: int) -> str:
    """Say why a command takes two people; empty where one is enough."""
    duties = people.duties
    if duties is None or asked.by not in people.persons:
        return ""  # the operator's own settings and commands, with the file at hand
    match asked:
        case OpenLink():
            return "A new link takes two people: one proposes it, another signs."
        case OpenTable(config=config):
            return why_two_for_terms(duties, config)
        case ChangeTerms():
            return why_two_for_terms(duties, asked)
        case BuyIn(amount=amount) | CashOut(amount=amount):
            most = duties.payments
            return f"A payment above {show(most)} takes two people." if amount > most else ""
        case EnrolPerson(post=post, by=by):
            if post is Post.PLAYER or _is_founding(people, duties, by, now):
                return ""
            return "A new person of the staff takes two people: one proposes, another signs."
        case _:
            assert_never(asked)


def why_two_for_terms(duties: Duties, terms: TableConfig | ChangeTerms | TermsChanged) -> str:
    """Say why terms of a table, or a change of them, take two people; empty where one is enough."""
    # A table opens with a jackpot bet of its own; later it is a change of what its players know.
    is_jackpot_bet = not isinstance(terms, TableConfig) and terms.jackpot_bet is not None
    if duties.stakeboards and (terms.pay_tables or is_jackpot_bet):
        return "What bets pay, and the jackpot bet, take two people: one proposes the change, another signs."
    highest = max([*(amount for pair in terms.limits.values() for amount in pair), terms.jackpot_bet or 0])
    return f"A limit above {show(duties.limits)} takes two people." if highest > duties.limits else ""


def _is_founding(people: People, duties: Duties, by: PersonName, now: int) -> bool:
    """Return whether a new house has no person yet who could sign for its administrator."""
    able = (p for p in people.persons.values() if p.name != by and p.may(Action.SIGN_ENROLMENTS))
    return not people.paired and all(_is_own(duties, p, by, now) for p in able)


def _is_own(duties: Duties, person: Person, by: PersonName, now: int) -> bool:
    """Return whether this person enrolled the account, or set its password, so recently that they may still know it."""
    return person.made_by == by and now < person.made_at + duties.own_account_hours * HOUR


def check_enough_people(people: People, asked: Bounded, now: int) -> None:
    """Refuse a command that takes two people and is asked by one, or by two accounts of one person."""
    why = why_two(people, asked, now)
    if why and not asked.second:
        raise Refused(Code.TWO_PEOPLE, why)
    if asked.second:
        check_two_people(people, asked.by, asked.second, now)


def check_two_people(people: People, first: PersonName, second: PersonName, now: int) -> None:
    """Refuse two accounts that may belong to one person."""
    if not second or first == second:
        raise Refused(Code.TWO_PEOPLE, "It takes two different people.")
    duties = people.duties or Duties()
    for one, other in ((first, second), (second, first)):
        person = people.persons.get(one)
        if person is not None and _is_own(duties, person, other, now):
            hours = duties.own_account_hours
            says = f"{other} enrolled {one} less than {hours} hours ago, so they cannot be the two people of a measure."
            raise Refused(Code.OWN_ACCOUNT, says)


def check_withdrawal(people: People, key: str, by: PersonName) -> None:
    """Refuse to take back a proposal that does not wait, or that another person made."""
    proposal = _proposal(people, key)
    if proposal.by != by:
        raise Refused(Code.NOT_YOUR_PROPOSAL, f"{proposal.by} made this proposal; another person declines it.")


def check_decline(people: People, key: str, by: PersonName, words: str) -> None:
    """Refuse to decline without a reason, what does not wait, or what this person may not sign."""
    proposal = _proposal(people, key)
    if proposal.by == by:
        raise Refused(Code.TWO_PEOPLE, "The person who made a proposal withdraws it.")
    person = people.persons.get(by)
    if person is None or not person.may(proposal.second):
        what = proposal.second.value.replace("_", " ")
        raise Refused(Code.NOT_ALLOWED, f"This proposal is declined by a person who may {what}.")
    if not words.strip() or len(words) > WORDS_MOST:
        raise Refused(Code.NO_WORDS, f"Say in 1 to {WORDS_MOST} characters why the proposal is declined.")


def closing_differs(people: People, fact: PeopleFact) -> str:
    """Say how the end of a proposal does not follow from the people before it; empty where it does."""
    try:
        match fact:
            case MeasureWithdrawn(proposal=key, by=by):
                check_withdrawal(people, key, by)
            case MeasureDeclined(proposal=key, by=by, words=words):
                check_decline(people, key, by, words)
    except Refused as refused:
        return str(refused)
    return ""


def _proposal(people: People, key: str) -> MeasureProposed:
    proposal = people.proposals.get(key)
    if proposal is None:
        raise Refused(Code.UNKNOWN_PROPOSAL, "No proposal of that number waits for a signature.")
    return proposal


def signed(proposal: MeasureProposed, person: Person, people: People, now: int) -> Measure:
    """Add the second signature to a proposal, and return what is now asked of the house; raises Refused."""
    check_two_people(people, proposal.by, person.name, now)
    measure = proposal.measure
    match measure:
        case HandOverTable(to=to):
            if to == person.name:
                raise Refused(Code.TWO_PEOPLE, "The person who takes a table over does not sign its hand-over.")
            check_two_people(people, to, person.name, now)
            return replace(measure, second=person.name)
        case AtTable(command=CorrectCards() as correction):
            role = max(correction.by, person.post.role or Role.DEALER)
            return replace(measure, command=replace(correction, by=role, second=person.name))
        case AtTable():
            raise Refused(Code.NOT_A_MEASURE, "This command does not take two people.")
        case _:
            return replace(measure, second=person.name)
