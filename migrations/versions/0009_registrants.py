"""registrants, events without a foreign key

An append moves the row of its table in the same transaction, so that each event's table is known to be there.
SQLite drops a constraint from the text of its schema: what is stored is the same (sqlite.org/lang_altertable.html).
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009_0008"
down_revision = "0008"
branch_labels = None
depends_on = None

REGISTERED = sa.text("registrant IS NOT NULL AND status != 'over'")
NAME = "fk_events_table_id"
CLAUSE = f", \n\tCONSTRAINT {NAME} FOREIGN KEY(table_id) REFERENCES tables (id)"


def upgrade() -> None:
    op.add_column("tables", sa.Column("registrant", sa.String(), nullable=True))
    name = op.f("ix_tables_registrant")
    op.create_index(name, "tables", ["registrant"], sqlite_where=REGISTERED, postgresql_where=REGISTERED)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("LOCK TABLE tables, events IN ACCESS EXCLUSIVE MODE")  # in the order of appends: no deadlock
        op.drop_constraint(op.f(NAME), "events")
    else:
        _edit(CLAUSE, "")


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.create_foreign_key(op.f(NAME), "events", "tables", ["table_id"], ["id"])
    else:
        _edit("\n)", f"{CLAUSE}\n)")
    op.drop_index(op.f("ix_tables_registrant"), "tables")
    op.drop_column("tables", "registrant")


def _edit(old: str, new: str) -> None:
    """Replace in the text of ``events``; other connections notice by the number of the schema."""
    connection = op.get_bind()
    (version,) = connection.exec_driver_sql("PRAGMA schema_version").one()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    edited = sa.text("UPDATE sqlite_schema SET sql = replace(sql, :old, :new) WHERE type = 'table' AND name = 'events'")
    connection.execute(edited, {"old": old, "new": new})
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = OFF")
