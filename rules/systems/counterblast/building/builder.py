"""What is wrong with a draft, how it may be changed, and what may be chosen next.

A change is refused when it would break a rule that was whole before, so what may be chosen and why not are
one question. `equipment` judges the equipment alone, and `crew` the whole crew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from rules.refusals import Forbidden, InvalidInput, Missing
from rules.systems.counterblast.building.crew import count_allowed_powers
from rules.systems.counterblast.building.draft import (
    PSIONIC_CAP,
    RAISES,
    ModelDraft,
    Raise,
    build_profile,
    count_all_upgrade_points,
    count_psionic_levels,
    count_spent_points,
    find_gear,
    find_weapon,
    get_ability,
    get_prices,
    get_printed_level,
    get_raise_cost,
    get_template,
    get_top_level,
    get_trait_cost,
    is_open,
    is_raise,
    list_taken_features,
    list_unchecked,
)
from rules.systems.counterblast.building.equipment import Fault, Outfit, faults, list_swap_faults
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Feature, Gear, Profile, Rating, Trait, Weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.wording import times

ABILITIES = ("strength", "agility", "intellect")


@lru_cache(maxsize=1024)
def list_draft_faults(draft: ModelDraft, settings: Settings = DEFAULTS) -> tuple[Fault, ...]:
    """Return everything that is wrong with a draft, in the order in which it is built.

    Rules: CB-BUILD-05, CB-BUILD-16 to CB-BUILD-20, CB-FEAT-34, CB-FEAT-43, CB-PSI-01, CB-GEAR-05, CB-GEAR-49.
    """
    profile = build_profile(draft, settings)
    return (
        *_list_point_faults(draft),
        *_list_maximum_faults(draft, profile, settings),
        *_list_feature_faults(draft, settings),
        *_list_power_faults(draft, profile, settings),
        *_list_equipment_faults(draft, profile, settings),
        *_list_watchdog_faults(draft, settings),
    )


def _list_point_faults(draft: ModelDraft) -> list[Fault]:
    available_points, spent_points = count_all_upgrade_points(draft), count_spent_points(draft)
    if spent_points > available_points:
        points = times(spent_points, "Upgrade Point")
        return [
            Fault(
                f"All upgrades together cost {points}, but you have only {available_points}. "
                "Remove an upgrade.",
                "CB-BUILD-16",
            )
        ]
    return []


def _list_maximum_faults(draft: ModelDraft, profile: Profile, settings: Settings) -> list[Fault]:
    row, size, faults = get_prices(draft), draft.base.size, []
    top_mv, top_life = dict(row.max_mv).get(size, 0), dict(row.max_life).get(size, 0)
    has_fleet = any(trait.key == "fleet" for trait in draft.features)
    rule = "CB-VEH-43" if draft.base.is_vehicle else "CB-BUILD-18"
    if (draft.steps("mv") or has_fleet) and profile.mv > top_mv:
        faults.append(Fault(f"On this base, Mv can be at most {top_mv}.", rule))
    if draft.steps("life") and profile.life > top_life:
        faults.append(Fault(f"On this base, Life can be at most {top_life}.", rule))
    if draft.steps("defense") and profile.defense > row.max_defense:
        faults.append(Fault(f"Defense can be at most {row.max_defense}.", rule))
    if draft.steps("defense") > 1 and not settings.hero_defense_stacks and not draft.base.is_vehicle:
        faults.append(Fault("You can only raise Defense once.", "CB-BUILD-17"))
    steps = dict[str, int](draft.raises)
    for ability in ABILITIES:
        rating: Rating = getattr(profile, ability)
        if steps.get(f"{ability}_dice") and rating.dice > row.max_dice:
            faults.append(Fault(f"An ability can have at most {row.max_dice} dice.", rule))
        if steps.get(f"{ability}_modifier") and rating.modifier > row.max_modifier:
            faults.append(Fault(f"An ability's modifier can be at most +{row.max_modifier}.", rule))
    return faults


def _list_feature_faults(draft: ModelDraft, settings: Settings) -> list[Fault]:
    library, faults = load(), []
    row = get_template(draft)
    if len(draft.picks) > (row.free_choices if row else 0):
        faults.append(Fault("You have no free Feature left to choose.", "CB-BUILD-19"))
    for trait in list_taken_features(draft):
        feature = library.features[trait.key]
        if not is_open(feature, draft.base, settings):
            chart_rule = "CB-VEH-44" if draft.base.is_vehicle else "CB-BUILD-20"
            faults.append(Fault(f"Models of this type can't have {feature.name}.", chart_rule))
        elif trait.level > get_top_level(feature, draft.base):
            faults.append(Fault(f"{feature.name} has no level {trait.level}.", "CB-BUILD-21"))
        if not _is_faction_allowed(draft, feature):
            faults.append(Fault(f"Vehicles of this faction can't have {feature.name}.", "CB-VEH-44"))
        if feature.choices and trait.choice not in feature.choices:
            faults.append(
                Fault(f"Choose one of these for {feature.name}: {', '.join(feature.choices)}.", "CB-BUILD-19")
            )
    for trait, count in Counter((*draft.base.features, *draft.picks, *draft.features)).items():
        if count > 1 and trait.key not in ("psionic", "fleet"):
            faults.append(Fault(f"You can only take {library.features[trait.key].name} once.", "CB-BUILD-19"))
    bought = [trait for trait in draft.features if not is_raise(draft, trait)]
    keys = Counter(trait.key for trait in (*draft.base.features, *draft.picks, *bought))
    for key, count in keys.items():
        if key == "knack" and count > draft.base.level:
            often = "once" if draft.base.level == 1 else times(draft.base.level, "time")
            faults.append(Fault(f"You can only take Knack {often}.", "CB-FEAT-34"))
        elif count > 1 and key not in ("psionic", "knack") and not library.features[key].stacks:
            faults.append(Fault(f"You can only take {library.features[key].name} once.", "CB-BUILD-19"))
    intellect = get_ability(draft, "intellect").dice
    if (
        any(taken_trait.key == "psionic" for taken_trait in list_taken_features(draft))
        and intellect + count_psionic_levels(draft) > PSIONIC_CAP
    ):
        faults.append(Fault(f"A psionic rating can have at most {PSIONIC_CAP} dice.", "CB-FEAT-43"))
    return list(dict.fromkeys(faults))


def _is_faction_allowed(draft: ModelDraft, feature: Feature) -> bool:
    affiliations = feature.vehicle_affiliations
    return not (draft.base.is_vehicle and affiliations and draft.faction) or draft.faction in affiliations


def _list_power_faults(draft: ModelDraft, profile: Profile, settings: Settings) -> list[Fault]:
    if not draft.powers:
        return []
    if profile.psionic is None:
        return [Fault("Only models with the Psionic Feature can have powers.", "CB-PSI-01")]
    known_keys = load().power_keys()
    unknown_powers = [power for power in draft.powers if power not in known_keys]
    if unknown_powers:
        return [Fault(f"There is no psionic power called {unknown_powers[0]!r}.", "CB-PSI-01")]
    gear = tuple(find_gear(key) for key in draft.gear)
    max_powers = count_allowed_powers(profile, gear, draft.crew, settings)
    faults = []
    if len(draft.powers) > max(max_powers, len(draft.base.powers)):
        faults.append(Fault(f"This model can have at most {times(max_powers, 'power')}.", "CB-PSI-01"))
    if len(set(draft.powers)) < len(draft.powers):
        faults.append(Fault("You can only choose each power once.", "CB-PSI-01"))
    return faults


def _list_equipment_faults(draft: ModelDraft, profile: Profile, settings: Settings) -> list[Fault]:
    weapons = tuple(find_weapon(draft, key) for key in draft.weapons)
    gear = tuple(find_gear(key) for key in draft.gear)
    printed_items: tuple[Weapon | Gear, ...] = (
        *(find_weapon(draft, key) for key in draft.base.weapons),
        *(find_gear(key) for key in draft.base.gear),
    )
    crew = draft.crew.specialties
    outfit = Outfit(profile, weapons, gear, draft.faction, crew, draft.mekkus, printed_items)
    block = replace(
        outfit,
        profile=draft.base,
        weapons=tuple(item for item in printed_items if isinstance(item, Weapon)),
        gear=tuple(item for item in printed_items if isinstance(item, Gear)),
    )
    exempt = {*faults(block, settings), *_list_catalogue_faults(draft, printed_items)}
    all_faults = (*faults(outfit, settings), *_list_catalogue_faults(draft, (*weapons, *gear)))
    swaps = list_swap_faults(draft.base, printed_items, (*weapons, *gear))
    return [fault for fault in (*all_faults, *swaps) if fault not in exempt]


def _list_catalogue_faults(draft: ModelDraft, items: Iterable[Weapon | Gear]) -> list[Fault]:
    """Vehicles choose from their own charts, other models from the personal ones."""
    library, item_faults, vehicle = load(), [], draft.base.is_vehicle
    for item in items:
        if isinstance(item, Gear):
            if vehicle is not (item.key in library.vehicle_gear):
                words = "isn't vehicle gear" if vehicle else "is for vehicles only"
                item_faults.append(Fault(f"{item.name} {words}.", "CB-VEH-45"))
        elif vehicle and item.key not in library.vehicle_weapons and not item.is_natural:
            item_faults.append(Fault(f"{item.name} can't be mounted on a vehicle.", "CB-VEH-52"))
        elif not vehicle and item.group == "mounted":
            item_faults.append(Fault(f"{item.name} is for vehicles only.", "CB-VEH-52"))
    return item_faults


def _list_watchdog_faults(draft: ModelDraft, settings: Settings) -> list[Fault]:
    has_watchdog_gear = "watchdog" in draft.gear
    if draft.watchdog is None:
        return (
            [Fault("Build the Watchdog first, as a Beast on a small base.", "CB-GEAR-49")]
            if has_watchdog_gear
            else []
        )
    watchdog = draft.watchdog
    faults = []
    if not has_watchdog_gear:
        faults.append(Fault("First add a Watchdog to the owner's gear.", "CB-GEAR-49"))
    if watchdog.template != "beast" or watchdog.base.size != "S":
        faults.append(Fault("A Watchdog has to be a Beast on a small base.", "CB-GEAR-49"))
    return [*faults, *list_draft_faults(watchdog, settings)]


def list_unchecked_features(draft: ModelDraft, settings: Settings = DEFAULTS) -> tuple[str, ...]:
    """Return the names of Features that cannot be checked because their place in the chart of types is
    lost.

    Rules: CB-BUILD-20, CB-VEH-44.
    """
    return list_unchecked(list_taken_features(draft), draft.base, settings)


def apply_change(draft: ModelDraft, changed_draft: ModelDraft, settings: Settings = DEFAULTS) -> ModelDraft:
    """Return the draft after a change. Raises Forbidden for a fault that the change brings; rules broken
    before do not hinder. Rules: CB-BUILD-01.
    """
    broken_rules = {fault.rule for fault in list_draft_faults(draft, settings)}
    for fault in list_draft_faults(changed_draft, settings):
        if fault.rule not in broken_rules:
            raise Forbidden(fault.sentence, fault.rule)
    return changed_draft


# ------------------------------------------------------------------------------------------- changes


def buy_steps(draft: ModelDraft, stat: Raise, steps: int = 1, settings: Settings = DEFAULTS) -> ModelDraft:
    """Buy so many steps, or give bought ones back when negative.

    Raises InvalidInput for an unknown thing or steps that were not bought, Forbidden as `apply_change`.
    Rules: CB-BUILD-16, CB-BUILD-17, CB-BUILD-18, CB-VEH-42, CB-VEH-43, CB-CAMP-07.
    """
    if stat not in RAISES:
        raise Missing(f"Choose what to raise: {', '.join(RAISES)}.")
    count = draft.steps(stat) + steps
    if count < 0:
        raise InvalidInput("You can only remove what you bought.")
    other_raises = tuple((key, value) for key, value in draft.raises if key != stat)
    return apply_change(
        draft, replace(draft, raises=(*other_raises, *(((stat, count),) if count else ()))), settings
    )


def refuse_worse_feature(draft: ModelDraft, trait: Trait) -> None:
    """Refuse a Feature that was bought already, at that level or a higher one. Rules: CB-BUILD-19."""
    feature = load().features[trait.key]
    bought_trait = next(
        (trait_bought for trait_bought in draft.features if trait_bought.key == trait.key), None
    )
    if bought_trait is None or feature.stacks or feature.choices or trait.level > bought_trait.level:
        return
    max_level = get_top_level(feature, draft.base)
    level = max(1, bought_trait.level)
    refusal_text = f"You can only take {feature.name} once."
    if level < max_level:
        refusal_text = (
            f"The model already has {feature.name} at level {level}. You can take level {level + 1} next."
        )
    elif max_level > 1:
        refusal_text = f"The model already has {feature.name} at level {level}, which is the highest."
    raise Forbidden(refusal_text, "CB-BUILD-19")


def add_feature(
    draft: ModelDraft, trait: Trait, settings: Settings = DEFAULTS, *, as_pick: bool = False
) -> ModelDraft:
    """Buy a Feature, or pick it as the one that comes without cost; a higher level replaces a lower one.

    Raises UnknownEntry, or Forbidden as `apply_change` and for what it has at that level or a higher one.
    Rules: CB-BUILD-19, CB-BUILD-20, CB-BUILD-05, CB-BUILD-06.
    """
    feature = load().features[trait.key]
    if as_pick:
        return apply_change(draft, replace(draft, picks=(*draft.picks, trait)), settings)
    refuse_worse_feature(draft, trait)
    is_repeatable = feature.stacks or feature.choices
    traits = draft.features if is_repeatable else tuple(old for old in draft.features if old.key != trait.key)
    return apply_change(draft, replace(draft, features=(*traits, trait)), settings)


def remove_feature(draft: ModelDraft, trait: Trait, settings: Settings = DEFAULTS) -> ModelDraft:
    """Return the draft without a bought or picked Feature and all its levels, before the draft is finished.
    If it has several with a choice, the named one is removed; if it has several that add up, one is.

    Raises InvalidInput for what it did not take. Rules: CB-BUILD-19.
    """
    matching = [
        feature for feature in draft.features if (feature.key, feature.choice) == (trait.key, trait.choice)
    ]
    removed = matching[-1:] if load().features[trait.key].stacks else matching
    features, picks = list(draft.features), list(draft.picks)
    for removed_trait in removed:
        features.remove(removed_trait)
    if not removed:
        picks = [pick for pick in picks if (pick.key, pick.choice) != (trait.key, trait.choice)]
    if (tuple(features), tuple(picks)) == (draft.features, draft.picks):
        raise InvalidInput("Choose a Feature that you added to this model.")
    return apply_change(draft, replace(draft, features=tuple(features), picks=tuple(picks)), settings)


def add_power(draft: ModelDraft, power: str, settings: Settings = DEFAULTS) -> ModelDraft:
    """Choose a psionic power. Raises Forbidden as `apply_change`. Rules: CB-PSI-01."""
    return apply_change(draft, replace(draft, powers=(*draft.powers, power)), settings)


def add_weapon(draft: ModelDraft, key: str, settings: Settings = DEFAULTS) -> ModelDraft:
    """Return the draft with another weapon. Raises UnknownEntry, Forbidden as `apply_change`.

    Rules: CB-BUILD-22, CB-GEAR-07, CB-WEAP-38.
    """
    load().weapons[key]
    return apply_change(draft, replace(draft, weapons=(*draft.weapons, key)), settings)


def add_gear(
    draft: ModelDraft, key: str, settings: Settings = DEFAULTS, *, watchdog: ModelDraft | None = None
) -> ModelDraft:
    """Return the draft with another piece of gear; a Watchdog is given as the draft of its Beast.

    Raises UnknownEntry, Forbidden as `apply_change`. Rules: CB-GEAR-10, CB-GEAR-11, CB-GEAR-49, CB-VEH-45.
    """
    find_gear(key)
    dog = watchdog if key == "watchdog" else draft.watchdog
    return apply_change(draft, replace(draft, gear=(*draft.gear, key), watchdog=dog), settings)


def remove_item(draft: ModelDraft, key: str, settings: Settings = DEFAULTS) -> ModelDraft:
    """Put a weapon or piece of gear away; its requisition points are free for other equipment.

    Raises InvalidInput for what it does not carry, Forbidden for a Lackey's or a natural weapon.
    Rules: CB-GEAR-05, CB-GEAR-06.
    """
    for field in ("weapons", "gear"):
        items: tuple[str, ...] = getattr(draft, field)
        if key in items:
            place = items.index(key)
            remaining = items[:place] + items[place + 1 :]
            dog = None if key == "watchdog" else draft.watchdog
            if field == "gear":
                return apply_change(draft, replace(draft, gear=remaining, watchdog=dog), settings)
            return apply_change(draft, replace(draft, weapons=remaining), settings)
    raise InvalidInput("Choose something that the model carries.")


# ------------------------------------------------------------------------------------------- choices


def _is_allowed(draft: ModelDraft, changed_draft: ModelDraft, settings: Settings) -> bool:
    try:
        apply_change(draft, changed_draft, settings)
    except Forbidden:
        return False
    return True


def list_open_raises(draft: ModelDraft, settings: Settings = DEFAULTS) -> tuple[tuple[Raise, int], ...]:
    """Return what can be raised, and each step's Upgrade Points. Rules: CB-BUILD-16 to CB-BUILD-18."""
    raises = []
    for stat in RAISES:
        other_raises = tuple((key, value) for key, value in draft.raises if key != stat)
        raised_draft = replace(draft, raises=(*other_raises, (stat, draft.steps(stat) + 1)))
        if _is_allowed(draft, raised_draft, settings):
            raises.append((stat, get_raise_cost(draft, stat)))
    return tuple(raises)


def list_open_features(draft: ModelDraft, settings: Settings = DEFAULTS) -> tuple[tuple[Trait, int], ...]:
    """Return the Features that can be bought now, at their lowest or next level, with their prices.

    One with choices is listed with each choice. Rules: CB-BUILD-19, CB-BUILD-20, CB-BUILD-21.
    """
    features = []
    for feature in load().features:
        for choice in feature.choices or ("",):
            level = get_printed_level(draft, feature.key) + int(len(feature.costs) > 1)
            trait = Trait(feature.key, level, choice)
            extended_draft = replace(draft, features=(*draft.features, trait))
            if _is_allowed(draft, extended_draft, settings):
                features.append((trait, get_trait_cost(draft, trait)))
    return tuple(features)


def list_open_weapons(draft: ModelDraft, settings: Settings = DEFAULTS) -> tuple[Weapon, ...]:
    """Return weapons that can be taken now; natural ones of printed blocks are not for sale beyond reach 0.

    Rules: CB-BUILD-22, CB-GEAR-10, CB-WEAP-06, CB-WEAP-38, CB-VEH-52.
    """
    library = load()
    offered = library.vehicle_weapons if draft.base.is_vehicle else library.weapons
    return tuple(
        weapon
        for weapon in offered
        if not (weapon.is_natural and weapon.reach_inches)
        and _is_allowed(draft, replace(draft, weapons=(*draft.weapons, weapon.key)), settings)
    )


def list_open_gear(draft: ModelDraft, settings: Settings = DEFAULTS) -> tuple[Gear, ...]:
    """Return the gear that can be taken now, a Watchdog aside. Rules: CB-GEAR-10, CB-GEAR-11, CB-VEH-45."""
    library = load()
    offered = library.vehicle_gear if draft.base.is_vehicle else library.gear
    return tuple(
        item for item in offered if _is_allowed(draft, replace(draft, gear=(*draft.gear, item.key)), settings)
    )
