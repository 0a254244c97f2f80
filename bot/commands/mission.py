"""/mission: what each crew of Counterblast is really here for."""

from __future__ import annotations

from typing import Any, Literal

from discord import app_commands

from bot.commands.counterblast_options import ODDS, ORDER, SYSTEM, any_mission, names_in
from bot.commands.options import Choices, It, any_model, any_side, choices, chosen, encounter_of, own_model
from bot.games.counterblast.core.tokens import tokens
from bot.games.counterblast.gear.salvage_play import SearchSalvage
from bot.games.counterblast.missions.mission_events import BringCaptive, Control, FoundIt, Subdue
from bot.games.counterblast.missions.mission_play import ChooseSecretly, RevealMission, ShowMissions
from bot.games.counterblast.missions.mission_score import (
    MOST_POINTS,
    UNKNOWN,
    DetailPlans,
    ScoreMission,
    StopGame,
)
from bot.games.counterblast.missions.mission_state import AWAY, places, plannable
from bot.games.counterblast.missions.mission_traps import SpringTrap, TrapPlace
from bot.games.counterblast.missions.mission_work import LayPlaces, SearchPlace, TakeToken
from bot.panels.answer import answer
from bot.store.rows import ThingRow
from bot.table.names import suggestions
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.library import load

Inches = app_commands.Range[float, 0, 200]
Points = app_commands.Range[int, 0, MOST_POINTS]

SIDE = "Your side, if you play several"


async def any_place(interaction: It, typed: str) -> Choices:
    """Places that were laid."""
    encounter = await encounter_of(interaction, SYSTEM)
    return choices(suggestions(typed, [row.name for row in places(encounter)])) if encounter else []


async def searched_place(interaction: It, typed: str) -> Choices:
    """Places of the side of the model that was chosen."""
    encounter = await encounter_of(interaction, SYSTEM)
    if encounter is None:
        return []
    try:
        side = encounter.find_model(chosen(interaction, "model")).side
    except InvalidInput:
        side = 0
    return choices(suggestions(typed, [row.name for row in places(encounter, side)]))


async def any_token(interaction: It, typed: str) -> Choices:
    """Tokens on the table."""
    encounter = await encounter_of(interaction, SYSTEM)
    return choices(suggestions(typed, [row.name for row in tokens(encounter)])) if encounter else []


async def sought(interaction: It, typed: str) -> Choices:
    """What a Recovery may look for."""
    library = load()
    names = [one.name for one in (*library.profiles, *library.weapons, *library.gear)]
    return choices(suggestions(typed, dict.fromkeys([*await _captives(interaction), *names])))


async def _captives(interaction: It) -> list[str]:
    encounter = await encounter_of(interaction, SYSTEM)
    return [row.name for row in encounter.book.all(ThingRow) if row.kind == AWAY] if encounter else []


async def any_captive(interaction: It, typed: str) -> Choices:
    """Captives of the campaign."""
    return choices(suggestions(typed, await _captives(interaction)))


async def detailed(interaction: It, typed: str) -> Choices:
    """What Secret Plans may detail."""
    return choices(suggestions(typed, plannable()))


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

    @group.command(name="captive", description="Bring a captive along, to escort it")
    @app_commands.describe(model="Whom", side=SIDE)
    @app_commands.autocomplete(model=any_captive, side=any_side)
    async def captive(interaction: It, model: str, side: str = "") -> None:
        await answer(interaction, BringCaptive(model, side))

    @group.command(name="reveal", description="Show your mission to everybody")
    @app_commands.describe(side=SIDE)
    @app_commands.autocomplete(side=any_side)
    async def reveal(interaction: It, side: str = "") -> None:
        await answer(interaction, RevealMission(side))


def _add_work(group: app_commands.Group) -> None:
    @group.command(name="places", description="Lay the places of your mission")
    @app_commands.describe(
        spots="x y zone; x y zone; in inches; zone: to the deployment area that counts", side=SIDE
    )
    @app_commands.autocomplete(side=any_side)
    async def lay(interaction: It, spots: str, side: str = "") -> None:
        await answer(interaction, LayPlaces(spots, side))

    @group.command(name="search", description="Search, scout or sabotage at a place")
    @app_commands.describe(
        model="Who", place="Where", inches="To it", helpers="Who helps, with commas", order=ORDER, odds=ODDS
    )
    @app_commands.autocomplete(model=own_model, place=searched_place)
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
    @app_commands.describe(
        place="Which",
        under="Who is wholly under the template, with commas",
        partly="Who is partly under it",
        side=SIDE,
        odds=ODDS,
    )
    @app_commands.autocomplete(place=any_place, under=any_model, partly=any_model, side=any_side)
    async def spring(
        interaction: It, place: str, under: str = "", partly: str = "", side: str = "", odds: bool = False
    ) -> None:
        await answer(interaction, SpringTrap(place, names_in(under), side, odds, names_in(partly)))

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
    @app_commands.describe(near="Everybody within 6 in, with commas", nobody="Nobody is there", side=SIDE)
    @app_commands.autocomplete(near=any_model, side=any_side)
    async def control(interaction: It, near: str = "", nobody: bool = False, side: str = "") -> None:
        await answer(interaction, Control(names_in(near), side, nobody))

    @group.command(name="score", description="Count your mission when the game is over")
    @app_commands.describe(
        home="Is what it is about in your deployment area?",
        inches="Escort: inches to the marker",
        near="Invasion: who is within 6 in",
        nobody="Invasion: nobody is there",
        points="A mission of your own making: its points",
        side=SIDE,
    )
    @app_commands.autocomplete(near=any_model, side=any_side)
    async def score(
        interaction: It,
        home: Literal["yes", "no"] | None = None,
        inches: Inches | None = None,
        near: str = "",
        nobody: bool = False,
        points: Points | None = None,
        side: str = "",
    ) -> None:
        away = UNKNOWN if inches is None else inches
        made = -1 if points is None else points
        await answer(interaction, ScoreMission(home or "", away, names_in(near), side, nobody, made))

    @group.command(name="stop", description="Stop the game before its last turn is over, and count")
    async def stop(interaction: It) -> None:
        await answer(interaction, StopGame())

    @group.command(name="plans", description="Abduction: what the Secret Plans you took detail")
    @app_commands.describe(detail="A robot or piece of equipment", side=SIDE)
    @app_commands.autocomplete(detail=detailed, side=any_side)
    async def plans(interaction: It, detail: str, side: str = "") -> None:
        await answer(interaction, DetailPlans(detail, side))
