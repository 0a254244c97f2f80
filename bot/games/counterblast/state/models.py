"""Models as the rules see them, and the suggestions of their names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, get_args, get_type_hints

from bot.games.counterblast.state.drafts import draft_from_block, read_draft
from bot.games.counterblast.state.table_state import ModelState
from bot.store.rows import ModelRow, SideRow
from bot.table.asking.kinds import Asking, Names, Offer
from bot.table.asking.offering import foe, friendly, model_said, models_offered, own_model, such
from bot.table.board import facts
from bot.table.encounter import EncounterView
from bot.table.names import find, suggest_names
from rules.counters import AnyCounter
from rules.effects import Assign, Count, Effect, Lose
from rules.refusals import InvalidInput
from rules.systems.counterblast.building.crew import LEADER
from rules.systems.counterblast.building.draft import build_profile, find_gear, find_weapon
from rules.systems.counterblast.building.equipment import add_up_shields
from rules.systems.counterblast.campaign import list_injury_modifiers
from rules.systems.counterblast.core.fighter import BORROWED_FEATURE, Condition, CrewTraits, Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Gear, Profile, Trait, Weapon
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.gear.items import ARM
from rules.systems.counterblast.shooting.special_attacks import ACID, ACID_AREA, GOO
from rules.systems.counterblast.shooting.templates import bursts_of

EASY_GROUND = "easy ground"
"""Trait of a side: what scouting takes off every Rugged rating."""


ACID_POOL = replace(ACID_AREA, name="Acid Spit on a spot")
"""Acid spat at a spot, under a name that no other weapon of the same model has."""


@dataclass(frozen=True, slots=True)
class Block:
    """A model's statblock in its row: the block, its equipment, and its other weapons: its body by its
    own Features, its tools.
    """

    profile: Profile
    weapons: tuple[Weapon, ...]
    gear: tuple[Gear, ...]
    body: tuple[Weapon, ...]
    tools: tuple[Weapon, ...]


def block_text(key: str, weapons: tuple[str, ...] = (), gear: tuple[str, ...] = ()) -> str:
    """Return a roster's statblock with further equipment, as a model's row keeps it. Raises InvalidInput."""
    library = load()
    written: dict[str, Any] = {"block": library.profiles[key].key}
    if weapons:
        written["weapons"] = [library.weapons[weapon].key for weapon in weapons]
    if gear:
        written["gear"] = [library.gear[key].key for key in gear]
    return json.dumps(written, sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=1024)
def _find_equipment(name: str) -> tuple[str, Weapon | Gear]:
    library = load()
    everything: list[tuple[str, Weapon | Gear]] = [("weapons", weapon) for weapon in library.weapons]
    everything += [("gear", gear) for gear in library.gear]
    return find(name, everything, lambda pair: pair[1].name, "weapon or piece of gear")


def with_equipment(text: str, names: Sequence[str]) -> str:
    """Return the statblock of a model's row with further weapons and gear, by name. Raises InvalidInput."""
    written = json.loads(text)
    for name in names:
        kind, item = _find_equipment(name)
        written[kind] = [*written.get(kind, ()), item.key]
    return json.dumps(written, sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=1024)
def read_block(text: str) -> Block:
    """Return the statblock of a model's row. Raises InvalidInput for one that this version does not know."""
    written = json.loads(text)
    draft = read_draft(written["built"]) if "built" in written else draft_from_block(written)
    profile = build_profile(draft) if "built" in written else draft.base
    weapons = (*profile.weapons, *written.get("weapons", ()))
    gear = (*profile.gear, *written.get("gear", ()))
    powers = (*profile.powers, *written.get("powers", ()))
    shield = profile.shield + add_up_shields(find_gear(key) for key in written.get("gear", ()))
    printed = "block" in written
    profile, carried = replace(profile, powers=powers, shield=shield), tuple(find_gear(key) for key in gear)
    return Block(
        profile,
        tuple(load().weapons[key] if printed else find_weapon(draft, key) for key in weapons),
        carried,
        list_natural_weapons(profile),
        list_tools(carried),
    )


def find_known_weapon(model: ModelRow, key: str) -> Weapon:
    """Return the weapon of that key: one that the model carries, or one of the charts.

    Raises InvalidInput.
    """
    carried = read_block(model.profile).weapons
    return next((weapon for weapon in carried if weapon.key == key), None) or load().weapons[key]


def with_powers(text: str, powers: Sequence[str]) -> str:
    """Return the statblock of a model's row with these psionic powers as chosen for it, by key."""
    written = json.loads(text)
    if "built" in written:
        written["built"]["powers"] = list(powers)
    else:
        own_powers = draft_from_block(written).base.powers
        written["powers"] = [power for power in powers if power not in own_powers]
    return json.dumps(written, sort_keys=True, separators=(",", ":"))


def traits_of(side: SideRow) -> CrewTraits:
    """Return what a side's crew gives to its models."""
    return traits_in(side.traits)


def traits_in(traits: Mapping[str, str]) -> CrewTraits:
    """Return what a crew gives to its models, from the traits of its row."""
    get = traits.get
    return _crew_traits(
        get("specialties", ""), get("alignment", ""), get("marauder", ""), get(EASY_GROUND, "0")
    )


@lru_cache(maxsize=256)
def _crew_traits(specialties: str, alignment: str, marauder: str, easy_ground: str) -> CrewTraits:
    return CrewTraits(frozenset(filter(None, specialties.split(","))), alignment, marauder, int(easy_ground))


def list_natural_weapons(profile: Profile, borrowed: Sequence[tuple[str, int]] = ()) -> tuple[Weapon, ...]:
    """Return a model's spits and bursts by its Features. borrowed: with the level printed for them.

    Rules: CB-FEAT-01, CB-FEAT-24, CB-FEAT-49, CB-FEAT-62, CB-PSI-19.
    """
    lent = tuple(Trait(key, level) for key, level in borrowed if not profile.has_feature(key))
    profile = replace(profile, features=(*profile.features, *lent)) if lent else profile
    goo = (GOO,) if profile.has_feature("sticky_goo") else ()
    return (*goo, *((ACID, ACID_POOL) if profile.has_feature("acid_spit") else ()), *bursts_of(profile))


def list_tools(gear: Sequence[Gear]) -> tuple[Weapon, ...]:
    """Return the Extraction Tool as the weapon that it also is. Rules: CB-GEAR-34, CB-VEH-51."""
    return (ARM,) if any(item.key.endswith("extraction_tool") for item in gear) else ()


def fighter(encounter: EncounterView, model: ModelRow) -> Fighter:
    """Return a model in play as the rules see it."""
    return encounter.worked_out((fighter, model.id), lambda: _fighter_from_row(encounter, model))


def _fighter_from_row(encounter: EncounterView, model: ModelRow) -> Fighter:
    block = read_block(model.profile)
    side = encounter.side(model.side)
    conditions = frozenset((row.kind, row.value) for row in encounter.conditions(model.id))
    borrowed = sorted(BORROWED_FEATURE.among(conditions).items())
    body = list_natural_weapons(block.profile, borrowed) if borrowed else block.body
    return Fighter(
        id=model.id,
        name=model.name,
        side=model.side,
        profile=block.profile,
        weapons=(*block.weapons, *body, *block.tools),
        gear=block.gear,
        damage=model.damage,
        conditions=conditions,
        counters=frozenset(model.counters.items()),
        leader=side.counters.get(LEADER, 0) == model.id or ModelState.was_leader.key in model.counters,
        crew=traits_of(side),
        standing=list_injury_modifiers(model.counters.items()),
    )


def fighters(encounter: EncounterView, side: int = 0, *, gone: bool = False) -> tuple[Fighter, ...]:
    """Return all models in play, of one side if given; with `gone` those that left too."""

    def make() -> tuple[Fighter, ...]:
        return tuple(fighter(encounter, model) for model in encounter.models(side, gone=gone))

    return encounter.worked_out((fighters, side, gone), make)


def settings_of(encounter: EncounterView) -> Settings:
    """Return the readings that this encounter plays by."""
    return encounter.worked_out(
        settings_of, lambda: _settings(encounter.row.turns, tuple(sorted(encounter.row.settings.items())))
    )


def settings_in(chosen: Mapping[str, str]) -> Settings:
    """Return the readings that rows of settings choose."""
    return _settings(0, tuple(sorted(chosen.items())))


@lru_cache(maxsize=256)
def _settings(turns: int, changes: tuple[tuple[str, str], ...]) -> Settings:
    hints = get_type_hints(Settings) if changes else {}
    values: dict[str, Any] = {"turns": turns} if turns else {}
    for key, word in changes:
        if key not in hints:
            continue
        if hints[key] is bool:
            values[key] = word == "on"
        else:
            numbers = [value for value in get_args(hints[key]) if isinstance(value, int)]
            number = word.lstrip("-").isdecimal() and (int in get_args(hints[key]) or int(word) in numbers)
            values[key] = int(word) if number or hints[key] is int else word
    return Settings(**values)


def weapon_named(shooter: Fighter, text: str) -> Weapon:
    """Return the weapon that is meant among those the model carries. Raises InvalidInput."""
    if not shooter.weapons:
        raise InvalidInput(f"{shooter.name} carries no weapon.")
    return find(text, shooter.weapons, lambda weapon: weapon.name, "weapon")


def predict_after(model: Fighter, effects: Iterable[Effect]) -> Fighter:
    """Return the model as it will be when conditions have ended and counters changed."""
    for effect in effects:
        if isinstance(effect, Lose) and effect.model == model.id:
            remaining = frozenset(
                condition for condition in model.conditions if condition[0] != effect.condition
            )
            model = replace(model, conditions=remaining)
        elif isinstance(effect, Assign) and effect.owner == "model" and effect.id == model.id:
            model = _with_counter(model, effect.key, effect.value)
        elif isinstance(effect, Count) and effect.owner == "model" and effect.id == model.id:
            model = _with_counter(model, effect.key, model.count(effect.key) + effect.amount)
    return model


def _with_counter(model: Fighter, key: AnyCounter, value: int) -> Fighter:
    others = {counter for counter in model.counters if counter[0] != key}
    return replace(model, counters=frozenset(others | {(key, value)}))


SYSTEM = "counterblast"

WHO_ATTACKS = ("shooter", "charger", "firer", "attacker", "model")
"""The fields that name whose weapons are meant."""


def game_of(context: Asking) -> EncounterView | None:
    """Return the game of Counterblast that runs; None where another or none does."""
    encounter = context.act.encounter if context.act.has_encounter else None
    return encounter if encounter is not None and encounter.row.system == SYSTEM else None


def kept(names: Callable[[EncounterView], Iterable[str]]) -> Names:
    """Return the names of what the game keeps."""

    def list_offers(context: Asking) -> Iterable[str]:
        encounter = game_of(context)
        return names(encounter) if encounter is not None else ()

    return list_offers


def find_said_fighter(context: Asking, *fields: str) -> Fighter | None:
    """Return the model that was said in the first of these fields that says one."""
    encounter = game_of(context)
    row = model_said(context, *fields)
    return fighter(encounter, row) if encounter is not None and row is not None else None


def carried(field: str, names: Callable[[Fighter], Iterable[str]]) -> Names:
    """Return the names of things of the model that another field names."""

    def list_offers(context: Asking) -> Iterable[str]:
        model = find_said_fighter(context, field)
        return names(model) if model is not None else ()

    return list_offers


def in_contact_first(context: Asking) -> Sequence[Offer]:
    """Return models in play: enemies in contact with the attacker, then other enemies, then friends.

    If a board shows the enemies in contact or within Reach, only these are returned.
    """
    encounter, acting = game_of(context), find_said_fighter(context, *WHO_ATTACKS)
    offers = foe(context)
    if encounter is None or acting is None:
        return offers
    if facts.standing(encounter, acting.id) is not None:
        reach = max((weapon.reach_inches for weapon in acting.weapons), default=0)
        near = [
            row
            for row in encounter.models()
            if row.side != acting.side
            and (
                acting.is_engaged_with(fighter(encounter, row))
                or facts.in_contact(encounter, acting.id, row.id)
                or 0 < facts.apart(encounter, acting.id, row.id) <= reach
            )
        ]
        values = {offer.value for offer in models_offered(context, near)}
        return [offer for offer in offers if offer.value in values] or offers
    if not acting.is_engaged:
        return offers
    touching = [row for row in encounter.models() if acting.is_engaged_with(fighter(encounter, row))]
    values = {offer.value for offer in models_offered(context, touching)}
    return sorted(offers, key=lambda offer: offer.value not in values)


def hurt_first(context: Asking) -> Sequence[Offer]:
    """Return models: hurt friends first, then the acting model, friends, enemies."""
    if game_of(context) is None:
        return []
    encounter, acting = context.act.encounter, model_said(context, *list(context.so_far)[:1])
    friends = friendly(context)

    def rank(row: ModelRow) -> tuple[bool, bool, bool]:
        return (row.side not in friends, not row.damage, row != acting)

    return models_offered(context, sorted(encounter.models(), key=rank))


hidden_foe = such(
    lambda encounter, row: fighter(encounter, row).has(Condition.HIDDEN),
    "No model is Hidden.",
    "CB-HIDE-04",
    foe,
)


def offer_other_half(context: Asking) -> Sequence[Offer]:
    """Return the other half of a pair: for a Beast those who are none, for others the Beasts."""
    first = find_said_fighter(context, "first")
    beast = first is not None and first.profile.is_beast
    return such(
        lambda encounter, row: fighter(encounter, row).profile.is_beast != beast,
        "There is no model here to pair with a Beast." if beast else "There is no Beast here to pair.",
        "CB-FEAT-08",
        own_model,
    )(context)


def complete_next_name(context: Asking) -> Sequence[str]:
    """Return the names of models for the end of a list: Sally>Smap, Angus>..."""
    encounter = game_of(context)
    if encounter is None:
        return []
    typed = context.typed
    cut = max(typed.rfind(","), typed.rfind(">")) + 1
    earlier, last = typed[:cut], typed[cut:].strip()
    blank = " " if earlier.endswith(",") else ""
    return [
        earlier + blank + name for name in suggest_names(last, [model.name for model in encounter.models()])
    ]
