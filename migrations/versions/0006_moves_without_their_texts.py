"""moves without their texts

No table changes. From here on a move is stored in format 2 (docs/record.md). Earlier versions cannot read it, and this
revision makes them refuse the database.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_events = sa.table("events", sa.column("kind", sa.String()), sa.column("body", sa.String()))


def upgrade() -> None:
    pass


def downgrade() -> None:
    """RuntimeError: a move is stored in format 2; its texts cannot be put back without breaking the chain."""
    moves = sa.select(_events.c.body).where(_events.c.kind == "MoveMade", _events.c.body.not_like('%"position":%'))
    if op.get_bind().execute(moves.limit(1)).first() is not None:
        raise RuntimeError("moves of this record are stored in format 2, which schema 0005 cannot read")
