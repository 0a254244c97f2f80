"""How often somebody was taken out of the database: several processes that share one tell each other by it.

Revision: 0017, after 0016.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody holds in memory what was there before: a change of the tables stops all processes."""
    op.create_table(
        "forgettings",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_forgettings")),
    )


def downgrade() -> None:
    """Nothing but the count is lost."""
    op.drop_table("forgettings")
