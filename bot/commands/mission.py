"""/mission: what each crew of Counterblast is really here for."""

from __future__ import annotations

from typing import Any, Literal

from discord import app_commands

from bot.commands.counterblast_options import ODDS, ORDER, any_mission, names_in
from bot.commands.options import Choices, It, any_model, any_side, choices, encounter_of, own_model
from bot.games.counterblast.mission_end import Control, FoundIt, ScoreMission, Subdue
from bot.games.counterblast.mission_play import ChooseSecretly, RevealMission, ShowMissions
from bot.games.counterblast.mission_state import places
from bot.games.counterblast.mission_work import LayPlaces, SearchPlace, SpringTrap, TakeToken, TrapPlace
from bot.games.counterblast.salvage_play import SearchSalvage
from bot.games.counterblast.tokens import tokens
from bot.panels.answer import answer
from bot.table.names import suggestions
from rules.systems.counterblast.library import load

Inches = app_commands.Range[float, 0, 200]

SIDE = "Your side, if you play several"


async def any_place(interaction: It, typed: str) -> Choices:
    """Places that were laid."""
    encounter = await encounter_of(interaction)
    return choices(suggestions(typed, [row.name for row in places(encounter)])) if encounter else []


async def any_token(interaction: It, typed: str) -> Choices:
    """Tokens on the table."""
    encounter = await encounter_of(interaction)
    return choices(suggestions(typed, [row.name for row in tokens(encounter)])) if encounter else []


async def sought(interaction: It, typed: str) -> Choices:
    """What a Recovery may look for."""
    library = load()
    names = [one.name for one in (*library.profiles, *library.weapons, *library.gear)]
    return choices(suggestions(typed, names))


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="mission", description="Counterblast: crew missions", guild_only=True)
    _add_choice(group)
    _add_work(group)
    _add_trap(group)
    _add_score(group)
    tree.add_command(group)


def _add_choice(group: app_commands.Group) -> None:
    @group.command(name="choose", description="Choose your mission in secret")
    @app_commands.describe(
        mission="Which",
        target="Abduction: an enemy; Escort: one of yours",
        seeks="Recovery: what you look for",
        place="Where, in words",
        declared="Tell everybody now",
        side=SIDE,
    )
    @app_commands.autocomplete(mission=any_mission, target=any_model, seeks=sought, side=any_side)
    async def choose(
        interaction: It,
        mission: str,
        target: str = "",
        seeks: str = "",
        place: str = "",
        declared: bool = False,
        side: str = "",
    ) -> None:
        await answer(interaction, ChooseSecretly(mission, side, target, seeks, place, declared))

    @group.command(name="show", description="Show the missions as far as you know them, to you alone")
    async def show(interaction: It) -> None:
        await answer(interaction, ShowMissions())

    @group.command(name="reveal", description="Show your mission to everybody")
    @app_commands.describe(side=SIDE)
    @app_commands.autocomplete(side=any_side)
    async def reveal(interaction: It, side: str = "") -> None:
        await answer(interaction, RevealMission(side))


def _add_work(group: app_commands.Group) -> None:
    @group.command(name="places", description="Lay the places of your mission")
    @app_commands.describe(
        spots="x y zone; x y zone; in inches, zone to the deployment area that counts", side=SIDE
    )
    @app_commands.autocomplete(side=any_side)
    async def lay(interaction: It, spots: str, side: str = "") -> None:
        await answer(interaction, LayPlaces(spots, side))

    @group.command(name="search", description="Search, scout or sabotage at a place")
    @app_commands.describe(
        model="Who", place="Where", inches="To it", helpers="Who helps, with commas", order=ORDER, odds=ODDS
    )
    @app_commands.autocomplete(model=own_model, place=any_place)
    async def search(
        interaction: It,
        model: str,
        place: str,
        inches: Inches = 0.0,
        helpers: str = "",
        order: bool = False,
        odds: bool = False,
    ) -> None:
        action = SearchPlace(
            worker=model, place=place, inches=inches, helpers=names_in(helpers), order=order, odds=odds
        )
        await answer(interaction, action)

    @group.command(name="token", description="Lay, take or drop a token")
    @app_commands.describe(token="Its name", model="Who takes it", drop="Drop it")  # noqa: S106
    @app_commands.autocomplete(token=any_token, model=own_model)
    async def token_command(interaction: It, token: str, model: str = "", drop: bool = False) -> None:
        await answer(interaction, TakeToken(token, model, drop))

    @group.command(name="salvage", description="Search for Salvage")
    @app_commands.describe(model="Who", ground="Where", order=ORDER, odds=ODDS)
    @app_commands.autocomplete(model=own_model)
    async def salvage(
        interaction: It,
        model: str,
        ground: Literal["casualty", "man-made", "natural"] = "natural",
        order: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, SearchSalvage(model, ground, order, odds))


def _add_trap(group: app_commands.Group) -> None:
    @group.command(name="trap", description="Recovery: trap one of their places, in secret")
    @app_commands.describe(place="Which", side=SIDE)
    @app_commands.autocomplete(place=any_place, side=any_side)
    async def trap(interaction: It, place: str, side: str = "") -> None:
        await answer(interaction, TrapPlace(place, side))

    @group.command(name="spring", description="Spring your trap before anybody searches there")
    @app_commands.describe(place="Which", under="Who is under it, with commas", side=SIDE, odds=ODDS)
    @app_commands.autocomplete(place=any_place, under=any_model, side=any_side)
    async def spring(interaction: It, place: str, under: str, side: str = "", odds: bool = False) -> None:
        await answer(interaction, SpringTrap(place, names_in(under), side, odds))

    @group.command(name="subdue", description="Abduction: your target is down, carry it off")
    @app_commands.describe(holder="Who carries it", melee="It went down in melee")
    @app_commands.autocomplete(holder=own_model)
    async def subdue(interaction: It, holder: str, melee: bool = True) -> None:
        await answer(interaction, Subdue(holder, melee))

    @group.command(name="found", description="Recovery: who takes what was found")
    @app_commands.describe(finder="One of the searchers")
    @app_commands.autocomplete(finder=own_model)
    async def found(interaction: It, finder: str) -> None:
        await answer(interaction, FoundIt(finder))


def _add_score(group: app_commands.Group) -> None:
    @group.command(name="control", description="Invasion: count who is there after an Upkeep")
    @app_commands.describe(near="Everybody within 6 in, with commas", side=SIDE)
    @app_commands.autocomplete(near=any_model, side=any_side)
    async def control(interaction: It, near: str = "", side: str = "") -> None:
        await answer(interaction, Control(names_in(near), side))

    @group.command(name="score", description="Count your mission at the end of the game")
    @app_commands.describe(
        home="What it is about is in your deployment area",
        inches="Escort: inches to the marker",
        near="Invasion: who is within 6 in",
        plans="Abduction: the captive has Secret Plans",
        side=SIDE,
    )
    @app_commands.autocomplete(side=any_side)
    async def score(
        interaction: It,
        home: bool = False,
        inches: Inches | None = None,
        near: str = "",
        plans: bool = False,
        side: str = "",
    ) -> None:
        away = -1.0 if inches is None else inches
        await answer(interaction, ScoreMission(home, away, names_in(near), plans, side))
