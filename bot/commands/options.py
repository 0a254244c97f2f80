"""What slash commands share: lengths of options, and suggestions from what the channel holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import discord
from discord import app_commands

from bot.panels.answer import host_of
from bot.store.rows import ModelRow
from bot.table.encounter import Encounter
from bot.table.names import base_name, suggestions
from rules.refusals import InvalidInput

It: TypeAlias = discord.Interaction[discord.Client]
Choices: TypeAlias = list[app_commands.Choice[str]]

LONGEST_TYPED = 100


def choices(names: Iterable[str]) -> Choices:
    """Names as suggestions; those that are longer than one may be are left out."""
    return [app_commands.Choice(name=name, value=name) for name in names if 0 < len(name) <= LONGEST_TYPED]


async def encounter_of(interaction: It, system: str = "") -> Encounter | None:
    """The encounter that runs in the channel, to read from; None where there is none.

    system: the game whose commands read it; None where another game runs.
    """
    store = host_of(interaction).desk.store
    scope = await store.running_encounter(interaction.channel_id or 0)
    loaded = await store.load(scope) if scope else None
    encounter = Encounter(loaded.book()) if loaded else None
    return encounter if encounter and system in ("", encounter.row.system) else None


def chosen(interaction: It, *options: str) -> str:
    """What was chosen in the first of these options that has something; empty for none.

    The library shows an option that was not given, or that the command does not have, as None.
    """
    return str(next(filter(None, (getattr(interaction.namespace, option, "") for option in options)), ""))


async def model_chosen(interaction: It, system: str, *options: str) -> tuple[Encounter, ModelRow] | None:
    """A game's encounter and the model that was chosen in one of these options; None where one is missing."""
    encounter = await encounter_of(interaction, system)
    name = chosen(interaction, *options)
    if encounter is None or not name:
        return None
    try:
        return encounter, encounter.find_model(name)
    except InvalidInput:
        return None


def model_choices(encounter: Encounter, typed: str, models: Sequence[ModelRow]) -> Choices:
    """Models as suggestions; a name that two sides share is shown with its side and stands for its number."""
    sides: dict[str, set[int]] = {}
    for model in encounter.models():
        sides.setdefault(base_name(model.name), set()).add(model.side)
    values = {}
    for model in models:
        shared = len(sides.get(base_name(model.name), ())) > 1
        label = f"{model.name}, {encounter.side(model.side).name}" if shared else model.name
        values[label] = f"#{model.id}" if shared else model.name
    shown = suggestions(typed, values)
    return [app_commands.Choice(name=label[:100], value=values[label][:100]) for label in shown]


async def any_model(interaction: It, typed: str) -> Choices:
    """Models in play, of all sides."""
    encounter = await encounter_of(interaction)
    return model_choices(encounter, typed, encounter.models()) if encounter else []


async def own_model(interaction: It, typed: str) -> Choices:
    """Models in play, the asker's own first."""
    encounter = await encounter_of(interaction)
    if encounter is None:
        return []
    models = sorted(encounter.models(), key=lambda model: model.owner_id != interaction.user.id)
    return model_choices(encounter, typed, models)
