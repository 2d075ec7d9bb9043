"""sessions of browsers, preferences, invitations, former names, reports, players of tables

Up, ``players`` is filled from the events that say who sat down.
"""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

PAGE = 1000
"""Rows that are in memory at once."""

PEOPLE = (3, 4)
"""The kinds of seats that people hold: PLAYER and RESERVED of protocols.core.model.SeatKind."""

EVENTS = sa.table("events", *(sa.column(name) for name in ("table_id", "seq", "kind", "body")))
PLAYERS = sa.table("players", sa.column("folded"), sa.column("table_id"))


def upgrade() -> None:
    op.create_table(
        "web_sessions",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("kind", sa.String(7), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("used_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.CheckConstraint("kind IN ('account', 'guest', 'host')", name=op.f("ck_web_sessions_kind")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_web_sessions")),
    )
    op.create_index(op.f("ix_web_sessions_folded"), "web_sessions", ["folded"])
    op.create_index(op.f("ix_web_sessions_expires_at"), "web_sessions", ["expires_at"])
    op.create_table(
        "preferences",
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("chosen", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["folded"], ["accounts.folded"], name=op.f("fk_preferences_folded")),
        sa.PrimaryKeyConstraint("folded", name=op.f("pk_preferences")),
    )
    op.create_table(
        "invitations",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("made_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_invitations")),
    )
    op.create_table(
        "former_names",
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("deleted_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("folded", name=op.f("pk_former_names")),
    )
    op.create_table(
        "reports",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("table_id", KEY, nullable=True),
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("closed_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
    )
    op.create_index(op.f("ix_reports_closed_at_id"), "reports", ["closed_at", "id"])
    op.create_table(
        "players",
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("table_id", KEY, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_players_table_id")),
        sa.PrimaryKeyConstraint("folded", "table_id", name=op.f("pk_players")),
    )
    op.create_index(op.f("ix_players_table_id"), "players", ["table_id"])
    _fill_players(op.get_bind())


def _fill_players(connection: sa.Connection) -> None:
    """The people of every table, once each; a body that makes no sense is passed over, ``verify`` reports it."""
    sat = sa.select(EVENTS.c.table_id, EVENTS.c.seq, EVENTS.c.body).where(EVENTS.c.kind == "SeatTaken")
    wanted = sat.order_by(EVENTS.c.table_id, EVENTS.c.seq).limit(PAGE)
    last, table, seen = (0, 0), 0, set[str]()
    while True:
        page = connection.execute(wanted.where(sa.tuple_(EVENTS.c.table_id, EVENTS.c.seq) > last)).all()
        found = []
        for row in page:
            if row.table_id != table:
                table, seen = row.table_id, set()
            folded = _folded(row.body)
            if folded and folded not in seen:
                seen.add(folded)
                found.append({"folded": folded, "table_id": table})
        if found:
            connection.execute(sa.insert(PLAYERS), found)
        if len(page) < PAGE:
            return
        last = (page[-1].table_id, page[-1].seq)


def _folded(body: str) -> str:
    """The name of a person who sat down, as names are compared; "" where it was none."""
    try:
        taken = json.loads(body)
        return str(taken["name"]).casefold() if taken["kind"] in PEOPLE else ""
    except (ValueError, KeyError, TypeError):
        return ""


def downgrade() -> None:
    for table in ("players", "reports", "former_names", "invitations", "preferences", "web_sessions"):
        op.drop_table(table)
