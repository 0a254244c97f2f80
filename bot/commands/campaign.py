"""/campaign: crews that are kept from encounter to encounter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from discord import app_commands

from bot.actions import Action
from bot.commands.options import (
    Choices,
    It,
    choices,
    chosen,
    completed,
    crew_named,
    own_crew,
    recruitable,
    system_choices,
)
from bot.panels.answer import answer, host_of, send
from bot.replies.reply import say
from bot.store.campaign_rows import CampaignRow, EntrantRow, LedgerRow, VeteranRow
from bot.store.rows import Row
from bot.table.campaign.campaign_book import NO_CAMPAIGN
from bot.table.campaign.campaign_crews import Adjust, Bench, Buy, Dismiss, Equip, Lead, LeaveCampaign
from bot.table.campaign.campaign_end import AskEndCampaign
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_report import OpenReport
from bot.table.campaign.campaign_views import (
    ListCampaigns,
    ShowCampaign,
    ShowEntrant,
    ShowLedger,
    ShowStandings,
)
from bot.table.campaign.campaigns import CampaignSetting, CreateCampaign, JoinCampaign, Schedule
from bot.table.game import GAMES, Equips, Game
from bot.table.names import find, suggestions
from bot.table.session.settings import words
from rules.refusals import InvalidInput

T = TypeVar("T", bound=Row)

Points = app_commands.Range[int, 0, 1000]
Size = app_commands.Range[int, 0, 10000]
Rounds = app_commands.Range[int, 1, 30]
Turns = app_commands.Range[int, 1, 50]

CREW = "The crew, if not yours"
WHICH = "Which campaign, if several run"


async def campaign_scope(interaction: It, typed: str = "") -> int | None:
    """The scope of the campaign that is meant, the one that runs where none is named; None when refused."""
    known = await host_of(interaction).desk.store.campaigns(interaction.guild_id or 0)
    running = [one for one in known if one[2] != "ended"] or known
    try:
        if typed:
            return find(typed, known, lambda one: one[1], "campaign")[0]
        if len(running) == 1:
            return running[0][0]
        names = ", ".join(one[1] for one in running[-6:])
        sentence = f"Which campaign? {names}." if running else NO_CAMPAIGN
    except InvalidInput as refusal:
        sentence = refusal.sentence
    await send(interaction, say(sentence, private=True))
    return None


async def in_campaign(interaction: It, typed: str, make: Callable[[int], Action]) -> None:
    """Ask an action of the campaign that is meant."""
    scope = await campaign_scope(interaction, typed)
    if scope is not None:
        await answer(interaction, make(scope))


async def _rows(interaction: It, table: type[T]) -> list[T]:
    """Rows of a table of the campaign that is meant."""
    store = host_of(interaction).desk.store
    known = await store.campaigns(interaction.guild_id or 0)
    wanted = chosen(interaction, "campaign")
    meant = [one for one in known if one[1] == wanted] or [one for one in known if one[2] != "ended"]
    loaded = await store.load(meant[-1][0]) if meant else None
    return loaded.book().all(table) if loaded else []


async def entrant_names(interaction: It, typed: str) -> Choices:
    """Crews in the campaign."""
    return choices(suggestions(typed, [row.name for row in await _rows(interaction, EntrantRow)]))


async def own_veterans(interaction: It) -> list[VeteranRow]:
    """The fit members of the asker's own crew."""
    mine = {row.id for row in await _rows(interaction, EntrantRow) if row.owner_id == interaction.user.id}
    rows = [row for row in await _rows(interaction, VeteranRow) if row.entrant in mine]
    return [row for row in rows if row.status == "fit"]


async def veteran_names(interaction: It, typed: str) -> Choices:
    """Members of the asker's own crew."""
    return choices(suggestions(typed, [row.name for row in await own_veterans(interaction)]))


async def accounts(interaction: It, typed: str) -> Choices:
    """Balances that have ever changed."""
    names = dict.fromkeys(row.account for row in await _rows(interaction, LedgerRow))
    return choices(suggestions(typed, names))


async def any_campaign(interaction: It, typed: str) -> Choices:
    """Campaigns of the server."""
    known = await host_of(interaction).desk.store.campaigns(interaction.guild_id or 0)
    return choices(suggestions(typed, [one[1] for one in known]))


async def _games(interaction: It) -> list[Game]:
    """The game of the campaign that is meant; nothing where there is none."""
    return [GAMES[row.system] for row in await _rows(interaction, CampaignRow)]


async def any_statblock(interaction: It, typed: str) -> Choices:
    """Whom crews can buy."""
    names = [name for game in await _games(interaction) for name in await recruitable(interaction, game.key)]
    return choices(suggestions(typed, names))


async def any_equipment(interaction: It, typed: str) -> Choices:
    """What members can be given; the last of several names is completed."""
    games = await _games(interaction)
    return completed(typed, [name for one in games if isinstance(one, Equips) for name in one.equipment()])


async def any_piece(interaction: It, typed: str) -> Choices:
    """One thing that members can be given."""
    games = await _games(interaction)
    names = [name for one in games if isinstance(one, Equips) for name in one.equipment()]
    return choices(suggestions(typed, names))


async def veterans_listed(interaction: It, typed: str) -> Choices:
    """Members of the asker's own crew; the last of several names is completed."""
    before, comma, last = typed.rpartition(",")
    head = f"{before}{comma} " if comma else ""
    return choices(head + one.value for one in await veteran_names(interaction, last.strip()))


async def campaign_setting(interaction: It, typed: str) -> Choices:
    """Settings of the campaign's game."""
    names = [words(one[0]) for game in await _games(interaction) for one in game.settings()]
    return choices(suggestions(typed, dict.fromkeys(names)))


async def campaign_value(interaction: It, typed: str) -> Choices:
    """Values of the setting that was chosen."""
    wanted = words(chosen(interaction, "setting")).casefold()
    every = [one for game in await _games(interaction) for one in game.settings()]
    values = next((values for key, values, _ in every if words(key) == wanted), ())
    return choices(suggestions(typed, [words(one) for one in values if ".." not in one]))


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="campaign", description="Games that belong together", guild_only=True)
    _add_agreed(group)
    _add_rounds(group)
    _add_reports(group)
    _add_crews(group)
    _add_shown(group)
    tree.add_command(group)


def _add_agreed(group: app_commands.Group) -> None:
    @group.command(name="create", description="Make a campaign")
    @app_commands.describe(
        name="Its name",
        system="Which game",
        matching="Who meets whom",
        encounters="How many each crew plays",
        start="Points of a crew that joins",
        limit="Points fielded in an encounter",
    )
    @app_commands.choices(system=system_choices())
    async def create(
        interaction: It,
        name: str,
        system: str = "counterblast",
        matching: Literal["swiss", "round robin"] = "swiss",
        encounters: Rounds = 3,
        start: Size = 0,
        limit: Size = 0,
    ) -> None:
        await answer(interaction, CreateCampaign(name, system, matching, encounters, start, limit))

    @group.command(name="join", description="Bring a crew: the campaign keeps a copy")
    @app_commands.describe(campaign=WHICH, crew="Your crew")
    @app_commands.autocomplete(crew=own_crew, campaign=any_campaign)
    async def join(interaction: It, crew: str, campaign: str = "") -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await in_campaign(interaction, campaign, lambda number: JoinCampaign(number, scope))

    @group.command(name="leave", description="Take a crew out")
    @app_commands.describe(campaign=WHICH, crew=CREW)
    @app_commands.autocomplete(crew=entrant_names, campaign=any_campaign)
    async def leave(interaction: It, crew: str = "", campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: LeaveCampaign(number, crew))

    @group.command(name="settings", description="Readings that all its games are played by")
    @app_commands.describe(campaign=WHICH, setting="Which one; none: all", value="What it is to be")
    @app_commands.autocomplete(setting=campaign_setting, value=campaign_value, campaign=any_campaign)
    async def settings(interaction: It, setting: str = "", value: str = "", campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: CampaignSetting(number, setting, value))

    @group.command(name="end", description="Show the standings, and ask whether to end it")
    @app_commands.describe(campaign=WHICH)
    @app_commands.autocomplete(campaign=any_campaign)
    async def end(interaction: It, campaign: str = "") -> None:
        await in_campaign(interaction, campaign, AskEndCampaign)


def _add_rounds(group: app_commands.Group) -> None:
    @group.command(name="schedule", description="Pair the next round")
    @app_commands.describe(campaign=WHICH)
    @app_commands.autocomplete(campaign=any_campaign)
    async def schedule(interaction: It, campaign: str = "") -> None:
        await in_campaign(interaction, campaign, Schedule)

    @group.command(name="play", description="Start the encounter of a fixture in this channel")
    @app_commands.describe(campaign=WHICH, fixture="A crew's name, if not yours", turns="How many turns")
    @app_commands.autocomplete(fixture=entrant_names, campaign=any_campaign)
    async def play(
        interaction: It, fixture: str = "", turns: Turns | None = None, campaign: str = ""
    ) -> None:
        await in_campaign(interaction, campaign, lambda number: PlayFixture(number, fixture, turns or 0))


def _add_reports(group: app_commands.Group) -> None:
    @group.command(name="after", description="The report after an encounter: casualties, points, the rest")
    @app_commands.describe(campaign=WHICH)
    @app_commands.autocomplete(campaign=any_campaign)
    async def after(interaction: It, campaign: str = "") -> None:
        await in_campaign(interaction, campaign, OpenReport)

    @group.command(name="record", description="Report a fixture by its points alone")
    @app_commands.describe(
        campaign=WHICH, crew="Whose fixture", mine="That crew's points", theirs="The opponent's points"
    )
    @app_commands.autocomplete(crew=entrant_names, campaign=any_campaign)
    async def record(interaction: It, crew: str, mine: Points, theirs: Points, campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: OpenReport(number, 0, crew, mine, theirs))

    @group.command(name="adjust", description="Organiser: change a balance by hand, with the reason")
    @app_commands.describe(
        campaign=WHICH,
        crew="Whose",
        account="Which balance",
        amount="More, or less below 0",
        reason="Everybody reads it",
        member="A member, if not the crew",
    )
    @app_commands.autocomplete(
        crew=entrant_names, account=accounts, member=veteran_names, campaign=any_campaign
    )
    async def adjust(
        interaction: It,
        crew: str,
        account: str,
        amount: int,
        reason: str,
        member: str = "",
        campaign: str = "",
    ) -> None:
        await in_campaign(
            interaction, campaign, lambda number: Adjust(number, crew, account, amount, reason, member)
        )


def _add_crews(group: app_commands.Group) -> None:
    @group.command(name="bench", description="Say who sits out; nobody named: everybody plays")
    @app_commands.describe(campaign=WHICH, members="Names, with commas", crew=CREW)
    @app_commands.autocomplete(members=veterans_listed, crew=entrant_names, campaign=any_campaign)
    async def bench(interaction: It, members: str = "", crew: str = "", campaign: str = "") -> None:
        names = tuple(part.strip() for part in members.split(",") if part.strip())
        await in_campaign(interaction, campaign, lambda number: Bench(number, crew, names))

    @group.command(name="leader", description="Say who leads your crew")
    @app_commands.describe(campaign=WHICH, member="Who", crew=CREW)
    @app_commands.autocomplete(member=veteran_names, crew=entrant_names, campaign=any_campaign)
    async def leader(interaction: It, member: str, crew: str = "", campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: Lead(number, crew, member))

    @group.command(name="buy", description="Spend requisition points on somebody new")
    @app_commands.describe(
        campaign=WHICH, who="Whom", name="What to call them", equipment="What they add", crew=CREW
    )
    @app_commands.autocomplete(
        who=any_statblock, equipment=any_equipment, crew=entrant_names, campaign=any_campaign
    )
    async def buy(
        interaction: It, who: str, name: str = "", equipment: str = "", crew: str = "", campaign: str = ""
    ) -> None:
        await in_campaign(interaction, campaign, lambda number: Buy(number, crew, who, name, equipment))

    @group.command(name="equip", description="Spend requisition points on equipment")
    @app_commands.describe(campaign=WHICH, member="For whom", equipment="What", crew=CREW)
    @app_commands.autocomplete(
        member=veteran_names, equipment=any_piece, crew=entrant_names, campaign=any_campaign
    )
    async def equip(interaction: It, member: str, equipment: str, crew: str = "", campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: Equip(number, crew, member, equipment))

    @group.command(name="dismiss", description="Let a member go for good")
    @app_commands.describe(campaign=WHICH, member="Who", crew=CREW)
    @app_commands.autocomplete(member=veteran_names, crew=entrant_names, campaign=any_campaign)
    async def dismiss(interaction: It, member: str, crew: str = "", campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: Dismiss(number, crew, member))


def _add_shown(group: app_commands.Group) -> None:
    @group.command(name="list", description="Show the campaigns of this server, to you alone")
    async def list_campaigns(interaction: It) -> None:
        await answer(interaction, ListCampaigns())

    @group.command(name="show", description="What was agreed and who meets whom, to you alone")
    @app_commands.describe(campaign=WHICH)
    @app_commands.autocomplete(campaign=any_campaign)
    async def show(interaction: It, campaign: str = "") -> None:
        await in_campaign(interaction, campaign, ShowCampaign)

    @group.command(name="crew", description="Show a crew as it stands, to you alone")
    @app_commands.describe(campaign=WHICH, crew=CREW)
    @app_commands.autocomplete(crew=entrant_names, campaign=any_campaign)
    async def crew(interaction: It, crew: str = "", campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: ShowEntrant(number, crew))

    @group.command(name="standings", description="Show the table")
    @app_commands.describe(campaign=WHICH, public="To everybody")
    @app_commands.autocomplete(campaign=any_campaign)
    async def standings(interaction: It, public: bool = False, campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: ShowStandings(number, public))

    @group.command(name="ledger", description="Show every change: before, after, who, why")
    @app_commands.describe(campaign=WHICH, crew="Whose", account="Which balance")
    @app_commands.autocomplete(crew=entrant_names, account=accounts, campaign=any_campaign)
    async def ledger(interaction: It, crew: str = "", account: str = "", campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: ShowLedger(number, crew, account))
