"""Items in play: using them, breaching with charges, and what energy is drained."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from rules.counters import PerWord
from rules.dice import Dice, Die
from rules.effects import Count, Effect, Gain, Mend, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.building.crew import has_vehicle_slots
from rules.systems.counterblast.building.equipment import (
    Fault,
    Outfit,
    count_free_slots,
    count_gear_slots,
    faults,
)
from rules.systems.counterblast.core.burning import Fire, put_out_flames, shrink_fire
from rules.systems.counterblast.core.checks import (
    CheckResult,
    PreparedCheck,
    Throw,
    build_check_die,
    roll_one_success,
    throw,
)
from rules.systems.counterblast.core.conditions import apply_healing, require_able
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.dice_pools import initiative_check, prepare_check
from rules.systems.counterblast.core.fighter import DRAINED_ITEM, Condition, Fighter, Until
from rules.systems.counterblast.core.impacts import Impact, Suffered, suffer
from rules.systems.counterblast.core.profile import Gear, Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.movement.ground import structure

EXTINGUISH_TARGET = 7
ARMING_TARGET = 7

Arming = Literal["armed", "nothing", "explodes"]


USED = PerWord("used:")
"""Counters of a model, by the key of an item or a relic: how often it used it in this encounter."""


def require_item(model: Fighter, key: str) -> Gear:
    """Return the item of that key that the model carries and has uses left of.

    Raises Forbidden without it, or when it is used up or drained. Rules: CB-GEAR-01, CB-GEAR-35.
    """
    require_able(model)
    item = next((gear for gear in model.gear if gear.key == key), None)
    if item is None or not model.works(key):
        raise Forbidden(f"{model.name} has no working item of that kind.", "CB-GEAR-01")
    if is_used_up(model, item):
        forbid(f"{item.name} is used up for this encounter.", item.rules[-1])
    return item


def is_used_up(model: Fighter, item: Gear) -> bool:
    """Return whether an item of few uses has none left; each of several has its own. Rules: CB-GEAR-01."""
    carried = sum(gear.key == item.key for gear in model.gear)
    return bool(item.uses) and model.count(USED.of(item.key)) >= item.uses * carried


# ------------------------------------------------------------------------------------------- changing hands


def room_for(receiver: Fighter, item: Weapon | Gear) -> bool:
    """Return whether a model has a free slot for an item; a Beast carries gear of others in weapon slots
    too.

    Rules: CB-GEAR-02, CB-BUILD-05, CB-BUILD-22.
    """
    mekkus = has_vehicle_slots(receiver)
    slots_left = count_free_slots(receiver.profile, receiver.weapons, receiver.gear, mekkus=mekkus)
    worn = receiver.gear
    needed = (
        item.slots if isinstance(item, Weapon) else count_gear_slots((*worn, item)) - count_gear_slots(worn)
    )
    if slots_left.mixed or mekkus:
        return slots_left.mixed >= needed
    if isinstance(item, Weapon):
        return slots_left.weapons >= needed
    packed = receiver.profile.is_beast and slots_left.weapons >= needed
    return slots_left.gear >= needed or packed


def hand_over(
    giver: Fighter, receiver: Fighter, item: Weapon | Gear, *, in_contact: bool
) -> tuple[Effect, ...]:
    """Use an action of the giver to hand an item to a friend in base contact.

    Raises Forbidden out of contact, to an enemy, for a natural weapon, for what is used up, without a free
    slot, and for what the receiver may not wear beside the rest. Rules: CB-GEAR-01, CB-GEAR-02, CB-GEAR-06,
    CB-GEAR-11, CB-GEAR-12.
    """
    require_able(giver)
    if giver.side != receiver.side or receiver.is_down:
        forbid(f"Choose a friend that isn't down. {receiver.name} can't receive the item.", "CB-GEAR-02")
    if not in_contact:
        raise Forbidden("You can only hand items over in base contact.", "CB-GEAR-02")
    carried = [weapon.key for weapon in giver.weapons] + [gear.key for gear in giver.gear]
    if item.key not in carried:
        raise Forbidden(f"{giver.name} doesn't carry {item.name}.", "CB-GEAR-02")
    if isinstance(item, Weapon) and item.is_natural:
        raise Forbidden(
            f"{giver.name} can't give away {item.name}, because natural weapons are part of its body.",
            "CB-GEAR-06",
        )
    if isinstance(item, Gear) and is_used_up(giver, item):
        raise Forbidden(f"{item.name} is used up for this encounter.", "CB-GEAR-01")
    if not room_for(receiver, item):
        forbid(f"{receiver.name} has no free slot for {item.name}.", "CB-GEAR-02")
    for fault in _new_faults(receiver, item):
        forbid(fault.sentence, fault.rule)
    reason = f"{giver.name} gives {item.name} to {receiver.name}."
    return (Propose("hand_over", giver.id, reason, (("item", item.key), ("to", receiver.id))),)


def _new_faults(receiver: Fighter, item: Weapon | Gear) -> tuple[Fault, ...]:
    """What is wrong with carrying an item beside what the model carries, slots aside; a Beast carries for
    others. Rules: CB-GEAR-11, CB-GEAR-12, CB-BUILD-05, CB-WEAP-38.
    """
    if receiver.profile.is_beast:
        return ()
    weapons = tuple(weapon for weapon in receiver.weapons if weapon.rules != ("CB-GEAR-34",))
    old_outfit = Outfit(receiver.profile, weapons, receiver.gear)
    if isinstance(item, Weapon):
        new_outfit = replace(old_outfit, weapons=(*weapons, item))
    else:
        new_outfit = replace(old_outfit, gear=(*receiver.gear, item))
    slots = ("CB-BUILD-22", "CB-GEAR-08", "CB-GEAR-10")
    old_faults = faults(old_outfit)
    return tuple(fault for fault in faults(new_outfit) if fault not in old_faults and fault.rule not in slots)


def lost_with(model: Fighter) -> tuple[str, ...]:
    """Return keys of the equipment that is lost with a casualty: everything but natural weapons.

    Rules: CB-GEAR-03, CB-CASU-06.
    """
    arms = tuple(weapon.key for weapon in model.weapons if not weapon.is_natural)
    return (*arms, *(item.key for item in model.gear))


# ------------------------------------------------------------------------------------------- boosts


def body_boost(model: Fighter, *, attack: bool = False) -> tuple[Effect, ...]:
    """Use a Body Boost, free: one more action in this activation, or one more attack. Raises Forbidden.

    Rules: CB-GEAR-21.
    """
    require_item(model, "body_boost")
    return _boost(model, "body_boost", attack=attack)


def brain_boost(model: Fighter, *, attack: bool = False) -> tuple[Effect, ...]:
    """Use a Brain Boost, free: one more psionic action or attack in this activation, used at once.

    Raises Forbidden, for a model without psionics too. Rules: CB-GEAR-41.
    """
    require_item(model, "brain_boost")
    if model.profile.psionic is None:
        raise Forbidden(f"{model.name} has no psionic rating, so it can't use a Brain Boost.", "CB-GEAR-41")
    reason = f"{model.name} can use one more psionic power."
    return (*_boost(model, "brain_boost", attack=attack), Propose("power", model.id, reason))


def _boost(model: Fighter, key: str, *, attack: bool) -> tuple[Effect, ...]:
    if not model.has(Condition.ACTIVE):
        raise Forbidden(f"Activate {model.name} first.", "CB-COND-07")
    refund = (Count("model", model.id, Counter.ATTACKS, -1),) if attack else ()
    return (Count("model", model.id, USED.of(key), 1), Count("model", model.id, Counter.ACTIONS, -1), *refund)


# ------------------------------------------------------------------------------------------- mending


def med_gel(user: Fighter, patient: Fighter, *, in_contact: bool = True) -> tuple[Effect, ...]:
    """Use a Med Gel as a Use Item action: 1 Life of a wounded Living model in contact, or of the user.

    Raises Forbidden for others, for one without Life left and when it is used up. Rules: CB-GEAR-42.
    """
    item = require_item(user, "med_gel")
    if not patient.profile.is_living:
        forbid(f"{patient.name} isn't Living, so Med Gel doesn't help.", "CB-GEAR-42")
    if patient.id != user.id and not in_contact:
        raise Forbidden(f"Move into base contact with {patient.name} to use Med Gel.", "CB-GEAR-42")
    if patient.is_down:
        raise Forbidden(f"{patient.name} has no Life left, so Med Gel isn't enough.", "CB-GEAR-42")
    if not patient.damage:
        raise Forbidden(f"{patient.name} is unhurt and doesn't need Med Gel.", "CB-GEAR-42")
    healed = apply_healing(patient, item.value("life"), "medicine")
    return (Count("model", user.id, USED.of(item.key), 1), *healed)


def self_repair(vehicle: Fighter, key: str) -> tuple[Effect, ...]:
    """Use a Computer Backup or Engineer Operator: 1 Life of the vehicle.

    Raises Forbidden when it is used up, the vehicle unhurt or without Life. Rules: CB-VEH-50.
    """
    item = require_item(vehicle, key)
    if not item.value("life") or not vehicle.profile.is_vehicle:
        raise Forbidden(f"{item.name} can't repair {vehicle.name}.", "CB-VEH-50")
    if not vehicle.damage:
        raise Forbidden(f"{vehicle.name} is undamaged, so there is nothing to repair.", "CB-VEH-50")
    return (Count("model", vehicle.id, USED.of(key), 1), Mend(vehicle.id, item.value("life")))


# ------------------------------------------------------------------------------------------- fire


@cache
def _spray_die() -> Die:
    return build_check_die(0, EXTINGUISH_TARGET, criticals=False)


def prepare_extinguishing(
    user: Fighter, burning: Fighter, *, partly: bool, settings: Settings = DEFAULTS
) -> PreparedCheck | None:
    """Prepare the check of a burning model only partly under the spray: Initiative at 7; None when it is
    wholly covered. Raises Forbidden without an extinguisher. Rules: CB-GEAR-36.
    """
    require_item(user, "fire_extinguisher")
    return initiative_check(burning, EXTINGUISH_TARGET, settings=settings) if partly else None


def extinguish_model(dice: Dice, escape: tuple[Throw, ...] = ()) -> bool:
    """Roll the spray on one burning model: d10 at 7; one partly covered needs its Initiative check first.

    Rules: CB-GEAR-36.
    """
    if escape and not roll_one_success(dice, escape, "initiative"):
        return False
    return dice.pool(1, _spray_die(), "spray")[0] > 0


def extinguish_area(dice: Dice, inches: int) -> int:
    """Roll the spray on a fire: one d10 at 7 for each inch of its number; gives the successes.

    inches: the number of its template, 1 or more. Rules: CB-GEAR-36.
    """
    return dice.pool(inches, _spray_die(), "spray")[0]


def after_spraying(fire: Fire, successes: int, settings: Settings = DEFAULTS) -> Fire | None:
    """Return the fire that is left, None when it is out. Rules: CB-GEAR-36, CB-BURN-07."""
    return shrink_fire(fire, successes, settings)


def after_extinguishing(model: Fighter, extinguished: bool, *, itself: bool = False) -> tuple[Effect, ...]:
    """Return the effects of putting a model out. itself: with its spray. Rules: CB-GEAR-36, CB-BURN-06."""
    return put_out_flames(model, itself=itself) if extinguished and model.has(Condition.BURNING) else ()


# ------------------------------------------------------------------------------------------- bombs


@dataclass(frozen=True, slots=True)
class Bomb:
    """A bomb token: the key of its kit, who armed it (id) and in which turn."""

    weapon: str
    model: int
    turn: int

    def is_due(self, *, ended: int = 0, turn_over: int = 0, model_gone: bool = False) -> bool:
        """Return whether it explodes now: when the next activation of its model ends or, if the model is
        `model_gone`, at the end of the turn after it was armed.

        ended: id of the model whose activation ends, not the one in which it armed the bomb, 0 for none.
        turn_over: the turn that ends, 0 for none. Rules: CB-GEAR-51.
        """
        if model_gone:
            return turn_over > self.turn
        return ended == self.model


def prepare_arming(
    model: Fighter, weapon: Weapon, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> PreparedCheck:
    """Prepare to arm a Bomb Kit: Engineering at 7. Raises Forbidden for a kit it does not carry.

    Rules: CB-GEAR-51.
    """
    if model.weapon(weapon.key).group != "bomb":
        raise Forbidden(f"Choose a Bomb Kit. {weapon.name} isn't one.", "CB-GEAR-51")
    return prepare_check(
        model,
        "INT",
        ARMING_TARGET,
        skill="engineering",
        with_equipment=True,
        target_reason="arming the bomb",
        target_rule="CB-GEAR-51",
        order_token=order_token,
        settings=settings,
    )


def arm(dice: Dice, throws: tuple[Throw, ...]) -> Arming:
    """Roll to arm a bomb: a success places it, a critical failure sets it off at once. Rules: CB-GEAR-51."""
    result: CheckResult = throw(dice, throws, label="arming")
    if result.critical_failure:
        return "explodes"
    return "armed" if result.net else "nothing"


ARM = Weapon(
    key="extraction_arm",
    name="Extraction Tool",
    group="hand",
    deliveries=("melee",),
    power=3,
    melee=True,
    reach_inches=2,
    rules=("CB-GEAR-34",),
)
"""The tool as a weapon: Power 3, reach 2 in, 1 damage. Rules: CB-GEAR-34, CB-VEH-51."""

DRAIN = Weapon(
    key="extraction_drain",
    name="Energy drain",
    group="hand",
    deliveries=("melee",),
    power=3,
    melee=True,
    reach_inches=2,
    damage=0,
    rules=("CB-GEAR-35",),
)
"""The tool as a drain: Power 3, reach 2 in, no damage. Rules: CB-GEAR-35, CB-VEH-51."""


def require_tool(user: Fighter) -> None:
    """Raise Forbidden for a model without a working Extraction Tool. Rules: CB-GEAR-33, CB-VEH-51."""
    if not user.has_gear("extraction_tool"):
        raise Forbidden(f"{user.name} has no Extraction Tool.", "CB-GEAR-33")


def drainable(target: Fighter) -> tuple[Weapon | Gear, ...]:
    """Return the items of a model that can be drained, the energized ones. Rules: CB-GEAR-35, CB-GEAR-09."""
    arms = tuple(weapon for weapon in target.weapons if weapon.is_energized)
    return (*arms, *(item for item in target.gear if item.energized))


def require_drain(user: Fighter, target: Fighter, item: str) -> None:
    """Refuse, with Forbidden, a drain without a tool, or of an item that cannot be drained.

    item: its key, named before the attack is rolled. Rules: CB-GEAR-35.
    """
    require_tool(user)
    if item not in {target_item.key for target_item in drainable(target)}:
        raise Forbidden(f"Choose an energized item that {target.name} carries.", "CB-GEAR-35")


def after_drain(user: Fighter, target: Fighter, item: str, suffered: Suffered) -> tuple[Effect, ...]:
    """Apply a drain: the item fails until the end of the target's next activation, and the user
    regains 1 Life that it lost. Rules: CB-GEAR-35.
    """
    require_drain(user, target, item)
    if suffered.through < 1:
        return ()
    drained = Gain(target.id, DRAINED_ITEM + item, until=Until.NEXT_ACTIVATION_END, source="energy drain")
    return (drained, Mend(user.id, 1)) if user.damage else (drained,)


BLAST_INCHES = 1


def require_charge(charge: Gear) -> None:
    """Raise Forbidden for gear that is no Breaching Charge. Rules: CB-GEAR-28."""
    if charge.key not in ("breaching_charge", "heavy_breaching_charge"):
        raise Forbidden(f"Choose a Breaching Charge. {charge.name} isn't one.", "CB-GEAR-28")


def prepare_breach(
    model: Fighter,
    kind: str,
    charge: Gear,
    breaches: int = 0,
    *,
    order_token: bool = False,
    settings: Settings = DEFAULTS,
) -> PreparedCheck:
    """Prepare the Engineering test of the model that detonates a charge.

    kind: the structure's key. breaches: tests made on the same spot, each +1. A heavy charge gives +2.
    Raises Forbidden, InvalidInput. Rules: CB-GEAR-28, CB-GEAR-29, CB-GEAR-31.
    """
    require_charge(charge)
    if breaches < 0:
        raise InvalidInput("The number of earlier tests can't be below 0.")
    row = structure(kind)
    parts = [Modifier(breaches, "earlier charges", "CB-GEAR-29")] if breaches else []
    if charge.value("engineering"):
        parts.append(Modifier(charge.value("engineering"), charge.name, "CB-GEAR-31"))
    return prepare_check(
        model,
        "INT",
        row.value("target"),
        skill="engineering",
        with_equipment=True,
        modifiers=tuple(parts),
        target_reason=row.name,
        target_rule="CB-GEAR-29",
        order_token=order_token,
        settings=settings,
    )


def breach(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Roll the test; true opens a hole. Rules: CB-GEAR-29."""
    return roll_one_success(dice, throws, "breach")


def is_hit(inches: float, *, far_side: bool, breached: bool) -> bool:
    """Return whether the blast hits a model: within 1 in, on the far side only when the breach succeeds.

    Rules: CB-GEAR-30.
    """
    return inches <= BLAST_INCHES and (breached or not far_side)


def blast_impact(target: Fighter, charge: Gear, settings: Settings = DEFAULTS) -> Impact:
    """Return the automatic hit of the blast: 1 damage, Power 4, of a heavy charge 6; shields help.

    Rules: CB-GEAR-30, CB-GEAR-31.
    """
    require_charge(charge)
    return Impact(
        power=charge.value("power"),
        damage=charge.value("damage"),
        shields=target.shield,
        tough=target.has_feature("tough"),
        ones_cancel=settings.shield_ones_cancel,
    )


def blast_wounds(dice: Dice, impact: Impact) -> int:
    """Roll the hit of the blast and return the wounds that come through. Rules: CB-GEAR-30."""
    return suffer(dice, 1, 0, impact).through
