"""Dodge, Change Facing and Engage: PH Rolls that avoid what is coming.

Owns their MODs and what success allows; one Dodge against several attacks is rolled in `f2f` and `armour`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.effects import Effect, Gain
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.infinity.profile import Profile, Skill, TroopType
from rules.systems.infinity.rolls import modified
from rules.systems.infinity.settings import DEFAULT, Settings
from rules.systems.infinity.sixth_sense import Handicap, ignores, in_zone
from rules.systems.infinity.surprise import surprise_modifiers
from rules.systems.infinity.terrain import Ground, reactive_inches
from rules.systems.infinity.trooper import Condition, Trooper

CHANGE_FACING_MOD = -3
BLIND_TEMPLATE_MOD = -3
DODGE_INCHES = 2
ENGAGE_INCHES = 2


class Evasion(StrEnum):
    """The Skills that are rolled as a Dodge."""

    DODGE = "dodge"
    CHANGE_FACING = "change facing"
    ENGAGE = "engage"


@dataclass(frozen=True, slots=True)
class Evading:
    """One trooper evading one enemy's attacks.

    line_of_fire: to the attacker. template: the attack places a template. speculative: it is Speculative
    Fire or guided. alerted: an ally gave the alert. visibility: 0, -3 (low) or -6 (poor); a Zero Visibility
    Zone has no MOD here. surprise: Level of the Surprise Shot met, 0 for none. sixth_sense: Levels of the
    evading trooper. ground: what it stands on. others: any further MODs.
    """

    profile: Profile
    distance_inches: float
    skill: Evasion = Evasion.DODGE
    line_of_fire: bool = True
    template: bool = False
    speculative: bool = False
    alerted: bool = False
    visibility: int = 0
    opposed: bool = True
    surprise: int = 0
    sixth_sense: frozenset[int] = frozenset()
    ground: Ground = Ground.OPEN
    others: tuple[Modifier, ...] = ()


def troop_modifiers(profile: Profile) -> tuple[Modifier, ...]:
    """What the type of troop takes from every Dodge. Rules: INF-DOD-02."""
    if profile.type is TroopType.TAG:
        return (Modifier(-6, "TAG", "INF-DOD-02"),)
    if profile.type is TroopType.REM:
        return (Modifier(-3, "Remote", "INF-DOD-02"),)
    if profile.has(Skill.MOTORCYCLE):
        return (Modifier(-3, "motorcycle", "INF-DOD-02"),)
    return ()


def evasion_modifiers(evading: Evading, settings: Settings = DEFAULT) -> tuple[Modifier, ...]:
    """Every MOD to PH, with its reason. Raises Forbidden where the Skill cannot be used.

    Rules: INF-DOD-01, INF-DOD-02, INF-DOD-04, INF-DOD-05, INF-DOD-06, INF-BS-06, INF-BS-07, INF-SIX-07,
    INF-SIX-12, INF-SS-03, INF-TER-02, INF-TER-03.
    """
    found = [*troop_modifiers(evading.profile)]
    if evading.skill is Evasion.CHANGE_FACING:
        _check_change_facing(evading)
        found.append(Modifier(CHANGE_FACING_MOD, "change facing", "INF-DOD-04"))
    else:
        found += _blind(evading, settings)
    if evading.visibility:
        found.append(Modifier(evading.visibility, "low or poor visibility", "INF-BS-06"))
    found += surprise_modifiers(
        evading.surprise,
        evading.distance_inches,
        opposed=evading.opposed,
        sixth_sense=evading.sixth_sense,
    )
    return (*found, *evading.others)


def _check_change_facing(evading: Evading) -> None:
    if not (in_zone(evading.distance_inches) or evading.alerted):
        raise Forbidden("Change Facing needs the enemy within 8 in, or an ally's alert.", "INF-DOD-04")


def _blind(evading: Evading, settings: Settings) -> tuple[Modifier, ...]:
    """The MOD, or the refusal, of evading what one has no LoF to."""
    sixth_sense, distance = evading.sixth_sense, evading.distance_inches
    engaging = evading.skill is Evasion.ENGAGE
    reach = reactive_inches(ENGAGE_INCHES, evading.ground)
    if engaging and distance > reach:
        raise Forbidden(f"Engage needs the enemy within {reach} in.", "INF-DOD-05")
    if evading.line_of_fire:
        return ()
    if evading.speculative:
        if ignores(sixth_sense, Handicap.BLIND_REACTION, distance):
            return ()
        return (Modifier(settings.blind_reaction, "no line of fire", "INF-BS-07"),)
    if evading.template and not engaging:
        if ignores(sixth_sense, Handicap.BLIND_TEMPLATE, distance):
            return ()
        return (Modifier(BLIND_TEMPLATE_MOD, "template from outside LoF", "INF-DOD-06"),)
    if ignores(sixth_sense, Handicap.BLIND_REACTION, distance):
        return ()
    skill = "Engage" if engaging else "Dodge"
    rule = "INF-DOD-05" if engaging else "INF-DOD-01"
    raise Forbidden(f"{skill} needs a line of fire to the attacker; try Change Facing.", rule)


def evasion_value(evading: Evading, settings: Settings = DEFAULT) -> int:
    """The value to roll against: PH with all MODs. Rules: INF-DOD-01, INF-DOD-04, INF-DOD-05."""
    return modified(evading.profile.attribute("ph"), evasion_modifiers(evading, settings), settings)


def dodge_inches(*, success: bool, reactive: bool, ground: Ground = Ground.OPEN) -> int:
    """How far a Dodge in the Reactive Turn may move, never into base contact; 0 without success.

    Rules: INF-DOD-03, INF-TER-02, INF-TER-03.
    """
    return reactive_inches(DODGE_INCHES, ground) if success and reactive else 0


def after_engage(engager: Trooper, enemy: Trooper, *, success: bool) -> tuple[Effect, ...]:
    """Success brings both into close combat; failure moves nobody. Rules: INF-DOD-05."""
    if not success:
        return ()
    return (
        Gain(engager.id, Condition.CLOSE_COMBAT, enemy.id),
        Gain(enemy.id, Condition.CLOSE_COMBAT, engager.id),
    )
