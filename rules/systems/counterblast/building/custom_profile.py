"""Build profiles and weapons of a group's own from values, within the bounds of the data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from textwrap import shorten
from typing import Any, get_args

from rules.refusals import InvalidInput, Missing
from rules.systems.counterblast.building.crew import list_affiliations_of_types
from rules.systems.counterblast.core import data_format
from rules.systems.counterblast.core.data_format import EFFECTS, DataError, DataRow
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import AFFILIATIONS, Profile, Rating, Trait, Weapon
from rules.systems.counterblast.core.tables import WeaponGroup

OWN_KEY_PREFIX = "own_"
"""How the keys of models and weapons begin that are a group's own."""

MAX_NAME_LENGTH = 32
MAX_LIST_LENGTH = 20
"""Most Features, weapons, pieces of gear or powers of one model."""

MAX_REFUSAL_LENGTH = 400
"""Most characters of a refusal, which may quote what was entered."""

PSIONIC = "psionic"

FIELDS_NOT_TYPED = frozenset(
    {"key", "section", "types_inferred", "size_options", "unsure", "weapons", "size"}
)
FIELDS_NOT_IN_ARMS = frozenset(
    {"key", "aliases", "affiliations", "specialties", "damage_printed", "text", "rules", "unsure"}
)

PLAIN_NAME = re.compile(r"[^\W_](?:[^\W_]|[ '.!?&+/#-])*")
"""The characters that a name may have."""


@dataclass(frozen=True, slots=True)
class OwnStatblock:
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


def build_own_key(name: str) -> str:
    """Return the key of a model or weapon of this name."""
    return OWN_KEY_PREFIX + "_".join(re.findall(r"[^\W_]+", name.casefold()))


def is_own(key: str) -> bool:
    """Return whether a model or weapon of that key is a group's own."""
    return key.startswith(OWN_KEY_PREFIX)


def build_own(values: Mapping[str, Any]) -> OwnStatblock:
    """Return the statblock of these values. Raises InvalidInput for values unknown or out of bounds.

    Rules: CB-STAT-01, CB-STAT-02, CB-STAT-05, CB-WEAP-01.
    """
    table = dict(values)
    arms = table.pop("arms", [])
    if not isinstance(arms, list) or not all(isinstance(table, dict) for table in arms):
        raise InvalidInput('The field "arms" must be a list of weapons.')
    try:
        weapons = tuple(_build_weapon(arm) for arm in arms)
        profile = _build_profile(table)
    except DataError as error:
        raise InvalidInput(shorten(f"{error}.", MAX_REFUSAL_LENGTH, placeholder="...")) from None
    custom = OwnStatblock(profile, weapons)
    _check_statblock(custom)
    return custom


def _build_weapon(table: Mapping[str, Any]) -> Weapon:
    name = table.get("name")
    values = {"key": build_own_key(name if isinstance(name, str) else ""), "cost": 0, **table}
    if set(values) & (FIELDS_NOT_IN_ARMS - {"key"}) or values["key"] != build_own_key(str(name)):
        raise DataError(f"A weapon can only have these fields: {', '.join(ARM_FIELDS)}")
    row = _Field("weapon", 1, values)
    weapon = data_format.weapon(row)
    row.close()
    return weapon


def _build_profile(table: Mapping[str, Any]) -> Profile:
    name = table.get("name")
    if set(table) & {"key", "section", "types_inferred", "unsure"}:
        raise DataError(f"A statblock can only have these fields: {', '.join(MODEL_FIELDS)}")
    types = table.get("types")
    possible_affiliations = (
        list_affiliations_of_types(types) if isinstance(types, list) and _are_words(types) else ()
    )
    values = {
        "key": build_own_key(name if isinstance(name, str) else ""),
        "section": "own",
        "shield": 0,
        "affiliations": list(possible_affiliations or AFFILIATIONS),
        **table,
    }
    row = _Field("model", 1, values)
    profile = data_format.profile(row)
    row.close()
    return profile


def _are_words(values: list[Any]) -> bool:
    return all(isinstance(word, str) for word in values)


ARM_FIELDS = tuple(field.name for field in fields(Weapon) if field.name not in FIELDS_NOT_IN_ARMS)
MODEL_FIELDS = (
    *(field.name for field in fields(Profile) if field.name not in FIELDS_NOT_TYPED),
    "size",
    "weapons",
    "arms",
)


# ------------------------------------------------------------------------------------------- what is wrong


def _check_statblock(custom: OwnStatblock) -> None:
    profile, library = custom.profile, load()
    for kind, name in (("model", profile.name), *(("weapon", arm.name) for arm in custom.arms)):
        if (
            len(name) > MAX_NAME_LENGTH
            or not PLAIN_NAME.fullmatch(name)
            or build_own_key(name) == OWN_KEY_PREFIX
        ):
            raise InvalidInput(
                f"The name of a {kind} must have 1 to {MAX_NAME_LENGTH} characters. "
                "Begin with a letter or digit, and use only letters, digits, spaces and ' . ! ? & + / # -"
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
    for kind, entries in lists.items():
        if len(entries) > MAX_LIST_LENGTH:
            raise InvalidInput(f"Shorten the list of {kind}. It can have at most {MAX_LIST_LENGTH} entries.")
    for arm in custom.arms:
        _check_arm(arm)
    for key in profile.weapons:
        if key not in keys:
            library.weapons[key]
    unused_arms = [arm.name for arm in custom.arms if arm.key not in profile.weapons]
    if unused_arms:
        raise InvalidInput(f"{unused_arms[0]} is described but not carried. Add it to the model's weapons.")
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
        offer_text = f"Choose one of these for {feature.name}: {', '.join(feature.choices)}."
        raise InvalidInput(
            offer_text if feature.choices else f"Remove {trait.choice!r}. {feature.name} has no options."
        )
    if trait.level > 9:
        raise InvalidInput(f"{feature.name} can't go above level 9.")


def _check_arm(arm: Weapon) -> None:
    """Require that a weapon can be used in a way that the rules know."""
    if not arm.deliveries:
        raise InvalidInput(f"{arm.name}: add a way to use it, such as `melee`, `range 12` or `template R3`.")
    if ("melee" in arm.deliveries) is not arm.melee:
        correction = "add `melee`, because this is" if arm.melee else "remove `melee`, because this isn't"
        raise InvalidInput(f"{arm.name}: {correction} a melee weapon.")
    if arm.reach_inches and not arm.melee:
        raise InvalidInput(f"{arm.name}: only melee weapons can have reach.")
    ranged_deliveries = {"direct", "thrown", "template"} & set(arm.deliveries)
    if ranged_deliveries and not arm.range_inches:
        raise InvalidInput(f"{arm.name}: add its range.")
    if arm.range_inches and not ranged_deliveries:
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


def list_own_values(custom: OwnStatblock) -> dict[str, Any]:
    """Return the statblock as plain values that `build_own` reads back to an equal one; defaults left out."""
    profile = custom.profile
    written_values: dict[str, Any] = {
        "name": profile.name,
        "rank": profile.rank,
        "types": list(profile.types),
        "affiliations": list(profile.affiliations),
        "size": [profile.size],
    }
    for name in ("mv", "strength", "agility", "intellect", "defense", "life", "points", "psionic", "shield"):
        value = getattr(profile, name)
        if value is not None and (value or name in ("points", "shield")):
            written_values[name] = str(value) if isinstance(value, Rating) else value
    written_values |= {"features": [str(trait) for trait in profile.features]}
    written_values |= {key: list(getattr(profile, key)) for key in ("weapons", "gear", "powers")}
    written_values["arms"] = [_list_arm_values(arm) for arm in custom.arms]
    return {key: value for key, value in written_values.items() if value != [] or key == "types"}


def _list_arm_values(arm: Weapon) -> dict[str, Any]:
    written_values: dict[str, Any] = {}
    for part in fields(Weapon):
        value = getattr(arm, part.name)
        default = arm.damage if part.name == "damage_short" else part.default
        if part.name in FIELDS_NOT_IN_ARMS or value == default:
            continue
        written_values[part.name] = dict(value) if part.name == "bonus_damage" else _to_json_value(value)
    return written_values


def _to_json_value(value: Any) -> Any:
    if isinstance(value, Rating):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


_STEP_PATTERN = r"([+-]\d)"
_ARM_PATTERNS: tuple[tuple[str, Callable[[re.Match[str]], dict[str, Any]]], ...] = (
    (rf"melee(?:\s*{_STEP_PATTERN})?", lambda m: {"melee": True, "melee_modifier": int(m[1] or 0)}),
    (r"reach\s+(\d{1,2})", lambda m: {"reach_inches": int(m[1])}),
    (r"range\s+(\d{1,2})", lambda m: {"range_inches": int(m[1])}),
    (r"thrown", lambda m: {"thrown": True}),
    (r"(?:pwr|power)\s+(\d{1,2})(?:/(\d{1,2}))?", lambda m: _read_pair(m, "power", "power_short")),
    (r"damage\s+(\d)(?:/(\d))?", lambda m: _read_pair(m, "damage", "damage_short")),
    (r"template\s+([SL]|R\s*(\d{1,2}))", lambda m: _read_template(m)),
    (r"dice\s+(\d{1,2}D(?:[+-]\d)?)", lambda m: {"damage_dice": m[1]}),
    (r"str\s+\+(\d)D", lambda m: {"strength_dice": int(m[1])}),
    (rf"str\s+{_STEP_PATTERN}", lambda m: {"strength_modifier": int(m[1])}),
    (rf"charge\s+{_STEP_PATTERN}", lambda m: {"charge_modifier": int(m[1])}),
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

_GROUP_NAMES: tuple[str, ...] = tuple(group.replace("_", " ") for group in get_args(WeaponGroup))


def _read_pair(match: re.Match[str], distant_field: str, close_field: str) -> dict[str, Any]:
    return {distant_field: int(match[1])} | ({close_field: int(match[2])} if match[2] else {})


def _read_template(match: re.Match[str]) -> dict[str, Any]:
    kind = match[1][0].upper()
    return {"template": kind} | ({"template_inches": int(match[2])} if match[2] else {})


def read_arm(name: str, items: Iterable[str]) -> dict[str, Any]:
    """Return a weapon's values from its words: melee, reach 1, range 12, Pwr 5/4. Raises InvalidInput."""
    values: dict[str, Any] = {}
    for item in items:
        words = " ".join(item.casefold().split())
        new_values = _read_arm_item(name, item, words)
        bonus = new_values.pop("bonus", None)
        if bonus:
            kinds = values.setdefault("bonus_damage", {})
            if bonus[0] in kinds:
                raise InvalidInput(f"{name[:MAX_NAME_LENGTH]}: write {item[:20]!r} only once.")
            kinds[bonus[0]] = bonus[1]
        effects = new_values.pop("effects", [])
        if set(new_values) & set(values) or set(effects) & set(values.get("effects", [])):
            raise InvalidInput(f"{name[:MAX_NAME_LENGTH]}: write {item[:20]!r} only once.")
        values |= new_values
        if effects:
            values["effects"] = [*values.get("effects", []), *effects]
    return {"name": name, **_add_use(values)}


def _read_arm_item(name: str, item: str, words: str) -> dict[str, Any]:
    if words in _GROUP_NAMES:
        return {"group": words.replace(" ", "_")}
    if words.replace(" ", "_") in EFFECTS:
        return {"effects": [words.replace(" ", "_")]}
    for pattern, values in _ARM_PATTERNS:
        match = re.fullmatch(pattern, words, re.IGNORECASE)
        if match:
            return values(match)
    raise InvalidInput(
        f"{name[:MAX_NAME_LENGTH]}: I don't understand {item[:20]!r}. A weapon can have `melee`, "
        "`range 12`, `Pwr 5`, `damage 2` and so on."
    )


def _add_use(values: dict[str, Any]) -> dict[str, Any]:
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
    parts, nesting_depth, start = [], 0, 0
    for place, letter in enumerate(f"{text},"):
        nesting_depth += (letter == "(") - (letter == ")")
        if letter == "," and nesting_depth <= 0:
            parts.append(text[start:place].strip())
            start, nesting_depth = place + 1, 0
    return [part for part in parts if part] or [""]


def format_arm(arm: Weapon) -> str:
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
