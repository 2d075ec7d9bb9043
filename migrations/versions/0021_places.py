"""until when ratings have a place in lists

The time is counted here for the ratings that there are, by the numbers of this version's formula. A server of the
schema before writes 0, and such a player has a place again after the next game.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021_0010"
down_revision = "0020_0010"
branch_labels = None
depends_on = None

OF_TABLES = "pool LIKE '%/tables%'"
DAYS = "(75.0 * 75.0 - rd * rd) / (173.7178 * sigma * 173.7178 * sigma) / 0.21436"


def upgrade() -> None:
    op.add_column("rating_standings", sa.Column("ranked_until", sa.Double(), nullable=False, server_default="0"))
    op.execute(f"UPDATE rating_standings SET ranked_until = at + {DAYS} * 86400 WHERE rd <= 75 AND NOT {OF_TABLES}")
    op.execute(f"UPDATE rating_standings SET ranked_until = 1e12 WHERE rd <= 300 AND {OF_TABLES}")
    places = ["version", "pool", "rating", "account", "engine", "ranked_until"]
    op.create_index(op.f("ix_rating_standings_places"), "rating_standings", places)
    until = ["version", "pool", "ranked_until"]
    op.create_index(op.f("ix_rating_standings_version_pool_ranked_until"), "rating_standings", until)
    of_pool = ["version", "pool", "account", "engine", "ordinal"]
    op.create_index(op.f("ix_rating_steps_version_pool_account_engine_ordinal"), "rating_steps", of_pool)


def downgrade() -> None:
    op.drop_index(op.f("ix_rating_steps_version_pool_account_engine_ordinal"), "rating_steps")
    op.drop_index(op.f("ix_rating_standings_version_pool_ranked_until"), "rating_standings")
    op.drop_index(op.f("ix_rating_standings_places"), "rating_standings")
    op.drop_column("rating_standings", "ranked_until")
