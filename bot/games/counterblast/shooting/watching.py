"""The buttons by which models on Overwatch fire at whoever is active."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.arms import can_shoot, firearms, launchers
from bot.games.counterblast.core.fields import anybody
from bot.games.counterblast.core.fighters import fighters
from bot.games.counterblast.shooting.volleys import Shoot
from bot.games.counterblast.templates.template_play import Template
from bot.replies.reply import Blank, Button, form
from bot.table.encounter import Encounter
from bot.table.owners import player_unless
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.profile import Weapon

MOST = 10
"""Most buttons of this kind in a message about something else."""

SHOT = form(
    "cb-overwatch",
    "Overwatch shot",
    Blank("distance", "Inches between them; none: as before", longest=5, required=False),
    Blank("cover", "The target's cover, 0 to 3; none: as before", longest=1, required=False),
)

SPOT = form(
    "cb-overwatch-spot",
    "Overwatch shot",
    Blank("distance", "Inches to the spot", longest=5),
    Blank("cover", "Their cover, 0 to 3", "0", longest=1),
)


@dataclass(frozen=True, slots=True)
class Interrupt(Action):
    """Show who may fire from Overwatch now, with a button for each; `model`: only what this one may."""

    command = "cb.interrupt"
    decision_of = player_unless(lambda action: True)

    model: Fighter | None = anybody("")
    odds: bool = False


def with_odds(encounter: Encounter) -> tuple[Button, ...]:
    """The buttons of those who may fire now, and one that asks for the odds of their shots."""
    found = interrupts(encounter)
    if len(found) > MOST:
        found = (Button("Overwatch...", Interrupt(), anytime=True),)
    return (*found, Button("Overwatch odds...", Interrupt(odds=True), anytime=True)) if found else ()


def interrupts(encounter: Encounter, watcher: int = 0, *, odds: bool = False) -> tuple[Button, ...]:
    """A button for every model on Overwatch that can shoot and every active enemy of it, and one for each
    weapon with a template.

    Where a group makes them too many, each watcher has one that asks at whom. watcher: only this model's.
    odds: they ask for the odds. Rules: CB-OVER-02.
    """
    everybody = [model for model in fighters(encounter) if not model.is_incapacitated]
    acting = [model for model in everybody if model.has(Condition.ACTIVE)]
    pairs = [
        (model, target)
        for model in everybody
        if model.has(Condition.OVERWATCH) and can_shoot(model) and watcher in (0, model.id)
        for target in acting
        if model.side != target.side
    ]
    if len(pairs) > MOST and len(acting) > 1 and not watcher:
        able = {model.id: model for model, _ in pairs}
        asking = [
            Button(f"{_verb(odds=odds)}: {model.name} at...", Interrupt(model, odds), anytime=True)
            for model in able.values()
        ]
        return tuple(asking)
    alone = len(acting) == 1
    shots = [_shot(model, target, alone=alone, odds=odds) for model, target in pairs if firearms(model)]
    casts = [
        _cast(model, target, weapon, alone=alone, odds=odds)
        for model, target in pairs
        for weapon in launchers(model)
    ]
    return (*shots, *casts)


def _verb(*, odds: bool) -> str:
    return "Odds" if odds else "Overwatch"


def _cast(watcher: Fighter, target: Fighter, weapon: Weapon, *, alone: bool, odds: bool) -> Button:
    label = f"{_verb(odds=odds)}: {watcher.name}, {weapon.name}" + ("" if alone else f" at {target.name}")
    fired = Template(watcher, weapon, mode="overwatch", target=target, odds=odds)
    return Button(label[:80], fired, anytime=True, form=SPOT)


def _shot(watcher: Fighter, target: Fighter, *, alone: bool, odds: bool) -> Button:
    label = f"{_verb(odds=odds)}: {watcher.name}" + ("" if alone else f" at {target.name}")
    shot = Shoot(watcher, target, mode="overwatch", odds=odds)
    return Button(label, shot, anytime=True, form=SHOT)
