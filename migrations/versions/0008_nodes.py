"""nodes, roles, owners of tables

Rows are added to ``roles`` only. The sequence of table numbers, PostgreSQL's alone, begins behind the highest there is.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import CreateSequence, DropSequence

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
NOT_OVER = sa.text("status != 'over'")
PAIRED = sa.text("pair IS NOT NULL")
LIVING = sa.column("buried").is_(False)
NUMBERS = 100
ROLES = ("lobby", "janitor")


def upgrade() -> None:
    op.add_column("tables", sa.Column("node", KEY, nullable=True))
    for columns, which in ((["node", "id"], NOT_OVER), (["pair", "id"], PAIRED)):
        name = op.f(f"ix_tables_{'_'.join(columns)}")
        op.create_index(name, "tables", columns, sqlite_where=which, postgresql_where=which)
    op.create_index(op.f("ix_tickets_digest"), "tickets", ["digest"])
    op.create_table(
        "nodes",
        sa.Column("id", KEY, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=False),
        sa.Column("since", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.Column("buried", sa.Boolean(), nullable=False),
        sa.Column("draining", sa.Boolean(), nullable=False),
        sa.Column("tables", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_nodes")),
    )
    op.create_index(op.f("ix_nodes_name"), "nodes", ["name"], unique=True, sqlite_where=LIVING, postgresql_where=LIVING)
    roles = op.create_table(
        "roles",
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("node", KEY, nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("role", name=op.f("pk_roles")),
    )
    op.bulk_insert(roles, [{"role": role, "node": None, "epoch": 0} for role in ROLES])
    connection = op.get_bind()
    if connection.dialect.supports_sequences:
        highest = connection.execute(sa.select(sa.func.max(sa.column("id"))).select_from(sa.table("tables"))).scalar()
        op.execute(CreateSequence(sa.Sequence("table_ids", start=(highest or 0) + 1, increment=NUMBERS)))


def downgrade() -> None:
    if op.get_bind().dialect.supports_sequences:
        op.execute(DropSequence(sa.Sequence("table_ids")))
    op.drop_table("roles")
    op.drop_table("nodes")
    op.drop_index(op.f("ix_tickets_digest"), "tickets")
    op.drop_index(op.f("ix_tables_pair_id"), "tables")
    op.drop_index(op.f("ix_tables_node_id"), "tables")
    op.drop_column("tables", "node")
