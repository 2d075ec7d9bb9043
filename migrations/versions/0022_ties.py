"""whom accounts follow, and whom they have blocked

The rows name accounts without foreign keys: a server of the schema before deletes accounts and knows none of these.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022_0010"
down_revision = "0021_0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("follows", "blocks"):
        op.create_table(
            name,
            sa.Column("folded", sa.String(), nullable=False),
            sa.Column("other", sa.String(), nullable=False),
            sa.Column("at", sa.Double(), nullable=False),
            sa.PrimaryKeyConstraint("folded", "other", name=op.f(f"pk_{name}")),
        )
        op.create_index(op.f(f"ix_{name}_other"), name, ["other"])


def downgrade() -> None:
    op.drop_table("blocks")
    op.drop_table("follows")
