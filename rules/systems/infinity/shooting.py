"""What is rolled at a distance: BS Attacks with their MODs and dice, Hacking, Discover and Sensor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from rules.effects import Effect
from rules.modifiers import Modifier
from rules.refusals import Forbidden, forbid
from rules.systems.infinity.armour import COVER_SAVE, Save
from rules.systems.infinity.profile import Skill, Weapon
from rules.systems.infinity.rolls import modified
from rules.systems.infinity.settings import DEFAULT, Settings
from rules.systems.infinity.trooper import (
    Condition,
    Handicap,
    Trooper,
    answers_unseen,
    ignores,
    in_zone,
    reveal,
    surprise_modifiers,
    visibility_modifier,
)
from rules.wording import times

COVER_MOD = -3
ZERO_VISIBILITY_MOD = -6
SPECULATIVE_MOD = -6
TRIANGULATED_MOD = -3


class Hiding(StrEnum):
    """How hard a target is to make out, by its skill."""

    NONE = "none"
    CAMOUFLAGE = "camouflage"
    TO = "to camouflage"


_HIDING_MOD = {Hiding.NONE: 0, Hiding.CAMOUFLAGE: -3, Hiding.TO: -6}


class Mode(StrEnum):
    """Kinds of BS Attack."""

    DIRECT = "direct"
    SPECULATIVE = "speculative"
    TRIANGULATED = "triangulated"


def hiding_of(target: Trooper) -> Hiding:
    """Return how a target's skills hinder aiming at it; the worst counts, and none in a Null state.

    Rules: INF-BS-05, INF-WND-02.
    """
    if target.levels(Skill.TO_CAMOUFLAGE) or target.levels(Skill.ODD):
        return Hiding.TO
    if target.levels(Skill.CAMOUFLAGE) or target.levels(Skill.MIMETISM):
        return Hiding.CAMOUFLAGE
    return Hiding.NONE


def hiding_modifiers(hiding: Hiding) -> tuple[Modifier, ...]:
    """Return the MOD of Camouflage and Hiding on BS and on Discover. Rules: INF-BS-05."""
    amount = _HIDING_MOD[hiding]
    return (
        (Modifier(amount, f"target with {str(hiding).title().replace('To ', 'TO ')}", "INF-BS-05"),)
        if amount
        else ()
    )


@dataclass(frozen=True, slots=True)
class Shot:
    """One trooper's BS Attack on one target.

    distance_inches: measured, None where the range MOD is given among `others`. cover, hiding: the
    target's. answering: made in answer to that enemy's attack. zero_visibility: through such a zone.
    visibility: 0, -3 (low) or -6 (poor). opposed: Face to Face. surprise: Level of the Surprise Shot that the
    shooter answers, 0 for none. sixth_sense: Levels the shooter has. sensor: it has Sensor.
    others: any further MODs.
    """

    bs: int
    weapon: Weapon
    distance_inches: float | None = None
    cover: bool = False
    hiding: Hiding = Hiding.NONE
    mode: Mode = Mode.DIRECT
    line_of_fire: bool = True
    active: bool = True
    answering: bool = False
    zero_visibility: bool = False
    visibility: int = 0
    opposed: bool = False
    surprise: int = 0
    sixth_sense: frozenset[int] = frozenset()
    sensor: bool = False
    others: tuple[Modifier, ...] = ()


def range_modifiers(weapon: Weapon, distance_inches: float | None) -> tuple[Modifier, ...]:
    """Return the MOD of the first band that reaches the distance. Raises Forbidden beyond the last band.

    Rules: INF-BS-02, INF-BS-03.
    """
    if distance_inches is None or not weapon.bands:
        return ()
    for band in weapon.bands:
        if distance_inches <= band.limit:
            return (Modifier(band.mod, f"range up to {band.limit} in", "INF-BS-02"),) if band.mod else ()
    limit = weapon.bands[-1].limit
    away = f"This one is {distance_inches:g} in away, but {weapon.name} only reaches {limit} in."
    raise Forbidden(f"Choose a closer target. {away}", "INF-BS-03")


def shot_modifiers(shot: Shot, settings: Settings = DEFAULT) -> tuple[Modifier, ...]:
    """Return every MOD to the shooter's BS, with its reason. Raises Forbidden for a shot that is not allowed.

    Rules: INF-BS-01 to INF-BS-07, INF-TRI-01, INF-TRI-02, INF-TRI-03, INF-SS-03, INF-SIX-02, INF-SIX-05,
    INF-SIX-08, INF-SIX-10.
    """
    ranged = range_modifiers(shot.weapon, shot.distance_inches)
    if shot.mode is Mode.TRIANGULATED:
        _check_triangulated(shot)
        return (Modifier(TRIANGULATED_MOD, "triangulated fire", "INF-TRI-02"),)
    if shot.mode is Mode.SPECULATIVE:
        if not shot.weapon.template:
            raise Forbidden(
                f"Choose a weapon with a template for Speculative Fire. {shot.weapon.name} has none.",
                "INF-BS-07",
            )
        speculative = Modifier(SPECULATIVE_MOD, "speculative fire", "INF-BS-07")
        return (speculative, *ranged, *shot.others)
    distance = _distance(shot)
    unseen = answers_unseen(shot.sixth_sense, distance, attacked=shot.answering)
    if not (shot.line_of_fire or unseen):
        forbid("Choose a target in line of fire. The shooter has no line of fire to this one.", "INF-BS-01")
    modifiers = [*ranged]
    if shot.cover:
        modifiers.append(Modifier(COVER_MOD, "target in cover", "INF-BS-04"))
    modifiers += hiding_modifiers(shot.hiding)
    modifiers += _visibility(shot)
    modifiers += surprise_modifiers(
        shot.surprise, distance, opposed=shot.opposed, sixth_sense=shot.sixth_sense
    )
    return (*modifiers, *shot.others)


def _distance(shot: Shot) -> float:
    return float("inf") if shot.distance_inches is None else shot.distance_inches


def _visibility(shot: Shot) -> tuple[Modifier, ...]:
    """Return the worst visibility MOD; only one applies. Rules: INF-BS-06, INF-SIX-05."""
    modifiers = []
    blind = shot.zero_visibility and shot.answering
    if blind and not ignores(shot.sixth_sense, Handicap.ZERO_VISIBILITY, _distance(shot)):
        modifiers.append(Modifier(ZERO_VISIBILITY_MOD, "zero visibility", "INF-BS-06"))
    if shot.visibility:
        modifiers.append(visibility_modifier(shot.visibility))
    return (min(modifiers, key=lambda modifier: modifier.amount),) if modifiers else ()


def _check_triangulated(shot: Shot) -> None:
    if not shot.sensor:
        raise Forbidden(
            "Choose another type of fire. Triangulated Fire needs the Sensor skill.", "INF-TRI-01"
        )
    if not shot.line_of_fire:
        raise Forbidden("Choose a target in line of fire for Triangulated Fire.", "INF-TRI-01")
    if not shot.active:
        raise Forbidden(
            "You can't use Triangulated Fire in ARO because it takes an Entire Order.", "INF-TRI-01"
        )


def shot_value(shot: Shot, settings: Settings = DEFAULT) -> int:
    """Return the value to roll against. Triangulated Fire is BS less 3 whatever else.

    Rules: INF-BS-01, INF-TRI-02.
    """
    return modified(shot.bs, shot_modifiers(shot, settings), settings)


def save_against(
    weapon: Weapon,
    armour: int,
    *,
    cover: bool = False,
    mode: Mode = Mode.DIRECT,
    ph: int = 0,
    damage_mod: int = 0,
) -> Save:
    """Return the save of a target with that ARM or BTS against the weapon.

    Cover helps, but not against templates, programs and Speculative Fire. ph, damage_mod: of the attacker in
    close combat.
    Rules: INF-BS-04, INF-BS-07, INF-TRI-02, INF-ARM-04, INF-CCS-07.
    """
    hidden_by = not (weapon.template or weapon.close or weapon.hacking)
    helped = cover and hidden_by and mode is not Mode.SPECULATIVE
    damage = max(0, weapon.damage_of(ph, damage_mod))
    return Save(damage, armour + (COVER_SAVE if helped else 0), weapon.rolls)


def burst_of(weapon: Weapon, *, active: bool, total_reaction: bool = False, targets: int = 1) -> int:
    """Return the dice of one attack: the whole Burst when active, 1 in ARO, all with Total Reaction.

    targets: 1 or more; Forbidden in ARO beyond one, and in any turn beyond the Burst.
    Rules: INF-F2F-07, INF-TRX-01.
    """
    if not active and targets > 1:
        rule = "INF-TRX-01" if total_reaction else "INF-F2F-07"
        raise Forbidden("Aim all dice at one target. An ARO can't be split.", rule)
    if targets > weapon.burst:
        raise Forbidden(
            (
                f"Choose fewer targets. {weapon.name} rolls {times(weapon.burst, 'die', 'dice')}, and "
                "each target needs at least one."
            ),
            "INF-F2F-07",
        )
    return weapon.burst if active or total_reaction else 1


def hacking_modifiers(
    program: Weapon,
    distance_inches: float | None,
    *,
    opposed: bool,
    surprise: int = 0,
    sixth_sense: frozenset[int] = frozenset(),
    others: tuple[Modifier, ...] = (),
) -> tuple[Modifier, ...]:
    """Return every MOD to the WIP of a Hacking Attack: the program's range, an enemy's Surprise Shot.

    Cover and camouflage take nothing from it. surprise: Level of the Surprise Shot it answers, 0 for none.
    Raises Forbidden for a weapon that is not a program, and beyond its range. Rules: INF-BS-03, INF-SS-03,
    INF-SIX-04.
    """
    if not program.hacking:
        raise Forbidden(f"Choose a hacking program. {program.name} isn't one.", "INF-ARM-04")
    return (
        *range_modifiers(program, distance_inches),
        *reset_modifiers(surprise, distance_inches, opposed=opposed, sixth_sense=sixth_sense, others=others),
    )


def reset_modifiers(
    surprise: int,
    distance_inches: float | None,
    *,
    opposed: bool,
    sixth_sense: frozenset[int] = frozenset(),
    others: tuple[Modifier, ...] = (),
) -> tuple[Modifier, ...]:
    """Return every MOD to the WIP of a Reset. surprise: Level of the hacker's Surprise Shot, 0 for none.

    Rules: INF-SS-03, INF-SIX-04, INF-ROLL-02.
    """
    distance = float("inf") if distance_inches is None else distance_inches
    met = surprise_modifiers(surprise, distance, opposed=opposed, sixth_sense=sixth_sense)
    return (*met, *others)


SENSOR_BONUS = 6

DISCOVER_BANDS = ((8, 3), (32, 0), (48, -3), (96, -6))
"""The range chart of Discover: MODs up to so many inches (public N3 weapon chart)."""


def discover_range_mod(inches: float) -> int | None:
    """Return the MOD of the range chart for a Discover; None beyond it. Rules: INF-SEN-06."""
    return next((mod for limit, mod in DISCOVER_BANDS if inches <= limit), None)


def discover_modifiers(
    hiding: Hiding, *, range_mod: int = 0, cover: bool = False, sensor: bool = False
) -> tuple[Modifier, ...]:
    """Return MODs to WIP of a Discover on a Marker; Sensor adds 6 against camouflage of either kind.

    range_mod: as the table's range chart for Discover gives it.
    Rules: INF-BS-05, INF-SEN-06.
    """
    modifiers = [Modifier(range_mod, "range", "INF-SEN-06")] if range_mod else []
    if cover:
        modifiers.append(Modifier(COVER_MOD, "target in cover", "INF-SEN-06"))
    modifiers += hiding_modifiers(hiding)
    if sensor and hiding is not Hiding.NONE:
        modifiers.append(Modifier(SENSOR_BONUS, "sensor", "INF-SEN-06"))
    return tuple(modifiers)


FOUND = (Condition.HIDDEN_DEPLOYMENT, Condition.CAMOUFLAGED, Condition.TO_CAMOUFLAGED)
"""States that Sensor ends. Rules: INF-SEN-01."""


def check_sensor(user: Trooper) -> None:
    """Raise Forbidden unless the trooper can declare Sensor; no target is needed, and it may be repeated.

    Rules: INF-SEN-01, INF-SEN-02, INF-SEN-03.
    """
    if not user.levels(Skill.SENSOR):
        raise Forbidden(f"Choose another trooper. {user.current.name} can't use Sensor now.", "INF-SEN-01")


def sensor_modifiers(others: Iterable[Modifier] = ()) -> tuple[Modifier, ...]:
    """Return MODs to WIP: +6, and the user's own; range and camouflage don't count. Rules: INF-SEN-01."""
    return (Modifier(SENSOR_BONUS, "sensor", "INF-SEN-01"), *others)


def in_sensor_area(distance_inches: float, sniffer_distances: Iterable[float] = ()) -> bool:
    """Return whether something is in the area: within 8 in of the user or of an allied Sniffer.

    Rules: INF-SEN-05, INF-ORD-06.
    """
    return any(in_zone(distance) for distance in (distance_inches, *sniffer_distances))


def after_sensor(troopers: Iterable[Trooper]) -> tuple[Effect, ...]:
    """Return the effects of a successful Sensor: all hiding enemies inside its area are revealed.

    Impersonation is not found by it. Rules: INF-SEN-01.
    """
    hiding = (trooper for trooper in troopers if any(trooper.has(state) for state in FOUND))
    return tuple(effect for trooper in hiding for effect in reveal(trooper))
