"""What sol'una's rolls are worth to who throws them. An attack is not: which faces count is a choice."""

from __future__ import annotations

from bot.table.luck.worths import counts
from rules.systems.soluna.grapple import Contest

counts(Contest, lambda contest: contest.active - contest.passive)
