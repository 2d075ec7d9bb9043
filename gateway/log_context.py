"""Log context: the connection and the table that a line of the log concerns, in one form.

Tasks that work for one table or one HTTP connection bind these fields for every line on the way, also by code
that knows of neither (structlog.contextvars). A move is served in the task that reads for all connections, so what is
said of connections and tables says it itself, by this. gateway.cli.logs has the log's form.
"""

from __future__ import annotations


def log_context(*things: object) -> dict[str, object]:
    """``connection`` (its number), ``dialect``, ``peer`` and ``table``, as far as these things have them.

    Things are connections and requests, tables' tasks, tables' states; any other says nothing.
    """
    shown: dict[str, object] = {}
    for thing in things:
        match thing:
            case object(number=int(number), speaks=str(name), address=address, table=table):
                shown |= {"connection": number, "dialect": name, "peer": address, **log_context(table)}
            case object(state=object(table=int(table))) | object(table=int(table), seats=_):
                shown["table"] = table
    return shown
