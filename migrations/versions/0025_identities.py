"""people of an OpenID Connect provider, and the accounts that they log in to

The rows name accounts without a foreign key: a server of the schema before deletes these and knows no identities.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025_0010"
down_revision = "0024_0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "identities",
        sa.Column("issuer", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("linked_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("issuer", "subject", name=op.f("pk_identities")),
    )
    op.create_index(op.f("ix_identities_folded_issuer"), "identities", ["folded", "issuer"], unique=True)


def downgrade() -> None:
    op.drop_table("identities")
