"""mail addresses of accounts, and messages that wait for the mail server

The rows name accounts and tables without foreign keys: a server of the schema before deletes these and knows no mail.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016_0010"
down_revision = "0015_0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mail_addresses",
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("address", sa.String()),
        sa.Column("wanted", sa.String()),
        sa.Column("wanted_until", sa.Double()),
        sa.Column("code", sa.LargeBinary()),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.Column("off", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("folded", name=op.f("pk_mail_addresses")),
    )
    for column in ("address", "code", "off"):
        op.create_index(op.f(f"ix_mail_addresses_{column}"), "mail_addresses", [column])
    op.create_table(
        "mail_deliveries",
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("folded", "kind", "table_id", "seat", name=op.f("pk_mail_deliveries")),
    )
    op.create_index(op.f("ix_mail_deliveries_due_at"), "mail_deliveries", ["due_at"])


def downgrade() -> None:
    for name in ("mail_deliveries", "mail_addresses"):
        op.drop_table(name)
