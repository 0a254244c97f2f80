"""/inf: Orders, attacks, reactions and whatever hides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from discord import app_commands

from bot.commands import infinity_calc, infinity_care, infinity_model
from bot.commands.infinity_options import (
    VISIBILITY,
    Inches,
    Level,
    Low,
    Mod,
    Paid,
    Path,
    Stands,
    any_marker,
    my_trooper,
    weapon_of,
)
from bot.commands.options import It, any_model
from bot.games.infinity.asking import KEEP, Resolve
from bot.games.infinity.attack_play import BEST, Assault, Dodge, Fight, Shoot
from bot.games.infinity.common import is_melee
from bot.games.infinity.move_play import SpendOrder
from bot.games.infinity.react_play import UNKNOWN, Aro
from bot.games.infinity.search_play import Discover, Sensor
from bot.panels.answer import answer

SHOT = weapon_of(lambda weapon: not weapon.close)
BLADE = weapon_of(is_melee)
ANY_WEAPON = weapon_of(lambda weapon: True)


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="inf", description="Infinity: Orders, attacks, AROs", guild_only=True)
    _add_shooting(group)
    _add_melee(group)
    _add_charge(group)
    _add_orders(group)
    _add_aro(group)
    _add_searches(group)
    infinity_care.add_to(group)
    infinity_calc.add_to(group)
    infinity_model.add_to(group)
    tree.add_command(group)


def _add_shooting(group: app_commands.Group) -> None:
    @group.command(
        name="shoot", description="Declare a BS Attack, with a program a Hacking Attack, or see its odds"
    )
    @app_commands.describe(
        shooter="Who shoots",
        target="At whom",
        weapon="With what",
        mode="How it fires",
        zero_visibility="Through Zero Visibility",
        visibility="Visibility on the line",
        distance="Inches",
        cover="Target in cover",
        own_cover="Shooter in cover",
        dice="At the first target",
        target2="Second target",
        distance2="Inches to it",
        cover2="It is in cover",
        unseen="Target has no line of fire",
        sight="Shooter has line of fire",
        more="Further targets: Brute 22 1, Leaper 18 1 cover",
        surprise="Use Surprise Shot if possible",
        mod="Other MODs",
        order="Whose Order",
        odds="Only show the chances",
    )
    @app_commands.autocomplete(shooter=my_trooper, target=any_model, target2=any_model, weapon=SHOT)  # type: ignore[arg-type]
    async def shoot(
        interaction: It,
        shooter: str,
        target: str,
        distance: Inches,
        cover: bool = False,
        own_cover: bool = False,
        weapon: str = "",
        mode: Literal["direct", "speculative", "triangulated"] = "direct",
        dice: app_commands.Range[int, 0, 10] = 0,
        target2: str = "",
        distance2: Inches = 0.0,
        cover2: bool = False,
        unseen: bool = False,
        surprise: bool = True,
        zero_visibility: bool = False,
        visibility: Low = "none",
        mod: Mod = 0,
        order: Paid = "auto",
        odds: bool = False,
        sight: bool = True,
        more: Path = "",
    ) -> None:
        action = Shoot(
            shooter,
            target,
            distance,
            cover,
            own_cover,
            weapon,
            mode,
            dice,
            target2,
            distance2,
            cover2,
            unseen,
            surprise,
            zero_visibility,
            VISIBILITY[visibility],
            mod,
            order,
            odds,
            sight,
            more,
        )
        await answer(interaction, action)


def _add_melee(group: app_commands.Group) -> None:
    @group.command(name="cc", description="Declare a CC Attack in base contact, or see its odds")
    @app_commands.describe(
        attacker="Who attacks",
        target="At whom",
        weapon="With what",
        berserk="With Berserk",
        mod="Further MOD",
        martial_arts="Level; none: the best",
        allies="More allies in contact; none: as known",
        surprise="Out of camouflage",
        order="Whose Order",
        odds="Only show the chances",
    )
    @app_commands.autocomplete(attacker=my_trooper, target=any_model, weapon=BLADE)  # type: ignore[arg-type]
    async def close_combat(
        interaction: It,
        attacker: str,
        target: str,
        weapon: str = "",
        martial_arts: Level | None = None,
        berserk: bool = False,
        allies: app_commands.Range[int, 0, 9] | None = None,
        surprise: bool = True,
        mod: Mod = 0,
        order: Paid = "auto",
        odds: bool = False,
    ) -> None:
        level = BEST if martial_arts is None else martial_arts
        others = BEST if allies is None else allies
        action = Fight(
            attacker, target, weapon, level, berserk, others, surprise, mod=mod, order=order, odds=odds
        )
        await answer(interaction, action)


def _add_charge(group: app_commands.Group) -> None:
    @group.command(name="assault", description="Charge and attack: an Entire Order")
    @app_commands.describe(
        attacker="Who attacks",
        target="At whom",
        weapon="With what",
        martial_arts="Level; none: the best",
        order="Which Order pays",
        distance="Inches, measured now",
        seen="Target in line of fire",
        odds="Only show the chances",
    )
    @app_commands.autocomplete(attacker=my_trooper, target=any_model, weapon=BLADE)  # type: ignore[arg-type]
    async def assault(
        interaction: It,
        attacker: str,
        target: str,
        distance: Inches,
        weapon: str = "",
        martial_arts: Level | None = None,
        seen: bool = True,
        order: Paid = "auto",
        odds: bool = False,
    ) -> None:
        level = BEST if martial_arts is None else martial_arts
        await answer(interaction, Assault(attacker, target, distance, weapon, level, seen, order, odds))


def _add_orders(group: app_commands.Group) -> None:
    @group.command(name="order", description="Spend an Order: its first Skill, or the second")
    @app_commands.describe(
        model="Who is activated",
        kind="Whose Order",
        skill="The Skill; none: move",
        path="A Jump: roof, ledge, ground",
        ground="What a move is on",
        terrain="Its type: Mountain ...",
    )
    @app_commands.autocomplete(model=my_trooper)
    async def order(
        interaction: It,
        model: str,
        skill: Literal[
            "move",
            "jump",
            "jump as entire order",
            "stand or go prone",
            "cautious movement",
            "reset",
            "other short skill",
            "other entire order",
        ] = "move",
        path: Path = "",
        kind: Paid = "auto",
        ground: Stands = "open",
        terrain: Path = "",
    ) -> None:
        await answer(interaction, SpendOrder(model, kind, skill, path, ground, terrain))

    @group.command(name="done", description="That is all: of your Order, or of your AROs to it")
    @app_commands.describe(keep="Asked for AROs: your others could not react yet")
    async def done(interaction: It, keep: bool = False) -> None:
        await answer(interaction, Resolve(rest=KEEP if keep else ""))

    @group.command(name="dodge", description="Dodge in your own turn")
    @app_commands.describe(model="Who", order="Which Order pays", odds="Against the AROs: show odds")
    @app_commands.autocomplete(model=my_trooper)
    async def dodge(interaction: It, model: str, order: Paid = "auto", odds: bool = False) -> None:
        await answer(interaction, Dodge(model, order, odds))


def _add_aro(group: app_commands.Group) -> None:
    @group.command(name="aro", description="Declare an ARO; it stays secret until the dice fall")
    @app_commands.describe(
        model="Who",
        does="What it does",
        weapon="With what",
        martial_arts="Level; none: the best",
        berserk="With Berserk",
        distance="Inches to the active trooper",
        cover="Your trooper in cover",
        enemy_cover="The active trooper in cover",
        unseen="No line of fire to it",
        ground="What it stands on",
        terrain="Its type: Mountain ...",
        alerted="An ally gave the alert",
    )
    @app_commands.autocomplete(model=my_trooper, weapon=ANY_WEAPON)  # type: ignore[arg-type]
    async def aro(
        interaction: It,
        model: str,
        does: Literal[
            "shoot", "fight", "hack", "dodge", "reset", "change facing", "engage", "wait", "nothing"
        ],
        distance: Inches | None = None,
        weapon: str = "",
        cover: bool = False,
        enemy_cover: bool = False,
        unseen: bool = False,
        martial_arts: Level | None = None,
        berserk: bool = False,
        ground: Stands = "open",
        terrain: Path = "",
        alerted: bool = False,
    ) -> None:
        inches = UNKNOWN if distance is None else distance
        level = UNKNOWN if martial_arts is None else martial_arts
        action = Aro(model, does, inches, weapon, cover, enemy_cover, unseen, level, berserk)
        await answer(interaction, replace(action, ground=ground, terrain=terrain, alerted=alerted))


def _add_searches(group: app_commands.Group) -> None:
    @group.command(name="discover", description="Discover a Marker: WIP")
    @app_commands.describe(
        model="Who",
        marker="Which Marker",
        mod="Further MOD",
        order="Which Order pays",
        odds="Show odds, roll nothing",
        range_mod="MOD of the range",
        cover="It is in cover",
    )
    @app_commands.autocomplete(model=my_trooper, marker=any_marker)
    async def discover(
        interaction: It,
        model: str,
        marker: str,
        range_mod: Mod = 0,
        cover: bool = False,
        mod: Mod = 0,
        order: Paid = "auto",
        odds: bool = False,
    ) -> None:
        action = Discover(model, marker, range_mod, cover, mod, order, odds)
        await answer(interaction, action)

    @group.command(name="sensor", description="Sensor: find all who hide within 8 in")
    @app_commands.describe(
        model="Who",
        mod="Further MOD",
        order="Which Order pays",
        odds="Show odds, roll nothing",
        markers="Markers in the area, by comma",
    )
    @app_commands.autocomplete(model=my_trooper)
    async def sensor(
        interaction: It,
        model: str,
        markers: str = "",
        mod: Mod = 0,
        order: Paid = "auto",
        odds: bool = False,
    ) -> None:
        await answer(interaction, Sensor(model, markers, mod, order, odds))
