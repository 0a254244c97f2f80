"""The one reader of Counterblast's figures: data/*.toml in, a validated and frozen ``Library`` out.

Owns the form of the files: which fields a row has, their bounds, and that every reference meets its row. It
knows no rule and reads nothing but the package's own data.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Generic, Protocol, TypeVar, cast, get_args

from rules.systems.counterblast.profile import (
    AFFILIATIONS,
    MODEL_TYPES,
    RANKS,
    SKILLS,
    Delivery,
    Feature,
    Gear,
    Profile,
    Rank,
    Rating,
    Size,
    Skill,
    TargetKind,
    TemplateKind,
    Trait,
    Weapon,
    WeaponGroup,
    as_size,
)

FILES: tuple[str, ...] = ("features.toml", "weapons.toml", "gear.toml", "roster.toml")
EFFECTS: tuple[str, ...] = (
    "absorbs_collision",
    "arc",
    "armor_piercing",
    "burning",
    "deep",
    "emp",
    "fires_twice",
    "hero_only",
    "immune_to_emp",
    "incapacitates",
    "intellect_per_level",
    "knockback",
    "knockdown",
    "knockdown_on_critical",
    "needs_air",
    "rapid_fire",
    "slows",
    "team_carry",
    "void",
)


class DataError(ValueError):
    """The package's own data is wrong. Its text names file, row and field."""


class UnknownEntry(LookupError):  # noqa: N818 - it is shown to players, not only to programmers
    """Nothing of that key or name exists. Its text is a sentence for the player."""


class Entry(Protocol):
    """What a catalogue holds: anything with a key and a name."""

    @property
    def key(self) -> str:
        """The short lower-case name."""

    @property
    def name(self) -> str:
        """The name that players read."""


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
                raise DataError(f"{kind} {entry.key}: the key occurs twice")
            self._by_key[entry.key] = entry
            for name in (entry.key, entry.name, *getattr(entry, "aliases", ())):
                if self._by_name.setdefault(_plain(name), entry) is not entry:
                    raise DataError(f"{kind} {entry.key}: the name {name!r} belongs to another row as well")

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
        """The entry of that name, alias or key; case and extra blanks do not matter. Raises UnknownEntry."""
        try:
            return self._by_name[_plain(text)]
        except KeyError:
            raise UnknownEntry(f"There is no {self.kind} called {text!r}.") from None


@dataclass(frozen=True, slots=True)
class Library:
    """All figures of the game. Rules: CB-ROST-01, CB-ROST-02."""

    profiles: Catalogue[Profile]
    weapons: Catalogue[Weapon]
    gear: Catalogue[Gear]
    features: Catalogue[Feature]

    def weapons_of(self, profile: Profile) -> tuple[Weapon, ...]:
        """The weapons that a model carries, in printed order."""
        return tuple(self.weapons[key] for key in profile.weapons)

    def gear_of(self, profile: Profile) -> tuple[Gear, ...]:
        """The gear that a model carries, in printed order."""
        return tuple(self.gear[key] for key in profile.gear)


@lru_cache(maxsize=1)
def load() -> Library:
    """The figures that come with the package, read once. Raises DataError when they are wrong."""
    folder = resources.files("rules.systems.counterblast").joinpath("data")
    return read({file: folder.joinpath(file).read_text(encoding="utf-8") for file in FILES})


def read(sources: Mapping[str, str]) -> Library:
    """Build a library from TOML texts by file name (all of ``FILES``). Raises DataError naming the place."""
    library = Library(
        profiles=Catalogue("model", _rows(sources, "roster.toml", "model", _profile)),
        weapons=Catalogue("weapon", _rows(sources, "weapons.toml", "weapon", _weapon)),
        gear=Catalogue("piece of gear", _rows(sources, "gear.toml", "gear", _gear)),
        features=Catalogue("Feature", _rows(sources, "features.toml", "feature", _feature)),
    )
    _check_references(library)
    return library


class _Row:
    """One table of a file, read field by field; ``close`` refuses fields that nobody asked for."""

    def __init__(self, file: str, position: int, table: Mapping[str, object]) -> None:
        self._place = f"{file}, row {table.get('key', position)}"
        self._table = table
        self._read: set[str] = set()

    def wrong(self, field: str, problem: str) -> DataError:
        return DataError(f"{self._place}, field {field}: {problem}")

    def has(self, field: str) -> bool:
        return field in self._table

    def _take(self, field: str, default: object) -> object:
        self._read.add(field)
        value = self._table.get(field, default)
        if value is None:
            raise self.wrong(field, "is missing")
        return value

    def text(self, field: str, default: str | None = None) -> str:
        value = self._take(field, default)
        if not isinstance(value, str) or (default is None and not value):
            raise self.wrong(field, f"must be text, not {value!r}")
        return value

    def choice(self, field: str, allowed: Iterable[str]) -> str:
        value = self.text(field)
        if value not in allowed:
            raise self.wrong(field, f"{value!r} is not one of {', '.join(allowed)}")
        return value

    def flag(self, field: str) -> bool:
        value = self._take(field, False)
        if not isinstance(value, bool):
            raise self.wrong(field, f"must be true or false, not {value!r}")
        return value

    def number(self, field: str, low: int, high: int, default: int | None = None) -> int:
        value = self._take(field, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.wrong(field, f"must be a whole number from {low} to {high}, not {value!r}")
        return value

    def number_or_none(self, field: str, low: int, high: int) -> int | None:
        return self.number(field, low, high) if self.has(field) else None

    def numbers(self, field: str, low: int, high: int) -> tuple[int, ...]:
        value = self._take(field, [])
        if not isinstance(value, list) or not all(isinstance(n, int) and low <= n <= high for n in value):
            raise self.wrong(field, f"must be a list of whole numbers from {low} to {high}, not {value!r}")
        return tuple(value)

    def words(
        self, field: str, allowed: Iterable[str] | None = None, default: Iterable[str] = ()
    ) -> tuple[str, ...]:
        value = self._take(field, list(default))
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise self.wrong(field, f"must be a list of words, not {value!r}")
        if allowed is not None:
            for word in value:
                if word not in allowed:
                    raise self.wrong(field, f"{word!r} is not one of {', '.join(allowed)}")
        return tuple(value)

    def figures(self, field: str, allowed: Iterable[str] | None = None) -> tuple[tuple[str, int], ...]:
        value = self._take(field, {})
        if not isinstance(value, dict) or not all(isinstance(n, int) for n in value.values()):
            raise self.wrong(field, f"must be a table of whole numbers, not {value!r}")
        for name in value:
            if allowed is not None and name not in allowed:
                raise self.wrong(field, f"{name!r} is not one of {', '.join(allowed)}")
        return tuple(value.items())

    def rating(self, field: str) -> Rating:
        try:
            return Rating.parse(self.text(field))
        except ValueError as error:
            raise self.wrong(field, str(error)) from None

    def rating_or_none(self, field: str) -> Rating | None:
        return self.rating(field) if self.has(field) else None

    def sizes(self, field: str) -> tuple[Size, ...]:
        try:
            sizes = tuple(as_size(word) for word in self.words(field))
        except ValueError as error:
            raise self.wrong(field, str(error)) from None
        if not sizes:
            raise self.wrong(field, "names no base")
        return sizes

    def traits(self, field: str) -> tuple[Trait, ...]:
        return tuple(self._trait(field, word) for word in self.words(field))

    def _trait(self, field: str, word: str) -> Trait:
        key, colon, suffix = word.partition(":")
        if not key or (colon and not suffix):
            raise self.wrong(field, f"{word!r} is no Feature: write key, key:level or key:choice")
        return Trait(key, level=int(suffix)) if suffix.isdecimal() else Trait(key, choice=suffix)

    def close(self) -> None:
        for field in self._table:
            if field not in self._read:
                raise self.wrong(field, "is not a field of this kind of row")


def _rows(sources: Mapping[str, str], file: str, kind: str, build: Callable[[_Row], E]) -> Iterator[E]:
    try:
        tables = tomllib.loads(sources[file]).get(kind, [])
    except KeyError:
        raise DataError(f"{file}: the file is missing") from None
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{file}: {error}") from None
    for position, table in enumerate(tables, start=1):
        row = _Row(file, position, table)
        entry = build(row)
        row.close()
        yield entry


def _profile(row: _Row) -> Profile:
    sizes = row.sizes("size")
    return Profile(
        key=row.text("key"),
        name=row.text("name"),
        rank=cast(Rank, row.choice("rank", RANKS)),
        types=row.words("types", MODEL_TYPES),
        affiliations=row.words("affiliations", AFFILIATIONS),
        mv=row.number("mv", 1, 20),
        strength=row.rating("strength"),
        agility=row.rating("agility"),
        intellect=row.rating("intellect"),
        defense=row.number("defense", 2, 12),
        life=row.number("life", 1, 20),
        size=sizes[-1],
        points=row.number("points", 0, 500),
        psionic=row.rating_or_none("psionic"),
        features=row.traits("features"),
        weapons=row.words("weapons"),
        gear=row.words("gear"),
        powers=row.words("powers"),
        shield=row.number("shield", 0, 9),
        size_options=sizes,
        section=row.text("section"),
        types_inferred=row.flag("types_inferred"),
        unsure=row.words("unsure"),
    )


def _weapon(row: _Row) -> Weapon:
    damage = row.number("damage", 0, 9, 1)
    return Weapon(
        key=row.text("key"),
        name=row.text("name"),
        group=cast(WeaponGroup, row.choice("group", get_args(WeaponGroup))),
        deliveries=cast("tuple[Delivery, ...]", row.words("deliveries", get_args(Delivery))),
        aliases=row.words("aliases"),
        affiliations=row.words("affiliations", AFFILIATIONS, AFFILIATIONS),
        specialties=row.words("specialties"),
        power=row.number_or_none("power", 1, 10),
        power_short=row.number_or_none("power_short", 1, 10),
        melee=row.flag("melee"),
        melee_modifier=row.number("melee_modifier", -9, 9, 0),
        reach_inches=row.number("reach_inches", 0, 4, 0),
        range_inches=row.number("range_inches", 0, 48, 0),
        damage=damage,
        damage_short=row.number("damage_short", 0, 9, damage),
        damage_printed=row.number_or_none("damage_printed", 0, 9),
        template=cast(TemplateKind, row.choice("template", get_args(TemplateKind)))
        if row.has("template")
        else None,
        template_inches=row.number("template_inches", 0, 12, 0),
        damage_dice=row.rating_or_none("damage_dice"),
        strength_dice=row.number("strength_dice", 0, 4, 0),
        strength_modifier=row.number("strength_modifier", -9, 9, 0),
        charge_modifier=row.number("charge_modifier", -9, 9, 0),
        critical_damage=row.number("critical_damage", 0, 9, 0),
        bonus_damage=cast(
            "tuple[tuple[TargetKind, int], ...]", row.figures("bonus_damage", get_args(TargetKind))
        ),
        shield_modifier=row.number("shield_modifier", -9, 0, 0),
        sealed_power=row.number_or_none("sealed_power", 1, 10),
        sealed_dice=row.rating_or_none("sealed_dice"),
        effects=row.words("effects", EFFECTS),
        slots=row.number("slots", 0, 4, 1),
        specialist=row.flag("specialist"),
        cost=row.number("cost", 0, 99),
        text=row.text("text", ""),
        rules=row.words("rules"),
        unsure=row.words("unsure"),
    )


def _gear(row: _Row) -> Gear:
    return Gear(
        key=row.text("key"),
        name=row.text("name"),
        group=row.text("group"),
        energized=row.flag("energized"),
        cost=row.number("cost", 0, 99),
        affiliations=row.words("affiliations", AFFILIATIONS, AFFILIATIONS),
        aliases=row.words("aliases"),
        cost_per=row.text("cost_per", ""),
        types=row.words("types", (*MODEL_TYPES, "living")),
        only=row.words("only"),
        needs=row.words("needs"),
        layer=row.text("layer", ""),
        shield=row.number("shield", 0, 9, 0),
        extra_psionic_shield=row.number("extra_psionic_shield", 0, 9, 0),
        checks=cast("tuple[tuple[Skill, int], ...]", row.figures("checks", SKILLS)),
        values=row.figures("values"),
        grants=row.words("grants"),
        protects=row.words("protects"),
        uses=row.number("uses", 0, 9, 0),
        text=row.text("text"),
        rules=row.words("rules"),
        unsure=row.words("unsure"),
    )


def _feature(row: _Row) -> Feature:
    return Feature(
        key=row.text("key"),
        name=row.text("name"),
        costs=row.numbers("costs", -9, 99),
        vehicle_costs=row.numbers("vehicle_costs", -9, 99),
        aliases=row.words("aliases"),
        stacks=row.flag("stacks"),
        choices=row.words("choices"),
        open_to_all=row.flag("open_to_all"),
        vehicle_open=row.flag("vehicle_open"),
        free_for=row.words("free_for"),
        barred=row.words("barred", MODEL_TYPES),
        text=row.text("text"),
        rules=row.words("rules"),
        unsure=row.words("unsure"),
    )


def _check_references(library: Library) -> None:
    for profile in library.profiles:
        for trait in profile.features:
            _meets(library.features, trait.key, "roster.toml", profile.key, "features")
            choices = library.features[trait.key].choices
            if trait.choice and trait.choice not in choices:
                raise DataError(f"roster.toml, row {profile.key}, field features: {trait} is not offered")
        for key in profile.weapons:
            _meets(library.weapons, key, "roster.toml", profile.key, "weapons")
        for key in profile.gear:
            _meets(library.gear, key, "roster.toml", profile.key, "gear")
        if profile.has_feature("psionic") != (profile.psionic is not None):
            raise DataError(f"roster.toml, row {profile.key}, field psionic: rating and Feature go together")
    for gear in library.gear:
        for key in gear.grants:
            _meets(library.features, key, "gear.toml", gear.key, "grants")


def _meets(catalogue: Catalogue[E], key: str, file: str, row: str, field: str) -> None:
    if key not in catalogue:
        raise DataError(f"{file}, row {row}, field {field}: there is no {catalogue.kind} called {key!r}")


def _plain(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())
