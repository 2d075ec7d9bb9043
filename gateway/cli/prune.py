"""``boardgate prune``: deletes finished games that are old enough, now."""

from __future__ import annotations

import time
from contextlib import closing
from typing import Final

import click

from gateway.cli.options import Duration, operator_name, with_settings
from gateway.config import Config

LEAST_S: Final = 86_400.0
"""Less is rather a mistake in writing than meant."""

AGE: Final = Duration("a day or more, such as 90d", LEAST_S)


@click.command()
@click.option("--older-than", "age_s", type=AGE, required=True, help="How long ago the last event was, such as 90d.")
@click.option("--dry-run", is_flag=True, help="Only say how many there are.")
@with_settings
def prune(config: Config, age_s: float, dry_run: bool) -> None:
    """Delete finished games for good.

    Their moves, seats and tickets go with them. Games that are not over stay, tables at which players still sit, and
    the newest table, from which ids are counted on. A server may run meanwhile. To have it done by the server, set
    record.delete_after.

    \b
      boardgate prune --older-than 90d --dry-run
      boardgate prune --older-than 90d
    """
    from gateway.store.pruning import Pruning  # after --help has been answered
    from migrations import require_usable

    url = config.database_url
    require_usable(url)
    with closing(Pruning(url, time.time() - age_s, operator_name())) as pruning:
        old = pruning.old()
        if dry_run:
            click.echo(f"{old.tables} finished games with {old.events} events are that old")
            return
        gone = 0
        with click.progressbar(length=old.tables, label="deleting") as bar:
            while (step := pruning.step()) is not None:
                gone += step
                bar.update(step)
    click.echo(f"{gone} finished games deleted")
