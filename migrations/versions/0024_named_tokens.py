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


def downgrade() -> None:
    op.drop_column("accounts", "bot_since")
    for column in ("used_at", "scopes", "label"):
        op.drop_column("account_tokens", column)
