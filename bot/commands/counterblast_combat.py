"""/cb: fighting, charging, leaving a melee, hiding, Overwatch, shooting together."""

from __future__ import annotations

from typing import Literal

from discord import app_commands

from bot.commands.counterblast_options import (
    ODDS,
    ORDER,
    SYSTEM,
    Cover,
    Inches,
    any_cloud,
    carried_weapon,
    chosen_fighter,
    ground_in,
)
from bot.commands.options import LONGEST_TYPED, Choices, It, any_model, choices, encounter_of, own_model
from bot.games.counterblast.melee.charges import Charge
from bot.games.counterblast.melee.contact import Engage
from bot.games.counterblast.melee.disengage_play import Disengage
from bot.games.counterblast.melee.fight_play import Fight
from bot.games.counterblast.melee.melees import Melee
from bot.games.counterblast.movement.hide_play import NO_SCANNER, BreakFree, Hide, Spot
from bot.games.counterblast.shooting.overwatch_play import Overwatch
from bot.games.counterblast.shooting.team_play import TeamShot
from bot.games.counterblast.shooting.watching import Interrupt
from bot.panels.answer import answer
from bot.panels.typed import as_typed
from bot.table.names import suggestions


async def target_weapon(interaction: It, typed: str) -> Choices:
    """Weapons of the model that is attacked."""
    model = await chosen_fighter(interaction, "target")
    weapons = model.weapons if model else ()
    return choices(suggestions(typed, [weapon.name for weapon in weapons if weapon.melee]))


async def next_name(interaction: It, typed: str) -> Choices:
    """Names of models for the end of a list: Sally>Smap, Angus>..."""
    encounter = await encounter_of(interaction, SYSTEM)
    if encounter is None:
        return []
    cut = max(typed.rfind(","), typed.rfind(">")) + 1
    kept, last = typed[:cut], typed[cut:].strip()
    blank = " " if kept.endswith(",") else ""
    found = suggestions(last, [model.name for model in encounter.models()])
    return choices([kept + blank + name for name in found if len(kept) + len(name) < LONGEST_TYPED])


def add_to(group: app_commands.Group) -> None:
    """Put the commands into the group /cb."""
    _add_fight(group)
    _add_melee(group)
    _add_charge(group)
    _add_contact(group)
    _add_waiting(group)
    _add_team(group)


def _add_fight(group: app_commands.Group) -> None:
    @group.command(name="fight", description="Attack one model in melee")
    @app_commands.describe(
        attacker="Who attacks",
        target="Whom",
        weapon="With what; none: its best for melee",
        defence="The target's weapon",
        distance="Inches between the bases, for Reach",
        how="Fight, or Slash and Dash in passing",
        order=ORDER,
        ask="Let the defender answer first",
        odds=ODDS,
    )
    @app_commands.autocomplete(
        attacker=own_model, target=any_model, weapon=carried_weapon, defence=target_weapon
    )
    async def fight(
        interaction: It,
        attacker: str,
        target: str,
        weapon: str = "",
        defence: str = "",
        distance: Inches = 0.0,
        how: Literal["fight", "slash and dash"] = "fight",
        order: bool = False,
        ask: bool = False,
        odds: bool = False,
    ) -> None:
        action = Fight(attacker, target, weapon, defence, distance, how, order, ask, odds=odds)
        await answer(interaction, action)


def _add_melee(group: app_commands.Group) -> None:
    @group.command(
        name="melee",
        description="Several attack: Sally>Smap 2, Sally>Wanda 1, Angus>Smap",
        extras=as_typed("blows"),
    )
    @app_commands.describe(
        blows="Attacker>target dice: Sally>Smap 2, Angus>Smap; or the answer: 2 1",
        order="Attackers who spend an order token",
        odds=ODDS,
    )
    @app_commands.autocomplete(blows=next_name, order=next_name)
    async def melee(interaction: It, blows: str, order: str = "", odds: bool = False) -> None:
        await answer(interaction, Melee(text=blows, order=order, odds=odds))


def _add_charge(group: app_commands.Group) -> None:
    @group.command(name="charge", description="Charge a model: move into contact and attack")
    @app_commands.describe(
        charger="Who charges",
        target="Whom",
        distance="Inches to the target",
        weapon="With what; none: its best for melee",
        terrain="Inches that barriers cost",
        rugged="Rugged ground, by rating or place: 2 1, slick",
        burrow="Underground",
        impassable="The way crosses Impassable ground",
        gap="Inches left between the bases, with Reach",
        helpers="Who steps in within 1 in, or nobody; none: ask",
        also="Who charges too: Skip at 5, HOpR at 7",
        order=ORDER,
        odds=ODDS,
    )
    @app_commands.autocomplete(
        charger=own_model, target=any_model, weapon=carried_weapon, helpers=next_name, also=next_name
    )
    async def charge(
        interaction: It,
        charger: str,
        target: str,
        distance: Inches,
        weapon: str = "",
        terrain: Inches = 0.0,
        gap: Inches = 0.0,
        helpers: str = "",
        rugged: str = "",
        burrow: bool = False,
        impassable: bool = False,
        also: str = "",
        order: bool = False,
        odds: bool = False,
    ) -> None:
        ratings, ground = ground_in(rugged)
        way = (ratings, burrow, ground, impassable)
        action = Charge(charger, target, distance, weapon, terrain, gap, order, helpers, odds, *way, also)
        await answer(interaction, action)


def _add_contact(group: app_commands.Group) -> None:
    @group.command(name="engage", description="Two models touch, or are apart again")
    @app_commands.describe(first="One", second="The other", apart="They touch no more")
    @app_commands.autocomplete(first=any_model, second=any_model)
    async def engage(interaction: It, first: str, second: str, apart: bool = False) -> None:
        await answer(interaction, Engage(first, second, apart))

    @group.command(name="disengage", description="Leave a melee")
    @app_commands.describe(
        model="Who leaves",
        order=ORDER,
        odds=ODDS,
        ask="Let its enemies answer first, with an order or not",
    )
    @app_commands.autocomplete(model=own_model)
    async def disengage(
        interaction: It, model: str, order: bool = False, odds: bool = False, ask: bool = False
    ) -> None:
        await answer(interaction, Disengage(model, order, odds, ask))

    @group.command(name="free", description="A pinned model tries to get loose")
    @app_commands.describe(model="Who", grappler="Who holds it, if somebody does", order=ORDER, odds=ODDS)
    @app_commands.autocomplete(model=own_model, grappler=any_model)
    async def free(
        interaction: It, model: str, grappler: str = "", order: bool = False, odds: bool = False
    ) -> None:
        await answer(interaction, BreakFree(model, grappler, order, odds))


def _add_waiting(group: app_commands.Group) -> None:
    @group.command(name="overwatch", description="Go on Overwatch; without a model: fire from it")
    @app_commands.describe(model="Who waits; none: show who may fire now")
    @app_commands.autocomplete(model=own_model)
    async def overwatch(interaction: It, model: str = "") -> None:
        await answer(interaction, Overwatch(model) if model else Interrupt())

    @group.command(name="hide", description="Hide behind terrain, out of every enemy's sight")
    @app_commands.describe(model="Who hides", cover="Its cover there, 0 to 3: kept until it moves")
    @app_commands.autocomplete(model=own_model)
    async def hide(interaction: It, model: str, cover: Cover = 0) -> None:
        await answer(interaction, Hide(model, cover))

    @group.command(name="spot", description="Look for a hidden model")
    @app_commands.describe(
        spotter="Who looks", target="For whom", scanner="Inches to it, with a Scanner", order=ORDER, odds=ODDS
    )
    @app_commands.autocomplete(spotter=own_model, target=any_model)
    async def spot(
        interaction: It,
        spotter: str,
        target: str,
        scanner: Inches | None = None,
        order: bool = False,
        odds: bool = False,
    ) -> None:
        inches = NO_SCANNER if scanner is None else scanner
        await answer(interaction, Spot(spotter, target, inches, order, odds))


def _add_team(group: app_commands.Group) -> None:
    @group.command(name="team", description="Several of a group shoot together at one target")
    @app_commands.describe(
        shooters="Who, with commas between",
        target="At whom",
        distance="Inches: one for all, or one for each; none: as before",
        cover="Cover, 0 to 3: one for all, or one for each: 0 2 1",
        friend="Whom misses hit, in a melee",
        weapon="What those shoot with who carry it",
        how="Aim, Run and Gun, from Overwatch",
        order="Spend an order token for +1, for all",
        cloud="A cloud in the way, and how it lies",
        odds=ODDS,
    )
    @app_commands.autocomplete(shooters=next_name, target=any_model, friend=own_model, cloud=any_cloud)
    async def team(
        interaction: It,
        shooters: str,
        target: str,
        distance: str = "",
        cover: str = "",
        friend: str = "",
        weapon: str = "",
        how: Literal["shoot", "aim", "run and gun", "overwatch"] = "shoot",
        order: bool = False,
        odds: bool = False,
        cloud: str = "",
    ) -> None:
        action = TeamShot(
            shooters, target, distance, cover, friend, order, weapon, odds, cloud=cloud, mode=how
        )
        await answer(interaction, action)
