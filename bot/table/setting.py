"""Settings that a group may choose for its game, in sentences for players."""

from __future__ import annotations

from dataclasses import dataclass

from bot.table.encounter import Encounter


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its title, what it changes in one sentence, and its choices, the default first.

    key: as it is stored and typed. choices: each value with the sentence that players read. group: the
    heading under which it is listed. book: the page or chapter of the rules. bounds: the least and the
    greatest number that may be entered instead of a listed value. number: the sentence of such a number,
    `{}` for the number.
    """

    key: str
    title: str
    about: str
    choices: tuple[tuple[str, str], ...]
    group: str = "Table"
    book: str = ""
    bounds: tuple[int, int] = (0, 0)
    number: str = ""

    @property
    def default(self) -> str:
        """Return the value that holds if none was chosen."""
        return self.choices[0][0]

    @property
    def values(self) -> tuple[str, ...]:
        """Return the listed values, the default first."""
        return tuple(value for value, _ in self.choices)

    def says(self, value: str) -> str:
        """Return the sentence of a value."""
        return dict(self.choices).get(value) or self.number.format(value)

    def of(self, encounter: Encounter) -> str:
        """Return the value by which an encounter plays."""
        return encounter.setting(self.key, self.default)

    def takes(self, value: int) -> bool:
        """Return whether this number may be entered."""
        least, highest = self.bounds
        return bool(self.number) and least <= value <= highest


def number(
    key: str,
    title: str,
    description: str,
    default: int,
    bounds: tuple[int, int],
    says: str,
    *,
    group: str = "Table",
    book: str = "",
) -> Setting:
    """Return a setting that is a whole number. says: the sentence of any number, `{}` for the number."""
    return Setting(
        key, title, description, ((str(default), says.format(default)),), group, book, bounds, says
    )
