"""`verify`: a round's record, checked by the file that stands alone."""

from __future__ import annotations

from pathlib import Path

import click

from croupier import verify as alone
from croupier.cli.errors import Wrong
from croupier.cli.output import as_json, print_json
from croupier.money import show


@click.command()
@click.argument("record", type=click.Path(dir_okay=False, path_type=Path))
@as_json
@click.pass_context
def verify(context: click.Context, record: Path, json_wanted: bool) -> None:
    """Check a round's RECORD: hash chain, deck and commitment, deal order, every settled bet.

    The record comes from /api/tables/TABLE/rounds/NUMBER/record, or from croupier audit --export. The check itself is
    one file without dependencies, croupier/verify.py: copy it and run it with any Python from 3.11 on.
    """
    try:
        told = alone.rounds(alone.read(record.read_text(encoding="utf-8")))
        checked = [(one, alone.check(one)) for one in told]
    except (OSError, UnicodeDecodeError, alone.NoRecord) as wrong:
        raise Wrong(f"{record}: {alone.in_words(wrong)}.") from None
    if json_wanted:
        found = [_found(one, checks) for one, checks in checked]
        print_json(found[0] if len(found) == 1 else found)
    else:
        for one, checks in checked:
            click.echo(alone.report(one, checks))
    context.exit(1 if any(checks.problems for _, checks in checked) else 0)


def _found(record: alone.Json, checks: alone.Checks) -> dict[str, object]:
    return {
        "table": record["table"],
        "round": record["round"],
        "looked_at": dict(checks.looked_at),
        "net": {player: show(cents) for player, cents in checks.net.items()},
        "open_awards": checks.open_awards,
        "problems": checks.problems,
    }
