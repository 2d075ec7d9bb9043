"""Names the servers that live on a PostgreSQL database, for whoever is about to change it under them."""

from __future__ import annotations

from sqlalchemy import Connection, Double, cast, extract, func, inspect, select

from gateway.store.schema import nodes


def living_servers(connection: Connection) -> list[str]:
    """The names of nodes that are not buried and whose leases last; none where the schema has no nodes yet."""
    if not inspect(connection).has_table(nodes.name):
        return []
    now = cast(extract("epoch", func.clock_timestamp()), Double)
    living = select(nodes.c.name).where(nodes.c.buried.is_(False), nodes.c.until > now).order_by(nodes.c.id)
    return list(connection.execute(living).scalars())
