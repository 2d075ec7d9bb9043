"""what each person has won, lost and drawn at each table

The rows are counted from the record when they are asked for, so there are none at first. They name tables and accounts
without foreign keys: a server of the schema before deletes both and knows none of these.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017_0010"
down_revision = "0016_0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "scores",
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("since", sa.Double(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("won_of_programs", sa.Integer(), nullable=False),
        sa.Column("lost_to_programs", sa.Integer(), nullable=False),
        sa.Column("drawn_with_programs", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("folded", "table_id", name=op.f("pk_scores")),
    )
    op.create_index(op.f("ix_scores_table_id"), "scores", ["table_id"])


def downgrade() -> None:
    op.drop_table("scores")
