"""Alembic runs this for every command: on the connection it is given, inside that connection's transaction.

Not a program of its own: migrations.upgrade gives the connection, and ``tell`` for progress. A revision is written
from the schema by ``alembic.command.revision(config, autogenerate=True)`` with the same attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from alembic import context
from alembic.runtime.migration import MigrationContext, MigrationInfo
from alembic.script import Script

from gateway.store.schema import metadata

_tell: Callable[[str], None] = context.config.attributes["tell"]


def _applied(ctx: MigrationContext, step: MigrationInfo, heads: Collection[Any], run_args: Mapping[str, Any]) -> None:
    revision = step.up_revision
    if isinstance(revision, Script):
        _tell(f"{revision.revision} {revision.doc}")


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot alter a column: a batch copies the table
    transactional_ddl=True,  # SQLite's can be rolled back since BEGIN is ours
    on_version_apply=_applied,
)
with context.begin_transaction():
    context.run_migrations()
