"""`games`, `rules` and `readings`: what the rulebooks say, where it is implemented, and which tests hold it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence

import click
from rich.console import Console
from rich.text import Text

from croupier.cli.terminal.errors import Wrong
from croupier.cli.terminal.output import as_json, console, print_json
from croupier.rulebooks.catalogue.books import declare, module_of
from croupier.rulebooks.citation import paragraphs
from croupier.rulebooks.description.comparison import Comparison, Fact, compare, paragraph_changes, reading_changes
from croupier.rulebooks.description.markdown import page
from croupier.rulebooks.description.traceability import Trace, trace
from croupier.rulebooks.documents.document_text import Paragraph, Reading, built_in_readings
from croupier.rulebooks.documents.editions import GAMES, UnknownGame, edition, editions
from croupier.rulebooks.readings import readings_of
from croupier.scripts.printer import cited, indented


@click.command()
@as_json
def games(json_wanted: bool) -> None:
    """List the games: document, bets, dealing procedures, boxes."""
    books = [declare(each.name) for each in editions()]
    listed: list[dict[str, object]] = [
        {
            "game": book.game,
            "edition": book.edition,
            "title": book.document.title,
            "operator": book.document.operator,
            "version": book.document.version,
            "effective": None if book.document.effective is None else book.document.effective.isoformat(),
            "currency": book.currency,
            "boxes": book.layout.boxes,
            "bets": [bet.name for bet in book.bets],
            "dealing": [dealing.name for dealing in book.dealings],
            "paragraphs": len(paragraphs(book.edition)),
        }
        for book in books
    ]
    if json_wanted:
        print_json(listed)
        return
    out = console()
    for book, entry in zip(books, listed, strict=True):
        version = f", version {entry['version']}" if entry["version"] is not None else ""
        since = f", in force from {entry['effective']}" if entry["effective"] is not None else ""
        out.print(Text(book.edition, "bold"))
        indented(Text(f"{entry['operator']}, {entry['title']}{version}{since}"), 2, out)
        indented(Text(f"Bets     {', '.join(bet.name for bet in book.bets)}"), 2, out)
        indented(Text(f"Dealing  {', '.join(dealing.name for dealing in book.dealings)}"), 2, out)
        indented(Text(f"Boxes    1 to {entry['boxes']}; {book.currency}; {entry['paragraphs']} paragraphs"), 2, out)
        out.print()


# ---------------------------------------------------------------- rules


@click.command()
@click.argument("game", required=False)
@click.argument("paragraph", nargs=-1)
@click.option("--diff", nargs=2, metavar="GAME GAME", help="Where two rulebooks differ, dimension by dimension.")
@click.option("--coverage", is_flag=True, help="Every paragraph with the entries and tests that hold it.")
@click.option("--markdown", is_flag=True, help="The whole rulebook of GAME as a page.")
@as_json
def rules(
    game: str | None,
    paragraph: tuple[str, ...],
    diff: tuple[str, str] | None,
    coverage: bool,
    markdown: bool,
    json_wanted: bool,
) -> int:
    """Print the rules, where each is implemented, and which tests check it.

    GAME alone lists its paragraphs; GAME PARAGRAPH (or a reading's id) prints everything about one.
    """
    if diff is not None:
        first, second = map(_game, diff)
        _print_diff(first, second, json_wanted)
    elif coverage:
        return _print_coverage([_game(game)] if game is not None else None, json_wanted)
    elif game is None:
        raise Wrong(f"rules needs a GAME: {', '.join(GAMES)}.")
    elif markdown:
        click.echo(page(declare(_game(game))), nl=False)
    elif paragraph:
        _print_paragraph(_game(game), " ".join(paragraph), json_wanted)
    else:
        _print_paragraphs(_game(game), json_wanted)
    return 0


def _game(name: str) -> str:
    try:
        edition(name)
    except UnknownGame as wrong:
        if "@" in name:
            raise Wrong(str(wrong)) from None
        known = list(dict.fromkeys(each.game for each in editions()))
        raise Wrong(f'There is no game "{name}"{_meant(name, known)}') from None
    return name


def _meant(word: str, known: Sequence[str]) -> str:
    """Return a hint at what the user may have meant."""
    within = [each for each in known if word.lower() in each.lower()]
    near = list(dict.fromkeys((*difflib.get_close_matches(word, known, n=4, cutoff=0.5), *within[:4])))
    return f"; did you mean {' or '.join(near[:4])}?" if near else f": there are {', '.join(known[:12])}."


def _print_paragraphs(game: str, json_wanted: bool) -> None:
    traces = trace(game)
    if json_wanted:
        print_json([_trace_json(each) for each in traces.values()])
        return
    document = declare(game).document
    out = console()
    out.print(Text(f"{document.operator} {document.title}", "bold"))
    width = max(map(len, traces))
    for each in traces.values():
        said = each.paragraph
        by = said.enforced_by if each.commands else ""
        _beside(f"{_mark(each):2}{said.number:{width}}  {by:6}  ", Text(said.text), out)
    out.print()
    _beside("", Text("✓ enforced, and cited by the rulebook; ✗ cited by no entry; no mark: it commands nothing"), out)


def _beside(head: str, text: Text, out: Console) -> None:
    """Print a text to the right of its heading, on as many lines as needed."""
    for i, part in enumerate(text.wrap(out, max(out.width - len(head), 24))):
        part.rstrip()
        out.print(Text.assemble(head if i == 0 else " " * len(head), part))


def _mark(each: Trace) -> str:
    return "" if not each.commands else "✓" if each.entries else "✗"


def _print_paragraph(game: str, wanted: str, json_wanted: bool) -> None:
    if wanted in readings_of(game):
        _print_readings([readings_of(game)[wanted]], game, json_wanted)
        return
    number = _number(wanted, paragraphs(game))
    if number is None:
        raise Wrong(f"{game} has no paragraph {wanted}{_meant(wanted, [*paragraphs(game), *readings_of(game)])}")
    found = trace(game)[number]
    if json_wanted:
        print_json(_trace_json(found))
        return
    out = console()
    said = found.paragraph
    who = f"enforced by {said.enforced_by}" if found.commands else "commands nothing"
    out.print(Text.assemble((f"{game} {number}", "bold"), f" · {said.kind} · {who}"))
    indented(Text(said.text), 2, out)
    for heading, entries in _where(found):
        out.print()
        out.print(Text(heading, "bold"))
        for entry in entries:
            # Paths are copied and clicked, so they are not broken into lines.
            out.print(Text(f"  {entry}"), soft_wrap=True)


def _number(wanted: str, known: Mapping[str, Paragraph]) -> str | None:
    """Return the paragraph that the user wrote, with or without its ¶ and in any case."""
    plain = {number.replace("¶", "").lower(): number for number in known}
    return plain.get(wanted.replace("¶", "").strip().lower())


def _where(found: Trace) -> Iterable[tuple[str, list[str]]]:
    """Yield where a paragraph is implemented and tested, under its headings."""
    yield "Rulebook", [f"{at.file}:{at.line} in {at.within}" for at in found.cited] or ["cited by no entry"]
    if found.entries:
        yield "Entries", list(found.entries)
        yield "Carried out by", list(found.engine)
    if readings := _readings_about(found):
        yield "Readings", readings
    if found.tests is None:
        yield "Tests", ["the tests are not part of an installed package; they are in the source tree"]
    else:
        yield "Tests", [f"{held.file}:{held.line} {held.test}" for held in found.tests] or ["no test names it"]


def _readings_about(found: Trace) -> list[str]:
    text = f"{found.game} {found.paragraph.number}"
    return [f"{name}: {reading.question}" for name, reading in readings_of(found.game).items() if text in reading.texts]


def _trace_json(found: Trace) -> dict[str, object]:
    said = found.paragraph
    return {
        "game": found.game,
        "paragraph": said.number,
        "kind": said.kind,
        "enforced_by": said.enforced_by,
        "text": said.text,
        "module": module_of(edition(found.game)).__name__,
        "cited": [{"line": at.line, "within": at.within} for at in found.cited],
        "entries": list(found.entries),
        "engine": list(found.engine),
        "readings": [entry.partition(":")[0] for entry in _readings_about(found)],
        "tests": None
        if found.tests is None
        else [{"file": held.file, "line": held.line, "test": held.test} for held in found.tests],
    }


# ---------------------------------------------------------------- rules --diff


def _print_diff(first: str, second: str, json_wanted: bool) -> None:
    before, after = declare(first), declare(second)
    found = compare(before, after)
    if json_wanted:
        paragraphs_changed = [
            {"paragraph": number, first: one, second: two} for number, one, two in paragraph_changes(before, after)
        ]
        readings_changed = [{"reading": name, "says": says} for name, says in reading_changes(before, after)]
        print_json({**_diff_json(first, second, found), "paragraphs": paragraphs_changed, "readings": readings_changed})
        return
    out = console()
    width = max(len(first), len(second))
    for number, one, two in paragraph_changes(before, after):
        out.print(Text(f"Paragraph {number}", "bold"))
        for game, text in ((first, one), (second, two)):
            _beside(f"    {game:{width}}  ", Text(text or "—"), out)
    for name, change in reading_changes(before, after):
        _beside(f"Reading {name}  ", Text(change), out)
    dimension = ""
    for each in found.differences:
        if each.dimension != dimension:
            dimension = each.dimension
            out.print()
            out.print(Text(dimension, "bold underline"))
        out.print(Text(f"  {each.about}", "bold"))
        for game, fact in ((first, each.first), (second, each.second)):
            says = Text("—") if fact is None else Text(fact.says)
            if fact is not None and fact.rules:
                says.append(f" ({cited(fact.rules, game)})", "dim")
            _beside(f"    {game:{width}}  ", says, out)
    out.print()
    out.print(f"{len(found.differences)} statements differ, {len(found.same)} are the same.")


def _diff_json(first: str, second: str, found: Comparison) -> dict[str, object]:
    return {
        "games": [first, second],
        "differences": [
            {"dimension": d.dimension, "about": d.about, first: _side_json(d.first), second: _side_json(d.second)}
            for d in found.differences
        ],
        "same": [{"dimension": f.dimension, "about": f.about, "says": f.says} for f in found.same],
    }


def _side_json(fact: Fact | None) -> dict[str, object] | None:
    return None if fact is None else {"says": fact.says, "rules": list(fact.rules)}


# ---------------------------------------------------------------- rules --coverage


def _print_coverage(wanted: Sequence[str] | None, json_wanted: bool) -> int:
    """Print the coverage; return 1 where a commanding paragraph is not cited or not tested."""
    traces = {game: trace(game) for game in wanted or GAMES}
    summaries = {game: _summary(list(listed.values())) for game, listed in traces.items()}
    missing = sum(len(s["uncited"]) + len(s.get("untested", ())) for s in summaries.values())
    if json_wanted:
        rows = {game: [_trace_json(each) for each in listed.values()] for game, listed in traces.items()}
        print_json({"summary": summaries, "paragraphs": rows})
        return 1 if missing else 0

    out = console()
    for game, listed in traces.items():
        out.print(Text(game, "bold"))
        for each in listed.values():
            by = f"by {each.paragraph.enforced_by}" if each.commands else "commands nothing"
            out.print(Text.assemble(f"{_mark(each):2}", (each.paragraph.number, "bold"), f"  {by}"))
            if each.entries:
                _beside("    rulebook  ", Text(", ".join(each.entries)), out)
            if each.tests:
                _beside("    tests     ", Text(", ".join(dict.fromkeys(held.test for held in each.tests))), out)
        out.print()
    for game, summary in summaries.items():
        out.print(_summary_words(game, summary), soft_wrap=True)
    return 1 if missing else 0


def _summary(listed: Sequence[Trace]) -> dict[str, list[str]]:
    commanding = [each for each in listed if each.commands]
    summary = {
        "commanding": [each.paragraph.number for each in commanding],
        "uncited": [each.paragraph.number for each in commanding if not each.entries],
    }
    if all(each.tests is not None for each in listed):
        summary["untested"] = [each.paragraph.number for each in commanding if not each.tests]
    return summary


def _summary_words(game: str, summary: Mapping[str, list[str]]) -> str:
    total = len(summary["commanding"])
    words = f"{game}: {total - len(summary['uncited'])} of {total} commanding paragraphs cited by the rulebook"
    if summary["uncited"]:
        words += f" (missing {', '.join(summary['uncited'])})"
    if "untested" in summary:
        words += f", {total - len(summary['untested'])} held by a test"
        if summary["untested"]:
            words += f" (missing {', '.join(summary['untested'])})"
    return f"{words}."


# ---------------------------------------------------------------- readings


@click.command()
@click.argument("game", required=False)
@as_json
def readings(game: str | None, json_wanted: bool) -> None:
    """Print our readings, where a document is silent: the question, the answers, the one in force."""
    listed = built_in_readings() if game is None else readings_of(_game(game))
    _print_readings(list(listed.values()), game, json_wanted)


def _print_readings(listed: Sequence[Reading], game: str | None, json_wanted: bool) -> None:
    if json_wanted:
        print_json([_reading_json(reading) for reading in listed])
        return
    out = console()
    for reading in listed:
        out.print(Text.assemble((reading.id, "bold"), "" if game is not None else f" · {', '.join(reading.games)}"))
        indented(Text(reading.question), 2, out)
        for letter, means in reading.options.items():
            where = [each for each in reading.games if letter in reading.default_for(each).split("+")]
            in_force = game in where if game is not None else bool(where)
            only = f" [{', '.join(where)}]" if where and game is None and len(where) < len(reading.games) else ""
            mark = "→" if in_force else " "
            style = "bold" if in_force else ""
            _beside(f"  {mark} {letter}  ", Text(f"{means}{only}", style), out)
        indented(Text(f"Why: {reading.why}", "dim"), 2, out)
        indented(Text(f"Example: {reading.example}", "dim"), 2, out)
        indented(Text(f"Texts: {', '.join(reading.texts)}", "dim"), 2, out)
        out.print()


def _reading_json(reading: Reading) -> dict[str, object]:
    asked = {field: getattr(reading, field) for field in ("id", "games", "texts", "question", "options")}
    in_force = {game: reading.default_for(game) for game in reading.games}
    return {**asked, "in_force": in_force, "why": reading.why, "example": reading.example}
