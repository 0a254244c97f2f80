"""The one reader of Counterblast's figures: data/*.toml in, a validated and frozen ``Library`` out.

Owns the form of the files: which fields a row has, their bounds, and that every reference meets its row. It
knows no rule and reads nothing but the package's own data.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from typing import Generic, Protocol, TypeVar, cast, get_args

from rules.refusals import InvalidInput
from rules.systems.counterblast.profile import (
    AFFILIATIONS,
    MODEL_TYPES,
    RANKS,
    SIZES,
    SKILLS,
    Builder,
    Chart,
    ChartRow,
    Delivery,
    Feature,
    Gear,
    Note,
    Power,
    Profile,
    Rank,
    Rating,
    Size,
    Skill,
    TargetKind,
    Template,
    TemplateKind,
    Trait,
    Weapon,
    WeaponGroup,
    as_size,
)

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
    "while_engaged",
)


class DataError(ValueError):
    """The package's own data is wrong. Its text names file, row and field."""


class UnknownEntry(InvalidInput):
    """Nothing of that key or name exists."""


class Entry(Protocol):
    """What a catalogue holds: anything with a key and a name."""

    @property
    def key(self) -> str:
        """The short lower-case name."""

    @property
    def name(self) -> str:
        """The name that players read."""


T = TypeVar("T")
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
    """All figures of the game. Rules: CB-ROST-01, CB-ROST-02.

    ``vehicle_weapons`` are the weapons that vehicles may mount, with the affiliations of the vehicle chart;
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
        """The weapons that a model carries, in printed order."""
        return tuple(self.weapons[key] for key in profile.weapons)

    def gear_of(self, profile: Profile) -> tuple[Gear, ...]:
        """The gear that a model carries, in printed order."""
        return tuple(self.gear[key] for key in profile.gear)

    def power_keys(self) -> tuple[str, ...]:
        """The powers to choose from, each once, in printed order."""
        return tuple(dict.fromkeys(use.power for use in self.powers))

    def power_uses(self, power: str) -> tuple[Power, ...]:
        """Every way of using a power. Raises UnknownEntry."""
        uses = tuple(use for use in self.powers if use.power == power)
        if not uses:
            raise UnknownEntry(f"There is no power called {power!r}.")
        return uses


@lru_cache(maxsize=1)
def load() -> Library:
    """The figures that come with the package, read once. Raises DataError when they are wrong."""
    folder = resources.files("rules.systems.counterblast").joinpath("data")
    return read({file: folder.joinpath(file).read_text(encoding="utf-8") for file in FILES})


def read(sources: Mapping[str, str]) -> Library:
    """Build a library from TOML texts by file name (all of ``FILES``). Raises DataError naming the place."""
    tables = {file: _parse(sources, file) for file in FILES}

    def rows(file: str, kind: str, build: Callable[[_Row], E]) -> Iterator[E]:
        return _rows(file, tables[file].get(kind), build)

    weapons = Catalogue("weapon", rows("weapons.toml", "weapon", _weapon))
    library = Library(
        profiles=Catalogue("model", rows("roster.toml", "model", _profile)),
        weapons=weapons,
        gear=Catalogue("piece of gear", rows("gear.toml", "gear", _gear)),
        features=Catalogue("Feature", rows("features.toml", "feature", _feature)),
        powers=Catalogue("psionic power", rows("powers.toml", "power", _power)),
        charts=Catalogue("chart", rows("charts.toml", "chart", _chart)),
        templates=Catalogue(
            "template",
            [*rows("heroes.toml", "template", _template), *rows("vehicles.toml", "template", _template)],
        ),
        builders=Catalogue(
            "builder",
            [*rows("heroes.toml", "builder", _builder), *rows("vehicles.toml", "builder", _builder)],
        ),
        affiliations=Catalogue("affiliation", rows("specialties.toml", "affiliation", _note)),
        specialties=Catalogue("Specialty", rows("specialties.toml", "specialty", _note)),
        preys=Catalogue("prey", rows("specialties.toml", "prey", _note)),
        missions=Catalogue("mission", rows("missions.toml", "mission", _note)),
        maneuvers=Catalogue("Maneuver", rows("vehicles.toml", "maneuver", _note)),
        vehicle_kinds=Catalogue("kind of vehicle", rows("vehicles.toml", "kind", _note)),
        vehicle_gear=Catalogue("piece of vehicle gear", rows("vehicles.toml", "gear", _gear)),
        vehicle_weapons=Catalogue(
            "vehicle weapon",
            rows("vehicles.toml", "weapon", lambda row: _vehicle_weapon(row, weapons)),
        ),
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

    def nested(self, field: str, build: Callable[[_Row], T]) -> tuple[T, ...]:
        tables = self._take(field, None)
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise self.wrong(field, "must be a list of rows")
        built = []
        for position, table in enumerate(tables, start=1):
            row = _Row(self._place, position, table)
            built.append(build(row))
            row.close()
        return tuple(built)

    def close(self) -> None:
        for field in self._table:
            if field not in self._read:
                raise self.wrong(field, "is not a field of this kind of row")


def _parse(sources: Mapping[str, str], file: str) -> dict[str, object]:
    if file not in sources:
        raise DataError(f"{file}: the file is missing")
    try:
        return tomllib.loads(sources[file])
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{file}: {error}") from None


def _rows(file: str, tables: object, build: Callable[[_Row], E]) -> Iterator[E]:
    if not isinstance(tables, list) or not tables:
        raise DataError(f"{file}: a list of rows is missing")
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


def _power(row: _Row) -> Power:
    return Power(
        key=row.text("key"),
        name=row.text("name"),
        power=row.text("power"),
        range_inches=row.number("range_inches", 0, 48),
        actions=row.number("actions", 1, 2),
        target=row.number_or_none("target", 2, 10),
        attack=row.flag("attack"),
        line_of_sight=row.flag("line_of_sight"),
        shielded=row.flag("shielded"),
        damage=row.number("damage", 0, 9, 0),
        several_targets=row.flag("several_targets"),
        text=row.text("text"),
        rules=row.words("rules"),
        unsure=row.words("unsure"),
    )


def _template(row: _Row) -> Template:
    return Template(
        key=row.text("key"),
        name=row.text("name"),
        mv=row.number("mv", 1, 20),
        strength=row.rating("strength"),
        agility=row.rating("agility"),
        intellect=row.rating("intellect"),
        defense=row.number("defense", 2, 12),
        life=row.number("life", 1, 20),
        sizes=row.sizes("sizes"),
        points=row.number("points", 0, 500),
        mv_cost=row.number("mv_cost", 1, 9, 2),
        free=row.traits("free"),
        free_choices=row.number("free_choices", 0, 9, 0),
        rules=row.words("rules"),
        unsure=row.words("unsure"),
    )


def _builder(row: _Row) -> Builder:
    return Builder(
        key=row.text("key"),
        name=row.text("name"),
        upgrade_points=row.number("upgrade_points", 0, 99),
        die_cost=row.number("die_cost", 1, 9),
        modifier_cost=row.number("modifier_cost", 1, 9),
        defense_cost=row.number("defense_cost", 1, 9),
        life_cost=row.number("life_cost", 1, 9),
        max_dice=row.number("max_dice", 1, 9),
        max_modifier=row.number("max_modifier", 0, 9),
        max_defense=row.number("max_defense", 2, 12),
        max_mv=cast("tuple[tuple[Size, int], ...]", row.figures("max_mv", SIZES)),
        max_life=cast("tuple[tuple[Size, int], ...]", row.figures("max_life", SIZES)),
        weapon_slots_per_die=row.number("weapon_slots_per_die", 0, 9),
        gear_slots_per_die=row.number("gear_slots_per_die", 0, 9),
        mixed_slots_per_die=row.number("mixed_slots_per_die", 0, 9),
        rules=row.words("rules"),
        unsure=row.words("unsure"),
    )


def _chart(row: _Row) -> Chart:
    return Chart(
        key=row.text("key"),
        name=row.text("name"),
        die=row.text("die", ""),
        rows=row.nested("row", _chart_row),
        rules=row.words("rules"),
        unsure=row.words("unsure"),
    )


def _chart_row(row: _Row) -> ChartRow:
    low, high = row.number_or_none("low", 0, 9999), row.number_or_none("high", 0, 9999)
    if low is not None and high is not None and low > high:
        raise row.wrong("high", f"must not be below {low}")
    return ChartRow(
        key=row.text("key"),
        name=row.text("name"),
        low=low,
        high=high,
        values=row.figures("values"),
        text=row.text("text", ""),
        rules=row.words("rules"),
    )


def _note(row: _Row) -> Note:
    return Note(
        key=row.text("key"),
        name=row.text("name"),
        values=row.figures("values"),
        types=row.words("types"),
        grants=row.words("grants"),
        hero_grants=row.words("hero_grants"),
        text=row.text("text"),
        rules=row.words("rules"),
        unsure=row.words("unsure"),
    )


def _vehicle_weapon(row: _Row, weapons: Catalogue[Weapon]) -> Weapon:
    key = row.text("key")
    if key not in weapons:
        raise row.wrong("key", "there is no such weapon in weapons.toml")
    affiliations = row.words("affiliations", AFFILIATIONS, AFFILIATIONS)
    return replace(weapons[key], affiliations=affiliations, unsure=row.words("unsure"))


def _check_references(library: Library) -> None:
    for profile in library.profiles:
        _check_profile(library, profile)
    for file, catalogue in (("gear.toml", library.gear), ("vehicles.toml", library.vehicle_gear)):
        for gear in catalogue:
            for key in gear.grants:
                _meets(library.features, key, file, gear.key, "grants")
            for key in gear.only:
                if key not in library.profiles and key not in RANKS:
                    raise DataError(f"{file}, row {gear.key}, field only: {key!r} is no model and no rank")
            for key in gear.needs:
                if key not in library.gear and key not in library.features and key not in MODEL_TYPES:
                    raise DataError(
                        f"{file}, row {gear.key}, field needs: {key!r} is no gear, Feature or type"
                    )
    for feature in library.features:
        for key in feature.free_for:
            if key not in library.templates and key not in MODEL_TYPES:
                raise DataError(f"features.toml, row {feature.key}, field free_for: {key!r} is no type")
    for template in library.templates:
        for trait in template.free:
            _meets(library.features, trait.key, "heroes.toml", template.key, "free")
    for specialty in library.specialties:
        for key in (*specialty.grants, *specialty.hero_grants):
            _meets(library.features, key, "specialties.toml", specialty.key, "grants")
    for weapon in library.weapons:
        for key in weapon.specialties:
            _meets(library.specialties, key, "weapons.toml", weapon.key, "specialties")


def _check_profile(library: Library, profile: Profile) -> None:
    place = f"roster.toml, row {profile.key}, field"
    for trait in profile.features:
        _meets(library.features, trait.key, "roster.toml", profile.key, "features")
        if trait.choice and trait.choice not in library.features[trait.key].choices:
            raise DataError(f"{place} features: {trait} is not offered")
    for key in profile.weapons:
        _meets(library.weapons, key, "roster.toml", profile.key, "weapons")
    for key in profile.gear:
        _meets(library.gear, key, "roster.toml", profile.key, "gear")
    for key in profile.powers:
        if key not in library.power_keys():
            raise DataError(f"{place} powers: there is no psionic power called {key!r}")
    if profile.has_feature("psionic") != (profile.psionic is not None):
        raise DataError(f"{place} psionic: rating and Feature go together")


def _meets(catalogue: Catalogue[E], key: str, file: str, row: str, field: str) -> None:
    if key not in catalogue:
        raise DataError(f"{file}, row {row}, field {field}: there is no {catalogue.kind} called {key!r}")


def _plain(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())
