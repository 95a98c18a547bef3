"""Names: every person with an id has the name that was committed to, or was erased."""

from __future__ import annotations

from croupier.floor.audit.findings import Findings
from croupier.floor.audit.folds import PeopleFold
from croupier.floor.audit.ordered_rows import row_as
from croupier.floor.people.directory import commitment, released_row, taken_row
from croupier.floor.records.commands import Named
from croupier.journal.store import NAMES, NameRow, Store


def check_names(store: Store, people: PeopleFold, findings: Findings, *, nameless: bool) -> None:
    """Compare the directory with the people on record; a backup may be `nameless`."""
    known, erased = people.commitments, set(people.people.erased)
    found = set()
    for row in store.rows(NAMES):
        name = row_as(row, NameRow)
        wrong = f"{row[0]!r} is not what a name is." if name is None else _wrong_name(people, name)
        found.add(str(row[0]))
        if wrong:
            findings.add(NAMES, 0, wrong)
    missing = sorted(known.keys() - erased - found)
    for person in () if nameless else missing:
        findings.add(NAMES, 0, f"the name of {person} is missing, and no record erases it.")


def _wrong_name(fold: PeopleFold, row: NameRow) -> str:
    """Say what is wrong with a row of the directory; empty where it is right."""
    person = row.person
    sealed = fold.commitments.get(person) or fold.proposed.get(person)
    if sealed is None:
        return f"{person} has a name, and was never enrolled under an id."
    if person in fold.people.erased:
        return f"the name of {person} was erased, and is still there: start a server, which finishes it."
    if commitment(row.name, row.salt) != sealed:
        return f"the name of {person} is not the one that was enrolled."
    removed = person in fold.commitments and person not in fold.people.persons
    expected = taken_row(person, Named(row.name, row.salt))
    if row != (released_row(expected) if removed else expected):
        return f"the forms of the name of {person} are not those of the name."
    return ""
