"""A campaign started without typing: a few shapes that seasons have, each a form filled in already."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.campaign.campaigns import CreateCampaign
from bot.table.game import GAMES, game
from bot.table.handlers import Place, handles


@dataclass(frozen=True, slots=True)
class StartCampaign(Action):
    """Start a campaign from a few usual shapes."""

    command = "campaign.start"
    typed = "campaign start"

    system: str = fields.system()


@dataclass(frozen=True, slots=True)
class Preset:
    """A shape of a season. start and limit: points of a crew that joins, and fielded in an encounter."""

    name: str
    about: str
    matching: str
    encounters: int
    start: int
    limit: int


PRESETS = (
    Preset("Three evenings", "3 rounds, Swiss; crews of 200, up to 250 fielded", "swiss", 3, 200, 250),
    Preset("A league", "5 rounds, everybody meets; crews of 200, up to 300", "round robin", 5, 200, 300),
    Preset("A weekend", "4 rounds, Swiss; crews of 150 that do not grow", "swiss", 4, 150, 150),
)


@handles(StartCampaign, Place.NOWHERE)
def start(act: Act, action: StartCampaign) -> Reply:
    """To the asker alone; every figure can still be changed in the form."""
    lines = [f"A campaign of {game(action.system).name}. Which shape?"]
    lines += [f"{one.name}: {one.about}" for one in PRESETS]
    buttons = [
        Button(
            one.name,
            CreateCampaign("", action.system, one.matching, one.encounters, one.start, one.limit),
            anytime=True,
            asks=True,
        )
        for one in PRESETS
    ]
    buttons.append(Button("Another", CreateCampaign("", action.system), anytime=True, asks=True))
    others = tuple(Choice(one.name, key) for key, one in GAMES.items() if key != action.system)
    menu = Menu("Another game", StartCampaign(), "system", others, anytime=True)
    return Reply(tuple(lines), private=True, buttons=tuple(buttons), menus=(menu,), replaces=True)
