"""The steps of building a model: what each offers, and the draft after something is added or removed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from bot.games.counterblast.building.draft_texts import (
    RAISE_WORDS,
    Steps,
    ends_with_level,
    items_of,
    steps_words,
    trait_words,
    upgrade_exactly,
)
from bot.games.counterblast.core.wording import power_title
from bot.table.names import find
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.systems.counterblast.building.builder import (
    add_feature,
    add_gear,
    add_power,
    add_weapon,
    apply_change,
    buy_steps,
    list_open_features,
    list_open_gear,
    list_open_raises,
    list_open_weapons,
    remove_feature,
    remove_item,
)
from rules.systems.counterblast.building.draft import (
    RAISES,
    ModelDraft,
    build_profile,
    get_top_level,
    get_trait_cost,
    start_hero,
)
from rules.systems.counterblast.building.equipment import get_gear_cost
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Trait
from rules.wording import times

STEPS: dict[str, str] = {
    "raise": "Raise",
    "feature": "Feature",
    "free": "Free Feature",
    "weapon": "Weapon",
    "gear": "Gear",
    "power": "Power",
}
"""The steps by key, with what their buttons say."""

WATCHDOG = "watchdog"


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that may be chosen: in which step, by which key, in words, and its price."""

    step: str
    key: str
    label: str
    note: str = ""


def trait_key(trait: Trait) -> str:
    """Return a Feature with its level and choice in one word."""
    return f"{trait.key}:{trait.level}:{trait.choice}"


def trait_of(key: str) -> Trait:
    """Return the Feature of such a word. Raises InvalidInput."""
    parts = key.split(":")
    if len(parts) != 3 or not parts[1].isdecimal():
        raise InvalidInput("There is no Feature with that name.")
    load().features[parts[0]]
    return Trait(parts[0], int(parts[1]), parts[2])


# ------------------------------------------------------------------------------------------- offered


@lru_cache(maxsize=64)
def offers_in_step(draft: ModelDraft, step: str, *, removable: bool = False) -> tuple[Offer, ...]:
    """Return what is legal now in a step; back: what may be given back, of every step."""
    return tuple(_removable_offers(draft) if removable else _OFFERS[step](draft))


def _raises(draft: ModelDraft) -> list[Offer]:
    return [
        Offer("raise", raise_key, RAISE_WORDS[raise_key], times(cost, "Upgrade Point"))
        for raise_key, cost in list_open_raises(draft)
    ]


def _features(draft: ModelDraft) -> list[Offer]:
    offers = [
        Offer("feature", trait_key(trait), trait_words(trait), times(cost, "Upgrade Point"))
        for trait, cost in list_open_features(draft)
    ]
    for trait in draft.features:
        higher = replace(trait, level=max(1, trait.level) + 1)
        feature = load().features[trait.key]
        if feature.stacks or higher.level > get_top_level(feature, draft.base):
            continue
        try:
            add_feature(draft, higher)
        except Forbidden:
            continue
        extra_cost = get_trait_cost(draft, higher) - get_trait_cost(draft, trait)
        offers.append(
            Offer("feature", trait_key(higher), trait_words(higher), times(extra_cost, "more Upgrade Point"))
        )
    return offers


def _free(draft: ModelDraft) -> list[Offer]:
    offers = []
    for feature in load().features:
        for choice in feature.choices or ("",):
            trait = Trait(feature.key, int(len(feature.costs) > 1), choice)
            try:
                add_feature(draft, trait, as_pick=True)
            except Forbidden:
                continue
            offers.append(Offer("free", trait_key(trait), trait_words(trait), "free"))
    return offers


def _weapons(draft: ModelDraft) -> list[Offer]:
    return [
        Offer("weapon", arm.key, arm.name, f"{times(arm.cost, 'point')}, {times(max(1, arm.slots), 'slot')}")
        for arm in list_open_weapons(draft)
    ]


def _gear(draft: ModelDraft) -> list[Offer]:
    profile = build_profile(draft)
    offers = [
        Offer("gear", item.key, item.name, times(get_gear_cost(item, profile), "point"))
        for item in list_open_gear(draft)
    ]
    try:
        add_thing(draft, "gear", WATCHDOG)
    except (Forbidden, InvalidInput):
        return offers
    return [*offers, Offer("gear", WATCHDOG, "Watchdog", "a small Beast")]


def _powers(draft: ModelDraft) -> list[Offer]:
    offers = []
    for key in load().power_keys():
        try:
            add_power(draft, key)
        except Forbidden:
            continue
        offers.append(Offer("power", key, power_title(key), load().power_uses(key)[0].text[:90]))
    return offers


_OFFERS: dict[str, Callable[[ModelDraft], list[Offer]]] = {
    "raise": _raises,
    "feature": _features,
    "free": _free,
    "weapon": _weapons,
    "gear": _gear,
    "power": _powers,
}


def _removable_offers(draft: ModelDraft) -> list[Offer]:
    weapons, gear = items_of(draft)
    offers = [
        Offer("raise", raise_key, RAISE_WORDS[raise_key], f"raised by {times(count, 'step')}")
        for raise_key, count in draft.raises
    ]
    offers += [
        Offer("feature", trait_key(trait), trait_words(trait)) for trait in (*draft.features, *draft.picks)
    ]
    offers += [Offer("weapon", item.key, item.name) for item in weapons]
    offers += [Offer("gear", item.key, item.name) for item in gear]
    offers += [Offer("power", key, power_title(key)) for key in draft.powers if key not in draft.base.powers]
    unique = list(dict.fromkeys(offers))
    return [offer for offer in unique if _can_remove(draft, offer)]


def _can_remove(draft: ModelDraft, offer: Offer) -> bool:
    try:
        remove_thing(draft, offer.step, offer.key)
    except (Forbidden, InvalidInput):
        return False
    return True


# ------------------------------------------------------------------------------------------- taken, given


def add_thing(draft: ModelDraft, step: str, key: str) -> tuple[ModelDraft, str]:
    """Return the draft with one thing more, and that thing. Raises InvalidInput, Forbidden with the rule."""
    library = load()
    if step == "raise":
        raise_key, count = _parse_raise(key)
        return buy_steps(draft, raise_key, count), steps_words(raise_key, count)
    if step in ("feature", "free"):
        trait = trait_of(key)
        return add_feature(draft, trait, as_pick=step == "free"), trait_words(trait)
    if step == "weapon":
        return add_weapon(draft, key), library.weapons[key].name
    if step == "gear":
        dog = replace(start_hero("beast", "Watchdog", size="S"), faction=draft.faction)
        new_draft = add_gear(draft, key, watchdog=dog if key == WATCHDOG else None)
        return new_draft, items_of(new_draft)[1][-1].name
    if step == "power":
        return add_power(draft, key), power_title(key)
    raise Missing(f"Choose one of these steps: {', '.join(STEPS)}.")


def remove_thing(draft: ModelDraft, step: str, key: str) -> tuple[ModelDraft, str]:
    """Return the draft with one thing less, and that thing. Raises InvalidInput, Forbidden with the rule."""
    if step == "raise":
        raise_key, count = _parse_raise(key)
        return buy_steps(draft, raise_key, -count), steps_words(raise_key, count)
    if step in ("feature", "free"):
        trait = _own_trait(draft, trait_of(key))
        return remove_feature(draft, trait), trait_words(trait)
    if step in ("weapon", "gear"):
        names = {item.key: item.name for items in items_of(draft) for item in items}
        return remove_item(draft, key), names.get(key, key)
    if step == "power" and key in draft.powers:
        remaining = tuple(power for power in draft.powers if power != key)
        return apply_change(draft, replace(draft, powers=remaining)), power_title(key)
    raise InvalidInput("Choose an upgrade, Feature, weapon, gear or power that the model has.")


def undo_word(step: str, key: str, *, removing: bool) -> str:
    """Return the word that undoes a step: + adds the thing, - removes it."""
    return f"{'+' if removing else '-'}{step}/{key}"


def apply_undo_word(draft: ModelDraft, word: str) -> ModelDraft | None:
    """Return the draft after an undo word, or None if that isn't legal."""
    step, _, key = word[1:].partition("/")
    try:
        return (add_thing if word[:1] == "+" else remove_thing)(draft, step, key)[0]
    except (Forbidden, InvalidInput):
        return None


def _own_trait(draft: ModelDraft, trait: Trait) -> Trait:
    traits = (*draft.features, *draft.picks)
    return next(
        (carried for carried in traits if (carried.key, carried.choice) == (trait.key, trait.choice)), trait
    )


def _parse_raise(key: str) -> Steps:
    raise_key, _, count = key.partition(":")
    steps = int(count) if count.isdecimal() and len(count) < 3 else 1
    if raise_key not in RAISES or not steps:
        raise Missing(f"Choose what to raise: {', '.join(RAISE_WORDS.values())}.")
    return raise_key, steps


# ------------------------------------------------------------------------------------------- by name


def all_things(draft: ModelDraft) -> list[Offer]:
    """Return everything that has a name, legal or not: a refusal explains why not."""
    library, vehicle = load(), draft.base.is_vehicle
    offers = [Offer("raise", raise_key, RAISE_WORDS[raise_key]) for raise_key in RAISES]
    for feature in library.features:
        for choice in feature.choices or ("",):
            trait = Trait(feature.key, int(len(feature.costs) > 1), choice)
            offers.append(Offer("feature", trait_key(trait), trait_words(trait)))
    arms = library.vehicle_weapons if vehicle else library.weapons
    offers += [Offer("weapon", item.key, item.name) for item in arms]
    kit = library.vehicle_gear if vehicle else library.gear
    offers += [Offer("gear", item.key, item.name) for item in kit]
    offers += [Offer("power", key, power_title(key)) for key in library.power_keys()]
    return offers


def thing_named(draft: ModelDraft, text: str, *, removing: bool = False) -> tuple[str, str]:
    """Return the step and key of what is meant, in any spelling that the bot prints; back: of what it has.

    A Feature that is open without cost is taken without cost. Raises InvalidInput with the nearest names.
    """
    typed = " ".join(text.split()).casefold()
    offers = _removable_offers(draft) if removing else []
    for offer in offers:
        if offer.label.casefold() == typed:
            return offer.step, offer.key
    upgrade = upgrade_exactly(text)
    if isinstance(upgrade, Trait):
        return _find_feature(draft, upgrade, leveled=ends_with_level(text), removing=removing)
    if upgrade is not None:
        return "raise", ":".join(map(str, upgrade))
    choices = all_things(draft)
    exact_matches = [offer for offer in choices if typed in _offer_names(offer)]
    legal_offer = (
        next((offer for offer in exact_matches if offer in offers_in_step(draft, offer.step)), None)
        if len(exact_matches) > 1
        else None
    )
    offer_meant = legal_offer or (
        exact_matches[0] if exact_matches else find(text, choices, lambda one: one.label, "upgrade or item")
    )
    if offer_meant.step == "feature":
        return _find_feature(draft, trait_of(offer_meant.key), leveled=False, removing=removing)
    return offer_meant.step, offer_meant.key


@cache
def _offer_names(offer: Offer) -> tuple[str, ...]:
    """Return an offer's names, older ones too; only what the library lists is asked for them."""
    library = load()
    older_names: tuple[str, ...] = ()
    if offer.step in ("weapon", "gear"):
        items = (*library.vehicle_weapons, *library.weapons, *library.vehicle_gear, *library.gear)
        older_names = next(
            item.aliases for item in items if (item.key, item.name) == (offer.key, offer.label)
        )
    return tuple(name.casefold() for name in (offer.label, *older_names))


def _find_feature(draft: ModelDraft, trait: Trait, *, leveled: bool, removing: bool) -> tuple[str, str]:
    """Return the step and key of a Feature: a free one while one is left, otherwise one that costs points."""
    if removing or (leveled and trait.level > 1):
        return "feature", trait_key(trait)
    try:
        add_feature(draft, trait, as_pick=True)
    except Forbidden:
        return "feature", trait_key(trait)
    return "free", trait_key(trait)
