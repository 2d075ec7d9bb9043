"""offers to one account that stand for longer than an hour

The rows name accounts without foreign keys: a server of the schema before deletes accounts and knows none of these.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023_0010"
down_revision = "0022_0010"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "lasting_offers",
        sa.Column("number", KEY, autoincrement=False, nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("other", sa.String(), nullable=False),
        sa.Column("node", KEY, nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_lasting_offers")),
    )


def downgrade() -> None:
    op.drop_table("lasting_offers")
