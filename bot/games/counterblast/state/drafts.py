"""A built Hero or vehicle as plain values, for a row's text, and back again.

Owns the written form of a draft; what a draft is and may become is decided by the rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from bot.table.names import MAX_NAME_LENGTH, plain
from rules.refusals import InvalidInput
from rules.systems.counterblast.building.custom_profile import (
    OwnStatblock,
    build_own,
    is_own,
    list_own_values,
)
from rules.systems.counterblast.building.draft import (
    RAISES,
    ModelDraft,
    find_gear,
    find_weapon,
    start_hero,
    start_improving,
)
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Trait, Weapon

MAX_STEPS = 40
MAX_ITEMS = 40
MAX_EARNED = 500

LIST_KEYS = ("features", "picks", "weapons", "gear", "powers")


def write_draft(draft: ModelDraft) -> dict[str, Any]:
    """Return a draft as plain values without what is empty. The crew's traits are the crew's, not its own."""
    base = draft.base
    written: dict[str, Any] = {"template": draft.template} if draft.template else write_base(draft)
    if draft.template:
        kinds = [kind for kind in base.types if kind != "vehicle"]
        written |= {"name": base.name, "size": base.size}
        written |= {"kind": kinds[0]} if base.is_vehicle and kinds else {}
    written |= {
        "faction": draft.faction,
        "raises": dict(draft.raises),
        "features": [_write_trait(trait) for trait in draft.features],
        "picks": [_write_trait(trait) for trait in draft.picks],
        "weapons": list(draft.weapons),
        "gear": list(draft.gear),
        "powers": list(draft.powers),
        "earned": draft.earned,
        "mekkus": draft.mekkus,
        "dog": write_draft(draft.watchdog) if draft.watchdog else None,
    }
    return {key: value for key, value in written.items() if value}


def write_base(draft: ModelDraft) -> dict[str, Any]:
    """Return the start of a draft without a template: a printed block, or one of a group's own."""
    base = draft.base
    return (
        {"own": list_own_values(OwnStatblock(base, draft.arms))} if is_own(base.key) else {"block": base.key}
    )


def draft_from_block(written: Mapping[str, Any], earned: int = 0, *, faction: str = "") -> ModelDraft:
    """Return a draft of the block that values start from, printed or a group's own.

    Raises KeyError, InvalidInput.
    """
    if "own" in written:
        built = build_own(written["own"])
        return start_improving(built.profile, earned, faction=faction, arms=built.arms)
    return start_improving(load().profiles[written["block"]], earned, faction=faction)


def _write_trait(trait: Trait) -> list[Any]:
    return [trait.key, trait.level, trait.choice]


def read_draft(written: Mapping[str, Any]) -> ModelDraft:
    """Return the draft from its written form. Raises InvalidInput for invalid values and unknown keys."""
    try:
        return _read_values(written)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput("I can't read this model. Enter its statblock again.") from error


def _read_values(written: Mapping[str, Any], *, is_dog: bool = False) -> ModelDraft:
    faction = str(written.get("faction", ""))
    earned = _require_whole_number(written.get("earned", 0))
    if not 0 <= earned <= MAX_EARNED or any(len(written.get(key, ())) > MAX_ITEMS for key in LIST_KEYS):
        raise ValueError("the draft has too many items or too many earned points")
    start = (
        _read_hero(written, faction)
        if "template" in written
        else draft_from_block(written, earned, faction=faction)
    )
    raises = tuple(
        (raise_key, _require_whole_number(count)) for raise_key, count in written.get("raises", {}).items()
    )
    if any(raise_key not in RAISES or not 0 < count <= MAX_STEPS for raise_key, count in raises):
        raise ValueError("raises")
    dog_values = written.get("dog")
    if dog_values and is_dog:
        raise ValueError("a Watchdog can't have a Watchdog of its own")
    draft = ModelDraft(
        start.base,
        start.template,
        raises,
        _read_traits(written.get("features", ())),
        _read_traits(written.get("picks", ())),
        tuple(written.get("weapons", ())),
        tuple(written.get("gear", ())),
        tuple(written.get("powers", ())),
        earned,
        faction=faction,
        mekkus=bool(written.get("mekkus", False)),
        watchdog=_read_values(dog_values, is_dog=True) if dog_values else None,
        arms=start.arms,
    )
    _require_known_equipment(draft)
    return draft


def _read_hero(written: Mapping[str, Any], faction: str) -> ModelDraft:
    name, kind = written.get("name", ""), str(written.get("kind", ""))
    if not isinstance(name, str) or len(name) > MAX_NAME_LENGTH:
        raise ValueError("name")
    return start_hero(written["template"], name, size=written.get("size"), faction=faction, kind=kind)


def _require_known_equipment(draft: ModelDraft) -> None:
    """Refuse weapons, gear and powers that there are not."""
    for key in draft.weapons:
        find_weapon(draft, key)
    for key in draft.gear:
        find_gear(key)
    if not set(draft.powers) <= set(load().power_keys()):
        raise ValueError("powers")


def _require_whole_number(number: object) -> int:
    if type(number) is not int:
        raise ValueError(number)
    return number


def list_unknown_entries(
    written: Mapping[str, Any], nested_keys: tuple[str, ...] = ("built", "dog")
) -> list[str]:
    """Return the unknown keys in a member's own values, also in what was built and in its dog.

    inner: where more values lie, from without inwards. What is of the wrong form is left to `read_draft`.
    """
    library = load()
    allowed = _list_allowed_keys(written, nested_keys)
    unknown_keys = [
        f"I don't know {plain(key, 30)!r}. You can use these keys: {', '.join(allowed)}."
        for key in written
        if key not in allowed
    ]
    vehicle = written.get("template") == "vehicle"
    weapons = (*(library.vehicle_weapons if vehicle else ()), *library.weapons, *_read_own_weapons(written))
    allowed_names: dict[str, Collection[str]] = {
        "features": [feature.key for feature in library.features],
        "weapons": [weapon.key for weapon in weapons],
        "gear": [item.key for item in (*library.vehicle_gear, *library.gear)],
        "powers": library.power_keys(),
        "raises": RAISES,
        "block": [profile.key for profile in library.profiles],
        "template": [template.key for template in library.templates],
    }
    allowed_names["picks"] = allowed_names["features"]
    unknown = unknown_keys + [
        f"I don't know {plain(str(name), 40)!r} in {key}."
        for key, names in allowed_names.items()
        for name in _list_names(written.get(key))
        if name not in names
    ]
    for place, key in enumerate(nested_keys):
        part = written.get(key)
        unknown += list_unknown_entries(part, nested_keys[place + 1 :]) if isinstance(part, Mapping) else []
    return unknown


def _list_allowed_keys(written: Mapping[str, Any], nested_keys: tuple[str, ...]) -> list[str]:
    """What is kept of the values at this depth: of a member, of what was built, of its dog."""
    if nested_keys[:1] == ("built",):
        return ["built", "block", "own", "weapons", "gear", "powers"]
    start = (
        ["template", "name", "size"] if "template" in written else ["own" if "own" in written else "block"]
    )
    start += ["kind"] if written.get("template") == "vehicle" else []
    return [*start, "raises", *LIST_KEYS, "earned", *(nested_keys or ("faction",))]


def _read_own_weapons(written: Mapping[str, Any]) -> tuple[Weapon, ...]:
    """Return the weapons of a statblock of a group's own, none where it cannot be read."""
    try:
        return build_own(written["own"]).arms
    except (KeyError, InvalidInput, TypeError):
        return ()


def _list_names(value: object) -> list[object]:
    """Return the names in one place of written values: alone, in a list, or first of each part of a list."""
    if isinstance(value, str):
        return [value]
    parts = list(value) if isinstance(value, list | tuple | Mapping) else []
    return [part[0] if isinstance(part, list | tuple) and part else part for part in parts]


def _read_traits(written: Iterable[Any]) -> tuple[Trait, ...]:
    traits = tuple(Trait(key, _require_whole_number(level), str(choice)) for key, level, choice in written)
    for trait in traits:
        load().features[trait.key]
    return traits
