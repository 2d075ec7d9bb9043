"""ratings by steps and standings, pins, and the role of who counts them

Nothing is rated yet: a server that counts makes the first version. The row of ``roles`` is there from the beginning; a
server of the schema before takes the roles that it knows.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020_0010"
down_revision = "0019_0010"
branch_labels = None
depends_on = None

ANNULLED = sa.text("annulled_at IS NOT NULL")
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
ROLES = sa.table("roles", sa.column("role"), sa.column("node"), sa.column("epoch"))


def upgrade() -> None:
    op.create_table(
        "rating_versions",
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.Column("basis", sa.String(), nullable=False),
        sa.Column("ordinal", KEY, nullable=False),
        sa.Column("current", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_rating_versions")),
    )
    op.create_table(
        "rating_steps",
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("ordinal", KEY, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("pool", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("engine", sa.String(), nullable=False),
        sa.Column("company", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("rating_before", sa.Double(), nullable=False),
        sa.Column("rd_before", sa.Double(), nullable=False),
        sa.Column("sigma_before", sa.Double(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("rd", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("weight", sa.Double(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("flags", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("version", "ordinal", "seat", name=op.f("pk_rating_steps")),
    )
    of_player = ["version", "account", "engine", "ordinal"]
    op.create_index(op.f("ix_rating_steps_version_account_engine_ordinal"), "rating_steps", of_player)
    of_company = ["version", "company", "ordinal"]
    op.create_index(op.f("ix_rating_steps_version_company_ordinal"), "rating_steps", of_company)
    op.create_table(
        "rating_standings",
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("pool", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("engine", sa.String(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("rd", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("version", "pool", "account", "engine", name=op.f("pk_rating_standings")),
    )
    best = ["version", "pool", "rating"]
    op.create_index(op.f("ix_rating_standings_version_pool_rating"), "rating_standings", best)
    op.create_table(
        "rating_pins",
        sa.Column("pool", sa.String(), nullable=False),
        sa.Column("engine", sa.String(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("pool", "engine", name=op.f("pk_rating_pins")),
    )
    op.create_index(
        op.f("ix_results_annulled_at"), "results", ["annulled_at"], sqlite_where=ANNULLED, postgresql_where=ANNULLED
    )
    op.bulk_insert(ROLES, [{"role": "ratings", "node": None, "epoch": 0}])


def downgrade() -> None:
    op.execute(sa.delete(ROLES).where(ROLES.c.role == "ratings"))
    op.drop_index(op.f("ix_results_annulled_at"), "results")
    op.drop_table("rating_pins")
    op.drop_table("rating_standings")
    op.drop_table("rating_steps")
    op.drop_table("rating_versions")
