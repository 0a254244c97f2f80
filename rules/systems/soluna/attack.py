"""An attack put together and rolled: one plan with every modifier named, its dice, and what they can strike.

Owns the order of an attack's steps until the dice lie. An area weapon plans its aim once and then each model
in the area, from the area's origin. Each figure comes from its own module.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.dice import Dice
from rules.modifiers import Modifier, total
from rules.refusals import InvalidInput
from rules.systems.soluna.accuracy import accuracy_modifiers
from rules.systems.soluna.cover import Cover, cover_bonus, cover_pieces
from rules.systems.soluna.damage import (
    Target,
    protection,
    shield_usable,
    striking_faces,
    target_of,
)
from rules.systems.soluna.grid import Counts
from rules.systems.soluna.knockdown import faces_of
from rules.systems.soluna.power import dice_rolled, power_modifiers
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.sight import Sight, see
from rules.systems.soluna.situation import Situation
from rules.systems.soluna.targeting import Distance, check_target


@dataclass(frozen=True, slots=True)
class Plan:
    """A legal attack, ready to roll: `power` dice, `accuracy` flips, the target's below 0.

    distance: of the aim, where it is an area's. cover_bonus: Body that cover adds. target: None when it is
    no model.
    """

    power: int
    power_modifiers: tuple[Modifier, ...]
    accuracy: int
    accuracy_modifiers: tuple[Modifier, ...]
    cover: tuple[Cover, ...]
    cover_bonus: int
    shield_usable: bool
    distance: Distance
    target: Target | None


def prepare(situation: Situation, settings: Settings) -> Plan:
    """Check a plain attack, or the aim of an area weapon, and work out everything that is rolled with.

    Raises Forbidden, InvalidInput.
    Rules: SU-ATK-02, SU-TGT-01 to SU-TGT-06, SU-PWR-01 to SU-PWR-05, SU-ACC-01 to SU-ACC-10, SU-COV-01.
    """
    return _plan(situation, check_target(situation, settings), settings)


def prepare_in_area(situation: Situation, aim: Distance, settings: Settings) -> Plan:
    """Work out the attack on one model inside an area, whose `origin` must be set.

    aim: distance of the plan with which the area was aimed; visibility and overreach are its own for all.
    Lines, the squares behind and the squares where the Shield fails are counted from the origin; an area
    that penetrates what blocks every line finds its victims hidden. Raises InvalidInput.
    Rules: SU-AREA-01, SU-AREA-02.
    """
    if situation.origin is None or situation.target is None:
        raise InvalidInput("An area strikes models from its origin; name both.")
    sight = min(see(situation.board, situation.origin, situation.square, settings), Sight.HIDDEN)
    return _plan(situation, replace(aim, sight=sight), settings)


def _plan(situation: Situation, found: Distance, settings: Settings) -> Plan:
    powers = power_modifiers(situation, settings)
    power = dice_rolled(total(powers), situation.dice)
    flips = accuracy_modifiers(situation, found, settings)
    source, square, gear = situation.source, situation.square, situation.gear
    pieces = cover_pieces(situation.board, source, square, settings, dict(situation.names))
    bonus = cover_bonus(pieces, power, settings)
    shield = shield_usable(source, square, blast=gear is not None and gear.blast)
    target = None
    if situation.target is not None:
        target = target_of(situation.target, shield=shield, cover=bonus, ignored=situation.ignored)
    return Plan(power, powers, total(flips), flips, pieces, bonus, shield, found, target)


def attack_roll(dice: Dice, power: int, label: str = "attack") -> Counts:
    """Roll an attack of `power` dice, 1 to 30; how many show each face. Rules: SU-ATK-01, SU-GRID-02."""
    return faces_of(dice, power, label)


@dataclass(frozen=True, slots=True)
class Aim:
    """What one location offers to an attack: the faces that strike it and the hits its protections take."""

    location: str
    faces: tuple[int, ...]
    protections: int


def aims(target: Target, settings: Settings) -> tuple[Aim, ...]:
    """Every location of the target that can be struck, in the order of its lowest face."""
    found = []
    for location in target.grid.keys:
        faces = striking_faces(target, location, settings)
        if faces:
            found.append(Aim(location, faces, protection(target, location, settings)))
    return tuple(sorted(found, key=lambda aim: aim.faces))
