"""From the table's rows to the troopers that the rules of Infinity look at, and the settings of an encounter.

Owns how a trooper is read, its group and its army. What is secret of it is in `veils`; here both are put
together, so whatever this module gives is the truth and must not be shown without asking `veils` first.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from enum import StrEnum
from functools import cache, lru_cache
from itertools import count
from typing import Any, get_type_hints

from bot.games.infinity import veils
from bot.store.rows import ModelRow
from bot.table.encounter import GONE, ChosenSettings, Encounter, played_by
from rules.counters import CounterName
from rules.refusals import InvalidInput
from rules.systems.infinity.orders import Army
from rules.systems.infinity.profile import Profile
from rules.systems.infinity.profile_text import read_profile
from rules.systems.infinity.settings import Settings
from rules.systems.infinity.trooper import Condition, Trooper

GROUP = CounterName("group")
"""Counter of a model: its Combat Group; 1 where it is not set."""

POINTS = CounterName("army points")
"""Counter of a side: the Cost of all it came with."""


@lru_cache(maxsize=1024)
def profile_of(text: str, name: str) -> Profile:
    """The profile in a row, under the model's own name in either form. Raises InvalidInput."""
    return _named(read_profile(text), name)


def _named(profile: Profile, name: str) -> Profile:
    try:
        other = None if profile.alternate is None else replace(profile.alternate, name=name)
        return replace(profile, name=name, alternate=other)
    except InvalidInput:
        return profile


def trooper(encounter: Encounter, model: ModelRow) -> Trooper:
    """A trooper that is figure or Marker on the table, or left it, as it truly is."""
    veil = veils.marker_of(encounter, model.id)
    conditions = [(row.kind, row.value) for row in encounter.conditions(model.id)]
    if veil is not None:
        conditions += [(kind, value) for kind, value, _, _ in veil.conditions]
    if model.status == GONE:
        conditions.append((Condition.DEAD, 0))
    name, text, lost = (veil.name, veil.profile, veil.damage) if veil else (model.name, model.profile, 0)
    return Trooper(
        id=model.id,
        side=model.side,
        profile=profile_of(text, name),
        group=model.counters.get(GROUP, 1),
        lost=lost + model.damage,
        conditions=frozenset(conditions),
        lieutenant=veils.lieutenant(encounter, model.side) == model.id,
    )


def hidden_trooper(encounter: Encounter, veil: veils.Veil) -> Trooper:
    """A trooper in Hidden Deployment; its id is below 0."""
    conditions = {(kind, value) for kind, value, _, _ in veil.conditions}
    return Trooper(
        id=veil.id,
        side=veil.side,
        profile=profile_of(veil.profile, veil.name),
        group=veil.counters.get(GROUP, 1),
        lost=veil.damage,
        conditions=frozenset({*conditions, (Condition.HIDDEN_DEPLOYMENT, 0)}),
        lieutenant=veils.lieutenant(encounter, veil.side) == veil.id,
    )


def by_id(encounter: Encounter, number: int) -> Trooper:
    """The trooper of that id, hidden ones (below 0) too. Raises InvalidInput."""
    if number < 0:
        return hidden_trooper(encounter, veils.hidden_of(encounter, number))
    return trooper(encounter, encounter.model(number))


def as_shown(encounter: Encounter, number: int) -> Trooper:
    """Return the trooper of that id under the name that everybody reads, a Marker's own where it is one.

    Use it for all that others are told; its figures stay those of the trooper itself.
    """
    model = by_id(encounter, number)
    if number < 0:
        return model
    return replace(model, profile=_named(model.profile, encounter.model(number).name))


def troopers(encounter: Encounter, side: int = 0, *, gone: bool = False) -> tuple[Trooper, ...]:
    """Figures and Markers on the table; with `gone` those that left it too."""
    return tuple(trooper(encounter, model) for model in encounter.models(side, gone=gone))


def army(encounter: Encounter, side: int) -> Army:
    """A side with all its troopers: on the table, lost, and hidden."""
    hidden = tuple(hidden_trooper(encounter, veil) for veil in veils.hidden(encounter, side))
    everybody = troopers(encounter, side, gone=True) + hidden
    points = encounter.side(side).counters.get(POINTS, 0)
    return Army(side, points or sum(one.profile.cost for one in everybody), everybody)


def group_sizes(encounter: Encounter, side: int, *, everybody: bool = True) -> Counter[int]:
    """How many troopers of a side are in each Combat Group. everybody: hidden ones too."""
    sizes = Counter(model.counters.get(GROUP, 1) for model in encounter.models(side))
    if everybody:
        sizes.update(veil.counters.get(GROUP, 1) for veil in veils.hidden(encounter, side))
    return sizes


def group_with_room(encounter: Encounter, side: int, *, everybody: bool = True) -> int:
    """The first Combat Group of a side that takes another trooper. Rules: INF-ORD-01."""
    sizes, most = group_sizes(encounter, side, everybody=everybody), settings_of(encounter).max_group
    return next(group for group in count(1) if sizes[group] < most)


@played_by
def settings_of(chosen: ChosenSettings) -> Settings:
    """The readings that this encounter plays by."""
    hints = get_type_hints(Settings)
    values: dict[str, Any] = {}
    for key, word in chosen:
        kind = hints.get(key)
        if kind is bool:
            values[key] = word == "on"
        elif kind is int and word.lstrip("-").isdecimal():
            values[key] = int(word)
        elif isinstance(kind, type) and issubclass(kind, StrEnum) and word in set(kind):
            values[key] = kind(word)
    return Settings(**values)


_NUMBERS = {
    "mod_cap": ("12", "18", "100"),
    "blind_reaction": ("-3", "0", "-6"),
    "max_group": ("10", "15", "20"),
}
"""Values that an encounter may choose of settings that are numbers, the default first."""

TOLD = {
    "mod_cap": "limit of the sum of MODs",
    "blind_reaction": "PH MOD of who reacts without line of fire",
    "max_group": "troopers in a Combat Group",
    "cumulative_levels": "Levels bring the lower ones along",
    "coup_de_grace": "a CC Attack kills the helpless without a roll",
    "unconscious_arm": "ARM of an Unconscious trooper",
    "sixth_sense_delay": "an ARO held against a Marker that stays one",
    "superjump_fall": "what a Super-Jumper's fall is measured from",
}

LATE = "late_reaction"
"""Setting of the table: what a late reaction is."""

AT_TABLE: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (LATE, ("dodge", "nothing", "shoot"), "what who is late does, where it can"),
)


@cache
def setting_words() -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """The settings of an encounter: key, values with the default first, what each decides."""
    hints = get_type_hints(Settings)
    found = []
    for part in fields(Settings):
        kind = hints[part.name]
        if kind is bool:
            values: tuple[str, ...] = ("on", "off") if part.default else ("off", "on")
        elif kind is int:
            values = _NUMBERS[part.name]
        else:
            values = (str(part.default), *(str(one) for one in kind if one != part.default))
        found.append((part.name, values, TOLD[part.name]))
    return (*found, *AT_TABLE)


def table_setting(encounter: Encounter, key: str) -> str:
    """A setting of the table, its default where nobody chose."""
    values = next(values for known, values, _ in AT_TABLE if known == key)
    chosen = encounter.setting(key, values[0])
    return chosen if chosen in values else values[0]
