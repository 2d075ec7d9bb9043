"""tokens with names, scopes and a day of last use; accounts of programs

A token that a server of the schema before adds has no name and is good for all, as every token was.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024_0010"
down_revision = "0023_0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account_tokens", sa.Column("label", sa.String()))
    op.add_column("account_tokens", sa.Column("scopes", sa.String(), nullable=False, server_default="all"))
    op.add_column("account_tokens", sa.Column("used_at", sa.Double()))
    op.add_column("accounts", sa.Column("bot_since", sa.Double()))
    marked = sa.text("bot_since IS NOT NULL")
    name = op.f("ix_accounts_bot_since")
    op.create_index(name, "accounts", ["bot_since"], sqlite_where=marked, postgresql_where=marked)


def downgrade() -> None:
    op.drop_index(op.f("ix_accounts_bot_since"), "accounts")
    op.drop_column("accounts", "bot_since")
    for column in ("used_at", "scopes", "label"):
        op.drop_column("account_tokens", column)
