"""What is suggested in fields of this room: tasks, and who has wounds."""

from __future__ import annotations

from bot.games.counterblast.core.suggestions import kept
from bot.games.counterblast.gear.tasks import task_names
from bot.table.asking.offering import own_model, such

any_task = kept(task_names)

wounded = such(lambda encounter, row: row.damage > 0, "Nobody here has wounds.", "CB-STAT-09", own_model)
