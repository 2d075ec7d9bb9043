"""open_bus: makes the bus that a setting means."""

from __future__ import annotations

import re
from random import Random

from sqlalchemy import make_url

from gateway.bus.bus import Bus
from gateway.bus.nats_bus import SCHEMES, nats_bus


def open_bus(url_or_word: str, database_url: str, me: int, cluster: str | None = None) -> Bus:
    """The bus of node ``me``: "postgres" is the record's own database, a URL is a NATS server.

    ``cluster`` tells clusters apart that share a NATS server: letters, digits, - and _. Without it the database's name
    does. ValueError says which buses there are. The bus connects when it runs.
    """
    name, chance = f"boardgate/{me}", Random()
    if url_or_word == "postgres":
        if make_url(database_url).get_backend_name() != "postgresql":
            raise ValueError('the bus "postgres" needs a database of PostgreSQL')
        from gateway.bus.postgres_bus import postgres_bus  # psycopg is an optional package

        return postgres_bus(database_url, me, name, chance)
    if url_or_word.startswith(tuple(f"{scheme}://" for scheme in SCHEMES)):
        if cluster is None:
            cluster = re.sub(r"[^A-Za-z0-9_-]", "-", make_url(database_url).database or "") or "default"
        return nats_bus(url_or_word, cluster, me, name, chance)
    raise ValueError(f'a bus is "postgres" or nats://HOST:4222, not {url_or_word.partition("://")[0]!r}')
