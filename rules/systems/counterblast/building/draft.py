"""A model being built or improved, with its points and prices, and the features its type may take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Literal, get_args

from rules.refusals import InvalidInput
from rules.systems.counterblast.building.crew import Member, list_affiliations_of_types
from rules.systems.counterblast.building.equipment import add_up_shields, get_gear_cost
from rules.systems.counterblast.core.fighter import CrewTraits
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import (
    AFFILIATIONS,
    Builder,
    Feature,
    Gear,
    Profile,
    Rating,
    Size,
    Template,
    Trait,
    Weapon,
)
from rules.systems.counterblast.core.settings import DEFAULTS, Settings


def _list_costs(feature: Feature, base: Profile) -> tuple[int, ...]:
    return feature.vehicle_costs if base.is_vehicle else feature.costs


def get_feature_cost(feature: Feature, trait: Trait, base: Profile) -> int:
    """Upgrade Points for a Feature at its level, twice as many where the type's mark says so.

    0 where the model's chart does not offer it. Rules: CB-BUILD-19, CB-BUILD-21, CB-VEH-44.
    """
    costs = _list_costs(feature, base)
    if not costs:
        return 0
    price = costs[min(max(trait.level, 1), len(costs)) - 1]
    return 2 * price if set(feature.doubled_for) & set(base.types) else price


def get_top_level(feature: Feature, base: Profile) -> int:
    """Return the highest level on sale, without end if it stacks. Rules: CB-BUILD-21, CB-VEH-44."""
    return 99 if feature.stacks else len(_list_costs(feature, base))


@cache
def list_proven_types(feature: str) -> frozenset[str]:
    """Return the types of the printed blocks that have the Feature. Rules: CB-BUILD-20."""
    return frozenset(
        kind for profile in load().profiles if profile.has_feature(feature) for kind in profile.types
    )


def is_open(feature: Feature, base: Profile, settings: Settings = DEFAULTS) -> bool:
    """Return whether a type may take a Feature: offered on its chart, not barred, and by the setting
    proven.

    Rules: CB-BUILD-20, CB-FEAT-43, CB-VEH-44.
    """
    if not _list_costs(feature, base) or set(feature.barred) & set(base.types):
        return False
    return settings.feature_types == "open" or is_certain(feature, base) or _is_proven(feature, base)


def is_certain(feature: Feature, base: Profile) -> bool:
    """Return whether the chart itself, as far as it can be read, opens the Feature to the type.

    Rules: CB-BUILD-20, CB-VEH-44.
    """
    exceptions = {*feature.free_for, *feature.doubled_for}
    everywhere = feature.vehicle_open if base.is_vehicle else feature.open_to_all
    return everywhere or bool(exceptions & {base.key, *base.types})


def _is_proven(feature: Feature, base: Profile) -> bool:
    return bool(list_proven_types(feature.key) & set(base.types))


def list_unchecked(traits: Iterable[Trait], base: Profile, settings: Settings = DEFAULTS) -> tuple[str, ...]:
    """Return the names of the Features that could not be checked against the chart. Rules: CB-BUILD-20."""
    if settings.feature_types != "open":
        return ()
    features = dict.fromkeys(load().features[trait.key] for trait in traits)
    return tuple(feature.name for feature in features if not is_certain(feature, base))


Raise = Literal[
    "mv", "defense", "life",
    "strength_dice", "strength_modifier", "agility_dice", "agility_modifier", "intellect_dice",
    "intellect_modifier",
]  # fmt: skip
RAISES: tuple[Raise, ...] = get_args(Raise)
CHAMELEON_SWAP = 3
"""The price at which an Edofleini or Edokin swaps Chameleon for the Enhanced one. Rules: CB-BUILD-07."""
PSIONIC_CAP = 4


@dataclass(frozen=True, slots=True)
class ModelDraft:
    """A model being built or improved.

    base: the statblock it starts from, see `start_hero`, `new_vehicle` and `start_improving`. template: the
    key of its Hero type, empty for a printed block. raises: steps bought, by what they raise. features:
    bought; picks: chosen without cost. weapons, gear, powers: keys of all it has. earned: Upgrade Points
    earned in a campaign. crew: what the crew gives. faction: whose equipment is open, empty for any. mekkus:
    its slots are a Vehicle's. watchdog: the Beast that a Watchdog is. arms: the weapons of its own that no
    chart has.
    """

    base: Profile
    template: str = ""
    raises: tuple[tuple[Raise, int], ...] = ()
    features: tuple[Trait, ...] = ()
    picks: tuple[Trait, ...] = ()
    weapons: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    powers: tuple[str, ...] = ()
    earned: int = 0
    crew: CrewTraits = field(default_factory=CrewTraits)
    faction: str = ""
    mekkus: bool = False
    watchdog: ModelDraft | None = None
    arms: tuple[Weapon, ...] = ()

    def steps(self, stat: Raise) -> int:
        """Return how often this was bought."""
        return dict(self.raises).get(stat, 0)


# ------------------------------------------------------------------------------------------- beginnings


def start_hero(
    template: str, name: str = "", *, size: Size | None = None, faction: str = "", kind: str = ""
) -> ModelDraft:
    """Return a draft of a Hero from a type template, or of a vehicle of one of the five kinds.

    size: one of the template's bases, the first unless given. Raises InvalidInput or UnknownEntry.
    Rules: CB-BUILD-01, CB-BUILD-02, CB-BUILD-04 to CB-BUILD-07, CB-BUILD-15, CB-VEH-03, CB-VEH-40.
    """
    library = load()
    row = library.templates[template]
    base = size or row.sizes[0]
    if base not in row.sizes:
        raise InvalidInput(f"{row.name} can only have a base of size {' or '.join(row.sizes)}.")
    types: tuple[str, ...] = ("alanti",) if template.startswith("alanti_") else (template,)
    if template == "vehicle":
        types = ("vehicle", library.vehicle_kinds[kind or "wheeled"].key)
    profile = Profile(
        key=template,
        name=name or row.name,
        rank="hero",
        types=types,
        affiliations=_list_affiliations(types, faction),
        mv=row.mv,
        strength=row.strength,
        agility=row.agility,
        intellect=row.intellect,
        defense=row.defense,
        life=row.life,
        size=base,
        points=row.points,
        psionic=_add_psionic_levels(
            row.intellect, sum(trait.level for trait in row.free if trait.key == "psionic")
        ),
        features=row.free,
        size_options=row.sizes,
    )
    return ModelDraft(profile, template, faction=faction)


def _list_affiliations(types: tuple[str, ...], faction: str) -> tuple[str, ...]:
    """Return a built model's affiliations: the crew's faction if its type may belong to it, else all it
    may.

    A vehicle, of no type that the affiliations name, is its crew's. Rules: CB-CREW-08.
    """
    possible_affiliations = list_affiliations_of_types(types) or AFFILIATIONS
    return (faction,) if faction in possible_affiliations else possible_affiliations


def start_improving(
    profile: Profile,
    earned: int,
    *,
    crew: CrewTraits | None = None,
    faction: str = "",
    arms: tuple[Weapon, ...] = (),
) -> ModelDraft:
    """Return a draft of a printed or finished model that spends earned Upgrade Points and swaps equipment.

    Its block stands as it is, beyond slots and maxima too. arms: its own weapons, for a statblock of a
    group's own. Rules: CB-CAMP-07, CB-BUILD-18, CB-BUILD-22.
    """
    if earned < 0:
        raise InvalidInput("Earned Upgrade Points can't be below 0.")
    return ModelDraft(
        profile,
        weapons=profile.weapons,
        gear=profile.gear,
        powers=profile.powers,
        earned=earned,
        crew=crew or CrewTraits(),
        faction=faction,
        arms=arms,
    )


def _add_psionic_levels(intellect: Rating, levels: int) -> Rating | None:
    if not levels:
        return None
    return Rating(max(intellect.dice, min(PSIONIC_CAP, intellect.dice + levels)), intellect.modifier)


# ------------------------------------------------------------------------------------------- what it is


def get_template(draft: ModelDraft) -> Template | None:
    """Return the type template it is built from, None for a block."""
    return load().templates[draft.template] if draft.template else None


def get_prices(draft: ModelDraft) -> Builder:
    """Return the prices of upgrades for this model and their limits.

    Rules: CB-BUILD-16 to CB-BUILD-18, CB-VEH-42, CB-VEH-43.
    """
    return load().builders["vehicle" if draft.base.is_vehicle else "hero"]


def get_mv_cost(draft: ModelDraft) -> int:
    """Upgrade Points for 1 in of Mv: 2, 4 for Alanti and Illyrians. Rules: CB-BUILD-17, CB-VEH-42."""
    row = get_template(draft)
    if row is not None:
        return row.mv_cost
    return 4 if {"alanti", "illyrian"} & set(draft.base.types) else 2


def traits(draft: ModelDraft) -> tuple[Trait, ...]:
    """Return all Features of the draft; Enhanced Chameleon replaces Chameleon, and levels lower levels.

    Rules: CB-BUILD-04 to CB-BUILD-12, CB-BUILD-19, CB-FEAT-14.
    """
    enhanced = any(trait.key == "enhanced_chameleon" for trait in list_taken_features(draft))
    base_traits = tuple(trait for trait in draft.base.features if not (enhanced and trait.key == "chameleon"))
    level = count_psionic_levels(draft)
    psionic = (Trait("psionic", level),) if level or draft.base.has_feature("psionic") else ()
    bought = (trait for trait in draft.features if trait.key != "psionic")
    return (*_list_unraised(draft, base_traits), *psionic, *_list_unraised(draft, draft.picks), *bought)


def _list_unraised(draft: ModelDraft, free_traits: tuple[Trait, ...]) -> list[Trait]:
    """Those whose level no bought one replaces; psionic dice add up and are told together."""
    raised_keys = {raising_trait.key for raising_trait in draft.features if is_raise(draft, raising_trait)}
    return [trait for trait in free_traits if trait.key not in raised_keys and trait.key != "psionic"]


def list_taken_features(draft: ModelDraft) -> tuple[Trait, ...]:
    """Return the Features that it took beyond those of its block or template: without cost, and bought.

    Rules: CB-BUILD-05, CB-BUILD-06, CB-BUILD-19.
    """
    return (*draft.picks, *draft.features)


def get_printed_level(draft: ModelDraft, key: str) -> int:
    """Return the level of a Feature that came without cost, by its block or template or as a pick, if its
    levels are for sale, and otherwise 0.

    Rules: CB-BUILD-21, CB-FEAT-53.
    """
    if key == "psionic" or len(load().features[key].costs) < 2:
        return 0
    free_traits = (*draft.base.features, *draft.picks)
    return max((trait.level for trait in free_traits if trait.key == key), default=0)


def is_raise(draft: ModelDraft, trait: Trait) -> bool:
    """Return whether a bought Feature raises the level that was there. Rules: CB-BUILD-19, CB-FEAT-53."""
    return 0 < get_printed_level(draft, trait.key) < trait.level


def count_psionic_levels(draft: ModelDraft) -> int:
    """Return psionic dice on top of INT: of the block or template, free, and bought. Rules: CB-FEAT-43."""
    levels = sum(
        max((trait.level or 1 for trait in traits if trait.key == "psionic"), default=0)
        for traits in (draft.picks, draft.features)
    )
    if draft.base.psionic is None:
        return levels
    return max(0, draft.base.psionic.dice - draft.base.intellect.dice) + levels


def get_ability(draft: ModelDraft, ability: str) -> Rating:
    """Return the "strength", "agility" or "intellect" with the steps bought. Rules: CB-BUILD-16."""
    rating: Rating = getattr(draft.base, ability)
    steps = dict[str, int](draft.raises)
    return rating.plus(dice=steps.get(f"{ability}_dice", 0), modifier=steps.get(f"{ability}_modifier", 0))


def _get_psionic_defense(draft: ModelDraft, settings: Settings) -> int:
    """The Defense that psionics give: once, and by the setting for the Psionic of a template too."""
    row = get_template(draft)
    is_printed = draft.base.has_feature("psionic")
    if is_printed:
        return int(row is not None and settings.psionic_template_defense == "plus1")
    return int(any(trait.key == "psionic" for trait in list_taken_features(draft)))


@lru_cache(maxsize=1024)
def build_profile(draft: ModelDraft, settings: Settings = DEFAULTS) -> Profile:
    """Return the statblock of the draft as it stands, with its points. Faults do not hinder it.

    Psionic dice come on top of INT up to 4D; a Psionic that it took gives +1 Defense, once.
    Rules: CB-BUILD-01, CB-BUILD-04, CB-BUILD-16 to CB-BUILD-19, CB-FEAT-29, CB-FEAT-43, CB-WEAP-40.
    """
    base, library = draft.base, load()
    intellect = get_ability(draft, "intellect")
    fleet_levels = sum(trait.level or 1 for trait in list_taken_features(draft) if trait.key == "fleet")
    gear = tuple(find_gear(key) for key in draft.gear)
    built_profile = replace(
        base,
        mv=base.mv + draft.steps("mv") + fleet_levels,
        strength=get_ability(draft, "strength"),
        agility=get_ability(draft, "agility"),
        intellect=intellect,
        defense=base.defense + draft.steps("defense") + _get_psionic_defense(draft, settings),
        life=base.life + draft.steps("life"),
        psionic=_add_psionic_levels(intellect, count_psionic_levels(draft)),
        features=traits(draft),
        weapons=draft.weapons,
        gear=draft.gear,
        powers=draft.powers,
        shield=base.shield + add_up_shields(gear) - add_up_shields(library.gear[key] for key in base.gear),
    )
    return replace(built_profile, points=count_points(draft, built_profile))


def find_gear(key: str) -> Gear:
    """Return a piece of gear by key; vehicle gear has keys of its own. Raises UnknownEntry."""
    library = load()
    return library.vehicle_gear[key] if key in library.vehicle_gear else library.gear[key]


def find_weapon(draft: ModelDraft, key: str) -> Weapon:
    """Return a weapon by key, its own first, with the affiliations of the vehicle chart for a vehicle.

    Raises UnknownEntry.
    """
    custom_weapon = next((arm for arm in draft.arms if arm.key == key), None)
    if custom_weapon is not None:
        return custom_weapon
    library = load()
    if draft.base.is_vehicle and key in library.vehicle_weapons:
        return library.vehicle_weapons[key]
    return library.weapons[key]


def get_equipment_cost(draft: ModelDraft, profile: Profile) -> int:
    """Return requisition points of what the draft carries beyond its block; below 0 if equipment
    was given back. Rules: CB-BUILD-01, CB-GEAR-05, CB-GEAR-12.
    """
    carried_cost = sum(find_weapon(draft, key).cost for key in draft.weapons)
    carried_cost += sum(get_gear_cost(find_gear(key), profile) for key in draft.gear)
    printed_cost = sum(find_weapon(draft, key).cost for key in draft.base.weapons)
    printed_cost += sum(get_gear_cost(find_gear(key), draft.base) for key in draft.base.gear)
    return carried_cost - printed_cost


def count_points(draft: ModelDraft, profile: Profile) -> int:
    """Return the requisition points of template or block, spent Upgrade Points and equipment; unspent Upgrade
    Points add nothing. A Watchdog's own points belong to the Watchdog. Rules: CB-BUILD-01, CB-BUILD-16.
    """
    return draft.base.points + count_spent_points(draft) + get_equipment_cost(draft, profile)


# ------------------------------------------------------------------------------------------- upgrade points


def get_raise_cost(draft: ModelDraft, stat: Raise) -> int:
    """Upgrade Points for one step. Rules: CB-BUILD-16, CB-BUILD-17, CB-VEH-42."""
    row = get_prices(draft)
    if stat == "mv":
        return get_mv_cost(draft)
    if stat in ("defense", "life"):
        return row.defense_cost if stat == "defense" else row.life_cost
    return row.die_cost if stat.endswith("_dice") else row.modifier_cost


def get_trait_cost(draft: ModelDraft, trait: Trait) -> int:
    """Upgrade Points for a Feature as this model would have it; twice the price where its type pays double,
    for a higher level of what was there the difference.

    Raises UnknownEntry. Rules: CB-BUILD-07, CB-BUILD-19, CB-BUILD-21, CB-FEAT-29, CB-VEH-44.
    """
    if trait.key == "enhanced_chameleon" and {"edofleini", "edokin"} & set(draft.base.types):
        return CHAMELEON_SWAP
    if trait.key == "fleet":
        return get_mv_cost(draft) * max(1, trait.level)
    feature = load().features[trait.key]
    price = get_feature_cost(feature, trait, draft.base)
    if not is_raise(draft, trait):
        return price
    return price - get_feature_cost(
        feature, replace(trait, level=get_printed_level(draft, trait.key)), draft.base
    )


def count_spent_points(draft: ModelDraft) -> int:
    """Upgrade Points that the draft uses. Rules: CB-BUILD-01, CB-BUILD-16, CB-BUILD-19."""
    steps = sum(get_raise_cost(draft, stat) * count for stat, count in draft.raises)
    return steps + sum(get_trait_cost(draft, trait) for trait in draft.features)


def count_all_upgrade_points(draft: ModelDraft) -> int:
    """Upgrade Points that it has in all: 10 to start a new Hero or vehicle, and those earned.

    Rules: CB-BUILD-16, CB-BUILD-18, CB-VEH-42, CB-CAMP-06.
    """
    return (get_prices(draft).upgrade_points if draft.template else 0) + draft.earned


def list_members(drafts: Iterable[ModelDraft], settings: Settings = DEFAULTS) -> tuple[Member, ...]:
    """Return every model of the crew with its points, a Watchdog after its owner, in whose draft it stands.

    Rules: CB-CREW-17, CB-GEAR-49.
    """
    crew = []
    for draft in drafts:
        for model_draft in (draft, draft.watchdog):
            if model_draft is not None:
                profile = build_profile(model_draft, settings)
                crew.append(Member(profile, profile.points))
    return tuple(crew)
