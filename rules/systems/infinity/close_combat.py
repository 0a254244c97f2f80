"""The CC Attack with the charts of the CC skills, and the Assault that charges into it."""

from __future__ import annotations

from dataclasses import dataclass

from rules.modifiers import Modifier
from rules.refusals import Forbidden, forbid
from rules.systems.infinity.profile import Profile, Skill, Weapon
from rules.systems.infinity.profile_text import ChartRow, chart
from rules.systems.infinity.rolls import modified
from rules.systems.infinity.settings import DEFAULT, Settings
from rules.systems.infinity.trooper import Handicap, ignores

SURPRISE_ATTACK_MOD = -6
EQUALIZER_LEVEL = 5
"""Martial Arts Level that takes over the enemy's Burst bonus. Rules: INF-CCS-10."""


@dataclass(frozen=True, slots=True)
class Fighter:
    """One trooper in close combat and the CC skills its owner chooses to use.

    martial_arts: one Level the trooper has, 0 for none. berserk: Berserk Attack. assault: this is the
    attack of an Assault. allies: further allies in contact with the target, able to act. surprise: it attacks
    out of a camouflaged Marker. contact: in base contact with the enemy. others: any further MODs to CC.
    """

    profile: Profile
    weapon: Weapon
    martial_arts: int = 0
    berserk: bool = False
    assault: bool = False
    allies: int = 0
    surprise: bool = False
    contact: bool = True
    active: bool = True
    sixth_sense: frozenset[int] = frozenset()
    others: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class Melee:
    """A CC Attack ready to roll: value, dice, Damage MOD; `opposed` where it meets the enemy's roll."""

    value: int
    burst: int
    damage_mod: int
    opposed: bool
    modifiers: tuple[Modifier, ...]


def chosen_rows(fighter: Fighter) -> tuple[ChartRow, ...]:
    """Return chart rows of the skills in use, different skills together, one Level of each.

    Raises Forbidden for skills the trooper does not have, without base contact, for Berserk Attack with
    Assault, and for Assault in ARO.
    Rules: INF-CCS-01, INF-CCS-02, INF-CCS-03, INF-CCS-04, INF-CCS-11, INF-ASL-04.
    """
    profile = fighter.profile
    if not (fighter.contact or fighter.assault):
        raise Forbidden("Move into base contact first. You can only fight in base contact.", "INF-CCS-02")
    rows = []
    if fighter.martial_arts:
        highest = max(profile.levels(Skill.MARTIAL_ARTS), default=0)
        if not 1 <= fighter.martial_arts <= highest:
            sentence = (
                f"Choose a lower Level or none. {profile.name} doesn't have Martial Arts "
                f"L{fighter.martial_arts}."
            )
            raise Forbidden(sentence, "INF-CCS-04")
        rows.append(chart(Skill.MARTIAL_ARTS, fighter.martial_arts))
    if fighter.berserk:
        if not profile.has(Skill.BERSERK):
            raise Forbidden(f'Untick "Use Berserk". {profile.name} doesn\'t have the skill.', "INF-CCS-11")
        if fighter.assault:
            raise Forbidden("Choose either a Berserk Attack or an Assault.", "INF-CCS-11")
        rows.append(chart(Skill.BERSERK))
    if fighter.assault:
        if not (profile.has(Skill.ASSAULT) or profile.has(Skill.BERSERK)) or not fighter.active:
            raise Forbidden(
                "You can only declare an Assault in your Active Turn with a trooper that has Assault or "
                "Berserk.",
                "INF-ASL-01",
            )
        rows.append(chart(Skill.ASSAULT))
    return tuple(rows)


def chart_notes(fighter: Fighter) -> tuple[str, ...]:
    """Return the notes of the charts on the skills in use: Type of Damage, Special. Rules: INF-CCS-09."""
    rows = chosen_rows(fighter)
    return tuple(
        f"{_skill_words(row)}: {text}" for row in rows for text in (row.damage_type, row.special) if text
    )


def _skill_words(row: ChartRow) -> str:
    return row.skill.replace("_", " ") + (f" L{row.level}" if row.level else "")


def is_opposed(fighter: Fighter, enemy: Fighter | None, *, enemy_affects: bool = True) -> bool:
    """Return whether the CC Attack meets the enemy's roll Face to Face: not when either goes Berserk.

    enemy: None where it fights back with no CC Attack. enemy_affects: it answers with a Skill that touches
    the fighter. Rules: INF-CC-01, INF-CCS-11.
    """
    berserk = fighter.berserk or (enemy is not None and enemy.berserk)
    return enemy_affects and not berserk


def imposed_modifiers(
    fighter: Fighter, enemy_sixth_sense: frozenset[int] = frozenset(), *, opposed: bool = True
) -> tuple[Modifier, ...]:
    """Return MODs that the fighter imposes on any Attribute its enemy rolls, only in a Face to Face Roll.

    Rules: INF-CCS-06, INF-CC-03, INF-SIX-03.
    """
    if not opposed:
        return ()
    rows = chosen_rows(fighter)
    modifiers = [
        Modifier(row.opponent, f"enemy's {_skill_words(row)}", "INF-CCS-06") for row in rows if row.opponent
    ]
    if fighter.surprise and not ignores(enemy_sixth_sense, Handicap.SURPRISE_ATTACK, 0):
        modifiers.append(Modifier(SURPRISE_ATTACK_MOD, "surprise attack", "INF-CC-03"))
    return tuple(modifiers)


def burst_bonus(fighter: Fighter) -> int:
    """Return the dice added by the fighter's own skills and allies. Rules: INF-CC-02, INF-CCS-08."""
    return sum(row.burst for row in chosen_rows(fighter)) + max(0, fighter.allies)


def melee(
    fighter: Fighter,
    enemy: Fighter | None = None,
    *,
    enemy_affects: bool = True,
    settings: Settings = DEFAULT,
) -> Melee:
    """Prepare a CC Attack against an enemy that answers with a CC Attack (enemy) or otherwise (None).

    Raises what `chosen_rows` raises, and Forbidden for a weapon that is no CC weapon.
    Rules: INF-CC-01, INF-CC-02, INF-CC-03, INF-CCS-04 to INF-CCS-08, INF-CCS-10, INF-CCS-11, INF-ASL-04.
    """
    if not fighter.weapon.close:
        raise Forbidden(f"Choose a close combat weapon. {fighter.weapon.name} isn't one.", "INF-CC-01")
    rows = chosen_rows(fighter)
    opposed = is_opposed(fighter, enemy, enemy_affects=enemy_affects)
    own_modifiers = tuple(Modifier(row.attack, _skill_words(row), "INF-CCS-05") for row in rows if row.attack)
    imposed = imposed_modifiers(enemy, fighter.sixth_sense, opposed=opposed) if enemy else ()
    modifiers = (*own_modifiers, *imposed, *fighter.others)
    burst = fighter.weapon.burst + burst_bonus(fighter)
    if fighter.martial_arts == EQUALIZER_LEVEL and enemy is not None:
        burst += burst_bonus(enemy)
    return Melee(
        value=modified(fighter.profile.attribute("cc"), modifiers, settings),
        burst=burst,
        damage_mod=sum(row.damage for row in rows),
        opposed=opposed,
        modifiers=modifiers,
    )


@dataclass(frozen=True, slots=True)
class Charge:
    """An Assault as measured before AROs: whether it reaches contact, and most inches along the path."""

    contact: bool
    inches: int


def charge_inches(profile: Profile) -> int:
    """Return the greatest distance of an Assault: both MOV values. Rules: INF-ASL-02, INF-ASL-03."""
    return sum(profile.mov)


def require_assault(profile: Profile) -> None:
    """Refuse, with Forbidden, a profile without the skill. Rules: INF-ASL-01."""
    if not (profile.has(Skill.ASSAULT) or profile.has(Skill.BERSERK)):
        forbid(f"{profile.name} needs Assault or Berserk to declare an Assault.", "INF-ASL-01")


def assault(
    profile: Profile,
    distance_inches: float,
    *,
    line_of_fire: bool = True,
    active: bool = True,
    path_declared: bool = True,
) -> Charge:
    """Measure an Assault right after its declaration, before AROs; too far means the move without the attack.

    path_declared: path and target were both named. Raises Forbidden without the skill, the target in LoF, the
    declared path or the Active Turn.
    Rules: INF-ASL-01, INF-ASL-02, INF-ASL-03, INF-ASL-05, INF-ASL-06.
    """
    require_assault(profile)
    if not active:
        forbid("You can't declare an Assault in ARO because it takes an Entire Order.", "INF-ASL-01")
    if not line_of_fire:
        forbid("Choose a target in line of fire to declare an Assault.", "INF-ASL-02")
    if not path_declared:
        forbid("Declare the path and the target together, before any AROs.", "INF-ASL-05")
    reach = charge_inches(profile)
    return Charge(distance_inches <= reach, reach)
