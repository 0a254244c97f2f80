"""What is suggested in fields of this room: tasks, things that are used, given, drained, armed."""

from __future__ import annotations

from bot.games.counterblast.core.suggestions import carried, kept
from bot.games.counterblast.gear.carried import bomb_kits, things, usable
from bot.games.counterblast.gear.tasks import task_names
from rules.systems.counterblast.gear.extraction import drainable

any_task = kept(task_names)
can_use = carried("model", lambda one: [name for _, name in usable(one)])
can_give = carried("giver", lambda one: [item.name for item in things(one)])
can_drain = carried("target", lambda one: [item.name for item in drainable(one)])
kits = carried("model", lambda one: [kit.name for kit in bomb_kits(one)])
