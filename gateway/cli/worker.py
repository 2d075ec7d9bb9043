"""One worker of ``boardgate serve --workers N``: serves like a server of one process, on sockets it has inherited.

Started by gateway/cli/workers.py as ``python -m gateway.cli.worker DESCRIPTOR NAME``, and by nobody else. The name is
for people who look at the list of processes.
"""

from __future__ import annotations

import click

from gateway.accounts.tokens import AdminToken
from gateway.cli.group import explained
from gateway.cli.handover import Supervised
from gateway.cli.logs import start_logging
from gateway.cli.serve import run_server


@click.command("worker", hidden=True)
@click.argument("control", type=int)
@click.argument("name")
def worker(control: int, name: str) -> None:
    """Serve as a worker of a supervisor."""
    with explained():
        supervised = Supervised(control)
        config = supervised.config
        start_logging(config.log.level, config.log.format, worker=name)
        run_server(config, AdminToken(config.registration), supervised)


if __name__ == "__main__":
    worker()
