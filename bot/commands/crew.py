"""/crew: crews kept between encounters."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.commands import crew_more, crew_own
from bot.commands.options import (
    Choices,
    It,
    any_crew,
    choices,
    chosen,
    completed,
    crew_named,
    own_crew,
    recruitable,
    system_choices,
)
from bot.panels.answer import answer, host_of
from bot.store.rows import CrewRow, MemberRow
from bot.table.game import GAMES, Equips
from bot.table.names import suggestions
from bot.table.rosters.crews import (
    AppointLeader,
    CreateCrew,
    DisbandCrew,
    DismissMember,
    ListCrews,
    ListRecruits,
    RecruitMember,
    ShowCrew,
    may_read,
)

Count = app_commands.Range[int, 1, 10]


async def recruit_names(interaction: It, typed: str) -> Choices:
    """Statblocks for the crew that was chosen, of all games where none was."""
    crew = chosen(interaction, "crew")
    store = host_of(interaction).desk.store
    known = [row for row in await store.crews(interaction.guild_id or 0) if row[1] == crew]
    systems = [known[0][2]] if known else list(GAMES)
    names = [name for system in systems for name in await recruitable(interaction, system)]
    return choices(suggestions(typed, names))


async def recruit_equipment(interaction: It, typed: str) -> Choices:
    """What recruits of the crew that was chosen may add; the last of several names is completed."""
    crew = chosen(interaction, "crew")
    store = host_of(interaction).desk.store
    system = next((row[2] for row in await store.crews(interaction.guild_id or 0) if row[1] == crew), "")
    played = GAMES.get(system)
    return completed(typed, played.equipment()) if isinstance(played, Equips) else []


async def member_names(interaction: It, typed: str) -> Choices:
    """Members of the crew that was chosen, for those who may read its list."""
    crew = chosen(interaction, "crew")
    store = host_of(interaction).desk.store
    known = [row for row in await store.crews(interaction.guild_id or 0) if row[1] == crew]
    loaded = await store.load(known[0][0]) if known else None
    book = loaded.book() if loaded else None
    row = book.get(CrewRow) if book else None
    if book is None or row is None or not may_read(row, interaction.user.id):
        return []
    return choices(suggestions(typed, [member.name for member in book.all(MemberRow)]))


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="crew", description="Crews you keep between games", guild_only=True)
    systems = system_choices()

    @group.command(name="list", description="Show the crews of this server, to you alone")
    async def list_crews(interaction: It) -> None:
        await answer(interaction, ListCrews())

    @group.command(name="roster", description="Show whom a crew can take, with points")
    @app_commands.describe(system="Which game", find="Part of a name or kind")
    @app_commands.choices(system=systems)
    async def roster(interaction: It, find: str = "", system: str = "counterblast") -> None:
        await answer(interaction, ListRecruits(system, find))

    @group.command(name="create", description="Make a crew")
    @app_commands.describe(name="Its name", system="Which game")
    @app_commands.choices(system=systems)
    async def create(interaction: It, name: str, system: str = "counterblast") -> None:
        await answer(interaction, CreateCrew(name, system))

    @group.command(name="recruit", description="Take somebody into your crew")
    @app_commands.describe(
        crew="Your crew",
        who="Whom",
        count="How many",
        name="What to call them",
        equipment="What they add, with commas",
    )
    @app_commands.autocomplete(crew=own_crew, who=recruit_names, equipment=recruit_equipment)
    async def recruit(
        interaction: It, crew: str, who: str, count: Count = 1, name: str = "", equipment: str = ""
    ) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, RecruitMember(scope, who, count, name, equipment))

    @group.command(name="dismiss", description="Take a member out of your crew")
    @app_commands.describe(crew="Your crew", member="Who leaves")
    @app_commands.autocomplete(crew=own_crew, member=member_names)
    async def dismiss(interaction: It, crew: str, member: str) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, DismissMember(scope, member))

    @group.command(name="leader", description="Say who leads your crew")
    @app_commands.describe(crew="Your crew", member="Who leads")
    @app_commands.autocomplete(crew=own_crew, member=member_names)
    async def leader(interaction: It, crew: str, member: str) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, AppointLeader(scope, member))

    @group.command(name="show", description="Show a crew with its points, to you alone")
    @app_commands.describe(crew="The crew")
    @app_commands.autocomplete(crew=any_crew)
    async def show(interaction: It, crew: str) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, ShowCrew(scope))

    @group.command(name="disband", description="Put your crew away for good")
    @app_commands.describe(crew="Your crew")
    @app_commands.autocomplete(crew=own_crew)
    async def disband(interaction: It, crew: str) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, DisbandCrew(scope))

    crew_more.add_to(group)
    crew_own.add_to(group)
    tree.add_command(group)
