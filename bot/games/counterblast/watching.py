"""The buttons by which models on Overwatch fire at whoever is active."""

from __future__ import annotations

from bot.games.counterblast.fighters import fighters
from bot.games.counterblast.shoot_play import Shoot
from bot.replies.reply import Blank, Button, form
from bot.table.encounter import Encounter
from rules.systems.counterblast.fighter import Condition

MOST = 10
"""Most buttons of this kind in one message."""

SHOT = form(
    "cb-overwatch",
    "Overwatch shot",
    Blank("distance", "Inches between them", longest=5),
    Blank("cover", "The target's cover, 0 to 3", "0", longest=1),
)


def interrupts(encounter: Encounter) -> tuple[Button, ...]:
    """A button for every model on Overwatch and every active enemy of it. Rules: CB-OVER-02."""
    everybody = fighters(encounter)
    acting = [model for model in everybody if model.has(Condition.ACTIVE) and not model.is_incapacitated]
    watching = [model for model in everybody if model.has(Condition.OVERWATCH) and not model.is_incapacitated]
    return tuple(
        Button(
            f"Overwatch: {watcher.name}" + (f" at {target.name}" if len(acting) > 1 else ""),
            Shoot(f"#{watcher.id}", f"#{target.id}", mode="overwatch"),
            anytime=True,
            form=SHOT,
        )
        for watcher in watching
        for target in acting
        if watcher.side != target.side
    )[:MOST]
