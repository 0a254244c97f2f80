"""The explosion of a Combustible model, as a burst around it.

Owns its figures; it is rolled as any burst by `templates`.
"""

from __future__ import annotations

from rules.systems.counterblast.core.fighter import BORROWED_FEATURE, Fighter
from rules.systems.counterblast.core.profile import SIZES, Rating, Weapon

INCHES = (2, 4, 6)
POWERS = (3, 4, 5)


def grade(model: Fighter) -> int:
    """1 to 3: by the level printed for the Feature, its own or one that it borrows, else by the base.

    Rules: CB-FEAT-16, CB-PSI-19.
    """
    own = next((trait.level for trait in model.profile.features if trait.key == "combustible"), 0)
    printed = own or model.grade(BORROWED_FEATURE.of("combustible"))
    return min(3, printed or SIZES.index(model.profile.size) + 1)


def blast_inches(model: Fighter) -> int:
    """Inches around the model that the explosion reaches. Rules: CB-FEAT-16."""
    return INCHES[grade(model) - 1]


def explosion(model: Fighter) -> Weapon:
    """The explosion as a weapon: a burst of 1D+1, 2D+2 or 3D+3 dice at Power 3, 4 or 5.

    Rules: CB-FEAT-16.
    """
    level = grade(model)
    return Weapon(
        key="explosion",
        name="Explosion",
        group="natural",
        deliveries=("burst",),
        power=POWERS[level - 1],
        template="R",
        template_inches=2 * blast_inches(model),
        damage_dice=Rating(level, level),
        rules=("CB-FEAT-16",),
    )
