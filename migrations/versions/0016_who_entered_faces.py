"""A roll that waits for real dice keeps who entered each of its faces.

Revision: 0016, after 0015.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of faces that were entered before, nobody is said."""
    with op.batch_alter_table("pendings", schema=None) as batch_op:
        column = sa.Column("enterers", sa.Text(), autoincrement=False, nullable=False, server_default="")
        batch_op.add_column(column)
    with op.batch_alter_table("pendings", schema=None) as batch_op:
        batch_op.alter_column("enterers", server_default=None)


def downgrade() -> None:
    """The journal alone says it again."""
    with op.batch_alter_table("pendings", schema=None) as batch_op:
        batch_op.drop_column("enterers")
