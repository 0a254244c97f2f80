"""Dangerous places and hazards that stay on the table: put there and taken off."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.narration import Telling, finish
from bot.games.counterblast.ground.areas import (
    AREA,
    KINDS,
    ROCKS,
    Ground,
    add_area,
    area_of,
    kind_words,
    ruggedness,
)
from bot.games.counterblast.ground.fields import placed
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.names import checked_name
from bot.table.owners import PLAYER
from rules.refusals import InvalidInput

LONGEST = 16


@dataclass(frozen=True, slots=True)
class AddArea(Action):
    """Keep a dangerous place.

    kind: dangerous, acid, toxic, slick, heat_or_cold.
    """

    command = "cb.area"
    typed = "cb field add"
    titled = "Dangerous place"
    said_first = ("kind", "grade", "name", "power")
    decision_of = PLAYER

    name: str = fields.text("What to call it", None)
    kind: str = fields.one_of("What it is", KINDS, needed=True, default=ROCKS)
    grade: int = fields.whole("1 to 3", 1, 3, default=1, checked=True)
    power: int = fields.whole("For shields", 0, 10, default=0, checked=True)


@dataclass(frozen=True, slots=True)
class DropArea(Action):
    """Take a place off the table."""

    command = "cb.area.drop"
    typed = "cb field drop"
    titled = "Take a place away"
    decision_of = PLAYER

    name: Ground = placed("Its name", needed=True)


@handles(AddArea)
def place_area(act: Act, action: AddArea) -> Reply:
    """It stays until it is taken off."""
    act.require_player()
    wanted = checked_name(action.name or kind_words(action.kind), "place")
    if len(wanted) > LONGEST:
        raise InvalidInput(f"A place's name has at most {LONGEST} letters.")
    name = add_area(act.encounter, wanted, action.kind, action.grade, action.power)
    ground = area_of(act.encounter, name)
    telling = Telling([f"On the table: {ground.words}."])
    telling.lines += [f"Rugged [{piece.rating}] besides." for piece in ruggedness(ground)]
    return finish(act, telling)


@handles(DropArea)
def drop_area(act: Act, action: DropArea) -> Reply:
    """By hand, when gear or abilities removed it."""
    act.require_player()
    AREA.forget(act.encounter.row.counters, action.name.name)
    return finish(act, Telling([f"{action.name.name} is off the table."]))
