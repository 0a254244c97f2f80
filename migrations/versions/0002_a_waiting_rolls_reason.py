"""A roll that waits for real dice keeps the reason of an override.

Revision: 0002, after 0001.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Rolls that wait already override nothing. The last databases of 0.1.0 have the column and keep it."""
    if any(column["name"] == "reason" for column in sa.inspect(op.get_bind()).get_columns("pendings")):
        return
    with op.batch_alter_table("pendings", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("reason", sa.Text(), autoincrement=False, nullable=False, server_default="")
        )
    with op.batch_alter_table("pendings", schema=None) as batch_op:
        batch_op.alter_column("reason", server_default=None)


def downgrade() -> None:
    """The reasons are lost."""
    with op.batch_alter_table("pendings", schema=None) as batch_op:
        batch_op.drop_column("reason")
