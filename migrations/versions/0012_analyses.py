"""analyses of finished games

A server of an older version asks for none, and deletes old tables without theirs; those are deleted by their age.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012_0010"
down_revision = "0011_0010"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("table_id", KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("engine", sa.String(), nullable=False),
        sa.Column("asked_at", sa.Double(), nullable=False),
        sa.Column("worker", sa.String(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("refused", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("table_id", "number", "engine", name=op.f("pk_analyses")),
    )
    op.create_index(op.f("ix_analyses_asked_at"), "analyses", ["asked_at"])


def downgrade() -> None:
    op.drop_table("analyses")
