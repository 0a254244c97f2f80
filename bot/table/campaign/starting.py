"""A campaign started without typing: a few shapes that seasons have, each a form filled in already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields
from bot.table.asking.elsewhere import Games
from bot.table.asking.kinds import Offer
from bot.table.campaign.campaign_rules import rules_of
from bot.table.campaign.campaigns import CreateCampaign
from bot.table.game import game
from bot.table.handlers import Place, handles
from bot.table.owners import ANYONE


@dataclass(frozen=True, slots=True)
class StartCampaign(Action):
    """Start a campaign from a few usual shapes."""

    command = "campaign.start"
    typed = "campaign start"
    titled = "Start a campaign"
    decision_of = ANYONE

    system: str = fields.system()


@dataclass(frozen=True, slots=True)
class Preset:
    """A shape of a season. start and limit: of what a game's crews usually start with, what a crew may have
    that joins, and what is fielded in an encounter."""

    name: str
    matching: str
    encounters: int
    start: float
    limit: float


PRESETS = (
    Preset("Three evenings", "swiss", 3, 1, 1.25),
    Preset("A league", "round robin", 5, 1, 1.5),
    Preset("A weekend", "swiss", 4, 0.75, 0.75),
)


def shaped(preset: Preset, system: str) -> CreateCampaign:
    """The campaign of a game that has this shape, without a name."""
    usual = rules_of(system).usual_points
    start, limit = (round(usual * share) for share in (preset.start, preset.limit))
    return CreateCampaign("", system, preset.matching, preset.encounters, start, limit)


def _about(made: CreateCampaign) -> str:
    meeting = "Swiss" if made.matching == "swiss" else "everybody meets"
    if not made.limit:
        crews = "crews of any size"
    elif made.start == made.limit:
        crews = f"crews of {made.start} that do not grow"
    else:
        crews = f"crews of {made.start}, up to {made.limit} fielded"
    return f"{made.encounters} rounds, {meeting}; {crews}"


async def _played(store: Store, actor: Actor, action: StartCampaign) -> Sequence[Offer]:
    """The games that the server plays."""
    return await Games().chosen_from(store, actor)


@handles(StartCampaign, Place.NOWHERE, beforehand=_played)
def start(act: Act, action: StartCampaign) -> Reply:
    """To the asker alone; every figure can still be changed in the form."""
    lines = [f"A campaign of {game(action.system).name}. Which shape?"]
    made = {one.name: shaped(one, action.system) for one in PRESETS}
    lines += [f"{name}: {_about(one)}" for name, one in made.items()]
    buttons = [Button(name, one, anytime=True, asks=True) for name, one in made.items()]
    buttons.append(Button("Another", CreateCampaign("", action.system), anytime=True, asks=True))
    others = tuple(Choice(one.label, str(one.value)) for one in act.extra if one.value != action.system)
    menu = Menu("Another game", StartCampaign(), "system", others, anytime=True)
    menus = (menu,) if others else ()
    return Reply(tuple(lines), private=True, buttons=tuple(buttons), menus=menus, replaces=True)
