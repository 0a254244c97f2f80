"""/fe: what players of Frac'd Earth do. Cards are never options: what is typed is seen by everybody."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from discord import app_commands

from bot.commands import fracd_earth_field
from bot.commands.fracd_earth_options import Marks, Range, carried, figures, traits
from bot.commands.options import It, any_model, any_side, own_model
from bot.games.fracd_earth.area_play import AreaAttack
from bot.games.fracd_earth.attack_play import Attack
from bot.games.fracd_earth.check_play import Dodge, DrawByHand, FigureCheck
from bot.games.fracd_earth.late_play import Now
from bot.games.fracd_earth.steps import Look
from bot.panels.answer import answer

Manner: TypeAlias = Literal["basic", "focused", "quick", "wild", "slam"]
Obstacle: TypeAlias = Literal["none", "soft", "dense", "hard"]


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="fe", description="Frac'd Earth", guild_only=True)
    _add_hand(group)
    _add_attack(group)
    _add_area(group)
    _add_checks(group)
    fracd_earth_field.add_to(group)
    tree.add_command(group)


def _add_hand(group: app_commands.Group) -> None:
    @group.command(name="hand", description="Your cards, to you alone")
    async def hand(interaction: It) -> None:
        await answer(interaction, Look())

    @group.command(name="now", description="What is under way, and who is asked")
    async def now(interaction: It) -> None:
        await answer(interaction, Now())


def _add_attack(group: app_commands.Group) -> None:
    @group.command(name="attack", description="Strike, shoot or cast at a figure")
    @app_commands.describe(
        attacker="Who attacks",
        target="Whom",
        distance="Inches between bases",
        weapon="With what; none: what reaches",
        manner="wild: at one passing by",
        cover="What the line crosses",
        support="Teamwork: allies, with commas",
        allies="Combined attack: allies, with commas",
        moving="While moving",
        platform="From a vehicle or mount",
        behind="From its blind side",
        above="On foot above it",
        effective="Effective range, if not the weapon's",
        armour="Columns its armour shifts left",
        odds="Only the chances, to you alone",
        unseen="Sides that do not see a hidden attacker",
        line="Bases the line of fire crosses, touched ones left out",
        away="Supporters out of range and reach",
        beside="Next to the obstacle, seeing over it",
        against="In the target's hand",
    )
    @app_commands.autocomplete(
        attacker=own_model,
        target=any_model,
        weapon=carried("attacker"),
        support=figures,
        allies=figures,
        line=figures,
        away=figures,
        unseen=any_side,
    )
    @app_commands.rename(allies="group", effective="range")
    async def attack(
        interaction: It,
        attacker: str,
        target: str,
        distance: Range = 0.0,
        weapon: str = "",
        manner: Manner = "basic",
        cover: Obstacle = "none",
        support: str = "",
        allies: str = "",
        moving: bool = False,
        platform: bool = False,
        behind: bool = False,
        above: bool = False,
        effective: Range = 0.0,
        armour: app_commands.Range[int, 0, 4] = 0,
        odds: bool = False,
        unseen: str = "",
        line: str = "",
        away: str = "",
        beside: bool = False,
        against: str = "",
    ) -> None:
        action = Attack(
            attacker, target, distance, weapon, manner, cover, support, allies, moving, platform, behind,
            above, effective, armour, odds, unseen, line, away, beside, against,
        )  # fmt: skip
        await answer(interaction, action)


def _add_area(group: app_commands.Group) -> None:
    @group.command(name="area", description="Attack a point of ground")
    @app_commands.describe(
        attacker="Who attacks",
        distance="Inches to the point",
        size="Diameter, cone length, pulse radius",
        shape="What it looks like",
        width="Of a cone's far end",
        delivery="How it gets there",
        weapon="With what",
        manner="How it is made",
        support="Teamwork: allies, with commas",
        moving="While moving",
        platform="From a vehicle or mount",
        odds="Only the chances, to you alone",
        unseen="Sides that do not see a hidden attacker",
        away="Supporters out of range and reach",
    )
    @app_commands.autocomplete(
        attacker=own_model, weapon=carried("attacker"), support=figures, away=figures, unseen=any_side
    )
    async def area(
        interaction: It,
        attacker: str,
        distance: Range,
        size: Range,
        shape: Literal["blast", "cone", "pulse", "half pulse"] = "blast",
        width: Range = 3.0,
        delivery: Literal["power", "grenade", "aerodynamic", "lifted"] = "power",
        weapon: str = "",
        manner: Literal["basic", "focused", "quick"] = "basic",
        support: str = "",
        moving: bool = False,
        platform: bool = False,
        odds: bool = False,
        unseen: str = "",
        away: str = "",
    ) -> None:
        action = AreaAttack(
            attacker, distance, size, shape, width, delivery, weapon, manner, support, moving, platform, odds,
            unseen, away,
        )  # fmt: skip
        await answer(interaction, action)


def _add_checks(group: app_commands.Group) -> None:
    @group.command(name="check", description="A Check against a Target Number")
    @app_commands.describe(
        figure="Who",
        trait="Trait or Attribute",
        tn="Target Number",
        skill="A skill of its card",
        marks="Further [+] or [-]",
        points="Further points",
        aon="All or Nothing",
        odds="Only the chances, to you alone",
    )
    @app_commands.autocomplete(figure=own_model, trait=traits)
    async def check(
        interaction: It,
        figure: str,
        trait: str = "manv",
        tn: app_commands.Range[int, 0, 60] = 10,
        skill: str = "",
        marks: Marks = 0,
        points: Marks = 0,
        aon: bool = False,
        odds: bool = False,
    ) -> None:
        await answer(interaction, FigureCheck(figure, trait, tn, skill, marks, points, aon, odds))

    @group.command(name="draw", description="Draw cards without modifiers")
    @app_commands.describe(figure="For whom", cards="1 to 4", tn="Target Number")
    @app_commands.autocomplete(figure=own_model)
    async def draw(
        interaction: It,
        figure: str,
        cards: app_commands.Range[int, 1, 4] = 1,
        tn: app_commands.Range[int, 0, 60] = 10,
    ) -> None:
        await answer(interaction, DrawByHand(figure, cards, tn))

    @group.command(name="dodge", description="Get past an opponent")
    @app_commands.describe(
        figure="Who moves",
        opponent="Who holds it",
        trait="Of the mover",
        against="Of the opponent",
        skill="A skill of the mover",
        marks="Further [+] or [-]",
        odds="Only the chances, to you alone",
    )
    @app_commands.autocomplete(figure=own_model, opponent=any_model, trait=traits, against=traits)
    async def dodge(
        interaction: It,
        figure: str,
        opponent: str,
        trait: str = "manv",
        against: str = "manv",
        skill: str = "",
        marks: Marks = 0,
        odds: bool = False,
    ) -> None:
        await answer(interaction, Dodge(figure, opponent, trait, against, skill, marks, odds))
