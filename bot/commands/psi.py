"""/psi: psionic powers of Counterblast."""

from __future__ import annotations

from typing import Any, Literal

from discord import app_commands

from bot.commands.counterblast_combat import next_name
from bot.commands.counterblast_options import ODDS, ORDER, SYSTEM, Inches, chosen_fighter, names_in
from bot.commands.options import Choices, It, any_model, choices, encounter_of, own_model
from bot.games.counterblast.melee.minder_play import Grapple, TakeMind
from bot.games.counterblast.psionics.psi_play import UsePower
from bot.games.counterblast.psionics.psi_powers import ChoosePowers
from bot.games.counterblast.psionics.psi_words import power_names, power_title
from bot.games.counterblast.psionics.thrown_again import TakeFocus
from bot.panels.answer import answer
from bot.table.names import suggestions
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.psionics.psionics import knows


async def _known(interaction: It, typed: str) -> Choices:
    """Powers of the psionic that was chosen first; all of them where it has none yet."""
    if await encounter_of(interaction, SYSTEM) is None:
        return []
    model = await chosen_fighter(interaction, "psionic")
    keys = load().power_keys()
    known = tuple(key for key in keys if model is not None and knows(model, key))
    return choices(suggestions(typed, power_names(known)))


async def _any_power(interaction: It, typed: str) -> Choices:
    """All powers; the last of several names is completed."""
    before, comma, last = typed.rpartition(",")
    head = f"{before}{comma} " if comma else ""
    names = [power_title(key) for key in load().power_keys()]
    return choices(head + name for name in suggestions(last, names))


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="psi", description="Counterblast: psionic powers", guild_only=True)
    _add_use(group)
    _add_more(group)
    tree.add_command(group)


def _add_use(group: app_commands.Group) -> None:
    @group.command(name="use", description="Use a psionic power")
    @app_commands.describe(
        psionic="Who uses it",
        power="Which power",
        target="On whom, with the dice for each: Sally 2, Skip 1",
        distance="Inches: one for all, or one for each",
        unseen="The target is out of sight",
        helpers="Who helps, with inches to the source: Smap 3",
        order=ORDER,
        odds=ODDS,
        skill="Identify: which check",
        number="Identify: that check's target number",
        size="Telekinesis: size of an object",
    )
    @app_commands.autocomplete(psionic=own_model, power=_known, target=next_name, helpers=next_name)
    async def use(
        interaction: It,
        psionic: str,
        power: str,
        target: str = "",
        distance: str = "",
        unseen: bool = False,
        helpers: str = "",
        order: bool = False,
        odds: bool = False,
        skill: Literal["technology", "engineering", "medicine"] = "technology",
        number: app_commands.Range[int, 2, 15] = 7,
        size: Literal["S", "M", "L"] = "S",
    ) -> None:
        given = "" if skill == "technology" else skill
        small = "" if size == "S" else size
        need = 0 if number == 7 else number
        action = UsePower(
            psionic, power, target, distance, unseen, helpers, order, given, need, small, odds
        )  # fmt: skip
        await answer(interaction, action)


def _add_more(group: app_commands.Group) -> None:
    @group.command(name="know", description="Choose a model's powers for the game; without any: show them")
    @app_commands.describe(psionic="Whose powers", powers="Which, with commas between")
    @app_commands.autocomplete(psionic=own_model, powers=_any_power)
    async def know(interaction: It, psionic: str, powers: str = "") -> None:
        await answer(interaction, ChoosePowers(psionic, names_in(powers)))

    @group.command(name="focus", description="Fahz Jiin: failed psionic dice again, in one activation")
    @app_commands.describe(psionic="Who takes it")
    @app_commands.autocomplete(psionic=own_model)
    async def focus(interaction: It, psionic: str) -> None:
        await answer(interaction, TakeFocus(psionic))

    @group.command(name="grapple", description="A Minder attaches itself to a living model")
    @app_commands.describe(
        minder="The Minder", target="Whom", charging="Inches to the target, when it charges", odds=ODDS
    )
    @app_commands.autocomplete(minder=own_model, target=any_model)
    async def grapple(
        interaction: It, minder: str, target: str, charging: Inches = 0.0, odds: bool = False
    ) -> None:
        await answer(interaction, Grapple(minder, target, charging, odds=odds))

    @group.command(name="control", description="A Minder takes the mind that it holds")
    @app_commands.describe(minder="The Minder", target="Whom it holds", order=ORDER, odds=ODDS)
    @app_commands.autocomplete(minder=own_model, target=any_model)
    async def control(
        interaction: It, minder: str, target: str, order: bool = False, odds: bool = False
    ) -> None:
        await answer(interaction, TakeMind(minder, target, order, odds))
