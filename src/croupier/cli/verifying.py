"""`verify`: a round's record, checked by the file that stands alone."""

from __future__ import annotations

from pathlib import Path

import click

from croupier import verify as alone
from croupier.cli.errors import Wrong
from croupier.cli.output import as_json, print_json


@click.command()
@click.argument("record", type=click.Path(dir_okay=False, path_type=Path))
@as_json
@click.pass_context
def verify(context: click.Context, record: Path, json_wanted: bool) -> None:
    """Check a round's RECORD: hash chain, deck and commitment, deal order, every settled bet.

    The record comes from /api/tables/TABLE/rounds/NUMBER/record. The check itself is one file without dependencies,
    croupier/verify.py: copy it and run it with any Python 3.11.
    """
    try:
        told = alone.read(record.read_text(encoding="utf-8"))
        checks = alone.check(told)
    except OSError as wrong:
        raise Wrong(f"{record}: {wrong.strerror}.") from None
    except (UnicodeDecodeError, alone.NoRecord) as wrong:
        raise Wrong(f"{record}: {wrong}.") from None
    if json_wanted:
        print_json(
            {
                "table": told["table"],
                "round": told["round"],
                "looked_at": dict(checks.looked_at),
                "net": dict(checks.net),
                "open_awards": checks.open_awards,
                "problems": checks.problems,
            }
        )
    else:
        click.echo(alone.report(told, checks))
    context.exit(1 if checks.problems else 0)
