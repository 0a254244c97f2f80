"""/hero: Heroes and vehicles of Counterblast, built step by step."""

from __future__ import annotations

from typing import Any, Literal

from discord import app_commands

from bot.commands.crew import member_names
from bot.commands.options import Choices, It, choices, chosen, crew_named, own_crew
from bot.games.counterblast.building.hero_play import (
    DiscardHero,
    EditMember,
    FinishHero,
    NameThing,
    ShowDraft,
    StartHero,
    kept,
)
from bot.games.counterblast.building.hero_steps import STEPS, offered
from bot.panels.answer import answer, host_of
from bot.store.rows import CrewRow
from bot.table.names import suggestions
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.library import load


async def _types(interaction: It, typed: str) -> Choices:
    """Types of Heroes, and the vehicle."""
    return choices(suggestions(typed, [template.name for template in load().templates]))


async def _things(interaction: It, typed: str) -> Choices:
    """What the draft of the chosen crew may take now, or give back."""
    store = host_of(interaction).desk.store
    crews = await store.crews(interaction.guild_id or 0)
    scope = next((row[0] for row in crews if row[1] == chosen(interaction, "crew")), 0)
    loaded = await store.load(scope) if scope else None
    crew = loaded.book().get(CrewRow) if loaded else None
    if crew is None or crew.owner_id != interaction.user.id:
        return []
    try:
        _, draft, _ = kept(crew)
    except InvalidInput:
        return []
    back = bool(interaction.command and interaction.command.name == "remove")
    steps = [""] if back else list(STEPS)
    labels = [one.label for step in steps for one in offered(draft, step, back=back)]
    return choices(suggestions(typed, dict.fromkeys(labels)))


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(
        name="hero", description="Counterblast: build Heroes, vehicles", guild_only=True
    )
    _add_begun(group)
    _add_changed(group)
    _add_ended(group)
    tree.add_command(group)


def _add_begun(group: app_commands.Group) -> None:
    @group.command(name="new", description="Begin a Hero or a vehicle, with 10 Upgrade Points")
    @app_commands.describe(
        crew="Your crew", template="Which type", name="Its name", base="Its base", kind="Of a vehicle"
    )
    @app_commands.autocomplete(crew=own_crew, template=_types)
    @app_commands.rename(template="type")
    async def new(
        interaction: It,
        crew: str,
        template: str,
        name: str = "",
        base: Literal["S", "M", "L"] | None = None,
        kind: Literal["cavalry", "flyer", "mech", "tracked", "wheeled"] | None = None,
    ) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, StartHero(scope, template, name, base or "", kind or ""))

    @group.command(name="edit", description="Take a member up again: swap equipment, spend points")
    @app_commands.describe(crew="Your crew", member="Who")
    @app_commands.autocomplete(crew=own_crew, member=member_names)
    async def edit(interaction: It, crew: str, member: str) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, EditMember(scope, member))


def _add_changed(group: app_commands.Group) -> None:
    @group.command(name="show", description="Show who is being built, with what may come next")
    @app_commands.describe(crew="Your crew")
    @app_commands.autocomplete(crew=own_crew)
    async def show(interaction: It, crew: str) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, ShowDraft(scope))

    @group.command(name="add", description="Take an upgrade, Feature, weapon, piece of gear or power")
    @app_commands.describe(crew="Your crew", thing="What")
    @app_commands.autocomplete(crew=own_crew, thing=_things)
    async def add_thing(interaction: It, crew: str, thing: str) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, NameThing(scope, thing))

    @group.command(name="remove", description="Give something back")
    @app_commands.describe(crew="Your crew", thing="What")
    @app_commands.autocomplete(crew=own_crew, thing=_things)
    async def remove(interaction: It, crew: str, thing: str) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, NameThing(scope, thing, True))


def _add_ended(group: app_commands.Group) -> None:
    @group.command(name="finish", description="Make it a member of the crew")
    @app_commands.describe(crew="Your crew")
    @app_commands.autocomplete(crew=own_crew)
    async def finish(interaction: It, crew: str) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, FinishHero(scope))

    @group.command(name="discard", description="Build it no further")
    @app_commands.describe(crew="Your crew")
    @app_commands.autocomplete(crew=own_crew)
    async def discard(interaction: It, crew: str) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, DiscardHero(scope))
