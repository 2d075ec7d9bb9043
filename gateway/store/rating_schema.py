"""The beginning of the schema, which schema.py goes on with: names of constraints, and the tables of results."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

# SQLite makes only a column declared INTEGER the row's own key; BIGINT would cost a second tree.
Key = BigInteger().with_variant(Integer(), "sqlite")

# Games that have ended, as facts (results.py): a row is added with the GameEnded event that it is of, and outlives the
# deletion of its table. ``number`` counts the games of the table. Only ``ordinal`` is given later, by the node that
# rates, and ``annulled_at`` by the host. No foreign keys here and below: a server of schema 0018 deletes tables and
# accounts, and knows none of these.
results = Table(
    "results",
    metadata,
    Column("table_id", Key, nullable=False),
    Column("number", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", Double, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("started_at", Double, nullable=False),
    Column("game", String, nullable=False),
    Column("variant", String, nullable=False),
    Column("width", Integer, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("reason", String, nullable=False),
    Column("players", Text, nullable=False),
    Column("places", Text, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("fewest", Integer, nullable=False),
    Column("opening", LargeBinary, nullable=False),
    Column("why", String, nullable=False),
    Column("related", Boolean, nullable=False),
    Column("ordinal", Key),
    Column("annulled_at", Double),
    PrimaryKeyConstraint("table_id", "number"),
)
Index(None, results.c.ordinal, unique=True)
_NEW = results.c.ordinal.is_(None)
Index(None, results.c.at, results.c.table_id, results.c.number, sqlite_where=_NEW, postgresql_where=_NEW)

# The games of each account, by its folded name, and of each engine, by its name, version and level.
result_players = Table(
    "result_players",
    metadata,
    Column("player", String, nullable=False),
    Column("table_id", Key, nullable=False),
    Column("number", Integer, nullable=False),
    PrimaryKeyConstraint("player", "table_id", "number"),
)
