"""A new rulebook folder that starts from an installed edition: it says what changes, and nothing else."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

from croupier.rulebooks.catalogue.books import declare
from croupier.rulebooks.documents.editions import DOCUMENT, MODULE, SCRIPTS, BadRulebook, Edition, edition, edition_name
from croupier.rulebooks.vocabulary import ANTE_BET

_WIDTH = 116


def new_rulebook(base: str, version: int, folder: Path) -> tuple[Path, ...]:
    """Write a folder for the next version of an edition; return its files. Raises BadRulebook, UnknownGame."""
    before = edition(base)
    if version <= before.version:
        raise BadRulebook(f"{before.name} is not older than version {version}: give a higher one.")
    if folder.exists() and any(folder.iterdir()):
        raise BadRulebook(f"{folder}: the folder is not empty.")
    (folder / SCRIPTS).mkdir(parents=True)
    written = (
        (folder / DOCUMENT, _document(before, version)),
        (folder / MODULE, _module(before, version)),
        (folder / SCRIPTS / "first-round.json", _script(before, version)),
    )
    for file, text in written:
        file.write_text(text, encoding="utf-8")
    return tuple(file for file, _ in written)


def _document(before: Edition, version: int) -> str:
    book = declare(before.name)
    # A name and its answer stay on one line, so they are joined by a space only after the lines are broken.
    answers = (f'"{name}_{answer}"' for name, answer in book.readings.in_force.items())
    lines = textwrap.wrap(", ".join(answers), _WIDTH, break_on_hyphens=False)
    carried = "\n".join(f"    {line.replace('_', ' ')}" for line in lines)
    return f'''# The text of version {version}: what differs from version {before.version}.
[document]
game = "{before.game}"
version = {version}
title = {json.dumps(book.document.title, ensure_ascii=False)}
operator = {json.dumps(book.document.operator, ensure_ascii=False)}
based_on = "{before.name}"
# effective = 2030-01-31                 the day from which it is approved
# removed = ["5.6"]                      paragraphs that it no longer has
# Readings that still hold, each with the answer in force. Leave out what this version settles itself.
carried = [
{carried},
]

[paragraphs]                             # changed and new ones, in your own words
# "5.17" = {{ kind = "irregularity", by = "engine", text = "A card that falls on the floor voids the round." }}
'''


def _module(before: Edition, version: int) -> str:
    name, title = edition_name(before.game, version), declare(before.name).document.title
    return f'''"""{title}, version {version}: what differs from version {before.version}."""

from croupier.rulebooks.author import Readings, Rulebook, document, earlier, replace

DOC = document("{name}")
p, r = DOC.para, DOC.reading


def rulebook(readings: Readings) -> Rulebook:
    """Return the document as these readings have it."""
    before = earlier("{before.name}", readings)
    # A pay table, by its row:  before = with_pay_tables(before, {{"bonus": {{"low_pair": "2 to 1"}}}})
    # A new incident, under conditions:
    #   fell = DeclaredIncident("card_fell", "A card fell on the floor", ("boxes",), moments=(Moment.WITH_CARDS,))
    #   rules = Irregularity((p("5.17"),), fell.name, VoidRound(), (When.NO_PLAYER_HAS_SEEN,))
    #   return replace(before, document=DOC, incidents=(fell,), irregularities=(*before.irregularities, rules))
    return replace(before, document=DOC)
'''


def _script(before: Edition, version: int) -> str:
    """Return a script that every game accepts: a bet placed and taken back."""
    book = declare(before.name)
    least = {name: limits.minimum for name, limits in book.limits}[ANTE_BET]
    ante = f"{least // 100}.{least % 100:02}"
    content = {
        "claim": f"{book.game} version {version}: replace this by a round that shows what is new.",
        "script": {
            "tables": {"T1": {"game": edition_name(book.game, version)}},
            "steps": [
                {"do": "open"},
                {"do": "bet", "player": "ana", "box": 1, "bet": ANTE_BET, "amount": ante},
                {"do": "withdraw", "player": "ana", "box": 1, "bet": ANTE_BET},
            ],
        },
        "expect": {"rounds": [{"status": "open"}], "refusals": []},
    }
    return json.dumps(content, indent=1) + "\n"
