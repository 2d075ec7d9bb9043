"""seats that accounts have kept from their time as guests

The rows name accounts and tables without a foreign key: a server of the schema before deletes both and knows none of
these.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015_0010"
down_revision = "0014_0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "guest_seats",
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("kept_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "digest", name=op.f("pk_guest_seats")),
    )
    op.create_index(op.f("ix_guest_seats_folded_table_id"), "guest_seats", ["folded", "table_id"])


def downgrade() -> None:
    op.drop_table("guest_seats")
