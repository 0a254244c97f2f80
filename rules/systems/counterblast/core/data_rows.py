"""Reading rows of TOML field by field, with refusals that name file, row and field.

Owns the form of a row: kinds of fields, bounds, fields that nobody asked for. It knows no figure of the game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from rules.systems.counterblast.core.ratings import Rating, Size, Trait, as_size

T = TypeVar("T")

MOST_DIGITS = 3
"""Digits of a level: Python reads no number of many thousands."""


class DataError(ValueError):
    """The package's own data is wrong. Its text names file, row and field."""


class DataRow:
    """One table of a file, read field by field; ``close`` refuses fields that nobody asked for."""

    def __init__(self, file: str, position: int, table: Mapping[str, object]) -> None:
        self._place = f"{file}, row {table.get('key', position)}"
        self._table = table
        self._read: set[str] = set()

    def wrong(self, field: str, problem: str) -> DataError:
        """The refusal of a field, to be raised."""
        return DataError(f"{self._place}, field {field}: {problem}")

    def has(self, field: str) -> bool:
        """Whether the row has the field."""
        return field in self._table

    def _take(self, field: str, default: object) -> object:
        self._read.add(field)
        value = self._table.get(field, default)
        if value is None:
            raise self.wrong(field, "is missing")
        return value

    def text(self, field: str, default: str | None = None) -> str:
        """Words; not empty unless there is a default."""
        value = self._take(field, default)
        if not isinstance(value, str) or (default is None and not value):
            raise self.wrong(field, f"must be text, not {value!r}")
        return value

    def choice(self, field: str, allowed: Iterable[str]) -> str:
        """One of the words allowed."""
        value = self.text(field)
        if value not in allowed:
            raise self.wrong(field, f"{value!r} is not one of {', '.join(allowed)}")
        return value

    def flag(self, field: str) -> bool:
        """True or false, false when absent."""
        value = self._take(field, False)
        if not isinstance(value, bool):
            raise self.wrong(field, f"must be true or false, not {value!r}")
        return value

    def number(self, field: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number within bounds."""
        value = self._take(field, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.wrong(field, f"must be a whole number from {low} to {high}, not {value!r}")
        return value

    def number_or_none(self, field: str, low: int, high: int) -> int | None:
        """A whole number within bounds, None when absent."""
        return self.number(field, low, high) if self.has(field) else None

    def numbers(self, field: str, low: int, high: int) -> tuple[int, ...]:
        """A list of whole numbers within bounds."""
        value = self._take(field, [])
        if not isinstance(value, list) or not all(isinstance(n, int) and low <= n <= high for n in value):
            raise self.wrong(field, f"must be a list of whole numbers from {low} to {high}, not {value!r}")
        return tuple(value)

    def words(
        self, field: str, allowed: Iterable[str] | None = None, default: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """A list of words, each one of those allowed."""
        value = self._take(field, list(default))
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise self.wrong(field, f"must be a list of words, not {value!r}")
        if allowed is not None:
            for word in value:
                if word not in allowed:
                    raise self.wrong(field, f"{word!r} is not one of {', '.join(allowed)}")
        return tuple(value)

    def figures(self, field: str, allowed: Iterable[str] | None = None) -> tuple[tuple[str, int], ...]:
        """A table of whole numbers by name."""
        value = self._take(field, {})
        if not isinstance(value, dict) or not all(isinstance(n, int) for n in value.values()):
            raise self.wrong(field, f"must be a table of whole numbers, not {value!r}")
        for name in value:
            if allowed is not None and name not in allowed:
                raise self.wrong(field, f"{name!r} is not one of {', '.join(allowed)}")
        return tuple(value.items())

    def rating(self, field: str) -> Rating:
        """A rating such as 2D+1."""
        try:
            return Rating.parse(self.text(field))
        except ValueError as error:
            raise self.wrong(field, str(error)) from None

    def rating_or_none(self, field: str) -> Rating | None:
        """A rating, None when absent."""
        return self.rating(field) if self.has(field) else None

    def sizes(self, field: str) -> tuple[Size, ...]:
        """Bases, at least one."""
        try:
            sizes = tuple(as_size(word) for word in self.words(field))
        except ValueError as error:
            raise self.wrong(field, str(error)) from None
        if not sizes:
            raise self.wrong(field, "names no base")
        return sizes

    def traits(self, field: str) -> tuple[Trait, ...]:
        """Features: key, key:level or key:choice."""
        return tuple(self._trait(field, word) for word in self.words(field))

    def _trait(self, field: str, word: str) -> Trait:
        key, colon, suffix = word.partition(":")
        if not key or (colon and not suffix):
            raise self.wrong(field, f"{word!r} is no Feature: write key, key:level or key:choice")
        if not suffix.isdecimal():
            return Trait(key, choice=suffix)
        if len(suffix) > MOST_DIGITS:
            raise self.wrong(field, f"{key} has no level of {len(suffix)} digits")
        return Trait(key, level=int(suffix))

    def nested(self, field: str, build: Callable[[DataRow], T]) -> tuple[T, ...]:
        """The rows within this row."""
        tables = self._take(field, None)
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise self.wrong(field, "must be a list of rows")
        built = []
        for position, table in enumerate(tables, start=1):
            row = DataRow(self._place, position, table)
            built.append(build(row))
            row.close()
        return tuple(built)

    def close(self) -> None:
        """Refuse fields that nobody asked for."""
        for field in self._table:
            if field not in self._read:
                raise self.wrong(field, "is not a field of this kind of row")


def parse(sources: Mapping[str, str], file: str) -> dict[str, object]:
    """One of the texts as tables. Raises DataError."""
    if file not in sources:
        raise DataError(f"{file}: the file is missing")
    try:
        return tomllib.loads(sources[file])
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{file}: {error}") from None


def rows(file: str, tables: object, build: Callable[[DataRow], T]) -> Iterator[T]:
    """Every row of a list, built and closed. Raises DataError."""
    if not isinstance(tables, list) or not tables:
        raise DataError(f"{file}: a list of rows is missing")
    for position, table in enumerate(tables, start=1):
        row = DataRow(file, position, table)
        entry = build(row)
        row.close()
        yield entry
