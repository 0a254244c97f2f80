"""Options that the commands of Infinity share, and suggestions that show nobody what is not theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from discord import app_commands

from bot.commands.options import Choices, It, choices, chosen, encounter_of
from bot.games.infinity import troops, veils
from bot.games.infinity.library_play import SYSTEM
from bot.panels.answer import host_of
from bot.store.rows import ProfileRow
from bot.table.encounter import Encounter
from bot.table.names import suggestions
from rules.refusals import InvalidInput
from rules.systems.infinity.library import samples
from rules.systems.infinity.profile import Weapon

Inches = app_commands.Range[float, 0, 200]
Mod = app_commands.Range[int, -12, 12]
Level = app_commands.Range[int, 0, 5]
Path = app_commands.Range[str, 0, 100]
Paid = Literal["auto", "regular", "irregular", "lieutenant"]
Stands = Literal["open", "difficult", "very difficult"]
Low = Literal["none", "low", "poor"]

VISIBILITY = {"none": 0, "low": -3, "poor": -6}


async def my_trooper(interaction: It, typed: str) -> Choices:
    """The asker's own troopers, hidden ones too; then everybody else on the table as they show themselves."""
    encounter = await encounter_of(interaction, SYSTEM)
    if encounter is None:
        return []
    mine = _mine(encounter, interaction.user.id)
    others = [model.name for model in encounter.models() if model.name not in mine.values()]
    shown = suggestions(typed, [*mine, *others])
    return [app_commands.Choice(name=name[:100], value=mine.get(name, name)[:100]) for name in shown]


def _mine(encounter: Encounter, user_id: int) -> dict[str, str]:
    """What the asker may read of its own troopers, and the name on the table."""
    found: dict[str, str] = {}
    for side in encounter.sides():
        if not veils.sees(encounter, user_id, side.id):
            continue
        for model in encounter.models(side.id):
            veil = veils.marker_of(encounter, model.id)
            found[f"{veil.name} ({model.name})" if veil else model.name] = model.name
        found |= {f"{veil.name} (hidden)": veil.name for veil in veils.hidden(encounter, side.id)}
    return found


async def any_marker(interaction: It, typed: str) -> Choices:
    """Markers on the table."""
    encounter = await encounter_of(interaction, SYSTEM)
    if encounter is None:
        return []
    return choices(
        suggestions(typed, [m.name for m in encounter.models() if veils.is_marker(encounter, m.id)])
    )


def weapon_of(fits: Callable[[Weapon], bool]) -> Callable[[It, str], object]:
    """Suggestions from the weapons of the trooper that was chosen first."""

    async def suggest(interaction: It, typed: str) -> Choices:
        encounter = await encounter_of(interaction, SYSTEM)
        name = chosen(interaction, "shooter", "attacker", "model")
        if encounter is None or not name:
            return []
        weapons = _weapons(encounter, interaction.user.id, name)
        return choices(suggestions(typed, [weapon.name for weapon in weapons if fits(weapon)]))

    return suggest


def _weapons(encounter: Encounter, user_id: int, name: str) -> tuple[Weapon, ...]:
    for side in encounter.sides():
        if veils.sees(encounter, user_id, side.id):
            for veil in veils.hidden(encounter, side.id):
                if veil.name.casefold() == name.casefold():
                    return troops.hidden_trooper(encounter, veil).current.weapons
    try:
        model = encounter.find_model(name)
    except InvalidInput:
        return ()
    if veils.is_marker(encounter, model.id) and not veils.sees(encounter, user_id, model.side):
        return ()
    return troops.trooper(encounter, model).current.weapons


async def any_profile(interaction: It, typed: str) -> Choices:
    """Profiles of the server's library, then the samples."""
    names = await _library(interaction)
    names += [one.name for sample in samples() for one in sample.troopers]
    return choices(suggestions(typed, names))


async def library_profile(interaction: It, typed: str) -> Choices:
    """Profiles of the server's library."""
    return choices(suggestions(typed, await _library(interaction)))


async def _library(interaction: It) -> list[str]:
    store = host_of(interaction).desk.store
    scope = await store.library_scope(interaction.guild_id or 0)
    loaded = await store.load(scope) if scope else None
    rows = loaded.book().all(ProfileRow) if loaded else []
    return [row.name for row in rows if row.system == SYSTEM]
