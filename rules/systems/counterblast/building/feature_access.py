"""Which type may take which Feature, and at what price.

The chart of types is lost but for a few marks, so what is known is kept in the data; the rest is a setting.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Feature, Profile, Trait
from rules.systems.counterblast.core.settings import DEFAULTS, Settings


def _costs(feature: Feature, base: Profile) -> tuple[int, ...]:
    return feature.vehicle_costs if base.is_vehicle else feature.costs


def feature_cost(feature: Feature, trait: Trait, base: Profile) -> int:
    """Upgrade Points for a Feature at its level, twice as many where the type's mark says so.

    0 where the model's chart does not offer it. Rules: CB-BUILD-19, CB-BUILD-21, CB-VEH-44.
    """
    costs = _costs(feature, base)
    if not costs:
        return 0
    price = costs[min(max(trait.level, 1), len(costs)) - 1]
    return 2 * price if set(feature.doubled_for) & set(base.types) else price


def top_level(feature: Feature, base: Profile) -> int:
    """The highest level that can be bought; one that stacks has no end. Rules: CB-BUILD-21, CB-VEH-44."""
    return 99 if feature.stacks else len(_costs(feature, base))


@cache
def proven_types(feature: str) -> frozenset[str]:
    """Types of the printed blocks that have the Feature. Rules: CB-BUILD-20."""
    return frozenset(
        kind for profile in load().profiles if profile.has_feature(feature) for kind in profile.types
    )


def is_open(feature: Feature, base: Profile, settings: Settings = DEFAULTS) -> bool:
    """Whether a type may take a Feature: offered on its chart, not barred, and by the setting proven.

    Rules: CB-BUILD-20, CB-FEAT-43, CB-VEH-44.
    """
    if not _costs(feature, base) or set(feature.barred) & set(base.types):
        return False
    return settings.feature_types == "open" or is_certain(feature, base) or _is_proven(feature, base)


def is_certain(feature: Feature, base: Profile) -> bool:
    """Whether the chart itself, as far as it can be read, opens the Feature to the type.

    Rules: CB-BUILD-20, CB-VEH-44.
    """
    known = {*feature.free_for, *feature.doubled_for}
    everywhere = feature.vehicle_open if base.is_vehicle else feature.open_to_all
    return everywhere or bool(known & {base.key, *base.types})


def _is_proven(feature: Feature, base: Profile) -> bool:
    return bool(proven_types(feature.key) & set(base.types))


def unchecked(traits: Iterable[Trait], base: Profile, settings: Settings = DEFAULTS) -> tuple[str, ...]:
    """The names of the Features that could not be checked against the chart. Rules: CB-BUILD-20."""
    if settings.feature_types != "open":
        return ()
    features = dict.fromkeys(load().features[trait.key] for trait in traits)
    return tuple(feature.name for feature in features if not is_certain(feature, base))
