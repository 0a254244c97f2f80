"""The rules for a model's equipment: slots, suits and layers, Specialists, swaps.

Owns the composition of a model's equipment before play. The use of items in play is in `items`, `breaching`,
`clouds` and the checks that they help.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Gear, Profile, Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.wording import times

LAYER_NAMES: dict[str, str] = {
    "outer": "suit of armour or Chameleon Suit",
    "suit": "suit",
    "helmet": "helmet",
    "mesh": "mesh",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that the rules do not allow: a sentence for the player, and the rule."""

    sentence: str
    rule: str


@dataclass(frozen=True, slots=True)
class Slots:
    """Equipment slots: for weapons, for gear, and those that take either."""

    weapons: int
    gear: int
    mixed: int = 0


@dataclass(frozen=True, slots=True)
class Outfit:
    """A model and everything it would carry.

    affiliation: the crew's faction, empty when any will do. specialties: of the crew. mekkus: slots are
    counted as a Vehicle's. printed: what its block came with, for which there is room whatever its AGL.
    `profile` has the Features and AGL that count.
    """

    profile: Profile
    weapons: tuple[Weapon, ...] = ()
    gear: tuple[Gear, ...] = ()
    affiliation: str = ""
    specialties: frozenset[str] = frozenset()
    mekkus: bool = False
    printed: tuple[Weapon | Gear, ...] = ()


# ------------------------------------------------------------------------------------------- slots


def count_slots(profile: Profile, *, mekkus: bool = False) -> Slots:
    """Return the equipment slots of a model: as many for weapons and for gear as AGL has dice.

    Robots, Cyberforms, Vehicles and, in their own crew, Mekkus use the same number of slots in any mix.
    Rules: CB-BUILD-22, CB-GEAR-08, CB-GEAR-10, CB-VEH-41, CB-CREW-12.
    """
    dice = profile.agility.value
    if mekkus or profile.is_robot or profile.is_cyberform or profile.is_vehicle:
        return Slots(0, 0, 2 * dice)
    return Slots(dice, dice)


def count_gear_slots(gear: Iterable[Gear]) -> int:
    """Return the gear slots that are taken: one each, an Envirosuit with a Chameleon Suit together one.

    Rules: CB-GEAR-10, CB-GEAR-11, CB-GEAR-49.
    """
    worn = tuple(gear)
    pair = {"envirosuit", "chameleon_suit"} <= {item.key for item in worn}
    return len(worn) - int(pair)


def count_weapon_slots(weapons: Iterable[Weapon]) -> int:
    """Return the weapon slots taken: 2 by a Specialist weapon, 0 by a natural one, 1 by any other, grenades
    included.

    Rules: CB-BUILD-22, CB-GEAR-06, CB-GEAR-07.
    """
    return sum(0 if weapon.is_natural else weapon.slots for weapon in weapons)


def count_free_slots(
    profile: Profile, weapons: Iterable[Weapon], gear: Iterable[Gear], *, mekkus: bool = False
) -> Slots:
    """Return the slots that are left; below 0 where a printed block carries more than its slots hold.

    Rules: CB-BUILD-22, CB-GEAR-08.
    """
    total_slots = count_slots(profile, mekkus=mekkus)
    arms_used, gear_used = count_weapon_slots(weapons), count_gear_slots(gear)
    if total_slots.mixed:
        return Slots(0, 0, total_slots.mixed - arms_used - gear_used)
    return Slots(total_slots.weapons - arms_used, total_slots.gear - gear_used)


def _list_slot_faults(outfit: Outfit) -> list[Fault]:
    total_slots = count_slots(outfit.profile, mekkus=outfit.mekkus)
    arms_used, gear_used = count_weapon_slots(outfit.weapons), count_gear_slots(outfit.gear)
    printed_arms = count_weapon_slots(item for item in outfit.printed if isinstance(item, Weapon))
    printed_gear = count_gear_slots(item for item in outfit.printed if isinstance(item, Gear))
    if total_slots.mixed:
        room = max(total_slots.mixed, printed_arms + printed_gear)
        return (
            [_build_slot_fault("slot", arms_used + gear_used, room, "CB-GEAR-08")]
            if arms_used + gear_used > room
            else []
        )
    slot_faults = []
    if arms_used > max(total_slots.weapons, printed_arms):
        slot_faults.append(
            _build_slot_fault("weapon slot", arms_used, max(total_slots.weapons, printed_arms), "CB-BUILD-22")
        )
    if gear_used > max(total_slots.gear, printed_gear):
        slot_faults.append(
            _build_slot_fault("gear slot", gear_used, max(total_slots.gear, printed_gear), "CB-GEAR-10")
        )
    return slot_faults


def _build_slot_fault(kind: str, used: int, room: int, rule: str) -> Fault:
    return Fault(
        f"These items take {times(used, kind)}, but the model has {f'only {room}' if room else 'none'}.", rule
    )


# ------------------------------------------------------------------------------------------- who may carry


def is_open_to(item: Weapon | Gear, affiliation: str, specialties: frozenset[str] = frozenset()) -> bool:
    """Return whether a crew of that affiliation may have the item, or one with a Specialty that opens it.

    Rules: CB-GEAR-10, CB-WEAP-03.
    """
    if not affiliation or affiliation in item.affiliations:
        return True
    return isinstance(item, Weapon) and bool(specialties & set(item.specialties))


def _list_weapon_faults(outfit: Outfit) -> list[Fault]:
    profile, weapon_faults = outfit.profile, []
    is_beast = profile.is_beast and not profile.is_vehicle
    for weapon in outfit.weapons:
        if not is_open_to(weapon, outfit.affiliation, outfit.specialties):
            weapon_faults.append(Fault(f"This crew's faction can't have {weapon.name}.", "CB-GEAR-10"))
        if weapon.specialist and not profile.has_feature("weapon_specialist"):
            weapon_faults.append(Fault(f"{weapon.name} needs the Weapon Specialist Feature.", "CB-WEAP-38"))
        if weapon.has_effect("hero_only") and not profile.is_hero:
            weapon_faults.append(Fault(f"Only Heroes can have {weapon.name}.", "CB-WEAP-18"))
        if is_beast and not weapon.is_natural and weapon.group != "hand":
            weapon_faults.append(
                Fault(f"A Beast can only use hand and natural weapons, not {weapon.name}.", "CB-BUILD-05")
            )
    return weapon_faults


def _list_gear_faults(outfit: Outfit, settings: Settings) -> list[Fault]:
    profile, gear_faults = outfit.profile, []
    for item in outfit.gear:
        if not is_open_to(item, outfit.affiliation) or not _is_lazsteel_allowed(
            item, outfit.affiliation, settings
        ):
            gear_faults.append(Fault(f"This crew's faction can't have {item.name}.", "CB-GEAR-10"))
        if item.types and not _is_of_types(profile, item.types):
            kinds_text = " or ".join(kind.title() for kind in item.types)
            gear_faults.append(Fault(f"Only {kinds_text} models can have {item.name}.", "CB-GEAR-12"))
        if item.only and profile.key not in item.only and profile.rank not in item.only:
            names = ", ".join(key.replace("_", " ").title() for key in item.only)
            form = "Only these models can have {}: {}." if len(item.only) > 1 else "Only a {1} can have {0}."
            gear_faults.append(Fault(form.format(item.name, names), item.rules[-1]))
        if item.needs and not _has_one_of(outfit, item.needs):
            owners = " or ".join(sorted(map(_describe_owner, item.needs), key=len))
            gear_faults.append(Fault(f"Only {owners} can have {item.name}.", item.rules[-1]))
        if profile.is_beast and not profile.is_vehicle and item.group != "apparel":
            gear_faults.append(Fault(f"A Beast can only wear Apparel, not {item.name}.", "CB-BUILD-05"))
    return gear_faults


def _is_lazsteel_allowed(item: Gear, affiliation: str, settings: Settings) -> bool:
    return item.key != "lazsteel_armor" or settings.lazsteel_for == "all" or affiliation in ("", "gcw")


def _is_of_types(profile: Profile, types: Iterable[str]) -> bool:
    return any(kind in profile.types or (kind == "living" and profile.is_living) for kind in types)


def _describe_owner(need: str) -> str:
    """Return the models that have what an item needs, in words: a Robot, a model with the Psionic Feature."""
    library = load()
    if need in library.gear:
        return f"a model with {library.gear[need].name}"
    if need in library.features:
        return f"a model with the {library.features[need].name} Feature"
    return f"a {need.replace('_', ' ').title()}"


def _has_one_of(outfit: Outfit, needs: Iterable[str]) -> bool:
    carried = {item.key for item in outfit.gear}
    return any(
        need in carried or need in outfit.profile.types or outfit.profile.has_feature(need) for need in needs
    )


def _list_number_faults(outfit: Outfit) -> list[Fault]:
    """Each item once per model, one of them twice for the Resourceful; one piece of each layer."""
    number_faults = []
    items: tuple[Weapon | Gear, ...] = (*outfit.gear, *(arm for arm in outfit.weapons if not arm.is_natural))
    counts = Counter(item.key for item in items)
    names = {item.key: item.name for item in items}
    spare_items = 1 if outfit.profile.has_feature("resourceful") else 0
    for key, count in counts.items():
        max_count = 1 + spare_items
        if count > max_count:
            max_times = "twice" if max_count > 1 else "once"
            number_faults.append(
                Fault(f"A model can't take {names[key]} more than {max_times}.", "CB-GEAR-10")
            )
        elif count > 1:
            spare_items -= count - 1
    layers = Counter(item.layer for item in outfit.gear if item.layer)
    for layer, count in layers.items():
        if count > 1:
            number_faults.append(
                Fault(f"A model can only wear one {LAYER_NAMES.get(layer, layer)} at a time.", "CB-GEAR-11")
            )
    return number_faults


def faults(outfit: Outfit, settings: Settings = DEFAULTS) -> tuple[Fault, ...]:
    """Return everything that is wrong with a model's equipment.

    Rules: CB-BUILD-05, CB-BUILD-22, CB-GEAR-06 to CB-GEAR-08, CB-GEAR-10, CB-GEAR-11, CB-GEAR-14,
    CB-GEAR-16, CB-GEAR-25, CB-GEAR-44, CB-GEAR-45, CB-FEAT-45, CB-FEAT-61, CB-WEAP-38.
    """
    return (
        *_list_slot_faults(outfit),
        *_list_weapon_faults(outfit),
        *_list_gear_faults(outfit, settings),
        *_list_number_faults(outfit),
    )


def list_swap_faults(
    profile: Profile, printed: tuple[Weapon | Gear, ...], carried: tuple[Weapon | Gear, ...]
) -> tuple[Fault, ...]:
    """Return the faults of swapping printed equipment: Lackeys never swap, and only Robots and Cyberforms
    may swap natural weapons. Rules: CB-GEAR-05, CB-GEAR-06.
    """
    unmatched_counts = Counter(item.key for item in carried)
    faults = []
    for item in printed:
        unmatched_counts[item.key] -= 1
        if unmatched_counts[item.key] >= 0:
            continue
        if not profile.is_hero:
            faults.append(
                Fault(
                    f"{profile.name} can't give up {item.name}, because Lackeys keep their equipment.",
                    "CB-GEAR-05",
                )
            )
        is_machine = profile.is_robot or profile.is_cyberform
        if isinstance(item, Weapon) and item.is_natural and not is_machine:
            faults.append(
                Fault(
                    f"{profile.name} must keep {item.name}, because natural weapons are part of its body.",
                    "CB-GEAR-06",
                )
            )
    return tuple(faults)


# ------------------------------------------------------------------------------------------- worth


def add_up_shields(gear: Iterable[Gear]) -> int:
    """Return the shield dice of everything worn, added up.

    Rules: CB-GEAR-11, CB-GEAR-14 to CB-GEAR-18, CB-GEAR-20, CB-GEAR-24, CB-GEAR-25, CB-VEH-46.
    """
    return sum(item.shield for item in gear)


def get_gear_cost(item: Gear, profile: Profile) -> int:
    """Return the Requisition points of a piece of gear for this model.

    Those priced by psionic dice cost that much for each; a Watchdog costs its own points too. Rules:
    CB-GEAR-12, CB-GEAR-46, CB-GEAR-49.
    """
    if item.cost_per == "psionic_die":
        return item.cost * (profile.psionic.value if profile.psionic else 0)
    return item.cost
