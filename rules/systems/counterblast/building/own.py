"""Statblocks of a group's own: any figures within the bounds of the printed ones, with weapons of their own.

Owns the frozen `Own`, its values for programs, and what is wrong with it. How it is typed is in `own_text`.
The bounds are those of the package's own data, read by the same reader.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from rules.refusals import InvalidInput
from rules.systems.counterblast.building.crew import affiliations_of_types
from rules.systems.counterblast.core import data_shapes as shapes
from rules.systems.counterblast.core.data_rows import DataError, DataRow
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import AFFILIATIONS, Profile, Rating, Trait, Weapon

KEY = "own_"
"""How the keys of models and weapons begin that are a group's own."""

LONGEST_NAME = 32
MOST_LISTED = 20
"""Most Features, weapons, pieces of gear or powers of one model."""

PSIONIC = "psionic"

NOT_TYPED = frozenset({"key", "section", "types_inferred", "size_options", "unsure", "weapons", "size"})
NOT_ARMS = frozenset(
    {"key", "aliases", "affiliations", "specialties", "damage_printed", "text", "rules", "unsure"}
)

PLAIN = re.compile(r"[^\W_](?:[^\W_]|[ '.!?&+/#-])*")
"""What a name may be made of."""


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
        """The refusal of a field, to be raised."""
        return DataError(f"{field.replace('_', ' ')}: {problem}")


def own_key(name: str) -> str:
    """The key of a model or weapon of this name."""
    return KEY + "_".join(re.findall(r"[^\W_]+", name.casefold()))


def is_own(key: str) -> bool:
    """Whether a model or weapon of that key is a group's own."""
    return key.startswith(KEY)


def own_of(values: Mapping[str, Any]) -> Own:
    """The statblock of these values. Raises InvalidInput for what no statblock has, or lies beyond bounds.

    Rules: CB-STAT-01, CB-STAT-02, CB-STAT-05, CB-WEAP-01.
    """
    table = dict(values)
    arms = table.pop("arms", [])
    if not isinstance(arms, list) or not all(isinstance(one, dict) for one in arms):
        raise InvalidInput("arms is a list of weapons.")
    try:
        made = tuple(_weapon(one) for one in arms)
        profile = _profile(table)
    except DataError as error:
        raise InvalidInput(f"{error}."[:200]) from None
    own = Own(profile, made)
    _check(own)
    return own


def _weapon(table: Mapping[str, Any]) -> Weapon:
    name = table.get("name")
    known = {"key": own_key(name if isinstance(name, str) else ""), "cost": 0, **table}
    if set(known) & (NOT_ARMS - {"key"}) or known["key"] != own_key(str(name)):
        raise DataError(f"a weapon's values are {', '.join(ARM_FIELDS)}")
    row = _Field("weapon", 1, known)
    found = shapes.weapon(row)
    row.close()
    return found


def _profile(table: Mapping[str, Any]) -> Profile:
    name = table.get("name")
    if set(table) & {"key", "section", "types_inferred", "unsure"}:
        raise DataError(f"a statblock's values are {', '.join(MODEL_FIELDS)}")
    types = table.get("types")
    possible = affiliations_of_types(types) if isinstance(types, list) and _words(types) else ()
    known = {
        "key": own_key(name if isinstance(name, str) else ""),
        "section": "own",
        "shield": 0,
        "affiliations": list(possible or AFFILIATIONS),
        **table,
    }
    row = _Field("model", 1, known)
    found = shapes.profile(row)
    row.close()
    return found


def _words(values: list[Any]) -> bool:
    return all(isinstance(one, str) for one in values)


ARM_FIELDS = tuple(one.name for one in fields(Weapon) if one.name not in NOT_ARMS)
MODEL_FIELDS = (
    *(one.name for one in fields(Profile) if one.name not in NOT_TYPED),
    "size",
    "weapons",
    "arms",
)


# ------------------------------------------------------------------------------------------- what is wrong


def _check(own: Own) -> None:
    profile, library = own.profile, load()
    for what, name in (("model", profile.name), *(("weapon", arm.name) for arm in own.arms)):
        if len(name) > LONGEST_NAME or not PLAIN.fullmatch(name) or own_key(name) == KEY:
            raise InvalidInput(
                f"A {what}'s name has 1 to {LONGEST_NAME} letters, digits, spaces and '.!?&+/#-."
            )
    if len(profile.size_options) != 1:
        raise InvalidInput("A model stands on one base: S, M or L.")
    if not profile.types:
        raise InvalidInput("Say its type, as in: beast, or: robot.")
    keys = [arm.key for arm in own.arms]
    if len(set(keys)) < len(keys):
        raise InvalidInput("Each weapon of its own has a name of its own.")
    for listed in (profile.features, profile.weapons, profile.gear, profile.powers, own.arms):
        if len(listed) > MOST_LISTED:
            raise InvalidInput(f"A model has at most {MOST_LISTED} of one kind.")
    for arm in own.arms:
        _check_arm(arm)
    for key in profile.weapons:
        if key not in keys:
            library.weapons[key]
    unused = [arm.name for arm in own.arms if arm.key not in profile.weapons]
    if unused:
        raise InvalidInput(f"{unused[0]} is described and not carried.")
    for key in profile.gear:
        library.gear[key]
    for key in profile.powers:
        library.power_uses(key)
    for trait in profile.features:
        _check_trait(trait)
    if profile.has_feature(PSIONIC) != (profile.psionic is not None):
        raise InvalidInput("A psionic rating and the Feature Psionic go together: PSI 2D.")


def _check_trait(trait: Trait) -> None:
    feature = load().features[trait.key]
    if trait.choice not in (feature.choices or ("",)):
        offered = ", ".join(feature.choices) or "nothing to choose"
        raise InvalidInput(f"{feature.name}: {offered}.")
    if trait.level > 9:
        raise InvalidInput(f"{feature.name} has levels up to 9.")


def _check_arm(arm: Weapon) -> None:
    """That a weapon can be used at all, in one way that the rules know."""
    if not arm.deliveries:
        raise InvalidInput(f"{arm.name}: say how it is used, melee, range 12 or template R3.")
    if ("melee" in arm.deliveries) is not arm.melee:
        raise InvalidInput(f"{arm.name}: melee and its delivery go together.")
    if arm.reach_inches and not arm.melee:
        raise InvalidInput(f"{arm.name}: reach is for melee.")
    far = {"direct", "thrown", "template"} & set(arm.deliveries)
    if far and not arm.range_inches:
        raise InvalidInput(f"{arm.name}: say its range.")
    if arm.range_inches and not far:
        raise InvalidInput(f"{arm.name}: a range is for what shoots or is thrown.")
    if ("template" in arm.deliveries) != (arm.template is not None):
        raise InvalidInput(f"{arm.name}: a template has a kind, S, L or R3.")
    if arm.template is not None and arm.damage_dice is None:
        raise InvalidInput(f"{arm.name}: a template rolls dice, as in: dice 1D+1.")
    if arm.template is None and arm.damage_dice is not None:
        raise InvalidInput(f"{arm.name}: dice are for templates.")
    if arm.template == "R" and not arm.template_inches:
        raise InvalidInput(f"{arm.name}: a round template has a width, R3.")
    if arm.power is None and not arm.has_effect("void"):
        raise InvalidInput(f"{arm.name}: say its Power, as in: Pwr 5.")
    if {"burst", "placed"} & set(arm.deliveries):
        raise InvalidInput(f"{arm.name}: bursts and charges are Features and gear.")


# ------------------------------------------------------------------------------------------- values


def own_values(own: Own) -> dict[str, Any]:
    """The statblock as plain values that `own_of` reads back to an equal one; defaults left out."""
    profile = own.profile
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
    written["arms"] = [_arm_values(arm) for arm in own.arms]
    return {key: value for key, value in written.items() if value != [] or key == "types"}


def _arm_values(arm: Weapon) -> dict[str, Any]:
    written: dict[str, Any] = {}
    for part in fields(Weapon):
        value = getattr(arm, part.name)
        default = arm.damage if part.name == "damage_short" else part.default
        if part.name in NOT_ARMS or value == default:
            continue
        written[part.name] = dict(value) if part.name == "bonus_damage" else _plain(value)
    return written


def _plain(value: Any) -> Any:
    if isinstance(value, Rating):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
