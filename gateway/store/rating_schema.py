"""The beginning of the schema, which schema.py goes on with: names of constraints, tables of results and ratings."""

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
_ANNULLED = results.c.annulled_at.is_not(None)
Index(None, results.c.annulled_at, sqlite_where=_ANNULLED, postgresql_where=_ANNULLED)
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

# Ratings as they follow from the results up to ``ordinal`` (ratings.py): of several versions one is ``current``.
# ``basis`` stands for all else that they follow from: formulas, pins, annulments.
rating_versions = Table(
    "rating_versions",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("made_at", Double, nullable=False),
    Column("basis", String, nullable=False),
    Column("ordinal", Key, nullable=False),
    Column("current", Boolean, nullable=False),
)

# What a result did to one of its players, who has an ``account``, an ``engine``, or both; ``at`` is the time up to
# which the rating before is aged, ``company`` stands for all who played, in this pool. No foreign keys here and below.
rating_steps = Table(
    "rating_steps",
    metadata,
    Column("version", Integer, nullable=False),
    Column("ordinal", Key, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("pool", String, nullable=False),
    Column("account", String, nullable=False),
    Column("engine", String, nullable=False),
    Column("company", LargeBinary, nullable=False),
    Column("at", Double, nullable=False),
    Column("rating_before", Double, nullable=False),
    Column("rd_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("rating", Double, nullable=False),
    Column("rd", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("weight", Double, nullable=False),
    Column("why", String, nullable=False),
    Column("flags", String, nullable=False),
    PrimaryKeyConstraint("version", "ordinal", "seat"),
)
Index(None, rating_steps.c.version, rating_steps.c.account, rating_steps.c.engine, rating_steps.c.ordinal)
Index(None, rating_steps.c.version, rating_steps.c.company, rating_steps.c.ordinal)
_PLAYER = (rating_steps.c.account, rating_steps.c.engine)
Index(None, rating_steps.c.version, rating_steps.c.pool, *_PLAYER, rating_steps.c.ordinal)

# The last step of each player in each pool, its deviation as of ``at``, and until when, in Unix time, it has a place in
# a list: 0 where it has none, and where a server of schema 0020 has written the row.
rating_standings = Table(
    "rating_standings",
    metadata,
    Column("version", Integer, nullable=False),
    Column("pool", String, nullable=False),
    Column("account", String, nullable=False),
    Column("engine", String, nullable=False),
    Column("rating", Double, nullable=False),
    Column("rd", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("at", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("ranked_until", Double, nullable=False, server_default="0"),
    PrimaryKeyConstraint("version", "pool", "account", "engine"),
)
_POOL = (rating_standings.c.version, rating_standings.c.pool)
Index(None, *_POOL, rating_standings.c.rating)
Index(None, *_POOL, rating_standings.c.ranked_until)
_PLACED = (rating_standings.c.rating, rating_standings.c.account, rating_standings.c.engine)
Index("ix_rating_standings_places", *_POOL, *_PLACED, rating_standings.c.ranked_until)

# The fixed ratings of engines of the house.
rating_pins = Table(
    "rating_pins",
    metadata,
    Column("pool", String, nullable=False),
    Column("engine", String, nullable=False),
    Column("rating", Double, nullable=False),
    PrimaryKeyConstraint("pool", "engine"),
)
