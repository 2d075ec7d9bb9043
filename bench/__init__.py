"""Measuring a server under load, beside a bare relay of the same pattern in the same run: ``boardgate bench``.

    scripts.py    what the clients play: seeded random games, long ones
    pairs.py      many pairs of clients in strict alternation, each kind in its dialect
    chess_pair.py those of the chess peer-to-peer protocol
    web_pair.py   those of browsers, and browsers that look on
    load.py       one epoll loop that drives them
    yardstick.py  a bare trio relay, one line in, told to both; a bare splice, for relayed pairs
    relayed.py    bytes and answers through a relayed pair, beside a bare splice and socat; idle pairs
    postgresql.py a PostgreSQL of one's own, thrown away afterwards
    process.py    servers under test as processes of their own, on a core of their own
    visitors.py   memory of visitors of a chess server's port who do nothing
    measure.py    the measurements under load: throughput, latency at a given rate, memory of idle connections
    observers.py  observers of one game, beside bare sends and other tables; audience.py is their process
    nodes.py      what a move costs that crosses from one node to another
    exchange.py   what its messages alone cost
    lobby.py      the lobby's page where there are many tables
    analysis.py   other tables while a finished game is looked at
    newcomers.py  crowds of newcomers who come at once; guests.py is what each of them says
    start.py      starting on a record full of unfinished games, which unfinished.py writes
    rules.py      what the rules alone cost a move
    report.py     the tables people read
    command.py    boardgate bench, which finds COMMANDS by the entry-point group boardgate.commands

Speed is never tested, for machines are noisy: it is measured, and ratios within one run are stated.
"""

from __future__ import annotations

from typing import Final

from gateway.cli.group import Entry

COMMANDS: Final = {"Run a server": {"bench": Entry("bench.command:bench", "Measure this machine.", after="nodes")}}
