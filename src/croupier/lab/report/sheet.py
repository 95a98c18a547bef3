"""The contents of a PAR sheet: a game solved, its strategy, its exploits, and a second check of every figure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec

from croupier import __version__
from croupier.lab.analysis import Analysis, Json, analyze
from croupier.lab.kernels.runtime.precompile import compile_ahead
from croupier.lab.kernels.runtime.signatures import Purpose
from croupier.lab.model.game import Structure, game, refuse_unsimulated
from croupier.lab.play.exploits import Exploit, exploit_json, exploits
from croupier.lab.play.strategy import Strategy, strategy, strategy_json
from croupier.lab.progress import Progress, no_progress, sub_progress
from croupier.lab.report.page import html
from croupier.lab.verify.check import Checks
from croupier.lab.verify.sheet_checks import check_all
from croupier.money import Money
from croupier.rulebooks.catalogue.fingerprint import rulebook_hash
from croupier.rulebooks.terms import Terms
from croupier.rulebooks.vocabulary import Rulebook

SAMPLED = 40_000
"""Rounds of the second check that are settled bet by bet."""


_SECONDS = 15.0
"""Seconds of a sheet with its kernels compiled, where they were measured."""
_NEEDS = {
    Structure.STREETS: (Purpose.COUNT_STREETS, Purpose.SHEET, Purpose.SHEET_STREETS),
    Structure.FLOP_FIRST: (Purpose.COUNT_FLOP_FIRST, Purpose.SHEET, Purpose.SHEET_FLOP_FIRST),
    Structure.THREE_CARDS: (Purpose.SHEET_THREE_CARDS,),
}


class Sheet(msgspec.Struct, frozen=True):
    """The contents of a report."""

    analysis: Analysis
    strategy: Strategy
    exploits: tuple[Exploit, ...]
    checks: Checks
    changes: tuple[str, ...]

    @property
    def book(self) -> Rulebook:
        return self.analysis.game.terms.book

    @property
    def rulebook_hash(self) -> str:
        return rulebook_hash(self.book)

    def json(self) -> Json:
        document = self.book.document
        found = self.analysis.json()
        found["results"] = [
            {"net": str(net), "probability": str(chance)} for net, chance in self.analysis.solved.results.items()
        ]
        found["strategy"] = strategy_json(self.strategy)
        found["exploits"] = [exploit_json(each) for each in self.exploits]
        found["checks"] = [{"of": place, **msgspec.to_builtins(each)} for place, each in self.checks.items()]
        found["changes"] = list(self.changes)
        found["rulebook"] = {
            "document": document.id,
            "edition": document.edition,
            "title": document.title,
            "operator": document.operator,
            "version": document.version,
            "effective": None if document.effective is None else document.effective.isoformat(),
            "sha256": rulebook_hash(self.book),
            "readings": dict(self.book.readings.in_force),
        }
        found["croupier"] = __version__
        return found


def make_sheet(
    terms: Terms,
    *,
    changes: Sequence[str] = (),
    meter: Money | None = None,
    rounds: int = 2_000_000,
    sampled: int = SAMPLED,
    progress: Progress = no_progress,
) -> Sheet:
    """Solve, find the strategy and the exploits, and check every figure a second time."""
    known = game(terms)
    refuse_unsimulated(known)
    progress = compile_ahead(_NEEDS[known.structure], _SECONDS, progress)
    found = analyze(terms, meter=meter, progress=sub_progress(progress, 0.0, 0.05))
    progress("strategy", 0.05)
    play = strategy(found.game, found.solved)
    progress("what rules give away", 0.21)
    given = exploits(found.solved, meter)
    checks = check_all(
        found,
        play,
        given,
        rounds=rounds,
        sampled=sampled,
        progress=sub_progress(progress, 0.25, 1.0),
    )
    return Sheet(found, play, given, checks, tuple(changes))


def write_sheet(sheet: Sheet, page: Path) -> Path:
    """Write the page, and its figures as JSON beside it; return the path of the JSON."""
    figures = page.with_suffix(".json")
    page.write_text(html(sheet), encoding="utf-8")
    figures.write_text(json.dumps(sheet.json(), indent=2) + "\n", encoding="utf-8")
    return figures
