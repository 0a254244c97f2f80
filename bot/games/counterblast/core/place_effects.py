"""What wounds and hits may bring at the place where a model stands: an edge to fall from, ground that burns.

The bot cannot see the place, so these are proposals; knows no replies.
"""

from __future__ import annotations

from rules.effects import Propose
from rules.systems.counterblast.core.fighter import Counter, Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.shields import Suffered
from rules.systems.counterblast.movement.falling import falls_at_once

AT_EDGE = 0.0
"""Inches to the edge: the players see whether it is within 1 in."""


def at_height(model: Fighter, wounds: int) -> list[Propose]:
    """What a wounded model that stands high has to do if an edge is within an inch.

    `model` as it is after the wounds. Rules: CB-FALL-01.
    """
    disabled = _disabled(model) if wounds else []
    height = model.count(Counter.HEIGHT)
    if not wounds or height < 1:
        return disabled
    details: tuple[tuple[str, int | str], ...] = (("height", height),)
    if falls_at_once(model, AT_EDGE, wounds=wounds):
        reason = f"{model.name} within 1 in of an edge: falls {height}."
        return [*disabled, Propose("fall", model.id, reason, details)]
    reason = f"{model.name} within 1 in of an edge: hold on, or it falls {height}."
    return [Propose("avoid_fall", model.id, reason, details)]


def _disabled(model: Fighter) -> list[Propose]:
    """A vehicle whose Life is used up suffers Critical Damage, once. Rules: CB-VEH-27, CB-VEH-31."""
    return [Propose("critical_damage", model.id, critical_words(model))] if owes_critical(model) else []


def owes_critical(model: Fighter) -> bool:
    """Whether a vehicle is disabled and its Critical Damage was not rolled. Rules: CB-VEH-27, CB-VEH-31."""
    return model.profile.is_vehicle and model.is_down and not model.count(Counter.CRITICAL)


def critical_words(model: Fighter) -> str:
    """What is to be done for such a vehicle."""
    return f"{model.name} is disabled: roll Critical Damage."


def after_hit(model: Fighter, weapon: Weapon, suffered: Suffered) -> list[Propose]:
    """What an attack may bring at the place of its target. `model` as it is afterwards.

    Rules: CB-FALL-01, CB-BURN-02.
    """
    found = at_height(model, suffered.through if weapon.damage else 0)
    if suffered.hits and weapon.has_effect("burning"):
        found.append(Propose("flammable", model.id, "Grass, scrub or wood there burns: R3."))
    return found
