"""links to finished private games

The rows name tables and accounts without foreign keys: a server of the schema before deletes both and knows no links.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014_0010"
down_revision = "0013_0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "shares",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_shares")),
    )
    op.create_index(op.f("ix_shares_table_id"), "shares", ["table_id"], unique=True)
    op.create_index(op.f("ix_shares_folded"), "shares", ["folded"])


def downgrade() -> None:
    op.drop_table("shares")
