"""The command line: the only place that wires settings, record, server and clients together.

group.py      lists the subcommands (a new one is one line), loads one to run it, explains errors in one line
options.py    options and questions that several commands share
record.py     opens the database and prints; remote.py asks another server instead
logs.py       the log on standard error
listening.py, bus.py, check.py, service.py  parts of serve: listeners, the bus, --check, the service manager
workers.py, worker.py, handover.py  serve --workers: the supervisor, one worker, what passes between them
the others    one command each, or a few that belong together
"""

from __future__ import annotations

import click

from gateway.cli.group import CommandLine
from gateway.release import release

EXAMPLES = """
\b
Play Ludo against the house, on your own machine:
  boardgate serve                       in one terminal
  boardgate play ludo --against bot     in another

\b
Let others in, and see what they play:
  boardgate serve --listen bogaprot=0.0.0.0:5700 --listen http=127.0.0.1:8080
  boardgate tables
  boardgate show 12

\b
Settings are in ./boardgate.toml; begin with all of them, explained:
  boardgate settings > boardgate.toml

"boardgate COMMAND --help" says more about a command.
"""


@click.group(
    "boardgate",
    cls=CommandLine,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(release().words, message="boardgate %(version)s")
@click.option("--traceback", is_flag=True, help="Show where an error came from, for a report of a fault.")
def main(traceback: bool) -> None:
    """Boardgate: one server that every board-game client can sit down at."""
