"""A built Hero or vehicle as plain values, for a row's text, and back again.

Owns the written form of a draft; what a draft is and may become is decided by the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.refusals import InvalidInput
from rules.systems.counterblast.draft import RAISES, Draft, gear_item, improving, new_hero, weapon_item
from rules.systems.counterblast.library import load
from rules.systems.counterblast.profile import Trait

MOST_STEPS = 40
MOST_ITEMS = 40
MOST_EARNED = 500

LISTS = ("features", "picks", "weapons", "gear", "powers")


def write_draft(draft: Draft) -> dict[str, Any]:
    """A draft as plain values; what is empty is left out. The crew's traits are the crew's, not its own."""
    base = draft.base
    written: dict[str, Any] = {"template": draft.template} if draft.template else {"block": base.key}
    if draft.template:
        kinds = [kind for kind in base.types if kind != "vehicle"]
        written |= {"name": base.name, "size": base.size}
        written |= {"kind": kinds[0]} if base.is_vehicle and kinds else {}
    written |= {
        "faction": draft.faction,
        "raises": dict(draft.raises),
        "features": [_written(trait) for trait in draft.features],
        "picks": [_written(trait) for trait in draft.picks],
        "weapons": list(draft.weapons),
        "gear": list(draft.gear),
        "powers": list(draft.powers),
        "earned": draft.earned,
        "mekkus": draft.mekkus,
        "dog": write_draft(draft.watchdog) if draft.watchdog else None,
    }
    return {key: value for key, value in written.items() if value}


def _written(trait: Trait) -> list[Any]:
    return [trait.key, trait.level, trait.choice]


def read_draft(written: Mapping[str, Any]) -> Draft:
    """The draft again. Raises InvalidInput for values that are no draft, also for keys nobody knows."""
    try:
        return _read(written)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput("That is no model that can be read.") from error


def _read(written: Mapping[str, Any], *, dog: bool = False) -> Draft:
    faction = str(written.get("faction", ""))
    earned = int(written.get("earned", 0))
    if not 0 <= earned <= MOST_EARNED or any(len(written.get(key, ())) > MOST_ITEMS for key in LISTS):
        raise ValueError("too much")
    if "template" in written:
        start = new_hero(
            written["template"],
            str(written.get("name", ""))[:32],
            size=written.get("size"),
            faction=faction,
            kind=str(written.get("kind", "")),
        )
    else:
        start = improving(load().profiles[written["block"]], earned, faction=faction)
    raises = tuple((what, int(count)) for what, count in written.get("raises", {}).items())
    if any(what not in RAISES or not 0 < count <= MOST_STEPS for what, count in raises):
        raise ValueError("raises")
    beast = written.get("dog")
    if beast and dog:
        raise ValueError("a Watchdog has no Watchdog")
    draft = Draft(
        start.base,
        start.template,
        raises,
        _traits(written.get("features", ())),
        _traits(written.get("picks", ())),
        tuple(written.get("weapons", ())),
        tuple(written.get("gear", ())),
        tuple(written.get("powers", ())),
        earned,
        faction=faction,
        mekkus=bool(written.get("mekkus", False)),
        watchdog=_read(beast, dog=True) if beast else None,
    )
    for key in draft.weapons:
        weapon_item(draft, key)
    for key in draft.gear:
        gear_item(key)
    if not set(draft.powers) <= set(load().power_keys()):
        raise ValueError("powers")
    return draft


def _traits(written: Iterable[Any]) -> tuple[Trait, ...]:
    found = tuple(Trait(key, int(level), str(choice)) for key, level, choice in written)
    for trait in found:
        load().features[trait.key]
    return found
