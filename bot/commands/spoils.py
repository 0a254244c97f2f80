"""/spoils: what crews of Counterblast do between the encounters of a campaign."""

from __future__ import annotations

from typing import Any, Literal

from discord import app_commands

from bot.commands.campaign import (
    CREW,
    WHICH,
    any_campaign,
    any_statblock,
    entrant_names,
    in_campaign,
    own_veterans,
    veteran_names,
    veterans_listed,
)
from bot.commands.counterblast_options import names_in
from bot.commands.options import Choices, It, choices, chosen
from bot.games.counterblast.building.upgrade_words import upgrades as upgrades_sold
from bot.games.counterblast.campaign.build_play import BuildModel
from bot.games.counterblast.campaign.spoils_play import (
    Improve,
    Restart,
    RollRelic,
    TakeRecruit,
    TradeSalvage,
    TradeScouting,
    UseRelic,
)
from bot.games.counterblast.campaign.swap_play import BlessWeapon, DiscardItem
from bot.games.counterblast.core.fighters import read_block
from bot.table.names import suggestions
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.library import load

Tokens = app_commands.Range[int, 1, 99]
Times = app_commands.Range[int, 1, 10]
Level = app_commands.Range[int, 0, 3]


async def _carried(interaction: It, typed: str, *kinds: str) -> Choices:
    """What the member that was chosen carries."""
    wanted = chosen(interaction, "member")
    member = next((row for row in await own_veterans(interaction) if row.name == wanted), None)
    if member is None:
        return []
    try:
        block = read_block(member.profile)
    except InvalidInput:
        return []
    return choices(suggestions(typed, [item.name for kind in kinds for item in getattr(block, kind)]))


async def carried_weapons(interaction: It, typed: str) -> Choices:
    """Weapons of the member that was chosen."""
    return await _carried(interaction, typed, "weapons")


async def carried_items(interaction: It, typed: str) -> Choices:
    """Weapons and gear of the member that was chosen."""
    return await _carried(interaction, typed, "weapons", "gear")


async def upgrades(interaction: It, typed: str) -> Choices:
    """Dice, modifiers and Features."""
    return choices(suggestions(typed, upgrades_sold()))


async def scouting_goods(interaction: It, typed: str) -> Choices:
    """What scouting successes buy."""
    return choices(suggestions(typed, [row.name for row in load().charts["scouting_trade"].rows]))


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(
        name="spoils", description="Counterblast campaigns: salvage, relics, upgrades", guild_only=True
    )
    _add_salvage(group)
    _add_crew(group)
    tree.add_command(group)


def _add_salvage(group: app_commands.Group) -> None:
    @group.command(name="trade", description="Trade Salvage Tokens for requisition points")
    @app_commands.describe(campaign=WHICH, tokens="How many", crew=CREW)
    @app_commands.autocomplete(crew=entrant_names, campaign=any_campaign)
    async def trade(interaction: It, tokens: Tokens = 1, crew: str = "", campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: TradeSalvage(number, crew, tokens))

    @group.command(name="relic", description="Two Salvage Tokens: roll on the Relics Table")
    @app_commands.describe(campaign=WHICH, holder="Who carries it; else the leader", crew=CREW)
    @app_commands.autocomplete(holder=veteran_names, crew=entrant_names, campaign=any_campaign)
    async def relic(interaction: It, holder: str = "", crew: str = "", campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: RollRelic(number, crew, holder))

    @group.command(name="use", description="Sell a bauble, or set off a Timebomb")
    @app_commands.describe(campaign=WHICH, member="Who carries it", relic="Which relic", crew=CREW)
    @app_commands.autocomplete(member=veteran_names, crew=entrant_names, campaign=any_campaign)
    async def use(
        interaction: It,
        member: str,
        relic: Literal["Valuable Bauble", "Timebomb"],
        crew: str = "",
        campaign: str = "",
    ) -> None:
        await in_campaign(interaction, campaign, lambda number: UseRelic(number, crew, member, relic))

    @group.command(name="build", description="Build a model from Salvage")
    @app_commands.describe(
        campaign=WHICH,
        who="Whom",
        builders="One to three members, with commas",
        foreign="Of another faction, by Secret Plans",
        level="Its level, if not by its points",
        crew=CREW,
        odds="Only show the chance",
    )
    @app_commands.autocomplete(
        who=any_statblock, builders=veterans_listed, crew=entrant_names, campaign=any_campaign
    )
    async def build(
        interaction: It,
        who: str,
        builders: str,
        foreign: bool = False,
        level: Level = 0,
        crew: str = "",
        campaign: str = "",
        odds: bool = False,
    ) -> None:
        names = names_in(builders)
        await in_campaign(
            interaction, campaign, lambda number: BuildModel(number, crew, who, names, foreign, level, odds)
        )


def _add_crew(group: app_commands.Group) -> None:
    @group.command(name="improve", description="Spend upgrade points of a member")
    @app_commands.describe(campaign=WHICH, member="Who", what="A die, a modifier or a Feature", crew=CREW)
    @app_commands.autocomplete(member=veteran_names, what=upgrades, crew=entrant_names, campaign=any_campaign)
    async def improve(interaction: It, member: str, what: str, crew: str = "", campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: Improve(number, crew, member, what))

    @group.command(name="discard", description="A Hero gives up an item for its requisition points")
    @app_commands.describe(campaign=WHICH, member="Who", item="What", crew=CREW)
    @app_commands.autocomplete(
        member=veteran_names, item=carried_items, crew=entrant_names, campaign=any_campaign
    )
    async def discard(interaction: It, member: str, item: str, crew: str = "", campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: DiscardItem(number, crew, member, item))

    @group.command(name="weapon", description="Say which carried weapon a Relic Weapon is")
    @app_commands.describe(campaign=WHICH, member="Who", weapon="Which weapon", crew=CREW)
    @app_commands.autocomplete(
        member=veteran_names, weapon=carried_weapons, crew=entrant_names, campaign=any_campaign
    )
    async def weapon(interaction: It, member: str, weapon: str, crew: str = "", campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: BlessWeapon(number, crew, member, weapon))

    @group.command(name="scouting", description="Trade scouting successes for the next encounter")
    @app_commands.describe(campaign=WHICH, what="What for", times="How often", crew=CREW)
    @app_commands.autocomplete(what=scouting_goods, crew=entrant_names, campaign=any_campaign)
    async def scouting(
        interaction: It, what: str, times: Times = 1, crew: str = "", campaign: str = ""
    ) -> None:
        await in_campaign(interaction, campaign, lambda number: TradeScouting(number, crew, what, times))

    @group.command(name="recruit", description="Edofleini, Neiran: take somebody free after a win")
    @app_commands.describe(campaign=WHICH, who="Gladiator or Arnt; a Braindrone's statblock", crew=CREW)
    @app_commands.autocomplete(who=any_statblock, crew=entrant_names, campaign=any_campaign)
    async def recruit(interaction: It, who: str, crew: str = "", campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: TakeRecruit(number, crew, who))

    @group.command(name="restart", description="Disband the crew and start over")
    @app_commands.describe(campaign=WHICH, keep="Keep the Campaign Points", crew=CREW)
    @app_commands.autocomplete(crew=entrant_names, campaign=any_campaign)
    async def restart(interaction: It, keep: bool = True, crew: str = "", campaign: str = "") -> None:
        await in_campaign(interaction, campaign, lambda number: Restart(number, crew, keep))
