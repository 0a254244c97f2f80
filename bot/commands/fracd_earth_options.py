"""Options that the commands of Frac'd Earth share. Suggestions come from Crew Cards, never from hands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from discord import app_commands

from bot.commands.options import Choices, It, Suggest, choices, encounter_of, model_chosen
from bot.games.fracd_earth.figures import profile_of
from bot.games.fracd_earth.move_play import GROUNDS
from bot.table.names import suggestions
from rules.systems.fracd_earth.actions import COMPATIBLE_ACTIONS, FREE_ACTIONS
from rules.systems.fracd_earth.profile import TRAITS
from rules.systems.fracd_earth.weapons import VERSUS

SYSTEM = "fracd_earth"

Range: TypeAlias = app_commands.Range[float, 0, 200]
Marks: TypeAlias = app_commands.Range[int, -20, 20]


def carried(option: str) -> Suggest:
    """Suggests the weapons of the figure that was chosen in another option."""

    async def suggest(interaction: It, typed: str) -> Choices:
        found = await model_chosen(interaction, SYSTEM, option)
        weapons = profile_of(found[1].profile).weapons if found else ()
        return choices(suggestions(typed, [each.title for each in weapons]))

    return suggest


async def figures(interaction: It, typed: str) -> Choices:
    """Figures with commas between them: what was typed, and the next one."""
    encounter = await encounter_of(interaction, SYSTEM)
    if encounter is None:
        return []
    return _next_of(typed, [model.name for model in encounter.models()])


def _next_of(typed: str, names: Iterable[str]) -> Choices:
    """What was typed before the last comma, with each of the names that may follow."""
    before, _, last = typed.rpartition(",")
    head = f"{before.strip()}, " if before.strip() else ""
    given = [name.strip() for name in before.split(",")]
    return choices(head + name for name in suggestions(last, [name for name in names if name not in given]))


async def grounds(interaction: It, typed: str) -> Choices:
    """Grounds and obstacles with commas between them."""
    return _next_of(typed, GROUNDS)


async def traits(interaction: It, typed: str) -> Choices:
    """Combat Traits, Attributes and armours."""
    return choices(suggestions(typed, [*TRAITS, *VERSUS]))


async def small_actions(interaction: It, typed: str) -> Choices:
    """Compatible and Free actions, reactions, Teamwork."""
    return choices(suggestions(typed, [*COMPATIBLE_ACTIONS, *FREE_ACTIONS, "reaction", "teamwork"]))
