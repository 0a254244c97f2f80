"""What was asked, under which version of the rules it was played, and the head of the chain that is shown.

Revision: 0007, after 0006.
"""

import json
from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

NAMES = ("asked", "version")

CHAINED = (
    "seq",
    "kind",
    "minor",
    "parent",
    "target",
    "actor",
    "command",
    "input",
    "title",
    "reason",
    "dice",
    "number",
    "repeats",
    "faces",
    "changes",
)


def upgrade() -> None:
    """Entries so far say neither; the chain stands as it is."""
    with op.batch_alter_table("journal", schema=None) as batch_op:
        for name in NAMES:
            batch_op.add_column(sa.Column(name, sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("journal", schema=None) as batch_op:
        for name in NAMES:
            batch_op.alter_column(name, server_default=None)
    with op.batch_alter_table("scopes", schema=None) as batch_op:
        batch_op.add_column(sa.Column("shown", sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("scopes", schema=None) as batch_op:
        batch_op.alter_column("shown", server_default=None)
    _show(op.get_bind())


def _show(connection: sa.Connection) -> None:
    """The chain after the last entry that everybody may know of, by the covering that was then."""
    scopes = sa.table("scopes", *map(sa.column, ("id", "shown")))
    journal = sa.table("journal", *map(sa.column, ("scope", "quiet", *CHAINED)))
    for number in connection.execute(sa.select(scopes.c.id)).scalars().all():
        chain = shown = "0" * 64
        mine = sa.select(journal).where(journal.c.scope == number).order_by(journal.c.seq)
        for row in connection.execute(mine).mappings().all():
            covered = [bool(row[name]) if name == "minor" else row[name] for name in CHAINED]
            written = json.dumps(covered, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            chain = sha256((chain + written).encode()).hexdigest()
            shown = shown if row["quiet"] else chain
        connection.execute(sa.update(scopes).where(scopes.c.id == number).values(shown=shown))


def downgrade() -> None:
    """What was asked is forgotten."""
    with op.batch_alter_table("scopes", schema=None) as batch_op:
        batch_op.drop_column("shown")
    with op.batch_alter_table("journal", schema=None) as batch_op:
        for name in reversed(NAMES):
            batch_op.drop_column(name)
