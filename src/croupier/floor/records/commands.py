"""What may be asked of a house, and what it answers. Every request carries an id: sent twice, it acts once."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

import msgspec

from croupier.academy.questions import Answer as DrillAnswer
from croupier.academy.questions import Topic
from croupier.floor.duties.bounds import Consent, Duties
from croupier.floor.duties.permissions import Action, Post
from croupier.jackpots.commands import AdjustMeter, ChangeParameters, LinkCommand
from croupier.jackpots.parameters import Parameters
from croupier.money import Money
from croupier.rounds.commands import Confirming, PlayerName, ReportIncident, RoundCommand
from croupier.rulebooks.vocabulary import BoxNo


class TableConfig(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The terms of a table, as people write them."""

    game: str
    dealing: str | None = None
    boxes: int | None = None
    limits: Mapping[str, tuple[Money, Money]] = {}
    jackpot_bet: Money | None = None
    pay_tables: Mapping[str, Mapping[str, str]] = {}
    rulings: Mapping[str, str] = {}
    link: str | None = None
    currency: str | None = None
    physical: bool = False
    """Real cards: the dealer enters the cards that they turn. Otherwise the program shuffles and deals."""
    staffed: bool = False
    """A dealer runs it. Otherwise it runs by itself, with the server's clock for betting and deciding."""
    betting_seconds: int = 25
    deciding_seconds: int = 25
    pause_seconds: int = 8
    confirms: Confirming = Confirming.NO
    """How the dealer's acts at the settlement are confirmed before the next Round; only with real cards."""
    box_limits: Mapping[str, Money] = {}
    """By the number of a box that the pit has limited: the most that may lie there as Ante."""
    pit: str = "main"
    """The part of the floor in which it stands; staff are assigned to pits and tables."""


class Asked(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """Something asked of the house."""


class AboutPeople(Asked, frozen=True):
    """A command that touches only the stream of the people."""


class OpenLink(Asked, frozen=True):
    """A jackpot link starts with this meter; the House pays the seed."""

    link: str
    meter: Money
    parameters: Parameters
    by: str = ""
    """Of two people; empty where the operator's settings open it."""
    second: str = ""


class OpenTable(Asked, frozen=True):
    """A table of a game opens."""

    table: str
    config: TableConfig
    by: str = ""
    """Empty where the operator's settings open it."""
    second: str = ""
    """Another person, where its limits take two."""


class ChangeTerms(Asked, frozen=True):
    """From its next Round on a table plays with other limits, another jackpot Bet or other lines on its stakeboard."""

    table: str
    by: str
    limits: Mapping[str, tuple[Money, Money]] = {}
    """Of the Bets named; the others keep theirs."""
    jackpot_bet: Money | None = None
    pay_tables: Mapping[str, Mapping[str, str]] = {}
    """Of the Bets named; the others keep theirs."""
    confirms: Confirming | None = None
    box_limits: Mapping[str, Money] = {}
    """Of the boxes named, the most that may lie there as Ante; 0 for no limit but the table's."""
    second: str = ""
    """Another person, where its limits take two."""


class ScheduleEdition(Asked, frozen=True):
    """From a moment on a table begins its Rounds by another version of its rule document."""

    table: str
    edition: str
    """As in `mbs-megalink-holdem@10`."""
    at: int
    """Microseconds since 1970, UTC."""
    by: str
    second: str = ""


class CancelEdition(Asked, frozen=True):
    """The version that waits for its moment at a table is not put in force."""

    table: str
    edition: str
    by: str


class CloseTable(Asked, frozen=True):
    """No further Round begins at a table until it is opened again; one in play is played to its end."""

    table: str
    by: str


class ReopenTable(Asked, frozen=True):
    """Rounds begin at a table again."""

    table: str
    by: str


class ArchiveTable(Asked, frozen=True):
    """A table's records up to this one leave the database; they are in a file, which was read again and checked."""

    table: str
    by: str
    before: str
    """The day (UTC) before which its rounds began."""
    seq: int
    hash: str
    """Of the last record that leaves, in hexadecimal."""
    file: str
    sha256: str
    """Of the file."""


class Paid(msgspec.Struct, frozen=True, kw_only=True):
    """Money for chips, or chips for money: as it is asked, and as it went over the counter."""

    player: PlayerName
    amount: Money
    by: str = ""
    """The person of the house; empty in records of earlier releases, and where it gives demonstration chips itself."""
    second: str = ""
    """Another person, where the amount takes two."""
    consent: Consent | None = None
    asked: str = ""
    """The number under which the player was asked, where consent is given."""
    table: str = ""
    """Where a dealer took the money or gave the chips out; empty at the cage."""
    box: BoxNo = 0
    """Where the player sits, as the dealer said; 0 at the cage, and in records of earlier releases."""


class BuyIn(Paid, Asked, frozen=True):
    """A player gives the cage, or a dealer at a table, money for chips."""


class CashOut(Paid, Asked, frozen=True):
    """A player gives the cage chips for money, or takes their chips away from a table."""


class ChangeColour(Asked, frozen=True):
    """A dealer changes chips of a player into chips of another value; what the player holds stays the same."""

    player: PlayerName
    amount: Money
    chip: Money
    """The value of each chip that the player gets."""
    table: str
    by: str


class AtTable(Asked, frozen=True):
    """A command at a table; the Dealer's own work follows by itself."""

    table: str
    command: RoundCommand
    round: int | None = None
    """The number of the Round that it is meant for, as its sender saw the table; at another one it is refused."""
    decided: int | None = None
    """Of a decision: how many its box had made before."""


class OnLink(Asked, frozen=True):
    """A fault of the whole link, reported at every table of it."""

    link: str
    report: ReportIncident


class CollectAwards(Asked, frozen=True):
    """Faults of a link that other servers have reported are met at the tables of this one. A server asks it of itself
    when nobody asks anything.
    """

    link: str


class TakeTable(Asked, frozen=True):
    """A table whose server is gone is run by this one from now on."""

    table: str


class EnrolPerson(Asked, frozen=True):
    """A person may log in from now on."""

    name: str
    """The id by which every record knows the person, where a commitment stands here; otherwise name and id in one."""
    post: Post
    secret: str
    by: str = ""
    second: str = ""
    """The second person, for everybody but players."""
    commitment: str = ""
    """HMAC-SHA-256 of the name under a salt; name and salt are in the directory."""


class HandOverTable(AboutPeople, frozen=True):
    """A dealer leaves a table to another: the chips in the tray are counted, and a person of the pit signs."""

    table: str
    count: Money
    """Chips in the tray."""
    to: str
    """The dealer who takes over."""
    by: str
    second: str = ""


class ConfirmAwardPaid(AboutPeople, frozen=True):
    """A dealer says that an award which is signed for has been paid out to its player."""

    table: str
    award: int
    """The number of its case on the link."""
    round: int
    box: BoxNo
    amount: Money
    by: str
    from_tray: bool = False
    """Chips of the table's own tray were given; else the cage paid, or the pit brought the chips."""


class ConfirmRuling(AboutPeople, frozen=True):
    """A dealer says that a ruling is carried out at the table."""

    table: str
    ruling: int
    """The number of its event at the table."""
    by: str


class CountTray(AboutPeople, frozen=True):
    """A dealer has counted the chips in the tray at the beginning of a shift."""

    table: str
    count: Money
    by: str


Payment: TypeAlias = BuyIn | CashOut
Measure: TypeAlias = (
    AdjustMeter
    | ChangeParameters
    | AtTable
    | OpenLink
    | OpenTable
    | ChangeTerms
    | ScheduleEdition
    | EnrolPerson
    | BuyIn
    | CashOut
    | HandOverTable
)
"""What takes two people and is not done at once: the first signs for it, and it waits for the second."""


class ProposeMeasure(AboutPeople, frozen=True):
    """The first of two people signs for a measure."""

    proposal: str
    by: str
    words: str
    """A description for the second person."""
    second: Action
    """What the second person must be allowed to do."""
    measure: Measure
    """With the place of the second person empty."""


class SettleMeasure(AboutPeople, frozen=True):
    """The second person has signed for a measure, and the house has answered it: it waits no longer."""

    proposal: str
    by: str


class WithdrawMeasure(AboutPeople, frozen=True):
    """The person who proposed a measure takes the proposal back."""

    proposal: str
    by: str


class DeclineMeasure(AboutPeople, frozen=True):
    """A person who could have signed for a measure says why it is not to be done."""

    proposal: str
    by: str
    words: str


class AskConsent(AboutPeople, frozen=True):
    """The cage asks a player, in the player's own session, whether a payment is right."""

    consent: str
    payment: Payment


class SettleConsent(AboutPeople, frozen=True):
    """The player has confirmed a payment, and it is done, or has declined it."""

    consent: str
    by: str
    given: bool


class SetDuties(AboutPeople, frozen=True):
    """The operator's settings of what takes two people are in force from now on."""

    duties: Duties
    by: str


class AssignPerson(AboutPeople, frozen=True):
    """A person works in these pits and at these tables alone; where none are named, everywhere."""

    name: str
    by: str
    pits: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()


class FoundHouse(AboutPeople, frozen=True):
    """A house begins: as a demonstration, with people whose password is public, or not."""

    demonstration: bool


class ChangeSecret(AboutPeople, frozen=True):
    """A person has another password from now on; all sessions opened with the old one end."""

    name: str
    secret: str
    by: str
    once: bool = False
    """It has to be changed at the next log-in."""
    keeps: str = ""
    """The session of the person who changes their own password: it goes on."""


class ResealSecret(AboutPeople, frozen=True):
    """The same password is kept at a higher cost from now on."""

    name: str
    before: str
    """Hash of the secret that fitted: where it was changed meanwhile, this is refused."""
    secret: str


class EnrolFactor(AboutPeople, frozen=True):
    """A person proves themself with a second factor from now on."""

    name: str
    sealed: str
    """The secret, sealed with the server's key."""
    recovery: tuple[str, ...]
    """Hashes of the recovery codes."""
    step: int
    """The time step of the code that proved the device."""


class RemoveFactor(AboutPeople, frozen=True):
    """A person has no second factor any more."""

    name: str
    by: str


class MarkBreakGlass(AboutPeople, frozen=True):
    """An account is for emergencies from now on, or no longer."""

    name: str
    marked: bool
    by: str


class UseSession(AboutPeople, frozen=True):
    """A session is in use: noted now and then."""

    token_hash: str


class LockSession(AboutPeople, frozen=True):
    """A session was left unused for too long."""

    token_hash: str


class UnlockSession(AboutPeople, frozen=True):
    """The person of a locked session has given the password again."""

    token_hash: str


class RemovePerson(Asked, frozen=True):
    """A person may no longer log in."""

    name: str
    by: str = ""


class ErasePerson(Asked, frozen=True):
    """The name of a person who was removed leaves the directory for good."""

    name: str
    by: str


class OpenSession(AboutPeople, frozen=True):
    """A person has logged in."""

    person: str
    token_hash: str
    csrf: str
    came_from: str = ""
    """Only in commands of earlier releases, as the browser: it is personal, and goes beside the command."""
    browser: str = ""
    step: int = 0
    """The time step of the code that was given; 0 without one."""
    recovery: str = ""
    """Hash of the recovery code that was given."""


class CloseSession(AboutPeople, frozen=True):
    """A session is over."""

    token_hash: str
    by: str = ""


class NoteRefusal(AboutPeople, frozen=True):
    """A person asked for what their post may not do: it goes on record."""

    person: str
    action: str
    what: str


class NoteClockStep(AboutPeople, frozen=True):
    """The clock of a server's machine was set: it goes on the record."""

    server: str
    by: int
    followed: bool = False


class CountRefusals(AboutPeople, frozen=True):
    """The number of refusals of a person that were not kept. Servers send it themselves."""

    person: str
    """Empty of strangers."""
    action: str
    count: int
    since: int
    until: int
    """Microseconds since 1970, UTC."""


class DisputeOutcome(StrEnum):
    """How a dispute was decided."""

    UPHELD = "upheld"
    """The player was right."""
    DISMISSED = "dismissed"
    AGREED = "agreed"
    """House and player came to an agreement."""


class OpenDispute(AboutPeople, frozen=True):
    """A player disputes a Round that is over, or staff or a regulator does."""

    dispute: str
    """Its number, which the server draws."""
    table: str
    round: int
    by: str
    words: str
    until: int
    """When it has to be decided (microseconds since 1970, UTC)."""
    player: str = ""
    """The player who disputes it; empty where nobody in particular does."""


class NoteDispute(AboutPeople, frozen=True):
    """A person who handles a dispute writes a note into its case."""

    dispute: str
    by: str
    words: str


class DecideDispute(AboutPeople, frozen=True):
    """A dispute is decided, with the reason."""

    dispute: str
    by: str
    outcome: DisputeOutcome
    words: str


class CloseDispute(AboutPeople, frozen=True):
    """The case of a decided dispute is closed."""

    dispute: str
    by: str
    words: str = ""


class SetLimits(AboutPeople, frozen=True):
    """A player sets limits for their own play; 0 for none."""

    person: str
    loss: Money = 0
    minutes: int = 0
    check: int = 0
    """Minutes between two reality checks."""


class AcknowledgeCheck(AboutPeople, frozen=True):
    """A player has seen how long they have played, and what they have won or lost."""

    person: str


class TakeDemoChips(AboutPeople, frozen=True):
    """A player of a demonstration house takes more demonstration chips."""

    person: str


class AskDrill(AboutPeople, frozen=True):
    """A learner gets a question of the academy; the one before it, if it was not answered, is dropped."""

    drill: str
    """Its number, which the server draws."""
    person: str
    edition: str
    topic: Topic
    seed: int
    clause: str = ""
    """The clause that the question is to be about; empty for any."""
    step: int | None = None
    """Which step of the training round with this seed; None for a question by itself."""
    maker: int = 0
    """The generation of drills that made it."""


class AnswerDrill(AboutPeople, frozen=True):
    """A learner answers a question; the server has graded it from the rulebook, and the audit grades it again."""

    drill: str
    person: str
    answer: DrillAnswer
    right: bool
    clauses: tuple[str, ...]


class SetExam(AboutPeople, frozen=True):
    """An examiner sets an exam; each sitting of it has a paper of its own."""

    exam: str
    """Its number, which the server draws."""
    by: str
    title: str
    editions: tuple[str, ...]
    topics: tuple[Topic, ...]
    clauses: tuple[str, ...] = ()
    count: int = 20
    minutes: int = 20
    pass_mark: int = 80


class WithdrawExam(AboutPeople, frozen=True):
    """No further sitting of an exam begins; those that have begun go on."""

    exam: str
    by: str


class BeginSitting(AboutPeople, frozen=True):
    """A learner begins an exam; the time runs from now on."""

    sitting: str
    exam: str
    person: str
    seed: int
    maker: int = 0
    """The generation of drills that makes its questions."""


class AnswerSitting(AboutPeople, frozen=True):
    """A learner answers the next question of a sitting."""

    sitting: str
    person: str
    number: int
    """Of the question, from 0."""
    answer: DrillAnswer
    right: bool


class EndSitting(AboutPeople, frozen=True):
    """A sitting is over, by its last answer, by its learner or by its time."""

    sitting: str
    right: int
    asked: int
    points: int
    passed: bool
    weak: tuple[str, ...] = ()
    """Clauses with a wrong answer, each with its edition."""


HouseCommand: TypeAlias = (
    OpenLink
    | OpenTable
    | ChangeTerms
    | ScheduleEdition
    | CancelEdition
    | CloseTable
    | ReopenTable
    | ArchiveTable
    | BuyIn
    | CashOut
    | ChangeColour
    | AtTable
    | OnLink
    | CollectAwards
    | TakeTable
    | LinkCommand
    | FoundHouse
    | EnrolPerson
    | ChangeSecret
    | ResealSecret
    | EnrolFactor
    | RemoveFactor
    | MarkBreakGlass
    | UseSession
    | LockSession
    | UnlockSession
    | RemovePerson
    | ErasePerson
    | OpenSession
    | CloseSession
    | NoteRefusal
    | CountRefusals
    | ProposeMeasure
    | SettleMeasure
    | WithdrawMeasure
    | DeclineMeasure
    | NoteClockStep
    | HandOverTable
    | ConfirmAwardPaid
    | ConfirmRuling
    | CountTray
    | AskConsent
    | SettleConsent
    | SetDuties
    | AssignPerson
    | OpenDispute
    | NoteDispute
    | DecideDispute
    | CloseDispute
    | SetLimits
    | AcknowledgeCheck
    | TakeDemoChips
    | AskDrill
    | AnswerDrill
    | SetExam
    | WithdrawExam
    | BeginSitting
    | AnswerSitting
    | EndSitting
)


class Named(msgspec.Struct, frozen=True, tag=True):
    """The name of a person who is enrolled, and the salt of the commitment to it."""

    name: str
    salt: bytes


class CameFrom(msgspec.Struct, frozen=True, tag=True):
    """The address and the browser from which a session is opened."""

    address: str
    browser: str


class Request(msgspec.Struct, frozen=True):
    """A command with its id, and when it was taken (microseconds since 1970, UTC)."""

    id: str
    command: HouseCommand
    at: int
    personal: Named | CameFrom | None = None
    """What goes with the command and into no record: it is kept where it can be erased."""


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the house says, after it is durable."""

    accepted: bool
    heads: Mapping[str, int] = {}
    """Where each stream that moved now stands."""
    stood: Mapping[str, int] = {}
    """Where a stream stood that was looked at without having moved."""
    code: str = ""
    message: str = ""
    rules: tuple[str, ...] = ()
    kept: bool = True
    """Whether the answer is kept by its id. A refusal that is not, because the person had too many of them in a minute,
    is given again for a while; later the same id is judged again.
    """
