"""What was asked, and under which version of the rules it was played.

Revision: 0007, after 0006.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

NAMES = ("asked", "version")


def upgrade() -> None:
    """Entries so far say neither."""
    with op.batch_alter_table("journal", schema=None) as batch_op:
        for name in NAMES:
            batch_op.add_column(sa.Column(name, sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("journal", schema=None) as batch_op:
        for name in NAMES:
            batch_op.alter_column(name, server_default=None)


def downgrade() -> None:
    """What was asked is forgotten."""
    with op.batch_alter_table("journal", schema=None) as batch_op:
        for name in reversed(NAMES):
            batch_op.drop_column(name)
