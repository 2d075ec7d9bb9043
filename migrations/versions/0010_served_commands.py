"""the id of the command that led to a step

A server of an older version writes no ids, and a command whose answer is lost with it would be served twice. So this
is no step that merely adds: "boardgate migrate" refuses while servers live.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009_0008"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("events", sa.Column("served", ID, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("events", "served")
