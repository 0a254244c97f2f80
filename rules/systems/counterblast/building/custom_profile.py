"""Build profiles and weapons of a group's own from values, within the bounds of the data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, get_args

from rules.refusals import InvalidInput, Missing
from rules.systems.counterblast.building.crew import affiliations_of_types
from rules.systems.counterblast.core import data_format
from rules.systems.counterblast.core.data_format import EFFECTS, DataError, DataRow
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import AFFILIATIONS, Profile, Rating, Trait, Weapon
from rules.systems.counterblast.core.tables import WeaponGroup

KEY = "own_"
"""How the keys of models and weapons begin that are a group's own."""

MAX_NAME_LENGTH = 32
MAX_LISTED = 20
"""Most Features, weapons, pieces of gear or powers of one model."""

PSIONIC = "psionic"

NOT_TYPED = frozenset({"key", "section", "types_inferred", "size_options", "unsure", "weapons", "size"})
NOT_ARMS = frozenset(
    {"key", "aliases", "affiliations", "specialties", "damage_printed", "text", "rules", "unsure"}
)

PLAIN = re.compile(r"[^\W_](?:[^\W_]|[ '.!?&+/#-])*")
"""The characters that a name may have."""


@dataclass(frozen=True, slots=True)
class Own:
    """A statblock of a group's own. arms: its own weapons; `profile.weapons` names them among the others.

    Rules: CB-STAT-01, CB-WEAP-01.
    """

    profile: Profile
    arms: tuple[Weapon, ...] = ()


class _Field(DataRow):
    """A row whose refusals name the field alone."""

    def wrong(self, field: str, problem: str) -> DataError:
        """Return the refusal of a field, to be raised."""
        return DataError(f"{field.replace('_', ' ').capitalize()} {problem}")


def own_key(name: str) -> str:
    """Return the key of a model or weapon of this name."""
    return KEY + "_".join(re.findall(r"[^\W_]+", name.casefold()))


def is_own(key: str) -> bool:
    """Return whether a model or weapon of that key is a group's own."""
    return key.startswith(KEY)


def own_of(values: Mapping[str, Any]) -> Own:
    """Return the statblock of these values. Raises InvalidInput for values unknown or out of bounds.

    Rules: CB-STAT-01, CB-STAT-02, CB-STAT-05, CB-WEAP-01.
    """
    table = dict(values)
    arms = table.pop("arms", [])
    if not isinstance(arms, list) or not all(isinstance(table, dict) for table in arms):
        raise InvalidInput('The field "arms" must be a list of weapons.')
    try:
        weapons = tuple(_weapon(one) for one in arms)
        profile = _profile(table)
    except DataError as error:
        raise InvalidInput(f"{error}."[:200]) from None
    custom = Own(profile, weapons)
    _check(custom)
    return custom


def _weapon(table: Mapping[str, Any]) -> Weapon:
    name = table.get("name")
    values = {"key": own_key(name if isinstance(name, str) else ""), "cost": 0, **table}
    if set(values) & (NOT_ARMS - {"key"}) or values["key"] != own_key(str(name)):
        raise DataError(f"A weapon can have these values: {', '.join(ARM_FIELDS)}")
    row = _Field("weapon", 1, values)
    weapon = data_format.weapon(row)
    row.close()
    return weapon


def _profile(table: Mapping[str, Any]) -> Profile:
    name = table.get("name")
    if set(table) & {"key", "section", "types_inferred", "unsure"}:
        raise DataError(f"A statblock can have these values: {', '.join(MODEL_FIELDS)}")
    types = table.get("types")
    possible = affiliations_of_types(types) if isinstance(types, list) and _words(types) else ()
    values = {
        "key": own_key(name if isinstance(name, str) else ""),
        "section": "own",
        "shield": 0,
        "affiliations": list(possible or AFFILIATIONS),
        **table,
    }
    row = _Field("model", 1, values)
    profile = data_format.profile(row)
    row.close()
    return profile


def _words(values: list[Any]) -> bool:
    return all(isinstance(word, str) for word in values)


ARM_FIELDS = tuple(field.name for field in fields(Weapon) if field.name not in NOT_ARMS)
MODEL_FIELDS = (
    *(field.name for field in fields(Profile) if field.name not in NOT_TYPED),
    "size",
    "weapons",
    "arms",
)


# ------------------------------------------------------------------------------------------- what is wrong


def _check(custom: Own) -> None:
    profile, library = custom.profile, load()
    for kind, name in (("model", profile.name), *(("weapon", arm.name) for arm in custom.arms)):
        if len(name) > MAX_NAME_LENGTH or not PLAIN.fullmatch(name) or own_key(name) == KEY:
            raise InvalidInput(
                f"The name of a {kind} must have 1 to {MAX_NAME_LENGTH} characters. "
                "Use only letters, digits, spaces and these marks: ' . ! ? & + / # -"
            )
    if len(profile.size_options) != 1:
        raise Missing("Choose one base: S, M or L.")
    if not profile.types:
        raise InvalidInput("Add the model's type, such as `beast` or `robot`.")
    keys = [arm.key for arm in custom.arms]
    if len(set(keys)) < len(keys):
        raise InvalidInput("Use a different name for each weapon.")
    lists = {
        "Features": profile.features,
        "weapons": profile.weapons,
        "custom weapons": custom.arms,
        "gear": profile.gear,
        "powers": profile.powers,
    }
    for kind, listed in lists.items():
        if len(listed) > MAX_LISTED:
            raise InvalidInput(f"Shorten the list of {kind}. It can have at most {MAX_LISTED} entries.")
    for arm in custom.arms:
        _check_arm(arm)
    for key in profile.weapons:
        if key not in keys:
            library.weapons[key]
    unused = [arm.name for arm in custom.arms if arm.key not in profile.weapons]
    if unused:
        raise InvalidInput(f"{unused[0]} is described but not carried. Add it to the model's weapons.")
    for key in profile.gear:
        library.gear[key]
    for key in profile.powers:
        library.power_uses(key)
    for trait in profile.features:
        _check_trait(trait)
    if profile.has_feature(PSIONIC) != (profile.psionic is not None):
        raise InvalidInput(
            "A model must have both the Psionic Feature and a psionic rating, such as `PSI 2D`, or neither."
        )


def _check_trait(trait: Trait) -> None:
    feature = load().features[trait.key]
    if trait.choice not in (feature.choices or ("",)):
        offered = f"Choose one of these for {feature.name}: {', '.join(feature.choices)}."
        raise InvalidInput(
            offered if feature.choices else f"{feature.name} has no options. Leave its option out."
        )
    if trait.level > 9:
        raise InvalidInput(f"{feature.name} can't go above level 9.")


def _check_arm(arm: Weapon) -> None:
    """That a weapon can be used at all, in one way that the rules know."""
    if not arm.deliveries:
        raise InvalidInput(f"{arm.name}: add how it is used, such as `melee`, `range 12` or `template R3`.")
    if ("melee" in arm.deliveries) is not arm.melee:
        told = "add `melee`, because this is" if arm.melee else "remove `melee`, because this isn't"
        raise InvalidInput(f"{arm.name}: {told} a melee weapon.")
    if arm.reach_inches and not arm.melee:
        raise InvalidInput(f"{arm.name}: only melee weapons can have reach.")
    ranged = {"direct", "thrown", "template"} & set(arm.deliveries)
    if ranged and not arm.range_inches:
        raise InvalidInput(f"{arm.name}: add its range.")
    if arm.range_inches and not ranged:
        raise InvalidInput(f"{arm.name}: only weapons that shoot or are thrown can have a range.")
    if ("template" in arm.deliveries) != (arm.template is not None):
        raise InvalidInput(f"{arm.name}: add the kind of template, such as `S`, `L` or `R3`.")
    if arm.template is not None and arm.damage_dice is None:
        raise InvalidInput(f"{arm.name}: a template needs dice, such as `dice 1D+1`.")
    if arm.template is None and arm.damage_dice is not None:
        raise InvalidInput(f"{arm.name}: only templates can have dice.")
    if arm.template == "R" and not arm.template_inches:
        raise InvalidInput(f"{arm.name}: a round template needs a width, such as `R3`.")
    if arm.power is None and not arm.has_effect("void"):
        raise InvalidInput(f"{arm.name}: add its Power, such as `Pwr 5`.")
    if {"burst", "placed"} & set(arm.deliveries):
        raise InvalidInput(
            f"{arm.name}: add a burst or an explosive charge as a Feature or as gear, not as a weapon."
        )


# ------------------------------------------------------------------------------------------- values


def own_values(custom: Own) -> dict[str, Any]:
    """Return the statblock as plain values that `own_of` reads back to an equal one; defaults left out."""
    profile = custom.profile
    written: dict[str, Any] = {
        "name": profile.name,
        "rank": profile.rank,
        "types": list(profile.types),
        "affiliations": list(profile.affiliations),
        "size": [profile.size],
    }
    for name in ("mv", "strength", "agility", "intellect", "defense", "life", "points", "psionic", "shield"):
        value = getattr(profile, name)
        if value is not None and (value or name in ("points", "shield")):
            written[name] = str(value) if isinstance(value, Rating) else value
    written |= {"features": [str(trait) for trait in profile.features]}
    written |= {key: list(getattr(profile, key)) for key in ("weapons", "gear", "powers")}
    written["arms"] = [_arm_values(arm) for arm in custom.arms]
    return {key: value for key, value in written.items() if value != [] or key == "types"}


def _arm_values(arm: Weapon) -> dict[str, Any]:
    written: dict[str, Any] = {}
    for part in fields(Weapon):
        value = getattr(arm, part.name)
        default = arm.damage if part.name == "damage_short" else part.default
        if part.name in NOT_ARMS or value == default:
            continue
        written[part.name] = dict(value) if part.name == "bonus_damage" else _json_value(value)
    return written


def _json_value(value: Any) -> Any:
    if isinstance(value, Rating):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


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
"""The words that describe a weapon, and the values that each of them sets."""

_GROUPS: tuple[str, ...] = tuple(group.replace("_", " ") for group in get_args(WeaponGroup))


def _pair(match: re.Match[str], distant: str, close: str) -> dict[str, Any]:
    return {distant: int(match[1])} | ({close: int(match[2])} if match[2] else {})


def _template(match: re.Match[str]) -> dict[str, Any]:
    kind = match[1][0].upper()
    return {"template": kind} | ({"template_inches": int(match[2])} if match[2] else {})


def read_arm(name: str, items: Iterable[str]) -> dict[str, Any]:
    """Return a weapon's values from its words: melee, reach 1, range 12, Pwr 5/4. Raises InvalidInput."""
    values: dict[str, Any] = {}
    for item in items:
        words = " ".join(item.casefold().split())
        new = _arm_item(name, item, words)
        bonus = new.pop("bonus", None)
        if bonus:
            kinds = values.setdefault("bonus_damage", {})
            if bonus[0] in kinds:
                raise InvalidInput(f"{name[:MAX_NAME_LENGTH]}: write {item[:20]!r} only once.")
            kinds[bonus[0]] = bonus[1]
        effects = new.pop("effects", [])
        if set(new) & set(values) or set(effects) & set(values.get("effects", [])):
            raise InvalidInput(f"{name[:MAX_NAME_LENGTH]}: write {item[:20]!r} only once.")
        values |= new
        if effects:
            values["effects"] = [*values.get("effects", []), *effects]
    return {"name": name, **_used(values)}


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
        f"{name[:MAX_NAME_LENGTH]}: I don't understand {item[:20]!r}. A weapon can have `melee`, "
        "`range 12`, `Pwr 5`, `damage 2` and so on."
    )


def _used(values: dict[str, Any]) -> dict[str, Any]:
    thrown = values.pop("thrown", False)
    deliveries = ["melee"] if values.get("melee") else []
    if "template" in values:
        deliveries += ["thrown", "template"] if thrown else ["template"]
    elif "range_inches" in values:
        deliveries.append("thrown" if thrown else "direct")
    elif thrown:
        deliveries.append("thrown")
    group = "template" if "template" in values else "rifle" if "range_inches" in values else "hand"
    return {
        "group": "grenade" if thrown and "template" in values else group,
        "deliveries": deliveries,
        **values,
    }


def split_parts(text: str) -> list[str]:
    """Split at commas, except those in parentheses."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(f"{text},"):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            parts.append(text[start:place].strip())
            start, depth = place + 1, 0
    return [part for part in parts if part] or [""]


def arm_text(arm: Weapon) -> str:
    """Return a weapon of one's own with its words: Claws (natural, melee, reach 1, Pwr 5)."""
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
