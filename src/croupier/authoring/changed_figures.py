"""What a new version changes in the exact figures of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from croupier.lab.analysis import analyze
from croupier.lab.model.game import Unsolvable
from croupier.rulebooks.terms import table_terms


def changed_figures(before: str, after: str) -> Iterator[tuple[str, str, str]]:
    """Yield each exact figure that differs between two editions: its name and both values. Raises Unsolvable."""
    one, two = _figures(before), _figures(after)
    for name in dict.fromkeys((*one, *two)):
        if one.get(name) != two.get(name):
            yield name, one.get(name, "none"), two.get(name, "none")


def why_unsolved(name: str) -> str:
    """Say why the lab cannot solve an edition; empty where it can."""
    try:
        _figures(name)
    except Unsolvable as wrong:
        return str(wrong)
    return ""


def _figures(name: str) -> Mapping[str, str]:
    found = analyze(table_terms(name))
    figures = {
        "house edge per Ante": f"{100 * found.solved.house_edge:.4f}%",
        "element of risk": f"{100 * found.solved.element_of_risk:.4f}%",
        "standard deviation": f"{found.solved.standard_deviation:.4f}",
        **{f"rounds with {bet}": f"{100 * float(share):.4f}%" for bet, share in found.solved.decisions.items()},
        **{f"return of {side}": f"{100 * float(each.ev):.4f}%" for side, each in found.sides.items()},
    }
    if found.jackpot is not None:
        figures["fixed awards of the jackpot bet"] = f"{100 * float(found.jackpot.fixed_return):.4f}%"
    return figures
