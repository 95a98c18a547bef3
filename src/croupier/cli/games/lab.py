"""The lab's commands: analyze, advise, strategy and report. Kernels are loaded only when one of them runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec

from croupier.cards import BadCard, parse_cards, show
from croupier.cli.terminal.game_argument import GAME_ARGUMENT
from croupier.cli.terminal.numbers import WholeNumber
from croupier.cli.terminal.output import as_json, console, print_json, table_of
from croupier.cli.terminal.progress import watched
from croupier.lab.model.game import LabError
from croupier.lab.model.variants import changed_terms
from croupier.money import BadMoney, Money, money
from croupier.rulebooks.description.phrases import words
from croupier.rulebooks.documents.document_text import BadReading
from croupier.rulebooks.documents.editions import UnknownGame
from croupier.rulebooks.terms import BadTerms, Terms

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from croupier.lab.analysis import Analysis
    from croupier.lab.bets.stakes import SideStakes
    from croupier.lab.play.exploits import Exploit
    from croupier.lab.progress import Progress

Command = TypeVar("Command", bound=Callable[..., object])
MOST_ROUNDS = 1_000_000_000
"""Rounds of a second check at most: they are shared out beforehand, and a list of more would fill the memory."""


# ---------------------------------------------------------------- what every command shares


@contextmanager
def plain_refusals() -> Iterator[None]:
    """Report what the lab refuses, or a package that it lacks, in one line."""
    try:
        yield
    except (BadCard, BadMoney, BadReading, BadTerms, LabError, UnknownGame) as wrong:
        raise click.UsageError(str(wrong)) from None
    except ModuleNotFoundError as missing:
        if missing.name not in ("numba", "numpy", "matplotlib"):
            raise
        raise click.UsageError(f"The lab needs {missing.name}: install croupier with its extra [lab].") from None


def amount(_context: click.Context, parameter: click.Parameter, value: str | None) -> Money | None:
    """Read an amount of money; whole amounts need no decimals."""
    if value is None:
        return None
    try:
        return money(f"{value}.00" if value.isdigit() else value)
    except BadMoney as wrong:
        raise click.BadParameter(str(wrong), param=parameter) from None


def _writable(_context: click.Context, parameter: click.Parameter, value: Path | None) -> Path | None:
    if value is not None and (why := _unwritable(value)):
        raise click.BadParameter(why, param=parameter)
    return value


def _unwritable(file: Path) -> str:
    folder = file.absolute().parent
    if not folder.is_dir():
        return f"there is no folder {folder} for {file.name}."
    return "" if os.access(file if file.exists() else folder, os.W_OK) else f"{file} may not be written."


def file_option(name: str, says: str) -> Callable[[Command], Command]:
    """Return an option for a file to write; one that cannot be written is refused before anything is counted."""
    return click.option(name, type=click.Path(dir_okay=False, path_type=Path), callback=_writable, help=says)


SET = click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="PATH=VALUE",
    help='Change a rule, as in --set "pay_tables.bonus.aces=25 to 1" or --set showdown.ante_pays_from=flush.',
)
METER = click.option("--meter", metavar="M", callback=amount, help="The jackpot's meter, as in 1000000.00.")
JACKPOT_BET = click.option("--jackpot-bet", metavar="A", help="The prescribed jackpot bet, as in 5.00.")


_ANTE = click.option(
    "--ante", metavar="A", callback=amount, help="The Ante that other bets lie beside; the table's minimum otherwise."
)
_PARTICIPANTS = click.option(
    "--participants", type=WholeNumber(1, 100), default=1, help="How many bets share a shared award."
)


def _stakes(_context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, Money]:
    found: dict[str, Money] = {}
    for value in values:
        name, _, text = value.partition("=")
        stake = amount(_context, parameter, text or None)
        if stake is None or not name:
            raise click.BadParameter(f"{value!r}: write BET=AMOUNT, as in bonus=10.00.", param=parameter)
        if name in found:
            raise click.BadParameter(f"{name} is given twice.", param=parameter)
        found[name] = stake
    return found


_STAKE = click.option(
    "--stake",
    "stakes",
    multiple=True,
    metavar="BET=AMOUNT",
    callback=_stakes,
    help="A side or jackpot bet to weigh in the decisions, as in bonus=10.00; may be repeated.",
)


def _beside(
    terms: Terms, stakes: dict[str, Money], ante: Money | None, meter: Money | None, participants: int = 1
) -> SideStakes | None:
    """Return the stakes beside the Ante, if there are any."""
    if not stakes:
        return None
    from croupier.lab.bets.stakes import SideStakes  # noqa: PLC0415

    return SideStakes(terms.limits["ante"].minimum if ante is None else ante, stakes, meter or 0, participants)


@contextmanager
def _watched(*, quiet: bool) -> Iterator[Progress]:
    """Show a progress bar with the time left, on a terminal."""
    with watched("", quiet=quiet, first="starting; the first run compiles") as watching:
        yield lambda doing, done: watching(done, 1.0, doing)


def _percent(value: Fraction | float, places: int = 4) -> str:
    return f"{100 * float(value):.{places}f}%"


# ---------------------------------------------------------------- analyze


@click.command()
@GAME_ARGUMENT
@as_json
@SET
@JACKPOT_BET
@METER
@_ANTE
@_STAKE
@_PARTICIPANTS
@click.option("--exploits", "with_exploits", is_flag=True, help="What a rule gives away, with its exact value.")
@click.option("--fresh", is_flag=True, help="Count every deal again.")
@plain_refusals()
def analyze(
    game: str,
    *,
    json_wanted: bool,
    changes: tuple[str, ...],
    jackpot_bet: str | None,
    meter: Money | None,
    ante: Money | None,
    stakes: dict[str, Money],
    participants: int,
    with_exploits: bool,
    fresh: bool,
) -> None:
    """Solve a game exactly: house edge, strategy, every side bet and every jackpot award.

    Counts are kept for the next run, so a changed pay table is solved at once. --fresh counts again.
    """
    terms = changed_terms(game, changes, jackpot_bet)
    from croupier.lab import analysis, cache  # noqa: PLC0415
    from croupier.lab.play.exploits import exploit_json, exploits  # noqa: PLC0415
    from croupier.lab.solve import holdem  # noqa: PLC0415

    with _watched(quiet=json_wanted) as progress:
        with cache.fresh() if fresh else nullcontext():
            found = analysis.analyze(
                terms, meter=meter, ante=ante, stakes=stakes, participants=participants, progress=progress
            )
            given = exploits(found.solved, meter) if with_exploits else ()
        holdem.count_ahead(found.game, progress)
    if json_wanted:
        whole = found.json()
        if with_exploits:
            whole["exploits"] = [exploit_json(each) for each in given]
        print_json(whole)
        return
    screen = console()
    for table in _analysis_tables(found):
        screen.print(table)
        screen.print()
    for each in found.published:
        if not each.agrees:
            screen.print(f"(!) The published {each.figure} {each.says} {each.note}; it is {each.ours}.")
    if with_exploits:
        _print_exploits(screen, given)
    screen.print(_spent(found))


def _spent(found: Analysis) -> str:
    """Say how long the answer took, and what of that was not solving."""
    if found.counted_earlier:
        return f"Solution in {found.seconds:.2f} seconds from deals counted earlier; --fresh counts them again."
    kernels = f"; kernels compiled or loaded in {found.compiling:.2f} seconds before" if found.compiling else ""
    return f"Solution in {found.seconds:.2f} seconds{kernels}."


def _analysis_tables(found: Analysis) -> Iterator[Table]:
    solved = found.solved
    said = {each.figure: each.says if each.agrees else f"{each.says} (!)" for each in found.published}
    base = table_of(f"{found.game.name}: the Ante and what follows it", "", "exact", "about", "published")

    def line(figure: str, exactly: str, about: str) -> None:
        base.add_row(figure, exactly, about, said.pop(figure, ""))

    line("won per Ante", str(solved.ev), f"{float(solved.ev):.8f}")
    line("house edge", "", _percent(solved.house_edge))
    line("average wager", str(solved.average_wager), f"{float(solved.average_wager):.4f}")
    line("element of risk", "", _percent(solved.element_of_risk))
    line("standard deviation", "", f"{solved.standard_deviation:.6f}")
    for name, chance in solved.decisions.items():
        line(f"rounds with {words(name)}", str(chance), _percent(chance))
    for even in solved.indifferent:
        if even.positions:
            line(f"{words(even.decision)}: equal choices", str(even.probability), f"{even.positions:,} positions")
    for each in found.published:
        if each.figure in said:
            line(words(each.figure), "", each.ours)
    yield base
    yield _bets_table(found)
    for name, figures in found.sides.items():
        pays = dict(figures.side.declared.table.rows)
        side = table_of(words(name).title(), "row", "pays", "probability", "return")
        for row, chance in figures.paid.items():
            side.add_row(words(row), str(pays[row]), str(chance), _percent(chance * figures.side.pays[row]))
        side.add_row("won per unit", "", str(figures.ev), _percent(figures.ev))
        side.add_row("hit rate", "", str(figures.hit_rate), _percent(figures.hit_rate))
        side.add_row("standard deviation", "", "", f"{figures.standard_deviation:.6f}")
        yield side
    if found.jackpot is not None:
        yield _jackpot_table(found)
    if found.combined is not None:
        together = table_of("All bets together", "", "")
        beside = found.combined.beside
        stakes = ", ".join(f"{words(name)} {stake / 100:,.2f}" for name, stake in beside.stakes.items())
        together.add_row(f"beside an Ante of {beside.ante / 100:,.2f}", stakes)
        together.add_row("won per Ante, all of them", f"{float(found.combined.ev):.8f}")
        together.add_row("gained by minding them", f"{float(found.combined.gain):.8f}")
        together.add_row("hands decided otherwise", _some(found.combined.changed))
        yield together


def _bets_table(found: Analysis) -> Table:
    """Return every Bet, and every row that it is paid by."""
    table = table_of("Each bet by itself", "bet", "pays", "probability", "return")
    for name, figures in found.bets.items():
        table.add_row(f"{words(name)}: placed", "", str(figures.placed), _percent(figures.placed))
        for row in figures.rows:
            share = row.probability / figures.placed * row.pays
            table.add_row(f"  {words(row.row)}", f"{row.pays} to 1", str(row.probability), _percent(share))
        table.add_row("  paid, of those placed", "", str(figures.hit_rate), _percent(figures.hit_rate))
        table.add_row("  won per unit", "", str(figures.ev), _percent(figures.ev))
    return table


def _some(names: tuple[str, ...]) -> str:
    """Return a list that stays readable."""
    more = f" and {len(names) - 12:,} more" if len(names) > 12 else ""
    return f"{', '.join(names[:12]) or 'none'}{more}"


def _meter(cents: Fraction | None) -> str:
    return "none" if cents is None else f"{float(cents / 100):,.2f}"


def _jackpot_table(found: Analysis) -> Table:
    figures = found.jackpot
    assert figures is not None
    table = table_of("Jackpot", "hand", "pays", "paid", "one in")
    chances = figures.probabilities
    for award in figures.jackpot.awards:
        chance = chances[award.hand]
        table.add_row(
            words(award.hand), str(award.pays), str(chance), f"{float(1 / chance):,.0f}" if chance else "never"
        )
    table.add_row("fixed return", "", str(figures.fixed_return), _percent(figures.fixed_return))
    table.add_row("share of the meter", "", str(figures.meter_share), f"{float(figures.meter_share):.3e}")
    table.add_row("break-even meter", "", "", _meter(figures.break_even_meter))
    table.add_row(f"with an Ante of {found.ante / 100:,.2f}", "", "", _meter(found.round_break_even))
    if figures.meter is not None:
        returned = figures.expected(figures.meter) / figures.bet
        table.add_row(f"return at {float(figures.meter / 100):,.2f}", "", "", _percent(returned))
    return table


def _print_exploits(screen: Console, given: tuple[Exploit, ...]) -> None:
    if not given:
        screen.print("We do not know a rule of this game that players can exploit.")
    else:
        screen.print("What rules give away")
    for each in given:
        unit = words(each.per)
        screen.print(f"\n{each.name}: {float(each.value):+.6f} for each unit of {unit}, exactly {each.value}")
        screen.print(f"  {each.says}")
        if each.ev is not None:
            what = "a round" if each.per.startswith("ante") else f"the {unit} bet"
            screen.print(f"  With it {what} is worth {float(each.ev):+.6f}, exactly {each.ev}.")
        screen.print(f"  By {', '.join(each.rules)}.")
    screen.print()


# ---------------------------------------------------------------- advise


@click.command()
@GAME_ARGUMENT
@click.option("--hand", required=True, metavar="CARDS", help='Your own cards, as in "As Kd".')
@click.option("--board", default="", metavar="CARDS", help='The Community Cards in sight, as in "7h 3s 9s".')
@click.option("--placed", multiple=True, metavar="BET", help="An earlier bet you have placed, such as turn.")
@_ANTE
@_STAKE
@METER
@_PARTICIPANTS
@SET
@as_json
@plain_refusals()
def advise(
    game: str,
    *,
    hand: str,
    board: str,
    placed: tuple[str, ...],
    ante: Money | None,
    stakes: dict[str, Money],
    meter: Money | None,
    participants: int,
    changes: tuple[str, ...],
    json_wanted: bool,
) -> None:
    """Show the exact value of each choice in a position, the best one, and what every mistake costs."""
    terms = changed_terms(game, changes)
    own, community = parse_cards(hand), parse_cards(board)
    from croupier.lab.model import game as games  # noqa: PLC0415
    from croupier.lab.play.advice import advise as ask  # noqa: PLC0415

    with _watched(quiet=json_wanted):
        known = games.game(terms)
        for each in known.choices:
            if each.bet in placed and each.community >= len(community):
                raise click.UsageError(
                    f'"{each.bet}" cannot lie there yet with {len(community)} Community Cards in sight.'
                )
        beside = _beside(terms, stakes, ante, meter, participants)
        found = ask(known, own, community, placed, beside=beside)
    if json_wanted:
        choices = msgspec.to_builtins(found.options, enc_hook=str)
        cards = {"hand": found.hand, "board": found.board}
        print_json({"game": game, **cards, "best": found.best, "choices": choices, "counted": found.counted})
        return
    seen = f" on {show(found.board)}" if found.board else ""
    table = table_of(f"{show(found.hand)}{seen}", "choice", "value in Antes", "costs")
    for option in found.options:
        cost = "best" if not option.cost else f"{float(option.cost):.6f}"
        table.add_row(words(option.choice), f"{float(option.value):+.6f}", cost)
    console().print(table)


# ---------------------------------------------------------------- strategy


@click.command()
@GAME_ARGUMENT
@SET
@_ANTE
@_STAKE
@METER
@_PARTICIPANTS
@file_option("--card", "Write the card to print as an HTML file.")
@as_json
@plain_refusals()
def strategy(
    game: str,
    *,
    changes: tuple[str, ...],
    ante: Money | None,
    stakes: dict[str, Money],
    meter: Money | None,
    participants: int,
    card: Path | None,
    json_wanted: bool,
) -> None:
    """Show how to play: the chart, the hands at the edge, and a few rules with what they cost."""
    terms = changed_terms(game, changes)
    from croupier.lab.model import game as games  # noqa: PLC0415
    from croupier.lab.play.strategy import strategy as find  # noqa: PLC0415
    from croupier.lab.play.strategy import strategy_json  # noqa: PLC0415
    from croupier.lab.play.strategy_card import card_html, card_text  # noqa: PLC0415

    with _watched(quiet=json_wanted):
        found = find(games.game(terms), beside=_beside(terms, stakes, ante, meter, participants))
    if card is not None:
        card.write_text(card_html(found), encoding="utf-8")
    if json_wanted:
        print_json(strategy_json(found))
    elif card is not None:
        click.echo(f"Wrote {card}.")
    else:
        click.echo(card_text(found))


# ---------------------------------------------------------------- report


@click.command()
@GAME_ARGUMENT
@SET
@JACKPOT_BET
@METER
@file_option("--output", "The HTML file; GAME-par-sheet.html otherwise. The JSON file is named after it.")
@click.option(
    "--rounds", type=WholeNumber(0, MOST_ROUNDS), default=2_000_000, help="Simulated rounds of the second check."
)
@click.option(
    "--settled", type=WholeNumber(0, MOST_ROUNDS), default=40_000, help="Rounds of it that are settled bet by bet."
)
@as_json
@plain_refusals()
def report(
    game: str,
    *,
    changes: tuple[str, ...],
    jackpot_bet: str | None,
    meter: Money | None,
    output: Path | None,
    rounds: int,
    settled: int,
    json_wanted: bool,
) -> None:
    """Write the PAR sheet of a game: one HTML file, and its figures as JSON beside it."""
    terms = changed_terms(game, changes, jackpot_bet)
    from croupier.lab.report.sheet import make_sheet, write_sheet  # noqa: PLC0415

    page = output or Path(f"{game}-par-sheet.html")
    if why := _unwritable(page):
        raise click.UsageError(f"{why[:-1]}: name another place with --output.")
    with _watched(quiet=json_wanted) as progress:
        sheet = make_sheet(terms, changes=changes, meter=meter, rounds=rounds, sampled=settled, progress=progress)
        progress("drawings", 1.0)
        figures = write_sheet(sheet, page)
    if json_wanted:
        print_json({"game": game, "html": str(page), "json": str(figures)})
    else:
        click.echo(f"Wrote {page} and {figures}.")
