"""What is suggested in fields of this room: types of Heroes, what a draft may take and give back."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.building.hero_kept import hero_crew, kept
from bot.games.counterblast.building.hero_steps import STEPS, offered
from bot.table.asking.kinds import Asking


def to_take(asking: Asking) -> Sequence[str]:
    """What the draft may take now."""
    _, draft, _ = kept(hero_crew(asking.act))
    return list(dict.fromkeys(one.label for step in STEPS for one in offered(draft, step)))


def to_give_back(asking: Asking) -> Sequence[str]:
    """What the draft may give back."""
    _, draft, _ = kept(hero_crew(asking.act))
    return list(dict.fromkeys(one.label for one in offered(draft, "", back=True)))
