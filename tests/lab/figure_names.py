"""Where in a sheet's JSON a figure stands, and under which name its second check is kept."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.lab.analysis import Json, JsonValue


def figures(sheet: Json) -> Iterator[tuple[str, str]]:
    """Every figure of a sheet: its path in the JSON, and the place of its check."""
    yield from _base(_table(sheet["base"]))
    for name, side in _table(sheet["side_bets"]).items():
        whole = _table(side)
        for figure in ("ev", "hit_rate", "standard_deviation"):
            yield f"side_bets.{name}.{figure}", f"side.{name}.{figure}"
        for row in _rows(whole["rows"]):
            for figure in ("probability", "return"):
                yield f"side_bets.{name}.rows.{row['row']}.{figure}", f"side.{name}.{row['row']}"
    if "jackpot" in sheet:
        yield from _jackpot(_table(sheet["jackpot"]))
    for row in _rows(sheet["results"]):
        yield f"results.{row['net']}", f"result.{row['net']}"
    yield from _strategy(_table(sheet["strategy"]))
    for row in _rows(sheet["exploits"]):
        for figure in ("value", "ev"):
            if row[figure] is not None:
                yield f"exploits.{row['name']}.{figure}", f"exploit.{row['name']}"


def _base(base: Json) -> Iterator[tuple[str, str]]:
    for figure in ("ev", "house_edge", "average_wager", "element_of_risk", "standard_deviation"):
        yield f"base.{figure}", f"base.{figure}"
    for name in _table(base["decisions"]):
        yield f"base.decisions.{name}", f"base.{name}"
    for row in _rows(base["indifferent"]):
        for figure in ("positions", "probability"):
            yield f"base.indifferent.{row['decision']}.{figure}", f"even.{row['decision']}"
    for name, bet in _table(base["bets"]).items():
        for figure in ("placed", "hit_rate", "ev"):
            yield f"base.bets.{name}.{figure}", f"bet.{name}.{figure}"
        for row in _rows(_table(bet)["rows"]):
            yield f"base.bets.{name}.rows.{row['row']}", f"bet.{name}.{row['row']}"


def _jackpot(jackpot: Json) -> Iterator[tuple[str, str]]:
    for row in _rows(jackpot["awards"]):
        yield f"jackpot.awards.{row['hand']}.probability", f"jackpot_paid.{row['hand']}"
        yield f"jackpot.awards.{row['hand']}.made", f"jackpot.{row['hand']}"
    for figure, place in (
        ("fixed_return", "jackpot_fixed"),
        ("meter_share", "jackpot_share"),
        ("break_even_meter", "jackpot_even"),
        ("round_break_even_meter", "jackpot_round"),
        ("return_at_meter", "jackpot_at"),
    ):
        if jackpot.get(figure) is not None:
            yield f"jackpot.{figure}", place


def _strategy(strategy: Json) -> Iterator[tuple[str, str]]:
    yield "strategy.ev", "base.ev"
    yield "strategy.cost", "thumb"
    for name in _table(strategy["mistakes"]):
        yield f"strategy.mistakes.{name}", f"thumb.{name}"
    for row in _rows(strategy["edges"]):
        yield f"strategy.edges.{row['hand']}", f"edge.{row['hand']}"
    chart = strategy["chart"]
    assert isinstance(chart, list)
    for line in chart:
        for cell in _rows(line):
            for figure in ("played", "value", "margin"):
                yield f"strategy.chart.{cell['hand']}.{figure}", f"chart.{cell['hand']}"


def _table(value: JsonValue) -> Json:
    assert isinstance(value, dict)
    return value


def _rows(value: JsonValue) -> Iterator[Json]:
    assert isinstance(value, list)
    for row in value:
        yield _table(row)
