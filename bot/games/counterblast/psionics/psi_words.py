"""What psionic powers are called at the table, and how targets and helpers are typed: Sally 2, Skip 1.

Knows names and numbers; decides no rule.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Raw
from bot.games.counterblast.core.fighters import fighter
from bot.table.act import Act
from bot.table.names import find
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Power, Weapon

MOST_AIMS = 8


@dataclass(frozen=True, slots=True)
class Named:
    """A model as it was typed in a list, with the number behind its name; None where there is none."""

    model: Fighter
    number: int | None = None


def listed(act: Act, text: str) -> tuple[Named, ...]:
    """Models typed one after another with commas, each with a number if one stands behind its name.

    A model whose own name ends so is meant first. Raises InvalidInput.
    """
    parts = [" ".join(part.split()) for part in text.split(",") if part.strip()]
    if len(parts) > MOST_AIMS:
        raise InvalidInput(f"Name at most {MOST_AIMS} models.")
    return tuple(_one(act, part) for part in parts)


def _one(act: Act, text: str) -> Named:
    everybody = {model.name.casefold() for model in act.encounter.models()}
    head, _, tail = text.rpartition(" ")
    if head and tail.isdecimal() and len(tail) < 4 and text.casefold() not in everybody:
        return Named(fighter(act.encounter, act.encounter.find_model(head)), int(tail))
    return Named(fighter(act.encounter, act.encounter.find_model(text)))


def written(named: tuple[Named, ...]) -> str:
    """The list in the one form that all ways of typing it share."""
    return ", ".join(
        f"#{one.model.id}" + (f" {one.number}" if one.number is not None else "") for one in named
    )


def without_inches(named: Raw) -> Raw:
    """Of such a list who is named, whatever was measured."""
    return ", ".join(part.split()[0] for part in str(named).split(", "))


def inches_listed(text: str) -> tuple[float, ...]:
    """Distances typed with spaces or commas. Raises InvalidInput."""
    try:
        numbers = tuple(float(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise InvalidInput("Distances are numbers: 6, or 6 9 for two targets.") from None
    if any(not 0 <= number <= 200 for number in numbers):
        raise InvalidInput("Inches: 0 to 200.")
    return numbers


def inches_written(numbers: tuple[float, ...]) -> str:
    """Distances as they are typed."""
    return " ".join(repr(number).removesuffix(".0") for number in numbers)


def inches_of_each(numbers: tuple[float, ...], count: int) -> tuple[float, ...]:
    """One distance for all, or one for each; none is 0. Raises InvalidInput."""
    if len(numbers) <= 1:
        return (numbers[0] if numbers else 0.0,) * count
    if len(numbers) != count:
        raise InvalidInput(f"One distance for all, or one for each: {count}, not {len(numbers)}.")
    return numbers


def uses_meant(text: str) -> tuple[Power, ...]:
    """The way of using a power that is meant, by name or key; of a bare power every way.

    Raises InvalidInput.
    """
    library = load()
    powers = {use.name.partition(" (")[0].casefold(): use.power for use in library.powers}
    wanted = " ".join(text.split()).casefold()
    key = powers.get(wanted, wanted if wanted in library.power_keys() else "")
    if wanted in {use.key for use in library.powers}:
        return (library.powers[wanted],)
    if not key:
        return (find(text, tuple(library.powers), lambda row: row.name, "power"),)
    return tuple(library.power_uses(key))


def uses_written(uses: tuple[Power, ...]) -> str:
    """The key of a way of using a power, or of the power where every way is meant."""
    return uses[0].key if len(uses) == 1 else uses[0].power


def fitting_use(uses: tuple[Power, ...], psionic: Fighter, target: Fighter | None) -> Power:
    """The way of using a power that fits the target."""
    if len(uses) == 1:
        return uses[0]
    enemy = target is not None and target.side != psionic.side
    fit = [row for row in uses if row.attack == enemy]
    if not enemy and len(fit) > 1:
        other = target is not None and target.id != psionic.id
        fit = [row for row in fit if ("ally" in row.key) == other]
    return fit[0]


def power_title(key: str) -> str:
    """What a power is called: Calm, for both ways of using it."""
    return load().power_uses(key)[0].name.partition(" (")[0]


def power_names(known: tuple[str, ...] = ()) -> list[str]:
    """The ways of using the powers, those given by key only where any are."""
    return [row.name for row in load().powers if not known or row.power in known]


def as_weapon(row: Power) -> Weapon:
    """A power as what a target is told to be hit by."""
    return Weapon(key="psionics", name=row.name, group="natural", deliveries=("direct",), damage=row.damage)
