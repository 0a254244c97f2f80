"""Options that the commands of Counterblast share."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from discord import app_commands

from bot.commands.options import Choices, It, choices, encounter_of, model_chosen
from bot.games.counterblast.core.fighters import fighter
from bot.games.counterblast.gear.tasks import task_names
from bot.games.counterblast.ground.structures import kinds, structure_names
from bot.table.encounter import Encounter
from bot.table.names import suggestions
from rules.systems.counterblast.core.fighter import Fighter

Inches = app_commands.Range[float, 0, 200]
Rating = app_commands.Range[int, 0, 3]

ODDS = "Show the chances"
ORDER = "An order token for +1"


def names_in(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def ground_in(text: str) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Ground as it is typed, `2 1, slick`: ratings, and names of places with commas between them."""
    rated = [part for part in names_in(text) if not part.strip("0123456789 ")]
    named = tuple(part for part in names_in(text) if part not in rated)
    return tuple(int(digit) for part in rated for digit in part if digit.isdecimal()), named


SYSTEM = "counterblast"

WHO_ATTACKS = ("shooter", "charger", "firer", "attacker", "model")
"""The options that name whose weapons are meant."""


async def _kept(interaction: It, typed: str, names: Callable[[Encounter], Iterable[str]]) -> Choices:
    encounter = await encounter_of(interaction, SYSTEM)
    return choices(suggestions(typed, names(encounter))) if encounter else []


async def any_task(interaction: It, typed: str) -> Choices:
    """Tasks on the table."""
    return await _kept(interaction, typed, task_names)


async def any_structure(interaction: It, typed: str) -> Choices:
    """Structures on the table."""
    return await _kept(interaction, typed, structure_names)


async def structure_kind(interaction: It, typed: str) -> Choices:
    """What structures there are."""
    return choices(suggestions(typed, [row.name for row in kinds()]))


async def chosen_fighter(interaction: It, *options: str) -> Fighter | None:
    """The model that was chosen in one of these options; None where there is none."""
    found = await model_chosen(interaction, SYSTEM, *options)
    return fighter(*found) if found else None


async def carried_weapon(interaction: It, typed: str) -> Choices:
    """Weapons of the model that was chosen first."""
    model = await chosen_fighter(interaction, *WHO_ATTACKS)
    return choices(suggestions(typed, [weapon.name for weapon in model.weapons])) if model else []
