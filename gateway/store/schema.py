"""The tables of the record, for SQLite and PostgreSQL alike.

The row of ``tables`` with the highest id is never deleted (pruning.py), so the highest id there was is the highest
there is, and ids are never reused.
``tables.last_seq`` repeats the highest seq of the table's events: one UPDATE that expects it proves, for a whole
batch, that no other server wrote, and holds other owners off until the commit. ``tables.pair`` are the two names a
table was registered for (records.pair_of), NULL elsewhere. ``tables.node`` is the node that serves the table
(nodes.py); NULL where none does, and always on SQLite, which has one process only. ``tables.registrant`` is who
registered the table (gateway/seating/registrar.py), NULL for the host's and for tables that nobody registered.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Sequence,
    String,
    Table,
    Text,
)

from gateway.store.identities import identities as identities
from gateway.store.rating_schema import Key
from gateway.store.rating_schema import metadata as metadata

OPEN, PLAYING, ADJOURNED, OVER = STATUSES = ("open", "playing", "adjourned", "over")

tables = Table(
    "tables",
    metadata,
    Column("id", Key, primary_key=True, autoincrement=False),
    Column("epoch", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("status", String(9), nullable=False),
    Column("game", String, nullable=False),
    Column("variant", String, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("opened_at", Double, nullable=False),
    Column("pair", String),
    Column("node", Key),
    Column("registrant", String),
    CheckConstraint("status IN ('open', 'playing', 'adjourned', 'over')", name="status"),
)
Index(None, tables.c.status, tables.c.id)

# The tables that a node may claim, those of nobody among them: looked at every half second, by every node.
_NOT_OVER = tables.c.status != OVER
Index(None, tables.c.node, tables.c.id, sqlite_where=_NOT_OVER, postgresql_where=_NOT_OVER)

# Two players have one unfinished registered game of a kind: a second registration at the same moment, here or in
# another process, is refused by the database.
_UNFINISHED = tables.c.pair.is_not(None) & (tables.c.status != OVER)
Index(None, tables.c.game, tables.c.pair, unique=True, sqlite_where=_UNFINISHED, postgresql_where=_UNFINISHED)
_PAIRED = tables.c.pair.is_not(None)
Index(None, tables.c.pair, tables.c.id, sqlite_where=_PAIRED, postgresql_where=_PAIRED)

_REGISTERED = tables.c.registrant.is_not(None) & (tables.c.status != OVER)
Index(None, tables.c.registrant, sqlite_where=_REGISTERED, postgresql_where=_REGISTERED)

seats = Table(
    "seats",
    metadata,
    Column("table_id", Key, ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", Integer, nullable=False),
    Column("name", String, nullable=False),
    Column("address", String, nullable=False),
    PrimaryKeyConstraint("table_id", "seat"),
)

# A player may bring one secret to several tables, so it is unique at a table only.
tickets = Table(
    "tickets",
    metadata,
    Column("table_id", Key, ForeignKey("tables.id"), nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("seat", Integer, nullable=False),
    PrimaryKeyConstraint("table_id", "digest"),
)
Index(None, tickets.c.digest)

# Not WITHOUT ROWID: rows then lie in the order of arrival and a batch of a hundred tables fills a few pages instead
# of touching a hundred; measured, a third of the cost. No foreign key: an append moves its table's row, so that one
# that is not there is noticed by itself (batch.py), and PostgreSQL spent a fifth of its time on looking again.
# ``served`` is the id of the command that led to a step, at the step's last event, where another node may be asked for
# it, too (gateway/cluster/messages.py); else 0.
events = Table(
    "events",
    metadata,
    Column("table_id", Key, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", Double, nullable=False),
    Column("kind", String, nullable=False),
    Column("body", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("served", Key, nullable=False, server_default="0"),
    PrimaryKeyConstraint("table_id", "seq"),
)

# ``folded`` is the name as it is compared; a name belongs to its account for good, disabled or not. ``bot_since`` is
# since when it is a program's; null for people.
accounts = Table(
    "accounts",
    metadata,
    Column("folded", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("password_hash", String, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("disabled_at", Double),
    Column("bot_since", Double),
)
_BOT = accounts.c.bot_since.is_not(None)
Index(None, accounts.c.bot_since, sqlite_where=_BOT, postgresql_where=_BOT)

# What stands in for a password: SHA-256 of each. A token ends at ``expires_at``. ``label`` is its owner's name for it,
# null of a login's; ``scopes`` are words of tokens.py with blanks between.
account_tokens = Table(
    "account_tokens",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("folded", String, ForeignKey("accounts.folded"), nullable=False),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("label", String),
    Column("scopes", String, nullable=False, server_default="all"),
    Column("used_at", Double),
)
Index(None, account_tokens.c.folded)

# ``target`` is a network or a name as it is compared; a ban that has ended stays until it is removed or replaced.
bans = Table(
    "bans",
    metadata,
    Column("kind", String(7), nullable=False),
    Column("target", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("ends_at", Double),
    PrimaryKeyConstraint("kind", "target"),
    CheckConstraint("kind IN ('network', 'name')", name="kind"),
)

# Who did what to what, when (acts.py): rows are only ever added. A table of its own for each kind would be one more for
# every kind that comes, so there is no list of kinds to check either.
acts = Table(
    "acts",
    metadata,
    Column("id", Key, primary_key=True),
    Column("at", Double, nullable=False),
    Column("by", String, nullable=False),
    Column("act", String, nullable=False),
    Column("object", String, nullable=False),
    Column("detail", Text, nullable=False),
)
Index(None, acts.c.at)

# Sessions of browsers: SHA-256 of each cookie. ``folded`` and ``name`` are the account's, or what a guest is called; ""
# for the host.
web_sessions = Table(
    "web_sessions",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("kind", String(7), nullable=False),
    Column("folded", String, nullable=False),
    Column("name", String, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("used_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    CheckConstraint("kind IN ('account', 'guest', 'host')", name="kind"),
)
Index(None, web_sessions.c.folded)
Index(None, web_sessions.c.expires_at)

# What an account has chosen for its pages, an object of JSON (preferences.py).
preferences = Table(
    "preferences",
    metadata,
    Column("folded", String, ForeignKey("accounts.folded"), primary_key=True),
    Column("chosen", Text, nullable=False),
)

# Codes that let a person register an account: SHA-256 of each; a used one is deleted.
invitations = Table(
    "invitations",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("made_by", String, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
)

# Seats that an account has kept from its person's time as a guest: by the ticket, whose row says which seat it is now.
# No foreign key: a server of schema 0013 deletes accounts and tables and knows none of these.
guest_seats = Table(
    "guest_seats",
    metadata,
    Column("table_id", Key, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("folded", String, nullable=False),
    Column("kept_at", Double, nullable=False),
    PrimaryKeyConstraint("table_id", "digest"),
)
Index(None, guest_seats.c.folded, guest_seats.c.table_id)

# Whom accounts follow, and whom they have blocked (ties.py): ``folded`` has ``other`` in its list. No foreign keys: a
# server of schema 0021 deletes accounts and knows none of these.
follows, blocks = (
    Table(
        name,
        metadata,
        Column("folded", String, nullable=False),
        Column("other", String, nullable=False),
        Column("at", Double, nullable=False),
        PrimaryKeyConstraint("folded", "other"),
    )
    for name in ("follows", "blocks")
)
Index(None, follows.c.other)
Index(None, blocks.c.other)

# Links by which an account gets another password: SHA-256 of each; a used one is deleted. No foreign key: a server of
# schema 0010 deletes accounts and knows no links.
password_links = Table(
    "password_links",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("folded", String, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
)

# Links to finished private games (shares.py), each with the account whose player made it, "" a guest's. No foreign
# keys: a server of schema 0010 deletes tables and accounts, and knows no links.
shares = Table(
    "shares",
    metadata,
    Column("key", String, primary_key=True),
    Column("table_id", Key, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("folded", String, nullable=False),
    Column("made_at", Double, nullable=False),
)
Index(None, shares.c.table_id, unique=True)
Index(None, shares.c.folded)

# Names of deleted accounts: they stay taken, and public views show "former player" instead (former.py).
former_names = Table(
    "former_names",
    metadata,
    Column("folded", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("deleted_at", Double, nullable=False),
)

# What players tell the host of a table or another player; open until ``closed_at``.
reports = Table(
    "reports",
    metadata,
    Column("id", Key, primary_key=True),
    Column("at", Double, nullable=False),
    Column("by", String, nullable=False),
    Column("address", String, nullable=False),
    Column("table_id", Key),
    Column("player", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("closed_at", Double),
)
Index(None, reports.c.closed_at, reports.c.id)

# Who has ever sat at which table, people only: ``seats`` has the present holders, and seats empty after a game.
players = Table(
    "players",
    metadata,
    Column("folded", String, nullable=False),
    Column("table_id", Key, ForeignKey("tables.id"), nullable=False),
    PrimaryKeyConstraint("folded", "table_id"),
)
Index(None, players.c.table_id)

# The games of each person at each table that is over, counted from its record up to ``seq`` when it is asked for
# (scores.py); of an account made at ``since``, 0 of a guest. It is counted anew if the table goes on, which one that is
# ``closed`` cannot. No foreign keys: a server of schema 0016 deletes tables and accounts, and knows none of these.
scores = Table(
    "scores",
    metadata,
    Column("folded", String, nullable=False),
    Column("table_id", Key, nullable=False),
    Column("since", Double, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("closed", Boolean, nullable=False),
    Column("game", String, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("won", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("won_of_programs", Integer, nullable=False),
    Column("lost_to_programs", Integer, nullable=False),
    Column("drawn_with_programs", Integer, nullable=False),
    PrimaryKeyConstraint("folded", "table_id"),
)
Index(None, scores.c.table_id)

# Finished games that engines look at, or have looked at (analyses.py): ``number`` counts the games of their table. Both
# ``result`` and ``refused`` NULL: one waits, or is looked at by ``worker`` until ``until``. No foreign key: a server of
# an older version deletes old tables, and does not know of this.
analyses = Table(
    "analyses",
    metadata,
    Column("table_id", Key, nullable=False),
    Column("number", Integer, nullable=False),
    Column("engine", String, nullable=False),
    Column("asked_at", Double, nullable=False),
    Column("worker", String, nullable=False),
    Column("until", Double, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("result", Text),
    Column("refused", Text),
    PrimaryKeyConstraint("table_id", "number", "engine"),
)
Index(None, analyses.c.asked_at)

# News for the player of a seat (gateway/tables/noticing.py), stored with the step that it is of, whose last event is
# ``seq``. ``told_at`` is when it was handed on to the player's browsers, ``seen_at`` when its player came or moved. No
# foreign keys here and below: a server of schema 0012 deletes tables and accounts, and knows none of these.
notices = Table(
    "notices",
    metadata,
    Column("table_id", Key, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("kind", String(6), nullable=False),
    Column("at", Double, nullable=False),
    Column("told_at", Double),
    Column("seen_at", Double),
    PrimaryKeyConstraint("table_id", "seat", "seq"),
)
_UNTOLD = notices.c.told_at.is_(None) & notices.c.seen_at.is_(None)
Index(None, notices.c.at, sqlite_where=_UNTOLD, postgresql_where=_UNTOLD)

# The server's key for Web Push, one row: the 32 bytes of a private key on P-256.
push_keys = Table(
    "push_keys",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("secret", LargeBinary, nullable=False),
)

# Browsers that want to be told while no page is open: SHA-256 of the address at their push service. ``folded`` is the
# account's, as long as ``session`` lasts, SHA-256 of its cookie; both NULL for a guest's, who is known by its tickets.
push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("endpoint", String, nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("auth", LargeBinary, nullable=False),
    Column("folded", String),
    Column("session", LargeBinary),
    Column("created_at", Double, nullable=False),
)
Index(None, push_subscriptions.c.folded)

# The tickets of a browser's seats, by their digests as in ``tickets``.
push_tickets = Table(
    "push_tickets",
    metadata,
    Column("subscription", LargeBinary, nullable=False),
    Column("ticket", LargeBinary, nullable=False),
    PrimaryKeyConstraint("subscription", "ticket"),
)
Index(None, push_tickets.c.ticket)

# Addresses at which programs of accounts are told: ``secret`` signs what is sent. ``digest`` is the ``subscription`` of
# its ``push_deliveries``. No foreign key: a server of schema 0017 deletes accounts and knows none of these.
webhooks = Table(
    "webhooks",
    metadata,
    Column("folded", String, primary_key=True),
    Column("digest", LargeBinary, nullable=False),
    Column("address", String, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("made_at", Double, nullable=False),
)

# Messages that wait for their push service, one for each seat and browser: the newest. ``due_at`` is when to try next;
# who has moved it on may send. It is given up at ``until``.
push_deliveries = Table(
    "push_deliveries",
    metadata,
    Column("subscription", LargeBinary, nullable=False),
    Column("table_id", Key, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("due_at", Double, nullable=False),
    Column("until", Double, nullable=False),
    PrimaryKeyConstraint("subscription", "table_id", "seat"),
)
Index(None, push_deliveries.c.due_at)

# Mail addresses of accounts: ``address`` is confirmed, ``wanted`` is not yet. ``code`` is SHA-256 of the code that
# confirms it, sent there and good until ``wanted_until``. ``told``: notices go to ``address``, until whoever knows
# ``off``, which is in each of them, says no more. No foreign keys here and below: a server of schema 0015 deletes
# accounts, and knows no addresses.
mail_addresses = Table(
    "mail_addresses",
    metadata,
    Column("folded", String, primary_key=True),
    Column("address", String),
    Column("wanted", String),
    Column("wanted_until", Double),
    Column("code", LargeBinary),
    Column("told", Boolean, nullable=False),
    Column("off", LargeBinary, nullable=False),
)
Index(None, mail_addresses.c.address)
Index(None, mail_addresses.c.code)
Index(None, mail_addresses.c.off)

# Messages that wait for the mail server, of a ``kind`` of mail.Kind, to the account ``folded``; of "asked" that is what
# a person typed. ``seq`` is a notice's. To the host, ``folded`` "", of a reports.NewsWay; ``table_id`` is the report.
mail_deliveries = Table(
    "mail_deliveries",
    metadata,
    Column("folded", String, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("table_id", Key, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("made_at", Double, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("due_at", Double, nullable=False),
    Column("until", Double, nullable=False),
    PrimaryKeyConstraint("folded", "kind", "table_id", "seat"),
)
Index(None, mail_deliveries.c.due_at)

# Offers to one account that stand for longer than an hour (offers.py): ``folded`` has made it, ``other`` may take it,
# the node holds it. ``number`` is that of the table that comes of it. No foreign keys: accounts and tables go before.
lasting_offers = Table(
    "lasting_offers",
    metadata,
    Column("number", Key, primary_key=True, autoincrement=False),
    Column("folded", String, nullable=False),
    Column("other", String, nullable=False),
    Column("node", Key, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

# The members of a cluster on PostgreSQL, each start of a process one (nodes.py): an id is never given twice. ``until``
# ends its lease, which has had no gap since ``since``; both in the database's own time. ``buried`` is for good.
nodes = Table(
    "nodes",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", String, nullable=False),
    Column("version", String, nullable=False),
    Column("started_at", Double, nullable=False),
    Column("since", Double, nullable=False),
    Column("until", Double, nullable=False),
    Column("buried", Boolean, nullable=False),
    Column("draining", Boolean, nullable=False),
    Column("tables", Integer, nullable=False),
)
_LIVING = nodes.c.buried.is_(False)
Index(None, nodes.c.name, unique=True, sqlite_where=_LIVING, postgresql_where=_LIVING)

# What one node of a cluster does for all: the rows are there from the beginning.
LOBBY, JANITOR, RATINGS = ROLES = ("lobby", "janitor", "ratings")
roles = Table(
    "roles",
    metadata,
    Column("role", String, primary_key=True),
    Column("node", Key),
    Column("epoch", Integer, nullable=False),
)

NUMBERS: Final = 100
"""Numbers of new tables that a node takes at a time."""

# The first number of each block. SQLite has no sequences: there its one process counts.
table_ids = Sequence("table_ids", start=1, increment=NUMBERS, metadata=metadata)

CLUSTER: Final = (nodes, roles)
"""Tables of what runs now: they are not copied, and a database that holds nothing else is empty."""

LASTING: Final = tuple(table for table in metadata.sorted_tables if table not in CLUSTER)
"""All others, each after those that it refers to."""
