"""Load the data of the game once, with the words of an earlier edition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from typing import Generic, Protocol, TypeVar

from rules.refusals import InvalidInput
from rules.systems.counterblast.core import data_format
from rules.systems.counterblast.core.data_format import EFFECTS, DataError, DataRow, parse
from rules.systems.counterblast.core.data_format import rows as read_rows
from rules.systems.counterblast.core.profile import (
    AFFILIATIONS,
    MODEL_TYPES,
    RANKS,
    Builder,
    Chart,
    Feature,
    Gear,
    Note,
    Power,
    Profile,
    Template,
    Weapon,
)

__all__ = ["EFFECTS", "FILES", "Catalogue", "DataError", "Entry", "Library", "UnknownEntry", "load", "read"]

FILES: tuple[str, ...] = (
    "charts.toml",
    "features.toml",
    "gear.toml",
    "heroes.toml",
    "missions.toml",
    "powers.toml",
    "roster.toml",
    "specialties.toml",
    "vehicles.toml",
    "weapons.toml",
)


class UnknownEntry(InvalidInput):
    """Nothing of that key or name exists."""


class Entry(Protocol):
    """An entry of a catalogue: anything with a key and a name."""

    @property
    def key(self) -> str:
        """Return the short lower-case name."""

    @property
    def name(self) -> str:
        """Return the name that players read."""


E = TypeVar("E", bound=Entry)


class Catalogue(Generic[E]):
    """Entries of one kind in the order of the data, found by key, by name or by alias."""

    __slots__ = ("_by_key", "_by_name", "kind")

    def __init__(self, kind: str, entries: Iterable[E]) -> None:
        self.kind = kind
        self._by_key: dict[str, E] = {}
        self._by_name: dict[str, E] = {}
        for entry in entries:
            if entry.key in self._by_key:
                raise DataError(f"More than one {kind} has the key {entry.key!r}")
            self._by_key[entry.key] = entry
            for name in (entry.key, entry.name, *getattr(entry, "aliases", ())):
                if self._by_name.setdefault(_normal_name(name), entry) is not entry:
                    raise DataError(
                        f"The {kind} {entry.key!r} is called {name!r}, but another row already has that name"
                    )

    def __iter__(self) -> Iterator[E]:
        return iter(self._by_key.values())

    def __len__(self) -> int:
        return len(self._by_key)

    def __contains__(self, key: object) -> bool:
        return key in self._by_key

    def __getitem__(self, key: str) -> E:
        """The entry with that key. Raises UnknownEntry."""
        try:
            return self._by_key[key]
        except KeyError:
            raise UnknownEntry(f"There is no {self.kind} called {key!r}.") from None

    def named(self, text: str) -> E:
        """Return the entry of that name, alias or key, in any case and spacing. Raises UnknownEntry."""
        try:
            return self._by_name[_normal_name(text)]
        except KeyError:
            raise UnknownEntry(f"There is no {self.kind} called {text!r}.") from None


@dataclass(frozen=True, slots=True)
class Library:
    """All figures of the game. Rules: CB-ROST-01, CB-ROST-02.

    ``vehicle_weapons`` are the weapons that vehicles may mount, with the affiliations and Specialties of the
    vehicle chart;
    ``vehicle_gear`` is the vehicle chart's own. ``powers`` has a row for each way of using a power.
    """

    profiles: Catalogue[Profile]
    weapons: Catalogue[Weapon]
    gear: Catalogue[Gear]
    features: Catalogue[Feature]
    powers: Catalogue[Power]
    charts: Catalogue[Chart]
    templates: Catalogue[Template]
    builders: Catalogue[Builder]
    affiliations: Catalogue[Note]
    specialties: Catalogue[Note]
    preys: Catalogue[Note]
    missions: Catalogue[Note]
    maneuvers: Catalogue[Note]
    vehicle_kinds: Catalogue[Note]
    vehicle_gear: Catalogue[Gear]
    vehicle_weapons: Catalogue[Weapon]

    def weapons_of(self, profile: Profile) -> tuple[Weapon, ...]:
        """Return the weapons that a model carries, in printed order."""
        return tuple(self.weapons[key] for key in profile.weapons)

    def gear_of(self, profile: Profile) -> tuple[Gear, ...]:
        """Return the gear that a model carries, in printed order."""
        return tuple(self.gear[key] for key in profile.gear)

    def power_keys(self) -> tuple[str, ...]:
        """Return the powers to choose from, each once, in printed order."""
        return tuple(dict.fromkeys(use.power for use in self.powers))

    def power_uses(self, power: str) -> tuple[Power, ...]:
        """Return every way of using a power. Raises UnknownEntry."""
        uses = tuple(use for use in self.powers if use.power == power)
        if not uses:
            raise UnknownEntry(f"There is no power called {power!r}.")
        return uses


@lru_cache(maxsize=1)
def load() -> Library:
    """Return the figures that come with the package, read once. Raises DataError when they are wrong."""
    folder = resources.files("rules.systems.counterblast").joinpath("data")
    return read({file: folder.joinpath(file).read_text(encoding="utf-8") for file in FILES})


def read(sources: Mapping[str, str]) -> Library:
    """Build a library from TOML texts by file name (all of ``FILES``). Raises DataError naming the place."""
    tables = {file: parse(sources, file) for file in FILES}

    def rows(file: str, kind: str, build: Callable[[DataRow], E]) -> Iterator[E]:
        return read_rows(file, tables[file].get(kind), build)

    weapons = Catalogue("weapon", rows("weapons.toml", "weapon", data_format.weapon))
    library = Library(
        profiles=Catalogue("model", rows("roster.toml", "model", data_format.profile)),
        weapons=weapons,
        gear=Catalogue("piece of gear", rows("gear.toml", "gear", data_format.gear)),
        features=Catalogue("Feature", rows("features.toml", "feature", data_format.feature)),
        powers=Catalogue("psionic power", rows("powers.toml", "power", data_format.power)),
        charts=Catalogue("chart", rows("charts.toml", "chart", data_format.read_chart)),
        templates=Catalogue(
            "template",
            [
                *rows("heroes.toml", "template", data_format.template),
                *rows("vehicles.toml", "template", data_format.template),
            ],
        ),
        builders=Catalogue(
            "builder",
            [
                *rows("heroes.toml", "builder", data_format.read_builder),
                *rows("vehicles.toml", "builder", data_format.read_builder),
            ],
        ),
        affiliations=Catalogue("affiliation", rows("specialties.toml", "affiliation", data_format.note)),
        specialties=Catalogue("Specialty", rows("specialties.toml", "specialty", data_format.note)),
        preys=Catalogue("prey", rows("specialties.toml", "prey", data_format.note)),
        missions=Catalogue("mission", rows("missions.toml", "mission", data_format.note)),
        maneuvers=Catalogue("Maneuver", rows("vehicles.toml", "maneuver", data_format.note)),
        vehicle_kinds=Catalogue("kind of vehicle", rows("vehicles.toml", "kind", data_format.note)),
        vehicle_gear=Catalogue("piece of vehicle gear", rows("vehicles.toml", "gear", data_format.gear)),
        vehicle_weapons=Catalogue(
            "vehicle weapon", rows("vehicles.toml", "weapon", lambda row: _vehicle_weapon(row, weapons))
        ),
    )
    _check_references(library)
    return library


def _vehicle_weapon(row: DataRow, weapons: Catalogue[Weapon]) -> Weapon:
    key = row.text("key")
    if key not in weapons:
        raise row.wrong("key", "must be the key of a weapon in weapons.toml")
    return replace(
        weapons[key],
        affiliations=row.words("affiliations", AFFILIATIONS, AFFILIATIONS),
        specialties=row.words("specialties"),
        unsure=(*weapons[key].unsure, *row.words("unsure")),
    )


def _check_references(library: Library) -> None:
    for profile in library.profiles:
        _check_profile(library, profile)
    for file, catalogue in (("gear.toml", library.gear), ("vehicles.toml", library.vehicle_gear)):
        for gear in catalogue:
            for key in gear.grants:
                _meets(library.features, key, file, gear.key, "grants")
            for key in gear.only:
                if key not in library.profiles and key not in RANKS:
                    raise DataError(
                        f"In {file}, row {gear.key}, field `only` has {key!r}, "
                        "which is neither a model nor a rank"
                    )
            for key in gear.needs:
                if key not in library.gear and key not in library.features and key not in MODEL_TYPES:
                    raise DataError(
                        f"In {file}, row {gear.key}, field `needs` has {key!r}, "
                        "which isn't gear, a Feature or a model type"
                    )
    for feature in library.features:
        for key in feature.free_for:
            if key not in library.templates and key not in MODEL_TYPES:
                raise DataError(
                    f"In features.toml, row {feature.key}, field `free_for` has {key!r}, "
                    "which is neither a template nor a model type"
                )
    for template in library.templates:
        for trait in template.free:
            _meets(library.features, trait.key, "heroes.toml", template.key, "free")
    for specialty in library.specialties:
        for key in (*specialty.grants, *specialty.hero_grants):
            _meets(library.features, key, "specialties.toml", specialty.key, "grants")
    for file, arms in (("weapons.toml", library.weapons), ("vehicles.toml", library.vehicle_weapons)):
        for weapon in arms:
            for key in weapon.specialties:
                _meets(library.specialties, key, file, weapon.key, "specialties")


def _check_profile(library: Library, profile: Profile) -> None:
    place = f"In roster.toml, row {profile.key}, field"
    for trait in profile.features:
        _meets(library.features, trait.key, "roster.toml", profile.key, "features")
        if trait.choice and trait.choice not in library.features[trait.key].choices:
            raise DataError(f"{place} `features` has {trait}, but that Feature has no such choice")
    for key in profile.weapons:
        _meets(library.weapons, key, "roster.toml", profile.key, "weapons")
    for key in profile.gear:
        _meets(library.gear, key, "roster.toml", profile.key, "gear")
    for key in profile.powers:
        if key not in library.power_keys():
            raise DataError(f"{place} `powers` has {key!r}, which isn't a psionic power")
    if profile.has_feature("psionic") != (profile.psionic is not None):
        raise DataError(
            f"{place} `psionic` is wrong: a model must have both the rating and the Feature, or neither"
        )


def _meets(catalogue: Catalogue[E], key: str, file: str, row: str, field: str) -> None:
    if key not in catalogue:
        raise DataError(
            f"In {file}, row {row}, field `{field}` has {key!r}, but no {catalogue.kind} has that key"
        )


def _normal_name(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())


ALIASES: dict[str, str] = {
    "1b": "life",
    "bd": "defense",
    "body": "life",
    "body defense": "defense",
    "body points": "life",
    "command": "leader's intellect",
    "command points": "orders",
    "command value": "leader's intellect",
    "marksmanship": "agility",
    "mechanical": "engineering",
    "mechanics": "engineering",
    "medical": "medicine",
    "melee": "strength",
    "operational action": "any action but an attack",
    "ranged": "agility",
    "repair": "engineering",
    "seriously wounded": "severely wounded",
    "slice and dice": "slash and dash",
}
"""Present word by older word, both in lower case."""

_FILLERS = (" check", " skill dice", " skill")


def means_now(word: str) -> str:
    """Return the present word for a term of an earlier edition; nothing for a word that is none.

    Rules: CB-STAT-05.
    """
    normal_name = " ".join(word.casefold().replace("_", " ").split())
    for filler in _FILLERS:
        normal_name = normal_name.removesuffix(filler)
    return ALIASES.get(normal_name, "")
