"""A roll that waits for real dice says who throws, and what, beside the text that asks for it.

Revision: 0015, after 0014.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

NAMES = ("thrower", "wanted")


def upgrade() -> None:
    """Rolls that wait already are asked for anew with the next face."""
    with op.batch_alter_table("pendings", schema=None) as batch_op:
        for name in NAMES:
            column = sa.Column(name, sa.Text(), autoincrement=False, nullable=False, server_default="")
            batch_op.add_column(column)
    with op.batch_alter_table("pendings", schema=None) as batch_op:
        for name in NAMES:
            batch_op.alter_column(name, server_default=None)


def downgrade() -> None:
    """It is said in the text alone again."""
    with op.batch_alter_table("pendings", schema=None) as batch_op:
        for name in NAMES:
            batch_op.drop_column(name)
