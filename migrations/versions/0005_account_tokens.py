"""account tokens"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account_tokens",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["folded"], ["accounts.folded"], name=op.f("fk_account_tokens_folded")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_account_tokens")),
    )
    op.create_index(op.f("ix_account_tokens_folded"), "account_tokens", ["folded"])


def downgrade() -> None:
    op.drop_table("account_tokens")
