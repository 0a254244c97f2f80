"""How a weapon of a group's own is written: Claws (natural, melee, reach 1, Pwr 5), and read again.

Owns that notation; what its figures may be is `own`'s.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, get_args

from rules.refusals import InvalidInput
from rules.systems.counterblast.building.own import LONGEST_NAME
from rules.systems.counterblast.core.data_shapes import EFFECTS
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.core.ratings import WeaponGroup

_STEP = r"([+-]\d)"
_ARM: tuple[tuple[str, Callable[[re.Match[str]], dict[str, Any]]], ...] = (
    (rf"melee(?:\s*{_STEP})?", lambda m: {"melee": True, "melee_modifier": int(m[1] or 0)}),
    (r"reach\s+(\d{1,2})", lambda m: {"reach_inches": int(m[1])}),
    (r"range\s+(\d{1,2})", lambda m: {"range_inches": int(m[1])}),
    (r"thrown", lambda m: {"thrown": True}),
    (r"(?:pwr|power)\s+(\d{1,2})(?:/(\d{1,2}))?", lambda m: _pair(m, "power", "power_short")),
    (r"damage\s+(\d)(?:/(\d))?", lambda m: _pair(m, "damage", "damage_short")),
    (r"template\s+([SL]|R\s*(\d{1,2}))", lambda m: _template(m)),
    (r"dice\s+(\d{1,2}D(?:[+-]\d)?)", lambda m: {"damage_dice": m[1]}),
    (r"str\s+\+(\d)D", lambda m: {"strength_dice": int(m[1])}),
    (rf"str\s+{_STEP}", lambda m: {"strength_modifier": int(m[1])}),
    (rf"charge\s+{_STEP}", lambda m: {"charge_modifier": int(m[1])}),
    (r"critical\s+\+(\d)", lambda m: {"critical_damage": int(m[1])}),
    (r"(living|mechanical)\s+\+(\d)", lambda m: {"bonus": (m[1].casefold(), int(m[2]))}),
    (r"shields?\s+(-\d)", lambda m: {"shield_modifier": int(m[1])}),
    (r"sealed\s+(?:pwr|power)\s+(\d{1,2})", lambda m: {"sealed_power": int(m[1])}),
    (r"sealed\s+dice\s+(\d{1,2}D(?:[+-]\d)?)", lambda m: {"sealed_dice": m[1]}),
    (r"slots?\s+(\d)", lambda m: {"slots": int(m[1])}),
    (r"cost\s+(\d{1,2})", lambda m: {"cost": int(m[1])}),
    (r"specialist", lambda m: {"specialist": True}),
)  # fmt: skip
"""What a weapon's words are, and the values that each gives."""

_GROUPS: tuple[str, ...] = tuple(one.replace("_", " ") for one in get_args(WeaponGroup))


def _pair(match: re.Match[str], far: str, near: str) -> dict[str, Any]:
    return {far: int(match[1])} | ({near: int(match[2])} if match[2] else {})


def _template(match: re.Match[str]) -> dict[str, Any]:
    kind = match[1][0].upper()
    return {"template": kind} | ({"template_inches": int(match[2])} if match[2] else {})


def read_arm(name: str, items: Iterable[str]) -> dict[str, Any]:
    """The values of a weapon from its words: melee, reach 1, range 12, Pwr 5/4. Raises InvalidInput."""
    found: dict[str, Any] = {}
    for item in items:
        words = " ".join(item.casefold().split())
        new = _arm_item(name, item, words)
        bonus = new.pop("bonus", None)
        if bonus:
            kinds = found.setdefault("bonus_damage", {})
            if bonus[0] in kinds:
                raise InvalidInput(f"{name[:LONGEST_NAME]}: {item[:20]!r} is said twice.")
            kinds[bonus[0]] = bonus[1]
        effects = new.pop("effects", [])
        if set(new) & set(found) or set(effects) & set(found.get("effects", [])):
            raise InvalidInput(f"{name[:LONGEST_NAME]}: {item[:20]!r} is said twice.")
        found |= new
        if effects:
            found["effects"] = [*found.get("effects", []), *effects]
    return {"name": name, **_used(found)}


def _arm_item(name: str, item: str, words: str) -> dict[str, Any]:
    if words in _GROUPS:
        return {"group": words.replace(" ", "_")}
    if words.replace(" ", "_") in EFFECTS:
        return {"effects": [words.replace(" ", "_")]}
    for pattern, values in _ARM:
        match = re.fullmatch(pattern, words, re.IGNORECASE)
        if match:
            return values(match)
    raise InvalidInput(
        f"{name[:LONGEST_NAME]}: {item[:20]!r} is nothing a weapon has: melee, range 12, Pwr 5, damage 2."
    )


def _used(found: dict[str, Any]) -> dict[str, Any]:
    """How a weapon is used, and its group, from what was said of it."""
    thrown = found.pop("thrown", False)
    ways = ["melee"] if found.get("melee") else []
    if "template" in found:
        ways += ["thrown", "template"] if thrown else ["template"]
    elif "range_inches" in found:
        ways.append("thrown" if thrown else "direct")
    elif thrown:
        ways.append("thrown")
    group = "template" if "template" in found else "rifle" if "range_inches" in found else "hand"
    return {"group": "grenade" if thrown and "template" in found else group, "deliveries": ways, **found}


def split_parts(text: str) -> list[str]:
    """Parts between commas; commas in parentheses part nothing."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(f"{text},"):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            parts.append(text[start:place].strip())
            start, depth = place + 1, 0
    return [part for part in parts if part] or [""]


def arm_text(arm: Weapon) -> str:
    """A weapon of one's own with its words: Claws (natural, melee, reach 1, Pwr 5)."""
    items = [arm.group.replace("_", " ")]
    if arm.melee:
        items.append(f"melee {arm.melee_modifier:+d}" if arm.melee_modifier else "melee")
    items += ["thrown"] if "thrown" in arm.deliveries else []
    items += [f"reach {arm.reach_inches}"] if arm.reach_inches else []
    items += [f"range {arm.range_inches}"] if arm.range_inches else []
    if arm.power is not None:
        items.append(f"Pwr {arm.power}" + (f"/{arm.power_short}" if arm.power_short is not None else ""))
    if (arm.damage, arm.damage_short) != (1, 1):
        items.append(
            f"damage {arm.damage}" + (f"/{arm.damage_short}" if arm.damage_short != arm.damage else "")
        )
    if arm.template:
        items.append(f"template {arm.template}{arm.template_inches or ''}")
    items += [f"dice {arm.damage_dice}"] if arm.damage_dice else []
    items += [f"STR +{arm.strength_dice}D"] if arm.strength_dice else []
    for word, value in (("STR", arm.strength_modifier), ("charge", arm.charge_modifier)):
        items += [f"{word} {value:+d}"] if value else []
    items += [f"critical +{arm.critical_damage}"] if arm.critical_damage else []
    items += [f"{kind} +{amount}" for kind, amount in arm.bonus_damage]
    items += [f"shield {arm.shield_modifier}"] if arm.shield_modifier else []
    items += [f"sealed Pwr {arm.sealed_power}"] if arm.sealed_power is not None else []
    items += [f"sealed dice {arm.sealed_dice}"] if arm.sealed_dice else []
    items += [effect.replace("_", " ") for effect in arm.effects]
    items += [f"slots {arm.slots}"] if arm.slots != 1 else []
    items += [f"cost {arm.cost}"] if arm.cost else []
    items += ["specialist"] if arm.specialist else []
    return f"{arm.name} ({', '.join(items)})"
