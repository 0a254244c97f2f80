"""What is suggested in fields of this room: clouds."""

from __future__ import annotations

from bot.games.counterblast.core.suggestions import kept
from bot.games.counterblast.shooting.cloud_marks import cloud_choices

any_cloud = kept(cloud_choices)
