"""Two troopers against each other in one Order, prepared from their profiles and what each of them does.

Owns the step from profiles to plain numbers: dice, values, saves, every MOD with its reason, and whether the
two rolls meet. The dice are thrown by `resolve`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.dice import Dice
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.infinity.armour import Losses, Save, exchange, unopposed
from rules.systems.infinity.close_combat import Fighter, chart_notes, imposed_modifiers, melee
from rules.systems.infinity.movement import Ground
from rules.systems.infinity.profile import Skill, Weapon
from rules.systems.infinity.reactions import Evading, Evasion, evasion_modifiers, evasion_value
from rules.systems.infinity.rolls import Side, modified
from rules.systems.infinity.settings import DEFAULT, Settings
from rules.systems.infinity.shooting import (
    Mode,
    Shot,
    burst_of,
    hacking_modifiers,
    hiding_of,
    reset_modifiers,
    save_against,
    shot_modifiers,
    shot_value,
)
from rules.systems.infinity.trooper import Trooper, check_surprise_shot


class Does(StrEnum):
    """The actions of a trooper in the Order that concern the other one."""

    SHOOT = "shoot"
    FIGHT = "fight"
    DODGE = "dodge"
    CHANGE_FACING = "change facing"
    ENGAGE = "engage"
    HACK = "hack"
    RESET = "reset"
    NOTHING = "nothing"


_EVASIONS = {
    Does.DODGE: Evasion.DODGE,
    Does.CHANGE_FACING: Evasion.CHANGE_FACING,
    Does.ENGAGE: Evasion.ENGAGE,
}


ATTACKS = frozenset({Does.SHOOT, Does.FIGHT, Does.HACK})
"""Skills that can hurt the other."""


def touches(skill: Does, other: Does) -> bool:
    """Return whether a Skill opposes another: Reset only hacking, evading everything but hacking.

    Rules: INF-F2F-01.
    """
    if skill is Does.RESET:
        return other is Does.HACK
    return not (skill in _EVASIONS and other is Does.HACK)


@dataclass(frozen=True, slots=True)
class Combatant:
    """One side of a duel.

    weapon: a name on the profile, for an attack. aimed: dice of a divided Burst, None for all. cover: it is
    in Partial Cover from the other. line_of_fire: to the other. surprise: it declares a Surprise Shot, or
    attacks in CC out of a Marker. zero_visibility, visibility: as in `shooting.Shot`. martial_arts, berserk,
    assault, allies: as in `close_combat.Fighter`. ground: under it, if it moves in reaction. alerted: an ally
    gave the alert. others: any further MODs to its own roll.
    """

    trooper: Trooper
    does: Does
    weapon: str = ""
    aimed: int | None = None
    cover: bool = False
    line_of_fire: bool = True
    mode: Mode = Mode.DIRECT
    surprise: bool = False
    zero_visibility: bool = False
    visibility: int = 0
    martial_arts: int = 0
    berserk: bool = False
    assault: bool = False
    allies: int = 0
    ground: Ground = Ground.OPEN
    alerted: bool = False
    others: tuple[Modifier, ...] = ()

    @property
    def attacks(self) -> bool:
        """Return whether its Skill can hurt the other."""
        return self.does in ATTACKS

    def used_weapon(self) -> Weapon:
        """Return the weapon in use. Raises InvalidInput where the profile has none of that name."""
        return self.trooper.current.weapon(self.weapon)


@dataclass(frozen=True, slots=True)
class Duel:
    """A duel ready to roll: sides, saves, whether the rolls meet, and the MODs of either side's roll."""

    a: Side
    b: Side
    save_a: Save
    save_b: Save
    opposed: bool
    modifiers_a: tuple[Modifier, ...] = ()
    modifiers_b: tuple[Modifier, ...] = ()


def prepare_duel(
    active: Combatant, reactive: Combatant, distance_inches: float, settings: Settings = DEFAULT
) -> Duel:
    """Return the numbers of an Order of the active trooper and one ARO to it; side a is the active trooper.

    Raises Forbidden and InvalidInput with what the rules or the profiles do not allow.
    Rules: INF-F2F-01, INF-F2F-07, INF-BS-01, INF-DOD-01, INF-CC-01, INF-SS-03.
    """
    doing = Does.NOTHING not in (active.does, reactive.does)
    berserk = active.berserk or reactive.berserk
    met = touches(active.does, reactive.does) and touches(reactive.does, active.does)
    opposed = doing and met and not berserk
    a, modifiers_a, damage_a = _roll(active, reactive, distance_inches, True, opposed, settings)
    b, modifiers_b, damage_b = _roll(reactive, active, distance_inches, False, opposed, settings)
    return Duel(
        a,
        b,
        _save(active, reactive, damage_b, settings),
        _save(reactive, active, damage_a, settings),
        opposed,
        modifiers_a,
        modifiers_b,
    )


_Roll = tuple[Side, tuple[Modifier, ...], int]


def _roll(
    me: Combatant, foe: Combatant, distance: float, active: bool, opposed: bool, settings: Settings
) -> _Roll:
    if me.does is Does.NOTHING:
        return Side(0, 0, attacks=False), (), 0
    if me.trooper.is_null:
        raise Forbidden(f"{me.trooper.current.name} can't act in its current state.", "INF-WND-02")
    if me.does is Does.FIGHT:
        return _fight(me, foe, active, opposed, settings)
    if me.does is Does.SHOOT:
        return _shoot(me, foe, distance, active, opposed, settings)
    if me.does in (Does.HACK, Does.RESET):
        return _hack(me, foe, distance, active, opposed, settings)
    return _evade(me, foe, distance, active, opposed, settings)


def _imposed(
    me: Combatant, foe: Combatant, active: bool, opposed: bool, settings: Settings
) -> tuple[Modifier, ...]:
    if foe.does is not Does.FIGHT:
        return ()
    sixth_sense = me.trooper.levels(Skill.SIXTH_SENSE, settings)
    return imposed_modifiers(_fighter(foe, not active, settings), sixth_sense, opposed=opposed)


def _surprise_level(foe: Combatant, *, foe_active: bool) -> int:
    if not (foe.surprise and foe.does in (Does.SHOOT, Does.HACK)):
        return 0
    check_surprise_shot(foe.trooper, active=foe_active)
    return max(foe.trooper.levels(Skill.SURPRISE_SHOT))


def _shoot(
    me: Combatant, foe: Combatant, distance: float, active: bool, opposed: bool, settings: Settings
) -> _Roll:
    trooper, weapon = me.trooper, me.used_weapon()
    if weapon.close or weapon.hacking:
        reason = "a close combat weapon" if weapon.close else "a hacking program"
        raise Forbidden(f"Choose another weapon to shoot with. {weapon.name} is {reason}.", "INF-BS-01")
    shot = Shot(
        bs=trooper.current.attribute("bs"),
        weapon=weapon,
        distance_inches=distance,
        cover=foe.cover,
        hiding=hiding_of(foe.trooper),
        mode=me.mode,
        line_of_fire=me.line_of_fire,
        active=active,
        answering=not active and foe.attacks,
        zero_visibility=me.zero_visibility,
        visibility=me.visibility,
        opposed=opposed,
        surprise=_surprise_level(foe, foe_active=not active),
        sixth_sense=trooper.levels(Skill.SIXTH_SENSE, settings),
        sensor=bool(trooper.levels(Skill.SENSOR)),
        others=(*_imposed(me, foe, active, opposed, settings), *me.others),
    )
    modifiers = shot_modifiers(shot, settings)
    burst = burst_of(weapon, active=active, total_reaction=bool(trooper.levels(Skill.TOTAL_REACTION)))
    return Side(_aimed(me, burst), shot_value(shot, settings)), modifiers, 0


def _hack(
    me: Combatant, foe: Combatant, distance: float, active: bool, opposed: bool, settings: Settings
) -> _Roll:
    """A Hacking Attack, or a Reset against one. Rules: INF-F2F-01, INF-F2F-07, INF-ROLL-02, INF-SS-03."""
    wip = me.trooper.current.attribute("wip")
    level = _surprise_level(foe, foe_active=not active)
    sixth_sense = me.trooper.levels(Skill.SIXTH_SENSE, settings)
    others = (*_imposed(me, foe, active, opposed, settings), *me.others)
    if me.does is Does.RESET and foe.does is not Does.HACK:
        return Side(0, 0, attacks=False), (), 0
    if me.does is Does.RESET:
        modifiers = reset_modifiers(level, distance, opposed=opposed, sixth_sense=sixth_sense, others=others)
        return Side(1, modified(wip, modifiers, settings), attacks=False), modifiers, 0
    program = me.used_weapon()
    modifiers = hacking_modifiers(
        program, distance, opposed=opposed, surprise=level, sixth_sense=sixth_sense, others=others
    )
    burst = burst_of(program, active=active)
    return Side(_aimed(me, burst), modified(wip, modifiers, settings)), modifiers, 0


def _aimed(me: Combatant, burst: int) -> int:
    if me.aimed is None:
        return burst
    if not 0 < me.aimed <= burst:
        choice = "1 die" if burst == 1 else f"1 to {burst} dice"
        raise Forbidden(f"Choose {choice} for this target (you entered {me.aimed}).", "INF-F2F-07")
    return me.aimed


def _evade(
    me: Combatant, foe: Combatant, distance: float, active: bool, opposed: bool, settings: Settings
) -> _Roll:
    template = foe.does is Does.SHOOT and foe.used_weapon().template
    evading = Evading(
        profile=me.trooper.current,
        distance_inches=distance,
        skill=_EVASIONS[me.does],
        line_of_fire=me.line_of_fire,
        template=template,
        speculative=foe.does is Does.SHOOT and (foe.mode is Mode.SPECULATIVE or not foe.line_of_fire),
        alerted=me.alerted,
        visibility=me.visibility,
        opposed=opposed,
        surprise=_surprise_level(foe, foe_active=not active),
        sixth_sense=me.trooper.levels(Skill.SIXTH_SENSE, settings),
        ground=me.ground,
        others=(*_imposed(me, foe, active, opposed, settings), *me.others),
    )
    modifiers = evasion_modifiers(evading, settings)
    return Side(1, evasion_value(evading, settings), attacks=False), modifiers, 0


def _fighter(me: Combatant, active: bool, settings: Settings) -> Fighter:
    return Fighter(
        profile=me.trooper.current,
        weapon=me.used_weapon(),
        martial_arts=me.martial_arts,
        berserk=me.berserk,
        assault=me.assault,
        allies=me.allies,
        surprise=me.surprise,
        active=active,
        sixth_sense=me.trooper.levels(Skill.SIXTH_SENSE, settings),
        others=me.others,
    )


def notes_of(me: Combatant, *, active: bool, settings: Settings = DEFAULT) -> tuple[str, ...]:
    """Return the notes of the charts on the close combat skills that a combatant uses. Rules: INF-CCS-09."""
    return chart_notes(_fighter(me, active, settings)) if me.does is Does.FIGHT else ()


def _fight(me: Combatant, foe: Combatant, active: bool, opposed: bool, settings: Settings) -> _Roll:
    enemy = _fighter(foe, not active, settings) if foe.does is Does.FIGHT else None
    ready = melee(_fighter(me, active, settings), enemy, enemy_affects=opposed, settings=settings)
    return Side(ready.burst, ready.value), ready.modifiers, ready.damage_mod


def _save(me: Combatant, foe: Combatant, damage_mod: int, settings: Settings) -> Save:
    """Return the save of one side against what the other does; harmless where the other does not attack."""
    if not foe.attacks:
        return Save(0, 0)
    weapon = foe.used_weapon()
    return save_against(
        weapon,
        me.trooper.save_armour(bts=weapon.bts, settings=settings),
        cover=me.cover,
        mode=foe.mode,
        ph=foe.trooper.current.attribute("ph") if weapon.physical else 0,
        damage_mod=damage_mod,
    )


def resolve(dice: Dice, a: Side, b: Side, save_a: Save, save_b: Save, *, opposed: bool = True) -> Losses:
    """Throw a prepared duel: points that each side loses. Rules: INF-F2F-01, INF-F2F-02, INF-ROLL-06."""
    if opposed:
        return exchange(dice, a, b, save_a, save_b)
    return unopposed(dice, a, b, save_a, save_b)
