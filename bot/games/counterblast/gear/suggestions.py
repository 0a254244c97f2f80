"""What is suggested in fields of this room: tasks."""

from __future__ import annotations

from bot.games.counterblast.core.suggestions import kept
from bot.games.counterblast.gear.tasks import task_names

any_task = kept(task_names)
