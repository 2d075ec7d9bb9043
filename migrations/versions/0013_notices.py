"""notices, and browsers that are told while no page is open

The rows name tables and accounts without foreign keys: a server of the schema before deletes these and knows no
notices.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013_0010"
down_revision = "0012_0010"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
UNTOLD = sa.text("told_at IS NULL AND seen_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "notices",
        sa.Column("table_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(6), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("told_at", sa.Double()),
        sa.Column("seen_at", sa.Double()),
        sa.PrimaryKeyConstraint("table_id", "seat", "seq", name=op.f("pk_notices")),
    )
    op.create_index(op.f("ix_notices_at"), "notices", ["at"], sqlite_where=UNTOLD, postgresql_where=UNTOLD)
    op.create_table(
        "push_keys",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_keys")),
    )
    op.create_table(
        "push_subscriptions",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("endpoint", sa.String(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("auth", sa.LargeBinary(), nullable=False),
        sa.Column("folded", sa.String()),
        sa.Column("session", sa.LargeBinary()),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_push_subscriptions")),
    )
    op.create_index(op.f("ix_push_subscriptions_folded"), "push_subscriptions", ["folded"])
    op.create_table(
        "push_tickets",
        sa.Column("subscription", sa.LargeBinary(), nullable=False),
        sa.Column("ticket", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("subscription", "ticket", name=op.f("pk_push_tickets")),
    )
    op.create_index(op.f("ix_push_tickets_ticket"), "push_tickets", ["ticket"])
    op.create_table(
        "push_deliveries",
        sa.Column("subscription", sa.LargeBinary(), nullable=False),
        sa.Column("table_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("subscription", "table_id", "seat", name=op.f("pk_push_deliveries")),
    )
    op.create_index(op.f("ix_push_deliveries_due_at"), "push_deliveries", ["due_at"])


def downgrade() -> None:
    for name in ("push_deliveries", "push_tickets", "push_subscriptions", "push_keys", "notices"):
        op.drop_table(name)
