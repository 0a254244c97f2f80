"""Dangerous places on the table: put there and removed, and the fields that name them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.actions import Action
from bot.games.counterblast.core.narration import Telling, finish
from bot.games.counterblast.state.ground import (
    AREA,
    KINDS,
    ROCKS,
    Ground,
    add_area,
    area_names,
    read_area,
    list_areas,
    list_fires,
    kind_words,
    kinds,
    find_place,
    ruggedness,
    structure_names,
    structures_on,
)
from bot.games.counterblast.state.models import game_of, kept
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.encounter import EncounterView
from bot.table.handlers import handles
from bot.table.names import check_name
from bot.table.owners import PLAYER
from rules.refusals import InvalidInput
from rules.systems.counterblast.movement.ground import COVER_KINDS

any_area = kept(lambda encounter: [*area_names(encounter), *map(kind_words, KINDS)])
placed_area = kept(area_names)
any_structure = kept(structure_names)


def cover_kind(context: Asking) -> Sequence[str]:
    """Return the kinds of cover."""
    return list(COVER_KINDS)


T = TypeVar("T")


def _on_table(list_things: Callable[[EncounterView], Sequence[T]]) -> Callable[[Asking], Sequence[T]]:
    def there(context: Asking) -> Sequence[T]:
        encounter = game_of(context)
        return list_things(encounter) if encounter is not None else ()

    return there


def _name(item: Any) -> str:
    return str(item.name)


def fire_field(about: str, **more: Any) -> Any:
    """Return a burning area, or a pool of acid."""
    return fields.among(about, _on_table(list_fires), _name, what="fire", **more)


def placed_danger_field(about: str, **more: Any) -> Any:
    """Return a dangerous place that stays on the table."""
    return fields.among(about, _on_table(list_areas), _name, what="place", **more)


def danger_field(about: str, **more: Any) -> Any:
    """Return a dangerous place, or a kind of danger whose grade the action names."""
    return fields.sought(
        about,
        any_area,
        lambda context, text: find_place(context.act.encounter, text),
        written=lambda ground: ground.name or ground.kind,
        **more,
    )


def wall(about: str, **more: Any) -> Any:
    """Return a field for a wall or door on the table."""
    return fields.among(about, _on_table(structures_on), _name, what="structure", **more)


def wall_kind(about: str, what: str = "structure", **more: Any) -> Any:
    """Return a field for the kind of a wall or door, as the chart names it."""
    return fields.among(about, lambda context: kinds(), _name, what=what, **more)


MAX_NAME_LENGTH = 16


@dataclass(frozen=True, slots=True)
class AddArea(Action):
    """Add a dangerous place.

    kind: dangerous, acid, toxic, slick, heat_or_cold.
    """

    command = "cb.area"
    typed = "cb field add"
    titled = "Add a dangerous place"
    waits_for_dice = True
    said_first = ("kind", "grade", "name", "power")
    decision_of = PLAYER

    name: str = fields.text("Name", None)
    kind: str = fields.one_of("Kind of danger", KINDS, needed=True, default=ROCKS)
    grade: int = fields.whole("Grade (1 to 3)", 1, 3, default=1, checked=True)
    power: int = fields.whole("Power (against shield dice)", 0, 10, default=0, checked=True)


@dataclass(frozen=True, slots=True)
class DropArea(Action):
    """Remove a dangerous place."""

    command = "cb.area.drop"
    typed = "cb field drop"
    titled = "Remove a dangerous place"
    waits_for_dice = True
    decision_of = PLAYER

    name: Ground = placed_danger_field("Place", needed=True)


@handles(AddArea)
def place_area(act: Act, action: AddArea) -> Reply:
    """Place an area, which stays until it is removed."""
    typed = check_name(action.name or kind_words(action.kind), "place")
    if len(typed) > MAX_NAME_LENGTH:
        raise InvalidInput(f"Shorten the name. A place's name can have at most {MAX_NAME_LENGTH} characters.")
    name = add_area(act.encounter, typed, action.kind, action.grade, action.power)
    ground = read_area(act.encounter, name)
    telling = Telling([f"Added {ground.words}."])
    telling.lines += [f"It is also Rugged [{piece.rating}]." for piece in ruggedness(ground)]
    return finish(act, telling)


@handles(DropArea)
def drop_area(act: Act, action: DropArea) -> Reply:
    """Remove an area by hand, if gear or abilities removed it."""
    AREA.forget(act.encounter.row.counters, action.name.name)
    return finish(act, Telling([f"{action.name.name} is removed from the table."]))
