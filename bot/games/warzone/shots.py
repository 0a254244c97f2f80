"""What is fired: a shot at one model, or a template; and both as the rules see them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.warzone.fields import (
    Reach,
    cover_by_board,
    cover_if_seen,
    describe_measurements,
    friendly_gap_field,
    front_angle_field,
    gun_field,
    gunner_field,
    launcher_field,
    measure_reach,
    models_by_id_field,
    no_enemy_seen_field,
    reach_field,
    rear_field,
    smoke_level_field,
    target_cover_field,
    target_field,
    under_template_field,
    who,
)
from bot.games.warzone.state import state_of
from bot.games.warzone.units import Carried, is_gone
from bot.table.act import ActView
from bot.table.asking import fields, measuring
from rules.refusals import InvalidInput
from rules.systems.warzone.model import Condition, Model
from rules.systems.warzone.ranged import Cover, Shot


@dataclass(frozen=True, slots=True)
class Shoot(Action):
    """Shoot at a model, or see the odds.

    gap: -1 for none. hidden: no enemy is in the firer's line of sight.
    """

    command = "wz.shoot"
    typed = "wz shoot"
    asked_first = ("weapon", "cover")

    firer: Model = who("Model that shoots", called="model")
    target: Model = target_field("Target", needed=True)
    distance: Reach = reach_field(
        "Distance (inches, or PB, SR, MR, LR or ER)", needed=True, fact=True, measures=measure_reach
    )
    cover: frozenset[Cover] = target_cover_field(measures=measuring.seen("firer", "target", cover_by_board))
    weapon: Carried = gun_field("firer")
    smoke: int = smoke_level_field()
    angle: int = front_angle_field()
    gap: float = friendly_gap_field()
    gunner: bool = gunner_field()
    rear: bool = rear_field()
    hidden: bool = no_enemy_seen_field()
    odds: bool = fields.odds("Show only the odds")
    by_hand: tuple[str, ...] = fields.by_hand()


@dataclass(frozen=True, slots=True)
class Template(Action):
    """Fire a template weapon, or see the odds.

    under: all under it, or empty for only the target. partly: those that it covers in part. numbers: all that
    count as under it. gap: -1 for none. hidden: no enemy is in the firer's line of sight. now: models on wait
    have had their chance to dive.
    """

    command = "wz.template"
    typed = "wz template"
    facts = frozenset({"now"})

    firer: Model = who("Model that fires", called="model")
    target: Model = target_field("Target of the template", needed=True)
    distance: Reach = reach_field(
        "Distance (inches, or PB, SR, MR, LR or ER)", needed=True, fact=True, measures=measure_reach
    )
    under: tuple[Model, ...] = under_template_field(
        "Models under the template (blank for only the target)", "wholly"
    )
    partly: tuple[Model, ...] = under_template_field("Models partly under the template", "partly")
    cover: frozenset[Cover] = target_cover_field(measures=measuring.seen("firer", "target", cover_if_seen))
    weapon: Carried = launcher_field("firer")
    smoke: int = smoke_level_field()
    angle: int = front_angle_field()
    gap: float = friendly_gap_field()
    gunner: bool = gunner_field()
    rear: bool = rear_field()
    hidden: bool = no_enemy_seen_field()
    numbers: tuple[Model, ...] = models_by_id_field(fact=True)
    now: bool = False
    odds: bool = fields.odds("Show only the odds")
    by_hand: tuple[str, ...] = fields.by_hand()


def build_shot(act: ActView, action: Shoot | Template) -> Shot:
    """Return the shot as the rules see it. Raises InvalidInput."""
    firer = action.firer
    if firer.id == action.target.id:
        raise InvalidInput(f"{firer.name} can't shoot at itself. Choose an enemy.")
    return Shot(
        firer,
        action.target,
        action.weapon.weapon,
        action.distance.inches,
        action.cover,
        (action.smoke,) if action.smoke else (),
        action.angle,
        is_gunner_of_stationary_vehicle(act, firer, claims_gunner=action.gunner),
        action.rear,
        enemy_in_sight=not action.hidden,
        gap_inches=action.gap if action.gap >= 0 else None,
    )


def is_gunner_of_stationary_vehicle(act: ActView, firer: Model, *, claims_gunner: bool) -> bool:
    """Return whether it is a gunner of a vehicle that stands still, by word or crew. Rules: WZ-RC-10."""
    vehicle = state_of(firer).crew_of
    if not vehicle or is_gone(act.encounter.model(vehicle)):
        return claims_gunner
    return act.encounter.condition(vehicle, Condition.MOVED) is None


def describe_shot_terms(distance: Reach, shot: Shot) -> tuple[str, ...]:
    """Return what was entered for a shot or a template attack, for the opponent to check."""
    other_terms = (
        *(f"smoke level {level}" for level in shot.smoke),
        *([f"{shot.angle_degrees} degrees from the front of the firer"] if shot.angle_degrees else []),
        *(
            [f"through a gap of {shot.gap_inches:g} in between friendly models"]
            if shot.gap_inches is not None
            else []
        ),
        *(["fired by a gunner from a stationary vehicle"] if shot.gunner else []),
        *(["from the rear"] if shot.from_rear else []),
        *([] if shot.enemy_in_sight else ["the firer sees no enemy"]),
    )
    return tuple(describe_measurements(distance, shot.covers, *other_terms))
