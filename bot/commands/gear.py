"""/gear: items and Features of Counterblast that are used by themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

from discord import app_commands

from bot.commands.counterblast_combat import next_name
from bot.commands.counterblast_options import (
    ODDS,
    ORDER,
    Inches,
    any_task,
    chosen_fighter,
    names_in,
    structure_kind,
)
from bot.commands.options import Choices, It, any_model, choices, encounter_of, own_model
from bot.games.counterblast.gear.breach_play import Detonate, PlaceCharge
from bot.games.counterblast.gear.carried import bomb_kits, things, usable
from bot.games.counterblast.gear.gear_play import (
    ArmBomb,
    Drain,
    HandOver,
    UseItem,
)
from bot.games.counterblast.gear.gear_sheet import ShowGear
from bot.games.counterblast.gear.relic_play import UseRelicNow
from bot.games.counterblast.gear.task_play import Work
from bot.games.counterblast.melee.strike_play import Explode
from bot.games.counterblast.turn.pair_play import ActTogether, Leash, PairUp
from bot.panels.answer import answer, send
from bot.replies.reply import say
from bot.table.names import suggestions
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.gear.extraction import drainable

Target = app_commands.Range[int, 2, 15]
Security = app_commands.Range[int, -5, 0]


async def _carried(
    interaction: It, typed: str, option: str, names: Callable[[Fighter], Iterable[str]]
) -> Choices:
    """Names of things of the model that was chosen in an earlier option."""
    shown = await chosen_fighter(interaction, option)
    if shown is None:
        return []
    return choices(suggestions(typed, names(shown)))


async def _usable(interaction: It, typed: str) -> Choices:
    """What the model can use."""
    return await _carried(interaction, typed, "model", lambda one: [name for _, name in usable(one)])


async def _giveable(interaction: It, typed: str) -> Choices:
    """What the giver carries."""
    return await _carried(interaction, typed, "giver", lambda one: [item.name for item in things(one)])


async def _drainable(interaction: It, typed: str) -> Choices:
    """What of the target's can be drained."""
    return await _carried(interaction, typed, "target", lambda one: [item.name for item in drainable(one)])


async def _kits(interaction: It, typed: str) -> Choices:
    """Bomb Kits that the model carries."""
    return await _carried(interaction, typed, "model", lambda one: [kit.name for kit in bomb_kits(one)])


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="gear", description="Counterblast: items and pairs", guild_only=True)
    _add_items(group)
    _add_bangs(group)
    _add_explosion(group)
    _add_pairs(group)
    tree.add_command(group)


def _add_items(group: app_commands.Group) -> None:
    @group.command(name="use", description="Use an item: gel, boost, smoke, extinguisher, ink")
    @app_commands.describe(
        model="Who",
        item="What",
        target="On whom, or which fire",
        attack="Boost an attack",
        partly="Partly sprayed",
        odds=ODDS,
    )
    @app_commands.autocomplete(model=own_model, item=_usable, target=any_model)
    async def use(
        interaction: It,
        model: str,
        item: str,
        target: str = "",
        attack: bool = False,
        partly: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, UseItem(model, item, target, attack, partly, odds))

    @group.command(name="show", description="What a model carries, and how each thing is used")
    @app_commands.describe(model="Who")
    @app_commands.autocomplete(model=own_model)
    async def show(interaction: It, model: str) -> None:
        await answer(interaction, ShowGear(model))

    @group.command(name="relic", description="Use an Ancient Text, or Lost Tech before a check")
    @app_commands.describe(model="Who", relic="Which")
    @app_commands.autocomplete(model=own_model)
    async def relic(
        interaction: It, model: str, relic: Literal["Ancient Text or Data", "Lost Tech"] | None = None
    ) -> None:
        await answer(interaction, UseRelicNow(model, relic or ""))

    @group.command(name="unlock", description="Open a locked door with Technology")
    @app_commands.describe(
        model="Who",
        door="Its name; a new one begins it",
        target="Of a new lock, 7",
        security="Penalty of a high-security lock",
        mechanical="Purely mechanical: no lockpick",
        team="Helpers, with commas",
        order=ORDER,
        odds=ODDS,
    )
    @app_commands.autocomplete(model=own_model, door=any_task, team=next_name)
    async def unlock(
        interaction: It,
        model: str,
        door: str = "Door",
        target: Target | None = None,
        security: Security = 0,
        mechanical: bool = False,
        team: str = "",
        order: bool = False,
        odds: bool = False,
    ) -> None:
        purpose = "" if mechanical else "lock"
        helpers = names_in(team)
        work = Work(
            model, "technology", order, helpers, False, 0, odds, door, target or 0, 0, purpose, security
        )
        await answer(interaction, work)

    @group.command(name="give", description="Hand an item to a friend in contact")
    @app_commands.describe(giver="Who gives", item="What", to="To whom")
    @app_commands.autocomplete(giver=own_model, item=_giveable, to=own_model)
    async def give(interaction: It, giver: str, item: str, to: str) -> None:
        await answer(interaction, HandOver(giver, item, to))

    @group.command(name="drain", description="Switch an item off with an Extraction Tool")
    @app_commands.describe(
        user="Who", target="Whose", item="Which item", distance="Inches apart", order=ORDER, odds=ODDS
    )
    @app_commands.autocomplete(user=own_model, target=any_model, item=_drainable)
    async def drain(
        interaction: It,
        user: str,
        target: str,
        item: str,
        distance: Inches = 0.0,
        order: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, Drain(user, target, item, distance, order, odds))


def _add_bangs(group: app_commands.Group) -> None:
    @group.command(name="bomb", description="Arm a Bomb Kit; off: it goes off")
    @app_commands.describe(model="Who", bomb="Which kit", off="It goes off now", order=ORDER, odds=ODDS)
    @app_commands.autocomplete(model=own_model, bomb=_kits)
    async def bomb(
        interaction: It, model: str, bomb: str, off: bool = False, order: bool = False, odds: bool = False
    ) -> None:
        await answer(interaction, ArmBomb(model, bomb, off, order, odds))

    @group.command(name="charge", description="Place a Breaching Charge on a structure in contact")
    @app_commands.describe(model="Who", heavy="A heavy one")
    @app_commands.autocomplete(model=own_model)
    async def charge(interaction: It, model: str, heavy: bool = False) -> None:
        await answer(interaction, PlaceCharge(model, heavy))

    @group.command(name="breach", description="Set off a Breaching Charge that your crew placed")
    @app_commands.describe(
        model="Who",
        structure="What is breached",
        near="Who is within 1 in, with commas",
        far="Who is beyond it, within 1 in",
        heavy="A heavy one",
        spot="Which one, if there are several",
        order=ORDER,
        odds=ODDS,
    )
    @app_commands.autocomplete(model=own_model, structure=structure_kind, near=next_name, far=next_name)
    async def breach(
        interaction: It,
        model: str,
        structure: str,
        near: str = "",
        far: str = "",
        heavy: bool = False,
        spot: str = "",
        order: bool = False,
        odds: bool = False,
    ) -> None:
        action = Detonate(model, structure, heavy, names_in(near), names_in(far), spot, order, odds)
        await answer(interaction, action)


def _add_explosion(group: app_commands.Group) -> None:
    @group.command(name="explode", description="A Combustible model explodes as its attack")
    @app_commands.describe(model="Who", near="Who is near, with commas; none: asked", odds=ODDS)
    @app_commands.autocomplete(model=own_model)
    async def explode(interaction: It, model: str, near: str = "", odds: bool = False) -> None:
        encounter = await encounter_of(interaction)
        try:
            if encounter is None:
                raise InvalidInput("There is no encounter here.")
            number = encounter.find_model(model).id
            struck = tuple(encounter.find_model(name).id for name in names_in(near))
        except InvalidInput as refusal:
            await send(interaction, say(refusal.sentence, private=True))
            return
        await answer(interaction, Explode(number, near=struck, attack=True, odds=odds))


def _add_pairs(group: app_commands.Group) -> None:
    @group.command(name="pair", description="A Bonded pair, or a Watchdog and its owner")
    @app_commands.describe(first="One", second="The other")
    @app_commands.autocomplete(first=own_model, second=own_model)
    async def pair(interaction: It, first: str, second: str) -> None:
        await answer(interaction, PairUp(first, second))

    @group.command(name="together", description="It acts while its partner does, without a token")
    @app_commands.describe(model="Who")
    @app_commands.autocomplete(model=own_model)
    async def together(interaction: It, model: str) -> None:
        await answer(interaction, ActTogether(model))

    @group.command(name="leash", description="How far a Watchdog is from its owner")
    @app_commands.describe(dog="The Watchdog", owner="Its owner", distance="Inches")
    @app_commands.autocomplete(dog=own_model, owner=own_model)
    async def leashed(interaction: It, dog: str, owner: str, distance: Inches) -> None:
        await answer(interaction, Leash(dog, owner, distance))
