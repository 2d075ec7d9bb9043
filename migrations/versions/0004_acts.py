"""acts

Up, the changes of accounts and of bans become acts, by the time at which they were made. Down, these are what they were
before; acts of other kinds have no place there and go.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from heapq import merge
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

ACTS = sa.table("acts", *(sa.column(name) for name in ("id", "at", "by", "act", "object", "detail")))
ACCOUNTS = sa.table("accounts", sa.column("folded"), sa.column("name"))
ACCOUNT_CHANGES = sa.table("account_changes", *(sa.column(name) for name in ("id", "at", "folded", "change", "by")))
BAN_CHANGES = sa.table(
    "ban_changes",
    *(sa.column(name) for name in ("id", "at", "kind", "target", "change", "reason", "ends_at", "by")),
)


def upgrade() -> None:
    op.create_table(
        "acts",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("object", sa.String(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_acts")),
    )
    op.create_index(op.f("ix_acts_at"), "acts", ["at"])
    connection = op.get_bind()
    # A merge keeps the order of each log, also where the clock went back.
    both = merge(_of_accounts(connection), _of_bans(connection), key=lambda row: row["at"])
    op.bulk_insert(ACTS, list(both))
    op.drop_table("account_changes")
    op.drop_table("ban_changes")


def _of_accounts(connection: sa.Connection) -> Iterator[dict[str, Any]]:
    changes = ACCOUNT_CHANGES.join(ACCOUNTS, ACCOUNTS.c.folded == ACCOUNT_CHANGES.c.folded)
    wanted = sa.select(ACCOUNT_CHANGES, ACCOUNTS.c.name).select_from(changes).order_by(ACCOUNT_CHANGES.c.id)
    for row in connection.execute(wanted).all():
        yield {"at": row.at, "by": row.by, "act": f"account.{row.change}", "object": row.name, "detail": "{}"}


def _of_bans(connection: sa.Connection) -> Iterator[dict[str, Any]]:
    for row in connection.execute(sa.select(BAN_CHANGES).order_by(BAN_CHANGES.c.id)).all():
        detail: dict[str, str | float] = {"kind": row.kind, "reason": row.reason}
        if row.ends_at is not None:
            detail["ends_at"] = row.ends_at
        text = json.dumps(detail, ensure_ascii=False, separators=(",", ":"))
        yield {"at": row.at, "by": row.by, "act": f"ban.{row.change}", "object": row.target, "detail": text}


def downgrade() -> None:
    op.create_table(
        "account_changes",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("change", sa.String(8), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.CheckConstraint(
            "change IN ('added', 'password', 'disabled', 'enabled')", name=op.f("ck_account_changes_change")
        ),
        sa.ForeignKeyConstraint(["folded"], ["accounts.folded"], name=op.f("fk_account_changes_folded")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_changes")),
    )
    op.create_table(
        "ban_changes",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("kind", sa.String(7), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("change", sa.String(7), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("ends_at", sa.Double(), nullable=True),
        sa.Column("by", sa.String(), nullable=False),
        sa.CheckConstraint("change IN ('added', 'removed')", name=op.f("ck_ban_changes_change")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ban_changes")),
    )
    connection = op.get_bind()
    op.bulk_insert(ACCOUNT_CHANGES, list(_account_changes(connection)))
    op.bulk_insert(BAN_CHANGES, list(_ban_changes(connection)))
    op.drop_index(op.f("ix_acts_at"), "acts")
    op.drop_table("acts")


def _account_changes(connection: sa.Connection) -> Iterator[dict[str, Any]]:
    owned = ACTS.join(ACCOUNTS, ACCOUNTS.c.name == ACTS.c.object)
    wanted = sa.select(ACTS, ACCOUNTS.c.folded).select_from(owned).where(ACTS.c.act.like("account.%"))
    for row in connection.execute(wanted.order_by(ACTS.c.id)).all():
        yield {"at": row.at, "folded": row.folded, "change": row.act.partition(".")[2], "by": row.by}


def _ban_changes(connection: sa.Connection) -> Iterator[dict[str, Any]]:
    wanted = sa.select(ACTS).where(ACTS.c.act.like("ban.%")).order_by(ACTS.c.id)
    for row in connection.execute(wanted).all():
        found = json.loads(row.detail)
        ban = {"kind": found["kind"], "target": row.object, "reason": found["reason"], "ends_at": found.get("ends_at")}
        yield {"at": row.at, **ban, "change": row.act.partition(".")[2], "by": row.by}
