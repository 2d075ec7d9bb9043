"""registered pairs, accounts"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
UNFINISHED = sa.text("pair IS NOT NULL AND status != 'over'")


def upgrade() -> None:
    # Plain statements and not a batch: a nullable column needs no copy of the table, in either database.
    op.add_column("tables", sa.Column("pair", sa.String(), nullable=True))
    op.create_index(
        op.f("ix_tables_game_pair"),
        "tables",
        ["game", "pair"],
        unique=True,
        sqlite_where=UNFINISHED,
        postgresql_where=UNFINISHED,
    )
    op.create_table(
        "accounts",
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("disabled_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("folded", name=op.f("pk_accounts")),
    )
    op.create_table(
        "account_changes",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("change", sa.String(8), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.CheckConstraint(
            "change IN ('added', 'password', 'disabled', 'enabled')", name=op.f("ck_account_changes_change")
        ),
        sa.ForeignKeyConstraint(["folded"], ["accounts.folded"], name=op.f("fk_account_changes_folded")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_changes")),
    )


def downgrade() -> None:
    op.drop_table("account_changes")
    op.drop_table("accounts")
    op.drop_index(op.f("ix_tables_game_pair"), "tables")
    op.drop_column("tables", "pair")
