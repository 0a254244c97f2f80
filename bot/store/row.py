"""What every row of the state is: a dataclass with a key that belongs to one scope and holds plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

Value: TypeAlias = int | str | bool | None
Key: TypeAlias = tuple[int | str, ...]
Columns: TypeAlias = tuple[Value, ...]

Counters = dict[str, int]
Texts = dict[str, str]


@dataclass(slots=True)
class Row:
    """A row of the state. `scope` is the id of the scope it belongs to."""

    table: ClassVar[str]
    key_fields: ClassVar[tuple[str, ...]] = ("scope", "id")

    scope: int

    @property
    def key(self) -> Key:
        """The primary key."""
        return tuple(getattr(self, name) for name in self.key_fields)
