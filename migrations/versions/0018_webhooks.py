"""addresses that programs of accounts are told at

The rows name accounts without a foreign key: a server of the schema before deletes accounts and knows none of these.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018_0010"
down_revision = "0017_0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "webhooks",
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("folded", name=op.f("pk_webhooks")),
    )


def downgrade() -> None:
    op.drop_table("webhooks")
