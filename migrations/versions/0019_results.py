"""results of games, which outlive the deletion of old ones

The rows name tables and accounts without a foreign key: a server of the schema before deletes both and knows none of
these. Games that ended before are written by the server, in its own time.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019_0010"
down_revision = "0018_0010"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "results",
        sa.Column("table_id", KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("players", sa.Text(), nullable=False),
        sa.Column("places", sa.Text(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("fewest", sa.Integer(), nullable=False),
        sa.Column("opening", sa.LargeBinary(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("related", sa.Boolean(), nullable=False),
        sa.Column("ordinal", KEY),
        sa.Column("annulled_at", sa.Double()),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_results")),
    )
    op.create_index(op.f("ix_results_ordinal"), "results", ["ordinal"], unique=True)
    new = sa.text("ordinal IS NULL")
    columns = ["at", "table_id", "number"]
    op.create_index(op.f("ix_results_at_table_id_number"), "results", columns, sqlite_where=new, postgresql_where=new)
    op.create_table(
        "result_players",
        sa.Column("player", sa.String(), nullable=False),
        sa.Column("table_id", KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("player", "table_id", "number", name=op.f("pk_result_players")),
    )


def downgrade() -> None:
    op.drop_table("result_players")
    op.drop_table("results")
