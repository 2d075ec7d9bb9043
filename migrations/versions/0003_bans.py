"""bans"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "bans",
        sa.Column("kind", sa.String(7), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("ends_at", sa.Double(), nullable=True),
        sa.CheckConstraint("kind IN ('network', 'name')", name=op.f("ck_bans_kind")),
        sa.PrimaryKeyConstraint("kind", "target", name=op.f("pk_bans")),
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


def downgrade() -> None:
    op.drop_table("ban_changes")
    op.drop_table("bans")
