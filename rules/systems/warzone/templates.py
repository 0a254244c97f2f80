"""Template weapons: the roll for the aiming point, deviation, and a save for every model under the template.

The models under the template are measured at the table: before the roll for the aiming point, and again where
a miss lands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.dice import Dice, add_up
from rules.effects import Effect, Propose
from rules.modifiers import total
from rules.refusals import Forbidden
from rules.systems.warzone.attacks import (
    CRITICAL_DM,
    Attack,
    after_wounds,
    armour,
    attack_roll,
    damage_modifiers,
    saves,
)
from rules.systems.warzone.characteristic import Grade
from rules.systems.warzone.model import Condition, Model
from rules.systems.warzone.ranged import Shot, after_firing, check_shot, shot_limit
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import SIDES
from rules.systems.warzone.vehicles import hit_vehicle, hull_of

DIRECTIONS = {"clock12": 12, "compass8": 8, "degrees": 360}
_COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


@dataclass(frozen=True, slots=True)
class Deviation:
    """Where a miss lands: the face of the direction die of so many sides, and 0 to 9 inches."""

    direction: int
    sides: int
    inches: int

    @property
    def degrees(self) -> int:
        """Return the direction in degrees clockwise; 0 is away from the firer, or north."""
        if self.sides == DIRECTIONS["compass8"]:
            return (self.direction - 1) * 45
        return self.direction * 360 // self.sides % 360

    def __str__(self) -> str:
        if self.sides == DIRECTIONS["clock12"]:
            clock_direction = f"towards {self.direction} o'clock"
        elif self.sides == DIRECTIONS["compass8"]:
            clock_direction = f"towards {_COMPASS[self.direction - 1]}"
        else:
            clock_direction = f"at {self.degrees} degrees"
        return f"{self.inches} in away, {clock_direction}"


def deviation(dice: Dice, sides: int) -> Deviation:
    """Roll direction and distance of a deviation; sides: 12, 8 or 360, see DIRECTIONS. Rules: WZ-DEV-01."""
    inches = dice.face(SIDES, "distance") % 10
    return Deviation(dice.face(sides, "direction"), sides, inches)


def direction(dice: Dice, sides: int) -> Deviation:
    """Roll a direction, for charts that need no distance. Rules: WZ-DEV-01, WZ-UNH-05."""
    return Deviation(dice.face(sides, "direction"), sides, 0)


@dataclass(frozen=True, slots=True)
class TemplateAttack:
    """The numbers of a template attack.

    limit: what the roll must not exceed, without the penalty after a fumble. armours: AR of every model
    under the aiming point. sides: of the direction die, 0 for a weapon that does not deviate. automatic: no
    roll is made.
    """

    limit: int
    dm: int
    armours: tuple[int, ...]
    hits: int = 1
    sides: int = 12
    fumbled: bool = False
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class TemplateResult:
    """How the roll came out, the wounds of every model under the template, and where a miss goes."""

    grade: Grade
    wounds: tuple[int, ...] = ()
    deviation: Deviation | None = None


def template_attack(dice: Dice, numbers: TemplateAttack) -> TemplateResult:
    """Roll for the aiming point; a success leads to saves, a miss to a deviation.

    A natural 1 adds 4 DM for everyone. Rules: WZ-TMPL-01, WZ-TMPL-02, WZ-CRIT-02.
    """
    grade = Grade.SUCCESS
    if not numbers.automatic:
        grade = attack_roll(dice, numbers.limit, int(numbers.fumbled))
    if grade.passed:
        dm = numbers.dm + (CRITICAL_DM if grade is Grade.CRITICAL else 0)
        return TemplateResult(grade, dice.call(blast, dm, numbers.armours, numbers.hits))
    if not numbers.sides:
        return TemplateResult(grade)
    return TemplateResult(grade, (), dice.call(deviation, numbers.sides))


def template_wounds(dice: Dice, numbers: TemplateAttack) -> int:
    """Roll the wounds of all under the template together: `template_attack` for odds.

    Rules: WZ-TMPL-01, WZ-CRIT-02.
    """
    grade = dice.call(template_attack, replace(numbers, armours=())).grade
    if not grade.passed:
        return 0
    dm = numbers.dm + (CRITICAL_DM if grade is Grade.CRITICAL else 0)
    return dice.call(add_up, *((1, 1, saves, (numbers.hits, ar, dm)) for ar in numbers.armours))


def blast(dice: Dice, dm: int, armours: tuple[int, ...], hits: int = 1) -> tuple[int, ...]:
    """Roll a hit of `dm` on every model under the template: wounds in the order of `armours`.

    Also what a deviated template does where it lands. Rules: WZ-TMPL-01, WZ-TMPL-02, WZ-DMG-01.
    """
    return tuple(saves(dice, hits, ar, dm) for ar in armours)


def under_template(
    wholly: tuple[Model, ...], partly: tuple[Model, ...], settings: Settings
) -> tuple[Model, ...]:
    """Return every model that a template hits, once: those wholly under it, and by default in part.

    Rules: WZ-TMPL-01.
    """
    models = (*wholly, *partly) if settings.partial_cover_counts else wholly
    return tuple({model.id: model for model in models}.values())


def prepare_template(shot: Shot, under: tuple[Model, ...], settings: Settings) -> TemplateAttack:
    """Return the numbers of a template attack. Raises Forbidden.

    under: every model under the template at the aiming point, friend or foe, as `under_template` gives them.
    Vehicles are left out: see `on_vehicle`.

    Rules: WZ-TMPL-01, WZ-CRIT-02.
    """
    weapon = shot.weapon
    if not weapon.has("template"):
        raise Forbidden(f"{weapon.name} isn't a template weapon. Fire it with /wz shoot.", "WZ-TMPL-01")
    automatic = weapon.has("no_roll")
    if automatic:
        check_shot(shot, settings)
    extra_damage = damage_modifiers(weapon, shot.firer, shot.target, settings, from_rear=shot.from_rear)
    return TemplateAttack(
        limit=0 if automatic else shot_limit(shot, settings),
        dm=weapon.dm + total(extra_damage),
        armours=tuple(armour(model, settings) for model in under if not model.vehicle),
        hits=weapon.hits,
        sides=0 if weapon.has("no_deviation") else DIRECTIONS[settings.deviation_direction],
        fumbled=shot.firer.has(Condition.FUMBLED),
        automatic=automatic,
    )


def on_vehicle(
    vehicle: Model, numbers: TemplateAttack, settings: Settings, *, critical: bool = False
) -> Attack:
    """Return the same hit on a vehicle under the template, for `vehicles.attack_vehicle`.

    Rules: WZ-TMPL-01, WZ-CRIT-02, WZ-VEH-02.
    """
    dm = numbers.dm + (CRITICAL_DM if critical else 0)
    return Attack(1, 0, dm, armour(vehicle, settings), numbers.hits, automatic=True)


def after_template(
    shot: Shot, under: tuple[Model, ...], result: TemplateResult, settings: Settings
) -> tuple[Effect, ...]:
    """Return the wounds under the template, or the blast's proposal; and the firer's fumble and aim.

    Rules: WZ-TMPL-01, WZ-TMPL-02, WZ-CRIT-02, WZ-CRIT-04.
    """
    effects: list[Effect] = []
    if result.grade.passed:
        models_hit = (model for model in under if not model.vehicle)
        for model, wounds in zip(models_hit, result.wounds, strict=True):
            effects += after_wounds(model, wounds)
        for model in under:
            if model.vehicle:
                weapon_detail = (("weapon", shot.weapon.name),)
                effects.append(
                    Propose("vehicle_hit", model.id, f"{model.name} is hit as well.", weapon_detail)
                )
    if result.deviation is not None:
        landing = result.deviation
        details = (
            ("weapon", shot.weapon.name),
            ("dm", shot.weapon.dm),
            ("inches", landing.inches),
            ("degrees", landing.degrees),
            ("from_north", landing.sides == DIRECTIONS["compass8"]),
            ("target", shot.target.id if shot.target else 0),
        )
        place = str(landing) if landing.inches else "where it was aimed"
        effects.append(Propose("blast", shot.firer.id, f"The template lands {place}.", details))
    fumbled = result.grade is Grade.FUMBLE
    if shot.weapon.has("no_roll"):
        fumbled = shot.firer.has(Condition.FUMBLED)
    return (*effects, *after_firing(shot.firer, shot.target, settings, fumbled=fumbled))


def vehicle_under(dice: Dice, numbers: TemplateAttack, vehicle: Model, settings: Settings) -> bool:
    """Roll whether a template attack hurts a vehicle under its aiming point.

    Rules: WZ-TMPL-01, WZ-CRIT-02, WZ-VEH-02.
    """
    grade = dice.call(template_attack, replace(numbers, armours=())).grade
    if not grade.passed:
        return False
    hit = on_vehicle(vehicle, numbers, settings, critical=grade is Grade.CRITICAL)
    same_margin = settings.chain_reroll == "same_margin"
    hull = hit_vehicle(dice, hull_of(vehicle), hit.hits, hit.ar, hit.dm, same_margin)
    return hull.wounds < vehicle.wounds_left
