"""What happens to the people of a house: accounts, sessions, proposals, consents, refusals, disputes, exams."""

from __future__ import annotations

from typing import TypeAlias

from croupier.academy.questions import Answer as DrillAnswer
from croupier.academy.questions import Topic
from croupier.floor.duties.bounds import Duties
from croupier.floor.duties.permissions import Action, Post
from croupier.floor.records.commands import DisputeOutcome, Measure, Payment
from croupier.floor.records.facts import Fact
from croupier.floor.records.play_facts import PlayFact
from croupier.money import Money
from croupier.rulebooks.vocabulary import BoxNo

PersonName: TypeAlias = str
"""The id by which records know a person; a name where an earlier release, or the house itself, made the account."""


class HouseFounded(Fact, frozen=True):
    """What kind of house this is, for good: a demonstration, or not."""

    demonstration: bool


class PersonEnrolled(Fact, frozen=True):
    """A person may log in from now on."""

    name: PersonName
    post: Post
    secret: str
    by: PersonName = ""
    second: PersonName = ""
    """The second person, for everybody but players."""
    at: int = 0
    """When that was (microseconds since 1970, UTC); 0 in records of earlier releases."""
    commitment: str = ""
    """To the name, which is in the directory; empty where the id is the name."""


class SecretChanged(Fact, frozen=True):
    """A person has another password; the sessions of the old one are closed."""

    name: PersonName
    secret: str
    by: PersonName
    at: int = 0
    once: bool = False
    """It has to be changed at the next log-in."""
    keeps: str = ""
    """The session in which a person changed their own password: it goes on."""


class SecretResealed(Fact, frozen=True):
    """A password is kept at a higher cost from now on; it is still the same one."""

    name: PersonName
    before: str
    """Hash of the secret as it was kept before."""
    secret: str


class FactorEnrolled(Fact, frozen=True):
    """A person proves themself with a second factor from now on."""

    name: PersonName
    sealed: str
    recovery: tuple[str, ...]
    step: int
    """The time step of the code that proved the device: it is used."""


class FactorRemoved(Fact, frozen=True):
    """A person has no second factor any more."""

    name: PersonName
    by: PersonName


class BreakGlassMarked(Fact, frozen=True):
    """An account is for emergencies from now on, or no longer."""

    name: PersonName
    marked: bool
    by: PersonName


class PersonAssigned(Fact, frozen=True):
    """A person works in these pits and at these tables alone; where none are named, everywhere."""

    name: PersonName
    by: PersonName
    pits: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()


class PersonRemoved(Fact, frozen=True):
    """A person may no longer log in; their sessions are closed."""

    name: PersonName
    by: PersonName = ""
    at: int = 0


class PersonErased(Fact, frozen=True):
    """The name of a person who was removed has left the directory; the records keep the id."""

    name: PersonName
    by: PersonName
    at: int


class SessionOpened(Fact, frozen=True):
    """A person has logged in."""

    token_hash: str
    person: PersonName
    csrf: str
    at: int = 0
    came_from: str = ""
    """Only in records of earlier releases, as the browser."""
    browser: str = ""
    step: int = 0
    """The time step of the code that was used; 0 without one."""
    recovery: str = ""
    """Hash of the recovery code that was used."""
    break_glass: bool = False
    """It is an emergency: the alarm is raised, and the password is used up."""


class SessionUsed(Fact, frozen=True):
    """A session is in use; noted now and then, so that every server of a house knows."""

    token_hash: str
    at: int


class SessionLocked(Fact, frozen=True):
    """A session was left unused for too long."""

    token_hash: str


class SessionUnlocked(Fact, frozen=True):
    """The person has given the password again."""

    token_hash: str
    at: int


class SessionClosed(Fact, frozen=True):
    """A session is over, by its owner or by revocation."""

    token_hash: str
    by: PersonName = ""


class AccessRefused(Fact, frozen=True):
    """A person asked for what their post may not do."""

    person: PersonName
    action: str
    what: str


class RefusalsCounted(Fact, frozen=True):
    """The number of refusals of a person that were not kept."""

    person: PersonName
    """Empty of strangers."""
    action: str
    """What AccessRefused calls it; `command` of commands that the rules refused."""
    count: int
    since: int
    until: int


class MeasureProposed(Fact, frozen=True):
    """The first of two people has signed for a measure."""

    proposal: str
    by: PersonName
    words: str
    second: Action
    measure: Measure
    until: int
    """How long it waits for its second signature (microseconds since 1970, UTC)."""


class MeasureSettled(Fact, frozen=True):
    """The second person has signed; the result is on record in the stream that the measure concerns."""

    proposal: str
    by: PersonName


class MeasureWithdrawn(Fact, frozen=True):
    """The person who proposed a measure has taken the proposal back."""

    proposal: str
    by: PersonName


class MeasureDeclined(Fact, frozen=True):
    """A person who could have signed for a measure has said why it is not done."""

    proposal: str
    by: PersonName
    words: str


class ClockStepped(Fact, frozen=True):
    """The clock of a server's machine was set; the house's own time runs on evenly and approaches it."""

    server: str
    by: int
    """Microseconds; below zero where it was set back."""
    followed: bool = False
    """The step was too great to approach: the house's time made it too."""


class TableHandedOver(Fact, frozen=True):
    """A dealer has left a table to another, with the count of the tray; a person of the pit has signed."""

    table: str
    count: Money
    to: PersonName
    by: PersonName
    second: PersonName
    at: int = 0
    """When that was (microseconds since 1970, UTC); 0 in records of earlier releases, after which both may deal."""


class AwardPaidOut(Fact, frozen=True):
    """A dealer has said that an award which was signed for is paid out to its player."""

    table: str
    award: int
    round: int
    box: BoxNo
    amount: Money
    by: PersonName
    at: int
    """When that was said (microseconds since 1970, UTC)."""
    from_tray: bool = False
    """Chips of the table's own tray were given; else the cage paid, or the pit brought the chips."""


class RulingCarriedOut(Fact, frozen=True):
    """A dealer has said that a ruling is carried out at the table."""

    table: str
    ruling: int
    """The number of its event at the table."""
    by: PersonName
    at: int
    """When that was said (microseconds since 1970, UTC)."""


class TrayCounted(Fact, frozen=True):
    """A dealer has counted the chips in the tray at the beginning of a shift."""

    table: str
    count: Money
    by: PersonName
    at: int
    """When that was (microseconds since 1970, UTC)."""


CredentialFact: TypeAlias = (
    SecretResealed | FactorEnrolled | FactorRemoved | BreakGlassMarked | SessionUsed | SessionLocked | SessionUnlocked
)


class DutiesSet(Fact, frozen=True):
    """These bounds of what one person may do alone are in force."""

    duties: Duties
    by: PersonName


class ConsentAsked(Fact, frozen=True):
    """The cage has asked a player whether a payment is right."""

    consent: str
    payment: Payment
    until: int
    """How long it waits for the player's word (microseconds since 1970, UTC)."""


class ConsentSettled(Fact, frozen=True):
    """The player has confirmed a payment, which stands in the cashier's stream, or has declined it."""

    consent: str
    by: PersonName
    given: bool


class DisputeOpened(Fact, frozen=True):
    """A Round that is over is disputed."""

    dispute: str
    table: str
    round: int
    by: PersonName
    words: str
    until: int
    at: int
    player: PersonName = ""


class DisputeNoted(Fact, frozen=True):
    """The case of a dispute has one more note."""

    dispute: str
    by: PersonName
    words: str
    at: int


class DisputeDecided(Fact, frozen=True):
    """A dispute is decided."""

    dispute: str
    by: PersonName
    outcome: DisputeOutcome
    words: str
    at: int


class DisputeClosed(Fact, frozen=True):
    """The case of a dispute is closed."""

    dispute: str
    by: PersonName
    at: int
    words: str = ""


DisputeFact: TypeAlias = DisputeOpened | DisputeNoted | DisputeDecided | DisputeClosed


class DrillAsked(Fact, frozen=True):
    """A learner was asked a question of the academy."""

    drill: str
    person: PersonName
    edition: str
    topic: Topic
    seed: int
    clause: str = ""
    step: int | None = None
    """Which step of the training round with this seed; None for a question by itself."""
    maker: int = 0
    """The generation of drills that made it; 0 in records of earlier releases."""


class DrillAnswered(Fact, frozen=True):
    """A learner has answered a question."""

    drill: str
    person: PersonName
    answer: DrillAnswer
    right: bool
    clauses: tuple[str, ...]
    at: int


class ExamSet(Fact, frozen=True):
    """An exam may be sat from now on."""

    exam: str
    by: PersonName
    title: str
    editions: tuple[str, ...]
    topics: tuple[Topic, ...]
    clauses: tuple[str, ...]
    count: int
    minutes: int
    pass_mark: int
    at: int


class ExamWithdrawn(Fact, frozen=True):
    """No further sitting of an exam begins."""

    exam: str
    by: PersonName


class SittingBegun(Fact, frozen=True):
    """A learner has begun an exam."""

    sitting: str
    exam: str
    person: PersonName
    seed: int
    at: int
    maker: int = 0
    """The generation of drills that makes its questions; 0 in records of earlier releases."""


class SittingAnswered(Fact, frozen=True):
    """A learner has answered a question of a sitting."""

    sitting: str
    person: PersonName
    number: int
    answer: DrillAnswer
    right: bool
    at: int


class SittingEnded(Fact, frozen=True):
    """A sitting is over and graded."""

    sitting: str
    right: int
    asked: int
    points: int
    passed: bool
    weak: tuple[str, ...]
    at: int


AcademyFact: TypeAlias = (
    DrillAsked | DrillAnswered | ExamSet | ExamWithdrawn | SittingBegun | SittingAnswered | SittingEnded
)

PeopleFact: TypeAlias = (
    HouseFounded
    | PersonEnrolled
    | SecretChanged
    | CredentialFact
    | PersonRemoved
    | PersonErased
    | SessionOpened
    | SessionClosed
    | AccessRefused
    | RefusalsCounted
    | MeasureProposed
    | MeasureSettled
    | MeasureWithdrawn
    | MeasureDeclined
    | ClockStepped
    | TableHandedOver
    | AwardPaidOut
    | RulingCarriedOut
    | TrayCounted
    | PersonAssigned
    | DutiesSet
    | ConsentAsked
    | ConsentSettled
    | DisputeFact
    | AcademyFact
    | PlayFact
)
