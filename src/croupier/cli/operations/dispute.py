"""`dispute`: one round as a page that needs no network and checks itself."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import click
import msgspec

from croupier.cli.operations.audit import database, opened, witness_beside
from croupier.cli.terminal.errors import Wrong, reported
from croupier.cli.terminal.output import as_json, print_json
from croupier.cli.terminal.paths import EXISTING_FILE, FILE, write_new
from croupier.floor.disputes.evidence import NoEvidence, ProvedRound, evidence, found_round
from croupier.floor.disputes.hypotheses import BadQuestion, parse_change
from croupier.floor.disputes.pack import file_name, pack
from croupier.floor.history.export import AUDITOR, BadChoice, chosen, reading_house
from croupier.floor.history.played_rounds import Past, to_prove
from croupier.floor.house.witness import inclusion_in, signed_beside


@click.command()
@click.argument("round_", metavar="TABLE:ROUND")
@database
@click.option("--output", "-o", "target", type=FILE, help="The page to write; without it, dispute-TABLE-ROUND.html.")
@click.option(
    "--witness",
    type=EXISTING_FILE,
    help="The witness's file, with its key beside it; without it, the one beside an SQLite database.",
)
@click.option("--unsigned", is_flag=True, help="Write the page without a signature and without proofs.")
@click.option("--what-if", "changes", multiple=True, metavar="BET", help='Also answer a changed bet: "1 ante 50.00".')
@click.option("--by", default="operator", show_default=True, help="The person who makes the page.")
@as_json
def dispute(
    round_: str,
    database: str,
    target: Path | None,
    witness: Path | None,
    unsigned: bool,
    changes: tuple[str, ...],
    by: str,
    json_wanted: bool,
) -> None:
    """Write the dispute pack of TABLE:ROUND: one page with everything that happened, why, and the proofs.

    The page opens without a network and judges the round again by itself. The key of the witness signs it.
    """
    with opened(database) as store, reported(NoEvidence, BadQuestion):
        rounds = chosen([round_])
        if len(rounds) != 1:
            raise BadChoice("A pack is of one round: write a table and a number, as in T1:5.")
        beside = None if unsigned else witness or witness_beside(database)
        if beside is None and not unsigned:
            raise Wrong("There is no witness beside the database: name its file with --witness, or write --unsigned.")
        wanted = [parse_change(text) for text in changes]
        house = reading_house(store)
        past = Past(house, lambda: store)
        proved = found_round(house, past, *rounds[0], AUDITOR)
        if beside is not None:
            proofs = inclusion_in(beside, store, to_prove(proved.record))
            proved = ProvedRound(proved.table, msgspec.structs.replace(proved.record, witness=proofs))
        told = evidence(store, house, past, proved, by=by, at=time.time_ns() // 1000, wanted=wanted)
        page = pack(told, None if beside is None else partial(signed_beside, beside))
    name, number = rounds[0]
    target = target or Path(file_name(name, number))
    write_new(target, page.encode())
    if json_wanted:
        about = {"file": str(target), "table": name, "round": number}
        print_json({**about, "signed": beside is not None, "what_if": len(told.what_if)})
    else:
        how = "signed" if beside is not None else "not signed"
        click.echo(f"Round {number} at {name} is in {target}, {how}. Open it in a browser.")
