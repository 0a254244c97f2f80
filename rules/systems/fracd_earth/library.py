"""The one reader of Frac'd Earth's figures: data/*.toml in, validated and frozen tables out.

Owns the form of the files: which fields a row has and their bounds. It knows no rule.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from rules.systems.fracd_earth.cards import MAX_FORCE, MAX_VALUE, REINFORCES, SUITS, Card, Cards

MAX_CARDS = 200
COLUMNS = 5
MAX_DAMAGE = 99


class DataError(ValueError):
    """A data file is wrong. Its text names file, row and field."""


@dataclass(frozen=True, slots=True)
class EffectsTable:
    """The Effects Table: per level (row) the points lost and the conditions for VL, L, M, H, VH.

    `margin_per_level`: points of failure for each further level. `house`: not the publisher's figures.
    Rules: FE-PRO-06.
    """

    margin_per_level: int
    damage: tuple[tuple[int, ...], ...]
    conditions: tuple[tuple[tuple[tuple[str, int], ...], ...], ...]
    house: bool

    @property
    def levels(self) -> int:
        """Return the highest level."""
        return len(self.damage)


@dataclass(frozen=True, slots=True)
class EdgeKind:
    """One thing an Edge can buy; see data/edges.toml for the fields. Rules: FE-OUT-08."""

    key: str
    name: str
    cost: int
    column: int = 0
    hits: int = 0
    targets: int = 0
    inches: int = 0
    needs_hit: bool = False
    once: bool = False
    listed: bool = False


class _Row:
    """One row of a file: fields are taken with their type and bounds, and none may be left over."""

    def __init__(self, source: str, fields: Any) -> None:
        if not isinstance(fields, Mapping):
            raise DataError(f"{source} must be a table")
        self.where = source
        self._left = dict(fields)

    def text(self, field: str, default: str | None = None) -> str:
        value = self._left.pop(field, default)
        if not isinstance(value, str) or len(value) > 60 or (default is None and not value.strip()):
            raise DataError(f"{self.where}: {field} must be text of 1 to 60 characters")
        return value

    def number(self, field: str, low: int, high: int, default: int | None = None) -> int:
        value = self._left.pop(field, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise DataError(f"{self.where}: {field} must be a number from {low} to {high}")
        return value

    def flag(self, field: str, *, default: bool = False) -> bool:
        value = self._left.pop(field, default)
        if not isinstance(value, bool):
            raise DataError(f"{self.where}: {field} must be true or false")
        return value

    def rows(self, field: str) -> list[Any]:
        value = self._left.pop(field, None)
        if not isinstance(value, list) or not value:
            raise DataError(f"{self.where}: {field} must be a list with at least one entry")
        return value

    def maybe(self, field: str) -> Any:
        return self._left.pop(field, None)

    def end(self) -> None:
        if self._left:
            raise DataError(f"{self.where}: remove {sorted(self._left)[0]}, because there is no such field")


def _file(name: str, text: str) -> _Row:
    try:
        return _Row(name, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{name}: {error}") from None


def read_cards(text: str, name: str = "deck.toml") -> Cards:
    """Return a deck from TOML. Raises DataError. Rules: FE-DECK-01, FE-DECK-02, FE-DECK-04, FE-DECK-10."""
    file = _file(name, text)
    file.maybe("house")
    rows = file.rows("card")
    file.end()
    if len(rows) > MAX_CARDS:
        raise DataError(f"{name}: a deck can have at most {MAX_CARDS} cards")
    cards = tuple(_card(_Row(f"{name}, card {place}", row)) for place, row in enumerate(rows, 1))
    if len({card.key.casefold() for card in cards}) != len(cards):
        raise DataError(f"{name}: two cards have the same key")
    return cards


def _card(row: _Row) -> Card:
    suit, reinforces = row.text("suit", ""), row.text("reinforces", "")
    if suit not in SUITS:
        raise DataError(f"{row.where}: suit must be one of {', '.join(SUITS[1:])}, or left out")
    if reinforces not in REINFORCES:
        raise DataError(f'{row.where}: reinforces must be "higher" or "lower", or left out')
    card = Card(
        key=row.text("key"),
        name=row.text("name"),
        value=row.number("value", 0, MAX_VALUE),
        suit=suit,
        force=row.number("force", 0, MAX_FORCE),
        link=row.flag("link"),
        reinforces=reinforces,
        replaces=row.flag("replaces", default=True),
        blocks=row.flag("blocks"),
    )
    row.end()
    if card.link and card.value != 1:
        raise DataError(f"{row.where}: a link card must have value 1")
    return card


def read_effects(text: str, name: str = "effects.toml") -> EffectsTable:
    """Return the Effects Table from TOML. Raises DataError. Rules: FE-PRO-06."""
    file = _file(name, text)
    house, margin = file.flag("house"), file.number("margin_per_level", 1, 20)
    rows = file.rows("level")
    file.end()
    damage, conditions = [], []
    for place, fields in enumerate(rows, 1):
        row = _Row(f"{name}, level {place}", fields)
        damage.append(_damage(row))
        conditions.append(_conditions(row))
        row.end()
    return EffectsTable(margin, tuple(damage), tuple(conditions), house)


def _damage(row: _Row) -> tuple[int, ...]:
    values = row.rows("damage")
    in_range = all(type(value) is int and 0 <= value <= MAX_DAMAGE for value in values)
    if len(values) != COLUMNS or not in_range:
        raise DataError(f"{row.where}: damage must be {COLUMNS} numbers from 0 to {MAX_DAMAGE}")
    return tuple(values)


def _conditions(row: _Row) -> tuple[tuple[tuple[str, int], ...], ...]:
    columns = row.maybe("conditions")
    if columns is None:
        return ((),) * COLUMNS
    if not isinstance(columns, list) or len(columns) != COLUMNS:
        raise DataError(f"{row.where}: conditions must be a list of {COLUMNS} lists")
    return tuple(tuple(_condition(row.where, text) for text in column) for column in columns)


def _condition(source: str, text: Any) -> tuple[str, int]:
    kind, _, grade = str(text).partition(":")
    if not kind.strip() or (grade and not grade.isdecimal()):
        raise DataError(f"{source}: write each condition like `stunned` or `penalty fight:2`")
    return kind.strip(), int(grade or 0)


def read_edges(text: str, name: str = "edges.toml") -> tuple[EdgeKind, ...]:
    """Return what Edges buy, from TOML. Raises DataError. Rules: FE-OUT-08."""
    file = _file(name, text)
    file.flag("house")
    rows = file.rows("edge")
    file.end()
    kinds = tuple(_edge(_Row(f"{name}, edge {place}", row)) for place, row in enumerate(rows, 1))
    if len({kind.key for kind in kinds}) != len(kinds):
        raise DataError(f"{name}: two edges have the same key")
    return kinds


def _edge(row: _Row) -> EdgeKind:
    kind = EdgeKind(
        key=row.text("key"),
        name=row.text("name"),
        cost=row.number("cost", 1, 2),
        column=row.number("column", 0, 4, 0),
        hits=row.number("hits", 0, 1, 0),
        targets=row.number("targets", 0, 1, 0),
        inches=row.number("inches", 0, 12, 0),
        needs_hit=row.flag("needs_hit"),
        once=row.flag("once"),
        listed=row.flag("listed"),
    )
    row.end()
    return kind


def _packaged(name: str) -> str:
    return resources.files("rules.systems.fracd_earth").joinpath("data", name).read_text(encoding="utf-8")


@cache
def standard_cards() -> Cards:
    """Return the standard deck of 54. Rules: FE-DECK-01, FE-DECK-02."""
    return read_cards(_packaged("deck.toml"))


@cache
def standard_effects() -> EffectsTable:
    """Return the house Effects Table. Rules: FE-PRO-06."""
    return read_effects(_packaged("effects.toml"))


@cache
def standard_edges() -> tuple[EdgeKind, ...]:
    """Return the common Edges. Rules: FE-OUT-08."""
    return read_edges(_packaged("edges.toml"))
