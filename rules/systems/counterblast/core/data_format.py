"""The format of the data files: their rows, the fields of each kind of row, and what a row must satisfy."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar, cast, get_args

from rules.systems.counterblast.core.profile import (
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
    Size,
    Skill,
    TargetKind,
    Template,
    TemplateKind,
    Weapon,
    WeaponGroup,
)
from rules.systems.counterblast.core.tables import Rating, Trait, as_size

T = TypeVar("T")

MAX_DIGITS = 3
"""Digits of a level: Python reads no number of many thousands."""


class DataError(ValueError):
    """The package's own data is wrong. Its text names file, row and field."""


class DataRow:
    """One table of a file, read field by field. ``close`` refuses unknown fields."""

    def __init__(self, file: str, position: int, table: Mapping[str, object]) -> None:
        self._place = f"{file}, row {table.get('key', position)}"
        self._table = table
        self._read: set[str] = set()

    def wrong(self, field: str, problem: str) -> DataError:
        """Return the refusal of a field, to be raised."""
        return DataError(f"In {self._place}, field `{field}` {problem}")

    def has(self, field: str) -> bool:
        """Return whether the row has the field."""
        return field in self._table

    def _take(self, field: str, default: object) -> object:
        self._read.add(field)
        value = self._table.get(field, default)
        if value is None:
            raise self.wrong(field, "is missing")
        return value

    def text(self, field: str, default: str | None = None) -> str:
        """Return words; not empty unless there is a default."""
        value = self._take(field, default)
        if not isinstance(value, str) or (default is None and not value):
            raise self.wrong(field, f"must be text, not {value!r}")
        return value

    def choice(self, field: str, allowed: Iterable[str]) -> str:
        """Return one of the words allowed."""
        value = self.text(field)
        if value not in allowed:
            raise self.wrong(field, f"must be one of {', '.join(allowed)}, not {value!r}")
        return value

    def flag(self, field: str) -> bool:
        """Return true or false; false if it is absent."""
        value = self._take(field, False)
        if not isinstance(value, bool):
            raise self.wrong(field, f"must be true or false, not {value!r}")
        return value

    def number(self, field: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number within bounds."""
        value = self._take(field, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.wrong(field, f"must be a whole number from {low} to {high}, not {value!r}")
        return value

    def number_or_none(self, field: str, low: int, high: int) -> int | None:
        """Return a whole number within bounds, None when absent."""
        return self.number(field, low, high) if self.has(field) else None

    def numbers(self, field: str, low: int, high: int) -> tuple[int, ...]:
        """Return a list of whole numbers within bounds."""
        value = self._take(field, [])
        if not isinstance(value, list) or not all(isinstance(n, int) and low <= n <= high for n in value):
            raise self.wrong(field, f"must be a list of whole numbers from {low} to {high}, not {value!r}")
        return tuple(value)

    def words(
        self, field: str, allowed: Iterable[str] | None = None, default: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """Return a list of words, each one of those allowed."""
        value = self._take(field, list(default))
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise self.wrong(field, f"must be a list of words, not {value!r}")
        if allowed is not None:
            for word in value:
                if word not in allowed:
                    raise self.wrong(field, f"can contain only {', '.join(allowed)}, not {word!r}")
        return tuple(value)

    def figures(self, field: str, allowed: Iterable[str] | None = None) -> tuple[tuple[str, int], ...]:
        """Return a table of whole numbers by name."""
        value = self._take(field, {})
        if not isinstance(value, dict) or not all(isinstance(n, int) for n in value.values()):
            raise self.wrong(field, f"must be a table of whole numbers, not {value!r}")
        for name in value:
            if allowed is not None and name not in allowed:
                raise self.wrong(field, f"can contain only {', '.join(allowed)}, not {name!r}")
        return tuple(value.items())

    def rating(self, field: str) -> Rating:
        """Return a rating such as 2D+1."""
        try:
            return Rating.parse(self.text(field))
        except ValueError as error:
            raise self.wrong(field, f"is wrong: {error}") from None

    def rating_or_none(self, field: str) -> Rating | None:
        """Return a rating, None when absent."""
        return self.rating(field) if self.has(field) else None

    def sizes(self, field: str) -> tuple[Size, ...]:
        """Return bases, at least one."""
        try:
            sizes = tuple(as_size(word) for word in self.words(field))
        except ValueError as error:
            raise self.wrong(field, f"is wrong: {error}") from None
        if not sizes:
            raise self.wrong(field, "must name at least one base")
        return sizes

    def traits(self, field: str) -> tuple[Trait, ...]:
        """Return Features: key, key:level or key:choice."""
        return tuple(self._trait(field, word) for word in self.words(field))

    def _trait(self, field: str, word: str) -> Trait:
        key, colon, suffix = word.partition(":")
        if not key or (colon and not suffix):
            raise self.wrong(
                field, f"must have entries written as key, key:level or key:choice, not {word!r}"
            )
        if not suffix.isdecimal():
            return Trait(key, choice=suffix)
        if len(suffix) > MAX_DIGITS:
            raise self.wrong(field, f"must have a level of at most {MAX_DIGITS} digits for {key}")
        return Trait(key, level=int(suffix))

    def nested(self, field: str, build: Callable[[DataRow], T]) -> tuple[T, ...]:
        """Return the rows within this row."""
        tables = self._take(field, None)
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise self.wrong(field, "must be a list of rows")
        built_rows = []
        for position, table in enumerate(tables, start=1):
            row = DataRow(self._place, position, table)
            built_rows.append(build(row))
            row.close()
        return tuple(built_rows)

    def close(self) -> None:
        """Raise an error if a field was not read."""
        for field in self._table:
            if field not in self._read:
                raise self.wrong(field, "isn't allowed here")


def parse(sources: Mapping[str, str], file: str) -> dict[str, object]:
    """Return one of the texts as tables. Raises DataError."""
    if file not in sources:
        raise DataError(f"{file}: the file is missing")
    try:
        return tomllib.loads(sources[file])
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{file}: {error}") from None


def rows(file: str, tables: object, build: Callable[[DataRow], T]) -> Iterator[T]:
    """Yield every row of a list, built and closed. Raises DataError."""
    if not isinstance(tables, list) or not tables:
        raise DataError(f"{file}: a list of rows is missing")
    for position, table in enumerate(tables, start=1):
        row = DataRow(file, position, table)
        entry = build(row)
        row.close()
        yield entry


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


def profile(row: DataRow) -> Profile:
    """Return a statblock. Raises DataError."""
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


def weapon(row: DataRow) -> Weapon:
    """Return a weapon. Raises DataError."""
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


def gear(row: DataRow) -> Gear:
    """Return a piece of gear, personal or of vehicles. Raises DataError."""
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


def feature(row: DataRow) -> Feature:
    """Return a Feature. Raises DataError."""
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
        doubled_for=row.words("doubled_for", MODEL_TYPES),
        vehicle_affiliations=row.words("vehicle_affiliations", AFFILIATIONS),
        text=row.text("text"),
        rules=row.words("rules"),
        unsure=row.words("unsure"),
    )


def power(row: DataRow) -> Power:
    """Return a way of using a power. Raises DataError."""
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


def template(row: DataRow) -> Template:
    """Return a Hero type or the vehicle. Raises DataError."""
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


def read_builder(row: DataRow) -> Builder:
    """Return the prices and limits of upgrades. Raises DataError."""
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


def read_chart(row: DataRow) -> Chart:
    """Return a chart. Raises DataError."""
    return Chart(
        key=row.text("key"),
        name=row.text("name"),
        die=row.text("die", ""),
        rows=row.nested("row", read_chart_row),
        rules=row.words("rules"),
        unsure=row.words("unsure"),
    )


def read_chart_row(row: DataRow) -> ChartRow:
    """Return a row of a chart. Raises DataError."""
    low, high = row.number_or_none("low", 0, 9999), row.number_or_none("high", 0, 9999)
    if low is not None and high is not None and low > high:
        raise row.wrong("high", f"must be at least {low}")
    return ChartRow(
        key=row.text("key"),
        name=row.text("name"),
        low=low,
        high=high,
        values=row.figures("values"),
        text=row.text("text", ""),
        rules=row.words("rules"),
    )


def note(row: DataRow) -> Note:
    """Return a named thing with few figures. Raises DataError."""
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
