"""What slash commands share: lengths of options, and suggestions from what the channel holds."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.panels.answer import host_of, send
from bot.replies.reply import say
from bot.store.rows import ModelRow, ProfileRow
from bot.table.encounter import Encounter
from bot.table.game import GAMES, Equips, game_of
from bot.table.names import base_name, find, suggestions
from bot.table.rosters.statblocks import of_game, statblocks
from bot.table.session.models import condition_words, conditions_under
from bot.table.session.settings import known, setting_named, words
from rules.refusals import InvalidInput

It: TypeAlias = discord.Interaction[discord.Client]
Choices: TypeAlias = list[app_commands.Choice[str]]
Suggest: TypeAlias = Callable[[It, str], Coroutine[Any, Any, Choices]]

LONGEST_TYPED = 100


def choices(names: Iterable[str]) -> Choices:
    """Names as suggestions; those that are longer than one may be are left out."""
    return [app_commands.Choice(name=name, value=name) for name in names if 0 < len(name) <= LONGEST_TYPED]


def words_of(*words: str) -> Suggest:
    """Suggestions that are always the same; others may be typed."""

    async def suggest(interaction: It, typed: str) -> Choices:
        return choices(suggestions(typed, words))

    return suggest


def completed(typed: str, names: Iterable[str]) -> Choices:
    """Names with commas between them: what was typed, with the last one completed."""
    before, comma, last = typed.rpartition(",")
    head = f"{before}{comma} " if comma else ""
    return choices(head + name for name in suggestions(last, names))


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


async def gone_model(interaction: It, typed: str) -> Choices:
    """Models that were taken out of play."""
    encounter = await encounter_of(interaction)
    if encounter is None:
        return []
    gone = [model.name for model in encounter.models(gone=True) if model.status == "gone"]
    return choices(suggestions(typed, gone))


async def any_side(interaction: It, typed: str) -> Choices:
    """Sides of the encounter."""
    encounter = await encounter_of(interaction)
    return choices(suggestions(typed, [side.name for side in encounter.sides()])) if encounter else []


async def any_condition(interaction: It, typed: str) -> Choices:
    """Conditions of the encounter's game."""
    encounter = await encounter_of(interaction)
    if encounter is None:
        return []
    return choices(suggestions(typed, map(condition_words, game_of(encounter).conditions())))


async def present_condition(interaction: It, typed: str) -> Choices:
    """Conditions that the model that was chosen is under."""
    encounter = await encounter_of(interaction)
    if encounter is None:
        return []
    try:
        model = encounter.find_model(chosen(interaction, "model"))
    except InvalidInput:
        return []
    return choices(suggestions(typed, map(condition_words, conditions_under(encounter, model))))


async def any_setting(interaction: It, typed: str) -> Choices:
    """Settings of the encounter's game."""
    encounter = await encounter_of(interaction)
    return choices(suggestions(typed, [words(one[0]) for one in known(encounter)])) if encounter else []


async def setting_value(interaction: It, typed: str) -> Choices:
    """Values of the setting that was chosen."""
    encounter = await encounter_of(interaction)
    setting = chosen(interaction, "setting")
    if encounter is None or not setting:
        return []
    try:
        values = setting_named(encounter, setting)[1]
    except InvalidInput:
        return []
    return choices(suggestions(typed, [words(value) for value in values]))


async def own_statblocks(interaction: It, system: str) -> list[ProfileRow]:
    """The server's own statblocks of a game."""
    store = host_of(interaction).desk.store
    scope = await store.library_scope(interaction.guild_id or 0)
    loaded = await store.load(scope) if scope else None
    return of_game(loaded.book().all(ProfileRow), system) if loaded else []


async def recruitable(interaction: It, system: str) -> list[str]:
    """Everybody whom crews of a game can take, the server's own last."""
    rows = await own_statblocks(interaction, system)
    return [block.name for block in statblocks(GAMES[system], rows)]


async def any_recruit(interaction: It, typed: str) -> Choices:
    """Statblocks of the encounter's game."""
    encounter = await encounter_of(interaction)
    if encounter is None:
        return []
    return choices(suggestions(typed, await recruitable(interaction, encounter.row.system)))


async def any_equipment(interaction: It, typed: str) -> Choices:
    """What models of the encounter's game can be given; the last of several names is completed."""
    encounter = await encounter_of(interaction)
    if encounter is None:
        return []
    played = game_of(encounter)
    if not isinstance(played, Equips):
        return []
    return completed(typed, played.equipment())


async def own_crew(interaction: It, typed: str) -> Choices:
    """Crews of the server, the asker's own only."""
    crews = await host_of(interaction).desk.store.crews(interaction.guild_id or 0)
    mine = [name for _, name, _, owner in crews if owner == interaction.user.id]
    return choices(suggestions(typed, mine))


async def any_crew(interaction: It, typed: str) -> Choices:
    """All crews of the server."""
    crews = await host_of(interaction).desk.store.crews(interaction.guild_id or 0)
    return choices(suggestions(typed, [name for _, name, _, _ in crews]))


async def crew_named(interaction: It, typed: str) -> int | None:
    """The scope of the crew that is meant; None after a refusal was sent."""
    crews = await host_of(interaction).desk.store.crews(interaction.guild_id or 0)
    try:
        return find(typed, crews, lambda crew: crew[1], "crew")[0]
    except InvalidInput as refusal:
        await send(interaction, say(refusal.sentence, private=True))
        return None


def system_choices() -> Choices:
    """The games, as choices of an option."""
    return [app_commands.Choice(name=game.name, value=game.key) for game in GAMES.values()]
