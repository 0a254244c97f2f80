"""What fields of this room's actions are: a cloud in the way, whom misses hit, what each of a team does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from bot.actions import Raw, declared
from bot.games.counterblast.core.fields import first_firearm, weapon_said
from bot.games.counterblast.core.fighters import fighter
from bot.games.counterblast.shooting.cloud_marks import InTheWay, in_the_way
from bot.games.counterblast.shooting.recalled import AS_BEFORE
from bot.games.counterblast.shooting.suggestions import any_cloud
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking, Suggested, nothing
from bot.table.asking.things import SeveralModels
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon


def cloud_between() -> Any:
    """A cloud in the way of a shot: `InTheWay`, or None."""

    def found(asking: Asking, text: str) -> InTheWay:
        return in_the_way(asking.act.encounter, text)

    return fields.sought("A cloud in the way, and how it lies", any_cloud, found, fact=True)


def moving_straight() -> Any:
    """Whether a vehicle moves straight at the shooter or away; None where nobody said."""
    return fields.one_of("", {"yes": True, "no": False}, fact=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Friends(SeveralModels):
    """A friend at each target, in their order, with commas between: a tuple; None where none is named."""

    any_order: int = 0

    def write(self, thing: Any) -> Raw:
        """#number of each."""
        if isinstance(thing, str):
            return thing or None
        return ", ".join(f"#{one.id}" if one else "" for one in thing or ()) or None

    def read(self, raw: Raw, asking: Asking) -> Any:
        """Every friend. Raises InvalidInput."""
        names = [name.strip() for name in str(raw).split(",")]
        return tuple(super(SeveralModels, self).read(name, asking) if name else None for name in names)


def friends(about: str) -> Any:
    """Whom misses hit at each target, in their order."""
    return declared(Friends(help=about, names=offering.own_model, view=fighter, fact=True), ())


# ---------------------------------------------------------------- of each of a team


@dataclass(frozen=True, slots=True, kw_only=True)
class OfEach(Suggested):
    """What is said of all who shoot, or of each of them in their order, in one text.

    found: what is meant by a text for these shooters. written: its one form.
    """

    found: Callable[[tuple[Fighter, ...], str], Any]
    written: Callable[[Any], str]
    each_of: str = "shooters"

    asks_table: ClassVar[bool] = True

    def write(self, thing: Any) -> Raw:
        """In one text."""
        return (self.written(thing) if thing and not isinstance(thing, str) else thing) or None

    def read(self, raw: Raw, asking: Asking) -> Any:
        """For every shooter. Raises InvalidInput."""
        return self.found(asking.so_far.get(self.each_of) or (), str(raw))

    def unsaid(self, default: Any, asking: Asking) -> Any:
        """What is meant for those who shoot."""
        return self.read("", asking)

    def permuted(self, value: Any, places: Sequence[int]) -> Any:
        """See `Kind.permuted`."""
        if isinstance(value, Arms):
            return replace(value, each=tuple(value.each[place] for place in places))
        return super(OfEach, self).permuted(value, places)

    @property
    def suggests(self) -> bool:
        """Whether there are suggestions."""
        return self.names is not nothing


def numbers_of_each(about: str, most: float, what: str, example: str, **more: Any) -> Any:
    """A number for each of a team: a tuple; AS_BEFORE for all where nothing is said."""

    def found(team: tuple[Fighter, ...], text: str) -> tuple[float, ...]:
        given = _numbers(text)
        if not given:
            return (AS_BEFORE,) * len(team)
        if len(given) not in (1, len(team)) or not all(0 <= one <= most for one in given):
            raise InvalidInput(f"Type one {what} for all, or {len(team)} of them, as in: {example}.")
        return tuple(given * len(team) if len(given) == 1 else given)

    return declared(OfEach(help=about, found=found, written=_in_short, **more), "")


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        return [-1.0]


def _in_short(numbers: tuple[float, ...]) -> str:
    """One for all where all are the same; nothing where all are as before."""
    if all(one == AS_BEFORE for one in numbers):
        return ""
    return " ".join(f"{one:g}" for one in (numbers[:1] if len(set(numbers)) == 1 else numbers))


@dataclass(frozen=True, slots=True)
class Arms:
    """The weapon of each of a team: the one that was named of those who carry it, the first of the others."""

    said: str
    each: tuple[Weapon, ...]

    def __str__(self) -> str:
        """As it is said."""
        return self.said


def arms_of_each(about: str) -> Any:
    """What a team shoots with: `Arms`."""

    def found(team: tuple[Fighter, ...], text: str) -> Arms:
        return Arms(text, tuple(_arm(model, text) for model in team))

    return declared(OfEach(help=about, found=found, written=str), "")


def _arm(model: Fighter, text: str) -> Weapon:
    carries = text and any(text.casefold() in weapon.name.casefold() for weapon in model.weapons)
    return weapon_said(model, text) if carries else first_firearm(model)
