"""Vehicles: attacks that break systems, the systems' own rolls, wrecks and passengers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from rules.dice import Dice, Die, Facet
from rules.effects import Count, Effect, Harm, Leave, Propose
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden
from rules.systems.warzone.attacks import Attack, after_wounds, attack_roll, save_margin, saves
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.model import ACTIONS, SYSTEM_HITS, Model
from rules.systems.warzone.morale import ld_modifiers
from rules.systems.warzone.movement import JumpDown
from rules.systems.warzone.powers import roll_chart
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import SIDES, charts, look_up

LOCATIONS = ("steering", "weapons", "engine", "transmission", "cascade", "structural")
STRUCTURAL_AR = 5
EXPLOSION_DM = 9
EXPLOSION_INCHES = 1

_PLACES = {location: place for place, location in enumerate(LOCATIONS)}
_FAILS_ABOVE = {"steering": (20, 10, 5, 0), "transmission": (20, 10, 5, 0)}


@dataclass(frozen=True, slots=True)
class Hull:
    """A vehicle as attacks change it: wounds left, and hits on each of LOCATIONS."""

    wounds: int
    hits: tuple[int, ...] = (0,) * len(LOCATIONS)


@dataclass(frozen=True, slots=True)
class HullResult:
    """The vehicle after an attack, and whether the attacker's last roll was a fumble."""

    hull: Hull
    fumbled: bool


def hull_of(vehicle: Model) -> Hull:
    """Return the vehicle's wounds and system hits. Rules: WZ-VEH-02, WZ-SYS-01."""
    return Hull(vehicle.wounds_left, tuple(vehicle.count(SYSTEM_HITS.of(location)) for location in LOCATIONS))


def attack_vehicle(dice: Dice, numbers: Attack, hull: Hull, same_margin: bool = False) -> HullResult:
    """Attack rolls against a vehicle, each hit saved for at once: what breaks changes the saves after it.

    numbers: as for a model, with the AR that the vehicle has at the start. A wreck takes no further saves.
    Rules: WZ-VEH-02, WZ-SYS-01, WZ-SYS-07, WZ-SYS-08, WZ-DMG-05, WZ-CRIT-01, WZ-CRIT-04.
    """
    hull_before, fumbled = hull, int(numbers.fumbled)
    if numbers.shots > 1:
        earlier_hull = dice.call(attack_vehicle, replace(numbers, shots=numbers.shots - 1), hull, same_margin)
        hull, fumbled = earlier_hull.hull, int(earlier_hull.fumbled)
    grade = Grade.SUCCESS if numbers.automatic else attack_roll(dice, numbers.limit, fumbled)
    if not numbers.automatic:
        fumbled = int(grade is Grade.FUMBLE)
    if grade.passed:
        dm = numbers.dm + (numbers.critical_dm if grade is Grade.CRITICAL else 0)
        ar = numbers.ar + STRUCTURAL_AR * hull_before.hits[_PLACES["structural"]]
        hull = dice.call(vehicle_saves, hull, numbers.hits, ar, dm, same_margin)
    return HullResult(hull, bool(fumbled))


@cache
def hull_die(limit: int, *, is_last_wound: bool = False) -> Die:
    """Return the d20 of a vehicle's armour save; its tally is 0 when saved, else the chart's row from 1.

    limit: AR less DM. Every face that fails is sorted by its margin; with the last wound there is no chart.
    Rules: WZ-DMG-01, WZ-DMG-05, WZ-SYS-01, WZ-VEH-02.
    """
    rows = charts()["system_failure"]

    def facet(face: int) -> Facet:
        fail_margin = save_margin(face, limit, 0)
        if fail_margin <= 0:
            return Facet("saved", (0,))
        if is_last_wound:
            return Facet("wrecked", (1,))
        row = look_up("system_failure", fail_margin)
        return Facet(row.name, (rows.index(row) + 1,))

    return Die(("row",), tuple(facet(face) for face in range(1, SIDES + 1)))


def vehicle_save(dice: Dice, hull: Hull, ar: int, dm: int, same_margin: bool = False) -> Hull:
    """Roll one armour save of a vehicle; a failed one costs a wound and breaks a system by its margin.

    ar: without structural hits, which are taken off here. No roll follows the last wound.
    Rules: WZ-VEH-02, WZ-SYS-01, WZ-SYS-07, WZ-SYS-08, WZ-DMG-05.
    """
    if not hull.wounds:
        return hull
    armour_now = ar - STRUCTURAL_AR * hull.hits[_PLACES["structural"]]
    is_last_wound = hull.wounds == 1
    place = dice.pool(1, hull_die(armour_now - dm, is_last_wound=is_last_wound), "armour")[0]
    if not place:
        return hull
    if is_last_wound:
        return replace(hull, wounds=0)
    return dice.call(system_failure, hull, charts()["system_failure"][place - 1].key, same_margin)


def vehicle_saves(dice: Dice, hull: Hull, hits: int, ar: int, dm: int, same_margin: bool = False) -> Hull:
    """Roll the saves of one success, 1 or more hits, one after another. Rules: WZ-DMG-06, WZ-VEH-02."""
    if hits > 1:
        hull = dice.call(vehicle_saves, hull, hits - 1, ar, dm, same_margin)
    return vehicle_save(dice, hull, ar, dm, same_margin)


def system_failure(dice: Dice, hull: Hull, key: str, same_margin: bool = False) -> Hull:
    """Roll a wound and a system failure; a chain reaction goes on until it ends or the vehicle does.

    key: the chart's row. After a chain reaction a d20 is thrown on the chart, or the same margin counts.
    Rules: WZ-VEH-02, WZ-SYS-01, WZ-SYS-08.
    """
    wounds = hull.wounds - 1
    while key == "chain_reaction" and wounds > 0:
        wounds -= 1
        if wounds > 0 and not same_margin:
            key = roll_chart(dice, "system_failure")
    hits = list(hull.hits)
    if wounds > 0 and key in _PLACES:
        hits[_PLACES[key]] += 1
    return Hull(wounds, tuple(hits))


def after_hull(vehicle: Model, hull: Hull) -> tuple[Effect, ...]:
    """Apply its wounds, broken systems and wreck. Rules: WZ-VEH-02, WZ-SYS-01, WZ-DMG-04."""
    hull_before = hull_of(vehicle)
    system_effects = tuple(
        Count("model", vehicle.id, SYSTEM_HITS.of(location), new_hits - old_hits)
        for location, old_hits, new_hits in zip(LOCATIONS, hull_before.hits, hull.hits, strict=True)
        if new_hits > old_hits
    )
    return (*after_wounds(vehicle, hull_before.wounds - hull.wounds), *system_effects)


# --------------------------------------------------------------------------------- rolls of what is broken


@cache
def system_die(fails_above: int, failure_text: str) -> Die:
    """Return a d20 that fails above a number, with the tally `failures`."""
    faces = range(1, SIDES + 1)
    works, fails = Facet("works", (0,)), Facet(failure_text, (1,))
    return Die(("failures",), tuple(fails if face > fails_above else works for face in faces))


def system_works(dice: Dice, system: Literal["steering", "transmission"], hits: int) -> bool:
    """Roll whether a damaged vehicle may turn (steering) or move (transmission).

    One hit: 10 or less; two hits: 5 or less; three: never, without a roll. Rules: WZ-SYS-02, WZ-SYS-05.
    """
    if hits <= 0:
        return True
    if hits >= 3:
        return False
    failure_text = "can't turn" if system == "steering" else "can't move"
    return dice.pool(1, system_die(_FAILS_ABOVE[system][hits], failure_text), system)[0] == 0


def check_reverse(vehicle: Model) -> None:
    """Raise Forbidden for reversing with a damaged transmission. Rules: WZ-SYS-05."""
    if vehicle.count(SYSTEM_HITS.of("transmission")):
        raise Forbidden(f"{vehicle.name} can't reverse with a damaged transmission.", "WZ-SYS-05")


def cascade(dice: Dice, hits: int) -> int:
    """Roll a d20 per hit before activation: how many are 11 or more. Rules: WZ-SYS-06."""
    return dice.pool(hits, system_die(10, "action lost"), "cascade")[0] if hits > 0 else 0


def after_cascade(crew: tuple[Model, ...], lost: int) -> tuple[Effect, ...]:
    """Remove so many actions of this activation from every crew member. Rules: WZ-SYS-06, WZ-TURN-04."""
    actions_lost = ((member.id, min(lost, member.count(ACTIONS))) for member in crew)
    return tuple(Count("model", member, ACTIONS, -actions) for member, actions in actions_lost if actions > 0)


def hit_vehicle(dice: Dice, hull: Hull, hits: int, ar: int, dm: int, same_margin: bool = False) -> Hull:
    """Roll so many hits on a vehicle without an attack roll: a fall, an explosion. ar: as it is now.

    Rules: WZ-VEH-02, WZ-SYS-01, WZ-FALL-01, WZ-WRECK-01.
    """
    if hits < 1:
        return hull
    return attack_vehicle(dice, Attack(1, 0, dm, ar, hits, automatic=True), hull, same_margin).hull


@dataclass(frozen=True, slots=True)
class VehicleJump:
    """Whether a vehicle jumped down, and its hull afterwards."""

    jumped: bool
    hull: Hull


def vehicle_jump_down(dice: Dice, numbers: JumpDown, hull: Hull, same_margin: bool = False) -> VehicleJump:
    """Jump like `movement.jump_down`, in a vehicle whose systems may break. Rules: WZ-JUMP-04, WZ-VEH-02."""
    fall = numbers.fall
    if not fall.hits:
        return VehicleJump(True, hull)
    passed = check(dice, numbers.limit, label="leadership").passed
    if not passed and not numbers.on_fail:
        return VehicleJump(False, hull)
    if passed and numbers.on_fail:
        return VehicleJump(True, hull)
    return VehicleJump(True, dice.call(hit_vehicle, hull, fall.hits, fall.ar, fall.dm, same_margin))


# ------------------------------------------------------------------------------------------------ wrecks


def wreck_steps(settings: Settings, passengers: int) -> tuple[Literal["passengers", "wreck"], ...]:
    """Return which charts are rolled for a destroyed vehicle, in order. Rules: WZ-WRECK-04."""
    if not passengers:
        return ("wreck",)
    passengers_first = settings.wreck_order == "passengers_first"
    return ("passengers", "wreck") if passengers_first else ("wreck", "passengers")


def after_passenger(model: Model, key: str) -> tuple[Effect, ...]:
    """Return the transport chart's effects on one passenger; no armour save. Rules: WZ-WRECK-03."""
    if key == "killed":
        return (Harm(model.id, model.wounds_left), Leave(model.id, "casualty"))
    return after_wounds(model, {"one_wound": 1, "two_wounds": 2}.get(key, 0))


def after_wreck(vehicle: Model, key: str) -> tuple[Effect, ...]:
    """Return terrain, or an explosion that hits everyone within an inch. Rules: WZ-WRECK-01."""
    if key == "terrain":
        return (
            Propose(
                "place_wreck",
                vehicle.id,
                ("Leave the wreck on the table as terrain, or replace it with rubble."),
            ),
        )
    details = (("dm", EXPLOSION_DM), ("inches", EXPLOSION_INCHES))
    reason = f"{vehicle.name} blows up. Everyone within 1 in takes a DM 9 hit."
    return (Propose("explosion", vehicle.id, reason, details),)


def avoid_modifiers(
    model: Model, cover: Literal["soft", "hard"], *, enemy_in_sight: bool
) -> tuple[Modifier, ...]:
    """Return the modifiers on the LD of a model in cover that avoids the explosion. Rules: WZ-WRECK-02."""
    amount = 2 if cover == "soft" else 4
    own_modifiers = ld_modifiers(model, enemy_in_sight=enemy_in_sight)
    return (*own_modifiers, Modifier(amount, f"{cover} cover", "WZ-WRECK-02"))


def avoid_limit(model: Model, cover: Literal["soft", "hard"], *, enemy_in_sight: bool) -> int:
    """Return the highest d20 result that passes. Rules: WZ-WRECK-02."""
    return model.profile.ld + total(avoid_modifiers(model, cover, enemy_in_sight=enemy_in_sight))


def explosion(dice: Dice, ar: int, avoid: int | None = None) -> int:
    """Roll the explosion's wounds on one model. avoid: limit of its LD test, None without cover.

    Rules: WZ-WRECK-01, WZ-WRECK-02.
    """
    if avoid is not None and check(dice, avoid, label="avoid").passed:
        return 0
    return saves(dice, 1, ar, EXPLOSION_DM)


def explosion_on_vehicle(
    dice: Dice, hull: Hull, ar: int, avoid_test_limit: int | None = None, same_margin: bool = False
) -> Hull:
    """Roll `explosion` on a vehicle whose systems may break. Rules: WZ-WRECK-01, WZ-WRECK-02, WZ-VEH-02."""
    if avoid_test_limit is not None and check(dice, avoid_test_limit, label="avoid").passed:
        return hull
    return dice.call(hit_vehicle, hull, 1, ar, EXPLOSION_DM, same_margin)


def passenger(dice: Dice) -> str:
    """Roll on the transport chart for one passenger: the key of its row. Rules: WZ-WRECK-03."""
    return roll_chart(dice, "passenger")
