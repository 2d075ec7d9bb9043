"""links for new passwords

The rows name their accounts without a foreign key: a server of the schema before deletes accounts and knows no links.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011_0010"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "password_links",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_password_links")),
    )


def downgrade() -> None:
    op.drop_table("password_links")
