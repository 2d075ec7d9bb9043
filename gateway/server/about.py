"""Which connection and which table a line of the log is about: one form for all lines.

Tasks that work for one table or one HTTP connection bind these fields for whatever is said on the way, also by code
that knows of neither (structlog.contextvars). A move is served in the task that reads for all connections, so what is
said of connections and tables says it itself, by this. Not here: the log's form (gateway.cli.logs).
"""

from __future__ import annotations

from protocols.core.dialect import Dialect


def about(*things: object) -> dict[str, object]:
    """``connection`` (its number), ``dialect``, ``peer`` and ``table``, as far as these things have them.

    Things are connections, tables' tasks, tables' states; any other says nothing.
    """
    shown: dict[str, object] = {}
    for thing in things:
        match thing:
            case object(number=int(number), dialect=Dialect(name=name), address=address, table=table):
                shown |= {"connection": number, "dialect": name, "peer": address, **about(table)}
            case object(state=object(table=int(table))) | object(table=int(table), seats=_):
                shown["table"] = table
    return shown
