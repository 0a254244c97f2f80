"""/psi: psionic powers of Counterblast."""

from __future__ import annotations

from typing import Any, Literal

from discord import app_commands

from bot.commands.counterblast_combat import next_name
from bot.commands.counterblast_options import ODDS, ORDER, SYSTEM, chosen_fighter
from bot.commands.options import Choices, It, choices, encounter_of, own_model
from bot.games.counterblast.psionics.psi_play import UsePower
from bot.games.counterblast.psionics.psi_words import power_names
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


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="psi", description="Counterblast: psionic powers", guild_only=True)
    _add_use(group)
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
