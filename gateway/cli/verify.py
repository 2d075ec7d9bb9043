"""``boardgate verify``: proves one table's record and says what was proved.

Not here: the proof (gateway.audit).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import click

from gateway import audit
from gateway.audit import Report
from gateway.cli.options import with_settings
from gateway.cli.record import found, opened, plain
from gateway.config import Config


@click.command()
@click.argument("table", type=int)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
@with_settings
@click.pass_context
def verify(ctx: click.Context, config: Config, table: int, as_json: bool) -> None:
    """Prove that a table's record is whole, its moves legal and its dice honest.

    Every event is chained to the one before by a digest, and the whole game is played again. Dice can be proved once
    their game is over. Keep the last digest elsewhere: a later record that does not contain it is not the same one.
    Exit status 1 when anything is wrong.
    """
    with opened(config) as views:
        report = audit.verify(found(views, table).table, views.rows(table))
    if as_json:
        click.echo(json.dumps(_tree(report), indent=2))
    else:
        for line in _lines(report):
            click.echo(plain(line).plain)
    ctx.exit(1 if report.defect else 0)


def _lines(report: Report) -> Iterator[str]:
    if report.defect is not None:
        yield f"table {report.table}: WRONG at event {report.defect.seq}: {report.defect.reason}"
        yield "proved before that:"
    else:
        yield f"table {report.table}: the record is whole"
    yield f"  {_count(report.events, 'event')} in one chain; last digest {report.digest.hex()}"
    yield f"  {_count(report.games, 'game')}, {_count(report.moves, 'move')}, all by the rules"
    if report.proved:
        yield f"  {report.proved} of {_count(report.rolls, 'roll')} proved to be what was committed to before the game"
    if report.unproved:
        yield f"  {_count(report.unproved, 'roll')} not yet provable: a game's secret is revealed at its end"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _tree(report: Report) -> dict[str, object]:
    defect = report.defect
    return {
        "table": report.table,
        "sound": defect is None,
        "defect": None if defect is None else {"seq": defect.seq, "reason": defect.reason},
        "events": report.events,
        "games": report.games,
        "moves": report.moves,
        "rolls": report.rolls,
        "rolls_proved": report.proved,
        "digest": report.digest.hex(),
    }
